"""The room's command line.

```
python -m queries list
python -m queries run khop --param 's=<country/id=austria>' --param radius=1
```
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from kg.cli import Out, Plugins, new_app, note, run
from kg.errors import InputError, nearest, one_line
from kg.files import replacing, write_bytes
from kg.graph_choice import GraphChoice, with_graph
from kg.limits import watching
from kg.terms import language_tag
from queries.errors import TemplateError
from queries.kopl import Program, compile_program, family_of, read_programs
from queries.records import read
from queries.records.item import Item
from queries.tables import Format, aligned, write_result
from queries.templates.front import Parameter
from queries.templates.library import find, kinds, names, new_family
from queries.templates.render import proofs_text
from queries.templates.template import Template, load
from queries.templates.terms import Term

app = new_app(
    "SPARQL templates: begin one, look at them, check them, run them, write out the proofs of items.",
    plugins=[Plugins("template_verbs")],
)

NAME = typer.Argument(metavar="NAME", help="A template's name (see `list`), or the path of a .rq file.")


@app.command("list")
def list_() -> None:
    """List the shipped templates: their parameters, and what they say.

    Example: python -m queries list
    """
    rows = [[name, t.form, ", ".join(t.parameters), t.summary] for name in names() for t in [find(name)]]
    print(aligned(["name", "form", "parameters", "summary"], rows), end="")


@app.command()
def show(name: Annotated[str, NAME]) -> None:
    """Show one template: its version, slots, parameters and text.

    Example: python -m queries show khop
    """
    template = find(name)
    print(f"{name}@{template.version}  ({template.form})\n{template.summary}\nfile: {template.path}")
    if template.slots:
        print(f"slots: {', '.join(template.slots)}")
    for parameter, about in template.parameters.items():
        print(f"parameter {parameter}: {_about(about)}")
    print(f"\n{template.text.rstrip()}")


def _about(parameter: Parameter) -> str:
    default = None if parameter.default is None else f"default {parameter.default}"
    parts = [parameter.type, "optional" if parameter.optional else default or "needed", parameter.description]
    return ", ".join(part for part in parts if part)


@app.command()
def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Files to check.")],
    timeout: Annotated[float, typer.Option("--timeout", min=0, help="Seconds a file may take; 0: any number.")] = 60,
    explain: Annotated[bool, typer.Option("--explain", help="Of a family, on which triples its dependency rests.")] = False,
) -> None:
    """Check .rq files: front matter, query, parameters. Prints one line per file at fault; then the exit code is 2.

    A query of hundreds of patterns can take a planner hours: what takes longer than --timeout ends the command.

    Example: python -m queries check my-family.rq
    """
    faulty = 0
    with watching() as watch:
        for file in files:
            try:
                with watch.query(file, timeout):
                    template = load(file)
                print(f"{file}: {template.name}@{template.version} is sound", flush=True)
                if explain and template.front.is_family:
                    print(_explained(template), flush=True)
            except InputError as error:
                faulty += 1
                print(f"error: {error}", file=sys.stderr)
    if faulty:
        raise typer.Exit(2)


def _explained(template: Template) -> str:
    from queries.bundle.dependency import dependency_of  # here: rdflib and networkx take a while to load
    from queries.bundle.footprint import UntraceableError

    try:
        return str(dependency_of(template))
    except UntraceableError as error:
        return f"  on which triples its dependency rests cannot be told: {error}"


@app.command()
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE.rq", help="The file to write; the family is named like it.")],
    like: Annotated[str, typer.Option(help=f"What it is like: {', '.join(kinds())}.")] = "yes_no",
) -> None:
    """Write a family to begin with: sound, and asking the starter graph until you write other tables and words into it.

    Example: python -m queries new my-family.rq --like choice
    """
    template = new_family(file, like)
    print(f"{file}: {template.name}@{template.version}, {template.summary}")
    print(f"see what it asks: python -m queries preview {file}")


@app.command("run")
@with_graph
def run_(
    name: Annotated[str, NAME],
    param: Annotated[list[str] | None, typer.Option("--param", metavar="K=V", help="A parameter's value.")] = None,
    where: GraphChoice = GraphChoice(),
    format: Annotated[Format, typer.Option(help="How a SELECT is written; tsv tells IRIs from texts.")] = "table",
    limit: Annotated[int | None, typer.Option(min=0, help="Write at most so many rows.")] = None,
    out: Out = "-",
) -> None:
    """Run a template over a graph: a SELECT gives a table, an ASK true or false, a CONSTRUCT N-Triples.

    \b
    Example: python -m queries run khop --param 's=<country/id=austria>' --param radius=1
    """
    template = find(name)
    graph = where.open()
    query = template.bind(_values(template, param or [], graph.base), base=graph.base)
    if template.form == "select":
        frame = graph.terms(query) if format == "tsv" else graph.select(query)
        write_result(frame if limit is None else frame.head(limit), format, out)
        return
    with replacing(out) as stream:
        if template.form == "ask":
            stream.write(b"true\n" if graph.ask(query) else b"false\n")
        else:
            stream.write(b"".join(graph.construct(query).splitlines(keepends=True)[:limit]))


def _values(template: Template, given: list[str], base: str | None) -> dict[str, Term]:
    """Turn `--param` options into terms of the types that the template asks for."""
    values: dict[str, Term] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise InputError(f"'{text}' names no value", place="--param", way_out="write --param NAME=VALUE")
        if name in values:
            raise InputError(f"'{name}' is given twice", place="--param", way_out="give each parameter once")
        try:
            values[name] = template.read_value(name, value, base=base)
        except TemplateError as error:
            raise TemplateError(error.problem, place=error.place or f"--param {name}", way_out=error.way_out) from error
    return values


@app.command()
@with_graph
def render(
    items: Annotated[str, typer.Argument(metavar="ITEMS.jsonl", help="Items; `-` is stdin, .gz is understood.")],
    id: Annotated[str | None, typer.Option("--id", help="Only the item with this id.")] = None,
    base: Annotated[str | None, typer.Option("--base", help="What relative IRIs are relative to.")] = None,
    proof: Annotated[int | None, typer.Option("--proof", min=1, help="Only the proof of this number.")] = None,
    folder: Annotated[Path | None, typer.Option("--folder", help="Write each proof to a file ID.NUMBER.rq in here.")] = None,
    where: GraphChoice = GraphChoice(),
    out: Out = "-",
) -> None:
    """Print every proof of the items as SPARQL that runs anywhere, with what it is expected to return.

    Relative IRIs are those of --store or --endpoint, or of --base; with none of them they stay relative.

    \b
    Example: python -m queries render items.jsonl --id fpq.art.premise.tpq.0123456789abcdef --proof 1 | kg query @-
    """
    if folder is not None and (not folder.is_dir() or out != "-"):
        problem = "stands beside --out" if out != "-" else f"there is no folder {folder}"
        raise InputError(problem, place="--folder", way_out="give one of them" if out != "-" else "make it first")
    records = read(items, Item)
    chosen = [item for item in records if id in (None, item.id)]
    if id is not None and not chosen:
        raise InputError(f"there is no item '{id}'", place=items, way_out=nearest(id, [item.id for item in records]))
    if base is None and where.named:
        base = where.open().base
    texts = [(item, number, text) for item in chosen for number, text in _rendered(item, base, proof, items)]
    if folder is not None:
        for item, number, text in texts:
            write_bytes(folder / f"{item.id}.{number}.rq", text.encode())
        return
    write_bytes(out, "".join(f"{text}\n" for _, _, text in texts).encode())


def _rendered(item: Item, base: str | None, proof: int | None, file: str) -> Iterator[tuple[int, str]]:
    """Yield the number and the SPARQL of each proof of an item, or of the one that is wanted."""
    if not item.proof:
        note(f"{one_line(item.id)} has no proof")
    elif proof is not None and proof > len(item.proof):
        way_out = f"it has {len(item.proof)}"
        raise InputError(f"{one_line(item.id)} has no proof {proof}", place="--proof", way_out=way_out)
    texts = enumerate(proofs_text(item, base=base, file=file), 1)
    yield from ((number, text) for number, text in texts if proof in (None, number))


@app.command()
@with_graph
def kopl(
    programs: Annotated[str, typer.Argument(metavar="PROGRAM.json", help="A program, or many (.jsonl, KQA Pro's files).")],
    run: Annotated[bool, typer.Option("--run", help="Run it, and print its rows instead.")] = False,
    family: Annotated[str | None, typer.Option(metavar="FILE.rq", help="Write a family of questions like it.")] = None,
    question: Annotated[
        str | None, typer.Option(help="With --family: its question, with {entity} for what Find finds.")
    ] = None,
    language: Annotated[str, typer.Option(help="Languages of names, as `kg load` has it.")] = "en",
    where: GraphChoice = GraphChoice(),
    format: Annotated[Format, typer.Option(help="How the rows of one program are written.")] = "table",
    out: Out = "-",
) -> None:
    """Print the SPARQL query that answers a KoPL program (KQA Pro's lists of function, dependencies, inputs).

    Of many programs each gives a JSON line: its number, query or rows.

    \b
    Example: python -m queries kopl program.json | kg query @- --store ./kopl
    """
    read, alone = read_programs(programs)
    read = [replace(program, languages=tuple(map(language_tag, language.split(",")))) for program in read]
    if family is not None or question is not None:
        return _write_family(family, question, read)
    queries = [compile_program(program) for program in read]
    if alone:
        if run:
            return write_result(where.open().select(queries[0]), format, out)
        return write_bytes(out, f"{queries[0]}\n".encode())
    graph = where.open() if run else None
    with replacing(out) as stream:
        for number, query in enumerate(queries, 1):
            said = {"rows": graph.select(query).rows()} if graph else {"query": query}
            stream.write(f"{json.dumps({'program': number} | said, ensure_ascii=False)}\n".encode())
    return None


def _write_family(path: str | None, question: str | None, programs: list[Program]) -> None:
    """Write the family of one program."""
    if path is None or question is None:
        missing, way_out = ("--family", "--family FILE.rq") if path is None else ("--question", '--question "… {entity}?"')
        raise InputError("is missing", place=missing, way_out=f"a family has a file and a question: add {way_out}")
    if len(programs) != 1:
        raise InputError(f"are {len(programs)} programs", place="--family", way_out="give one: a family is made of one")
    name = re.sub(r"\W+", "_", Path(path).stem.lower()).strip("_") or "family"
    write_bytes(path, family_of(programs[0], name, question).text.encode())
    note(f"wrote {path}: generators.family makes its questions")


def main() -> None:
    """Run the command line."""
    run(app, "python -m queries")


if __name__ == "__main__":
    main()
