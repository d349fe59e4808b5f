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
from dataclasses import dataclass, replace
from functools import cache

from generators import inflections
from generators.articles import with_article
from generators.column_names import WordLists, ends_in_participle, unit_of
from generators.erbench import sure
from generators.nouns import is_noun, is_plural, is_word

ROW, VALUE = "‹row›", "‹value›"

_DATES = {"date": ("On which date", "on"), "month": ("In which month and year", "in"), "year": ("In which year", "in")}
_MOSTLY = 0.3
"""A word whose plural is met in such a share of the cases is a noun rather than an adjective: "evergreen" is none."""
_NO_PARTS = frozenset({"home", "main", "current", "ship", "bill", "mail", "local", "first", "last", "other", "second"})
_ONCE = frozenset({"born", "founded", "written", "built", "made", "named", "killed", "invented", "launched", "released"})
"""Participles of what happened once: "X was named after Y"."""
_ORIGINS = frozenset({"country", "nation", "state", "region", "province", "continent"})


@dataclass(frozen=True)
class Subject:
    """What a row is: its noun, and whether it is a person, or stands at a place.

    `past`: whether all of them are long dead; `by_person`: whether a foreign key leads from it to a person.
    """

    noun: str
    person: bool = False
    place: bool = False
    past: bool = False
    by_person: bool = False


@dataclass(frozen=True)
class Form:
    """A question for a value, one whether it is some value, what denies and what says it, and the value as a noun.

    `deny` and `say` are clauses; they begin a sentence or follow "it is right that". `look` is what values look like where we
    are sure that a person would say it so (`sure.odd`); `leads` says whether the noun may stand within a further question, and
    `claimed` whether a value may be claimed as well.
    """

    ask: str
    claim: str
    deny: str
    say: str
    whole: str
    look: str | None = None
    leads: bool = False
    claimed: bool = True

    def sure(self, look: str | None, *, leads: bool = False) -> Form:
        """Say that a person would say it so, of values that look like something; `None` says nothing."""
        return replace(self, look=look, leads=leads)


Rule = Callable[[str, str, Subject, str | None], Form | None]


def form(name: str, kind: str, subject: Subject, to: str | None = None, *, person: bool = False) -> Form:
    """Find how a column or foreign key is asked; `kind` is that of its values (text, number, year, month, date).

    `to` is what a foreign key leads to, and `person` says whether that is a person.
    """
    rules = _RULES if kind != "year" else (_event, _span, _happened)
    if made := next((made for rule in rules if (made := rule(name, kind, subject, to))), None):
        return _written(_of_person(made, to) if person else made)
    if kind == "year":
        return form(name, "number", subject, to, person=person)
    made = _agent(name, subject, person=person) or _noun(name, kind, person=person, proper=bool(to), row=subject.noun)
    return _written(made)


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


def flag(name: str) -> tuple[str, str] | None:
    """Say a column of yes and no as a question and what denies it; None where its name is no statement.

    >>> [said[0] for name in ("discontinued", "has engine", "in use", "step free", "is junction") if (said := flag(name))]
    ['Is ‹row› discontinued?', 'Does ‹row› have an engine?', 'Is ‹row› in use?', 'Is ‹row› step-free?', 'Is ‹row› a junction?']
    >>> flag("wide body indicator") is None
    True
    """
    first, *rest = name.split()
    if first in ("is", "was") and rest:
        counted = _is_counted(rest[-1]) and rest[0] not in WordLists.load().prepositions
        what = with_article(" ".join(rest)) if counted else _adjective(rest)
        return f"{first.capitalize()} {ROW} {what}?", f"{ROW} {first} not {what}"
    if first == "has" and rest:
        what = " ".join(rest)
        what = what if is_plural(rest[-1]) else with_article(what)
        return f"Does {ROW} have {what}?", f"{ROW} does not have {what}"
    if len(rest) > 1 and rest[0] in WordLists.load().prepositions and is_adjective(first):
        return f"Is {ROW} {name}?", f"{ROW} is not {name}"  # open to visitors
    if " " not in name and name in sure.Sure.load().happened:
        return f"Has {ROW} been {name}?", f"{ROW} has not been {name}"
    if ends_in_participle(name) or (first == "in" and len(rest) == 1) or is_adjective(name.split()[-1]):
        what = _adjective(name.split())
        return f"Is {ROW} {what}?", f"{ROW} is not {what}"
    return None


