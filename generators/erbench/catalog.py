"""What a database offers to ask: its named tables, their columns, and the foreign keys between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import replace
from functools import cached_property
from urllib.parse import unquote

import polars as pl

from generators.column_names import WordLists, split, unit_of
from generators.erbench import ends, refusals, sure
from generators.erbench.attributes import SEVERAL, Attributes
from generators.erbench.columns import Attribute, Edge
from generators.erbench.events import event_of
from generators.erbench.facts import Facts
from generators.erbench.links import Column, Link, Links, written_links
from generators.erbench.marks import Mark, mark_of
from generators.erbench.names import Words, by_records, setting
from generators.erbench.presentation import Presentation
from generators.erbench.rownames import RowNames
from generators.erbench.sentences import Form
from generators.erbench.tables import EntityTable, is_of_a_life
from generators.erbench.value_tables import ValueTable, ValueTables
from generators.erbench.values import MOST
from kg.graph import Graph

ALIKE = 0.9
"""An end that is given away in so many rows is refused."""
_CODED_KEY, _SHORT_KEY = r"^\p{Lu}{1,4}[./ -]?\d{2,}[\p{Lu}\d./-]*$", r"^[\p{Lu}\d]{1,3}$"
"""What a key looks like that only a database knows; the second, where the key is called a code."""
_WHOSE = frozenset({"owner", "customer", "client", "member", "patient", "tenant", "pupil", "guest", "borrower", "subscriber"})
"""What is these people's own is known to those who keep the database, as they are."""
_OUTSIDE = frozenset(
    {"owner", "customer", "client", "supplier", "vendor", "wholesaler", "distributor", "donor", "lender", "sponsor"}
)
"""Who has to do with a house, and is elsewhere."""
_HALLS = frozenset({"venue", "hall", "site", "branch", "store", "shop", "depot", "warehouse", "office", "room", "studio"})
_SORTS = frozenset({"type", "model", "make", "breed", "cultivar", "variety"})
"""What those keep who keep people's e-mail, too, is theirs: their halls, but no castle, and no type of aircraft."""
_REACHED = frozenset({"email", "mail", "mobile", "phone"})
_ABROAD = frozenset({"country", "nation", "continent", "state"})
_RECURRING = frozenset({"first", "founded", "established", "since", "inaugural", "frequency", "usual", "annual"})
_DAYS_OF_A_LOG = 2
"""What has so many days is what was done from one to the other: a job came in, and went out."""


