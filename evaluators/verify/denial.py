"""What a text denies: an answer that it names, or something that the question gives.

An answer that is named only to be denied ("It was not Mark Twain"), set aside ("rather than Mark Twain") or as one of several
("either Mark Twain or Henry James") is no answer: `is_denied`, `is_offered`.

An explanation that names the right entity and denies of it what the question gives ("He directed Avatar, but CCH Pounder was
not in it") contradicts the question: `denied_slots`. What the question merely claims (`claims`) may be denied.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import NamedTuple

from evaluators.verify.claims import claims_of
from evaluators.verify.question import Question
from evaluators.verify.reading.clauses import Clause, clause_of, clauses_in, denials, sentences_that_may_deny
from evaluators.verify.reading.names import Mention, Name, everywhere
from evaluators.verify.reading.text import Sentence, Span, Text, lazy, phrase
from evaluators.verify.reading.words import word_list

_SET_ASIDE = re.compile(
    r"\b(?:rather than|instead of|as opposed to|unlike|(?<!none )(?<!no one )(?<!no )(?<!nobody )other than"
    r"|except(?: for)?|apart from|confused with|mistaken for|but not)\s+(?:[\w'’-]+\s+){0,2}[\"'“‘(*]*\Z",
    re.IGNORECASE,
)
_DENIED_AFTER = re.compile(
    r"[\"'”’)*]*,?\s+(?:is|was|are|were|did|does|do|has|had|have|can|could|would)(?:\s+(?:not|never)\b|n['’]t\b)", re.IGNORECASE
)
_OR_BEFORE = re.compile(r"(?:\bor|/)\s*[\"'“‘(*]*(?:the\s|a\s|an\s|in\s|by\s)?\Z", re.IGNORECASE)
_OR_AFTER = re.compile(r"[\"'”’)*]*,?\s*(?:\bor\b(?!\s+(?:so|more|less|simply|just|also|known))|/)", re.IGNORECASE)
_CHOICE = re.compile(
    r"\b(?:either|could be|may be|might be|maybe|perhaps|possibly|one of|guess|between|options?|candidates?)\b", re.IGNORECASE
)
_NEAR = 4
"""A denial this many words before an answer, in the same clause, concerns it."""
_SET_ASIDE_REACH = 60
"""Characters before an answer among which words that set it aside are looked for."""


def is_denied(text: Text, first: int, last: int) -> bool:
    """Tell whether the words from `first` up to `last` are named only to be denied or set aside.

    >>> is_denied(Text("Henry James, not Mark Twain"), 3, 5), is_denied(Text("Mark Twain, not Henry James"), 0, 2)
    (True, False)
    """
    start, end = text.span(first, last)
    clause = clause_of(text, first)
    near = max(clause.first, first - _NEAR)
    if denials(text, near, first) or _SET_ASIDE.search(text.original[max(0, start - _SET_ASIDE_REACH) : start]):
        return True
    return _DENIED_AFTER.match(text.original, end) is not None


def is_offered(text: Text, first: int, last: int, question: Question) -> bool:
    """Tell whether the words from `first` up to `last` are one of several alternatives ("either Paris or London").

    Where the question itself offers alternatives, or the answer holds an "or", they prove nothing.
    """
    if " or " not in text.line and "/" not in text.original:
        return False
    start, end = text.span(first, last)
    sentence = text.sentences[text.sentence_of(first)]
    around = text.original[sentence.start : sentence.end]
    beside = _OR_BEFORE.search(text.original[sentence.start : start]) or _OR_AFTER.match(text.original, end)
    return bool(beside) and _CHOICE.search(around) is not None and " or " not in question.text


_YEAR = re.compile(r"(?<![\d.])(1\d{3}|20\d{2})(?![\d.]*\d)")
_YEARS = re.compile(r"1[4-9]\d\d|20\d\d")
_DIGIT = re.compile(r"\d")
_SMALL_NUMBER = re.compile(r"\d{1,3}")
_NATIONS, _BACKGROUND = word_list("nations"), word_list("background")
_PEOPLE_ENDINGS = frozenset(
    {"an", "ian", "n", "ese", "ish", "i", "ans", "ians", "ine", "er", "ean", "ic", "nian", "lian", "ani", "inian", "ite"}
)
_WORD_BEGINNING = 5
"""So many letters of a slot's word tell it in other forms ("director", "directed")."""


