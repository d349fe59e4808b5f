"""A text as clauses, each with the words that deny something in it.

```
python -c 'from evaluators.verify.reading.clauses import *; print(clauses(Text("He came, but she did not.")))'
```

A clause here is what stands between conjunctions, relative pronouns, brackets, dashes and full stops: small enough for
a denial to concern all of it.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from itertools import pairwise
from typing import NamedTuple

from evaluators.verify.reading.text import Sentence, Text
from evaluators.verify.reading.words import words

__all__ = ["Clause", "Text", "clause_of", "clauses", "denials", "denying_clauses"]

_CUT = re.compile(
    r"[;:(\)]|\s[-–—]+\s|—"
    r"|,?\s+(?=(?:but|however|although|though|while|whereas|yet|because|since|so|whose)\b)"
    r"|,\s+(?=(?:and|which|who|where|nor|not|none|neither|he|she|it|they|with|as)\b)|\s+(?=(?:and|nor)\s+(?:\w+\s+){0,2}(?:not|none|did|was|is|has|never|no)\b)",
    re.IGNORECASE,
)
_DENIALS = words("denials")
_NOT_DENIALS = {first: frozenset(then) for first, then in words("not_denials").items()}
_DEGREE = frozenset(words("degree")["words"])
_UNKNOWING = frozenset(words("unknowing")["words"])
_FAILURES = frozenset({"fail", "fails", "failed", "failing"})
_SUSPECTS = _FAILURES.union(_DENIALS)
_ANSWERED = re.compile(r"[\s\"'*_]*[,.!:;\n*]|\s*\Z")


class Clause(NamedTuple):
    """The words from `first` up to `last`, in a sentence (its index), and where in it something is denied."""

    first: int
    last: int
    sentence: int
    denials: tuple[int, ...]


def clauses(text: Text) -> list[Clause]:
    """Cut a text into clauses.

    >>> [(c.first, c.last, c.denials) for c in clauses(Text("He came, but she did not come."))]
    [(0, 2, ()), (2, 7, (5,))]
    """
    return [clause for n, sentence in enumerate(text.sentences) for clause in _clauses(text, n, sentence)]


def clause_of(text: Text, word: int) -> Clause:
    """Return the clause that holds a word.

    >>> clause_of(Text("He came, but she did not come."), 3)[:2]
    (2, 7)
    """
    inside = _kept(text, text.sentence_of(word))
    return inside[bisect_right([clause.first for clause in inside], word) - 1]


@functools.lru_cache(maxsize=8)
def _kept(text: Text, sentence: int) -> list[Clause]:
    """Cut a sentence once, however many of its words are asked about."""
    return _clauses(text, sentence, text.sentences[sentence])


def denying_clauses(text: Text) -> list[Clause]:
    """Cut into clauses only the sentences that hold a word that may deny something.

    >>> [(c.first, c.last, c.denials) for c in denying_clauses(Text("He came. She did, but not in time."))]
    [(2, 4, ()), (4, 8, (5,))]
    """
    if _SUSPECTS.isdisjoint(text.words):
        return []
    suspects = [n for n, word in enumerate(text.words) if word in _SUSPECTS and _may_deny(text, n)]
    if not suspects:
        return []  # most often: the one "no" was the answer
    holding = sorted({text.sentence_of(n) for n in suspects})
    return [clause for n in holding for clause in _clauses(text, n, text.sentences[n])]


def _clauses(text: Text, n: int, sentence: Sentence) -> list[Clause]:
    cuts = [text.word_at(found.end()) for found in _CUT.finditer(text.original, sentence.start, sentence.end)]
    edges = sorted({sentence.first, *(cut for cut in cuts if cut < sentence.last), sentence.last})
    return [Clause(a, b, n, denials(text, a, b)) for a, b in pairwise(edges)]


def denials(text: Text, first: int, last: int) -> tuple[int, ...]:
    """Return the words that deny, among those from `first` up to `last`.

    >>> denials(Text("No, he is not only a poet, no doubt. He never sang."), 0, 12)
    (10,)
    """
    suspects = [n for n, word in enumerate(text.words[first:last], first) if word in _SUSPECTS]
    return tuple([n for n in suspects if _denies(text, n, last) and _may_deny(text, n)])


def _may_deny(text: Text, at: int) -> bool:
    """Tell whether a word may deny, by what stands around it in the text, wherever its clause ends."""
    word = text.words[at]
    if word == "no" and _ANSWERED.match(text.original, text.ends[at]):
        return False
    if word in _FAILURES:
        return text.words[at + 1 : at + 2] == ["to"]
    return not any(start <= text.starts[at] < end for start, end in text.quotes)


def _denies(text: Text, at: int, last: int) -> bool:
    """Tell whether a word denies, by what follows it in its clause."""
    word = text.words[at]
    if word in _FAILURES:
        return True
    following = text.words[at + 1 : last]
    if (word == "not" and _DEGREE.intersection(following[:5])) or _UNKNOWING.intersection(following[:2]):
        return False
    return not (following and following[0] in _NOT_DENIALS.get(word, ()))
