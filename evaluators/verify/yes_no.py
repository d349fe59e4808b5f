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

"No" before a noun ("no film", "no doubt") and "No. 5" are no answers, nor is a form to fill in ("Yes or No:"), nor
what stands before `</think>`. Explanations are judged by `rationale`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from evaluators.verify.abstention import nothing_said, refuses, unsure
from evaluators.verify.asserted import asserted
from evaluators.verify.question import Question
from evaluators.verify.rationale import explain
from evaluators.verify.reading.text import Span, read_text
from evaluators.verify.ruling import Ruling
from queries.records.verdict import Outcome, Reason

__all__ = ["Reading", "judge", "read"]


class Reading(NamedTuple):
    """What a text says: yes or no (`exact`, `normalised`), or why it says neither; and the characters that say so."""

    answer: str | None
    reason: Reason
    spans: tuple[Span, ...] = ()


# After "no" these words begin a clause; another word in lower case makes it a determiner ("no film").
_CLAUSE = "i|it|he|she|they|we|you|there|this|that|these|those|the|a|an|his|her|its|their|as|because|since|but|sorry"
_YES = r"(?<!\bnot )\byes\b"
_NO = rf"\bno\b(?=[\W_]*$|[*_\"')\]}}<]|\s*[,;:!?—–]|\s+-|\s*\n|\.(?!\s*\d)|\s+(?:{_CLAUSE})\b)"
_LEADING_NO = r"\bno\b(?=\s+(?-i:[A-Z])|\.)"
_OPENING = r"\A[\W_]*(?:(?:well|oh|so|hm+)\b\W*)?(?:(?:the |my |short |final )*answer\b(?: is)?\W*)?"
_UNSURE = r"(?:i(?:'m| am) )?(?:unsure|uncertain|not (?:\w+ )?(?:sure|certain))\b"
_STATED = r"(?:(?:that|this|it)(?: is|'s) )?"
_SAME_YES = rf"{_STATED}(?:correct|true|right)|yeah|yep|yup|indeed|affirmative"
_SAME_NO = rf"{_STATED}(?:not (?:correct|true|right)|incorrect|false|untrue|wrong)|nope|nah|negative"


