"""The signs of an answer from which it is told how far a ruling can be trusted, as numbers.

There are two kinds. Marks are pairs and triples of tokens in a place (the beginning, the end, around an accepted answer, beside
the characters that decided), each a number of a table; an answer has a mark or has it not. Measures are a few counts and
places. What the rules ruled is a sign as well.
"""

from __future__ import annotations

import functools
from bisect import bisect_left
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluators.verify.opinion.tokens import PARTS, Part, frequent_words, tokens_of
from evaluators.verify.question import Question
from evaluators.verify.reading.reply import Reply
from evaluators.verify.ruling import Ruling
from queries.records.verdict import OUTCOMES

Marks = NDArray[np.uint32]

TABLE = 1 << 14
"""So many rows has the table of marks; two marks may share one."""
TASKS = ("yes_no", "probe", "premise", "choice", "open", "context")
POLAR = frozenset({"yes_no", "probe", "premise"})
"""Tasks whose answers take a side: what is learned is the side, not whether it is right."""
REASONS = (
    "exact", "alias", "normalised", "numeric", "date", "partial", "denied", "several_answers", "wrong", "unsure", "refused",
    "empty", "echo", "repetition", "truncated", "language", "unparsed", "rejected", "corrected", "misled",
)  # fmt: skip
"""The reasons that the rules give often; others are seldom, and alike to what is learned."""
_REASON_NUMBERS = {reason: number for number, reason in enumerate(REASONS)}
AFFIRMING = {"yes": True, "accept": True, "no": False, "reject": False}
"""The accepted answers of such tasks, and whether they affirm."""


class Place:
    """Where a mark stands; each begins a range of numbers of its own. Members of an `Enum` take ten times as long to find."""

    (
        ANYWHERE, BEGINNING, ENDING, FIRST_SENTENCE, LAST_SENTENCE, AROUND, SKELETON, LENGTH, QUESTION,
        COUNT, DISTANCE, LAST_PART, FIRST_PART, RULED, BEFORE_SPAN, BEHIND_SPAN, IN_SPAN, SPAN, BESIDE, HOLDING, LEFT_OUT,
    ) = range(1, 22)  # fmt: skip


_AROUND = tuple(int(part) for part in (Part.ACCEPTED, Part.LABEL, Part.TRUE, Part.OBJECT, Part.CLAIMED))
_WEIGHED = tuple(int(part) for part in Part if part <= Part.NAME)
_HELD, _RATIONALE = range(int(Part.ASKED)), int(Part.RATIONALE)
_PLAYERS = frozenset(int(part) for part in Part if part <= Part.SUBJECT) | {int(Part.NUMBER), int(Part.NAME)}
_NEGATING = (
    "not",
    "no",
    "never",
    "isn't",
    "wasn't",
    "didn't",
    "doesn't",
    "nor",
    "neither",
    "none",
    "aren't",
    "weren't",
    "don't",
)
_TURNING = ("but", "however", "though", "although", "while", "yet")
_TELLING = (
    "not", "no", "but", "however", "wait", "actually", "if", "said", "says", "claims", "according", "some", "?", "instead",
    "correction", '"', "wrong", "incorrect", "though", "although",
)  # fmt: skip
TELLING = frozenset((*_NEGATING, *_TURNING, *_TELLING))
"""Words that deny, turn, doubt or pass on what somebody says."""
_DENIED_QUESTION = ("not", "no", "wrong", "false", "incorrect", "untrue", "deny")
_WHYS = ("thought", "markup", "order", "token", "quote")
"""Why something was left out; a courtesy is no sign of anything."""


_SKELETON = 6
"""So many words of a sentence's skeleton count."""


class _Tables(NamedTuple):
    """Tokens by what they do in a sentence."""

    negating: frozenset[int]
    turning: frozenset[int]
    telling: frozenset[int]
    skeleton: frozenset[int]
    breaks: frozenset[int]
    question: int
    quotes: frozenset[int]


