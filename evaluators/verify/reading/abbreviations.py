"""Names cut short or written out: "UK" for the United Kingdom, "World Health Organization" for WHO.

A name of several words goes by three initials or more, small words left out or kept, and these may be written out; of states
there is a list (`names.toml`), for the USSR is the Soviet Union.

```
>>> called_otherwise("It was the U.S., in 1969.", ["United States of America"])
('U.S.',)
>>> called_otherwise("The World Health Organization did.", ["WHO"])
('World Health Organization',)
>>> called_otherwise("Ask who did it.", ["World Health Organization"])
()

```
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from evaluators.verify.reading.text import phrase
from evaluators.verify.reading.words import word_list

_SMALL = frozenset(
    {"of", "the", "and", "for", "in", "on", "de", "du", "des", "et", "la", "le", "y", "und", "für", "&", "at", "to"}
)
"""Words of a name that its initials may leave out."""
_INITIALS = re.compile(r"(?:[A-Z]\.? ?){3,7}")
_IN_CAPITALS = re.compile(r"(?<![\w.-])(?:[A-Z]\.?){3,7}(?![\w-])")
_FEWEST = 3
"""Two letters are too often something else ("As an AI"): such names are listed."""
_WORD = re.compile(r"[^\W\d_][\w’']*\.?|&")


def called_otherwise(text: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return what a text calls some names by, cut short or written out, as it writes it."""
    found = {said: None for name in names for said in (*_state(text, name), *_short(text, name), *_in_full(text, name))}
    return tuple(said for said in found if said not in names)


@cache
def _states() -> dict[str, list[str]]:
    """Return what each state is called, by each of its names in small letters."""
    groups: list[list[str]] = word_list("states")["same"]
    return {_folded(name): group for group in groups for name in group}


def _folded(name: str) -> str:
    words = phrase(name.replace(".", ""))
    return " ".join(words[1:] if words[:1] == ["the"] else words)


def _state(text: str, name: str) -> Iterator[str]:
    """Yield how a text calls a state otherwise."""
    for other in _states().get(_folded(name), ()):
        signs = r"\.?".join(map(re.escape, other)) + r"\.?" if other.isupper() else re.escape(other)
        yield from re.findall(rf"(?<![\w-]){signs}(?![\w-])", text)


def _short(text: str, name: str) -> Iterator[str]:
    """Yield the initials of a name of several words, where a text has them in capitals."""
    if " " not in name or not (tokens := _IN_CAPITALS.findall(text)):
        return
    words = _WORD.findall(name)
    words = words[:-1] if words[-1:] and words[-1].rstrip(".") in ("Jr", "Sr", "II", "III") else words
    proper = [word for word in words if word.lower() not in _SMALL]
    if len(proper) < _FEWEST or not all(word[0].isupper() for word in proper):
        return
    spelled = {"".join(word[0] for word in proper), "".join(word[0].upper() for word in words if word != "&")}
    yield from (token for token in tokens if token.replace(".", "") in spelled)


def _in_full(text: str, name: str) -> Iterator[str]:
    """Yield what a text writes out whose initials a name is: words with capitals, small ones between."""
    if not _INITIALS.fullmatch(name):
        return
    letters = [letter for letter in name if letter.isalpha()]
    words = [(word[0], word.start(), word.end()) for word in _WORD.finditer(text)]
    for first in range(len(words)):
        at, last = 0, first
        while last < len(words) and at < len(letters):
            word, start, _ = words[last]
            if last > first and not re.fullmatch(r"[ -]", text[words[last - 1][2] : start]):
                break
            if word[0] == letters[at] and not (len(word.rstrip(".")) > 1 and word.isupper()):
                at += 1
            elif word.lower() not in _SMALL or last == first:
                break
            last += 1
        if at == len(letters) and last - first >= _FEWEST:
            yield text[words[first][1] : words[last - 1][2]]
