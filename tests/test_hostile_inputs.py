"""Whatever a user gives, damaged: a reader reads it, or refuses it in one line that names the file and leaves nothing behind.

The damages are drawn from a seed (`mutations.py`). `python tests/benchmarks/hostile.py` runs many more of them.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from readers import READERS, cases, sound, violation

_CASES = range(24)


@pytest.mark.parametrize("reader", sorted(READERS))
def test_a_reader_reads_what_is_sound(reader: str, tmp_path: Path) -> None:
    sound(reader, tmp_path).run()


@pytest.mark.parametrize("reader", sorted(READERS))
def test_a_reader_refuses_what_is_damaged_in_one_line(reader: str, tmp_path: Path) -> None:
    wrong = {}
    for case in cases(reader, _CASES, tmp_path):
        if problem := violation(case):
            wrong[case.folder.name] = problem
        shutil.rmtree(case.folder)
    assert wrong == {}
