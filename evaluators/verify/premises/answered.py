"""Whether a text gives what its question asks for, whatever else it denies, and what has not the shape of an answer.

Nothing here knows the premise: a statement is no answer where a number, a date, a reason or one of the offered things is asked
for and none is given, where all that is said is what is so in general, or where a negated question is affirmed.
"""

from __future__ import annotations

import re
from itertools import pairwise

from evaluators.verify.premises.lists import listed, pattern
from evaluators.verify.premises.matter import FUNCTION
from evaluators.verify.premises.reading import CARDINALS, Reading
from evaluators.verify.premises.rebuttal import Rebuttal
from evaluators.verify.reading.clauses import denials
from evaluators.verify.reading.text import Sentence, Span, Text, phrase
from evaluators.verify.reading.words import NUMERALS, content_stems, stem

_SETTING_RIGHT, _HEDGED, _BELIEVED, _TENTATIVE = (
    pattern(name) for name in ("setting_right", "hedged", "believed", "tentative")
)
_ANSWERING = listed("answering")
_QUANTITIES = listed("quantities")
_TIME = re.compile(
    r"\b(?:when|after|before|during|in|at|on|every|night|day|morning|evening|summer|winter|spring|autumn"
    r"|season|year|age|now|century|ago|early|late)\b",
    re.IGNORECASE,
)
_BECAUSE = re.compile(r"\b(?:because|since|so that|in order to|due to|so|to|helps?|can|need|make|easy)\b", re.IGNORECASE)
_NO_DATES = listed("no_dates")
_APART = 3
"""Values in a list stand so close."""
_SHORT = 3
"""So few words are an answer, not a statement."""
_LONG = 24
"""A text of more words is a story, whatever its words."""
_SHORT_REASON = 9
"""A statement of fewer words to a "why", without a word for a reason, gives none."""


def gives_value(reading: Reading, rebuttal: Rebuttal) -> bool:
    """Tell whether a text gives a value of the kind that is asked for, outside what it denies."""
    if reading.matter.asked not in ("number", "date"):
        return False
    denied = [denial.span for denial in rebuttal.denials]
    if rebuttal.anachronism:
        sentence = reading.sentence_at(rebuttal.anachronism[0])
        denied.append((sentence.start, sentence.end))
    denied.sort()
    at = 0
    for n, start in enumerate(reading.read.starts):
        while at < len(denied) and denied[at][1] <= start:
            at += 1
        if _is_value(reading, n) and not (at < len(denied) and denied[at][0] <= start):
            return True
    return reading.matter.asked == "date" and not denied and _TIME.search(reading.read.original) is not None


def _is_value(reading: Reading, n: int) -> bool:
    """Tell whether a word gives a value of the kind that is asked for."""
    words, word = reading.words, reading.words[n]
    if word[0].isdigit() or word in CARDINALS:
        return True
    if reading.matter.asked == "date":
        return word in NUMERALS and len(word) > 2 and word not in _NO_DATES
    if n and words[n - 1] in ("the", "these", "those"):
        return False
    counts = word in ("a", "an") and n + 1 < len(words) and stem(words[n + 1]) in reading.matter.counted
    return counts or word in _QUANTITIES or (word in NUMERALS and len(word) > 2)


def answers_after(reading: Reading, pointer: Span) -> bool:
    """Tell whether what points at the question is of something else, as a value of the asked kind is given of the object.

    "A mistake first: he did not start in Boston. His flight across the Pacific was in 1927" takes the Pacific for granted.
    """
    if reading.matter.asked not in ("number", "date") or not reading.object:
        return False
    sentences = enumerate(reading.read.sentences)
    return any(n for n, sentence in sentences if sentence.start >= pointer[1] and _gives_of_object(reading, n, sentence))


def _gives_of_object(reading: Reading, n: int, sentence: Sentence) -> bool:
    """Tell whether a sentence denies and asks nothing, and has the object and a value, but no other name."""
    first, last = sentence.first, sentence.last
    if not reading.inside(reading.object, first, last) or reading.inside(reading.truths, first, last):
        return False
    said = reading.read.original[sentence.start : sentence.end].rstrip()
    if (
        said.endswith("?")
        or any(part.denials for part in reading.parts if part.sentence == n)
        or reading.is_attributed(last - 1)
    ):
        return False
    others = any(reading.is_other_name(word) for word in range(first + 1, last))
    return not others and any(_is_value(reading, word) for word in range(first, last))


