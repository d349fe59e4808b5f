"""Wikidata statements in tab-separated files.

Columns: triples `n subject property object`; entities `id label aliases` (aliases separated by `|`); types `id type
type_label`; properties `id label`; qualifiers `n property value`, where `n` is that of a triple; incomplete and complete
`subject property`; attributes `subject property value type unit`: dates and quantities (`1` is no unit). Of entities the
columns `description` and `wikipedia` (an article's address, of which the title is kept) are read where they are there; more
columns may be. P31 and P279 stay facts and become `rdf:type` and `rdfs:subClassOf` too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

import polars as pl

from kg import vocab
from kg.build import Build, Load, first_of_each, iri_terms, literal_terms
from kg.sorted_runs import Scratch
from kg.sources._rows import SourceTable, read_delimited, sha256_of
from kg.sources.kopl import kopl_terms

_WD, _WDT = vocab.PREFIXES["wd"], vocab.PREFIXES["wdt"]
_COLUMNS = {
    "triples": ["n", "subject", "property", "object"],
    "entities": ["id", "label", "aliases"],
    "types": ["id", "type", "type_label"],
    "properties": ["id", "label"],
    "qualifiers": ["n", "property", "value"],
    "incomplete": ["subject", "property"],
    "complete": ["subject", "property"],
    "attributes": ["subject", "property", "value", "type", "unit"],
}
_KINDS = {"date": "date", "year": "year", "quantity": "quantity", "number": "quantity", "string": "string"}
"""What an attribute's type may be, and what KoPL calls it."""


@dataclass(frozen=True)
class WikidataFiles:
    """The files of one load; only triples and entities are needed."""

    triples: Path
    entities: Path
    types: Path | None = None
    properties: Path | None = None
    qualifiers: Path | None = None
    incomplete: Path | None = None
    attributes: Path | None = None
    complete: Path | None = None

    def paths(self) -> dict[str, Path]:
        """The files that are given, by what they hold."""
        return {k: p for k in _COLUMNS if (p := getattr(self, k)) is not None}


def load_wikidata(
    files: WikidataFiles, name: str = "wikidata", *, lenient: bool = False, scratch: Scratch | None = None
) -> Load:
    """Read the files into a load; its triples wait in `scratch`, where there is one and they are many.

    Raises SourceError for a missing column, a row of another width, or an id that no file introduces; with `lenient`
    rows with such ids are left out and counted (`dangling`).
    """
    paths = files.paths()
    tables = {kind: read_delimited(path, _COLUMNS[kind], "\t") for kind, path in paths.items()}
    build = Build(name, source=", ".join(p.name for p in paths.values()), sha256=sha256_of(paths.values()), scratch=scratch)
    frames = _known_only(tables, build, lenient)
    _names(build, frames)
    _types(build, frames)
    _facts(build, frames)
    _qualifiers(build, frames)
    _marked(build, frames, "incomplete")
    _marked(build, frames, "complete")
    _attributes(build, frames, tables)
    return build.finish()


def _known_only(tables: dict[str, SourceTable], build: Build, lenient: bool) -> dict[str, pl.DataFrame]:
    """Check that every id is introduced somewhere; leave out (lenient) or refuse the rows where one is not."""
    entities = tables["entities"].frame["id"]
    if "types" in tables:
        entities = pl.concat([entities, tables["types"].frame["type"]])
    known = {"entity": entities.unique().drop_nulls().implode()}
    if "properties" in tables:
        known["property"] = tables["properties"].frame["id"].unique().implode()
    known["triple"] = tables["triples"].frame["n"].unique().implode()
    frames = {}
    for kind, table in tables.items():
        checks = {c: k for c, k in _REFERENCES.get(kind, {}).items() if k in known}
        frames[kind] = _checked(table, checks, known, build, lenient)
    return frames


_REFERENCES = {
    "triples": {"subject": "entity", "property": "property", "object": "entity"},
    "types": {"id": "entity"},
    "qualifiers": {"n": "triple"},
    "incomplete": {"subject": "entity", "property": "property"},
    "complete": {"subject": "entity", "property": "property"},
    "attributes": {"subject": "entity"},
}


