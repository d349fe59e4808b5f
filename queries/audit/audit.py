"""Run the proofs of items against a graph: is what a benchmark claims still what the graph says?

Only `id` and `proof` of an item are read, many items at a time. Proofs by the library's own queries and by families are
answered set at a time: those of many items are a few joins. Any other query, and a sample of the proofs that were answered in
bulk, is run as it stands.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
from msgspec import to_builtins

from kg.errors import InputError, QueryError
from kg.graph import Graph
from queries.audit.checks import CHECKS, Views
from queries.audit.proofs import Proofs, proof_batches, proofs_of
from queries.audit.rows import NOTHING, TableProofs, answer_columns, rows_reason
from queries.records.item import Proof
from queries.records.response import Lookup
from queries.sandbox import PASSED
from queries.templates.library import find, find_version, versioned
from queries.templates.render import proof_query

Watching = AbstractContextManager[None]
Watched = Callable[[str], Watching]
Apart = Callable[[str], Lookup]
"""Runs a query in a process of its own: what it found, or which limit it passed."""

_SEED = 7  # of the draw of proofs that are run as well: the same ones each time
_UNKNOWN = pl.lit(None, pl.String)
_IRI = r"^<[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\\]*>$"  # the query engine resolves relative IRIs and escapes


@dataclass(frozen=True)
class Failure:
    """A proof that does not hold: the item, the query, its bindings, what is wrong, and whether it returns rows or a truth."""

    item: str
    query: str
    bind: dict[str, str]
    reason: str
    returns_rows: bool = False

    @property
    def lost(self) -> bool:
        """Say whether nothing is left of what was proved: where there are other rows, the question has another answer."""
        return not self.returns_rows or self.reason.endswith(f"found {NOTHING}")


@dataclass(frozen=True)
class Audit:
    """What an audit found.

    `items`, `proofs`: how many were read; `without`: items that carry no proof; `literal`: distinct proofs run as they stand;
    `failures`; `disagreements`: proofs that the sets answer otherwise than the query itself (a fault of this program);
    `unrun`: proofs of the sample that were not run as they stand, since the time for it was over, or to the end;
    `graphs`: name and digest of the graphs that the items say they were made from.
    """

    items: int
    proofs: int
    without: int
    literal: int
    failures: list[Failure]
    disagreements: list[Failure]
    unrun: int = 0
    graphs: frozenset[tuple[str, str]] = frozenset()

    @property
    def failed(self) -> list[str]:
        """The ids of the items of which some proof fails, each once, in order."""
        return list(dict.fromkeys(f.item for f in self.failures))

    @property
    def passed(self) -> bool:
        """Say whether every proof holds."""
        return not self.failures and not self.disagreements


def audit_items(
    graph: Graph,
    items: str | Path | pl.DataFrame | Iterable[Proofs],
    *,
    literal: int = 20,
    seconds: float = math.inf,
    watched: Watched | None = None,
    apart: Apart | None = None,
) -> Audit:
    """Check every proof of some items against a graph.

    Parameters: `items` is the path of a file of items, or their columns `id` and `proof`, or their proofs in batches;
    `literal` is how many of the proofs that are answered in bulk are also run as they stand, drawn evenly over the queries;
    none of them but the first of each query begins after `seconds`. `watched` is what stands around each query that an item
    brings along itself; it is told which. `apart` runs the sample's ASKs under limits: one that passes them counts as not run.
    Raises SourceError naming the line of what is not an item.
    """
    if isinstance(items, str | Path):
        items = proof_batches(items)
    elif isinstance(items, pl.DataFrame):
        items = [proofs_of(items)]
    auditor = _Auditor(graph, literal, seconds, watched, apart)
    for batch in items:
        auditor.check(batch)
    return auditor.finish()


@dataclass(frozen=True)
class _Sample:
    """Proofs that were answered in bulk and are to be run as well.

    `items` has an item's `id` and its proof's `key`, `proofs` has `key, query, bind, expect, rows`, `answers` `key, reason`.
    """

    items: pl.DataFrame
    proofs: pl.DataFrame
    answers: pl.DataFrame


class _Auditor:
    """Checks batches of items: what is pulled from the graph is pulled once for all of them."""

    def __init__(self, graph: Graph, literal: int, seconds: float, watched: Watched | None, apart: Apart | None) -> None:
        self.graph, self.literal, self.seconds, self.watched, self.apart = graph, literal, seconds, watched, apart
        self.views, self.tables = Views(graph), TableProofs(graph)
        self.items = self.proofs = self.without = self.run = 0
        self.failures: list[Failure] = []
        self.samples: list[_Sample] = []
        self.graphs: frozenset[tuple[str, str]] = frozenset()

    def check(self, batch: Proofs) -> None:
        """Check some proofs; of those that are answered in bulk, a sample is kept to be run at the end."""
        known, unknown = _versions(batch.distinct)
        in_bulk = pl.concat([_in_bulk(known, self.views), self.tables.answer(known)])
        run = _one_by_one(known.join(in_bulk, on="key", how="anti"), self.graph, watched=self._of(batch))
        reasons = pl.concat([in_bulk, run, unknown])
        self.items, self.without, self.run = self.items + batch.items, self.without + batch.without, self.run + run.height
        self.proofs, self.graphs = self.proofs + batch.owners.height, self.graphs | batch.graphs
        self.failures += _failures(batch.owners, batch.distinct, reasons.drop_nulls("reason"))
        sample = _drawn(known.join(in_bulk, on="key", how="semi"), self.literal)
        first = batch.owners.unique("key", maintain_order=True).join(sample, on="key", how="semi", maintain_order="left")
        answers = in_bulk.join(sample, on="key", how="semi")
        self.samples.append(_Sample(_copied(first), _copied(sample), _copied(answers)))

    def _of(self, batch: Proofs) -> Callable[[int], Watching] | None:
        around = self.watched

        def watched(key: int) -> Watching:
            item = batch.owners.filter(pl.col("key") == key)["id"][0]
            return around(f"{item}: its own query") if around is not None else nullcontext()

        return watched if around is not None else None

    def finish(self) -> Audit:
        """Run the sample, and return the result."""
        sample = self._sample()
        del self.views, self.tables  # large
        run = _one_by_one(sample.proofs, self.graph, self.seconds, apart=self.apart)  # ours, all of them
        other = sample.answers.join(run, on="key", suffix="_run").filter(~pl.col("reason").eq_missing(pl.col("reason_run")))
        return Audit(
            items=self.items,
            proofs=self.proofs,
            without=self.without,
            literal=self.run + run.height,
            failures=self.failures,
            disagreements=_failures(sample.items, sample.proofs, other.select("key", reason=_both_reasons())),
            unrun=sample.proofs.height - run.height,
            graphs=self.graphs,
        )

    def _sample(self) -> _Sample:
        """Put the samples of all batches together, and take as many proofs as are wanted out of them."""
        items, proofs, answers = (
            pl.concat(_of_batch(getattr(sample, part), number) for number, sample in enumerate(self.samples))
            for part in ("items", "proofs", "answers")
        )
        return _Sample(items, _drawn(proofs, self.literal), answers)


def _of_batch(frame: pl.DataFrame, number: int) -> pl.DataFrame:
    """Make keys, which each batch counts from 0, differ from those of other batches."""
    return frame.with_columns(key=pl.col("key").cast(pl.UInt64) + (number << 32))


def _copied(few: pl.DataFrame) -> pl.DataFrame:
    """Copy some rows: as a part of a frame they would keep all of its texts in memory."""
    return pl.DataFrame(few.to_dict(as_series=False), schema=few.schema)


def _drawn(proofs: pl.DataFrame, n: int) -> pl.DataFrame:
    """Draw `n` proofs, as many of each query as of any other, one of each first.

    The proofs of an item come in a fixed order: taken at even distances they could all be of one query.
    """
    shuffled = proofs.sample(fraction=1.0, shuffle=True, seed=_SEED).with_columns(turn=pl.int_range(pl.len()).over("query"))
    return shuffled.sort("turn", maintain_order=True).drop("turn").head(n)


def _both_reasons() -> pl.Expr:
    bulk, run = (pl.col(c).fill_null("holds") for c in ("reason", "reason_run"))
    return pl.format("in bulk: {}, run: {}", bulk, run)


def _versions(distinct: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Set apart the proofs whose query is not known in that version: (the others, key and reason)."""
    faults = {}
    for query in distinct.filter(~pl.col("query").str.contains("{", literal=True))["query"].unique():
        try:
            # One that names no version is left to its run, which says so.
            find_version(query) if "@" in query else find(query)
        except InputError as error:
            faults[query] = str(error)
    bad = distinct.filter(pl.col("query").is_in(list(faults)))
    reasons = bad.select("key", reason=pl.col("query").replace_strict(faults, default=None, return_dtype=pl.String))
    return distinct.join(bad, on="key", how="anti", maintain_order="left"), reasons


