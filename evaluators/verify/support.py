"""How much of what a question asks a text says of each answer that it names, and which answers it only mentions.

| an answer is only mentioned where | like |
|---|---|
| it is handed to others, or expected | "You may come across 193 km", "One might think Paris" |
| what follows hands it to others or to something else | "193 km, or so the brochures say", "Paris. That is a common mistake." |
| it says whose relative, successor or pupil another is | "Karl Ruud, the nephew of Agnes Tarrow" |

Of the others that one is the text's answer of which it says clearly more of what is asked: "In 1962 he visited Sweden; he won
the prize in 1963". What is said of an answer is what stands around it, up to the next one. Something else is said where another
number or ordinal stands ("the second woman"), another name ("the prize in Chemistry"), or what was so once. Where the question
has a verb for it ("Where did she *die*?"), only an answer counts of which it is said ("He worked in Rome. He *died* in Ulm").
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from itertools import pairwise

from evaluators.verify.question import Question, steps_of
from evaluators.verify.reading.text import Text, phrase
from evaluators.verify.reading.words import EVERYDAY, FIRST_FORMS, NUMERALS, any_pattern, content_stems, verb_stems, word_list

WordRange = tuple[int, int]

_HANDED_BEFORE, _HANDED_AFTER = any_pattern("handed_before"), any_pattern("handed_after")
_RELATED = any_pattern("related")
_STRONG = re.compile(r"[;:()]|\s[–—-]\s|—|[.!?]\s")
_WEAK = re.compile(r",?\s+(?:but|and|while|whereas|though|although|which|who|when|where)\b", re.IGNORECASE)
TOTAL = re.compile(r"[\s*]{1,3}(?:in (?:total|all)|altogether|overall)\b", re.IGNORECASE)
_PARTING = frozenset(",;:(")
_ASIDE = re.compile(r", wh(?:o|om|ose|ich|ere|en)\b[^,.;]*,")
_CLAUSE = re.compile(rf"{_STRONG.pattern}|,?\s+(?:but|and|while|whereas|though|although)\b", re.IGNORECASE)
_COMMA = re.compile(r",\s")
_PAST = frozenset(
    {
        "until",
        "till",
        "formerly",
        "previously",
        "former",
        "originally",
        "initially",
        "once",
        "used",
        "earlier",
        "previous",
        "prior",
    }
)
_PRONOUNS = frozenset(
    {"it", "this", "that", "he", "she", "they", "his", "her", "its", "their", "him", "them", "so", "one", "there", "here"}
)
_ORDINALS = frozenset(rank for patterns in word_list("choice_ordinals").values() for rank in patterns) - {"final", "bottom"}
_COUNTS = frozenset(word for word in NUMERALS if len(word) > 2 and word != "one" and not set(word) <= set("ivx")) | _ORDINALS
_FILLERS = frozenset(
    {
        "now",
        "today",
        "currently",
        "actually",
        "really",
        "simply",
        "answer",
        "yes",
        "think",
        "believe",
        "say",
        "guess",
        "since",
        "then",
        "probably",
    }
)
_QUESTION_WORDS = word_list("question_words")
_RELATIVES = frozenset(word_list("relatives"))
_BE = frozenset({"is", "are", "was", "were"})
_SOUGHT = any_pattern("sought")
_REACH = 120
"""So many characters before and behind an answer tell whose it is."""
_NAME = 0.25
"""What a word of the question that is written as a name counts, beside its other words."""
_YEAR = re.compile(r"(?:1\d|20)\d\d\Z")
_LONG_NUMBER = 3
"""A number of so many digits tells apart what it is the number of."""
_CLEARLY = 1
"""So much more is said of the answer that a text stands by."""


def is_mentioned(text: Text, place: WordRange, asked: Set[str] = frozenset()) -> bool:
    """Tell whether an answer is only mentioned: handed to others, or to say whose relative another is.

    Parameters: `asked` are the stems of what the question asks, which may be whose successor somebody is.

    >>> is_mentioned(Text("You may come across 193 km."), (4, 6)), is_mentioned(Text("It is 193 km long."), (2, 4))
    (True, False)
    """
    start, end = text.span(*place)
    sentence = text.sentences[text.sentence_of(place[0])]
    before, after = text.original[max(sentence.start, start - _REACH) : start], text.original[end : end + _REACH]
    if _HANDED_BEFORE.search(before) or _HANDED_AFTER.match(after):
        return True
    return _RELATIVES.isdisjoint(asked) and _RELATED.search(before) is not None


class Support:
    """What a question asks, and how much of it a text says of each answer."""

    def __init__(self, text: Text, question: Question, accepted: Sequence[WordRange], others: Sequence[WordRange]) -> None:
        """Take up a text with the places of the accepted answers and of others in it."""
        self.text, self.others = text, others
        self.answers = sorted({*accepted, *others})
        asked = Text(question.text)
        written = [asked.original[asked.starts[n]].isupper() and n > 0 for n in range(len(asked.words))]
        units = set(content_stems(phrase(question.unit or "")))
        self.words = {
            stem
            for word, name in zip(asked.words, written, strict=True)
            if not name and word not in _QUESTION_WORDS and word not in EVERYDAY
            for stem in verb_stems([word])
        } - units
        self.names = {stem for word, name in zip(asked.words, written, strict=True) if name for stem in verb_stems([word])}
        self.names |= {stem for step in steps_of(question) for stem in verb_stems(phrase(step))}
        self.verb = verb_of(asked)
        self.counts = _COUNTS.intersection(asked.words) | {word for word in asked.words if word.isdigit()}
        self.when = {year for lead, year in pairwise(asked.words) if lead == "in" and _YEAR.match(year)}
        self.is_past = not {"was", "were", "did", "had"}.isdisjoint(asked.words)

    def around(self, place: WordRange) -> WordRange:
        """Return the words that are said of an answer: around it, within its sentence, up to the next answer's."""
        sentence = self.text.sentences[self.text.sentence_of(place[0])]
        first, last = sentence.first, sentence.last
        inside = [other for other in self.answers if sentence.first <= other[0] < sentence.last]
        before = [cut for other in inside if other < place and (cut := self._cut(other, place)) is not None]
        behind = [cut for other in inside if other > place and (cut := self._cut(place, other)) is not None]
        first, last = max([first, *before[-1:]]), min([last, *behind[:1]])
        return min(first, place[0]), max(last, place[1])

    def _inside(self, place: WordRange) -> list[str]:
        """Return the words that are said of an answer, without its own."""
        first, last = self.around(place)
        return self.text.words[first : place[0]] + self.text.words[place[1] : last]

    def _cut(self, one: WordRange, other: WordRange) -> int | None:
        """Return the word at which what is said of one answer ends, and what is said of the next begins; null for none."""
        text = self.text
        start, end = text.ends[one[1] - 1], text.starts[other[0]]
        match = next((match for sign in (_STRONG, _WEAK, _COMMA) if (match := sign.search(text.original, start, end))), None)
        return text.word_at(match.start() + 1) if match else None

    def is_bare(self, place: WordRange) -> bool:
        """Tell whether an answer stands alone: nothing but everyday words in its clause."""
        text, (start, end) = self.text, self.text.span(*place)
        sentence = text.sentences[text.sentence_of(place[0])]
        if text.original[sentence.start : start].rstrip(" \"'(~")[-1:] in ("=", "≈", "→"):
            return True  # the result of a calculation
        if TOTAL.match(text.original, end):
            return True
        *_, before = (sentence.start, *[cut.end() for cut in _CLAUSE.finditer(text.original, sentence.start, start)])
        cut = _CLAUSE.search(text.original, end, sentence.end)
        after = cut.start() if cut else sentence.end
        words = {*text.words[text.word_at(before) : place[0]], *text.words[place[1] : max(place[1], text.word_at(after))]}
        return all(word in EVERYDAY or word in _FILLERS for word in words)

    def of(self, place: WordRange) -> float:
        """Tell how much of what is asked is said of an answer; of one that is not accepted the subject must be the same."""
        first, last = self.around(place)
        inside = self._inside(place)
        stems = set(verb_stems(inside))
        past = not self.is_past and not _PAST.isdisjoint(inside)
        if place in self.others and past:
            return 0
        if self._of_another_number(inside):
            return 0  # "she approved 5583", where 5582 is asked for
        counts = _COUNTS.intersection(inside)
        if self.counts & _COUNTS and counts and not counts & self.counts:
            return 0  # "the second woman", where the first is asked for
        points = len(self.words & stems) + _NAME * len(self.names & stems) + len({c for c in self.counts if c in inside})
        points -= _CLEARLY * is_of_relative(self.text, (first, self._verb(place) or first), self.words)
        if _SOUGHT.search(self.text.original, *self.text.span(first, last)):
            return points + 2 * _CLEARLY
        if past and place not in self.others and any(count.isdigit() and count not in inside for count in self.counts):
            points -= 2 * _CLEARLY  # "taught by her in earlier terms", where that of 2023 is asked for
        defined = "the" in inside and not _BE.isdisjoint(inside)  # "Almaty is the capital"
        lead = self.text.words[first : first + 1]
        goes_on = lead in _GOING_ON or verb_stems(lead) == [self.verb]  # "... but married in Linz"
        defined = defined or (goes_on and self.does(place))
        if place in self.others and self.names and not self.names & stems and _PRONOUNS.isdisjoint(inside) and not defined:
            points -= _CLEARLY
        another = self._names_another(place, first, last)
        if place not in self.others:  # "the capital of Peru is", where that of Chile is asked for
            another = another and bool(self.names) and self.names.isdisjoint(stems)
            return points - _CLEARLY * another
        return points - _CLEARLY * another

    def does(self, place: WordRange) -> bool:
        """Tell whether the verb of the question is said of an answer ("She *was born* in Ghent", where it is asked where)."""
        text, at, inside = self.text, self._verb(place), self._inside(place)
        years = set(filter(_YEAR.match, inside)) if self.when else set()  # "she won it in 2013", where 2016 is asked for
        if at is None or (years and years.isdisjoint(self.when)) or (not self.is_past and not _PAST.isdisjoint(inside)):
            return False
        related = text.words[place[1] + 1 : at] + text.words[at : place[0]]
        return _RELATIVE.isdisjoint(related) and not is_of_relative(text, (self.around(place)[0], at), self.words)

    def _verb(self, place: WordRange) -> int | None:
        """Return where the verb of the question stands beside an answer."""
        return next((n for n in range(*self.around(place)) if verb_stems([self.text.words[n]]) == [self.verb]), None)

    def _of_another_number(self, inside: Sequence[str]) -> bool:
        """Tell whether words hold a number as long as one that the question names, and not that one."""
        asked = {count for count in self.counts if count.isdigit() and len(count) >= _LONG_NUMBER and not _YEAR.match(count)}
        told = {word for word in inside if word.isdigit() and not _YEAR.match(word) and word not in asked}
        return asked.isdisjoint(inside) and any(len(word) == len(count) for word in told for count in asked)

    def _names_another(self, place: WordRange, first: int, last: int) -> bool:
        """Tell whether another name stands beside an answer, which the question has not ("the prize in Chemistry in 1954")."""
        text = self.text
        taken = {n for each in self.answers for n in range(*each)}
        for n in range(first, last):
            if n in taken or n == text.sentences[text.sentence_of(n)].first or text.words[n] in EVERYDAY:
                continue
            foreign = (self.names | self.words).isdisjoint(verb_stems([text.words[n]]))
            between = _ASIDE.sub("", text.original[slice(*sorted((text.starts[n], text.starts[place[0]])))])
            if foreign and text.original[text.starts[n]].isupper() and _PARTING.isdisjoint(between):
                return True
        return False

    def displacing(self, standing: Sequence[WordRange]) -> WordRange | None:
        """Return the answer that the text stands by instead of the accepted ones; null where it stands by one of these."""
        others = [place for place in self.others if not is_mentioned(self.text, place, self.words)]
        plain = [place for place in standing if not is_mentioned(self.text, place, self.words)]
        best = max(map(self.of, plain or standing))
        if not plain:
            return next((o for o in others if self.is_bare(o) or self.of(o) >= best), None)
        if not self.words or any(map(self.is_bare, plain)):
            return None
        if self.verb is not None and any(map(self.does, self.answers)):
            others = [o for o in others if self.does(o)]
            if not any(map(self.does, plain)):  # "version 2 was released in May, version 3 in June" has the verb once for both
                told = {word for place in plain for word in self.counts.intersection(self._inside(place))}
                return next((o for o in others if self.of(o) >= _CLEARLY and told.issubset(self._inside(o))), None)
        return next((o for o in others if self.of(o) >= max(1, best + _CLEARLY)), None)

    def agrees(self, other: WordRange, standing: Sequence[WordRange]) -> bool:
        """Tell whether another answer may displace the accepted ones that stand: no more is said of any of these."""
        best = max(map(self.of, standing))
        first, last = self.around(other)
        named = not self.names.isdisjoint(verb_stems(self.text.words[first:last]))
        more = self.of(other) >= best + (_CLEARLY / 2 if named else _CLEARLY) or (best <= 0 and self.of(other) > best)
        return more and not any(map(self.is_bare, standing))


