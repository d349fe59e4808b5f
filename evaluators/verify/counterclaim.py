"""What a text puts outright in the place of a value that a probe asks about.

| the text | with another value |
|---|---|
| a label of the value ("Author: Ann Lowe") | behind the sign |
| what the value is, and "is" ("its weight is 2 kg", "the year should be 1987") | behind it |
| the topic, or what points to it, and "by" ("it's by Ann Lowe", "Emma, by Ann Lowe") | behind it |
| whose it is ("This one, though, is Ann Lowe's.") | which owns |
| who did it to what ("Ann Lowe wrote this one") | before the verb |
| when or where the topic is from ("she's from 1992", "a native of Split"), where its own is not named | behind "from" |

Another value so put wins over the right one wherever that is named.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from evaluators.verify.assertions import KINDS, MAKERS, POINTERS, SMALL, Assertions
from evaluators.verify.proposition import ALIKE, NO_MEANING, Value, WordRange, stems_of
from evaluators.verify.reading.clauses import Clause
from evaluators.verify.reading.text import Span, phrase
from evaluators.verify.reading.words import word_list

_BEING = frozenset({"is", "was", "are", "were", "being", "remains", "be"})
_HEDGED = word_list("hedging_values")
_LABEL = re.compile(r"(?:\A|[\n.;|,(])([^\n.;|:=,(]{2,60})(?:[:=|→–]|\s-+)[\s*_|\"]*\Z")
_BORN, _RELEASED = frozenset(stems_of(["born"])), frozenset(stems_of(["released", "made", "founded"]))
_POINT = r"\b(?:it|he|she|this|this one|that one|the \w+)"
_IS = r"(?:'s| is| was)(?: (?:actually|really|in fact|only|indeed|rather|however|of course))?"
_FROM_YEAR = re.compile(rf"(?:{_POINT}{_IS} (?:a \w+ )?(?:from|of)|{_POINT}{_IS} an? (?:\w+ )?)\s*[*_]*\Z", re.IGNORECASE)
_FROM_PLACE = re.compile(rf"(?:\b(?:comes|came|hails|hailed) from|{_POINT}{_IS} from|\bnative of)\s*[*_]*\Z", re.IGNORECASE)
_BUT_IN_YEAR = re.compile(
    r"\b(?:but|though|only|however)\b[^.;]{0,15}?\b(?:that|it|this) was (?:only |actually |back )?(?:in )?\s*\Z", re.IGNORECASE
)
_BUT_SAID = re.compile(
    r"\b(?:but|though|however|only)\b[^.;]{0,40}?\b(?:says?|gives?|lists?|shows?|records?|reads?|states?|gave|said)"
    r"(?: (?:it|her|him|that|this) as)?"
    r"(?: (?:in|it was|the year))?\s*\Z",
    re.IGNORECASE,
)
"""What sets a source's year off against the one that is asked about ("Yes, but the index says *1943*")."""
_BY = re.compile(rf"{_IS} (?:(\w+(?:ed|en|made|built)) )?by (?:the )?(?:[a-z]+ )?[*_\"“]*\Z", re.IGNORECASE)
_OWNED = re.compile(
    r"\b(?:is|was)\s+(?:\w+ly\s+)?[*_]*([A-Z][\w.-]*(?:\s[A-Z][\w.-]*){0,3}?)(?:['’]s|(?<=s)['’])"
    r"(?=[*_\"]*(?:[.,;:!)—–]|\s[-–—(]|\s*\Z|\s+(?:work|doing|creation|and not|not)\b))"
)
_REACH = 80
"""Characters before a value among which is said what it is."""
_DATES = frozenset({"year", "date"})
_PRONOUNS = frozenset({"it", "that", "this", "he", "she", "they"})
_TITLE = 3
"""So many small words may stand in a title in another language."""


class Counterclaim(NamedTuple):
    """What is put in a value's place: the value itself, or another (`own` is false), and its characters."""

    own: bool
    span: Span


