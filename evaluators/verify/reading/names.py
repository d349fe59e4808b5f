"""Where a text names an entity, and by which of its names.

```
python -c 'from evaluators.verify.reading.names import *; print(mentions(Text("It is Luka Modric."), Name.of("L. Modrić")))'
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

from evaluators.verify.reading.name import ARTICLES, COMMON, EVERYDAY, HONORIFICS, Name, Spelling, may_be_respelt, numerals
from evaluators.verify.reading.text import Span, Text
from evaluators.verify.reading.words import words

__all__ = ["Mention", "Name", "Text", "everywhere", "mentions", "one_slip"]

How = Literal["exact", "alias", "normalised", "partial"]


class Mention(NamedTuple):
    """The words from `first` up to `last` name the entity, in this way."""

    first: int
    last: int
    how: How


_CONTINUED = re.compile(r"[\"'”’*]*\s?(?::|[-–—]\s)\s?[^\W_]")
_SERIES = words("series")
_NICKNAMES = {short: full for full, row in words("nicknames").items() for short in row}


def mentions(text: Text, name: Name) -> list[Mention]:
    """Find where a text names an entity, by the strictest rule that finds anything.

    >>> mentions(Text("He was Luka Modric."), Name.of("L. Modrić"))
    [Mention(first=2, last=4, how='normalised')]
    >>> mentions(Text("The Theory of Everything"), Name.of("Theo"))
    []
    """
    found = _phrases(text, (name.whole,), "exact") if name.line in text.line and name.whole else []
    return found or (_otherwise(text, name) if name.may_stand_in(text) else [])


def _otherwise(text: Text, name: Name) -> list[Mention]:
    """Find where a text names an entity in other words than its name."""
    turned = name.last is None or name.last in text.words  # a person's names in the other order, or the surname
    found = _phrases(text, name.others, "alias") if turned or name.aliased else []
    if found:
        return found
    found = [*_by_name(text, name)] if turned else []
    found = found or ([*_by_title(text, name)] if name.titles else []) or _respelt(text, name)
    return [mention for mention in found if not _everyday(text, mention.first, mention.last)] if found else found


def everywhere(text: Text, name: Name) -> list[Mention]:
    """Find all places where a text names an entity, by whatever rule.

    >>> everywhere(Text("Sam Mendes came. Mendes left."), Name.of("Sam Mendes"))
    [Mention(first=0, last=2, how='exact'), Mention(first=3, last=4, how='partial')]
    """
    found = mentions(text, name)
    if not found or found[0].how in ("normalised", "partial"):
        return found
    if found[0].how == "exact" and name.last is not None and text.words.count(name.last) == len(found):
        return found  # the surname, if it is one, stands nowhere else
    if not name.surname:
        return found
    taken = {n for mention in found for n in range(mention.first, mention.last)}
    return sorted([*found, *(m for m in _by_name(text, name) if taken.isdisjoint(range(m.first, m.last)))])


def _phrases(text: Text, wanted: Iterable[list[str]], how: How) -> list[Mention]:
    places: list[Span] = []
    for name in wanted:
        line = f" {' '.join(name)} "
        if line in text.line:
            places += text.places(line, len(name))
    if len(places) > 1:
        places = sorted(set(places))
    return [Mention(first, last, how) for first, last in places if not _everyday(text, first, last)]


def _everyday(text: Text, first: int, last: int) -> bool:
    """Tell whether words that look like a name ("the who") are function words in lower case."""
    return EVERYDAY.issuperset(text.words[first:last]) and not all(_capital(text, n) for n in range(first, last))


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


_NOT_GIVEN = frozenset([*COMMON, *HONORIFICS, *ARTICLES])


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
    joined = text.joined
    if name.last is not None and not name.aliased and not may_be_respelt(name.whole, joined):
        return []  # its names are the same words in another order
    for wanted, spelling in name.spellings:
        found = _loosely(text, spelling) if may_be_respelt(wanted, joined) else []
        if found:
            return found
    return []


def _loosely(text: Text, name: Spelling) -> list[Mention]:
    if name.core and all(word.isdigit() or word in text.line for word in name.core):
        line, core = numerals(text.words), name.core
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


def _slipped(text: Text, name: Spelling) -> Iterator[Mention]:
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
