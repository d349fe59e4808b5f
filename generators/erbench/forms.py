"""How a fact is asked and said by the type of its value: who, where, when, how many; columns that are verbs as verbs.

A form has five texts about a row (`ROW`) and a value (`VALUE`), which are put in later:

```
>>> bridge = Subject("bridge", place=True)
>>> form("opened", "year", bridge).ask.replace(ROW, "the Humber Bridge")
'In which year did the Humber Bridge open?'
>>> form("designed by", "text", bridge).ask.replace(ROW, "the bridge X"), form("city", "text", bridge).claim
('Who designed the bridge X?', 'Is ‹row› in ‹value›?')
>>> form("number of lanes", "number", bridge).ask, form("main span m", "number", bridge).say
('How many lanes does ‹row› have?', 'The main span of ‹row› is ‹value› metres')

```
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from generators.column_names import WordLists, unit_of
from generators.erbench import sure
from generators.erbench.makers import agent, done_by, made_by, neighbour, winner
from generators.erbench.places import area_of, born_or_died_at, done_at, ends_at, mouth, nearest, premiered_at, within_place
from generators.erbench.plain import of_row
from generators.erbench.quantities import quantity, weight
from generators.erbench.sentences import ROW, VALUE, Form, Subject, with_be, with_do
from generators.erbench.times import age, age_at, event, happened, limit, span
from generators.erbench.traits import (
    called_before,
    colour,
    currency,
    degree,
    field_of,
    fuelled,
    group,
    language,
    make,
    material,
    nationality,
    occupation,
    played,
    prize,
    same_kind,
    set_in,
    sex,
    sport,
    type_of,
    war,
)
from generators.erbench.verbs import does_it, does_to, journey, with_preposition

Rule = Callable[[str, str, Subject, str | None], Form | None]


def form(
    name: str,
    kind: str,
    subject: Subject,
    to: str | None = None,
    *,
    person: bool = False,
    one: bool = False,
    named: bool = False,
) -> Form:
    """Find how a column or foreign key is asked; `kind` is that of its values (text, number, year, month, date).

    `to` is what a foreign key leads to, and `person` says whether that is a person; `one`, whether a row is one of its values;
    `named`, whether these are names.
    """
    if one:
        return _one_of(name, subject)
    own, last = sure.Sure.load(), subject.noun.split()[-1]
    name = "parent company" if name in _PARENTS else name
    if name == "owner" and subject.place and last not in own.findable:
        name = "owned by"
    name = "architectural style" if name == "style" and subject.place else name
    measured = sure.Sure.load().measured.get(unit_of(name)[0]) if kind == "number" else None
    name = name.replace(unit_of(name)[0], measured, 1) if measured else name
    unreal = last in own.immaterial and unit_of(name)[1] not in (None, *sure.TIMES) and {*name.split()} & _BODILY
    if kind == "number" and ((unit_of(name)[1] and last in own.taxa) or unreal):
        return of_row(name, kind, row=subject.noun).sure(None)  # those of which it consists have a length
    rules = _RULES if kind != "year" else (event, span, happened)
    if made := next((made for rule in rules if (made := rule(name, kind, subject, to))), None):
        return _written(_of_person(made, to) if person else made)
    if kind == "year":
        return form(name, "number", subject, to, person=person)
    made = agent(name, subject, person=person) or of_row(
        name, kind, person=person, proper=bool(to), named=named, row=subject.noun, past=subject.past
    )
    return _written(made)


_PARENTS = ("parent maker", "parent manufacturer", "parent brand", "parent firm", "parent publisher", "parent airline")
_BODILY = frozenset({"mass", "weight", "height", "width", "depth", "thickness", "diameter", "volume", "density", "temperature"})
"""What bodies have, and neither missions nor firms."""


def _one_of(name: str, subject: Subject) -> Form:
    """What a row is by what it does: "Is X a carnivore?" of its diet."""
    be = "was" if subject.past else "is"
    made = with_be(f"What {be} the {name} of {ROW}?", VALUE, f"the {name} of {ROW}", be)
    return replace(made, former=subject.past and subject.person).sure("common")


def _written(made: Form) -> Form:
    """Write the adjectives of languages and countries with their capitals: "the Latin name"."""
    small = _small_adjectives()
    if not small.search(made.whole):
        return made

    def upper(text: str) -> str:
        return small.sub(lambda found: found[0].capitalize(), text)

    return replace(
        made, ask=upper(made.ask), claim=upper(made.claim), deny=upper(made.deny), say=upper(made.say), whole=upper(made.whole)
    )


@cache
def _small_adjectives() -> re.Pattern[str]:
    return re.compile(rf"(?<![‹\w])(?:{'|'.join(sure.Sure.load().upper)})\b")


def _of_person(made: Form, to: str | None) -> Form:
    """Ask for a person: "Who …?", "the architect who designed X"."""
    ask = f"Who {made.ask.removeprefix('What ')}" if made.ask.startswith("What ") else made.ask
    if to and ask.startswith(f"Which {to} ") and not _asks_object(ask):
        ask = f"Who {ask.removeprefix(f'Which {to} ')}"
    return replace(made, ask=ask, whole=re.sub(rf"^(the [\w ]+?) that (?!{ROW})", r"\1 who ", made.whole))


def _asks_object(ask: str) -> bool:
    """Tell whether a question asks for what the row does something to: "Which class does X replace?"."""
    return " does " in ask or " did " in ask


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
    at = "in" if name in _INSIDE else "at"
    asked = f"{at.capitalize()} which {name} does {ROW} work?"
    return with_do(asked, f"work {at} {VALUE}", f"works {at} {VALUE}", f"the {name} of {ROW}").sure("name")


_INSIDE = frozenset({"office", "ward", "kitchen", "workshop", "studio"})
"""People work in a room, and at a branch or a depot."""


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


_RULES: tuple[Rule, ...] = (
    marked, winner, neighbour, journey, made_by, does_to, age, age_at, weight, limit, job_title, segment, prize, degree,
    workplace, ordered, called_before, nationality, occupation, language, currency, mouth, material, fuelled, colour, set_in,
    war, sex, played, sport, field_of, same_kind, make, event, happened, span, quantity, done_by, ends_at, nearest,
    within_place,
    with_preposition, premiered_at, born_or_died_at, done_at, area_of, type_of, group, does_it,
)  # fmt: skip
"""The forms, each for some columns; the first that fits is taken."""
