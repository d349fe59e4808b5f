"""How ERBench's authors read choices: the first option that is named by its number is the answer.

```
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --as-published erbench --out verdicts.jsonl
python -c 'import evaluators.verify.published.erbench_choice; help(evaluators.verify.published.erbench_choice)'
```

Oh et al. (2024), section 3.3 and table 7; for GPT-3.5, whose answers nearly all name an option as "Option 3":

| text | outcome |
|---|---|
| "There is no wrong option ..." | `unscored: unparsed`, which counts as wrong as published |
| names an option as "Option 3" | `correct` or `incorrect` by the first such |
| does not know | `abstained: unsure` |
| anything else | as `evaluators.verify.choice` reads it |
"""

from __future__ import annotations

import re

from evaluators.verify import abstention
from evaluators.verify.choice import pick
from evaluators.verify.published.erbench_names import loosely
from evaluators.verify.question import Question
from evaluators.verify.ruling import Ruling, unscored

__all__ = ["erbench_choice"]

_NONE = re.compile(r"\s*there is no\b", re.IGNORECASE)
_NAMED = re.compile(r"\boption\s*#?\s*(\d+)", re.IGNORECASE)


def erbench_choice(text: str, question: Question) -> Ruling:
    """Judge a choice and its rationale as ERBench's authors did.

    >>> false = Question("Which is false?", "choice", ("2",), options=("It is red.", "It is tall."))
    >>> erbench_choice("Option 2 is false, option 1 is not.", false)[:3]
    ('correct', 'exact', '2')
    """
    hops = tuple(any(loosely(text, value) for value in (entry.value, *entry.aliases)) for entry in question.rationale)
    return _answer(text, question)._replace(rationale=hops)


def _answer(text: str, question: Question) -> Ruling:
    if _NONE.match(text):
        return unscored("unparsed")
    named = _NAMED.search(text)
    if named is not None:
        return _ruling(named[1], named.span(1), question)
    withheld = abstention.withheld(text)
    if withheld is not None:
        return withheld
    found = pick(text, question.options, question.text)
    if found is None or len(found.options) > 1:
        return unscored("unparsed")
    return _ruling(str(found.options[0]), found.span, question)


def _ruling(answer: str, span: tuple[int, int], question: Question) -> Ruling:
    if question.expected is not None and answer == question.expected[0]:
        return Ruling("correct", "exact", answer, (span,))
    return Ruling("incorrect", "wrong", answer, (span,))
