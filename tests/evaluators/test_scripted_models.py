"""From first to last on the command line: a model of known behaviour is probed, gated, asked three times, voted on and judged.

The model is a server on loopback whose every answer is laid down here; what must come out is counted by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

import family_made
from fpq_made import Command, Done, read_lines, write_lines
from generators.fpq import __main__ as fpq
from kg import cli
from model_server import KEY, Asked, Running, Script, model_server

pytestmark = pytest.mark.slow

Item = dict[str, Any]
Says = Callable[[Item, int], str]


class Known:
    """A model that finds out which question it was asked, and for the how manieth time."""

    def __init__(self, items: Iterable[Item], says: Says) -> None:
        # The longest first: a question may stand in another one.
        self.items = sorted(items, key=lambda item: -len(item["question"]))
        self.says = says
        self.turns: Counter[str] = Counter()

    def answer(self, asked: Asked) -> str:
        item = next(item for item in self.items if item["question"] in asked.text)
        self.turns[item["id"]] += 1
        return self.says(item, self.turns[item["id"]] - 1)


@pytest.fixture
def steps(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Done]:
    """Run a step, which must succeed; files lie in one folder."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.chdir(tmp_path)

    def step(name: str, *args: object) -> Done:
        done = command(name, *args)
        assert done.code == 0, done.stderr
        return done

    return step


def made(app: Any, *args: str) -> None:
    with pytest.raises(SystemExit) as stop:
        cli.run(app, "generator", [*args, "--quiet"])
    assert stop.value.code == 0


def votes(path: str) -> dict[str, tuple[str, str]]:
    """The vote on each item: outcome and reason."""
    return {v["item"]: (v["outcome"], v["reason"]) for v in read_lines(Path(path)) if v["sample"] is None}


def ask(steps: Callable[..., Done], server: Running, *args: object) -> Done:
    return steps("ask", "items.jsonl", "--model", server.spec(), "--no-cache", *args)


def verify(steps: Callable[..., Done], responses: str, out: str, *args: object) -> Done:
    return steps("verify", "--items", "items.jsonl", "--responses", responses, "--out", out, *args)


# --- false premises: the yes-no question with the true premise lets a fact through


YES_NO: Mapping[str, tuple[list[str], tuple[str, str]]] = {
    "NSC": (["Yes", "No", "Yes"], ("incorrect", "wrong")),
    "NDC": (["No", "No", "Yes"], ("correct", "exact")),
    "NNSC": (["No", "No", "No"], ("correct", "exact")),
    "NNDC": (["Yes", "No", "I do not know."], ("unscored", "tie")),
    "NNSR": (["I do not know.", "No", "I am not sure."], ("abstained", "unsure")),
    "NNDR": (["I cannot help with that.", "I can't assist with that.", "No"], ("unscored", "refused")),
}
"""What is said to a false premise the first, second and third time, and the vote that must come of it."""

MISLED, REJECTED, UNKNOWN = "It began in 1955.", "That is not so: {subject} has nothing to do with {object}.", "I do not know."
PREMISE: Mapping[str, tuple[list[str], tuple[str, str]]] = {
    "tpq": ([MISLED, MISLED, REJECTED], ("correct", "exact")),
    "NSC": ([MISLED, MISLED, MISLED], ("incorrect", "misled")),
    "NDC": ([REJECTED, MISLED, REJECTED], ("correct", "rejected")),
    "NNSC": (["No, it is {true}, not {object}."] * 3, ("correct", "corrected")),
    "NNDC": ([MISLED, REJECTED, UNKNOWN], ("unscored", "tie")),
    "NNSR": ([UNKNOWN, UNKNOWN, MISLED], ("abstained", "unsure")),
    "NNDR": ([MISLED, REJECTED, MISLED], ("incorrect", "misled")),
}

RECOGNISED: list[tuple[list[str], tuple[str, str]]] = [
    (["Yes", "Yes", "Yes"], ("correct", "exact")),
    (["Yes", "No", "Yes"], ("correct", "exact")),
    (["No", "No", "Yes"], ("incorrect", "wrong")),
    (["Yes", "No", "I do not know."], ("unscored", "tie")),
]
"""How the facts fare in the first round, in turn: only the first two kinds are known to the model."""


def spoken(text: str, item: Item) -> str:
    premise = item["premise"]
    true = premise["true_objects"][0]["label"]
    return text.format(subject=premise["subject"]["label"], object=premise["object"]["label"], true=true)


