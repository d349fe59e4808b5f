"""Exemplars: demonstrated answers with explanations, from facts that are held back from the questions.

For yes or no eight, as many of each; for a choice one for each place the false statement can have; else four. An explanation
runs along the dependency, hop by hop, and over several hops it ends in the answer (chain of thought). Where the answer is to be
the other one, one value of the key is exchanged for one that no row with the rest of the key has; the rest determines what is
true instead, and the explanation names it: "It was another year: 1997."

Source: ERBench, §4.4 and appendix C.2 (tables 19 to 30): balanced demonstrations, made there by hand ("the released year of the
movie is modified", "the nationality of the soccer player").
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

import numpy as np
import polars as pl

from generators.column_names import is_participle
from generators.draw import keys_of, mix, word
from generators.family.columns import (
    CORRECTION,
    DRAW,
    ENTITY,
    EXPLANATION,
    FALSE_SLOT,
    FALSE_TERM,
    GROUP,
    KEY,
    POSITION,
    PROOF,
    TRUE,
    aliases,
    norm,
    term,
)
from generators.family.draws import FalseValues, SlotValues, draw_claims, draw_false_statements
from generators.family.facts import Grounding
from generators.family.items import NONE, right_answer, with_truth
from generators.family.proofs import Proofs
from generators.family.rows import normal_forms, row_keys
from generators.family.wording import option_order, statements, with_articles, with_explanations, wording
from generators.items import listed
from kg.terms import is_iri
from queries.records import frame_schema
from queries.records.exemplar import EXEMPLAR_SCHEMA, Exemplar
from queries.records.item import Item
from queries.templates import Choice

_WANTED = {"yes_no": 8, "premise": 8, "open": 4, "choice": 4}
"""How many exemplars a family of each task has at most (ERBench, §4.4: 8 for yes or no, 2 to 4 for a choice)."""
_ROOM = 4
"""One exemplar at most for so many facts, so that a small family has questions left."""
_CANDIDATES = 400
"""Among so many facts, the first by hash, exemplars are looked for."""
_PROOF_TYPE = frame_schema(Item)["proof"]
_HEADS = {"yes": "Yes.", "no": "No.", "accept": "That is right.", "reject": "That is not right."}


def exemplars_of(grounding: Grounding, held_back: Collection[str] = ()) -> list[Exemplar]:
    """Return the exemplars of a family; they use up a quarter of its rows at most, so a small family has fewer.

    `held_back` are the rows that other families of the run demonstrate: they count among that quarter, and are taken first.
    """
    task = grounding.front.task or "open"
    if grounding.front.image:
        return []  # an exemplar is text: its question would speak of a picture that nobody sees
    facts = grounding.facts.frame
    wanted = min(_WANTED.get(task, 0), facts.height // _ROOM)
    if not wanted:
        return []
    keys = pl.Series(DRAW, mix(keys_of(grounding.seed, facts[GROUP].to_list()), word("exemplar")))
    candidates = facts.with_columns(keys, entity_of(grounding).alias(ENTITY)).sort(DRAW, GROUP)
    candidates = _within_a_quarter(candidates, held_back, wanted).head(_CANDIDATES)
    candidates = grounding.with_proved_rows(candidates)
    if task == "choice":
        return list(_ChoiceExemplars(grounding, candidates).take(wanted))
    return _QuestionExemplars(grounding, candidates).take(wanted)


def _within_a_quarter(facts: pl.DataFrame, held_back: Collection[str], wanted: int) -> pl.DataFrame:
    """Put the facts of rows that are held back first; keep no more others than a quarter of all rows leaves room for."""
    old = pl.col(ENTITY).is_in(list(held_back))
    rows = facts.select(ENTITY, old=old).unique(maintain_order=True)
    room = max(rows.height // _ROOM - int(rows["old"].sum()), 0)
    new = rows.filter(~pl.col("old"))[ENTITY].head(room)
    others = ~old if room >= wanted else pl.col(ENTITY).is_in(new.implode()) & ~old
    return pl.concat([facts.filter(old), facts.filter(others)])


def entity_of(grounding: Grounding) -> pl.Expr:
    """What a fact is about, for other families to know it by: the entity its key begins with, or all of its key."""
    terms = [pl.col(term(slot)) for slot in grounding.front.key]
    return pl.when(is_iri(terms[0])).then(terms[0]).otherwise(pl.concat_str(terms, separator=" ")) if terms else pl.lit("")


# --- questions without options


@dataclass(frozen=True)
class _Cell:
    """An exemplar that is wanted: which variant, and whether what it asks is to be true."""

    variant: str
    true: bool
    answer: str


class _QuestionExemplars:
    """Exemplars of questions without options: facts on two sides, those of which the question is true and the others."""

    def __init__(self, grounding: Grounding, facts: pl.DataFrame) -> None:
        self.grounding, self.front = grounding, grounding.front
        self.task = self.front.task or "open"
        self.texts = {v: wording(t) for v, t in (self.front.question or {}).items() if isinstance(t, str)}
        facts = with_explanations(facts, self.front)
        self.sides = {true: self._side(facts, true) for true in (True, False)}

    def _side(self, facts: pl.DataFrame, true: bool) -> pl.DataFrame:
        """Return the facts that can stand on one side, each with its proofs and what is put right."""
        if not (true or self.front.holds or self.front.claim):
            return _exchanged(self.grounding, facts) if self.task != "open" else facts.clear()
        claim = self.front.claim
        if claim:
            wanted = claim.model_copy(update={"true_share": float(true)})
            own, keys = replace(self.grounding.facts, frame=facts), facts[DRAW].to_numpy()
            claims = draw_claims(wanted, own, self.grounding.rows.frame, keys, self.grounding.seed)
            facts = claims.add_to(facts, claim.value).drop_nulls(claim.value)
        else:
            facts = with_truth(facts, self.front)
        # A claim is true, too, of facts that nothing else can be claimed of.
        side, proofs = facts.filter(pl.col(TRUE) == true), Proofs(self.grounding.citation)
        return side.with_columns(
            pl.lit(None, pl.String).alias(CORRECTION), listed([proofs.rows(side), *proofs.truth(side)]).alias(PROOF)
        )

    def take(self, wanted: int) -> list[Exemplar]:
        """Fill the cells in turn, a fact of its own for each; of two answers there are as many."""
        used: set[str] = set()
        by_answer: dict[str, list[Exemplar]] = {}
        for _ in range(wanted):
            for cell in self._cells():
                row = self.sides[cell.true].filter(~pl.col(GROUP).is_in(list(used))).head(1)
                if row.height and len(used) < wanted and (exemplar := self._exemplar(row, cell)):
                    used.add(row[GROUP][0])
                    by_answer.setdefault(cell.answer, []).append(exemplar)
        if len(by_answer) > 1:
            least = min(len(some) for some in by_answer.values())
            by_answer = {answer: some[:least] for answer, some in by_answer.items()}
        return [exemplar for turn in zip_longest(*by_answer.values()) for exemplar in turn if exemplar]

    def _cells(self) -> list[_Cell]:
        """The cells in the order in which they are filled: the answers take turns."""
        if self.task == "open":
            return [_Cell(variant, True, "") for variant in self.texts]
        cells = [_Cell(v, t, right_answer(self.task, v, t)) for v in self.texts for t in (True, False)]
        sides = [[c for c in cells if c.answer == answer] for answer in dict.fromkeys(c.answer for c in cells)]
        return [cell for pair in zip_longest(sides[0], sides[-1][::-1] if len(sides) > 1 else []) for cell in pair if cell]

    def _exemplar(self, row: pl.DataFrame, cell: _Cell) -> Exemplar | None:
        text = self.texts[cell.variant]
        question = with_articles(row, text.articles).select(text.expr()).item()
        if question is None:
            return None
        answer = cell.answer or row[self.front.answers[0]].item()
        sentences = [_HEADS.get(answer, f"{answer}."), row[CORRECTION].item(), row[EXPLANATION].item()]
        hops = self.front.hops or len(self.front.rationale or [answer])
        sentences += [f"The answer is {answer}."] if hops > 1 and self.task in ("yes_no", "open") else []
        return _record(self.grounding, row, cell.variant, question, None, " ".join(filter(None, sentences)), answer)


# --- choices


class _ChoiceExemplars:
    """Exemplars of a choice: the false statement stands in each place once, and is of another slot each time if it can be."""

    def __init__(self, grounding: Grounding, facts: pl.DataFrame) -> None:
        self.grounding, self.front, self.options = grounding, grounding.front, list(grounding.options)
        own = replace(grounding.facts, frame=facts)
        drawn = draw_false_statements(grounding, own, facts[DRAW].to_numpy(), none_share=0.0)
        self.facts = drawn.add_to(facts)
        self.texts = [(v, t) for v, t in (self.front.question or {}).items() if isinstance(t, Choice)]

    def take(self, wanted: int) -> Iterator[Exemplar]:
        """Yield an exemplar for each place, and one where none is false if that may be."""
        rest, slots = self.facts, list(range(len(self.options)))
        places = list(range(min(wanted - bool(self.grounding.none_share), len(self.options))))
        for turn, place in enumerate([*places, *([-1] if self.grounding.none_share else [])]):
            fitting = rest if place < 0 else rest.filter(pl.col(POSITION) == place)
            row = pl.concat([fitting.filter(pl.col(FALSE_SLOT).is_in(slots)), fitting]).head(1)
            if not row.height:
                continue
            slots = [slot for slot in slots if slot != row[FALSE_SLOT].item()]
            rest = rest.filter(pl.col(GROUP) != row[GROUP].item())
            if place < 0:
                row = row.with_columns(pl.lit(-1).alias(FALSE_SLOT))
            yield self._exemplar(row, *self.texts[turn % len(self.texts)])

    def _exemplar(self, row: pl.DataFrame, variant: str, choice: Choice) -> Exemplar:
        stem = wording(choice.stem)
        question = with_articles(row, stem.articles).select(stem.expr()).item()
        false, position = row.select(FALSE_SLOT, POSITION).row(0)
        texts = self._statements(row, choice)
        ordered = [texts[i] for i in option_order(len(texts), max(false, 0), position)]
        ordered += [self.front.none or NONE] if self.grounding.none_share else []
        right = len(ordered) if false < 0 else position + 1
        truth = self._statements(row.with_columns(pl.lit(-1).alias(FALSE_SLOT)), choice)
        why = "All the other statements are true." if false < 0 else f"This is false. The truth: {truth[false]}"
        answer = f"Option {right}: {ordered[right - 1]}\n{why}"
        proofs = Proofs(self.grounding.citation)
        proof = [proofs.rows(row)]
        if false >= 0:
            proof.append(proofs.there_is(row, {self.options[false]: pl.col(FALSE_TERM)}, pl.lit(False)))
        return _record(
            self.grounding, row.with_columns(listed(proof).alias(PROOF)), variant, question, ordered, answer, str(right)
        )

    def _statements(self, row: pl.DataFrame, choice: Choice) -> list[str]:
        frame, texts = statements(row, choice, self.options)
        return [frame.select(text).item() for text in texts]


# --- a value of the key, exchanged


def _exchanged(grounding: Grounding, facts: pl.DataFrame) -> pl.DataFrame:
    """Return the facts that have a value to exchange, with it exchanged, in their order.

    Numbers and dates come first: of them there is one, while there may be more names than the data has.
    """
    key = [slot for slot in grounding.front.key if slot != grounding.front.image]
    slots = sorted(key, key=lambda slot: grounding.kind(slot) not in ("number", "date"))
    rest, parts = facts, []
    for slot in slots if len(key) > 1 else []:
        part = _with_other_value(grounding, rest, slot, [other for other in key if other != slot])
        parts.append(part)
        rest = rest.join(part, on=GROUP, how="anti", maintain_order="left")
    empty = facts.clear().with_columns(
        pl.lit(None, pl.String).alias(CORRECTION), pl.lit(None, _PROOF_TYPE).alias(PROOF), pl.lit(False).alias(TRUE)
    )
    return pl.concat([empty, *parts]).sort(DRAW, GROUP)


def _with_other_value(grounding: Grounding, facts: pl.DataFrame, slot: str, rest: Sequence[str]) -> pl.DataFrame:
    """Exchange the values of one slot, where the rest of the key has but one; say and prove what is true instead."""
    rows, by = grounding.rows.frame, [norm(other) for other in rest]
    one = rows.drop_nulls([*by, norm(slot)]).group_by(by).agg(n=pl.col(norm(slot)).n_unique()).filter(pl.col("n") == 1)
    facts = facts.join(one, on=by, how="semi", maintain_order="left")
    further = facts.select(KEY, norm=aliases(slot)).explode("norm", empty_as_null=True).drop_nulls()
    truths = [facts.select(KEY, norm=norm(slot)), further.with_columns(normal_forms(further["norm"]).alias("norm"))]
    values = SlotValues(rows, row_keys(rows, grounding.seed), slot)
    points = mix(facts[DRAW].to_numpy(), word("changed"), word(slot))
    drawn = FalseValues(values, facts[KEY], pl.concat(truths).unique()).anywhere(np.arange(facts.height), points)
    other = values.values[np.maximum(drawn, 0)] if values.values.height else values.values
    other, facts = other.filter(pl.Series(drawn >= 0)), facts.filter(pl.Series(drawn >= 0))
    proofs = Proofs(grounding.citation)
    # What the true key has, and that the exchanged one has nothing.
    proof = listed([proofs.rows(facts), proofs.there_is(facts, {slot: pl.lit(other["term"])}, pl.lit(False))])
    correction = pl.concat_str(pl.lit(f"It was another {_noun(grounding, slot)}: "), pl.col(slot), pl.lit("."))
    corrected = facts.with_columns(correction.alias(CORRECTION), proof.alias(PROOF), pl.lit(False).alias(TRUE))
    return corrected.with_columns(other["value"].alias(slot), other["term"].alias(term(slot)))


def _noun(grounding: Grounding, slot: str) -> str:
    """Call a slot by its name; one that is a participle ("published") by what it holds."""
    name, kind = slot.replace("_", " "), grounding.kind(slot)
    if name.endswith("ed") or is_participle(name):
        return kind if kind in ("date", "number") else "value"
    return name


# --- records


def _record(
    grounding: Grounding, row: pl.DataFrame, variant: str, question: str, options: list[str] | None, text: str, answer: str
) -> Exemplar:
    front = grounding.front
    hops = front.hops or len(front.rationale or [])
    source = {
        **grounding.source,
        "method": front.method,
        "family": front.name,
        "style": "chain of thought" if hops > 1 and front.task != "choice" else "few-shot",
        "answer": answer,
        "row": row[ENTITY].item(),
        "proof": json.dumps(row[PROOF].to_list()[0], ensure_ascii=False),
    }
    return Exemplar(
        schema=EXEMPLAR_SCHEMA,
        task=front.task or "open",
        variant=variant,
        question=question,
        options=options,
        text=text,
        group=row[GROUP].item(),
        source=source,
    )
