"""What in a text turns against what its question takes for granted, and what denies something else.

| kind | example | counts |
|---|---|---|
| pointer | "The question assumes ...", "That is not correct", "I think you mean ..." | always |
| disbelief | "There is no evidence that ..." | where it is of the premise |
| a strong denial | "He never did", "It was not Chopin who composed it" | unless the object is upheld, and not denied there |
| counterfactual | "He would have had to outlive himself", "you would search in vain" | where it is of the premise |
| away | "thousands of kilometres away from the Andes" | always |
| zero | "None.", "Never:"; "zero wins" anywhere | at the beginning, where something is counted, dated or named |
| anachronism | "He died before it was founded" | where nothing else answers |
| declined | "He turned the part down" | where nothing answers |
| a weak denial | "It wasn't easy" | where nothing answers |

A denial is strong where nothing else is denied than what the question asks about. One of degree or time ("not until 1901",
"not alone") leaves the fact standing; what others say, what is only supposed or not known denies nothing.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from evaluators.verify.premises.lists import listed, pattern
from evaluators.verify.premises.matter import FUNCTION
from evaluators.verify.premises.reading import BACK, Reading, is_number
from evaluators.verify.reading.clauses import Clause
from evaluators.verify.reading.text import Span, lazy
from evaluators.verify.reading.words import alternatives, word_list

_POINTING, _POINTING_BACK = (pattern(n) for n in ("pointing", "pointing_back"))
_DISBELIEF, _ZERO, _ANACHRONISM = (pattern(n) for n in ("disbelief", "zero", "anachronism"))
_COUNTERFACTUAL = pattern("counterfactual")
DECLINED = pattern("declined")
_AWAY = re.compile(rf"(?:{alternatives('premise_away')})\W+(?:the\W+)?\Z", re.IGNORECASE)
_INVOLVEMENT, _IMPLYING = listed("involvement"), listed("implying")
_IDLE = {first: frozenset(then) for first, then in word_list("premise_idle").items()}
_CONDITION = re.compile(r"\b(?:if|whether|unless|had (?:he|she|it|they))\b[^,]*\Z", re.IGNORECASE)
_CONDITION_REACH, _AWAY_REACH = 200, 40
_FIRST_PERSON = listed("first_person")
_JOINING = listed("joining")
_SIGNS = listed("signs")
"""Words of which a text has one that points at its question; most have none."""
_CLAIMS = listed("claims")
_NEGATIONS = listed("negations")
_LIVING = listed("living") | _NEGATIONS
_SPOKEN_OF = frozenset({"he", "she", "they", "it"})
_PERSONS = frozenset({"he", "she", "they"})
_STANDING = listed("standing")
"""What leaves the fact standing: "not until 1901"."""
SUBORDINATE = listed("subordinate")
"""What ends a statement: a clause of time or reason begins."""


class Denial(NamedTuple):
    """The characters of a denial."""

    span: Span
    strong: bool
    """Whether it is of the premise."""
    named: bool
    """Whether it names one of those whom the premise is about."""
    first: bool
    """Whether nothing is said before it."""


class Rebuttal:
    """What in a text turns against its question.

    >>> from evaluators.verify.premises.matter import Matter
    >>> matter = Matter("How many lives do stones have?")
    >>> Rebuttal(Reading("Stones have no lives. It isn't easy.", matter)).denials[0].strong
    True
    """

    def __init__(self, reading: Reading) -> None:
        """Look at a text."""
        self.reading = reading
        self._text = reading.read.original

    @lazy
    def denials(self) -> list[Denial]:
        """The denials of the text, in order, without those that deny nothing of interest."""
        if self.reading.words[:1] == ["because"] and self.reading.matter.asked == "reason":
            return []  # what is denied there is the reason
        found = [self._denial(part) for part in self.reading.parts if part.denials]
        return [denial for denial in found if denial]

    def _denial(self, part: Clause) -> Denial | None:
        reading, words = self.reading, self.reading.words
        # "The false claim that he did not" denies what follows "claim".
        at = next((n for n in part.denials if n + 1 == len(words) or words[n + 1] not in _CLAIMS), part.denials[0])
        scope = _Scope(reading, part, at)
        strong = None if scope.is_idle() else scope.is_strong()
        if strong is None:
            return None
        said = any(word not in FUNCTION for word in reading.words[max(0, part.first - _BEFORE) : part.first])
        span = reading.read.span(max(part.first, at - 1), scope.end)
        return Denial(span, strong, scope.names(), not said)

    @lazy
    def pointer(self) -> Span | None:
        """What points at the question and calls it wrong."""
        reading = self.reading
        for match in () if _SIGNS.isdisjoint(reading.words) else _POINTING.finditer(self._text):
            return match.span()
        sentences = reading.read.sentences
        for sentence in sentences:
            back = _POINTING_BACK.match(self._text, reading.read.starts[sentence.first], sentence.end)
            if back:
                return back.span()
        return None

    @lazy
    def disbelief(self) -> Span | None:
        """What the writer does not believe, or finds no evidence of, where it concerns the premise."""
        reading, matter = self.reading, self.reading.matter
        for match in () if _NEGATIONS.isdisjoint(reading.words) else _DISBELIEF.finditer(self._text):
            first, last = reading.words_of(match.span())
            about = reading.words[first:last]
            told = any(matter.relates(word) for word in about)
            pointed = reading.inside(reading.subject, first, last) or not BACK.isdisjoint(about)
            if not matter.recorded:
                concerns = told
            elif reading.inside(reading.object, first, last):
                concerns = told or pointed
            else:
                concerns = told and pointed and not reading.inside(reading.truths, first, last)
            if concerns:
                return match.span()
        return None

    @lazy
    def away(self) -> Span | None:
        """What sets the question's object aside."""
        read = self.reading.read
        for first, last in self.reading.object:
            match = _AWAY.search(self._text[max(0, read.starts[first] - _AWAY_REACH) : read.starts[first]])
            if match:
                return read.starts[first] - len(match[0]), read.ends[last - 1]
        return None

    @lazy
    def different(self) -> Span | None:
        """What says that the subject has another such thing ("It has a different author")."""
        reading, words = self.reading, self.reading.words
        for n, word in enumerate(words[:-1]):
            told = word in ("different", "another") and reading.matter.relates(words[n + 1])
            if reading.matter.recorded and (told or (words[n + 1] == "else" and word in ("somebody", "someone"))):
                part = reading.clause_at(n)
                given = words[n - 1] in ("to", "by") and any(
                    reading.matter.relates(w) for w in words[max(part.first, n - _GIVEN) : n]
                )
                if given or reading.inside(reading.subject, part.first, n):
                    return reading.read.span(n, n + 2)
        return None

    @lazy
    def counterfactual(self) -> Span | None:
        """What says what had to be so for the premise, and is not ("He would have had to rise from his grave")."""
        reading = self.reading
        for match in _COUNTERFACTUAL.finditer(self._text):
            sentence = reading.sentence_at(match.start())
            words = reading.words[sentence.first : sentence.last]
            named = any(reading.inside(places, sentence.first, sentence.last) for places in (reading.object, reading.subject))
            if named or not _SPOKEN_OF.isdisjoint(words):
                return match.span()
        return None

    @lazy
    def declined(self) -> Span | None:
        """What says of those whom the premise is about that it could have been, and was not."""
        reading = self.reading
        for match in DECLINED.finditer(self._text):
            part = reading.clause_at(reading.words_of(match.span())[0])
            named = any(reading.inside(places, part.first, part.last) for places in (reading.object, reading.subject))
            before = reading.words[max(0, reading.words_of(match.span())[0] - 2) : reading.words_of(match.span())[0]]
            if named or not _PERSONS.isdisjoint(before):
                return match.span()
        return None

    @lazy
    def zero(self) -> Span | None:
        """What says at the beginning that there is nothing of what is asked, or anywhere that there is zero of something."""
        if self.reading.matter.asked not in ("number", "date", "open", "reason"):
            return None
        sentences = self.reading.read.sentences
        asked = self._text[sentences[0].start : sentences[0].end].rstrip().endswith("?") and len(sentences) > 1
        match = _ZERO.match(self._text, self.reading.read.starts[sentences[int(asked)].first])
        if match is None and self.reading.matter.recorded and self.reading.matter.asked != "number":
            match = _NOUGHT.search(self._text) if "zero" in self.reading.words else None
        return match.span() if match else None

    @lazy
    def predates(self) -> Span | None:
        """What says of the one of whom the premise is about that it was before the other ("The temple predates Peru")."""
        reading, words = self.reading, self.reading.words
        if _PREDATING.isdisjoint(words):
            return None
        for n, word in enumerate(words):
            if word in _PREDATING:
                part = reading.clause_at(n)
                one, other = (
                    (reading.subject, reading.object)
                    if reading.inside(reading.subject, part.first, n)
                    else (reading.object, reading.subject)
                )
                if reading.inside(one, part.first, n) and reading.inside(other, n, part.last):
                    return reading.read.span(n, n + 1)
        return None

    @lazy
    def concluded(self) -> Span | None:
        """What concludes that there is nothing of what is asked ("so there is no year to name")."""
        reading = self.reading
        if "no" not in reading.words:
            return None
        for match in _CONCLUDED.finditer(self._text):
            word = reading.words[reading.read.words_of(*match.span(1))[0]]
            if (word in reading.matter.words or word in _WHEN.get(reading.matter.asked, ())) and not reading.matter.negated:
                return match.span()
        return None

    @lazy
    def anachronism(self) -> Span | None:
        """What says that two lives or times could not meet, where it concerns the premise."""
        reading = self.reading
        for match in () if _LIVING.isdisjoint(reading.words) else _ANACHRONISM.finditer(self._text):
            if not _AGE.isdisjoint(reading.matter.words) and _AGED.search(match[0]):
                continue  # how old somebody was is the answer
            sentence = reading.sentence_at(match.start())
            words = reading.words[sentence.first : sentence.last]
            named = any(reading.inside(places, sentence.first, sentence.last) for places in (reading.object, reading.subject))
            if named or not reading.matter.recorded or not BACK.isdisjoint(words):
                return match.span()
        lived = _LIVED.search(self._text, 0, _BEGINNING) if reading.matter.recorded and "born" in reading.words else None
        if lived and int(lived["died"]) < int(lived["born"]):
            return lived.span()
        return None


