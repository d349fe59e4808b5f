"""Which families are surely worded as a person would say them: words, ways and values are looked at, and the others refused.

What is sure of words and values by themselves is said by `sure`; here it is asked of a catalog's tables and ways: which names
tell which row is meant, and what a false value is like.

```
>>> is_generic("Socialist Party", "party"), is_generic("Fine Gael", "party"), is_generic("Lagos Museum", "museum")
(True, False, False)
>>> [is_generic(name, "theatre") for name in ("Teatro Regio", "Nationaltheater", "Teatro Valle", "Burgtheater")]
[True, True, False, False]

```
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import polars as pl

from generators.column_names import WordLists, ends_in_participle, unit_of
from generators.erbench import refusals, sure
from generators.erbench.catalog import Catalog
from generators.erbench.columns import Attribute, Edge
from generators.erbench.flags import DESIGNATIONS, applies, is_adjective
from generators.erbench.oddnames import several_rows, unsaid_rows
from generators.erbench.rownames import KIND_WORDS
from generators.erbench.rows import is_count, row_variable, without
from generators.erbench.sentences import ROW, VALUE
from generators.erbench.steps import form_of
from generators.erbench.tables import EntityTable
from generators.erbench.ways import Path, end_of_path
from generators.family.spelling import said_column, surname
from generators.heads import stands_still
from generators.inflections import is_common_adjective, is_common_noun
from generators.nouns import is_word

_CROWD = 1000
"""Among so many people others bear most names."""
_OF_PROGRAMS = re.compile(r"metadat|alembic|migration|changelog|schema")
"""How tables are called that a program keeps for itself."""
_FEWEST = 5
"""Of fewer rows nothing is asked: their false values would be far from true."""
_GOT = frozenset({"acquired", "acquisition", "bought", "purchased", "purchase"})
_OF_ONE = re.compile(rf"\b(?:[Ii]s|[Dd]oes|[Hh]as|[Ww]as) {ROW}")
_OF_ONE_NOW = re.compile(rf"{ROW} (?:is|does|works|plays|competes|writes)\b")
_HANGING = re.compile(r" (?:after|from|of|on|into|in|by|to|at)\?$")
"""A question over several values that ends in a preposition is too long for it."""
_HOPS, _LINKS = 2, 1
"""So many values lie on the way at most, and a question over several says "of", or adds a clause, so often."""


class Grades:
    """Says of families why they are not surely well worded, and which values their queries leave out."""

    def __init__(self, catalog: Catalog, *, all_wordings: bool = False, negated: bool = False) -> None:
        """Grade the families of a catalog; `all_wordings` lets all through as they are, `negated` has denials."""
        self.negated, self.chosen = negated, not all_wordings
        self._catalog, self._all = catalog, all_wordings
        self._same = dict[str, list[str]]()
        self._seen: dict[tuple[str, str | None], list[str] | None] = {}

    def of_table(self, table: EntityTable, *, had: bool = False) -> str | None:
        """Say why nobody is sure to call a row of a table so; those that are `had` may be kinds: the types of a creature."""
        if self._catalog.language is not None and not self._all:
            return f"the names of its database are {self._catalog.language} ({sure.FOREIGN})"
        if _OF_PROGRAMS.search(table.name):
            return refusals.INTERNAL
        if table.iri in self._catalog.misnamed and not self._all:
            return sure.MISNAMED
        if table.iri in self._catalog.kinds and not self._all and not had:
            return sure.KINDS
        if table.iri in self._catalog.guessed and not self._all:
            return f"“{self._catalog.guessed[table.iri]}” in its table's name {sure.GUESSED_ROWS}"
        if had and table.name.split()[-1] in KIND_WORDS and not self._all:
            return None
        if table.event and not self._all and table.name not in sure.Sure.load().happenings:
            return sure.UNSURE_ROWS
        if table.quoted and sure.is_umbrella(table.name) and not self._all:
            return sure.UNSURE_ROWS
        # Nobody knows of which one "the database" is said.
        if not self._all and self._catalog.opening(table) == "according to the database":
            return sure.UNTOLD
        if not self._all and 2 * len(self._untold(table)) > self._catalog.names_of(table).height:
            return sure.UNTOLD
        if not self._all and not self._catalog.about and self._are_anybody(table):
            return sure.UNTOLD
        made = (
            table.name.split()[-1] == "record" and table.quoted and any(self._catalog.tables[e.to].person for e in table.edges)
        )
        if self._all or ((made or sure.is_noun_of_rows(table.name)) and (table.key or self._odd_rows(table) is not None)):
            return None
        return sure.UNSURE_ROWS

    def _are_anybody(self, table: EntityTable) -> bool:
        """Whether rows are people, of whom nothing says what they are, and so many that others bear most of their names."""
        return table.name in ("person", "individual") and self._catalog.names_of(table).height >= _CROWD

    def of_path(self, path: Path, texts: Sequence[str]) -> str | None:
        """Say why the questions of a way are not surely well worded."""
        if self._all:
            return None
        # Where a way ends in a row, that is an answer, and its table need not say what it is.
        edges = path.edges if path.end else path.edges[:-1]
        tables = [self._catalog.tables[iri] for iri in (path.start, *(edge.to for edge in edges))]
        if end_of_path(self._catalog, path).height < _FEWEST:
            return sure.UNSURE_FEW
        if path.hops > 1 and path.end and tables[0].hidden:
            return sure.UNSURE_WAY  # how large somebody's branch is, is asked of the branch
        if path.edges and path.end and self._may_live(path):
            return sure.UNSURE_WAY
        leads = all(form_of(self._catalog, link).leads for link in path.links[:-1])
        hangs = path.hops > 1 and _HANGING.search(form_of(self._catalog, path.links[-1]).ask)
        if (
            not leads
            or hangs
            or path.hops > _HOPS
            or (path.hops > 1 and any(refusals.links_in(text) > _LINKS for text in texts))
        ):
            return sure.UNSURE_WAY
        return next(filter(None, [*map(self.of_table, tables), *map(self.of_link, path.links)]), None)

    def _may_live(self, path: Path) -> bool:
        """Whether a question says of somebody on the way what they were, of whom not all are known to be dead."""
        table = self._catalog.tables[path.edges[-1].to]
        return form_of(self._catalog, path.links[-1]).former and table.person and (not table.past or bool(table.unsettled))

    def claims(self, path: Path) -> bool:
        """Whether a value is surely claimed as well as asked for."""
        told = not self._all and (self._holds_name(path) or self._is_far(path))
        return self.is_claimed(path.links[-1]) and not self._runs_together(path) and not told

    def _is_far(self, path: Path) -> bool:
        """Whether false values would be no riddle: nobody takes a country of one continent for one of another."""
        start, last = self._catalog.tables[path.start].name.split()[-1], path.links[-1].name
        if last == "country" and start in WordLists.load().areas:
            return likeness(self._catalog, path, ["value"] * path.hops, "like") is None  # nor a county of one for another's
        return last == "continent"

    def _holds_name(self, path: Path) -> bool:
        """Whether most values hold the name of their row: no other species than its own begins as a genus does."""
        ends = end_of_path(self._catalog, path).join(self._catalog.labels, left_on="s", right_on="e").drop_nulls()
        held = ends.select(pl.col("o").str.to_lowercase().str.contains(pl.col("label").str.to_lowercase(), literal=True).mean())
        return not ends.is_empty() and float(held.item() or 0.0) > _HELD

    def _runs_together(self, path: Path) -> bool:
        """Whether a claim puts a value right behind the name of its row: "Is the condition of the tree Old Oak good?"."""
        table, last = self._catalog.tables[path.start], path.links[-1]
        if self._all or (isinstance(last, Attribute) and last.kind not in ("text", "number")):
            return False
        claim = form_of(self._catalog, last).claim
        if not re.search(rf"\bof {ROW} {VALUE}", claim) or (table.quoted and not path.edges):
            return False
        # "Is the drop of Big Dipper 15 metres?" is clear, that of "Steel Dragon 2000" is not.
        in_figures = self._catalog.names_of(table)["label"].str.contains(r"\d$").any()
        return bool(in_figures) if isinstance(last, Attribute) and last.kind == "number" else True

    def is_claimed(self, link: Edge | Attribute) -> bool:
        """Whether a value is surely claimed: of a link to rows of its own table, a row itself might be."""
        if self._all or (isinstance(link, Attribute) and link.kind == "flag"):
            return True
        form = form_of(self._catalog, link)
        counted = form.look != "count" or self._odd(link, "count") is not None  # "one engines"
        if link.name.split()[-1] == "style" or (form.look == "common" and not self._are_plain(link)):
            return False  # nobody asks whether Hatchback is its style
        return form.claimed and counted and not (isinstance(link, Edge) and link.to == link.table)

    def _are_plain(self, link: Edge | Attribute) -> bool:
        """Whether values stand behind "is": the condition is good, but no outcome "is summit reached", none "is abandoned"."""
        if isinstance(link, Edge) or f"{ROW} {VALUE}?" not in form_of(self._catalog, link).claim:
            return True
        values = self._catalog.pairs(link.iri)["o"].drop_nulls().unique().str.to_lowercase()
        return not any(ends_in_participle(value) for value in values if value)

    def of_link(self, link: Edge | Attribute) -> str | None:
        """Say why a column or foreign key is not surely asked in these words."""
        if self._all:
            return None
        if isinstance(link, Attribute) and link.kind == "flag":
            if link.beside is not None:
                return None
            # Whether a siege's castle was taken is not of the siege.
            other = link.name.split()[0] in self._catalog.names.values() and ends_in_participle(link.name)
            return None if _is_known_flag(link.name, self._catalog.tables[link.table].name) and not other else sure.UNSURE
        look = form_of(self._catalog, link).look
        if look is None or _is_further(link, self._catalog.tables[link.table]):
            return sure.UNSURE
        if look == "common" and not self._are_plain(link):
            return sure.UNSURE_VALUES  # no cause is "foundered"
        # Who supplies it to them only the keepers know, and the question says nothing of them.
        inside = isinstance(link, Edge) and self._catalog.tables[link.to].name in WordLists.load().private
        if inside and not self._catalog.setting(self._catalog.tables[link.table]):
            return sure.UNTOLD
        table = self._catalog.tables[link.table]
        if table.event and isinstance(link, Attribute) and link.kind in ("year", "month"):
            return sure.UNSURE  # the 1991 eruption was in 1991
        if self._catalog.has_members and not _GOT.isdisjoint(link.name.split()):
            return sure.UNSURE  # a club got its own copy on that day
        if self._is_logged(link):
            return sure.LOGGED
        if lie_within(self._catalog, link):
            return sure.NESTED
        if form_of(self._catalog, link).ask.startswith(f"What does {ROW} ") and self._are_counted(link):
            return sure.UNSURE_VALUES
        first, last = unit_of(link.name)[0].split()[:1], unit_of(link.name)[0].split()[-1]
        limited = {*first} & {*WordLists.load().extremes}  # how many may play stays so
        if not self._catalog.about and not limited and last in sure.Sure.load().dated:
            return sure.UNDATED
        if not self._catalog.about and self._is_office(link, table):
            return sure.UNDATED
        if not self._catalog.about and self._is_of_edition(link):
            return sure.EDITIONS
        return sure.UNSURE_VALUES if self._odd(link, "whole" if look == "count" else look) is None else None

    def _is_office(self, link: Edge | Attribute, table: EntityTable) -> bool:
        """Whether somebody is this of what lasts, an orchestra, and somebody else tomorrow; a film keeps its director."""
        own, lists, noun = sure.Sure.load(), WordLists.load(), table.name.split()[-1]
        stays = table.quoted or table.over or table.event or noun in {*own.once, *own.held, *own.happenings, *lists.works}
        return not (stays or table.person or table.key) and link.name in own.offices

    def _is_logged(self, link: Edge | Attribute) -> bool:
        """Whether a measure is kept anew each time as well: the weight of a dog, at each visit."""
        if isinstance(link, Edge) or link.kind != "number":
            return False
        return unit_of(link.name)[0] in self._catalog.logged(link.table)

    def _is_of_edition(self, link: Edge | Attribute) -> bool:
        """Whether a printed work has it otherwise in each edition, or a staged one in each production: pages, minutes."""
        noun, own = self._catalog.tables[link.table].name.split()[-1], sure.Sure.load()
        books = self._catalog.names[link.table].split()[-1] in _REPRINTED or self._catalog.has_editions(link.table)
        dated = isinstance(link, Attribute) and link.kind == "date"
        if noun in ("film", "movie") and dated and {"release", "released"} & {*link.name.split()}:
            return True  # in which country it came out that day, nothing says
        told = {*own.of_editions, *(["publisher"] if books else [])}
        printed = noun in own.printed and bool({*link.name.split()} & told)
        return printed or (noun in own.staged and unit_of(link.name)[1] in sure.TIMES)

    def _are_counted(self, link: Edge | Attribute) -> bool:
        """Whether values are common words: what a bridge carries is "a road", and no column says which article a word has."""
        values = self._catalog.pairs(link.iri)["o"].drop_nulls()
        return isinstance(link, Attribute) and float(str(values.str.contains(r"^\p{Ll}+$").mean() or 0.0)) > 1 - sure.MOST_ODD

    def near(self, path: Path, slots: Sequence[str], name: str = "like") -> tuple[str, list[str]] | None:
        """Say what false values of a way's end are like the true ones in, and the patterns that bind it; None for nothing."""
        if self._all:
            return None
        if path.end is not None and not path.edges and self._tell_the_year(path):
            row = row_variable(self._catalog.tables[path.start])
            return name, [f"{row} rdfs:label ?edition_said .", f"BIND(SUBSTR(STR(?edition_said), 1, 4) AS ?{name})"]
        if path.end is not None and path.end.kind in ("number", "year", "date", "month"):
            measured = path.end.kind == "number" and not is_count(path.end.name)
            return "measure" if measured else "number", []
        patterns = likeness(self._catalog, path, list(slots), name)
        return (name, patterns) if patterns else None

    def _tell_the_year(self, path: Path) -> bool:
        """Whether rows are called by their year, which a false date would belie: the 2009 Australian Grand Prix."""
        names = self._catalog.names_of(self._catalog.tables[path.start])["label"]
        told = float(str(names.str.contains(r"^(?:1[89]|20)\d\d ").mean() or 0.0)) >= 1 - sure.MOST_ODD
        return path.end is not None and path.end.kind == "date" and told

    def gone(self, table: EntityTable, links: Sequence[Edge | Attribute]) -> list[str]:
        """Leave out rows that are no more, where a question says how they are, and rows that have a second such value."""
        beside = [] if self._all else [one for link in links for one in _columns(table) if _names_further(one, link)]
        several = [f"FILTER NOT EXISTS {{ {row_variable(table)} {one.path} ?further }}" for one in beside]
        return [*several, *self._ended(table, links)]

    def _ended(self, table: EntityTable, links: Sequence[Edge | Attribute]) -> list[str]:
        former = [link.table == table.iri and form_of(self._catalog, link).former for link in links]
        now = table.person and any(_OF_ONE_NOW.match(form_of(self._catalog, link).say) for link in links)
        if table.unsettled and (any(former) if table.past else now):
            return without(row_variable(table), [f"<{iri}>" for iri in table.unsettled])
        if table.death and any(former):
            return [f"{row_variable(table)} {table.death.path} ?died ."]  # of whom it is said what they were
        if self._all or table.person:
            return []
        row = row_variable(table)
        if table.over_by is not None and any(former):
            return [table.over_by.pattern(row, 1)]
        present = (form_of(self._catalog, link).claim.startswith(("Is ", "Does ")) for link in links)
        if table.over or not any(present):
            return []
        ended = [ending for ending in table.endings if ending.column not in links]
        return [
            line
            for n, ending in enumerate(ended, 1)
            for line in (f"OPTIONAL {{ {ending.pattern(row, n)} }}", f"FILTER(!BOUND(?gone_{n}))")
        ]

    def left_out(self, table: EntityTable, links: Iterable[tuple[str, Edge | Attribute]], task: str = "") -> list[str]:
        """Write filters against rows and values that do not look as the questions of a family of a task expect."""
        if self._all:
            return []
        links = [*links]
        unsaid = {*self._unsaid(table), *(several_rows(self._catalog, table) if self._is_subject(table, links) else ())}
        if any(link.name == "flows into" and link.table == table.iri for _, link in links):
            unsaid |= {
                row for row, name in self._catalog.names_of(table).select("e", "label").iter_rows() if stands_still(name)
            }
        filters = [] if table.key else without(row_variable(table), [f"<{iri}>" for iri in sorted(unsaid)])
        for slot, link in links:
            look = form_of(self._catalog, link).look or "any"
            odd = self._odd(link, "whole" if (look, task) == ("count", "open") else look) or []
            iris = isinstance(link, Edge)
            filters += without(f"?{slot}" if iris else f"STR(?{slot})", [f"<{o}>" if iris else json.dumps(o) for o in odd])
        return filters

    def _is_subject(self, table: EntityTable, links: Sequence[tuple[str, Edge | Attribute]]) -> bool:
        """Whether a question speaks of a row by a verb that tells one from several: "Is X …?", and no "range of X"."""
        forms = [form_of(self._catalog, link) for _, link in links if link.table == table.iri]
        return not links or any(_OF_ONE.search(f"{form.ask} {form.claim}") for form in forms)

    def called_by_form(self, table: EntityTable) -> list[str]:
        """Write a filter against works whose titles say their form alone, where nothing says whose they are."""
        rows = self._catalog.names_of(table) if table.quoted and not self._all else None
        named = [] if rows is None else [row for row, title in rows.select("e", "label").iter_rows() if says_form_alone(title)]
        return without(row_variable(table), [f"<{row}>" for row in sorted({*named})])

    def without_surnames(self, table: EntityTable) -> list[str]:
        """Write a filter against the people whom statements would call by their whole names, where they are few."""
        rows = self._catalog.names_of(table)
        said = said_column(rows["label"], table.said) if table.said else rows["label"]
        odd = [row for row, name in zip(rows["e"], said, strict=True) if " " in name.strip() and surname(name) == name]
        few = table.person and not self._all and 2 * len(odd) <= rows.height and len(odd) <= sure.LEFT_OUT
        return without(row_variable(table), [f"<{row}>" for row in sorted({*odd})]) if few else []

    def given_away(self, path: Path) -> list[str]:
        """Write a filter against rows whose names say in which place they are, where that is asked: the Argentine Museum."""
        table, last = self._catalog.tables[path.start], path.links[-1]
        to = self._catalog.names[last.to].split()[-1] if isinstance(last, Edge) else last.name.split()[-1]
        in_area = last.name.split()[-1] in {*WordLists.load().areas, *WordLists.load().settlements}
        if self._all or table.key or not (in_area or (isinstance(last, Edge) and to in WordLists.load().places)):
            return []
        ends = end_of_path(self._catalog, path).join(self._catalog.labels, left_on="s", right_on="e").drop_nulls().unique()
        # The Siege of Conwy was at Conwy Castle.
        core = ends.with_columns(o=pl.col("o").str.replace(rf"(?i)(.)\s+{re.escape(to)}$", "$1"))
        told = {row for row, place, name in core.select("s", "o", "label").iter_rows() if sure.gives_away(name, place)}
        return without(row_variable(table), [f"<{row}>" for row in sorted(told)])

    def rows_left_out(self, table: EntityTable, slot: str) -> list[str]:
        """Write a filter against rows whose names do not look like any, where a slot holds rows of a table."""
        return [] if self._all else without(f"?{slot}", [f"<{iri}>" for iri in self._unsaid(table)])

    def values_left_out(self, column: Attribute, look: str) -> list[str] | None:
        """Write a filter against values of `?value` that do not look as expected; None where they are too many."""
        odd = self._odd(column, look) if not self._all else []
        return None if odd is None else without("STR(?value)", [json.dumps(value) for value in odd])

    def _odd(self, link: Edge | Attribute, look: str) -> list[str] | None:
        """Return the values, or rows, that do not look as expected; None where they are too many."""
        if (known := self._seen.get((link.iri, look), _UNSEEN)) is not _UNSEEN:
            return known  # type: ignore[return-value]
        pairs = self._catalog.pairs(link.iri).select("o")
        if isinstance(link, Edge):
            named = pairs.join(self._catalog.labels, left_on="o", right_on="e", how="left").rename({"label": "said"})
            how = self._catalog.tables[link.to].said
        else:
            # Dates and numbers are looked at as they are written, years that are kept as days as they are said.
            named, how = pairs.with_columns(said="o"), link.said if link.kind in ("text", "year") else None
        self._seen[link.iri, look] = found = _odd(named, how, look, link.name)
        return found

    def _unsaid(self, table: EntityTable) -> list[str]:
        """Return the rows whose names do not look like any, or do not tell which one is meant."""
        return sorted({*(self._odd_rows(table) or ()), *self._untold(table)})

    def _untold(self, table: EntityTable) -> list[str]:
        """Return the rows whose names do not tell which one is meant, found once."""
        if table.iri not in self._same:
            self._same[table.iri] = [*untold(self._catalog, table), *unsaid_rows(self._catalog, table)]
        return self._same[table.iri]

    def _odd_rows(self, table: EntityTable) -> list[str] | None:
        """Return the rows whose names do not look like any."""
        if (known := self._seen.get((table.iri, None), _UNSEEN)) is not _UNSEEN:
            return known  # type: ignore[return-value]
        rows = self._catalog.names_of(table).rename({"e": "o", "label": "said"})
        look = "person" if table.person else "title" if table.quoted else "label"
        found = _odd(rows, table.said, look, "")
        self._seen[table.iri, None] = found
        return found


