"""What the project and other packages add to it by entry points: sources, generators, models, metrics.

A package that declares `[project.entry-points."kgprobe.sources"]` with `csvw = "its_module:csvw"` gives those who install it
`kg load csvw`. The project's own parts are found in the same way: nothing of ours can do what a plugin cannot.
"""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal

from kg.errors import InputError, nearest

Group = Literal["sources", "generators", "models", "metrics", "verbs", "template_verbs"]
"""The last two hold what upper rooms add to a command line: to `kg` (`kg audit`) and to `python -m queries` (`preview`)."""

_OURS = "kgprobe"


def plugin_names(group: Group) -> list[str]:
    """List the names that a group offers, sorted.

    >>> "tables" in plugin_names("sources")
    True
    """
    return sorted(_offers(group))


def load_plugin(group: Group, name: str) -> Any:
    """Import what a name of a group stands for.

    Raises InputError where the group has no such name, or the package that offers it cannot be imported.

    >>> load_plugin("sources", "tables").__name__
    'tables'
    >>> load_plugin("sources", "table")
    Traceback (most recent call last):
    kg.errors.InputError: there is no 'table' among the sources; did you mean 'tables'?
    """
    offers = _offers(group)
    if name not in offers:
        raise InputError(f"there is no '{name}' among the {group}", way_out=nearest(name, offers))
    return _loaded(offers[name])


def load_plugins(group: Group) -> dict[str, Any]:
    """Import what every name of a group stands for; the names are sorted.

    One look through the installed packages (5 to 10 ms) serves all names.

    Raises InputError where a package that offers one cannot be imported.

    >>> load_plugins("sources")["tables"].__name__
    'tables'
    """
    return {name: _loaded(offer) for name, offer in sorted(_offers(group).items())}


def _loaded(offer: EntryPoint) -> Any:
    try:
        return offer.load()
    except Exception as error:  # whatever a foreign package does at import
        raise _broken(offer, error) from error


def _offers(group: Group) -> dict[str, EntryPoint]:
    """Return the entry points by name; where two packages offer one name, ours counts."""
    offers = sorted(entry_points(group=f"kgprobe.{group}"), key=lambda offer: _package(offer) == _OURS)
    return {offer.name: offer for offer in offers}


def _package(offer: EntryPoint) -> str:
    return offer.dist.name if offer.dist else "?"


def _broken(offer: EntryPoint, error: Exception) -> InputError:
    problem = f"'{offer.name}' of the package {_package(offer)} cannot be imported ({type(error).__name__}: {error})"
    return InputError(problem, way_out=f"mend or uninstall {_package(offer)}")
