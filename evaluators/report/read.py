"""The files of a run, read in one go: columns for the metrics, scripts for the page, and where it all came from.

Only a few pieces of the lines are in memory at a time, so that a file of 200,000 items is read in little room.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from evaluators.cross_checks import current, known_answers, known_items
from evaluators.entailment import read_entailed
from evaluators.metrics import ITEM_COLUMNS
from evaluators.pool import spread
from evaluators.report.claims import measured_claims, read_claims, shown_claims
from evaluators.report.items import AnswersByItem, Place, Shard, Shards, shard_size, write_shard
from evaluators.report.prompts import Sent, SentPrompts
from kg.output import short
from queries.records import Item, Line, Record, Response, Verdict, blocks, decode
from queries.records.io import JsonRows, check_names, frame_of, unrepeated
from queries.records.response import Lookup, Trace

_ANSWERED = ("item", "model", "sample", "text", "finish", "error", "prompt", "usage", "seconds")
_JUDGED = (
    "item",
    "model",
    "sample",
    "outcome",
    "reason",
    "answer",
    "rationale",
    "contradicted",
    "spans",
    "judge",
    "confidence",
    "text",
    "evidence",
)
_PIECE = 1000  # lines that are checked together
_FRAME = 5000  # lines that become columns together
_SOURCE = ["pivot", "read"]  # what metrics read of `source` and `premise`: the rest would take most of the memory
_PREMISE: dict[str, pl.DataType] = {"premise": pl.Struct({"edit": pl.String, "hops": pl.Int64})}


class RunFiles(NamedTuple):
    """The files of a run, and what the report calls it; items alone are shown before a model is asked."""

    label: str | None
    items: str
    responses: str | None = None
    verdicts: str | None = None
    entailed: str | None = None
    claims: str | None = None


@dataclass(frozen=True)
class Run:
    """What was read: frames with the columns that metrics read, the answers with their verdicts, and where it came from.

    `prompts` are the texts that several prompts share; null where the records have no prompts.
    """

    label: str | None
    items: pl.DataFrame
    responses: pl.DataFrame
    verdicts: pl.DataFrame
    answers: AnswersByItem
    inputs: dict[str, Any]
    entailed: pl.DataFrame | None
    claims: pl.DataFrame | None
    shards: Shards | None
    prompts: list[str] | None


def read_run(files: RunFiles, number: int = 0, folder: Path | None = None) -> Run:
    """Read a run, and write its items for the page.

    Parameters: `number` is the run's, `folder` takes the scripts (none are written where it is null).
    Raises RecordError with file, line and field; JoinError where a response's item or a verdict's response is not there.
    """
    items, responses, verdicts = _File(files.items), _opened(files.responses), _opened(files.verdicts)
    answered, judged = _whole(responses, Response, _ANSWERED), _whole(verdicts, Verdict, _JUDGED)
    judged = current(judged, answered, files.verdicts or "", files.responses or "")
    claims = read_claims(files.claims) if files.claims else None
    if claims is not None:
        known_answers(claims.with_row_index("line", 1), answered, files.claims or "", files.responses or "")
    answers = AnswersByItem(answered, judged, None if claims is None else shown_claims(claims))
    origins = _Origins()
    sent = SentPrompts.of(answered) if folder is not None else None
    place = Place(folder, number, answers.to_json(), sent.by_item) if folder is not None and sent is not None else None
    frame, shards = _items(items, place, origins)
    if files.responses and files.verdicts:
        known_items(answered, frame["id"], files.responses, files.items)
        known_items(judged, frame["id"], files.verdicts, files.items)
        known_answers(judged, answered, files.verdicts, files.responses)
    measured = None if claims is None else measured_claims(claims, files.label)
    inputs = _inputs(files, (items, responses, verdicts), answers, origins, judged)
    shared = sent.shared if sent is not None and sent.by_item.blob else None
    return Run(
        files.label,
        frame,
        answered.drop(*Sent._fields, "lookups"),
        judged,
        answers,
        inputs,
        _entailed(files),
        measured,
        shards,
        shared,
    )


def _entailed(files: RunFiles) -> pl.DataFrame | None:
    """Read which answers entail the accepted one, if a file says so."""
    return read_entailed(files.entailed).with_columns(run=pl.lit(files.label, pl.String)) if files.entailed else None


def _inputs(
    files: RunFiles, sources: Sequence[_File | None], answers: AnswersByItem, origins: _Origins, judged: pl.DataFrame
) -> dict[str, Any]:
    items, responses, verdicts = (
        None if source is None else {"name": source.name, "sha256": source.sha256, "count": source.count} for source in sources
    )
    return {
        "label": files.label,
        "items": items,
        "responses": responses,
        "verdicts": verdicts,
        "entailed": None if files.entailed is None else _file(files.entailed),
        **({"claims": _file(files.claims)} if files.claims else {}),
        "models": answers.models,
        "generators": sorted(origins.generators),
        "stores": sorted(origins.stores),
        "prompts": answers.prompts,
        "judges": judged["judge"].drop_nulls().unique().sort().to_list(),
        "rules": judged.height > 0 and judged["judge"].has_nulls(),
    }


def _file(path: str) -> dict[str, Any]:
    data = Path(path).read_bytes()
    return {"name": Path(path).name, "sha256": hashlib.sha256(data).hexdigest(), "count": data.count(b"\n")}


class _Batch(NamedTuple):
    """Lines that are worked on together."""

    number: int
    numbered: list[Line]

    def lines(self) -> list[Line]:
        """Return the lines."""
        return self.numbered


class _File:
    """A file that is read once; `sha256` and `count` are known when it was read to its end."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.name = "stdin" if path == "-" else Path(path).name
        self.sha256, self.count = "", 0

    def pieces(self, size: int) -> Iterator[_Batch]:
        """Yield the lines that are not blank, `size` at a time."""
        digest, number = hashlib.sha256(), 0
        numbered = (line for block in blocks(self.path, digest.update) for line in block.lines())
        while piece := list(islice(numbered, size)):
            self.count += len(piece)
            yield _Batch(number, piece)
            number += 1
        self.sha256 = digest.hexdigest()


