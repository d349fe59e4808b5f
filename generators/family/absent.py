"""Why a family finds nothing: it names tables where there is no database, or what the graph has never heard of.

```
python -m generators.family erbench/movie
```
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kg.errors import InputError
from kg.graph import Graph
from queries.templates.lexer import Token
from queries.templates.shape import read_shape
from queries.templates.template import Template

__all__ = ["absent", "check_base"]


def check_base(graph: Graph, template: Template) -> None:
    """Raise InputError where a family names tables, and the graph has no base that they are relative to."""
    row = template.shape.tokens
    if graph.base or any(token.word == "BASE" for token in row[: template.shape.form_at]):
        return
    for token in row:
        if token.kind == "iri" and ":" not in token.text:
            problem = f"{token.text} is a name from a database, and the graph holds none"
            way_out = "name a graph made with `kg load sql` or `kg load tables`"
            raise InputError(problem, place=template.path, way_out=way_out)


def absent(graph: Graph, template: Template) -> list[str]:
    """Return the IRIs in a family's query that stand in no triple of the graph.

    >>> from kg import open_graph
    >>> from queries.templates.template import parse
    >>> absent(open_graph(), parse("#+ name: a\\n#+ summary: b\\nSELECT ?t { ?f a <ship> ; rdfs:label ?t }"))
    ['<ship>']
    """
    text = template.bind()
    shape = read_shape(text, template.path)
    row = shape.tokens[shape.form_at :]
    names = list(dict.fromkeys(token.text for at, token in enumerate(row) if _is_thing(row, at, token)))
    if not names:
        return []
    head = f"BASE <{graph.base}>\n" if graph.base else ""
    values = " ".join(f"({at} {name})" for at, name in enumerate(names))
    there = "{ ?n ?p1 ?o1 } UNION { ?s2 ?n ?o2 } UNION { ?s3 ?p3 ?n }"
    prologue = head + text[: row[0].start]
    query = f"{prologue}SELECT ?at {{ VALUES (?at ?n) {{ {values} }} FILTER NOT EXISTS {{ {there} }} }} ORDER BY ?at"
    return [_said(names[int(at)], template.shape.declared) for at in graph.select(query)["at"]]


def _said(name: str, declared: Mapping[str, str]) -> str:
    """Write a name in full where the family itself declares its prefix."""
    prefix, colon, local = name.partition(":")
    return f"<{declared[prefix]}{local}>" if colon and not name.startswith("<") and prefix in declared else name


def _is_thing(row: Sequence[Token], at: int, token: Token) -> bool:
    """Tell whether a token names a thing: no datatype, and no function."""
    if token.kind not in ("iri", "pname"):
        return False
    after = row[at + 1].text if at + 1 < len(row) else ""
    return after != "(" and row[at - 1].text != "^^"
