"""A round by batches: what is left is submitted, looked after by its ids, which are on disk, and collected; half the price.

A process may be killed at any moment: the same command finds what was submitted, by its id or by its mark, and submits and
collects nothing twice. What is under way stands in a file beside the responses, `responses.jsonl.batches`, in lines that are
appended and flushed one by one: a mark is drawn for some requests, before they are sent; the provider has taken them under an
id; their results are all among the responses. A last line that a kill broke off was not acted upon.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluators.errors import JoinError, ModelError
from evaluators.models import Reply, Request
from evaluators.models.batches import MOST_BYTES, MOST_REQUESTS, Batches, BatchFailed, Submission
from evaluators.models.faults import Fault
from evaluators.models.identity import cache_key, prompt_hash
from evaluators.models.many import Exchange
from evaluators.models.opening import Named
from evaluators.models.runs.journal import plain_path
from evaluators.models.runs.run import Round, Run
from evaluators.models.runs.terms import Terms
from kg.cli import note
from kg.errors import InputError
from queries.records.keys import short_hash

_SUBMITS = 3
"""How often a submission that met a fault is looked for and sent."""


class BatchRun:
    """A run whose requests go in batches.

    Parameters: `poll` is how many seconds to wait between two looks.
    """

    def __init__(self, run: Run, batches: Batches, out: Path, poll: float, quiet: bool) -> None:
        self._run, self._batches, self._poll, self._quiet = run, batches, poll, quiet
        self._submissions = Submissions(out)
        self._again: list[Request] = []
        self._name = run.round.model.name

    async def go(self) -> None:
        """Go on with what is under way, submit what is left, and collect all of it."""
        try:
            await self._go()
        finally:
            self._run.settle()
            await self._run.round.model.aclose()

    async def _go(self) -> None:
        self._recall()
        for batch in self._submissions.of(self._name):
            if batch.name is None:
                await self._submit(batch, lost=True)
        fresh = ((request, prompt_hash(request.messages, request.decoding)) for request in self._left())
        await self._send(fresh)
        await self._collect()
        while self._again:  # refused for a parameter that is left out now
            again, self._again = self._again, []
            await self._send((request, prompt_hash(request.messages, request.decoding)) for request in again)
            await self._collect()

    def _recall(self) -> None:
        """Find the requests of the batches under way among those of this run."""
        batches = self._submissions.of(self._name)
        prompts = {(item, sample): prompt for batch in batches for item, sample, prompt in batch.requests}
        found: dict[tuple[str, int], Request] = {}
        for request in self._run.round.requests if prompts else ():
            prompt = prompts.get((request.item, request.sample))
            if prompt is not None:
                if short_hash(prompt_hash(request.messages, request.decoding)) != prompt:
                    problem = f"item '{request.item}' is under way in other words (another setting, question or decoding)"
                    raise JoinError(problem, place="--batch", way_out="collect it first: run the command that submitted it")
                found[request.item, request.sample] = request
        for batch in batches:
            missing = next((item for item, sample, _ in batch.requests if (item, sample) not in found), None)
            if missing is not None:
                problem = f"item '{missing}' is under way in a batch and not among those asked now"
                raise JoinError(problem, place="--batch", way_out="collect it first: run the command that submitted it")
            batch.sent = [found[item, sample] for item, sample, _ in batch.requests]
            for request in batch.sent:
                self._run.purse.take(request)

    def _left(self) -> Iterator[Request]:
        """Yield what is neither answered nor under way nor in the cache, as long as there is money for it."""
        run, cache = self._run, self._run.round.cache
        under_way = {(item, sample) for batch in self._submissions.of(self._name) for item, sample, _ in batch.requests}
        for place, request in enumerate(run.left()):
            if (request.item, request.sample) in under_way:
                continue
            known = cache.answer(cache_key(run.round.model, request)) if cache is not None else None
            if known is not None:
                run.keep(Exchange(place, request, known, True))
            elif run.purse.take(request):
                yield request
            else:
                run.tally.unaffordable = True
                return

    async def _send(self, requests: Iterator[tuple[Request, str]]) -> None:
        for portion in portions(requests, MOST_REQUESTS, MOST_BYTES):
            await self._submit(self._submissions.draw(self._name, portion, self._batches.left_out), lost=False)

    async def _submit(self, batch: Batch, *, lost: bool) -> None:
        """Submit a batch, once: after a fault or a kill nobody knows whether the provider has it, so it is looked for."""
        for turn in range(_SUBMITS):
            try:
                with self._as_promised():
                    name = await self._found(batch) if lost or turn else None
                    name = name or await self._batches.submit(batch.mark, batch.sent)
            except Fault as fault:
                if turn == _SUBMITS - 1:
                    problem = f"a batch could not be submitted ({fault.kind}: {fault.message})"
                    raise ModelError(problem, place=self._name, way_out="the same command goes on from there") from None
                await asyncio.sleep(min(self._poll, 5.0))
                continue
            self._submissions.submitted(batch, name)
            note(f"{self._name}: batch {name} of {len(batch.sent)} requests", self._quiet)
            return

    @contextlib.contextmanager
    def _as_promised(self) -> Iterator[None]:
        """Raise ModelError for what is read from an answer that has not the fields of the protocol."""
        try:
            yield
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            problem = "it answered with something else than the protocol of batches has; does it take batches?"
            raise ModelError(problem, place=self._name, way_out="ask without --batch into another --out") from error

    async def _found(self, batch: Batch) -> str | None:
        known = self._submissions.names()
        name = await self._batches.find(batch.submission, known, self._poll)
        if name is None:
            # What was on its way when we were killed may still arrive.
            await asyncio.sleep(min(self._poll, 5.0))
            name = await self._batches.find(batch.submission, known, self._poll)
        return name

    async def _collect(self) -> None:
        """Wait for the batches under way, and write the answers of each as it ends."""
        while waiting := self._submissions.of(self._name):
            for batch in waiting:
                assert batch.name is not None
                try:
                    with self._as_promised():
                        if not await self._batches.ended(batch.name):
                            continue
                except BatchFailed:
                    self._submissions.collected(batch)
                    raise
                with self._as_promised():
                    replies = await self._batches.results(batch.name, batch.sent, batch.left_out)
                self._keep(batch, replies)
            if self._submissions.of(self._name):
                await asyncio.sleep(self._poll)

    def _keep(self, batch: Batch, replies: list[Reply | None]) -> None:
        run, cache = self._run, self._run.round.cache
        for place, (request, reply) in enumerate(zip(batch.sent, replies, strict=True)):
            if reply is None:
                self._again.append(request)
            elif run.journal.holds(request) is None:  # else a run that was killed has written it
                run.keep(Exchange(place, request, reply, False))
                if cache is not None:
                    cache.put(cache_key(run.round.model, request), reply)
        run.settle()
        self._submissions.collected(batch)


def choose_way(asked: Round, terms: Terms, *, limited: bool, quiet: bool) -> None:
    """Let a round go by batches where the terms want that.

    Parameters: `limited` says that every answer has a limit of tokens.
    Raises InputError where the model has none, or requests of its are under way in batches and would be paid for twice.
    """
    path, name = plain_path(asked.out), asked.model.name
    if not terms.batch:
        if path is not None:
            _check_none_under_way(path, name)
        return
    batches = getattr(asked.model.model if isinstance(asked.model, Named) else asked.model, "batches", None)
    if batches is None:
        raise InputError(
            f"'{name}' takes no batches", place="--batch", way_out="leave it out, or ask openai:NAME or anthropic:NAME"
        )
    if path is None:
        raise InputError("the ids of batches are kept beside a file", place="--batch", way_out="name a plain file with --out")
    if terms.budget is not None and not limited:
        problem = "a batch cannot be stopped, so its answers need a limit"
        raise InputError(problem, place="--budget", way_out="add --max-tokens")
    asked.via = lambda run: BatchRun(run, batches(), path, terms.poll, quiet)


def _check_none_under_way(out: Path, model: str) -> None:
    """Raise ModelError where batches of a model are under way: asked one by one, their requests would be paid for twice."""
    batches = Submissions(out).of(model)
    if batches:
        requests = sum(len(batch.requests) for batch in batches)
        problem = f"{requests} requests are under way in {len(batches)} batches"
        raise ModelError(problem, place=model, way_out="collect them first: the same command with --batch")


@dataclass(slots=True)
class Batch:
    """A batch under way: its mark, whose it is, items, samples and prompts of its requests, and what they were sent without."""

    mark: str
    model: str
    time: float
    requests: list[tuple[str, int, int]]
    left_out: list[str] = field(default_factory=list)
    name: str | None = None
    sent: list[Request] = field(default_factory=list)

    @property
    def submission(self) -> Submission:
        """What a lost id is found by."""
        return Submission(self.mark, self.time, len(self.requests))


class Submissions:
    """The file of batches beside a file of responses.

    Raises InputError where the file cannot be read.
    """

    def __init__(self, out: Path) -> None:
        self._path = out.with_name(f"{out.name}.batches")
        self._batches: dict[str, Batch] = {}
        try:
            text = self._path.read_bytes() if self._path.exists() else b""
        except OSError as error:
            raise self._fault(error.strerror or str(error)) from None
        self._whole = text.rfind(b"\n") + 1
        for number, line in enumerate(text[: self._whole].splitlines(), 1):
            self._read(number, line)

    def _read(self, number: int, line: bytes) -> None:
        try:
            entry = json.loads(line)
            if "requests" in entry:
                asked = [(str(item), int(sample), int(prompt)) for item, sample, prompt in entry["requests"]]
                self._batches[entry["mark"]] = Batch(
                    entry["mark"], entry["model"], float(entry["time"]), asked, entry["left_out"]
                )
            elif "id" in entry:
                self._batches[entry["mark"]].name = str(entry["id"])
            else:
                del self._batches[entry["mark"]]
        except (ValueError, KeyError, TypeError):
            raise self._fault(f"line {number} is no batch of ours") from None

    def _fault(self, problem: str) -> InputError:
        return InputError(problem, place=str(self._path), way_out="put back the file that the run wrote, or name another --out")

    def of(self, model: str) -> list[Batch]:
        """Return the batches of a model that are under way."""
        return [batch for batch in self._batches.values() if batch.model == model]

    def names(self) -> set[str]:
        """Return the ids that are known."""
        return {batch.name for batch in self._batches.values() if batch.name}

    def draw(self, model: str, requests: Sequence[tuple[Request, str]], left_out: Sequence[str] = ()) -> Batch:
        """Write down that requests are about to be sent, each with the hash of its prompt."""
        asked = [(request.item, request.sample, short_hash(prompt)) for request, prompt in requests]
        batch = Batch(secrets.token_hex(8), model, time.time(), asked, list(left_out))
        batch.sent = [request for request, _ in requests]
        self._append({"mark": batch.mark, "model": model, "time": batch.time, "left_out": batch.left_out, "requests": asked})
        self._batches[batch.mark] = batch
        return batch

    def submitted(self, batch: Batch, name: str) -> None:
        """Write down the id under which the provider has a batch."""
        self._append({"mark": batch.mark, "id": name})
        batch.name = name

    def collected(self, batch: Batch) -> None:
        """Write down that nothing of a batch is left to be collected; after the last one the file goes."""
        self._append({"mark": batch.mark})
        del self._batches[batch.mark]
        if not self._batches:
            self._path.unlink(missing_ok=True)
            self._whole = 0

    def _append(self, entry: dict[str, Any]) -> None:
        try:
            with self._path.open("ab") as stream:
                stream.truncate(self._whole)
                stream.seek(0, os.SEEK_END)
                stream.write(json.dumps(entry).encode() + b"\n")
                stream.flush()
                os.fsync(stream.fileno())
                self._whole = stream.tell()
        except OSError as error:
            raise InputError(f"cannot be written ({error.strerror})", place=str(self._path), way_out="make room") from None


def portions(requests: Iterator[tuple[Request, str]], most: int, most_bytes: int) -> Iterator[list[tuple[Request, str]]]:
    """Divide requests into such as fit into one batch."""
    portion: list[tuple[Request, str]] = []
    size = 0
    for request, prompt in requests:
        length = 2000 + sum(len(message.text.encode()) * 2 + len(message.image or "") for message in request.messages)
        if portion and (len(portion) == most or size + length > most_bytes):
            yield portion
            portion, size = [], 0
        portion.append((request, prompt))
        size += length
    if portion:
        yield portion
