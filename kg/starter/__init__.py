"""The embedded data: small tables of well-known facts, for trying things out and for tests.

```
kg query 'SELECT ?name { ?film a <film> ; rdfs:label ?name } LIMIT 3'
kg describe "Pulp Fiction"
```
"""

from __future__ import annotations

from importlib import resources

from kg.build import Load
from kg.starter.kept import keep_load, kept_load, sources_digest

__all__ = ["load_starter"]


def load_starter() -> Load:
    """Read the embedded tables into a load called `starter`; what they came to is kept for the next process of this user.

    >>> load_starter().name
    'starter'
    """
    digest = sources_digest()
    if (kept := kept_load(digest)) is not None:
        return kept
    from kg.sources.tables import load_tables  # here, since a kept load does without it

    with resources.as_file(resources.files("kg.starter")) as folder:
        load = load_tables(folder / "SCHEMA.toml")
    keep_load(load, digest)
    return load
