"""Demonstrations of one kind: original passages, those of category 1, those of category 2 (§3.4, table 6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum

from generators.items import short_hash
from kg.errors import InputError
from queries.records import Exemplar, Item
from queries.records.exemplar import EXEMPLAR_SCHEMA


class Kind(StrEnum):
    """Which passages demonstrate."""

    original = "original"
    swap = "swap"
    enrich = "enrich"


def exemplars_of(items: Sequence[Item], kind: str, n: int, seed: int) -> list[Exemplar]:
    """Draw demonstrations of a variant by hash, each of another fact: first of facts that have all, the same for all kinds.

    Raises InputError where no item is of the kind.
    """
    of_kind = [item for item in items if item.task == "context" and item.variant == kind and item.answer]
    if not of_kind:
        raise InputError(f"no item is of the variant '{kind}'", way_out="make some with `python -m generators.autodebug`")
    variants = {(item.group, item.variant) for item in items}
    missing = Counter({item.group: sum((item.group, str(kind)) not in variants for kind in Kind) for item in of_kind})
    ordered = sorted(of_kind, key=lambda item: (missing[item.group], short_hash(f"{seed}\0exemplar\0{item.group}"), item.id))
    return list(_first_of_each(ordered))[:n]


def _first_of_each(items: Sequence[Item]) -> Iterator[Exemplar]:
    seen: set[str] = set()
    for item in items:
        if item.group not in seen:
            seen.add(item.group)
            yield Exemplar(
                schema=EXEMPLAR_SCHEMA,
                task=item.task,
                variant=item.variant,
                question=item.question,
                context=item.context,
                text=(item.answer or [""])[0],
                group=item.group,
            )
