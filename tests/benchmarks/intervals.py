"""Do intervals that say 95% hold in 95% of cases? Scores with and without clusters.

```
python tests/benchmarks/intervals.py
python tests/benchmarks/intervals.py --other --quick --json intervals.json
```

Each row is a kind of data, each column a true value; a cell is the share of benchmarks whose interval holds that value, and
behind the stroke the same for an interval that ignores the clusters (or the verifier's errors). Clustered right and wrong
answers are beta-binomial: `alike` is their intraclass correlation. Of unequal clusters, a few hold most of the items. Where
there are no clusters, shares and differences of two models are not simulated: all outcomes are summed up by their probability.
The rest is simulated 12,000 times, so that the error of a cell is below 0.2.

The first table counts the kinds within 93 to 97, those below (too narrow) and those above (too wide), and among these the
ones for which no interval can be within, because counts jump (`interval_kinds.reachable`). `--other` does all of it on kinds
that no method was chosen by.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtri
from scipy.stats import binom

from evaluators.statistics import choice_baseline, clustered_mean, items_needed, paired, wilson
from evaluators.statistics.clustered import bounded_limits, share_limits
from evaluators.statistics.comparison import adjusted_wald, difference_limits
from evaluators.statistics.intervals import normal_quantile
from evaluators.statistics.verifier import corrected_limits
from interval_kinds import GRIDS, SAME, Floats, Grid, Verifier, abilities, differing, discordant, reachable, right_ones, summed

Limits = tuple[Floats, Floats]
AT_ONCE, RUNS, QUICK = 1500, 12_000, 300
TESTS = "Tests with p < 0.05 (ours / clusters ignored)"


class Cell(NamedTuple):
    """How often the interval holds the true value, how often one that ignores what matters does; can any be within 93 to 97?"""

    ours: float
    naive: float | None
    possible: bool = True


class Row(NamedTuple):
    """One kind of data: its cells by true value."""

    table: str
    data: str
    cells: dict[str, Cell]


def held(limits: Limits, truth: float) -> Floats:
    """Tell which intervals hold the truth."""
    # A hair's breadth is rounding: a clip at the truth itself is no miss.
    return ((limits[0] <= truth + 1e-12) & (truth - 1e-12 <= limits[1])).astype(np.float64)


def simulated(runs: int, once: Callable[[int], Limits], possible: bool = True) -> Cell:
    """Return the means of what so many runs say of our interval and of the other, a few runs at a time."""
    parts = [once(min(AT_ONCE, runs - done)) for done in range(0, runs, AT_ONCE)]
    ours, naive = (float(np.mean(np.concatenate(said))) for said in zip(*parts, strict=True))
    return Cell(ours, naive, possible)


def plain_shares(grid: Grid, rng: np.random.Generator, runs: int) -> Iterator[Row]:
    """Wilson's interval, exactly; beside it the textbook's (Wald)."""
    for n in grid.items:
        hits = np.arange(n + 1)
        half = 1.96 * np.sqrt(hits / n * (1 - hits / n) / n)
        cells = {}
        for share in grid.shares:
            weights = binom.pmf(hits, n, share)
            ours, walds = (weights @ held(ends, share) for ends in (wilson(hits, n), (hits / n - half, hits / n + half)))
            cells[str(share)] = Cell(float(ours), float(walds), reachable(n, share))
        yield Row("Shares, no clusters (Wilson / Wald)", f"{n} items", cells)


def clustered_shares(grid: Grid, rng: np.random.Generator, runs: int) -> Iterator[Row]:
    """Right and wrong answers in clusters; beside it Wilson's interval as if there were none."""
    spreads = [(alike, law) for alike in grid.alike for law in (grid.laws if alike else grid.laws[:1])]
    for clusters, (alike, law) in product(grid.clusters, spreads):
        sizes, cells = clusters.sizes(), {}
        for share in grid.shares:

            def once(runs: int, share: float = share, sizes: Floats = sizes, alike: float = alike, law: str = law) -> Limits:
                sums = right_ones(rng, runs, sizes, share, alike, law)
                naive = wilson(sums.sum(axis=1), sizes.sum())
                return held(share_limits(sums, sizes), share), held(naive, share)

            cells[str(share)] = simulated(runs, once, bool(alike) or reachable(int(sizes.sum()), share))
        data = f"{clusters.data}, alike {alike}" + (f", {law}" if alike and len(grid.laws) > 1 else "")
        yield Row("Shares in clusters (ours / clusters ignored)", data, cells)


