"""What all generators' commands share: which graph they read, whether they make a file again, and what they ask the graph.

A file is made again where the graph has changed, and nowhere else. Items are kept as they stand, byte for byte, unless they
rest on a fact that changed: one of which a proof fails on the graph of now, or whose subject has other objects under its
relation, is made again or leaves. One that is new is taken where it could not have been made before, or stands in the place
of one that left.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
import polars as pl
import typer

from kg import open_graph
from kg.cli import ShardOption, note
from kg.errors import InputError
from kg.files import replacing
from kg.graph import Graph, queries_asked
from kg.graph_choice import GraphChoice
from kg.terms import text_of
from kg.vocab import RDFS_LABEL, SKOS_ALT
from queries.audit import audit_items, other_graphs, proof_batches
from queries.diff import FactChanges, fact_changes
from queries.records import Item, records_in
from queries.records.shards import Shard

_REFRESH = (
    "Make these items again where the graph has changed; the others stay as they are. Give the options they were made with."
)
_MADE_FROM = "With --refresh: the store they were made from [default: the graph without --with and --without]."
_DERIVE = "Declare for this run what the graph lacks: relations, attributes, concepts, names (as `kg load views`)."
_EXPLAIN = "Print the SPARQL that the run stands on, each query once; `kg query` runs it as it is."


@dataclass(frozen=True, kw_only=True)
class Making(GraphChoice):
    """A graph to make items from, and how; each field is an option of every generator."""

    refresh: Annotated[str | None, typer.Option("--refresh", metavar="ITEMS", help=_REFRESH)] = None
    made_from: Annotated[Path | None, typer.Option("--made-from", metavar="DIR", help=_MADE_FROM)] = None
    derive: Annotated[bool, typer.Option("--derive", help=_DERIVE)] = False
    explain: Annotated[bool, typer.Option("--explain", help=_EXPLAIN)] = False

    def running(self) -> AbstractContextManager[object]:
        """Return what is around the command while it runs: who notes the queries, where they are to be told."""
        return _explained() if self.explain else nullcontext()

    def unmended(self) -> Graph:
        """Open the graph as it is stored, with what it lacks where that is asked for.

        Raises what `kg.open_graph` and `kg.sources.views.with_views` raise.
        """
        graph = super().unmended()
        if not self.derive:
            return graph
        from kg.sources.views import with_views  # here: few runs need it

        return with_views(graph)

    def path(self, out: str | None, default: str) -> str:
        """Return the file to write: the one that is named, or the one that is made again, or the usual one.

        >>> Making(refresh="capitals.jsonl").path(None, "family.jsonl")
        'capitals.jsonl'
        """
        return out or self.refresh or default

    def before(self) -> Graph:
        """Open the graph that the items to be made again were made from.

        Raises InputError where nobody says which one that is.
        """
        if self.made_from is not None:
            return open_graph(self.made_from)
        if not self.mended:
            way_out = "name it (--made-from DIR), or say what is mended (--with, --without)"
            raise InputError("nobody says which graph the items were made from", place="--refresh", way_out=way_out)
        return self.unmended()

    @contextmanager
    def writing(self, path: str, graph: Graph, *, quiet: bool = False) -> Iterator[str]:
        """Give the file to write items to; with --refresh, what is written there goes into the file only where it has to.

        Parameters: `graph` is what they are made from.
        """
        if self.refresh is None:
            if self.made_from is not None:
                raise InputError("is for --refresh", place="--made-from", way_out="add --refresh ITEMS, or leave it out")
            yield path
            return
        before = self.before()
        made_from = frozenset[tuple[str, str]]().union(*(batch.graphs for batch in proof_batches(self.refresh)))
        if not isinstance(self.endpoint, str) and (origin := other_graphs(made_from, before)):
            note(f"note: {origin}", quiet)
        with tempfile.TemporaryDirectory(prefix="kgprobe-") as folder:
            fresh = str(Path(folder) / "items.jsonl")
            yield fresh
            if not Path(fresh).exists():  # a run that makes no items writes no file
                Path(fresh).touch()
            done = refresh(self.refresh, fresh, path, before, graph)
        note(f"{path}: {done}", quiet)

    def hushed(self, quiet: bool) -> bool:
        """Say whether a summary of all that was made is to be left out: of it, little went into a file that is made again."""
        return quiet or self.refresh is not None


@dataclass(frozen=True, kw_only=True)
class MakingParts(Making):
    """A graph to make items from, all of them or a part of them."""

    shard: ShardOption = None

    def part(self, **others: object) -> Shard:
        """Return which part is made; `others` are options that need all items, by their names (`limit`).

        Raises InputError where there is no such part, or one of the others is given, too.

        >>> str(MakingParts(shard="2/4").part(limit=None))
        '2/4'
        """
        part = Shard.parse(self.shard)
        part.check_alone({f"--{name.replace('_', '-')}": value for name, value in {"refresh": self.refresh, **others}.items()})
        return part


@contextmanager
def _explained() -> Iterator[None]:
    with queries_asked() as asked:
        yield
    for number, (query, times) in enumerate(asked.items(), 1):
        often = "" if times == 1 else f", asked {times:,} times"
        sys.stdout.write(f"# {number} of {len(asked)}{often}\n{query.strip()}\n\n")


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
