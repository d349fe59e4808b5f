"""Where commands write: links and devices stay what they are, nothing is lost, and what hinders is told in one line."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import polars as pl
import pytest

from kg.errors import InputError
from kg.files import check_apart, replacing
from kg.graph import check_nesting
from kg_command import Kg, Said

FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")


def told(said: Said, *parts: str) -> None:
    """Check that a command failed in one line that has all of `parts`."""
    assert (said.code, said.err.count("\n")) == (2, 1), said.err
    assert said.err.startswith("error: ")
    for part in parts:
        assert part in said.err


def test_what_a_link_leads_to_is_replaced_and_the_link_stays(kg: Kg, tmp_path: Path) -> None:
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old\n")
    link.symlink_to(real)
    assert kg("query", "ASK {}", "--out", link).code == 0
    assert link.is_symlink()
    assert real.read_text() == "true\n"


def test_a_pipe_is_written_to(kg: Kg, tmp_path: Path) -> None:
    pipe, read = tmp_path / "pipe", list[str]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    assert kg("query", "ASK {}", "--out", pipe).code == 0
    reader.join(10)
    assert read == ["true\n"]
    assert pipe.is_fifo()


@FULL
def test_a_device_without_room_is_told_and_stays_a_device(kg: Kg) -> None:
    told(kg("dump", "--out", "/dev/full"), "/dev/full: cannot be written (No space left on device)")
    assert Path("/dev/full").is_char_device()


@FULL
@pytest.mark.parametrize("args", [["dump"], ["stats"], ["describe", "France"]])
def test_a_full_stdout_is_told(args: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run([sys.executable, "-m", "kg", *args], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1
    assert "No space left on device" in ended.stderr


@pytest.mark.parametrize("fault", ["File too large (os error 27)", "No space left on device (os error 28)"])
def test_a_fault_that_polars_tells_in_words_is_one_line_and_leaves_the_file(fault: str, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("old\n")

    def write() -> None:
        with replacing(out) as stream:
            stream.write(b"half")
            raise OSError(fault)

    with pytest.raises(InputError, match=r"out.jsonl: cannot be written \("):
        write()
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old\n"]


def test_a_reader_that_went_away_is_told_as_such_by_whoever_writes() -> None:
    read, end = os.pipe()
    os.close(read)

    def write() -> None:
        with replacing(f"/dev/fd/{end}") as stream:
            pl.DataFrame({"a": ["b" * 100_000]}).write_ndjson(stream)
            stream.flush()

    with pytest.raises(BrokenPipeError):
        write()
    os.close(end)


def test_other_faults_within_pass() -> None:
    with pytest.raises(ConnectionRefusedError), replacing("/dev/null"):
        raise ConnectionRefusedError(111, "refused")


def test_outputs_are_kept_apart(tmp_path: Path) -> None:
    file, link = tmp_path / "a", tmp_path / "b"
    file.touch()
    link.symlink_to(file)
    check_apart({"--out": str(file), "--named": None, "--rows": str(tmp_path / "c")}, [tmp_path / "d", None, "-"])
    check_apart({"--out": "/dev/null", "--rows": "/dev/null"}, ["/dev/null"])
    for outputs, inputs, message in (
        ({"--out": str(file), "--rows": str(link)}, [], f"--rows: '{link}' is what --out writes too"),
        ({"--out": "-", "--rows": "-"}, [], "--rows: '-' is what --out writes too"),
        ({"--out": str(link)}, [file], f"--out: '{link}' is what is read"),
    ):
        with pytest.raises(InputError) as refused:
            check_apart(outputs, inputs)
        assert str(refused.value).startswith(message)


def test_rows_and_table_do_not_go_into_one_file(kg: Kg, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("old")
    told(kg("fds", "city", "--rows", kept, "--out", kept), "is what --out writes too")
    told(kg("fds", "city", "--rows", tmp_path / "absent" / "x", "--out", kept), "absent/x: cannot be written")
    assert kept.read_text() == "old"


def test_a_name_of_many_letters(kg: Kg, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    long = "a" * 300
    told(kg("dump", "--out", long), "File name too long")
    told(kg("stats", "--store", long), "File name too long")
    told(kg("load", "sql", f"sqlite:///{long}", "--store", "s"), "no such file")


@pytest.mark.parametrize(
    ("args", "part"),
    [
        (["stats", "--endpoint", "http://["], "http://[: is no http address"),
        (["stats", "--endpoint", "http://ü.example/"], "is no http address"),
        (["describe", "<http://[>"], "is no IRI"),
        (["describe", "\udcff"], "is not UTF-8"),
        (["load", "sql", "postgresql://h:abc/db", "--store", "s"], "is no database URL"),
        (["query", "ASK {}", "--format", "csv"], "'csv' is no format for true or false"),
        (["query", "ASK " + "{" * 3000 + "}" * 3000], "is nested more than 300 deep"),
        (["query", "ASK { FILTER(" + "!" * 3000 + "true) }"], "has more than 1500 operators or clauses"),
    ],
)
def test_odd_arguments(args: list[str], part: str, kg: Kg, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told(kg(*args), part)
    assert list(tmp_path.iterdir()) == []


def test_many_brackets_beside_each_other_are_not_deep() -> None:
    check_nesting("SELECT * {" + " { ?s ?p ?o } UNION" * 1000 + " {} }")


@pytest.mark.parametrize("name", ["a b", "<", "", "schema", "provenance", "a\x1b[31m"])
def test_a_load_has_a_name_that_a_graph_can_have(name: str, kg: Kg, sources: Path, tmp_path: Path) -> None:
    said = kg("load", "kopl", sources / "kopl" / "kb.json", "--store", tmp_path / "s", "--name", name)
    if name:
        told(said, "--name:", "is no name for a load")
        assert not (tmp_path / "s").exists()


@pytest.mark.parametrize(("form", "shown"), [("csv", "\n"), ("tsv", "\n"), ("json", "[]\n")])
def test_a_select_of_no_variables(form: str, shown: str, kg: Kg) -> None:
    said = kg("query", "SELECT * {}", "--format", form)
    assert (said.code, said.err) == (0, "")
    assert said.out.strip() == shown.strip()


def test_notes_cannot_steer_the_terminal(kg: Kg, sources: Path, tmp_path: Path) -> None:
    said = kg("load", "kopl", sources / "kopl" / "kb.json", "--store", tmp_path / "s\x1b[31m")
    assert said.code == 0
    assert "\x1b" not in said.err
    assert "s␛[31m" in said.err


def test_a_cell_may_be_a_book(kg: Kg, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(f"id,b\n1,{'x' * 200_000}\n2,y\n")
    (tmp_path / "SCHEMA.toml").write_text('base = "http://e/"\n[tables.t]\nfile = "t.csv"\nkey = ["id"]\n')
    assert kg("load", "tables", tmp_path / "SCHEMA.toml", "--store", tmp_path / "s").code == 0


@pytest.mark.parametrize(
    ("schema", "part"),
    [
        ("x = " + "[" * 100_000, "is nested too deeply"),
        (f"x = {'9' * 6000}", "is not TOML"),
        ('base = "http://[/"\n[tables.t]\nfile = "t.csv"', "no absolute IRI"),
    ],
)
def test_a_schema_out_of_bounds(schema: str, part: str, kg: Kg, tmp_path: Path) -> None:
    (tmp_path / "SCHEMA.toml").write_text(schema + "\n")
    told(kg("load", "tables", tmp_path / "SCHEMA.toml", "--store", tmp_path / "s"), "SCHEMA.toml", part)


def test_a_table_with_half_a_character(kg: Kg, tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"id": 1, "b": NaN}\n{"id": 2, "b": "\\ud800"}\n')
    (tmp_path / "SCHEMA.toml").write_text('base = "http://e/"\n[tables.t]\nfile = "t.jsonl"\nkey = ["id"]\n')
    told(kg("load", "tables", tmp_path / "SCHEMA.toml", "--store", tmp_path / "s"), "t.jsonl:2: has half a character")
