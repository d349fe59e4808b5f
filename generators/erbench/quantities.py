"""How numbers are asked for: how many parts, how high in metres, how many at most, how heavy."""

from __future__ import annotations

import re
from dataclasses import replace

from generators import inflections
from generators.column_names import WordLists, ends_in_participle, unit_of
from generators.erbench import sure
from generators.erbench.makers import is_work
from generators.erbench.plain import of_row
from generators.erbench.sentences import ROW, VALUE, Form, Subject, with_be, with_do
from generators.nouns import is_plural, singular


def quantity(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """How many, or how high with its unit."""
    if kind != "number" or to:
        return None
    what, unit = unit_of(name)
    how = how_asked(what, subject)
    if not how and unit in sure.TIMES and re.search(r"(?<!dura)(?:tion|ing)$", what) and inflections.is_known(what.split()[-1]):
        if {*what.split()} & _AGAIN:
            return of_row(what).sure(None)  # for so many hours a week it is open
        return _taken(f"the {what} of {ROW}", f"{VALUE} {unit}", unit)
    if what in ("floor", "floor number", "storey") and unit is None and subject.noun.split()[-1] != "building":
        return with_be(f"On which floor is {ROW}?", f"on floor {VALUE}", f"the floor of {ROW}").sure("count")
    if how and unit:
        asked = f"the {what} of {ROW} in {unit}"
        own = sure.Sure.load()
        if what in ("duration", "length") and unit in sure.TIMES and subject.noun.split()[-1] in {*own.lasting, *own.held}:
            lasted = with_do(f"How many {unit} did {ROW} last?", f"last {VALUE} {unit}", f"lasted {VALUE} {unit}", asked, "did")
            return lasted.sure("duration")
        look = None if unit == "milliseconds" or (what == "duration" and not is_work(subject)) else "number"
        # A lake is 562 metres above sea level, a mountain 5,050 metres high.
        stands = "high" if subject.noun.split()[-1] in _PEAKS and how.startswith("high") else how.removeprefix("high ")
        return with_be(f"How {how} is {ROW}, in {unit}?", f"{VALUE} {unit} {stands}", asked).sure(look)
    if (how_many := _made_number(name, subject)) is not None:
        return how_many
    if (told := _of_people(name, subject) or _limited(name)) is not None:
        return told
    counted = name.removeprefix("number of ")
    counted = f"{counted.removesuffix('s')} members" if counted in ("crew", "crews", "staff", "staffs") else counted
    if unit is None and (counted != name or is_plural(name.split()[-1])) and len(counted.split()) < 3:
        if counted in sure.Sure.load().carried and subject.noun.split()[-1] not in ("train", "class"):
            ask, whole = f"How many {counted} does {ROW} carry?", f"the number of {counted} that {ROW} carries"
            return with_do(ask, f"carry {VALUE} {counted}", f"carries {VALUE} {counted}", whole).sure("count")
        ask, whole = f"How many {counted} does {ROW} have?", f"the number of {counted} of {ROW}"
        look = "count" if sure.is_counted(counted) and not subject.person else None
        return with_do(ask, f"have {VALUE} {counted}", f"has {VALUE} {counted}", whole).sure(look)
    return None


_AGAIN = frozenset({"daily", "weekly", "monthly", "yearly", "annual", "opening", "working", "visiting"})
"""What is so long each time, and is no work that takes it."""


def _taken(what: str, value: str, unit: str) -> Form:
    """How long something of a row takes: "How many minutes does the preparation of X take?"."""
    claim, deny = f"Does {what} take {value}?", f"{what} does not take {value}"
    whole = f"the time in {unit} that {what} takes"
    return Form(f"How many {unit} does {what} take?", claim, deny, f"{what} takes {value}", whole, "number")


_PEAKS = frozenset({"mountain", "peak", "volcano", "summit", "hill"})
_BY_WORK = frozenset({"height", "width", "depth", "run time", "running time", "runtime"})


def how_asked(what: str, subject: Subject) -> str | None:
    """Say how a measure is asked for: a building is tall, a mountain high."""
    # The altitude of what stands somewhere is that of the place: an apiary on a hill is not high.
    how = WordLists.load().how.get("elevation" if what == "altitude" else what)
    if is_work(subject) == (what in ("height", "width", "depth")) and what in _BY_WORK:
        return None  # a clock that runs for eight days is not long
    return "tall" if what == "height" and subject.noun.split()[-1] not in sure.Sure.load().high else how


def _limited(name: str) -> Form | None:
    """How many there are at most: "What is the maximum number of players of the game X?" of `MaxPlayers`."""
    first, *rest = name.split()
    if first not in WordLists.load().extremes or not rest or not is_plural(rest[-1]) or unit_of(name)[1]:
        return None
    counted = " ".join(rest).removeprefix("number of ")
    what = f"{first} number of {counted}"
    whole = f"the {what} of {ROW}"
    made = with_be(f"What is {whole}?", VALUE, whole, row=whole)
    known = len(rest) == 1 and inflections.is_common_noun(singular(rest[0])) and rest[0] not in WordLists.load().units
    return replace(made, say=f"The {what} of {ROW} is {VALUE}").sure("whole" if known else None)


_LOST = frozenset({"lost", "killed", "saved", "rescued", "injured", "wounded"})


def _of_people(name: str, subject: Subject) -> Form | None:
    """How many people something happened to: "How many lives were lost in the battle X?"."""
    who, *done = name.removeprefix("number of ").split()
    if len(done) != 1 or done[0] not in _LOST or not is_plural(who):
        return None
    own = sure.Sure.load()
    known = subject.noun.split()[-1] in {*own.held, *own.happenings, *own.lasting, "wreck", "shipwreck", "disaster", "fire"}
    whole = f"the number of {who} {done[0]} in {ROW}"
    were = f"{VALUE} {who} were {done[0]} in {ROW}"
    claim, deny = f"Were {VALUE} {who} {done[0]} in {ROW}?", f"{VALUE} {who} were not {done[0]} in {ROW}"
    made = Form(f"How many {who} were {done[0]} in {ROW}?", claim, deny, were, whole)
    return replace(made, claimed=False).sure("whole" if known else None)


def _made_number(name: str, subject: Subject) -> Form | None:
    """How many of a row there are: "How many of the class X were built?" of `qty_built`."""
    first, *rest = name.split()
    if len(rest) != 1 or not ends_in_participle(rest[0]):
        return None
    if first in sure.Sure.load().samples:
        return _samples(first, rest[0], not subject.person)
    if first not in ("quantity", "number", "total"):
        return None
    return _samples("examples", rest[0], not subject.place and not subject.person)


def _samples(what: str, done: str, known: bool) -> Form:
    """How many of a row were made: "How many copies of the game X were sold?"."""
    if done == "known":  # so many there are
        whole = f"the number of known {what} of {ROW}"
        known_of = f"{VALUE} {what} of {ROW} are known"
        claim, deny = f"Are {VALUE} {what} of {ROW} known?", f"{VALUE} {what} of {ROW} are not known"
        return Form(f"How many {what} of {ROW} are known?", claim, deny, known_of, whole).sure("count" if known else None)
    claim, deny = f"Were {VALUE} {what} of {ROW} {done}?", f"{VALUE} {what} of {ROW} were not {done}"
    whole = f"the number of {what} of {ROW} {done}"
    made = Form(f"How many {what} of {ROW} were {done}?", claim, deny, f"{VALUE} {what} of {ROW} were {done}", whole)
    return made.sure("count" if known else None)


def weight(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """How much a row weighs: "Does the cheese X weigh 2 kilograms?"."""
    what, unit = unit_of(name)
    if what != "weight" or kind != "number" or not unit:
        return None
    weighs = f"{VALUE} {unit}"
    made = with_do(
        f"How many {unit} does {ROW} weigh?", f"weigh {weighs}", f"weighs {weighs}", f"the weight of {ROW} in {unit}"
    )
    return made.sure("number")
