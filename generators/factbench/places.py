"""Places that are told apart by the state they are in, as people do in North America: "Oakland, California".

The title of a place's article says so: where it is the place's label, a comma and a name, people say both. A question names
such a subject by its title, and asks for city and state where such a place is the answer ("What city and state …?": FACT-BENCH,
section 2.1, on "Norwalk, California").

```
>>> with_state(["Oakland", "City of Oakland", "Oakland, Calif."], "Oakland, California", ["CA", "Golden State"])
['Oakland, California', 'Oakland, CA', 'Oakland, Calif.']

```
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import polars as pl

from generators.factbench.kinds import kind_lists, kinds_of
from generators.factbench.names import short_names
from generators.graph_columns import GraphColumns
from kg.text import fold, fold_all
from kg.vocab import PREFIXES

_SEATS = {"city": "city", "town": "town", "village": "village", "town or city": "town"}
"""Kinds of places that are asked for with their state, and what they are called then."""


def is_fuller(label: pl.Expr, title: pl.Expr) -> pl.Expr:
    """Tell whether an article's title is a label and, behind a comma, what it lies in."""
    return title.str.starts_with(pl.concat_str(label, pl.lit(", "))).fill_null(False)


def states_of(columns: GraphColumns, titles: pl.DataFrame) -> pl.DataFrame:
    """Return the places whose titles name their state: `e`, `title`, `state` (what it is called), `signs` (its other names).

    Parameters: `titles` has `s` (IRI) and `title`.
    """
    entities = columns.entities.with_row_index("e")
    named = entities.join(titles, left_on="iri", right_on="s").filter(is_fuller(pl.col("label"), pl.col("title")))
    named = named.with_columns(name=pl.col("title").str.extract(r", ([^,]+)$"))
    kinds = kinds_of(columns, kind_lists()[0]["state"]).rename({"kind": "state"})
    aliases = columns.aliases.group_by("e").agg(signs=pl.col("alias").sort())
    states = kinds.join(entities.select("e", name="label"), on="e").join(aliases, on="e", how="left")
    states = states.sort("e").unique("name", keep="none").select("name", "state", "signs")
    return named.join(states, on="name").select("e", "title", "state", "signs").sort("e")


def asked_with_state(kind: pl.Series, state: pl.Series) -> pl.Series:
    """Return what is asked for: "city and state" for a city whose state is known, else the kind alone."""
    seat = pl.col("kind").replace_strict(_SEATS, default=None, return_dtype=pl.String)
    both = pl.when(seat.is_not_null() & pl.col("state").is_not_null()).then(pl.format("{} and {}", seat, "state"))
    return pl.select(kind.alias("kind"), state.alias("state")).select(pl.coalesce(both, "kind")).to_series()


def with_state(names: Sequence[str], title: str, signs: Iterable[str]) -> list[str]:
    """Return a place's names that say its state, the title first; `signs` are the state's other names."""
    place = title.rpartition(", ")[0]
    short = [f"{place}, {sign}" for sign in signs if len(sign) == 2 and sign.isupper()]
    return list(dict.fromkeys([title, *short, *(name for name in names if ", " in name)]))


