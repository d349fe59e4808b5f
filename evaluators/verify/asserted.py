"""Yes or no in a text that uses neither word: what it calls true or false, and whether it says that such a thing exists.

```
python -c 'from evaluators.verify.asserted import *; print(asserted("I am not certain, but it is true.", "Is it so?"))'
```
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from evaluators.verify.reading.text import Span, Text
from evaluators.verify.reading.words import words

__all__ = ["Asserted", "asserted", "is_negated"]

_NEGATED = words("negated")
_WHAT = r"(?:it|that|this|(?:the|this|that|your) (?:statement|claim|premise|assertion|proposition|assumption))"
_IS = (
    r"(?:'s| is| was| does| did| seems?| appears?| would| must| may well)(?: (?:be|to be|appear|seem|appear to be"
    r"|seem to be|indeed|probably|likely|most likely|in fact|actually|definitely|also))*"
)
_RIGHT = r"(?:true|correct|right|accurate|so|the case)"
_FALSE = re.compile(
    rf"\b{_WHAT}{_IS}(?:n't| not)(?: (?:be|to be|appear to be|seem to be|entirely|really"
    rf"|actually))* {_RIGHT}\b|\b{_WHAT}{_IS} (?:false|incorrect|wrong|untrue|inaccurate|a lie)\b"
    r"|\A\W*(?:(?:absolutely|definitely|certainly|probably|of course|obviously|clearly|surely) not|not at all"
    r"|by no means|no way|never)\b"
    r"|\bi (?:do not|don't|doubt) (?:think|believe)? ?(?:so|it)\b(?=\W*(?:\Z|[.,;!]))",
    re.IGNORECASE,
)
_TRUE = re.compile(
    rf"\b{_WHAT}{_IS} {_RIGHT}\b|\A\W*(?:absolutely|definitely|certainly|of course|obviously|sure|surely"
    rf"|exactly|precisely|probably|likely)\b(?=\W*(?:\Z|[.,;!]))"
    r"|\bi (?:think|believe|guess) so\b",
    re.IGNORECASE,
)
_NONE = re.compile(
    r"\bthere (?:is|are|was|were|has been|have been|does|do|did)(?:n't| not| no|n't| never)\b"
    r"|\bno (?:such )?[\w ]{1,30}? (?:exists?|existed)\b|\bnone (?:exists?|existed|of them)\b",
    re.IGNORECASE,
)
_SOME = re.compile(
    r"\bthere (?:is|are|was|were) (?:indeed |actually |in fact |such )?(?:a|an|one|some|several|many|two|at least|such)\b",
    re.IGNORECASE,
)
_WRAPPED = re.compile(
    r"\b(?:not (?:true|correct|right|the case)|false|incorrect|untrue|wrong)\b(?: to (?:say|claim|state))? (?:that )?\Z",
    re.IGNORECASE,
)
_WHETHER = re.compile(r"\b(?:whether|if|unless|that)\s*\Z", re.IGNORECASE)
_CLAUSED = re.compile(r"\s+(?:that|to)\b")


class Asserted(NamedTuple):
    """What a text comes to, and the characters that say so."""

    answer: Literal["yes", "no"]
    span: Span


def is_negated(question: str) -> bool:
    """Tell whether a question is a negated one ("Is it true that no ...").

    >>> is_negated("Is it true that there are no films?"), is_negated("Is there a film?")
    (True, False)
    """
    return not _NEGATED.isdisjoint(Text(question).words)


def asserted(text: str, question: str) -> Asserted | None:
    """Find what a text asserts.

    >>> asserted("There is no such film.", "Is there such a film?")
    Asserted(answer='no', span=(0, 11))
    >>> asserted("There is no such film.", "Is it true that there is no such film?").answer
    'yes'
    >>> asserted("It is not true that there are no films.", "Is it true that there are no films?").answer
    'no'
    """
    false, true = _outright(_FALSE, text), _outright(_TRUE, text)
    if false or true:
        found = [match for match in (false, true) if match]
        first = min(found, key=lambda match: match.start())
        says: Literal["yes", "no"] = "no" if first is false else "yes"
        return _against_question(text, says, first, question)
    return _existence(text, question)


def _outright(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Find what is said outright, not after "whether" or "if"."""
    return next(
        (found for found in pattern.finditer(text) if not _WHETHER.search(text[max(0, found.start() - 40) : found.start()])),
        None,
    )


def _against_question(text: str, says: Literal["yes", "no"], found: re.Match[str], question: str) -> Asserted:
    """Turn "it is true that there are no ..." about, where the question asks whether there are some."""
    claim = text[found.end() :] if _CLAUSED.match(text, found.end()) else ""
    negative = _NONE.search(claim[:80]) is not None
    if claim and question and negative != is_negated(question) and (negative or _SOME.search(claim[:80])):
        says = "no" if says == "yes" else "yes"
    return Asserted(says, found.span())


def _existence(text: str, question: str) -> Asserted | None:
    none, some = _NONE.search(text), _SOME.search(text)
    if not question or (none is None) == (some is None):
        return None
    found = none or some
    assert found is not None
    wrapped = _WRAPPED.search(text[: found.start()]) is not None
    exists = (some is not None) != wrapped
    return Asserted("yes" if exists != is_negated(question) else "no", found.span())