def _checked(
    table: SourceTable, checks: dict[str, str], known: dict[str, pl.Series], build: Build, lenient: bool
) -> pl.DataFrame:
    frame = table.frame
    for column, kind in checks.items():
        bad = ~frame[column].is_in(known[kind]).fill_null(False)
        if not bad.any():
            continue
        if not lenient:
            row = bad.arg_true().item(0)
            raise table.fault(
                row, f"{column} '{frame[column][row]}' is no known {kind}", "add it, or leave such rows out with --lenient"
            )
        build.counts["dangling"] = build.counts.get("dangling", 0) + int(bad.sum())
        frame = frame.filter(~bad)
    return frame


def _names(build: Build, frames: dict[str, pl.DataFrame]) -> None:
    entities = frames["entities"].unique("id", keep="first", maintain_order=True)
    subject = iri_terms(entities["id"], _WD)
    build.counts["entities"] = entities.height
    build.label(subject, entities["label"])
    aliases = pl.DataFrame({"s": subject, "label": entities["label"], "alias": entities["aliases"].str.split("|")})
    # A name is not its own alias.
    each = aliases.explode("alias").filter(pl.col("alias") != pl.col("label"))
    build.alias(each["s"], each["alias"])
    if "description" in entities.columns:
        described = entities["description"]
        build.triples(subject, f"<{vocab.PREFIXES['dcterms']}description>", literal_terms(described, "@en"))
    if "wikipedia" in entities.columns:
        titles = entities["wikipedia"].str.extract(r"([^/]+)$").str.replace_all("_", " ")
        build.triples(subject, f"<{vocab.KGP}wikipedia>", literal_terms(_mapped(titles, unquote)))
    _relations(build, frames)


def _mapped(texts: pl.Series, function: Callable[[str], str]) -> pl.Series:
    distinct = texts.drop_nulls().unique()
    return texts.replace(distinct, pl.Series([function(text) for text in distinct.to_list()], dtype=pl.String))


def _relations(build: Build, frames: dict[str, pl.DataFrame]) -> None:
    used = frames["triples"].select(id="property").unique(maintain_order=True)
    labels = frames.get("properties", used.with_columns(label=pl.lit(None, pl.String))).select("id", "label").unique("id")
    named = used.join(labels, on="id", how="left", maintain_order="left")
    build.counts["relations"] = named.height
    build.relation(iri_terms(named["id"], _WDT), named["label"])


def _types(build: Build, frames: dict[str, pl.DataFrame]) -> None:
    if (types := frames.get("types")) is None:
        return
    build.type(iri_terms(types["id"], _WD), iri_terms(types["type"], _WD))
    concepts = types.unique("type", keep="first", maintain_order=True)
    # A concept that is an entity too has its label already.
    unnamed = concepts.filter(~pl.col("type").is_in(frames["entities"]["id"].implode()))
    build.label(iri_terms(unnamed["type"], _WD), unnamed["type_label"])


def _facts(build: Build, frames: dict[str, pl.DataFrame]) -> None:
    facts = first_of_each(frames["triples"], ["subject", "property", "object"])
    s, o = iri_terms(facts["subject"], _WD), iri_terms(facts["object"], _WD)
    build.counts["facts"] = facts.height
    build.triples(s, iri_terms(facts["property"], _WDT), o)
    instance, subclass = facts["property"] == "P31", facts["property"] == "P279"
    build.type(s.filter(instance), o.filter(instance))
    build.subclass(s.filter(subclass), o.filter(subclass))
    often = pl.concat([facts["subject"], facts["object"].alias("subject")]).value_counts()
    build.popular(iri_terms(often["subject"], _WD), often["count"])


