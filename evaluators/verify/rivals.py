"""Which of several answers a text stands by, where it names others of the same kind beside the accepted one.

A text that has the accepted answer may still answer something else: it offers alternatives, puts the accepted one aside, or
answers with another and mentions it in passing. A rival is a name, a number or a date of the kind that is asked for, which
neither the question nor an accepted answer has, nor what an explanation names on the way to it.

| the accepted answer, here Paris, is | example |
|---|---|
| one of alternatives (where an item says that one is asked for) | "Paris or Lyon", "Paris, Lyon and Nice" |
| granted, or attributed to others, and then opposed | "Many say Paris, but it is Lyon." |
| asked | "Was it Paris? It was Lyon." |
| the owner of something | "Lyon, Paris's rival" |
| not what the text begins with, as a sentence of its own | "Lyon. It is smaller than Paris." |
| not what is bold | "It is **Lyon**, south of Paris." |
| not in the answer's place, beside the words of the question | "The capital is Lyon, not far from Paris." |
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from evaluators.verify.clock import time_of, times_in
from evaluators.verify.denial import is_denied
from evaluators.verify.openings import chained, emphasised, equates, head, headline, opening, outside
from evaluators.verify.predication import said_instead
from evaluators.verify.question import Question, steps_of
from evaluators.verify.reading.clauses import denials
from evaluators.verify.reading.text import Text, phrase
from evaluators.verify.reading.values import whole_value
from evaluators.verify.reading.words import (
    ARTICLES,
    EVERYDAY,
    HONORIFICS,
    any_pattern,
    content_stems,
    tells_doing,
    verb_stems,
    word_list,
)
from evaluators.verify.support import TOTAL, support_of
from kg.dates import find_dates
from kg.numbers import find_numbers
from kg.units import alike

WordRange = tuple[int, int]

_NO_NAMES = frozenset(word_list("no_names")["words"])
_JOINS = re.compile(r"[ \-–'.’\"“”(]{1,3}\Z")
_ADJECTIVES = ("an", "ish", "ese", "ch", "ic", "i", "al")
"""Endings of words for a people or a place that stand before a noun."""
_COMPASS = frozenset({"north", "south", "east", "west", "new"})
_INSIDE_NAMES = word_list("inside_names")


class Kind(NamedTuple):
    """What is asked for: a date, a number (with its unit), a time of the day, or a name."""

    name: str
    unit: str | None = None


def kind_of(question: Question) -> Kind:
    """Tell of what kind the answer is, by the item or, where that says nothing, by the accepted answers.

    >>> kind_of(Question("When?", "open", ("May 1940",))).name, kind_of(Question("Who?", "open", ("Ada Moss",))).name
    ('date', 'name')
    """
    first = (question.expected or ("",))[0]
    if question.type == "number" and _YEAR.fullmatch(first) and _OF_YEAR.search(question.text):
        return Kind("date")
    if question.type == "date" or (question.type is None and find_dates(first) and len(phrase(first)) < 6):
        return Kind("date")
    if question.type in (None, "string", "time") and time_of(first):
        return Kind("time")
    numbers = find_numbers(first) if question.type in (None, "number", "string") else ()
    if question.type == "number" or (len(numbers) == 1 and numbers[0].end - numbers[0].start > len(first) / 2):
        number = numbers[0] if numbers else None
        unit = (number.unit if number and number.unit else question.unit) if number else question.unit
        return Kind("number", unit)
    return Kind("name")


_YEAR, _OF_YEAR = re.compile(r"\d{4}"), re.compile(r"\b(?:which|what)(?: (?:is|was) the)? year\b", re.IGNORECASE)


def rivals(text: Text, question: Question, accepted: Sequence[WordRange] = ()) -> list[WordRange]:
    """Return where a text has another answer of the kind that is asked for.

    >>> rivals(Text("In Paris it was Lyon."), Question("Where?", "open", ("Paris",)), [(1, 2)])
    [(4, 5)]
    """
    kind = kind_of(question)
    if kind.name == "date":
        places = [text.words_of(date.start, date.end) for date in find_dates(text.original)]
    elif kind.name == "time":
        places = [text.words_of(*time) for time in times_in(text.original)]
    elif kind.name == "number":
        numbers = [n for n in find_numbers(text.original) if alike(n.unit, kind.unit)]
        places = [text.words_of(n.start, n.end) for n in numbers if not _DIFFERENCE.match(text.original, n.end)]
    else:
        dated = {n for date in find_dates(text.original) for n in range(*text.words_of(date.start, date.end))}
        places = [place for place in names_in(text) if not dated.issuperset(range(*place))]  # "1 Sept. 1940"
    taken = {n for first, last in accepted for n in range(first, last)}
    places = [place for place in places if taken.isdisjoint(range(*place))]
    if kind.name == "name":
        # Whatever shares a word with the question or with an accepted answer is another form of what is there.
        own = {stem for said in (question.text, *(question.expected or ()), *steps_of(question)) for stem in _stems(said)}
        return [
            place for place in places if own.isdisjoint(content_stems(text.words[slice(*place)])) and not describes(text, place)
        ]
    asked = set(phrase(question.text))
    return [place for place in places if not asked.issuperset(text.words[slice(*place)])]


_DIFFERENCE = re.compile(
    r"[\s-]*(?:[^\W\d_]{1,12}\s)?(?:less|more|fewer|higher|lower|taller|shorter|longer|older|younger|larger|smaller|heavier|lighter"
    r"|earlier|later|deeper|wider|further|farther)(?: than\b|\s*[.,;]|\.\.)",
    re.IGNORECASE,
)
"""What follows a number that only says by how much two things differ ("330 metres less than")."""


@functools.lru_cache(maxsize=4096)
def _stems(text: str) -> frozenset[str]:
    return frozenset(verb_stems(phrase(text)))


def describes(text: Text, place: WordRange) -> bool:
    """Tell whether a single word with a capital only describes what follows ("American producer", "BBC series")."""
    first, last = place
    compass = last - first == 2 and text.words[first] in _COMPASS  # "South Korean film"
    if (last - first > 1 and not compass) or last >= len(text.words):
        return False
    word, following = text.words[last - 1], text.original[text.ends[last - 1] : text.starts[last]]
    return (
        following in (" ", "-")
        and text.words[last] not in EVERYDAY
        and (word.endswith(_ADJECTIVES) or text.original[text.starts[first] : text.ends[first]].isupper())
    )


def names_in(text: Text) -> Iterator[WordRange]:
    """Yield the runs of words with a capital, but for words that begin a sentence and are no name alone."""
    beginnings = {sentence.first for sentence in text.sentences}
    at = 0
    while at < len(text.words):
        end = _run(text, at)
        if end == at:
            at += 1
            continue
        words = text.words[at:end]
        if at in beginnings and (words[0] in EVERYDAY or words[0] in _NO_NAMES or _is_label(text, at, end)):
            at += 1
            continue
        if not all(word in _NO_NAMES or word in EVERYDAY or word in HONORIFICS for word in words):
            yield at, end
        at = end


def _is_label(text: Text, first: int, last: int) -> bool:
    """Tell whether a word that begins a sentence says what was done ("Born in Ulm"), or labels a name ("Cast: Ada Moss")."""
    if last - first > 1 or last >= len(text.words):
        return False
    labels = text.original[text.ends[first] : text.starts[last]] == ": " and text.original[text.starts[last]].isupper()
    return tells_doing(text.words[first]) or (labels and text.words[last] not in EVERYDAY)


def _run(text: Text, at: int) -> int:
    """Return where a run of words with a capital ends; words such as "of" may stand within."""
    end = at
    while end < len(text.words) and text.original[text.starts[end]].isupper():
        end += 1
        within = end
        while (
            within < min(end + 2, len(text.words))
            and text.words[within] in _INSIDE_NAMES
            and text.words[within] not in ("and", "y", "e")
        ):
            within += 1
        if within < len(text.words) and text.original[text.starts[within]].isupper() and _joined(text, end, within):
            end = within
            continue
        break
    return end


def _joined(text: Text, end: int, following: int) -> bool:
    gap = text.original[text.ends[end - 1] : text.starts[end]]
    if following > end and (". " in gap or "(" in gap):
        return False  # "Amsterdam. (The Hague is ...)" names two
    initial = text.ends[end - 1] - text.starts[end - 1] == 1  # "R. Aalto"
    return following > end or (_JOINS.match(gap) is not None and (initial or not gap.startswith(". ")))


_PLACE_WORDS = word_list("place_words")


def asks_for_person(question: str) -> bool:
    """Tell whether a question asks who.

    >>> asks_for_person("By whom was it made?"), asks_for_person("Where was it made?")
    (True, False)
    """
    return not _WHO.isdisjoint(phrase(question))


_WHO = frozenset({"who", "whom", "whose"})


def asking_stems(question: str) -> frozenset[str]:
    """Return the stems of what a question asks, without the names in it.

    >>> sorted(asking_stems("Who directed the film Jaws?"))
    ['direct', 'film']
    """
    text = Text(question)
    small = [word for n, word in enumerate(text.words) if not text.original[text.starts[n]].isupper()]
    return frozenset(stem for stem in verb_stems(small) if stem not in _QUESTION_WORDS)


_QUESTION_WORDS = word_list("question_words")


_BEFORE_AGENT = word_list("before_agent")
_BESIDE = word_list("beside")


def in_slot(text: Text, place: WordRange, asking: frozenset[str], *, by_person: bool = False) -> bool:
    """Tell whether a name stands where the answer belongs: behind a word of what is asked, or before its verb.

    >>> in_slot(Text("It was directed by Ann Lowe."), (4, 6), asking_stems("Who directed Jaws?"))
    True
    >>> in_slot(Text("Ann Lowe, who stood by, came."), (0, 2), asking_stems("Who directed Jaws?"))
    False
    """
    sentence = text.sentences[text.sentence_of(place[0])]
    first, last = place
    if by_person and first > sentence.first and text.words[first - 1] in _PLACE_WORDS:
        return False
    at, linked = first - 1, False
    while at >= sentence.first and (text.words[at] in _BEFORE_AGENT or text.words[at] in _BESIDE):
        linked, at = linked or text.words[at] in _BEFORE_AGENT, at - 1
    if linked and at >= sentence.first and _asks(text, at, asking) and not _goes_on(text, last):
        return True
    # Before the verb only where a sentence begins with the name, for there it is the subject.
    begins = first - (first > 0 and text.words[first - 1] in ARTICLES) == sentence.first
    return begins and last < sentence.last and _next_verb(text, last, asking)


def _asks(text: Text, at: int, asking: frozenset[str]) -> bool:
    return bool(asking.intersection(verb_stems([text.words[at]])))


def _goes_on(text: Text, at: int) -> bool:
    """Tell whether a name only begins a longer phrase ("United States Army", "Lou Gehrig's disease")."""
    if at >= len(text.words):
        return False
    gap = text.original[text.ends[at - 1] : text.starts[at]]
    return (
        gap.startswith(("'s", "’s"))
        or text.original[text.ends[at - 1] - 2 : text.ends[at - 1]] in ("'s", "’s")
        or gap in ("-",)
    )


def _next_verb(text: Text, at: int, asking: frozenset[str]) -> bool:
    """Tell whether the words behind a name are a verb of what is asked ("painted", "was the first to paint")."""
    if text.original[text.ends[at - 1] : text.starts[at]] != " ":
        return False
    while at < len(text.words) and text.words[at] in _AUXILIARIES:
        at += 1
    return at < len(text.words) and _asks(text, at, asking)


_AUXILIARIES = word_list("auxiliaries")


class Displaced(NamedTuple):
    """What a text stands by instead of the accepted answer: one of `several`, or another (`wrong`); and its words, if known."""

    reason: Literal["several_answers", "wrong"]
    place: WordRange | None = None


def displaced(
    text: Text, question: Question, accepted: Sequence[WordRange], bold: Sequence[WordRange] = ()
) -> Displaced | None:
    """Tell whether a text that has the accepted answer stands by another; null where it stands by the accepted one.

    Parameters: `accepted` where the answer is; `bold` the words that are set in bold.

    >>> city = Question("What is the capital of Australia?", "open", ("Canberra",), type="entity")
    >>> displaced(Text("Canberra or Sydney."), city, [(0, 1)])
    Displaced(reason='several_answers', place=None)
    >>> displaced(Text("It is Canberra, not far from Sydney."), city, [(2, 3)])
    """
    if _MAY_TAKE_BACK.intersection(text.words) and all(
        _TAKEN_BACK.match(text.original, text.span(*place)[1]) for place in accepted
    ):
        return Displaced("wrong")
    others = [place for place in rivals(text, question, accepted) if not is_denied(text, *place)]
    if question.task == "context" and _OF_THE_WORLD.search(text.original):
        others = [place for place in others if not _is_of_the_world(text, place, accepted)]
    if not others and not _may_list(text, accepted[0]) and not _alike(text, question, accepted):
        return _said_instead(text, question, accepted, others)
    standing = [
        place
        for place in accepted
        if not (
            _is_asked(text, place)
            or _is_conceded(text, _whole(text, question, place), others)
            or _is_possessor(text, question, place)
        )
    ]
    if not standing:
        return Displaced("wrong", next((place for place in others if place[0] > accepted[0][0]), None))
    if any(_is_alternative(text, question, place, others) for place in standing[:3]):
        return Displaced("several_answers")
    accepted, standing = _outermost(accepted), _outermost(standing)
    support = support_of(text, _typed(question), accepted, _weighed(text, question, accepted, others))
    displacing = (
        (support.displacing(standing) or opening(text, support, kind_of(question).name, standing, others)) if support else None
    )
    if displacing:
        return Displaced("wrong", displacing)
    rival = (
        outside(text, support, standing, others)
        or headline(text, standing, others)
        or head(text, standing, others)
        or emphasised(standing, others, bold)
    )
    if rival is None and support is not None:
        rival = _stated_elsewhere(text, question, standing, others)
        rival = rival if rival is not None and support.agrees(rival, standing) else None
    return Displaced("wrong", rival) if rival else _said_instead(text, question, standing, others)


def _is_of_the_world(text: Text, place: WordRange, accepted: Sequence[WordRange]) -> bool:
    """Tell whether a sentence tells how it is outside the passage ("In the real world it is Ottawa"), without the answer."""
    sentence = text.sentences[text.sentence_of(place[0])]
    told = _OF_THE_WORLD.search(text.original, sentence.start, sentence.end)
    return told is not None and not any(sentence.first <= first < sentence.last for first, _ in accepted)


_OF_THE_WORLD = re.compile(
    r"\b(?:real|actual)[ -](?:world|life|history)\b|\bin reality\b|\bworld knowledge\b"
    r"|\b(?:outside|beyond|apart from) (?:of )?(?:the|this|your) (?:passage|text|story|context)\b",
    re.IGNORECASE,
)


def _typed(question: Question) -> Question:
    """Return a question with the type of its answer, which an accepted one tells where the item does not.

    Of what a passage says, and of times of the day, other values are weighed; elsewhere an item has to say its type.
    """
    kind = kind_of(question).name
    told = question.type is None and (kind == "time" or (question.task == "context" and kind != "name"))
    return question._replace(type=kind) if told else question


def _said_instead(
    text: Text, question: Question, standing: Sequence[WordRange], others: Sequence[WordRange]
) -> Displaced | None:
    """Tell whether a text says at last that what is asked about is something else."""
    if question.type is None:
        return None
    rival = said_instead(text, question, standing, [*others, *_alike(text, question, standing)])
    if rival is None or any(chained(text, rival, place) or equates(text, rival, place) for place in standing):
        return None
    return Displaced("wrong", rival)


def _outermost(places: Sequence[WordRange]) -> list[WordRange]:
    """Leave out what stands within another place ("Harrison" in "George Harrison")."""
    return [(a, b) for a, b in places if not any((c, d) != (a, b) and c <= a and b <= d for c, d in places)]


def _weighed(text: Text, question: Question, accepted: Sequence[WordRange], others: Sequence[WordRange]) -> list[WordRange]:
    """Return the other answers that are weighed against the accepted one: no counts of something else, no equal values."""
    if kind_of(question).name == "name":
        names = [*others, *_alike(text, question, accepted)]
        return [name for name in names if not any(chained(text, name, right) for right in accepted)]
    if kind_of(question).name in ("date", "time"):
        return [*others]
    asked = set(phrase(question.text))
    return [
        place
        for place in others
        if (
            whole_value(text, place) != place
            or asked.issuperset(text.words[place[1] : place[1] + 1])
            or not _counts_something(text, place)
        )
        and not any(equates(text, place, right) for right in accepted)
    ]


def _alike(text: Text, question: Question, accepted: Sequence[WordRange]) -> list[WordRange]:
    """Return other names that share a word with an accepted answer ("Mary Jane Clairmont" beside Mary Wollstonecraft)."""
    if question.type is None or kind_of(question).name != "name":
        return []
    taken = {n for first, last in accepted for n in range(first, last)}
    asked = set(phrase(question.text))
    answers = [words for answer in question.expected or () if len(words := set(phrase(answer))) > 1]
    answered = set().union(*answers)
    found = []
    for first, last in names_in(text) if answers else ():
        words = set(text.words[first:last])
        foreign = {word for word in words - answered - asked - HONORIFICS if len(word) > _INITIALS}
        whole = any(words >= answer for answer in answers)
        if words & answered and foreign and not whole and taken.isdisjoint(range(first, last)):
            found.append((first, last))
    return found


_INITIALS = 2
"""Words of so many letters may be somebody's initials."""


