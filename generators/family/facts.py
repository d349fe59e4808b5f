"""Which facts a family can ask about: the key must determine the answer, on what is said, row by row.

What breaks the dependency is left out, and counted by reason. NULL equals nothing, so a row without a value where one is
needed is left out as well.

```
python -m generators.family erbench/soccer_olympic --store ./soccer
```
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import polars as pl

from generators.family.query import ASKED
from generators.family.rows import Rows, aka, norm, normal, others, term
from kg.terms import texts_of
from queries.templates.front import Choice, Front

__all__ = ["Facts", "Roles", "facts_of", "roles_of", "with_proved"]

KEY = "\0key"
"""The column that numbers what is said by the key."""


@dataclass(frozen=True)
class Roles:
    """What a family does with its slots.

    `key`: stated; `needed`: must have one value each; `many`: may have several; `optional`: those of them that may have
    none (the question is whether there is one); `options`: what a choice states.
    """

    key: list[str]
    needed: list[str]
    many: list[str]
    optional: list[str]
    options: list[str]

    @property
    def every(self) -> list[str]:
        """All of them."""
        return list(dict.fromkeys([*self.key, *self.needed, *self.many, *self.optional, *self.options]))


def roles_of(front: Front, placeholders: Sequence[str]) -> Roles:
    """Work out the roles of a family's slots; `placeholders` are those its texts mention."""
    options = list(dict.fromkeys(s for c in (front.question or {}).values() if isinstance(c, Choice) for s in c.options))
    hidden = front.rationale if front.rationale is not None else front.answers
    claimed = [front.claim.slot] if front.claim else []
    said = [slot for slot in placeholders if not front.claim or slot != front.claim.value]
    truth = [front.holds] if front.holds else []
    picture = [front.image] if front.image else []
    wanted = dict.fromkeys([*hidden, *front.answers, *options, *claimed, *truth, *said, *picture])
    many = [slot for slot in wanted if slot in front.many]
    optional = [slot for slot in many if front.holds and slot not in said]
    key = list(front.key)
    needed = [slot for slot in wanted if slot not in key and slot not in many]
    return Roles(key, needed, [slot for slot in many if slot not in key], optional, options)


@dataclass
class Facts:
    """One row per fact: what is said by the key, with one value for each slot that has one.

    `frame` has the columns of the rows (a slot of several values has the first one, and the others among its other
    names) and `KEY`. `values` has every value of a key: `KEY, slot, norm`. `found`: facts the data has; `left_out`: rows, by
    reason.
    """

    frame: pl.DataFrame
    values: pl.DataFrame
    rows: int
    found: int
    left_out: dict[str, int] = field(default_factory=dict)


def facts_of(rows: Rows, roles: Roles) -> Facts:
    """Keep the rows whose key determines what is needed, one row a fact."""
    frame, left_out = _with_values(rows.frame, roles)
    keyed = _keyed(frame, roles.key)
    kept = _dependent(keyed, roles, left_out)
    unasked = kept.group_by(KEY).agg(pl.col(ASKED).any()).filter(~pl.col(ASKED))
    if unasked.height:
        left_out["not among those to be asked (`ask`)"] = kept.join(unasked, on=KEY, how="semi").height
    asked = kept.join(unasked, on=KEY, how="anti", maintain_order="left")
    values = _values(_keyed(rows.frame.drop_nulls([norm(slot) for slot in roles.key]), roles.key, keyed), roles)
    one = _one_each(asked, roles)
    return Facts(one, values, rows.frame.height, one.height, left_out)


def _with_values(frame: pl.DataFrame, roles: Roles) -> tuple[pl.DataFrame, dict[str, int]]:
    """Leave out the rows that lack a value where one is needed."""
    left_out = {}
    for slot in [*roles.key, *roles.needed, *(s for s in roles.many if s not in roles.optional)]:
        kept = frame.filter(pl.col(slot).is_not_null())
        if frame.height - kept.height:
            left_out[f"{slot} has no value"] = frame.height - kept.height
        frame = kept
    return frame, left_out


