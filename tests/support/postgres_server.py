"""A PostgreSQL server of our own, on loopback, for the tests that load from one."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

PASSWORD = "a s3cret:/@ one"


class Server(NamedTuple):
    """Where a server listens; `url` leads to a database of it, with the right password or another."""

    port: int

    def url(self, database: str, password: str = "a%20s3cret%3A%2F%40%20one", driver: str = "postgresql") -> str:
        return f"{driver}://tester:{password}@127.0.0.1:{self.port}/{database}"

    def connect(self, database: str = "postgres") -> Any:
        """Return an open connection, which runs several statements at a time."""
        native = pytest.importorskip("pg8000.native")
        return native.Connection("tester", host="127.0.0.1", port=self.port, database=database, password=PASSWORD)

    def database(self, name: str, sql: str) -> str:
        """Make a database of statements; return its URL."""
        with contextlib.closing(self.connect()) as connection:
            connection.run(f'CREATE DATABASE "{name}"')
        with contextlib.closing(self.connect(name)) as connection:
            connection.run(sql)
        return self.url(name)


def _program(name: str) -> str:
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    found = shutil.which(name, path=os.pathsep.join([*map(str, folders), os.environ.get("PATH", "")]))
    return found or pytest.skip(f"there is no PostgreSQL server here ({name})")


def _user() -> dict[str, Any]:
    """Whom to run as: PostgreSQL refuses to be run by root."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    return pytest.skip("PostgreSQL does not run as root, and there is no other user")


def _free_port() -> int:
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def server() -> Iterator[Server]:
    """Run a server in a folder of its own until the tests are done with it."""
    initdb, postgres, user = _program("initdb"), _program("postgres"), _user()
    with tempfile.TemporaryDirectory(prefix="kgprobe-pg-") as name:
        folder = Path(name)
        (folder / "password").write_text(PASSWORD + "\n", encoding="utf-8")
        if user:
            for path in (folder, folder / "password"):
                os.chown(path, user["user"], user["group"])
        made = ["-D", str(folder / "data"), "-U", "tester", "-A", "scram-sha-256", f"--pwfile={folder / 'password'}"]
        quick = ["-E", "UTF8", "--locale=C", "--no-sync"]
        subprocess.run([initdb, *made, *quick], check=True, capture_output=True, cwd=folder, **user)
        port = _free_port()
        options = [f"-p{port}", f"-k{folder}", "-h127.0.0.1", "-cfsync=off", "-cshared_buffers=16MB"]
        running = subprocess.Popen(
            [postgres, "-D", str(folder / "data"), *options],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder, **user,
        )  # fmt: skip
        try:
            yield _ready(Server(port), running)
        finally:
            running.terminate()
            running.wait(30)


def _ready(made: Server, running: subprocess.Popen[bytes]) -> Server:
    """Wait until a server answers: it listens a moment before it does."""
    native = pytest.importorskip("pg8000.native")
    while running.poll() is None:
        try:
            made.connect().close()
            return made
        except (OSError, native.InterfaceError, native.DatabaseError):
            time.sleep(0.1)
    return pytest.skip("the PostgreSQL server does not start here")
