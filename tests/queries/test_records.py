"""Records: what is written can be read, what is wrong is named by file, line and field."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, get_args

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg import cli
from kg.errors import SourceError
from queries.records import RECORDS, RecordError, frame_schema, read_frame, read_jsonl, write_frame, write_jsonl
from queries.records.__main__ import app
from queries.records.item import EDITS, TASKS, Given, Item, RationaleEntry
from queries.records.response import Failure, Response
from queries.records.verdict import OUTCOMES, REASONS, Verdict
from support.shared import shared

ITEM: dict[str, Any] = {
    "schema": "kgprobe.item/1",
    "id": "fpq.capital.yes_no.tpq.0011223344556677",
    "method": "fpq",
    "family": "capital",
    "task": "yes_no",
    "variant": "tpq",
    "question": "Is Canberra the capital of Australia?",
    "answer": ["yes"],
    "group": "fpq.Q408.P36.Q3114",
}
RESPONSE: dict[str, Any] = {
    "schema": "kgprobe.response/1",
    "item": ITEM["id"],
    "model": "replay:answers",
    "sample": 0,
    "text": "Yes.",
}
VERDICT: dict[str, Any] = {
    "schema": "kgprobe.verdict/1",
    "item": ITEM["id"],
    "model": "replay:answers",
    "sample": 0,
    "outcome": "correct",
    "reason": "exact",
    "answer": "yes",
    "rationale": [],
    "contradicted": [],
    "spans": [[0, 3]],
    "judge": None,
}

# Every text but half surrogates, which UTF-8 cannot hold.
texts = st.text(st.characters(exclude_categories=["Cs"]))
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


def write_lines(path: Path, *lines: dict[str, Any] | str) -> Path:
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return path


def fault_of(path: Path, model: type[Any]) -> str:
    """The one-line error that both ways of reading give."""
    with pytest.raises(RecordError) as slow:
        read_jsonl(path, model)
    with pytest.raises(RecordError) as fast:
        read_frame(path, model)
    assert str(slow.value) == str(fast.value)
    assert "\n" not in str(slow.value)
    return str(slow.value).removeprefix(f"{path}")


@pytest.mark.parametrize("record", RECORDS)
def test_golden_records_are_written_as_they_were_read(record: str, tmp_path: Path) -> None:
    golden = shared(f"examples/{record}s.jsonl")
    write_jsonl(tmp_path / "again.jsonl", read_jsonl(golden, RECORDS[record]))
    again = [json.loads(line) for line in (tmp_path / "again.jsonl").read_text().split("\n") if line]
    assert again == [json.loads(line) for line in golden.read_text().split("\n") if line]


@pytest.mark.parametrize("record", RECORDS)
def test_golden_records_survive_as_columns(record: str, tmp_path: Path) -> None:
    golden, model = shared(f"examples/{record}s.jsonl"), RECORDS[record]
    write_frame(tmp_path / "again.jsonl", read_frame(golden, model), model)
    first, second = (read_jsonl(path, model) for path in (golden, tmp_path / "again.jsonl"))
    assert [present(record) for record in first] == [present(record) for record in second]


def present(record: Any) -> dict[str, Any]:
    """A record without what is absent in its open objects (columns have a null there)."""
    dumped: dict[str, Any] = record.model_dump(by_alias=True)
    for name in {"strata", "source"} & dumped.keys():
        dumped[name] = {key: value for key, value in dumped[name].items() if value is not None}
    return dumped


@given(names, texts, names, texts)
def test_hostile_text_survives_in_an_item(question: str, value: str, name: str, alias: str) -> None:
    item = Item(
        schema="kgprobe.item/1", id="x", method=name, family=name, task="open", variant=name, question=question,
        answer=[value, alias], unit=value, precision=value, group=name, context=value, image=value,
        given=[Given(slot=name, value=value)], strata={name: value}, source={name: value},
        rationale=[RationaleEntry(slot=name, value=value, aliases=[alias], unit=value)],
    )  # fmt: skip
    assert Item.model_validate_json(item.line()) == item
    assert "\n" not in item.line()


@given(st.lists(st.tuples(names, texts, texts), min_size=1, max_size=4, unique_by=lambda row: row[0]))
def test_hostile_text_survives_in_columns(tmp_path_factory: pytest.TempPathFactory, rows: list[Any]) -> None:
    path = tmp_path_factory.mktemp("columns") / "responses.jsonl"
    responses = [
        Response(schema="kgprobe.response/1", item="x", model=model, sample=0, text=text, finish=other, prompt=other)
        for model, text, other in rows
    ]
    write_jsonl(path, responses)
    frame = read_frame(path, Response)
    assert frame["text"].to_list() == [text for _, text, _ in rows]
    write_frame(path, frame, Response)
    assert read_jsonl(path, Response) == responses


@given(st.text() | st.recursive(st.none() | st.integers() | st.text(), lambda inner: st.lists(inner)).map(json.dumps))
def test_any_line_is_read_or_told_in_one_line(tmp_path_factory: pytest.TempPathFactory, line: str) -> None:
    path = tmp_path_factory.mktemp("any") / "items.jsonl"
    path.write_bytes(line.encode("utf-8", "surrogatepass"))
    with pytest.raises(RecordError) as error:
        read_jsonl(path, Item)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", sorted(ITEM.keys() - {"answer"}))
def test_a_missing_field_of_an_item_is_named(name: str, tmp_path: Path) -> None:
    less = {key: value for key, value in ITEM.items() if key != name}
    path = write_lines(tmp_path / "items.jsonl", ITEM, less)
    assert fault_of(path, Item) == f":2: field '{name}' is missing; add it"


@pytest.mark.parametrize("name", sorted(VERDICT))
def test_a_verdict_has_all_its_fields(name: str, tmp_path: Path) -> None:
    less = {key: value for key, value in VERDICT.items() if key != name}
    path = write_lines(tmp_path / "verdicts.jsonl", less)
    assert fault_of(path, Verdict) == f":1: field '{name}' is missing; add it"


@pytest.mark.parametrize("name", ["method", "family", "variant", "question", "group"])
def test_a_field_that_may_not_be_empty(name: str, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "items.jsonl", ITEM | {name: ""})
    assert fault_of(path, Item) == f":1: field '{name}' is empty; fill it in"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"schema": "kgprobe.item/2"}, "field 'schema' is \"kgprobe.item/2\"; this version reads 'kgprobe.item/1'"),
        ({"id": "a b"}, "field 'id' is \"a b\"; use letters, digits, '.', '_' and '-'"),
        ({"id": "a\n"}, "field 'id' is \"a\\n\"; use letters, digits, '.', '_' and '-'"),
        ({"question": 3}, "field 'question' is 3, not a string; write a string"),
        ({"qestion": "?"}, "field 'qestion' is unknown; did you mean 'question'?"),
        ({"given": [{"slot": "a", "value": 1}]}, "field 'given[0].value' is 1, not a string; write a string"),
        ({"strata": {"hops": 1}}, "field 'strata.hops' is 1, not a string; write a string"),
        ({"answer": ["Yes"]}, '\'answer\' of task yes_no must be ["yes"] or ["no"]'),
        ({"task": "choice"}, "a choice needs 'options'"),
        ({"task": "choice", "options": ["a", "b"], "answer": ["3"]}, 'must be ["1"] or ["2"]'),
        ({"task": "essay"}, "field 'task' is \"essay\"; known: 'yes_no'"),
    ],
)
def test_a_wrong_field_of_an_item_is_told(change: dict[str, Any], told: str, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "items.jsonl", ITEM, ITEM | {"id": "other"} | change)
    assert told in fault_of(path, Item)
    assert fault_of(path, Item).startswith(":2: ")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"schema": ', "not JSON (EOF while parsing a value at column 10); write one JSON object on each line"),
        ("[1]", "is [1], not an object; write an object"),
        ("\\ud800", "not JSON"),
    ],
)
def test_a_line_that_is_no_object_is_told(line: str, told: str, tmp_path: Path) -> None:
    assert told in fault_of(write_lines(tmp_path / "items.jsonl", ITEM, line), Item)


def test_an_answer_may_be_empty_but_is_null_only_with_an_error(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "responses.jsonl", RESPONSE | {"text": None})
    assert "'text' is null or missing though there is no 'error'" in fault_of(path, Response)
    failed = RESPONSE | {"text": None, "error": {"kind": "rate_limit", "status": 429, "message": ""}, "sample": 1}
    write_lines(path, RESPONSE | {"text": ""}, failed)
    assert [answer.error for answer in read_jsonl(path, Response)] == [None, Failure(kind="rate_limit", status=429)]


def test_the_same_key_twice_names_both_lines(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "items.jsonl", ITEM, "", ITEM)
    assert fault_of(path, Item) == f':3: id "{ITEM["id"]}" stands already in line 1; keep one of the two lines'
    write_lines(path, RESPONSE, RESPONSE | {"sample": 1}, RESPONSE | {"text": "No."})
    assert fault_of(path, Response).startswith(f':3: item "{ITEM["id"]}", model "replay:answers", sample 0 stands')


def test_no_record_and_no_file_are_told(tmp_path: Path) -> None:
    assert fault_of(write_lines(tmp_path / "empty.jsonl", ""), Verdict).startswith(": holds no verdict")
    assert read_jsonl(tmp_path / "empty.jsonl", Verdict, may_be_empty=True) == []
    with pytest.raises(SourceError, match="no such file"):
        read_frame(tmp_path / "absent.jsonl", Verdict)


def test_what_may_be_null_empty_or_left_out_reads_the_same(tmp_path: Path) -> None:
    lists = {"given", "rationale", "proof"}
    null = ITEM | dict.fromkeys([*lists, "strata", "source", "options", "premise", "parent"])
    empty = ITEM | {"id": "empty", "strata": {}, "source": {}} | {name: [] for name in lists}
    path = write_lines(tmp_path / "items.jsonl", ITEM | {"id": "left.out"}, null, empty)
    assert len({item.model_copy(update={"id": ""}).line() for item in read_jsonl(path, Item)}) == 1
    frame = read_frame(path, Item)
    assert frame.select(pl.col("given", "rationale", "proof").list.len().sum()).row(0) == (0, 0, 0)
    assert frame["premise"].null_count() == 3


def test_gzip_a_byte_order_mark_and_windows_line_ends_are_understood(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl.gz"
    path.write_bytes(gzip.compress(b"\xef\xbb\xbf" + json.dumps(ITEM).encode() + b"\r\n\r\n"))
    assert read_frame(path, Item, ["id"], numbered=True).to_dicts() == [{"id": ITEM["id"], "line": 1}]


def test_strata_become_a_struct_of_the_fields_that_occur(tmp_path: Path) -> None:
    second = ITEM | {"id": "b", "strata": {"hops": "2", "edit": None}}
    path = write_lines(tmp_path / "items.jsonl", ITEM | {"strata": {"domain": "place"}}, second)
    assert read_frame(path, Item, ["strata"])["strata"].to_list() == [
        {"domain": "place", "hops": None, "edit": None},
        {"domain": None, "hops": "2", "edit": None},
    ]


def test_the_columns_are_the_models_fields() -> None:
    schema = frame_schema(Item, {"strata": ["domain"], "source": []})
    assert schema.names() == [field.alias or name for name, field in Item.model_fields.items()]
    assert schema["premise"].to_schema()["path"] == pl.List(pl.List(pl.String))  # type: ignore[attr-defined]
    assert frame_schema(Verdict)["rationale"] == pl.List(pl.Boolean)
    assert frame_schema(Response)["seconds"] == pl.Float64


def test_the_closed_lists_have_no_repetition() -> None:
    for closed in (TASKS, EDITS, OUTCOMES, REASONS):
        assert len(set(closed)) == len(closed)
    assert (len(TASKS), len(EDITS), len(OUTCOMES), len(REASONS)) == (6, 6, 4, 23)


class Done(NamedTuple):
    returncode: object
    stdout: str
    stderr: str


Run = Callable[..., Done]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `python -m queries.records` with arguments."""

    def call(*args: str) -> Done:
        with pytest.raises(SystemExit) as stop:
            cli.run(app, "python -m queries.records", args)
        return Done(stop.value.code, *capsys.readouterr())

    return call


