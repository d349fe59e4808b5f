"""The run: what is asked, what comes from the cache, what it costs, and how it is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaluators.errors import ModelError
from evaluators.models import Message, Reply, Request
from evaluators.models.prices import find_price, read_prices
from evaluators.models.runs.run import ask_all
from fpq_made import Command, fpq_item, read_lines, write_lines
from model_server import Running
from queries.records import read
from queries.records.response import Failure, Response


@pytest.fixture
def ten(tmp_path: Path) -> Path:
    """Ten yes-no questions: five of art, five of places; an even number is a true premise."""
    items = [fpq_item(n, "NSC" if n % 2 else "tpq") | {"question": f"Is it number {n}?"} for n in range(10)]
    return write_lines(tmp_path / "ten.jsonl", items)


@pytest.fixture
def prices(tmp_path: Path, server: Running) -> Path:
    """Ten dollars for a million tokens in, a thousand for a million out; what was read again is free."""
    path = tmp_path / "prices.toml"
    table = f'[[price]]\nmodel = "{server.spec()}"\ninput = 10\noutput = 1000\ncached = 0\n'
    path.write_text(table)
    return path


def numbers(server: Running) -> list[int]:
    """Which of the ten were asked, in order."""
    return sorted(int(asked.text.split("number ")[1].split("?")[0]) for asked in server.script.requests)


@pytest.mark.parametrize(
    ("flags", "asked"),
    [
        (["--only", "domain=art"], [0, 1, 2, 3, 4]),
        (["--only", "domain=art", "--only", "domain=place"], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
        (["--only", "domain=place", "--only", "variant=tpq"], [6, 8]),
        (["--only", "edit=NSC", "--limit", 2], [1, 3]),
        (["--only", "task=yes_no", "--limit", 1, "--samples", 3, "--temperature", 1], [0, 0, 0]),
    ],
)
def test_a_part_of_the_items(
    flags: list[object], asked: list[int], command: Command, server: Running, ten: Path, tmp_path: Path
) -> None:
    out = tmp_path / "r.jsonl"
    assert command("ask", ten, "--model", server.spec(), "--out", out, *flags).code == 0
    assert numbers(server) == asked
    assert len(read_lines(out)) == len(asked)


def test_no_condition_is_met_by_all(command: Command, server: Running, ten: Path) -> None:
    done = command("ask", ten, "--model", server.spec(), "--out", "-", "--only", "domain=art", "--only", "variant=NDC")
    assert done.code == 2
    assert "no item has variant=NDC" in done.stderr


def test_items_from_stdin_are_read_as_often_as_needed(
    command: Command, server: Running, ten: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ten.open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        done = command("ask", "-", "--model", server.spec(), "--out", "-")
    assert done.code == 0
    assert len(done.stdout.splitlines()) == 10


def test_what_was_asked_once_comes_from_the_cache(command: Command, server: Running, ten: Path, tmp_path: Path) -> None:
    first, second, third, fourth = (tmp_path / f"{n}.jsonl" for n in range(4))
    command("ask", ten, "--model", server.spec(), "--out", first)
    done = command("ask", ten, "--model", server.spec(), "--out", second)
    assert "10 answers (10 from the cache)" in done.stderr
    assert sum(server.script.asked.values()) == 10
    assert [line["text"] for line in read_lines(second)] == [line["text"] for line in sorted_as(second, first)]
    command("ask", ten, "--model", server.spec(), "--out", third, "--refresh")
    assert sum(server.script.asked.values()) == 20
    command("ask", ten, "--model", server.spec(), "--out", fourth, "--no-cache")
    assert sum(server.script.asked.values()) == 30


def sorted_as(one: Path, other: Path) -> list[dict[str, Any]]:
    """The lines of the other file in the order of the first one's items."""
    found = {line["item"]: line for line in read_lines(other)}
    return [found[line["item"]] for line in read_lines(one)]


def test_everything_that_shapes_an_answer_is_in_the_key(command: Command, server: Running, ten: Path, tmp_path: Path) -> None:
    def asks(*flags: object, model: str | None = None) -> int:
        before = sum(server.script.asked.values())
        out = tmp_path / f"{len(list(tmp_path.iterdir()))}.jsonl"
        assert command("ask", ten, "--model", model or server.spec(), "--out", out, "--limit", 1, *flags).code == 0
        return sum(server.script.asked.values()) - before

    assert asks() == 1
    assert asks() == 0
    for flags in (["--temperature", 0], ["--top-p", 0.5], ["--max-tokens", 9], ["--seed", 1], ["--setting", "fpq"]):
        assert asks(*flags) == 1, flags
        assert asks(*flags) == 0, flags
    assert asks("--samples", 3) == 2
    assert asks(model=server.spec("other")) == 1
    assert asks(model="anthropic:stub") == 1
    assert asks("--cache", tmp_path / "elsewhere") == 1