def countered(told: Assertions, value: Value) -> Counterclaim | None:
    """Find what a text puts in the place of a value.

    >>> from evaluators.verify.proposition import claim_of
    >>> from evaluators.verify.question import Question
    >>> from evaluators.verify.reading.text import Text
    >>> asked = Question("Do you know the novel Emma? If so, is Jane Austen its author?", "probe")
    >>> claim = claim_of(asked, "is Jane Austen its author?", "Emma")
    >>> text = Text("I know Jane Austen, but the author was Ann Lowe.")
    >>> text.original[slice(*countered(Assertions(text, claim, asked), claim.values[0]).span)]
    'Ann Lowe'
    """
    if not value.stems:
        return None
    made = value.kind == "name" and bool(value.stems & MAKERS)
    owned = _owned(told, value) if made else None
    if owned is not None:
        return owned
    named = bool(told.places[value])
    for part in told.clauses if made and named else ():
        for place in told.all_places(part):
            if not part.denials and _is_maker(told, value, part, place):
                return Counterclaim(True, told.text.span(*place))
    for part in told.clauses:
        if part.denials:
            continue
        for place in told.rivals(value, part):
            if _is_put(told, value, part, place, named=named, made=made):
                return Counterclaim(False, told.text.span(*place))
    return None


def _is_maker(told: Assertions, value: Value, part: Clause, place: WordRange) -> bool:
    """Tell whether a clause says that the topic is by the value itself ("it's by Ann Lowe", "Ann Lowe's *Emma*")."""
    text = told.text
    at = text.starts[place[0]]
    before = text.original[max(text.sentences[part.sentence].start, at - _REACH) : at]
    owner = text.original[text.ends[place[1] - 1] - 2 : text.ends[place[1] - 1]] in ("'s", "’s", "s'", "s’")
    owns = owner and any(first in (place[1], place[1] + 1) for first, _ in told.topics)
    return owns or _is_done_by(told, value, part, before, at) or _does(told, value, place)


def _is_put(told: Assertions, value: Value, part: Clause, place: WordRange, *, named: bool, made: bool) -> bool:
    """Tell whether another value is put in the place of a value; `named` where the text names that, too."""
    text = told.text
    sentence = text.sentences[part.sentence]
    at = text.starts[place[0]]
    before = text.original[max(sentence.start, at - _REACH) : at]
    # Who lives in Rome lives in Italy: a place is in many.
    told_apart = value.before in ("", "by") or value.number is not None or value.kind == "year"
    label = text.original[max(0, at - _REACH) : at]
    if told_apart and (_is_labelled(value, label) or _is_called(told, value, part, place)):
        return True
    if made and (_is_done_by(told, value, part, before, at) or _does(told, value, place)):
        return True
    if named:
        return False
    if value.kind == "year":
        dated = bool(value.stems & _RELEASED or value.stems & _BORN) and _FROM_YEAR.search(before)
        words = text.words[sentence.first : place[0]]
        if _BUT_SAID.search(before):
            return True
        return bool(dated) or bool(_BUT_IN_YEAR.search(before) and value.stems & set(stems_of(words)))
    if value.kind == "name" and value.stems & _BORN and _FROM_PLACE.search(before):
        return True
    return made and _is_by(told, part, place)


def _is_labelled(value: Value, before: str) -> bool:
    label = _LABEL.search(before)
    if label is None:
        return False
    words = phrase(label[1])
    stems = set(stems_of(words))
    return bool(value.stems & stems) or (value.kind == "year" and not _DATES.isdisjoint(words))


