"""What the verdicts came to by model and task, for the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import msgspec

from evaluators.verify.evidence import STANDINGS, standing
from evaluators.verify.question import Question
from kg.errors import one_line
from queries.records.verdict import OUTCOMES
from queries.tables import print_grid


class _Outcome(msgspec.Struct):
    """What is counted of a verdict."""

    item: str
    model: str
    outcome: str
    evidence: bool | None = None


class Tally:
    r"""Counts verdicts by model, task and outcome.

    >>> tally = Tally()
    >>> tally.add(b'{"item":"i","model":"m","outcome":"correct"}\n', {})
    >>> tally.rows()
    [['m', '(none)', '1.000', '1', '0', '0', '0']]
    """

    def __init__(self) -> None:
        self._counts = Counter[tuple[str, str, str]]()
        self._standings = Counter[tuple[str, str]]()
        self._decoder = msgspec.json.Decoder(_Outcome)

    def add(self, verdicts: bytes, questions: Mapping[str, Question]) -> None:
        """Count verdicts, written as JSON Lines; the questions say of which task they are."""
        for verdict in self._decoder.decode_lines(verdicts):
            question = questions.get(verdict.item)
            self._counts[verdict.model, question.task if question else "(none)", verdict.outcome] += 1
            if looked_up := standing(verdict.outcome, verdict.evidence):
                self._standings[verdict.model, looked_up] += 1

    def rows(self) -> list[list[str]]:
        """Return a row for each model and task: both, the share of right answers among the scored ones, the counts."""
        rows = []
        for model, task in sorted({key[:2] for key in self._counts}):
            counts = [self._counts[model, task, outcome] for outcome in OUTCOMES]
            scored = sum(n for n, outcome in zip(counts, OUTCOMES, strict=True) if outcome != "unscored")
            share = f"{counts[OUTCOMES.index('correct')] / scored:.3f}" if scored else "–"
            rows.append([one_line(model, 40), task, share, *(f"{n:,}" for n in counts)])
        return rows

    def print(self) -> None:
        """Print the rows to stderr: stdout may be the verdicts."""
        print_grid("By model and task", ["model", "task"], ["correct of scored", *OUTCOMES], self.rows(), aside=True)
        if self._standings:
            models = sorted({model for model, _ in self._standings})
            rows = [[one_line(model, 40), *(f"{self._standings[model, name]:,}" for name in STANDINGS)] for model in models]
            titles = [name.replace("_", " by ") for name in STANDINGS]
            print_grid("By what queries of the graph returned", ["model"], titles, rows, aside=True)
