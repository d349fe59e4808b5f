"""`kg load`: one command for each kind of source that the entry point group `kgprobe.sources` names.

```
kg load sql sqlite:///shop.sqlite --store ./shop
kg load kopl kb.json --store ./kopl
```

A source is a function that returns a `kg.Load`; its parameters become the arguments and options of its command. A parameter
called `scratch` is given a folder for what memory should not hold, one called `store` the folder of the store. `kg load` adds
`--store` and `--quiet`, and builds the store. Those of ours below are found like anybody's, and import their loaders when they
are called.
"""

from __future__ import annotations

import contextlib
import inspect
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from kg import cli
from kg.build import Load
from kg.errors import InputError
from kg.files import write_bytes
from kg.local import build_store
from kg.meter import Meter, metered
from kg.sorted_runs import Scratch

if TYPE_CHECKING:
    from rich.progress import Progress

    from kg.sources.rdf import RdfWords

_NewStore = Annotated[Path, typer.Option("--store", help="The folder to make, or to add this load to.")]
_Name = Annotated[str | None, typer.Option("--name", help="What to call the load; one of that name is replaced.")]
_Lenient = Annotated[bool, typer.Option("--lenient", help="Leave out and count what refers to something unknown.")]


def load_command(read: Callable[..., Load]) -> Callable[..., None]:
    """Make the command of a function that reads a source: with `--store` after what has to be given, `--quiet` at the end."""
    parameters = dict(inspect.signature(read, eval_str=True).parameters)
    takes_scratch, takes_store = (parameters.pop(name, None) is not None for name in ("scratch", "store"))

    def command(store: Path, quiet: bool = False, **given: Any) -> None:
        with _reading(quiet, given.values()) as reading, Scratch(store) as scratch:
            more: dict[str, Any] = {"scratch": scratch} if takes_scratch else {}
            load = read(**given, **more, **({"store": store} if takes_store else {}))
            reading.build(store, load)
        reading.tell(load, store)

    by_name = inspect.Parameter.KEYWORD_ONLY
    required = [p for p in parameters.values() if p.default is p.empty]
    optional = [p for p in parameters.values() if p.default is not p.empty]
    store = inspect.Parameter("store", by_name, annotation=_NewStore)
    quiet = inspect.Parameter("quiet", by_name, default=False, annotation=cli.Quiet)
    shown = [p.replace(kind=by_name) for p in (*required, store, *optional, quiet)]
    # Typer reads both: the signature for what is annotated, the annotations for the types.
    command.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in shown}
    command.__doc__ = read.__doc__
    return command


class _Reading:
    """A load under way: a bar shows how many bytes of its files are read, and one line at the end what has come of it."""

    def __init__(self, bar: Progress, quiet: bool) -> None:
        self.meter = Meter(None if bar.disable else self._show)
        self._bar, self._quiet, self._began = bar, quiet, time.monotonic()

    def _show(self, meter: Meter) -> None:
        self._bar.update(self._bar.task_ids[0], completed=meter.done, total=meter.total)

    def build(self, store: Path, load: Load) -> None:
        """Build the store; how long that takes nobody knows."""
        if not self._bar.disable:
            self._bar.stop()
        with cli.progress("building the store", None, self._quiet, of="time"):
            build_store(store, load)

    def tell(self, load: Load, where: object) -> None:
        """Print the counts of a load, how long it took, and of how many bytes."""
        from rich.filesize import decimal

        seconds = time.monotonic() - self._began
        counts = ", ".join(f"{number:,} {what}" for what, number in load.counts.items())
        size = max(self.meter.done, self.meter.total or 0)
        speed = f"{decimal(size)}, {decimal(int(size / seconds))}/s" if size else ""
        for line in load.left_out:
            cli.note(f"left out: {line}", self._quiet)
        cli.note(f"loaded {load.name} into {where}: {counts}; {seconds:.1f} s{speed and ', '}{speed}", self._quiet)


@contextlib.contextmanager
def _reading(quiet: bool, given: Iterable[object] = ()) -> Iterator[_Reading]:
    """Show how far the files among what is `given` to a loader are read, and those that it names itself."""
    with cli.progress("reading", None, quiet, of="bytes") as bar:
        reading = _Reading(bar, quiet)
        listed = (value if isinstance(value, list) else [value] for value in given)
        reading.meter.expect(path for values in listed for path in values if isinstance(path, Path))
        with metered(reading.meter):
            yield reading


_OURS = ("wikidata", "entities", "kopl", "rdf", "tables", "sql", "patch")

load = cli.new_app(
    "Read a source into a store: a folder that `--store` names from then on.",
    plugins=[cli.Plugins("sources", first=_OURS, wrap=load_command)],
)


