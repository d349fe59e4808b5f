"""KoPL, a language of functions that programs are written in, compiled to SPARQL.

```
python -m queries kopl program.json
```
"""

import json

from queries.errors import ProgramError
from queries.kopl.compile import compile_program, compile_rows
from queries.kopl.program import Program, Step, read_programs
from queries.templates import Template, parse

__all__ = ["Program", "Step", "compile_program", "family_of", "read_programs"]


_ANSWERS = ("QueryName", "Count", "QueryAttr", "QueryAttrUnderCondition", "QueryAttrQualifier", "QueryRelationQualifier")
"""The functions that end a family's program, beside those that return a set."""


def family_of(program: Program, name: str, question: str) -> Template:
    """Return the family of a program: its text is a `.rq` file that `generators.family` takes.

    Each Find gives a slot, `entity` (or `entity1`, `entity2`, … in the order of the steps), and is asked about everything that
    takes part as the named thing does; `answer` is what the program returns. A value has its unit behind it.

    Raises ProgramError for a program that finds nothing by name, or that ends with no answer to each thing; TemplateError
    where the question does not state the slots.

    >>> steps = [("Find", [], ["Austria"]), ("Relate", [0], ["capital", "forward"]), ("What", [1], [])]
    >>> program = Program.of([dict(zip(("function", "dependencies", "inputs"), step)) for step in steps])
    >>> family_of(program, "capital", "What is the capital of {entity}?").front.key
    ['entity']
    """
    found = [number for number, step in enumerate(program.steps) if step.function == "Find"]
    if not found:
        way_out = "begin with Find: what it finds is what the questions state"
        raise ProgramError("finds nothing by name", place=program.place, way_out=way_out)
    last = program.steps[-1].function
    if last not in _ANSWERS and program.signature(len(program.steps) - 1).returns == "result":
        way_out = f"end with a set, {', '.join(_ANSWERS[:-1])} or {_ANSWERS[-1]}"
        raise ProgramError(f"ends with {last}, which tells nothing of each thing", place=program.place, way_out=way_out)
    slots = ["entity"] if len(found) == 1 else [f"entity{n}" for n in range(1, len(found) + 1)]
    rows = compile_rows(program, dict(zip(found, slots, strict=True)))
    return parse(f"{_head(name, slots, question)}{rows}\n", f"{name}.rq")


def _head(name: str, slots: list[str], question: str) -> str:
    entry = {
        "name": name,
        "summary": f"What a KoPL program answers for each {' and '.join(slots)}",
        "method": "family",
        "domain": "kopl",
        "task": "open",
        "key": slots,
        "answer": "answer",
        "question": {"basic": question},
    }
    return "".join(f"#+ {key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in entry.items())
