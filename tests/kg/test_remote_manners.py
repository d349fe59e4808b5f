"""How an endpoint is asked: page by page where it cuts, again where it was busy, politely, and by who may."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path

import pytest

import kg.wire
from generators.cli import app
from kg import LocalGraph, QueryError, StoreError, cli, open_graph
from kg.errors import InputError
from kg.remote import RemoteGraph, counting, json_frame, prologue
from kg.wire import Manners
from sparql_endpoint import Reply, cutting, oxigraph, serving

Answering = Callable[[dict[str, list[str]], str], Reply]
NAMES = "SELECT ?e ?name { ?e rdfs:label ?name }"


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long was waited, without waiting."""
    every: list[float] = []
    monkeypatch.setattr(kg.wire, "pause", every.append)
    return every


@pytest.fixture(scope="module")
def starter() -> LocalGraph:
    graph = open_graph()
    assert isinstance(graph, LocalGraph)
    return graph


@pytest.fixture(scope="module")
def whole(starter: LocalGraph) -> Answering:
    return oxigraph(starter)


def foreign(reply: Answering) -> Answering:
    """An endpoint that holds no load of ours."""

    def answer(form: dict[str, list[str]], accept: str) -> Reply:
        of_loads = "count/triples" in form.get("query", [""])[0]
        return (200, "text/csv", b"g,b\r\n") if of_loads else reply(form, accept)

    return answer


# --- what a server cuts


@pytest.mark.parametrize("says", [True, False], ids=["and says so", "silently"])
@pytest.mark.parametrize(
    "query",
    [
        NAMES,
        "PREFIX l: <http://www.w3.org/2000/01/rdf-schema#> SELECT DISTINCT ?name { ?e l:label ?name } # names",
        "SELECT ?e ?name { ?e rdfs:label ?name } ORDER BY DESC(?name)",
        "SELECT * { ?e rdfs:label ?name } ORDER BY ?e ?name LIMIT 2500",
        "SELECT ?e { ?e rdfs:label ?name . VALUES ?e { <country/id=italy> } }",
        "SELECT ?e ?name { ?e rdfs:label ?name } ORDER BY ?e LIMIT 1000",
    ],
)
def test_what_is_cut_is_fetched_page_by_page(query: str, says: bool, starter: LocalGraph, whole: Answering) -> None:
    with serving(cutting(whole, 1000, says=says)) as url:
        graph = RemoteGraph(url)
        for got, here in ((graph.terms(query), starter.terms(query)), (graph.select(query), starter.select(query))):
            assert got.columns == here.columns
            assert got.sort(got.columns).equals(here.sort(here.columns))
        if "DESC" in query:
            assert graph.select(query)["name"].equals(starter.select(query)["name"])


def test_the_digest_of_what_is_cut_is_that_of_the_same_graph_here(films: LocalGraph) -> None:
    with serving(cutting(oxigraph(films), 50, says=True)) as url:
        graph = RemoteGraph(url)
        assert graph.digest() == films.digest()
        with pytest.raises(QueryError, match="sends the first 50 triples only; ask for them by a SELECT"):
            graph.construct("CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }")


def test_pages_that_do_not_come_to_all_rows_are_an_error_in_a_line(whole: Answering) -> None:
    def losing(form: dict[str, list[str]], accept: str) -> Reply:
        status, media, content, *_ = whole(form, accept)
        lines = content.splitlines(keepends=True)
        lost = lines[:1] if "OFFSET 2000" in form["query"][0] else lines
        return status, media, b"".join(lost)

    with (
        serving(cutting(losing, 1000, says=True)) as url,
        pytest.raises(QueryError, match=r"sends [\d,]+ of [\d,]+ rows") as at,
    ):
        RemoteGraph(url).select(NAMES)
    assert url in str(at.value)


def test_what_names_its_own_graphs_cannot_be_paged(whole: Answering, starter: LocalGraph) -> None:
    query = f"SELECT ?e ?name FROM <{starter.data_graphs[0]}> {{ ?e rdfs:label ?name }}"
    with serving(cutting(whole, 1000, says=True)) as url, pytest.raises(QueryError, match="leave out FROM"):
        RemoteGraph(url).select(query)


