"""SPARQL results as columns: of plain texts, or of terms as N-Triples writes them, which are taken apart a column at a time.

No term becomes an object of its own, which would cost more than the query.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, BinaryIO

import polars as pl
import pyoxigraph as ox

from kg.errors import InputError
from kg.vocab import XSD

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
    block = tsv.read(_PIECE) + tsv.readline()  # whole lines: TSV escapes the line breaks within a term
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


_LEXICAL = r'(?s)^"(.*)"(?:@[A-Za-z0-9-]+|\^\^<[^>]*>)?$'
_NUMBERS = ("integer", "decimal", "double", "float", "int", "long", "short", "nonNegativeInteger", "positiveInteger")
_DATES = ("date", "dateTime", "gYear", "gYearMonth")


def is_iri(term: pl.Expr) -> pl.Expr:
    """Say of each term whether it is an IRI."""
    return term.str.starts_with("<")


def texts_of(terms: pl.Series) -> pl.Series:
    r"""Return the plain text of each term: an IRI without its brackets, a literal without quotes and datatype.

    What is empty is null, and so is a blank node, which nothing outside a query can name.

    >>> texts_of(pl.Series(['"5"^^<http://www.w3.org/2001/XMLSchema#integer>', "<urn:a>", '"a\\"b"@en', '""', None])).to_list()
    ['5', 'urn:a', 'a"b', None, None]
    """
    term = pl.col("term")
    plain = pl.when(is_iri(term)).then(term.str.slice(1, term.str.len_chars() - 2)).otherwise(term.str.extract(_LEXICAL))
    frame = pl.DataFrame({"term": terms.cast(pl.String)}).with_columns(text=plain)
    # Escapes are rare: only terms that have one are read by a parser.
    odd = frame.filter(term.str.contains("\\", literal=True))["term"].unique().drop_nulls()
    if odd.len():
        read = pl.DataFrame({"term": odd, "read": pl.Series([text_of(t) for t in odd.to_list()], dtype=pl.String)})
        frame = frame.join(read, on="term", how="left", maintain_order="left")
        frame = frame.with_columns(pl.coalesce("read", "text").alias("text"))
    return frame.select(pl.when(pl.col("text") != "").then("text").alias(terms.name)).to_series()


def text_of(term: str) -> str:
    r"""Return the plain text of one IRI or literal as N-Triples writes it; a blank node stays as it is.

    >>> text_of('"a\\"b"@en'), text_of("<urn:a>")
    ('a"b', 'urn:a')
    """
    quad = next(iter(ox.parse(f"<a:a> <a:a> {term} .", ox.RdfFormat.N_TRIPLES)))
    return str(getattr(quad.object, "value", term))


def language_tag(text: str, place: str = "--language") -> str:
    """Return a language tag in small letters, as stores keep it. Raises InputError for what is none.

    >>> language_tag("pt-BR")
    'pt-br'
    """
    try:
        return ox.Literal("", language=text).language or ""
    except ValueError:
        raise InputError(f"'{text}' is no language tag", place=place, way_out="take one such as de or pt-BR") from None


def kinds_of(terms: pl.Series) -> pl.Series:
    """Return what each term is: `entity` (an IRI), `number`, `date` or `string`; null stays null.

    >>> kinds_of(pl.Series(["<urn:a>", '"1999"^^<http://www.w3.org/2001/XMLSchema#gYear>', '"x"', None])).to_list()
    ['entity', 'date', 'string', None]
    """
    datatype = pl.col("term").str.extract(r'"\^\^<([^<>]*)>$').str.strip_prefix(XSD)
    kind = (
        pl.when(pl.col("term").is_null())
        .then(pl.lit(None, pl.String))
        .when(is_iri(pl.col("term")))
        .then(pl.lit("entity"))
        .when(datatype.is_in(_NUMBERS))
        .then(pl.lit("number"))
        .when(datatype.is_in(_DATES))
        .then(pl.lit("date"))
        .otherwise(pl.lit("string"))
    )
    return pl.DataFrame({"term": terms.cast(pl.String)}).select(kind.alias(terms.name)).to_series()


def copied(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame with texts of its own: those that are filtered or cut from a block hold on to all of the block's.

    >>> copied(pl.DataFrame({"s": ["a", None], "n": [1, 2]})).rows()
    [('a', 1), (None, 2)]
    """
    return frame.with_columns(pl.col(pl.String) + "")
