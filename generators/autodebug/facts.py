"""The facts that a passage can tell, and which of them are asked about.

A *pair* is a subject and a relation with all its objects: what a sentence says. Of somebody's trades that one comes first whose
people have such facts in the graph as this person has: who stands in the casts of many films is an actor, not a producer.
What facts belong to a trade is learnt from the graph: how much oftener its people have them.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from generators.autodebug.entities import concepts_of, entity_names
from generators.autodebug.runs import chapter_place
from generators.autodebug.sound import LIFE, lives, of_weight, out_of_time
from generators.autodebug.wording import CLASSES, Wording, lists, load_wordings
from generators.draw import Keys, keys_of, mix, word
from generators.graph_columns import GraphColumns, ints
from kg.errors import InputError
from kg.graph import Graph
from kg.text import fold
from kg.vocab import property_labels

_ATTRIBUTES = "SELECT DISTINCT ?p ?label { ?p a kgp:Attribute ; rdfs:label ?label }"
_YEARS = """SELECT ?s ?p ?o (CONCAT('"', STR(?o), '"^^<', STR(DATATYPE(?o)), '>') AS ?term) {
  VALUES ?p { %s }
  ?s ?p ?o .
}"""
_COMMON = 0.05
"""Where fewer of a relation's objects are common nouns, none of these is told."""
_MANY = 0.2
"""What so many subjects of a minor relation have tells nothing of one."""
_RARE = 0.1
"""What fewer of a kind have is odd to ask of one."""
_SHARED = 0.1
"""Share of the like from which on a thing may have several objects where a graph has one."""
_SHORT_CAST = 3.0
"""Members of a cast, in the mean, up to which somebody chose whom to name."""
_ENOUGH = 20
"""Members of a kind from which it is learnt what is typical of it."""
_MOSTLY = 0.5
"""Share of the facts that name somebody who plays parts in which that is said."""
CONTINENT = "continent"
OFTEN = 0.2
"""How often somebody did the like, as a share of how often the usual object of the relation did."""
CREDITS = ("makers", "crew", "production")
"""Chapters whose objects are told all or not at all."""
_ROLES = ("makers", "crew", "cast")
"""Chapters that say in which role somebody took part in works."""
_SERIES = ("series", "makers", "cast", "story")
_STEM = 4
"""Letters of a word that two titles may share."""
_FIRST = 2
"""Trades of a person, and genres of a work, that are told."""
_NEARLY = 0.7
"""Share of the people of a trade who have a wider one, too."""
_LATE = 10.0
"""Taken from the weight of a trade that nothing else bears out."""
_YEAR = r"^([12]?\d{3})$|^([12]\d{3})-"
"""A year, or a date of one."""


@dataclass(frozen=True)
class Facts:
    """What is known, in numbers.

    `names`: what each entity may be called (`entities.entity_names`). `wordings`: those of the relations that are told, by
    number; `relations`: `p`, `iri`, `w` (the number of its wording). `told`: one row a fact that a sentence can say: s, p, w,
    topic, one, o (null for a year), its texts `o_label, o_key`, its place on the ring `o_ring`, how well it is `known` for
    being that, whether it is `dull` to tell, which `share` of its subject's kind has a fact of the relation and, of a year, its
    `o_term`. `roles`: what a relation is for a subject: s, w,
    `lead` (it says what that is), `minor`, its `chapter`. `asked`: the facts asked about, in the order drawn: t (their
    number), s, p, o, w, topic; `keys`: the key of each; `relation_keys`: that of each relation. `facts` counts all facts of
    relations that have a question, `left_out` says why some are not asked about.
    """

    columns: GraphColumns
    names: pl.DataFrame
    wordings: list[Wording]
    relations: pl.DataFrame
    told: pl.DataFrame
    roles: pl.DataFrame
    asked: pl.DataFrame
    keys: Keys
    relation_keys: Keys
    facts: int
    left_out: dict[str, int]

    @cached_property
    def found(self) -> dict[Hashable, Any]:
        """What rules that are worked out `once` have found."""
        return {}

    def key(self, t: pl.Series, *parts: Keys | int) -> Keys:
        """Return the keys of some facts that are asked about, mixed with others."""
        return mix(self.keys[t.to_numpy()], *parts)


def facts_of(graph: Graph, seed: int) -> Facts:
    """Pull what passages can tell from a graph, and order what can be asked about by hash.

    Raises InputError where there is nothing to ask about.
    """
    columns = GraphColumns.of(graph, seed)
    names = entity_names(columns)
    relations, wordings = _worded(columns)
    years, relations = _years(graph, columns, relations, wordings)
    told = pl.concat([_between_entities(columns, names, relations, wordings), years], how="diagonal")
    topics = pl.DataFrame({"topic": [w.topic for w in wordings], "one": [w.one for w in wordings]}).with_row_index("w")
    told = told.join(topics.cast({"w": pl.Int64, "topic": pl.String}), on="w", maintain_order="left")
    told = told.join(_unfit(columns, names, wordings), on=["s", "w"], how="anti", maintain_order="left")
    told = told.filter(~out_of_time(columns.years, names, told, wordings))
    told = _once(lives(of_weight(told, names, wordings), wordings), names, wordings)
    known = _incomplete(graph, columns)
    incomplete = pl.concat([known, _of_several(columns, names, wordings, relations, known)]).unique()
    told = _typical(names, _telling(told, wordings, incomplete), wordings)
    asked, facts, left_out = _asked(columns, names, told, wordings, incomplete)
    iris = keys_of(seed, relations["iri"].to_list())
    s, p, o = (ints(asked[c]) for c in ("s", "p", "o"))
    keys = mix(columns.keys[s], iris[p], columns.keys[o], word("autodebug"))
    order = np.argsort(keys, kind="stable")
    asked = asked[order].drop("o_key").with_columns(t=pl.int_range(pl.len(), dtype=pl.Int64))
    roles = _roles(names, told, wordings)
    return Facts(columns, names, wordings, relations, told, roles, asked, keys[order], iris, facts, left_out)


