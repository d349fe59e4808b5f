"""A graph behind a SPARQL 1.1 endpoint.

Where the endpoint serves what `kg dump` or `kg load` made, the default graph is the union of the data graphs, as it is
locally; an endpoint that knows nothing of ours is asked about its own default graph.
"""

from __future__ import annotations

import ast
import functools
import http.client
import urllib.error
from collections.abc import Iterator
from typing import Any, NoReturn
from urllib.parse import urlsplit

import polars as pl
import pyoxigraph as ox
from SPARQLWrapper import POST, SPARQLExceptions, SPARQLWrapper

from kg.errors import QueryError, StoreError, one_line
from kg.graph import count_query
from kg.sorted_runs import digest_of
from kg.terms import plain_frame, term_frame
from kg.vocab import KGP, PREFIXES, PROVENANCE, SCHEMA

_DECLARED = " ".join(f"PREFIX {prefix}: <{iri}>" for prefix, iri in PREFIXES.items()) + " "
_RESULTS = {
    "CSV": "text/csv,application/sparql-results+json;q=0.5,application/sparql-results+xml;q=0.4",
    "TSV": "text/tab-separated-values,application/sparql-results+json;q=0.5,application/sparql-results+xml;q=0.4",
    "ASK": "application/sparql-results+json,application/sparql-results+xml;q=0.5",
    "GRAPH": "application/n-triples,text/turtle;q=0.8,application/rdf+xml;q=0.5",
}


