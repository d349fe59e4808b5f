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
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
import polars as pl

from kg.sorted_runs import lines_of
from kg.terms import texts_of
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

_SCHEMA = "kgprobe.index/1"
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


class Index:
    """The columns of a graph: `iris`, all that they name, sorted, and frames of their places in it (u32) and of texts.

    >>> lines = b'<u:b> <http://www.w3.org/2000/01/rdf-schema#label> "B"@en .\\n'
    >>> index = IndexBuild([]).add(lines).finish()
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

    def write(self, store: Path, digest: str) -> bool:
        """Write the index into the folder of a store, in one step; say whether that could be done."""
        try:
            new = Path(tempfile.mkdtemp(prefix=f".{FOLDER}.", dir=store))
        except OSError:
            return False
        try:
            frames = {_NAMES: self.iris.to_frame(_NAMES), **self._frames}
            sums = {name: _written(frame, new / f"{name}.arrow") for name, frame in frames.items()}
            (new / _MANIFEST).write_bytes(msgspec.json.encode(_Manifest(_SCHEMA, digest, sums)) + b"\n")
            shutil.rmtree(store / FOLDER, ignore_errors=True)
            new.chmod(0o755)  # whoever may read the store may read this
            new.rename(store / FOLDER)
        except OSError:  # no room, or another process was faster
            shutil.rmtree(new, ignore_errors=True)
            return False
        return True

    @classmethod
    def read(cls, store: Path, digest: str) -> Index | None:
        """Read the index of a store; None where there is none of these data, or it is not as it was written."""
        folder = store / FOLDER
        try:
            manifest = msgspec.json.decode((folder / _MANIFEST).read_bytes(), type=_Manifest)
            if (manifest.schema, manifest.digest) != (_SCHEMA, digest):
                return None
            frames = {name: _read(folder / f"{name}.arrow", manifest.files[name]) for name in (_NAMES, *COLUMNS)}
        except (OSError, ValueError, KeyError, pl.exceptions.PolarsError):  # what msgspec finds wrong is a ValueError
            return None
        return cls(frames.pop(_NAMES).to_series(), frames)


class _Manifest(msgspec.Struct):
    """What an index says of itself: its format, the digest of the data, and the sha256 of each file."""

    schema: str
    digest: str
    files: dict[str, str]


def _written(frame: pl.DataFrame, path: Path) -> str:
    frame.write_ipc(path)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _read(path: Path, expected: str) -> pl.DataFrame:
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != expected:
        raise ValueError("is not what was written")
    return pl.read_ipc(io.BytesIO(content))


class IndexBuild:
    """Makes an index of N-Triples, spelled as Oxigraph writes them, a block of lines at a time.

    Parameters: `relations` are the IRIs of the graph's relations, which have to be known before their facts are seen.
    """

    def __init__(self, relations: Iterable[str]) -> None:
        self._relations = pl.Series([f"<{iri}>" for iri in relations], dtype=pl.String)
        # Texts are numbered as they come, by a dictionary of its own that grows; the index has them in order.
        self._names = pl.Categorical(pl.Categories.random())
        self._parts: dict[str, list[pl.DataFrame]] = {view: [] for view in COLUMNS}

    def add(self, block: bytes) -> IndexBuild:
        """Add some lines."""
        if block:
            line = pl.DataFrame({"line": lines_of(block)}).select(pl.col("line").str.splitn(" ", 3)).unnest("line")
            line.columns = [*_LINE]
            rows = line.with_columns(pl.col("o").str.strip_suffix(" ."))
            self._add("facts", rows.filter(pl.col("p").is_in(self._relations.implode())))
            for view, predicate in _BY_PREDICATE.items():
                self._add(view, rows.filter(pl.col("p") == predicate))
        return self

    def _add(self, view: str, rows: pl.DataFrame) -> None:
        if view == "concepts":
            for declared, concept in _DECLARED.items():
                self._keep(declared, rows.filter(pl.col("o") == concept).select(p="s"))
            rows = rows.filter(~pl.col("o").is_in(_NO_CONCEPTS))
        columns = _LINE if view == "facts" else ("s", "o")
        self._keep(view, rows.select(pl.col(c).alias(name) for c, name in zip(columns, COLUMNS[view], strict=True)))

    def _keep(self, view: str, rows: pl.DataFrame) -> None:
        if rows.height:
            plain = rows.with_columns(_plain(rows[name]) for name in rows.columns if name in TEXTS)
            named = [c for c in rows.columns if c not in TEXTS]
            self._parts[view].append(plain.drop_nulls(named).with_columns(pl.col(named).cast(self._names)))

    def finish(self) -> Index:
        """Return the index of all lines that were added."""
        whole = {view: self._whole(view) for view in COLUMNS}
        of_property = whole["labels"].rename({"e": "p"})
        for view in _DECLARED:
            whole[view] = whole[view].select("p").join(of_property, on="p", how="left")
        named = [frame[c] for frame in whole.values() for c in frame.columns if c not in TEXTS]
        distinct = pl.concat(named).unique()
        # Brackets are taken off here, of each term once, and not of the millions of ends of facts.
        names = pl.DataFrame({"code": distinct.to_physical(), "iri": _plain(distinct.cast(pl.String))}).drop_nulls()
        iris = names["iri"].unique().sort()
        place = np.full(1 + int(distinct.to_physical().cast(pl.Int64).max() or 0), -1)  # type: ignore[arg-type]
        place[names["code"].to_numpy()] = iris.search_sorted(names["iri"]).to_numpy()
        return Index(iris.alias(_NAMES), {view: _placed(frame, place) for view, frame in whole.items()})

    def _whole(self, view: str) -> pl.DataFrame:
        schema = {name: pl.String if name in TEXTS else self._names for name in COLUMNS[view]}
        columns = ["p"] if view in _DECLARED else [*schema]
        empty = pl.DataFrame(schema=schema).select(columns)
        return pl.concat([empty, *self._parts[view]])


def _plain(terms: pl.Series) -> pl.Series:
    """Return IRIs without their brackets and literals without quotes; a blank node stays as it is."""
    inner = terms.str.strip_prefix("<").str.strip_suffix(">")
    if terms.str.starts_with("<").all():
        return inner
    frame = pl.DataFrame({"term": terms, "text": texts_of(terms)})
    return frame.select(
        pl.when(pl.col("term").str.starts_with("_:")).then("term").otherwise("text").alias(terms.name)
    ).to_series()


def _placed(frame: pl.DataFrame, place: npt.NDArray[np.int64]) -> pl.DataFrame:
    """Put places for the codes, and the rows in order, each once; those with an empty text for a name go."""
    named = [c for c in frame.columns if c not in TEXTS]
    at = frame.with_columns(pl.Series(c, place[frame[c].to_physical().to_numpy()]) for c in named)
    placed = at.filter(pl.all_horizontal(pl.col(named) >= 0)).cast(dict.fromkeys(named, pl.UInt32))
    return _in_order(placed) if len(named) == placed.width > 1 else placed.unique().sort(placed.columns)


def _in_order(numbers: pl.DataFrame) -> pl.DataFrame:
    """Return rows of numbers sorted, each once: packed into one number a row, where they fit, which sorts much faster."""
    columns = [numbers[c].cast(pl.Int64).to_numpy() for c in numbers.columns]
    sizes = [int(column.max(initial=0)) + 1 for column in columns]
    if math.prod(sizes) > _LARGEST:
        return numbers.unique().sort(numbers.columns)
    key = np.sort(np.ravel_multi_index(columns, sizes))
    parts = np.unravel_index(key[np.diff(key, prepend=-1) > 0], sizes)
    return pl.DataFrame(dict(zip(numbers.columns, parts, strict=True)), schema=numbers.schema)
