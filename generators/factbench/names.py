"""Which other names of an answer a person would accept: by what they look like, and by who else bears them.

The other names of a graph hold codes ("GBR", "th"), notes ("renal failure (disorder)"), other scripts, and names of other
things ("USA" of an army). What a judge accepts of itself (surnames, articles, a place behind a comma) need not be listed.

```
>>> names = ("NYC", "NY", "SFO", "New York, New York", "nueva york", "Νέα Υόρκη")
>>> [name for name in names if is_everyday(name, "New York City")]
['NYC']

```
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

import polars as pl

from generators.factbench.countries import names_of_countries
from generators.factbench.kinds import Lists, kind_lists, kinds_of, organization_lists, organization_words, unions_of_countries
from generators.graph_columns import GraphColumns
from kg.text import fold, fold_all

_NOTE = re.compile(r"[()\[\]{}<>,;:/|_=*#@]|\s[-–—]\s|\s{2}")
_SMALL_WORDS = frozenset(("of", "the", "and", "in", "for", "de", "la", "du", "des", "von", "und", "der"))
_CODE = 3
"""A single word of so few letters is a code unless it is made of the first letters of a name, or a word of one."""
_SHOUTED = 5
_PLACING = frozenset(("in", "at", "near", "for", "from"))
"""An acronym of more letters is a name that somebody shouts."""
_MOTTO = 3
"""Of more words is a nickname that has none of the name's: "Land of the Rising Sun"."""
_ADJECTIVE_ENDS = ("an", "al", "ish", "ese")
_FORM_OF = r"^(?:London |Royal |Metropolitan )?(?:City|Borough|County|Province|State|Prefecture|Municipality) of (?:the )?"
_LEFT_OUT = ("county", "prefecture", "province", "canton", "department", "district", "municipality", "governorate")
"""Words for what a place is that people leave out: Suffolk, of Suffolk County, but never Mexico, of Mexico City."""
_TWICE = re.compile(r"\b([A-Z][a-z]{2,})\1\b")
_STATE = re.compile(r"^(?P<form>.+?) of (?:the )?(?P<name>\p{Lu}.+)$".replace(r"\p{Lu}", "[A-ZÀ-ÖØ-Þ]"))


def is_everyday(name: str, label: str, others: Sequence[str] = ()) -> bool:
    """Tell whether a name looks like one that people use of what bears the label, and maybe `others`.

    >>> others = ["United States", "U.S.", "the United States"]
    >>> [name for name in ("USA", "U.S.", "US", "us", "USR", "🇺🇸") if is_everyday(name, "United States of America", others)]
    ['USA', 'U.S.', 'US']
    >>> is_everyday("ireland", "Ireland"), is_everyday("el presidente de asia", "Asia"), is_everyday("KNEE PAIN", "knee pain")
    (False, False, False)
    """
    if not any(map(str.isalpha, name)) or _NOTE.search(name) or len(fold(name)) < 2:
        return False
    if _is_latin(label) and not _is_latin(name):
        return False
    if {word.lower() for word in label.split() if word[:1].isupper()} & set(name.split()):
        return False  # "asia": a name that its own words are written too carelessly for
    if name != label and name.isupper() and sum(map(str.isalpha, name)) > _SHOUTED:
        return False
    if any(map(str.isdigit, name)) and not any(map(str.isdigit, label)):
        return False
    if len(name.split()) > _MOTTO and not _meaning(label) & _meaning(name):
        return False
    bare = name.replace(".", "")
    if len(bare) > _CODE or " " in name:
        return True
    # A name's own letters prove nothing; a word of another one does: "Fox", of "Fox Broadcasting Company".
    rest = (each for each in (label, *others) if each.casefold() != name.casefold())
    words = {word.casefold() for each in rest for word in each.split()}
    return bool(words & {bare.casefold()}) or (bare.isupper() and bare in _initials((label, *others)))


def _meaning(name: str) -> set[str]:
    return set(fold(name).split()) - _SMALL_WORDS


def _is_latin(text: str) -> bool:
    return text.isascii() or all(unicodedata.name(letter, "").startswith("LATIN") for letter in text if letter.isalpha())


def _initials(names: Sequence[str]) -> set[str]:
    """Return the first letters of names of several words, with and without the small words."""
    found = set()
    for name in names:
        words = [word for word in re.split(r"[\s\-]+", name) if word[:1].isalpha()]
        for kept in (words, [word for word in words if word.casefold() not in _SMALL_WORDS]):
            if len(kept) > 1:
                found.add("".join(word[0] for word in kept).upper())
    return found


