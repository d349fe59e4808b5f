"""Passages read like short entries: what the thing is and who made it come first, and what would be half true is not told."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from generators.autodebug import Attack, Options, generate
from kg import open_graph
from stories import graph_of

Item = dict[str, Any]
STORY = Path(__file__).parents[1] / "fixtures" / "generators" / "autodebug" / "entries.ttl"


def lines(result: Any) -> list[Item]:
    return [json.loads(line) for line in result.items.write_ndjson().splitlines()]


@pytest.fixture(scope="module")
def entries() -> list[Item]:
    graph = graph_of(STORY.read_text("utf-8"))
    return [item for seed in range(4) for item in lines(generate(graph, Options(n=200, seed=seed)))]


@pytest.fixture(scope="module")
def starter() -> list[Item]:
    return lines(generate(open_graph(), Options(n=300, seed=7)))


def of(items: list[Item], subject: str) -> list[Item]:
    return [item for item in items if item["given"][0]["value"] == subject]


class TestBeginning:
    def test_a_first_sentence_says_what_the_thing_is(self, starter: list[Item]) -> None:
        for item in starter:
            first = re.split(r"(?<=[a-z)]{3}\.)\s+(?=[A-Z])", item["context"])[0]
            assert re.search(r" (?:is|was) an? |, an? [^,]*, ", first), first

    def test_of_a_film_it_says_more_than_the_year(self, starter: list[Item]) -> None:
        assert not [item["context"] for item in starter if re.search(r" is an? [0-9]{4} film\.", item["context"])]

    def test_no_name_begins_two_sentences_one_after_the_other(self, starter: list[Item]) -> None:
        for item in starter:
            begins = re.findall(r"(?:^|[.] )([A-Z]\w+) (?:was|studied|received|won|died|married)", item["context"])
            assert all(one != other or one in ("He", "She", "It") for one, other in pairwise(begins))

    def test_an_american_football_player_of_america_is_called_american_once(self, entries: list[Item]) -> None:
        said = of(entries, "Al Stone")
        assert said
        assert all(", an American football player, " in item["context"] for item in said)


class TestCredits:
    def test_who_wrote_one_song_composed_no_music(self, entries: list[Item]) -> None:
        assert not any("Bo Voice" in item["context"] for item in of(entries, "One Song") if item["variant"] != "swap")

    def test_what_two_made_is_no_other_film_of_one(self, entries: list[Item]) -> None:
        also = [item["context"] for item in entries if " also directed " in item["context"]]
        assert also
        assert not any("Four Hands" in text for text in also)

    def test_what_somebody_did_besides_is_said_by_the_short_name(self, entries: list[Item]) -> None:
        said = [item["context"] for item in entries if " also " in item["context"]]
        assert all(re.search(r"\. (?:Lee|Moor|Holt) also (?:directed|painted|composed music for) ", text) for text in said)

    def test_a_painter_painted_other_pictures(self, entries: list[Item]) -> None:
        assert any("Lee also painted " in item["context"] for item in entries)


class TestPlaces:
    def test_a_neighbour_on_another_continent_is_not_told(self, entries: list[Item]) -> None:
        said = [item["context"] for item in of(entries, "Southland") if "shares borders" in item["context"]]
        assert said
        assert not any("Farland" in text for text in said)

    def test_every_reader_knows_a_capital_so_it_is_not_swapped(self, entries: list[Item]) -> None:
        told = [item for item in entries if item["strata"]["relation"] in ("capital", "currency")]
        assert told
        assert not any(item["variant"] == "swap" for item in told)
        result = generate(graph_of(STORY.read_text("utf-8")), Options(n=200, attack=Attack.swap))
        assert result.left_out["not swapped, every reader knows it of such a subject"] > 0

    def test_nobody_is_born_in_a_country(self, entries: list[Item]) -> None:
        assert not any("born in the United States" in item["context"] for item in entries)

    def test_no_word_of_the_sentence_is_in_the_name_behind_it(self, entries: list[Item]) -> None:
        assert not any("Phillips Collection" in item["context"] for item in entries)


def test_who_scored_a_film_is_asked_where_its_maker_is_named(starter: list[Item]) -> None:
    scored = [item["context"] for item in starter if item["strata"]["relation"] == "composer"]
    assert scored
    for context in scored:
        assert re.search(r" (?:directed|created|written) by ", context), context


def test_of_a_painting_it_is_asked_who_painted_it(starter: list[Item]) -> None:
    created = [item for item in starter if item["strata"]["relation"] == "creator"]
    assert "painted" in {item["question"].split()[1] for item in created}
    for item in created:
        assert item["question"].split()[1] == ("painted" if "painting" in item["context"] else "created"), item["context"]
