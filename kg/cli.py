"""What every command line of ours shares: one line per error, exit codes, progress on stderr.

Exit codes: 0 done, 1 done but something failed its check, 2 the user's input is at fault.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer.core import TyperCommand, TyperGroup

from kg.errors import InputError, one_line
from kg.plugins import Group, load_plugin, plugin_names
from kg.text import harmless

if TYPE_CHECKING:
    from rich.progress import Progress

# Typer brings its own copy of click and exports only the leaf classes; this is the head of their tree.
_UsageFault: type[Exception] = next(
    c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException" and issubclass(c, Exception)
)

Store = Annotated[
    Path | None, typer.Option("--store", help="A folder made by `kg load`, or a bundle. Default: the embedded starter graph.")
]
Endpoint = Annotated[str | None, typer.Option("--endpoint", help="A SPARQL 1.1 endpoint's URL, instead of --store.")]
Out = Annotated[str, typer.Option("--out", help="The file to write; `-` is stdout, `.gz` is compressed.")]
Seed = Annotated[int, typer.Option("--seed", help="Same seed and same data give the same bytes.")]
Timeout = Annotated[float, typer.Option("--timeout", min=0, help="Seconds a stranger's query may take; 0: any number.")]
Memory = Annotated[float, typer.Option("--memory", min=0, help="GiB of memory it may take; 0: any number.")]
ShardOption = Annotated[
    str | None,
    typer.Option("--shard", metavar="I/N", help="Do part I of N, by a hash of the group; `kgprobe merge` joins them."),
]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress bar, no notes.")]


@dataclass(frozen=True)
class Plugins:
    """An entry point group whose names become commands, imported when one is called or help is asked for.

    A plugin is a function with Typer's annotations, or a Typer application; `wrap` makes one of what is neither. `--help` lists
    the names in `first` before all others.
    """

    group: Group
    first: tuple[str, ...] = ()
    wrap: Callable[[Any], Any] | None = None

    def names(self) -> list[str]:
        """List the names, ours in their own order and then the others, sorted."""
        names = plugin_names(self.group)
        return [*(name for name in self.first if name in names), *(name for name in names if name not in self.first)]

    def command(self, name: str) -> Any:
        """Import a plugin as a command; one that cannot be imported becomes a command that says so."""
        try:
            plugin = load_plugin(self.group, name)
        except InputError as error:
            return _broken_command(name, error)
        plugin = self.wrap(plugin) if self.wrap else plugin
        if not isinstance(plugin, typer.Typer):
            app = new_app("")
            app.command(name)(plugin)
            plugin = app
        command = typer.main.get_command(plugin)
        command.name = name
        return command


def _broken_command(name: str, error: InputError) -> Any:
    def fail() -> None:
        raise error

    anything = {"ignore_unknown_options": True, "allow_extra_args": True}
    return TyperCommand(name, callback=fail, help=str(error), context_settings=anything, rich_markup_mode=None)


def _group_with(plugins: Sequence[Plugins]) -> type[TyperGroup]:
    """Make the class of a group of commands that finds plugins too, between its own commands and its own groups."""

    class PluginGroup(TyperGroup):
        def list_commands(self, ctx: Any) -> list[str]:
            offered = [name for offer in plugins for name in offer.names()]
            own = [name for name in super().list_commands(ctx) if name not in offered]
            groups = [name for name in own if hasattr(self.commands[name], "commands")]
            return [*(name for name in own if name not in groups), *offered, *groups]

        def get_command(self, ctx: Any, cmd_name: str) -> Any:
            if cmd_name not in self.commands:
                # All are imported for a name that nobody offers, so that the error can suggest one like it.
                offered = {name: offer for offer in plugins for name in offer.names()}
                wanted = [cmd_name] if cmd_name in offered else [name for name in offered if name not in self.commands]
                self.commands.update((name, offered[name].command(name)) for name in wanted)
            return super().get_command(ctx, cmd_name)

    return PluginGroup


def new_app(help_text: str, *, top: bool = False, plugins: Sequence[Plugins] = ()) -> typer.Typer:
    """Make a Typer application with the project's settings.

    Parameters: `top` adds `--version` and shell completion, which only a console script has; `plugins` are the entry points
    that become its commands.
    """
    app = typer.Typer(
        cls=_group_with(plugins) if plugins else TyperGroup,
        help=help_text,
        add_completion=top,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    )
    if top or plugins:
        app.callback(help=help_text)(_top if top else _nothing)  # without a callback, one command would be no group
    return app


def _nothing() -> None:
    pass


def _print_version(wanted: bool) -> None:
    if wanted:
        try:
            typer.echo(f"kgprobe {version('kgprobe')}")
        except PackageNotFoundError as error:  # run from a source tree
            raise InputError("kgprobe is not installed", way_out="install it with pip") from error
        raise typer.Exit


def _top(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


def run(app: typer.Typer, name: str, args: Sequence[str] | None = None) -> None:
    """Run a command line and end the process: user errors are one line on stderr and exit code 2.

    Without any argument an application of several commands shows its help.
    """
    # At its end Python searches everything for garbage; what ends with the process need not be (0.02 s instead of 0.16).
    atexit.register(gc.freeze)
    given = list(sys.argv[1:] if args is None else args)
    if not given and (len(app.registered_commands) + len(app.registered_groups)) > 1:
        given = ["--help"]
    try:
        _check_text(given)
        code = app(args=given, prog_name=name, standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except InputError as error:
        _stop(str(error), error.exit_code)
    except (typer.Abort, KeyboardInterrupt):
        _stop("interrupted", 130)
    except typer.Exit as stop:
        sys.exit(stop.exit_code)
    except BrokenPipeError:
        # The reader of our output went away (`| head`): not an error of ours, and stdout cannot be flushed any more.
        _silence_stdout()
        sys.exit(0)
    except _UsageFault as error:  # after Exit and Abort, which are not user errors
        asked = getattr(getattr(error, "ctx", None), "command_path", None) or name
        _stop(f"{_plain(getattr(error, 'format_message', error.__str__)())} (see `{asked} --help`)")
    except OSError as error:  # what hinders the machine, wherever it did
        if not error.filename:  # what has no name may be stdout itself
            _silence_stdout()
        place = f"{error.filename}: " if error.filename else ""
        _stop(f"{place}{error.strerror or error}; check the path, and whether there is room")
    except RecursionError:
        _stop("something in the input is nested too deeply; make it flatter")
    sys.exit(code if isinstance(code, int) else 0)


def _plain(message: str) -> str:
    """Say what is wrong with an option's value without the words of the library that checks values.

    >>> _plain("Invalid value for '--tools': Value error, 'cypher' is not one of 'sparql'.")
    "Invalid value for '--tools': 'cypher' is not one of 'sparql'."
    >>> _plain("Invalid value for '--n': Input should be greater than or equal to 1")
    "Invalid value for '--n': it should be greater than or equal to 1"
    """
    return re.sub(r": Input should be\b", ": it should be", re.sub(r": (?:Value|Assertion) error, ", ": ", message))


def _check_text(given: Sequence[str]) -> None:
    for text in given:
        try:
            text.encode()
        except UnicodeEncodeError:
            shown = text.encode(errors="surrogateescape").decode(errors="replace")
            raise InputError("is not UTF-8", place=f"'{shown}'", way_out="write it, or name the file, in UTF-8") from None


def _silence_stdout() -> None:
    """Lead what is left for stdout nowhere: it cannot be written, and Python tries again as it ends."""
    os.dup2(os.open(os.devnull, os.O_RDWR), sys.stdout.fileno())


def _stop(message: str, code: int = 2) -> None:
    print(f"error: {one_line(message)}", file=sys.stderr)
    sys.exit(code)


def fail_check() -> typer.Exit:
    """Return what a command raises when it is done but something failed its check (exit code 1)."""
    return typer.Exit(1)


def note(text: str, quiet: bool = False) -> None:
    """Print a note for people to stderr; what else than line breaks could steer a terminal is shown as a sign."""
    if not quiet:
        print("\n".join(map(harmless, text.split("\n"))), file=sys.stderr)


@contextlib.contextmanager
def progress(
    what: str, total: int | None, quiet: bool = False, *, of: Literal["things", "bytes", "time"] = "things"
) -> Iterator[Progress]:
    """Show a progress bar on stderr, of things, bytes, or time alone; nothing when stderr is no terminal or with `quiet`."""
    from rich import progress as rich
    from rich.console import Console

    console = Console(stderr=True)
    counted: dict[str, list[rich.ProgressColumn]] = {
        "things": [rich.MofNCompleteColumn()],
        "bytes": [rich.DownloadColumn(), rich.TransferSpeedColumn()],
        "time": [],
    }
    columns = (rich.TextColumn("{task.description}"), rich.BarColumn(), *counted[of], rich.TimeElapsedColumn())
    with rich.Progress(*columns, console=console, disable=quiet or not console.is_terminal, transient=True) as bar:
        bar.add_task(what, total=total)
        yield bar