def _keyed(frame: pl.DataFrame, key: Sequence[str], like: pl.DataFrame | None = None) -> pl.DataFrame:
    """Number what is said by the key: in order of appearance, or as `like` numbers it (others go)."""
    norms = [norm(slot) for slot in key]
    said = (
        frame.select(norms).unique(maintain_order=True).with_row_index(KEY)
        if like is None
        else like.select(KEY, *norms).unique()
    )
    return frame.join(said, on=norms, maintain_order="left")


def _dependent(frame: pl.DataFrame, roles: Roles, left_out: dict[str, int]) -> pl.DataFrame:
    """Leave out the rows whose key has several values of one slot."""
    for slot in roles.needed:
        several = frame.group_by(KEY).agg(n=pl.col(norm(slot)).n_unique()).filter(pl.col("n") > 1)
        if several.height:
            kept = frame.join(several, on=KEY, how="anti", maintain_order="left")
            left_out[f"{', '.join(roles.key)} do{'es' * (len(roles.key) == 1)} not determine {slot}"] = (
                frame.height - kept.height
            )
            frame = kept
    return frame


def _values(keyed: pl.DataFrame, roles: Roles) -> pl.DataFrame:
    """Every name of every value that a key has: `KEY, slot, norm`."""
    empty = pl.DataFrame(schema={KEY: pl.UInt32, "slot": pl.String, "norm": pl.String})
    parts = [empty]
    for slot in dict.fromkeys([*(roles.options or roles.needed), *roles.many]):
        own = keyed.select(KEY, slot=pl.lit(slot), norm=norm(slot))
        others = keyed.select(KEY, slot=pl.lit(slot), norm=aka(slot)).explode("norm", empty_as_null=True).drop_nulls()
        parts += [own, others.with_columns(normal(others["norm"]).alias("norm"))]
    return pl.concat(parts).drop_nulls().unique()


def _one_each(frame: pl.DataFrame, roles: Roles) -> pl.DataFrame:
    """One row a key; a slot of several values keeps the first as its value and the others as other names."""
    first = frame.group_by(KEY, maintain_order=True).first()
    for slot in roles.many:
        listed = frame.drop_nulls(slot).unique([KEY, slot], maintain_order=True)
        listed = listed.sort(KEY, pl.col(slot).cast(pl.Float64, strict=False), slot, nulls_last=True)
        said = listed.group_by(KEY, maintain_order=True).agg(
            pl.col(slot, term(slot), norm(slot)).first(),
            pl.col(slot).slice(1).alias("\0rest"),
            pl.col(aka(slot)).explode(empty_as_null=True).drop_nulls().alias("\0more"),
        )
        joined = said.with_columns(pl.col("\0rest").list.concat("\0more").list.unique(maintain_order=True).alias(aka(slot)))
        own = [slot, term(slot), norm(slot), aka(slot)]
        first = first.drop(own).join(joined.select(KEY, pl.col("\0rest").alias(others(slot)), *own), on=KEY, how="left")
        first = first.sort(KEY)
    return first


def with_proved(facts: pl.DataFrame, rows: pl.DataFrame, key: Sequence[str], columns: Sequence[str]) -> pl.DataFrame:
    """Add to facts `\\0rows`, what the query returns for the terms of their keys: a set of rows of plain texts.

    `rows` are all rows, `columns` the slots that a proof's rows hold. Lists take memory: it is done for facts that are asked.
    """
    terms = [term(slot) for slot in key]
    own = rows.join(facts.select(terms), on=terms, how="semi", maintain_order="left")
    plain = pl.DataFrame([texts_of(own[term(slot)]).fill_null("").alias(str(i)) for i, slot in enumerate(columns)])
    listed = own.select(terms).with_columns(row=plain.select(pl.concat_list(pl.all())).to_series())
    proved = listed.unique(maintain_order=True).group_by(terms, maintain_order=True).agg(pl.col("row").alias("\0rows"))
    return facts.join(proved, on=terms, how="left", maintain_order="left")
