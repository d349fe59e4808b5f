"""On which terms a model is asked: what is sent with each request, how fast, and for how much money.

Whoever asks a model, for answers, judgements or wordings, takes the same options and keeps to them by the same code.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_type_hints

import typer

from evaluators.errors import Terminated
from evaluators.models import Model, Request, open_model
from evaluators.models.parameters import parse_parameters
from kg.errors import InputError

if TYPE_CHECKING:
    from evaluators.models.prices import Price

Command = TypeVar("Command", bound=Callable[..., Any])

REPLAY = "replay:"
"""How the names of recordings begin: their answers cost nothing."""

_PARAM = "NAME=VALUE: a parameter of the server's own, such as reasoning_effort=low or thinking.budget_tokens=2000"
_HEADER = "NAME=VALUE: a header of each request; `env:VARIABLE` is a value from the environment"
_BUDGET = "US dollars that the model's answers may cost, those in its file included"


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """On which terms a model is asked; each field is an option of every command that asks one, with its help.

    >>> Terms(param=["reasoning_effort=low"]).parameters
    (('reasoning_effort', '"low"'),)
    """

    param: Annotated[list[str] | None, typer.Option(help=_PARAM)] = None
    header: Annotated[list[str] | None, typer.Option(help=_HEADER)] = None
    concurrency: Annotated[int, typer.Option(min=1, max=1000, help="requests under way at the same time")] = 8
    rpm: Annotated[float | None, typer.Option(min=0.01, help="requests a minute")] = None
    tpm: Annotated[float | None, typer.Option(min=1, help="tokens a minute, in and out, as the server counts them")] = None
    timeout: Annotated[float, typer.Option(min=0.01, help="seconds that a whole answer may take")] = 300.0
    prices: Annotated[str, typer.Option(help="a table of prices that goes before evaluators/models/prices.toml")] = ""
    budget: Annotated[float | None, typer.Option(min=0.0, help=_BUDGET)] = None
    batch: Annotated[bool, typer.Option("--batch", help="submit all at once: within a day, at half the price")] = False
    poll: Annotated[float, typer.Option(min=0.01, help="seconds between two looks at a batch")] = 30.0

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """The server's own parameters. Raises InputError where one is none."""
        return parse_parameters(self.param or ())

    def open(self, spec: str, alias: str = "", tries: int = 5) -> Model:
        """Open a model. Raises ModelError and InputError as `open_model` does, and where a header is none."""
        from evaluators.models.faults import Patience  # here: who asks no model need not wait for asyncio

        patience = Patience(tries=tries, timeout=self.timeout, rpm=self.rpm, tpm=self.tpm)
        return open_model(spec, patience, _headers(self.header or ()), alias)

    def price(self, spec: str) -> Price | None:
        """Return the price of a model, half of it for batches; null where it is not known.

        Raises InputError where it is not known and a budget needs it.
        """
        from evaluators.models.prices import find_price, read_prices

        price = find_price(read_prices(self.prices or None), spec)
        if self.budget is not None and price is None and not spec.startswith(REPLAY):
            problem = f"the price of '{spec}' is not known"
            raise InputError(problem, place="--budget", way_out="write it into a file for --prices")
        return price.halved() if price and self.batch else price

    def on(self, request: Request) -> Request:
        """Return a request with the server's own parameters; they are part of its name, since they shape the answer.

        >>> plain = Request("judge.short.0", 0, ())
        >>> Terms().on(plain) == plain, Terms(param=["effort=low"]).on(plain).item
        (True, 'judge.short.0.167c7f21')
        """
        others = self.parameters
        if not others:
            return request
        named = hashlib.sha256(json.dumps(others).encode()).hexdigest()[:8]
        decoding = replace(request.decoding, others=(*request.decoding.others, *others))
        return replace(request, item=f"{request.item}.{named}", decoding=decoding)

    def check_used(self, model: str | None, option: str) -> None:
        """Raise InputError where terms are set and no model is asked."""
        for field in fields(Terms) if model is None else ():
            if getattr(self, field.name) != field.default:
                raise InputError("is for a model, and none is asked", place=f"--{field.name}", way_out=f"add {option} MODEL")


@contextmanager
def ended_by_signal() -> Iterator[None]:
    """End a command that SIGTERM ended with the code of that signal: Typer takes it for Ctrl-C."""
    try:
        yield
    except Terminated:
        raise typer.Exit(Terminated.exit_code) from None


def options_of(record: type) -> list[inspect.Parameter]:
    """Return the fields of a record of options as parameters of a command, so that none is written down twice.

    >>> [option.name for option in options_of(Terms)][:2]
    ['param', 'header']
    """
    hints = get_type_hints(record, include_extras=True)  # each in the module that writes it, which `inspect` alone does not
    return [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[name])
        for name, parameter in inspect.signature(record).parameters.items()
    ]


def with_terms(command: Command) -> Command:
    """Give a command the options of `Terms` in place of its parameter `terms`."""
    whole = inspect.signature(command, eval_str=True)
    options = options_of(Terms)

    @wraps(command)
    def asking(*args: Any, **given: Any) -> Any:
        terms = Terms(**{option.name: given.pop(option.name) for option in options})
        with ended_by_signal():
            return command(*args, **given, terms=terms)

    own = [parameter for parameter in whole.parameters.values() if parameter.name != "terms"]
    named = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own]
    # Typer reads a command's options from its signature.
    vars(asking)["__signature__"] = whole.replace(parameters=[*named, *options])
    vars(asking)["__annotations__"] = {parameter.name: parameter.annotation for parameter in (*named, *options)}
    return asking  # type: ignore[return-value]


def _headers(given: Collection[str]) -> dict[str, str]:
    """Read `NAME=VALUE` headers. Raises InputError, without the value, where one is none."""
    headers: dict[str, str] = {}
    for text in given:
        name, sign, value = (
            (part.strip() for part in re.split("([=:])", text, maxsplit=1)) if re.search("[=:]", text) else ("", "", "")
        )
        if value.startswith("env:"):
            value = os.environ.get(value.removeprefix("env:"), "").strip()
        if not re.fullmatch(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+", name) or not sign or not value.isascii() or not value.isprintable():
            problem = f"'{name}' is no header" if name else "is no header"
            raise InputError(problem, place="--header", way_out="write NAME=VALUE, or NAME=env:VARIABLE")
        if not value:
            raise InputError(f"'{name}' has no value", place="--header", way_out="set the variable that it names")
        headers[name.lower()] = value
    return headers
