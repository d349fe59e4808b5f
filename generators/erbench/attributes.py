"""Which columns of a table can be asked about, what their values are, and why the others are refused."""

from __future__ import annotations

import itertools
from collections.abc import Collection, MutableMapping
from dataclasses import dataclass, replace
from functools import cached_property

import polars as pl

from generators.column_names import WordLists, ends_in_participle, split, unit_of
from generators.erbench import refusals, sure
from generators.erbench.columns import Attribute, Edge
from generators.erbench.facts import Facts
from generators.erbench.flags import YES, is_adjective
from generators.erbench.names import Called, Words
from generators.erbench.rownames import CLASSES
from generators.erbench.tables import KINDS_OF_SINGLE, EntityTable, is_no_person, is_of_a_life, lives_on
from generators.erbench.times import TIME_WORDS
from generators.erbench.values import (
    are_agents,
    are_demonyms,
    are_kinds,
    are_mostly_common,
    are_names,
    are_years,
    kind_of,
    said_as,
)
from generators.heads import CONTESTS
from generators.inflections import is_common_noun
from generators.nouns import is_noun, singular

LONGEST_TEXT = 80
"""A text of more characters is no answer to a short question."""
TOLD_BY_NAME = 0.2
"""A column that the row's name tells in more than this share of rows is refused."""
_SEEN_VALUES = 1_000
"""Of so many values, the first in their order, the look is told."""
SEVERAL = 1.05
"""Where there are so many times as many facts as rows, rows have several values."""


@dataclass(frozen=True)
class _People:
    """Whether rows live, and whether what is told of them is private."""

    lives: bool
    private: bool


_IN_CONTESTS = ("driver", "participant", "competitor", "entrant")
"""People whom those know who keep a table, unless it is one of races."""
_FULL_NAMES = 0.5
"""In a table of people more rows have a name of two words or more."""
_SLIPS = 0.02
"""Of more rows a column of years and one of dates tell another story."""


