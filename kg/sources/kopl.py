"""A knowledge base in KoPL's format: concepts, and entities with attributes, relations and qualifiers.

A fact may stand with its subject (`forward`), with its object (`backward`), or with both: it is one fact. Qualifiers and
units stand on statement nodes; the unit of a qualifier's value on the node too, as `…/unit` of the qualifier.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from pathlib import Path

import polars as pl

from kg import vocab
from kg.build import Build, Load, literal_terms, typed_terms
from kg.sorted_runs import Scratch
from kg.sources._kopl_json import KoplFile, place_of, read_kopl
from kg.sources._rows import sha256_of
from kg.sources._values import survives
from kg.vocab import property_iri

_KEY = ["list", "id", "n"]


def load_kopl(path: str | Path, name: str = "kopl", *, lenient: bool = False, scratch: Scratch | None = None) -> Load:
    """Read a `kb.json` (or `.json.gz`) into a load; its triples wait in `scratch`, where there is one and they are many.

    Raises SourceError for what is not JSON (with line and column), for JSON of another shape (with its path), and for an id
    that nothing introduces; with `lenient` what has such an id is left out and counted (`dangling`).
    """
    path = Path(path)
    file = read_kopl(path)
    build = Build(name, source=path.name, sha256=sha256_of([path]), scratch=scratch)
    loader = _KoplLoader(file, build, lenient)
    loader.add_names()
    loader.add_concepts()
    mains = pl.concat([loader.add_facts(), loader.add_attributes()])
    loader.add_statements(mains)
    return build.finish()


class _KoplLoader:
    """Turns the frames of a file into triples, a column at a time."""

    def __init__(self, file: KoplFile, build: Build, lenient: bool) -> None:
        self.file, self.build, self.lenient = file, build, lenient
        ids = pl.concat([file.entities["id"], file.concepts["id"]]).unique(maintain_order=True)
        iris = [f"<{vocab.entity_iri(i)}>" for i in ids]
        self.iri = pl.DataFrame({"id": ids, "iri": pl.Series(iris, dtype=pl.String)})

    def add_names(self) -> None:
        """Label entities, and concepts that are no entities; a concept's other name is an alias."""
        entities, concepts = self.file.entities, self.file.concepts
        self.build.counts |= {"entities": entities.height, "concepts": concepts.height}
        self.build.label(self.iris(entities["id"]), entities["name"])
        only = concepts.join(entities, on="id", how="anti")
        self.build.label(self.iris(only["id"]), only["name"])
        both = concepts.join(entities, on="id", suffix="_entity").filter(pl.col("name") != pl.col("name_entity"))
        self.build.alias(self.iris(both["id"]), both["name"])

    def add_concepts(self) -> None:
        """Add types and superclasses."""
        types = self.known("entities", self.file.types)
        self.build.type(self.iris(types["id"]), self.iris(types["object"]))
        supers = self.known("concepts", self.file.supers)
        self.build.subclass(self.iris(supers["id"]), self.iris(supers["object"]))

    def add_facts(self) -> pl.DataFrame:
        """Add the relations, each fact once; return what statement nodes are made of."""
        rows = self.known("entities.relations", self.file.relations)
        forward = rows["direction"] == "forward"
        here, there = self.iris(rows["id"]), self.iris(rows["object"])
        p = self.add_predicates(rows["relation"], "relation")
        mains = _mains(rows, "relations", here.zip_with(forward, there), p, there.zip_with(forward, here))
        facts = mains.select("s", "p", "o").unique(maintain_order=True)
        self.build.counts["facts"] = facts.height
        self.build.triples(facts["s"], facts["p"], facts["o"])
        instance, subclass = (facts.filter(pl.col("p") == f"<{vocab.wdt(i)}>") for i in ("P31", "P279"))
        self.build.type(instance["s"], instance["o"])
        self.build.subclass(subclass["s"], subclass["o"])
        self.build.degree(facts["s"], facts["o"])
        return mains

    def add_attributes(self) -> pl.DataFrame:
        """Add the attributes; return what statement nodes are made of."""
        own = self.file.values.filter((pl.col("list") == "attributes") & pl.col("key").is_null()).drop("key")
        rows = self.file.attributes.join(own, on=["id", "n"], how="left", maintain_order="left")
        p = self.add_predicates(rows["key"], "attribute")
        mains = _mains(rows, "attributes", self.iris(rows["id"]), p, kopl_terms(rows["kind"], rows["value"]))
        self.build.counts["attribute values"] = mains.height
        self.build.triples(mains["s"], mains["p"], mains["o"])
        return mains

    def add_statements(self, mains: pl.DataFrame) -> None:
        """Add a node to each fact with qualifiers or a unit; its IRI is a hash of the fact, its unit and its qualifiers."""
        qualifiers = self.add_qualifiers().join(mains.select(_KEY), on=_KEY, how="semi")
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
        self.build.counts["qualifiers"] = each.select("st", "pq", "o").n_unique()

    def add_qualifiers(self) -> pl.DataFrame:
        """Return the qualifiers as terms, and declare their predicates."""
        rows = self.file.values.filter(pl.col("key").is_not_null())
        pq = _swapped(_predicates(rows["key"], "attribute"), "pq")
        named = pl.DataFrame({"pq": pq, "key": rows["key"]}).unique("pq", keep="first", maintain_order=True)
        self.build.type(named["pq"], f"<{vocab.KGP}Qualifier>")
        self.build.label(named["pq"], named["key"])
        return rows.select(*_KEY, unit=_unit()).with_columns(pq=pq, o=kopl_terms(rows["kind"], rows["value"]))

    def add_predicates(self, labels: pl.Series, kind: str) -> pl.Series:
        """Return the predicate of each label and declare it; a second label for one predicate is an alias."""
        terms = _predicates(labels, kind)
        pairs = pl.DataFrame({"p": terms, "label": labels}).unique(maintain_order=True)
        first = pairs.unique("p", keep="first", maintain_order=True)
        self.build.counts[f"{kind}s"] = first.height
        declare = self.build.relation if kind == "relation" else self.build.attribute
        declare(first["p"], first["label"])
        other = pairs.join(first, on=["p", "label"], how="anti")
        self.build.alias(other["p"], other["label"])
        return terms

    def known(self, section: str, rows: pl.DataFrame) -> pl.DataFrame:
        """Return the rows whose object something introduces; refuse or (lenient) count the others."""
        unknown = rows.join(self.iri, left_on="object", right_on="id", how="anti", maintain_order="left")
        if unknown.is_empty():
            return rows
        if not self.lenient:
            row = unknown.row(0, named=True)
            way_out = "add it, or leave such entries out with --lenient"
            raise self.file.fault(place_of(section, row, "object"), f"nothing introduces '{row['object']}'", way_out)
        self.build.counts["dangling"] = self.build.counts.get("dangling", 0) + unknown.height
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
