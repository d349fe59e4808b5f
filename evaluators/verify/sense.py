"""What "yes" to a question means: that what it claims holds, or that it does not.

| the question | claims | "yes" means that it |
|---|---|---|
| "Did he die in Ulm?", "Didn't he die in Ulm?" | that he died there | holds |
| "Is it true that he died in Ulm?" | that he died there | holds |
| "Is it true that no film ...", "Did he never ..." | that there is such a film, that he did | does not hold |
| "Is it false that he died in Ulm?", "Is it not the case that ..." | that he died there | does not hold |
| "Is it false that no film ..." | that there is such a film | holds |
"""

from __future__ import annotations

import functools
import re
from typing import Literal, NamedTuple

from evaluators.verify.question import Question
from evaluators.verify.reading.words import alternatives

YesNo = Literal["yes", "no"]

_WRAPPER = re.compile(
    r"\W*(?:(?:so|and|then|if so)\W+)*"
    r"(?:(?:is|was|would|could|isn't|can) (?:it|the following|this)(?: (?:statement|claim|assertion|sentence))?(?: be)?"
    r"|do you (?:agree|think|believe)|would you (?:agree|say)|can you confirm|(?P<stated>true or false))"
    rf"(?P<not> not)?(?: (?:really|actually|indeed|in fact|also))*(?: (?:(?P<true>{alternatives('called_true')}|fair)"
    rf"|(?P<false>{alternatives('called_false')})))?(?: (?:to (?:say|claim|state|think)|or false))*(?: that\b|\s?:|,)?\s*",
    re.IGNORECASE,
)
_DENYING = re.compile(r"\b(?:no|not|never|none|nobody|neither|nor|without)\b|n't\b", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“][^\"”\n]{1,80}[\"”]|(?<!\w)['‘][^'’\n]{1,80}['’](?!\w)")
_FIRST_WORD = re.compile(r"\W*\w+n't\b", re.IGNORECASE)


class Sense(NamedTuple):
    """How a question asks for its claim: within "is it true that" (`wrapped`), "is it false that" (`reversed`), as a denial."""

    wrapped: bool
    reversed: bool
    negated: bool
    start: int
    """Where in the question the claim begins."""

    def answer(self, *, holds: bool) -> YesNo:
        """Return the answer that says that the claim, without its own denial, holds or does not.

        >>> sense("Is it true that no film was made?").answer(holds=True)
        'no'
        """
        return "yes" if holds != (self.reversed != self.negated) else "no"


def sense_of(question: Question) -> Sense:
    """Tell what "yes" to a question means; a denial in a name that it gives denies nothing.

    >>> from evaluators.verify.question import Given
    >>> sense_of(Question("Did she sing Don't Go?", given=(Given("title", "Don't Go"),))).negated
    False
    """
    text = question.text
    for given in question.given:
        if _DENYING.search(given.value):
            text = text.replace(given.value, " " * len(given.value))
    return sense(text)


@functools.lru_cache(maxsize=4096)
def sense(question: str) -> Sense:
    """Tell what "yes" to a question means.

    >>> sense("Is it false that he died?")[:3], sense("Is it right that he never died?")[:3], sense("Didn't he die?")[:3]
    ((True, True, False), (True, False, True), (False, False, False))
    """
    text = question.replace("’", "'")
    wrapper = _WRAPPER.match(text)
    wrapped = wrapper is not None and any(wrapper[part] for part in ("true", "false", "stated"))
    start = wrapper.end() if wrapper and (wrapped or not wrapper[0].lower().startswith(("is ", "was "))) else 0
    turned = wrapped and wrapper is not None and bool(wrapper["false"]) != bool(wrapper["not"])
    rest = _QUOTED.sub(lambda quoted: " " * len(quoted[0]), text[start:])
    first = _FIRST_WORD.match(rest) if start == 0 else None
    return Sense(wrapped, turned, _DENYING.search(rest, first.end() if first else 0) is not None, start)
