"""What a yes-no question claims, taken apart: its values, its topic, and the words that say how they belong together.

| in the question | is |
|---|---|
| what the item gives, a name, a year, a decade, a number | a value, with its preposition and the words it belongs to |
| what is merely claimed, the premise's object; else all but the topic | what must hold |
| the premise's subject, the first name, what a probe asks to know | the topic, which a text may only point back to |
| both names of "Is Lima the capital of Peru?" | what must hold; a text may point back to either |
| its other words of meaning ("directed", "capital") | the stems of the claim |
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from evaluators.verify.claims import claims_of
from evaluators.verify.question import Question
from evaluators.verify.reading.text import Text, phrase
from evaluators.verify.reading.words import KIN, NUMERALS, kin_stems, word_list
from evaluators.verify.rivals import names_in
from kg.numbers import Number, find_numbers

WordRange = tuple[int, int]

NO_MEANING = word_list("no_meaning")
DECADE = re.compile(r"(?<!\d)((?:1\d|20)\d)0['’]?s\b")
YEAR = re.compile(r"(?<![\d.,])((?:1\d|20)\d\d)(?!\d|[.,]\d|s\b|['’]s\b)")
DIGIT = re.compile(r"\d")
MORE = re.compile(
    r"\b(?:more|higher|longer|larger|bigger|greater|taller|older|above|over|exceed\w*|at least|heavier|deeper|wider)\b"
    r"[\w\s]{0,20}\Z",
    re.IGNORECASE,
)
LESS = re.compile(
    r"\b(?:less|fewer|lower|shorter|smaller|younger|below|under|at most|up to|lighter|short of)\b[\w\s]{0,20}\Z", re.IGNORECASE
)
EARLIER = re.compile(r"\b(?:before|earlier than|prior to|until|not later than)\b[\w\s]{0,12}\Z", re.IGNORECASE)
LATER = re.compile(r"\b(?:after|later than|since|from)\b[\w\s]{0,12}\Z", re.IGNORECASE)
ALIKE = 5
"""So many letters of a place's name tell its people ("Vienna", "Viennese")."""


class Value(NamedTuple):
    """Something that a question claims: its kind, how it is said, its words in the question, the word before, a number."""

    kind: str
    said: str
    first: int
    last: int
    before: str = ""
    number: Number | None = None
    compared: str = ""
    stems: frozenset[str] = frozenset()
    """The stems of the words that it belongs to ("*directed* by Ann Lowe")."""


class Claim(NamedTuple):
    """What a question, or a part of one, claims."""

    topic: Value | None
    """What a text may only point back to; null where that is any of the values."""
    values: tuple[Value, ...]
    """What must hold."""
    beside: tuple[Value, ...]
    """What else the question names."""
    stems: frozenset[str]
    """The stems of its other words."""
    own: frozenset[str]
    """The beginnings of all words of the question: a name with one of them is no other."""
    plain: frozenset[str] = frozenset()
    """All its words."""
    counted: frozenset[str] = frozenset()
    """The stems of what it counts ("eight *legs*")."""
    exists: bool = False
    """Whether it says that there is something, which all values tell."""
    identity: bool = False
    """Whether it says that one value is of another what its words say, so that either may be pointed back to."""
    subject: bool = False
    """Whether it begins with a value, and says what that is ("Is Lima the capital?")."""
    of_topic: bool = False
    """Whether it says that the topic is something of a value ("the currency of Hungary")."""
    given: bool = False
    """Whether all values are so, and only what a right explanation names is not said."""
    amount: int = 0
    """How many it says there are ("*two* moons"), `ALL` for all of them; 0 where it counts nothing."""

    @property
    def telling(self) -> frozenset[str]:
        """The stems, without those of kinds of things where there are others ("the planet *closest* to the Sun")."""
        return self.stems - _KINDS or self.stems


def is_kin(word: str) -> bool:
    """Tell whether a word has others of kin.

    >>> is_kin("author"), is_kin("volcano")
    (True, False)
    """
    return word in KIN


def stems_of(words: Iterable[str]) -> list[str]:
    """Return the stems of words that mean something, those of kin by their first ("author", "written": "write").

    >>> stems_of(["the", "author"]) == stems_of(["written"])
    True
    """
    return kin_stems(word for word in words if word not in NO_MEANING)


