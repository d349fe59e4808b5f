"""Who or what a text puts in the place where the question has its object: the object itself, a true one, or another.

To name one is not enough: it must be said to be what the question says of its object.

| the text has | example |
|---|---|
| nothing besides but numbers | "Strauss, 1866.", "but in Princeton" |
| its agent, or a copula before it | "composed by Strauss", "The composer was Strauss" |
| its possessive | "Strauss's waltz" |
| a word of the relation before it, with a preposition or not | "died in Princeton", "married Diego Rivera" |
| a word of the relation right behind it | "Canberra became the capital" |

What stands beside, before or after what is asked ("had first been married to", "together with", "in the same year as") is in
no such place, nor what others say, what is asked, denied or declined.
"""

from __future__ import annotations

import re
from itertools import pairwise

from evaluators.verify.premises.lists import listed
from evaluators.verify.premises.matter import FUNCTION
from evaluators.verify.premises.reading import Reading, is_number
from evaluators.verify.premises.rebuttal import DECLINED, SUBORDINATE
from evaluators.verify.premises.things import Place
from evaluators.verify.reading.text import Span, lazy

_BESIDE = listed("beside")
_COPULAS = listed("copulas")
_PLACING = listed("placing")
_ASIDE = listed("aside")
_PRONOUNS = listed("pronouns")
_PERSONS = listed("persons")
_DETERMINERS = listed("determiners")
_THINGS = listed("things")
_POINTED = listed("passing")
_LIGHT = listed("light")
_REPORTING = listed("reporting") | listed("telling")
_FALLING, _CREATIONS = listed("falling"), listed("creations")
_CONTRASTING = listed("contrasting")
_OWNERS = frozenset({"his", "her", "its", "their", "the"})
_LINKS = frozenset({"by", "is", "was", "are", "were"})
_POSSESSIVE = re.compile(r"'s\b|s'")
_QUESTION = re.compile(r"\?[\"')\]\s]*\Z")
_MOVED_ON = listed("moved_on")
_CONCEDING = frozenset({"while", "although", "though"})
_GOING_ON = frozenset({"he", "she", "it", "they", "joining", "moving", "going", "turning", "becoming", "leaving", "coming"})
_STANDING_IN = frozenset({"that", "it", "which", "there", "lies", "stands", "located"})
_NEAR, _FAR = 5, 8
_ADDING = frozenset({"and", "thus", "then", "so", "later", "finally", "thereby"})
"""Words behind which somebody goes on to do something else."""


