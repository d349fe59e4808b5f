"""An answer as tokens that mean the same for every item: frequent words as they are, all others by the part they play.

| token | stands for |
|---|---|
| `ACCEPTED`, `OTHER` | a word of an accepted answer or of the right option; of another option |
| `LABEL`, `OTHER_LABEL` | the number or letter of the right option; of another |
| `TRUE`, `OBJECT`, `SUBJECT` | a word of a premise's true objects, its object, its subject |
| `RATIONALE`, `CLAIMED`, `ASKED` | a word of a rationale's entry, of a claimed value, of the question |
| `NUMBER`, `NAME`, `WORD` | a number, a word that begins with a capital, any other word that is not frequent |

What a text is about is not told by them, so that what is learned of one item's answers holds for another's.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Mapping
from enum import IntEnum, auto
from typing import NamedTuple

from evaluators.verify.question import Question
from kg.formats import shipped_toml


class Part(IntEnum):
    """What a token stands for, where it is no frequent word."""

    ACCEPTED = 0
    OTHER = auto()
    LABEL = auto()
    OTHER_LABEL = auto()
    TRUE = auto()
    OBJECT = auto()
    SUBJECT = auto()
    RATIONALE = auto()
    CLAIMED = auto()
    ASKED = auto()
    NUMBER = auto()
    NAME = auto()
    WORD = auto()
    START = auto()
    END = auto()


PARTS = len(Part)
(
    _ACCEPTED, _OTHER, _LABEL, _OTHER_LABEL, _TRUE, _OBJECT, _SUBJECT, _RATIONALE, _CLAIMED, _ASKED, _NUMBER, _NAME, _WORD,
    _START, _END,
) = map(int, Part)  # fmt: skip
_REPEATED = frozenset(range(PARTS))
"""Tokens of which a run counts as one: a name of three words is one name."""

TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d[\d.,]*\d|\d|[?!.:;,\n✗✓✅❌→=()\"]")
SHORT_WORD = re.compile(r"[^\W_]+")


@functools.cache
def _lists() -> dict[str, list[str]]:
    return shipped_toml("evaluators.verify.opinion", "words.toml")


@functools.cache
def frequent_words() -> dict[str, int]:
    """Return the words and signs that stand for themselves, each with its token, from `PARTS` on."""
    return {word: PARTS + place for place, word in enumerate(_lists()["words"])}


@functools.lru_cache(maxsize=65536)
def folded(word: str) -> str:
    """Return a word in small letters without diacritics.

    >>> folded("Brasília")
    'brasilia'
    """
    word = word.lower()
    if word.isascii():
        return word
    return "".join(sign for sign in unicodedata.normalize("NFKD", word) if not unicodedata.combining(sign))


class Tokens(NamedTuple):
    """The tokens of a text with the character at which each begins; the last is `END`, and begins where the text ends."""

    tokens: list[int]
    starts: list[int]


def tokens_of(text: str, question: Question) -> Tokens:
    """Cut a text into tokens.

    >>> question = Question("Who wrote Emma?", "open", ("Jane Austen", "Austen"))
    >>> [Part(token).name for token in tokens_of("Jane Austen, Bath", question).tokens if token < PARTS]
    ['START', 'ACCEPTED', 'NAME', 'END']
    """
    known = parts_of(question)
    labels = _labels(question) if question.task == "choice" else None
    tokens, starts, last, end = [_START], [0], -1, 0
    for sign in TOKEN.findall(text):  # between two stands no character of any
        start = text.find(sign, end)
        end = start + len(sign)
        if labels is not None and sign in "()" and _holds_label(text, start, labels):
            continue  # option (2) is option 2
        word, usual = _usual(sign)
        token = known.get(word, usual)
        if labels is not None and (label := labels.get(sign)) is not None and _labels_option(text, sign, end):
            token = label
        if token != last or token not in _REPEATED:
            tokens.append(token)
            starts.append(start)
            last = token
    tokens.append(_END)
    starts.append(len(text))
    return Tokens(tokens, starts)


@functools.lru_cache(maxsize=65536)
def _usual(sign: str) -> tuple[str, int]:
    """Return a word or sign folded, and the token that it is where it plays no part."""
    word = folded(sign)
    if sign[0].isdigit():
        return word, _NUMBER
    token = frequent_words().get(word)
    return word, token if token is not None else _NAME if sign[0].isupper() else _WORD


def _labels(question: Question) -> dict[str, int]:
    """Return the signs that may name an option by its place."""
    right, texts = right_option(question), {folded(option) for option in question.options}
    labels: dict[str, int] = {}
    for place in range(min(len(question.options), 9)):
        token = _LABEL if place == right else _OTHER_LABEL
        labels["ABCDEFGHI"[place]] = token
        if str(place + 1) not in texts:
            labels[str(place + 1)] = token
    return labels


def _holds_label(text: str, at: int, labels: Mapping[str, int]) -> bool:
    """Tell whether a bracket is one of two that hold no more than what stands for an option."""
    begins = at if text[at] == "(" else at - 2
    return (
        begins >= 0 and text[begins] == "(" and text[begins + 1 : begins + 2] in labels and text[begins + 2 : begins + 3] == ")"
    )


def _labels_option(text: str, sign: str, end: int) -> bool:
    """Tell whether a letter or digit stands for an option: "A" before a word in small letters is an article."""
    return sign != "A" or not (text[end : end + 1] == " " and text[end + 1 : end + 2].islower())


def right_option(question: Question) -> int:
    """Return the place of the right option, from 0; of the one that says "unsure" where nobody knows, else -1.

    >>> right_option(Question("Which?", "choice", ("2",), ("Mars", "Venus")))
    1
    """
    if question.expected is not None:
        return int(question.expected[0]) - 1
    return next((place for place, option in enumerate(question.options) if folded(option) == "unsure"), -1)


def names_right(question: Question, text: str) -> bool:
    """Tell whether a text has a word of what is right, or the right option's number or letter; a yes or no needs none.

    >>> asked = Question("Which?", "choice", ("2",), ("Mars", "Venus"))
    >>> names_right(asked, "The right one."), names_right(asked, "b it is"), names_right(asked, "I'd go for Venus")
    (False, True, True)
    """
    if question.task not in ("choice", "open", "context"):
        return True
    words = _words(text)
    if question.task == "choice" and (right := right_option(question)) >= 0:
        return not words.isdisjoint({*_words(question.options[right]), str(right + 1), chr(ord("a") + right)})
    return not words.isdisjoint(_words(*(question.expected or ())))


@functools.lru_cache(maxsize=64)
def parts_of(question: Question) -> dict[str, int]:
    """Return the words that play a part in a question's answers."""
    frequent = _unsaying()
    parts = dict.fromkeys(_words(question.text) - frequent, _ASKED)
    if question.task in ("open", "context"):
        asked = set(parts)
        for word in _words(*(question.expected or ())) - frequent - asked:
            parts[word] = _ACCEPTED
    elif question.task == "choice":
        right, options = right_option(question), [_words(option) - frequent for option in question.options]
        for place, words in enumerate(options):
            others = set[str]().union(*options[:place], *options[place + 1 :])
            for word in words - others:
                parts[word] = _ACCEPTED if place == right else _OTHER
    elif question.premise is not None:
        names = [name for true in question.premise.true_objects for name in (true.label, *true.aliases)]
        for token, texts in (
            (_TRUE, names), (_OBJECT, [question.premise.object]), (_SUBJECT, [question.premise.subject]),
        ):  # fmt: skip
            parts.update(dict.fromkeys(_words(*texts) - frequent, token))
    else:
        names = [name for entry in question.rationale for name in (entry.value, *entry.aliases)]
        parts = dict.fromkeys(_words(*names) - frequent, _RATIONALE) | parts
        claimed = [given.value for given in question.given if given.claim]
        parts.update(dict.fromkeys(_words(*claimed) - frequent, _CLAIMED))
    return parts


def _words(*texts: str) -> set[str]:
    words: set[str] = set()
    for text in texts:
        if text.isascii():
            words.update(SHORT_WORD.findall(text.lower()))
        else:
            words.update(map(folded, SHORT_WORD.findall(text)))
    return words


@functools.cache
def _unsaying() -> frozenset[str]:
    """Return the words that play no part, though a name or a question may hold them."""
    return frozenset(_lists()["function"])
