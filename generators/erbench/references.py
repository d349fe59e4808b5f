"""Which foreign keys of a table can be asked about, how they are called, and why the others are refused."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from dataclasses import replace
from urllib.parse import unquote

import polars as pl

from generators.column_names import unit_of
from generators.erbench import ends, refusals
from generators.erbench.attributes import SEVERAL
from generators.erbench.columns import Attribute, Edge
from generators.erbench.facts import Facts
from generators.erbench.links import Link
from generators.erbench.names import Words
from generators.erbench.tables import EntityTable


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
            called = self._words.reference(raw, self._facts.raw[table.iri], self._facts.raw[to], self._key_of(to, key))
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

    def _key_of(self, table: str, key: str | None) -> str:
        """What a table calls the key that others refer to."""
        keys = [key] if key else self._facts.keys_of(table)
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
