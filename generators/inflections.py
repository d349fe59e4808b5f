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

import gzip
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import islice


@cache
def _lines(name: str) -> list[str]:
    """The lines of a table of the lexicon, `word,category,forms`, in order.

    The lexicon's own functions make dictionaries of all 180,000 lines first, which takes longer than most databases.
    """
    packed = files("lemminflect").joinpath("resources", f"{name}.csv.gz").read_bytes()
    return sorted(gzip.decompress(packed).decode().splitlines())


def _entries(table: str, word: str) -> Iterator[list[str]]:
    """Yield what a table says of a word: the category, and the forms."""
    lines, start = _lines(table), f"{word},"
    for line in islice(lines, bisect_left(lines, start), None):
        if not line.startswith(start):
            return
        yield line[len(start) :].split(",")


@cache
def _lemmas(word: str) -> Mapping[str, tuple[str, ...]]:
    """The base forms of a word by category; names of people and places stand in the lexicon with capitals, or not at all."""
    return {category: tuple(forms.split("/")) for category, forms, *_ in _entries("lemma_lu", word.lower())}


def is_known(word: str) -> bool:
    """Tell whether the lexicon has a word; names of people and places are none of its words.

    >>> is_known("copper"), is_known("Oslo")
    (True, False)
    """
    return bool(_lemmas(word))


def is_common_noun(word: str) -> bool:
    """Tell whether a word is a noun in the singular."""
    return word.lower() in _lemmas(word).get("noun", ())


@cache
def common_nouns() -> frozenset[str]:
    """Return all nouns in the singular, read at once: to look them up one by one takes the lexicon as many times."""
    entries = re.findall(r"^([a-z]+),noun,([^,\n]*)", "\n".join(_lines("lemma_lu")), re.MULTILINE)
    return frozenset(word for word, forms in entries if word in forms.split("/"))


def is_common_adjective(word: str) -> bool:
    """Tell whether a word is an adjective in its base form."""
    return word.lower() in _lemmas(word).get("adj", ())


def is_adjective_form(word: str) -> bool:
    """Tell whether a word is an adjective, in whatever form: "longest".

    >>> is_adjective_form("longest"), is_adjective_form("long"), is_adjective_form("forest")
    (True, True, False)
    """
    return bool(_lemmas(word).get("adj"))


def is_participle(word: str) -> bool:
    """Tell whether a word is the past participle of a verb, and no noun besides ("seed", "cast", "cut")."""
    lemmas = _lemmas(word).get("verb", ())
    if not lemmas or word in lemmas or is_common_noun(word):
        return False
    return word in _inflected(lemmas[0], "VBN")


def is_participle_before(word: str) -> bool:
    """Tell whether a word before a preposition is a past participle, though it may be a noun or a verb elsewhere.

    >>> is_participle_before("found"), is_participle_before("set"), is_participle_before("lies")
    (True, True, False)
    """
    return any(word in _inflected(verb, "VBN") for verb in _lemmas(word).get("verb", ()))


def present_of(word: str) -> str | None:
    """Return the verb that a word is the third person of: "span" of "spans"; None where it is no such form.

    >>> present_of("eats"), present_of("crosses"), present_of("carries"), present_of("lies"), present_of("symptoms")
    ('eat', 'cross', 'carry', 'lie', None)
    """
    ends = (f"{word[:-3]}y", word[:-1], word[:-2]) if word.endswith("ies") else (word[:-1], word[:-2])
    verbs = ends if re.fullmatch(r"[a-z]{3,}s", word) else ()
    return next((verb for verb in verbs if verb in _lemmas(verb).get("verb", ())), None)


def is_past_alone(word: str) -> bool:
    """Tell whether a word is the past of a verb that has another participle, and no noun.

    >>> [word for word in ("sang", "sung", "found", "worked", "saw") if is_past_alone(word)]
    ['sang']
    """
    verb = base(word)
    return (
        verb is not None
        and not is_common_noun(word)
        and word in _inflected(verb, "VBD")
        and word not in _inflected(verb, "VBN")
    )


def base(participle: str) -> str | None:
    """Return the verb of a participle."""
    verbs = _lemmas(participle).get("verb", ())
    return next((verb for verb in verbs if participle in _inflected(verb, "VBN")), next(iter(verbs), None))


@cache
def past(verb: str) -> str:
    """Return the past of a verb: "struck" of "strike"; by rule where the lexicon lacks it."""
    return next(iter(_inflected(verb, "VBD")), f"{verb}d" if verb.endswith("e") else f"{verb}ed")


@cache
def _inflected(verb: str, tag: str) -> tuple[str, ...]:
    """The past (`VBD`) or the past participle (`VBN`) of a verb, which is its past where it has none of its own."""
    forms = next((forms for category, *forms in _entries("infl_lu", verb) if category == "verb"), [])
    chosen = (forms[1] if tag == "VBN" and len(forms) > 1 else "") or (forms[0] if forms else "")
    return tuple(chosen.split("/")) if chosen else ()


@cache
def is_agent(noun: str) -> bool:
    """Tell whether a noun is one who does something, by its verb: "keeper", "engraver"; or who eats something: "herbivore"."""
    if re.fullmatch(r"[a-z]{3,}vore", noun):
        return True
    stem = re.fullmatch(r"(\w{3,})(?:er|or)", noun)
    if stem is None or not is_common_noun(noun):
        return False
    verbs = (stem[1], f"{stem[1]}e", stem[1][:-1] if stem[1][-1] == stem[1][-2] else "")
    return any(verb and verb in _lemmas(verb).get("verb", ()) for verb in verbs)
