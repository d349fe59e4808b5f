"""What all generators' commands share: which graph they read, whether they make a file again, and what they ask the graph."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from generators.refresh import refresh
from kg import open_graph
from kg.cli import ShardOption, note
from kg.errors import InputError
from kg.graph import Graph, queries_asked
from kg.graph_choice import GraphChoice
from queries.audit import other_graphs, proof_batches
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
