"""How a request goes to a SPARQL endpoint and comes back: over a kept connection, politely, again where the server was busy.

What a server asks of its guests is told by the environment, so that no secret stands in a command line or a record:

| variable | what |
|---|---|
| `KGPROBE_ENDPOINT_USER`, `KGPROBE_ENDPOINT_PASSWORD` | sent as Basic, or as Digest where the server asks for that |
| `KGPROBE_ENDPOINT_TOKEN` | sent as `Authorization: Bearer …` |
| `KGPROBE_ENDPOINT_CONTACT` | a mail address or a page, said in the User-Agent: public servers want to know who asks |
| `KGPROBE_ENDPOINT_RATE` | requests a second at most; 0: any number [default: 5, of this machine any number] |
| `KGPROBE_ENDPOINT_TIMEOUT` | seconds for one query [default: 300] |
| `KGPROBE_ENDPOINT_TRIES` | how often a query is sent where the server is busy or hangs up [default: 4] |
"""

from __future__ import annotations

import functools
import math
import os
import time
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn
from urllib.parse import urlsplit

from SPARQLWrapper import POST, SPARQLWrapper

from kg.errors import InputError, NotServedError, QueryError, StoreError, one_line
from kg.vocab import PROVENANCE, SCHEMA

if TYPE_CHECKING:
    import httpx2

RESULTS = {
    "CSV": "text/csv,application/sparql-results+json;q=0.5,application/sparql-results+xml;q=0.4",
    "TSV": "text/tab-separated-values,application/sparql-results+json;q=0.5,application/sparql-results+xml;q=0.4",
    "JSON": "application/sparql-results+json,application/sparql-results+xml;q=0.5",
    "ASK": "application/sparql-results+json,application/sparql-results+xml;q=0.5",
    "GRAPH": "application/n-triples,text/turtle;q=0.8,application/rdf+xml;q=0.5",
}
"""What is asked for, by what the answer becomes."""
_BUSY = frozenset({429, 502, 503, 504})
_LONGEST_WAIT = 60.0
_HERE = ("localhost", "127.0.0.1", "::1")
_AGAIN = "set KGPROBE_ENDPOINT_TRIES to wait for it longer"


class Answer(NamedTuple):
    """What a server answered: the body, its media type, and the headers, whose names are looked up regardless of case."""

    body: bytes
    media: str
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Manners:
    """Who asks, and how: what the environment says of it."""

    user: str | None = None
    password: str | None = None
    token: str | None = None
    contact: str | None = None
    rate: float | None = None
    timeout: float = 300
    tries: int = 4

    @classmethod
    def of_environment(cls, environment: Mapping[str, str] = os.environ) -> Manners:
        """Read the variables `KGPROBE_ENDPOINT_…`. Raises InputError naming the one that cannot be read.

        >>> Manners.of_environment({"KGPROBE_ENDPOINT_RATE": "2"}).rate
        2.0
        """
        said = {
            name: environment.get(f"KGPROBE_ENDPOINT_{name.upper()}") or None
            for name in ("user", "password", "token", "contact")
        }
        for name, text in said.items():
            if text is not None and not (text.isprintable() and (text.isascii() or name in ("user", "password"))):
                way_out = "write it in printable ASCII"
                raise InputError("cannot stand in a header", place=f"KGPROBE_ENDPOINT_{name.upper()}", way_out=way_out)
        if (said["user"] is None) != (said["password"] is None):
            raise InputError("is one of two", place="KGPROBE_ENDPOINT_USER", way_out="set KGPROBE_ENDPOINT_PASSWORD, too")
        if said["user"] and said["token"]:
            raise InputError("is given beside a user", place="KGPROBE_ENDPOINT_TOKEN", way_out="set one of the two")
        rate, timeout, tries = (_number(environment, name) for name in ("RATE", "TIMEOUT", "TRIES"))
        return cls(**said, rate=rate, timeout=timeout or cls.timeout, tries=max(1, int(tries or cls.tries)))


def _number(environment: Mapping[str, str], name: str) -> float | None:
    text = environment.get(f"KGPROBE_ENDPOINT_{name}") or None
    try:
        number = None if text is None else float(text)
        if number is not None and not (math.isfinite(number) and number >= 0):
            raise ValueError
    except ValueError:
        raise InputError(f"'{text}' is no number", place=f"KGPROBE_ENDPOINT_{name}", way_out="give one such as 5") from None
    return number


