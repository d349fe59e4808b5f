"""The rules that a paper used, for comparison with its numbers: `--as-published NAME`.

```
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --as-published erbench --out verdicts.jsonl
```

`erbench` (Oh et al., 2024, section 3.3), for yes-no questions and choices. Of a yes-no answer the first word is the answer,
anything else is unsure; the rationale is right where the text holds the inferred value, without regard to case, diacritics and
punctuation, or a person's surname where the value abbreviates the given name. On its line the rationale ends where the answer
comes once more with the same character after it, also inside a word: "No, ..." at "Tarantino,". From these verdicts

    A  = correct / all              R = right rationales / all
    AR = correct with a right rationale / all
    H  = 1 - A - abstained / all

Where a question has several hops their values are taken apart at commas and matched more loosely (`published_hops`); choices
are judged by `published_choice`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from evaluators.verify.published.erbench_choice import erbench_choice
from evaluators.verify.published.erbench_hops import hops_named
from evaluators.verify.question import Question
from evaluators.verify.ruling import Ruling
from kg.text import fold

__all__ = ["PUBLISHED"]

_FIRST = re.compile(r"\W*(?:yes(?:\s*/\s*|\s+or\s+)no\W+)?(?P<said>yes|no)\b(?!\s*/\s*\w|\s+or\b)", re.IGNORECASE)
_INITIALLED = re.compile(r"\A\w\.(?:\s?\w\.)* ?(.+)\Z")


def erbench(text: str, question: Question) -> Ruling:
    """Judge an answer to a yes-no question or a choice, and its rationale, as ERBench's authors did.

    >>> from evaluators.verify.question import Entry
    >>> player = Question("?", "yes_no", ("yes",), rationale=(Entry("player", "L. Messi"),))
    >>> erbench("Yes. Lionel Messi.", player)[:5:4], erbench("Perhaps.", player).outcome
    (('correct', (True,)), 'abstained')
    """
    if question.task == "choice":
        return erbench_choice(text, question)
    first = _FIRST.match(text)
    if first is None:
        return Ruling("abstained", "unsure", None, (), _named(text, question))
    said, spans = first["said"].lower(), (first.span("said"),)
    hops = _named(_explanation(text, said, first.end("said")), question)
    if question.expected is not None and said == question.expected[0]:
        return Ruling("correct", "exact", said, spans, hops)
    return Ruling("incorrect", "wrong", said, spans, hops)


def _explanation(text: str, said: str, end: int) -> str:
    """Return what follows the answer, on its line up to the answer and its next character once more."""
    line, _, others = text[end:].partition("\n")
    again = re.compile(re.escape(said + line[:1]), re.IGNORECASE).search(line, 1)
    return f"{line[: again.start()] if again else line}\n{others}"


def _named(text: str, question: Question) -> tuple[bool, ...]:
    if len(question.rationale) > 1:
        return hops_named(text, question)
    return tuple(_holds(text, (entry.value, *entry.aliases)) for entry in question.rationale)


def _holds(text: str, values: tuple[str, ...]) -> bool:
    held = fold(text).replace(" ", "")
    return any(_plain(value) in held for value in values)


def _plain(value: str) -> str:
    surname = _INITIALLED.match(value)
    return fold(surname[1] if surname else value).replace(" ", "")


PUBLISHED: dict[str, Callable[[str, Question], Ruling]] = {"erbench": erbench}
"""Each paper's rules by name; they judge `yes_no` and `choice` and nothing else."""