def test_a_partial_answer_is_none() -> None:
    late = (200, "text/csv", b"x\r\n1\r\n", {"X-SQL-State": "S1TAT"})
    with serving(lambda *_: late) as url, pytest.raises(QueryError, match="when the time for a query was over, not all"):
        RemoteGraph(url).select("SELECT ?x { ?x ?p ?o }")


# --- what a server writes in its own way


def test_tsv_that_tells_no_iri_from_a_text_is_asked_for_as_json(whole: Answering, starter: LocalGraph) -> None:
    """As Virtuoso's: everything stands in quotation marks, the names of the variables too."""

    def quoting(form: dict[str, list[str]], accept: str) -> Reply:
        if not accept.startswith("text/tab"):
            return whole(form, accept)
        return 200, "text/tab-separated-values", b'"e"\t"name"\n"http://e.org/a"\t"b"\n'

    with serving(quoting) as url:
        got, here = RemoteGraph(url).terms(NAMES), starter.terms(NAMES)
    assert got.sort("e", "name").equals(here.sort("e", "name"))


def test_json_of_any_server_is_read() -> None:
    cells = {
        "iri": {"type": "uri", "value": "http://e.org/a"},
        "node": {"type": "bnode", "value": "nodeID://b10"},
        "number": {"type": "typed-literal", "datatype": "http://www.w3.org/2001/XMLSchema#integer", "value": "4"},
        "text": {"type": "literal", "xml:lang": "en-GB", "value": 'a "b"\n\\'},
        "empty": {"type": "literal", "value": ""},
    }
    body = json.dumps({"head": {"vars": [*cells, "none"]}, "results": {"bindings": [cells]}}).encode()
    written = ["<http://e.org/a>", "_:nodeIDxxxb10", '"4"^^<http://www.w3.org/2001/XMLSchema#integer>']
    assert json_frame(body).row(0) == (*written, '"a \\"b\\"\\n\\\\"@en-gb', '""', None)
    assert json_frame(body, plain=True).row(0) == ("http://e.org/a", "nodeID://b10", "4", 'a "b"\n\\', None, None)


def test_a_truth_as_a_row_is_understood() -> None:
    for rows, truth in (([{"__ASK_RETVAL": {"type": "literal", "value": "1"}}], True), ([], False)):
        body = json.dumps({"head": {"vars": ["__ASK_RETVAL"]}, "results": {"bindings": rows}}).encode()
        with serving(foreign(lambda *_, body=body: (200, "application/sparql-results+json", body))) as url:
            assert RemoteGraph(url).ask("ASK { ?s ?p ?o }") is truth


def test_the_base_comes_before_the_prefixes(films: LocalGraph) -> None:
    """SPARQL 1.0 has them in that order, and so have engines that grew out of it."""
    asked: list[str] = []
    answer = oxigraph(films)

    def listening(form: dict[str, list[str]], accept: str) -> Reply:
        asked.extend(form["query"])
        return answer(form, accept)

    with serving(listening) as url:
        assert RemoteGraph(url).ask("PREFIX f: <film#> ASK { ?film a <film> ; f:title ?title }")
    assert asked[-1].startswith("BASE <")
    assert prologue(counting(asked[-1]))[0].startswith("BASE <")


# --- a server that is busy, away, or slow


@pytest.mark.parametrize("status", [429, 502, 503, 504, 0], ids=["429", "502", "503", "504", "hangs up"])
def test_a_server_that_was_busy_or_hung_up_is_asked_again(
    status: int, whole: Answering, starter: LocalGraph, waits: list[float]
) -> None:
    turns = iter([True, True])

    def reply(form: dict[str, list[str]], accept: str) -> Reply:
        return (status, "text/plain", b"busy") if NAMES in form["query"][0] and next(turns, False) else whole(form, accept)

    with serving(reply) as url:
        assert RemoteGraph(url).select(NAMES).height == starter.select(NAMES).height
    assert waits == [1, 4]


