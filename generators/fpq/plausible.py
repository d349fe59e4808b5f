"""Whom somebody might take for the true object: what subjects like the fact's own have under the relation.

Who played in other films of the country, which towns of the country lie on a river, where others of the nation studied. It is
told by the subjects: people of one trade, nation, sport or sex, works of one country of origin, places of one country (else
neighbours and their neighbours, else of one continent), by the roles of `queries/domains/alike.toml`. A role binds a relation
where the graph knows it of a fifth of the relation's subjects; of a subject that is in no group of any such role only what
lies on the true object's continent is plausible. Narrows the edits of the same kind, for either engine.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from generators.fpq.doubts import (
    adapted,
    ambiguous,
    atypical_kinds,
    atypical_trades,
    miscalled,
    nested,
    repeating,
    uncapitalised,
    unreturned,
)
from generators.fpq.edits import TYPICAL, Masks, Triples
from generators.fpq.resemblance import Resemblance
from generators.fpq.tense import gone
from generators.graph_columns import GraphColumns, ints, marked
from generators.years import ALWAYS
from kg.sets import Bits, Ints, Sets, empty, packed, scatter, spans, unite

_ROLES = ("trades", "origins", "genres", "nations", "sports", "sexes", "ages", "places")
_SHARED = ("sports", "sexes")
"""Of whom these are not known only what those of several have is named: no prize for women, and no place in a team."""

_LEAST = 15
"""A relation of fewer subjects is bound by no role: what few have tells little."""

_CREW = 3
"""Of a work that fewer made nobody can tell how old it is."""

_GROWN = 15
"""Who works on something is that old at least."""


class _Likes(NamedTuple):
    """Groups of subjects by relation (s, p, group): those among which each looks for its like, and those that each is in."""

    seeking: pl.DataFrame
    having: pl.DataFrame


class Plausible:
    """Finds who is plausible as an edited object of the same kind."""

    def __init__(self, columns: GraphColumns, sample: Triples) -> None:
        self.columns = columns
        self.asked = np.unique(sample.p)
        pairs = {"s": pl.Series(sample.s, dtype=pl.UInt32), "p": pl.Series(sample.p, dtype=pl.UInt32)}
        self._sampled = pl.DataFrame(pairs).unique()

    def narrow(self, masks: Masks, triples: Triples) -> Masks:
        """Keep of those of the same kind, and of the fellows, whom somebody might take for the true object."""
        every = np.arange(len(triples))
        possible, close = self._possible(triples), self.close(triples)
        likely = possible & self._held_by_like_subjects(triples)
        same, fellows = masks.same.bits() & likely, masks.fellows.bits() & likely
        land = np.flatnonzero(self._of_unplaced_lands(triples))
        if len(land):
            # What else is said of lands tells which are near: all of the kind count then, and those most like it are named.
            kind = masks.same[land].bits() & masks.objects[land].bits() & possible[land]
            others = masks.fellows[land].bits() & possible[land]
            free = (kind | others) & masks.owned[land].bits() & ~masks.banned[land].bits() & ~masks.beside[land].bits()
            close[land] = self._resemblance.nearest(triples[land], free)
            same[land], fellows[land] = kind, others
        sort = Sets(masks.same.bits() & self._told, every)
        return replace(masks, same=Sets(same, every), fellows=Sets(fellows, every), close=Sets(close, every), sort=sort)

    def _of_unplaced_lands(self, triples: Triples) -> npt.NDArray[np.bool_]:
        """Say of triples whether they name a land of which nothing says what it borders on; not a state whose capital it is."""
        led = self._marked("next_door") | self._marked("nearby")
        bordering = marked(self.columns.n, self._sides["s"])
        out: npt.NDArray[np.bool_] = led[triples.p] & ~bordering[triples.o] & ~self._seats_of_states(triples)
        return out

    @cached_property
    def _resemblance(self) -> Resemblance:
        return Resemblance(self.columns)

    def close(self, triples: Triples) -> Bits:
        """Return who is close enough to be named for each triple, (triples, entities): of a country, what its neighbours have.

        Whether an edit has enough to draw from is told by those of the whole continent; but who asks about Ljubljana names
        Hungary, not Turkey. Everybody where neighbours are not what matters, or few of the relation's ends have any.
        """
        _, asked = self._beside
        key, at = np.unique(triples.s * self.columns.relations.height + triples.p, return_inverse=True)
        s, p = np.divmod(key, self.columns.relations.height)
        held, _ = self._held_by_like(self._held_beside, self._sought_beside, s, p)
        # What spreads from land to land is that of a neighbour, or nobody can tell.
        free = ~(np.isin(key, asked) & self._bound_beside[p]) & ~self._marked("neighbourly")[p]
        held[free] = ~np.uint64(0)
        out: Bits = held[at]
        for narrow in (
            self._near_object,
            self._around_object,
            self._of_one_field,
            self._of_one_age,
        ):
            narrow(out, triples)
        out[self._seats_of_states(triples)] = 0
        return out

    def _of_one_age(self, out: Bits, triples: Triples) -> None:
        """Keep the dead in place of the dead, and what is in place of what is, where no year of the true object tells more."""
        past, over, now, _ = self._past
        undated = ~marked(self.columns.n, self.columns.years["e"])[triples.o]
        out[undated] &= ~np.where(past[triples.o][undated, None], now, over)

    def _seats_of_states(self, triples: Triples) -> npt.NDArray[np.bool_]:
        """Say of triples whether they say, or tell, what the capital of a state is: nobody takes another state's for it."""
        seats, n = self._of_role("seats"), self.columns.n
        s, o = ints(seats["s"]), ints(seats["o"])
        states = marked(n, self._country["country"])
        stated: npt.NDArray[np.bool_] = np.isin(triples.s * n + triples.o, np.concatenate([s * n + o, o * n + s]))
        return stated & (states[triples.s] | states[triples.o])

    def _near_object(self, out: Bits, triples: Triples) -> None:
        """Keep who borders on the true object, or on its neighbours, where the relation leads to the land that one is of."""
        for role in ("next_door", "nearby"):
            asked = np.flatnonzero(self._marked(role)[triples.p]) if self._sides.height else np.empty(0, np.int64)
            true, at = np.unique(triples.o[asked], return_inverse=True)
            if len(true):
                one, two = self._around(true)
                out[asked] &= (one if role == "next_door" else two)[at]

    def _around(self, places: Ints) -> tuple[Bits, Bits]:
        """Return who borders on each of some places; and with them who has two neighbours in common with it."""
        side = self._sides.filter(pl.col("s").is_in(places.tolist()))
        beyond = side.join(self._sides, left_on="o", right_on="s").select("s", o="o_right")
        shared = beyond.group_by("s", "o").len().filter(pl.col("len") > 1).select("s", "o")
        one, more = (
            scatter(len(places), self.columns.n, np.searchsorted(places, ints(some["s"])), ints(some["o"]))
            for some in (side, shared)
        )
        return one, one | more

    def _around_object(self, out: Bits, triples: Triples) -> None:
        """Keep what lies in the true object's country or one that borders on it, where a relation leads to a place in one."""
        placed = np.flatnonzero((self._marked("narrow") & self._placed_ends)[triples.p])
        true, at = np.unique(triples.o[placed], return_inverse=True)
        if not len(true):
            return
        lies = self._country.filter(pl.col("s").is_in(true.tolist())).select(o="s", land="country")
        lands = pl.concat([lies, lies.join(self._sides, left_on="land", right_on="s").select("o", land="o_right")]).unique()
        inside = lands.join(self._country, left_on="land", right_on="country").select("o", "s")
        table = scatter(len(true), self.columns.n, np.searchsorted(true, ints(inside["o"])), ints(inside["s"]))
        out[placed] &= table[at]

    def _of_one_field(self, out: Bits, triples: Triples) -> None:
        """Keep what is given in the trades in which the true object is, most of them the same, where trades tell: awards.

        One of them is the subject's: a director who writes is given prizes for films, and none for poems.
        """
        asked = np.flatnonzero(self._marked("fields")[triples.p])
        facts = pl.DataFrame({"s": triples.s[asked], "p": triples.p[asked], "x": triples.o[asked]}).cast(pl.UInt32)
        here = facts.with_row_index("row").join(self._given, on=["p", "x"])
        own = here.join(self._trades_of, on=["s", "trade"], how="semi").select("row", "p", "x").unique()
        given = own.select("p", "x").unique().join(self._given, on=["p", "x"])
        both = given.join(self._given.rename({"x": "y"}), on=["p", "trade"]).group_by("p", "x", "y").agg(both=pl.len())
        size = self._given.group_by("p", "x").agg(size=pl.len())
        sized = both.join(size, on=["p", "x"]).join(size.rename({"x": "y", "size": "other"}), on=["p", "y"])
        alike = sized.filter(3 * pl.col("both") >= pl.col("size") + pl.col("other"))  # half of all that either has
        named = own.join(alike, on=["p", "x"])
        out[asked] &= scatter(len(asked), self.columns.n, ints(named["row"]), ints(named["y"]))

    @cached_property
    def _trades_of(self) -> pl.DataFrame:
        return self._of_role("trades").select("s", trade="o").unique()

    @cached_property
    def _given(self) -> pl.DataFrame:
        """The trades that half of those have who have an object of a relation: p, x, trade."""
        facts = self.columns.facts.join(self.columns.of_role("fields"), on="p").select("s", "p", x="o").unique()
        working = facts.join(self._trades_of, on="s")
        every = working.group_by("p", "x").agg(every=pl.col("s").n_unique())
        have = working.group_by("p", "x", "trade").agg(have=pl.col("s").n_unique()).join(every, on=["p", "x"])
        return have.filter(2 * pl.col("have") >= pl.col("every")).select("p", "x", "trade").sort("p", "x", "trade")

    @cached_property
    def _placed_ends(self) -> npt.NDArray[np.bool_]:
        return self._ends_in(self._country["s"])

    def _ends_in(self, known: pl.Series) -> npt.NDArray[np.bool_]:
        """Say of each relation whether a fifth of its objects are among those of whom something is known."""
        there = marked(self.columns.n, known)
        objects = self.columns.objects.with_columns(known=pl.Series(there[self.columns.objects["e"].to_numpy()]))
        shares = objects.group_by("p").agg(pl.col("known").mean())
        return marked(self.columns.relations.height, shares.filter(TYPICAL * pl.col("known") >= 1)["p"])

    @cached_property
    def _sides(self) -> pl.DataFrame:
        """Who borders on whom, both ways, now or once: s, o, in order. Kiev lay in the Soviet Union, beside Alaska."""
        past = self._past[0]
        sides = self._of_role("borders").join(unreturned(self.columns), on=["s", "p", "o"], how="anti").select("s", "o")
        sides = sides.filter(pl.Series(past[sides["s"].to_numpy()] == past[sides["o"].to_numpy()]))
        return pl.concat([sides, sides.select(s="o", o="s")]).unique().sort("s", "o")

    def of(self, triples: Triples) -> Bits:
        """Return who is plausible for each triple, (triples, entities)."""
        return self._possible(triples) & self._held_by_like_subjects(triples)

    def _possible(self, triples: Triples) -> Bits:
        """Return whom one may name for each triple, whatever the subjects like its own have, (triples, entities)."""
        out: Bits = self._told & ~self._unlike[triples.p]
        out &= ~self._children(triples) & ~self._dead(triples)
        lands = np.flatnonzero(self._marked("lands")[triples.p])
        out[lands] &= ~self._of_other_times(triples[lands])
        return out

    def _held_by_like_subjects(self, triples: Triples) -> Bits:
        """Return what subjects like each triple's have under its relation, (triples, entities)."""
        pairs, at = np.unique(triples.s * self.columns.relations.height + triples.p, return_inverse=True)
        s, p = np.divmod(pairs, self.columns.relations.height)
        likely = np.full((len(pairs), self._told.shape[-1]), ~np.uint64(0))
        grouped, asked = np.zeros(len(pairs), np.bool_), np.zeros(len(pairs), np.bool_)
        for number, (role, sought) in enumerate(zip(_ROLES, self._sought, strict=True)):
            bound = self._bounds[number][p]
            has = np.zeros(len(pairs), np.bool_)
            if len(sought):  # else none of the sample is in a group of this role
                held, has = self._held_by_like(self._held[number], sought, s, p)
                likely[bound & has] &= held[bound & has]
            if role in _SHARED and (bound & ~has).any():
                likely[bound & ~has] &= self._held_by_several[role][p[bound & ~has]]
            grouped, asked = grouped | (bound & has), asked | bound
        out: Bits = likely[at]
        # Who shares the true object's continent is all that is known then; where that is unknown, nobody.
        out[(asked & ~grouped)[at] & (~self._placed[triples.o] | self._marked("neighbourly")[triples.p])] = 0
        return out

    def _held_by_like(self, held: pl.DataFrame, sought: pl.DataFrame, s: Ints, p: Ints) -> tuple[Bits, npt.NDArray[np.bool_]]:
        """Return what subjects of the same groups have, (pairs, entities), and which pairs are in a group at all."""
        width, n = self.columns.n * 3, self.columns.n
        here = pl.DataFrame({"s": s, "p": p}).cast(pl.UInt32).with_row_index("row").join(sought, on=["s", "p"])
        wanted, group = np.unique(
            here.select(pl.col("p").cast(pl.Int64) * width + pl.col("group")).to_series().to_numpy(), return_inverse=True
        )
        place, fact = spans(ints(held["key"]), wanted)
        table = scatter(len(wanted), n, place, ints(held["o"])[fact])
        row = ints(here["row"])
        return unite(table, group, row, len(s)), np.bincount(row, minlength=len(s)) > 0

    @cached_property
    def _held_by_several(self) -> dict[str, Bits]:
        """What subjects of several groups of a role have under each relation, (relations, entities)."""
        size, n = self.columns.relations.height, self.columns.n
        facts = self.columns.facts.filter(pl.col("p").is_in(self.asked))
        table = {}
        for role in _SHARED:
            having = facts.join(self._groups[_ROLES.index(role)].having, on=["s", "p"])
            several = having.group_by("p", "o").agg(pl.col("group").n_unique()).filter(pl.col("group") > 1)
            table[role] = scatter(size, n, ints(several["p"]), ints(several["o"]))
        return table

    @cached_property
    def _sought(self) -> list[pl.DataFrame]:
        """The groups among which the sample's subjects look for their like: what is joined for each chunk holds no others."""
        return [self._of_sample(likes.seeking) for likes in self._groups]

    @cached_property
    def _sought_beside(self) -> pl.DataFrame:
        return self._of_sample(self._beside[0].seeking)

    def _of_sample(self, pairs: pl.DataFrame) -> pl.DataFrame:
        return pairs.join(self._sampled, on=["s", "p"], how="semi")

    @cached_property
    def _held(self) -> list[pl.DataFrame]:
        return [self._held_under(likes, sought) for likes, sought in zip(self._groups, self._sought, strict=True)]

    @cached_property
    def _held_beside(self) -> pl.DataFrame:
        return self._held_under(self._beside[0], self._sought_beside)

    def _held_under(self, likes: _Likes, sought: pl.DataFrame) -> pl.DataFrame:
        """Return what each group that is sought has under each relation, by both as one number: key, o."""
        having = likes.having.join(sought, on=["p", "group"], how="semi")
        facts = self.columns.facts.filter(pl.col("p").is_in(self.asked)).join(having, on=["s", "p"])
        key = pl.col("p").cast(pl.Int64) * (self.columns.n * 3) + pl.col("group")
        return facts.select(key=key, o="o").unique().sort("key")

    @cached_property
    def _bound_beside(self) -> npt.NDArray[np.bool_]:
        return self._bound(self._beside[0].seeking)

    @cached_property
    def _bounds(self) -> list[npt.NDArray[np.bool_]]:
        return [self._bound(likes.seeking) for likes in self._groups]

    def _bound(self, groups: pl.DataFrame) -> npt.NDArray[np.bool_]:
        """Say of each relation whether a fifth of its subjects are in a group, and it has enough of them to tell."""
        subjects = self.columns.subjects.group_by("p").agg(every=pl.len())
        known = subjects.join(groups.group_by("p").agg(known=pl.col("s").n_unique()), on="p")
        bound = known.filter((TYPICAL * pl.col("known") >= pl.col("every")) & (pl.col("every") >= _LEAST))
        return marked(self.columns.relations.height, bound["p"])

    # --- groups of subjects, by role: s, p, group

    @cached_property
    def _groups(self) -> list[_Likes]:
        pairs = self._asked_pairs
        of = self.columns.of_role
        busy = self._without(pairs, "idle")
        where = {
            "trades": busy,
            "origins": pairs,
            "genres": busy,
            "nations": pairs.join(of("national"), on="p"),
            "sports": pairs.join(of("athletic"), on="p"),
        }
        where["sexes"] = pairs.join(of("sexed"), on="p")
        by_role = []
        for role, some in where.items():
            stated = self._of_role(role).select("s", group=pl.col("o").cast(pl.Int64))
            # What a relation itself says groups nobody under it: all films of Italy come from Italy.
            grouped = some.join(of(role), on="p", how="anti").join(stated, on="s").unique()
            by_role.append(_Likes(grouped, grouped))
        return [*by_role, self._ages(busy), self._places(pairs)]

    def _ages(self, pairs: pl.DataFrame) -> _Likes:
        """Group works without a year by how many of those who made them are no more: fifths, and the next to each."""
        made = self._of_role("makers").select("s", "o").unique()
        dead = made.with_columns(dead=pl.Series(self._past[0][made["o"].to_numpy()]))
        shares = dead.group_by("s").agg(group=5 * pl.col("dead").sum() // pl.len(), crew=pl.len())
        told = shares.filter(pl.col("crew") >= _CREW).join(
            self.columns.years.filter("made"), left_on="s", right_on="e", how="anti"
        )
        having = pairs.join(told, on="s").select("s", "p", group=pl.col("group").cast(pl.Int64) + 1)
        return _Likes(pl.concat([having.with_columns(pl.col("group") + k) for k in (-1, 0, 1)]), having)

    @cached_property
    def _asked_pairs(self) -> pl.DataFrame:
        """The subjects of the relations that are asked about: s, p."""
        return self.columns.subjects.filter(pl.col("p").is_in(self.asked)).select("p", s="e").select("s", "p")

    def _places(self, pairs: pl.DataFrame) -> _Likes:
        """Group places by country; where they have none, or it is asked for, by their neighbours and by continent."""
        n, country = self.columns.n, self._country
        own = self._of_role("regions").select("s", group=pl.col("o").cast(pl.Int64) + n)
        # Of a country on several continents nobody knows on which of them a city lies.
        region = _of_country(own.filter(pl.col("s").is_unique()), country, own)
        facing = self._of_role("borders").select("s", group=pl.col("o").cast(pl.Int64) + 2 * n)
        beside = pl.concat([facing, facing.select("s", group=pl.col("s").cast(pl.Int64) + 2 * n).unique()])
        beside = _of_country(beside, country, beside)
        asked = self._without(pairs, "regions")
        in_country = self._in_country(asked)
        near = asked.join(beside, on="s").unique()
        far = self._without(asked, "neighbourly").join(region, on="s").unique()
        seeking = pl.concat([in_country, _else(pl.concat([near, far]), in_country)])
        return _Likes(seeking, pl.concat([in_country, near, far]))

    def _in_country(self, asked: pl.DataFrame) -> pl.DataFrame:
        """Group subjects by the land they lie in, where that is not asked for; by the country, where a part of it is."""
        lands = self._country.select("s", group=pl.col("country").cast(pl.Int64))
        parts = self._of_role("parts").select("s", group=pl.col("o").cast(pl.Int64))
        plain = self._without(self._without(asked, "within"), "parts")
        part = self._without(asked, "within").join(self.columns.of_role("parts"), on="p", how="semi")
        return pl.concat([plain.join(pl.concat([lands, parts]).unique(), on="s"), part.join(lands, on="s")]).unique()

    @cached_property
    def _beside(self) -> tuple[_Likes, Ints]:
        """Group places by the neighbours of the land they lie in, or by their own; and say which of the sample ask by them.

        Who borders on whom is asked of any place, anything else of those without a land, or of that land. What lies in a land
        is compared with what lies in another, and lands with lands.
        """
        n = self.columns.n
        asked = self._without(self._asked_pairs, "regions")
        bordering = asked.join(self.columns.of_role("borders"), on="p", how="semi").with_columns(home="s", level=_level(2))
        rest = _else(self._without(self._without(asked, "borders"), "next_door"), self._in_country(asked))
        inside = rest.join(self._country.rename({"country": "home"}), on="s").with_columns(level=_level(1))
        outside = _else(rest, inside).with_columns(home="s", level=_level(0))
        homes = pl.concat([bordering, inside, outside])
        group = pl.col("level").cast(pl.Int64) * n
        seeking = homes.join(self._sides, left_on="home", right_on="s").select("s", "p", group=group + pl.col("o"))
        having = homes.select("s", "p", group=group + pl.col("home"))
        own = self._of_sample(homes)
        key = own.select(pl.col("s").cast(pl.Int64) * self.columns.relations.height + pl.col("p")).to_series().unique()
        return _Likes(seeking.unique(), having), ints(key)  # of `having` only what is sought is taken, each once then

    @cached_property
    def _country(self) -> pl.DataFrame:
        """The countries that things lie in: s, country."""
        return self._of_role("within").filter(pl.col("s") != pl.col("o")).select("s", country="o").unique()

    def _without(self, pairs: pl.DataFrame, role: str) -> pl.DataFrame:
        relations = self.columns.of_role(role)
        return pairs if relations.is_empty() else pairs.join(relations, on="p", how="anti")

    def _of_role(self, role: str) -> pl.DataFrame:
        return self.columns.facts.join(self.columns.of_role(role), on="p")

    # --- who is never plausible

    @cached_property
    def _placed(self) -> npt.NDArray[np.bool_]:
        """Whether each entity is known to lie on a continent, by itself or by its country."""
        own = self._of_role("regions")["s"]
        inside = self._of_role("within").filter(pl.col("o").is_in(own.implode()))["s"]
        return marked(self.columns.n, own, inside)

    @cached_property
    def _told(self) -> Bits:
        """Those whose name tells who is meant, one row."""
        out: Bits = ~packed(marked(self.columns.n, ambiguous(self.columns), repeating(self.columns))[None])
        return out

    @cached_property
    def _unlike(self) -> Bits:
        """Who is of another trade or kind than the relation's objects, or is called otherwise, (relations, entities)."""
        rules = (adapted, atypical_trades, atypical_kinds, miscalled, nested, uncapitalised)
        every = [rule(self.columns).select("p", "e") for rule in rules]
        other = pl.concat(every).filter(pl.col("p").is_in(self.asked.tolist()))
        return scatter(self.columns.relations.height, self.columns.n, ints(other["p"]), ints(other["e"]))

    def _marked(self, role: str) -> npt.NDArray[np.bool_]:
        """Say of each relation whether it plays a role in `queries/domains/alike.toml`."""
        return marked(self.columns.relations.height, self.columns.of_role(role)["p"])

    def _of_other_times(self, triples: Triples) -> Bits:
        """Return who is no more where the true object still is, or the other way round, or at a time that nobody knows."""
        past, over, now, unknown = self._past
        out: Bits = np.where(past[triples.o][:, None], now, over) | unknown
        return out

    @cached_property
    def _past(self) -> tuple[npt.NDArray[np.bool_], Bits, Bits, Bits]:
        """Whether each entity is no more; and as rows of bits who is, who is not, and who is at an unknown time."""
        past = gone(self.columns).to_numpy()
        dated = marked(self.columns.n, self.columns.years["e"])
        over, now, unknown = (packed(some[None]) for some in (past, ~past, past & ~dated))
        return past, over, now, unknown

    def _children(self, triples: Triples) -> Bits:
        """Return who was not born or a child when each subject was made, (triples, entities)."""
        n, (made, born) = self.columns.n, self._youth
        when, at = np.unique(made[triples.s], return_inverse=True)
        table = empty(len(when), n)
        for row, year in zip(table, when.tolist(), strict=True):
            if year > 0:
                row[:] = packed((born > year - _GROWN)[None])
        return table[at]

    @cached_property
    def _youth(self) -> tuple[Ints, Ints]:
        """The year each entity was made in, and the one it was born in."""
        n, years = self.columns.n, self.columns.years
        made, born = np.full(n, -1), np.full(n, -ALWAYS)
        works, lives = years.filter("made"), years.filter(pl.col("year").is_null())
        # A work without a year was made while all were alive who made it.
        makers = self._of_role("makers").select("s", e="o").join(lives.filter(pl.col("end") < ALWAYS), on="e")
        latest = makers.group_by("s").agg(pl.col("end").min())
        made[ints(latest["s"])] = ints(latest["end"])
        made[ints(works["e"])], born[ints(lives["e"])] = ints(works["begin"]), ints(lives["begin"])
        return made, born

    def _dead(self, triples: Triples) -> Bits:
        """Return who was dead when a work without a year can have been made, (triples, entities).

        That was when the youngest who made it was grown; where the true object was dead by then, too, it need not be a maker.
        """
        n, (made, died) = self.columns.n, self._lifetimes
        when, at = np.unique(np.where(died[triples.o] >= made[triples.s], made[triples.s], -ALWAYS), return_inverse=True)
        table = empty(len(when), n)
        for row, year in zip(table, when.tolist(), strict=True):
            row[:] = packed((died < year)[None])
        return table[at]

    @cached_property
    def _lifetimes(self) -> tuple[Ints, Ints]:
        """The earliest year each work without one can have been made in, and the one that each entity died in."""
        n, years = self.columns.n, self.columns.years
        lives = years.filter(pl.col("year").is_null() & ~pl.col("made"))
        born = self._of_role("makers").select("s", e="o").join(lives.filter(pl.col("begin") > -ALWAYS), on="e")
        undated = born.join(years.filter("made").select(s="e"), on="s", how="anti")
        earliest = undated.group_by("s").agg(pl.col("begin").max() + _GROWN)
        made, died = np.full(n, -ALWAYS), np.full(n, ALWAYS)
        made[ints(earliest["s"])], died[ints(lives["e"])] = ints(earliest["begin"]), ints(lives["end"])
        return made, died


def _of_country(groups: pl.DataFrame, country: pl.DataFrame, own: pl.DataFrame) -> pl.DataFrame:
    """Add to groups (s, group) what lies in a country, with the groups of that; not what has groups of its `own`."""
    lent = country.join(groups.rename({"s": "country"}), on="country").select("s", "group").join(own, on="s", how="anti")
    return pl.concat([groups, lent]).unique()


def _level(number: int) -> pl.Expr:
    return pl.lit(number, pl.UInt8)  # a byte for each of a graph's pairs of subject and relation


def _else(groups: pl.DataFrame, first: pl.DataFrame) -> pl.DataFrame:
    """Keep the groups of those pairs of subject and relation that have none in the first."""
    return groups if first.is_empty() else groups.join(first, on=["s", "p"], how="anti")
