"""Items with the prompts that a setting makes of them: what every harness is given, in its own words."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from evaluators.ask import AskOptions, planned_requests
from evaluators.models import Message
from kg.errors import InputError
from queries.records import Item, readable, records_in

UNKNOWN = "(nobody knows)"
"""What stands as the answer where nobody knows it: a harness wants a text there."""


class Sample(NamedTuple):
    """An item, as its line has it, and the prompt that asks it.

    `answers` are the accepted answers, the best first; of a choice the numbers of its options.
    """

    item: dict[str, Any]
    messages: tuple[Message, ...]

    @property
    def id(self) -> str:
        """The item's id."""
        return str(self.item["id"])

    @property
    def prompt(self) -> str:
        """The prompt as one text, for a harness without turns."""
        return "\n\n".join(message.text for message in self.messages)

    @property
    def answers(self) -> list[str]:
        """The accepted answers as texts, never none."""
        return [str(answer) for answer in self.item.get("answer") or ()] or [UNKNOWN]

    @property
    def strata(self) -> dict[str, str]:
        """What results are sliced by: task, variant, family and method, and the item's own strata."""
        own = {name: value for name, value in self.item.get("strata", {}).items() if value is not None}
        return {name: self.item[name] for name in ("task", "variant", "family", "method")} | own

    def turns(self) -> list[dict[str, str]]:
        """Return the prompt as a chat has it: roles and texts."""
        return [{"role": message.role, "content": message.text} for message in self.messages]


def read_samples(options: AskOptions) -> list[Sample]:
    """Return the items of a file with their prompts, as `ask` would send them.

    Parameters: of the options `items`, `setting` or `preset`, `exemplars`, `passages`, `only`, `limit` and `system` count.
    Raises RecordError with file and line, PromptError where a setting needs what an item lacks, InputError where an item has a
    picture: none of the harnesses' files can hold one.
    """
    requests = {request.item: request.messages for request in planned_requests(options)}
    with readable(options.items) as source:
        lines = ((record.id, line) for line, record in records_in(source, Item))
        items = {name: json.loads(line.text) for name, line in lines if name in requests}
    return [Sample(items[name], _without_pictures(name, messages)) for name, messages in requests.items()]


def _without_pictures(item: str, messages: tuple[Message, ...]) -> tuple[Message, ...]:
    if any(message.image for message in messages):
        way_out = "leave such items out with --only, or ask them with `kgprobe ask`"
        raise InputError("has a picture, which cannot be exported", place=f"item {item}", way_out=way_out)
    return messages
