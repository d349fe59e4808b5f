"""A knowledge base in KoPL's format: concepts, and entities with attributes, relations and qualifiers.

A fact may stand with its subject (`forward`), with its object (`backward`), or with both: it is one fact. Qualifiers and
units stand on statement nodes; the unit of a qualifier's value on the node too, as `…/unit` of the qualifier.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import fields
from decimal import Decimal, InvalidOperation
from pathlib import Path

import polars as pl

from kg import vocab
from kg.build import Build, Load, literal_terms, typed_terms
from kg.sorted_runs import Scratch
from kg.sources._kopl_json import KoplFile, fault, place_of, read_kopl
from kg.sources._rows import Parts
from kg.sources._values import survives
from kg.vocab import property_iri

_KEY = ["list", "id", "n"]


def load_kopl(path: str | Path, name: str = "kopl", *, lenient: bool = False, scratch: Scratch | None = None) -> Load:
    """Read a `kb.json` (or `.json.gz`) into a load; its triples wait in `scratch`, where there is one and they are many.

    Raises SourceError for what is not JSON (with line and column), for JSON of another shape (with its path), and for an id
    that nothing introduces; with `lenient` what has such an id is left out and counted (`dangling`).
    """
    path, digest = Path(path), hashlib.sha256()
    parts = [_Part(file, scratch) for file in read_kopl(path, digest.update)]
    build = Build(name, source=path.name, sha256=digest.hexdigest(), scratch=scratch, lenient=lenient)
    loader = _KoplLoader(parts, build)
    loader.add_names()
    loader.add_concepts()
    loader.add_facts()
    return build.finish()


class _Part:
    """A part of a file; its frames wait in the scratch, where there is one."""

    def __init__(self, file: KoplFile, scratch: Scratch | None) -> None:
        self.path, self._frames, self._files = file.path, dict[str, pl.DataFrame](), dict[str, Path]()
        self.heights = dict[str, int]()
        for name in (field.name for field in fields(file) if field.name != "path"):
            frame: pl.DataFrame = getattr(file, name)
            self.heights[name] = frame.height
            if scratch is None or frame.is_empty():
                self._frames[name] = frame
            else:
                self._files[name] = scratch.file(".rows")
                frame.write_ipc(self._files[name])

    def frame(self, name: str) -> pl.DataFrame:
        """Return a frame of the part."""
        if name in self._frames:
            return self._frames[name]
        with self._files[name].open("rb") as file:  # by its name a "[" would be a pattern
            return pl.read_ipc(file)


class _KoplLoader:
    """Turns the frames of a file into triples, a part at a time; memory holds ids, names of concepts and of predicates."""

    def __init__(self, parts: list[_Part], build: Build) -> None:
        self.parts, self.build, self.scratch = parts, build, build.scratch
        self.concepts = pl.concat(part.frame("concepts") for part in parts)
        entities = pl.concat(part.frame("entities").select("id") for part in parts)["id"]
        self.entities = entities
        ids = pl.concat([entities, self.concepts["id"]]).unique(maintain_order=True)
        iris = [f"<{vocab.entity_iri(i)}>" for i in ids]
        self.iri = pl.DataFrame({"id": ids, "iri": pl.Series(iris, dtype=pl.String)})
        self.declared: dict[str, list[pl.DataFrame]] = {"relation": [], "attribute": [], "qualifier": []}

    def add_names(self) -> None:
        """Label entities, and concepts that are no entities; a concept's other name is an alias."""
        self.build.counts |= {"entities": self.entities.len(), "concepts": self.concepts.height}
        for part in self.parts:
            entities = part.frame("entities")
            self.build.label(self.iris(entities["id"]), entities["name"])
            both = self.concepts.join(entities, on="id", suffix="_entity").filter(pl.col("name") != pl.col("name_entity"))
            self.build.alias(self.iris(both["id"]), both["name"])
        only = self.concepts.filter(~pl.col("id").is_in(self.entities.implode()))
        self.build.label(self.iris(only["id"]), only["name"])

    def add_concepts(self) -> None:
        """Add types and superclasses."""
        for part in self.parts:
            types = self.known("entities", part.frame("types"))
            self.build.type(self.iris(types["id"]), self.iris(types["object"]))
        for part in self.parts:
            supers = self.known("concepts", part.frame("supers"))
            self.build.subclass(self.iris(supers["id"]), self.iris(supers["object"]))

    def add_facts(self) -> None:
        """Add the relations, attributes and their statement nodes; a fact that stands at both ends is one."""
        facts = Parts(["s", "p", "o"], sum(part.heights["relations"] for part in self.parts), self.scratch)
        qualified = Parts(["st", "pq", "o"], sum(part.heights["values"] for part in self.parts), self.scratch)
        values = 0
        for part in self.parts:
            related, valued = self.relations_of(part), self.attributes_of(part)
            facts.add(related.select("s", "p", "o"), "s")
            self.build.triples(valued["s"], valued["p"], valued["o"])
            values += valued.height
            qualified.add(self.add_statements(part, pl.concat([related, valued])), "st")
        self.build.counts["relations"] = self.declare("relation", self.build.relation)
        self.build.counts["facts"] = self.add_distinct(facts)
        self.build.counts["attributes"] = self.declare("attribute", self.build.attribute)
        self.build.counts["attribute values"] = values
        self.declare_qualifiers()
        self.build.counts["qualifiers"] = sum(rows.n_unique() for rows in qualified.frames())

    def relations_of(self, part: _Part) -> pl.DataFrame:
        """Return the facts of a part, as what statement nodes are made of."""
        rows = self.known("entities.relations", part.frame("relations"))
        forward = rows["direction"] == "forward"
        here, there = self.iris(rows["id"]), self.iris(rows["object"])
        p = self.predicates(rows["relation"], "relation")
        return _mains(rows, "relations", here.zip_with(forward, there), p, there.zip_with(forward, here))

    def add_distinct(self, facts: Parts) -> int:
        """Add the facts, each once; return how many there are."""
        often, number = list[pl.DataFrame](), 0
        for rows in facts.frames():
            part = rows.unique(maintain_order=True)
            self.build.triples(part["s"], part["p"], part["o"])
            instance, subclass = (part.filter(pl.col("p") == f"<{vocab.wdt(i)}>") for i in ("P31", "P279"))
            self.build.type(instance["s"], instance["o"])
            self.build.subclass(subclass["s"], subclass["o"])
            often.append(pl.concat([part["s"].alias("e"), part["o"].alias("e")]).value_counts())
            number += part.height
        total = pl.concat(often).group_by("e").agg(pl.col("count").sum())
        self.build.popular(total["e"], total["count"])
        return number

    def attributes_of(self, part: _Part) -> pl.DataFrame:
        """Return the attributes of a part, as what statement nodes are made of."""
        own = part.frame("values").filter((pl.col("list") == "attributes") & pl.col("key").is_null()).drop("key")
        rows = part.frame("attributes").join(own, on=["id", "n"], how="left", maintain_order="left")
        p = self.predicates(rows["key"], "attribute")
        return _mains(rows, "attributes", self.iris(rows["id"]), p, kopl_terms(rows["kind"], rows["value"]))

    def add_statements(self, part: _Part, mains: pl.DataFrame) -> pl.DataFrame:
        """Add a node to each fact with qualifiers or a unit; its IRI is a hash of the fact, its unit and its qualifiers.

        Returns the qualifiers: st, pq, o.
        """
        qualifiers = self.qualifiers_of(part).join(mains.select(_KEY), on=_KEY, how="semi")
        spelled = qualifiers.with_columns(text=pl.format("{} {} {}", "pq", "o", pl.col("unit").fill_null("")))
        texts = spelled.group_by(_KEY).agg(pl.col("text").unique().sort())
        nodes = mains.join(texts, on=_KEY, how="left", maintain_order="left").filter(
            pl.col("text").is_not_null() | pl.col("unit").is_not_null()
        )
        nodes = nodes.with_columns(
            st=pl.Series([_statement_term(*row) for row in _hashed_columns(nodes).iter_rows()], dtype=pl.String)
        )
        self.build.triples(nodes["s"], _swapped(nodes["p"], "p"), nodes["st"])
        self.build.triples(nodes["st"], _swapped(nodes["p"], "ps"), nodes["o"])
        self.build.triples(nodes["st"], f"<{vocab.KGP}unit>", literal_terms(nodes["unit"]))
        each = qualifiers.join(nodes.select(*_KEY, "st"), on=_KEY, maintain_order="left")
        self.build.triples(each["st"], each["pq"], each["o"])
        self.build.triples(each["st"], each["pq"].str.strip_suffix(">") + "/unit>", literal_terms(each["unit"]))
        return each.select("st", "pq", "o")

    def qualifiers_of(self, part: _Part) -> pl.DataFrame:
        """Return the qualifiers of a part as terms, and note their predicates."""
        rows = part.frame("values").filter(pl.col("key").is_not_null())
        pq = _swapped(_predicates(rows["key"], "attribute"), "pq")
        self.note("qualifier", pq, rows["key"])
        return rows.select(*_KEY, unit=_unit()).with_columns(pq=pq, o=kopl_terms(rows["kind"], rows["value"]))

    def predicates(self, labels: pl.Series, kind: str) -> pl.Series:
        """Return the predicate of each label, and note it."""
        terms = _predicates(labels, kind)
        self.note(kind, terms, labels)
        return terms

    def note(self, kind: str, terms: pl.Series, labels: pl.Series) -> None:
        """Remember by which labels predicates go, in the order of the file."""
        pairs = pl.DataFrame({"p": terms, "label": labels}).unique(maintain_order=True)
        self.declared[kind] = [pl.concat([*self.declared[kind], pairs]).unique(maintain_order=True)]

    def declare(self, kind: str, declare: Callable[[pl.Series, pl.Series], None]) -> int:
        """Declare the predicates of a kind, and return how many; a second label for one predicate is an alias."""
        pairs = self.declared[kind][0]
        first = pairs.unique("p", keep="first", maintain_order=True)
        declare(first["p"], first["label"])
        other = pairs.join(first, on=["p", "label"], how="anti")
        self.build.alias(other["p"], other["label"])
        return first.height

    def declare_qualifiers(self) -> None:
        """Declare the predicates of qualifiers, each by its first label."""
        named = self.declared["qualifier"][0].unique("p", keep="first", maintain_order=True)
        self.build.type(named["p"], f"<{vocab.KGP}Qualifier>")
        self.build.label(named["p"], named["label"])

    def known(self, section: str, rows: pl.DataFrame) -> pl.DataFrame:
        """Return the rows whose object something introduces; leave out the others."""
        unknown = rows.join(self.iri, left_on="object", right_on="id", how="anti", maintain_order="left")
        way_out = "add it, or leave such entries out with --lenient"
        faults = (
            fault(self.parts[0].path, place_of(section, row, "object"), f"nothing introduces '{row['object']}'", way_out)
            for row in unknown.iter_rows(named=True)
        )
        self.build.leave_out("dangling", unknown.height, faults)
        return rows.join(self.iri, left_on="object", right_on="id", how="semi", maintain_order="left")

    def iris(self, ids: pl.Series) -> pl.Series:
        """Return the terms of ids."""
        return ids.replace_strict(self.iri["id"], self.iri["iri"], return_dtype=pl.String)


