"""How the rows of a table are named in a sentence: quoted, beside their noun or alone; whether people and things are past."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import cached_property

import polars as pl

from generators.column_names import WordLists, split
from generators.erbench import sure
from generators.erbench.columns import Edge
from generators.erbench.endings import MOST, endings
from generators.erbench.facts import Facts
from generators.erbench.rownames import CODES
from generators.erbench.tables import EntityTable, spoken_noun, stands_somewhere
from generators.erbench.times import ends_it, tells_end
from generators.erbench.values import (
    LOOKED_UP,
    all_in_capitals,
    are_binomials,
    are_common,
    are_countries,
    are_kinds,
    are_long,
    are_slugs,
    catalogued,
    in_capitals,
    in_sentence_case,
    in_small_letters,
    initials_stand_last,
    inverted,
    surnames_first,
)
from generators.family.kinds import DEEDS
from generators.heads import is_full_name

PROPER, SAYS_ITSELF, PLACE_SAYS = 0.9, 0.6, 0.3
"""Names that begin with a capital in fewer rows are quoted; those that hold their table's noun in so many stand alone, those of
places sooner: "the museum Tate Modern" may miss its noun, "the museum Vatican Museums" is said twice."""
_SAME = 0.9
"""In so many rows a column of titles holds the name, or a date says when a row came to its end."""
_LONG_AGO = 1910
"""Who was born before lives no more."""
_WORKED_LONG_AGO = 1925
"""Nor does who did something before, of whom we do not know when they were born."""
_MANY_NAMES = 10
_NAMED = 0.1
"""Stuffs of which fewer have a second capital are called by common words."""


class Presentation:
    """Settles how rows are named; `tables` are all those whose rows can be named, `names` say what the rows of all are."""

    def __init__(self, facts: Facts, tables: Mapping[str, EntityTable], names: Mapping[str, str]) -> None:
        self._facts, self._tables, self._names = facts, tables, names

    def settle(self, table: EntityTable, columns: Collection[str]) -> None:
        """Settle how rows are named in a sentence."""
        lists, noun = WordLists.load(), table.name.split()[-1]
        table.place = (
            noun in lists.places or (table.name in lists.alone and not table.person) or stands_somewhere(table, noun, columns)
        )
        if table.key or table.iri not in self._facts.named:
            return
        self._settle_life(table, noun)
        self._settle_spelling(table, noun)
        self._settle_noun(table, noun)

    def _settle_life(self, table: EntityTable, noun: str) -> None:
        """Tell whether people are long dead, and which column says when who lived died."""
        old, later = self._born(table) if table.person else ([], [])
        table.past = bool(old) and not later
        lived = table.person or noun in sure.Sure.load().animals
        died = [a for a in table.attributes if lived and {"death", "died", "deceased"} & {*a.name.split()}]
        table.death = died[0] if died and not table.past else None
        if not (table.past or table.death):
            table.unsettled = tuple(old)  # of whom nothing says that they died

    def _settle_spelling(self, table: EntityTable, noun: str) -> None:
        """Settle in which form names are said: upright, with capitals, the given name first, in small letters."""
        lists, labels, own = WordLists.load(), self._labels_of(table), sure.Sure.load()
        in_small = noun not in lists.common and self._names_are_small and in_small_letters(labels)
        called = table.person or sure.is_animal(noun)  # AMUR, a tiger
        capitals = in_capitals(labels) or (all_in_capitals(labels) and (called or self._names_are_large or are_long(labels)))
        table.lands = are_countries(labels)
        table.said = "name" if not table.place and inverted(labels) else "capitals" if in_small or capitals else None
        table.said = "surname first" if table.person and surnames_first(labels) else table.said
        table.said = "initials last" if table.person and initials_stand_last(labels) else table.said
        table.said = "slug" if are_slugs(labels) and not in_sentence_case(labels) else table.said
        table.said = table.said or ("article last" if catalogued(labels) else None)
        table.latin = noun in (*lists.generic_kinds, "cultivar", "variety", "taxon") and are_binomials(labels)
        if table.latin:
            return
        stuff = noun in own.substances and are_common(labels)
        species = noun in (*lists.generic_kinds, "animal") and not table.single and in_sentence_case(labels)
        table.common = not table.person and not table.place and self._are_kinds(table, noun, labels)
        if (
            stuff
            or species
            or (table.common and in_sentence_case(labels))
            or (noun in lists.substances and float(str(labels.str.contains(r" \p{Lu}").mean() or 0.0)) < _NAMED)
        ):
            table.said = "small"

    def _settle_noun(self, table: EntityTable, noun: str) -> None:
        """Settle whether names are quoted, stand beside what they are, or alone."""
        lists, labels, own = WordLists.load(), self._labels_of(table), sure.Sure.load()
        proper = labels.str.contains(r"^[\p{Lu}\p{Lt}\d]").mean() or 0.0
        says_itself = labels.str.to_lowercase().str.contains(rf"\b{re.escape(noun)}\b").mean() or 0.0
        work = (
            noun in lists.works
            or (not table.person and noun not in {*own.origins, *DEEDS} and self._are_titles(table))
            or (table.single and bool(labels.str.contains("^(?:The|An?) ").any()))
        )
        stuff = noun in lists.common and in_small_letters(labels)  # a sport, which is no title
        stuff = stuff or (noun in lists.substances and 2 * float(str(proper)) < 1)  # vodka, beside Green Chartreuse
        table.full = table.person and not table.hidden and all(map(is_full_name, labels))
        table.quoted = not (table.person or table.latin) and (
            work or (float(str(proper)) < PROPER and not (table.said or stuff))
        )
        alone = spoken_noun(table.name) in own.umbrellas and table.said != "small"
        table.bare = alone and not (table.quoted or table.person)
        table.kinds = are_kinds(table.name, labels)
        table.alone = not work and (
            table.name in lists.alone or float(str(says_itself)) >= (PLACE_SAYS if table.place else SAYS_ITSELF)
        )

    def settle_past(self, table: EntityTable) -> None:
        """Tell, once all columns are known, whose people lived long ago, and of which table each row came to its end."""
        self._settle_past(table)
        last = table.name.split()[-1]
        went_on = last in {*sure.Sure.load().lasting, *sure.Sure.load().held}
        told = [a for a in table.attributes if ends_it(a.name) or (went_on and tells_end(a.name))]
        ended = [a for a in told if a.kind in ("date", "year", "month")]
        table.over = any(self._facts.pairs(a.iri).height >= _SAME * self._facts.rows[table.iri] for a in ended)
        if table.person:
            return
        table.endings = tuple(endings(table.attributes, {a.iri: self._facts.pairs(a.iri) for a in table.attributes}))
        surest = max(table.endings, key=lambda ending: ending.rows, default=None)
        if not table.over and surest is not None and surest.rows >= MOST * self._facts.rows[table.iri]:
            table.over, table.over_by = True, surest

    def _settle_past(self, table: EntityTable) -> None:
        """Tell people of long ago by what they made, where nothing says when they lived."""
        born = any({"birth", "born"} & {*a.name.split()} for a in table.attributes)
        if not table.person or table.past or table.death or born:
            return
        worked = [
            self._facts.pairs(edge.iri).join(self._facts.pairs(day.iri).rename({"o": "day"}), on="s").select(e="o", day="day")
            for other in self._tables.values()
            for edge in other.edges
            if edge.to == table.iri and edge.table != table.iri and self._made(other, edge)
            for day in other.attributes
            if day.kind in ("year", "date")
        ]
        if not worked:
            return
        years = pl.col("day").str.extract(r"(\d{4})").cast(pl.Int64)
        last = pl.concat(worked).group_by("e").agg(year=years.max())
        rows = self._facts.names_of(table.iri).join(last, on="e", how="left")
        recent = rows.filter(pl.col("year").is_null() | (pl.col("year") > _WORKED_LONG_AGO))["e"].sort().to_list()
        if 2 * len(recent) < rows.height:
            table.past, table.unsettled = True, tuple(recent)

    def _made(self, table: EntityTable, edge: Edge) -> bool:
        """Whether a row's person made it: who wrote an opera of 1853 is dead, who manages a club of 1886 is not."""
        said = sure.maker(table.name, edge.name) or sure.maker(table.name, self._names[edge.to])
        return said is not None and said[2] == "was"

    def _born(self, table: EntityTable) -> tuple[list[str], list[str]]:
        """Return the people who were born before anybody who lives, and those who were born later."""
        born = [a for a in table.attributes if a.kind in ("date", "year") and {"birth", "born"} & {*a.name.split()}]
        year, pairs = pl.col("o").str.slice(0, 4).cast(pl.Int64, strict=False), [self._facts.pairs(a.iri) for a in born[:1]]
        return (
            [row for some in pairs for row in some.filter(year < _LONG_AGO)["s"].unique().sort()],
            [row for some in pairs for row in some.filter(year >= _LONG_AGO)["s"].unique().sort()],
        )

    def _labels_of(self, table: EntityTable) -> pl.Series:
        """The names of a table's rows."""
        return self._facts.names_of(table.iri)["label"]

    def _are_titles(self, table: EntityTable) -> bool:
        """Whether the names of a table's rows stand in a column of titles, as works and exhibitions have them."""
        columns = self._facts.columns_of(table.iri)
        titles = [iri for iri, name in columns if split(name)[-1] == "title" and iri in self._facts.use]
        return any(self._facts.share_told_by_name(iri) >= _SAME for iri in titles)

    def _are_kinds(self, table: EntityTable, noun: str, labels: pl.Series) -> bool:
        """Whether the rows of a table are no single things but kinds of them, called by common words: causes of loss."""
        lists = WordLists.load()
        named = {
            *lists.works,
            *lists.groups,
            *lists.companies,
            *lists.institutions,
            *sure.Sure.load().based,
            *lists.generic_kinds,
        }
        labels = labels.unique().sort().head(LOOKED_UP)
        if noun in named - {*lists.common} or not are_common(labels.str.to_lowercase()):
            return False
        columns = len(self._facts.columns_of(table.iri))
        return columns <= CODES and (in_capitals(labels) or are_common(labels))

    @cached_property
    def _names_are_small(self) -> bool:
        """Whether this database writes proper names, of people, places or works, in small letters."""
        lists = WordLists.load()
        proper = {*lists.persons, *lists.places, *lists.alone, *lists.works, *lists.proper}
        known = [table for table in self._tables.values() if not table.key and table.name.split()[-1] in proper]
        return any(in_small_letters(self._labels_of(table)) for table in known)

    @cached_property
    def _names_are_large(self) -> bool:
        """Whether this database writes names in capitals: then short ones that are no words are no letters said one by one."""
        labels = self._facts.names_as_written()
        return labels.len() >= _MANY_NAMES and all_in_capitals(labels) and in_capitals(labels)
