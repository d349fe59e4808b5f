"""Where the parts of a query stand: its prologue, what it returns, its outermost group.

Brackets and keywords among the tokens say so; that the query parses at all is for pyoxigraph to say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

import pyoxigraph as ox

from kg.errors import QueryError, nearest
from kg.graph import check_nesting
from kg.vocab import PREFIXES
from queries.errors import TemplateError
from queries.templates.lexer import Token, tokens

if TYPE_CHECKING:
    from pyparsing import ParseBaseException

Form = Literal["select", "ask", "construct"]
_FORMS: dict[str, Form] = {"SELECT": "select", "ASK": "ask", "CONSTRUCT": "construct"}
# Relative IRIs (`<film#title>`) only parse against a base, and which one is not known before a graph is opened.
_PLACEHOLDER_BASE = "https://base.invalid/"
_PAIRS = {"(": ")", "{": "}", "[": "]"}
_OPEN, _CLOSE = frozenset(_PAIRS), frozenset(_PAIRS.values())


@dataclass(frozen=True)
class Shape:
    """The parts of one query, as positions in `tokens` (which leaves comments out).

    `form_at` is SELECT, ASK or CONSTRUCT; `head_end` the first token after what it returns; `where_at` the first one
    after FROM clauses; `open_at` and `close_at` the braces of the outermost group. `slots` are the variables that a
    SELECT projects (`("*",)` for all), `computed` those made by AS, `declared` the prologue's prefixes, `undeclared`
    the shared ones it leans on.
    """

    tokens: Sequence[Token]
    form: Form
    slots: tuple[str, ...]
    computed: frozenset[str]
    declared: Mapping[str, str]
    undeclared: tuple[str, ...]
    form_at: int
    head_end: int
    where_at: int
    open_at: int
    close_at: int

    @property
    def nested_select(self) -> bool:
        """Whether the outermost group is itself a sub-select, which admits nothing beside it."""
        return self.tokens[self.open_at + 1].word == "SELECT"

    def requires(self, name: str) -> bool:
        """Whether a variable stands in a pattern of the outermost group itself, so that every solution binds it.

        >>> shape = read_shape("SELECT ?a ?b { ?a rdfs:label ?l OPTIONAL { ?a rdfs:seeAlso ?b } }")
        >>> shape.requires("a"), shape.requires("b")
        (True, False)
        """
        depth = 0
        for token in self.tokens[self.open_at : self.close_at]:
            depth += (token.word in ("{", "(")) - (token.word in ("}", ")"))
            if depth == 1 and token.kind == "variable" and token.name == name:
                return name not in self.computed and not self.nested_select
        return False

    def uses(self, name: str) -> list[Token]:
        """Return where a variable stands after the prologue, what a SELECT returns left out unless in an expression."""
        bare = set(_projected(self.tokens, self.form_at, self.head_end)) if self.form == "select" else set()
        return [
            token
            for at, token in enumerate(self.tokens[self.form_at :], self.form_at)
            if token.kind == "variable" and token.name == name and at not in bare
        ]

    def reaches(self, name: str) -> bool:
        """Whether a VALUES in the outermost group restricts a variable: not one that sub-selects keep to themselves."""
        return any(self._is_open(at, name) for at in range(self.open_at, self.close_at))

    def _is_open(self, at: int, name: str) -> bool:
        token = self.tokens[at]
        if token.kind != "variable" or token.name != name:
            return False
        around = (select for select in _sub_selects(self) if select.start < at < select.end)
        return all(name in select.slots or "*" in select.slots for select in around)


def check_syntax(text: str, path: str) -> None:
    """Let pyoxigraph parse a query, with the shared prefixes known.

    Raises TemplateError with the line and column where it does not parse.
    """
    try:
        check_nesting(text)
    except QueryError as error:
        raise TemplateError(error.problem, place=path, way_out=error.way_out) from error
    try:
        ox.Store().query(text, prefixes=PREFIXES, base_iri=_PLACEHOLDER_BASE)
    except SyntaxError as error:
        raise _syntax_error(text, path, str(error)) from error
    except RuntimeError:
        pass  # It parses, and calls a function that Oxigraph does not know: an endpoint may.


def _syntax_error(text: str, path: str, message: str) -> TemplateError:
    fault = _first_fault(text)
    if fault:
        rest = fault.line[fault.column - 1 :].strip()[:40]
        place = f"{path}:{fault.lineno}:{fault.column}"
        problem = f"the query does not parse from '{rest}' on"
        return TemplateError(problem, place=place, way_out="mend the SPARQL there")
    # Among what it expected, pyoxigraph names rules by sentences: "The SELECT contains a variable that is unbound".
    broken = re.search(r"[A-Z][a-z]*(?: [A-Za-z]+){3,}", message)
    rule = broken[0] if broken else "such as that a variable is made only once, by a pattern or by AS"
    return TemplateError(f"the query breaks a rule ({rule})", place=path, way_out="mend the SPARQL")


def _first_fault(text: str) -> ParseBaseException | None:
    """Let rdflib say where a query goes wrong: pyoxigraph names the furthest place it looked at, mostly the end."""
    from pyparsing import ParseBaseException  # here: most queries parse, and it takes a while to import
    from rdflib.plugins.sparql.parser import parseQuery

    try:
        parseQuery(text.replace("\t", " "))  # it would count a tab as eight columns
    except ParseBaseException as error:
        return error
    except Exception:  # it reads values as it goes, and raises whatever a number of thousands of digits, or a depth, does
        return None
    return None


@lru_cache(maxsize=64)  # a family's query is looked at again and again while its items are made
def read_shape(text: str, path: str = "query") -> Shape:
    """Find the parts of a query.

    Raises TemplateError (with file, line and column) where it does not parse, uses an unknown prefix, reaches for
    another graph by SERVICE, or is neither SELECT, ASK nor CONSTRUCT.

    >>> read_shape("PREFIX m: <m#> SELECT ?a (COUNT(*) AS ?n) { ?a m:b rdf:nil } GROUP BY ?a").undeclared
    ('rdf',)
    """
    query = [token for token in tokens(text, path) if token.kind != "comment"]
    form_at, declared = _prologue(query)
    form = _form(query, form_at, path)
    _check_brackets(query, path)
    undeclared = _undeclared(query[form_at:], declared, path)
    # Only now: a prefix that is missing, or a bracket, is named better by us than by a parser.
    check_syntax(text, path)
    head_end = _head_end(query, form_at, form)
    where_at = _first_outside(query, head_end, ("WHERE", "{"))
    open_at = _first_outside(query, where_at, ("{",))
    projected = _projected(query, form_at, head_end) if form == "select" else {}
    return Shape(
        tokens=query,
        form=form,
        slots=tuple(projected.values()),
        computed=frozenset(t.name for before, t in pairwise(query[form_at:]) if before.word == "AS" and t.name),
        declared=declared,
        undeclared=undeclared,
        form_at=form_at,
        head_end=head_end,
        where_at=where_at,
        open_at=open_at,
        close_at=_partner(query, open_at),
    )


def _prologue(query: Sequence[Token]) -> tuple[int, dict[str, str]]:
    at, declared = 0, {}
    while at + 1 < len(query) and query[at].word in ("BASE", "PREFIX"):
        if query[at].word == "PREFIX" and at + 2 < len(query):
            declared[query[at + 1].name] = query[at + 2].text[1:-1]
        at += 2 if query[at].word == "BASE" else 3
    return at, declared


def _form(query: Sequence[Token], at: int, path: str) -> Form:
    way_out = "begin with SELECT, ASK or CONSTRUCT, after PREFIX lines"
    if at >= len(query):
        raise TemplateError("there is no query", place=path, way_out=way_out)
    if query[at].word not in _FORMS:
        raise TemplateError(f"a query cannot begin with '{query[at].text}'", place=_place(path, query[at]), way_out=way_out)
    return _FORMS[query[at].word]


def _check_brackets(query: Sequence[Token], path: str) -> None:
    opened: list[Token] = []
    for token in query:
        if token.word in _PAIRS:
            opened.append(token)
        elif token.word in _PAIRS.values():
            if not opened or _PAIRS[opened[-1].word] != token.word:
                expected = f"close '{opened[-1].text}' of line {opened[-1].line} first" if opened else "delete it"
                raise TemplateError(f"'{token.text}' closes nothing", place=_place(path, token), way_out=expected)
            opened.pop()
    if opened:
        way_out = f"write the '{_PAIRS[opened[-1].word]}' that belongs to it"
        raise TemplateError(f"'{opened[-1].text}' is never closed", place=_place(path, opened[-1]), way_out=way_out)


def _undeclared(query: Sequence[Token], declared: Mapping[str, str], path: str) -> tuple[str, ...]:
    used: dict[str, None] = {}
    for token in query:
        if token.word == "SERVICE":
            raise TemplateError(
                "SERVICE asks another graph than the one the answer is proved in",
                place=_place(path, token),
                way_out="load that graph and ask it here",
            )
        if token.kind == "pname" and token.name not in declared:
            if token.name not in PREFIXES:
                hint = f"declare it with PREFIX; {nearest(token.name, [*declared, *PREFIXES])}"
                raise TemplateError(f"unknown prefix '{token.name}:'", place=_place(path, token), way_out=hint)
            used[token.name] = None
    return tuple(used)


def _place(path: str, token: Token) -> str:
    return f"{path}:{token.line}:{token.column}"


def _first_outside(query: Sequence[Token], start: int, names: tuple[str, ...]) -> int:
    """Return where one of `names` first stands from `start` on, outside any bracket that opens after `start`."""
    depth = 0
    for at in range(start, len(query)):
        if depth == 0 and query[at].word in names:
            return at
        depth += (query[at].word in _OPEN) - (query[at].word in _CLOSE)
    return len(query)


def _partner(query: Sequence[Token], open_at: int) -> int:
    """Return where the bracket at `open_at` is closed."""
    depth = 0
    for at in range(open_at, len(query)):
        depth += (query[at].word in _OPEN) - (query[at].word in _CLOSE)
        if depth == 0:
            return at
    return len(query)


def _head_end(query: Sequence[Token], form_at: int, form: Form) -> int:
    if form == "construct" and query[form_at + 1].word == "{":
        return _partner(query, form_at + 1) + 1
    return _first_outside(query, form_at + 1, ("FROM", "WHERE", "{"))


def _projected(query: Sequence[Token], select_at: int, end: int) -> dict[int, str]:
    """Return the positions and names of the variables that a SELECT returns, `*` included."""
    names, depth = {}, 0
    for at in range(select_at + 1, end):
        token = query[at]
        depth += (token.word in _OPEN) - (token.word in _CLOSE)
        # `?x` alone, or the ?x of `(EXPRESSION AS ?x)`: other variables in brackets are part of an expression.
        is_variable = token.kind == "variable" and (depth == 0 or (depth == 1 and query[at - 1].word == "AS"))
        if is_variable or (depth == 0 and token.word == "*"):
            names[at] = token.name or "*"
    return names


class _SubSelect(NamedTuple):
    """A sub-select: where the braces around it stand, and the variables it projects."""

    start: int
    end: int
    slots: frozenset[str]


def _sub_selects(shape: Shape) -> list[_SubSelect]:
    query, selects = shape.tokens, []
    for at in range(shape.open_at, shape.close_at):
        if query[at].word == "{" and query[at + 1].word == "SELECT":
            head_end = _first_outside(query, at + 2, ("WHERE", "{"))
            slots = frozenset(_projected(query, at + 1, head_end).values())
            selects.append(_SubSelect(at, _partner(query, at), slots))
    return selects
