"""Items, answers and verdicts made up for the tests of the metrics, by chance with a fixed seed, and read as files are."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from queries.records import read_frame
from queries.records.item import Item
from queries.records.response import Response
from queries.records.verdict import Verdict

Row = dict[str, Any]
REASONS = {"correct": ["exact"], "incorrect": ["wrong"], "abstained": ["unsure"],
           "unscored": ["empty", "echo", "repetition", "refused", "unparsed", "unclear", "api_error"]}  # fmt: skip
EDITS = ["NSC", "NDC", "NNSC", "NNDC", "NNSR", "NNDR"]


class Frames(NamedTuple):
    """The three frames that metrics are computed from."""

    items: pl.DataFrame
    responses: pl.DataFrame
    verdicts: pl.DataFrame


class World(NamedTuple):
    """What was made: items by id, and answers (a response with its verdict, which may be null)."""

    items: dict[str, Row]
    answers: list[Row]


def item(id: str, method: str, task: str, group: str, **more: Any) -> Row:
    """Make an item that says nothing but this."""
    plain = {"schema": "kgprobe.item/1", "id": id, "method": method, "family": method, "task": task, "variant": "basic"}
    return plain | {"question": f"What of {group}?", "group": group, "answer": None} | more


def answer(item: str, model: str, text: str | None, verdict: Row | None, **more: Any) -> Row:
    """Make an answer; `verdict` holds its outcome, reason, answer and rationale."""
    return {"item": item, "model": model, "sample": 0, "run": None, "text": text, "verdict": verdict} | more


def verdict(outcome: str, reason: str, answer: str | None = None, rationale: list[bool] | None = None) -> Row:
    """Make what a judge says."""
    return {"outcome": outcome, "reason": reason, "answer": answer, "rationale": rationale or []}


def frames(world: World, folder: Path) -> Frames:
    """Write the world as files of records, read them, and add the runs."""
    made = {
        "items": list(world.items.values()),
        "responses": [_response(a) for a in world.answers if a["sample"] is not None],
        "verdicts": [_verdict(a) for a in world.answers if a["verdict"] is not None],
    }
    runs = {
        "responses": [a["run"] for a in world.answers if a["sample"] is not None],
        "verdicts": [a["run"] for a in world.answers if a["verdict"] is not None],
    }
    read = []
    for name, model in (("items", Item), ("responses", Response), ("verdicts", Verdict)):
        frame = _read(folder / f"{name}.jsonl", model, made[name])
        named = name in runs and any(run is not None for run in runs[name])
        read.append(frame.with_columns(pl.Series("run", runs[name], pl.String)) if named else frame)
    return Frames(*read)


def _read(path: Path, model: Any, lines: list[Row]) -> pl.DataFrame:
    """Read records as the project does; the same answer in several runs stands in one frame, so that keys are told apart."""
    if not lines:
        return pl.DataFrame(schema={"item": pl.String, "model": pl.String, "sample": pl.Int64})
    by_run: list[list[Row]] = []
    seen: list[set[tuple[Any, ...]]] = []
    places = []
    for line in lines:
        key = tuple(line.get(name) for name in model.KEY)
        at = next((n for n, keys in enumerate(seen) if key not in keys), len(seen))
        if at == len(seen):
            seen.append(set())
            by_run.append([])
        seen[at].add(key)
        places.append((at, len(by_run[at])))
        by_run[at].append(line)
    parts = []
    for part in by_run:
        path.write_text("".join(json.dumps(line) + "\n" for line in part))
        parts.append(read_frame(path, model))
    starts = [sum(len(part) for part in by_run[:n]) for n in range(len(by_run))]
    return pl.concat(parts)[[starts[at] + n for at, n in places]]


def _response(a: Row) -> Row:
    error = {"kind": "server", "status": 500, "message": ""} if a["text"] is None else None
    return {"schema": "kgprobe.response/1", "error": error} | {key: a[key] for key in ("item", "model", "sample", "text")}


def _verdict(a: Row) -> Row:
    told: Row = {"schema": "kgprobe.verdict/1", "contradicted": [], "spans": [], "judge": None}
    return {**told, **{key: a[key] for key in ("item", "model", "sample")}, **a["verdict"]}


def by_chance(chance: random.Random, *, hops: int = 0, weights: tuple[int, ...] = (5, 3, 1, 1)) -> Row:
    """Draw a verdict."""
    outcome = chance.choices(list(REASONS), weights)[0]
    right = [outcome != "unscored" and chance.random() < 0.6 for _ in range(hops)]
    return verdict(outcome, chance.choice(REASONS[outcome]), None, right)


def text_of(told: Row, said: str = "something") -> str | None:
    """Return a text that a verdict may be on: none after an error."""
    return None if told["reason"] == "api_error" else said