def short_names(label: str) -> list[str]:
    """Return what a state is called for short: without what kind of state it is, or by its first letters.

    What the starter graph calls it counts, too.

    >>> short_names("Kingdom of the Netherlands"), short_names("United States of America"), short_names("Peru")
    (['Netherlands', 'Holland'], ['United States', 'America', 'USA', 'US'], [])
    """
    match = _STATE.match(label)
    form = f" {fold(match['form'])}" if match else ""
    is_form = bool(form) and any(form.endswith(f" {fold(word)}") for word in kind_lists()[0]["place"]["country"])
    words = [[word for word in text.split() if word[:1].isupper()] for text in (label, match["form"] if match else "")]
    short = [match["name"]] if match and is_form else []
    union = [match["form"], match["name"]] if match and not is_form and " " in match["form"] else []
    letters = ["".join(word[0] for word in each) for each in words if 1 < len(each) <= _CODE and not is_form]
    known = (name for each in (label, *short, *union[:1]) for name in names_of_countries().get(fold(each), ()))
    return [name for name in dict.fromkeys([*short, *union, *letters, *known]) if name != label]


def names_of_organization(label: str) -> list[str]:
    """Return what a company or a party is called for short: without its legal form or what it makes, or by its first letters.

    >>> names_of_organization("Hasbro, Inc."), names_of_organization("American Broadcasting Company")
    (['Hasbro'], ['ABC'])
    >>> names_of_organization("Paramount Pictures"), names_of_organization("Metro-Goldwyn-Mayer")
    (['Paramount'], ['MGM'])
    >>> names_of_organization("Fox Broadcasting Company")
    ['Fox', 'FBC']
    """
    ends = organization_words()
    short, name = [], label
    for words in (ends["legal"], ends["trade"]):
        rest, _, end = name.rpartition(" ")
        if rest and fold(end) in map(fold, words):
            short.append(name := rest.rstrip(","))
    brand, _, end = label.partition(" ")
    if fold(end) in map(fold, ends["network"]) and not brand.endswith(_ADJECTIVE_ENDS):
        short.append(brand)
    parts = [word for word in re.split(r"[\s\-]+", label) if word.casefold() not in _SMALL_WORDS]
    initials = "".join(word[:1] for word in parts)
    return [*short, initials] if len(parts) > 2 and initials.isalpha() and initials.isupper() else short


def without_kind(name: pl.Expr, kind: pl.Expr) -> pl.Expr:
    """Return what is left of a place's name without the word for what is asked for: "Nagano", of Nagano Prefecture.

    >>> places = {"Nagano Prefecture": "prefecture", "City of Westminster": "city", "Mexico City": "city", "City of God": None}
    >>> rows = pl.DataFrame({"name": list(places), "kind": list(places.values())})
    >>> rows.select(without_kind(pl.col("name"), pl.col("kind")))["name"].to_list()
    ['Nagano', 'Westminster', 'Mexico City', 'City of God']
    """
    end = pl.concat_str(pl.lit(" "), pl.when(kind.is_in(_LEFT_OUT)).then(kind.str.to_titlecase()))
    short = name.str.strip_suffix(end).fill_null(name)
    return pl.when(kind.is_not_null()).then(short.str.replace(_FORM_OF, "")).otherwise(name)


def is_shouted(name: str) -> bool:
    """Tell whether a name of several words is written in capitals throughout, as no question would.

    >>> [name for name in ("GREEN BAY PACKERS", "NASA", "AC DC", "BBC One", "ABBA GOLD") if is_shouted(name)]
    ['GREEN BAY PACKERS', 'ABBA GOLD']
    """
    words = name.split()
    return len(words) > 1 and name.isupper() and sum(len(word) > _CODE for word in words) > 1


def is_odd(name: str) -> bool:
    """Tell whether a person's name is written as no name is: a small last word, two in one, or with a place.

    >>> names = ("Tyler posey", "Miley CyrusCyrus", "Grand Stadium in Damascus", "bell hooks", "Leonardo DiCaprio")
    >>> [name for name in names if is_odd(name)]
    ['Tyler posey', 'Miley CyrusCyrus', 'Grand Stadium in Damascus']
    """
    words = name.split()
    small = len(words) > 1 and words[0][:1].isupper() and words[-1][:1].islower()
    return small or bool(_TWICE.search(name)) or not _PLACING.isdisjoint(words)