@functools.lru_cache(maxsize=1024)
def claim_of(question: Question, part: str = "", topic: str = "") -> Claim:
    """Take apart what a question claims, or a part of it of which the topic is known.

    >>> claim = claim_of(Question("Was Casablanca directed by Hitchcock?"))
    >>> claim.topic.said, [value.said for value in claim.values], sorted(claim.stems)
    ('Casablanca', ['Hitchcock'], ['direct'])
    """
    text = Text(part or question.text)
    values = [*_values(text, question)]
    taken = {n for value in values for n in range(value.first, value.last)}
    units = {word for value in values if value.number for word in phrase(value.number.unit or "")}
    idle = {n for n in range(len(text.words)) if topic and _is_idle(text, n)}
    stems = stems_of(word for n, word in enumerate(text.words) if n not in taken | idle and word not in units)
    values = [value._replace(stems=_belonging(text, value, taken, idle) or frozenset(stems)) for value in values]
    values, beside, named = _roles(text, values, question, topic)
    if (not values and beside) or _COMPARING.search(text.original):
        values, stems = [], []
    own = frozenset(word[:ALIKE] for word in phrase(question.text) if len(word) > 2 or word.isdigit())
    exists = _EXISTS.search(text.original) is not None and not topic
    if exists and not beside:
        values, named = sorted([*values, *([named] if named else [])], key=lambda value: value.first), None
    after = [word for value in values if value.number for word in text.words[value.last : value.last + 2]]
    counted = frozenset(stems_of(after))
    identity = named is None and len(values) == 2 and _begins_with(text, values[0])
    subject = bool(values) and values[0].first >= 0 and _begins_with(text, values[0])
    of_topic = any(value.before == "of" for value in values)
    all_given = bool(question.rationale) and not beside and not claims_of(question)
    return Claim(
        topic=named,
        values=tuple(values),
        beside=tuple(beside),
        stems=frozenset(stems),
        own=own,
        plain=frozenset(text.words),
        counted=counted,
        exists=exists,
        identity=identity,
        subject=subject,
        of_topic=of_topic,
        given=all_given,
        amount=_amount_in(text),
    )


ALL = 1000
"""More than is counted: all of them."""
_EVERY = frozenset({"all", "both", "every", "each"})


def amount_of(word: str) -> int | None:
    """Return a small number in digits or words; null for any other word.

    >>> amount_of("two"), amount_of("12"), amount_of("second"), amount_of("1999")
    (2, 12, None, None)
    """
    if word.isdigit():
        return int(word) if len(word) < len(str(ALL)) else None
    return _ONCE.get(word) if word in _ONCE else NUMERALS.get(word) if word in _CARDINALS else None


_ONCE = {"no": 0, "none": 0, "once": 1, "twice": 2, "half": 0}
_CARDINALS = frozenset(
    word for word in NUMERALS if word.isalpha() and len(word) > 2 and word[-2:] not in ("st", "nd", "rd", "th")
)
_CARDINALS -= frozenset(word for word in _CARDINALS if set(word) <= set("ivx"))


def _amount_in(text: Text) -> int:
    """Return how many a question says there are."""
    if not _EVERY.isdisjoint(text.words):
        return ALL
    units = {place for n in find_numbers(text.original) if n.unit for place in range(*text.words_of(n.start, n.end))}
    counts = [count for n, word in enumerate(text.words[:-1]) if n not in units and (count := amount_of(word))]
    return counts[0] if len(counts) == 1 and counts[0] > 1 else 0


def _is_idle(text: Text, n: int) -> bool:
    """Tell whether a word of a probe's part is of a date, or points back ("Was that *author* born in *May* 1912")."""
    month = text.words[n] in _MONTHS and text.original[text.starts[n]].isupper()
    return month or text.words[n - 1 : n] in (["that"], ["this"])


def _belonging(text: Text, value: Value, taken: set[int], idle: set[int]) -> frozenset[str]:
    """Return the stems of the nearest words of meaning before a value, or behind one that a question begins with."""
    steps = range(value.last, len(text.words)) if _begins_with(text, value) else range(value.first - 1, -1, -1)
    found: list[str] = []
    for at in steps:
        if at in taken:
            break
        if at in idle:
            continue
        found += stems_of([text.words[at]])
        if len(found) == _BELONGING:
            break
    return frozenset(found)


_BELONGING = 2
_MONTHS = word_list("premise_words")["months"]
_KINDS = frozenset(stems_of(kind for kind in word_list("pointing")["kinds"] if kind not in KIN))
"""What says of what kind a thing is says little of it."""
_COMPARING = re.compile(r"\bthan\b(?! (?:[\w-]+ ){0,2}?(?:\d|a |an |one|two|half))")
"""What compares with something that is no number cannot be looked for."""
_EXISTS = re.compile(r"\b(?:is|are|was|were) there\b|\bthere (?:is|are|was|were)\b|\b(?:no|any) \w+", re.IGNORECASE)


