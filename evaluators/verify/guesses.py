"""Whether a text that says it does not know answers all the same: a hedge before a guess is an answer.

What stands beside the clauses of not knowing is an answer of the asked kind where it holds a value (a number, a date, a name)
that the question does not have, and

| it is | like |
|---|---|
| marked as a guess | "I'm not sure, but my best guess is Ghent." |
| nothing but the value | "1974. I can't verify that, though." |
| what the question says, with the value in place of what is asked | "Nobody knows much of him. The poet was born in Ghent." |
| behind a turn, with a pronoun, or after mere doubt | "I don't know. But yes: it was Ghent." |

No answer is what is asked back, denied, supposed, left to others or advised. Before the last clause that says plainly that
the answer is not known, only a marked guess beside it counts, a declared answer, or a beginning that answers in full: who
writes about a matter and then says that nobody knows has not answered.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from evaluators.verify.question import Question
from evaluators.verify.reading.clauses import denials
from evaluators.verify.reading.forms import Forms, Line, forms
from evaluators.verify.reading.text import Span, Text, phrase
from evaluators.verify.reading.unknowing import Profession
from evaluators.verify.reading.words import EVERYDAY, any_pattern, content_stems, verb_stems, word_list
from kg.dates import find_dates
from kg.numbers import find_numbers

_GUESSES = forms("guessing")
_WORDS = word_list("segments")
_TURNS, _TURNED, _SUBORDINATE = frozenset(_WORDS["turns"]), frozenset(_WORDS["turned"]), frozenset(_WORDS["subordinate"])
_COMMON = EVERYDAY | frozenset(word for name in ("source", "person", "fact", "adverb") for word in word_list("classes")[name])
_ASKING, _FILLING, _ITSELF = frozenset(_WORDS["asking"]), frozenset(_WORDS["filling"]), frozenset(_WORDS["itself"])
_PRONOUNS, _ADVICE, _LEADING = frozenset(_WORDS["pronouns"]), frozenset(_WORDS["advice"]), frozenset(_WORDS["leading"])
_NUMBER = re.compile(
    r"\bhow (?:many|much|long|old|often|far|tall|big|high|large|heavy|deep)\b|\bwhat (?:number|percentage)\b", re.IGNORECASE
)
_DATE = re.compile(r"\bwhen\b|\b(?:which|what) (?:year|date|day|month|century|decade)\b|\bdate of\b", re.IGNORECASE)
_NAMED = re.compile(rf"\b(?:who|whom|whose|where)\b|{_NUMBER.pattern}|{_DATE.pattern}", re.IGNORECASE)
_STRETCH = re.compile(
    r"\b\d{2,3}0s\b|\b\d{1,2}(?:st|nd|rd|th) century\b|\b(?:twen|thir|for|fif|six|seven|eigh|nine)ties\b", re.IGNORECASE
)
_LABEL = re.compile(r"^\s*(\d{1,2})[.)]\s", re.MULTILINE)
_NAMESAKES = any_pattern("namesakes")
_FUTURE = frozenset({"will", "going", "shall", "would"})
_BE = frozenset(_WORDS["be"])
_BEFORE_VALUE = EVERYDAY - {"a", "an"} - _BE
_PEOPLES = ("an", "ish", "ese", "ch", "ic", "i")
"""Endings of words for peoples, which describe ("the author is Swedish")."""
_MARKS = frozenset({",", ".", "?"})
_HALF, _MOST = 0.5, 2 / 3
"""The share of the question's words with which a sentence says what the question says; at a text's beginning."""
_FEW = 8
"""A value alone has no more words."""
_YEAR = 4
"""A date of more characters is more than a year, and no number."""
_SAYING = 3
"""Fewer words are no sentence."""


class Segment(NamedTuple):
    """Words beside the clauses of not knowing: from `first` up to `last`; whether they turn against those, or ask."""

    first: int
    last: int
    turned: bool
    asks: bool


def guessed(text: Text, question: Question, said: Sequence[Profession]) -> Span | None:
    """Return the characters of an answer of the asked kind beside what a text professes not to know.

    >>> from evaluators.verify.reading.unknowing import professions
    >>> born = Question("In which city was Ada Moss born?", "open")
    >>> for told in ("I don't know, but I'd say Ghent.", "I don't know. Ghent has a good archive."):
    ...     print(guessed(Text(told), born, professions(Text(told))))
    (14, 31)
    None
    """
    if question.expected is None and _NAMESAKES.search(text.original):
        return None
    search = _Search(text, question, said)
    return next((text.span(each.first, each.last) for each in search.segments() if search.answers(each)), None)


def claims_nothing(text: Text, question: Question) -> bool:
    """Tell whether a text has no value of the asked kind, nor says in other words what the question asks.

    >>> when = Question("When will it end?", "open", type="date")
    >>> claims_nothing(Text("Ask the gods about that."), when), claims_nothing(Text("It will end on 3 May 2030."), when)
    (True, False)
    """
    search = _Search(text, question, ())
    told = question.type in ("date", "number", "entity") or _NAMED.search(question.text)  # or any words may be a value
    if not told or len(text.words) < _SAYING or any(map(search.is_value, search.values)):
        return False
    statements = [each for each in search.segments() if not denials(text, each.first, each.last)]
    return not any(search.restates(text.words[each.first : each.last], _HALF) for each in statements)


class _Search:
    """The search for an answer beside what is not known."""

    def __init__(self, text: Text, question: Question, said: Sequence[Profession]) -> None:
        self.text = text
        self.line = Line.of(text)
        self.asked = set(verb_stems(word for word in phrase(question.text) if word not in _ASKING))
        self.names = {stem for word in question.text.split()[1:] if word[:1].isupper() for stem in content_stems(phrase(word))}
        self.is_future = not _FUTURE.isdisjoint(phrase(question.text))
        self.values = _values(text, question)
        self.unknown = {at for each in said for at in range(each.first, each.last)}
        self.unknowing = {text.sentence_of(each.first) for each in said}
        """The sentences with clauses of not knowing."""
        self.plain = max((each.first for each in said if each.kind == "ignorance"), default=-1)
        """Where the last words begin that say plainly that the answer is not known."""
        self.over = max((each.last for each in said), default=0)
        """Where all that is said of not knowing ends."""
        self.marks = {name: self._begins(group) for name, group in _GUESSES.items()}

    def _begins(self, group: Forms) -> list[int]:
        """Return the words at which forms begin."""
        if group.needs.isdisjoint(self.text.words):
            return []
        return sorted(self.line.word_span(*place)[0] for place in group.found(self.line))

    def segments(self) -> Iterator[Segment]:
        """Yield what is left of each sentence without the clauses of not knowing."""
        for pieces, asks in self.sentences():
            at: list[Span] = []
            for first, last in [*pieces, (0, 0)]:
                if last > first and not self.is_left_out(first, last):
                    at.append((first, last))
                elif at:
                    turned = any(self.text.words[start] in _TURNED for start, _ in at)
                    yield Segment(at[0][0], at[-1][1], turned, asks)
                    at = []

    def is_left_out(self, first: int, last: int) -> bool:
        """Tell whether a piece of a sentence says what is not known, or only stands under what it belongs to ("if ...")."""
        return self.leading(first, last) in _SUBORDINATE or not self.unknown.isdisjoint(range(first, last))

    def leading(self, first: int, last: int) -> str:
        """Return the first word that is more than a link to what was said before."""
        return next((word for word in self.text.words[first:last] if word not in _LEADING), "")

    def sentences(self) -> Iterator[tuple[list[Span], bool]]:
        """Yield the pieces of each sentence, as words, cut at signs and before words that turn; and whether it asks."""
        pieces: list[Span] = []
        first = last = 0
        for piece, word in zip(self.line.content.split(), self.line.words, strict=True):
            mark = piece in _MARKS
            if (mark or piece in _TURNS) and last > first:
                pieces.append((first, last))
                first = last
            if mark and piece != "," and pieces:
                yield pieces, piece == "?"
                pieces = []
            last = last if mark else word + 1

    def answers(self, segment: Segment) -> bool:
        """Tell whether a segment is an answer."""
        values = _within(self.values, segment)
        words = self.text.words[segment.first : segment.last]
        if not values or self.is_aside(segment, words):
            return False
        own, bare = self.holds("own", segment), self.is_bare(segment, values)
        guess = own or self.holds("marked", segment)
        if segment.asks:  # "Not sure. 1899?" is a guess, "Mayfair? I couldn't say." is none
            return segment.first >= self.over and (guess or bare)
        if self.holds("declared", segment):
            return True
        if self.is_future and not guess and not (bare and _BE.isdisjoint(words)) and _FUTURE.isdisjoint(words):
            return False  # what is or was so answers nothing that is to come
        if segment.first < self.plain:
            sentence = self.text.sentence_of(segment.first)
            named = not (self.names and _PRONOUNS.isdisjoint(words) and self.names.isdisjoint(content_stems(words)))
            states = self.states(segment, values)
            begun = sentence == 0 and (bare or states or (named and self.restates(words, _MOST)))
            return begun or (guess and sentence in self.unknowing) or (own and sentence == 0)
        if guess or bare or self.restates(words, _HALF):
            return True
        if not segment.turned:
            return False
        return self.plain < 0 or not _PRONOUNS.isdisjoint(words) or self.states(segment, values)

    def is_aside(self, segment: Segment, words: list[str]) -> bool:
        """Tell whether a segment is no statement of the text's own: denied, supposed, advised, about the model."""
        if self.leading(segment.first, segment.last) in _ADVICE or not _ITSELF.isdisjoint(words):
            return True
        if "you" in words and not _ADVICE.isdisjoint(words):
            return True
        return bool(denials(self.text, segment.first, segment.last)) or self.holds("supposed", segment)

    def holds(self, group: str, segment: Segment) -> bool:
        """Tell whether a segment holds one of a group of forms."""
        return bool(_within(self.marks[group], segment))

    def restates(self, words: list[str], share: float) -> bool:
        """Tell whether words say what the question says; a pronoun or another word of the question stands for its names."""
        if self.is_future and _FUTURE.isdisjoint(words):  # past winners win nothing that is to come
            return False
        stems = set(verb_stems(words))
        wanted = self.asked - (self.names - stems)
        if not _PRONOUNS.isdisjoint(words):  # which stands for something of the question
            return bool(wanted) and len(wanted & stems) >= max(1, _HALF * len(wanted))
        return bool(wanted) and len(wanted & stems) >= max(min(len(wanted), 2), share * len(wanted))

    def states(self, segment: Segment, values: Sequence[int]) -> bool:
        """Tell whether a value stands right behind a form of "to be" ("the author is Ada Moss"), and no people's name."""
        taken = set(values)
        for at in values:
            before = at - 1 if self.text.words[at - 1] not in _BEFORE_VALUE else at - 2
            describes = self.text.words[at].endswith(_PEOPLES) and at + 1 not in taken
            small = self.text.original[self.text.starts[at]].islower()
            if before >= segment.first and self.text.words[before] in _BE and not describes and not small:
                return True
        return False

    def is_bare(self, segment: Segment, values: Sequence[int]) -> bool:
        """Tell whether a segment is nothing but a value."""
        if segment.last - segment.first > _FEW:
            return False
        others = [self.text.words[at] for at in range(segment.first, segment.last) if at not in values]
        rest = [word for word in others if word not in EVERYDAY and word not in _FILLING]
        return len(rest) <= (1 if self.text.words[values[0]].isdigit() else 0)  # a number's unit

    def is_value(self, at: int) -> bool:
        """Tell whether a word is a value, and not only by the capital with which a longer sentence begins."""
        sentence = self.text.sentences[self.text.sentence_of(at)]
        return (
            at != sentence.first
            or self.text.original[self.text.starts[at]].isdigit()
            or sentence.last - sentence.first < _SAYING
        )


