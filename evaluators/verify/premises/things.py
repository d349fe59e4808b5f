"""Somebody or something that a premise is about, and where a text names it, if only in part ("Yale", "GM", "Tanzanian").

Part of a name names it alone where no other name of the same premise has it: "Charlotte" beside Emily Brontë, but not
"Brontë". So do the initials of a firm, and the people and adjectives of a country.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from evaluators.verify.premises.lists import listed
from evaluators.verify.reading.names import Name, everywhere
from evaluators.verify.reading.text import Text, phrase
from evaluators.verify.reading.words import COMMON, EVERYDAY, HONORIFICS, NUMERALS, word_list

Place = tuple[int, int]
"""The words from one up to another."""

GENERIC = listed("generic")
_NATIONS = word_list("nations")
_ENDINGS = tuple(listed("people_endings"))
_TITLE = re.compile(r"\A(?:The|A|An|In|On|To|My)\b|\s(?:of|the|and|a|an|in|on|to|for|with|at|from|is)\s")
"""What looks like the title of a work: its words alone do not name it."""
_PLURAL = re.compile(r"\A(?:The )?[A-Z]\w+ [A-Z]\w+[a-rt-z]s\Z")
"""A name of two words in the plural: a band, a team; each of them is one of it."""
_PARTS = re.compile(r"[\s\-/]+")
_NO_FORENAMES = EVERYDAY | HONORIFICS | GENERIC
_AGENTS = ("s", "er", "ers", "ist", "ists")
_FEW = 5
"""Of a name of so many words, not each names it alone."""


class Thing(NamedTuple):
    """Somebody or something: its names, and the words that alone name it."""

    names: tuple[Name, ...]
    words: frozenset[str]
    """Written with a capital; words for its people too ("tanzanian")."""
    small: frozenset[str]
    """Written with or without one."""
    initials: frozenset[str]
    """Its short form, in capitals ("GM")."""
    alone: frozenset[str]
    """All of these."""
    forenames: frozenset[str] = frozenset()
    """The words of its names, where it may be a person's."""

    @property
    def person(self) -> bool:
        """Whether it may be a person."""
        return bool(self.forenames)

    @classmethod
    def of(
        cls, label: str, aliases: Iterable[str], rivals: Iterable[str], asked: Collection[str] = (), *, given: bool = False
    ) -> Thing:
        """Cut up a name: what the rivals' names hold too does not name it alone, nor what the question says otherwise.

        With `given` a first name counts as well.
        """
        taken = frozenset([*(word for rival in rivals for word in phrase(rival)), *asked])
        names = [name for name in (label, *aliases) if phrase(name) and name not in EVERYDAY]  # "in", a code of India
        names += [name[:-1] for name in names if _PLURAL.search(name)]
        parts = [word for name in names for word in _parts(name, taken, given=given)]
        small = frozenset(word for name in names for word in _single_small(name) if word not in taken)
        words = frozenset([*parts, *(people for part in parts for people in people_of(part) if people not in taken)])
        short = frozenset(_initials(label) - taken)
        person = label.count(" ") in (1, 2) and label == label.title() and GENERIC.isdisjoint(phrase(label))
        forenames = frozenset(word for name in names for word in phrase(name)) if person else frozenset()
        return cls(tuple([Name.of(name) for name in names]), words, small, short, words | small | short, forenames)

    def told_apart(self, label: str, rivals: Iterable[str], without: Iterable[str] = ()) -> Thing:
        """Add the one word by which a name differs from a rival that shares the others, whatever it means by itself.

        >>> drama = Thing.of("Prize for Drama", (), ())
        >>> drama.told_apart("Prize for Drama", ["Prize for Prose"]).places(Text("for prose, not drama"))
        [(3, 4)]
        """
        whole, taken = phrase(label), {word for name in without for word in phrase(name)}
        apart = set[str]()
        for rival in rivals:
            other = phrase(rival)
            own = [word for word in whole if word not in other and word not in taken]
            if len(own) == 1 and len(set(whole) & set(other)) > 1 and own[0] not in COMMON:
                apart.add(own[0])
        return self._replace(small=self.small | apart, alone=self.alone | apart)

    def places(self, read: Text) -> list[Place]:
        """Return where a text names it, in order.

        >>> Thing.of("Yale University", (), ()).places(Text("He was at Yale, a Yale man."))
        [(3, 4), (5, 6)]
        """
        found = {(m.first, m.last) for name in self.names for m in everywhere(read, name) if m.how != "partial"}
        if not self.alone.isdisjoint(read.words):
            found |= {(n, n + 1) for n, word in enumerate(read.words) if word in self.alone and self._is_named(read, n)}
        return _widest(found)

    def _is_named(self, read: Text, n: int) -> bool:
        """Tell whether a word that may name it does, by its capitals."""
        if self.person and self._is_namesake(read, n):
            return False
        written = read.original[slice(*read.span(n, n + 1))]
        return read.words[n] in self.small or (read.words[n] in self.words and written[0].isupper()) or written.isupper()

    def _is_namesake(self, read: Text, n: int) -> bool:
        """Tell whether a surname stands behind another first name ("Percy Bysshe Shelley")."""
        if not n or read.words[n - 1] in self.forenames or read.original[read.ends[n - 1] : read.starts[n]] != " ":
            return False
        before = read.words[n - 1]
        begins = read.sentences[read.sentence_of(n - 1)].first == n - 1
        return read.original[read.starts[n - 1]].isupper() and not begins and before not in _NO_FORENAMES and len(before) > 2