def _whole(text: Text, question: Question, place: WordRange) -> WordRange:
    """Return a number with its unit, or a whole date, where one is asked for."""
    return whole_value(text, place) if kind_of(question).name != "name" else place


def _may_list(text: Text, place: WordRange) -> bool:
    """Tell whether a text that names nobody else may still be a bare list in small letters ("cheetah / pronghorn")."""
    return len(text.words) < _LONGEST_LIST and SEPARATOR.search(text.original) is not None


_LONGEST_LIST = 12


def _is_asked(text: Text, place: WordRange) -> bool:
    """Tell whether a place is in a question that the text goes on to answer ("Was it Paris? It was Lyon.")."""
    at = text.sentence_of(place[0])
    sentence = text.sentences[at]
    return at + 1 < len(text.sentences) and text.original[sentence.start : sentence.end].rstrip(" \n\"')”").endswith("?")


def _is_possessor(text: Text, question: Question, place: WordRange) -> bool:
    """Tell whether a name only says whose something is ("Ada Moss's colleague")."""
    _first, last = place
    end = text.ends[last - 1]
    if question.type not in ("entity", "string"):
        return False
    if text.original[end - 2 : end] not in ("'s", "’s") or last >= len(text.words) or "whose" in phrase(question.text):
        return False
    return text.original[end : end + 1] == " " and not text.original[end + 1 : end + 2].isupper()