def _rule(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_FORM = _rule(r"\b(?:yes ?(?:/|or) ?no|no ?(?:/|or) ?yes)\b(?: answer\b)?")
_THOUGHT = re.compile(r"\A.*</think>", re.DOTALL)
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
_SENTENCE = _rule(rf"[.!?:\n][\W_]*(?:(?P<yes>{_YES})|(?P<no>{_NO}))(?=[*_]*[.,;!]|[\W_]*\Z)")
_BUT = _rule(r"[^.!?\n]{0,60}?\b(?:but|however|yet|still|though)\b[^.!?\n]{0,20}")


def read(text: str, question: str = "") -> Reading:
    """Tell what a text says, to a question where that matters ("There is no such film.").

    >>> read("No, he died in Princeton.")
    Reading(answer='no', reason='exact', spans=((0, 2),))
    >>> read("No doubt about it: yes!").answer
    'yes'
    >>> read("I don't know.").reason
    'unsure'
    """
    # Blanks keep the length, so that spans stay true. To look for a word is quicker than to look for a pattern.
    plain = text.replace("’", "'")
    if "</think>" in plain:
        plain = _THOUGHT.sub(lambda thought: " " * len(thought[0]), plain)
    low = plain.replace("İ", "i").lower()  # the one letter that would grow
    if "/" in low or "or yes" in low or "or no" in low or "oryes" in low or "orno" in low:
        plain = _FORM.sub(lambda form: " " * len(form[0]), plain)
    if not plain.strip():
        return Reading(None, "empty")
    return _declared(plain, low) or _leading(plain) or _anywhere(plain) or _stated(plain, question) or _neither(plain)


def _declared(text: str, low: str) -> Reading | None:
    declaring = [word for word in _DECLARING if word in low]
    if not declaring:
        return None
    places = sorted(at for word in declaring for at in _places(low, word))
    found = reversed([*_declarations(text, places)])
    return next((_answer(match, "exact") for match in found if not _conditional(text, match.start())), None)


def _places(low: str, word: str) -> Iterator[int]:
    at = low.find(word)
    while at >= 0:
        yield at
        at = low.find(word, at + 1)


def _declarations(text: str, places: Iterable[int]) -> Iterator[re.Match[str]]:
    end = 0
    for place in places:
        found = _DECLARED.match(text, place) if place >= end else None
        if found:
            end = found.end()
            yield found


def _conditional(text: str, end: int) -> bool:
    """Tell whether an "if" stands before `end` in the same sentence (within 300 characters, or long texts take long)."""
    return _CONDITION.search(text, max(0, end - 300), end) is not None


def _leading(text: str) -> Reading | None:
    found = _BEGINNING.match(text)
    if found is None:
        return None
    kind = found.lastgroup or ""
    if kind == "unsure" or kind == "both":
        return Reading(None, "unsure" if kind == "unsure" else "unparsed", (found.span(kind),))
    if kind.startswith("like_"):
        return Reading(kind.removeprefix("like_"), "normalised", (found.span(kind),))
    others = [*_SENTENCE.finditer(text, found.end())]
    return _one_side([found, *others]) if others else _answer(found, "exact")


def _anywhere(text: str) -> Reading | None:
    found = list(_WORD.finditer(text))
    return _one_side(found) if found else None


def _stated(text: str, question: str) -> Reading | None:
    found, hedge = asserted(text, question), unsure(text)
    if found is None or (hedge and not _BUT.fullmatch(text, hedge[1], found.span[0])):
        return None
    return Reading(found.answer, "normalised", (found.span,))


def _one_side(found: list[re.Match[str]]) -> Reading:
    """Read several answers in one text: they agree, or nothing is understood."""
    sides = {match.lastgroup for match in found}
    if len(sides) == 1:
        return _answer(found[0], "exact")
    return Reading(None, "unparsed", tuple(match.span(match.lastgroup or 0) for match in found))


def _answer(match: re.Match[str], reason: Reason) -> Reading:
    side = match.lastgroup
    return Reading(side, reason, (match.span(side or 0),))


def _neither(text: str) -> Reading:
    unknown, refused = unsure(text), refuses(text)
    if unknown:
        return Reading(None, "unsure", (unknown,))
    return Reading(None, "refused", (refused,)) if refused else Reading(None, "unparsed")


def judge(text: str, question: Question) -> Ruling:
    """Judge a yes or no, and the explanation where the item has a rationale.

    Where nobody knows (`expected` is null), any yes or no is wrong.

    >>> judge("Yes, he did.", Question("Did he?", expected=("yes",)))[:3]
    ('correct', 'exact', 'yes')
    """
    reading = read(text, question.text)
    right = question.expected is not None and reading.answer == question.expected[0]
    outcome, reason, spans = _outcome(text, question, reading, right=right)
    if not question.rationale:
        return Ruling(outcome, reason, reading.answer, spans)
    told = explain(read_text(text), question, answered=right if reading.answer else None)
    spans = tuple(dict.fromkeys(spans + told.spans)) if told.spans else spans
    return Ruling(outcome, reason, reading.answer, spans, told.hops, told.contradicted)


def _outcome(text: str, question: Question, reading: Reading, *, right: bool) -> tuple[Outcome, Reason, tuple[Span, ...]]:
    if reading.answer is not None:
        return ("correct", reading.reason, reading.spans) if right else ("incorrect", "wrong", reading.spans)
    if reading.reason == "unsure":
        return "abstained", "unsure", reading.spans
    nothing = nothing_said(text, question) if reading.reason == "unparsed" else None
    return "unscored", nothing or reading.reason, () if nothing else reading.spans
