"""Is what a model wrote a sound question? Then it is taken apart, so that another name can take the object's place.

What is checked is what can be checked without understanding the text: both names word for word and once, one question
and nothing else, no number, no capital letter and no sign outside the names (a second name, an addition in brackets), no
word that denies, gives an alternative, makes a condition or answers, no other true object, no object of the edited
questions. What goes wrong otherwise is left to the sample of questions that a person reads, as in KG-FPQ, section 3.2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from generators.articles import with_article, with_the
from kg.formats import shipped_toml
from kg.text import fold

_LONGEST = 200
"""Characters besides the names; questions on one triple are far shorter."""
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SIGNS = re.compile(r"[^\w\s'’?-]|_")
_ARTICLE = re.compile(r"(?:(?<=\s)|\A)(an?|the) \Z", re.IGNORECASE)
_S, _O = "\ue000", "\ue001"
"""Stand for subject and object while the rest is looked at: private characters, which no text that is let in holds."""


@dataclass(frozen=True)
class TrueFact:
    """A true triple as it is put to a writer.

    `the`: the object as it stands in mid-sentence, where what it is settles that; `others`: names that may not occur.
    """

    subject: str
    relation: str
    object: str
    the: str | None = None
    others: frozenset[str] = frozenset()


class QuestionParts(NamedTuple):
    """A question around its object: the text before, which article the name takes ("", "a", "the"), the text after."""

    before: str
    article: str
    after: str


class Flaw(NamedTuple):
    """Why a text cannot be used: what kind of flaw it has, and what the flaw is about."""

    kind: str
    about: str = ""

    @property
    def why(self) -> str:
        """Say it to the writer.

        >>> Flaw("it denies something", "not").why
        'it denies something: "not"'
        """
        return f'{self.kind}: "{self.about}"' if self.about else self.kind


@cache
def prompts() -> dict[str, Any]:
    """Read `writer.toml`: the prompts, and the word lists of the checks."""
    return shipped_toml("generators.fpq", "writer.toml")


def check(text: str | None, fact: TrueFact, task: str) -> QuestionParts | Flaw:
    """Take a question apart, or say why it cannot be used.

    >>> ada = TrueFact("Ada", "occupation", "actor", others=frozenset({"singer"}))
    >>> check("Is Ada an actor?", ada, "yes_no")
    QuestionParts(before='Is Ada ', article='a', after='?')
    >>> check("Is Ada an actor or not?", ada, "yes_no").why, check("Is Ada a actor?", ada, "yes_no").why
    ('it denies something: "not"', 'the article before the name does not fit it: "actor"')
    """
    # In this order, as the writer is told the first flaw only: names can be looked for in a text that is one line.
    question = (text or "").strip()
    for flaw in _of_form(question):
        return flaw
    masked = _masked(question, fact)
    if isinstance(masked, Flaw):
        return masked
    for flaw in (*_of_rest(masked, fact.relation, task), *_of_names(masked, fact)):
        return flaw
    return _apart(masked, fact)


def _of_form(question: str) -> Iterator[Flaw]:
    if not question:
        yield Flaw("it is empty")
    if not question.isprintable() or _S in question or _O in question:
        yield Flaw("it has more than one line, or characters that nobody sees")


def _masked(question: str, fact: TrueFact) -> str | Flaw:
    """Put one character in place of each name, the longer one first, for it may hold the other."""
    for mask, name in sorted([(_S, fact.subject), (_O, fact.object)], key=lambda pair: -len(pair[1])):
        question, often = re.subn(rf"(?<!\w){re.escape(name)}(?!\w)", mask, question)
        if often != 1:
            return Flaw("a name stands in it more than once" if often else "a name does not stand in it word for word", name)
    return question


def _of_rest(masked: str, relation: str, task: str) -> Iterator[Flaw]:
    """Yield the flaws of what stands around the names."""
    rest = masked.replace(_S, " ").replace(_O, " ")
    if not masked.endswith("?") or rest.count("?") != 1:
        yield Flaw("it is not one question that ends with a question mark")
    if len(rest) > _LONGEST:
        yield Flaw("it is too long")
    if re.search(r"\d", rest):
        yield Flaw("it holds a number that the triple does not hold")
    if sign := _SIGNS.search(rest):
        yield Flaw("it holds a sign that no plain question needs", sign[0])
    yield from _of_words(masked, relation, task)


def _of_words(masked: str, relation: str, task: str) -> Iterator[Flaw]:
    words = _WORD.findall(masked.replace(_S, " ").replace(_O, " "))
    if not _opens(masked, [word.casefold() for word in words], task):
        yield Flaw(f"it does not begin as a {'yes-no question' if task == 'yes_no' else 'question with a question word'} does")
    if named := next((word for word in words[1:] if not word.islower()), None):
        yield Flaw("it holds a name that is no part of the triple", named)
    # An "and" between the two names makes them one subject ("Are A and B married?"), anywhere else it adds something.
    between = re.sub(f"([{_S}{_O}]) and (?=[{_S}{_O}])", r"\1 ", masked)
    text = f" {' '.join(_WORD.findall(between)).casefold().replace('’', chr(39))} "
    free = set(_WORD.findall(relation.casefold()))
    for why, forbidden in prompts()["forbidden"].items():
        if word := next((word for word in forbidden if word not in free and f" {word} " in text), None):
            yield Flaw(why, word)
    if "n't " in text:  # isn't, doesn't, …: no list of words has them all
        yield Flaw("it denies something")


def _opens(masked: str, words: list[str], task: str) -> bool:
    """Tell whether a question begins with an auxiliary, or with a question word that a preposition may precede."""
    opening, first = prompts()["opening"][task], masked[:1]
    if not words or not first.isupper():
        return False
    if words[0] in opening:
        return True
    return task == "premise" and words[1:2] != [] and words[0] in prompts()["before"]["a_name"] and words[1] in opening


def _of_names(masked: str, fact: TrueFact) -> Iterator[Flaw]:
    rest = f" {fold(masked.replace(_S, ' ').replace(_O, ' '))} "
    for name in (fact.subject, fact.object, *sorted(fact.others)):
        folded = fold(name)
        if folded and f" {folded} " in rest:
            yield Flaw("it names what it may not", name)


def _apart(masked: str, fact: TrueFact) -> QuestionParts | Flaw:
    """Split a question at its object; the article before it becomes a slot, so that another name gets its own."""
    before, _, after = masked.replace(_S, fact.subject).partition(_O)
    the = with_the(fact.object) if fact.the is None else fact.the
    match = _ARTICLE.search(masked.partition(_O)[0])
    if match is None:
        return _bare(before, after, the != fact.object)
    # A wrong article here would be wrong for every object that takes this place.
    fitting = the if match[1].casefold() == "the" else with_article(fact.object)
    if f"{match[1].casefold()} {fact.object}" != fitting:
        return Flaw("the article before the name does not fit it", fact.object)
    article = "the" if match[1].casefold() == "the" else "a"
    return QuestionParts(before[: len(before) - len(match[0])], article, after)


def _bare(before: str, after: str, takes_the: bool) -> QuestionParts | Flaw:
    """Without an article: after a word such as "in" another name may need one, and this one must not."""
    words = before.split()
    plain = bool(words) and before.endswith(" ") and words[-1].casefold() in prompts()["before"]["a_name"]
    if plain and takes_the:
        return Flaw("the definite article is missing before the object")
    return QuestionParts(before, "the" if plain else "", after)
