"""The judge of yes-no questions and of probes, by rules.

What a text says is decided by the first of these that holds:

| the text | understood as |
|---|---|
| is blank | empty |
| declares its answer ("the answer is no") or takes one back ("Wait, no."), under no condition ("if ...") | the last such |
| begins with unsure, or names it beside an answer ("Yes/Unsure") | unsure |
| begins with yes and no, or answers so in two sentences ("Yes and no", "Yes. No.") | unparsed |
| begins with yes or no, or with another word for it (correct, nope, false) | that one |
| holds only yes, or only no, wherever it stands | that one |
| holds both | unparsed |
| calls it true or false ("not certain, but it is true"), or says whether such a thing exists | yes or no, by the question |
| says that it does not know ("I cannot determine", "no information") | unsure |
| declines ("I can't help with that") | refused |
| is anything else | unparsed |

"No" before a noun ("no film", "no doubt") and "No. 5" are no answers, nor is a form to fill in ("Yes or No:").
Explanations are judged by `rationale`.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from evaluators.verify.abstention import nothing_said, refuses, unsure
from evaluators.verify.question import Question
from evaluators.verify.rationale import judge_rationale
from evaluators.verify.reading.clauses import is_negated
from evaluators.verify.reading.reply import Reply
from evaluators.verify.reading.text import Span, read_text
from evaluators.verify.ruling import Ruling
from queries.records.verdict import Outcome, Reason


class Reading(NamedTuple):
    """What a text says: yes or no (`exact`, `normalised`), or why it says neither; and the characters that say so."""

    answer: str | None
    reason: Reason
    spans: tuple[Span, ...] = ()


class Assertion(NamedTuple):
    """The yes or no that a text without either word comes to, and the characters that say so."""

    answer: Literal["yes", "no"]
    span: Span


def _rule(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


# Yes and no as words. After "no" the words of _CLAUSE begin a clause; another word in lower case makes it a determiner
# ("no film"). At the very beginning a capital after "no" is a name or a new sentence ("No Ada Moss made it"), later it is not.
_CLAUSE = "i|it|he|she|they|we|you|there|this|that|these|those|the|a|an|his|her|its|their|as|because|since|but|sorry"
_YES = r"(?<!\bnot )\byes\b"
_NO = rf"\bno\b(?=[\W_]*$|[*_\"')\]}}<]|\s*[,;:!?—–]|\s+-|\s*\n|\.(?!\s*\d)|\s+(?:{_CLAUSE})\b)"
_LEADING_NO = r"\bno\b(?=\s+(?-i:[A-Z])|\.)"
_OPENING = r"\A[\W_]*(?:(?:well|oh|so|hm+)\b\W*)?(?:(?:the |my |short |final )*answer\b(?: is)?\W*)?"
_UNSURE = r"(?:i(?:'m| am) )?(?:unsure|uncertain|not (?:\w+ )?(?:sure|certain))\b"
_STATED = r"(?:(?:that|this|it)(?: is|'s) )?"
_SAME_YES = rf"{_STATED}(?:correct|true|right)|yeah|yep|yup|indeed|affirmative"
_SAME_NO = rf"{_STATED}(?:not (?:correct|true|right)|incorrect|false|untrue|wrong)|nope|nah|negative"

# A form to fill in holds both words and says neither; it is blanked out, and the length stays, so that spans stay true.
_FORM = _rule(r"\b(?:yes ?(?:/|or) ?no|no ?(?:/|or) ?yes)\b(?: answer\b)?")
_WORD = _rule(rf"(?P<yes>{_YES})|(?P<no>{_NO})")
_BEGINNING = _rule(
    rf"{_OPENING}(?:(?:(?:yes|no) ?(?:/|,? or) ?)?(?P<unsure>{_UNSURE})(?!,? but\b)"
    rf"|(?P<both>(?:yes[ ,]+and no|no[ ,]+and yes)\b)"
    rf"|(?P<yes>{_YES})|(?P<no>{_NO}|{_LEADING_NO})"
    rf"|(?:(?P<like_yes>{_SAME_YES})|(?P<like_no>{_SAME_NO}))(?=\s*(?:[.,;:!*—–-]|\Z)))"
)
_DECLARED = _rule(
    r"\b(?:answer(?: to [^.\n]{1,200}?)? (?:is|would be|should be|must be|remains)|answer\W{0,3}[:=]"
    rf"|(?:wait|correction|actually|rather)[,:;.]?)[\W_]+(?:(?P<yes>{_YES})|(?P<no>{_NO}|{_LEADING_NO}))"
)
_DECLARING = ("answer", "wait", "correction", "actually", "rather")
_CONDITION = _rule(r"\bif\b[^.!?\n]*\Z")
_CONDITION_REACH = 300
"""Characters before an answer among which an "if" is looked for, or long texts would take long."""
_SENTENCE = _rule(rf"[.!?:\n][\W_]*(?:(?P<yes>{_YES})|(?P<no>{_NO}))(?=[*_]*[.,;!]|[\W_]*\Z)")
_BUT = _rule(r"[^.!?\n]{0,60}?\b(?:but|however|yet|still|though)\b[^.!?\n]{0,20}")

# What is called true or false, and what is said to exist, where neither yes nor no is said.
_WHAT = r"(?:it|that|this|(?:the|this|that|your) (?:statement|claim|premise|assertion|proposition|assumption))"
_IS = (
    r"(?:'s| is| was| does| did| seems?| appears?| would| must| may well)(?: (?:be|to be|appear|seem|appear to be"
    r"|seem to be|indeed|probably|likely|most likely|in fact|actually|definitely|also))*"
)
_RIGHT = r"(?:true|correct|right|accurate|so|the case)"
_FALSE = _rule(
    rf"\b{_WHAT}{_IS}(?:n't| not)(?: (?:be|to be|appear to be|seem to be|entirely|really"
    rf"|actually))* {_RIGHT}\b|\b{_WHAT}{_IS} (?:false|incorrect|wrong|untrue|inaccurate|a lie)\b"
    r"|\A\W*(?:(?:absolutely|definitely|certainly|probably|of course|obviously|clearly|surely) not|not at all"
    r"|by no means|no way|never)\b"
    r"|\bi (?:do not|don't|doubt) (?:think|believe)? ?(?:so|it)\b(?=\W*(?:\Z|[.,;!]))"
)
_TRUE = _rule(
    rf"\b{_WHAT}{_IS} {_RIGHT}\b|\A\W*(?:absolutely|definitely|certainly|of course|obviously|sure|surely"
    rf"|exactly|precisely|probably|likely)\b(?=\W*(?:\Z|[.,;!]))"
    r"|\bi (?:think|believe|guess) so\b"
)
_NONE = _rule(
    r"\bthere (?:is|are|was|were|has been|have been|does|do|did)(?:n't| not| no|n't| never)\b"
    r"|\bno (?:such )?[\w ]{1,30}? (?:exists?|existed)\b|\bnone (?:exists?|existed|of them)\b"
)
_SOME = _rule(
    r"\bthere (?:is|are|was|were) (?:indeed |actually |in fact |such )?(?:a|an|one|some|several|many|two|at least|such)\b"
)
_WRAPPED = _rule(
    r"\b(?:not (?:true|correct|right|the case)|false|incorrect|untrue|wrong)\b(?: to (?:say|claim|state))? (?:that )?\Z"
)
_WHETHER = _rule(r"\b(?:whether|if|unless|that)\s*\Z")
_CLAUSED = re.compile(r"\s+(?:that|to)\b")


def read(text: str, question: str = "") -> Reading:
    """Tell what a text says, to a question where that matters ("There is no such film.").

    >>> read("No, he died in Princeton.")
    Reading(answer='no', reason='exact', spans=((0, 2),))
    >>> read("No doubt about it: yes!").answer
    'yes'
    >>> read("I don't know.").reason
    'unsure'
    """
    plain = text.replace("’", "'")
    low = plain.replace("İ", "i").lower()  # the one letter that would grow
    # To look for words is quicker than to look for the patterns: most texts have neither a form nor a declaration.
    if "/" in low or "or yes" in low or "or no" in low or "oryes" in low or "orno" in low:
        plain = _FORM.sub(lambda form: " " * len(form[0]), plain)
    if not plain.strip():
        return Reading(None, "unparsed" if text.strip() else "empty")
    places = [at for at in map(low.find, _DECLARING) if at >= 0]
    declared = _declared(plain, min(places)) if places else None
    return declared or _leading(plain) or _anywhere(plain) or _stated(plain, question) or _neither(plain)


def _declared(text: str, start: int) -> Reading | None:
    """Read the last declaration ("The answer is no."): what a text comes to counts, not what it tries first."""
    last_first = reversed([*_DECLARED.finditer(text, start)])
    return next((_answer(match, "exact") for match in last_first if not _conditional(text, match.start())), None)


def _conditional(text: str, end: int) -> bool:
    """Tell whether an "if" stands before `end` in the same sentence ("If he had, the answer would be yes")."""
    return _CONDITION.search(text, max(0, end - _CONDITION_REACH), end) is not None


def _leading(text: str) -> Reading | None:
    beginning = _BEGINNING.match(text)
    if beginning is None:
        return None
    kind = beginning.lastgroup or ""
    if kind == "unsure" or kind == "both":
        return Reading(None, "unsure" if kind == "unsure" else "unparsed", (beginning.span(kind),))
    if kind.startswith("like_"):
        return Reading(kind.removeprefix("like_"), "normalised", (beginning.span(kind),))
    others = [*_SENTENCE.finditer(text, beginning.end())]
    return _one_side([beginning, *others]) if others else _answer(beginning, "exact")


def _anywhere(text: str) -> Reading | None:
    words = list(_WORD.finditer(text))
    return _one_side(words) if words else None


def _one_side(answers: list[re.Match[str]]) -> Reading:
    """Read several answers in one text: they agree, or nothing is understood."""
    sides = {match.lastgroup for match in answers}
    if len(sides) == 1:
        return _answer(answers[0], "exact")
    return Reading(None, "unparsed", tuple(match.span(match.lastgroup or 0) for match in answers))


def _answer(match: re.Match[str], reason: Reason) -> Reading:
    side = match.lastgroup
    return Reading(side, reason, (match.span(side or 0),))


def _stated(text: str, question: str) -> Reading | None:
    """Read an assertion; one behind a hedge counts only after a "but" ("I am not certain, but it is true")."""
    assertion, hedge = asserted(text, question), unsure(text)
    if assertion is None or (hedge and not _BUT.fullmatch(text, hedge[1], assertion.span[0])):
        return None
    return Reading(assertion.answer, "normalised", (assertion.span,))


def _neither(text: str) -> Reading:
    unknown, refused = unsure(text), refuses(text)
    if unknown:
        return Reading(None, "unsure", (unknown,))
    return Reading(None, "refused", (refused,)) if refused else Reading(None, "unparsed")


def asserted(text: str, question: str) -> Assertion | None:
    """Return what a text calls true or false, or whether it says that such a thing exists; null where it does neither.

    >>> asserted("There is no such film.", "Is there such a film?")
    Assertion(answer='no', span=(0, 11))
    >>> asserted("There is no such film.", "Is it true that there is no such film?").answer
    'yes'
    >>> asserted("It is not true that there are no films.", "Is it true that there are no films?").answer
    'no'
    """
    false, true = _outright(_FALSE, text), _outright(_TRUE, text)
    if false or true:
        first = min((match for match in (false, true) if match), key=lambda match: match.start())
        return _against_question(text, "no" if first is false else "yes", first, question)
    return _existence(text, question)


def _outright(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Return the first match that is said outright, not after "whether" or "if"."""
    outright = (m for m in pattern.finditer(text) if not _WHETHER.search(text[max(0, m.start() - 40) : m.start()]))
    return next(outright, None)


