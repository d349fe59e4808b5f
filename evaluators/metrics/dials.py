"""Break-down curves: answers from changed passages by the level of each dial that a passage was made with.

    EM, F1, Entail., correct = as in `evaluators.metrics.autodebug`, over the passages of one level

A dial is a stratum of the items: how far from the subject a swapped answer is and how popular, how many sentences are added
about each other thing and how close these are, where the supporting sentence stands, how long the passage is. No paper has
them; a dial of which there is one level only says nothing and has no table. The original passages are a category of their own,
`original`. Levels stand in the order of the dial, not of the alphabet.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from evaluators.metrics.table import Measure, Table, rates

DIALS = {
    "distance": ("By distance of the swapped answer", ("near", "far")),
    "answer_popularity": ("By popularity of the swapped answer", ("more", "less")),
    "added": ("By number of added sentences about each other thing", ("one", "two")),
    "closeness": ("By closeness of what is added", ("near", "far")),
    "place": ("By place of the supporting sentence", ("first", "middle", "last")),
    "length": ("By length of the passage", ("short", "medium", "long")),
}
"""By stratum: the title of its table, and its levels in order."""
_SOURCE = "a dial of ours; no paper has it"


def dial_tables(scored: pl.DataFrame, strata: pl.DataFrame | None, measures: Sequence[Measure], note: str) -> list[Table]:
    """Return a table for each dial of which there are two levels or more.

    Parameters: `scored` has an answer a row, with item, group, model, method, exemplars, category and the measures; `strata`
    every stratum of every item.
    """
    found = [] if strata is None else [dial for dial in DIALS if dial in strata.columns]
    return [table for dial in found if (table := _table(scored, strata, dial, measures, note)) is not None]


def _table(
    scored: pl.DataFrame, strata: pl.DataFrame | None, dial: str, measures: Sequence[Measure], note: str
) -> Table | None:
    title, levels = DIALS[dial]
    if strata is None:
        return None
    said = strata.select("item", dial).filter(pl.col(dial).is_in(levels)).unique("item")
    rows = scored.drop(dial, strict=False).join(said, on="item")
    if rows[dial].n_unique() < 2:
        return None
    dims = ["model", "method", "exemplars", "category", dial]
    frame = rates(rows, dims, {measure.name: pl.col(measure.name) for measure in measures})
    order = {level: place for place, level in enumerate(levels)}
    frame = frame.sort(*dims[:-1], pl.col(dial).replace_strict(order, return_dtype=pl.Int64))
    return Table.of(f"autodebug.{dial}", (title, _SOURCE, note), measures, frame)