class GivenSlot:
    """A value that the question gives, and where a text says it, in its own words or in other forms of them.

    `kind` says what the value is: `year`, `date`, `number` or `name`.
    """

    def __init__(self, text: Text, slot: str, value: str) -> None:
        self.slot, self.value, self.kind, self._text = slot, value, kind_of(value), text

    @lazy
    def places(self) -> tuple[tuple[int, int], ...]:
        """The word ranges of the text that say it."""
        return tuple(_places(self._text, self.value, self.kind))

    @property
    def word_beginnings(self) -> frozenset[str]:
        """The beginnings of the words that name the slot."""
        return word_beginnings(self.slot)

    def places_in(self, part: Clause | Sentence) -> list[tuple[int, int]]:
        """Return its places in a clause or sentence."""
        return [place for place in self.places if part.first <= place[0] < part.last]


def year_of(value: str) -> str | None:
    """Return the year in a value that is a year or a date.

    >>> year_of("January, 1972"), year_of("2009"), year_of("James Cameron")
    ('1972', '2009', None)
    """
    year = _YEAR.search(value)
    return year[0] if year and len(value) < 20 else None


def kind_of(value: str) -> str:
    """Tell what a value is: a year, a date, a small number, or a name.

    >>> kind_of("2009"), kind_of("May 1972"), kind_of("9"), kind_of("Sam Mendes")
    ('year', 'date', 'number', 'name')
    """
    if not _DIGIT.search(value):
        return "name"
    if _YEAR.fullmatch(value.strip()):
        return "year"
    if _SMALL_NUMBER.fullmatch(value.strip()):
        return "number"
    return "date" if year_of(value) else "name"


def _places(text: Text, value: str, kind: str) -> list[tuple[int, int]]:
    places = [(m.first, m.last) for m in everywhere(text, Name.of(value))]
    if kind == "date":  # a text that says only its year, or its first word, the month, says it in part
        parts = (year_of(value) or "", phrase(value)[0])
        return sorted({*places, *(at for part in parts for at in text.find([part]))})
    if places or kind != "name":
        return places
    long_words = [part for part in phrase(value) if len(part) > 3]
    countries = [part for part in long_words if part in _NATIONS or f" {part[:4]}" in text.line]
    return sorted({(n, n + 1) for part in countries for n, word in enumerate(text.words) if same_people(part, word)})


def same_people(country: str, word: str) -> bool:
    """Tell whether a word is the adjective of a country, or the other way round.

    >>> same_people("turkey", "turkish"), same_people("france", "french"), same_people("austria", "australian")
    (True, True, False)
    """
    if word in _NATIONS.get(country, ()):
        return True
    shared = next((n for n, (a, b) in enumerate(zip(country, word, strict=False)) if a != b), min(len(country), len(word)))
    return shared >= 4 and len(country) - shared < 4 and word[shared:] in _PEOPLE_ENDINGS


@functools.lru_cache(maxsize=1024)
def word_beginnings(slot: str) -> frozenset[str]:
    """Return the beginnings of the words that name a slot.

    >>> sorted(word_beginnings("film_director"))
    ['direc', 'film']
    """
    return frozenset(word[:_WORD_BEGINNING] for part in slot.split("_") for word in phrase(part) if len(word) > 3)


_POINTERS = frozenset(word_list("pointers")["words"])
_SUBORDINATE = frozenset(word_list("subordinate")["words"])
_OTHER_CASES = frozenset(word_list("aside")["words"])
_REACH = 2
"""A denial may refer back to the entity over this many sentences."""
_A_PAIR = 2
"""So many things are denied of one another; where no more are given, their sentence is the question again."""
_EXISTENCE = re.compile(
    r"\bthere (?:is|are|was|were|do|does|did|has|have)(?:n't| not| no)?\b|\b(?:statement|claim|premise|assertion)\b"
    r"|\b(?:could|can|did|do)(?:n't| ?not) (?:find|see|recall|appear|seem)|\bit (?:is|'s) (?:not )?(?:true"
    r"|false|correct|possible)\b"
    r"|\bno (?:evidence|record|records|indication|mention|results?)\b",
    re.IGNORECASE,
)
_UNTRUE = re.compile(r"\b(?:false|untrue|incorrect|not (?:true|correct|right|the case))\b", re.IGNORECASE)


