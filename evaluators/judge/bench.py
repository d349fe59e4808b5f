"""The judge as `verify` uses it: announced before it is asked, asked, and its reports put among the rules' verdicts.

The rules' verdicts wait on disk while a judge decides what they leave open; then both are put together in order. Memory holds
one chunk of cases and a hash of each, not the texts: responses may come from a pipe and be many.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from types import TracebackType
from typing import NamedTuple

from msgspec.structs import replace

from evaluators.judge.left_open import What, chooser
from evaluators.judge.panel import Case, Panel
from evaluators.models import Request, open_model
from evaluators.models.prices import Price, find_price, read_prices
from evaluators.models.recording import Recording
from evaluators.verify.question import Question
from evaluators.verify.ruling import Ruling
from evaluators.verify.stream import LeavesOpen, Left, Piece
from kg.cli import note, progress
from queries.records import Verdict
from queries.records.record import decoder
from queries.records.response import Usage

_CHUNK = 512
"""Cases that are judged together."""
_REPORT = 40
"""Tokens of a report, for the estimate of what it costs."""


class _Waiting(NamedTuple):
    """A case on disk: which verdict of the file it decides, and what it is about."""

    verdict: int
    kind: str
    item: str
    text: str


class PendingCases:
    """Verdicts of the rules and the cases that they leave open, in files that vanish when it is closed.

    `holds` tells which requests are answered already; `requests` and `tokens` count the others.
    """

    def __init__(
        self, questions: Mapping[str, Question], panel: Panel, holds: Callable[[Request], bool] = lambda request: False
    ) -> None:
        self._questions, self._panel, self._holds = questions, panel, holds
        self._verdicts = tempfile.TemporaryFile()  # noqa: SIM115 - closed by __exit__
        self._cases = tempfile.TemporaryFile()  # noqa: SIM115
        self._written = 0
        self._different: set[str] = set()
        self.kinds: Counter[str] = Counter()
        self.failed = self.requests = self.tokens = 0

    def __enter__(self) -> PendingCases:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._verdicts.close()
        self._cases.close()

    def add(self, piece: Piece) -> None:
        """Keep a piece that the rules judged."""
        for left in piece.left:
            self._wait(left)
        self._verdicts.write(piece.verdicts)
        self._written += piece.verdicts.count(b"\n")

    def _wait(self, left: Left) -> None:
        item, text = left.answer.item, left.answer.text or ""
        self.kinds[left.kind] += 1
        requests = self._panel.requests(Case(left.kind, self._questions[item], text))
        if requests[0].item not in self._different:
            self._different.add(requests[0].item)
            fresh = [request for request in requests if not self._holds(request)]
            self.requests += len(fresh)
            self.tokens += sum(len(message.text) for request in fresh for message in request.messages) // 4
        waiting = _Waiting(self._written + left.verdict, left.kind, item, text)
        self._cases.write(json.dumps(waiting).encode() + b"\n")

    def judged(self, counts: Counter[str], advance: Callable[[int], object] = lambda n: None) -> Iterator[bytes]:
        """Yield all verdicts in order, in pieces, those of the open cases by the panel.

        Parameters: `counts`, of outcomes, is set right where the panel decides otherwise; `advance` is told of cases done.
        """
        self._cases.seek(0)
        self._verdicts.seek(0)
        cases = (_Waiting(*json.loads(line)) for line in self._cases)
        done = 0
        while chunk := list(islice(cases, _CHUNK)):
            rulings = self._panel.rule([self._case(waiting) for waiting in chunk])
            decided = {w.verdict: (self._panel.name(w.kind), ruling) for w, ruling in zip(chunk, rulings, strict=True)}
            until = chunk[-1].verdict + 1
            lines = enumerate(islice(self._verdicts, until - done), done)
            yield b"".join(self._decided(line, *decided[at], counts) if at in decided else line for at, line in lines)
            advance(len(chunk))
            done = until
        while rest := list(islice(self._verdicts, _CHUNK)):
            yield b"".join(rest)

    def _case(self, waiting: _Waiting) -> Case:
        return Case(waiting.kind, self._questions[waiting.item], waiting.text)

    def _decided(self, line: bytes, judge: str, ruling: Ruling, counts: Counter[str]) -> bytes:
        """Put a judge's ruling into the rules' verdict; hops and what is contradicted stay the rules' own."""
        verdict = decoder(Verdict)(line)
        counts[verdict.outcome] -= 1
        counts[ruling.outcome] += 1
        self.failed += ruling.reason == "judge_failed"
        answer = verdict.answer if ruling.reason == "judge" and ruling.answer is None else ruling.answer
        # The characters that decided for the rules decide nothing any more.
        decided = replace(
            verdict, outcome=ruling.outcome, reason=ruling.reason, answer=answer, spans=[], judge=judge, confidence=None
        )
        return decided.line().encode() + b"\n"


