"""Answers from changed passages, after AutoDebug (Yu et al., 2023), sections 3.1, 3.2 and 3.4.

Over the questions with a passage (task `context`), each text for itself (votes aside); EM and F1 are explained in
`evaluators.metrics.text`:

    EM, F1  = mean over the texts                                                  (section 3.1)
    Entail  = texts that, after their question, entail question and answer / texts (section 3.1; `evaluators.entailment`)
    correct = correct / answers, by the verdicts; for comparison
    merged  = the same over pairs: a question counts as the worse of its two expansions (section 3.2, table 3)
    change  = value with other exemplars - value with the original ones, on the questions that both answered (table 6)

How a model was asked is in the name of its run, `METHOD` or `METHOD/EXEMPLARS`: `closed-book`, `open-book` and `faithful`;
`original`, `swap` and `enrich` are kinds of exemplars, `original` the one that others are compared with. The category is the
item's stratum `category`, else 1 for the variant `swap` and 2 for `enrich`; the expansion is the stratum `expansion`. An attack
is `self` where the model itself was the pivot (`source.pivot`) that made the item, else `cross` (section 3.4, tables 4 and 5).

| outcome | EM, F1, Entail | as published |
|---|---|---|
| correct, incorrect, abstained, no verdict | of the text | the same |
| unscored, whatever the reason | left out | of the text (an empty one scores 0) |
| an error instead of a text | left out | left out |

A pair with one answer only is no pair, and is left out of `merged`.

Break-down curves are ours: the same measures by the level of a dial, a stratum that says how a passage was made (how far
from the subject a swapped answer is, how many sentences are added). A dial of one level says nothing and has no table; the
original passages are a category of their own, `original`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import polars as pl

from evaluators.errors import JoinError
from evaluators.metrics.answers import Answers, named
from evaluators.metrics.table import NOWHERE, Measure, Table, rates
from evaluators.metrics.text import CORRECT, EM, F1, text_scores, text_values
from evaluators.statistics import clustered_mean

_SOURCE = "AutoDebug (Yu et al., 2023), "
_NOTE = (
    "From the texts, each for itself; unscored ones are left out. Merged: a question counts as the worse of its two expansions."
)
_ALONE = "From the texts, each for itself; unscored ones are left out."
_PUBLISHED = "As published: every text counts. Merged: a question counts as the worse of its two expansions."
_ENTAIL = Measure("entail", "Entail.", "rate", "the text entails an accepted answer")
_ASKED = ["model", "method", "exemplars"]
_MADE = ["pivot", "category"]
_MERGED = "merged"


def autodebug_tables(answers: Answers, *, as_published: bool = False) -> list[Table]:
    """Return the tables of AutoDebug: by method and expansion, by kind of exemplars, by who attacks whom, by each dial.

    Without questions that have a passage there are no tables; `Entail.` is measured where `answers.entailed` is there.
    Raises JoinError where there are several runs and the entailments do not tell them apart.
    """
    asked = answers.samples.filter(pl.col("task") == "context")
    if not asked.height:
        return []
    measures = (EM, F1, *([] if answers.entailed is None else [_ENTAIL]), CORRECT)
    unscored = pl.lit(False) if as_published else pl.col("state") == "unscored"
    values = text_values(as_published) | {"entail": pl.when(~unscored).then("entailed")}
    scored = text_scores(_with_entailed(asked, answers.entailed))
    scored = scored.with_columns(**{measure.name: values[measure.name].cast(pl.Float64) for measure in measures})
    told = named(scored.with_columns(_conditions()))
    units = _units(told, [m.name for m in measures])
    note = _PUBLISHED if as_published else _NOTE
    tables = [_results(units, measures, note), *_changes(units, measures, note), _attacks(units, measures, note)]
    tables += dial_tables(told, answers.strata, measures, _PUBLISHED if as_published else _ALONE)
    return [table for table in tables if table.frame.height]


def _with_entailed(asked: pl.DataFrame, entailed: pl.DataFrame | None) -> pl.DataFrame:
    if entailed is None:
        return asked
    by_run = "run" in entailed.columns
    if not by_run and asked["run"].n_unique() > 1:
        raise JoinError("the entailments do not say of which run they are", way_out="give them a column 'run'")
    keys = ["item", "model", *(["run"] if by_run else []), "sample"]
    lines = entailed.select(*keys, "entailed").with_columns(pl.col("sample").cast(pl.Int64)).unique(keys, keep="first")
    return asked.join(lines, on=keys, how="left", nulls_equal=True, maintain_order="left")


def _conditions() -> list[pl.Expr]:
    """Return how an item was made and how the model was asked."""
    # A run is METHOD or METHOD/EXEMPLARS.
    parts = pl.col("run").str.splitn("/", 2).struct
    category = pl.col("variant").replace_strict({"swap": "1", "enrich": "2"}, default=pl.col("variant"))
    return [
        parts.field("field_0").fill_null(NOWHERE).alias("method"),
        parts.field("field_1").fill_null(NOWHERE).alias("exemplars"),
        pl.coalesce("category", category).alias("category"),
        pl.col("pivot").fill_null(NOWHERE),
        pl.col("expansion").fill_null(NOWHERE),
    ]


def _units(scored: pl.DataFrame, names: list[str]) -> pl.DataFrame:
    """Return the answers, and the merged pairs with the expansion `merged`."""
    columns = [*_ASKED, *_MADE, "expansion", "group", "question", "item", "sample", *names]
    single = scored.select(columns)
    # The two expansions of a passage put the same question about one fact.
    key = [*_ASKED, *_MADE, "group", "question", "sample"]
    expanded = single.filter((pl.col("expansion") != NOWHERE) & pl.any_horizontal(pl.col(names).is_not_null()))
    pairs = expanded.group_by(key, maintain_order=True).agg(
        pl.col("expansion").n_unique().alias("sides"), pl.col("item").min(), *(_worse(name) for name in names)
    )
    merged = pairs.filter(pl.col("sides") > 1).with_columns(expansion=pl.lit(_MERGED))
    return pl.concat([single, merged.select(columns)])


def _worse(name: str) -> pl.Expr:
    # A pair of which one text does not count has no worse one.
    return pl.when(pl.col(name).null_count() == 0).then(pl.col(name).min()).alias(name)


def _results(units: pl.DataFrame, measures: tuple[Measure, ...], note: str) -> Table:
    frame = rates(units, [*_ASKED, *_MADE, "expansion"], {m.name: pl.col(m.name) for m in measures})
    about = "Answers from changed passages", f"{_SOURCE}section 3.2, tables 2, 3 and 16", note
    return Table.of("autodebug.results", about, measures, frame)


def _whole(units: pl.DataFrame) -> pl.DataFrame:
    """Keep what a category's number is made of: pairs where there are any, single answers elsewhere."""
    paired = units.filter(pl.col("expansion") == _MERGED).select(_MADE).unique()
    alone = units.filter(pl.col("expansion") != _MERGED).join(paired, on=_MADE, how="anti")
    return pl.concat([alone, units.filter(pl.col("expansion") == _MERGED)])


