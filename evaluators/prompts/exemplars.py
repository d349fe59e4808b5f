"""Which exemplars stand before a question: drawn by hash or nearest to it, balanced, and never the question's own fact.

```
python -m evaluators.ask items.jsonl --model replay:answers.jsonl --setting few-shot --exemplars e.jsonl --out - --dry-run
python -m evaluators.ask items.jsonl --model replay:answers.jsonl --setting few-shot --exemplars e.jsonl --nearest tfidf --out -
```

Exemplars of the item's task are kept apart by what they demonstrate: yes and no, the option that is picked, the type of
a short answer (date, number, entity), knowing and not knowing. The kinds take turns, so that their numbers differ by
one at most while the file has enough of each (ERBench, appendix C.2; FACT-BENCH, section 3). Within a kind an item takes
the exemplars that follow hash(seed, item) on a ring, or those whose questions are nearest; to yes-no questions and
choices those of the item's own family (`source.family`) go before all others, since ERBench writes demonstrations for each
of its databases. Then they are put into an order by hash. The same seed, item and file show the same exemplars; a seed
changes them. An exemplar whose answer cannot be read is of no kind, and comes when the others are used up.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, compress, islice
from typing import Any, NamedTuple

from evaluators.errors import PromptError
from evaluators.prompts.exemplar_kinds import Told, exchanged, kind_of, withholds
from evaluators.prompts.nearest import Embedder, Nearest
from kg.text import fold
from queries.records.exemplar import Exemplar

__all__ = ["Rule", "Shots", "key_of"]


@dataclass(frozen=True, slots=True)
class Rule:
    """How many exemplars an item sees, how many of them do not know, and whether answers are exchanged."""

    count: int
    unanswerable: int = 0
    counterfactual: bool = False


def key_of(seed: int, name: str) -> int:
    """Return a name's place on the ring: 64 bits of BLAKE2b (RFC 7693) of seed and name.

    >>> key_of(0, "a") == key_of(0, "a"), key_of(0, "a") == key_of(1, "a")
    (True, False)
    """
    return int.from_bytes(hashlib.blake2b(f"{seed}\0{name}".encode(), digest_size=8).digest(), "little")


class _Placed(NamedTuple):
    """An exemplar, its place on the ring and in the file, the groups it tells of, and its question as it is compared."""

    key: int
    number: int
    exemplar: Exemplar
    groups: frozenset[str]
    question: str


@dataclass(slots=True)
class _Task:
    """The exemplars of a task: those that know by kind and variant, those that do not by variant; each in ring order."""

    questions: list[str] = field(default_factory=list)
    known: dict[str, dict[str, list[_Placed]]] = field(default_factory=dict)
    unknown: dict[str, list[_Placed]] = field(default_factory=dict)


class Shots:
    """The exemplars of a file, and which of them an item sees.

    Parameters: `rules` by task; `path` names the file in errors; `embedder` chooses by nearness instead of by hash.

    >>> both = [Exemplar(schema="kgprobe.exemplar/1", task="yes_no", question=f"{a}?", text=a) for a in ("Yes", "No", "no")]
    >>> shots = Shots(both, {"yes_no": Rule(2)}, path="e.jsonl")
    >>> sorted(shot.text.lower() for shot in shots.of({"id": "x", "task": "yes_no", "question": "Is it?", "group": "g"}))
    ['no', 'yes']
    """

    def __init__(
        self,
        exemplars: Iterable[Exemplar],
        rules: Mapping[str, Rule],
        *,
        path: str,
        seed: int = 0,
        embedder: Embedder | None = None,
    ) -> None:
        self._rules, self._path, self._seed = rules, path, seed
        given, false = list(exemplars), [task for task, rule in rules.items() if rule.counterfactual]
        kept = [Told.of(exemplar) for exemplar in given if exemplar.task in rules and exemplar.task not in false]
        changed = exchanged([exemplar for exemplar in given if exemplar.task in false], partial(key_of, seed))
        self._tasks = _sorted([*kept, *changed], seed)
        self._embedder = embedder
        self._near: dict[str, Nearest] = {}

    def prepare(self, items: Iterable[Mapping[str, Any]]) -> None:
        """Embed all questions at once, where exemplars are chosen by nearness."""
        if self._embedder is None:
            return
        asked: dict[str, dict[str, None]] = {task: {} for task in self._tasks}
        for item in items:
            questions = asked.get(item["task"])
            if questions is not None and len(questions) < self._nearest(item["task"], self._embedder).most:
                questions[item["question"]] = None
        for task, found in asked.items():
            self._nearest(task, self._embedder).prepare(list(found))

    def of(self, item: Mapping[str, Any]) -> tuple[Exemplar, ...]:
        """Return the exemplars that an item sees, in order.

        Raises PromptError where the file has too few for the item's task.
        """
        found, rule = self._tasks.get(item["task"], _Task()), self._rules[item["task"]]
        rank = self._ranking(item, found)
        known = self._taken(item, self._known(item, found, rank), rule.count - rule.unanswerable, "with an answer")
        unknown = self._taken(item, self._turns(item, found.unknown, rank), rule.unanswerable, "that say they are unsure")
        ordered = sorted([*known, *unknown], key=lambda placed: key_of(self._seed, f"{item['id']}\0{placed.key}"))
        return tuple(placed.exemplar for placed in ordered)

    def _known(self, item: Mapping[str, Any], found: _Task, rank: _Ranking) -> Iterator[_Placed]:
        if self._embedder is not None and item["task"] not in _CLOSED:
            rings = [ring for kind in found.known.values() for ring in kind.values()]
            return self._allowed(item, list(chain(*rings)), rank)
        kinds = [kind for kind in found.known if kind]
        order = sorted(kinds, key=lambda kind: key_of(self._seed, f"{item['id']}\0{kind}"))
        unread = self._turns(item, found.known.get("", {}), rank)
        return chain(_in_turn([self._turns(item, found.known[kind], rank) for kind in order]), unread)

    def _turns(self, item: Mapping[str, Any], variants: Mapping[str, list[_Placed]], rank: _Ranking) -> Iterator[_Placed]:
        order = sorted(variants, key=lambda variant: key_of(self._seed, f"{item['id']}\0{variant}"))
        return _in_turn([self._allowed(item, variants[variant], rank) for variant in order])

    def _allowed(self, item: Mapping[str, Any], placed: list[_Placed], rank: _Ranking) -> Iterator[_Placed]:
        """Yield exemplars, the best first, without those that tell the item's own fact or ask its question."""
        own, question = item.get("group"), fold(item["question"])
        for candidate in rank(placed):
            if own not in candidate.groups and candidate.question != question:
                yield candidate

    def _ranking(self, item: Mapping[str, Any], found: _Task) -> _Ranking:
        if self._embedder is not None and found.questions:
            near = self._nearest(item["task"], self._embedder).similarities(item["question"])
            return lambda placed: sorted(placed, key=lambda one: (-near[one.number], one.key))
        start = key_of(self._seed, str(item["id"]))
        family = item.get("family") if item["task"] in _CLOSED else None
        return lambda placed: _own_first(placed, bisect_left(placed, start, key=lambda one: one.key), family)

    def _nearest(self, task: str, embedder: Embedder) -> Nearest:
        if task not in self._near:
            self._near[task] = Nearest(embedder, self._tasks[task].questions)
        return self._near[task]

    def _taken(self, item: Mapping[str, Any], placed: Iterator[_Placed], count: int, which: str) -> list[_Placed]:
        taken = list(islice(placed, count))
        if len(taken) == count:
            return taken
        changed = " and another of their property to take theirs from" if self._rules[item["task"]].counterfactual else ""
        problem = f"has {len(taken)} exemplars of task {item['task']} {which}{changed} to show item {item['id']}, not {count}"
        way_out = "add some (an item never sees those of its own group), or ask for fewer with --shots"
        raise PromptError(problem, place=self._path, way_out=way_out)


