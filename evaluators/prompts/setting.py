"""What a setting's file may say, and how it is read."""

from __future__ import annotations

import string
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from evaluators.errors import PromptError
from evaluators.prompts.exemplars import ExemplarRule
from kg.errors import nearest
from kg.files import read_bytes
from kg.formats import parse_toml
from queries.records.item import Task

_FOLDER = Path(__file__).parent
_IN_WORDING = ("question", "options", "context", "passages", "shots")
"""What a wording may name in braces."""
_IN_DEMONSTRATION = ("question", "options", "context", "text")
"""What a demonstration's wording may name in braces."""
_IN_LIST = ("number", "text")
"""What the form of an option or a passage may name in braces."""
_LOOK = "Look at the picture that comes with this message: the question is about it."

_Wording = Annotated[str, BeforeValidator(lambda text: text.strip("\n") if isinstance(text, str) else text)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ExemplarCounts(_Part):
    """The table `[shots]`: which exemplars go before a question.

    `count` says for each task how many, where `--shots` does not. Of so many, `unanswerable` show how not to know (of
    another number, the same share). `counterfactual`: each shows the answer of another exemplar of its property.
    """

    count: dict[Task, Annotated[int, Field(ge=1)]]
    unanswerable: int = Field(default=0, ge=0)
    counterfactual: bool = False

    def rules(self, count: int | None) -> dict[str, ExemplarRule]:
        """Return the rule of each task, for this number of exemplars or else the setting's own.

        >>> ExemplarCounts(count={"open": 4}, unanswerable=2).rules(6)["open"].unanswerable
        3
        """
        return {
            task: ExemplarRule(count or own, (count or own) * self.unanswerable // own, self.counterfactual)
            for task, own in self.count.items()
        }


class Setting(_Part):
    """How each task is worded; `system` goes before, `shot` is a demonstration where they stand in the text as one."""

    setting: str
    summary: str
    source: str
    image: _Wording = _LOOK
    option: str = "{number}. {text}"
    passage: str = "Passage {number}: {text}"
    system: dict[Task, _Wording] = Field(default_factory=dict)
    wording: dict[Task, _Wording] = Field(min_length=1)
    shot: dict[Task, _Wording] = Field(default_factory=dict)
    shots: ExemplarCounts | None = None

    @property
    def needs_passages(self) -> bool:
        """Tell whether a wording shows passages."""
        return any("{passages}" in wording for wording in self.wording.values())


def settings() -> list[str]:
    """Return the names of the settings that come with this room.

    >>> "zero-shot" in settings()
    True
    """
    return sorted(path.stem for path in _FOLDER.glob("*.toml"))


@cache
def load_setting(name: str) -> Setting:
    """Read a setting by its name, or from a file that ends in `.toml`.

    Raises PromptError where it is unknown, no TOML, or says something that no setting says.

    >>> load_setting("zero-shot").setting
    'zero-shot'
    """
    is_file = name.endswith(".toml")
    if not is_file and name not in settings():
        raise PromptError(f"'{name}' is no setting", way_out=nearest(name, settings()))
    place = name if is_file else str(_FOLDER / f"{name}.toml")
    tables = parse_toml(read_bytes(place), place, way_out="see evaluators/prompts/README.md", error=PromptError)
    return _checked(tables, place)


def _checked(tables: dict[str, Any], place: str) -> Setting:
    try:
        setting = Setting.model_validate(tables)
    except ValidationError as error:
        # A key that is unknown tells more than the one that is missing in its place.
        first = min(error.errors(include_url=False), key=lambda each: each["type"] != "extra_forbidden")
        field = ".".join(str(part) for part in first["loc"])
        fault = "is unknown" if first["type"] == "extra_forbidden" else f"is at fault ({first['msg']})"
        way_out = nearest(field, Setting.model_fields) if "." not in field else "see evaluators/prompts/README.md"
        raise PromptError(f"'{field}' {fault}", place=place, way_out=way_out) from None
    _check_names({"option": setting.option, "passage": setting.passage}, _IN_LIST, place, "")
    _check_names(setting.wording, _IN_WORDING, place, "wording.")
    _check_names(setting.shot, _IN_DEMONSTRATION, place, "shot.")
    _check_tasks(setting, place)
    return setting


def _check_names(wordings: Mapping[Any, str], known: tuple[str, ...], place: str, prefix: str) -> None:
    for task, wording in wordings.items():
        where = f"{place}: {prefix}{task}"
        try:
            fields = [field for field in string.Formatter().parse(wording) if field[1] is not None]
        except ValueError as error:
            raise PromptError(f"braces do not match ({error})", place=where, way_out="write {{ for a brace") from None
        for _, name, spec, conversion in fields:  # "{question:>9}" and "{question!r}" are faults as well
            if name not in known or spec or conversion:
                raise PromptError(f"'{{{name}}}' stands for nothing", place=where, way_out=nearest(name or "", known))


def _check_tasks(setting: Setting, place: str) -> None:
    unworded = [task for task in setting.system if task not in setting.wording]
    if unworded:
        raise PromptError("no wording for this task", place=f"{place}: system.{unworded[0]}", way_out="add one under [wording]")
    for task in (*setting.wording, *setting.shot):
        if ("{shots}" in setting.wording.get(task, "")) != (task in setting.shot):
            problem = "{shots} in the wording of a task and a 'shot' for it belong together"
            raise PromptError(problem, place=f"{place}: {task}", way_out="write both or neither")
    counted = set(setting.shots.count) if setting.shots else set()
    if (setting.shots or setting.shot) and counted != set(setting.wording):
        raise PromptError("[shots.count] and [wording] name other tasks", place=place, way_out="say for each task how many")
    if setting.shots and setting.needs_passages:
        raise PromptError("[shots] and {passages} cannot stand in one setting", place=place, way_out="take one out")
