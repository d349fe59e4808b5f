"""Chance and position bias in multiple choice: what guessing scores, and whether a model prefers a position."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluators.statistics.distributions import chi2_tail
from evaluators.statistics.intervals import Floats
from kg.errors import InputError

Ints = NDArray[np.int64]


class ChoiceBaseline(NamedTuple):
    """What scores mean nothing, and whether a model prefers a position.

    `guessing`: the expected score of a random pick; `always`: the score of always picking the first, second, ... option;
    `picks`: how often the model picked each; `expected`: how often it would have, were it as often right and without a
    preference; `chi2`, `df`, `p`: whether the picks differ from that (nan where nothing was picked).
    """

    n: int
    guessing: float
    always: tuple[float, ...]
    picks: tuple[int, ...]
    expected: tuple[float, ...]
    chi2: float
    df: int
    p: float


def choice_baseline(options: ArrayLike, answers: ArrayLike, picks: ArrayLike) -> ChoiceBaseline:
    """Return the baselines of choice items, and a test of the picks for a preferred position.

    A model without a preference picks the right option, wherever it stands, with the probability of its accuracy, and each
    wrong one with equal parts of the rest. The test is the score test of that: Pearson's chi-square (1900, Philosophical
    Magazine 50) with the covariance of items that have their own keys and numbers of options, less what the accuracy was
    fitted to.

    Parameters: for each item the number of its options, the 1-based number of the right one, and of the one picked (0: none
    was).
    Raises InputError where a number is no option's.

    >>> choice_baseline([4, 4], [1, 2], [1, 1]).always
    (0.5, 0.5, 0.0, 0.0)
    """
    sizes, keys, chosen = (np.asarray(x, dtype=np.int64).ravel() for x in (options, answers, picks))
    _check(sizes, keys, chosen)
    if not sizes.size:
        return ChoiceBaseline(0, math.nan, (), (), (), math.nan, 0, math.nan)
    most = int(sizes.max())
    always = tuple(float(np.mean(keys == place)) for place in range(1, most + 1))
    there = chosen > 0
    counts = np.bincount(chosen[there] - 1, minlength=most)
    expected, chi2, df, p = _preference(sizes[there], keys[there], chosen[there], counts)
    guessing = float(np.mean(1 / sizes))
    return ChoiceBaseline(sizes.size, guessing, always, tuple(counts.tolist()), tuple(expected.tolist()), chi2, df, p)


def _check(sizes: Ints, keys: Ints, chosen: Ints) -> None:
    if not sizes.size == keys.size == chosen.size:
        raise ValueError(f"{sizes.size} numbers of options, {keys.size} answers, {chosen.size} picks")
    wrong = np.flatnonzero((sizes < 2) | (keys < 1) | (keys > sizes) | (chosen < 0) | (chosen > sizes))
    if wrong.size:
        i = int(wrong[0])
        raise InputError(
            f"{sizes[i]} options, answer {keys[i]}, pick {chosen[i]} do not fit", place=f"choice {i + 1}",
            way_out="count options from 1, and at least two of them",
        )  # fmt: skip


def _preference(sizes: Ints, keys: Ints, chosen: Ints, counts: Ints) -> tuple[Floats, float, int, float]:
    """Return the picks to expect of each position, chi-square, its degrees of freedom and its p."""
    if not sizes.size:
        return np.zeros(counts.size), math.nan, 0, math.nan
    places = np.arange(1, counts.size + 1)
    right = (keys[:, None] == places).astype(np.float64)
    # What a wrong pick's probability is at each place: equal parts for the options that are there and not right.
    other = ((places <= sizes[:, None]) - right) / (sizes - 1)[:, None]
    accuracy = float(np.mean(keys == chosen))
    chance = accuracy * right + (1 - accuracy) * other
    expected: Floats = chance.sum(axis=0)
    # The accuracy was fitted to the same picks: what moves with it is taken out of the covariance.
    fitted = (right - other).sum(axis=0)
    covariance = np.diag(expected) - chance.T @ chance - np.outer(fitted, fitted) * accuracy * (1 - accuracy) / sizes.size
    chi2, df = _quadratic(counts - expected, covariance)
    return expected, chi2, df, chi2_tail(chi2, df) if df else 1.0


def _quadratic(distance: Floats, covariance: Floats) -> tuple[float, int]:
    """Return a distance, squared, in units of a covariance that may be singular, and the covariance's rank."""
    values, vectors = np.linalg.eigh(covariance)
    # The picks add up to the number of items, so that one direction at least has no variance, but for rounding.
    real = values > 1e-9 * max(1.0, float(values.max()))
    return float(np.sum(np.square(distance @ vectors[:, real]) / values[real])), int(real.sum())
