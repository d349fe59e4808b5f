"""Free answers in another language to questions that take something for granted: they turn against it, or go along with it."""

from __future__ import annotations

from evaluators.verify.foreign.part import WIDE, Part, is_short
from evaluators.verify.foreign.rejection import Rejection, object_names, rejection
from evaluators.verify.foreign.yes_no import answered
from evaluators.verify.question import Premised
from evaluators.verify.ruling import Ruling, unscored
from kg.dates import find_dates
from kg.numbers import find_numbers


def judge(part: Part) -> Ruling:
    """Judge a free answer to a question with a premise.

    >>> from evaluators.verify.question import Question
    >>> bonn = Premised("Beethoven", "place of death", "Bonn", ())
    >>> ask = Question("When did Beethoven die in Bonn?", "premise", ("reject",), premise=bonn)
    >>> judge(Part("Er starb 1827 in Bonn.", ask, "de"))[:2], judge(Part("Er ist nicht in Bonn gestorben.", ask, "de"))[:2]
    (('incorrect', 'misled'), ('correct', 'rejected'))
    """
    question, record = part.question, part.question.premise
    if part.words is None or record is None:
        return part.not_understood()
    turned = rejection(part, record)
    if part.withheld and (turned is None or not (turned.corrects or part.found(part.words.premise))):
        return part.withheld
    leading = None if turned else answered(part)
    if leading and leading.side == "no":
        turned = Rejection(False, (leading.span,))
    is_false = question.expected is None or question.expected[:1] == ("reject",)
    if turned and not is_false:
        return Ruling("incorrect", "wrong", "reject", turned.spans)
    if turned:
        return Ruling("correct", "corrected" if turned.corrects else "rejected", "reject", turned.spans)
    if not _goes_along(part, record):
        return unscored("language")
    whole = ((0, len(part.text.original)),)
    return Ruling("incorrect", "misled", "accept", whole) if is_false else Ruling("correct", "exact", "accept", whole)


def _values_upheld(part: Part) -> bool:
    """Tell whether a clause says what is asked, with a date or number, and what is denied before it names nothing."""
    values = [n for n, clause in enumerate(part.clauses) if not clause.denied and part.gives_a_value(clause)]
    upheld = [n for n in values if part.says_what_is_asked(part.clauses[n])]
    if values[:1] == [0] and not any(c.denied and (part.says_what_is_asked(c) or part.names_anew(c)) for c in part.clauses):
        return True  # "Nel 1876, dopo molti tentativi non riusciti"
    if not upheld or WIDE.search(part.text.original) or part.language == "ar":
        return False
    return not any(clause.denied and part.names_anew(clause) for clause in part.clauses[: upheld[-1]]) and not any(
        clause.denied for clause in part.clauses[upheld[-1] :]
    )


def _goes_along(part: Part, premise: Premised) -> bool:
    """Tell whether a text answers as asked: it names the object, or a value, and denies nothing."""
    names = (*object_names(part.question, premise), *(n for o in premise.true_objects for n in (o.label, *o.aliases)))
    if part.upheld(names):
        return True
    original = part.text.original
    if part.native and not part.denies:
        return True
    if part.denies and _values_upheld(part):
        return True
    says = find_dates(original) or find_numbers(original) or is_short(original) or any(map(part.names_anew, part.clauses))
    return bool(says) and not part.denies
