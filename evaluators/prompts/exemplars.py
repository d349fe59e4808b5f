"""Which exemplars stand before a question: drawn by hash or nearest to it, balanced, and never the question's own fact.

Exemplars of the item's task are sorted by what they demonstrate: yes and no, the option that is picked, the type of
a short answer (date, number, entity), knowing and not knowing. The kinds take turns, so that their numbers differ by
one at most while the file has enough of each (ERBench, appendix C.2; FACT-BENCH, section 3). Within a kind an item takes
the exemplars that follow hash(seed, item) on a ring, or those whose questions are nearest; to yes-no questions and
choices those of the item's own family (`source.family`) go before all others, since ERBench writes demonstrations for each
of its databases. Then they are put into an order by hash. The same seed, item and file show the same exemplars; a seed
changes them. An exemplar whose answer cannot be read is of no kind, and comes when the others are used up. An answer may be
exchanged for a wrong one.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, compress, islice
from typing import Any, NamedTuple

from msgspec.structs import replace

from evaluators.errors import PromptError
from evaluators.prompts.nearest import Embedder, Nearest
from kg.dates import find_dates
from kg.numbers import find_numbers
from kg.text import fold
from queries.records.exemplar import Exemplar


@dataclass(frozen=True, slots=True)
class ExemplarRule:
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


class _Candidate(NamedTuple):
    """An exemplar, its place on the ring and in the file, the groups it tells of, and its question as it is compared."""

    key: int
    number: int
    exemplar: Exemplar
    groups: frozenset[str]
    question: str


@dataclass(slots=True)
class _TaskExemplars:
    """The exemplars of a task: those that know by kind and variant, those that do not by variant; each in ring order."""

    questions: list[str] = field(default_factory=list)
    known: dict[str, dict[str, list[_Candidate]]] = field(default_factory=dict)
    unknown: dict[str, list[_Candidate]] = field(default_factory=dict)


class Exemplars:
    """The exemplars of a file, and which of them an item sees.

    Parameters: `rules` by task; `path` names the file in errors; `embedder` chooses by nearness instead of by hash.

    >>> both = [Exemplar(schema="kgprobe.exemplar/1", task="yes_no", question=f"{a}?", text=a) for a in ("Yes", "No", "no")]
    >>> exemplars = Exemplars(both, {"yes_no": ExemplarRule(2)}, path="e.jsonl")
    >>> sorted(one.text.lower() for one in exemplars.of({"id": "x", "task": "yes_no", "question": "Is it?", "group": "g"}))
    ['no', 'yes']
    """

    def __init__(
        self,
        exemplars: Iterable[Exemplar],
        rules: Mapping[str, ExemplarRule],
        *,
        path: str,
        seed: int = 0,
        embedder: Embedder | None = None,
    ) -> None:
        self._rules, self._path, self._seed = rules, path, seed
        given, false = list(exemplars), [task for task, rule in rules.items() if rule.counterfactual]
        true = [Demonstration.of(exemplar) for exemplar in given if exemplar.task in rules and exemplar.task not in false]
        changed = exchanged([exemplar for exemplar in given if exemplar.task in false], partial(key_of, seed))
        self._tasks = _by_task([*true, *changed], seed)
        self._embedder = embedder
        self._near: dict[str, Nearest] = {}

    def prepare(self, items: Iterable[Mapping[str, Any]]) -> None:
        """Embed all questions at once, where exemplars are chosen by nearness."""
        if self._embedder is None:
            return
        by_task: dict[str, dict[str, None]] = {task: {} for task in self._tasks}
        for item in items:
            questions = by_task.get(item["task"])
            if questions is not None and len(questions) < self._nearest(item["task"], self._embedder).most:
                questions[item["question"]] = None
        for task, questions in by_task.items():
            self._nearest(task, self._embedder).prepare(list(questions))

    def of(self, item: Mapping[str, Any]) -> tuple[Exemplar, ...]:
        """Return the exemplars that an item sees, in order.

        Raises PromptError where the file has too few for the item's task.
        """
        of_task, rule = self._tasks.get(item["task"], _TaskExemplars()), self._rules[item["task"]]
        rank = self._ranking(item, of_task)
        known = self._first(item, self._known(item, of_task, rank), rule.count - rule.unanswerable, "with an answer")
        unknown = self._first(item, self._turns(item, of_task.unknown, rank), rule.unanswerable, "that say they are unsure")
        # As drawn, yes and no would alternate and "unsure" come last before every question: a pattern that a model can copy.
        ordered = sorted([*known, *unknown], key=lambda candidate: key_of(self._seed, f"{item['id']}\0{candidate.key}"))
        return tuple(candidate.exemplar for candidate in ordered)

    def _known(self, item: Mapping[str, Any], of_task: _TaskExemplars, rank: _Ranking) -> Iterator[_Candidate]:
        """Return exemplars that have an answer, the kinds in turn; the nearest first where nearness decides alone."""
        if self._embedder is not None and item["task"] not in _CLOSED:
            rings = [ring for kind in of_task.known.values() for ring in kind.values()]
            return self._allowed(item, list(chain(*rings)), rank)
        kinds = [kind for kind in of_task.known if kind]
        order = sorted(kinds, key=lambda kind: key_of(self._seed, f"{item['id']}\0{kind}"))
        unread = self._turns(item, of_task.known.get("", {}), rank)
        return chain(_in_turn([self._turns(item, of_task.known[kind], rank) for kind in order]), unread)

    def _turns(self, item: Mapping[str, Any], variants: Mapping[str, list[_Candidate]], rank: _Ranking) -> Iterator[_Candidate]:
        """Return the exemplars of one kind, its variants in turn."""
        order = sorted(variants, key=lambda variant: key_of(self._seed, f"{item['id']}\0{variant}"))
        return _in_turn([self._allowed(item, variants[variant], rank) for variant in order])

    def _allowed(self, item: Mapping[str, Any], ring: list[_Candidate], rank: _Ranking) -> Iterator[_Candidate]:
        """Yield exemplars, the best first, without those that tell the item's own fact or ask its question."""
        own, question = item.get("group"), fold(item["question"])
        for candidate in rank(ring):
            if own not in candidate.groups and candidate.question != question:
                yield candidate

    def _ranking(self, item: Mapping[str, Any], of_task: _TaskExemplars) -> _Ranking:
        """Return what puts the candidates of a ring into the order in which the item takes them."""
        if self._embedder is not None and of_task.questions:
            similarity = self._nearest(item["task"], self._embedder).similarities(item["question"])
            return lambda ring: sorted(ring, key=lambda candidate: (-similarity[candidate.number], candidate.key))
        start = key_of(self._seed, str(item["id"]))
        family = item.get("family") if item["task"] in _CLOSED else None
        return lambda ring: _own_first(ring, bisect_left(ring, start, key=lambda candidate: candidate.key), family)

    def _nearest(self, task: str, embedder: Embedder) -> Nearest:
        if task not in self._near:
            self._near[task] = Nearest(embedder, self._tasks[task].questions)
        return self._near[task]

    def _first(self, item: Mapping[str, Any], candidates: Iterator[_Candidate], count: int, which: str) -> list[_Candidate]:
        first = list(islice(candidates, count))
        if len(first) == count:
            return first
        changed = " and another of their property to take theirs from" if self._rules[item["task"]].counterfactual else ""
        problem = f"has {len(first)} exemplars of task {item['task']} {which}{changed} to show item {item['id']}, not {count}"
        way_out = "add some (an item never sees those of its own group), or ask for fewer with --shots"
        raise PromptError(problem, place=self._path, way_out=way_out)