def _mains(rows: pl.DataFrame, which: str, s: pl.Series, p: pl.Series, o: pl.Series) -> pl.DataFrame:
    unit = _unit() if "unit" in rows.columns else pl.lit(None, pl.String)
    return rows.select("id", "n", list=pl.lit(which), unit=unit).with_columns(s=s, p=p, o=o)


def _unit() -> pl.Expr:
    """The unit of a value; KoPL writes "1" where there is none."""
    return pl.when(~pl.col("unit").is_in(["1", ""])).then("unit")


def _predicates(labels: pl.Series, kind: str) -> pl.Series:
    """Return the predicate of each label: Wikidata's direct property where one bears it, else one of ours."""
    mint = vocab.relation_iri if kind == "relation" else vocab.attribute_iri
    return _mapped(labels, {label: property_iri(label) or mint(label) for label in labels.unique(maintain_order=True)})


def _mapped(labels: pl.Series, iris: dict[str, str]) -> pl.Series:
    terms = pl.Series([f"<{iri}>" for iri in iris.values()], dtype=pl.String)
    return labels.replace_strict(pl.Series(list(iris), dtype=pl.String), terms, return_dtype=pl.String)


def _swapped(predicates: pl.Series, role: str) -> pl.Series:
    """Return the predicates as they stand before, on or beside a statement node (`p`, `ps`, `pq`)."""
    swap = {"p": vocab.p, "ps": vocab.ps, "pq": vocab.pq}[role]
    distinct = predicates.unique().to_list()
    return _mapped(predicates, {term: swap(term[1:-1]) for term in distinct})