def _is_called(told: Assertions, value: Value, part: Clause, place: WordRange) -> bool:
    """Tell whether a clause says that what the value is is something else ("the author was Ann Lowe")."""
    words = told.text.words
    copula = next((n for n in range(part.first, place[0]) if words[n] in _BEING), place[0])
    lead = Clause(part.first, copula, part.sentence, ())
    dated = value.kind == "year" and not _DATES.isdisjoint(words[part.first : copula])
    if (
        told.all_places(part)
        or not (dated or value.stems & set(stems_of(words[part.first : copula])))
        or _of_else(told, lead, value)
    ):
        return False
    between = words[copula + 1 : place[0]]
    return copula < place[0] and all(word in SMALL or word in KINDS or word in _HEDGED or word in _BEING for word in between)


def _of_else(told: Assertions, lead: Clause, value: Value) -> bool:
    """Tell whether the words before a copula are of something else ("the author of *Emma*", "its highest point")."""
    if any(not told.is_own(name) and name not in told.topics for name in told.inside(told.names, lead)):
        return True
    words = told.text.words[lead.first : lead.last]
    content = [w for w in words if w not in SMALL and w not in NO_MEANING and w not in POINTERS and w not in _DATES]
    return any(
        not value.stems & set(stems_of([word])) and word not in _HEDGED and word[:ALIKE] not in told.claim.own
        for word in content
    )


def _is_done_by(told: Assertions, value: Value, part: Clause, before: str, at: int) -> bool:
    """Tell whether a clause says that the topic is by somebody else ("it's by Ann Lowe", "Emma was written by Ann Lowe")."""
    by = _BY.search(before)
    if by is None or (by[1] and not value.stems & set(stems_of([by[1].lower()]))):
        return False
    subject = told.text.word_at(at - len(before) + by.start()) - 1
    if by[0].startswith("'"):  # "it's" is one word
        subject += told.text.starts[subject + 1] < at - len(before) + by.start() < told.text.ends[subject + 1]
    if subject < part.first:
        return False
    word = told.text.words[subject]
    return (
        word.removesuffix("s") in _PRONOUNS
        or word in KINDS
        or word == "one"
        or any(first <= subject < last for first, last in told.topics)
    )


def _does(told: Assertions, value: Value, place: WordRange) -> bool:
    """Tell whether somebody else did to the topic what the claim says ("Ann Lowe wrote this one")."""
    verb = told.text.words[place[1] : place[1] + 1]
    if not value.stems & set(stems_of(verb)) or not told.text.original[told.text.ends[place[1] - 1] :][:1].isspace():
        return False
    behind = told.text.words[place[1] + 1 : place[1] + 2] in (["it"], ["this"], ["that"], ["them"])
    return behind or any(place[1] < first <= place[1] + 2 for first, _ in told.topics)


def _owned(told: Assertions, value: Value) -> Counterclaim | None:
    """Find whose work a text says the topic to be ("Dune, which I know, is Frank Herbert's.")."""
    text = told.text
    for owned in _OWNED.finditer(text.original):
        at = text.word_at(owned.start(1))
        part = next((part for part in told.clauses if part.first <= at < part.last), None)
        if part is None or part.denials:
            continue
        lead = Clause(text.sentences[part.sentence].first, at, part.sentence, ())
        if told.inside(told.topics, lead) or not POINTERS.isdisjoint(text.words[lead.first : at]):
            return Counterclaim(phrase(owned[1])[-1:] == phrase(value.said)[-1:], owned.span(1))
    return None


def _is_by(told: Assertions, part: Clause, place: WordRange) -> bool:
    """Tell whether a clause says by whom the topic is, and no more ("Emma, by Ann Lowe", "a film by Ann Lowe")."""
    text, at = told.text, place[0] - 1
    if at < part.first or text.words[at] != "by":
        return False
    if at == part.first or text.words[at - 1] in KINDS or any(topic[1] == at for topic in told.topics):
        return True
    small = [n for n in range(part.first, at) if not text.original[text.starts[n]].isupper() and text.words[n] not in SMALL]
    return text.original[text.ends[at - 1] :][:1] == "," and len(small) <= _TITLE
