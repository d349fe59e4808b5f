"""The command `why`: says who? An item, an answer or a verdict, with what the graph says of it.

```
kgprobe why fpq.capital.yes_no.tpq.0123456789abcdef --items items.jsonl
kgprobe why 0123456789abcdef --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl
```
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Annotated

import typer

from evaluators.why.story import answers_to, item_called, story
from kg.cli import Out, new_app, run
from kg.files import check_apart, replacing
from kg.graph_choice import GraphChoice, with_graph
from queries.audit import other_graphs
from queries.records import readable

app = new_app("What the graph says of a question, an answer, a verdict.")


@app.command()
@with_graph
def why(
    id: Annotated[str, typer.Argument(metavar="ID", help="The id of an item, or how it ends.")],
    items: Annotated[str, typer.Option("--items", metavar="FILE", help="The file that the item is in.")],
    responses: Annotated[str | None, typer.Option("--responses", metavar="FILE", help="What models answered.")] = None,
    verdicts: Annotated[str | None, typer.Option("--verdicts", metavar="FILE", help="How that was judged.")] = None,
    model: Annotated[str | None, typer.Option("--model", help="Only the answers of this model.")] = None,
    sample: Annotated[int | None, typer.Option("--sample", min=0, help="Only the answers of this number.")] = None,
    sparql: Annotated[bool, typer.Option("--sparql/--no-sparql", help="Show the queries with their rows.")] = True,
    svg: Annotated[str | None, typer.Option("--svg", metavar="FILE.svg", help="Draw the facts that decide the item.")] = None,
    where: GraphChoice = GraphChoice(),
    out: Out = "-",
) -> None:
    """Say why: the question, its answer, what the graph says in plain sentences, each with its SPARQL and its rows.

    Examples:

        kgprobe why fpq.capital.yes_no.tpq.0123456789abcdef --items items.jsonl

        kgprobe why 0123456789abcdef --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl

        kgprobe why 0123456789abcdef --items items.jsonl --svg why.svg
    """
    check_apart({"--out": out, "--svg": svg}, [name for name in (items, responses, verdicts) if name is not None])
    with ExitStack() as stack:
        files = (None if path is None else stack.enter_context(readable(path)) for path in (items, responses, verdicts))
        asked, answered, judged = files
        assert asked is not None
        item = item_called(asked, id)
        answers = answers_to(item, answered, judged, model=model, sample=sample)
        graph = where.open()
        told = story(item, graph, answers, sparql=sparql)
    made_from = [(str(item.source.get("graph")), str(item.source["digest"]))] if item.source.get("digest") else []
    # All of an endpoint would have to be read to tell which graph it is.
    origin = other_graphs(made_from, graph) if where.endpoint is None else None
    texts = {out: f"{origin}\n{told}" if origin else told}
    if svg is not None:
        from queries.why.drawing import drawing  # here: what a proof looks at is read by rdflib, which takes a while to load
        from queries.why.picture import picture_of

        texts[svg] = drawing(picture_of(item, graph))
    with ExitStack() as stack:
        # Both files are opened before anything is written: a path that cannot be leaves nothing behind.
        for stream, text in [(stack.enter_context(replacing(path)), text) for path, text in texts.items()]:
            stream.write(text.encode())


def main() -> None:
    """Run the command line."""
    run(app, "python -m evaluators.why")


if __name__ == "__main__":
    main()
