"""Facts of a family as records: everything that an item holds beside its question, a column at a time.

```
python -m generators.family erbench/movie --store ./films --out items.jsonl
python -m queries.records check items.jsonl
```
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from generators.family.choice import FALSE
from generators.family.proofs import PROOF
from generators.family.rows import GROUP, aka, norm
from queries.records.item import ITEM_SCHEMA
from queries.templates.front import Front

__all__ = ["Asked", "Records", "group_names"]

_TEXT = pl.lit(None, pl.String)
_ENTRY = pl.Struct(
    {
        "slot": pl.String,
        "value": pl.String,
        "aliases": pl.List(pl.String),
        "type": pl.String,
        "unit": pl.String,
        "precision": pl.String,
    }
)
_GIVEN = pl.List(pl.Struct({"slot": pl.String, "value": pl.String}))


def group_names(front: Front, frame: pl.DataFrame) -> pl.Series:
    """Return the group of each fact: `method.family.HASH`, HASH over what is said by the key.

    The normal form is hashed, so another spelling of the same key is the same group.
    """
    said = frame.select(pl.concat_str([pl.lit(front.name), *(norm(slot) for slot in front.key)], separator="\0")).to_series()
    hashes = pl.Series([_hash(text) for text in said.to_list()], dtype=pl.String)
    return (f"{_slug(front.method or '')}.{_slug(front.name)}." + hashes).alias(GROUP)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _slug(name: str) -> str:
    """Make a part of an id of a name; what has other characters becomes a hash."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else hashlib.sha256(name.encode()).hexdigest()[:8]


@dataclass(frozen=True)
class Asked:
    """One variant of a family's questions: what it states, what answers it, and its place among the items of a fact."""

    task: str
    variant: str
    given: Sequence[str]
    rationale: Sequence[str]
    place: tuple[int, int]


