"""Which letters English has as words, how often it has them, and which words of a name run together: "yearbuilt", "SITNM".

`pyspellchecker` counts words; a name that it does not know is parted where both sides are words, or cut ones that end names.

```
>>> parted("yearbuilt"), parted("castlename"), parted("sitnm"), parted("opndt"), parted("fillof")
(['year', 'built'], ['castle', 'name'], ['sit', 'nm'], ['opn', 'dt'], ['fill', 'of'])
>>> parted("lighthouse"), parted("elev"), parted("volcano"), parted("http"), parted("maxspeed")
(['lighthouse'], ['elev'], ['volcano'], ['http'], ['max', 'speed'])

```
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Collection
from functools import cache
from importlib.resources import files

from generators.inflections import is_common_noun, is_known

_MET = 60
"""A word that the vocabulary counts less often is one that it met by chance."""
_SIDE = 1_000
"""Each side of a name that is parted is met so often: "homecity", and no "overman"."""
_LONG, _LONG_SIDE = 12, 4
"""In a name of so many letters that is no word, sides of so many are words that are met at all: "phasetransitions"."""
_CUT_ENDS = (
    "desc", "dsc", "name", "date", "code", "type", "year", "nam", "nme", "typ", "mgr", "qty", "grp", "flg", "ini", "num", "nbr",
    "yrs", "hrs", "mst", "mstr", "svc", "unt", "adr", "nm", "cd", "dt", "tp", "yr", "fl", "no", "id", "by", "sz",
)  # fmt: skip
"""What schemas end a name of cut words in: name, description, date, code, type, flag, number, ..."""
_CUT_ALONE = ("dt", "cd", "nm", "yr")
"""Those that stand behind two letters, too: `lvdt`."""
_MEASURED = (
    "len", "wid", "wd", "ht", "hgt", "wt", "wgt", "dia", "diam", "elev", "alt", "dist", "dpth", "area", "dur",
    "height", "length", "width", "weight", "depth", "speed", "mass", "elevation", "altitude", "distance", "duration", "span",
)  # fmt: skip
_UNITS = ("kmh", "mph", "km2", "mm", "cm", "km", "kg", "ft", "ha", "m2", "m3", "min", "m", "g", "t")
_LETTERS = re.compile(r"[a-z]+(?:(?<=m)[23])?")
"""A name of letters, behind which a unit of areas or volumes may stand."""
_OF_YEAR = re.compile(r"(?:yr|y(?=[bcdfghjklmnpqrstvwxz]))(?!s?$)([a-z]+)")
"""No English word begins so: `yrblt`, `ydied`."""
_LIMITS = ("max", "min", "avg", "num")
_ENDS_OF_NAMES = frozenset({"id", "no", "of", "by", "in", "to", "at", "on"})
_BEGINNINGS = ("to", "fr", "no", "in", "is", "has")
"""Words of two letters that a name may end in, behind a word, or begin with, before a cut one: `toyr`."""


@cache
def vocabulary() -> dict[str, int]:
    """Return how often each English word is met."""
    from spellchecker import SpellChecker

    return dict(SpellChecker(language="en").word_frequency.dictionary)


_LANGUAGES = {"de": "German", "es": "Spanish", "fr": "French", "it": "Italian", "nl": "Dutch", "pt": "Portuguese"}
_FOREIGN, _SHARE = 4, 5
"""Names are in a language that has so many of the words that English has not, and one in so many of them at least."""


def foreign_language(words: Collection[str]) -> str | None:
    """Return the language, other than English, that the words of a schema's names are in; None where none is told.

    Cut words are in no language: of those that a language has none are many.

    >>> foreign_language(["fundort", "farbe", "name", "jahr", "land", "schliff", "hoehe", "region"])
    'German'
    >>> foreign_language(["actv", "capac", "chal", "erpt", "fatl", "clos", "region"]), foreign_language(["colour", "height"])
    (None, None)
    """
    unknown = {word for word in words if len(word) > 3 and word.isalpha() and not _is_whole(word)}
    if len(unknown) < _FOREIGN or _SHARE * len(unknown) < len({*words}):
        return None
    found = {name: len(_had(code, unknown)) for code, name in _LANGUAGES.items()}
    best = max(found, key=lambda name: found[name])
    return best if found[best] >= max(_FOREIGN, len(unknown) / _SHARE) else None


def _had(language: str, words: Collection[str]) -> list[str]:
    """Return those of some words that a language has; its table is searched: to make a dictionary of it takes a second."""
    packed = files("spellchecker").joinpath("resources", f"{language}.json.gz").read_bytes()
    text = gzip.decompress(packed)
    return [word for word in words if f'\n"{word}": '.encode() in text]


@cache
def parted(name: str) -> list[str]:
    """Part letters that are no word into the words that run together in them; a word, or what cannot be parted, is itself.

    >>> parted("cdflt"), parted("prddsc"), parted("lenm"), parted("toyr"), parted("surname"), parted("capital")
    (['cd', 'flt'], ['prd', 'dsc'], ['len', 'm'], ['to', 'yr'], ['surname'], ['capital'])
    >>> parted("areakm2"), parted("maxspeedkmh"), parted("diagram"), parted("iso3")
    (['area', 'km2'], ['max', 'speed', 'kmh'], ['diagram'], ['iso3'])
    >>> parted("yrblt"), parted("ydied"), parted("years"), parted("prevexp")
    (['yr', 'blt'], ['yr', 'died'], ['years'], ['prev', 'exp'])
    """
    if len(name) < 3 or not _LETTERS.fullmatch(name) or _is_whole(name):
        return [name]
    if name.startswith("cd") and len(name) > 4:
        return ["cd", *parted(name[2:])]  # a table of codes: no English word begins so
    if (year := _OF_YEAR.fullmatch(name)) and len(year[1]) > 2:
        return ["yr", year[1]]
    measured = next((way for unit in _UNITS if name.endswith(unit) and (way := _measured(name.removesuffix(unit), unit))), None)
    if name.startswith("prev") and len(name) > 6 and not is_known(name):
        return ["prev", name[4:]]
    most = next(([limit, name[3:]] for limit in _LIMITS if name.startswith(limit) and _is_side(name[3:])), None)
    return measured or (len(name) > 3 and (most or _at_end(name) or (not is_compound(name) and _in_words(name)))) or [name]


def is_compound(word: str) -> bool:
    """Tell whether two words are written as one, however seldom: a lightship, but the `railwaystation` of a schema.

    >>> [word for word in ("lightship", "audiobooks", "railwaystation", "castlename") if is_compound(word)]
    ['lightship', 'audiobooks']
    """
    parts = (vocabulary().get(word) and _in_words(word)) or []
    return len(parts) == 2 and min(map(len, parts)) >= _LONG_SIDE and parts[1] not in _CUT_ENDS


def _measured(what: str, unit: str) -> list[str] | None:
    """Part the unit from what is measured in it, which may run together itself."""
    parts = [what] if what in _MEASURED else parted(what)
    return [*parts, unit] if parts[-1] in _MEASURED else None


def _is_whole(name: str) -> bool:
    return vocabulary().get(name, 0) >= _MET or is_known(name)


def _at_end(name: str) -> list[str] | None:
    """Part the end that a schema puts to a cut word, or to a word: `matdsc`, `boxno`."""
    for end in sorted(_CUT_ENDS, key=len, reverse=True):
        head = name.removesuffix(end)
        if head == name or len(head) < 2 or (len(name) < 5 and end not in _CUT_ALONE):
            continue
        # "no" and "by" end words, too: what stands before is a word, or has not a vowel to be one's beginning.
        cut = len(head) <= 4 and not _is_speakable(head + end)
        if (len(head) > 2 and is_common_noun(head)) or cut or (head in _BEGINNINGS and end == "yr"):
            return [head, end]
    return None


def _is_speakable(letters: str) -> bool:
    """Tell whether letters may be the beginning of a word, or one cut short: consonants alone are none of either."""
    vowels = sum(letter in "aeiou" for letter in letters)
    return 2 * vowels >= len(letters) or (vowels > 1 and len(letters) < 6)


def _in_words(name: str) -> list[str] | None:
    """Part two or three words, each of which is met often; of several ways the one whose rarer word is met the oftenest."""
    long = len(name) >= _LONG
    ways = [[name[:at], name[at:]] for at in range(2, len(name) - 1) if _is_side(name[:at], long) and _is_end(name[at:], long)]
    ways += [
        [name[:a], name[a:b], name[b:]]
        for a in range(3, len(name) - 5)
        for b in range(a + 3, len(name) - 1)
        if _is_side(name[:a], long) and _is_side(name[a:b], long) and _is_end(name[b:], long)
    ]
    counts = vocabulary()
    return max(ways, key=lambda way: (-len(way), min(counts.get(word, 0) for word in way)), default=None)


def _is_side(word: str, long: bool = False) -> bool:
    met = _MET if long and len(word) >= _LONG_SIDE else _SIDE
    return len(word) > 2 and is_known(word) and vocabulary().get(word, 0) >= met


def _is_end(word: str, long: bool) -> bool:
    return _is_side(word, long) or word in _ENDS_OF_NAMES
