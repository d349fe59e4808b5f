"""Several samples of an answer become one verdict: the outcome that most of them have.

```
python -m evaluators.vote verdicts.jsonl --out voted.jsonl
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --vote --out verdicts.jsonl
```

Every item that a model answered gets one more verdict, whose `sample` is null. Source: the hard vote of KG-FPQ (Zhu et al.,
2025, section 4.3, three samples). Each sample has one voice, whatever its outcome, so that two errors outvote one answer.

| field of the vote | what it is |
|---|---|
| `outcome` | the one that most samples have; where two have it equally often `unscored` |
| `reason` | the most frequent one among the samples with that outcome, of equals that of the first sample; else `tie` |
| `answer`, `judge` | those of the first sample with that outcome and reason; null for a tie |
| `rationale` | for each hop: is it right in more than half of all samples? |
| `contradicted` | the slots that more than half of all samples contradict |
| `spans` | none: a vote has no text |

A vote of one sample is its verdict. Votes that a file holds already are made again from the samples, so that voting twice
changes nothing; a vote whose samples are not in the file is kept. The order of the samples in the file does not matter.
"""

from __future__ import annotations

import io
from typing import IO, Annotated

import polars as pl
import typer

from kg.cli import Quiet, new_app, note, run
from kg.files import replacing
from queries.records import frame_schema, read_frame
from queries.records.verdict import OUTCOMES, VERDICT_SCHEMA, Verdict

_KEY = ("item", "model")
_SCHEMA = frame_schema(Verdict)
_READ = ["item", "model", "sample", "outcome", "reason", "answer", "rationale", "contradicted", "judge"]
"""What a vote reads of a verdict: no spans, so that memory grows with the verdicts and not with the texts."""

app = new_app("Several samples of an answer become one verdict.")


def votes(verdicts: pl.DataFrame) -> pl.DataFrame:
    """Return one vote for each item and model, in the order in which they first appear.

    Parameters: `verdicts` has the columns of a verdict but `schema`, `spans`, `confidence`, `text` and `evidence`; votes among
    them are made again where the samples are there, and kept where they are not.

    >>> judged = pl.DataFrame({"item": ["a"] * 3, "model": ["m"] * 3, "sample": [0, 1, 2], "answer": ["no", "yes", "no"],
    ...     "outcome": ["correct", "incorrect", "correct"], "reason": ["exact", "wrong", "exact"],
    ...     "rationale": [[True], [False], [True]], "contradicted": [[], ["star"], []], "judge": [None] * 3})
    >>> votes(judged).select("sample", "outcome", "reason", "answer", "rationale").row(0)
    (None, 'correct', 'exact', 'no', [True])
    """
    numbered = verdicts.select(_READ).cast({name: _SCHEMA[name] for name in _READ}).with_row_index("row")
    order = numbered.group_by(_KEY).agg(pl.col("row").min())
    samples = numbered.filter(pl.col("sample").is_not_null()).sort("sample", "row").drop("row")
    without_samples = numbered.filter(pl.col("sample").is_null()).drop("row").join(samples, on=_KEY, how="anti")
    all_votes = pl.concat([_of_samples(samples), without_samples.select(_READ)])
    empty, null = pl.lit([], _SCHEMA["spans"]).alias("spans"), pl.lit(None, pl.String)
    whole = (
        all_votes.join(order, on=_KEY)
        .sort("row")
        .with_columns(empty, schema=pl.lit(VERDICT_SCHEMA), confidence=null, text=null, evidence=null.cast(pl.Boolean))
    )
    return whole.select(_SCHEMA.names())


def _of_samples(samples: pl.DataFrame) -> pl.DataFrame:
    """Vote on samples, sorted by their number."""
    won = _winners(samples).join(_hops(samples), on=_KEY, how="left").join(_contradicted(samples), on=_KEY, how="left")
    lists = pl.col("rationale", "contradicted").fill_null([])
    return won.with_columns(lists, sample=pl.lit(None, pl.Int64)).select(_READ)


def _winners(samples: pl.DataFrame) -> pl.DataFrame:
    """Return the winning outcome of each item and model with its most frequent reason, and the first answer that has both."""
    by_reason = samples.group_by(*_KEY, "outcome", "reason").agg(
        pl.len().alias("often"), pl.col("sample").min().alias("first"), pl.col("answer", "judge").first()
    )
    by_outcome = (
        by_reason.sort(pl.col("often"), "first", descending=[True, False])
        .group_by(*_KEY, "outcome", maintain_order=True)
        .agg(pl.col("often").sum(), pl.col("reason", "answer", "judge").first())
    )
    most = pl.col("often") == pl.col("often").max().over(_KEY)
    best = by_outcome.filter(most).group_by(_KEY).agg(pl.len().alias("equal"), pl.exclude(_KEY).first())
    tie, null = pl.col("equal") > 1, pl.lit(None, pl.String)
    return best.select(
        *_KEY,
        outcome=pl.when(tie).then(pl.lit("unscored")).otherwise("outcome"),
        reason=pl.when(tie).then(pl.lit("tie")).otherwise("reason"),
        answer=pl.when(tie).then(null).otherwise("answer"),
        judge=pl.when(tie).then(null).otherwise("judge"),
    )


