"""One `.rq` file: a valid SPARQL query with front matter, and the values that are bound to it.

```
python -m queries show khop
python -m queries run khop --param 's=<country/id=austria>' --param radius=1
```

A template that loads is sound: its query parses, its front matter names only what the query has, and with its
parameters bound it parses again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyoxigraph as ox

from kg.errors import nearest
from kg.files import read_bytes
from kg.vocab import PREFIXES, XSD
from queries.errors import TemplateError
from queries.templates.binding import Row, write_query
from queries.templates.front import Front, Lines, Parameter, read_front
from queries.templates.lexer import tokens
from queries.templates.shape import Form, Shape, check_syntax, read_shape
from queries.templates.slots import check_slots
from queries.templates.terms import Term, Type, from_text

__all__ = ["Template", "inline", "load", "parse"]

_SAMPLES: dict[Type, Term] = {
    "iri": ox.NamedNode("urn:sample"),
    "predicate": ox.NamedNode("urn:sample"),
    "string": ox.Literal("sample"),
    "integer": ox.Literal(1),
    "decimal": ox.Literal("1.5", datatype=ox.NamedNode(XSD + "decimal")),
    "date": ox.Literal("2000-01-01", datatype=ox.NamedNode(XSD + "date")),
    "term": ox.Literal("sample"),
}


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
        return write_query(self, rows, base, ask=False)

    def as_ask(self, rows: Row | Iterable[Row] = {}, *, base: str | None = None) -> str:  # noqa: B006
        """Return the ASK that says whether the query with these values has a solution; of an ASK, the query itself.

        Takes and raises what `bind` does. Raises TemplateError for a CONSTRUCT.

        >>> print(parse("#+ name: a\\n#+ summary: b\\nSELECT DISTINCT ?s { ?s ?p ?o } # all").as_ask())
        ASK { { SELECT DISTINCT ?s { ?s ?p ?o } } }
        """
        if self.form == "construct":
            problem = "a CONSTRUCT says neither yes nor no"
            raise TemplateError(problem, place=self.path, way_out="take a SELECT or an ASK")
        return write_query(self, rows, base, ask=self.form == "select")


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
    front = Front(name="inline", summary=path, parameters={name: Parameter(type="term") for name in names})
    template = _built(text, path, hashlib.sha256(text.encode()).hexdigest()[:8], front, Lines({(): 1}))
    _check_parameters(template, Lines({(): 1}))
    return template


def _checked(text: str, path: str, version: str) -> Template:
    row = tokens(text, path)
    query_line = next((token.line for token in row if token.kind != "comment"), len(text))
    late = next((t for t in row if t.text.startswith("#+") and t.line >= query_line), None)
    if late:
        way_out = "move it above the query, or write the comment as `# …`"
        raise TemplateError("front matter after the query has begun", place=f"{path}:{late.line}", way_out=way_out)
    front, lines = read_front([token for token in row if token.kind == "comment"], path)
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
    found: dict[str, Term] = {}
    for name, parameter in front.parameters.items():
        if parameter.default is not None:
            try:
                found[name] = from_text(str(parameter.default), parameter.type, {**PREFIXES, **shape.declared})
            except TemplateError as error:
                place = f"{path}:{lines.of('parameters', name, 'default')}"
                problem = f"default of '{name}': {error.problem}"
                raise TemplateError(problem, place=place, way_out=error.way_out) from error
    return found


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
        made = sorted(template.shape.computed & set(template.parameters))
        problem = f"'{made[0]}' is made by AS, so it cannot be a parameter" if made else error.problem
        way_out = "give the parameter a name of its own" if made else "use parameters in patterns and filters only"
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
