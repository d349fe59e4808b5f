"""What a user can get wrong, and what a disk can: one line each, and nothing is damaged."""

from __future__ import annotations

import contextlib
import errno
import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaluators.models.runs.journal import ResponseFile
from fpq_made import Command, Done, fpq_item, read_lines, write_lines
from model_server import Running


@pytest.fixture
def ten(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "ten.jsonl", [fpq_item(n, "tpq") | {"question": f"Is it number {n}?"} for n in range(10)])


def one_line(done: Done, told: str) -> None:
    """The command says what is wrong in one line (after the plan, if it got so far)."""
    lines = [line for line in done.stderr.splitlines() if " requests, about " not in line]
    assert (done.code, len(lines)) == (2, 1), done.stderr
    assert lines[0].startswith("error: ")
    assert told in lines[0]


def test_a_wrong_key(command: Command, server: Running, ten: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-wrong")
    out = tmp_path / "responses.jsonl"
    one_line(command("ask", ten, "--model", server.spec(), "--out", out), "the key is not accepted (401")
    assert not out.exists()


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "ANTHROPIC_API_KEY"])
def test_no_key(name: str, command: Command, server: Running, ten: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(name)
    spec = f"{name.split('_')[0].lower()}:stub"
    one_line(command("ask", ten, "--model", spec, "--out", "-"), f"{name} is not set; put the key into the environment")


def test_an_unknown_model_after_answers_that_are_kept(command: Command, server: Running, ten: Path, tmp_path: Path) -> None:
    out = tmp_path / "responses.jsonl"
    command("ask", ten, "--model", server.spec(), "--out", out, "--limit", 4)
    before = out.read_bytes()
    one_line(command("ask", ten, "--model", server.spec("stubb"), "--out", out), "The model `stubb` does not exist")
    assert out.read_bytes() == before


def test_a_key_that_breaks_in_the_middle_keeps_what_was_answered(
    command: Command, server: Running, ten: Path, tmp_path: Path
) -> None:
    out, args = tmp_path / "responses.jsonl", ["ask", ten, "--model", server.spec(), "--concurrency", 1]
    server.script.faults = {"number 6": ["401"]}
    one_line(command(*args, "--out", out), "the key is not accepted")
    assert len(read_lines(out)) == 6
    server.script.faults = {}
    assert command(*args, "--out", out).code == 0
    assert len(read_lines(out)) == 10
    assert sum(server.script.asked.values()) == 11


def test_a_bad_line_7(command: Command, server: Running, ten: Path, tmp_path: Path) -> None:
    lines = ten.read_text().splitlines()
    bad = write_lines(tmp_path / "bad.jsonl", [*lines[:6], lines[6][:-9], *lines[7:]])
    one_line(command("ask", bad, "--model", server.spec(), "--out", tmp_path / "r.jsonl"), "bad.jsonl:7: not JSON")
    one_line(command("ask", bad, "--model", server.spec(), "--out", tmp_path / "r.jsonl", "--limit", 2), "bad.jsonl:7: ")
    twice = write_lines(tmp_path / "twice.jsonl", [*lines[:6], lines[2], *lines[6:]])
    one_line(
        command("ask", twice, "--model", server.spec(), "--out", tmp_path / "r.jsonl"), "twice.jsonl:7: has the id of line 3"
    )
    assert not (tmp_path / "r.jsonl").exists()
    assert not server.script.asked


def test_two_runs_on_one_file(command: Command, server: Running, ten: Path, tmp_path: Path) -> None:
    out = tmp_path / "responses.jsonl"
    command("ask", ten, "--model", server.spec(), "--out", out, "--limit", 3)
    before = out.read_bytes()
    with ResponseFile(str(out), ["another"]):
        one_line(command("ask", ten, "--model", server.spec(), "--out", out), "another run is writing this file")
        assert out.read_bytes() == before
    assert command("ask", ten, "--model", server.spec(), "--out", out).code == 0
    assert not list(tmp_path.glob(".*lock"))


def test_a_full_disk(command: Command, server: Running, ten: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    one_line(command("ask", ten, "--model", server.spec(), "--out", "/dev/full"), "cannot be written (No space left on device)")


@contextlib.contextmanager
def small_disk(size: int) -> Iterator[None]:
    """In here this process may write no file beyond so many bytes."""
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


def test_a_disk_that_fills_up_in_the_middle_of_a_line(command: Command, server: Running, ten: Path, tmp_path: Path) -> None:
    """The line that does not fit leaves nothing behind, and the same command goes on when there is room."""
    out = tmp_path / "responses.jsonl"
    args = ["ask", ten, "--model", server.spec(), "--out", out, "--no-cache"]
    with small_disk(1500):
        one_line(command(*args), f"{out}: cannot be written (File too large)")
    kept = read_lines(out)
    assert 0 < len(kept) < 10
    assert out.read_bytes().endswith(b"}\n")
    assert command(*args).code == 0
    assert len(read_lines(out)) == 10
    assert read_lines(out)[: len(kept)] == kept


class FullDisk:
    """A file that takes a few bytes and then has no room."""

    def __init__(self, stream: Any, room: int) -> None:
        self.stream, self.room = stream, room

    def write(self, data: bytes) -> int:
        if not self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        fits = self.stream.write(bytes(data[: self.room]))
        self.room -= fits
        return int(fits)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def test_answers_that_found_no_room_are_in_the_cache(
    command: Command, server: Running, ten: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, start = tmp_path / "responses.jsonl", ResponseFile.start

    def full(self: ResponseFile) -> None:
        start(self)
        self._file._stream = FullDisk(self._file._stream, 900)  # type: ignore[assignment]  # it stands in for the file

    args = ["ask", ten, "--model", server.spec(), "--out", out, "--concurrency", 4]
    with monkeypatch.context() as patch:
        patch.setattr(ResponseFile, "start", full)
        one_line(command(*args), "No space left on device")
    kept, asked = len(read_lines(out)), sum(server.script.asked.values())
    assert 0 < kept < asked
    assert command(*args).code == 0
    assert len(read_lines(out)) == 10
    assert sum(server.script.asked.values()) == 10


def test_an_output_in_no_folder_and_one_that_is_one(command: Command, server: Running, ten: Path, tmp_path: Path) -> None:
    one_line(command("ask", ten, "--model", server.spec(), "--out", tmp_path / "no" / "r.jsonl"), "is in no folder that exists")
    assert not (tmp_path / "no").exists()
    one_line(command("ask", ten, "--model", server.spec(), "--out", tmp_path), "name a plain file")
    assert not server.script.asked


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("gpt", "use anthropic:NAME, openai:NAME, http(s)://host/v1#NAME or replay:FILE"),
        ("openai:", "cannot be asked"),
        ("http://127.0.0.1/v1", "lacks a host or a name"),
        ("http://#x", "lacks a host or a name"),
        ("http://[::1/v1#x", "lacks a host or a name"),
        ("https://user:secret@example.org/v1#x", "a server's address may hold no key"),
        ("https://example.org/v1?key=secret#x", "a server's address may hold no key"),
    ],
)
def test_a_name_that_is_no_models(spec: str, told: str, command: Command, ten: Path) -> None:
    done = command("ask", ten, "--model", spec, "--out", "-")
    one_line(done, told)
    assert "secret" not in done.stderr


def test_flags_that_lack_something(command: Command, server: Running, ten: Path, tmp_path: Path) -> None:
    spec = server.spec()
    one_line(command("ask", ten, "--model", spec), "--out is missing")
    one_line(command("ask", ten, "--out", "-"), "--model is missing")
    one_line(command("ask", ten, "--model", spec, "--out", "-", "--only", "domain"), "write --only stratum=value")
    one_line(command("ask", ten, "--model", spec, "--out", "-", "--only", "domian=art"), "did you mean 'domain'?")
    one_line(command("ask", ten, "--model", spec, "--out", "-", "--only", "domain=arts"), "did you mean 'art'?")
    one_line(command("ask", ten, "--model", spec, "--out", "-", "--budget", 1), "the price of")
    one_line(command("ask", ten, "--model", spec, "--out", "-", "--preset", "fqp"), "did you mean 'fpq'?")
    (tmp_path / "cache.txt").write_text("this is no database, however long one makes it" * 100)
    one_line(command("ask", ten, "--model", spec, "--out", "-", "--cache", tmp_path / "cache.txt"), "cannot be used as a cache")
    (tmp_path / "schema.json").write_text("{")
    one_line(
        command("ask", ten, "--model", spec, "--out", "-", "--schema", tmp_path / "schema.json"), "schema.json: is not JSON"
    )
    (tmp_path / "prices.toml").write_text('[[price]]\nmodel = "m"\ninput = "free"\noutput = 1\n')
    one_line(command("ask", ten, "--model", spec, "--out", "-", "--prices", tmp_path / "prices.toml"), "'price.0.input': ")
    assert not server.script.asked