def test_failures_are_not_cached(command: Command, server: Running, ten: Path, tmp_path: Path) -> None:
    server.script.faults = {"number 3": ["500"], "number 4": ["400"]}
    assert command("ask", ten, "--model", server.spec(), "--out", tmp_path / "1.jsonl", "--tries", 1).code == 1
    server.script.faults = {}
    assert command("ask", ten, "--model", server.spec(), "--out", tmp_path / "2.jsonl").code == 0
    assert sum(server.script.asked.values()) == 12


def test_a_failure_is_asked_again_in_any_words_and_other_lines_stay(
    command: Command, server: Running, ten: Path, tmp_path: Path
) -> None:
    out = tmp_path / "r.jsonl"
    command("ask", ten, "--model", server.spec("other"), "--out", out)
    others = out.read_bytes()
    server.script.faults = {"number 3": ["500"]}
    assert command("ask", ten, "--model", server.spec(), "--out", out, "--tries", 1).code == 1
    assert [line["error"]["kind"] for line in read_lines(out) if line["error"]] == ["server"]
    server.script.faults = {}
    done = command("ask", ten, "--model", server.spec(), "--out", out)
    assert (done.code, "1 answers, 9 were there already" in done.stderr) == (0, True)
    assert out.read_bytes().startswith(others)
    assert len(read(out, Response)) == 20
    assert not [line for line in read_lines(out) if line["error"]]


def test_an_answer_to_another_decoding_is_not_mixed_in(command: Command, server: Running, ten: Path, tmp_path: Path) -> None:
    out = tmp_path / "r.jsonl"
    command("ask", ten, "--model", server.spec(), "--out", out)
    before = out.read_bytes()
    done = command("ask", ten, "--model", server.spec(), "--out", out, "--temperature", 1)
    assert done.code == 2
    assert "was asked in other words before (another setting, question or decoding)" in done.stderr
    assert out.read_bytes() == before


def test_a_price_for_each_answer(command: Command, server: Running, ten: Path, prices: Path, tmp_path: Path) -> None:
    out = tmp_path / "r.jsonl"
    done = command("ask", ten, "--model", server.spec(), "--out", out, "--prices", prices)
    for line in read_lines(out):
        usage = line["usage"]
        assert usage["usd"] == pytest.approx((usage["input"] - usage["cached"]) * 10e-6 + 5 * 1000e-6)
    assert f"${sum(line['usage']['usd'] for line in read_lines(out)):,.4f}" in done.stderr
    again = tmp_path / "again.jsonl"
    command("ask", ten, "--model", server.spec(), "--out", again, "--prices", prices)
    assert {line["usage"]["usd"] for line in read_lines(again)} == {0.0}


def test_the_budget_is_a_hard_stop(command: Command, server: Running, ten: Path, prices: Path, tmp_path: Path) -> None:
    """An answer costs about half a cent; what the file holds counts."""
    out, args = tmp_path / "r.jsonl", ["--max-tokens", 5, "--prices", prices, "--concurrency", 3]
    done = command("ask", ten, "--model", server.spec(), "--out", out, *args, "--budget", 0.0203)
    assert done.code == 1
    assert "stopped by the budget" in done.stderr
    bought = len(read_lines(out))
    assert 1 <= bought <= 4
    assert sum(line["usage"]["usd"] for line in read_lines(out)) <= 0.0203
    assert command("ask", ten, "--model", server.spec(), "--out", out, *args, "--budget", 0.0001).code == 1
    assert len(read_lines(out)) == bought
    assert command("ask", ten, "--model", server.spec(), "--out", out, *args, "--budget", 1).code == 0
    assert len(read_lines(out)) == 10


def test_prices_of_models_with_a_date_in_their_name() -> None:
    table = read_prices()
    assert len({price.model for price in table}) == len(table)
    assert find_price(table, "openai:gpt-4.1-mini-2025-04-14") == find_price(table, "openai:gpt-4.1-mini")
    assert find_price(table, "openai:gpt-4.1-turbo") is None
    assert find_price(table, "anthropic:claude-haiku-4-5-20251001") == find_price(table, "anthropic:claude-haiku-4-5")
    assert find_price(table, "http://127.0.0.1/v1#gpt-4.1") is None


def test_the_plan_before_and_the_outcomes_after(command: Command, server: Running, ten: Path, tmp_path: Path) -> None:
    server.script.faults = {"number 1?": ["refusal"], "number 2?": ["filter"], "number 3?": ["empty"], "number 4?": ["400"]}
    done = command("ask", ten, "--model", server.spec(), "--out", tmp_path / "r.jsonl")
    plan, end = done.stderr.splitlines()
    assert plan.startswith(f"{server.spec()}: 10 requests, about ")
    assert plan.endswith(" tokens in and 2,000 out (an estimate), price not known (see --prices)")
    assert (
        end == f"{server.spec()}: 9 answers (2 refused, 1 empty), 1 ended in an error (1 bad_request) to {tmp_path / 'r.jsonl'}"
    )
    assert command("ask", ten, "--model", server.spec(), "--out", tmp_path / "r.jsonl", "--quiet").stderr == ""


