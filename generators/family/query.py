"""The queries of a family: the SELECT that is run once, with other tables, wider, and the names in it that a graph lacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from generators.family.columns import ASKED
from kg.errors import InputError, nearest
from kg.graph import Graph
from kg.sources._direct import iri_safe
from kg.vocab import PREFIXES
from queries.templates import Template, Token, parse, read_shape


def rows_query(template: Template, base: str | None) -> str:
    """Return the query for all rows of a family, each with whether it is asked (`ask`)."""
    asked = template.front.ask or "true"
    slots = " ".join(f"?{slot}" for slot in template.slots)
    prologue, core = prologue_and_select(template)
    head = (f"BASE <{base}>\n" if base else "") + prologue
    # A filter that fails on a row leaves it out, as FILTER itself does. Of words, unlike truths, no engine makes numbers.
    return f"{head}SELECT {slots} (COALESCE(IF(({asked}), 'yes', 'no'), 'no') AS ?{ASKED}) WHERE {{ {{ {core} }} }}"


def widened_query(template: Template, base: str | None) -> tuple[str, list[str]]:
    """Return the query that projects every variable of a family's SELECT, and those that it does not project itself.

    >>> widened_query(parse("#+ name: a\\n#+ summary: b\\nSELECT ?t { ?f <film#title> ?t }"), None)
    ('SELECT ?t ?f { ?f <film#title> ?t }', ['f'])
    """
    text = template.bind()
    shape = read_shape(text, template.path)
    tokens = shape.tokens
    inner = dict.fromkeys(token.name for token in tokens[shape.open_at : shape.close_at] if token.kind == "variable")
    names = [name for name in inner if name not in shape.slots and name not in shape.computed]
    last = tokens[shape.head_end - 1]
    at = last.start + len(last.text)
    head = f"BASE <{base}>\n" if base else ""
    return head + text[:at] + "".join(f" ?{name}" for name in names) + text[at:], names


def prologue_and_select(template: Template) -> tuple[str, str]:
    """Return the prologue, and the SELECT with the defaults of its parameters, comments left out."""
    text = template.bind()
    shape = read_shape(text, template.path)
    tokens, form_at = shape.tokens, shape.form_at
    prologue = " ".join(token.text for token in tokens[:form_at])
    gaps = [before.start + len(before.text) < after.start for before, after in pairwise(tokens[form_at:])]
    spaced = [token.text + " " * gap for token, gap in zip(tokens[form_at:], [*gaps, False], strict=True)]
    return prologue + "\n" if prologue else "", "".join(spaced)


def prologue_and_group(template: Template) -> tuple[str, str] | None:
    """Return the prologue and the outermost group of a SELECT that only projects; None where it does more.

    A value that is bound outside such a group finds its rows by index; outside a sub-select it waits until all rows are there.
    """
    prologue, core = prologue_and_select(template)
    shape = read_shape(prologue + core, template.path)
    does_more = shape.where_at != shape.head_end or shape.close_at + 1 < len(shape.tokens)
    if shape.computed or shape.nested_select or does_more:
        return None
    first, last = shape.tokens[shape.open_at], shape.tokens[shape.close_at]
    return prologue, (prologue + core)[first.start + 1 : last.start].strip()


def mentioned(template: Template, base: str | None) -> list[str]:
    """Return the IRIs that a family's query names, in full and in brackets.

    >>> mentioned(parse("#+ name: a\\n#+ summary: b\\nPREFIX m: <m#> SELECT ?t { ?f m:title ?t ; a <film> }"), "http://e.org/")
    ['<http://e.org/film>', '<http://e.org/m#title>']
    """
    tokens = template.shape.tokens[template.shape.form_at :]
    prefixes = {**PREFIXES, **template.shape.declared}
    own = next((after.text[1:-1] for token, after in pairwise(template.shape.tokens) if token.word == "BASE"), base)
    iris = [token.text[1:-1] for token in tokens if token.kind == "iri"]
    for token in tokens:
        prefix, colon, local = token.text.partition(":")
        if token.kind == "pname" and colon and prefix in prefixes:
            iris.append(prefixes[prefix] + local)
    return [f"<{iri if ':' in iri or own is None else own + iri}>" for iri in dict.fromkeys(iris)]


# --- tables under other names


def read_renamings(texts: Sequence[str]) -> dict[str, str]:
    """Read `--relation` options. Raises InputError where one renames nothing.

    >>> read_renamings(["movie=films"])
    {'movie': 'films'}
    """
    relations = {}
    for text in texts:
        old, equals, new = text.partition("=")
        if not (old and equals and new):
            raise InputError(f"'{text}' renames nothing", place="--relation", way_out="write --relation TABLE=NAME")
        relations[old] = new
    return relations


def read_shares(text: str) -> tuple[float, ...]:
    """Read the shares of `--none-share`, distinct, in their order. Raises InputError where one is no share.

    >>> read_shares("0,0.2")
    (0.0, 0.2)
    """
    shares = []
    for part in text.split(","):
        try:
            shares.append(float(part))
        except ValueError:
            shares.append(-1.0)
        if not 0 <= shares[-1] <= 1:
            way_out = "write numbers from 0 to 1, such as 0,0.2,0.5"
            raise InputError(f"'{part}' is no share", place="--none-share", way_out=way_out)
    return tuple(dict.fromkeys(shares))


def renamed(template: Template, relations: Mapping[str, str]) -> Template:
    """Put other tables in the places of a family's: `{"movie": "films"}`; only relative IRIs are names of tables.

    Raises InputError where the family has no such table.

    >>> text = "#+ name: a\\n#+ summary: b\\nSELECT ?t { ?f <film#title> ?t ; a <film> }"
    >>> renamed(parse(text), {"film": "my film"}).text.splitlines()[-1]
    'SELECT ?t { ?f <my%20film#title> ?t ; a <my%20film> }'
    """
    if not relations:
        return template
    tokens = [token for token in template.shape.tokens if token.kind == "iri" and ":" not in token.text]
    text, tables = template.text, {_table_of(token.text) for token in tokens}
    # From the end to the beginning, so that the places of the tokens that are left still hold.
    for token in sorted(tokens, key=lambda t: t.start, reverse=True):
        table = _table_of(token.text)
        new = next((iri_safe(new) for old, new in relations.items() if iri_safe(old) == table), table)
        text = text[: token.start] + f"<{new}{token.text[1 + len(table) :]}" + text[token.start + len(token.text) :]
    for old in relations:
        if iri_safe(old) not in tables:
            raise InputError(f"the family has no relation '{old}'", place=template.path, way_out=nearest(old, tables))
    return parse(text, template.path)


def _table_of(iri: str) -> str:
    return iri[1:-1].partition("#")[0].partition("/")[0]


# --- names that the graph does not have


def check_base(graph: Graph, template: Template) -> None:
    """Raise InputError where a family names tables, and the graph has no base that they are relative to."""
    tokens = template.shape.tokens
    if graph.base or any(token.word == "BASE" for token in tokens[: template.shape.form_at]):
        return
    for token in tokens:
        if token.kind == "iri" and ":" not in token.text:
            problem = f"{token.text} is a name from a database, and the graph holds none"
            way_out = "name a graph made with `kg load sql` or `kg load tables`"
            raise InputError(problem, place=template.path, way_out=way_out)


def absent_names(graph: Graph, template: Template) -> list[str]:
    """Return the IRIs in a family's query that stand in no triple of the graph.

    >>> from kg import open_graph
    >>> absent_names(open_graph(), parse("#+ name: a\\n#+ summary: b\\nSELECT ?t { ?f a <ship> ; rdfs:label ?t }"))
    ['<ship>']
    """
    text = template.bind()
    shape = read_shape(text, template.path)
    tokens = shape.tokens[shape.form_at :]
    names = list(dict.fromkeys(token.text for at, token in enumerate(tokens) if _names_a_node(tokens, at)))
    if not names:
        return []
    head = f"BASE <{graph.base}>\n" if graph.base else ""
    values = " ".join(f"({at} {name})" for at, name in enumerate(names))
    anywhere = "{ ?n ?p1 ?o1 } UNION { ?s2 ?n ?o2 } UNION { ?s3 ?p3 ?n }"
    prologue = head + text[: tokens[0].start]
    query = f"{prologue}SELECT ?at {{ VALUES (?at ?n) {{ {values} }} FILTER NOT EXISTS {{ {anywhere} }} }} ORDER BY ?at"
    return [_in_full(names[int(at)], template.shape.declared) for at in graph.select(query)["at"]]


def _in_full(name: str, declared: Mapping[str, str]) -> str:
    """Write a name in full where the family itself declares its prefix."""
    prefix, colon, local = name.partition(":")
    return f"<{declared[prefix]}{local}>" if colon and not name.startswith("<") and prefix in declared else name


def _names_a_node(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a token names a node or a relation: no datatype, and no function."""
    if tokens[at].kind not in ("iri", "pname"):
        return False
    after = tokens[at + 1].text if at + 1 < len(tokens) else ""
    return after != "(" and tokens[at - 1].text != "^^"
