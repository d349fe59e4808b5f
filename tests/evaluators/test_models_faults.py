"""A server misbehaves: every fault ends in its own reason, nothing is lost and nothing doubled."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from evaluators.errors import ModelError
from evaluators.models import Message, Reply, Request, open_model, replies
from evaluators.models.faults import AGAIN, KINDS, PASSING, Patience
from fpq_made import Command, fpq_item, read_lines, write_lines
from model_server import KEY, Running

CASES = read_lines(Path(__file__).parents[1] / "fixtures" / "evaluators" / "server_faults.jsonl")
HASTY = Patience(tries=3, first=0.01, longest=5.0, timeout=2.0)


@pytest.fixture(params=["openai", "anthropic"])
def spec(request: pytest.FixtureRequest, server: Running) -> str:
    """The same server in both protocols."""
    return server.spec() if request.param == "openai" else "anthropic:stub"


def ask(spec: str, prompts: list[str], patience: Patience = HASTY) -> list[Reply]:
    return replies(open_model(spec, patience), [Request(f"i{n}", 0, (Message("user", p),)) for n, p in enumerate(prompts)])


def first_of(protocol: str, case: dict[str, Any]) -> Any:
    return case["finish"][protocol.startswith("anthropic")]


def test_what_passes_is_answered_and_what_does_not_is_told(spec: str, server: Running) -> None:
    """All faults at once, eight at a time: each question fares as if it were alone."""
    server.script.faults = {f"<{case['title']}>": case["faults"] for case in CASES}
    prompts = [f"What of <{case['title']}>?" for case in CASES]
    for case, prompt, reply in zip(CASES, prompts, ask(spec, prompts), strict=True):
        if "ok" in case["faults"]:
            assert reply.error is None, case["title"]
            assert reply.text is not None
            assert reply.text.endswith(".")
        elif case["kind"] is None:
            assert (reply.error, reply.finish) == (None, first_of(spec, case)), case["title"]
            assert reply.text == case["text"] or case["text"] is None
        else:
            assert reply.error is not None, case["title"]
            assert (reply.error.kind, reply.error.status) == (case["kind"], case["status"]), case["title"]
        assert server.script.asked[prompt] == len(case["faults"]), case["title"]


FOR_EVER = [case for case in CASES if case["kind"] in PASSING and case["faults"][0] not in ("429:0.2", "429:date")]


def test_what_does_not_pass_ends_in_its_own_reason(spec: str, server: Running) -> None:
    server.script.faults = {f"<{case['title']}>": [case["faults"][0]] for case in FOR_EVER}
    prompts = [f"What of <{case['title']}>?" for case in FOR_EVER]
    hasty = Patience(tries=2, first=0.01, longest=0.3, timeout=1.0)
    for case, prompt, reply in zip(FOR_EVER, prompts, ask(spec, ["Warm?", *prompts], hasty)[1:], strict=True):
        assert reply.text is None
        assert reply.error is not None
        assert reply.error.kind == case["kind"], case["title"]
        assert reply.error.status in (case["status"], None), case["title"]
        assert reply.error.message
        if case["kind"] != "rate_limit":
            assert server.script.asked[prompt] == 2, case["title"]


def test_kinds_are_a_closed_list() -> None:
    assert {case["kind"] for case in CASES} - {None} <= set(KINDS)
    assert PASSING < AGAIN < set(KINDS)


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("401", "the key is not accepted (401"),
        ("402", "the account has to be paid first"),
        ("403", "the key has no permission"),
        ("404", "the model or the address is unknown"),
        ("302", "the server sends elsewhere"),
        ("429:86400", "the server asks to wait 86400 seconds"),
    ],
)
def test_what_nobody_can_escape_stops_at_once(fault: str, told: str, spec: str, server: Running) -> None:
    server.script.faults = {"": [fault]}
    with pytest.raises(ModelError, match=r".*".join(["^[^\n]*", told.replace("(", r"\("), "[^\n]*$"])):
        ask(spec, [f"Number {n}?" for n in range(100)])
    assert sum(server.script.asked.values()) <= 8
    assert max(server.script.asked.values()) == 1


def test_a_server_that_only_ever_sends_pages_has_a_wrong_address(spec: str, server: Running) -> None:
    server.script.faults = {"": ["html"]}
    with pytest.raises(ModelError, match=r"the server sends a web page, no answer; check the address"):
        ask(spec, [f"Number {n}?" for n in range(100)], Patience(first=0.01))
    assert max(server.script.asked.values()) == 2


def test_a_page_between_answers_is_a_gateway_that_will_open_again(spec: str, server: Running) -> None:
    server.script.faults = {"<closed>": ["html", "html", "html", "ok"]}
    model = open_model(spec, Patience(first=0.01))
    for number, prompt in enumerate(("Warm?", "And <closed>?")):
        [reply] = replies(model, [Request(f"i{number}", 0, (Message("user", prompt),))])
        assert reply.error is None


def test_an_exhausted_quota_is_no_limit_that_passes(server: Running) -> None:
    server.script.faults = {"": ["quota"]}
    with pytest.raises(ModelError, match="has to be paid first"):
        ask(server.spec(), ["Is it?"])


def test_nobody_there(keyed: None) -> None:
    with pytest.raises(ModelError, match=r"http://127\.0\.0\.1:9/v1: the server cannot be reached"):
        ask("http://127.0.0.1:9/v1#stub", ["Is it?"])


@pytest.mark.parametrize("fault", ["leak", "echo", "401"])
def test_a_server_that_repeats_the_key_does_not_spread_it(
    fault: str, spec: str, server: Running, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.script.faults = {"": [fault]}
    if fault == "401":
        monkeypatch.setenv("OPENAI_API_KEY", f"{KEY}-wrong")
        monkeypatch.setenv("ANTHROPIC_API_KEY", f"{KEY}-wrong")
    items, out = write_lines(tmp_path / "items.jsonl", [fpq_item(0, "tpq")]), tmp_path / "responses.jsonl"
    done = command("ask", items, "--model", spec, "--out", out, "--tries", 1)
    assert done.code == {"leak": 1, "echo": 0, "401": 2}[fault]
    everything = done.stdout + done.stderr + "".join(p.read_bytes().decode("latin-1") for p in all_files(tmp_path))
    assert KEY not in everything
    assert "[key]" in everything


def all_files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_run_through_all_faults_loses_and_doubles_nothing(
    spec: str, server: Running, command: Command, tmp_path: Path
) -> None:
    """The first run leaves what fails for ever; the second asks that, and only that, again."""
    faults = [["ok"], ["500", "ok"], ["reset", "ok"], ["429:0", "ok"], ["html"], ["503:0"], ["400"], ["refusal"]]
    items = [fpq_item(n, "tpq") | {"question": f"Is <{n % 8}> right for {n}?"} for n in range(64)]
    server.script.faults = {f"<{n}>": fault for n, fault in enumerate(faults)}
    path, out = write_lines(tmp_path / "items.jsonl", items), tmp_path / "responses.jsonl"
    args = ["ask", path, "--model", spec, "--out", out, "--tries", 2, "--concurrency", 20]
    done = command(*args)
    assert done.code == 1
    assert "40 answers (8 refused), 24 ended in an error (8 bad_request, 8 malformed, 8 server)" in done.stderr
    assert Counter(line["item"] for line in read_lines(out)) == Counter(item["id"] for item in items)
    kinds = Counter(line["error"] and line["error"]["kind"] for line in read_lines(out))
    assert kinds == {None: 40, "malformed": 8, "server": 8, "bad_request": 8}

    server.script.faults = {"<6>": ["400"], "<7>": ["refusal"]}
    server.script.asked.clear()
    assert command(*args).code == 0
    assert Counter(line["item"] for line in read_lines(out)) == Counter(item["id"] for item in items)
    assert {line["error"]["kind"] for line in read_lines(out) if line["error"]} == {"bad_request"}
    assert sorted(server.script.asked.values()) == [1] * 16
