"""Each answer asked for again: twenty choices among it and distractors, with a way out.

Source: Zheng et al.: How Reliable are LLMs as Knowledge Bases? (2024), section 2.2: Cons(q, r) is the share of choices in which
a model picks its own answer r again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from generators.draw import Keys, keys_of, mix, word
from generators.graph_columns import GraphColumns
from generators.items import assemble, source_of
from generators.unseenqa.answers import Answer, Answers, read_answers
from generators.unseenqa.asking import Helper
from generators.unseenqa.distractors import NearNames
from generators.unseenqa.make import METHOD, STRATA
from generators.unseenqa.pools import SHOWN, UNSURE, Pool, kinds_apart, pools
from kg.graph import Graph
from kg.sets import Ints
from queries.records import frame_schema
from queries.records.item import Item

CHOICES = 20
"""So many choices are made of an answer (section 3.3)."""
FAMILY = "consistency"


@dataclass(frozen=True)
class Again:
    """The choices, how many answers they ask for again, where the distractors come from, and why some answers are left out."""

    items: pl.DataFrame
    answers: int
    origins: Counter[str]
    left_out: Counter[str]


def consistency(
    graph: Graph, responses: str, items: str, *, seed: int = 0, verdicts: str | None = None, helper: Helper | None = None
) -> Again:
    """Make the choices of a file of responses to open questions.

    Parameters: `items` is the file of the questions; `verdicts` one of verdicts on the responses, else the rules judge;
    `helper` is a model that proposes distractors, twenty for each answer in one request.

    Raises RecordError where a line of a file is no such record, InputError where a response is to no item of the file,
    ModelError where the helper cannot be asked at all.
    """
    names = NearNames(GraphColumns.of(graph, seed), kinds_apart())
    read = read_answers(responses, items, names.bears, verdicts)
    proposed = None if helper is None else helper.distractors(read.answers)
    named = {} if helper is None else {"helper": helper.name}
    return choices(read, pools(read.answers, names, seed, proposed), source_of(graph, seed) | named, seed)


def choices(read: Answers, made: Sequence[Pool], source: Mapping[str, str], seed: int) -> Again:
    """Make the choices of answers with their pools; an answer with fewer than three distractors is left out and counted."""
    left_out, origins = Counter(read.left_out), Counter[str]()
    asked: list[tuple[Answer, Pool]] = []
    for answer, pool in zip(read.answers, made, strict=True):
        if len(pool.options) < SHOWN:
            left_out["fewer than three distractors are at hand"] += 1
        else:
            origins[pool.origin] += 1
            asked.append((answer, pool))
    return Again(_items(asked, source, seed), len(asked), origins, left_out)


def _items(asked: Sequence[tuple[Answer, Pool]], source: Mapping[str, str], seed: int) -> pl.DataFrame:
    """Make the items, twenty for each answer, in the order of the answers."""
    keys = keys_of(seed, [f"{a.item.id}\0{a.model}\0{a.sample}" for a, _ in asked])
    own = _answers_frame(asked)
    rows = own[np.repeat(np.arange(own.height), CHOICES)]
    turn = np.tile(np.arange(CHOICES), own.height)
    every = np.repeat(keys, CHOICES)
    drawn = mix(every, keys_of(seed, map(str, range(CHOICES)))[turn])
    rows = rows.with_columns(pl.Series("turn", turn, pl.Int64), _options(asked, drawn).alias("options"))
    rows = rows.with_columns(told=pl.col("options").list.join("\0"))
    items = assemble(
        rows,
        bindings=["id", "model", "sample", "turn", "told"],
        strata={name: pl.col(f"strata_{name}") for name in STRATA},
        source={**source, "subject": pl.col("subject"), "distractors": pl.col("origin")},
        method=METHOD,
        family=FAMILY,
        task="choice",
        variant="again",
        question=pl.col("question"),
        options=pl.col("options"),
        answer_type=pl.col("answer_type"),
        given=pl.col("given"),
        group=pl.col("group"),
        parent=pl.struct(item="id", model="model", sample="sample"),
    )
    # The id names what the choice was made from, for whoever reads a list of them.
    ends = items["id"].str.tail(16)
    return items.with_columns(id=pl.format(f"{METHOD}.{FAMILY}.choice.{{}}.{{}}", rows["named"], ends))


def _answers_frame(asked: Sequence[tuple[Answer, Pool]]) -> pl.DataFrame:
    """Return a row for each answer with what its choices take over from its question."""
    schema = frame_schema(Item, {"strata": {}, "source": {}})
    columns: dict[str, tuple[list[Any], Any]] = {
        "id": ([a.item.id for a, _ in asked], pl.String),
        "model": ([a.model for a, _ in asked], pl.String),
        "sample": ([a.sample for a, _ in asked], pl.Int64),
        "named": ([f"{a.item.id}.{_plain(a.model)}.{a.sample}" for a, _ in asked], pl.String),
        "question": ([a.item.question for a, _ in asked], pl.String),
        "answer_type": ([a.item.answer_type for a, _ in asked], pl.String),
        "group": ([a.item.group for a, _ in asked], pl.String),
        "subject": ([_text(a.item.source.get("subject")) for a, _ in asked], pl.String),
        "origin": ([pool.origin for _, pool in asked], pl.String),
        "given": (
            [[{"slot": g.slot, "value": g.value, "claim": g.claim} for g in a.item.given] for a, _ in asked],
            schema["given"],
        ),
        **{f"strata_{name}": ([_text(a.item.strata.get(name)) for a, _ in asked], pl.String) for name in STRATA},
    }
    return pl.DataFrame([pl.Series(name, values, dtype=dtype) for name, (values, dtype) in columns.items()])


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _plain(model: str) -> str:
    """Return a model's name as a part of an id."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", model).strip("-") or "model"