class Catalog:
    """Reads the schema graph and counts what the data has.

    `refused` says what is not asked about, and why; `columns` says of it which table and column of the database it is;
    `unnamed` are the tables whose rows have no names, `misnamed` those whose names are of something else, `guessed` those whose
    names hold letters that may be short for several words, `kinds` those of kinds, `countries` those of bodies that are called
    by their countries; `value_tables` those that only give values to rows of others; `forms` are how links are asked, as they
    are found.
    """

    def __init__(
        self,
        graph: Graph,
        *,
        personal: bool = False,
        numbered: bool = False,
        about: str | None = None,
        database: str | None = None,
        declared_only: bool = False,
        links: Sequence[str] = (),
        calls: Sequence[str] = (),
    ) -> None:
        """Read a graph; `personal` and `numbered` let private matters, and rows without a name, be asked about.

        `about` says what the database is of, in every question; without it, `database` is said of rows that nobody else
        knows, such as an invoice. `links` are foreign keys that it does not declare (`shop.town_no=town`); `declared_only`
        leaves those out that the values show, which `found` names. `calls` say what a row of a table is (`lt_mst=lighthouse`).

        Raises InputError where a link or a call names what the graph does not have.
        """
        self.graph, self.personal, self.numbered = graph, personal, numbered
        self.about, self.database = about, database
        self.refused: dict[str, str] = {}
        self.forms: dict[Edge | Attribute, Form] = {}
        self.unnamed: list[EntityTable] = []
        self._facts = Facts(graph)
        self._along: dict[tuple[str, ...], pl.DataFrame] = {}
        self._said: dict[tuple[str, ...], pl.DataFrame] = {}
        raw = self._facts.raw
        of = {table: [name for _, name in self._facts.columns_of(iri)] for iri, table in raw.items()}
        self._words = Words(raw.values(), self._facts.columns["name"].to_list(), graph.name.rpartition("/")[2], of)
        self._rows_called = RowNames(self._facts, self._words, calls)
        self.names, self.misnamed, self.guessed = self._rows_called.names, self._rows_called.misnamed, self._rows_called.guessed
        self.kinds, self.countries = self._rows_called.kinds, self._rows_called.countries
        self._linking = Linking(self._facts, declared_only=declared_only, said=links)
        self.found = self._linking.found
        self._rows_called.name_by_links(self._linking.links)
        self.columns: dict[str, str] = {self.names[iri]: name for iri, name in raw.items()}
        self.tables = {table.iri: table for table in map(self._table, self.names) if table is not None}
        for iri in refusals.copies(self._facts.row_names(self.tables)):
            self.refused[self.tables.pop(iri).name] = refusals.COPIED
        self._attributes = Attributes(
            self._facts,
            self._words,
            self._linking.links,
            self._linking.unclear,
            self._rows_called.houses,
            personal=personal,
        )
        self._references = References(
            self._facts, self._words, self._linking.links, self.tables, self.names, self.refused, self.columns
        )
        self._presentation = Presentation(self._facts, self.tables, self.names)
        self._describe()
        self.value_tables = [*self._given()]

    def _describe(self) -> None:
        """Give tables their columns, and then what is told once all are known: what is past, and which rows are events."""
        for table in self.tables.values():
            self._fill(table)
            self._references.settle_distances(table)
        for table in self.tables.values():
            self._presentation.settle_past(table)
        for iri in [iri for iri in self.names if iri not in self.tables and self._facts.rows[iri]]:
            self._event_table(iri)

    @property
    def language(self) -> str | None:
        """The language that tables and columns are named in, where that is not English."""
        return self._words.language

    @property
    def use(self) -> dict[str, tuple[int, int, int, int]]:
        """Of each predicate: facts, subjects, objects, the longest object."""
        return self._facts.use

    @property
    def labels(self) -> pl.DataFrame:
        """`e, label` of everything that has a label."""
        return self._facts.labels

    def pairs(self, iri: str) -> pl.DataFrame:
        """Return `s, o` of a column or foreign key."""
        return self._facts.pairs(iri)

    def along(self, *iris: str) -> pl.DataFrame:
        """Return `s, o` along foreign keys one after the other, and a column of the last row if one stands at the end."""
        if len(iris) == 1:
            return self.pairs(*iris)
        if iris not in self._along:  # ways share their beginnings, and each is looked at several times
            here, step = self.along(*iris[:-1]), self.pairs(iris[-1])
            self._along[iris] = here.join(step, left_on="o", right_on="s").select("s", o="o_right")
        return self._along[iris]

    def said(self, *iris: str) -> pl.DataFrame:
        """Return `s, o`: what the rows at the end of foreign keys are called."""
        if iris not in self._said:
            self._said[iris] = self.along(*iris).join(self.labels, left_on="o", right_on="e").select("s", o="label")
        return self._said[iris]

    def names_of(self, table: EntityTable) -> pl.DataFrame:
        """`e, label` of a table's rows."""
        return self._facts.names_of(table.iri)

    def setting(self, table: EntityTable) -> str | None:
        """Say of what database a row is, where its question needs that."""
        about = self.about or (self.database if self.is_kept_inside(table) else None)
        return setting(about) if about else None

    def opening(self, table: EntityTable, asked: Attribute | Edge | None = None) -> str | None:
        """Say in front of a question of what database a row is; what a database is called holds no rows of the world.

        When an author died is known without it; a dog died, and a supplier is, at no clinic: that its records say.
        """
        setting = self.setting(table)
        if setting is None or not self.about:
            return setting and f"according to {self.database}"
        of_life = asked is not None and is_of_a_life(asked.name)
        if (of_life and not self.is_kept_inside(table)) or self._is_known_to_all(table, asked):
            return None
        last = self.names[asked.table] if asked is not None else table.name
        return by_records(self.about) if of_life or last.split()[-1] in _OUTSIDE else setting

    def _is_known_to_all(self, table: EntityTable, asked: Attribute | Edge | None) -> bool:
        """Whether anybody may know it of rows: who an author was, when a firm was founded; no price, and no edition."""
        own, lists = sure.Sure.load(), WordLists.load()
        if asked is not None and table.latin and asked.name.split()[-1] in {*own.taxa, "family"}:
            return True
        noun, lies = table.name.split()[-1], {*lists.areas, "capital"}
        on_a_map = noun in lists.areas and asked is not None and asked.name.split()[-1] in lies
        if self.is_kept_inside(table) or not (table.person or table.quoted or noun in lists.companies or on_a_map):
            return False
        changing = {*own.dated, *own.of_editions, "publisher", "price"}
        return asked is None or not (changing & {*asked.name.split()} or unit_of(asked.name)[1])

    def is_kept_inside(self, table: EntityTable) -> bool:
        """Whether rows are known to those alone who keep the database; an event is known as its thing is."""
        if table.event and table.event.parent.to in self.tables:
            return self.is_kept_inside(self.tables[table.event.parent.to])
        # In a database of what its keepers alone know, so is what they look after: the sites of a project manager.
        known = table.name.split()[-1] in {*WordLists.load().areas, *WordLists.load().alone}
        hidden = [self.tables[edge.to] for edge in table.edges if self.tables[edge.to].hidden]
        whose = any(other.name.split()[-1] in _WHOSE and self._keeps_contacts(other.iri) for other in hidden)
        staffed = not known and bool(hidden) and (whose or self._is_of_keepers)
        return bool(
            table.key
            or table.iri in self._rows_called.for_sale
            or table.hidden
            or staffed
            or self._is_ours(table)
            or table.name in WordLists.load().private
            or table.name.split()[-1] in sure.Sure.load().stocked
        )

    def _is_ours(self, table: EntityTable) -> bool:
        """Whether rows are what those keep who keep people's e-mail beside: no works, kinds or areas, and in no country."""
        if not self.has_members:
            return False
        lists, noun = WordLists.load(), table.name.split()[-1]
        seen = {*lists.places} - _HALLS
        known = noun in {
            *seen,
            *_SORTS,
            *lists.companies,
            *lists.groups,
            *lists.organisations,
            *lists.works,
            *lists.areas,
            *lists.alone,
            *lists.generic_kinds,
            *sure.Sure.load().taxa,
        }
        named = [*(edge.name for edge in table.edges), *(attribute.name for attribute in table.attributes)]
        # A cheese of a region that is in a country is one of the world.
        areas = [self.tables[edge.to] for edge in table.edges if self.tables[edge.to].name.split()[-1] in lists.areas]
        named += [name for area in areas for name in [*(edge.name for edge in area.edges), *(a.name for a in area.attributes)]]
        abroad = any(name.split()[-1] in _ABROAD for name in named)
        return not (known or table.common or table.past or table.death or abroad)

    @cached_property
    def has_members(self) -> bool:
        """Whether the database keeps how people are reached, who are no firms, no museums and no festivals."""
        lists, own = WordLists.load(), sure.Sure.load()
        houses = {*lists.places, *lists.companies, *lists.institutions, *lists.organisations, *lists.self_named}
        houses |= {*own.held, *own.lasting}
        keeping = [iri for iri, name in self.names.items() if name.split()[-1] not in houses]
        told = ({word for _, name in self._facts.columns_of(iri) for word in split(name)} for iri in keeping)
        return any(words & _REACHED for words in told)

    def has_editions(self, iri: str) -> bool:
        """Whether rows are editions of works, each with a number of its own, or copies of one."""
        return any({"isbn", "edition", "ean"} & {*split(name)} for _, name in self._facts.columns_of(iri))

    def _keeps_contacts(self, iri: str) -> bool:
        """Whether a table says how its people are reached: then they are some of today, whatever they own; firms have pages."""
        names = [name for _, name in self._facts.columns_of(iri)]
        words = {WordLists.load().cut_words.get(word, word) for name in names for word in split(name)}
        return bool(words & ({*WordLists.load().contact} - {"url", "website"}))

    def recurs(self, iri: str) -> bool:
        """Whether what happens does so again and again, by its columns: when it was first held, in which month."""
        once = self.names[iri].split()[-1] in sure.Sure.load().once
        return not once and any(not _RECURRING.isdisjoint(split(name)) for _, name in self._facts.columns_of(iri))

    @cached_property
    def _is_of_keepers(self) -> bool:
        """Whether most rows that are asked about are known to those alone who keep the database."""
        private = [t for t in self.tables.values() if t.key or t.hidden or t.name in WordLists.load().private]
        rows = sum(self._facts.rows[table.iri] for table in self.tables.values())
        return 2 * sum(self._facts.rows[table.iri] for table in private) > rows

    def _table(self, iri: str) -> EntityTable | None:
        named, rows = self._facts.named.get(iri), self._facts.rows[iri]
        coded = bool(rows) and not self.numbered and self._is_coded(iri)
        mark = self._mark_of(iri) if rows and not coded else None
        if mark and mark.public and self._facts.is_label(mark.column):
            return EntityTable(iri, self.names[iri], key=mark.column, mark=mark)  # a museum's number is no name
        if rows and named is not None and named[0] >= 0.5 * rows and not coded:
            return EntityTable(iri, self.names[iri], unique=named[1] / named[0])
        keys = self._facts.keys_of(iri)
        has_key = len(keys) == 1 and keys[0] in self._facts.use
        if mark and (self.numbered or not (mark.figures and (self.is_log(iri) or self._is_of_another(iri)))):
            return EntityTable(iri, self.names[iri], key=mark.column, mark=mark)
        if rows and has_key and self.numbered:
            return EntityTable(iri, self.names[iri], key=keys[0])
        unnamed = refusals.UNNAMED if has_key else refusals.nameless(self._facts.telling(iri))
        self.refused[self.names[iri]] = unnamed if rows else "it has no rows"
        return None

    def is_log(self, iri: str) -> bool:
        """Whether rows are what was done, one after the other, which nobody asks about by number: hires, orders, repairs."""
        last = self.names[iri].split()[-1]
        own = sure.Sure.load()
        if last in {*WordLists.load().private, *own.orders, *own.happenings, *own.held, *own.lasting}:
            return True
        columns = [p for p, _ in self._facts.columns_of(iri)]
        return sum(p in self._facts.use and self._facts.holds_days(p) for p in columns) >= _DAYS_OF_A_LOG

    def logged(self, iri: str) -> set[str]:
        """Return what tables of rows without names keep of rows of a table, each time: the weight of a dog, at its visits."""
        kept = [*self.unnamed, *(table for table in self.tables.values() if table.event)]
        logs = {table.iri: {edge.iri.replace("ref-", "") for edge in table.edges if edge.to == iri} for table in kept}
        names = [(log, name) for log in logs for at, name in self._facts.columns_of(log) if logs[log] and at not in logs[log]]
        return {unit_of(self._words.column(name, self._facts.raw[log]).name)[0] for log, name in names}

    def _is_of_another(self, iri: str) -> bool:
        """Whether each row is of one row with a name, by which a person would tell it: the wreck of a ship, and no number."""
        declared = self._facts.edges.filter(pl.col("t") == iri).select("p", "o").iter_rows()
        found = [link for link in self._linking.links.values() if self._facts.table_of(link.column) == iri]
        for column, to in [*declared, *((link.column, link.to) for link in found)]:
            values = self._facts.pairs(column)["o"]
            if to in self._facts.named and values.n_unique() >= ALIKE * max(self._facts.rows[iri], 1):
                return True
        return False

    def _is_coded(self, iri: str) -> bool:
        """Whether rows have no name but a key of letters and figures, and none that others know: `ROP0705` of a part."""
        keys, labels = self._facts.keys_of(iri), self._facts.names_of(iri)["label"]
        if len(keys) != 1:
            return False
        column = [name for p, name in self._facts.columns_of(iri) if p == keys[0]]
        looks = [_CODED_KEY, *[_SHORT_KEY] * any(split(name)[-1] in WordLists.load().key_words for name in column)]
        if float(str(labels.str.contains("|".join(looks)).mean() or 0.0)) < MOST:
            return False
        own = self._facts.label_columns(iri)
        said = {self._words.column(name, self._facts.raw[iri]).name for name in own} - {"number", "code"}
        known = any(map(refusals.is_mark, said))  # a registration, by which others tell it, too
        return bool(own) and not known and all(" ".join(split(raw)) in own for raw in column)

    def _mark_of(self, iri: str) -> Mark | None:
        """Find the column of the marks that rows without a name are told by, such as registrations and numbers: "D-1234"."""
        columns = self._facts.columns_of(iri)
        called = {p: (name, self._words.column(name, self._facts.raw[iri]).name) for p, name in columns if p in self._facts.use}
        referred = {link.key for link in self._linking.links.values()}
        return mark_of(self.names[iri], called, self._facts.rows[iri], referred, lambda column: self._facts.pairs(column)["o"])

    def is_keyed_by(self, table: EntityTable, edges: Sequence[Edge]) -> bool:
        """Whether a table has no key of its own beside foreign keys: its key is theirs, or none."""
        keys = self._facts.keys_of(table.iri)
        links = {"".join(edge.iri.split("ref-")) for edge in edges}
        return all(key in links for key in keys)

    def _fill(self, table: EntityTable) -> None:
        """Give a table its columns and foreign keys, and settle how its rows are named."""
        self._presentation.settle(table, self._attributes.find(table, self.refused, self.columns))
        self._references.find(table)

    def _given(self) -> Iterator[ValueTable]:
        """Take the tables whose rows only give a value to a row of another for what they say of that."""
        links = {column: link.to for column, link in self._linking.links.items()}
        search = ValueTables(self._facts, self._words, self.tables, links)
        for table in [*self.tables.values(), *self.unnamed]:
            if (found := search.column_of(table)) is None:
                continue
            edge, iri, noun = found
            whole, raw = self.tables[edge.to], self._facts.columns.filter(pl.col("p") == iri)["name"][0]
            value = self._attributes.given(whole, edge, iri, noun)
            self.columns[f"{whole.name}: {noun}"] = f"{self._facts.raw[table.iri]}.{raw}"
            if isinstance(value, str):
                self.refused[f"{whole.name}: {noun}"] = value
                continue
            self.tables.pop(table.iri, None)
            for at in [at for at in self.refused if f"{at}: ".startswith(f"{table.name}: ")]:
                del self.refused[at]
            pairs = self._facts.pairs(edge.iri).join(self._facts.pairs(iri), on="s").select(s="o", o="o_right")
            yield ValueTable(table, edge, value, pairs)
            alone = pairs.filter(pl.len().over("s") == 1)
            if 2 * alone.height >= pairs["s"].n_unique():
                self._facts.put(iri, alone)
                self._facts.use[iri] = (alone.height, alone.height, alone["o"].n_unique(), self._facts.use[iri][3])
                whole.attributes.append(value)

    def _has_a_role(self, edge: Edge) -> bool:
        """Whether a key says in which role a row stands: a tournament is not that of its `winning manager`."""
        return edge.name.endswith(f" {self.tables[edge.to].name}")

    def _event_table(self, iri: str) -> None:
        """Take a table whose rows have no names, but are told by what they happened to and in which year."""
        before, table = dict(self.refused), EntityTable(iri, self.names[iri])
        self._fill(table)
        named = [edge for edge in table.edges if not (self.tables[edge.to].key or self._has_a_role(edge))]
        table.event = event_of(table.name, named, table.attributes, self._facts.rows[iri], self._facts.pairs)
        if table.event is None or self._words.table(self._facts.raw[iri]).unsaid:
            self.refused.clear()
            self.refused.update(before)
            self.unnamed.append(table)
            return
        del self.refused[table.name]
        self._references.settle_distances(table)
        table.key, table.quoted, table.unique = table.event.when.iri, False, 0.0
        table.attributes = [attribute for attribute in table.attributes if attribute != table.event.when]
        self.tables[iri] = table


