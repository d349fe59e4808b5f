"""A graph on this machine: Oxigraph, in memory or in a folder.

A folder is built in one go (bulk loading, then one rename) and opened read-only, so that many processes can read it and
none can damage it.
"""

from __future__ import annotations

import contextlib
import io
import shutil
import sys
import tempfile
import time
import weakref
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO, TypeAlias, cast

import polars as pl
import pyoxigraph as ox

from kg.archive import Archive, read_archive
from kg.build import Load
from kg.errors import QueryError, SourceError, StoreError
from kg.files import aside, stored_bytes
from kg.graph import check_nesting, count_query
from kg.index import Index, IndexBuild
from kg.sorted_runs import (
    Scratch,
    SortedRuns,
    blocks_in,
    blocks_of,
    byte_blocks_of,
    digest_of,
    digest_of_sorted,
    lines_of,
    merged,
    ntriples_of,
)
from kg.terms import plain_frame, term_frame, term_pieces
from kg.vocab import DATA_GRAPH, KGP, PREFIXES, PROVENANCE, RDF_TYPE, SCHEMA, data_graph, p, ps

_Node: TypeAlias = ox.NamedNode | ox.DefaultGraph
_NT = ox.RdfFormat.N_TRIPLES
_DIGEST = KGP + "digest"
_PIECE = 48 * 2**20
"""How many bytes of a file are bulk-loaded at once."""
_SHARING_VIOLATION = 32  # Windows: another process has the file open
_IN_MEMORY = 4 * 2**20
"""Results of more bytes wait in a temporary file to be read piece by piece."""


