"""Checks on lines of records as a generator writes them: the same as those of `python -m queries.records check`.

A generator whose items nobody could ask says so itself, before its file stands there.
"""

from __future__ import annotations

from queries.errors import RecordError
from queries.records import Record
from queries.records.keys import Keys
from queries.records.record import LineError, decoder


class LineChecks:
    """Checks the lines of one file, some at a time; remembers a few bytes of each.

    >>> from queries.records.verdict import Verdict
    >>> LineChecks(Verdict, "v.jsonl").checked(b'{"schema": 1}')
    Traceback (most recent call last):
    queries.errors.RecordError: v.jsonl:1: field 'schema' is 1; this version reads 'kgprobe.verdict/1'
    """

    def __init__(self, record: type[Record], path: str) -> None:
        self._decode, self._path, self._keys, self._lines = decoder(record), path, Keys(), 0

    def checked(self, text: bytes) -> bytes:
        """Return the lines as they are. Raises RecordError where one is no such record, or has the key of an earlier one."""
        for line in text.splitlines():
            self._lines += 1
            place = f"{self._path}:{self._lines}"
            try:
                record = self._decode(line)
            except LineError as error:
                raise error.faults[0].error(place) from None
            if (first := self._keys.add(record.key(), line=self._lines)) is not None:
                key = ", ".join(f"{name} {value}" for name, value in zip(record.KEY, record.key(), strict=True))
                problem = f"the {type(record).__name__.lower()} of line {first} has the {key} too"
                raise RecordError(problem, place=place, way_out="bind what tells them apart")
        return text
