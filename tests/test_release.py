"""What is released: the changelog says which version, and other pages say the same."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def version() -> str:
    pattern = PROJECT["tool"]["hatch"]["version"]["pattern"]
    found = re.search(pattern, (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert found
    return found["version"]


def test_the_version_is_that_of_the_changelog() -> None:
    assert "version" in PROJECT["project"]["dynamic"]
    assert f"\nversion: {version()}\n" in (ROOT / "CITATION.cff").read_text("utf-8")


@pytest.mark.parametrize("line", ["## Unreleased (0.2.0)", "## 0.2.0 (2030-01-31)"])
def test_a_section_may_be_open_or_dated(line: str) -> None:
    found = re.search(PROJECT["tool"]["hatch"]["version"]["pattern"], f"# Changelog\n\n{line}\n\n## 0.1.0", re.M)
    assert found
    assert found["version"] == "0.2.0"


def test_the_versions_of_python_are_the_same_everywhere() -> None:
    told = [line.rpartition(" :: ")[2] for line in PROJECT["project"]["classifiers"] if "Python :: 3." in line]
    matrix = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text("utf-8"))["jobs"]["versions"]["strategy"]["matrix"]
    assert told == matrix["python"]
    assert PROJECT["project"]["requires-python"] == f">={told[0]}"


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_may_read_alone_and_runs_scripts_that_are_there(workflow: Path) -> None:
    told = yaml.safe_load(workflow.read_text("utf-8"))
    assert told["permissions"] == {"contents": "read"}
    runs = [step["run"] for job in told["jobs"].values() for step in job["steps"] if "run" in step]
    for script in re.findall(r"^\.ci/\S+", "\n".join(runs), re.M):
        assert os.access(ROOT / script, os.X_OK)


@pytest.mark.parametrize("script", ["run", "release"])
def test_a_script_parses(script: str) -> None:
    subprocess.run([shutil.which("bash") or "bash", "-n", ROOT / ".ci" / script], check=True)


def test_the_container_has_what_the_wheel_is_built_from() -> None:
    kept = {line[1:] for line in (ROOT / ".docker/Dockerfile.dockerignore").read_text("utf-8").splitlines() if line[0] == "!"}
    packages = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert kept >= {*packages, "pyproject.toml", PROJECT["project"]["readme"], *PROJECT["project"]["license-files"]}
    assert PROJECT["tool"]["hatch"]["version"]["path"] in kept
    assert all((ROOT / name).exists() for name in kept)
