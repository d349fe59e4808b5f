"""Checks on lines of records as they are written: the same as those of `python -m queries.records check`.

A generator whose items nobody could ask says so itself, before its file stands there.
"""

from __future__ import annotations

from queries.records import Record, decode
from queries.records.io import Block, repeated
from queries.records.keys import Keys


class LineChecks:
    """Checks the lines of one file, some at a time; remembers a few bytes of each.

    >>> from queries.records.verdict import Verdict
    >>> LineChecks(Verdict, "v.jsonl").checked(b'{"schema": 1}')
    Traceback (most recent call last):
    queries.errors.RecordError: v.jsonl:1: field 'schema' is 1; this version reads 'kgprobe.verdict/1'
    """

    def __init__(self, record: type[Record], path: str) -> None:
        self._record, self._path, self._keys, self._next = record, path, Keys(), 1

    def checked(self, text: bytes) -> bytes:
        """Return the lines as they are. Raises RecordError where one is no such record, or has the key of an earlier one."""
        for line in Block(self._next, text).lines():
            record = decode(line, self._record, self._path)
            if (first := self._keys.add(record.key(), line=line.number)) is not None:
                raise repeated(record, f"{self._path}:{line.number}", first, way_out="bind what tells them apart")
        self._next += text.count(b"\n")
        return text
