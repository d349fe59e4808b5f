"""The pool of distractors of every answer: values near a value, names near a name, or what a model proposes.

| the answer | its distractors |
|---|---|
| is a date or a number | others near it, in its form and as precise |
| names something in the graph | names of the kind that is asked for, if it is of that kind; else of its type: nearest first |
| names nothing there, but the true answer does | names near the truth: the same kind and type |
| neither | names that such a question asks for (`like` of its template, or by how it begins: `kinds.toml`) |
| nothing in the graph fits | what was answered to other questions of the family, in the same file |

None reads like the answer or like an accepted one after folding; a number or a date never says the same in another form.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from generators.draw import keys_of
from generators.unseenqa.answers import Answer, texts_by_kind
from generators.unseenqa.distractors import NearNames
from generators.unseenqa.templates import load_templates
from generators.unseenqa.values import is_within, meanings, near, says_one_of
from kg.formats import shipped_toml
from kg.text import fold

SIZE = 20
"""So many distractors a pool has at most (LLM-as-KB, section 3.3 and table 8)."""
UNSURE = "unsure"
SHOWN = 3
"""So many distractors stand in one choice (LLM-as-KB, section 3.3)."""


class Pool(NamedTuple):
    """Where the distractors of an answer come from, and the options they make."""

    origin: str
    options: list[str]


def pools(
    answers: Sequence[Answer], names: NearNames, seed: int, proposed: Sequence[Sequence[str]] | None = None
) -> list[Pool]:
    """Return the pool of each answer; one that has fewer than three options cannot be asked for again.

    Parameters: `proposed` are a model's distractors of each answer; where it has too few, the others are taken.
    """
    keys = [int(key) for key in keys_of(seed, [f"{a.item.id}\0{a.model}\0{a.sample}" for a in answers])]
    anchors = [_anchor(answer, names) for answer in answers]
    around = names.near([anchor for anchor in anchors if anchor is not None])
    others = texts_by_kind(answers)
    made = []
    for number, (answer, key, anchor) in enumerate(zip(answers, keys, anchors, strict=True)):
        own = Pool("model", options(answer, proposed[number] if proposed is not None else ()))
        if len(own.options) >= SHOWN:
            made.append(own)
            continue
        near_it = around.get(anchor, []) if anchor is not None else []
        made.append(_pool(answer, key, anchor, near_it, names, others))
    return made


def _pool(
    answer: Answer,
    key: int,
    anchor: int | None,
    around: list[int],
    names: NearNames,
    others: dict[tuple[str, str | None], list[str]],
) -> Pool:
    if answer.value is not None:
        kind = answer.value.kind
        said = meanings((answer.core, *(answer.item.answer or ())), kind)
        true, step = meanings(answer.item.answer or (), kind), _step(answer)
        close = near(
            answer.value,
            key,
            SIZE,
            lambda text: says_one_of(text, said, kind) or (step is not None and is_within(text, true, step)),
        )
        return Pool("values", options(answer, close))
    sources: list[tuple[str, Callable[[], Iterable[str]]]] = [
        ("graph", lambda: names.of_one_kind(anchor, around, _like(answer)) if anchor is not None else []),
        ("graph", lambda: [name for x in around if (name := names.label(x))]),
        ("graph", lambda: names.alike(_like(answer), [key])[0]),
        ("answers", lambda: _turned(others[answer.item.family, answer.item.answer_type], key)),
    ]
    best = Pool("none", [])
    for origin, source in sources:
        pool = Pool(origin, options(answer, _as_full(answer, source(), names)))
        if len(pool.options) > len(best.options):
            best = pool
        if len(best.options) >= 2 * SHOWN:
            break
    return best


def _step(answer: Answer) -> Decimal | None:
    """Return to what step a number must be right that answers a question: one nearer to the truth is right, too."""
    try:
        return Decimal(answer.item.precision or "") if answer.item.answer_type == "number" else None
    except InvalidOperation:
        return None


def _as_full(answer: Answer, cores: Iterable[str], names: NearNames) -> Iterable[str]:
    """Name places with what they lie in where the answer is so named ("Anaheim, California"), those that can be first."""
    if ", " not in answer.core:
        return cores
    full = [(names.fuller(core), core) for core in cores]
    return [*(name for name, _ in full if name), *(core for name, core in full if not name)]


def options(answer: Answer, cores: Iterable[str]) -> list[str]:
    """Return the options that some cores make: none reads like the answer, the truth, "unsure" or one before it.

    A core that the question names is left out: nobody would pick it.
    """
    question = f" {fold(answer.item.question)} "
    seen = {*answer.truths, fold(UNSURE)}
    made: list[str] = []
    for core in cores:
        option = answer.framed(core)
        folds = {fold(core), fold(option)}
        if folds & seen or (len(core) > SHOWN and f" {fold(core)} " in question) or not fold(core):
            continue
        seen |= folds
        made.append(option)
        if len(made) == SIZE:
            break
    return made


def _anchor(answer: Answer, names: NearNames) -> int | None:
    """Return the entity that an answer names, or else that the true answer names."""
    if answer.value is not None:
        return None
    called, like = (answer.core, *(answer.item.answer or ())), _like(answer)
    return next((e for name in called if (e := names.entity(fold(name), like)) is not None), None)


def _turned(texts: list[str], key: int) -> list[str]:
    """Return texts from a place on, going round."""
    at = key % max(len(texts), 1)
    return texts[at:] + texts[:at]


def _like(answer: Answer) -> tuple[str, ...]:
    """Return the kinds of names that answer a question."""
    item = answer.item
    if item.method == "unseenqa" and (like := _of_templates().get(item.family)):
        return like
    said = (item.source.get("kind"), item.strata.get("property") or item.source.get("property"))
    own = tuple(str(each) for each in said if each)
    asked = fold(item.question)
    guessed = next((like for pattern, like in _kinds() if pattern.search(asked)), ())
    return (*own, *guessed)


@functools.cache
def _of_templates() -> dict[str, tuple[str, ...]]:
    """Return the kinds of names that answer each template that ships."""
    return {name: template.like for name, template in load_templates().items()}


@functools.cache
def _kinds() -> list[tuple[re.Pattern[str], tuple[str, ...]]]:
    return [
        (re.compile(kind["asked"]), tuple(kind["like"])) for kind in shipped_toml("generators.unseenqa", "kinds.toml")["kind"]
    ]


def kinds_apart() -> frozenset[str]:
    """Return the folded concepts that `kinds.toml` names: each is a kind of its own, whatever its last word.

    >>> "sovereign state" in kinds_apart()
    True
    """
    return frozenset(fold(name) for _, like in _kinds() for name in like)
