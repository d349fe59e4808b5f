"""A text as clauses, each with the words that deny something in it.

A clause here is what stands between conjunctions, relative pronouns, brackets, dashes and full stops: small enough for
a denial to concern all of it.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_left, bisect_right
from itertools import pairwise
from typing import NamedTuple

from evaluators.verify.reading.cued import cues
from evaluators.verify.reading.text import Text
from evaluators.verify.reading.words import word_list

# Where a clause ends: at signs that set off, before conjunctions that oppose or explain, before relative pronouns and pronouns
# after a comma, and before an "and" whose own verb is denied ("he wrote it and did not sing it").
# All begin with one class of characters, which is quick to look for.
_CUT = re.compile(
    r"[;:()—,\s](?:(?<=[;:()—])|(?<=\s)[-–—]+\s"
    r"|(?:(?<=,)\s+|(?<=\s)\s*)(?=(?:but|however|although|though|while|whereas|yet|because|since|so|whose)\b)"
    r"|(?<=,)\s+(?=(?:and|which|who|where|nor|not|none|neither|he|she|it|they|with|as)\b)"
    r"|(?<=\s)\s*(?=(?:and|nor)\s+(?:\w+\s+){0,2}(?:not|none|did|was|is|has|never|no)\b))",
    re.IGNORECASE,
)
_WRONG, _WRONG_THINGS = "wrong|untrue|false|incorrect|inaccurate|mistaken", "lie|myth|mistake|error|falsehood"
_WRONGS = frozenset(f"{_WRONG}|{_WRONG_THINGS}".split("|"))
_SAID_WRONG = re.compile(
    rf"\b(?:it|that)\s+(?:is\s+)?(?:\w+ly\s+)?(?:{_WRONG}|an? (?:{_WRONG_THINGS}))\s+"
    r"(?:to\s+(?:say|claim|state|think|believe|assume)\s+)?that\b",
    re.IGNORECASE,
)
_DENIALS, _NEGATED = word_list("denials"), word_list("negated")
_NOT_DENIALS = {first: frozenset(then) for first, then in word_list("not_denials").items()}
_NOBODY = frozenset({"no", "nobody", "none", "nothing", "never"})
_COMPARED = re.compile(r"\b(?:more|less|fewer|better|worse|\w{2,}er)\b[^.;!?\n]*\bthan\b")
_FAR = 40
"""So many words behind a denial at most stands what it is compared with."""
_DEGREES = frozenset({"any", "a", "the", "further", "much", "more", "great", "real", "serious", "undue", "slightest"})
_DEGREE = frozenset(word_list("degree")["words"])
_UNKNOWING = frozenset(word_list("unknowing")["words"])
_FAILURES = frozenset({"fail", "fails", "failed", "failing"})
_SUSPECTS = cues(_FAILURES.union(_DENIALS))
# "No," and "No." answer; "no film" denies.
_ANSWERED = re.compile(r"[\s\"'*_]*[,.!:;\n*]|\s*\Z")
_ANSWERED_FIRST = re.compile(r"no(?:[\s\"*_]*[,.!:;\n*]|\s*\Z)", re.IGNORECASE)


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
    return [clause for n in range(len(text.sentences)) for clause in clauses_in(text, n)]


def clause_of(text: Text, word: int) -> Clause:
    """Return the clause that holds a word.

    >>> clause_of(Text("He came, but she did not come."), 3)[:2]
    (2, 7)
    """
    inside = clauses_in(text, text.sentence_of(word))
    return inside[bisect_right([clause.first for clause in inside], word) - 1]


def sentences_that_may_deny(text: Text) -> list[int]:
    """Return the sentences that hold a word that may deny, by their indices; most texts have none.

    >>> sentences_that_may_deny(Text("He came. She did, but not in time."))
    [1]
    """
    return list(dict.fromkeys([text.sentence_of(n) for n in _suspects(text)]))


@functools.lru_cache(maxsize=8)  # or a long sentence whose every word is asked about would take its length squared
def clauses_in(text: Text, n: int) -> list[Clause]:
    """Cut a sentence into clauses, by its index.

    >>> [(c.first, c.last, c.denials) for c in clauses_in(Text("He came. She did, but not in time."), 1)]
    [(2, 4, ()), (4, 8, (5,))]
    """
    sentence = text.sentences[n]
    cuts = [text.word_at(match.end()) for match in _CUT.finditer(text.original, sentence.start, sentence.end)]
    edges = sorted({sentence.first, *[cut for cut in cuts if cut < sentence.last], sentence.last})
    return [Clause(a, b, n, denials(text, a, b)) for a, b in pairwise(edges)]


def denials(text: Text, first: int, last: int) -> tuple[int, ...]:
    """Return the words that deny, among those from `first` up to `last`.

    >>> denials(Text("No, he is not only a poet, no doubt. He never sang."), 0, 12)
    (10,)
    """
    suspects = _suspects(text)
    inside = suspects[bisect_left(suspects, first) : bisect_left(suspects, last)]
    return tuple([n for n in inside if _denies(text, n, last)]) if inside else ()


@functools.lru_cache(maxsize=8)
def _suspects(text: Text) -> list[int]:
    """Return the words of a text that may deny, by what stands around them, wherever their clauses end."""
    if _SUSPECTS.isdisjoint(text.cues):
        return []
    suspects = [n for n, word in enumerate(text.words) if word in _SUSPECTS]
    if suspects[0] == 0 and _ANSWERED_FIRST.match(text.original):
        del suspects[0]  # as for most texts that say no: where their words stand need not be known yet
    return [n for n in suspects if _may_deny(text, n)]


def may_deny(text: Text, first: int, last: int) -> bool:
    """Tell whether there is a word that may deny among those from `first` up to `last`, before clauses are cut.

    >>> may_deny(Text("He did not come."), 1, 3), may_deny(Text("He did not come."), 3, 4)
    (True, False)
    """
    suspects = _suspects(text)
    at = bisect_left(suspects, first)
    return at < len(suspects) and suspects[at] < last


def _may_deny(text: Text, at: int) -> bool:
    word = text.words[at]
    if word == "no" and _ANSWERED.match(text.original, text.ends[at]):
        return False
    if word in _FAILURES:  # "failed to win", but not "a failed state"
        return text.words[at + 1 : at + 2] == ["to"]
    quotes = text.quotes
    return not (quotes and any(start <= text.starts[at] < end for start, end in quotes))


def _denies(text: Text, at: int, last: int) -> bool:
    """Tell whether a word denies, by what follows it in its clause."""
    word = text.words[at]
    if word in _FAILURES:
        return True
    following = text.words[at + 1 : last]
    # "not in a leading role" denies a degree, "not sure that" says that nothing is known: neither denies the fact.
    if (word == "not" and _DEGREE.intersection(following[:5])) or _UNKNOWING.intersection(following[:2]):
        return False
    if word in _NOBODY and _COMPARED.search(text.original, text.ends[at], text.ends[min(max(last - 1, at), at + _FAR)]):
        return False  # "no country has more of it than Laos"
    if word in ("without", "no") and following and following[0] in _DEGREES:
        following = following[1:]  # "without any problems"
    return not (following and following[0] in _NOT_DENIALS.get(word, ()))


@functools.lru_cache(maxsize=4096)  # a question has many answers
def is_negated(question: str) -> bool:
    """Tell whether a question is a negated one ("Is it true that no ...", "Is it wrong that ..."); two negations are none.

    >>> is_negated("Is it true that there are no films?"), is_negated("Is there a film?")
    (True, False)
    >>> is_negated("Is it wrong that there are films?"), is_negated("Is it false that there are no films?")
    (True, False)
    """
    words = Text(question).words
    denied = not _NEGATED.isdisjoint(words)
    said_wrong = not _WRONGS.isdisjoint(words) and _SAID_WRONG.search(question) is not None
    return denied != said_wrong
