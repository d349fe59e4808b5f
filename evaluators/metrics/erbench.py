"""Answers and rationales, after ERBench (Oh et al., 2024), sections 3.3, 4 and 4.2, appendix B.

Over the yes-no questions and choices without a premise (section 4, performance measures):

    A  = correct / answers
    R  = answers whose rationale names every inferred value / answers to questions that have one
    AR = correct answers with such a rationale / the same
    M  = abstentions / answers
    H  = 1 - A - M

and over the yes-no questions of several hops (section 4.2)

    R-ext    = the mean over the hops i of: rationales right at hop i / answers to questions with a hop i
    AR-ext_i = correct answers whose rationale is right at hop i / answers to questions with a hop i

A choice question is asked in several phrasings; its value is their mean (section 4.1). Where "None of the above" is right
there is nothing to infer, and the question counts for A, M and H only.

| outcome | A | M | as published |
|---|---|---|---|
| correct | 1 | 0 | the same |
| incorrect | 0 | 0 | the same |
| abstained ("unsure") | 0 | 1 | the same |
| unscored, but for the next line | left out | left out | yes-no: "unsure" (A 0, M 1); choice: wrong (A 0, M 0) |
| unscored: api_error, tie, judge_failed; no verdict | left out | left out | left out |

As published, R and R-ext are the mean over answers of the share of hops that are right (and AR of the same, 0 where the answer
is wrong), and AR-ext is over the questions with the most hops; a value with a comma ("Washington, D.C.") counts as two hops. So
are the published numbers; the text says the above. Where all questions have the same hops R-ext and AR-ext are the same, and
with one hop R and AR are too.

Populations (section 4, appendix B.1 to B.3): an entity (a `group`) is known to a model when its probes were all answered yes;
as published, when none was answered no. `known`: entities that the model knows; `common`: those that every model knows; `all`.
With fewer than 10 entities the numbers are null ("n/a"), and a model that knows fewer than 10 does not shrink the common set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from evaluators.metrics.answers import ASKED, COUNTS, JUDGED, Answers, counts, known_groups, named, right, who
from evaluators.metrics.table import ALL, Measure, Table, rates

_SOURCE = "ERBench (Oh et al., 2024), "
_POPULATIONS = (
    "Populations: known (the model knows the entity), common (every model does), all; empty below 10 entities. "
    "The phrasings of a choice question are averaged."
)
_NOTE = f"Abstentions are M, not errors; unscored answers are left out. {_POPULATIONS}"
_PUBLISHED = f"As published: unreadable yes-no answers are M, unreadable choices are wrong. {_POPULATIONS}"
_MEASURES = (
    Measure("A", "A", "rate", "answers that are correct"),
    Measure("R", "R", "rate", "answers whose rationale names every inferred value"),
    Measure("AR", "AR", "rate", "correct answers whose rationale names every inferred value"),
    Measure("H", "H", "rate", "1 - A - M: answers that are neither correct nor abstentions; lower is better"),
    Measure("M", "M", "rate", "abstentions"),
)
_VALUES = [measure.name for measure in _MEASURES]
_A, _H = Measure("A", "A", "rate"), Measure("H", "H", "rate", "1 - A - M; lower is better")
_R_EXT = Measure("R_ext", "R-ext", "number", "the mean of the hops")
_OF_HOP = (
    Measure("R_hop", "R-ext", "rate", "rationales that are right at this hop"),
    Measure("AR_hop", "AR-ext", "rate", "correct answers whose rationale is right at this hop"),
)
ENOUGH = 10
"""With fewer entities a number says nothing (tables 3 and 8)."""

_RUN = ("model", "run")
_READ = pl.col("model", "run", "group", "domain", "family", "task", "variant", "state", "marks")


def erbench_tables(answers: Answers, *, as_published: bool = False) -> list[Table]:
    """Return the tables of ERBench: by question type and population, by phrasing, by hop, and how many entities are known.

    Without yes-no questions and choices that have no premise there are no tables.
    """
    asked = answers.counted.filter(~pl.col("presumes") & ASKED)
    questions = asked.filter(pl.col("task").is_in(["yes_no", "choice"]) & pl.col("accepted").is_not_null())
    if not questions.height:
        return []
    if as_published:
        questions = _split_at_commas(questions)
    known = knowledge(asked, questions, as_published=as_published)
    valued = named(questions, "domain").select(_READ, *_values(as_published))
    counted = in_populations(valued, known, [*_VALUES, "marks", "state"])
    dims, note = [*who(answers.counted), "population", "domain", "family"], _PUBLISHED if as_published else _NOTE
    tables = [_overall(counted, dims, note), _phrasings(counted, dims, note)]
    tables += [*_of_several_hops(counted, dims, note, as_published=as_published), _entities(valued, known, dims)]
    return [table for table in tables if table.frame.height]


def _split_at_commas(questions: pl.DataFrame) -> pl.DataFrame:
    """Count a value as often as it has parts between commas, where a question has several hops: the published program does."""
    commas = pl.col("inferred").list.eval(pl.element().str.contains(",")).list.any() & (pl.col("inferred").list.len() > 1)
    if not questions.select(commas.any()).item():
        return questions
    rows = questions.select("marks", pl.when(commas).then("inferred")).iter_rows()
    marks = [_repeated(own, values) if own and values else own for own, values in rows]
    return questions.with_columns(marks=pl.Series(marks, dtype=pl.List(pl.Boolean)))


def _repeated(marks: list[bool], values: list[str]) -> list[bool]:
    """Repeat each mark.

    >>> _repeated([False, True], ["Washington, D.C.", "1932"])
    [False, False, True]
    """
    parts = ([part for part in value.split(",") if part.strip()] for value in values)
    return [mark for mark, several in zip(marks, parts, strict=False) for _ in several]


def _values(as_published: bool) -> list[pl.Expr]:
    """Return for each answer whether it is right, explained, both, hallucinated and abstained, as numbers."""
    correct = right(as_published)
    missing = pl.col("state") == "abstained"
    if as_published:
        missing |= (pl.col("state") == "unscored") & (pl.col("task") == "yes_no")
    marks = pl.col("marks").cast(pl.List(pl.Float64))
    rationale = marks.list.mean() if as_published else marks.list.min()
    explained = pl.when(correct.is_not_null() & (marks.list.len() > 0)).then(rationale)
    values = {
        "A": correct,
        "R": explained,
        "AR": correct * explained,
        "H": pl.when(correct.is_not_null()).then(~correct & ~missing),
        "M": pl.when(correct.is_not_null()).then(missing),
    }
    return [value.cast(pl.Float64).alias(name) for name, value in values.items()]


def _overall(counted: pl.DataFrame, dims: list[str], note: str) -> Table:
    cells, choice = [*dims, "task", "variant"], pl.col("task") == "choice"
    answered = counted.with_columns(variant=pl.when(choice).then(pl.lit(ALL)).otherwise("variant"))
    # The value of a choice question is the mean of its phrasings, which are items of one group.
    phrasings = answered.filter(choice).group_by(*cells, "group", maintain_order=True).agg(pl.col(_VALUES).mean())
    units = pl.concat([answered.filter(~choice).select(phrasings.columns), phrasings])
    frame = rates(units, cells, {name: pl.col(name) for name in _VALUES})
    frame = frame.join(answered.group_by(cells).agg(counts()), on=cells, how="left", maintain_order="left")
    about = "Answers and rationales", f"{_SOURCE}tables 3, 12 and 13", note
    return Table.of("erbench.overall", about, (*_MEASURES, *COUNTS), frame)


def _phrasings(counted: pl.DataFrame, dims: list[str], note: str) -> Table:
    choices = counted.filter((pl.col("task") == "choice") & (pl.col("population") == "all"))
    frame = rates(choices, [*dims, "variant"], {name: pl.col(name) for name in _VALUES})
    return Table.of("erbench.phrasings", ("Choices by phrasing", f"{_SOURCE}section 4.1", note), _MEASURES, frame)


def _of_several_hops(counted: pl.DataFrame, dims: list[str], note: str, *, as_published: bool) -> list[Table]:
    """Return the table in the shape of table 4, and the one by hop; none where no question has several hops."""
    deepest = counted.group_by("family").agg(pl.col("marks").list.len().max().alias("deepest")).filter(pl.col("deepest") > 1)
    several = counted.join(deepest, on="family", maintain_order="left").filter(pl.col("task") == "yes_no")
    if not several.height:
        return []
    cells = [*dims, "variant"]
    by_hop = _by_hop(several, cells, as_published)
    # As published the mean is over answers; ours, over hops, follows below.
    share = pl.when(pl.col("A").is_not_null()).then(pl.col("marks").cast(pl.List(pl.Float64)).list.mean())
    whole = rates(several, cells, {"A": pl.col("A"), "H": pl.col("H"), "R_ext": share})
    if not as_published:
        means = by_hop.group_by(cells).agg(pl.col("R_hop").mean().alias("R_ext"))
        whole = whole.select(*cells, *_A.columns, *_H.columns).join(means, on=cells, how="left", maintain_order="left")
    whole, of_hops = _beside(whole, by_hop, cells)
    about = "Questions of several hops", f"{_SOURCE}section 4.2, table 4", note
    shaped = whole.drop("R_ext_n", "R_ext_low", "R_ext_high", strict=False)
    return [
        Table.of("erbench.multihop", about, (_A, _R_EXT, *of_hops, _H), shaped),
        Table.of("erbench.hops", ("Rationales by hop", f"{_SOURCE}section 4.2", note), _OF_HOP, by_hop),
    ]


def _by_hop(several: pl.DataFrame, cells: list[str], as_published: bool) -> pl.DataFrame:
    depth = pl.col("marks").list.len()
    full = (depth == pl.col("deepest")) if as_published else (depth > 0)
    hops = several.filter(depth > 0).with_columns(hop=pl.int_ranges(1, depth + 1), full=full).explode("marks", "hop")
    explained = pl.when(pl.col("A").is_not_null()).then("marks")
    both = pl.when(pl.col("A").is_not_null() & pl.col("full")).then((pl.col("A") == 1) & pl.col("marks"))
    return rates(hops.with_columns(pl.col("hop").cast(pl.String)), [*cells, "hop"], {"R_hop": explained, "AR_hop": both})


def _beside(whole: pl.DataFrame, by_hop: pl.DataFrame, cells: list[str]) -> tuple[pl.DataFrame, list[Measure]]:
    """Put AR-ext of each hop beside the rest, as table 4 does; return the measures of the new columns too."""
    measures = []
    for hop in sorted(by_hop["hop"].unique(), key=int):
        measure = Measure(f"AR_ext_{hop}", f"AR-ext {hop}", "rate", f"correct answers whose rationale is right at hop {hop}")
        names = dict(zip(_OF_HOP[1].columns, measure.columns, strict=True))
        one = by_hop.filter(pl.col("hop") == hop).select(*cells, *names).rename(names)
        whole = whole.join(one, on=cells, how="left", maintain_order="left")
        measures.append(measure)
    return whole, measures


def _entities(valued: pl.DataFrame, known: Knowledge, dims: list[str]) -> Table:
    """Return how many entities with probes there are, how many of them each model knows, and how many every model does."""
    own = [dim for dim in dims if dim != "population"]
    places = valued.select(*own).unique(maintain_order=True)
    sizes = named(known.sizes)
    frame = places.join(sizes, on=[name for name in own if name != "domain"], how="inner", maintain_order="left").sort(own)
    measures = [Measure(name, name, "count") for name in ("entities", "known", "common")]
    about = "Entities that are known", f"{_SOURCE}appendix B.2, tables 8 and 9", "Known: every probe passed, by most samples."
    return Table.of("erbench.known", about, measures, frame.select(*own, *(measure.name for measure in measures)))


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The entities a model knows: `own` by `model, run, family, group`, `common` by `family, group`; `sizes` counts them.

    An entity is a `group` of a family; its probes say whether it is known.
    """

    own: pl.DataFrame
    common: pl.DataFrame
    sizes: pl.DataFrame


