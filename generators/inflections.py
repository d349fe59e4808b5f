"""Which letters are a noun, an adjective or a form of a verb: a lexicon of English (`lemminflect`) instead of lists of our own.

```
>>> [word for word in ("struck", "planted", "seed", "case", "minted") if is_participle(word)]
['struck', 'planted', 'minted']
>>> is_common_noun("girth"), is_common_noun("evergreen"), is_common_adjective("evergreen")
(True, True, True)
>>> is_agent("engraver"), is_agent("river")
(True, False)
>>> past("strike"), past("arrive"), base("struck")
('struck', 'arrived', 'strike')

```
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@cache
def _lemmas(word: str) -> Mapping[str, tuple[str, ...]]:
    """The base forms of a word by part of speech, of words that the lexicon has."""
    from lemminflect import getAllLemmas  # a lexicon of 1 MB: only where a schema is read

    return dict(getAllLemmas(word.lower()))


def is_known(word: str) -> bool:
    """Tell whether the lexicon has a word; names of people and places are none of its words.

    >>> is_known("copper"), is_known("Oslo")
    (True, False)
    """
    return bool(_lemmas(word))


def is_common_noun(word: str) -> bool:
    """Tell whether a word is a noun in the singular."""
    return word.lower() in _lemmas(word).get("NOUN", ())


def is_common_adjective(word: str) -> bool:
    """Tell whether a word is an adjective in its base form."""
    return word.lower() in _lemmas(word).get("ADJ", ())


def is_participle(word: str) -> bool:
    """Tell whether a word is the past participle of a verb, and no noun besides ("seed", "cast", "cut")."""
    lemmas = _lemmas(word).get("VERB", ())
    if not lemmas or word in lemmas or is_common_noun(word):
        return False
    return word in _inflected(lemmas[0], "VBN")


def base(participle: str) -> str | None:
    """Return the verb of a participle."""
    return next(iter(_lemmas(participle).get("VERB", ())), None)


@cache
def past(verb: str) -> str:
    """Return the past of a verb: "struck" of "strike"; by rule where the lexicon lacks it."""
    return next(iter(_inflected(verb, "VBD")), f"{verb}d" if verb.endswith("e") else f"{verb}ed")


@cache
def _inflected(verb: str, tag: str) -> tuple[str, ...]:
    from lemminflect import getInflection

    return tuple(getInflection(verb, tag))


@cache
def is_agent(noun: str) -> bool:
    """Tell whether a noun is one who does something, by its verb: "keeper", "engraver", "commissioner"."""
    stem = re.fullmatch(r"(\w{3,})(?:er|or)", noun)
    if stem is None or not is_common_noun(noun):
        return False
    verbs = (stem[1], f"{stem[1]}e", stem[1][:-1] if stem[1][-1] == stem[1][-2] else "")
    return any(verb and verb in _lemmas(verb).get("VERB", ()) for verb in verbs)
