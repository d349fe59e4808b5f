"""Which facts are doubtful as questions, by what the graph itself shows of them.

A name that tells the answer, a name of a kind whose names repeat, an object of a kind or a trade that the relation's objects
hardly ever have: each rule takes whole columns and says which entities to leave out, of everything or of a relation.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from generators.articles import head_of
from generators.fpq.edits import TYPICAL
from generators.fpq.naming import namesake_places, titled, told_apart
from generators.graph_columns import GraphColumns, ints, marked, once
from generators.inflections import is_common_noun
from kg.sets import Bits, Ints, spans
from kg.text import fold_all
from queries.domain import called

LEAST = 20
"""What fewer things of a relation or a kind have says nothing about the others."""

_RARE = 20
"""A kind is rare among the objects of a relation that one in so many has, or fewer."""

_REPEATING = 10
"""The names of a kind do not tell, if one in so many of its members bears another's name, or more."""

_RETURNED = 0.75
"""A relation is stated both ways as a rule if such a share of its facts is: borders, capitals."""

_FEW = 500
"""A relation is rare if for so many entities of the graph less than one is a subject of it."""

_STEPS = 4
"""So many steps up from a town one looks for what it lies in: a district, a county, a state, a country."""

_STEM = 5
"""Two words are of one stem if so many letters at their beginning are the same."""


def of_one_name(subject: pl.Series, object: pl.Series) -> pl.Series:
    """Say of pairs of folded names whether one tells the other: all of its words stand in it, or words of one stem.

    >>> subject = pl.Series(["sri lanka", "fresno", "northampton", "lee county", "france"])
    >>> object = pl.Series(["sri lankan rupee", "fresno county", "northamptonshire", "collier county", "germany"])
    >>> of_one_name(subject, object).to_list()
    [True, True, True, False, False]
    """
    ends = pl.DataFrame({"s": _stems(subject), "o": _stems(object)})
    return ends.select((_stands_in("s", "o") | _stands_in("o", "s")).fill_null(False)).to_series()


def one_tells(names: pl.Series, s: Ints, o: Ints) -> npt.NDArray[np.bool_]:
    """Say of pairs of places in `names` whether one of the two names tells the other, as `of_one_name` says it.

    >>> names = pl.Series(["fresno", "fresno county", "germany", None])
    >>> one_tells(names, np.array([0, 1, 2, 3]), np.array([1, 2, 2, 0])).tolist()
    [True, False, True, False]
    """
    ends, place = np.unique(np.concatenate([s, o]), return_inverse=True)
    signs = _signs(names.gather(ends))
    own, other = signs[place[: len(s)]], signs[place[len(s) :]]
    # Most pairs share no word at all: few are left whose words have to be compared one by one.
    told: npt.NDArray[np.bool_] = ((own & ~other) == 0) | ((other & ~own) == 0)
    told[told] = of_one_name(names.gather(s[told]), names.gather(o[told])).to_numpy()
    return told


def _signs(names: pl.Series) -> Bits:
    """Return a bit for each word of each name, by its hash: where a bit of one is missing in the other, so is its word."""
    words = pl.DataFrame({"stem": _stems(names)}).with_row_index("name").explode("stem")
    said = words.filter(~pl.col("stem").is_in(["the", ""]))
    signs = np.zeros(len(names), np.uint64)
    np.bitwise_or.at(signs, said["name"].to_numpy(), np.uint64(1) << (said["stem"].hash().to_numpy() % np.uint64(64)))
    return signs


def _stems(names: pl.Series) -> pl.Series:
    """Return the words of each name, the longer ones by the letters at their beginning."""
    return names.str.split(" ").list.eval(pl.element().str.head(_STEM))


def _stands_in(short: str, long: str) -> pl.Expr:
    """Say whether every word of one name, but for "the", is of one stem with a word of the other."""
    words = pl.col(short).list.set_difference(pl.lit(["the", ""]))
    return (words.list.len() > 0) & (words.list.set_difference(pl.col(long)).list.len() == 0)


@once
def ambiguous(columns: GraphColumns) -> pl.Series:
    """Return the entities whose label another entity of the same concept bears, unless kind and year tell them apart.

    Of places those too whose name a place of another kind bears.
    """
    named = columns.concepts.join(columns.labels, on="e")
    several = named.group_by("c", "label").agg(pl.col("e").unique()).filter(pl.col("e").list.len() > 1)
    every = several["e"].explode().unique()
    same_kind = every.filter(~every.is_in(told_apart(columns).implode()))
    return pl.concat([same_kind, namesake_places(columns)]).unique().sort()


