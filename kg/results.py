"""SPARQL results to polars frames, without an object per term."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, BinaryIO

import polars as pl

from kg.vocab import XSD

__all__ = ["plain_frame", "term_frame", "term_pieces"]

_PIECE = 4 * 2**20
"""How many bytes of results are read into columns at a time."""


def plain_frame(csv: bytes) -> pl.DataFrame:
    r"""Read SPARQL CSV results: plain strings, null where unbound or empty.

    >>> plain_frame(b'a,b\r\n"x ""y""\r\nz",\r\n').rows()
    [('x "y"\r\nz', None)]
    """
    return _read(csv)


def term_frame(tsv: bytes) -> pl.DataFrame:
    r"""Read SPARQL TSV results: terms as N-Triples writes them, null where unbound.

    >>> term_frame(b'?a\t?b\n<http://e/1>\t5\n').rows()
    [('<http://e/1>', '"5"^^<http://www.w3.org/2001/XMLSchema#integer>')]
    """
    frame = _read(tsv, separator="\t", quote_char=None)
    return frame.select(_spelled_out(pl.col(c)).alias(c.removeprefix("?")) for c in frame.columns)


def term_pieces(tsv: BinaryIO) -> Iterator[pl.DataFrame]:
    r"""Read SPARQL TSV results of any length some rows at a time; there is one piece at least.

    >>> [piece.rows() for piece in term_pieces(io.BytesIO(b'?a\n"x"\n'))]
    [[('"x"',)]]
    """
    head = tsv.readline()
    block = tsv.read(_PIECE) + tsv.readline()
    yield term_frame(head + block)
    while block := tsv.read(_PIECE) + tsv.readline():
        yield term_frame(head + block)


def _read(results: bytes, **how: Any) -> pl.DataFrame:
    if not results.strip():  # a SELECT of no variables
        return pl.DataFrame()
    return pl.read_csv(io.BytesIO(results), infer_schema=False, **how)


def _spelled_out(term: pl.Expr) -> pl.Expr:
    """Write the short forms of numbers and booleans (`5`, `true`) as N-Triples does."""
    typed = (
        pl.when(term.is_in(["true", "false"]))
        .then(pl.lit("boolean"))
        .when(term.str.contains("[eE]"))
        .then(pl.lit("double"))
        .when(term.str.contains(".", literal=True))
        .then(pl.lit("decimal"))
        .otherwise(pl.lit("integer"))
    )
    whole = term.str.contains(r'^[<"_]') | term.is_null()
    return pl.when(whole).then(term).otherwise(pl.format(f'"{{}}"^^<{XSD}{{}}>', term, typed))
