"""Terms as N-Triples writes them, taken apart a column at a time.

```
python -c 'import polars as pl; from kg.terms import texts_of; print(texts_of(pl.Series(["\"a\"@en", "<urn:b>"])))'
```
"""

from __future__ import annotations

import polars as pl
import pyoxigraph as ox

from kg.vocab import XSD

__all__ = ["is_iri", "kinds_of", "texts_of"]

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
    odd = frame.filter(term.str.contains("\\", literal=True))["term"].unique().drop_nulls()
    if odd.len():
        read = pl.DataFrame({"term": odd, "read": pl.Series([_value(t) for t in odd.to_list()], dtype=pl.String)})
        frame = frame.join(read, on="term", how="left", maintain_order="left")
        frame = frame.with_columns(pl.coalesce("read", "text").alias("text"))
    return frame.select(pl.when(pl.col("text") != "").then("text").alias(terms.name)).to_series()


def _value(term: str) -> str:
    quad = next(iter(ox.parse(f"<a:a> <a:a> {term} .", ox.RdfFormat.N_TRIPLES)))
    return str(getattr(quad.object, "value", term))


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
