"""What goes with a request, and what of it stands in the record: parameters, headers, a query, a system prompt."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fpq_made import Command, fpq_item, read_lines, write_lines
from model_server import KEY, Running
from queries.records import Response, read
from queries.records.prompts import named, whole
from queries.records.response import Turn


@pytest.fixture
def one(tmp_path: Path) -> Path:
    """A single question."""
    return write_lines(tmp_path / "items.jsonl", [fpq_item(1, "tpq") | {"question": "Is it so?"}])


@pytest.fixture(params=["openai", "anthropic"])
def spec(request: pytest.FixtureRequest, server: Running) -> str:
    """The same server in both protocols."""
    return server.spec() if request.param == "openai" else "anthropic:stub"


def asked(command: Command, items: Path, spec: str, *flags: object) -> dict[str, Any]:
    """Ask the question; return its record."""
    out = items.parent / "out.jsonl"
    done = command("ask", items, "--model", spec, "--out", out, *flags)
    assert done.code == 0, done.stderr
    assert len(read(out, Response)) == 1
    return read_lines(out)[0]


def test_the_record_says_who_answered_to_what_and_how(command: Command, one: Path, spec: str, server: Running) -> None:
    line = asked(command, one, spec, "--temperature", 0.5, "--max-tokens", 50, "--stop", "END", "--seed", 3, "--logprobs")
    assert line["served"] == "stub-2026-01-31"
    assert line["usage"]["cached"] == line["usage"]["input"] // 2
    assert line["usage"]["reasoning"] == 2
    stop, anthropic = json.dumps(["END"]), spec == "anthropic:stub"
    drawn = {"temperature": "0.5", "max_tokens": "50"}
    theirs = (
        {"stop_sequences": stop, "seed": None, "logprobs": None}
        if anthropic
        else {"stop": stop, "seed": "3", "logprobs": "true"}
    )
    assert line["decoding"] == drawn | theirs
    assert [turn["role"] for turn in line["messages"]][-1] == "user"
    assert "Is it so?" in line["messages"][-1]["text"]
    assert ("logprobs" in line) is not anthropic
    assert anthropic or line["logprobs"] == [{"token": "x", "logprob": -0.5}]


def test_what_the_model_refuses_is_null_in_the_record(command: Command, one: Path, spec: str, server: Running) -> None:
    server.script.refuses = {"temperature": "Unsupported value: 'temperature' does not support 0.0 with this model."}
    line = asked(command, one, spec, "--preset", "erbench")
    assert line["decoding"]["temperature"] is None


@pytest.mark.parametrize("flag", ["--temperature", "--top-p"])
def test_none_takes_back_what_the_preset_sets(flag: str, command: Command, one: Path, server: Running) -> None:
    asked(command, one, server.spec(), "--preset", "fpq", "--samples", 1, flag, "none")
    body = server.script.requests[0].body
    assert {"temperature", "top_p"} - set(body) == {flag[2:].replace("-", "_")}


def test_parameters_of_the_server_s_own(command: Command, one: Path, server: Running) -> None:
    line = asked(command, one, server.spec(), "--param", "reasoning_effort=low")
    assert server.script.requests[0].body["reasoning_effort"] == "low"
    assert line["decoding"] == {"reasoning_effort": '"low"'}
    (one.parent / "out.jsonl").unlink()
    thinking = ["--param", "thinking.type=enabled", "--param", "thinking.budget_tokens=2000", "--max-tokens", 3000]
    line = asked(command, one, "anthropic:stub", *thinking)
    assert server.script.requests[1].body["thinking"] == {"type": "enabled", "budget_tokens": 2000}
    assert json.loads(line["decoding"]["thinking"])["budget_tokens"] == 2000


def test_headers_a_query_and_a_system_prompt(
    command: Command, one: Path, server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AZURE_KEY", KEY)
    server.script.key = None
    spec = f"{server.url}/openai/deployments/stub?api-version=2024-10-21#stub"
    (one.parent / "system.txt").write_text("Be brief.\n")
    headers = ["--header", "api-key=env:AZURE_KEY", "--header", "x-team: graphs"]
    line = asked(command, one, spec, *headers, "--system", f"@{one.parent / 'system.txt'}")
    request = server.script.requests[0]
    assert (request.path, request.headers["query"]) == ("/openai/deployments/stub/chat/completions", "api-version=2024-10-21")
    assert (request.headers["api-key"], request.headers["x-team"]) == (KEY, "graphs")
    assert "authorization" not in request.headers
    assert line["model"] == spec
    assert line["messages"][0]["role"] == "system"
    assert line["messages"][0]["text"].startswith("Be brief.\n\nReply to the question")
    assert KEY not in json.dumps(line)


def test_a_prompt_s_text_stands_once_in_a_file(command: Command, one: Path, server: Running) -> None:
    out = one.parent / "out.jsonl"
    args = ["--out", out, "--samples", 3, "--temperature", 1, "--concurrency", 1]
    server.script.faults = {"Is it": ["500", "ok"]}
    assert command("ask", one, "--model", server.spec(), *args, "--tries", 1).code == 1
    assert command("ask", one, "--model", server.spec(), *args).code == 0
    assert command("ask", one, "--model", server.spec("other"), *args).code == 0
    lines = read_lines(out)
    assert len(lines) == 6
    assert len({line["prompt"] for line in lines}) == 1
    assert sum("messages" in line for line in lines) == 1


def test_prompts_with_the_same_demonstrations_have_them_once(command: Command, server: Running, tmp_path: Path) -> None:
    """Each prompt comes back as the server got it, whatever was asked again."""
    items = write_lines(tmp_path / "items.jsonl", [fpq_item(n, "tpq") for n in range(6)])
    out, shots = tmp_path / "out.jsonl", Path(__file__).parents[1] / "fixtures/evaluators/settings/exemplars.jsonl"
    server.script.faults = {"subject 0": ["500", "ok"], "subject 3": ["500", "ok"]}
    args = ["--model", server.spec(), "--setting", "few-shot", "--exemplars", shots, "--out", out, "--concurrency", 1]
    assert command("ask", items, *args, "--tries", 1).code == 1
    assert command("ask", items, *args).code == 0
    prompts: list[list[Turn]] = []
    paragraphs: dict[str, str] = {}
    for line in read(out, Response):
        assert line.messages
        prompts.append(whole(line.messages, paragraphs))
        paragraphs |= dict(named(line.messages))
    sent = {str([(turn["role"], turn["content"]) for turn in asked.body["messages"]]) for asked in server.script.requests}
    assert {str([(turn.role, turn.text) for turn in turns]) for turns in prompts} == sent
    system = prompts[0][0].text or ""
    assert (len(prompts), out.read_text().count(system)) == (6, 1)


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--param", "low"], "--param: 'low' is no parameter; write --param name=value"),
        (["--param", "model=other"], "--param: 'model' is not set so; use --model"),
        (["--header", "api key"], "--header: is no header; write NAME=VALUE"),
        (["--header", "api-key=env:NOWHERE"], "--header: 'api-key' has no value; set the variable that it names"),
        (["--header", "api-key=sécret"], "--header: 'api-key' is no header"),
        (["--temperature", "hot"], "'hot' is neither a number nor `none`"),
        (["--temperature", "-1"], "'-1' is no number from 0 on"),
        (["--system", "@nowhere.txt"], "nowhere.txt: cannot be read (No such file or directory)"),
    ],
)
def test_what_cannot_be_sent_is_told(flags: list[str], told: str, command: Command, one: Path, server: Running) -> None:
    done = command("ask", one, "--model", server.spec(), "--out", one.parent / "out.jsonl", *flags)
    assert done.code == 2
    assert told in done.stderr
    assert "sécret" not in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not server.script.requests


def test_a_query_that_may_hold_a_key_is_refused_without_showing_it(command: Command, one: Path, server: Running) -> None:
    done = command("ask", one, "--model", f"{server.url}/v1?api_key=sk-secret#stub", "--out", one.parent / "out.jsonl")
    assert (done.code, "may hold no key" in done.stderr, "sk-secret" in done.stderr) == (2, True, False)


def test_recorded_answers_take_no_headers(command: Command, one: Path) -> None:
    answers = write_lines(one.parent / "a.jsonl", [{"item": read_lines(one)[0]["id"], "text": "Yes."}])
    done = command("ask", one, "--model", f"replay:{answers}", "--out", one.parent / "out.jsonl", "--header", "a=b")
    assert (done.code, "takes no headers" in done.stderr) == (2, True)