def said_by_a_place(rows: pl.DataFrame, columns: GraphColumns) -> pl.Series:
    """Tell of each fact whether its subject's name holds that of a place in the country that is asked for, or of its people.

    "University of Oregon" says its country to whoever knows where Oregon is, "American Academy" to anybody, and "the Hawaiian
    Islands" their state.

    Parameters: `rows` has property, term, answers, kind, and `said`, the subject's name.
    """
    country = f"{PREFIXES['wdt']}P17"
    relations = columns.relations.with_row_index("p").filter(pl.col("iri") == country)
    labels = columns.entities.select(name="label").with_row_index("s")
    places = kinds_of(columns, kind_lists()[0]["place"]).select(s="e")
    lying = columns.facts.join(relations, on="p", how="semi").join(places, on="s", how="semi").select("s", "o")
    lying = pl.concat([lying, _by_concept(columns, labels)]).join(labels, on="s")
    iris = columns.entities.select(term=pl.format("<{}>", "iri")).with_row_index("o")
    named = lying.join(iris, on="o").select("term", part=fold_all(lying.join(iris, on="o")["name"])).drop_nulls().unique()
    asked = rows.with_columns(i=pl.int_range(pl.len())).filter(
        pl.col("kind").is_not_null() | pl.col("property").is_in(_COUNTRIES)
    )
    asked = asked.select("i", "property", "term", "answers", words=fold_all(asked["said"]).str.split(" "))
    of_country = asked.filter(pl.col("property") == "P17")
    long = named.filter(pl.col("part").str.len_chars() >= _LONG).join(of_country, on="term", how="semi")
    within = {term: frozenset(parts) for term, parts in long.group_by("term").agg("part").iter_rows()}
    rows_told = [
        not within.get(term, _NONE).isdisjoint(_runs(words)) for term, words in of_country.select("term", "words").iter_rows()
    ]
    told = of_country.filter(pl.Series(rows_told, dtype=pl.Boolean))["i"]
    peoples = [names_people(words, answers or ()) for words, answers in asked.select("words", "answers").iter_rows()]
    told = pl.concat([told, asked.filter(pl.Series(peoples, dtype=pl.Boolean))["i"]])
    return pl.int_range(rows.height, eager=True).is_in(told.implode())


def _by_concept(columns: GraphColumns, labels: pl.DataFrame) -> pl.DataFrame:
    """Return the places whose concepts say in which country they lie, as "state of the United States" does: s, o."""
    concepts = pl.DataFrame({"label": columns.concept_labels}).with_row_index("c").drop_nulls()
    ends = concepts.with_columns(
        folded=fold_all(concepts["label"].str.extract(r" (?:of|in) (?:the )?(\p{Lu}.*)$"))
    ).drop_nulls()
    countries = kinds_of(columns, {"country": kind_lists()[0]["place"]["country"]}).select(o="e")
    names = pl.concat([labels.select(o="s", name="name"), columns.aliases.select(o="e", name="alias")]).drop_nulls()
    names = names.join(countries, on="o", how="semi")
    short = names.with_columns(name=pl.Series([short_names(name) for name in names["name"]], dtype=pl.List(pl.String)))
    names = pl.concat([names, short.explode("name").drop_nulls()]).unique()
    names = names.select("o", folded=fold_all(names["name"])).unique()
    return columns.concepts.join(ends.join(names, on="folded").select("c", "o"), on="c").select(s="e", o="o")


def names_people(words: Iterable[str], countries: Iterable[str]) -> bool:
    """Tell whether one of some folded words is what the people of a country of these names are called.

    >>> names_people(["american", "academy"], ["United States", "America"]), names_people(["norse", "academy"], ["Norway"])
    (True, False)
    """
    stems = _stems(tuple(countries))
    return bool(stems) and any(word.endswith(_PEOPLES) and word.startswith(stems) for word in words)


@lru_cache(maxsize=4096)
def _stems(countries: tuple[str, ...]) -> tuple[str, ...]:
    """Return what the words for a country's people begin with, of its names."""
    return tuple(stem for name in map(fold, countries) if len(stem := name.rstrip("aeiouy")) >= _LONG and " " not in name)


def _runs(words: Sequence[str]) -> Iterable[str]:
    """Return every run of a few words that is not all of a name."""
    for n in range(1, min(_RUN, len(words) - 1) + 1):
        yield from (" ".join(words[i : i + n]) for i in range(len(words) - n + 1))


_COUNTRIES = ("P17", "P495")
_PEOPLES = ("an", "ese", "ish", "s")
_NONE: frozenset[str] = frozenset()
_RUN = 3
_LONG = 4
"""A place's name has so many words at most, and so many letters at least."""
