"""What questions call things: kind and year where names repeat; and no text that stands twice."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from generators.fpq import Options, Sampling, generate
from generators.fpq.items import once_each
from generators.fpq.naming import names_in_questions
from generators.graph_columns import GraphColumns
from queries.domain import find_domain
from stories import FOLDER, graph_of

FILMS = (FOLDER / "namesakes.ttl").read_text("utf-8")


def items_about(turtle: str) -> list[dict[str, Any]]:
    options = Options(sampling=Sampling.plain)
    result = generate(graph_of(turtle), find_domain(str(FOLDER / "films.toml")), options)
    return [json.loads(line) for line in result.items.write_ndjson().splitlines()]


def called(turtle: str) -> dict[str, str]:
    """What each thing is called in a question, by the last part of its IRI."""
    names = names_in_questions(GraphColumns.of(graph_of(turtle), 0))
    return {iri.rpartition("/")[2]: name for iri, name in names.select("iri", "name").iter_rows()}


def test_two_films_of_a_name_are_told_apart_by_the_year_and_the_book_by_its_kind() -> None:
    names = called(FILMS)
    assert (names["old"], names["new"]) == ("the 1960 film “Psycho”", "the 1998 film “Psycho”")
    assert names["book"] == "the 1959 novel “Psycho”"


def test_a_title_of_a_word_or_two_goes_with_its_year_for_the_world_has_others() -> None:
    dated = FILMS.replace(":birds a :Film ;", ':birds a :Film ; :year "1963" ;')
    assert called(dated)["birds"] == "the 1963 film “The Birds”"
    assert called(dated.replace("The Birds", "The Birds of Bodega Bay"))["birds"] == "“The Birds of Bodega Bay”"
    assert called(FILMS)["birds"] == "“The Birds”"


def test_both_films_are_asked_about_and_each_question_says_which() -> None:
    asked = {item["question"] for item in items_about(FILMS) if "Psycho" in item["premise"]["subject"]["label"]}
    assert any("the 1960 film “Psycho”" in question for question in asked)
    assert all(re.search("the 19.. (?:film|novel) “Psycho”", question) for question in asked)


def test_of_films_without_a_year_that_share_a_name_nobody_asks() -> None:
    undated = FILMS.replace(' ; :year "1998"', "")
    assert {item["premise"]["subject"]["label"] for item in items_about(undated) if "film" in item["strata"]["concept"]} == {
        "The Birds"
    }


def test_what_is_true_of_a_namesake_is_no_false_object() -> None:
    false = [item for item in items_about(FILMS) if item["variant"] != "tpq"]
    pairs = {(i["premise"]["subject"]["label"], i["premise"]["object"]["label"]) for i in false}
    assert ("The Birds", "Vince Vaughn") in pairs or ("The Birds", "Anthony Perkins") in pairs
    assert not {
        pair for pair in pairs if pair[0] == "Psycho" and pair[1] in ("Anthony Perkins", "Vince Vaughn", "Tippi Hedren")
    }


ROWS = st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["tpq", "NSC", "NDC"]), st.sampled_from("abcdE")), max_size=12)


@settings(deadline=None)
@given(ROWS)
def test_the_first_of_each_text_stays_and_a_fact_goes_with_its_true_premise(rows: list[tuple[int, str, str]]) -> None:
    rows = list({(fact, variant): (fact, variant, text) for fact, variant, text in sorted(rows)}.values())
    columns = {"group": [str(r[0]) for r in rows], "variant": [r[1] for r in rows], "question": [r[2] for r in rows]}
    schema = dict.fromkeys(columns, pl.String)
    kept = once_each(pl.DataFrame(columns, schema=schema)).rows()
    first = [row for k, row in enumerate(rows) if row[2].lower() not in [other[2].lower() for other in rows[:k]]]
    gone = {row[0] for row in rows if row[1] == "tpq" and row not in first}
    assert kept == [(str(fact), variant, text) for fact, variant, text in first if fact not in gone]
    assert max(Counter(text.lower() for _, _, text in kept).values(), default=1) == 1


def test_who_is_by_far_the_best_known_goes_by_the_name_alone() -> None:
    cast = " ".join(f':new :cast :a{i} . :a{i} rdfs:label "Actor {i}" .' for i in range(60))
    names = called(f"{FILMS}\n{cast}")
    assert (names["old"], names["new"]) == ("the 1960 film “Psycho”", "“Psycho”")
    assert names["book"] == "the 1959 novel “Psycho”"
