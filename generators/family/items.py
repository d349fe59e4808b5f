"""Facts of a family as items: every variant rendered, with its accepted answers and what proves them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from generators.family.columns import (
    CLAIMED,
    EXPLANATION,
    FALSE_SLOT,
    FALSE_TERM,
    FALSE_VALUE,
    GROUP,
    NEAR,
    POSITION,
    QUESTION,
    TRUE,
    aliases,
    stated,
)
from generators.family.draws import Claims, FalseStatements
from generators.family.facts import Grounding
from generators.family.proofs import Proofs
from generators.family.wording import (
    Wording,
    option_order,
    rationale_slots,
    statements,
    with_articles,
    with_explanations,
    wording,
)
from generators.items import assemble, listed
from generators.items import stated as given_values
from queries.records import frame_schema
from queries.records.item import RationaleEntry
from queries.templates import Choice, Front

NONE = "None of the above."
"""What "None of the above" is called where the family does not say."""

_ANSWERS = {"yes_no": ("yes", "no"), "premise": ("accept", "reject")}
_KIND_FIELDS = ("answer_type", "unit", "precision")
_NO_ENTRY = pl.lit(None, pl.Struct(frame_schema(RationaleEntry)))
NONE_SHARE = "none_share"
"""The stratum of how often "None of the above" is right, where there are several shares in a file."""
_SHARE = "\0share"
_DRAWN = "\0drawn"
"""The column of the term that a query drew."""
_FACT = "\0fact"
"""The column of a fact's number among those that items are made of."""


def right_answer(task: str, variant: str, true: bool) -> str:
    """Return the right answer to a variant about something that is true or not; a variant called `negated…` turns it round.

    >>> right_answer("yes_no", "basic", True), right_answer("yes_no", "negated", True), right_answer("premise", "basic", False)
    ('yes', 'no', 'reject')
    """
    return _ANSWERS[task][true == variant.startswith("negated")]


def with_truth(frame: pl.DataFrame, front: Front) -> pl.DataFrame:
    """Add whether the basic variant is true of each fact (`TRUE`)."""
    true = pl.col(front.holds).str.to_lowercase().is_in(["true", "1"]) if front.holds else pl.lit(True)
    return frame.with_columns(true.alias(TRUE))


