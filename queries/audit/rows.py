"""Proofs that choose rows of one table by their values, answered by running the table's SELECT once.

A proof by a family binds slots of its SELECT: what it returns are the rows of the whole that have these values. So the whole
is pulled once per query, and all its proofs are joins; what is long lies in files and is joined piece by piece. Which queries
are of that kind is for `Queries.table` to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from kg.errors import QueryError
from kg.files import Folder, aside
from kg.graph import Graph
from kg.terms import texts_of

__all__ = ["TableRows", "Tables"]

_RESULT = {"key": pl.UInt32, "reason": pl.String}


class Tables(Protocol):
    """Says what table a proof chooses rows of."""

    def table(self, query: str, names: Sequence[str]) -> str | None:
        """Return a SELECT of all rows, with `names` among its columns; None where the proof must be run as it stands."""
        ...

    def columns(self, proof: Mapping[str, Any]) -> list[str] | None:
        """Return the variables that a SELECT proof's `rows` hold, or None for all."""
        ...


class TableRows:
    """Answers what tables can answer, for any number of batches; each table is pulled once."""

    def __init__(self, graph: Graph, queries: Tables) -> None:
        self.graph, self.queries = graph, queries
        self.pulled: dict[str, _Table | None] = {}

    def answer(self, distinct: pl.DataFrame) -> pl.DataFrame:
        """Return key and reason (null where the proof holds).

        `distinct` has `key, query, bind, expect, rows`. What finds no row, though it should, is left to the query itself: it
        may name a value in another spelling (`1` for `01`).
        """
        names = pl.col("bind").list.eval(pl.element().struct.field("name"))
        told = distinct.with_columns(names=names).filter(names.list.len() == names.list.n_unique(), names.list.len() > 0)
        found = [pl.DataFrame(schema=_RESULT)]
        for (query, bound), part in told.group_by("query", "names", maintain_order=True):
            select = self.queries.table(str(query), list(bound))
            table = self._table(select, part.height) if select is not None else None
            if table is not None and table.unbound.isdisjoint(bound):
                shown = self.queries.columns({"query": query}) or table.columns
                proofs = _spread(part, list(bound))
                found.append(_answered(proofs, table.rows(proofs, list(bound)), list(bound), shown))
        return pl.concat(found)

    def _table(self, select: str, proofs: int) -> _Table | None:
        """Return a table, or None where it does not pay (one proof), or where the proof itself, run, says what is wrong."""
        if select not in self.pulled and proofs > 1:
            try:
                self.pulled[select] = _Table(self.graph.term_pieces(select))
            except QueryError:
                self.pulled[select] = None
        return self.pulled.get(select)


class _Table:
    """What a SELECT returns: in memory where it came in one piece, else in files, from which rows are taken piece by piece.

    `unbound` are the columns that have no term in some row.
    """

    def __init__(self, pieces: Iterator[pl.DataFrame]) -> None:
        first, second = next(pieces), next(pieces, None)
        self.columns, self.unbound = first.columns, set[str]()
        self._folder = Folder() if second is not None else None
        more = [] if second is None else [second]
        self._pieces = [self._kept(piece, n) for n, piece in enumerate(chain([first], more, pieces))]

    def _kept(self, piece: pl.DataFrame, number: int) -> pl.DataFrame | Path:
        self.unbound.update(name for name in piece.columns if piece[name].null_count())
        if self._folder is None:
            return piece
        path = self._folder.path / f"{number}.arrow"
        with aside():
            piece.write_ipc(path)
        return path

    def rows(self, proofs: pl.DataFrame, names: list[str]) -> pl.DataFrame:
        """Return the rows that have the terms of some proof (`0`, `1`, …: of each of the names)."""
        bound = proofs.select(pl.col(str(i)).alias(name) for i, name in enumerate(names))
        frames = (pl.read_ipc(piece) if isinstance(piece, Path) else piece for piece in self._pieces)
        return pl.concat([frame.join(bound, on=names, how="semi") for frame in frames])


def _spread(part: pl.DataFrame, names: list[str]) -> pl.DataFrame:
    """Put each binding in a column of its own, `0`, `1`, …"""
    terms = pl.col("bind").list.eval(pl.element().struct.field("term"))
    return part.with_columns(terms.list.get(i).alias(str(i)) for i in range(len(names)))


def _answered(proofs: pl.DataFrame, whole: pl.DataFrame, names: list[str], shown: list[str]) -> pl.DataFrame:
    texts = pl.DataFrame([texts_of(whole[c]).fill_null("").alias(c) for c in shown])
    rows = whole.select(pl.col(name).alias(str(i)) for i, name in enumerate(names))
    on = rows.columns
    rows = rows.with_columns(found=texts.select(pl.concat_str(pl.all(), separator="\0")).to_series()).unique()
    sets = rows.group_by(on).agg("found")
    proofs = proofs.with_columns(wanted=pl.col("rows").list.eval(pl.element().list.join("\0")).list.unique())
    joined = proofs.join(sets, on=on, how="left", maintain_order="left")
    unsure = pl.col("found").is_null() & (pl.col("expect").fill_null(pl.col("rows").list.len() > 0))
    return joined.filter(~unsure).select("key", reason=_reason()).cast(_RESULT)  # type: ignore[arg-type]


def _reason() -> pl.Expr:
    """What is wrong, as running the proof would say."""
    there = pl.col("found").is_not_null()
    asked = pl.format("expected {}, found {}", pl.col("expect").cast(pl.String), there.cast(pl.String))
    found, wanted = (pl.col(c).fill_null(pl.lit([], pl.List(pl.String))) for c in ("found", "wanted"))
    common = found.list.set_intersection(wanted).list.len()
    differ = (common != found.list.len()) | (common != wanted.list.len())
    said = pl.format("expected {} rows, found {}, {} of them in common", wanted.list.len(), found.list.len(), common)
    of_ask = pl.when(there != pl.col("expect")).then(asked)
    return pl.when(pl.col("expect").is_not_null()).then(of_ask).otherwise(pl.when(differ).then(said))