_Ranking = Callable[[list[_Candidate]], Iterable[_Candidate]]
_CLOSED = ("yes_no", "probe", "choice")
"""Tasks whose demonstrated answers are balanced even where the nearest exemplars are shown."""


def _own_first(ring: list[_Candidate], start: int, family: str | None) -> Iterator[_Candidate]:
    """Go round a ring from a place: first through the exemplars of a family, then through the others."""
    turned = [*ring[start:], *ring[:start]]
    if family is None:
        return iter(turned)
    own = [candidate.exemplar.source.get("family") == family for candidate in turned]
    return chain(compress(turned, own), compress(turned, (not its for its in own)))


def _by_task(exemplars: Sequence[Demonstration], seed: int) -> dict[str, _TaskExemplars]:
    tasks: dict[str, _TaskExemplars] = {}
    for exemplar, groups in exemplars:
        task = tasks.setdefault(exemplar.task, _TaskExemplars())
        key = key_of(seed, "\0".join((exemplar.task, exemplar.question, exemplar.text)))
        candidate = _Candidate(key, len(task.questions), exemplar, groups, fold(exemplar.question))
        task.questions.append(exemplar.question)
        variants = task.unknown if withholds(exemplar) else task.known.setdefault(kind_of(exemplar), {})
        variants.setdefault(exemplar.variant or "", []).append(candidate)
    for task in tasks.values():
        for variants in (*task.known.values(), task.unknown):
            for ring in variants.values():
                ring.sort(key=lambda candidate: candidate.key)
    return tasks


