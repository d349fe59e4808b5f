"""What form the label of a relation has: a noun, something done to the subject, something that it does.

A graph of somebody's own has relations that no file words. "discovered at" is asked as "Was Ceres discovered at Palermo?",
"worked at" as "Did Piazzi work at Palermo?", "launch vehicle" as "Is Ariane 5 the launch vehicle of Rosetta?"; the lists that
decide are in `queries/phrasing/fallback.toml`. Labels of a schema are read as words first: `wasBornIn` is "was born in".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from generators.articles import with_common_article
from generators.inflections import (
    base,
    is_common_noun,
    is_known,
    is_participle,
    is_participle_before,
    is_past_alone,
    present_of,
)

Form = Literal["noun", "several", "has", "role", "passive", "state", "did", "does", "verb", "label"]

FORMS: tuple[Form, ...] = ("noun", "several", "has", "role", "passive", "state", "did", "does", "verb", "label")

_SEAM = re.compile(r"(?<=[a-z])(?=[A-Z])|_+")
_IS, _WAS, _ARTICLES = ("is", "are"), ("was", "were"), ("a", "an", "the")
_BARE = ("home", "part")  # what one is without an article: part of something, home to somebody


def spelled_out(label: str) -> str:
    """Return the words of a label of a schema; a label in plain English is as it was.

    >>> spelled_out("wasBornIn"), spelled_out("parent_company"), spelled_out("Head coach"), spelled_out("Vorgänger")
    ('was born in', 'parent company', 'head coach', 'Vorgänger')
    """
    small = _SEAM.sub(" ", label).casefold()
    # The lexicon has no prepositions: of short words nothing is asked. Nor of those that a schema joins.
    known = bool(_SEAM.search(label)) or all(map(is_known, re.findall(r"\w{5,}", small)))
    return " ".join(small.split()) if small.isascii() and known else label


def without_auxiliary(label: str) -> str:
    """Return a label without the verb that a schema puts before it: "hasCapital" means "capital".

    >>> without_auxiliary("hasCapital"), without_auxiliary("wasBornIn"), without_auxiliary("capital")
    ('capital', 'born in', 'capital')
    """
    words = " ".join(_SEAM.sub(" ", label).casefold().split())
    first, _, rest = words.partition(" ")
    return rest if rest and first in ("has", *_IS, *_WAS) else words


@dataclass(frozen=True)
class LabelForms:
    """The words that tell one form of a label from another."""

    prepositions: frozenset[str]
    verbs: frozenset[str]
    states: frozenset[str] = frozenset()
    particles: frozenset[str] = frozenset()
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

        >>> forms = LabelForms.of({"prepositions": ["at", "of", "in"], "verbs": ["has", "spans"], "intransitive": ["work"]})
        >>> forms.form("worked at"), forms.form("discovered at"), forms.form("has parent"), forms.form("isMarriedIn")
        (('did', 'work at'), ('passive', 'discovered at'), ('has', 'a parent'), ('state', 'married in'))
        >>> forms.form("launch vehicle"), forms.form("rival of"), forms.form("spans"), forms.form("Vorgänger")
        (('noun', 'launch vehicle'), ('role', 'a rival of'), ('does', 'span'), ('label', 'Vorgänger'))
        """
        words = spelled_out(label).split()
        if not words or any(word != word.lower() for word in words):
            return "verb" if self.is_verb_like(label) else "label", label
        said = self._with_its_noun(words) or self._verbal(words)
        if said or self.is_verb_like(label):
            return said or ("verb", label)
        if self._is_noun(words):
            return "noun", " ".join(words).removesuffix(" name")
        return ("several", " ".join(words)) if self._is_plural(words) else ("label", label)

    def _with_its_noun(self, words: list[str]) -> tuple[Form, str] | None:
        """Read a verb with a preposition, and behind it what the object is: "belongs to the family"."""
        at = next((n for n, word in enumerate(words[1:-1], start=1) if word in self.prepositions), 0)
        noun = [word for word in words[at + 1 :] if word not in _ARTICLES]
        if not at or is_common_noun(words[0]) or not self._is_noun(noun):
            return None
        said = self._verbal(words[: at + 1])
        return None if said is None else (said[0], f"{said[1]} the {' '.join(noun)}")

    def _verbal(self, words: list[str]) -> tuple[Form, str] | None:
        """Read a label that is said of the subject: by a verb, or two, or by a noun before a preposition."""
        if "or" in words[1:-1]:
            return self._either(words)
        first, rest = words[0], words[1:]
        leads = bool(rest) and rest[-1] in self.prepositions
        if first in (*_IS, *_WAS) and leads:
            return self._with_auxiliary(first, rest)
        if first == "has" and rest and is_participle(rest[0]):
            return "did", " ".join([str(base(rest[0])), *(["the"] if rest[1:] else []), *rest[1:]])
        if first == "has" and self._is_noun(rest):
            return "has", with_common_article(" ".join(rest))
        return self._with_preposition(words) if leads else self._alone(words)

    def _either(self, words: list[str]) -> tuple[Form, str] | None:
        """Read two verbs of one form: "visited or flew past"."""
        at = words.index("or")
        one, other = self._verbal(words[:at]), self._verbal(words[at + 1 :])
        if one is None or other is None or one[0] != other[0] or one[0] not in ("did", "does"):
            return None
        return one[0], f"{one[1]} or {other[1]}"

    def _with_auxiliary(self, auxiliary: str, words: list[str]) -> tuple[Form, str] | None:
        """Read what stands after "is" or "was": a participle, an adjective or a noun, and a preposition."""
        done = len(words) == 2 and is_participle_before(words[0])
        role = None if done else self._role(words)
        if role or not is_known(words[0]):
            return role
        return ("state" if auxiliary in _IS else "passive"), " ".join(words)

    def _with_preposition(self, words: list[str]) -> tuple[Form, str] | None:
        """Read a label that ends with a preposition by its verb, or by the noun before that."""
        first, rest = words[0], " ".join(words[1:])
        verb, simple = base(first), all(word in self.particles for word in words[1:-1])
        if simple and first in self.states:
            return "state", " ".join(words)
        if verb and simple and is_participle_before(first):
            active = verb in self.intransitive and words[-1] != "by"
            return ("did", f"{verb} {rest}") if active else ("passive", " ".join(words))
        if verb and is_past_alone(first) and (simple or self._is_noun(words[1:-1])):
            return "did", f"{verb} {rest}"
        present = present_of(first)
        if present and (first in self.verbs or words[-1] != "of" or words[1:2] == ["the"]):
            return self._present(present, words[1:], simple)
        return self._role(words)

    def _present(self, verb: str, rest: list[str], simple: bool) -> tuple[Form, str] | None:
        """Read a verb in the present with a preposition, and a noun of its own between them: "shares border with"."""
        noun = [word for word in rest[:-1] if word not in _ARTICLES]
        if simple or (rest[0] in _ARTICLES and self._is_noun(noun)):
            return "does", " ".join([verb, *rest])
        return ("does", f"{verb} {with_common_article(' '.join(noun))} {rest[-1]}") if self._is_noun(noun) else None

    def _alone(self, words: list[str]) -> tuple[Form, str] | None:
        """Read a verb that wants no preposition: "eats", "wrote"; not "members", which are several of a noun."""
        if len(words) > 1:
            return None
        present = present_of(words[0])
        if present and (words[0] in self.verbs or not is_common_noun(present)):
            return "does", present
        past = is_past_alone(words[0]) or (is_participle(words[0]) and words[0] not in self.states)
        return ("did", str(base(words[0]))) if past else None

    def _role(self, words: list[str]) -> tuple[Form, str] | None:
        """Read a label that says what the subject is to the object: "capital of", "the author of", "successor to"."""
        noun = words[:-1] if words[0] not in _ARTICLES else words[1:-1]
        if not self._is_noun(noun) or any(word in self.prepositions for word in noun):
            return None
        said = " ".join(words)
        return "role", said if noun != words[:-1] or (len(noun) == 1 and noun[0] in _BARE) else with_common_article(said)

    def _is_plural(self, words: list[str]) -> bool:
        """Tell whether words name several of a thing: "symptoms", "band members"."""
        last = words[-1]
        ones = [last[:-1], last[:-2], f"{last[:-3]}y"] if last.endswith("s") and not last.endswith("ss") else []
        return any(len(one) > 2 and self._is_noun([*words[:-1], one]) and is_common_noun(one) for one in ones)

    def _is_noun(self, words: list[str]) -> bool:
        """Tell whether words are a noun with what belongs to it, one of a thing: "place of birth", "parent taxon"."""
        before = next((n for n, word in enumerate(words) if word in self.prepositions), len(words))
        told = [word for word in words if word not in self.prepositions]
        if not before or not any(map(is_known, told)):
            return False
        head, first = words[before - 1], words[0]
        # What the lexicon lacks is a term of some field, and those are nouns.
        named = is_common_noun(head) or (not is_known(head) and not head.endswith("s"))
        return named and not (before > 1 and is_participle(first) and first.endswith("ed"))
