"""The command line of entailment.

```
python -m evaluators.entailment --items items.jsonl --responses responses.jsonl --lexical --out entailed.jsonl
python -m evaluators.entailment --items i.jsonl --responses r.jsonl --nli cross-encoder/nli-deberta-v3-base --out entailed.jsonl
```
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import polars as pl
import typer

from evaluators.cross_checks import known_items
from evaluators.entailment.answers import Entailed, Entailment, entailed_answers
from evaluators.entailment.judge import Judge
from evaluators.entailment.lexical import Lexical
from evaluators.models.runs import Recording, Terms, beside, with_terms
from kg.cli import Quiet, new_app, note, progress, run
from kg.errors import InputError
from kg.files import check_apart
from queries.records import read_frame, write_frame
from queries.records.item import Item
from queries.records.response import Response

app = new_app("Tell which answers entail an accepted one.")


@app.command()
@with_terms
def entailment(
    items: Annotated[str, typer.Option(help="items.jsonl")],
    responses: Annotated[str, typer.Option(help="responses.jsonl")],
    out: Annotated[str, typer.Option(help="The file to write; `-` is stdout, `.gz` is compressed.")],
    nli: Annotated[str | None, typer.Option(help="A cross-encoder: its name on the hub, or its folder.")] = None,
    judge: Annotated[str | None, typer.Option(help="A model to ask, such as anthropic:NAME or replay:FILE.")] = None,
    lexical: Annotated[bool, typer.Option("--lexical", help="Compare words, where there is no model.")] = False,
    judgements: Annotated[str | None, typer.Option(help="The file of what it said [default: OUT.judge.jsonl].")] = None,
    threshold: Annotated[float, typer.Option(min=0, max=1, help="From which score on an answer counts.")] = 0.5,
    quiet: Quiet = False,
    *,
    terms: Terms,
) -> None:
    """Tell whether an answer, put after its question, entails an accepted answer.

    \b
    Example:
      kgprobe entailment --items items.jsonl --responses responses.jsonl --lexical --out entailed.jsonl
    """
    if (nli is not None) + (judge is not None) + lexical != 1:
        raise InputError("how to tell entailment is not clear", way_out="give one of --nli NAME, --judge MODEL and --lexical")
    terms.check_used(judge, "--judge")
    said = (judgements or beside(out, "judge")) if judge is not None else None
    check_apart({"--out": out, "--judgements": said}, [items, responses])
    model = Recording.open(judge, said, terms, quiet=quiet) if judge is not None else None
    asked = read_frame(items, Item, ["id", "task", "question", "answer"])
    given = read_frame(responses, Response, ["item", "model", "sample", "text"], numbered=True)
    known_items(given, asked["id"], responses, items)
    with progress("pairs", None, quiet or model is not None) as bar:
        way = _way(nli, model, lambda done: bar.advance(bar.task_ids[0], done))
        entailed = entailed_answers(asked, given.drop("line"), way, threshold)
    write_frame(out, entailed, Entailed)
    note(_summary(entailed, given.height), quiet)


def _way(nli: str | None, model: Recording | None, advance: Callable[[int], None]) -> Entailment:
    """Open what was asked for; only then are its libraries imported."""
    if nli is not None:
        from evaluators.entailment.nli import CrossEncoder

        return CrossEncoder(nli, advance=advance)
    if model is not None:
        return Judge(model)
    return Lexical()


def _summary(answers: pl.DataFrame, given: int) -> str:
    """Say how many answers entail an accepted one, and what is not among them."""
    entailed = int(answers["entailed"].sum() or 0)
    unsaid = answers["entailed"].null_count()
    parts = [f"{entailed} of {answers.height - unsaid} answers entail an accepted one"]
    if unsaid:
        parts.append(f"of {unsaid} the judge did not say")
    if answers.height < given:
        parts.append(f"left out: {given - answers.height} without a text, or to items without an accepted answer in words")
    return "; ".join(parts)


def main() -> None:
    """Run the command line."""
    run(app, "python -m evaluators.entailment")


if __name__ == "__main__":
    main()
