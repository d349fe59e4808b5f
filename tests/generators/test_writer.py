"""A model words the questions: it forgets names, adds answers, says nothing, and every question is sound all the same."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from evaluators.models import Reply, Request
from evaluators.models.runs.recording import Recording
from fpq_made import Done, read_lines, write_lines
from generators.articles import with_the
from generators.fpq import Options, Writer, generate
from generators.fpq import __main__ as fpq
from kg import cli, open_graph
from model_server import KEY, Asked, Script, model_server
from queries.records import read
from queries.records.response import Response

FACTS = 50
Item = dict[str, Any]


class Author:
    """A writer of known behaviour: whatever it does to a triple follows from its names."""

    HABITS = ("well", "drops the subject", "drops the object", "adds the answer", "nothing", "chatters", "never well")

    def habit(self, subject: str, object: str, task: str) -> str:
        # Where names repeat the writer is told the kind, too; its habits do not depend on that.
        subject, object = (
            re.sub(r"^(?:the (?:\d+ )?\w+ (?:of )?)?“(.*?)”$", r"\1", t) if "“" in t else t for t in (subject, object)
        )
        number = int(hashlib.sha256(f"{subject} {object} {task}".encode()).hexdigest(), 16)
        return self.HABITS[number % len(self.HABITS)]

    def write(self, subject: str, object: str, task: str, turn: int) -> str:
        asks = {"yes_no": "Is it said of {} that {} belongs to it?", "premise": "Since which year does {} belong to {}?"}[task]
        well = asks.format(subject, object if task == "yes_no" else with_the(object))
        habit = self.habit(subject, object, task)
        if habit == "never well":
            return f"{well} Yes, it is."
        return well if turn else {
            "well": well,
            "drops the subject": asks.format("it", object),
            "drops the object": asks.format(subject, "that"),
            "adds the answer": f"{well} Yes.",
            "nothing": "",
            "chatters": f"Here is your question: {well}",
        }[habit]  # fmt: skip

    def answer(self, asked: Asked) -> str:
        """Answer as a server would: the triple is quoted in the last message that opens with a mark."""
        messages = asked.body["messages"]
        triple = next(m["content"] for m in reversed(messages) if m["role"] == "user" and m["content"].startswith("[open"))
        subject, _, object = json.loads(triple.splitlines()[1])
        task = "yes_no" if "yes-no question" in messages[0]["content"] else "premise"
        # An empty text is not shown to the writer again: then the number of tries is known only by counting.
        self.turns[subject, object, task] += 1
        return self.write(subject, object, task, self.turns[subject, object, task] - 1)

    def __init__(self) -> None:
        self.turns: Counter[tuple[str, str, str]] = Counter()


def run(capfd: pytest.CaptureFixture[str], *args: object, n: int = 5) -> Done:
    with pytest.raises(SystemExit) as stop:
        cli.run(fpq.app, "python -m generators.fpq", ["--domain", "art", "--n", str(n), *map(str, args)])
    out, err = capfd.readouterr()
    return Done(stop.value.code, out, err)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    return tmp_path


def by_group(items: list[Item]) -> dict[tuple[str, str], list[Item]]:
    groups: dict[tuple[str, str], list[Item]] = defaultdict(list)
    for item in items:
        groups[item["group"], item["task"]].append(item)
    return groups


def once(question: str, item: Item) -> bool:
    """Each name stands in the question once, beside the other."""
    subject, object = (item["premise"][part]["label"] for part in ("subject", "object"))
    first, second = sorted([subject, object], key=len, reverse=True)
    return question.count(first) == 1 and question.replace(first, "").count(second) == 1


def frame(item: Item) -> str:
    """The question without its names, the longer one taken out first, for it may hold the other."""
    names = {item["premise"]["subject"]["label"]: "{s}", item["premise"]["object"]["label"]: "{o}"}
    question = str(item["question"])
    for name in sorted(names, key=len, reverse=True):
        kind = r"(?:\b(?:an?|the) (?:\d+ )?(?:\w+ )?(?=“)|\b(?:an?|the) )?“?"
        told = rf"{kind}(?<!\w){re.escape(name)}(?!\w)”?(?: language\b)?"
        question = re.sub(told, names[name], question)
    return question


def test_every_question_is_sound_whatever_the_writer_does(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out, author = folder / "art.jsonl", Author()
    assert run(capfd, "--out", folder / "template.jsonl", n=FACTS).code == 0
    template = {item["id"]: item["question"] for item in read_lines(folder / "template.jsonl")}
    with model_server(Script(answer=author.answer)) as server:
        done = run(capfd, "--writer", server.spec(), "--out", out, n=FACTS)
    assert done.code == 0, done.stderr
    items = read_lines(out)
    assert len({item["group"] for item in items}) == FACTS
    assert {item["id"] for item in items} <= set(template)
    used = Counter[str]()
    for (_, task), members in by_group(items).items():
        habit = author.habit(members[0]["premise"]["subject"]["label"], members[0]["premise"]["object"]["label"], task)
        used[habit] += 1
        for item in members:
            assert item["question"].endswith("?")
            assert frame(item).count("?") == 1
            assert once(item["question"], item), item["question"]
            assert "yes" not in item["question"].lower().split()
            assert (item["source"]["writer"] is None) == (habit == "never well"), item["question"]
            if habit == "never well":
                assert item["question"] == template[item["id"]]
        if habit != "never well":
            assert len({frame(item) for item in members}) == 1
    assert set(used) == set(Author.HABITS)
    usable = 2 * FACTS - used["never well"]
    assert (
        f"{usable} of 100 questions, {usable - used['well']} of them not at once; the template's: {used['never well']}"
        in done.stderr
    )


def test_what_was_written_is_kept_replayed_and_not_asked_again(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    first, again, replayed = folder / "art.jsonl", folder / "again.jsonl", folder / "replayed.jsonl"
    recorded = folder / "art.writer.jsonl"
    with model_server(Script(answer=Author().answer)) as server:
        run(capfd, "--writer", server.spec(), "--out", first)
        asked = len(server.script.requests)
        run(capfd, "--writer", server.spec(), "--out", again, "--recording", recorded)
        # Only what could not be kept is asked again: the empty answers of the script are answers, too.
        assert len(server.script.requests) == asked
    assert first.read_bytes() == again.read_bytes()
    assert len(read(recorded, Response)) == asked
    for _ in range(2):
        assert run(capfd, "--writer", f"replay:{recorded}", "--out", replayed).code == 0
        assert [i["question"] for i in read_lines(replayed)] == [i["question"] for i in read_lines(first)]
    assert read_lines(replayed)[0]["source"]["writer"].startswith("replay:art.writer writer/1@")
    assert not (folder / "replayed.writer.jsonl").exists()


def test_without_a_recorded_answer_the_template_is_used(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    recorded = write_lines(folder / "none.jsonl", [{"item": "another", "text": "Is it?"}])
    run(capfd, "--out", folder / "template.jsonl")
    done = run(capfd, "--writer", f"replay:{recorded}", "--out", folder / "art.jsonl")
    assert "0 of 10 questions, 0 of them not at once; the template's: 10" in done.stderr
    questions = [[i["question"] for i in read_lines(folder / name)] for name in ("template.jsonl", "art.jsonl")]
    assert questions[0] == questions[1]


def test_without_a_writer_nothing_says_so(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run(capfd, "--out", folder / "art.jsonl", "--limit", 1)
    assert "writer" not in read_lines(folder / "art.jsonl")[0]["source"]


def test_with_a_limit_no_more_is_asked_for_than_can_be_written(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with model_server(Script(answer=Author().answer)) as server:
        run(capfd, "--writer", server.spec(), "--limit", 3, "--tries", 1, "--out", folder / "art.jsonl")
        assert len(server.script.requests) == 6
    assert len(read_lines(folder / "art.jsonl")) == 3


def test_a_model_that_is_not_there_is_told_before_anything_is_written(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with model_server() as server:
        done = run(capfd, "--writer", server.spec("nobody"), "--out", folder / "art.jsonl", "--quiet")
    assert done.code == 2
    assert len(done.stderr.splitlines()) == 1
    assert not (folder / "art.jsonl").exists()


class Broken:
    """A model that is told what it did wrong, and notes it."""

    name = "broken"

    def __init__(self) -> None:
        self.heard: list[Request] = []

    async def ask(self, request: Request) -> Reply:
        self.heard.append(request)
        return Reply(text="Is it so?")

    async def aclose(self) -> None: ...


def test_the_writer_is_told_why_a_text_could_not_be_used() -> None:
    model = Broken()
    result = generate(open_graph(), "art", Options(n=1), writer=Writer(Recording(model, None), tries=2))
    assert result.items["source"].struct.field("writer").null_count() == result.items.height
    again = [request.messages[-1].text for request in model.heard if request.sample == 1]
    assert len(again) == 2
    assert all(text.startswith("That cannot be used: a name does not stand in it word for word: ") for text in again)
    assert model.heard[-1].messages[-2].text == "Is it so?"