_UNSEEN = object()
_MOST_REPEATED = 0.75
_HELD = 0.5
_LISTS = 0.03
"""A column of which more cells hold lists is asked for no single value."""


def _columns(table: EntityTable) -> list[Edge | Attribute]:
    return [*table.edges, *table.attributes]


def _names_further(column: Edge | Attribute, link: Edge | Attribute) -> bool:
    """Tell whether a column holds one more of the values of another: the second country of a tunnel."""
    first, _, rest = column.name.partition(" ")
    told = (first in _FURTHER and rest == link.name) or column.name in (f"{link.name} 2", f"{link.name} two")
    return column.table == link.table and told


_FURTHER = frozenset({"second", "third", "other", "another", "additional", "secondary"})


def _is_further(link: Edge | Attribute, table: EntityTable) -> bool:
    """Tell whether which of several values comes first is the keeper's own order."""
    return any(_names_further(link, other) for other in _columns(table))


def _odd(named: pl.DataFrame, how: str | None, look: str, name: str) -> list[str] | None:
    """Return the `o` whose `said` does not look as expected, each once; None where they are too many."""
    said = said_column(named["said"], how) if how else named["said"]
    if look in ("named", "any") and float(str(said.str.contains(", ").mean() or 0)) > _LISTS:
        return None  # a cell may hold several values, which nothing else marks
    odd = set(sure.odd(said, look, name))
    rows = named.with_columns(said=said).filter(pl.col("said").is_in([*odd]))
    found = rows["o"].unique().sort().to_list()
    # What an encyclopedia puts behind names that repeat, "Manta (SeaWorld Orlando)", is no sign that the others are no names.
    strange = rows.filter(~pl.col("said").str.ends_with(")")).height if look == "label" else rows.height
    most = _MOST_REPEATED if strange < rows.height else sure.MOST_ODD
    many = strange > sure.MOST_ODD * named.height or rows.height > most * named.height
    return None if many or len(found) > sure.LEFT_OUT else found


