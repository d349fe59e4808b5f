"""How sure we are that a person would say it so: what columns, tables and values must be for a family to be asked by default.

A database yields more questions than anybody needs, so what is not surely well worded is left out (`--all-wordings` asks it).
Sure are nouns of which we know that they stand with "of" ("the capital of X"), verbs of which we know who does them ("Which
brewery makes X?"), rows whose table is called by a plain noun, and values that look as the form expects.

```
>>> is_feature("home port"), is_feature("maximum beam"), is_feature("autumn colour"), is_measure("maximum beam")
(True, False, True, True)
>>> is_described("soil"), is_described("mint"), is_described("status"), is_role("gardener"), is_agent_of("chief engraver")
(True, False, False, False, True)
>>> is_counted("berths"), is_counted("deaths"), is_noun_of_rows("launch site"), is_noun_of_rows("owner")
(True, False, True, False)
>>> odd(pl.Series(["Hamburg", "Oslo", "DE", "unknown"]), "name").to_list()
['DE', 'unknown']

```
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache

import polars as pl

from generators.column_names import WordLists
from generators.inflections import is_adjective_form, is_agent, is_common_noun, is_known, is_participle
from generators.nouns import is_mass, is_plural, is_word, singular
from kg.formats import shipped_toml
from kg.text import fold

UNSURE = "nobody is sure to say it in these words (--all-wordings asks it)"
UNSURE_ROWS = "nobody is sure to call a row so (--call TABLE=NOUN says what it is, --all-wordings asks about it)"
MISNAMED = "its rows are called by somebody or something else (kg load sql --label TABLE.COLUMN says what names them)"
KINDS = "its rows are kinds of something, and no things (--all-wordings asks about them)"
GUESSED_ROWS = "may be short for several words (--all-wordings asks about it, --families writes it down to be worded)"
FOREIGN = "--all-wordings asks in these words, --families writes them down to be worded in English"
UNSURE_VALUES = "many of its values do not look like what is asked for (--all-wordings asks it)"
UNDATED = "it changes from year to year, and no --about says of what list it is"
UNTOLD = "the names of its rows do not tell which one is meant (--about says of what they are)"
EDITIONS = "it differs between editions or productions, and no --about says which one is meant"
LOGGED = "rows of another table say it anew each time"
NESTED = "its values lie within one another, and several are right"
UNSURE_FEW = "hardly a row says it (--all-wordings asks it)"
UNSURE_WAY = "too long a way for one sentence (--all-wordings asks it)"

MOST_ODD = 0.25
"""Where more rows than this share have values that do not look as expected, none is asked about."""
LEFT_OUT = 60
"""So many different values are left out of a family by name, at most."""

TIMES = ("seconds", "minutes", "hours", "days", "weeks", "months", "years")
_LETTERS = r"^[^\p{Ll}]*\p{Lu}[^\p{Ll}]*$"
_SMALL_CODE = "^[a-z]{2,3}$"
"""Codes in small letters: "de", "ita"; but "red" is a word."""
_LOOKS = {
    # A name begins with a capital or a figure, and is neither a code, a list, nor several words in capitals.
    "name": r"^[\p{Lu}\p{Lt}\p{Lo}“\"'‘’0-9][^;|/\n\t=<>]*$",
    # Where somebody was born is no year, nor a name that begins with one.
    "place": r"^[\p{Lu}\p{Lt}\p{Lo}“\"'‘’][^0-9;|/\n\t=<>]*$",
    "person": r"^[\p{Lu}\p{Lt}\p{Lo}'’][^0-9;|/\n\t=<>()?]*$",
    "persons": r"^[\p{Lu}\p{Lt}\p{Lo}'’][^0-9;|/\n\t=<>()?,]* [^0-9;|/\n\t=<>()?,]+$",
    "common": r"^[^,;|&/+\n\t=<>?]+$",
    "demonym": r"^\p{Lu}\p{L}+(?:[ -]\p{Lu}\p{L}+)*$",
    "label": r"^\p{Lu}*[^;|\n\t=<>\p{Lu}][^;|\n\t=<>]*$|^\p{Lu}{5,}$",
    "title": r"^\p{Lu}*[^;|\n\t=<>\p{Lu}][^;|\n\t=<>]*$|^\p{Lu}{5,}$",
    "named": r"^[\p{Lu}\p{Lt}\p{Lo}“\"'‘’0-9][^,;|&/+\n\t=<>?]*$",
    "any": r"^[^,;|&/+\n\t=<>?]+$",
    "number": r"^-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d{1,4})?$",
    "count": r"^(?:[2-9]|[1-9]\d+|\d{1,3}(?:,\d{3})+)(?:\.0+)?$",
    "whole": r"^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.0+)?$",
    "duration": r"^[1-9]\d*(?:\.\d{1,2})?$",
    "year": r"^(?:[1-9]\d\d|1\d{3}|20\d\d)(?:\.0+)?$",
    "date": r"^(?:[1-9]\d\d|1\d{3}|20\d\d)-\d\d(?:-\d\d.*)?$|"
    r"^(?:\d{1,2}\w*[ -][A-Z][a-z]+|[A-Z][a-z]+\.? \d{1,2}\w*)\.?,?[ -](?:1\d|20)\d\d$|"
    r"^\d{1,2}[/.-]\d{1,2}[/.-](?:1\d|20)\d\d\D*$|^[A-Z][a-z]+,? (?:1\d|20)\d\d$",
    "flag": r"",
    "mark": r"",
}
"""What the values of each form look like."""


@dataclass(frozen=True)
class Sure:
    """The lists of `sure.toml`."""

    features: list[str]
    measures: list[str]
    dated: list[str]
    offices: list[str]
    gone: list[str]
    fates: list[str]
    qualifiers: list[str]
    roles: list[str]
    counted: list[str]
    tallied: list[str]
    samples: list[str]
    happened: list[str]
    did: list[str]
    moving: list[str]
    lasting: list[str]
    done: list[str]
    with_prepositions: list[str]
    vague: list[str]
    things: list[str]
    stocked: list[str]
    no_values: list[str]
    codes: list[str]
    inner_flags: list[str]
    members: list[str]
    unclear: list[str]
    appeared: list[str]
    enclosing: list[str]
    holders: list[str]
    substances: list[str]
    stuffs: list[str]
    umbrellas: list[str]
    animals: list[str]
    verbs: list[str]
    described: list[str]
    unitless: list[str]
    once: list[str]
    immaterial: list[str]
    remains: list[str]
    findable: list[str]
    for_somebody: list[str]
    ages: list[str]
    workplaces: list[str]
    orders: list[str]
    carried: list[str]
    held: list[str]
    figures: list[str]
    belonging: list[str]
    performers: list[str]
    upper: list[str]
    seated: list[str]
    spoken: list[str]
    happenings: list[str]
    origins: list[str]
    high: list[str]
    standing: list[str]
    based: list[str]
    states: list[str]
    groups: list[str]
    workers: list[str]
    taxa: list[str]
    nested: list[str]
    nested_of_languages: list[str]
    producing: list[str]
    called_alike: list[str]
    seen: list[str]
    came_out: list[str]
    not_then: list[str]
    took_place: list[str]
    numbered: list[str]
    anybody: list[str]
    of_something: list[str]
    printed: list[str]
    of_editions: list[str]
    staged: list[str]
    years: dict[str, str]
    demonyms: dict[str, list[str]]
    deeds: dict[str, list[str]]
    acts: dict[str, list[str]]
    makers: dict[str, list[str]]
    measured: dict[str, str]
    does: dict[str, str]

    @staticmethod
    @cache
    def load() -> Sure:
        """Read the lists once."""
        return Sure(**shipped_toml("generators.erbench", "sure.toml"))


# --- words


def is_feature(name: str) -> bool:
    """Tell whether a thing has one of these, as "the capital of X" says it."""
    return _qualified(name, Sure.load().features)


def is_unitless(name: str) -> bool:
    """Tell whether a measure is said without a unit; the price of a thing is none without its currency.

    >>> is_unitless("atomic number"), is_unitless("gross tonnage"), is_unitless("price"), is_unitless("period")
    (True, True, False, False)
    """
    return _qualified(name, Sure.load().unitless)


def is_measure(name: str, row: str = "") -> bool:
    """Tell whether a number of a row may be called so: "the maximum beam of X", "the capacity of the stadium X".

    >>> is_measure("student capacity"), is_measure("bed capacity"), is_measure("capacity", "arena")
    (True, False, True)
    """
    *first, last = name.split()
    if last == "capacity" and ({*row.split()[-1:]} & {*Sure.load().seated} or {*first[-1:]} & {*WordLists.load().persons}):
        return all(map(_qualifies, first))
    return _qualified(name.removesuffix(" percentage"), Sure.load().measures)


def is_role(name: str, *, linked: bool = False) -> bool:
    """Tell whether somebody is this of something: "the dean of X"; `linked` to a row of people, "the project manager" as well.

    >>> [name for name in ("author", "head coach", "original author", "source author", "film director") if is_role(name)]
    ['author', 'head coach', 'original author']
    """
    return _qualified(name, Sure.load().roles, _qualifies if linked else _tells_who)


def is_agent_of(name: str, *, linked: bool = False) -> bool:
    """Tell whether somebody is this of a thing by what they do or are: "the keeper of the lighthouse X"."""
    *first, last = name.split()
    known = (is_agent(last) or last in WordLists.load().persons) and last not in Sure.load().members
    return known and all(map(_qualifies if linked else _tells_who, first))


def is_described(name: str) -> bool:
    """Tell whether a common word or two may say what a row's own is: the soil of a meadow, the condition of a tree.

    What else has rows of its own, a person, a place or a work, is not said with "of": which museum of a painting?
    """
    return _qualified(name, Sure.load().described) and not name.endswith(" title")  # an office's, and no country's own


_PARTS = ("point", "part", "side", "place", "end", "section", "spot", "edge")
"""What is measured at, and not itself: nobody says what "the widest point" is in metres."""


def is_measured(name: str, unit: str) -> bool:
    """Tell whether a number with its unit may be called so: any noun but one that says nothing of what is measured.

    A time is only that of what lasts: `is_measure` knows it.
    """
    *first, last = name.split()
    lists = WordLists.load()
    if {*first} & {*lists.how, *lists.with_units}:
        return False  # what is 72 centimetres is no "maximum height dog"
    apart = last in {
        *lists.two_ended,
        *Sure.load().vague,
        *lists.persons,
        *lists.places,
        *lists.areas,
        *_PARTS,
        "time",
        "date",
        "duration",
        "distance",
        "length",
    }
    # Nobody measures several: "the dens in grams", which are short for something else.
    apart = apart or (is_plural(last) and singular(last) != last)
    return is_common_noun(last) and not apart and unit not in TIMES and all(map(_qualifies, first))


def is_counted(name: str) -> bool:
    """Tell whether things have several of these, as parts: "How many berths does X have?".

    Any plural is one, but those of times, sums and what is won or counted in another way.
    """
    if _qualified(name, Sure.load().counted):
        return True
    *first, last = name.split()
    one = singular(last)
    lists, own = WordLists.load(), Sure.load()
    apart = {*lists.quantities, *lists.persons, *own.tallied, *lists.units.values(), *lists.units, *own.members}
    apart |= {last} if {*first} & {*lists.how, *lists.with_units} else set()  # masses, in earths
    known = is_common_noun(one) and is_plural(last) and not {one, last} & apart and not is_agent(one)
    return known and all(map(_qualifies, first))


def _qualified(name: str, nouns: Collection[str], qualifies: Callable[[str], bool] | None = None) -> bool:
    """Tell whether a name is one of some nouns, or one behind words that qualify any, or those."""
    words = name.lower().split()
    for at in range(len(words)):
        if " ".join(words[at:]) in nouns:
            return all(map(qualifies or _qualifies, words[:at]))
    return False


def is_qualified(name: str) -> bool:
    """Tell whether a noun stands behind words that say which one it is: "target planet", "home ground".

    >>> [name for name in ("target planet", "home ground", "main site", "launch site") if is_qualified(name)]
    ['target planet', 'home ground', 'launch site']
    """
    *first, last = name.split()
    if last in _ANYWHERE and {*first} <= {*Sure.load().qualifiers}:
        return False
    return bool(first) and is_common_noun(last) and all(map(_qualifies, first))


def is_thing(name: str) -> bool:
    """Tell whether a noun names a place, a work or a group, which may be another thing's own: "parent peak"."""
    lists = WordLists.load()
    return name.split()[-1] in {*lists.places, *lists.works, *lists.groups, *lists.areas}


