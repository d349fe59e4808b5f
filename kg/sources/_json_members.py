"""The members of the objects within a JSON object, one after the other: of a file of any size, memory holds one member."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from kg.errors import SourceError
from kg.files import byte_blocks

_BLOCK = 2**22
_LONGEST = 2**28
"""Characters of a member: what is longer is no entity, and would fill the memory."""

_SPACE = re.compile(r"[ \t\n\r]*+")
_WAY_OUT = "fetch the file again; it may be cut off or damaged"
# Numbers stay texts: 1.10 is not 1.1, and a float would round what has many digits.
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)


class Member(NamedTuple):
    """A member of a section: `{"section": {"key": value}}`. Without a key it is the section, as it begins or as no object."""

    section: str
    key: str | None
    value: Any
    line: int


def members(path: Path, tap: Callable[[bytes], object] | None = None) -> Iterator[Member]:
    """Read a JSON object of objects: each member of each of them, in order; a root that is no object is a member of "".

    Parameters: `tap` is given the file's bytes as they are read, before they are unzipped.
    Raises SourceError for what is not JSON (with line and column), nested too deeply, or not UTF-8.
    """
    text = _Text(path, tap)
    try:
        yield from _sections(text)
        if text.next():
            raise text.fault("Extra data", text.at)
    except RecursionError:
        raise SourceError("is nested too deeply to be a knowledge base", place=str(path), way_out=_WAY_OUT) from None


def _sections(text: _Text) -> Iterator[Member]:
    if text.next() != "{":
        yield Member("", None, text.value(), text.line)
        return
    for section in text.each_key():
        line = text.line
        if text.next() != "{":
            yield Member(section, None, text.value(), line)
            continue
        yield Member(section, None, {}, line)
        for key in text.each_key():
            line = text.line
            yield Member(section, key, text.value(), line)


class _Text:
    """The text of a file, of which some is held: `at` is where it is being read."""

    def __init__(self, path: Path, tap: Callable[[bytes], object] | None) -> None:
        self.path, self.held, self.at = path, "", 0
        self._lines, self._column = 1, 1  # where the text that is held begins
        self._seen, self._line = 0, 1
        self._blocks = byte_blocks(path, _BLOCK, tap=tap)
        self._decode: Any = None

    @property
    def line(self) -> int:
        """The line that is being read; lines are counted from where that was asked for the last time."""
        self._seen, self._line = self.at, self._line + self.held.count("\n", self._seen, self.at)
        return self._line

    def next(self) -> str:
        """Skip blanks, and return the sign that follows; "" at the end."""
        while True:
            match = _SPACE.match(self.held, self.at)
            self.at = match.end() if match else self.at
            if self.at < len(self.held):
                return self.held[self.at]
            if not self._more():
                return ""

    def each_key(self) -> Iterator[str]:
        """Read the keys of an object, which begins here; who asks for the next one has read the value."""
        self.at += 1
        first = True
        while (sign := self.next()) != "}":
            if not first:
                self._expect(",", sign)
                sign = self.next()
            if sign != '"':
                raise self.fault("Expecting property name enclosed in double quotes", self.at)
            key = self.value()
            self._expect(":", self.next())
            first = False
            self._drop()
            yield key
        self.at += 1

    def value(self) -> Any:
        """Read a value, which begins here after blanks."""
        self.next()
        while True:
            try:
                value, end = _DECODER.raw_decode(self.held, self.at)
                if end < len(self.held) or not self._more():  # a number may go on
                    self.at = end
                    return value
            except json.JSONDecodeError as error:
                cut = error.msg.startswith("Unterminated string") or error.pos > len(self.held) - 16
                if not (cut and len(self.held) - self.at < _LONGEST and self._more()):
                    raise self.fault(error.msg, error.pos) from error

    def _expect(self, wanted: str, sign: str) -> None:
        if sign != wanted:
            raise self.fault(f"Expecting '{wanted}' delimiter", self.at)
        self.at += 1

    def fault(self, message: str, at: int) -> SourceError:
        """Return the error about what stands at a place of the text that is held."""
        before = self.held.count("\n", 0, at)
        column = at - self.held.rfind("\n", 0, at) if before else self._column + at
        place = f"{self.path}:{self._lines + before}:{column}"
        return SourceError(f"is not JSON ({message})", place=place, way_out=_WAY_OUT)

    def _drop(self) -> None:
        """Let go of what has been read, where that is much."""
        if self.at > _BLOCK:
            self._seen, self._line = 0, self.line
            lines = self.held.count("\n", 0, self.at)
            self._column = self.at - self.held.rfind("\n", 0, self.at) if lines else self._column + self.at
            self._lines, self.held, self.at = self._lines + lines, self.held[self.at :], 0

    def _more(self) -> bool:
        """Hold more of the text; say whether there is any."""
        block = next(self._blocks, None)
        if block is None and self._decode is None:
            return False
        if self._decode is None:
            self._decode = codecs.getincrementaldecoder(json.detect_encoding(block or b""))()
        try:
            self.held += self._decode.decode(block or b"", final=block is None)
        except UnicodeDecodeError as error:
            line = self._lines + self.held.count("\n") + error.object.count(b"\n", 0, error.start)
            raise SourceError("is not UTF-8 text", place=f"{self.path}:{line}", way_out=_WAY_OUT) from error
        if block is None:
            self._decode = None
        return block is not None