_CONCEDING = re.compile(
    r"\b(?:although|though|while|whereas|even if|despite|contrary to|as opposed to|not to be confused with)\b[^.;]*\Z",
    re.IGNORECASE,
)
_ATTRIBUTED = any_pattern("attributed")
_CREDITED = any_pattern("credited")
# "It is wrong in stating that it is ...", and "..., but that is not the one you are after".
_DISPUTED = any_pattern("disputed")
_TAKEN_BACK = any_pattern("taken_back")
_MAY_TAKE_BACK = frozenset({"not", "slip", "error", "mistake", "typo", "misprint", "misreading"})
_OPPOSED = any_pattern("opposed")


def _is_conceded(text: Text, place: WordRange, others: Sequence[WordRange]) -> bool:
    """Tell whether a place is granted or attributed to others, and then opposed by a rival."""
    after = [other for other in others if other[0] >= place[1]]
    before = [other for other in others if other[0] < place[0]]
    sentence = text.sentences[text.sentence_of(place[0])]
    start, end = text.span(*place)
    lead, rest = text.original[sentence.start : start], text.original[end:]
    conceding = _CONCEDING.search(lead)
    if conceding:
        inside = text.word_at(sentence.start + conceding.start())
        # In front of what is said ("although the text says Paris, it is Lyon") or behind it ("it is Lyon, though ...").
        return bool([o for o in after if o[0] < sentence.last]) or bool([o for o in before if sentence.first <= o[0] < inside])
    if others and _DISPUTED.search(lead):
        return True
    attributed = _ATTRIBUTED.search(lead) is not None or (bool(after) and _CREDITED.match(rest) is not None)
    return attributed and bool(others) and (_OPPOSED.search(rest) is not None or _in_brackets(text, place))


