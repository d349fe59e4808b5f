"""What is done to the evidence: a word of the command line that graph and texts share."""

from __future__ import annotations

from enum import StrEnum


class Attack(StrEnum):
    """What is done to the evidence."""

    swap = "swap"
    enrich = "enrich"
    both = "both"
