"""What proves the items of a family: the rows of its SELECT, whether there is such a row, and whether a claim is true.

```
python -m generators.family erbench/movie_director --n 5 --store ./films --out items.jsonl
python -m queries render items.jsonl
```
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

import polars as pl
import pyoxigraph as ox

from generators.family.query import Citation
from generators.family.rows import term
from kg.vocab import XSD
from queries.templates.front import Claim

__all__ = ["PROOF", "TRUE", "Proofs"]

_ROWS = pl.List(pl.List(pl.String))
PROOF = pl.Struct(
    {
        "query": pl.String,
        "bind": pl.List(pl.Struct({"name": pl.String, "term": pl.String})),
        "expect": pl.Boolean,
        "rows": _ROWS,
    }
)
"""One entry of an item's `proof`."""

TRUE = f'"true"^^<{XSD}boolean>'

_NUMBER = "COALESCE(xsd:decimal(STR({0})), xsd:decimal(REPLACE(STR({0}), '^(-?[0-9]{{4,}})(-.*)?$', '$1')))"
"""A number, or the year of a date, as claims read them."""


class Proofs:
    """Builds the proofs of a family as expressions over its facts; `key` names the slots that are bound."""

    def __init__(self, citation: Citation) -> None:
        self.citation, self.key = citation, list(citation.template.front.key)

    def rows(self) -> pl.Expr:
        """What the SELECT returns for the key."""
        return _proof(pl.lit(self.citation.query(self.key)), self._bind({}), pl.lit(None, pl.Boolean), pl.col("\0rows"))

    def there_is(self, bound: Mapping[str, pl.Expr], expect: pl.Expr) -> pl.Expr:
        """Whether a row has the key's values and these others, or these in the place of the key's."""
        query = self.citation.query([*self.key, *(slot for slot in bound if slot not in self.key)])
        return _proof(pl.lit(query), self._bind(bound), expect, pl.lit(None, _ROWS))

    def compares(self, claim: Claim, said: pl.Series, true: pl.Expr) -> pl.Expr:
        """Whether the value of the key's row stands as claimed to what is said (a number): beyond it, or on its step."""
        found = said.drop_nulls().unique().to_list()
        queries = {text: self.citation.query(self.key, _condition(claim, text)) for text in found}
        query = pl.col(claim.value).replace_strict(queries, default=None, return_dtype=pl.String)
        return _proof(query, self._bind({}), true, pl.lit(None, _ROWS))

    def _bind(self, bound: Mapping[str, pl.Expr]) -> Sequence[pl.Expr]:
        terms = {slot: pl.col(term(slot)) for slot in self.key} | dict(bound)
        return [pl.struct(pl.lit(slot).alias("name"), value.alias("term")) for slot, value in terms.items()]


def _condition(claim: Claim, said: str) -> str:
    """Write what is claimed as a SPARQL condition; the number becomes a term, written by the serialiser.

    >>> _condition(Claim(slot="m", value="x", test=">"), "90").rpartition(" > ")[2]
    '"90"^^<http://www.w3.org/2001/XMLSchema#decimal>'
    """
    number = _NUMBER.format(f"?{claim.slot}")
    if claim.test == "=":
        step = ox.Literal(f"{Decimal(str(claim.step or 1)):f}", datatype=ox.NamedNode(f"{XSD}decimal"))
        number = f"FLOOR({number} / {step}) * {step}"
    return f"{number} {claim.test} {ox.Literal(said, datatype=ox.NamedNode(f'{XSD}decimal'))}"


def _proof(query: pl.Expr, bind: Sequence[pl.Expr], expect: pl.Expr, rows: pl.Expr) -> pl.Expr:
    bound = pl.concat_list(list(bind)).alias("bind")
    return pl.struct(query.alias("query"), bound, expect.alias("expect"), rows.alias("rows"))