_CALLED = re.compile(
    r"\b(?:call(?:ed|s)?|known as|refer(?:red|s)? to as|term(?:ed)?|nam(?:ed|e)|titled|abbreviated|nicknamed|alias)\b"
    r"[^.;]{0,40}\Z",
    re.IGNORECASE,
)
_PLURAL = re.compile(
    r"\b(?:which (?:two|three|four|five|\d+)|names|who (?:are|were)|what are|what were|list)\b",
    re.IGNORECASE,
)


def _is_alternative(text: Text, question: Question, place: WordRange, others: Sequence[WordRange]) -> bool:
    """Tell whether the answer is one of several that the text leaves to choose from."""
    # An item says of what type its answer is, and then has one; elsewhere "or" joins other names of the same as often.
    if (
        question.type is None
        or " or " in question.text
        or any(" or " in answer or " and " in answer for answer in question.expected or ())
    ):
        return False
    items = _small_items(text, place) if kind_of(question).name == "name" else []
    if len(items) > 1 and "\n" not in text.original and _joins_last(text) and not _PLURAL.search(question.text):
        return True  # nothing but a list
    place, others = _whole(text, question, place), [_whole(text, question, other) for other in others]
    group = coordinated(text, place, others or items)
    if not group.others:
        return False
    sentence = text.sentences[text.sentence_of(place[0])]
    start = text.span(group.first, group.last)[0]
    if _CALLED.search(text.original[sentence.start : start]) or _in_brackets(text, place):
        return False  # other names of the same
    if group.by_or:
        return True
    whole = set(text.words[: group.first] + text.words[group.last :]) <= EVERYDAY
    if whole and (group.by_and or group.others > 1) and not _place_chain(text, group):
        return True
    follows = group.last < sentence.last and text.words[group.last] in _AUXILIARIES and group.first > sentence.first
    return group.by_and and not follows


