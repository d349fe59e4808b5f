"""Where a text names an entity, and by which of its names.

```
python -c 'from evaluators.verify._names import *; print(mentions(Text("It is Luka Modric."), Name.of("L. Modrić")))'
```

A name is met whole ("exact", or "alias" for another name of the entity), in another spelling or order ("normalised": initials,
middle names, "Surname, Given", numerals, a title's subtitle, one letter's slip in a long word), or by its surname alone
("partial"), which counts only where nobody else of that name is meant.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from evaluators.verify._lazy import lazy
from evaluators.verify._text import Span, Text, phrase
from evaluators.verify._words import words

__all__ = ["EVERYDAY", "NUMERALS", "Mention", "Name", "Text", "everywhere", "mentions", "one_slip", "strictest"]

How = Literal["exact", "alias", "normalised", "partial"]


class Mention(NamedTuple):
    """The words from `first` up to `last` name the entity, in this way."""

    first: int
    last: int
    how: How


_ARTICLES = words("articles")
_AFFIXES = words("affixes")
NUMERALS = {word: number for number, row in enumerate(words("numerals").values(), 1) for word in row}
_TITLES, _PARTICLES, _COMMON = words("honorifics"), words("particles"), words("common")
_SUBTITLE = re.compile(r"\s*(?::|;|\s[-–—]\s|\()\s*|,\s+or,?\s+", re.IGNORECASE)
_SUBTITLE_SIGNS = frozenset(":;(,-–—")
_INVERTED = re.compile(r"\A([^,]+), ([^,]+)\Z")
_CONTINUED = re.compile(r"[\"'”’*]*\s?(?::|[-–—]\s)\s?[^\W_]")
_SERIES = words("series")
EVERYDAY = _COMMON | _ARTICLES
_NICKNAMES = {short: full for full, row in words("nicknames").items() for short in row}
_LONG = 6
"""From this length on a word may differ in a letter."""


def _numerals(found: Iterable[str]) -> list[str]:
    return [str(NUMERALS.get(word, word)) for word in found]


def _bare(name: list[str]) -> list[str]:
    """Drop a leading article, unless only function words are left ("the who")."""
    return name[1:] if name[0:1] and name[0] in _ARTICLES and set(name[1:]) - EVERYDAY else name


class Name:
    """An entity's name, cut up for matching: whole, other names, main titles, and the parts of a person's name."""

    def __init__(self, value: str, aliases: Iterable[str] = ()) -> None:
        """Cut up a name and its aliases; `Name.of` keeps what it has cut."""
        self._value = value
        self._inverted = _INVERTED.match(value.strip()) if ", " in value else None
        self.whole = _bare(phrase(value))
        """The words of the name, without a leading article."""
        self._aliases = [_bare(phrase(alias)) for alias in aliases]

    @staticmethod
    @functools.lru_cache(maxsize=65536)
    def of(value: str, aliases: tuple[str, ...] = ()) -> Name:
        """Cut up a name and its aliases."""
        return Name(value, aliases)

    @lazy
    def keys(self) -> frozenset[str]:
        """Words of which a text holds at least one, alone or in a longer word, if it names the entity without a slip."""
        keys = set[str]()
        for name in (self.whole, *self._aliases):
            keys.update(word for word in name if word not in EVERYDAY)
            keys.update(name[:1], name[-1:], (str(NUMERALS[word]) for word in name if word in NUMERALS))
        return frozenset(keys)

    @lazy
    def alone(self) -> bool:
        """Whether one of its names is a single long word, of which a slip leaves nothing to go by."""
        return any(len(name) == 1 and len(name[0]) >= _LONG for name in (self.whole, *self._aliases))

    def may_stand_in(self, text: Text) -> bool:
        """Tell whether it is worth looking for the name in a text: most names are not in most texts."""
        joined = text.joined
        for key in self.keys:  # a loop: `any` takes twice as long
            if key in joined:
                return True
        return self.alone

    @lazy
    def others(self) -> tuple[list[str], ...]:
        """The words of its other names: aliases, and a person's names in the other order."""
        others = [*self._aliases, self._upright] if self._inverted else self._aliases
        if self.given and not self._inverted and len(self.given[0]) > 1:
            others = [*others, [*self.surname, *self.given]]
        return tuple(other for other in others if other)

    @lazy
    def titles(self) -> tuple[list[str], ...]:
        """The words of the main title, where there is a subtitle too."""
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

    @lazy
    def spellings(self) -> list[_Spelling]:
        """Its names, as they may be written otherwise."""
        return [_Spelling.of(wanted) for wanted in (self.whole, *self.others)]