def _worded(columns: GraphColumns) -> tuple[pl.DataFrame, list[Wording]]:
    """Number the wordings of the relations that are told: p, iri, w."""
    wordings: list[Wording] = []
    numbers: list[int | None] = []
    for label, names in columns.relations.select("label", "names").iter_rows():
        wording = load_wordings().of(label, *names)
        numbers.append(None if wording is None else len(wordings))
        wordings += [] if wording is None else [wording]
    relations = columns.relations.select("iri", w=pl.Series(numbers, dtype=pl.Int64))
    return relations.with_columns(p=pl.int_range(pl.len(), dtype=pl.Int64)), wordings


def _unfit(columns: GraphColumns, names: pl.DataFrame, wordings: list[Wording]) -> pl.DataFrame:
    """Return of what each wording is not told: s, w."""
    rows = [(w, kind) for w, wording in enumerate(wordings) for kind in wording.not_of]
    barred = pl.DataFrame(rows, schema={"w": pl.Int64, "kind": pl.String}, orient="row")
    whole = concepts_of(columns).select(s=pl.col("e").cast(pl.Int64), kind=pl.col("concept").str.to_lowercase())
    head = whole.with_columns(kind=pl.col("kind").str.split(" of ").list.first().str.split(" ").list.last())
    people = names.filter("person").select(s=pl.col("e").cast(pl.Int64), kind=pl.lit("person"))
    # Of what no concept says what it is nobody knows whether it suits.
    unknown = (
        names.select(s=pl.col("e").cast(pl.Int64))
        .join(whole, on="s", how="anti")
        .join(barred.select("w").unique(), how="cross")
    )
    unfit = pl.concat([whole, head, people]).join(barred, on="kind").select("s", "w")
    return pl.concat([unfit, unknown]).unique()


def _between_entities(
    columns: GraphColumns, names: pl.DataFrame, relations: pl.DataFrame, wordings: list[Wording]
) -> pl.DataFrame:
    worded = relations.drop_nulls("w").select(pl.col("p").cast(pl.UInt32), "w")
    objects = names.select(o="e", o_label="label", o_key="key")
    # Sentences are worded of one: "the Appalachian Mountains is" would be odd.
    subject = names.drop_nulls("label").filter(~pl.col("several")).select(s="e", s_key="key", s_person="person")
    facts = columns.facts.join(worded, on="p").join(subject, on="s").join(objects.drop_nulls("o_label"), on="o")
    apart = _plainly_named(columns, names, facts, wordings)
    # "The Academy Award for Best Writing, Original Screenplay" reads like a list; nobody receives "the Academy Awards".
    honours = pl.col("w").is_in([w for w, wording in enumerate(wordings) if wording.chapter == "honours"])
    apart = apart.filter(
        ~(honours & pl.col("o_label").str.contains(r", |\w(?:Awards|Prizes|Medals)$| (?:Awards|Prizes|Medals)$"))
    )
    apart = apart.filter(_suits(apart, wordings))
    # "Shijingshan Stadium died of stroke": what is nearly always said of people is told of people alone.
    of_people = pl.col("s_person").mean().over("p") > 1 - _COMMON
    apart = apart.filter(~of_people | pl.col("s_person")).drop("s_person")
    apart = _again_and_again(apart, wordings)
    # Of many genres nobody knows which a work is known by.
    kinds = pl.col("w").is_in([w for w, wording in enumerate(wordings) if wording.way("work").lead == "kind"])
    apart = apart.filter(~kinds | (pl.len().over("s", "p") <= _FIRST))
    # The usual one is told first, but not what every fifth work is: a crime film rather than a drama; what every tenth is says
    # too little at all, as "a drama film" does of a comedy.
    share = pl.len().over("p", "o") / pl.col("s").n_unique().over("p")
    ways = [[wording.way(kind).lead for kind in ("work", "person")] for wording in wordings]
    genres = [w for w, leads in enumerate(ways) if leads == ["kind", None]]
    apart = apart.filter(~(pl.col("w").is_in(genres) & (share > _MANY / 2)))
    ring = columns.keys[apart["o"].to_numpy()]
    known = pl.when(kinds & (share > _MANY)).then(0.0).otherwise(pl.len().over("p", "o").cast(pl.Float64))
    numbered = apart.drop("s_key").with_columns(pl.col("s", "p", "o").cast(pl.Int64), o_ring=pl.Series(ring), known=known)
    return _by_trade(columns, _in_series(numbered, wordings, names), wordings).sort("s", "p", "o")