def _qualifies(word: str) -> bool:
    """Tell whether a word may stand before a noun: "autumn colour", "peak rating", "registered office"."""
    if word in Sure.load().qualifiers:
        return True
    if word in _OPINIONS:
        return False
    small = word in WordLists.load().prepositions or len(word) < 3
    return not small and (is_common_noun(word) or is_adjective_form(word) or is_participle(word))


def _tells_who(word: str) -> bool:
    """Tell whether a word says which of several people is meant; what a noun before one who does something is, nobody knows."""
    return word in Sure.load().qualifiers or (_qualifies(word) and (is_adjective_form(word) or is_participle(word)))


_ANYWHERE = frozenset({"site", "place", "location", "spot", "point", "centre", "center", "area"})
"""Nobody knows of a "main site" what is done there."""
_OPINIONS = frozenset(
    {"best", "worst", "favourite", "favorite", "recommended", "suggested", "typical", "ideal", "notable", "famous", "most"}
)
"""What one may see otherwise."""


def is_noun_of_rows(name: str) -> bool:
    """Tell whether a row may be called by the name of its table: English words, that say what it is."""
    words = name.split()
    lists = Sure.load()
    if any(word in WordLists.load().prepositions and word != "of" for word in words):
        return False  # a "best in show" is the title of somebody
    if name in lists.measures:
        return False  # an ionization energy has no name
    said = words[-1] not in lists.vague or (words[-1] in lists.things and is_qualified(name))
    said = said and (is_thing(name) or not (is_mass(words[-1]) or _is_adjective(words[-1])))
    return said and all(word.isascii() and word.isalpha() and is_word(word) for word in words)


