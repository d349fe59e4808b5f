"""Models that can be asked: each is a client behind one small protocol.

```
python -m evaluators.ask items.jsonl --model replay:answers.jsonl --out responses.jsonl
python -m evaluators.ask items.jsonl --model replay:responses.jsonl.gz --out again.jsonl
```
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from evaluators.errors import ModelError
from queries.response import Failure, Usage

__all__ = ["Model", "Reply", "Request", "open_model"]


@dataclass(frozen=True)
class Request:
    """What a model is asked: the prompt, and which sample of which item it is for."""

    item: str
    sample: int
    prompt: str


@dataclass(frozen=True)
class Reply:
    """What came back: a text, or the failure that came instead."""

    text: str | None = None
    finish: str | None = None
    error: Failure | None = None
    usage: Usage | None = None
    seconds: float | None = None
    time: str | None = None


class Model(Protocol):
    """Something that answers, and fails by replying so, not by raising."""

    @property
    def name(self) -> str:
        """What the records call the model."""
        ...

    def ask(self, request: Request) -> Reply:
        """Answer one request."""
        ...


def open_model(spec: str) -> Model:
    """Return the model that `SCHEME:NAME` names.

    Raises ModelError where the scheme is not known.
    """
    from evaluators.models.replay import Replay

    scheme, _, name = spec.partition(":")
    if scheme == "replay" and name:
        return Replay(name)
    raise ModelError(f"model '{spec}' cannot be asked: this version only replays recorded answers", way_out="use replay:FILE")
