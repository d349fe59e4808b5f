"""Results on their way out: tables for people, CSV, TSV, JSON and Parquet for programs, RDF in its formats."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable, Iterator

import pyoxigraph as ox

from kg.errors import InputError, QueryError, nearest, one_line
from kg.files import write_bytes
from kg.graph import Graph, check_nesting
from kg.limits import check_rows
from kg.terms import text_of
from kg.text import harmless
from kg.vocab import PREFIXES

_ROW_FORMATS = ("table", "csv", "tsv", "json", "parquet")
_RDF_FORMATS = {"nt": ox.RdfFormat.N_TRIPLES, "ttl": ox.RdfFormat.TURTLE, "nq": ox.RdfFormat.N_QUADS, "trig": ox.RdfFormat.TRIG}
_MOST_ROWS = 1000


def short(term: str, base: str | None) -> str:
    """Return a term as people write it: prefixed or relative IRI, or the text of a literal.

    >>> short("<http://www.wikidata.org/entity/Q2>", None), short("<http://e/film/id=1>", "http://e/"), short('"x"@en', None)
    ('wd:Q2', '<film/id=1>', 'x')
    """
    if not term.startswith("<"):
        return _literal_text(term) if term.startswith('"') else term
    iri = term[1:-1]
    if base and iri.startswith(base):
        return f"<{iri.removeprefix(base)}>"
    for prefix, namespace in PREFIXES.items():
        local = iri.removeprefix(namespace)
        if local != iri and local and all(c.isalnum() or c in "_-." for c in local):
            return f"{prefix}:{local}"
    return term


def _literal_text(term: str) -> str:
    body = term[1 : term.rindex('"')]
    return text_of(term) if "\\" in body else body


def table_text(columns: list[str], rows: Iterable[Iterable[str]], *, terminal: bool) -> str:
    """Draw a table as wide as the terminal, or as wide as it needs where the output is no terminal."""
    from rich.console import Console  # here: a tenth of a second that most commands need not wait
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(Text(harmless(column)), overflow="fold")
    for row in rows:
        table.add_row(*(Text(harmless(cell)) for cell in row))
    out = io.StringIO()
    width = Console().width if terminal else 10_000  # a file or a pipe gets whole cells
    Console(file=out, width=width, force_terminal=terminal, highlight=False, soft_wrap=False).print(table)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def answer(graph: Graph, query: str, form: str | None, out: str, *, most: int = 0) -> int | None:
    """Run any query and write its result; return how many rows a table left out.

    Parameters: `most` is how many rows the result may have, 0 for any number.
    Raises QueryError where the query does not parse, InputError where the format does not fit its form, and for too many rows.
    """
    kind = _kind_of(query, graph.base)
    if kind == "ask":
        _check_format(form or "table", ("table",), "true or false")
        write_bytes(out, b"true\n" if graph.ask(query) else b"false\n")
    elif kind == "construct":
        _check_format(form or "nt", ("nt", "ttl"), "triples")
        triples = graph.construct(query)
        check_rows(triples.count(b"\n"), most)
        write_bytes(out, as_quads([(None, triples)], form or "nt"))
    else:
        return _write_rows(graph, query, _check_format(form or "table", _ROW_FORMATS, "rows"), out, most)
    return None


def _syntax_fault(query: str, message: str) -> QueryError:
    """Say where a query does not parse; the parser lists all that could stand there, in its own notation.

    >>> print(_syntax_fault("SELECT * { ?s a zoo:Ape }", "error at 1:24: expected one of Prefix not found, ['%']"))
    query: does not parse (prefix 'zoo:' is not declared); begin with PREFIX zoo: <IRI>
    """
    at = re.match(r"error at (\d+):(\d+)", message)
    lines = query.splitlines()
    if at is None or not query.strip():
        problem = "does not parse (it is empty)" if at else f"does not parse ({message})"
        return QueryError(problem, place="query", way_out="give a SELECT, ASK, CONSTRUCT or DESCRIBE")
    line, column = int(at[1]), int(at[2])
    text = lines[line - 1] if line <= len(lines) else ""
    before, rest = text[: column - 1], text[column - 1 :].strip()
    if "Prefix not found" in message and (prefix := re.search(r"([\w.-]*):[^\s:]*$", before.rstrip())):
        problem = f"does not parse (prefix '{prefix[1]}:' is not declared)"
        return QueryError(problem, place="query", way_out=f"begin with PREFIX {prefix[1]}: <IRI>")
    # The parser tells how far it came, which may be a word behind the fault.
    where = f"near '{one_line(rest, 40)}'" if rest else f"near the end of line {line}"
    problem = f"does not parse ({line}:{column}, {where})"
    return QueryError(problem, place="query", way_out="mend the SELECT, ASK, CONSTRUCT or DESCRIBE there")


def _kind_of(query: str, base: str | None) -> str:
    """Return a query's form, as the parser sees it: it is run over nothing."""
    check_nesting(query)
    try:
        result = ox.Store().query(query, base_iri=base, prefixes=PREFIXES)
    except SyntaxError as error:
        raise _syntax_fault(query, error.msg) from error
    except (ValueError, OSError, RuntimeError):  # what only fails when it runs will say so on the graph itself
        return "select"
    if isinstance(result, ox.QueryBoolean):
        return "ask"
    return "select" if isinstance(result, ox.QuerySolutions) else "construct"


