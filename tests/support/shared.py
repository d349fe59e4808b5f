"""Real data that lies beside a checkout, for tests that skip without it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def shared(name: str) -> Path:
    """Return the path of shared data, or skip the test that asks for it."""
    root = Path(os.environ.get("KGPROBE_SHARED", Path(__file__).resolve().parents[3] / "shared"))
    path = root / name
    if not path.exists():
        pytest.skip(f"{name} is not at hand (set KGPROBE_SHARED to the folder that holds it)")
    return path
