"""Labels of Wikidata properties, so that the same relation from two sources has one IRI.

```
python -c 'from kg.properties import iri_of; print(iri_of("place of birth"))'
python -c 'from kg.properties import names_of; print(names_of("http://www.wikidata.org/prop/direct/P19"))'
```

The table `properties.csv` was written by hand for what the domains and FACT-BENCH use; labels are compared after folding.
"""

from __future__ import annotations

import csv
import functools
from importlib import resources

from kg.text import fold
from kg.vocab import PREFIXES, wdt

__all__ = ["iri_of", "names_of"]


@functools.cache
def _table() -> dict[str, tuple[str, ...]]:
    text = (resources.files("kg") / "properties.csv").read_text("utf-8")
    return {r["id"]: (r["label"], *filter(None, r["other"].split("|"))) for r in csv.DictReader(text.splitlines())}


@functools.cache
def _by_name() -> dict[str, str]:
    found: dict[str, str] = {}
    for place in range(max(map(len, _table().values()))):  # first labels go before other labels
        for name, labels in _table().items():
            if place < len(labels):
                found.setdefault(fold(labels[place]), wdt(name))
    return found


def names_of(iri: str) -> tuple[str, ...]:
    """Return the labels a property goes by, the preferred first; none for an IRI that is no property of the table.

    >>> names_of("http://www.wikidata.org/prop/direct/P19")[0]
    'place of birth'
    """
    return _table().get(iri.removeprefix(PREFIXES["wdt"]), ()) if iri.startswith(PREFIXES["wdt"]) else ()


def iri_of(label: str) -> str | None:
    """Return the `wdt:` IRI of the property that goes by `label`, if the table knows one.

    >>> iri_of("Place of Birth"), iri_of("is fond of")
    ('http://www.wikidata.org/prop/direct/P19', None)
    """
    return _by_name().get(fold(label))
