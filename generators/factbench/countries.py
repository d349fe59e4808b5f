"""What countries are called, and their capitals, by the starter graph: for graphs with one name, or a capital that was.

```
>>> [country.names for country in countries() if "Czechia" in country.names]
[('Czech Republic', 'Czechia')]

```
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from kg.text import fold


class Country(NamedTuple):
    """A country: all its names, the everyday one first, and those of its capital (none where it has several)."""

    names: tuple[str, ...]
    capital: tuple[str, ...]


@cache
def countries() -> tuple[Country, ...]:
    """Return the countries of the starter graph."""
    cities = {row["id"]: _names(row) for row in _rows("city")}
    return tuple(Country(_names(row), cities.get(row["capital"], ())) for row in _rows("country"))


@cache
def names_of_countries() -> Mapping[str, tuple[str, ...]]:
    """Return by each folded name of a country all its names."""
    return {fold(name): country.names for country in countries() for name in country.names}


def _rows(table: str) -> list[dict[str, str]]:
    text = files("kg").joinpath("starter", f"{table}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def _names(row: Mapping[str, str]) -> tuple[str, ...]:
    return (row["name"], *filter(None, row["alias"].split("|")))
