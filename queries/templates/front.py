"""The front matter of a `.rq` file: YAML in `#+` lines, every key known and checked.

```
python -m queries check queries/library/*.rq
python -c 'from queries.templates.front import Front; print(*Front.model_fields)'
```

The keys of a family (a template that asks something) are checked here for their form; that what they name is projected
by the query is checked by `queries.templates.template`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from kg.errors import nearest
from queries.errors import TemplateError
from queries.records.item import AnswerType, Task
from queries.templates.lexer import Token
from queries.templates.terms import Type

__all__ = ["Choice", "Claim", "Explained", "Front", "Lines", "Parameter", "Slot", "read_front"]

Name = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
Text = Annotated[str, Field(min_length=1)]
Path = tuple[str | int, ...]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Parameter(_Strict):
    """A value the template is given: its type, its default, whether it may be left unbound.

    With `relative` a plain word is read as an IRI relative to the graph's base. With `inline`, and always for a predicate,
    the value is written wherever the variable stands, sub-selects included: one value per call, and it cannot be projected.
    """

    type: Type
    default: str | int | float | None = None
    description: str | None = None
    optional: bool = False
    relative: bool = False
    inline: bool = False

    @property
    def written_in(self) -> bool:
        """Say whether the value takes its variable's place instead of standing in VALUES."""
        return self.inline or self.type == "predicate"


class Slot(_Strict):
    """What a projected variable holds."""

    type: AnswerType | None = None
    unit: str | None = None
    precision: str | None = None


class Claim(_Strict):
    """A value the question claims (`value` is what the question calls it) about what `slot` really is."""

    slot: Name
    value: Name
    test: Literal["=", "<", ">"]
    step: float | None = None
    margin: float | None = None
    true_share: Annotated[float, Field(ge=0, le=1)] = 0.5


class Choice(_Strict):
    """A question with options: what the options show, by slot (or by the values of a slot)."""

    stem: Text
    options: Annotated[dict[str, Text | dict[str, Text]], Field(min_length=1)]


class Explained(_Strict):
    """A sentence of an explanation where its slots have values, and the one where they have none."""

    some: Text
    none: Text


class Front(_Strict):
    """All keys of the front matter."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
    summary: Text
    parameters: dict[Name, Parameter] = {}
    method: str | None = None
    domain: str | None = None
    task: Task | None = None
    key: list[Name] = []
    answer: Name | Annotated[list[Name], Field(min_length=1)] | None = None
    question: Annotated[dict[Text, Text | Choice], Field(min_length=1)] | None = None
    rationale: list[Name] | None = None
    hops: Annotated[int, Field(ge=1)] | None = None
    many: list[Name] = []
    holds: Name | None = None
    claim: Claim | None = None
    probe: Annotated[dict[Text, Text], Field(min_length=1)] | None = None
    explain: Annotated[list[Text | Explained], Field(min_length=1)] | None = None
    ask: Text | None = None
    slots: dict[Name, Slot] = {}
    image: Name | None = None
    none: Text | None = None
    strata: list[Name] = []

    @property
    def is_family(self) -> bool:
        """Whether the template asks something."""
        return bool(self.model_fields_set - _ALWAYS)

    @property
    def answers(self) -> list[str]:
        """The answer's slots."""
        return [self.answer] if isinstance(self.answer, str) else list(self.answer or [])


_ALWAYS = {"name", "summary", "parameters"}
_FAMILY = ("method", "domain", "task", "key", "answer", "question")
_MODELS: dict[str, type[BaseModel]] = {"parameters": Parameter, "slots": Slot, "question": Choice, "claim": Claim}


class Lines(dict[Path, int]):
    """Where each key and entry of the front matter stands in the file."""

    def of(self, *path: str | int) -> int:
        """Return the line of the entry nearest to `path`."""
        return next((self[path[:end]] for end in range(len(path), 0, -1) if path[:end] in self), min(self.values()))


def read_front(comments: Sequence[Token], path: str) -> tuple[Front, Lines]:
    """Read the front matter of a template from its comments.

    Returns the checked keys, and the line of each in the file. Raises TemplateError with file and line where there is
    none, where it is no YAML, and for an unknown key, a missing key or a value of the wrong kind.
    """
    rows = [token for token in comments if token.text.startswith("#+")]
    if not rows:
        way_out = "begin the file with `#+ name: NAME` and `#+ summary: TEXT`"
        raise TemplateError("there is no front matter", place=f"{path}:1", way_out=way_out)
    lines = Lines({(): rows[0].line})
    value = _read_yaml(rows, path, lines)
    if not isinstance(value, dict):
        place = f"{path}:{rows[0].line}"
        raise TemplateError("the front matter has no keys", place=place, way_out="write `#+ key: value`")
    try:
        front = Front.model_validate(value)
    except ValidationError as error:
        # An unknown key goes first: it is often the key that is missing, misspelt.
        found = min(error.errors(), key=lambda fault: fault["type"] != "extra_forbidden")
        raise _explain(found, path, lines) from error
    _check_family(front, path, lines)
    return front, lines


def _read_yaml(rows: Sequence[Token], path: str, lines: Lines) -> Any:
    text = "\n".join(row.text[2:].removeprefix(" ") for row in rows)
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        return None if node is None else _Reader(path, [row.line for row in rows], lines).read(node, ())
    except yaml.MarkedYAMLError as error:
        at = error.problem_mark.line if error.problem_mark else 0
        problem = f"the front matter is not YAML ({error.problem})"
        place = f"{path}:{rows[min(at, len(rows) - 1)].line}"
        raise TemplateError(problem, place=place, way_out="put texts that hold ':', '{' or '#' in quotes") from error
    except yaml.YAMLError as error:
        raise TemplateError(f"the front matter is not YAML ({error})", place=f"{path}:{rows[0].line}") from error