def _is_adjective(word: str) -> bool:
    return is_adjective_form(word) and not is_common_noun(word)


def is_umbrella(noun: str) -> bool:
    """Tell whether a noun only says what was done with a work: a "depiction" may be a film, a song or a book.

    >>> [noun for noun in ("depiction", "adaptation", "composition", "exhibition", "novel") if is_umbrella(noun)]
    ['depiction', 'adaptation']
    """
    lists, own, last = WordLists.load(), Sure.load(), noun.split()[-1]
    known = {*lists.works, *lists.places, *lists.groups, *lists.institutions, *own.held, *own.happenings, *own.lasting}
    known |= {*lists.after_name, *own.spoken, *(kind for kinds in own.deeds.values() for kind in kinds)}
    return last not in known and bool(re.search(r"(?:tion|sion|ment|ance|ence)$", last))


def maker(row: str, to: str) -> tuple[str, str, str, str] | None:
    """Find what a row of one kind did to one of another: "Which brewery makes the beer X?"; the last is what of it."""
    makers = Sure.load().makers
    said = makers.get(f"{row.split()[-1]} {to.split()[-1]}") or makers.get(to.split()[-1])
    return (said[0], said[1], said[2], said[3] if len(said) > 3 else "") if said else None


def is_done_to(verb: str, row: str) -> bool:
    """Tell whether what a verb says is done to rows of a kind; most verbs are of all kinds.

    >>> is_done_to("wrote", "novel"), is_done_to("wrote", "genus"), is_done_to("designed", "bridge")
    (True, False, True)
    """
    kinds = Sure.load().deeds.get(verb)
    return kinds is None or row.split()[-1] in kinds


