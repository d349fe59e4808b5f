"""How sure the rules are of a ruling: `high` where what decided it is right at least 99 times in 100, else `low`.

What decides is the task, the outcome, the reason and the manner of the answer: a brief one, a plain one, or an involved one
(long, or with thoughts or orders left out of it). How often each is right was measured on answers whose truth is known
(`tests/benchmarks/confidence.py`, which writes the list `sure`); what was seen too seldom is low.
"""

from __future__ import annotations

from typing import Literal

from evaluators.verify.question import Question
from evaluators.verify.reading.reply import Reply
from evaluators.verify.reading.words import word_list
from evaluators.verify.ruling import Ruling
from queries.records.verdict import Confidence

Manner = Literal["brief", "plain", "involved"]

_SURE = word_list("sure")
_BRIEF, _PLAIN = 80, 400
"""So many characters at most has an answer that is brief, and one that is plain."""


def manner_of(reply: Reply) -> Manner:
    """Tell in what manner an answer is given.

    >>> manner_of(Reply.of("Paris.")), manner_of(Reply.of("<think>Rome?</think>Paris."))
    ('brief', 'involved')
    """
    if reply.left_out and any(left.why in ("thought", "order") for left in reply.left_out):
        return "involved"
    length = len(reply.text)
    return "brief" if length <= _BRIEF else "plain" if length <= _PLAIN else "involved"


def decider_of(reply: Reply, question: Question, ruling: Ruling) -> str:
    """Return the name of what decides a ruling: its task, outcome, reason and manner.

    >>> decider_of(Reply.of("Paris."), Question("Where?", "open", ("Paris",)), Ruling("correct", "exact"))
    'open.correct.exact.brief'
    """
    return f"{question.task}.{ruling.outcome}.{ruling.reason}.{manner_of(reply)}"


def confidence_of(reply: Reply, question: Question, ruling: Ruling) -> Confidence:
    """Tell how sure the rules are of a ruling.

    >>> confidence_of(Reply.of("..."), Question("Where?", "open", ("Paris",)), Ruling("unscored", "unparsed"))
    'low'
    """
    return "high" if decider_of(reply, question, ruling) in _SURE else "low"
