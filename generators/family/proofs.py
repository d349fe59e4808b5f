"""What proves the items of a family: the rows of its SELECT, whether there is such a row, and whether a claim is true.

A family that ships is cited as `erbench/movie@1a2b3c4d`; a user's own file, or a renamed one, cannot be found again by a
name, so its proofs carry the SPARQL itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cached_property

import polars as pl
import pyoxigraph as ox

from generators.family.columns import CLAIMED, FALSE_SLOT, FALSE_TERM, PROVED, TRUE, term
from generators.family.query import prologue_and_group, prologue_and_select
from generators.items import bound, listed
from kg.vocab import XSD
from queries.templates import Claim, Template, find, names

_ROWS = pl.List(pl.List(pl.String))
_BINDING = pl.Struct({"name": pl.String, "term": pl.String})
_TRUE_TERM = f'"true"^^<{XSD}boolean>'
_NUMBER = "COALESCE(xsd:decimal(STR({0})), xsd:decimal(REPLACE(STR({0}), '^(-?[0-9]{{4,}})(-.*)?$', '$1')))"
"""A number, or the year of a date, as claims read them."""


class Citation:
    """What the proofs of a family cite: its name and version, or the SPARQL itself.

    `inline` asks for the SPARQL even of a family that ships.
    """

    def __init__(self, template: Template, *, inline: bool = False) -> None:
        self.template, self.inline = template, inline

    @cached_property
    def shipped(self) -> str | None:
        """The name under which this very file ships, if it does."""
        same = (name for name in names() if "/" in name and find(name).version == self.template.version)
        return None if self.inline else next(same, None)

    @property
    def columns(self) -> Sequence[str]:
        """The slots that a proof's rows hold: the answer's, or all."""
        return self.template.front.answers or self.template.slots

    def query(self, bound: Iterable[str], condition: str | None = None) -> str:
        """Return what a proof that binds these slots cites; under a condition (SPARQL) it is the SPARQL itself."""
        if self.shipped and condition is None:
            return f"{self.shipped}@{self.template.version}"
        prologue, core = prologue_and_group(self.template) or prologue_and_select(self.template)
        # Nothing unbound may pass for the value that is bound to it.
        known = " && ".join([f"BOUND(?{slot})" for slot in bound] + ([f"({condition})"] if condition else []))
        slots = " ".join(f"?{slot}" for slot in self.columns)
        return f"{prologue}SELECT DISTINCT {slots} WHERE {{ {{ {{ {core} }} FILTER({known}) }} }}"


class Proofs:
    """Builds the proofs of facts, a column of them at a time; `key` names the slots that are bound."""

    def __init__(self, citation: Citation) -> None:
        self.citation, self.key = citation, list(citation.template.front.key)

    def rows(self, facts: pl.DataFrame) -> pl.Series:
        """Return the proofs that the SELECT gives these rows for the key (`PROVED`)."""
        return self._proofs(facts, pl.lit(self.citation.query(self.key)), {}, pl.lit(None, pl.Boolean), pl.col(PROVED))

    def there_is(self, facts: pl.DataFrame, terms: Mapping[str, pl.Expr], expect: pl.Expr) -> pl.Series:
        """Return the proofs whether a row has the key's values and these others, or these in the place of the key's."""
        query = self.citation.query([*self.key, *(slot for slot in terms if slot not in self.key)])
        return self._proofs(facts, pl.lit(query), terms, expect)

    def false_statement(self, facts: pl.DataFrame, options: Sequence[str]) -> pl.Series:
        """Return the proofs that no row has the false value of a choice; null where all its statements are true."""
        queries = {i: self.citation.query([*self.key, slot]) for i, slot in enumerate(options)}
        query, slot = (
            pl.col(FALSE_SLOT).replace_strict(texts, default=None, return_dtype=pl.String)
            for texts in (queries, dict(enumerate(options)))
        )
        proofs = self._proofs(facts, query, {"": pl.col(FALSE_TERM)}, pl.lit(False), names={"": slot})
        return pl.select(pl.when(facts[FALSE_SLOT] >= 0).then(proofs)).to_series()

    def truth(self, facts: pl.DataFrame) -> list[pl.Series]:
        """Return what proves that the basic variant is true or false of each fact: that something holds, or what is claimed."""
        front = self.citation.template.front
        if front.holds:
            return [self.there_is(facts, {front.holds: pl.lit(_TRUE_TERM)}, pl.col(TRUE))]
        claim = front.claim
        if claim is None or CLAIMED not in facts.columns:
            return []
        if claim.test == "=" and claim.step is None:
            return [self.there_is(facts, {claim.slot: pl.col(CLAIMED)}, pl.col(TRUE))]
        return [self._comparison(facts, claim)]

    def _comparison(self, facts: pl.DataFrame, claim: Claim) -> pl.Series:
        """Return the proofs whether the value of the key's row stands to a number as claimed: beyond it, or on its step."""
        numbers = facts[claim.value].drop_nulls().unique().to_list()
        queries = {number: self.citation.query(self.key, _condition(claim, number)) for number in numbers}
        query = pl.col(claim.value).replace_strict(queries, default=None, return_dtype=pl.String)
        return self._proofs(facts, query, {}, pl.col(TRUE))

    def _proofs(
        self,
        facts: pl.DataFrame,
        query: pl.Expr,
        terms: Mapping[str, pl.Expr],
        expect: pl.Expr,
        rows: pl.Expr | None = None,
        names: Mapping[str, pl.Expr] | None = None,
    ) -> pl.Series:
        """Return a proof of each fact; `terms` are bound besides the key's, under their own names or those of `names`."""
        bindings = {slot: pl.col(term(slot)) for slot in self.key} | dict(terms)
        bind: pl.Expr | pl.Series = pl.lit([], pl.List(_BINDING))
        if bindings:
            columns = [bound((names or {}).get(slot, slot), value) for slot, value in bindings.items()]
            bind = listed(_columns(facts, columns))
        rows = pl.lit(None, _ROWS) if rows is None else rows
        return _columns(facts, [pl.struct(query=query, bind=bind, expect=expect, rows=rows)])[0]


def _condition(claim: Claim, number: str) -> str:
    """Write what is claimed as a SPARQL condition; the number becomes a term, written by the serialiser.

    >>> _condition(Claim(slot="m", value="x", test=">"), "90").rpartition(" > ")[2]
    '"90"^^<http://www.w3.org/2001/XMLSchema#decimal>'
    """
    value = _NUMBER.format(f"?{claim.slot}")
    if claim.test == "=":
        step = ox.Literal(f"{Decimal(str(claim.step or 1)):f}", datatype=ox.NamedNode(f"{XSD}decimal"))
        value = f"FLOOR({value} / {step}) * {step}"
    return f"{value} {claim.test} {ox.Literal(number, datatype=ox.NamedNode(f'{XSD}decimal'))}"


def _columns(frame: pl.DataFrame, values: Sequence[pl.Expr]) -> list[pl.Series]:
    """Work out expressions to columns as long as the frame, even those that depend on no column."""
    names = [f"\0{i}" for i in range(len(values))]
    worked_out = frame.with_columns(value.alias(name) for name, value in zip(names, values, strict=True))
    return [worked_out[name] for name in names]