def _hops(samples: pl.DataFrame) -> pl.DataFrame:
    """Return for each hop whether it is right in more than half of the samples: half is no majority."""
    hops = samples.select(*_KEY, "rationale", hop=pl.int_ranges(pl.col("rationale").list.len()))
    right = hops.explode("rationale", "hop").drop_nulls("hop").group_by(*_KEY, "hop").agg(pl.col("rationale").mean() > 0.5)
    return right.sort("hop").group_by(_KEY, maintain_order=True).agg("rationale")


def _contradicted(samples: pl.DataFrame) -> pl.DataFrame:
    """Return the slots that more than half of the samples contradict; a sample that names one twice has one voice."""
    named = samples.with_columns(of=pl.len().over(_KEY)).select(*_KEY, "of", pl.col("contradicted").list.unique())
    slots = named.explode("contradicted").drop_nulls("contradicted")
    often = slots.group_by(*_KEY, "contradicted").agg(pl.len().alias("n"), pl.col("of").first())
    most = often.filter(pl.col("n") * 2 > pl.col("of")).sort("contradicted")
    return most.group_by(_KEY, maintain_order=True).agg("contradicted")


def voted(verdicts: pl.DataFrame) -> pl.DataFrame:
    """Return the samples as they are and a vote for each item and model after them.

    Parameters: `verdicts` has all columns of a verdict.
    """
    samples = verdicts.filter(pl.col("sample").is_not_null()).select(_SCHEMA.names()).cast(_SCHEMA)
    return pl.concat([samples, votes(verdicts)])


class Ballots:
    """Verdicts in the order of a file, of which only what a vote reads is kept, as columns.

    >>> ballots = Ballots()
    >>> ballots.add(b'{"item": "a", "model": "m", "sample": 0, "outcome": "correct", "reason": "exact", "answer": "yes",'
    ...             b' "rationale": [], "contradicted": [], "judge": null}\\n')
    >>> ballots.votes()["outcome"].to_list()
    ['correct']
    """

    def __init__(self) -> None:
        self._parts: list[pl.DataFrame] = []

    def add(self, lines: bytes) -> None:
        """Keep verdicts, given as JSON Lines of ours."""
        if lines:
            self._parts.append(pl.read_ndjson(io.BytesIO(lines), schema={name: _SCHEMA[name] for name in _READ}))

    def votes(self) -> pl.DataFrame:
        """Return the votes on all that was added."""
        return votes(pl.concat(self._parts)) if self._parts else votes(pl.DataFrame(schema=_SCHEMA))


def write_votes(verdicts: pl.DataFrame, stream: IO[bytes]) -> None:
    """Write verdicts and votes as JSON Lines; a run without a graph to query has no field for `evidence`."""
    unseen = verdicts["evidence"].is_null().all()
    (verdicts.drop("evidence") if unseen else verdicts).write_ndjson(stream)


def vote_summary(votes: pl.DataFrame) -> str:
    """Say how votes went.

    >>> vote_summary(pl.DataFrame({"sample": [None], "outcome": ["unscored"], "reason": ["tie"]}))
    '1 vote: 0 correct, 0 incorrect, 0 abstained, 1 unscored (1 tie)'
    """
    counts: dict[str, int] = dict(votes["outcome"].value_counts().iter_rows())
    ties = votes.filter(pl.col("reason") == "tie").height
    by_outcome = ", ".join(f"{counts.get(outcome, 0)} {outcome}" for outcome in OUTCOMES)
    name = "vote" if votes.height == 1 else "votes"
    tied = f" ({ties} {'tie' if ties == 1 else 'ties'})" if ties else ""
    return f"{votes.height} {name}: {by_outcome}{tied}"


@app.command()
def vote(
    verdicts: Annotated[str, typer.Argument(metavar="VERDICTS", help="verdicts.jsonl; `-` is stdin, gzip is understood")],
    out: Annotated[str, typer.Option(help="The file to write; `-` is stdout, `.gz` is compressed.")],
    quiet: Quiet = False,
) -> None:
    """Make of several answers to one item the verdict that most of them have.

    \b
    Example:
      kgprobe vote verdicts.jsonl --out voted.jsonl
    """
    samples_and_votes = voted(read_frame(verdicts, Verdict))
    with replacing(out) as stream:
        write_votes(samples_and_votes, stream)
    note(f"{out}: {vote_summary(samples_and_votes.filter(pl.col('sample').is_null()))}", quiet)


def main() -> None:
    """Run the command line."""
    run(app, "python -m evaluators.vote")


if __name__ == "__main__":
    main()
