"""A SPARQL endpoint on this machine, over everything that a graph holds."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

import pyoxigraph as ox

from kg import LocalGraph
from kg.output import as_quads
from kg.vocab import PROVENANCE, SCHEMA

Reply = tuple[int, str, bytes] | tuple[int, str, bytes, dict[str, str]]
"""Status, media type, body, and further headers. A status of 0 hangs up in the middle of the answer."""


class Server(ThreadingHTTPServer):
    """A server whose clients may hang up before they are answered, as one does that does not wait, and may stay."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._open: list[socket.socket] = []

    def process_request(self, request: Any, client_address: Any) -> None:
        """Remember the connection."""
        self._open.append(request)
        super().process_request(request, client_address)

    def server_close(self) -> None:
        """End the connections that clients keep, too."""
        super().server_close()
        for connection in self._open:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of that; anything else is said as ever."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def serving(
    reply: Callable[[dict[str, list[str]], str], Reply], heard: Callable[[dict[str, str], int], None] | None = None
) -> Iterator[str]:
    """Serve an endpoint: `reply` gets the form's fields and the Accept header; `heard` all headers, and the client's port."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # its connections are kept
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            if heard is not None:
                heard(dict(self.headers), self.client_address[1])
            status, media, content, *more = reply(parse_qs(body), self.headers["Accept"])
            if status == 0:
                self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nContent-Length: 1000\r\n\r\ns,p")
                self.close_connection = True
                return
            self.send_response(status)
            for name, value in (more[0] if more else {}).items():
                self.send_header(name, value)
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


def cutting(
    reply: Callable[[dict[str, list[str]], str], Reply], most: int, *, says: bool
) -> Callable[[dict[str, list[str]], str], Reply]:
    """An endpoint that sends so many rows or triples at most, as Virtuoso does, and which `says` so, or not."""

    def cut(form: dict[str, list[str]], accept: str) -> Reply:
        status, media, content, *_ = reply(form, accept)
        lines, head = content.splitlines(keepends=True), 0 if "triples" in media else 1
        if status != 200 or len(lines) < most + head:
            return status, media, content
        return status, media, b"".join(lines[: most + head]), {"X-SPARQL-MaxRows": str(most)} if says else {}

    return cut


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
