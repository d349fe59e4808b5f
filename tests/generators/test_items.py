"""A generator gives its own columns and gets complete items, as the record has them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from generators.items import assemble, listed, proved, stated, write_items
from kg.errors import InputError
from queries.records import frame_schema, read
from queries.records.item import Item

CITIES = pl.DataFrame(
    {
        "city": ["Oslo", "Rome", "Sião"],
        "country": ["Norway", "Italy", None],
        "term": ["<http://e.org/1>", "<http://e.org/2>", "_:b"],
    }
)


def made(rows: pl.DataFrame = CITIES, /, **changes: Any) -> pl.DataFrame:
    fields: dict[str, Any] = {
        "bindings": ["city", "country"],
        "strata": {"domain": "places", "country": pl.col("country")},
        "source": {"seed": "0"},
        "method": "mine",
        "family": "capital",
        "task": "open",
        "variant": "basic",
        "question": pl.format("Of which country is {} the capital?", "city"),
        "group": pl.col("city"),
    }
    return assemble(rows, **(fields | changes))


def test_the_columns_are_those_of_the_record_in_its_order_and_its_types() -> None:
    assert made().schema == frame_schema(Item, {"strata": ["domain", "country"], "source": ["seed"]})


def test_no_rows_give_no_items_of_the_same_types() -> None:
    assert made(CITIES.clear()).schema == made().schema


def test_the_record_reads_what_is_written(tmp_path: Path) -> None:
    rows = pl.lit(pl.Series([[[city]] for city in CITIES["city"]]))
    proof = proved(CITIES, "true_subjects@1", {"o": pl.col("term")}, None, rows)
    items = made(proof=listed([proof]), given=stated(CITIES, {"city": pl.col("city")}), answer=pl.concat_list("city"))
    path = str(tmp_path / "items.jsonl")
    assert write_items(path, items, made(family="other", strata={"hops": "1"})) == 6
    first, *_, last = read(path, Item)
    assert (first.answer, first.options, first.rationale, first.parent) == (["Oslo"], None, [], None)
    assert first.proof[0].rows == [["Oslo"]]
    assert first.strata == {"domain": "places", "country": "Norway"}
    assert (last.given, last.proof, last.strata) == ([], [], {"hops": "1"})


def test_what_is_merely_claimed_is_marked_and_nothing_else_has_the_field(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    slots = {"city": pl.col("city"), "country": pl.lit(',"claim":null}')}  # a value that looks like the empty field
    marks = {"city": pl.col("city") == "Rome"}
    write_items(str(path), made(given=stated(CITIES, slots, marks)))
    first, second, _ = [json.loads(line)["given"] for line in path.read_text().splitlines()]
    assert first == [{"slot": "city", "value": "Oslo"}, {"slot": "country", "value": ',"claim":null}'}]
    assert second[0] == {"slot": "city", "value": "Rome", "claim": True}
    assert [item.line() for item in read(path, Item)] == path.read_text().splitlines()


def test_given_values_without_marks_are_still_taken() -> None:
    """A generator of somebody else may know nothing of claims."""
    plain = listed([pl.DataFrame({"slot": ["city"] * 3, "value": CITIES["city"]}).to_struct()])
    assert made(given=plain)["given"].to_list()[0] == [{"slot": "city", "value": "Oslo", "claim": None}]


def test_an_id_depends_on_what_is_bound_and_on_nothing_else() -> None:
    ids = made()["id"]
    assert made(CITIES.reverse())["id"].to_list() == ids.reverse().to_list()
    assert made(question="Where?", group="all")["id"].to_list() == ids.to_list()
    for changes in ({"family": "seat"}, {"task": "premise"}, {"variant": "negated"}, {"bindings": ["city"]}):
        assert not set(made(**changes)["id"]) & set(ids)


def test_a_name_that_an_id_cannot_hold_becomes_a_hash() -> None:
    assert made(family="hlavní město")["id"].str.contains(r"^mine\.[0-9a-f]{8}\.open\.basic\.[0-9a-f]{16}$").all()


def test_a_missing_value_is_not_the_same_as_none_bound() -> None:
    """Oslo of no country is another item than Oslo where the country is not asked about."""
    rows = CITIES.with_columns(country=pl.lit(None, pl.String))
    assert not set(made(rows)["id"]) & set(made(rows, bindings=["city"])["id"])


def test_the_same_id_twice_is_refused() -> None:
    with pytest.raises(InputError, match=r"two items would have the id mine\.capital\.open\.basic\.[0-9a-f]{16}; bind what"):
        made(bindings=[])


@pytest.mark.parametrize("field", ["id", "schema", "option"])
def test_a_field_that_is_none_of_its_own_is_named(field: str) -> None:
    with pytest.raises(ValueError, match=f"no field '{field}' of its own"):
        made(**{field: "x"})