def wikidata(
    triples: Annotated[Path, typer.Option(help="Columns: n, subject, property, object.")],
    entities: Annotated[Path, typer.Option(help="Columns: id, label, aliases (separated by `|`).")],
    scratch: Scratch,
    types: Annotated[Path | None, typer.Option(help="Columns: id, type, type_label.")] = None,
    properties: Annotated[Path | None, typer.Option(help="Columns: id, label.")] = None,
    qualifiers: Annotated[Path | None, typer.Option(help="Columns: n (of the triple), property, value.")] = None,
    incomplete: Annotated[Path | None, typer.Option(help="Columns: subject, property whose objects are not all there.")] = None,
    complete: Annotated[Path | None, typer.Option(help="Columns: subject, property whose objects are all there.")] = None,
    attributes: Annotated[Path | None, typer.Option(help="Columns: subject, property, value, type, unit.")] = None,
    name: _Name = None,
    lenient: _Lenient = False,
) -> Load:
    """Load Wikidata statements from tab-separated files.

    \b
    Example:
      kg load wikidata --triples triples.tsv --entities entities.tsv --store ./wd
    And then, on it or on the embedded data:
      kg stats
    """
    from kg.sources.wikidata import WikidataFiles, load_wikidata

    files = WikidataFiles(triples, entities, types, properties, qualifiers, incomplete, attributes, complete)
    return load_wikidata(files, name or "wikidata", lenient=lenient, scratch=scratch)


def kopl(
    file: Annotated[Path, typer.Argument(metavar="KB.JSON", help="A knowledge base in KoPL's format; `.gz` is understood.")],
    scratch: Scratch,
    name: _Name = None,
    lenient: _Lenient = False,
) -> Load:
    """Load a knowledge base in KoPL's format.

    \b
    Example:
      kg load kopl kb.json.gz --store ./kopl
    And then, on it or on the embedded data:
      kg stats
    """
    from kg.sources.kopl import load_kopl

    return load_kopl(file, name or "kopl", lenient=lenient, scratch=scratch)


def tables(
    schema: Annotated[Path, typer.Argument(metavar="SCHEMA.TOML", help="What the tables are; the README lists its keys.")],
    scratch: Scratch,
    name: _Name = None,
    lenient: _Lenient = False,
) -> Load:
    """Load relational tables from files (CSV, TSV, JSON Lines, Parquet), with primary and foreign keys.

    \b
    Example:
      kg load tables SCHEMA.toml --store ./films
    And then, on it or on the embedded data:
      kg query 'SELECT ?title { ?film <film#title> ?title } LIMIT 3'
    """
    from kg.sources.tables import load_tables

    return load_tables(schema, name, lenient=lenient, scratch=scratch)


def sql(
    url: Annotated[str, typer.Argument(metavar="URL", help="Such as sqlite:///shop.sqlite, or postgresql+pg8000://…")],
    scratch: Scratch,
    tables: Annotated[list[str] | None, typer.Option(help="Only these (repeat it, or put commas between).")] = None,
    schema: Annotated[str | None, typer.Option(help="The database's schema they stand in.")] = None,
    base: Annotated[str | None, typer.Option(metavar="IRI", help="What all names begin with; it ends in a slash.")] = None,
    label: Annotated[list[str] | None, typer.Option(metavar="TABLE.COLUMN", help="Where a table's names stand.")] = None,
    mapping: Annotated[
        Literal["core", "direct"], typer.Option(help="direct: the W3C Direct Mapping graph and nothing else.")
    ] = "core",
    license: Annotated[str | None, typer.Option(help="The licence of the data, for the provenance.")] = None,
    name: _Name = None,
) -> Load:
    """Load a relational database, by the keys and foreign keys it declares. It is opened for reading only.

    \b
    Example:
      kg load sql sqlite:///shop.sqlite --store ./shop
    And then, on it or on the embedded data:
      kg query 'SELECT ?name { ?film a <film> ; rdfs:label ?name } LIMIT 3'
    """
    from kg.sources.sql import load_sql

    return load_sql(
        url,
        name,
        base=base,
        tables=tables or (),
        schema=schema,
        labels=label or (),
        mapping=mapping,
        license=license,
        scratch=scratch,
    )


def rdf(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help=".nt .nq .ttl .trig .n3 .rdf .jsonld .trix .hext (.gz .bz2 .xz)."),
    ],
    scratch: Scratch,
    labels: Annotated[list[str] | None, typer.Option(help="Predicates that give names, the best first.")] = None,
    aliases: Annotated[list[str] | None, typer.Option(help="Predicates that give other names.")] = None,
    language: Annotated[list[str] | None, typer.Option(help="Languages of names, the best first (en).")] = None,
    types: Annotated[list[str] | None, typer.Option(help="Predicates that say what a thing is (rdf:type).")] = None,
    relations: Annotated[list[str] | None, typer.Option(help="Ask of these predicates only.")] = None,
    properties: Annotated[Path | None, typer.Option(help="Columns: IRI of a predicate, its name in words.")] = None,
    min_facts: Annotated[int, typer.Option(help="Ask of no predicate with fewer facts.", min=1)] = 1,
    license: Annotated[str | None, typer.Option(help="The licence of the data, for the provenance.")] = None,
    name: _Name = None,
    lenient: Annotated[bool, typer.Option("--lenient", help="Leave out and count lines that are no RDF.")] = False,
) -> Load:
    """Load RDF of any vocabulary: DBpedia, YAGO, schema.org, your own. Lists take commas, or the option again.

    \b
    Example:
      kg load rdf labels.ttl.bz2 facts.nt.gz --labels rdfs:label --store ./dbpedia
    And then, on it or on the embedded data:
      kg stats
    """
    from kg.sources.rdf import load_rdf

    words = _rdf_words(
        properties, min_facts, labels=labels, aliases=aliases, languages=language, types=types, relations=relations
    )
    return load_rdf(files, name or "rdf", words, license=license, lenient=lenient, scratch=scratch)