def _small_items(text: Text, place: WordRange) -> list[WordRange]:
    """Return the other items of a bare list, which are no names ("cheetah / pronghorn")."""
    cuts = [text.word_at(separator.end()) for separator in SEPARATOR.finditer(text.original)]
    edges = sorted({0, *cuts, len(text.words)})
    items = list(pairwise(edges))
    if max(last - first for first, last in items) > _LONGEST_ITEM or len(items) < 2:
        return []
    if any(denials(text, *item) for item in items):
        return []  # "Moss, not Lowe"
    return [item for item in items if item[1] <= place[0] or item[0] >= place[1]]


def _joins_last(text: Text) -> bool:
    """Tell whether an "and" or "or" joins what stands outside brackets ("Oslo, Norway (in and around it)" is no list)."""
    return not _LAST_JOIN.isdisjoint(text.words) and _JOIN.search(_BRACKETS.sub("", text.original)) is not None


_LAST_JOIN = frozenset({"and", "or"})
_JOIN, _BRACKETS = re.compile(r"\b(?:and|or)\b", re.IGNORECASE), re.compile(r"\([^()]*\)")
_LONGEST_ITEM = 4


def _place_chain(text: Text, group: Group) -> bool:
    """Tell whether only commas join the group: "Princeton, New Jersey" is one place."""
    return not group.by_and and not group.by_or and group.others < 3


