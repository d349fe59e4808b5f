"""A model that may query a graph before it answers: its queries are run, and it is asked again with what they returned.

```
python -m evaluators.ask items.jsonl --model openai:some-model --tools sparql --store ./wd --out responses.jsonl
```

What it looked up stands in the `trace` of its response. The queries run in `queries.sandbox`: they only read, and each is cut
at a limit of time, rows and memory, which the model is told.
"""

from __future__ import annotations

import asyncio
import json
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

from msgspec import structs

from evaluators.models.opening import Named
from evaluators.models.protocol import Call, Called, Model, Reply, Request, Tool
from kg import LocalGraph
from kg.output import short
from queries.records.response import Lookup, Trace, Usage
from queries.sandbox import Limits, Sandbox

_TOGETHER = 5
"""Queries of one turn that are run; the others are refused."""
_CELL = 300
"""Characters of a value that a model is shown."""


@cache
def _wording() -> dict[str, dict[str, str]]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def sparql_tool(limits: Limits = Limits(), rounds: int = 8) -> Tool:
    """Return the tool `query`, as it is offered to a model.

    >>> sparql_tool().name, sparql_tool().schema["required"]
    ('query', ['sparql'])
    """
    words = _wording()["query"]
    description = words["description"].strip().format(seconds=f"{limits.seconds:g}", rows=limits.rows)
    return Tool("query", description, words["argument"], words["meaning"], rounds)


def tool_prompt() -> str:
    """Return what a model is told of the graph, before the question."""
    return _wording()["system"]["text"].strip()


class Agent(Named):
    """A model with a graph.

    Parameters: `graph` is the digest of the store that is queried, or the address of an endpoint; `base` what relative IRIs are
    resolved against. Of a request without a tool nothing is changed but that its reply has an empty trace.
    """

    def __init__(self, model: Model, sandbox: Sandbox, graph: str, base: str | None = None) -> None:
        super().__init__(model, model.name)
        self.sandbox, self.graph, self.base = sandbox, graph, base

    @classmethod
    def over(cls, model: Model, sandbox: Sandbox) -> Agent:
        """Give a model the graph of a sandbox. Raises StoreError and InputError as opening that graph does."""
        graph = sandbox.where.open()
        return cls(model, sandbox, graph.digest() if isinstance(graph, LocalGraph) else graph.name, graph.base)

    @property
    def identity(self) -> str:
        """What tells the model with this graph from all others."""
        return f"{super().identity} queries {self.graph} within {self.sandbox.limits}"

    async def ask(self, request: Request) -> Reply:
        """Ask, run the queries that come back, and ask again, until there is an answer or no round is left."""
        replies, lookups = [await self.model.ask(request)], list[Lookup]()
        while replies[-1].calls and not request.closed:
            results = [await self._result(n, call, request.tool, lookups) for n, call in enumerate(replies[-1].calls)]
            request = replace(request, called=(*request.called, Called(replies[-1].turn, tuple(results))))
            replies.append(await self.model.ask(request))
        return self._answer(replies, lookups)

    async def _result(self, n: int, call: Call, tool: Tool | None, lookups: list[Lookup]) -> tuple[str, str]:
        """Run one query of a turn and take note of it; return the call's id and what the model is told."""
        assert tool is not None
        query = _argument(call, tool)
        if query is None:
            lookup = Lookup(query=call.arguments, error=f"is no call of {tool.name}({tool.argument}: string)")
        elif n >= _TOGETHER:
            lookup = Lookup(query=query, error=f"was not run: {_TOGETHER} queries at a time are enough")
        else:
            lookup = await asyncio.to_thread(self.sandbox.look_up, query)
        lookups.append(_within(lookup, tool.longest))
        return call.id, result_text(lookups[-1])

    def _answer(self, replies: Sequence[Reply], lookups: list[Lookup]) -> Reply:
        """Return the last reply, with the tokens and the time of all."""
        last = replies[-1]
        seconds = [reply.seconds for reply in replies if reply.seconds is not None]
        return replace(
            last, calls=(), turn=None, usage=_total([reply.usage for reply in replies if reply.usage is not None]),
            seconds=round(sum(seconds), 3) if seconds else None,
            trace=last.trace or (Trace(self.graph, lookups, self.base) if last.error is None else None),
        )  # fmt: skip


def _argument(call: Call, tool: Tool) -> str | None:
    """Return the argument of a call; null where it calls something else, or with something else."""
    try:
        given: Any = json.loads(call.arguments)
    except ValueError:
        return None
    value = given.get(tool.argument) if isinstance(given, dict) else None
    return value if call.name == tool.name and isinstance(value, str) else None


def _total(usages: Sequence[Usage]) -> Usage | None:
    """Add up tokens and dollars; what nobody counted stays null.

    >>> _total([Usage(input=3, output=1), Usage(input=5, output=2)])
    Usage(input=8, output=3, cached=None, usd=None, reasoning=None)
    """
    if not usages:
        return None
    sums = {}
    for name in Usage.__struct_fields__:
        counted = [value for usage in usages if (value := getattr(usage, name)) is not None]
        sums[name] = sum(counted) if counted else None
    return Usage(**sums)


def _within(lookup: Lookup, longest: int) -> Lookup:
    """Leave out the rows that are too many characters for the model: what it was not shown is not in its trace."""
    ends = accumulate(len(_line(row)) + 1 for row in lookup.rows)
    shown = sum(end <= longest for end in ends)
    return lookup if shown == len(lookup.rows) else structs.replace(lookup, rows=lookup.rows[:shown], more=True)


def result_text(lookup: Lookup) -> str:
    r"""Return what a model is told of a query: rows with tabs between the terms, a truth, or what was wrong.

    >>> result_text(Lookup(query="", columns=["a"], rows=[["<http://www.wikidata.org/entity/Q42>"]], more=True))
    '?a\nwd:Q42\n(there are more rows: ask for less)'
    """
    if lookup.error is not None:
        return f"error: {lookup.error}"
    if lookup.truth is not None:
        return "true" if lookup.truth else "false"
    if not lookup.rows and not lookup.more:
        return "no rows"
    lines = ["\t".join(f"?{name}" for name in lookup.columns), *map(_line, lookup.rows)]
    return "\n".join([*lines, *(["(there are more rows: ask for less)"] if lookup.more else [])])


def _line(row: Sequence[str]) -> str:
    return "\t".join(map(_shown, row))


def _shown(term: str) -> str:
    """Write a term as the model may write it in its next query."""
    text, mark, datatype = term.rpartition('"^^')
    written = f"{text}{mark}{short(datatype, None)}" if mark or term.startswith("<") else term
    return written if len(written) <= _CELL else f"{written[:_CELL]}…"