def _qualifiers(build: Build, frames: dict[str, pl.DataFrame]) -> None:
    """Add a statement node to every triple with qualifiers; its IRI is a hash of the triple and its qualifiers."""
    if (qualifiers := frames.get("qualifiers")) is None:
        return
    build.counts["qualifiers"] = qualifiers.height
    rows = qualifiers.join(frames["triples"], on="n", suffix="_main").sort("n", "property", "value")
    statements = rows.group_by("n", maintain_order=True).agg(
        pl.col("subject", "property_main", "object").first(), qualifiers=pl.format("{} {}", "property", "value")
    )
    nodes = statements.with_columns(
        st=pl.struct("subject", "property_main", "object", "qualifiers").map_elements(
            lambda r: f"<{vocab.statement_iri(r['subject'], r['property_main'], r['object'], *r['qualifiers'])}>",
            return_dtype=pl.String,
        )
    )
    main = nodes["property_main"]
    build.triples(iri_terms(nodes["subject"], _WD), iri_terms(main, vocab.PREFIXES["p"]), nodes["st"])
    build.triples(nodes["st"], iri_terms(main, vocab.PREFIXES["ps"]), iri_terms(nodes["object"], _WD))
    each = rows.join(nodes.select("n", "st"), on="n")
    build.triples(each["st"], iri_terms(each["property"], vocab.PREFIXES["pq"]), iri_terms(each["value"], _WD))
    if (labels := frames.get("properties")) is not None:
        named = labels.join(each.select("property").unique(), left_on="id", right_on="property", how="semi").unique("id")
        predicate = iri_terms(named["id"], vocab.PREFIXES["pq"])
        build.type(predicate, f"<{vocab.KGP}Qualifier>")
        build.label(predicate, named["label"])


def _marked(build: Build, frames: dict[str, pl.DataFrame], mark: str) -> None:
    """Mark the pairs of subject and property whose objects are known not to be all there, or to be."""
    if (pairs := frames.get(mark)) is None:
        return
    build.counts[f"{mark} pairs"] = pairs.height
    subject, predicate = iri_terms(pairs["subject"], _WD), iri_terms(pairs["property"], _WDT)
    build.triples(subject, f"<{vocab.KGP}{mark}>", predicate, schema=True)


def _attributes(build: Build, frames: dict[str, pl.DataFrame], tables: dict[str, SourceTable]) -> None:
    """Add dates and quantities; a statement node holds the unit of a value that has one, as KoPL's attributes do."""
    if (rows := frames.get("attributes")) is None:
        return
    _check_values(rows, tables["attributes"])
    rows = first_of_each(rows, ["subject", "property", "value", "unit"])
    build.counts["attribute values"] = rows.height
    predicate = iri_terms(rows["property"], _WDT)
    value = kopl_terms(_mapped(rows["type"], _KINDS.__getitem__), rows["value"])
    subject = iri_terms(rows["subject"], _WD)
    build.triples(subject, predicate, value)
    used = rows.select(id="property").unique(maintain_order=True)
    labels = frames.get("properties", used.with_columns(label=pl.lit(None, pl.String))).select("id", "label").unique("id")
    named = used.join(labels, on="id", how="left", maintain_order="left")
    known = pl.Series([next(iter(vocab.property_labels(vocab.wdt(name))), None) for name in named["id"]], dtype=pl.String)
    build.attribute(iri_terms(named["id"], _WDT), named["label"].zip_with(named["label"].is_not_null(), known))
    measured = rows.with_columns(s=subject, o=value).filter(~pl.col("unit").fill_null("").is_in(["1", ""]))
    parts = measured.select("subject", "property", "value", "unit").iter_rows()
    nodes = pl.Series([f"<{vocab.statement_iri(*part)}>" for part in parts], dtype=pl.String)
    build.triples(measured["s"], iri_terms(measured["property"], vocab.PREFIXES["p"]), nodes)
    build.triples(nodes, iri_terms(measured["property"], vocab.PREFIXES["ps"]), measured["o"])
    build.triples(nodes, f"<{vocab.KGP}unit>", literal_terms(measured["unit"]))


def _check_values(rows: pl.DataFrame, table: SourceTable) -> None:
    """Refuse a type that nobody knows, and a date or quantity that is none."""
    bad = ~rows["type"].is_in(list(_KINDS)).fill_null(False)
    if bad.any():
        row = bad.arg_true().item(0)
        raise table.fault(row, f"type '{rows['type'][row]}' is none of {', '.join(_KINDS)}", "write date or quantity")
    read = kopl_terms(_mapped(rows["type"], _KINDS.__getitem__), rows["value"])
    bad = (rows["type"] != "string") & ~read.str.contains("^^<", literal=True).fill_null(False)
    if bad.any():
        row = bad.arg_true().item(0)
        way_out = "write a date as YYYY, YYYY-MM or YYYY-MM-DD, a quantity as a number"
        raise table.fault(row, f"'{rows['value'][row]}' is no {rows['type'][row]}", way_out)