class Places:
    """What stands in a text where the question has its object.

    >>> from evaluators.verify.premises.matter import Matter
    >>> from evaluators.verify.question import Object, Premised
    >>> premise = Premised("Hamlet", "author", "Mark Twain", (Object("William Shakespeare"),))
    >>> matter = Matter("When did Mark Twain write Hamlet?", premise)
    >>> len(Places(Reading("Shakespeare wrote it.", matter)).corrections)
    1
    >>> Places(Reading("Twain, whom Shakespeare never met, wrote it.", matter)).corrections
    []
    """

    def __init__(self, reading: Reading) -> None:
        """Look at a text."""
        self.reading = reading
        self._told: dict[int, bool] = {}
        self._about: dict[int, bool] = {}
        self._bare: dict[tuple[int, int], bool] = {}

    @lazy
    def corrections(self) -> list[Span]:
        """Where a true object stands in the place of the question's."""
        reading = self.reading
        if not reading.truths:
            return []
        return [reading.read.span(*place) for place in reading.truths if self._corrects(place)]

    @lazy
    def named_instead(self) -> Span | None:
        """A true object beside the subject, in a text that does not name the question's."""
        reading = self.reading
        if reading.object:
            return None
        for place in reading.truths:
            part = reading.clause_at(place[0])
            before = reading.words[max(part.first, place[0] - _NEAR) : place[0]]
            subject = part.first == 0 and reading.inside(reading.subject, 0, place[0])
            if subject and not self._is_out(place, before) and not self._is_beside(place):
                return reading.read.span(*place)
        return None

    @lazy
    def follows(self) -> Span | None:
        """A true object that a text names last, where nothing in it says of the question's what is asked."""
        reading = self.reading
        if not reading.object or not reading.truths or reading.truths[-1] < reading.object[-1]:
            return None
        place, part = reading.truths[-1], reading.clause_at(reading.truths[-1][0])
        said = reading.words[place[1] : min(part.last, place[1] + 1)]
        if any(at < place[0] for at in part.denials) or self._is_beside(place) or reading.is_attributed(place[0]):
            return None
        if not _REPORTING.isdisjoint(said) or any(map(self._states, reading.object)):
            return None
        return reading.read.span(*place)

    def _states(self, place: Place) -> bool:
        """Tell whether what stands around a name says something of the subject, or has a word of the relation, undenied."""
        reading, part = self.reading, self.reading.clause_at(place[0])
        sentence = reading.read.sentences[part.sentence]
        told = any(reading.matter.relates(reading.words[n]) for n in range(part.first, part.last) if n not in reading.known)
        if told and not part.denials:
            return True
        denied = any(each.denials for each in reading.parts if each.sentence == part.sentence)
        about = reading.inside(reading.subject, sentence.first, sentence.last)
        return not denied and (about or not _PRONOUNS.isdisjoint(reading.words[sentence.first : sentence.last]))

    @lazy
    def upheld(self) -> list[Span]:
        """Where the question's object stands in its place."""
        return [self.reading.read.span(*place) for place in self.reading.object if self._in_place(place, true=False)]

    def _corrects(self, place: Place) -> bool:
        return not self._is_beside(place) and self._in_place(place, true=True)

    def _is_beside(self, place: Place) -> bool:
        """Tell whether the words around a name put it beside, before or after what is asked."""
        words, part = self.reading.words, self.reading.clause_at(place[0])
        before = words[max(part.first, place[0] - _NEAR) : place[0]]
        named = place[1] < len(words) and self.reading.is_capital(place[1])
        after = [] if named else words[place[1] : min(part.last, place[1] + 2)]
        if not _MOVED_ON.isdisjoint(words[max(part.first, place[0] - 2 * _NEAR) : place[0]]):
            return True
        start = self.reading.read.sentences[part.sentence].first
        if any(
            pair[0] == "before" and pair[1] in _GOING_ON
            for pair in pairwise(words[max(start, place[0] - 2 * _NEAR) : place[0]])
        ):
            return True
        return not _BESIDE.isdisjoint(before) or not (_BESIDE - {"after"}).isdisjoint(after) or _was_earlier(before)

    def _in_place(self, place: Place, *, true: bool) -> bool:
        first, last = place
        reading, words = self.reading, self.reading.words
        part = reading.clause_at(first)
        before = words[max(part.first, first - _NEAR) : first]
        after = words[last : min(part.last, last + _NEAR)]
        if true and self._is_set_right(place, before):
            return True
        if self._is_out(place, before):
            return False
        told, about = self._tells(part.first), self._is_about(part.sentence)
        if self._is_bare(part.first):
            return True
        within = not true and told and not {"in", "at"}.isdisjoint(before[-2:])  # "hangs in the Louvre's east wing"
        if not within and _POSSESSIVE.search(
            reading.read.original[reading.read.starts[last - 1] : reading.read.ends[last - 1] + 1]
        ):
            return self._owns(place, after, true=true)
        if "by" in before and (told or about):
            return True
        link = next((word for word in reversed(before) if word in _COPULAS or word in _PLACING), "")
        contrasts = true and words[part.first] in _CONTRASTING and words[first - 1] in _COPULAS and not reading.object_in(part)
        if contrasts:
            return True  # "1835, but the groom was William King."
        if link in _COPULAS and (told or about or not _PERSONS.isdisjoint(words[part.first : first][:_FAR])):
            return True
        return (
            self._is_governed(place, before, after) or self._leads(place, after, true=true) or self._goes_on(place, true=true)
        )

    def _goes_on(self, place: Place, *, true: bool) -> bool:
        """Tell whether one who leads a clause goes on to do what is asked ("Kepler took it and thus discovered Titan")."""
        reading, words, last = self.reading, self.reading.words, place[1]
        part = reading.clause_at(place[0])
        end = reading.read.sentences[part.sentence].last
        if true or place[0] != part.first:
            return False
        for n in range(last + 1, end):
            if reading.matter.relates(words[n]) and words[n - 1] in _ADDING and reading.inside(reading.subject, n, n + _NEAR):
                return not self._names_another(last, n)
        return False

    def _is_out(self, place: Place, before: list[str]) -> bool:
        """Tell whether what stands here is said by others, asked, denied, declined, set aside, or told in passing."""
        reading, words, first = self.reading, self.reading.words, place[0]
        part = reading.clause_at(first)
        sentence = reading.read.sentences[part.sentence]
        if any(at < place[1] + 4 for at in part.denials) or not _ASIDE.isdisjoint(before[-3:]) or reading.is_attributed(first):
            return True
        asks = _QUESTION.search(reading.read.original, max(sentence.start, sentence.end - 8), sentence.end)
        if asks and not reading.matter.has_question_marks:
            return True
        within = words[max(part.first + 1, first - _PASSING) : first]
        if any(
            word in _POINTED and words[n - 1] not in _COPULAS
            for n, word in enumerate(within, max(part.first + 1, first - _PASSING))
        ):
            return True
        if words[part.first] in ("who", "which", "whose") and not reading.inside(reading.subject, part.first - 4, part.first):
            return True
        around = reading.read.span(max(part.first, first - _PASSING), min(part.last, place[1] + _PASSING))
        declined = DECLINED.search(reading.read.original, *around)
        return declined is not None and declined[0].lower() not in reading.matter.words

    def _tells(self, first: int) -> bool:
        """Tell whether a clause has a word of the question's matter, besides names."""
        if first not in self._told:
            part, reading = self.reading.clause_at(first), self.reading
            self._told[first] = any(
                n not in reading.known and reading.matter.tells(reading.words[n]) for n in range(part.first, part.last)
            )
        return self._told[first]

    def _is_about(self, n: int) -> bool:
        """Tell whether a sentence is about the premise's subject, by name or by a pronoun."""
        if n not in self._about:
            sentence, reading = self.reading.read.sentences[n], self.reading
            pronoun = not _PRONOUNS.isdisjoint(reading.words[sentence.first : sentence.last])
            self._about[n] = pronoun or reading.inside(reading.subject, sentence.first, sentence.last)
        return self._about[n]

    def _is_bare(self, first: int) -> bool:
        """Tell whether there is nothing besides names and numbers, in the sentence or behind a word that contrasts."""
        reading, part = self.reading, self.reading.clause_at(first)
        sentence = reading.read.sentences[part.sentence]
        contrasts = reading.words[part.first] in _CONTRASTING
        labelled = not contrasts and self._is_labelled(part.first, sentence.first)
        edges = (part.first, part.last) if contrasts or labelled else (sentence.first, sentence.last)
        if edges not in self._bare:
            self._bare[edges] = all(
                n in reading.known or reading.words[n] in FUNCTION or is_number(reading.words[n]) for n in range(*edges)
            )
        return self._bare[edges]

    def _is_labelled(self, first: int, start: int) -> bool:
        """Tell whether a clause stands behind a word of the relation and a colon ("director: Orson Welles")."""
        reading = self.reading
        if first == start or ":" not in reading.read.original[reading.read.ends[first - 1] : reading.read.starts[first]]:
            return False
        return any(reading.matter.relates(word) for word in reading.words[max(start, first - 3) : first])

    def _owns(self, place: Place, after: list[str], *, true: bool) -> bool:
        """Tell whether a possessive owns what the question is about."""
        reading, last = self.reading, place[1]
        part = reading.clause_at(place[0])
        if (
            true
            and part.first
            and all(n in reading.known or reading.words[n] in FUNCTION for n in range(part.first, part.last))
        ):
            return True  # "The whale is Moby Dick (Melville's)."
        linked = place[0] > part.first and reading.words[place[0] - 1] in _COPULAS
        alone = not after or (len(after) == 1 and after[0] in _CREATIONS)  # "The whistle was Blum's idea."
        if reading.inside(reading.subject, last, last + 4) or (alone and (linked or self._tells(part.first))):
            return True
        end = next((n for n in range(last, part.last) if reading.words[n] in SUBORDINATE), part.last)
        if any(reading.matter.tells(word) for word in after[:3]) and not self._names_another(last + 1, end):
            return True
        return true and place[0] == part.first and part.sentence == 0 and not reading.object

    def _is_governed(self, place: Place, before: list[str], after: list[str]) -> bool:
        """Tell whether a word of the relation stands before it ("died in Princeton", "married Diego Rivera")."""
        reading, words, relates = self.reading, self.reading.words, self.reading.matter.relates
        part = reading.clause_at(place[0])
        if after[:1] == ["as"] and any(relates(word) for word in after[:4]):
            return True  # "names Strauss as its composer"
        if words[part.first] in _CONTRASTING and words[part.first + 1] in _PLACING and place[0] - part.first < _FAR:
            return True
        if not _PLACING.isdisjoint(before[-3:]):
            told = self._sentence_tells(part.sentence)
            if told and not _FALLING.isdisjoint(before):
                return True
            if (told or self._is_about(part.sentence)) and not _CREATIONS.isdisjoint(before):
                return True
            near = [word for word in words[max(part.first, place[0] - _LEAD) : place[0]] if not is_number(word)][-_FAR:]
            near += after[:3]
            same = reading.matter.preposition in before[-2:]
            return any(relates(word) or (same and reading.matter.tells(word)) for word in near)
        alone = len(before) == 1 and self._is_about(part.sentence)  # "Goldfinger (1964) starred Sean Connery"
        subject = alone or reading.inside(reading.subject, part.first, place[0]) or not _PRONOUNS.isdisjoint(before)
        return subject and any(relates(word) for word in before[-3:])

    def _is_set_right(self, place: Place, before: list[str]) -> bool:
        """Tell whether one is sent to a true object, or what answers lies in it ("Magelang, and that's in Indonesia")."""
        reading, part = self.reading, self.reading.clause_at(place[0])
        if part.denials or reading.is_attributed(place[0]):
            return False
        if before[-1:] in (["ask"], ["thank"], ["credit"]) or before[-2:] == ["question", "for"]:
            return True
        if reading.object:
            return False
        words = reading.words
        if (
            part.first
            and words[part.first] in _PLACING
            and all(n in reading.known or words[n] in FUNCTION for n in range(part.first, part.last))
        ):
            return True  # "Didier Deschamps - for France, that is."
        if before[-1:] not in (["in"], ["at"]):
            return False
        pointing, rest = (before[-2:-1], before[-3:-2]) if before[-2:-1] not in (["is"], ["was"]) else (before[-3:-2], [])
        if not _STANDING_IN.intersection(pointing) or rest == ["but"]:
            return False
        sentence = reading.read.sentences[part.sentence]
        told = self._sentence_tells(part.sentence) and self._is_about(part.sentence)
        return told or (part.sentence == 0 and sentence.last - sentence.first <= _FAR)

    def _sentence_tells(self, n: int) -> bool:
        sentence, reading = self.reading.read.sentences[n], self.reading
        return any(
            reading.matter.tells(word) for word in reading.words[sentence.first : min(sentence.last, sentence.first + _PASSING)]
        )

    def _leads(self, place: Place, after: list[str], *, true: bool) -> bool:
        """Tell whether it leads its clause, and a word of the relation follows."""
        reading, words, last = self.reading, self.reading.words, place[1]
        part = reading.clause_at(place[0])
        lead = range(max(part.first, place[0] - _LEAD), place[0])
        set_off = lead and "," in reading.read.original[reading.read.ends[place[0] - 1] : reading.read.starts[place[0]]]
        if set_off and words[part.first] in _CONCEDING:
            lead = range(0)
        if place[0] - part.first > _LEAD or not all(
            words[n] in FUNCTION or words[n][0].isdigit() or n in reading.known for n in lead
        ):
            return False
        light = FUNCTION | _COPULAS | _LIGHT
        content = next(
            (
                n
                for n in range(last, part.last)
                if n not in reading.known and words[n] not in light and not words[n].endswith("ly")
            ),
            None,
        )
        if content is not None and reading.matter.relates(words[content]):
            subject = reading.inside(reading.subject, part.first, part.last)
            if true and not subject and words[content + 1 : content + 2] in (["a"], ["an"]):
                return content + 2 < part.last and reading.matter.tells(words[content + 2])  # not "made a film of it"
            if true or subject or not _THINGS.isdisjoint(words[content + 1 : content + 3]):
                return True
            return not self._names_another(last, part.last)
        if not true and after[:1] == ["was"] and reading.matter.tells("role") and reading.is_other_name(last + 1):
            return True  # "Hanks was Robert Fischer."
        if len(after) == 1 and (after[0] in _COPULAS or after[0] == "did"):
            return True
        return true and part.sentence == 0 and part.first == reading.read.sentences[0].first

    def _names_another(self, first: int, last: int) -> bool:
        """Tell whether somebody or something else is named among some words."""
        return any(self.reading.is_other_name(n) for n in range(first, min(last, first + _PASSING)))

    @lazy
    def other(self) -> Span | None:
        """Where somebody else stands in the relation's place ("It was directed by George Lucas", "Its capital is Bern")."""
        reading, words = self.reading, self.reading.words
        for n in range(1, len(words) - 1):
            if words[n] not in _LINKS:
                continue
            part = reading.clause_at(n)
            at = next((k for k in range(n + 1, min(part.last, n + _NEAR)) if reading.is_other_name(k)), None)
            if at is None or part.denials or reading.is_attributed(n) or not _PLACING.isdisjoint(words[n + 1 : at]):
                continue
            if reading.known.isdisjoint(range(n + 1, at)) and self._is_other(n, at):
                return reading.read.span(max(part.first, n - 1), at + 1)
        return self._of_same_kind()

    def _of_same_kind(self) -> Span | None:
        """Return where another of the object's kind stands in its place ("It flows into the Baltic Sea")."""
        reading, words = self.reading, self.reading.words
        kinds = self.reading.matter.kinds
        if kinds.isdisjoint(words) or reading.object:
            return None
        for n in range(2, len(words)):
            if words[n] not in kinds or not reading.is_capital(n):
                continue
            part, last = reading.clause_at(n), n + 2 if words[n + 1 : n + 2] == ["of"] else n + 1
            leads = last < part.last and reading.is_other_name(last)  # "Lake Constance", "University of Jena"
            if not (leads or reading.is_other_name(n - 1)):
                continue
            first = n if leads else n - 1
            while first > max(part.first, n - _NEAR) and reading.is_other_name(first):
                first -= 1
            at = first - 1 if leads or words[first] == "the" else first
            out = bool(part.denials) or reading.is_attributed(n) or self._is_beside((n, n + 1))
            told = any(reading.matter.relates(word) for word in words[max(part.first, at - _NEAR) : at + 1])
            if (
                (words[at] in _PLACING or reading.matter.relates(words[at]))
                and told
                and not out
                and self._is_about(part.sentence)
            ):
                return reading.read.span(at, n + 1)
        return None

    def _is_other(self, link: int, name: int) -> bool:
        """Tell whether a name behind a copula or "by" is that of whom or what the relation is said."""
        reading, words, part = self.reading, self.reading.words, self.reading.clause_at(link)
        before, matter = range(max(part.first, link - (1 if words[link] == "by" else _NEAR + 1)), link), reading.matter
        about = self._is_about(part.sentence) or reading.inside(reading.object, part.first, part.last)
        if about and any(matter.names_relation(words[k]) for k in before):
            return True
        if words[link] == "by":
            return link > part.first and words[link - 1] in _COPULAS and reading.inside(reading.subject, part.first, link)
        if link == part.first:
            return False
        owned = link - 2 >= part.first and words[link - 2] in _OWNERS
        if owned and reading.matter.recorded and matter.relates(words[link - 1]):
            return True  # "Her father was Byron."
        return words[link - 1] == "it" and self._is_cleft(name)

    def _is_cleft(self, name: int) -> bool:
        """Tell whether a clause with a verb of the relation says what somebody did ("It was Elizabeth who married him")."""
        reading, words = self.reading, self.reading.words
        end = reading.read.sentences[reading.clause_at(name).sentence].last
        who = next((n for n in range(name + 1, min(end, name + _FAR)) if words[n] in ("who", "that")), None)
        if who is None:
            return False
        verb = next((words[n] for n in range(who + 1, min(end, who + _FAR)) if not _is_light(words[n])), "")
        return reading.matter.recorded and reading.matter.relates(verb)


def _was_earlier(before: list[str]) -> bool:
    """Tell whether something had been so before ("had first been married to", but not "had its seat in")."""
    return any(word == "had" and then not in _DETERMINERS for word, then in pairwise([*before, ""]))


def _is_light(word: str) -> bool:
    """Tell whether a word says too little to be the verb or the noun of a statement."""
    return word in FUNCTION or word in _COPULAS or word in _LIGHT or word.endswith("ly")


_LEAD = 60
"""So many words of names and function words may lead a clause before a name."""
_PASSING = 60
"""Words on either side of a name among which is looked for what tells it in passing."""
