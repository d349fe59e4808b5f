"""What an answer costs, from a table that everybody can edit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from kg.errors import InputError
from kg.files import read_bytes
from kg.formats import parse_toml
from queries.records.response import Usage

_FILE = Path(__file__).with_name("prices.toml")
_VERSION = re.compile(r"-(\d{4}-?\d{2}-?\d{2}|latest)")

_Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Price(BaseModel):
    """US dollars for a million tokens of a model, who says so, and when."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str
    input: _Dollars
    output: _Dollars
    cached: _Dollars | None = None
    source: str = ""
    date: str = ""

    def halved(self) -> Price:
        """Return the price of a batch: half of it, with both providers.

        >>> Price(model="openai:m", input=2, output=10).halved().output
        5.0
        """
        cached = None if self.cached is None else self.cached / 2
        return self.model_copy(update={"input": self.input / 2, "output": self.output / 2, "cached": cached})

    def of(self, usage: Usage | None) -> float | None:
        """Return the price of an answer; None where its tokens were not counted.

        >>> Price(model="openai:m", input=2, output=10, cached=1).of(Usage(input=1000, output=100, cached=500))
        0.0025
        """
        if usage is None or usage.input is None or usage.output is None:
            return None
        reread = min(usage.cached or 0, usage.input)
        price_reread = self.input if self.cached is None else self.cached
        usd = (usage.input - reread) * self.input + reread * price_reread + usage.output * self.output
        return round(usd / 1e6, 9)  # a billionth of a dollar: records show no digits that only floats have


class _PriceTable(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    price: list[Price] = Field(default_factory=list)


def read_prices(path: str | None = None) -> list[Price]:
    """Read the prices that come with this room, after those of a file of the user's.

    Raises InputError where the file is no such table.

    >>> all(price.source and price.date for price in read_prices())
    True
    """
    return [*(_read(path) if path else ()), *_read(str(_FILE))]


def _read(path: str) -> list[Price]:
    way_out = "write [[price]] tables with model, input and output, as evaluators/models/prices.toml has them"
    try:
        return _PriceTable.model_validate(parse_toml(read_bytes(path), path, way_out=way_out)).price
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InputError(f"'{where}': {first['msg']}", place=path, way_out=way_out) from None


def find_price(prices: Sequence[Price], model: str) -> Price | None:
    """Return the first price under a model's name, or under its name without the date.

    >>> table = [Price(model="openai:m", input=2, output=10)]
    >>> find_price(table, "openai:m-2025-04-14").input, find_price(table, "openai:m-mini")
    (2.0, None)
    """
    for price in prices:
        rest = model.removeprefix(price.model)  # "openai:m-mini" begins with "openai:m" and is another model
        if model.startswith(price.model) and (not rest or _VERSION.fullmatch(rest)):
            return price
    return None
