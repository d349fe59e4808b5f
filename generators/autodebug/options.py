"""Words of the command line: what is done to the evidence, and which passages demonstrate."""

from __future__ import annotations

from enum import StrEnum


class Attack(StrEnum):
    """What is done to the evidence."""

    swap = "swap"
    enrich = "enrich"
    both = "both"


class Kind(StrEnum):
    """Which passages demonstrate."""

    original = "original"
    swap = "swap"
    enrich = "enrich"
