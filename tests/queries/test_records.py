"""Records: what is written can be read, what is wrong is named by file, line and field."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, ClassVar, NamedTuple

import msgspec
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kg import cli
from kg.errors import SourceError
from queries.records import RECORDS, RecordError, frame_schema, read, read_frame, records_in, write, write_frame
from queries.records.__main__ import app
from queries.records.item import EDITS, TASKS, Given, Item, RationaleEntry
from queries.records.record import Record, RecordView, decoder, find_faults, version_of
from queries.records.response import Failure, Response
from queries.records.verdict import OUTCOMES, REASONS, Verdict
from shared import shared

FOLDER = Path(__file__).parents[2] / "queries/records"

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
ENTITY = {"iri": "http://example.org/e", "label": "e"}
PREMISE: dict[str, Any] = {"subject": ENTITY, "relation": ENTITY, "object": ENTITY}
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
        read(path, model)
    with pytest.raises(RecordError) as fast:
        read_frame(path, model)
    assert str(slow.value) == str(fast.value)
    assert "\n" not in str(slow.value)
    return str(slow.value).removeprefix(f"{path}")


@pytest.mark.parametrize("record", RECORDS)
def test_golden_records_are_written_as_they_were_read(record: str, tmp_path: Path) -> None:
    golden = shared(f"examples/{record}s.jsonl")
    write(tmp_path / "again.jsonl", read(golden, RECORDS[record]))
    again = [json.loads(line) for line in (tmp_path / "again.jsonl").read_text().split("\n") if line]
    assert again == [json.loads(line) for line in golden.read_text().split("\n") if line]


@pytest.mark.parametrize("record", RECORDS)
def test_golden_records_survive_as_columns(record: str, tmp_path: Path) -> None:
    golden, model = shared(f"examples/{record}s.jsonl"), RECORDS[record]
    write_frame(tmp_path / "again.jsonl", read_frame(golden, model), model)
    first, second = (read(path, model) for path in (golden, tmp_path / "again.jsonl"))
    assert [present(record) for record in first] == [present(record) for record in second]


def present(record: Any) -> dict[str, Any]:
    """A record without what is absent in its open objects (columns have a null there)."""
    dumped: dict[str, Any] = msgspec.to_builtins(record)
    for name in {"strata", "source"} & dumped.keys():
        dumped[name] = {key: value for key, value in dumped[name].items() if value is not None}
    return dumped


@settings(deadline=None)
@given(names, texts, names, texts)
def test_hostile_text_survives_in_an_item(question: str, value: str, name: str, alias: str) -> None:
    item = Item(
        schema="kgprobe.item/1", id="x", method=name, family=name, task="open", variant=name, question=question,
        answer=[value, alias], unit=value, precision=value, group=name, context=value, image=value,
        given=[Given(slot=name, value=value)], strata={name: value}, source={name: value},
        rationale=[RationaleEntry(slot=name, value=value, aliases=[alias], unit=value)],
    )  # fmt: skip
    assert decoder(Item)(item.line()) == item
    assert "\n" not in item.line()


@settings(deadline=None)
@given(st.lists(st.tuples(names, texts, texts), min_size=1, max_size=4, unique_by=lambda row: row[0]))
def test_hostile_text_survives_in_columns(tmp_path_factory: pytest.TempPathFactory, rows: list[Any]) -> None:
    path = tmp_path_factory.mktemp("columns") / "responses.jsonl"
    responses = [
        Response(schema="kgprobe.response/1", item="x", model=model, sample=0, text=text, finish=other, prompt=other)
        for model, text, other in rows
    ]
    write(path, responses)
    frame = read_frame(path, Response)
    assert frame["text"].to_list() == [text for _, text, _ in rows]
    write_frame(path, frame, Response)
    assert read(path, Response) == responses


@settings(deadline=None)
@given(st.text() | st.recursive(st.none() | st.integers() | st.text(), lambda inner: st.lists(inner)).map(json.dumps))
def test_any_line_is_read_or_told_in_one_line(tmp_path_factory: pytest.TempPathFactory, line: str) -> None:
    path = tmp_path_factory.mktemp("any") / "items.jsonl"
    path.write_bytes(line.encode("utf-8", "surrogatepass"))
    with pytest.raises(RecordError) as error:
        read(path, Item)
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
        ({"premise": PREMISE | {"edit": "NSCC"}}, "'premise.edit' is \"NSCC\"; known: NSC, NDC, NNSC, NNDC, NNSR, NNDR; an"),
        ({"premise": PREMISE | {"edit": ""}}, "field 'premise.edit' is \"\"; known: NSC"),
        ({"id": "a\n"}, "field 'id' is \"a\\n\"; use letters, digits, '.', '_' and '-'"),
        ({"question": 3}, "field 'question' is 3, not a string; write a string"),
        ({"qestion": "?"}, "field 'qestion' is unknown; did you mean 'question'?"),
        ({"given": [{"slot": "a", "value": 1}]}, "field 'given[0].value' is 1, not a string; write a string"),
        (
            {"given": [{"slot": "a", "value": "1", "claim": "yes"}]},
            "field 'given[0].claim' is \"yes\", not true or false; write true or false",
        ),
        ({"strata": {"hops": 1}}, "field 'strata.hops' is 1, not a string; write a string"),
        ({"strata": {str(n): "a" for n in range(101)}}, "field 'strata' has 101 entries; keep to 100"),
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


@pytest.mark.parametrize("edit", [*EDITS, None, "rival", "same-year_2"])
def test_an_edit_is_one_of_the_six_or_an_own_one_in_small_letters(edit: str | None, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "items.jsonl", ITEM | {"premise": PREMISE | {"edit": edit}})
    (item,) = read(path, Item)
    assert item.premise is not None
    assert item.premise.edit == edit


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
    assert [answer.error for answer in read(path, Response)] == [None, Failure(kind="rate_limit", status=429)]


def test_the_same_key_twice_names_both_lines(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "items.jsonl", ITEM, "", ITEM)
    assert fault_of(path, Item) == f':3: id "{ITEM["id"]}" stands already in line 1; keep one of the two lines'
    write_lines(path, RESPONSE, RESPONSE | {"sample": 1}, RESPONSE | {"text": "No."})
    assert fault_of(path, Response).startswith(f':3: item "{ITEM["id"]}", model "replay:answers", sample 0 stands')


def test_no_record_and_no_file_are_told(tmp_path: Path) -> None:
    assert fault_of(write_lines(tmp_path / "empty.jsonl", ""), Verdict).startswith(": holds no verdict")
    assert read(tmp_path / "empty.jsonl", Verdict, may_be_empty=True) == []
    with pytest.raises(SourceError, match="no such file"):
        read_frame(tmp_path / "absent.jsonl", Verdict)


def test_what_may_be_null_empty_or_left_out_reads_the_same(tmp_path: Path) -> None:
    lists = {"given", "rationale", "proof"}
    null = ITEM | dict.fromkeys([*lists, "strata", "source", "options", "premise", "parent"])
    empty = ITEM | {"id": "empty", "strata": {}, "source": {}} | {name: [] for name in lists}
    path = write_lines(tmp_path / "items.jsonl", ITEM | {"id": "left.out"}, null, empty)
    assert len({replace(item, id="").line() for item in read(path, Item)}) == 1
    frame = read_frame(path, Item)
    assert frame.select(pl.col("given", "rationale", "proof").list.len().sum()).row(0) == (0, 0, 0)
    assert frame["premise"].null_count() == 3


def test_a_claim_is_marked_in_the_line_only_where_it_is_one(tmp_path: Path) -> None:
    forms: list[dict[str, Any]] = [{}, {"claim": None}, {"claim": False}, {"claim": True}]
    given = [{"slot": "decade", "value": "1950"} | form for form in forms]
    item = decoder(Item)(json.dumps(ITEM | {"given": given}))
    assert [bool(value.claim) for value in item.given] == [False, False, False, True]
    assert [sorted(value) for value in json.loads(item.line())["given"][:2]] == [["slot", "value"]] * 2
    frame = read_frame(write_lines(tmp_path / "items.jsonl", ITEM | {"given": given}), Item, ["given"])
    assert [value["claim"] for value in frame["given"][0]] == [None, None, False, True]


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
    assert schema.names() == list(Item.__struct_fields__)
    premise = schema["premise"]
    assert isinstance(premise, pl.Struct)
    assert premise.to_schema()["path"] == pl.List(pl.List(pl.String))
    assert frame_schema(Verdict)["rationale"] == pl.List(pl.Boolean)
    assert frame_schema(Response)["seconds"] == pl.Float64


def test_the_closed_lists_have_no_repetition() -> None:
    for closed in (TASKS, EDITS, OUTCOMES, REASONS):
        assert len(set(closed)) == len(closed)
    assert (len(TASKS), len(EDITS), len(OUTCOMES), len(REASONS)) == (6, 6, 4, 27)


# --- what JSON allows and a record does not


@pytest.mark.parametrize(
    ("inside", "told"),
    [
        (r'"\ud800"', "not JSON (unexpected end of hex escape"),
        (r'"\udc00\ud800"', "not JSON (lone leading surrogate in hex escape"),
        ("NaN", "field 'text' is NaN, not a string"),
        ("1e400", "field 'text' is Infinity, not a string"),
        ("01", "not JSON"),
        ("'x'", "not JSON"),
        ('"a\x01"', "not JSON (control character"),
        ('"\udcff"', "not JSON (invalid unicode code point"),
        ("[" * 300, "not JSON (recursion limit exceeded"),
        ("1" * 5000, "not JSON (number out of range"),
    ],
)
def test_a_text_that_is_none_is_told_in_one_line(inside: str, told: str, tmp_path: Path) -> None:
    path, whole = tmp_path / "responses.jsonl", json.dumps(RESPONSE | {"text": "HERE"})
    path.write_bytes(whole.replace('"HERE"', inside).encode("utf-8", "surrogateescape"))
    assert fault_of(path, Response).startswith(f":1: {told}")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"sample": True}, "field 'sample' is true, not a whole number"),
        ({"sample": 1.0}, "field 'sample' is 1.0, not a whole number"),
        ({"sample": 2**53 + 1}, "field 'sample' is 9007199254740993: Input should be less than or equal to 9007199254740992"),
        ({"seconds": float("nan")}, "field 'seconds' is NaN: Input should be a finite number"),
        ({"seconds": float("inf")}, "field 'seconds' is Infinity: Input should be a finite number"),
        ({"seconds": 10**400}, "field 'seconds' is 1000"),
        ({"seconds": -1}, "field 'seconds' is -1: Input should be greater than or equal to 0"),
        ({"seconds": True}, "field 'seconds' is true, not a number"),
        (
            {"error": {"kind": "http", "status": 10**30}},
            "field 'error.status' is 1000000000000000000000000000000: not a number of",
        ),
        ({"time": "yesterday"}, "field 'time' is \"yesterday\": not a time as ISO 8601 writes it"),
    ],
)
def test_odd_numbers_and_times_of_a_response_are_told(change: dict[str, Any], told: str, tmp_path: Path) -> None:
    assert fault_of(write_lines(tmp_path / "responses.jsonl", RESPONSE | change), Response).startswith(f":1: {told}")


def test_a_span_has_two_ends(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.jsonl"
    assert "field 'spans[0][1]' is missing" in fault_of(write_lines(path, VERDICT | {"spans": [[1]]}), Verdict)
    assert "field 'spans[0]' is [1, 2, 3]" in fault_of(write_lines(path, VERDICT | {"spans": [[1, 2, 3]]}), Verdict)
    assert "field 'rationale' is null, not a list" in fault_of(write_lines(path, VERDICT | {"rationale": None}), Verdict)


def test_of_two_fields_of_one_name_the_last_counts_in_records_and_in_columns(tmp_path: Path) -> None:
    line = json.dumps(RESPONSE | {"text": "No."})[:-1] + ', "text": "Yes."}'
    path = write_lines(tmp_path / "responses.jsonl", line)
    assert [response.text for response in read(path, Response)] == ["Yes."]
    assert read_frame(path, Response)["text"].to_list() == ["Yes."]


def test_all_faults_of_a_line_are_listed_and_of_another_version_only_that() -> None:
    wrong = ITEM | {"task": "essay", "given": [{"slot": "", "value": None}], "sorce": {}}
    fields = ["task", "given[0].slot", "given[0].value", "sorce"]
    assert [fault.field for fault in find_faults(Item, json.dumps(wrong))] == fields
    assert [fault.field for fault in find_faults(Item, json.dumps(wrong | {"schema": "kgprobe.item/2"}))] == ["schema"]


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands in a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [at, *(place for key, part in inner for place in places(part, (*at, key)))]


ODD: list[Any] = ["", "x", "a\n", 0, -1, 1, 1.0, 2**53 + 1, 10**30, True, None, [], [[]], [None], ["x"], {}, {"a": 1}]
odd_values = st.sampled_from([json.dumps(value) for value in ODD]).map(json.loads)


@st.composite
def changed(draw: st.DrawFn) -> bytes:
    """A line of a golden item or response in which some values are others, some are gone, and some are new."""
    made = draw(st.sampled_from([ITEM | {"given": [{"slot": "a", "value": ""}], "strata": {"a": None}}, RESPONSE, VERDICT]))
    made = json.loads(json.dumps(made))
    for _ in range(draw(st.integers(0, 3))):
        *path, key = draw(st.sampled_from(places(made)[1:] or [("schema",)]))
        holder = made
        for step in path:
            holder = holder[step]
        change = draw(st.sampled_from(["other", "gone", "new"]))
        if change == "other" or isinstance(holder, list):
            holder[key] = draw(odd_values)
        elif change == "new":
            holder["text"] = draw(odd_values)
        else:
            del holder[key]
    return json.dumps(made).encode()


@settings(max_examples=500, deadline=None)
@given(changed())
def test_what_is_faultless_is_written_and_read_again_as_it_was(line: bytes) -> None:
    """A line has faults, or it is a record: nothing else can come of it, and what is written has none."""
    for record in (Item, Response, Verdict):
        if not find_faults(record, line):
            made: Record = decoder(record)(line)
            assert decoder(record)(made.line()) == made


class Asked(RecordView, frozen=True):
    """What somebody needs of an item."""

    OF: ClassVar = Item

    id: str
    given: tuple[Given, ...] = ()
    strata: dict[str, str | None] = {}  # noqa: RUF012


def test_a_view_reads_some_fields_of_lines_that_are_whole_records(tmp_path: Path) -> None:
    second = ITEM | {"id": "b", "given": [{"slot": "a", "value": "1"}], "strata": None}
    path = write_lines(tmp_path / "items.jsonl", ITEM, second)
    assert read(path, Asked) == [Asked(ITEM["id"]), Asked("b", (Given("a", "1"),))]
    assert read_frame(path, Asked)["id"].to_list() == [ITEM["id"], "b"]
    write_lines(path, ITEM, {"id": "c"})
    assert fault_of(path, Asked) == fault_of(path, Item) == ":2: field 'schema' is missing; add it"
    assert [asked.id for _, asked in records_in(path, Asked, checked=False)] == [ITEM["id"], "c"]


class Odd(Record, frozen=True):
    """A record with a field that a line cannot say."""

    name: Annotated[str, msgspec.Meta(max_length=3)] | int


def test_a_record_with_a_choice_of_types_has_no_columns() -> None:
    with pytest.raises(TypeError, match="no type of a field"):
        frame_schema(Odd)


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
    assert version_of(RECORDS[record]) == f"kgprobe.{record}/1"


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
    known = "item, exemplar, passage, response, verdict, claim"
    assert (done.returncode, done.stderr) == (2, f"error: 'verdit' is no record; known: {known}\n")


def test_the_examples_of_the_readme_run(tmp_path: Path) -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    examples = "\n".join(part.split("```")[0] for part in readme.split("```python\n")[1:])
    done = subprocess.run([sys.executable, "-c", examples], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    modules = {path.name for path in FOLDER.glob("*.py")} - {"__init__.py", "__main__.py"}
    assert {name for name in modules if f"`{name}`" not in readme} == set()


def test_items_with_thousands_of_strata_between_them_are_refused_at_once(tmp_path: Path) -> None:
    """Each would be a column: a report would be busy for minutes."""
    items = (ITEM | {"id": f"i{n}", "strata": {f"{n} {m}": "a" for m in range(50)}} for n in range(50))
    path = tmp_path / "items.jsonl"
    path.write_text("".join(json.dumps(item) + "\n" for item in items))
    with pytest.raises(RecordError, match=r"items.jsonl: 'strata' has 2,500 names in all records together; keep to 2,000"):
        read_frame(path, Item)
