"""`kg load`: one command for each kind of source.

```
kg load sql sqlite:///shop.sqlite --store ./shop
kg load kopl kb.json --store ./kopl
```
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from kg import cli
from kg.build import Load
from kg.local import build_store
from kg.sorted_runs import Spool
from kg.sources.kopl import load_kopl
from kg.sources.sql import Mapping, load_sql
from kg.sources.tables import load_tables
from kg.sources.wikidata import WikidataFiles, load_wikidata

__all__ = ["load"]

load = cli.new_app("Read a source into a store: a folder that `--store` names from then on.")

_NewStore = Annotated[Path, typer.Option("--store", help="The folder to make, or to add this load to.")]
_Name = Annotated[str | None, typer.Option("--name", help="What to call the load; one of that name is replaced.")]
_Lenient = Annotated[bool, typer.Option("--lenient", help="Leave out and count what refers to something unknown.")]


@load.command()
def wikidata(
    triples: Annotated[Path, typer.Option(help="Columns: n, subject, property, object.")],
    entities: Annotated[Path, typer.Option(help="Columns: id, label, aliases (separated by `|`).")],
    store: _NewStore,
    types: Annotated[Path | None, typer.Option(help="Columns: id, type, type_label.")] = None,
    properties: Annotated[Path | None, typer.Option(help="Columns: id, label.")] = None,
    qualifiers: Annotated[Path | None, typer.Option(help="Columns: n (of the triple), property, value.")] = None,
    incomplete: Annotated[Path | None, typer.Option(help="Columns: subject, property whose objects are not all there.")] = None,
    name: _Name = None,
    lenient: _Lenient = False,
    quiet: cli.Quiet = False,
) -> None:
    """Load Wikidata statements from tab-separated files.

    \b
    Example:
      kg load wikidata --triples triples.tsv --entities entities.tsv --store ./wd
    And then, on it or on the embedded data:
      kg stats
    """
    files = WikidataFiles(triples, entities, types, properties, qualifiers, incomplete)
    _load(lambda spool: load_wikidata(files, name or "wikidata", lenient=lenient, spool=spool), store, quiet)


@load.command()
def kopl(
    file: Annotated[Path, typer.Argument(metavar="KB.JSON", help="A knowledge base in KoPL's format; `.gz` is understood.")],
    store: _NewStore,
    name: _Name = None,
    lenient: _Lenient = False,
    quiet: cli.Quiet = False,
) -> None:
    """Load a knowledge base in KoPL's format.

    \b
    Example:
      kg load kopl kb.json.gz --store ./kopl
    And then, on it or on the embedded data:
      kg stats
    """
    _load(lambda spool: load_kopl(file, name or "kopl", lenient=lenient, spool=spool), store, quiet)


@load.command()
def tables(
    schema: Annotated[Path, typer.Argument(metavar="SCHEMA.TOML", help="What the tables are; the README lists its keys.")],
    store: _NewStore,
    name: _Name = None,
    lenient: _Lenient = False,
    quiet: cli.Quiet = False,
) -> None:
    """Load relational tables from files (CSV, TSV, JSON Lines, Parquet), with primary and foreign keys.

    \b
    Example:
      kg load tables SCHEMA.toml --store ./films
    And then, on it or on the embedded data:
      kg query 'SELECT ?title { ?film <film#title> ?title } LIMIT 3'
    """
    _load(lambda spool: load_tables(schema, name, lenient=lenient, spool=spool), store, quiet)


@load.command()
def sql(
    url: Annotated[str, typer.Argument(metavar="URL", help="Such as sqlite:///shop.sqlite, or postgresql+pg8000://…")],
    store: _NewStore,
    tables: Annotated[list[str] | None, typer.Option(help="Only these (repeat it, or put commas between).")] = None,
    schema: Annotated[str | None, typer.Option(help="The database's schema they stand in.")] = None,
    base: Annotated[str | None, typer.Option(metavar="IRI", help="What all names begin with; it ends in a slash.")] = None,
    label: Annotated[list[str] | None, typer.Option(metavar="TABLE.COLUMN", help="Where a table's names stand.")] = None,
    mapping: Annotated[Mapping, typer.Option(help="direct: the W3C Direct Mapping graph and nothing else.")] = "core",
    license: Annotated[str | None, typer.Option(help="The licence of the data, for the provenance.")] = None,
    name: _Name = None,
    quiet: cli.Quiet = False,
) -> None:
    """Load a relational database, by the keys and foreign keys it declares. It is opened for reading only.

    \b
    Example:
      kg load sql sqlite:///shop.sqlite --store ./shop
    And then, on it or on the embedded data:
      kg query 'SELECT ?name { ?film a <film> ; rdfs:label ?name } LIMIT 3'
    """

    def read(spool: Spool) -> Load:
        return load_sql(
            url,
            name,
            base=base,
            tables=tables or (),
            schema=schema,
            labels=label or (),
            mapping=mapping,
            license=license,
            spool=spool,
        )

    _load(read, store, quiet)


def _load(read: Callable[[Spool], Load], store: Path, quiet: bool) -> None:
    with cli.progress("reading", None, quiet) as bar, Spool(store) as spool:
        made = read(spool)
        bar.update(bar.task_ids[0], description="building the store")
        build_store(store, made)
    counts = ", ".join(f"{number:,} {what}" for what, number in made.counts.items())
    cli.note(f"loaded {made.name} into {store}: {counts}", quiet)
