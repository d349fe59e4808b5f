"""When something happened, and from when to when it lasted: "In which year was X founded?", "On which date did X open?".

```
>>> made = event("opened", "year", Subject("bridge", place=True), None)
>>> made and made.ask
'In which year did ‹row› open?'

```
"""

from __future__ import annotations

import re
from dataclasses import replace

from generators import inflections
from generators.column_names import WordLists, ends_in_participle, unit_of
from generators.erbench import sure
from generators.erbench.flags import is_adjective
from generators.erbench.sentences import ROW, VALUE, Form, Subject, with_be, with_do
from generators.nouns import is_word

DATES = {"date": ("On which date", "on"), "month": ("In which month and year", "in"), "year": ("In which year", "in")}
TIME_WORDS = frozenset({"date", "year", "month", "day", "of", "on", "at", "in", "time", "known"})
_ORDER = ("first", "last", "next")
_NO_EVENTS = frozenset(
    {"model", "fiscal", "academic", "financial", "school", "tax", "vintage", "calendar", "base", "reference"}
)
"""Before "year" these say what kind of year it is, not what happened in it."""


_BUILT_FOR_YEARS = frozenset({"class", "model", "type", "series", "variant"})
"""Of which the first was built in that year, and others later."""
_VESSELS = ("ship", "vessel", "boat", "submarine", "aircraft", "aeroplane", "airplane", "yacht", "steamer")
"""What is built, and may be found when it is lost; nobody founds it."""

_AGAIN = ("awarded", "given", "presented", "held", "played", "won", "published", "issued")
"""What is done again and again: when it was last done is soon no longer so."""


