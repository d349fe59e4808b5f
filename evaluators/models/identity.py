"""When two requests are the same: what shapes an answer, and the three names that follow from it.

What shapes an answer is the model, the messages with the bytes of their pictures, the decoding, and the number of the sample.
The key of a cache has all of it. A response's `prompt` and the name of a recorded request leave out model and sample: those
have fields of their own. All three are written to files: their bytes may not change.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

from evaluators.models.protocol import Decoding, Message, Model, Request

_FIRST = ("temperature", "top_p", "max_tokens", "seed", "schema", "logprobs")
"""Parameters that are in every name, set or not; what came later is only in the names of requests that set it."""


def prompt_hash(messages: Sequence[Message], decoding: Decoding | None = None) -> str:
    """Return the sha256 of messages and decoding; of a picture in a file its bytes count, not its path.

    >>> prompt_hash([Message("user", "Is this a cup?")])[:15]
    'sha256:31c0c0a2'
    >>> prompt_hash([Message("user", "Is this a cup?")], Decoding(temperature=0.0))[:15]
    'sha256:f723f383'
    """
    turns, _ = _shape(messages, Decoding())
    # What is not set is left out, so that a parameter that decoding gains does not change the hash of all prompts before.
    stated = dict(sorted((decoding or Decoding()).stated().items()))
    sent = json.dumps({"decoding": stated, "messages": turns}, ensure_ascii=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(sent.encode()).hexdigest()


def cache_key(model: Model, request: Request) -> bytes:
    """Hash everything that shapes an answer."""
    turns, drawn = _shape(request.messages, request.decoding)
    whole = [getattr(model, "identity", model.name), turns, drawn, request.sample]
    return hashlib.sha256(json.dumps(whole).encode()).digest()


def request_name(prefix: str, messages: Sequence[Message], decoding: Decoding) -> str:
    """Name a request by what is sent: the same words under the same parameters have the same name.

    >>> request_name("judge.short", [Message("user", "Is it so?")], Decoding())
    'judge.short.3e2ca233a076ddab'
    """
    turns, drawn = _shape(messages, decoding)
    named = [dict(zip(("role", "text", "image"), turn, strict=True)) for turn in turns]
    return f"{prefix}.{hashlib.sha256(json.dumps([named, drawn], sort_keys=True).encode()).hexdigest()[:16]}"


def _shape(messages: Sequence[Message], decoding: Decoding) -> tuple[list[list[str | None]], dict[str, Any]]:
    """Return what a model is sent: role, text and picture of each message, and how the answer is drawn."""
    drawn = {name: value for name, value in asdict(decoding).items() if name in _FIRST or value}
    return [[message.role, message.text, _picture(message.image)] for message in messages], drawn


def _picture(image: str | None) -> str | None:
    """Return what tells one picture from another: the hash of its bytes, or its address."""
    if image is None or image.startswith(("data:", "http://", "https://")):
        return image
    try:
        if Path(image).is_file():  # no device, which might never end
            state = Path(image).stat()
            return _file_hash(image, state.st_mtime_ns, state.st_size)
    except (OSError, ValueError):
        pass  # It cannot be sent, and the answer will say so.
    return image


@lru_cache(maxsize=4096)
def _file_hash(path: str, changed: int, size: int) -> str:
    """Hash a file's bytes; the time of its last change and its size make sure that they are the ones that are there."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()