_Ranking = Callable[[list[_Placed]], Iterable[_Placed]]
_CLOSED = ("yes_no", "probe", "choice")
"""Tasks whose demonstrated answers are balanced even where the nearest exemplars are shown."""


def _own_first(placed: list[_Placed], start: int, family: str | None) -> Iterator[_Placed]:
    """Go round the ring from a place: first through the exemplars of a family, then through the others."""
    ring = [*placed[start:], *placed[:start]]
    if family is None:
        return iter(ring)
    own = [one.exemplar.source.get("family") == family for one in ring]
    return chain(compress(ring, own), (one for one, its in zip(ring, own, strict=True) if not its))


def _sorted(exemplars: Sequence[Told], seed: int) -> dict[str, _Task]:
    found: dict[str, _Task] = {}
    for exemplar, groups in exemplars:
        task = found.setdefault(exemplar.task, _Task())
        key = key_of(seed, "\0".join((exemplar.task, exemplar.question, exemplar.text)))
        placed = _Placed(key, len(task.questions), exemplar, groups, fold(exemplar.question))
        task.questions.append(exemplar.question)
        kinds = task.unknown if withholds(exemplar) else task.known.setdefault(kind_of(exemplar), {})
        kinds.setdefault(exemplar.variant or "", []).append(placed)
    for task in found.values():
        for kinds in (*task.known.values(), task.unknown):
            for ring in kinds.values():
                ring.sort(key=lambda one: one.key)
    return found


def _in_turn(kinds: Sequence[Iterator[_Placed]]) -> Iterator[_Placed]:
    """Yield the first of each kind, then the second of each; a kind that has no more is left out."""
    rest = list(kinds)
    while rest:
        for kind in list(rest):
            placed = next(kind, None)
            if placed is None:
                rest.remove(kind)
            else:
                yield placed
