"""What a text says that the thing asked about is: "It is a heron", "Its own family, however, is the Rosaceae".

A sentence predicates where a form of "to be" (or "is called", "is known as") joins what is asked about to something. What is
asked about is told by words of the question before the verb, or by a pronoun alone. What follows up to the next sign is an
accepted answer, another answer, or only a description; names and values are answers anywhere, a noun in small letters only
where the accepted answers are such and nothing else stands there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from evaluators.verify.question import Question
from evaluators.verify.reading.text import Text, phrase
from evaluators.verify.reading.words import ARTICLES, EVERYDAY, content_stems, word_list

WordRange = tuple[int, int]
Side = Literal["accepted", "other"]

_BE = frozenset({"is", "are", "was", "were"})
_CALLED = frozenset({"called", "named", "termed", "known", "as", "to", "be"})
_ADVERBS = frozenset(
    [
        "now",
        "today",
        "currently",
        "thus",
        "therefore",
        "hence",
        "however",
        "then",
        "actually",
        "really",
        "indeed",
        "instead",
        "in",
        "fact",
        "simply",
        "of",
        "course",
        "still",
        "just",
        "always",
        "only",
        "probably",
        "also",
        "again",
        "merely",
        "rather",
        "correctly",
        "properly",
        "usually",
    ]
)
_NEGATIONS = frozenset({"not", "never", "no", "neither", "nor", "hardly", "often", "sometimes", "if", "whether"})
_PRONOUNS = frozenset({"it", "this", "that", "they", "these", "one", "answer", "name", "term"})
_REAL = frozenset({"own", "ones", "only", "real", "actual", "correct", "right", "true", "sought"})
"""Words that single out what is asked about, and say nothing else of it."""
_ANSWER = frozenset({"answer", "reply", "response"})
_QUESTION_WORDS = word_list("question_words")
_BEGINS = re.compile(r"[;:(]|[.!?]\s|\s[–—-]\s|—|,\s+(?:but|and|so|while|whereas|yet|for|because|since|though|although)\b")
_ENDS = re.compile(
    r"[,;:.!?()\n]|\s[–—-]\s|—|\s(?:which|that|who|whose|because|since|and|but|not|rather|where|when|while|as|for|in|on|with|from|at)\b"
)
_HAPPENED = re.compile(r"[a-z]+(?:ed|wn|ung|ade|elt|aid|old)|in|at|on|of|from|for|near|one|part")
"""A word that tells what was done to something, or where it is: "was planned by" and "is in" say nothing of what it is."""
_DESCRIBED = 2
"""So many words may describe an answer before it ("her brother, Konrad Moss")."""
_LONGEST = 3
"""A noun in small letters that is an answer has so many words at most."""


class Predication(NamedTuple):
    """What is said to be what is asked about: words from `first` up to `last`, and whether that is an accepted answer."""

    first: int
    last: int
    side: Side


def predications(
    text: Text, question: Question, accepted: Sequence[WordRange], others: Sequence[WordRange]
) -> list[Predication]:
    """Return what a text predicates of what is asked about, in order.

    Parameters: `accepted` and `others` are where accepted and other answers stand.

    >>> asked = Question("Which bird is on the coat of arms?", "context", ("crane",), type="string")
    >>> predications(Text("Often taken for a crane. This bird is a heron."), asked, [(4, 5)], [])
    [Predication(first=9, last=10, side='other')]
    """
    asked = _Asked.of(question)
    found = []
    for at in range(1, len(text.words) - 1):
        if text.words[at] in _BE and asked.about(text, at, accepted) and (said := _said(text, at, asked, accepted, others)):
            found.append(said)
    return found


class _Asked(NamedTuple):
    """What a question asks about: the stems of its words, and whether an answer to it is written in small letters."""

    stems: frozenset[str]
    small: bool

    @staticmethod
    def of(question: Question) -> _Asked:
        words = [word for word in phrase(question.text) if word not in _QUESTION_WORDS and word not in EVERYDAY]
        answers = question.expected or ()
        small = question.type in ("entity", "string") and bool(answers) and all(answer[:1].islower() for answer in answers)
        return _Asked(frozenset(content_stems(words)), small)

    def about(self, text: Text, at: int, accepted: Sequence[WordRange]) -> bool:
        """Tell whether what stands before a verb is what is asked about, and no answer itself."""
        sentence = text.sentences[text.sentence_of(at)]
        if at == sentence.first:
            return False
        lead = text.original[sentence.start : text.starts[at]]
        *_, start = (0, *[begin.end() for begin in _BEGINS.finditer(lead)])
        first = text.word_at(sentence.start + start)
        subject = text.words[first:at]
        if "," in lead and not _ANSWER.isdisjoint(own := text.words[text.word_at(sentence.start + lead.rfind(",")) : at]):
            subject = own
        if not subject or not _NEGATIONS.isdisjoint(subject) or any(a < at and b > first for a, b in accepted):
            return False
        bare = [word for word in subject if word not in ARTICLES and word not in _ADVERBS]
        told = content_stems([word for word in bare if word not in EVERYDAY and word not in _REAL])
        if not _ANSWER.isdisjoint(bare):
            return True
        return bool(bare) and ((len(bare) == 1 and bare[0] in _PRONOUNS) or (bool(told) and self.stems.issuperset(told)))


def _said(text: Text, at: int, asked: _Asked, accepted: Sequence[WordRange], others: Sequence[WordRange]) -> Predication | None:
    """Return what stands behind a verb, if that is an answer."""
    first = at + 1
    while first < len(text.words) and (
        text.words[first] in _ADVERBS or text.words[first] in _CALLED or text.words[first] in ARTICLES
    ):
        first += 1
    sentence = text.sentences[text.sentence_of(at)]
    if first >= sentence.last or text.words[first] in _NEGATIONS:
        return None
    if text.words[first] in _THEIRS and (apposed := _apposed(text, first, others)):
        return Predication(*apposed, "other")
    end = _ENDS.search(text.original, text.ends[first], sentence.end)
    last = max(first + 1, text.word_at(end.start())) if end else sentence.last
    if any(a < last and b > first for a, b in accepted):
        return Predication(first, last, "accepted")
    if _HAPPENED.fullmatch(text.words[first]):
        return None
    if any(a < last and first <= a <= first + _DESCRIBED and "of" not in text.words[first:a] for a, _ in others):
        return Predication(first, last, "other")
    words = text.words[first:last]
    plain = asked.small and len(words) <= _LONGEST and asked.stems.isdisjoint(content_stems(words))
    noun = plain and text.words[first - 1] in (*ARTICLES, "called", "as", "named", "termed", *_BE)
    return Predication(first, last, "other") if noun and words[-1] not in EVERYDAY else None


def _apposed(text: Text, first: int, others: Sequence[WordRange]) -> WordRange | None:
    """Return the name that stands beside somebody's relative ("her brother, Konrad Moss")."""
    at = first + 2
    if at >= len(text.words) or text.original[text.ends[at - 1] : text.starts[at]] not in (", ", " "):
        return None
    return next((other for other in others if other[0] == at), None)


_THEIRS = frozenset({"his", "her", "their", "its"})


def said_instead(
    text: Text, question: Question, accepted: Sequence[WordRange], others: Sequence[WordRange]
) -> WordRange | None:
    """Return what a text says at last that the thing asked about is, where that is another answer than those it named before.

    >>> asked = Question("Which bird is it?", "context", ("crane",), type="string")
    >>> said_instead(Text("Often taken for a crane. It is a heron."), asked, [(4, 5)], [])
    (8, 9)
    """
    found = predications(text, question, accepted, others)
    if not found or any(said.side == "accepted" for said in found):
        return None
    first, last, _ = found[-1]
    return (first, last) if all(place[1] <= first for place in accepted) else None
