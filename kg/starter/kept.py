"""The starter load as an earlier process made it: reading the tables takes some thirty times as long as reading that.

It is one file of the user's cache folder and belongs to the tables and the code that made it, byte for byte, by their digest.
Whoever has no such folder, or none to write to, waits for the tables each time; nothing else is different.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import zlib
from importlib import resources
from pathlib import Path

import msgspec

from kg.build import Load
from kg.files import cache_folder

_NAME = "starter.msgpack"


class _Kept(msgspec.Struct, array_like=True):
    """What the file holds: the digest of its sources, that of the rest, and the load, its N-Triples packed by zlib."""

    sources: str
    sha256: str
    name: str
    parts: list[bytes]
    counts: dict[str, int]

    def sealed(self) -> str:
        """Compute the digest of all that follows it."""
        return hashlib.sha256(msgspec.msgpack.encode((self.name, self.parts, self.counts))).hexdigest()


def sources_digest() -> str:
    """Compute the sha256 of the embedded tables and of the code of `kg`, which makes a load of them.

    >>> sources_digest() == sources_digest()
    True
    """
    room = resources.files("kg")
    seen = hashlib.sha256()
    for folder in (room, room / "sources", room / "words", room / "starter"):
        for file in sorted((file for file in folder.iterdir() if file.is_file()), key=lambda file: file.name):
            seen.update(f"{file.name}\0".encode() + hashlib.sha256(file.read_bytes()).digest())
    return seen.hexdigest()


def kept_load(sources: str) -> Load | None:
    """Read the load that was made of `sources`; None where there is none, or it is not as it was written."""
    try:
        kept = msgspec.msgpack.decode((cache_folder() / _NAME).read_bytes(), type=_Kept)
        if kept.sources != sources or kept.sha256 != kept.sealed():
            return None
        data, schema, provenance = (zlib.decompress(part) for part in kept.parts)
    except (OSError, RuntimeError, ValueError, zlib.error):  # no home is a RuntimeError, what msgspec finds wrong a ValueError
        return None
    return Load(kept.name, data, schema, provenance, kept.counts)


def keep_load(load: Load, sources: str) -> None:
    """Write a load down in one step, in place of an older one; do nothing where that cannot be done."""
    parts = [zlib.compress(part, 1) for part in (load.data, load.schema, load.provenance)]
    kept = _Kept(sources, "", load.name, parts, load.counts)
    kept.sha256 = kept.sealed()
    try:
        target = cache_folder() / _NAME
        target.parent.mkdir(parents=True, exist_ok=True)
        number, new = tempfile.mkstemp(prefix=f".{_NAME}.", dir=target.parent)
    except (OSError, RuntimeError):
        return
    try:
        with os.fdopen(number, "wb") as file:
            file.write(msgspec.msgpack.encode(kept))
        Path(new).replace(target)
    except OSError:  # no room, or another process holds it open
        Path(new).unlink(missing_ok=True)