class _Reader:
    """YAML nodes to values, as an author means them: keys are texts, `no` and `1952-03-11` too; no key stands twice."""

    def __init__(self, path: str, rows: Sequence[int], lines: Lines) -> None:
        self.path, self.rows, self.lines = path, rows, lines
        self.seen: set[int] = set()

    def read(self, node: yaml.Node, at: Path) -> Any:
        line = self.rows[min(node.start_mark.line, len(self.rows) - 1)]
        self.lines.setdefault(at, line)
        if isinstance(node, yaml.ScalarNode):
            return _scalar(node)
        if id(node) in self.seen:
            place = f"{self.path}:{line}"
            raise TemplateError("an alias (`*name`) is not understood", place=place, way_out="write it out")
        self.seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, at)
        return [self.read(child, (*at, i)) for i, child in enumerate(node.value)]

    def _mapping(self, node: yaml.MappingNode, at: Path) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in node.value:
            place = f"{self.path}:{self.rows[key.start_mark.line]}"
            if not isinstance(key, yaml.ScalarNode):
                raise TemplateError("a key must be a text", place=place, way_out="put texts that hold '{' in quotes")
            if key.value in found:
                raise TemplateError(f"key '{key.value}' stands twice", place=place, way_out="delete one")
            self.lines[(*at, key.value)] = self.rows[key.start_mark.line]
            found[key.value] = self.read(value, (*at, key.value))
        return found


def _scalar(node: yaml.ScalarNode) -> str | int | float | bool | None:
    kind, text = node.tag.rpartition(":")[2], str(node.value)
    if kind == "null":
        return None
    if kind == "bool" and text in ("true", "false"):
        return text == "true"
    for known, make in (("int", int), ("float", float)):
        if kind == known:
            try:
                return make(text)
            except ValueError:  # YAML 1.1 reads 12:30 and 0x1F as numbers
                return text
    return text


def _explain(error: ErrorDetails, path: str, lines: Lines) -> TemplateError:
    """Say the first of pydantic's findings in our words."""
    location, kind = error["loc"], error["type"]
    place = f"{path}:{lines.of(*location)}"
    if kind == "extra_forbidden":
        hint = nearest(str(location[-1]), _model_at(location).model_fields)
        # `{description: one, two}` is read by YAML as a key `two` without a value.
        hint = hint if error["input"] is not None else f"{hint}; a text that holds a comma stands in quotes"
        return TemplateError(f"unknown key '{location[-1]}'", place=place, way_out=hint)
    where = ".".join(str(part) for part in _in_file(location, lines))
    if kind == "missing":
        way_out = f"add `{location[-1]}: …`" + (f" under '{where}'" if where else f" as a line `#+ {location[-1]}: …`")
        return TemplateError(f"key '{location[-1]}' is missing", place=place, way_out=way_out)
    if kind == "literal_error":
        expected = str(error.get("ctx", {}).get("expected", "")).replace(" or ", ", ").replace("'", "").split(", ")
        given = str(error["input"])
        return TemplateError(f"'{where}' cannot be '{given}'", place=place, way_out=nearest(given, expected))
    message = error["msg"].replace("Input should", "it should")
    return TemplateError(f"'{where}' is {_show(error['input'])}", place=place, way_out=message)


def _in_file(location: Path, lines: Lines) -> Path:
    """Cut from a location what pydantic adds (which branch of a union failed)."""
    return next((location[:end] for end in range(len(location), 0, -1) if location[:end] in lines), ())


def _model_at(location: Path) -> type[BaseModel]:
    return Front if len(location) == 1 else _MODELS.get(str(location[0]), Front)


def _show(value: object) -> str:
    return f"'{value}'" if isinstance(value, str | int | float) else f"a {type(value).__name__}"


def _check_family(front: Front, path: str, lines: Lines) -> None:
    if not front.is_family:
        return
    first = min(lines.of(key) for key in front.model_fields_set - _ALWAYS)
    for key in _FAMILY:
        answered = key == "answer" and (front.holds or front.claim)
        if key in front.model_fields_set and not getattr(front, key):
            raise TemplateError(f"'{key}' is empty", place=f"{path}:{lines.of(key)}", way_out="fill it in, or take it out")
        if key not in front.model_fields_set and not answered:
            problem = f"key '{key}' is missing: a template that asks something has {', '.join(_FAMILY)}"
            raise TemplateError(problem, place=f"{path}:{first}", way_out=f"add a line `#+ {key}: …`")
    for key, names in (
        ("key", front.key),
        ("answer", front.answers),
        ("rationale", front.rationale or []),
        ("many", front.many),
    ):
        if twice := [name for at, name in enumerate(names) if name in names[:at]]:
            problem = f"'{key}' names '{twice[0]}' twice"
            raise TemplateError(problem, place=f"{path}:{lines.of(key)}", way_out="take one out")
    for variant, text in (front.question or {}).items():
        if isinstance(text, Choice) != (front.task == "choice"):
            form = "{stem, options}" if front.task == "choice" else "one text"
            place = f"{path}:{lines.of('question', variant)}"
            problem = f"question '{variant}' has the form of another task than '{front.task}'"
            raise TemplateError(problem, place=place, way_out=f"write it as {form}")
