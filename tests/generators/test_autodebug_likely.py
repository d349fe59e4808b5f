"""Who or what may take an answer's place: people of the time, trade and role, companies of the business, places of the land."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from generators.autodebug.facts import Facts, facts_of
from generators.autodebug.likely import likely
from stories import graph_of

STORY = Path(__file__).parents[1] / "fixtures" / "generators" / "autodebug" / "likely.ttl"


@pytest.fixture(scope="module")
def facts() -> Facts:
    return facts_of(graph_of(STORY.read_text("utf-8")), 0)


def instead(facts: Facts, subject: str, relation: str) -> set[str]:
    """Who of all objects of a relation is likely instead of the true one."""
    names = facts.names.select("label", e=pl.col("e").cast(pl.Int64))
    number = dict(names.iter_rows())
    w = [wording.relation for wording in facts.wordings].index(relation)
    p = facts.relations.filter(pl.col("w") == w)["p"][0]
    told = facts.told.filter((pl.col("w") == w) & pl.col("o").is_not_null())
    true = told.filter(pl.col("s") == number[subject])["o"][0]
    others = told.filter(pl.col("o") != true)["o"].unique().sort()
    rows = pl.DataFrame({"t": 0, "s": number[subject], "p": p, "o": true, "x": others}).cast(pl.Int64)
    kept = likely(facts, rows)["x"]
    return set(names.filter(pl.col("e").is_in(kept.implode()))["label"])


class TestPeople:
    def test_a_film_of_the_fifties_is_by_a_director_of_that_time(self, facts: Facts) -> None:
        assert instead(facts, "The Dawn", "director") == {"Tom Moor"}

    def test_who_is_known_from_casts_directs_no_other_film(self, facts: Facts) -> None:
        assert "Una Star" not in instead(facts, "High Moor", "director")

    def test_no_singer_scores_a_film_that_a_film_composer_scored(self, facts: Facts) -> None:
        assert instead(facts, "The Dawn", "composer") == {"Joy Rose"}


class TestCompanies:
    def test_a_company_of_another_time_does_not_publish_it(self, facts: Facts) -> None:
        assert "Late Films" not in instead(facts, "The Dawn", "publisher")

    def test_nor_does_one_that_is_known_for_records(self, facts: Facts) -> None:
        assert instead(facts, "The Dawn", "publisher") == {"Bell Pictures", "Elder Films", "Young Films"}

    def test_a_film_without_a_year_is_published_by_a_company_as_old_as_its_own(self, facts: Facts) -> None:
        assert instead(facts, "No Year", "publisher") == {"Elder Films"}


class TestPlaces:
    def test_a_physicist_studies_where_physicists_do(self, facts: Facts) -> None:
        assert instead(facts, "Ida Pohl", "educated at") == {"Dome College"}

    def test_who_was_born_in_an_italian_town_is_born_in_another(self, facts: Facts) -> None:
        assert instead(facts, "Ida Pohl", "place of birth") == {"Pisa"}

    def test_what_is_called_after_its_town_is_in_no_other(self, facts: Facts) -> None:
        assert instead(facts, "Museum of Siena", "location") == set()
        assert instead(facts, "Coin Museum", "location") == {"Pisa"}