@functools.cache
def _tables() -> _Tables:
    frequent = frequent_words()

    def listed(words: tuple[str, ...]) -> frozenset[int]:
        return frozenset(frequent[word] for word in words if word in frequent)

    negating = listed(_NEGATING)
    skeleton = negating | listed(("but", "instead", "rather")) | frozenset(range(int(Part.NUMBER)))
    return _Tables(
        negating, listed(_TURNING), listed(_TELLING), skeleton, listed((".", "?", "!", "\n", ";", ":")),
        frequent["?"], listed(('"', "(")),
    )  # fmt: skip


class Signs(NamedTuple):
    """The marks of a text, the marks of what was ruled on it, and its measures."""

    marks: Marks
    ruled: Marks
    measures: list[float]


def side_of(outcome: str, question: Question) -> str:
    """Return which side an outcome means that a text takes ("yes", "no"); of tasks without sides, the outcome.

    >>> side_of("incorrect", Question("Did he?", "yes_no", ("yes",))), side_of("abstained", Question("Did he?"))
    ('no', 'abstained')
    """
    if question.task not in POLAR or question.expected is None or outcome not in ("correct", "incorrect"):
        return outcome
    return "yes" if AFFIRMING[question.expected[0]] == (outcome == "correct") else "no"


SIDES: dict[bool, tuple[str, ...]] = {True: ("yes", "no", "abstained", "unscored"), False: OUTCOMES}
"""What is told apart, for tasks with sides and for others."""


def signs_of(reply: Reply, question: Question, ruling: Ruling, *, foreign: bool) -> Signs:
    """Return the signs of an answer; the spans of the ruling are characters of the reply."""
    return _Signs(reply, question, ruling, foreign).signs()


_MULTIPLIERS = (0x85EBCA6B, 0xC2B2AE35, 0x27D4EB2F, 0x165667B1)
"""Odd numbers of 32 bits, one for each value of a mark."""


@functools.cache
def _seed(place: int, length: int) -> int:
    """Return a number for runs of a length in a place."""
    return (place * 4 + length + 1) * 0x9E3779B1 & 0xFFFFFFFF


@functools.lru_cache(maxsize=65536)
def _mark(place: int, a: int, b: int, c: int) -> int:
    """Return the number of a mark of up to three values; most are noted again and again."""
    first, second, third, fourth = _MULTIPLIERS
    return place * first + a * second + b * third + c * fourth & 0xFFFFFFFF


_FACTOR, _SHIFT, _BASE, _ONE, _LAST_ROW, _TABLE = map(np.uint32, (0x9E3779B1, 15, 31, 1, TABLE - 1, TABLE))
_TRUE = np.array([True])


def _mix(numbers: Marks) -> Marks:
    numbers = numbers * _FACTOR
    numbers ^= numbers >> _SHIFT
    return numbers