_SELF = 0.5
"""Where more rows than this share refer to themselves, a column numbers them."""


class Linking:
    """Finds undeclared foreign keys and has their columns lead to rows; neither they nor what may be one are values any more.

    `links` are they by column, `unclear` the columns that only look like one, `found` says the links in words.
    """

    def __init__(self, facts: Facts, *, declared_only: bool, said: Sequence[str]) -> None:
        """Find the links; with `declared_only` those alone that a person gives (`said`: `shop.town_no=town`)."""
        self._facts = facts
        columns = self._columns()
        search = Links(columns, facts.unique, facts.rows, facts.pairs)
        own = [search.read(text, facts.raw) for text in said]
        found, unclear = search.find(written_links(facts.graph))
        wanted = {link.column: link for link in [*([] if declared_only else found), *own]}
        self.links = {column: link for column, link in wanted.items() if self._follow(link)}
        called = {column.iri: f"{column.of}.{column.name}" for column in columns}
        self.found = [f"{called[link.column]} → {facts.raw[link.to]}" for link in self.links.values()]
        self.unclear = unclear | {link.column for link in found if link.column not in self.links}

    def _columns(self) -> list[Column]:
        """The columns of one value a row that are no bytes."""
        use, raw = self._facts.use, self._facts.raw
        rows = self._facts.columns.filter(pl.col("p").is_in([*use]) & ~pl.col("p").is_in([*self._facts.bytes]))
        return [
            Column(iri, name, table, raw[table], use[iri][0], use[iri][2])
            for table, iri, name in rows.sort("t", "p").iter_rows()
            if use[iri][0] <= SEVERAL * use[iri][1]
        ]

    def _follow(self, link: Link) -> bool:
        """Have the pairs of a link lead to rows; False where the graph's terms do not meet, such as "1" and 1."""
        pairs = self._facts.graph.select(f"SELECT ?s ?o {{ ?s <{link.column}>/^<{link.key}> ?o }}")
        n, subjects, _, size = self._facts.use[link.column]
        if pairs["s"].n_unique() < subjects or (pairs["s"] == pairs["o"]).mean() > _SELF:  # type: ignore[operator]
            return False
        self._facts.put(link.column, pairs)
        self._facts.use[link.column] = (n, subjects, pairs["o"].n_unique(), size)
        return True


