"""Where a text says yes or no in words: at its beginning, anywhere, or by what it calls true or false.

| the text | understood as |
|---|---|
| begins with unsure, or names it beside an answer ("Yes/Unsure"); begins with no and says that it cannot tell | unsure |
| begins with yes and no, or answers so in two sentences ("Yes and no", "Yes. No.") | unparsed |
| begins with yes or no, with another word for it (correct, far from it), or in short ("He did.", "They are not.") | that one |
| holds only yes, or only no, wherever it stands, unless somebody else says it | that one |
| holds both | unparsed |
| calls it true or false ("not certain, but it is true"), agrees, says that it exists | yes or no, by the question |

"No" before a noun ("no film", "no doubt") and "No. 5" are no answers, nor is a question of the text itself. Whether "it is
true" and "he did" mean yes depends on the question's own sense (`sense`): "Is it false that he did?".
"""

from __future__ import annotations

import re
from typing import NamedTuple

from evaluators.verify.abstention import begun, unsure, withheld
from evaluators.verify.question import Question
from evaluators.verify.reading.text import Span
from evaluators.verify.reading.words import alternatives, any_pattern
from evaluators.verify.sense import YesNo, sense_of
from kg.patterns import late
from queries.records.verdict import Reason


class Reading(NamedTuple):
    """What a text says: yes or no (`exact`, `normalised`), or why it says neither; and the characters that say so."""

    answer: str | None
    reason: Reason
    spans: tuple[Span, ...] = ()

    def moved(self, by: int) -> Reading:
        """Return what a part of a text says, as of the whole: the part begins so many characters on."""
        return self._replace(spans=tuple([(start + by, end + by) for start, end in self.spans])) if by else self


def rule(pattern: str) -> re.Pattern[str]:
    return late(pattern, re.IGNORECASE)


