"""The templates of unseen questions, and what they are filled with: files that a user can copy and edit."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from importlib import resources
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from kg.errors import InputError, nearest
from kg.files import read_bytes
from kg.formats import parse_toml

Filler = Literal["countries", "medal_events", "people"]
EventKind = Literal["olympics", "world_cup", "year"]
_Part = ConfigDict(extra="forbid", strict=True, frozen=True)
_NAMES = ("filler", "occasion", "year")


class Template(BaseModel):
    """A template: its wording, what fills it, of which type its answer is, and when its event takes place.

    `answer_type` is one of the paper's five types, `type` what a judge reads; the rest as `templates.toml` says.
    """

    model_config = _Part

    question: str
    filler: Filler
    answer_type: Literal["number", "person", "time", "location", "other"]
    type: Literal["number", "date", "entity"]
    event: EventKind | None = None
    lead: Annotated[int, Field(ge=0, le=1000)] = 0
    property: str | None = None
    precision: Literal["day", "year", "age"] | None = None
    like: tuple[str, ...] = Field(default=(), strict=False)

    def filled(self, filler: str, occasion: str = "", year: int | None = None) -> str:
        """Word the question; `year` is that of the occasion.

        >>> load_templates()["leader"].filled("Kenya", "2040", 2040)
        'Who will lead the government of Kenya in 2040?'
        """
        return self.question.format(filler=filler, occasion=occasion, year=year or "")


@dataclass(frozen=True)
class Fillers:
    """The countries and medal events of questions on events to come, and the parts of names that nobody bears."""

    countries: tuple[str, ...]
    medal_events: tuple[str, ...]
    first: tuple[str, ...]
    middle: tuple[str, ...]
    last: tuple[str, ...]


def load_templates(path: str | None = None) -> dict[str, Template]:
    """Read the templates that ship, or those of a file, by name.

    Raises InputError that names the file, the template and the key at fault.

    >>> len(load_templates())
    20
    """
    place = path or "templates.toml"
    tables = _toml(_shipped("templates.toml") if path is None else read_bytes(path), place)
    if not tables:
        raise InputError("holds no template", place=place, way_out="copy generators/unseenqa/templates.toml")
    return {name: _template(name, table, place) for name, table in tables.items()}


@functools.cache
def load_fillers() -> Fillers:
    """Read what fills the templates.

    >>> len(load_fillers().countries) >= 150
    True
    """
    return Fillers(**{name: tuple(texts) for name, texts in _toml(_shipped("fillers.toml"), "fillers.toml").items()})


def _shipped(name: str) -> bytes:
    return resources.files("generators.unseenqa").joinpath(name).read_bytes()


def _toml(text: bytes, place: str) -> dict[str, Any]:
    return parse_toml(text, place, way_out="see generators/unseenqa/templates.toml")


def _template(name: str, table: object, place: str) -> Template:
    where, way_out = f"{place}: [{name}]", "see generators/unseenqa/templates.toml"
    try:
        template = Template.model_validate(table)
        template.filled("", "")
    except ValidationError as error:
        first = min(error.errors(include_url=False), key=lambda each: each["type"] != "extra_forbidden")
        key = ".".join(map(str, first["loc"])) or "table"
        if first["type"] == "extra_forbidden":
            raise InputError(f"'{key}' is unknown", place=where, way_out=nearest(key, Template.model_fields)) from None
        raise InputError(f"'{key}' is at fault ({first['msg']})", place=where, way_out=way_out) from None
    except (LookupError, ValueError):
        problem = f"the question names something else than {', '.join(f'{{{each}}}' for each in _NAMES)}"
        raise InputError(problem, place=where, way_out=way_out) from None
    if "{filler}" not in template.question or ("{occasion}" in template.question) != (template.event is not None):
        problem = "the question must name {filler}, and {occasion} where there is an event"
        raise InputError(problem, place=where, way_out=way_out)
    return template
