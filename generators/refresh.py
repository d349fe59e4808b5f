"""A benchmark made again where the graph has changed, and nowhere else.

Items are kept as they stand, byte for byte, unless they rest on a fact that changed: one of which a proof fails on the graph of
now, or whose subject has other objects under its relation, is made again or leaves. One that is new is taken where it could not
have been made before, or stands in the place of one that left.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import msgspec
import polars as pl

from kg.files import replacing
from kg.graph import Graph
from kg.terms import text_of
from kg.vocab import RDFS_LABEL, SKOS_ALT
from queries.audit import audit_items, proof_batches
from queries.diff import FactChanges, fact_changes
from queries.records import Item, records_in

_SAID = ("question", "options", "answer", "given", "rationale", "premise", "context", "image")
"""What a person sees of an item; ids, strata and sources say where it comes from."""


class Refreshed(NamedTuple):
    """How many items were kept, changed, appeared and vanished."""

    kept: int
    changed: int
    appeared: int
    vanished: int

    def __str__(self) -> str:
        """Say it in a line."""
        return (
            f"{self.kept} items kept as they were, {self.changed} changed, {self.appeared} appeared, {self.vanished} vanished"
        )


class _Made(NamedTuple):
    """An item as its line, and as what is compared of it."""

    line: bytes
    item: Item

    @property
    def place(self) -> tuple[str, str, str]:
        """What one item of a fact stands for: another one with another false object stands in its place."""
        return self.item.group, self.item.task, self.item.variant

    @property
    def pairs(self) -> set[tuple[str, str]]:
        """The subjects and relations that its proofs ask about."""
        bound = [{binding.name: binding.term for binding in proof.bind} for proof in self.item.proof]
        return {(terms["s"], terms["p"]) for terms in bound if {"s", "p"} <= terms.keys()}

    def says(self, names: Mapping[str, Collection[str]]) -> bool:
        """Say whether it says one of these names of an entity that its proofs are about."""
        entities = {binding.term for proof in self.item.proof for binding in proof.bind}
        entities |= {f"<{cell}>" for proof in self.item.proof for row in proof.rows or () for cell in row}
        wanted = [name for entity in entities & names.keys() for name in names[entity]]
        text = msgspec.json.encode(self.said) if wanted else b""
        return any(msgspec.json.encode(name)[1:-1] in text for name in wanted)

    @property
    def said(self) -> list[Any]:
        return [getattr(self.item, name) for name in _SAID]


def refresh(items: str, fresh: str, out: str, before: Graph, now: Graph) -> Refreshed:
    """Write items, of which those that rest on a changed fact are exchanged for what was made anew.

    Parameters: the files `items`, made from the graph `before`, and `fresh`, made from `now` in the same way; `out` may be the
    first of them.
    Raises RecordError where a line of a file is no item.
    """
    old, new = _read(items), _read(fresh)
    failing, facts = set(audit_items(now, items, literal=0).failed), fact_changes(before, now)
    pairs, gone = _pairs(facts), _names(facts.gone)
    renamed = {entity: names for entity, names in _names(facts.added).items() if entity in gone}
    touched = failing | {id for id, made in old.items() if not pairs.isdisjoint(made.pairs) or made.says(gone)}
    both = old.keys() & new.keys()
    changed = {
        id for id in both if id in failing or (id in touched and _differs(old[id], new[id])) or _renamed(old[id], new[id])
    }
    vanished = touched - both
    left = Counter(old[id].place for id in vanished)
    unmakeable = _failing_of(before, fresh, new.keys() - old.keys())
    appeared = [id for id in new if id not in old and (id in unmakeable or left[new[id].place] > 0 or new[id].says(renamed))]
    kept = [id for id in old if id not in vanished]
    with replacing(out) as stream:
        for id in kept:
            stream.write((new if id in changed else old)[id].line + b"\n")
        for id in appeared:
            stream.write(new[id].line + b"\n")
    return Refreshed(len(kept) - len(changed), len(changed), len(appeared), len(vanished))


def _pairs(changes: FactChanges) -> set[tuple[str, str]]:
    """Return subject and predicate of each triple that came or went."""
    return {(s, p) for triples in (changes.added, changes.gone) for s, p, _ in triples.iter_rows()}


def _names(triples: pl.DataFrame) -> dict[str, list[str]]:
    """Return the names that came or went, by entity."""
    named = triples.filter(pl.col("p").is_in([f"<{RDFS_LABEL}>", f"<{SKOS_ALT}>"]))
    names = defaultdict(list)
    for entity, _, name in named.iter_rows():
        names[entity].append(text_of(name))
    return dict(names)


def _differs(old: _Made, new: _Made) -> bool:
    return (old.item.proof, old.said) != (new.item.proof, new.said)


def _renamed(old: _Made, new: _Made) -> bool:
    """Say whether the same facts are told otherwise: a name was mended, an alias came."""
    return old.item.proof == new.item.proof and old.said != new.said


def _read(path: str) -> dict[str, _Made]:
    return {item.id: _Made(line.text, item) for line, item in records_in(path, Item)}


def _failing_of(graph: Graph, path: str, ids: set[str]) -> set[str]:
    """Return which of some items of a file do not hold on a graph."""
    if not ids:
        return set()
    return set(audit_items(graph, (batch.of_items(ids) for batch in proof_batches(path)), literal=0).failed)
