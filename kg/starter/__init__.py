"""The embedded data: small tables of well-known facts, for trying things out and for tests.

```
kg query 'SELECT ?name { ?film a <film> ; rdfs:label ?name } LIMIT 3'
kg describe "Pulp Fiction"
```

What the tables came to is kept in one file of the user's cache folder, by the digest of the tables and of the code that read
them: it is read in a thirtieth of the time. Whoever has no such folder waits for the tables each time.
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

__all__ = ["load_starter"]


def load_starter() -> Load:
    """Read the embedded tables into a load called `starter`; what they came to is kept for the next process of this user.

    >>> load_starter().name
    'starter'
    """
    digest = sources_digest()
    if (kept := kept_load(digest)) is not None:
        return kept
    from kg.sources.tables import load_tables  # here, since a kept load does without it

    with resources.as_file(resources.files("kg.starter")) as folder:
        load = load_tables(folder / "SCHEMA.toml")
    keep_load(load, digest)
    return load


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