class Contradiction(NamedTuple):
    """A slot that the text contradicts, and the characters that do it."""

    slot: str
    span: Span


class Explanation:
    """What all rules look at: a text, what it is asked, and where it names the entity; the rest is worked out when needed."""

    def __init__(self, text: Text, question: Question, named: list[list[Mention]]) -> None:
        """Take where a text names each value of the rationale."""
        self.text, self.question = text, question
        self.mentions = [mention for of_entry in named for mention in of_entry]
        self.first_entry = [(mention.first, mention.last) for mention in named[0]]
        self.slots = [GivenSlot(text, *given[:2]) for given in question.given]

    @lazy
    def facts(self) -> list[GivenSlot]:
        """What the question states as so, not what it merely claims: this alone can be denied or falsified."""
        claims = claims_of(self.question)
        return [slot for slot in self.slots if slot.slot not in claims]

    @lazy
    def clauses(self) -> list[Clause]:
        """The clauses of the sentences that hold a word that may deny, and may be about the entity.

        Denials that belong to a name ("Tomorrow Never Dies") are left out.
        """
        holding = sentences_that_may_deny(self.text)
        if holding and len(self.facts) <= _A_PAIR:
            holding = [n for n in holding if n in self.near_sentences]
        clauses = [clause for n in holding for clause in clauses_in(self.text, n)]
        if not any(clause.denials for clause in clauses):
            return clauses
        words = {self.text.words[n] for clause in clauses for n in clause.denials}
        names = [(m.first, m.last) for m in self.mentions]
        for slot in self.slots:
            if any(word in Name.of(slot.value).line for word in words):  # most names hold none
                names += slot.places
        inside = {n for first, last in names for n in range(first, last)}
        return [_without_denials(part, inside) for part in clauses]

    @lazy
    def years(self) -> list[str]:
        """What may be years in the text."""
        return _YEARS.findall(self.text.original)

    @lazy
    def may_list(self) -> bool:
        """Whether the text may list examples; most have no word that does."""
        low = self.text.original.lower()
        return any(cue in low for cue in _BACKGROUND)

    @lazy
    def naming_sentences(self) -> frozenset[int]:
        """The sentences that name the entity."""
        return frozenset([self.text.sentence_of(m.first) for m in self.mentions])

    @lazy
    def near_sentences(self) -> frozenset[int]:
        """The sentences that name the entity, and those that may refer back to it."""
        return frozenset([n + further for n in self.naming_sentences for further in range(_REACH + 1)])


def _without_denials(clause: Clause, inside: set[int]) -> Clause:
    """Return a clause without the denials at these words."""
    if inside.isdisjoint(clause.denials):
        return clause
    return clause._replace(denials=tuple(n for n in clause.denials if n not in inside))


def denied_slots(explanation: Explanation) -> Iterator[Contradiction]:
    """Yield the given slots that a text denies of the entity it names."""
    for at, clause in enumerate(explanation.clauses):
        if clause.denials:
            of_entity = [*_about_entity(explanation, clause)] if _near_entity(explanation, clause) else []
            denied = of_entity or [*_about_each_other(explanation, clause)]
            if denied and not _beside_the_point(explanation, at):  # this takes longer than all before, and seldom is asked
                yield from denied


def _beside_the_point(explanation: Explanation, at: int) -> bool:
    """Tell whether a clause that denies says nothing against what is given."""
    clause = explanation.clauses[at]
    of_other_cases = not _OTHER_CASES.isdisjoint(explanation.text.words[clause.first : clause.last])  # "no other film"
    if of_other_cases or _denies_claim(explanation, clause):
        return True
    return _contrasts(explanation, at) or _repeats_answer(explanation, clause)


def _denies_claim(explanation: Explanation, clause: Clause) -> bool:
    """Tell whether a clause denies what the question merely claims ("was not born in the 1950s", "Oslo is not its capital")."""
    return any(slot.places_in(clause) for slot in explanation.slots if slot not in explanation.facts)


