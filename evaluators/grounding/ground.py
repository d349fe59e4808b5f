"""Verdicts with a graph beside them: the claims of an answer are checked, and right answers that an item does not list found.

What is pulled from the graph is shared by all processes; of an answer nothing is asked of the graph any more.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from evaluators.grounding.facts import Facts, Judged, Reading, Standing
from evaluators.grounding.reading import Claim, Reader
from evaluators.grounding.stale import Lookup
from evaluators.verify.judges import Judge, judge_text
from evaluators.verify.question import Question
from evaluators.verify.reading.reply import Reply
from evaluators.verify.reading.text import Span, Text, read_text
from evaluators.verify.ruling import Ruling
from evaluators.verify.stream import Answer, Grounded
from kg.graph import Graph
from queries.records import claim as record
from queries.records.item import Named

_TRUE = 10
"""So many of a pair's true objects a record names."""
_OPPOSITE: dict[Standing, Standing] = {"stated": "contradicted", "contradicted": "stated", "unknown": "unknown"}
_YEAR = re.compile(r"(?:1(?<!\w1)[0-9]|2(?<!\w2)0)\d\d(?!\w)")


class Place(NamedTuple):
    """What a question names, and what lies beside that: by numbers of entities; and what it is about."""

    named: frozenset[int]
    near: frozenset[int]
    topic: frozenset[int]


@dataclass(frozen=True)
class Grounding:
    """A graph's facts, the wordings of its relations, and what it says of the items."""

    facts: Facts
    reader: Reader
    lookup: Lookup
    judges: Mapping[str, Judge]

    @classmethod
    def of(cls, graph: Graph, items: str, judges: Mapping[str, Judge]) -> Grounding:
        """Pull the facts of a graph, and look up those that the items ask for.

        Raises RecordError with file, line and field of the items.
        """
        facts = Facts(graph)
        reader, lookup = Reader(facts), Lookup.of(graph, facts, items)
        facts.prepare()  # before the processes part, so that they share it
        return cls(facts, reader, lookup, judges)

    def __call__(self, answer: Answer, question: Question, ruling: Ruling) -> Grounded:
        """Judge an answer by the graph as well: return its ruling, its claims, and whether it shows that its item is stale."""
        if answer.text is None:
            return Grounded(ruling, [], stale=False)
        ruling, stale = self._judged(answer, question, ruling)
        return Grounded(ruling, list(self._records(answer, question, ruling)), stale)

    def _judged(self, answer: Answer, question: Question, ruling: Ruling) -> tuple[Ruling, bool]:
        """Judge again where the graph states more than the item, and the answer is right by that.

        What the rules leave unscored may be so for a name that they do not know.
        """
        if ruling.outcome not in ("incorrect", "unscored"):
            return ruling, False
        corrected = self.lookup.corrected(answer.item, question)
        if corrected is None:
            return ruling, False
        again = judge_text(answer.text, corrected, self.judges)
        if again.outcome != "correct":
            return ruling, False
        return again._replace(reason="stated", rationale=ruling.rationale, confidence=ruling.confidence and "high"), True

    def _records(self, answer: Answer, question: Question, ruling: Ruling) -> Iterator[record.Claim]:
        assert answer.text is not None
        reply = Reply.of(answer.text).behind(question.text)
        text, place = read_text(reply.text), self.place_of(question)
        spans = [reply.span(span) for span in ((0, len(reply.text)),)] if not reply.is_original else None
        number = 0
        for claim in (*self._answers(answer.item, text, question, ruling, place),):
            yield self._record(answer, claim, "answer", number, claim.span, place, self.facts.judge(claim.readings))
            number += 1
        claims = self.reader.claims(text, place.near, place.topic, frozenset(_YEAR.findall(question.text)))
        for claim, judged in zip(claims, judged_together(self.facts, claims), strict=True):
            span = claim.span if spans is None else reply.span(claim.span)
            yield self._record(answer, claim, "explanation", number, span, place, judged)
            number += 1

    def more(
        self, answer: Answer, question: Question, claims: Sequence[Claim], read: Sequence[record.Claim], by: str
    ) -> list[record.Claim]:
        """Return the records of claims that another reader (`by`) found in an answer, without those that are `read` already."""
        place, known = self.place_of(question), {_said(claim) for claim in read}
        more: list[record.Claim] = []
        for claim, judged in zip(claims, judged_together(self.facts, claims), strict=True):
            number = len(read) + len(more)
            made = self._record(answer, claim, "explanation", number, claim.span, place, judged, by=by)
            if _said(made) not in known:
                known.add(_said(made))
                more.append(made)
        return more

    def _answers(self, item: str, text: Text, question: Question, ruling: Ruling, place: Place) -> Iterator[Claim]:
        """Yield what the answer itself claims of the fact that the item asks for."""
        asked = self.lookup.asked.get(item)
        if asked is None or ruling.outcome not in ("correct", "incorrect"):
            return
        span = ruling.spans[0] if ruling.spans else (0, len(text.original))
        if asked.object is not None:
            says = self._affirms(question, ruling)
            yield Claim((Reading(asked.subject, asked.relation, asked.object, None),), not says, False, span)
            return
        names = self.reader.names.in_text(text, place.near)
        within = [n for n in names if any(a <= text.starts[n.first] < b for a, b in ruling.spans)] or names[:1]
        readings = [
            Reading(asked.subject, asked.relation, o, None)
            for name in within[:1]
            for o in self.facts.by_label(name.entities, name.text)
            if o != asked.subject and asked.relation in self.facts.object_of[o]
        ]
        readings += [
            Reading(asked.subject, asked.relation, None, name.value)
            for name in within[:1]
            if name.value is not None and asked.relation in self.facts.valued_by(name.value)
        ]
        if readings:
            yield Claim(tuple(readings), ruling.reason == "denied", False, span)

    @staticmethod
    def _affirms(question: Question, ruling: Ruling) -> bool:
        """Tell whether an answer takes the fact that is in question for so."""
        expected = (question.expected or ("",))[0]
        says_so = expected in ("yes", "accept")
        turned = ruling.reason == "stated"
        return says_so == ((ruling.outcome == "correct") != turned)

    def _record(
        self,
        answer: Answer,
        claim: Claim,
        kind: str,
        number: int,
        span: Span,
        place: Place,
        judged: Judged,
        *,
        by: str | None = None,
    ) -> record.Claim:
        standing = standing_of(judged, denied=claim.denied, left_open=claim.open)
        facts, reading = self.facts, judged.reading
        label = facts.labels.texts
        of = reading.object
        return record.Claim(
            schema=record.CLAIM_SCHEMA, item=answer.item, model=answer.model, sample=answer.sample, number=number,
            kind="answer" if kind == "answer" else "explanation",
            subject=Named(iri=facts.labels.iris[reading.subject], label=label[reading.subject]),
            relation=Named(iri=facts.relations[reading.relation].iri, label=facts.relations[reading.relation].label),
            object=record.Value(None, reading.value or "") if of is None else record.Value(facts.labels.iris[of], label[of]),
            denied=claim.denied, standing=standing, span=span, hops=self._hops(reading, place), by=by,
            true=[record.Value(None, t) if isinstance(t, str) else record.Value(facts.labels.iris[t], label[t])
                  for t in judged.true[:_TRUE]],
        )  # fmt: skip

    @staticmethod
    def _hops(reading: Reading, place: Place) -> int | None:
        """Return how far a claim is from what the question names: 0, 1, or null."""
        ends = {reading.subject, reading.object}
        return 0 if reading.subject in place.named else 1 if ends & place.named or reading.subject in place.near else None

    def place_of(self, question: Question) -> Place:
        """Return what a question names, and what lies around that."""
        named = [name for _, name, *_ in question.given] + [
            name for entry in question.rationale for name in (entry.value, *entry.aliases)
        ]
        if question.premise is not None:
            named += [question.premise.subject, question.premise.object]
        about = () if question.premise is not None else tuple(given.value for given in question.given)
        return self._places(tuple(named), about if question.premise is None else (question.premise.subject,))

    @functools.cached_property
    def _places(self) -> _Places:
        return _Places(self.facts)


