r"""Parts of one job, each made by a machine of its own, and how they become the file that one run writes.

`--shard 2/4` makes the second of four parts: a hash of its group says in which part a record is made, so that the records of a
fact stay together. A part holds the records it made and the places of all others: behind each group stands a line without a
record, with a space in it where the group is the part's own, and empty where it is another's. Readers of records skip such
lines, so that a part can be read, checked and audited as it is; `merged` puts the parts together, byte for byte.

>>> part = Shard.parse("1/2")
>>> part.placed(True, b'{"id":"a"}\n') + part.placed(False)
b'{"id":"a"}\n \n\n'
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from kg.errors import InputError, SourceError
from kg.files import line_blocks

_BLOCK = 1 << 18
_MOST = 100_000
_OWN, _ANOTHERS = b" ", b""


class Shard(NamedTuple):
    """One of the parts of a job: its number, from 1, and how many there are."""

    number: int = 1
    of: int = 1

    @classmethod
    def parse(cls, text: str | None) -> Shard:
        """Read what `--shard` was given; nothing is the whole job. Raises InputError where it is no part.

        >>> Shard.parse("5/4")
        Traceback (most recent call last):
        kg.errors.InputError: --shard: '5/4' is no part of a job; write I/N, such as 2/4 for the second of four
        """
        if text is None:
            return cls()
        given = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text, re.ASCII)
        shard = cls(*map(int, given.groups())) if given else cls(0, 0)
        if not 1 <= shard.number <= shard.of <= _MOST:
            way_out = "write I/N, such as 2/4 for the second of four"
            raise InputError(f"'{text}' is no part of a job", place="--shard", way_out=way_out)
        return shard

    def check_alone(self, others: Mapping[str, object], why: str = "is for all of a job, not for a part of it") -> None:
        """Raise InputError for an option given that does not go with a part; `others` are values by the option's name."""
        if not self.whole:
            for name, value in others.items():
                if value:
                    raise InputError(why, place=name, way_out=f"leave out {name} or --shard")

    @property
    def whole(self) -> bool:
        """Say whether it is the whole job."""
        return self.of == 1

    def __str__(self) -> str:
        """Write it as `--shard` reads it."""
        return f"{self.number}/{self.of}"

    def holds(self, group: str) -> bool:
        """Say whether the records of a group are made in this part: a hash (BLAKE2b) of its name says so.

        >>> [number for number in (1, 2, 3) if Shard(number, 3).holds("fpq.Q937.P20.Q138518")]
        [2]
        """
        if self.whole:
            return True
        return int.from_bytes(hashlib.blake2b(group.encode(), digest_size=8).digest(), "little") % self.of == self.number - 1

    def owned(self, groups: Iterable[str]) -> list[bool]:
        """Say of each group whether its records are made in this part."""
        return [self.holds(group) for group in groups]

    def placed(self, own: bool, lines: bytes = b"") -> bytes:
        """Return the lines of a group as they stand in this part, with its place behind them; of the whole job, the lines."""
        if self.whole:
            return lines
        return lines + (_OWN if own else _ANOTHERS) + b"\n"

    def in_place(self, lines: bytes, counts: Iterable[int | None]) -> bytes:
        r"""Put lines at their places: `counts` says how many each group has, null where the group is another part's.

        >>> Shard(1, 2).in_place(b'{"id":"a"}\n{"id":"b"}\n', [2, None, 0])
        b'{"id":"a"}\n{"id":"b"}\n \n\n \n'
        """
        if self.whole:
            return lines
        every, at, parts = lines.splitlines(keepends=True), 0, list[bytes]()
        for count in counts:
            parts.append(self.placed(count is not None, b"".join(every[at : at + (count or 0)])))
            at += count or 0
        return b"".join(parts)


WHOLE = Shard()
"""The whole of a job."""


def merged(parts: Sequence[str]) -> Iterator[bytes]:
    """Yield the lines of the file that one run writes, from the parts of it, in any order; `.gz` is understood.

    Raises SourceError where a file is no part, a part is missing or given twice, or they are of different runs.
    """
    for number, places in enumerate(zip_longest(*map(_places, parts)), 1):
        short = [part for part, place in zip(parts, places, strict=True) if place is None]
        if short:
            raise _other_run(short[0], f"ends before group {number:,}, which other parts have")
        own = [(part, lines) for part, (is_own, lines) in zip(parts, places, strict=True) if is_own]
        if not own:
            raise _other_run(parts[0], f"no part given has made group {number:,}")
        if len(own) > 1:
            raise _other_run(own[1][0], f"has made group {number:,}, as {own[0][0]} has")
        yield from own[0][1]


def _other_run(place: str, problem: str) -> SourceError:
    return SourceError(problem, place=place, way_out="name each part of one run, once (`--shard 1/N` to N/N)")


def _places(path: str) -> Iterator[tuple[bool, list[bytes]]]:
    """Yield of each group whether it is the part's own, and its lines."""
    lines, number = list[bytes](), 0
    for number, line in enumerate(_lines(path), 1):
        if line not in (_OWN, _ANOTHERS):
            lines.append(line)
            continue
        if lines and line == _ANOTHERS:
            raise SourceError("has records that are another part's", place=f"{path}:{number}", way_out="make the part again")
        yield line == _OWN, lines
        lines = []
    if lines or not number:
        way_out = "give what a run with `--shard I/N` wrote"
        raise SourceError("is no part of a job, or is cut off", place=f"{path}:{max(number, 1)}", way_out=way_out)


def _lines(path: str) -> Iterator[bytes]:
    for block in line_blocks(path, _BLOCK):
        yield from block.removesuffix(b"\n").split(b"\n")
