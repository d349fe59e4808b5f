"""What a family's questions are made of: its rows, its facts, and what can be drawn for them.

```
python -m generators.family erbench/mc_movie --store ./films
```
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from generators.draw import Keys
from generators.family.choice import Choices, choices_of
from generators.family.claim import Claims, claims_of
from generators.family.facts import Facts, with_proved
from generators.family.query import Citation
from generators.family.rows import Rows, normal
from queries.templates.front import Choice
from queries.templates.template import Template

__all__ = ["Material"]


@dataclass(frozen=True)
class Material:
    """A family on a graph: `facts` that can be asked about, all `rows`, and `options`, the slots that a choice states."""

    citation: Citation
    rows: Rows
    facts: Facts
    options: Sequence[str]
    source: Mapping[str, str]
    seed: int = 0
    none_share: float = 0.0

    @property
    def family(self) -> Template:
        """The family itself."""
        return self.citation.template

    def proved(self, facts: pl.DataFrame) -> pl.DataFrame:
        """Add to facts what their proofs return."""
        return with_proved(facts, self.rows.frame, self.family.front.key, self.citation.columns)

    @property
    def drawn_slots(self) -> list[str]:
        """The slots whose values are drawn for facts: those of a false statement, or that of a claim."""
        front = self.family.front
        if front.task == "probe":
            return []
        return list(self.options) if front.task == "choice" else [front.claim.slot] if front.claim else []

    def drawn(self, keys: Keys) -> Choices | Claims | None:
        """Draw what its own facts need: a false statement, or a claim; None where they need nothing."""
        if self.family.front.task == "choice":
            return self.choices(self.facts, keys)
        return self.claims(self.facts, keys)

    def choices(self, facts: Facts, keys: Keys, none_share: float | None = None) -> Choices:
        """Draw a false statement for facts; `keys` are theirs."""
        share = self.none_share if none_share is None else none_share
        return choices_of(facts, self.rows.frame, self.options, self._worded, keys, share, self.seed)

    def claims(self, facts: Facts, keys: Keys, true_share: float | None = None) -> Claims | None:
        """Draw what is claimed of facts, true in the family's share or another; None where it claims nothing."""
        claim = self.family.front.claim
        if claim is None:
            return None
        wanted = claim if true_share is None else claim.model_copy(update={"true_share": true_share})
        return claims_of(wanted, facts, self.rows.frame, keys, self.seed)

    @cached_property
    def _worded(self) -> dict[str, list[str]]:
        """The normal forms of the values that an option has a text for, where it has one for each."""
        found: dict[str, list[str]] = {}
        for choice in (self.family.front.question or {}).values():
            for slot, said in choice.options.items() if isinstance(choice, Choice) else ():
                if not isinstance(said, str):
                    own = normal(pl.Series(list(said), dtype=pl.String)).to_list()
                    found[slot] = [value for value in found.get(slot, own) if value in own]
        return found
