"""The kinds of data on which `intervals.py` tries the intervals, how they are drawn, and what is known of them exactly.

```
python tests/benchmarks/intervals.py --quick
python tests/benchmarks/intervals.py --other --quick
```

`GRIDS` has two: the one that the README's tables are of, by which methods were chosen, and another one with other sizes,
shares, seeds and laws, by which the choice was checked.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, ndtri
from scipy.stats import binom, multivariate_normal

Floats = NDArray[np.float64]
SAME = 0.5  # how far two models find the same items hard


class Clusters(NamedTuple):
    """How items come in clusters: how many, of what mean size, and by which law sizes are drawn ("equal": all the same)."""

    number: int
    mean: int
    law: str = "equal"

    @property
    def data(self) -> str:
        """Say it in words.

        >>> Clusters(30, 5).data, Clusters(30, 5, "geometric").data
        ('30 clusters of 5', '30 clusters of about 5')
        """
        said = {
            "equal": f"of {self.mean}",
            "geometric": f"of about {self.mean}",
            "long tail": f"of {self.mean} and up (long tail)",
        }
        return f"{self.number} clusters {said.get(self.law, f'of {self.mean}, three of them ten times as large')}"

    def sizes(self) -> Floats:
        """Return the sizes; of one kind they are always the same."""
        rng = np.random.default_rng(self.number)
        if self.law == "geometric":
            return rng.geometric(1 / self.mean, self.number).astype(np.float64)
        if self.law == "long tail":
            long_tail: Floats = np.minimum(self.mean - 1.0 + rng.zipf(1.8, self.number), 40.0)
            return long_tail
        made = np.full(self.number, float(self.mean))
        if self.law == "three large":
            made[:3] *= 10
        return made


class Verifier(NamedTuple):
    """How many answers it judged, how many labels of right and of wrong answers there are, how often it is right on each."""

    n: int
    labels: int
    sensitivity: float
    specificity: float


class Grid(NamedTuple):
    """Kinds of data. `laws`: how clusters' chances spread; "beta", or "pure": some are all right or all wrong."""

    items: tuple[int, ...]
    shares: tuple[float, ...]
    clusters: tuple[Clusters, ...]
    alike: tuple[float, ...]
    laws: tuple[str, ...]
    pairs: tuple[tuple[float, float], ...]
    paired_items: tuple[int, ...]
    paired_clusters: tuple[tuple[Clusters, float], ...]
    verifiers: tuple[Verifier, ...]
    corrected: tuple[float, ...]
    seed: int


GRIDS = {
    "first": Grid(
        items=(20, 50, 100, 500, 2000),
        shares=(0.02, 0.05, 0.1, 0.3, 0.5),
        clusters=(Clusters(10, 5), Clusters(30, 5), Clusters(100, 5), Clusters(300, 7),
                  Clusters(30, 5, "geometric"), Clusters(100, 5, "geometric")),
        alike=(0.0, 0.2, 0.5),
        laws=("beta",),
        pairs=((0.5, 0.5), (0.7, 0.6), (0.95, 0.9), (0.98, 0.97)),
        paired_items=(50, 200, 1000),
        paired_clusters=((Clusters(20, 5), 0.4), (Clusters(100, 5), 0.0), (Clusters(100, 5), 0.4)),
        verifiers=tuple(Verifier(n, labels, *rates) for n, labels in ((100, 100), (500, 200), (2000, 1000))
                        for rates in ((0.8, 0.85), (0.95, 0.9), (0.99, 0.97))),
        corrected=(0.05, 0.3, 0.5, 0.8, 0.95),
        seed=0,
    ),
    "other": Grid(
        items=(15, 35, 80, 250, 1000),
        shares=(0.02, 0.07, 0.15, 0.4, 0.75, 0.92, 0.98),
        clusters=(Clusters(8, 4), Clusters(25, 2, "three large"), Clusters(40, 8, "geometric"), Clusters(60, 10),
                  Clusters(60, 1, "long tail"), Clusters(150, 3, "geometric"), Clusters(250, 3)),
        alike=(0.0, 0.1, 0.35, 0.6),
        laws=("beta", "pure"),
        pairs=((0.6, 0.6), (0.8, 0.6), (0.9, 0.85), (0.97, 0.93), (0.3, 0.2), (0.99, 0.98)),
        paired_items=(30, 80, 150, 400),
        paired_clusters=((Clusters(10, 4), 0.2), (Clusters(30, 6, "geometric"), 0.6), (Clusters(60, 4, "geometric"), 0.3),
                         (Clusters(150, 3), 0.6)),
        verifiers=tuple(Verifier(n, labels, *rates) for n, labels in ((60, 60), (300, 150), (1000, 400), (5000, 160))
                        for rates in ((0.7, 0.9), (0.9, 0.7), (0.99, 0.9), (0.995, 0.995))),
        corrected=(0.02, 0.1, 0.4, 0.65, 0.9, 0.98),
        seed=1,
    ),
}  # fmt: skip


