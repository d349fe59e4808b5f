"""Many requests at a time, and no more than are wanted: as many tasks as may be under way, however many requests there are.

```
python -m evaluators.ask items.jsonl --model openai:some-model --out responses.jsonl --concurrency 32
python -m evaluators.ask items.jsonl --model http://127.0.0.1:8080/v1#some-model --out responses.jsonl --concurrency 1
```
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

from evaluators.models import Model, Reply, Request
from evaluators.models.cache import Cache, cached_ask

__all__ = ["Asked", "ask_each", "run_async"]

T = TypeVar("T")

_GRACE = 5.0
"""Seconds that requests under way get to come home when the run has to stop: their answers are paid for."""


class Asked(NamedTuple):
    """A request at its place among all, what came of it, and whether that was known already."""

    place: int
    request: Request
    reply: Reply
    cached: bool


async def ask_each(
    model: Model, requests: Iterable[Request], concurrency: int, cache: Cache | None, kept: Callable[[Asked], None]
) -> None:
    """Ask all requests, at most `concurrency` at a time; `kept` gets each as it comes home.

    Whatever `kept`, the requests or the model raise ends the run, and so does Ctrl-C; those under way get some seconds to come
    home.
    """
    source = enumerate(requests)
    stop = asyncio.Event()

    async def work() -> None:
        for place, request in _until(stop, source):
            reply, key = await cached_ask(model, request, cache)
            try:
                kept(Asked(place, request, reply, cache is not None and key is None and reply.error is None))
            finally:  # an answer that finds no room in the file is still kept here
                if cache is not None and key is not None:
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
    """Run a coroutine to its end, also from inside a running event loop (a notebook's)."""
    return _in_a_thread(work) if _looping() else asyncio.run(work)


def _looping() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _in_a_thread(work: Coroutine[Any, Any, T]) -> T:
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