class _Places:
    """The neighbourhoods of questions, the latest of them at hand: many answers are to one item."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._latest = functools.lru_cache(maxsize=512)(self._of)

    def __call__(self, names: tuple[str, ...], about: tuple[str, ...]) -> Place:
        """Return what lies around some names; a question is about the only one of `about` that is an entity's."""
        return self._latest(names, about)

    def _of(self, names: tuple[str, ...], about: tuple[str, ...]) -> Place:
        bearers = self._facts.labels.bearers
        named = frozenset(entity for name in names for entity in bearers(name))
        topics = [bearers(name) for name in about if bearers(name)]
        return Place(named, self._facts.near(named), frozenset(topics[0]) if len(topics) == 1 else frozenset())


def _said(claim: record.Claim) -> tuple[str, str, str, bool]:
    """Return what a claim says, however it is worded."""
    return claim.subject.iri, claim.relation.iri, claim.object.iri or claim.object.label, claim.denied


def judged_together(facts: Facts, claims: Sequence[Claim]) -> list[Judged]:
    """Judge the claims of a text; where the one true object is named as well, another beside it may be one of several."""
    judged = [facts.judge(claim.readings) for claim in claims]
    named = {j.reading[:2] for claim, j in zip(claims, judged, strict=True) if j.standing == "stated" and not claim.denied}
    return [
        j._replace(standing="unknown") if _is_left_open(facts, claim, j, named) else j
        for claim, j in zip(claims, judged, strict=True)
    ]


def _is_left_open(facts: Facts, claim: Claim, judged: Judged, named: Set[tuple[int, int]]) -> bool:
    """Tell whether what else a text says, or whom it may speak of, leaves open how a claim stands."""
    if claim.denied:
        return judged.standing == "stated" and not facts.is_stated_of_all(claim.readings)
    pair, true = judged.reading[:2], judged.true
    if judged.standing != "contradicted" or len(true) != 1:
        return False
    return pair in named or not (claim.beside - {pair[0]}).isdisjoint(true)


def standing_of(judged: Judged, *, denied: bool, left_open: bool) -> Standing:
    """Return how a claim stands: a denied one the other way round; what its time or names leave open is never contradicted.

    >>> standing_of(Judged("stated", Reading(0, 0, 1, None)), denied=True, left_open=False)
    'contradicted'
    """
    standing = _OPPOSITE[judged.standing] if denied else judged.standing
    return "unknown" if left_open and standing == "contradicted" else standing
