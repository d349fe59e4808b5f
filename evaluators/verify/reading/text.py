"""A text as words and sentences that remember where they stand.

Words are folded as `kg.text.fold` folds names, with two differences that only judging needs: initials are one word
("J. K." is `jk`), and a possessive 's is dropped ("Jackson's" is `jackson`). Every word keeps its character range in the
original text, so that verdicts can point at what they rest on.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from itertools import accumulate, compress, count, pairwise
from operator import add, attrgetter, sub
from typing import Any, Generic, NamedTuple, TypeVar

from evaluators.verify.reading.cued import all_cues
from kg.text import fold

Span = tuple[int, int]
T = TypeVar("T")

# Combining marks, soft hyphens and characters of no width belong to the word they stand in.
_INSIDE = "\u0300-\u036f\u00ad\u200b-\u200d\u2060\ufeff"
_LETTER = rf"(?:[^\W_]|[{_INSIDE}])"
_WORD = re.compile(rf"{_LETTER}+(?:['’ʼ‘]{_LETTER}+)*|&")
_LETTERS, _APOSTROPHES = re.compile(_LETTER), "’ʼ‘"
_ODD = re.compile(r"[^\x00-\x7f]")
_PLAIN_WORD = re.compile(r"[A-Za-z0-9]+(?:'[A-Za-z0-9]+)*|&")
_SMALL = bytes(ord(chr(c).lower()) if chr(c).isalnum() or chr(c) in "'&" else ord(" ") for c in range(128)) + bytes(128)
"""ASCII letters written small, and blanks for what is between words."""
_DOTTED = re.compile(r"\.(?:\s?[^\W\d_]\.|[^\W\d_](?![^\W_]))")
_INVISIBLE = re.compile(r"[\u00ad\u200b-\u200d\u2060\ufeff]")
_POSSESSIVE = re.compile(r"['’ʼ‘]s\Z", re.IGNORECASE)
_INITIALS = re.compile(
    r"(?<![^\W_])(?:[^\W\d_]\.\s?){1,3}[^\W\d_]\.(?![^\W_])|(?<![^\W_])(?:[^\W\d_]\.){1,3}[^\W\d_](?![^\W_])"
)
_SHORTER = {"saint": "st", "mount": "mt"}

# A full stop ends a sentence before a blank and a capital or an opening sign, or at the end; not after an initial or one of
# these abbreviations, nor in "No. 5", "1 Sept. 1940" and "c. 1940".
_ABBREVIATED = (
    r"(?<!\b[A-Z].)(?<!\b[JSD]r.)(?<!\b[MD]rs.)(?<!\bMs.)(?<!\bSt.)(?<!\bProf.)(?<!\b[GS]en.)(?<!\bGov.)"
    r"(?<!\bRev.)(?<!\bHon.)(?<!\b[CL]t.)(?<!\bCapt.)(?<!\bCol.)(?<!\bvs.)(?<!\bapprox.)(?<!\bfeat.)"
)
_BEFORE_NUMBER = (
    r"(?:(?<=\b(?:No|[Oo]p|[Cc]a|fl|pp)\.)|(?<=\b[bcdpr]\.)|(?<=\b(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Vol|vol)\.)"
    r"|(?<=\bSept\.))"
)
_STOPS = rf"(?!{_BEFORE_NUMBER}\s\d)(?:{_ABBREVIATED}[\"'”’)\]*]*(?=\s)\s*(?=[\"'“‘(\[*\-–—#]*[^\Wa-z])|(?=[\"'”]?\Z))"
_BREAK = re.compile(rf"[.!?]{_STOPS}")
# It begins with one class of characters, which is quick to look for; otherwise it is as above, or blanks with a line break.
BREAK_OR_LINE = re.compile(rf"[.!?\s](?:(?<=[.!?]){_STOPS}|(?<=\n)\s*|(?<=[^\S\n])\s*\n\s*)")
_QUOTE = re.compile("[\"'“‘]")
_QUOTED = re.compile(r"\"[^\"\n]{1,60}\"|“[^”\n]{1,60}”|(?<!\w)['‘][^'’\n]{1,60}['’](?!\w)")

_LOOK_ALIKES = str.maketrans({"’": "'", "ʼ": "'", "\u00a0": " ", "\u202f": " ", "\u2009": " ", "\t": " "})
_FURTHER_BLANKS = re.compile(r"(?<= ) +")
# Search engines leave marks of footnotes in their answers: digits glued to words ("Ada Moss1"), to decades and thousands, in
# brackets, or raised; and to years, which a month or "in" must tell from numbers of five and six digits ("in 19752.").
_LATIN = "A-Za-zÀ-ÖØ-öø-ɏ"
_FOOTNOTE = re.compile(
    rf"(?<=[{_LATIN}]{{3}})\d{{1,3}}(?=[\s.,;:)\"”’]|\Z)"
    r"|(?<=\d0s)\d{1,2}(?=[.,;]?(?:\s|\Z))|(?:(?<=[$€£]\d,\d{3})|(?<=[$€£]\d\d,\d{3})|(?<=\d,\d{3},\d{3}))\d{1,2}(?=[.,;]?(?:\s|\Z))"
    rf"|\[\^?\d{{1,2}}\^?\]|(?<=[{_LATIN}]{{3}})[¹²³⁴⁵⁶⁷⁸⁹⁰]+(?=[\s.,;]|\Z)|【[^】]{{0,20}}】"
)
_YEAR_NOTE = re.compile(
    r"(?P<before>(?:\b(?:in|since|until|till|from|year)|\d{4}\sto|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
    r"(?:\s\d{1,2}(?:st|nd|rd|th)?)?,?)\s(?:1\d|20)\d\d)(?P<note>\d{1,2})(?=[.,;]\s|[.,;]?\Z|\s?\[)",
    re.IGNORECASE,
)
_FIVE_DIGITS = re.compile(r"\d{5}")


class lazy(Generic[T]):  # noqa: N801 (a decorator)
    """A property that is worked out when it is first asked for, and stays.

    `functools.cached_property` takes a lock until Python 3.12, and yes-no answers a thirtieth longer. Two threads may both
    work a value out; they get equal ones.
    """

    def __init__(self, work_out: Callable[[Any], T]) -> None:
        self._work_out, self._name, self.__doc__ = work_out, work_out.__name__, work_out.__doc__

    def __get__(self, owner: Any, kind: type) -> T:
        """Work the value out, and leave it where the next look finds it first."""
        value = self._work_out(owner)
        setattr(owner, self._name, value)  # to take `__dict__` makes all attributes of an object slower
        return value


class PlainText(NamedTuple):
    """A text with single blanks and straight apostrophes, and the way back to its own characters.

    `left_out` says how many characters were left out before each of its characters (null where none were).
    """

    text: str
    left_out: list[int] | None = None

    @classmethod
    def of(cls, original: str) -> PlainText:
        """Make a text plain.

        >>> PlainText.of("a   b").text, PlainText.of("a   b").span((2, 3))
        ('a b', (4, 5))
        """
        text = original if original.isascii() and "\t" not in original else original.translate(_LOOK_ALIKES)
        if "  " not in text:
            return cls(text)
        stays = [True] * len(text)
        for blanks in _FURTHER_BLANKS.finditer(text):
            stays[blanks.start() : blanks.end()] = [False] * len(blanks[0])
        places = [n for n, stay in enumerate(stays) if stay]
        gaps = [b - a - 1 for a, b in zip([-1, *places], places, strict=False)]
        return cls(_FURTHER_BLANKS.sub("", text), list(accumulate(gaps)))

    def span(self, span: Span) -> Span:
        """Return the characters of the original that characters of the plain text stand for."""
        if self.left_out is None or span[0] >= span[1]:
            return span
        return span[0] + self.left_out[span[0]], span[1] + self.left_out[span[1] - 1]


def without_footnotes(text: str) -> str:
    """Blank out the marks of footnotes; every other character keeps its place.

    >>> without_footnotes("It was Aaron Lewis1. In 19752 [3].")
    'It was Aaron Lewis . In 1975     .'
    """
    if _FIVE_DIGITS.search(text):
        text = _YEAR_NOTE.sub(lambda year: year["before"] + " " * len(year["note"]), text)
    return _FOOTNOTE.sub(lambda mark: " " * len(mark[0]), text)


class Sentence(NamedTuple):
    """A sentence: its characters, and its words from `first` up to `last`."""

    start: int
    end: int
    first: int
    last: int


_LAST_WORD = attrgetter("last")


class Text:
    """A text cut into folded words.

    >>> text = Text("Dvořák's film. It was J. K. Rowling’s.")
    >>> text.words, len(text.sentences)
    (['dvorak', 'film', 'it', 'was', 'jk', 'rowling'], 2)
    >>> text.find(["jk", "rowling"]), text.span(4, 6)
    ([(4, 6)], (22, 37))
    """

    def __init__(self, original: str) -> None:
        self.original = original
        # Most texts can be folded as a whole; to fold each of their words takes yes-no answers a third longer.
        # Where the words stand is worked out only when it is asked for.
        self._small = small = _fold_whole(original)
        self._folded = [*folded_words(original)] if small is None else []
        self.words = words = [word for word, _, _ in self._folded] if small is None else _words_of_small(small)
        self.line = f" {' '.join(words)} "
        """The words with a blank around each, so that words in a row can be looked for as a string."""

    @lazy
    def cues(self) -> frozenset[str]:
        """Those of its words on which some rule waits (`cued.cues`): few, and a rule that waits for others looks no further.

        >>> "wait" in Text("Rome. Wait, no.").cues, "rome" in Text("Rome. Wait, no.").cues
        (True, False)
        """
        return all_cues().intersection(self.words)

    @lazy
    def joined(self) -> str:
        """The words without anything between them."""
        return "".join(self.words)

    @lazy
    def _edges(self) -> tuple[list[int], list[int]]:
        """Where the words start, and where they end."""
        if self._small is None:
            return [start for _, start, _ in self._folded], [end for _, _, end in self._folded]
        pieces = self._small.split(" ")
        sizes = [*map(len, pieces)]  # 0 between blanks in a row
        ends = [*compress(map(add, accumulate(sizes), count()), sizes)]
        starts = [*map(sub, ends, filter(None, sizes))]
        if "'" in self._small or "&" in self._small:
            for n, piece in reversed([*enumerate(filter(None, pieces))]):
                if not piece.isalnum():
                    at = starts[n]
                    spans = [part.span() for part in _PLAIN_WORD.finditer(piece)]
                    starts[n : n + 1] = [at + start for start, _ in spans]
                    ends[n : n + 1] = [at + end for _, end in spans]
        return starts, ends

    @property
    def starts(self) -> list[int]:
        """Where each word starts."""
        return self._edges[0]

    @property
    def ends(self) -> list[int]:
        """Where each word ends."""
        return self._edges[1]

    def find(self, wanted: list[str]) -> list[Span]:
        """Return the word ranges where these words stand in a row."""
        return self.places(f" {' '.join(wanted)} ", len(wanted)) if wanted else []

    def places(self, wanted: str, size: int) -> list[Span]:
        """Return the word ranges where a piece of `line` stands: `size` words, with a blank around each."""
        line, places = self.line, []
        at, first, counted = line.find(wanted), 0, 0
        while at >= 0:
            first += line.count(" ", counted, at)
            places.append((first, first + size))
            at, counted = line.find(wanted, at + 1), at
        return places

    def span(self, first: int, last: int) -> Span:
        """Return the characters of the words from `first` up to `last`."""
        starts, ends = self._edges
        return starts[first], ends[last - 1]

    def word_at(self, position: int) -> int:
        """Return the index of the first word at or after a character."""
        return bisect_left(self.starts, position)

    def words_of(self, start: int, end: int) -> tuple[int, int]:
        """Return the range of the words that hold some of these characters.

        >>> Text("in the 1990s").words_of(7, 12)
        (2, 3)
        """
        return bisect_right(self.ends, start), bisect_left(self.starts, end)

    @lazy
    def quotes(self) -> list[Span]:
        """The characters of quoted titles and words, some sixty letters at most."""
        return [quoted.span() for quoted in _QUOTED.finditer(self.original)] if _QUOTE.search(self.original) else []

    @lazy
    def sentences(self) -> list[Sentence]:
        """The sentences, in order; a line break ends one too."""
        breaks = BREAK_OR_LINE if "\n" in self.original else _BREAK
        cuts = [stop.end() for stop in breaks.finditer(self.original)]
        starts = self.starts
        edges = [(at, bisect_left(starts, at)) for at in (0, *cuts, len(self.original))]
        return [Sentence(a, b, first, last) for (a, first), (b, last) in pairwise(edges) if last > first]

    def sentence_of(self, word: int) -> int:
        """Return the index of the sentence that holds a word."""
        return bisect_right(self.sentences, word, key=_LAST_WORD)


def read_text(original: str) -> Text:
    """Return a text cut into words, or the one that was cut before.

    The last few stay, for the rules and the search for entities read the same one in turn; of brief ones, which many answers
    are, thousands do.
    """
    return _brief(original) if len(original) <= _BRIEF else _latest(original)


_brief, _latest = functools.lru_cache(maxsize=4096)(Text), functools.lru_cache(maxsize=4)(Text)
_BRIEF = 60


def _fold_whole(original: str) -> str | None:
    """Write a text small, with blanks between its words; null where its words must be folded one by one.

    Every character keeps its place.
    """
    plain = original if original.isascii() else _in_ascii(original)
    return plain.encode().translate(_SMALL).decode() if plain is not None and not _has_initials(plain) else None


def _in_ascii(original: str) -> str | None:
    """Write a text in ASCII, each character by the one it folds to; null where one of them folds to none or to several."""
    for odd in set(_ODD.findall(original)):
        like = _in_ascii_letter(odd)
        if like is None:
            return None
        original = original.replace(odd, like)
    return original


@functools.lru_cache(maxsize=65536)  # yes-no answers take an eighth longer without
def _in_ascii_letter(odd: str) -> str | None:
    if odd in _APOSTROPHES:
        return "'"
    if not _LETTERS.match(odd):
        return " "
    folded = fold(odd)
    return folded if len(folded) == 1 and folded.isascii() and folded.isalnum() else None


def _words_of_small(small: str) -> list[str]:
    """Return the words of a text that is folded as a whole, but for apostrophes and words that have a shorter form."""
    words = small.split()
    if "'" in small or "&" in small:
        for n in reversed([n for n, word in enumerate(words) if not word.isalnum()]):
            words[n : n + 1] = _parts(words[n])
    return [_SHORTER.get(word, word) for word in words] if "saint" in small or "mount" in small else words


def _parts(word: str) -> list[str]:
    """Cut what holds apostrophes, or "&", into words."""
    return [_fold_word(part) for part in _PLAIN_WORD.findall(word)]


def _fold_word(word: str) -> str:
    return fold(_POSSESSIVE.sub("", _INVISIBLE.sub("", word))).replace(" ", "")


def folded_words(original: str) -> Iterator[tuple[str, int, int]]:
    """Yield the folded words of any text with their characters; initials are one word."""
    low = original.lower()
    plain = low.isascii()
    initials = _initials(original)
    last = 0
    for match in (_PLAIN_WORD if plain else _WORD).finditer(low if plain else original):
        start, end = match.span()
        word = match[0] if plain and match[0].isalnum() else _fold_word(match[0])
        if start in initials:
            word, end = initials[start]
        if word and start >= last:
            yield _SHORTER.get(word, word), start, end
            last = end


def _has_initials(original: str) -> bool:
    return "." in original and _DOTTED.search(original) is not None and _INITIALS.search(original) is not None


def _initials(original: str) -> dict[int, tuple[str, int]]:
    """Map where initials start to the word they make and where they end."""
    if not _DOTTED.search(original):
        return {}
    runs = ((run.start(), run[0].rstrip(), run.end()) for run in _INITIALS.finditer(original))
    return {start: (fold(run).replace(" ", ""), end - (1 if run.endswith(".") else 0)) for start, run, end in runs}


def phrase(name: str) -> list[str]:
    """Cut a name into the words that `Text` would make of it.

    >>> phrase("Pete Rock & C.L. Smooth")
    ['pete', 'rock', 'and', 'cl', 'smooth']
    """
    return list(_phrase(name))


def phrase_once(name: str) -> list[str]:
    """Cut a name into words as `phrase` does, and keep nothing of it: for who keeps what is made of them.

    >>> phrase_once("Moss & Co.")
    ['moss', 'and', 'co']
    """
    small = _fold_whole(name)
    words = [word for word, _, _ in folded_words(name)] if small is None else _words_of_small(small)
    return ["and" if word == "&" else word for word in words] if "&" in name else words


@functools.lru_cache(maxsize=65536)  # the names of a graph's entities are given again and again
def _phrase(name: str) -> tuple[str, ...]:
    return tuple(phrase_once(name))
