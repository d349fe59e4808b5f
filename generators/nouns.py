"""Singular and plural of English nouns, and which letters are an English word: what the names of a schema are read with.

`inflect` knows the rules; a vocabulary (`pyspellchecker`) tells "gas" from the plural of "ga".

```
>>> singular("chess players"), singular("bus"), singular("AircraftType"), plural("runway")
('chess player', 'bus', 'AircraftType', 'runways')
>>> [word for word in ("country", "elevation", "ctry", "descr", "ff", "都市") if not is_word(word)]
['ctry', 'descr', 'ff']

```
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from generators.column_names import WordLists
from generators.inflections import common_nouns, is_common_noun, is_known
from generators.vocabulary import is_compound, vocabulary

if TYPE_CHECKING:
    import inflect

_KNOWN, _KNOWN_SHORT = 60, 1_000
"""A word that a vocabulary counts less often is one that it met by chance, sooner so one of three letters."""


@cache
def _engine() -> inflect.engine:
    with _types_unchecked():
        import inflect

    return inflect.engine()


@contextmanager
def _types_unchecked() -> Iterator[None]:
    """Do what `python -O` does to a package that `typeguard` checks as it runs: to set that up takes two seconds here."""
    import typeguard

    checking = typeguard.typechecked
    typeguard.typechecked = lambda target: target  # type: ignore[assignment]
    try:
        yield
    finally:
        typeguard.typechecked = checking


_ONSET = re.compile(
    r"([^aeiouy]?|[bcfgkpsv]l|[bcdfgkptvw]r|[cgkprstwz]h|[gkpmsw]n|[cdgkqstz]w|s[ckmpqtvw]|ts|ps|pt"
    r"|s[cpkt]r|spl|scl|shr|thr|chr|chl|phr|sch|squ)[aeiouy]"
)
"""How an English word begins: up to three consonants, of which not any may stand together."""


@cache
def is_word(text: str) -> bool:
    """Tell whether letters are a word that can be said: an English one, or one in another script.

    A long one that no vocabulary has is a word if it can be pronounced ("playlist"), a short one is not.
    """
    word = text.casefold()
    if not word.isascii():
        return True
    if not word.isalpha():
        return word.isdigit()
    if word in WordLists.load().singulars or word in _irregular():
        return True  # taxa, of which each is a taxon
    if len(word) <= 3:
        lists = WordLists.load()
        # A dam is one; what schemas cut short ("dep", "reg") are nouns of the lexicon, too.
        noun = vocabulary().get(word, 0) >= _KNOWN_SHORT and is_common_noun(word) and len(word) == 3
        listed = word in lists.short_words or word in (*lists.places, *lists.works, *lists.persons)
        return listed or (noun and word not in lists.cut_words and word not in lists.units)
    if vocabulary().get(word, 0) >= _KNOWN or (len(word) > 5 and (is_known(word) or is_compound(word))):
        return True
    if not _ONSET.match(word):
        return False  # "lftunt", "cduse"
    if len(word) == 5 and re.fullmatch(r"[^aeiouy]{0,2}[aeiou][^aeiouy]e", word):
        return True  # clade
    return (
        len(word) >= 6
        and bool(re.search(r"[aeiouy]", word))
        and not re.search(r"[^aeiouy]{4}|[^aeiouy]{3}$|[^aeiouyr]r$|[jqv]$|(.)\1\1", word)
    )


@cache
def _irregular() -> frozenset[str]:
    """Nouns whose plurals no rule gives."""
    return frozenset(WordLists.load().singulars.values())


_CLEAR, _LEAST_CUT, _MET = 8, 4, 60
"""Letters are short for the one noun that is met so many times as often as the next; of fewer letters it would be by chance."""


@cache
def uncut(letters: str, kinds: frozenset[str] = frozenset()) -> str | None:
    """Find the noun that letters are surely short for: its consonants, of five or more all but one, or its beginning.

    Of several, one of some `kinds` comes first, where it is known what is meant: places, people.

    >>> uncut("orchd"), uncut("orchd", frozenset(["orchard"]))
    ('orchid', 'orchard')
    >>> uncut("elem"), uncut("drv"), uncut("drv", frozenset(["driver", "diver"]))
    ('element', None, 'driver')
    >>> uncut("arln"), uncut("allnc")
    ('airline', 'alliance')
    >>> [uncut(letters) for letters in ("trnmt", "shpyd", "membr", "instrum", "artf", "prt", "xqzy")]
    ['tournament', 'shipyard', 'member', 'instrument', None, None, None]
    """
    if not letters.isascii() or not letters.isalpha():
        return None
    if len(letters) < _LEAST_CUT:
        meant = [word for word in kinds if _consonants(word).startswith(letters) and word[0] == letters[0]]
        return meant[0] if len(letters) == _LEAST_CUT - 1 and len(meant) == 1 else None
    within = re.compile(".*".join(letters))
    known = [word for word in _nouns_by_letter().get(letters[0], ()) if len(word) <= 2.25 * len(letters)]
    begun = [word for word in known if word.startswith(letters)]
    if len(letters) == _LEAST_CUT and (len(begun) != 1 or vocabulary()[begun[0]] < _KNOWN_SHORT):
        begun = []
    found = [
        *begun,
        *(word for word in known if _ends_alike(letters, word) and within.match(word) and _dropped(letters, word) < 1),
    ]
    if len(letters) > _LEAST_CUT and (kinds or not found):
        nearly = [word for word in known if _ends_alike(letters, word) and within.match(word) and _dropped(letters, word) == 1]
        meant = [word for word in [*found, *nearly] if word in kinds]
        found = meant or found or nearly
    first, second, *_ = [*sorted((vocabulary()[word] for word in found), reverse=True), 0, 0]
    return max(found, key=vocabulary().__getitem__) if first > _CLEAR * second else None


def begun_by(word: str) -> str | None:
    """Find the noun that begins with a whole word, and is met the oftenest: a `miner` may be short for a mineral.

    >>> begun_by("miner")
    'mineral'
    """
    longer = [noun for noun in _nouns_by_letter().get(word[0], ()) if noun.startswith(word) and singular(noun) == noun != word]
    return max(longer, key=vocabulary().__getitem__, default=None)


def _ends_alike(letters: str, word: str) -> bool:
    """Tell whether letters end as a word does, but for an "e" that nobody hears: `arln`, of an airline."""
    return letters[-1] in (word[-1], word[-2] if word[-1] == "e" else "")


def _dropped(letters: str, word: str) -> int:
    """Count the consonants of a word that letters leave out; of a double one, one says both."""
    return len(_consonants(word)) - len(_consonants(letters))


def _consonants(word: str) -> str:
    return re.sub(r"(.)\1", r"\1", re.sub("[aeiou]", "", word))


@cache
def _nouns_by_letter() -> dict[str, list[str]]:
    nouns: dict[str, list[str]] = {}
    for word, met in vocabulary().items():
        if met >= _MET and len(word) > _LEAST_CUT and word in common_nouns():
            nouns.setdefault(word[0], []).append(word)
    return nouns


def _is_met(text: str) -> bool:
    return vocabulary().get(text, 0) >= _KNOWN or is_known(text)


def _may_be_word(text: str) -> bool:
    return vocabulary().get(text, 0) >= _KNOWN or is_word(text)


@cache
def singular(name: str) -> str:
    """Say what one row of a table is: its last word in the singular.

    >>> [singular(name) for name in ("people", "cheeses", "sales people", "news", "address", "countries", "indices", "staff")]
    ['person', 'cheese', 'sales person', 'news', 'address', 'country', 'index', 'staff member']
    >>> singular("clades"), singular("secretaries general")
    ('clade', 'secretary general')
    """
    *first, last = name.split(" ")
    if first and last in _BEHIND:
        return " ".join([*first[:-1], _one(first[-1]), last])
    return " ".join([*first, _one(last)])


_BEHIND = ("general", "elect", "designate", "emeritus")
"""What is said behind a person, as in French: secretaries general."""


_SAME = ("series", "species")


def _one(word: str) -> str:
    folded = word.casefold()
    if folded in WordLists.load().singulars:
        return WordLists.load().singulars[folded]
    # One miniseries and two of them: so with all compounds of the words that are the same in both numbers.
    if not folded.isascii() or folded in WordLists.load().no_plurals or len(folded) < 4 or folded.endswith(("ss", *_SAME)):
        return word
    if folded.endswith("men") and is_common_noun(folded):
        return word  # one specimen
    if re.search(r"[ui]s$", folded):  # "menus" and "taxis", but neither "bus" nor "crisis"
        seen = vocabulary()
        return word[:-1] if seen.get(folded[:-1], 0) > seen.get(folded, 0) else word
    one = _engine().singular_noun(folded)
    # What it cuts off must leave a word, or what it left is no plural: "gas".
    if not one or (folded.endswith("s") and not _may_be_word(str(one)) and _is_met(folded)):
        return word
    return f"{word[0]}{one[1:]}" if word[0].casefold() == str(one)[0] else str(one)


@cache
def plural(name: str) -> str:
    """Say several of what a noun names.

    >>> plural("engine"), plural("person"), plural("seats"), plural("staff member")
    ('engines', 'people', 'seats', 'staff members')
    """
    *first, last = name.split(" ")
    return " ".join([*first, last if is_plural(last) else str(_engine().plural_noun(last))])


@cache
def is_mass(word: str) -> bool:
    """Tell whether a noun names no single thing: nobody speaks of two of it, however often of it.

    >>> [word for word in ("furniture", "music", "cheese", "aircraft", "species", "salmon") if is_mass(word)]
    ['furniture', 'music']
    """
    several = plural(word)
    if several == word:
        return word.endswith(_OF_MASSES)
    return vocabulary().get(word, 0) >= _OFTEN and not vocabulary().get(several, 0)


_OFTEN = 5_000
"""Of a word that is met so often its plural would be, too."""
_OF_MASSES = ("age", "ery", "ment", "tion", "ture", "ware")
"""What masses end in whose word is the same for several: luggage, equipment; no salmon, no aircraft."""


def is_plural(word: str) -> bool:
    """Tell whether a noun is a plural.

    >>> [word for word in ("actors", "miniseries", "menus", "subspecies") if is_plural(word)]
    ['actors', 'menus']
    """
    return _one(word) != word


_COUNTED = 0.03


@cache
def is_noun(word: str, share: float = _COUNTED) -> bool:
    """Tell whether a word names something of which there are several: its plural is met, too, in a share of the cases.

    >>> [word for word in ("junction", "terminal", "active", "electric") if is_noun(word)]
    ['junction', 'terminal']
    """
    seen = vocabulary()
    return seen.get(plural(word), 0) > max(share * seen.get(word.casefold(), 0), _KNOWN)
