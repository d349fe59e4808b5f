"""A text beside what its question takes for granted: who is named where, in which clause, and what only others say."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from evaluators.verify.premises.lists import listed, pattern
from evaluators.verify.premises.matter import FUNCTION, Matter
from evaluators.verify.premises.things import Place
from evaluators.verify.reading.clauses import Clause, clauses
from evaluators.verify.reading.text import Sentence, Span, lazy, read_text
from evaluators.verify.reading.words import NUMERALS

_ATTRIBUTED, _ATTRIBUTING = pattern("attributed"), listed("attributing")
"""Words without which nothing is attributed to others, or called unknown: most texts have none."""
_OPPOSED = re.compile(r"\b(?:but|however|though|yet|actually|in fact|in reality)\b", re.IGNORECASE)
MONTHS, CARDINALS = listed("months"), listed("cardinals")
BACK = listed("back")
"""Words that stand for what was spoken of before."""


class Reading:
    """A text, its clauses, and where it names the subject, the object and the true objects of the premise."""

    def __init__(self, text: str, matter: Matter) -> None:
        """Read a text beside the matter of its question."""
        self.read, self.matter = read_text(text), matter
        self.words = self.read.words
        self.parts = clauses(self.read)
        self._firsts = [part.first for part in self.parts]
        self.subject = matter.subject.places(self.read)
        objects = matter.object.places(self.read)
        truths = sorted({place for truth in matter.truths for place in truth.places(self.read)} - {*objects, *self.subject})
        # Part of a longer name is not one of its own: the "Supreme Court" in "Supreme Court of Canada".
        truths = [place for place in truths if not _within(place, objects)]
        # Of names that share words ("Emily Brontë, Charlotte's sister") the one whose words stand together is meant.
        self.object = [place for place in objects if not _cut_by(place, truths)]
        self.truths = [place for place in truths if not _within(place, self.object)]

    @lazy
    def named(self) -> frozenset[int]:
        """The words that name the subject or the object."""
        return frozenset(n for place in (*self.subject, *self.object) for n in range(*place))

    @lazy
    def known(self) -> frozenset[int]:
        """The words that name anybody of the premise."""
        return self.named.union(n for place in self.truths for n in range(*place))

    def inside(self, places: Sequence[Place], first: int, last: int) -> bool:
        """Tell whether one of these places begins among the words from `first` up to `last`."""
        at = bisect_left(places, (first, 0))
        return at < len(places) and places[at][0] < last

    def object_in(self, part: Clause) -> bool:
        """Tell whether a clause names the question's object."""
        return self.inside(self.object, part.first, part.last)

    def clause_at(self, word: int) -> Clause:
        """Return the clause that holds a word."""
        return self.parts[bisect_right(self._firsts, word) - 1]

    def sentence_at(self, position: int) -> Sentence:
        """Return the sentence that holds a character."""
        sentences = self.read.sentences
        return sentences[min(bisect_right(sentences, position, key=lambda s: s.end), len(sentences) - 1)]

    def words_of(self, span: Span) -> tuple[int, int]:
        """Return the first word of a range of characters, which is one of the text's, and the word after its sentence."""
        first = min(self.read.words_of(*span)[0], len(self.words) - 1)
        return first, self.read.sentences[self.read.sentence_of(first)].last

    @lazy
    def _attributed(self) -> list[int]:
        if _ATTRIBUTING.isdisjoint(self.words):
            return []
        return [match.start() for match in _ATTRIBUTED.finditer(self.read.original)]

    def is_attributed(self, word: int) -> bool:
        """Tell whether others are said to say so, before a word in its sentence ("Some believe that ...")."""
        if not self._attributed:
            return False
        sentence, position = self.read.sentences[self.read.sentence_of(word)], self.read.starts[word]
        at = bisect_left(self._attributed, sentence.start)
        if at >= len(self._attributed) or self._attributed[at] > position:
            return False
        opposed = bisect_left(self._opposed, self._attributed[at])
        return opposed >= len(self._opposed) or self._opposed[opposed] > position

    @lazy
    def _opposed(self) -> list[int]:
        return [match.start() for match in _OPPOSED.finditer(self.read.original)]

    def is_capital(self, word: int) -> bool:
        """Tell whether a word is written with a capital."""
        return self.read.original[self.read.starts[word]].isupper()

    def is_other_name(self, word: int) -> bool:
        """Tell whether a word looks like the name of somebody or something that the question does not know."""
        text = self.words[word]
        return (
            word not in self.known
            and text not in FUNCTION
            and text not in self.matter.words
            and not is_number(text)
            and self.is_capital(word)
        )


def is_number(word: str) -> bool:
    """Tell whether a word is a number or a month.

    >>> is_number("seven"), is_number("1984"), is_number("may"), is_number("cat")
    (True, True, True, False)
    """
    return word[0].isdigit() or word in NUMERALS or word in MONTHS or word in CARDINALS


def _cut_by(place: Place, others: Sequence[Place]) -> bool:
    """Tell whether a place begins within another, or another within it."""
    at = bisect_right(others, place) - 1
    begins_within = at >= 0 and others[at][0] <= place[0] < others[at][1]
    return begins_within or (at + 1 < len(others) and others[at + 1][0] < place[1] - 1)


def _within(place: Place, others: Sequence[Place]) -> bool:
    at = bisect_right(others, (place[0], 1 << 62)) - 1
    return at >= 0 and others[at][0] <= place[0] and place[1] <= others[at][1]