def announcement(name: str, kinds: Mapping[str, int], requests: int, tokens: int, price: Price | None = None) -> str:
    """Say before a judge is asked how much it will be asked.

    >>> announcement("openai:m", {"premise": 2, "short": 1}, 6, 2400)
    'openai:m judges 3 answers (2 premise, 1 short) that the rules leave open: 6 requests, about 2,400 tokens in'
    """
    total = sum(kinds.values())
    if not total:
        return f"{name} judges nothing: the rules leave no answer open"
    parts = ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items()))
    usd = price.of(Usage(input=tokens, output=requests * _REPORT)) if price is not None else None
    cost = "" if usd is None else f", about ${usd:,.2f}"
    asked = f"{requests} {'request' if requests == 1 else 'requests'}, about {tokens:,} tokens in{cost}"
    return f"{name} judges {total} {'answer' if total == 1 else 'answers'} ({parts}) that the rules leave open: {asked}"


@dataclass(frozen=True)
class Bench:
    """A model that judges `what` the rules leave open, with so many `votes` on each answer.

    `concurrency` says how many requests are under way at once.
    """

    model: Recording
    what: What = What.all
    votes: int = 1
    concurrency: int = 8
    quiet: bool = False

    @classmethod
    def of(cls, spec: str, what: What, votes: int, judgements: str | None, concurrency: int, *, quiet: bool) -> Bench:
        """Open the model that `spec` names; raises ModelError where there is none."""
        return cls(Recording(open_model(spec), judgements), what, votes, concurrency, quiet)

    @property
    def leaves_open(self) -> LeavesOpen:
        """What tells the answers that are for this judge."""
        return chooser(self.what)

    def decide(self, questions: Mapping[str, Question], pieces: Iterable[Piece], counts: Counter[str]) -> Iterator[bytes]:
        """Yield the verdicts of all pieces in their order; `counts`, of outcomes, follows what the judge changes.

        Nothing is asked before the rules have read every answer, so that it can be said how much there is to ask.
        """
        panel = Panel(self.model, self.votes, self.concurrency)
        with PendingCases(questions, panel, self.model.holds) as pending:
            for piece in pieces:
                pending.add(piece)
            price = find_price(read_prices(), self.model.name)
            note(announcement(self.model.name, pending.kinds, pending.requests, pending.tokens, price), self.quiet)
            with progress(f"{self.model.name} judges", pending.kinds.total(), self.quiet) as bar:
                yield from pending.judged(counts, lambda n: bar.advance(bar.task_ids[0], n))
            self._note_failures(pending)

    def _note_failures(self, pending: PendingCases) -> None:
        if pending.failed:  # never silently, not even with --quiet: answers are left without a verdict
            note(f"{self.model.name}: {pending.failed} of {pending.kinds.total()} answers were not judged (judge_failed)")
        if self.model.known:
            note(f"{self.model.known} of its reports were on file already", self.quiet)
