"""What a database has, as its graph holds it: tables, columns, keys, how many rows and values, which names and labels.

```
>>> from kg import open_graph
>>> facts = Facts(open_graph())
>>> sorted(facts.raw.values())[:2]
['album', 'art_movement']

```
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

import polars as pl

from generators.column_names import WordLists, split
from generators.erbench.values import MOST, kind_of
from generators.family.spelling import WRITTEN_DATE
from kg.errors import InputError
from kg.graph import Graph
from kg.text import fold_all
from queries.views import view

_TABLES = "SELECT ?t ?name { ?t a kgp:Table ; kgp:name ?name }"
_COLUMNS = "SELECT ?t ?p ?name { ?t kgp:column ?p . ?p kgp:name ?name }"
_KEYS = "SELECT DISTINCT ?p ?t { ?k a kgp:PrimaryKey ; kgp:on ?p ; kgp:table ?t }"
_UNIQUE = "SELECT DISTINCT ?p { ?k a ?kind ; kgp:on ?p } VALUES ?kind { kgp:PrimaryKey kgp:UniqueKey }"
_EDGES = "SELECT ?p ?t ?o { ?p a kgp:ForeignKey ; kgp:table ?t ; kgp:references ?o }"
_USE = """SELECT ?p (COUNT(*) AS ?n) (COUNT(DISTINCT ?s) AS ?ns) (COUNT(DISTINCT ?o) AS ?no) (MAX(STRLEN(STR(?o))) AS ?size)
  { ?s ?p ?o } GROUP BY ?p"""
_BYTES = "SELECT ?p { VALUES ?d { xsd:hexBinary xsd:base64Binary } ?p kgp:datatype ?d }"
_NAMED = "SELECT ?t (COUNT(DISTINCT ?e) AS ?n) (COUNT(DISTINCT ?l) AS ?labels) { ?e a ?t ; rdfs:label ?l } GROUP BY ?t"
_PAIRS = "SELECT ?s ?o { ?s <%s> ?o }"
_ROWS = "SELECT ?e { ?e a <%s> }"
_ROW_COUNT = "SELECT (COUNT(*) AS ?n) { ?e a <%s> }"
_DAY = rf"^(?:\d{{4}}-\d\d-\d\d.*|\d{{1,2}}[/.-]\d{{1,2}}[/.-](?:\d\d|\d{{4}})|{WRITTEN_DATE.pattern})$"


class Facts:
    """Reads a graph of tables, each thing once; `raw` says what the database calls each table.

    Raises InputError where the graph has no tables.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        rows = graph.schema(_TABLES).sort("t")
        if rows.is_empty():
            raise InputError("this graph has no tables", way_out="load some with `kg load sql` or `kg load tables`")
        self.raw: dict[str, str] = dict(rows.iter_rows())
        self._pairs: dict[str, pl.DataFrame] = {}

    @cached_property
    def columns(self) -> pl.DataFrame:
        """`t, p, name` of all columns."""
        return self.graph.schema(_COLUMNS).sort("t", "p").select("t", "p", "name")

    def columns_of(self, table: str) -> list[tuple[str, str]]:
        """Return the columns of a table, and what the database calls them."""
        return self.columns.filter(pl.col("t") == table).sort("p").select("p", "name").rows()

    @cached_property
    def edges(self) -> pl.DataFrame:
        """`t, p, o` of the declared foreign keys: the table that has one, and the table that it leads to."""
        return self.graph.schema(_EDGES).select("t", "p", "o").unique().sort("t", "p", "o")

    @cached_property
    def keys(self) -> set[str]:
        """The columns of primary keys."""
        return set(self.graph.schema(_KEYS)["p"])

    @cached_property
    def unique(self) -> set[str]:
        """The columns of primary and unique keys."""
        return set(self.graph.schema(_UNIQUE)["p"])

    def keys_of(self, table: str) -> list[str]:
        """Return the columns of a table's primary key."""
        return self.graph.schema(_KEYS).filter(pl.col("t") == table)["p"].unique().sort().to_list()

    def put(self, iri: str, pairs: pl.DataFrame) -> None:
        """Have a column lead to other values than it holds: to rows, or to their names."""
        self._pairs[iri] = pairs

    def follow(self, iri: str) -> None:
        """Have a link lead to what its column holds."""
        self.put(iri, self.graph.select(_PAIRS % iri))

    def names_of(self, table: str) -> pl.DataFrame:
        """`e, label` of a table's rows."""
        return self.labels.join(self.graph.select(_ROWS % table), on="e", how="semi")

    def row_names(self, tables: Iterable[str]) -> pl.DataFrame:
        """`table, name` of the rows of some tables that have a name."""
        named = [self.graph.select(_ROWS % iri).with_columns(table=pl.lit(iri)) for iri in sorted(tables)]
        rows = pl.concat([pl.DataFrame(schema={"e": pl.String, "table": pl.String}), *named]).join(self.labels, on="e")
        return rows.select("table", name=fold_all(rows["label"]))

    @cached_property
    def use(self) -> dict[str, tuple[int, int, int, int]]:
        """Of each predicate: facts, subjects, objects, the longest object."""
        rows = self.graph.select(_USE)
        return {p: (int(n), int(ns), int(no), int(size or 0)) for p, n, ns, no, size in rows.iter_rows()}

    @cached_property
    def bytes(self) -> set[str]:
        """The columns that hold neither texts nor numbers."""
        return set(self.graph.schema(_BYTES)["p"])

    @cached_property
    def labels(self) -> pl.DataFrame:
        """`e, label` of everything that has a label."""
        return view(self.graph, "labels").group_by("e").agg(pl.col("label").min())

    @cached_property
    def rows(self) -> dict[str, int]:
        """How many rows each table has."""
        return {iri: int(self.graph.select(_ROW_COUNT % iri).item() or 0) for iri in self.raw}

    @cached_property
    def named(self) -> dict[str, tuple[int, int]]:
        return {t: (int(n), int(labels)) for t, n, labels in self.graph.select(_NAMED).iter_rows()}

    @cached_property
    def foreign_keys(self) -> set[str]:
        return set(self.edges["p"])

    def pairs(self, iri: str) -> pl.DataFrame:
        """Return `s, o` of a column or foreign key."""
        if iri not in self._pairs:
            self._pairs[iri] = self.graph.select(_PAIRS % iri)
        return self._pairs[iri]

    def table_of(self, column: str) -> str:
        """The table that a column is of."""
        return str(self.columns.filter(pl.col("p") == column)["t"][0])

    def promoted(self, column: str) -> str:
        """Return the relation of a column whose values became entities (`entities` of SCHEMA.toml), called by their names."""
        relation = "#ref-".join(column.rsplit("#", 1))
        if column in self.use or relation not in self.use or relation in self.foreign_keys:
            return column
        named = self.pairs(relation).join(self.labels, left_on="o", right_on="e").select("s", o="label")
        self.put(relation, named)
        n, subjects, values, _ = self.use[relation]
        self.use[relation] = (n, subjects, values, max(named["o"].str.len_chars().to_list(), default=0))
        return relation

    def share_told_by_name(self, iri: str) -> float:
        """In what share of rows the name tells the value."""
        both = self.pairs(iri).join(self.labels, left_on="s", right_on="e").drop_nulls()
        if both.is_empty():
            return 0.0
        name, value = fold_all(both["label"]), fold_all(both["o"])
        frame = pl.DataFrame({"name": " " + name + " ", "value": " " + value + " "})
        return float(frame.select(pl.col("name").str.contains(pl.col("value"), literal=True).mean()).item() or 0.0)

    def label_columns(self, iri: str) -> list[str]:
        """How the columns are said that hold the names of a table's rows."""
        if iri not in self.named:
            return []
        columns, labels = self.columns_of(iri), self.names_of(iri)
        both = {name: self.pairs(p).join(labels, left_on="s", right_on="e") for p, name in columns if p in self.use}
        same = [name for name, pairs in both.items() if pairs.height and bool((pairs["o"] == pairs["label"]).all())]
        return [" ".join(split(name)) for name in same]

    def is_label(self, column: str) -> bool:
        """Whether rows are called by a column."""
        both = self.pairs(column).join(self.labels, left_on="s", right_on="e")
        return both.height > 0 and bool((both["o"] == both["label"]).all())

    def telling(self, iri: str) -> str | None:
        """Find a column that has another value in each row, and may so name them: one that is called a number or code first."""
        columns = self.columns_of(iri)
        rows, own = self.rows[iri], self.raw[iri].lower()
        alone = [name for column, name in columns if self.use.get(column, ())[:3] == (rows, rows, rows)]

        def last(name: str) -> tuple[bool, bool]:
            """Of several, one that is called a key or code comes first, then one that is called as its table."""
            coded = split(name)[-1] in WordLists.load().key_words or re.search(r"(?i)(?:no|id|cd|code)$", name)
            return not coded, not name.lower().startswith(own)

        best = min(alone, key=last, default=None)
        return f"{self.raw[iri]}.{best}" if best else None

    def is_dated(self, iri: str) -> bool:
        """Whether a column holds dates or years."""
        return iri in self.use and kind_of(self.pairs(iri)["o"]) in ("date", "year", "figures")

    def is_flag(self, iri: str) -> bool:
        """Whether a column says yes or no, by numbers that may be those of rows as well."""
        return kind_of(self.pairs(iri)["o"]) == "flag"

    def holds_days(self, column: str) -> bool:
        """Whether the values of a column are days, in whatever form: "12/01/22"."""
        values = self.pairs(column)["o"].drop_nulls()
        return float(str(values.str.contains(_DAY).mean() or 0.0)) >= MOST

    def may_live(self, columns: Iterable[str]) -> bool:
        """Whether a column holds days of the last hundred years."""
        days = [self.pairs(iri)["o"].drop_nulls() for iri in columns if iri in self.use]
        return any(some.str.contains(r"^(?:19[3-9]\d|20\d\d)-\d\d-\d\d").any() for some in days)

    def names_as_written(self) -> pl.Series:
        """The names of several words of all rows."""
        known = self.labels.filter(pl.col("label").str.contains(r"\p{L}{2} .*\p{L}{2}"))
        return known["label"]
