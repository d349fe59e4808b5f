"""A graph behind a SPARQL 1.1 endpoint.

Where the endpoint serves what `kg dump` or `kg load` made, the default graph is the union of the data graphs, as it is
locally; an endpoint that knows nothing of ours is asked about its own default graph.

Rows that a server does not send all at once are fetched page by page in a stable order, by all variables: Virtuoso cuts a
result at 10,000 rows, and refuses `OFFSET` beyond as many where it sorts but not in a query within.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import NoReturn
from urllib.parse import urlsplit

import msgspec
import polars as pl
import pyoxigraph as ox

from kg.errors import NotServedError, QueryError, StoreError, one_line
from kg.graph import count_query
from kg.sorted_runs import digest_of
from kg.terms import plain_frame, term_frame
from kg.vocab import KGP, PREFIXES, PROVENANCE, SCHEMA, XSD
from kg.wire import RESULTS, Answer, Wire

_DECLARED = " ".join(f"PREFIX {prefix}: <{iri}>" for prefix, iri in PREFIXES.items()) + " "
_TSV = "text/tab-separated-values"
_ROUND = 1000


class RemoteGraph:
    """A SPARQL 1.1 endpoint as a `Graph`.

    Parameters: `url` of the endpoint, `timeout` in seconds for one query (else what the environment says, see `kg.wire`).
    Nothing is asked before the first query. A result that the server cuts is fetched page by page, in a stable order.

    >>> RemoteGraph("http://localhost:7878/query").name
    'http://localhost:7878/query'
    """

    def __init__(self, url: str, *, timeout: float | None = None) -> None:
        if not _is_http(url):
            raise StoreError("is no http address", place=url, way_out="give one such as http://localhost:7878/query")
        if "@" in urlsplit(url).netloc:
            way_out = "set KGPROBE_ENDPOINT_USER and KGPROBE_ENDPOINT_PASSWORD"
            raise StoreError("holds a name or a password", place="--endpoint", way_out=way_out)
        self.url, self._wire, self._tsv = url, Wire(url, timeout), True
        self._digest: str | None = None
        self._updated = False

    @property
    def name(self) -> str:
        """The endpoint's URL."""
        return self.url

    @property
    def base(self) -> str | None:
        """The base IRI that a relational load at the endpoint was given, if any."""
        return next((base for base in reversed(self._loads.get_column("b").to_list()) if base), None)

    @property
    def data_graphs(self) -> list[str]:
        """The IRIs of the data graphs the endpoint tells of, sorted."""
        return self._loads.get_column("g").unique(maintain_order=True).to_list()

    @functools.cached_property
    def _loads(self) -> pl.DataFrame:
        query = f"SELECT ?g ?b {{ ?g <{KGP}count/triples> ?n OPTIONAL {{ ?g <{KGP}base> ?b }} }} ORDER BY ?g ?b"
        try:
            loads = self.provenance(query)
        except NotServedError:
            raise
        except QueryError:  # an engine that refuses to name a graph it does not have: it holds none of our loads
            return pl.DataFrame(schema={"g": pl.String, "b": pl.String})
        if loads.columns != ["g", "b"]:
            self._broken("CSV", f"columns {', '.join(loads.columns) or 'none'} where g, b were asked for")
        return loads.drop_nulls("g")

    def select(self, query: str) -> pl.DataFrame:
        """Run a SELECT; every column is a string: IRIs and literals as plain text, null where unbound or empty."""
        return self._frame(self._based(query), "CSV", self.data_graphs)

    def terms(self, query: str) -> pl.DataFrame:
        """Run a SELECT; every column holds terms as N-Triples writes them, null where unbound."""
        return self._frame(self._based(query), "TSV", self.data_graphs)

    def term_pieces(self, query: str) -> Iterator[pl.DataFrame]:
        """Run a SELECT; the same, as the one piece in which an endpoint sends it, or page by page where it cuts."""
        yield from self._pieces(self._based(query), "TSV", self.data_graphs)

    def ask(self, query: str) -> bool:
        """Run an ASK."""
        answer = self._send(self._based(query), "ASK", self.data_graphs)
        result = self._parsed(answer.body, answer.media)
        if isinstance(result, ox.QuerySolutions) and [v.value for v in result.variables] == ["__ASK_RETVAL"]:
            return any(True for _ in result)  # Virtuoso's: a row where it is true, none where it is not
        if not isinstance(result, ox.QueryBoolean):
            raise QueryError("is not an ASK query", place=self.url, way_out="begin it with ASK")
        return bool(result)

    def construct(self, query: str) -> bytes:
        """Run a CONSTRUCT or DESCRIBE; N-Triples. Raises QueryError where the server sends but a part."""
        answer = self._send(self._based(query), "GRAPH", self.data_graphs)
        if "X-SPARQL-MaxRows" in answer.headers:
            problem = f"sends the first {answer.headers['X-SPARQL-MaxRows']} triples only"
            raise QueryError(problem, place=self.url, way_out="ask for them by a SELECT, which is paged, or in parts")
        return self._triples(answer)

    def update(self, query: str) -> None:
        """Run a SPARQL update. Raises StoreError where the endpoint does not allow it."""
        try:
            self._send(self._based(query), "UPDATE", [])
        except QueryError as error:
            raise StoreError(
                f"does not take the update ({error.problem})", place=self.url, way_out="check the update and the URL"
            ) from error
        self._digest, self._updated = None, True
        self.__dict__.pop("_loads", None)

    def schema(self, query: str) -> pl.DataFrame:
        """Run a SELECT over the schema graph (keys, dependencies, incomplete pairs)."""
        return self._frame(self._based(query), "CSV", [SCHEMA])

    def provenance(self, query: str) -> pl.DataFrame:
        """Run a SELECT over the provenance graph (source, licence, time, hashes, counts of each load)."""
        return self._frame(query, "CSV", [PROVENANCE])

    def all_graphs(self) -> list[str]:
        """The IRIs of the graphs that may be dumped, sorted."""
        return sorted([*self.data_graphs, SCHEMA, PROVENANCE])

    def dump(self, name: str) -> bytes:
        """Return one named graph, data or aside, as N-Triples."""
        return b"".join(self._every_triple([name]))

    def digest(self) -> str:
        """Return an order-independent hash of the data triples.

        It is the one that `kg load` recorded, where the endpoint serves one load and still has as many triples as that; else
        all are fetched, once.
        """
        if self._digest is None:
            recorded = None if self._updated else self.recorded_digest()
            self._digest = recorded or digest_of(self._every_triple(self.data_graphs))
        return self._digest

    def recorded_digest(self) -> str | None:
        """Return the digest that `kg load` recorded of all that the endpoint serves; null where there is none."""
        if len(self.data_graphs) != 1:  # facts of two loads may be the same: how many there are is recorded of each alone
            return None
        rows = self.provenance(f"SELECT ?d ?n {{ <{PROVENANCE}> <{KGP}digest> ?d . ?g <{KGP}count/triples> ?n }}")
        counted = self.select("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }")
        return next((digest for digest, n in rows.iter_rows() if rows.height == 1 and counted.rows() == [(n,)]), None)

    def _based(self, query: str) -> str:
        """Return a query whose relative IRIs are those of the tables, and count it for who listens."""
        count_query(query)
        return f"BASE <{self.base}> {query}" if self.base else query

    def _frame(self, query: str, kind: str, graphs: list[str]) -> pl.DataFrame:
        return pl.concat(self._pieces(query, kind, graphs))

    def _pieces(self, query: str, kind: str, graphs: list[str]) -> Iterator[pl.DataFrame]:
        """Yield the rows of a SELECT: as one piece, or page by page where the server cuts what it sends."""
        send = partial(self._page, kind=kind, graphs=graphs)
        first, most = send(query)
        own = names_graphs(query)
        round_number = first.height > 0 and first.height % _ROUND == 0 and not own
        if most is None and round_number and first.height < self._count(query, graphs):
            most = first.height  # a server that cuts does so at a round number, and not all of them say it
        if most is None or first.height < most:
            yield first
            return
        if own:
            way_out = "leave out FROM, or ask with a LIMIT"
            raise QueryError("cuts a result, and what names its own graphs cannot be paged", place=self.url, way_out=way_out)
        yield from pages(lambda text: send(text)[0], query, first, self._count(query, graphs), self.url)

    def _count(self, query: str, graphs: list[str]) -> int:
        counted, _ = self._page(counting(query), "CSV", graphs)
        if counted.shape != (1, 1) or not str(counted.item()).isdecimal():
            self._broken("CSV", "no count where one was asked for")
        return int(counted.item())

    def _page(self, query: str, kind: str, graphs: list[str]) -> tuple[pl.DataFrame, int | None]:
        """Return what the server sends, and at how many rows it says it cuts."""
        answer = self._send(query, self._kind(kind), graphs)
        if kind == "TSV" and answer.media == _TSV and _is_no_tsv(answer.body):
            self._tsv = False  # Virtuoso's, for one, does not tell an IRI from a text
            answer = self._send(query, self._kind(kind), graphs)
        try:
            frame = self._read(answer, kind)
        except (SyntaxError, ValueError, pl.exceptions.PolarsError) as error:
            self._broken(kind, str(error))
        most = answer.headers.get("X-SPARQL-MaxRows", "")
        return frame, int(most) if most.isascii() and most.isdigit() and int(most) else None

    def _kind(self, kind: str) -> str:
        return "JSON" if kind == "TSV" and not self._tsv else kind

    def _read(self, answer: Answer, kind: str) -> pl.DataFrame:
        plain = kind == "CSV"
        if answer.media == RESULTS[kind].split(",")[0]:
            return (plain_frame if plain else term_frame)(answer.body)
        if answer.media == "application/sparql-results+json":
            return json_frame(answer.body, plain=plain)
        result = self._parsed(answer.body, answer.media)
        if not isinstance(result, ox.QuerySolutions):
            raise QueryError("is not a SELECT query", place=self.url, way_out="begin it with SELECT")
        form = ox.QueryResultsFormat.CSV if plain else ox.QueryResultsFormat.TSV
        return (plain_frame if plain else term_frame)(result.serialize(format=form) or b"")

    def _broken(self, kind: str, why: str) -> NoReturn:
        problem = f"answers with broken {kind} ({one_line(why, 160)})"
        raise QueryError(problem, place=self.url, way_out="is this the address of a SPARQL endpoint?")

    def _parsed(self, body: bytes, media: str) -> ox.QuerySolutions | ox.QueryBoolean:
        form = ox.QueryResultsFormat.from_media_type(media)
        if form is None:
            self._not_sparql(media, "is this the endpoint's address, and is the query of the right form?")
        try:
            return ox.parse_query_results(body, form)
        except (SyntaxError, ValueError) as error:
            raise QueryError(f"answers with broken {form.name} ({error})", place=self.url) from error

    def _every_triple(self, graphs: list[str]) -> Iterator[bytes]:
        """Yield the distinct triples of some graphs as N-Triples, in pieces: by a CONSTRUCT, or where that is cut, by pages."""
        answer = self._send("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }", "GRAPH", graphs)
        triples = b"" if "X-SPARQL-MaxRows" in answer.headers else self._triples(answer)
        if triples and triples.count(b"\n") % _ROUND:  # as many as that may have been cut silently
            yield triples
            return
        for piece in self._pieces("SELECT DISTINCT ?s ?p ?o { ?s ?p ?o }", "TSV", graphs):
            yield "".join(f"{s} {p} {o} .\n" for s, p, o in piece.iter_rows()).encode()

    def _triples(self, answer: Answer) -> bytes:
        form = ox.RdfFormat.from_media_type(answer.media)
        if form is None:
            self._not_sparql(answer.media, "begin the query with CONSTRUCT")
        try:
            # Parsed and written again, so that the lines are spelled as Oxigraph does and the digest is the same.
            triples = [quad.triple for quad in ox.parse(answer.body, form)]
        except (SyntaxError, ValueError) as error:
            raise QueryError(f"answers with broken {form.name} ({error})", place=self.url) from error
        return ox.serialize(triples, format=ox.RdfFormat.N_TRIPLES) or b""

    def _not_sparql(self, media: str, way_out: str) -> NoReturn:
        raise QueryError(f"answers with '{media}'", place=self.url, way_out=way_out)

    def _send(self, query: str, kind: str, graphs: list[str]) -> Answer:
        # Of the prologue the base comes first: SPARQL 1.0 wants it there, and so do engines that grew out of it.
        base, prefixes, rest = prologue(query)
        return self._wire.send(f"{base}{_DECLARED}{prefixes}{rest}", kind, graphs)


