"""The judge of yes-no questions and of probes, by rules.

What a text says is decided by the first of these that holds:

| the text | understood as |
|---|---|
| is blank | empty |
| declares its answer ("the answer is no"), concludes ("so no"), takes one back ("Wait, no."), without an "if" | the last such |
| begins with unsure, or names it beside an answer ("Yes/Unsure"); begins with no and says that it cannot tell | unsure |
| begins with yes and no, or answers so in two sentences ("Yes and no", "Yes. No.") | unparsed |
| begins with yes or no, with another word for it (correct, far from it), or in short ("He did.", "They are not.") | that one |
| holds only yes, or only no, wherever it stands, unless somebody else says it | that one |
| holds both | unparsed |
| calls it true or false ("not certain, but it is true"), agrees, says that it exists | yes or no, by the question |
| says that it does not know ("I cannot determine", "no information") | unsure |
| declines ("I can't help with that") | refused |
| is anything else | unparsed |

"No" before a noun ("no film", "no doubt") and "No. 5" are no answers, nor are a form to fill in ("Yes or No:"), an offer
of help ("Yes, I can help") and a question of the text itself. Whether "it is true" and "he did" mean yes depends on the
question's own sense (`sense`): "Is it false that he did?". Explanations are judged by `rationale`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from evaluators.verify.abstention import nothing_said, refuses, unsure
from evaluators.verify.question import Question
from evaluators.verify.rationale import judge_rationale
from evaluators.verify.reading.reply import Reply
from evaluators.verify.reading.text import Span, read_text
from evaluators.verify.reading.words import alternatives, any_pattern, word_list
from evaluators.verify.ruling import Ruling
from evaluators.verify.sense import YesNo, sense
from queries.records.verdict import Outcome, Reason


class Reading(NamedTuple):
    """What a text says: yes or no (`exact`, `normalised`), or why it says neither; and the characters that say so."""

    answer: str | None
    reason: Reason
    spans: tuple[Span, ...] = ()

    def moved(self, by: int) -> Reading:
        """Return what a part of a text says, as of the whole: the part begins so many characters on."""
        return self._replace(spans=tuple([(start + by, end + by) for start, end in self.spans])) if by else self


class Assertion(NamedTuple):
    """The yes or no that a text without either word comes to, and the characters that say so."""

    answer: YesNo
    span: Span


def _rule(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


# Yes and no as words. After "no" the words of _CLAUSE begin a clause; another word in lower case makes it a determiner
# ("no film"). At the very beginning a capital after "no" is a name or a new sentence ("No Ada Moss made it"), later it is not.
_CLAUSE = "i|it|he|she|they|we|you|there|this|that|these|those|the|a|an|his|her|its|their|as|because|since|but|sorry"
_YES = r"(?<!\bnot )\byes\b"
_NO = rf"\bno\b(?=[\W_]*$|[*_\"')\]}}<]|\s*[,;:!?—–]|\s+-|\s*\n|\.(?!\s*\d)|\s+(?:{_CLAUSE})\b)"
_LEADING_NO = r"\bno\b(?=\s+(?-i:[A-Z])|\.)"
_OPENING = r"[\W_]*(?:(?:well|oh|so|hm+|ah|okay|ok)\b\W*)?(?:(?:the |my |short |final )*answer\b(?: is)?\W*)?"
_UNSURE = r"(?:i(?:'m| am) )?(?:unsure|uncertain|not (?:\w+ )?(?:sure|certain))\b"
_SIGN = r"\s*(?:[.,;:!*—–)\"-]|\Z|\n)|\s+(?:because|since|given|although|though|but)\b"
_SAME_YES, _SAME_NO = alternatives("agreeing"), alternatives("disagreeing")

# A form to fill in holds both words and says neither; it is blanked out, and the length stays, so that spans stay true.
_FORM = _rule(r"\b(?:yes ?(?:/|or) ?no|no ?(?:/|or) ?yes)\b(?: answer\b)?")
_WORD = _rule(rf"(?P<yes>{_YES})|(?P<no>{_NO})")
_BEGINNING = _rule(
    rf"{_OPENING}(?:(?:(?:yes|no) ?(?:/|,? or) ?)?(?P<unsure>{_UNSURE})(?!,? but\b)"
    rf"|(?P<both>(?:yes[ ,]+and no|no[ ,]+and yes)\b)"
    rf"|(?P<yes>{_YES})|(?P<no>{_NO}|{_LEADING_NO}))"
)
_LIKE = _rule(rf"{_OPENING}(?:(?P<no>{_SAME_NO})|(?P<yes>{_SAME_YES}))(?={_SIGN})")
_DECLARED = _rule(
    r"\b(?:answer(?: to [^.\n]{1,200}?)? (?:is|would be|should be|must be|remains)|answer\W{0,3}[:=]"
    rf"|(?:wait|correction|actually|rather)[,:;.]?)[\W_]+(?:(?P<yes>{_YES})|(?P<no>{_NO}|{_LEADING_NO}))"
)
_END = r"(?=[\W_]*(?:[.!;\n]|\Z))"
_SIDE = _rule(
    rf"(?:(?P<yes>{_YES})|(?P<no>{_NO}|{_LEADING_NO})|(?P<like_yes>\b(?:affirmative|positive|true|correct|right){_END})"
    rf"|(?P<like_no>\b(?:negative|false|incorrect|wrong|untrue){_END}))"
)
_CONCLUDING = _rule(rf"(?<![\w'-])(?:{alternatives('concluding')})[,:;.]?[\s\"'(]*(?:in the )?\Z")
_PRESENTING = _rule(rf"(?<![\w'-])(?:{alternatives('presenting')})[,:;.]?[\s\"'(]*\Z")
_CONCLUDING_REACH = 50
"""Characters before a yes or no among which it is called a conclusion."""
# Words of which a text holds one where it takes something back, declares or concludes: most texts need no closer look.
_TURNING, _POLAR, _DECLARING, _SIDES, _BEFORE_SIDE = map(frozenset, word_list("closing_words").values())
_CUES = _TURNING | _POLAR | _DECLARING - {"a"}
_CONDITION = _rule(r"\bif\b[^.!?\n]*\Z")
_CONDITION_REACH = 300
"""Characters before an answer among which an "if" is looked for, or long texts would take long."""
_SENTENCE = _rule(rf"[.!?:\n][\W_]*(?:(?P<yes>{_YES})|(?P<no>{_NO}))(?=[*_]*[.,;!]|[\W_]*\Z)")
_BUT = _rule(r"[^.!?\n]{0,60}?\b(?:but|however|yet|still|though)\b[^.!?\n]{0,20}")
_QUESTION = re.compile(r"[\W_]*[^.!?\n]{1,200}\?+[\s\"')]*")
"""A question at the beginning of a text, which it answers itself."""
_OFFER = _rule(rf"[\W_]*yes[\s,.!:;–—-]*(?:{alternatives('obliging')})[^.!?:\n]*[.!?:]?")
_REPORTED = any_pattern("reported")
_REPORT_REACH = 80
"""Characters before a yes or no among which somebody else says it."""
_CANNOT_TELL = _rule(rf"[\s,;:–—-]*(?:sorry,? )?(?:but )?(?:{alternatives('cannot_tell')})")

# "He did.", "They are not": a short answer, with what may stand before it. After a comma it may go on, but not with "however".
_ADVERBS = rf"(?: (?:{alternatives('adverbs')})){{0,3}}"
_SHORT_END = (
    r"(?=\s*(?:\Z|[.;!:\n]|[–—]|-\s|,(?!\s*(?:however|though|in fact|of course|in turn|at (?:first|least)"
    r"|for (?:example|instance)|after all|i (?:think|believe|guess)|that is)\b))"
    r"|\s+(?:but|though|although|because|since|until)\b)"
)
_SHORT = _rule(
    rf"[\W_]*(?:(?:{alternatives('beliefs')})[,:]?\s+){{0,3}}"
    r"(?P<doubt>i (?:do not|don't|doubt|cannot|can't) ?(?:think|believe|imagine)?(?: that)? )?"
    rf"(?P<of>it|he|she|they|this|that|there|these|those|both|all of (?:it|them)){_ADVERBS}"
    rf"(?: (?:{alternatives('short_verbs')})|(?<=t)'s|(?<=e)'s|(?<=y)'re)(?P<not>n't|'t|not\b| not| never)?"
    rf"(?: (?:have|has|be|been))?{_ADVERBS}(?P<still> not| never)?(?: so| either| as well)?{_SHORT_END}"
)

# What is called true or false, and what is said to exist, where neither yes nor no is said.
_WHAT = rf"(?P<of>{alternatives('claims')})"
_IS = (
    r"(?:'s| is| are|'re| was| were| does| did| seems?| appears?| sounds?| would| must| may well)"
    rf"(?: (?:be|to be|appear|seem|appear to be|seem to be|entirely|completely|perfectly|{alternatives('adverbs')}))*"
)
_NOT_QUITE = r"(?: (?:be|to be|appear to be|seem to be|entirely|really|actually|quite|exactly|at all|even))*"
_RIGHT, _WRONG = f"(?:{alternatives('called_true')})", f"(?:{alternatives('called_false')})"
_FALSE = _rule(
    rf"\b{_WHAT}{_IS}(?:(?:n't| not){_NOT_QUITE} {_RIGHT}\b| {_WRONG}\b)"
    r"|\bi (?:do not|don't|doubt) (?:think|believe)? ?(?:so|it)\b(?=\W*(?:\Z|[.,;!]))"
    rf"|{alternatives('opposing')}"
)
_TRUE = _rule(
    rf"\b{_WHAT}{_IS}(?: {_RIGHT}\b|(?:n't| not){_NOT_QUITE} {_WRONG}\b)"
    rf"|\bi (?:think|believe|guess) so\b|{alternatives('approving')}"
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
_WHETHER = _rule(r"\b(?:whether|if|unless|that|whatever|who says|says|said)\s*\Z")
_CLAUSED = re.compile(r"\s+(?:that|to)\b")
_LABELLED = _rule(
    r"(?:\A|[\n.;,]\s*)[^\n.;:=?]{1,60}[:=?]\s*(?:(?P<yes>true|correct|valid|confirmed|✓|✔|✅)|(?P<no>false|incorrect|wrong|invalid|✗|✘|❌))(?=\W*(?:\Z|\n|[.,;]))"
)
_MARKED = re.compile(r"\A\W{0,3}(?:(?P<yes>[✅✓✔👍☑])|(?P<no>[❌✗✘👎✖]))")


def read(text: str, question: str = "") -> Reading:
    """Tell what a text says, to a question where that matters ("There is no such film.").

    >>> read("No, he died in Princeton.")
    Reading(answer='no', reason='exact', spans=((0, 2),))
    >>> read("No doubt about it: yes!").answer
    'yes'
    >>> read("I don't know.").reason
    'unsure'
    """
    return understand(Reply(text.replace("’", "'")), Question(question))


def understand(reply: Reply, question: Question) -> Reading:
    """Tell what an answer says to a question.

    >>> understand(Reply.of("<think>No?</think>He did."), Question("Did he?")).answer
    'yes'
    """
    text = reply.text
    low = text.lower()
    # To look for words is quicker than to look for the patterns: most texts have neither a form nor a declaration.
    if "/" in low or "or yes" in low or "or no" in low or "oryes" in low or "orno" in low:
        text = _FORM.sub(lambda form: " " * len(form[0]), text)
    if not text.strip():
        return Reading(None, "unparsed" if reply.text.strip() else "empty")
    said = _CUES.intersection(read_text(reply.text).words)
    closer = said or "?" in text or not reply.is_original or _may_conclude(reply.text)
    final = _final(text, said, reply, question) if closer else None
    return final or _plain(text, question) or _neither(text)


def _plain(text: str, question: Question) -> Reading | None:
    if (offer := _OFFER.match(text)) is not None:
        text = " " * offer.end() + text[offer.end() :]
    found = _leading(text, question) or _anywhere(text) or _stated(text, question.text)
    return found or _like(text, 0, question, opening=True)


def _final(text: str, said: frozenset[str], reply: Reply, question: Question) -> Reading | None:
    """Read what a text declares, concludes, or says after it took something back: what it comes to counts.

    `said` are the words that may do so.
    """
    turned = reply.turned if "?" in text or not _TURNING.isdisjoint(said) else (0, 0)
    if turned[1] and _takes_back(text, turned) and not _only_a_detail(text, turned[1], question):
        cut = _CUT_SHORT.search(text, *turned)
        turn = cut.start() if cut else turned[1]
        found = _declared(text, said, reply, question, turn)
        after = None if found else _plain(text[turn:], question)
        if found or after:
            return found or (after.moved(turn) if after else None)
        refusal = _TURNED_DOWN.search(text, *turned)
        if refusal:
            return Reading("no", "exact", (refusal.span(1),))
    return _declared(text, said, reply, question, 0)


def _takes_back(text: str, turned: Span) -> bool:
    """Tell whether words that may take something back do: not at the beginning, nor as an answer ("Yes, it is wrong.")."""
    before = text[: turned[0]].rstrip()
    return bool(before) and (before[-1] in ".!?:;…—–" or not _CALLED.match(text, *turned))


_CALLED = _rule(r"(?:that|this|it)(?:'s| is| was) ")
_CUT_SHORT = _rule(r"\b(?:that|this|it)(?:'s| is| was) (?:not(?: quite)?|a)\W*\Z")
"""What takes back with the beginning of a sentence ("No, that is not | true.")."""
_TURNED_DOWN = _rule(r"\b(no|nope|not so|wrong|never|hardly|incorrect)\b")
_TURN_REACH = 30
"""Characters before the end of what takes back among which it declares at once ("Wait, no")."""


def _declared(text: str, said: frozenset[str], reply: Reply, question: Question, start: int) -> Reading | None:
    """Read the last declaration or conclusion that ends after `start`."""
    if not reply.is_original and (found := _called_answer(text, reply, question, start)):
        return found
    matches = [] if _POLAR.isdisjoint(said) else [*_DECLARED.finditer(text, max(0, start - _TURN_REACH))]
    if not reply.is_original or _may_conclude(text):
        matches += _concluded(text, start)
    outright = [match for match in matches if match.end() > start and not _conditional(text, match.start())]
    if outright:
        return _answer(max(outright, key=lambda match: match.end()))
    return None if _DECLARING.isdisjoint(said) else _called_answer(text, reply, question, start)


def _may_conclude(text: str) -> bool:
    """Tell whether a yes or no stands right behind a word that may conclude; most texts need no closer look."""
    words = read_text(text).words
    sides = [n for n, word in enumerate(words) if word in _SIDES]
    return bool(sides) and not _BEFORE_SIDE.isdisjoint([words[n - 1] for n in sides if n])


def _concluded(text: str, start: int) -> Iterator[re.Match[str]]:
    """Yield the yes or no that a text calls its conclusion ("so no", "it's a clear yes")."""
    for side in _SIDE.finditer(text, start):
        before = text[max(start, side.start() - _CONCLUDING_REACH) : side.start()]
        presented = side.lastgroup in ("yes", "no") and _PRESENTING.search(before)
        if presented or _CONCLUDING.search(before):
            yield side


def _called_answer(text: str, reply: Reply, question: Question, start: int) -> Reading | None:
    """Read what a text itself calls its answer."""
    span = reply.declared
    if span is None or span[0] < start:
        return None
    piece = text[slice(*span)]
    unknown = unsure(piece)
    found = _leading(piece, question) or _anywhere(piece) or (None if unknown else _stated(piece, question.text))
    if unknown and not found:
        found = Reading(None, "unsure", (unknown,))
    return found.moved(span[0]) if found else None


def _only_a_detail(text: str, turn: int, question: Question) -> bool:
    """Tell whether a text sets right something beside the answer ("Yes, in 1931. Sorry, 1932.")."""
    detail = _DETAIL.match(text, turn)
    withdrawn = _VALUE.findall(text[max(0, turn - _WITHDRAWN_REACH) : turn]) if detail else []
    return bool(withdrawn) and withdrawn[-1] not in question.text


_DETAIL = re.compile(
    r"(?:[Nn]o[,:;.—–-]*\s*)?(?:(?:in|on|at|by|about|it was|that was|I mean|make that|rather)\s+)?(?:the\s+)?"
    r"[\dA-Z][\w'.,-]*(?:\s[\dA-Z][\w'-]*){0,3}(?:\s*[.!]|\s*\Z)"
)
_VALUE = re.compile(r"\d[\d,.]*\d|\d|(?<=\s)[A-Z][\w'-]+")
_WITHDRAWN_REACH = 60


def _conditional(text: str, end: int) -> bool:
    """Tell whether an "if" stands before `end` in the same sentence ("If he had, the answer would be yes")."""
    return _CONDITION.search(text, max(0, end - _CONDITION_REACH), end) is not None


def _leading(text: str, question: Question) -> Reading | None:
    """Read how a text begins; questions of its own at the beginning are passed over."""
    start = 0
    for _ in range(_QUESTIONS):
        found = _begins(text, start, question)
        asked = None if found else _QUESTION.match(text, start)
        if asked is None or asked.end() == len(text):
            return found
        start = asked.end()
    return None


_QUESTIONS = 3
"""So many questions of its own a text may begin with."""


def _begins(text: str, start: int, question: Question) -> Reading | None:
    beginning = _BEGINNING.match(text, start)
    if beginning is None:
        return _like(text, start, question) or _in_short(text, start, question)
    kind = beginning.lastgroup or ""
    if kind == "unsure" or kind == "both":
        return Reading(None, "unsure" if kind == "unsure" else "unparsed", (beginning.span(kind),))
    if kind == "no" and (unknown := _CANNOT_TELL.match(text, beginning.end())):
        return Reading(None, "unsure", (unknown.span(),))
    others = [*_SENTENCE.finditer(text, beginning.end())]
    return _one_side([beginning, *others]) if others else _answer(beginning)


def _like(text: str, start: int, question: Question, *, opening: bool = False) -> Reading | None:
    """Read another word for yes or no at the beginning; before a colon it counts with `opening`."""
    like = _LIKE.match(text, start)
    if like is None:
        return None
    kind = like.lastgroup or ""
    words = like[kind].lower()
    if (words in _OPENERS and text.startswith(",", like.end())) or (text.startswith(":", like.end()) and not opening):
        return None
    asked = sense(question.text)
    if asked.reversed and words.startswith("it"):  # "Is it false that ...?" "It is true."
        kind = asked.answer(holds=(kind == "yes") != asked.negated)
    return Reading(kind, "normalised", (like.span(like.lastgroup or 0),))


_OPENERS = frozenset(
    ["right", "so", "sure", "clearly", "obviously", "naturally", "apparently", "presumably", "likely", "evidently", "surely"]
)
"""Words that before a comma only open a sentence ("Right, the director of it is ...")."""


def _in_short(text: str, start: int, question: Question) -> Reading | None:
    """Read a short answer at the beginning ("He did.", "I don't think it was.")."""
    short = _SHORT.match(text, start)
    if short is None:
        return None
    holds = bool(short["doubt"]) == bool(short["not"] or short["still"])
    asked = sense(question.text)
    if asked.wrapped and short["of"].lower() in ("it", "that", "this"):
        answer: YesNo = "yes" if holds else "no"
    else:
        answer = asked.answer(holds=holds)
    return Reading(answer, "normalised", (short.span(),))


def _anywhere(text: str) -> Reading | None:
    words = list(_WORD.finditer(text))
    own = [word for word in words if not _of_others(text, word.start())]
    return _one_side(own or words) if own or len(words) > 1 else None


def _of_others(text: str, at: int) -> bool:
    """Tell whether somebody else says what stands here ("Some would say yes")."""
    start = max(0, at - _REPORT_REACH)
    around = text[start:at]
    cut = max(around.rfind(sign) for sign in (*".!?\n;", " but ")) + 1
    return len(around) > cut and _REPORTED.search(around, cut) is not None


def _one_side(answers: list[re.Match[str]]) -> Reading:
    """Read several answers in one text: they agree, or nothing is understood."""
    sides = {match.lastgroup for match in answers}
    if len(sides) == 1:
        return _answer(answers[0])
    return Reading(None, "unparsed", tuple(match.span(match.lastgroup or 0) for match in answers))


def _answer(match: re.Match[str]) -> Reading:
    side = match.lastgroup or ""
    return Reading(side.removeprefix("like_"), "normalised" if side.startswith("like_") else "exact", (match.span(side),))


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
        return _against_question(text, first, question, holds=first is true)
    return _existence(text, question) or _marked(text, question)


def _outright(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Return the first match that is said outright, not after "whether" or "if", nor by somebody else."""
    for match in pattern.finditer(text):
        if not _WHETHER.search(text, max(0, match.start() - 40), match.start()) and not _of_others(text, match.start()):
            return match
    return None