def _contrasts(explanation: Explanation, at: int) -> bool:
    """Tell whether "not B" only sets one given thing off from another ("directed by A, not B")."""
    clause, before = explanation.clauses[at], explanation.clauses[at - 1] if at else None
    if before is None or before.sentence != clause.sentence or explanation.text.words[clause.first] != "not":
        return False
    whole = {slot.slot for slot in explanation.slots if (clause.first + 1, clause.last) in slot.places}
    last = {slot.slot for slot in explanation.slots for place in slot.places_in(before) if place[1] == before.last}
    return bool(whole) and bool(last - whole)


def _repeats_answer(explanation: Explanation, clause: Clause) -> bool:
    """Tell whether a sentence only answers again: it says that there is no such thing, or that the claim is false.

    "No, there is no such film of 2009." says nothing against any one film that is named later.
    """
    text, sentence = explanation.text, explanation.text.sentences[clause.sentence]
    if len(clause.denials) > 1 and _UNTRUE.search(text.original, *text.span(clause.first, clause.last)):
        return True  # "it is not true that he did not": two denials, which say yes
    if clause.sentence in explanation.naming_sentences:
        names_entity = any(clause.first <= mention.first < clause.last for mention in explanation.mentions)
        return all(slot.places_in(clause) for slot in explanation.facts) and not names_entity
    before_entity = clause.sentence < min(explanation.naming_sentences)
    says_all = before_entity and all(slot.places_in(sentence) for slot in explanation.facts)
    return says_all or _EXISTENCE.search(text.original, sentence.start, sentence.end) is not None


def _near_entity(explanation: Explanation, clause: Clause) -> bool:
    """Tell whether a clause is about the entity: in a sentence that names it, or pointing back to one ("it", "he")."""
    if clause.sentence in explanation.naming_sentences:
        return True
    words = explanation.text.words[clause.first : clause.last]
    return clause.sentence in explanation.near_sentences and not _POINTERS.isdisjoint(words)


def _about_entity(explanation: Explanation, clause: Clause) -> Iterator[Contradiction]:
    """Yield slots whose value, or whose own word ("directed"), stands in a clause that denies."""
    by_value = [slot for slot in explanation.facts if slot.places_in(clause)]
    beginnings = {word[:_WORD_BEGINNING] for word in explanation.text.words[clause.first : clause.last]}
    by_word = [slot for slot in explanation.facts if slot.kind == "name" and slot.word_beginnings & beginnings]
    if by_value and not _any_denied(explanation.text, by_value, clause):
        return
    for slot in by_value or by_word:
        yield Contradiction(slot.slot, explanation.text.span(clause.first, clause.last))


def _any_denied(text: Text, slots: list[GivenSlot], clause: Clause) -> bool:
    """Tell whether a denial is of one of the slots in its clause: behind it, or its subject.

    "The city where Messi played in 2019 is not London" and "Messi's city is not London" deny nothing of Messi nor of 2019.
    """
    places = [place for slot in slots for place in slot.places_in(clause)]
    head = next((n for n in range(clause.first, clause.last) if text.words[n] in _SUBORDINATE), clause.last)
    return any(clause.denials[0] < first or (first < head and not _possessive(text, last)) for first, last in places)


def _possessive(text: Text, last: int) -> bool:
    """Tell whether the words up to `last` end in an 's."""
    return text.original[text.ends[last - 1] - 2 : text.ends[last - 1]] in ("'s", "’s")


def _about_each_other(explanation: Explanation, clause: Clause) -> Iterator[Contradiction]:
    """Yield slots denied of one another, away from the entity ("Ann Lowe never worked with Bo Hart")."""
    if len(explanation.facts) <= _A_PAIR:
        return
    sentence = explanation.text.sentences[clause.sentence]
    in_sentence = [slot for slot in explanation.facts if slot.places_in(sentence)]
    in_clause = [slot for slot in in_sentence if slot.places_in(clause)]
    # A sentence with all that is given is the question again, as a denial.
    if _A_PAIR <= len(in_sentence) < len(explanation.facts) and _any_denied(explanation.text, in_clause, clause):
        for slot in in_clause:
            yield Contradiction(slot.slot, explanation.text.span(clause.first, clause.last))
