"""Questions that hold for strangers: one right answer in the world, everyday names of it, and a subject who can be told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.factbench import Options, generate
from generators.factbench.names import is_everyday
from generators.factbench.wordings import load_wordings
from generators.single import often_several, shares_of_one
from stories import graph_of

Items = dict[tuple[str, str], dict[str, Any]]
FIXTURE = Path(__file__).parents[1] / "fixtures" / "generators" / "factbench" / "strangers.ttl"


@pytest.fixture(scope="module")
def items() -> Items:
    """Every fact that can be asked about, by the end of the subject's IRI and property."""
    result = generate(graph_of(FIXTURE.read_text("utf-8")), Options(n=100))
    # A popularity that all share makes no quarters; who is known by name is told by the graph's own.
    known = result.facts.eligible.with_columns(subject_id=pl.col("s").str.extract(r"(Q\d+)$"))
    return {(row["subject_id"], row["property"]): row for row in known.to_dicts()}


def test_a_citizen_is_asked_about_where_the_birthplace_says_the_same(items: Items) -> None:
    assert ("Q20", "P27") in items
    assert not {("Q21", "P27"), ("Q22", "P27")} & set(items)


def test_who_has_died_was_a_citizen(items: Items) -> None:
    assert " from?" in items["Q20", "P27"]["question"]  # nothing tells whether she lives
    assert " was " in items["Q23", "P27"]["question"]


def test_an_answer_has_its_everyday_names_and_no_codes(items: Items) -> None:
    country, city = items["Q12", "P17"]["answers"], items["Q24", "P19"]["answers"]
    assert country == ["United Kingdom", "Britain", "Great Britain", "UK", "England"]
    assert city == ["Leeford"]  # "UK" is rather the country's; a judge reads "Leeford, England"
    assert items["Q20", "P27"]["answers"] == ["Republic of Norland", "Norland"]


def test_who_may_lie_in_a_country_within_the_answer_is_not_asked_about(items: Items) -> None:
    assert ("Q12", "P17") in items
    assert ("Q13", "P17") not in items


def test_a_stranger_can_tell_whom_a_question_means(items: Items) -> None:
    assert "the organic chemist Ann Able" in items["Q20", "P19"]["question"]
    # A trade that no description says sounds odd as often as not.
    trades = ("actor", "musician")
    assert not any(trade in items[each, "P19"]["question"] for each in ("Q24", "Q25", "Q26", "Q28") for trade in trades)


def test_a_subject_goes_by_the_name_of_its_article(items: Items) -> None:
    assert " Ida Inn " in items["Q27", "P19"]["question"]


def test_an_article_that_shares_no_word_with_the_label_is_another_things(items: Items) -> None:
    assert " Hal IV " in items["Q28", "P19"]["question"]


def test_a_film_goes_by_its_year_unless_that_is_asked_for(items: Items) -> None:
    assert "the 1951 film “Long Snow”" in items["Q30", "P57"]["question"]
    assert "1951" not in items["Q30", "P577"]["question"]


def test_a_height_is_asked_for_as_roughly_as_it_is_known(items: Items) -> None:
    height = items["Q24", "P2048"]
    assert {"roughly", "approximate", "about"} & set(height["question"].lower().split())
    assert height["step"] == "0.1"
    assert ("Q20", "P2048") not in items  # few know her


def test_the_share_of_one_value_is_counted_of_each_kind_of_subject() -> None:
    several = {"film": 4, "band": 0}  # of ten each
    rows = pl.DataFrame(
        [(f"{kind}{i}", "P495", kind, 2 if i < many else 1, None, True) for kind, many in several.items() for i in range(10)],
        schema=["s", "property", "subject_kind", "n", "incomplete", "agrees"],
        orient="row",
    )
    shares = shares_of_one(rows)
    assert dict(shares.select("subject_kind", "share").iter_rows()) == {None: 0.8, "band": 1.0, "film": 0.6}
    marked = rows.with_columns(several=often_several(rows, shares, load_wordings().world))
    assert marked.filter("several")["subject_kind"].unique().to_list() == ["film"]


@given(st.text(), st.text(min_size=1))
def test_no_name_whatever_breaks_the_rules_for_names(name: str, label: str) -> None:
    assert is_everyday(name, label, [label]) in (True, False)
