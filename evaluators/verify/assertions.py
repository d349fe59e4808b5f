"""The assertions of a text: what it tells outright, and where it names what a claim does.

Outright is what is no question, not reported of others, under no "if" or "whether", and not said to be unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import pairwise

from evaluators.verify.abstention import cut_off
from evaluators.verify.proposition import (
    ALIKE,
    DECADE,
    EARLIER,
    LATER,
    LESS,
    MORE,
    NO_MEANING,
    PREPOSITIONS,
    YEAR,
    Claim,
    Value,
    WordRange,
    is_kin,
    stems_of,
)
from evaluators.verify.question import Question
from evaluators.verify.reading.clauses import Clause, clauses
from evaluators.verify.reading.names import Name, everywhere
from evaluators.verify.reading.text import Text, phrase
from evaluators.verify.reading.unknowing import professions
from evaluators.verify.reading.words import HONORIFICS, any_pattern, content_stems, word_list
from evaluators.verify.rivals import describes, names_in
from kg.numbers import Number, find_numbers, same_number
from kg.units import alike, units_of

POINTERS, KINDS = frozenset(word_list("pointing")["words"]), frozenset(word_list("pointing")["kinds"])
_RELATIVE = (["which"], ["who"], ["whose"], ["that"], ["where"])
MAKERS = frozenset(stems_of(word_list("copular")["makers"]))
_REPORTED, _ASKED = any_pattern("reported"), any_pattern("asked")
_OPEN = re.compile(
    r"\b(?:whether|(?:if|unless)(?! (?:i\b|i'm|memory|my memory))|in case|(?:im)?possible that)\b", re.IGNORECASE
)
_COPULAR = frozenset([*word_list("copular")["words"], *stems_of(kind for kind in KINDS if not is_kin(kind))])


class Assertions:
    """What all rules look at: a text, a claim, and where the text names what the claim does."""

    def __init__(self, text: Text, claim: Claim, question: Question) -> None:
        self.text, self.claim, self.question = text, claim, question
        unknown = [said for said in professions(text) if said.kind in ("ignorance", "doubt")]
        # "It isn't named after Poland" is no lack of knowledge where that is what is asked.
        self.unknown = [said for said in unknown if claim.stems.isdisjoint(stems_of(text.words[said.first : said.last]))]
        names = [(first + (text.words[first] in _AUXILIARIES and last - first > 1), last) for first, last in names_in(text)]
        self.names = [place for place in names if not (describes(text, place) or _opens(text, place))]
        stopped = cut_off(text.original)
        last = len(text.sentences) - 1 if stopped else len(text.sentences)
        self.clauses = [self._without_names(part) for part in clauses(text) if part.sentence < last and self._is_said(part)]
        self.numbers = find_numbers(text.original) if any(value.number for value in claim.values) else ()
        self.places = {value: self._places(value) for value in claim.values}
        self.topics = self._topics()
        inside = {n for places in (*self.places.values(), self.topics) for place in places for n in range(*place)}
        self.clauses = [
            part._replace(denials=(*(n for n in part.denials if n not in inside), *self._passed_over(part)))
            for part in self.clauses
        ]

    def _is_said(self, part: Clause) -> bool:
        """Tell whether the writer says what a clause says: it is no question, no condition, not reported and not unknown."""
        text = self.text
        sentence = text.sentences[part.sentence]
        if text.original[sentence.start : sentence.end].rstrip(" \n\"')”").endswith("?"):
            return False
        start, end = text.span(part.first, part.last)
        if _REPORTED.search(text.original, start, end) or _OPEN.search(text.original, start, end):
            return False
        if _ASKED.search(text.original, sentence.start, sentence.end):
            return False
        return not any(
            part.first <= said.first < part.last
            or (sentence.first <= said.first < part.first and not _opposes(text, said.last, part.first))
            for said in self.unknown
        )

    def _without_names(self, part: Clause) -> Clause:
        """Leave out denials in names ("Tomorrow Never Dies"), and the "nor" that goes with another."""
        inside = {n for first, last in self.names if last - first > 1 for n in range(first + (first == part.first), last)}
        return part._replace(denials=tuple(n for n in part.denials if n not in inside and self.text.words[n] not in _BESIDE))

    def _passed_over(self, part: Clause) -> list[int]:
        """Return the words of a clause behind which stands what is not so ("Bo Hart *rather than* Ann Lowe")."""
        words = self.text.words
        found = [n for n in range(part.first + 1, part.last) if (words[n - 1], words[n]) in _PASSING]
        return [n for n in found if words[n - 1] not in self.claim.plain]

    def _topics(self) -> list[WordRange]:
        """Return where the text names the topic, or what a right explanation names."""
        named = [(entry.value, tuple(entry.aliases)) for entry in self.question.rationale]
        places = [(m.first, m.last) for said, aliases in named for m in everywhere(self.text, Name.of(said, aliases))]
        for value in (self.claim.topic, *self.claim.beside):
            if value is not None:
                places += [(m.first, m.last) for m in everywhere(self.text, Name.of(value.said))]
                places += self._parts_of_name(phrase(value.said))
        return places

    def _places(self, value: Value) -> list[WordRange]:
        text = self.text
        if value.kind == "year" and value.compared:
            return [text.words_of(*m.span()) for m in YEAR.finditer(text.original) if self._in_time(value, m)]
        if value.kind in ("year", "decade"):
            digits = value.said[: 4 if value.kind == "year" else 3]
            years = [m for pattern in (YEAR, DECADE) for m in pattern.finditer(text.original) if m[1].startswith(digits)]
            return sorted(text.words_of(*year.span()) for year in years)
        if value.number is not None:
            return [text.words_of(n.start, n.end) for n in self.numbers if self._fits(value, n) and not self._is_part(n)]
        words = phrase(value.said)
        places = [(m.first, m.last) for m in everywhere(text, Name.of(value.said))]
        return sorted({*places, *self._parts_of_name(words)}) or self.scattered(words)

    def _in_time(self, value: Value, year: re.Match[str]) -> bool:
        """Tell whether a year is before or after the one that the question claims, or said to be so."""
        asked, lead = int(value.said[:4]), self.text.original[max(0, year.start() - 40) : year.start()]
        said = "more" if LATER.search(lead) else "less" if EARLIER.search(lead) else ""
        if int(year[1]) == asked:
            return said == value.compared
        return int(year[1]) > asked if value.compared == "more" else int(year[1]) < asked

    def _fits(self, value: Value, found: Number) -> bool:
        """Tell whether a number is what the question claims: as much, or as much more or less."""
        asked = value.number
        if found.upto is not None and not value.compared and self._fits(value, found._replace(value=found.upto, upto=None)):
            return True  # "from 20 to 600 degrees"
        if asked is None or not comparable(asked, found):
            return asked is not None and asked.value == found.value and found.unit is None
        if asked.unit is None and value.compared and not self.counts(found, value):
            return False
        lead = self.text.original[max(0, found.start - 40) : found.start]
        said = "more" if MORE.search(lead) else "less" if LESS.search(lead) else ""
        if not value.compared or same_number(asked, found):
            return same_number(asked, found) and (not said or not value.compared or said == value.compared)
        one, other = _base(asked), _base(found)
        pairs = [(one[kind], other[kind]) for kind in one if kind in other]
        return bool(pairs) and all(b > a if value.compared == "more" else b < a for a, b in pairs)

    def counts(self, found: Number, value: Value) -> bool:
        """Tell whether a number without a unit counts what the claim does ("two oxygen atoms", "its atomic number is 52")."""
        if self._is_part(found):
            return False
        first, last = self.text.words_of(found.start, found.end)
        if not self.claim.counted.isdisjoint(stems_of(self.text.words[last : last + 2])):
            return True
        if self.claim.counted:
            return False
        sentence = self.text.sentences[self.text.sentence_of(first)]
        before = stems_of(self.text.words[max(sentence.first, first - _LEADING) : first])
        return bool(before) and before[-1] in value.stems

    def _is_part(self, found: Number) -> bool:
        """Tell whether a number counts a part of what was counted before ("four floors, three *of which* are open")."""
        last = self.text.words_of(found.start, found.end)[1]
        return tuple(self.text.words[last : last + 2]) in _OF_THEM

    def _parts_of_name(self, words: list[str]) -> list[WordRange]:
        """Find a name by some of its own words ("the Pulitzer"), or as a people ("Viennese")."""
        parts = [p for p in self.names if set(self.text.words[slice(*p)]) <= set(words) and not self._goes_on(p, words)]
        long_words = {word[:ALIKE] for word in words if len(word) >= ALIKE}
        peoples = [
            place for place in self.names if place[1] - place[0] == 1 and self.text.words[place[0]][:ALIKE] in long_words
        ]
        return sorted({*parts, *peoples})

    def _goes_on(self, place: WordRange, words: list[str]) -> bool:
        """Tell whether part of a name goes on otherwise ("Nobel Prize in Physics", of the one in Literature)."""
        following = self.text.words[place[1] : place[1] + 2]
        return len(following) > 1 and following[0] in PREPOSITIONS and following[0] in words and following[1] not in words

    def scattered(self, words: list[str]) -> list[WordRange]:
        """Find all words of a value in one clause, in any order ("a lack of vitamin D")."""
        wanted = {stem for stem in content_stems(words) if stem not in NO_MEANING}
        for part in self.clauses if wanted else ():
            inside = [n for n in range(part.first, part.last) if wanted.intersection(content_stems([self.text.words[n]]))]
            if wanted <= {stem for n in inside for stem in content_stems([self.text.words[n]])}:
                return [(inside[-1], inside[-1] + 1)]
        return []

    def inside(self, places: Iterable[WordRange], part: Clause) -> list[WordRange]:
        return [place for place in places if part.first <= place[0] < part.last]

    def all_places(self, part: Clause) -> list[WordRange]:
        """Return where a clause names a value of the claim."""
        return [place for places in self.places.values() for place in self.inside(places, part)]

    def until(self, part: Clause) -> bool:
        """Tell whether a denial only says when at last ("It did not come until 1991")."""
        before = () if any(value.compared for value in self.claim.values) else ("before",)
        return any(self.text.words[n] in ("until", "till", *before) for n in range(part.denials[0], part.last))

    def others(self, part: Clause, value: Value) -> bool:
        """Tell whether a clause may be about something else: it names that, or says what the value has ("Peru's capital")."""
        if any(part.first <= name[0] < part.last and not self.is_own(name) for name in self.names):
            return True
        return value.before == "of" and self.claim.topic is not None

    def other_years(self, part: Clause) -> list[WordRange]:
        text = self.text
        start, end = text.span(part.first, part.last)
        years = [text.words_of(*m.span()) for pattern in (YEAR, DECADE) for m in pattern.finditer(text.original, start, end)]
        return [year for year in years if text.words[year[0]][:ALIKE] not in self.claim.own]

    def is_own(self, name: WordRange) -> bool:
        """Tell whether a name has a word of the question, or only says where a place is ("Salinas, *California*")."""
        words = self.text.words[slice(*name)]
        own = [word for word in words if word[:ALIKE] in self.claim.own]
        if any(_is_namesake(words, phrase(value.said)) for value in self.claim.values):
            return False
        if own and (len(own) == len(words) or any(word not in KINDS and word not in PREPOSITIONS for word in own)):
            return True
        before = name[0] - 1
        chained = before >= 0 and self.text.original[self.text.ends[before] : self.text.starts[name[0]]] == ", "
        return chained and any(place[1] == name[0] for places in self.places.values() for place in places)

    def rivals(self, value: Value, part: Clause) -> Iterator[WordRange]:
        """Yield other values of the same kind in a clause."""
        text = self.text
        if value.kind in ("year", "decade"):
            yield from self.other_years(part)
        elif value.number is not None:
            for number in self.numbers:
                place = text.words_of(number.start, number.end)
                counted = value.number.unit is not None or self.counts(number, value)
                taken = any(place in places for places in self.places.values())
                if counted and not taken and self.inside([place], part) and comparable(value.number, number):
                    yield place
        else:
            known = self.topics if self.claim.exists or self.claim.given else []
            taken_words = {n for place in known for n in range(*place)}
            for name in self.inside(self.names, part):
                if not self.is_own(name) and taken_words.isdisjoint(range(*name)) and not self._describes(name, value, part):
                    yield name

    def _describes(self, name: WordRange, value: Value, part: Clause) -> bool:
        """Tell whether a name only says what a value is, or where from ("the *Peruvian* writer X", "a writer from *Lima*")."""
        following = next((place for place in self.places[value] if name[1] <= place[0] <= name[1] + _DESCRIBING), None)
        if (
            following is not None
            and self.text.original[self.text.ends[name[1] - 1] : self.text.starts[following[0]]].replace(" ", "").isalpha()
        ):
            return True
        if value.before not in ("", "by"):
            return False
        before = self.text.words[max(part.first, name[0] - 2) : name[0]]
        whence = next((word for word in reversed(before) if word not in _NAMING), "")
        return whence in _WHENCE or (whence in _WHEREIN and not value.stems.isdisjoint(MAKERS))  # "performed in *Lima*"

    def is_denied(self, place: WordRange, part: Clause) -> bool:
        return any(denial < place[0] for denial in part.denials) and not self.until(part)

    def on_topic(self, part: Clause) -> bool:
        """Tell whether a clause names the topic, or points back to it."""
        words = self.text.words[part.first : part.last]
        if self.claim.topic is not None and self.claim.topic.first < 0 and not self.claim.of_topic:
            return True  # all that is said to a probe is said of its topic
        if not POINTERS.isdisjoint(words) or words[:1] in _RELATIVE or self.inside(self.topics, part):
            return True
        kinds = any(before in ("the", "this", "that") and word in KINDS for before, word in pairwise(words))
        return kinds or self.claim.topic is None

    def words_of_claim(self, part: Clause) -> bool:
        return not self.claim.telling.isdisjoint(stems_of(self.text.words[part.first : part.last]))

    def in_slot(self, place: WordRange, part: Clause, value: Value, *, rival: bool = False) -> bool:
        """Tell whether a value stands where the claim has it: by a word of the claim, or by its preposition."""
        text, stems = self.text, value.stems if rival else self.claim.telling
        sentence = text.sentences[part.sentence]
        if value.number is not None:
            return self.on_topic(part) or self.words_of_claim(part)
        if not rival and self._is_people(place, value):
            return self.on_topic(part)  # "the Norwegian"
        ellipsis = part.last - part.first <= _ELLIPSIS
        start, end = part.first if rival and not ellipsis else sentence.first, part.last
        for at in range(place[0] - 1, max(start, place[0] - _REACH) - 1, -1):
            found = self._belongs(text.words[at])
            if stems & found and _leads(text, at, place[0], value, rival=rival):
                return True
            kind = text.words[at] in KINDS and not stems & self._belongs(text.words[at])
            if kind or text.words[at].isdigit() or text.words[at] in _HAPPENING:
                continue  # "in the *town* of Graz"
            if ";" in text.original[text.ends[at] : text.starts[at + 1]] or (
                found and ((rival and value.kind == "name") or not self._is_name(at))
            ):
                break
        following = range(place[1], min(end, place[1] + _REACH + rival))
        after = [text.words[n] for n in following if text.words[n] not in SMALL and (rival or not self._is_name(n))]
        if stems.intersection(stems_of(after[:2])) and not (rival and self._is_agent(place[1], end, value)):
            return True
        before = text.words[max(start, place[0] - _REACH) : place[0]]
        if "by" in before[-2:] and stems & MAKERS and any(word in KINDS and self._is_of_kind(word) for word in before):
            return True  # "a film by Ann Lowe"
        if not stems <= _COPULAR and stems:
            return False
        if value.before and value.before not in before[-3:]:
            return False
        if rival and value.before and not self._is_copular(before[: -1 - before[::-1].index(value.before)]):
            return False
        return self.on_topic(part) or len(text.words) <= FRAGMENT

    def _is_of_kind(self, kind: str) -> bool:
        """Tell whether a thing of a kind may be the topic: a song is no film."""
        families = [family for family in _FAMILIES if not family.isdisjoint(self.claim.own)]
        return not families or any(kind in family for family in families) or not any(kind in family for family in _FAMILIES)

    def _is_people(self, place: WordRange, value: Value) -> bool:
        """Tell whether a place is named by its people."""
        if place[1] - place[0] > 1 or value.before not in _WHEREABOUTS or self.text.words[place[0]] in phrase(value.said):
            return False
        return PREPOSITIONS.isdisjoint(self.text.words[max(0, place[0] - 2) : place[0]])

    def _is_copular(self, before: list[str]) -> bool:
        """Tell whether the words before a place only say that something is there ("it lies in", not "he took it from")."""
        content = stems_of(word for word in before if word not in SMALL and word[:ALIKE] not in self.claim.own)
        return not content or content[-1] in _COPULAR

    def _is_name(self, at: int) -> bool:
        """Tell whether a word is a number or part of a name."""
        return not self.text.original[self.text.starts[at]].islower()

    def _is_agent(self, first: int, last: int, value: Value) -> bool:
        """Tell whether words before a verb do what it says, while the question's value is where or when it is done."""
        if self.text.original[self.text.ends[first - 1] - 2 : self.text.ends[first - 1]] in ("'s", "’s", "s'"):
            return False
        return value.before not in ("", "by") and _LINKING.isdisjoint(self.text.words[first:last])

    def _belongs(self, word: str) -> frozenset[str]:
        """Return the stems of a word that a value may belong to; none for a word of another value."""
        found = frozenset(stems_of([word]))
        return found if found & self.claim.stems or word[:ALIKE] not in self.claim.own else frozenset()