class LocalGraph:
    """An Oxigraph store as a `Graph`.

    >>> graph = LocalGraph.in_memory()
    >>> graph.update('INSERT DATA { GRAPH <https://w3id.org/kgprobe#graph/g> { wd:Q1 rdfs:label "universe"@en } }')
    >>> graph.select("SELECT ?name { ?s rdfs:label ?name }").to_series().to_list()
    ['universe']
    """

    def __init__(self, store: ox.Store, *, read_only: bool = False, path: Path | None = None) -> None:
        self._store, self._read_only, self._path = store, read_only, path
        self._index: weakref.ref[Index] | None = None  # large: kept while it is used
        self._graphs: dict[str, _Node] | None = None
        self._bases: list[str] | None = None  # of the relational loads; looked up once, as every query needs them
        self._digest: str | None = None

    @classmethod
    def in_memory(cls, *loads: Load) -> LocalGraph:
        """Make a graph in memory out of any number of loads."""
        graph = cls(ox.Store())
        for load in loads:
            graph.add(load)
        return graph

    @classmethod
    def open(cls, path: Path) -> LocalGraph:
        """Open a folder made by `kg load`, or the facts of a bundle, read-only.

        Raises StoreError where there is none or it is being written, SourceError where a bundle is damaged.
        """
        if path.is_file():
            return cls.of_archive(read_archive(stored_bytes(path), str(path)), str(path))
        if not (path / "CURRENT").is_file():
            raise StoreError("no store here", place=str(path), way_out="make one with `kg load … --store`")
        with _lock(path, shared=True):
            return cls(_read_only(path), read_only=True, path=path.absolute())

    @classmethod
    def of_archive(cls, archive: Archive, place: str) -> LocalGraph:
        """Make a graph in memory of the facts of a bundle, read-only; `place` is what errors call it.

        Raises SourceError where they are no N-Quads.
        """
        store = ox.Store()
        try:
            store.bulk_load(archive.graph, ox.RdfFormat.N_QUADS, lenient=True)
        except (SyntaxError, ValueError, OSError) as error:
            raise SourceError(f"holds no facts ({error})", place=place, way_out="make the bundle again") from error
        return cls(store, read_only=True)

    def add(self, load: Load) -> None:
        """Put a load into the graph, in place of an earlier one of the same name."""
        self._writable()
        fill(self._store, load)
        self._forget()

    @property
    def data_graphs(self) -> list[str]:
        """The IRIs of the data graphs, sorted."""
        return [name for name in self.all_graphs() if name.startswith(DATA_GRAPH)]

    @property
    def name(self) -> str:
        """The data graphs' names, such as `kgp:graph/starter`."""
        return " ".join(g.replace(KGP, "kgp:") for g in self.data_graphs)

    @property
    def base(self) -> str | None:
        """The base IRI that the newest relational load was given, if any."""
        if self._bases is None:
            rows = self.provenance(f"SELECT ?b {{ ?g <{KGP}base> ?b }} ORDER BY DESC(?b)")
            self._bases = [] if rows.is_empty() else rows["b"].to_list()
        return next(iter(self._bases), None)

    def select(self, query: str) -> pl.DataFrame:
        """Run a SELECT; every column is a string: IRIs and literals as plain text, null where unbound or empty."""
        return plain_frame(_written(self._solutions(query), ox.QueryResultsFormat.CSV))

    def terms(self, query: str) -> pl.DataFrame:
        """Run a SELECT; every column holds terms as N-Triples writes them, null where unbound."""
        return term_frame(_written(self._solutions(query), ox.QueryResultsFormat.TSV))

    def term_pieces(self, query: str) -> Iterator[pl.DataFrame]:
        """Run a SELECT; the same some rows at a time. What is long waits in a temporary file."""
        solutions = self._solutions(query)
        with tempfile.SpooledTemporaryFile(_IN_MEMORY) as results:
            with _running(), aside():
                solutions.serialize(cast("BinaryIO", results), format=ox.QueryResultsFormat.TSV)
                results.seek(0)
            yield from term_pieces(cast("BinaryIO", results))

    def ask(self, query: str) -> bool:
        """Run an ASK."""
        result = self.query(query)
        if not isinstance(result, ox.QueryBoolean):
            raise QueryError("is not an ASK query", way_out="begin it with ASK")
        return bool(result)

    def construct(self, query: str) -> bytes:
        """Run a CONSTRUCT or DESCRIBE; N-Triples."""
        result = self.query(query)
        if not isinstance(result, ox.QueryTriples):
            raise QueryError("is not a CONSTRUCT or DESCRIBE query", way_out="begin it with CONSTRUCT")
        with _running():
            return result.serialize(format=_NT) or b""

    def query(self, query: str) -> ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples:
        """Run any query over the union of the data graphs. Raises QueryError where it does not parse or run."""
        count_query(query)
        return self._query(query, self._data_graphs(), self.base)

    def _query(
        self, query: str, graphs: Sequence[_Node], base: str | None = None
    ) -> ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples:
        check_nesting(query)
        with _running():
            return self._store.query(query, base_iri=base, prefixes=PREFIXES, default_graph=[*graphs])

    def update(self, query: str) -> None:
        """Run a SPARQL update. Raises StoreError where the graph is read-only."""
        self._writable()
        check_nesting(query)
        with _running("update"):
            self._store.update(query, base_iri=self.base, prefixes=PREFIXES)
        self._forget()

    def schema(self, query: str) -> pl.DataFrame:
        """Run a SELECT over the schema graph (keys, dependencies, incomplete pairs)."""
        count_query(query)
        return self._aside(SCHEMA, query)

    def provenance(self, query: str) -> pl.DataFrame:
        """Run a SELECT over the provenance graph (source, licence, time, hashes, counts of each load)."""
        return self._aside(PROVENANCE, query)

    def dump(self, name: str) -> bytes:
        """Return one named graph, data or aside, as N-Triples. Raises StoreError where there is none of this IRI."""
        node = self._nodes().get(name)
        if node is None:
            raise StoreError("no such graph", place=name, way_out=f"there are: {', '.join(self.all_graphs())}")
        return self._store.dump(format=_NT, from_graph=node) or b""

    def all_graphs(self) -> list[str]:
        """The IRIs of all named graphs, sorted."""
        return sorted(self._nodes())

    def digest(self) -> str:
        """Return an order-independent hash of the data triples: sha256 over the sorted, distinct N-Triples lines."""
        if self._digest is None and self._read_only:
            self._digest = self._recorded_digest()
        if self._digest is None:
            self._digest = digest_of(self.dump(graph) for graph in self.data_graphs)
        return self._digest

    def index(self) -> Index | None:
        """Return the columns of a folder as numbers; None for a graph in memory, which is asked by queries.

        They are those that stand in the folder. Where there are none, or they are of other data or damaged, they are made and
        put there; None where nothing can be written.
        """
        index = None if self._index is None else self._index()
        if self._path is not None and index is None and (digest := self._recorded_digest()) is not None:
            index = Index.read(self._path, digest) or self._made_index(self._path, digest)
            self._index = None if index is None else weakref.ref(index)
        return index

    def _made_index(self, path: Path, digest: str) -> Index | None:
        # The folder is where there is room for a dump, too.
        try:
            with Scratch(path / "dump") as scratch:
                files = [scratch.file(".nt") for _ in self._data_graphs()]
                for graph, file in zip(self._data_graphs(), files, strict=True):
                    self._store.dump(output=file, format=_NT, from_graph=graph)
                with _indexed(_relations_of(self._store), byte_blocks_of(files, _PIECE), path) as build:
                    return (build.write(path, digest) and Index.read(path, digest)) or build.finish()
        except (StoreError, OSError):
            return None

    def _recorded_digest(self) -> str | None:
        """A folder is read-only, so what was computed when it was built still holds."""
        rows = self.provenance(f"SELECT ?d {{ <{PROVENANCE}> <{_DIGEST}> ?d }}")
        return None if rows.is_empty() else str(rows.item())

    def _aside(self, graph: str, query: str) -> pl.DataFrame:
        result = self._query(query, [ox.NamedNode(graph)], self.base if graph != PROVENANCE else None)
        if not isinstance(result, ox.QuerySolutions):
            raise QueryError("is not a SELECT query", way_out="begin it with SELECT")
        return plain_frame(_written(result, ox.QueryResultsFormat.CSV))

    def _solutions(self, query: str) -> ox.QuerySolutions:
        result = self.query(query)
        if not isinstance(result, ox.QuerySolutions):
            raise QueryError("is not a SELECT query", way_out="begin it with SELECT")
        return result

    def apart_from(self, name: str) -> LocalGraph:
        """Return this graph without the load called `name`, to be read: its store is the same."""
        graph = LocalGraph(self._store)
        graph._graphs = {iri: node for iri, node in self._nodes().items() if iri != data_graph(name)}
        return graph

    def _nodes(self) -> dict[str, _Node]:
        if self._graphs is None:
            self._graphs = _nodes_of(self._store)
        return self._graphs

    def _data_graphs(self) -> list[_Node]:
        return [self._nodes()[name] for name in self.data_graphs]

    def _writable(self) -> None:
        if self._read_only:
            raise StoreError("this store is read-only", way_out="change the source and `kg load` it again")

    def _forget(self) -> None:
        self._graphs = self._bases = self._digest = None


