"""The proofs of items, each distinct one once: a benchmark states most of its facts many times.

Of a line of a file, `id` and `proof` alone are taken, and of proofs that stand there byte for byte alike one is read.
"""

from __future__ import annotations

import io
import json
from array import array
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import polars as pl

from kg.errors import SourceError
from kg.files import line_blocks
from queries.records import frame_schema
from queries.records.item import Item
from queries.records.shards import WHOLE, Shard

_BLOCK = 8 * 2**20
HELD = 256 * 2**20
"""How many bytes of distinct proofs and of ids are held at a time."""
FIELDS = ("query", "bind", "expect", "rows")
_SCHEMA = pl.DataFrame(schema={"proof": frame_schema(Item)["proof"]}).explode("proof").unnest("proof").schema
_WAY_OUT = "give a file of items (`python -m queries.records check`)"


class Proofs(NamedTuple):
    """The proofs of some items.

    `items`, `without`: how many items there are, and how many carry no proof; `owners`: `id` and `key` of every proof;
    `distinct`: `key, query, bind, expect, rows` of every distinct one; `graphs`: name and digest of the graphs that the items
    say they were made from.
    """

    items: int
    without: int
    owners: pl.DataFrame
    distinct: pl.DataFrame
    graphs: frozenset[tuple[str, str]] = frozenset()

    def of_items(self, ids: Collection[str]) -> Proofs:
        """Return the proofs of some of the items."""
        owners = self.owners.filter(pl.col("id").is_in(list(ids)))
        distinct = self.distinct.join(owners.select("key").unique(), on="key", how="semi", maintain_order="left")
        return self._replace(items=owners["id"].n_unique(), without=0, owners=owners, distinct=distinct)


def proofs_of(items: pl.DataFrame) -> Proofs:
    """Return the proofs of items of which the columns `id` and `proof` are in memory."""
    exploded = items.select("id", "proof").explode("proof", empty_as_null=False).unnest("proof")
    distinct = exploded.select(FIELDS).unique(maintain_order=True).with_row_index("key")
    keyed = exploded.join(distinct, on=FIELDS, nulls_equal=True, maintain_order="left")
    without = items.filter(pl.col("proof").list.len() == 0).height
    return Proofs(items.height, without, keyed.select("id", "key"), distinct)


def proof_batches(path: str | Path, held: int = HELD, *, place: str | None = None, shard: Shard = WHOLE) -> Iterator[Proofs]:
    """Read the proofs of a file of items (`.gz` and `-` are understood), about `held` bytes of them at a time.

    Parameters: `place` is what errors call the file; of a `shard`, the items of its groups are read.
    Raises SourceError naming the line of what is not an item.
    """
    place = place or str(path)
    batch, empty = _Batch(place, shard), True
    for number, line in _lines(path):
        empty = False
        batch.add(number, line)
        if batch.size > held:
            yield batch.proofs()
            batch = _Batch(place, shard)
    if empty:
        raise SourceError("holds no items", place=place, way_out="make some with `python -m generators.fpq`")
    if batch.items or not shard.whole:
        yield batch.proofs()


def _lines(path: str | Path) -> Iterator[tuple[int, bytes]]:
    """Return the lines that are not blank, with their numbers."""
    first = 1
    for block in line_blocks(path, _BLOCK):
        text = block.removeprefix(b"\xef\xbb\xbf") if first == 1 else block
        for number, line in enumerate(text.split(b"\n"), first):
            if line and not line.isspace():
                yield number, line
        first += block.count(b"\n")


class _Source(msgspec.Struct, frozen=True):
    graph: Any = None
    digest: Any = None


class _Line(msgspec.Struct):
    """What an audit reads of an item: each proof as its bytes."""

    id: str
    proof: list[msgspec.Raw]
    group: Any = None
    source: _Source | None = None


def group_named(item: str, group: object) -> str:
    """Return the group of an item, which is its id where it names none.

    >>> group_named("a", "g"), group_named("a", None)
    ('g', 'a')
    """
    return group if isinstance(group, str) else item


class _Bound(msgspec.Struct):
    name: str
    term: str


class _Proof(msgspec.Struct):
    query: str
    bind: list[_Bound] | None = None
    expect: bool | None = None
    rows: list[list[str]] | None = None


_decode_line = msgspec.json.Decoder(_Line).decode
_decode_proof = msgspec.json.Decoder(_Proof).decode


@dataclass
class _Batch:
    """The proofs of some lines, as they are gathered: the place of each distinct one by its bytes, and who states it."""

    path: str
    shard: Shard = WHOLE
    items: int = 0
    without: int = 0
    size: int = 0
    ids: list[str] = field(default_factory=list)
    keys: array[int] = field(default_factory=lambda: array("I"))
    distinct: dict[bytes, int] = field(default_factory=dict)
    graphs: set[tuple[str, str]] = field(default_factory=set)

    def add(self, number: int, line: bytes) -> None:
        """Add the item of a line. Raises SourceError naming the line where it is none."""
        try:
            item = _decode_line(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise self._fault(number, _fault_of(line)) from error
        if not self.shard.holds(group_named(item.id, item.group)):
            return
        for raw in map(bytes, item.proof):
            new = len(self.distinct)
            key = self.distinct.setdefault(raw, new)
            if key == new:
                self._check(number, raw)
            self.ids.append(item.id)
            self.keys.append(key)
        if item.source is not None and isinstance(item.source.digest, str):
            self.graphs.add((str(item.source.graph), item.source.digest))
        self.items += 1
        self.without += not item.proof
        self.size += len(item.id)

    def _check(self, number: int, raw: bytes) -> None:
        try:
            raw.decode()  # what a field that nobody reads holds is not looked at otherwise
            _decode_proof(raw)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise self._fault(number, f"has a proof that is none ({error})") from error
        self.size += len(raw)

    def _fault(self, number: int, problem: str) -> SourceError:
        return SourceError(problem, place=f"{self.path}:{number}", way_out=_WAY_OUT)

    def proofs(self) -> Proofs:
        """Return the proofs of the lines added."""
        frame = pl.DataFrame(schema=_SCHEMA)
        if self.distinct:
            frame = pl.read_ndjson(io.BytesIO(b"\n".join(self.distinct)), schema=_SCHEMA)
        owners = pl.DataFrame([pl.Series("id", self.ids, pl.String), pl.Series("key", self.keys, pl.UInt32)])
        return Proofs(self.items, self.without, owners, frame.with_row_index("key"), frozenset(self.graphs))


def _fault_of(line: bytes) -> str:
    try:
        item = json.loads(line)
    except (ValueError, RecursionError):
        return "is not JSON"
    if not isinstance(item, dict) or not isinstance(item.get("id"), str):
        return "has no 'id'"
    return "cannot be read" if isinstance(item.get("proof"), list) else "has no list 'proof'"
