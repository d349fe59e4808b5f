"""A metric that another package offers: the README's own example, installed."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

import metrics_worlds as worlds
from evaluators.metrics import Table, tables
from evaluators.report import measure
from kg.errors import InputError
from metrics_made import frames

README = (Path(__file__).parents[2] / "evaluators/metrics/README.md").read_text()
EXAMPLE, ENTRY = (re.findall(rf"```{form}\n([^`]*wordy[^`]*)```", README)[0] for form in ("python", "toml"))


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the README's package, as installed as a package can be that nobody built."""
    folder = tmp_path / "installed"
    about = folder / "wordy-1.dist-info"
    about.mkdir(parents=True)
    (folder / "wordy.py").write_text(EXAMPLE)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: wordy\nVersion: 1\n")
    offers = tomllib.loads(ENTRY)["project"]["entry-points"]
    lines = [f"[{group}]\n{name} = {target}\n" for group, of in offers.items() for name, target in of.items()]
    (about / "entry_points.txt").write_text("".join(lines))
    monkeypatch.syspath_prepend(str(folder))
    yield folder
    sys.modules.pop("wordy", None)


def measured(folder: Path) -> list[Table]:
    return tables(*frames(worlds.fpq_world(), folder))


def test_a_foreign_package_s_tables_come_after_ours(tmp_path: Path, package: Path) -> None:
    found = {table.key: table for table in measured(tmp_path)}
    first, *_, last = found
    assert (first, last) == ("overview.outcomes", "wordy.tasks")
    assert found["wordy.tasks"].frame["short"].drop_nulls().is_between(0, 1).all()
    assert measure(*frames(worlds.fpq_world(), tmp_path))["wordy.tasks"].frame.equals(found["wordy.tasks"].frame)


def test_a_metric_that_makes_another_one_s_table_is_told(tmp_path: Path, package: Path) -> None:
    (package / "wordy.py").write_text(EXAMPLE.replace("wordy.tasks", "fpq.accuracy"))
    with pytest.raises(InputError, match=r"metric 'wordy' makes a table 'fpq\.accuracy', which another one made"):
        measured(tmp_path)


def test_a_metric_that_cannot_be_imported_is_told(tmp_path: Path, package: Path) -> None:
    (package / "wordy.py").write_text("import nowhere_to_be_found\n")
    with pytest.raises(InputError, match=r"'wordy' of the package wordy cannot be imported .* mend or uninstall wordy"):
        measured(tmp_path)


def test_files_and_frames_measure_the_same(tmp_path: Path) -> None:
    items, responses, verdicts = frames(worlds.fpq_world(), tmp_path)
    files = measure(*(tmp_path / f"{name}.jsonl" for name in ("items", "responses", "verdicts")))
    mixed = measure(str(tmp_path / "items.jsonl"), responses, verdicts)
    assert files.keys() == mixed.keys() == measure(items, responses, verdicts).keys()
    assert all(files[key].frame.equals(mixed[key].frame) for key in files)


def test_frames_that_do_not_belong_together_are_told(tmp_path: Path) -> None:
    items, responses, verdicts = frames(worlds.fpq_world(), tmp_path)
    with pytest.raises(InputError, match=r"the responses:\d+: item '.*' is not in the items"):
        measure(items.head(1), responses, verdicts)
    with pytest.raises(InputError, match=r"the verdicts:1: sample 0 of m on item '.*' has no answer in the responses"):
        measure(items, responses.head(0), verdicts.head(1).with_columns(pl.lit("m").alias("model")))
