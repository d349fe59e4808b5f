"""Whether an explanation names what it must, of this question, and denies nothing that the question gives.

A hop is right when all of these hold, whatever the yes or no was:

| rule | fails with |
|---|---|
| the value is named (`_mentions_of`), and not only where the text repeats the question | not named |
| the naming is not denied ("it was not Avatar") | denied |
| it is no background: one of several works somebody is "known for", or one of several candidates | background |
| nothing that the question gives is denied of it ("he directed Avatar, but CCH Pounder was not in it") | contradicted |
| nothing else is said in its place ("Sam Raimi's 2004 film Spider-Man 3") | contradicted |

What the question merely claims (`claims`) is no fact: it may be denied, and another value may stand in its place.
Words that name one value in full name no other in part.

What is denied is looked for where the value is named, in what refers back to it, and where two given things are denied of each
other ("Steve Buscemi never worked with Dan Scanlon"). A sentence that only repeats the question as a denial ("No, there is no
such film of 2009") is the answer again, not an explanation.
"""

from __future__ import annotations

import functools
from itertools import pairwise
from typing import NamedTuple

from evaluators.verify.denial import Explanation, denied_slots, is_offered, same_people
from evaluators.verify.falsehood import falsified_slots
from evaluators.verify.question import Entry, Question
from evaluators.verify.reading.clauses import is_negated, may_deny
from evaluators.verify.reading.names import Mention, Name, Spelling, everywhere
from evaluators.verify.reading.text import Span, Text, phrase
from evaluators.verify.reading.values import Wanted, dates_like, numbers_like
from evaluators.verify.reading.words import word_list

_BACKGROUND = word_list("background")
_COUNTRY = frozenset({"country", "countries", "nation", "nationality", "citizenship"})
_STATE = word_list("state_words")
_DENIAL_REACH = 4
"""A denial this many words before a value, in the same clause, denies that it is the one."""


class Explained(NamedTuple):
    """Which hops are right, which slots the text contradicts, and the characters that say so."""

    hops: tuple[bool, ...] = ()
    contradicted: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()


def judge_rationale(text: Text, question: Question, *, answered: bool | None) -> Explained:
    """Judge the explanation in a text, hop by hop.

    Parameters: `answered` tells whether the yes or no was right; None where there was none.

    >>> from evaluators.verify.question import Given
    >>> film = Question("Did Sam Raimi direct a film of 2007?", expected=("yes",))
    >>> film = film._replace(given=(Given("director", "Sam Raimi"),), rationale=(Entry("title", "Spider-Man 3"),))
    >>> judge_rationale(Text("Yes, he made Spider-Man 3."), film, answered=True).hops
    (True,)
    >>> judge_rationale(Text("No. Sam Raimi did not direct Spider-Man 3."), film, answered=False)
    Explained(hops=(False,), contradicted=('director',), spans=((4, 41),))
    """
    named = [_mentions_of(text, entry) for entry in question.rationale]
    if not any(named):
        return Explained((False,) * len(named))
    mentions = _apart(text, question, named)
    explanation = Explanation(text, question, mentions)
    # Where what is claimed is not so, a right explanation denies something, and nothing needs to be looked for.
    against = [*denied_slots(explanation), *falsified_slots(explanation)] if _claims_truth(question) else ()
    if against:
        slots, spans = dict.fromkeys([slot for slot, _ in against]), dict.fromkeys([span for _, span in against])
        return Explained((False,) * len(mentions), tuple(slots), tuple(spans))
    telling = [_first_telling(explanation, of_entry, answered=answered) for of_entry in mentions]
    spans = dict.fromkeys([text.span(m.first, m.last) for m in telling if m])
    return Explained(tuple([mention is not None for mention in telling]), (), tuple(spans))


def _mentions_of(text: Text, entry: Entry) -> list[Mention]:
    """Find where a text names a value: by its names, or, for a number or a date, in any form of it."""
    mentions = everywhere(text, Name.of(entry.value, entry.aliases))
    if mentions:
        return mentions
    if _is_country(entry.slot):
        return _peoples(text, entry)
    if entry.type not in ("number", "date"):
        return []
    wanted = [Wanted(value, entry.type, entry.unit, entry.precision) for value in (entry.value, *entry.aliases)]
    numbers = [place for each in wanted for place in numbers_like(text, each)]
    dates = [place for each in wanted for place in dates_like(text, each)]
    return [Mention(first, last, "normalised") for first, last in sorted(numbers + dates)]


