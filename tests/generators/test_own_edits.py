"""A user's own edit, a `.rq` file: whom it may name, how it is proved, what is said of those whom it may not."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import assume, given, settings
from typer.testing import CliRunner

from generators.fpq import EngineName, Options, Sampling, generate, open_edit
from generators.fpq.__main__ import app
from generators.fpq.edits import REASONS
from generators.fpq.own_edits import REFUSALS, open_edits
from kg import open_graph
from kg.errors import InputError
from oracle import _Check as Oracle
from plain_graph import Plain
from queries.audit import audit_items
from queries.domain import find_domain
from queries.records import frame_schema
from queries.records.item import Item
from queries.records.record import find_faults
from small_graphs import OPTIONS, PATIENTLY, Items, Small, items_of, small_graphs
from stories import FOLDER, Story, parts

MISTAKEN, NEXT_DOOR = (open_edit(FOLDER / "edits" / f"{name}.rq") for name in ("mistaken", "next-door"))
CAPITALS = find_domain(str(FOLDER / "capitals.toml"))
PLAIN = Options(own=(MISTAKEN,), sampling=Sampling.plain)
RUN = CliRunner()


@pytest.mark.parametrize("engine", EngineName)
@pytest.mark.parametrize("story", parts("own_edits.ttl"))
def test_who_may_stand_there(story: Story, engine: EngineName) -> None:
    result = generate(story.graph, CAPITALS, replace(PLAIN, engine=engine))
    fact = [item for item in lines(result.items) if item["premise"]["subject"]["label"] == "Norway"]
    own = {item["premise"]["object"]["label"] for item in fact if item["variant"] == "mistaken"}
    refused = {reason for reason, count in result.refused["mistaken"].items() if count}
    if story.expected == "Stockholm":
        assert own == {"Stockholm"}
        return
    assert not own
    assert all(reason.startswith(story.expected) for reason in refused)
    assert bool(refused) == (story.expected != "nobody")
    why = {REASONS[code] for code in result.edits.reasons[:, -1]}
    assert ("all whom its query finds are refused" in why) == (story.expected != "nobody")


def test_every_reason_has_its_story() -> None:
    told = {title.split(":")[0] for title in (FOLDER / "own_edits.ttl").read_text("utf-8").split("\n### ")[1:]}
    assert all(any(reason.startswith(start) for start in told) for reason in REFUSALS)


@pytest.fixture(scope="module")
def borders() -> Items:
    """Sixty facts about places of the starter graph, with an own edit."""
    return lines(generate(open_graph(), "place", Options(n=60, own=(NEXT_DOOR,), repeats=True)).items)


def test_an_own_premise_is_a_record_with_its_name_and_its_query_as_proof(borders: Items) -> None:
    own = [item for item in borders if item["variant"] == "next-door"]
    assert {item["task"] for item in own} == {"yes_no", "premise"}
    for item in own:
        assert (item["premise"]["edit"], item["strata"]["edit"], item["premise"]["hops"]) == ("next-door", "next-door", None)
        assert item["answer"] == [{"yes_no": "no", "premise": "reject"}[item["task"]]]
        assert not find_faults(Item, json.dumps(item))
        assert item["proof"][-1]["query"] == NEXT_DOOR.query
        assert [entry["name"] for entry in item["proof"][-1]["bind"]] == ["s", "p", "o", "edited"]


def test_the_six_edits_stay_as_they_are(borders: Items) -> None:
    without = lines(generate(open_graph(), "place", Options(n=60, repeats=True)).items)
    assert [item for item in borders if item["variant"] != "next-door"] == without


def test_the_audit_finds_who_no_longer_stands_where_the_query_says(borders: Items) -> None:
    own = [item for item in borders if item["variant"] == "next-door"]
    assert audit_items(open_graph(), frame(own)).passed
    one, other = own[0], next(item for item in own if item["premise"]["object"] != own[0]["premise"]["object"])
    one["proof"][-1]["bind"][3] = other["proof"][-1]["bind"][3]
    (failure,) = audit_items(open_graph(), frame(own)).failures
    assert (failure.item, failure.reason) == (one["id"], "expected true, found false")


def test_nobody_is_named_twice_among_twenty_facts_of_a_relation() -> None:
    result = generate(open_graph(), "place", Options(n=400, own=(NEXT_DOOR,)))
    named: dict[int, list[int]] = {}
    for p, x in zip(result.sample.triples.p.tolist(), result.edits.objects[:, -1].tolist(), strict=True):
        named.setdefault(p, []).append(x)
    blocks = [objects[at : at + 20] for objects in named.values() for at in range(0, len(objects), 20)]
    chosen = [[x for x in block if x >= 0] for block in blocks]
    assert sum(map(len, chosen)) > 50
    assert all(len(set(block)) == len(block) for block in chosen)


# --- brute force


@pytest.mark.slow
@settings(PATIENTLY, max_examples=30)
@given(small_graphs(), OPTIONS)
def test_brute_force_finds_the_same(small: Small, options: Options) -> None:
    graph, own = small.graph(), replace(options, own=(NEXT_DOOR,))
    items = items_of(graph, small, own)
    assume(items)
    assert items == items_of(graph, small, replace(own, engine=EngineName.sparql))
    plain, oracle = small.plain(graph), Oracle(small.plain(graph), small.wish(options))
    for group in {item["group"] for item in items}:
        fact = [item for item in items if item["group"] == group and item["task"] == "yes_no"]
        (true,) = (item for item in fact if item["variant"] == "tpq")
        s, p, o = (true["premise"][part]["iri"] for part in ("subject", "relation", "object"))
        allowed = {x for x in may_stand(plain, s, p) if why_not(oracle, s, p, o, x) is None}
        chosen = {item["variant"]: item["premise"]["object"]["iri"] for item in fact}
        six = {x for variant, x in chosen.items() if variant not in ("tpq", "next-door")}
        if "next-door" in chosen:
            assert chosen["next-door"] in allowed - six
        elif options.sampling is Sampling.plain:
            assert not allowed - six
    assert audit_items(graph, frame(items)).passed


def may_stand(plain: Plain, s: str, p: str) -> set[str]:
    """Whom the query finds, one fact at a time."""
    stops = {y for (x, _), objects in plain.objects.items() if x == s for y in objects}
    return {x for y in stops for x in plain.objects.get((y, p), ())}


def why_not(oracle: Oracle, s: str, p: str, o: str, x: str) -> str | None:
    """Why somebody may not be named: the strictest of the six edits' rules, but for where they look and of what kind."""
    anywhere = _Anywhere(oracle.plain, oracle.asked)
    return anywhere.why_not((s, p, o), "own-C", x)