def is_of_relative(text: Text, lead: WordRange, asked: Set[str]) -> bool:
    """Tell whether the words that lead to a verb say that somebody else's relative or successor does what it says.

    Parameters: `asked` are stems of what the question asks, which may be of a relative itself.

    >>> is_of_relative(Text("Her sister died."), (0, 2), {"die"}), is_of_relative(Text("Her career ended."), (0, 2), set())
    (True, False)
    """
    words = text.words[slice(*lead)]
    if not _SUBJECTS.isdisjoint(words):
        return False
    return any(
        (word in _OWNERS or text.original[text.ends[n] - 2 : text.ends[n]] in ("'s", "’s"))
        and any(
            own.removesuffix("s") in _RELATIVES and asked.isdisjoint(verb_stems([own])) for own in text.words[n + 1 : n + 3]
        )
        for n, word in enumerate(words, lead[0])
    )


def verb_of(question: Text) -> str | None:
    """Return the stem of the verb with which a question says what it asks of its subject; null where it has no such verb.

    >>> verb_of(Text("Where did the author of Emma die?")), verb_of(Text("In which year was Emma written in Bath?"))
    ('die', 'writ')
    >>> verb_of(Text("Who drew the map of Ghent?")), verb_of(Text("What is the capital of Peru?"))
    ('draw', None)
    """
    words = question.words
    if words[:1] == ["who"] and words[1:2] and words[1] not in _AUXILIARIES:
        return next(iter(verb_stems(words[1:2])), None)
    first = next((n for n, word in enumerate(words) if word in _AUXILIARIES), len(words))
    small = [question.original[start].islower() for start in question.starts]
    last = len(words) - 1
    while last > first and not small[last]:
        last -= 1
    if last + 1 < len(words) and words[last] not in _BEFORE_NAME:
        return None
    last -= last + 1 < len(words)
    done = last > first and small[last] and (words[first] in _DID or words[last].endswith("ed") or words[last] in FIRST_FORMS)
    return next(iter(verb_stems(words[last : last + 1])), None) if done else None


_RELATIVE = frozenset({"where", "who", "whom", "whose", "which", "when"})
_GOING_ON = (["and"], ["but"], ["then"])
_OWNERS = frozenset({"his", "her", "its", "their"})
_SUBJECTS = frozenset({"he", "she", "it", "they"})
_DID = frozenset({"did", "do", "does"})
_AUXILIARIES = _DID | {"is", "are", "was", "were", "has", "have", "had"}
_BEFORE_NAME = frozenset({"in", "on", "at", "for", "from", "to", "with", "into", "by", "of"})


def support_of(text: Text, question: Question, accepted: Sequence[WordRange], others: Sequence[WordRange]) -> Support | None:
    """Weigh the answers of a text; null where it has only one, or nothing says of what kind that is."""
    return Support(text, question, accepted, others) if others and question.type is not None else None