def clustered_numbers(grid: Grid, rng: np.random.Generator, runs: int) -> Iterator[Row]:
    """Scores between 0 and 1, and scores without bounds (skewed, by t), in clusters; beside them t as if there were none."""
    for bounded, clusters in product((True, False), (each for each in grid.clusters if each.number <= 100)):
        sizes, cells = clusters.sizes(), {}
        for alike in grid.alike:

            def once(runs: int, alike: float = alike, sizes: Floats = sizes, bounded: bool = bounded) -> Limits:
                values, truth = scores(rng, runs, sizes, alike, bounded)
                ours = bounded_limits(summed(values, sizes), sizes) if bounded else limits_by_t(values, sizes)
                half = 1.96 * values.std(axis=1, ddof=1) / np.sqrt(sizes.sum())
                return held(ours, truth), held((values.mean(axis=1) - half, values.mean(axis=1) + half), truth)

            cells[f"alike {alike}"] = simulated(runs, once)
        kind = "Scores between 0 and 1" if bounded else "Other scores"
        yield Row(f"{kind} in clusters (ours / clusters ignored)", clusters.data, cells)


def limits_by_t(values: Floats, sizes: Floats) -> Limits:
    """Return what `clustered_mean` gives for each run."""
    owner = np.repeat(np.arange(sizes.size), sizes.astype(np.int64))
    found = [clustered_mean(run, owner) for run in values + 10.0]  # away from 0 to 1
    return np.array([each.low for each in found]) - 10, np.array([each.high for each in found]) - 10


def scores(rng: np.random.Generator, runs: int, sizes: Floats, alike: float, bounded: bool) -> tuple[Floats, float]:
    """Draw scores and return them with their mean: like F1 (0, 1 or between), or skewed and without bounds."""
    if bounded:
        hard = abilities(rng, runs, sizes, alike)[0]
        return np.clip(0.7 - 0.5 * hard, 0, 1), clipped_mean(0.7, 0.5)
    owner = np.repeat(np.arange(sizes.size), sizes.astype(np.int64))
    cluster, own = rng.gamma(2, 1, (runs, sizes.size)), rng.gamma(2, 1, (runs, owner.size))
    return np.sqrt(alike) * cluster[:, owner] + np.sqrt(1 - alike) * own, float(2 * (np.sqrt(alike) + np.sqrt(1 - alike)))


def clipped_mean(middle: float, spread: float) -> float:
    """Return the mean of a normal number that is clipped to 0 and 1.

    >>> round(clipped_mean(0.5, 3.0), 9)
    0.5
    """
    steps = (np.arange(400_000) + 0.5) / 400_000
    return float(np.clip(middle + spread * ndtri(steps), 0, 1).mean())