def _listed(values: list[str]) -> list[str]:
    """Return the words of lists with commas, with or without blanks behind these."""
    return [word.strip() for value in values for word in value.split(",") if word.strip()]


def _rdf_words(properties: Path | None, min_facts: int, **lists: list[str] | None) -> RdfWords:
    from kg.sources.rdf import RdfWords, names_of_properties

    listed = {key: _listed(values) for key, values in lists.items() if values}
    known = names_of_properties(properties) if properties else {}
    return RdfWords(**{key: words for key, words in listed.items() if words}, min_facts=min_facts, properties=known)


def entities(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="One entity a line; also .gz, .bz2, .xz.")],
    scratch: Scratch,
    language: Annotated[list[str] | None, typer.Option(help="Languages of names, the best first (en).")] = None,
    name: _Name = None,
    lenient: Annotated[bool, typer.Option("--lenient", help="Leave out and count lines that are no entity.")] = False,
) -> Load:
    """Load Wikidata's entity JSON: a dump, or lines of one. Best ranks become facts; lists take commas, or the option again.

    \b
    Example:
      kg load entities latest-all.json.bz2 --language en,de --store ./wikidata
    And then, on it or on the embedded data:
      kg stats
    """
    from kg.sources.entities import load_entities

    languages = _listed(language or []) or ["en"]
    return load_entities(files, name or "wikidata", languages=languages, lenient=lenient, scratch=scratch)


def patch(
    store: Path,
    fixes: Annotated[list[Path] | None, typer.Option("--with", metavar="FIXES.ttl", help="Facts to add (Turtle).")] = None,
    wrong: Annotated[list[Path] | None, typer.Option("--without", metavar="WRONG.ttl", help="Facts to take out.")] = None,
    name: _Name = None,
) -> Load:
    """Mend a store: add facts as a load of their own, and take facts out of all others, with what qualifies them.

    To try a patch first, give the same options to any command that reads a graph.

    \b
    Example:
      kg load patch --with fixes.ttl --without wrong.ttl --store ./wd
    And then, on it or on the embedded data:
      kg stats
    """
    from kg.local import LocalGraph
    from kg.patch import load_patch

    return load_patch(fixes or (), wrong or (), LocalGraph.open(store).base, name)


@load.command()
def views(
    store: Annotated[Path | None, typer.Option("--store", help="The store to add it to, whatever program filled it.")] = None,
    endpoint: Annotated[str | None, typer.Option("--endpoint", help="A SPARQL 1.1 endpoint's URL; it needs --out.")] = None,
    out: Annotated[str | None, typer.Option("--out", metavar="FILE.nq", help="Write it here instead, as N-Quads.")] = None,
    labels: Annotated[list[str] | None, typer.Option(help="Predicates that give names where there is no rdfs:label.")] = None,
    language: Annotated[list[str] | None, typer.Option(help="Languages of names, the best first (en).")] = None,
    types: Annotated[list[str] | None, typer.Option(help="Predicates that say what a thing is (rdf:type).")] = None,
    relations: Annotated[list[str] | None, typer.Option(help="Ask of these predicates only.")] = None,
    properties: Annotated[Path | None, typer.Option(help="Columns: IRI of a predicate, its name in words.")] = None,
    min_facts: Annotated[int, typer.Option(help="Ask of no predicate with fewer facts.", min=1)] = 1,
    name: _Name = None,
    quiet: cli.Quiet = False,
) -> None:
    """Add what a graph lacks before questions can be made of it: relations, attributes, concepts, names.

    It is derived from the graph by SPARQL. To try it first, give --derive to a command that makes items.

    \b
    Example:
      kg load views --store ./dbpedia --labels rdfs:label,foaf:name
    For an endpoint, a file to load into it:
      kg load views --endpoint http://localhost:7878/query --out views.nq
    """
    from kg import open_graph
    from kg.output import as_quads
    from kg.sources.views import NAME, derive_views

    if (endpoint is not None or store is None) and out is None:
        problem = "needs --out" if endpoint is not None else "names no store"
        way_out = "an endpoint is not written to: name a file" if endpoint is not None else "give --store DIR"
        raise InputError(problem, place="kg load views", way_out=way_out)
    words = _rdf_words(properties, min_facts, labels=labels, languages=language, types=types, relations=relations)
    with _reading(quiet) as reading:
        derived = derive_views(open_graph(store, endpoint), name or NAME, words)
        if out is not None:
            write_bytes(out, as_quads([(derived.graph, derived.data)], "nq"))
        elif store is not None:
            reading.build(store, derived)
    reading.tell(derived, out or store)
