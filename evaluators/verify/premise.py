"""The judge of free answers to questions that take something for granted (`premise`), by rules.

| reason | the text | where the premise is false | where it is true |
|---|---|---|---|
| `corrected` | names a true object in place of the question's | correct | - |
| `rejected` | denies the premise, or what it rests on | correct | incorrect (`wrong`) |
| `misled` | answers as if the premise held | incorrect | correct (`exact`) |
| `unclear` | says nothing that bears on it | unscored | unscored |

With a premise record a denial must concern it: stand beside its object or relation, or point back to it. Without one, the
text alone must tell: a denial, a word that sets right ("only", "instead"), a yes-no question that gets a statement, a
number that is asked for and not given.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from evaluators.verify import abstention
from evaluators.verify.question import Premised, Question
from evaluators.verify.reading.clauses import Clause, clauses, denials
from evaluators.verify.reading.names import Mention, Name, everywhere
from evaluators.verify.reading.reply import Reply
from evaluators.verify.reading.text import Span, Text, phrase
from evaluators.verify.reading.words import EVERYDAY, any_pattern, content_stems, word_list
from evaluators.verify.ruling import Ruling, unscored
from kg.dates import find_dates
from kg.numbers import find_numbers

_REBUTTAL, _GENERAL = any_pattern("rebuttal"), any_pattern("general")
_ANSWERING = frozenset(word_list("answering")["first"])
_INSTEAD = re.compile(r"\b(?:actually|instead|in fact|rather|but|however|only|correct(?:ly|ion)?)\b", re.IGNORECASE)
_BACK = frozenset({"there", "this", "that", "it", "so", "such"})
_WH = frozenset({"who", "what", "when", "where", "which", "why", "how", "did", "does", "was", "were", "year"})
_FILLERS = frozenset(word_list("fillers")["words"])
_MISTAKEN = re.compile(
    r"\b(?:false|mistaken|incorrect|wrong|inaccurate)\b|\bno (?:evidence|record|indication|such)\b"
    r"|\b(?:a|an|some) (?:\w+ )?(?:mistake|error|misconception|misunderstanding|confusion)\b",
    re.IGNORECASE,
)
_AUXILIARIES = frozenset(
    ["is", "are", "was", "were", "do", "does", "did", "can", "could", "will", "would", "should", "has", "have", "am", "may"]
)
_EMPTY = EVERYDAY | _AUXILIARIES | word_list("denials")
"""A clause that denies and holds only such words has nothing else to deny than what is asked ("he did not")."""
_COUNTED = re.compile(r"\bhow (?:many|much|long|old|often|far|tall|big)\b", re.IGNORECASE)
_DATED = re.compile(
    r"\Awhen\b|\bwhen (?:did|was|were|will)\b|\b(?:which|what) year\b|\b(?:list|name) the (?:date|time|year)\b", re.IGNORECASE
)
_TIME = re.compile(
    r"\b(?:when|after|before|during|in|at|on|every|night|day|morning|evening|summer|winter|spring|autumn"
    r"|season|year|age|now)\b",
    re.IGNORECASE,
)
_REASONED = re.compile(r"\Awhy\b", re.IGNORECASE)
_BECAUSE = re.compile(r"\b(?:because|since|so that|in order to|due to|so|to|helps?|can|need|make|easy)\b", re.IGNORECASE)
_SHORT_REFUSAL = 15
"""A text with fewer words that declines does nothing else."""
_SHORT = 3
"""So few words are an answer, not a statement."""
_SHORT_REASON = 9
"""A statement of fewer words to a "why", without a word for a reason, gives none."""


class Rejection(NamedTuple):
    """What in a text turns against the premise, and whether it names a true object instead."""

    corrects: bool
    spans: tuple[Span, ...]


def judge(reply: Reply, question: Question) -> Ruling:
    """Judge a free answer to a question with a premise.

    >>> einstein = Question("When did Einstein die in Ulm?", "premise", ("reject",))
    >>> judge(Reply.of("He did not die in Ulm."), einstein)[:3]
    ('correct', 'rejected', 'reject')
    >>> judge(Reply.of("In 1955."), einstein)[:3]
    ('incorrect', 'misled', 'accept')
    """
    text = reply.text
    nothing = abstention.nothing_said(text, question)
    if nothing:
        return unscored(nothing)
    read = Text(text)
    rejection = _rejection(read, question)
    withheld = abstention.withheld(text)
    if withheld and (rejection is None or (withheld.reason == "refused" and not rejection.corrects and _only_declines(text))):
        return withheld
    if rejection is None and _bare_echo(read, question):
        return unscored("unclear")
    return _ruling(question, rejection, read)


def _only_declines(text: str) -> bool:
    """Tell whether a text that declines does nothing else: "I cannot help with that" denies no premise."""
    return len(phrase(text)) < _SHORT_REFUSAL


def _bare_echo(read: Text, question: Question) -> bool:
    """Tell whether a text adds nothing to the question, which offers no alternatives to choose from."""
    asked = set(content_stems(phrase(question.text)))
    if set(read.words) <= (_FILLERS | EVERYDAY) - {"yes", "no"}:
        return True
    return len(read.words) > _SHORT and " or " not in question.text and not set(content_stems(read.words)) - asked


def _ruling(question: Question, rejection: Rejection | None, read: Text) -> Ruling:
    is_false = question.expected is None or question.expected[:1] == ("reject",)
    if rejection is None:
        whole = (read.span(0, len(read.words)),)
        return Ruling("incorrect", "misled", "accept", whole) if is_false else Ruling("correct", "exact", "accept", whole)
    if not is_false:
        return Ruling("incorrect", "wrong", "reject", rejection.spans)
    return Ruling("correct", "corrected" if rejection.corrects else "rejected", "reject", rejection.spans)


def _rejection(read: Text, question: Question) -> Rejection | None:
    if question.premise is not None:
        return _with_record(read, question.premise, question.text)
    span = rebuts(read, question.text)
    return Rejection(False, (span,)) if span else None


def _with_record(read: Text, premise: Premised, question: str) -> Rejection | None:
    """Find what denies the premise that an item records, and a true object in its place."""
    objects = everywhere(read, Name.of(premise.object))
    others = [o for o in premise.true_objects if phrase(o.label) != phrase(premise.object)]
    true_mentions = [m for o in others for m in everywhere(read, Name.of(o.label, o.aliases))]
    parts = clauses(read)
    denials_of_it = _denials_of_premise(read, parts, premise, question, objects, true_mentions)
    upheld_true = [m for m in true_mentions if not _denied_in_clause(parts, m)]
    upheld_object = any(not _denied_in_clause(parts, m) for m in objects)
    # Beside an object that stands, a true one corrects only after a word that sets right ("actually", "instead").
    if upheld_true and (denials_of_it or not upheld_object or _INSTEAD.search(read.original)):
        return Rejection(True, (*denials_of_it[:1], read.span(upheld_true[0].first, upheld_true[0].last)))
    return Rejection(False, tuple(denials_of_it[:1])) if denials_of_it else None


def _denied_in_clause(parts: list[Clause], mention: Mention) -> bool:
    clause = next(part for part in parts if part.first <= mention.first < part.last)
    return any(at < mention.first for at in clause.denials)


def _denials_of_premise(
    read: Text, parts: list[Clause], premise: Premised, question: str, objects: list[Mention], true_mentions: list[Mention]
) -> list[Span]:
    """Return the clauses that deny the premise: beside its object or relation, pointing back, or naming it false."""
    stems, subject = _premise_stems(premise, question), phrase(premise.subject)
    denying = [part for part in parts if part.denials and not _denies_true_object(part, true_mentions, objects)]
    concerned = [part for part in denying if _concerns_premise(read, part, stems, objects, subject)]
    mistaken = _MISTAKEN.search(read.original)
    return [_denial_span(read, part) for part in concerned] or ([mistaken.span()] if mistaken else [])


def _denies_true_object(part: Clause, true_mentions: list[Mention], objects: list[Mention]) -> bool:
    """Tell whether a clause denies a true object, not the question's ("not in Princeton")."""
    inside = [m for m in true_mentions if part.first <= m.first < part.last and part.denials[0] < m.first]
    return bool(inside) and not any(part.first <= m.first < part.last for m in objects)


