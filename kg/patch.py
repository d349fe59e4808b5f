"""Facts mended: triples put beside a graph, and triples taken out of it, without touching the store it came from.

A patch is two Turtle files. In both the usual prefixes need not be declared, and relative IRIs such as `<film#title>` are
those of the graph's tables.

>>> from kg import open_graph
>>> graph = open_graph()
>>> capital = "<country/id=austria> <country#ref-capital> <city/id={}> ."
>>> wrong, fixes = (read_triples(capital.format(city).encode(), graph.base) for city in ("vienna", "graz"))
>>> mended = patched(graph, Patch(fixes, wrong))
>>> mended.select("SELECT ?city { <country/id=austria> <country#ref-capital>/rdfs:label ?city }").to_series().to_list()
[]
>>> mended.name
'kgp:graph/patch kgp:graph/starter'
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl
import pyoxigraph as ox

from kg.build import Build, Load
from kg.errors import InputError, SourceError
from kg.files import read_bytes
from kg.graph import Graph
from kg.local import LocalGraph, take_out
from kg.output import short
from kg.vocab import PREFIXES, data_graph

NAME = "patch"
"""What the load is called that holds what a patch adds."""
_FORMATS = {".ttl": ox.RdfFormat.TURTLE, ".nt": ox.RdfFormat.N_TRIPLES}
_PREFIXES = "".join(f"@prefix {prefix}: <{iri}> . " for prefix, iri in PREFIXES.items()).encode()
_SHOWN = 3


@dataclass(frozen=True)
class Patch:
    """What is put beside a graph, and what is taken out of it."""

    fixes: Sequence[ox.Triple] = ()
    wrong: Sequence[ox.Triple] = ()


def read_patch(fixes: Iterable[str | Path], wrong: Iterable[str | Path], base: str | None) -> Patch:
    """Read the files of a patch: Turtle or N-Triples; `.gz` is understood.

    Raises SourceError, with the line, for a file that does not parse, and for a blank node among what is wrong.
    """
    added, gone = ([triple for path in files for triple in _of_file(Path(path), base)] for files in (fixes, wrong))
    return Patch(added, gone)


def _of_file(path: Path, base: str | None) -> list[ox.Triple]:
    ending = Path(path.name.removesuffix(".gz")).suffix
    if ending not in _FORMATS:
        raise SourceError("is no file of facts", place=str(path), way_out=f"give one that ends in {' or '.join(_FORMATS)}")
    triples = read_triples(read_bytes(path), base, place=str(path), form=_FORMATS[ending])
    if not triples:
        raise SourceError("holds no facts", place=str(path), way_out="write some, such as <city/id=rome> a <city> .")
    return triples


def read_triples(
    data: bytes, base: str | None = None, *, place: str = "patch", form: ox.RdfFormat = ox.RdfFormat.TURTLE
) -> list[ox.Triple]:
    """Read triples; the usual prefixes are declared, and relative IRIs are those of `base`.

    Raises SourceError, with the line, where the text does not parse.
    """
    text = data.removeprefix(b"\xef\xbb\xbf")
    try:
        # On the first line, so that the lines of an error are those of the file.
        quads = ox.parse(_PREFIXES + text if form == ox.RdfFormat.TURTLE else text, form, base_iri=base)
        return [quad.triple for quad in quads]
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        message = str(getattr(error, "msg", None) or error)
        reason = message.partition(": ")[2] or message  # its columns are not those of the file
        where = f"{place}:{line}" if line else place
        raise SourceError(f"does not parse ({reason})", place=where, way_out="mend the Turtle") from error


def patched(graph: Graph, patch: Patch) -> LocalGraph:
    """Return a graph in memory that has a patch: what is wrong is gone, with the statements that qualify it.

    Raises InputError for a graph behind an endpoint.
    """
    if not isinstance(graph, LocalGraph):
        way_out = "load what it serves into a store (`kg load rdf`), and patch that"
        raise InputError("an endpoint takes no patch", place="--with or --without", way_out=way_out)
    store = copied(graph)
    here = ox.NamedNode(data_graph(NAME))
    store.add_graph(here)
    take_out(store, patch.wrong)
    store.extend(ox.Quad(triple.subject, triple.predicate, triple.object, here) for triple in patch.fixes)
    return LocalGraph(store)


def copied(graph: LocalGraph) -> ox.Store:
    """Return a store in memory with all that a graph holds, data and aside."""
    store = ox.Store()
    for name in graph.all_graphs():
        store.bulk_load(graph.dump(name), ox.RdfFormat.N_TRIPLES, to_graph=ox.NamedNode(name), lenient=True)
    return store


def load_patch(fixes: Sequence[str | Path], wrong: Sequence[str | Path], base: str | None, name: str | None = None) -> Load:
    """Read the files of a patch as a load: what it adds, and what it takes out of the others.

    Raises what `read_patch` raises, and InputError where there are no files.
    """
    if not fixes and not wrong:
        raise InputError("no facts are given", place="--with", way_out="name what to add (--with) or take out (--without)")
    patch = read_patch(fixes, wrong, base)
    build = Build(name or NAME, source=", ".join(Path(path).name for path in (*fixes, *wrong)))
    terms = [[str(term) for term in (triple.subject, triple.predicate, triple.object)] for triple in patch.fixes]
    columns = pl.DataFrame(terms, schema=["s", "p", "o"], orient="row", schema_overrides=dict.fromkeys("spo", pl.String))
    build.triples(columns["s"], columns["p"], columns["o"])
    build.counts |= {"facts taken out": len(patch.wrong)}
    return replace(build.finish(), without=tuple(patch.wrong))


def remarks(graph: Graph, patch: Patch) -> list[str]:
    """Say what a patch states that makes no difference, or that nobody will ask about: mostly a name that is misspelt."""
    notes = []
    for what, triples, there in (("is not there", patch.wrong, False), ("is there already", patch.fixes, True)):
        idle = [triple for triple in triples if _holds(graph, triple) is there]
        if idle:
            shown = ", ".join(_written(triple, graph.base) for triple in idle[:_SHOWN])
            more = f" and {len(idle) - _SHOWN:,} more" if len(idle) > _SHOWN else ""
            notes.append(f"{len(idle):,} of {len(triples):,} facts: {what}: {shown}{more}")
    declared = {str(triple.subject) for triple in patch.fixes}
    for predicate in sorted({str(triple.predicate) for triple in patch.fixes} - declared):
        if not graph.ask(f"ASK {{ ?s {predicate} ?o }}"):
            notes.append(f"nothing in this graph has {short(predicate, graph.base)}: is it spelled so?")
    return notes


def _holds(graph: Graph, triple: ox.Triple) -> bool:
    if any(isinstance(term, ox.BlankNode) for term in (triple.subject, triple.object)):
        return False
    return graph.ask(f"ASK {{ {triple.subject} {triple.predicate} {triple.object} }}")


def _written(triple: ox.Triple, base: str | None) -> str:
    return " ".join(short(str(term), base) for term in (triple.subject, triple.predicate, triple.object))
