"""The graph's command line: `python -m kg`, or `kgprobe` with the same verbs.

```
kg load kopl kb.json --store ./kopl
kg query 'SELECT ?name { ?e a kgp:Relation ; rdfs:label ?name } LIMIT 5'
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from kg import cli
from kg.dependencies.command import fds
from kg.entities import Match, describe_iri, find_entities
from kg.errors import InputError
from kg.files import read_bytes, write_bytes
from kg.graph import undeclared
from kg.graph_choice import GraphChoice, with_graph
from kg.limits import watching
from kg.load_commands import load
from kg.local import LocalGraph
from kg.output import answer, as_quads
from kg.summary import stats
from kg.text import harmless
from kg.vocab import KGP, PROVENANCE, SCHEMA, data_graph

if TYPE_CHECKING:
    from kg.remote import RemoteGraph

app = cli.new_app("Load graphs, query them, look at them.", top=True, plugins=[cli.Plugins("verbs")])
app.add_typer(load, name="load")

_Limit = Annotated[int, typer.Option("--limit", min=1, help="At most so many facts of each relation.")]


def main() -> None:
    """Run the command line."""
    cli.run(app, "kg")


@app.command()
@with_graph
def query(
    sparql: Annotated[str, typer.Argument(metavar="SPARQL", help="A query, @FILE, or - for stdin.")],
    where: GraphChoice = GraphChoice(),
    form: Annotated[
        str | None,
        typer.Option("--format", help="table, csv, tsv, json, parquet for rows; nt, ttl for a CONSTRUCT.", show_default=False),
    ] = None,
    timeout: cli.Timeout = 60,
    memory: cli.Memory = 8,
    rows: Annotated[int, typer.Option("--rows", min=0, help="Rows a result may have; 0: any number.")] = 10_000_000,
    out: cli.Out = "-",
    quiet: cli.Quiet = False,
) -> None:
    """Run a SPARQL query. The usual prefixes are declared already; relative IRIs are those of the tables.

    A query that takes too long, or too much memory, is ended, and so it is by Ctrl-C.

    \b
    Example:
      kg query 'SELECT ?name { ?film a <film> ; rdfs:label ?name } LIMIT 3'
    """
    with watching(memory) as watch:
        graph, text = _open(where), _text_of(sparql)
        with watch.query("query", timeout):
            left_out = answer(graph, text, form, out, most=rows)
    if left_out:
        cli.note(f"{left_out:,} more rows; --format csv gives all of them", quiet)


def _text_of(sparql: str) -> str:
    if sparql != "-" and not sparql.startswith("@"):
        return sparql
    path = sparql.removeprefix("@")
    try:
        return read_bytes(path).decode()
    except UnicodeDecodeError as error:
        raise InputError("is not UTF-8 text", place=path, way_out="save it as UTF-8") from error


@app.command("describe")
@with_graph
def describe_command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A label, an alias, a prefixed name or an IRI.")],
    where: GraphChoice = GraphChoice(),
    limit: _Limit = 10,
) -> None:
    """Show an entity: names, concepts, facts both ways, attributes with units, qualifiers behind their facts.

    \b
    Example:
      kg describe 'Pulp Fiction'
    """
    graph = _open(where)
    matches = find_entities(graph, name)
    if len(matches) == 1:
        typer.echo(describe_iri(graph, matches[0].iri).text(limit), nl=False)
        return
    typer.echo(f"{len(matches)} things bear the name {harmless(name)}; describe one of them by its IRI:")
    for match in matches:
        typer.echo(_one_of(match))


def _one_of(match: Match) -> str:
    return harmless(f"  <{match.iri}>  {match.label}" + (f"  ({', '.join(match.concepts)})" if match.concepts else ""))


@app.command()
@with_graph
def dump(
    name: Annotated[str | None, typer.Option(help="A load, `schema`, or `provenance`; without it, everything.")] = None,
    form: Annotated[str, typer.Option("--format", help="nt, ttl, or with graph names nq, trig.")] = "nt",
    where: GraphChoice = GraphChoice(),
    out: cli.Out = "-",
) -> None:
    """Write a graph out. nt and ttl hold triples (without --name: those of all loads), nq and trig say which graph.

    \b
    Example:
      kg dump --name starter --format ttl
    """
    graph = _open(where)
    aside = [iri for iri in (SCHEMA, PROVENANCE) if iri in graph.all_graphs()]
    named = [*graph.data_graphs, *aside] if form in ("nq", "trig") else graph.data_graphs
    if name is not None:
        named = [_graph_called(name, graph.data_graphs, aside)]
    write_bytes(out, as_quads([(iri, graph.dump(iri)) for iri in named], form))


def _graph_called(name: str, loads: list[str], aside: list[str]) -> str:
    known = {iri: iri for iri in (*aside, *loads)}
    for iri in (name, KGP + name, data_graph(name)):
        if iri in known:
            return known[iri]
    names = ", ".join([iri.removeprefix(data_graph("")) for iri in loads] + [iri.removeprefix(KGP) for iri in aside])
    raise InputError(f"there is no load '{name}'", place="--name", way_out=f"there are: {names}")


@app.command("stats")
@with_graph
def stats_command(where: GraphChoice = GraphChoice()) -> None:
    """Show what a graph holds: loads with source, licence and counts; concepts and relations by use.

    \b
    Example:
      kg stats
    """
    typer.echo(stats(graph := _open(where)), nl=False)
    if lacks := undeclared(graph):
        cli.note(f"note: {lacks}")


def _open(where: GraphChoice) -> LocalGraph | RemoteGraph:
    return cast("LocalGraph | RemoteGraph", where.open())


app.command("fds")(fds)


if __name__ == "__main__":
    main()
