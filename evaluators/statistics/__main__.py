"""The command line of the statistics.

```
python -m evaluators.statistics interval 87 100
python -m evaluators.statistics needed 0.70 0.75 --correlation 0.5 --per-fact 7 --alike 0.2
```
"""

from __future__ import annotations

from typing import Annotated

import typer

from evaluators.statistics.comparison import items_needed
from evaluators.statistics.intervals import Estimate, rate
from evaluators.statistics.verifier import Confusion, corrected
from kg.cli import new_app, run
from kg.errors import InputError, one_line

Successes = Annotated[int, typer.Argument(help="how many answers were right (or accepted)")]
Tried = Annotated[int, typer.Argument(metavar="N", help="of how many")]
Level = Annotated[float, typer.Option(help="the confidence level")]

app = new_app("Intervals, sample sizes, a verifier's errors, position bias.")


@app.command()
def interval(successes: Successes, n: Tried, level: Level = 0.95) -> None:
    """Wilson's interval: `python -m evaluators.statistics interval 87 100`."""
    print(_written(rate(successes, n, level)))


@app.command()
def needed(
    p1: Annotated[float, typer.Argument(help="one accuracy")],
    p2: Annotated[float, typer.Argument(help="the other")],
    correlation: Annotated[float, typer.Option(help="of two models on the same items; 0: on items of their own")] = 0.0,
    power: Annotated[float, typer.Option(help="how often the difference shall be seen")] = 0.8,
    per_fact: Annotated[float, typer.Option(help="items that are made from one fact")] = 1.0,
    alike: Annotated[float, typer.Option(help="how alike items of one fact are: the intraclass correlation, 0 to 1")] = 0.0,
    level: Level = 0.95,
) -> None:
    """How many items: `python -m evaluators.statistics needed 0.70 0.75 --correlation 0.5 --per-fact 7 --alike 0.2`."""
    needed = items_needed(p1, p2, correlation=correlation, power=power, level=level, per_cluster=per_fact, alike=alike)
    print(needed)


@app.command("corrected")
def corrected_(
    successes: Successes,
    n: Tried,
    confusion: Annotated[str, typer.Option(help="right ones accepted, rejected, wrong ones accepted, rejected")],
    level: Level = 0.95,
) -> None:
    """Correct a score: `python -m evaluators.statistics corrected 70 100 --confusion 45,5,3,47`."""
    print(_written(corrected(successes, n, _confusion(confusion), level)))


@app.command()
def verifier(
    verdicts: Annotated[str, typer.Option(help="verdicts.jsonl")],
    labels: Annotated[str, typer.Option(help='lines of {"item", "model", "sample", "correct": true or false}')],
) -> None:
    """Correct by labels: `python -m evaluators.statistics verifier --verdicts verdicts.jsonl --labels labels.jsonl`."""
    from evaluators.statistics.records import read_labels, verifiers
    from queries.records import read_frame
    from queries.records.verdict import Verdict

    judged = read_frame(verdicts, Verdict, ["item", "model", "sample", "outcome"])
    for score in verifiers(judged, read_labels(labels), labels, verdicts):
        counts = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in score.confusion._asdict().items())
        ends = f"accepted {_written(score.accepted)}; {counts}; corrected {_written(score.corrected)}"
        print(f"{one_line(score.model, 60)}: {ends}")


@app.command()
def choice(
    items: Annotated[str, typer.Option(help="items.jsonl")],
    verdicts: Annotated[str, typer.Option(help="verdicts.jsonl")],
) -> None:
    """Position bias: `python -m evaluators.statistics choice --items items.jsonl --verdicts verdicts.jsonl`."""
    from evaluators.statistics.records import baselines
    from queries.records import read_frame
    from queries.records.item import Item
    from queries.records.verdict import Verdict

    asked = read_frame(items, Item, ["id", "task", "options", "answer"])
    by_model = list(baselines(asked, read_frame(verdicts, Verdict, ["item", "model", "sample", "answer"])))
    if not by_model:
        raise InputError("no verdict is on a choice item that has an answer", place=verdicts, way_out="judge such items")
    for model, base in by_model:
        always, picks = (" ".join(f"{x:.3g}" for x in numbers) for numbers in (base.always, base.picks))
        expected = " ".join(f"{x:.1f}" for x in base.expected)
        print(
            f"{one_line(model, 60)}: {base.n} items; guessing {base.guessing:.3f}; always the same {always}; "
            f"picked {picks}, expected {expected}, chi2 {base.chi2:.2f}, df {base.df}, p {base.p:.3g}"
        )


def _confusion(text: str) -> Confusion:
    """Read four counts.

    >>> _confusion("45,5,3,47")
    Confusion(right_accepted=45, right_rejected=5, wrong_accepted=3, wrong_rejected=47)
    """
    parts = text.split(",")
    if len(parts) != 4 or not all(part.strip().isdecimal() for part in parts):
        raise InputError(f"--confusion {text} is not four counts", way_out="write them as 45,5,3,47")
    return Confusion(*(int(part) for part in parts))


def _written(estimate: Estimate) -> str:
    """Return a value with its interval.

    >>> _written(rate(87, 100))
    '0.870 (0.790 to 0.922), n 100'
    """
    return f"{estimate.value:.3f} ({estimate.low:.3f} to {estimate.high:.3f}), n {estimate.n}"


def main() -> None:
    """Run the command line."""
    run(app, "python -m evaluators.statistics")


if __name__ == "__main__":
    main()
