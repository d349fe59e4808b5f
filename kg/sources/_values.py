"""Values of any source as texts, and texts as typed literals, only where the value survives unchanged.

A store may rewrite what it understands (`-15.0` becomes `-15`, `007` becomes `7`), and a fact that came back with another
spelling than the source's would no longer be the source's fact. So a type is given only to texts that a store returns as
they went in; the others stay strings. What a database or a Parquet file returns becomes a text by its declared type.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple, TypeVar

import polars as pl
import pyoxigraph as ox

from kg.build import typed_terms

_T = TypeVar("_T")

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

# Texts in their canonical form, which stores keep; only the rest has to be tried out.
_CANONICAL = {
    "integer": r"^(0|-?[1-9]\d{0,17})$",
    "decimal": r"^(0|-?[1-9]\d{0,8}|-?(0|[1-9]\d{0,8})\.\d{0,7}[1-9])$",
    "date": r"^[1-9]\d{3}-\d\d-\d\d$",
}


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
    """Say whether a well-shaped date has that day in its month (Gregorian leap years, told by four digits)."""
    year, month, day = (int(part[-4:]) for part in text.lstrip("-").split("T")[0].split("-"))
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    return day <= days[month - 1]


def survives(texts: pl.Series, datatype: str) -> pl.Series:
    """Say of each text whether a store returns it unchanged when it has this datatype; null survives.

    >>> survives(pl.Series(["7", "007", "-15", "x"]), "integer").to_list()
    [True, False, True, False]
    """
    good = fits(texts, datatype)
    canonical = texts.str.contains(_CANONICAL[datatype]).fill_null(True) if datatype in _CANONICAL else texts.is_null()
    return canonical & good | good & _comes_back(texts.filter(good & ~canonical), texts, datatype) | texts.is_null()


def _comes_back(some: pl.Series, texts: pl.Series, datatype: str) -> pl.Series:
    """Say of each text whether it is one of `some` and a store returns it unchanged."""
    distinct = some.unique().drop_nulls().sort()
    if distinct.is_empty():
        return texts.is_null()
    # Each text has a subject of its own: two texts that the store rewrites to one value must not hide each other.
    index = pl.Series(range(distinct.len()), dtype=pl.Int64).cast(pl.String)
    lines = "<urn:i:" + index + "> <urn:p> " + typed_terms(distinct, datatype) + " ."
    store = ox.Store()
    store.bulk_load("\n".join(lines.to_list()).encode(), ox.RdfFormat.N_TRIPLES, lenient=True)
    back = store.dump(format=ox.RdfFormat.N_TRIPLES, from_graph=ox.DefaultGraph()) or b""
    unchanged = distinct.filter(lines.is_in(back.decode().splitlines()))
    return texts.is_in(unchanged.implode()).fill_null(True)


def datatype_of(batches: Iterable[pl.Series], hint: str | None = None) -> str:
    """Return the datatype that all batches of a column can bear: integer, decimal, date, or else string.

    Where the source says what the column is (`hint`), it is that.

    >>> datatype_of([pl.Series(["1", "2"])]), datatype_of([pl.Series(["57.4810", "1"])]), datatype_of([pl.Series(["007"])])
    ('integer', 'string', 'string')
    >>> datatype_of([pl.Series(["80.25"])], "double"), datatype_of([pl.Series(["-15.0"])], "double")
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


# --- what databases return ----------------------------------------------------------------------------------------------