# Yes and no as words. After "no" the words of _CLAUSE begin a clause; another word in lower case makes it a determiner
# ("no film"). At the very beginning a capital after "no" is a name or a new sentence ("No Ada Moss made it"), later it is not.
_CLAUSE = "i|it|he|she|they|we|you|there|this|that|these|those|the|a|an|his|her|its|their|as|because|since|but|sorry"
YES = r"(?<!\bnot )(?<!n't )\byes\b"
NO = (
    rf"\bno\b(?=[\W_]*$|[*_\"')\]}}<\[]|\s*[,;:!?—–]|\s+-|\s*\n|\.(?!\s*\d)|\s+(?:{_CLAUSE})\b"
    r"|\s+to\s+(?:the|both|all|that|this|your|it|every)\b)"
)
LEADING_NO = r"\bno\b(?=\s+(?-i:[A-Z])|\.)"
_OPENING = r"[\W_]*+(?:(?:well|oh|so|hm+|ah|okay|ok)\b\W*)?(?:(?:the |my |short |final )*answer\b(?: is)?\W*)?"
_UNSURE = r"(?:i(?:'m| am) )?(?:unsure|uncertain|not (?:\w+ )?(?:sure|certain))\b"
_SIGN = r"\s*(?:[.,;:!*—–)\"-]|\Z|\n)|\s+(?:because|since|given|although|though|but)\b"
_SAME_YES, _SAME_NO = alternatives("agreeing"), alternatives("disagreeing")
_WORD = rule(rf"\b(?=\w)(?:(?P<yes>{YES})|(?P<no>{NO}))")  # both begin with a word: to look there alone is quicker
_BEGINNING = rule(
    rf"{_OPENING}(?:(?:(?:yes|no) ?(?:/|,? or) ?)?(?P<unsure>{_UNSURE})(?!,? but\b)"
    rf"|(?P<both>(?:yes[ ,]+and no|no[ ,]+and yes)\b)"
    rf"|(?P<yes>{YES})|(?P<no>{NO}|{LEADING_NO}))"
)
_LIKE = rule(rf"{_OPENING}(?:(?P<no>{_SAME_NO})|(?P<yes>{_SAME_YES}))(?={_SIGN})")
SENTENCE = rule(rf"[.!?:\n][\W_]*(?:(?P<yes>{YES})|(?P<no>{NO}))(?=[*_]*[.,;!]|[\W_]*\Z)")
_BUT = rule(r"[^.!?\n]{0,60}?\b(?:but|however|yet|still|though)\b[^.!?\n]{0,20}")
_QUESTION = re.compile(r"[\W_]*+[^.!?\n]{1,200}\?+[\s\"')]*")
"""A question at the beginning of a text, which it answers itself."""
OFFER = rule(
    r"[\W_]*+(?:yes|absolutely|certainly|sure|of course|definitely)[\s,.!:;–—-]*"
    rf"(?:{alternatives('obliging')})[^.!?:\n]*[.!?:]?"
)
_REPORTED = any_pattern("reported")
_REPORT_REACH = 80
"""Characters before a yes or no among which somebody else says it."""
CANNOT_TELL = rule(rf"[\s,;:–—-]*(?:sorry,? )?(?:but )?(?:{alternatives('cannot_tell')})")
# "He did.", "They are not": a short answer, with what may stand before it. After a comma it may go on, but not with "however".
_ADVERBS = rf"(?: (?:{alternatives('adverbs')})){{0,3}}"
_SHORT_END = (
    r"(?=\s*(?:\Z|[.;!:\n]|[–—]|-\s|,(?!\s*(?:however|though|in fact|of course|in turn|at first"
    r"|for (?:example|instance)|after all|i (?:think|believe|guess)|that is)\b))"
    r"|\s+(?:but|though|although|because|since|until)\b)"
)
_SHORT = rule(
    rf"[\W_]*+(?:(?:{alternatives('beliefs')})[,:]?\s+){{0,3}}"
    r"(?P<doubt>i (?:do not|don't|doubt|cannot|can't) ?(?:think|believe|imagine)?(?: that)? )?"
    rf"(?P<of>it|he|she|they|this|that|there|these|those|both|all of (?:it|them)){_ADVERBS}(?P<ahead> never| not)?"
    rf"(?: (?:{alternatives('short_verbs')})|(?<=t)'s|(?<=e)'s|(?<=y)'re)(?P<not>n't|'t|not\b| not| never)?"
    rf"(?: (?:have|has|be|been))?{_ADVERBS}(?P<still> not| never)?(?: so| either| as well| that| the case)?{_SHORT_END}"
)
# What is called true or false, and what is said to exist, where neither yes nor no is said.
_WHAT = rf"(?P<of>{alternatives('claims')})"
_IS = (
    r"(?:'s| is| are|'re| was| were| does| did| seems?| appears?| sounds?| would| must| may well)"
    rf"(?: (?:be|to be|appear|seem|appear to be|seem to be|entirely|completely|perfectly|{alternatives('adverbs')}))*"
)
_NOT_QUITE = r"(?: (?:be|to be|appear to be|seem to be|entirely|really|actually|quite|exactly|at all|even))*"
_RIGHT, _WRONG = f"(?:{alternatives('called_true')})", f"(?:{alternatives('called_false')})"
_FALSE = rule(
    rf"\b{_WHAT}{_IS}(?:(?:n't| not){_NOT_QUITE} {_RIGHT}\b| {_WRONG}\b)"
    r"|\bi (?:do not|don't|doubt) (?:think|believe)? ?(?:so|it)\b(?=\W*(?:\Z|[.,;!]))"
    rf"|{alternatives('opposing')}|{alternatives('failing')}"
)
_TRUE = rule(
    rf"\b{_WHAT}{_IS}(?: {_RIGHT}\b|(?:n't| not){_NOT_QUITE} {_WRONG}\b)"
    rf"|\bi (?:think|believe|guess) so\b|{alternatives('approving')}|{alternatives('holding')}"
)
_NONE = rule(
    r"\bthere (?:is|are|was|were|has been|have been|does|do|did)(?:n't| not| no|n't| never)\b"
    r"|\bno (?:such )?[\w ]{1,30}? (?:exists?|existed)\b|\bnone (?:exists?|existed|of them)\b"
)
_SOME = rule(
    r"\bthere (?:is|are|was|were) (?:indeed |actually |in fact |such )?(?:a|an|one|some|several|many|two|at least|such)\b"
)
_WRAPPED = rule(
    r"\b(?:not (?:true|correct|right|the case)|false|incorrect|untrue|wrong)\b(?: to (?:say|claim|state))? (?:that )?\Z"
)
_WHETHER = rule(r"\b(?:whether|if|unless|that|whatever|who says|says|said)\s*\Z")
_CLAUSED = re.compile(r"\s+(?:that|to)\b")
_LABELLED = rule(
    r"(?:\A|[\n.;,]\s*)[^\n.;:=?]{1,60}[:=?]\s*(?:(?P<yes>true|correct|valid|confirmed|✓|✔|✅)|(?P<no>false|incorrect|wrong|invalid|✗|✘|❌))(?=\W*(?:\Z|\n|[.,;]))"
)
_MARKED = re.compile(r"\A\W{0,3}(?:(?P<yes>[✅✓✔👍☑])|(?P<no>[❌✗✘👎✖]))")


