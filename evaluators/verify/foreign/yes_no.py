"""Yes and no in another language: as words, as a judgement of what is asked, or by the object that a statement names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from evaluators.verify.foreign.part import WIDE, WORD, Part, may_be_same
from evaluators.verify.foreign.rejection import affirmed_instead, object_names, rejection
from evaluators.verify.question import Premised
from evaluators.verify.reading.foreign import Clause
from evaluators.verify.reading.text import Span
from evaluators.verify.ruling import Ruling, unscored
from queries.records.verdict import Reason

Side = Literal["yes", "no"]

_LEAD = re.compile(r"[\s\W_]*")
_SHORT = 10
"""A yes or no of so few letters is the word itself."""
_FEW_WORDS = 3
"""A conclusion of so few words is a yes or no with an adverb before it."""
_FEW = 30
"""A clause of so few letters judges and does nothing else ("stimmt nicht")."""


class Stated(NamedTuple):
    """A yes or no, and the characters that say so."""

    side: Side
    span: Span


def judge(part: Part) -> Ruling:
    """Judge a yes or no.

    >>> from evaluators.verify.question import Question
    >>> ask = Question("Was he born in Ulm?", expected=("yes",))
    >>> judge(Part("Das stimmt nicht.", ask, "de"))[:3], judge(Part("是的，没错。", ask, "zh"))[:3]
    (('incorrect', 'wrong', 'no'), ('correct', 'exact', 'yes'))
    """
    question = part.question
    stated = answered(part) or (None if part.withheld else _by_object(part))
    if stated is None:
        return part.withheld or unscored("language")
    if question.expected is None or stated.side != question.expected[0]:
        return Ruling("incorrect", "wrong", stated.side, (stated.span,))
    reason: Reason = "exact" if stated.span[1] - stated.span[0] < _SHORT else "normalised"
    return Ruling("correct", reason, stated.side, (stated.span,))


def answered(part: Part) -> Stated | None:
    """Return the yes or no that a text says as such: at its beginning, else the one it comes to."""
    if part.words is None or not part.clauses:
        return None
    leading = _leading(part, part.clauses[0]) or _concluded(part)
    if leading and leading.side == "yes" and part.question.task == "probe":
        return _any_no(part) or leading  # all parts of a probe must be yes
    if leading:
        return leading
    if part.question.task == "probe" and not part.withheld and (no := _any_no(part)):
        return no
    said = [stated for clause in part.clauses for stated in _judged(part, clause)]
    alone = [s for clause in part.clauses[1:] if _begins_sentence(part, clause) and (s := _leading(part, clause))]
    return (said or alone)[-1] if len({stated.side for stated in (*said, *alone)}) == 1 else None


def _leading(part: Part, clause: Clause) -> Stated | None:
    """Read a yes or no where a clause begins; "that is right" in a clause that denies is a no."""
    words, low = part.words, part.text.low
    assert words is not None
    lead = _LEAD.match(low, clause.start, clause.end)
    at = lead.end() if lead else clause.start
    no, yes = words.no.match(low, at), words.yes.match(low, at)
    match = max((m for m in (no, yes) if m), key=lambda m: m.end(), default=None)
    if match is None:
        return None
    as_word = match is yes and words.bare_yes.match(low, at) is not None
    judging = words.true.match(low, at) is not None or clause.end - at < _FEW
    denied = match is yes and not as_word and clause.denied and judging
    return Stated("no" if match is no or denied else "yes", part.text.span((at, match.end())))


def _concluded(part: Part) -> Stated | None:
    """Read a yes or no that is all but alone in what a text declares ("Die Antwort lautet daher ja")."""
    words = list(WORD.finditer(part.text.low, part.clauses[0].start, part.clauses[0].end))
    if not part.span[0] or len(words) > _FEW_WORDS:
        return None
    rest = (part.clauses[0]._replace(start=word.start()) for word in words[1:])
    return next((stated for clause in rest if (stated := _leading(part, clause))), None)


def _judged(part: Part, clause: Clause) -> Iterator[Stated]:
    """Yield what a clause calls true or false, not after "whether"."""
    words, low = part.words, part.text.low
    assert words is not None
    if words.whether.search(part.text.marked, clause.start, clause.end):
        return
    false, true = words.false.search(low, clause.start, clause.end), words.true.search(low, clause.start, clause.end)
    if false:
        yield Stated("no", part.text.span(false.span()))
    elif true:
        yield Stated("no" if clause.denied else "yes", part.text.span(true.span()))


def _begins_sentence(part: Part, clause: Clause) -> bool:
    before = part.text.low[: clause.start].rstrip(" \"'“«(-•")
    return not before or before[-1] in ".!?:\n"


def _any_no(part: Part) -> Stated | None:
    """Return a later no, or a clause that denies."""
    for clause in part.clauses:
        leading = _leading(part, clause)
        if leading and leading.side == "no":
            return leading
        if clause.denied and not (leading and clause is part.clauses[0]):
            return Stated("no", part.within(clause))
    return None


def _by_object(part: Part) -> Stated | None:
    """Read a statement on the object that a question names: it is stated, denied, or another is put in its place."""
    record = part.question.premise
    if record is None or part.words is None:
        return None
    turned = rejection(part, record)
    if turned is not None:
        return Stated("no", turned.spans[0])
    names = object_names(part.question, record)
    objects = part.upheld(names) or (part.places(names) if any(map(part.says_what_is_asked, part.clauses)) else [])
    instead = objects[0] if objects else affirmed_instead(part, record)
    if instead:
        return Stated("yes", instead)
    return Stated("no", part.within(part.clauses[0])) if _contrary(part, record) else None


def _contrary(part: Part, record: Premised) -> bool:
    """Tell whether a text says a single thing, of the subject, with another name than the object's ("... dans la mer Égée").

    In scripts without capitals no name can be told.
    """
    if part.denies or part.clauses[-1].sentence != part.clauses[0].sentence or WIDE.search(part.text.original):
        return False
    given = [value[1] for value in part.question.given if value[0] == "subject"]
    alike = any(may_be_same(name, word) for name in part.new_names() for word in WORD.findall(record.object))
    return (
        bool(part.text.find((record.subject, *given)))
        and bool(part.new_names())
        and not alike
        and part.language not in ("ar", "de")
    )