def act_of(role: str, done: Collection[str]) -> str | None:
    """Find what somebody of a role did to a row, of what is known to have been done to it: an author names a genus.

    >>> act_of("author", ["named"]), act_of("author", ["sold"]), act_of("architect", ["named"])
    ('named', None, None)
    """
    return next((act for act in Sure.load().acts.get(role.split()[-1], ()) if act in done), None)


def does(row: str, to: str) -> str | None:
    """Find what rows of one kind do to those of another: "Which river does the bridge X cross?"."""
    lists, by, at = Sure.load(), row.split()[-1], to.split()[-1]
    if deed := lists.does.get(f"{by} {at}"):
        return deed
    return "work for" if row in lists.workers and at in {*WordLists.load().institutions, *lists.based} else None


def is_animal(noun: str) -> bool:
    """Tell whether rows are animals, single ones or kinds of them, or plants.

    >>> is_animal("famous dog"), is_animal("butterfly"), is_animal("club")
    (True, True, False)
    """
    return noun.split()[-1] in {*Sure.load().animals, *WordLists.load().generic_kinds}


def has_happened(verb: str, noun: str, *, person: bool, place: bool) -> bool:
    """Tell whether something is sure to have happened to a row, or been done by it.

    >>> has_happened("founded", "club", person=False, place=False), has_happened("launched", "site", person=False, place=True)
    (True, False)
    """
    lists, plain = Sure.load(), verb.removeprefix("to ")
    if place and plain in lists.moving:
        return False
    if plain in ("born", "die") and is_animal(noun):
        return True
    if plain in ("born", "die", "buried", "executed", "crowned", "ordained", "elected"):
        return person
    if plain in ("begin", "end"):
        return noun.split()[-1] in lists.lasting
    if person:
        return plain in ("retire", "graduate", "debut")
    done = re.sub(r"^(?:first|last) ", "", plain)
    return plain in lists.did or done in lists.happened or (is_participle(done) and done not in lists.unclear)