class Attributes:
    """Finds the attributes of tables; `unclear` are columns that may be links, `houses` makers that are no people."""

    def __init__(
        self,
        facts: Facts,
        words: Words,
        linked: Collection[str],
        unclear: Collection[str],
        houses: Collection[str],
        *,
        personal: bool,
    ) -> None:
        self._facts, self._words, self._personal = facts, words, personal
        self._linked, self._unclear, self._houses = linked, unclear, houses

    def find(self, table: EntityTable, refused: MutableMapping[str, str], columns: MutableMapping[str, str]) -> Collection[str]:
        """Give a table its attributes; what is `refused`, and of which column, is written down. Return how columns are said."""
        raw = self._facts.raw[table.iri]
        own = self._facts.columns_of(table.iri)
        called = {iri: self._words.column(name, raw) for iri, name in own}
        people = self._settle_people(table, [(iri, name, called[iri]) for iri, name in own])
        for iri, name in own:
            if iri in self._linked:
                continue
            said = called[iri]
            columns.setdefault(f"{table.name}: {said.name}", f"{raw}.{name}")
            at = self._facts.promoted(iri)
            why = "its name has no word" if not any(c.isalnum() for c in name) else None
            if at not in self._facts.use:
                continue
            column = refusals.Column(said.name, name, table.name, private=people.private, person=people.lives)
            if why := why or self._why_not(at, column, said):
                refused[f"{table.name}: {said.name}"] = why
                continue
            kind = self._kind(at, said.name)
            topped = any(called[other].name in _TOPS for other, _ in own if other != iri)
            if why := _why_not_asked(table, said.name, kind) or (_OF_TOP if topped and _is_height(said.name) else None):
                refused[f"{table.name}: {said.name}"] = why
            else:
                table.attributes.append(self._attribute(at, table, said.name, kind))
        for odd in self._at_odds(table):
            table.attributes.remove(odd)
            refused[f"{table.name}: {odd.name}"] = refusals.AT_ODDS
        return {said.name for said in called.values()}

    def given(self, table: EntityTable, edge: Edge, iri: str, noun: str) -> Attribute | str:
        """Describe what a table of values gives to the rows of a table (`edge` leads to them), or say why nobody asks it."""
        raw = self._facts.columns.filter(pl.col("p") == iri)["name"][0]
        some = self._facts.pairs(iri)["o"].drop_nulls().unique().sort().head(_SEEN_VALUES).to_list()
        column = refusals.Column(noun, raw, table.name, some, private=table.hidden or None, person=table.person)
        if why := refusals.of_column(column, personal=self._personal) or self._why_not_counted(iri):
            return why
        if noun == table.name or iri in self._unclear:
            return refusals.UNDECLARED if iri in self._unclear else refusals.CODED
        kind = self._kind(iri, noun)
        given = replace(self._attribute(iri, table, noun, kind), through=edge)
        small = kind == "text" and given.said is None and are_mostly_common(self._facts.pairs(iri)["o"])
        return replace(given, said="small") if small and noun.split()[-1] not in WordLists.load().works else given

    def _at_odds(self, table: EntityTable) -> list[Attribute]:
        """Find the columns of a year and of a date of one event that do not have the same year: which one is right?"""
        whens = [(a, {*a.name.split()} - TIME_WORDS) for a in table.attributes if a.kind in ("year", "date")]
        found = list[Attribute]()
        for (year, of), (date, same) in itertools.permutations(whens, 2):
            if of and of == same and (year.kind, date.kind) == ("year", "date"):
                both = self._facts.pairs(year.iri).join(self._facts.pairs(date.iri).rename({"o": "day"}), on="s")
                if float(str((both["o"] != both["day"].str.extract(r"(\d{4})")).mean() or 0.0)) > _SLIPS:
                    found += [year, date]
        return [*dict.fromkeys(found)]

    def _settle_people(self, table: EntityTable, columns: list[tuple[str, str, Called]]) -> _People:
        """Tell whether rows are people, single animals, and known to those alone who keep the table."""
        lists, last = WordLists.load(), table.name.split()[-1]
        spoken = {said.name for _, _, said in columns}
        named_twice = bool(spoken & {*lists.first_names}) and bool(spoken & {*lists.last_names})
        words = {word for _, name, said in columns for word in (*said.name.split(), *split(name))}
        table.single = last in lists.generic_kinds and bool(words & KINDS_OF_SINGLE)
        known = named_twice or (last in lists.persons and table.iri not in self._houses)
        told = (said.name for iri, _, said in columns if said.name != "birth" or self._facts.is_dated(iri))  # or a berth
        lives = known or lives_on(table.name, told)  # who stands beside an act may be private, too
        lives = lives and (known or not self._are_firms(table, words))
        table.person = known or (lives and not is_no_person(table.name))
        private = refusals.is_private(table.name, [*spoken, *(name for _, name, _ in columns)], lives)
        private = private and not (last in _IN_CONTESTS and self._has_contests)
        # A gardener, a keeper: people who are known for nothing that we know of, and may live.
        dead = bool(words & {"death", "died", "deceased"})
        private = private or (lives and not known and not dead and self._facts.may_live(iri for iri, _, _ in columns))
        table.hidden = private and table.person
        return _People(lives, private)

    def _are_firms(self, table: EntityTable, words: Collection[str]) -> bool:
        """Whether rows that have a nationality, and no birth, are called as people seldom are: constructors, McLaren."""
        if {"birth", "born", "birthplace", "birthdate", "dob"} & {*words} or table.iri not in self._facts.named:
            return False
        names = self._facts.names_of(table.iri)["label"]
        return float(str(names.str.contains(r"^\S+ (?:\S+ )*\S+$").mean() or 0.0)) < _FULL_NAMES

    @cached_property
    def _has_contests(self) -> bool:
        """Whether the database keeps races or the like: who drives in them is known."""
        return any(singular(split(name)[-1]) in CONTESTS for name in self._facts.raw.values() if split(name))

    def _why_not(self, iri: str, column: refusals.Column, said: Called) -> str | None:
        """Say why nobody should be asked about a column, by its name and its values."""
        return (
            self._why_not_held(iri, said)
            or refusals.of_column(column, personal=self._personal)
            or self._why_not_counted(iri)
            or self._why_not_seen(iri, column)
            or (refusals.unsaid(said.unsaid) if said.unsaid else None)
        )

    def _why_not_held(self, iri: str, said: Called) -> str | None:
        if iri in self._facts.bytes:
            return "bytes, which nobody can say"
        known = said.name in sure.Sure.load().measures  # the atomic number of an element
        return "a key, which only the database knows" if iri in self._facts.keys and not known else None

    def _why_not_counted(self, iri: str) -> str | None:
        """Say what is wrong with how many values there are, and how long they are."""
        n, subjects, values, size = self._facts.use[iri]
        if values < 2:
            return "all rows have the same value"
        if size > LONGEST_TEXT:
            return f"texts of up to {size} characters"
        if n > SEVERAL * subjects:
            return "rows have several values"
        return "its values have no names" if self._facts.pairs(iri).is_empty() else None

    def _why_not_seen(self, iri: str, column: refusals.Column) -> str | None:
        """Say what is wrong with what the values look like."""
        some = self._facts.pairs(iri)["o"].drop_nulls().unique().sort().head(_SEEN_VALUES).to_list()
        if why := refusals.of_column(replace(column, values=some), personal=self._personal):
            return why
        if self._facts.is_flag(iri):  # the 1 of a yes stands in the name of every first mission
            return None
        if self._facts.share_told_by_name(iri) > TOLD_BY_NAME:
            return "the name of the row gives it away"
        return refusals.UNDECLARED if iri in self._unclear else None

    def _kind(self, iri: str, said: str) -> str:
        """Say of what kind the values of a column are."""
        values = self._facts.pairs(iri)["o"]
        kind = kind_of(values)
        dated = {"year", "yr"} & {*said.split()} or ends_in_participle(said)
        if kind == "number" and dated and are_years(values, said):
            return "year"  # of long ago, too
        of_country = kind == "text" and said.split()[-1] in ("nationality", "citizenship")
        return "demonym" if of_country and are_demonyms(values) else kind

    def _attribute(self, iri: str, table: EntityTable, said: str, kind: str) -> Attribute:
        """Describe a column that can be asked about."""
        values: pl.Series = self._facts.pairs(iri)["o"]
        if kind == "flag":
            return Attribute(
                iri, table.iri, said, kind, said_as(said, kind, values), beside=self._kind_beside(iri, table, said)
            )
        agents = kind == "text" and not table.person and are_agents(said, values)
        named, kinds = kind == "text" and are_names(values), kind == "text" and are_kinds(said, values)
        return Attribute(iri, table.iri, said, kind, said_as(said, kind, values), agents=agents, named=named, kinds=kinds)

    def _kind_beside(self, iri: str, table: EntityTable, said: str) -> str | None:
        """Find the column that has what a column of yes and no is called by among its values: a taxon, rodent.

        Then the name is one of a kind, of which a row is one. Where the two seldom agree, it is something else.
        """
        if not (is_common_noun(said) and is_noun(said)) or is_adjective(said):
            return None
        told = self._facts.pairs(iri).with_columns(so=pl.col("o").str.to_lowercase().is_in(YES))
        for other, _ in self._facts.columns_of(table.iri):
            if other == iri or other not in self._facts.use:
                continue
            both = told.join(self._facts.pairs(other).select("s", kind=pl.col("o").str.to_lowercase()), on="s")
            same = both.select((pl.col("kind").str.contains(said, literal=True) == pl.col("so")).mean()).item()
            if said in {*both["kind"]} and float(same or 0.0) >= _AGREED:
                return other
        return None