def _plainly_named(columns: GraphColumns, names: pl.DataFrame, facts: pl.DataFrame, wordings: list[Wording]) -> pl.DataFrame:
    """Leave out objects whose names or kinds do not fit behind their relation's words."""
    # What is said of a thing by its own name tells nothing ("Jaws is based on Jaws"); "Aoraki / Mount Cook" is two names.
    apart = facts.filter((pl.col("s_key") != pl.col("o_key")) & ~pl.col("o_label").str.contains(r"[()]| / "))
    # "Educated at primary school": a common noun among names is odd, and behind a relation's bare label too.
    common = pl.col("o_label").str.contains(r"^\p{Ll}")
    rare = (common.mean().over("p") < _COMMON) & (pl.len().over("p") > 1 / _COMMON)
    plain = pl.col("w").is_in([w for w, wording in enumerate(wordings) if wording.plain or wording.names])
    apart = apart.filter(~(common & (rare | plain)))
    barred = [(w, f" {label} ") for w, wording in enumerate(wordings) for label in wording.not_objects]
    out = pl.DataFrame(barred, schema={"w": pl.Int64, "o_key": pl.String}, orient="row")
    apart = apart.join(out, on=["w", "o_key"], how="anti", maintain_order="left")
    apart = apart.join(_out_of_kind(columns, wordings), on=["w", "o"], how="anti", maintain_order="left")
    apart = _without_echoes(apart, wordings)
    # "Shot in Long Island" should be "on"; nor is what is gone a neighbour of what is not.
    within = pl.col("w").is_in([w for w, wording in enumerate(wordings) if _ends_with_in(wording)])
    apart = apart.filter(~(within & pl.col("o_label").str.ends_with(" Island")))
    beside = pl.col("w").is_in([w for w, wording in enumerate(wordings) if wording.peers])
    past = names.filter("gone")["e"].implode()
    apart = apart.filter(~(beside & pl.col("o").is_in(past) & ~pl.col("s").is_in(past)))
    return _near_peers(apart, wordings)


def _ends_with_in(wording: Wording) -> bool:
    """Tell whether a relation is said with "in" before its object."""
    said = [way.say[0].pieces for way in wording.ways.values()]
    return any(len(pieces) > 1 and pieces[-2].text.endswith(" in ") for pieces in said)


def _once(told: pl.DataFrame, names: pl.DataFrame, wordings: list[Wording]) -> pl.DataFrame:
    """Leave out the year of a series, which runs for years."""
    years = pl.col("w").is_in([w for w, wording in enumerate(wordings) if wording.way("work").lead == "year"])
    series = names.filter(pl.col("noun") == "series")["e"].cast(pl.Int64)
    return told.filter(~(years & pl.col("s").is_in(series.implode())))


def _near_peers(apart: pl.DataFrame, wordings: list[Wording]) -> pl.DataFrame:
    """Leave out neighbours on other continents: France is one of Suriname for what it owns there."""
    beside = pl.col("w").is_in([w for w, wording in enumerate(wordings) if wording.peers])
    on = apart.filter(pl.col("w").is_in([w for w, wording in enumerate(wordings) if wording.relation == CONTINENT]))
    on = on.select("s", continent="o").unique()
    pairs = apart.filter(beside).select("s", "o").join(on, on="s").unique()
    near = pairs.join(on.rename({"s": "o"}), on=["o", "continent"], how="semi").select("s", "o").unique()
    far = pairs.select("s", "o", far=pl.lit(True)).unique().join(near, on=["s", "o"], how="anti")
    marked = apart.join(far, on=["s", "o"], how="left", maintain_order="left")
    return marked.filter(~(beside & pl.col("far").fill_null(False))).drop("far")


def _again_and_again(apart: pl.DataFrame, wordings: list[Wording]) -> pl.DataFrame:
    """Leave out who is said to have done once what others do over and over: a singer of one song, composers."""
    crew = pl.col("w").is_in([w for w, wording in enumerate(wordings) if wording.chapter == "crew"])
    times = pl.len().over("p", "o")
    return apart.filter(~crew | (times >= OFTEN * times.median().over("p")))


def _out_of_kind(columns: GraphColumns, wordings: list[Wording]) -> pl.DataFrame:
    """Return which objects are of a kind that a relation does not tell: w, o."""
    rows = [(w, kind) for w, wording in enumerate(wordings) for kind in wording.not_kinds]
    barred = pl.DataFrame(rows, schema={"w": pl.Int64, "kind": pl.String}, orient="row")
    kinds = concepts_of(columns).select(o="e", kind=pl.col("concept").str.to_lowercase())
    return kinds.join(barred, on="kind").select("w", "o").unique()


def _without_echoes(apart: pl.DataFrame, wordings: list[Wording]) -> pl.DataFrame:
    """Leave out objects whose name has a word of the sentence: "in the collection of The Phillips Collection"."""
    said = [
        (w, f" {word} ")
        for w, wording in enumerate(wordings)
        for word in {
            word
            for way in wording.ways.values()
            for text in way.say
            for piece in text.pieces
            for word in fold(piece.text).split()
            if len(word) > _STEM
        }
    ]
    words = pl.DataFrame(said, schema={"w": pl.Int64, "word": pl.String}, orient="row")
    pairs = apart.select("w", "o_key").unique().join(words, on="w")
    echo = pairs.filter(pl.col("o_key").str.contains(pl.col("word"), literal=True)).select("w", "o_key").unique()
    return apart.join(echo, on=["w", "o_key"], how="anti", maintain_order="left")


