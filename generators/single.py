"""Whether a relation has one object of each subject, or one of several: what a question may ask for as "the" object.

That a graph has one object of a subject says little: it may lack the others. So it is judged by the relation: which share of
all its subjects has one, counted in the graph of each kind of subject (who is known to lack some among the others), and the
share that is measured in Wikidata (`single.toml`), as a graph that holds a part of what is known shows too few.
Source: Yuan et al.: FACT-BENCH (2024), section 2.1, "specificity".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import polars as pl

from kg.formats import shipped_toml

_ONE, _ONE_OF_MANY = 0.85, 0.95
"""Of a relation's subjects at least this share must have one object (of one that is known to have several: nearly all)."""
_SUBJECTS = 10
"""So many subjects tell how many objects a relation has."""


@dataclass(frozen=True)
class World:
    """How many objects a relation has in the world: the share of subjects with `one`, `many` more often than not, `open`."""

    one: float | None = None
    many: bool = False
    open: bool = False


@cache
def in_the_world() -> Mapping[str, World]:
    """Return what is known of relations by P-id, as `single.toml` has it.

    >>> in_the_world()["P37"].one, in_the_world()["P86"].open
    (0.75, True)
    """
    tables = shipped_toml("generators", "single.toml")
    return {name: World(**table) for name, table in tables.items()}


def shares_of_one(rows: pl.DataFrame) -> pl.DataFrame:
    """Count what share of subjects has one known value: property, subject_kind, subjects, share; kind null is all of them.

    Parameters: `rows` has s, property, subject_kind, `n` (how many values), `incomplete` (true or null) and `agrees`
    (false: another fact speaks against it, so that it is not counted).
    """
    known = ((pl.col("n") == 1) & pl.col("incomplete").is_null()).all()
    one = rows.group_by("property", "subject_kind", "s").agg(pl.col("agrees").any(), one=known).filter("agrees")
    counts = {"subjects": pl.len(), "share": pl.col("one").mean()}
    every = one.group_by("property").agg(**counts).with_columns(subject_kind=pl.lit(None, pl.String))
    kinds = one.drop_nulls("subject_kind").group_by("property", "subject_kind").agg(**counts)
    return pl.concat([every.select(kinds.columns), kinds]).sort("property", "subject_kind")


def often_several(rows: pl.DataFrame, shares: pl.DataFrame, world: Mapping[str, World]) -> pl.Series:
    """Tell of each fact whether its property often has several values, of subjects of its kind or, of few of these, of all.

    Parameters: `rows` has property and subject_kind; `shares` is of `shares_of_one`.
    """
    of_all = shares.filter(pl.col("subject_kind").is_null()).select("property", all="share", many="subjects")
    of_kind = shares.filter(pl.col("subjects") >= _SUBJECTS).drop_nulls("subject_kind").drop("subjects")
    marked = rows.select("property", "subject_kind").join(of_all, on="property", how="left", maintain_order="left")
    marked = marked.join(of_kind, on=["property", "subject_kind"], how="left", maintain_order="left")
    of_many = pl.col("property").is_in([name for name, known in world.items() if known.many])
    least = pl.when(of_many).then(_ONE_OF_MANY).otherwise(_ONE)
    one = {name: 0.0 if known.open else known.one for name, known in world.items()}
    known = pl.col("property").replace_strict(one, default=None, return_dtype=pl.Float64)
    of_few = pl.when(known < least).then(True).when(of_many).then(pl.min_horizontal("all", "share") < _ONE_OF_MANY)
    return (
        marked.select(of_few.otherwise((pl.coalesce("share", "all") < _ONE) & (pl.col("many") >= _SUBJECTS)))
        .to_series()
        .fill_null(False)
    )