def _adjective(words: list[str]) -> str:
    """Join an adjective to what it is about: "step-free"."""
    joined = len(words) == 2 and words[1] in (
        "free",
        "proof",
        "friendly",
        "based",
        "only",
        "like",
        "owned",
        "led",
        "funded",
        "run",
    )
    return ("-" if joined else " ").join(words)


def is_adjective(word: str) -> bool:
    """Tell whether a word says how something is."""
    endings = ("able", "ible", "ous", "less", "ful", "free", "proof", "friendly")
    if word in WordLists.load().adjectives or (len(word) > 4 and word.endswith(endings)):
        return True
    return inflections.is_common_adjective(word) and not ends_in_participle(word) and not is_noun(word, _MOSTLY)


def _is_counted(word: str) -> bool:
    """Tell whether a word is a noun of which there are several: "junction", and neither "active" nor "extinct"."""
    return not is_adjective(word) and not ends_in_participle(word) and is_noun(word)


def _be(ask: str, said: str, whole: str, be: str = "is", row: str = ROW) -> Form:
    """A form whose verb is "is" or "was": `said` is what stands behind it, with the value."""
    return Form(ask, f"{be.capitalize()} {row} {said}?", f"{row} {be} not {said}", f"{row} {be} {said}", whole)


def _do(ask: str, base: str, finite: str, whole: str, do: str = "does") -> Form:
    """A form whose verb is asked with "does" or "did": `base` and `finite` are it and what stands behind it."""
    return Form(ask, f"{do.capitalize()} {ROW} {base}?", f"{ROW} {do} not {base}", f"{ROW} {finite}", whole)


def _noun(name: str, kind: str = "text", *, person: bool = False, proper: bool = False, row: str = "") -> Form:
    """What is the name of the row: for all that has no verb of its own."""
    what, unit = unit_of(name)
    if unit == "per cent":
        return _noun(what if what.endswith(("percentage", "share", "rate")) else f"{what} percentage", kind, row=row)
    whole = f"the {what} of {ROW}"
    verb, question = "are" if is_plural(what.split()[-1]) else "is", "Who" if person else "What"
    said = f"The {what} of {ROW} {verb} {VALUE}"
    if unit or kind == "number":
        # A number stands behind its measure: "Is the beam of X 32 metres?"
        value, measured = (f"{VALUE} {unit}", f"{whole} in {unit}") if unit else (VALUE, whole)
        made = _be(f"What {verb} {measured}?", value, measured, verb, row=whole)
        known = sure.is_measure(what, row) or (unit and sure.is_measured(what, unit))
        return replace(made, say=f"{said} {unit}" if unit else said).sure("number" if known else None)
    look = _look(what, person=person, proper=proper, row=row)
    named = person or proper or look in ("person", "persons") or _is_proper(what)
    if not named:
        return replace(_be(f"What {verb} {whole}?", VALUE, whole, verb, row=whole), say=said).sure(look)
    claim, deny = f"{verb.capitalize()} {VALUE} {whole}?", f"{VALUE} {verb} not {whole}"
    look = None if person and look not in ("person", "persons") else "named" if look == "any" else look
    question = "Who" if look in ("person", "persons") else question
    return Form(f"{question} {verb} {whole}?", claim, deny, said, whole).sure(look, leads=True)


