"""What a server refuses: a parameter, one input, everything; an empty account, a key that is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evaluators.errors import ModelError
from evaluators.models import Decoding, Message, Reply, Request, open_model, replies
from evaluators.models.faults import Patience
from fpq_made import Command, fpq_item, read_lines, write_lines
from model_server import KEY, Running

HASTY = Patience(tries=2, first=0.01, longest=1.0, timeout=2.0)


@pytest.fixture(params=["openai", "anthropic"])
def spec(request: pytest.FixtureRequest, server: Running) -> str:
    """The same server in both protocols."""
    return server.spec() if request.param == "openai" else "anthropic:stub"


def ask(spec: str, prompts: list[str], decoding: Decoding = Decoding()) -> list[Reply]:
    asked = [Request(f"i{n}", 0, (Message("user", prompt),), decoding) for n, prompt in enumerate(prompts)]
    return replies(open_model(spec, HASTY), asked)


def test_a_parameter_that_a_model_does_not_take_is_left_out_with_one_warning(
    spec: str, server: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    server.script.refuses = {"temperature": "Unsupported value: 'temperature' does not support 0.0 with this model."}
    found = ask(spec, [f"Is it {n}?" for n in range(12)], Decoding(temperature=0.0, top_p=0.9))
    assert all(reply.error is None for reply in found)
    assert capsys.readouterr().err.count("does not take 'temperature'") == 1
    answered = [asked.body for asked in server.script.requests if "temperature" not in asked.body]
    assert all(body["top_p"] == 0.9 for body in answered)


def test_of_two_that_cannot_be_had_together_one_goes(spec: str, server: Running) -> None:
    server.script.refuses = {"top_p": "`temperature` and `top_p` cannot both be specified for this model."}
    assert ask(spec, ["Is it?"], Decoding(temperature=0.0, top_p=0.9))[0].error is None
    assert server.script.requests[-1].body["temperature"] == 0.0


def test_a_limit_is_sent_under_the_name_that_the_model_takes(server: Running) -> None:
    server.script.refuses = {
        "max_tokens": "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."
    }
    assert ask(server.spec(), ["Is it?"], Decoding(max_tokens=50))[0].error is None
    assert server.script.requests[-1].body["max_completion_tokens"] == 50


def test_an_input_that_is_flagged_is_withheld_and_the_run_goes_on(spec: str, server: Running) -> None:
    server.script.faults = {"<war>": ["flagged"]}
    first, second = ask(spec, ["What of <war>?", "What of peace?"])
    assert (first.error, first.finish, second.error) == (None, "content_filter", None)


def test_an_empty_account_ends_the_run_whatever_the_status(spec: str, server: Running) -> None:
    server.script.faults = {"Is": ["credit"]}
    with pytest.raises(ModelError, match="the account has to be paid first"):
        ask(spec, ["Is it?"])


@pytest.mark.parametrize("key", [f"{KEY}\r\n", f"  {KEY}\n"])
def test_line_ends_around_a_key_are_no_part_of_it(key: str, spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_KEY", "KGPROBE_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(variable, key)
    assert ask(spec, ["Is it?"])[0].error is None


@pytest.mark.parametrize("key", ["sk-secret\nHost: elsewhere", "sk-sécret", "sk secret"])
def test_what_is_no_key_is_told_without_showing_it(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    with pytest.raises(ModelError) as told:
        open_model("anthropic:stub", HASTY)
    assert "ANTHROPIC_API_KEY: holds characters that no key has" in str(told.value)
    assert key not in str(told.value)


def asked_about(number: int) -> dict[str, Any]:
    """An item that asks for a number."""
    return fpq_item(number, "tpq") | {"question": f"Is it {number}?"}


def run(command: Command, server: Running, folder: Path, *more: str) -> tuple[object, str]:
    done = command("ask", folder / "items.jsonl", "--model", server.spec(), "--out", folder / "out.jsonl", "--no-cache", *more)
    return done.code, done.stderr


def test_when_all_is_refused_alike_the_run_stops_and_the_next_one_asks_again(
    command: Command, server: Running, tmp_path: Path
) -> None:
    write_lines(tmp_path / "items.jsonl", [asked_about(n) for n in range(60)])
    server.script.faults = {"Is it": ["400"]}
    code, told = run(command, server, tmp_path, "--concurrency", "1")
    assert code == 1
    assert "20 requests in a row were refused" in told
    assert sum(server.script.asked.values()) == 20
    assert not (tmp_path / "out.jsonl").exists()
    server.script.faults = {}
    assert run(command, server, tmp_path)[0] == 0
    assert len(read_lines(tmp_path / "out.jsonl")) == 60


def test_a_few_that_are_refused_are_theirs_and_are_asked_again_on_demand(
    command: Command, server: Running, tmp_path: Path
) -> None:
    write_lines(tmp_path / "items.jsonl", [asked_about(n) for n in range(30)])
    server.script.faults = {f"Is it {n}?": ["400"] for n in (3, 4, 20)}
    assert run(command, server, tmp_path)[0] == 0
    assert sum(line["error"] is not None for line in read_lines(tmp_path / "out.jsonl")) == 3
    server.script.faults = {}
    assert run(command, server, tmp_path)[0] == 0
    assert sum(line["error"] is not None for line in read_lines(tmp_path / "out.jsonl")) == 3
    assert run(command, server, tmp_path, "--retry-errors")[0] == 0
    assert sum(line["error"] is not None for line in read_lines(tmp_path / "out.jsonl")) == 0


def test_a_run_without_a_single_answer_exits_with_1(command: Command, server: Running, tmp_path: Path) -> None:
    write_lines(tmp_path / "items.jsonl", [asked_about(0)])
    server.script.faults = {"Is it": ["400"]}
    assert run(command, server, tmp_path)[0] == 1