def _attacks(units: pl.DataFrame, measures: tuple[Measure, ...], note: str) -> Table:
    whole = _whole(units).filter(pl.col("pivot") != NOWHERE)
    attack = pl.when(pl.col("pivot") == pl.col("model")).then(pl.lit("self")).otherwise(pl.lit("cross"))
    dims = [*_ASKED, "category", "attack", "pivot"]
    frame = rates(whole.with_columns(attack=attack), dims, {m.name: pl.col(m.name) for m in measures})
    about = "Self- and cross-attack", f"{_SOURCE}section 3.4, tables 4 and 5", note
    return Table.of("autodebug.attacks", about, measures, frame)


def _changes(units: pl.DataFrame, measures: tuple[Measure, ...], note: str) -> list[Table]:
    """Return the mean difference from the original exemplars over the same questions, clustered by fact."""
    whole, names = _whole(units), [m.name for m in measures]
    key = ["model", "method", *_MADE, "expansion", "item", "sample"]
    original = whole.filter(pl.col("exemplars") == "original").select(*key, *names)
    pairs = whole.filter(pl.col("exemplars") != "original").join(original, on=key, suffix="_original", nulls_equal=True)
    differing = pairs.with_columns(pl.col(name) - pl.col(f"{name}_original") for name in names)
    dims = ["model", "method", *_MADE, "exemplars"]
    rows = [{**dict(zip(dims, cell, strict=True)), **_differences(part, names)} for cell, part in _cells(differing, dims)]
    if not rows:
        return []
    changes = [Measure(m.name, f"change in {m.title}", "number", m.note) for m in measures]
    numbers = {f"{name}{end}": pl.Float64 for name in names for end in ("", "_low", "_high")}
    note = f"Against the original exemplars, over the same questions. {note}"
    about = "Change by kind of exemplars", f"{_SOURCE}section 3.4, table 6", note
    return [Table.of("autodebug.exemplars", about, changes, pl.DataFrame(rows, schema_overrides=numbers))]


def _cells(frame: pl.DataFrame, dims: list[str]) -> list[tuple[tuple[object, ...], pl.DataFrame]]:
    return sorted(frame.partition_by(dims, as_dict=True).items(), key=lambda cell: tuple(map(str, cell[0])))


def _differences(part: pl.DataFrame, names: list[str]) -> dict[str, float | int | None]:
    row: dict[str, float | int | None] = {}
    for name in names:
        both = part.filter(pl.col(name).is_not_null())
        mean = clustered_mean(both[name].to_numpy(), both["group"].to_numpy())
        ends = {name: mean.value, f"{name}_low": mean.low, f"{name}_high": mean.high}
        row |= {key: None if math.isnan(value) else value for key, value in ends.items()} | {f"{name}_n": mean.n}
    return row


DIALS = {
    "distance": ("By distance of the swapped answer", ("near", "far")),
    "answer_popularity": ("By popularity of the swapped answer", ("more", "less")),
    "added": ("By number of added sentences about each other thing", ("one", "two")),
    "closeness": ("By closeness of what is added", ("near", "far")),
    "place": ("By place of the supporting sentence", ("first", "middle", "last")),
    "length": ("By length of the passage", ("short", "medium", "long")),
}
"""By stratum: the title of its table, and its levels in order."""
_OURS = "a dial of ours; no paper has it"


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
    return Table.of(f"autodebug.{dial}", (title, _OURS, note), measures, frame)
