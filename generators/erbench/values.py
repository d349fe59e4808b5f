"""What the values of a column are by their look, and in which form a question says them."""

from __future__ import annotations

import polars as pl

from generators.column_names import WordLists
from generators.erbench import sure
from generators.erbench.traits import KINDS_SAID, OCCUPATIONS
from generators.family.spelling import (
    FIGURES,
    WRITTEN_DATE,
    country_adjectives,
    initials_last,
    is_article_last,
    is_inverted,
    is_surname_first,
    order_of,
)
from generators.inflections import is_agent, is_common_noun, is_known
from generators.nouns import is_word

_KINDS = {
    "year": r"^[12]\d{3}$",
    "date": rf"^[12]\d{{3}}-\d\d-\d\d(?:[T ]00:00:00.*)?$|^(?:{WRITTEN_DATE.pattern})$",
    "month": r"^(?:January|February|March|April|May|June|July|August|September|October|November|December),? [12]\d{3}$",
    "number": r"^[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d+)?$",
}
_UNSPOKEN, _UNSPOKEN_SHARE = r"[eE]|\.\d{6}", 0.05
"""Numbers as machines write them, 6e-07 and 0.00023999999; no question where so many of a column are such."""


_OF_SCIENCE = r"^\p{Lu}\p{Ll}+ (?:\p{Ll}+)(?: \p{Ll}+)?$"
"""How a species is called by science: "Panthera leo", and so a "Snow leopard" of everyday."""


def are_kinds(name: str, values: pl.Series) -> bool:
    """Tell whether values are kinds of animals or plants by their everyday names, of which a row is one: "a Border Collie".

    >>> are_kinds("breed", pl.Series(["Border Collie", "Puli"])), are_kinds("species", pl.Series(["Panthera leo"]))
    (True, False)
    >>> are_kinds("species", pl.Series(["Snow leopard", "lion"])), are_kinds("river", pl.Series(["Elbe"]))
    (True, False)
    """
    if name.split()[-1] not in KINDS_SAID:
        return False
    known = values.drop_nulls().unique().sort().head(LOOKED_UP)
    latin = [text for text in known.filter(known.str.contains(_OF_SCIENCE)) if not is_known(text.split()[-1])]
    return 2 * len(latin) < known.len()


def are_binomials(values: pl.Series) -> bool:
    """Tell whether most names are those of science, with or without the cultivar: no article goes before them.

    >>> are_binomials(pl.Series(["Hedera helix", "Lilium regale", "Heuchera 'Palace Purple'", "Acer griseum"]))
    True
    >>> are_binomials(pl.Series(["Snow leopard", "Komodo dragon", "Puma concolor"]))
    False
    """
    known = values.drop_nulls().unique().sort().head(LOOKED_UP)
    shaped = known.filter(known.str.contains(r"^\p{Lu}\p{Ll}+ (?:[x×] )?(?:\p{Ll}[\p{Ll}-]+\b|['‘])"))
    odd = [name for name in shaped if not (is_known(name.split()[0]) and is_known(name.split()[-1]))]
    plain = [name for name in odd if name.split()[-1].islower() and is_common_noun(name.split()[-1])]
    return bool(odd) and 10 * len(odd) >= _BINOMIALS * known.len() and 3 * len(plain) <= 2 * len(odd)


_BINOMIALS = 7
"""So many of ten names of a table must be such."""


_FLAGS = [{"0", "1"}, {"y", "n"}, {"yes", "no"}, {"true", "false"}, {"t", "f"}]


