"""Do intervals that say 95% hold in 95% of cases? Simulated scores, with and without clusters.

```
python tests/benchmarks/coverage.py
python tests/benchmarks/coverage.py --quick --json coverage.json
```

Each row is a kind of data, each column a true value; a cell is the share of simulated benchmarks whose interval holds that
value, and behind the stroke the same for an interval that ignores the clusters (or the verifier's errors). Clustered right
and wrong answers are beta-binomial: `alike` is their intraclass correlation. Of unequal clusters, a few hold most of the
items (a geometric distribution of sizes). Shares without clusters are not simulated: all outcomes are summed up by their
probability.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri
from scipy.stats import binom

from evaluators.statistics import choice_baseline, items_needed, paired, wilson
from evaluators.statistics.clustered import degrees_of_freedom, share_limits, variance_of_mean
from evaluators.statistics.comparison import difference_limits
from evaluators.statistics.estimate import t_quantile
from evaluators.statistics.verifier import corrected_limits

Floats = NDArray[np.float64]
Limits = tuple[Floats, Floats]
SHARES = (0.02, 0.05, 0.1, 0.3, 0.5)


class Cell(NamedTuple):
    """How often the interval holds the true value, and how often one that ignores what matters does."""

    ours: float
    naive: float | None


class Row(NamedTuple):
    """One kind of data: its cells by true value."""

    table: str
    data: str
    cells: dict[str, Cell]


def held(limits: Limits, truth: float) -> float:
    """Return the share of intervals that hold the truth."""
    return float(np.mean((limits[0] <= truth) & (truth <= limits[1])))


def plain_shares() -> Iterator[Row]:
    """Wilson's interval, exactly; beside it the textbook's (Wald)."""
    for n in (20, 50, 100, 500, 2000):
        hits = np.arange(n + 1)
        half = 1.96 * np.sqrt(hits / n * (1 - hits / n) / n)
        cells = {}
        for share in SHARES:
            weights = binom.pmf(hits, n, share)
            inside = [(low <= share) & (share <= high) for low, high in (wilson(hits, n), (hits / n - half, hits / n + half))]
            cells[str(share)] = Cell(*(float(weights @ there) for there in inside))
        yield Row("Shares, no clusters (Wilson / Wald)", f"{n} items", cells)


def sizes_of(clusters: int, mean: int, equal: bool) -> Floats:
    """Return the sizes of clusters: all the same, or geometric with that mean."""
    if equal:
        return np.full(clusters, float(mean))
    return np.random.default_rng(clusters).geometric(1 / mean, clusters).astype(np.float64)


def clustered_shares(rng: np.random.Generator, runs: int) -> Iterator[Row]:
    """Right and wrong answers in clusters; beside it Wilson's interval as if there were none."""
    for clusters, mean, equal in (
        (10, 5, True),
        (30, 5, True),
        (100, 5, True),
        (300, 7, True),
        (30, 5, False),
        (100, 5, False),
    ):
        sizes = sizes_of(clusters, mean, equal)
        for alike in (0.0, 0.2, 0.5):
            cells = {}
            for share in SHARES:
                sums = rng.binomial(sizes.astype(int), chances(rng, (runs, clusters), share, alike)).astype(np.float64)
                naive = wilson(sums.sum(axis=1), sizes.sum())
                cells[str(share)] = Cell(held(share_limits(sums, sizes), share), held(naive, share))
            kind = "of" if equal else "of about"
            yield Row(
                "Shares in clusters (ours / clusters ignored)", f"{clusters} clusters {kind} {mean}, alike {alike}", cells
            )


def chances(rng: np.random.Generator, shape: tuple[int, int], share: float, alike: float) -> Floats:
    """Draw each cluster's chance of a right answer."""
    if not alike:
        return np.full(shape, share)
    spread = (1 - alike) / alike
    return rng.beta(share * spread, (1 - share) * spread, shape)