def _nodes_of(store: ox.Store) -> dict[str, _Node]:
    """Return the graphs of a store by what they are called here.

    In a store that other programs filled, which has no load of ours, every graph holds data, the default graph too: each is
    called as if it were a load, and becomes one when something is loaded beside it.
    """
    named: dict[str, _Node] = {graph.value: graph for graph in store.named_graphs() if isinstance(graph, ox.NamedNode)}
    if any(name.startswith(DATA_GRAPH) for name in named):
        return named
    nodes = {name if name.startswith(KGP) else data_graph(name): node for name, node in named.items()}
    default = ox.DefaultGraph()
    if next(iter(store.quads_for_pattern(None, None, None, default)), None) is not None:
        nodes[data_graph("default")] = default
    return nodes


@contextlib.contextmanager
def _running(what: str = "query") -> Iterator[None]:
    """Raise QueryError for what pyoxigraph raises: some faults show as a query is read, some as its results are."""
    try:
        yield
    except SyntaxError as error:
        raise QueryError(f"does not parse ({error.msg})", place=what, way_out="mend the SPARQL") from error
    except (ValueError, OSError, RuntimeError) as error:  # a function that nobody knows is a RuntimeError
        raise QueryError(f"does not run ({error})", place=what, way_out="mend the SPARQL") from error


def _written(solutions: ox.QuerySolutions, form: ox.QueryResultsFormat) -> bytes:
    with _running():
        return solutions.serialize(format=form) or b""


def _read_only(path: Path) -> ox.Store:
    try:
        return ox.Store.read_only(str(path))
    except (OSError, RuntimeError) as error:
        raise StoreError(f"damaged store ({error})", place=str(path), way_out="load it again") from error


def fill(store: ox.Store, load: Load) -> None:
    """Load into `store`, in place of what an earlier load of the same name left there."""
    data, schema = ox.NamedNode(load.graph), ox.NamedNode(SCHEMA)
    own_schema = ox.NamedNode(f"{SCHEMA}/{load.name}")
    # All loads share one schema graph; what this load said in it stands in a graph of its own too, to be taken back.
    for quad in store.quads_for_pattern(None, None, None, own_schema):
        store.remove(ox.Quad(quad.subject, quad.predicate, quad.object, schema))
    for quad in list(store.quads_for_pattern(data, None, None, ox.NamedNode(PROVENANCE))):
        store.remove(quad)
    for graph in (data, own_schema):
        store.remove_graph(graph)
    store.add_graph(data)
    parts = [(load.data, data), (load.schema, own_schema), (load.schema, schema)]
    for content, graph in [*parts, (load.provenance, ox.NamedNode(PROVENANCE))]:
        if content:
            # Not by `load`, after which the next opening of a folder takes many times as long.
            store.bulk_load(content, _NT, to_graph=graph, lenient=True)
    if load.file is not None:
        _fill_from(store, load.file, data)
    take_out(store, load.without, but=data)


