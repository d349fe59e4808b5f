"""A fact with one value of its key exchanged, so that no row has it: the question about it has the other answer.

The value comes from the same column and is, by none of its names, the one that the rest of the key determines; so what is true
instead can be named: "It was another year: 1997."

```
python -m generators.family erbench/music --exemplars exemplars.jsonl --out items.jsonl --store ./songs
```

Source: ERBench, appendix C.2: "the released year of the movie is modified", "the nationality of the soccer player".
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from generators.draw import mix, word
from generators.erbench.catalog import words
from generators.family.facts import KEY
from generators.family.material import Material
from generators.family.proofs import PROOF, Proofs
from generators.family.rows import GROUP, aka, norm, normal, term
from generators.family.values import Column, Drawing, row_keys

__all__ = ["changed"]


def changed(material: Material, frame: pl.DataFrame) -> pl.DataFrame:
    """Return the facts that have a value to exchange, with it exchanged, in their order.

    Numbers and dates come first: of them there is one, while there may be more names than the data has.
    """
    key = [slot for slot in material.family.front.key if slot != material.family.front.image]
    slots = sorted(key, key=lambda slot: _kind(material, slot) not in ("number", "date"))
    rest, found = frame, []
    for slot in slots if len(key) > 1 else []:
        made = _exchanged(material, rest, slot, [other for other in key if other != slot])
        found.append(made)
        rest = rest.join(made, on=GROUP, how="anti", maintain_order="left")
    empty = frame.clear().with_columns(
        pl.lit(None, pl.String).alias("\0right"), pl.lit(None, pl.List(PROOF)).alias("\0proof"), pl.lit(False).alias("\0true")
    )
    return pl.concat([empty, *found]).sort("\0hash", GROUP)


def _kind(material: Material, slot: str) -> str | None:
    said = material.family.front.slots.get(slot)
    return (said.type if said else None) or material.rows.kinds.get(slot)


def _noun(material: Material, slot: str) -> str:
    """Call a slot by its name; one that is a participle ("published") by what it holds."""
    name, kind = slot.replace("_", " "), _kind(material, slot)
    if name.endswith("ed") or name in words().participles:
        return kind if kind in ("date", "number") else "value"
    return name


def _exchanged(material: Material, frame: pl.DataFrame, slot: str, rest: Sequence[str]) -> pl.DataFrame:
    """Exchange the values of one slot, where the rest of the key has but one."""
    rows, by = material.rows.frame, [norm(other) for other in rest]
    one = rows.drop_nulls([*by, norm(slot)]).group_by(by).agg(n=pl.col(norm(slot)).n_unique()).filter(pl.col("n") == 1)
    fit = frame.join(one, on=by, how="semi", maintain_order="left")
    others = fit.select(KEY, norm=aka(slot)).explode("norm", empty_as_null=True).drop_nulls()
    own = [fit.select(KEY, norm=norm(slot)), others.with_columns(normal(others["norm"]).alias("norm"))]
    column = Column(rows, row_keys(rows, material.seed), slot)
    points = mix(fit["\0hash"].to_numpy(), word("changed"), word(slot))
    drawn = Drawing(column, pl.concat(own).unique(), fit[KEY]).anywhere(np.arange(fit.height), points)
    values = column.values[np.maximum(drawn, 0)] if column.values.height else column.values
    fit = fit.with_columns(values["said"].alias("\0new"), values["term"].alias("\0newterm")).filter(pl.Series(drawn >= 0))
    return _told(material, fit, slot)


def _told(material: Material, fit: pl.DataFrame, slot: str) -> pl.DataFrame:
    """Say what is true instead, and prove both: what the true key has, and that the other one has nothing."""
    proofs = Proofs(material.citation)
    proof = pl.concat_list([proofs.rows(), proofs.there_is({slot: pl.col("\0newterm")}, pl.lit(False))])
    right = pl.concat_str(pl.lit(f"It was another {_noun(material, slot)}: "), pl.col(slot), pl.lit("."))
    made = fit.with_columns(right.alias("\0right"), proof.cast(pl.List(PROOF)).alias("\0proof"), pl.lit(False).alias("\0true"))
    made = made.with_columns(pl.col("\0new").alias(slot), pl.col("\0newterm").alias(term(slot)))
    return made.drop("\0new", "\0newterm")