def kind_of(values: pl.Series) -> str:
    """Tell what the values of a column are, nearly all of them: flag, year, date, month, number; else text.

    Dates in figures of which nobody can tell the day from the month are `figures`, numbers as machines write them `unspoken`.

    >>> [kind_of(pl.Series(values)) for values in (["1998", "2004"], ["Y", "N", "N"], ["July, 1954", "May, 1960"], ["5", "x"])]
    ['year', 'flag', 'month', 'text']
    >>> kind_of(pl.Series(["4 April 1949", "18/04/1951", "Mar 25, 1957", "2002-07-23"])), kind_of(pl.Series(["4/4/1949"]))
    ('date', 'figures')
    >>> kind_of(pl.Series([f"{year}-01-01" for year in range(1810, 1820)]))
    'year'
    """
    distinct = values.drop_nulls().unique()
    if distinct.len() == 2 and set(distinct.str.to_lowercase()) in _FLAGS:
        return "flag"
    for kind, pattern in _KINDS.items():
        if distinct.len() and float(str(distinct.str.contains(pattern).mean())) >= MOST:
            unspoken = kind == "number" and float(str(distinct.str.contains(_UNSPOKEN).mean())) > _UNSPOKEN_SHARE
            return "unspoken" if unspoken else "year" if kind == "date" and _are_first_days(distinct) else kind
    dates = rf"^(?:{FIGURES.pattern})$|{_KINDS['date']}"
    if distinct.len() and float(str(distinct.str.contains(dates).mean())) >= MOST:  # each as whoever wrote it was used to
        return "date" if order_of(distinct) else "figures"
    # Where some rows have "-" or "unknown" for a year, the others have years all the same.
    told = distinct.filter(~distinct.str.to_lowercase().is_in(sure.Sure.load().no_values))
    gaps = 0 < told.len() < distinct.len()
    return "year" if gaps and kind_of(told) == "year" else "text"


def _are_first_days(values: pl.Series) -> bool:
    """Whether days are nearly all the first of a year: years, in a column that takes nothing but days."""
    return values.len() >= _MANY_YEARS and float(str(values.str.contains(_FIRST_DAY).mean())) >= MOST


_FIRST_DAY, _MANY_YEARS = r"^\d{4}-01-01(?:$|[ T]00:00)", 5


def are_years(values: pl.Series, name: str = "year") -> bool:
    """Tell whether numbers may all be years; where their column does not say so, one is of late, or before our era.

    >>> scores, built = pl.Series(["1036", "911"]), pl.Series(["911", "1864"])
    >>> are_years(scores, "sat"), are_years(built, "built"), are_years(scores, "year built")
    (False, True, True)
    """
    numbers = values.drop_nulls().cast(pl.Float64, strict=False)
    told = bool({"year", "yr"} & {*name.split()}) or not numbers.is_between(0, _OF_LATE).all()
    return told and bool(((numbers % 1 == 0) & numbers.is_between(-10_000, 2_200)).all())


_OF_LATE = 1_200


def are_demonyms(values: pl.Series) -> bool:
    """Tell whether values say what people are by country, "Polish", and no countries."""
    endings = r"(?:[^aeiou]an|[ie]an|ese|ish|[^aeiou]ch|eek|ss|[ng]ch|[aeq]i|ino|man|[^aeiou]ic|[^aeiou]ian)$"
    known = values.drop_nulls().unique()
    return bool(known.len()) and float(str(known.str.contains(endings).mean())) >= _DEMONYMS


def are_countries(values: pl.Series) -> bool:
    """Tell whether most values are names of countries."""
    known = values.drop_nulls().unique().str.to_lowercase().str.replace("^the ", "")
    return known.len() > 1 and 2 * int(known.is_in([*country_adjectives()]).sum()) > known.len()


def are_agents(name: str, values: pl.Series) -> bool:
    """Tell whether values say what a row is by what it does, as its diet "carnivore" does, and who does something to it."""
    last, known = name.split()[-1], values.drop_nulls().unique().str.to_lowercase()
    acted = is_agent(last) or last in (*WordLists.load().persons, *WordLists.load().groups) or name in OCCUPATIONS
    return known.len() > 1 and not acted and all(is_agent(word) for word in known.str.extract(r"(\S*)\s*$"))


_DEMONYMS = 0.7
"""So many values end as demonyms do where a column holds them."""


