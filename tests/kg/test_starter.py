"""The starter graph: is it whole, and does it agree with what Wikidata says of the same things?"""

from __future__ import annotations

import csv
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from kg import open_graph
from shared import shared

STARTER = Path(__file__).resolve().parents[2] / "kg" / "starter"
Row = dict[str, str]

# What a Wikidata type's label must contain for an entity to be the same kind of thing as a table's rows.
KINDS = {
    "film": "film",
    "television_series": "series|sitcom",
    "album": "album",
    "solo_album": "album",
    "novel": "novel|literary work|book",
    "painting": "painting",
    "person": "human",
    "musical_group": "group|band|duo",
    "country": "state|country|nation",
    "city": "city|town|capital|municipality|metropolis|borough|commune",
    "university": "universit|school|college|institut|academy",
    "record_label": "label",
    "museum": "museum|gallery",
    "language": "language",
    "currency": "currency",
    "mountain": "mountain|volcano|summit|peak",
    "river": "river|stream",
    "lake": "lake",
}

# Relations that say one thing lies in, or is a kind of, another; P150 (contains) says it the other way round.
BROADER = {"P131", "P17", "P361", "P276", "P279"}
CONTAINS = "P150"

# What Wikidata itself pairs as inverse: borders and spouses both ways, capital and capital of, has part and part of.
INVERSE = {"P47": "P47", "P26": "P26", "P36": "P1376", "P527": "P361"}

# Wikidata-core keeps only part of what Wikidata says and lists the pairs it knows to have lost objects. A relation that
# lost some in more than this share of its pairs is one where a missing object says nothing about us.
LOST = 0.05


def folded(text: str) -> str:
    """Return a name without the differences that do not tell two things apart."""
    return " ".join(text.casefold().replace("-", " ").split())


@cache
def schema() -> dict[str, Any]:
    """Return SCHEMA.toml."""
    return tomllib.loads((STARTER / "SCHEMA.toml").read_text(encoding="utf-8"))


@cache
def rows(table: str) -> list[Row]:
    """Return the rows of one table, each as long as the header."""
    with (STARTER / schema()["tables"][table]["file"]).open(encoding="utf-8", newline="") as file:
        header, *body = csv.reader(file, strict=True)
    return [dict(zip(header, row, strict=True)) for row in body]


def values(table: str, row: Row, column: str) -> list[str]:
    """Return what a cell holds: nothing, one value, or several."""
    mark = schema()["tables"][table].get("split", {}).get(column)
    cell = row[column]
    return [v for v in (cell.split(mark) if mark else [cell]) if v]


def names(table: str, row: Row) -> set[str]:
    """Return every name a row goes by, folded."""
    spec = schema()["tables"][table]
    aliases = values(table, row, spec["alias"]) if "alias" in spec else []
    return {folded(name) for name in [row[spec["label"]], *aliases]}


@cache
def by_key(table: str) -> dict[str, Row]:
    """Return the rows of one table by their key."""
    return {row["id"]: row for row in rows(table)}


def foreign() -> Iterator[tuple[str, Row, str, str, str]]:
    """Yield every entity-to-entity fact: table, row, column, the table it points to, the key it gives."""
    for table, spec in schema()["tables"].items():
        for row in rows(table):
            for column, target in spec.get("fk", {}).items():
                for value in values(table, row, column):
                    yield table, row, column, target, value


def test_the_starter_graph_is_big_enough_to_ask_about() -> None:
    tables = schema()["tables"]
    entities = sum(len(rows(table)) for table in tables)
    facts = 0
    for table, spec in tables.items():
        told = [c for c in rows(table)[0] if c not in {"id", spec["label"], spec.get("alias")}]
        facts += sum(len(values(table, row, column)) for row in rows(table) for column in told)
    assert entities >= 2300, f"{entities} entities"
    assert facts >= 8000, f"{facts} facts"


def test_every_file_belongs_to_a_table_and_every_column_is_known() -> None:
    tables = schema()["tables"]
    files = {spec[key] for spec in tables.values() for key in ("file", "names") if key in spec}
    assert {path.name for path in STARTER.glob("*.csv")} == files
    for table, spec in tables.items():
        header = set(rows(table)[0])
        used = {spec["label"], *spec["key"], *spec.get("fk", {}), *spec.get("split", {})}
        assert used <= header, (table, used - header)