def knowledge(asked: pl.DataFrame, questions: pl.DataFrame, *, as_published: bool = False) -> Knowledge:
    """Read from the probes among `asked` which entities of the `questions` each model knows.

    As published, "unsure" is no sign of not knowing.
    """
    # As published an entity is known where no probe was answered no.
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
    # A model that knows next to nothing would leave nothing in common.
    able = sizes.filter(pl.col("known") >= ENOUGH).select(*_RUN, "family")
    needed = able.group_by("family").len("needed")
    by = own.join(able, on=[*_RUN, "family"], how="semi", nulls_equal=True).group_by("family", "group").len("have")
    return by.join(needed, on="family").filter(pl.col("have") == pl.col("needed")).select("family", "group")


def in_populations(valued: pl.DataFrame, known: Knowledge, values: Sequence[str]) -> pl.DataFrame:
    """Return the answers once for each population (column `population`).

    Where there are too few entities, the answers stay and their `values` are null: "n/a".

    Parameters: the dimension `run` of `valued` is named (not null).
    """
    sizes = named(known.sizes)
    own = named(known.own).with_columns(inside=pl.lit(True))
    tested = valued.join(sizes, on=[*_RUN, "family"])
    few = pl.col("known") < ENOUGH
    parts = [valued.with_columns(population=pl.lit("all"))]
    for name, members, keys, na in (
        ("known", own, [*_RUN, "family", "group"], few),
        ("common", known.common.with_columns(inside=pl.lit(True)), ["family", "group"], few | (pl.col("common") < ENOUGH)),
    ):
        marked = tested.join(members, on=keys, how="left", maintain_order="left").with_columns(na.alias("na"))
        members_only = marked.filter(pl.col("na") | pl.col("inside")).with_columns(pl.when(~pl.col("na")).then(pl.col(values)))
        parts.append(members_only.with_columns(population=pl.lit(name)).select(parts[0].columns))
    return pl.concat(parts)
