"""One item as a person reads it: the question and its answer, what the graph says, and what became of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from evaluators.report.items import REASONS
from evaluators.verify.explain import marked
from kg.errors import nearest
from kg.graph import Graph
from kg.output import short
from kg.text import harmless
from queries.errors import RecordError
from queries.records import Line, Record, Response, Source, Verdict, records_in
from queries.records.item import Item
from queries.why import Ground, grounds_of

R = TypeVar("R", bound=Record)

_ROWS = 10
"""How many rows of a query are shown."""


@dataclass(frozen=True)
class Answered:
    """What a model answered to an item, and how that was judged; of a vote there is no response."""

    response: Response | None
    verdict: Verdict | None

    @property
    def key(self) -> tuple[str, int | None]:
        """The model and the sample; null for a vote."""
        record = self.response or self.verdict
        assert record is not None
        return record.model, record.sample


def item_called(items: Source, name: str) -> Item:
    """Return the item of a file with an id, or with an id that ends in `name` and no other does.

    Raises RecordError where there is none, or several end so.
    """
    ids, found = list[str](), list[Item]()
    for _, item in records_in(items, Item):
        if item.id == name:
            return item
        ids.append(item.id)
        found += [item] if item.id.endswith(name) else []
    if len(found) == 1:
        return found[0]
    if found:
        way_out = f"write more of it: {', '.join(item.id for item in found[:3])}"
        raise RecordError(f"{len(found)} ids end in '{name}'", place=items.place, way_out=way_out)
    like = nearest(name, ids)
    way_out = f"it has {len(ids):,} items, such as {ids[0]}" if ids and not like.startswith("did you mean") else like
    raise RecordError(f"there is no item '{name}'", place=items.place, way_out=way_out)


def answers_to(
    item: Item, responses: Source | None, verdicts: Source | None, *, model: str | None = None, sample: int | None = None
) -> list[Answered]:
    """Return the answers to an item with their verdicts, of one model or sample where that is given.

    Raises RecordError where files are given, and none of them has such an answer.
    """
    if responses is None and verdicts is None:
        return []
    answered = {(one.model, one.sample): one for _, one in _records(responses, Response) if one.item == item.id}
    judged = {(one.model, one.sample): one for _, one in _records(verdicts, Verdict) if one.item == item.id}
    every = [Answered(answered.get(key), judged.get(key)) for key in dict.fromkeys([*answered, *judged])]  # type: ignore[arg-type]
    wanted = [one for one in every if model in (None, one.key[0]) and sample in (None, one.key[1])]
    if not wanted:
        place = (responses or verdicts or Source("", "")).place
        known = nearest(model, {one.key[0] for one in every}) if model and every else "ask a model, or name other files"
        raise RecordError(f"there is no such answer to {item.id}", place=place, way_out=known)
    return wanted


def _records(path: Source | None, record: type[R]) -> Iterable[tuple[Line, R]]:
    return () if path is None else records_in(path, record)


def story(item: Item, graph: Graph, answers: Sequence[Answered] = (), *, sparql: bool = True) -> str:
    """Tell why: question, answer, what the graph says to each proof, and the answers given with their verdicts.

    Parameters: `sparql` adds each query with its rows.
    """
    lines = [item.id, f"question  {item.question}"]
    lines += [f"   {number}. {option}" for number, option in enumerate(item.options or (), 1)]
    lines.append(f"answer    {_answer(item)}")
    grounds = grounds_of(item, graph)
    lines += [
        "",
        f"what the graph says ({graph.name.replace('kgp:graph/', '').replace(' ', ' + ')})"
        if grounds
        else "it carries no proof",
    ]
    lines += [_said(number, ground) for number, ground in enumerate(grounds, 1)]
    for one in answers:
        lines += ["", *_judged(one, item)]
    if sparql and grounds:
        lines += ["", "the queries, as `kg query` runs them, and what they return"]
        lines += [line for number, ground in enumerate(grounds, 1) for line in _asked(number, ground, graph.base)]
    return "\n".join("\n".join(map(harmless, line.split("\n"))) for line in lines) + "\n"


def _answer(item: Item) -> str:
    if item.answer is None:
        return "nobody knows" if item.parent is None else "what was answered before"
    if item.task == "choice" and item.options:
        return ", ".join(f"{number}. {item.options[int(number) - 1]}" for number in item.answer)
    first, *others = item.answer
    return first + (f"  (also: {', '.join(others)})" if others else "")


def _said(number: int, ground: Ground) -> str:
    fault = "" if ground.fault is None else f"  FAILS: {ground.fault}"
    return f"{number:>2}. {ground.sentence}{fault}"


def _asked(number: int, ground: Ground, base: str | None) -> Iterator[str]:
    first, *others = ground.sparql.split("\n")
    yield "\n".join([f"{number:>2}. {first}", *(f"    {line}" for line in others)])
    if ground.holds is not None:
        yield f"    -> {str(ground.holds).lower()}"
    elif ground.rows is not None:
        shown = ground.rows.head(_ROWS)
        for row in shown.iter_rows():
            yield "    -> " + "  ".join(short(term, base) if term else "-" for term in row)
        if ground.rows.height > _ROWS:
            yield f"    -> and {ground.rows.height - _ROWS:,} more rows"
        if ground.rows.is_empty():
            yield "    -> no rows"


def _judged(one: Answered, item: Item) -> Iterator[str]:
    model, sample = one.key
    verdict, response = one.verdict, one.response
    yield f"{model}, " + ("the vote of its samples" if sample is None else f"sample {sample}")
    if response is not None and response.error is not None:
        yield f"  an error came instead of an answer: {response.error.kind}"
    elif response is not None and response.text is not None:
        spans = () if verdict is None else tuple(verdict.spans)
        yield "\n".join(f"  | {line}" for line in marked(response.text, spans).split("\n"))
    if verdict is None:
        yield "  not judged"
        return
    by = "by the rules" if verdict.judge is None else f"by {verdict.judge}"
    yield f"  {verdict.outcome}, {by}: {REASONS.get(verdict.reason, verdict.reason)} ({verdict.reason})"
    if verdict.answer is not None:
        yield f"  understood: {verdict.answer}"
    named = [entry.slot for entry, right in zip(item.rationale, verdict.rationale, strict=False) if right]
    if verdict.rationale:
        yield f"  its explanation names {len(named)} of {len(verdict.rationale)}: {', '.join(named) or 'none'}"
    if verdict.contradicted:
        yield f"  it contradicts: {', '.join(verdict.contradicted)}"
