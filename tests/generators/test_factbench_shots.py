"""Demonstrations, pools by a model's verdicts, and the subset that people have read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import convert
from typer.testing import CliRunner

from evaluators.prompts.exemplars import kind_of
from evaluators.report import RunFiles, write_report
from generators.factbench import Options, generate
from generators.factbench.__main__ import app
from generators.factbench.commands import interval, marked, read_sheet, replaced, sheet
from generators.factbench.exemplars import other_answer, pools, shots
from generators.items import write_items
from kg import open_graph
from kg.errors import InputError, SourceError
from kg.text import fold
from queries.records import Exemplar, Item, Response, Verdict, records_in, write


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Items of the starter graph."""
    file = str(tmp_path_factory.mktemp("factbench") / "items.jsonl")
    write_items(file, generate(open_graph(), Options(n=200)).items)
    return file


@pytest.fixture(scope="module")
def items(path: str) -> list[Item]:
    return [item for _, item in records_in(path, Item)]


def verdict(item: Item, outcome: str, model: str = "m", sample: int = 0) -> Verdict:
    reason = {"correct": "exact", "incorrect": "wrong", "abstained": "unsure", "unscored": "refused"}[outcome]
    line = {
        "schema": "kgprobe.verdict/1",
        "item": item.id,
        "model": model,
        "sample": sample,
        "outcome": outcome,
        "reason": reason,
    }
    line |= {"answer": None, "rationale": [], "contradicted": [], "spans": [], "judge": None}
    return Verdict(**line)  # type: ignore[arg-type]


def test_one_set_covers_the_types_and_a_smaller_one_is_its_beginning(items: list[Item]) -> None:
    six, ten = shots(items, 6, 0), shots(items, 10, 0)
    assert {kind_of(shot.exemplar) for shot in six} == {"entity", "date", "number"}
    assert [shot.item.id for shot in ten[:6]] == [shot.item.id for shot in six]
    assert all(shot.exemplar.text == (shot.item.answer or [""])[0] for shot in ten)
    assert [shot.item.id for shot in shots(list(reversed(items)), 10, 0)] == [shot.item.id for shot in ten]
    assert [shot.item.id for shot in shots(items, 10, 1)] != [shot.item.id for shot in ten]


@pytest.mark.slow
def test_no_exchanged_answer_is_true_by_accident(items: list[Item]) -> None:
    made = shots(items, 32, 0, counterfactual=True)
    assert len(made) == 32
    for shot in made:
        right = {fold(answer) for answer in shot.item.answer or ()}
        assert fold(shot.exemplar.text) not in right
        # The one value that the item's proof returns is another one, in the graph as well.
        proof = shot.item.proof[0]
        terms = {each.name: each.term for each in proof.bind}
        labels = open_graph().select(f"SELECT ?l {{ {terms['s']} {terms['p']} ?o OPTIONAL {{ ?o rdfs:label ?l }} }}")
        assert shot.exemplar.text not in labels["l"].to_list()
        assert shot.exemplar.source["property"] == shot.item.strata["property"]


def test_an_answer_that_holds_the_right_one_is_not_taken(items: list[Item]) -> None:
    item = next(item for item in items if item.answer_type == "entity")
    name = (item.answer or [""])[0]
    from msgspec.structs import replace

    wider = replace(item, id="a.b", answer=[f"Greater {name}"])
    assert other_answer(item, [item, wider]) is None
    assert other_answer(item, [item, wider, replace(item, id="a.c", answer=["Atlantis"])]) == "Atlantis"


def test_pools_hold_what_is_always_right_and_what_never_is(items: list[Item]) -> None:
    known, unknown, wavering, unread = items[:10], items[10:20], items[20:25], items[25:30]
    verdicts = [verdict(item, "correct", sample=sample) for item in known for sample in (0, 1)]
    verdicts += [verdict(item, outcome) for item, outcome in zip(unknown, ["incorrect", "abstained"] * 5, strict=True)]
    verdicts += [v for item in wavering for v in (verdict(item, "correct"), verdict(item, "incorrect", sample=1))]
    verdicts += [verdict(item, "unscored") for item in unread]
    parts = pools(items, verdicts, None)
    assert ([i.id for i in parts.known], [i.id for i in parts.unknown]) == ([i.id for i in known], [i.id for i in unknown])


def test_pools_of_several_models_want_one_named(items: list[Item]) -> None:
    verdicts = [verdict(items[0], "correct", "a"), verdict(items[0], "incorrect", "b")]
    with pytest.raises(InputError, match="verdicts of 2 models: a, b"):
        pools(items, verdicts, None)
    with pytest.raises(InputError, match="no verdict on 'c'"):
        pools(items, verdicts, "c")
    assert [item.id for item in pools(items, verdicts, "b").unknown] == [items[0].id]


