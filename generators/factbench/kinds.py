"""What entities are in a few plain words: of lists of concepts, the first that fits each entity.

A concept fits a word where its head ends in it: "animated film" and "film of Norway" are films, a "film studio" is not. Where
none of an entity's own concepts fits, those above them are looked at, up to three steps.

```
>>> sorted(heads("capital city of Norway"))
['capital city', 'capital city of norway', 'city']

```
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

import polars as pl

from generators.graph_columns import GraphColumns, once
from kg.errors import InputError
from kg.files import read_bytes
from kg.formats import parse_toml, shipped_toml
from kg.text import fold
from kg.vocab import PREFIXES

Lists = Mapping[str, Sequence[str]]
_STEPS = 3
_SMALL_WORDS = frozenset(("of", "the", "and", "in", "for", "at", "de", "la"))
_BEHIND = re.compile(r" (?:of|in|for|with|by|at|from|on) |\s*\(|, ")


def kind_lists() -> tuple[dict[str, Lists], Lists]:
    """Return the lists of answers' kinds by name, and the list of works, as `kinds.toml` has them."""
    return _content()["kinds"], _content()["works"]


def thing_lists() -> Lists:
    """Return the list of groups and companies that are named with what they are, as `kinds.toml` has it."""
    lists: Lists = _content()["things"]
    return lists


def town_lists() -> Lists:
    """Return the list of towns whose names others bear, as `kinds.toml` has it."""
    lists: Lists = _content()["towns"]
    return lists


def organization_lists() -> Lists:
    """Return the list of companies, parties and other bodies that have short names, as `kinds.toml` has it."""
    return {"organization": organization_words()["concepts"]}


def organization_words() -> Lists:
    """Return what the names of organizations end in that people leave out: `legal` forms, what a `network` or a `trade` is."""
    lists: Lists = _content()["organizations"]
    return lists


def unions_of_countries() -> Sequence[str]:
    """Return the names of countries made of countries, as `kinds.toml` has them."""
    names: Sequence[str] = _content()["unions"]["countries"]
    return names