NOTHING = Thing((), frozenset(), frozenset(), frozenset(), frozenset())
"""What no text names."""


def people_of(country: str) -> set[str]:
    """Return the words there may be for the people of a country, and their adjectives.

    >>> "tanzanian" in people_of("tanzania"), "alpine" in people_of("alps"), "dutch" in people_of("netherlands")
    (True, True, True)
    """
    begun = [country[: len(country) - cut] for cut in (0, 1, 2) if len(country) - cut > 2] if len(country) > 3 else []
    return {*(start + end for start in begun for end in _ENDINGS), *_NATIONS.get(country, ())}


def _widest(places: Iterable[Place]) -> list[Place]:
    """Drop ranges that begin within another.

    >>> _widest([(0, 2), (1, 2), (4, 5)])
    [(0, 2), (4, 5)]
    """
    kept: list[Place] = []
    for place in sorted(places, key=lambda p: (p[0], -p[1])):
        if not kept or place[0] >= kept[-1][1]:
            kept.append(place)
    return kept


def _parts(name: str, taken: frozenset[str], *, given: bool) -> list[str]:
    """Return the words of a name that alone name it: a surname, or what an institution has that others have not.

    >>> _parts("Emily Brontë", frozenset({"charlotte", "bronte"}), given=False)
    ['emily']
    """
    whole = phrase(name)
    capital = {word for part in _PARTS.split(name) if part[:1].isupper() or part[:1].isdigit() for word in phrase(part)}
    words = [w for w in whole if w in capital and len(w) >= 3 and w not in GENERIC and w not in NUMERALS and w not in COMMON]
    free = [word for word in words if word not in taken]
    if not free:
        return []
    person = len(words) >= 2 and not any(word in GENERIC and len(word) > 3 and word not in NUMERALS for word in whole)
    if not person or given:
        return free if (len(whole) < _FEW or len(free) == 1) and not (given and _TITLE.search(name)) else []
    return [words[-1]] if words[-1] in free else free[:1]


def _single_small(name: str) -> list[str]:
    """Return the only word of a name that has no capital, and who plays, makes or is it.

    >>> "trumpeter" in _single_small("trumpet"), "cellist" in _single_small("cello"), _single_small("Bonn")
    (True, True, [])
    """
    words = phrase(name)
    if name != name.lower() or len(words) != 1:
        return []
    word, begun = words[0], words[0].rstrip("aeo") if len(words[0]) > 4 else words[0]
    return [word, *(start + end for start in {word, begun} for end in _AGENTS)]


def _initials(name: str) -> set[str]:
    """Return the short form that initials make.

    >>> _initials("General Motors"), _initials("Bank of England")
    ({'gm'}, set())
    """
    parts = _PARTS.split(name.strip())
    return (
        {"".join(part[0] for part in parts).lower()} if len(parts) > 1 and all(part[:1].isupper() for part in parts) else set()
    )
