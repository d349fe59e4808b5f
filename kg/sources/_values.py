"""Texts to typed literals, only where the value survives unchanged.

A store may rewrite what it understands (`-15.0` becomes `-15`, `007` becomes `7`), and a fact that came back with another
spelling than the source's would no longer be the source's fact. So a type is given only to texts that a store returns as
they went in; the others stay strings.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal, InvalidOperation

import polars as pl
import pyoxigraph as ox

from kg.build import literal_terms, typed_terms

SHAPES: dict[str, str] = {
    "integer": r"^[+-]?\d+$",
    "decimal": r"^[+-]?(\d+(\.\d*)?|\.\d+)$",
    "double": r"^([+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|[+-]?INF|NaN)$",
    "boolean": r"^(true|false|1|0)$",
    "date": r"^-?(\d{4}|[1-9]\d{4,})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$",
    "gYearMonth": r"^-?(\d{4}|[1-9]\d{4,})-(0[1-9]|1[0-2])$",
    "gYear": r"^-?(\d{4}|[1-9]\d{4,})$",
    "dateTime": r"^-?\d{4,}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$",
    "time": r"^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$",
    "hexBinary": r"^([0-9A-Fa-f]{2})*$",
    "string": r"(?s)^.*$",
}
"""XML Schema datatype to the texts it allows."""

# What is written so is in its canonical form, which stores keep; only the rest has to be tried out.
_PLAIN = {
    "integer": r"^(0|-?[1-9]\d{0,17})$",
    "decimal": r"^(0|-?[1-9]\d{0,8}|-?(0|[1-9]\d{0,8})\.\d{0,7}[1-9])$",
    "date": r"^[1-9]\d{3}-\d\d-\d\d$",
}

# A number with more digits than this written out is kept as the source writes it, not as a wall of noughts.
_LONGEST_NUMBER = 400


def fits(texts: pl.Series, datatype: str) -> pl.Series:
    """Say of each text whether the datatype allows it, calendar included; null fits.

    >>> fits(pl.Series(["1900-02-28", "1900-02-29", None]), "date").to_list()
    [True, False, True]
    """
    shaped = texts.str.contains(SHAPES[datatype])
    if datatype in ("date", "dateTime"):
        day = pl.DataFrame({"t": texts.filter(shaped.fill_null(False)).unique()})
        absent = day.filter(~pl.col("t").map_elements(_is_a_day, return_dtype=pl.Boolean))["t"]
        shaped = shaped & ~texts.is_in(absent.implode())
    return shaped.fill_null(True)


def _is_a_day(text: str) -> bool:
    """Say whether a well-shaped date has that day in its month (leap years by the Gregorian rule, as XML Schema has it)."""
    year, month, day = (int(part) for part in text.lstrip("-").split("T")[0].split("-"))
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    return day <= days[month - 1]


def survives(texts: pl.Series, datatype: str) -> pl.Series:
    """Say of each text whether a store returns it unchanged when it has this datatype; null survives.

    >>> survives(pl.Series(["7", "007", "-15", "x"]), "integer").to_list()
    [True, False, True, False]
    """
    good = fits(texts, datatype)
    plain = texts.str.contains(_PLAIN[datatype]).fill_null(True) if datatype in _PLAIN else texts.is_null()
    return plain & good | good & _comes_back(texts.filter(good & ~plain), texts, datatype) | texts.is_null()


def _comes_back(some: pl.Series, texts: pl.Series, datatype: str) -> pl.Series:
    """Say of each text whether it is one of `some` and a store returns it unchanged."""
    asked = some.unique().drop_nulls().sort()
    if asked.is_empty():
        return texts.is_null()
    index = pl.Series(range(asked.len()), dtype=pl.Int64).cast(pl.String)
    lines = "<urn:i:" + index + "> <urn:p> " + typed_terms(asked, datatype) + " ."
    store = ox.Store()
    store.bulk_load("\n".join(lines.to_list()).encode(), ox.RdfFormat.N_TRIPLES, lenient=True)
    back = store.dump(format=ox.RdfFormat.N_TRIPLES, from_graph=ox.DefaultGraph()) or b""
    unchanged = asked.filter(lines.is_in(back.decode().splitlines()))
    return texts.is_in(unchanged.implode()).fill_null(True)


def datatype_of(texts: pl.Series) -> str:
    """Return the datatype that a whole column can bear: integer, decimal, date, or else string.

    >>> datatype_of(pl.Series(["1", "2"])), datatype_of(pl.Series(["57.4810", "1"])), datatype_of(pl.Series(["007"]))
    ('integer', 'string', 'string')
    """
    return datatype_of_all([texts])


def datatype_of_all(batches: Iterable[pl.Series], hint: str | None = None) -> str:
    """Return the datatype that all batches of a column can bear, or else string.

    Where the source says what the column is (`hint`), it is that; else it is found as in `datatype_of`.

    >>> datatype_of_all([pl.Series(["80.25"])], "double"), datatype_of_all([pl.Series(["-15.0"])], "double")
    ('decimal', 'string')
    """
    allowed = {None: ("integer", "decimal", "date"), "double": ("decimal",), "dateTime": ("date", "dateTime")}
    possible, some = allowed.get(hint, (hint or "string",)), False
    for values in (batch.drop_nulls() for batch in batches):
        some = some or values.len() > 0
        possible = tuple(datatype for datatype in possible if _bears(values, datatype))
        if not possible:
            break
    return possible[0] if possible and some else "string"


def _bears(values: pl.Series, datatype: str) -> bool:
    return bool(fits(values, datatype).all()) and bool(survives(values, datatype).all())


def guessed_terms(texts: pl.Series, datatype: str) -> pl.Series:
    """Make literals: typed where the value survives, else strings; null stays null."""
    if datatype == "string":
        return literal_terms(texts)
    keep = survives(texts, datatype)
    frame = pl.DataFrame({"keep": keep, "typed": typed_terms(texts, datatype), "plain": literal_terms(texts)})
    return frame.select(pl.when("keep").then("typed").otherwise("plain").alias(texts.name)).to_series()


def kopl_terms(kinds: pl.Series, texts: pl.Series) -> pl.Series:
    """Make literals of KoPL's values: `kinds` are string, quantity, date and year.

    >>> kopl_terms(pl.Series(["year", "quantity"]), pl.Series(["-44", "2.50"])).to_list()
    ['"-0044"^^<http://www.w3.org/2001/XMLSchema#gYear>', '"2.5"^^<http://www.w3.org/2001/XMLSchema#decimal>']
    """
    frame = pl.DataFrame({"kind": kinds, "text": texts})
    distinct = frame.unique(maintain_order=True)
    read = [_reading(kind, text) for kind, text in distinct.iter_rows()]
    distinct = distinct.with_columns(
        written=pl.Series([r[0] for r in read], dtype=pl.String), datatype=pl.Series([r[1] for r in read], dtype=pl.String)
    )
    parts = [
        part.with_columns(term=_term(part["text"], part["written"], str(datatype)))
        for (datatype,), part in distinct.group_by("datatype", maintain_order=True)
    ]
    if not parts:
        return pl.Series("text", [], dtype=pl.String)
    return frame.join(pl.concat(parts), on=["kind", "text"], how="left", maintain_order="left")["term"]


def _term(text: pl.Series, written: pl.Series, datatype: str) -> pl.Series:
    if datatype == "string":
        return literal_terms(text)
    keep = survives(written, datatype)
    frame = pl.DataFrame({"keep": keep, "typed": typed_terms(written, datatype), "plain": literal_terms(text)})
    return frame.select(pl.when("keep").then("typed").otherwise("plain")).to_series()


def _reading(kind: str, text: str) -> tuple[str, str]:
    """Return how XML Schema writes a value of KoPL's, and with which datatype."""
    if kind == "quantity":
        return _number(text)
    if kind in ("date", "year"):
        return _date(text)
    return text, "string"


def _number(text: str) -> tuple[str, str]:
    """Write a JSON number without exponent and superfluous noughts, which do not belong to its value."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text, "string"
    if not number.is_finite() or abs(number.adjusted()) > _LONGEST_NUMBER:
        return text, "string"
    written = f"{number:f}"
    if "." in written:
        written = written.rstrip("0").rstrip(".")
    if written in ("-0", ""):
        written = "0"
    return written, "decimal" if "." in written else "integer"


def _date(text: str) -> tuple[str, str]:
    """Write a date by its precision; `/` separates as well as `-`, and month or day 0 means unknown."""
    sign, rest = ("-", text[1:]) if text[:1] == "-" else ("", text.removeprefix("+"))
    parts = rest.replace("/", "-").split("-")
    if not (1 <= len(parts) <= 3 and all(part.isascii() and part.isdigit() for part in parts)):
        return text, "string"
    while len(parts) > 1 and int(parts[-1]) == 0:
        parts.pop()
    datatype = ("gYear", "gYearMonth", "date")[len(parts) - 1]
    year = parts[0].lstrip("0").rjust(4, "0")
    return "-".join([sign + year, *(part.rjust(2, "0") for part in parts[1:])]), datatype
