"""Which graph a command reads: the options that all commands share, and the one place where they become a graph."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_type_hints

import typer

import kg
from kg import cli
from kg.graph import Graph
from kg.patch import patched, read_patch, remarks

Command = TypeVar("Command", bound=Callable[..., Any])

_FIXES = "Facts (Turtle) that are read as if the graph had them; several times for several files."
_WRONG = "Facts (Turtle) that are read as if the graph had them not."


@dataclass(frozen=True, kw_only=True)
class GraphChoice:
    """A store, an endpoint or the starter graph, and what is mended in it; each field is an option of the command.

    >>> GraphChoice().open().name
    'kgp:graph/starter'
    """

    store: cli.Store = None
    endpoint: cli.Endpoint = None
    fixes: Annotated[list[Path] | None, typer.Option("--with", metavar="FIXES.ttl", help=_FIXES)] = None
    wrong: Annotated[list[Path] | None, typer.Option("--without", metavar="WRONG.ttl", help=_WRONG)] = None

    @property
    def mended(self) -> bool:
        """Say whether facts are put beside the graph, or taken out of it."""
        return bool(self.fixes or self.wrong)

    @property
    def named(self) -> bool:
        """Say whether a graph is named; else it is the starter graph."""
        return self.store is not None or self.endpoint is not None

    def running(self) -> AbstractContextManager[object]:
        """Return what is around the command while it runs."""
        return nullcontext()

    def unmended(self) -> Graph:
        """Open the graph as it is stored. Raises what `kg.open_graph` raises."""
        return kg.open_graph(self.store, self.endpoint)

    def open(self) -> Graph:
        """Open the graph, mended where that is asked for; what a patch states for nothing is told on stderr.

        Raises what `kg.open_graph` raises, and SourceError where a patch cannot be read.
        """
        return self.mend(self.unmended())

    def mend(self, graph: Graph) -> Graph:
        """Return a graph, mended where that is asked for. Raises SourceError where a patch cannot be read."""
        if not self.mended:
            return graph
        patch = read_patch(self.fixes or (), self.wrong or (), graph.base)
        mended = patched(graph, patch)
        for remark in remarks(graph, patch):
            cli.note(f"note: {remark}")
        return mended


def _kind(parameter: inspect.Parameter) -> type[GraphChoice] | None:
    kind = parameter.annotation
    return kind if isinstance(kind, type) and issubclass(kind, GraphChoice) else None


def with_graph(command: Command) -> Command:
    """Give a command the options of a `GraphChoice`, or of a class derived from it, in place of its parameter of that type."""
    whole = inspect.signature(command, eval_str=True)
    name, kind = next((parameter.name, kind) for parameter in whole.parameters.values() if (kind := _kind(parameter)))
    hints = get_type_hints(kind, include_extras=True)
    options = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[field])
        for field, parameter in inspect.signature(kind).parameters.items()
    ]

    @wraps(command)
    def reading(*args: Any, **given: Any) -> Any:
        choice = kind(**{option.name: given.pop(option.name) for option in options})
        with choice.running():
            return command(*args, **given, **{name: choice})

    shown = list[inspect.Parameter]()
    for parameter in whole.parameters.values():
        named = parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        shown += options if parameter.name == name else [named]
    # Typer reads a command's options from its signature.
    vars(reading)["__signature__"] = whole.replace(parameters=shown)
    vars(reading)["__annotations__"] = {parameter.name: parameter.annotation for parameter in shown}
    return reading  # type: ignore[return-value]
