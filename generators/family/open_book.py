"""Passages that hold the answer: what the rows of some facts say, the row asked about among them (an open book).

Facts stand in the order in which they were drawn; each six of them share a passage, of the sentences that explain them, so that
the right row stands at any place of it, and further facts change no passage but the last.

```
>>> [_rows_told(n, 0).tolist() for n in (1, 2)], _rows_told(8, 7).tolist()
([[0], [0, 1]], [6, 7, 0, 1, 2, 3])

```
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from generators.family.columns import EXPLANATION
from generators.family.wording import with_explanations
from queries.templates import Front

ROWS = 6
"""So many rows does a passage tell."""
CONTEXT = "\0context"


def with_passages(frame: pl.DataFrame, front: Front) -> pl.DataFrame:
    """Add the passage of each fact (`CONTEXT`): its own sentences among those of others."""
    told = with_explanations(frame, front)[EXPLANATION]
    n = frame.height
    if n == 0:
        return frame.with_columns(pl.lit(None, pl.String).alias(CONTEXT))
    rows = np.stack([_rows_told(n, at) for at in range(0, n, ROWS)])
    shown = told.gather(rows.ravel()).reshape(rows.shape).arr.to_list().list.drop_nulls().list.join(" ")
    return frame.with_columns(shown.gather(np.arange(n) // ROWS).alias(CONTEXT))


def _rows_told(n: int, at: int) -> npt.NDArray[np.int64]:
    """The rows of the passage of one of `n` facts: those of its six, the last of which take from the first."""
    first = at - at % ROWS
    return np.arange(first, first + min(ROWS, n)) % n
