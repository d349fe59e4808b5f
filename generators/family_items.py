"""Facts of a family as records: questions, accepted answers, rationale, and the proofs.

```
python -m generators.family erbench/movie --store ./films
python -m queries.records check items.jsonl
```
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from generators.family_choice import FALSE, Choices
from generators.family_claim import Claims
from generators.family_phrase import Wording, option_texts, with_articles, wording
from generators.family_query import Citation
from generators.family_rows import aka, norm, normal, term
from kg.vocab import XSD
from queries.front import Choice, Front
from queries.item import ITEM_SCHEMA

__all__ = ["Made", "Maker", "group_names"]

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
_ROWS = pl.List(pl.List(pl.String))
_PROOF = pl.Struct(
    {
        "query": pl.String,
        "bind": pl.List(pl.Struct({"name": pl.String, "term": pl.String})),
        "expect": pl.Boolean,
        "rows": _ROWS,
    }
)
_TRUE = {True: ("yes", "accept"), False: ("no", "reject")}
NONE = "None of the above."
"""What "None of the above" is called where the family does not say."""


@dataclass(frozen=True)
class Made:
    """The items of a family, and how many facts gave none of some variant, by reason."""

    items: pl.DataFrame
    left_out: dict[str, int]


def group_names(front: Front, frame: pl.DataFrame) -> pl.Series:
    """Return the group of each fact: `method.family.HASH`, HASH over what is said by the key.

    The normal form is hashed, so another spelling of the same key is the same group.
    """
    said = frame.select(pl.concat_str([pl.lit(front.name), *(norm(slot) for slot in front.key)], separator="\0")).to_series()
    hashes = pl.Series([_hash(text) for text in said.to_list()], dtype=pl.String)
    return (f"{_slug(front.method or '')}.{_slug(front.name)}." + hashes).alias("group")


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _slug(name: str) -> str:
    """Make a part of an id of a name; what has other characters becomes a hash."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else hashlib.sha256(name.encode()).hexdigest()[:8]


