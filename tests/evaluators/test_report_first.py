"""The first page: what it says of models whose habits are known, and of items that no model was asked yet."""

from __future__ import annotations

import html
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from fpq_made import EDITS, Command, fpq_item, read_lines, write_lines

Line = dict[str, Any]
FACTS = 60


def made() -> list[Line]:
    """Questions on sixty facts; of three edits each says whether the true or the edited object is the commoner one."""
    rng, items = random.Random(1), []
    for fact in range(FACTS):
        for variant in ("tpq", *EDITS):
            item = fpq_item(fact % 10, variant) | {"id": f"fpq.{variant}.{fact}", "group": f"g{fact}"}
            common = rng.choice(["true object", "edited object"]) if variant in ("NSC", "NNSC", "NNSR") else None
            items.append(item | {"strata": {"domain": "art", "mood": ("calm", "loud")[fact % 2], "commoner": common}})
    return items


def says(model: str, item: Line, rng: random.Random) -> str:
    """What a scripted model says: one knows all, one says no, one takes the commoner object for the true one."""
    true = item["variant"] == "tpq"
    if model == "knows-all":
        return "Yes." if true else "No."
    if model == "always-no":
        return "No."
    common = item["strata"]["commoner"]
    return "Yes." if common == "edited object" or (common is None and rng.random() < 0.5) else "No."


@pytest.fixture
def files(command: Command, tmp_path: Path) -> list[str]:
    """Ask the three and judge them; returns the arguments of a report."""
    items, rng = made(), random.Random(2)
    lines = [
        {"schema": "kgprobe.response/1", "item": item["id"], "model": model, "sample": 0, "text": says(model, item, rng)}
        for item in items
        for model in ("knows-all", "always-no", "by-frequency")
    ]
    named = [str(tmp_path / f"{name}.jsonl") for name in ("items", "responses", "verdicts")]
    write_lines(Path(named[0]), items)
    write_lines(Path(named[1]), lines)
    done = command("verify", "--items", named[0], "--responses", named[1], "--out", named[2])
    assert done.code == 0
    table = [line.split() for line in done.stderr.splitlines()]
    assert ["always-no", "yes_no", "0.857", "360", "60", "0", "0"] in table
    return [part for name, file in zip(("items", "responses", "verdicts"), named, strict=True) for part in (f"--{name}", file)]


def text_of(page: str, kind: str) -> list[str]:
    return [
        html.unescape(re.sub("<[^>]+>", "", found)) for found in re.findall(f'class="{kind}">(.*?)</(?:p|ul)>', page, re.DOTALL)
    ]


def test_the_first_page_says_of_each_model_what_it_is(command: Command, files: list[str], tmp_path: Path) -> None:
    done = command("report", *files, "--out", tmp_path / "report")
    assert done.code == 0
    assert done.stdout.index("knows-all") < done.stdout.index("What the answers came to")
    page = (tmp_path / "report/index.html").read_text()
    assert page.index('<section id="about"') < page.index('<section id="items"')
    [sentence] = text_of(page, "sentence")
    assert sentence.startswith("knows-all leads with 1.000 (0.9")
    [warnings] = text_of(page, "notices")
    assert "always-no answers no to 100% of 420 yes-no questions; no is right for 86%." in warnings
    assert "by-frequency answers as a guesser would who takes the commoner object for the true one (100% of 180)." in warnings
    assert "knows-all has nearly everything right (1.000): this set has little more to tell of it." in warnings
    assert "always-no is not above a guesser" in warnings
    assert "knows-all answers" not in warnings


