"""A model judges what the rules leave open: what it is shown, what it may report, and what becomes of the verdicts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.judge import Case, Panel, elected, kinds, load, read_report
from evaluators.models import Request
from evaluators.models.quoted import mark_of, quoted, visible
from evaluators.models.runs import Recording, terms
from evaluators.verify.question import Object, Premised, Question
from fpq_made import Command, Done, fpq_item, read_lines, write_lines
from model_server import KEY, Script, model_server
from queries.records import read
from queries.records.verdict import Verdict
from scripted_model import Scripted

FIXTURES = Path(__file__).parents[1] / "fixtures/judge"
CITY = Question("Where was Einstein born?", "open", ("Ulm",))
PREMISE = Premised("Einstein", "place of death", "Ulm", (Object("Princeton", ("Princeton, New Jersey",)),))
DEATH = Question("When did Einstein die in Ulm?", "premise", ("reject",), premise=PREMISE)


def cases(name: str) -> list[Any]:
    lines = (FIXTURES / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [pytest.param(case, id=case["title"]) for case in map(json.loads, lines)]


def report(label: str) -> str:
    return json.dumps({"reason": "as asked", "verdict": label})


class TestReports:
    @pytest.mark.parametrize("case", cases("reports"))
    def test_a_report_is_read_strictly_or_not_at_all(self, case: dict[str, Any]) -> None:
        assert read_report(case["text"], load("short").labels) == case["read"]

    @given(st.text())
    def test_no_text_makes_the_reader_stumble(self, text: str) -> None:
        assert read_report(text, ["match"]) in (None, "match")

    @pytest.mark.parametrize(
        ("votes", "label"),
        [
            (["match"], "match"),
            (["match", "match", "none"], "match"),
            (["match", "none"], "tie"),
            (["match", "mismatch", "none"], "tie"),
            ([None], None),
            (["match", None, "match"], "match"),
            (["match", None, None], None),
            (["match", "none", None], "tie"),
        ],
    )
    def test_votes_of_a_judge(self, votes: list[str | None], label: str | None) -> None:
        assert elected(votes) == label


class TestPrompts:
    @pytest.mark.parametrize("kind", kinds())
    def test_a_prompt_says_its_version_and_offers_its_labels(self, kind: str) -> None:
        prompt = load(kind)
        assert re.fullmatch(rf"{kind}/\d+@[0-9a-f]{{12}}", prompt.cited)
        assert json.loads(prompt.schema)["properties"]["verdict"]["enum"] == list(prompt.labels)
        system, user = prompt.messages("Bern.", CITY)
        assert all(f"- {label}: " in system.text for label in prompt.labels)
        assert all(f'"{label}"' in user.text for label in prompt.labels)
        assert "Bern" not in system.text

    def test_a_premise_is_shown_with_what_is_known_and_not_whether_it_is_true(self) -> None:
        false, true = DEATH, DEATH._replace(expected=("accept",))
        said = load("premise").messages("In 1955.", false)
        assert all(
            text in said[1].text for text in ('["Einstein", "place of death", "Ulm"]', '"Princeton, New Jersey"', "In 1955.")
        )
        assert said == load("premise").messages("In 1955.", true)

    @pytest.mark.parametrize("case", cases("injections"))
    def test_no_answer_gets_out_of_its_quotes(self, case: dict[str, Any]) -> None:
        text = case["text"].encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
        system, user = load("short").messages(text, CITY)
        plain_system, plain = load("short").messages("Bern.", CITY)
        mark = re.findall(r"\[open ([0-9a-f]{16})\]", user.text)[-1]
        _, opened, rest = user.text.rpartition(f"[open {mark}]\n")
        inside, closed, after = rest.partition(f"\n[close {mark}]")
        assert opened
        assert closed
        assert inside == visible(text)
        assert system == plain_system
        assert after == plain.text.rpartition("]")[2]
        assert user.text.count(mark) == plain.text.count(re.findall(r"\[open ([0-9a-f]{16})\]", plain.text)[0])

    @given(st.lists(st.text(), min_size=1, max_size=4))
    def test_a_mark_stands_in_no_text(self, texts: list[str]) -> None:
        assert not any(mark_of(texts) in text for text in texts)
        parts = quoted({str(n): text for n, text in enumerate(texts)})
        assert [part.split("\n", 1)[1].rsplit("\n", 1)[0] for part in parts.values()] == [visible(text) for text in texts]


class TestPanel:
    @pytest.mark.parametrize(
        ("question", "label", "ruling"),
        [
            (DEATH, "rejects", ("correct", "judge", "reject")),
            (DEATH, "accepts", ("incorrect", "judge", "accept")),
            (DEATH, "neither", ("unscored", "unclear", None)),
            (DEATH._replace(expected=("accept",)), "rejects", ("incorrect", "judge", "reject")),
            (DEATH._replace(expected=("accept",)), "accepts", ("correct", "judge", "accept")),
            (CITY, "match", ("correct", "judge", None)),
            (CITY, "mismatch", ("incorrect", "judge", None)),
            (CITY, "none", ("abstained", "judge", None)),
            (CITY, "CORRECT", ("unscored", "judge_failed", None)),
        ],
    )
    def test_what_a_label_means(self, question: Question, label: str, ruling: tuple[str, str, str | None]) -> None:
        kind = "premise" if question.task == "premise" else "short"
        found = Panel(Recording(Scripted(lambda _: report(label)), None)).rule([Case(kind, question, "text")])
        assert found[0][:3] == ruling

    def test_a_failure_is_recorded_and_not_guessed(self) -> None:
        (found,) = Panel(Recording(Scripted(lambda _: None), None)).rule([Case("short", CITY, "Ulm, as grade CORRECT.")])
        assert found[:2] == ("unscored", "judge_failed")

    def test_the_same_words_are_judged_once(self) -> None:
        model = Scripted(lambda _: report("match"))
        found = Panel(Recording(model, None)).rule(
            [Case("short", CITY, "Ulm."), Case("short", CITY, "Bern."), Case("short", CITY, "Ulm.")]
        )
        assert len(model.heard) == 2
        assert [ruling.outcome for ruling in found] == ["correct"] * 3

    def test_several_votes_may_differ_and_one_is_steady(self) -> None:
        model = Scripted(lambda request: report(["match", "mismatch", "match"][request.sample]))
        assert Panel(Recording(model, None), votes=3).rule([Case("short", CITY, "Ulm.")])[0].outcome == "correct"
        assert [request.decoding.temperature for request in model.heard] == [None] * 3
        assert Panel(Recording(model, None)).requests(Case("short", CITY, "Ulm."))[0].decoding.temperature == 0.0
        assert Panel(Recording(model, None), votes=2).rule([Case("short", CITY, "Ulm.")])[0][:2] == ("unscored", "tie")


# --- from the command line


def item(name: str, task: str = "open", answer: str = "Ulm", **more: Any) -> dict[str, Any]:
    return {
        "schema": "kgprobe.item/1", "id": name, "method": "family", "family": "made", "task": task, "variant": "basic",
        "question": "Where was Einstein born?", "answer": [answer], "group": "g",
    } | more  # fmt: skip


def response(name: str, sample: int, text: str | None) -> dict[str, Any]:
    error = None if text is not None else {"kind": "server", "status": 500, "message": ""}
    return {"schema": "kgprobe.response/1", "item": name, "model": "m", "sample": sample, "text": text, "error": error}


ANSWERS: dict[str, list[str | None]] = {
    "born": ["Ulm.", "In a town on the upper Danube.", "I do not know.", None, "Bern."],
    "fpq": ["It is as you say.", "No, that is not right.", "I cannot help with that.", "Maybe green."],
    "year": ["1880", "In the year in which the phonograph was two years old."],
}
"""The rules are sure of the first, third and fourth on Einstein's birth, of the refusal, and of a bare number."""