def test_keys_are_slugs_and_unique() -> None:
    for table in schema()["tables"]:
        keys = [row["id"] for row in rows(table)]
        assert all(re.fullmatch("[a-z0-9-]+", key) for key in keys), table
        assert not [key for key, n in Counter(keys).items() if n > 1], table


def test_no_two_rows_of_a_table_have_one_label() -> None:
    for table, spec in schema()["tables"].items():
        labels = Counter(folded(row[spec["label"]]) for row in rows(table))
        assert not [label for label, n in labels.items() if n > 1 or not label], table


@pytest.mark.parametrize("table", ["country", "city", "person"])
def test_every_row_of_a_table_with_names_has_one_in_each_language(table: str) -> None:
    """And the file says only what differs from English; no two rows are called the same."""
    query = f"SELECT ?e ?name {{ ?e a <{table}> ; skos:prefLabel ?name }}"
    named = open_graph().terms(query).with_columns(language=pl.col("name").str.extract("@([a-z]+)$"))
    assert dict(named.group_by("language").len().rows()) == dict.fromkeys(("de", "fr", "es", "it"), len(rows(table)))
    assert named.select("name").is_duplicated().sum() == 0
    with (STARTER / schema()["tables"][table]["names"]).open(encoding="utf-8", newline="") as file:
        said = list(csv.DictReader(file, strict=True))
    assert not [row for row in said if by_key(table)[row.pop("id")]["name"] in row.values() or not any(row.values())]


def test_the_english_label_stays_the_only_label() -> None:
    labels = open_graph().terms("SELECT ?e ?label { ?e a ?c ; rdfs:label ?label }")
    assert labels["label"].str.ends_with("@en").all()
    assert not labels["e"].is_duplicated().any()
    assert open_graph().ask(
        "ASK { <city/id=rome> rdfs:label 'Rome'@en ; skos:prefLabel 'Rom'@de, 'Rome'@fr, 'Roma'@es, 'Roma'@it }"
    )


def test_no_key_points_nowhere() -> None:
    assert not [(table, row["id"], column, key) for table, row, column, to, key in foreign() if key not in by_key(to)]


def test_no_cell_says_the_same_thing_twice_or_has_stray_spaces() -> None:
    for table in schema()["tables"]:
        for row in rows(table):
            for column in row:
                told = values(table, row, column)
                assert sorted(told) == sorted({v.strip() for v in told}), (table, row["id"], column)


@pytest.mark.parametrize(("table", "column"), [("country", "shares_border_with"), ("person", "spouse")])
def test_what_goes_both_ways_is_told_both_ways(table: str, column: str) -> None:
    """A row whose cell is empty says nothing; one that speaks must not leave out those who name it."""
    told = {row["id"]: set(values(table, row, column)) for row in rows(table)}
    assert not [(a, b) for a, there in told.items() for b in there if told[b] and a not in told[b]]
    assert not [a for a, there in told.items() if a in there]


def test_each_of_the_three_domains_has_facts_enough() -> None:
    domains = {
        "art": {"film", "television_series", "album", "solo_album", "novel", "painting"},
        "people": {"person"},
        "place": {"country", "city", "river", "mountain", "lake", "mountain_range"},
    }
    told = Counter(name for table, *_ in foreign() for name, tables in domains.items() if table in tables)
    assert all(told[name] >= 250 for name in domains), told