def _is_known_flag(name: str, row: str) -> bool:
    """Tell whether a column of yes and no is of the thing, and not of how a database treats it, in words that say how."""
    first, *rest = name.split()
    words = rest if first in ("is", "was", "has") else [first, *rest]
    lists = WordLists.load().prepositions
    if len(words) == 1 and not applies(words[0], row):
        return False
    both = len(words) == 1 and is_common_noun(words[0]) and is_common_adjective(words[0])
    houses = {*WordLists.load().places, *WordLists.load().institutions, *WordLists.load().companies, *sure.Sure.load().based}
    if both and words[0] not in WordLists.load().adjectives and row.split()[-1] in houses:
        return False  # a firm may be a cooperative, a game is cooperative
    said = bool(words) and (first == "has" or is_adjective(words[-1]) or words[0] in lists or ends_in_participle(words[-1]))
    if len(words) > 1 and words[-1] in DESIGNATIONS and words[0] != "sub":
        return all(map(is_word, words))  # a world heritage site
    if len(words) > 2 and words[1] in lists and is_adjective(words[0]):
        return all(map(is_word, words))  # open to visitors
    return said and all(map(is_word, words)) and not {*words} & {*sure.Sure.load().inner_flags}


def is_generic(name: str, noun: str) -> bool:
    """Tell whether a name is made of common words alone, as many parties, museums and schools of the world have it."""
    words = re.findall(r"[^\W\d_]+", name)
    if _ALIKE_ABROAD.fullmatch(name):
        return True
    alike = noun.split()[-1] in sure.Sure.load().called_alike
    return alike and bool(words) and all(map(sure.is_common_word, words))


