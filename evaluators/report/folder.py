"""The folder of a report: made aside, then put in its place in one step.

```
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
```
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kg.errors import InputError

__all__ = ["replacing_folder"]

_OURS = {"index.html", "metrics.json", "metrics.csv", "data"}


@contextmanager
def replacing_folder(out: Path) -> Iterator[Path]:
    """Give a folder to write into that takes the place of `out` when the block ends well; nothing is left otherwise.

    Raises InputError where `out` is there and is no report, holds other files as well, or cannot be written.
    """
    target = Path(os.path.abspath(out.resolve()))  # noqa: PTH100
    _refuse(target, str(out))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    except OSError as error:
        problem = f"cannot be a folder ({error.strerror})"
        raise InputError(problem, place=str(out), way_out="name another") from error
    try:
        yield made
        _open_to_readers(made)
        _swap(made, target, str(out))
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _refuse(target: Path, place: str) -> None:
    if not target.exists():
        return
    if not target.is_dir():
        raise InputError("cannot be a folder (a file stands there)", place=place, way_out="name another")
    there = {path.name for path in target.iterdir()}
    if there and not _is_report(target):
        raise InputError(
            "is a folder with something else in it", place=place, way_out="name a new folder, or one with a report"
        )
    others = sorted(there - _OURS)
    if others:
        way_out = "move it away, or name a new folder"
        raise InputError(f"holds '{others[0]}', which is no part of a report", place=place, way_out=way_out)


def _is_report(folder: Path) -> bool:
    try:
        found = json.loads((folder / "metrics.json").read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and str(found.get("schema")).startswith("kgprobe.metrics/")


def _open_to_readers(folder: Path) -> None:
    """Give the folder the permissions that a new one has (mkdtemp's are private)."""
    umask = os.umask(0)
    os.umask(umask)
    folder.chmod(0o777 & ~umask)


def _swap(made: Path, target: Path, place: str) -> None:
    try:
        if not target.exists():
            made.rename(target)
            return
        old = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
        target.replace(old)
        try:
            made.rename(target)
        except OSError:
            old.rename(target)
            raise
        shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        raise InputError(f"cannot be replaced ({error.strerror})", place=place, way_out="name another folder") from error