def _against_question(text: str, match: re.Match[str], question: str, *, holds: bool) -> Assertion:
    """Turn "it is true that there are no ..." about, where the question asks whether there are some."""
    asked = sense(question)
    claim = text[match.end() :] if _CLAUSED.match(text, match.end()) else ""
    negative = _NONE.search(claim[:80]) is not None
    if claim and question and (negative or _SOME.search(claim[:80])):
        return Assertion(asked.answer(holds=holds != negative), match.span())
    if asked.reversed and not (match["of"] or "").lower().startswith(("that", "this", "you")):
        return Assertion(asked.answer(holds=holds != asked.negated), match.span())
    return Assertion("yes" if holds else "no", match.span())


def _existence(text: str, question: str) -> Assertion | None:
    none, some = _NONE.search(text), _SOME.search(text)
    match = none or some
    if not question or match is None or (none and some):
        return None
    wrapped = _WRAPPED.search(text[: match.start()]) is not None  # "It is false that there is a film": there is none
    exists = (some is not None) != wrapped
    return Assertion(sense(question).answer(holds=exists), match.span())


def _marked(text: str, question: str) -> Assertion | None:
    """Read a mark that stands for yes or no, or a line that calls the claim true or false ("Claim: TRUE")."""
    sign = _MARKED.match(text)
    labels = [sign] if sign else [*_LABELLED.finditer(text)][-1:]
    if not labels:
        return None
    side = labels[0].lastgroup or ""
    return Assertion("yes" if side == "yes" else "no", labels[0].span(side))


def judge(reply: Reply, question: Question) -> Ruling:
    """Judge a yes or no, and the explanation where the item has a rationale.

    Where nobody knows (`expected` is null), any yes or no is wrong.

    >>> judge(Reply.of("Yes, he did."), Question("Did he?", expected=("yes",)))[:3]
    ('correct', 'exact', 'yes')
    """
    text = reply.text
    reading = understand(reply, question)
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
