"""Sentences that say a fact, and questions that ask for its object: `wording.toml`, and a plain form for other relations.

>>> wording = load_wordings().of("place of birth")
>>> [piece.text or piece.kind for piece in wording.sentences[0]]
['subject', ' was born in ', 'object', '.']
>>> load_wordings().of("head coach") is None, load_wordings().of("signature dish").question[0].text
(True, 'What is the signature dish of ')
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from generators.fpq.wording import load_phrasings
from generators.nouns import is_plural
from kg.errors import InputError, nearest
from kg.text import fold

_SLOT = re.compile(r"\{([^{}]*)\}")
_SLOTS = {"subject": "subject", "subject's": "owner", "object": "object", "object:a": "object_a", "object:bare": "object_bare"}
_KEYS = ("relation", "other", "sentences", "question", "topic", "one", "silent", "object", "not_of", "not_objects")
_PLAIN_LABEL = re.compile(r"[a-z]{2,}(?: [a-z]{2,}){0,3}")


class Piece(NamedTuple):
    """A part of a text: what stands there (`text`, `subject`, `owner`, `object`, `object_a`, `object_bare`); its own text."""

    kind: str
    text: str = ""


@dataclass(frozen=True)
class Wording:
    """How a relation is told and asked for; see `wording.toml`. A `plain` one is worded by its label."""

    relation: str
    sentences: tuple[tuple[Piece, ...], ...]
    question: tuple[Piece, ...] = ()
    topic: str | None = None
    one: bool = False
    object: str | None = None
    not_of: tuple[str, ...] = ()
    plain: bool = False
    not_objects: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wordings:
    """All wordings, by the folded labels of their relations; null for a relation that is not told."""

    by_relation: Mapping[str, Wording | None]

    def of(self, *names: str) -> Wording | None:
        """Return the wording of a relation by its names, a plain one where no file has it, null if it is not told."""
        known = any(fold(name) in self.by_relation for name in names)
        return self.written(*names) if known else plain_wording(names[0])

    def written(self, *names: str) -> Wording | None:
        """Return the wording that the file has of a relation by its names."""
        return next((self.by_relation[fold(name)] for name in names if fold(name) in self.by_relation), None)


def plain_wording(label: str) -> Wording | None:
    """Word a relation by its label, where that is a noun in the singular: "Its signature dish is …".

    >>> plain_wording("indigenous to") is None, plain_wording("applies to jurisdiction") is None
    (True, True)
    """
    words = label.split()
    if not _PLAIN_LABEL.fullmatch(label) or load_phrasings().fallback.is_verb_like(label):
        return None
    # "member count" and "sister city" are nouns; "applies to …", "works" and "has …" are not, or agree with many.
    if (words[0].endswith("s") and len(words) > 1) or is_plural(words[-1]) or words[-1].endswith(("ed", "ing")):
        return None
    sentence = (Piece("owner"), Piece("text", f" {label} is "), Piece("object"), Piece("text", "."))
    question = (Piece("text", f"What is the {label} of "), Piece("subject"), Piece("text", "?"))
    return Wording(label, (sentence,), question, one=True, plain=True)


@cache
def load_wordings() -> Wordings:
    """Read the wordings that come with the project.

    Raises InputError naming file and key for a key or a slot that is unknown, or a relation worded twice.
    """
    text = files("generators.autodebug").joinpath("wording.toml").read_text(encoding="utf-8")
    by_relation: dict[str, Wording | None] = {}
    for key, table in tomllib.loads(text).items():
        place = f"generators/autodebug/wording.toml [{key}]"
        wording = _wording(table, place)
        for label in (table["relation"], *table.get("other", [])):
            if fold(label) in by_relation:
                raise InputError(f"the relation '{label}' is worded twice", place=place)
            by_relation[fold(label)] = wording
    return Wordings(by_relation)


def _wording(table: Mapping[str, Any], place: str) -> Wording | None:
    for key in table:
        if key not in _KEYS:
            raise InputError(f"unknown key '{key}'", place=place, way_out=nearest(key, _KEYS))
    if table.get("silent"):
        return None
    sentences = tuple(tuple(_pieces(text, place)) for text in table["sentences"])
    question = tuple(_pieces(table.get("question", ""), place))
    others = (table.get("topic"), table.get("one", False), table.get("object"), tuple(table.get("not_of", ())))
    barred = tuple(fold(label) for label in table.get("not_objects", ()))
    return Wording(table["relation"], sentences, question, *others, not_objects=barred)


def _pieces(text: str, place: str) -> Iterator[Piece]:
    """Yield texts and slots in turn, empty texts left out."""
    end = 0
    for match in _SLOT.finditer(text):
        if match[1] not in _SLOTS:
            raise InputError(f"unknown slot {{{match[1]}}}", place=place, way_out=nearest(match[1], list(_SLOTS)))
        yield from _text(text[end : match.start()])
        yield Piece(_SLOTS[match[1]])
        end = match.end()
    yield from _text(text[end:])


def _text(text: str) -> Iterable[Piece]:
    return [Piece("text", text)] if text else []
