"""The front matter of a `.rq` file: YAML in `#+` lines, every key known and checked, and every slot it names projected.

The convention is grlc's (https://grlc.io), extended by the keys of a family, that is a template that asks something.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from string import Formatter
from typing import Annotated, Any, Literal, NamedTuple

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from kg.errors import nearest
from queries.errors import TemplateError
from queries.records.item import AnswerType, Task
from queries.templates.lexer import Token, tokens
from queries.templates.shape import Shape, check_syntax
from queries.templates.terms import Type

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


SLOT = Parameter(type="term", optional=True)
"""What a slot of a family may be bound to."""


class Slot(_Strict):
    """What a projected variable holds, and how questions say it: a name upright, with capitals, a date in words, a number."""

    type: AnswerType | None = None
    unit: str | None = None
    precision: str | None = None
    said: (
        Literal[
            "name",
            "surname first",
            "initials last",
            "adjective",
            "article last",
            "slug",
            "capitals",
            "small",
            "date",
            "date, month first",
            "date, day first",
            "year",
            "number",
        ]
        | None
    ) = None


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


class Distractor(_Strict):
    """A query that draws the false values of a slot: one that ships, or a file; its parameters take slots or values."""

    query: Text
    given: dict[Name, Text] = Field(default={}, alias="with")


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
    near: dict[Name, Name | Literal["number", "measure", "never"]] = {}
    distractors: dict[Name, Distractor] = {}
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


_ARTICLE = re.compile(r"|a|one|some|words|surname|the(?: [^{}:!]+)?")
"""What may stand behind a slot's colon: "a", "one" ("a" before the name of a kind, too), "some" ("a" before one thing alone),
"the", "the" and what its values are ("the river"), "words" of a number, or the "surname" of a person."""
_ALWAYS = {"name", "summary", "parameters"}
_FAMILY = ("method", "domain", "task", "key", "answer", "question")
_MODELS: dict[str, type[BaseModel]] = {
    "parameters": Parameter,
    "slots": Slot,
    "question": Choice,
    "claim": Claim,
    "distractors": Distractor,
}


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
        first = min(error.errors(), key=lambda fault: fault["type"] != "extra_forbidden")
        raise _error_of(first, path, lines) from error
    _check_family(front, path, lines)
    return front, lines


_LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The same language read by a library in C, where PyYAML was built with it: a tenth of the time."""


def _compose(text: str) -> yaml.Node | None:
    try:
        return yaml.compose(text, Loader=_LOADER)
    except yaml.YAMLError:
        return yaml.compose(text, Loader=yaml.SafeLoader)  # which names what is wrong better


def _read_yaml(rows: Sequence[Token], path: str, lines: Lines) -> Any:
    text = "\n".join(row.text[2:].removeprefix(" ") for row in rows)
    try:
        node = _compose(text)
        return None if node is None else _YamlReader(path, [row.line for row in rows], lines).read(node, ())
    except yaml.MarkedYAMLError as error:
        at = error.problem_mark.line if error.problem_mark else 0
        problem = f"the front matter is not YAML ({error.problem})"
        place = f"{path}:{rows[min(at, len(rows) - 1)].line}"
        raise TemplateError(problem, place=place, way_out="put texts that hold ':', '{' or '#' in quotes") from error
    except yaml.YAMLError as error:
        raise TemplateError(f"the front matter is not YAML ({error})", place=f"{path}:{rows[0].line}") from error
    except RecursionError as error:
        problem = "the front matter is nested too deeply"
        raise TemplateError(problem, place=f"{path}:{rows[0].line}", way_out="make it flatter") from error


class _YamlReader:
    """YAML nodes to values, as an author means them: keys are texts, `no` and `1952-03-11` too; no key stands twice."""

    def __init__(self, path: str, rows: Sequence[int], lines: Lines) -> None:
        self.path, self.rows, self.lines = path, rows, lines
        # The composer hands out an anchored node again for each alias: a node seen twice is one, and may hold itself.
        self.seen: set[int] = set()

    def read(self, node: yaml.Node, at: Path) -> Any:
        """Return a node's value, and note the line of it and of each entry within."""
        line = self._line(node)
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

    def _line(self, node: yaml.Node) -> int:
        """Return the line of the file; to YAML, signs that end no line of SPARQL end lines too."""
        return self.rows[min(node.start_mark.line, len(self.rows) - 1)]

    def _mapping(self, node: yaml.MappingNode, at: Path) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key, value in node.value:
            place = f"{self.path}:{self._line(key)}"
            if not isinstance(key, yaml.ScalarNode):
                raise TemplateError("a key must be a text", place=place, way_out="put texts that hold '{' in quotes")
            if key.value in values:
                raise TemplateError(f"key '{key.value}' stands twice", place=place, way_out="delete one")
            self.lines[(*at, key.value)] = self._line(key)
            values[key.value] = self.read(value, (*at, key.value))
        return values


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


