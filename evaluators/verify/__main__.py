"""The command line of the judges.

```
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --out verdicts.jsonl
zcat responses.jsonl.gz | python -m evaluators.verify --items items.jsonl --responses - --out verdicts.jsonl
```
"""

from __future__ import annotations

from typing import Annotated

import typer

from evaluators.verify import JUDGES, judge, left_out, read_answers
from kg.cli import Out, Quiet, new_app, note, run
from kg.errors import InputError
from queries.records import write_frame
from queries.verdict import OUTCOMES, Verdict

__all__ = ["main"]

app = new_app("Judge answers by rules.")


@app.command()
def verify(
    items: Annotated[str, typer.Option(help="items.jsonl")],
    responses: Annotated[str, typer.Option(help="responses.jsonl")],
    out: Out,
    quiet: Quiet = False,
) -> None:
    """Judge: `python -m evaluators.verify --items items.jsonl --responses responses.jsonl --out verdicts.jsonl`."""
    answers = read_answers(items, responses)
    verdicts, skipped = judge(answers), left_out(answers)
    known = " and ".join(JUDGES)
    if not verdicts.height:
        raise InputError(f"no answer to judge: this version judges {known} only", place=responses, way_out="name other items")
    write_frame(out, verdicts, Verdict)
    if skipped:  # never silently, not even with --quiet: the verdicts are incomplete
        note(f"left out: {_counted(skipped)} (this version judges {known} only)")
    counts = verdicts["outcome"].value_counts()
    totals = dict(counts.iter_rows())
    note(f"{verdicts.height} verdicts to {out}: {_listed(totals)}", quiet)


def _counted(tasks: dict[str, int]) -> str:
    return ", ".join(f"{count} {'item' if count == 1 else 'items'} of task {task}" for task, count in tasks.items())


def _listed(totals: dict[str, int]) -> str:
    return ", ".join(f"{totals.get(outcome, 0)} {outcome}" for outcome in OUTCOMES)


def main() -> None:
    """Run the command line."""
    run(app, "python -m evaluators.verify")


if __name__ == "__main__":
    main()