def _in_series(told: pl.DataFrame, wordings: list[Wording], names: pl.DataFrame) -> pl.DataFrame:
    """Leave out works that follow one another and share no maker, story or word of their names.

    They follow in a list of winners, not in a series.
    """
    works = names.filter(pl.col("kind") == "work").select(pl.col("e").cast(pl.Int64)).to_series()
    of = {chapter: [w for w, wording in enumerate(wordings) if wording.chapter == chapter] for chapter in _SERIES}
    series = told.filter(pl.col("w").is_in(of["series"]) & pl.col("s").is_in(works.implode())).select("s", x="o").unique()
    shared = told.filter(pl.col("w").is_in([*of["makers"], *of["cast"], *of["story"]])).select("s", "o")
    of_works = names.select(s=pl.col("e").cast(pl.Int64), o=pl.col("key").str.strip_chars().str.split(" ")).explode("o")
    long = of_works.filter(pl.col("o").str.len_chars() >= _STEM)
    ties = [
        series.join(part, on="s").join(part.select(x="s", o="o"), on=["x", "o"], how="semi").select("s", "x")
        for part in (shared, long)
    ]
    pairs = series.join(ties[0], on=["s", "x"], how="anti").join(ties[1], on=["s", "x"], how="anti")
    barred = pairs.select("s", o="x", apart=pl.lit(True))
    marked = told.join(barred, on=["s", "o"], how="left", maintain_order="left")
    return marked.filter(~(pl.col("apart").fill_null(False) & pl.col("w").is_in(of["series"]))).select(told.columns)


def _members(told: pl.DataFrame, wordings: list[Wording]) -> pl.Series:
    """Return who is in a cast."""
    cast = [w for w, wording in enumerate(wordings) if wording.chapter == "cast"]
    return told.filter(pl.col("w").is_in(cast))["o"].unique()


def _performing(told: pl.DataFrame, wordings: list[Wording]) -> pl.DataFrame:
    """Return which share of the people of each trade are in casts: trade, share."""
    kind = pl.col("w").is_in([w for w, wording in enumerate(wordings) if wording.way("person").lead == "kind"])
    plays = pl.col("s").is_in(_members(told, wordings).implode())
    return told.filter(kind).group_by(trade="o").agg(share=plays.mean())


def _suits(facts: pl.DataFrame, wordings: list[Wording]) -> pl.Series:
    """Say which objects are what their relation wants, by a word of their names: a prize, not a registry."""
    wanted = [(w, f" {one} ") for w, wording in enumerate(wordings) for one in wording.objects]
    words = pl.DataFrame(wanted, schema={"w": pl.Int64, "word": pl.String}, orient="row")
    asked = facts.select("w", "o_key").unique().join(words, on="w")
    fit = asked.filter(pl.col("o_key").str.contains(pl.col("word"), literal=True)).select("w", "o_key").unique()
    marked = facts.select("w", "o_key").join(fit.with_columns(fits=True), on=["w", "o_key"], how="left", maintain_order="left")
    fits = pl.col("fits").fill_null(False) | ~pl.col("w").is_in(words["w"].unique().implode())
    return marked.select(fits).to_series()


def _by_trade(columns: GraphColumns, told: pl.DataFrame, wordings: list[Wording]) -> pl.DataFrame:
    """Order what somebody is by profession: first what fits the other facts; a writer who is a novelist is called that."""
    kind = pl.col("w").is_in([w for w, wording in enumerate(wordings) if wording.way("person").lead == "kind"])
    trades = told.filter(kind)
    wider = set(lists()["people"]["wider"])
    above = columns.relations.with_row_index("p").filter(pl.col("names").list.set_intersection(list(wider)).list.len() > 0)
    edges = columns.facts.filter(pl.col("p").is_in(above["p"].implode()))
    edges = edges.select(narrow=pl.col("s").cast(pl.Int64), o=pl.col("o").cast(pl.Int64))
    twice = trades.select("s", narrow="o").join(_above(trades["o"], edges), on="narrow").select("s", "o").unique()
    trades = trades.join(twice, on=["s", "o"], how="anti")
    weights = trade_weights(columns.facts, trades.select("s", "p", "o"))
    ordered = trades.drop("known").join(weights.rename({"weight": "known"}), on=["s", "o"])
    # Who is in no cast is no actor first, whatever else is said.
    performers = _performing(told, wordings).filter(pl.col("share") >= _MOSTLY)["trade"]
    members = _members(told, wordings)
    odd = pl.col("o").is_in(performers.implode()) & ~pl.col("s").is_in(members.implode())
    ordered = ordered.with_columns(known=pl.col("known") - pl.when(odd).then(_LATE).otherwise(0.0))
    ordered = ordered.join(known_for(trades, weights), on=["s", "o"], how="semi")
    # Whom works name as a player alone is that, whatever else is said.
    made = told.filter(pl.col("w").is_in([w for w, wording in enumerate(wordings) if wording.chapter in CREDITS]))["o"]
    playing = pl.col("s").is_in(members.implode()) & ~pl.col("s").is_in(made.drop_nulls().unique().implode())
    plays = pl.col("o").is_in(performers.implode())
    ordered = ordered.filter(~playing | plays | ~plays.any().over("s"))
    ordered = _borne_out(columns, _without_wider(ordered), wordings, told)
    return pl.concat([told.filter(~kind), ordered.select(told.columns)])


