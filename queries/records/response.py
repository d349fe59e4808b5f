"""What a model answered to an item: one line of `responses.jsonl`.

```
python -m queries.records schema response
python -m queries.records check responses.jsonl
```
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from queries.records.record import Count, Id, Name, Record, Text, Time

__all__ = ["RESPONSE_SCHEMA", "Failure", "Response", "Usage"]

RESPONSE_SCHEMA: Literal["kgprobe.response/1"] = "kgprobe.response/1"

_Amount = Annotated[float, Field(ge=0)]


class Failure(Record):
    """Why there is no answer."""

    kind: Name
    status: int | None = None
    message: Text = ""


class Usage(Record):
    """Tokens in, out and read from a cache, and their price in US dollars; null where nobody says."""

    input: Count | None = None
    output: Count | None = None
    cached: Count | None = None
    usd: _Amount | None = None


class Response(Record):
    """An answer, or the `error` that came instead of one (only then `text` may be null)."""

    KEY: ClassVar[tuple[str, ...]] = ("item", "model", "sample")

    version: Literal["kgprobe.response/1"] = Field(alias="schema")
    item: Id
    model: Name
    sample: Count
    text: Text | None = None
    finish: Text | None = None
    error: Failure | None = None
    usage: Usage | None = None
    seconds: _Amount | None = None
    prompt: Text | None = None
    time: Time | None = None

    @model_validator(mode="after")
    def _answered_or_failed(self) -> Response:
        if self.text is None and self.error is None:
            raise ValueError("'text' is null or missing though there is no 'error'")
        return self
