"""The hash of what is sent to a model: it says later whether two answers were asked for in the same way.

```
python -c 'from evaluators.prompts import prompt_hash; print(prompt_hash([]))'
python -m evaluators.ask items.jsonl --model replay:answers.jsonl --out - --dry-run
```
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import fields
from functools import lru_cache
from pathlib import Path

from evaluators.models.protocol import Decoding, Message

__all__ = ["prompt_hash"]


def prompt_hash(messages: Sequence[Message], decoding: Decoding | None = None) -> str:
    """Return the sha256 of messages and decoding; of a picture in a file its bytes count, not its path.

    >>> prompt_hash([Message("user", "Is this a cup?")])[:15]
    'sha256:31c0c0a2'
    >>> prompt_hash([Message("user", "Is this a cup?")], Decoding(temperature=0.0))[:15]
    'sha256:f723f383'
    """
    told = decoding or Decoding()
    drawn = {field.name: getattr(told, field.name) for field in fields(Decoding)}
    said = {name: value for name, value in sorted(drawn.items()) if value is not None and value is not False}
    turns = [[message.role, message.text, _picture(message.image)] for message in messages]
    sent = json.dumps({"decoding": said, "messages": turns}, ensure_ascii=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(sent.encode()).hexdigest()


def _picture(image: str | None) -> str | None:
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