class _Signs:
    """One answer under work."""

    def __init__(self, reply: Reply, question: Question, ruling: Ruling, foreign: bool) -> None:
        self.reply, self.question, self.ruling, self.foreign = reply, question, ruling, foreign
        self.tokens, self.starts = tokens_of(reply.text, question)
        self.side = side_of(ruling.outcome, question)
        self.side_number = SIDES[self.side in ("yes", "no")].index(self.side) + (4 if self.side in ("yes", "no") else 0)
        self.words = _tables()
        self.counts = [0] * PARTS
        self.first = [-1] * PARTS
        self.last = [-1] * PARTS
        for place, token in enumerate(self.tokens):
            if token < PARTS:
                self.counts[token] += 1
                self.last[token] = place
                if self.first[token] < 0:
                    self.first[token] = place
        single = np.array(self.tokens, np.uint32) + _ONE
        one = _mix(single)
        two = _mix(one[:-1] * _BASE + single[1:])
        self.grams = (one, two, _mix(two[:-1] * _BASE + single[2:]))
        self.pieces: list[Marks] = []
        self.seeds: list[int] = []
        self.singles: list[int] = []

    def signs(self) -> Signs:
        breaks = [place for place, token in enumerate(self.tokens) if token in self.words.breaks]
        self._of_text(breaks)
        of_text = self._noted()
        self._of_ruling()
        self._noted()
        noted = np.concatenate(self.pieces)
        noted ^= np.repeat(np.array(self.seeds, np.uint32), [*map(len, self.pieces)])
        rows = _mix(_mix(noted)) & _LAST_ROW
        rows[of_text:] += _TABLE  # both are sorted at once
        rows.sort()  # `np.unique` takes four times as long for so few
        rows = rows[np.concatenate((_TRUE, rows[1:] != rows[:-1]))]
        of_text = int(rows.searchsorted(_TABLE))
        return Signs(rows[:of_text], rows[of_text:] - _TABLE, self._measures(len(breaks)))

    def _noted(self) -> int:
        """Put single marks to the others; return how many there are."""
        self.pieces.append(np.array(self.singles, np.uint32))
        self.seeds.append(0)
        self.singles = []
        return sum(map(len, self.pieces))

    def _run(self, place: int, start: int, end: int, longest: int) -> None:
        """Note the runs of up to so many tokens between two places."""
        for length in range(longest):
            stop = end - length
            if start < stop:
                self.pieces.append(self.grams[length][start:stop])
                self.seeds.append(_seed(place, length))

    def _note(self, place: int, a: int = 0, b: int = 0, c: int = 0) -> None:
        """Note a mark of up to three values."""
        self.singles.append(_mark(place, a, b, c))

    def _of_text(self, breaks: list[int]) -> None:
        size = len(self.tokens)
        self._run(Place.ANYWHERE, 1, size - 1, 2)
        self._run(Place.BEGINNING, 0, min(9, size - 1), 3)
        self._run(Place.ENDING, max(1, size - 13), size, 3)
        inner = [place for place in breaks if place < size - 2]
        if inner:
            self._run(Place.FIRST_SENTENCE, 1, inner[0] + 1, 1)
            self._run(Place.LAST_SENTENCE, inner[-1] + 1, size - 1, 2)
        for part in _AROUND:
            if (at := self.last[part]) >= 0:
                self._run(Place.AROUND + 64 * (part + 1), max(0, at - 4), min(size, at + 4), 3)
        self._skeletons()
        self._note(Place.LENGTH, size.bit_length(), size >> max(0, size.bit_length() - 2) & 1)
        asked = f" {self.question.text.lower()} "
        for number, word in enumerate(_DENIED_QUESTION):
            if f" {word} " in asked:
                self._note(Place.QUESTION, number)
                self._note(Place.QUESTION, 50)
        if self.question.expected is None:
            self._note(Place.QUESTION, 51)
        for part in _WEIGHED:
            self._note(Place.COUNT, part, min(3, self.counts[part]))
            if self.counts[part]:
                self._note(Place.DISTANCE, part, 0, 5 * self.first[part] // size)
                self._note(Place.DISTANCE, part, 1, 5 * self.last[part] // size)
                self._note(Place.DISTANCE, part, 2, _binned(size - self.last[part]))
                self._note(Place.DISTANCE, part, 3, _binned(self.first[part]))
        players = [token for token in self.tokens if token in _PLAYERS]
        if players:
            self._note(Place.LAST_PART, players[-1])
            self._note(Place.FIRST_PART, players[0])

    def _skeletons(self) -> None:
        """Note of each sentence which parts and denials it holds, in their order."""
        skeleton, breaks, held, length = self.words.skeleton, self.words.breaks, 0, 0
        for token in self.tokens:
            if token in skeleton:
                if length < _SKELETON:
                    held, length = held * 1009 + token + 1, length + 1
            elif length and token in breaks:
                self._note(Place.SKELETON, held)
                held = length = 0
        if length:
            self._note(Place.SKELETON, held)

    def _of_ruling(self) -> None:
        ruling, reply, side, size = self.ruling, self.reply, self.side_number, len(self.tokens)
        task, reason = TASKS.index(self.question.task), _REASON_NUMBERS.get(ruling.reason, len(REASONS))
        length = len(reply.text)
        manner = 0 if length <= 80 else 1 if length <= 400 else 2
        self._note(Place.RULED, 0, 8 * task + side, reason)
        self._note(Place.RULED, 1, side)
        self._note(Place.RULED, 2, task, side)
        self._note(Place.RULED, 3, 4 * manner + OUTCOMES.index(ruling.outcome), reason)
        self._note(Place.RULED, 4, side, reason)
        self._note(Place.RULED, 5, int(self.foreign), side)
        if reply.turn:
            self._note(Place.RULED, 6, side)
        if reply.declared is not None:
            self._note(Place.RULED, 7, side)
        for why in {left.why for left in reply.left_out}.intersection(_WHYS):
            self._note(Place.LEFT_OUT, _WHYS.index(why))
        self._beside_span(side, size)
        for part in _HELD:
            self._note(Place.HOLDING, part, int(self.counts[part] > 0), side)
            if self.counts[part]:
                self._note(Place.HOLDING, part, 2 + _binned(size - self.last[part]), side)
        for token in self.words.telling.intersection(self.tokens):
            self._note(Place.BESIDE, token, side)
        self._note(Place.BESIDE, 0, size.bit_length(), side)
        players = [token for token in self.tokens if token in _PLAYERS]
        if players:
            self._note(Place.BESIDE, 1, players[-1], side)
            self._note(Place.BESIDE, 2, players[0], side)
        if self.question.rationale and self.question.expected is not None:
            self._note(Place.BESIDE, 3, int(self.question.expected[0] == "yes"), int(self.counts[_RATIONALE] > 0))

    def _beside_span(self, side: int, size: int) -> None:
        if not self.ruling.spans:
            return
        start, end = self.ruling.spans[0]
        first = max(1, bisect_left(self.starts, start, 1))
        behind = max(first, bisect_left(self.starts, end, 1))
        beside = 64 * (side + 1)
        self._run(Place.BEFORE_SPAN + beside, max(0, first - 5), first, 2)
        self._run(Place.BEHIND_SPAN + beside, behind, min(size, behind + 5), 2)
        self._run(Place.IN_SPAN + beside, first, min(first + 3, behind), 1)
        self._note(Place.SPAN, 0, side, int(first == 1))
        self._note(Place.SPAN, 1, side, 5 * first // size)
        self._note(Place.SPAN, 2, side, _binned(size - behind))

    def _measures(self, breaks: int) -> list[float]:
        reply, ruling, words, size = self.reply, self.ruling, self.words, len(self.tokens)
        text, spans = len(reply.text), ruling.spans
        counted = [
            float(size), float(breaks), float(reply.turn > 0), float(reply.declared is not None),
            float(sum(left.why in _WHYS for left in reply.left_out)),
            float(self.foreign), spans[0][0] / max(1, text) if spans else -1.0, float(text - spans[0][1]) if spans else -1.0,
            float(self.tokens.count(words.question)),
            *[float(sum(map(some.__contains__, self.tokens))) for some in (words.negating, words.turning, words.quotes)],
        ]  # fmt: skip
        for part in _WEIGHED:
            counted += [float(self.counts[part]), self.last[part] / size if self.counts[part] else -1.0]
        for names, told in ((TASKS, self.question.task), (OUTCOMES, ruling.outcome), (REASONS, ruling.reason)):
            counted += [float(name == told) for name in names]
        return [*counted, {"yes": 1.0, "no": 0.0}.get(self.side, 0.5)]


def _binned(distance: int) -> int:
    """Return a distance in tokens coarsely."""
    return distance if distance < 4 else min(6, 1 + distance.bit_length())
