"""Values that people give, turned into RDF terms of the type a parameter asks for.

pyoxigraph makes and writes every term. A text that cannot become a term of the type is an error, so no text of a user ever
stands in a query.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal as OneOf

import pyoxigraph as ox

from kg.errors import nearest
from kg.vocab import PREFIXES, XSD
from queries.errors import TemplateError
from queries.templates.lexer import tokens

Type = OneOf["iri", "predicate", "string", "integer", "decimal", "date", "term"]
Term = ox.NamedNode | ox.Literal

TYPES: dict[Type, str] = {
    "iri": "an IRI: <http://…>, http://… or a prefixed name such as wd:Q42",
    "predicate": "the IRI of a predicate: <http://…>, http://… or a prefixed name such as wdt:P19",
    "string": "a text",
    "integer": "a whole number such as 3",
    "decimal": "a number such as 0.25",
    "date": "a date such as 1952-03-11, 1952-03 or 1952",
    "term": 'a term: an IRI (<http://…>, http://…, wd:Q42) or an N-Triples literal ("text"@en, "5"^^<…#integer>)',
}
"""Each type of parameter and the forms its values take."""

# The forms of XML Schema's dates: a year has four digits, or more where the first is no zero; 24:00:00 ends a day.
_YEAR = r"-?(?:[1-9]\d{4,}|\d{4})"
_MONTH, _DAY = r"-(?:0[1-9]|1[0-2])", r"-(?:0[1-9]|[12]\d|3[01])"
_ZONE = r"(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)?"
_CLOCK = r"T(?:[01]\d|2[0-4]):[0-5]\d:[0-5]\d(?:\.\d+)?"
_DATES = {
    "gYear": _YEAR + _ZONE,
    "gYearMonth": _YEAR + _MONTH + _ZONE,
    "date": _YEAR + _MONTH + _DAY + _ZONE,
    "dateTime": _YEAR + _MONTH + _DAY + _CLOCK + _ZONE,
}
_INTEGER = {"integer": r"[+-]?\d+"}
_FORMS: dict[str, dict[str, str]] = {
    "integer": _INTEGER,
    "decimal": {**_INTEGER, "decimal": r"[+-]?(?:\d+\.\d*|\.\d+)"},
    "date": _DATES,
}
"""For each type made of literals: datatype (its name in xsd:) to the texts it may have."""


def from_text(
    text: str, kind: Type, prefixes: Mapping[str, str] = PREFIXES, *, base: str | None = None, bare: bool = False
) -> Term:
    """Turn what a person typed into a term of a type.

    Parameters: `base`, where given, is what a relative IRI (`<films#title>`) is relative to; with `bare` such an IRI
    may do without its brackets. Raises TemplateError that shows the forms the type takes.

    >>> str(from_text("wd:Q42", "iri")), str(from_text("wd:Q42", "string"))
    ('<http://www.wikidata.org/entity/Q42>', '"wd:Q42"')
    """
    if kind == "string":
        return _literal(text, None, kind)
    if kind in _FORMS:
        for datatype, form in _FORMS[kind].items():
            if re.fullmatch(form, text, re.ASCII):
                return _literal(text, datatype, kind)
        raise _wrong(text, kind)
    if kind == "term" and text[:1] == '"':
        return require(from_ntriples(text), kind)
    return _iri(text, kind, prefixes, base, bare)


def from_ntriples(text: str, base: str | None = None) -> Term:
    r"""Read one term as N-Triples writes it.

    Parameters: `base`, where given, is what a relative IRI is relative to.
    Raises TemplateError where it is anything else, more than one term, or a blank node (a query cannot name one).

    >>> from_ntriples('"Zoë"@nl').value, from_ntriples("<http://e.x/a>").value
    ('Zoë', 'http://e.x/a')
    """
    term = _parsed(text, base)
    if term is None or (str(term) != text and not _is_one_term(text)):
        raise TemplateError(f"'{text}' is not a term as N-Triples writes it", way_out=f"write {TYPES['term']}")
    return term


def _parsed(text: str, base: str | None) -> Term | None:
    # Turtle only where a base resolves a relative IRI; its other short forms fail in `_is_one_term`.
    form = ox.RdfFormat.TURTLE if base else ox.RdfFormat.N_TRIPLES
    try:
        objects = [quad.object for quad in ox.parse(f"<a:a> <a:a> {text} .", form, base_iri=base)]
    except (SyntaxError, ValueError):
        return None
    if len(objects) == 1 and isinstance(objects[0], ox.BlankNode):
        raise TemplateError(f"a query cannot name the blank node '{text}'", way_out="give an IRI or a literal")
    return objects[0] if len(objects) == 1 and isinstance(objects[0], Term) else None


def _is_one_term(text: str) -> bool:
    try:
        row = tokens(text)
    except TemplateError:
        return False
    kinds = [token.kind for token in row]
    if kinds == ["string", "punct", "iri"]:
        return row[1].text == "^^"
    return kinds in (["iri"], ["string"], ["string", "langtag"])


def _literal(text: str, datatype: str | None, kind: Type) -> ox.Literal:
    try:
        return ox.Literal(text, datatype=ox.NamedNode(XSD + datatype)) if datatype else ox.Literal(text)
    except ValueError as error:  # half a surrogate pair
        raise _wrong(text, kind) from error


def _iri(text: str, kind: Type, prefixes: Mapping[str, str], base: str | None, bare: bool) -> ox.NamedNode:
    written = _written_out(text, kind, prefixes, bare and base is not None)
    try:
        return ox.NamedNode(written)
    except ValueError as error:
        term = _parsed(f"<{written}>", base) if base and _is_one_term(f"<{written}>") else None
        if not isinstance(term, ox.NamedNode):
            raise _wrong(text, kind) from error
        return term


def _written_out(text: str, kind: Type, prefixes: Mapping[str, str], bare: bool) -> str:
    """Return what stands between `<` and `>` when `text` is written as a full or relative IRI."""
    prefix, colon, local = text.partition(":")
    if text[:1] == "<" and text[-1:] == ">":
        return text[1:-1]
    if text.startswith(("http://", "https://")) or (bare and not colon):
        return text
    if colon and prefix in prefixes:
        return prefixes[prefix] + local
    if colon and prefix and text.isprintable() and " " not in text:
        hint = f"{nearest(prefix, prefixes)} a full IRI is written <{text}>"
        raise TemplateError(f"'{prefix}:' of '{text}' is not a known prefix", way_out=hint)
    raise _wrong(text, kind)


def require(term: object, kind: Type) -> Term:
    """Return `term` if it is of the type.

    Raises TemplateError that shows the forms the type takes.

    >>> require(ox.Literal(3), "integer").value
    '3'
    """
    if not isinstance(term, Term):
        raise TemplateError(f"a {type(term).__name__} is not a term", way_out="give an IRI or a literal")
    if kind != "term" and not _fits(term, kind):
        raise _wrong(str(term), kind)
    return term


def _fits(term: Term, kind: Type) -> bool:
    if isinstance(term, ox.NamedNode):
        return kind in ("iri", "predicate")
    datatype = term.datatype.value
    if kind == "string":
        return term.language is not None or datatype == XSD + "string"
    form = _FORMS.get(kind, {}).get(datatype.removeprefix(XSD))
    return form is not None and re.fullmatch(form, term.value, re.ASCII) is not None


def _wrong(text: str, kind: Type) -> TemplateError:
    return TemplateError(f"'{text}' is not {TYPES[kind].partition(':')[0]}", way_out=f"write {TYPES[kind]}")