def chances(rng: np.random.Generator, shape: tuple[int, int], share: float, alike: float, law: str) -> Floats:
    """Draw each cluster's chance of a right answer, so that `alike` is the correlation within clusters."""
    if not alike:
        return np.full(shape, share)
    if law == "pure":
        return np.where(rng.random(shape) < alike, (rng.random(shape) < share).astype(np.float64), share)
    spread = (1 - alike) / alike
    return rng.beta(share * spread, (1 - share) * spread, shape)


def right_ones(rng: np.random.Generator, runs: int, sizes: Floats, share: float, alike: float, law: str) -> Floats:
    """Draw how many answers of each cluster are right."""
    drawn = chances(rng, (runs, sizes.size), share, alike, law)
    return rng.binomial(sizes.astype(np.int64), drawn).astype(np.float64)


def differing(rng: np.random.Generator, runs: int, sizes: Floats, alike: float, pair: tuple[float, float]) -> list[Floats]:
    """Draw for each item whether only the first model, and whether only the second is right; items on the last axis."""
    a, b = (found < ndtri(share) for found, share in zip(abilities(rng, runs, sizes, alike), pair, strict=True))
    return [(a & ~b).astype(np.float64), (b & ~a).astype(np.float64)]


def abilities(rng: np.random.Generator, runs: int, sizes: Floats, alike: float) -> list[Floats]:
    """Draw how hard two models find each item: `SAME` of it is shared by both models, `alike` by a cluster's items."""
    owner = np.repeat(np.arange(sizes.size), sizes.astype(np.int64))

    def drawn() -> Floats:
        clusters, items = rng.standard_normal((runs, sizes.size)), rng.standard_normal((runs, owner.size))
        made: Floats = np.sqrt(alike) * clusters[:, owner] + np.sqrt(1 - alike) * items
        return made

    shared = drawn()
    return [np.sqrt(SAME) * shared + np.sqrt(1 - SAME) * drawn() for _ in range(2)]


def summed(values: Floats, sizes: Floats) -> Floats:
    """Sum the items of each cluster."""
    starts = np.concatenate([[0], np.cumsum(sizes.astype(np.int64))[:-1]])
    return np.add.reduceat(values, starts, axis=-1)


def reachable(n: int, share: float) -> bool:
    """Tell whether an interval from the count alone can hold a share in 93 to 97% of cases.

    An interval holds the share for some counts in a row and for no others; none of these may have such a probability.

    >>> reachable(50, 0.02), reachable(50, 0.1)
    (False, True)
    """
    below = np.concatenate([[0.0], binom.cdf(np.arange(n + 1), n, share)])
    held = below[None, :] - below[:, None]
    return bool(np.any((held >= 0.9295) & (held < 0.9705)))


def discordant(n: int, pair: tuple[float, float]) -> tuple[Floats, Floats, Floats]:
    """Return what n items without clusters may give: items only the one, only the other is right on, and how probable it is."""
    both = float(multivariate_normal.cdf(ndtri(pair), cov=[[1, SAME], [SAME, 1]]))
    p, q = pair[0] - both, pair[1] - both
    most = [int(binom.ppf(1 - 1e-10, n, x)) + 1 for x in (p, q)]
    more, less = (x.ravel().astype(np.float64) for x in np.meshgrid(*(np.arange(min(x, n) + 1) for x in most)))
    there = more + less <= n
    more, less = more[there], less[there]
    ways = gammaln(n + 1) - gammaln(more + 1) - gammaln(less + 1) - gammaln(n - more - less + 1)
    return more, less, np.exp(ways + more * np.log(p) + less * np.log(q) + (n - more - less) * np.log1p(-p - q))
