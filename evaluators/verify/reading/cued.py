"""Words on which rules wait, and patterns of whole phrases that are looked for only around such words.

A regular expression of many alternatives takes some hundred steps a character, to look for a word hardly one. Most texts hold
none of the words, and long ones hold them in few places. A rule that needs one of some words says so by `cues`; a text is
looked through once for the words of all rules (`Text.cues`), and a rule whose words are not among those found looks no further.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Sequence

from kg.patterns import late

_CUES: set[str] = set()


def cues(words: Iterable[str]) -> frozenset[str]:
    """Return words, folded as a text's, on which a rule waits: those of them that a text holds are among its `Text.cues`.

    Raises RuntimeError for other words than rules waited for when the first text was read: it was not looked through for them.
    """
    own = frozenset(words)
    if all_cues.cache_info().currsize and not own <= all_cues():
        raise RuntimeError("texts were read before a rule said on which words it waits: say so where its module begins")
    _CUES.update(own)
    return own


@functools.cache
def all_cues() -> frozenset[str]:
    """Return the words on which any rule waits; no further ones can be added then."""
    return frozenset(_CUES)


class WaitingPattern:
    """A pattern, and words of which every text that it matches in holds one as a word of its own.

    >>> taken_back = WaitingPattern(r"\\bor rather\\b", ["rather"])
    >>> taken_back.search("Rome, or rather Ostia.", frozenset({"rather"})), taken_back.search("Rome.", frozenset())
    (<re.Match object; span=(6, 15), match='or rather'>, None)
    """

    def __init__(self, pattern: str, words: Iterable[str], flags: int = re.IGNORECASE) -> None:
        """Keep the pattern, which is compiled when a text has one of the words."""
        self.words, self.pattern = cues(words), late(pattern, flags)
        WAITING.append(self)

    def search(self, text: str, held: frozenset[str]) -> re.Match[str] | None:
        """Return the first match in a text that holds these words (its `Text.cues`); null where there is none."""
        return None if self.words.isdisjoint(held) else self.pattern.search(text)

    def finditer(self, text: str, held: frozenset[str]) -> Iterable[re.Match[str]]:
        """Return the matches in such a text, in order."""
        return () if self.words.isdisjoint(held) else self.pattern.finditer(text)


class HoldingPattern:
    """A pattern, and small-letter pieces of which every match holds one.

    >>> asked = HoldingPattern(r"answer (?:yes|no)\\b", ["answer yes", "answer no"])
    >>> asked.match("Answer yes: was he?"), asked.match("Was he?")
    (<re.Match object; span=(0, 10), match='Answer yes'>, None)
    """

    def __init__(self, pattern: str, pieces: Sequence[str]) -> None:
        """Keep the pattern, which is compiled when a text has one of the pieces; case does not matter."""
        self.pattern, self.pieces = late(pattern, re.IGNORECASE), tuple(pieces)
        HOLDING.append(self)

    def match(self, text: str) -> re.Match[str] | None:
        """Return the match at the beginning of a text; null where there is none."""
        return self.pattern.match(text) if self._may_match(text) else None

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match in a text; null where there is none."""
        return self.pattern.search(text) if self._may_match(text) else None

    def finditer(self, text: str) -> Iterable[re.Match[str]]:
        """Return the matches in a text, in order."""
        return self.pattern.finditer(text) if self._may_match(text) else ()

    def _may_match(self, text: str) -> bool:
        if not text.isascii():
            return True  # other letters may stand for one of a piece
        low = text.lower()
        return [piece for piece in self.pieces if piece in low] != []


WAITING: list[WaitingPattern] = []
HOLDING: list[HoldingPattern] = []
"""All such patterns."""


class CuedPattern:
    """A pattern, small-letter cues of which every match holds one, and how far from a cue its match may begin or go on.

    >>> taken_back = CuedPattern(r"(?:or rather|make that)[ ,]*", ["rather", "make that"], reach=10)
    >>> [match[0] for match in taken_back.finditer("It was Rome, or rather, Ostia.")]
    ['or rather, ']
    """

    def __init__(self, pattern: str, cues: Sequence[str], *, reach: int) -> None:
        """Compile the pattern; case does not matter."""
        self.pattern = re.compile(pattern, re.IGNORECASE)
        self.cues, self.reach = tuple(cues), reach

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match in a text; null where there is none."""
        return next(self.finditer(text), None)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Yield the matches in a text, in order."""
        low = text.lower()
        if len(low) != len(text):  # a letter whose small form is two: places do not agree
            yield from self.pattern.finditer(text)
            return
        at = 0
        for start, end in self._around(low):
            at = max(at, start)
            while found := self.pattern.search(text, at, end):
                match = self.pattern.match(text, found.start())  # where the window's end cut nothing off
                if match:
                    yield match
                at = max(match.end() if match else 0, found.start() + 1)

    def _around(self, low: str) -> list[tuple[int, int]]:
        """Return the stretches that lie around cues."""
        windows: list[tuple[int, int]] = []
        for place in sorted(places_of(low, self.cues)):
            start, end = max(0, place - self.reach), place + self.reach
            if windows and start <= windows[-1][1]:
                windows[-1] = windows[-1][0], end
            else:
                windows.append((start, end))
        return windows


class OpenedPattern:
    """A pattern, and small-letter words with one of which, whole, every match begins: it is tried where such a word begins.

    >>> side = OpenedPattern(r"\\b(?:yes|no)\\b(?=[.,!])", ["yes", "no"])
    >>> [match[0] for match in side.matches("Nobody knows. No, it is: yes!")]
    ['No', 'yes']
    """

    def __init__(self, pattern: str, openings: Sequence[str]) -> None:
        """Compile the pattern; case does not matter."""
        self.pattern = re.compile(pattern, re.IGNORECASE)
        self.openings = cues(openings)

    def matches(self, text: str, start: int = 0, held: frozenset[str] | None = None) -> list[re.Match[str]]:
        """Return the matches in a text from a character on, in order.

        Parameters: of the openings, the text holds only those among these words (its `Text.cues`; null: it may hold all).
        """
        openings = self.openings if held is None else self.openings & held
        if not openings:
            return []
        low = text.lower()
        if len(low) != len(text):  # a letter whose small form is two: places do not agree
            return [*self.pattern.finditer(text, start)]
        places = sorted(places_of(low, openings, start))
        found: list[re.Match[str]] = []
        for place in places:
            if place and low[place - 1].isalnum():
                continue  # "no" in "known"
            if (match := self.pattern.match(text, place)) and (not found or place >= found[-1].end()):
                found.append(match)
        return found


def places_of(text: str, pieces: Iterable[str], start: int = 0) -> list[int]:
    """Return where a text holds one of some pieces, piece by piece.

    >>> places_of("no, nobody", ["no", "yes"])
    [0, 4]
    """
    places: list[int] = []
    for piece in pieces:
        at = text.find(piece, start)
        while at >= 0:
            places.append(at)
            at = text.find(piece, at + 1)
    return places
