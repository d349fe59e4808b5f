"""Complete items from a generator's own columns: the types, the order and the empty fields are the record's.

A generator brings a row for each item and says what its fields are; everything else is worked out here: `schema`, the id,
the structs of strata and source, and the fields that it has no use for. What the record is (`queries.records.item`) is
described there alone: a field that is added to it stands, empty, in the items of every generator.

>>> facts = pl.DataFrame({"city": ["Oslo", "Rome"], "country": ["Norway", "Italy"]})
>>> items = assemble(
...     facts,
...     bindings=["city", "country"],
...     strata={"domain": "places"},
...     source={"seed": "0"},
...     method="mine", family="capital", task="open", variant="basic",
...     question=pl.format("Of which country is {} the capital?", "city"),
...     answer=pl.concat_list("country"),
...     given=stated(facts, {"city": pl.col("city")}),
...     group=short_hashes("capital\\0" + facts["city"]),
... )
>>> items.select("id", "answer", "options").row(0)
('mine.capital.open.basic.8772ea417cb08d33', ['Norway'], None)
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from io import BytesIO
from typing import Any

import numpy as np
import polars as pl

from kg.errors import InputError, nearest
from kg.files import replacing
from kg.graph import Graph
from kg.text import fold
from queries.records import frame_schema
from queries.records.item import ITEM_SCHEMA, NO_LABELS, Item
from queries.records.line_checks import LineChecks
from queries.records.schema import empty_lists
from queries.records.shards import WHOLE, Shard

Value = str | pl.Expr | pl.Series
"""What a field of the items is: a text is the same for all of them, anything else has one value a row."""

_WORKED_OUT = ("schema", "id", "strata", "source")
_HEAD = ("method", "family", "task", "variant")
"""What an id begins with; all but the method is hashed, too."""
_HASHED = "\0hashed"
_NO_CLAIM = b',"claim":null}'
"""Stands within no text: there the quotation marks would have backslashes."""
_TOGETHER = 500
"""So many items are written and checked at a time."""
_TAG = re.compile("[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")
_MISSING = "\1"
"""Stands in an id's hash for a binding that has no value: no text of a graph holds it."""


def assemble(
    rows: pl.DataFrame,
    *,
    bindings: Sequence[str],
    strata: Mapping[str, Value | None],
    source: Mapping[str, Value],
    **fields: Value,
) -> pl.DataFrame:
    """Make a complete item of every row, in the order of the rows.

    Parameters: `bindings` names the columns whose values, with family, task and variant, tell an item from all others: its
    id is their hash, so it stays as long as they do; `strata` and `source` may hold any names; `fields` are fields of the
    record by name (`method, family, task, variant, question` and `group` always). Fields that are not given are null, or an
    empty list where the record says so.

    Returns a frame whose columns are those of the record, ready to be written by `write_items`.

    Raises ValueError where the record has no such field; InputError where two items get the same id.

    >>> assemble(pl.DataFrame({"q": ["?"]}), bindings=[], strata={}, source={}, questoin=pl.col("q"))
    Traceback (most recent call last):
    ValueError: an item has no field 'questoin' of its own; did you mean 'question'?
    """
    schema = frame_schema(Item, {"strata": strata, "source": source})
    _check_fields(fields, [name for name in schema if name not in _WORKED_OUT])
    values: dict[str, pl.Expr | pl.Series] = {
        **{name: _value(value) for name, value in fields.items()},
        "schema": pl.lit(ITEM_SCHEMA),
        "id": _ids(rows, bindings, fields),
        "strata": _struct(strata),
        "source": _struct(source),
    }
    # The ids are as many as the rows, so that a text that is the same for all stands in every one.
    items = rows.select(**{name: values.get(name, _empty(name, dtype)) for name, dtype in schema.items()})
    # A cast of what has the right type already would copy it.
    types = items.schema
    items = items.with_columns(pl.col(name).cast(dtype) for name, dtype in schema.items() if types[name] != dtype)
    _check_ids(items["id"])
    return items


def source_of(graph: Graph, seed: int, digest: str | None = None) -> dict[str, str]:
    """Say what items are made from: the `source` that every generator of ours writes, which others may add to.

    Names are in English, unless the loads say in which `languages` they are, the best first.
    Parameters: `digest` stands for the graph's own, where that would take reading all of it.
    """
    languages = languages_of(graph)
    return {
        "digest": digest or graph.digest(),
        "graph": graph.name,
        "generator": f"kgprobe {version('kgprobe')}",
        "seed": str(seed),
        **({"languages": ",".join(languages)} if {*languages} - {"en"} else {}),
    }