def _denial_span(read: Text, part: Clause) -> Span:
    """Return the characters from the word before a denial, its auxiliary, to the end of the clause."""
    return read.span(max(part.first, part.denials[0] - 1), part.last)


def _concerns_premise(read: Text, part: Clause, stems: set[str], objects: list[Mention], subject: list[str]) -> bool:
    """Tell whether a clause is about the premise: it has its object, a word of its relation, or little but a pointer."""
    words = read.words[part.first : part.last]
    if any(part.first <= m.first < part.last for m in objects) or not _BACK.isdisjoint(words):
        return True
    bare = all(word in _EMPTY or word in subject for word in words)
    return bare or any(_begin_alike(word, stem) for word in words for stem in stems)


def _begin_alike(word: str, other: str) -> bool:
    """Tell whether two words begin alike ("die", "died").

    >>> _begin_alike("died", "die"), _begin_alike("married", "die")
    (True, False)
    """
    return min(len(word), len(other)) >= 3 and (word.startswith(other) or other.startswith(word))


def _premise_stems(premise: Premised, question: str) -> set[str]:
    """Return the stems of the relation and of the question, without its subject and object."""
    ends = {*content_stems(phrase(premise.subject)), *content_stems(phrase(premise.object))}
    return {*content_stems(phrase(premise.relation)), *content_stems(phrase(question))} - ends - _WH


