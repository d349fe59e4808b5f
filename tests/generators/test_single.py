"""A relation with several objects in the world is no single one, whatever a small graph shows of it."""

from __future__ import annotations

import polars as pl
import pytest

from generators.graph_columns import GraphColumns
from generators.single import facts_of_several, in_the_world
from kg import open_graph

NO_KINDS = pl.DataFrame(schema={"e": pl.UInt32, "kind": pl.String})


@pytest.fixture(scope="module")
def several() -> dict[str, set[bool]]:
    starter = open_graph()
    columns = GraphColumns.of(starter, seed=0)
    told = columns.facts.with_columns(several=facts_of_several(starter, columns, NO_KINDS))
    told = told.join(columns.relations.select("label").with_row_index("p"), on="p")
    return {str(label): set(part["several"]) for (label,), part in told.group_by("label")}


def test_a_relation_of_which_many_subjects_have_several_objects_is_none_of_one(several: dict[str, set[bool]]) -> None:
    assert several["shares border with"] == {True}


def test_nearly_every_country_has_one_capital(several: dict[str, set[bool]]) -> None:
    assert several["capital"] == {False}


def test_what_the_world_has_several_of_is_none_of_one_though_the_graph_has_one_of_each(several: dict[str, set[bool]]) -> None:
    assert several["official language"] == {True}


def test_who_else_wrote_the_music_no_share_tells() -> None:
    assert in_the_world()["P86"].open


def test_the_list_is_by_p_id_and_its_shares_are_shares() -> None:
    assert all(name[0] == "P" and name[1:].isdigit() for name in in_the_world())
    assert all(0 <= known.one <= 1 for known in in_the_world().values() if known.one is not None)