def languages_of(graph: Graph) -> list[str]:
    """Return the languages that names were asked for in when a graph was loaded, the best first; none where nobody says so.

    >>> from kg import open_graph
    >>> languages_of(open_graph())
    []
    """
    said = graph.provenance("SELECT DISTINCT ?languages { ?load kgp:languages ?languages } ORDER BY ?languages")["languages"]
    return list(dict.fromkeys(language for text in said for language in text.split(",") if _TAG.fullmatch(language)))


def write_items(path: str, *parts: pl.DataFrame, shard: Shard = WHOLE, counts: Iterable[int | None] = ()) -> int:
    """Write items into one file (`-` is stdout, `.gz` is compressed), the parts one after the other; return how many.

    The parts may differ in the names of their strata and sources. Every line is checked as `python -m queries.records check`
    does; the file appears when all of it is written. Of a `shard`, `counts` says how many items each group has, null where it
    is another's. Raises RecordError where a line is no item, or an id stands there twice.
    """
    checks = LineChecks(Item, path)
    with replacing(path) as stream:
        for part in parts:
            # Some at a time: they are checked before they leave the processor's cache, and memory holds the lines of a few.
            for rows in part.iter_slices(_TOGETHER) if shard.whole else [part]:
                lines = checks.checked(item_lines(rows))
                stream.write(lines if shard.whole else shard.in_place(lines, counts))
    return sum(part.height for part in parts)


def group_sizes(items: pl.DataFrame, owned: Sequence[bool]) -> list[int | None]:
    """Return how many items each group has, in order, null for those that are not `owned`; each of the others has one at least.

    >>> group_sizes(pl.DataFrame({"group": ["a", "a", "c"]}), [True, False, True])
    [2, None, 1]
    """
    sizes = iter(items["group"].rle().struct.field("len").to_list())
    return [next(sizes) if own else None for own in owned]


def each_once(owned: Iterable[bool]) -> list[int | None]:
    """Return how many items each fact has that gives one, null for those that are not owned.

    >>> each_once([True, False])
    [1, None]
    """
    return [1 if own else None for own in owned]


def item_lines(items: pl.DataFrame) -> bytes:
    r"""Return items as the lines of a file; what says nothing (`claim`, `path_labels`) has no field, as records are written.

    >>> item_lines(pl.DataFrame({"given": [[{"slot": "year", "value": "1999", "claim": None}]]}))
    b'{"given":[{"slot":"year","value":"1999"}]}\n'
    """
    text = BytesIO()
    items.write_ndjson(text)
    return text.getvalue().replace(_NO_CLAIM, b"}").replace(NO_LABELS.encode(), b"}")


# --- names and hashes


def slug(name: str) -> str:
    """Return a name as a part of an id; one with other characters than letters, digits, - and _ becomes a hash.

    >>> slug("movie_director"), slug("né à")
    ('movie_director', 'f846fdb7')
    """
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else short_hash(name, 8)


def family_of(label: str) -> str:
    """Make a family's name of a relation's label, for generators whose families are the relations of a graph.

    >>> family_of("place of birth"), family_of("né à l'étranger"), family_of("出生地")
    ('place-of-birth', 'ne-a-letranger', 'eea91051')
    """
    words = re.sub(r"[^a-z0-9]+", "-", fold(label)).strip("-")
    return words if words and fold(label).isascii() else short_hash(label, 8)


def short_hash(text: str, digits: int = 16) -> str:
    """Return hex digits of the SHA-256 of a text: what ids and groups end in.

    >>> short_hash("a")
    'ca978112ca1bbdca'
    """
    return hashlib.sha256(text.encode()).hexdigest()[:digits]


def short_hashes(texts: pl.Series) -> pl.Series:
    """Return the hash of each text of a column."""
    return pl.Series([short_hash(text) for text in texts.to_list()], dtype=pl.String)


def mapped(texts: pl.Series, function: Callable[[str], str]) -> pl.Series:
    """Apply a function to every text; each distinct text is worked out once."""
    distinct = texts.unique()
    return texts.replace_strict(distinct, [function(text) for text in distinct], return_dtype=pl.String)


def _ids(rows: pl.DataFrame, bindings: Sequence[str], fields: Mapping[str, Value]) -> pl.Series:
    """`method.family.task.variant.HASH`, HASH over everything that makes an item but its method."""
    bound_texts = [pl.col(name).cast(pl.String).fill_null(_MISSING) for name in bindings]
    hashed = pl.concat_str([*(_value(fields[name]) for name in _HEAD[1:]), *bound_texts], separator="\0")
    varied = {name: _value(fields[name]) for name in _HEAD if not isinstance(fields[name], str)}
    named = rows.with_columns(hashed.alias(_HASHED), **varied)
    ends = short_hashes(named[_HASHED])
    head = [pl.lit(slug(text)) if isinstance(text := fields[name], str) else mapped(named[name], slug) for name in _HEAD]
    return pl.select(pl.concat_str([*head, ends], separator=".")).to_series()


