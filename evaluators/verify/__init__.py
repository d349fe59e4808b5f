"""Judge answers by rules: join items and responses, and say why for each.

```
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --out verdicts.jsonl
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --explain ITEM
```

One module for each task, with a function from a text and a question to a ruling: `yes_no` (and probes), `choice`,
`short_answer`, `premise`; explanations are judged by `rationale`, texts without an answer by `abstention`. Nothing
here calls a model, draws by lot or learns: the same text gets the same verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from evaluators.verify import choice, premise, short_answer, yes_no
from evaluators.verify.published import PUBLISHED
from evaluators.verify.question import Question
from evaluators.verify.reading.text import PlainText
from evaluators.verify.ruling import Ruling, unscored

__all__ = ["JUDGES", "PUBLISHED", "Judge", "judge_text", "judges_of"]

Judge = Callable[[str, Question], Ruling]

JUDGES: dict[str, Judge] = {
    "yes_no": yes_no.judge,
    "probe": yes_no.judge,
    "choice": choice.judge,
    "open": short_answer.judge,
    "context": short_answer.judge,
    "premise": premise.judge,
}
"""The judge of each task."""


def judges_of(published: str | None) -> Mapping[str, Judge]:
    """Return the judges by task: ours, or those of a paper (for yes-no questions and choices; probes are judged as ever)."""
    if published is None:
        return JUDGES
    return {"probe": JUDGES["probe"]} | dict.fromkeys(("yes_no", "choice"), PUBLISHED[published])


def judge_text(text: str | None, question: Question, judges: Mapping[str, Judge] = JUDGES) -> Ruling:
    """Judge one answer; no text means that an error came instead.

    >>> judge_text("Yes.", Question("Is it?", expected=("yes",))).outcome, judge_text(None, Question("Is it?")).reason
    ('correct', 'api_error')
    """
    if text is None:
        return unscored("api_error")._replace(rationale=(False,) * len(question.rationale))
    plain = PlainText.of(text)
    ruling = judges[question.task](plain.text, question)
    missing = len(question.rationale) - len(ruling.rationale)
    if not missing and not plain.left_out:
        return ruling
    spans = tuple(plain.span(span) for span in ruling.spans) if plain.left_out else ruling.spans
    return ruling._replace(spans=spans, rationale=(*ruling.rationale, *[False] * missing))
