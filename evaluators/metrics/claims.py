"""What answers claim, held against a graph: a profile of what is made up that needs no gold explanation.

    stated, contradicted, unknown = claims of that standing / claims           by model, relation, distance from the question
    raw       = answers that the judge calls correct / answers
    passed    = answers that the graph contradicts and the judge calls correct / answers that the graph contradicts
    refused   = answers that the graph states and the judge calls incorrect / answers that the graph states
    corrected = (raw - passed) / (1 - refused - passed)    with the judge's errors on all models (Rogan & Gladen 1978)

The claims are lines of `evaluators.verify --ground`; those of kind `explanation` make the profile, those of kind `answer`
(what an answer says of the very fact that its item asks for) measure the judge: the rules before a graph was asked (what they
called wrong and the graph states has the reason `stated`), and each model that judged. Distance: 0 where the claim is about
what the question names, 1 where it is about what lies beside that, else further. As published nothing changes.

| outcome | |
|---|---|
| correct, incorrect | counted; of the judge's errors, where the graph states or contradicts the answer |
| abstained | not correct; no error of the judge |
| unscored, no verdict | left out |
"""

from __future__ import annotations

import polars as pl

from evaluators.metrics.answers import SCORED, Answers, named, who
from evaluators.metrics.table import Measure, Table, rates
from evaluators.statistics.verifier import Confusion, corrected_share

_SOURCE = "claims of answers, held against a graph (verify --ground)"
_STANDINGS = ("stated", "contradicted", "unknown")
_SHARES = (
    Measure("stated", "stated", "rate", "the graph has it"),
    Measure("contradicted", "contradicted", "rate", "the graph has all objects of the pair, and this is none of them"),
    Measure("unknown", "unknown", "rate", "the graph cannot tell"),
    Measure("claims", "claims", "count", "what explanations claim"),
)
_VERIFIER = (
    Measure("raw", "raw accuracy", "rate", "as the judge says"),
    Measure("corrected", "corrected accuracy", "rate", "for what the judge gets wrong of these answers by the graph"),
    Measure("passed", "contradicted ones passed", "rate", "answers that the graph contradicts and the judge calls correct"),
    Measure("refused", "stated ones refused", "rate", "answers that the graph states and the judge calls incorrect"),
)
_NOTE = "Each claim of each answer counts. Unknown is no fault: the graph does not list everything."
_AUDIT = "Errors are of answers whose own claim the graph states or contradicts; the rules count as they judge without a graph."


def claims_tables(answers: Answers, *, as_published: bool = False) -> list[Table]:
    """Return the tables of claims; none where no claims were read."""
    claims = answers.claims
    if claims is None or not claims.height:
        return []
    keys = ["item", "model", "run", "sample"]
    judged = answers.samples.select(*keys, "group", "state", "reason", "judge")
    rows = claims.join(judged, on=keys, nulls_equal=True)
    dims = who(rows)
    explained = named(rows.filter(pl.col("kind") == "explanation"), "relation", "distance")
    tables = []
    if explained.height:
        for key, title, cut in (("models", "What explanations claim", ()), ("relations", "Claims by relation", ("relation",)),
                                ("distance", "Claims by distance from the question", ("distance",))):  # fmt: skip
            tables.append(Table.of(f"claims.{key}", (title, _SOURCE, _NOTE), _SHARES, _shares(explained, [*dims, *cut])))
    own = claims.filter(pl.col("kind") == "answer").select(*keys, "standing").unique(keys, keep="first", maintain_order=True)
    scored = named(answers.samples.filter(SCORED).join(own, on=keys, how="left", nulls_equal=True))
    audit = _audited(scored, who(scored)) if own.height else own.clear()
    if audit.height:
        tables.append(Table.of("claims.judges", ("What the graph says of the judges", _SOURCE, _AUDIT), _VERIFIER, audit))
    return tables


def _shares(claims: pl.DataFrame, dims: list[str]) -> pl.DataFrame:
    shares = rates(claims, dims, {standing: pl.col("standing") == standing for standing in _STANDINGS})
    counted = claims.group_by(dims).agg(claims=pl.len().cast(pl.Int64))
    return shares.join(counted, on=dims, how="left", maintain_order="left")


def _audited(answers: pl.DataFrame, dims: list[str]) -> pl.DataFrame:
    """Return how each judge's verdicts stand to what the graph says of the same answers."""
    found = answers.with_columns(
        judge=pl.col("judge").fill_null("rules"),
        told=pl.col("standing").is_in(_STANDINGS[:2]) & (pl.col("state") != "abstained"),
        right=pl.col("standing") == "stated",
        accepted=(pl.col("state") == "correct") & (pl.col("reason") != "stated").fill_null(value=True),
    )
    cells = [*dims, "judge"]
    values = {
        "raw": pl.col("accepted"),
        "passed": pl.when(pl.col("told") & ~pl.col("right")).then("accepted"),
        "refused": pl.when(pl.col("told") & pl.col("right")).then(~pl.col("accepted")),
    }
    frame = rates(found, cells, values)
    confusions = {
        judge: Confusion.of(part.select("right", "accepted").iter_rows())
        for (judge,), part in found.filter("told").group_by("judge", maintain_order=True)
    }
    estimates = [
        corrected_share(raw, float(n), confusions.get(judge, Confusion(0, 0, 0, 0)))
        for judge, raw, n in frame.select("judge", "raw", "raw_n").iter_rows()
    ]
    ends = {"corrected": "value", "corrected_low": "low", "corrected_high": "high"}
    columns = [
        pl.Series(name, [getattr(e, end) for e in estimates], dtype=pl.Float64).fill_nan(None) for name, end in ends.items()
    ]
    return frame.with_columns(*columns, corrected_n=pl.col("raw_n"))
