"""The benchmark of asking runs: nothing here is timed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("asking.py")


@pytest.mark.slow
def test_asking_is_measured_without_the_other_contestant() -> None:
    ran = subprocess.run(
        [sys.executable, SCRIPT, "--quick", "--json", "-"], capture_output=True, text=True, timeout=300, check=False
    )
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert set(found) == {"server", "speed", "memory"}
    assert (list(found["speed"]["requests_a_second"]), found["speed"]["ratio"]) == (["ours"], None)
    assert list(found["memory"]["megabytes"]) == ["20", "40"]
