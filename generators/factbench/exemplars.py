"""Demonstrations from items: one fixed set for all models, with answers right or exchanged; pools by what a model knows.

FACT-BENCH, sections 3 and 4: few-shot exemplars that cover the types of answers; counterfactual ones, whose answer is that of
another fact of the same property; exemplars of what a model knows, does not know, and half of each.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import NamedTuple

from generators.draw import keys_of
from kg.errors import InputError
from kg.text import fold
from queries.records import Exemplar, Item, Verdict
from queries.records.exemplar import EXEMPLAR_SCHEMA

_TYPES = ("entity", "date", "number")


class Shot(NamedTuple):
    """A demonstration, and the item whose question it shows."""

    exemplar: Exemplar
    item: Item


class Pools(NamedTuple):
    """Items of a pool to learn from, by what a model knows: all of its answers right, or none."""

    known: list[Item]
    unknown: list[Item]


def shots(items: Iterable[Item], n: int, seed: int, *, counterfactual: bool = False) -> list[Shot]:
    """Choose up to `n` demonstrations: the types of answers take turns, and within a type the properties.

    The same items, number and seed give the same set; a smaller number gives its beginning. With `counterfactual` each shows
    the answer of another item of its property, and an item that no other can give one is passed over.
    """
    asked = _in_hash_order([item for item in items if item.task == "open" and item.answer], seed)
    others = _by_property(asked) if counterfactual else {}
    made: list[Shot] = []
    for item in _in_turns(asked):
        shown = other_answer(item, others[_property(item)]) if counterfactual else (item.answer or [""])[0]
        if len(made) == n:
            break
        if shown is not None:
            made.append(Shot(_exemplar(item, shown, counterfactual), item))
    return made


def other_answer(item: Item, candidates: Sequence[Item]) -> str | None:
    """Return the answer of another item of the property that is wrong here; null where there is none.

    What is right is said by the item's own proof: its SELECT returns one value. The other one has none of its spellings,
    holds none of them, is held by none, and does not stand in the question. Dates are of its precision, numbers of its unit.
    """
    right = {fold(answer) for answer in item.answer or ()}
    question = f" {fold(item.question)} "
    at = next((n for n, other in enumerate(candidates) if other.id == item.id), -1)
    for other in (*candidates[at + 1 :], *candidates[: max(at, 0)]):
        if other.unit != item.unit or (item.answer_type == "date" and other.precision != item.precision):
            continue
        spellings = {fold(answer) for answer in other.answer or ()}
        if spellings and not _overlap(right, spellings) and not any(f" {each} " in question for each in spellings):
            return (other.answer or [""])[0]
    return None


def _overlap(one: set[str], two: set[str]) -> bool:
    """Tell whether a spelling of the one is, holds, or is held by a spelling of the other, as whole words."""
    return any(f" {a} " in f" {b} " or f" {b} " in f" {a} " for a in one for b in two)


def pools(items: Iterable[Item], verdicts: Iterable[Verdict], model: str | None) -> Pools:
    """Part items by a model's own verdicts: known, where all of its answers are right, and unknown, where none is.

    Unscored answers say nothing. Raises InputError where the verdicts are of several models and none is named, or of another.
    """
    outcomes: dict[str, set[str]] = defaultdict(set)
    models: Counter[str] = Counter()
    for verdict in verdicts:
        models[verdict.model] += 1
        if verdict.outcome != "unscored" and model in (None, verdict.model):
            outcomes[verdict.item].add(verdict.outcome)
    _check_models(models, model)
    known, unknown = [], []
    for item in items:
        said = outcomes.get(item.id, set())
        if said == {"correct"}:
            known.append(item)
        elif said and "correct" not in said:
            unknown.append(item)
    return Pools(known, unknown)


def _check_models(models: Counter[str], model: str | None) -> None:
    if model is None and len(models) > 1:
        raise InputError(f"verdicts of {len(models)} models: {', '.join(sorted(models))}", way_out="name one: --model NAME")
    if model is not None and model not in models:
        names = ", ".join(sorted(models)) or "none"
        raise InputError(f"no verdict on '{model}'; there are those of {names}", place="--model", way_out="name one of them")


def mixed(known: Sequence[Shot], unknown: Sequence[Shot], n: int) -> list[Shot]:
    """Return `n` demonstrations, half of them known: those of both kinds take turns.

    >>> mixed([], [], 4)
    []
    """
    half = n // 2
    pairs = zip_longest(known[: n - half], unknown[:half])
    return [shot for pair in pairs for shot in pair if shot is not None]


# --- order


def _in_hash_order(items: Sequence[Item], seed: int) -> list[Item]:
    keys = keys_of(seed, [f"shot\0{item.id}" for item in items]).tolist()
    return [item for _, item in sorted(zip(keys, items, strict=True), key=lambda pair: pair[0])]


def _in_turns(items: Sequence[Item]) -> Iterator[Item]:
    """Yield an item of each type in turn; within a type one of each property in turn."""
    by_type = {kind: [item for item in items if item.answer_type == kind] for kind in _TYPES}
    rest = [item for item in items if item.answer_type not in _TYPES]
    rings = [_turns(list(_by_property(ring).values())) for ring in (*by_type.values(), rest)]
    return iter(_turns(rings))


def _turns(rings: Sequence[Sequence[Item]]) -> list[Item]:
    return [item for item in chain.from_iterable(zip_longest(*rings)) if item is not None]


def _by_property(items: Iterable[Item]) -> dict[str, list[Item]]:
    rings: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        rings[_property(item)].append(item)
    return rings


def _property(item: Item) -> str:
    return str(item.strata.get("property") or item.family)


def _exemplar(item: Item, shown: str, counterfactual: bool) -> Exemplar:
    kept = ("digest", "graph", "generator", "seed", "subject")
    source: dict[str, str | None] = {name: str(value) for name, value in item.source.items() if name in kept}
    source |= {"property": _property(item), "item": item.id, "style": "counterfactual" if counterfactual else "few-shot"}
    if counterfactual:
        source["true"] = (item.answer or [""])[0]
    return Exemplar(schema=EXEMPLAR_SCHEMA, task="open", question=item.question, text=shown, group=item.group, source=source)
