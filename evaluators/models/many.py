"""Many requests at a time, and no more than are wanted: as many tasks as may be under way, however many requests there are."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

from evaluators.errors import Terminated
from evaluators.models.cache import Cache
from evaluators.models.identity import cache_key
from evaluators.models.protocol import Model, Reply, Request

T = TypeVar("T")

_GRACE = 10.0
"""Seconds that requests under way get to finish when the run has to stop: their answers are paid for."""


class Exchange(NamedTuple):
    """A request at its place among all, the reply to it, and whether that came from the cache."""

    place: int
    request: Request
    reply: Reply
    cached: bool


async def _at_once(request: Request) -> bool:
    return True


async def ask_each(
    model: Model,
    requests: Iterable[Request],
    concurrency: int,
    cache: Cache | None,
    keep: Callable[[Exchange], None],
    admit: Callable[[Request], Awaitable[bool]] = _at_once,
) -> None:
    """Ask all requests, at most `concurrency` at a time; `keep` is called with each exchange as its reply arrives.

    Parameters: `admit` is awaited before a request that the cache does not answer is sent, and ends the run where it says no.
    Whatever `keep`, the requests or the model raise ends the run, and so does Ctrl-C; those under way get some seconds to
    finish.
    """
    # All tasks draw from one iterator: a request is made only when a task is free for it, so memory does not grow.
    source = enumerate(requests)
    stop = asyncio.Event()

    async def work() -> None:
        for place, request in _until(stop, source):
            key = cache_key(model, request) if cache is not None else b""
            known = cache.answer(key) if cache is not None else None
            if known is not None:
                keep(Exchange(place, request, known, True))
                continue
            if not await admit(request):
                stop.set()
            if stop.is_set():
                return
            reply = await model.ask(request)
            try:
                keep(Exchange(place, request, reply, False))
            finally:  # an answer that finds no room in the file is still in the cache
                if cache is not None:
                    cache.put(key, reply)

    tasks = [asyncio.create_task(work()) for _ in range(concurrency)]
    try:
        await _settled(tasks, stop)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await model.aclose()


def _until(stop: asyncio.Event, source: Iterator[T]) -> Iterator[T]:
    while not stop.is_set():
        try:
            yield next(source)
        except StopIteration:
            return


async def _settled(tasks: list[asyncio.Task[None]], stop: asyncio.Event) -> None:
    """Wait for all tasks; raise the first error after those under way had their time to finish."""
    try:
        done, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
    except asyncio.CancelledError:  # Ctrl-C; a second one does not wait
        stop.set()
        await asyncio.wait(tasks, timeout=_GRACE)
        raise
    error = next((task.exception() for task in done if task.exception()), None)
    if error is None:
        return
    stop.set()
    if pending:
        await asyncio.wait(pending, timeout=_GRACE)
    raise error


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, also from inside a running event loop (a notebook's).

    Raises Terminated where SIGTERM ends it, which it meets as it meets Ctrl-C: by being cancelled.

    >>> import asyncio
    >>> run_async(asyncio.sleep(0, "done"))
    'done'
    """
    if _looping():
        return _in_a_thread(work)
    if threading.current_thread() is not threading.main_thread():  # where signals do not arrive
        return asyncio.run(work)
    ended: list[int] = []
    try:
        return asyncio.run(_ending(work, ended))
    except asyncio.CancelledError:
        if ended:
            raise Terminated from None
        raise


async def _ending(work: Coroutine[Any, Any, T], ended: list[int]) -> T:
    """Cancel the work once where SIGTERM arrives."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None

    def end() -> None:
        if not ended:
            task.cancel()
        ended.append(signal.SIGTERM)

    if sys.platform == "win32":  # where no process is asked to end, and loops know no signals
        return await work
    loop.add_signal_handler(signal.SIGTERM, end)
    try:
        return await work
    finally:
        loop.remove_signal_handler(signal.SIGTERM)


def _looping() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _in_a_thread(work: Coroutine[Any, Any, T]) -> T:
    # A loop that runs cannot run another; a thread of its own has none.
    results: list[T] = []
    errors: list[BaseException] = []

    def call() -> None:
        try:
            results.append(asyncio.run(work))
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return results[0]
