"""Real servers on this machine, Virtuoso and Oxigraph, give the items of the local store; skipped where there are none."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from generators.cli import app
from kg import StoreError, build_store, cli, load_starter, open_graph
from kg.remote import RemoteGraph

pytestmark = pytest.mark.slow

_INI = """[Database]
DatabaseFile = {folder}/virtuoso.db
ErrorLogFile = {folder}/virtuoso.log
LockFile = {folder}/virtuoso.lck
TransactionFile = {folder}/virtuoso.trx
xa_persistent_file = {folder}/virtuoso.pxa
[TempDatabase]
DatabaseFile = {folder}/temp.db
TransactionFile = {folder}/temp.trx
[Parameters]
ServerPort = {port}
DirsAllowed = {folder}
NumberOfBuffers = 8000
[HTTPServer]
ServerPort = {http}
[SPARQL]
ResultSetMaxRows = {most}
"""
_LOAD = "ld_dir('{folder}', 'starter.nq', ''); rdf_loader_run();"


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        assert server.poll() is None, "the server has ended"
        try:
            RemoteGraph(url).ask("ASK {}")
            return
        except StoreError:
            time.sleep(0.1)
    raise AssertionError("the server does not answer")


@contextmanager
def running(*command: str | Path) -> Iterator[subprocess.Popen[bytes]]:
    server = subprocess.Popen([*map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield server
    finally:
        server.kill()
        server.wait()


def run(*args: str | Path) -> int:
    with pytest.raises(SystemExit) as stop:
        cli.run(app, "kgprobe", [*map(str, args)])
    return int(str(stop.value.code))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the starter graph as N-Quads."""
    folder = tmp_path_factory.mktemp("server")
    build_store(folder / "store", load_starter())  # which records its digest
    assert run("dump", "--store", folder / "store", "--format", "nq", "--out", folder / "starter.nq") == 0
    return folder


@pytest.fixture(scope="module")
def virtuoso(folder: Path) -> Iterator[str]:
    """One that cuts what it sends at 2,000 rows."""
    program, shell = shutil.which("virtuoso-t"), shutil.which("isql-vt")
    if program is None or shell is None:
        pytest.skip("needs virtuoso-opensource-7")
    port, http = free_port(), free_port()
    (folder / "virtuoso.ini").write_text(_INI.format(folder=folder, port=port, http=http, most=2000))
    with running(program, "-f", "-c", folder / "virtuoso.ini") as server:
        url = f"http://127.0.0.1:{http}/sparql"
        wait_for(url, server)
        subprocess.run([shell, str(port), "dba", "dba", f"exec={_LOAD.format(folder=folder)}"], check=True, capture_output=True)
        yield url


@pytest.fixture(scope="module")
def oxigraph_server(folder: Path) -> Iterator[str]:
    program = shutil.which("oxigraph", path=str(Path(sys.executable).parent)) or shutil.which("oxigraph")
    if program is None:
        pytest.skip("needs oxigraph (PyPI)")
    store, http = folder / "oxigraph", free_port()
    load = [program, "load", "--location", store, "--file", folder / "starter.nq"]
    subprocess.run([*map(str, load)], check=True, capture_output=True)
    with running(program, "serve-read-only", "--location", store, "--bind", f"127.0.0.1:{http}") as server:
        url = f"http://127.0.0.1:{http}/query"
        wait_for(url, server)
        yield url


CAPITAL = Path(__file__).parents[1] / "fixtures" / "families" / "distractors" / "capital.rq"


@pytest.mark.parametrize("server", ["virtuoso", "oxigraph_server"])
def test_a_server_gives_the_items_of_the_store_and_its_audit_passes(
    server: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    url = request.getfixturevalue(server)
    jobs: list[list[str | Path]] = [["fpq", "--domain", "art", "--n", "20"], ["family", CAPITAL], ["factbench", "--n", "30"]]
    jobs.append(["fpq", "--domain", "people", "--n", "20", "--frontier"])
    for job in jobs:
        here, there = tmp_path / "here.jsonl", tmp_path / "there.jsonl"
        assert run(*job, "--quiet", "--out", here) == 0
        assert run(*job, "--quiet", "--out", there, "--endpoint", url) == 0
        assert unnamed(here) == unnamed(there)
        assert run("audit", here, "--quiet", "--endpoint", url) == 0


def unnamed(path: Path) -> list[object]:
    """Items, but for what the graph is called: it bears the server's address."""
    items = [json.loads(line) for line in path.read_text().splitlines()]
    return [item | {"source": item["source"] | {"graph": None}} for item in items]


def test_the_digest_of_a_server_is_that_of_the_store(oxigraph_server: str) -> None:
    assert RemoteGraph(oxigraph_server).digest() == open_graph().digest()


def test_a_graph_behind_virtuoso_is_fetched_whole(virtuoso: str) -> None:
    """Though it cuts at 2,000 rows: names are read with their languages, and IRIs as IRIs."""
    query = "SELECT ?e ?name { ?e rdfs:label ?name }"
    got, here = (graph.terms(query).unique().sort("e", "name") for graph in (RemoteGraph(virtuoso), open_graph()))
    assert here.height > 2000
    assert got.equals(here)


def test_a_server_that_is_stopped_is_one_line(oxigraph_server: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = shutil.which("oxigraph", path=str(Path(sys.executable).parent)) or "oxigraph"
    assert oxigraph_server  # it has loaded the store
    url = f"http://127.0.0.1:{(http := free_port())}/query"
    with running(program, "serve-read-only", "--location", folder / "oxigraph", "--bind", f"127.0.0.1:{http}") as server:
        wait_for(url, server)
        graph = RemoteGraph(url)
        assert graph.ask("ASK {}")
    monkeypatch.setattr("kg.wire.pause", lambda _: None)
    with pytest.raises(StoreError, match="cannot be reached") as fault:
        graph.select("SELECT ?s { ?s ?p ?o }")
    assert "\n" not in str(fault.value)
