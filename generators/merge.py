"""The parts of a job, each made with `--shard I/N`, put together as the file that one run writes, byte for byte.

```
python -m generators.merge art-1.jsonl art-2.jsonl --out art.jsonl
```

Parts may be given in any order: each says which groups are its own (`queries.records.shards`). Of false premises, whose texts
stand once in a file, the first of a text is kept, as the one run keeps it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Annotated

import msgspec
import polars as pl
import typer

from kg.cli import Out, Quiet, new_app, note, run
from kg.errors import SourceError
from kg.files import check_apart, replacing
from queries.records import RECORDS, version_of
from queries.records.line_checks import LineChecks
from queries.records.shards import merged

_BATCH = 1000

app = new_app("Put the parts of a job together, as the file that one run writes.")


class _Said(msgspec.Struct):
    """What tells, of a record, whether it is a question whose text may stand once."""

    schema: str | None = None
    method: str | None = None
    group: str | None = None
    variant: str | None = None
    question: str | None = None


_read = msgspec.json.Decoder(_Said).decode


@app.command()
def merge(
    parts: Annotated[list[str], typer.Argument(metavar="PART...", help="What runs with `--shard 1/N` to N/N wrote.")],
    out: Out = "-",
    quiet: Quiet = False,
) -> None:
    """Put the parts of a job together, as the file that one run writes.

    \b
    Example:
      for i in 1 2; do kgprobe fpq --domain art --n 50 --shard $i/2 --out part-$i.jsonl; done
      kgprobe merge part-1.jsonl part-2.jsonl --out art.jsonl
    """
    if "-" in parts:
        raise SourceError("cannot be read twice", place="-", way_out="give the parts as files")
    check_apart({"--out": out}, parts)
    written = merge_parts(parts, out)
    note(f"{written:,} records in {out}, of {len(parts)} parts", quiet)


def merge_parts(parts: Sequence[str], out: str) -> int:
    """Write what one run writes, of which these are the parts; return how many records that are.

    Raises SourceError where a file is no part, a part is missing or given twice, or they are of different runs; RecordError
    where a line is no record, or its key stands there twice.
    """
    first = next(merged(parts), b"{}")
    said = _said(first, parts[0])
    record = next((record for record in RECORDS.values() if version_of(record) == said.schema), None)
    lines = _texts_once(parts) if said.method == "fpq" else merged(parts)
    checks, written = LineChecks(record, out) if record is not None else None, 0
    with replacing(out) as stream:
        while batch := list(islice(lines, _BATCH)):
            text = b"".join(line + b"\n" for line in batch)
            stream.write(text if checks is None else checks.checked(text))
            written += len(batch)
    return written


def _said(line: bytes, place: str) -> _Said:
    try:
        return _read(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SourceError("holds a line that is no record", place=place, way_out="make the part again") from error


def _texts_once(parts: Sequence[str]) -> Iterator[bytes]:
    """Yield the lines of false premises, of each text the first."""
    from generators.fpq.items import first_of_text  # here: who merges verdicts need not wait for it

    names = ("group", "variant", "question")
    said = (_said(line, parts[0]) for line in merged(parts))
    rows = (tuple(getattr(each, name) for name in names) for each in said)
    frames = (pl.DataFrame(batch, schema=dict.fromkeys(names, pl.String), orient="row") for batch in _batches(rows))
    every = pl.concat(chain([pl.DataFrame(schema=dict.fromkeys(names, pl.String))], frames))
    return (line for line, kept in zip(merged(parts), first_of_text(every), strict=True) if kept)


def _batches(rows: Iterable[tuple[str | None, ...]]) -> Iterator[list[tuple[str | None, ...]]]:
    rows = iter(rows)
    while batch := list(islice(rows, _BATCH)):
        yield batch


def main() -> None:
    """Run the command line."""
    run(app, "python -m generators.merge")


if __name__ == "__main__":
    main()
