"""The command line of the judges.

```
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --out verdicts.jsonl
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --explain ITEM
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --as-published erbench --out published.jsonl
```
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from evaluators.verify import JUDGES, PUBLISHED, judges_of
from evaluators.verify._stream import Piece, judged, named_lines, read_questions
from evaluators.verify.explain import Files, explain_item
from evaluators.verify.labels import Labels
from kg import open_graph
from kg.cli import Quiet, new_app, note, run
from kg.errors import InputError, nearest
from kg.files import replacing
from queries.verdict import OUTCOMES

__all__ = ["main"]

app = new_app("Judge answers by rules.")


@app.command()
def verify(
    items: Annotated[str, typer.Option(help="items.jsonl")],
    responses: Annotated[str, typer.Option(help="responses.jsonl")],
    out: Annotated[str | None, typer.Option(help="The file to write; `-` is stdout, `.gz` is compressed.")] = None,
    explain: Annotated[str | None, typer.Option(help="Show the answers to this item with what decided marked.")] = None,
    store: Annotated[Path | None, typer.Option(help="A folder made by `kg load`: wrong entities are told by name.")] = None,
    named: Annotated[str | None, typer.Option(help="With --store: a file for the wrong entities and their hops.")] = None,
    as_published: Annotated[str | None, typer.Option(help="Judge yes-no questions by a paper's own rules: erbench.")] = None,
    quiet: Quiet = False,
) -> None:
    """Judge: `python -m evaluators.verify --items items.jsonl --responses responses.jsonl --out verdicts.jsonl`."""
    if as_published is not None and as_published not in PUBLISHED:
        raise InputError(f"'{as_published}' is no paper with rules of its own", way_out=nearest(as_published, PUBLISHED))
    if (out is None) == (explain is None):
        raise InputError("what to do is not clear", way_out="give --out FILE or --explain ITEM")
    if named is not None and store is None:
        raise InputError("--named needs the names of a graph", way_out="add --store DIR")
    labels = Labels.of(open_graph(store)) if store is not None else None
    if explain is not None:
        print(explain_item(explain, read_questions(items), Files(items, responses), judges_of(as_published), labels), end="")
        return
    with ExitStack() as stack:
        streams = [stack.enter_context(replacing(name)) for name in (str(out), named) if name is not None]
        counts = _write(streams, judged(responses, items, read_questions(items), judges_of(as_published), labels), labels)
        skipped = {task.removeprefix("left out "): n for task, n in counts.items() if task.startswith("left out ")}
        if not any(counts[outcome] for outcome in OUTCOMES):
            raise InputError(f"no answer to judge: {_counted(skipped)}", place=responses, way_out="name other items")
    _tell(counts, skipped, str(out), quiet=quiet)


def _write(streams: Sequence[BinaryIO], pieces: Iterable[Piece], labels: Labels | None) -> Counter[str]:
    """Write verdicts, and wrong entities where there is a second stream; returns how many there are of each outcome."""
    counts = Counter[str]()
    for piece in pieces:
        streams[0].write(piece.verdicts)
        counts += piece.outcomes
        if len(streams) > 1 and labels is not None:
            streams[1].write(named_lines(piece, labels))
    return counts


def _tell(counts: Counter[str], skipped: dict[str, int], out: str, *, quiet: bool) -> None:
    if skipped:  # never silently, not even with --quiet: the verdicts are incomplete
        note(f"left out: {_counted(skipped)}")
    total = sum(counts[outcome] for outcome in OUTCOMES)
    note(f"{total} verdicts to {out}: {', '.join(f'{counts[outcome]} {outcome}' for outcome in OUTCOMES)}", quiet)


def _counted(tasks: dict[str, int]) -> str:
    told = (f"{n} {'answer' if n == 1 else 'answers'} {_why(task)}" for task, n in sorted(tasks.items()))
    return ", ".join(told)


def _why(task: str) -> str:
    return (
        f"to items of task {task}, which these rules do not judge"
        if task in JUDGES
        else "to items whose truth is another answer"
    )


def main() -> None:
    """Run the command line."""
    run(app, "python -m evaluators.verify")


if __name__ == "__main__":
    main()