def _opened(path: str | None) -> _File | None:
    return None if path is None else _File(path)


class _Checked(NamedTuple):
    """What is kept of checked lines: numbers, hashes of keys, fields on their way to columns, ways of drawing, prompts."""

    lines: list[int]
    keys: list[int]
    rows: JsonRows
    ways: list[str | None]
    prompts: list[Sent | None]
    sure: list[float | None]
    lookups: list[str | None]

    @classmethod
    def of(cls, piece: _Batch, records: Sequence[Record], columns: Sequence[str]) -> _Checked:
        """Keep some columns of the records that stand in lines."""
        numbers = [line.number for line in piece.numbered]
        ways = [_way(record) if isinstance(record, Response) else None for record in records]
        prompts = [Sent.of(record) if isinstance(record, Response) else None for record in records]
        sure = [_sure(record) if isinstance(record, Response) else None for record in records]
        lookups = [_lookups(record) if isinstance(record, Response) else None for record in records]
        keys = [hash(record.key()) for record in records]
        return cls(numbers, keys, JsonRows.of(records, columns), ways, prompts, sure, lookups)


def _way(response: Response) -> str | None:
    """Return as JSON which version of a model answered, and with which parameters; null where the record does not say."""
    if response.served is None and not response.decoding:
        return None
    return json.dumps([response.served, list(response.decoding.items())], ensure_ascii=False)


def _sure(response: Response) -> float | None:
    """Return the geometric mean of the probabilities of an answer's tokens: the lists themselves would take much memory."""
    tokens = response.logprobs
    return math.exp(sum(token.logprob for token in tokens) / len(tokens)) if tokens else None


def _lookups(response: Response) -> str | None:
    """Return as JSON what a model looked up, as the page shows it; null where it had no graph."""
    return None if response.trace is None else json.dumps(shown_lookups(response.trace), ensure_ascii=False)


def _checked(piece: _Batch, path: str, record: type[Record], columns: Sequence[str]) -> _Checked:
    return _Checked.of(piece, [decode(line, record, path) for line in piece.numbered], columns)


def _whole(file: _File | None, record: type[Record], columns: Sequence[str]) -> pl.DataFrame:
    """Read responses or verdicts, with the numbers of their lines; none where there is no file."""
    if file is None:
        none = pl.lit(None, pl.String)
        return frame_of([], record, columns).with_columns(
            line=pl.lit(None, pl.Int64), way=none, turns=none, same=none, sure=pl.lit(None, pl.Float64), lookups=none
        )
    work = partial(_checked, path=file.path, record=record, columns=columns)
    frames = []
    for _, checked in unrepeated(spread(work, file.pieces(_PIECE)), record, file.path):
        numbers = pl.Series("line", checked.lines, pl.Int64)
        ways = pl.Series("way", checked.ways, pl.String)
        sent = [
            pl.Series(name, [prompt and getattr(prompt, name) for prompt in checked.prompts], pl.String)
            for name in Sent._fields
        ]
        sure = pl.Series("sure", checked.sure, pl.Float64)
        lookups = pl.Series("lookups", checked.lookups, pl.String)
        frames.append(frame_of([checked.rows], record, columns).with_columns(numbers, ways, *sent, sure, lookups))
    return pl.concat(frames, rechunk=True)


