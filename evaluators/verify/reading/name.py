"""A name cut up for matching: the words it is known by, and what little of it a text must hold to be worth a look.

```
python -c 'from evaluators.verify.reading.name import *; print(Name.of("Sam Mendes").surname, Name.of("Rocky IV").whole)'
```
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from evaluators.verify.reading.lazy import lazy
from evaluators.verify.reading.text import Text, phrase
from evaluators.verify.reading.words import words

__all__ = ["ARTICLES", "COMMON", "EVERYDAY", "HONORIFICS", "NUMERALS", "Name", "Spelling", "may_be_respelt", "numerals"]

ARTICLES, COMMON, HONORIFICS = words("articles"), words("common"), words("honorifics")
EVERYDAY = COMMON | ARTICLES
"""Words that alone are nobody's name."""

NUMERALS = {word: number for number, row in enumerate(words("numerals").values(), 1) for word in row}
_AFFIXES, _PARTICLES = words("affixes"), words("particles")
_SUBTITLE = re.compile(r"\s*(?::|;|\s[-–—]\s|\()\s*|,\s+or,?\s+", re.IGNORECASE)
_SUBTITLE_SIGNS = frozenset(":;(,-–—")
_INVERTED = re.compile(r"\A([^,]+), ([^,]+)\Z")
_LONG = 6
"""From this length on a word may differ in a letter."""


def numerals(found: Iterable[str]) -> list[str]:
    """Write words for numbers in digits.

    >>> numerals(["rocky", "iv"])
    ['rocky', '4']
    """
    return [str(NUMERALS.get(word, word)) for word in found]


def _bare(name: list[str]) -> list[str]:
    """Drop a leading article, unless only function words are left ("the who")."""
    return name[1:] if name[0:1] and name[0] in ARTICLES and set(name[1:]) - EVERYDAY else name