@pytest.mark.parametrize("record", RECORDS)
def test_the_json_schema_names_version_and_fields(record: str, run: Run) -> None:
    schema = json.loads(run("schema", record).stdout)
    assert schema["properties"]["schema"]["const"] == f"kgprobe.{record}/1"
    assert set(schema["properties"]) == set(frame_schema(RECORDS[record]).names())
    assert schema["additionalProperties"] is False
    assert get_args(RECORDS[record].model_fields["version"].annotation) == (f"kgprobe.{record}/1",)


def test_check_tells_every_fault_and_exits_2(tmp_path: Path, run: Run) -> None:
    path = write_lines(tmp_path / "responses.jsonl", RESPONSE, RESPONSE, RESPONSE | {"sample": -1, "txt": "No."})
    done = run("check", str(path))
    assert done.returncode == 2
    assert [line.removeprefix(str(path))[:3] for line in done.stdout.splitlines()] == [":2:", ":3:", ":3:"]
    assert done.stderr.splitlines()[-1].startswith("error: 1 of 1 files have faults")


def test_check_is_silent_about_good_files(tmp_path: Path, run: Run) -> None:
    items = write_lines(tmp_path / "items.jsonl", ITEM)
    verdicts = write_lines(tmp_path / "verdicts.jsonl", VERDICT, VERDICT | {"sample": None})
    done = run("check", str(items), str(verdicts))
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("line", ["", "{}", "[]", '{"schema": [1]}', "not JSON"])
def test_check_says_when_a_file_holds_no_records(line: str, tmp_path: Path, run: Run) -> None:
    done = run("check", str(write_lines(tmp_path / "some.jsonl", line)))
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert len(done.stderr.splitlines()) == 1


def test_an_unknown_record_is_told(run: Run) -> None:
    done = run("schema", "verdit")
    known = "item, exemplar, passage, response, verdict"
    assert (done.returncode, done.stderr) == (2, f"error: 'verdit' is no record; known: {known}\n")