# --- values


def gives_away(name: str, place: str) -> bool:
    """Tell whether a name says in which place its bearer is, by the place's name or by what is made of it.

    >>> gives_away("Argentine Museum of Natural Sciences", "Argentina"), gives_away("Canadian Museum of Nature", "Canada")
    (True, True)
    >>> gives_away("National French Archives", "France"), gives_away("Iziko South African Museum", "South Africa")
    (True, True)
    >>> gives_away("Museum of the Rockies", "United States"), gives_away("Royal Tyrrell Museum", "Canada")
    (False, False)
    """
    said, parts = fold(name).split(), fold(place).split()
    if {*said} & {*Sure.load().demonyms.get(" ".join(parts), ())}:
        return True
    telling = [part for part in parts if len(parts) == 1 or not is_known(part)]
    return any(_has_root(word, part) for part in telling for word in said)


def _has_root(word: str, place: str) -> bool:
    """Tell whether a word is a place's name, or made of it by an ending: "canadian"."""
    root = max(_SHORTEST_ROOT, len(place) - 2)
    if len(word) > _SHORTEST_ROOT and place.startswith(word) and not is_known(word):
        return True  # Denbigh, in Denbighshire
    return word == place or (len(word) >= root and word[:root] == place[:root] and len(word) <= len(place) + _LONGEST_ENDING)


_SHORTEST_ROOT, _LONGEST_ENDING = 4, 4


def _are_lists(values: pl.Series) -> pl.Series:
    """Say which values are several of the others: "Japan, Nepal" of a column that has Japan and Nepal as well."""
    parts = values.str.split(", ")
    return (parts.list.len() > 1) & parts.list.eval(pl.element().is_in(values.implode())).list.all()


