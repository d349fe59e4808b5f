"""Wikidata statements in tab-separated files.

Columns: triples `n subject property object`; entities `id label aliases` (aliases separated by `|`); types `id type
type_label`; properties `id label`; qualifiers `n property value`, where `n` is that of a triple; incomplete and complete
`subject property`; attributes `subject property value type unit`: dates and quantities (`1` is no unit). Of entities the
columns `description` and `wikipedia` (an article's address, of which the title is kept) are read where they are there; more
columns may be. P31 and P279 stay facts and become `rdf:type` and `rdfs:subClassOf` too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

import polars as pl

from kg import vocab
from kg.build import Build, Load, first_of_each, iri_terms, literal_terms
from kg.sorted_runs import Scratch
from kg.sources._rows import Parts, SourceTable, stream_delimited
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
    paths, digest = files.paths(), hashlib.sha256()
    tables = {kind: stream_delimited(path, _COLUMNS[kind], "\t", scratch, digest.update) for kind, path in paths.items()}
    source = ", ".join(path.name for path in paths.values())
    build = Build(name, source, sha256=digest.hexdigest(), scratch=scratch, lenient=lenient)
    _Loader(tables, build).add()
    return build.finish()


_REFERENCES = {
    "triples": {"subject": "entity", "property": "property", "object": "entity"},
    "types": {"id": "entity"},
    "qualifiers": {"n": "triple", "property": "qualifier", "value": "value"},
    "incomplete": {"subject": "entity", "property": "property"},
    "complete": {"subject": "entity", "property": "property"},
    "attributes": {"subject": "entity"},
}


class _Loader:
    """Turns rows into triples, a batch at a time; memory holds the ids alone."""

    def __init__(self, tables: dict[str, SourceTable], build: Build) -> None:
        self.tables, self.build, self.scratch = tables, build, build.scratch
        self.dangling = set[str]()  # kinds
        self.unknown: dict[str, dict[str, pl.Series]] = {}  # by kind and column
        ids = [self._distinct("entities", "id")] + ([self._distinct("types", "type")] if "types" in tables else [])
        self.entities = ids[0]
        self.known = {"entity": pl.concat(ids).unique(), "triple": self._numbers()}
        if "properties" in tables:
            self.known["property"] = self._distinct("properties", "id")

    def add(self) -> None:
        """Check all files, and add what they say."""
        for kind in filter(_REFERENCES.get, self.tables):
            self._check(kind)
        self._names()
        self._types()
        self._facts()
        self._qualifiers()
        self._marked("incomplete")
        self._marked("complete")
        self._attributes()

    def _distinct(self, kind: str, column: str) -> pl.Series:
        parts = [batch[column].unique() for batch in self.tables[kind].rows.batches([column])]
        return pl.concat(parts).unique().drop_nulls()

    def _numbers(self) -> pl.Series:
        """Return the numbers of the triples, where something refers to them."""
        return self._distinct("triples", "n") if "qualifiers" in self.tables else pl.Series("n", [], pl.String)

    # --- rows

    def _check(self, kind: str) -> None:
        """Check that every id is introduced somewhere; leave out the rows where one is not."""
        if not self._lacks(kind):
            return
        before = 0
        for batch in self.tables[kind].rows.batches([*_REFERENCES[kind]]):
            for column, what, bad in self._unknown(kind, batch):
                problems = (f"{column} '{cell or ''}' is no known {what}" for cell in batch[column].filter(bad))
                rows = bad.arg_true() + before
                self.build.leave_out("dangling", rows.len(), self.tables[kind].faults(rows, problems, "add it"))
                self.dangling.add(kind)
            before += batch.height

    def _lacks(self, kind: str) -> bool:
        """Find the ids of a file that nothing introduces, and say whether a row has one, or an empty cell for one.

        The known ids are looked through as often as the file has as many others, not with each batch: a load stays linear.
        """
        unknown = self.unknown[kind] = {column: pl.Series([], dtype=pl.String) for column in _REFERENCES[kind]}
        waiting: dict[str, list[pl.Series]] = {column: [] for column in unknown}
        empty = False

        def look(column: str) -> None:
            ids, known = pl.concat(waiting[column]).unique(), self.known[_REFERENCES[kind][column]]
            unknown[column] = pl.concat([unknown[column], ids.filter(~ids.is_in(known.implode()))]).unique()
            waiting[column].clear()

        for batch in self.tables[kind].rows.batches([*unknown]):
            for column, what in _REFERENCES[kind].items():
                ids = batch[column].drop_nulls()
                empty |= ids.len() < batch.height
                if what in self.known:  # of what no file lists it is enough that something stands there
                    waiting[column].append(ids.unique())
                    if sum(map(len, waiting[column])) > self.known[what].len():
                        look(column)
        for column in filter(waiting.get, unknown):
            look(column)
        return empty or any(map(len, unknown.values()))

    def _unknown(self, kind: str, batch: pl.DataFrame) -> Iterator[tuple[str, str, pl.Series]]:
        """Yield the columns in which some rows have an unknown id, what it should be, and which rows; a row counts once."""
        left = pl.repeat(True, batch.height, eager=True)
        for column, what in _REFERENCES[kind].items():
            cells = batch[column]
            bad = (cells.is_in(self.unknown[kind][column].implode()) | cells.is_null()).fill_null(True) & left
            if bad.any():
                left &= ~bad
                yield column, what, bad

    def _batches(self, kind: str) -> Iterator[pl.DataFrame]:
        """Yield the rows of a file whose ids are known; none where there is no such file."""
        for batch in self.tables[kind].rows.batches() if kind in self.tables else ():
            yield batch.filter(self._sound(kind, batch)) if kind in self.dangling else batch

    def _sound(self, kind: str, batch: pl.DataFrame) -> pl.Series:
        """Say of rows whether their ids are known."""
        sound = pl.repeat(True, batch.height, eager=True)
        for _, _, bad in self._unknown(kind, batch):
            sound &= ~bad
        return sound

    def _parts(self, batches: Iterable[pl.DataFrame], columns: list[str], by: str, height: int) -> Iterator[pl.DataFrame]:
        """Yield rows so that those with the same value in a column stand in one frame, in their order."""
        parts = Parts(columns, height, self.scratch)
        for batch in batches:
            parts.add(batch.select(columns), by)
        yield from parts.frames()

    def _height(self, kind: str) -> int:
        return self.tables[kind].rows.height

    # --- triples

    def _names(self) -> None:
        rows = self.tables["entities"].rows
        self.build.counts["entities"] = self.entities.len()
        for part in self._parts(rows.batches(), rows.columns, "id", rows.height):
            _name(self.build, part.unique("id", keep="first", maintain_order=True))
        self._relations()

    def _labels(self, used: pl.DataFrame) -> pl.DataFrame:
        """Return the label of each of some properties, id and label; null where no file names it."""
        if "properties" not in self.tables:
            return used.with_columns(label=pl.lit(None, pl.String))
        labels = self.tables["properties"].rows.select(["id", "label"]).unique("id", keep="first", maintain_order=True)
        return used.join(labels, on="id", how="left", maintain_order="left")

    def _used(self, kind: str) -> pl.DataFrame:
        """Return the properties that the rows of a file have: id."""
        parts = [batch.select(id="property").unique(maintain_order=True) for batch in self._batches(kind)]
        return pl.concat(parts).unique(maintain_order=True)

    def _relations(self) -> None:
        named = self._labels(self._used("triples"))
        self.build.counts["relations"] = named.height
        self.build.relation(iri_terms(named["id"], _WDT), named["label"])

    def _types(self) -> None:
        concepts = [pl.DataFrame(schema={"type": pl.String, "type_label": pl.String})]
        for types in self._batches("types"):
            self.build.type(iri_terms(types["id"], _WD), iri_terms(types["type"], _WD))
            concepts.append(types.select("type", "type_label").unique("type", keep="first", maintain_order=True))
        every = pl.concat(concepts).unique("type", keep="first", maintain_order=True)
        # A concept that is an entity too has its label already.
        unnamed = every.filter(~pl.col("type").is_in(self.entities.implode()))
        self.build.label(iri_terms(unnamed["type"], _WD), unnamed["type_label"])

    def _facts(self) -> None:
        columns, often, facts = ["subject", "property", "object"], list[pl.DataFrame](), 0
        for part in self._parts(self._batches("triples"), columns, "subject", self._height("triples")):
            rows = first_of_each(part, columns)
            _fact(self.build, rows)
            facts += rows.height
            often.append(pl.concat([rows["subject"], rows["object"].alias("subject")]).value_counts())
        self.build.counts["facts"] = facts
        total = pl.concat(often).group_by("subject").agg(pl.col("count").sum())
        self.build.popular(iri_terms(total["subject"], _WD), total["count"])

    def _qualifiers(self) -> None:
        """Add a statement node to every triple with qualifiers; its IRI is a hash of the triple and its qualifiers."""
        if "qualifiers" not in self.tables:
            return
        count, used = 0, list[pl.Series]()
        height = max(self._height("triples"), self._height("qualifiers"))
        main = self._parts(self._batches("triples"), ["n", "subject", "property", "object"], "n", height)
        said = self._parts(self._batches("qualifiers"), ["n", "property", "value"], "n", height)
        for triples, qualifiers in zip(main, said, strict=True):
            count += qualifiers.height
            used.append(_qualified(self.build, triples, qualifiers))
        self.build.counts["qualifiers"] = count
        if "properties" in self.tables:
            named = self._labels(pl.concat(used).unique().sort().to_frame("id")).filter(self._named(pl.col("id")))
            predicate = iri_terms(named["id"], vocab.PREFIXES["pq"])
            self.build.type(predicate, f"<{vocab.KGP}Qualifier>")
            self.build.label(predicate, named["label"])

    def _named(self, properties: pl.Expr) -> pl.Expr:
        return properties.is_in(self.known["property"].implode())

    def _marked(self, mark: str) -> None:
        """Mark the pairs of subject and property whose objects are known not to be all there, or to be."""
        if mark not in self.tables:
            return
        self.build.counts[f"{mark} pairs"] = 0
        for pairs in self._batches(mark):
            self.build.counts[f"{mark} pairs"] += pairs.height
            subject, predicate = iri_terms(pairs["subject"], _WD), iri_terms(pairs["property"], _WDT)
            self.build.triples(subject, f"<{vocab.KGP}{mark}>", predicate, schema=True)

    def _attributes(self) -> None:
        """Add dates and quantities; a statement node holds the unit of a value that has one, as KoPL's attributes do."""
        if "attributes" not in self.tables:
            return
        self._check_values()
        columns, count = ["subject", "property", "value", "type", "unit"], 0
        for part in self._parts(self._batches("attributes"), columns, "subject", self._height("attributes")):
            rows = first_of_each(part, ["subject", "property", "value", "unit"])
            count += rows.height
            _value(self.build, rows)
        self.build.counts["attribute values"] = count
        named = self._labels(self._used("attributes"))
        known = [next(iter(vocab.property_labels(vocab.wdt(name))), None) for name in named["id"]]
        labels = named["label"].zip_with(named["label"].is_not_null(), pl.Series(known, dtype=pl.String))
        self.build.attribute(iri_terms(named["id"], _WDT), labels)

    def _check_values(self) -> None:
        """Refuse a type that nobody knows, and a date or quantity that is none."""
        before, table = 0, self.tables["attributes"]
        for rows in table.rows.batches():
            sound = self._sound("attributes", rows)
            if (fault := _fault_of(rows.filter(sound))) is not None:
                row, problem, way_out = fault
                raise table.fault(before + sound.arg_true().item(row), problem, way_out)
            before += rows.height


