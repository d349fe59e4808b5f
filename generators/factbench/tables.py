"""How popular subjects are, and the articles about them: by files beside a graph, or by what links there.

PageRank by power iteration: Page, Brin, Motwani, Winograd: The PageRank Citation Ranking (1999), section 2. networkx computes
the same (a test compares them), but needs SciPy for it, which is a third of a gigabyte that nothing else here would use.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from generators.graph_columns import GraphColumns, ints
from kg.errors import InputError
from kg.sets import Ints
from kg.sources._rows import read_table
from kg.text import fold_all


def read_popularity(path: str) -> pl.DataFrame:
    """Read `id` and a number of each subject (a column `popularity`, `views` or `sitelinks`): columns id, popularity.

    Raises InputError where the file cannot be read so, or a number is none.
    """
    name = next((column for column in ("popularity", "views", "sitelinks") if column in _columns(path)), "popularity")
    table = read_table(Path(path), ["id", name])
    number = table.frame[name].cast(pl.Float64, strict=False)
    bad = (number.is_null() | number.is_nan()).arg_true()
    if len(bad):
        row = int(bad[0])
        raise table.fault(row, f"'{table.frame[name][row]}' is no number", "write how popular it is, such as its page views")
    if table.frame.is_empty():
        raise InputError("says of nothing how popular it is", place=path, way_out="write an id and a number a row")
    return table.frame.select("id").with_columns(popularity=number)


def pagerank_of(columns: GraphColumns) -> pl.DataFrame:
    """Compute how popular each entity is by what links there: columns id, popularity.

    A fact is a link from its subject to its object.
    """
    s, o = (ints(columns.facts[end]) for end in "so")
    return pl.DataFrame({"id": columns.entities["iri"], "popularity": pagerank(columns.n, s, o)})


def read_articles(path: str) -> pl.DataFrame:
    """Read JSON Lines with `id` and `text`: columns id, text.

    Raises InputError where the file cannot be read so.
    """
    frame = read_table(Path(path), ["id", "text"]).frame.select("id", "text").drop_nulls()
    if frame.is_empty():
        raise InputError("has no article", place=path, way_out='write {"id": "Q42", "text": "…"} a line')
    return frame


def _columns(path: str) -> list[str]:
    try:
        return read_table(Path(path), ["id"]).frame.columns
    except InputError:
        return []


def by_subject(given: pl.DataFrame, entities: pl.DataFrame) -> pl.DataFrame:
    """Join a file's numbers by IRI, by the last part of one (a Q-id), or by label: s, popularity."""
    named = _matched(given, entities)
    return named.group_by("s").agg(pl.col("popularity").max())


def _matched(given: pl.DataFrame, entities: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of a file by subject `s`: its `id` is an IRI, the end of one, or a label."""
    last = entities["iri"].str.extract(r"([^/#]+)$")
    names = [entities["iri"], last, entities["label"]]
    parts = [given.join(pl.DataFrame({"id": name, "s": entities["iri"]}).drop_nulls(), on="id") for name in names]
    return pl.concat(parts).unique(maintain_order=True)


def unsupported(rows: pl.DataFrame, articles: pl.DataFrame, entities: pl.DataFrame) -> pl.Series:
    """Tell of each fact whether its subject's article lacks every accepted answer; also where there is no article."""
    texts = _matched(articles, entities).group_by("s").agg(text=pl.col("text").str.join(" "))
    texts = texts.with_columns(text=pl.format(" {} ", fold_all(texts["text"])))
    each = rows.select("s", "answers").with_row_index("row").explode("answers").drop_nulls("answers")
    each = each.with_columns(folded=fold_all(each["answers"])).join(texts, on="s", maintain_order="left")
    there = each.filter(pl.col("text").str.contains(pl.format(" {} ", "folded"), literal=True))["row"].unique()
    supported = np.zeros(rows.height, bool)
    supported[there.to_numpy()] = True
    return pl.Series(~supported)


_DAMPING = 0.85
_CLOSE = 1e-10  # of the whole; what is left after that many rounds is far below the decimals that are kept
_ROUNDS = 500
_DECIMALS = 6


def pagerank(n: int, source: Ints, target: Ints) -> npt.NDArray[np.float64]:
    """Return the rank of each of `n` nodes, times `n`: their mean is 1.

    Parameters: an edge leads from `source[i]` to `target[i]`; several between the same two count as many times. A node from
    which no edge leads gives its rank to all alike. Rounded to six decimals, so that nodes in like places are equal, and the
    order of edges and nodes does not show.

    >>> pagerank(3, np.array([0, 1]), np.array([2, 2])).tolist()
    [0.638298, 0.638298, 1.723404]
    """
    if n == 0:
        return np.empty(0)
    degree = np.bincount(source, minlength=n)
    share = 1 / np.maximum(degree, 1)
    ends = degree == 0
    rank = np.ones(n)
    for _ in range(_ROUNDS):
        given = np.bincount(target, (rank * share)[source], n)
        new = 1 - _DAMPING + _DAMPING * (given + rank[ends].sum() / n)
        moved = np.abs(new - rank).sum()
        rank = new
        if moved < _CLOSE * n:
            break
    return rank.round(_DECIMALS)
