"""The verb `preview` of `python -m queries`, which finds it by the entry point group `kgprobe.template_verbs`.

```
python -m queries preview my-family.rq
```
"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from generators.family.make import Options, generate
from generators.family.query import read_renamings
from kg.cli import Seed
from kg.graph_choice import GraphChoice, with_graph
from queries.templates import find


@with_graph
def preview(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A template's name (see `list`), or the path of a .rq file.")],
    relation: Annotated[list[str] | None, typer.Option(metavar="TABLE=NAME", help="Another name for a family's table.")] = None,
    none_share: Annotated[float, typer.Option(min=0, max=1, help='How often "None of the above" is right.')] = 0.0,
    limit: Annotated[int, typer.Option(min=1, help="Show so many questions.")] = 5,
    seed: Seed = 0,
    where: GraphChoice = GraphChoice(),
) -> None:
    """Show finished questions of a family with their answers, and what was left out and why. Exit code 1 if there is none.

    Example: python -m queries preview my-family.rq
    """
    options = Options(limit, seed, none_share, read_renamings(relation or []))
    result = generate(where.open(), find(name), options)
    items = result.items.sort("task", maintain_order=True, descending=result.template.front.task != "choice")
    for item in items.gather_every(max(1, items.height // limit)).head(limit).iter_rows(named=True):
        print("\n".join(_finished(item)) + "\n")
    print("\n".join(result.summary()))
    if result.items.is_empty():
        raise typer.Exit(1)


def _finished(item: dict[str, Any]) -> list[str]:
    """Return the lines of a question as people read it: options, answer, and what a right explanation names."""
    lines = [f"{item['task']} {item['variant']}: {item['question']}"]
    lines += [f"   {number}. {option}" for number, option in enumerate(item["options"] or [], 1)]
    lines.append(f"   answer: {' | '.join(item['answer'] or ['nobody knows'])}")
    because = [f"{entry['slot']} {entry['value']}" for entry in item["rationale"]]
    return [*lines, f"   because: {', '.join(because)}"] if because else lines