# In this order: the first part found in a declared type says its kind (a POINT, an INTERVAL and an INT[] are no integers).
_KINDS: tuple[tuple[str, str | None], ...] = (
    (r"POINT|INTERVAL|RANGE|\[\]|ARRAY", "string"),
    (r"BOOL|^BIT$|^BIT\(1\)$", "boolean"),
    (r"INT|SERIAL|^YEAR", "integer"),
    (r"CHAR|CLOB|TEXT|STRING|ENUM|UUID|JSON|XML", "string"),
    (r"BLOB|BINARY|BYTEA|IMAGE|^RAW", "hexBinary"),
    (r"REAL|FLOA|DOUB", "double"),
    (r"DEC|NUM|MONEY", "decimal"),
    (r"DATETIME|TIMESTAMP", "dateTime"),
    (r"DATE", "date"),
    (r"TIME", "time"),
)
_PLAIN_TYPE = (
    r"(SMALLINT|INTEGER|BIGINT|BOOLEAN|NUMERIC|DECIMAL|REAL|DOUBLE PRECISION|FLOAT|BYTEA|TEXT|(VAR)?CHAR)( ?\([\d, ]+\))?$"
)
_DAY_AND_TIME = r"^-?\d{4,}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d(:\d\d)?)?$"
_MIDNIGHT = r"^(-?\d{4,}-\d\d-\d\d)[ T]00:00:00(\.0+)?$"
_DAY = r"^-?\d{4,}-\d\d-\d\d$"


@dataclass(frozen=True)
class SqlType:
    """A declared type: the XML Schema datatype it means (None: it says nothing), the width of a CHAR(n), and whether every
    driver returns its values as plain numbers, texts or bytes.
    """

    datatype: str | None
    width: int | None = None
    plain: bool = False


def sql_type(declared: str) -> SqlType:
    """Read a declared type.

    >>> sql_type("NUMERIC(10, 2)").datatype, sql_type("char(5)").width, sql_type("").datatype, sql_type("INTEGER[]").plain
    ('decimal', 5, None, False)
    """
    name = declared.strip().upper()
    kind = next((kind for pattern, kind in _KINDS if re.search(pattern, name)), None)
    fixed = re.match(r"^(?:NATIONAL )?N?CHAR(?:ACTER)? ?\((\d+)\)$", name)
    return SqlType(kind, int(fixed[1]) if fixed else None, re.match(_PLAIN_TYPE, name) is not None)


def _of_each(values: Sequence[Any], function: Callable[[Any], _T]) -> list[_T | None]:
    """Apply a function to each distinct value; null stays null.

    Equal values of different types (1, 1.0, True) stay apart, and so do -0.0 and 0.0, which are equal but written differently.
    """
    results: dict[tuple[type, Any], _T | None] = {}
    out: list[_T | None] = []
    for value in values:
        exact = value.__hash__ is not None and not isinstance(value, float)
        key = (type(value), value if exact else repr(value))
        if key not in results:
            results[key] = None if value is None else function(value)
        out.append(results[key])
    return out


def text_column(values: Sequence[Any], declared: SqlType) -> pl.Series:
    """Turn a column into texts: numbers as the driver returns them, without what only fills up a declared width.

    >>> text_column([-15.0, "007", 5, None], SqlType(None)).to_list()
    ['-15.0', '007', '5', None]
    """
    kinds = {type(value) for value in values} - {type(None)}
    if kinds <= {str}:
        texts = pl.Series(values, dtype=pl.String)
    elif kinds == {int} and declared.datatype != "boolean":
        texts = pl.Series(values, dtype=pl.Int64).cast(pl.String)
    else:
        texts = pl.Series(_of_each(values, lambda value: _text_of(value, declared.datatype)), dtype=pl.String)
    return texts.str.strip_chars_end(" ") if declared.width else texts


def _text_of(value: Any, datatype: str | None) -> str:
    if isinstance(value, bool) or (datatype == "boolean" and value in (0, 1)):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return _decimal_text(value)
    if isinstance(value, float):
        return _decimal_text(Decimal(repr(value))) if datatype == "decimal" and value - value == 0 else repr(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).hex().upper()
    if isinstance(value, dt.datetime):
        return value.isoformat(sep=" ")
    return value.isoformat() if isinstance(value, dt.date | dt.time) else str(value)


