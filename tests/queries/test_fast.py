"""Lines read quickly are read as their record reads them: the same values, the same faults."""

from __future__ import annotations

import json
from typing import Annotated, Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import AfterValidator, BeforeValidator, Field, ValidationError

from queries.records import RECORDS
from queries.records.fast import reader
from queries.records.item import Item
from queries.records.record import Record, Time
from queries.records.response import Response
from support.shared import shared

PROOF = {"query": "fact@0011aabb", "bind": [{"name": "s", "term": "<urn:x>"}], "expect": True, "rows": [["Perth"], []]}
PLACE = {"iri": "urn:c", "label": "Canberra"}
PREMISE = {
    "subject": PLACE, "relation": PLACE, "object": PLACE, "true_objects": [{**PLACE, "aliases": ["Kambera"]}],
    "edit": "NSC", "hops": 3, "path": [["a", "b", "c"]],
}  # fmt: skip
WHOLE: dict[str, dict[str, Any]] = {
    "item": {
        "schema": "kgprobe.item/1", "id": "a.b-c_1", "method": "m", "family": "f", "task": "choice", "variant": "basic",
        "question": "Which?", "options": ["Perth", "Ulm"], "answer": ["2"], "answer_type": "entity", "unit": "km",
        "precision": "year", "given": [{"slot": "country", "value": ""}],
        "rationale": [{"slot": "city", "value": "Ulm", "aliases": ["Ulma"], "type": "date", "unit": "m", "precision": "day"}],
        "premise": PREMISE, "context": "", "image": "x.png", "group": "g",
        "parent": {"item": "a", "model": "m", "sample": 0}, "strata": {"hops": "2", "gap": None}, "proof": [PROOF],
        "source": {"store": "wd"},
    },
    "response": {
        "schema": "kgprobe.response/1", "item": "a", "model": "m", "sample": 2, "text": "Ulm, Ülm", "finish": "stop",
        "error": {"kind": "http", "status": 500, "message": ""}, "seconds": 0.5, "prompt": "ab",
        "usage": {"input": 3, "output": 4, "cached": 0, "usd": 1}, "time": "2026-02-28T23:59:59+01:00",
    },
}  # fmt: skip
"""A record of each kind with all its fields."""

ODD: list[Any] = [
    "", "x", "a\n", "yes", "2", "é", "2026-02-29", "2026-02-28", 0, -1, 1, 2, 1.0, 0.5, -0.5, 2**53, 2**53 + 1, 10**30, 1e300,
    True, False, None, [], [[]], [None], ["x"], ["x", "y", "z"], {}, {"a": "b"}, {"a": None}, {"a": 1},
]  # fmt: skip
odd_values = st.sampled_from([json.dumps(value) for value in ODD]).map(json.loads)


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands in a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [at, *(place for key, part in inner for place in places(part, (*at, key)))]


@st.composite
def changed(draw: st.DrawFn, record: str) -> bytes:
    """A line of a record in which some values are others, some are gone, and some are new."""
    made = json.loads(json.dumps(WHOLE[record]))
    for _ in range(draw(st.integers(0, 3))):
        *path, key = draw(st.sampled_from(places(made)[1:]))
        holder = made
        for step in path:
            holder = holder[step]
        if isinstance(holder, list):
            holder[key] = draw(odd_values)
        else:
            change = draw(st.sampled_from(["other", "gone", "new"]))
            if change == "other":
                holder[key] = draw(odd_values)
            elif change == "new":
                holder[draw(st.sampled_from(["shema", "version", "text", "a"]))] = draw(odd_values)
            elif len(holder) > 1:
                del holder[key]
    return json.dumps(made, ensure_ascii=draw(st.booleans())).encode()


def by_record(record: str, line: bytes) -> Any:
    """What the record reads: its values, or the faults it tells."""
    try:
        return json.loads(RECORDS[record].model_validate_json(line).model_dump_json(by_alias=True))
    except ValidationError as error:
        return str(error)


