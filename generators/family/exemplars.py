"""Exemplars: demonstrated answers with explanations, from facts that are held back from the questions.

For yes or no eight, as many of each; for a choice one for each place the false statement can have; else four. An explanation
runs along the dependency, hop by hop, and over several hops it ends in the answer (chain of thought). Where the answer is to be
the other one, one value of the key is exchanged for one that no row with the rest of the key has, and the true one is named.

```
python -m generators.family erbench/movie --exemplars exemplars.jsonl --out items.jsonl --store ./films
python -m queries.records check exemplars.jsonl
```

Source: ERBench, §4.4 and appendix C.2 (tables 19 to 30): balanced demonstrations, made there by hand.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest

import polars as pl

from generators.draw import keys_of, mix, word
from generators.family.exemplars_changed import changed
from generators.family.items import NONE, right_answer, truth_proofs, with_claims, with_truth
from generators.family.material import Material
from generators.family.proofs import PROOF, Proofs
from generators.family.rows import GROUP, term
from generators.family.statements import order_of, statements
from generators.family.wording import explained, with_articles, wording
from kg.terms import is_iri
from queries.records.exemplar import EXEMPLAR_SCHEMA, Exemplar
from queries.templates.front import Choice

__all__ = ["exemplars_of", "row_said"]

WANTED = {"yes_no": 8, "premise": 8, "open": 4, "choice": 4}
"""How many exemplars a family of each task has at most (ERBench, §4.4: 8 for yes or no, 2 to 4 for a choice)."""

_ROOM, _LOOK = 4, 400
_HEADS = {"yes": "Yes.", "no": "No.", "accept": "That is right.", "reject": "That is not right."}


def exemplars_of(material: Material) -> list[Exemplar]:
    """Return the exemplars of a family; they use up a quarter of its facts at most, so a small family has fewer."""
    task = material.family.front.task or "open"
    if material.family.front.image:
        return []  # an exemplar is text: its question would speak of a picture that nobody sees
    wanted = min(WANTED.get(task, 0), material.facts.frame.height // _ROOM)
    if not wanted:
        return []
    frame = material.facts.frame
    keys = pl.Series("\0hash", mix(keys_of(material.seed, frame[GROUP].to_list()), word("exemplar")))
    frame = frame.with_columns(keys, row_said(material).alias("\0row")).sort("\0hash", GROUP).head(_LOOK)
    frame = material.proved(frame)
    if task == "choice":
        return list(_Choices(material, frame).take(wanted))
    return _Plain(material, frame).take(wanted)


def row_said(material: Material) -> pl.Expr:
    """The row that a fact is about, for other families to know it by: the entity its key begins with, or all of its key."""
    terms = [pl.col(term(slot)) for slot in material.family.front.key]
    return pl.when(is_iri(terms[0])).then(terms[0]).otherwise(pl.concat_str(terms, separator=" ")) if terms else pl.lit("")


@dataclass(frozen=True)
class _Cell:
    """An exemplar that is wanted: which variant, and whether what it asks is to be true."""

    variant: str
    true: bool
    answer: str


class _Plain:
    """Exemplars of questions without options: facts on two sides, those of which the question is true and the others."""

    def __init__(self, material: Material, frame: pl.DataFrame) -> None:
        self.material, self.front = material, material.family.front
        self.task = self.front.task or "open"
        self.texts = {v: wording(t) for v, t in (self.front.question or {}).items() if isinstance(t, str)}
        frame = explained(frame, self.front)
        self.sides = {True: self._side(frame, True), False: self._side(frame, False)}

    def _side(self, frame: pl.DataFrame, true: bool) -> pl.DataFrame:
        """Return the facts that can stand on one side, each with its proofs and what is put right."""
        proofs, plain = Proofs(self.material.citation), pl.lit(None, pl.String).alias("\0right")
        if not (true or self.front.holds or self.front.claim):
            return changed(self.material, frame) if self.task != "open" else frame.clear()
        facts = replace(self.material.facts, frame=frame)
        claims = self.material.claims(facts, frame["\0hash"].to_numpy(), float(true))
        if self.front.claim and claims:
            frame = with_claims(frame, self.front.claim.value, claims).drop_nulls(self.front.claim.value)
        else:
            frame = with_truth(frame, self.front)
        found = frame.filter(pl.col("\0true") == true)
        proof = pl.concat_list([proofs.rows(), *truth_proofs(self.front, proofs, found)])
        return found.with_columns(plain, proof.cast(pl.List(PROOF)).alias("\0proof"))

    def take(self, wanted: int) -> list[Exemplar]:
        """Fill the cells in turn, a fact of its own for each; of two answers there are as many."""
        used: set[str] = set()
        found: dict[str, list[Exemplar]] = {}
        for _ in range(wanted):
            for cell in self._cells():
                row = self.sides[cell.true].filter(~pl.col(GROUP).is_in(list(used))).head(1)
                if row.height and len(used) < wanted and (made := self._exemplar(row, cell)):
                    used.add(row[GROUP][0])
                    found.setdefault(cell.answer, []).append(made)
        if len(found) > 1:
            least = min(len(some) for some in found.values())
            found = {answer: some[:least] for answer, some in found.items()}
        return [one for turn in zip_longest(*found.values()) for one in turn if one]

    def _cells(self) -> list[_Cell]:
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
        said = [_HEADS.get(answer, f"{answer}."), row["\0right"].item(), row["\0explained"].item()]
        hops = self.front.hops or len(self.front.rationale or [answer])
        said += [f"The answer is {answer}."] if hops > 1 and self.task in ("yes_no", "open") else []
        return _record(self.material, row, cell.variant, question, None, " ".join(filter(None, said)), answer)


class _Choices:
    """Exemplars of a choice: the false statement stands in each place once, and is of another slot each time if it can be."""

    def __init__(self, material: Material, frame: pl.DataFrame) -> None:
        self.material, self.front, self.options = material, material.family.front, list(material.options)
        drawn = material.choices(replace(material.facts, frame=frame), frame["\0hash"].to_numpy(), 0.0)
        columns = {"\0false": drawn.false, "\0position": drawn.position}
        frame = frame.with_columns(**{name: pl.Series(found) for name, found in columns.items()})
        frame = frame.with_columns(drawn.values["said"].alias("\0said"), drawn.values["term"].alias("\0term"))
        self.frame = frame.filter(pl.Series(drawn.filled))
        self.texts = [(v, t) for v, t in (self.front.question or {}).items() if isinstance(t, Choice)]

    def take(self, wanted: int) -> Iterator[Exemplar]:
        """Yield an exemplar for each place, and one where none is false if that may be."""
        rest, slots = self.frame, list(range(len(self.options)))
        places = list(range(min(wanted - bool(self.material.none_share), len(self.options))))
        for turn, place in enumerate([*places, *([-1] if self.material.none_share else [])]):
            fit = rest if place < 0 else rest.filter(pl.col("\0position") == place)
            row = pl.concat([fit.filter(pl.col("\0false").is_in(slots)), fit]).head(1)
            if not row.height:
                continue
            slots = [slot for slot in slots if slot != row["\0false"].item()]
            rest = rest.filter(pl.col(GROUP) != row[GROUP].item())
            if place < 0:
                row = row.with_columns(pl.lit(-1).alias("\0false"))
            yield self._exemplar(row, *self.texts[turn % len(self.texts)])

    def _exemplar(self, row: pl.DataFrame, variant: str, text: Choice) -> Exemplar:
        stem = wording(text.stem)
        question = with_articles(row, stem.articles).select(stem.expr()).item()
        false, position = row.select("\0false", "\0position").row(0)
        said = self._said(row, text)
        ordered = [said[i] for i in order_of(len(said), max(false, 0), position)]
        ordered += [self.front.none or NONE] if self.material.none_share else []
        right = len(ordered) if false < 0 else position + 1
        truth = self._said(row.with_columns(pl.lit(-1).alias("\0false")), text)
        why = "All the other statements are true." if false < 0 else f"This is false. The truth: {truth[false]}"
        answer = f"Option {right}: {ordered[right - 1]}\n{why}"
        proofs = Proofs(self.material.citation)
        proof = [proofs.rows()]
        if false >= 0:
            proof.append(proofs.there_is({self.options[false]: pl.col("\0term")}, pl.lit(False)))
        row = row.with_columns(pl.concat_list(proof).cast(pl.List(PROOF)).alias("\0proof"))
        return _record(self.material, row, variant, question, ordered, answer, str(right))

    def _said(self, row: pl.DataFrame, text: Choice) -> list[str]:
        frame, found = statements(row, text, self.options)
        return [frame.select(statement).item() for statement in found]


def _record(
    material: Material, row: pl.DataFrame, variant: str, question: str, options: list[str] | None, text: str, answer: str
) -> Exemplar:
    front = material.family.front
    proof = json.dumps(row["\0proof"].to_list()[0], ensure_ascii=False)
    hops = front.hops or len(front.rationale or [])
    source = {
        **material.source,
        "method": front.method,
        "family": front.name,
        "style": "chain of thought" if hops > 1 and front.task != "choice" else "few-shot",
        "answer": answer,
        "row": row["\0row"].item(),
        "proof": proof,
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
