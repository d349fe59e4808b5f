r"""SPARQL results in JSON as columns, as servers write them: blank nodes by any name, literals called `typed-literal`.

>>> json_frame(b'{"head": {"vars": ["a"]}, "results": {"bindings": [{"a": {"type": "uri", "value": "urn:x"}}]}}').rows()
[('<urn:x>',)]
"""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec
import polars as pl
import pyoxigraph as ox

from kg.vocab import XSD

_ODD = re.compile(r'["\\\x00-\x1f\x7f]')


class _Cell(msgspec.Struct, frozen=True, rename={"lang": "xml:lang"}):
    type: str
    value: str
    lang: str | None = None
    datatype: str | None = None


class _Head(msgspec.Struct, frozen=True):
    vars: list[str]


class _Rows(msgspec.Struct, frozen=True):
    bindings: list[dict[str, _Cell]]


class _Results(msgspec.Struct, frozen=True):
    head: _Head
    results: _Rows


_decode = msgspec.json.Decoder(_Results).decode


def json_frame(body: bytes, *, plain: bool = False) -> pl.DataFrame:
    """Read SPARQL JSON results: terms as N-Triples writes them, null where unbound; or plain texts, null where empty, too.

    Raises ValueError where the body is none.
    """
    try:
        read = _decode(body)
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from error
    written: Callable[[_Cell], str | None] = _text if plain else _term
    columns = {
        name: [None if (cell := row.get(name)) is None else written(cell) for row in read.results.bindings]
        for name in read.head.vars
    }
    return pl.DataFrame(columns, schema=dict.fromkeys(read.head.vars, pl.String))


def _text(cell: _Cell) -> str | None:
    return cell.value or None


def _term(cell: _Cell) -> str:
    if cell.type == "uri":
        return f"<{cell.value}>"
    if cell.type == "bnode":
        return "_:" + re.sub(r"[^A-Za-z0-9]", "x", cell.value)
    text = str(ox.Literal(cell.value)) if _ODD.search(cell.value) else f'"{cell.value}"'
    if cell.lang:
        return f"{text}@{cell.lang.lower()}"
    return text if cell.datatype in (None, f"{XSD}string") else f"{text}^^<{cell.datatype}>"
