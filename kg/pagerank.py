"""PageRank by power iteration: how much of a graph points to each node, counted by how much points there.

Source: Page, Brin, Motwani, Winograd: The PageRank Citation Ranking (1999), section 2. networkx computes the same (a test
compares them), but needs SciPy for it, which is a third of a gigabyte that nothing else here would use.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kg.sets import Ints

_DAMPING = 0.85
_CLOSE = 1e-10  # of the whole; what is left after that many rounds is far below the decimals that are kept
_ROUNDS = 500
_DECIMALS = 6


def pagerank(n: int, source: Ints, target: Ints) -> npt.NDArray[np.float64]:
    """Return the rank of each of `n` nodes, times `n`: their mean is 1.

    Parameters: an edge leads from `source[i]` to `target[i]`; several between the same two count as many times. A node from
    which no edge leads gives its rank to all alike. Rounded to six decimals, so that nodes in like places are equal, and the
    order of edges and nodes does not show.

    >>> pagerank(3, np.array([0, 1]), np.array([2, 2])).tolist()
    [0.638298, 0.638298, 1.723404]
    """
    if n == 0:
        return np.empty(0)
    degree = np.bincount(source, minlength=n)
    share = 1 / np.maximum(degree, 1)
    ends = degree == 0
    rank = np.ones(n)
    for _ in range(_ROUNDS):
        given = np.bincount(target, (rank * share)[source], n)
        new = 1 - _DAMPING + _DAMPING * (given + rank[ends].sum() / n)
        moved = np.abs(new - rank).sum()
        rank = new
        if moved < _CLOSE * n:
            break
    return rank.round(_DECIMALS)