def _error_of(fault: ErrorDetails, path: str, lines: Lines) -> TemplateError:
    """Return the error for a fault that pydantic reports, in our words."""
    location, kind = fault["loc"], fault["type"]
    place = f"{path}:{lines.of(*location)}"
    if kind == "extra_forbidden":
        hint = nearest(str(location[-1]), _model_at(location).model_fields)
        # `{description: one, two}` is read by YAML as a key `two` without a value.
        hint = hint if fault["input"] is not None else f"{hint}; a text that holds a comma stands in quotes"
        return TemplateError(f"unknown key '{location[-1]}'", place=place, way_out=hint)
    where = ".".join(str(part) for part in _in_file(location, lines))
    if kind == "missing":
        way_out = f"add `{location[-1]}: …`" + (f" under '{where}'" if where else f" as a line `#+ {location[-1]}: …`")
        return TemplateError(f"key '{location[-1]}' is missing", place=place, way_out=way_out)
    if kind == "literal_error":
        expected = str(fault.get("ctx", {}).get("expected", "")).replace(" or ", ", ").replace("'", "").split(", ")
        given = str(fault["input"])
        return TemplateError(f"'{where}' cannot be '{given}'", place=place, way_out=nearest(given, expected))
    message = fault["msg"].replace("Input should", "it should")
    return TemplateError(f"'{where}' is {_show(fault['input'])}", place=place, way_out=message)


def _in_file(location: Path, lines: Lines) -> Path:
    """Cut from a location what pydantic adds (which branch of a union failed)."""
    return next((location[:end] for end in range(len(location), 0, -1) if location[:end] in lines), ())


def _model_at(location: Path) -> type[BaseModel]:
    return Front if len(location) == 1 else _MODELS.get(str(location[0]), Front)


def _show(value: object) -> str:
    return f"'{value}'" if isinstance(value, str | int | float) else f"a {type(value).__name__}"


def _check_family(front: Front, path: str, lines: Lines) -> None:
    """Check that a family has all the keys it needs, names no slot twice, and words its questions in its task's form."""
    if not front.is_family:
        return
    _check_family_keys(front, path, lines)
    listed = {"key": front.key, "answer": front.answers, "rationale": front.rationale or [], "many": front.many}
    for key, names in listed.items():
        if twice := [name for at, name in enumerate(names) if name in names[:at]]:
            problem = f"'{key}' names '{twice[0]}' twice"
            raise TemplateError(problem, place=f"{path}:{lines.of(key)}", way_out="take one out")
    for variant, text in (front.question or {}).items():
        if isinstance(text, Choice) != (front.task == "choice"):
            form = "{stem, options}" if front.task == "choice" else "one text"
            place = f"{path}:{lines.of('question', variant)}"
            problem = f"question '{variant}' has the form of another task than '{front.task}'"
            raise TemplateError(problem, place=place, way_out=f"write it as {form}")


def _check_family_keys(front: Front, path: str, lines: Lines) -> None:
    first = min(lines.of(key) for key in front.model_fields_set - _ALWAYS)
    for key in _FAMILY:
        answered = key == "answer" and (front.holds or front.claim)
        if key in front.model_fields_set and not getattr(front, key):
            raise TemplateError(f"'{key}' is empty", place=f"{path}:{lines.of(key)}", way_out="fill it in, or take it out")
        if key not in front.model_fields_set and not answered:
            problem = f"key '{key}' is missing: a template that asks something has {', '.join(_FAMILY)}"
            raise TemplateError(problem, place=f"{path}:{first}", way_out=f"add a line `#+ {key}: …`")


# --- what the keys name, checked against what the query projects ----------------------------------------------------------


class _Mention(NamedTuple):
    """A slot that some key names, and what to call the place in an error."""

    slot: str
    what: str
    at: Path


class _Wording(NamedTuple):
    """A text with placeholders, and whether it is asked before the answer is known."""

    text: str
    at: Path
    asks: bool


def check_slots(front: Front, shape: Shape, path: str, lines: Lines) -> None:
    """Check that all slots a template's front matter names are projected, and that no question gives its answer away.

    Raises TemplateError with file and line, the offending name and the nearest valid one.
    """
    claimed = {front.claim.value} if front.claim else set()
    for mention in [*_named(front), *_placeholders(front, path, lines), *_asked(front, path, lines)]:
        allowed = {*shape.slots, *(claimed if mention.what == "placeholder" else ())}
        if mention.slot not in allowed:
            place = f"{path}:{lines.of(*mention.at)}"
            problem = f"{mention.what} '{mention.slot}' is not projected by the query"
            raise TemplateError(problem, place=place, way_out=nearest(mention.slot, allowed))
    _check_hidden(front, path, lines)


