"""Which facts share a sentence: those of one theme, as many as read well together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from generators.autodebug.clauses import Clause, same_deed
from generators.autodebug.wording import lists

_SHORT_ENOUGH = 16
"""Words that two clauses may have for a third to join them."""
_MOST_WORDS = 34


def joins(run: Sequence[Clause], clause: Clause) -> bool:
    """Tell whether a clause may stand in the sentence that some others are in."""
    if clause.stem == run[-1].stem and clause.stem != clause.text and joinable(run[-1], clause):
        return True  # "was born in Ulm in 1879"
    words = sum(len(each.text.split()) for each in run)
    lists = any(each.several for each in [*run, clause])
    if run[-1].owner and (len(run) > 1 or clause.several or not clause.owner):
        return False
    verbs = {each.text.partition(" ")[0] for each in [*run, clause]}
    if len(run) > 2 or (len(run) == 2 and (words > _SHORT_ENOUGH or lists or len(verbs) < 3)):
        return False
    if words + len(clause.text.split()) > _MOST_WORDS or (clause.owner and len(run) > 1):
        return False
    return stand_together(run[-1].told.wording.chapter, clause.told.wording.chapter) and joinable(run[-1], clause)


def joinable(first: Clause, second: Clause) -> bool:
    """Tell whether two clauses read well in one sentence: not "received … and received …", not two lists."""
    if first.stem == second.stem:
        return (first.year != second.year) or not (first.several or second.several)
    if first.owner and second.owner:
        return True
    verb, other = first.text.partition(" ")[0], second.text.partition(" ")[0]
    return verb != other or same_deed(first, second) or verb in ("was", "is", "has", "had")


@cache
def _chapters() -> dict[str, int]:
    return {chapter: place for place, chapter in enumerate(lists()["chapters"]["order"])}


def chapter_place(chapter: str) -> int:
    """Return the place of a chapter among the others."""
    return _chapters()[chapter]


@cache
def stand_together(first: str, second: str) -> bool:
    """Tell whether facts of two chapters may stand in one sentence."""
    return first == second or [first, second] in lists()["chapters"]["together"]