def clustered_numbers(rng: np.random.Generator, runs: int) -> Iterator[Row]:
    """Scores that are no shares (skewed, without bounds) in clusters, by t; beside it t as if there were none."""
    for clusters, equal in ((10, True), (30, True), (100, True), (30, False), (100, False)):
        sizes, cells = sizes_of(clusters, 5, equal), {}
        owner = np.repeat(np.arange(clusters), sizes.astype(int))
        for alike in (0.0, 0.2, 0.5):
            cluster, own = rng.gamma(2, 1, (runs, clusters)), rng.gamma(2, 1, (runs, owner.size))
            values = np.sqrt(alike) * cluster[:, owner] + np.sqrt(1 - alike) * own
            truth = 2 * (np.sqrt(alike) + np.sqrt(1 - alike))
            sums = np.add.reduceat(values, np.flatnonzero(np.diff(owner, prepend=-1)), axis=1)
            wide = t_quantile(0.95, degrees_of_freedom(sizes)) * np.sqrt(variance_of_mean(sums, sizes))
            narrow = 1.96 * values.std(axis=1, ddof=1) / np.sqrt(owner.size)
            mean = values.mean(axis=1)
            ours, naive = (held((mean - half, mean + half), float(truth)) for half in (wide, narrow))
            cells[f"alike {alike}"] = Cell(ours, naive)
        kind = "of" if equal else "of about"
        yield Row("Other scores in clusters (ours / clusters ignored)", f"{clusters} clusters {kind} 5", cells)


def differences(rng: np.random.Generator, runs: int) -> Iterator[Row]:
    """Two models on the same items, which they find hard alike; beside it as if there were no clusters."""
    table = "Differences of two models (ours / clusters ignored)"
    for clusters, size, alike in ((50, 1, 0.0), (200, 1, 0.0), (1000, 1, 0.0), (20, 5, 0.4), (100, 5, 0.0), (100, 5, 0.4)):
        cells = {}
        for pair in ((0.5, 0.5), (0.7, 0.6), (0.95, 0.9), (0.98, 0.97)):
            a, b = (
                right < ndtri(share) for right, share in zip(abilities(rng, runs, clusters, size, alike), pair, strict=True)
            )
            more, less = (found.sum(axis=2).astype(np.float64) for found in (a & ~b, b & ~a))
            ours = difference_limits(more, less, np.full(clusters, float(size)))
            each = [found.reshape(runs, -1).astype(np.float64) for found in (a & ~b, b & ~a)]
            naive = held(difference_limits(*each, np.ones(clusters * size)), pair[0] - pair[1]) if size > 1 else None
            cells[f"{pair[0]} and {pair[1]}"] = Cell(held(ours, pair[0] - pair[1]), naive)
        yield Row(table, f"{clusters} clusters of {size}, alike {alike}" if size > 1 else f"{clusters} items", cells)


def abilities(rng: np.random.Generator, runs: int, clusters: int, size: int, alike: float, same: float = 0.5) -> list[Floats]:
    """Draw how hard two models find each item: `same` of it is shared by both models, `alike` by a cluster's items."""
    shapes = ((runs, clusters, 1), (runs, clusters, size))
    shared = [rng.standard_normal(shape) for shape in shapes]
    parts = (alike, 1 - alike)

    def one() -> Floats:
        own = [rng.standard_normal(shape) for shape in shapes]
        both = zip(parts, shared, own, strict=True)
        return np.sum([np.sqrt(p * same) * s + np.sqrt(p * (1 - same)) * o for p, s, o in both][1:], axis=0) + (
            np.sqrt(parts[0] * same) * shared[0] + np.sqrt(parts[0] * (1 - same)) * own[0]
        )

    return [one(), one()]


def corrections(rng: np.random.Generator, runs: int) -> Iterator[Row]:
    """Scores by a verifier that errs, as often as people's labels say; beside it Wilson's interval of what it accepted."""
    for n, labels in ((100, 100), (500, 200), (2000, 1000)):
        for sensitivity, specificity in ((0.8, 0.85), (0.95, 0.9), (0.99, 0.97)):
            cells = {}
            for share in (0.05, 0.3, 0.5, 0.8, 0.95):
                accepted = rng.binomial(n, share * sensitivity + (1 - share) * (1 - specificity), runs)
                right = rng.binomial(labels, 0.5, runs)
                hits, wrong = rng.binomial(right, sensitivity), rng.binomial(labels - right, 1 - specificity)
                ours = corrected_limits(accepted, n, hits, right - hits, wrong, labels - right - wrong)
                cells[str(share)] = Cell(held(ours, share), held(wilson(accepted, n), share))
            data = f"{n} answers, {labels} judged by people, accepts {sensitivity} and rejects {specificity} rightly"
            yield Row("Corrected for the verifier's errors (ours / uncorrected)", data, cells)