class _Spelling(NamedTuple):
    """A name for loose matching: its words, those that count, all in one, and its longest word with what stands around it."""

    words: list[str]
    core: list[str]
    joined: str
    longest: str
    before: list[str]
    after: list[str]

    @classmethod
    def of(cls, wanted: list[str]) -> _Spelling:
        """Cut up the words of a name."""
        core = [word for word in _numerals(wanted) if word not in _AFFIXES] or wanted
        joined = "".join(wanted)
        short = (len(joined) < 5 and max(map(len, wanted), default=0) > 1) or len(joined) < 3
        longest = max(wanted, key=len, default="")
        at = wanted.index(longest) if longest else 0
        slips = len(longest) >= _LONG and not longest.isdigit()
        return cls(
            wanted,
            core if core != wanted and len("".join(core)) >= 4 else [],
            "" if short else joined,
            longest if slips else "",
            wanted[:at],
            wanted[at + 1 :],
        )


def _main_titles(value: str) -> Iterator[str]:
    """Yield a title without its subtitle, where what is left is a title of some length."""
    if _SUBTITLE_SIGNS.isdisjoint(value):
        return
    main = _SUBTITLE.split(value.strip())[0]
    if main != value.strip() and (len(phrase(main)) > 1 or len(main) >= _LONG):
        yield main