def _in_turn(kinds: Sequence[Iterator[_Candidate]]) -> Iterator[_Candidate]:
    """Yield the first of each kind, then the second of each; a kind that has no more is left out."""
    rest = list(kinds)
    while rest:
        for kind in list(rest):
            candidate = next(kind, None)
            if candidate is None:
                rest.remove(kind)
            else:
                yield candidate


class Demonstration(NamedTuple):
    """An exemplar, and the groups whose facts its question and its answer are about."""

    exemplar: Exemplar
    groups: frozenset[str]

    @classmethod
    def of(cls, exemplar: Exemplar, *others: Exemplar) -> Demonstration:
        """Gather the groups of exemplars of which one is shown."""
        return cls(exemplar, frozenset(each.group for each in (exemplar, *others) if each.group is not None))


def kind_of(exemplar: Exemplar) -> str:
    """Return what kinds are balanced by: yes or no, the option picked, the type of a short answer.

    Of a premise `source.answer` says it ("accept" or "reject").

    >>> fields = dict(schema="kgprobe.exemplar/1", task="open", question="When?")
    >>> [kind_of(Exemplar(**fields, text=text)) for text in ("March 10, 1964", "1,200 km", "Edgar Froese")]
    ['date', 'number', 'entity']
    """
    from evaluators.verify.choice import pick
    from evaluators.verify.yes_no import read

    if exemplar.task in ("yes_no", "probe"):
        return read(exemplar.text, exemplar.question).answer or ""
    if exemplar.task == "choice":
        picked = pick(exemplar.text, tuple(exemplar.options or ()), exemplar.question)
        return ",".join(map(str, picked.options)) if picked else ""
    if exemplar.task == "premise":
        return exemplar.source.get("answer") or ""
    return _type(exemplar.text.strip().rstrip("."))


def _type(answer: str) -> str:
    if any((date.start, date.end) == (0, len(answer)) for date in find_dates(answer)):
        return "date"
    # "1,200 km" is a number; "1984 by George Orwell" begins with one and is an entity.
    numbers = [number for number in find_numbers(answer) if number.start == 0]
    return "number" if numbers and _is_unit(answer[numbers[0].end :].strip(), numbers[0].unit) else "entity"


def _is_unit(rest: str, unit: str | None) -> bool:
    return not rest or (unit is not None and rest.startswith(unit) and len(rest.split()) == len(unit.split()))


def withholds(exemplar: Exemplar) -> bool:
    """Tell whether an exemplar shows how to say that one does not know.

    >>> withholds(Exemplar(schema="kgprobe.exemplar/1", task="open", question="Who wins in 2090?", text="unsure"))
    True
    """
    # Here: who asks without exemplars need not wait for the rules.
    from evaluators.verify.abstention import unsure
    from evaluators.verify.choice import pick
    from evaluators.verify.yes_no import read

    if exemplar.task in ("yes_no", "probe"):
        return read(exemplar.text, exemplar.question).reason == "unsure"
    picked = pick(exemplar.text, tuple(exemplar.options or ()), exemplar.question) if exemplar.task == "choice" else None
    answer = (exemplar.options or [])[picked.options[0] - 1] if picked else exemplar.text
    return unsure(answer) is not None


def exchanged(exemplars: Sequence[Exemplar], key: Callable[[str], int]) -> list[Demonstration]:
    """Give each exemplar the answer of another of its property; those that have no other answer to take are left out.

    FACT-BENCH, section 4.1: a random answer within the same property type. The property is `source.property`, where the
    file does not say it `source.family`, else the type of the answer. "Random" is the next in the order of `key`.

    >>> both = [dict(question="Where was Ada born?", text="London"), dict(question="Where was Niels born?", text="Copenhagen")]
    >>> exemplars = [Exemplar(schema="kgprobe.exemplar/1", task="open", **pair) for pair in both]
    >>> [shown.exemplar.text for shown in exchanged(exemplars, len)]
    ['Copenhagen', 'London']
    """
    rings: dict[tuple[str, str], list[Exemplar]] = {}
    for exemplar in exemplars:
        if not withholds(exemplar):
            rings.setdefault((exemplar.task, _property(exemplar)), []).append(exemplar)
    changed = []
    for ring in rings.values():
        ring.sort(key=lambda exemplar: (key(f"{exemplar.question}\0{exemplar.text}"), exemplar.question))
        for at, exemplar in enumerate(ring):
            others = (other for other in (*ring[at + 1 :], *ring[:at]) if fold(other.text) != fold(exemplar.text))
            other = next(others, None)
            if other is not None:
                changed.append(Demonstration.of(replace(exemplar, text=other.text), other))
    return changed


def _property(exemplar: Exemplar) -> str:
    name = exemplar.source.get("property") or exemplar.source.get("family")
    return f"property {name}" if name else f"type {kind_of(exemplar)}"
