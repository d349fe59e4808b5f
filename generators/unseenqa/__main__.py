"""The command `unseenqa`: questions that nobody can answer yet, seen ones beside them, and answers asked for again.

```
python -m generators.unseenqa --out unseenqa.jsonl
python -m generators.unseenqa --as-of 2024-04-13 --seed 1 --out paper.jsonl
```
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Annotated

import typer

from generators.items import write_items
from generators.unseenqa.consistency import Again, consistency
from generators.unseenqa.make import Options, Result, generate
from kg import open_graph
from kg.cli import Endpoint, Quiet, Seed, Store, fail_check, new_app, note, run
from kg.errors import InputError
from kg.files import check_apart

app = new_app("Questions that nobody can answer yet, and each answer asked for again (UnseenQA, LLM-as-KB).")


@app.callback(invoke_without_command=True)
def unseenqa(
    context: typer.Context,
    as_of: Annotated[str | None, typer.Option(help="The day after which events lie, as 2024-04-13 [default: today].")] = None,
    event: Annotated[
        list[str] | None, typer.Option(help="TEMPLATE=EDITION or TEMPLATE=YEAR, such as gold-medals=XXXV; may be repeated.")
    ] = None,
    fillers: Annotated[int, typer.Option(min=1, max=2**31, help="How many questions each template gives.")] = 150,
    templates: Annotated[str | None, typer.Option(help="A file of templates (.toml), instead of the twenty.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, max=2**53, help="Write at most so many items.")] = None,
    seed: Seed = 0,
    store: Store = None,
    endpoint: Endpoint = None,
    out: Annotated[str, typer.Option(help="The file to write; `-` is stdout.")] = "unseenqa.jsonl",
    quiet: Quiet = False,
) -> None:
    """Make 3,000 questions that nobody can answer: on events to come, and on people who do not exist.

    \b
    Examples:
      python -m generators.unseenqa
      python -m generators.unseenqa --as-of 2024-04-13 --out paper.jsonl
      python -m generators.unseenqa --event gold-medals=XXXVI --event leader=2050
    """
    if context.invoked_subcommand is not None:
        return
    options = Options(_day(as_of), seed, fillers, dict(map(_event, event or [])), templates)
    graph = open_graph(store, endpoint)
    result = generate(graph, options)
    count = write_items(out, result.items if limit is None else result.items.head(limit))
    note(summary(result, options, out, count), quiet)
    if result.short:
        raise fail_check()


@app.command("consistency")
def consistency_command(
    responses: Annotated[str, typer.Argument(metavar="RESPONSES", help="A file of responses to open questions.")],
    items: Annotated[str, typer.Option(help="The file of their items.")],
    verdicts: Annotated[str | None, typer.Option(help="Verdicts on them; without, the rules judge who abstained.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, max=2**53, help="Write at most so many items.")] = None,
    seed: Seed = 0,
    store: Store = None,
    endpoint: Endpoint = None,
    out: Annotated[str, typer.Option(help="The file to write; `-` is stdout.")] = "unseenqa-consistency.jsonl",
    quiet: Quiet = False,
) -> None:
    """Ask for each answer again: twenty choices among it, three distractors and "unsure".

    \b
    Examples:
      python -m generators.unseenqa consistency responses.jsonl --items unseenqa.jsonl
      python -m generators.unseenqa consistency responses.jsonl --items both.jsonl --store ./wd --out again.jsonl
    """
    check_apart({"--out": out}, [responses, items, verdicts])
    again = consistency(open_graph(store, endpoint), responses, items, seed=seed, verdicts=verdicts)
    count = write_items(out, again.items if limit is None else again.items.head(limit))
    note(again_summary(again, out, count), quiet)


def again_summary(again: Again, path: str, written: int) -> str:
    """Say in a few lines which answers are asked for again and why not the rest, and show one choice."""
    origins = ", ".join(f"{_ORIGINS.get(origin, origin)}: {n}" for origin, n in again.origins.most_common())
    lines = [f"{written} choices in {path}: {again.answers} answers asked for again"]
    lines += [f"distractors: {origins}"] if origins else []
    lines += [f"  left out, {reason}: {n}" for reason, n in again.left_out.most_common()]
    for question, options in again.items.select("question", "options").head(1).iter_rows():
        lines.append(f"  {question} " + " / ".join(options))
    return "\n".join(lines)


_ORIGINS = {
    "values": "dates and numbers near the answer",
    "graph": "names from the graph",
    "answers": "answers to other questions of the family",
    "model": "a model's",
}


def _day(text: str | None) -> date:
    if text is None:
        return datetime.now(UTC).date()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError(f"'{text}' is no day", place="--as-of", way_out="write it as 2024-04-13") from None


def _event(text: str) -> tuple[str, str]:
    template, _, name = text.partition("=")
    if not name:
        raise InputError(f"'{text}' names no edition", place="--event", way_out="write TEMPLATE=EDITION: gold-medals=XXXV")
    return template, name


def summary(result: Result, options: Options, path: str, written: int) -> str:
    """Say in a few lines what was made and why not the rest, and show three questions."""
    lines = [f"{written} items in {path}: nobody knows their answers as of {options.as_of}"]
    lines += [f"  {name}: {at.name}, which begins on {at.begins}" for name, at in result.occasions.items()]
    if result.known_names:
        lines.append(f"names left out, something in the graph bears them: {result.known_names}")
    lines += [f"  {name}: only {n} fillers of {options.fillers}" for name, n in result.short.items()]
    lines += [f"  {question}" for question in result.items["question"].head(3)]
    return "\n".join(lines)


def main() -> None:
    """Run the command line."""
    run(app, "python -m generators.unseenqa")


if __name__ == "__main__":
    main()