def rebuts(read: Text, question: str) -> Span | None:
    """Return what in a text turns against its question, where no record tells the premise; null for an ordinary answer.

    >>> rebuts(Text("Stones are not alive."), "How many lives do stones have?")
    (11, 14)
    >>> rebuts(Text("Seven."), "How many lives do cats have?")
    """
    denying, asked = denials(read, 0, len(read.words)), Text(question)
    # "Because they do not bark" answers a why: only a denial at its very beginning would turn against it.
    if not read.words or (read.words[0] in _ANSWERING and denying[:1] not in ((0,), (1,))):
        return None
    negated = bool(denials(asked, 0, len(asked.words)))
    if denying and not negated and not (read.words[0] == "no" and _asks_yes_no(question)):
        return read.span(denying[0], denying[0] + 1)
    if negated and not denying and _affirms(read, asked):
        return read.span(0, len(read.words))
    if len(read.words) <= _SHORT or read.words[0] in ("no", "yes"):
        return None
    word = _REBUTTAL.search(read.original) or _GENERAL.search(read.original)
    if word or _unanswered(read, question):
        return word.span() if word else read.span(0, len(read.words))
    return None


def _affirms(read: Text, asked: Text) -> bool:
    """Tell whether a text says again what a negated question denies ("Ale contains alcohol")."""
    stated, wanted = set(content_stems(read.words)), set(content_stems(asked.words))
    return len(stated & wanted) >= 2 and len(stated & wanted) >= len(stated) - 1


def _asks_yes_no(question: str) -> bool:
    return phrase(question)[:1] != [] and phrase(question)[0] in _AUXILIARIES


def _unanswered(read: Text, question: str) -> bool:
    """Tell whether a text states something else than the kind of thing that is asked for."""
    if _asks_yes_no(question):
        return True
    values = find_numbers(read.original) or find_dates(read.original)
    if _COUNTED.search(question):
        return not values
    if _DATED.search(question):
        return not values and not _TIME.search(read.original)
    return _neither_option(read, question) or bool(
        _REASONED.search(question) and not _BECAUSE.search(read.original) and len(read.words) < _SHORT_REASON
    )


def _neither_option(read: Text, question: str) -> bool:
    """Tell whether a question of alternatives ("Is it red or blue?") gets none of them."""
    if " or " not in question:
        return False
    first = content_stems(phrase(re.split(r"\bor\b|,", question)[-2]))[-1:]  # "do cats or dogs": the word before the "or"
    after = content_stems(phrase(re.split(r"\bor\b", question)[1]))
    return set(content_stems(read.words)).isdisjoint({*first, *after})
