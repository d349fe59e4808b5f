"""What the READMEs promise: examples that run, links that lead somewhere, a short first page, packages that are declared."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("kg", "queries", "evaluators", "generators")
PAGES = sorted(path for path in ROOT.rglob("*.md") if not {".venv", "node_modules"} & set(path.parts))


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text("utf-8"), re.M | re.S)


@pytest.mark.slow
@pytest.mark.parametrize("room", ROOMS)
def test_a_room_begins_with_a_notebook_example_that_runs(room: str, tmp_path: Path) -> None:
    """In an empty folder, without a network, on the embedded starter graph."""
    example = blocks(ROOT / room / "README.md", "python")[0]
    assert len(example.splitlines()) <= 20
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", example], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout, "the example shows nothing"


def links() -> Iterator[tuple[str, str]]:
    for page in PAGES:
        text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.M | re.S)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if not re.match(r"#|[a-z]+:", target):
                yield str(page.relative_to(ROOT)), target


@pytest.mark.parametrize(("page", "target"), sorted(set(links())))
def test_a_link_leads_to_a_file(page: str, target: str) -> None:
    assert (ROOT / page).parent.joinpath(target.partition("#")[0]).exists()


def test_the_first_page_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) < 120


def imported() -> set[str]:
    """Names of packages that the rooms import, those of Python itself left out."""
    found = set()
    for path in (path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module]
            found |= {name.split(".")[0] for name in names}
    return found - set(sys.stdlib_module_names) - set(ROOMS)


def test_every_package_that_is_imported_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = ("dask", "postgres", "shots", "tokens", "nli", "inspect", "openai-evals")
    optional = [line for name in extras for line in project["optional-dependencies"][name]]
    declared = {Requirement(line).name.lower().replace("_", "-") for line in [*project["dependencies"], *optional]}
    homes = packages_distributions()
    for package in sorted(imported()):
        known = {home.lower().replace("_", "-") for home in homes.get(package, [package])}
        assert known & declared, f"{package} is imported and not declared"
