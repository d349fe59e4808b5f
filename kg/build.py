"""What a loader hands to a store: N-Triples made column by column, never a triple at a time."""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import polars as pl
import pyoxigraph as ox

from kg.errors import InputError, SourceError
from kg.sorted_runs import Scratch, SortedRuns, merged
from kg.vocab import KGP, PREFIXES, RDF_TYPE, RDFS_LABEL, SCHEMA, SKOS_ALT, SUBCLASS, XSD, data_graph, safe

_CONTROL = r"[\x00-\x1f\x7f]"
_NAMED = {"\b": "b", "\t": "t", "\n": "n", "\f": "f", "\r": "r"}
_WRITTEN = {chr(code): f"\\u{code:04X}" for code in (*range(32), 127)} | {c: f"\\{name}" for c, name in _NAMED.items()}
_ESCAPES = str.maketrans(_WRITTEN)
"""Control characters as Oxigraph writes them in N-Triples: the digest hashes lines before a store has seen them."""
_SAFE = r"^[A-Za-z0-9._~-]+$"
_HELD = 250_000
"""How many triples a load with a scratch holds before it writes them there."""
_LISTED = 10


@dataclass(frozen=True)
class Load:
    """One source, ready for a store: `data`, `schema` and `provenance` are N-Triples; `counts` is for people.

    The data of a load that memory should not hold stand in `file` instead, sorted, each line once, with their `digest`; the
    file is there as long as its scratch is. `without` are facts that the load takes out of all others; `left_out` says of the
    first faults of each kind where they stand.
    """

    name: str
    data: bytes
    schema: bytes
    provenance: bytes
    counts: dict[str, int]
    file: Path | None = None
    digest: str | None = None
    without: tuple[ox.Triple, ...] = ()
    left_out: Sequence[str] = ()

    @property
    def graph(self) -> str:
        """The IRI of the named graph the data goes to."""
        return data_graph(self.name)


def iri_terms(ids: pl.Series, namespace: str) -> pl.Series:
    """Make `<namespace + id>` of each id; characters that do not belong in an IRI are percent-encoded.

    >>> iri_terms(pl.Series(["Q1", "a> <b"]), "http://e/").to_list()
    ['<http://e/Q1>', '<http://e/a%3E%20%3Cb>']
    """
    odd = ids.filter(~ids.str.contains(_SAFE)).unique().to_list()
    clean = ids.replace(odd, [safe(i) for i in odd]) if odd else ids
    return clean.to_frame().select(pl.concat_str(pl.lit(f"<{namespace}"), clean.name, pl.lit(">")).alias(ids.name)).to_series()


def literal_terms(texts: pl.Series, suffix: str | pl.Series = "") -> pl.Series:
    r"""Make N-Triples literals of texts; `suffix` is a language tag (`@en`) or a datatype (`^^<…>`), of all or of each.

    >>> literal_terms(pl.Series(['say "hi"\n']), "@en").to_list()
    ['"say \\"hi\\"\\n"@en']
    """
    escaped = texts
    for raw, written in (("\\", "\\\\"), ('"', '\\"')):
        escaped = escaped.str.replace_all(raw, written, literal=True)
    if escaped.str.contains(_CONTROL).any():
        odd = escaped.filter(escaped.str.contains(_CONTROL)).unique()
        escaped = escaped.replace(odd, pl.Series([text.translate(_ESCAPES) for text in odd.to_list()], dtype=pl.String))
    return ('"' + escaped + '"' + suffix).rename(texts.name)


def first_of_each(rows: pl.DataFrame, columns: Sequence[str] = ()) -> pl.DataFrame:
    """Leave out the rows that repeat an earlier one in some columns (or all); `unique` in order takes twice as long.

    >>> first_of_each(pl.DataFrame({"a": [1, 1, 2], "b": [3, 3, 3]})).rows()
    [(1, 3), (2, 3)]
    """
    return rows.filter(pl.struct(columns or rows.columns).is_first_distinct())


def typed_terms(texts: pl.Series, datatype: str) -> pl.Series:
    """Make literals of an XML Schema datatype, such as `integer` or `date`."""
    return literal_terms(texts, f"^^<{XSD}{datatype}>")


