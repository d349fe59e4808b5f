"""The command line of the report.

```
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
python -m evaluators.report --items i.jsonl.gz --responses r.jsonl.gz --verdicts v.jsonl --out report/ --quiet
```
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from evaluators.report import Row, measure, table
from kg.cli import Quiet, new_app, note, run
from kg.errors import InputError, one_line
from kg.files import write_bytes

__all__ = ["main"]

_WIDE = 200  # a file or a pipe has no edge to wrap at

app = new_app("Say what the verdicts amount to.")


@app.command()
def report(
    items: Annotated[str, typer.Option(help="items.jsonl")],
    responses: Annotated[str, typer.Option(help="responses.jsonl")],
    verdicts: Annotated[str, typer.Option(help="verdicts.jsonl")],
    out: Annotated[Path, typer.Option(help="the folder to write metrics.json into")],
    quiet: Quiet = False,
) -> None:
    """Report: `python -m evaluators.report --items i.jsonl --responses r.jsonl --verdicts v.jsonl --out report/`."""
    metrics = measure(items, responses, verdicts)
    _folder(out)
    write_bytes(out / "metrics.json", (json.dumps(metrics, indent=2, ensure_ascii=False) + "\n").encode())
    if metrics["without_premise"]:
        note(f"left out: {metrics['without_premise']} of {metrics['items']} items have no premise")
    if not quiet:
        _print(metrics)
    note(f"written: {out / 'metrics.json'}", quiet)


def _folder(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be a folder ({error.strerror})", place=str(out), way_out="name another") from error


def _print(metrics: dict[str, Any]) -> None:
    """Print the accuracies, and beside them the answers they are made of and those that are not in them."""
    rows = list(table(metrics))
    title = "Accuracy. gated: only facts whose true premise was recognised. *: all domains together."
    shown = Table(title=title, title_justify="left", box=None)
    for name in ("model", "groups", "task", "domain"):
        shown.add_column(name, no_wrap=True)
    for name in (*rows[0].cells, "n", "abstained", "unscored", "no verdict"):
        shown.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        shown.add_row(*(Text(one_line(text, 40)) for text in _line(row)))
    terminal = Console()
    (terminal if terminal.is_terminal else Console(width=_WIDE)).print(shown)


def _line(row: Row) -> list[str]:
    accuracies = ["-" if cell["n"] == 0 else f"{cell['accuracy']:.3f}" for cell in row.cells.values()]
    whole = [row.cells["TPQ"], row.cells["FPQ"]]
    counts = [sum(cell[name] for cell in whole) for name in ("n", "abstained", "unscored")]
    missing = sum(cell["unjudged"] + cell["unasked"] for cell in whole)
    return [row.model, row.groups, row.task, row.domain, *accuracies, *map(str, [*counts, missing])]


def main() -> None:
    """Run the command line."""
    run(app, "python -m evaluators.report")


if __name__ == "__main__":
    main()
