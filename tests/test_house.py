"""The house as a whole: public faces, examples that run, help on every command, and nothing at the top that does not belong."""

from __future__ import annotations

import ast
import doctest
import importlib
import pkgutil
from pathlib import Path
from types import ModuleType

import pytest
import typer
from typer.testing import CliRunner

from generators.cli import app
from kg import open_graph
from kg_command import command_paths
from queries.templates import find, names

ROOMS = ("kg", "queries", "generators", "evaluators")
TOP = {*ROOMS, "tests", "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "CITATION.cff"}
DOTTED = {".ci", ".docker", ".docs", ".github", ".gitignore", ".pre-commit-config.yaml"}
ROOT = Path(__file__).resolve().parents[1]


def _modules() -> list[str]:
    found = []
    for room in ROOMS:
        package = importlib.import_module(room)
        found += [room, *(m.name for m in pkgutil.walk_packages(package.__path__, f"{room}."))]
    return found


_EXTRAS = {"evals", "inspect_ai"}
"""Packages of another harness, which only the module that speaks to it imports."""


def _imported(name: str) -> ModuleType:
    """Import a module; skip where it is made for a harness that is not installed."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name not in _EXTRAS:
            raise
        pytest.skip(f"{error.name} is not installed")


@pytest.mark.parametrize("name", _modules())
def test_the_examples_in_the_docstrings_run(name: str) -> None:
    module = _imported(name)
    result = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert result.failed == 0


@pytest.mark.parametrize("name", _modules())
def test_a_module_says_what_it_is_for_and_what_it_offers(name: str) -> None:
    module = _imported(name)
    assert module.__doc__, f"{name} has no docstring"
    for public in getattr(module, "__all__", []):
        assert hasattr(module, public), f"{name} does not have {public}"


def _commands(app: typer.Typer) -> list[tuple[str, ...]]:
    return list(command_paths(typer.main.get_command(app)))


def test_a_module_that_is_run_has_all_its_names_by_then() -> None:
    """What stands behind `if __name__ == "__main__"` is not there yet when the module is run."""
    behind: dict[str, list[ast.stmt]] = {}
    for path in (path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        body = ast.parse(path.read_text("utf-8")).body
        runs = [n for n, part in enumerate(body) if isinstance(part, ast.If) and "__name__" in ast.unparse(part.test)]
        behind |= {str(path): body[n + 1 :] for n in runs if body[n + 1 :]}
    assert not behind


@pytest.mark.parametrize("command", _commands(app), ids=" ".join)
def test_every_command_has_help_with_an_example(command: tuple[str, ...]) -> None:
    result = CliRunner().invoke(app, [*command, "--help"])
    assert result.exit_code == 0
    assert any(word in result.output for word in ("kg ", "python -m ", "kgprobe ")), result.output


def test_the_readme_names_every_command() -> None:
    readme = (ROOT / "README.md").read_text()
    for command in _commands(app):
        assert f"kgprobe {command[0]}" in readme


def test_nothing_else_lies_at_the_top() -> None:
    import subprocess

    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    assert {name.split("/")[0] for name in listed.stdout.splitlines()} - TOP <= DOTTED


def test_no_merge_is_left_half_done() -> None:
    import subprocess

    found = subprocess.run(["git", "grep", "-nE", "^(<{7}|>{7}) "], cwd=ROOT, capture_output=True, text=True, check=False)
    if found.returncode > 1:
        pytest.skip("not a git checkout")
    assert not found.stdout


# What a query of the library needs to be run on the starter graph.
BASE = "https://w3id.org/kgprobe/starter/"
AUSTRIA, VIENNA, OSLO = (f"<{BASE}{name}>" for name in ("country/id=austria", "city/id=vienna", "city/id=oslo"))
CAPITAL, COUNTRY = f"<{BASE}country#ref-capital>", f"<{BASE}city#ref-country>"
BINDINGS = {
    "attribute_values": {"p": f"<{BASE}film#year>"},
    "bearers": {"name": '"Vienna"@en'},
    "beside": {"p": f"<{BASE}country#ref-shares_border_with>", "t": AUSTRIA},
    "beside_of_concept": {"p": f"<{BASE}country#ref-shares_border_with>", "t": AUSTRIA},
    "concepts_named": {"name": '"film"@en'},
    "contained": {"r": COUNTRY},
    "different_concept": {"a": AUSTRIA},
    "fact": {"s": AUSTRIA, "p": CAPITAL, "o": VIENNA},
    "fellow_objects": {"s": AUSTRIA, "p": CAPITAL},
    "fk_join": {"first": CAPITAL, "second": COUNTRY},
    "general_object": {"p": COUNTRY},
    "khop": {"s": AUSTRIA},
    "khop_both": {"s": AUSTRIA, "radius": '"1"^^<http://www.w3.org/2001/XMLSchema#integer>'},
    "not_neighbour": {"s": AUSTRIA},
    "not_neighbour_both": {"s": AUSTRIA, "radius": '"1"^^<http://www.w3.org/2001/XMLSchema#integer>'},
    "object_of_relation": {"p": CAPITAL},
    "object_counts": {"p": CAPITAL},
    "path": {"s": AUSTRIA, "p1": CAPITAL, "o1": VIENNA, "p2": COUNTRY, "o2": AUSTRIA},
    "path_both": {"s": VIENNA, "p1": CAPITAL, "o1": AUSTRIA},
    "relation_size": {"p": CAPITAL},
    "same_concept": {"a": VIENNA},
    "same_kind": {"p": CAPITAL, "a": VIENNA, "s": AUSTRIA},
    "same_object": {"p": COUNTRY, "a": VIENNA},
    "same_relation": {"p": CAPITAL, "a": VIENNA},
    "sampled_facts": {"p": CAPITAL, "high": '"1"'},
    "true_by_type": {"s": AUSTRIA, "p": CAPITAL, "o": f"<{BASE}city>"},
    "true_objects": {"s": AUSTRIA, "p": CAPITAL},
    "true_subjects": {"o": VIENNA, "p": CAPITAL},
}
EMPTY_ON_THE_STARTER = {"superconcepts"}  # its tables have no hierarchy; tests/generators run it on graphs that have one


@pytest.mark.parametrize("name", [n for n in names() if "/" not in n])
def test_every_query_of_the_library_finds_something_in_the_starter_graph(name: str) -> None:
    template, graph = find(name), open_graph()
    query = template.bind(BINDINGS.get(name, {}))
    if template.form == "ask":
        assert graph.ask(query)
    elif name not in EMPTY_ON_THE_STARTER:
        assert graph.select(query).height


def test_no_question_is_left_open_about_two_places_at_once() -> None:
    graph, fact = open_graph(), find("fact")
    assert not graph.ask(fact.bind({"s": AUSTRIA, "p": CAPITAL, "o": OSLO}))
