"""With 3% of the facts withheld, hardly any false premise is true in the withheld part."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from shared import shared


@pytest.mark.slow
def test_few_false_premises_are_true_after_all(tmp_path: Path) -> None:
    script, numbers = Path(__file__).with_name("open_world.py"), tmp_path / "numbers.json"
    command = [sys.executable, str(script), str(shared("data/wikidata-core")), "--n", "1500", "--json", str(numbers)]
    subprocess.run(command, check=True, capture_output=True)
    share = {row["edit"]: row["share"] for row in json.loads(numbers.read_text()) if row["domain"] == "all"}
    assert share["all"] <= 0.0005
    assert share["NSC"] <= 0.0025