def said_as(name: str, kind: str, values: pl.Series) -> str | None:
    """Tell in what form the values of a column are said: dates in words, names upright and with capitals."""
    lists, last = WordLists.load(), name.split()[-1]
    if kind in ("date", "month"):
        return order_of(values) or "date"
    if kind == "number" and values.drop_nulls().str.contains(r"\.0+$|^-?\d{5,}$").any():
        return "number"
    if kind == "year" and values.drop_nulls().str.contains(r"\.0$|^\d{4}-").any():
        return "year"  # 1888.0, 1888-01-01
    if kind == "text" and (last in lists.small or name in lists.small):
        return "small"
    person = last == "by" or last in lists.persons
    if kind == "text" and last not in lists.areas and inverted(values):
        return "name"
    if kind == "text" and person and surnames_first(values):
        return "surname first"
    if kind == "text" and (person or _is_somebody(last)) and initials_stand_last(values):
        return "initials last"
    if kind == "text" and catalogued(values):
        return "article last"
    proper = person or (last in lists.proper and name != "common name") or last in lists.areas
    if kind == "text" and not proper and in_capitals(values) and are_common(values.str.to_lowercase()):
        return "small"
    if kind == "text" and ((proper and in_small_letters(values)) or in_capitals(values)):
        return "capitals"
    trade = last in _TRADES and in_sentence_case(values.drop_nulls().unique())
    return "small" if kind == "text" and not proper and (trade or are_common(values)) else None


def _is_somebody(noun: str) -> bool:
    """Whether a column is called by who somebody is, or what they do: a president, an author, a wife."""
    own = sure.Sure.load()
    return is_agent(noun) or noun in {*own.roles, "candidate"}


_TRADES = ("job", "occupation", "profession")


_SEVERAL = r"[;/+&]"
"""What parts several values in a cell."""


def are_common(values: pl.Series) -> bool:
    """Tell whether values are common words with a capital by habit alone: "Flying eagle", "Good"; "Open Game" is a name."""
    known = values.drop_nulls().unique()
    known = known.filter(~known.str.contains(_SEVERAL))
    some = [text for text in known if text[1:] == text[1:].lower() and sure.is_common(text)]
    return bool(known.len()) and len(some) >= MOST * known.len()


def are_mostly_common(values: pl.Series) -> bool:
    """Tell whether most values are common words with a capital by habit alone; the others are misspelt, or names.

    >>> are_mostly_common(pl.Series(["Fishing", "Golf", "Stamp Collecting", "Billards", "Riding"]))
    True
    >>> are_mostly_common(pl.Series(["Maud Ellery", "Jack Fisher", "Rose Reading"]))
    False
    """
    known = values.drop_nulls().unique()
    return bool(known.len()) and sum(map(sure.is_common, known)) >= _MOSTLY_COMMON * known.len()


_MOSTLY_COMMON = 0.75


def are_names(values: pl.Series) -> bool:
    """Tell whether values are proper names, nearly all of them: they have capitals, and are no common words."""
    known = values.drop_nulls().unique().sort().head(LOOKED_UP)
    some = [text for text in known if text[:1].isupper() and not sure.is_common(text)]
    return bool(known.len()) and len(some) >= _NAMES * known.len()


LOOKED_UP = 30
"""Of so many values each word is looked up, which takes longest."""


_NAMES = 0.6
"""So many values must be names; others may be common words by chance: "Rabbit", a mascot."""


def all_in_capitals(names: pl.Series) -> bool:
    """Tell whether nearly all names are written in capitals alone, in a script that has small letters, too."""
    known = names.drop_nulls().unique()
    shown = float(str((known == known.str.to_uppercase()).mean() or 0.0)) if known.len() else 0.0
    return shown >= MOST and has_case(known.str.to_lowercase())


def are_long(names: pl.Series) -> bool:
    """Tell whether most names have a word of so many letters that nobody says them one by one: "AUSTERLITZ"."""
    return float(str(names.drop_nulls().str.contains(r"\p{L}{6}").mean() or 0.0)) >= _LONG_NAMES


_LONG_NAMES = 0.75