def _is_no_tsv(body: bytes) -> bool:
    """Say whether what calls itself TSV names its variables without a question mark."""
    head = body.partition(b"\n")[0].strip()
    return bool(head) and not head.startswith(b"?")


def _is_http(url: str) -> bool:
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").encode("idna")
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(host) and url.isascii()


_ODD = re.compile(r'["\\\x00-\x1f\x7f]')


class _Cell(msgspec.Struct, frozen=True, rename={"lang": "xml:lang"}):
    type: str
    value: str
    lang: str | None = None
    datatype: str | None = None


class _Head(msgspec.Struct, frozen=True):
    vars: list[str]


class _Rows(msgspec.Struct, frozen=True):
    bindings: list[dict[str, _Cell]]


class _Results(msgspec.Struct, frozen=True):
    head: _Head
    results: _Rows


_decode = msgspec.json.Decoder(_Results).decode


def json_frame(body: bytes, *, plain: bool = False) -> pl.DataFrame:
    """Read SPARQL JSON results: terms as N-Triples writes them, null where unbound; or plain texts, null where empty, too.

    Raises ValueError where the body is none.
    """
    try:
        read = _decode(body)
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from error
    written: Callable[[_Cell], str | None] = _text if plain else _term
    columns = {
        name: [None if (cell := row.get(name)) is None else written(cell) for row in read.results.bindings]
        for name in read.head.vars
    }
    return pl.DataFrame(columns, schema=dict.fromkeys(read.head.vars, pl.String))