def accepted_names(columns: GraphColumns, popularity: pl.Series, wanted: pl.Series, titles: pl.DataFrame) -> pl.DataFrame:
    """Return the other names of entities that a person would accept: `e`, `names`.

    A name that several bear belongs to the most popular of them, and never to one where it is the label of another of the same
    kind, unless it is a part of its own ("Labour" of the Labour Party).

    Parameters: `popularity` of each entity, in the order of `columns.entities`; `wanted`: the numbers of the answers;
    `titles` (e, alias): what articles about them are called.
    """
    entities = columns.entities.select("label", popularity=popularity.fill_null(-1.0)).with_row_index("e")
    own = entities.filter(pl.col("e").is_in(wanted.unique().implode())).drop_nulls("label").rename({"popularity": "mine"})
    states = own.join(kinds_of(columns, _countries()).select("e"), on="e", how="semi", maintain_order="left")
    bodies = own.join(kinds_of(columns, organization_lists()).select("e"), on="e", how="semi", maintain_order="left")
    shorter = pl.concat([_named(states, short_names), _named(bodies, names_of_organization)])
    given = pl.concat([columns.aliases, titles]).join(own.select("e"), on="e", how="semi").select("e", "alias").drop_nulls()
    names = pl.concat([given, shorter]).unique().join(own, on="e")
    others = dict(pl.concat([given, shorter]).group_by("e").agg("alias").iter_rows())
    everyday = [
        is_everyday(alias, label, others.get(e, ())) for e, alias, label in names.select("e", "alias", "label").iter_rows()
    ]
    names = names.filter(pl.Series(everyday, dtype=pl.Boolean))
    names = names.with_columns(name=fold_all(names["alias"]), folded=fold_all(names["label"]))
    names = names.filter(pl.col("name") != pl.col("folded")).join(
        _given_away(columns, names, entities), on=["e", "name"], how="anti"
    )
    names = names.sort("e", "alias").unique(["e", "name"], keep="first", maintain_order=True)
    return names.group_by("e", maintain_order=True).agg(names=pl.col("alias"))


def _named(entities: pl.DataFrame, names: Callable[[str], list[str]]) -> pl.DataFrame:
    """Return what a rule calls entities besides their labels: e, alias."""
    each = pl.Series([names(label) for label in entities["label"]], dtype=pl.List(pl.String))
    return entities.select("e", alias=each).explode("alias").drop_nulls()


def _countries() -> Lists:
    return {"country": kind_lists()[0]["place"]["country"]}


def _given_away(columns: GraphColumns, names: pl.DataFrame, entities: pl.DataFrame) -> pl.DataFrame:
    """Return the names (e, name) that are rather somebody else's."""
    bearers = columns.names.rename({"e": "other"}).join(names.select("name").unique(), on="name", how="semi")
    shared = names.select("e", "name", "folded", "mine").join(bearers, on="name").filter(pl.col("e") != pl.col("other"))
    shared = shared.join(entities.select(other="e", theirs="popularity"), on="other")
    labels = columns.labels.select(other="e", name="label", labelled=pl.lit(True))
    shared = shared.join(labels, on=["other", "name"], how="left")
    alike = shared.select("e", "other").unique().join(columns.concepts, on="e")
    alike = alike.join(columns.concepts.rename({"e": "other"}), on=["other", "c"]).select("e", "other").unique()
    shared = shared.join(alike.with_columns(alike=pl.lit(True)), on=["e", "other"], how="left")
    part = pl.format(" {} ", "folded").str.contains(pl.format(" {} ", "name"), literal=True)
    theirs = (pl.col("theirs") > pl.col("mine")) | (pl.col("alike").fill_null(False) & pl.col("labelled").fill_null(False))
    return shared.filter(theirs & ~part).select("e", "name").unique()


def within_countries(
    columns: GraphColumns, places: pl.DataFrame, within: pl.DataFrame, country: pl.DataFrame, past: pl.Series
) -> pl.DataFrame:
    """Return the countries of today within a country in which things lie (England): e, o (the country), part.

    Parameters: `places` (e, x): where things are, in one step; `within` (e, x): what places lie in; `country` (e, o): the
    countries that things are said to belong to; `past`: whether each entity is no more.
    """
    known = kinds_of(columns, _countries()).select(x="e").filter(~pl.col("x").is_in(past.arg_true().implode()))
    reach = [places]
    for _ in range(_UP):
        reach.append(reach[-1].join(within.rename({"e": "x", "x": "up"}), on="x").select("e", x="up").unique())
    parts = pl.concat(reach).unique().join(known, on="x", how="semi")
    parts = parts.join(country.rename({"e": "x"}), on="x")
    return parts.join(country, on=["e", "o"]).filter(pl.col("x") != pl.col("o")).select("e", "o", part="x").unique()


def divided(columns: GraphColumns, country: pl.DataFrame, past: pl.Series) -> pl.DataFrame:
    """Return the countries (o) that several countries of today lie within: who lies there may be said to lie in one of these.

    Which these are is seen in the graph; the United Kingdom is one (`kinds.toml`) also where its parts are not there.

    Parameters: `country` (e, o): the countries that things are said to belong to; `past`: whether each entity is no more.
    """
    known = kinds_of(columns, _countries()).filter(~pl.col("e").is_in(past.arg_true().implode()))
    parts = country.join(known, on="e", how="semi").filter(pl.col("e") != pl.col("o")).unique()
    seen = parts.group_by("o").len().filter(pl.col("len") >= _SEVERAL).select("o")
    labels = columns.entities.select("label").with_row_index("o").drop_nulls()
    unions = labels.filter(fold_all(labels["label"]).is_in([fold(name) for name in unions_of_countries()])).select("o")
    return pl.concat([seen, unions.join(country.select("o"), on="o", how="semi")]).unique().sort("o")


_SEVERAL = 3
_UP = 4
"""So many steps lead from a place to the country within a country: a district, a town, a county, a region."""
