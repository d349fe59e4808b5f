"""The command `autodebug`: passages whose answer is swapped, or that are enriched, and the originals (AutoDebug).

```
python -m generators.autodebug --n 100
python -m generators.autodebug --n 100 --attack swap --place last --store ./wd --out attacks.jsonl
python -m generators.autodebug --n 100 --source nq-dev.jsonl.gz --writer openai:MODEL --out nq.jsonl
```
"""

from __future__ import annotations

from typing import Annotated

import typer

from evaluators.models.runs import Terms, beside, with_terms
from generators.autodebug.author import Author, open_author
from generators.autodebug.commands import add_commands
from generators.autodebug.compose import Dials, Length, Place
from generators.autodebug.enrich import Added, Closeness, EnrichDials
from generators.autodebug.make import Attack, Options, Result, generate
from generators.autodebug.seeds import read_seeds
from generators.autodebug.swap import Distance, Popularity, SwapDials
from generators.autodebug.texts import TextOptions, text_items, texts_of_file, texts_of_graph
from generators.items import write_items
from generators.lint import Report, lint_file
from generators.making import Making
from kg import cli
from kg.cli import Quiet, fail_check, new_app, note, run
from kg.errors import InputError
from kg.files import check_apart
from kg.graph_choice import with_graph

app = new_app("Passages whose answer is swapped, or that are enriched, and the originals (AutoDebug).")
add_commands(app)

_N = Annotated[int, typer.Option(min=1, max=2**53, help="How many facts to ask about.")]
_Attack = Annotated[Attack, typer.Option(help="What is done to the evidence; the originals come too.")]
_Distance = Annotated[Distance | None, typer.Option(help="Of the swapped answer from the subject [default: drawn].")]
_Popularity = Annotated[Popularity | None, typer.Option(help="Of the swapped answer, against the old [default: drawn].")]
_Added = Annotated[Added | None, typer.Option(help="Facts added: two at most, or more [default: drawn].")]
_Closeness = Annotated[
    Closeness | None, typer.Option(help="Near: what somebody named made; far: the subject [default: drawn].")
]
_Place = Annotated[Place | None, typer.Option(help="Of the supporting sentence [default: drawn].")]
_Length = Annotated[Length | None, typer.Option(help="Of the passage: 2, 3 or 5 other facts [default: drawn].")]
_Source = Annotated[str | None, typer.Option(help="Your questions with evidence: MRQA or plain JSONL, SQuAD JSON, .gz or not.")]
_Passages = Annotated[
    str | None, typer.Option(help="To enrich with: JSONL of title, text; for --source, --writer [default: the other evidence].")
]
_Seeds = Annotated[str | None, typer.Option(help="Attack what the pivot read rightly (`autodebug seeds`).")]
_Writer = Annotated[
    str | None, typer.Option(help="A model that proposes, exchanges and merges, as in the paper; else rules do.")
]
_Tries = Annotated[int, typer.Option(min=1, help="How often the writer is asked for a text that can be used.")]
_Recording = Annotated[str | None, typer.Option(help="The file of its answers [default: OUT.writer.jsonl].")]
_Embeddings = Annotated[
    str | None, typer.Option(help="Retrieve by them: http(s)://host/v1#NAME or openai:NAME [default: BM25].")
]
_Limit = Annotated[int | None, typer.Option(min=1, max=2**53, help="Write at most so many items.")]
_Out = Annotated[str | None, typer.Option(help="The file to write [default: autodebug-ATTACK.jsonl]; `-` is stdout.")]