class Records:
    """Makes records of one family's facts.

    Parameters: `kinds` are the types that the slots show by themselves; `source` is told in every item; `strata` are the
    names that all families of a file share.
    """

    def __init__(self, front: Front, kinds: Mapping[str, str], source: Mapping[str, str], strata: Sequence[str]) -> None:
        self.front, self.kinds, self.source, self.strata = front, kinds, source, strata

    def of(self, frame: pl.DataFrame, asked: Asked, answer: Mapping[str, pl.Expr]) -> pl.DataFrame:
        """Return a record for every row; `answer` has `options, answer, rationale, proof`, the frame `question` and `group`."""
        made = frame.with_columns(**{f"\0{name}": value for name, value in {"given": _given(asked.given), **answer}.items()})
        fields = self._asked(made, asked) | self._told(asked) | self._filed(made, asked.task)
        place = [pl.lit(n).alias(name) for name, n in zip(("\0part", "\0turn"), asked.place, strict=True)]
        return made.select("\0fact", *place, *(value.alias(name) for name, value in fields.items()))

    def _asked(self, made: pl.DataFrame, asked: Asked) -> dict[str, pl.Expr]:
        front = self.front
        head = f"{_slug(front.method or '')}.{_slug(front.name)}.{asked.task}.{_slug(asked.variant)}."
        drawn = [column for column in ("\0false", "\0position", "\0said") if column in made.columns]
        hashes = _ids(made, f"{front.name}\0{asked.task}\0{asked.variant}", [*asked.given, *asked.rationale, *drawn])
        return {
            "schema": pl.lit(ITEM_SCHEMA),
            "id": pl.lit(head + hashes),
            "method": pl.lit(front.method),
            "family": pl.lit(front.name),
            "task": pl.lit(asked.task),
            "variant": pl.lit(asked.variant),
            "question": pl.col("\0question"),
            "options": pl.col("\0options"),
            "answer": pl.col("\0answer"),
        }

    def _told(self, asked: Asked) -> dict[str, pl.Expr]:
        last = pl.col("\0rationale").list.last()
        about = [last.struct.field(name) for name in ("type", "unit", "precision")]
        if asked.task in ("open", "premise") and self.front.answers:
            about = [pl.lit(value, pl.String) for value in self._about(self.front.answers[-1])]
        named = dict(zip(("answer_type", "unit", "precision"), about, strict=True))
        return {**named, "given": pl.col("\0given"), "rationale": pl.col("\0rationale"), "premise": pl.lit(None, pl.Null)}

    def _filed(self, made: pl.DataFrame, task: str) -> dict[str, pl.Expr]:
        front = self.front
        return {
            "context": _TEXT,
            "image": _picture(made, front.image),
            "group": pl.col(GROUP),
            "parent": pl.lit(None, pl.Null),
            "strata": self._strata(made, task),
            "proof": pl.col("\0proof").cast(pl.List(PROOF)),
            "source": pl.struct([pl.lit(value).alias(name) for name, value in self.source.items()]),
        }

    def rationale(self) -> list[str]:
        """The slots that a right explanation names."""
        front = self.front
        if front.rationale is not None:
            return list(front.rationale)
        return list(front.answers) or ([front.claim.slot] if front.claim else [])

    @property
    def hops(self) -> int:
        """How many values lie on the way to the answer."""
        return self.front.hops or len(self.rationale())

    def _strata(self, frame: pl.DataFrame, task: str) -> pl.Expr:
        front = self.front
        hops = front.hops or (self.hops if task not in ("choice", "probe") else None)
        known: dict[str, pl.Expr] = {"domain": pl.lit(front.domain), "hops": pl.lit(str(hops) if hops else None, pl.String)}
        if "\0near" in frame.columns:
            near = pl.when(pl.col("\0near")).then(pl.lit("near")).otherwise(pl.lit("far"))
            known["distractor"] = pl.when(pl.col("\0false") >= 0).then(near)
        known |= {slot: pl.col(slot) for slot in front.strata}
        return pl.struct([known.get(name, _TEXT).alias(name) for name in self.strata])

    def entries(self, slots: Sequence[str]) -> pl.Expr:
        """The rationale: an entry per slot that has a value."""
        entries = [pl.when(pl.col(slot).is_not_null()).then(self._entry(slot)) for slot in slots]
        if not entries:
            return pl.lit([], pl.List(_ENTRY))
        return pl.concat_list(entries).list.drop_nulls().cast(pl.List(_ENTRY))

    def _entry(self, slot: str) -> pl.Expr:
        kind, unit, precision = self._about(slot)
        return pl.struct(
            pl.lit(slot).alias("slot"),
            pl.col(slot).alias("value"),
            pl.col(aka(slot)).fill_null(pl.lit([], pl.List(pl.String))).alias("aliases"),
            pl.lit(kind).alias("type"),
            pl.lit(unit, pl.String).alias("unit"),
            pl.lit(precision, pl.String).alias("precision"),
        )

    def _about(self, slot: str) -> tuple[str, str | None, str | None]:
        said = self.front.slots.get(slot)
        kind = (said.type if said else None) or self.kinds.get(slot, "string")
        return kind, said.unit if said else None, said.precision if said else None


def _picture(frame: pl.DataFrame, slot: str | None) -> pl.Expr:
    """The picture that takes the place of a slot's text: of a false statement about it, the false one."""
    false = f"{FALSE}{slot}"
    return _TEXT if slot is None else pl.col(false if false in frame.columns else slot)


def _ids(frame: pl.DataFrame, head: str, slots: Sequence[str]) -> pl.Series:
    """Return the hash of each item, over everything that makes it."""
    parts = [pl.col(slot).cast(pl.String).fill_null("\1") for slot in slots]
    said = frame.select(pl.concat_str([pl.lit(head), *parts], separator="\0")).to_series()
    return pl.Series([_hash(text) for text in said.to_list()], dtype=pl.String)


def _given(slots: Sequence[str]) -> pl.Expr:
    if not slots:
        return pl.lit([], _GIVEN)
    return pl.concat_list([pl.struct(pl.lit(slot).alias("slot"), pl.col(slot).alias("value")) for slot in slots])
