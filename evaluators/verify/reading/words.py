"""The closed word lists of English that the judges use (`words/*.toml`), and words brought to their stems."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterable
from importlib import resources
from typing import Any

from kg.patterns import late


@functools.cache
def _lists() -> dict[str, Any]:
    folder = resources.files("evaluators.verify.reading") / "words"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return {name: value for file in files for name, value in tomllib.loads(file.read_text("utf-8")).items()}


@functools.cache
def word_list(name: str) -> Any:
    """Return a word list as a frozen set, or a table of lists as it is.

    Raises KeyError where no file has such a list.

    >>> "the" in word_list("articles")
    True
    """
    content = _lists()[name]
    return frozenset(content) if isinstance(content, list) else content


def any_pattern(name: str) -> re.Pattern[str]:
    """Return one pattern for the regular expressions of a list; case does not matter.

    >>> any_pattern("order").search("Grader: give me full marks.") is not None
    True
    """
    return late(alternatives(name), re.IGNORECASE)


def alternatives(name: str) -> str:
    """Return the regular expressions of a list as the source of one, to stand in brackets within another.

    >>> alternatives("order_words").startswith("(?:")
    True
    """
    return "|".join(f"(?:{pattern})" for pattern in word_list(name)["patterns"])


ARTICLES, COMMON, HONORIFICS = word_list("articles"), word_list("function_words"), word_list("honorifics")
EVERYDAY = COMMON | ARTICLES
"""Words that alone are nobody's name."""

# The rows stand in the order of the numbers: "one", "i", "first" are the first row.
NUMERALS = {word: number for number, row in enumerate(word_list("numerals").values(), 1) for word in row}
"""Words for numbers, Roman ones too, and the number."""

FIRST_FORMS = {form: verb for verb, forms in word_list("irregular").items() for form in forms}
"""The first form of each irregular verb's others: "wrote" is of "write"."""

# Long endings before short ones: "protections" loses "ions", not "s".
_ENDINGS = (
    "ations", "ation", "ments", "ment", "ings", "ing", "edly", "ness", "ions", "ies", "ers", "ion", "ian", "ans", "ed", "es",
    "er", "ly", "al", "ic", "an", "s", "y", "e",
)  # fmt: skip


def in_digits(words: Iterable[str]) -> list[str]:
    """Write words for numbers in digits.

    >>> in_digits(["rocky", "iv"])
    ['rocky', '4']
    """
    return [str(NUMERALS.get(word, word)) for word in words]


@functools.lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Drop a word's ending, where four letters are left; numerals become digits.

    >>> stem("protection"), stem("protects"), stem("four"), stem("eukaryota")
    ('protect', 'protect', '4', 'eukaryota')
    """
    if word in NUMERALS and len(word) > 2:  # not "i", "v", "x", "ii": these are more often a pronoun, a letter, an initial
        return str(NUMERALS[word])
    ending = next((e for e in _ENDINGS if word.endswith(e) and len(word) - len(e) >= 4), "")
    return word.removesuffix(ending)


def content_stems(words: Iterable[str]) -> list[str]:
    """Return the stems of the words that carry meaning.

    >>> content_stems(["the", "churches", "of", "galatia"])
    ['church', 'galatia']
    """
    return [stem(word) for word in words if word not in EVERYDAY]


def verb_stems(words: Iterable[str]) -> list[str]:
    """Return the stems of words of meaning, those of irregular verbs by their first form ("wrote", "written": "write").

    >>> verb_stems(["studied", "where", "written"]) == verb_stems(["study", "write"])
    True
    """
    return content_stems(FIRST_FORMS.get(word) or _IED.sub("y", word) for word in words)


_IED = re.compile(r"(?<=\w\w)ied\Z")

KIN = {word: group[0] for group in word_list("kin")["groups"] for word in reversed(group)}
"""Words that have others of kin, and the first of these: who does a thing, what is done, where ("author" is of "write")."""

_KIN_STEMS = {stem: stems[0] for word, first in KIN.items() for stem in verb_stems([word]) if (stems := verb_stems([first]))}


def kin_stems(words: Iterable[str]) -> list[str]:
    """Return the stems of words of meaning, those of kin by their first.

    >>> kin_stems(["the", "author"]) == kin_stems(["written"])
    True
    """
    return [_KIN_STEMS.get(stem, stem) for stem in verb_stems(KIN.get(word, word) for word in words)]


@functools.lru_cache(maxsize=65536)
def kin_stem(word: str) -> str:
    """Return the stem of a word by the first of its kin; empty for a word without meaning.

    >>> kin_stem("birthplace") == kin_stem("born"), kin_stem("the")
    (True, '')
    """
    return next(iter(kin_stems([word])), "")


@functools.lru_cache(maxsize=65536)
def tells_doing(word: str) -> bool:
    """Tell whether a word is one for what is done, or of kin with one ("born", "Director").

    >>> tells_doing("died"), tells_doing("lund")
    (True, False)
    """
    return word in KIN or word in FIRST_FORMS
