"""A model from its name: `SCHEME:NAME` is opened by the function that a package offers as SCHEME in `kgprobe.models`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from evaluators.errors import ModelError
from evaluators.models.protocol import Model, Reply, Request
from evaluators.models.replay import Replay
from kg.plugins import load_plugin, plugin_names

if TYPE_CHECKING:
    from evaluators.models.cache import Cache
    from evaluators.models.faults import Patience

    Opener = Callable[[str, Patience | None], Model]

_SCHEMES = ("anthropic", "openai", "replay")
"""Schemes of our own that stand before a colon; an address is opened by the entry point `server`."""
_SECRET = re.compile(r"(?:^|[&;])[^=&;]*(?:key|token|secret|passw|sig|auth|cred)[^=&;]*=", re.IGNORECASE)
"""A query that may hold a key; `api-version=...` holds none."""
_FORMS = "anthropic:NAME, openai:NAME, http(s)://host/v1#NAME or replay:FILE"


def open_model(spec: str, patience: Patience | None = None, headers: Mapping[str, str] | None = None, alias: str = "") -> Model:
    """Return the model that `openai:NAME`, `anthropic:NAME`, `http(s)://host/v1#NAME`, `replay:FILE` or a plugin's name means.

    Parameters: `headers` go with each request to a server; `alias` is what records call the model instead.
    Raises ModelError where it means none, or the key is not in the environment; InputError where a plugin cannot be imported.
    Nothing is asked yet.
    """
    scheme, name = check_spec(spec)
    opener: Opener = load_plugin("models", scheme)
    model = opener(name, patience)
    if headers:
        if not isinstance(getattr(model, "headers", None), dict):
            raise ModelError(f"'{spec}' takes no headers", place="--header", way_out="leave it out: it is for servers")
        model.headers |= headers  # type: ignore[attr-defined]
    return Named(model, alias) if alias else model


class Named:
    """A model that the records call by another name: one model with other parameters is another to a report.

    >>> Named(open_model("http://127.0.0.1:8080/v1#some-model"), "hot").name
    'hot'
    """

    def __init__(self, model: Model, name: str) -> None:
        self.model, self.name = model, name

    @property
    def identity(self) -> str:
        """What tells the model from all others, whatever it is called."""
        return str(getattr(self.model, "identity", self.model.name))

    async def ask(self, request: Request) -> Reply:
        """Answer one request."""
        return await self.model.ask(request)

    async def aclose(self) -> None:
        """Close what is open."""
        await self.model.aclose()


def is_recorded(model: Model) -> bool:
    """Tell whether a model, under whatever name, gives recorded answers."""
    while isinstance(model, Named):
        model = model.model
    return isinstance(model, Replay)


def check_spec(spec: str) -> tuple[str, str]:
    """Split a model's name into its scheme (`server` for an address) and what its opener is given.

    Raises ModelError where it is none.

    >>> check_spec("openai:some-model"), check_spec("http://127.0.0.1:8080/v1#some-model")
    (('openai', 'some-model'), ('server', 'http://127.0.0.1:8080/v1#some-model'))
    """
    scheme, _, name = spec.partition(":")
    if scheme in ("http", "https"):
        _check_address(spec)
        return "server", spec
    if name and scheme in _SCHEMES:
        return scheme, name
    # Only now: looking through all installed packages takes ten milliseconds, and most runs need none of them.
    foreign = [other for other in plugin_names("models") if other not in (*_SCHEMES, "server")]
    if not name or scheme not in foreign:
        forms = ", or ".join([_FORMS, *(f"{other}:NAME" for other in foreign)])
        raise ModelError(f"model '{spec}' cannot be asked", way_out=f"use {forms}")
    return scheme, name


def _check_address(spec: str) -> None:
    try:
        parts = urlsplit(spec)
        whole = bool(parts.hostname) and bool(parts.fragment) and parts.port != 0
    except ValueError:  # what is no address, and ports beyond 65535
        whole = False
    if not whole:
        raise ModelError(
            f"model '{spec}' lacks a host or a name, or its port is none", way_out="write http://host:8080/v1#NAME"
        )
    if "@" in parts.netloc or _SECRET.search(parts.query):
        # Not quoted: what stands there may be a key, and the name of a model is written into every record.
        raise ModelError("a server's address may hold no key", way_out="put the key into KGPROBE_API_KEY, or use --header")


def replies(model: Model, requests: Sequence[Request], *, concurrency: int = 8, cache: Cache | None = None) -> list[Reply]:
    """Ask many requests with retries and limits; the replies stand in the order of the requests.

    Raises ModelError for what must stop at once: a broken key, an unknown model.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, "answers.jsonl").write_text('{"item": "a", "text": "Yes."}')
    ...     [reply.text for reply in replies(open_model(f"replay:{folder}/answers.jsonl"), [Request("a", 0, ())] * 2)]
    ['Yes.', 'Yes.']
    """
    from evaluators.models.many import Exchange, ask_each, run_async  # here: who only opens a model need not wait for asyncio

    answers: dict[int, Reply] = {}

    def keep(exchange: Exchange) -> None:
        answers[exchange.place] = exchange.reply

    run_async(ask_each(model, requests, concurrency, cache, keep))
    return [answers[place] for place in range(len(requests))]
