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

from generators.fpq.doubts import ambiguous, atypical_kinds, atypical_trades, miscalled, nested, repeating
from generators.fpq.edits import TYPICAL, Masks, Triples
from generators.fpq.tense import gone
from generators.graph_columns import GraphColumns
from generators.years import ALWAYS
from kg.sets import Bits, Ints, Sets, scatter, spans, unite

_LEAST = 15
"""A relation of fewer subjects is bound by no role: what few have tells little."""

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

    def narrow(self, masks: Masks, triples: Triples) -> Masks:
        """Keep of those of the same kind, and of the fellows, whom somebody might take for the true object."""
        likely = self.of(triples)
        every = np.arange(len(triples))
        same, fellows = masks.same.bits(), masks.fellows.bits()
        return replace(masks, same=Sets(same & likely, every), fellows=Sets(fellows & likely, every))

    def of(self, triples: Triples) -> Bits:
        """Return who is plausible for each triple, (triples, entities)."""
        pairs, at = np.unique(triples.s * self.columns.relations.height + triples.p, return_inverse=True)
        s, p = np.divmod(pairs, self.columns.relations.height)
        likely = np.full((len(pairs), self._told.shape[-1]), ~np.uint64(0))
        grouped, asked = np.zeros(len(pairs), np.bool_), np.zeros(len(pairs), np.bool_)
        for number, likes in enumerate(self._groups):
            held, has = self._held_by_like(number, likes, s, p)
            bound = self._bounds[number][p]
            likely[bound & has] &= held[bound & has]
            grouped, asked = grouped | (bound & has), asked | bound
        out: Bits = likely[at] & self._told & ~self._unlike[triples.p]
        # Who shares the true object's continent is all that is known then; where that is unknown, nobody.
        out[(asked & ~grouped)[at] & (~self._placed[triples.o] | self._marked("neighbourly")[triples.p])] = 0
        out &= ~self._children(triples)
        out &= ~np.where(self._marked("lands")[triples.p][:, None], self._of_other_times(triples), np.uint64(0))
        return out

    def _held_by_like(self, number: int, likes: _Likes, s: Ints, p: Ints) -> tuple[Bits, npt.NDArray[np.bool_]]:
        """Return what subjects of the same groups have, (pairs, entities), and which pairs are in a group at all."""
        width, n = self.columns.n * 3, self.columns.n
        held = self._held[number]
        here = pl.DataFrame({"s": s, "p": p}).cast(pl.UInt32).with_row_index("row").join(likes.seeking, on=["s", "p"])
        wanted, group = np.unique(
            here.select(pl.col("p").cast(pl.Int64) * width + pl.col("group")).to_series().to_numpy(), return_inverse=True
        )
        place, fact = spans(_ints(held["key"]), wanted)
        table = scatter(len(wanted), n, place, _ints(held["o"])[fact])
        row = _ints(here["row"])
        return unite(table, group, row, len(s)), np.bincount(row, minlength=len(s)) > 0

    @cached_property
    def _held(self) -> list[pl.DataFrame]:
        """What each group has under each relation, by both as one number: key, o."""
        facts, width = self.columns.facts.filter(pl.col("p").is_in(self.asked)), self.columns.n * 3
        own = [facts.join(likes.having, on=["s", "p"]) for likes in self._groups]
        key = pl.col("p").cast(pl.Int64) * width + pl.col("group")
        return [some.select(key=key, o="o").unique().sort("key") for some in own]

    @cached_property
    def _bounds(self) -> list[npt.NDArray[np.bool_]]:
        return [self._bound(likes.seeking) for likes in self._groups]

    def _bound(self, groups: pl.DataFrame) -> npt.NDArray[np.bool_]:
        """Say of each relation whether a fifth of its subjects are in a group, and it has enough of them to tell."""
        subjects = self.columns.facts.group_by("p").agg(every=pl.col("s").n_unique())
        known = subjects.join(groups.group_by("p").agg(known=pl.col("s").n_unique()), on="p")
        bound = known.filter((TYPICAL * pl.col("known") >= pl.col("every")) & (pl.col("every") >= _LEAST))
        out = np.zeros(self.columns.relations.height, np.bool_)
        out[_ints(bound["p"])] = True
        return out

    # --- groups of subjects, by role: s, p, group

    @cached_property
    def _groups(self) -> list[_Likes]:
        pairs = self.columns.facts.filter(pl.col("p").is_in(self.asked)).select("s", "p").unique()
        of = self.columns.of_role
        where = {"trades": pairs.join(of("idle"), on="p", how="anti"), "origins": pairs}
        where |= {"nations": pairs.join(of("national"), on="p"), "sports": pairs.join(of("athletic"), on="p")}
        where["sexes"] = pairs.join(of("sexed"), on="p")
        by_role = []
        for role, some in where.items():
            stated = self._of_role(role).select("s", group=pl.col("o").cast(pl.Int64))
            # What a relation itself says groups nobody under it: all films of Italy come from Italy.
            grouped = some.join(of(role), on="p", how="anti").join(stated, on="s").unique()
            by_role.append(_Likes(grouped, grouped))
        return [*by_role, self._places(pairs)]

    def _places(self, pairs: pl.DataFrame) -> _Likes:
        """Group places by country; where they have none, or it is asked for, by their neighbours, else by continent."""
        n, inside = self.columns.n, self._of_role("within").filter(pl.col("s") != pl.col("o"))
        country = inside.select("s", country="o")
        own = self._of_role("regions").select("s", group=pl.col("o").cast(pl.Int64) + n)
        # Of a country on several continents nobody knows on which of them a city lies.
        region = _of_country(own.filter(pl.col("s").is_unique()), country, own)
        facing = self._of_role("borders").select("s", group=pl.col("o").cast(pl.Int64) + 2 * n)
        beside = pl.concat([facing, facing.select("s", group=pl.col("s").cast(pl.Int64) + 2 * n).unique()])
        beside = _of_country(beside, country, beside)
        asked = pairs.join(self.columns.of_role("regions"), on="p", how="anti")
        parts = self._of_role("parts").select("s", group=pl.col("o").cast(pl.Int64))
        lands = pl.concat([inside.select("s", group=pl.col("o").cast(pl.Int64)), parts]).unique()
        saying = pl.concat([self.columns.of_role(role) for role in ("within", "parts")])
        in_country = asked.join(saying, on="p", how="anti").join(lands, on="s")
        near = asked.join(beside, on="s").unique()
        far = asked.join(self.columns.of_role("neighbourly"), on="p", how="anti").join(region, on="s").unique()
        seeking = pl.concat([in_country, _else(near, in_country), _else(_else(far, in_country), near)])
        return _Likes(seeking, pl.concat([in_country, near, far]))

    def _of_role(self, role: str) -> pl.DataFrame:
        return self.columns.facts.join(self.columns.of_role(role), on="p")

    # --- who is never plausible

    @cached_property
    def _placed(self) -> npt.NDArray[np.bool_]:
        """Whether each entity is known to lie on a continent, by itself or by its country."""
        own = self._of_role("regions")["s"]
        inside = self._of_role("within").filter(pl.col("o").is_in(own.implode()))["s"]
        out = np.zeros(self.columns.n, np.bool_)
        out[_ints(pl.concat([own, inside]))] = True
        return out

    @cached_property
    def _told(self) -> Bits:
        """Those whose name tells who is meant, one row."""
        unclear = pl.concat([ambiguous(self.columns), repeating(self.columns)])
        out: Bits = ~self._set(_ints(unclear))
        return out

    @cached_property
    def _unlike(self) -> Bits:
        """Who is of another trade or kind than the relation's objects, or is called otherwise, (relations, entities)."""
        rules = (atypical_trades, atypical_kinds, miscalled, nested)
        every = [rule(self.columns).select("p", "e") for rule in rules]
        other = pl.concat(every).filter(pl.col("p").is_in(self.asked.tolist()))
        return scatter(self.columns.relations.height, self.columns.n, _ints(other["p"]), _ints(other["e"]))

    def _marked(self, role: str) -> npt.NDArray[np.bool_]:
        """Say of each relation whether it plays a role in `queries/domains/alike.toml`."""
        out = np.zeros(self.columns.relations.height, np.bool_)
        out[_ints(self.columns.of_role(role)["p"])] = True
        return out

    def _of_other_times(self, triples: Triples) -> Bits:
        """Return who is no more where the true object still is, or the other way round, or at a time that nobody knows."""
        past, over, now, unknown = self._past
        out: Bits = np.where(past[triples.o][:, None], now, over) | unknown
        return out

    @cached_property
    def _past(self) -> tuple[npt.NDArray[np.bool_], Bits, Bits, Bits]:
        """Whether each entity is no more; and as rows of bits who is, who is not, and who is at an unknown time."""
        past = gone(self.columns).to_numpy()
        dated = np.zeros(self.columns.n, np.bool_)
        dated[_ints(self.columns.years["e"])] = True
        over, now, unknown = (self._set(np.flatnonzero(some)) for some in (past, ~past, past & ~dated))
        return past, over, now, unknown

    def _children(self, triples: Triples) -> Bits:
        """Return who was not born or a child in the year in which each subject was made, (triples, entities)."""
        n, years = self.columns.n, self.columns.years
        made, born = np.full(n, -1), np.full(n, -ALWAYS)
        works, lives = years.filter("made"), years.filter(pl.col("year").is_null())
        made[_ints(works["e"])], born[_ints(lives["e"])] = _ints(works["begin"]), _ints(lives["begin"])
        when, at = np.unique(made[triples.s], return_inverse=True)
        young = [np.flatnonzero(born > year - _GROWN) if year > 0 else np.zeros(0, np.int64) for year in when.tolist()]
        row = np.repeat(np.arange(len(when)), [len(some) for some in young])
        return scatter(len(when), n, row, np.concatenate([np.zeros(0, np.int64), *young]))[at]

    def _set(self, nodes: Ints) -> Bits:
        return scatter(1, self.columns.n, np.zeros(len(nodes), np.int64), nodes)


def _of_country(groups: pl.DataFrame, country: pl.DataFrame, own: pl.DataFrame) -> pl.DataFrame:
    """Add to groups (s, group) what lies in a country, with the groups of that; not what has groups of its `own`."""
    lent = country.join(groups.rename({"s": "country"}), on="country").select("s", "group").join(own, on="s", how="anti")
    return pl.concat([groups, lent]).unique()


def _else(groups: pl.DataFrame, first: pl.DataFrame) -> pl.DataFrame:
    """Keep the groups of those pairs of subject and relation that have none in the first."""
    return groups.join(first, on=["s", "p"], how="anti")


def _ints(column: pl.Series) -> Ints:
    return column.cast(pl.Int64).to_numpy()