@dataclass
class _Origins:
    """Which generators made the items, from which states of which stores."""

    generators: set[str] = field(default_factory=set)
    stores: set[str] = field(default_factory=set)

    def learn(self, piece: _CheckedItems) -> None:
        self.generators |= piece.generators
        self.stores |= piece.stores


class _CheckedItems(NamedTuple):
    """What is kept of a piece of items."""

    checked: _Checked
    generators: set[str]
    stores: set[str]
    shard: Shard | None

    @property
    def lines(self) -> list[int]:
        """The numbers of the lines."""
        return self.checked.lines

    @property
    def keys(self) -> list[int]:
        """The hashes of the ids."""
        return self.checked.keys


_PLACES: list[Place | None] = []
"""Where the run that is read is written; filled before processes are forked, so that they share it instead of copying it."""


def _checked_items(piece: _Batch, path: str) -> _CheckedItems:
    items, place = [decode(line, Item, path) for line in piece.numbered], _PLACES[-1]
    origins = [(item.source.get("generator"), item.source.get("digest")) for item in items]
    return _CheckedItems(
        _Checked.of(piece, items, ITEM_COLUMNS),
        {generator for generator, _ in origins if generator},
        {digest for _, digest in origins if digest},
        write_shard(items, piece.number, place) if place is not None else None,
    )


def _items(file: _File, place: Place | None, origins: _Origins) -> tuple[pl.DataFrame, Shards | None]:
    """Read the items, and write them for the page."""
    size = shard_size(place.answers) if place is not None else _PIECE
    shards = Shards(place.folder, place.number, size) if place is not None else None
    columns = _Columns(file.path)
    _PLACES.append(place)
    try:
        for _, piece in unrepeated(spread(partial(_checked_items, path=file.path), file.pieces(size)), Item, file.path):
            origins.learn(piece)
            columns.add(piece.checked)
            if shards is not None and piece.shard is not None:
                shards.add(piece.shard)
    finally:
        _PLACES.pop()
    return stacked(columns.close()), shards


class _Columns:
    """Makes frames of items, of many pieces at once."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._frames: list[pl.DataFrame] = []
        self._rows: list[JsonRows] = []
        self._names = JsonRows(b"", {})
        self._waiting = 0

    def add(self, checked: _Checked) -> None:
        self._rows.append(checked.rows)
        self._waiting += len(checked.lines)
        if self._waiting >= _FRAME:
            self.close()

    def close(self) -> list[pl.DataFrame]:
        if self._rows:
            check_names((self._names, *self._rows), self._path)
            for row in self._rows:
                for name, occurring in row.open_fields.items():
                    self._names.open_fields[name] = list({*self._names.open_fields.get(name, ()), *occurring})
            self._frames.append(frame_of(self._rows, Item, ITEM_COLUMNS, open_fields={"source": _SOURCE}, types=_PREMISE))
        self._rows, self._waiting = [], 0
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


_ROWS = 20
"""So many rows of a query are shown."""
_CELL = 200
"""So many letters of a term are shown."""


def shown_lookups(trace: Trace) -> list[Any]:
    """Return the graph that was asked, what relative IRIs were relative to, and the lookups in order.

    A lookup is its query, its columns, the first of its rows, how many more there are (at least), the truth that an ASK
    returned, the error that came instead, and the seconds that it took.

    >>> lookup = Lookup(query="SELECT ?a { ?a ?b ?c }", columns=["a"], rows=[["<urn:x/y>"]], more=True)
    >>> shown_lookups(Trace(graph="sha256:0", lookups=[lookup], base="urn:x/"))
    ['sha256:0', 'urn:x/', [['SELECT ?a { ?a ?b ?c }', ['a'], [['<y>']], [0, True], None, None, None]]]
    """
    return [trace.graph, trace.base, [_shown(lookup, trace.base) for lookup in trace.lookups]]


def _shown(lookup: Lookup, base: str | None) -> list[Any]:
    rows = [[_clipped(short(term, base)) if term else "" for term in row] for row in lookup.rows[:_ROWS]]
    more = [len(lookup.rows) - len(rows), lookup.more]
    return [lookup.query, lookup.columns, rows, more, lookup.truth, lookup.error, lookup.seconds]


def _clipped(text: str) -> str:
    return text if len(text) <= _CELL else f"{text[: _CELL - 1]}…"
