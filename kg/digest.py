"""The hash that says which triples a graph holds, whatever their order and however many loads they stand in.

```
kg stats --store ./wd
python -c 'from kg import open_graph; print(open_graph().digest())'
```
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

import polars as pl

from kg.sorted_runs import lines_of, ntriples_of

__all__ = ["digest_of", "digest_of_sorted"]

_SLICE = 100_000


def digest_of(parts: Iterable[bytes]) -> str:
    r"""Hash N-Triples: sha256 over their lines, each once, sorted by bytes and joined by line breaks.

    The lines must be spelled as Oxigraph writes them (`kg.build` does so).

    >>> digest_of([b"<a> <p> <b> .\n<a> <p> <c> .\n"]) == digest_of([b"<a> <p> <c> .\n", b"<a> <p> <b> .\n<a> <p> <c> .\n"])
    True
    """
    frames = [lines_of(part) for part in parts if part]
    return digest_of_sorted(map(ntriples_of, _in_order(pl.concat(frames)))) if frames else digest_of_sorted([])


def digest_of_sorted(blocks: Iterable[bytes]) -> str:
    """Hash lines that are sorted already, each once: the same hash, of what need not fit into memory."""
    digest, before = hashlib.sha256(), b""
    for block in blocks:
        digest.update(before + block[:-1])
        before = block[-1:]
    return f"sha256:{digest.hexdigest()}"


def _in_order(lines: pl.Series) -> Iterator[pl.Series]:
    """Yield each line once, sorted; only their order is made, not a second copy of them."""
    order, before = lines.arg_sort(), None
    for first in range(0, lines.len(), _SLICE):
        some = lines.gather(order[first : first + _SLICE])
        new = some.filter(some.ne_missing(some.shift(1, fill_value=before)))
        before = some[-1]
        if new.len():
            yield new
