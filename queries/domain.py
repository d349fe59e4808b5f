"""A domain: which concepts its subjects have, and which relations its facts.

A domain is a TOML file with `name`, `summary`, `concepts = [...]` and `relations = [...]`: labels, compared after folding. It
may word its relations: `[wording."place of birth"]` with the questions of each form, as `queries/phrasing` has them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from kg.errors import InputError, nearest
from kg.files import read_bytes
from kg.formats import parse_toml
from kg.text import fold

_KEYS = ("name", "summary", "concepts", "relations", "open", "open_of", "settled", "wording")
_FOLDER = resources.files("queries") / "domains"


@dataclass(frozen=True)
class Domain:
    """A domain's name, its file, the folded labels of its concepts and relations, in the file's order, and what it is about.

    `open` are those of the relations whose objects nobody lists in full: what a graph does not state may well be true.
    `open_of`: those that are open for subjects of a kind, by the kind's name: who plays in an episode of a series is listed
    nowhere in full. `settled`: those of which a question presumes one object, and that it holds still.
    `wording`: the questions of some of the relations, by label; they are checked where they are taken apart
    (`generators.fpq.wording`).
    """

    name: str
    concepts: tuple[str, ...]
    relations: tuple[str, ...]
    path: str | None = None
    summary: str = ""
    open: tuple[str, ...] = ()
    open_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    settled: tuple[str, ...] = ()
    wording: Mapping[str, Any] = field(default_factory=dict)


_OF_ALL = ("alike", "called", "containment", "defaming")  # files beside the domains that hold for all of them


def domain_names() -> list[str]:
    """Return the names of the shipped domains.

    >>> domain_names()
    ['art', 'people', 'place']
    """
    names = sorted(file.name.removesuffix(".toml") for file in _FOLDER.iterdir() if file.name.endswith(".toml"))
    return [name for name in names if name not in _OF_ALL]


def find_domain(name: str) -> Domain:
    """Return a shipped domain by its name, or one from a `.toml` file by its path.

    Raises InputError where there is none, or the file is at fault.

    >>> "human" in find_domain("people").concepts
    True
    """
    if name.endswith(".toml"):
        return _domain(name, read_bytes(Path(name)))
    if name not in domain_names():
        raise InputError(f"no domain '{name}'", way_out=f"{nearest(name, domain_names())}, or a path to a .toml file")
    return _domain(f"{name}.toml", (_FOLDER / f"{name}.toml").read_bytes())


def containment() -> tuple[frozenset[str], frozenset[str]]:
    """Return the folded labels of the relations that lead up to what contains the subject, and down to what it contains.

    >>> up, down = containment()
    >>> "country" in up, "capital" in down
    (True, True)
    """
    entry = tomllib.loads((_FOLDER / "containment.toml").read_text("utf-8"))
    return frozenset(map(fold, entry["up"])), frozenset(map(fold, entry["down"]))


def defaming() -> frozenset[str]:
    """Return the folded labels of the concepts whose members no false premise names.

    >>> "terrorist organization" in defaming()
    True
    """
    return frozenset(map(fold, tomllib.loads((_FOLDER / "defaming.toml").read_text("utf-8"))["kinds"]))


@cache
def called() -> Mapping[str, tuple[str, ...]]:
    """Return the words that the names of some relations' objects have, by the relation's folded label.

    >>> "prize" in called()["award received"]
    True
    """
    entry = tomllib.loads((_FOLDER / "called.toml").read_text("utf-8"))
    return {fold(label): tuple(map(fold, part["words"])) for label, part in entry.items() if isinstance(part, dict)}


def alike() -> Mapping[str, frozenset[str]]:
    """Return the folded labels of the relations and attributes that make things of one type comparable, by role.

    >>> "occupation" in alike()["trades"], "inception" in alike()["begins"]
    (True, True)
    """
    return _alike()


@cache
def _alike() -> Mapping[str, frozenset[str]]:
    entry = tomllib.loads((_FOLDER / "alike.toml").read_text("utf-8"))
    return {role: frozenset(map(fold, labels)) for role, labels in entry.items() if isinstance(labels, list)}


def _domain(path: str, data: bytes) -> Domain:
    entry = _parsed(path, data)
    for key in entry.keys() - {*_KEYS}:
        raise InputError(f"unknown key '{key}'", place=path, way_out=f"keys are {', '.join(_KEYS)}")
    concepts, relations = (_labels(path, entry, key) for key in ("concepts", "relations"))
    name = entry.get("name")
    if not isinstance(name, str) or not name:
        raise InputError("'name' is missing", place=path, way_out='add name = "…"')
    unlisted, settled = (_marked(path, entry, key, relations) for key in ("open", "settled"))
    open_of = entry.get("open_of", {})
    if not isinstance(open_of, dict):
        way_out = f'write [open_of] and below it film = ["{relations[0]}"]'
        raise InputError("'open_of' is no table", place=path, way_out=way_out)
    of_kinds = {fold(kind): _marked(path, open_of, kind, relations) for kind in open_of}
    summary, wording = str(entry.get("summary") or ""), _wording(path, entry, relations)
    return Domain(name, concepts, relations, path, summary, unlisted, of_kinds, settled, wording)


def _marked(path: str, entry: dict[str, Any], key: str, relations: tuple[str, ...]) -> tuple[str, ...]:
    """Read a list of some of the domain's relations."""
    marked = _labels(path, entry, key) if key in entry else ()
    for relation in marked:
        if relation not in relations:
            way_out = f"{nearest(relation, list(relations))}: `{key}` marks some of `relations`"
            raise InputError(f"'{relation}' is marked {key} but not listed", place=path, way_out=way_out)
    return marked


def _wording(path: str, entry: dict[str, Any], relations: tuple[str, ...]) -> dict[str, Any]:
    wording = entry.get("wording", {})
    if not isinstance(wording, dict):
        way_out = f'write [wording."{relations[0]}"] and its questions below it'
        raise InputError("'wording' is no table", place=path, way_out=way_out)
    for label in wording:
        if fold(label) not in relations:
            problem = f"'{label}' is worded but not listed under `relations`"
            raise InputError(problem, place=path, way_out=nearest(fold(label), relations))
    return wording


def _parsed(path: str, data: bytes) -> dict[str, Any]:
    return parse_toml(data, path)


def _labels(path: str, entry: dict[str, Any], key: str) -> tuple[str, ...]:
    labels = entry.get(key)
    if not isinstance(labels, list) or not labels or not all(isinstance(x, str) for x in labels):
        raise InputError(f"'{key}' is no list of labels", place=path, way_out=f'write {key} = ["…", "…"]')
    return tuple(dict.fromkeys(map(fold, labels)))
