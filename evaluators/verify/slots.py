"""Where a text says what the question gives: each given value, in its own words or in other forms of them.

```
python -c 'from evaluators.verify.slots import *; print(same_people("turkey", "turkish"))'
```
"""

from __future__ import annotations

import functools
import re

from evaluators.verify.question import Question
from evaluators.verify.reading.lazy import lazy
from evaluators.verify.reading.names import Name, everywhere
from evaluators.verify.reading.text import Text, phrase
from evaluators.verify.reading.words import words

__all__ = ["Stated", "same_people", "stated_slots", "year_of"]

_YEAR = re.compile(r"(?<![\d.])(1\d{3}|20\d{2})(?![\d.]*\d)")
_DIGIT = re.compile(r"\d")
_SMALL_NUMBER = re.compile(r"\d{1,3}")
_NATIONS = words("nations")


class Stated:
    """A given slot: its value, its kind, where the text names it, and stems of the words that name the slot."""

    def __init__(self, text: Text, slot: str, value: str) -> None:
        self.slot, self.value, self._text = slot, value, text

    @lazy
    def kind(self) -> str:
        """What the value is: `year`, `date`, `number` or `name`."""
        return kind_of(self.value)

    @lazy
    def places(self) -> tuple[tuple[int, int], ...]:
        """The word ranges of the text that name it."""
        return tuple(_places(self._text, self.value, self.kind))

    @property
    def stems(self) -> frozenset[str]:
        """The beginnings of the words that name the slot."""
        return stems_of(self.slot)


@functools.lru_cache(maxsize=65536)
def year_of(value: str) -> str | None:
    """Return the year in a value that is a year or a date.

    >>> year_of("January, 1972"), year_of("2009"), year_of("James Cameron")
    ('1972', '2009', None)
    """
    found = _YEAR.search(value)
    return found[0] if found and len(value) < 20 else None


def stated_slots(text: Text, question: Question) -> list[Stated]:
    """Find the given values of a question in a text."""
    return [Stated(text, slot, value) for slot, value in question.given]


@functools.lru_cache(maxsize=65536)
def kind_of(value: str) -> str:
    """Tell what a value is: a year, a date, a small number, or a name.

    >>> kind_of("2009"), kind_of("May 1972"), kind_of("9"), kind_of("Sam Mendes")
    ('year', 'date', 'number', 'name')
    """
    if not _DIGIT.search(value):
        return "name"
    if _YEAR.fullmatch(value.strip()):
        return "year"
    if _SMALL_NUMBER.fullmatch(value.strip()):
        return "number"
    return "date" if year_of(value) else "name"


def _places(text: Text, value: str, kind: str) -> list[tuple[int, int]]:
    found = [(m.first, m.last) for m in everywhere(text, Name.of(value))]
    if kind == "date":
        parts = (year_of(value) or "", phrase(value)[0])
        return sorted({*found, *(at for part in parts for at in text.find([part]))})
    if found or kind != "name":
        return found
    words_of = [part for part in phrase(value) if len(part) > 3]
    return [(n, n + 1) for n, word in enumerate(text.words) if any(same_people(part, word) for part in words_of)]


@functools.lru_cache(maxsize=65536)
def same_people(country: str, word: str) -> bool:
    """Tell whether a word is the adjective of a country, or the other way round.

    >>> same_people("turkey", "turkish"), same_people("france", "french"), same_people("austria", "australian")
    (True, True, False)
    """
    if word in _NATIONS.get(country, ()):
        return True
    shared = next((n for n, (a, b) in enumerate(zip(country, word, strict=False)) if a != b), min(len(country), len(word)))
    return shared >= 4 and len(country) - shared < 4 and word[shared:] in _PEOPLE


_PEOPLE = frozenset(
    {"an", "ian", "n", "ese", "ish", "i", "ans", "ians", "ine", "er", "ean", "ic", "nian", "lian", "ani", "inian", "ite"}
)


@functools.lru_cache(maxsize=1024)
def stems_of(slot: str) -> frozenset[str]:
    """Return the stems of the words that name a slot.

    >>> sorted(stems_of("film_director"))
    ['direc', 'film']
    """
    return frozenset(word[:5] for part in slot.split("_") for word in phrase(part) if len(word) > 3)
