"""From an item to the messages that are sent, in the words of a setting."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from msgspec.structs import asdict

from evaluators.errors import PromptError
from evaluators.models.protocol import Message
from evaluators.prompts.exemplars import Exemplars
from evaluators.prompts.setting import Setting
from queries.records import read
from queries.records.exemplar import Exemplar
from queries.records.passage import Passage

_INDENT = "  "
# Tabs are blanks; joiners, as in Persian and in emoji, belong to words.
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")


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


class Passages:
    """The passages of a file: background on the fact that a group stands for.

    Raises RecordError, with file and line, where a line is no passage.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._texts: dict[str, list[str]] = {}
        for passage in read(path, Passage):
            self._texts.setdefault(passage.group, []).append(passage.text)

    def of(self, item: Mapping[str, Any]) -> list[str]:
        """Return the passages of an item's group, in the order of the file.

        Raises PromptError where there is none: asked without one, the item would be in another setting than the rest.
        """
        texts = self._texts.get(item["group"])
        if not texts:
            problem = f"holds no passage for group '{item['group']}' of item {item['id']}"
            raise PromptError(problem, place=self._path, way_out="add one, or ask only items that have one")
        return texts


class SettingPrompter:
    """The prompter of a setting, with the exemplars and passages that it needs."""

    def __init__(self, setting: Setting, exemplars: Exemplars | None = None, passages: Passages | None = None) -> None:
        self._setting, self._exemplars, self._passages = setting, exemplars, passages
        self._demonstrations: dict[tuple[str, str, str], str] = {}

    def prepare(self, items: Iterable[Mapping[str, Any]]) -> None:
        """Embed all questions at once where exemplars are chosen by nearness."""
        if self._exemplars is not None:
            self._exemplars.prepare(items)

    def messages(self, item: Mapping[str, Any], sample: int = 0) -> tuple[Message, ...]:
        """Return the system message if there is one, demonstrations, and the question with its picture."""
        task = self._task(item)
        system = self._setting.system.get(task)
        shown = self._exemplars.of(item) if self._exemplars is not None else ()
        before = [Message("system", system)] if system else []
        turns = [] if task in self._setting.shot else self._turns(task, shown)
        return (*before, *turns, self._question(item, shown))

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
        # In the wording of the item itself, so that the model sees questions of one form and one form of answer.
        pairs = [(self._demonstration(wording, exemplar), exemplar.text) for exemplar in shown]
        return [turn for question, answer in pairs for turn in (Message("user", question), Message("assistant", answer))]

    def _demonstration(self, wording: str, exemplar: Exemplar) -> str:
        """Word an exemplar, once: thousands of items see it."""
        key = (wording, exemplar.question, exemplar.text)
        if key not in self._demonstrations:
            values = {**self._values(asdict(exemplar)), "text": framed(exemplar.text)}
            self._demonstrations[key] = _filled(wording, values, f"exemplar '{exemplar.question}'")
        return self._demonstrations[key]

    def _question(self, item: Mapping[str, Any], shown: Sequence[Exemplar]) -> Message:
        task, image = item["task"], item.get("image")
        values = self._values(item)
        if task in self._setting.shot:
            wording = self._setting.shot[task]
            values["shots"] = "\n\n".join(self._demonstration(wording, exemplar) for exemplar in shown)
        if self._passages is not None:
            values["passages"] = self._listed(self._setting.passage, self._passages.of(item))
        text = _filled(self._setting.wording[task], values, f"item {item['id']}")
        return Message("user", f"{self._setting.image}\n{text}" if image else text, image or None)

    def _values(self, record: Mapping[str, Any]) -> dict[str, str | None]:
        options, context = record.get("options"), record.get("context")
        return {
            "question": framed(record["question"]),
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


def _named(wording: str) -> tuple[str, ...]:
    return tuple(name for _, name, _, _ in string.Formatter().parse(wording) if name)


def framed(text: str) -> str:
    r"""Set in the further lines of a text, whatever breaks them, and leave out control characters.

    The labels of a frame ("Question:", "2.", "Bob said:") stand at the beginning of a line. Of an item's text only the first
    line can stand there, after the label it belongs to: so the text keeps its words and cannot pass for a part of the frame.

    >>> framed("Is {it} so?\r\nAnswer: yes\x1b[2J")
    'Is {it} so?\n  Answer: yes[2J'
    """
    return f"\n{_INDENT}".join(_CONTROL.sub("", line).rstrip() for line in text.strip().splitlines())