_ADJECTIVES = (
    "nacional|nazionale|nationale?|ol[ií]mpico|olympique|municipale?|comunale|central[e]?|regio|real|royale?|l[ií]rico"
    "|monumental|nuovo|nuevo|novo|grande|principal|civico|naturale?|universitario|metropolitano"
)
_ALIKE_ABROAD = re.compile(
    r"(?i)(?:teatro|th[ée][âa]tre|est[aá]dio|stadio|stade|muse[ou]|musée|palacio|palazzo|opéra|biblioteca) "
    rf"(?:{_ADJECTIVES})|(?:national|staats|stadt|volks|landes|hof|schauspiel|opern|olympia|konzert)(?:theater|haus|oper|museum|halle|stadion)"
)
"""What several towns have in other languages: the Teatro Regio, the Nationaltheater."""


def says_form_alone(title: str) -> bool:
    """Tell whether a title says of which form a piece of music is, and no more: everybody wrote a second piano concerto.

    >>> says_form_alone("Piano Concerto No. 2"), says_form_alone("Tosca")
    (True, False)
    """
    words = [word for word in re.findall(r"[^\W\d_]+", title.lower()) if len(word) > 2]
    return bool({*words} & {*sure.Sure.load().deeds["composed"]}) and all(map(sure.is_common_word, words))


