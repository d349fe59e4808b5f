"""Which entities of a graph a text names: one automaton over the words of all labels and aliases.

The automaton walks a text word by word and keeps the longest name at each place, so that its cost does not grow with the
number of labels. An entity that is named counts as a wrong one when it shares a concept with the right one and is neither
that one nor anything the question gives. How far it is from the right one is the number of hops between them, either way,
up to five.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from evaluators.verify.reading.text import Span, Text, phrase
from evaluators.verify.reading.words import EVERYDAY
from kg.graph import Graph
from kg.hops import UNREACHED, Hops

_RADIUS = 5
_END = ""
"""The key of a node under which those stand whose name ends there; no word is empty."""


class Sought(NamedTuple):
    """A slot whose entity a right answer names, and the names that entity goes by."""

    slot: str
    names: tuple[str, ...]


class WrongEntity(NamedTuple):
    """A wrong entity that a text names: for which slot, in place of which right one, and where."""

    slot: str
    right: int
    named: int
    span: Span


class MeasuredEntity(NamedTuple):
    """A wrong entity by its IRI and label, and its hops from the right one (null beyond five)."""

    slot: str
    right: str
    iri: str
    label: str
    hops: int | None
    span: Span


class _RightEntities(NamedTuple):
    """A slot, the entities that are right for it, and their concepts."""

    slot: str
    entities: list[int]
    concepts: frozenset[str]


class _Bearers(NamedTuple):
    """The entities that have a name, and the concepts of all of them."""

    entities: Set[int] = frozenset()
    concepts: Set[str] = frozenset()


_NOBODY = _Bearers()


class Labels:
    """The names of a graph's entities, their concepts, and the edges between them."""

    def __init__(
        self, labels: pl.DataFrame, aliases: pl.DataFrame, concepts: pl.DataFrame, edges: Callable[[], pl.DataFrame]
    ) -> None:
        """Build the automaton from views: `e, label`; `e, alias`; `e, c`; `s, o` (pulled when a wrong entity is named)."""
        first_labels = labels.sort("label").unique("e", keep="first", maintain_order=True)
        self.iris, self.texts = first_labels["e"].to_list(), first_labels["label"].to_list()
        self._number = {iri: n for n, iri in enumerate(self.iris)}
        self.concepts: list[frozenset[str]] = [frozenset()] * len(self.iris)
        for e, c in concepts.group_by("e").agg("c").iter_rows():
            if e in self._number:
                self.concepts[self._number[e]] = frozenset(c)
        self._root: dict[str, Any] = {}
        for e, name in (*labels.select("e", "label").iter_rows(), *aliases.select("e", "alias").iter_rows()):
            if e in self._number:
                self._learn(phrase(name), self._number[e])
        self._edges = edges
        self._right_entities = functools.lru_cache(maxsize=65536)(self._look_up)  # many questions have the same right answer

    @classmethod
    def of(cls, graph: Graph) -> Labels:
        """Pull the names, concepts and edges of a graph."""
        from queries.views import view  # here: who judges without a graph need not wait for SPARQL

        labels, aliases, concepts = (view(graph, name) for name in ("labels", "aliases", "concepts"))
        return cls(labels, aliases, concepts, lambda: view(graph, "edges"))

    def _learn(self, name: Sequence[str], entity: int) -> None:
        node = self._root
        for word in name:
            node = node.setdefault(word, {})
        if name:
            before: _Bearers = node.get(_END, _NOBODY)
            node[_END] = _Bearers(before.entities | {entity}, before.concepts | self.concepts[entity])

    def bearers(self, name: str) -> Set[int]:
        """Return the entities that have a name."""
        node: Any = self._root
        for word in phrase(name):
            node = node.get(word)
            if node is None:
                return _NOBODY.entities
        at_end: _Bearers = node.get(_END, _NOBODY)
        return at_end.entities

    def names_in(self, text: Text) -> Iterator[tuple[int, int, _Bearers]]:
        """Yield the longest name at each place: its words and the entities that have it."""
        end, words = 0, text.words
        if not words:
            return
        pairs = enumerate(zip(map(self._beginnings.get, words), [*words[1:], _END], strict=True))
        for at in [n for n, (node, then) in pairs if node and (_END in node or then in node)]:  # most words begin no name
            if at < end:
                continue
            end, bearers = self._longest(words, at)
            if bearers.entities and not EVERYDAY.issuperset(words[at:end]):
                yield at, end, bearers

    @cached_property
    def _beginnings(self) -> dict[str, dict[str, Any]]:
        """The words that begin a name, without names that are a single word of every day."""
        longer = {word: {k: v for k, v in self._root[word].items() if k != _END} for word in EVERYDAY if word in self._root}
        return self._root | longer

    def _longest(self, words: list[str], at: int) -> tuple[int, _Bearers]:
        node: Any = self._beginnings
        last, bearers, n, size = at, _NOBODY, at, len(words)
        while n < size:
            node = node.get(words[n])
            if node is None:
                break
            n += 1
            if _END in node:
                last, bearers = n, node[_END]
        return last, bearers

    def wrong(self, text: Text, sought: Iterable[Sought], given: Iterable[str]) -> list[WrongEntity]:
        """Return the wrong entities that a text names.

        Parameters: what a right answer names, and the values that the question gives, none of which is wrong.
        """
        right = [r for r in [self._right_entities(slot, names) for slot, names in sought] if r.entities]
        return list(self._wrong(text, right, given)) if right else []

    def _look_up(self, slot: str, names: tuple[str, ...]) -> _RightEntities:
        entities = sorted({entity for name in names for entity in self.bearers(name) if self.concepts[entity]})
        return _RightEntities(slot, entities, frozenset().union(*[self.concepts[n] for n in entities]))

    def _wrong(self, text: Text, right: list[_RightEntities], given: Iterable[str]) -> Iterator[WrongEntity]:
        not_wrong: Set[int] | None = None  # looked up at the first candidate: most texts have none
        every = frozenset().union(*[r.concepts for r in right])
        for first, last, (entities, concepts) in self.names_in(text):
            if every.isdisjoint(concepts) or not text.original[text.starts[first]].isupper():
                continue
            alike = next(r for r in right if not r.concepts.isdisjoint(concepts))
            not_wrong = not_wrong or frozenset({n for r in right for n in r.entities}).union(*map(self.bearers, given))
            if entities.isdisjoint(not_wrong):
                named = min(n for n in entities if not self.concepts[n].isdisjoint(alike.concepts))
                yield WrongEntity(alike.slot, alike.entities[0], named, text.span(first, last))

    def measured(self, wrong: Sequence[WrongEntity]) -> list[MeasuredEntity]:
        """Add IRIs, labels and hops, for many at once."""
        hops = self._hops(wrong)
        return [
            MeasuredEntity(w.slot, self.texts[w.right], self.iris[w.named], self.texts[w.named], distance, w.span)
            for w, distance in zip(wrong, hops, strict=True)
        ]

    @cached_property
    def _graph(self) -> Hops:
        number = pl.DataFrame({"iri": self.iris, "n": np.arange(len(self.iris))})
        ends = self._edges().join(number, left_on="s", right_on="iri").join(number, left_on="o", right_on="iri", suffix="_o")
        return Hops(len(self.iris), ends["n"].to_numpy(), ends["n_o"].to_numpy(), both=True)

    def _hops(self, wrong: Sequence[WrongEntity]) -> list[int | None]:
        if not wrong:
            return []
        sources = sorted({w.right for w in wrong})
        distances = self._graph.distances(np.array(sources), _RADIUS)
        row = {source: n for n, source in enumerate(sources)}
        from_right = (int(distances[row[w.right], w.named]) for w in wrong)
        return [None if d == UNREACHED else d for d in from_right]