class Maker:
    """Makes the items of one family.

    Parameters: `frame` has the facts drawn, with `group`, in the order they are written; `kinds` are the types that the
    slots show by themselves; `source` is told in every item; `strata` are the names that all families of a file share.
    """

    def __init__(
        self,
        citation: Citation,
        frame: pl.DataFrame,
        kinds: Mapping[str, str],
        source: Mapping[str, str],
        strata: Sequence[str],
    ) -> None:
        self.front, self.citation, self.kinds, self.source, self.strata = (
            citation.template.front,
            citation,
            kinds,
            source,
            strata,
        )
        self.frame = frame.with_row_index("\0fact")
        self.left_out: dict[str, int] = {}

    def probes(self) -> list[pl.DataFrame]:
        """Make the items that ask whether the model knows the entity at all."""
        texts = (self.front.probe or {}).items()
        return [self._plain(variant, wording(text), "probe", i) for i, (variant, text) in enumerate(texts)]

    def questions(self, claims: Claims | None) -> list[pl.DataFrame]:
        """Make the items of every variant of a question that has no options."""
        frame = self.frame
        if self.front.claim and claims is not None:
            value = self.front.claim.value
            frame = frame.drop(value, strict=False).with_columns(claims.said.alias(value), claims.true.alias("\0true"))
            self._count(frame.filter(pl.col(value).is_null()).height, claims.missing)
        elif self.front.holds:
            frame = frame.with_columns((pl.col(self.front.holds).str.to_lowercase().is_in(["true", "1"])).alias("\0true"))
        else:
            frame = frame.with_columns(pl.lit(True).alias("\0true"))
        self.frame, task = frame, self.front.task or "open"
        texts = [(v, t) for v, t in (self.front.question or {}).items() if isinstance(t, str)]
        return [self._plain(variant, wording(text), task, i) for i, (variant, text) in enumerate(texts)]

    def choices(self, drawn: Choices, options: Sequence[str], none_share: float) -> list[pl.DataFrame]:
        """Make the items of every phrasing of a choice."""
        columns = {
            "\0false": pl.Series(drawn.false),
            "\0position": pl.Series(drawn.position),
            "\0near": pl.Series(drawn.near),
            "\0said": drawn.values["said"],
            "\0term": drawn.values["term"],
        }
        self.frame = self.frame.with_columns(**columns).filter(pl.Series(drawn.filled))
        self._count(int((~drawn.filled).sum()), "no other value of any statement is false of it")
        texts = [(v, t) for v, t in (self.front.question or {}).items() if isinstance(t, Choice)]
        return [self._chosen(variant, text, options, none_share, i) for i, (variant, text) in enumerate(texts)]

    def _count(self, n: int, reason: str) -> None:
        if n:
            self.left_out[reason] = self.left_out.get(reason, 0) + n

    # --- what an item says

    def _plain(self, variant: str, text: Wording, task: str, turn: int) -> pl.DataFrame:
        frame = with_articles(self.frame, text.articles).with_columns(text.expr().alias("question"))
        asked = frame.drop_nulls("question")
        self._count(frame.height - asked.height, f"a value of the {task} '{variant}' is missing")
        given = text.slots if task == "probe" else list(dict.fromkeys([*self.front.key, *self._claimed(), *text.slots]))
        given = [slot for slot in given if slot != self.front.image]
        rationale = [] if task == "probe" else self._rationale()
        entries = self._entries(rationale)
        columns = {
            "options": pl.lit(None, pl.List(pl.String)),
            "answer": self._answer(task, variant),
            "given": _given(given),
            "rationale": entries,
            "proof": self._proofs(task),
        }
        return self._records(asked, task, variant, columns, given, rationale, (0 if task == "probe" else 1, turn))

    def _claimed(self) -> list[str]:
        return [self.front.claim.value] if self.front.claim else []

    def _rationale(self) -> list[str]:
        front = self.front
        if front.rationale is not None:
            return list(front.rationale)
        return list(front.answers) or ([front.claim.slot] if front.claim else [])

    def _answer(self, task: str, variant: str) -> pl.Expr:
        if task == "probe":
            return pl.concat_list(pl.lit("yes"))
        if task in ("yes_no", "premise"):
            side = 0 if task == "yes_no" else 1
            true, false = (_TRUE[value != variant.startswith("negated")][side] for value in (True, False))
            return pl.concat_list(pl.when("\0true").then(pl.lit(true)).otherwise(pl.lit(false)))
        accepted = [pl.concat_list(slot).list.concat(pl.col(aka(slot)).fill_null([])) for slot in self.front.answers]
        return pl.concat_list(accepted).list.drop_nulls().list.unique(maintain_order=True)

    def _entries(self, slots: Sequence[str], true: pl.Expr | None = None) -> pl.Expr:
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

    # --- what proves it

    def _proofs(self, task: str) -> pl.Expr:
        proofs = [self._rows_proof()]
        front = self.front
        if front.holds and task != "probe":
            proofs.append(self._ask_proof(front.holds, pl.lit(f'"true"^^<{XSD}boolean>'), pl.col("\0true")))
        return pl.concat_list(proofs)

    def _bind(self) -> list[pl.Expr]:
        return [_bound(slot, pl.col(term(slot))) for slot in self.front.key]

    def _rows_proof(self) -> pl.Expr:
        query = self.citation.query(self.front.key)
        return _proof(query, self._bind(), pl.lit(None, pl.Boolean), pl.col("rows"))

    def _ask_proof(self, slot: str, value: pl.Expr, expect: pl.Expr) -> pl.Expr:
        query = self.citation.query([*self.front.key, slot])
        return _proof(query, [*self._bind(), _bound(slot, value)], expect, pl.lit(None, _ROWS))

    # --- choice

    def _chosen(self, variant: str, text: Choice, options: Sequence[str], none_share: float, turn: int) -> pl.DataFrame:
        stem = wording(text.stem)
        frame = with_articles(self.frame, stem.articles).with_columns(stem.expr().alias("question"))
        frame, statements = _statements(frame, text, options)
        said = [f"\0statement{i}" for i in range(len(options))]
        frame = frame.with_columns(statement.alias(column) for column, statement in zip(said, statements, strict=True))
        asked = frame.drop_nulls(["question", *said])
        self._count(frame.height - asked.height, f"a value has no text in the choice '{variant}'")
        given = list(dict.fromkeys([*stem.slots, *self.front.key]))
        # Rows with the same false slot and position are alike in form: no value is chosen row by row.
        parts = [asked.clear(), *asked.partition_by("\0false", "\0position", maintain_order=True)]
        made = [
            self._records(
                part, "choice", variant, self._drawn(part, options, said, given, none_share), given, options, (1, turn)
            )
            for part in parts
        ]
        return pl.concat(made)

    def _drawn(
        self, part: pl.DataFrame, options: Sequence[str], said: Sequence[str], given: Sequence[str], none_share: float
    ) -> dict[str, pl.Expr]:
        """The columns of a choice, for rows with one false slot (-1: none) and one position of it."""
        false, position = part.select("\0false", "\0position").row(0) if part.height else (-1, 0)
        order = _order(len(options), max(false, 0), position)
        ordered = [pl.col(said[i]) for i in order]
        if none_share:
            ordered.append(pl.lit(self.front.none or NONE))
        proofs = [self._rows_proof()]
        if false >= 0:
            proofs.append(self._ask_proof(options[false], pl.col("\0term"), pl.lit(False)))
        right = len(options) if false < 0 else position
        return {
            "options": pl.concat_list(ordered),
            "answer": pl.concat_list(pl.lit(str(right + 1))),
            "given": _given(given),
            "rationale": self._entries([] if false < 0 else [options[false]]),
            "proof": pl.concat_list(proofs),
        }

    # --- the whole record

    def _records(
        self,
        frame: pl.DataFrame,
        task: str,
        variant: str,
        columns: Mapping[str, pl.Expr],
        given: Sequence[str],
        answered: Sequence[str],
        order: tuple[int, int],
    ) -> pl.DataFrame:
        front = self.front
        made = frame.with_columns(**columns)
        last = pl.col("rationale").list.last()
        about = [last.struct.field(name) for name in ("type", "unit", "precision")]
        if task in ("open", "premise") and front.answers:
            about = [pl.lit(value, pl.String) for value in self._about(front.answers[-1])]
        head = f"{_slug(front.method or '')}.{_slug(front.name)}.{task}.{_slug(variant)}."
        image = pl.col(front.image) if front.image else _TEXT
        nothing = pl.lit(None, pl.Null)
        return made.select(
            "\0fact",
            pl.lit(order[0]).alias("\0part"),
            pl.lit(order[1]).alias("\0turn"),
            schema=pl.lit(ITEM_SCHEMA),
            id=head + _ids(made, f"{front.name}\0{task}\0{variant}", [*given, *answered, *_drawn(made)]),
            method=pl.lit(front.method),
            family=pl.lit(front.name),
            task=pl.lit(task),
            variant=pl.lit(variant),
            question="question",
            options="options",
            answer="answer",
            answer_type=about[0],
            unit=about[1],
            precision=about[2],
            given="given",
            rationale="rationale",
            premise=nothing,
            context=_TEXT,
            image=image,
            group="group",
            parent=nothing,
            strata=self._strata(made, task),
            proof=pl.col("proof").cast(pl.List(_PROOF)),
            source=pl.struct([pl.lit(value).alias(name) for name, value in self.source.items()]),
        )

    def _strata(self, frame: pl.DataFrame, task: str) -> pl.Expr:
        front = self.front
        hops = front.hops or (len(self._rationale()) if task not in ("choice", "probe") else None)
        known: dict[str, pl.Expr] = {"domain": pl.lit(front.domain), "hops": pl.lit(str(hops) if hops else None, pl.String)}
        if "\0near" in frame.columns:
            near = pl.when(pl.col("\0near")).then(pl.lit("near")).otherwise(pl.lit("far"))
            known["distractor"] = pl.when(pl.col("\0false") >= 0).then(near)
        known |= {slot: pl.col(slot) for slot in front.strata}
        return pl.struct([known.get(name, _TEXT).alias(name) for name in self.strata])


