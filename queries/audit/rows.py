"""Proofs that choose rows of one table by their values, answered by running the table's SELECT once.

A proof by a family binds slots of its SELECT, so what it returns are the rows of the whole result that have these values. The
whole is pulled once per query, and all its proofs are joins; a result that comes in several pieces lies in files and is joined
piece by piece.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

import polars as pl

from kg.errors import QueryError
from kg.files import Folder, aside
from kg.graph import Graph
from kg.terms import texts_of
from queries.errors import TemplateError
from queries.templates.library import find_version
from queries.templates.template import inline

_ANSWERS = {"key": pl.UInt32, "reason": pl.String}
_BETWEEN = "\0"  # stands between the cells of a row: set operations of polars compare texts, but no lists
NOTHING = "nothing"
"""What is said of no rows."""
_SHOWN = 3
"""How many of the rows that differ are named."""


class TableProofs:
    """Answers the proofs that choose rows of a table, for any number of batches; each table is pulled once."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.tables: dict[str, _Table | None] = {}

    def answer(self, distinct: pl.DataFrame) -> pl.DataFrame:
        """Return key and reason (null where the proof holds) of the proofs that a table can answer.

        `distinct` has `key, query, bind, expect, rows`. A proof that finds no row, though it should, is left to the query
        itself: it may name a value in another spelling (`1` for `01`).
        """
        names = pl.col("bind").list.eval(pl.element().struct.field("name"))
        bound_once = distinct.with_columns(names=names).filter(names.list.len() == names.list.n_unique(), names.list.len() > 0)
        answers = [pl.DataFrame(schema=_ANSWERS)]
        for (query, bound), part in bound_once.group_by("query", "names", maintain_order=True):
            names_bound = list(bound)
            select = table_query(str(query), names_bound, self.graph.base)
            table = self._table(select, part.height) if select is not None else None
            # A null equals nothing in a join, but VALUES would bind an unbound variable: the query itself decides there.
            if table is not None and table.unbound.isdisjoint(names_bound):
                proofs = _spread(part, len(names_bound))
                columns = answer_columns(str(query)) or table.columns
                answers.append(_answered(proofs, table.rows(proofs, names_bound), names_bound, columns))
        return pl.concat(answers)

    def _table(self, select: str, proofs: int) -> _Table | None:
        """Return a table, or None where it does not pay (one proof), or where the proof itself, run, says what is wrong."""
        if select not in self.tables and proofs > 1:
            try:
                self.tables[select] = _Table(self.graph.term_pieces(select))
            except QueryError:
                self.tables[select] = None
        return self.tables.get(select)


class _Table:
    """What a SELECT returns: in memory where it came in one piece, else in files, from which rows are taken piece by piece.

    `unbound` are the columns that have no term in some row.
    """

    def __init__(self, pieces: Iterator[pl.DataFrame]) -> None:
        first, second = next(pieces), next(pieces, None)
        self.columns, self.unbound = first.columns, set[str]()
        self._folder = Folder() if second is not None else None
        more = [] if second is None else [second]
        self._pieces = [self._stored(piece, n) for n, piece in enumerate(chain([first], more, pieces))]

    def _stored(self, piece: pl.DataFrame, number: int) -> pl.DataFrame | Path:
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


def _spread(part: pl.DataFrame, count: int) -> pl.DataFrame:
    """Put each binding in a column of its own, called `0`, `1`, … because a variable may be called `key` or `rows`."""
    terms = pl.col("bind").list.eval(pl.element().struct.field("term"))
    return part.with_columns(terms.list.get(i).alias(str(i)) for i in range(count))


def _answered(proofs: pl.DataFrame, table: pl.DataFrame, names: list[str], columns: list[str]) -> pl.DataFrame:
    """Compare the rows that each proof expects (of these columns) with those that the table has for its values."""
    texts = pl.DataFrame([texts_of(table[c]).fill_null("").alias(c) for c in columns])
    rows = table.select(pl.col(name).alias(str(i)) for i, name in enumerate(names))
    on = rows.columns
    rows = rows.with_columns(actual=texts.select(pl.concat_str(pl.all(), separator=_BETWEEN)).to_series()).unique()
    sets = rows.group_by(on).agg("actual")
    proofs = proofs.with_columns(expected=pl.col("rows").list.eval(pl.element().list.join(_BETWEEN)).list.unique())
    joined = proofs.join(sets, on=on, how="left", maintain_order="left")
    unsure = pl.col("actual").is_null() & (pl.col("expect").fill_null(pl.col("rows").list.len() > 0))
    return _with_reasons(joined.filter(~unsure)).cast(_ANSWERS)  # type: ignore[arg-type]