def odd(values: pl.Series, look: str, name: str = "value") -> pl.Series:
    """Return which values do not look as a form expects; they are said as a question would say them.

    `name` is what the column is called: symbols and abbreviations are letters alone.
    """
    known, lists = values.drop_nulls().unique().sort(), Sure.load()
    right = known.str.contains(_LOOKS[look]) & ~known.str.to_lowercase().str.strip_chars(" .").is_in(lists.no_values)
    if look not in ("flag", "mark", "number", "date", "year"):
        right &= known == known.str.strip_chars()  # “Emma ”
    if look in ("name", "named", "any", "person") or {*name.split()} & {"country", "nation"}:
        right &= ~_are_lists(known)  # but for a town that is said with its state: "Athens, Georgia"
    if look in ("name", "named", "any", "place") and {*name.split()[-1:]} & {"region", "subregion", "area"}:
        right &= ~known.str.contains(r",|/| to ")  # what a catalogue puts together nobody calls a region
    if look in ("name", "named", "any", "place"):
        right &= ~known.str.contains(r"\([^)]*\p{Ll}{2}[^)]*\)$")  # "Emma (novel)"
    if look in ("name", "place"):
        right &= ~known.str.contains(_SIDES)  # of which land it is the southwest, nothing says
    if look in ("name", "person", "persons") and name:
        both = known.str.contains(r"^[^,]+ [^,]+, \S+ \S") & ~known.str.contains(_OF_RANK)
        right &= ~both  # two people
        if name.endswith(" by"):
            right &= ~known.str.contains(", ", literal=True) | known.str.contains(_OF_RANK)
    if look == "common":
        right &= pl.Series([is_common(value) for value in known], dtype=pl.Boolean)
    if look in ("label", "title"):
        right &= ~known.str.contains(r"^(?:\p{Ll}{1,2}|[ivx]+)$")  # a criterion i, which a list explains
    if look == "label":
        right &= ~known.str.contains(" / ", literal=True)  # two names
        right &= ~known.str.contains(r"\([^)]*[^\d)][^)]*\)$")  # "Mercury (planet)" is written for a reader, and never said
    if look == "date" and float(str(known.str.contains(_FIRST_DAYS).mean() or 0.0)) > _SO_MANY_FIRST:
        right &= ~known.str.contains(_FIRST_DAYS)  # of whom the year alone is known was born on 1 January, for a column of days
    if look == "number" and {*name.split()} & _SIZES:
        right &= ~known.str.contains(r"^0+(?:\.0*)?$")  # what nobody has measured
    if look == "number" and {*name.split()} & {"elevation", "altitude"}:
        right &= ~known.str.starts_with("-")  # nothing is so many feet above the sea that it lies below
    if name.endswith(" after"):
        right &= ~known.str.contains(r"(?:^|\s)\p{Ll}{4}")  # named after a "Greek goddess of health", which is no name
    if look == "title":
        right &= ~known.str.contains(r"\(\p{Ll}[^)]*\)$")  # "The Kiss (sculpture)"
    if look in ("person", "persons"):
        right &= ~known.str.contains(r" \p{Ll}\S*$")  # a "Wildlife trust" lacks its article
    if look in ("name", "named", "place", "person", "persons", "any", "common"):
        right &= (known.str.len_chars() <= _LONGEST) & ~known.str.contains("_", literal=True)  # popular_comp
        right &= known.str.contains(r"\p{L}") if look in ("any", "common") else right
        right &= ~known.str.contains(r"(?i)\b(?:and|or)\b") if look in ("any", "common") else right
        if look in ("any", "common") and name:
            right &= ~known.str.to_lowercase().str.ends_with(f" {name.split()[-1]}")  # "the course of X is main course"
        if name.split()[-1:] and name.split()[-1] not in lists.codes:
            # Codes, and names in capitals; of letters said one by one some are known to all.
            right &= ~known.str.contains(_LETTERS) | known.str.to_lowercase().is_in(WordLists.load().acronyms)
            right &= ~known.str.contains(_SMALL_CODE) | known.is_in(WordLists.load().short_words)
    return known.filter(~right)


@cache
def is_common(value: str) -> bool:
    """Tell whether a value is common words alone: a lexicon has neither people nor places.

    >>> is_common("flying eagle"), is_common("Gold"), is_common("Saint Malo"), is_common("Europe"), is_common("X-12")
    (True, True, False, False, False)
    """
    words = re.findall(r"[^\W\d_]+", value)
    return bool(words) and len(words) < 5 and not re.search(r"\d", value) and all(map(is_common_word, words))


def is_common_word(word: str) -> bool:
    """Tell whether a word is one of the language, and no name.

    >>> is_common_word("Natural"), is_common_word("of"), is_common_word("Ontario")
    (True, True, False)
    """
    return is_known(word) or word.lower() in WordLists.load().short_words or word in WordLists.load().prepositions


_FIRST_DAYS, _SO_MANY_FIRST = r"(?i)^\d{4}-01-01(?:$|[ T]00:00)|^0?1 january \d{4}$|^january 0?1, \d{4}$", 0.05
_SIZES = frozenset({"height", "weight", "length", "width", "depth", "diameter", "mass", "area"})
_LONGEST = 60
_OF_RANK = r"&| and |, (?:Duke|Earl|Lord|Count|Baron|Marquess|Prince|Jr|Sr|Ltd|Inc|Co)\b"
"""Commas that part no several people."""
_SIDES = r"^(?:North|South|East|West|Centr|Upper$|Lower$)(?:-? ?(?:[Ee]ast|[Ww]est))?(?:ern|al|re|er)?$"