def _in_bulk(distinct: pl.DataFrame, views: Views) -> pl.DataFrame:
    """Answer the proofs that views of the graph can answer: key and reason (null where the proof holds)."""
    answers = [pl.DataFrame(schema={"key": pl.UInt32, "reason": pl.String})]
    cited = distinct.with_columns(name=pl.col("query").str.extract(r"^(\w+)@[0-9a-f]+$")).filter(pl.col("expect").is_not_null())
    for (name, query), part in cited.group_by("name", "query", maintain_order=True):
        check = CHECKS.get(str(name))
        if check is None or query != versioned(str(name)):  # a check answers the installed version alone
            continue
        rows = _bound(part, [*check.required, *check.optional]).drop_nulls(list(check.required))
        iris = [name for name in (*check.required, *check.optional) if name != "radius"]
        rows = rows.with_columns(views.numbers(rows[name]) for name in iris)
        holds = rows.select("key", "expect").with_columns(actual=check.run(views, rows)).drop_nulls("actual")
        answers.append(holds.select("key", reason=_reason()))
    return pl.concat(answers)


def _bound(part: pl.DataFrame, names: list[str]) -> pl.DataFrame:
    """Spread the bindings out: key, expect, and a column per name.

    Left out are the proofs that bind another name, one name twice, or something else than an IRI: what a literal or a faulty
    term means, only the query itself can say.
    """
    each = part.select("key", "bind").explode("bind", empty_as_null=False).unnest("bind")
    fits = pl.col("name").is_in(names) & (pl.col("term").str.contains(_IRI) | (pl.col("name") == "radius"))
    plain = each.group_by("key").agg(plain=fits.fill_null(False).all() & (pl.col("name").n_unique() == pl.len()))
    rows = part.select("key", "expect").join(plain.filter("plain"), on="key", maintain_order="left")
    for name in names:
        column = each.filter(pl.col("name") == name).select("key", pl.col("term").alias(name)).unique("key")
        rows = rows.join(column, on="key", how="left", maintain_order="left")
    return rows


