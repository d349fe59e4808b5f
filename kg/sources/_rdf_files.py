"""Files of RDF in any of its formats, zipped or not, as columns of terms, some ten thousand triples at a time.

Blank nodes get IRIs, numbered as they come: the same file gives the same names. The names of graphs in a file are left out.
"""

from __future__ import annotations

import bz2
import codecs
import contextlib
import gzip
import hashlib
import lzma
import warnings
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, BinaryIO, cast
from urllib.parse import quote

import polars as pl
import pyoxigraph as ox

from kg.build import Build
from kg.errors import SourceError, one_line
from kg.meter import opened_file
from kg.sources._json_ld import Document, documents_of
from kg.vocab import KGP

_FORMATS = {
    "nt": ox.RdfFormat.N_TRIPLES,
    "nq": ox.RdfFormat.N_QUADS,
    "ttl": ox.RdfFormat.TURTLE,
    "trig": ox.RdfFormat.TRIG,
    "n3": ox.RdfFormat.N3,
    "rdf": ox.RdfFormat.RDF_XML,
    "xml": ox.RdfFormat.RDF_XML,
    "owl": ox.RdfFormat.RDF_XML,
    "jsonld": ox.RdfFormat.JSON_LD,
}
_OF_RDFLIB = {"trix": "trix", "hext": "hext"}
"""Formats that Oxigraph does not read, and rdflib's names of them: such a file is in memory as a whole."""
_BY_LINE = ("nt", "nq")
"""Formats of which each line can be read alone, so that one line at fault can be left out."""
_UNZIP: dict[str, tuple[bytes, Callable[[BinaryIO], object]]] = {
    ".gz": (b"\x1f\x8b", gzip.open),
    ".bz2": (b"BZh", bz2.open),
    ".xz": (b"\xfd7zXZ\x00", lzma.open),
}
_BATCH = 100_000
_BLOCK = 2**23


class RdfFiles:
    """RDF files to be read one after another, for a load.

    A lenient one leaves lines of N-Triples and N-Quads out that are at fault; elsewhere a fault ends the reading.
    """

    def __init__(self, paths: Sequence[Path], build: Build) -> None:
        """Raises SourceError for a file whose ending says nothing of its format."""
        self.paths, self._build = list(paths), build
        for path in self.paths:
            format_of(path)

    def batches(self) -> Iterator[pl.DataFrame]:
        """Yield frames of the columns s, p and o, terms as N-Triples writes them.

        Raises SourceError with file and line for what is no RDF, and for a zipped file that is damaged.
        """
        for number, path in enumerate(self.paths):
            blanks = _Blanks(f"{KGP}blank/{number}-")
            with opened(path) as stream:
                for quads in self._pieces(path, stream):
                    yield from _frames(quads, blanks, self._build)

    def _pieces(self, path: Path, stream: IO[bytes]) -> Iterator[Iterable[ox.Quad]]:
        ending = format_of(path)
        if ending in _OF_RDFLIB:
            yield _quads(_by_rdflib(path, stream, _OF_RDFLIB[ending]), ox.RdfFormat.N_TRIPLES)
            return
        if ending not in _BY_LINE:
            for document in documents_of(stream) if ending == "jsonld" else [Document(stream, 0)]:
                yield _located(path, _quads(document.content, _FORMATS[ending], _base_of(path)), document.before)
            return
        before = 0
        while block := stream.read(_BLOCK):
            block += stream.readline()
            try:
                yield [*_quads(block, _FORMATS[ending])]
            except SyntaxError:
                yield self._sound(path, block, before)
            before += block.count(b"\n")

    def _sound(self, path: Path, block: bytes, before: int) -> Iterator[ox.Quad]:
        """Yield what the lines without a fault say."""
        for number, line in enumerate(block.splitlines(), before):
            try:
                yield from [*_quads(line, _FORMATS[format_of(path)])]
            except SyntaxError as error:
                self._build.leave_out("lines at fault", 1, [_fault(path, error, number)])


def format_of(path: Path) -> str:
    """Return the ending that names a file's format; raises SourceError where it names none.

    >>> format_of(Path("labels_en.ttl.bz2"))
    'ttl'
    """
    name = path.with_suffix("") if path.suffix in _UNZIP else path
    ending = name.suffix.removeprefix(".").lower()
    if ending not in _FORMATS and ending not in _OF_RDFLIB:
        known = ", ".join(f".{known}" for known in (*_FORMATS, *_OF_RDFLIB))
        raise SourceError(f"'{name.name}' does not say its format", place=str(path), way_out=f"let it end in one of {known}")
    return ending