def untold(catalog: Catalog, table: EntityTable) -> list[str]:
    """Return the rows of a table whose names do not tell which one is meant; where a question says of what it is, none."""
    rows = catalog.names_of(table)
    if table.person and table.name.split()[-1] in sure.Sure.load().numbered and not catalog.setting(table):
        return _of_several_reigns(rows)
    if table.key or table.person or catalog.setting(table):
        return []
    generic = [is_generic(name, table.name) for name in rows["label"]]
    found = rows.filter(pl.Series(generic, dtype=pl.Boolean))["e"].to_list()
    if _is_made(table):
        found += _named_after_others(catalog, table, rows)
    return sorted({*found})


def _of_several_reigns(rows: pl.DataFrame) -> list[str]:
    """The rulers who bear one name alone, as others did: of kings called Sigismund there are several.

    Where most bear one name and no numeral, as the emperors of Rome, only who shares it with another row is not told.
    """
    single = rows.filter(~pl.col("label").str.contains(r"\s"))
    if 2 * single.height < rows.height:
        return single["e"].to_list()
    first = pl.col("label").str.split(" ").list.first()
    others = rows.filter(pl.col("label").str.contains(r"\s")).select(label=first)
    return single.join(others, on="label", how="semi")["e"].to_list()


def _is_made(table: EntityTable) -> bool:
    """Whether rows have makers: several of them may make what is called after one place or plant."""
    makers = {*WordLists.load().companies, *sure.Sure.load().makers, "producer"} - {"operator"}  # a city has one metro
    links: list[Edge | Attribute] = [*table.edges, *table.attributes]
    return not table.place and any(link.name.split()[-1] in makers for link in links)