def test_false_premises_from_the_first_round_to_the_votes(steps: Callable[..., Done], tmp_path: Path) -> None:
    made(fpq.app, "--domain", "art", "--n", "12", "--out", "items.jsonl")
    items = read_lines(tmp_path / "items.jsonl")
    groups = list(dict.fromkeys(item["group"] for item in items))
    kind = {group: number % len(RECOGNISED) for number, group in enumerate(groups)}

    def of(item: Item) -> tuple[list[str], tuple[str, str]]:
        if item["task"] == "premise":
            return PREMISE[item["variant"]]
        return RECOGNISED[kind[item["group"]]] if item["variant"] == "tpq" else YES_NO[item["variant"]]

    known = Known(items, lambda item, turn: spoken(of(item)[0][turn], item))
    with model_server(Script(answer=known.answer)) as server:
        ask(steps, server, "--preset", "fpq", "--only", "task=yes_no", "--only", "variant=tpq", "--out", "responses.jsonl")
        verify(steps, "responses.jsonl", "first.jsonl", "--vote")
        done = ask(steps, server, "--preset", "fpq", "--gate", "first.jsonl", "--out", "responses.jsonl")
    assert "groups: 6 passed, 6 failed" in done.stderr
    first = {item["id"]: of(item)[1] for item in items if (item["task"], item["variant"]) == ("yes_no", "tpq")}
    assert votes("first.jsonl") == first
    assert Counter(outcome for outcome, _ in first.values()) == {"correct": 6, "incorrect": 3, "unscored": 3}

    wanted = [item for item in items if item["id"] in first or kind[item["group"]] < 2]
    assert known.turns == {item["id"]: 3 for item in wanted}
    verify(steps, "responses.jsonl", "verdicts.jsonl", "--vote")
    assert votes("verdicts.jsonl") == {item["id"]: of(item)[1] for item in wanted}
    assert len(read_lines(tmp_path / "verdicts.jsonl")) == 4 * len(wanted)


# --- entities: probes let a group through, strictly or as published


SIDES = ["Yes.", "I am not sure.", "No.", "Yes, I have."]
"""How the probes are answered, group by group."""

SAID: Mapping[int, tuple[list[str], tuple[str, str], bool]] = {
    0: (["{right}, it is {title}.", "{right}.", "{right}: {title}."], ("correct", "exact"), True),
    1: (["{wrong}.", "{right}, it is {title}.", "{right}."], ("correct", "exact"), False),
    3: (["{right}, it is {title}.", "{wrong}, it is {title}.", "I do not know."], ("unscored", "tie"), True),
}
"""What is said three times in the groups that are asked on, the vote that must come of it, and whether the hop is right."""


@pytest.mark.parametrize(("rule", "asked"), [("strict", (0, 3)), ("published", (0, 1, 3))])
def test_entities_from_the_probes_to_the_votes(
    steps: Callable[..., Done], tmp_path: Path, rule: str, asked: tuple[int, ...]
) -> None:
    drawn = family_made.items(family_made.made("director"))
    groups = list(dict.fromkeys(item["group"] for item in drawn))[:12]
    items = [item for item in drawn if item["group"] in groups]
    write_lines(tmp_path / "items.jsonl", items)
    kind = {group: number % len(SIDES) for number, group in enumerate(groups)}

    def says(item: Item, turn: int) -> str:
        if item["task"] == "probe":
            return SIDES[kind[item["group"]]]
        right, wrong = ("Yes", "No") if item["answer"] == ["yes"] else ("No", "Yes")
        title = item["rationale"][0]["value"]
        return SAID[kind[item["group"]]][0][turn].format(right=right, wrong=wrong, title=title)

    known = Known(items, says)
    with model_server(Script(answer=known.answer)) as server:
        ask(steps, server, "--preset", "erbench", "--only", "task=probe", "--out", "probes.jsonl")
        verify(steps, "probes.jsonl", "first.jsonl")
        gate = ("--gate", "first.jsonl", "--known-rule", rule)
        done = ask(steps, server, "--only", "task=yes_no", *gate, "--samples", 3, "--out", "responses.jsonl")
    assert f"groups: {3 * len(asked)} passed, {3 * (4 - len(asked))} failed" in done.stderr
    assert Counter(v["outcome"] for v in read_lines(tmp_path / "first.jsonl")) == {"correct": 6, "abstained": 3, "incorrect": 3}

    through = [item for item in items if item["task"] == "yes_no" and kind[item["group"]] in asked]
    assert known.turns == {i["id"]: 3 for i in through} | {i["id"]: 1 for i in items if i["task"] == "probe"}
    verify(steps, "responses.jsonl", "verdicts.jsonl", "--vote")
    assert votes("verdicts.jsonl") == {item["id"]: SAID[kind[item["group"]]][1] for item in through}
    hops = {v["item"]: v["rationale"] for v in read_lines(tmp_path / "verdicts.jsonl") if v["sample"] is None}
    assert hops == {item["id"]: [SAID[kind[item["group"]]][2]] for item in through}