def answers_beside(reading: Reading, unknown: Span, *, impersonal: bool) -> bool:
    """Tell whether a text that says that it does not know answers all the same ("I'm not sure, but I think in 1866")."""
    start, end = unknown
    text, sentence = reading.read.original, reading.sentence_at(start)
    if reading.matter.asked in ("number", "date"):
        last = reading.read.word_at(start) if impersonal else sentence.first
        values = [n for n in range(last) if _is_value(reading, n)]
        if values and not _lists(reading.words, values):
            return True
        hedge = _HEDGED.search(text, end)
        return hedge is not None and any(
            _is_value(reading, n) for n in range(reading.read.word_at(hedge.end()), len(reading.words))
        )
    if _TENTATIVE.search(text, 0, start) or _BELIEVED.search(text, end):
        return True
    before = reading.words[: sentence.first]
    return impersonal and bool(before) and {"i", "we", "im", "my"}.isdisjoint(before)


def _lists(words: list[str], values: list[int]) -> bool:
    """Tell whether values are only listed, for one of them to be chosen.

    >>> _lists("1479 1492 or 1580 come to mind".split(), [0, 1, 3]), _lists("in 1479 for 3 years".split(), [1, 3])
    (True, False)
    """
    if "or" in words[values[0] : values[-1]]:
        return True
    return len(values) > 2 and all(after - before < _APART for before, after in pairwise(values))


def begins_with_answer(reading: Reading) -> bool:
    """Tell whether a text begins with an answer: a reason, a way, a pronoun, a yes or no, or some words alone."""
    words, sentences = reading.words, reading.read.sentences
    if words[0] in _ANSWERING or (words[0] in ("yes", "no") and reading.matter.asked == "yes_no"):
        return True
    return len(sentences) > 1 and sentences[0].last <= _SHORT


def misshapen(reading: Reading, rebuttal: Rebuttal, question: str) -> Span | None:
    """Return what in a text has not the shape of an answer."""
    words, read = reading.words, reading.read
    denying = rebuttal.denials
    if words[0] in _ANSWERING and not (denying and denying[0].first):
        return None
    if _takes_both(reading, question):
        return None
    if reading.matter.negated and not denials(read, 0, len(words)) and _affirms(read, question):
        return read.span(0, len(words))
    if len(words) <= _SHORT or len(words) > _LONG or words[0] in ("no", "yes"):
        return None
    word = None if reading.matter.recorded else _SETTING_RIGHT.search(read.original)
    if word:
        return word.span()
    return read.span(0, len(words)) if _lacks_asked(reading, question) else None


def _affirms(read: Text, question: str) -> bool:
    """Tell whether a text says again what a negated question denies ("Ale contains alcohol")."""
    stated, wanted = set(content_stems(read.words)), set(content_stems(phrase(question)))
    return len(stated & wanted) >= 2 and len(stated & wanted) >= len(stated) - 1


def _lacks_asked(reading: Reading, question: str) -> bool:
    """Tell whether a text states something else than the kind of thing that is asked for."""
    asked = reading.matter.asked
    if asked == "option":
        return _names_no_option(reading.words, question)
    if asked == "reason":
        return not _BECAUSE.search(reading.read.original) and len(reading.words) < _SHORT_REASON
    return asked != "open"


def _takes_both(reading: Reading, question: str) -> bool:
    """Tell whether a text takes all the alternatives, and says nothing new of them ("Both of them are animals")."""
    if reading.matter.asked != "option" or "both" not in reading.words:
        return False
    return set(content_stems(reading.words)) <= {*content_stems(phrase(question)), *map(stem, FUNCTION)}


def _names_no_option(words: list[str], question: str) -> bool:
    """Tell whether none of the alternatives is named: the last word before the "or", or one behind it.

    >>> _names_no_option(["it", "is", "green"], "Is it red or blue?"), _names_no_option(["blue"], "Is it red or blue?")
    (True, False)
    """
    before = content_stems(phrase(re.split(r"\bor\b|,", question)[-2]))[-1:]
    after = content_stems(phrase(re.split(r"\bor\b", question)[1]))
    return set(content_stems(words)).isdisjoint({*before, *after})
