"""The rows of a family in parts that fit into memory, whatever the query returns.

```
python -m generators.family erbench/movie --store ./films
```

What a large query returns is read a piece at a time and dealt out to files by the hash that draws facts. So all rows of a key
are in one part, which shows whether the key determines the answer, and the parts follow each other in the order in which facts
are drawn and written.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import chain

import numpy as np
import polars as pl

from generators.draw import keys_of
from generators.family.query import whole
from generators.family.records import group_names
from generators.family.rows import Names, Rows, norm, rows_of
from kg.files import Folder, aside
from kg.graph import Graph
from kg.terms import kinds_of
from queries.templates.template import Template

__all__ = ["Parts"]

_BINS = 256
"""Into so many files rows are dealt out; some files in a row make a part."""
_PART = 4 * 2**20
"""How many bytes of terms make a part."""


class Parts:
    """The rows of a family: `kinds`, the type of each slot that it shows by itself, and the parts, in the order of the hash."""

    def __init__(self, graph: Graph, template: Template, seed: int) -> None:
        """Run a family's SELECT once."""
        self._graph, self._template, self._seed = graph, template, seed
        self._names = Names(graph)
        self._kinds: dict[str, set[str]] = {slot: set() for slot in template.slots}
        pieces = map(self._seen, graph.term_pieces(whole(template, graph.base)))
        first, second = next(pieces), next(pieces, None)
        self._all = first if second is None else None
        self._bins = _Bins(first.columns) if second is not None else None
        if self._bins and second is not None:
            self._bins.deal(self._dealt(piece) for piece in chain((first, second), pieces))

    @property
    def several(self) -> bool:
        """Whether there is more than one part."""
        return self._all is None

    @property
    def kinds(self) -> dict[str, str]:
        """The type of each slot."""
        return {slot: next(iter(kinds)) if len(kinds) == 1 else "string" for slot, kinds in self._kinds.items()}

    def __iter__(self) -> Iterator[Rows]:
        """Walk the parts."""
        if self._bins is None:
            yield self.whole()
            return
        for frame in self._bins.parts(_PART):
            yield self._rows(frame)

    def whole(self) -> Rows:
        """Return all rows as one part, in however much memory it takes."""
        if self._bins is None:
            assert self._all is not None
            return self._rows(self._all)
        return self._rows(next(self._bins.parts(None)))

    def _rows(self, frame: pl.DataFrame) -> Rows:
        return Rows(rows_of(frame, self._template, self._names), self.kinds)

    def _seen(self, piece: pl.DataFrame) -> pl.DataFrame:
        for slot, kinds in self._kinds.items():
            kinds.update(kinds_of(piece[slot].unique()).drop_nulls().unique().to_list())
        return piece

    def _dealt(self, piece: pl.DataFrame) -> pl.DataFrame:
        """Add the file that each row belongs into (`\\0bin`): by the hash of its group; rows without a key are in the first."""
        front = self._template.front
        if not front.key:
            return piece.with_columns(pl.lit(0, pl.Int64).alias("\0bin"))
        keys = piece.select(front.key).unique()
        said = [self._names.columns(slot, keys[slot], slot == front.image)[2] for slot in front.key]
        named = pl.DataFrame([*keys.get_columns(), *said]).drop_nulls([norm(slot) for slot in front.key])
        hashes = keys_of(self._seed, group_names(front, named).to_list()) >> np.uint64(64 - _BINS.bit_length() + 1)
        bins = named.select(front.key).with_columns(pl.Series("\0bin", hashes.astype(np.int64)))
        return piece.join(bins, on=front.key, how="left").with_columns(pl.col("\0bin").fill_null(0))


class _Bins:
    """Files of rows, as SPARQL writes results in TSV."""

    def __init__(self, columns: list[str]) -> None:
        self._folder, self._columns = Folder(), columns
        self._paths = [self._folder.path / f"{n}.tsv" for n in range(_BINS)]

    def deal(self, pieces: Iterator[pl.DataFrame]) -> None:
        """Write each row into its file."""
        with aside(), ExitStack() as stack:
            files = [stack.enter_context(path.open("wb")) for path in self._paths]
            for piece in pieces:
                for (number,), rows in piece.partition_by("\0bin", as_dict=True, include_key=False).items():
                    text = rows.select(self._columns).write_csv(None, separator="\t", include_header=False, quote_style="never")
                    files[number].write(text.encode())

    def parts(self, size: int | None) -> Iterator[pl.DataFrame]:
        """Yield the rows of some files in a row: so many that they hold `size` bytes, or of all files."""
        waiting = b""
        for path in self._paths:
            waiting += path.read_bytes()
            if size is not None and len(waiting) >= size:
                yield self._read(waiting)
                waiting = b""
        yield self._read(waiting)

    def _read(self, text: bytes) -> pl.DataFrame:
        schema = dict.fromkeys(self._columns, pl.String)
        return pl.read_csv(io.BytesIO(text), has_header=False, schema=schema, separator="\t", quote_char=None)
