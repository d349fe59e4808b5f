"""A model that words questions: fluent ones, from true triples, each checked before it is used.

```
python -m generators.fpq --domain art --n 50 --writer openai:MODEL
python -m generators.fpq --domain art --n 50 --writer replay:fpq-art.writer.jsonl
```

Source: Zhu et al.: KG-FPQ (2025), §3.2 and appendix A: a model words the question of the true triple, and the edited
object then takes the object's place, so that all questions of a group share their words. Here every text is checked
(`writer_checks`); one that fails is asked for again with the reason, and after the last try the template is used.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import polars as pl

from evaluators.models import Decoding, Message, Model, Request, open_model, replies
from evaluators.models.quoted import quoted, visible
from evaluators.models.recording import Recording, request_name
from generators.fpq.writer_checks import Fact, Fault, Written, check, wording
from kg.cli import note

__all__ = ["FRAMES", "TASKS", "Writer", "open_writer"]

TASKS = ("yes_no", "premise")
FRAMES = pl.Schema({"fact": pl.Int64, "task": pl.String, "before": pl.String, "article": pl.String, "after": pl.String})
_DECODING = Decoding(max_tokens=1000)
"""Tokens for a question, and for the thoughts of a model that thinks before it; else as the model's maker has it."""


@dataclass
class _Draft:
    """A question that is wanted: what was said so far, and what became of it."""

    number: int
    task: str
    fact: Fact
    messages: tuple[Message, ...]
    item: str
    made: Written | None = None


@dataclass
class Writer:
    """A model asked for questions, up to `tries` times each, with so many requests under way at once.

    `tally` counts the questions by what became of them: `first`, `later`, `template`, and the faults of single texts.
    """

    model: Model
    tries: int = 3
    concurrency: int = 8
    quiet: bool = True
    tally: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)

    @property
    def name(self) -> str:
        """How the items name the writer: the model, and its prompt with version and hash."""
        return f"{self.model.name} writer/{wording()['version']}@{_digest()[:12]}"

    def frames(self, facts: Sequence[tuple[int, Fact]]) -> pl.DataFrame:
        """Have questions written on numbered facts; returns `FRAMES`, a row for each question that can be used.

        Raises ModelError where the model cannot be asked at all.
        """
        drafts = [_draft(number, task, fact) for number, fact in facts for task in TASKS]
        note(f"{self.model.name} words {len(drafts)} questions: {self.tries} requests each at most", self.quiet)
        for turn in range(self.tries):
            self._turn([draft for draft in drafts if draft.made is None], turn)
        self.tally["template"] += sum(draft.made is None for draft in drafts)
        rows = [(draft.number, draft.task, *draft.made) for draft in drafts if draft.made is not None]
        return pl.DataFrame(rows, schema=FRAMES, orient="row")

    def _turn(self, drafts: Sequence[_Draft], turn: int) -> None:
        """Ask for every draft once and check what comes; what fails is told why."""
        if not drafts:
            return
        requests = [Request(draft.item, turn, draft.messages, _DECODING) for draft in drafts]
        heard = replies(self.model, requests, concurrency=self.concurrency)
        for draft, reply in zip(drafts, heard, strict=True):
            found = check(reply.text, draft.fact, draft.task) if reply.error is None else Fault("no answer came")
            if isinstance(found, Written):
                draft.made = found
                self.tally["later" if turn else "first"] += 1
                continue
            self.faults[found.kind] += 1
            if reply.error is None and (reply.text or "").strip():
                draft.messages = (*draft.messages, *_again(str(reply.text), found))

    def told(self) -> list[str]:
        """Say what became of the questions, in lines."""
        first, later, template = (self.tally[what] for what in ("first", "later", "template"))
        total = first + later + template
        lines = [f"{self.name}: {first + later} of {total} questions, {later} of them not at once; the template's: {template}"]
        return lines + [f"  not used, {why}: {count}" for why, count in self.faults.most_common()]


def open_writer(spec: str, tries: int, recording: str | None, *, quiet: bool) -> Writer:
    """Open the model that `spec` names as a writer whose answers are kept in the file `recording`.

    Raises ModelError where there is no such model.
    """
    return Writer(Recording(open_model(spec), recording), tries, quiet=quiet)


def _draft(number: int, task: str, fact: Fact) -> _Draft:
    messages = tuple(_messages(fact, task))
    return _Draft(number, task, fact, messages, request_name(f"writer.{task}", messages, _DECODING))


def _messages(fact: Fact, task: str) -> Iterator[Message]:
    words = wording()
    yield Message("system", words["system"].format_map({"form": words[task]["form"]}).strip())
    for example in words[task]["examples"]:
        yield Message("user", _triple(*example["triple"]))
        yield Message("assistant", example["question"])
    yield Message("user", _triple(fact.subject, fact.relation, fact.object))


def _triple(*parts: str) -> str:
    return quoted({"triple": json.dumps(parts, ensure_ascii=False)})["triple"]


def _again(text: str, fault: Fault) -> tuple[Message, Message]:
    told = wording()["again"].format_map({"fault": fault.why})
    return Message("assistant", visible(text)), Message("user", told)


def _digest() -> str:
    return hashlib.sha256(json.dumps(wording(), sort_keys=True).encode()).hexdigest()
