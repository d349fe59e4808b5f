"""What a graph answers to a proof, said in a plain sentence: of names, not of IRIs.

The library's proof queries have sentences of their own (`sentences.toml`). A family, or any other query, is told by its slots:
what was bound, and what the graph has there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from kg.formats import shipped_toml
from queries.records.item import Proof

_SHOWN = 5
_PLACE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Told:
    """What is said of a proof: its `names` of what is bound, in order, and of the `rows` returned, a mapping by slot each.

    `actual` is what an ASK answered, null of a SELECT; `claims` are values that the question claims and the query compares.
    """

    proof: Proof
    names: Mapping[str, str]
    rows: Sequence[Mapping[str, str]]
    actual: bool | None
    claims: Mapping[str, str]


@dataclass(frozen=True)
class Instead:
    """A query of the library that says more: its name, which bindings it takes, and what to say of its rows."""

    query: str
    bind: Sequence[str]
    rows: str
    text: str


@dataclass(frozen=True)
class Absence:
    """What a picture shows of a proof that something is not there: a line between two of the names bound, and its text."""

    source: str
    target: str
    text: str


@cache
def _sentences() -> dict[str, dict[str, Any]]:
    return shipped_toml("queries.why", "sentences.toml")


def _of(proof: Proof) -> dict[str, Any]:
    return {} if "{" in proof.query else _sentences().get(proof.query.partition("@")[0], {})


def instead(proof: Proof) -> Instead | None:
    """Return what more to ask where a proof says that something is not so; null where there is nothing."""
    more = _of(proof).get("instead")
    return Instead(**more) if more and proof.expect is False else None


def absence(proof: Proof, names: Mapping[str, str], actual: bool | None) -> Absence | None:
    """Return the line for what an answer says is not there; null where it says no such thing.

    Parameters: `names` of what is bound, `actual` what the proof's ASK (or its rows) came to.

    >>> absence(Proof(query="fact@85eea9ba"), {"s": "Vienna", "p": "country", "o": "Italy"}, False)
    Absence(source='s', target='o', text='not “country”')
    """
    frame = _of(proof).get("absent")
    if frame is None or actual is not frame["when"]:
        return None
    source, target = frame["ends"]
    return Absence(source, target, _PLACE.sub(lambda match: names.get(match[1], "?"), frame["text"]))


def sentence(told: Told) -> str:
    """Say what a graph answered.

    >>> proof = Proof(query="fact@85eea9ba", expect=False)
    >>> sentence(Told(proof, {"s": "Vienna", "p": "country", "o": "Italy"}, [], False, {}))
    'Vienna does not have Italy as “country”.'
    >>> born = Proof(query="SELECT ?place { ?who <p:19> ?place }")
    >>> sentence(Told(born, {"who": "Ada"}, [{"place": "London"}], None, {}))
    'Where who is Ada: place is London.'
    """
    frames = _of(told.proof)
    if told.actual is not None:
        frame = frames.get("true" if told.actual else "false")
        return _filled(frame, told) if frame else _whether(told)
    frame = frames.get("text" if told.rows else "none")
    return _filled(frame, told, frames.get("rows")) if frame else _which(told)


def said_of_rows(text: str, names: Mapping[str, str], rows: Sequence[Mapping[str, str]], column: str) -> str:
    """Fill a frame with names, and with the rows of one column."""
    told = Told(Proof(query="rows"), names, rows, None, {})
    return _filled(text, told, column)


def _filled(frame: str, told: Told, column: str | None = None) -> str:
    names = {**told.names, "chain": _chain(told.names), "rows": _listed(told.rows, column)}
    text = _PLACE.sub(lambda match: names.get(match[1], "?"), frame)
    return text[:1].upper() + text[1:]


def _chain(names: Mapping[str, str]) -> str:
    """Write the steps of a path: A - relation - B - relation - C."""
    steps = [f" – {names[f'p{step}']} – {names[f'o{step}']}" for step in range(1, 6) if {f"p{step}", f"o{step}"} <= set(names)]
    return names.get("s", "") + "".join(steps)


def _listed(rows: Sequence[Mapping[str, str]], column: str | None) -> str:
    texts = list(
        dict.fromkeys(row[column] if column is not None and column in row else ", ".join(row.values()) for row in rows)
    )
    more = f" and {len(texts) - _SHOWN} more" if len(texts) > _SHOWN else ""
    return (", ".join(texts[:_SHOWN]) + more) or "nothing"


def _whether(told: Told) -> str:
    """Say whether there is something: the answer of an ASK that has no sentence of its own."""
    there = "There is something" if told.actual else "There is nothing"
    where = _conditions(told.names, " and ")
    claimed = _conditions(told.claims, " and ")
    text = there + (f" of which {where}" if where else " that the query asks for")
    return text + (f", and for which the claim holds that {claimed}" if claimed else "") + "."


def _which(told: Told) -> str:
    """Say what a SELECT returns for what was bound."""
    where = _conditions(told.names, " and ")
    free = [{slot: name for slot, name in row.items() if slot not in told.names} or dict(row) for row in told.rows]
    texts = list(dict.fromkeys(_conditions(row, ", ") for row in free))
    more = f"; and {len(texts) - _SHOWN} more" if len(texts) > _SHOWN else ""
    found = ("; ".join(texts[:_SHOWN]) + more) or "there is nothing"
    return f"Where {where}: {found}." if where else f"{found[:1].upper()}{found[1:]}."


def _conditions(names: Mapping[str, str], between: str) -> str:
    return between.join(f"{slot.replace('_', ' ')} is {name}" for slot, name in names.items())