def _person(parts: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Cut a person's name into given names and surname; particles ("van", "de") belong to the surname."""
    untitled = [part for part in parts if part not in _TITLES]
    parts = untitled if len(untitled) > 1 else parts
    if not 2 <= len(parts) <= 5 or any(part.isdigit() or part in _COMMON for part in parts[len(parts[0]) == 1 :]):
        return (), ()
    at = len(parts) - 1
    at = next((n for n, part in enumerate(parts[1:], 1) if part in _PARTICLES), at)
    if len(parts[0]) == 1:
        at = 1
    return tuple(parts[:at]), tuple(parts[at:])


def mentions(text: Text, name: Name) -> list[Mention]:
    """Find where a text names an entity, by the strictest rule that finds anything.

    >>> mentions(Text("He was Luka Modric."), Name.of("L. Modrić"))
    [Mention(first=2, last=4, how='normalised')]
    >>> mentions(Text("The Theory of Everything"), Name.of("Theo"))
    []
    """
    return strictest(text, name) if name.may_stand_in(text) else []


def strictest(text: Text, name: Name) -> list[Mention]:
    """Find the same without looking first whether it may be there."""
    found = _phrases(text, [name.whole], "exact") or _phrases(text, name.others, "alias")
    found = found or [*_by_name(text, name)] or [*_by_title(text, name)] or _respelt(text, name)
    return [mention for mention in found if not _everyday(text, mention.first, mention.last)] if found else found


def everywhere(text: Text, name: Name) -> list[Mention]:
    """Find all places where a text names an entity, by whatever rule.

    >>> everywhere(Text("Sam Mendes came. Mendes left."), Name.of("Sam Mendes"))
    [Mention(first=0, last=2, how='exact'), Mention(first=3, last=4, how='partial')]
    """
    found = mentions(text, name)
    if not found or found[0].how in ("normalised", "partial") or not name.surname:
        return found
    if found[0].how == "exact" and text.words.count(name.surname[-1]) == len(found):
        return found  # the surname stands nowhere else
    taken = {n for mention in found for n in range(mention.first, mention.last)}
    return sorted([*found, *(m for m in _by_name(text, name) if taken.isdisjoint(range(m.first, m.last)))])


def _phrases(text: Text, wanted: Iterable[list[str]], how: How) -> list[Mention]:
    places: set[Span] = set()
    for name in wanted:
        line = f" {' '.join(name)} "
        if line in text.line:
            places.update(text.places(line, len(name)))
    if not places:
        return []
    return [Mention(*place, how) for place in sorted(places) if not _everyday(text, *place)]


def _everyday(text: Text, first: int, last: int) -> bool:
    """Tell whether words that look like a name ("the who") are function words in lower case."""
    inside = range(first, last)
    return EVERYDAY.issuperset(text.words[first:last]) and not all(_capital(text, n) for n in inside)


def _capital(text: Text, word: int) -> bool:
    return text.original[text.starts[word]].isupper()


def _by_title(text: Text, name: Name) -> Iterator[Mention]:
    """Find a title without its subtitle, unless another subtitle or a word for a series follows."""
    for mention in _phrases(text, name.titles, "normalised"):
        after = text.original[text.ends[mention.last - 1] :]
        if not _CONTINUED.match(after) and not _same_series(text, mention.last):
            yield mention


def _same_series(text: Text, at: int) -> bool:
    return any(word in _SERIES or (word.isdigit() and len(word) < 3) for word in text.words[at : at + 2])


def _by_name(text: Text, name: Name) -> Iterator[Mention]:
    """Find a person by initials, without middle names, or by the surname alone."""
    if not name.surname or f" {name.surname[-1]} " not in text.line:
        return
    for first, last in text.find(list(name.surname)) or text.find(list(name.surname[-1:])):
        before = _given_before(text, first) or _given_after(text, last, name)
        if before and _same_given(before, name.given):
            inverted = text.words[last : last + 1] == before
            yield Mention(first - len(before) * (not inverted), last + inverted, "normalised")
        elif not before and _stands_alone(text, first, last) and not _somebody_else(text, name):
            yield Mention(first, last, "partial")


def _stands_alone(text: Text, first: int, last: int) -> bool:
    """Tell whether a surname is written as a name of its own, not as a part of a longer one."""
    if text.ends[last - 1] - text.starts[first] < 3 or not _capital(text, last - 1):
        return False
    follows = last < len(text.words) and _capital(text, last) and text.words[last] not in _NOT_GIVEN
    return not (follows and text.original[text.ends[last - 1] : text.starts[last]] in (" ", "-"))


def _given_before(text: Text, at: int) -> list[str]:
    """Return the capitalised words right before a word: the given names that the text uses."""
    start = at
    while start > 0 and at - start < 4:
        word, gap = text.original[text.starts[start - 1]], text.original[text.ends[start - 1] : text.starts[start]]
        if not word.isupper() or gap.strip(" .-'’") or text.words[start - 1] in _NOT_GIVEN:
            break
        start -= 1
    return text.words[start:at]


def _given_after(text: Text, at: int, name: Name) -> list[str]:
    """Return the word after a surname where it is the given name ("Son Heung-min")."""
    if not name.initialled or at >= len(text.words) or not _capital(text, at) or text.words[at] in _NOT_GIVEN:
        return []
    gap = text.original[text.ends[at - 1] : text.starts[at]]
    return [text.words[at]] if gap in (" ", ", ") and text.words[at][0] == name.given[0] else []


_NOT_GIVEN = frozenset([*_COMMON, *_TITLES, *_ARTICLES])


def _same_given(found: list[str], wanted: tuple[str, ...]) -> bool:
    """Tell whether given names may be one person's: the same, short for the other, or its initials.

    >>> _same_given(["harry", "j"], ("harry",)), _same_given(["zlatan"], ("z",)), _same_given(["juan", "antonio"], ("ja",))
    (True, True, True)
    """
    first, other = found[0], wanted[0]
    if first == other or first in wanted:
        return True
    if _NICKNAMES.get(first, first) == _NICKNAMES.get(other, other):
        return True
    if min(len(first), len(other)) in (1, 3, 4, 5, 6) and (first.startswith(other) or other.startswith(first)):
        return True
    return first == "".join(part[0] for part in wanted) or other == "".join(part[0] for part in found)


def _somebody_else(text: Text, name: Name) -> bool:
    """Tell whether the text gives the surname to another person."""
    places = text.find(list(name.surname))
    given = [_given_before(text, first) for first, _ in places]
    return any(found and not _same_given(found, name.given) for found in given)


def _respelt(text: Text, name: Name) -> list[Mention]:
    """Find a name with other numerals, without a club's or firm's affixes, or with one letter's slip."""
    for spelling in name.spellings:
        found = _loosely(text, spelling)
        if found:
            return found
    return []


def _loosely(text: Text, name: _Spelling) -> list[Mention]:
    if name.core and all(word.isdigit() or word in text.line for word in name.core):
        line, core = _numerals(text.words), name.core
        hits = [n for n in range(len(line) - len(core) + 1) if line[n : n + len(core)] == core]
        if hits:
            return [Mention(n, n + len(core), "normalised") for n in hits]
    found = [*_joined(text, name.joined)] if name.joined and name.joined in text.joined else []
    return [*found, *_slipped(text, name)] if name.longest else found


def _joined(text: Text, whole: str) -> Iterator[Mention]:
    """Find a name that is written in more or fewer words ("Spiderman", "Spider-Man")."""
    for first, word in enumerate(text.words):
        last = first + 1
        while len(word) < len(whole) and whole.startswith(word) and last < len(text.words):
            word, last = word + text.words[last], last + 1
        if word == whole:
            yield Mention(first, last, "normalised")


def _slipped(text: Text, name: _Spelling) -> Iterator[Mention]:
    """Find a name with one letter's slip in one long word; the other words must stand as they are."""
    longest = name.longest
    if any(f" {word} " not in text.line for word in (*name.before, *name.after)):
        return
    for word in {found[1] for found in _alike(longest[0], len(longest)).finditer(text.line)} - {longest}:
        if one_slip(word, longest):
            yield from (Mention(*place, "normalised") for place in text.find([*name.before, word, *name.after]))


@functools.lru_cache(maxsize=1024)
def _alike(first: str, size: int) -> re.Pattern[str]:
    """Return what finds the words of about a length that begin with a letter."""
    return re.compile(rf" ({re.escape(first)}\w{{{size - 2},{size}}})(?= )")


def one_slip(one: str, other: str) -> bool:
    """Tell whether two words differ by one letter: another, one more, one less, or two swapped.

    >>> one_slip("spielburg", "spielberg"), one_slip("austria", "australia"), one_slip("kaftan", "kaftan")
    (True, False, False)
    """
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    start = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rest, tail = one[start:], other[start:]
    if len(one) == len(other):
        return rest[1:] == tail[1:] or (rest[:2] == tail[1::-1] and rest[2:] == tail[2:])
    return rest[1:] == tail or rest == tail[1:]
