"""A model that helps where rules end: it judges questions of a user's files, and proposes distractors, twenty in a request.

Each text that comes is checked; one that cannot be used is asked for again with the reason, and after the last try the rules
go on alone.

Source: Zheng et al.: How Reliable are LLMs as Knowledge Bases? (2024), sections 3.2 and 3.3, tables 5 and 8.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, Generic, TypeVar

from evaluators.models import Decoding, Message, Reply
from evaluators.models.identity import request_name
from evaluators.models.quoted import quoted, visible
from evaluators.models.runs import Draft, Recording, Terms, ask_drafts
from generators.unseenqa.answers import Answer
from generators.unseenqa.pools import SHOWN, SIZE, options
from generators.unseenqa.qa_files import QA
from generators.unseenqa.values import Value, find_value, meanings, says_one_of
from kg.formats import shipped_toml
from kg.text import fold

T = TypeVar("T")

BATCH = 20
"""So many questions are judged in one request."""
_DECODING = Decoding(max_tokens=1200)
_LINE = re.compile(r"\s*(\d+)\s*[.):]\s*([a-z-]+)\.?\s*", re.IGNORECASE)
_NUMBERED = re.compile(r"^\s*(?:\d+[.)]\s+|[-*•]\s+)")
_LONGER = 4
"""A distractor may have so many words more than the answer."""


@cache
def prompts() -> dict[str, Any]:
    """Read `prompts.toml`."""
    return shipped_toml("generators.unseenqa", "prompts.toml")


class Fault(str):
    """Why a text cannot be used."""


_NO_ANSWER = Fault("no answer came")


@dataclass
class _Draft(Draft, Generic[T]):
    """A text that is wanted: how it is read, and what came of it."""

    read: Callable[[str], T | Fault]
    result: T | Fault = _NO_ANSWER


@dataclass
class Helper:
    """A model asked for judgments or distractors, up to `tries` times for each text.

    `faults` counts the texts that were no use by reason, those asked for again too; `requests` what was asked.
    """

    model: Recording
    tries: int = 2
    requests: int = 0
    faults: Counter[str] = field(default_factory=Counter)

    @property
    def name(self) -> str:
        """How items name the helper: the model, and its prompts with version and hash."""
        digest = hashlib.sha256(json.dumps(prompts(), sort_keys=True).encode()).hexdigest()
        return f"{self.model.name} helper/{prompts()['version']}@{digest[:12]}"

    def judged(self, questions: Sequence[QA]) -> list[str | None]:
        """Say of each question why it is left out; null where it may be asked, or where the judge said nothing of use.

        Raises ModelError where the model cannot be asked at all.
        """
        batches = [questions[start : start + BATCH] for start in range(0, len(questions), BATCH)]
        drafts = [
            _draft("judge", prompts()["judge"], {"texts": _listed(part)}, partial(_verdicts, len(part))) for part in batches
        ]
        self._ask(drafts)
        reasons: list[str | None] = []
        for part, draft in zip(batches, drafts, strict=True):
            reasons += [None] * len(part) if isinstance(draft.result, Fault) else draft.result
        return reasons

    def distractors(self, answers: Sequence[Answer]) -> list[list[str]]:
        """Return for each answer the cores of options beside it that hold; none where the model gave too few.

        Raises ModelError where the model cannot be asked at all.
        """
        text = prompts()["distractors"]["text"].replace("{number}", str(SIZE))
        drafts = [
            _draft("distractors", text, {"question": a.item.question, "answer": a.core}, partial(_proposed, a)) for a in answers
        ]
        self._ask(drafts)
        return [[] if isinstance(draft.result, Fault) else draft.result for draft in drafts]

    def _ask(self, drafts: Sequence[_Draft[T]]) -> None:
        """Ask for each draft until it can be used, or for the last time."""
        self.requests += ask_drafts(self.model, drafts, self._take, self.tries, _DECODING)

    def _take(self, draft: _Draft[T], reply: Reply, turn: int) -> str | None:
        text = "" if reply.error is not None else visible(reply.text or "").strip()
        draft.result = draft.read(text) if text else _NO_ANSWER
        if not isinstance(draft.result, Fault):
            return None
        self.faults[draft.result] += 1
        return str(prompts()["again"].format(fault=draft.result))

    def summary(self) -> list[str]:
        """Say what was asked and which texts could not be used, in lines."""
        return [
            f"{self.name}: {self.requests} requests{self.model.cost}",
            *(f"  not used, {why}: {n}" for why, n in self.faults.most_common()),
        ]


def open_helper(spec: str, tries: int, recording: str | None, terms: Terms = Terms(), *, quiet: bool = True) -> Helper:
    """Open the model that `spec` names as a helper whose answers are kept in the file `recording`.

    Raises ModelError where there is no such model.
    """
    return Helper(Recording.open(spec, recording, terms, quiet=quiet), tries)


def _draft(step: str, text: str, texts: Mapping[str, str], read: Callable[[str], T | Fault]) -> _Draft[T]:
    asked = text.format_map(quoted(texts)).strip()
    messages = (Message("system", prompts()["system"].strip()), Message("user", asked))
    return _Draft(messages, request_name(f"unseenqa.{step}", messages, _DECODING), read)


def _listed(questions: Sequence[QA]) -> str:
    lines = [(" ".join(each.question.split()), " ".join(each.answers[0].split())) for each in questions]
    return "\n".join(f"{n}. {question} | {answer}" for n, (question, answer) in enumerate(lines, 1))


def _verdicts(size: int, text: str) -> list[str | None] | Fault:
    """Read a line for each question: its number and a word.

    >>> _verdicts(2, "1. fine\\n2. changes")
    [None, 'the judge: its answer changes with time']
    >>> _verdicts(2, "1. fine")
    'not every question has one line with its number and one of the words'
    """
    reasons = {"fine": None, **prompts()["judge_reasons"]}
    lines = [_LINE.fullmatch(line) for line in text.splitlines() if line.strip()]
    words = {int(line[1]): line[2].lower() for line in lines if line is not None}
    if len(lines) != size or set(words) != set(range(1, size + 1)) or not set(words.values()) <= set(reasons):
        return Fault("not every question has one line with its number and one of the words")
    return [reasons[words[n]] for n in range(1, size + 1)]


def _proposed(answer: Answer, text: str) -> list[str] | Fault:
    """Read distractors, a line each; leave out what is no answer of the kind, and what says the answer or the truth."""
    lines = [_NUMBERED.sub("", line).strip().strip('"“”').rstrip(".;,") for line in text.splitlines()]
    cores = [line for line in dict.fromkeys(lines) if line and _fits(answer, line)]
    if len(options(answer, cores)) < SHOWN:
        return Fault("fewer than three of the lines are other answers of the same kind")
    return cores


def _fits(answer: Answer, core: str) -> bool:
    value = answer.value
    if value is not None:
        other = find_value(core, value.kind)
        same_form = other is not None and other.text == core and _form(other) == _form(value)
        return same_form and not says_one_of(core, meanings((answer.core, *(answer.item.answer or ())), value.kind), value.kind)
    folded = f" {fold(core)} "
    if len(core.split()) > len(answer.core.split()) + _LONGER or not fold(core) or core.endswith(("?", ":")):
        return False
    # "Paris, France" beside "Paris" says the same thing twice.
    return not any(f" {truth} " in folded or folded in f" {truth} " for truth in answer.truths if truth)


def _form(value: Value) -> list[str]:
    """Return the parts of a value in their order: month, day and year are another form than day, month and year."""
    return [part.name for part in sorted(value.parts, key=lambda part: part.start)]