_HAPPENING = frozenset({"held", "took", "taken", "place", "happened", "occurred", "came", "celebrated"})
"""Words that only say that something happened ("The opening *took place* in 1936")."""
_LINKING = frozenset({"is", "was", "are", "were", "where", "when", "being", "remains"})


def _leads(text: Text, at: int, place: int, value: Value, *, rival: bool) -> bool:
    """Tell whether a word of the claim leads to a value as in the question: "directed by", not "directed"."""
    between = text.words[at + 1 : place]
    if not rival or not value.before or not _LINKING.isdisjoint(between):
        return True
    if value.before == "by":
        return "by" in between or not (text.words[at].endswith("ed") or between)
    if value.before in _DIRECTIONS and "by" not in between and not text.words[at].endswith("ed"):
        return True  # "reaches the Black Sea"
    linking = [word for word in between if word in PREPOSITIONS]
    return bool(linking) and linking[-1] != "by"


_WHEREABOUTS = frozenset({"in", "from", "of", "at"})
_DIRECTIONS = frozenset({"into", "to", "through"})
_REACH = 6
"""So many words around a value hold the word that it belongs to."""
_ELLIPSIS = 4
"""A clause of so few words has its verb before it ("It did win, but in 1978")."""
FRAGMENT = 6
"""So few words are no sentence with a subject of its own."""
SMALL = frozenset(word_list("small")["words"])


