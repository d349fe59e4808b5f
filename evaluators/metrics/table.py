"""What every metric is handed on as: a table with its source, its dimensions and its measures.

```
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
python -c 'from evaluators.metrics.table import Measure; print(Measure("A", "A", "rate", "correct answers"))'
```

A table's frame has one column for each dimension (text, in the order of the rows) and for each measure a column of its name. A
measure that is a mean of answers has three more: `NAME_n`, the answers (or questions, or pairs) it is a mean of, and `NAME_low`
and `NAME_high`, its 95% interval. A null is a number that does not exist, never zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import polars as pl

__all__ = ["ALL", "NOWHERE", "Kind", "Measure", "Table"]

Kind = Literal["rate", "number", "count"]

ALL = "*"
"""The value of a dimension for all its values together."""

NOWHERE = "(none)"
"""The value of a dimension where an item does not say it."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A column of numbers: a `rate` (0 to 1, with `_n`, `_low`, `_high`), a `number` (perhaps with them) or a `count`.

    >>> Measure("A", "A", "rate").columns
    ('A', 'A_n', 'A_low', 'A_high')
    """

    name: str
    title: str
    kind: Kind
    note: str = ""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that a frame must have for it."""
        return (self.name, *(f"{self.name}_{end}" for end in ("n", "low", "high") if self.kind == "rate"))


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Numbers in a paper's shape: `key` is `paper.table`, `source` paper and section, `note` what counts as what."""

    key: str
    title: str
    source: str
    note: str
    dims: tuple[str, ...]
    measures: tuple[Measure, ...]
    frame: pl.DataFrame

    @classmethod
    def of(cls, key: str, about: tuple[str, str, str], measures: Sequence[Measure], frame: pl.DataFrame) -> Table:
        """Make a table of a frame whose text columns are the dimensions; `about` is title, source and note.

        >>> frame = pl.DataFrame({"model": ["m"], "n": [3]})
        >>> Table.of("x.y", ("T", "S", "N"), [Measure("n", "answers", "count")], frame).dims
        ('model',)
        """
        dims = tuple(name for name, dtype in frame.schema.items() if dtype == pl.String)
        named = [column for measure in measures for column in measure.columns]
        more = [name for name in frame.columns if name not in dims and name not in named]
        return cls(key, *about, dims, tuple(measures), frame.select(*dims, *named, *more))
