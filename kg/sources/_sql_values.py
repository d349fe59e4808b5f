"""What a database returns, as texts: by the declared type of the column, and unchanged wherever that is possible."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import polars as pl

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
_PLAIN = r"(SMALLINT|INTEGER|BIGINT|BOOLEAN|NUMERIC|DECIMAL|REAL|DOUBLE PRECISION|FLOAT|BYTEA|TEXT|(VAR)?CHAR)( ?\([\d, ]+\))?$"
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
    said = declared.strip().upper()
    kind = next((kind for pattern, kind in _KINDS if re.search(pattern, said)), None)
    fixed = re.match(r"^(?:NATIONAL )?N?CHAR(?:ACTER)? ?\((\d+)\)$", said)
    return SqlType(kind, int(fixed[1]) if fixed else None, re.match(_PLAIN, said) is not None)


def _mapped(values: Sequence[Any], function: Callable[[Any], str | None]) -> pl.Series:
    """Apply a function to each distinct value; equal values of different types (1, 1.0, True) stay apart."""
    known: dict[tuple[type, Any], str | None] = {}
    out: list[str | None] = []
    for value in values:
        exact = value.__hash__ is not None and not isinstance(value, float)  # -0.0 equals 0.0, but is written otherwise
        key = (type(value), value if exact else repr(value))
        if key not in known:
            known[key] = None if value is None else function(value)
        out.append(known[key])
    return pl.Series(out, dtype=pl.String)


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
        texts = _mapped(values, lambda value: _text_of(value, declared.datatype))
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


def natural_columns(values: Sequence[Any], declared: SqlType) -> tuple[pl.Series, pl.Series]:
    """Return the natural RDF literals of a column, as R2RML defines them: lexical forms and datatypes (null: a plain text)."""
    both = _mapped(values, lambda value: "\0".join(_natural(value, declared)))
    parts = pl.DataFrame({"b": both}).select(pl.col("b").str.splitn("\0", 2).struct.rename_fields(["datatype", "lexical"]))
    parts = parts.unnest("b")
    return parts["lexical"], parts.select(pl.when(pl.col("datatype") != "").then("datatype")).to_series()


def _natural(value: Any, declared: SqlType) -> tuple[str, str]:
    """Return datatype and lexical form of one value; what a column holds against its declared type speaks for itself."""
    kind = declared.datatype
    if isinstance(value, bytes | bytearray | memoryview):
        return "hexBinary", bytes(value).hex().upper()
    if isinstance(value, bool) or (kind == "boolean" and value in (0, 1)):
        return "boolean", "true" if value else "false"
    if isinstance(value, int | float) and kind == "double":
        return "double", _canonical_double(float(value))
    if isinstance(value, int | float | Decimal):
        return _number(value, kind)
    return _natural_text(_text_of(value, kind), declared)


def _number(value: int | float | Decimal, kind: str | None) -> tuple[str, str]:
    if isinstance(value, float) and kind != "decimal":
        return "double", _canonical_double(value)
    if kind == "decimal" or isinstance(value, Decimal):
        return "decimal", _text_of(value, "decimal")
    return "integer", str(value)


def _natural_text(text: str, declared: SqlType) -> tuple[str, str]:
    if declared.datatype == "date" and re.match(_DAY, text):
        return "date", text
    if declared.datatype == "dateTime" and re.match(_DAY_AND_TIME, text):
        return "dateTime", re.sub(r"([+-]\d\d)$", r"\1:00", text.replace(" ", "T"))
    if declared.datatype == "time" and re.match(r"^\d\d:\d\d:\d\d(\.\d+)?", text):
        return "time", text
    return "", text.ljust(declared.width) if declared.width else text


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