def _look(what: str, *, person: bool, proper: bool, row: str) -> str | None:
    """Say what the values of a noun are to look like for the noun to be asked for; None where nobody is sure of the noun."""
    if sure.is_role(what):
        return "person"
    if sure.is_feature(what):
        return "any"
    if proper and not person and " " in what and sure.is_qualified(what):
        return "name"  # the target planet of a mission, a planet
    # A foreign key that is called as its table is says only that there is one.
    if sure.is_agent_of(what) and (not proper or person):
        return "persons"
    return "common" if sure.is_described(what) and not proper and what.split()[-1] not in row.split()[-1:] else None


def _is_proper(name: str) -> bool:
    """Tell whether what a column is called by is named, as a capital is, and no colour."""
    lists, last = WordLists.load(), name.split()[-1]
    return last in (*lists.proper, *lists.areas, "nickname", "motto") and last != "nationality"


def _agent(name: str, subject: Subject, *, person: bool = False) -> Form | None:
    """Who made it: "Who directed X?", where people made it by what they are called."""
    lists, last = WordLists.load(), name.split()[-1]
    if last in lists.companies and not person:
        return replace(_noun(name, proper=True), ask=f"Which company is the {name} of {ROW}?").sure("name", leads=True)
    # Who directs a museum is its director; who directed a film did so once.
    if name not in lists.agents or (name in ("director", "producer") and not _is_work(subject)) or subject.person:
        return None
    participle, past = lists.agents[name]
    return replace(_passive_by(participle, past), whole=f"the {name} of {ROW}").sure("name", leads=True)


def _is_work(subject: Subject) -> bool:
    """Tell whether a row is a work, which is made once."""
    return subject.noun.split()[-1] in WordLists.load().works


def _passive_by(participle: str, past: str) -> Form:
    return _be(f"Who {past} {ROW}?", f"{participle} by {VALUE}", f"the one who {past} {ROW}", "was")


_TIME_WORDS = frozenset({"date", "year", "month", "day", "of", "on", "at", "in", "time", "known"})
_ORDER = ("first", "last", "next")
_NO_EVENTS = frozenset(
    {"model", "fiscal", "academic", "financial", "school", "tax", "vintage", "calendar", "base", "reference"}
)
"""Before "year" these say what kind of year it is, not what happened in it."""