def _values(text: Text, question: Question) -> Iterator[Value]:
    """Yield what a question names, in order: what it gives, decades, years, numbers, and names."""
    given = [
        ("name", place) for value in question.given if not DIGIT.search(value.value) for place in text.find(phrase(value.value))
    ]
    years = [("decade", text.words_of(*m.span())) for m in DECADE.finditer(text.original)]
    years += [("year", text.words_of(*m.span())) for m in YEAR.finditer(text.original)]
    claims = {given.value for given in question.given if given.slot in claims_of(question)}
    numbers = {
        text.words_of(n.start, n.end): n
        for n in find_numbers(text.original)
        if DIGIT.match(text.original, n.start) or str(n.value) in claims or (n.value > 1 and not n.ordinal)
    }
    places = [*given, *years, *(("number", place) for place in numbers), *(("name", place) for place in _names(text))]
    taken: set[int] = set()
    found = []
    for kind, (first, last) in places:
        if last > first and taken.isdisjoint(range(first, last)):
            taken.update(range(first, last))
            start, end = text.span(first, last)
            lead = text.original[max(0, start - 40) : start]
            number = numbers.get((first, last)) if kind == "number" else None
            more, less = (_AFTER, EARLIER) if kind == "year" else (MORE, LESS)
            compared = "more" if more.search(lead) else "less" if less.search(lead) and not _REACHING.search(lead) else ""
            found.append(Value(kind, text.original[start:end], first, last, _before(text, first), number, compared))
    yield from sorted(found, key=lambda value: value.first)


def _names(text: Text) -> Iterator[WordRange]:
    """Yield the names in a question; the verb that it begins with belongs to none."""
    for first, last in names_in(text):
        start = first + (text.words[first] in NO_MEANING and first < _FIRST_WORDS)
        if start < last:
            yield start, last


def _before(text: Text, first: int) -> str:
    """Return the preposition before a value ("in the *1940s*": "in")."""
    return next((word for word in reversed(text.words[max(0, first - 3) : first]) if word in PREPOSITIONS), "")


PREPOSITIONS = frozenset({"in", "at", "by", "of", "from", "to", "into", "on", "with", "for", "near", "through", "as"})


def _roles(text: Text, values: list[Value], question: Question, topic: str) -> tuple[list[Value], list[Value], Value | None]:
    """Tell of the values of a question what it asks about, what else it names, and its topic."""
    claimed = {tuple(phrase(given.value)) for given in question.given if given.slot in claims_of(question)}
    if topic:
        others = [value for value in values if set(phrase(value.said)) - set(phrase(topic))]
        given = {tuple(phrase(given.value)) for given in question.given}
        told = [value for value in others if value.kind != "name" or tuple(phrase(value.said)) in given]
        return told or others, [], Value("name", topic, -1, -1)  # "its *IATA* code OSL"
    amounts = {number.value for given in claimed for number in find_numbers(" ".join(given))}
    asked = [
        value
        for value in values
        if tuple(phrase(value.said)) in claimed
        or (claimed and value.kind == "decade")
        or (value.number and value.number.value in amounts)
    ]
    if claimed and not asked:  # said in other words: nothing can be looked for
        return [], values, None
    if not asked and question.premise is not None:
        asked = [value for value in values if phrase(value.said) == phrase(question.premise.object)]
        own = [word for word in phrase(question.premise.object) if word in text.words]
        asked = asked or ([Value("name", " ".join(own), -1, -1)] if own else [])  # said in other words
    if not asked and len(values) > 1 and _begins_with(text, values[0]):
        dated = [value for before, value in pairwise(values) if value.kind == "year" and _dates(text, before, value)]
        return [value for value in values if value not in dated], dated, None
    if not asked:
        first = next((value for value in values if value.kind == "name"), None)
        subject = first if len(values) > 1 and first and first.before in ("", "of") else None
        return [value for value in values if value != subject], [], subject
    rest = [value for value in values if value not in asked]
    wanted = phrase(question.premise.subject) if question.premise else []
    named = next((value for value in rest if phrase(value.said) == wanted), rest[0] if rest else None)
    return asked[-1:], [value for value in rest if value != named], named


def _dates(text: Text, value: Value, year: Value) -> bool:
    """Tell whether a year only tells which thing of a name is meant ("The Shining of 1980", "Jaws (1975)")."""
    return text.original[slice(*sorted((text.ends[value.last - 1], text.starts[year.first])))].strip() in ("of", "(", "")


def _begins_with(text: Text, value: Value) -> bool:
    """Tell whether a question asks of a value that it begins with whether it is something ("Is Lima the capital of Peru?")."""
    return value.first <= _FIRST_WORDS and text.words[value.last : value.last + 1] != [] and text.words[value.last] in _ARTICLES


_REACHING = re.compile(r"\b(?:go|goes|range|ranges|extend|extends|reach|reaches|rise|rises|run|runs) up to\s+\Z", re.IGNORECASE)
"""A range that goes up to so much ends there."""
_AFTER = re.compile(r"\b(?:after|later than)\b[\w\s]{0,12}\Z", re.IGNORECASE)
_FIRST_WORDS = 2
_ARTICLES = frozenset({"the", "a", "an", "its", "his", "her", "their", "also", "really"})