def test_a_server_says_how_long_to_wait(waits: list[float]) -> None:
    slow = (429, "text/plain", b"slowly", {"Retry-After": "7"})
    with serving(foreign(lambda *_: slow)) as url, pytest.raises(QueryError, match="HTTP error 429"):
        RemoteGraph(url).select("SELECT ?x {}")
    assert waits == [7, 7, 7]


def test_a_server_that_stops_midway_is_one_line(whole: Answering, waits: list[float]) -> None:
    calls = iter(range(10))

    def reply(form: dict[str, list[str]], accept: str) -> Reply:
        return (0, "", b"") if next(calls) else whole(form, accept)

    with serving(reply) as url, pytest.raises(StoreError, match=r"cannot be reached .*KGPROBE_ENDPOINT_TRIES") as fault:
        RemoteGraph(url).select(NAMES)
    assert "\n" not in str(fault.value)
    assert len(waits) == 3


def test_of_a_result_in_pages_only_the_page_that_failed_is_asked_for_again(
    whole: Answering, starter: LocalGraph, waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KGPROBE_ENDPOINT_TRIES", "6")
    cut, asked, fails = cutting(whole, 1000, says=True), list[str](), iter([True] * 5)

    def reply(form: dict[str, list[str]], accept: str) -> Reply:
        page = form["query"][0].rpartition("OFFSET ")[2]
        asked.extend([page] if page.isdecimal() else [])
        return (0, "", b"") if page == "1000" and next(fails, False) else cut(form, accept)

    with serving(reply) as url:
        assert RemoteGraph(url).select(NAMES).height == starter.select(NAMES).height
    assert asked[:7] == ["0", *["1000"] * 6]
    assert "0" not in asked[1:]
    assert waits == [1, 4, 9, 16, 25]


def test_an_update_is_never_sent_twice(waits: list[float]) -> None:
    asked: list[object] = []

    def busy(form: dict[str, list[str]], accept: str) -> Reply:
        asked.append(form)
        return 503, "text/plain", b"busy"

    with serving(foreign(busy)) as url, pytest.raises(StoreError, match="does not take the update"):
        RemoteGraph(url).update("INSERT DATA { wd:Q1 wdt:P1 wd:Q2 }")
    assert (len(asked), waits) == (1, [])


# --- who asks, and how


@pytest.fixture
def heard() -> list[tuple[dict[str, str], int]]:
    return []


def test_the_connection_is_kept_and_the_asker_named(
    monkeypatch: pytest.MonkeyPatch, whole: Answering, heard: list[tuple[dict[str, str], int]]
) -> None:
    monkeypatch.setenv("KGPROBE_ENDPOINT_CONTACT", "someone@example.org")
    monkeypatch.setenv("KGPROBE_ENDPOINT_TOKEN", "secret")
    with serving(whole, lambda *told: heard.append(told)) as url:
        graph = RemoteGraph(url)
        graph.select(NAMES)
        graph.ask("ASK { ?s ?p ?o }")
    assert len({port for _, port in heard}) == 1 < len(heard)
    assert heard[0][0]["User-Agent"].startswith("kgprobe/")
    assert heard[0][0]["User-Agent"].endswith("(someone@example.org)")
    assert {headers["Authorization"] for headers, _ in heard} == {"Bearer secret"}


def test_a_name_and_a_password_come_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, whole: Answering, heard: list[tuple[dict[str, str], int]]
) -> None:
    monkeypatch.setenv("KGPROBE_ENDPOINT_USER", "ada")
    monkeypatch.setenv("KGPROBE_ENDPOINT_PASSWORD", "pass:word")
    with serving(whole, lambda *told: heard.append(told)) as url:
        assert RemoteGraph(url).ask("ASK { ?s ?p ?o }")
    assert heard[0][0]["Authorization"] == f"Basic {base64.b64encode(b'ada:pass:word').decode()}"


