"""What came of a family: its items, made some facts at a time, and what there is to say about how they came to be.

```
python -m generators.family country-capital.rq
python -c 'from generators.family.result import Tally; print(Tally())'
```
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import polars as pl

from queries.records.exemplar import Exemplar
from queries.records.passage import Passage
from queries.templates.template import Template

__all__ = ["Result", "Tally"]


@dataclass
class Result:
    """The items of one family, and what there is to say about how they came to be.

    `rows`: how many its SELECT returns; `absent`: where there are none, the names in it that the graph does not have; `found`:
    facts that can be asked about; `facts`: those that are; `left_out`: rows, by reason; `exemplars` and `passages`: records,
    where asked for. Items are made a slice of facts at a time, so that any number of them needs the same memory; `tally`
    counts those that are made.
    """

    template: Template
    rows: int
    absent: list[str]
    found: int
    facts: int
    left_out: dict[str, int]
    exemplars: list[Exemplar]
    passages: list[Passage]
    tally: Tally
    _make: Callable[[Tally], Iterator[pl.DataFrame]] | None

    def slices(self) -> Iterator[pl.DataFrame]:
        """Make the items, some facts at a time, in order. They can be made once: ValueError where they were made before."""
        if self._make is None:
            raise ValueError(f"the items of '{self.template.name}' were made before: keep what slices() gives")
        make, self._make = self._make, None
        for made in make(self.tally):
            self.tally.see(made)
            yield made

    def forget(self) -> None:
        """Make no more items, and let go of what they are made of."""
        self._make = None

    @cached_property
    def items(self) -> pl.DataFrame:
        """All items at once."""
        return pl.concat(self.slices())

    @property
    def unfilled(self) -> dict[str, int]:
        """Facts without one of their questions, by reason, among those that were made items of."""
        return self.tally.unfilled


@dataclass
class Tally:
    """What was made: how many items, of which task and hops, a question of each task and variant, and what was not asked."""

    items: int = 0
    hops: Counter[tuple[str, str]] = field(default_factory=Counter)
    shown: dict[tuple[str, str], str] = field(default_factory=dict)
    unfilled: dict[str, int] = field(default_factory=dict)

    def see(self, made: pl.DataFrame) -> None:
        """Count some items."""
        self.items += made.height
        counted = made.group_by("task", hops=pl.col("strata").struct.field("hops").fill_null("-")).len()
        self.hops.update({(task, hops): n for task, hops, n in counted.iter_rows()})
        first = made.unique(["task", "variant"], keep="first", maintain_order=True)
        for task, variant, question in first.select("task", "variant", "question").iter_rows():
            self.shown.setdefault((task, variant), question)

    def miss(self, left_out: Mapping[str, int]) -> None:
        """Count facts that were not asked, by reason."""
        for reason, n in left_out.items():
            self.unfilled[reason] = self.unfilled.get(reason, 0) + n
