"""Ask a model the questions of a file of items.

```
python -m evaluators.ask items.jsonl --model replay:answers.jsonl --setting zero-shot --out responses.jsonl
python -m evaluators.ask items.jsonl --model replay:answers.jsonl --out - --limit 3
```

Responses are appended and flushed one by one. The same command continues a run that was killed: what the file holds is
not asked again (nor what ended in an error: delete those lines to ask them again).
"""

from __future__ import annotations

from typing import Annotated

import typer

from evaluators.models import open_model
from evaluators.runner import ask_all, requests
from kg.cli import Quiet, new_app, note, progress, run
from queries.item import Item
from queries.records import read_frame

__all__ = ["main"]

app = new_app("Ask a model the questions of a file of items.")


@app.command()
def ask(
    items: Annotated[str, typer.Argument(metavar="ITEMS", help="items.jsonl; `-` is stdin, gzip is understood")],
    model: Annotated[str, typer.Option(help="`replay:FILE` gives recorded answers")],
    out: Annotated[str, typer.Option(help="the file to append to, or to continue; `-` is stdout")],
    setting: Annotated[str, typer.Option(help="how questions are put: a file of evaluators/prompts")] = "zero-shot",
    limit: Annotated[int | None, typer.Option(min=1, help="ask the first so many items only")] = None,
    samples: Annotated[int, typer.Option(min=1, help="how often each item is asked")] = 1,
    quiet: Quiet = False,
) -> None:
    """Ask: `python -m evaluators.ask items.jsonl --model replay:answers.jsonl --out responses.jsonl`."""
    frame = read_frame(items, Item, ["id", "task", "question", "options", "context"])
    client = open_model(model)
    wanted = requests(frame.head(limit) if limit else frame, setting, samples)
    with progress(client.name, len(wanted), quiet) as bar:
        tally = ask_all(client, wanted, out, lambda: bar.advance(bar.task_ids[0]))
    failed = f", {tally.failed} ended in an error" if tally.failed else ""
    kept = f", {tally.kept} were there already" if tally.kept else ""
    note(f"{client.name}: {tally.answered} answers to {out}{failed}{kept}", quiet)


def main() -> None:
    """Run the command line."""
    run(app, "python -m evaluators.ask")


if __name__ == "__main__":
    main()