def _in_brackets(text: Text, place: WordRange) -> bool:
    start = text.span(*place)[0]
    sentence = text.sentences[text.sentence_of(place[0])]
    before = text.original[sentence.start : start]
    return before.count("(") > before.count(")")


def _stated_elsewhere(
    text: Text, question: Question, standing: Sequence[WordRange], others: Sequence[WordRange]
) -> WordRange | None:
    """Return the rival in the answer's place, where the accepted answer is only mentioned."""
    asking, by_person = asking_stems(question.text), asks_for_person(question.text)
    if not asking:
        return None
    if kind_of(question).name != "name":
        return _counted(text, asking, standing, others)
    in_place = functools.partial(in_slot, by_person=by_person)
    if any(in_place(text, place, asking) for place in standing):
        return None
    for other in others:
        if in_place(text, other, asking) and not _is_past(text, other) and not any(chained(text, other, p) for p in standing):
            return other
    return None


def _counted(
    text: Text, asking: frozenset[str], standing: Sequence[WordRange], others: Sequence[WordRange]
) -> WordRange | None:
    """Return the number before what is asked about, where the accepted one only follows it or counts something else."""
    if any(_counts(text, place, asking) or TOTAL.match(text.original, text.ends[place[1] - 1]) for place in standing):
        return None
    first = standing[0][0]
    sentence = text.sentences[text.sentence_of(first)]
    end = sentence.last if all(_counts_something(text, place) for place in standing) else first
    return next((o for o in others if sentence.first <= o[0] < end and _counts(text, o, asking)), None)


