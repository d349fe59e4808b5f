"""The embedded data: small tables of well-known facts, for trying things out and for tests.

```
kg query 'SELECT ?name { ?film a <film> ; rdfs:label ?name } LIMIT 3'
kg describe "Pulp Fiction"
```
"""

from __future__ import annotations

from importlib import resources

from kg.build import Load
from kg.sources.tables import load_tables

__all__ = ["load_starter"]


def load_starter() -> Load:
    """Read the embedded tables into a load called `starter`.

    >>> load_starter().name
    'starter'
    """
    with resources.as_file(resources.files("kg.starter")) as folder:
        return load_tables(folder / "SCHEMA.toml")
