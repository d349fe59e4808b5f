"""Category 1 on free text, without a model: an edit that is safe, or the reason why there is none.

A year is exchanged for another one; a name that the graph knows, for one of the same kind. Refused is what an edit by rule
would leave askew: a part or a form of the old answer elsewhere ("Lennon", "French"), a longer name that holds it, a pronoun of
unknown or other gender, another name of the answer, a thing that the graph links to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from generators.articles import with_article, with_the
from generators.autodebug.qa_files import Asked
from generators.items import short_hash
from kg.text import fold

_YEAR = re.compile(r"1[0-9]{3}|20[0-2][0-9]")
_ARTICLE = re.compile(r"\b(an?|the) $", re.IGNORECASE)
_PRONOUN = re.compile(r"\b(?:he|him|his|himself|she|her|hers|herself)\b", re.IGNORECASE)
_SENTENCE = re.compile(
    r"(?<=[.!?][\"”'’)])\s+(?=[A-Z])"
    r"|(?<=[.!?])(?<!\b[A-Z]\.)(?<!\b(?:St|Dr|Mr|No|vs|Jr|Sr|Co)\.)(?<!\b(?:Mrs|Inc|Ltd|Rev|Gen|Sen|Gov)\.)(?<!\b(?:Bros|Prof)\.)\s+(?=[\"“(A-Z0-9`])"
)
_LONGER = re.compile(r"\0 [A-Z]|\w[\w,’'-]* (?!I )[A-Z][\w’'-]* \0|\0-\w|\w-\0")
"""A capital before (but at the beginning of a sentence) or behind the mention: "the … Museum", "in New …"."""
_SHIFTS = (-7, -5, -4, -3, -2, 2, 3, 4, 5, 7)
_GENERIC = 4
"""A word of fewer letters is no part by which somebody would be called."""


@dataclass(frozen=True)
class Known:
    """What a graph knows of a name: its other names, what it is linked to, and who could stand in its place, by hash."""

    names: frozenset[str]
    linked: frozenset[str]
    others: tuple[Other, ...]
    gender: str | None = None
    person: bool = False


class Other(NamedTuple):
    """A name that could take the place of another."""

    name: str
    gender: str | None = None


class Edit(NamedTuple):
    """The new answer, the new evidence, and the supporting sentence in it."""

    answer: str
    evidence: str
    support: str


def sentences(text: str) -> list[str]:
    """Cut a text into its sentences; joined by blanks they are the text again.

    >>> sentences("It was J. R. Smith. He left in 1990. St. Paul is near.")
    ['It was J. R. Smith.', 'He left in 1990.', 'St. Paul is near.']
    """
    return [part for part in _SENTENCE.split(text) if part]


def safe_edit(asked: Asked, known: Known | None, seed: int) -> Edit | str:
    """Exchange the answer in its evidence, or say why that is not safe.

    >>> safe_edit(Asked("When was it built?", "1871", "The hall was built in 1871 and burned down in 1902."), None, 0).answer
    '1868'
    >>> safe_edit(Asked("Who built it?", "Ann Lee", "The hall was built by Ann Lee, and later rebuilt by others."), None, 0)
    'its kind is not known'
    """
    if f" {fold(asked.answer)} " in f" {fold(asked.question)} ":
        return "the question holds the answer"
    is_year = _YEAR.fullmatch(asked.answer) is not None
    if not is_year and known is None:
        return "its kind is not known"
    reason = None if is_year or known is None else _unsafe(asked, known)
    if reason is not None:
        return reason
    others = _years(asked, seed) if is_year or known is None else _others(asked, known)
    for other in others:
        edit = _replaced(asked, other)
        if edit is not None:
            return edit
    return "no other answer is safe"


def _unsafe(asked: Asked, known: Known) -> str | None:
    """Say what an edit of the answer itself would leave behind."""
    if _LONGER.search(mentions(asked.answer).sub("\0", asked.evidence)):
        return "a longer name holds it"
    rest = mentions(asked.answer).sub("\0", asked.evidence)
    folded = f" {fold(rest)} "
    if any(f" {name} " in folded for name in known.names):
        return "another of its names stands there"
    words = [word for word in re.findall(r"\w+", asked.answer) if len(word) >= _GENERIC]
    if any(re.search(rf"\b{re.escape(word)}\b", rest) for word in words):
        return "a part of it stands alone"
    if any(re.search(rf"\b{re.escape(word[: max(_GENERIC, len(word) - 2)])}\w*", rest, re.IGNORECASE) for word in words):
        return "a form of it stays"
    # France and French, Wales and Welsh: of a country's people and tongue only the first letters are the same.
    if any(word[0].isupper() and re.search(rf"\b{word[:2]}\w*(?:ish|ese|ch|sh|ian|ean)\b", rest) for word in words):
        return "a form of it stays"
    if known.person and known.gender is None and _PRONOUN.search(asked.evidence):
        return "pronouns, and no gender known"
    asks = f" {fold(asked.question)} "
    if any(f" {name} " in folded and f" {name} " not in asks for name in known.linked):
        return "the graph links it to something else there"
    return None


def _others(asked: Asked, known: Known) -> Iterator[str]:
    text = f" {fold(asked.evidence)} {fold(asked.question)} "
    wants_gender = known.person and _PRONOUN.search(asked.evidence) is not None
    for other in known.others:
        if f" {fold(other.name)} " in text or (wants_gender and other.gender != known.gender):
            continue
        # "the" before a name is a part of the name: both have it, or neither.
        if with_the(asked.answer).startswith("the ") == with_the(other.name).startswith("the "):
            yield other.name


def _years(asked: Asked, seed: int) -> Iterator[str]:
    """Yield other years, by hash, that leave the years of the text in their order."""
    year = int(asked.answer)
    told = {int(found) for found in _YEAR.findall(asked.evidence)} - {year}
    low = max((other for other in told if other < year), default=0)
    high = min((other for other in told if other > year), default=2029)
    shifts = sorted(_SHIFTS, key=lambda shift: short_hash(f"{seed}\0{asked.question}\0{asked.evidence}\0{shift}"))
    yield from (str(year + shift) for shift in shifts if low < year + shift < high)


def mentions(answer: str) -> re.Pattern[str]:
    """Return what finds an answer where it stands as whole words."""
    return re.compile(rf"(?<!\w){re.escape(answer)}(?![\w])", re.IGNORECASE)


def _replaced(asked: Asked, new: str) -> Edit | None:
    """Put a new answer in the place of every mention, with the right "a" or "an"; null where the sentences would change."""
    parts, end = [], 0
    for mention in mentions(asked.answer).finditer(asked.evidence):
        before = asked.evidence[end : mention.start()]
        article = _ARTICLE.search(before)
        if article and article[1].lower() in ("a", "an"):
            right = with_article(new).partition(" ")[0]
            before = before[: article.start()] + (right.capitalize() if article[1][0].isupper() else right) + " "
        parts += [before, new]
        end = mention.end()
    evidence = "".join(parts) + asked.evidence[end:]
    old_sentences, new_sentences = sentences(asked.evidence), sentences(evidence)
    if len(old_sentences) != len(new_sentences):
        return None
    return Edit(new, evidence, new_sentences[support_of(asked)])


def support_of(asked: Asked) -> int:
    """Return which sentence supports the answer: of those that hold it, the first with the most words of the question."""
    mention, words = mentions(asked.answer), set(fold(asked.question).split())
    shared = [
        len(words & set(fold(sentence).split())) if mention.search(sentence) else -1 for sentence in sentences(asked.evidence)
    ]
    return shared.index(max(shared))
