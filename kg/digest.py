"""The hash that says which triples a graph holds, whatever their order and however many loads they stand in.

```
kg stats --store ./wd
python -c 'from kg import open_graph; print(open_graph().digest())'
```
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable, Iterator

import polars as pl

__all__ = ["digest_of"]

_SLICE = 100_000
_NOWHERE = "\x01"  # N-Triples escapes control characters, so that none ever separates anything


def digest_of(parts: Iterable[bytes]) -> str:
    r"""Hash N-Triples: sha256 over their lines, each once, sorted by bytes and joined by line breaks.

    The lines must be spelled as Oxigraph writes them (`kg.build` does so).

    >>> digest_of([b"<a> <p> <b> .\n<a> <p> <c> .\n"]) == digest_of([b"<a> <p> <c> .\n", b"<a> <p> <b> .\n<a> <p> <c> .\n"])
    True
    """
    frames = [_lines(part) for part in parts if part]
    digest = hashlib.sha256()
    for number, line in enumerate(_in_order(pl.concat(frames) if frames else pl.Series([], dtype=pl.String))):
        digest.update(b"\n" + line.encode() if number else line.encode())
    return f"sha256:{digest.hexdigest()}"


def _in_order(lines: pl.Series) -> Iterator[str]:
    """Yield each line once, sorted; only their order is made, not a second copy of them."""
    order, before = lines.arg_sort(), None
    for first in range(0, lines.len(), _SLICE):
        for line in lines.gather(order[first : first + _SLICE]).to_list():
            if line != before:
                yield line
            before = line


def _lines(ntriples: bytes) -> pl.Series:
    """Cut N-Triples into lines, without an object for each."""
    frame = pl.read_csv(io.BytesIO(ntriples), has_header=False, separator=_NOWHERE, quote_char=None, infer_schema=False)
    return frame.to_series()
