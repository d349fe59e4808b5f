"""KoPL programs as KQA Pro writes them: a list of steps, each a function, its inputs, and the steps it depends on.

Cao et al., *KQA Pro: A Dataset with Explicit Compositional Programs for Complex Question Answering over Knowledge Base*
(ACL 2022), section 3, defines the functions.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from kg.errors import nearest
from kg.files import read_bytes
from queries.errors import ProgramError

Kind = Literal["entities", "facts", "values", "result"]
"""What a step returns: entities, entities with the facts that led to them, values, or an answer that no step reads."""

_LONGEST_PROGRAM = 200
_LONGEST_INPUT = 10_000
_OPERATORS = ("=", "!=", "<", ">")


@dataclass(frozen=True)
class Signature:
    """What a function reads (`takes`, a set of kinds for each dependency), its inputs by name, and what it returns."""

    takes: tuple[tuple[Kind, ...], ...]
    inputs: tuple[str, ...]
    returns: Kind


_SETS: tuple[Kind, ...] = ("entities", "facts")
_ONE, _TWO = (_SETS,), (_SETS, _SETS)


def _signatures() -> dict[str, Signature]:
    table = {
        "FindAll": Signature((), (), "entities"),
        "Find": Signature((), ("name",), "entities"),
        "FilterConcept": Signature(_ONE, ("concept",), "entities"),
        "Relate": Signature(_ONE, ("relation", "direction"), "facts"),
        "And": Signature(_TWO, (), "entities"),
        "Or": Signature(_TWO, (), "entities"),
        "QueryName": Signature(_ONE, (), "result"),
        "Count": Signature(_ONE, (), "result"),
        "QueryAttr": Signature(_ONE, ("key",), "values"),
        "QueryAttrUnderCondition": Signature(_ONE, ("key", "qualifier", "any value"), "values"),
        "QueryAttrQualifier": Signature(_ONE, ("key", "any value", "qualifier"), "values"),
        "QueryRelation": Signature(_TWO, (), "result"),
        "QueryRelationQualifier": Signature(_TWO, ("relation", "qualifier"), "values"),
        "SelectBetween": Signature(_TWO, ("key", "less or greater"), "result"),
        "SelectAmong": Signature(_ONE, ("key", "smallest or largest"), "result"),
    }
    for kind, value in (("Str", ("value",)), ("Num", ("value", "op")), ("Year", ("value", "op")), ("Date", ("value", "op"))):
        table[f"Filter{kind}"] = Signature(_ONE, ("key", *value), "facts")
        table[f"QFilter{kind}"] = Signature((("facts",),), ("qualifier", *value), "facts")
        table[f"Verify{kind}"] = Signature((("values",),), value, "result")
    return table


SIGNATURES = _signatures()
"""The 27 functions by name."""

_CHOICES = {
    "op": _OPERATORS,
    "direction": ("forward", "backward"),
    "less or greater": ("less", "greater"),
    "smallest or largest": ("smallest", "largest"),
}


@dataclass(frozen=True)
class Step:
    """One step: a function's name, the numbers of the steps it reads (from 0), and its inputs."""

    function: str
    dependencies: tuple[int, ...]
    inputs: tuple[str, ...]


@dataclass(frozen=True)
class Program:
    """A sound program: a tree of steps whose root is the last. `place` says where it stands, `languages` those of its names."""

    steps: tuple[Step, ...]
    place: str = "program"
    languages: tuple[str, ...] = ("en",)

    @classmethod
    def of(cls, steps: Any, place: str = "program") -> Program:
        """Check the JSON of a program (a list of `{function, dependencies, inputs}`, or an object with it as `program`).

        Raises ProgramError with the number of the step at fault.

        >>> find = {"function": "Find", "dependencies": [], "inputs": ["Vienna"]}
        >>> count = {"function": "Count", "dependencies": [0], "inputs": []}
        >>> Program.of([find, count]).steps[1].dependencies
        (0,)
        """
        if isinstance(steps, dict):
            steps = steps.get("program")
        if not isinstance(steps, list) or not steps:
            raise ProgramError("is no list of steps", place=place, way_out="write [{function, dependencies, inputs}, …]")
        if len(steps) > _LONGEST_PROGRAM:
            raise ProgramError(f"has {len(steps)} steps", place=place, way_out=f"write at most {_LONGEST_PROGRAM}")
        made: list[Step] = []
        for number, step in enumerate(steps):
            made.append(_step(step, made, f"{place}, step {number}"))
        _must_be_tree(made, place)
        return cls(tuple(made), place)

    def signature(self, number: int) -> Signature:
        """Return the signature of a step's function."""
        return SIGNATURES[self.steps[number].function]


