"""A bundle put together: items, the part of the graph that proves them, the templates that they cite, and what it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import msgspec
import polars as pl

from kg.archive import GRAPH, ITEMS, Archive, read_archive, write_archive
from kg.errors import InputError
from kg.local import LocalGraph
from kg.text import harmless
from kg.vocab import DATA_GRAPH
from queries.audit.audit import Audit, audit_items
from queries.audit.proofs import proof_batches
from queries.bundle.part import DumpedGraph, Part, part_of, whole_graph
from queries.records import Item, Source, lines, records_in
from queries.templates import find_version


@dataclass(frozen=True)
class Bundled:
    """A bundle and what is to be said of it: its bytes, its seal, how many items and proofs, and the part of the graph."""

    data: bytes
    seal: str
    items: int
    proofs: int
    without: int
    part: Part


def bundle_items(items: Source, graph: DumpedGraph, name: str) -> Bundled:
    """Make the bundle of a file of items and the graph that they were made from.

    Parameters: `name` is what the bundle is called in its card.
    Raises InputError where a proof does not hold on the graph, RecordError naming the line of what is not an item.

    >>> from kg import open_graph
    >>> bundle_items(Source("items.jsonl", "items.jsonl"), open_graph(), "art")
    Traceback (most recent call last):
    kg.errors.SourceError: items.jsonl: no such file; check the path
    """
    counts = Counter[tuple[str, str, str]]((item.method, item.task, item.variant) for _, item in records_in(items, Item))
    here = audit_items(graph, proof_batches(items.path, place=items.place), literal=0)
    _check(here, items.place)
    part = part_of(graph, proof_batches(items.path, place=items.place))
    if part.why is None and not _proves(part, items):
        part = whole_graph(graph, "the proofs do not come out the same on what they were traced to")
    members = {ITEMS: b"".join(line.text + b"\n" for line in lines(items)), GRAPH: part.quads}
    templates = _templates(items)
    members |= dict(templates.values())
    manifest = _manifest(name, graph, here, part) | {"templates": {cited: member for cited, (member, _) in templates.items()}}
    members["README.md"] = _card(manifest, counts).encode()
    members["LICENCE.txt"] = _licence(manifest).encode()
    data = write_archive(manifest, members)
    return Bundled(data, read_archive(data, name).seal, here.items, here.proofs, here.without, part)


def _check(audit: Audit, place: str) -> None:
    if not audit.passed:
        problem = (
            f"{len({failure.item for failure in [*audit.failures, *audit.disagreements]}):,} items have proofs that do not hold"
        )
        raise InputError(
            problem, place=place, way_out="name their store, or leave them out (`kgprobe audit --keep GOOD.jsonl`)"
        )


def _proves(part: Part, items: Source) -> bool:
    """Tell whether every proof holds on a part of the graph."""
    graph = LocalGraph.of_archive(Archive({}, {GRAPH: part.quads}, ""), items.place)
    return audit_items(graph, proof_batches(items.path, place=items.place), literal=0).passed


class _Cited(msgspec.Struct, frozen=True):
    query: str


class _Proved(msgspec.Struct, frozen=True):
    proof: list[_Cited]


def _templates(items: Source) -> dict[str, tuple[str, bytes]]:
    """Return member and text of each template that proofs cite by name and version."""
    decode = msgspec.json.Decoder(_Proved).decode
    cited = {proof.query for line in lines(items) for proof in decode(line.text).proof if "{" not in proof.query}
    return {query: (f"templates/{query}.rq", find_version(query).text.encode()) for query in sorted(cited)}


def _manifest(name: str, graph: DumpedGraph, audit: Audit, part: Part) -> dict[str, Any]:
    return {
        "name": name,
        "made_with": f"kgprobe {version('kgprobe')}",
        "items": audit.items,
        "proofs": audit.proofs,
        "without_proof": audit.without,
        "graph": {"name": graph.name, "digest": graph.digest(), "triples": part.of, "loads": _loads(graph)},
        "part": {"triples": part.triples, "digest": part.digest, "whole": part.why is not None, "why": part.why},
    }


def _loads(graph: DumpedGraph) -> list[dict[str, str | None]]:
    """Return name, source and licence of each load."""
    query = """SELECT ?load ?source ?licence {
      VALUES ?load { LOADS } OPTIONAL { ?load dcterms:source ?source } OPTIONAL { ?load dcterms:license ?licence }
    } ORDER BY ?load"""
    rows: pl.DataFrame = graph.provenance(query.replace("LOADS", " ".join(f"<{iri}>" for iri in graph.data_graphs)))
    told = rows.with_columns(pl.col("load").str.strip_prefix(DATA_GRAPH)).unique("load", maintain_order=True)
    return told.to_dicts()


def _card(manifest: dict[str, Any], counts: Mapping[tuple[str, str, str], int]) -> str:
    graph, part = manifest["graph"], manifest["part"]
    table = "\n".join(f"| {' | '.join(kind)} | {n:,} |" for kind, n in sorted(counts.items()))
    what = f"All of it is here ({part['why']})." if part["whole"] else f"{part['triples']:,} are here, {_ENOUGH}"
    return _CARD.format(
        name=harmless(manifest["name"]),
        items=f"{manifest['items']:,}",
        proofs=f"{manifest['proofs']:,}",
        without=f"{manifest['without_proof']:,}",
        table=table,
        graph=graph["name"],
        digest=graph["digest"],
        triples=f"{graph['triples']:,}",
        what=what,
        sources="\n".join(f"- {_origin(load)}" for load in graph["loads"]),
        made_with=manifest["made_with"],
    )


def _origin(load: dict[str, str | None]) -> str:
    source = f": {load['source']}" if load["source"] else ""
    return harmless(f"{load['load']}{source}; licence: {load['licence'] or 'not said by who loaded it'}")


def _licence(manifest: dict[str, Any]) -> str:
    loads = "\n".join(_origin(load) for load in manifest["graph"]["loads"])
    return f"The facts (graph.nq), and what the questions (items.jsonl) say of them:\n\n{loads}\n\n{_OWN_LICENCE}"


_OWN_LICENCE = """The queries (templates/) are part of KGProbe: Apache License 2.0, http://www.apache.org/licenses/LICENSE-2.0
"""

_ENOUGH = """with what they are and are called.
They hold every triple of every solution that each pattern of the proofs' queries has in the whole graph. So each pattern finds
here what it finds there, and a proof that something is not so, or that a list is all of it, says here what it says there.
What no proof asks about may be missing: the part says nothing else of the graph."""

_CARD = """# {name}

{items} questions of KGProbe, each with the SPARQL queries that prove its answer ({proofs}; {without} questions carry none),
and the facts that these need.

| method | task | variant | questions |
|---|---|---|---|
{table}

**Graph.** {graph}, {digest}, {triples} triples. {what}

{sources}

**Use.** `pip install kgprobe`, then `kgprobe audit NAME.kgprobe` runs every proof, `kgprobe ask NAME.kgprobe --model …` asks,
`kgprobe verify --items NAME.kgprobe …` judges, `kgprobe report --items NAME.kgprobe` shows the questions and the answers,
`kgprobe query … --store NAME.kgprobe` asks the facts. Unzipped, it is plain text: `manifest.json` has the sha256 of each file.

**Limits.** A question is as true as the graph. What the graph lacks may be true in the world.

Made with {made_with}.
"""