def _options(asked: Sequence[tuple[Answer, Pool]], drawn: Keys) -> pl.Series:
    """Return five options for each choice: the answer, three of its pool and "unsure", in an order by hash."""
    if not asked:
        return pl.Series([], dtype=pl.List(pl.String))
    texts, first, size = _texts(asked)
    row = np.repeat(np.arange(len(asked)), CHOICES)
    picked = _picked(drawn, size[row])
    chosen = np.column_stack([first[row], first[row] + 1, first[row, None] + 2 + picked])
    order = np.argsort(np.column_stack([mix(drawn, word(f"place {i}")) for i in range(SHOWN + 2)]), axis=1)
    shuffled = np.take_along_axis(chosen, order, axis=1)
    return texts.gather(shuffled.ravel()).reshape((len(row), SHOWN + 2)).arr.to_list()


def _texts(asked: Sequence[tuple[Answer, Pool]]) -> tuple[pl.Series, Ints, Ints]:
    """Return all texts in one column (answer, "unsure", pool of each), where each answer's begin, the sizes of the pools."""
    texts = [text for answer, pool in asked for text in (answer.option, UNSURE, *pool.options)]
    size = np.array([len(pool.options) for _, pool in asked], np.int64)
    return pl.Series(texts, dtype=pl.String), np.cumsum(size + 2) - (size + 2), size


def _picked(drawn: Keys, size: Ints) -> Ints:
    """Return three distinct places below each size, every three of them equally likely."""
    widest = int(size.max())
    ranks = np.column_stack([mix(drawn, word(f"distractor {i}")) for i in range(widest)])
    # What lies beyond a pool's size comes last; one bit less leaves room for that mark.
    ranks = np.where(np.arange(widest)[None, :] < size[:, None], ranks >> np.uint64(1), np.uint64(2**64 - 1))
    return np.argpartition(ranks, SHOWN - 1, axis=1)[:, :SHOWN].astype(np.int64)
