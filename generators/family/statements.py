"""What the options of a choice say: every statement rendered, true or (where its slot was drawn) false, and their order.

```
python -m generators.family erbench/mc_movie --n 5 --store ./films
```
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from generators.family.choice import FALSE
from generators.family.rows import normal
from generators.family.wording import option_texts, with_articles, wording
from queries.templates.front import Choice

__all__ = ["order_of", "statements"]


def statements(frame: pl.DataFrame, text: Choice, options: Sequence[str]) -> tuple[pl.DataFrame, list[pl.Expr]]:
    """Return the frame with what the texts need, and an expression for what each option says.

    The frame says which slot was drawn (`\\0false`, -1 for none) and what is said of it instead (`\\0said`).
    """
    places = {place for said in option_texts(text) for place in wording(said).articles}
    frame = with_articles(frame, places)
    found = []
    for i, slot in enumerate(options):
        false = f"{FALSE}{slot}"
        shown = pl.when(pl.col("\0false") == i).then(pl.col("\0said")).otherwise(pl.col(slot))
        frame = frame.with_columns(shown.alias(false))
        frame = with_articles(frame, {p for p in places if p.name == slot}, {slot: false})
        frame = frame.with_columns(normal(frame[false]).alias(f"{false}\0norm"))
        found.append(_statement(text.options[slot], slot, false))
    return frame, found


def _statement(said: str | Mapping[str, str], slot: str, column: str) -> pl.Expr:
    if isinstance(said, str):
        return wording(said).expr({slot: column})
    shown = pl.lit(None, pl.String)
    for value, text in said.items():
        is_value = pl.col(f"{column}\0norm") == normal(pl.Series([value]))[0]
        shown = pl.when(is_value).then(wording(text).expr({slot: column})).otherwise(shown)
    return shown


def order_of(n: int, drawn: int, position: int) -> list[int]:
    """Return the statements in order: the one that was drawn in its position, the others as the family lists them.

    Where all are true, the first one takes the position, so that the order tells nothing.

    >>> order_of(3, 0, 2)
    [1, 2, 0]
    """
    others = [i for i in range(n) if i != drawn]
    return [*others[:position], drawn, *others[position:]]
