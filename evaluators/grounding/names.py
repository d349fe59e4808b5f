"""What a text names: entities by label, alias or short name, dates, and numbers, each where it stands.

An ambiguous name stays a set, narrowed to the neighbourhood of the item where some of the set are in it. A short name
("Scott", "Barcelona") counts where it stands alone and the neighbourhood, or the text before it, has an entity of which it is
a part. A name that runs on into words with a capital ("Madrid" in "Atletico Madrid") is a name of something else, and stands
for nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import NamedTuple

from evaluators.grounding.facts import Facts
from evaluators.grounding.values import iso_of
from evaluators.grounding.wordings import PREPOSITIONS, form, is_irregular
from evaluators.verify.reading.text import Text, phrase
from evaluators.verify.reading.words import ARTICLES, EVERYDAY, HONORIFICS, word_list
from kg.dates import find_dates

_NUMBER = re.compile(r"\d(?<![\w.,-].)\d{0,2}(?:,\d{3})*(?:\.\d+)?(?![\w%]|[.,]\d)")
_DIGIT = re.compile("[0-9]")
_PARTICLES = word_list("particles")
_KINDS = frozenset(word_list("pointing")["kinds"])
_COUNTED_OFF = frozenset(["option", "options", "statement", "statements", "choice", "answer", "hop", "step", "question"])
_BETWEEN_CAPITALS = re.compile(r"[\s]*[-’'.]?[\s]*\Z")


class Name(NamedTuple):
    """The words from `first` up to `last` name one of some entities, or a value (a date as ISO writes it, or a number).

    `text` are the folded words. Without both, something is named there that the graph does not know.
    `is_small`: it is a word of every day as well ("actor").
    """

    first: int
    last: int
    text: str
    entities: frozenset[int] = frozenset()
    value: str | None = None
    is_small: bool = False


class Names:
    """Finds the names in texts; `vocabulary` are the forms of words that wordings are made of."""

    def __init__(self, facts: Facts, vocabulary: Set[str]) -> None:
        self._labels, self._vocabulary = facts.labels, vocabulary
        self._by_word = self._ends()

    def _ends(self) -> Mapping[str, Set[int]]:
        """Return the entities whose label begins or ends with a word."""
        found: dict[str, set[int]] = defaultdict(set)
        for entity, label in enumerate(self._labels.texts):
            words = phrase(label)
            if len(words) > 1:
                for word in (words[0], words[-1]):
                    if word not in EVERYDAY and not word.isdigit() and len(word) > 2:
                        found[word].add(entity)
        return found

    def in_text(self, text: Text, near: Set[int]) -> list[Name]:
        """Return the names in a text, in order; `near` is the neighbourhood of its item."""
        names = [*self._entities(text, near), *_dates(text)]
        taken = {n for name in names for n in range(name.first, name.last) if name.value is not None or name.entities}
        names += [number for number in _numbers(text) if taken.isdisjoint(range(number.first, number.last))]
        names += self._unknown(text, names)
        return sorted(names)

    def _entities(self, text: Text, near: Set[int]) -> Iterator[Name]:
        by_word, words, starts, seen, last = self._by_word, text.words, text.starts, set[int](), 0
        found = [(first, end, frozenset(bearers.entities)) for first, end, bearers in self._labels.names_in(text)]
        taken = {n for first, end, _ in found for n in range(first, end)}
        short = [n for n, word in enumerate(words) if word in by_word and n not in taken]
        found += [(n, n + 1, frozenset[int]()) for n in short if not text.original[starts[n]].islower()]
        for first, end, bearers in sorted(found):
            if first < last:
                continue
            begin = text.original[starts[first]]
            capital = begin.isupper() or begin.isdigit()
            if not capital:
                small = frozenset(e for e in bearers if self._labels.texts[e][:1].islower())
                if small:
                    yield Name(first, end, _words(text, first, end), self.narrowed(small, near), is_small=True)
                continue
            if self._runs_on(text, first, end) or self._is_year(text, first, end):
                continue
            meant = bearers
            if end - first == 1 or not bearers & near:
                parts = set(words[first:end])
                around = [by_word[word] for word in {words[first], words[end - 1]} if word in by_word]
                alike = {e for bearing in around for e in (bearing & near) | (bearing & seen)}
                meant |= {e for e in alike if parts <= set(phrase(self._labels.texts[e]))}
            if not meant:
                continue
            narrow = (meant & near) | (meant & seen) or meant
            seen |= narrow
            last = end
            yield Name(
                first, end, _words(text, first, end), narrow, is_small=all(self._labels.texts[e][:1].islower() for e in narrow)
            )

    @staticmethod
    def narrowed(entities: frozenset[int], near: Set[int]) -> frozenset[int]:
        """Return those of some entities that are near, where there are such."""
        return (entities & near) or entities

    @staticmethod
    def _is_year(text: Text, first: int, end: int) -> bool:
        """Tell whether a name in digits is a date: "released in 2012"."""
        return first > 0 and end - first == 1 and text.words[first].isdigit() and text.words[first - 1] in PREPOSITIONS

    def _runs_on(self, text: Text, first: int, end: int) -> bool:
        """Tell whether a name is a part of a longer one: a word with a capital stands beside it that is no title or kind."""
        words = text.words
        if words[end : end + 1] and words[end] in _PARTICLES and text.original[text.starts[end] - 1 : text.starts[end]] == " ":
            return end + 1 < len(words) and text.original[text.starts[end + 1]].isupper()
        return (
            (first > 0 and self._belongs(text, first - 1, first))
            or (end < len(words) and self._belongs(text, end, end - 1))
            or self._is_subtitle(text, first)
        )

    @staticmethod
    def _is_subtitle(text: Text, first: int) -> bool:
        """Tell whether a name is the end of a longer title: "Walking Tall: The Payback"."""
        if first < 2 or text.words[first - 1] not in ARTICLES:
            return False
        article, between = text.starts[first - 1], text.original[text.ends[first - 2] : text.starts[first - 1]]
        return text.original[article].isupper() and between == ": " and text.original[text.starts[first - 2]].isupper()

    def _belongs(self, text: Text, word: int, beside: int) -> bool:
        low, high = min(word, beside), max(word, beside)
        start = text.starts[word]
        if not text.original[start].isupper() or not _BETWEEN_CAPITALS.match(text.original[text.ends[low] : text.starts[high]]):
            return False
        if text.sentence_of(word) != text.sentence_of(beside):
            return False
        plain = text.words[word]
        if plain in EVERYDAY or plain in HONORIFICS or plain in _KINDS or form(plain) in self._vocabulary:
            return False
        return not text.original[text.starts[low] : text.ends[low]].endswith(("'s", "’s"))

    def _describes(self, text: Text, following: int) -> bool:
        """Tell whether a word with a capital is an adjective, by the noun that follows it ("the American filmmaker X")."""
        if following >= len(text.words) or not text.original[text.starts[following]].islower():
            return False
        word = text.words[following]
        return word in _KINDS or (word not in EVERYDAY and not word.endswith(("ed", "s")) and not is_irregular(word))

    def _unknown(self, text: Text, names: Iterable[Name]) -> Iterator[Name]:
        """Yield runs of words with a capital that no name covers; at the start of a sentence one word is none."""
        words, places, original = text.words, text.starts, text.original
        taken = {n for name in names for n in range(name.first, name.last)}
        starts = {sentence.first for sentence in text.sentences}
        run: list[int] = []
        for n in [*[n for n, at in enumerate(places) if original[at].isupper()], len(words)]:
            if run and n > run[-1] + 1:
                yield from self._run(text, run, starts)
                run = []
            if n < len(words) and n not in taken and words[n] not in EVERYDAY:
                if run or form(words[n]) not in self._vocabulary:
                    run.append(n)
            elif run:
                yield from self._run(text, run, starts)
                run = []

    def _run(self, text: Text, run: list[int], starts: Set[int]) -> Iterator[Name]:
        if not (len(run) == 1 and (run[0] in starts or self._describes(text, run[-1] + 1))):
            yield Name(run[0], run[-1] + 1, "")


def _words(text: Text, first: int, end: int) -> str:
    return " ".join(text.words[first:end])


def _has_digits(text: str) -> bool:
    return _DIGIT.search(text) is not None if text.isascii() else any(map(str.isdigit, text))


def _dates(text: Text) -> Iterator[Name]:
    if not _has_digits(text.original):
        return
    for date in find_dates(text.original, None):  # as the rules ask, who may have found them
        first, last = text.words_of(date.start, date.end)
        value = iso_of(date)
        if value is not None and last > first:
            yield Name(first, last, "", value=value)


def _numbers(text: Text) -> Iterator[Name]:
    for number in _NUMBER.finditer(text.original):
        first, last = text.words_of(*number.span())
        if last > first and (first == 0 or text.words[first - 1] not in _COUNTED_OFF):
            yield Name(first, last, "", value=number[0].replace(",", ""))