def _decimal_text(value: Decimal) -> str:
    """Write a number without exponent and without the noughts that a declared scale fills up."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


@dataclass(frozen=True)
class Moments:
    """What all values of a column are: days (written as such, or as midnights), moments, or neither.

    >>> column = pl.Series(["1850-05-01 00:00:00"])
    >>> Moments.of([column]).written(column).to_list()
    ['1850-05-01']
    >>> Moments.of([column, pl.Series(["2009-10-10 12:12:22"])]).written(column).to_list()
    ['1850-05-01T00:00:00']
    """

    days: bool = False
    moments: bool = False

    @classmethod
    def of(cls, batches: Iterable[pl.Series]) -> Moments:
        """Look at a column, batch by batch."""
        days = moments = True
        some = False
        for texts in (batch.drop_nulls() for batch in batches):
            some = some or texts.len() > 0
            days = days and bool((texts.str.contains(_MIDNIGHT) | texts.str.contains(_DAY)).all())
            moments = moments and bool(texts.str.contains(_DAY_AND_TIME).all())
            if not days and not moments:
                break
        return cls(days and some, moments and some and not days)

    def written(self, texts: pl.Series) -> pl.Series:
        """Write some values as XML Schema does."""
        if self.days:
            return texts.str.replace(_MIDNIGHT, "${1}")
        if self.moments:
            moments = texts.str.replace(" ", "T", literal=True)
            return moments.str.replace(r"([+-]\d\d)$", "${1}:00").str.replace(r"[+-]00:00$", "Z")
        return texts


class _NaturalLiteral(NamedTuple):
    lexical: str
    datatype: str | None = None


def natural_columns(values: Sequence[Any], declared: SqlType) -> tuple[pl.Series, pl.Series]:
    """Return the natural RDF literals of a column, as R2RML defines them: lexical forms and datatypes (null: a plain text)."""
    literals = _of_each(values, lambda value: _natural(value, declared))
    lexical = [literal and literal.lexical for literal in literals]
    datatypes = [literal and literal.datatype for literal in literals]
    return pl.Series(lexical, dtype=pl.String), pl.Series(datatypes, dtype=pl.String)


def _natural(value: Any, declared: SqlType) -> _NaturalLiteral:
    """Return the natural literal of one value; what a column holds against its declared type speaks for itself."""
    kind = declared.datatype
    if isinstance(value, bytes | bytearray | memoryview):
        return _NaturalLiteral(bytes(value).hex().upper(), "hexBinary")
    if isinstance(value, bool) or (kind == "boolean" and value in (0, 1)):
        return _NaturalLiteral("true" if value else "false", "boolean")
    if isinstance(value, int | float) and kind == "double":
        return _NaturalLiteral(_canonical_double(float(value)), "double")
    if isinstance(value, int | float | Decimal):
        return _natural_number(value, kind)
    return _natural_text(_text_of(value, kind), declared)


def _natural_number(value: int | float | Decimal, kind: str | None) -> _NaturalLiteral:
    if isinstance(value, float) and kind != "decimal":
        return _NaturalLiteral(_canonical_double(value), "double")
    if kind == "decimal" or isinstance(value, Decimal):
        return _NaturalLiteral(_text_of(value, "decimal"), "decimal")
    return _NaturalLiteral(str(value), "integer")


def _natural_text(text: str, declared: SqlType) -> _NaturalLiteral:
    if declared.datatype == "date" and re.match(_DAY, text):
        return _NaturalLiteral(text, "date")
    if declared.datatype == "dateTime" and re.match(_DAY_AND_TIME, text):
        return _NaturalLiteral(re.sub(r"([+-]\d\d)$", r"\1:00", text.replace(" ", "T")), "dateTime")
    if declared.datatype == "time" and re.match(r"^\d\d:\d\d:\d\d(\.\d+)?", text):
        return _NaturalLiteral(text, "time")
    return _NaturalLiteral(text.ljust(declared.width) if declared.width else text)


def _canonical_double(value: float) -> str:
    """Write a double as XML Schema's canonical form does.

    >>> _canonical_double(30.0), _canonical_double(1.65), _canonical_double(0.0)
    ('3.0E1', '1.65E0', '0.0E0')
    """
    if value - value != 0:
        return "NaN" if value != value else ("INF" if value > 0 else "-INF")
    number = Decimal(repr(value))
    digits = "".join(map(str, number.as_tuple().digits)).rstrip("0") or "0"
    exponent = number.adjusted() if number else 0
    return f"{'-' if number.is_signed() else ''}{digits[0]}.{digits[1:] or '0'}E{exponent}"