def test_the_command_writes_three_pools(items: list[Item], path: str, tmp_path: Path) -> None:
    from queries.records import write

    write(tmp_path / "verdicts.jsonl", [verdict(item, "correct" if n % 2 else "incorrect") for n, item in enumerate(items)])
    arguments = ["pools", str(tmp_path / "verdicts.jsonl"), "--items", path, "--out", str(tmp_path / "pool"), "--quiet"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    known, unknown, half = (
        [each for _, each in records_in(str(tmp_path / f"pool-{name}.jsonl"), Exemplar)]
        for name in ("known", "unknown", "mixed")
    )
    assert (len(known), len(unknown), len(half)) == (32, 32, 32)
    assert len({each.question for each in half} & {each.question for each in known}) == 16


def test_a_sheet_is_read_back_bad_items_are_replaced_and_the_bound_has_its_interval(items: list[Item], tmp_path: Path) -> None:
    lines = sheet(items, 20).decode().splitlines()
    assert len(lines) == 21
    filled = tmp_path / "sheet.csv"
    bad = {items[3].id}
    filled.write_text(
        "\n".join([lines[0], *(_filled(line, "no" if line.split(",")[0] in bad else "Yes") for line in lines[1:])])
    )
    judged = read_sheet(str(filled))
    premium = replaced(items, judged)
    assert (premium.read, premium.good, premium.missing) == (20, 19, 0)
    assert len({item.id for item in premium.items}) == 20
    assert not bad & {item.id for item in premium.items}
    new = next(item for item in premium.items if item.id not in judged)
    assert (new.strata["domain"], new.strata["popularity"]) == (items[3].strata["domain"], items[3].strata["popularity"])
    low, high = interval(19, 20)
    assert low < 0.95 < high
    assert {item.source["read"] for item in premium.items} == {"19 of 20"}


def test_the_report_shows_the_upper_bound_with_its_interval(items: list[Item], tmp_path: Path) -> None:
    tables = _report_on([marked(item, 190, 200) for item in items[:4]], tmp_path)
    row = tables["factbench.bound"]["rows"][0]
    assert (row["set"], row["valid"], row["valid_n"]) == ("200 read", 0.95, 200)
    assert (row["valid_low"], row["valid_high"]) == pytest.approx(interval(190, 200), abs=1e-4)
    assert "Upper bound, by people who read a part" in (tmp_path / "report" / "index.html").read_text("utf-8")
    assert "factbench.bound" not in _report_on(items[:4], tmp_path)


def _report_on(items: list[Item], folder: Path) -> dict[str, Any]:
    """Report on answers to some items, as the command does: the tables of its `metrics.json`."""
    paths = [str(folder / f"{name}.jsonl") for name in ("items", "responses", "verdicts")]
    said = {"schema": "kgprobe.response/1", "model": "m", "sample": 0, "text": "x"}
    write(paths[0], items)
    write(paths[1], [convert({**said, "item": item.id}, Response) for item in items])
    write(paths[2], [verdict(item, "incorrect") for item in items])
    write_report([RunFiles(None, *paths)], folder / "report")
    tables: dict[str, Any] = json.loads((folder / "report" / "metrics.json").read_text("utf-8"))["tables"]
    return tables


def test_a_sheet_that_says_neither_yes_nor_no_is_refused_with_its_line(items: list[Item], tmp_path: Path) -> None:
    lines = sheet(items, 2).decode().splitlines()
    filled = tmp_path / "sheet.csv"
    filled.write_text("\n".join([lines[0], _filled(lines[1], "yes"), _filled(lines[2], "perhaps")]))
    with pytest.raises(SourceError, match=r"sheet\.csv:3: 'perhaps' says neither yes nor no"):
        read_sheet(str(filled))


def _filled(line: str, said: str) -> str:
    return f"{line.removesuffix(',,')},{said},"


def test_the_generator_splits_by_subject_and_refuses_a_split_of_everything(tmp_path: Path) -> None:
    out, train = tmp_path / "eval.jsonl", tmp_path / "train.jsonl"
    arguments = ["--n", "80", "--train", "20", "--out", str(out), "--train-out", str(train), "--quiet"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    subjects = [{json.loads(line)["source"]["subject"] for line in file.read_text().splitlines()} for file in (out, train)]
    assert [len(file.read_text().splitlines()) for file in (out, train)] == [60, 20]
    assert not subjects[0] & subjects[1]
    refused = CliRunner().invoke(app, ["--n", "20", "--train", "20", "--out", str(out)])
    assert isinstance(refused.exception, InputError)


@pytest.mark.parametrize("command", [["sheet", "{}"], ["exemplars", "{}"], ["pools", "{}", "--items", "{}"]])
def test_a_file_without_an_item_is_refused(command: list[str], tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    out = str(tmp_path / "out")
    result = CliRunner().invoke(app, [part.format(empty) for part in command] + ["--out", out])
    assert isinstance(result.exception, InputError)
    assert "holds no item" in str(result.exception)
    assert list(tmp_path.iterdir()) == [empty]