def quickly(record: str, line: bytes) -> Any:
    try:
        made: Any = reader(RECORDS[record])(line)
    except ValidationError as error:
        return str(error)
    return json.loads(msgspec.json.encode(made) if isinstance(made, msgspec.Struct) else made.model_dump_json(by_alias=True))


@settings(max_examples=1000)
@given(line=changed("item"))
@example(line=b"{}")
@example(line=b"")
@example(line=b"[]")
def test_an_item_is_read_as_its_record_reads_it(line: bytes) -> None:
    assert quickly("item", line) == by_record("item", line)


@settings(max_examples=1000)
@given(line=changed("response"))
def test_a_response_is_read_as_its_record_reads_it(line: bytes) -> None:
    assert quickly("response", line) == by_record("response", line)


@settings(max_examples=300)
@given(record=st.sampled_from(sorted(WHOLE)), at=st.integers(0, 2000), odd=st.binary())
def test_bytes_of_any_kind_are_read_as_the_record_reads_them(record: str, at: int, odd: bytes) -> None:
    line = json.dumps(WHOLE[record]).encode()
    broken = line[: at % len(line)] + odd + line[at % len(line) + len(odd) :]
    for record in WHOLE:
        assert quickly(record, broken) == by_record(record, broken)


@pytest.mark.parametrize(
    "inside", [r'"\ud800"', r'"\ud83d\ude00"', '"\udcff"', '"a\x01"', r'"\u0000"', "NaN", "1e400", "-0", "1.", "01", '"xxx']
)
def test_odd_json_is_read_as_the_record_reads_it(inside: str) -> None:
    for record, field in (("response", "text"), ("response", "sample"), ("response", "seconds"), ("item", "unit")):
        whole = json.dumps({**WHOLE[record], field: "HERE"})
        line = whole.replace('"HERE"', inside).encode("utf-8", "surrogateescape")
        assert quickly(record, line) == by_record(record, line)


@pytest.mark.parametrize("record", WHOLE)
def test_a_whole_record_does_not_need_the_slow_way(record: str) -> None:
    line = json.dumps(WHOLE[record]).encode()
    assert isinstance(reader(RECORDS[record])(line), msgspec.Struct)
    assert quickly(record, line) == by_record(record, line)


@pytest.mark.parametrize("record", WHOLE)
def test_no_golden_record_needs_the_slow_way(record: str) -> None:
    for line in shared(f"examples/{record}s.jsonl").read_bytes().splitlines():
        assert isinstance(reader(RECORDS[record])(line), msgspec.Struct)


def test_null_stands_for_an_empty_list_as_in_the_record() -> None:
    line = json.dumps({**WHOLE["item"], "given": None, "strata": None}).encode()
    assert (reader(Item)(line).given, reader(Item)(line).strata) == ([], {})


def test_a_time_is_checked() -> None:
    line = json.dumps({**WHOLE["response"], "time": "yesterday"}).encode()
    with pytest.raises(ValidationError, match="not a time"):
        reader(Response)(line)


class Timed(Record):
    """A record whose times nobody could check once they are read quickly."""

    times: list[Time]


class Bounded(Record):
    """A record with a limit that has no translation."""

    name: Annotated[str, Field(max_length=3)]


class Filled(Record):
    """A record that reads something else than what stands there."""

    name: Annotated[str, BeforeValidator(lambda text: text or "nobody")]


class Named(Record):
    """A record that keeps something else than what it has read, and a check of a field that may be null."""

    name: Annotated[str, AfterValidator(str.strip)]
    born: Time | None


@pytest.mark.parametrize("record", [Timed, Bounded, Filled])
def test_what_cannot_be_derived_is_refused_before_a_line_is_read(record: type[Record]) -> None:
    with pytest.raises(TypeError):
        reader(record)


def test_a_field_may_have_a_check_of_its_own() -> None:
    read = reader(Named)
    assert isinstance(read(b'{"name": "ada", "born": null}'), msgspec.Struct)
    assert isinstance(read(b'{"name": "ada", "born": "1815-12-10"}'), msgspec.Struct)
    assert read(b'{"name": " ada", "born": null}').name == "ada"
