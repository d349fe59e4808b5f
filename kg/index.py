"""A store's columns as numbers, in a folder within it: what generators and audits read, and need not ask for again.

To pull the columns by SPARQL takes seconds from a large store, most of them to look up strings. So `kg load` writes them once,
by predicate, every IRI as a number; the queries of the same names in `queries/library` say what they mean. They go by the
digest of the data: what is stale or damaged is made anew.

```
python -c 'import kg; print(kg.LocalGraph.open("./wd").index().frame("labels"))'
```
"""

from __future__ import annotations

import hashlib
import io
import math
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Self

import msgspec
import numpy as np
import numpy.typing as npt
import polars as pl

from kg.sorted_runs import lines_of
from kg.terms import copied, texts_of
from kg.vocab import KGP, RDF_TYPE, RDFS_LABEL, SKOS_ALT, SUBCLASS

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "facts": ("s", "p", "o"),
    "concepts": ("e", "c"),
    "superconcepts": ("c", "d"),
    "labels": ("e", "label"),
    "aliases": ("e", "alias"),
    "popularity": ("e", "n"),
    "relations": ("p", "label"),
    "attributes": ("p", "label"),
}
"""What an index holds: the views of `queries/library` by name, with their variables."""

TEXTS = frozenset(("label", "alias", "n"))
"""The columns that hold texts; all others hold numbers."""

FOLDER = "index"
"""What the folder is called that holds the index, within the folder of the store."""

_SCHEMA = "kgprobe.index/2"
_MANIFEST = "index.json"
_NAMES = "iris"
_BY_PREDICATE = {
    "concepts": f"<{RDF_TYPE}>",
    "superconcepts": f"<{SUBCLASS}>",
    "labels": f"<{RDFS_LABEL}>",
    "aliases": f"<{SKOS_ALT}>",
    "popularity": f"<{KGP}popularity>",
}
_DECLARED = {"relations": f"<{KGP}Relation>", "attributes": f"<{KGP}Attribute>"}
_NO_CONCEPTS = [*_DECLARED.values(), f"<{KGP}Qualifier>"]
_LINE = ("s", "p", "o")
_LARGEST = 2**62
_HELD = 2**19
"""So many facts are put in order at a time."""
_ROW = 4 * len(_LINE)
"""The bytes of a fact: three numbers."""


class Index:
    """The columns of a graph: `iris`, all that they name, sorted, and frames of their places in it (u32) and of texts.

    >>> lines = b'<u:b> <http://www.w3.org/2000/01/rdf-schema#label> "B"@en .\\n'
    >>> with IndexBuild([]) as build:
    ...     index = build.add(lines).finish()
    >>> index.frame("labels").rows(), index.texts("labels").rows()
    ([(0, 'B')], [('u:b', 'B')])
    """

    def __init__(self, iris: pl.Series, frames: Mapping[str, pl.DataFrame]) -> None:
        self.iris, self._frames = iris, frames

    @property
    def size(self) -> int:
        """How many IRIs there are: every number is smaller."""
        return len(self.iris)

    def frame(self, view: str) -> pl.DataFrame:
        """Return a view, each row once, IRIs as numbers; of `edges`, too, which are the facts' ends."""
        return self._frames["facts"].select("s", "o").unique() if view == "edges" else self._frames[view]

    def texts(self, view: str) -> pl.DataFrame:
        """Return a view, each row once, IRIs as texts."""
        frame = self.frame(view)
        return frame.with_columns(self.iris.gather(frame[c]).alias(c) for c in frame.columns if c not in TEXTS)

    def numbers(self, iris: pl.Series) -> pl.Series:
        """Return the number of each IRI (u32); null for one that is not there."""
        if self.iris.is_empty():
            return pl.Series(iris.name, [None] * len(iris), pl.UInt32)
        place = self.iris.search_sorted(iris.fill_null("")).clip(upper_bound=self.size - 1).cast(pl.UInt32)
        at = pl.DataFrame({"place": place, "iri": iris, "there": self.iris.gather(place)})
        return at.select(pl.when(pl.col("iri") == pl.col("there")).then("place").alias(iris.name)).to_series()

    @classmethod
    def read(cls, store: Path, digest: str) -> Index | None:
        """Read the index of a store; None where there is none of these data, or it is not as it was written."""
        folder = store / FOLDER
        try:
            manifest = msgspec.json.decode((folder / _MANIFEST).read_bytes(), type=_Manifest)
            if (manifest.schema, manifest.digest) != (_SCHEMA, digest):
                return None
            frames = {name: _read(folder, manifest.files[name]) for name in (_NAMES, *COLUMNS)}
        except (OSError, ValueError, KeyError, pl.exceptions.PolarsError):  # what msgspec finds wrong is a ValueError
            return None
        return cls(frames.pop(_NAMES).to_series(), frames)


