"""Which entities of a graph a text names: one automaton over the words of all labels and aliases.

```
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --store ./wd --named named.jsonl --out v.jsonl
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --store ./wd --explain ITEM
```

The automaton walks a text word by word and keeps the longest name at each place, so that its cost does not grow with the
number of labels. An entity that is named counts as a wrong one when it shares a concept with the right one and is neither
that one nor anything the question gives. How far it is from the right one is the number of hops between them, either way,
up to five.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence, Set
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from evaluators.pool import uncollected
from evaluators.verify.question import Question
from evaluators.verify.reading.lazy import lazy
from evaluators.verify.reading.name import EVERYDAY
from evaluators.verify.reading.text import Span, Text, phrase
from kg.graph import Graph
from kg.hops import UNREACHED, Hops

__all__ = ["Labels", "Named", "Wrong"]

_RADIUS = 5
_END = ""
"""The key of a node under which those stand whose name ends there; no word is empty."""


class Wrong(NamedTuple):
    """A wrong entity that a text names: for which slot, in place of which right one, and where."""

    slot: str
    right: int
    named: int
    span: Span


class Named(NamedTuple):
    """A wrong entity by its IRI and label, and its hops from the right one (null beyond five)."""

    slot: str
    right: str
    iri: str
    label: str
    hops: int | None
    span: Span


class _Wanted(NamedTuple):
    """A slot, the entities that are right for it, and their concepts."""

    slot: str
    right: list[int]
    concepts: frozenset[str]


class _Called(NamedTuple):
    """The entities that have a name, and the concepts of all of them."""

    entities: Set[int] = frozenset()
    concepts: Set[str] = frozenset()


_NOBODY = _Called()


class Labels:
    """The names of a graph's entities, their concepts, and the edges between them."""

    def __init__(
        self, labels: pl.DataFrame, aliases: pl.DataFrame, concepts: pl.DataFrame, edges: Callable[[], pl.DataFrame]
    ) -> None:
        """Build the automaton from views: `e, label`; `e, alias`; `e, c`; `s, o` (pulled when a wrong entity is named)."""
        one = labels.sort("label").unique("e", keep="first", maintain_order=True)
        self.iris, self.texts = one["e"].to_list(), one["label"].to_list()
        self._number = {iri: n for n, iri in enumerate(self.iris)}
        self._concepts: list[frozenset[str]] = [frozenset()] * len(self.iris)
        for e, c in concepts.group_by("e").agg("c").iter_rows():
            if e in self._number:
                self._concepts[self._number[e]] = frozenset(c)
        self._root: dict[str, Any] = {}
        for e, name in (*labels.select("e", "label").iter_rows(), *aliases.select("e", "alias").iter_rows()):
            if e in self._number:
                self._learn(phrase(name), self._number[e])
        self._edges = edges
        self._wanted = functools.lru_cache(maxsize=65536)(self._want)  # many questions have the same right answer

    @classmethod
    def of(cls, graph: Graph) -> Labels:
        """Pull the names, concepts and edges of a graph."""
        from queries.templates.library import find  # here: who judges without a graph need not wait for SPARQL

        labels, aliases, concepts = (graph.select(find(name).bind()) for name in ("labels", "aliases", "concepts"))
        with uncollected():
            return cls(labels, aliases, concepts, lambda: graph.select(find("edges").bind()))

    def _learn(self, name: Sequence[str], entity: int) -> None:
        node = self._root
        for word in name:
            node = node.setdefault(word, {})
        if name:
            before: _Called = node.get(_END, _NOBODY)
            node[_END] = _Called(before.entities | {entity}, before.concepts | self._concepts[entity])

    def called(self, name: str) -> Set[int]:
        """Return the entities that have a name."""
        node: Any = self._root
        for word in phrase(name):
            node = node.get(word)
            if node is None:
                return _NOBODY.entities
        called: _Called = node.get(_END, _NOBODY)
        return called.entities

    def found(self, text: Text) -> Iterator[tuple[int, int, _Called]]:
        """Yield the longest name at each place: its words and the entities that have it."""
        end, words = 0, text.words
        pairs = enumerate(zip(map(self._beginnings.get, words), [*words[1:], _END], strict=True))
        for at in [n for n, (node, then) in pairs if node and (_END in node or then in node)]:  # most words begin no name
            if at < end:
                continue
            end, called = self._longest(words, at)
            if called.entities and not EVERYDAY.issuperset(words[at:end]):
                yield at, end, called

    @lazy
    def _beginnings(self) -> dict[str, dict[str, Any]]:
        """The words that begin a name, without names that are a single word of every day."""
        longer = {word: {k: v for k, v in self._root[word].items() if k != _END} for word in EVERYDAY if word in self._root}
        return self._root | longer

    def _longest(self, words: list[str], at: int) -> tuple[int, _Called]:
        node: Any = self._beginnings
        last, called, n, size = at, _NOBODY, at, len(words)
        while n < size:
            node = node.get(words[n])
            if node is None:
                break
            n += 1
            if _END in node:
                last, called = n, node[_END]
        return last, called

    def wrong(self, text: Text, question: Question) -> list[Wrong]:
        """Return the wrong entities that a text names."""
        wanted = [w for w in [self._wanted(slot, names) for slot, names in _slots(question)] if w.right]
        return list(self._wrong(text, wanted, question)) if wanted else []

    def _want(self, slot: str, names: tuple[str, ...]) -> _Wanted:
        right = sorted({entity for name in names for entity in self.called(name) if self._concepts[entity]})
        return _Wanted(slot, right, frozenset().union(*[self._concepts[n] for n in right]))

    def _wrong(self, text: Text, wanted: list[_Wanted], question: Question) -> Iterator[Wrong]:
        given: Set[int] | None = None  # looked up when something is found: most texts name nothing of the kind
        every = frozenset().union(*[w.concepts for w in wanted])
        for first, last, (entities, concepts) in self.found(text):
            if every.isdisjoint(concepts) or not text.original[text.starts[first]].isupper():
                continue
            kind = next(w for w in wanted if not w.concepts.isdisjoint(concepts))
            given = given or frozenset({n for w in wanted for n in w.right}).union(*(self.called(v) for _, v in question.given))
            if entities.isdisjoint(given):
                named = min(n for n in entities if not self._concepts[n].isdisjoint(kind.concepts))
                yield Wrong(kind.slot, kind.right[0], named, text.span(first, last))

    def measured(self, wrong: Sequence[Wrong]) -> list[Named]:
        """Add IRIs, labels and hops, for many at once."""
        hops = self._hops(wrong)
        return [
            Named(w.slot, self.texts[w.right], self.iris[w.named], self.texts[w.named], far, w.span)
            for w, far in zip(wrong, hops, strict=True)
        ]

    @lazy
    def _graph(self) -> Hops:
        number = pl.DataFrame({"iri": self.iris, "n": np.arange(len(self.iris))})
        ends = self._edges().join(number, left_on="s", right_on="iri").join(number, left_on="o", right_on="iri", suffix="_o")
        return Hops(len(self.iris), ends["n"].to_numpy(), ends["n_o"].to_numpy(), both=True)

    def _hops(self, wrong: Sequence[Wrong]) -> list[int | None]:
        if not wrong:
            return []
        sources = sorted({w.right for w in wrong})
        distances = self._graph.distances(np.array(sources), _RADIUS)
        row = {source: n for n, source in enumerate(sources)}
        far = (int(distances[row[w.right], w.named]) for w in wrong)
        return [None if d == UNREACHED else d for d in far]


def _slots(question: Question) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each slot whose entity a right answer names, with the names it goes by."""
    for entry in question.rationale:
        yield entry.slot, (entry.value, *entry.aliases)
    if question.premise is not None:
        yield "object", tuple(name for o in question.premise.true_objects for name in (o.label, *o.aliases))
    elif question.task in ("open", "context") and question.expected:
        yield "answer", question.expected
