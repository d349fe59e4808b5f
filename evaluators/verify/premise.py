"""The judge of free answers to questions that take something for granted (`premise`), by rules.

```
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --out verdicts.jsonl
```

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

from evaluators.verify import abstention
from evaluators.verify.question import Premised, Question
from evaluators.verify.reading.clauses import Clause, Text, clauses, denials
from evaluators.verify.reading.name import EVERYDAY
from evaluators.verify.reading.names import Mention, Name, everywhere
from evaluators.verify.reading.stems import content
from evaluators.verify.reading.text import Span, phrase
from evaluators.verify.reading.words import words
from evaluators.verify.ruling import Ruling, unscored
from kg.dates import find_dates
from kg.numbers import find_numbers

__all__ = ["judge", "rebuts"]

_LISTS = words("rebuttal")["patterns"], words("general")["patterns"]
_REBUTTAL, _GENERAL = (re.compile("|".join(f"(?:{p})" for p in patterns), re.IGNORECASE) for patterns in _LISTS)
_ANSWERING = frozenset(words("answering")["first"])
_INSTEAD = re.compile(r"\b(?:actually|instead|in fact|rather|but|however|only|correct(?:ly|ion)?)\b", re.IGNORECASE)
_BACK = frozenset({"there", "this", "that", "it", "so", "such"})
_WH = frozenset({"who", "what", "when", "where", "which", "why", "how", "did", "does", "was", "were", "year"})
_FILLERS = frozenset(words("fillers")["words"])
_MISTAKEN = re.compile(
    r"\b(?:false|mistaken|incorrect|wrong|inaccurate)\b|\bno (?:evidence|record|indication|such)\b"
    r"|\b(?:a|an|some) (?:\w+ )?(?:mistake|error|misconception|misunderstanding|confusion)\b",
    re.IGNORECASE,
)
_AUXILIARIES = frozenset(
    ["is", "are", "was", "were", "do", "does", "did", "can", "could", "will", "would", "should", "has", "have", "am", "may"]
)
_EMPTY = EVERYDAY | _AUXILIARIES | words("denials")
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


def judge(text: str, question: Question) -> Ruling:
    """Judge a free answer to a question with a premise.

    >>> einstein = Question("When did Einstein die in Ulm?", "premise", ("reject",))
    >>> judge("He did not die in Ulm.", einstein)[:3]
    ('correct', 'rejected', 'reject')
    >>> judge("In 1955.", einstein)[:3]
    ('incorrect', 'misled', 'accept')
    """
    nothing = abstention.nothing_said(text, question)
    if nothing:
        return unscored(nothing)
    read = Text(text)
    against = _against(read, question)
    withheld = abstention.withheld(text)
    if withheld and (against is None or (withheld.reason == "refused" and against[0] != "corrected" and _declines(text))):
        return withheld
    if against is None and _bare_echo(read, question):
        return unscored("unclear")
    return _ruling(question, against, read)


def _declines(text: str) -> bool:
    """Tell whether a text does nothing but decline."""
    return len(phrase(text)) < _SHORT_REFUSAL


def _bare_echo(read: Text, question: Question) -> bool:
    """Tell whether a text adds nothing to the question, which offers no alternatives to choose from."""
    asked = set(content(phrase(question.text)))
    if set(read.words) <= (_FILLERS | EVERYDAY) - {"yes", "no"}:
        return True
    return len(read.words) > _SHORT and " or " not in question.text and not set(content(read.words)) - asked


def _ruling(question: Question, against: tuple[str, tuple[Span, ...]] | None, read: Text) -> Ruling:
    reject = question.expected is None or question.expected[:1] == ("reject",)
    if against is None:
        whole = (read.span(0, len(read.words)),)
        return Ruling("incorrect", "misled", "accept", whole) if reject else Ruling("correct", "exact", "accept", whole)
    how, spans = against
    if not reject:
        return Ruling("incorrect", "wrong", "reject", spans)
    return Ruling("correct", "corrected" if how == "corrected" else "rejected", "reject", spans)


def _against(read: Text, question: Question) -> tuple[str, tuple[Span, ...]] | None:
    if question.premise is not None:
        return _with_premise(read, question.premise, question)
    span = rebuts(read, question.text)
    return ("rejected", (span,)) if span else None


def _with_premise(read: Text, premise: Premised, question: Question) -> tuple[str, tuple[Span, ...]] | None:
    """Find what denies the premise, and a true object in its place."""
    objects = everywhere(read, Name.of(premise.object))
    others = [o for o in premise.true_objects if phrase(o.label) != phrase(premise.object)]
    parts = clauses(read)
    named = [m for o in others for m in everywhere(read, Name.of(o.label, o.aliases))]
    denied = _denied_premise(read, parts, premise, question.text, objects, named)
    true = [m for m in named if not _denied_here(parts, m)]
    kept = [m for m in objects if not _denied_here(parts, m)]
    if true and (denied or not kept or _INSTEAD.search(read.original)):
        return "corrected", (*denied[:1], read.span(true[0].first, true[0].last))
    return ("rejected", tuple(denied[:1])) if denied else None


def _denied_here(parts: list[Clause], mention: Mention) -> bool:
    clause = next(part for part in parts if part.first <= mention.first < part.last)
    return any(at < mention.first for at in clause.denials)


def _holds(part: Clause, others: list[Mention], objects: list[Mention]) -> bool:
    """Tell whether a clause denies a true object, not the question's ("not in Princeton")."""
    inside = [m for m in others if part.first <= m.first < part.last and part.denials[0] < m.first]
    return bool(inside) and not any(part.first <= m.first < part.last for m in objects)


