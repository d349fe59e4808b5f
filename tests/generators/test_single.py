"""A relation with several objects in the world is no single one, whatever a small graph shows of it."""

from __future__ import annotations

import polars as pl

from generators.single import in_the_world, often_several, shares_of_one


def is_often_several(relation: str, objects: list[int]) -> bool:
    """Whether a relation has several objects, in a graph with one subject for each of the counts of its objects."""
    rows = pl.DataFrame(
        {
            "s": range(len(objects)),
            "property": [relation] * len(objects),
            "subject_kind": pl.Series([None] * len(objects), dtype=pl.String),
            "n": objects,
            "incomplete": pl.Series([None] * len(objects), dtype=pl.Boolean),
            "agrees": [True] * len(objects),
        }
    )
    return bool(often_several(rows, shares_of_one(rows), in_the_world())[0])


def test_a_relation_of_which_many_subjects_have_several_objects_is_none_of_one() -> None:
    assert is_often_several("P47", [4, 3, 5, 2, 6, 1, 3, 4, 2, 7, 3, 5])


def test_nearly_every_country_has_one_capital() -> None:
    assert not is_often_several("P36", [1] * 19 + [2])


def test_what_the_world_has_several_of_is_none_of_one_though_the_graph_has_one_of_each() -> None:
    assert is_often_several("P37", [1] * 20)


def test_who_else_wrote_the_music_no_share_tells() -> None:
    assert in_the_world()["P86"].open


def test_the_list_is_by_p_id_and_its_shares_are_shares() -> None:
    assert all(name[0] == "P" and name[1:].isdigit() for name in in_the_world())
    assert all(0 <= known.one <= 1 for known in in_the_world().values() if known.one is not None)