def _hashed_columns(nodes: pl.DataFrame) -> pl.DataFrame:
    return nodes.select("s", "p", "o", pl.col("unit").fill_null(""), pl.col("text").fill_null(pl.lit([], pl.List(pl.String))))


def _statement_term(s: str, p: str, o: str, unit: str, text: list[str]) -> str:
    return f"<{vocab.statement_iri(s, p, o, unit, *text)}>"


# --- values -------------------------------------------------------------------------------------------------------------

# A number with more digits than this written out is kept as the source writes it, not as a wall of noughts.
_LONGEST_NUMBER = 400


def kopl_terms(kinds: pl.Series, texts: pl.Series) -> pl.Series:
    """Make literals of KoPL's values: `kinds` are string, quantity, date and year.

    >>> kopl_terms(pl.Series(["year", "quantity"]), pl.Series(["-44", "2.50"])).to_list()
    ['"-0044"^^<http://www.w3.org/2001/XMLSchema#gYear>', '"2.5"^^<http://www.w3.org/2001/XMLSchema#decimal>']
    """
    frame = pl.DataFrame({"kind": kinds, "text": texts})
    distinct = frame.unique(maintain_order=True)
    readings = [_reading(kind, text) for kind, text in distinct.iter_rows()]
    distinct = distinct.with_columns(
        written=pl.Series([written for written, _ in readings], dtype=pl.String),
        datatype=pl.Series([datatype for _, datatype in readings], dtype=pl.String),
    )
    parts = [
        part.with_columns(term=_term(part["text"], part["written"], str(datatype)))
        for (datatype,), part in distinct.group_by("datatype", maintain_order=True)
    ]
    if not parts:
        return pl.Series("text", [], dtype=pl.String)
    return frame.join(pl.concat(parts), on=["kind", "text"], how="left", maintain_order="left")["term"]


