"""JSON-LD some nodes at a time: Oxigraph holds a document as a whole, so a long one is cut into documents of its nodes.

A document of a context and an array of nodes says what its nodes say under that context, each alone or together (JSON-LD 1.1,
section 4.9): a blank name is the same in all of them. What begins otherwise is read whole.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import IO, Any, NamedTuple, cast

_BLOCK = 2**20
_HEAD = 2**20
"""Bytes of a document in which its array of nodes has to begin."""
_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*("?)|[{}\[\]]', re.DOTALL)
_BETWEEN = b" \t\r\n,"


class Document(NamedTuple):
    """What is read at once, and how many lines of the file stand before it."""

    content: IO[bytes]
    before: int


class _Nodes(NamedTuple):
    """Where an array of nodes begins, and what stands around some of them, before all and behind all, to make documents."""

    start: int
    opening: bytes
    closing: bytes
    before: bytes
    behind: bytes


def documents_of(stream: IO[bytes]) -> Iterator[Document]:
    r"""Yield documents that together say what a document says, of a megabyte or two but for what has a shape of its own.

    >>> nodes = b'{"@context": {"@vocab": "http://e/"}, "@graph": [\n{"@id": "http://e/a"}, {"@id": "http://e/b"}]}'
    >>> [(document.before, document.content.read()) for document in documents_of(io.BytesIO(nodes))][1]
    (1, b'{"@context":{"@vocab": "http://e/"},"@graph":[{"@id": "http://e/a"}, {"@id": "http://e/b"}]}')
    """
    words, text = _InOwnWords(stream), b""
    while len(text) < _HEAD and (more := words.read(_BLOCK)):
        text += more
    nodes = _nodes_in(text)
    if nodes is None:
        words.unread(text)
        yield Document(cast("IO[bytes]", io.BufferedReader(words)), 0)
        return
    yield Document(io.BytesIO(nodes.before), 0)  # what is wrong with the context is told of its own lines
    lines = text.count(b"\n", 0, nodes.start)
    text = text[nodes.start :]
    depth = at = 0
    ended = False
    while not ended:
        depth, at, cut, ended = _scanned(text, depth, at)
        more = b"" if ended else words.read(_BLOCK)
        some = text[:at] if ended else text[:cut] if more else text
        bare = some.lstrip(_BETWEEN)
        if bare:
            whole = nodes.opening + bare + (nodes.closing if ended or more else b"")
            yield Document(io.BytesIO(whole), lines + some.count(b"\n", 0, len(some) - len(bare)))
        lines += some.count(b"\n")
        text, at = text[len(some) :] + more, at - len(some)
        if not ended and not more:
            return
    words.unread(nodes.behind + text[1:])
    yield Document(cast("IO[bytes]", io.BufferedReader(words)), lines)


def _scanned(text: bytes, depth: int, at: int) -> tuple[int, int, int, bool]:
    """Go on in an array from a place at a depth: to which depth and place, where the last whole thing ends, whether all do."""
    cut = 0
    for token in _TOKEN.finditer(text, at):
        if token[0][:1] == b'"':
            if not token[1]:
                break  # it goes on in the next block
        elif token[0] in b"{[":
            depth += 1
        elif not depth:
            return depth, token.start(), cut, True
        else:
            depth -= 1
            cut = cut if depth else token.end()
        at = token.end()
    return depth, at, cut, False


def _nodes_in(text: bytes) -> _Nodes | None:
    """Find the array of nodes that a document is, or has behind its context; None where something else stands before it."""
    first = len(text) - len(text.lstrip())
    if text[first : first + 1] == b"[":
        return _Nodes(first + 1, b"[", b"]", b"[]", b"[]")
    depth = begin = end = 0
    key, context = b"", b""
    for token in _TOKEN.finditer(text):
        sign = token[0][:1]
        if depth == 1 and not key:
            if sign != b'"':
                return None
            key, end = token[0], token.end()
            continue
        if depth == 1:
            if text[end : token.start()].strip() != b":":
                return None
            if key == b'"@graph"' and sign == b"[" and context:
                flat = b'{"@context":' + context.replace(b"\n", b" ")
                return _Nodes(token.end(), flat + b',"@graph":[', b"]}", text[:begin] + context + b"}", flat)
            if key != b'"@context"' or context:
                return None
            begin = token.start()
        depth += (sign in b"{[") - (sign in b"}]")
        if depth == 1 and key:
            key, context = b"", text[begin : token.end()]
    return None


class _InOwnWords(io.RawIOBase):
    """A stream of JSON-LD in which the context of schema.org, a page that is not fetched, is the vocabulary that it names."""

    _CONTEXT = re.compile(rb'("@context"\s*:\s*(?:\[\s*)?)"https?://schema\.org/?(?:docs/jsonldcontext\.jsonld?)?"')
    _VOCABULARY = rb'\1{"@vocab": "http://schema.org/"}'
    _LONGEST = 256

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._ready, self._rest = stream, b"", b""

    def readable(self) -> bool:
        return True

    def unread(self, text: bytes) -> None:
        """Put a text before what is still to be read."""
        self._ready = text + self._ready

    def readinto(self, into: Any, /) -> int:
        while not self._ready:
            block = self._stream.read(_BLOCK)
            text = self._CONTEXT.sub(self._VOCABULARY, self._rest + block)
            # The end of a block may be the beginning of a context.
            keep = self._LONGEST if block else 0
            self._ready, self._rest = (text[:-keep], text[-keep:]) if keep else (text, b"")
            if not block:
                break
        size = min(len(into), len(self._ready))
        into[:size], self._ready = self._ready[:size], self._ready[size:]
        return size