def take_out(store: ox.Store, facts: Iterable[ox.Triple], but: ox.NamedNode | None = None) -> None:
    """Remove facts from all loads of a store (`but` one), each with the statements that qualify it or give it a unit."""
    for fact in facts:
        for quad in [*_statements(store, fact), *_of_loads(store, fact.subject, fact.predicate, fact.object)]:
            if quad.graph_name != but:
                store.remove(quad)


def _of_loads(store: ox.Store, *pattern: Any) -> Iterator[ox.Quad]:
    """Yield what matches in the data graphs, all of it found before the first is removed."""
    subject, predicate, object = pattern
    quads = list(store.quads_for_pattern(subject, predicate, object, None))
    yield from (quad for quad in quads if str(getattr(quad.graph_name, "value", "")).startswith(DATA_GRAPH))


def _statements(store: ox.Store, fact: ox.Triple) -> Iterator[ox.Quad]:
    """Yield the triples of the statement nodes of a fact, and those that lead to them."""
    lead, value = (ox.NamedNode(name(fact.predicate.value)) for name in (p, ps))
    for quad in _of_loads(store, fact.subject, lead, None):
        node = quad.object
        if isinstance(node, ox.NamedNode) and any(_of_loads(store, node, value, fact.object)):
            yield quad
            yield from _of_loads(store, node, None, None)


def _fill_from(store: ox.Store, path: Path, graph: ox.NamedNode | ox.BlankNode) -> None:
    """Bulk-load a file in pieces, two at a time: what bulk loading holds grows with what it is given, and it uses one core.

    What fits into one piece of some size is one: of several RocksDB merges the keys, and stores them less densely. Blank
    nodes are renamed by each bulk load, so a file that has some is loaded as one, too.
    """
    if _has_blank_nodes(path):
        store.bulk_load(path=path, format=_NT, to_graph=graph, lenient=True)
        return
    size = _PIECE if path.stat().st_size <= _PIECE else _PIECE // 4
    pieces, turn = byte_blocks_of([path], size), Lock()

    def load() -> None:
        while True:
            with turn:
                piece = next(pieces, b"")
            if not piece:
                return
            store.bulk_load(piece, _NT, to_graph=graph, lenient=True)

    with ThreadPoolExecutor(2) as pool:
        try:
            for done in as_completed([pool.submit(load), pool.submit(load)]):
                done.result()
        finally:
            with turn:
                pieces.close()


def _has_blank_nodes(path: Path) -> bool:
    """Say whether a line begins with a blank node, or has one for its object."""
    return any(block.startswith(b"_:") or b"\n_:" in block or b"> _:" in block for block in byte_blocks_of([path], 2**20))


def build_store(path: str | Path, load: Load) -> None:
    """Make the store at `path` hold `load` beside its other loads, in one step: all of it or nothing.

    Raises StoreError where the folder is something else, or another process holds the store.
    """
    path = Path(path).absolute()
    exists = _check_target(path)
    with contextlib.ExitStack() as stack:
        if exists:
            stack.enter_context(_lock(path))
        # Beside the old one: a folder can be renamed only within a file system.
        new = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
        stack.callback(_remove, new)
        _build(new / "store", load, path if exists else None, stack.enter_context(Scratch(new / "scratch")))
        _swap(new, path, exists)


def _remove(folder: Path) -> None:
    """Remove the folder of a load; the store of one that failed may be writing there still."""
    for _ in range(50):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.02)


def _check_target(path: Path) -> bool:
    if not path.parent.is_dir():
        raise StoreError("its parent folder does not exist", place=str(path), way_out="make it first")
    if path.is_dir() and not any(path.iterdir()):
        path.rmdir()
    if not path.exists():
        return False
    if not (path / "CURRENT").is_file():
        raise StoreError("holds something that is not a store", place=str(path), way_out="name an empty or new folder")
    return True