def _text(cell: _Cell) -> str | None:
    return cell.value or None


def _term(cell: _Cell) -> str:
    if cell.type == "uri":
        return f"<{cell.value}>"
    if cell.type == "bnode":
        return "_:" + re.sub(r"[^A-Za-z0-9]", "x", cell.value)
    text = str(ox.Literal(cell.value)) if _ODD.search(cell.value) else f'"{cell.value}"'
    if cell.lang:
        return f"{text}@{cell.lang.lower()}"
    return text if cell.datatype in (None, f"{XSD}string") else f"{text}^^<{cell.datatype}>"


_PROLOGUE = re.compile(
    r"""\s*+(?:(?:(?P<base>BASE\s*<[^>]*>)|(?P<prefix>PREFIX\s+[^\s:]*:\s*<[^>]*>)|\#[^\r\n]*)\s*+)""", re.IGNORECASE
)
_FROM = re.compile(r"^[^{]*\bFROM\b", re.IGNORECASE)
_ORDERED = re.compile(r"\}\s*ORDER\s+BY\b[^{}]*\Z", re.IGNORECASE)
_COUNTED_OFF = re.compile(r"\}[^{}]*\b(?:LIMIT|OFFSET|VALUES)\b[^{}]*\Z", re.IGNORECASE)


