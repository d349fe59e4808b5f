"""Ask a model for wordings, several families a request, and again for those that could not be used, with the reasons."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from evaluators.models import Decoding, Message
from evaluators.models.identity import request_name
from evaluators.models.protocol import Reply
from evaluators.models.quoted import quoted
from evaluators.models.runs import Draft, Recording, Terms, ask_drafts
from generators.writer.checks import Flaw, WordingTask, check_text, open_form, prompts
from kg.cli import note
from kg.text import harmless

BATCH = 8
"""So many families go into one request: a database of 240 needs thirty."""
_DECODING = Decoding(max_tokens=6000)
"""Tokens for the texts of a request, and for the thoughts of a model that thinks before it."""
_LONGEST_VALUE = 80


@dataclass(frozen=True)
class Worded:
    """The texts of a task, by variant: the writer's in the variants `written`, the rule's in the others."""

    texts: Mapping[str, str]
    written: frozenset[str] = frozenset()


@dataclass
class _Batch(Draft):
    """Tasks of one request, and what is written by now."""

    tasks: Sequence[WordingTask]
    written: list[dict[str, str]]


@dataclass
class Writer:
    """A model asked for wordings, up to `tries` times each.

    `tally` counts the texts by what became of them (`first`, `later`, `rule`), `flaws` those that were no use by the reason;
    `requests` counts what was asked.
    """

    model: Recording
    tries: int = 2
    quiet: bool = True
    requests: int = 0
    tally: Counter[str] = field(default_factory=Counter)
    flaws: Counter[str] = field(default_factory=Counter)

    @property
    def name(self) -> str:
        """How items name the writer: the model, and its prompt with version and hash."""
        return f"{self.model.name} writer/{prompts()['version']}@{_digest()[:12]}"

    def word(self, tasks: Sequence[WordingTask]) -> list[Worded]:
        """Have families worded; return for each the texts to use, in their order.

        No two texts of different tasks come out the same, placeholders left open, unless their rules' texts are.
        Raises ModelError where the model cannot be asked at all, ValueError where two tasks have one name.
        """
        if len({task.name for task in tasks}) < len(tasks):
            raise ValueError("two tasks have the same name")
        batches = [_batch(tasks[first : first + BATCH]) for first in range(0, len(tasks), BATCH)]
        note(f"{self.model.name} words {len(tasks)} families: {len(batches)} requests, {self.tries} times at most", self.quiet)
        taken = {open_form(text): task.name for task in tasks for text in task.texts.values()}
        wanted = [batch for batch in batches if any(task.texts for task in batch.tasks)]
        self.requests += ask_drafts(self.model, wanted, partial(self._take, taken), self.tries, _DECODING)
        written = [own for batch in batches for own in batch.written]
        self.tally["rule"] += sum(len(task.texts) - len(own) for task, own in zip(tasks, written, strict=True))
        return [Worded({**task.texts, **own}, frozenset(own)) for task, own in zip(tasks, written, strict=True)]

    def _take(self, taken: dict[str, str], batch: _Batch, reply: Reply, turn: int) -> str | None:
        """Take the texts that can be used; say what is wrong with the others."""
        texts = _texts(reply)
        if isinstance(texts, Flaw):
            missing = sum(len(set(task.texts) - set(own)) for task, own in zip(batch.tasks, batch.written, strict=True))
            self.flaws[texts.kind] += missing
            return str(prompts()["again_whole"].format(fault=texts.why))
        faults = list(self._faults(batch, texts, turn, taken))
        return str(prompts()["again"].format(faults="\n".join(f"- {fault}" for fault in faults))) if faults else None

    def _faults(self, batch: _Batch, texts: Mapping[str, object], turn: int, taken: dict[str, str]) -> Iterator[str]:
        """Take the texts that can be used; yield what is wrong with the others."""
        for number, (task, own) in enumerate(zip(batch.tasks, batch.written, strict=True), 1):
            answered = texts.get(str(number))
            for variant in task.texts:
                if variant in own:
                    continue
                text = answered.get(variant) if isinstance(answered, dict) else None
                flaw = Flaw("no text came for it") if text is None else check_text(text, task, variant)
                flaw = flaw or _repeats(str(text), task, variant, taken)
                if flaw is None:
                    own[variant] = str(text)
                    self.tally["later" if turn else "first"] += 1
                    continue
                self.flaws[flaw.kind] += 1
                yield f"{number}, {variant}: {flaw.why}"

    def summary(self) -> list[str]:
        """Say what became of the texts, in lines."""
        first, later, rule = (self.tally[what] for what in ("first", "later", "rule"))
        head = f"{self.name}: {first + later} of {first + later + rule} texts in {self.requests} requests{self.model.cost}"
        lines = [f"{head}, {later} of them not at once; the rule's: {rule}"]
        return lines + [f"  not used, {why}: {count}" for why, count in self.flaws.most_common()]


def open_writer(spec: str, tries: int, recording: str | None, terms: Terms = Terms(), *, quiet: bool) -> Writer:
    """Open the model that `spec` names as a writer whose answers are kept in the file `recording`.

    Raises ModelError where there is no such model, InputError where a term is at fault.
    """
    return Writer(Recording.open(spec, recording, terms, quiet=quiet), tries, quiet=quiet)


def _repeats(text: str, task: WordingTask, variant: str, taken: dict[str, str]) -> Flaw | None:
    """Say whether another task has the text already; else it is taken from now on."""
    form = open_form(text)
    if taken.get(form, task.name) != task.name and form != open_form(task.texts[variant]):
        return Flaw("another family asks in the same words")
    taken[form] = task.name
    return None


def _texts(reply: Reply) -> dict[str, Any] | Flaw:
    """Read an answer: a JSON object, which a fence may hold."""
    if reply.error is not None:
        return Flaw("no answer came")
    text = (reply.text or "").strip()
    if not text:
        return Flaw("the answer is empty")
    if text.startswith("```") and text.endswith("```"):
        text = text[3:-3].removeprefix("json")
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return Flaw("the answer is cut off" if reply.finish == "length" else "the answer is no JSON")
    return read if isinstance(read, dict) else Flaw("the answer is other JSON than was asked for")


def _batch(tasks: Sequence[WordingTask]) -> _Batch:
    families = {str(number): _told(task) for number, task in enumerate(tasks, 1)}
    lines = ",\n".join(f"{json.dumps(number)}: {json.dumps(told, ensure_ascii=False)}" for number, told in families.items())
    messages = (
        Message("system", prompts()["system"].strip()),
        Message("user", quoted({"families": f"{{{lines}}}"})["families"]),
    )
    return _Batch(messages, request_name("writer.families", messages, _DECODING), tasks, [{} for _ in tasks])


def _told(task: WordingTask) -> dict[str, object]:
    examples = [{slot: harmless(value)[:_LONGEST_VALUE] for slot, value in example.items()} for example in task.examples]
    return {
        "about": {name: harmless(text) for name, text in task.about.items()},
        "examples": examples,
        "texts": dict(task.texts),
    }


def _digest() -> str:
    return hashlib.sha256(json.dumps(prompts(), sort_keys=True).encode()).hexdigest()