def sha256_of_files(paths: Sequence[Path]) -> str:
    """Return one hash of files as they lie there, in their order. Raises SourceError where one cannot be read."""
    digest = hashlib.sha256()
    for path in paths:
        try:
            with path.open("rb") as stream:
                while block := stream.read(_BLOCK):
                    digest.update(block)
        except OSError as error:
            problem = "no such file" if isinstance(error, FileNotFoundError) else f"cannot be read ({error.strerror})"
            raise SourceError(problem, place=str(path), way_out="check the path") from error
    return digest.hexdigest()


@contextlib.contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """Open a file, unzipped if its content is zipped, whatever its name says."""
    try:
        with opened_file(path) as raw:
            magic = raw.read(6)
            raw.seek(0)
            opening = next((opener for sign, opener in _UNZIP.values() if magic.startswith(sign)), None)
            stream = cast("IO[bytes]", opening(raw)) if opening else raw
            if stream.read(len(codecs.BOM_UTF8)) != codecs.BOM_UTF8:  # editors of Windows begin a file with that mark
                stream.seek(0)
            yield stream
    except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile) as error:
        raise SourceError(f"is zipped, and damaged ({error})", place=str(path), way_out="fetch the file again") from error
    except OSError as error:
        reason = one_line(error.strerror or str(error))
        raise SourceError(f"cannot be read ({reason})", place=str(path), way_out="check the file") from error


def _quads(source: IO[bytes] | bytes, rdf: ox.RdfFormat, base: str | None = None) -> Iterator[ox.Quad]:
    return cast("Iterator[ox.Quad]", ox.parse(source, rdf, base_iri=base))


def _base_of(path: Path) -> str:
    """Return what relative IRIs of a document without a base are relative to: its name, wherever it lies."""
    return f"file:///{quote((path.with_suffix('') if path.suffix in _UNZIP else path).name)}"


def _by_rdflib(path: Path, stream: IO[bytes], name: str) -> bytes:
    """Return as N-Triples what rdflib reads in a file, its literals spelled as they are."""
    import rdflib  # here: it takes as long to import as most loads

    read = rdflib.Dataset(default_union=True)
    normalize, rdflib.NORMALIZE_LITERALS = rdflib.NORMALIZE_LITERALS, False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of names that its own parsers still use
            read.parse(data=stream.read(), format=name)
            return read.serialize(format="nt", encoding="utf-8")
    except OSError:
        raise  # the file, not what it says
    except Exception as error:  # each of its parsers raises errors of its own, bare ones of Python too
        line = getattr(error, "getLineNumber", lambda: None)()
        raise SourceError(
            f"cannot be read as {name} ({one_line(str(error) or type(error).__name__, 200)})",
            place=str(path) if line is None else f"{path}:{line}",
            way_out="mend the file",
        ) from error
    finally:
        rdflib.NORMALIZE_LITERALS = normalize


def _located(path: Path, quads: Iterator[ox.Quad], before: int) -> Iterator[ox.Quad]:
    try:
        yield from quads
    except SyntaxError as error:
        raise _fault(path, error, before) from error


def _fault(path: Path, error: SyntaxError, before: int) -> SourceError:
    """Return the error about what is no RDF, `before` lines into the file."""
    line = before + (error.lineno or 1)
    way_out = "mend the line, or leave such lines out with --lenient" if format_of(path) in _BY_LINE else "mend the file"
    problem = one_line(error.msg.partition(": ")[2] or error.msg, 200)
    if "LoadDocumentCallback" in problem:
        problem, way_out = "its @context is a page elsewhere, and none is fetched", "write the context into the file"
    return SourceError(problem[:1].lower() + problem[1:], place=f"{path}:{line}", way_out=way_out)


class _Blanks:
    """The IRIs that blank nodes of one file get, by the order in which they come."""

    def __init__(self, namespace: str) -> None:
        self._namespace = namespace
        self._numbers: dict[str, int] = {}

    def iri(self, node: ox.BlankNode) -> str:
        """Return the IRI of a blank node."""
        return f"<{self._namespace}{self._numbers.setdefault(node.value, len(self._numbers))}>"


def _frames(quads: Iterable[ox.Quad], blanks: _Blanks, build: Build) -> Iterator[pl.DataFrame]:
    terms: tuple[list[str], list[str], list[str]] = ([], [], [])
    for quad in quads:
        subject, value = quad.subject, quad.object
        if isinstance(subject, ox.Triple) or isinstance(value, ox.Triple):
            build.leave_out("triples about triples", 1, [])
            continue
        terms[0].append(blanks.iri(subject) if isinstance(subject, ox.BlankNode) else str(subject))
        terms[1].append(str(quad.predicate))
        terms[2].append(blanks.iri(value) if isinstance(value, ox.BlankNode) else str(value))
        if len(terms[0]) == _BATCH:
            yield pl.DataFrame(dict(zip("spo", terms, strict=True)))
            terms = ([], [], [])
    if terms[0]:
        yield pl.DataFrame(dict(zip("spo", terms, strict=True)))
