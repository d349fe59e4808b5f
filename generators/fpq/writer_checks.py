"""Is what a model wrote a sound question? Then it is taken apart, so that another name can take the object's place.

```
python -c 'from generators.fpq.writer_checks import *; print(check("Did Ada write Oz?", Fact("Ada", "author", "Oz"), "yes_no"))'
python -c 'from generators.fpq.writer_checks import *; print(check("Who knows?", Fact("Ada", "author", "Oz"), "premise"))'
```

What is checked is what can be checked without understanding the text: both names word for word and once, one question
and nothing else, no number, no capital letter and no sign outside the names (a second name, an addition in brackets), no
word that denies, gives an alternative, makes a condition or answers, no other true object, no object of the edited
questions. What goes wrong otherwise is left to the sample of questions that a person reads, as in KG-FPQ, section 3.2.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from generators.articles import with_article, with_the
from kg.text import fold

__all__ = ["Fact", "Fault", "Written", "check", "wording"]

_LONGEST = 200
"""Characters besides the names; questions on one triple are far shorter."""
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SIGNS = re.compile(r"[^\w\s'’?-]|_")
_ARTICLE = re.compile(r"(?:(?<=\s)|\A)(an?|the) \Z", re.IGNORECASE)
_S, _O = "\ue000", "\ue001"
"""Stand for subject and object while the rest is looked at: private characters, which no text that is let in holds."""


@dataclass(frozen=True)
class Fact:
    """A true triple as it is put to a writer.

    `the`: the object as it stands in mid-sentence, where what it is settles that; `others`: names that may not occur.
    """

    subject: str
    relation: str
    object: str
    the: str | None = None
    others: frozenset[str] = frozenset()


class Written(NamedTuple):
    """A question around its object: the text before, which article the name takes ("", "a", "the"), the text after."""

    before: str
    article: str
    after: str


class Fault(NamedTuple):
    """Why a text cannot be used: which kind of fault, and what it is about."""

    kind: str
    about: str = ""

    @property
    def why(self) -> str:
        """What the writer is told.

        >>> Fault("it denies something", "not").why
        'it denies something: "not"'
        """
        return f'{self.kind}: "{self.about}"' if self.about else self.kind


@cache
def wording() -> dict[str, Any]:
    """Read `writer.toml`."""
    return tomllib.loads(files("generators.fpq").joinpath("writer.toml").read_text(encoding="utf-8"))


def check(text: str | None, fact: Fact, task: str) -> Written | Fault:
    """Take a question apart, or say why it cannot be used.

    >>> ada = Fact("Ada", "occupation", "actor", others=frozenset({"singer"}))
    >>> check("Is Ada an actor?", ada, "yes_no")
    Written(before='Is Ada ', article='a', after='?')
    >>> check("Is Ada an actor or not?", ada, "yes_no").why, check("Is Ada a actor?", ada, "yes_no").why
    ('it denies something: "not"', 'the article before the name does not fit it: "actor"')
    """
    said = (text or "").strip()
    for fault in _of_form(said):
        return fault
    found = _masked(said, fact)
    if isinstance(found, Fault):
        return found
    for fault in (*_of_rest(found, fact.relation, task), *_of_names(found, fact)):
        return fault
    return _apart(found, fact)


def _of_form(said: str) -> Iterator[Fault]:
    if not said:
        yield Fault("it is empty")
    if not said.isprintable() or _S in said or _O in said:
        yield Fault("it has more than one line, or characters that nobody sees")


def _masked(said: str, fact: Fact) -> str | Fault:
    """Put one character in place of each name, the longer one first, for it may hold the other."""
    for mask, name in sorted([(_S, fact.subject), (_O, fact.object)], key=lambda pair: -len(pair[1])):
        said, often = re.subn(rf"(?<!\w){re.escape(name)}(?!\w)", mask, said)
        if often != 1:
            return Fault("a name stands in it more than once" if often else "a name does not stand in it word for word", name)
    return said


def _of_rest(masked: str, relation: str, task: str) -> Iterator[Fault]:
    """Complain about what stands around the names."""
    rest = masked.replace(_S, " ").replace(_O, " ")
    if not masked.endswith("?") or rest.count("?") != 1:
        yield Fault("it is not one question that ends with a question mark")
    if len(rest) > _LONGEST:
        yield Fault("it is too long")
    if re.search(r"\d", rest):
        yield Fault("it holds a number that the triple does not hold")
    if sign := _SIGNS.search(rest):
        yield Fault("it holds a sign that no plain question needs", sign[0])
    yield from _of_words(masked, relation, task)


def _of_words(masked: str, relation: str, task: str) -> Iterator[Fault]:
    words = _WORD.findall(masked.replace(_S, " ").replace(_O, " "))
    if not _opens(masked, [word.casefold() for word in words], task):
        yield Fault(f"it does not begin as a {'yes-no question' if task == 'yes_no' else 'question with a question word'} does")
    if named := next((word for word in words[1:] if not word.islower()), None):
        yield Fault("it holds a name that is no part of the triple", named)
    between = re.sub(f"([{_S}{_O}]) and (?=[{_S}{_O}])", r"\1 ", masked)
    said = f" {' '.join(_WORD.findall(between)).casefold().replace('’', chr(39))} "
    free = set(_WORD.findall(relation.casefold()))
    for why, forbidden in wording()["forbidden"].items():
        if word := next((word for word in forbidden if word not in free and f" {word} " in said), None):
            yield Fault(why, word)
    if "n't " in said:
        yield Fault("it denies something")


def _opens(masked: str, words: list[str], task: str) -> bool:
    """Tell whether a question begins with an auxiliary, or with a question word that a preposition may precede."""
    opening, first = wording()["opening"][task], masked[:1]
    if not words or not first.isupper():
        return False
    if words[0] in opening:
        return True
    return task == "premise" and words[1:2] != [] and words[0] in wording()["before"]["a_name"] and words[1] in opening


def _of_names(masked: str, fact: Fact) -> Iterator[Fault]:
    rest = f" {fold(masked.replace(_S, ' ').replace(_O, ' '))} "
    for name in (fact.subject, fact.object, *sorted(fact.others)):
        folded = fold(name)
        if folded and f" {folded} " in rest:
            yield Fault("it names what it may not", name)


def _apart(masked: str, fact: Fact) -> Written | Fault:
    before, _, after = masked.replace(_S, fact.subject).partition(_O)
    the = with_the(fact.object) if fact.the is None else fact.the
    found = _ARTICLE.search(masked.partition(_O)[0])
    if found is None:
        return _bare(before, after, the != fact.object)
    fitting = the if found[1].casefold() == "the" else with_article(fact.object)
    if f"{found[1].casefold()} {fact.object}" != fitting:
        return Fault("the article before the name does not fit it", fact.object)
    article = "the" if found[1].casefold() == "the" else "a"
    return Written(before[: len(before) - len(found[0])], article, after)


def _bare(before: str, after: str, takes_the: bool) -> Written | Fault:
    """Without an article: after a word such as "in" another name may need one, and this one must not."""
    words = before.split()
    plain = bool(words) and before.endswith(" ") and words[-1].casefold() in wording()["before"]["a_name"]
    if plain and takes_the:
        return Fault("the definite article is missing before the object")
    return Written(before, "the" if plain else "", after)