def _term(text: pl.Series, written: pl.Series, datatype: str) -> pl.Series:
    if datatype == "string":
        return literal_terms(text)
    keep = survives(written, datatype)
    frame = pl.DataFrame({"keep": keep, "typed": typed_terms(written, datatype), "plain": literal_terms(text)})
    return frame.select(pl.when("keep").then("typed").otherwise("plain")).to_series()


def _reading(kind: str, text: str) -> tuple[str, str]:
    """Return how XML Schema writes a value of KoPL's, and with which datatype."""
    if kind == "quantity":
        return _number(text)
    if kind in ("date", "year"):
        return _date(text)
    return text, "string"


def _number(text: str) -> tuple[str, str]:
    """Write a JSON number without exponent and superfluous noughts, which do not belong to its value."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text, "string"
    if not number.is_finite() or abs(number.adjusted()) > _LONGEST_NUMBER:
        return text, "string"
    written = f"{number:f}"
    if "." in written:
        written = written.rstrip("0").rstrip(".")
    if written in ("-0", ""):
        written = "0"
    return written, "decimal" if "." in written else "integer"


def _date(text: str) -> tuple[str, str]:
    """Write a date by its precision; `/` separates as well as `-`, and month or day 0 means unknown."""
    sign, rest = ("-", text[1:]) if text[:1] == "-" else ("", text.removeprefix("+"))
    parts = rest.replace("/", "-").split("-")
    if not (1 <= len(parts) <= 3 and all(part.isascii() and part.isdigit() for part in parts)):
        return text, "string"
    while len(parts) > 1 and int(parts[-1]) == 0:
        parts.pop()
    datatype = ("gYear", "gYearMonth", "date")[len(parts) - 1]
    year = parts[0].lstrip("0").rjust(4, "0")
    return "-".join([sign + year, *(part.rjust(2, "0") for part in parts[1:])]), datatype
