"""A KoPL program becomes one SPARQL query over a graph that `kg load kopl` (or another loader) made.

Each step is a group of patterns about one variable; And is their join, Or their UNION, a chain of steps one flat group. What
KoPL's own engine lists twice (an entity that several facts lead to) counts once.
Texts become terms that pyoxigraph writes; nothing is pasted.

KoPL (`ValueClass` of its documentation) compares numbers of one unit, and times by the coarser of both precisions: the
day 2001-01-01 is in the year 2001, while the year is not in the day. A text is compared with texts alone.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import polars as pl
import pyoxigraph as ox

from kg import vocab
from kg.sources.kopl import kopl_terms
from queries.errors import ProgramError
from queries.kopl.program import Program, Step

_UNIT = f"<{vocab.KGP}unit>"
_LABEL = f"<{vocab.RDFS_LABEL}>"
_TYPE, _SUBCLASS = f"<{vocab.RDF_TYPE}>", f"<{vocab.SUBCLASS}>"
_SCHEMA_KINDS = " ".join(f"<{vocab.KGP}{name}>" for name in ("Relation", "Attribute", "Qualifier"))


def compile_program(program: Program) -> str:
    """Return the query that answers a program.

    Its columns: `entity` and `name` of a set, `name`, `count`, `value` and `unit`, `relation`, or `answer` ("yes", "no",
    "not sure"), by the last step. Where SelectBetween finds equals, it names the first by name. Raises ProgramError for a
    value that cannot be read, with the number of its step.

    >>> find = {"function": "Find", "dependencies": [], "inputs": ["Vienna"]}
    >>> count = {"function": "Count", "dependencies": [0], "inputs": []}
    >>> compile_program(Program.of([find, count])).splitlines()[1]
    '  ?e1 <http://www.w3.org/2000/01/rdf-schema#label> "Vienna"@en .'
    """
    return _Compiler(program).query()


def compile_rows(program: Program, slots: Mapping[int, str]) -> str:
    """Return the query that answers a program for all that its Find steps may find: a row for each, with the `answer`.

    Parameters: `slots` has a variable for each of those steps, by number; these are projected. Raises what `compile_program`
    raises.

    >>> steps = [("Find", [], ["Austria"]), ("Relate", [0], ["capital", "forward"])]
    >>> program = Program.of([dict(zip(("function", "dependencies", "inputs"), step)) for step in steps])
    >>> compile_rows(program, {0: "country"}).partition(" WHERE")[0]
    'SELECT DISTINCT ?country (?e3 AS ?answer)'
    """
    return _Compiler(program, slots).rows()


@dataclass(frozen=True)
class _Set:
    """Patterns that bind `entity`; `fact` is the statement node that led to it, where a reader asked for it."""

    lines: list[str]
    entity: str
    fact: str = ""


@dataclass(frozen=True)
class _Values:
    """Patterns that bind `value` and `unit` ("" where it has none)."""

    lines: list[str]
    value: str
    unit: str


class _Compiler:
    def __init__(self, program: Program, slots: Mapping[int, str] | None = None) -> None:
        self.program, self._count, self._slots = program, 0, slots or {}
        self._bound: dict[str, str] = {}  # the variable of each slot

    def rows(self) -> str:
        last = len(self.program.steps) - 1
        step = self.program.steps[last]
        if self.program.signature(last).returns == "values":
            of = self._values(last)
            whole = f'IF({of.unit} = "", {of.value}, CONCAT(STR({of.value}), " ", {of.unit}))'
            return _query(f"DISTINCT {self._keys()} ({whole} AS ?answer)", of.lines)
        found = self._set(step.dependencies[0] if step.function in ("QueryName", "Count") else last)
        if step.function == "Count":
            counted = _query(f"{self._keys()} (COUNT(DISTINCT {found.entity}) AS ?answer)", found.lines)
            return f"{counted} GROUP BY {' '.join(self._bound.values())}"
        return _query(f"DISTINCT {self._keys()} ({found.entity} AS ?answer)", found.lines)

    def _keys(self) -> str:
        every = (f"?{slot}" if name == f"?{slot}" else f"({name} AS ?{slot})" for slot, name in self._bound.items())
        return " ".join(every)

    def query(self) -> str:
        last = len(self.program.steps) - 1
        returns = self.program.signature(last).returns
        if returns == "values":
            return self._value_query(self._values(last))
        if returns != "result":
            return self._entity_query(self._set(last))
        step, place = self.program.steps[last], self._place(last)
        if step.function.startswith("Verify"):
            return self._verify_query(step, self._values(step.dependencies[0]), place)
        sets = [self._set(number) for number in step.dependencies]
        if step.function in ("SelectBetween", "SelectAmong"):
            return self._select_query(step)
        if step.function == "QueryRelation":
            return self._relation_query(*sets)
        if step.function == "Count":
            return _query(f"(COUNT(DISTINCT {sets[0].entity}) AS ?count)", sets[0].lines)
        return _query("DISTINCT ?name", [*sets[0].lines, f"{sets[0].entity} {_LABEL} ?name ."])

    def _new(self, letter: str) -> str:
        self._count += 1
        return f"?{letter}{self._count}"

    def _place(self, number: int) -> str:
        return f"{self.program.place}, step {number} ({self.program.steps[number].function})"

    # --- sets of entities

    def _set(self, number: int, entity: str = "", *, fact: bool = False) -> _Set:
        """Compile a step into patterns that bind `entity` (without one, a new variable)."""
        step = self.program.steps[number]
        if number in self._slots:
            return self._any(self._slots[number], entity)
        if step.function in ("FindAll", "Find"):
            return self._found(entity or self._new("e"), *step.inputs)
        if step.function == "Or":
            return self._union(step.dependencies[0], step.dependencies[1], entity)
        if step.function.startswith("QFilter"):
            return self._qualified(step, entity, self._place(number))
        if step.function == "Relate":
            return self._related(step, entity, fact)
        of = self._set(step.dependencies[0], entity)
        if step.function == "And":
            return _Set([*of.lines, *self._set(step.dependencies[1], of.entity).lines], of.entity)
        if step.function == "FilterConcept":
            return self._of_concept(step, of)
        return self._with_attribute(step, of, fact, self._place(number))

    def _found(self, entity: str, *label: str) -> _Set:
        kind = self._new("k")
        none = f"FILTER NOT EXISTS {{ VALUES {kind} {{ {_SCHEMA_KINDS} }} {entity} {_TYPE} {kind} }}"
        return _Set([self._named(entity, *label), none], entity)

    def _named(self, entity: str, *label: str) -> str:
        names = [
            str(ox.Literal(text, language=tag)) for text in label for tag in dict.fromkeys([*self.program.languages, "en"])
        ]
        name = names[0] if len(names) == 1 else self._new("n")
        some = f"VALUES {name} {{ {' '.join(names)} }} " if len(names) > 1 else ""
        return f"{some}{entity} {_LABEL} {name} ."

    def _any(self, slot: str, entity: str) -> _Set:
        """Bind a slot to whatever has a name, where a program finds one thing."""
        entity = self._bound.setdefault(slot, entity or f"?{slot}")
        return self._found(entity)

    def _union(self, left: int, right: int, entity: str) -> _Set:
        first = self._set(left, entity)
        second = self._set(right, first.entity)
        return _Set(["{", *_indented(first.lines), "} UNION {", *_indented(second.lines), "}"], first.entity)

    def _of_concept(self, step: Step, of: _Set) -> _Set:
        concept = self._new("c")
        path = f"({_TYPE}/{_SUBCLASS}*)|({_SUBCLASS}+)"
        return _Set([*of.lines, self._named(concept, *step.inputs), f"{of.entity} {path} {concept} ."], of.entity)

    def _related(self, step: Step, there: str, fact: bool) -> _Set:
        of = self._set(step.dependencies[0])
        there, (relation, direction) = there or self._new("e"), step.inputs
        subject, object = (of.entity, there) if direction == "forward" else (there, of.entity)
        node, lines = self._fact(subject, _relation(relation), object, fact)
        return _Set([*of.lines, *lines, f"FILTER(isIRI({object}))"], there, node)

    def _fact(self, subject: str, predicate: str, object: str, as_node: bool) -> tuple[str, list[str]]:
        """Patterns of a fact: the triple, or (where qualifiers are asked for) the statement node that only some facts have."""
        if not as_node:
            return "", [f"{subject} <{predicate}> {object} ."]
        node = self._new("st")
        return node, [f"{subject} <{vocab.p(predicate)}> {node} .", f"{node} <{vocab.ps(predicate)}> {object} ."]

    def _with_attribute(self, step: Step, of: _Set, fact: bool, place: str) -> _Set:
        key, text, *op = step.inputs
        node, values = self._attribute(of.entity, key, fact)
        expression = comparison(_kind(step), text, op[0] if op else "=", values.value, values.unit, place)
        return _Set([*of.lines, *values.lines, f"FILTER({expression})"], of.entity, node)

    def _qualified(self, step: Step, entity: str, place: str) -> _Set:
        of = self._set(step.dependencies[0], entity, fact=True)
        key, text, *op = step.inputs
        values = self._qualifier(of.fact, key)
        expression = comparison(_kind(step), text, op[0] if op else "=", values.value, values.unit, place)
        return _Set([*of.lines, *values.lines, f"FILTER({expression})"], of.entity, of.fact)

    # --- values

    def _attribute(self, entity: str, key: str, as_node: bool) -> tuple[str, _Values]:
        """Bind the values of an attribute and their units; a value without a unit need not have a node."""
        predicate, value = _attribute(key), self._new("v")
        node, lines = self._fact(entity, predicate, value, as_node)
        lines.append(f"FILTER(isLiteral({value}))")
        if as_node:
            unit, more = self._unit(f"{node} {_UNIT}")
        else:
            st = self._new("st")
            unit, more = self._unit(f"{entity} <{vocab.p(predicate)}> {st} . {st} <{vocab.ps(predicate)}> {value} ; {_UNIT}")
        return node, _Values([*lines, *more], value, unit)

    def _qualifier(self, node: str, key: str) -> _Values:
        predicate, value = vocab.pq(_attribute(key)), self._new("v")
        unit, lines = self._unit(f"{node} <{predicate}/unit>")
        return _Values([f"{node} <{predicate}> {value} .", *lines], value, unit)

    def _unit(self, pattern: str) -> tuple[str, list[str]]:
        found, unit = self._new("u"), self._new("unit")
        return unit, [f"OPTIONAL {{ {pattern} {found} }}", f'BIND(COALESCE({found}, "") AS {unit})']

    def _values(self, number: int) -> _Values:
        step = self.program.steps[number]
        of = self._set(step.dependencies[0])
        if step.function == "QueryRelationQualifier":
            to = self._set(step.dependencies[1])
            relation, qualifier = step.inputs
            node, fact = self._fact(of.entity, _relation(relation), to.entity, True)
            found = self._qualifier(node, qualifier)
            return _Values([*of.lines, *to.lines, *fact, *found.lines], found.value, found.unit)
        key = step.inputs[0]
        node, values = self._attribute(of.entity, key, step.function != "QueryAttr")
        lines = [*of.lines, *values.lines]
        if step.function == "QueryAttr":
            return _Values(lines, values.value, values.unit)
        if step.function == "QueryAttrUnderCondition":
            asked = self._qualifier(node, step.inputs[1])
            lines += [*asked.lines, f"FILTER({equality(step.inputs[2], asked.value, asked.unit)})"]
            return _Values(lines, values.value, values.unit)
        found = self._qualifier(node, step.inputs[2])
        lines += [f"FILTER({equality(step.inputs[1], values.value, values.unit)})", *found.lines]
        return _Values(lines, found.value, found.unit)

    # --- queries

    def _entity_query(self, of: _Set) -> str:
        lines = [*of.lines, f"OPTIONAL {{ {of.entity} {_LABEL} ?name }}"]
        return _query(f"DISTINCT ({of.entity} AS ?entity) ?name", lines)

    def _value_query(self, of: _Values) -> str:
        return _query(f"DISTINCT ({of.value} AS ?value) ({of.unit} AS ?unit)", of.lines)

    def _relation_query(self, of: _Set, to: _Set) -> str:
        fact = f"{of.entity} ?p {to.entity} ."
        named = f"?p {_TYPE} <{vocab.KGP}Relation> ; {_LABEL} ?relation ."
        return _query("DISTINCT ?relation", [*of.lines, *to.lines, fact, named])

    def _verify_query(self, step: Step, of: _Values, place: str) -> str:
        text, *op = step.inputs
        expression = comparison(_kind(step), text, op[0] if op else "=", of.value, of.unit, place)
        # A value of another kind is an error in the expression, which is not so: COALESCE makes it count as false.
        lines = [*of.lines, f"BIND(IF(COALESCE({expression}, false), 1, 0) AS ?holds)"]
        every, some = "COUNT(?holds)", "COALESCE(SUM(?holds), 0)"
        return _query(f'(IF({some} = 0, "no", IF({some} = {every}, "yes", "not sure")) AS ?answer)', lines)

    def _candidates(self, step: Step) -> tuple[list[str], str, _Values]:
        """Bind the entities of a Select…, the numbers they have, and their units."""
        first, second = step.dependencies[0], step.dependencies[-1]
        of = self._set(first) if first == second else self._union(first, second, "")
        _, values = self._attribute(of.entity, step.inputs[0], False)
        return [*of.lines, *values.lines, f"FILTER(isNumeric({values.value}))"], of.entity, values

    def _select_query(self, step: Step) -> str:
        """Find the extreme among the numbers in the unit that most of them have (of equals, the first by name)."""
        which = step.inputs[1]
        extreme = "MIN" if which in ("less", "smallest") else "MAX"
        lines, entity, values = self._candidates(step)
        inner = f"SELECT DISTINCT {entity} {values.value} {values.unit} WHERE {{"
        best = [
            f"{{ SELECT ({values.unit} AS ?unit) ({extreme}({values.value}) AS ?best) WHERE {{",
            *_indented([f"{{ {inner}", *_indented(lines), "} }"]),
            f"}} GROUP BY {values.unit} ORDER BY DESC(COUNT(*)) {values.unit} LIMIT 1 }}",
        ]
        lines, entity, values = self._candidates(step)
        again = [f"{{ SELECT DISTINCT {entity} {values.value} {values.unit} WHERE {{", *_indented(lines), "} }"]
        chosen = [f"FILTER({values.unit} = ?unit && {values.value} = ?best)", f"{entity} {_LABEL} ?name ."]
        query = _query("DISTINCT ?name", [*best, *again, *chosen])
        return f"{query} ORDER BY ?name LIMIT 1" if step.function == "SelectBetween" else query


def _query(head: str, lines: list[str]) -> str:
    return "\n".join([f"SELECT {head} WHERE {{", *_indented(lines), "}"])


def _indented(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def _kind(step: Step) -> ValueKind:
    for kind in ("Str", "Num", "Year", "Date"):
        if step.function.endswith(kind):
            return kind
    raise AssertionError(step.function)


def _relation(label: str) -> str:
    return vocab.property_iri(label) or vocab.relation_iri(label)


def _attribute(label: str) -> str:
    return vocab.property_iri(label) or vocab.attribute_iri(label)


ValueKind = Literal["Str", "Num", "Year", "Date"]
_READINGS: tuple[ValueKind, ...] = ("Str", "Num", "Date")

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
_YEAR = re.compile(r"[+-]?\d{1,9}", re.ASCII)
_DAY = re.compile(r"(\d{1,4})([/-])(\d{1,2})\2(\d{1,2})", re.ASCII)
_TIMES = ("date", "gYearMonth", "gYear")


def comparison(kind: ValueKind, text: str, op: str, value: str, unit: str, place: str) -> str:
    """Return a SPARQL expression: does the term of variable `value`, in the unit of variable `unit`, stand in `op` to a text?

    Raises ProgramError with `place` for a text that is no value of that kind.
    """
    if kind == "Str":
        return f"{value} = {ox.Literal(text)}"
    if kind == "Num":
        return _number(text, op, value, unit, place)
    # KoPL tells a year from a day by how it is written, whichever function it is given to.
    return _year(text, op, value) if _YEAR.fullmatch(text.strip()) else _day(text, op, value, place)


def equality(text: str, value: str, unit: str) -> str:
    """Return a SPARQL expression: is the term equal to a text, read as whatever kind of value it can be?"""
    tests = []
    for kind in _READINGS:
        try:
            tests.append(f"({comparison(kind, text, '=', value, unit, '')})")
        except ProgramError:
            continue
    return " || ".join(tests)


def _number(text: str, op: str, value: str, unit: str, place: str) -> str:
    number, _, of = text.strip().partition(" ")
    if not _NUMBER.fullmatch(number):
        raise ProgramError(f"'{text}' is no number", place=place, way_out="write it as 150 or 1.80 metre")
    of = "" if of.strip() == "1" else " ".join(of.split())
    (term,) = kopl_terms(pl.Series(["quantity"]), pl.Series([number]))
    return f"isNumeric({value}) && {unit} = {ox.Literal(of)} && {value} {op} {term}"


def _is_time(value: str) -> str:
    types = ", ".join(f"<{vocab.XSD}{name}>" for name in _TIMES)
    return f"datatype({value}) IN ({types})"


def _year_of(value: str) -> str:
    """The year of a date of any precision; YEAR() is defined for full times alone."""
    return f'<{vocab.XSD}integer>(REPLACE(STR({value}), "^(-?[0-9]+).*$", "$1"))'


def _year(text: str, op: str, value: str) -> str:
    return f"{_is_time(value)} && {_year_of(value)} {op} {int(text)}"


def _day(text: str, op: str, value: str, place: str) -> str:
    found = _DAY.fullmatch(text.strip())
    try:
        day = dt.date(int(found[1]), int(found[3]), int(found[4])) if found else None
    except ValueError:
        day = None
    if day is None:
        raise ProgramError(f"'{text}' is no year or day", place=place, way_out="write it as 1969, -44 or 1969-07-20")
    term, full = f'"{day.isoformat()}"^^<{vocab.XSD}date>', f"datatype({value}) = <{vocab.XSD}date>"
    if op in ("=", "!="):
        return f"{_is_time(value)} && {'' if op == '=' else '!'}({full} && {value} = {term})"
    return f"{_is_time(value)} && IF({full}, {value} {op} {term}, {_year_of(value)} {op} {day.year})"