_DESCRIBING = 3
_WHEREIN = frozenset({"in", "at", "on"})
_WHENCE, _NAMING = frozenset({"from", "near", "alongside"}), frozenset({"the", "a", "an", "its", "his", "her", "their"})
# Words of one family name the same thing; those of the question are cut to their beginnings.
_FAMILIES = tuple(frozenset(family) for family in word_list("families")["words"])
_LEADING = 5
"""So many words before a number hold what it is the number of."""


def _is_namesake(words: list[str], value: list[str]) -> bool:
    """Tell whether a name has the last word of a value behind another first one ("Brian Herbert", "South Carolina")."""
    if len(words) < 2 or len(value) < 2 or set(value) <= set(words):
        return False
    if words[0] == value[0] and len(words) == len(value) == 2 and words[0] not in KINDS and words[0] not in HONORIFICS:
        return words[1] not in value  # "Terry Jones", of Terry Gilliam
    if words[-1] != value[-1]:
        return False
    return words[0] not in value and len(words[0]) > _INITIALS and words[0] not in HONORIFICS and words[0] not in KINDS


_INITIALS = 3


_AUXILIARIES = frozenset(
    {"did", "does", "do", "was", "is", "were", "are", "has", "had", "have", "can", "could", "will", "would"}
)
"""Verbs that begin a question, and no name ("*Did* Ann Lowe write it?")."""


