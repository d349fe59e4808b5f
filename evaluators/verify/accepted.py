"""Where a text has an accepted answer, and by which rule.

```
python -m pytest --doctest-modules evaluators/verify/_accept.py -q
```
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

from evaluators.verify.question import Question
from evaluators.verify.reading.name import EVERYDAY
from evaluators.verify.reading.names import Mention, Name, mentions
from evaluators.verify.reading.stems import content
from evaluators.verify.reading.text import Text, phrase
from kg.dates import Date, compare_dates, find_dates
from kg.numbers import Number, find_numbers, same_number, unit_of
from queries.records.verdict import Reason

__all__ = ["Acceptance", "acceptances", "values"]


class Acceptance(NamedTuple):
    """The words from `first` up to `last` are an accepted answer, for this reason."""

    first: int
    last: int
    reason: Reason


_SIGNS = re.compile(r"[+#*%−-]")
_MONEY = tuple("$€£¥")
_LIST = re.compile(r"\s*(?:,\s*(?:and\s)?|;|&|\band\b|/)\s*", re.IGNORECASE)
_REMARK = re.compile(r"\s*\([^)]*\)\s*")
_SHARE = 2 / 3
"""This share of a longer answer's words of meaning is a part of it."""
_GLUED = 8
_ABOUT = frozenset({"about", "around", "approximate", "approximately", "circa", "over", "nearly"})
_WINDOW = 40
"""So many words may lie between the words of an answer."""


def acceptances(text: Text, question: Question) -> Iterator[Acceptance]:
    """Yield where a text has an accepted answer, by the strictest rule that finds one.

    >>> list(acceptances(Text("on June 23, 1991"), Question("When?", expected=("23 June 1991",), type="date")))
    [Acceptance(first=1, last=4, reason='date')]
    """
    accepted = question.expected or ()
    for rule in (_worded, _numeric, _dated, _named, _listed, _covered):
        found = [a for answer in accepted for a in rule(text, answer, question)]
        new = [a for a in found if rule is _worded or not _echoed(text, a, question)]
        if new:
            yield from sorted(new)
            return


def values(text: Text, question: Question) -> list[Acceptance]:
    """Return where a text has an accepted number or date."""
    rules = (_numeric, _dated)
    return sorted(a for answer in question.expected or () for rule in rules for a in rule(text, answer, question))


def _echoed(text: Text, found: Acceptance, question: Question) -> bool:
    """Tell whether what was found only repeats words of the question, which offers no alternatives."""
    asked = f" {' '.join(phrase(question.text))} "
    said = " ".join(text.words[found.first : found.last])
    return f" {said} " in asked and " or " not in asked


def _worded(text: Text, answer: str, question: Question) -> Iterator[Acceptance]:
    reason: Reason = "exact" if question.expected and answer == question.expected[0] else "alias"
    for mention in mentions(text, Name.of(answer)):
        if mention.how == "exact" and not _in_number(text, mention.first, mention.last) and _same_signs(text, mention, answer):
            yield Acceptance(mention.first, mention.last, reason)


def _same_signs(text: Text, mention: Mention, answer: str) -> bool:
    """Tell whether a mention has the signs that tell short names and sums apart ("A+", "C#", "$5")."""
    signs = _SIGNS.findall(answer) if len(answer) < 4 else []
    start, end = text.span(mention.first, mention.last)
    if text.original[start - 1 : start] in _MONEY and text.original[start - 1] not in answer:
        return False
    return all(sign in text.original[max(0, start - 1) : end + 2] for sign in signs)


def _in_number(text: Text, first: int, last: int) -> bool:
    """Tell whether digits that were found belong to a longer number ("5" in "3.5" or "5,000")."""
    start, end = text.span(first, last)
    before, after = text.original[max(0, start - 2) : start], text.original[end : end + 2]
    left = text.words[first].isdigit() and len(before) == 2 and before[0].isdigit() and before[1] in ".,"
    right = text.words[last - 1].isdigit() and len(after) == 2 and after[1].isdigit() and after[0] in ".,"
    return left or right


def _numeric(text: Text, answer: str, question: Question) -> Iterator[Acceptance]:
    wanted = find_numbers(answer)
    if len(wanted) != 1 or question.type in ("entity", "date") or (question.type != "number" and find_dates(answer)):
        return
    rest = _beside(answer, wanted[0])
    if rest and (len(rest) > 1 or not rest <= set(content(text.words))):
        return
    expected = wanted[0] if wanted[0].unit or not question.unit else wanted[0]._replace(unit=question.unit)
    for number in find_numbers(text.original):
        if same_number(expected, number):
            yield Acceptance(*text.words_of(number.start, number.end), "numeric")


