"""What an audit found, as files: one line for each item, and the items that passed.

A result has `schema`, `item`, `question`, `answer`, `passed` and `failures`, each a `query`, what it `bind`s and the `reason`:
what was expected, and what was found.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import ExitStack
from typing import Any, Literal

import msgspec

from kg.files import replacing
from queries.audit.audit import Audit, Failure
from queries.audit.proofs import group_named
from queries.records import Source, lines
from queries.records.shards import WHOLE, Shard

RESULT_SCHEMA: Literal["kgprobe.audit/1"] = "kgprobe.audit/1"


class FailedProof(msgspec.Struct, frozen=True):
    """A proof that does not hold: the query as the item cites it, its bindings, and what was expected and found."""

    query: str
    bind: dict[str, str]
    reason: str


class AuditResult(msgspec.Struct, frozen=True):
    """What the audit says of one item: it passed where no proof of it failed."""

    schema: Literal["kgprobe.audit/1"]
    item: str
    question: str | None
    answer: list[str] | None
    passed: bool
    failures: list[FailedProof]


class _Asked(msgspec.Struct, frozen=True):
    """What a result repeats of an item, of which an audit checks no more than id and proofs."""

    id: str
    group: Any = None
    question: Any = None
    answer: Any = None


_decode = msgspec.json.Decoder(_Asked).decode


def failures_by_item(audit: Audit) -> dict[str, list[Failure]]:
    """Return the failures of each item that has some, disagreements included."""
    failures = defaultdict(list)
    for failure in [*audit.disagreements, *audit.failures]:
        failures[failure.item].append(failure)
    return dict(failures)


def questions_of(items: Source, ids: Collection[str]) -> dict[str, str]:
    """Return the questions of some items of a file; of an item without one there is none."""
    asked = (item for _, item in _asked(items) if item.id in ids) if ids else ()
    return {item.id: item.question for item in asked if isinstance(item.question, str)}


def write_results(items: Source, audit: Audit, out: str | None = None, keep: str | None = None, shard: Shard = WHOLE) -> int:
    """Write what an audit says of each item of a file (`out`), and the lines of those that passed (`keep`).

    Parameters: of a `shard`, the items of its groups were audited.
    Returns how many passed.
    """
    failures, passed = failures_by_item(audit), 0
    with ExitStack() as stack:
        results, kept = (None if path is None else stack.enter_context(replacing(path)) for path in (out, keep))
        for line, item in _asked(items):
            failed, own = failures.get(item.id, []), shard.holds(group_named(item.id, item.group))
            passed += own and not failed
            if results is not None:
                results.write(shard.placed(own, msgspec.json.encode(_result(item, failed)) + b"\n" if own else b""))
            if kept is not None:
                kept.write(shard.placed(own, line + b"\n" if own and not failed else b""))
    return passed


def _asked(items: Source) -> Iterator[tuple[bytes, _Asked]]:
    """The audit has read the file before: every line is an item."""
    for line in lines(items):
        yield line.text, _decode(line.text)


def _result(item: _Asked, failures: list[Failure]) -> AuditResult:
    failed = [FailedProof(failure.query, failure.bind, failure.reason) for failure in failures]
    return AuditResult(RESULT_SCHEMA, item.id, item.question, item.answer, not failures, failed)
