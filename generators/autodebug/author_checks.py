"""Can what a model made of some evidence be used? What is checked is what can be checked without understanding the text.

Each check returns what was made, or in one line why it is refused: the reason is counted, and told to the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from generators.autodebug.qa_files import Asked
from generators.autodebug.text_edits import Edit, mentions, sentences, support_of
from kg.text import fold


class Refusal(str):
    """Why what came cannot be used."""


NOTHING = Refusal("nothing came")
_MOST_WORDS = 5
_PART = 4
"""A word of fewer letters is no part by which something would be known."""
_TOKEN = re.compile(r"\w+|[^\w\s]")
_YEAR = re.compile(r"[12]\d{3}")
_LINE = re.compile(r"^\s*(\d+)\s*[.):]\s*(.*?)\s*$", re.MULTILINE)
_PRONOUNS = "he him his himself she her hers herself it its itself they them their theirs themselves"
_FREE = frozenset({*_PRONOUNS.split(), "a", "an", "the", "s", "'", "’", "."})
"""What may change around an exchanged name: articles, pronouns, the possessive."""
_AROUND = " \t\n\"'“”‘’`"


def numbered_lines(text: str) -> dict[int, str]:
    """Return the lines of a list by their numbers; of two with one number the first.

    >>> numbered_lines("1. Ulm\\n2) 1871\\nand so on")
    {1: 'Ulm', 2: '1871'}
    """
    lines: dict[int, str] = {}
    for number, line in _LINE.findall(text):
        lines.setdefault(int(number), line)
    return lines


def proposal(asked: Asked, text: str) -> str | Refusal:
    """Return another answer, or why it is none.

    >>> asked = Asked("Where is it?", "Ulm", "It is in Ulm, not far from Bern.")
    >>> proposal(asked, "“Graz”."), proposal(asked, "Bern"), proposal(asked, "1871")
    ('Graz', 'the evidence holds the new answer', 'the new answer is of another kind')
    """
    new = " ".join(text.split()).strip(_AROUND).rstrip(".").strip(_AROUND)
    if asked.answer[:1].islower() and new == new.capitalize():
        new = new.lower()
    folded, old = fold(new), fold(asked.answer)
    if not folded:
        return NOTHING
    if len(new.split()) > _MOST_WORDS:
        return Refusal("the new answer is longer than 5 words")
    if f" {folded} " in f" {old} " or f" {old} " in f" {folded} ":
        return Refusal("the new answer is the old one, or holds it")
    if f" {folded} " in f" {fold(asked.question)} ":
        return Refusal("the question holds the new answer")
    if f" {folded} " in f" {fold(asked.evidence)} ":
        return Refusal("the evidence holds the new answer")
    return new if _kind(new) == _kind(asked.answer) else Refusal("the new answer is of another kind")


def _kind(answer: str) -> str:
    """Tell years, other texts with a number, names and common words apart."""
    if _YEAR.fullmatch(answer):
        return "year"
    if any(char.isdigit() for char in answer):
        return "number"
    return "name" if any(char.isupper() for char in answer) else "word"


def edited(asked: Asked, new: str, text: str) -> Edit | Refusal:
    """Return the edit that a model made, or why it is none: old words stay, or others change.

    >>> asked = Asked("Who built it?", "Ann Lee", "It was built by Ann Lee in 1871. She sold it.")
    >>> edited(asked, "Tom Poe", "It was built by Tom Poe in 1871. He sold it.").answer
    'Tom Poe'
    >>> edited(asked, "Tom Poe", "It was built by Tom Poe in 1872. He sold it.")
    'other words change'
    """
    passage = " ".join(text.split()).strip()
    if not passage:
        return NOTHING
    if not mentions(new).search(passage):
        return Refusal("the new answer does not stand there")
    rest = mentions(new).sub(" ", passage)
    if mentions(asked.answer).search(rest):
        return Refusal("the old answer stays")
    parts = [word for word in re.findall(r"\w+", asked.answer) if len(word) >= _PART and not mentions(word).search(new)]
    if any(mentions(part).search(rest) for part in parts):
        return Refusal("a part of the old answer stays")
    if not _only_names_change(asked, new, passage):
        return Refusal("other words change")
    if len(sentences(passage)) != len(sentences(asked.evidence)):
        return Refusal("its sentences are cut otherwise")
    support = sentences(passage)[support_of(asked)]
    return Edit(new, passage, support) if mentions(new).search(support) else Refusal("the supporting sentence lost the answer")


def _only_names_change(asked: Asked, new: str, passage: str) -> bool:
    """Compare word by word: what differs is old and new name, their forms, articles, pronouns and the possessive."""
    before, after = _tokens(asked.evidence), _tokens(passage)
    sides = (_beginnings(asked.answer), before), (_beginnings(new), after)
    for kind, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        for (begins, words), part in zip(sides, (slice(i, j), slice(k, m)), strict=True):
            if any(word not in _FREE and not word.startswith(begins) for word in words[part]):
                return False
    return True


def _tokens(text: str) -> list[str]:
    return [token.casefold() for token in _TOKEN.findall(text)]


def _beginnings(answer: str) -> tuple[str, ...]:
    """Return how the words of an answer and its forms begin ("fran" of France, French needs "fren": three letters)."""
    return tuple(word if len(word) < _PART else word[:3] for word in _tokens(answer))


def selected(asked: Asked, text: str) -> str | Refusal:
    """Return the supporting sentence that a model copied, as it stands in the evidence."""
    if not text.strip():
        return NOTHING
    wanted = fold(text)
    found = next((sentence for sentence in sentences(asked.evidence) if fold(sentence) == wanted), None)
    if found is None:
        return Refusal("it is no sentence of the passage")
    return found if mentions(asked.answer).search(found) else Refusal("the sentence does not hold the answer")


def summary(asked: Asked, passages: Iterable[str], text: str) -> str | Refusal:
    """Return a summary of passages that adds nothing and does not answer the question."""
    told, sources = " ".join(text.split()), " ".join(passages)
    if not told:
        return NOTHING
    if len(told.split()) > len(sources.split()):
        return Refusal("it is longer than the passages")
    if mentions(asked.answer).search(told):
        return Refusal("the summary holds the answer")
    wanted = {word for word in fold(asked.question).split() if len(word) >= _PART}
    if any(3 * len(wanted & set(fold(one).split())) >= 2 * len(wanted) > 0 for one in sentences(told)):
        return Refusal("the summary may answer the question")
    return Refusal("it adds a name or a number") if added(told, sources) else told


def merged(asked: Asked, support: str, told: str, text: str) -> str | Refusal:
    """Return a passage that holds the supporting sentence word for word and what the summary tells."""
    passage, sentence = " ".join(text.split()), " ".join(support.split())
    if not passage:
        return NOTHING
    if passage.count(sentence) != 1:
        return Refusal("the supporting sentence does not stand there word for word, once")
    rest = passage.replace(sentence, " ")
    if mentions(asked.answer).search(rest):
        return Refusal("the answer stands there twice")
    names = {word for word in fold(told).split() if len(word) > _PART}
    if 2 * len(names & set(fold(rest).split())) < len(names):
        return Refusal("the passages are left out")
    return Refusal("it adds a name or a number") if added(rest, f"{sentence} {told}") else passage


def added(text: str, source: str) -> list[str]:
    """Return the names and numbers of a text that its source does not have.

    >>> added("It rained in Ulm. Then 3 men came.", "Rain fell on Ulm, and some men came.")
    ['3']
    """
    known = set(fold(source).split())
    words = [word for one in sentences(text) for word in re.findall(r"\w+", one)[1:]] + re.findall(r"\b\d+\b", text)
    return [
        word
        for word in dict.fromkeys(words)
        if (word[0].isupper() or word[0].isdigit()) and not set(fold(word).split()) <= known
    ]