_CONCLUDED = re.compile(
    r"\b(?:so|hence|therefore|thus|meaning|consequently|which means)\b,?(?: that)?"
    r"(?: (?:there|it)(?:'s| is| was| are| were| can be| has been| never was)?)? no (?:such )?(\w+)"
    r"(?! (?:is|was|has been|can be) (?:known|recorded|documented|certain|available|sure))",
    re.IGNORECASE,
)
_NOUGHT = re.compile(
    r"(?<!\bto )(?<!\bfrom )(?<!\bof )\bzero (?:of (?:them|these|those)|(?:\w+ )?\w{3,}s)\b|[:=] ?zero\s*(?:[.!]|\Z)",
    re.IGNORECASE,
)
"""None of something: "zero wins", but not "from zero to a hundred" or "absolute zero"."""
_AGE, _AGED = frozenset({"old", "age", "aged", "young"}), re.compile(r"years? old|only|just", re.IGNORECASE)
_PREDATING = frozenset({"predates", "predate", "predated", "antedates", "antedated", "postdates", "postdated"})
_FAR = 30
"""So many words a denial reaches over what is put in between."""
_GIVEN, _BEGINNING = 20, 5000
"""Words before "somebody else", and characters of a text, among which is looked for what tells it."""
_WHEN = {"date": frozenset({"year", "date", "day"}), "number": frozenset({"number", "figure", "total"})}
_LIVED = re.compile(
    r"\b(?:died|dead|passed away)\b[^.!?\n]{0,30}?\b(?P<died>\d{3,4})\b[^!?\n]{0,80}?"
    r"\bborn\b[^.!?\n]{0,30}?\b(?P<born>\d{3,4})\b",
    re.IGNORECASE,
)
_BEFORE = 400
"""So many words before a denial are looked at for a statement."""