# A form to fill in holds both words and says neither; it is blanked out, and the length stays, so that spans stay true.
_FORM = rule(r"\b(?:yes ?(?:/|or) ?no|no ?(?:/|or) ?yes)\b(?: answer\b)?")


def may_hold_form(text: str) -> bool:
    """Tell whether a text may hold a form to fill in; to look for words is quicker than to look for the pattern."""
    low = text.lower()
    return "/" in low or "or yes" in low or "or no" in low or "oryes" in low or "orno" in low


def without_form(text: str) -> str:
    """Blank out the forms to fill in.

    >>> without_form("Yes or no: no")
    '         : no'
    """
    return _FORM.sub(lambda form: " " * len(form[0]), text) if may_hold_form(text) else text


def leading(text: str, question: Question) -> Reading | None:
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
        return like(text, start, question) or in_short(text, start, question)
    kind = beginning.lastgroup or ""
    if kind == "unsure" or kind == "both":
        return Reading(None, "unsure" if kind == "unsure" else "unparsed", (beginning.span(kind),))
    if kind == "no" and (unknown := CANNOT_TELL.match(text, beginning.end())):
        return Reading(None, "unsure", (unknown.span(),))
    others = [*SENTENCE.finditer(text, beginning.end())]
    last = others[-1] if others else None
    if last and last.start() > beginning.end() + _FAR_APART and not text[last.end() :].strip(_CLOSING_SIGNS):
        return answer_of(last)  # "No, I was about to say, ... But that is by him as well. Yes."
    return _one_side([beginning, *others]) if others else answer_of(beginning)


_FAR_APART = 40
"""Behind so many characters a yes or no that ends a text decides, whatever the first was."""


def like(text: str, start: int, question: Question, *, opening: bool = False) -> Reading | None:
    """Read another word for yes or no at the beginning; before a colon it counts with `opening`."""
    like = _LIKE.match(text, start)
    if like is None:
        return None
    kind = like.lastgroup or ""
    words = like[kind].lower()
    labels = text.startswith(":", like.end()) and not opening and not words.startswith(_DENYING)
    if (words in _OPENERS and text.startswith(",", like.end())) or labels:
        return None
    asked = sense_of(question)
    if asked.reversed and words.startswith(("it", "indeed")):  # "Is it false that ...?" "It is true."
        kind = asked.answer(holds=(kind == "yes") != asked.negated)
    return Reading(kind, "normalised", (like.span(like.lastgroup or 0),))