def _named_after_others(catalog: Catalog, table: EntityTable, rows: pl.DataFrame) -> list[str]:
    """The rows that are called as a row of another table is, but a person's, or after a place that they lead to."""
    apart = [other for other in catalog.tables.values() if other.iri != table.iri and not (other.person or other.key)]
    same = {name for other in apart for name in catalog.names_of(other)["label"]}
    near = _reached(catalog, table)
    around = [other for other in apart if other.iri in near and other.place]
    places = {" ".join(_words(name)) for other in around for name in catalog.names_of(other)["label"]}
    after = [name in same or bool(places & _phrases(_words(name))) for name in rows["label"]]
    return rows.filter(pl.Series(after, dtype=pl.Boolean))["e"].to_list()


def _words(name: str) -> list[str]:
    return re.findall(r"\w+", name)


def _phrases(words: list[str]) -> set[str]:
    """All runs of words in a name."""
    return {" ".join(words[at:end]) for at in range(len(words)) for end in range(at + 1, len(words) + 1)}


def _reached(catalog: Catalog, table: EntityTable) -> set[str]:
    """The tables that rows lead to over two foreign keys at most: a wine's producer, and the region of that."""
    first = {edge.to for edge in table.edges}
    return first | {edge.to for iri in first for edge in catalog.tables[iri].edges}


