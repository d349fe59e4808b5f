"""A SPARQL endpoint on this machine, over everything that a graph holds."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

import pyoxigraph as ox

from kg import LocalGraph
from kg.output import as_quads
from kg.vocab import PROVENANCE, SCHEMA

Reply = tuple[int, str, bytes]


class Server(ThreadingHTTPServer):
    """A server whose clients may hang up before they are answered, as one does that does not wait."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of that; anything else is said as ever."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def serving(reply: Callable[[dict[str, list[str]], str], Reply]) -> Iterator[str]:
    """Serve an endpoint: `reply` gets the form's fields and the Accept header."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            status, media, content = reply(parse_qs(body), self.headers["Accept"])
            self.send_response(status)
            self.send_header("Content-Type", media)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            """Keep quiet."""

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/query"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def oxigraph(graph: LocalGraph, only: str | None = None) -> Callable[[dict[str, list[str]], str], Reply]:
    """An endpoint over everything a graph holds; `only` is the one media type it can write.

    What no load of ours has brought stands in its default graph.
    """
    store = ox.Store()
    foreign = PROVENANCE not in graph.all_graphs()
    everything = [
        (None if foreign else iri, graph.dump(iri))
        for iri in (*graph.data_graphs, SCHEMA, PROVENANCE)
        if iri in graph.all_graphs()
    ]
    store.bulk_load(as_quads(everything, "nq"), ox.RdfFormat.N_QUADS)

    def reply(form: dict[str, list[str]], accept: str) -> Reply:
        if "update" in form:
            store.update(form["update"][0])
            return 204, "text/plain", b""
        default: list[Any] = [ox.NamedNode(iri) for iri in form.get("default-graph-uri", [])]
        named: list[Any] = [ox.NamedNode(iri) for iri in form.get("named-graph-uri", [])]
        try:
            result = store.query(form["query"][0], default_graph=default or None, named_graphs=named or None)
        except SyntaxError as error:
            return 400, "text/plain", str(error).encode()
        media = only or accept.split(",")[0]
        if isinstance(result, ox.QueryTriples):
            return 200, f"{media}; charset=utf-8", result.serialize(format=ox.RdfFormat.from_media_type(media)) or b""
        return 200, f"{media}; charset=utf-8", result.serialize(format=ox.QueryResultsFormat.from_media_type(media)) or b""

    return reply