class _Anywhere(Oracle):
    def _why_not_there(self, s: str, x: str, *, near: bool) -> str | None:
        return None

    def _why_not_kind(self, s: str, p: str, o: str, kind: str, x: str) -> str | None:
        return None


# --- what is no edit


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("#+ name: a\nASK { ?s ?p ?o }", "summary"),
        ("#+ name: a\n#+ summary: b\nASK { ?s ?p ?o }", "an edit is a SELECT of ?s ?p ?o ?edited"),
        ("#+ name: a\n#+ summary: b\nSELECT ?s ?p ?o { ?s ?p ?o }", "an edit is a SELECT of ?s ?p ?o ?edited"),
        ("#+ name: NSC\n#+ summary: b\nSELECT ?s ?p ?o ?edited { ?s ?p ?o, ?edited }", "an own edit cannot be called 'NSC'"),
        ("#+ name: tpq\n#+ summary: b\nSELECT ?s ?p ?o ?edited { ?s ?p ?o, ?edited }", "an own edit cannot be called 'tpq'"),
        (
            "#+ name: a\n#+ summary: b\nSELECT ?s ?p ?o ?edited { ?s ?p ?o, ?edited }\nLIMIT 9",
            "edit.rq:4: LIMIT would cut a batch",
        ),
        ("#+ name: a\n#+ summary: b\nSELECT ?s ?p ?o ?edited { ?s ?p ?o, ?edited ", "edit.rq:3"),
        ("#+ name: a\n#+ summary: b\nSELECT ?s ?p ?o (?o AS ?edited) { ?s ?p ?o }", "?edited stands in no pattern"),
        (
            "#+ name: a\n#+ summary: b\n#+ parameters: {s: {type: iri}}\nSELECT ?s ?p ?o ?edited { ?s ?p ?o, ?edited }",
            "an edit has a name and a summary only",
        ),
    ],
)
def test_what_is_no_edit_is_told_in_one_line(text: str, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "edit.rq"
    path.write_text(text)
    with pytest.raises(InputError) as told:
        open_edit(path)
    assert complaint in str(told.value)
    assert "\n" not in str(told.value)


def test_two_edits_of_one_name_are_told_apart_by_their_user() -> None:
    path = FOLDER / "edits" / "mistaken.rq"
    with pytest.raises(InputError, match=r"'mistaken' is the name of .*mistaken\.rq too; give each edit a name of its own"):
        open_edits([path, path])


def test_the_summary_says_what_the_query_finds_and_why_it_is_refused(tmp_path: Path) -> None:
    out, edit = tmp_path / "items.jsonl", FOLDER / "edits" / "next-door.rq"
    done = RUN.invoke(app, ["--domain", "place", "--n", "60", "--edit", str(edit), "--out", str(out)])
    assert done.exit_code == 0
    assert "next-door: " in done.stderr
    assert "its query finds nobody: " in done.stderr
    assert "it is the subject or a true object, or bears the name of one: " in done.stderr


def lines(items: pl.DataFrame) -> Items:
    return [json.loads(line) for line in items.write_ndjson().splitlines()]


def frame(items: Sequence[dict[str, Any]]) -> pl.DataFrame:
    """What the audit reads of some items."""
    schema = {name: frame_schema(Item)[name] for name in ("id", "proof")}
    return pl.DataFrame([{name: item[name] for name in schema} for item in items], schema=schema)