def roles() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the trade that a relation makes of whom it names (P57 a film director), and of its subject (P264 a musician)."""
    return _content()["roles"], _content()["trades"]


@cache
def _content() -> Mapping[str, Any]:
    return shipped_toml("generators", "factbench", "kinds.toml")


def domain_lists(path: str | None = None) -> tuple[Lists, Lists]:
    """Return the concepts and the occupations of each domain, from `domains.toml` or a file of the user's.

    Raises InputError where the file is none.
    """
    tables, place = _domain_tables(path)
    for name, table in tables.items():
        lists = [table.get(key, []) for key in _KEYS] if isinstance(table, dict) else [None]
        if not all(isinstance(words, list) and all(isinstance(word, str) for word in words) for words in lists):
            raise InputError(f"'{name}' is no table of lists of texts", place=place, way_out=_FORM)
    concepts, occupations = ({name: table.get(key, []) for name, table in tables.items()} for key in _KEYS)
    if not any(concepts.values()):
        raise InputError("no domain has concepts", place=place, way_out=_FORM)
    return concepts, occupations


def people_of_domains(path: str | None = None) -> dict[str, str]:
    """Return what people of each domain are called ("musician"), where `domains.toml` or a file of the user's says it.

    Raises InputError where the file is none.

    >>> people_of_domains()["music"]
    'musician'
    """
    tables, place = _domain_tables(path)
    people = {name: table["people"] for name, table in tables.items() if isinstance(table, dict) and "people" in table}
    for name, each in people.items():
        if not isinstance(each, str):
            raise InputError(f"'people' of '{name}' is no text", place=place, way_out='write people = "musician"')
    return people


def _domain_tables(path: str | None) -> tuple[dict[str, Any], str]:
    shipped = files("generators").joinpath("factbench", "domains.toml")
    data, place = (shipped.read_bytes(), "domains.toml") if path is None else (read_bytes(path), path)
    return parse_toml(data, place, way_out=_FORM), place


_FORM = 'write [NAME] and concepts = ["…"] for each domain'


_KEYS = ("concepts", "occupations")


def kinds_of(columns: GraphColumns, lists: Lists) -> pl.DataFrame:
    """Return for each entity that fits a list its number `e` and the list's name, `kind`.

    An entity's own concepts go before those above them; of lists that fit equally the first one of the file.
    """
    return _kinds(columns, tuple((name, tuple(words)) for name, words in lists.items()))


@once
def _kinds(columns: GraphColumns, named: tuple[tuple[str, tuple[str, ...]], ...]) -> pl.DataFrame:
    lists = dict(named)
    # One number says in how many steps a list fits, and which; of an entity it is the least of its concepts.
    fits = _lineage(columns).join(_words_of(lists), on="word")
    best = fits.group_by("c").agg(rank=(pl.col("level") * len(lists) + pl.col("order")).min())
    own = columns.concepts.join(best, on="c").group_by("e").agg(order=pl.col("rank").min() % max(len(lists), 1))
    return own.sort("e").select("e", kind=_named(lists))


@once
def _lineage(columns: GraphColumns) -> pl.DataFrame:
    """Return the words by which each concept, or one above it, fits a list, and in how few steps: c, word, level."""
    reach = pl.DataFrame({"c": range(len(columns.concept_labels))}, schema={"c": pl.UInt32}).with_columns(at="c")
    levels = [reach.with_columns(level=pl.lit(0))]
    for level in range(1, _STEPS + 1):
        reach = reach.join(columns.above, left_on="at", right_on="c").select("c", at="d").unique()
        levels.append(reach.with_columns(level=pl.lit(level)))
    every = pl.concat(levels).join(_ends_of_concepts(columns), left_on="at", right_on="n")
    return every.group_by("c", "word").agg(pl.col("level").min())


def domains_of(columns: GraphColumns, concepts: Lists, occupations: Lists) -> pl.DataFrame:
    """Return for each entity of a domain its number `e` and the domain: people by what they do, all others by what they are.

    Of several domains those count that at least half as many of an entity's occupations (or own concepts) fit as the commonest
    one, and of these the first of the file; what has no concept of any is of the domain of what lies above its concepts.
    """
    named = columns.relations.with_row_index("p").filter(
        (pl.col("iri") == f"{PREFIXES['wdt']}P106") | pl.col("names").list.contains("occupation")
    )
    pairs = columns.facts.join(named.select("p"), on="p").select(e="s", n="o")
    done = _commonest(pairs, fitting(only(columns.entities["label"], pairs["n"]), occupations)).select(
        "e", kind=_named(occupations)
    )
    own = _commonest(columns.concepts.rename({"c": "n"}), fitting(columns.concept_labels, concepts, _ends_of_concepts(columns)))
    typed = pl.concat([own.select("e", kind=_named(concepts)), kinds_of(columns, concepts)]).unique(
        "e", keep="first", maintain_order=True
    )
    return pl.concat([done, typed.join(done, on="e", how="anti")]).sort("e")


def only(labels: pl.Series, places: pl.Series) -> pl.Series:
    """Return labels, null where their place is not asked for."""
    there = pl.select(pl.int_range(len(labels), dtype=pl.UInt32).is_in(places.unique().implode())).to_series()
    return labels.set(~there, None)


def _commonest(pairs: pl.DataFrame, fits: pl.DataFrame) -> pl.DataFrame:
    """Return for each entity the first list that half as many of its things (`n`) fit as the commonest list: e, order."""
    counts = pairs.unique().join(fits, on="n").group_by("e", "order").len()
    common = counts.filter(2 * pl.col("len") >= pl.col("len").max().over("e"))
    return common.group_by("e").agg(pl.col("order").min()).sort("e")


def _named(lists: Lists) -> pl.Expr:
    return pl.col("order").replace_strict(dict(enumerate(lists)), return_dtype=pl.String)


def fitting(labels: pl.Series, lists: Lists, ends: pl.DataFrame | None = None) -> pl.DataFrame:
    """Return which labels (`n`: their place) fit which list (`order`: its place), the first list of each.

    Parameters: `ends` are what `_ends` finds of the labels, where that is known.
    """
    each = (_ends(labels) if ends is None else ends).join(_words_of(lists), on="word")
    return each.group_by("n").agg(pl.col("order").min()).sort("n")


def _words_of(lists: Lists) -> pl.DataFrame:
    """Return the folded words of lists, each of the first that has it: word, order."""
    words = {fold(word): order for order, words in reversed([*enumerate(lists.values())]) for word in words}
    return pl.DataFrame({"word": [*words], "order": [*words.values()]}, schema={"word": pl.String, "order": pl.UInt32})


def generic_words(labels: pl.Series) -> frozenset[str]:
    """Return the folded words of concepts' heads and the small words: what many names share.

    >>> sorted(generic_words(pl.Series(["private university", "borough of London"])) & {"university", "borough", "london"})
    ['borough', 'university']
    """
    return _SMALL_WORDS.union(*(fold(_BEHIND.split(label, maxsplit=1)[0]).split() for label in labels.drop_nulls().unique()))


@lru_cache(maxsize=65536)
def heads(label: str) -> tuple[str, ...]:
    """Return the folded ends of a concept's head, and the whole of it."""
    words = fold(_BEHIND.split(label, maxsplit=1)[0]).split()
    return tuple({fold(label), *(" ".join(words[i:]) for i in range(len(words)))})


@once
def _ends_of_concepts(columns: GraphColumns) -> pl.DataFrame:
    return _ends(columns.concept_labels)


def _ends(labels: pl.Series) -> pl.DataFrame:
    """Return the words by which each label (`n`: its place) fits a list: n, word."""
    pairs = [(n, word) for n, label in enumerate(labels) if label is not None for word in heads(label)]
    return pl.DataFrame(pairs, schema={"n": pl.UInt32, "word": pl.String}, orient="row")
