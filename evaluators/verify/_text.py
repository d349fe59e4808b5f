"""A text as words and sentences that remember where they stand.

```
python -c 'from evaluators.verify._text import Text; print(Text("J.K. Simmons didn’t.").words)'
```

Words are folded as `kg.text.fold` folds names, with two differences that only judging needs: initials are one word
("J. K." is `jk`), and a possessive 's is dropped ("Jackson's" is `jackson`). Every word keeps its character range in the
original text, so that verdicts can point at what they rest on.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from kg.text import fold

__all__ = ["Span", "Text", "phrase", "read_text"]

Span = tuple[int, int]

# Combining marks, soft hyphens and characters of no width belong to the word they stand in.
_INSIDE = "\u0300-\u036f\u00ad\u200b-\u200d\u2060\ufeff"
_LETTER = rf"(?:[^\W_]|[{_INSIDE}])"
_WORD = re.compile(rf"{_LETTER}+(?:['’ʼ‘]{_LETTER}+)*|&")
_PLAIN_WORD = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)*|&")
_DOTTED = re.compile(r"\.(?:\s?[^\W\d_]\.|[^\W\d_](?![^\W_]))")
_INVISIBLE = re.compile(r"[\u00ad\u200b-\u200d\u2060\ufeff]")
_POSSESSIVE = re.compile(r"['’ʼ‘]s\Z", re.IGNORECASE)
_ABBREVIATED = r"(?<!\b[A-Z].)(?<!\b[JSD]r.)(?<!\b[MD]rs.)(?<!\bMs.)(?<!\bSt.)(?<!\bvs.)(?<!\bapprox.)(?<!\bfeat.)"
_BREAK = re.compile(
    rf"[.!?](?!(?<=\bNo\.)\s\d)(?:{_ABBREVIATED}[\"'”’)\]*]*(?=\s)\s*(?=[\"'“‘(\[*\-–—#]*[^\Wa-z])|(?=[\"'”]?\Z))|\s*\n\s*"
)
_INITIALS = re.compile(
    r"(?<![^\W_])(?:[^\W\d_]\.\s?){1,3}[^\W\d_]\.(?![^\W_])|(?<![^\W_])(?:[^\W\d_]\.){1,3}[^\W\d_](?![^\W_])"
)


_SHORTER = {"saint": "st", "mount": "mt"}
_QUOTED = re.compile(r"\"[^\"\n]{1,60}\"|“[^”\n]{1,60}”|(?<!\w)['‘][^'’\n]{1,60}['’](?!\w)")


class Sentence(NamedTuple):
    """A sentence: its characters, and its words from `first` up to `last`."""

    start: int
    end: int
    first: int
    last: int


@functools.lru_cache(maxsize=65536)
def _fold_word(word: str) -> str:
    return fold(_POSSESSIVE.sub("", _INVISIBLE.sub("", word))).replace(" ", "")


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
        low = original.lower()
        # Most texts need no more than this: their words are folded already. Where they stand is found when it is asked for.
        self._plain = low.isascii() and not _initials(original)
        self._folded = [] if self._plain else list(_folded(original))
        self.words = _plain_words(low) if self._plain else [word for word, _, _ in self._folded]
        self.line = f" {' '.join(self.words)} "

    @functools.cached_property
    def _spans(self) -> list[Span]:
        """The characters of each word."""
        if self._plain:
            return [found.span() for found in _PLAIN_WORD.finditer(self.original.lower())]
        return [(start, end) for _, start, end in self._folded]

    @functools.cached_property
    def starts(self) -> list[int]:
        """Where each word starts."""
        return [start for start, _ in self._spans]

    @functools.cached_property
    def ends(self) -> list[int]:
        """Where each word ends."""
        return [end for _, end in self._spans]

    @functools.cached_property
    def joined(self) -> str:
        """All words, without anything between them."""
        return "".join(self.words)

    def find(self, wanted: list[str]) -> list[Span]:
        """Return the word ranges where these words stand in a row."""
        if not wanted or f" {' '.join(wanted)} " not in self.line:
            return []
        size, first = len(wanted), wanted[0]
        return [(at, at + size) for at, word in enumerate(self.words) if word == first and self.words[at : at + size] == wanted]

    def span(self, first: int, last: int) -> Span:
        """Return the characters of the words from `first` up to `last`."""
        return self.starts[first], self.ends[last - 1]

    def word_at(self, position: int) -> int:
        """Return the index of the first word at or after a character."""
        return bisect_left(self.starts, position)

    def words_of(self, start: int, end: int) -> tuple[int, int]:
        """Return the range of the words that hold some of these characters.

        >>> Text("in the 1990s").words_of(7, 12)
        (2, 3)
        """
        return bisect_right(self.ends, start), bisect_left(self.starts, end)

    @functools.cached_property
    def quotes(self) -> list[Span]:
        """The characters of quoted titles and words, some sixty letters at most."""
        return [found.span() for found in _QUOTED.finditer(self.original)]

    @functools.cached_property
    def sentences(self) -> list[Sentence]:
        """The sentences, in order; a line break ends one too."""
        cuts = [found.end() for found in _BREAK.finditer(self.original)]
        edges = [0, *cuts, len(self.original)]
        pairs = pairwise(edges)
        found = (Sentence(a, b, self.word_at(a), self.word_at(b)) for a, b in pairs)
        return [sentence for sentence in found if sentence.last > sentence.first]

    def sentence_of(self, word: int) -> int:
        """Return the index of the sentence that holds a word."""
        return next(n for n, sentence in enumerate(self.sentences) if word < sentence.last)


def _plain_words(low: str) -> list[str]:
    """Return the words of a text in small ASCII letters; most of them are folded as they stand."""
    words = _PLAIN_WORD.findall(low)
    if "'" in low or "&" in low:
        words = [word if word.isalnum() else _fold_word(word) for word in words]
    return [_SHORTER.get(word, word) for word in words] if any(long in low for long in _SHORTER) else words


def _folded(original: str) -> Iterator[tuple[str, int, int]]:
    """Yield the folded words of any text with their characters; initials are one word."""
    low = original.lower()
    plain = low.isascii()
    initials = _initials(original)
    last = 0
    for found in (_PLAIN_WORD if plain else _WORD).finditer(low if plain else original):
        start, end = found.span()
        word = found[0] if plain and found[0].isalnum() else _fold_word(found[0])
        if start in initials:
            word, end = initials[start]
        if word and start >= last:
            yield _SHORTER.get(word, word), start, end
            last = end


def _initials(original: str) -> dict[int, tuple[str, int]]:
    """Map where initials start to the word they make and where they end."""
    if not _DOTTED.search(original):
        return {}
    runs = ((found.start(), found[0].rstrip(), found.end()) for found in _INITIALS.finditer(original))
    return {start: (fold(run).replace(" ", ""), end - (1 if run.endswith(".") else 0)) for start, run, end in runs}


@functools.lru_cache(maxsize=4)
def read_text(original: str) -> Text:
    """Return a text cut into words; the last few are kept, for those who read the same text after each other."""
    return Text(original)


@functools.lru_cache(maxsize=65536)
def _phrase(name: str) -> tuple[str, ...]:
    return tuple("and" if word == "&" else word for word in Text(name).words)


def phrase(name: str) -> list[str]:
    """Cut a name into the words that `Text` would make of it.

    >>> phrase("Pete Rock & C.L. Smooth")
    ['pete', 'rock', 'and', 'cl', 'smooth']
    """
    return list(_phrase(name))