def _step(step: Any, before: list[Step], place: str) -> Step:
    if not isinstance(step, dict):
        raise ProgramError("is no JSON object", place=place, way_out="write {function, dependencies, inputs}")
    name = step.get("function")
    name = "QueryName" if name == "What" else name  # what KQA Pro calls it in places
    if not isinstance(name, str) or name not in SIGNATURES:
        raise ProgramError(f"there is no function '{name}'", place=place, way_out=nearest(str(name), SIGNATURES))
    place = f"{place} ({name})"
    inputs = _inputs(step.get("inputs", []), SIGNATURES[name], place)
    return Step(name, _dependencies(step.get("dependencies", []), SIGNATURES[name], before, place), inputs)


def _inputs(inputs: Any, signature: Signature, place: str) -> tuple[str, ...]:
    wanted = ", ".join(signature.inputs) or "none"
    if not isinstance(inputs, list) or len(inputs) != len(signature.inputs):
        raise ProgramError("has other inputs than the function", place=place, way_out=f"give {wanted}")
    for name, text in zip(signature.inputs, inputs, strict=True):
        if not isinstance(text, str) or not text or len(text) > _LONGEST_INPUT or any("\ud800" <= c <= "\udfff" for c in text):
            raise ProgramError(
                f"input '{name}' is no text", place=place, way_out=f"write a text of 1 to {_LONGEST_INPUT} signs"
            )
        if name in _CHOICES and text not in _CHOICES[name]:
            raise ProgramError(f"'{text}' is unknown", place=place, way_out=nearest(text, _CHOICES[name]))
    return tuple(inputs)


def _dependencies(numbers: Any, signature: Signature, before: list[Step], place: str) -> tuple[int, ...]:
    count = len(signature.takes)
    if not isinstance(numbers, list) or len(numbers) != count:
        raise ProgramError("depends on a wrong number of steps", place=place, way_out=f"give {count}")
    for number, kinds in zip(numbers, signature.takes, strict=True):
        if type(number) is not int or not 0 <= number < len(before):
            raise ProgramError(
                f"depends on step {number}", place=place, way_out=f"it has to be one of the {len(before)} before it"
            )
        found = SIGNATURES[before[number].function].returns
        if found not in kinds:
            problem = f"step {number} ({before[number].function}) returns {_SAID[found]}"
            raise ProgramError(problem, place=place, way_out=f"it reads {_SAID[kinds[0]]}")
    return tuple(numbers)


_SAID: dict[Kind, str] = {
    "entities": "entities without facts",
    "facts": "the facts of a Filter… or Relate",
    "values": "values",
    "result": "an answer",
}


def _must_be_tree(steps: list[Step], place: str) -> None:
    """Refuse steps that nothing reads, and such as are read twice: compiled, a chain of those would double at each."""
    readers = [0] * len(steps)
    for step in steps:
        for number in step.dependencies:
            readers[number] += 1
    for number, step in enumerate(steps[:-1]):
        if readers[number] != 1:
            problem = "is read by no step" if not readers[number] else "is read more than once"
            way_out = "leave it out" if not readers[number] else "write it once for each reader"
            raise ProgramError(problem, place=f"{place}, step {number} ({step.function})", way_out=way_out)


# --- files --------------------------------------------------------------------------------------------------------------


def read_programs(path: str | Path) -> tuple[list[Program], bool]:
    """Read a program, a list of objects that have one as `program` (KQA Pro's own files), or JSON Lines of either.

    Returns the programs, and whether the file is one by itself. Raises ProgramError with the line or the program's number.
    """
    path = Path(path)
    try:
        text = read_bytes(path).decode()
    except UnicodeDecodeError as error:
        raise ProgramError("is not UTF-8", place=str(path), way_out="save it as UTF-8") from error
    if ".jsonl" in path.suffixes:
        lines = [(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
        programs = [Program.of(_json(line, f"{path}:{n}"), f"{path}:{n}") for n, line in lines]
    else:
        value = _json(text, str(path))
        if not _is_list_of_programs(value):
            return [Program.of(value, str(path))], True
        programs = list(_each(value, str(path)))
    if not programs:
        raise ProgramError("holds no program", place=str(path), way_out="write one on each line")
    return programs, False


def _is_list_of_programs(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict) and "program" in value[0]


def _each(values: list[Any], place: str) -> Iterator[Program]:
    for number, value in enumerate(values, 1):
        yield Program.of(value, f"{place}, program {number}")


def _json(text: str, place: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProgramError(f"is not JSON ({error})", place=place, way_out="write JSON") from error
