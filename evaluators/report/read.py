"""One set of files, read in one go: columns for the metrics, scripts for the page, and where it all came from.

```
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
```
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from evaluators.cross_checks import known_answers, known_items
from evaluators.entailment import read_entailed
from evaluators.metrics import ITEM_COLUMNS
from evaluators.pool import spread, uncollected
from evaluators.report.items import AnswersByItem, Place, Shard, Shards, shard_size, write_shard
from evaluators.report.source import Key, Source, checked, frame_of
from queries.records import Line, Record
from queries.records.item import Item
from queries.records.response import Response
from queries.records.verdict import Verdict

__all__ = ["Files", "Records", "read_records", "stacked"]

_ANSWERED = ("item", "model", "sample", "text", "finish", "error", "prompt")
_JUDGED = ("item", "model", "sample", "outcome", "reason", "answer", "rationale", "contradicted", "spans", "judge")
_PIECE = 1000  # lines that are checked together
_FRAME = 5000  # lines that become columns together
_SOURCE = ["pivot"]  # what metrics read of an item's `source`, and of its `premise`: the rest would take most of the memory
_PREMISE: dict[str, pl.DataType] = {"premise": pl.Struct({"edit": pl.String, "hops": pl.Int64})}


class Files(NamedTuple):
    """The three files of a set, and what the report calls it; a fourth may say which answers entail the accepted one."""

    label: str | None
    items: str
    responses: str
    verdicts: str
    entailed: str | None = None


@dataclass(frozen=True)
class Records:
    """What was read: frames with the columns that metrics read, the answers with their verdicts, and where it came from."""

    label: str | None
    items: pl.DataFrame
    responses: pl.DataFrame
    verdicts: pl.DataFrame
    answers: AnswersByItem
    inputs: dict[str, Any]
    entailed: pl.DataFrame | None
    shards: Shards | None


def read_records(files: Files, number: int = 0, folder: Path | None = None) -> Records:
    """Read a set, and write its items for the page.

    Parameters: `number` is the set's, `folder` takes the scripts (none are written where it is null).
    Raises RecordError with file, line and field; JoinError where a response's item or a verdict's response is not there.
    """
    responses, verdicts, items = Source(files.responses, Response), Source(files.verdicts, Verdict), Source(files.items, Item)
    with uncollected():
        answered, judged = _whole(responses, _ANSWERED), _whole(verdicts, _JUDGED)
        answers = AnswersByItem(answered, judged)
        origins = _Origins()
        place = Place(folder, number, answers.to_json()) if folder is not None else None
        frame, shards = _items(items, place, origins)
    known_items(answered, frame["id"], files.responses, files.items)
    known_items(judged, frame["id"], files.verdicts, files.items)
    known_answers(judged, answered, files.verdicts, files.responses)
    inputs = _inputs(files, (items, responses, verdicts), answers, origins, judged)
    return Records(files.label, frame, answered, judged, answers, inputs, _entailed(files), shards)


def _entailed(files: Files) -> pl.DataFrame | None:
    """Read which answers entail the accepted one, if a file says so."""
    return read_entailed(files.entailed).with_columns(run=pl.lit(files.label, pl.String)) if files.entailed else None


def _inputs(
    files: Files, sources: Sequence[Source], answers: AnswersByItem, origins: _Origins, judged: pl.DataFrame
) -> dict[str, Any]:
    items, responses, verdicts = ({"name": s.name, "sha256": s.sha256, "count": s.count} for s in sources)
    return {
        "label": files.label,
        "items": items,
        "responses": responses,
        "verdicts": verdicts,
        "entailed": None if files.entailed is None else _file(files.entailed),
        "models": answers.models,
        "generators": sorted(origins.generators),
        "stores": sorted(origins.stores),
        "prompts": answers.prompts,
        "judges": judged["judge"].drop_nulls().unique().sort().to_list(),
        "rules": judged["judge"].has_nulls(),
    }


def _file(path: str) -> dict[str, Any]:
    data = Path(path).read_bytes()
    return {"name": Path(path).name, "sha256": hashlib.sha256(data).hexdigest(), "count": data.count(b"\n")}


class _Lines(NamedTuple):
    """Lines to be checked, and the file they are from."""

    path: str
    number: int
    lines: list[Line]


def _keys(piece: _Lines, model: type[Record]) -> list[Key]:
    return [tuple(getattr(record, name) for name in model.KEY) for record in checked(piece.lines, model, piece.path)]


def _whole(source: Source, columns: Sequence[str]) -> pl.DataFrame:
    """Read responses or verdicts, with the numbers of their lines."""
    frames = []
    pieces = (_Lines(source.path, number, lines) for number, lines in enumerate(source.pieces(_PIECE)))
    for piece, keys in spread(partial(_keys, model=source.model), pieces):
        source.learn(piece.lines, keys)
        numbers = pl.Series("line", [line.number for line in piece.lines], pl.Int64)
        frames.append(frame_of(piece.lines, source.model, columns).with_columns(numbers))
    return pl.concat(frames, rechunk=True)


@dataclass
class _Origins:
    """Which generators made the items, from which states of which stores."""

    generators: set[str] = field(default_factory=set)
    stores: set[str] = field(default_factory=set)

    def learn(self, made: _Made) -> None:
        self.generators |= made.generators
        self.stores |= made.stores


class _Made(NamedTuple):
    """What is kept of a piece of items."""

    keys: list[Key]
    strata: list[str]
    generators: set[str]
    stores: set[str]
    shard: Shard | None


_PLACES: list[Place | None] = []
"""Where the set that is read is written; set before processes are forked, so that they share it instead of copying it."""


def _made(piece: _Lines) -> _Made:
    items = checked(piece.lines, Item, piece.path)
    said = [(item.source.get("generator"), item.source.get("digest")) for item in items]
    return _Made(
        [(item.id,) for item in items],
        list(dict.fromkeys(name for item in items for name in item.strata)),
        {generator for generator, _ in said if generator},
        {digest for _, digest in said if digest},
        write_shard(items, piece.number, _PLACES[-1]) if _PLACES[-1] is not None else None,
    )


def _items(source: Source, place: Place | None, origins: _Origins) -> tuple[pl.DataFrame, Shards | None]:
    """Read the items, and write them for the page."""
    size = shard_size(place.answers) if place is not None else _PIECE
    shards = Shards(place.folder, place.number, size) if place is not None else None
    columns = _Columns()
    _PLACES.append(place)
    try:
        pieces = (_Lines(source.path, number, lines) for number, lines in enumerate(source.pieces(size)))
        for piece, made in spread(_made, pieces):
            source.learn(piece.lines, made.keys)
            origins.learn(made)
            columns.add(piece.lines, made.strata)
            if shards is not None and made.shard is not None:
                shards.add(made.shard)
    finally:
        _PLACES.pop()
    return stacked(columns.close()), shards


class _Columns:
    """Makes frames of lines of items, of many pieces at once."""

    def __init__(self) -> None:
        self._frames: list[pl.DataFrame] = []
        self._lines: list[Line] = []
        self._strata: dict[str, None] = {}

    def add(self, lines: Sequence[Line], strata: Sequence[str]) -> None:
        self._lines += lines
        self._strata |= dict.fromkeys(strata)
        if len(self._lines) >= _FRAME:
            self.close()

    def close(self) -> list[pl.DataFrame]:
        if self._lines:
            open_fields = {"strata": list(self._strata), "source": _SOURCE}
            self._frames.append(frame_of(self._lines, Item, ITEM_COLUMNS, open_fields, _PREMISE))
        self._lines, self._strata = [], {}
        return self._frames


def stacked(frames: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Put frames of items under each other, whatever strata each has; an item that comes again is left out."""
    names = list(dict.fromkeys(name for frame in frames for name in _strata(frame)))
    return pl.concat([_with_strata(frame, names) for frame in frames], rechunk=True).unique(
        "id", keep="first", maintain_order=True
    )


def _strata(frame: pl.DataFrame) -> list[str]:
    strata = frame.schema["strata"]
    return list(strata.to_schema()) if isinstance(strata, pl.Struct) else []


def _with_strata(frame: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    have, whole = set(_strata(frame)), pl.col("strata").struct
    fields = [(whole.field(name) if name in have else pl.lit(None, pl.String)).alias(name) for name in names]
    return frame.with_columns(strata=pl.struct(fields)) if fields else frame