def differences(grid: Grid, rng: np.random.Generator, runs: int) -> Iterator[Row]:
    """Two models on the same items, which they find hard alike; beside it as if there were no clusters."""
    table = "Differences of two models (ours / clusters ignored)"
    for n in grid.paired_items:
        cells = {}
        for pair in grid.pairs:
            more, less, weights = discordant(n, pair)
            cells[named(pair)] = Cell(float(weights @ held(between_items(more, less, n), pair[0] - pair[1])), None)
        yield Row(table, f"{n} items", cells)
    for clusters, alike in grid.paired_clusters:
        sizes, cells = clusters.sizes(), {}
        for pair in grid.pairs:

            def once(runs: int, pair: tuple[float, float] = pair, sizes: Floats = sizes, alike: float = alike) -> Limits:
                each = differing(rng, runs, sizes, alike, pair)
                more, less = (summed(found, sizes) for found in each)
                naive = between_items(more.sum(axis=1), less.sum(axis=1), int(sizes.sum()))
                return held(difference_limits(more, less, sizes), pair[0] - pair[1]), held(naive, pair[0] - pair[1])

            cells[named(pair)] = simulated(runs, once)
        yield Row(table, f"{clusters.data}, alike {alike}", cells)


def named(pair: tuple[float, float]) -> str:
    """Name two accuracies."""
    return f"{pair[0]} and {pair[1]}"


def between_items(more: Floats, less: Floats, n: int) -> Limits:
    """Return the intervals of differences on n items without clusters, from the counts of discordant items."""
    return adjusted_wald(more / n, less / n, np.full(more.shape, float(n)), normal_quantile(0.95))


def corrections(grid: Grid, rng: np.random.Generator, runs: int) -> Iterator[Row]:
    """Scores by a verifier that errs, as often as people's labels say; beside it Wilson's interval of what it accepted."""
    for verifier in grid.verifiers:
        cells = {}
        for share in grid.corrected:

            def once(runs: int, share: float = share, verifier: Verifier = verifier) -> Limits:
                n, labels, sensitivity, specificity = verifier
                accepted = rng.binomial(n, share * sensitivity + (1 - share) * (1 - specificity), runs)
                right = rng.binomial(labels, 0.5, runs)
                hits, wrong = rng.binomial(right, sensitivity), rng.binomial(labels - right, 1 - specificity)
                ours = corrected_limits(accepted, n, hits, right - hits, wrong, labels - right - wrong)
                return held(ours, share), held(wilson(accepted, n), share)

            cells[str(share)] = simulated(runs, once)
        data = f"{verifier.n} answers, {verifier.labels} judged by people, accepts {verifier.sensitivity}"
        data += f" and rejects {verifier.specificity} rightly"
        yield Row("Corrected for the verifier's errors (ours / uncorrected)", data, cells)


