"""The requests that a file of items and a setting make, read anew each time, so that they need no memory; some as pages."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, ClassVar

import polars as pl
from msgspec.structs import asdict

from evaluators.errors import PromptError
from evaluators.models import Decoding, Message, Request
from evaluators.models.agent import tool_prompt
from evaluators.models.protocol import Tool
from evaluators.prompts import Prompter
from kg.errors import InputError, nearest
from queries.records import Item, RecordView, Source, read_frame, records_in
from queries.records.io import no_record

Only = Mapping[str, frozenset[str]]

_AGAIN = "has the id of line {first}"
_OF_ITEM = ("task", "variant", "method", "family")


class _AskedItem(RecordView, frozen=True, kw_only=True):
    """What conditions and prompts look at."""

    OF: ClassVar = Item

    id: str
    method: str
    family: str
    task: str
    variant: str
    question: str
    options: list[str] | None = None
    context: str | None = None
    image: str | None = None
    group: str
    strata: dict[str, str | None] = {}  # noqa: RUF012 (msgspec makes a new one for each)


@dataclass(frozen=True, slots=True)
class Prompts:
    """How items of each task are put (`""`: of all others), how their answers are drawn, and what goes before each prompt.

    With a `tool` the model is told of its graph, and may query it.
    """

    prompters: Mapping[str, Prompter]
    decoding: Decoding = field(default_factory=Decoding)
    name: str = ""
    system: str = ""
    tool: Tool | None = None

    def requests(self, item: Mapping[str, Any], samples: int) -> Iterator[Request]:
        """Yield an item's requests.

        Raises PromptError where its task has no setting, or the setting needs what it lacks.
        """
        prompter = self.prompters.get(item["task"]) or self.prompters.get("")
        if prompter is None:
            known = ", ".join(sorted(self.prompters))
            problem = f"{self.name} has no setting for task {item['task']}"
            raise PromptError(problem, place=f"item {item['id']}", way_out=f"it has {known}; add --setting or --only task=...")
        for sample in range(samples):
            yield Request(item["id"], sample, self._led(prompter.messages(item, sample)), self.decoding, self.tool)

    def _led(self, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        """Put the user's system prompt first; a setting's own follows it in the same message."""
        before = [text for text in (self.system, tool_prompt() if self.tool is not None else "") if text]
        if not before:
            return messages
        own = [message.text for message in messages if message.role == "system"]
        rest = (message for message in messages if message.role != "system")
        return (Message("system", "\n\n".join([*before, *own])), *rest)


@dataclass(slots=True)
class Requests:
    """Requests, as often as they are iterated over.

    Parameters: `only` are the values that a stratum, task, variant, method or family may have; `through` the ids that a
    gate let through (None: all). The first time, every line is checked as an item, and ids that repeat are faults: so whoever
    looks through all requests before asking the first meets every fault in time.
    """

    source: Source
    prompts: Prompts
    samples: int = 1
    only: Only = field(default_factory=dict)
    limit: int | None = None
    through: Collection[str] | None = None
    checked: bool = False

    def __iter__(self) -> Iterator[Request]:
        """Yield the requests in the order of the file, the samples of an item together."""
        for item in self.items():
            yield from self.prompts.requests(item, self.samples)

    def items(self) -> Iterator[dict[str, Any]]:
        """Yield the items that are asked."""
        items, count = self._all(), 0
        for item in islice((item for item in items if self._takes(item)), self.limit):
            count += 1
            yield item
        if self.checked:
            return
        for _ in items:  # what the limit leaves out is checked as well
            pass
        if not count:
            raise self._none_left()
        self.checked = True

    def prepare(self) -> None:
        """Let the setting look at all items before the first is asked."""
        for prompter in self.prompts.prompters.values():
            prompter.prepare(self.items())

    def _all(self) -> Iterator[dict[str, Any]]:
        empty = True
        for _, item in records_in(self.source, _AskedItem, checked=not self.checked, again=_AGAIN):
            empty = False
            yield asdict(item)
        if empty:
            raise no_record(Item, self.source.place)

    def _takes(self, item: Mapping[str, Any]) -> bool:
        if self.through is not None and item["id"] not in self.through:
            return False
        return all(_value(item, name) in values for name, values in self.only.items())

    def _none_left(self) -> InputError:
        """Say which of the conditions no item meets."""
        if self.through is not None and not self.through:
            return InputError("the gate lets no item through", place=self.source.place, way_out="look at its verdicts")
        strata: dict[str, set[str]] = {}
        for item in self._all():
            for name in (*_OF_ITEM, *item["strata"]):
                strata.setdefault(name, set()).add(str(_value(item, name)))
        for name, values in self.only.items():
            if name not in strata:
                return InputError(f"no item has '{name}'", place="--only", way_out=nearest(name, strata))
            if not values & strata[name]:
                wrong = min(values)
                return InputError(f"no item has {name}={wrong}", place="--only", way_out=nearest(wrong, strata[name]))
        return InputError("no item meets all conditions", place=self.source.place, way_out="leave out an --only or --gate")


def _value(item: Mapping[str, Any], name: str) -> str | None:
    value: str | None = item[name] if name in _OF_ITEM else item["strata"].get(name)
    return value


def parse_only(given: Collection[str]) -> Only:
    """Read `name=value` conditions: of one name any value will do, all names must be met.

    Raises InputError where there is no `=`.

    >>> parse_only(["task=yes_no", "task=probe"])["task"] == {"yes_no", "probe"}
    True
    """
    only: dict[str, frozenset[str]] = {}
    for condition in given:
        name, equals, value = condition.partition("=")
        if not equals or not name:
            raise InputError(f"'{condition}' is no condition", place="--only", way_out="write --only stratum=value")
        only[name] = only.get(name, frozenset()) | {value}
    return only


def gate_columns(source: Source) -> pl.DataFrame:
    """Read what a gate looks at: id, task, variant and group of all items."""
    return read_frame(source, Item, ["id", "task", "variant", "group"], again=_AGAIN)


def specimens(requests: Requests) -> Iterator[str]:
    """Yield the prompt of the first item of each task and variant, ready to be printed."""
    seen: set[tuple[str, str]] = set()
    for item in requests.items():
        kind = (item["task"], item["variant"])
        if kind not in seen:
            seen.add(kind)
            request = next(requests.prompts.requests(item, 1))
            yield prompt_page(f"{item['task']}, {item['variant']}: {item['id']}", request.messages, request.decoding)


def prompt_page(title: str, messages: tuple[Message, ...], decoding: Decoding = Decoding()) -> str:
    r"""Write messages as a page that no terminal takes for commands; a picture is named.

    >>> print(prompt_page("probe", (Message("user", "Is \x1b[31mit?", image="cup.png"),), Decoding(temperature=0.0)))
    ── probe (temperature 0.0)
    [user] picture: cup.png
    Is  [31mit?
    <BLANKLINE>
    """
    drawing = ", ".join(f"{name} {value}" for name, value in decoding.stated().items())
    lines = [f"── {_clean(title)}{f' ({_clean(drawing)})' if drawing else ''}"]
    for message in messages:
        picture = f" picture: {_clean(message.image[:200])}" if message.image else ""
        lines += [f"[{message.role}]{picture}", _clean(message.text)]
    return "\n".join([*lines, ""])


def _clean(text: str) -> str:
    return "".join(c if c.isprintable() or c == "\n" else " " for c in text)