def _denied_premise(
    read: Text, parts: list[Clause], premise: Premised, question: str, objects: list[Mention], others: list[Mention]
) -> list[Span]:
    """Return the clauses that deny the premise: beside its object or relation, pointing back, or naming it false."""
    stems, subject = _stems_of(premise, question), phrase(premise.subject)
    denying = [part for part in parts if part.denials and not _holds(part, others, objects)]
    found = [part for part in denying if _concerns(read, part, stems, objects, subject)]
    wrong = _MISTAKEN.search(read.original)
    return [_denial_span(read, part) for part in found] or ([wrong.span()] if wrong else [])


def _denial_span(read: Text, part: Clause) -> Span:
    """Return the characters from the word before a denial, its auxiliary, to the end of the clause."""
    return read.span(max(part.first, part.denials[0] - 1), part.last)


def _concerns(read: Text, part: Clause, stems: set[str], objects: list[Mention], subject: list[str]) -> bool:
    """Tell whether a clause is about the premise: it has its object, a word of its relation, or little but a pointer."""
    inside = read.words[part.first : part.last]
    if any(part.first <= m.first < part.last for m in objects) or not _BACK.isdisjoint(inside):
        return True
    bare = all(word in _EMPTY or word in subject for word in inside)
    return bare or any(_akin(word, stem) for word in inside for stem in stems)


def _akin(word: str, other: str) -> bool:
    """Tell whether two words begin alike ("die", "died").

    >>> _akin("died", "die"), _akin("married", "die")
    (True, False)
    """
    return min(len(word), len(other)) >= 3 and (word.startswith(other) or other.startswith(word))


def _stems_of(premise: Premised, question: str) -> set[str]:
    """Return the words of the relation and of the question, without its subject and object."""
    named = {*content(phrase(premise.subject)), *content(phrase(premise.object))}
    return {*content(phrase(premise.relation)), *content(phrase(question))} - named - _WH


def rebuts(read: Text, question: str) -> Span | None:
    """Return what in a text turns against its question; null for an ordinary answer.

    >>> rebuts(Text("Stones are not alive."), "How many lives do stones have?")
    (11, 14)
    >>> rebuts(Text("Seven."), "How many lives do cats have?")
    """
    found, asked = denials(read, 0, len(read.words)), Text(question)
    if not read.words or (read.words[0] in _ANSWERING and found[:1] not in ((0,), (1,))):
        return None
    negated = bool(denials(asked, 0, len(asked.words)))
    if found and not negated and not (read.words[0] == "no" and _asks_yes_no(question)):
        return read.span(found[0], found[0] + 1)
    if negated and not found and _affirms(read, asked):
        return read.span(0, len(read.words))
    if len(read.words) <= _SHORT or read.words[0] in ("no", "yes"):
        return None
    word = _REBUTTAL.search(read.original) or _GENERAL.search(read.original)
    if word or _unanswered(read, question):
        return word.span() if word else read.span(0, len(read.words))
    return None


def _affirms(read: Text, asked: Text) -> bool:
    """Tell whether a text says again what a negated question denies ("Ale contains alcohol")."""
    said, wanted = set(content(read.words)), set(content(asked.words))
    return len(said & wanted) >= 2 and len(said & wanted) >= len(said) - 1


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
        _REASONED.search(question) and not _BECAUSE.search(read.original) and len(read.words) < 9
    )


def _neither_option(read: Text, question: str) -> bool:
    """Tell whether a question of alternatives gets none of them."""
    options = [content(phrase(part))[-1:] for part in re.split(r"\bor\b|,", question)[-2:]] if " or " in question else []
    last = {word for part in re.split(r"\bor\b", question)[1:2] for word in content(phrase(part))}
    first = {word for option in options[:1] for word in option}
    said = set(content(read.words))
    return bool(options) and said.isdisjoint(first | last)
