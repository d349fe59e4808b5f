"""Which batches of a run are under way, in a file beside the responses: `responses.jsonl.batches`.

Three kinds of lines, appended and flushed one by one: a mark is drawn for some requests, before they are sent; the provider
has taken them under an id; their results are all among the responses. A last line that a kill broke off was not acted upon.
"""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluators.models import Request
from evaluators.models.batches import Submission
from kg.errors import InputError
from queries.records.keys import short_hash


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
