"""Every generator checks the lines that it writes, as `python -m queries.records check` does."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from family_made import FAMILIES, family, films, tables
from generators.family import Options, generate, write_results
from generators.items import assemble, item_lines, write_items
from kg import LocalGraph
from queries import Template, find
from queries.errors import RecordError
from queries.records import read
from queries.records.item import Item


def written(graph: LocalGraph, template: Template, path: Path) -> list[Item]:
    """The items of a family, read from the file as any reader does."""
    write_results([generate(graph, template, Options())], str(path))
    return read(path, Item)


def test_a_probe_of_two_players_in_one_city_is_two_items(tmp_path: Path) -> None:
    graph = tables(FAMILIES / "published" / "SCHEMA.toml")
    items = written(graph, find("erbench/soccer_olympic"), tmp_path / "items.jsonl")
    london = [item for item in items if item.question == "Were Summer Olympics held in london in 1908?"]
    assert len({item.id for item in london}) == len({item.group for item in london}) == 2


def test_questions_that_say_only_this_picture_are_told_apart_by_the_picture(tmp_path: Path) -> None:
    items = written(films(), family("long_film"), tmp_path / "items.jsonl")
    probes = [item for item in items if item.task == "probe"]
    assert len({item.image for item in probes}) == len(probes) == 3
    assert {item.question for item in probes} == {"Do you know the film of this poster?"}


CITIES = pl.DataFrame({"city": ["Oslo", "Oslo"], "which": ["1", "2"]})


def made(question: str, **changes: str) -> pl.DataFrame:
    fields = {"method": "mine", "family": "capital", "task": "open", "variant": "basic"} | changes
    return assemble(
        CITIES, bindings=["city", "which"], strata={}, source={}, question=pl.lit(question), group=pl.col("which"), **fields
    )


def test_an_item_that_stands_in_the_file_already_is_not_written_and_the_old_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text("old\n", encoding="utf-8")
    with pytest.raises(RecordError, match=r"items.jsonl:3: id \"mine\.capital\.\S+ stands already in line 1; bind what"):
        write_items(str(path), made("Where?"), made("Who?"))
    assert path.read_text(encoding="utf-8") == "old\n"


def test_many_items_are_the_same_lines_as_few_and_one_that_stands_there_is_told_by_its_line(tmp_path: Path) -> None:
    path, many = tmp_path / "items.jsonl", pl.concat([made("Where?", family=f"family{n}") for n in range(300)])
    assert write_items(str(path), many) == 600
    assert path.read_bytes() == item_lines(many)
    with pytest.raises(RecordError, match=r"items.jsonl:601: .* stands already in line 599;"):
        write_items(str(path), pl.concat([many, many[598:599]]))


def test_what_is_no_item_is_named_by_its_line_and_field(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"items\.jsonl:1: field 'task' is \"quiz\""):
        write_items(str(tmp_path / "items.jsonl"), made("Where?", task="quiz"))