class ItemMaker:
    """Makes the items of one family, of some facts at a time; `left_out` counts facts without one of their questions, and
    `sizes` how many items each of the facts has.

    `strata` are the names that the items of all families of a file share; of `grounding` no rows are needed.
    """

    def __init__(self, grounding: Grounding, strata: Sequence[str], *, probes: bool = True, open_book: bool = False) -> None:
        self.grounding, self.front, self.strata = grounding, grounding.front, strata
        self._open_book = open_book and self.front.task == "open"
        self._probes = (self.front.probe or {}) if probes else {}
        self.proofs = Proofs(grounding.citation)
        self.left_out: dict[str, int] = {}
        self.sizes: list[int] = []

    def items(self, facts: pl.DataFrame, drawn: FalseStatements | Claims | None) -> pl.DataFrame:
        """Make the items of facts, with what was drawn for them; those of one fact stand together, its probes first."""
        frame = facts.with_row_index(_FACT)
        known = {"proof": listed([self.proofs.rows(frame)])} if self._probes else {}
        probes = [self._question(frame, variant, text, "probe", known) for variant, text in self._probes.items()]
        variants = self._choices(frame, drawn) if isinstance(drawn, FalseStatements) else self._questions(frame, drawn)
        numbers, parts = zip(*probes, *variants, strict=True)
        # A stable sort: of one fact, the items stay in the order of the parts.
        of_fact = pl.concat(numbers).to_numpy()
        order = np.argsort(of_fact, kind="stable")
        self.sizes = np.bincount(of_fact, minlength=facts.height).tolist()
        items: pl.DataFrame = pl.concat(parts)[order]
        return items

    def _count(self, n: int, reason: str) -> None:
        if n:
            self.left_out[reason] = self.left_out.get(reason, 0) + n

    @property
    def _share(self) -> str:
        return f"{self.grounding.none_share:g}"

    # --- questions without options

    def _questions(self, frame: pl.DataFrame, claims: Claims | None) -> list[tuple[pl.Series, pl.DataFrame]]:
        claim = self.front.claim
        if claim and claims is not None:
            frame = claims.add_to(frame, claim.value)
            self._count(frame[claim.value].null_count(), "nothing can be claimed of it")
        else:
            frame = with_truth(frame, self.front)
        # The variants differ in their texts: what explains and proves them is worked out once.
        known = self._rationale(frame, [self._entry(slot) for slot in rationale_slots(self.front)])
        known["proof"] = listed([self.proofs.rows(frame), *self.proofs.truth(frame), *self._drawn_by_query(frame)])
        known["proof"] = known["proof"].list.drop_nulls()
        texts = [(variant, text) for variant, text in (self.front.question or {}).items() if isinstance(text, str)]
        task = self.front.task or "open"
        if self._open_book:
            frame, task = with_passages(frame, self.front), "context"
        return [self._question(frame, variant, text, task, known) for variant, text in texts]

    def _question(
        self, frame: pl.DataFrame, variant: str, text: str, task: str, known: Mapping[str, pl.Series]
    ) -> tuple[pl.Series, pl.DataFrame]:
        """Make the items of one variant, with what is known of every fact; return the numbers of their facts, and the items."""
        question = wording(text)
        frame = with_articles(frame, question.articles).with_columns(question.expr().alias(QUESTION))
        there = frame[QUESTION].is_not_null()
        asked = frame.filter(there)
        self._count(frame.height - asked.height, f"a value of the {task} '{variant}' is missing")
        rationale = [] if task == "probe" else rationale_slots(self.front)
        fields: dict[str, Any] = {"answer": self._answer(task, variant)}
        fields |= {name: column if asked.height == frame.height else column.filter(there) for name, column in known.items()}
        if task == "context":
            fields["context"], rationale = pl.col(CONTEXT), [*rationale, CONTEXT]
        if task in ("open", "context", "premise") and self.front.answers:
            fields |= dict(zip(_KIND_FIELDS, self._kind(self.front.answers[-1]), strict=True))
        image = pl.lit(None, pl.String) if self.front.image is None else pl.col(self.front.image)
        return self._made(asked, task, variant, self._given(question, task), rationale, image, fields)

    def _given(self, question: Wording, task: str) -> list[str]:
        """The slots that a question states; a probe states those of its text alone."""
        claimed = [self.front.claim.value] if self.front.claim else []
        slots = question.slots if task == "probe" else dict.fromkeys([*self.front.key, *claimed, *question.slots])
        return [slot for slot in slots if slot != self.front.image]

    def _answer(self, task: str, variant: str) -> pl.Expr:
        if task == "probe":
            return pl.concat_list(pl.lit("yes"))
        if task in _ANSWERS:
            true, false = (right_answer(task, variant, value) for value in (True, False))
            return pl.concat_list(pl.when(TRUE).then(pl.lit(true)).otherwise(pl.lit(false)))
        accepted = [pl.concat_list(slot).list.concat(pl.col(aliases(slot)).fill_null([])) for slot in self.front.answers]
        return pl.concat_list(accepted).list.drop_nulls().list.unique(maintain_order=True)

    # --- choices

    def _choices(self, frame: pl.DataFrame, drawn: FalseStatements) -> list[tuple[pl.Series, pl.DataFrame]]:
        self._count(int((~drawn.filled).sum()), "no other value of any statement is false of it")
        frame = drawn.add_to(frame)
        choices = [(variant, text) for variant, text in (self.front.question or {}).items() if isinstance(text, Choice)]
        return [self._choice(frame, variant, choice) for variant, choice in choices]

    def _choice(self, frame: pl.DataFrame, variant: str, choice: Choice) -> tuple[pl.Series, pl.DataFrame]:
        """Make the items of one phrasing of a choice; return the numbers of their facts, and the items."""
        stem, options = wording(choice.stem), list(self.grounding.options)
        frame = with_articles(frame, stem.articles).with_columns(stem.expr().alias(QUESTION))
        frame, texts = statements(frame, choice, options)
        columns = [f"\0option {i}" for i in range(len(options))]
        frame = frame.with_columns(text.alias(column) for column, text in zip(columns, texts, strict=True))
        asked = frame.drop_nulls([QUESTION, *columns])
        self._count(frame.height - asked.height, f"a value has no text in the choice '{variant}'")
        given = [slot for slot in dict.fromkeys([*stem.slots, *self.front.key]) if slot != self.front.image]
        entry = _NO_ENTRY
        for i, slot in enumerate(options):
            entry = pl.when(pl.col(FALSE_SLOT) == i).then(self._entry(slot)).otherwise(entry)
        right = pl.when(pl.col(FALSE_SLOT) < 0).then(len(options)).otherwise(POSITION) + 1
        fields = {
            "options": self._ordered(asked, columns),
            "answer": pl.concat_list(right.cast(pl.String)),
            **self._rationale(asked, [entry]),
            "proof": listed(
                [self.proofs.rows(asked), self.proofs.false_statement(asked, options), *self._drawn_by_query(asked)]
            ).list.drop_nulls(),
        }
        image = self.front.image
        picture = pl.lit(None, pl.String) if image is None else pl.col(stated(image) if image in options else image)
        # An id tells items apart by all that is drawn for them, too.
        drawn = [*options, FALSE_SLOT, POSITION, FALSE_VALUE]
        if NONE_SHARE in self.strata:
            asked, drawn = asked.with_columns(pl.lit(self._share).alias(_SHARE)), [*drawn, _SHARE]
        return self._made(asked, "choice", variant, given, drawn, picture, fields)

    def _drawn_by_query(self, facts: pl.DataFrame) -> list[pl.Series]:
        """Return the proofs that the family's queries find the false values that they drew; null where none was drawn."""
        distractors = self.grounding.distractors
        proofs = list[pl.Series]()
        for slot, distractor in distractors.by_slot.items() if distractors else ():
            if FALSE_SLOT in facts.columns:
                false = pl.when(pl.col(FALSE_SLOT) == list(self.grounding.options).index(slot)).then(FALSE_TERM)
            else:
                false = pl.when(~pl.col(TRUE)).then(CLAIMED)
            proofs.append(distractor.proofs(facts.with_columns(false.alias(_DRAWN)), _DRAWN))
        return proofs

    def _ordered(self, asked: pl.DataFrame, columns: Sequence[str]) -> pl.Series:
        """Put the statements into each question's order, and "None of the above" behind them where it is used."""
        n, k = asked.height, len(columns)
        orders = np.array([[option_order(k, slot, position) for position in range(k)] for slot in range(k)])
        order = orders[np.maximum(asked[FALSE_SLOT].to_numpy(), 0), asked[POSITION].to_numpy()]
        texts = asked.select(columns).get_columns()
        if self.grounding.none_share or NONE_SHARE in self.strata:
            texts.append(pl.Series([self.front.none or NONE]).new_from_index(0, n))
            order = np.column_stack([order, np.full(n, k)])
        turns = (order * n + np.arange(n)[:, None]).ravel()
        return pl.concat([text.alias("") for text in texts]).gather(turns).reshape((n, len(texts))).arr.to_list()

    # --- records

    def _made(
        self,
        asked: pl.DataFrame,
        task: str,
        variant: str,
        given: Sequence[str],
        hidden: Sequence[str],
        image: pl.Expr,
        fields: dict[str, Any],
    ) -> tuple[pl.Series, pl.DataFrame]:
        """Assemble items; `hidden` are the columns that tell them apart besides those that they state."""
        if given:
            claim = self.front.claim
            claims = {claim.value: pl.lit(True)} if claim else {}
            fields["given"] = given_values(asked, {slot: pl.col(slot) for slot in given}, claims)
        # The key tells facts apart, also where a probe says half of it, or where it is a picture.
        items = assemble(
            asked,
            bindings=list(dict.fromkeys([*given, *self.front.key])) + list(hidden),
            strata=self._strata(asked, task),
            source=self.grounding.source,
            method=self.front.method or "",
            family=self.front.name,
            task=task,
            variant=variant,
            question=pl.col(QUESTION),
            group=pl.col(GROUP),
            image=image,
            **fields,
        )
        return asked[_FACT], items

    def _strata(self, asked: pl.DataFrame, task: str) -> dict[str, pl.Expr | str | None]:
        front = self.front
        hops = front.hops or (len(rationale_slots(front)) if task not in ("choice", "probe") else None)
        strata: dict[str, pl.Expr | str | None] = {"domain": front.domain, "hops": str(hops) if hops else None}
        if NEAR in asked.columns:
            near = pl.when(NEAR).then(pl.lit("near")).otherwise(pl.lit("far"))
            strata["distractor"] = pl.when(pl.col(FALSE_SLOT) >= 0).then(near)
        if NONE_SHARE in self.strata and task == "choice":
            strata[NONE_SHARE] = self._share
        strata |= {slot: pl.col(slot) for slot in front.strata}
        return {name: strata.get(name) for name in self.strata}

    def _rationale(self, asked: pl.DataFrame, entries: Sequence[pl.Expr]) -> dict[str, pl.Series]:
        """The rationale, an entry for each slot that has a value, and what the last one is."""
        if not entries:
            return {}
        columns = asked.select(entry.alias(str(i)) for i, entry in enumerate(entries)).get_columns()
        rationale = listed(columns)
        if any(column.null_count() for column in columns):
            rationale = rationale.list.drop_nulls()
        answer_type, unit, precision = (rationale.list.last().struct.field(name) for name in ("type", "unit", "precision"))
        return {"rationale": rationale, "answer_type": answer_type, "unit": unit, "precision": precision}

    def _entry(self, slot: str) -> pl.Expr:
        """What a right explanation names of a slot; null where it has no value."""
        kind, unit, precision = self._kind(slot)
        entry = pl.struct(
            slot=pl.lit(slot),
            value=pl.col(slot),
            aliases=pl.col(aliases(slot)).fill_null(pl.lit([], pl.List(pl.String))),
            type=pl.lit(kind),
            unit=pl.lit(unit, pl.String),
            precision=pl.lit(precision, pl.String),
        )
        return pl.when(pl.col(slot).is_not_null()).then(entry)

    def _kind(self, slot: str) -> tuple[str, str | None, str | None]:
        """The type of a slot's values, their unit, and their precision."""
        declared = self.front.slots.get(slot)
        kind = self.grounding.kind(slot) or "string"
        return kind, declared.unit if declared else None, declared.precision if declared else None


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