def lie_within(catalog: Catalog, link: Edge | Attribute) -> bool:
    """Tell whether values lie within one another, so that several are right: clades, regions that have parents."""
    lists, own = WordLists.load(), sure.Sure.load()
    last, row = link.name.split()[-1], catalog.tables[link.table].name.split()[-1]
    if last in own.nested or (row in ("language", "dialect") and last in own.nested_of_languages):
        return True
    if isinstance(link, Attribute) or link.to == link.table:
        return False
    to = catalog.tables[link.to]
    whole = {*lists.areas, *lists.places, *lists.groups, *own.nested, *own.vague} - {*own.umbrellas}
    return to.name.split()[-1] in whole and any(edge.to == to.iri for edge in to.edges)


ENOUGH = 0.6
"""So many rows must have a false value that is like the true one in what they share."""
_TIMES = ("year", "date")


@dataclass(frozen=True)
class Likeness:
    """What values are to be alike in: patterns of a query that bind it, and how many values a row may then take."""

    patterns: tuple[str, ...]
    choice: float


def likeness(catalog: Catalog, path: Path, slots: list[str], name: str) -> list[str] | None:
    """Write the patterns that bind, as `name`, what false values of a way's end share with the true ones; None without any."""
    end = end_of_path(catalog, path).select("s", value="o")
    table = catalog.tables[path.start]
    found = _of_contemporaries(catalog, path, slots, name, end)
    found = found or [*_of_target(catalog, path, slots, name, end), *_of_row(catalog, table, path, name, end)]
    best = min(found, key=lambda each: each.choice, default=None)
    return list(best.patterns) if best else None