_AGREED = 0.8
"""In so many rows a column of yes and no must say the same as the one that tells kinds."""
_OF_TOP = "a height, which may be that of its highest point"
_TOPS = frozenset({"highest point", "highest peak", "highest mountain", "summit"})


def _is_height(said: str) -> bool:
    return unit_of(said)[0].split()[-1] in ("elevation", "altitude", "height")


def _why_not_asked(table: EntityTable, said: str, kind: str) -> str | None:
    """Say why values of a kind are no answers to what their column is called."""
    if said == table.name:
        return refusals.CODED  # the airline of an airline stands for it
    if kind == "text" and said.split()[-1] in WordLists.load().described:
        return "words that describe a row, and answer nothing that anybody asks"
    if table.name.split()[-1] in CLASSES and said.split()[0] in WordLists.load().extremes:
        return "the limits of a kind, which everybody draws otherwise"
    if said == "stage name" and not table.person:
        return "the stage of something, as its keepers call it"  # only an artist has a stage name
    if kind in ("number", "year") and said.split()[-1] in WordLists.load().with_units:
        return "a number whose unit is not said"
    if kind == "unspoken":
        return "numbers that nobody says so, 6e-07 or 0.1400000001"
    if kind == "figures":
        return "dates whose day and month nobody can tell apart"
    if kind == "year" and "estimated" in said.split():
        return "“est” may be estimated, or established in that year"
    if not table.person and is_of_a_life(said) and is_no_person(table.name):
        return refusals.OF_A_PERSON
    return "the size of a file" if (unit_of(said)[1] or "").endswith("bytes") else None
