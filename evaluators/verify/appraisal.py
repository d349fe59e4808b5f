"""What a text calls right or wrong of what a question says: one detail ("the year is off"), or all ("both check out").

| in a clause | is |
|---|---|
| a value or a detail's own word, and a word that appraises ("1865 correct", "the altitude is off") | of that detail |
| a place in the question ("the second isn't", "one of the two holds") | of a part: only what is wrong of it counts |
| what takes in all ("everything checks out", "correct on all counts", "nothing in your question is wrong") | of all |
| "you" ("you have the year wrong", "you named them rightly") | of what follows, or of all |

Not read are questions, what others say, what may be so, and what is said of another value ("the 1997 date is wrong").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from evaluators.verify.proposition import WordRange, stems_of
from evaluators.verify.reading.clauses import Clause, clauses
from evaluators.verify.reading.text import Span, Text
from evaluators.verify.reading.words import any_pattern, word_list

_RIGHT, _WRONG, _HOLDING, _FAILING, _MEASURED, _SLIPS, _TURNING, _HEDGING, _GOES_ON = map(
    frozenset, word_list("appraising").values()
)
_ONE, _ALL, _PLACE, _LEAD, _BARRING = map(frozenset, word_list("detail_words").values())
_ELLIPTIC = frozenset({"isnt", "wasnt", "arent", "werent", "doesnt", "didnt", "not"})
_VERDICTS = _ELLIPTIC | _RIGHT | _WRONG | _HOLDING | _FAILING | _MEASURED | _SLIPS
_REPORTED = any_pattern("reported")
_YOU = frozenset({"you", "youre", "youve", "your"})
_PARTLY = re.compile(
    r"\b(?:only|just) (?:one|half|the (?:first|second|last|latter|former))\b"
    r"|\b(?:one|two) (?:of|out of) (?:the )?(?:two|three|four)\b"
    r"|\ball but one\b|\bnot (?:all|both|everything|every|each)\b|\bhalf (?:of )?(?:it|that|the|your)\b",
    re.IGNORECASE,
)
_SPOTLESS = re.compile(
    r"\b(?:nothing|no \w+) to (?:correct|add|change|object|fix)\b"
    r"|\b(?:no|without|free of) (?:\w+ )?(?:errors?|mistakes?|objections?|inaccurac\w+)\b"
    r"|\bye(?:s|p|ah) to (?:all|both|every\w*|each|what(?:ever)? you|the (?:whole|lot)|your)\b"
    r"|\A\W{0,9}(?:(?:yes|yep|yeah|yup|check|correct|right|true)\b\W{1,9}(?:and\W{1,9})?){1,9}"
    r"(?:yes|yep|yeah|yup|check|correct|right|true)\W*\Z",
    re.IGNORECASE,
)


def may_appraise(text: Text) -> bool:
    """Tell whether a text has a word that appraises; most have none.

    >>> may_appraise(Text("He did."))
    False
    """
    return not _VERDICTS.isdisjoint(text.words) or any(mark in text.original for mark in _MARKS)


_MIXED_UP = re.compile(
    r"\byou(?:'ve|’ve| have| are|'re|’re| seem to| must)?(?: \w+){0,2} "
    r"(?:mix(?:ed|ing)|confus(?:ed|ing)|swapp(?:ed|ing)|misremember\w*|got (?:that|it|something) wrong)\b",
    re.IGNORECASE,
)


class Appraisal(NamedTuple):
    """Whether a detail is called right, which one (null for all, or for one that is not told), and the characters."""

    holds: bool
    detail: int | None
    span: Span

    @property
    def of_all(self) -> bool:
        """Whether all details are called right."""
        return self.holds and self.detail is None


class Detail(NamedTuple):
    """A detail of a question: where the text names its value, and the stems of the words that it belongs to."""

    places: Sequence[WordRange]
    stems: frozenset[str]


def appraisals(text: Text, details: Sequence[Detail], others: Sequence[WordRange] = ()) -> list[Appraisal]:
    """Return what a text calls right or wrong of a question's details.

    Parameters: `others` are where the text names other values.

    >>> [a.holds for a in appraisals(Text("The author is right, but the year is off."), [Detail((), frozenset({"writ"}))])]
    [True, False]
    >>> appraisals(Text("Everything checks out."), [])[0].of_all
    True
    >>> appraisals(Text("He was wrong to leave."), [])
    []
    """
    found = [Appraisal(True, None, match.span()) for match in [_SPOTLESS.search(text.original)] if match]
    found += [Appraisal(False, None, match.span()) for match in [_MIXED_UP.search(text.original)] if match]
    if len(text.original) > _LONGEST or not may_appraise(text):
        return found
    found += _marks(text, details)
    before: Clause | None = None
    for part in clauses(text):
        found += _of_clause(text, part, before, details, others)
        before = part
    return found


_LONGEST = 10_000
"""A text of more characters is not looked through."""


def _marks(text: Text, details: Sequence[Detail]) -> Iterator[Appraisal]:
    """Read marks beside details ("Zn ✅, atomic number ❌")."""
    if not any(mark in text.original for mark in _MARKS):
        return
    for mark in _MARKED.finditer(text.original):
        holds, group = (mark["after"] or mark["before"]) in _GOOD, "said_before" if mark["after"] else "said"
        first, last = text.words_of(*mark.span(group))
        told = _subject(text, first, last, details, ())
        if told is not None and (told >= 0 or not holds):
            yield Appraisal(holds, told if told >= 0 else None, mark.span(group))


_GOOD, _BAD = "✅✓✔☑👍", "❌✗✘✖👎"
_MARKS = _GOOD + _BAD
_MARKED = re.compile(
    rf"(?:(?P<before>[{_MARKS}])\ufe0f? ?(?P<said>[^\n;|,{_MARKS}]{{2,80}})(?![^\n;|,{_MARKS}]*[{_MARKS}]))"
    rf"|(?P<said_before>[^\n;|,{_MARKS}]{{2,80}}[|: ]?)(?P<after>[{_MARKS}])"
)


def _of_clause(
    text: Text, part: Clause, before: Clause | None, details: Sequence[Detail], others: Sequence[WordRange]
) -> Iterator[Appraisal]:
    verdicts = [n for n in range(part.first, part.last) if text.words[n] in _VERDICTS]
    if not verdicts:
        return
    sentence = text.sentences[part.sentence]
    start, end = text.span(part.first, part.last)
    if text.original[sentence.start : sentence.end].rstrip(" \n\"')”*").endswith("?") or _is_reported(
        text.original, start, end
    ):
        return
    partly = _PARTLY.search(text.original, start, end)
    first = part.first
    if (
        before
        and before.sentence == part.sentence
        and verdicts[0] - first <= _BRIEF
        and _has_no_subject(text, first, verdicts[0])
    ):
        first = before.first
    for at in verdicts:
        found = _of_word(text, first, at, part.last, details, others)
        if found is not None:
            if found.holds and (partly or not _BARRING.isdisjoint(text.words[at : sentence.last])):
                found = Appraisal(False, None, found.span)
            yield found
            first = at + 1


def _is_reported(text: str, start: int, end: int) -> bool:
    """Tell whether somebody else says what a clause says; what the one who asks says is appraised."""
    return any(not said[0].lower().startswith(("you", "the question")) for said in _REPORTED.finditer(text, start, end))


_BRIEF = 4


def _has_no_subject(text: Text, first: int, at: int) -> bool:
    """Tell whether nothing before a word says what it is said of ("..., though, is wrong")."""
    return at > first and all(word in _FILLING or word in _TURNING for word in text.words[first:at])


_FILLING = word_list("appraising_filling")


def _of_word(
    text: Text, first: int, at: int, last: int, details: Sequence[Detail], others: Sequence[WordRange]
) -> Appraisal | None:
    """Read one word that appraises, of the words from `first` up to `last`."""
    words, word = text.words, text.words[at]
    following = words[at + 1] if at + 1 < last and not _stops(text, at) else ""
    holds = word in _RIGHT or word in _HOLDING
    before = words[first:at]
    if following and word in ("wrong", "right", "correct", "incorrect", "mistaken") and following not in _GOES_ON | _BARRING:
        return _attributive(text, first, at, details, holds=holds)
    if (following and following not in _GOES_ON and following not in _BARRING) or (
        word in ("off", *_SLIPS) and _BEFORE_NOUN.isdisjoint(words[max(first, at - 3) : at])
    ):
        return None
    if (word in ("checks", "check") and following != "out") or before[-1:] == ["to"]:
        return None
    if word in _ELLIPTIC and (
        following or (at + 1 < last and not _stops(text, at)) or (word == "not" and words[at - 1 : at] != ["is"])
    ):
        return None
    if word in _MEASURED and (following or _BY_HOW_MUCH.isdisjoint(before[-3:])):
        return None
    turned = sum(w in _TURNING for w in before) % 2 == 1
    if not _HEDGING.isdisjoint(before) and not turned:
        return None
    span = text.span(at, at + 1)
    holds = holds != turned
    told = _subject(text, first, at, details, others)
    if told is None and following in ("about", "on", "in", "as", "with", "by") and (not before or not _YOU.isdisjoint(before)):
        told = _subject(text, at + 1, last, details, others)
    if told is None and not _YOU.isdisjoint(before):
        told = _WHOLE
    if told is None or (told == _PART and holds) or (word in _ELLIPTIC and text.words[at - 1] in _PRONOUNS):
        return None
    return Appraisal(holds, told if told >= 0 else None, span)


_BEFORE_NOUN = frozenset(
    {"is", "was", "are", "were", "be", "looks", "seems", "contains", "has", "bit", "must", "slightly", "nothing", "no"}
)
_BY_HOW_MUCH = frozenset(
    {"too", "years", "year", "decades", "decade", "bit", "little", "far", "metres", "meters", "slightly", "somewhat", "rather"}
)
_PRONOUNS = frozenset({"it", "he", "she", "they", "that", "this", "i", "we", "you", "there"})
_PART, _WHOLE = -2, -1


def _stops(text: Text, at: int) -> bool:
    """Tell whether a sign stands behind a word."""
    gap = text.original[text.ends[at] : text.starts[at + 1]]
    return not gap.replace("*", "").replace("_", "").isspace()


def _attributive(text: Text, first: int, at: int, details: Sequence[Detail], *, holds: bool) -> Appraisal | None:
    """Read "wrong author", and "right village" where it is no "the right village is ..."."""
    noun = text.words[at + 1]
    if holds and first < at and not _stops(text, at - 1) and text.words[at - 1] not in ("and", "but"):
        return None
    detail = _detail_of(noun, details)
    start = at
    while start > first and text.words[start - 1] in _FILLING and not _stops(text, start - 1):
        start -= 1
    begins = start == first or _stops(text, start - 1)
    alone = begins and not holds and (at + 2 >= len(text.words) or _stops(text, at + 1))
    if detail is None and noun not in _ONE and not alone:
        return None
    return None if holds and detail is None else Appraisal(holds, detail, text.span(at, at + 2))


def _detail_of(word: str, details: Sequence[Detail]) -> int | None:
    stems = set(stems_of([word]))
    return next((n for n, detail in enumerate(details) if stems & detail.stems), None)


_QUANTIFIERS = frozenset({"everything", "both", "all", "each", "every"})


def _subject(text: Text, first: int, last: int, details: Sequence[Detail], others: Sequence[WordRange]) -> int | None:
    """Return which detail the words from `first` up to `last` name; `_PART` for one that is not told, `_WHOLE` for all."""
    named = [(place[0], n) for n, detail in enumerate(details) for place in detail.places if first <= place[0] < last]
    if named:
        return max(named)[1]
    words = text.words[first:last]
    if not _QUANTIFIERS.isdisjoint(words):
        return _WHOLE
    if any(first <= place[0] < last for place in others) and _YOU.isdisjoint(words):
        return None
    nouns = [
        (n, word)
        for n, word in enumerate(words)
        if n == 0 or not _LEAD.isdisjoint(words[max(0, n - 4) : n]) or words[n - 1] == "and"
    ]
    told = [word for _, word in nouns if word in _ONE or _detail_of(word, details) is not None]
    if len({*told}) > 1 and "and" in words:
        return _WHOLE
    for _, word in reversed(nouns):
        if (detail := _detail_of(word, details)) is not None:
            return detail
        if word in _ONE:
            return 0 if len(details) == 1 else _PART
    if any(word in _PLACE for _, word in nouns):
        return _PART
    if (
        not _ALL.isdisjoint(words)
        or "nothing" in words
        or "neither" in words
        or ("what" in words and not _YOU.isdisjoint(words))
    ):
        return _WHOLE
    return None