def _build(new: Path, load: Load, old: Path | None, scratch: Scratch) -> None:
    store = ox.Store(str(new))
    others = [] if old is None else _copy_others(_read_only(old), store, load, scratch)
    fill(store, load)
    if load.without:
        load, others = replace(load, data=b"", file=None, digest=None), _dumped(store, scratch)
    digest = _digest(load, others, scratch)
    _record_digest(store, digest)
    files = [*others, *([load.file] if load.file else [])]
    relations = _relations_of(store)
    store.flush()
    store.optimize()
    del store  # closes it, so that the folder is complete before it gets its name, and gives up what it holds
    blocks = chain(blocks_in(io.BytesIO(load.data), _PIECE), byte_blocks_of(files, _PIECE // 3))
    with _indexed(relations, blocks, new.parent) as index:
        if not index.has_blank_nodes:  # a store names them anew: then its first reader makes the index
            index.write(new, digest)


def _relations_of(store: ox.Store) -> set[str]:
    declared = store.quads_for_pattern(None, ox.NamedNode(RDF_TYPE), ox.NamedNode(KGP + "Relation"), None)
    return {quad.subject.value for quad in declared if isinstance(quad.subject, ox.NamedNode)}


def _indexed(relations: set[str], blocks: Iterable[bytes], beside: Path) -> IndexBuild:
    """Make the index of what a store holds, of which `blocks` are all lines; `beside` is a folder with room for a file."""
    build = IndexBuild(relations, beside)
    for block in blocks:
        build.add(block)
    return build


def _dumped(store: ox.Store, scratch: Scratch) -> list[Path]:
    """Write the data of a store into files: what a load took out of it no input tells."""
    files = []
    for graph in store.named_graphs():
        if graph.value.startswith(DATA_GRAPH):
            files.append(scratch.file(".nt"))
            store.dump(output=files[-1], format=_NT, from_graph=graph)
    return files


def _copy_others(old: ox.Store, new: ox.Store, load: Load, scratch: Scratch) -> list[Path]:
    """Copy every graph but those that the load is about to replace; returns files of the data among them."""
    copied = []
    replaced = {load.graph, f"{SCHEMA}/{load.name}"}
    own_schema = ox.NamedNode(f"{SCHEMA}/{load.name}")
    own = {(q.subject, q.predicate, q.object) for q in old.quads_for_pattern(None, None, None, own_schema)}
    for name, node in _nodes_of(old).items():
        if name in replaced:
            continue
        graph, content = ox.NamedNode(name), scratch.file(".nt")
        old.dump(output=content, format=_NT, from_graph=node)
        _fill_from(new, content, graph)
        if name.startswith(DATA_GRAPH):
            copied.append(content)
        if name == SCHEMA:
            for triple in own:
                new.remove(ox.Quad(*triple, graph))
    return copied


def _digest(load: Load, others: list[Path], scratch: Scratch) -> str:
    """Hash what the store holds, by files where it is more than memory should hold."""
    if load.digest is not None and not others:
        return load.digest
    if load.file is None and sum(path.stat().st_size for path in others) + len(load.data) < _PIECE:
        return digest_of([load.data, *(path.read_bytes() for path in others)])
    runs = SortedRuns(scratch)
    if load.data:
        runs.add(lines_of(load.data))
    for lines in blocks_of(others, _PIECE // 2):
        runs.add(lines)
    return digest_of_sorted(map(ntriples_of, merged([*runs.files, *([load.file] if load.file else [])])))


def _record_digest(store: ox.Store, digest: str) -> None:
    """Record the digest, which is that of what was loaded: to read it back from a folder takes longer than to load it."""
    aside, predicate = ox.NamedNode(PROVENANCE), ox.NamedNode(_DIGEST)
    for quad in list(store.quads_for_pattern(aside, predicate, None, aside)):
        store.remove(quad)
    store.add(ox.Quad(aside, predicate, ox.Literal(digest), aside))


def _swap(new: Path, path: Path, exists: bool) -> None:
    try:
        # Two renames: a reader between them finds no store for a moment, and never half of one.
        if exists:
            path.rename(new / "old")
        (new / "store").rename(path)
    except OSError as error:
        if exists and not path.exists():
            (new / "old").rename(path)
        raise StoreError(
            f"cannot be put in place ({error.strerror})", place=str(path), way_out="is another load running?"
        ) from error


@contextlib.contextmanager
def _lock(path: Path, *, shared: bool = False) -> Iterator[None]:
    """Hold RocksDB's own lock for a moment, which fails while another process has the store open for writing.

    Readers share it: many may open a store at the same moment.

    On POSIX it is a record lock (fcntl), which the flock that the package filelock takes would not meet; on Windows it is a
    file that RocksDB keeps open and lets nobody else open.
    """
    held = StoreError("another process holds this store", place=str(path), way_out="wait until it has finished")
    try:
        handle = (path / "LOCK").open("r+b")
    except OSError as error:
        if getattr(error, "winerror", None) == _SHARING_VIOLATION:
            raise held from error
        yield  # a read-only medium: nobody can be writing
        return
    with handle:
        if sys.platform == "win32":
            handle.close()  # an open file would keep its folder from being renamed
        else:
            import fcntl

            try:
                fcntl.lockf(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
            except OSError as error:
                raise held from error
        yield