# --- lists of structs


def stated(rows: pl.DataFrame, slots: Mapping[str, pl.Expr], claims: Mapping[str, pl.Expr] | None = None) -> pl.Series:
    """Return for each row what its question states, by slot: the field `given`.

    Parameters: `claims` says of a slot whether the question merely claims its value.

    >>> stated(pl.DataFrame({"city": ["Oslo"]}), {"capital": pl.col("city")}, {"capital": pl.lit(True)}).to_list()
    [[{'slot': 'capital', 'value': 'Oslo', 'claim': True}]]
    """
    claimed = {slot: pl.when(is_claim).then(True) for slot, is_claim in (claims or {}).items()}
    no_claim = pl.lit(None, pl.Boolean)
    given = [pl.struct(slot=pl.lit(slot), value=value, claim=claimed.get(slot, no_claim)) for slot, value in slots.items()]
    return listed(_columns(rows, given))


def bound(name: str | pl.Expr, term: pl.Expr) -> pl.Expr:
    """Return a binding of a proof: a variable and its term as N-Triples writes it."""
    return pl.struct(name=pl.lit(name) if isinstance(name, str) else name, term=term)


def proved(
    rows: pl.DataFrame, query: str, bind: Mapping[str, pl.Expr] | pl.Series, expect: bool | None, returns: pl.Expr | None = None
) -> pl.Series:
    """Return one proof for each row; `listed` makes the field `proof` of several.

    Parameters: `query` as an item names it (`queries.templates.library.versioned`); `bind`: the term of each variable, or
    lists of bindings; `expect`: what an ASK returns; `returns`: the rows of a SELECT.

    >>> capitals = pl.DataFrame({"city": ["<http://e.org/oslo>"]})
    >>> proved(capitals, "true_subjects@1", {"o": pl.col("city")}, True).to_list()[0]["bind"]
    [{'name': 'o', 'term': '<http://e.org/oslo>'}]
    """
    if not isinstance(bind, pl.Series):
        bind = listed(_columns(rows, [bound(name, term) for name, term in bind.items()]))
    returned = pl.lit(None, pl.List(pl.List(pl.String))) if returns is None else returns
    proof = pl.struct(query=pl.lit(query), bind=bind, expect=pl.lit(expect, pl.Boolean), rows=returned)
    return _columns(rows, [proof])[0]


def listed(columns: Sequence[pl.Series]) -> pl.Series:
    """Make a list per row of the values of some columns.

    `pl.concat_list` does the same, and takes forty times as long on structs.

    >>> listed([pl.Series(["a", "b"]), pl.Series(["c", "d"])]).to_list()
    [['a', 'c'], ['b', 'd']]
    """
    rows = len(columns[0])
    # One column under the other, then row 0 of each, row 1 of each, …
    turns = np.arange(len(columns) * rows).reshape(len(columns), rows).T.ravel()
    return pl.concat(columns).gather(turns).reshape((rows, len(columns))).arr.to_list()


def _columns(rows: pl.DataFrame, values: Sequence[pl.Expr]) -> list[pl.Series]:
    """Work out expressions, each to a column as long as the rows, even one that depends on no column."""
    names = [f"\0{i}" for i in range(len(values))]
    return rows.with_columns(value.alias(name) for value, name in zip(values, names, strict=True)).select(names).get_columns()


# --- what the record asks for


def _value(value: Value | None) -> pl.Expr | pl.Series:
    return pl.lit(value, pl.String) if value is None or isinstance(value, str) else value


def _struct(values: Mapping[str, Value | None]) -> pl.Expr:
    named: dict[str, Any] = {name: _value(value) for name, value in values.items()}
    return pl.struct(**named) if named else pl.lit({}, pl.Struct({}))


@cache
def _empty(name: str, dtype: pl.DataType) -> pl.Expr:
    """Return what stands in a field that a generator has no use for: an empty list where the record forbids null."""
    return pl.lit([] if name in empty_lists(Item) else None, dtype)


def _check_fields(fields: Mapping[str, Value], known: Sequence[str]) -> None:
    for name in fields:
        if name not in known:
            raise ValueError(f"an item has no field '{name}' of its own; {nearest(name, known)}")


def _check_ids(ids: pl.Series) -> None:
    if ids.n_unique() < len(ids):
        twice = ids.filter(ids.is_duplicated())[0]
        raise InputError(f"two items would have the id {twice}", way_out="bind what tells them apart")
