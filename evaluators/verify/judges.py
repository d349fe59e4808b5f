"""The judge of each task: an answer is read, the rules rule on it, a second opinion weighs what they are not sure of.

How an answer is laid out says little of whether it is right, so a blank line, a heading or a missing full stop must not change
what is weighed. Rules look at lines, headings and what is marked; the second opinion reads the answer's wording:

| in the reply | in its wording |
|---|---|
| blanks, lines and emoji around it; its last full stop | left out |
| a line that ends with a sentence | goes on with the next one |
| a label of the whole answer ("Answer:", a heading "Response") | left out; nothing is declared, where all is |
| a small letter at the beginning | a capital |
| (of yes-no questions and probes only the blanks and lines around it are left out) | |
| what is said of markup, thoughts and courtesies that are left out | nothing; of orders and quotes, it stays |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from evaluators.verify import choice, foreign, premise, short_answer, yes_no
from evaluators.verify.opinion import second_opinion
from evaluators.verify.published import PUBLISHED
from evaluators.verify.question import Question, without_orders
from evaluators.verify.reading.abbreviations import called_otherwise
from evaluators.verify.reading.languages import foreign_language
from evaluators.verify.reading.reply import LeftOut, Reply
from evaluators.verify.reading.text import Span, phrase
from evaluators.verify.ruling import Ruling, unscored

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
        if rule is short_answer.judge:
            question = _with_other_names(question, reply.text)
        language = foreign_language(reply.text, question.text)
        language = None if language and _is_name_alone(reply.text, question) else language
        ruling = foreign.judge(reply, question, language) if language else rule(reply, question)
        if weighed and ruling.confidence is None:
            weighed_reply, weighed_ruling = worded(reply, question, ruling)
            opinion = second_opinion(weighed_reply, question, weighed_ruling, foreign=language is not None, rule=rule)
            ruling = opinion._replace(spans=ruling.spans)
        if reply.is_original:
            return ruling
        outcome, reason, answer, _, hops, contradicted, sure = ruling
        return Ruling(outcome, reason, answer, _in_original(reply, ruling), hops, contradicted, sure)

    return judge


def _with_other_names(question: Question, text: str) -> Question:
    """Accept what a text calls an accepted answer, cut short or written out, but for what is asked ("What does WHO mean?")."""
    said = [name for name in called_otherwise(text, question.expected or ()) if name.lower() not in question.text.lower()]
    return question._replace(expected=(*(question.expected or ()), *said)) if said else question


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


RULE_OF: dict[str, Rule] = {
    "yes_no": yes_no.judge,
    "probe": yes_no.judge,
    "choice": choice.judge,
    "open": short_answer.judge,
    "context": short_answer.judge,
    "premise": premise.judge,
}
JUDGES: dict[str, Judge] = {task: _judge(rule, weighed=True) for task, rule in RULE_OF.items()}
"""The judge of each task."""
RULES: dict[str, Judge] = {task: _judge(rule, weighed=False) for task, rule in RULE_OF.items()}
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


_SIGNS = frozenset(".?!:;,)\"'%°✓✗✅❌")
"""Signs at the end of a text that say something."""
_STOP = ".."
"""A full stop, or two where a wrapper adds one; three say that a text goes on."""
_LINE_END = re.compile(r"(?<=[.?!:;,])\s*\n\s*")
_NOTE = re.compile(r"\[\d{1,2}\]")
_LABEL = re.compile(
    r"\W*(?:(?:(?:my|the|final|short) )*(?:answer|ans|response|reply|result|output)|a)\s*(?:[:=]|\n)\s*(?=\w)", re.IGNORECASE
)
_TOLD = frozenset({"order", "quote"})
"""What is left out and tells something of the rest."""
_LINED = frozenset({"yes_no", "probe"})
"""Tasks in which a line of its own tells something of a yes or no."""


def worded(reply: Reply, question: Question, ruling: Ruling) -> tuple[Reply, Ruling]:
    """Return the wording of a reply, and a ruling whose deciding characters are those of the wording.

    >>> found = Ruling("correct", "exact", None, ((7, 11),))
    >>> read, ruling = worded(Reply.of("## Answer\\n\\nit was Rome.\\n\\nNot Paris.\\n"), Question("Where?", "open"), found)
    >>> read.text, read.text[slice(*ruling.spans[0])]
    ('It was Rome. Not Paris', 'Rome')
    """
    if question.task in _LINED:
        span = len(reply.text) - len(reply.text.lstrip()), len(reply.text.rstrip())
        if span[0] >= span[1] or span == (0, len(reply.text)):
            return reply, ruling
        return _cut(reply, reply.text, span, reply.left_out), _moved(ruling, span)
    text = _in_one_line(reply.text, question)
    label = _LABEL.match(text)
    start = label.end() if label else len(text) - len(text.lstrip())
    end = _end(text)
    if start >= end:
        return reply, ruling
    text = text[:start] + text[start].upper() + text[start + 1 :]
    told = [left for left in reply.left_out if left.why in _TOLD]
    declared = reply.declared
    whole = declared is not None and declared[0] <= start and _end(text[: declared[1]]) >= end
    return _cut(reply, text, (start, end), told, whole=whole), _moved(ruling, (start, end))


def _in_one_line(text: str, question: Question) -> str:
    """Write a text with plain quotes, without notes, and without the ends of lines behind sentences; nothing moves."""
    text = text.translate(_QUOTES).replace('\\"', ' "')
    if "[" in text and question.task != "choice":
        text = _NOTE.sub(_blank, text)
    return _LINE_END.sub(_blank, text) if "\n" in text else text


def _cut(reply: Reply, text: str, span: Span, left_out: Sequence[LeftOut], *, whole: bool = False) -> Reply:
    """Return the characters of a span as a reply; it declares nothing where all of it is declared."""
    return _Wording(text[slice(*span)], left_out, turned=reply.turned, declared=None if whole else reply.declared)


def _moved(ruling: Ruling, span: Span) -> Ruling:
    """Return a ruling with the characters of its own that lie in a span, counted from where that begins."""
    start, end = span
    spans = [(max(first, start) - start, min(last, end) - start) for first, last in ruling.spans]
    return ruling._replace(spans=tuple([one for one in spans if one[0] < one[1]]))


_QUOTES = str.maketrans("“”„«»", '"' * 5)


def _blank(gap: re.Match[str]) -> str:
    """Return as many blanks, so that every character keeps its place."""
    return " " * len(gap[0])


def _end(text: str) -> int:
    """Return where the words of a text end, without its last full stop.

    >>> _end("It was Rome.. 😊"), _end("It was Rome, I think...")
    (11, 23)
    """
    end = _behind_signs(text, len(text))
    stops = end - len(text[:end].rstrip("."))
    return _behind_signs(text, end - stops) if 0 < stops <= len(_STOP) else end


def _behind_signs(text: str, end: int) -> int:
    """Return where blanks and idle signs begin that stand before a place."""
    while end and not (text[end - 1].isalnum() or text[end - 1] in _SIGNS):
        end -= 1
    return end


class _Wording(Reply):
    """The words of a reply; what it declares and takes back is what the reply does."""

    def __init__(self, text: str, left_out: Sequence[LeftOut], *, turned: Span, declared: Span | None) -> None:
        super().__init__(text, left_out=left_out)
        self.__dict__.update(turned=turned, declared=declared)
