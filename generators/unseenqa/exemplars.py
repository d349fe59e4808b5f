"""Demonstrations for the prompts with shots: seen questions with their answers, unseen ones with "unsure".

Short answers and, of the same questions, choices with an option that says "unsure". Which of them go before a question is
decided when it is asked (`evaluators.prompts`): by hash or the nearest, two of four unsure or none.

Source: Zheng et al.: How Reliable are LLMs as Knowledge Bases? (2024), appendix D: 280 seen, 80 of them on the templates of the
unseen ones, and 40 unseen; none of them is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from generators.draw import keys_of
from generators.unseenqa.pools import SHOWN, UNSURE
from generators.unseenqa.values import find_value, near
from kg.text import fold
from queries.records.exemplar import EXEMPLAR_SCHEMA, Exemplar


class _Question(NamedTuple):
    question: str
    answers: tuple[str, ...]
    type: str
    group: str
    source: dict[str, str | None]


def exemplars_of(seen: pl.DataFrame, unseen: pl.DataFrame, seed: int) -> list[Exemplar]:
    """Return the exemplars of items that are held back: short answers, then choices.

    >>> exemplars_of(pl.DataFrame(), pl.DataFrame(), 0)
    []
    """
    questions = [*_questions(seen), *_questions(unseen)]
    answers: dict[str, list[str]] = {}
    for each in questions:
        if each.answers:
            answers.setdefault(each.type, []).append(each.answers[0])
    choices = [choice for each in questions if (choice := _choice(each, answers.get(each.type, []), seed)) is not None]
    return [*map(_open, questions), *choices]


def _questions(items: pl.DataFrame) -> Iterable[_Question]:
    for item in items.iter_rows(named=True):
        strata: dict[str, Any] = item["strata"]
        kind = strata.get("answer_type") or item["answer_type"]
        kind = {"time": "date", "entity": item["family"]}.get(kind, kind)
        source: dict[str, str | None] = {
            "family": item["family"],
            "property": strata.get("property") or item["family"],
            "seen": strata["seen"],
        }
        yield _Question(item["question"], tuple(item["answer"] or ()), kind, item["group"], source)


def _open(question: _Question) -> Exemplar:
    text = question.answers[0] if question.answers else UNSURE
    return Exemplar(
        schema=EXEMPLAR_SCHEMA,
        task="open",
        variant=_variant(question),
        question=question.question,
        text=text,
        group=question.group,
        source=question.source,
    )


def _variant(question: _Question) -> str:
    return "seen" if question.answers else "unseen"


def _choice(question: _Question, peers: Sequence[str], seed: int) -> Exemplar | None:
    """Make a choice of a question: its answer among three others, or four that nobody can tell right; and "unsure"."""
    key = int(keys_of(seed, [question.question])[0])
    wanted = SHOWN if question.answers else SHOWN + 1
    others = _others(question, peers, key)[:wanted]
    if len(others) < wanted:
        return None
    right = question.answers[0] if question.answers else UNSURE
    options = [*dict.fromkeys((right, UNSURE)), *others]
    order = np.argsort(keys_of(key, [str(place) for place in range(len(options))]), kind="stable")
    shown = [options[place] for place in order]
    return Exemplar(
        schema=EXEMPLAR_SCHEMA,
        task="choice",
        variant=_variant(question),
        question=question.question,
        options=shown,
        text=str(shown.index(right) + 1),
        group=question.group,
        source=question.source,
    )


def _others(question: _Question, peers: Sequence[str], key: int) -> list[str]:
    """Return what else might be answered: values near the answer, or answers to other questions of the kind."""
    at = key % max(len(peers), 1)
    turned = [*peers[at:], *peers[:at]]
    model = question.answers[0] if question.answers else _plausible(question)
    value = find_value(model, question.type)
    close = near(value, key, SHOWN + 1) if value is not None else []
    found = [model.replace(value.text, text, 1) for text in close] if value is not None else turned
    accepted = {fold(answer) for answer in question.answers}
    distinct = {fold(other): other for other in found if fold(other) and fold(other) not in accepted}
    return list(distinct.values())


def _plausible(question: _Question) -> str:
    """Return a number or a date that might be answered where nobody knows; nothing where a name is asked for."""
    if question.type == "date":
        return "1974" if "year" in question.question else "12 May 1974"
    return "4" if question.type == "number" else ""