def _reason() -> pl.Expr:
    reason = pl.format("expected {}, found {}", pl.col("expect").cast(pl.String), pl.col("actual").cast(pl.String))
    return pl.when(pl.col("actual") != pl.col("expect")).then(reason).otherwise(_UNKNOWN)


def _one_by_one(
    distinct: pl.DataFrame,
    graph: Graph,
    seconds: float = math.inf,
    watched: Callable[[int], Watching] | None = None,
    apart: Apart | None = None,
) -> pl.DataFrame:
    """Run proofs as they stand: key and reason (null where the proof holds).

    After so many seconds none begins, but for the first of each query. `watched` is given the key of one that is not ours.
    """
    end, begun, rows = time.monotonic() + seconds, set(), []
    for proof in distinct.iter_rows(named=True):
        if proof["query"] not in begun or time.monotonic() < end:
            begun.add(proof["query"])
            foreign = watched is not None and "{" in proof["query"]
            with watched(proof["key"]) if watched is not None and foreign else nullcontext():
                try:
                    rows.append((proof["key"], _run(proof, graph, apart)))
                except _CutOffError:
                    continue
    return pl.DataFrame(rows, schema={"key": distinct.schema["key"], "reason": pl.String}, orient="row")


class _CutOffError(Exception):
    """A query that was run apart passed its limits."""


def _run(proof: Mapping[str, Any], graph: Graph, apart: Apart | None = None) -> str | None:
    """Run one proof; return what is wrong, or None where it holds."""
    try:
        query = proof_query(proof, base=graph.base)
        if (expected := proof["expect"]) is not None:
            actual = graph.ask(query) if apart is None else _truth(apart(query))
            return None if actual == expected else f"expected {str(expected).lower()}, found {str(actual).lower()}"
        frame = graph.select(query)
        columns = answer_columns(proof["query"]) or frame.columns
        rows = {tuple(cell or "" for cell in row) for row in frame.select(columns).iter_rows()}
    except InputError as error:
        return str(error)
    wanted = {tuple(row) for row in proof["rows"] or []}
    return None if rows == wanted else rows_reason(wanted, rows)


def _truth(found: Lookup) -> bool:
    if found.truth is None:
        raise _CutOffError if (found.error or "").endswith(PASSED) else QueryError(str(found.error))
    return found.truth


def proof_fault(proof: Proof, graph: Graph) -> str | None:
    """Run one proof as it stands; return what was expected and found, or None where it holds."""
    return _run(to_builtins(proof), graph)


def _failures(proofs: pl.DataFrame, distinct: pl.DataFrame, reasons: pl.DataFrame) -> list[Failure]:
    listed = proofs.join(reasons, on="key", maintain_order="left").join(distinct, on="key", maintain_order="left")
    return [
        Failure(
            row["id"], row["query"], {b["name"]: b["term"] for b in row["bind"] or []}, row["reason"], row["rows"] is not None
        )
        for row in listed.iter_rows(named=True)
    ]
