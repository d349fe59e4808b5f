"""One `.rq` file: a valid SPARQL query with front matter, and the values that are bound to it.

A template that loads is sound: its query parses, its front matter names only what the query has, and with its parameters
bound it parses again. Values stand in a VALUES block at the head of the outermost group, which every engine understands and
which takes many rows; a predicate takes its variable's place, because engines plan a VALUES variable in that position badly.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from kg.errors import nearest
from kg.files import read_bytes
from kg.vocab import PREFIXES, XSD
from queries.errors import TemplateError
from queries.templates.lexer import tokens
from queries.templates.shape import Form, Shape, check_syntax, read_shape
from queries.templates.terms import TYPES, Term, Type, from_ntriples, from_text, require

if TYPE_CHECKING:  # read with the first template: it takes a tenth of a second
    from queries.templates.front import Front, Lines, Parameter

Row = Mapping[str, Term | str | None]
"""Values by parameter: a term, a text as N-Triples writes it, or None for one that is left open."""

_Bound = dict[str, Term]
# Of each type one term, to see whether the query still parses with its parameters bound.
_SAMPLES: dict[Type, Term] = {
    "iri": ox.NamedNode("urn:sample"),
    "predicate": ox.NamedNode("urn:sample"),
    "string": ox.Literal("sample"),
    "integer": ox.Literal(1),
    "decimal": ox.Literal("1.5", datatype=ox.NamedNode(XSD + "decimal")),
    "date": ox.Literal("2000-01-01", datatype=ox.NamedNode(XSD + "date")),
    "term": ox.Literal("sample"),
}


class Rows(NamedTuple):
    """Values of some names, as N-Triples, row by row; null where one is left open."""

    names: Sequence[str]
    rows: list[tuple[str | None, ...]]


class Placed(NamedTuple):
    """Where values are put: those of a VALUES block within the outermost group, and those that replace their variables.

    Slots that are restricted from outside are in neither.
    """

    within: Rows
    replaced: Rows


@dataclass(frozen=True, eq=False)
class Template:
    """A query to be bound, and what its front matter says about it.

    `slots` are the variables a SELECT projects, `version` the first 8 hex digits of the file's sha256, `defaults` the
    terms of the parameters that have one.
    """

    name: str
    summary: str
    form: Form
    front: Front
    text: str
    version: str
    path: str
    slots: tuple[str, ...]
    parameters: Mapping[str, Parameter]
    defaults: Mapping[str, Term] = field(repr=False)
    shape: Shape = field(repr=False)

    @property
    def bindable(self) -> dict[str, Parameter]:
        """What values can be bound to, by name: the parameters, and the slots of a family."""
        from queries.templates.front import SLOT

        return {**dict.fromkeys(self.slots if self.front.is_family else (), SLOT), **self.parameters}

    def bind(self, rows: Row | Iterable[Row] = {}, *, base: str | None = None) -> str:  # noqa: B006
        """Return the query with values bound: complete SPARQL that any engine runs.

        Parameters: `rows` is one row or many, from parameter to term (a pyoxigraph term, or a text as N-Triples writes
        it); for a family the slots may be bound as well. `base` is written as BASE; without it a relative IRI of the
        template stays relative. No rows at all give a query without solutions.
        Raises TemplateError for an unknown or missing parameter and for a value of another type.

        >>> people = parse("#+ name: a\\n#+ summary: b\\n#+ parameters: {s: {type: iri}}\\nSELECT ?o { ?s wdt:P19 ?o }")
        >>> print(people.bind({"s": "<urn:x>"}))
        PREFIX wdt: <http://www.wikidata.org/prop/direct/>
        SELECT ?o { VALUES (?s) { (<urn:x>) } ?s wdt:P19 ?o }
        """
        return _query(self, rows, base, ask=False)

    def as_ask(self, rows: Row | Iterable[Row] = {}, *, base: str | None = None) -> str:  # noqa: B006
        """Return the ASK that says whether the query with these values has a solution; of an ASK, the query itself.

        Takes and raises what `bind` does. Raises TemplateError for a CONSTRUCT.

        >>> print(parse("#+ name: a\\n#+ summary: b\\nSELECT DISTINCT ?s { ?s ?p ?o } # all").as_ask())
        ASK { { SELECT DISTINCT ?s { ?s ?p ?o } } }
        """
        if self.form == "construct":
            problem = "a CONSTRUCT says neither yes nor no"
            raise TemplateError(problem, place=self.path, way_out="take a SELECT or an ASK")
        return _query(self, rows, base, ask=self.form == "select")

    def placed(self, rows: Sequence[Row], *, base: str | None = None) -> Placed:
        """Return where `bind` puts the values of rows that all bind the same names.

        Raises what `bind` raises.
        """
        bound = [_bound(self, row, base) for row in rows]
        inner, _ = _split(self, bound[:1])
        written = [name for name, parameter in self.parameters.items() if parameter.written_in]
        return Placed(*(Rows(names, [_texts(row, names) for row in bound]) for names in (inner, written)))

    def read_value(self, name: str, text: str, *, base: str | None = None) -> Term:
        """Turn what a person typed for a parameter (or a family's slot) into a term of its type.

        Parameters: `base` is what relative IRIs are relative to.
        Raises TemplateError where there is no such parameter, and where the text is no term of its type.

        >>> year = parse("#+ name: a\\n#+ summary: b\\n#+ parameters: {n: {type: integer}}\\nASK { ?s ?p ?n }")
        >>> year.read_value("n", "1952").value
        '1952'
        """
        if name not in self.bindable:
            raise TemplateError(f"no parameter '{name}'", place=self.path, way_out=nearest(name, self.bindable))
        parameter = self.bindable[name]
        prefixes = {**PREFIXES, **self.shape.declared}
        return from_text(text, parameter.type, prefixes, base=base, bare=parameter.relative)


_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def load(path: str | Path) -> Template:
    """Read a template from a file.

    Raises TemplateError with file and line where it is at fault, SourceError where it cannot be read.
    """
    return from_bytes(read_bytes(path), str(path))


def from_bytes(data: bytes, path: str) -> Template:
    """Read a template from a file's bytes; `path` is what errors call it."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TemplateError("this is not UTF-8", place=f"{path}:{line}", way_out="save the file as UTF-8") from error
    return _checked(text, path, hashlib.sha256(data).hexdigest()[:8])


def parse(text: str, path: str = "query.rq") -> Template:
    """Read a template from text; `path` is what errors call it.

    Raises TemplateError with file and line where it is at fault.

    >>> parse("#+ name: all\\n#+ summary: Every triple\\nSELECT ?s ?p ?o { ?s ?p ?o }").slots
    ('s', 'p', 'o')
    """
    return from_bytes(text.encode(errors="surrogatepass"), path)


def inline(text: str, names: Sequence[str] = (), path: str = "inline query") -> Template:
    """Make a template of SPARQL that has no front matter; `names` are its parameters, of any term each.

    Raises TemplateError where it does not parse.

    >>> inline("ASK { ?s ?p ?o }", ["s"]).bind({"s": "<urn:x>"})
    'ASK { VALUES (?s) { (<urn:x>) } ?s ?p ?o }'
    """
    from queries.templates.front import Front, Lines, Parameter

    for name in names:
        if not _VARIABLE.fullmatch(name):
            raise TemplateError(f"'{name}' is no variable's name", place=path, way_out="take letters, digits and '_'")
    front = Front(name="inline", summary=path, parameters={name: Parameter(type="term") for name in names})
    template = _built(text, path, hashlib.sha256(text.encode()).hexdigest()[:8], front, Lines({(): 1}))
    _check_parameters(template, Lines({(): 1}))
    return template


def _checked(text: str, path: str, version: str) -> Template:
    from queries.templates.front import check_slots, read_front

    parts = tokens(text, path)
    query_line = next((token.line for token in parts if token.kind != "comment"), len(text))
    late = next((t for t in parts if t.text.startswith("#+") and t.line >= query_line), None)
    if late:
        way_out = "move it above the query, or write the comment as `# …`"
        raise TemplateError("front matter after the query has begun", place=f"{path}:{late.line}", way_out=way_out)
    front, lines = read_front([token for token in parts if token.kind == "comment"], path)
    template = _built(text, path, version, front, lines)
    if "*" in template.slots:
        place = f"{path}:{template.shape.tokens[template.shape.form_at].line}"
        raise TemplateError("a template cannot SELECT *", place=place, way_out="name the variables: each is a slot")
    check_slots(front, template.shape, path, lines)
    _check_parameters(template, lines)
    return template


def _built(text: str, path: str, version: str, front: Front, lines: Lines) -> Template:
    shape = read_shape(text, path)
    return Template(
        name=front.name,
        summary=front.summary,
        form=shape.form,
        front=front,
        text=text,
        version=version,
        path=path,
        slots=shape.slots,
        parameters=front.parameters,
        defaults=_defaults(front, shape, path, lines),
        shape=shape,
    )


def _defaults(front: Front, shape: Shape, path: str, lines: Lines) -> dict[str, Term]:
    defaults: dict[str, Term] = {}
    for name, parameter in front.parameters.items():
        if parameter.default is not None:
            try:
                defaults[name] = from_text(str(parameter.default), parameter.type, {**PREFIXES, **shape.declared})
            except TemplateError as error:
                place = f"{path}:{lines.of('parameters', name, 'default')}"
                problem = f"default of '{name}': {error.problem}"
                raise TemplateError(problem, place=place, way_out=error.way_out) from error
    return defaults


def _check_parameters(template: Template, lines: Lines) -> None:
    for name, parameter in template.parameters.items():
        place = f"{template.path}:{lines.of('parameters', name)}"
        _check_used(template, name, parameter, place)
    if not template.parameters:
        return
    place = f"{template.path}:{lines.of('parameters')}"
    sample = {name: _SAMPLES[parameter.type] for name, parameter in template.parameters.items()}
    try:
        check_syntax(template.bind(sample), template.path)
    except TemplateError as error:
        computed = sorted(template.shape.computed & set(template.parameters))
        problem = f"'{computed[0]}' is made by AS, so it cannot be a parameter" if computed else error.problem
        way_out = "give the parameter a name of its own" if computed else "use parameters in patterns and filters only"
        raise TemplateError(f"with its parameters bound: {problem}", place=place, way_out=way_out) from error


def _check_used(template: Template, name: str, parameter: Parameter, place: str) -> None:
    shape = template.shape
    variables = {token.name for token in shape.tokens[shape.open_at :] if token.kind == "variable"}
    if name not in variables:
        raise TemplateError(f"the query never uses parameter '{name}'", place=place, way_out=nearest(name, variables))
    if parameter.written_in:
        if name in shape.slots:
            way_out = "leave it out of the SELECT, or give it a type and place where VALUES can bind it"
            raise TemplateError(f"'{name}' is written into the query and cannot be projected", place=place, way_out=way_out)
    elif not shape.reaches(name):
        problem = f"parameter '{name}' is used only in a sub-select that does not project it"
        raise TemplateError(problem, place=place, way_out=f"add ?{name} to that sub-select's SELECT")
    elif shape.form == "construct" and shape.tokens[shape.form_at + 1].word != "{":
        way_out = "write CONSTRUCT { … } WHERE { … }"
        raise TemplateError("CONSTRUCT WHERE takes no parameters", place=place, way_out=way_out)


# --- values put into the query: the one place where a query is made of a template and what a user gives -------------------


class _Edit(NamedTuple):
    """A stretch of the template's text and what stands there instead."""

    start: int
    end: int
    text: str


def _query(template: Template, rows: Row | Iterable[Row], base: str | None, ask: bool) -> str:
    """Return the query of a template with its values, complete with its prologue; `ask` makes an ASK of a SELECT."""
    bound = [_bound(template, row, base) for row in ([rows] if isinstance(rows, Mapping) else rows)]
    inner, outer = _split(template, bound)
    shape, text = template.shape, template.text
    edits = [*_predicates(template, bound), *_values_edits(template, bound, inner)]
    start, end = shape.tokens[0].start, shape.tokens[-1].end
    form_start = shape.tokens[shape.form_at].start
    head = _prologue(template, base) + text[start:form_start]
    if not ask and not outer:
        return head + _edited(text, form_start, end, edits)
    # From here on the query becomes a sub-select; its FROM clauses may stand in the outermost query only, so they move there.
    head_end, where = shape.tokens[shape.head_end - 1].end, shape.tokens[shape.where_at].start
    dataset = text[head_end : shape.tokens[shape.where_at - 1].end]
    core = f"{_edited(text, form_start, head_end, edits)} {_edited(text, where, end, edits)}"
    if outer:
        core = _restricted(bound, outer, core)
        core = core if ask else f"SELECT {' '.join(f'?{slot}' for slot in template.slots)}{dataset} WHERE {{ {core} }}"
        return head + (f"ASK{dataset} {{ {core} }}" if ask else core)
    return f"{head}ASK{dataset} {{ {{ {core} }} }}"


def _bound(template: Template, row: Row, base: str | None) -> _Bound:
    """Check one row and fill in the defaults."""
    known = template.bindable
    for name in row:
        if name not in known:
            what = "parameter or slot" if template.front.is_family else "parameter"
            raise TemplateError(f"no {what} '{name}'", place=template.path, way_out=nearest(name, known))
    bound: _Bound = {}
    for name, parameter in known.items():
        value = row.get(name)
        if value is not None:
            bound[name] = _term(template, name, parameter, value, base)
        elif name in template.defaults:
            bound[name] = template.defaults[name]
        elif not parameter.optional:
            way_out = f"give it {TYPES[parameter.type]}"
            raise TemplateError(f"parameter '{name}' is missing", place=template.path, way_out=way_out)
    return bound


def _term(template: Template, name: str, parameter: Parameter, value: Term | str, base: str | None) -> Term:
    try:
        term = from_ntriples(value, base) if isinstance(value, str) else value
        return require(term, parameter.type)
    except TemplateError as error:
        raise TemplateError(f"'{name}': {error.problem}", place=template.path, way_out=error.way_out) from error


def _split(template: Template, bound: Sequence[_Bound]) -> tuple[list[str], list[str]]:
    """Return the names that are restricted within the query, and the slots that are restricted from outside.

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


def _texts(row: _Bound, names: Sequence[str]) -> tuple[str | None, ...]:
    return tuple(None if (term := row.get(name)) is None else str(term) for name in names)


def _predicates(template: Template, bound: Sequence[_Bound]) -> list[_Edit]:
    """Return the edits that put the values of predicates, and of `inline` parameters, in their variables' places."""
    edits = []
    for name in (name for name, parameter in template.parameters.items() if parameter.written_in):
        terms = {row.get(name) for row in bound} or {template.defaults.get(name)}
        if len(terms) != 1:
            problem = f"'{name}' has {len(terms)} values in one call"
            way_out = "it is written into the query: bind the rows of each value on their own"
            raise TemplateError(problem, place=template.path, way_out=way_out)
        term = terms.pop()
        edits += [_Edit(t.start, t.end, str(term)) for t in template.shape.uses(name) if term is not None]
    return edits


def _values_edits(template: Template, bound: Sequence[_Bound], names: Sequence[str]) -> list[_Edit]:
    """Return the edits that put a VALUES block for these names first into the outermost group."""
    if not names and bound:  # without rows an empty VALUES is written all the same: it leaves no solutions
        return []
    shape = template.shape
    after, before = shape.tokens[shape.open_at].end, shape.tokens[shape.close_at].start
    block = f" {_values(bound, names)}"
    # Nothing may stand beside a sub-select that is the whole group.
    if shape.nested_select:
        return [_Edit(after, after, f"{block} {{"), _Edit(before, before, "} ")]
    return [_Edit(after, after, block)]


def _values(bound: Sequence[_Bound], names: Sequence[str]) -> str:
    rows = list(dict.fromkeys(f"({' '.join(_written(row.get(name)) for name in names)})" for row in bound))
    gap = "\n  " if len(rows) > 1 else " "
    return f"VALUES ({' '.join(f'?{name}' for name in names)}) {{{gap}{gap.join(rows)} }}"


def _written(term: ox.NamedNode | ox.Literal | None) -> str:
    return "UNDEF" if term is None else str(term)


def _restricted(bound: Sequence[_Bound], names: Sequence[str], core: str) -> str:
    """Join a sub-select with values from outside; an unbound slot equals nothing."""
    always = [name for name in names if all(name in row for row in bound)]
    filters = "".join(f" FILTER(BOUND(?{name}))" for name in always)
    # The values come last: rdflib would let what stands before a sub-select pass for what it computes.
    return f"{{ {{ {core} }}{filters} }} {_values(bound, names)}"


def _edited(text: str, start: int, end: int, edits: Iterable[_Edit]) -> str:
    """Return a stretch of the text with the edits that lie within it."""
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
