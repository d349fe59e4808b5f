"""How properties are asked about: `wordings.toml`, one table a property, and other files of the same form.

```
>>> wording = load_wordings().of("P569")
>>> wording.type, wording.questions("day")[0]
('date', 'On what date (month, day and year) was {s} born?')
>>> load_wordings().property_of("http://example.org/person#year_of_birth", "year of birth")
'P569'

```
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from generators.column_names import unit_of
from generators.single import World, in_the_world
from kg.errors import InputError, nearest
from kg.files import read_bytes
from kg.formats import parse_toml, shipped_toml
from kg.text import fold
from kg.vocab import PREFIXES, property_labels

_SLOT = re.compile(r"\{([^{}]*)\}")
_TYPES = ("entity", "date", "number")
_LEAST = 3
"""So many wordings, at least, has every property."""
_KEYS = {"label": str, "type": str, "names": list, "ask": list, "did": str, "kind": str, "unit": bool,
         "many": bool, "count": str, "changing": bool, "default": str, "ended": str,
         "not_of": list, "not_kind": list, "needs": list, "agrees": list, "domains": list,
         "against": list, "unsure": list, "dated": bool, "credited": bool, "within": bool, "described": bool, "since": int,
         "step": str, "only_of": bool, "inverse": str, "one": float, "known": bool, "to": str,
         "doubtful": str, "doubtful_of": list, "of": list, "concepts": list}  # fmt: skip
_SLOTS = {"s", "kind", "unit", "year", "is", "does"}


@dataclass(frozen=True)
class Wording:
    """How one property is asked about; `of` holds other wordings by the concepts of subjects.

    `written` holds wordings of somebody else's that stand in the places of its own: by precision (or ""), then by place.
    """

    property: str
    label: str
    type: str
    names: tuple[str, ...] = ()
    ask: tuple[str, ...] = ()
    did: str = ""
    kind: str | None = None
    unit: bool = False
    count: str | None = None
    changing: bool = False
    many: bool = False
    default: str | None = None
    ended: str | None = None
    not_of: tuple[str, ...] = ()
    not_kind: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    agrees: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()
    within: bool = False
    described: bool = False
    since: int | None = None
    dated: bool = False
    credited: bool = False
    domains: tuple[str, ...] = ()
    step: str | None = None
    only_of: bool = False
    inverse: str | None = None
    one: float | None = None
    known: bool = False
    to: str | None = None
    doubtful: str | None = None
    doubtful_of: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    of: tuple[Wording, ...] = ()
    frames: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    written: Mapping[str, Mapping[int, str]] = field(default_factory=dict)

    def questions(self, precision: str | None = None) -> tuple[str, ...]:
        """Return the wordings, of a date those for its precision.

        They have the slots `{s}`, `{kind}`, `{unit}`, `{year}`, `{is}` and `{does}`.
        """
        if self.type != "date":
            return self._written(self.ask, "")
        texts = (frame.replace("{did}", self.did) for frame in self.frames[precision or "day"])
        return self._written(tuple(texts), precision or "day")

    def holds(self) -> bool:
        """Whether a question says that something holds today: "is a member of"."""
        return any(slot in text for text in self.ask for slot in ("{is}", "{does}"))

    def _written(self, texts: tuple[str, ...], precision: str) -> tuple[str, ...]:
        own = self.written.get(precision, {})
        return tuple(own.get(place, text) for place, text in enumerate(texts))


@dataclass(frozen=True)
class Wordings:
    """The wordings of all properties, by P-id (or another name of the property)."""

    properties: Mapping[str, Wording]

    def of(self, name: str) -> Wording:
        """Return the wording of a property."""
        return self.properties[name]

    @property
    def world(self) -> Mapping[str, World]:
        """How many values each property has in the world: what a file of the user's says goes before `single.toml`."""
        own = {name: each for name, each in self.properties.items() if each.one is not None or each.many}
        return {**in_the_world(), **{name: World(each.one, each.many) for name, each in own.items()}}

    def property_of(self, iri: str, label: str | None) -> str | None:
        """Return the property that a predicate is: by its P-id, else by a label, with or without a unit at its end."""
        own = iri.removeprefix(PREFIXES["wdt"])
        if own in self.properties:
            return own
        if label is None or iri.startswith(PREFIXES["wdt"]):
            return None
        return self._names.get(fold(label)) or self._names.get(fold(unit_of(label)[0]))

    @property
    def _names(self) -> Mapping[str, str]:
        return _names_of(tuple((name, wording.label, wording.names) for name, wording in self.properties.items()))


