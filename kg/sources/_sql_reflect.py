"""What a database says about its tables: columns and their types, keys, unique keys, foreign keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from kg.errors import SourceError, nearest
from kg.sources._schema import ForeignKey
from kg.sources._sql_connect import Database
from kg.sources._sql_values import SqlType, sql_type

_SQLITE_UNIQUE = """
SELECT list.name, info.name FROM pragma_index_list(:t) AS list JOIN pragma_index_info(list.name) AS info
WHERE list."unique" AND NOT list.partial AND list.origin <> 'pk' ORDER BY list.seq, info.seqno
"""


@dataclass
class Reflected:
    """A table as its database declares it."""

    name: str
    columns: dict[str, SqlType]
    key: tuple[str, ...] = ()
    unique: list[tuple[str, ...]] = field(default_factory=list)
    fk: list[ForeignKey] = field(default_factory=list)


def reflect(database: Database, wanted: Sequence[str], schema: str | None) -> dict[str, Reflected]:
    """Reflect the tables of a database, all or those asked for.

    Raises SourceError where there is no such schema or table.
    """
    names = database.inspector.get_table_names(schema=_known_schema(database, schema))
    asked = _asked_for(database, names, wanted)
    if not asked:
        raise SourceError("has no table", place=database.place, way_out="check --schema, or name another database")
    tables = {name: _table(database, name, schema) for name in asked}
    for table in tables.values():
        table.fk = _foreign_keys(database, table, tables, schema)
    return tables


def _known_schema(database: Database, schema: str | None) -> str | None:
    if schema is not None and schema not in (names := database.inspector.get_schema_names()):
        raise SourceError(f"has no schema '{schema}'", place=database.place, way_out=nearest(schema, names))
    return schema


def _asked_for(database: Database, names: list[str], wanted: Sequence[str]) -> list[str]:
    """Return the tables asked for; one text may name several, with commas between."""
    asked = [name for said in wanted for name in ([said] if said in names else said.split(","))]
    for name in (name.strip() for name in asked):
        if name not in names:
            raise SourceError(f"has no table '{name}'", place=database.place, way_out=nearest(name, names))
    return list(dict.fromkeys(name.strip() for name in asked)) or sorted(names)


def _table(database: Database, name: str, schema: str | None) -> Reflected:
    inspector = database.inspector
    columns = {str(c["name"]): sql_type(_declared(database, c["type"])) for c in inspector.get_columns(name, schema=schema)}
    key = tuple(str(c) for c in inspector.get_pk_constraint(name, schema=schema)["constrained_columns"])
    if database.is_sqlite:
        columns |= {c: sql_type(said) for c, said in _sqlite_types(database, name).items() if c in columns}
        unique = _sqlite_unique(database, name)
    else:
        unique = _unique(inspector, name, schema)
    return Reflected(name, columns, key, [u for u in dict.fromkeys(unique) if set(u) != set(key)])


def _declared(database: Database, type_: sa.types.TypeEngine[Any]) -> str:
    try:
        return type_.compile(database.connection.dialect)
    except sa.exc.CompileError:  # a type that has no name of its own says nothing
        return ""


def _sqlite_types(database: Database, table: str) -> dict[str, str]:
    """SQLite keeps a declared type word for word, and reflection reduces those it does not know to an affinity."""
    rows = database.connection.execute(sa.text("SELECT name, type FROM pragma_table_info(:t)"), {"t": table})
    return {row.name: row.type for row in rows}


def _sqlite_unique(database: Database, table: str) -> list[tuple[str, ...]]:
    """Ask for unique indexes; reflection finds unique constraints by reading the SQL text, and misses some."""
    found: dict[str, list[Any]] = {}
    for index, column in database.connection.execute(sa.text(_SQLITE_UNIQUE), {"t": table}):
        found.setdefault(index, []).append(column)
    return [tuple(columns) for columns in found.values() if None not in columns]


def _unique(inspector: sa.Inspector, table: str, schema: str | None) -> list[tuple[str, ...]]:
    declared = [u["column_names"] for u in inspector.get_unique_constraints(table, schema=schema)]
    for index in inspector.get_indexes(table, schema=schema):
        whole = not any(str(option).endswith("_where") for option in index.get("dialect_options", {}))
        names = [name for name in index["column_names"] if name is not None]
        if index["unique"] and whole and len(names) == len(index["column_names"]):
            declared.append(names)
    return [tuple(names) for names in declared]


def _foreign_keys(database: Database, table: Reflected, tables: dict[str, Reflected], schema: str | None) -> list[ForeignKey]:
    """Return the foreign keys to tables that are loaded too."""
    found = []
    for fk in database.inspector.get_foreign_keys(table.name, schema=schema):
        other = tables.get(_spelt(fk["referred_table"], tables))
        if other is None or fk["referred_schema"] not in (None, schema, database.inspector.default_schema_name):
            continue
        columns = tuple(_spelt(c, table.columns) for c in fk["constrained_columns"])
        to = tuple(_spelt(c, other.columns) for c in fk["referred_columns"] or other.key)
        if len(columns) == len(to) and {*columns} <= {*table.columns} and {*to} <= {*other.columns}:
            found.append(ForeignKey(columns, other.name, to))
    return list(dict.fromkeys(found))


def _spelt(name: str, known: dict[str, Any]) -> str:
    """Return a name as it is declared: SQLite lets a reference spell it in another case."""
    return name if name in known else next((k for k in known if k.casefold() == name.casefold()), name)
