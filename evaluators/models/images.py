"""Pictures that go with a question: a file, a data: URL, or an address that the server fetches itself."""

from __future__ import annotations

import base64
import binascii
from pathlib import Path
from typing import NamedTuple

from evaluators.models.faults import Fault

_MAX_BYTES = 20_000_000
_KINDS = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif"}


class Picture(NamedTuple):
    """A picture on its way: an address, or its bytes in base64 and their media type."""

    url: str | None = None
    media_type: str = ""
    data: str = ""

    @property
    def as_url(self) -> str:
        """The address, or the bytes as a data: URL."""
        return self.url or f"data:{self.media_type};base64,{self.data}"


def load_picture(source: str) -> Picture:
    """Make a picture ready to be sent.

    Raises Fault (kind `image`) where a file is missing, too large, or neither PNG, JPEG, GIF nor WebP.

    >>> load_picture("https://example.org/cup.png").url
    'https://example.org/cup.png'
    >>> load_picture("data:image/gif;base64,R0lGODlh").media_type
    'image/gif'
    """
    if source.startswith(("http://", "https://")):
        return Picture(url=source)
    data = _inline(source) if source.startswith("data:") else _read(source)
    return Picture(media_type=_media_type(data, source), data=base64.b64encode(data).decode())


def _inline(source: str) -> bytes:
    head, comma, data = source.partition(",")
    try:
        if comma and head.endswith(";base64"):
            return base64.b64decode(data, validate=True)
    except binascii.Error:
        pass
    raise Fault("image", f"{source[:40]} is no data: URL in base64")


def _read(source: str) -> bytes:
    try:
        if Path(source).stat().st_size > _MAX_BYTES:
            raise Fault("image", f"{source} is larger than {_MAX_BYTES // 1_000_000} MB")
        return Path(source).read_bytes()
    except (OSError, ValueError) as error:
        raise Fault("image", f"{source} cannot be read ({getattr(error, 'strerror', None) or error})") from error


def _media_type(data: bytes, source: str) -> str:
    # By the bytes, not by the name: providers refuse a picture whose declared type is wrong.
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    for start, media_type in _KINDS.items():
        if data.startswith(start):
            return media_type
    raise Fault("image", f"{source[:200]} is neither PNG, JPEG, GIF nor WebP")