def _opens(text: Text, place: WordRange) -> bool:
    """Tell whether a single word only begins a sentence ("Indeed", "I'm", "Originally, ...")."""
    word = text.words[place[0]]
    adverb = word.endswith(("bly", "tely", "ntly", "edly", "usly", "ally", "arly"))
    return place[1] - place[0] == 1 and (word in _OPENERS or adverb)


_OPENERS = word_list("openers")
_OF_THEM = frozenset(("of", them) for them in ("which", "whom", "them", "these", "those"))
_PASSING = frozenset({("rather", "than"), ("instead", "of"), ("far", "from"), ("opposed", "to")})
_BESIDE = frozenset({"nor", "unlike"})


def _opposes(text: Text, first: int, last: int) -> bool:
    """Tell whether between two words something is opposed ("I'm not certain, but it is true")."""
    between = text.words[first : last + 2]
    return not _BUT.isdisjoint(between)


_BUT = frozenset({"but", "however", "though", "although", "yet", "still", "think", "believe", "guess", "say", "nevertheless"})


def _base(number: Number) -> dict[object, Decimal]:
    """Return a number in the base units of what it may measure."""
    return {unit.dimensions: unit.base(number.value) for unit in units_of(number.unit or "")} or {None: number.value}


def comparable(asked: Number, found: Number) -> bool:
    return alike(asked.unit, found.unit) and bool(asked.unit) == bool(found.unit)