def _drawn(frame: pl.DataFrame) -> list[str]:
    return [column for column in ("\0false", "\0position", "\0said") if column in frame.columns]


def _ids(frame: pl.DataFrame, head: str, slots: Sequence[str]) -> pl.Series:
    """Return the hash of each item, over everything that makes it."""
    parts = [pl.col(slot).cast(pl.String).fill_null("\1") for slot in slots]
    said = frame.select(pl.concat_str([pl.lit(head), *parts], separator="\0")).to_series()
    return pl.Series([_hash(text) for text in said.to_list()], dtype=pl.String)


def _given(slots: Sequence[str]) -> pl.Expr:
    if not slots:
        return pl.lit([], pl.List(pl.Struct({"slot": pl.String, "value": pl.String})))
    return pl.concat_list([pl.struct(pl.lit(slot).alias("slot"), pl.col(slot).alias("value")) for slot in slots])


def _bound(name: str, value: pl.Expr) -> pl.Expr:
    return pl.struct(pl.lit(name).alias("name"), value.alias("term"))


def _proof(query: str, bind: Sequence[pl.Expr], expect: pl.Expr, rows: pl.Expr) -> pl.Expr:
    bound = pl.concat_list(list(bind)).alias("bind")
    return pl.struct(pl.lit(query).alias("query"), bound, expect.alias("expect"), rows.alias("rows"))


def _statements(frame: pl.DataFrame, text: Choice, options: Sequence[str]) -> tuple[pl.DataFrame, list[pl.Expr]]:
    """Render what each option says, true or (where its slot was drawn) false."""
    places = {place for said in option_texts(text) for place in wording(said).articles}
    frame = with_articles(frame, places)
    statements = []
    for i, slot in enumerate(options):
        false = f"{FALSE}{slot}"
        shown = pl.when(pl.col("\0false") == i).then(pl.col("\0said")).otherwise(pl.col(slot))
        frame = frame.with_columns(shown.alias(false))
        frame = with_articles(frame, {p for p in places if p.name == slot}, {slot: false})
        said = text.options[slot]
        frame = frame.with_columns(normal(frame[false]).alias(f"{false}\0norm"))
        statements.append(_statement(said, slot, false))
    return frame, statements


def _statement(said: str | Mapping[str, str], slot: str, column: str) -> pl.Expr:
    if isinstance(said, str):
        return wording(said).expr({slot: column})
    shown = pl.lit(None, pl.String)
    for value, text in said.items():
        is_value = pl.col(f"{column}\0norm") == normal(pl.Series([value]))[0]
        shown = pl.when(is_value).then(wording(text).expr({slot: column})).otherwise(shown)
    return shown


def _order(n: int, drawn: int, position: int) -> list[int]:
    """Return the statements in order: the one that was drawn in its position, the others as the family lists them.

    Where all are true, the first one takes the position, so that the order tells nothing.

    >>> _order(3, 0, 2)
    [1, 2, 0]
    """
    others = [i for i in range(n) if i != drawn]
    return [*others[:position], drawn, *others[position:]]