def _event(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """When something happened: "In which year was X founded?", "On which date did X open?"."""
    if kind not in _DATES or to:
        return None
    core, (when, at) = " ".join(word for word in name.split() if word not in _TIME_WORDS), _DATES[kind]
    if not core and kind == "year" and (done := sure.Sure.load().years.get(subject.noun.split()[-1])):
        core = done  # the year of a book is that of its publication
    if not core and subject.noun.split()[-1] in sure.Sure.load().held:
        whole, value = f"the {kind} {when.split()[0].lower()} which {ROW} took place", f"{at} {VALUE}"
        held = _do(f"{when} did {ROW} take place?", f"take place {value}", f"took place {value}", whole, "did")
        return held.sure("year" if kind == "year" else "date")
    if not core:
        return _be(f"Which year is {ROW} from?", f"from {VALUE}", f"the year of {ROW}") if kind == "year" else None
    verb = verb_of(core)
    if verb is None:
        return None
    whole, value = f"the {kind} {when.split()[0].lower()} which {ROW}", f"{at} {VALUE}"
    known = sure.has_happened(verb, subject.noun, person=subject.person, place=subject.place)
    look = ("year" if kind == "year" else "date") if known else None
    if verb in sure.Sure.load().appeared and (done := inflections.base(verb)):
        verb = f"to {done}"
    if not verb.startswith("to "):
        return _be(f"{when} was {ROW} {verb}?", f"{verb} {value}", f"{whole} was {verb}", "was").sure(look)
    base = verb.removeprefix("to ")
    past = _past(base)
    return _do(f"{when} did {ROW} {base}?", f"{base} {value}", f"{past} {value}", f"{whole} {past}", "did").sure(look)


def verb_of(core: str) -> str | None:
    """Find the verb of what happened: a participle, or with "to" what the row did; "first" and "last" stand before it.

    >>> [verb_of(core) for core in ("foundation", "opened", "first ascent", "last erupt", "last overhaul", "ribbon")]
    ['founded', 'to open', 'first climbed', 'to last erupt', 'last overhauled', None]
    """
    events = WordLists.load().events
    if verb := events.get(core) or (core if ends_in_participle(core) else None):
        return verb
    order, _, rest = core.partition(" ")
    if order in _ORDER and rest:
        verb = verb_of(rest)
        verb = verb or (f"{rest}ed" if " " not in rest and is_word(f"{rest}ed") else None)
        return None if verb is None else f"to {order} {verb[3:]}" if verb.startswith("to ") else f"{order} {verb}"
    return f"to {core}" if f"to {core}" in events.values() else None


def _happened(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """In which year the thing was that a column of years is called by: "In which year was the first voyage of X?"."""
    *core, last = name.split()
    if kind != "year" or to or last != "year" or not core or core[-1] in _NO_EVENTS or is_adjective(core[-1]):
        return None
    what = f"the {' '.join(core)} of {ROW}"
    known = re.search(r"(?:tion|sion|ment|ival|ance|voyage|debut|premiere)$", core[-1]) and inflections.is_common_noun(core[-1])
    made = _be(f"In which year was {what}?", f"in {VALUE}", f"the year of {what}", "was", row=what)
    return made.sure("year" if known and not subject.person else None)


def _span(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """From when, or until when, something lasted: `built_from` and `built_to` of a class of engines."""
    *core, end = name.split()
    if kind not in _DATES or to or not core or end not in ("from", "to", "until", "since"):
        return None
    what = " ".join(word for word in core if word not in _TIME_WORDS)
    if not what or not (ends_in_participle(what) or is_adjective(what)):
        return None
    asked = {"year": "which year", "date": "which date", "month": "which month"}[kind]
    be = "was" if ends_in_participle(what) else "is"
    if end in ("from", "since"):
        return _be(
            f"From {asked} on {be} {ROW} {what}?", f"{what} from {VALUE} on", f"the {kind} from which {ROW} {be} {what}", be
        )
    return _be(f"Until {asked} {be} {ROW} {what}?", f"{what} until {VALUE}", f"the {kind} until which {ROW} {be} {what}", be)


def _past(base: str) -> str:
    """The past of what a row itself did: "opened", "first flew", "made its debut"."""
    *first, verb = base.split() if not base.startswith("make ") else [base]
    head, _, rest = verb.partition(" ")
    past = WordLists.load().past.get(head) or inflections.past(head)
    return " ".join([*first, past, *([rest] if rest else [])])


def _number(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """How many, or how high with its unit."""
    if kind != "number" or to:
        return None
    what, unit = unit_of(name)
    how = _how(what, subject)
    if not how and unit in sure.TIMES and re.search(r"(?:tion|ing)$", what) and inflections.is_known(what.split()[-1]):
        return _taken(f"the {what} of {ROW}", f"{VALUE} {unit}", unit)
    if what in ("floor", "floor number", "storey") and unit is None and subject.noun.split()[-1] != "building":
        return _be(f"On which floor is {ROW}?", f"on floor {VALUE}", f"the floor of {ROW}").sure("count")
    if how and unit:
        asked = f"the {what} of {ROW} in {unit}"
        if what == "duration" and subject.noun.split()[-1] in sure.Sure.load().lasting:
            lasted = _do(f"How many {unit} did {ROW} last?", f"last {VALUE} {unit}", f"lasted {VALUE} {unit}", asked, "did")
            return lasted.sure("duration")
        look = None if unit == "milliseconds" or (what == "duration" and not _is_work(subject)) else "number"
        stands = how.removeprefix("high ")  # "5,050 metres above sea level"
        return _be(f"How {how} is {ROW}, in {unit}?", f"{VALUE} {unit} {stands}", asked).sure(look)
    if (how_many := _made_number(name)) is not None:
        return how_many
    counted = name.removeprefix("number of ")
    if unit is None and (counted != name or is_plural(name.split()[-1])) and len(counted.split()) < 3:
        if counted in sure.Sure.load().carried and subject.noun.split()[-1] not in ("train", "class"):
            ask, whole = f"How many {counted} does {ROW} carry?", f"the number of {counted} that {ROW} carries"
            return _do(ask, f"carry {VALUE} {counted}", f"carries {VALUE} {counted}", whole).sure("count")
        ask, whole = f"How many {counted} does {ROW} have?", f"the number of {counted} of {ROW}"
        look = "count" if sure.is_counted(counted) and not subject.person else None
        return _do(ask, f"have {VALUE} {counted}", f"has {VALUE} {counted}", whole).sure(look)
    return None


def _taken(what: str, value: str, unit: str) -> Form:
    """How long something of a row takes: "How many minutes does the preparation of X take?"."""
    claim, deny = f"Does {what} take {value}?", f"{what} does not take {value}"
    whole = f"the time in {unit} that {what} takes"
    return Form(f"How many {unit} does {what} take?", claim, deny, f"{what} takes {value}", whole, "number")


_BY_WORK = frozenset({"height", "width", "depth", "run time", "running time", "runtime"})


def _how(what: str, subject: Subject) -> str | None:
    """Say how a measure is asked for: a building is tall, a mountain high."""
    how = WordLists.load().how.get(what)
    if _is_work(subject) == (what in ("height", "width", "depth")) and what in _BY_WORK:
        return None  # a clock that runs for eight days is not long
    return "tall" if what == "height" and subject.noun.split()[-1] not in sure.Sure.load().high else how


def _made_number(name: str) -> Form | None:
    """How many of a row there are: "How many of the class X were built?" of `qty_built`."""
    first, *rest = name.split()
    if first not in ("quantity", "number", "total") or len(rest) != 1 or not ends_in_participle(rest[0]):
        return None
    done = rest[0]
    claim, deny = f"Were {VALUE} of {ROW} {done}?", f"{VALUE} of {ROW} were not {done}"
    return Form(f"How many of {ROW} were {done}?", claim, deny, f"{VALUE} of {ROW} were {done}", f"the number of {ROW} {done}")


def _by(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Who did it: "Who designed X?", "Which observatory monitors X?", "Who made the first ascent of X?"."""
    words = name.split()
    if len(words) < 2 or words[-1] != "by":
        return None
    done, who = " ".join(words[:-1]), f"Which {to}" if to else "Who"
    if present := WordLists.load().lasting.get(done):
        made = _be(f"{who} {present} {ROW}?", f"{done} by {VALUE}", f"the {to or 'one'} that {present} {ROW}")
        return made.sure("name", leads=bool(to))
    if ends_in_participle(words[-2]):
        verb = inflections.base(words[-2])
        past = " ".join([*words[:-2], WordLists.load().past.get(words[-2]) or (inflections.past(verb) if verb else words[-2])])
        made = _be(f"{who} {past} {ROW}?", f"{done} by {VALUE}", f"the {to or 'one'} that {past} {ROW}", "was")
        known = done in sure.Sure.load().done or inflections.is_participle(words[-2])
        return made.sure("name" if known and not subject.person else None, leads=bool(to))
    made_by = f"the {done} of {ROW}"
    claim, deny = f"Did {VALUE} make {made_by}?", f"{VALUE} did not make {made_by}"
    return Form(f"Who made {made_by}?", claim, deny, f"{VALUE} made {made_by}", f"the one who made {made_by}")


def _ends(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """At which station a line begins and ends, of `from_station` and `to_station`."""
    first, *rest = name.split()
    verb = {"from": "begin", "start": "begin", "to": "end", "end": "end"}.get(first)
    if verb is None or not rest or kind != "text" or rest[0] in _TIME_WORDS or subject.person:
        return None
    if first in ("start", "end") and not (to or rest[-1] in {*WordLists.load().places, *WordLists.load().areas}):
        return None
    what = " ".join(rest)
    made = _do(
        f"At which {what} does {ROW} {verb}?", f"{verb} at {VALUE}", f"{verb}s at {VALUE}", f"the {what} at which {ROW} {verb}s"
    )
    return made.sure("name" if subject.noun.split()[-1] in {"line", "route", "railway", "tramway"} else None)


def _nearest(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Which town is nearest to a row."""
    first, *rest = name.split()
    if first not in ("nearest", "closest") or not rest or kind != "text":
        return None
    what = " ".join(rest)
    whole = f"the {what} {first} to {ROW}"
    return Form(
        f"Which {what} is {first} to {ROW}?",
        f"Is {VALUE} {whole}?",
        f"{VALUE} is not {whole}",
        f"The {what} {first} to {ROW} is {VALUE}",
        whole,
    ).sure("name" if to or what in WordLists.load().areas or what in WordLists.load().places else None, leads=True)


def _within(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """In which building, on which campus a row is; where its headquarters are."""
    lists = WordLists.load()
    if kind != "text" or subject.person:
        return None
    if name in ("headquarters", "seat", "main office", "head office") and not to:
        of = f"the {name} of {ROW}"
        return _be(f"Where is {of}?", f"in {VALUE}", f"the place of {of}", row=of).sure("name")
    enclosed = name.split()[-1] in sure.Sure.load().enclosing and name == (to or name) and name != subject.noun
    at = lists.containers.get(name) or ("in" if enclosed else None)
    if at is None:
        return None
    made = _be(f"{at.capitalize()} which {name} is {ROW}?", f"{at} {VALUE}", f"the {name} of {ROW}")
    return made.sure("name" if name != "campus" else None, leads=name in ("building", "album"))


def _does(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """A foreign key that is a verb: "Which class does X replace?" of `replaces`."""
    if not to or " " in name or not name.endswith("s") or not is_plural(name) or not is_word(_base(name)):
        return None
    return _do(
        f"Which {to} does {ROW} {_base(name)}?", f"{_base(name)} {VALUE}", f"{name} {VALUE}", f"the {to} that {ROW} {name}"
    )


def _with_preposition(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """A verb with its preposition: "What is X made from?", "What does X flow into?", "Where is X based?"."""
    words, lists, lists_of_sure = name.split(), WordLists.load(), sure.Sure.load()
    if len(words) < 2 or words[-1] not in lists.prepositions:
        return None
    target = f"the {to} that" if to else "what"
    if ends_in_participle(words[0]):
        be = "was" if words[0] in _ONCE and name != "made from" else "is"
        where = words[-1] in ("in", "at") and not to
        what = "Who or what" if words[0] == "named" else "What"
        ask = f"Where {be} {ROW} {' '.join(words[:-1])}?" if where else f"{what} {be} {ROW} {name}?"
        known = name in lists_of_sure.with_prepositions
        return _be(ask, f"{name} {VALUE}", f"{target} {ROW} {be} {name}", be).sure("any" if known else None)
    if words[0].endswith("s") and is_word(_base(words[0])) and len(words) == 2:
        base = f"{_base(words[0])} {words[1]}"
        made = _do(f"What does {ROW} {base}?", f"{base} {VALUE}", f"{name} {VALUE}", f"{target} {ROW} {name}")
        return made.sure("name" if name in lists_of_sure.with_prepositions else None)
    if words[-1] == "from":
        of = f"the {' '.join(words[:-1])} of {ROW}"
        return _be(f"Where is {of} from?", f"from {VALUE}", f"the place that {of} is from", row=of)
    if words[-1] == "of" and not to:
        what = name if words[0] == "part" else with_article(name)
        known = words[0] == "tributary" or name in lists_of_sure.with_prepositions
        return _be(f"What is {ROW} {what}?", f"{what} {VALUE}", f"what {ROW} is {what}").sure("name" if known else None)
    return None


def _base(verb: str) -> str:
    """The infinitive of a verb in the third person: "flows", "carries", "passes"."""
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if verb.endswith(("sses", "shes", "ches", "goes", "xes")) else verb[:-1]


def _born_or_died_at(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Where somebody was born or died."""
    plain = name.replace("birthplace", "birth place").replace("deathplace", "death place").replace("place of ", "")
    words = [word for word in plain.split() if word not in ("place", "of", "location")]
    event = next((word for word in words if word in ("birth", "death", "born", "died")), None)
    area = [word for word in words if word != event]
    if event is None or (area and area != [a for a in area if a in WordLists.load().areas]):
        return None
    where, what = f"In which {area[0]}" if area else "Where", f"the {area[0] if area else 'place'} in which {ROW}"
    if event in ("birth", "born"):
        return _be(f"{where} was {ROW} born?", f"born in {VALUE}", f"{what} was born", "was").sure("name")
    return _do(f"{where} did {ROW} die?", f"die in {VALUE}", f"died in {VALUE}", f"{what} died", "did").sure("name")


def _area(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """In which city, country or region a row is, or which one it is from."""
    *part, area = name.split()
    if area == "location" and not part and subject.place:
        return _be(f"Where is {ROW}?", f"in {VALUE}", f"the place of {ROW}")
    if area not in WordLists.load().areas or kind != "text" or len(part) > 1 or not all(map(_is_part, part)):
        return None
    of = f"the {part[0]} of {ROW}" if part else ROW
    happening = subject.noun.split()[-1] in sure.Sure.load().held
    if happening and not part:
        what, within = f"the {area} in which {ROW} took place", "on" if area == "continent" else "in"
        held = f"{within} {VALUE}"
        asked = f"{within.capitalize()} which {area} did {ROW} take place?"
        return _do(asked, f"take place {held}", f"took place {held}", what, "did").sure("name")
    stands = "name" if not part or part[0] in sure.Sure.load().standing else None
    if not part and not subject.place and subject.noun.split()[-1] in sure.Sure.load().based:
        what = f"the {area} where {ROW} is based"
        return _be(f"In which {area} is {ROW} based?", f"based in {VALUE}", what).sure("name")
    agent = bool(part) and part[0] != "headquarters" and part[0].endswith(("er", "or", "ist"))
    if agent or (not part and not subject.place):
        if area not in _ORIGINS or (subject.person and area == "state"):
            return None
        made = _be(f"Which {area} is {of} from?", f"from {VALUE}", f"the {area} that {of} is from", row=of)
        return made.sure("name" if not part and area in ("country", "nation", "continent") else None)
    within = "On" if area == "continent" else "In"
    # "The town in which X is is not in France" would say "is" twice.
    what = f"the {area} where {of} lies" if subject.place and not part else f"the {area} of {of}"
    return _be(f"{within} which {area} is {of}?", f"in {VALUE}", what, row=of).sure(stands)


def _nationality(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """What somebody is by country: "Is X Polish?"."""
    if kind != "demonym":
        return None
    be = "was" if subject.past else "is"
    made = _be(f"What {be} the {name} of {ROW}?", VALUE, f"the {name} of {ROW}", be)
    return replace(made, say=f"{ROW} {be} {VALUE}").sure("demonym")


def _material(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Of what a row is made: "What metal is X made of?"."""
    if kind != "text" or name not in sure.Sure.load().substances or subject.person or to:
        return None
    made = _be(f"What {name} is {ROW} made of?", f"made of {VALUE}", f"the {name} of {ROW}")
    return made.sure("any")


def _played(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """What somebody plays: "Which instrument does X play?"."""
    if name not in ("instrument", "main instrument", "musical instrument") or kind != "text" or not subject.person:
        return None
    made = _do(f"Which {name} does {ROW} play?", f"play the {VALUE}", f"plays the {VALUE}", f"the {name} that {ROW} plays")
    return made.sure("common")


def _same_kind(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Of which species or breed a single animal or plant is: "Is the tree X a Coast Redwood?"."""
    if name.split()[-1] not in ("species", "breed", "cultivar") or name != (to or name) or subject.person:
        return None
    belongs = f"to the {name} {VALUE}"
    made = _do(f"What {name} is {ROW}?", f"belong {belongs}", f"belongs {belongs}", f"the {name} of {ROW}")
    return made.sure("any")


def _is_part(word: str) -> bool:
    """Tell whether a word before "city" or "country" is a part of the row that stands there: its mouth, its headquarters."""
    verb = word.endswith(("ing", "ed", "est"))
    return is_word(word) and not verb and word not in _NO_PARTS and word not in WordLists.load().areas


def _type(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """What type of bridge it is, what type of engine it has."""
    *part, head = name.split()
    if head not in ("type", "kind", "category"):
        return None
    own, made = subject.noun.split()[-1], _noun(name)
    if not part or part == [own]:
        kind_word = "kind" if head == "category" else head
        asked = replace(made, ask=f"What {kind_word} of {own} is {ROW}?", claimed=False)
        return asked.sure("any" if not subject.person else None)
    if part[-1].endswith(("al", "ous", "ive")):  # an adjective: "the spectral type of the star"
        return made
    return replace(made, ask=f"What {head} of {' '.join(part)} does {ROW} have?")


def _group(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """To what a row belongs."""
    if name.split()[-1] not in WordLists.load().groups or kind != "text":
        return None
    made = _do(f"Which {name} does {ROW} belong to?", f"belong to {VALUE}", f"belongs to {VALUE}", f"the {name} of {ROW}")
    return made.sure("name" if name in sure.Sure.load().groups else None, leads=not subject.person)


def _made_by(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Which row of another table made a row: "Which brewery makes the beer X?"."""
    same = to is not None and to.split()[-1].endswith(name.split()[-1])  # a vessel's yard is a shipyard
    made = sure.maker(subject.noun, to) if to and same and not subject.person else None
    if made is None or len(name.split()) > len(str(to).split()):
        return None
    verb, participle, be = made
    lists, last = WordLists.load(), str(to).split()[-1]
    noun = "company" if last in lists.companies else to
    called = last in lists.persons or inflections.is_agent(last) or noun != to
    if subject.by_person and be == "is":
        verb, be = inflections.past(_base(verb)), "was"  # a company goes on making it
    whole = f"the {to} of {ROW}" if called else f"the {noun} that {verb} {ROW}"
    return _be(f"Which {noun} {verb} {ROW}?", f"{participle} by {VALUE}", whole, be).sure("name", leads=True)


def _does_to(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """What a row does to another one: "Which river does the bridge X cross?"."""
    base = sure.does(subject.noun, to or name) if name == (to or name) and kind == "text" else None
    if base is None:
        return None
    verb, _, rest = base.partition(" ")
    third = f"{verb}es" if verb.endswith(("ss", "sh", "ch", "o")) else f"{verb[:-1]}ies" if verb.endswith("dy") else f"{verb}s"
    said = f"{third} {rest}".strip()
    made = _do(f"Which {name} does {ROW} {base}?", f"{base} {VALUE}", f"{said} {VALUE}", f"the {name} that {ROW} {said}")
    return made.sure("name")


_RULES: tuple[Rule, ...] = (
    _made_by, _does_to,
    _nationality, _material, _played, _same_kind,
    _event, _span, _number, _by, _ends, _nearest, _within, _with_preposition, _born_or_died_at, _area, _type, _group, _does,
)  # fmt: skip
"""The forms, each for some columns; the first that fits is taken."""
