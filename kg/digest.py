"""The hash that says which triples a graph holds, whatever their order and however many loads they stand in.

```
kg stats --store ./wd
python -c 'from kg import open_graph; print(open_graph().digest())'
```
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable

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
    lines = (pl.concat(frames).unique() if len(frames) > 1 else frames[0].unique()).sort() if frames else pl.Series([""])
    digest = hashlib.sha256()
    for first in range(0, lines.len(), _SLICE):
        digest.update(b"\n" if first else b"")
        digest.update("\n".join(lines.slice(first, _SLICE).to_list()).encode())
    return f"sha256:{digest.hexdigest()}"


def _lines(ntriples: bytes) -> pl.Series:
    """Cut N-Triples into lines, without an object for each."""
    frame = pl.read_csv(io.BytesIO(ntriples), has_header=False, separator=_NOWHERE, quote_char=None, infer_schema=False)
    return frame.to_series()