class RemoteGraph:
    """A SPARQL 1.1 endpoint as a `Graph`.

    Parameters: `url` of the endpoint, `timeout` in seconds for one query. Nothing is asked before the first query.

    >>> RemoteGraph("http://localhost:7878/query").name
    'http://localhost:7878/query'
    """

    def __init__(self, url: str, *, timeout: int = 300) -> None:
        if not _is_http(url):
            raise StoreError("is no http address", place=url, way_out="give one such as http://localhost:7878/query")
        self.url, self.timeout = url, timeout
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
        """Run a SELECT; the same, as the one piece in which an endpoint sends it."""
        yield self.terms(query)

    def ask(self, query: str) -> bool:
        """Run an ASK."""
        body, media = self._send(self._based(query), "ASK", self.data_graphs)
        result = self._parsed(body, media)
        if not isinstance(result, ox.QueryBoolean):
            raise QueryError("is not an ASK query", place=self.url, way_out="begin it with ASK")
        return bool(result)

    def construct(self, query: str) -> bytes:
        """Run a CONSTRUCT or DESCRIBE; N-Triples."""
        return self._triples(*self._send(self._based(query), "GRAPH", self.data_graphs))

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
        body, media = self._send("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }", "GRAPH", [name])
        return self._triples(body, media)

    def digest(self) -> str:
        """Return an order-independent hash of the data triples.

        It is the one that `kg load` recorded, where the endpoint serves one load and still has as many triples as that; else
        all are fetched, once.
        """
        if self._digest is None:
            recorded = None if self._updated else self._recorded_digest()
            self._digest = recorded or digest_of([self.construct("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }")])
        return self._digest

    def _recorded_digest(self) -> str | None:
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
        try:
            return (plain_frame if kind == "CSV" else term_frame)(self._solutions(query, kind, graphs))
        except (SyntaxError, ValueError, pl.exceptions.PolarsError) as error:
            self._broken(kind, str(error))

    def _broken(self, kind: str, why: str) -> NoReturn:
        problem = f"answers with broken {kind} ({one_line(why, 160)})"
        raise QueryError(problem, place=self.url, way_out="is this the address of a SPARQL endpoint?")

    def _solutions(self, query: str, kind: str, graphs: list[str]) -> bytes:
        body, media = self._send(query, kind, graphs)
        if media == _RESULTS[kind].split(",")[0]:
            return body
        result = self._parsed(body, media)
        if not isinstance(result, ox.QuerySolutions):
            raise QueryError("is not a SELECT query", place=self.url, way_out="begin it with SELECT")
        form = ox.QueryResultsFormat.CSV if kind == "CSV" else ox.QueryResultsFormat.TSV
        return result.serialize(format=form) or b""

    def _parsed(self, body: bytes, media: str) -> ox.QuerySolutions | ox.QueryBoolean:
        form = ox.QueryResultsFormat.from_media_type(media)
        if form is None:
            self._not_sparql(media, "is this the endpoint's address, and is the query of the right form?")
        try:
            return ox.parse_query_results(body, form)
        except (SyntaxError, ValueError) as error:
            raise QueryError(f"answers with broken {form.name} ({error})", place=self.url) from error

    def _triples(self, body: bytes, media: str) -> bytes:
        form = ox.RdfFormat.from_media_type(media)
        if form is None:
            self._not_sparql(media, "begin the query with CONSTRUCT")
        try:
            # Parsed and written again, so that the lines are spelled as Oxigraph does and the digest is the same.
            triples = [quad.triple for quad in ox.parse(body, form)]
        except (SyntaxError, ValueError) as error:
            raise QueryError(f"answers with broken {form.name} ({error})", place=self.url) from error
        return ox.serialize(triples, format=ox.RdfFormat.N_TRIPLES) or b""

    def _not_sparql(self, media: str, way_out: str) -> NoReturn:
        raise QueryError(f"answers with '{media}'", place=self.url, way_out=way_out)

    def _send(self, query: str, kind: str, graphs: list[str]) -> tuple[bytes, str]:
        try:
            response = self._client(query, kind, graphs).query().response
            with response:
                return response.read(), response.headers.get_content_type()
        except SPARQLExceptions.QueryBadFormed as error:
            raise QueryError(f"does not parse or run ({_server_message(error)})", place=self.url, way_out="mend it") from error
        except SPARQLExceptions.SPARQLWrapperException as error:
            problem = f"{error.msg.rstrip('. ')} ({_server_message(error)})"
            raise QueryError(problem, place=self.url, way_out="check the address, or ask less") from error
        except urllib.error.HTTPError as error:
            with error:
                problem = f"HTTP error {error.code} {error.reason}"
            raise QueryError(problem, place=self.url, way_out="check the address, or ask less") from error
        except (OSError, ValueError, http.client.HTTPException) as error:  # a redirection to no address is a ValueError
            self._unreachable(error)

    def _unreachable(self, error: Exception) -> NoReturn:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        if isinstance(reason, TimeoutError):
            way_out = "ask less at a time"
            raise QueryError(f"no answer within {self.timeout} seconds", place=self.url, way_out=way_out) from error
        raise StoreError(f"cannot be reached ({reason})", place=self.url, way_out="is the server running?") from error

    def _client(self, query: str, kind: str, graphs: list[str]) -> Any:
        client = SPARQLWrapper(self.url, agent="kgprobe")
        client.setMethod(POST)  # a query may be longer than a URL
        client.setTimeout(self.timeout)
        client.setOnlyConneg(True)  # else SPARQLWrapper adds parameters of its own, which some servers refuse
        # The form is set here and not guessed from the text, so that what is sent as a query is never run as an update.
        client.queryString = _DECLARED + query
        client.queryType = "INSERT" if kind == "UPDATE" else "SELECT"
        if kind != "UPDATE":
            client.addCustomHttpHeader("Accept", _RESULTS[kind])
        for graph in graphs:
            client.addDefaultGraph(graph)
        # As soon as a default graph is named, GRAPH reaches no graph that is not named too (SPARQL 1.1 Protocol, 2.1.4).
        for graph in {*graphs, SCHEMA, PROVENANCE} if graphs else ():
            client.addNamedGraph(graph)
        return client


def _is_http(url: str) -> bool:
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").encode("idna")
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(host) and url.isascii()


def _server_message(error: Exception) -> str:
    """Return what a server says about an error; SPARQLWrapper passes it on as a spelled-out bytes literal."""
    _, _, spelled = str(error).partition("Response:\n")
    try:
        return str(ast.literal_eval(spelled).decode(errors="replace")).strip()[:300]
    except (SyntaxError, ValueError, AttributeError):
        return "it does not say why"