@functools.lru_cache(maxsize=1024)
def _is_country(slot: str) -> bool:
    return not _COUNTRY.isdisjoint(phrase(slot.replace("_", " ")))


def _peoples(text: Text, entry: Entry) -> list[Mention]:
    """Find where a text names a country by its people ("a South Korean film")."""
    places: set[int] = set()
    for name in (entry.value, *entry.aliases):
        for before, part in pairwise(["", *phrase(name)]):
            if len(part) > 3 and (part not in _STATE or before == "united"):
                like = [n for n, word in enumerate(text.words) if same_people(part, word)]
                places.update(n for n in like if before in ("", *_STATE, *text.words[max(0, n - 1) : n]))
    return [Mention(n, n + 1, "normalised") for n in sorted(places)]


def _apart(text: Text, question: Question, named: list[list[Mention]]) -> list[list[Mention]]:
    """Leave out where a text names one value by a part of its name with words that name another one in full.

    "He played in Dortmund" names the city, not Borussia Dortmund too; Barcelona is the whole name of FC Barcelona.
    """
    if len(named) < 2:
        return named
    if not any(m.how == "partial" for of_entry in named for m in of_entry):
        return named
    full = {(m.first, m.last) for of_entry in named for m in of_entry if m.how in ("exact", "alias")}
    return [
        [m for m in of_entry if m.how != "partial" or (m.first, m.last) not in full or _is_core(text, m, entry)]
        for entry, of_entry in zip(question.rationale, named, strict=True)
    ]


def _is_core(text: Text, mention: Mention, entry: Entry) -> bool:
    """Tell whether a mention leaves out of a name only what a club or firm carries beside it."""
    return Spelling.of(Name.of(entry.value, entry.aliases).whole).core == text.words[mention.first : mention.last]


def _claims_truth(question: Question) -> bool:
    """Tell whether what the question claims is so; where it is not, a right explanation denies something given.

    >>> _claims_truth(Question("Is there no such film?", expected=("no",))), _claims_truth(Question("Is it?", expected=("no",)))
    (True, False)
    """
    if question.task != "yes_no" or question.expected is None:
        return False
    return question.expected == (("no",) if is_negated(question.text) else ("yes",))


def _first_telling(explanation: Explanation, mentions: list[Mention], *, answered: bool | None) -> Mention | None:
    """Return the first mention that says something of this question."""
    for mention in mentions:
        if _tells(explanation, mention, answered=answered):
            return mention
    return None


def _tells(explanation: Explanation, mention: Mention, *, answered: bool | None) -> bool:
    """Tell whether a mention says something of this question: not denied, no candidate among others, no background."""
    text = explanation.text
    if may_deny(text, mention.first - _DENIAL_REACH, mention.first) and _is_denied(explanation, mention):
        return False
    if is_offered(text, mention.first, mention.last, explanation.question):
        return False
    # Whoever answers rightly and names the right one among others knows it; a wrong answer beside a list proves nothing.
    return answered is True or not _in_background(explanation, mention)


def _is_denied(explanation: Explanation, mention: Mention) -> bool:
    """Tell whether a denial stands right before a mention, in its clause."""
    clause = next((part for part in explanation.clauses if part.first <= mention.first < part.last), None)
    return clause is not None and any(mention.first - _DENIAL_REACH <= at < mention.first for at in clause.denials)


def _in_background(explanation: Explanation, mention: Mention) -> bool:
    """Tell whether a mention is one of several examples, of which not all that the question gives is said."""
    text = explanation.text
    if not explanation.may_list:
        return False
    sentence = text.sentences[text.sentence_of(mention.first)]
    before = text.original[sentence.start : text.starts[mention.first]].lower()
    inside = text.original[sentence.start : sentence.end]
    if not _may_list(inside) or not any(f"{cue} " in before for cue in _BACKGROUND):
        return False
    for start, end in (text.span(*place) for slot in explanation.slots for place in slot.places_in(sentence)):
        name = text.original[start:end].lower()
        before = before.replace(name, "")  # the title "Just Like Heaven" lists nothing
    if not any(f"{cue} " in before for cue in _BACKGROUND):
        return False
    return not all(slot.places_in(sentence) for slot in explanation.facts)


def _may_list(text: str) -> bool:
    """Tell whether a text may list several things."""
    return text.count(",") + text.count(" and ") > 1
