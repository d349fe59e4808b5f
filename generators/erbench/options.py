"""The options of the command by what they are about, each written down once: what is asked of a database, how, and which files.

```
>>> Asked(tasks="open,choice").wanted, Asked(open_book=True).wanted
(['open', 'choice'], ['open'])

```
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, is_dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from evaluators.models.runs import Terms, beside
from evaluators.models.runs.terms import options_of
from generators.erbench.catalog import Catalog
from generators.family import Options
from generators.family.query import read_shares
from generators.making import MakingParts
from generators.writer import Writer, open_writer
from kg.cli import Seed
from kg.errors import InputError, nearest
from kg.graph import Graph
from queries.records.shards import WHOLE, Shard

_TASKS = ("open", "yes_no", "choice", "probe")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What of a database may be asked, and in which words."""

    hops: Annotated[int, typer.Option(min=1, max=5, help="How many values lie on the way to an answer, at most.")] = 3
    personal: Annotated[bool, typer.Option("--personal", help="Ask about private matters, too: contact, pay, health.")] = False
    numbered: Annotated[bool, typer.Option("--numbered", help="Ask about rows without a name, too, by their number.")] = False
    all_wordings: Annotated[
        bool, typer.Option("--all-wordings", help="Ask also what a person would not surely put in these words.")
    ] = False
    negated: Annotated[
        bool, typer.Option("--negated/--no-negated", help='Deny what is claimed, too: "Is it true that X is not ...?".')
    ] = False
    about: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help='Of what the database is, said in every question: "the Chinook shop", "at Marlow University". Without it, '
            "the database is named where a row is an invoice, a customer or the like.",
        ),
    ] = None
    link: Annotated[
        list[str] | None,
        typer.Option(metavar="TABLE.COLUMN=TABLE", help="A foreign key that the database does not declare; may be repeated."),
    ] = None
    call: Annotated[
        list[str] | None,
        typer.Option(metavar="TABLE=NOUN", help='What a row of a table is: "lt_mst=lighthouse"; may be repeated.'),
    ] = None
    declared_only: Annotated[
        bool, typer.Option("--declared-only", help="Follow declared foreign keys alone, not those that the values show.")
    ] = False

    def catalog(self, graph: Graph, database: str) -> Catalog:
        """Read what a graph of rows offers to ask; `database` is what it is called."""
        return Catalog(
            graph,
            personal=self.personal,
            numbered=self.numbered,
            about=self.about,
            database=database,
            declared_only=self.declared_only,
            links=self.link or (),
            calls=self.call or (),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How many items are made, of which tasks, with what beside them."""

    n: Annotated[int, typer.Option(min=1, max=2**53, help="How many facts of each family.")] = 50
    none_share: Annotated[
        str, typer.Option(metavar="SHARE[,SHARE...]", help='In what share of choices "None of the above" is right.')
    ] = "0"
    tasks: Annotated[
        str, typer.Option(metavar="TASK[,TASK...]", help="What is asked; without `probe`, no probes go along.")
    ] = ",".join(_TASKS)
    open_book: Annotated[
        bool, typer.Option("--open-book", help="Give each short question its row among others, as a passage; ask nothing else.")
    ] = False
    exemplars: Annotated[str | None, typer.Option(metavar="FILE", help="Write demonstrated answers, of rows not asked.")] = None
    passages: Annotated[str | None, typer.Option(metavar="FILE", help="Write background on the rows asked.")] = None
    limit: Annotated[
        int | None, typer.Option(min=1, max=2**53, help="Write at most so many items, evenly of all families.")
    ] = None
    seed: Seed = 0

    @property
    def wanted(self) -> list[str]:
        """Which tasks are asked. Raises InputError where one is none, or where nothing is left to ask."""
        wanted = [task.strip() for task in self.tasks.split(",") if task.strip()]
        if unknown := next((task for task in wanted if task not in _TASKS), None):
            raise InputError(f"there is no task '{unknown}'", place="--tasks", way_out=nearest(unknown, _TASKS))
        if not {*wanted} - {"probe"}:
            raise InputError("probes go with other questions", place="--tasks", way_out="name open, yes_no or choice, too")
        if self.open_book and "open" not in wanted:
            raise InputError("a passage goes with short questions", place="--open-book", way_out="name open in --tasks")
        return ["open"] if self.open_book else wanted

    @property
    def side_files(self) -> dict[str, str | None]:
        """The files of exemplars and passages."""
        return {"exemplars": self.exemplars, "passages": self.passages}

    def options(self, writers: dict[str, str], shard: Shard = WHOLE) -> Options:
        """Return how families are asked; `writers` names by family who worded it; `shard` is the part that is made."""
        shares = read_shares(self.none_share)
        told, shown = bool(self.passages), bool(self.exemplars)
        asked = Options(self.n, self.seed, shares, exemplars=shown, passages=told, open_book=self.open_book)
        return replace(asked, writers=writers, shard=shard)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wordings:
    """Who words the families, where that is no rule."""

    writer: Annotated[str | None, typer.Option(help="A model that words each family, checked; else rules do.")] = None
    tries: Annotated[int, typer.Option(min=1, help="How often the writer is asked for texts that can be used.")] = 2
    recording: Annotated[str | None, typer.Option(help="The file of its answers [default: OUT.writer.jsonl].")] = None

    def check(self, terms: Terms) -> None:
        """Refuse what is said of a writer where there is none."""
        terms.check_used(self.writer, "--writer")
        if self.recording and self.writer is None:
            raise InputError("there are no answers to record", place="--recording", way_out="add --writer MODEL")

    def open(self, path: str, terms: Terms, *, quiet: bool) -> Writer | None:
        """Open the writer, where there is one."""
        if self.writer is None:
            return None
        return open_writer(self.writer, self.tries, self.recording or beside(path, "writer"), terms, quiet=quiet)


@dataclass(frozen=True, slots=True, kw_only=True)
class Folders:
    """What is kept of the families, and what is read of them."""

    refusals: Annotated[str | None, typer.Option(metavar="FILE", help="Write what is not asked, and why, as CSV.")] = None
    families: Annotated[Path | None, typer.Option(help="A new folder for the proposed .rq files.")] = None
    check: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Ask nothing; check the texts of its families, which you edited.")
    ] = None


_OTHERS = (Terms, MakingParts)
"""Records that other decorators put in."""
Command = TypeVar("Command", bound=Callable[..., Any])


def with_options(command: Command) -> Command:
    """Give a command the fields of its parameters that are records of options, in their place."""
    whole = inspect.signature(command, eval_str=True)
    kinds = {name: parameter.annotation for name, parameter in whole.parameters.items()}
    records = {
        name: kind for name, kind in kinds.items() if isinstance(kind, type) and is_dataclass(kind) and kind not in _OTHERS
    }
    fields = {name: options_of(record) for name, record in records.items()}

    @wraps(command)
    def filled(*args: Any, **given: Any) -> Any:
        made = {name: records[name](**{o.name: given.pop(o.name) for o in options}) for name, options in fields.items()}
        return command(*args, **given, **made)

    own = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for name, p in whole.parameters.items() if name not in records]
    parameters = [*own, *(option for options in fields.values() for option in options)]
    # Typer reads a command's options from its signature.
    vars(filled)["__signature__"] = whole.replace(parameters=parameters)
    vars(filled)["__annotations__"] = {parameter.name: parameter.annotation for parameter in parameters}
    return filled  # type: ignore[return-value]
