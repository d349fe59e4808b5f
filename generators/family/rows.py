"""The rows of a family: what its SELECT returns, what is said of it, and which rows can be asked about.

A column per slot holds what is said (`title`); beside it stand its term, its normal form, and the other names it goes by.

```
python -m generators.family erbench/movie --store ./films
```
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import polars as pl

from generators.family.query import ASKED
from kg.graph import Graph
from kg.terms import is_iri, texts_of
from kg.text import fold_all
from queries.templates.library import find
from queries.templates.template import Template

__all__ = ["GROUP", "Names", "Rows", "aka", "norm", "normal", "others", "rows_of", "term"]


GROUP = "\0group"
"""The column of a fact's group; what is ours in a frame begins so, since a slot may have any name."""


def term(slot: str) -> str:
    """Name the column of a slot's terms."""
    return f"{slot}\0term"


def norm(slot: str) -> str:
    """Name the column of a slot's normal forms."""
    return f"{slot}\0norm"


def aka(slot: str) -> str:
    """Name the column of a slot's other names (lists)."""
    return f"{slot}\0aka"


def others(slot: str) -> str:
    """Name the column of the values that a slot of several values has beside the first (lists)."""
    return f"{slot}\0others"


@dataclass(frozen=True)
class Rows:
    """Distinct rows of a family's SELECT, sorted, and the type of each slot that it shows by itself.

    `frame` has for each slot what is said, its term, its normal form and its other names, and `ASKED`.
    """

    frame: pl.DataFrame
    kinds: dict[str, str]


def rows_of(results: pl.DataFrame, template: Template, names: Names) -> pl.DataFrame:
    """Return what the results of a family's SELECT say: distinct rows, sorted, with the columns of `Rows`."""
    asked = pl.col(ASKED).str.starts_with('"true"')
    frame = results.with_columns(asked.alias(ASKED))
    frame = frame.unique()  # one name for all steps, since each is as large as what the query returned
    frame = frame.sort(template.slots, nulls_last=True)
    columns = [named for slot in template.slots for named in names.columns(slot, frame[slot], slot == template.front.image)]
    return pl.DataFrame(columns).with_columns(frame[ASKED])


class Names:
    """The labels and other names of entities, pulled when the first slot holds one."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def columns(self, slot: str, terms: pl.Series, picture: bool) -> list[pl.Series]:
        said = texts_of(terms)
        aliases = pl.Series(aka(slot), [None], dtype=pl.List(pl.String)).new_from_index(0, terms.len())
        if terms.len() and not picture and bool(terms.str.starts_with("<").any()):
            said, aliases = self._named(terms, said)
        said = pl.select(pl.when(said.str.strip_chars() != "").then(said)).to_series()
        return [said.alias(slot), terms.alias(term(slot)), normal(said).alias(norm(slot)), aliases.alias(aka(slot))]

    def _named(self, terms: pl.Series, plain: pl.Series) -> tuple[pl.Series, pl.Series]:
        """Entities are called by their label; one without a label has no name."""
        frame = pl.DataFrame({"term": terms, "e": plain})
        for names in self.known:
            frame = frame.join(names, on="e", how="left", maintain_order="left")
        said = pl.when(is_iri(pl.col("term"))).then("label").otherwise("e")
        return frame.select(said).to_series(), frame["aka"]

    @cached_property
    def known(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Every entity's label (the first in order), and its other names."""
        labels = self.graph.select(find("labels").bind())
        one = labels.group_by("e").agg(pl.col("label").min())
        others = pl.concat([self.graph.select(find("aliases").bind()).rename({"alias": "label"}), labels])
        extra = others.join(one, on=["e", "label"], how="anti").unique().sort("e", "label")
        return one, extra.group_by("e", maintain_order=True).agg(aka="label")


_NUMBER = r"^\s*([+-]?)0*(\d*?)(?:\.(\d*?)0*)?\s*$"


def normal(said: pl.Series) -> pl.Series:
    """Bring what is said to its normal form: numbers by their value, everything else folded; null stays null.

    >>> normal(pl.Series(["-15.0", "15", "+15", "Éa!", None])).to_list()
    ['-15', '15', '15', 'ea', None]
    """
    frame = pl.DataFrame({"said": said.cast(pl.String)})
    parts = pl.col("said").str.extract_groups(_NUMBER)
    whole_part, rest = parts.struct.field("2"), parts.struct.field("3").fill_null("")
    integer = pl.when(whole_part == "").then(pl.lit("0")).otherwise(whole_part)
    size = pl.when(rest == "").then(integer).otherwise(integer + "." + rest)
    size = pl.when(pl.col("said").str.contains(r"\d")).then(size)
    sign = pl.when((parts.struct.field("1") == "-") & (size != "0")).then(pl.lit("-")).otherwise(pl.lit(""))
    numbers = frame.select(sign + size).to_series()
    words = fold_all(pl.select(pl.when(numbers.is_null()).then(frame["said"])).to_series())
    return pl.select(pl.coalesce(numbers, words)).to_series()