@dataclass
class Core:
    """What wikidata-core says, ready to be looked up by name."""

    names: dict[str, set[str]] = field(default_factory=dict)
    labels: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    named: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    types: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    descriptions: dict[str, str] = field(default_factory=dict)
    facts: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    backwards: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    hidden: set[tuple[str, str]] = field(default_factory=set)
    pairs: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    properties: dict[str, str] = field(default_factory=dict)

    def subject(self, table: str, row: Row) -> str | None:
        """Return the one entity of the same kind with this row's label, else with one of its names."""
        label = folded(row[schema()["tables"][table]["label"]])
        for candidates in (self.labels[label], set().union(*(self.named[name] for name in names(table, row)))):
            same = [c for c in candidates if re.search(KINDS[table], self.types.get(c, ""))]
            if same:
                return same[0] if len(same) == 1 else None
        return None

    def property(self, column: str) -> str | None:
        """Return the property whose label is the column's name, or begins with it (original language of …)."""
        label = column.replace("_", " ")
        longer = next((p for known, p in self.properties.items() if known.startswith(f"{label} of ")), None)
        return self.properties.get(label, longer)

    def objects(self, subject: str, prop: str) -> set[str]:
        """Return the objects told of a subject, in either direction, but for countries that are no more."""
        told = self.facts.get((subject, prop), set()) | self.backwards.get((subject, INVERSE.get(prop, "")), set())
        return {o for o in told if "historical country" not in self.types.get(o, "") or o == subject}

    def whole(self, prop: str) -> bool:
        """Return whether a relation is told whole: few of its pairs are known to have lost objects on the way here."""
        return self.lost[prop] <= LOST * self.pairs[prop]

    def broader(self, entity: str) -> set[str]:
        """Return an entity with all that it lies in or is a kind of."""
        found, frontier = {entity}, {entity}
        while frontier:
            up = {o for e in frontier for p in BROADER for o in self.facts.get((e, p), ())}
            frontier = (up | {o for e in frontier for o in self.backwards.get((e, CONTAINS), ())}) - found
            found |= frontier
        return found

    def describes(self, entity: str, meant: set[str]) -> bool:
        """Return whether a label contains a name meant (film actor), or a description does (Brooklyn, in New York City)."""
        if any(set(name.split()) <= set(folded(self.titles[entity]).split()) for name in meant):
            return True
        text = f" {re.sub('[^a-z0-9 ]', ' ', folded(self.descriptions[entity]))} "
        return any(f" {name} " in text for name in meant)

    def agrees(self, said: set[str], meant: set[str]) -> bool:
        """Return whether an object bears one of the names meant, or is more or less specific than it."""
        if any(self.names[o] & meant for o in said):
            return True
        ours = set().union(*(self.named[name] for name in meant))
        within = any(ours & self.broader(o) for o in said) or any(said & self.broader(o) for o in ours)
        return within or any(self.describes(o, meant) for o in said)


def table_rows(path: Path) -> list[Row]:
    """Return the rows of a tab-separated file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.fixture(scope="module")
def core() -> Core:
    """Wikidata statements about well-known things."""
    folder = shared("data/wikidata-core")
    core = Core()
    for row in table_rows(folder / "entities.tsv"):
        core.names[row["id"]] = {folded(n) for n in [row["label"], *row["aliases"].split("|")] if n}
        core.labels[folded(row["label"])].add(row["id"])
        core.titles[row["id"]] = row["label"]
        core.descriptions[row["id"]] = row["description"]
        for name in core.names[row["id"]]:
            core.named[name].add(row["id"])
    for row in table_rows(folder / "types.tsv"):
        core.types[row["id"]] = f"{core.types.get(row['id'], '')}|{row['type_label']}"
    for row in table_rows(folder / "triples.tsv"):
        core.facts[row["subject"], row["property"]].add(row["object"])
        core.backwards[row["object"], row["property"]].add(row["subject"])
    core.hidden = {(row["subject"], row["property"]) for row in table_rows(folder / "hidden_objects.tsv")}
    core.pairs, core.lost = Counter(p for _, p in core.facts), Counter(p for _, p in core.hidden)
    core.properties = {row["label"]: row["id"] for row in table_rows(folder / "properties.tsv")}
    return core


@dataclass
class Verdict:
    """How the starter graph's facts fare against wikidata-core."""

    found: Counter[str] = field(default_factory=Counter)
    missing: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    contradicted: list[tuple[str, str, str]] = field(default_factory=list)

    def __str__(self) -> str:
        """Return the numbers, relation by relation."""
        names = sorted({*self.found, *self.missing, *self.unknown})
        each = [f"{n} {self.found[n]} found, {self.missing[n]} missing, {self.unknown[n]} cut there" for n in names]
        told = f"{self.found.total()} found, {self.missing.total()} missing, {self.unknown.total()} cut there"
        return f"{told}; contradicted: {self.contradicted}; {'; '.join(each)}"


@pytest.fixture(scope="module")
def verdict(core: Core) -> Verdict:
    """Every starter fact whose subject and relation wikidata-core knows, looked up there."""
    verdict = Verdict()
    for table, row, column, target, key in foreign():
        prop = core.property(column)
        subject = core.subject(table, row) if prop and table in KINDS else None
        said = core.objects(subject, prop) if subject and prop else set()
        if not (subject and prop and said):
            continue
        name = f"{table}.{column}"
        if core.agrees(said, names(target, by_key(target)[key])):
            verdict.found[name] += 1
        elif (subject, prop) in core.hidden:
            verdict.unknown[name] += 1
        else:
            verdict.missing[name] += 1
            verdict.contradicted += [(name, row["id"], key)] if core.whole(prop) else []
    return verdict