def _above(kinds: pl.Series, edges: pl.DataFrame) -> pl.DataFrame:
    """Return what some kinds are kinds of, by one step or several: narrow, o. Bassists are instrumentalists and musicians."""
    found = step = edges.filter(pl.col("narrow").is_in(kinds.unique().implode())).unique()
    while step.height:
        step = step.join(edges.rename({"narrow": "o", "o": "far"}), on="o").select("narrow", o="far").unique()
        step = step.join(found, on=["narrow", "o"], how="anti")
        found = pl.concat([found, step])
    return found.filter(pl.col("narrow") != pl.col("o"))


def _borne_out(columns: GraphColumns, trades: pl.DataFrame, wordings: list[Wording], told: pl.DataFrame) -> pl.DataFrame:
    """Leave out the trades of people whom works name in another role: who scores films is no actor, whatever is said.

    Which trades go with a role is learnt from the people whom works name mostly in it.
    """
    roles = pl.col("w").is_in([w for w, wording in enumerate(wordings) if wording.chapter in _ROLES])
    named = told.filter(roles & pl.col("o").is_not_null()).group_by("p", s="o").agg(times=pl.len())
    main = named.sort("times", "p", descending=[True, False]).unique("s", keep="first", maintain_order=True)
    pairs = trades.select("s", "o").join(main.filter(pl.col("times") > 1), on="s")
    people = pl.col("s").n_unique()
    share = pairs.with_columns(share=people.over("p", "o") / people.over("p"), many=people.over("p"))
    odd = share.group_by("s").agg(fits=((pl.col("share") >= _RARE) | (pl.col("many") < _ENOUGH)).any()).filter(~pl.col("fits"))
    return trades.join(odd.select("s"), on="s", how="anti", maintain_order="left")


def _without_wider(trades: pl.DataFrame) -> pl.DataFrame:
    """Leave out one of somebody's first two trades where nearly all of the other have it: a novelist is a writer, too."""
    held = trades.select("s", "o", head=pl.col("o_label").str.split(" ").list.last()).unique()
    # "A stage actor" is no film actor: of trades of one noun the lists choose.
    pairs = held.join(held.rename({"o": "wide", "head": "noun"}), on="s").filter(pl.col("head") != pl.col("noun"))
    holders = held.group_by("o").agg(holders=pl.len())
    both = pairs.group_by("o", "wide").len("both").join(holders, on="o")
    wider = both.filter((pl.col("holders") >= _ENOUGH) & (pl.col("both") > _NEARLY * pl.col("holders")))
    # Of two that go together either way the one of fewer people stays.
    wider = wider.join(holders.rename({"o": "wide", "holders": "more"}), on="wide").filter(pl.col("more") > pl.col("holders"))
    first = trades.filter(pl.col("known").rank("ordinal", descending=True).over("s") <= _FIRST).select("s", "o")
    pairs = pairs.join(first, on=["s", "o"], how="semi").join(first.rename({"o": "wide"}), on=["s", "wide"], how="semi")
    said = pairs.join(wider, on=["o", "wide"], how="semi").select("s", o="wide").unique()
    return trades.join(said, on=["s", "o"], how="anti", maintain_order="left")


def _telling(told: pl.DataFrame, wordings: list[Wording], incomplete: pl.DataFrame) -> pl.DataFrame:
    """Mark as `dull` what of a minor relation many have: that somebody speaks English tells nothing.

    So is what would mislead: "an Argentine film", where other countries are known to be missing.
    """
    # Of a cast that is not all there those who matter may be missing, and half of a shared credit is none.
    parts = {w for w, wording in enumerate(wordings) if wording.chapter == "cast"}
    shared = {w for w, wording in enumerate(wordings) if wording.chapter in CREDITS}
    whole = [
        w
        for w, wording in enumerate(wordings)
        if wording.one or wording.sole or w in parts or w in shared or wording.way("work").lead == "origin"
    ]
    partial = pl.col("hidden").fill_null(False) & pl.col("w").is_in(whole)
    told = told.join(incomplete.with_columns(hidden=True), on=["s", "p"], how="left", maintain_order="left")
    minor = pl.col("w").is_in([w for w, wording in enumerate(wordings) if wording.minor])
    share = pl.len().over("p", "o") / pl.col("s").n_unique().over("p")
    # Where casts are long, they stand in no order: any of them may have spoken two lines.
    long = pl.col("w").is_in(parts) & ((pl.len() / pl.col("s").n_unique()).over("p") > _SHORT_CAST)
    return told.with_columns(dull=partial | long | (minor & (share > _MANY))).drop("hidden")