_DENYING = ("not ", "nope", "never", "hardly", "far from", "by no means")
"""With these words a text denies, also before a colon ("Not quite: ..."); "Wrong:" may only be a label."""
_OPENERS = frozenset(
    ["right", "so", "sure", "clearly", "obviously", "naturally", "apparently", "presumably", "likely", "evidently", "surely"]
)
"""Words that before a comma only open a sentence ("Right, the director of it is ...")."""


def in_short(text: str, start: int, question: Question) -> Reading | None:
    """Read a short answer at the beginning ("He did.", "I don't think it was.")."""
    short = _SHORT.match(text, start)
    if short is None:
        return None
    holds = bool(short["doubt"]) == bool(short["ahead"] or short["not"] or short["still"])
    asked = sense_of(question)
    if asked.wrapped and short["of"].lower() in ("it", "that", "this"):
        answer: YesNo = "yes" if holds else "no"
    else:
        answer = asked.answer(holds=holds)
    return Reading(answer, "normalised", (short.span(),))


def in_short_at_last(text: str, question: Question) -> Reading | None:
    """Read a short answer that concludes ("..., so it isn't.").

    >>> in_short_at_last("Rome has more, so it isn't.", Question("Is it larger?")).answer
    'no'
    """
    for conclusion in reversed([*_SO.finditer(text)]):
        found = in_short(text, conclusion.end(), question)
        if found:
            return found
    return None


_SO = rule(r"\b(?:so|therefore|thus|hence|consequently|which means(?: that)?)\b,?\s+")


def closing(text: str, question: Question) -> Reading | None:
    """Read another word for yes or no that is the last sentence.

    >>> closing("It was finished in 1871. Negative.", Question("Was it finished in 1850?")).answer
    'no'
    """
    last = _LAST_SENTENCE.search(text, max(0, len(text) - _CLOSING_REACH))
    found = like(text, last.end(), question) if last else None
    return found if found and not text[found.spans[0][1] :].strip(_CLOSING_SIGNS) else None


_LAST_SENTENCE = re.compile(r"[.!?\n]\s+(?=[^.!?\n]+[.!]?\s*\Z)")
_CLOSING_REACH, _CLOSING_SIGNS = 60, " .!\n*_)\"'"


def hesitant(text: str) -> Reading | None:
    """Read an "unsure" that is a sentence of its own, before any yes or no ("As an AI I have no opinions. Unsure. ...").

    >>> hesitant("I looked it up. Unsure. He may have.").reason
    'unsure'
    """
    found = _HESITANT.search(text) if "nsure" in text or "ncertain" in text else None
    word = found and _WORD.search(text, 0, found.start())
    return Reading(None, "unsure", (found.span(1),)) if found and not word else None


_HESITANT = rule(r"[.!?:\n]\s*(?:(?:yes|no) ?(?:/|,? or) ?)?(unsure|uncertain)\b(?=\W*(?:[.!,\n]|\Z))")


def anywhere(text: str) -> Reading | None:
    """Read yes or no wherever it stands.

    >>> anywhere("It was there, so yes.").answer, anywhere("Some would say no.")
    ('yes', None)
    """
    words = own_words(text)
    if not words:
        return None
    last, found = words[-1], _one_side(words)
    if found.answer is None and (unknown := unsure(text)):
        return Reading(None, "unsure", (unknown,))
    alone = text[: last.start()].rstrip()[-1:] in (".", "!", "?", "\n") and not text[last.end() :].strip(_CLOSING_SIGNS)
    return answer_of(last) if found.answer is None and alone and last.start() > _FAR_APART else found


def own_words(text: str) -> list[re.Match[str]]:
    """Return where a text itself says yes or no; where only others do, and not at one, all that they say."""
    words = list(_WORD.finditer(text))
    if len(words) > _MOST_WORDS:
        return words
    words = [word for word in words if not _SUPPOSED.search(text, max(0, word.start() - _REPORT_REACH), word.start())]
    own = [word for word in words if not _of_others(text, word.start())]
    return own or (words if len(words) > 1 else [])