def prologue(query: str) -> tuple[str, str, str]:
    """Cut a query in its base, its prefixes and the rest; comments before the rest go.

    >>> prologue("BASE <http://e/> PREFIX a: <b> # all\\nSELECT ?x {}")
    ('BASE <http://e/> ', 'PREFIX a: <b> ', 'SELECT ?x {}')
    """
    at, base, prefixes = 0, "", ""
    while match := _PROLOGUE.match(query, at):
        base = f"{match['base']} " if match["base"] else base
        prefixes += f"{match['prefix']} " if match["prefix"] else ""
        at = match.end()
    return base, prefixes, query[at:].lstrip()


def names_graphs(query: str) -> bool:
    """Say whether a query names its own graphs: then it can be no part of another."""
    return _FROM.match(prologue(query)[2]) is not None


def counting(query: str) -> str:
    """Return the query that counts the rows of a SELECT.

    >>> counting("SELECT ?x { ?x a ?c }")
    'SELECT (COUNT(*) AS ?kgp_rows) { { SELECT ?x { ?x a ?c }\\n} }'
    """
    base, prefixes, select = prologue(query)
    return f"{base}{prefixes}SELECT (COUNT(*) AS ?kgp_rows) {{ {{ {select}\n}} }}"


def pages(
    send: Callable[[str], pl.DataFrame], query: str, first: pl.DataFrame, rows: int, place: str
) -> Iterator[pl.DataFrame]:
    """Yield all rows of a SELECT, page by page.

    Parameters: `send` runs a query; `first` is what came without paging, as many rows as a page may have; `rows` is how many
    there are; `place` is what errors call the server.
    Raises QueryError where the query cannot be paged, or the pages do not come to all rows.
    """
    ordered, size, fetched = _ordered(query, first.columns), first.height, 0
    while fetched < rows:
        page = send(f"{ordered} LIMIT {size} OFFSET {fetched}")
        if page.is_empty() or page.columns != first.columns:
            break
        fetched += page.height
        yield page
    if fetched != rows:
        problem = f"sends {fetched:,} of {rows:,} rows: it cuts them, or they changed meanwhile"
        raise QueryError(problem, place=place, way_out="run the same command again, or ask less at a time")


def _ordered(query: str, columns: list[str]) -> str:
    """Return the query whose rows stand in an order of all their columns; an order of its own comes first."""
    base, prefixes, select = prologue(query)
    by = " ".join(f"?{column}" for column in columns)
    if _ORDERED.search(select) and not _COUNTED_OFF.search(select):
        within = f"{select}\n{by}"
    elif _ORDERED.search(select):
        within = select
    else:
        within = f"SELECT {by} {{ {{ {select}\n}} }} ORDER BY {by}"
    return f"{base}{prefixes}SELECT {by} {{ {{ {within}\n}} }}"
