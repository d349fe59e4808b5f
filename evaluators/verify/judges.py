"""The judge of each task: an answer is read, the rules rule on it, a second opinion weighs what they are not sure of."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from evaluators.verify import choice, foreign, premise, short_answer, yes_no
from evaluators.verify.opinion import second_opinion
from evaluators.verify.published import PUBLISHED
from evaluators.verify.question import Question, without_orders
from evaluators.verify.reading.languages import foreign_language
from evaluators.verify.reading.reply import Reply
from evaluators.verify.reading.text import Span, phrase
from evaluators.verify.ruling import Ruling, unscored
from evaluators.verify.wording import worded

Judge = Callable[[str, Question], Ruling]
"""From an answer as it was given, and its question, to a ruling."""


Rule = Callable[[Reply, Question], Ruling]


def _judge(rule: Rule, *, weighed: bool) -> Judge:
    """Return a judge that reads an answer and rules on what is read; a second opinion weighs what the rules are not sure of."""

    def judge(text: str, question: Question) -> Ruling:
        if rule is short_answer.judge and (said := short_answer.word_for_word(text, question)) is not None:
            return said
        reply = Reply.of(text).behind(question.text)
        question = without_orders(question)
        language = foreign_language(reply.text, question.text)
        language = None if language and _is_name_alone(reply.text, question) else language
        ruling = foreign.judge(reply, question, language) if language else rule(reply, question)
        if weighed and ruling.confidence is None:
            weighed_reply, weighed_ruling = worded(reply, question, ruling)
            opinion = second_opinion(weighed_reply, question, weighed_ruling, foreign=language is not None)
            ruling = opinion._replace(spans=ruling.spans)
        if reply.is_original:
            return ruling
        outcome, reason, answer, _, hops, contradicted, sure = ruling
        return Ruling(outcome, reason, answer, _in_original(reply, ruling), hops, contradicted, sure)

    return judge


def _is_name_alone(text: str, question: Question) -> bool:
    """Tell whether a text is hardly more than a name of the item, whose language says nothing ("Answer: Pas-de-Calais")."""
    name = max((name for name in (*question.options, *(question.expected or ())) if name in text), key=len, default="")
    return short_answer.is_proper(name) and _AROUND_A_NAME.issuperset(phrase(text.replace(name, " ")))


_AROUND_A_NAME = frozenset({"the", "final", "answer", "option", "it", "is"})


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


_OF_TASK: dict[str, Rule] = {
    "yes_no": yes_no.judge,
    "probe": yes_no.judge,
    "choice": choice.judge,
    "open": short_answer.judge,
    "context": short_answer.judge,
    "premise": premise.judge,
}
JUDGES: dict[str, Judge] = {task: _judge(rule, weighed=True) for task, rule in _OF_TASK.items()}
"""The judge of each task."""
RULES: dict[str, Judge] = {task: _judge(rule, weighed=False) for task, rule in _OF_TASK.items()}
"""The rules of each task alone, without a second opinion; what they are not sure of at once has no confidence."""


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
