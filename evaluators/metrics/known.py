"""Which entities a model knows, by its probes, and the populations that follow (ERBench, section 4, appendix B.1 to B.3).

```
python -c 'import evaluators.metrics.known as k; help(k.knowledge)'
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
```
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from evaluators.metrics.scope import JUDGED, known_groups
from evaluators.metrics.table import NOWHERE

__all__ = ["ENOUGH", "Knowledge", "in_populations", "knowledge"]

ENOUGH = 10
"""With fewer entities a number says nothing (tables 3 and 8)."""

_RUN = ("model", "run")


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The entities a model knows: `own` by `model, run, family, group`, `common` by `family, group`; `sizes` counts them."""

    own: pl.DataFrame
    common: pl.DataFrame
    sizes: pl.DataFrame


def knowledge(asked: pl.DataFrame, questions: pl.DataFrame, *, as_published: bool = False) -> Knowledge:
    """Read from the probes among `asked` which entities of the `questions` each model knows.

    As published, "unsure" is no sign of not knowing.
    """
    passing = ["correct", "abstained"] if as_published else ["correct"]
    probe, passed = pl.col("task") == "probe", pl.col("state").is_in(passing)
    entities = questions.select(*_RUN, "family", "group").unique(maintain_order=True)
    probed = asked.filter(probe & JUDGED)["group"].unique()
    own = entities.join(known_groups(asked, probe, passed), on=[*_RUN, "group"], how="semi", nulls_equal=True)
    tested = entities.filter(pl.col("group").is_in(probed.implode()))
    sizes = tested.group_by(*_RUN, "family", maintain_order=True).len("entities")
    sizes = sizes.join(own.group_by(*_RUN, "family").len("known"), on=[*_RUN, "family"], how="left", nulls_equal=True)
    sizes = sizes.with_columns(pl.col("known").fill_null(0))
    common = _common(own, sizes)
    shared = common.group_by("family").len("common")
    sizes = sizes.join(shared, on="family", how="left").with_columns(pl.col("common").fill_null(0))
    return Knowledge(own, common, sizes.with_columns(pl.col("entities", "known", "common").cast(pl.Int64)))


def _common(own: pl.DataFrame, sizes: pl.DataFrame) -> pl.DataFrame:
    """Return the entities that every model knows, of those that know enough of their family."""
    able = sizes.filter(pl.col("known") >= ENOUGH).select(*_RUN, "family")
    needed = able.group_by("family").len("needed")
    by = own.join(able, on=[*_RUN, "family"], how="semi", nulls_equal=True).group_by("family", "group").len("have")
    return by.join(needed, on="family").filter(pl.col("have") == pl.col("needed")).select("family", "group")


def in_populations(valued: pl.DataFrame, known: Knowledge, values: Sequence[str]) -> pl.DataFrame:
    """Return the answers once for each population (column `population`).

    Where there are too few entities, the answers stay and their `values` are null: "n/a".

    Parameters: the dimension `run` of `valued` is named (not null).
    """
    sizes = known.sizes.with_columns(pl.col("run").fill_null(NOWHERE))
    own = known.own.with_columns(pl.col("run").fill_null(NOWHERE), inside=pl.lit(True))
    tested = valued.join(sizes, on=[*_RUN, "family"])
    few = pl.col("known") < ENOUGH
    parts = [valued.with_columns(population=pl.lit("all"))]
    for name, members, keys, na in (
        ("known", own, [*_RUN, "family", "group"], few),
        ("common", known.common.with_columns(inside=pl.lit(True)), ["family", "group"], few | (pl.col("common") < ENOUGH)),
    ):
        marked = tested.join(members, on=keys, how="left", maintain_order="left").with_columns(na.alias("na"))
        kept = marked.filter(pl.col("na") | pl.col("inside")).with_columns(pl.when(~pl.col("na")).then(pl.col(values)))
        parts.append(kept.with_columns(population=pl.lit(name)).select(parts[0].columns))
    return pl.concat(parts)
