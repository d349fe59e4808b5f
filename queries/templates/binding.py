"""Rows of values put into a template: the one place where a query is made of a template and what a user gives.

```
python -m queries run khop --param 's=<country/id=austria>' --param radius=1
python -m queries render items.jsonl
```

The values stand in a VALUES block at the head of the outermost group; a predicate takes its variable's place, because
engines plan a VALUES variable in predicate position badly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from kg.errors import nearest
from kg.vocab import PREFIXES
from queries.errors import TemplateError
from queries.templates.front import Parameter
from queries.templates.terms import TYPES, Term, from_ntriples, require

if TYPE_CHECKING:
    from queries.templates.template import Template

__all__ = ["Row", "write_query"]

Row = Mapping[str, Term | str | None]
Bound = dict[str, Term]
_SLOT = Parameter(type="term", optional=True)


class Edit(NamedTuple):
    """A stretch of the template's text and what stands there instead."""

    start: int
    end: int
    text: str


def write_query(template: Template, rows: Row | Iterable[Row], base: str | None, ask: bool) -> str:
    """Write the query of a template with its values, complete with its prologue.

    Parameters: `ask` makes an ASK of a SELECT. Raises TemplateError for a value that does not fit.
    """
    bound = [_bound(template, row, base) for row in ([rows] if isinstance(rows, Mapping) else rows)]
    inner, outer = _split(template, bound)
    shape, text = template.shape, template.text
    edits = [*_predicates(template, bound), *_values_edits(template, bound, inner)]
    start, end = shape.tokens[0].start, shape.tokens[-1].end
    form_start = shape.tokens[shape.form_at].start
    head = _prologue(template, base) + text[start:form_start]
    if not ask and not outer:
        return head + _edited(text, form_start, end, edits)
    head_end, where = shape.tokens[shape.head_end - 1].end, shape.tokens[shape.where_at].start
    dataset = text[head_end : shape.tokens[shape.where_at - 1].end]
    core = f"{_edited(text, form_start, head_end, edits)} {_edited(text, where, end, edits)}"
    if outer:
        core = _restricted(bound, outer, core)
        core = core if ask else f"SELECT {' '.join(f'?{slot}' for slot in template.slots)}{dataset} WHERE {{ {core} }}"
        return head + (f"ASK{dataset} {{ {core} }}" if ask else core)
    return f"{head}ASK{dataset} {{ {{ {core} }} }}"


def _bound(template: Template, row: Row, base: str | None) -> Bound:
    """Check one row and fill in the defaults."""
    known = {**dict.fromkeys(template.slots if template.front.is_family else (), _SLOT), **template.parameters}
    for name in row:
        if name not in known:
            what = "parameter or slot" if template.front.is_family else "parameter"
            raise TemplateError(f"no {what} '{name}'", place=template.path, way_out=nearest(name, known))
    found: Bound = {}
    for name, parameter in known.items():
        value = row.get(name)
        if value is not None:
            found[name] = _term(template, name, parameter, value, base)
        elif name in template.defaults:
            found[name] = template.defaults[name]
        elif not parameter.optional:
            way_out = f"give it {TYPES[parameter.type]}"
            raise TemplateError(f"parameter '{name}' is missing", place=template.path, way_out=way_out)
    return found


def _term(template: Template, name: str, parameter: Parameter, value: Term | str, base: str | None) -> Term:
    try:
        term = from_ntriples(value, base) if isinstance(value, str) else value
        return require(term, parameter.type)
    except TemplateError as error:
        raise TemplateError(f"'{name}': {error.problem}", place=template.path, way_out=error.way_out) from error


def _split(template: Template, bound: Sequence[Bound]) -> tuple[list[str], list[str]]:
    """Say which names are restricted within the query, and which slots from outside.

    Where the query computes a slot, may leave it unbound, or counts off its solutions (LIMIT), a VALUES within would
    change what it says.
    """
    used = dict.fromkeys(name for row in bound for name in row)
    declared = [n for n, p in template.parameters.items() if not p.written_in and (n in used or not bound)]
    slots = [name for name in used if name not in template.parameters]
    shape = template.shape
    counts_off = any(token.word in ("LIMIT", "OFFSET") for token in shape.tokens[shape.close_at :])
    if not slots or (not counts_off and all(shape.requires(slot) for slot in slots)):
        return [*declared, *slots], []
    if len({tuple(str(row.get(name)) for name in declared) for row in bound}) > 1:
        problem = f"rows that differ in {', '.join(declared)} cannot also restrict {', '.join(slots)}"
        raise TemplateError(problem, place=template.path, way_out="bind them one row at a time")
    return declared, slots


def _predicates(template: Template, bound: Sequence[Bound]) -> list[Edit]:
    edits = []
    for name in (name for name, parameter in template.parameters.items() if parameter.written_in):
        terms = {row.get(name) for row in bound} or {template.defaults.get(name)}
        if len(terms) != 1:
            problem = f"'{name}' has {len(terms)} values in one call"
            way_out = "it is written into the query: bind the rows of each value on their own"
            raise TemplateError(problem, place=template.path, way_out=way_out)
        term = terms.pop()
        edits += [Edit(t.start, t.end, str(term)) for t in template.shape.uses(name) if term is not None]
    return edits


def _values_edits(template: Template, bound: Sequence[Bound], names: Sequence[str]) -> list[Edit]:
    if not names and bound:
        return []
    shape = template.shape
    after, before = shape.tokens[shape.open_at].end, shape.tokens[shape.close_at].start
    block = f" {_values(bound, names)}"
    # Nothing may stand beside a sub-select that is the whole group.
    if shape.nested_select:
        return [Edit(after, after, f"{block} {{"), Edit(before, before, "} ")]
    return [Edit(after, after, block)]


def _values(bound: Sequence[Bound], names: Sequence[str]) -> str:
    rows = list(dict.fromkeys(f"({' '.join(_written(row.get(name)) for name in names)})" for row in bound))
    gap = "\n  " if len(rows) > 1 else " "
    return f"VALUES ({' '.join(f'?{name}' for name in names)}) {{{gap}{gap.join(rows)} }}"


def _written(term: ox.NamedNode | ox.Literal | None) -> str:
    return "UNDEF" if term is None else str(term)


def _restricted(bound: Sequence[Bound], names: Sequence[str], core: str) -> str:
    """Join a sub-select with values from outside; an unbound slot equals nothing."""
    always = [name for name in names if all(name in row for row in bound)]
    filters = "".join(f" FILTER(BOUND(?{name}))" for name in always)
    # The values come last: rdflib would let what stands before a sub-select pass for what it computes.
    return f"{{ {{ {core} }}{filters} }} {_values(bound, names)}"


def _edited(text: str, start: int, end: int, edits: Iterable[Edit]) -> str:
    parts, at = [], start
    for edit in sorted(e for e in edits if start <= e.start and e.end <= end):
        parts += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*parts, text[at:end]])


def _prologue(template: Template, base: str | None) -> str:
    """Write the BASE line, and a PREFIX line for each shared prefix that the template uses without declaring it."""
    try:
        lines = [f"BASE {ox.NamedNode(base)}"] if base else []
    except ValueError as error:
        problem = f"the base '{base}' is not an IRI"
        raise TemplateError(problem, place=template.path, way_out="give a full one, http://example.org/") from error
    lines += [f"PREFIX {prefix}: <{PREFIXES[prefix]}>" for prefix in template.shape.undeclared]
    return "".join(f"{line}\n" for line in lines)
