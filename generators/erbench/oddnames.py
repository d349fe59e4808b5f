"""Rows whose names no question says: labels of a list, names of several things, names that rows of another kind have too.

```
>>> is_label("Polish winter Broad Peak", "expedition"), is_label("Terra Nova", "expedition")
(True, False)
>>> is_label("100 dollars 2009A", "banknote"), is_label("Penny Black", "stamp"), is_label("24 Hours of Spa", "race")
(True, False, False)

```
"""

from __future__ import annotations

import re

from generators.articles import is_several
from generators.erbench.catalog import Catalog
from generators.erbench.rows import goes_by_year
from generators.erbench.sure import Sure
from generators.erbench.tables import EntityTable
from generators.family.kinds import with_kind
from generators.family.spelling import country_adjectives
from generators.heads import WATERS, goes_bare, is_of_several
from generators.inflections import is_known


def is_label(name: str, noun: str) -> bool:
    """Tell whether a name is a note of who keeps a list: figures before a common word, a happening in a few words.

    >>> [is_label(name, "expedition") for name in ("Meyer 1889", "Italian K2 expedition", "Expedition 7", "K2 expedition 1902")]
    [True, False, False, True]
    """
    if re.match(r"\d[\d.,]* [^\W\d_A-Z]", name):
        return True
    last, own = noun.split()[-1], Sure.load()
    if " - " in name or _SEVERAL_PEOPLE.match(name):
        return True
    if last not in own.once or last not in own.held:
        return False
    words = name.split()
    held = [at for at, word in enumerate(words) if word.lower() == last]
    if held:  # an Everest expedition of 1975, and "Expedition 7"
        return 0 < held[-1] < len(words) - 1 and words[held[-1] + 1].lower() not in ("of", "to", "for", "in", "across")
    # The Terra Nova expedition is known by its ship; more words are a note of who went where.
    return (
        len(words) > 2
        or bool(re.search(r"\d{3}|[&()/]", name))
        or any(word.islower() and is_known(word) and len(word) > 3 for word in words)
    )


_SEVERAL_PEOPLE = re.compile(
    r"(?:Commissioners|Trustees|Friends|Sisters|Brothers|Daughters|Sons|Governors|Directors|Lords|Partners)\b"
)
"""Bodies of which a verb speaks as of several: the Commissioners of Irish Lights were."""


def unsaid_rows(catalog: Catalog, table: EntityTable) -> list[str]:
    """Return the rows whose names no question says."""
    if table.key or table.quoted or table.said == "small":
        return []
    noun = table.name.split()[-1]
    rows = catalog.names_of(table)
    others = {
        name
        for other in catalog.tables.values()
        if goes_bare(noun) and not (other.iri == table.iri or other.key or other.person or other.quoted)
        for name in catalog.names_of(other)["label"]
    }
    lands = country_adjectives() if noun == "region" else {}  # the Wales region
    named = rows.select("e", "label").iter_rows()
    dated = goes_by_year(table)  # the 1924 expedition of 1924
    return [
        row
        for row, name in named
        if name in others or name.lower() in lands or _is_odd(name, noun) or (dated and re.search(r"\d{4}", name))
    ]


def _is_odd(name: str, noun: str) -> bool:
    """Whether a name is a label, or of several, or says too little: the cave Waitomo Caves."""
    if re.fullmatch(rf"{re.escape(noun)}\W*(?:\d+|[ivx]+|[a-z])", name.lower()):
        return True  # of what "Generation IV" is one, nothing says
    return says_too_little(name, noun) or is_of_several(name, noun) or is_label(name, noun) or bool(_UNDETERMINED.search(name))


_UNDETERMINED = re.compile(r" (?:spp?|cf|aff)\.(?: |$)")
"""Of which species something is nobody knows: "Dipodomys sp."."""


def says_too_little(name: str, noun: str) -> bool:
    """Tell whether a name does not say what bears it, and no more does its noun.

    >>> says_too_little("Santiago Bernabéu", "venue"), says_too_little("Suez Canal", "waterway")
    (True, False)
    """
    return noun in {*WATERS, "venue"} and with_kind(name, noun).startswith(f"the {noun} ")


def several_rows(catalog: Catalog, table: EntityTable) -> list[str]:
    """Return the mountain ranges of which a verb speaks as of several: the Alps are in Europe."""
    if table.name not in ("range", "mountain range") or table.key or table.quoted:
        return []
    return [row for row, name in catalog.names_of(table).select("e", "label").iter_rows() if is_several(name)]