class Wire:
    """The way to one endpoint: its connection stays open from one query to the next.

    Parameters: `url` of the endpoint; `timeout` in seconds for one query, where the environment says no other.
    """

    def __init__(self, url: str, timeout: float | None = None) -> None:
        self.url, self.manners = url, Manners.of_environment()
        self.timeout = timeout or self.manners.timeout
        rate = self.manners.rate
        if rate is None:
            rate = 0 if urlsplit(url).hostname in _HERE else 5
        self._pace, self._next, self._met = (1 / rate if rate else 0.0), 0.0, False
        self.requests = 0

    @functools.cached_property
    def _client(self) -> httpx2.Client:
        import httpx2  # here: who asks no endpoint need not wait for it

        said = self.manners
        headers = {"User-Agent": _agent(said.contact)} | ({"Authorization": f"Bearer {said.token}"} if said.token else {})
        auth = httpx2.BasicAuth(said.user, said.password) if said.user and said.password else None
        client = httpx2.Client(timeout=self.timeout, headers=headers, auth=auth, follow_redirects=True)
        weakref.finalize(self, client.close)
        return client

    def send(self, query: str, kind: str, graphs: list[str]) -> Answer:
        """Send a query (`kind` is a key of RESULTS) or an update (`UPDATE`) and return the answer.

        A query is sent again where the server is busy, hangs up in between, or is started anew; an update never is.
        Raises QueryError where the server refuses or takes too long, StoreError where it cannot be reached.
        """
        import httpx2

        tries = 1 if kind == "UPDATE" else self.manners.tries
        for turn in range(1, tries + 1):
            self._wait_for_turn()
            try:
                response = self._post(query, kind, graphs)
            except httpx2.TimeoutException as error:
                if isinstance(error, httpx2.ConnectTimeout):
                    self._unreachable(error)
                problem = f"no answer within {self.timeout:g} seconds"
                raise NotServedError(problem, place=self.url, way_out="ask less at a time") from error
            except (httpx2.TransportError, httpx2.InvalidURL, httpx2.TooManyRedirects, httpx2.DecodingError) as error:
                if turn == tries or not self._met:  # who was never there is not waited for
                    self._unreachable(error)
                pause(_waiting(turn))
                continue
            self._met = True
            if response.status_code not in _BUSY or turn == tries:
                return self._answer(response)
            pause(_waiting(turn, response.headers.get("Retry-After")))
        raise AssertionError("the last try returns or raises")

    def _wait_for_turn(self) -> None:
        now = time.monotonic()
        if self._pace and now < self._next:
            pause(self._next - now)
        self._next = max(now, self._next) + self._pace
        self.requests += 1

    def _post(self, query: str, kind: str, graphs: list[str]) -> httpx2.Response:
        import httpx2

        request = self._request(query, kind, graphs)
        sent: dict[str, Any] = {
            "content": request.data,
            "headers": {k: v for k, v in request.header_items() if k != "User-agent"},
        }
        response = self._client.post(request.full_url, **sent)
        digest = "digest" in response.headers.get("WWW-Authenticate", "").lower()
        if response.status_code == 401 and digest and self.manners.user and self.manners.password:
            self._client.auth = httpx2.DigestAuth(self.manners.user, self.manners.password)
            response = self._client.post(request.full_url, **sent)
        return response

    def _request(self, query: str, kind: str, graphs: list[str]) -> Any:
        """Return the request that SPARQLWrapper forms by the protocol."""
        form = SPARQLWrapper(self.url)
        form.setMethod(POST)  # a query may be longer than a URL
        form.setOnlyConneg(True)  # else SPARQLWrapper adds parameters of its own, which some servers refuse
        # The form is set here and not guessed from the text, so that what is sent as a query is never run as an update.
        form.queryString = query
        form.queryType = "INSERT" if kind == "UPDATE" else "SELECT"
        for graph in graphs:
            form.addDefaultGraph(graph)
        # As soon as a default graph is named, GRAPH reaches no graph that is not named too (SPARQL 1.1 Protocol, 2.1.4).
        for graph in sorted({*graphs, SCHEMA, PROVENANCE}) if graphs else ():
            form.addNamedGraph(graph)
        request = form._createRequest()
        if kind != "UPDATE":
            request.add_header("Accept", RESULTS[kind])
        return request

    def _answer(self, response: httpx2.Response) -> Answer:
        body, status = response.content, response.status_code
        if status == 400:
            raise QueryError(f"does not parse or run ({_words(body)})", place=self.url, way_out="mend it")
        if status in (401, 403):
            way_out = "set KGPROBE_ENDPOINT_USER and KGPROBE_ENDPOINT_PASSWORD, or KGPROBE_ENDPOINT_TOKEN"
            raise NotServedError(f"lets nobody in who is not known to it ({_words(body)})", place=self.url, way_out=way_out)
        if status >= 300:
            problem = f"HTTP error {status} {response.reason_phrase} ({_words(body)})"
            kind = NotServedError if status in _BUSY else QueryError
            raise kind(problem, place=self.url, way_out="check the address, or ask less")
        if response.headers.get("X-SQL-State", "").startswith("S1TAT"):  # Virtuoso's "anytime" queries
            problem = "gives what it had found when the time for a query was over, not all"
            raise QueryError(problem, place=self.url, way_out="let the server take longer (MaxQueryExecutionTime), or ask less")
        media = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        return Answer(body, media, response.headers)

    def _unreachable(self, error: Exception) -> NoReturn:
        why = one_line(str(error) or type(error).__name__)
        way_out = f"is the server running? {_AGAIN}" if self._met else "is the server running?"
        raise StoreError(f"cannot be reached ({why})", place=self.url, way_out=way_out) from error


def pause(seconds: float) -> None:
    """Wait: for one's turn, or for a server to recover."""
    time.sleep(seconds)


def _waiting(turn: int, retry_after: str | None = None) -> float:
    """Return how many seconds to wait after a try that was in vain: as long as the server says, else 1, 4, 9, …

    >>> _waiting(2), _waiting(1, "7"), _waiting(1, "Wed, 21 Oct 2015 07:28:00 GMT")
    (4.0, 7.0, 1.0)
    """
    said = float(retry_after) if retry_after and retry_after.isascii() and retry_after.isdigit() else float(turn * turn)
    return min(said, _LONGEST_WAIT)


def _agent(contact: str | None) -> str:
    try:
        own = version("kgprobe")
    except PackageNotFoundError:  # run from a source tree
        own = "0"
    return f"kgprobe/{own} ({contact or 'https://w3id.org/kgprobe'})"


def _words(body: bytes) -> str:
    """Return what a server says about an error."""
    return one_line(body.decode(errors="replace").strip(), 300) or "it does not say why"
