"""Answers that were given before, kept by everything that shapes an answer.

The key is a hash of the model with its address, the messages, the bytes of their pictures, the decoding and the number of the
sample; prompts are not kept. Failures are not kept either. Several runs may use one file at the same time.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import asdict, replace
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from evaluators.models.protocol import Reply
from kg.errors import InputError
from kg.files import cache_folder
from queries.records.response import Trace, Usage

_NAME = "answers.sqlite"
_VERSION = 1
_TABLE = "CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, reply TEXT NOT NULL) WITHOUT ROWID"


class Cache:
    """Answers in one SQLite file.

    Parameters: `path` is a file, or a folder that gets one; `refresh` reads nothing and replaces what is there.
    Raises InputError where the file is no cache, or cannot be written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Cache(folder) as cache:
    ...     cache.put(b"key", Reply(text="Yes.", finish="stop"))
    ...     cache.get(b"key").text
    'Yes.'
    """

    def __init__(self, path: str | Path, *, refresh: bool = False) -> None:
        self.path, self._refresh = _file(Path(path)), refresh
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.touch(mode=0o600)  # before SQLite makes it with any wider mode: answers may be private
            # Waits for other runs that write; and a notebook asks in a thread of its own.
            self._file = sqlite3.connect(self.path, isolation_level=None, timeout=20.0, check_same_thread=False)
            self._prepare()
        except (OSError, sqlite3.Error) as error:
            raise self._fault(error) from error

    def _prepare(self) -> None:
        try:
            # A kill of this process loses nothing with these, and no answer waits for the disk.
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = NORMAL")
            version = self._file.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, _VERSION):  # 0 is a new file
                raise sqlite3.DatabaseError(f"is version {version}, this one reads {_VERSION}")
            self._file.execute(_TABLE)
            self._file.execute(f"PRAGMA user_version = {_VERSION}")
        except sqlite3.Error:
            self._file.close()
            raise

    def _fault(self, error: Exception) -> InputError:
        reason = getattr(error, "strerror", None) or error
        problem = f"cannot be used as a cache of answers ({reason})"
        return InputError(problem, place=str(self.path), way_out="name another --cache, or switch it off with --no-cache")

    def get(self, key: bytes) -> Reply | None:
        """Return the answer under a key, or None."""
        if self._refresh:
            return None
        row = self._do("SELECT reply FROM answers WHERE key = ?", (key,)).fetchone()
        return None if row is None else _reply(json.loads(row[0]))

    def answer(self, key: bytes) -> Reply | None:
        """Return the answer under a key as one that costs nothing now (its `usage.usd` is 0), or None."""
        cached = self.get(key)
        return cached and replace(cached, usage=cached.usage and msgspec.structs.replace(cached.usage, usd=0.0))

    def put(self, key: bytes, reply: Reply) -> None:
        """Keep an answer; failures are not kept, nor what ran out of tokens before it said anything."""
        if reply.error is None and (reply.text or reply.finish not in ("length", "max_tokens")):
            # Two runs may have asked the same at the same time, and --refresh replaces on purpose.
            self._do("INSERT OR REPLACE INTO answers VALUES (?, ?)", (key, _text(reply)))

    def _do(self, statement: str, values: tuple[Any, ...]) -> sqlite3.Cursor:
        try:
            return self._file.execute(statement, values)
        except sqlite3.Error as error:
            raise self._fault(error) from error

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Cache:
        """Return the cache."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Close the file."""
        self.close()


def _file(path: Path) -> Path:
    return path / _NAME if path.is_dir() or not path.suffix else path


def _text(reply: Reply) -> str:
    plain = asdict(replace(reply, usage=None, trace=None))
    fields = {name: value for name, value in plain.items() if value is not None and name != "calls"}  # an answer has none
    records = {"usage": reply.usage, "trace": reply.trace}
    fields |= {name: msgspec.to_builtins(record) for name, record in records.items() if record is not None}
    return json.dumps(fields, ensure_ascii=False)


def _reply(fields: dict[str, Any]) -> Reply:
    usage, logprobs, trace = (fields.pop(name, None) for name in ("usage", "logprobs", "trace"))
    pairs = None if logprobs is None else tuple((str(token), float(value)) for token, value in logprobs)
    looked_up = None if trace is None else msgspec.convert(trace, Trace)
    return Reply(**fields, usage=Usage(**usage) if usage else None, logprobs=pairs, trace=looked_up)


def default_cache() -> Path:
    """Return the cache of this user: `kgprobe/answers.sqlite` in XDG_CACHE_HOME, or in `~/.cache`.

    >>> default_cache().name
    'answers.sqlite'
    """
    return cache_folder() / _NAME