class _Scope:
    """What a denial denies in its clause."""

    def __init__(self, reading: Reading, part: Clause, at: int) -> None:
        words = reading.words
        self.reading, self.part, self.at = reading, part, at
        if at + 1 == part.last and words[at + 1 : at + 2] == ["as"]:  # "He is not, as some think, from Oslo."
            self.end = min(reading.read.sentences[part.sentence].last, at + _FAR)
            comma = reading.read.original.find(",", reading.read.ends[at + 1], reading.read.ends[self.end - 1])
            behind = reading.read.word_at(comma) if comma >= 0 else at + 1
            self.before, self.after = range(part.first, at), range(behind, self.end)
            return
        self.end = next((n for n in range(at + 2, part.last) if words[n] in SUBORDINATE), part.last)
        self.before, self.after = range(part.first, at), range(at + 1, self.end)

    def names(self) -> bool:
        """Tell whether it names those whom the premise is about, in their roles."""
        reading, first, last = self.reading, self.part.first, self.end
        if reading.matter.recorded and reading.matter.names_post([reading.words[n] for n in self.after]):
            return True
        if reading.inside(reading.object, first, last) or reading.inside(reading.subject, self.at + 1, last):
            return True
        told = any(reading.matter.relates(word) for word in reading.words[first:last])
        return told and reading.inside(reading.subject, first, last)

    def is_idle(self) -> bool:
        """Tell whether nothing is denied: what is not known, said by others, supposed; or what leaves the fact standing."""
        reading, words, at = self.reading, self.reading.words, self.at
        position = reading.read.starts[at]
        if words[at] in _STANDING:
            return True
        start = max(reading.read.starts[self.part.first], position - _CONDITION_REACH)
        if (words[at + 1 : at + 2] and words[at + 1] in _IDLE.get(words[at], ())) or _CONDITION.search(
            self.reading.read.original, start, position
        ):
            return True
        if not _STANDING.isdisjoint(words[n] for n in self.after) or (words[at : at + 2] == ["none", "of"] and self.part.first):
            return True
        if not reading.matter.recorded:
            return False
        first = next((words[n] for n in self.after if words[n] not in FUNCTION and words[n : n + 2] != ["set", "foot"]), "")
        speaks = not _FIRST_PERSON.isdisjoint(words[max(self.part.first, at - 3) : at])
        truth = reading.inside(reading.truths, at + 1, self.end) and not reading.inside(
            reading.object, self.part.first, self.end
        )
        return speaks or truth or first in _IMPLYING

    def is_strong(self) -> bool | None:
        """Tell whether it is of the premise (true), of something else (false), or of nothing that matters (null)."""
        reading, matter, words = self.reading, self.reading.matter, self.reading.words
        if words[self.at + 1 : self.at + 2] == ["to"] and words[self.at] == "not" and not matter.recorded:
            return False  # "It is best not to eat it"
        post = matter.recorded and matter.names_post([words[n] for n in self.after])
        known = [n for n in self.after if n in reading.named or matter.tells(words[n])]
        news = [n for n in self.after if self._is_new(n)]
        numbers = sum(is_number(words[n]) for n in news)
        if not known and news and numbers == len(news):
            return None
        if matter.recorded and words[self.at] in ("not", "nor") and self._is_fragment():
            return None
        objects = post or reading.inside(reading.object, self.at + 1, self.end)
        if words[self.at] == "without":
            return objects
        if not news and not known:
            return None if words[self.part.last : self.part.last + 1] == ["yet"] else True
        if not news:
            # "He never became a manager" is of another matter than "He never worked there".
            told = len(known) == 1 == len(self.after)  # "They never met."
            told = told and any(words[n] in _SPOKEN_OF or n in reading.named for n in self.before)
            related = post or told or any(n in reading.named or matter.relates(words[n]) for n in known)
            return related or any(words[n] in BACK for n in self.after)
        if not matter.recorded:
            # What is denied first of all is denied of the question.
            return bool(known) and not any(word not in FUNCTION for word in words[: self.part.first])
        both = reading.inside(reading.subject, self.at + 1, self.end) and reading.inside(
            reading.object, self.part.first, self.end
        )
        told = any(n not in reading.named for n in known) or any(words[n] in _INVOLVEMENT for n in self.after)
        told = told or (len(news) == 1 and news[0] == self.at + 1 and self._joins())
        return (objects or both) and (told or numbers == len(news))

    def _joins(self) -> bool:
        """Tell whether the subject stands on one side of it and the object on the other ("Apple did not buy Instagram").

        What a time or a reason follows ("never stood in Ulm before 1890") leaves the fact standing.
        """
        if self.end < self.part.last:
            return False
        inside, before, after = self.reading.inside, (self.part.first, self.at), (self.at + 1, self.end)
        subject, thing = self.reading.subject, self.reading.object
        return (inside(subject, *before) and inside(thing, *after)) or (inside(thing, *before) and inside(subject, *after))

    def _is_new(self, n: int) -> bool:
        word = self.reading.words[n]
        return (
            word not in FUNCTION
            and word not in _INVOLVEMENT
            and n not in self.reading.known
            and not self.reading.matter.tells(word)
            and not self.reading.matter.repeats(word)
        )

    def _is_fragment(self) -> bool:
        """Tell whether the clause has no more than what is denied, and names nobody of the premise ("not a director")."""
        words = self.reading.words
        return all(words[n] in _JOINING for n in self.before) and not any(n in self.reading.named for n in self.after)
