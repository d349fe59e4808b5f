"""KoPL's values in SPARQL: which terms of a graph a text of a program is equal to, less or greater than.

KoPL (`ValueClass` of its documentation) compares numbers of one unit, and times by the coarser of both precisions: the
day 2001-01-01 is in the year 2001, while the year is not in the day. A text is compared with texts alone.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import Literal

import polars as pl
import pyoxigraph as ox

from kg import vocab
from kg.sources.kopl import kopl_terms
from queries.errors import ProgramError

ValueKind = Literal["Str", "Num", "Year", "Date"]
_READINGS: tuple[ValueKind, ...] = ("Str", "Num", "Date")

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
_YEAR = re.compile(r"[+-]?\d{1,9}", re.ASCII)
_DAY = re.compile(r"(\d{1,4})([/-])(\d{1,2})\2(\d{1,2})", re.ASCII)
_TIMES = ("date", "gYearMonth", "gYear")


def comparison(kind: ValueKind, text: str, op: str, value: str, unit: str, place: str) -> str:
    """Return a SPARQL expression: does the term of variable `value`, in the unit of variable `unit`, stand in `op` to a text?

    Raises ProgramError with `place` for a text that is no value of that kind.
    """
    if kind == "Str":
        return f"{value} = {ox.Literal(text)}"
    if kind == "Num":
        return _number(text, op, value, unit, place)
    # KoPL tells a year from a day by how it is written, whichever function it is given to.
    return _year(text, op, value) if _YEAR.fullmatch(text.strip()) else _day(text, op, value, place)


def equality(text: str, value: str, unit: str) -> str:
    """Return a SPARQL expression: is the term equal to a text, read as whatever kind of value it can be?"""
    tests = []
    for kind in _READINGS:
        try:
            tests.append(f"({comparison(kind, text, '=', value, unit, '')})")
        except ProgramError:
            continue
    return " || ".join(tests)


def _number(text: str, op: str, value: str, unit: str, place: str) -> str:
    number, _, of = text.strip().partition(" ")
    if not _NUMBER.fullmatch(number):
        raise ProgramError(f"'{text}' is no number", place=place, way_out="write it as 150 or 1.80 metre")
    of = "" if of.strip() == "1" else " ".join(of.split())
    (term,) = kopl_terms(pl.Series(["quantity"]), pl.Series([number]))
    return f"isNumeric({value}) && {unit} = {ox.Literal(of)} && {value} {op} {term}"


def _is_time(value: str) -> str:
    types = ", ".join(f"<{vocab.XSD}{name}>" for name in _TIMES)
    return f"datatype({value}) IN ({types})"


def _year_of(value: str) -> str:
    """The year of a date of any precision; YEAR() is defined for full times alone."""
    return f'<{vocab.XSD}integer>(REPLACE(STR({value}), "^(-?[0-9]+).*$", "$1"))'


def _year(text: str, op: str, value: str) -> str:
    return f"{_is_time(value)} && {_year_of(value)} {op} {int(text)}"


def _day(text: str, op: str, value: str, place: str) -> str:
    found = _DAY.fullmatch(text.strip())
    try:
        day = dt.date(int(found[1]), int(found[3]), int(found[4])) if found else None
    except ValueError:
        day = None
    if day is None:
        raise ProgramError(f"'{text}' is no year or day", place=place, way_out="write it as 1969, -44 or 1969-07-20")
    term, full = f'"{day.isoformat()}"^^<{vocab.XSD}date>', f"datatype({value}) = <{vocab.XSD}date>"
    if op in ("=", "!="):
        return f"{_is_time(value)} && {'' if op == '=' else '!'}({full} && {value} = {term})"
    return f"{_is_time(value)} && IF({full}, {value} {op} {term}, {_year_of(value)} {op} {day.year})"