def _against_question(text: str, answer: Literal["yes", "no"], match: re.Match[str], question: str) -> Assertion:
    """Turn "it is true that there are no ..." about, where the question asks whether there are some."""
    claim = text[match.end() :] if _CLAUSED.match(text, match.end()) else ""
    negative = _NONE.search(claim[:80]) is not None
    if claim and question and negative != is_negated(question) and (negative or _SOME.search(claim[:80])):
        answer = "no" if answer == "yes" else "yes"
    return Assertion(answer, match.span())


def _existence(text: str, question: str) -> Assertion | None:
    none, some = _NONE.search(text), _SOME.search(text)
    match = none or some
    if not question or match is None or (none and some):
        return None
    wrapped = _WRAPPED.search(text[: match.start()]) is not None  # "It is false that there is a film": there is none
    exists = (some is not None) != wrapped
    return Assertion("yes" if exists != is_negated(question) else "no", match.span())


def judge(reply: Reply, question: Question) -> Ruling:
    """Judge a yes or no, and the explanation where the item has a rationale.

    Where nobody knows (`expected` is null), any yes or no is wrong.

    >>> judge(Reply.of("Yes, he did."), Question("Did he?", expected=("yes",)))[:3]
    ('correct', 'exact', 'yes')
    """
    text = reply.text
    reading = read(text, question.text)
    right = question.expected is not None and reading.answer == question.expected[0]
    outcome, reason, spans = _outcome(text, question, reading, right=right)
    if not question.rationale:
        return Ruling(outcome, reason, reading.answer, spans)
    explained = judge_rationale(read_text(text), question, answered=right if reading.answer else None)
    spans = tuple(dict.fromkeys(spans + explained.spans)) if explained.spans else spans
    return Ruling(outcome, reason, reading.answer, spans, explained.hops, explained.contradicted)


def _outcome(text: str, question: Question, reading: Reading, *, right: bool) -> tuple[Outcome, Reason, tuple[Span, ...]]:
    if reading.answer is not None:
        return ("correct", reading.reason, reading.spans) if right else ("incorrect", "wrong", reading.spans)
    if reading.reason == "unsure":
        return "abstained", "unsure", reading.spans
    nothing = nothing_said(text, question) if reading.reason == "unparsed" else None
    return "unscored", nothing or reading.reason, () if nothing else reading.spans
