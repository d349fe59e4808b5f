"""The one place where names are brought to a normal form; loaders, distractors and judges all use it."""

from __future__ import annotations

import functools
import re
import unicodedata
from html import escape

import polars as pl

# Letters that Unicode does not decompose into a base letter and a mark, though readers take them for variants of it.
_LETTERS = str.maketrans(
    {"ø": "o", "Ø": "o", "ł": "l", "Ł": "l", "đ": "d", "Đ": "d", "ð": "d", "Ð": "d", "þ": "th", "Þ": "th", "ı": "i",
     "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ħ": "h", "Ħ": "h", "ŧ": "t", "Ŧ": "t", "ŋ": "n", "Ŋ": "n", "&": " and "}
)  # fmt: skip
_WORD = re.compile(r"[^\W_]+")
_PLAIN = r"^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$"
"""Most names: to fold them is to write them small, which a column does at once."""
_STRINGS = {"name": pl.String, "folded": pl.String}
_APOSTROPHE = re.compile(r"(?<=\w)['’ʼ‘](?=\w)")


@functools.lru_cache(maxsize=65536)
def fold(name: str) -> str:
    """Bring a name to its normal form: no case, no diacritics, no punctuation, single spaces, "&" spelled out.

    Names that have no letter or digit keep their characters.

    >>> fold("  Dvořák & Søn "), fold("R.E.M."), fold("O’Hara"), fold("♁")
    ('dvorak and son', 'r e m', 'ohara', '♁')
    """
    text = name if name.isascii() else _unaccented(name)
    words = _WORD.findall(_APOSTROPHE.sub("", text.replace("&", " and ")).casefold())
    return " ".join(words) or " ".join(name.split())


def _unaccented(name: str) -> str:
    decomposed = unicodedata.normalize("NFKD", name.translate(_LETTERS))
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def fold_all(names: pl.Series) -> pl.Series:
    """Fold a column of names; null stays null.

    >>> fold_all(pl.Series(["Éa", None])).to_list()
    ['ea', None]
    """
    names = names.cast(pl.String)
    plain = names.str.contains(_PLAIN)
    if plain.all():  # as nulls are
        return names.str.to_lowercase()
    frame = pl.DataFrame({"name": names, "plain": plain})
    # Only names that are more than plain words go through Python, each once.
    others = names.filter(~plain).unique()
    folded = pl.DataFrame({"name": others, "folded": [fold(n) for n in others.to_list()]}, schema=_STRINGS)
    joined = frame.join(folded, on="name", how="left", maintain_order="left")
    small = pl.when("plain").then(pl.col("name").str.to_lowercase()).otherwise("folded")
    return joined.select(small.alias(names.name)).to_series()


_BIDI = {*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C}


def harmless(text: str) -> str:
    r"""Replace what could steer a terminal (escapes, line breaks, direction overrides) by visible signs.

    >>> harmless("a\x1b[31m\nb")
    'a␛[31m␊b'
    """
    return "".join(_sign(c) for c in text) if not text.isprintable() else text


def as_markup(text: str) -> str:
    """Write a text into XML so that it is text and nothing else: escaped, harmless, and without what no XML may hold.

    >>> as_markup("a < b")
    'a &lt; b'
    """
    return escape(_NO_XML.sub("\ufffd", harmless(text)), quote=False)


_NO_XML = re.compile("[\ufffe\uffff]")  # besides control characters and surrogates, for which `harmless` has signs


def _sign(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code in _BIDI or unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp"):
        return "\ufffd"
    return character
