"""The language that a text is in, as far as numbers and dates need it: how decimals are written, what months are called.

No language is known from a few digits; English is taken where nothing speaks for another one. The words stand in
`words/tongues.toml`.

Two modules tell a language: this one guesses from few words, for a wrong guess costs a comma; that of the judges
(`evaluators.verify.reading.languages`) leaves open what it cannot tell, for a wrong guess costs a verdict.
"""

from __future__ import annotations

import functools
import re
from typing import Any

from kg.formats import shipped_toml

_WORD = re.compile(r"(?<!\w)[^\W\d_]{2,}(?!\w)")
_ENOUGH = 400
"""So many words tell the language of a text."""


@functools.cache
def tongues() -> dict[str, dict[str, Any]]:
    """Return what is known of each language, by its code.

    >>> sorted(tongues())[:3], tongues()["de"]["comma"]
    (['ar', 'de', 'en'], True)
    """
    content: dict[str, dict[str, Any]] = shipped_toml("kg", "words", "tongues.toml")
    return content


@functools.cache
def _known_by() -> dict[str, tuple[str, ...]]:
    """Map a word to the languages that have it."""
    known: dict[str, tuple[str, ...]] = {}
    for code, tongue in tongues().items():
        for word in tongue["words"].split():
            known[word] = (*known.get(word, ()), code)
    return known


@functools.cache
def _scripts() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((code, re.compile(f"[{tongue['script']}]")) for code, tongue in tongues().items() if "script" in tongue)


@functools.lru_cache(maxsize=4096)
def tongue_of(text: str) -> str | None:
    """Return the code of the language that a text is in; null where its words do not say.

    >>> tongue_of("Die Zugspitze ist 2.962 Meter hoch."), tongue_of("It is 2.962 m high."), tongue_of("2.962 m")
    ('de', 'en', None)
    """
    if not text.isascii():
        for code, script in _scripts():
            if len(script.findall(text, 0, 2000)) > 2:
                return code
    known = _known_by()
    counts: dict[str, float] = {}
    for n, word in enumerate(_WORD.finditer(text)):
        codes = known.get(word[0].lower(), ())
        for code in codes:
            counts[code] = counts.get(code, 0) + 1 / len(codes)
        if n > _ENOUGH:
            break
    if not counts:
        return None
    return max(counts, key=lambda code: (counts[code], code == "en"))


def writes_comma(code: str | None) -> bool | None:
    """Tell whether a language puts a comma before decimals; null where none is known.

    >>> writes_comma("de"), writes_comma("en"), writes_comma(None)
    (True, False, None)
    """
    tongue = tongues().get(code or "")
    return None if tongue is None else bool(tongue["comma"])


@functools.cache
def scales() -> dict[str, int]:
    """Return the power of ten that a word or sign after digits stands for, in any language.

    >>> scales()["million"], scales()["Mrd".lower()], scales()["万"]
    (6, 9, 4)
    """
    found: dict[str, int] = {}
    for tongue in tongues().values():
        for entry in tongue["scales"].split():
            word, power = entry.split(":")
            found.setdefault(word, int(power))
    return found
