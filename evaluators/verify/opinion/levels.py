"""What a closer look at a doubtful answer tells: what the rules rule on its last sentence, and what it says of which name.

A closer look takes longer than all else that is weighed, so only a ruling that the signs make doubtful gets one.

| of | levels |
|---|---|
| every answer of several sentences | what the rules rule on the last one alone |
| short answers | how much of what is asked is said of an accepted answer and of a rival, and which stands last |
| premises | where the object and a true one stand, which is in the relation's clause, what is upheld or denied |
"""

from __future__ import annotations

from collections.abc import Callable

from evaluators.verify.denial import is_denied
from evaluators.verify.premises.matter import matter_of
from evaluators.verify.premises.place import Places
from evaluators.verify.premises.reading import Reading
from evaluators.verify.premises.rebuttal import Rebuttal
from evaluators.verify.premises.things import Place
from evaluators.verify.question import Question
from evaluators.verify.reading.reply import Reply
from evaluators.verify.reading.text import Text, read_text
from evaluators.verify.reading.words import verb_stems
from evaluators.verify.rivals import asking_stems, in_slot, rivals
from evaluators.verify.ruling import Ruling
from evaluators.verify.short_answer import acceptances
from evaluators.verify.support import Support, is_mentioned
from queries.records.verdict import OUTCOMES

Rule = Callable[[Reply, Question], Ruling]
SHORT, PREMISE = 15, 9
UNTOLD = [-1.0] * (1 + SHORT + PREMISE)
"""The levels of an answer that is not looked at closer."""
MOST = 20
"""So many answers of a text are looked at, the last ones."""


def levels_of(text: str, question: Question, rule: Rule) -> list[float]:
    """Return the levels of an answer; -1 where there is nothing to tell.

    >>> from evaluators.verify.short_answer import judge
    >>> asked = Question("Where did she die?", "open", ("Lund",), type="entity")
    >>> OUTCOMES[int(levels_of("She taught in Lund. She died in Ulm.", asked, judge)[0])]
    'incorrect'
    """
    short = question.task in ("open", "context") and question.expected is not None
    premise = question.task == "premise" and question.premise is not None
    sentences = read_text(text).sentences
    last = rule(Reply(text[sentences[-1].start :]), question).outcome if len(sentences) > 1 else None
    return [
        float(OUTCOMES.index(last)) if last else -1.0,
        *(_of_answers(read_text(text), question) if short else UNTOLD[:SHORT]),
        *(_of_premise(Reading(text, matter_of(question.text, question.premise))) if premise else UNTOLD[:PREMISE]),
    ]


def _of_answers(read: Text, question: Question) -> list[float]:
    """Return how much of what is asked is said of the accepted answers and of their rivals, and where these stand."""
    met = [(match.first, match.last) for match in acceptances(read, question)]
    accepted, others = ([p for p in of[-MOST:] if not is_denied(read, *p)] for of in (met, rivals(read, question, met)))
    support, asked = Support(read, question, accepted, others), asking_stems(question.text)
    return [
        *_of_side(read, support, accepted, asked),
        *_of_side(read, support, others, asked),
        float(len({" ".join(read.words[first:last]) for first, last in others})),
        float(len(read.words) - others[-1][1]) if others else -1.0,
        float(read.sentence_of(others[-1][0]) - read.sentence_of(accepted[-1][0])) if others and accepted else -9.0,
    ]


def _of_side(read: Text, support: Support, places: list[Place], asked: frozenset[str]) -> list[float]:
    """Return what is said of some places: how much of what is asked, its verb, nothing else; and whether all are asides."""
    if not places:
        return [-1.0] * 6
    sentences = [read.sentences[read.sentence_of(first)] for first, _ in places]
    shared = [len(asked.intersection(verb_stems(read.words[s.first : s.last]))) for s in sentences]
    return [
        max(map(support.of, places)),
        max(support.does(place) + support.does(place, in_other_words=True) for place in places),
        float(any(map(support.is_bare, places))),
        max(shared) / max(1, len(asked)),
        float(any(in_slot(read, place, asked) for place in places)),
        float(all(is_mentioned(read, place, support.words) for place in places)),
    ]


def _of_premise(reading: Reading) -> list[float]:
    """Return how the object and the true ones stand to the relation, and what is upheld, set right and denied."""
    if not reading.words:
        return UNTOLD[:PREMISE]
    places, denials = Places(reading), Rebuttal(reading).denials

    def related(of: list[Place]) -> float:
        parts = [part for first, _ in of if not (part := reading.clause_at(first)).denials]
        return float(sum(any(map(reading.matter.relates, reading.words[part.first : part.last])) for part in parts))

    def last(of: list[Place]) -> float:
        return of[-1][0] / len(reading.words) if of else -1.0

    return [
        float(len(places.upheld)), float(len(places.corrections)), related(reading.object), related(reading.truths),
        last(reading.object), last(reading.truths),
        float(sum(not reading.clause_at(first).denials and not reading.is_attributed(first) for first, _ in reading.object)),
        float(sum(denial.strong for denial in denials)),
        denials[0].span[0] / len(reading.read.original) if denials else -1.0,
    ]  # fmt: skip
