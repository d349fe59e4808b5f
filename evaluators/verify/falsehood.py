"""What a text says in place of a year, a date or a number that the question gives.

"Sam Raimi's 2004 film Spider-Man 3" falsifies a question about his film of 2007. A year is held against a given one only where
it is said of the same thing:

| given in the question | the thing that has it |
|---|---|
| right behind a name that the question gives ("the film Avatar of 2009") | that name |
| anywhere else ("a film of 2009 in which ...") | what the explanation is to name first |

| the text | says it of a name |
|---|---|
| "NAME (2004)", "NAME of 2004", "NAME, released in 2004", "NAME opened in 2004" with a verb of the question | yes |
| "the 2004 film NAME", "In 2004 he made NAME", "2004 (NAME)", a line "2004: NAME" | yes |
| "NAME (born 1954)", "NAME (1954-2010)", "NAME won in 2004", "of 2004 and NAME" | no |

Where the text says the right one of it too, nothing is falsified.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from evaluators.verify.claims import is_decade
from evaluators.verify.denial import Contradiction, Explanation, GivenSlot, year_of
from evaluators.verify.reading.clauses import clause_of
from evaluators.verify.reading.text import Sentence, Span, Text, phrase
from evaluators.verify.reading.words import EVERYDAY, word_list

_YEAR = r"(?P<year>1[4-9]\d\d|20\d\d)(?!\d|[.,]\d|s\b|\s?[-–—/]\s?(?:\d|present\b))"
_WHEN = r"(?:which |that )?(?:(?:is|was|were|has been|had been) )?(?:(?:first|originally|only|finally|also) )?"
_DAY = r"(?:[A-Z]\w+\s)?(?:\d{1,2},?\s)?(?:[A-Z]\w+\s)?"
_YEAR_AFTER = re.compile(
    rf"[\"'”’*,]*\s*(?:\(\s*(?:(?P<kind>[a-z]+)(?: in)? )?|(?:in|of|from) |{_WHEN}(?P<verb>[a-z]+)(?: out)? (?:back )?in )"
    rf"{_DAY}{_YEAR}"
)
_YEAR_BEFORE = re.compile(rf"{_YEAR}(?<![\d–—-]\d{{4}})\s(?P<between>(?:[\w'’-]+\s){{0,4}})[\"'“‘*(]*\Z")
_LINE_OF_YEAR = re.compile(rf"[\W_]*{_YEAR}\s?[;:|–—-]")
_BEFORE_REACH = 120
"""Characters before a name among which its year is looked for."""
_PUBLISHED, _BETWEEN = frozenset(word_list("published")["verbs"]), frozenset(word_list("published")["between"])
_NUMBER_AFTER = re.compile(r"[\s(,][^.;\n]{0,200}?(?:#|\bnumber |\bno\. |\bjersey )(\d{1,3})\b")
_OF_NAME = re.compile(
    rf"[\"”’')\]]*,?\s*(?:\((?:\w+ )?|{_WHEN}(?:\w+ed |made |came out )?(?:of|from|in) (?:the year )?)\Z", re.IGNORECASE
)
_OWNER_REACH = 60
"""Characters between a name and its year in a question, at most."""
_NEAR = 8
"""So many words before a year in a question tell what happened in it."""
_MOST = 100
"""So many places of a name are looked at, or hostile texts would take long."""

Place = tuple[int, int]
"""The words from the first up to the second."""


def falsified_slots(explanation: Explanation) -> Iterator[Contradiction]:
    """Yield years, dates and numbers of which the text gives another one to the thing that has it."""
    for slot in explanation.slots:
        if slot.kind != "name":
            span = _other_value(explanation, slot)
            if span and slot in explanation.facts:
                yield Contradiction(slot.slot, span)


def _other_value(explanation: Explanation, slot: GivenSlot) -> Span | None:
    """Return another year or number that the text gives the same thing, where it does not give the right one too."""
    if slot.kind == "number":
        spans = (_other_number(explanation.text, slot, place) for place in explanation.first_entry[:_MOST])
        return next((span for span in spans if span), None)
    if not explanation.years:
        return None
    right = _right(explanation, slot)
    if not [year for year in explanation.years if not year.startswith(right)]:
        return None  # most texts say no other year
    places = _places_of_owner(explanation, slot)[:_MOST]
    years = [year for place in places for year in _years_of(explanation, slot, place)]
    return None if not years or _says_right(explanation, slot, right, places, years) else years[0]


def _says_right(explanation: Explanation, slot: GivenSlot, right: str, places: list[Place], years: list[Span]) -> bool:
    """Tell whether a text gives the right year too: as the year of the same thing, in its clause, or later on."""
    text = explanation.text
    if any(text.original[start:end].startswith(right) for start, end in years):
        return True
    naming = {clause_of(text, first) for first, _ in places}
    given = slot.places[:_MOST]
    return any(
        clause_of(text, first) in naming or (first > places[0][0] and _happens(explanation, slot, first)) for first, _ in given
    )


def _right(explanation: Explanation, slot: GivenSlot) -> str:
    """Return how the right years begin: the whole year, or its decade."""
    year = year_of(slot.value) or ""
    return year[:3] if is_decade(slot.value.strip(), explanation.question.text) else year


def _happens(explanation: Explanation, slot: GivenSlot, at: int) -> bool:
    """Tell whether a text says that something was published, or happened, in the right year."""
    clause = clause_of(explanation.text, at)
    words = explanation.text.words[clause.first : at]
    happening = (_PUBLISHED | _happening(explanation.question.text, slot.value)) - EVERYDAY
    return not clause.denials and not happening.isdisjoint(words)


def _places_of_owner(explanation: Explanation, slot: GivenSlot) -> list[Place]:
    """Return where the text names the thing that has a given year."""
    names = tuple([(other.slot, other.value) for other in explanation.slots if other.kind == "name"])
    owner = owner_of(explanation.question.text, slot.value, names)
    if owner is None:
        return explanation.first_entry
    return [place for other in explanation.slots if other.slot == owner for place in other.places]


@functools.lru_cache(maxsize=4096)
def owner_of(question: str, value: str, names: tuple[tuple[str, str], ...]) -> str | None:
    """Return the slot of the given name that a question says a year of; null where it says it of something else.

    >>> film = (("title", "Avatar"), ("star", "Zoe Saldana"))
    >>> owner_of("Who directed the film Avatar of 2009?", "2009", film)
    'title'
    >>> owner_of("Does Zoe Saldana play in a film of 2009?", "2009", film)
    """
    at = question.find(value)
    for slot, name in names:
        start = question.rfind(name, 0, max(at, 0))
        between = question[start + len(name) : at] if start >= 0 else ""
        if 0 < len(between) < _OWNER_REACH and _OF_NAME.match(between):
            return slot
    return None


def _years_of(explanation: Explanation, slot: GivenSlot, place: Place) -> Iterator[Span]:
    """Yield the years that the text says of what it names here."""
    text = explanation.text
    sentence = text.sentences[text.sentence_of(place[0])]
    start, end = text.span(*place)
    after = _YEAR_AFTER.match(text.original, end, sentence.end)
    if after and _said_of_it(after, explanation.question.text, slot):
        yield after.span("year")
    before = _YEAR_BEFORE.search(text.original, max(sentence.start, start - _BEFORE_REACH), start)
    if before and _BETWEEN.isdisjoint(before["between"].lower().split()):
        yield before.span("year")
    line = _LINE_OF_YEAR.match(text.original, sentence.start, start)
    if line:
        yield line.span("year")


def _said_of_it(year: re.Match[str], question: str, slot: GivenSlot) -> bool:
    """Tell whether the verb before a year is one of publishing, or what the question says of its own year."""
    word = year["verb"] or year["kind"]
    return word is None or word in _PUBLISHED or word in _happening(question, slot.value)


@functools.lru_cache(maxsize=4096)
def _happening(question: str, value: str) -> frozenset[str]:
    """Return the words before a year in a question, which tell what happened in it ("opened in Bilbao in 1997")."""
    return frozenset(phrase(question.partition(value)[0])[-_NEAR:])


def _other_number(text: Text, slot: GivenSlot, place: Place) -> Span | None:
    sentence: Sentence = text.sentences[text.sentence_of(place[0])]
    number = _NUMBER_AFTER.match(text.original, text.ends[place[1] - 1], sentence.end)
    return number.span(1) if number and number[1] != slot.value and not slot.places_in(sentence) else None
