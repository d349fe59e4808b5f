"""What a stranger's query may take: seconds, memory and rows; and Ctrl-C, which a running query does not hear by itself.

Oxigraph cannot be told to stop. A thread beside the query watches the clock, the memory and the bell that signals ring, and
ends the process with one line where a limit is passed; nothing half-written is left. This is for commands: a program that asks
queries of its own keeps its process.

```
kg query 'SELECT ?name { ?film a <film> ; rdfs:label ?name } LIMIT 3' --timeout 5 --memory 1
```
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from typing import NoReturn

from kg.errors import InputError, one_line
from kg.files import remove_half_written

_TICK = 0.05
_GRACE = 0.5
"""Seconds in which Python itself may answer a Ctrl-C, before the process is ended for it."""
_GIB = 2**30


class Watch:
    """Watches the process while a command runs: made by `watching`."""

    def __init__(self, memory: float) -> None:
        self._memory = memory
        self._deadline: tuple[float, str, float] | None = None
        self._bell, self._ring = socket.socketpair()
        self._ring.setblocking(False)

    @contextlib.contextmanager
    def query(self, place: str, seconds: float) -> Iterator[None]:
        """Allow the block so many seconds; 0 for as many as it takes. `place` is what the line names."""
        self._deadline = (time.monotonic() + seconds, place, seconds) if seconds else None
        try:
            yield
        finally:
            self._deadline = None

    def run(self) -> None:
        """Watch until the bell is rung for the end."""
        before = _resident()
        while True:
            for sign in self._heard():
                if sign == 0:
                    self._bell.close()
                    return
                if sign == signal.SIGINT:
                    time.sleep(_GRACE)
                    _end("interrupted", 130)
            if (deadline := self._deadline) is not None and time.monotonic() > deadline[0]:
                _end(
                    f"{deadline[1]}: takes longer than {deadline[2]:g} seconds; ask for less, or give it more with --timeout", 2
                )
            if self._memory and _resident() - before > self._memory * _GIB:
                place = deadline[1] if deadline else "the query"
                _end(f"{place}: takes more than {self._memory:g} GiB of memory; ask for less, or give more with --memory", 2)

    def _heard(self) -> bytes:
        ready, _, _ = select.select([self._bell], [], [], _TICK)
        return self._bell.recv(64) if ready else b""

    def stop(self) -> None:
        """Let the watch end."""
        self._ring.send(b"\0")

    def fileno(self) -> int:
        """Return where signals ring."""
        return self._ring.fileno()

    def close(self) -> None:
        """Close the bell."""
        self._ring.close()


@contextlib.contextmanager
def watching(memory: float = 0) -> Iterator[Watch]:
    """Watch the process while the block runs.

    Parameters: `memory` is how many GiB it may take beyond what it has; 0 for as many as there are.
    """
    watch = Watch(memory)
    thread = threading.Thread(target=watch.run, daemon=True)
    main = threading.current_thread() is threading.main_thread()
    old = signal.set_wakeup_fd(watch.fileno(), warn_on_full_buffer=False) if main else -1
    thread.start()
    try:
        yield watch
    finally:
        if main:
            signal.set_wakeup_fd(old)
        watch.stop()
        thread.join()
        watch.close()


def check_rows(number: int, most: int) -> None:
    """Raise InputError where a result has more rows than it may; 0 for as many as there are."""
    if most and number > most:
        raise InputError(f"has more than {most:,} rows", place="query", way_out="add a LIMIT, or allow more with --rows")


def _end(message: str, code: int) -> NoReturn:
    remove_half_written()
    with contextlib.suppress(OSError):
        os.write(2, f"error: {one_line(message)}\n".encode())
    os._exit(code)


def _resident() -> int:
    """Return how many bytes of memory the process holds; where the system does not say, the most it held."""
    try:
        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 (twenty times a second)
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        if sys.platform == "win32":
            return 0
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024
