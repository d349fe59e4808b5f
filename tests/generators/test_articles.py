"""English articles: "an hour", "the Soviet Union", "The Godfather"."""

from __future__ import annotations

import csv
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators.articles import article_columns, is_several, with_article, with_the

FIXTURE = Path(__file__).parents[1] / "fixtures" / "phrasing" / "articles.csv"
CASES = list(csv.DictReader(FIXTURE.read_text("utf-8").splitlines()))
names = st.lists(st.text(max_size=30), max_size=20)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['name']} {case['concept']}")
def test_a_name_gets_the_articles_a_reader_expects(case: dict[str, str]) -> None:
    concepts = [case["concept"]] if case["concept"] else []
    assert with_article(case["name"]) == case["with_article"]
    assert with_the(case["name"], concepts) == case["with_the"]


def test_a_column_says_the_same_as_one_name_at_a_time() -> None:
    labels = pl.Series([case["name"] for case in CASES])
    concepts = pl.Series([[case["concept"]] if case["concept"] else [] for case in CASES], dtype=pl.List(pl.String))
    columns = article_columns(labels, concepts)
    assert columns["label_the"].to_list() == [case["with_the"] for case in CASES]
    common = [case["name"][:1].islower() for case in CASES]
    wanted = [case["with_article" if is_common else "with_the"] for case, is_common in zip(CASES, common, strict=True)]
    assert [a for a, is_common in zip(columns["label_a"], common, strict=True) if is_common] == [
        a for a, is_common in zip(wanted, common, strict=True) if is_common
    ]


def test_a_far_object_is_named_as_what_it_is() -> None:
    """Common nouns that are counted take "a", languages are called languages, names take "the" or nothing."""
    things = [
        ("guitar", "musical instrument"), ("film director", "profession"), ("English", "language"), ("Mona Lisa", "painting"),
        ("Rhine", "river"), ("jazz", "music genre"), ("American Sign Language", "sign language"),
    ]  # fmt: skip
    columns = article_columns(pl.Series([name for name, _ in things]), pl.Series([[kind] for _, kind in things]))
    said = ["a guitar", "a film director", "the English language", "Mona Lisa", "the Rhine", "jazz", "American Sign Language"]
    assert columns["label_the"].to_list() == said
    assert columns["label_a"].to_list() == [*said[:5], "a jazz", said[6]]
    assert columns["label_language"].to_list() == [*said[:2], "English", *said[3:]]


@pytest.mark.parametrize(
    ("name", "concepts", "the", "generic"),
    [
        ("Louvre", ["art museum"], "the Louvre", "the Louvre"),
        ("Windsor Castle", ["castle", "museum"], "Windsor Castle", "Windsor Castle"),
        ("Vatican Museums", [], "the Vatican Museums", "the Vatican Museums"),
        ("yen", ["currency"], "the yen", "the yen"),
        ("Japanese yen", [], "Japanese yen", "the Japanese yen"),
        ("bass guitar", ["guitar"], "bass guitar", "the bass guitar"),
        ("Azores", ["archipelago", "island group"], "the Azores", "the Azores"),
        ("Macedonian kingdom", [], "the Macedonian kingdom", "the Macedonian kingdom"),
        ("action film", ["film genre"], "an action film", "the action film"),
        ("Steve Miller Band", ["rock band"], "the Steve Miller Band", "the Steve Miller Band"),
        ("Kronos Quartet", ["musical ensemble"], "the Kronos Quartet", "the Kronos Quartet"),
        ("Lonely Hearts Club Band", ["album"], "Lonely Hearts Club Band", "Lonely Hearts Club Band"),
        ("Genesis", ["rock band"], "Genesis", "Genesis"),
        ("Titanic", ["ship"], "the Titanic", "the Titanic"),
        ("Titanic", ["film", "ship"], "Titanic", "Titanic"),
        ("jazz", [], "jazz", "the jazz"),
    ],
)
def test_kinds_and_heads_settle_the_article(name: str, concepts: list[str], the: str, generic: str) -> None:
    columns = article_columns(pl.Series([name]), pl.Series([concepts], dtype=pl.List(pl.String)))
    assert columns.select("label_the", "label_generic").row(0) == (the, generic)


@pytest.mark.parametrize(
    ("name", "concepts", "several"),
    [
        ("Alps", ["mountain range"], True), ("Blue Ridge Mountains", [], True), ("Azores", ["archipelago"], True),
        ("Netherlands", ["country"], False), ("Philippines", ["country", "archipelago"], False),
        ("The Beatles", ["band"], True), ("Genesis", ["rock band"], False), ("The Hours", ["film"], False),
        ("Los Angeles Lakers", ["basketball team"], True), ("Los Angeles", ["city"], False), ("Mount Ross", [], False),
    ],
)  # fmt: skip
def test_who_is_spoken_of_as_of_several(name: str, concepts: list[str], several: bool) -> None:
    assert is_several(name, concepts) is several


@settings(deadline=None)
@given(names)
def test_any_name_is_kept_and_comes_out_the_same_wherever_it_stands(labels: list[str]) -> None:
    columns = article_columns(pl.Series(labels, dtype=pl.String))
    assert columns.select("label", "label_the").rows() == [(name, with_the(name)) for name in labels]
    assert all(a in (with_article(name), with_the(name)) for name, a in columns.select("label", "label_a").iter_rows())
    assert all(text.endswith(name) for name, *texts in columns.iter_rows() for text in texts)


def test_a_name_that_is_missing_stays_missing() -> None:
    assert article_columns(pl.Series(["jazz", None])).rows()[1] == (None,) * 5
