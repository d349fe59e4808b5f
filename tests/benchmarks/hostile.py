"""Give every reader thousands of damaged files: which raise anything but one line, crash the process, hang, or eat the memory?

```
python tests/benchmarks/hostile.py                         # 2,000 cases of each reader
python tests/benchmarks/hostile.py --cases 200 --first 5000 --only "kg audit" --only report
```

Cases are drawn from a seed: reader and number name them. Each reader works in a process of its own, so that a crash is a line
of the result; the files of a case at fault stay in `--folder`. Exit code 1 where there was one.
"""

from __future__ import annotations

import argparse
import multiprocessing
import shutil
import signal
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from readers import READERS, Case, cases, violation

_SPAWN = multiprocessing.get_context("spawn")  # the threads of polars do not outlive a fork
_MEMORY = 6 * 2**30
_SECONDS = 20


class _Slow(BaseException):
    pass


def _ring(number: int, frame: FrameType | None) -> None:
    raise _Slow


def _taken(case: Case) -> str | None:
    signal.alarm(_SECONDS)
    try:
        return violation(case)
    except _Slow:
        return f"takes more than {_SECONDS} seconds"
    finally:
        signal.alarm(0)


def _work(reader: str, numbers: range, folder: Path, out: Connection) -> None:
    """Run the cases of a reader; before each, tell its number, so that a crash is known by it."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    signal.signal(signal.SIGALRM, _ring)
    for case in cases(reader, numbers, folder):
        out.send((int(case.folder.name), None))
        problem = _taken(case)
        if problem is None:
            shutil.rmtree(case.folder)
        else:
            out.send((int(case.folder.name), problem))


def _run(reader: str, numbers: range, folder: Path) -> dict[int, str]:
    """Return what was wrong, by the number of the case; after a crash a new process goes on behind it."""
    wrong: dict[int, str] = {}
    at = numbers.start
    while at < numbers.stop:
        out, into = _SPAWN.Pipe(duplex=False)
        work = _SPAWN.Process(target=_work, args=(reader, range(at, numbers.stop), folder, into))
        work.start()
        into.close()
        while True:
            try:
                at, problem = out.recv()
            except EOFError:
                break
            if problem is not None:
                wrong[at] = problem
        work.join()
        if work.exitcode != 0:
            wrong[at] = f"the process ended with {work.exitcode}"
        at += 1
    return wrong


def main() -> int:
    """Run the readers and print what was wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", action="append")
    parser.add_argument("--folder", type=Path, help="where the files of cases at fault stay")
    given = parser.parse_args()
    folder = given.folder or Path(tempfile.mkdtemp(prefix="kgprobe-hostile-"))
    faults = 0
    for reader in given.only or READERS:
        start = time.monotonic()
        wrong = _run(reader, range(given.first, given.first + given.cases), folder / reader.replace(" ", "-"))
        faults += len(wrong)
        print(f"{reader}: {given.cases:,} cases, {len(wrong)} at fault, {time.monotonic() - start:.0f} s", flush=True)
        for number, problem in wrong.items():
            print(f"  {number}: {' '.join(problem.split())[:200]}")
    print(f"{faults} at fault" + (f", in {folder}" if faults else ""))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
