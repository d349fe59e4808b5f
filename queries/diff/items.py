"""The items that rest on what changed between two graphs, told by their proofs.

An item *vanishes* where something that it takes for true is not, or nothing is left of its answer; it *changes* where the
question stands and the graph gives another answer; what *appears* is a fact of the kind that the items ask about.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

import polars as pl

from kg.errors import QueryError
from kg.graph import Graph
from queries.audit.audit import Failure, audit_items
from queries.audit.proofs import Proofs
from queries.audit.rows import table_query
from queries.diff.facts import FactChanges


@dataclass(frozen=True)
class ItemChanges:
    """Ids of items with what no longer holds of them, and what could be asked about now: bindings, as terms by name.

    `failed_before` counts the items that did not hold on the old graph either.
    """

    changed: dict[str, list[Failure]] = field(default_factory=dict)
    vanished: dict[str, list[Failure]] = field(default_factory=dict)
    appeared: list[dict[str, str]] = field(default_factory=list)
    failed_before: int = 0


def item_changes(proofs: list[Proofs], old: Graph, new: Graph, facts: FactChanges) -> ItemChanges:
    """Tell which items change, vanish and appear when one graph takes the place of another.

    Parameters: `proofs` of the items (`queries.audit.proof_batches`); `facts` is what changed.
    """
    after = audit_items(new, proofs, literal=0).failures
    # Only what fails now can have failed before: the old graph is asked about nothing else.
    failing = {failure.item for failure in after}
    of_those = [batch.of_items(failing) for batch in proofs] if failing else []
    before = set(audit_items(old, of_those, literal=0).failed) if of_those else set()
    changes = ItemChanges(failed_before=len(before))
    for item, group in groupby(sorted(after, key=lambda failure: failure.item), key=lambda failure: failure.item):
        failures = list(group)
        if item not in before:
            (changes.vanished if any(failure.lost for failure in failures) else changes.changed)[item] = failures
    changes.appeared.extend(_appeared(proofs, old, new, facts))
    return changes


def _appeared(proofs: list[Proofs], old: Graph, new: Graph, facts: FactChanges) -> Iterator[dict[str, str]]:
    """Yield what could be asked about: new facts of the relations that are asked, and new rows of the families' tables."""
    asked = pl.concat([batch.distinct.select("query", "bind", "expect") for batch in proofs])
    cited = asked.filter(~pl.col("query").str.contains("[{/]") & pl.col("expect").fill_null(True))
    each = cited.select(pl.col("bind").explode(empty_as_null=False)).unnest("bind")
    relations = each.filter(pl.col("name") == "p")["term"].unique()
    yield from facts.added.filter(pl.col("p").is_in(relations.implode())).to_dicts()
    tables = asked.filter(pl.col("query").str.contains("[{/]") & pl.col("expect").is_null())
    names = pl.col("bind").list.eval(pl.element().struct.field("name"))
    for query, bound in tables.select("query", names).unique(maintain_order=True).iter_rows():
        yield from _new_rows(query, bound, old, new)


def _new_rows(query: str, bound: list[str], old: Graph, new: Graph) -> Iterator[dict[str, str]]:
    """Yield the values of some slots that rows of a table have on the new graph alone."""
    try:
        before, after = (_rows(query, bound, graph) for graph in (old, new))
    except QueryError:  # the audit has said that it does not run
        return
    if before is not None and after is not None:
        yield from after.join(before, on=bound, how="anti").sort(bound).to_dicts()


def _rows(query: str, bound: list[str], graph: Graph) -> pl.DataFrame | None:
    select = table_query(query, bound, graph.base) if bound else None
    return None if select is None else graph.terms(select).select(bound).drop_nulls().unique()
