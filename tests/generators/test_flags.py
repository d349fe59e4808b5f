"""The family of flags that ships: its query draws the pictures, and what it asks is proved on the starter graph."""

from __future__ import annotations

import re
from pathlib import Path

import flags
from family_made import audited, items
from generators.family import Options, generate, write_results
from kg import LocalGraph
from kg.starter import load_starter
from queries import find
from queries.records import read
from queries.records.item import Item

FLAG = find("pictures/flag")


def starter() -> LocalGraph:
    return LocalGraph.in_memory(load_starter())


def test_every_flag_is_asked_with_its_picture_and_proved(tmp_path: Path) -> None:
    graph = starter()
    result = generate(graph, FLAG)
    assert result.facts >= 15
    found = items(result)
    assert audited(graph, generate(graph, FLAG), literal=100).passed
    assert all(item["image"].startswith("data:image/gif;base64,") and not item["given"] for item in found)
    assert not any(item["image"] in item["question"] for item in found)
    write_results([generate(graph, FLAG)], str(tmp_path / "items.jsonl"))
    assert len(read(tmp_path / "items.jsonl", Item)) == len(found)


def test_what_is_drawn_is_the_flag_of_the_country() -> None:
    found = {item["rationale"][0]["value"]: item for item in items(generate(starter(), FLAG)) if item["variant"] == "basic"}
    italy, norway, japan = (flags.read(found[name]["image"]) for name in ("Italy", "Norway", "Japan"))
    assert [italy[20][x] for x in (5, 30, 55)] == ["green", "white", "red"]
    assert [norway[5][x] for x in (5, 18, 20, 40)] == ["red", "white", "blue", "red"]
    assert [japan[20][x] for x in (5, 30)] == ["white", "red"]
    assert found["Norway"]["answer"][0] == "Oslo"
    assert {(len(rows), len(rows[0])) for rows in (italy, norway, japan)} == {(flags.HEIGHT, flags.WIDTH)}


def test_the_cells_and_colours_of_the_file_are_those_worked_out() -> None:
    for layout in flags.LAYOUTS:
        assert f'("{layout}" "{flags.cells(layout)}")' in FLAG.text
    assert " ".join(f"{name}:{flags.colour(name)}" for name in flags.COLOURS) in FLAG.text
    assert re.search(re.escape(flags.before()), FLAG.text)


def test_no_two_countries_have_one_picture() -> None:
    assert generate(starter(), FLAG, Options()).left_out == {}
