"""Judges and writers on the terms of `ask`: a budget that stops, batches, parameters and headers, by the same code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from evaluators.models import Message, Reply, Request
from evaluators.models.runs import Recording, Terms
from fpq_made import Command, Done, read_lines, write_lines
from model_server import Running
from queries.records import read
from queries.records.response import Response
from sql_database import database

CASTLES = Path(__file__).parents[1] / "fixtures/generators/castles.sql"
ITEM = {"schema": "kgprobe.item/1", "method": "family", "family": "made", "variant": "basic", "group": "g"}
ANSWERS = 60


@dataclass
class Verb:
    """A command that asks a model: how it is called, the option that names the model, and the file of what that said."""

    run: Callable[..., Done]
    option: str
    kept: Path
    code: int = 0
    """How it ends: what the server says here is no use as evidence, so that `autodebug` makes fewer items than were wanted."""


def judged(folder: Path) -> tuple[Path, Path]:
    """Questions for a place, with answers that the rules leave open."""
    item = ITEM | {"id": "born", "task": "open", "question": "Where was Einstein born?", "answer": ["Ulm"]}
    answers = [
        {
            "schema": "kgprobe.response/1",
            "item": "born",
            "model": "m",
            "sample": n,
            "text": f"In town number {n} on the Danube.",
        }
        for n in range(ANSWERS)
    ]
    return write_lines(folder / "items.jsonl", [item]), write_lines(folder / "responses.jsonl", answers)


@pytest.fixture(params=["verify", "entailment", "fpq", "erbench", "autodebug"])
def verb(request: pytest.FixtureRequest, command: Command, tmp_path: Path) -> Verb:
    """Every command that asks a model on the side."""
    name, out = str(request.param), tmp_path / "made.jsonl"
    if name in ("verify", "entailment"):
        items, responses = judged(tmp_path)
        option, kept = "--judge", tmp_path / "made.judge.jsonl"
        args: list[object] = ["--items", items, "--responses", responses]
    else:
        castles = database(tmp_path / "castles.sqlite", CASTLES.read_text())
        some: dict[str, list[object]] = {
            "fpq": ["--domain", "art", "--n", 30],
            "erbench": ["--db", castles],
            "autodebug": ["--n", 30, "--attack", "swap"],
        }
        option, kept, args = "--writer", tmp_path / "made.writer.jsonl", some[name]
    return Verb(lambda *more: command(name, *args, "--out", out, *more), option, kept, int(name == "autodebug"))


def priced(folder: Path, spec: str) -> Path:
    path = folder / "prices.toml"
    path.write_text(f'[[price]]\nmodel = "{spec}"\ninput = 0\noutput = 1000\n')  # a tenth of a cent for each token
    return path


def test_a_budget_stops_whoever_asks_and_more_money_goes_on(verb: Verb, server: Running, tmp_path: Path) -> None:
    server.script.tokens = lambda asked: (len(asked.text) // 4, 100)
    terms = ["--prices", priced(tmp_path, server.spec()), "--concurrency", 1]
    done = verb.run(verb.option, server.spec(), *terms, "--budget", 0.05)
    assert done.code == 1
    assert done.stderr.splitlines()[-1] == (
        f"error: {server.spec()}: the budget of $0.05 is spent; the same command with a greater --budget goes on from there"
    )
    # Nothing may cost as much as is reserved for it: what a first answer costs is not known before it.
    assert len(server.script.requests) == 0
    assert not (tmp_path / "made.jsonl").exists()
    done = verb.run(verb.option, server.spec(), *terms, "--budget", 1000)
    assert done.code == verb.code, done.stderr
    lines = read(verb.kept, Response)
    answered = [line for line in lines if line.text is not None]
    assert sum((line.usage.usd or 0.0) for line in answered if line.usage) == pytest.approx(0.1 * len(answered))


def test_a_judge_spends_its_budget_and_no_more(command: Command, server: Running, tmp_path: Path) -> None:
    server.script.tokens = lambda asked: (len(asked.text) // 4, 100)
    items, responses = judged(tmp_path)
    args = ("verify", "--items", items, "--responses", responses, "--judge", server.spec(), "--out", tmp_path / "v.jsonl")
    money = ("--prices", priced(tmp_path, server.spec()), "--concurrency", 8)
    done = command(*args, *money, "--budget", 4)
    assert (done.code, "after the first 8 answers: about $6.00 for all 60 of a budget of $4.00" in done.stderr) == (1, True)
    spent = [line["usage"]["usd"] for line in read_lines(tmp_path / "v.judge.jsonl")]
    assert 3.7 < sum(spent) <= 4.0
    done = command(*args, *money, "--budget", 6.5)
    assert done.code == 0, done.stderr
    assert f"{len(spent)} of its reports were on file already" in done.stderr
    assert len(server.script.requests) == ANSWERS


def test_parameters_and_headers_reach_the_server_and_the_record(verb: Verb, server: Running) -> None:
    terms = [
        "--param",
        "reasoning_effort=low",
        "--header",
        "x-team=birds",
        "--rpm",
        60_000,
        "--tpm",
        10_000_000,
        "--timeout",
        20,
    ]
    done = verb.run(verb.option, server.spec(), *terms)
    assert done.code == verb.code, done.stderr
    assert {(asked.body.get("reasoning_effort"), asked.headers.get("x-team")) for asked in server.script.requests} == {
        ("low", "birds")
    }
    lines = list(read(verb.kept, Response))
    assert {line.served for line in lines} == {"stub-2026-01-31"}
    assert {line.decoding["reasoning_effort"] for line in lines} == {'"low"'}
    assert any(line.messages for line in lines)  # the prompt itself, once
    asked = len(server.script.requests)
    assert verb.run(verb.option, server.spec(), *terms).code == verb.code
    assert len(server.script.requests) == asked  # all on file
    assert verb.run(verb.option, server.spec(), *terms[2:]).code == verb.code
    assert len(server.script.requests) > asked  # under other parameters it is another question


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_batch_serves_all_requests_of_a_turn_at_half_the_price(
    provider: str, verb: Verb, server: Running, tmp_path: Path
) -> None:
    spec = server.spec() if provider == "openai" else "anthropic:stub"
    done = verb.run(verb.option, spec, "--batch", "--poll", 0.02, "--prices", priced(tmp_path, spec))
    assert done.code == verb.code, done.stderr
    assert server.script.requests == []
    lines = list(read(verb.kept, Response))
    assert len(lines) > 1
    assert {line.usage.usd for line in lines if line.usage and line.text} == {0.0025}  # five tokens, halved
    batches = len(server.script.batches)
    assert batches == 1 or verb.option == "--writer"  # a writer has a turn for each time it is asked again
    assert not verb.kept.with_name(f"{verb.kept.name}.batches").exists()
    assert verb.run(verb.option, spec, "--batch", "--poll", 0.02).code == verb.code
    assert len(server.script.batches) == batches


@pytest.mark.parametrize(
    ("terms", "told"),
    [
        (
            ["--param", "reasoning_effort"],
            "--param: 'reasoning_effort' is no parameter; write --param name=value, or a.b=value",
        ),
        (["--header", "=x"], "--header: is no header; write NAME=VALUE, or NAME=env:VARIABLE"),
        (["--budget", "1"], "--budget: the price of '{spec}' is not known; write it into a file for --prices"),
    ],
)
def test_a_term_that_is_wrong_is_told_before_anything_is_asked(
    terms: list[object], told: str, verb: Verb, server: Running, tmp_path: Path
) -> None:
    done = verb.run(verb.option, server.spec(), *terms)
    assert (done.code, done.stderr) == (2, f"error: {told.format(spec=server.spec())}\n")
    assert (server.script.requests, (tmp_path / "made.jsonl").exists()) == ([], False)


@pytest.mark.parametrize("name", ["verify", "fpq", "erbench", "autodebug", "entailment"])
def test_terms_without_a_model_are_an_error(name: str, command: Command, tmp_path: Path) -> None:
    items, responses = judged(tmp_path)
    args = {"fpq": ["--domain", "art"], "erbench": [], "autodebug": []}.get(name, ["--items", items, "--responses", responses])
    words = ["--lexical"] if name == "entailment" else []
    done = command(name, *args, *words, "--out", tmp_path / "made.jsonl", "--tpm", 1000)
    option = "--judge" if name in ("verify", "entailment") else "--writer"
    assert (done.code, done.stderr) == (2, f"error: --tpm: is for a model, and none is asked; add {option} MODEL\n")


def test_twenty_judgements_refused_alike_end_the_command_and_are_asked_again(
    command: Command, server: Running, tmp_path: Path
) -> None:
    items, responses = judged(tmp_path)
    args = ("verify", "--items", items, "--responses", responses, "--judge", server.spec(), "--out", tmp_path / "v.jsonl")
    server.script.faults = {"town": ["400"] * 60}
    done = command(*args)
    assert done.code == 1
    assert "20 requests in a row were refused" in done.stderr
    assert not (tmp_path / "v.jsonl").exists()
    server.script.faults = {}
    assert command(*args).code == 0
    assert len(read_lines(tmp_path / "v.judge.jsonl")) == ANSWERS


class Moody:
    """It fails the first time, and answers from then on."""

    name = "moody"

    def __init__(self) -> None:
        self.heard: list[str] = []

    async def ask(self, request: Request) -> Reply:
        from queries.records.response import Failure

        self.heard.append(request.item)
        if self.heard.count(request.item) == 1 and request.item == "b":
            return Reply(error=Failure(kind="bad_request", status=400, message="no"))
        return Reply(text="Yes.")

    async def aclose(self) -> None: ...


def test_what_failed_is_asked_again_by_the_next_run_and_by_no_other_turn_of_this_one(tmp_path: Path) -> None:
    asked, model = [Request(name, 0, (Message("user", name),)) for name in "aba"], Moody()
    first = Recording(model, tmp_path / "said.jsonl")
    assert [reply.text for reply in first.replies(asked)] == ["Yes.", None, "Yes."]
    assert [reply.text for reply in first.replies(asked)] == ["Yes.", None, "Yes."]
    assert model.heard == ["a", "b"]
    again = Recording(model, tmp_path / "said.jsonl")
    assert [reply.text for reply in again.replies(asked)] == ["Yes.", "Yes.", "Yes."]
    assert (model.heard, again.known) == (["a", "b", "b"], 1)


def test_what_is_said_to_nowhere_is_known_for_as_long_as_it_takes() -> None:
    model = Moody()
    writer = Recording(model, None, Terms(concurrency=2))
    assert [reply.text for reply in writer.replies([Request("a", 0, ()), Request("c", 0, ())])] == ["Yes.", "Yes."]
    assert sorted(model.heard) == ["a", "c"]


def test_ask_takes_the_same_terms(command: Command) -> None:
    told = {name: command(name, "--help").stdout for name in ("ask", "verify", "entailment", "fpq", "erbench", "autodebug")}
    for option in ("param", "header", "concurrency", "rpm", "tpm", "timeout", "prices", "budget", "batch", "poll"):
        assert all(f"--{option}" in text for text in told.values()), option
