"""Judge answers by rules: join items and responses, and say why for each.

```
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --out verdicts.jsonl
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --explain ITEM
```

What an answer says is read once (`reading.reply`), whatever the task. One module for each task has a function from a reply and
a question to a ruling: `yes_no` (and probes), `choice`,
`short_answer`, `premise`; explanations are judged by `rationale`, texts without an answer by `abstention`. Nothing
here calls a model, draws by lot or learns: the same text gets the same verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from evaluators.verify import choice, foreign, premise, short_answer, yes_no
from evaluators.verify.confidence import confidence_of
from evaluators.verify.published import PUBLISHED
from evaluators.verify.question import Question
from evaluators.verify.reading.languages import foreign_language
from evaluators.verify.reading.reply import Reply
from evaluators.verify.reading.text import Span
from evaluators.verify.ruling import Ruling, unscored

__all__ = ["JUDGES", "PUBLISHED", "Judge", "judge_text", "judges_of"]

Judge = Callable[[str, Question], Ruling]
"""From an answer as it was given, and its question, to a ruling."""


def _by_rules(rule: Callable[[Reply, Question], Ruling]) -> Judge:
    """Return a judge that reads an answer, rules on what is read, and says how sure it is."""

    def judge(text: str, question: Question) -> Ruling:
        reply = Reply.of(text).behind(question.text)
        language = foreign_language(reply.text, question.text)
        ruling = foreign.judge(reply, question, language) if language else rule(reply, question)
        outcome, reason, answer, _, hops, contradicted, _ = ruling
        spans, sure = _in_original(reply, ruling), confidence_of(reply, question, ruling)
        return Ruling(outcome, reason, answer, spans, hops, contradicted, sure)

    return judge


def _as_published(rule: Callable[[str, Question], Ruling]) -> Judge:
    """Return a judge that rules on an answer as it stands, as a paper does."""

    def judge(text: str, question: Question) -> Ruling:
        reply = Reply.as_written(text)
        ruling = rule(reply.text, question)
        return ruling._replace(spans=_in_original(reply, ruling))

    return judge


def _in_original(reply: Reply, ruling: Ruling) -> tuple[Span, ...]:
    """Return the deciding characters as characters of the original."""
    return ruling.spans if reply.is_original else tuple([reply.span(span) for span in ruling.spans])


JUDGES: dict[str, Judge] = {
    "yes_no": _by_rules(yes_no.judge),
    "probe": _by_rules(yes_no.judge),
    "choice": _by_rules(choice.judge),
    "open": _by_rules(short_answer.judge),
    "context": _by_rules(short_answer.judge),
    "premise": _by_rules(premise.judge),
}
"""The judge of each task."""


def judges_of(published: str | None) -> Mapping[str, Judge]:
    """Return the judges by task: ours, or those of a paper (for yes-no questions and choices; probes are judged as ever)."""
    if published is None:
        return JUDGES
    return {"probe": JUDGES["probe"]} | dict.fromkeys(("yes_no", "choice"), _as_published(PUBLISHED[published]))


def judge_text(text: str | None, question: Question, judges: Mapping[str, Judge] = JUDGES) -> Ruling:
    """Judge one answer; no text means that an error came instead.

    >>> judge_text("Yes.", Question("Is it?", expected=("yes",))).outcome, judge_text(None, Question("Is it?")).reason
    ('correct', 'api_error')
    """
    if text is None:
        return unscored("api_error")._replace(rationale=(False,) * len(question.rationale), confidence="high")
    ruling = judges[question.task](text, question)
    missing = len(question.rationale) - len(ruling.rationale)
    return ruling._replace(rationale=(*ruling.rationale, *[False] * missing)) if missing else ruling
