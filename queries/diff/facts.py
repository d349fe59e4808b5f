"""The facts that one graph has and another has not."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from kg.graph import Graph
from kg.local import LocalGraph
from kg.vocab import KGP

_TRIPLE = r"^(\S+) (\S+) (.*) \.$"
_STATEMENT = f"<{KGP}statement/"


@dataclass(frozen=True)
class FactChanges:
    """Triples that came (`added`) and went (`gone`): frames of `s`, `p`, `o` as N-Triples writes them, sorted.

    `statements` counts what else came or went: the triples of nodes that qualify a fact.
    """

    added: pl.DataFrame
    gone: pl.DataFrame
    statements: int

    @property
    def none(self) -> bool:
        """Say whether the graphs hold the same."""
        return self.added.is_empty() and self.gone.is_empty() and not self.statements


def fact_changes(old: Graph, new: Graph) -> FactChanges:
    """Compare the data of two graphs, whatever loads it lies in.

    >>> from kg import open_graph
    >>> fact_changes(open_graph(), open_graph()).none
    True
    """
    before, after = _lines(old), _lines(new)
    came, went = after.join(before, on="line", how="anti"), before.join(after, on="line", how="anti")
    (added, more), (gone, less) = map(_triples, (came, went))
    return FactChanges(added, gone, more + less)


def _lines(graph: Graph) -> pl.DataFrame:
    """Return the distinct triples of a graph, each as a line of N-Triples."""
    if isinstance(graph, LocalGraph):
        parts = [graph.dump(name) for name in graph.data_graphs]
    else:
        parts = [graph.construct("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }")]
    lines = [line for part in parts for line in part.decode().split("\n")]
    return pl.DataFrame({"line": lines}, schema={"line": pl.String}).filter(pl.col("line") != "").unique()


def _triples(lines: pl.DataFrame) -> tuple[pl.DataFrame, int]:
    parts = {name: pl.col("line").str.extract(_TRIPLE, place) for place, name in enumerate("spo", 1)}
    triples = lines.select(**parts).sort("s", "p", "o")
    of_nodes = pl.col("s").str.starts_with(_STATEMENT) | pl.col("o").str.starts_with(_STATEMENT)
    facts = triples.filter(~of_nodes)
    return facts, triples.height - facts.height
