"""What form the label of a relation has: a noun, something done to the subject, something that it does.

A graph of somebody's own has relations that no file words. "discovered at" is asked as "Was Ceres discovered at Palermo?",
"worked at" as "Did Piazzi work at Palermo?", "launch vehicle" as "Is Ariane 5 the launch vehicle of Rosetta?"; the lists that
decide are in `queries/phrasing/fallback.toml`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from generators.articles import with_common_article
from generators.inflections import base, is_common_noun, is_known, is_participle, is_past_alone

Form = Literal["noun", "has", "passive", "state", "did", "does", "verb", "label"]

FORMS: tuple[Form, ...] = ("noun", "has", "passive", "state", "did", "does", "verb", "label")


@dataclass(frozen=True)
class LabelForms:
    """The words that tell one form of a label from another."""

    prepositions: frozenset[str]
    verbs: frozenset[str]
    states: frozenset[str] = frozenset()
    intransitive: frozenset[str] = frozenset()

    @classmethod
    def of(cls, lists: Mapping[str, list[str]]) -> LabelForms:
        """Take the lists of `fallback.toml`.

        >>> LabelForms.of({"prepositions": ["of"], "verbs": ["has"]}).is_verb_like("capital of")
        True
        """
        return cls(**{name: frozenset(words) for name, words in lists.items()})

    def is_verb_like(self, label: str) -> bool:
        """Tell "capital of" and "located in time zone" from "capital" and "place of birth"."""
        # "located in …" runs on into its object, "red" alone is no participle, and "has part" lacks a preposition.
        words = label.casefold().split() or [""]
        participle = words[0].endswith("ed") and len(words) > 1 and words[1] in self.prepositions
        return words[-1] in self.prepositions or participle or (len(words) > 1 and words[0] in self.verbs)

    def form(self, label: str) -> tuple[Form, str]:
        """Return the form of a label, and what of it a question says.

        >>> forms = LabelForms.of({"prepositions": ["at", "of"], "verbs": ["has"], "intransitive": ["work"]})
        >>> forms.form("worked at"), forms.form("discovered at"), forms.form("has parent")
        (('did', 'work at'), ('passive', 'discovered at'), ('has', 'a parent'))
        >>> forms.form("launch vehicle"), forms.form("capital of"), forms.form("Vorgänger")
        (('noun', 'launch vehicle'), ('verb', 'capital of'), ('label', 'Vorgänger'))
        """
        words = label.split()
        if label != label.lower() or not words:
            return "verb" if self.is_verb_like(label) else "label", label
        first, rest = words[0], words[1:]
        if rest[:1] and rest[-1] in self.prepositions:
            return self._with_preposition(label, first, " ".join(rest))
        if first == "has" and self._is_noun(rest):
            return "has", with_common_article(" ".join(rest))
        if self.is_verb_like(label):
            return "verb", label
        return ("noun" if self._is_noun(words) else "label"), label

    def _with_preposition(self, label: str, first: str, rest: str) -> tuple[Form, str]:
        if rest.count(" ") or not is_known(first):
            return "verb", label  # "shares border with": of one verb and one preposition alone the grammar is known
        if first in self.states:
            return "state", label
        plain = base(first)
        if is_participle(first) and plain is not None:
            return ("did", f"{plain} {rest}") if plain in self.intransitive else ("passive", label)
        if is_past_alone(first):
            return "did", f"{plain} {rest}"
        present = first.removesuffix("s") if first.endswith("s") else first.removesuffix("es")
        return ("does", f"{present} {rest}") if present in self.intransitive else ("verb", label)

    def _is_noun(self, words: list[str]) -> bool:
        """Tell whether words are a noun with what belongs to it, one of a thing: "place of birth", "discoverer or inventor"."""
        before = next((n for n, word in enumerate(words) if word in self.prepositions), len(words))
        if not before or not all(map(is_known, (word for word in words if word not in self.prepositions))):
            return False
        head, first = words[before - 1], words[0]
        return (
            is_common_noun(head)
            and not head.endswith("s")
            and not (before > 1 and is_participle(first) and first.endswith("ed"))
        )
