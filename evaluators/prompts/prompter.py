"""From an item to the messages that are sent, in the words of a setting.

```
python -m evaluators.ask items.jsonl --model replay:answers.jsonl --setting zero-shot --out - --dry-run
python -m evaluators.ask items.jsonl --model replay:answers.jsonl --setting few-shot --exemplars shots.jsonl --out - --dry-run
```
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Protocol

from evaluators.errors import PromptError
from evaluators.models import Message
from evaluators.prompts.exemplars import Shots
from evaluators.prompts.frame import framed
from evaluators.prompts.passages import Passages
from evaluators.prompts.setting import Setting
from queries.records.exemplar import Exemplar

__all__ = ["Prompter", "Worded"]


class Prompter(Protocol):
    """Something that puts items to a model."""

    def messages(self, item: Mapping[str, Any], sample: int = 0) -> tuple[Message, ...]:
        """Return what is sent for an item; every sample is asked in the same words.

        Parameters: `item` has `id`, `task`, `question`, `options`, `context`, `image` and `group`.
        Raises PromptError where the item lacks what the setting needs.
        """
        ...

    def prepare(self, items: Iterable[Mapping[str, Any]]) -> None:
        """Look at items before they are asked; nothing but speed depends on it (one call embeds all questions)."""
        ...


class Worded:
    """The prompter of a setting, with the exemplars and passages that it needs."""

    def __init__(self, setting: Setting, shots: Shots | None = None, passages: Passages | None = None) -> None:
        self._setting, self._shots, self._passages = setting, shots, passages
        self._worded: dict[tuple[str, str, str], str] = {}

    def prepare(self, items: Iterable[Mapping[str, Any]]) -> None:
        """Embed all questions at once where exemplars are chosen by nearness."""
        if self._shots is not None:
            self._shots.prepare(items)

    def messages(self, item: Mapping[str, Any], sample: int = 0) -> tuple[Message, ...]:
        """Return the system message if there is one, demonstrations, and the question with its picture."""
        task = self._task(item)
        system = self._setting.system.get(task)
        shown = self._shots.of(item) if self._shots is not None else ()
        before = [Message("system", system)] if system else []
        turns = [] if task in self._setting.shot else self._turns(task, shown)
        return (*before, *turns, self._asked(item, shown))

    def _task(self, item: Mapping[str, Any]) -> Any:
        task, setting = item["task"], self._setting
        if task not in setting.wording:
            problem = f"setting '{setting.setting}' has no wording for task {task}"
            way_out = f"it has {', '.join(setting.wording)}; choose another setting"
            raise PromptError(problem, place=f"item {item['id']}", way_out=way_out)
        return task

    def _turns(self, task: Any, shown: Sequence[Exemplar]) -> list[Message]:
        """Put demonstrations as a conversation: each question in the item's own wording, then its answer."""
        wording = self._setting.wording[task]
        pairs = [(self._demonstrated(wording, exemplar), exemplar.text) for exemplar in shown]
        return [turn for asked, told in pairs for turn in (Message("user", asked), Message("assistant", told))]

    def _demonstrated(self, wording: str, exemplar: Exemplar) -> str:
        """Word an exemplar, once: thousands of items see it."""
        key = (wording, exemplar.question, exemplar.text)
        if key not in self._worded:
            values = {**self._values(exemplar.model_dump()), "text": framed(exemplar.text)}
            self._worded[key] = _filled(wording, values, f"exemplar '{exemplar.question}'")
        return self._worded[key]

    def _asked(self, item: Mapping[str, Any], shown: Sequence[Exemplar]) -> Message:
        task, image = item["task"], item.get("image")
        values = self._values(item)
        if task in self._setting.shot:
            wording = self._setting.shot[task]
            values["shots"] = "\n\n".join(self._demonstrated(wording, exemplar) for exemplar in shown)
        if self._passages is not None:
            values["passages"] = self._listed(self._setting.passage, self._passages.of(item))
        text = _filled(self._setting.wording[task], values, f"item {item['id']}")
        return Message("user", f"{self._setting.image}\n{text}" if image else text, image or None)

    def _values(self, asked: Mapping[str, Any]) -> dict[str, str | None]:
        options, context = asked.get("options"), asked.get("context")
        return {
            "question": framed(asked["question"]),
            "options": self._listed(self._setting.option, options) if options else None,
            "context": framed(context) if context and context.strip() else None,
        }

    def _listed(self, form: str, texts: Sequence[str]) -> str:
        return "\n".join(form.format(number=number, text=framed(text)) for number, text in enumerate(texts, 1))


def _filled(wording: str, values: Mapping[str, str | None], place: str) -> str:
    """Fill a wording in one pass, so that braces in a value stay braces."""
    for name in _named(wording):
        if values.get(name) is None:
            raise PromptError(f"has no {name}, which the setting shows", place=place, way_out="choose another setting")
    return wording.format_map(values)


@cache
def _named(wording: str) -> tuple[str, ...]:
    return tuple(name for _, name, _, _ in string.Formatter().parse(wording) if name)