def _name(build: Build, entities: pl.DataFrame) -> None:
    subject = iri_terms(entities["id"], _WD)
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


def _mapped(texts: pl.Series, function: Callable[[str], str]) -> pl.Series:
    distinct = texts.drop_nulls().unique()
    return texts.replace(distinct, pl.Series([function(text) for text in distinct.to_list()], dtype=pl.String))


def _fact(build: Build, facts: pl.DataFrame) -> None:
    s, o = iri_terms(facts["subject"], _WD), iri_terms(facts["object"], _WD)
    build.triples(s, iri_terms(facts["property"], _WDT), o)
    instance, subclass = facts["property"] == "P31", facts["property"] == "P279"
    build.type(s.filter(instance), o.filter(instance))
    build.subclass(s.filter(subclass), o.filter(subclass))


def _qualified(build: Build, triples: pl.DataFrame, qualifiers: pl.DataFrame) -> pl.Series:
    """Add the statement nodes of some triples; return the properties of their qualifiers."""
    rows = qualifiers.join(triples, on="n", suffix="_main").sort("n", "property", "value")
    statements = rows.group_by("n", maintain_order=True).agg(
        pl.col("subject", "property_main", "object").first(), qualifiers=pl.format("{} {}", "property", "value")
    )
    named = statements.select("subject", "property_main", "object", "qualifiers").iter_rows()
    terms = [f"<{vocab.statement_iri(s, p, o, *said)}>" for s, p, o, said in named]
    nodes = statements.with_columns(st=pl.Series(terms, dtype=pl.String))
    main = nodes["property_main"]
    build.triples(iri_terms(nodes["subject"], _WD), iri_terms(main, vocab.PREFIXES["p"]), nodes["st"])
    build.triples(nodes["st"], iri_terms(main, vocab.PREFIXES["ps"]), iri_terms(nodes["object"], _WD))
    each = rows.join(nodes.select("n", "st"), on="n")
    build.triples(each["st"], iri_terms(each["property"], vocab.PREFIXES["pq"]), iri_terms(each["value"], _WD))
    return each["property"].unique()


