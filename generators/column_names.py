"""How the names of a schema, of tables, columns and relations, are said in English: "InvoiceDate" as "invoice date".

The word lists beside this file (`column_names.toml`) say what needs more than its own words: units, participles, prepositions,
and what is told of nobody.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from generators import inflections
from generators.vocabulary import parted
from kg.formats import shipped_toml


@dataclass(frozen=True)
class WordLists:
    """The lists of `column_names.toml`."""

    contact: list[str]
    technical: list[str]
    described: list[str]
    participles: list[str]
    prepositions: list[str]
    first_names: list[str]
    last_names: list[str]
    table_first: list[str]
    table_last: list[str]
    key_words: list[str]
    acronyms: list[str]
    with_units: list[str]
    quantities: list[str]
    extremes: list[str]
    two_ended: list[str]
    ways: list[str]
    places: list[str]
    alone: list[str]
    works: list[str]
    proper: list[str]
    common: list[str]
    companies: list[str]
    institutions: list[str]
    small: list[str]
    substances: list[str]
    self_named: list[str]
    generic_kinds: list[str]
    organisations: list[str]
    bare: list[str]
    rooms: list[str]
    buildings: list[str]
    articled: list[str]
    persons: list[str]
    private: list[str]
    groups: list[str]
    areas: list[str]
    adjectives: list[str]
    settlements: list[str]
    after_name: list[str]
    short_words: list[str]
    no_plurals: list[str]
    units: dict[str, str]
    measures: dict[str, str]
    cut_words: dict[str, str]
    singulars: dict[str, str]
    agents: dict[str, list[str]]
    events: dict[str, str]
    past: dict[str, str]
    done_to: dict[str, str]
    lasting: dict[str, str]
    containers: dict[str, str]
    how: dict[str, str]
    senses: dict[str, dict[str, list[str]]]

    @staticmethod
    @cache
    def load() -> WordLists:
        """Read the lists once."""
        return WordLists(**shipped_toml("generators", "column_names.toml"))


def split(name: str) -> list[str]:
    """Split a name of a schema into words, without case; what has no word is one.

    >>> split("Length (km)"), split("Nickname(s)")
    (['length', 'km'], ['nickname'])
    >>> split("InvoiceDate"), split("support_rep_id"), split("HTTPCode"), split("都市"), split("_")
    (['invoice', 'date'], ['support', 'rep', 'id'], ['http', 'code'], ['都市'], ['_'])
    >>> split("yearbuilt"), split("SITNM"), split("playlist"), split("runtime_min")
    (['year', 'built'], ['sit', 'nm'], ['playlist'], ['runtime', 'min'])
    >>> split("strNickName"), split("dtmOpened"), split("integer"), split("interval")
    (['nick', 'name'], ['opened'], ['integer'], ['interval'])
    """
    name = _TYPED.sub("", name)
    parts = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", re.sub(r"(?<=\w)\(e?s\)", "", name))
    words = [word.lower() for word in re.split(r"[\s_\-.()\[\]?:,/]+", parts) if word]
    return [part for word in words for part in _parts(word)] or [name.strip() or "nameless"]


_TYPED = re.compile(r"^(?:str|txt|int|lng|dbl|sng|byt|dtm|bol|bln|mem|hyp|chk)(?=[A-Z][a-z]|[A-Z]+$)")
"""What programs put before a name to say of which type its values are: `strName`."""


@cache
def _parts(word: str) -> list[str]:
    """Part words that run together, but those that the lists have as one."""
    return [word] if word in _listed() or word.removesuffix("s") in _listed() else parted(word)


@cache
def _listed() -> frozenset[str]:
    """All words of the lists."""
    lists = vars(WordLists.load()).values()
    return frozenset(word for words in lists for word in words)


def in_words(name: str) -> str:
    """Say a name of a schema as words.

    >>> in_words("InvoiceDate"), in_words("support_rep_id"), in_words("HTTPCode"), in_words("都市")
    ('invoice date', 'support rep', 'http code', '都市')
    >>> in_words("_"), in_words(" ")
    ('_', 'nameless')
    """
    parts = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    spaced = " ".join(re.split(r"[\s_\-.]+", parts.strip())).strip()
    text = spaced.lower()
    return text.removesuffix(" id") or text or name.strip() or "nameless"  # a name of signs alone is said as it is


def is_participle(name: str) -> bool:
    """Tell whether a name (in words) is a participle without "-ed": "born"."""
    return name in WordLists.load().participles or inflections.is_participle(name)


def ends_in_participle(name: str) -> bool:
    """Tell whether the last word of a name is a participle: "first built", "opened".

    >>> [name for name in ("first built", "opened", "top speed", "seed") if ends_in_participle(name)]
    ['first built', 'opened']
    """
    last = "".join(name.split()[-1:])
    return is_participle(last) or (last.endswith("ed") and len(last) > 4 and not inflections.is_common_noun(last))


def ends_in_preposition(name: str) -> bool:
    """Tell whether a name reads as a verb: "reports to", "based on"."""
    words = name.split()
    return len(words) > 1 and words[-1] in WordLists.load().prepositions


def begins_with_participle(name: str) -> bool:
    """Tell whether a name begins with a participle: "based on"; "located in a country", which cannot be said of a row."""
    first, *rest = name.split()
    return first.endswith("ed") and bool(rest) and rest[0] in WordLists.load().prepositions


def with_unit(name: str) -> str:
    """Say a column, with its unit where its name has one.

    >>> with_unit("milliseconds"), with_unit("length km"), with_unit("area square mi"), with_unit("hire date")
    ('length in milliseconds', 'length in kilometres', 'area in square miles', 'hire date')
    """
    what, unit = unit_of(name)
    return f"{what} in {unit}" if unit else name


def unit_of(name: str) -> tuple[str, str | None]:
    """Part a column's name from the unit at its end, spelled out.

    >>> unit_of("length km"), unit_of("minutes"), unit_of("hire date")
    (('length', 'kilometres'), ('length', 'minutes'), ('hire date', None))
    """
    lists, words = WordLists.load(), name.split()
    if len(words) == 1 and name in lists.measures:
        return lists.measures[name], name
    for n in (2, 1):
        if len(words) > n and (unit := " ".join(words[-n:])) in lists.units:
            return " ".join(words[:-n]), lists.units[unit]
    return name, None


def sentence(name: str, who: str, value: str) -> str:
    """Say a fact; a name that ends in a preposition is its verb.

    >>> sentence("reports to", "Bo Dahl", "Ada Berg"), sentence("educated at", "Bo", "Ulm")
    ('Bo Dahl reports to Ada Berg.', 'Bo is educated at Ulm.')
    >>> sentence("title", "the film", "Ran"), sentence("minutes", "“Ran”", "162"), sentence("born", "Bo", "1952")
    ('the title of the film is Ran.', 'the length in minutes of “Ran” is 162.', 'Bo, born: 1952.')
    """
    last = name.split()[-1]
    if ends_in_preposition(name):
        return f"{who} {'is ' if begins_with_participle(name) else ''}{name} {value}."
    if begins_with_participle(name) or is_participle(name) or (last == name and last.endswith("ed")):
        return f"{who}, {name}: {value}."
    plural = with_unit(name) == name and last.endswith("s") and not last.endswith(("ss", "us", "is"))
    return f"the {with_unit(name)} of {who} {'are' if plural else 'is'} {value}."