def _check_format(form: str, known: tuple[str, ...], what: str) -> str:
    if form not in known:
        way_out = f"{nearest(form, known)}" if form not in (*_ROW_FORMATS, *_RDF_FORMATS) else f"choose {', '.join(known)}"
        raise InputError(f"'{form}' is no format for {what}", place="--format", way_out=way_out)
    return form


def _write_rows(graph: Graph, query: str, form: str, out: str, most: int) -> int | None:
    if form == "table":
        rows = graph.terms(query)
        check_rows(rows.height, most)
        shown = rows.head(_MOST_ROWS)
        cells = ([short(cell, graph.base) if cell else "" for cell in row] for row in shown.iter_rows())
        text = table_text(rows.columns, cells, terminal=out == "-" and sys.stdout.isatty())
        write_bytes(out, text.encode())
        return rows.height - shown.height
    if form == "parquet" and out == "-" and sys.stdout.isatty():
        raise InputError("Parquet is not for a terminal", place="--format", way_out="name a file with --out")
    write_bytes(out, _rows_as(graph, query, form, most))
    return None


def _rows_as(graph: Graph, query: str, form: str, most: int) -> bytes:
    buffer = io.BytesIO()
    rows = graph.terms(query) if form == "tsv" else graph.select(query)
    check_rows(rows.height, most)
    if form == "tsv":
        rows.rename({c: f"?{c}" for c in rows.columns}).write_csv(buffer, separator="\t", quote_style="never")
    elif form == "csv":
        rows.write_csv(buffer)
    elif form == "json":
        rows.write_json(buffer)
        buffer.write(b"\n")
    else:
        rows.write_parquet(buffer)
    return buffer.getvalue()


def as_quads(graphs: Iterable[tuple[str | None, bytes]], form: str) -> bytes:
    """Write N-Triples, each with the graph they stand in, as nt, ttl, nq or trig; sorted, so same triples, same bytes.

    >>> as_quads([("http://e/g", b"<http://e/s> <http://e/p> <http://e/o> .")], "nq").decode()
    '<http://e/s> <http://e/p> <http://e/o> <http://e/g> .\\n'
    """
    _check_format(form, tuple(_RDF_FORMATS), "triples")
    named = form in ("nq", "trig")
    quads = (
        ox.Quad(q.subject, q.predicate, q.object, ox.NamedNode(graph) if graph and named else ox.DefaultGraph())
        for graph, lines in _sorted(graphs, named)
        for q in ox.parse(lines, ox.RdfFormat.N_TRIPLES, lenient=True)
    )
    # Oxigraph declares all prefixes, in no fixed order: sorted, the same triples give the same bytes.
    written = ox.serialize(quads, format=_RDF_FORMATS[form], prefixes=PREFIXES) or b""
    head = written.split(b"\n", len(PREFIXES))[: len(PREFIXES)] if form in ("ttl", "trig") else []
    declared = [line for line in head if line.startswith(b"@prefix ")]
    return b"".join(line + b"\n" for line in sorted(declared)) + written[sum(len(line) + 1 for line in declared) :]


def _sorted(graphs: Iterable[tuple[str | None, bytes]], named: bool) -> Iterator[tuple[str | None, bytes]]:
    """Yield each graph's lines in order; all as one where the format cannot tell graphs apart."""
    if named:
        yield from ((graph, b"\n".join(sorted(data.splitlines()))) for graph, data in graphs)
    else:
        yield None, b"\n".join(sorted({line for _, data in graphs for line in data.splitlines()}))