@cache
def _names_of(properties: tuple[tuple[str, str, tuple[str, ...]], ...]) -> Mapping[str, str]:
    """Map every folded name to its property; labels go before other names."""
    names: dict[str, str] = {}
    for name, label, _ in properties:
        names.setdefault(fold(label), name)
    for name, _, others in properties:
        for other in (*others, *property_labels(PREFIXES["wdt"] + name)):
            names.setdefault(fold(other), name)
    return names


def load_wordings(path: str | None = None) -> Wordings:
    """Return the wordings that ship, and those of a file of the user's before them.

    Raises InputError where a file is no such file, naming property and key.
    """
    shipped = _shipped()
    if path is None:
        return shipped
    tables = parse_toml(read_bytes(path), path, way_out="see generators/factbench/wordings.toml")
    frames = {name: wording.frames for name, wording in shipped.properties.items() if wording.frames}
    own = _read(tables, path, dict(next(iter(frames.values()))))
    return Wordings({**shipped.properties, **own})


@cache
def _shipped() -> Wordings:
    return Wordings(
        _read(shipped_toml("generators", "factbench", "wordings.toml"), str(Path("generators/factbench/wordings.toml")))
    )


def _read(tables: dict[str, Any], path: str, frames: dict[str, tuple[str, ...]] | None = None) -> dict[str, Wording]:
    own = tables.pop("frames", None)
    frames = {precision: tuple(texts) for precision, texts in own.items()} if own else frames or {}
    return {name: _wording(name, table, path, frames) for name, table in tables.items()}


def _wording(name: str, table: Any, path: str, frames: Mapping[str, tuple[str, ...]]) -> Wording:
    """Read a property's table. Raises InputError that names what is wrong in it."""
    _check_keys(name, table, path)
    kind = table.get("type")
    if kind not in _TYPES:
        raise _fault(path, name, f"type '{kind}' is none of {', '.join(_TYPES)}", nearest(str(kind), _TYPES))
    given: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in table.items() if key != "of"
    }
    main = Wording(name, **{"label": name, **given}, frames=frames if kind == "date" else {})
    _check_texts(main, path)
    others = []
    for each in table.get("of", []):
        _check_keys(name, each, path)
        changed: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in each.items()}
        others.append(replace(main, **changed))
        _check_texts(others[-1], path)
    return replace(main, of=tuple(others))


def _check_keys(name: str, table: Any, path: str) -> None:
    if not isinstance(table, dict):
        raise _fault(path, name, "is no table", f"write [{name}] and its keys")
    for key, value in table.items():
        if key not in _KEYS:
            raise _fault(path, name, f"no key '{key}' is known", nearest(key, _KEYS))
        if not isinstance(value, _KEYS[key]):
            raise _fault(path, name, f"'{key}' has the wrong type", f"it is {_KEYS[key].__name__}")


def _check_texts(wording: Wording, path: str) -> None:
    """Check that there are wordings enough, each with the subject and no slot that nothing fills."""
    texts: Iterable[str] = (wording.did,) if wording.type == "date" else wording.ask
    texts = tuple(texts)
    if wording.type != "date" and len(texts) < _LEAST:
        raise _fault(path, wording.property, f"{len(texts)} wordings", f"give {_LEAST} at least under 'ask'")
    for text in (*texts, *wording.unsure):
        slots = set(_SLOT.findall(text))
        if "s" not in slots:
            raise _fault(path, wording.property, f"'{text}' does not name the subject", "put {s} where it stands")
        if unknown := slots - _SLOTS:
            raise _fault(path, wording.property, f"'{text}' has the slot '{min(unknown)}'", nearest(min(unknown), _SLOTS))
        if wording.changing and "year" not in slots:
            raise _fault(path, wording.property, f"'{text}' does not say the year of what changes", "put {year} into it")
        if wording.to is not None and wording.to not in wording.frames:
            raise _fault(path, wording.property, f"'to' is '{wording.to}'", nearest(wording.to, wording.frames))
        if "kind" in slots and wording.kind is None:
            raise _fault(path, wording.property, f"'{text}' asks for a kind", 'say from which list: kind = "place"')


def _fault(path: str, name: str, problem: str, way_out: str) -> InputError:
    return InputError(f"{name}: {problem}", place=path, way_out=way_out)