_SUPPOSED = rule(r"\bif\b[^.!?;\n]*\bwould\b[^.!?;\n]*\Z")


_MOST_WORDS = 50
"""A text that says yes and no more often is no prose."""


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
        return answer_of(answers[0])
    return Reading(None, "unparsed", tuple(match.span(match.lastgroup or 0) for match in answers))


def answer_of(match: re.Match[str]) -> Reading:
    side = match.lastgroup or ""
    return Reading(*_SAID[side], (match.span(side),))


_SAID: dict[str, tuple[str, Reason]] = {
    "yes": ("yes", "exact"),
    "no": ("no", "exact"),
    "like_yes": ("yes", "normalised"),
    "like_no": ("no", "normalised"),
}


def called(text: str, question: Question) -> Reading | None:
    """Read what a text calls true or false; behind a hedge it counts only after a "but" ("I am not certain, but it is true").

    >>> called("It is not true that there are no films.", Question("Is it true that there are no films?")).answer
    'no'
    >>> called("There may be one.", Question("Is there one?"))
    """
    false, true = _outright(_FALSE, text), _outright(_TRUE, text)
    if not (false or true):
        return _marked(text)
    first = min((match for match in (false, true) if match), key=lambda match: match.start())
    answer = _against_question(text, first, question, holds=first is true)
    return _unless_hedged(text, Reading(answer, "normalised", (first.span(),)))


def existence(text: str, question: Question) -> Reading | None:
    """Read whether a text says that such a thing exists.

    >>> existence("There is no such film.", Question("Is there such a film?")).answer
    'no'
    >>> existence("There is no such film.", Question("Is it true that there is no such film?")).answer
    'yes'
    """
    none, some = _NONE.search(text), _SOME.search(text)
    match = none or some
    if not question.text or match is None or (none and some):
        return None
    wrapped = _WRAPPED.search(text[: match.start()]) is not None  # "It is false that there is a film": there is none
    exists = (some is not None) != wrapped
    return _unless_hedged(text, Reading(sense_of(question).answer(holds=exists), "normalised", (match.span(),)))


def _unless_hedged(text: str, reading: Reading) -> Reading | None:
    hedge = unsure(text)
    return None if hedge and not _BUT.fullmatch(text, hedge[1], reading.spans[0][0]) else reading


def neither(text: str) -> Reading:
    nothing = withheld(text)
    if nothing:
        return Reading(None, nothing.reason, nothing.spans)
    stopped = begun(text)
    return Reading(None, "truncated", (stopped,)) if stopped else Reading(None, "unparsed")


def _outright(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Return the first match that is said outright, not after "whether" or "if", nor by somebody else."""
    for match in pattern.finditer(text):
        if not _WHETHER.search(text, max(0, match.start() - 40), match.start()) and not _of_others(text, match.start()):
            return match
    return None


def _against_question(text: str, match: re.Match[str], question: Question, *, holds: bool) -> YesNo:
    """Turn "it is true that there are no ..." about, where the question asks whether there are some."""
    asked = sense_of(question)
    claim = text[match.end() :] if _CLAUSED.match(text, match.end()) else ""
    negative = _NONE.search(claim[:80]) is not None
    if claim and question.text and (negative or _SOME.search(claim[:80])):
        return asked.answer(holds=holds != negative)
    if asked.reversed and not (match["of"] or "").lower().startswith(("that", "this", "you")):
        return asked.answer(holds=holds != asked.negated)
    return "yes" if holds else "no"


def _marked(text: str) -> Reading | None:
    """Read a mark that stands for yes or no, or a line that calls the claim true or false ("Claim: TRUE")."""
    sign = _MARKED.match(text)
    labels = [sign] if sign else labelled(text)[-1:]
    return Reading(labels[0].lastgroup, "normalised", (labels[0].span(labels[0].lastgroup or 0),)) if labels else None


def labelled(text: str) -> list[re.Match[str]]:
    """Return the lines that say of something that it is true or false."""
    return [*_LABELLED.finditer(text)]
