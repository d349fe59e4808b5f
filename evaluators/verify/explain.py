"""Show an answer with what decided its verdict marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from evaluators.errors import JoinError
from evaluators.verify.evidence import Evidence, Standing, standing
from evaluators.verify.judges import Judge
from evaluators.verify.question import Question
from evaluators.verify.reading.labels import Labels
from evaluators.verify.reading.reply import Reply, Why
from evaluators.verify.reading.text import Span
from evaluators.verify.ruling import Ruling
from evaluators.verify.stream import Answer, Ground, answers_to, judge_with
from kg.errors import nearest
from kg.text import harmless
from queries.records import Claim

_RULES = {
    "exact": "the accepted answer, word for word", "alias": "another accepted answer, word for word",
    "normalised": "the accepted answer in other words, spelling or order", "numeric": "the same number",
    "date": "the same date, or one within it", "partial": "most of a longer answer",
    "denied": "the accepted answer is named only to be denied", "several_answers": "several answers are offered",
    "wrong": "another answer than the accepted one", "unsure": "the text says that it does not know",
    "refused": "the text declines to answer", "empty": "the text holds no word", "echo": "the text repeats the question",
    "repetition": "the text says the same words over and over",
    "truncated": "the text is cut off before it answers",
    "language": "the text is in a language that the rules do not read", "unparsed": "no answer is found",
    "api_error": "an error came instead of a text", "rejected": "the text denies the premise",
    "corrected": "the text names a true object instead", "misled": "the text answers as if the premise held",
    "unclear": "the text says nothing on the premise", "stated": "the graph states it, though the item does not list it",
    "weighed": "its signs are those of such answers, though the rules read it otherwise",
}  # fmt: skip
"""What each reason of the rules means."""


def marked(text: str, spans: tuple[Span, ...]) -> str:
    """Return a text with ranges of characters between ⟦ and ⟧.

    >>> marked("Yes, he did.", ((0, 3),))
    '⟦Yes⟧, he did.'
    """
    opens, closes = {start for start, end in spans if start < end}, {end for start, end in spans if start < end}
    pieces = [("⟧" if n in closes else "") + ("⟦" if n in opens else "") + char for n, char in enumerate(text)]
    return "".join(pieces) + ("⟧" if len(text) in closes else "")


class Files(NamedTuple):
    """The names of the files, for messages."""

    items: str
    responses: str


def explain_item(
    item: str, questions: Mapping[str, Question], files: Files, judges: Mapping[str, Judge],
    labels: Labels | None = None, ground: Ground | None = None,
) -> str:  # fmt: skip
    """Return the question, and for each answer the marked text and the verdict with its rule.

    Raises JoinError where the item is not there or has no answer.
    """
    question = questions.get(item)
    if question is None:
        raise JoinError(f"item '{item}' is not there", place=files.items, way_out=nearest(item, questions))
    answers = answers_to(item, files.responses)
    if not answers:
        raise JoinError(f"item '{item}' has no answer", place=files.responses, way_out="name an item that was asked")
    evidence = Evidence(files.items)
    lines = [*_asked(question), *(line for a in answers for line in _judged(a, question, judges, labels, ground, evidence))]
    return "".join(f"{harmless(part)}\n" for line in lines for part in line.split("\n"))


def _asked(question: Question) -> Iterator[str]:
    yield f"question   {question.text}"
    yield f"expected   {'nobody knows' if question.expected is None else ' | '.join(question.expected)}"
    if question.rationale:
        yield f"rationale  {', '.join(f'{e.slot}: {e.value}' for e in question.rationale)}"


def _judged(
    answer: Answer, question: Question, judges: Mapping[str, Judge], labels: Labels | None, ground: Ground | None,
    evidence: Evidence,
) -> Iterator[str]:  # fmt: skip
    yield ""
    yield f"{answer.model}, sample {answer.sample}"
    if question.task not in judges:
        yield "not judged by these rules"
        return
    ruling, wrong = judge_with(labels, answer, question, judges)
    grounded = ground(answer, question, ruling) if ground is not None else None
    if grounded is not None:
        ruling = grounded.ruling
    yield marked(answer.text or "", ruling.spans)
    if ruling.confidence is not None:  # a paper's own rules read all of a text
        yield from _read(answer.text or "")
    sure = f", {ruling.confidence} confidence" if ruling.confidence is not None else ""
    yield f"verdict    {ruling.outcome}: {ruling.reason} ({_RULES[ruling.reason]}){sure}"
    yield from _hops(ruling, question)
    for entity in labels.measured(wrong) if labels is not None else ():
        distance = "not within five hops" if entity.hops is None else f"{entity.hops} {'hop' if entity.hops == 1 else 'hops'}"
        yield f"named      {entity.label} for the {entity.slot}, {distance} from {entity.right}"
    yield from map(_claimed, grounded.claims if grounded is not None else ())
    yield from _looked_up(answer, standing(ruling.outcome, evidence(answer.item, answer.trace)))


def _looked_up(answer: Answer, looked_up: Standing | None) -> Iterator[str]:
    """Tell the queries that a model ran before it answered, and what they did for its answer."""
    for lookup in answer.trace.lookups if answer.trace is not None else ():
        rows = f"{len(lookup.rows)}{' and more' if lookup.more else ''} {'row' if len(lookup.rows) == 1 else 'rows'}"
        came = f"error: {lookup.error}" if lookup.error else str(lookup.truth).lower() if lookup.truth is not None else rows
        yield f"query      {' '.join(lookup.query.split())}: {came}"
    if looked_up is not None:
        yield f"so         {looked_up.replace('_', ' by ')}"


def _claimed(claim: Claim) -> str:
    """Say of a claim how it stands."""
    denied = "not " if claim.denied else ""
    said = f"{claim.subject.label} — {denied}{claim.relation.label} — {claim.object.label}"
    true = ", ".join(value.label for value in claim.true)
    return f"claim      {said}: {claim.standing}{f' (the graph has {true})' if true and claim.standing != 'stated' else ''}"


def _read(text: str) -> Iterator[str]:
    """Tell what of a text was not read, and what in it was taken for the answer that it declares."""
    reply = Reply.of(text)
    for left in reply.left_out:
        piece = " ".join(text[slice(*left.span)].split())
        if left.why != "markup":
            shown = piece if len(piece) <= _SHOWN else f"{piece[:_SHOWN]}..."
            yield f"left out   {left.why} ({_LEFT_OUT[left.why]}): {shown}"
    if any(left.why == "markup" for left in reply.left_out):
        yield f"left out   markup ({_LEFT_OUT['markup']})"
    if reply.declared is not None:
        yield f"declared   {reply.text[slice(*reply.declared)].strip()}"
    if reply.turn:
        yield f"taken back {' '.join(reply.text[: reply.turn].split())[-_SHOWN:]}"


_SHOWN = 80
"""Characters that are shown of what is left out."""
_LEFT_OUT: dict[Why, str] = {
    "thought": "a thought is no answer", "order": "an order to the judge decides nothing",
    "lead-in": "a courtesy says nothing", "closing": "a courtesy says nothing", "token": "a sign of the model's chat template",
    "quote": "the text calls wrong what it quotes",
    "markup": "signs that only set or wrap the text",
}  # fmt: skip


def _hops(ruling: Ruling, question: Question) -> Iterator[str]:
    for entry, right in zip(question.rationale, ruling.rationale, strict=True):
        yield f"hop        {entry.slot} = {entry.value}: {'right' if right else 'not right'}"
    if ruling.contradicted:
        yield f"denied     {', '.join(ruling.contradicted)}"