def _named(front: Front) -> Iterator[_Mention]:
    listed = {"key": front.key, "many": front.many, "rationale": front.rationale or [], "strata": front.strata}
    for key, slots in listed.items():
        yield from (_Mention(slot, f"{key} slot", (key, i)) for i, slot in enumerate(slots))
    for i, slot in enumerate(front.answers):
        yield _Mention(slot, "answer slot", ("answer", i))
    for key in ("holds", "image"):
        if slot := getattr(front, key):
            yield _Mention(slot, f"{key} slot", (key,))
    if front.claim:
        yield _Mention(front.claim.slot, "claim slot", ("claim", "slot"))
    for slot, like in front.near.items():
        yield _Mention(slot, "near slot", ("near", slot))
        if like not in ("number", "measure", "never"):
            yield _Mention(like, "near slot", ("near", slot))
    yield from (_Mention(slot, "distractors slot", ("distractors", slot)) for slot in front.distractors)
    yield from (_Mention(slot, "slot", ("slots", slot)) for slot in front.slots)
    for variant, text in (front.question or {}).items():
        if isinstance(text, Choice):
            yield from (_Mention(slot, "option slot", ("question", variant, "options", slot)) for slot in text.options)


def _wordings(front: Front) -> Iterator[_Wording]:
    for variant, text in (front.question or {}).items():
        if isinstance(text, str):
            yield _Wording(text, ("question", variant), True)
            continue
        yield _Wording(text.stem, ("question", variant, "stem"), True)
        for slot, option in text.options.items():
            at = ("question", variant, "options", slot)
            yield from (_Wording(t, at, False) for t in ([option] if isinstance(option, str) else option.values()))
    for variant, text in (front.probe or {}).items():
        yield _Wording(text, ("probe", variant), False)
    for i, sentence in enumerate(front.explain or []):
        texts = [sentence] if isinstance(sentence, str) else [sentence.some, sentence.none]
        yield from (_Wording(text, ("explain", i), False) for text in texts)


def _placeholders(front: Front, path: str, lines: Lines) -> Iterator[_Mention]:
    for wording in _wordings(front):
        place = f"{path}:{lines.of(*wording.at)}"
        yield from (_Mention(slot, "placeholder", wording.at) for slot in _slots_of(wording.text, place))


def _slots_of(text: str, place: str) -> list[str]:
    """Return the slots of a wording's placeholders: `{slot}`, `{slot:a}`, `{slot:the}`; `{{` is a brace."""
    slots = []
    try:
        for _, slot, article, conversion in Formatter().parse(text):
            if slot is not None:
                if not slot.isidentifier() or conversion or not _ARTICLE.fullmatch(article or ""):
                    shown = slot + (f"!{conversion}" if conversion else "") + (f":{article}" if article else "")
                    way_out = "write {slot}, {slot:a}, {slot:the} or {slot:the KIND}"
                    raise TemplateError(f"placeholder '{{{shown}}}' is not understood", place=place, way_out=way_out)
                slots.append(slot)
    except ValueError as error:
        way_out = "close each placeholder; a brace itself is written {{ or }}"
        raise TemplateError(f"the braces of '{text}' do not match", place=place, way_out=way_out) from error
    return slots


def _asked(front: Front, path: str, lines: Lines) -> Iterator[_Mention]:
    """Check that `ask` is one SPARQL expression, and return its variables."""
    if front.ask is None:
        return
    place = f"{path}:{lines.of('ask')}"
    depth = 0
    for token in tokens(front.ask, place):
        depth += (token.word in ("(", "{")) - (token.word in (")", "}"))
        # `?a) || (?b` would close the FILTER that it is written into, and a comment would swallow what follows.
        if depth < 0 or token.kind == "comment":
            problem = f"`ask` breaks off at '{token.text}'"
            raise TemplateError(problem, place=place, way_out="write one SPARQL expression")
        if token.kind == "variable":
            yield _Mention(token.name, "variable of `ask`", ("ask",))
    try:
        check_syntax(f"ASK {{ FILTER({front.ask}) }}", place)
    except TemplateError as error:
        way_out = "write what stands in FILTER(…)"
        raise TemplateError("`ask` is not a SPARQL expression", place=place, way_out=way_out) from error


def _check_hidden(front: Front, path: str, lines: Lines) -> None:
    """A question may not state what a right explanation has to name, unless as a claim."""
    hidden = {*(front.rationale if front.rationale is not None else front.answers)} - set(front.key)
    # A claim states a value of the slot that is asked for, true or false: it gives nothing away.
    hidden -= {front.claim.slot, front.claim.value} if front.claim else set()
    for wording in _wordings(front):
        place = f"{path}:{lines.of(*wording.at)}"
        given_away = [slot for slot in _slots_of(wording.text, place) if slot in hidden and wording.asks]
        if given_away:
            problem = f"the question states '{given_away[0]}', which the answer has to name"
            raise TemplateError(problem, place=place, way_out="leave it out of the question or of the rationale")
