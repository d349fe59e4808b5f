"""How what is kept of work is asked: rows that are told by a mark, orders, offices, job titles.

```
>>> made = marked("box", "mark", Subject("find"), "box")
>>> made and made.ask.replace(ROW, "find 57"), made and made.claim.replace(VALUE, "box 12")
('In which box is find 57?', 'Is ‹row› in box 12?')

```
"""

from __future__ import annotations

from dataclasses import replace

from generators.column_names import WordLists
from generators.erbench import sure
from generators.erbench.sentences import ROW, VALUE, Form, Subject, with_be, with_do


def marked(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """To which row that is told by a mark a row belongs: "In which box is find 57?"."""
    if kind != "mark" or not to:
        return None
    if name.endswith(" of"):
        what = f"the {name.removesuffix(' of')} of"
        return with_be(f"Which {to} is {ROW} {what}?", f"{what} {VALUE}", f"the {to} that {ROW} is {what}").sure("mark")
    if name.split()[-1] != to.split()[-1]:
        whole = f"the {name} of {ROW}"
        claim, deny = f"Is {VALUE} {whole}?", f"{VALUE} is not {whole}"
        return Form(f"Which {to} is {whole}?", claim, deny, f"The {name} of {ROW} is {VALUE}", whole, "mark")
    if name.split()[-1] in {*sure.Sure.load().enclosing, *sure.Sure.load().holders}:
        return with_be(f"In which {name} is {ROW}?", f"in {VALUE}", f"the {name} of {ROW}").sure("mark")
    belongs = f"belong to {VALUE}"
    made = with_do(f"Which {name} does {ROW} belong to?", belongs, f"belongs to {VALUE}", f"the {name} of {ROW}")
    # A find belongs to a context as its part does; what is kept in a list of jobs is no part of a bicycle.
    return made.sure("mark" if subject.noun.split()[-1] in sure.Sure.load().findable else None)


def job_title(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """What somebody is called at work: "Is the job title of X “Order Picker”?"."""
    if name != "job title" or kind != "text" or to:
        return None
    whole = f"the {name} of {ROW}"
    made = with_be(f"What is {whole}?", VALUE, whole, row=whole)
    return replace(made, say=f"The {name} of {ROW} is {VALUE}").sure("any")


def workplace(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Where somebody works: "In which office does X work?"."""
    if name not in sure.Sure.load().workplaces or kind != "text" or not subject.person or subject.past:
        return None
    lists = WordLists.load()
    if subject.noun.split()[-1] not in {*lists.private, *sure.Sure.load().workers}:
        return None  # a maker of violins has a workshop of his own
    at = f"work in {VALUE}"
    return with_do(f"In which {name} does {ROW} work?", at, f"works in {VALUE}", f"the {name} of {ROW}").sure("name")


def ordered(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """What an order is for: "Which cheese was order 2348 for?"."""
    if not to or name != to or subject.by_person or subject.noun.split()[-1] not in sure.Sure.load().orders:
        return None
    return with_be(f"Which {name} was {ROW} for?", f"for {VALUE}", f"the {name} that {ROW} was for", "was").sure("name")


def segment(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """In which part of a market a row is: "Does X belong to the restaurant segment?"."""
    last = name.split()[-1]
    if last not in ("segment", "sector") or kind != "text" or to:
        return None
    belongs = f"to the {VALUE} {name}"
    made = with_do(f"Which {name} does {ROW} belong to?", f"belong {belongs}", f"belongs {belongs}", f"the {name} of {ROW}")
    return made.sure("any")