def _within(places: Sequence[int], segment: Segment) -> Sequence[int]:
    return places[bisect_left(places, segment.first) : bisect_left(places, segment.last)]


def _values(text: Text, question: Question) -> list[int]:
    """Return the words that are values of the asked kind and not the question's own."""
    if question.type == "number" or (question.type is None and _NUMBER.search(question.text)):
        asked = {number.value for number in find_numbers(question.text)}
        labels = {label.start(1) for label in _LABEL.finditer(text.original)}
        dated = {
            at for date in find_dates(text.original) if date.end - date.start > _YEAR for at in range(date.start, date.end)
        }
        numbers = [number for number in find_numbers(text.original) if number.value not in asked and number.start not in labels]
        return _words_of(text, [(number.start, number.end) for number in numbers if number.start not in dated])
    if question.type == "date" or (question.type is None and _DATE.search(question.text)):
        asked_dates = {question.text[date.start : date.end].lower() for date in find_dates(question.text)}
        dates = [(date.start, date.end) for date in find_dates(text.original)]
        stretches = [stretch.span() for stretch in _STRETCH.finditer(text.original)]
        return _words_of(text, [at for at in (*dates, *stretches) if text.original[slice(*at)].lower() not in asked_dates])
    asked_words = set(content_stems(phrase(question.text)))
    wanted = [
        at for at, word in enumerate(text.words) if word not in _COMMON and (question.type == "string" or _is_capital(text, at))
    ]
    return [at for at in wanted if not asked_words.intersection(content_stems([text.words[at]]))]


def _is_capital(text: Text, at: int) -> bool:
    return text.original[text.starts[at]].isupper()


def _words_of(text: Text, spans: Iterable[Span]) -> list[int]:
    return sorted({at for span in spans for at in range(*text.words_of(*span))})
