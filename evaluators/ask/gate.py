"""A gate before a second round: only what a model knows is asked further.

The first round is made of the questions that say whether a model knows a fact; a group passes when each of them passed:

| question | passes when | source |
|---|---|---|
| yes-no with a true premise (`tpq`) | its verdict is `correct` | KG-FPQ, section 4.3 |
| probe | its verdict is `correct`: nothing but yes; with the rule `published` "unsure" passes as well | ERBench, appendix B.1 |

A vote on a question counts instead of its samples; without one, more than half of its samples must pass. All items of a group
that passed go through, those of the first round too (an answer that `--out` holds is not asked for again). Items whose
group has no question of the first round are held back, since nothing says that their fact is known; so are those with a
question that was not answered or has no verdict. Each sort is counted.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import polars as pl

from evaluators.errors import JoinError
from kg.errors import nearest
from queries.records import read_frame
from queries.records.verdict import Verdict

KnownRule = Literal["strict", "published"]

_PROBE = pl.col("task") == "probe"
_TRUE_PREMISE = (pl.col("task") == "yes_no") & (pl.col("variant") == "tpq")


class Gated(NamedTuple):
    """The items let through, and how many groups passed, failed, were not judged, and have no first round."""

    items: pl.DataFrame
    passed: int
    failed: int
    unjudged: int
    without: int
    held: int

    def summary(self) -> str:
        """Say in one line what the gate did.

        >>> Gated(pl.DataFrame({"id": ["a"]}), passed=1, failed=2, unjudged=0, without=3, held=9).summary()
        'gate: 1 items go through, 9 are held back; groups: 1 passed, 2 failed, 3 without a first round'
        """
        counts = {
            "passed": self.passed,
            "failed": self.failed,
            "not judged": self.unjudged,
            "without a first round": self.without,
        }
        groups = ", ".join(f"{n} {what}" for what, n in counts.items() if n)
        return f"gate: {self.items.height} items go through, {self.held} are held back; groups: {groups or 'none'}"


def gate(items: pl.DataFrame, verdicts: str, known_rule: KnownRule = "strict", model: str | None = None) -> pl.DataFrame:
    """Return the items whose group passed the first round, in their order; see `gated` for the counts."""
    return gated(items, verdicts, known_rule, model).items


def gated(items: pl.DataFrame, verdicts: str, known_rule: KnownRule = "strict", model: str | None = None) -> Gated:
    """Hold back the items whose group did not pass the first round, and count.

    Parameters: `items` has the columns `id`, `task`, `variant` and `group`, first round included; `verdicts` is the file of
    the first round; `model` names whose, where it holds several models'.
    Raises JoinError where the verdicts do not say of one model how it did in the first round of these items.
    """
    first_round = items.filter(_PROBE | _TRUE_PREMISE).select("id", "group", probe=_PROBE)
    if not first_round.height and items.height:
        problem = "these items have neither probes nor yes-no questions with a true premise"
        raise JoinError(problem, place="--gate", way_out="give the first round's items together with the others")
    judged = _of_model(read_frame(verdicts, Verdict, ["item", "model", "sample", "outcome", "reason"]), verdicts, model)
    passes = _passes(judged.join(first_round, left_on="item", right_on="id"), known_rule)
    answered = first_round.join(passes, on="id", how="left")
    if items.height and not answered["passed"].count():
        problem = "holds no verdict on a probe or a yes-no question with a true premise of these items"
        raise JoinError(problem, place=verdicts, way_out="name the verdicts of the first round")
    return _counted(items, answered)


def _of_model(judged: pl.DataFrame, place: str, model: str | None) -> pl.DataFrame:
    models = judged["model"].unique().sort().to_list()
    if model is None and len(models) > 1:
        problem = f"holds verdicts on {len(models)} models: {', '.join(models[:5])}{', ...' if len(models) > 5 else ''}"
        raise JoinError(problem, place=place, way_out="say which one of them is asked, or name a file with one model's")
    if model is not None and model not in models:
        raise JoinError(f"holds no verdict on model '{model}'", place=place, way_out=nearest(model, models))
    return judged if model is None else judged.filter(pl.col("model") == model)


def _passes(judged: pl.DataFrame, known_rule: KnownRule) -> pl.DataFrame:
    """Tell of each question whether it passed: by its vote, else by more than half of its samples."""
    unsure = (pl.col("outcome") == "abstained") & (pl.col("reason") == "unsure") & pl.col("probe")
    right = (pl.col("outcome") == "correct") | (unsure if known_rule == "published" else False)
    voted = pl.col("sample").is_null()
    # A tie does not pass: of two samples that differ nobody can say that the model knows.
    of_samples = pl.col("right").filter(~voted).mean() > 0.5
    passed = pl.col("right").filter(voted).first().fill_null(of_samples)  # a vote, where there is one, counts instead
    return judged.with_columns(right=right).group_by(pl.col("item").alias("id")).agg(passed=passed)


def _counted(items: pl.DataFrame, answered: pl.DataFrame) -> Gated:
    passed = pl.col("passed")
    # A question without a verdict leaves its group open, whatever the others say: so that case stands first.
    state = pl.when(passed.is_null().any()).then(pl.lit("unjudged")).when(passed.all()).then(pl.lit("passed"))
    groups = answered.group_by("group").agg(state=state.otherwise(pl.lit("failed")))
    through = items.join(groups.filter(pl.col("state") == "passed"), on="group", how="semi", maintain_order="left")
    n = dict(groups.group_by("state").len().iter_rows())
    without = items["group"].n_unique() - groups.height
    counts = (n.get("passed", 0), n.get("failed", 0), n.get("unjudged", 0), without)
    return Gated(through, *counts, items.height - through.height)