@app.callback(invoke_without_command=True)
@with_terms
@with_graph
def autodebug(
    context: typer.Context,
    n: _N = 1000,
    attack: _Attack = Attack.both,
    distance: _Distance = None,
    popularity: _Popularity = None,
    added: _Added = None,
    closeness: _Closeness = None,
    place: _Place = None,
    length: _Length = None,
    source: _Source = None,
    passages: _Passages = None,
    seeds: _Seeds = None,
    writer: _Writer = None,
    tries: _Tries = 2,
    recording: _Recording = None,
    embeddings: _Embeddings = None,
    limit: _Limit = None,
    seed: cli.Seed = 0,
    where: Making = Making(),
    out: _Out = None,
    quiet: Quiet = False,
    *,
    terms: Terms,
) -> None:
    """Write passages from facts, swap the answer in them or enrich them, each with the queries that prove it.

    \b
    Examples:
      python -m generators.autodebug --n 100
      python -m generators.autodebug --n 100 --attack enrich --length short --out enriched.jsonl
      python -m generators.autodebug --n 100 --source squad.json --writer openai:MODEL --out squad.jsonl
    """
    if context.invoked_subcommand is not None:
        return
    path = where.path(out, f"autodebug-{attack}.jsonl")
    check_apart({"--out": path}, [source, passages, seeds, recording])
    categories, pivot = read_seeds(seeds) if seeds is not None else (None, None)
    dials = Dials(length, place), SwapDials(distance, popularity), EnrichDials(added, closeness)
    options = Options(n, seed, attack, *dials, categories, pivot)
    terms.check_used(writer, "--writer")
    _check_fit(options, source, writer, passages, embeddings)
    graph = where.open()
    author = None if writer is None else open_author(writer, tries, recording or beside(path, "writer"), terms, quiet=quiet)
    if source is None and author is None:
        result = generate(graph, options)
    else:
        from generators.autodebug.embeddings import open_embedder  # here: it imports openai, which takes most of a second

        embedder = None if embeddings is None else open_embedder(embeddings, beside(path, "embeddings"))
        texts = texts_of_graph(graph, options, passages) if source is None else texts_of_file(source, seed, passages)
        result = text_items(texts, graph, TextOptions(n, seed, attack, categories, pivot, author, embedder))
    with where.writing(path, graph, quiet=quiet) as target:
        count = write_items(target, result.items if limit is None else result.items.head(limit))
    note(summary(result, path, count, author), where.hushed(quiet))
    if path != "-" and not quiet:
        note(_linted(lint_file(path), asked_elsewhere=source is not None), quiet)
    if result.short:
        raise fail_check()


def _linted(report: Report, *, asked_elsewhere: bool) -> str:
    """Say how many items are clean to the linter; what it finds in questions that others wrote is theirs.

    >>> _linted(Report(4, []), asked_elsewhere=True)
    '100.0% of them are clean to the linter'
    """
    found = f"{report.clean:.1%} of them are clean to the linter"
    broken = ", ".join(f"{rule.name} ({len(findings)})" for rule, findings in report.by_rule().items())
    return f"{found}; the questions are the file's own, with {broken}" if asked_elsewhere and broken else found


def _check_fit(options: Options, source: str | None, writer: str | None, passages: str | None, embeddings: str | None) -> None:
    """Raise InputError for options that the others leave without effect."""
    dials: dict[str, object] = {
        "--distance": options.swap.distance,
        "--popularity": options.swap.popularity,
        "--added": options.enrich.added,
        "--closeness": options.enrich.closeness,
    }
    if source is not None:
        dials |= {"--place": options.dials.place, "--length": options.dials.length}
    for name, given in dials.items():
        if given is not None and (source is not None or writer is not None):
            what = "--source" if source is not None else "--writer"
            raise InputError(f"{name} has no effect with {what}", way_out=f"leave {name} or {what} out")
    retrieves = (source is not None or writer is not None) and options.attack is not Attack.swap
    for name, text in (("--passages", passages), ("--embeddings", embeddings)):
        if text is not None and not retrieves:
            raise InputError(
                f"{name} has no effect here", way_out="it retrieves for --source or --writer with --attack enrich or both"
            )


def summary(result: Result, path: str, written: int, author: Author | None = None) -> str:
    """Say in a few lines what was asked for, what was made, why not the rest, and show a fact's passages."""
    lines = [f"{written} items in {path}: {result.facts} facts of {result.wanted} asked for"]
    lines.append(f"facts with a question in this graph: {result.known}")
    lines += [f"  left out, {reason}: {count}" for reason, count in result.left_out.items()]
    lines += [] if author is None else author.summary()
    shown = result.items.unique("variant", keep="first", maintain_order=True)
    for variant, question, answer, context in shown.select("variant", "question", "answer", "context").iter_rows():
        lines.append(f"  {variant}: {context}\n    {question} ({answer[0]})")
    return "\n".join(lines)


def main() -> None:
    """Run the command line."""
    run(app, "python -m generators.autodebug")


if __name__ == "__main__":
    main()