def in_sentence_case(labels: pl.Series) -> bool:
    """Tell whether labels are no names by how they are written: "Dice rolling", "STRANDING"; "Golf" may be one."""
    several = labels.filter(labels.str.contains(" "))
    return in_capitals(labels) or (several.len() > 1 and bool(several.str.contains(r"^\S+(?: \p{Ll}\S*)+$").all()))


def in_capitals(names: pl.Series) -> bool:
    """Tell whether names are nearly all written in capitals alone, and are words: "MIDLAND LINE", not "NASA"."""
    letters = names.drop_nulls().unique().filter(names.drop_nulls().unique().str.contains(r"\p{L}"))
    if not letters.len() or not has_case(letters.str.to_lowercase()):
        return False
    if float(str((letters == letters.str.to_uppercase()).mean())) < MOST:
        return False  # to look words up takes longer
    several = float(str(letters.str.contains(r"\p{L}{4}.*\s.*\p{L}{3}|\p{L}{3}.*\s.*\p{L}{4}").mean())) >= _SEVERAL_WORDS
    single = float(str(letters.str.to_lowercase().map_elements(is_word, return_dtype=pl.Boolean).mean())) >= _WORDS
    return several or single


def are_slugs(names: pl.Series) -> bool:
    """Tell whether names are parts of an address: in small letters, without a blank, some with a hyphen: "mr-mime"."""
    known = names.drop_nulls().unique()
    spelled = bool(known.len()) and bool(known.str.contains(r"^[\p{Ll}\d]+(?:[-_][\p{Ll}\d]+)*$").all())
    return spelled and known.len() >= _SEVERAL_NAMES and bool(known.str.contains("[-_]").any())


_SEVERAL_NAMES = 5


def in_small_letters(names: pl.Series) -> bool:
    """Tell whether names are nearly all written without capitals."""
    letters = names.drop_nulls().filter(names.drop_nulls().str.contains(r"\p{L}"))
    return bool(letters.len()) and float(str((letters == letters.str.to_lowercase()).mean())) >= MOST and has_case(letters)


def has_case(names: pl.Series) -> bool:
    """Tell whether names are in a script that has capitals."""
    return bool((names != names.str.to_uppercase()).any())


def inverted(names: pl.Series) -> bool:
    """Tell whether names nearly all have their last part first: "Carlsen, Magnus"; some may have one part alone."""
    known = names.drop_nulls().filter(~names.drop_nulls().str.contains(_SEVERAL))
    # "Subduction zone, continental crust" is none: behind a part with a capital comes another one.
    turned = [is_inverted(name) and name[0].isupper() <= name.split(", ")[1][0].isupper() for name in known.unique()]
    return len(turned) > 1 and sum(turned) / len(turned) >= INVERTED


def catalogued(names: pl.Series) -> bool:
    """Tell whether some names have their article last: "Hobbit, The"; no other name ends so."""
    return any(map(is_article_last, names.drop_nulls().unique()))


def surnames_first(names: pl.Series) -> bool:
    """Tell whether names of people nearly all have the surname first, in capitals: "MARTÍN Antonio"."""
    known = names.drop_nulls().unique()
    return known.len() > 1 and sum(map(is_surname_first, known)) >= INVERTED * known.len()


def initials_stand_last(names: pl.Series) -> bool:
    """Tell whether names of people nearly all have the surname first and then initials: "Garfield J A".

    >>> initials_stand_last(pl.Series(["Garfield J A", "Tyler J"])), initials_stand_last(pl.Series(["Henry V", "Carl X"]))
    (True, False)
    """
    known = names.drop_nulls().unique()
    found = [letters for letters in map(initials_last, known) if letters]
    numbers = {*"".join(found)} <= {*"IVX"}  # kings
    return len(found) > 1 and len(found) >= INVERTED * known.len() and not numbers


_SEVERAL_WORDS, _WORDS = 0.3, 0.6
"""So many names in capitals have two words, or are words of the dictionary, for them to be no letters said one by one."""


MOST, INVERTED = 0.95, 0.8
"""The shares of a column's values that settle what they are, and whether names have their last part first."""
