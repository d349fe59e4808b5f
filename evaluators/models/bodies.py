"""The bodies of answers: read once, unpacked no further than to a limit, and made sound where their text is not.

A body that is packed may be a thousand times as large as what was sent. So servers are asked for gzip or deflate only, and
these are unpacked here, piece by piece.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx2
from pydantic_core import from_json

from evaluators.models.faults import Fault

MOST = 100 * 2**20
"""Bytes that an answer may have; the longest that any model writes is a hundredth of it."""
_MOST_OF_A_FILE = 4 * 2**30
"""Bytes that the results of a batch may have: they are read line by line."""
PACKINGS = "gzip, deflate"
_HALF = re.compile("[\ud800-\udfff]")


async def bound(response: httpx2.Response) -> None:
    """Let a response end with a fault at the limit; a hook of the client, called before the body is read.

    Raises Fault where the body is packed in another way than was asked for.
    """
    packing = response.headers.pop("content-encoding", "identity").strip().lower()
    if packing not in ("identity", "", "gzip", "x-gzip", "deflate"):
        raise Fault("malformed", f"packed as '{packing[:40]}', which was not asked for", status=response.status_code)
    response.headers.pop("content-length", None)
    most = _MOST_OF_A_FILE if response.request.method == "GET" else MOST
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    response.stream = BoundedStream(response.stream, most, packed=packing not in ("identity", ""))


class BoundedStream(httpx2.AsyncByteStream):
    """The bytes of a body, unpacked, and no more of them than are allowed."""

    def __init__(self, stream: httpx2.AsyncByteStream, most: int, *, packed: bool) -> None:
        self._stream, self._left, self._packed = stream, most, packed

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the bytes. Raises Fault where they are too many, or cannot be unpacked."""
        most, unpacker = self._left, Unpacker() if self._packed else None
        async for chunk in self._stream:
            for piece in unpacker.pieces(chunk, self._left) if unpacker else (chunk,):
                self._left -= len(piece)
                if self._left < 0:
                    raise Fault("oversize", f"an answer of more than {most / 2**20:,.0f} MB")
                yield piece

    async def aclose(self) -> None:
        """Close the connection's stream."""
        await self._stream.aclose()


class Unpacker:
    """Unpacks gzip and deflate, so far as is wanted.

    >>> b"".join(Unpacker().pieces(zlib.compress(b"Yes." * 1000), 100))[:8]
    b'Yes.Yes.'
    """

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(zlib.MAX_WBITS | 32)  # tells the two by their first bytes
        self._begun = False

    def pieces(self, data: bytes, left: int) -> Iterator[bytes]:
        """Yield what `data` unpacks to, until there is one byte more than `left`."""
        while data and left >= 0:
            piece = self._unpacked(data, left + 1)
            left -= len(piece)
            yield piece
            data = self._inner.unconsumed_tail

    def _unpacked(self, data: bytes, most: int) -> bytes:
        try:
            piece = self._inner.decompress(data, most)
        except zlib.error as error:
            if self._begun:
                raise Fault("malformed", f"cannot be unpacked ({error})") from None
            self._inner = zlib.decompressobj(-zlib.MAX_WBITS)  # some servers send deflate without its first bytes
            piece = self._bare(data, most)
        self._begun = True
        return piece

    def _bare(self, data: bytes, most: int) -> bytes:
        try:
            return self._inner.decompress(data, most)
        except zlib.error as error:
            raise Fault("malformed", f"cannot be unpacked ({error})") from None


def parsed(body: bytes) -> Any:
    r"""Return the JSON value of a body, or None where it is none; halves of characters become U+FFFD.

    >>> parsed(b'{"text": "Yes \\ud83d."}')
    {'text': 'Yes \ufffd.'}
    """
    try:
        return from_json(body)
    except ValueError:
        pass
    # An answer is paid for: half a character in it, or a byte that is no UTF-8, is no reason to ask again.
    try:
        return _sound(json.loads(body.decode(errors="replace")))
    except (ValueError, RecursionError):
        return None


def _sound(value: Any) -> Any:
    if isinstance(value, str):
        return _HALF.sub("\ufffd", value)
    if isinstance(value, list):
        return [_sound(one) for one in value]
    if isinstance(value, dict):
        return {_sound(name): _sound(one) for name, one in value.items()}
    return value