class Name:
    """An entity's name, cut up for matching: whole, other names, main titles, and the parts of a person's name."""

    def __init__(self, value: str, aliases: Iterable[str] = ()) -> None:
        """Cut up a name and its aliases; `Name.of` keeps what it has cut."""
        self._value = value
        self._inverted = _INVERTED.match(value.strip()) if ", " in value else None
        self.whole = _bare(phrase(value))
        """The words of the name, without a leading article."""
        self.line = f" {' '.join(self.whole)} "
        """The same as a text's `line` holds them."""
        self._aliases = [_bare(phrase(alias)) for alias in aliases]

    @staticmethod
    @functools.lru_cache(maxsize=65536)
    def of(value: str, aliases: tuple[str, ...] = ()) -> Name:
        """Cut up a name and its aliases."""
        return Name(value, aliases)

    def may_stand_in(self, text: Text) -> bool:
        """Tell whether it is worth looking for the name in a text: most names are not in most texts.

        A text that names the entity without a slip holds one of its words, alone or in a longer word.
        """
        joined = text.joined
        for part in self._parts:  # a loop: `any` takes twice as long
            if part in joined:
                return True
        # Of a single long word a slip leaves nothing to go by.
        return any(len(name) == 1 and len(name[0]) >= _LONG for name in (self.whole, *self._aliases))

    @lazy
    def _parts(self) -> tuple[str, ...]:
        """What tells of its names: how they begin and end, their words that are not of every day, numerals in digits."""
        parts: dict[str, None] = {}
        for name in (self.whole, *self._aliases):
            told = [word for word in name if word not in EVERYDAY]
            parts |= dict.fromkeys([*name[:1], *name[-1:], *told, *(str(NUMERALS[word]) for word in name if word in NUMERALS)])
        return tuple(parts)

    @lazy
    def spellings(self) -> list[tuple[list[str], Spelling]]:
        """The words of all its names, and each cut up for loose matching."""
        return [(words, Spelling.of(words)) for words in (self.whole, *self.others)]

    @lazy
    def others(self) -> tuple[list[str], ...]:
        """The words of its other names: aliases, and a person's names in the other order."""
        others = [*self._aliases, self._upright] if self._inverted else self._aliases
        if self.given and not self._inverted and len(self.given[0]) > 1:
            others = [*others, [*self.surname, *self.given]]
        return tuple(other for other in others if other)

    @property
    def aliased(self) -> bool:
        """Whether it has names of other words than these."""
        return bool(self._aliases)

    @lazy
    def last(self) -> str | None:
        """The word that ends the surname, if the name is a person's; null where it takes a closer look to tell."""
        plain = self.whole and not self._inverted and self.whole[-1] not in HONORIFICS
        return self.whole[-1] if plain else None

    @lazy
    def titles(self) -> tuple[list[str], ...]:
        """The words of the main title, where there is a subtitle too."""
        if _SUBTITLE_SIGNS.isdisjoint(self._value):
            return ()
        titles = (_bare(phrase(main)) for main in _main_titles(self._value))
        return tuple(title for title in titles if title)

    @lazy
    def _upright(self) -> list[str]:
        """The words of "Surname, Given" the other way round."""
        return phrase(f"{self._inverted[2]} {self._inverted[1]}") if self._inverted else []

    @lazy
    def _person(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return _person(self._upright if self._inverted else self.whole)

    @property
    def given(self) -> tuple[str, ...]:
        """A person's given names."""
        return self._person[0]

    @property
    def surname(self) -> tuple[str, ...]:
        """A person's surname, with its particles."""
        return self._person[1]

    @property
    def initialled(self) -> bool:
        """Whether the name's first part is an initial ("Z. Ibrahimović")."""
        return bool(self.given) and all(len(part) <= 3 for part in self.given) and len(self.given[0]) < 2


class Spelling(NamedTuple):
    """A name for loose matching: the words that count, all in one, and its longest word with what stands around it.

    What has no such form is empty.
    """

    core: list[str]
    joined: str
    longest: str
    before: list[str]
    after: list[str]

    @classmethod
    def of(cls, wanted: list[str]) -> Spelling:
        """Cut up the words of a name."""
        core = [word for word in numerals(wanted) if word not in _AFFIXES] or wanted
        joined = "".join(wanted)
        short = (len(joined) < 5 and max(map(len, wanted), default=0) > 1) or len(joined) < 3
        longest = max(wanted, key=len, default="")
        at = wanted.index(longest) if longest else 0
        slips = len(longest) >= _LONG and not longest.isdigit()
        return cls(
            core if core != wanted and len("".join(core)) >= 4 else [],
            "" if short else joined,
            longest if slips else "",
            wanted[:at],
            wanted[at + 1 :],
        )


def may_be_respelt(wanted: Sequence[str], joined: str) -> bool:
    """Tell whether it is worth looking for other spellings of a name in the words of a text, all in one.

    All words must be there but one that has a slip, unless numerals or affixes are written otherwise.

    >>> may_be_respelt(["steven", "spielberg"], "stevenspielburg"), may_be_respelt(["sam", "mendes"], "jaws")
    (True, False)
    """
    missing = [word for word in wanted if word not in joined]
    if not missing:
        return True
    slip = len(missing) == 1 and len(missing[0]) >= _LONG and len(missing[0]) == max(map(len, wanted))
    return slip or any(word in NUMERALS or word in _AFFIXES for word in wanted)


def _main_titles(value: str) -> Iterator[str]:
    """Yield a title without its subtitle, where what is left is a title of some length."""
    main = _SUBTITLE.split(value.strip())[0]
    if main != value.strip() and (len(phrase(main)) > 1 or len(main) >= _LONG):
        yield main


def _person(parts: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Cut a person's name into given names and surname; particles ("van", "de") belong to the surname."""
    untitled = [part for part in parts if part not in HONORIFICS]
    parts = untitled if len(untitled) > 1 else parts
    if not 2 <= len(parts) <= 5 or any(part.isdigit() or part in COMMON for part in parts[len(parts[0]) == 1 :]):
        return (), ()
    at = len(parts) - 1
    at = next((n for n, part in enumerate(parts[1:], 1) if part in _PARTICLES), at)
    if len(parts[0]) == 1:
        at = 1
    return tuple(parts[:at]), tuple(parts[at:])