def _value(build: Build, rows: pl.DataFrame) -> None:
    predicate = iri_terms(rows["property"], _WDT)
    value = kopl_terms(_mapped(rows["type"], _KINDS.__getitem__), rows["value"])
    subject = iri_terms(rows["subject"], _WD)
    build.triples(subject, predicate, value)
    measured = rows.with_columns(s=subject, o=value).filter(~pl.col("unit").fill_null("").is_in(["1", ""]))
    parts = measured.select("subject", "property", "value", "unit").iter_rows()
    nodes = pl.Series([f"<{vocab.statement_iri(*part)}>" for part in parts], dtype=pl.String)
    build.triples(measured["s"], iri_terms(measured["property"], vocab.PREFIXES["p"]), nodes)
    build.triples(nodes, iri_terms(measured["property"], vocab.PREFIXES["ps"]), measured["o"])
    build.triples(nodes, f"<{vocab.KGP}unit>", literal_terms(measured["unit"]))


def _fault_of(rows: pl.DataFrame) -> tuple[int, str, str] | None:
    """Return the first row whose type nobody knows, or whose date or quantity is none: row, problem, way out."""
    bad = ~rows["type"].is_in(list(_KINDS)).fill_null(False)
    if bad.any():
        row = bad.arg_true().item(0)
        return row, f"type '{rows['type'][row]}' is none of {', '.join(_KINDS)}", "write date or quantity"
    read = kopl_terms(_mapped(rows["type"], _KINDS.__getitem__), rows["value"])
    bad = (rows["type"] != "string") & ~read.str.contains("^^<", literal=True).fill_null(False)
    if bad.any():
        row = bad.arg_true().item(0)
        way_out = "write a date as YYYY, YYYY-MM or YYYY-MM-DD, a quantity as a number"
        return row, f"'{rows['value'][row]}' is no {rows['type'][row]}", way_out
    return None