def false_alarms(rng: np.random.Generator, runs: int) -> Iterator[Row]:
    """How often a test with p < 0.05 sees what is not there (at most 5%), and what is there (80% was asked for)."""
    cells = {}
    for clusters, size in ((12, 5), (60, 5)):
        a, b = (hard < ndtri(0.7) for hard in abilities(rng, runs, clusters, size, 0.4))
        names = np.repeat(np.arange(clusters), size)
        found = [[paired(x.ravel(), y.ravel(), by).p < 0.05 for x, y in zip(a, b, strict=True)] for by in (names, None)]
        cells[f"equal models, {clusters} clusters"] = Cell(*(float(np.mean(each)) for each in found))
    cells["no preferred position"] = Cell(float(np.mean([unbiased(rng) < 0.05 for _ in range(runs)])), None)
    cells["0.7 against 0.75, items_needed"] = Cell(detected(rng, runs), None)
    yield Row("Tests with p < 0.05 (ours / clusters ignored)", "share of alarms", cells)


def unbiased(rng: np.random.Generator) -> float:
    """Return p for the picks of a model without a preference, where the first option is right too often."""
    sizes = rng.integers(3, 6, 200)
    keys = np.where(rng.random(200) < 0.5, 1, rng.integers(1, sizes + 1))
    other = rng.integers(1, sizes)
    return choice_baseline(sizes, keys, np.where(rng.random(200) < 0.7, keys, other + (other >= keys))).p


def detected(rng: np.random.Generator, runs: int) -> float:
    """Return how often two models are told apart on as many items as are said to be needed."""
    p1, p2, correlation = 0.7, 0.75, 0.5
    both = p1 * p2 + correlation * np.sqrt(p1 * (1 - p1) * p2 * (1 - p2))
    n = items_needed(p1, p2, correlation=correlation)
    only_a, only_b, _ = rng.multinomial(n, [p1 - both, p2 - both, 1 - p1 - p2 + 2 * both], runs).T
    return float(np.mean(np.square(only_a - only_b) / (only_a + only_b) > 3.8415))


KINDS: tuple[Callable[[np.random.Generator, int], Iterator[Row]], ...] = (
    clustered_shares, clustered_numbers, differences, corrections, false_alarms
)  # fmt: skip


def measured(runs: int, seed: int = 0) -> list[Row]:
    """Simulate everything; each kind has a random stream of its own."""
    rows = list(plain_shares())
    for number, kind in enumerate(KINDS):
        rows += kind(np.random.default_rng([seed, number]), max(runs // 5, 50) if kind is false_alarms else runs)
    return rows


def markdown(rows: list[Row]) -> str:
    """Return the rows as tables, in percent; what is outside 93 to 97 is marked."""
    lines: list[str] = []
    for table in dict.fromkeys(row.table for row in rows):
        mine = [row for row in rows if row.table == table]
        lines += ["", f"| {table} | " + " | ".join(mine[0].cells) + " |", "|---" * (len(mine[0].cells) + 1) + "|"]
        plain = table.startswith("Tests")
        lines += [f"| {row.data} | " + " | ".join(shown(cell, plain) for cell in row.cells.values()) + " |" for row in mine]
    return "\n".join(lines[1:])


def shown(cell: Cell, plain: bool) -> str:
    """Return a cell's text.

    >>> shown(Cell(0.952, 0.81), False), shown(Cell(0.99, None), False), shown(Cell(0.04, None), True)
    ('95.2 / 81.0', '*99.0*', '4.0')
    """
    text = f"{100 * cell.ours:.1f}"
    if not plain and not 0.93 <= round(cell.ours, 3) <= 0.97:
        text = f"*{text}*"
    return text if cell.naive is None else f"{text} / {100 * cell.naive:.1f}"


def document(rows: list[Row]) -> list[dict[str, Any]]:
    """Return the rows as JSON."""
    return [{"table": r.table, "data": r.data, "cells": {k: c._asdict() for k, c in r.cells.items()}} for r in rows]


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few runs: shows that it runs, its numbers are rough")
    parser.add_argument("--json", metavar="FILE", help="write the numbers to a file; `-` is stdout, instead of the tables")
    chosen = parser.parse_args()
    rows = measured(300 if chosen.quick else 4000)
    text = json.dumps(document(rows), indent=1) + "\n"
    if chosen.json == "-":
        sys.stdout.write(text)
        return
    if chosen.json:
        with open(chosen.json, "w", encoding="utf-8") as stream:  # noqa: PTH123
            stream.write(text)
    print(markdown(rows))


if __name__ == "__main__":
    main()