def _counts_something(text: Text, place: WordRange) -> bool:
    """Tell whether a number stands right before a word of meaning ("13 matches")."""
    last = place[1]
    return (
        last < len(text.words)
        and text.words[last] not in EVERYDAY
        and text.original[text.ends[last - 1] : text.starts[last]] == " "
    )


def _counts(text: Text, place: WordRange, asking: frozenset[str]) -> bool:
    """Tell whether a number stands right before what is counted."""
    return place[1] < len(text.words) and _asks(text, place[1], asking)


def _is_past(text: Text, place: WordRange) -> bool:
    """Tell whether a sentence tells what was so once ("Bonn was the capital until 1990")."""
    sentence = text.sentences[text.sentence_of(place[0])]
    return not _ONCE.isdisjoint(text.words[sentence.first : sentence.last])


_ONCE = frozenset({"until", "formerly", "previously", "former", "originally", "initially", "once", "used"})


SEPARATOR = re.compile(
    r"[\"'”’)*]*\s*(?:(?P<or>,?\s*\bor\b|\s/\s|(?<=\w\w\w)/(?=\w\w\w)|,?\s*and/or\b)|,?\s*(?P<and>\band\b|&)|(?P<comma>,|;|\n))"
    r"\s*[\"'“‘(*]*(?:either |perhaps |maybe |possibly |in |on |at |by |the |a |an )*",
    re.IGNORECASE,
)


class Group(NamedTuple):
    """Answers that stand beside one another: how many others there are, whether an "or" joins them, and its words."""

    others: int
    by_or: bool
    by_and: bool
    first: int
    last: int


def coordinated(text: Text, place: WordRange, others: Sequence[WordRange]) -> Group:
    """Return the answers that are coordinated with the one at a place.

    >>> coordinated(Text("Rome, Paris or Lyon."), (1, 2), [(0, 1), (2, 3), (3, 4)])[:2]
    (2, True)
    """
    joins, count, (first, last) = set[str](), 0, place
    following, before = dict(others), {b: a for a, b in others}
    moved = True
    while moved:
        moved = False
        for start, end in ((last, None), (None, first)):
            pair = _next(text, start, following) if start is not None else _previous(text, end or 0, before)
            if pair is not None:
                edge, join = pair
                first, last = (first, edge) if start is not None else (edge, last)
                count, moved = count + 1, True
                joins.add(join)
    return Group(count, "or" in joins, "and" in joins, first, last)


_UNIT = r"(?:\s?(?:[^\W\d_]{1,15}|°[CF]?|%)[²³]?)?"
_AFTER_UNIT = re.compile(_UNIT + SEPARATOR.pattern, re.IGNORECASE)


def _next(text: Text, last: int, following: dict[int, int]) -> tuple[int, str] | None:
    separators = _AFTER_UNIT if text.words[last - 1][-1:].isdigit() else SEPARATOR
    separator = separators.match(text.original, text.ends[last - 1]) if last < len(text.words) else None
    if separator is None:
        return None
    at = text.word_at(separator.end())
    return (following[at], separator.lastgroup or "") if at in following else None


def _previous(text: Text, first: int, before: dict[int, int]) -> tuple[int, str] | None:
    for end in range(first, max(0, first - 5), -1):
        if end in before:
            separators = _AFTER_UNIT if text.words[end - 1][-1:].isdigit() else SEPARATOR
            separator = separators.fullmatch(text.original, text.ends[end - 1], text.starts[first])
            return (before[end], separator.lastgroup or "") if separator else None
    return None
