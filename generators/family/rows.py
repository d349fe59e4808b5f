"""The rows of a family: what its SELECT returns, in words, and in parts that fit into memory whatever it returns.

What a large query returns is read a piece at a time and dealt out to files by the hash that draws facts. So all rows of a key
are in one part, which shows whether the key determines the answer, and the parts follow each other in the order in which facts
are drawn and written.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
import polars as pl

from generators.draw import Keys, keys_of
from generators.family.columns import ASKED, GROUP, ROW_KEY, aliases, norm, term
from generators.family.query import rows_query
from generators.family.spelling import said_column
from kg.files import Folder, aside
from kg.graph import Graph
from kg.terms import is_iri, kinds_of, texts_of
from kg.text import fold_all
from queries.templates import Front, Template
from queries.views import view

_FILES = 256
"""Into so many files rows are dealt out; some in a row make a part. A power of two: the first bits of a hash number them."""
_PART_BYTES = 4 * 2**20
"""How many bytes of terms make a part."""
_FILE = "\0file"
"""The column of the number of the file that a row belongs into."""
_SLOT, _TERM = "\0slot", "\0term"
_FEW_ROWS = 20_000
"""Of so many rows all slots are worked out at once: there the number of steps costs more than what they do."""
_NUMBER = r"^\s*([+-]?)0*(\d*?)(?:\.(\d*?)0*)?\s*$"


@dataclass(frozen=True)
class Rows:
    """Distinct rows of a family's SELECT, sorted, and the type of each slot that it shows by itself.

    `frame` has for each slot what is said, its term, its normal form and its other names, and `ASKED`.
    """

    frame: pl.DataFrame
    kinds: dict[str, str]


class EntityNames:
    """The labels and other names of entities, pulled when the first slot holds one."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def columns_of(self, slots: Sequence[str], frame: pl.DataFrame, image: str | None = None) -> list[pl.Series]:
        """Return what `columns` does, for several slots; where there are few rows it is worked out for all of them at once."""
        together = [slot for slot in slots if slot != image] if frame.height <= _FEW_ROWS else []
        n, named = frame.height, dict[str, list[pl.Series]]()
        if len(together) > 1:
            every = self.columns("", pl.concat([frame[slot].rename("") for slot in together]))
            for at, slot in enumerate(together):
                own = (column[at * n : (at + 1) * n] for column in every)
                named[slot] = [part.alias(name) for part, name in zip(own, _names_of(slot), strict=True)]
        return [column for slot in slots for column in named.get(slot) or self.columns(slot, frame[slot], slot == image)]

    def columns(self, slot: str, terms: pl.Series, picture: bool = False) -> list[pl.Series]:
        """Return what terms say (null where that is nothing), the terms, their normal forms and their other names."""
        values = texts_of(terms)
        also = pl.Series([None], dtype=pl.List(pl.String)).new_from_index(0, terms.len())
        # The value of a picture is its address, even where something has that IRI and a label.
        if terms.len() and not picture and bool(terms.str.starts_with("<").any()):
            values, also = self._labelled(terms, values)
        values = pl.select(pl.when(values.str.strip_chars() != "").then(values)).to_series()
        columns = (values, terms, normal_forms(values), also)
        return [column.alias(name) for column, name in zip(columns, _names_of(slot), strict=True)]

    def _labelled(self, terms: pl.Series, texts: pl.Series) -> tuple[pl.Series, pl.Series]:
        """Call entities by their label; one without a label has no name."""
        frame = pl.DataFrame({"term": terms, "e": texts})
        for names in self._known:
            frame = frame.join(names, on="e", how="left", maintain_order="left")
        value = pl.when(is_iri(pl.col("term"))).then("label").otherwise("e")
        return frame.select(value).to_series(), frame["also"]

    @cached_property
    def _known(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Every entity's label (the first in order), and its other names."""
        labels = view(self.graph, "labels")
        first = labels.group_by("e").agg(pl.col("label").min())
        names = pl.concat([view(self.graph, "aliases").rename({"alias": "label"}), labels])
        further = names.join(first, on=["e", "label"], how="anti").unique().sort("e", "label")
        return first, further.group_by("e", maintain_order=True).agg(also="label")


def _names_of(slot: str) -> list[str]:
    """The names of a slot's columns."""
    return [slot, term(slot), norm(slot), aliases(slot)]


_KNOWN_FORMS: dict[str, str | None] = {}
"""Normal forms by text: the families of a database say the same values again and again."""
_KEPT_FORMS = 200_000


def normal_forms(values: pl.Series) -> pl.Series:
    """Bring values to their normal forms: numbers by their value, everything else folded; null stays null.

    >>> normal_forms(pl.Series(["-15.0", "15", "+15", "Éa!", None])).to_list()
    ['-15', '15', '15', 'ea', None]
    """
    texts = values.cast(pl.String)
    if texts.len() > _FEW_ROWS:
        return _worked_out_forms(texts)
    listed = texts.to_list()
    if unknown := [text for text in dict.fromkeys(listed) if text is not None and text not in _KNOWN_FORMS]:
        if len(_KNOWN_FORMS) > _KEPT_FORMS:
            _KNOWN_FORMS.clear()
            unknown = [text for text in dict.fromkeys(listed) if text is not None]
        _KNOWN_FORMS.update(zip(unknown, _worked_out_forms(pl.Series(unknown)).to_list(), strict=True))
    return pl.Series(values.name, [None if text is None else _KNOWN_FORMS[text] for text in listed], dtype=pl.String)


def _worked_out_forms(values: pl.Series) -> pl.Series:
    frame = pl.DataFrame({"value": values})
    # By their digits: as a float, a number of more than 15 of them would equal another one.
    parts = pl.col("value").str.extract_groups(_NUMBER)
    whole_part, rest = parts.struct.field("2"), parts.struct.field("3").fill_null("")
    integer = pl.when(whole_part == "").then(pl.lit("0")).otherwise(whole_part)
    size = pl.when(rest == "").then(integer).otherwise(integer + "." + rest)
    size = pl.when(pl.col("value").str.contains(r"\d")).then(size)
    sign = pl.when((parts.struct.field("1") == "-") & (size != "0")).then(pl.lit("-")).otherwise(pl.lit(""))
    numbers = frame.select(sign + size).to_series()
    words = fold_all(pl.select(pl.when(numbers.is_null()).then(frame["value"])).to_series())
    return pl.select(pl.coalesce(numbers, words)).to_series()


def rows_of(results: pl.DataFrame, template: Template, names: EntityNames) -> pl.DataFrame:
    """Return what the results of a family's SELECT say: distinct rows, sorted, with the columns of `Rows`."""
    asked = pl.col(ASKED).str.starts_with('"yes"')
    frame = results.with_columns(asked.alias(ASKED))
    frame = frame.unique()  # one name for all steps, since each is as large as what the query returned
    frame = frame.sort(template.slots, nulls_last=True)
    columns = names.columns_of(template.slots, frame, template.front.image)
    return _as_said(pl.DataFrame([*columns, frame[ASKED]]), template.front)


def _as_said(frame: pl.DataFrame, front: Front) -> pl.DataFrame:
    """Say the values of slots as the family asks for it; how the data spell them stays among their other names."""
    for slot, declared in front.slots.items():
        if declared.said and slot in frame.columns:
            raw, said = frame[slot], said_column(frame[slot], declared.said)
            also = pl.concat_list(pl.when(raw.ne_missing(said)).then(raw)).list.drop_nulls()
            known = pl.col(aliases(slot))
            frame = frame.with_columns(
                said.alias(slot),
                normal_forms(said).alias(norm(slot)),
                pl.when(known.is_null()).then(also).otherwise(known.list.concat(also)).alias(aliases(slot)),
            )
    return frame


def row_keys(rows: pl.DataFrame, seed: int) -> Keys:
    """Return the key of every row, over all that it says."""
    if ROW_KEY in rows.columns:
        return rows[ROW_KEY].to_numpy()
    every = pl.concat_str([column for column in rows.columns if column.endswith(norm(""))], separator="\0", ignore_nulls=True)
    return keys_of(seed, rows.select(every).to_series().to_list())


# --- the groups of facts


def group_names(front: Front, frame: pl.DataFrame) -> pl.Series:
    """Return the group of each fact: `method.family.HASH`, HASH over what is said by the key.

    The normal form is hashed, so another spelling of the same key is the same group.
    """
    keys = frame.select(pl.concat_str([pl.lit(front.name), *(norm(slot) for slot in front.key)], separator="\0")).to_series()
    hashes = pl.Series([hash_of(key) for key in keys.to_list()], dtype=pl.String)
    return (f"{id_part(front.method or '')}.{id_part(front.name)}." + hashes).alias(GROUP)


def hash_of(text: str) -> str:
    """Return the 16 hexadecimal digits that stand for a text in an id."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def id_part(name: str) -> str:
    """Make a part of an id of a name; what has other characters becomes a hash."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else hashlib.sha256(name.encode()).hexdigest()[:8]


# --- parts


class RowParts:
    """The rows of a family in parts, in the order of the hash that draws facts; few rows are one part, and stay in memory."""

    def __init__(self, graph: Graph, template: Template, seed: int, names: EntityNames | None = None) -> None:
        """Run a family's SELECT once; `names` are those of the graph, where they were pulled before."""
        self._template, self._seed = template, seed
        self._names = names or EntityNames(graph)
        self._kinds: dict[str, set[str]] = {slot: set() for slot in template.slots}
        pieces = map(self._with_kinds_noted, graph.term_pieces(rows_query(template, graph.base)))
        first, second = next(pieces), next(pieces, None)
        self._only = first if second is None else None
        self._whole: Rows | None = None
        self._files = _RowFiles(first.columns) if second is not None else None
        if self._files and second is not None:
            self._files.deal(self._numbered(piece) for piece in chain((first, second), pieces))

    @property
    def several(self) -> bool:
        """Whether there is more than one part."""
        return self._only is None

    @property
    def kinds(self) -> dict[str, str]:
        """The type of each slot."""
        return {slot: next(iter(kinds)) if len(kinds) == 1 else "string" for slot, kinds in self._kinds.items()}

    def __iter__(self) -> Iterator[Rows]:
        """Walk the parts."""
        if self._files is None:
            yield self.whole()
            return
        for frame in self._files.parts(_PART_BYTES):
            yield self._rows(frame)

    def whole(self) -> Rows:
        """Return all rows as one part, in however much memory it takes."""
        if self._files is None:
            assert self._only is not None
            self._whole = self._whole or self._rows(self._only)
            return self._whole
        return self._rows(next(self._files.parts(None)))

    def _rows(self, frame: pl.DataFrame) -> Rows:
        return Rows(rows_of(frame, self._template, self._names), self.kinds)

    def _with_kinds_noted(self, piece: pl.DataFrame) -> pl.DataFrame:
        terms = piece.select(self._template.slots).unpivot(variable_name=_SLOT, value_name=_TERM)
        for slot, kind in terms.select(_SLOT, kinds_of(terms[_TERM])).drop_nulls().unique().iter_rows():
            self._kinds[slot].add(kind)
        return piece

    def _numbered(self, piece: pl.DataFrame) -> pl.DataFrame:
        """Add the number of each row's file: by the hash of its group; rows without a key are in the first."""
        front = self._template.front
        if not front.key:
            return piece.with_columns(pl.lit(0, pl.Int64).alias(_FILE))
        keys = piece.select(front.key).unique()
        columns = [self._names.columns(slot, keys[slot], slot == front.image) for slot in front.key]
        said = _as_said(pl.DataFrame([column for of_slot in columns for column in of_slot]), front)
        norms = [said[norm(slot)] for slot in front.key]
        named = pl.DataFrame([*keys.get_columns(), *norms]).drop_nulls([norm(slot) for slot in front.key])
        hashes = keys_of(self._seed, group_names(front, named).to_list()) >> np.uint64(64 - _FILES.bit_length() + 1)
        numbers = named.select(front.key).with_columns(pl.Series(_FILE, hashes.astype(np.int64)))
        return piece.join(numbers, on=front.key, how="left").with_columns(pl.col(_FILE).fill_null(0))


class _RowFiles:
    """Files of rows, as SPARQL writes results in TSV."""

    def __init__(self, columns: list[str]) -> None:
        self._folder, self._columns = Folder(), columns
        self._paths = [self._folder.path / f"{n}.tsv" for n in range(_FILES)]

    def deal(self, pieces: Iterator[pl.DataFrame]) -> None:
        """Write each row into its file."""
        with aside(), ExitStack() as stack:
            files = [stack.enter_context(path.open("wb")) for path in self._paths]
            for piece in pieces:
                for (number,), rows in piece.partition_by(_FILE, as_dict=True, include_key=False).items():
                    text = rows.select(self._columns).write_csv(None, separator="\t", include_header=False, quote_style="never")
                    files[number].write(text.encode())

    def parts(self, size: int | None) -> Iterator[pl.DataFrame]:
        """Yield the rows of some files in a row: so many that they hold `size` bytes, or of all files."""
        text = b""
        for path in self._paths:
            text += path.read_bytes()
            if size is not None and len(text) >= size:
                yield self._read(text)
                text = b""
        yield self._read(text)

    def _read(self, text: bytes) -> pl.DataFrame:
        schema = dict.fromkeys(self._columns, pl.String)
        return pl.read_csv(
            io.BytesIO(text), has_header=False, schema=schema, separator="\t", quote_char=None, raise_if_empty=False
        )
