"""Whether a text says again what a question claims, denies it, or gives something else in its place.

A question claims values ("Was **Casablanca** directed by **Hitchcock**?", "born in the **1940s**") of which one is the topic,
what the text may point back to ("it", "he"), and says with its other words how they belong together ("directed"). The first
that holds decides:

| the text | so the claim |
|---|---|
| denies a value, or the words of the claim without another value ("It wasn't Hitchcock", "He never directed it") | fails |
| has the claimed day in another year ("on 7 June, but in 1849"), or another place "where he died" | fails |
| has all values where the claim has them ("It was directed by Hitchcock") | holds |
| has another value there ("It was directed by Michael Curtiz", "born in 1937"), or the premise's true object | fails |
| has all values, beside the topic or what points to it ("Bell Labs it was") | holds |

Not read are questions, what others say, what stands under an "if" or "whether", and what is not known.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from evaluators.verify.assertions import FRAGMENT, POINTERS, SMALL, Assertions
from evaluators.verify.claims import claims_of
from evaluators.verify.counterclaim import countered
from evaluators.verify.proposition import (
    ALIKE,
    ALL,
    NO_MEANING,
    PREPOSITIONS,
    Claim,
    Value,
    WordRange,
    amount_of,
    stems_of,
)
from evaluators.verify.question import Question
from evaluators.verify.reading.clauses import Clause
from evaluators.verify.reading.names import Name, everywhere
from evaluators.verify.reading.text import Span, Text, phrase
from evaluators.verify.reading.words import EVERYDAY, tells_doing, word_list
from evaluators.verify.support import is_of_relative, label_of
from kg.dates import find_dates

_NOTHING = Value("", "", 0, 0)


class Stance(NamedTuple):
    """Whether a claim holds, as a text says, and the characters that say so.

    `firm` is false where it is not said in the claim's words, `denied` true where something is denied.
    """

    holds: bool
    span: Span
    firm: bool = True
    denied: bool = False


def stance(text: Text, claim: Claim, question: Question) -> Stance | None:
    """Tell whether a text says that a claim holds or fails; null where it says neither.

    >>> from evaluators.verify.proposition import claim_of
    >>> asked = Question("Was Casablanca directed by Hitchcock?")
    >>> [stance(Text(said), claim_of(asked), asked).holds for said in ("Hitchcock directed it.", "It was directed by Curtiz.")]
    [True, False]
    >>> stance(Text("Casablanca is a film."), claim_of(asked), asked)
    """
    if len(text.original) > _LONGEST:
        return None
    return _Reader(text, claim, question).stance()


_LONGEST = 10_000
"""A text of more characters is not looked through: each of its clauses would be compared with each of its names."""


class _Reader(Assertions):
    """The rules, each of which tells whether the claim holds, or says nothing."""

    def stance(self) -> Stance | None:
        """Return the first that holds of the rules."""
        if not (self.claim.values or self.claim.stems):
            return None
        found = self._labelled() or self._denied() or self._opposed() or self._redated() or self._elsewhere()
        found = found or self._fewer() or self._countered() or self._identified()
        found = found or self._of_another() or self._done_by_another()
        found = found or self._affirmed(firm=True)
        if found or not self.clauses:
            return found
        if len(self.claim.values) > 1 and not self.claim.identity:
            return self._affirmed(firm=False) or self._replaced() or self._last() or self._example() or self._pointed()
        return self._replaced() or self._affirmed(firm=False) or self._example() or self._pointed() or self._bare()

    def _labelled(self) -> Stance | None:
        """Find what stands behind a label of the claim's words in a list or table ("Born: Oslo, 1851", "Opening; 1936")."""
        text, value = self.text, self.claim.values[-1] if self.claim.values else _NOTHING
        if not value.stems or value.kind not in ("name", "year") or value.compared or self.question.task != "yes_no":
            return None
        for n, sentence in enumerate(text.sentences if ":" in text.original or ";" in text.original else ()):
            label = label_of(text, sentence)
            if not label or not value.stems.issuperset(stems := set(stems_of(label))) or not stems:
                continue
            rest = Clause(sentence.first + len(label), sentence.last, n, ())
            own, others = self.inside(self.places[value], rest), [*self.rivals(value, rest)]
            if own or others:
                return Stance(bool(own), text.span(*(own or others)[0]))
        return None

    def _denied(self) -> Stance | None:
        for at, part in enumerate(self.clauses):
            if (
                len(part.denials) % 2
                and not self._of_writer(part)
                and not self.until(part)
                and not self._is_of_figures(part)
                and (self._denies_value(part) or self._denies_words(part, at))
            ):
                return Stance(False, self.text.span(part.first, part.last), denied=True)
        return None

    def _of_topic(self, at: int) -> bool:
        return any(first <= at < last for first, last in self.topics)

    def _opposed(self) -> Stance | None:
        """Find the opposite of a word of the claim in its place ("the east coast" for the west coast)."""
        wanted = self.claim.plain & _OPPOSITES.keys()
        for part in self.clauses if wanted else ():
            words = self.text.words[part.first : part.last]
            told = any(not _OPPOSITES[word].isdisjoint(words) and word not in words for word in wanted)
            near = self.words_of_claim(part) or self.all_places(part) or len(words) <= _BRIEF
            if told and not part.denials and self.on_topic(part) and near:
                return Stance(False, self.text.span(part.first, part.last), denied=True)
        return None

    def _redated(self) -> Stance | None:
        """Find the claimed day in another year, and nowhere in its own ("born on 7 June, that much is right, but in 1849")."""
        text, years = self.text, [value.said[:4] for value in self.claim.values if value.kind == "year" and not value.compared]
        asked = [date for date in find_dates(self.question.text) if years and date.precision == "day"]
        wanted = next((date.first for date in asked if str(date.first // _YEAR) in years), 0)
        told = find_dates(text.original) if wanted else ()
        said = {part.sentence for part in self.clauses if not part.denials and self.words_of_claim(part)}
        others = []
        for n, date in enumerate(told):
            sentence = text.sentence_of(text.word_at(date.start))
            if date.first % _YEAR != wanted % _YEAR or sentence not in said or " and " in text.original[date.start : date.end]:
                continue
            later = [each for each in told[n + 1 :][:1] if each.start < text.sentences[sentence].end]
            near = [date] if date.precision == "day" else [*told[:n], *later]
            if any(each.first // _YEAR == wanted // _YEAR for each in near):
                return None
            others += [each for each in near if each.start >= date.start]
        return Stance(False, (others[0].start, others[0].end), denied=True) if others else None

    def _elsewhere(self) -> Stance | None:
        """Find another place that a text points back to with the words of the claim ("Bari, which is also *where he died*")."""
        places = [value for value in self.claim.values if value.before in ("in", "at") and value.kind == "name"]
        words = self.text.words
        for value in places:
            for part in self.clauses:
                at = next((n for n in range(part.first, part.last) if words[n] == "where"), None)
                if at is None or part.denials or value.stems.isdisjoint(stems_of(words[at + 1 : at + _NEAR])):
                    continue
                first = self.text.sentences[part.sentence].first
                before = [name for name in self.names if first < name[0] < at and self._is_placed(name)]
                own = any(first <= place[0] < self.text.sentences[part.sentence].last for place in self.places[value])
                denied = before and any(each.denials and self.inside(before[-1:], each) for each in self.clauses)
                if before and not own and not denied and not self.is_own(before[-1]):
                    return Stance(False, self.text.span(*before[-1]), denied=True)
        return None

    def _is_placed(self, name: WordRange) -> bool:
        """Tell whether a name may be that of a place: behind "in" or the like, or what "it is"."""
        return not _PLACING.isdisjoint(self.text.words[max(0, name[0] - 3) : name[0]])

    def _countered(self) -> Stance | None:
        """Find what a text puts outright in the place of a probe's value ("The author was Ann Lowe")."""
        topic = self.claim.topic
        probed = topic is not None and topic.first < 0 and len(self.claim.values) == 1
        found = countered(self, self.claim.values[0]) if probed else None
        return Stance(found.own, found.span, firm=found.own, denied=not found.own) if found else None

    def _of_writer(self, part: Clause) -> bool:
        """Tell whether the writer denies something of himself ("I don't have its height"), not that it is so."""
        at = part.denials[0]
        if not _MINE.isdisjoint(pairwise(self.text.words[part.first : part.last])):
            return True
        return "i" in self.text.words[max(part.first, at - 3) : at] and _THINKING.isdisjoint(self.text.words[at : at + 3])

    def _is_of_figures(self, part: Clause) -> bool:
        """Tell whether something else is said not to be so, of which the writer tells ("figures that don't agree")."""
        at, words = part.denials[0], self.text.words
        relative = at - part.first > 1 and len(part.denials) == 1 and words[at - 1 : at] in _RELATIVES
        return relative and not _WRITER.isdisjoint(words[part.first : at])

    def _denies_value(self, part: Clause) -> bool:
        """Tell whether a denial in a clause concerns a value: it stands before it without a comma, or behind it."""
        for first, last in self.all_places(part):
            for denial in part.denials:
                between = self.text.original[slice(*sorted((self.text.ends[denial], self.text.starts[first])))]
                others = [name for name in self.names if denial < name[0] < part.last and not self._is_apart(denial, name)]
                if denial < first and "," not in between:
                    return True
                if denial > last - 1 and not others and not self._echoes_another(part, first, denial):
                    return True
        return False

    def _echoes_another(self, part: Clause, first: int, denial: int) -> bool:
        """Tell whether a short denial answers what was said of something else ("Cox wanted to sell; *Ash did not*")."""
        before = next((other for other in self.clauses if other.last == part.first and other.sentence == part.sentence), None)
        if before is None or denial + 1 < part.last or part.last - first > FRAGMENT:
            return False
        return bool(self.inside(self.names, before)) and not self.words_of_claim(before) and not self.on_claim(before)

    def on_claim(self, part: Clause) -> bool:
        """Tell whether a clause names a value, or the topic, of the claim."""
        return bool(
            self.all_places(part)
            or self.inside(self.topics, part)
            or not _IT.isdisjoint(self.text.words[part.first : part.last])
        )

    def _stand_elsewhere(self, denied: Clause) -> bool:
        """Tell whether all values stand in the claim's place in other clauses: what is denied is something else."""
        others = [part for part in self.clauses if part != denied and not part.denials]
        values = self.claim.values
        return bool(values) and all(any(self._stands(value, part, firm=True) for part in others) for value in values)

    def _is_apart(self, denial: int, name: WordRange) -> bool:
        """Tell whether a name behind a denial is not what that denies: its own, or behind a comma ("X did not, Y did")."""
        between = self.text.original[self.text.ends[denial] : self.text.starts[name[0]]]
        return self.is_own(name) or ("," in between and name[0] > denial + 1)

    def _denies_words(self, part: Clause, at: int) -> bool:
        """Tell whether a clause denies what the claim says, of the topic, without naming another value."""
        if [name for name in self.names if part.first <= name[0] < part.last and not self.is_own(name)]:
            return False
        words = self.text.words[part.first : part.last]
        rest = [word for word in words if word not in EVERYDAY and word not in NO_MEANING and word not in SMALL]
        rest = [word for n, word in enumerate(words, part.first) if word in rest and not self._of_topic(n)]
        if not rest and self.inside(self.topics, part):
            return True  # "..., the Elbe does not"
        before = self.clauses[at - 1] if at else None
        if not rest and before is not None and before.sentence == part.sentence and self.all_places(before):
            return True  # "A Shelley wrote it, but not that one."
        stems = set(stems_of(words)) & self.claim.stems
        if not stems or not self.on_topic(part) or self.other_years(part):
            return False
        return len(rest) <= len(stems) or not self._stand_elsewhere(part)

    def _identified(self) -> Stance | None:
        """Find what the claim says of a value said of something else than the topic ("The river through Basel is the Aare")."""
        for part in self.clauses if self.claim.topic else ():
            if self._cleft(part):
                return Stance(False, self.text.span(part.first, part.last))
            end = [n for n in range(part.first + 1, part.last) if self.text.words[n] in ("is", "was", "are", "were")][-1:]
            names = [name for name in self.names if end and end[0] < name[0] <= end[0] + 2 and name[1] == part.last]
            lead = Clause(part.first, end[0] if end else part.first, part.sentence, ())
            if not names or part.denials or self.is_own(names[0]) or self.text.words[part.first] not in ("the", "this"):
                continue
            if self.inside(self.all_places(lead), lead) and not self.inside(self.topics, lead) and self.words_of_claim(lead):
                return Stance(False, self.text.span(part.first, part.last))
        return None

    def _cleft(self, part: Clause) -> bool:
        """Tell whether a clause says the claim of somebody else ("It was Bo Hart who played for Ghent")."""
        words, first = self.text.words, part.first
        if words[first : first + 1] != ["it"] or words[first + 1 : first + 2] not in (["was"], ["is"]):
            return False
        name = next((name for name in self.names if name[0] == first + 2), None)
        if name is None or part.denials or words[name[1] : name[1] + 1] not in (["who"], ["that"]):
            return False
        return name not in self.topics and not self.is_own(name) and bool(self.all_places(part)) and self.words_of_claim(part)

    def _of_another(self) -> Stance | None:
        """Find something else that is of a value what the topic is said to be ("Hungary's currency is the forint")."""
        for value in self.claim.values if self.claim.of_topic and self.claim.topic else ():
            for part in self.clauses:
                words = self.text.words[part.first : part.last]
                about = value.before == "of" and self.inside(self.places[value], part) and self.words_of_claim(part)
                if about and not part.denials and not _COPULAS.isdisjoint(words) and not self.on_topic(part):
                    return Stance(False, self.text.span(part.first, part.last))
        return None

    def _done_by_another(self) -> Stance | None:
        """Find somebody else who did what the question says of its topic ("Ash was made *by Ann Lowe*")."""
        words, telling = self.text.words, self.claim.telling
        if any(value.before == "by" for value in self.claim.values):
            return None
        for part in self.clauses if "by" in words else ():
            at = next((n for n in range(part.first + 1, part.last) if words[n] == "by"), None)
            if at is None or part.denials or telling.isdisjoint(stems_of(words[max(part.first, at - 2) : at])):
                continue
            behind = Clause(at + 1, min(part.last, at + _AGENT_REACH), part.sentence, ())
            agents = self.inside(self.names, behind)
            if not agents or self.inside(self.topics, behind) or self.all_places(behind) or self.is_own(agents[0]):
                continue
            if self.all_places(part) or self.on_topic(part):
                return Stance(False, self.text.span(at, agents[0][1]))
        return None

    def _fewer(self) -> Stance | None:
        """Find fewer than the question claims ("She won *only one*", "*two of the* four", where it claims all four)."""
        claimed, words = self.claim.amount, self.text.words
        for match in _FEW.finditer(self.text.original) if claimed else ():
            first, last = self.text.words_of(*match.span())
            part = next((part for part in self.clauses if part.first <= first < part.last), None)
            if part is None or part.denials or not (self.on_topic(part) or self.words_of_claim(part)):
                continue
            told, whole = amount_of((match["only"] or match["some"]).lower()), amount_of((match["whole"] or "").lower())
            elsewhere = any(amount_of(word) == claimed for n, word in enumerate(words) if not first <= n < last)
            of_all = match["whole"] and claimed == ALL
            if told is not None and (whole is None or told < whole) and (of_all or (told < claimed and not elsewhere)):
                return Stance(False, match.span(), denied=True)
        return None

    def _affirmed(self, *, firm: bool) -> Stance | None:
        """Find all values of the claim, undenied; `firm` where each stands where the claim has it."""
        if not self.claim.values:
            return self._repeated() if firm else None
        found = []
        for value in self.claim.values:
            place = next((place for part in self.clauses if (place := self._stands(value, part, firm=firm))), None)
            if place is not None:
                found.append(place)
        missing = len(self.claim.values) - len(found)
        if not found or missing > 1 or (missing and not self._points_back(found[0])):
            return None
        return Stance(True, self.text.span(*found[0]), firm)

    def _points_back(self, place: WordRange) -> bool:
        """Tell whether a sentence that names one of two values points back to the other."""
        if not self.claim.identity:
            return False
        sentence = self.text.sentences[self.text.sentence_of(place[0])]
        return not POINTERS.isdisjoint(self.text.words[sentence.first : sentence.last])

    def _stands(self, value: Value, part: Clause, *, firm: bool) -> WordRange | None:
        """Return where a clause has a value: in the claim's place if `firm`, else beside the topic or words of the claim."""
        places = self.inside(self.places[value], part)
        if not places or (part.denials and not self._contrasts(part, places)):
            return None
        places = [place for place in places if not self._owns_another(place, part)]
        if not places:
            return None
        sentence = self.text.sentences[part.sentence]
        whole = Clause(sentence.first, sentence.last, part.sentence, ())
        if firm and not self._of_other(part):
            near = self.on_topic(part) or not self.others(part, value)
            leading = self.on_topic(whole) and value.before != "of"
            return next(
                (
                    place
                    for place in places
                    if (near or (leading and not self.others(Clause(part.first, place[0], part.sentence, ()), value)))
                    and self.in_slot(place, part, value)
                ),
                None,
            )
        if firm or (self.others(whole, value) and not self.on_topic(whole)):
            return None
        short = sentence.last - sentence.first <= FRAGMENT
        return places[0] if short or self.on_topic(whole) or self.words_of_claim(whole) else None

    def _owns_another(self, place: WordRange, part: Clause) -> bool:
        """Tell whether a clause says what something else of a value is ("Saturn's moon with geysers is Enceladus")."""
        end = self.text.ends[place[1] - 1]
        if place[0] != part.first or self.text.original[end - 2 : end] not in ("'s", "’s"):
            return False
        copula = next((n for n in range(place[1], part.last) if self.text.words[n] in _COPULAS), part.last)
        return any(copula < name[0] < part.last and not self.is_own(name) and name not in self.topics for name in self.names)

    def _of_other(self, part: Clause) -> bool:
        """Tell whether a clause says of something else what the claim says of its topic ("the capital of *Peru*")."""
        topic = self.claim.topic
        if topic is None or topic.before != "of" or self.inside(self.topics, part):
            return False
        own = set(phrase(topic.said))
        of_names = [
            n
            for n in self.inside(self.names, part)
            if self._preceded(n, part, "of") and own.isdisjoint(self.text.words[slice(*n)])
        ]
        return any(self.in_slot(name, part, topic) for name in of_names)

    def _preceded(self, place: WordRange, part: Clause, word: str) -> bool:
        return word in self.text.words[max(part.first, place[0] - 2) : place[0]]

    def _contrasts(self, part: Clause, places: list[WordRange]) -> bool:
        """Tell whether a clause denies something else, and only sets a value off against it."""
        return all(
            any(d < name[0] and not self.is_own(name) for name in self.names) and d > places[-1][0] for d in part.denials
        )

    def _last(self) -> Stance | None:
        """Find the last of several values, of the topic: the others only tell what is meant."""
        if self.claim.subject and not self.claim.topic and not self.places[self.claim.values[0]]:
            return None  # what is claimed is what the first one is
        value = self.claim.values[-1]
        place = next((place for part in self.clauses if (place := self._stands(value, part, firm=True))), None)
        return Stance(True, self.text.span(*place), firm=False) if place else None

    def _pointed(self) -> Stance | None:
        """Find a clause with words of the claim that only points back to the values ("He wrote it", "such a film")."""
        for part in self.clauses:
            comma = self.text.original.find(",", *self.text.span(part.first, part.last))
            words = self.text.words[part.first : self.text.word_at(comma) if comma > 0 else part.last]
            small = [w for n, w in enumerate(words, part.first) if self.text.original[self.text.starts[n]].islower()]
            stems = {*stems_of(words if self._has_years else small)}
            if part.denials or not stems & self.claim.stems:
                continue
            pointers = sum(word in POINTERS for word in words) + bool(self.inside(self.topics, part)) + ("there" in words)
            retold = len(stems & self.claim.stems) > 1 and self.claim.stems <= stems and self.on_topic(part)
            if retold and not self.others(part, _NOTHING):
                return Stance(True, self.text.span(part.first, part.last), firm=False)
            says = (
                self.claim.subject
                and words[:1] in _PRONOUNS
                and self.claim.stems <= stems
                and not _NAMING.isdisjoint(words[1:5])
            )
            if says and not self.others(part, _NOTHING):
                return Stance(True, self.text.span(part.first, part.last), firm=False)
            if "such" in words or (pointers > 1 and stems <= self.claim.stems and not self.others(part, _NOTHING)):
                return Stance(True, self.text.span(part.first, part.last), firm=False)
        return None

    @property
    def _has_years(self) -> bool:
        return any(value.kind != "name" for value in self.claim.values)

    def _example(self) -> Stance | None:
        """Find what a right explanation names, where a question asks whether there is such a thing."""
        if not (self.claim.exists or self.claim.given) or len(self.text.words) > _EXAMPLE:
            return None
        place = next((place for part in self.clauses if not part.denials for place in self.inside(self.topics, part)), None)
        return Stance(True, self.text.span(*place), firm=False) if place else None

    def _repeated(self) -> Stance | None:
        """Find a claim that has no values by its words."""
        for part in self.clauses:
            stems = {stem[:ALIKE] for stem in stems_of(self.text.words[part.first : part.last])}
            if len(self.claim.stems) > 1 and {stem[:ALIKE] for stem in self.claim.stems} <= stems:
                return Stance(not part.denials, self.text.span(part.first, part.last))
        return None

    def _replaced(self) -> Stance | None:
        """Find another value in the place of one that the text does not stand by."""
        for value in self.claim.values:
            if any(self._stands(value, part, firm=True) for part in self.clauses) or (self.claim.exists and self.places[value]):
                continue
            for part in self.clauses:
                for place in self.rivals(value, part):
                    if self._within(value, place) or self.is_denied(place, part):
                        continue
                    if is_of_relative(self.text, (part.first, place[0]), value.stems):
                        continue
                    if self.in_slot(place, part, value, rival=True):
                        return Stance(False, self.text.span(*place))
        return self._true_object()

    def _within(self, value: Value, place: WordRange) -> bool:
        """Tell whether a sentence names a place, and the value as what that is in ("in the Caspian Sea, in *Russia*")."""
        if value.before not in ("in", "at", "on"):
            return False
        sentence = self.text.sentences[self.text.sentence_of(place[0])]
        behind = [first for first, _ in self.places[value] if place[1] <= first < sentence.last]
        return any(
            self.text.words[first - 1] in (value.before, "of") and not any(map(tells_doing, self.text.words[place[1] : first]))
            for first in behind
        )

    def _true_object(self) -> Stance | None:
        """Find a true object of the premise record, or what a right explanation names in place of a claimed value."""
        places = self._true_places()
        if not places or not self.claim.values:
            return None
        claimed = [place for found in self.places.values() for place in found]
        for part in self.clauses:
            for place in self.inside(places, part):
                if not self.is_denied(place, part) and self.in_slot(place, part, self.claim.values[-1], rival=True):
                    return Stance(False, self.text.span(*place))
        for part in self.clauses:
            if self.inside(claimed, part) and self.on_topic(part):
                return None
        for part in self.clauses:
            for place in self.inside(places, part):
                if not self.is_denied(place, part) and (self.on_topic(part) or not claimed):
                    return Stance(False, self.text.span(*place))
        return None

    def _true_places(self) -> list[WordRange]:
        """Return where the text names what is so, where the question claims something else."""
        premise = self.question.premise
        if premise is None:
            claims = {
                given.slot: phrase(given.value) for given in self.question.given if given.slot in claims_of(self.question)
            }
            entries = [e for e in self.question.rationale if e.slot in claims and phrase(e.value) != claims[e.slot]]
            return [(m.first, m.last) for e in entries for m in everywhere(self.text, Name.of(e.value, tuple(e.aliases)))]
        mine = phrase(premise.object)
        others = [true for true in premise.true_objects if phrase(true.label) != mine]
        if len(others) < len(premise.true_objects):
            return []
        places = [(m.first, m.last) for true in others for m in everywhere(self.text, Name.of(true.label, tuple(true.aliases)))]
        unsaid = set(mine) - set(phrase(self.question.text))
        for true in others if not places and unsaid else ():
            places += self.scattered([word for word in phrase(true.label) if word not in unsaid])
        return places

    def _bare(self) -> Stance | None:
        """Read a text that is nothing but a name, of one value or of another."""
        words, part = self.text.words, self.clauses[0]
        if (
            not self.claim.values
            or len(words) > FRAGMENT
            or self.claim.given
            or self.claim.exists
            or len(self.clauses) > 1
            or part.denials
        ):
            return None
        named = {n for first, last in (*self.names, *self.all_places(part)) for n in range(first, last)}
        if not named or any(n not in named and word not in SMALL and word not in PREPOSITIONS for n, word in enumerate(words)):
            return None
        own = bool(self.all_places(part))
        if not own and self.is_own(self.names[0]):
            return None
        return Stance(own, self.text.span(min(named), max(named) + 1), firm=False)


_AGENT_REACH = 8
"""So many words behind a "by" may name who did it ("by his old friend and teacher Ann Lowe")."""
_COUNT = r"[a-z]+|\d{1,3}"
_FEW = re.compile(
    rf"\b(?:only|just|merely|a mere|no more than|not more than)(?: (?!on\b|in\b|by\b|after\b)\w+){{0,2}}?"
    rf" (?P<only>{_COUNT})\b(?![.,:]?\d)"
    rf"|\b(?P<some>{_COUNT}) (?:out )?of (?:the |his |her |its |their |these |those |all )*(?P<whole>{_COUNT})\b",
    re.IGNORECASE,
)

_WRITER = frozenset({"i", "ive", "we", "weve"})
_RELATIVES = (["that"], ["which"], ["who"])
_OPPOSITES = {word: frozenset(others) for word, others in word_list("opposites").items()}
_PRONOUNS = (["it"], ["he"], ["she"], ["they"])
_NAMING = frozenset({"the", "a", "an", "its", "his", "her", "their"})
_IT = frozenset({"it", "this", "that"})
_BRIEF = 8
"""A clause of so few words has nothing else to say."""
_COPULAS = frozenset({"is", "was", "are", "were"})
_EXAMPLE = 20
"""A text of so few words that names an example names nothing else."""
_YEAR = 10_000
"""What a year counts in a date, beside months and days."""
_NEAR = 6
"""So many words behind "where" hold the verb."""
_PLACING = frozenset({"in", "at", "of", "to", "is", "was"})
_MINE = frozenset(("my", what) for what in ("information", "knowledge", "memory", "records", "data", "training", "sources"))
_THINKING = frozenset({"think", "believe", "agree", "say", "suppose"})
