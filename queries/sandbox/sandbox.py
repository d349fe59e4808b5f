"""Queries in processes that can be ended, as many at a time as are asked."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
from types import TracebackType
from typing import NamedTuple

import msgspec

from kg.graph_choice import GraphChoice
from queries.records.response import Lookup

PASSED = "ask for less"
"""How the error of a query that passed a limit ends."""


class Limits(NamedTuple):
    """How long a query may run in seconds, how many rows it may return, and how much memory it may take."""

    seconds: float = 10.0
    rows: int = 50
    megabytes: int = 2048


class Sandbox:
    """Runs queries over a graph, each in a process that is ended at the limits; several may be asked at once.

    Parameters: `processes` is how many run at the same time; others wait.

    >>> with Sandbox(limits=Limits(rows=1)) as sandbox:
    ...     found = sandbox.look_up("SELECT ?name { ?film a <film> ; rdfs:label ?name } ORDER BY ?name")
    ...     cross = sandbox.look_up("INSERT DATA { <a:a> <a:a> <a:a> }")
    >>> found.rows, found.more, cross.error
    ([['"2001: A Space Odyssey"@en']], True, 'INSERT writes; only this graph can be read')
    """

    def __init__(self, where: GraphChoice = GraphChoice(), limits: Limits = Limits(), processes: int = 4) -> None:
        self.where, self.limits = where, limits
        self._free = threading.Semaphore(min(processes, os.cpu_count() or 1))
        self._idle: queue.LifoQueue[_Worker] = queue.LifoQueue()

    def look_up(self, query: str) -> Lookup:
        """Run a query; what is wrong with it, or which limit cut it, stands in `error`. Nothing is raised for a query."""
        with self._free:
            try:
                worker = self._idle.get_nowait()
            except queue.Empty:
                worker = _Worker(self.where, self.limits)
            started = time.perf_counter()
            found = worker.answer(query)
            if worker.running:
                self._idle.put(worker)
        return msgspec.structs.replace(found, seconds=round(time.perf_counter() - started, 3))

    def close(self) -> None:
        """End the processes."""
        while not self._idle.empty():
            self._idle.get_nowait().end()

    def __enter__(self) -> Sandbox:
        """Return the sandbox."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """End the processes."""
        self.close()


class _Worker:
    """One process."""

    def __init__(self, where: GraphChoice, limits: Limits) -> None:
        self._limits, self._late = limits, False
        # Modules are found where this process finds them, and never in the folder that it happens to be in.
        found = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "queries.sandbox.worker"], text=True, encoding="utf-8", env=found,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C ends the run in its own time
        )  # fmt: skip
        self._send({
            "store": where.store and str(where.store), "endpoint": where.endpoint,
            "fixes": [str(path) for path in where.fixes or ()], "wrong": [str(path) for path in where.wrong or ()],
            **limits._asdict(),
        })  # fmt: skip
        self._receive()

    @property
    def running(self) -> bool:
        """Whether another query may be asked."""
        return self._process.poll() is None

    def answer(self, query: str) -> Lookup:
        """Run a query, for as long as it may run."""
        limit = threading.Timer(self._limits.seconds, self._cut)
        limit.start()
        try:
            self._send(query)
            line = self._receive()
        finally:
            limit.cancel()
            limit.join()  # it may just be ending the process
        if line and not self._late:
            return msgspec.json.decode(line, type=Lookup)
        self.end()
        if self._late:
            return Lookup(query=query, error=f"was cut off after {self._limits.seconds:g} seconds; {PASSED}")
        return Lookup(query=query, error=f"took more than {self._limits.megabytes} MB of memory, or broke down; {PASSED}")

    def _send(self, text: object) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # it is gone, which shows when its answer is read
            self._process.stdin.write(json.dumps(text) + "\n")
            self._process.stdin.flush()

    def _receive(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def _cut(self) -> None:
        self._late = True
        self._process.kill()

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            with contextlib.suppress(OSError):  # what was left to be sent has nobody to read it
                stream.close()
