"""Imports run downwards: between rooms, between folders, and never in a circle."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from imports import ROOMS, circles, folder_graph, module_graph

ROOT = Path(__file__).resolve().parents[1]
MODULES = module_graph(ROOT)

CONSOLE = "generators.cli"
"""The console script names the verbs of every room; nothing imports it."""


def room(module: str) -> str:
    return module.split(".")[0]


def test_no_modules_import_one_another_in_a_circle() -> None:
    assert circles(MODULES) == []


def test_no_folders_import_one_another_in_a_circle() -> None:
    assert circles(folder_graph(MODULES)) == []


def test_a_room_imports_from_the_rooms_below_it_alone() -> None:
    upwards = [edge for edge in MODULES.edges if ROOMS.index(room(edge[0])) < ROOMS.index(room(edge[1]))]
    assert upwards == []


JUDGED = "generators.unseenqa.answers"
"""Makes questions of answers: which of them say nothing is for the rules to tell that judge them."""


def test_generators_know_of_models_and_of_nothing_else_in_the_evaluators() -> None:
    known = {target for module, target in MODULES.edges if room(module) == "generators" and module not in (CONSOLE, JUDGED)}
    assert {name for name in known if room(name) == "evaluators"} <= {n for n in MODULES if n.startswith("evaluators.models")}
    judged = {target for target in MODULES.successors(JUDGED) if room(target) == "evaluators"}
    assert judged <= {"evaluators.verify", "evaluators.verify.question"}
    assert not MODULES.in_degree(CONSOLE)


def test_a_circle_would_be_found(tmp_path: Path) -> None:
    for name, text in {
        "kg/a.py": "from kg.sub import b",
        "kg/sub/b.py": "def f():\n    import kg.a",
        "kg/sub/__init__.py": "",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    graph = module_graph(tmp_path)
    assert circles(graph) == [["kg.a", "kg.sub.b"]]
    assert circles(folder_graph(graph)) == [["kg.a", "kg.sub"]]


@pytest.mark.skipif(sys.platform != "linux", reason="what is hidden is what Windows lacks; there nothing needs to be hidden")
def test_the_graph_can_be_imported_where_there_is_no_fcntl(tmp_path: Path) -> None:
    """As on Windows: `fcntl`, `resource`, `pwd` and `termios` are not there."""
    code = "import sys; sys.modules |= dict.fromkeys(('fcntl', 'resource', 'pwd', 'termios')); import kg, kg.local, kg.__main__"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


HEAVY = {
    "SPARQLWrapper", "anthropic", "evaluators.verify.judges", "httpx2", "inflect", "jinja2", "networkx", "openai", "rdflib",
    "scipy", "sqlalchemy", "statsmodels", "yaml",
}  # fmt: skip
"""Packages, and the rules of the judges, that take a twentieth of a second or more to import."""

MAY_IMPORT: dict[str, set[str]] = {
    "query|ASK { ?s ?p ?o }": set(),
    "load|kopl|--help": set(),
    "audit|--help": set(),
    "bundle|--help": set(),
    "stats": set(),
    "describe|Vienna": set(),
    "lint|--help": set(),
    "factbench|--help": set(),
    "family|--help": {"yaml"},
    "why|--help": {"evaluators.verify.judges", "jinja2", "yaml"},
    "records|--help": set(),
    "statistics|needed|0.7|0.8": set(),
    "vote|--help": set(),
    "export|--help": {"evaluators.verify.judges", "yaml", "httpx2", "jinja2"},
    "ask|--help": {"yaml", "httpx2"},
    "fpq|--domain|art|--n|3|--out|-": {"yaml"},
    "verify|--help": set(),
    "report|--help": {"jinja2", "yaml"},
    "erbench|--help": {"yaml"},
    "autodebug|--help": set(),
}
"""What of these a command may import, by its arguments: it uses them, or their declarations."""


IN_TURN = """
import json, os, sys
from generators.cli import main

heavy, commands = json.loads(sys.stdin.read())
for command in commands:
    if not os.fork():
        told = os.dup(1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.argv = ["kgprobe", *command.split("|")]
        try:
            main()
        except SystemExit as stop:
            found = [command, stop.code, sorted({*heavy} & sys.modules.keys())]
            os.write(told, json.dumps(found).encode() + b"\\n")
        os._exit(0)
    os.wait()
"""
"""Runs commands, each in a process of its own that has the program read already, and says what else each has imported."""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="each command runs in a fork of the program")
def test_a_command_imports_nothing_heavy_that_it_does_not_run() -> None:
    asked = json.dumps([sorted(HEAVY), [*MAY_IMPORT]])
    done = subprocess.run([sys.executable, "-c", IN_TURN], cwd=ROOT, input=asked, capture_output=True, text=True, check=False)
    ended = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(command, code or 0) for command, code, _ in ended] == [(command, 0) for command in MAY_IMPORT], done.stderr
    assert not {command: {*found} - MAY_IMPORT[command] for command, _, found in ended if {*found} - MAY_IMPORT[command]}