def _typical(names: pl.DataFrame, told: pl.DataFrame, wordings: list[Wording]) -> pl.DataFrame:
    """Add how typical a relation is of its subject's kind: the share of that kind that has one, of whom anything is told.

    A kind is a noun ("film"), of people the trade that comes first, or the class of either where those are few; where that
    has few, too, nothing is untypical.
    """
    kind = pl.col("w").is_in([w for w, wording in enumerate(wordings) if wording.way("person").lead == "kind"])
    trade = told.filter(kind & pl.col("o").is_not_null()).sort("known", descending=True, maintain_order=True)
    trades = trade.group_by("s", maintain_order=True).agg(trade=pl.col("o").first())
    classes = names.select(s=pl.col("e").cast(pl.Int64), kind="kind", noun="noun").join(trades, on="s", how="left")
    people = pl.col("kind") == "person"
    what = pl.when(people).then(pl.format("trade {}", "trade")).otherwise(pl.format("noun {}", "noun"))
    pairs = told.select("s", "w").unique().join(classes.select("s", "kind", what=what), on="s")
    for group in ("what", "kind"):
        members = pl.col("s").n_unique().over(group)
        share = pl.col("s").n_unique().over(group, "w") / members
        fit = pl.col(group).is_not_null() & (members >= _ENOUGH)
        pairs = pairs.with_columns(pl.when(fit).then(share).alias(f"of_{group}"))
    shares = pairs.select("s", "w", share=pl.coalesce("of_what", "of_kind", pl.lit(1.0)))
    return told.join(shares, on=["s", "w"], how="left", maintain_order="left")


def _roles(names: pl.DataFrame, told: pl.DataFrame, wordings: list[Wording]) -> pl.DataFrame:
    """Return what each told relation is for its subject: s, w, lead, minor, chapter."""
    rows = [
        (w, kind, wording.way(kind).lead is not None, wording.minor, chapter_place(wording.chapter))
        for w, wording in enumerate(wordings)
        for kind in CLASSES
    ]
    schema = {"w": pl.Int64, "kind": pl.String, "lead": pl.Boolean, "minor": pl.Boolean, "chapter": pl.Int64}
    ways = pl.DataFrame(rows, schema=schema, orient="row")
    subjects = names.select("kind", s=pl.col("e").cast(pl.Int64))
    pairs = told.select("s", "w").unique(maintain_order=True).join(subjects, on="s", maintain_order="left")
    roles = pairs.join(ways, on=["w", "kind"], maintain_order="left").drop("kind")
    # Both years of a life stand behind the name: "(1879–1955)".
    years = pl.col("w").is_in([w for w, wording in enumerate(wordings) if wording.relation in LIFE])
    return roles.with_columns(lead=pl.col("lead") | (years & (years.sum().over("s") == len(LIFE))))