class References:
    """Finds the edges of tables, declared and found; what is `refused`, and of which column, is written down there."""

    def __init__(
        self,
        facts: Facts,
        words: Words,
        links: Mapping[str, Link],
        tables: Mapping[str, EntityTable],
        names: Mapping[str, str],
        refused: MutableMapping[str, str],
        columns: MutableMapping[str, str],
    ) -> None:
        self._facts, self._words, self._links = facts, words, links
        self._tables, self._names, self._refused, self._columns = tables, names, refused, columns

    def find(self, table: EntityTable) -> None:
        """Give a table its edges, and the marks that it refers to among its attributes."""
        for iri, raw, to, key in self._of(table):
            called = self._words.reference(raw, self._facts.raw[table.iri], self._facts.raw[to], self._key_of(to, key, raw))
            name = self._names[to] if ";" in iri.rpartition("#")[2] else called.name
            self._columns.setdefault(f"{table.name}: {name}", f"{self._facts.raw[table.iri]}.{raw.replace(';', ',')}")
            target = self._tables.get(to)
            if target and iri in self._facts.use and key and target.mark and key == target.key:
                self._marked(table, iri, called.name, self._names[to])
            elif why := self._why_not(iri, target):
                self._refused[f"{table.name}: {name}"] = why
            elif called.unsaid and name == called.name and any(c.isalnum() for c in called.name):
                self._refused[f"{table.name}: {name}"] = refusals.unsaid(called.unsaid)
            else:
                self._edge(table, Edge(iri, table.iri, to, ends.called(name), key))

    def _of(self, table: EntityTable) -> list[tuple[str, str, str, str | None]]:
        """The foreign keys of a table, declared ones first: the IRI, the name, the table that it leads to, and its key."""
        declared = self._facts.edges.filter(pl.col("t") == table.iri).sort("p").select("p", "o")
        found = [(iri, name, self._links[iri]) for iri, name in self._facts.columns_of(table.iri) if iri in self._links]
        return [
            *((iri, unquote(iri.rpartition("#ref-")[2]), to, None) for iri, to in declared.iter_rows()),
            *((iri, raw, link.to, link.key) for iri, raw, link in found),
        ]

    def _why_not(self, iri: str, target: EntityTable | None) -> str | None:
        """Say why nobody should be asked for the row that a foreign key leads to."""
        facts = self._facts.use.get(iri)
        if target is None or target.key or facts is None:
            return "it refers to rows without names" if facts else "it has no values"
        if facts[0] > SEVERAL * facts[1]:
            return "rows have several values"
        return "all rows have the same value" if facts[2] < 2 else None

    def _key_of(self, table: str, key: str | None, raw: str) -> str:
        """What a table calls the key that others refer to; where it has none, that is the column that is called as theirs."""
        keys = [key] if key else self._facts.keys_of(table)
        if not keys:
            return raw if any(name == raw for _, name in self._facts.columns_of(table)) else ""
        names = self._facts.columns.filter(pl.col("p").is_in(keys))["name"].unique().sort().to_list()
        return names[0] if len(keys) == 1 and names else ""

    def _marked(self, table: EntityTable, iri: str, name: str, of: str) -> None:
        """Take a link to rows that are told by a mark for what it holds, the mark: "Which context does find 57 belong to?"."""
        self._facts.follow(iri)
        table.attributes.append(Attribute(iri, table.iri, name, "mark", of=of))

    def _edge(self, table: EntityTable, edge: Edge) -> None:
        if not any(c.isalnum() for c in edge.name):
            self._refused[f"{table.name}: {edge.name}"] = "its name has no word"
        elif edge.is_participle and not edge.is_verb:
            self._refused[f"{table.name}: {edge.name}"] = "its name is neither a noun nor ends in a preposition"
        else:
            table.edges.append(edge)

    def settle_distances(self, table: EntityTable) -> None:
        """Have distances say from what, by another column; one that says it nowhere is no fact."""
        names = [*(edge.name for edge in table.edges), *(attribute.name for attribute in table.attributes)]
        end, whole = ends.end_of(names), list[Attribute]()
        for attribute in table.attributes:
            if not ends.needs_end(attribute.name, table.name):
                whole.append(attribute)
            elif end and unit_of(attribute.name)[1]:
                whole.append(replace(attribute, end=end))
            else:
                self._refused[f"{table.name}: {attribute.name}"] = refusals.HALF
        table.attributes = whole
