"""The judge as `verify` uses it: told beforehand what it will be asked, asked, and its reports put among the rules' verdicts.

```
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --judge openai:MODEL --out verdicts.jsonl
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --judge MODEL --judge-votes 3 --out v.jsonl
```
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from evaluators.judge.left_open import What, chooser
from evaluators.judge.panel import Panel
from evaluators.judge.pending import Spool, told
from evaluators.models import open_model
from evaluators.models.prices import find_price, read_prices
from evaluators.models.recording import Recording
from evaluators.verify.question import Question
from evaluators.verify.stream import LeavesOpen, Piece
from kg.cli import note, progress

__all__ = ["Bench"]


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
        with Spool(questions, panel, self.model.holds) as spool:
            for piece in pieces:
                spool.add(piece)
            price = find_price(read_prices(), self.model.name)
            asked = told(self.model.name, spool.kinds, spool.requests, spool.tokens, price)
            note(asked, self.quiet)
            with progress(f"{self.model.name} judges", spool.kinds.total(), self.quiet) as bar:
                yield from spool.judged(counts, lambda n: bar.advance(bar.task_ids[0], n))
            self._tell(spool)

    def _tell(self, spool: Spool) -> None:
        if spool.failed:  # never silently, not even with --quiet: answers are left without a verdict
            note(f"{self.model.name}: {spool.failed} of {spool.kinds.total()} answers were not judged (judge_failed)")
        if self.model.known:
            note(f"{self.model.known} of its reports were on file already", self.quiet)