def test_a_dry_run_shows_prompts_and_needs_neither_key_nor_server(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    items = [fpq_item(n, variant, task) for n in range(3) for variant in ("tpq", "NSC") for task in ("yes_no", "premise")]
    items[0] |= {"image": "cup.png", "question": "Is \x1b[31mthis\x1b[0m a cup?"}
    path = write_lines(tmp_path / "items.jsonl", items)
    done = command("ask", path, "--model", "openai:gpt-4.1-mini", "--preset", "fpq", "--dry-run")
    assert done.code == 0
    titles = [line for line in done.stdout.splitlines() if line.startswith("── ")]
    assert [title.split(":")[0] for title in titles] == [
        "── yes_no, tpq",
        "── premise, tpq",
        "── yes_no, NSC",
        "── premise, NSC",
    ]
    assert all(title.endswith("(temperature 0.6, top_p 0.9)") for title in titles)
    assert "[user] picture: cup.png" in done.stdout
    assert "\x1b" not in done.stdout
    assert "openai:gpt-4.1-mini: 36 requests, about " in done.stderr
    assert ", about $0.0" in done.stderr
    assert not [path for path in tmp_path.iterdir() if path.name != "items.jsonl"]


def test_a_preset_whose_settings_lack_a_task_says_so(command: Command, ten: Path) -> None:
    done = command("ask", ten, "--preset", "autodebug", "--dry-run")
    assert done.code == 2
    assert "preset 'autodebug' has no setting for task yes_no; it has context, open" in done.stderr
    assert command("ask", ten, "--preset", "autodebug", "--setting", "zero-shot", "--dry-run").code == 0


def test_a_gate_lets_through_the_groups_that_passed(command: Command, server: Running, tmp_path: Path) -> None:
    items = [fpq_item(n, v) | {"question": f"Is it number {n}? ({v})"} for n in range(4) for v in ("tpq", "NSC")]
    path, out = write_lines(tmp_path / "items.jsonl", items), tmp_path / "r.jsonl"
    server.script.answer = lambda asked: "No." if "number 2" in asked.text else "Yes."
    assert command("ask", path, "--model", server.spec(), "--out", out, "--only", "variant=tpq").code == 0
    verdicts = tmp_path / "verdicts.jsonl"
    assert command("verify", "--items", path, "--responses", out, "--out", verdicts).code == 0
    done = command("ask", path, "--model", server.spec(), "--out", out, "--gate", verdicts)
    assert "gate: 6 items go through, 2 are held back" in done.stderr
    assert numbers(server) == [0, 0, 1, 1, 2, 3, 3]


class Scripted:
    """A model of a few words, which counts its questions."""

    name = "scripted"

    def __init__(self, *said: Reply) -> None:
        self.said, self.asked = said, 0

    async def ask(self, request: Request) -> Reply:
        self.asked += 1
        return self.said[(self.asked - 1) % len(self.said)]

    async def aclose(self) -> None:
        pass


def asking(number: int) -> list[Request]:
    return [Request(f"i{n}", 0, (Message("user", f"Is it {n}?"),)) for n in range(number)]


def test_a_run_that_gets_nothing_but_failures_ends(tmp_path: Path) -> None:
    broken = Reply(error=Failure(kind="server", status=500, message="down"))
    model, out = Scripted(broken), tmp_path / "r.jsonl"
    with pytest.raises(ModelError, match="20 requests in a row failed"):
        ask_all(model, asking(500), str(out))
    assert 20 <= model.asked < 40
    fine = Scripted(*[broken] * 19, Reply(text="Yes."))
    assert ask_all(fine, asking(500), str(tmp_path / "s.jsonl")).answered == 25


def test_no_more_requests_are_read_than_are_under_way(tmp_path: Path) -> None:
    """A hundred thousand items need no more room than a thousand: they are read as they are asked."""
    read, ahead = [0], list[int]()

    class Endless:
        def __iter__(self) -> Iterator[Request]:
            for n, request in enumerate(asking(300)):
                read[0] = n
                yield request

    model = Scripted(Reply(text="Yes."))
    ask_all(model, Endless(), str(tmp_path / "r.jsonl"), lambda: ahead.append(read[0] - model.asked), concurrency=5)
    assert max(ahead) <= 5


def test_responses_have_the_form_of_the_records(command: Command, server: Running, ten: Path, tmp_path: Path) -> None:
    out = tmp_path / "r.jsonl"
    command("ask", ten, "--model", "anthropic:stub", "--out", out)
    for response in read(out, Response):
        assert (response.model, response.sample, response.error) == ("anthropic:stub", 0, None)
        assert response.prompt is not None
        assert response.seconds is not None
        assert response.time is not None
        assert response.usage is not None
        assert json.loads(response.line())["schema"] == "kgprobe.response/1"
