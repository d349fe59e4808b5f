"""What a passage may not say: the hidden values of a fact, and whatever settles them.

Refused is a fact whose value is a hidden one, by any of its names, or shares its words with one; and every relation
that tells a hidden slot: by the same values, by values that (where several facts share one) go with one hidden value each,
or by numbers that rise and fall with the hidden ones.

```
python -m generators.family erbench/mc_movie --passages passages.jsonl --out items.jsonl --store ./films
```
"""

from __future__ import annotations

import polars as pl

from generators.family.material import Material
from generators.family.rows import GROUP, aka, normal, others
from kg.text import fold_all

__all__ = ["Hidden", "settles"]

SETTLED, SHARED, FEW = 0.9, 0.1, 5
"""A relation settles a slot where of the facts that share a value this share agree, if at least the second share do share one;
or where of at least the third number of facts the numbers rise or fall together."""


_GROUP = pl.col(GROUP).alias("group")


class Hidden:
    """The hidden values of a family's facts."""

    def __init__(self, material: Material) -> None:
        self.material, front = material, material.family.front
        claimed = [front.claim.slot] if front.claim else []
        asked = [*(front.rationale or []), *front.answers, *claimed, *material.options]
        self.slots = [slot for slot in dict.fromkeys(asked) if slot not in front.key]
        self.key = list(front.key)

    def spared(self, told: pl.DataFrame) -> pl.DataFrame:
        """Keep the facts (`group, p, value, aliases, folded`) that a passage may tell."""
        telling = [p for (p,), part in told.group_by("p") if self._tells(part)]
        told = told.filter(~pl.col("p").is_in(telling)).with_row_index("\0row")
        return told.join(self._shared(told), on="\0row", how="anti", maintain_order="left")

    def _tells(self, facts: pl.DataFrame) -> bool:
        """Say whether a relation tells some hidden slot."""
        single = facts.filter(pl.len().over("group") == 1)
        frame = self.material.facts.frame
        for slot in self.slots:
            both = single.select("group", value="folded", number="value").join(
                frame.select(_GROUP, hidden=normal(frame[slot]), other=slot), on="group"
            )
            if settles(both.drop_nulls()):
                return True
        return False

    def _shared(self, told: pl.DataFrame) -> pl.DataFrame:
        """The facts whose value is given, or is a hidden one, or shares its words with one."""
        frame = self.material.facts.frame
        given = pl.concat([frame.select(_GROUP, name=fold_all(frame[slot])) for slot in self.key])
        parts = [_names(frame, slot) for slot in self.slots]
        hidden = pl.concat([given.clear(), *parts]).drop_nulls().unique()
        named = pl.concat([told.select("\0row", "group", said="folded"), _aliases(told)])
        same = named.join(given, left_on=["group", "said"], right_on=["group", "name"], how="semi")
        padded = named.join(hidden, on="group").with_columns(pl.format(" {} ", pl.col(c)).alias(c) for c in ("said", "name"))
        within = pl.col("said").str.contains(pl.col("name"), literal=True)
        around = pl.col("name").str.contains(pl.col("said"), literal=True)
        return pl.concat([same.select("\0row"), padded.filter(within | around).select("\0row")]).unique()


def _names(frame: pl.DataFrame, slot: str) -> pl.DataFrame:
    """All names of all values of a slot, folded: `group, name`."""
    lists = [column for column in (aka(slot), others(slot)) if column in frame.columns]
    parts = [frame.select(_GROUP, name=slot)]
    parts += [frame.select(_GROUP, name=column).explode("name", empty_as_null=True) for column in lists]
    found = pl.concat(parts).drop_nulls()
    return found.with_columns(fold_all(found["name"]).alias("name"))


def _aliases(told: pl.DataFrame) -> pl.DataFrame:
    listed = told.select("\0row", "group", said="aliases").explode("said", empty_as_null=True).drop_nulls()
    return listed.with_columns(fold_all(listed["said"]).alias("said"))


def settles(both: pl.DataFrame) -> bool:
    """Say whether values settle hidden ones (`value, hidden`, and as texts that may be numbers, `number, other`).

    >>> settles(pl.DataFrame({"value": ["us", "us", "fr"], "hidden": ["usa", "usa", "france"], "number": "", "other": ""}))
    True
    """
    if both.is_empty() or both["hidden"].n_unique() < 2:
        return False
    if (both["value"] == both["hidden"]).mean() > 1 - SETTLED:  # type: ignore[operator]
        return True
    groups = both.group_by("value").agg(n=pl.len(), different=pl.col("hidden").n_unique()).filter(pl.col("n") > 1)
    several = int(groups["n"].sum())
    agree = int(groups.filter(pl.col("different") == 1)["n"].sum())
    return (several >= SHARED * both.height and agree >= SETTLED * several > 0) or _rise_together(both)


def _rise_together(both: pl.DataFrame) -> bool:
    numbers = both.select(pl.col("number", "other").cast(pl.Float64, strict=False)).drop_nulls()
    if numbers.height < max(FEW, both.height * SETTLED) or min(numbers[c].n_unique() for c in numbers.columns) < FEW:
        return False
    ranks = numbers.select(pl.all().rank("dense"))
    return bool(abs(ranks.select(pl.corr("number", "other")).item()) > 1 - 1e-9)