@once
def repeating(columns: GraphColumns) -> pl.Series:
    """Return the entities of a kind whose names repeat: another bears the name of a tenth of them, as with counties."""
    kinds = columns.concepts.join(_heads(columns), on="c").select("e", "head").unique()
    label = pl.DataFrame({"label": columns.folded_labels}).with_row_index("e").drop_nulls()
    named = kinds.join(label, on="e")
    counted = named.with_columns(twice=pl.len().over("head", "label") > 1)
    repeats = counted.group_by("head").agg(names=pl.len(), twice=pl.col("twice").sum())
    heads = repeats.filter((pl.col("twice") * _REPEATING >= pl.col("names")) & (pl.col("names") >= LEAST))
    of_kind = named.join(heads, on="head", how="semi")["e"]
    # Lee County is a county, whether or not the graph says so.
    called_so = label.filter(pl.col("label").str.split(" ").list.set_intersection(heads["head"].to_list()).list.len() > 0)["e"]
    return pl.concat([of_kind, called_so]).unique().sort()


@once
def atypical_kinds(columns: GraphColumns, end: str = "o") -> pl.DataFrame:
    """Return p, e: objects of a relation (or subjects) that have kinds, but only such as hardly any of its objects have.

    Kinds go by the word that says what they are: a film award is an award.
    """
    # By the number of the word, counted in columns of numbers: joins of as many rows take many times as long.
    heads = _heads(columns).with_columns(kind=pl.col("head").rank("dense"))
    kinds = columns.concepts.join(heads, on="c").select("e", "kind").unique().sort("e")
    things = columns.objects if end == "o" else columns.subjects
    p = ints(things["p"])
    thing, at = spans(kinds["e"].to_numpy(), things["e"].to_numpy())
    typed = np.bincount(thing, minlength=len(p)) > 0
    every = np.bincount(p[typed], minlength=columns.relations.height)
    width = int(heads["kind"].max() or 0) + 1  # type: ignore[arg-type]
    keys, key, have = np.unique(p[thing] * width + kinds["kind"].to_numpy()[at], return_inverse=True, return_counts=True)
    known = every[keys // width]
    usual = (known < LEAST) | (have * _RARE > known)
    ordinary = np.bincount(thing[usual[key]], minlength=len(p)) > 0
    # Where most are of one rare kind or another, that is the usual thing.
    telling = 2 * np.bincount(p[ordinary], minlength=len(every)) >= every
    return things.filter(pl.Series(typed & ~ordinary & telling[p]))


@once
def atypical_trades(columns: GraphColumns) -> pl.DataFrame:
    """Return p, e: who has trades, but none that is typical of the relation's objects (a fifth of those with trades have it).

    Told of relations of twenty objects or more, half of which have trades; of everybody with trades, objects or not.
    """
    trades = columns.facts.join(columns.of_role("trades"), on="p").select(e="s", trade="o").unique()
    objects = columns.objects
    working = objects.join(trades, on="e")
    known = working.group_by("p").agg(working=pl.col("e").n_unique()).join(objects.group_by("p").len("every"), on="p")
    told = known.filter((2 * pl.col("working") >= pl.col("every")) & (pl.col("every") >= LEAST))
    have = working.group_by("p", "trade").agg(have=pl.col("e").n_unique()).join(told, on="p")
    typical = have.filter(TYPICAL * pl.col("have") >= pl.col("working"))
    who = told.select("p").join(trades.select("e").unique(), how="cross")
    return who.join(typical.join(trades, on="trade"), on=["p", "e"], how="anti").sort("p", "e")


def untyped(columns: GraphColumns) -> pl.DataFrame:
    """Return p, e: objects without a kind, of relations half of whose objects have one."""
    typed = columns.concepts.select("e").unique()
    there = marked(columns.n, typed["e"])
    objects = columns.objects.with_columns(typed=pl.Series(there[columns.objects["e"].to_numpy()]))
    mostly = objects.group_by("p").agg(pl.col("typed").mean()).filter(pl.col("typed") >= 0.5).select("p")
    return objects.filter(~pl.col("typed")).join(mostly, on="p").select("p", "e")


def rare(columns: GraphColumns) -> pl.Series:
    """Return the relations of so few subjects that nothing tells what is usual there."""
    subjects = columns.subjects.group_by("p").agg(subjects=pl.len())
    return subjects.filter(_FEW * pl.col("subjects") < columns.n)["p"].sort()


@once
def unreturned(columns: GraphColumns) -> pl.DataFrame:
    """Return s, p, o: facts that nothing states the other way round, of relations whose facts are stated so as a rule."""
    facts = columns.paired
    turned = facts.join(facts.select(s="o", o="s", q="p"), on=["s", "o"])
    back = turned.group_by("p", "q").len()
    every = columns.facts.group_by("p").len("every").filter(pl.col("every") >= LEAST)
    usual = back.join(every, on="p").filter(pl.col("len") >= _RETURNED * pl.col("every")).select("p", "q")
    asked = columns.facts.join(usual, on="p", how="semi")
    return asked.join(turned.join(usual, on=["p", "q"]), on=["s", "p", "o"], how="anti")


@once
def adapted(columns: GraphColumns) -> pl.DataFrame:
    """Return p, e: who wrote what films and plays are based on; many a graph says that they wrote the script as well."""
    authors = columns.facts.join(columns.of_role("sources"), on="p").select(e="o").unique()
    return columns.of_role("scripts").join(authors, how="cross")


@once
def doubtful_titles(columns: GraphColumns) -> pl.Series:
    """Return works of no known year whose title does not tell which is meant: it is a common noun, or borne by something else.

    A common noun is title enough of a work that is better known than three in four.
    """
    dated = columns.years.filter(pl.col("year").is_not_null())["e"]
    bare = pl.Series("name", columns.folded_labels).str.replace(r"^(the|an?) ", "")
    works = pl.DataFrame({"e": titled(columns)}).filter(~pl.col("e").is_in(dated.implode()))
    works = works.with_columns(name=bare.gather(works["e"]), facts=columns.degrees.gather(works["e"])).drop_nulls("name")
    names = columns.names.select(x="e", name=pl.col("name").str.replace(r"^(the|an?) ", ""))
    borne = works.join(names, on="name").filter(pl.col("e") != pl.col("x"))["e"]
    lesser = works.filter(pl.col("facts") <= pl.col("facts").quantile(0.75))
    words = lesser.filter(~pl.col("name").str.contains(" "))
    nouns = words.filter(pl.col("name").map_elements(is_common_noun, return_dtype=pl.Boolean))["e"]
    return pl.concat([borne, nouns]).unique().sort()


@once
def nested(columns: GraphColumns) -> pl.DataFrame:
    """Return p, e: objects of which one lies in the other: the wider where the narrower is meant, and the other way round.

    Which is meant is told by the roles `narrow` and `whole` of `alike.toml`.
    """
    objects = columns.objects
    within = columns.contained.select(e="below", above="above").filter(pl.col("e") != pl.col("above")).unique()
    found, above = [objects.clear()], objects.join(columns.of_role("narrow"), on="p")
    for _ in range(_STEPS):
        above = above.join(within, on="e").select("p", e="above").unique()
        found.append(above.join(objects, on=["p", "e"]))
    land = columns.facts.join(columns.of_role("within"), on="p").filter(pl.col("s") != pl.col("o")).select(e="s", land="o")
    inside = objects.join(columns.of_role("whole"), on="p").join(land, on="e")
    narrower = inside.join(objects.rename({"e": "land"}), on=["p", "land"]).select("p", "e")
    return pl.concat([*found, narrower]).unique().sort("p", "e")


@once
def miscalled(columns: GraphColumns) -> pl.DataFrame:
    """Return p, e: whose name has none of the words that the relation's objects are called by (`queries/domains/called.toml`).

    Nor is an award called by a year or a number: those are of an event (the 45th Academy Awards); nor with a bracket.
    """
    written = columns.entities["label"]
    label = pl.DataFrame({"label": columns.folded_labels, "written": written}).with_row_index("e").drop_nulls()
    parts = [pl.DataFrame(schema={"p": pl.UInt32, "e": pl.UInt32})]
    for name, words in called().items():
        relations = columns.relations.with_row_index("p").filter(pl.col("names").list.contains(name))
        wrong = label.filter(
            ~pl.col("label").str.contains(rf"\b({'|'.join(words)})\b")
            | pl.col("label").str.contains(r"^\d+(st|nd|rd|th)?\b")
            | pl.col("written").str.contains("(", literal=True)
        )
        parts.append(relations.select("p").join(wrong.select("e"), how="cross"))
    return pl.concat(parts)


def uncapitalised(columns: GraphColumns) -> pl.DataFrame:
    """Return p, e: objects of a relation whose names begin with a small letter, where hardly any of its objects' do.

    Who is a member is one of a society, a band, a party; "freemasonry" among them is no name of one.
    """
    label = pl.DataFrame({"label": columns.entities["label"]}).with_row_index("e").drop_nulls()
    begun = label.select("e", small=pl.col("label").str.contains(r"^\p{Ll}"))
    small = columns.objects.join(begun, on="e")
    counted = small.group_by("p").agg(every=pl.len(), small_ones=pl.col("small").sum())
    names = counted.filter((pl.col("small_ones") * _RARE <= pl.col("every")) & (pl.col("every") >= LEAST))
    return small.filter("small").join(names, on="p", how="semi").select("p", "e")


def of_kinds(columns: GraphColumns, kind: str) -> pl.Series:
    """Return the entities of a concept whose name is a kind's, or has it for its head: an animated series is a series."""
    whole = pl.DataFrame({"name": fold_all(columns.concept_labels)}).with_row_index("c").filter(pl.col("name") == kind)
    heads = _heads(columns).filter(pl.col("head") == kind)
    kinds = pl.concat([heads.select("c"), whole.select("c")])
    return columns.concepts.join(kinds, on="c", how="semi")["e"].unique()


@once
def _heads(columns: GraphColumns) -> pl.DataFrame:
    """Return the word that says what each concept is: c, head."""
    heads = [head_of(label) if label else None for label in columns.concept_labels]
    return pl.DataFrame({"head": pl.Series(heads, dtype=pl.String)}).with_row_index("c").drop_nulls()
