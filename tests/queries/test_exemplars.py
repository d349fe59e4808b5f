"""Exemplars and passages: lines of their own files, checked like every other record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from kg import cli
from queries.records import Record, RecordError, read, read_frame, version_of, write, write_frame
from queries.records.__main__ import app
from queries.records.exemplar import Exemplar
from queries.records.passage import Passage

FIXTURES = Path(__file__).parents[1] / "fixtures/evaluators/settings"
FILES: dict[str, type[Record]] = {"exemplars.jsonl": Exemplar, "passages.jsonl": Passage}
EXEMPLAR = {"schema": "kgprobe.exemplar/1", "task": "open", "question": "Who founded the Red Cross?", "text": "Henry Dunant"}
PASSAGE = {"schema": "kgprobe.passage/1", "group": "film.metropolis", "text": "A silent film."}


def fault(tmp_path: Path, model: type[Record], *lines: dict[str, Any]) -> str:
    path = tmp_path / "records.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(RecordError) as refused:
        read(path, model)
    return str(refused.value).removeprefix(str(path))


@pytest.mark.parametrize("name", FILES)
def test_the_fixtures_survive_as_records_and_as_columns(name: str, tmp_path: Path) -> None:
    model = FILES[name]
    whole = read(FIXTURES / name, model)
    write(tmp_path / name, whole)
    assert read(tmp_path / name, model) == whole
    write_frame(tmp_path / name, read_frame(FIXTURES / name, model), model)
    again = read(tmp_path / name, model)
    assert [replace(record, source={}) for record in again] == [replace(record, source={}) for record in whole]


def test_an_exemplar_written_by_hand_needs_no_more_than_task_question_and_answer(tmp_path: Path) -> None:
    write(tmp_path / "e.jsonl", [msgspec.convert(EXEMPLAR, Exemplar)])
    (exemplar,) = read(tmp_path / "e.jsonl", Exemplar)
    assert (exemplar.variant, exemplar.options, exemplar.group, exemplar.source) == (None, None, None, {})


def test_what_is_wrong_is_told_by_line_and_field(tmp_path: Path) -> None:
    assert fault(tmp_path, Exemplar, EXEMPLAR, {**EXEMPLAR, "txt": "x"}) == ":2: field 'txt' is unknown; did you mean 'text'?"
    assert fault(tmp_path, Exemplar, {**EXEMPLAR, "text": ""}).startswith(":1: field 'text' is empty")
    assert fault(tmp_path, Exemplar, {**EXEMPLAR, "task": "choice"}).startswith(":1: a choice needs 'options'")
    assert fault(tmp_path, Exemplar, EXEMPLAR, EXEMPLAR).startswith(':2: task "open", question "Who')
    assert fault(tmp_path, Exemplar, {**EXEMPLAR, "group": 7}).startswith(":1: field 'group' is 7, not a string")
    assert fault(tmp_path, Passage, {"schema": "kgprobe.passage/1", "text": "x"}) == ":1: field 'group' is missing; add it"
    assert fault(tmp_path, Passage, {**PASSAGE, "schema": "kgprobe.exemplar/1"}).startswith(":1: field 'schema' is")


def test_a_group_may_have_several_passages_but_not_the_same_twice(tmp_path: Path) -> None:
    assert len({passage.group for passage in read(FIXTURES / "passages.jsonl", Passage)}) == 2
    assert "stands already in line 1" in fault(tmp_path, Passage, PASSAGE, PASSAGE)


@pytest.mark.parametrize("name", FILES)
def test_the_command_line_knows_them(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    record = name.removesuffix("s.jsonl")
    for arguments in (["schema", record], ["check", str(FIXTURES / name)]):
        with pytest.raises(SystemExit) as stop:
            cli.run(app, "python -m queries.records", arguments)
        assert stop.value.code == 0
    out, err = capsys.readouterr()
    schema = json.loads(out)
    assert schema["properties"]["schema"]["const"] == version_of(FILES[name]) == f"kgprobe.{record}/1"
    assert "0 faults" in err
