"""The shipped domains, their wordings, and the properties they speak of."""

from __future__ import annotations

import csv
import re
import tomllib
from importlib import resources
from typing import Any

import pytest

from generators.articles import Slot
from generators.fpq.wording import Frame, load_phrasings
from kg.text import fold
from shared import shared

DOMAINS = ("art", "people", "place")
STARTER_TABLES = {
    "art": {"film", "television series", "album", "song", "novel", "painting"},
    "people": {"person"},
    "place": {"country", "city", "river", "mountain", "lake", "sea", "island"},
}
NO_THEMES = ("articles.toml", "fallback.toml", "ranges.toml", "tense.toml")
UNINFORMATIVE = {"instance of", "subclass of", "different from", "family", "said to be the same as", "has part",
                 "described by source", "diplomatic relation", "sex or gender"}  # fmt: skip


def domain(name: str) -> dict[str, Any]:
    return tomllib.loads((resources.files("queries") / "domains" / f"{name}.toml").read_text("utf-8"))


def properties() -> list[dict[str, str]]:
    text = (resources.files("kg") / "properties.csv").read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))


def labels_of_properties() -> dict[str, str]:
    """Folded label to property id."""
    found: dict[str, str] = {}
    for row in properties():
        for label in (row["label"], *filter(None, row["other"].split("|"))):
            assert found.setdefault(fold(label), row["id"]) == row["id"], f"{label} names two properties"
    return found


def wordings() -> dict[str, dict[str, Any]]:
    """Every table of every theme, by file and key."""
    folder = resources.files("queries") / "phrasing"
    themes = [f for f in folder.iterdir() if f.name.endswith(".toml") and f.name not in NO_THEMES]
    return {f"{f.name} [{key}]": entry for f in themes for key, entry in tomllib.loads(f.read_text("utf-8")).items()}


@pytest.mark.parametrize("name", DOMAINS)
class TestADomain:
    def test_says_what_it_is(self, name: str) -> None:
        assert domain(name)["name"] == name
        assert 20 < len(domain(name)["summary"]) < 130

    def test_lists_nothing_twice_and_in_order(self, name: str) -> None:
        for key in ("concepts", "relations"):
            labels = domain(name)[key]
            assert labels == sorted(set(labels), key=lambda label: (label.casefold(), label))
            assert len({fold(label) for label in labels}) == len(labels)

    def test_every_relation_is_worded(self, name: str) -> None:
        phrasings = load_phrasings()
        assert [r for r in domain(name)["relations"] if r not in phrasings] == []

    def test_every_relation_is_called_by_the_label_of_its_property(self, name: str) -> None:
        preferred = {row["label"] for row in properties()}
        of_schema_org = {"actor"}  # which Wikidata calls cast member
        assert [r for r in domain(name)["relations"] if r not in preferred | of_schema_org] == []

    def test_has_the_tables_of_the_starter_data(self, name: str) -> None:
        assert set(domain(name)["concepts"]) >= STARTER_TABLES[name]

    def test_leaves_out_relations_that_say_nothing(self, name: str) -> None:
        assert UNINFORMATIVE.isdisjoint(domain(name)["relations"])


def test_no_concept_belongs_to_two_domains() -> None:
    concepts = [fold(c) for name in DOMAINS for c in domain(name)["concepts"]]
    assert len(concepts) == len(set(concepts))


class TestContainment:
    def test_every_relation_is_a_known_property(self) -> None:
        known = labels_of_properties()
        lists = domain("containment")
        assert [r for r in (*lists["up"], *lists["down"]) if fold(r) not in known] == []

    def test_no_relation_leads_both_ways(self) -> None:
        lists = domain("containment")
        assert not set(lists["up"]) & set(lists["down"])


class TestTheWordings:
    def test_no_relation_is_worded_twice(self) -> None:
        every = [entry for entry in wordings().values() if "subject" not in entry]
        labels = [fold(x) for entry in every for x in (entry["relation"], *entry.get("other", []))]
        assert sorted(labels) == sorted(set(labels))

    def test_both_forms_name_both_sides_once(self) -> None:
        phrasings = load_phrasings()
        for place, entry in wordings().items():
            phrasing = phrasings.for_names([entry["relation"]], entry.get("subject", [None])[0])
            for frame in (*phrasing.yes_no, *phrasing.premise):
                assert names(frame) == ["object", "subject"], place

    def test_each_form_is_worded_three_to_five_times(self) -> None:
        for place, entry in wordings().items():
            for form in ("yes_no", "premise"):
                assert 3 <= len(set(entry[form])) == len(entry[form]) <= 5, f"{place} {form}"

    def test_a_yes_no_question_can_be_answered_with_yes_or_no_and_the_other_cannot(self) -> None:
        auxiliary = re.compile(r"(Is|Are|Was|Were|Do|Does|Did|Can|Has|Have|\{(is|does|was)(:\w+)?\}) ")
        question_word = re.compile(r"\b(how|what|when|where|whereabouts|which|who|whom|why|whose)\b", re.IGNORECASE)
        for place, entry in wordings().items():
            assert [t for t in entry["yes_no"] if not auxiliary.match(t)] == [], place
            assert [t for t in entry["premise"] if auxiliary.match(t) or not question_word.search(t)] == [], place

    def test_nobody_is_called_he_or_she(self) -> None:
        texts = [text for entry in wordings().values() for form in ("yes_no", "premise") for text in entry[form]]
        assert [t for t in texts if re.search(r"\b(he|she|his|her|him|hers)\b", t, re.IGNORECASE)] == []

    def test_the_key_is_the_relation_as_a_slug(self) -> None:
        for place, entry in wordings().items():
            key, slug = place.split("[")[1].rstrip("]"), fold(entry["relation"]).replace(" ", "-")
            assert key.startswith(slug) if "subject" in entry else slug.startswith(key), place


class TestTheProperties:
    def test_are_in_the_order_of_their_ids(self) -> None:
        ids = [int(row["id"].removeprefix("P")) for row in properties()]
        assert ids == sorted(set(ids))

    def test_agree_with_the_real_ones(self) -> None:
        lines = (shared("data/wikidata-core") / "properties.tsv").read_text("utf-8").splitlines()
        known = labels_of_properties()
        listed = {row["id"] for row in properties()}
        real = {r["id"]: r["label"] for r in csv.DictReader(lines, delimiter="\t") if r["label"]}
        assert {label: known.get(fold(label)) for i, label in real.items() if i in listed} == {
            label: i for i, label in real.items() if i in listed
        }


def names(frame: Frame) -> list[str]:
    return sorted(piece.name for piece in frame.pieces if isinstance(piece, Slot))
