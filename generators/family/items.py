"""Facts of a family as questions: every variant rendered, with its accepted answers and what proves them.

```
python -m generators.family erbench/movie --store ./films
python -m queries.records check items.jsonl
```
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from generators.family.choice import Choices
from generators.family.claim import Claims
from generators.family.proofs import TRUE, Proofs
from generators.family.query import Citation
from generators.family.records import Asked, Records
from generators.family.rows import aka
from generators.family.statements import order_of, statements
from generators.family.wording import Wording, with_articles, wording
from queries.templates.front import Choice, Front

__all__ = ["NONE", "Maker", "right_answer", "with_claims", "with_truth"]

NONE = "None of the above."
"""What "None of the above" is called where the family does not say."""

_ANSWERS = {"yes_no": ("yes", "no"), "premise": ("accept", "reject")}


def right_answer(task: str, variant: str, true: bool) -> str:
    """Return the right answer to a variant about something that is true or not; a variant called `negated…` turns it round.

    >>> right_answer("yes_no", "basic", True), right_answer("yes_no", "negated", True), right_answer("premise", "basic", False)
    ('yes', 'no', 'reject')
    """
    return _ANSWERS[task][true == variant.startswith("negated")]


def with_truth(frame: pl.DataFrame, front: Front) -> pl.DataFrame:
    """Add whether the basic variant is true of each fact (`\\0true`)."""
    true = pl.col(front.holds).str.to_lowercase().is_in(["true", "1"]) if front.holds else pl.lit(True)
    return frame.with_columns(true.alias("\0true"))


def with_claims(frame: pl.DataFrame, value: str, claims: Claims) -> pl.DataFrame:
    """Add what is claimed of each fact, its term where it has one (`\\0claimed`), and whether it is true (`\\0true`)."""
    terms = claims.terms.alias("\0claimed")
    return frame.drop(value, strict=False).with_columns(claims.said.alias(value), claims.true.alias("\0true"), terms)


class Maker:
    """Makes the items of one family; `frame` has the facts drawn, with `group`, in the order they are written."""

    def __init__(self, citation: Citation, frame: pl.DataFrame, records: Records) -> None:
        self.front, self.proofs, self.records = citation.template.front, Proofs(citation), records
        self.frame = frame.with_row_index("\0fact")
        self.left_out: dict[str, int] = {}

    def probes(self) -> list[pl.DataFrame]:
        """Make the items that ask whether the model knows the entity at all (ERBench, appendix B.1)."""
        frame = self.frame
        texts = (self.front.probe or {}).items()
        return [self._plain(frame, variant, wording(text), "probe", i) for i, (variant, text) in enumerate(texts)]

    def asked(self, drawn: Choices | Claims | None, options: Sequence[str], none_share: float) -> list[pl.DataFrame]:
        """Make the items of the family's own task, with what was drawn for the facts."""
        if isinstance(drawn, Choices):
            return self.choices(drawn, options, none_share)
        return self.questions(drawn)

    def questions(self, claims: Claims | None) -> list[pl.DataFrame]:
        """Make the items of every variant of a question that has no options."""
        frame, claim = with_truth(self.frame, self.front), self.front.claim
        if claim and claims is not None:
            frame = with_claims(self.frame, claim.value, claims)
            self._count(frame.filter(pl.col(claim.value).is_null()).height, claims.missing)
        task = self.front.task or "open"
        texts = [(v, t) for v, t in (self.front.question or {}).items() if isinstance(t, str)]
        return [self._plain(frame, variant, wording(text), task, i) for i, (variant, text) in enumerate(texts)]

    def choices(self, drawn: Choices, options: Sequence[str], none_share: float) -> list[pl.DataFrame]:
        """Make the items of every phrasing of a choice."""
        columns = {
            "\0false": pl.Series(drawn.false),
            "\0position": pl.Series(drawn.position),
            "\0near": pl.Series(drawn.near),
            "\0said": drawn.values["said"],
            "\0term": drawn.values["term"],
        }
        frame = self.frame.with_columns(**columns).filter(pl.Series(drawn.filled))
        self._count(int((~drawn.filled).sum()), "no other value of any statement is false of it")
        texts = [(v, t) for v, t in (self.front.question or {}).items() if isinstance(t, Choice)]
        return [self._chosen(frame, variant, text, options, none_share, i) for i, (variant, text) in enumerate(texts)]

    def _count(self, n: int, reason: str) -> None:
        if n:
            self.left_out[reason] = self.left_out.get(reason, 0) + n

    # --- questions without options

    def _plain(self, frame: pl.DataFrame, variant: str, text: Wording, task: str, turn: int) -> pl.DataFrame:
        frame = with_articles(frame, text.articles).with_columns(text.expr().alias("\0question"))
        asked = frame.drop_nulls("\0question")
        self._count(frame.height - asked.height, f"a value of the {task} '{variant}' is missing")
        claimed = [self.front.claim.value] if self.front.claim else []
        given = text.slots if task == "probe" else list(dict.fromkeys([*self.front.key, *claimed, *text.slots]))
        given = [slot for slot in given if slot != self.front.image]
        rationale = [] if task == "probe" else self.records.rationale()
        answer = {
            "options": pl.lit(None, pl.List(pl.String)),
            "answer": self._answer(task, variant),
            "rationale": self.records.entries(rationale),
            "proof": pl.concat_list([self.proofs.rows(), *([] if task == "probe" else self._truth(asked))]),
        }
        return self.records.of(asked, Asked(task, variant, given, rationale, (0 if task == "probe" else 1, turn)), answer)

    def _answer(self, task: str, variant: str) -> pl.Expr:
        if task == "probe":
            return pl.concat_list(pl.lit("yes"))
        if task in _ANSWERS:
            true, false = (right_answer(task, variant, value) for value in (True, False))
            return pl.concat_list(pl.when("\0true").then(pl.lit(true)).otherwise(pl.lit(false)))
        accepted = [pl.concat_list(slot).list.concat(pl.col(aka(slot)).fill_null([])) for slot in self.front.answers]
        return pl.concat_list(accepted).list.drop_nulls().list.unique(maintain_order=True)

    def _truth(self, frame: pl.DataFrame) -> list[pl.Expr]:
        """What proves that the basic variant is true or false, beyond the rows themselves."""
        return truth_proofs(self.front, self.proofs, frame)

    # --- choice

    def _chosen(
        self, frame: pl.DataFrame, variant: str, text: Choice, options: Sequence[str], none_share: float, turn: int
    ) -> pl.DataFrame:
        stem = wording(text.stem)
        frame = with_articles(frame, stem.articles).with_columns(stem.expr().alias("\0question"))
        frame, said = statements(frame, text, options)
        columns = [f"\0statement{i}" for i in range(len(options))]
        frame = frame.with_columns(statement.alias(column) for column, statement in zip(columns, said, strict=True))
        asked = frame.drop_nulls(["\0question", *columns])
        self._count(frame.height - asked.height, f"a value has no text in the choice '{variant}'")
        given = [slot for slot in dict.fromkeys([*stem.slots, *self.front.key]) if slot != self.front.image]
        kind = Asked("choice", variant, given, options, (1, turn))
        # Rows with the same false slot and position are alike in form: no value is chosen row by row.
        parts = [asked.clear(), *asked.partition_by("\0false", "\0position", maintain_order=True)]
        return pl.concat([self.records.of(part, kind, self._drawn(part, options, columns, none_share)) for part in parts])

    def _drawn(self, part: pl.DataFrame, options: Sequence[str], said: Sequence[str], none_share: float) -> dict[str, pl.Expr]:
        """The columns of a choice, for rows with one false slot (-1: none) and one position of it."""
        false, position = part.select("\0false", "\0position").row(0) if part.height else (-1, 0)
        ordered = [pl.col(said[i]) for i in order_of(len(options), max(false, 0), position)]
        if none_share:
            ordered.append(pl.lit(self.front.none or NONE))
        proofs = [self.proofs.rows()]
        if false >= 0:
            proofs.append(self.proofs.there_is({options[false]: pl.col("\0term")}, pl.lit(False)))
        right = len(options) if false < 0 else position
        return {
            "options": pl.concat_list(ordered),
            "answer": pl.concat_list(pl.lit(str(right + 1))),
            "rationale": self.records.entries([] if false < 0 else [options[false]]),
            "proof": pl.concat_list(proofs),
        }


def truth_proofs(front: Front, proofs: Proofs, frame: pl.DataFrame) -> list[pl.Expr]:
    """What proves that the basic variant is true or false of each fact: that something holds, or what is claimed of it."""
    if front.holds:
        return [proofs.there_is({front.holds: pl.lit(TRUE)}, pl.col("\0true"))]
    claim = front.claim
    if claim is None or "\0claimed" not in frame.columns:
        return []
    if claim.test == "=" and claim.step is None:
        return [proofs.there_is({claim.slot: pl.col("\0claimed")}, pl.col("\0true"))]
    return [proofs.compares(claim, frame[claim.value], pl.col("\0true"))]