def event(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """When something happened: "In which year was X founded?", "On which date did X open?"."""
    if kind not in DATES or to:
        return None
    core, (when, at) = " ".join(word for word in name.split() if word not in TIME_WORDS), DATES[kind]
    if not core and kind == "year" and (done := sure.Sure.load().years.get(subject.noun.split()[-1])):
        core = done  # the year of a book is that of its publication
    if core == "found" and subject.noun.split()[-1] not in sure.Sure.load().findable:
        core = "founded"  # `found_yr` of what nobody lost
    if core == "founded" and subject.noun.split()[-1] in {*sure.Sure.load().findable, *_VESSELS}:
        core = "found"  # `fnd_yr` of a wreck
    if not core and subject.noun.split()[-1] in sure.Sure.load().held:
        whole, value = f"the {kind} {when.split()[0].lower()} which {ROW} took place", f"{at} {VALUE}"
        held = with_do(f"{when} did {ROW} take place?", f"take place {value}", f"took place {value}", whole, "did")
        return held.sure("year" if kind == "year" else "date")
    if not core:
        return with_be(f"Which year is {ROW} from?", f"from {VALUE}", f"the year of {ROW}") if kind == "year" else None
    verb = verb_of(core)
    if verb is None:
        return None
    if verb in ("built", "made", "produced", "manufactured") and subject.noun.split()[-1] in _BUILT_FOR_YEARS:
        verb = f"first {verb}"
    whole, value = f"the {kind} {when.split()[0].lower()} which {ROW}", f"{at} {VALUE}"
    if core in ("begun", "started") and subject.place:  # what is built
        return _begun("construction", core, kind)
    if verb == "to retire" and not subject.person:
        verb = "retired"  # an aircraft does not do so itself
    known = sure.has_happened(verb, subject.noun, person=subject.person, place=subject.place)
    animal = sure.is_animal(subject.noun)
    if verb.removeprefix("to ").split()[-1] in ("arrive", "depart", "arrived", "departed") and not (animal or subject.person):
        known = False  # where to, the column does not say
    if _is_made_of_noun(core):
        is_one = verb.startswith("to ") or verb.split()[-1] in sure.Sure.load().happened
        known = known and is_one  # the first tour of a climb is no "first toured"
    look = ("year" if kind == "year" else "date") if known else None
    *order, last = verb.split()
    if order[-1:] == ["last"] and last in ("built", "made", "produced", "manufactured", *_AGAIN):
        look = None  # the last of a class was built then, and a prize is awarded again
    did_so = last in sure.Sure.load().appeared and (verb != "retired" or subject.person)
    if did_so and not verb.startswith("to ") and (done := inflections.base(last)):
        verb = " ".join(["to", *order, done])
    if not verb.startswith("to "):
        return with_be(f"{when} was {ROW} {verb}?", f"{verb} {value}", f"{whole} was {verb}", "was").sure(look)
    base = verb.removeprefix("to ")
    did = past(base)
    return with_do(f"{when} did {ROW} {base}?", f"{base} {value}", f"{did} {value}", f"{whole} {did}", "did").sure(look)


def verb_of(core: str) -> str | None:
    """Find the verb of what happened: a participle, or with "to" what the row did; "first" and "last" stand before it.

    >>> [verb_of(core) for core in ("foundation", "opened", "first ascent", "last erupt", "last overhaul", "ribbon")]
    ['founded', 'to open', 'first climbed', 'to last erupt', 'last overhauled', None]
    """
    events = WordLists.load().events
    order, _, rest = core.partition(" ")
    did = order in _ORDER and events.get(rest, "").startswith("to ") and rest not in ("opened", "closed")
    if verb := events.get(core) or (core if ends_in_participle(core) and not did else None):
        return verb
    if order in _ORDER and rest:
        verb = verb_of(rest)
        verb = verb or (f"{rest}ed" if " " not in rest and is_word(f"{rest}ed") else None)
        return None if verb is None else f"to {order} {verb[3:]}" if verb.startswith("to ") else f"{order} {verb}"
    return f"to {core}" if f"to {core}" in events.values() else None


def _is_made_of_noun(core: str) -> bool:
    """Tell whether a verb was made of what may be a noun alone: "last overhaul", "first tour"."""
    order, _, rest = core.partition(" ")
    return order in _ORDER and bool(rest) and not ends_in_participle(rest) and core not in WordLists.load().events


def ends_it(name: str) -> bool:
    """Tell whether a column says when a row came to its end.

    >>> [name for name in ("closed in", "loss date", "founded", "defunct since", "date") if ends_it(name)]
    ['closed in', 'loss date', 'defunct since']
    """
    core = " ".join(word for word in name.split() if word not in ("year", "date", "on", "in"))
    gone = verb_of(core) in (*sure.Sure.load().gone, "lost", "to sink") if core else False
    return gone or core.split()[:1] in (["defunct"], ["disused"], ["extinct"])


def tells_end(name: str) -> bool:
    """Tell whether a column says when what went on for a while came to its end: a voyage, a mission.

    >>> [name for name in ("landing date", "end", "returned", "arrival date", "start date", "date") if tells_end(name)]
    ['landing date', 'end', 'returned', 'arrival date']
    """
    return bool({*name.split()} & _ENDS)


_ENDS = frozenset(
    {"end", "ended", "finish", "finished", "landing", "landed", "return", "returned", "arrival", "arrived", "recovery"}
)


def happened(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """When the thing was that a column of years or dates is called by: "In which year was the first voyage of X?"."""
    core = [word for word in name.split() if word not in ("year", "date")]
    if kind not in DATES or to or not core or core[-1] in _NO_EVENTS or is_adjective(core[-1]):
        return None
    if core[-1] in WordLists.load().quantities:
        return None  # of which year a population is does not say that it happened
    (when, at), asked = DATES[kind], kind
    begun = core[-1] in _BEGUN and len(core) == 2 and inflections.is_common_noun(core[0])
    if begun and re.search(r"(?:tion|ing|ment|work)$", core[0]):
        return _begun(core[0], core[-1], kind)  # construction_start
    what = f"the {' '.join(core)} of {ROW}"
    known = core[-1] in sure.Sure.load().took_place
    if not known and kind != "year":
        return None
    made = with_be(f"{when} was {what}?", f"{at} {VALUE}", f"the {asked} of {what}", "was", row=what)
    return made.sure(("year" if kind == "year" else "date") if known and not subject.person else None)


_BEGUN = {
    **dict.fromkeys(("start", "started", "began", "begun", "begin"), ("begin", "began")),
    **dict.fromkeys(("end", "ended", "finish", "finished"), ("end", "ended")),
}
"""How what went on began and ended."""


def _begun(what: str, how: str, kind: str) -> Form:
    """Say when work on a row began or ended: "In which year did construction of the bridge X begin?"."""
    (when, at), (base, past_of) = DATES[kind], _BEGUN[how]
    of = f"{'' if what == 'construction' else 'the '}{what} of {ROW}"
    claim, deny = f"Did {of} {base} {at} {VALUE}?", f"{of} did not {base} {at} {VALUE}"
    whole = f"the {kind} {when.split()[0].lower()} which {of} {past_of}"
    made = Form(f"{when} did {of} {base}?", claim, deny, f"{of} {past_of} {at} {VALUE}", whole)
    return made.sure("year" if kind == "year" else "date")


def span(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """From when, or until when, something lasted: `built_from` and `built_to` of a class of engines."""
    *core, end = name.split()
    if kind not in DATES or to or not core or end not in ("from", "to", "until", "since"):
        return None
    what = " ".join(word for word in core if word not in TIME_WORDS)
    if not what or not (ends_in_participle(what) or is_adjective(what)):
        return None
    asked = {"year": "which year", "date": "which date", "month": "which month"}[kind]
    be = "was" if ends_in_participle(what) else "is"
    if end == "since":
        since = f"been {what} since {VALUE}"
        claim, deny, say = f"Has {ROW} {since}?", f"{ROW} has not {since}", f"{ROW} has {since}"
        made = Form(f"Since {asked} has {ROW} been {what}?", claim, deny, say, f"the {kind} since which {ROW} has been {what}")
        return made.sure("year" if kind == "year" else "date")
    if end == "from":
        return with_be(
            f"From {asked} on {be} {ROW} {what}?", f"{what} from {VALUE} on", f"the {kind} from which {ROW} {be} {what}", be
        )
    return with_be(
        f"Until {asked} {be} {ROW} {what}?", f"{what} until {VALUE}", f"the {kind} until which {ROW} {be} {what}", be
    )


def past(base: str) -> str:
    """The past of what a row itself did: "opened", "first flew", "entered service"."""
    words = base.split()
    at = 1 if words[0] in _ORDER and len(words) > 1 else 0  # "enter service", but "first fly"
    words[at] = WordLists.load().past.get(words[at]) or inflections.past(words[at])
    return " ".join(words)


def age(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Of which age a row is: "Which period is X from?"; its values may be adjectives, "Roman" and "Iron Age"."""
    layer = name == "stage" and to == "stage" and subject.place  # no other stage is one of time
    if not (name in sure.Sure.load().ages or layer) or kind != "text" or name != (to or name) or subject.person:
        return None
    within = subject.noun.split()[-1] in {*sure.Sure.load().ages, "stage"}
    if within:
        return with_be(f"In which {name} is {ROW}?", f"in {VALUE}", f"the {name} of {ROW}").sure("name")
    return with_be(f"Which {name} is {ROW} from?", f"from {VALUE}", f"the {name} of {ROW}").sure("name")


def age_at(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """How old somebody was: "At what age did X die?" of `death_age`, "At what age was X crowned?" of `age_at_coronation`."""
    told = re.fullmatch(r"(death) age|age (?:at|of|on) (?:the )?(\w+)", name)
    if told is None or kind != "number" or to or not (subject.person or sure.is_animal(subject.noun)):
        return None
    verb = verb_of(told[1] or told[2])
    if verb is None or _is_again(verb):
        return None
    known = sure.has_happened(verb, subject.noun, person=subject.person, place=subject.place)
    whole, at = f"the age at which {ROW}", f"at the age of {VALUE}"
    if not verb.startswith("to "):
        made = with_be(f"At what age was {ROW} {verb}?", f"{verb} {at}", f"{whole} was {verb}", "was")
        return made.sure("whole" if known else None)
    base = verb.removeprefix("to ")
    made = with_do(f"At what age did {ROW} {base}?", f"{base} {at}", f"{past(base)} {at}", f"{whole} {past(base)}", "did")
    return made.sure("whole" if known else None)


def _is_again(verb: str) -> bool:
    """Whether it may befall somebody more than once, and no column says which time is meant."""
    return verb in ("married", "elected", "re-elected", "divorced")


def limit(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """How long something must take, or may: "What is the minimum ageing time of X, in weeks?"."""
    what, unit = unit_of(name)
    limit, *rest = what.split()
    if kind != "number" or unit not in sure.TIMES or limit not in WordLists.load().extremes or len(rest) != 1:
        return None
    if not re.search(r"(?:tion|ing)$", rest[0]) or not inflections.is_known(rest[0]):
        return None
    whole = f"the {what} time of {ROW}"
    made = with_be(f"What is {whole}, in {unit}?", f"{VALUE} {unit}", f"{whole} in {unit}", row=whole)
    return replace(made, say=f"The {what} time of {ROW} is {VALUE} {unit}").sure("duration")