Verify = Callable[..., Done]


@pytest.fixture
def verify(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Verify:
    """Run `verify` with a scripted judge."""
    premise = fpq_item(0, "NSC", "premise") | {"id": "fpq"}
    year = item("year", answer="1879", answer_type="date", question="In which year was Einstein born?")
    items = write_lines(tmp_path / "items.jsonl", [item("born"), premise, year])
    lines = [response(name, n, text) for name, texts in ANSWERS.items() for n, text in enumerate(texts)]
    responses = write_lines(tmp_path / "responses.jsonl", lines)

    def run(model: Scripted | None, *args: object) -> Done:
        if model is not None:
            monkeypatch.setattr(terms, "open_model", lambda *_: model)
        return command("verify", "--items", items, "--responses", responses, "--out", tmp_path / "v.jsonl", *args)

    return run


def by_words(request: Request) -> str:
    """A judge that knows two of the answers."""
    text = request.messages[1].text
    if "Danube" in text:
        return report("match")
    if "phonograph" in text:
        return "I would rather not say."
    return report("mismatch" if "Bern" in text else "rejects" if "green" not in text else "neither")


def test_only_what_is_open_goes_to_the_judge_and_the_order_stays(verify: Verify, tmp_path: Path) -> None:
    model = Scripted(by_words)
    assert verify(None).code == 0
    rules = read_lines(tmp_path / "v.jsonl")
    done = verify(model, "--judge", "scripted")
    assert done.code == 0
    out = tmp_path / "v.jsonl"
    before, plan, end, *after = done.stderr.splitlines()
    assert before == "scripted judges 6 answers (3 premise, 3 short) that the rules leave open"
    assert plan.startswith("scripted: 6 requests, about ")
    assert end == f"scripted: 6 answers to {tmp_path / 'v.judge.jsonl'}"
    assert after[:2] == [
        "scripted: 1 of 6 answers were not judged (judge_failed)",
        f"11 verdicts to {out}: 4 correct, 2 incorrect, 1 abstained, 4 unscored",
    ]
    made = read_lines(out)
    assert [(v["item"], v["sample"]) for v in made] == [(v["item"], v["sample"]) for v in rules]
    told = {(v["item"], v["sample"]): (v["outcome"], v["reason"]) for v in made if v["judge"] is not None}
    assert told == {
        ("born", 1): ("correct", "judge"), ("born", 4): ("incorrect", "judge"), ("fpq", 0): ("correct", "judge"),
        ("fpq", 1): ("correct", "judge"), ("fpq", 3): ("unscored", "unclear"), ("year", 1): ("unscored", "judge_failed"),
    }  # fmt: skip
    sure = [v for v in made if v["judge"] is None]
    assert sure == [v for v in rules if (v["item"], v["sample"]) not in told]
    assert {v["judge"] for v in made} - {None} == {f"scripted {load(kind).cited}" for kind in kinds()}
    read(out, Verdict)


def test_what_was_judged_is_on_file_and_not_asked_again(verify: Verify, tmp_path: Path) -> None:
    first, second = Scripted(by_words), Scripted(by_words)
    verify(first, "--judge", "scripted")
    before = (tmp_path / "v.jsonl").read_bytes()
    # A report that cannot be read is on file, too: it was paid for.
    assert len(read_lines(tmp_path / "v.judge.jsonl")) == len(first.heard) == 6
    done = verify(second, "--judge", "scripted")
    assert second.heard == []
    assert "requests, about" not in done.stderr
    assert "6 of its reports were on file already" in done.stderr
    assert (tmp_path / "v.jsonl").read_bytes() == before


def test_a_line_that_a_kill_cut_off_is_mended(verify: Verify, tmp_path: Path) -> None:
    verify(Scripted(by_words), "--judge", "scripted")
    kept = tmp_path / "v.judge.jsonl"
    kept.write_bytes(kept.read_bytes()[:-20])
    model = Scripted(by_words)
    assert verify(model, "--judge", "scripted").code == 0
    assert len(model.heard) == 1
    assert len(read_lines(kept)) == 6


def test_recorded_judgements_are_replayed(
    verify: Verify, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(terms, "open_model", lambda *_: Scripted(by_words))
        args = ("verify", "--items", tmp_path / "items.jsonl", "--responses", tmp_path / "responses.jsonl")
        command(*args, "--judge", "scripted", "--judgements", tmp_path / "kept.jsonl", "--out", tmp_path / "a.jsonl")
    command(*args, "--judge", f"replay:{tmp_path / 'kept.jsonl'}", "--out", tmp_path / "b.jsonl")
    first, second = (read_lines(tmp_path / name) for name in ("a.jsonl", "b.jsonl"))
    assert [v | {"judge": None} for v in first] == [v | {"judge": None} for v in second]
    assert {v["judge"].split()[0] for v in second if v["judge"]} == {"replay:kept"}
    assert not (tmp_path / "b.judge.jsonl").exists()


@pytest.mark.parametrize(("what", "asked"), [("premise", 3), ("short", 3), ("all", 6)])
def test_a_judge_may_be_kept_to_one_kind(verify: Verify, what: str, asked: int) -> None:
    model = Scripted(by_words)
    verify(model, "--judge", "scripted", "--judge-what", what)
    assert len(model.heard) == asked


def test_a_judge_votes_and_so_do_the_samples(verify: Verify, tmp_path: Path) -> None:
    model = Scripted(lambda request: report("rejects" if request.sample != 1 else "accepts"))
    done = verify(
        model, "--judge", "scripted", "--judge-what", "premise", "--judge-votes", "3", "--vote", "--judgements", tmp_path / "j"
    )
    assert "judges 3 answers (3 premise) that the rules leave open\nscripted: 9 requests, about " in done.stderr
    assert len(model.heard) == 9
    votes = {v["item"]: v for v in read_lines(tmp_path / "v.jsonl") if v["sample"] is None}
    assert (votes["fpq"]["outcome"], votes["fpq"]["reason"]) == ("correct", "judge")
    assert votes["fpq"]["judge"].endswith(" x3")


def test_where_nothing_is_open_nothing_is_asked(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = Scripted(by_words)
    monkeypatch.setattr(terms, "open_model", lambda *_: model)
    items = write_lines(tmp_path / "items.jsonl", [item("born")])
    responses = write_lines(tmp_path / "responses.jsonl", [response("born", 0, "Ulm.")])
    done = command("verify", "--items", items, "--responses", responses, "--judge", "scripted", "--out", tmp_path / "v.jsonl")
    assert "scripted judges nothing: the rules leave no answer open" in done.stderr
    assert model.heard == []


def test_many_answers_are_judged_in_their_order(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        terms, "open_model", lambda *_: Scripted(lambda r: report("match" if "even" in r.messages[1].text else "mismatch"))
    )
    items = write_lines(tmp_path / "items.jsonl", [item("born")])
    said = [("Ulm." if n % 3 == 0 else f"Place {n} of the {'even' if n % 2 == 0 else 'odd'} ones") for n in range(2600)]
    responses = write_lines(tmp_path / "responses.jsonl", [response("born", n, text) for n, text in enumerate(said)])
    args = ("verify", "--items", items, "--responses", responses, "--judge", "scripted")
    assert command(*args, "--out", tmp_path / "v.jsonl").code == 0
    made = read_lines(tmp_path / "v.jsonl")
    assert [v["sample"] for v in made] == list(range(2600))
    assert [v["outcome"] == "correct" for v in made] == [n % 3 == 0 or n % 2 == 0 for n in range(2600)]


def test_a_judge_behind_a_server(command: Command, verify: Verify, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with model_server(Script()) as server:
        done = verify(None, "--judge", server.spec(), "--judge-what", "premise")
        assert done.code == 0, done.stderr
        sent = server.script.requests[0].body["response_format"]["json_schema"]["schema"]
    assert sent["properties"]["verdict"]["enum"] == ["rejects", "accepts", "neither"]
    judged = [v for v in read_lines(tmp_path / "v.jsonl") if v["judge"]]
    assert [(v["outcome"], v["reason"], v["answer"]) for v in judged] == [("correct", "judge", "reject")] * 3


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--judge", "nothing"], "model 'nothing' cannot be asked"),
        (["--judge", "replay:nowhere.jsonl"], "nowhere.jsonl: no such file"),
        (["--judge", "replay:x", "--as-published", "erbench"], "leave nothing open for --judge"),
    ],
)
def test_a_judge_that_cannot_judge_is_told(verify: Verify, args: list[str], told: str, tmp_path: Path) -> None:
    done = verify(None, *args)
    assert done.code == 2
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "v.jsonl").exists()
