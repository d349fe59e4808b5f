"""Models that can be asked: each is a client behind one small protocol.

```
python -m evaluators.ask items.jsonl --model replay:answers.jsonl --out responses.jsonl
python -m evaluators.ask items.jsonl --model http://127.0.0.1:8080/v1#some-model --out responses.jsonl --dry-run
```
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol
from urllib.parse import urlsplit

from evaluators.errors import ModelError
from queries.records.response import Failure, Usage

if TYPE_CHECKING:
    from evaluators.models.cache import Cache
    from evaluators.models.patience import Patience

__all__ = ["SCHEMES", "Decoding", "Message", "Model", "Reply", "Request", "check_spec", "open_model", "replies"]

SCHEMES = ("anthropic", "openai", "replay")
_FORMS = "anthropic:NAME, openai:NAME, http(s)://host/v1#NAME or replay:FILE"


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation; `image` is a file's path, a data: URL or an http(s) URL.

    >>> Message("user", "What is on the picture?", image="cup.png").image
    'cup.png'
    """

    role: Literal["system", "user", "assistant"]
    text: str
    image: str | None = None


@dataclass(frozen=True, slots=True)
class Decoding:
    """How an answer is drawn; what is None is not sent, so that the server's own default holds.

    `schema` is a JSON Schema as text: the answer must be JSON of that shape.

    >>> Decoding(temperature=0.0, max_tokens=100).top_p is None
    True
    """

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    schema: str | None = None
    logprobs: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """What a model is asked: the messages, and which sample of which item they are for."""

    item: str
    sample: int
    messages: tuple[Message, ...]
    decoding: Decoding = Decoding()


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: a text, or the failure that came instead.

    `logprobs` are pairs of token and log-probability where they were asked for and the server has them; records do not keep
    them.
    """

    text: str | None = None
    finish: str | None = None
    error: Failure | None = None
    usage: Usage | None = None
    seconds: float | None = None
    time: str | None = None
    logprobs: tuple[tuple[str, float], ...] | None = None


class Model(Protocol):
    """Something that answers, and fails by replying so.

    It raises ModelError only for what no other request can escape: a broken key, an unknown model.
    """

    @property
    def name(self) -> str:
        """What the records call the model."""
        ...

    async def ask(self, request: Request) -> Reply:
        """Answer one request."""
        ...

    async def aclose(self) -> None:
        """Close what is open; the model is not asked again."""
        ...


def open_model(spec: str, patience: Patience | None = None) -> Model:
    """Return the model that `openai:NAME`, `anthropic:NAME`, `http(s)://host/v1#NAME` or `replay:FILE` names.

    Raises ModelError where it names none, or the key is not in the environment; nothing is asked yet.
    """
    scheme, name = check_spec(spec)
    if scheme == "replay":
        from evaluators.models.replay import Replay

        return Replay(name)
    if scheme == "anthropic":
        from evaluators.models.anthropic import Anthropic

        return Anthropic(spec, name, patience)
    from evaluators.models.openai import OpenAI

    return OpenAI(spec, name, spec.partition("#")[0] if scheme == "server" else None, patience)


def check_spec(spec: str) -> tuple[str, str]:
    """Split a model's name into its scheme (`server` for an address) and the name in it.

    Raises ModelError where it is none.

    >>> check_spec("openai:some-model"), check_spec("http://127.0.0.1:8080/v1#some-model")
    (('openai', 'some-model'), ('server', 'some-model'))
    """
    scheme, _, name = spec.partition(":")
    if scheme in ("http", "https"):
        return "server", _served(spec)
    if scheme not in SCHEMES or not name:
        raise ModelError(f"model '{spec}' cannot be asked", way_out=f"use {_FORMS}")
    return scheme, name


def _served(spec: str) -> str:
    try:
        parts = urlsplit(spec)
        whole = bool(parts.hostname) and bool(parts.fragment) and parts.port != 0
    except ValueError:  # what is no address, and ports beyond 65535
        whole = False
    if not whole:
        raise ModelError(
            f"model '{spec}' lacks a host or a name, or its port is none", way_out="write http://host:8080/v1#NAME"
        )
    if "@" in parts.netloc or parts.query:
        # Not quoted: what stands there may be a key, and the name of a model is written into every record.
        raise ModelError("a server's address may hold no key and no query", way_out="put the key into KGPROBE_API_KEY")
    return parts.fragment


def replies(model: Model, requests: Sequence[Request], *, concurrency: int = 8, cache: Cache | None = None) -> list[Reply]:
    """Ask many requests with retries and limits; the replies stand in the order of the requests.

    Raises ModelError for what must stop at once: a broken key, an unknown model.
    """
    from evaluators.models.many import Asked, ask_each, run_async

    found: dict[int, Reply] = {}

    def kept(asked: Asked) -> None:
        found[asked.place] = asked.reply

    run_async(ask_each(model, requests, concurrency, cache, kept))
    return [found[place] for place in range(len(requests))]