def _beside(answer: str, number: Number) -> set[str]:
    """Return the words of meaning beside a number, without its unit."""
    rest = set(content(phrase(answer[: number.start] + " " + answer[number.end :])))
    known = set(content(phrase(number.unit or "")))
    return {word for word in rest - known if unit_of(word) is None and not word.isdigit() and word not in _ABOUT}


def _dated(text: Text, answer: str, question: Question) -> Iterator[Acceptance]:
    wanted = find_dates(answer)
    if len(wanted) != 1 or question.type in ("entity", "number"):
        return
    for date in find_dates(text.original):
        if _fits(wanted[0], date, question):
            yield Acceptance(*text.words_of(date.start, date.end), "date")


def _fits(wanted: Date, found: Date, question: Question) -> bool:
    """Tell whether a date is the wanted one, a day or month of a wanted year or month, or as coarse as the item allows."""
    how = compare_dates(wanted, found)
    if how == "finer":
        return wanted.precision in ("year", "month", "yearless")
    return how == "same" or (how == "coarser" and found.precision == question.precision)


def _named(text: Text, answer: str, question: Question) -> Iterator[Acceptance]:
    if _is_bare_number(answer) and question.type != "entity":
        return
    for form in dict.fromkeys((answer, _REMARK.sub(" ", answer).strip())):
        for mention in mentions(text, Name.of(form)) if form else ():
            yield Acceptance(mention.first, mention.last, "normalised")
    yield from _glued(text, answer)


def _is_bare_number(answer: str) -> bool:
    found = find_numbers(answer)
    return len(found) == 1 and not content(phrase(answer[: found[0].start] + answer[found[0].end :]))


def _glued(text: Text, answer: str) -> Iterator[Acceptance]:
    """Find an answer of some length that is glued to the words around it ("byTaron Egertonin")."""
    words = phrase(answer)
    wanted = "".join(words)
    at = "".join(text.words).find(wanted) if len(wanted) >= _GLUED else -1
    if at < 0:
        return
    ends = list(accumulate(len(word) for word in text.words))
    first, last = bisect_right(ends, at), bisect_left(ends, at + len(wanted)) + 1
    whole = len(words) > 1 or (ends[first] == at + len(wanted) and text.original[text.ends[first] - len(wanted)].isupper())
    if whole and last - first == len(words):
        yield Acceptance(first, last, "normalised")


def _listed(text: Text, answer: str, question: Question) -> Iterator[Acceptance]:
    """Find all parts of a list, in any order."""
    parts = [part for part in _LIST.split(_REMARK.sub(" ", answer)) if part.strip()]
    if len(parts) < 2 or question.type in ("date", "number") or _is_value(answer, set(content(phrase(answer)))):
        return
    found = [mentions(text, Name.of(part)) for part in parts]
    if all(found):
        places = sorted(mention for mentions_ in found for mention in mentions_[:1])
        if places[-1].last - places[0].first <= _WINDOW:
            yield Acceptance(places[0].first, max(place.last for place in places), "normalised")


def _covered(text: Text, answer: str, question: Question) -> Iterator[Acceptance]:
    """Find an answer by its words of meaning; those that the question has are not counted."""
    asked, whole = set(content(phrase(question.text))), set(content(phrase(answer)))
    wanted = whole - asked
    if not wanted or _is_value(answer, whole):
        return
    stems = [content([word])[0] if word not in EVERYDAY else "" for word in text.words]
    places = [at for at, stem in enumerate(stems) if stem in wanted]
    met = {stems[at] for at in places}
    near = not places or places[-1] - places[0] < _WINDOW
    complete = met == wanted and (len(wanted) > 1 or whole <= set(stems[max(0, places[0] - 5) : places[-1] + 6]))
    name = Name.of(answer)
    most = len(wanted) > 2 and len(met) >= _SHARE * len(wanted) and not (name.titles or (name.surname and answer[:1].isupper()))
    if met and near and (complete or most):
        yield Acceptance(places[0], places[-1] + 1, "normalised" if met == wanted else "partial")
    elif met and _is_part(stems, wanted | asked):
        yield Acceptance(places[0], places[-1] + 1, "partial")


def _is_value(answer: str, whole: set[str]) -> bool:
    """Tell whether an answer is a date or a number with little else: it is right or wrong, not in part."""
    places = [(found.start, found.end) for found in find_dates(answer)]
    places += [(found.start, found.end) for found in find_numbers(answer)]
    told = {stem for start, end in places for stem in content(phrase(answer[start:end]))}
    return bool(places) and len(whole - told) < 2


def _is_part(stems: Iterable[str], wanted: set[str]) -> bool:
    """Tell whether a whole text says a part of the answer and nothing else."""
    said = {stem for stem in stems if stem}
    return said <= wanted and not any(stem.isdigit() for stem in said)