@dataclass
class Build:
    """Collects the triples of one load, column by column. All terms are written as in N-Triples.

    `languages` are those that names are in, the best first, where a source has several. What is at fault is refused, or,
    with `lenient`, left out, counted and listed.

    With a `scratch`, a load of any size needs the same memory: what is many is written there, run by run.

    >>> build = Build("mine", source="notes.tsv")
    >>> build.label(pl.Series(["<http://e/1>"]), pl.Series(["one"]))
    >>> build.finish().data
    b'<http://e/1> <http://www.w3.org/2000/01/rdf-schema#label> "one"@en .\\n'
    """

    name: str
    source: str
    license: str | None = None
    sha256: str | None = None
    base: str | None = None
    popularity: str = "degree"
    languages: Sequence[str] = ()
    counts: dict[str, int] = field(default_factory=dict)
    scratch: Scratch | None = None
    lenient: bool = False
    left_out: list[str] = field(default_factory=list)
    _runs: SortedRuns | None = None
    _held: int = 0
    _data: list[pl.DataFrame] = field(default_factory=list)
    _schema: list[pl.DataFrame] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Raise InputError for a name that no graph can have."""
        try:
            ox.NamedNode(f"{SCHEMA}/{self.name}")
            usable = self.name.isprintable() and self.name not in ("", "schema", "provenance")
        except ValueError:
            usable = False
        if not usable:
            way_out = "take letters, digits, '.', '_' and '-', and neither 'schema' nor 'provenance'"
            raise InputError(f"'{self.name}' is no name for a load", place="--name", way_out=way_out)

    def leave_out(self, what: str, number: int, faults: Iterable[SourceError]) -> None:
        """Count what is at fault, and list the first ten of its kind; raise the first, unless the load is lenient."""
        for fault in islice(faults, max(_LISTED - self.counts.get(what, 0), 0)):
            if not self.lenient:
                raise fault
            self.left_out.append(f"{fault.place}: {fault.problem}")
        if number:
            self.counts[what] = self.counts.get(what, 0) + number

    def triples(self, s: pl.Series, p: pl.Series | str, o: pl.Series | str, *, schema: bool = False) -> None:
        """Add triples; a single string stands for the same term in every row. Rows with a null are left out."""
        frame = pl.DataFrame({"s": s}).with_columns(
            pl.lit(p).alias("p") if isinstance(p, str) else p.alias("p"),
            pl.lit(o).alias("o") if isinstance(o, str) else o.alias("o"),
        )
        part = frame.drop_nulls()
        (self._schema if schema else self._data).append(part)
        if self.scratch is not None and not schema:
            self._held += part.height
            if self._held > _HELD:
                self._write(self.scratch)

    def label(self, s: pl.Series, text: pl.Series, language: str | pl.Series = "en") -> None:
        """Add `rdfs:label` in a language, or each in its own; empty texts are left out."""
        self._texts(s, f"<{RDFS_LABEL}>", text, language)

    def alias(self, s: pl.Series, text: pl.Series, language: str | pl.Series = "en") -> None:
        """Add `skos:altLabel` in a language, or each in its own; empty texts are left out."""
        self._texts(s, f"<{SKOS_ALT}>", text, language)

    def type(self, s: pl.Series, concept: pl.Series | str) -> None:
        """Add `rdf:type`."""
        self.triples(s, f"<{RDF_TYPE}>", concept)

    def subclass(self, s: pl.Series, concept: pl.Series) -> None:
        """Add `rdfs:subClassOf`."""
        self.triples(s, f"<{SUBCLASS}>", concept)

    def relation(self, predicate: pl.Series, text: pl.Series) -> None:
        """Declare relations (entity to entity) with their labels."""
        self.type(predicate, f"<{KGP}Relation>")
        self.label(predicate, text)

    def attribute(self, predicate: pl.Series, text: pl.Series) -> None:
        """Declare attributes (entity to literal) with their labels."""
        self.type(predicate, f"<{KGP}Attribute>")
        self.label(predicate, text)

    def degree(self, s: pl.Series, o: pl.Series) -> None:
        """Add `kgp:popularity`: in how many facts an entity stands (for sources that know nothing better)."""
        count = pl.concat([s.alias("e"), o.alias("e")]).value_counts()
        self.popular(count["e"], count["count"])

    def popular(self, s: pl.Series, count: pl.Series) -> None:
        """Add `kgp:popularity` as it was counted."""
        self.triples(s, f"<{KGP}popularity>", typed_terms(count.cast(pl.String), "integer"))

    def distinct(self) -> Iterator[pl.DataFrame]:
        """Yield the triples so far, each once however often the source says it, as frames of s, p and o.

        A load with a scratch reads them there, a piece at a time; nothing may be added meanwhile.

        >>> build, one, two = Build("mine", source="notes.tsv"), pl.Series(["<http://e/1>"]), pl.Series(["<http://e/2>"])
        >>> build.triples(one, "<http://e/p>", two)
        >>> build.triples(one, "<http://e/p>", two)
        >>> [frame.height for frame in build.distinct()]
        [1]
        """
        if self._runs is None or self.scratch is None:
            parts = [part for part in self._data if part.height]
            yield from (first_of_each(pl.concat(group)) for group in _by_predicate(parts))
            return
        self._write(self.scratch)
        term = pl.col("line").str.extract_groups(r"^(?<s>\S+) (?<p>\S+) (?<o>.*) \.$")
        for lines in merged(self._runs.files):
            yield lines.to_frame("line").select(term.alias("t")).unnest("t")

    def finish(self) -> Load:
        """Return the load, with its provenance."""
        if self._runs is not None and self.scratch is not None:
            return self._finish_file(self.scratch, self._runs)
        data, number = _lines(self._data)  # which empties the list
        counts = {**self.counts, "triples": number}
        return Load(self.name, data, _lines(self._schema)[0], self._provenance(counts), counts, left_out=tuple(self.left_out))

    def _finish_file(self, scratch: Scratch, runs: SortedRuns) -> Load:
        self._write(scratch)
        path, digest, number = runs.merge()
        counts = {**self.counts, "triples": number}
        provenance, schema = self._provenance(counts), _lines(self._schema)[0]
        return Load(self.name, b"", schema, provenance, counts, path, digest, left_out=tuple(self.left_out))

    def _write(self, scratch: Scratch) -> None:
        """Write what is held as sorted runs."""
        self._runs = self._runs or SortedRuns(scratch)
        parts, self._data, self._held = self._data, [], 0
        for rows in pl.concat(parts).iter_slices(_HELD) if parts else ():
            self._runs.add(rows.select(pl.concat_str("s", "p", "o", pl.lit("."), separator=" ").alias("line")).to_series())

    def _texts(self, s: pl.Series, predicate: str, text: pl.Series, language: str | pl.Series) -> None:
        keep = text.is_not_null() & (text != "")
        tag = f"@{language}" if isinstance(language, str) else "@" + language.filter(keep)
        self.triples(s.filter(keep), predicate, literal_terms(text.filter(keep), tag))

    def _provenance(self, counts: dict[str, int]) -> bytes:
        values = {
            f"{PREFIXES['dcterms']}source": self.source,
            f"{PREFIXES['dcterms']}license": self.license,
            f"{KGP}sha256": self.sha256,
            f"{KGP}base": self.base,
            f"{KGP}popularitySource": self.popularity,
            f"{KGP}languages": ",".join(self.languages),
        }
        texts = {k: v for k, v in values.items() if v}
        lines = [_line(self.name, k, literal_terms(pl.Series([v])).item()) for k, v in texts.items()]
        now = dt.datetime.now(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        lines.append(_line(self.name, f"{PREFIXES['dcterms']}created", f'"{now}"^^<{XSD}dateTime>'))
        for what, number in counts.items():
            lines.append(_line(self.name, f"{KGP}count/{safe(what)}", f'"{number}"^^<{XSD}integer>'))
        return "".join(lines).encode()


def _line(name: str, predicate: str, term: str) -> str:
    return f"<{data_graph(name)}> <{predicate}> {term} .\n"


def _lines(parts: list[pl.DataFrame]) -> tuple[bytes, int]:
    """Write distinct triples as N-Triples, and count them. The list is emptied, so that no triple is in memory twice."""
    out, number = io.BytesIO(), 0
    groups = [*_by_predicate([part for part in parts if part.height])]
    parts.clear()
    while groups:
        group = groups.pop(0)
        rows = first_of_each(pl.concat(group))
        del group
        rows.write_csv(out, include_header=False, separator=" ", quote_style="never", line_terminator=" .\n")
        number += rows.height
    return out.getvalue(), number


def _by_predicate(parts: list[pl.DataFrame]) -> Iterator[list[pl.DataFrame]]:
    """Group the parts that share a predicate, as no others can hold the same triple: to compare less saves time and memory."""
    groups: dict[str, list[int]] = {}
    for number, part in enumerate(parts):
        group = [number]
        for predicate in part["p"].unique():
            other = groups.setdefault(predicate, group)
            if other is not group:
                group += other
                groups.update({p: group for p, numbers in groups.items() if numbers is other})
    for numbers in sorted({id(group): sorted(group) for group in groups.values()}.values()):
        yield [parts[number] for number in numbers]
