"""TOML and JSON as people write them: what is none, or nested too deeply, is one line that names the file.

The parsers of Python raise four kinds of errors for that, and a dotted key of a hundred thousand parts takes all memory; so
readers of a user's files call the two functions here.
"""

from __future__ import annotations

import json
import re
import tomllib
from importlib.resources import files
from typing import Any, TypeVar

from kg.errors import InputError, SourceError, one_line

E = TypeVar("E", bound=InputError)

_DEEPEST = 40
_PART = r"(?:(?<![\w-])[\w-]++|\"[^\"\n]*\"|'[^'\n]*')"
_LONG_KEY = re.compile(rf"{_PART}(?:[ \t]*\.[ \t]*{_PART}){{{_DEEPEST}}}")
"""A key of more parts than anything has that people write: each part costs as much again as all before it."""
_AT = re.compile(r" \(at line (\d+), column (\d+)\)$")


def parse_toml(data: bytes, place: str, *, way_out: str = "mend the file", error: type[E] | None = None) -> dict[str, Any]:
    """Return the tables of a TOML file.

    Parameters: `place` is what errors call the file; `error` what is raised (SourceError).
    Raises it, with line and column where they are known, for what is no UTF-8 or no TOML, or is nested too deeply.

    >>> parse_toml(b"[film]\\nyear = 1984", "films.toml")
    {'film': {'year': 1984}}
    >>> parse_toml(b"year 1984", "films.toml")
    Traceback (most recent call last):
    kg.errors.SourceError: films.toml:1:6: is not TOML (Expected '=' after a key in a key/value pair); mend the file
    """
    fault = error or SourceError
    try:
        text = data.decode("utf-8-sig")
        if long := _LONG_KEY.search(text):
            line = text.count("\n", 0, long.start()) + 1
            raise fault(f"has a key of more than {_DEEPEST} parts", place=f"{place}:{line}", way_out="make it flatter")
        return tomllib.loads(text)
    except UnicodeDecodeError as failure:
        line = data.count(b"\n", 0, failure.start) + 1
        raise fault("is not UTF-8 text", place=f"{place}:{line}", way_out="save it as UTF-8") from failure
    except RecursionError as failure:
        raise fault("is nested too deeply", place=place, way_out="make it flatter") from failure
    except ValueError as failure:  # a number of thousands of digits is one, too
        message, at = str(failure), _AT.search(str(failure))
        where = f"{place}:{at[1]}:{at[2]}" if at else place
        problem = f"is not TOML ({one_line(message[: at.start()] if at else message, 200)})"
        raise fault(problem, place=where, way_out=way_out) from failure


def shipped_toml(package: str, *path: str) -> dict[str, Any]:
    """Return the tables of a TOML file that is shipped with a package.

    >>> "always" in shipped_toml("queries", "phrasing", "articles.toml")
    True
    """
    return tomllib.loads(files(package).joinpath(*path).read_text("utf-8"))


def parse_json(text: str | bytes, place: str, *, way_out: str = "mend the file", error: type[E] | None = None) -> Any:
    """Return the value of a JSON text.

    Parameters: as of `parse_toml`. Raises `error` for what is no JSON, or is nested too deeply.

    >>> parse_json('{"a": 1', "a.json")
    Traceback (most recent call last):
    kg.errors.SourceError: a.json: is not JSON (Expecting ',' delimiter, column 8); mend the file
    """
    fault = error or SourceError
    try:
        return json.loads(text)
    except RecursionError as failure:
        raise fault("is nested too deeply", place=place, way_out="make it flatter") from failure
    except json.JSONDecodeError as failure:
        at = f"line {failure.lineno}, column {failure.colno}" if failure.lineno > 1 else f"column {failure.colno}"
        raise fault(f"is not JSON ({failure.msg}, {at})", place=place, way_out=way_out) from failure
    except ValueError as failure:
        raise fault(f"is not JSON ({one_line(str(failure), 200)})", place=place, way_out=way_out) from failure