def test_the_matrix_has_every_stratum_and_its_guessers(command: Command, files: list[str], tmp_path: Path) -> None:
    assert command("report", *files, "--out", tmp_path / "report").code == 0
    tables = json.loads((tmp_path / "report/metrics.json").read_text())["tables"]
    strata = tables["overview.strata"]["rows"]
    assert {row["stratum"] for row in strata} == {"*", "kind of question", "variant", "edit", "hops", "mood", "commoner"}
    calm = next(row for row in strata if (row["model"], row["value"]) == ("always-no", "calm"))
    assert (calm["score"], calm["score_n"], calm["left_out"]) == (0.5, FACTS // 2 * 7, 0)
    guessers = {row["guesser"]: row["score"] for row in tables["overview.guessers"]["rows"] if row["stratum"] == "*"}
    assert (guessers["chance"], guessers["majority"]) == (0.5, 0.5)
    common = [item["strata"]["commoner"] for item in made() if item["strata"]["commoner"]]
    assert guessers["frequency"] == pytest.approx(common.count("true object") / len(common))
    page = (tmp_path / "report/index.html").read_text()
    assert 'href="#items=0&amp;f%3Amood=calm"' in page


def test_clusters_of_errors_stand_where_errors_are(command: Command, files: list[str], tmp_path: Path) -> None:
    """Of two families one model fails on every question of one, and on none of the other."""
    items = [item | {"family": ("easy", "hard")[n % 2]} for n, item in enumerate(read_lines(Path(files[1])))]
    family = {item["id"]: item["family"] for item in items}
    write_lines(Path(files[1]), items)
    verdicts = [line for line in read_lines(Path(files[5])) if line["model"] == "knows-all"]
    failed = {"outcome": "incorrect", "reason": "wrong"}
    write_lines(Path(files[3]), [line for line in read_lines(Path(files[3])) if line["model"] == "knows-all"])
    write_lines(Path(files[5]), [line | (failed if family[line["item"]] == "hard" else {}) for line in verdicts])
    assert command("report", *files, "--out", tmp_path / "report").code == 0
    rows = json.loads((tmp_path / "report/metrics.json").read_text())["tables"]["overview.failures"]["rows"]
    assert {row["relation"] for row in rows} == {"hard"}
    assert all(family[row["example 1"]] == "hard" and row["lift"] == pytest.approx(2) for row in rows)


def test_what_is_unlike_is_not_ranked_in_silence(command: Command, files: list[str], tmp_path: Path) -> None:
    """One model was asked a tenth of the questions; eight more, all in one run, open ones that no other model was asked."""
    lines = read_lines(Path(files[3]))
    few = {f"fpq.{variant}.{fact}" for variant in ("tpq", *EDITS) for fact in range(6)}
    write_lines(Path(files[3]), [line for line in lines if line["model"] != "always-no" or line["item"] in few])
    plain: Line = {"task": "open", "premise": None, "answer": ["Ulm"], "method": "mine", "given": [], "strata": {}}
    asked = [fpq_item(fact, "tpq") | plain | {"id": f"open.{fact}", "group": f"o{fact}"} for fact in range(10)]
    said = [
        {"schema": "kgprobe.response/1", "item": item["id"], "model": f"m{n}", "sample": 0, "text": text}
        for place, item in enumerate(asked)
        for n, text in enumerate("Ulm." if place < number + 2 else "Bonn." for number in range(8))
    ]
    own = [write_lines(tmp_path / f"open-{name}.jsonl", some) for name, some in (("items", asked), ("responses", said))]
    judged = tmp_path / "open-verdicts.jsonl"
    assert command("verify", "--items", own[0], "--responses", own[1], "--out", judged).code == 0
    assert command("verify", "--items", files[1], "--responses", files[3], "--out", files[5]).code == 0
    more = f"open={own[0]},{own[1]},{judged}"
    assert command("report", *files, "--label", "first", "--more", more, "--out", tmp_path / "report").code == 0
    [warnings] = text_of((tmp_path / "report/index.html").read_text(), "notices")
    assert "Asked only a part of the questions of its kinds: first:always-no (42 of 420)." in warnings
    assert (
        "Unlike questions, so compare scores within a group only, or in one column below: first:knows-all, open:m7,"
        not in warnings
    )
    assert "open:m7, open:m6, open:m5" in warnings
    assert warnings.count(" on mine open") == warnings.count(" on fpq yes_no") == 1
    [sentence] = text_of((tmp_path / "report/index.html").read_text(), "sentence")
    assert "items of its own" in sentence
    rows = json.loads((tmp_path / "report/metrics.json").read_text())["tables"]["overview.pairs"]["rows"]
    assert len(rows) >= 7
    assert {"open:m7", "open:m6"} <= {row["first"] for row in rows} | {row["second"] for row in rows}


def test_items_alone_are_shown_before_a_model_is_asked(command: Command, tmp_path: Path) -> None:
    write_lines(tmp_path / "items.jsonl", made())
    done = command("report", "--items", tmp_path / "items.jsonl", "--out", tmp_path / "browser")
    assert (done.code, done.stdout) == (0, "")
    page = (tmp_path / "browser/index.html").read_text()
    assert '<h1 id="overview-title">420 items</h1>' in page
    assert "No model was asked yet" in page
    assert page.index('<a href="#items">') < page.index('<a href="#about">')
    assert page.index('<section id="items"') < page.index('<section id="about"')
    metrics = json.loads((tmp_path / "browser/metrics.json").read_text())
    assert (metrics["tables"], metrics["inputs"][0]["responses"]) == ({}, None)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["--responses", "r.jsonl"], "--responses have no verdicts; add --verdicts verdicts.jsonl"),
        (["--verdicts", "v.jsonl"], "--verdicts are about responses; add --responses responses.jsonl"),
        (["--compare", "a", "b"], "items alone have no models to compare; add --responses and --verdicts"),
    ],
)
def test_files_that_others_need_are_asked_for(given: list[str], told: str, command: Command, tmp_path: Path) -> None:
    write_lines(tmp_path / "items.jsonl", made()[:3])
    done = command("report", "--items", tmp_path / "items.jsonl", *given, "--out", tmp_path / "out")
    assert (done.code, len(done.stderr.splitlines())) == (2, 1)
    assert told in done.stderr
    assert not (tmp_path / "out").exists()