def test_wikidata_contradicts_less_than_one_fact_in_a_hundred(core: Core, verdict: Verdict) -> None:
    """In a relation that is told whole there, an object Wikidata does not give is a disagreement."""
    whole = {name for name in verdict.found if core.whole(core.property(name.partition(".")[2]) or "")}
    compared = sum(verdict.found[name] + verdict.missing[name] for name in whole)
    assert compared >= 500, f"only {compared} facts compared: {verdict}"
    assert len(verdict.contradicted) < compared / 100, f"{len(verdict.contradicted)} of {compared} facts: {verdict}"


def test_wikidata_confirms_nearly_all_of_what_it_knows_in_part(verdict: Verdict) -> None:
    """A list that is known to have lost members proves nothing by its gaps, but most of ours must be in it."""
    compared = verdict.found.total() + verdict.missing.total()
    assert verdict.found.total() >= 0.93 * compared, f"{verdict.found.total()} of {compared} facts: {verdict}"


def _attributes(property_: str) -> dict[str, set[str]]:
    """Return the values of an attribute by folded label, from Wikidata's entities with Freebase's dates and quantities."""
    folder = shared("data/wikidata-core").parent
    with (folder / "wikidata-core" / "entities.tsv").open(encoding="utf-8", newline="") as file:
        labels = {row["id"]: folded(row["label"]) for row in csv.DictReader(file, delimiter="\t")}
    found: dict[str, set[str]] = defaultdict(set)
    with (folder / "wikidata-attributes" / "attributes.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if row["property"] == property_:
                found[labels[row["subject"]]].add(row["value"])
    return found


@pytest.mark.parametrize("what", ["birth", "death"])
def test_a_day_is_of_the_year_beside_it_and_no_other_day(what: str) -> None:
    for row in rows("person"):
        day = row[f"date_of_{what}"]
        assert not day or date.fromisoformat(day).year == int(row[f"year_of_{what}"]), row["id"]


@pytest.mark.parametrize(("what", "property_"), [("birth", "P569"), ("death", "P570")])
def test_days_agree_with_the_months_of_freebase(what: str, property_: str) -> None:
    known = _attributes(property_)
    pairs = [(row[f"date_of_{what}"], value) for row in rows("person") for value in known[folded(row["name"])]]
    compared = [(day, value) for day, value in pairs if day and len(value) == len("1815-12")]
    assert len(compared) >= 40
    assert not [(day, value) for day, value in compared if not day.startswith(value)]


def _sources() -> list[Row]:
    """Return the rows of `sources.tsv`: where a value can be looked up, and what it was compared with."""
    return table_rows(STARTER / "sources.tsv")


def test_a_source_is_named_once_for_a_value_that_is_there() -> None:
    sources = _sources()
    assert len({(row["table"], row["id"], row["column"]) for row in sources}) == len(sources) == 344
    assert all(by_key(row["table"])[row["id"]][row["column"]] for row in sources)
    assert {(row["column"], row["property"]) for row in sources} == {("date_of_birth", "P569"), ("date_of_death", "P570")}


def test_sources_name_the_items_of_the_rows(core: Core) -> None:
    assert not [row for row in _sources() if core.subject(row["table"], by_key(row["table"])[row["id"]]) != row["item"]]


def test_what_sources_say_to_agree_agrees() -> None:
    months = {
        (row["subject"], row["property"]): row["value"]
        for row in table_rows(shared("data/wikidata-attributes") / "attributes.tsv")
        if len(row["value"]) == len("1815-12")
    }
    for row in _sources():
        month = months.get((row["item"], row["property"]))
        assert row["agrees"] == ("Freebase, to the month" if month else ""), row
        assert month is None or by_key(row["table"])[row["id"]][row["column"]].startswith(month), row


def test_areas_agree_with_freebase() -> None:
    known = _attributes("P2046")
    pairs = [(row, value) for row in rows("country") if row["area_km2"] for value in known[folded(row["name"])]]
    assert len(pairs) >= 50
    assert not [row["id"] for row, value in pairs if abs(float(value) / float(row["area_km2"]) - 1) > 0.01]


def test_a_population_has_its_year() -> None:
    assert all(bool(row["population"]) == bool(row["population_year"]) for row in rows("country"))