def false_alarms(grid: Grid, rng: np.random.Generator, runs: int) -> Iterator[Row]:
    """How often a test with p < 0.05 sees what is not there (at most 5%), and what is there (80% was asked for)."""
    cells, runs = {}, max(runs // 5, 50)
    for clusters in (12, 60):
        a, b = (hard < ndtri(0.7) for hard in abilities(rng, runs, np.full(clusters, 5.0), 0.4))
        names = np.repeat(np.arange(clusters), 5)
        found = [[paired(x, y, by).p < 0.05 for x, y in zip(a, b, strict=True)] for by in (names, None)]
        ours, naive = (float(np.mean(each)) for each in found)
        cells[f"equal models, {clusters} clusters"] = Cell(ours, naive)
    cells["no preferred position"] = Cell(float(np.mean([unbiased(rng) < 0.05 for _ in range(runs)])), None)
    cells["0.7 against 0.75, items_needed"] = Cell(detected(rng, runs), None)
    yield Row(TESTS, "share of alarms", cells)


def unbiased(rng: np.random.Generator) -> float:
    """Return p for the picks of a model without a preference, where the first option is right too often."""
    sizes = rng.integers(3, 6, 200)
    keys = np.where(rng.random(200) < 0.5, 1, rng.integers(1, sizes + 1))
    other = rng.integers(1, sizes)
    return choice_baseline(sizes, keys, np.where(rng.random(200) < 0.7, keys, other + (other >= keys))).p


def detected(rng: np.random.Generator, runs: int) -> float:
    """Return how often two models are told apart on as many items as are said to be needed."""
    p1, p2, correlation = 0.7, 0.75, SAME
    both = p1 * p2 + correlation * np.sqrt(p1 * (1 - p1) * p2 * (1 - p2))
    n = items_needed(p1, p2, correlation=correlation)
    only_a, only_b, _ = rng.multinomial(n, [p1 - both, p2 - both, 1 - p1 - p2 + 2 * both], runs).T
    return float(np.mean(np.square(only_a - only_b) / (only_a + only_b) > 3.8415))


KINDS: tuple[Callable[[Grid, np.random.Generator, int], Iterator[Row]], ...] = (
    plain_shares, clustered_shares, clustered_numbers, differences, corrections, false_alarms
)  # fmt: skip


def measured(grid: Grid, runs: int) -> list[Row]:
    """Try everything; each kind has a random stream of its own."""
    rows: list[Row] = []
    for number, kind in enumerate(KINDS):
        rows += kind(grid, np.random.default_rng([grid.seed, number]), runs)
    return rows


def inside(cell: Cell) -> int:
    """Return 0 for a cell within 93 to 97, -1 for one below, 1 for one above; as it is printed."""
    share = round(cell.ours, 3)
    return 0 if 0.93 <= share <= 0.97 else int(np.sign(share - 0.95))


def summary(rows: list[Row]) -> list[str]:
    """Return the table that counts kinds."""
    lines = [
        "| 95% intervals | kinds | within 93 to 97 | too narrow (least) | too wide (most) | none can be within |",
        "|---" * 6 + "|",
    ]
    for table in dict.fromkeys(row.table for row in rows if row.table != TESTS):
        cells = [cell for row in rows if row.table == table for cell in row.cells.values()]
        ends = [sum(inside(cell) == side for cell in cells) for side in (-1, 0, 1)]
        least, most = (100 * worst(cell.ours for cell in cells) for worst in (min, max))
        never = sum(inside(cell) != 0 and not cell.possible for cell in cells)
        said = (len(cells), ends[1], f"{ends[0]} ({least:.1f})", f"{ends[2]} ({most:.1f})", never)
        lines.append(f"| {table.partition(' (')[0]} | " + " | ".join(str(each) for each in said) + " |")
    return lines


def markdown(rows: list[Row]) -> str:
    """Return the rows as tables, in percent; what is outside 93 to 97 is marked."""
    lines = summary(rows)
    for table in dict.fromkeys(row.table for row in rows):
        mine = [row for row in rows if row.table == table]
        lines += ["", f"| {table} | " + " | ".join(mine[0].cells) + " |", "|---" * (len(mine[0].cells) + 1) + "|"]
        plain = table == TESTS
        lines += [f"| {row.data} | " + " | ".join(shown(cell, plain) for cell in row.cells.values()) + " |" for row in mine]
    return "\n".join(lines)


def shown(cell: Cell, plain: bool) -> str:
    """Return a cell's text; `†`: no interval can be within 93 to 97.

    >>> shown(Cell(0.952, 0.81), False), shown(Cell(0.99, None, False), False), shown(Cell(0.04, None), True)
    ('95.2 / 81.0', '*99.0*†', '4.0')
    """
    text = f"{100 * cell.ours:.1f}"
    if not plain and inside(cell):
        text = f"*{text}*" + ("" if cell.possible else "†")
    return text if cell.naive is None else f"{text} / {100 * cell.naive:.1f}"


def document(rows: list[Row]) -> list[dict[str, Any]]:
    """Return the rows as JSON."""
    return [{"table": r.table, "data": r.data, "cells": {k: c._asdict() for k, c in r.cells.items()}} for r in rows]


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few runs: shows that it runs, its numbers are rough")
    parser.add_argument("--other", action="store_true", help="other kinds of data than those by which methods were chosen")
    parser.add_argument("--json", metavar="FILE", help="write the numbers to a file; `-` is stdout, instead of the tables")
    chosen = parser.parse_args()
    rows = measured(GRIDS["other" if chosen.other else "first"], QUICK if chosen.quick else RUNS)
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
