"""What a model answered to an item: one line of `responses.jsonl`."""

from __future__ import annotations

from typing import ClassVar, Literal

from queries.records.record import Amount, Count, Id, Name, Record, Text, check_time

RESPONSE_SCHEMA: Literal["kgprobe.response/1"] = "kgprobe.response/1"


class Failure(Record, frozen=True):
    """Why there is no answer."""

    kind: Name
    status: int | None = None
    message: Text = ""

    def __post_init__(self) -> None:
        # A column of whole numbers has 64 bits.
        if self.status is not None and not -(2**63) <= self.status < 2**63:
            raise ValueError("status", "not a number of 64 bits")


class Usage(Record, frozen=True):
    """Tokens in, out and read from a cache, and their price in US dollars; null where nobody says."""

    input: Count | None = None
    output: Count | None = None
    cached: Count | None = None
    usd: Amount | None = None


class Response(Record, frozen=True, kw_only=True):
    """An answer, or the `error` that came instead of one (only then `text` may be null)."""

    KEY: ClassVar[tuple[str, ...]] = ("item", "model", "sample")

    schema: Literal["kgprobe.response/1"]
    item: Id
    model: Name
    sample: Count
    text: Text | None = None
    finish: Text | None = None
    error: Failure | None = None
    usage: Usage | None = None
    seconds: Amount | None = None
    prompt: Text | None = None
    time: Text | None = None

    def __post_init__(self) -> None:
        if self.text is None and self.error is None:
            raise ValueError("'text' is null or missing though there is no 'error'")
        check_time(self.time)