class _Manifest(msgspec.Struct):
    """What an index says of itself: its format, the digest of the data, and by column the sha256 of each of its files."""

    schema: str
    digest: str
    files: dict[str, dict[str, str]]


def _written(frame: pl.DataFrame, path: Path) -> str:
    frame.write_ipc(path)
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _read(folder: Path, files: Mapping[str, str]) -> pl.DataFrame:
    return pl.concat([_read_piece(folder / name, expected) for name, expected in files.items()])


def _read_piece(path: Path, expected: str) -> pl.DataFrame:
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != expected:
        raise ValueError("is not what was written")
    return pl.read_ipc(io.BytesIO(content))


class IndexBuild:
    """Makes an index of N-Triples, spelled as Oxigraph writes them, a block of lines at a time.

    What it holds grows with the things that have names, not with the facts: these wait as numbers in a file and are put in
    order a range of subjects at a time.

    Parameters: `relations` are the IRIs of the graph's relations, which have to be known before their facts are seen; `beside`
    is the folder of that file, of which nothing remains (the system's for temporary files by default).
    """

    def __init__(self, relations: Iterable[str], beside: Path | None = None) -> None:
        self._relations = pl.Series([f"<{iri}>" for iri in relations], dtype=pl.String)
        # Texts are numbered as they come, by a dictionary of its own that grows; the index has them in order.
        self._codes = pl.Categorical(pl.Categories.random())
        self._known = np.zeros(0, bool)
        self._named: list[pl.Series] = [pl.Series([], dtype=self._codes)]
        self._facts, self._beside = Rows(beside), beside
        self._parts: dict[str, list[pl.DataFrame]] = {view: [] for view in COLUMNS if view != "facts"}

    def add(self, block: bytes) -> IndexBuild:
        """Add some lines."""
        if block:
            line = pl.DataFrame({"line": lines_of(block)}).select(pl.col("line").str.splitn(" ", 3)).unnest("line")
            line.columns = [*_LINE]
            rows = line.with_columns(pl.col("o").str.strip_suffix(" ."))
            self._facts.write(self._coded(rows.filter(pl.col("p").is_in(self._relations.implode()))).to_numpy())
            for view, predicate in _BY_PREDICATE.items():
                self._add(view, rows.filter(pl.col("p") == predicate))
        return self

    def _add(self, view: str, rows: pl.DataFrame) -> None:
        if view == "concepts":
            for declared, concept in _DECLARED.items():
                self._parts[declared].append(self._coded(rows.filter(pl.col("o") == concept).select(p="s")))
            rows = rows.filter(~pl.col("o").is_in(_NO_CONCEPTS))
        pairs = rows.select(pl.col(c).alias(name) for c, name in zip(("s", "o"), COLUMNS[view], strict=True))
        self._parts[view].append(self._coded(pairs))

    def _coded(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Put codes for IRIs, and plain texts for literals; each code that is new is kept with its text."""
        plain = rows.with_columns(_plain(rows[name]) for name in rows.columns if name in TEXTS)
        named = [c for c in rows.columns if c not in TEXTS]
        coded = plain.drop_nulls(named).with_columns(pl.col(named).cast(self._codes))
        for column in coded.select(named):
            codes = _codes(column)
            more = (int(codes.max()) + 1 if len(codes) else 0) - len(self._known)
            self._known = np.pad(self._known, (0, max(more, len(self._known) if more > 0 else 0)))
            if (new := ~self._known[codes]).any():
                self._named.append(column.filter(pl.Series(new)).unique())
                self._known[_codes(self._named[-1])] = True
        return copied(coded.with_columns(pl.Series(c, _codes(coded[c])) for c in named))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._facts.close()

    @property
    def has_blank_nodes(self) -> bool:
        """Whether a name is that of a blank node."""
        return any(new.cast(pl.String).str.starts_with("_:").any() for new in self._named)

    def finish(self) -> Index:
        """Return the index of all lines that were added."""
        iris, views = self._ordered()
        return Index(iris, {view: pl.concat(pieces) for view, pieces in views})

    def write(self, store: Path, digest: str) -> bool:
        """Write the index into the folder of a store, in one step; say whether that could be done."""
        iris, views = self._ordered()
        try:
            new = Path(tempfile.mkdtemp(prefix=f".{FOLDER}.", dir=store))
        except OSError:
            return False
        try:
            files = {
                name: {(file := f"{name}-{n}.arrow"): _written(piece, new / file) for n, piece in enumerate(pieces, 1)}
                for name, pieces in [(_NAMES, [iris.to_frame(_NAMES)]), *views]
            }
            (new / _MANIFEST).write_bytes(msgspec.json.encode(_Manifest(_SCHEMA, digest, files)) + b"\n")
            shutil.rmtree(store / FOLDER, ignore_errors=True)
            new.chmod(0o755)  # whoever may read the store may read this
            new.rename(store / FOLDER)
        except OSError:  # no room, or another process was faster
            shutil.rmtree(new, ignore_errors=True)
            return False
        return True

    def _ordered(self) -> tuple[pl.Series, Iterator[tuple[str, Iterable[pl.DataFrame]]]]:
        """Return all IRIs sorted, and each view in pieces, their rows in order."""
        named = pl.concat(self._named)
        # Brackets are taken off here, of each term once, and not of the millions of ends of facts.
        names = pl.DataFrame({"code": _codes(named), "iri": _plain(named.cast(pl.String))}).drop_nulls().sort("iri")
        first = names["iri"].ne_missing(names["iri"].shift(1))
        place = np.full(len(self._known), -1, np.int32)
        place[names["code"].to_numpy()] = first.cum_sum().to_numpy().astype(np.int32) - 1
        return names["iri"].filter(first).alias(_NAMES), self._views(place)

    def _views(self, place: npt.NDArray[np.int32]) -> Iterator[tuple[str, Iterable[pl.DataFrame]]]:
        yield "facts", _by_ranges(self._facts, place, self._beside)
        whole = {view: _whole(view, parts) for view, parts in self._parts.items()}
        of_property = whole["labels"].rename({"e": "p"})
        for view, frame in whole.items():
            rows = frame.join(of_property, on="p", how="left") if view in _DECLARED else frame
            yield view, [_placed(rows, place)]


def _codes(column: pl.Series) -> npt.NDArray[np.uint32]:
    return column.to_physical().cast(pl.UInt32).to_numpy()


def _whole(view: str, parts: list[pl.DataFrame]) -> pl.DataFrame:
    schema = {name: pl.String if name in TEXTS else pl.UInt32 for name in COLUMNS[view]}
    columns = ["p"] if view in _DECLARED else [*schema]
    return pl.concat([pl.DataFrame(schema=schema).select(columns), *parts])


def _plain(terms: pl.Series) -> pl.Series:
    """Return IRIs without their brackets and literals without quotes; a blank node stays as it is."""
    inner = terms.str.strip_prefix("<").str.strip_suffix(">")
    if terms.str.starts_with("<").all():
        return inner
    frame = pl.DataFrame({"term": terms, "text": texts_of(terms)})
    return frame.select(
        pl.when(pl.col("term").str.starts_with("_:")).then("term").otherwise("text").alias(terms.name)
    ).to_series()


def _placed(frame: pl.DataFrame, place: npt.NDArray[np.int32]) -> pl.DataFrame:
    """Put places for the codes, and the rows in order, each once; those with an empty text for a name go."""
    named = [c for c in frame.columns if c not in TEXTS]
    at = frame.with_columns(pl.Series(c, place[frame[c].to_numpy()]) for c in named)
    placed = at.filter(pl.all_horizontal(pl.col(named) >= 0)).cast(dict.fromkeys(named, pl.UInt32))
    if len(named) == placed.width > 1:
        return _in_order(placed)
    ordered = placed.sort(placed.columns)
    return ordered.filter(pl.any_horizontal(pl.all().ne_missing(pl.all().shift(1))) | (pl.int_range(pl.len()) == 0))


def _in_order(numbers: pl.DataFrame) -> pl.DataFrame:
    """Return rows of numbers sorted, each once: packed into one number a row, where they fit, which sorts much faster."""
    columns = [numbers[c].cast(pl.Int64).to_numpy() for c in numbers.columns]
    least = [int(column.min(initial=_LARGEST)) for column in columns]
    sizes = [int(column.max(initial=0)) + 1 - low for column, low in zip(columns, least, strict=True)]
    if numbers.is_empty() or math.prod(sizes) > _LARGEST:
        return numbers.unique().sort(numbers.columns)
    key = np.sort(np.ravel_multi_index([column - low for column, low in zip(columns, least, strict=True)], sizes))
    parts = np.unravel_index(key[np.diff(key, prepend=-1) > 0], sizes)
    ordered = (part + low for part, low in zip(parts, least, strict=True))
    return pl.DataFrame(dict(zip(numbers.columns, ordered, strict=True)), schema=numbers.schema)


class Rows:
    """Rows of three numbers (u32) that wait to be put in order: many of them in a file, of which nothing remains if closed."""

    def __init__(self, beside: Path | None = None) -> None:
        folder = None if beside is None else str(beside)
        self._file = tempfile.SpooledTemporaryFile(_HELD * _ROW, dir=folder)  # noqa: SIM115 (closed by `close`)

    def close(self) -> None:
        """Give up what was written."""
        self._file.close()

    def write(self, rows: npt.NDArray[np.generic], at: int | None = None) -> None:
        """Write rows, behind all others or from a place on."""
        self._file.seek(*((0, io.SEEK_END) if at is None else (at * _ROW,)))
        self._file.write(rows.astype(np.uint32, copy=False).tobytes())

    def read(self, at: int, number: int) -> npt.NDArray[np.uint32]:
        """Read so many rows from a place on, or all that there are."""
        self._file.seek(at * _ROW)
        return np.frombuffer(self._file.read(number * _ROW), np.uint32).reshape(-1, len(_LINE))

    def blocks(self) -> Iterator[npt.NDArray[np.uint32]]:
        """Yield what was written, some rows at a time."""
        at = 0
        while len(rows := self.read(at, _HELD)):
            yield rows
            at += len(rows)


def _by_ranges(facts: Rows, place: npt.NDArray[np.int32], beside: Path | None) -> Iterator[pl.DataFrame]:
    """Yield facts in order, each once, a range of subjects at a time; `place` says where each code stands."""
    counts = np.zeros(1 + int(place.max(initial=0)), np.int64)
    for codes in facts.blocks():
        subjects = place[codes[:, 0]]
        counts += np.bincount(subjects[subjects >= 0], minlength=len(counts))
    # A range ends with the subject that fills it: no subject stands in two.
    of_subject = (np.cumsum(counts) - counts) // _HELD
    first = np.cumsum(sizes := np.bincount(of_subject, weights=counts).astype(np.int64)) - sizes
    ends = first.copy()
    with closing(Rows(beside)) as ranges:
        for codes in facts.blocks():
            rows = place[codes]
            rows = rows[(rows >= 0).all(axis=1)]
            of_row = of_subject[rows[:, 0]]
            rows = rows[np.argsort(of_row, kind="stable")]
            for number, some in zip(*np.unique(of_row, return_counts=True), strict=True):
                ranges.write(rows[:some], int(ends[number]))
                ends[number] += some
                rows = rows[some:]
        for begin, end in zip(first.tolist(), ends.tolist(), strict=True):
            yield _in_order(pl.DataFrame(ranges.read(begin, end - begin), schema=dict.fromkeys(_LINE, pl.UInt32)))
