"""What can be said of a fact, and questions that ask for its object: `wording.toml`, and a plain form for other relations.

>>> wording = load_wordings().of("place of birth")
>>> [piece.text or piece.kind for piece in wording.way("person").say[0].pieces]
['was born in ', 'object']
>>> load_wordings().of("head coach") is None, load_wordings().of("signature dish").question[0].text
(True, 'What is the signature dish of ')
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from generators.fpq.wording import load_phrasings
from generators.nouns import is_plural
from kg.errors import InputError, nearest
from kg.formats import shipped_toml
from kg.text import fold

CLASSES = ("person", "work", "place", "group", "other")
"""What a subject may be; the words of a relation may depend on it."""
_SLOT = re.compile(r"\{([^{}]*)\}")
_MADE = ("makers", "crew")
"""Chapters that say whose work something is."""
_SLOTS = {
    "subject": "subject", "subject's": "owner", "him": "him", "object": "object", "object:a": "object_a",
    "object:bare": "object_bare", "object:field": "object_field", "object:kind": "object_kind",
    "object:plural": "object_plural", "made": "made", "made by": "made_by",
}  # fmt: skip
_WAY_KEYS = ("say", "after", "also", "lead")
_KEYS = (
    "relation", "other", "chapter", "names", "minor", "question", "topic", "one", "silent", "object", "not_of", "not_objects",
    "objects", "asked_only", "sole", "peers", "known_of", "not_kinds",
    *_WAY_KEYS, *CLASSES[:-1],
)  # fmt: skip
_PLAIN_LABEL = re.compile(r"[a-z]{2,}(?: [a-z]{2,}){0,3}")


class Piece(NamedTuple):
    """A part of a text: what stands there (`text`, a slot, or a choice), its own text, and what is chosen from.

    A choice by `number` has a tuple for one object and one for several, each with the word of the past and of the present; one
    by `gender` has the words for him, for her and for whom nothing says which.
    """

    kind: str
    text: str = ""
    forms: tuple[tuple[str, ...], ...] = ()


class Saying(NamedTuple):
    """What is said of a subject; `owner` where it begins with what is the subject's ("its capital is …")."""

    pieces: tuple[Piece, ...]
    owner: bool = False


@dataclass(frozen=True)
class Way:
    """How a relation is told of a class of subjects; see `wording.toml`."""

    say: tuple[Saying, ...] = ()
    after: Saying | None = None
    also: Saying | None = None
    lead: str | None = None


@dataclass(frozen=True)
class Wording:
    """How a relation is told and asked for: see `wording.toml`, its `place` there. A `plain` one is worded by its label."""

    relation: str
    ways: Mapping[str, Way]
    question: tuple[Piece, ...] = ()
    topic: str | None = None
    one: bool = False
    object: str | None = None
    not_of: tuple[str, ...] = ()
    plain: bool = False
    not_objects: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    chapter: str = "name"
    place: int = 0
    minor: bool = False
    names: bool = False
    asked_only: bool = False
    sole: bool = False
    peers: bool = False
    known_of: tuple[str, ...] = ()
    not_kinds: tuple[str, ...] = ()

    def way(self, kind: str) -> Way:
        """Return how it is told of subjects of a class."""
        return self.ways.get(kind, self.ways["other"])


@dataclass(frozen=True)
class Wordings:
    """All wordings, by the folded labels of their relations; null for a relation that is not told."""

    by_relation: Mapping[str, Wording | None] = field(default_factory=dict)

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
    said = Saying((Piece("text", f" {label} is "), Piece("object")), owner=True)
    question = (Piece("text", f"What is the {label} of "), Piece("subject"), Piece("text", "?"))
    return Wording(label, {"other": Way((said,))}, question, one=True, sole=True, plain=True)


@cache
def load_wordings() -> Wordings:
    """Read the wordings that come with the project.

    Raises InputError naming file and key for a key or a slot that is unknown, or a relation worded twice.
    """
    by_relation: dict[str, Wording | None] = {}
    for number, (key, table) in enumerate(shipped_toml("generators.autodebug", "wording.toml").items()):
        place = f"generators/autodebug/wording.toml [{key}]"
        wording = _wording(table, place, number)
        for label in (table["relation"], *table.get("other", [])):
            if fold(label) in by_relation:
                raise InputError(f"the relation '{label}' is worded twice", place=place)
            by_relation[fold(label)] = wording
    return Wordings(by_relation)


def _wording(table: Mapping[str, Any], place: str, number: int) -> Wording | None:
    for key in table:
        if key not in _KEYS:
            raise InputError(f"unknown key '{key}'", place=place, way_out=nearest(key, _KEYS))
    if table.get("silent"):
        return None
    common = {key: table[key] for key in _WAY_KEYS if key in table}
    ways = {kind: _way({**common, **table.get(kind, {})}, place) for kind in CLASSES[:-1]}
    ways["other"] = _way(common, place)
    return Wording(
        table["relation"],
        ways,
        tuple(_pieces(table.get("question", ""), place)),
        topic=table.get("topic"),
        one=table.get("one", False),
        object=table.get("object"),
        not_of=tuple(table.get("not_of", ())),
        not_objects=tuple(fold(label) for label in table.get("not_objects", ())),
        objects=tuple(fold(word) for word in table.get("objects", ())),
        chapter=table["chapter"],
        place=number,
        minor=table.get("minor", False),
        names=table.get("names", False),
        asked_only=table.get("asked_only", False),
        sole=table.get("sole", table.get("one", False) or table["chapter"] in _MADE),
        peers=table.get("peers", False),
        known_of=tuple(table.get("known_of", ())),
        not_kinds=tuple(table.get("not_kinds", ())),
    )


def _way(texts: Mapping[str, Any], place: str) -> Way:
    for key in texts:
        if key not in _WAY_KEYS:
            raise InputError(f"unknown key '{key}'", place=place, way_out=nearest(key, _WAY_KEYS))
    said = tuple(_saying(text, place) for text in texts["say"])
    after, also = (_saying(texts[key], place) if texts.get(key) else None for key in ("after", "also"))
    return Way(said, after, also, texts.get("lead"))


def _saying(text: str, place: str) -> Saying:
    pieces = tuple(_pieces(text, place))
    owner = pieces[0].kind == "owner"
    return Saying(pieces[1:] if owner else pieces, owner)


def _pieces(text: str, place: str) -> Iterator[Piece]:
    """Yield texts, slots and choices in turn, empty texts left out."""
    end = 0
    for match in _SLOT.finditer(text):
        yield from _text(text[end : match.start()])
        yield _choice(match[1], place)
        end = match.end()
    yield from _text(text[end:])


def _choice(text: str, place: str) -> Piece:
    if text in _SLOTS:
        return Piece(_SLOTS[text])
    if text.count("/") == 2:
        return Piece("gender", forms=(tuple(text.split("/")),))
    if "|" not in text and "#" not in text:
        raise InputError(f"unknown slot {{{text}}}", place=place, way_out=nearest(text, list(_SLOTS)))
    one, _, several = text.partition("#")
    numbers = [number.split("|") for number in (one, several or one)]
    return Piece("number", forms=tuple((number[0], number[-1]) for number in numbers))


def _text(text: str) -> Iterable[Piece]:
    return [Piece("text", text)] if text else []


@cache
def lists() -> dict[str, Any]:
    """Return the lists of `passages.toml`."""
    return shipped_toml("generators.autodebug", "passages.toml")
