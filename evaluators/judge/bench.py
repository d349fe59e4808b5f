"""The judge as `verify` uses it: announced before it is asked, asked, and its reports put among the rules' verdicts.

The rules' verdicts wait on disk while a judge decides what they leave open; then both are put together in order. Memory holds
one chunk of cases and a hash of each, not the texts: responses may come from a pipe and be many.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from types import TracebackType
from typing import NamedTuple

from msgspec.structs import replace

from evaluators.judge.left_open import What, chooser
from evaluators.judge.panel import Case, Panel
from evaluators.models import Request
from evaluators.models.runs import Recording
from evaluators.verify.question import Question
from evaluators.verify.ruling import Ruling
from evaluators.verify.stream import LeavesOpen, Left, Piece
from kg.cli import note
from queries.records import Verdict
from queries.records.record import decoder

_CHUNK = 512
"""Cases that are judged together."""


class _Waiting(NamedTuple):
    """A case on disk: which verdict of the file it decides, and what it is about."""

    verdict: int
    kind: str
    item: str
    text: str


class PendingCases:
    """Verdicts of the rules and the cases that they leave open, in files that vanish when it is closed."""

    def __init__(self, questions: Mapping[str, Question], panel: Panel) -> None:
        self._questions, self._panel = questions, panel
        self._verdicts = tempfile.TemporaryFile()  # noqa: SIM115 - closed by __exit__
        self._cases = tempfile.TemporaryFile()  # noqa: SIM115
        self._written = 0
        self.kinds: Counter[str] = Counter()
        self.failed = 0

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
        waiting = _Waiting(self._written + left.verdict, left.kind, item, text)
        self._cases.write(json.dumps(waiting).encode() + b"\n")

    def __iter__(self) -> Iterator[Request]:
        """Yield what the panel has to ask, as often as that is wanted."""
        for waiting in self._waiting():
            yield from self._panel.requests(self._case(waiting))

    def _waiting(self) -> Iterator[_Waiting]:
        self._cases.seek(0)
        return (_Waiting(*json.loads(line)) for line in self._cases)

    def judged(self, counts: Counter[str]) -> Iterator[bytes]:
        """Yield all verdicts in order, in pieces, those of the open cases by the panel.

        Parameters: `counts`, of outcomes, is set right where the panel decides otherwise.
        """
        self._panel.model.ask(self)  # all at once, so that one budget, one pace and one batch serve all of them
        self._verdicts.seek(0)
        cases = self._waiting()
        done = 0
        while chunk := list(islice(cases, _CHUNK)):
            rulings = self._panel.rule([self._case(waiting) for waiting in chunk])
            decided = {w.verdict: (self._panel.name(w.kind), ruling) for w, ruling in zip(chunk, rulings, strict=True)}
            until = chunk[-1].verdict + 1
            lines = enumerate(islice(self._verdicts, until - done), done)
            yield b"".join(self._decided(line, *decided[at], counts) if at in decided else line for at, line in lines)
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


def announcement(name: str, kinds: Mapping[str, int]) -> str:
    """Say before a judge is asked what it decides.

    >>> announcement("openai:m", {"premise": 2, "short": 1})
    'openai:m judges 3 answers (2 premise, 1 short) that the rules leave open'
    """
    total = sum(kinds.values())
    if not total:
        return f"{name} judges nothing: the rules leave no answer open"
    parts = ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items()))
    return f"{name} judges {total} {'answer' if total == 1 else 'answers'} ({parts}) that the rules leave open"


@dataclass(frozen=True)
class Bench:
    """A model that judges `what` the rules leave open, with so many `votes` on each answer."""

    model: Recording
    what: What = What.all
    votes: int = 1
    quiet: bool = False

    @property
    def leaves_open(self) -> LeavesOpen:
        """What tells the answers that are for this judge."""
        return chooser(self.what)

    def decide(self, questions: Mapping[str, Question], pieces: Iterable[Piece], counts: Counter[str]) -> Iterator[bytes]:
        """Yield the verdicts of all pieces in their order; `counts`, of outcomes, follows what the judge changes.

        Nothing is asked before the rules have read every answer, so that it can be said how much there is to ask.
        """
        with PendingCases(questions, Panel(self.model, self.votes)) as pending:
            for piece in pieces:
                pending.add(piece)
            note(announcement(self.model.name, pending.kinds), self.quiet)
            yield from pending.judged(counts)
            self._note_failures(pending)

    def _note_failures(self, pending: PendingCases) -> None:
        if pending.failed:  # never silently, not even with --quiet: answers are left without a verdict
            note(f"{self.model.name}: {pending.failed} of {pending.kinds.total()} answers were not judged (judge_failed)")
        if self.model.known:
            note(f"{self.model.known} of its reports were on file already", self.quiet)