def _with_reasons(answered: pl.DataFrame) -> pl.DataFrame:
    """Say of each key what is wrong, in the words of a proof that is run on its own."""
    there = pl.col("actual").is_not_null()
    other_truth = pl.format("expected {}, found {}", pl.col("expect").cast(pl.String), there.cast(pl.String))
    actual, expected = (pl.col(c).fill_null(pl.lit([], pl.List(pl.String))) for c in ("actual", "expected"))
    common = actual.list.set_intersection(expected).list.len()
    differ = (common != actual.list.len()) | (common != expected.list.len())
    asks = pl.col("expect").is_not_null()
    truths = answered.select("key", reason=pl.when(asks & (there != pl.col("expect"))).then(other_truth))
    wrong = answered.filter(~asks & differ).select("key", expected, actual)
    reasons = [rows_reason(map(_cells, expected), map(_cells, actual)) for _, expected, actual in wrong.iter_rows()]
    of_rows = wrong.select("key", pl.Series("other", reasons, pl.String))
    return truths.join(of_rows, on="key", how="left").select("key", pl.coalesce("other", "reason").alias("reason"))


def _cells(row: str) -> list[str]:
    return row.split(_BETWEEN)


def rows_reason(expected: Iterable[Sequence[str]], actual: Iterable[Sequence[str]]) -> str:
    """Say which rows a SELECT was to return and did not, and which it returned instead.

    >>> rows_reason([["Bonn"]], [["Berlin"]]), rows_reason([], [["Bonn", "1949"]])
    ('expected Bonn, found Berlin', 'expected nothing, found (Bonn, 1949)')
    >>> rows_reason([["Bonn"]], [["Berlin"], ["Bonn"]]), rows_reason([["Berlin"], ["Bonn"]], [["Bonn"]])
    ('expected Bonn, found Berlin too', 'expected Berlin too, found Bonn')
    """
    wanted, found = ({tuple(row) for row in rows} for rows in (expected, actual))
    lacking, more = wanted - found, found - wanted
    if not lacking:
        return f"expected {_listed(wanted)}, found {_listed(more)}" + (" too" if wanted else "")
    if not more:
        return f"expected {_listed(lacking)}" + (" too" if found else "") + f", found {_listed(found)}"
    return f"expected {_listed(lacking)}, found {_listed(more)}"


def _listed(rows: Collection[tuple[str, ...]]) -> str:
    texts = [row[0] if len(row) == 1 else f"({', '.join(row)})" for row in sorted(rows)[:_SHOWN]]
    return (", ".join(texts) + (f" and {len(rows) - _SHOWN} more" if len(rows) > _SHOWN else "")) or NOTHING


# --- which queries choose rows --------------------------------------------------------------------------------------------


def answer_columns(query: str) -> list[str] | None:
    """Return the variables that the `rows` of a SELECT proof hold: a family's answer slots, or None for all.

    Parameters: `query` is what a proof cites, `name@version` or SPARQL itself.
    Raises TemplateError where its template or version is not known.

    >>> answer_columns("SELECT ?b { ?a <a:p> ?b }")
    ['b']
    """
    if "{" in query:
        slots = list(inline(query).slots)
        return None if "*" in slots else slots
    return list(find_version(query).front.answers) or None


def table_query(query: str, names: Sequence[str], base: str | None = None) -> str | None:
    """Return the SELECT whose rows a proof chooses by the values of `names`; None where it does more than choose.

    Parameters: `query` is what a proof cites; `base` is what relative IRIs are relative to.

    >>> table_query("SELECT DISTINCT ?b { { SELECT ?a ?b { ?a <a:p> ?b } } }", ["a"])
    'SELECT DISTINCT ?b ?a { { SELECT ?a ?b { ?a <a:p> ?b } } }'
    """
    try:
        if "{" in query:
            return _table_of_inline(query, names, base)
        template = find_version(query)
    except TemplateError:  # running the proof will say what is wrong
        return None
    chooses = template.front.is_family and template.form == "select" and set(names) <= set(template.slots)
    return template.bind(base=base) if chooses else None


def _table_of_inline(query: str, names: Sequence[str], base: str | None) -> str | None:
    """Project the names as well: right where one group in braces is all there is, so that values only join it."""
    shape = inline(query).shape
    body = shape.tokens[shape.open_at + 1 : shape.close_at]
    alone = _is_one_group([token.word for token in body]) and shape.close_at == len(shape.tokens) - 1
    if shape.form != "select" or not alone or shape.nested_select or "*" in shape.slots:
        return None
    if any(token.word in ("AS", "REDUCED") for token in shape.tokens[shape.form_at : shape.head_end]):
        return None
    more = "".join(f" ?{name}" for name in names if name not in shape.slots)
    at = shape.tokens[shape.head_end - 1].end
    return inline(query[:at] + more + query[at:]).bind(base=base)


def _is_one_group(words: Sequence[str]) -> bool:
    depth, closed = 0, 0
    for word in words:
        if closed:
            return False
        depth += (word == "{") - (word == "}")
        closed += depth == 0
    return bool(closed)
