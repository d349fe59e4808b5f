"""All parts of a job on the machines of a Dask cluster, and put together: `kgprobe shards N COMMAND`.

```
python -m generators.shards 4 fpq --domain art --n 200 --out art.jsonl
python -m generators.shards 64 --scheduler tcp://head:8786 verify --items items.jsonl --responses r.jsonl --out v.jsonl
```

Each worker runs the command as it stands with `--shard I/N`, in the folder where this one was begun and on the same paths: the
machines share a file system, and have kgprobe installed. Needs `pip install 'kgprobe[dask]'`.
"""

from __future__ import annotations

import itertools
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from generators.merge import merge_parts
from kg.cli import Quiet, fail_check, new_app, note, progress, run
from kg.errors import InputError, one_line

_WRITTEN = ("--out", "--keep", "--claims", "--train-out")
"""Options that name a file of which each part writes its own."""

app = new_app("Run all parts of a job on a Dask cluster, and put them together.")


class _Job(NamedTuple):
    """A command whose parts are run: its words, and where among them the paths of the files stand that it writes."""

    words: list[str]
    written: dict[int, str]

    @classmethod
    def of(cls, words: Sequence[str]) -> _Job:
        """Read a command. Raises InputError where it names no file to write, or says itself which part is made."""
        split = [part for word in words for part in _split(word)]
        if "--shard" in split:
            raise InputError("is said by this command", place="--shard", way_out="leave it out")
        written = {at: path for at, (option, path) in enumerate(itertools.pairwise(split), 1) if option in _WRITTEN}
        if "--out" not in split or "-" in written.values():
            raise InputError("the command names no file to write", place="--out", way_out="add --out FILE behind the command")
        return cls(split, written)

    def part(self, number: int, of: int) -> list[str]:
        """Return the words of one part."""
        own = [part_of(self.written[at], number) if at in self.written else word for at, word in enumerate(self.words)]
        return [*own, "--shard", f"{number}/{of}"]

    @property
    def folders(self) -> list[Path]:
        """The folders that hold the parts of the files while they are made."""
        return [Path(part_of(path, 1)).parent for path in self.written.values()]


def _split(word: str) -> list[str]:
    """Cut `--out=FILE` in two, as typer reads it."""
    option, sign, value = word.partition("=")
    return [option, value] if sign and option in (*_WRITTEN, "--shard") else [word]


def part_of(path: str, number: int) -> str:
    """Return the file of one part, in a folder beside the whole.

    >>> part_of("art.jsonl.gz", 2)
    'art.jsonl.gz.parts/2.jsonl.gz'
    """
    return str(Path(f"{path}.parts") / f"{number}.jsonl{'.gz' if path.endswith('.gz') else ''}")


@app.command(context_settings={"allow_interspersed_args": False, "ignore_unknown_options": True})
def shards(
    n: Annotated[int, typer.Argument(min=2, max=100_000, metavar="N", help="How many parts there are.")],
    command: Annotated[list[str], typer.Argument(metavar="COMMAND...", help="What is run, without `kgprobe`.")],
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Of a Dask cluster, such as tcp://head:8786 [default: this machine].")
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Run all parts of a job on a Dask cluster, and put them together: the file of one run, byte for byte.

    \b
    Examples:
      kgprobe shards 4 fpq --domain art --n 200 --out art.jsonl
      kgprobe shards 64 --scheduler tcp://head:8786 audit items.jsonl --out results.jsonl
    """
    job = _Job.of(command)
    try:
        for folder in job.folders:
            folder.mkdir(parents=True, exist_ok=True)
        short = run_parts(job, n, scheduler, quiet=quiet)
        for path in job.written.values():
            written = merge_parts([part_of(path, number) for number in range(1, n + 1)], path)
            note(f"{written:,} records in {path}, of {n} parts", quiet)
    finally:
        for folder in job.folders:
            shutil.rmtree(folder, ignore_errors=True)
    if short:
        raise fail_check()


def run_parts(job: _Job, n: int, scheduler: str | None, *, quiet: bool) -> bool:
    """Run all parts; return whether something of one of them failed its check.

    Raises InputError with what the first one says that ends otherwise; the others are not begun any more.
    """
    short = False
    with _client(scheduler) as client, progress(f"{n} parts", n, quiet) as bar:
        from distributed import as_completed

        futures = client.map(_run, [job.part(number, n) for number in range(1, n + 1)], cwd=str(Path.cwd()), pure=False)
        for _, (code, said) in as_completed(futures, with_results=True):
            if code not in (0, 1):
                client.cancel(futures)
                raise InputError(said.removeprefix("error: "))
            short |= code == 1
            bar.advance(bar.task_ids[0])
    return short


def _run(words: Sequence[str], cwd: str) -> tuple[int, str]:
    """Run one part on a worker; return how it ended, and its last line."""
    program = [sys.executable, "-m", "generators.cli", *words]
    done = subprocess.run(program, cwd=cwd, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    lines = done.stderr.strip().splitlines() or [f"ended with code {done.returncode}"]
    return done.returncode, one_line(lines[-1])


@contextmanager
def _client(scheduler: str | None) -> Iterator[Any]:
    """Connect with a cluster, or with one of this machine's processors."""
    try:
        from distributed import Client
    except ImportError as error:
        raise InputError("needs Dask", place="kgprobe shards", way_out="pip install 'kgprobe[dask]'") from error
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # a part that is cancelled is told of in one line, by us
    here = {"n_workers": 1, "threads_per_worker": os.cpu_count(), "processes": False, "dashboard_address": None}
    try:
        client = Client(scheduler, timeout=30) if scheduler else Client(**here)
    except (OSError, ValueError) as error:
        way_out = "is the scheduler running?"
        raise InputError(f"cannot be reached ({one_line(str(error))})", place=scheduler or "Dask", way_out=way_out) from error
    with client:
        yield client


def main() -> None:
    """Run the command line."""
    run(app, "python -m generators.shards")


if __name__ == "__main__":
    main()
