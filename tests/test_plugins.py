"""Another package adds a source, a generator, a model and a metric, and they stand beside ours in every command."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PLUGIN = Path(__file__).parent / "fixtures" / "plugin"
COMMANDS = {"kg": "from kg.__main__ import main; main()", "kgprobe": "from generators.cli import main; main()"}


class Site:
    """A folder of installed packages, and a folder to work in."""

    def __init__(self, root: Path) -> None:
        self.packages, self.work = root / "packages", root / "work"
        self.packages.mkdir()
        self.work.mkdir()

    def install(self, project: Path) -> None:
        """Put a package where Python finds it, with the metadata that pip would write from its pyproject.toml."""
        for module in project.glob("*.py"):
            shutil.copy(module, self.packages)
        about = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]
        info = self.packages / f"{about['name'].replace('-', '_')}-{about['version']}.dist-info"
        info.mkdir()
        info.joinpath("METADATA").write_text(f"Metadata-Version: 2.1\nName: {about['name']}\nVersion: {about['version']}\n")
        groups = (
            f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in names.items()) for group, names in about["entry-points"].items()
        )
        info.joinpath("entry_points.txt").write_text("\n".join(groups))

    def run(self, program: str, *args: object) -> subprocess.CompletedProcess[str]:
        """Run one of the console scripts in the folder to work in."""
        path = os.pathsep.join([str(self.packages), os.environ.get("PYTHONPATH", "")])
        command = [sys.executable, "-c", COMMANDS[program], *map(str, args)]
        return subprocess.run(
            command, cwd=self.work, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=False
        )


@pytest.fixture
def site(tmp_path: Path) -> Site:
    site = Site(tmp_path)
    site.install(PLUGIN)
    return site


@pytest.mark.slow
def test_from_a_foreign_source_to_a_foreign_metric(site: Site) -> None:
    site.work.joinpath("capitals.tsv").write_text("Norway\tOslo\nItaly\tRome\n")
    answered = ("--items", "items.jsonl", "--responses", "responses.jsonl")
    steps = [
        ("kg", "load", "pairs", "capitals.tsv", "--store", "capitals"),
        ("kgprobe", "capitals", "--store", "capitals", "--out", "items.jsonl"),
        ("kgprobe", "ask", "items.jsonl", "--model", "parrot:Oslo", "--no-cache", "--out", "responses.jsonl"),
        ("kgprobe", "verify", *answered, "--out", "verdicts.jsonl"),
        ("kgprobe", "report", *answered, "--verdicts", "verdicts.jsonl", "--out", "report"),
    ]
    for step in steps:
        done = site.run(*step)
        assert done.returncode == 0, done.stderr
    verdicts = [json.loads(line) for line in site.work.joinpath("verdicts.jsonl").read_text().splitlines()]
    assert [verdict["outcome"] for verdict in verdicts] == ["incorrect", "correct"]
    tables = json.loads(site.work.joinpath("report/metrics.json").read_text())["tables"]
    assert tables["brevity.tasks"]["rows"][0]["brief"] == 1.0


@pytest.mark.slow
def test_a_fault_in_a_foreign_source_is_one_line(site: Site) -> None:
    site.work.joinpath("capitals.tsv").write_text("Norway\tOslo\nItaly\n")
    done = site.run("kg", "load", "pairs", "capitals.tsv", "--store", "capitals")
    assert (done.returncode, done.stderr) == (2, "error: capitals.tsv:2: has 1 cells; write country, tab, capital\n")
    assert not site.work.joinpath("capitals").exists()


@pytest.mark.slow
def test_help_lists_what_was_added(site: Site) -> None:
    assert "pairs" in site.run("kg", "load", "--help").stdout
    assert "capitals" in site.run("kgprobe", "--help").stdout


@pytest.mark.slow
def test_a_package_that_cannot_be_imported_hinders_only_itself(site: Site) -> None:
    site.packages.joinpath("kgprobe_example.py").write_text("import a_package_that_is_not_there\n")
    done = site.run("kg", "load", "pairs", "capitals.tsv", "--store", "capitals")
    assert done.returncode == 2
    assert "of the package kgprobe-example cannot be imported" in done.stderr
    assert done.stderr.count("\n") == 1
    assert site.run("kg", "load", "--help").returncode == 0
    assert site.run("kgprobe", "--version").returncode == 0


def test_nobody_takes_the_place_of_a_part_of_ours(site: Site) -> None:
    info = next(site.packages.glob("*.dist-info")) / "entry_points.txt"
    info.write_text("[kgprobe.sources]\ntables = kgprobe_example:pairs\n")
    assert "SCHEMA.toml" in site.run("kg", "load", "tables", "--help").stdout