def _years(
    graph: Graph, columns: GraphColumns, relations: pl.DataFrame, wordings: list[Wording]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the facts whose object is a year or a date, of attributes that are worded; their relations come after the others.

    What has two years of one kind has none that is sure.
    """
    new: list[tuple[str, int, int]] = []
    for label, iri in sorted((label, iri) for iri, label in graph.select(_ATTRIBUTES).iter_rows()):
        # "Its population year is 2011": only years that somebody worded tell something.
        wording = load_wordings().written(label, *property_labels(iri))
        if wording is not None and wording.relation.startswith("year") and iri not in [known for known, _, _ in new]:
            new.append((iri, len(wordings), relations.height + len(new)))
            wordings.append(wording)
    iris = " ".join(f"<{iri}>" for iri, _, _ in new)
    read = pl.coalesce(pl.col("o").str.extract(_YEAR, 1), pl.col("o").str.extract(_YEAR, 2))
    rows = graph.select(_YEARS % iris).unique(["s", "p", "o"]).with_columns(o=read).drop_nulls("o")
    added = pl.DataFrame(new, schema=relations.schema, orient="row")
    number = columns.entities.select(iri="iri", s=pl.int_range(pl.len(), dtype=pl.Int64))
    terms = rows.select("o", o_term="term", s_iri="s", p_iri="p")
    numbered = terms.join(added.rename({"iri": "p_iri"}), on="p_iri").join(number.rename({"iri": "s_iri"}), on="s_iri")
    kind = pl.Series([wording.relation for wording in wordings], dtype=pl.String).gather(numbered["w"])
    numbered = numbered.with_columns(kind=kind).filter(pl.col("o").n_unique().over("s", "kind") == 1)
    numbered = numbered.sort("p", "o_term").unique(["s", "kind"], keep="first", maintain_order=True)
    years = numbered.select("s", "p", "w", "o_term", o_label="o", o_key=" " + pl.col("o") + " ")
    ring = keys_of(columns.seed, years["o_label"].to_list())
    typed = {"o": pl.lit(None, pl.Int64), "known": pl.lit(0.0)}
    return years.with_columns(o_ring=pl.Series(ring, dtype=pl.UInt64), **typed).sort("s", "p", "o_label"), pl.concat(
        [relations, added]
    )


def _check_some(facts: pl.DataFrame) -> None:
    """Raise InputError where there is nothing to ask about."""
    if facts.is_empty():
        raise InputError(
            "there is nothing to ask about: no relation between named entities that a sentence can say",
            way_out="see the graph's relations with `kg stats`; their labels are the words of the sentences",
        )


def _origin(wordings: list[Wording], kind: pl.Expr) -> pl.Expr:
    """Say which facts tell of a kind of subject where it is from: that stands before its noun."""
    said = [f"{w} {name}" for w, wording in enumerate(wordings) for name in CLASSES if wording.way(name).lead == "origin"]
    return pl.format("{} {}", "w", kind).is_in(said)


def _incomplete(graph: Graph, columns: GraphColumns) -> pl.DataFrame:
    """Return the pairs whose objects are known to be incomplete, by number."""
    named = graph.schema("SELECT DISTINCT ?s ?p { ?s kgp:incomplete ?p }").rename({"s": "s_iri", "p": "p_iri"})
    subject = columns.entities.select(s_iri="iri", s=pl.int_range(pl.len(), dtype=pl.Int64))
    relation = columns.relations.select(p_iri="iri", p=pl.int_range(pl.len(), dtype=pl.Int64))
    return named.join(subject, on="s_iri").join(relation, on="p_iri").select("s", "p").unique()


def _of_several(
    columns: GraphColumns, names: pl.DataFrame, wordings: list[Wording], relations: pl.DataFrame, incomplete: pl.DataFrame
) -> pl.DataFrame:
    """Return the pairs of sole relations that may well have more objects than the graph has: s, p.

    One subject's own count does not tell. The others do: of its kind a fair share has several, or half of what its object made
    was made with others: series have several creators, and who directs with a brother did so again.
    """
    sole = pl.DataFrame({"w": range(len(wordings)), "relation": [wording.relation for wording in wordings]}).filter(
        pl.Series([wording.sole for wording in wordings])
    )
    named = relations.join(sole, on="w").select("p", "relation")
    facts = columns.facts.select(pl.col("s", "p", "o").cast(pl.Int64)).join(named, on="p")
    facts = facts.join(incomplete.with_columns(hidden=True), on=["s", "p"], how="left", maintain_order="left")
    facts = facts.with_columns(several=pl.col("hidden").fill_null(False) | (pl.col("o").n_unique().over("s", "p") > 1))
    kinds = concepts_of(columns).select(s=pl.col("e").cast(pl.Int64), kind="concept")
    pairs = facts.unique(["s", "p"]).join(kinds, on="s")
    share = pl.col("several").mean()
    by_kind = pairs.filter((share.over("relation", "kind") > _SHARED) & (pl.len().over("relation", "kind") >= _ENOUGH))
    people = names.filter("person")["e"].cast(pl.Int64)
    by_object = facts.filter((share.over("relation", "o") >= _MOSTLY) & pl.col("o").is_in(people.implode()))
    return pl.concat([by_kind.select("s", "p"), by_object.select("s", "p")]).unique()


def _asked(
    columns: GraphColumns, names: pl.DataFrame, told: pl.DataFrame, wordings: list[Wording], incomplete: pl.DataFrame
) -> tuple[pl.DataFrame, int, dict[str, int]]:
    """Return the facts that give a question with one answer, and count the others, each for the first reason that applies."""
    with_question = [w for w, wording in enumerate(wordings) if wording.question and not wording.minor]
    many = columns.facts.group_by("s", "p").agg(n=pl.len()).select(pl.col("s", "p").cast(pl.Int64), "n")
    subject = names.select(s="e", s_label="label", s_key="key", s_called="callable", s_kind="kind").with_columns(
        pl.col("s").cast(pl.Int64)
    )
    called = columns.names.select(pl.col("e").cast(pl.Int64), key=" " + pl.col("name") + " ").unique()
    others = names.select(s=pl.col("e").cast(pl.Int64), key="key").join(called, on="key").filter(pl.col("s") != pl.col("e"))
    twice = others["s"].unique()
    in_casts = pl.col("w").is_in([w for w, wording in enumerate(wordings) if wording.chapter == "cast"])
    facts = told.filter(pl.col("w").is_in(with_question) & pl.col("o").is_not_null() & ~(in_casts & pl.col("dull")))
    facts = facts.filter(pl.col("share") >= _RARE)
    _check_some(facts)
    marked = (
        facts.join(many, on=["s", "p"], how="left", maintain_order="left")
        .join(incomplete.with_columns(hidden=True), on=["s", "p"], how="left", maintain_order="left")
        .join(subject, on="s", how="left", maintain_order="left")
    )
    reasons = {
        "its objects are known to be incomplete, or others of its kind often have several": pl.col("hidden").fill_null(False),
        "it has several objects": pl.col("n") > 1,
        "the subject's name is no proper name, or in brackets": ~pl.col("s_called"),
        "another entity bears the subject's name": pl.col("s").is_in(twice.implode()),
        "it says where a thing is from": _origin(wordings, pl.col("s_kind")),
        # "Terry Pratchett's The Colour of Magic": folded, a possessive is a longer word.
        "the question would hold the answer": pl.col("s_key").str.contains(pl.col("o_key"), literal=True)
        | pl.col("s_key").str.contains(pl.col("o_key").str.strip_suffix(" ") + "s ", literal=True)
        | pl.col("o_key").str.contains(pl.col("s_key"), literal=True),
    }
    counts = {}
    for reason, applies in reasons.items():
        left = marked.filter(~applies)
        counts[reason] = marked.height - left.height
        marked = left
    kept = marked.select("s", "p", "o", "w", "topic", "o_key")
    return kept, facts.height, {reason: count for reason, count in counts.items() if count}


_SMOOTH = 10.0
"""People with average facts who are counted as of each trade, so that a trade of few is not known by one of them."""
_OF_MANY = 0.05
"""How much a trade of many counts for being one: an actor who has spoken in films, too, is no voice actor first."""
_LEAST = 1e-3
_TOLD_BY = 5
"""Facts of a relation from which it tells whom they are about."""
_RELATIONS = 1 << 20
_SEVERAL = 3
"""Trades of a person from which on one of them is chosen."""
_BORNE_OUT = 4
"""Place among somebody's trades, by what else is known, up to which it bears one out."""


def trade_weights(facts: pl.DataFrame, trades: pl.DataFrame) -> pl.DataFrame:
    """Return how well each trade of a person fits what else is known of that person: s, o, weight.

    Parameters: `facts` has all facts between entities as numbers, s, p, o; `trades` those that say a trade, s, p, o.

    >>> acts = [(film, 0, actor) for film in range(100, 104) for actor in (1, 2)] + [(9, 1, 3), (8, 1, 4)]
    >>> facts = pl.DataFrame(acts, schema=["s", "p", "o"], orient="row")
    >>> trades = pl.DataFrame({"s": [1, 1, 2, 3], "p": 5, "o": [50, 51, 50, 51]})
    >>> weights = trade_weights(facts, trades).sort("weight")
    >>> weights.filter(pl.col("s") == 1)["o"].to_list()[-1]
    50
    """
    relations = trades["p"].unique().implode()
    other = facts.filter(~pl.col("p").is_in(relations))
    ends = pl.concat(
        [other.select(s="s", r=2 * pl.col("p").cast(pl.Int64)), other.select(s="o", r=2 * pl.col("p").cast(pl.Int64) + 1)]
    )
    # Of what a fact names, too: who is known for operas is a composer before a poet.
    shared = other.filter(pl.len().over("p", "o") >= _TOLD_BY)
    named = shared.select(s="s", r=-1 - (pl.col("o").cast(pl.Int64) * _RELATIONS + pl.col("p").cast(pl.Int64)))
    ends = pl.concat([ends, named], how="vertical_relaxed")
    people = trades.select("s").unique()
    shares = ends.with_columns(pl.col("s").cast(people["s"].dtype)).join(people, on="s", how="semi")
    shares = shares.group_by("s", "r").len().with_columns(share=pl.col("len") / pl.col("len").sum().over("s"))
    number = shares["s"].n_unique()
    usual = shares.group_by("r").agg(usual=pl.col("share").sum() / max(number, 1))
    pairs = trades.select("s", "o").unique().with_columns(held=1 / pl.len().over("s"))
    holders = pairs.group_by("o").agg(holders=pl.col("held").sum())
    seen = pairs.join(shares, on="s").group_by("o", "r").agg(seen=(pl.col("share") * pl.col("held")).sum())
    profile = pairs.select("o").unique().join(usual, how="cross").join(seen, on=["o", "r"], how="left").join(holders, on="o")
    mean = (pl.col("seen").fill_null(0) + _SMOOTH * pl.col("usual")) / (pl.col("holders") + _SMOOTH)
    profile = profile.select("o", "r", telling=((mean + _LEAST) / (pl.col("usual") + _LEAST)).log())
    scored = pairs.join(shares, on="s").join(profile, on=["o", "r"])
    weights = scored.group_by("s", "o").agg(weight=(pl.col("share") * pl.col("telling")).sum())
    common = pairs.select("s", "o").join(holders, on="o").join(weights, on=["s", "o"], how="left")
    weight = pl.col("weight").fill_null(0.0) + _OF_MANY * pl.col("holders").log()
    return common.select("s", "o", weight=weight)


def known_for(trades: pl.DataFrame, weights: pl.DataFrame) -> pl.DataFrame:
    """Return what people are, of all that they are said to be: s, o. Of three trades or more one stays, or none.

    It is the one that goes best with the others, by how many people have both (a novelist, poet and translator is a writer),
    where the other facts bear it out.

    Parameters: `trades` as of `trade_weights`, and its result.

    >>> some = [(1, "poet"), (1, "writer"), (1, "lawyer"), (2, "poet"), (2, "writer"), (3, "lawyer")]
    >>> trades = pl.DataFrame(some, schema=["s", "o"], orient="row")
    >>> sorted(known_for(trades, trades.with_columns(weight=1.0)).filter(pl.col("s") == 1)["o"].to_list())[:1]
    ['poet']
    """
    held = trades.select("s", "o").unique(maintain_order=True)
    many = held.filter(pl.len().over("s") >= _SEVERAL)
    few = held.join(many, on="s", how="anti")
    people = held.group_by("o").agg(people=pl.len())
    pairs = held.join(held.rename({"o": "with"}), on="s").filter(pl.col("o") != pl.col("with"))
    pairs = pairs.with_columns(both=pl.len().over("o", "with"))
    pairs = pairs.join(people, on="o").join(people.rename({"o": "with", "people": "others"}), on="with")
    near = pl.col("both") / (pl.col("people") * pl.col("others")).sqrt()
    scored = pairs.group_by("s", "o").agg(near=near.mean()).join(many, on=["s", "o"], how="semi")
    scored = scored.join(weights, on=["s", "o"], how="left")
    scored = scored.with_columns(place=pl.col("weight").rank("ordinal", descending=True).over("s"))
    best = scored.sort("s", "near", "weight", "o", descending=[False, True, True, False]).unique(
        "s", keep="first", maintain_order=True
    )
    return pl.concat([few, best.filter(pl.col("place") <= _BORNE_OUT).select(few.columns)])