def test_a_server_that_wants_a_digest_gets_one(
    monkeypatch: pytest.MonkeyPatch, heard: list[tuple[dict[str, str], int]]
) -> None:
    monkeypatch.setenv("KGPROBE_ENDPOINT_USER", "ada")
    monkeypatch.setenv("KGPROBE_ENDPOINT_PASSWORD", "word")
    wanted = {"WWW-Authenticate": 'Digest realm="SPARQL", nonce="n", qop="auth", algorithm=MD5'}

    def reply(*_: object) -> Reply:
        if heard[-1][0].get("Authorization", "").startswith("Digest"):
            return 200, "text/csv", b"x\r\n"
        return 401, "text/plain", b"who?", wanted

    with serving(foreign(reply), lambda *told: heard.append(told)) as url:
        assert RemoteGraph(url).select("SELECT ?x {}").is_empty()


def test_who_is_not_let_in_is_told_what_to_set() -> None:
    told = r"lets nobody in .*set KGPROBE_ENDPOINT_USER"
    with serving(lambda *_: (401, "text/plain", b"who?")) as url, pytest.raises(QueryError, match=told):
        RemoteGraph(url).select("SELECT ?x {}")


def test_requests_keep_the_pace_that_was_set(monkeypatch: pytest.MonkeyPatch, whole: Answering, waits: list[float]) -> None:
    monkeypatch.setenv("KGPROBE_ENDPOINT_RATE", "0.001")
    with serving(whole) as url:
        graph = RemoteGraph(url)
        graph.ask("ASK { ?s ?p ?o }")
    assert [round(wait, -2) for wait in waits] == [1000]


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("RATE", "often", "KGPROBE_ENDPOINT_RATE: 'often' is no number"),
        ("TIMEOUT", "-1", "KGPROBE_ENDPOINT_TIMEOUT: '-1' is no number"),
        ("TRIES", "nan", "KGPROBE_ENDPOINT_TRIES: 'nan' is no number"),
        ("USER", "ada", "set KGPROBE_ENDPOINT_PASSWORD, too"),
        ("TOKEN", "a\nb", "KGPROBE_ENDPOINT_TOKEN: cannot stand in a header"),
    ],
)
def test_a_setting_that_cannot_be_read_is_said_in_a_line(name: str, value: str, told: str) -> None:
    with pytest.raises(InputError) as fault:
        Manners.of_environment({f"KGPROBE_ENDPOINT_{name}": value})
    assert told in str(fault.value)
    assert "\n" not in str(fault.value)


def test_a_password_in_the_address_is_refused() -> None:
    """It would stand in every item that is made."""
    with pytest.raises(StoreError, match="holds a name or a password") as fault:
        RemoteGraph("http://ada:secret@localhost/sparql")
    assert "secret" not in str(fault.value)


# --- the same items


def run(*args: str | Path) -> int:
    with pytest.raises(SystemExit) as stop:
        cli.run(app, "kgprobe", [*map(str, args), "--quiet"])
    return int(str(stop.value.code))


def told_apart_by_name(path: Path) -> list[object]:
    """Items, but for what their graph is called."""
    items = [json.loads(line) for line in path.read_text().splitlines()]
    return [item | {"source": item["source"] | {"graph": None}} for item in items]


CAPITAL = Path(__file__).parents[1] / "fixtures" / "families" / "distractors" / "capital.rq"


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [["fpq", "--domain", "art", "--n", "20"], ["family", CAPITAL, "--n", "20"], ["factbench", "--n", "30"]],
    ids=["fpq", "family", "factbench"],
)
def test_a_server_that_cuts_gives_the_items_of_the_store(command: list[str | Path], whole: Answering, tmp_path: Path) -> None:
    assert run(*command, "--out", tmp_path / "here.jsonl") == 0
    with serving(cutting(whole, 1000, says=False)) as url:
        assert run(*command, "--out", tmp_path / "there.jsonl", "--endpoint", url) == 0
        assert run("audit", tmp_path / "here.jsonl", "--endpoint", url) == 0
    assert told_apart_by_name(tmp_path / "there.jsonl") == told_apart_by_name(tmp_path / "here.jsonl")
