"""The numbers that were fitted to fresh answers, and what follows from them: how likely each outcome is, by an answer's signs.

Two steps. A logistic regression over the marks, one for each kind of task, with and without what was ruled, says which side a
text takes. Boosted trees over these shares and the measures say which outcome is true. Both are sums of numbers in
`numbers.npz.xz`, which `tests/benchmarks/opinion.py` writes; its docstring names the answers that they were fitted to.
"""

from __future__ import annotations

import functools
import io
import lzma
from collections.abc import Iterator
from importlib import resources
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluators.verify.opinion.signs import POLAR, SIDES, TABLE, TASKS, Signs, side_of
from evaluators.verify.question import Question
from queries.records.verdict import OUTCOMES, Outcome

Numbers = NDArray[np.float32]
KINDS = {"yes_no": "polar", "probe": "polar", "premise": "premise", "choice": "choice", "open": "short", "context": "short"}
"""The kind of each task: tasks of a kind share their marks' weights."""


class Regression(NamedTuple):
    """A weight for each mark and side, and one for each side alone: by the text and, beside it, by what was ruled as well."""

    marks: Numbers
    ruled: Numbers
    bias: Numbers

    def shares(self, signs: Signs) -> Numbers:
        """Return how likely each side is, by the text alone and by both: a row each."""
        total = self.bias + np.add.reduce(self.marks.take(signs.marks, axis=0), axis=0)  # quicker than `sum`, in the same order
        total = total.reshape(2, -1)
        total[1] += np.add.reduce(self.ruled.take(signs.ruled, axis=0), axis=0)
        return _softmax(total)


class Trees(NamedTuple):
    """Boosted trees: for each an outcome, its questions ("is this measure more than so much?") and the numbers of its leaves.

    The questions of a tree stand level by level, the two below question n at 2n + 1 and 2n + 2, where 2n + 2 is asked of
    measures that are more.
    """

    base: Numbers
    outcome: NDArray[np.intp]
    measure: NDArray[np.intp]
    limit: Numbers
    leaves: Numbers

    def shares(self, measures: Numbers) -> Numbers:
        """Return how likely each outcome is."""
        trees, questions = self.measure.shape
        over = (measures.take(self.measure) > self.limit).ravel()  # indices of one row take half the time of pairs
        first = np.arange(0, trees * questions, questions)
        at = over.take(first) + 1
        while at[0] < questions:
            at = 2 * at + 1 + over.take(first + at)
        leaves = self.leaves.ravel().take(first + np.arange(-questions, trees - questions) + at)
        return _softmax(self.base + np.bincount(self.outcome, leaves, len(self.base)))


class Weights(NamedTuple):
    """All numbers: regressions by kind of task, trees, and by task, from which share on an outcome is sure."""

    regressions: dict[str, Regression]
    trees: Trees
    sure: dict[str, float]


def _softmax(scores: NDArray[np.floating]) -> Numbers:
    shares = np.exp(scores - np.maximum.reduce(scores, axis=-1, keepdims=True))
    return np.asarray(shares / np.add.reduce(shares, axis=-1, keepdims=True), np.float32)


@functools.cache
def weights() -> Weights:
    """Read the numbers."""
    packed = (resources.files("evaluators.verify.opinion") / "numbers.npz.xz").read_bytes()
    with np.load(io.BytesIO(lzma.decompress(packed))) as stored:
        tables = (_regressions(stored, name) for name in ("text", "ruled"))
        both = {
            kind: Regression(np.hstack([a, b[:TABLE]]), b[TABLE:], np.hstack([of_a, of_b]))
            for kind, (a, of_a), (b, of_b) in zip(dict.fromkeys(KINDS.values()), *tables, strict=True)
        }
        trees = Trees(*(_wide(stored[f"trees_{field}"]) for field in Trees._fields))
        return Weights(both, trees, dict(zip(TASKS, stored["sure"].tolist(), strict=True)))


def _wide(numbers: NDArray[Any]) -> NDArray[Any]:
    """Return numbers, which are packed in fewer bits, as they are reckoned with."""
    return numbers.astype(np.float32 if numbers.dtype.kind == "f" else np.intp)


def _regressions(stored: np.lib.npyio.NpzFile, name: str) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield weights and biases, kind by kind."""
    for levels, scale, bias in zip(*(stored[f"{name}_{part}"] for part in ("weights", "scale", "bias")), strict=True):
        yield levels.astype(np.float32) * scale, bias.astype(np.float32)


def measures_of(signs: Signs, question: Question, text: Numbers, ruled: Numbers) -> Numbers:
    """Return what the trees look at: the measures, and both regressions' shares of each outcome."""
    return np.array([*signs.measures, *_of_outcomes(text, question), *_of_outcomes(ruled, question)], np.float32)


def _of_outcomes(shares: Numbers, question: Question) -> list[float]:
    sided = question.task in POLAR
    by_side = dict(zip(SIDES[sided], shares.tolist(), strict=True))
    if sided and question.expected is None:  # whatever side it takes is wrong
        return [0.0, by_side["yes"] + by_side["no"], by_side["abstained"], by_side["unscored"]]
    return [by_side[side_of(outcome, question)] for outcome in OUTCOMES]


def likelihoods(signs: Signs, question: Question) -> dict[Outcome, float]:
    """Return how likely each outcome is, by the signs of an answer."""
    fitted, kind = weights(), KINDS[question.task]
    text, ruled = fitted.regressions[kind].shares(signs)
    shares = fitted.trees.shares(measures_of(signs, question, text, ruled))
    return dict(zip(OUTCOMES, shares.tolist(), strict=True))