def _of_target(catalog: Catalog, path: Path, slots: list[str], name: str, end: pl.DataFrame) -> list[Likeness]:
    """What the rows that a way leads to have in common: the continent of countries."""
    if not path.edges or (path.end is None) != (len(slots) == len(path.edges)):
        return []
    rows = end_of_rows(catalog, path)
    target = catalog.tables[path.edges[-1].to]
    links: list[Attribute | Edge] = [a for a in target.attributes if a != path.end and a.kind == "text"]
    links += target.edges
    return [
        made
        for link in links
        if (
            made := _measured(
                rows.join(catalog.pairs(link.iri).rename({"s": "row"}), on="row").select("s", like="o"),
                end,
                (f"OPTIONAL {{ ?{slots[len(path.edges) - 1]} {link.path} ?{name} }}",),
            )
        )
    ]


def _of_contemporaries(catalog: Catalog, path: Path, slots: list[str], name: str, end: pl.DataFrame) -> list[Likeness]:
    """What people of one century have in common: nobody takes a book of 1902 for one of an author who died in 1817."""
    table, row = catalog.tables[path.start], row_variable(catalog.tables[path.start])
    rows = end.select("s", row="s")
    if path.edges and (path.end is None) == (len(slots) == len(path.edges)):
        table, row, rows = catalog.tables[path.edges[-1].to], f"?{slots[len(path.edges) - 1]}", end_of_rows(catalog, path)
    born = [a for a in table.attributes if table.person and a.kind in _TIMES and {"birth", "born"} & {*a.name.split()}]
    alike: list[Attribute | Edge] = [*(a for a in table.attributes if a.kind in ("text", "demonym")), *table.edges]
    found = list[Likeness | None]()
    for birth, link in itertools.product(born[:1], [link for link in alike if link not in path.links]):
        since = catalog.pairs(birth.iri).select(row="s", when=pl.col("o").str.slice(0, 2))
        both = rows.join(since, on="row").join(catalog.pairs(link.iri).rename({"s": "row"}), on="row")
        bound = f"OPTIONAL {{ {row} {link.path} ?{name}_of ; {birth.path} ?{name}_when }}"
        put = f"BIND(CONCAT(STR(?{name}_of), SUBSTR(STR(?{name}_when), 1, 2)) AS ?{name})"
        found.append(_measured(both.select("s", like=pl.col("o") + pl.col("when")), end, (bound, put)))
    return [made for made in found if made]


def _of_row(catalog: Catalog, table: EntityTable, path: Path, name: str, end: pl.DataFrame) -> list[Likeness]:
    """What rows of the first table have in common: their country, their century."""
    row, found = row_variable(table), list[Likeness | None]()
    first = path.links[0].iri
    links: list[Attribute | Edge] = [*table.attributes, *table.edges]
    for link in links:
        if link.iri == first:
            continue
        pairs = catalog.pairs(link.iri).rename({"o": "like"})
        if isinstance(link, Attribute) and link.kind in _TIMES:
            pairs = pairs.with_columns(like=pl.col("like").str.slice(0, 2))
            bound = (f"OPTIONAL {{ {row} {link.path} ?{name}_when }}", f"BIND(SUBSTR(STR(?{name}_when), 1, 2) AS ?{name})")
            found.append(_measured(pairs, end, bound))
        elif isinstance(link, Edge) or link.kind == "text":
            found.append(_measured(pairs, end, (f"OPTIONAL {{ {row} {link.path} ?{name} }}",)))
    return [made for made in found if made]


def end_of_rows(catalog: Catalog, path: Path) -> pl.DataFrame:
    """`s, row`: from the start of a path to the last row on it."""
    return catalog.along(*(edge.iri for edge in path.edges)).select("s", row="o")


def _measured(pairs: pl.DataFrame, end: pl.DataFrame, patterns: tuple[str, ...]) -> Likeness | None:
    """Measure a likeness: enough rows must have another value beside their own; the fewer there are, the nearer they are."""
    both = end.join(pairs, on="s").select("like", "value").drop_nulls()
    if both.is_empty() or both["like"].n_unique() < 2:
        return None
    choices = both.with_columns(n=pl.col("value").n_unique().over("like"))["n"]
    enough = int((choices > 1).sum()) >= ENOUGH * end.height
    return Likeness(patterns, float(str(choices.mean()))) if enough else None


_REPRINTED = frozenset({"book", "novel", "poem", "play", "tragedy", "comedy", "textbook"})
"""What one publisher prints after the other."""
