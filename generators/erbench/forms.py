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

from generators import inflections
from generators.articles import with_article
from generators.column_names import WordLists, ends_in_participle, unit_of
from generators.erbench import sure
from generators.erbench.sentences import ROW, VALUE, Form, Subject, with_be, with_do
from generators.erbench.times import TIME_WORDS, age, event, happened, limit, span
from generators.erbench.trade import job_title, marked, ordered, segment, workplace
from generators.nouns import is_plural, is_word, singular

_NO_PARTS = frozenset({"home", "main", "current", "ship", "bill", "mail", "local", "first", "last", "other", "second"})
_OF_WORKS = frozenset({"wrote", "composed", "painted", "sculpted", "engraved", "published", "directed", "translated"})
"""What is done to works alone, and to no place."""
OCCUPATIONS = frozenset({"occupation", "profession", "position", "playing position", "job title", "job"})
"""What somebody is: "Is X a goalkeeper?"."""
_ONCE = frozenset({"born", "founded", "written", "built", "made", "named", "killed", "invented", "launched", "released"})
"""Participles of what happened once: "X was named after Y"."""
_PASSIVE = frozenset({"born", "buried", "raised", "educated", "trained", "based", "employed", "baptised", "killed", "crowned"})
"""What is done to a person; what other participles say, they did themselves."""
_STATES = frozenset(
    {
        "based", "located", "situated", "headquartered", "kept", "stored", "held", "displayed", "found", "used", "spoken",
        "moored", "housed", "preserved", "exhibited", "shown", "stationed", "anchored", "stabled", "registered", "grown",
        "buried",
    }
)  # fmt: skip
"""Where something is, and not where something happened to it."""
_ORIGINS = frozenset({"country", "nation", "state", "region", "province", "continent"})


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
    if kind == "number" and unit_of(name)[1] and subject.noun.split()[-1] in sure.Sure.load().taxa:
        return _noun(name, kind, row=subject.noun).sure(None)  # those of which it consists have a length
    rules = _RULES if kind != "year" else (event, span, happened)
    if made := next((made for rule in rules if (made := rule(name, kind, subject, to))), None):
        return _written(_of_person(made, to) if person else made)
    if kind == "year":
        return form(name, "number", subject, to, person=person)
    made = _agent(name, subject, person=person) or _noun(
        name, kind, person=person, proper=bool(to), named=named, row=subject.noun
    )
    return _written(made)


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


def _is_over(role: str, row: str) -> bool:
    """Tell whether who is this of a row did it once: the chief designer of an aircraft, and not of a company."""
    lists, last, noun = WordLists.load(), role.split()[-1], row.split()[-1:]
    goes_on = {*lists.institutions, *lists.companies, *sure.Sure.load().based, *lists.groups}
    if role.split()[0] in ("first", "former", "original", "founding", "previous"):
        return True
    return last in _MADE_IT and not {*noun} & goes_on


_MADE_IT = frozenset(
    {
        "restorer", "engraver", "printer", "carver", "translator", "designer", "engineer", "architect", "builder",
        "author", "composer", "inventor", "sculptor", "painter", "maker",
    }
)  # fmt: skip


def _noun(
    name: str, kind: str = "text", *, person: bool = False, proper: bool = False, named: bool = False, row: str = ""
) -> Form:
    """What is the name of the row: for all that has no verb of its own; `named`: its values are names."""
    what, unit = unit_of(name)
    if unit == "per cent" and not sure.is_measure(what, row):
        share = what if what.endswith(("percentage", "share", "rate")) else f"{what} percentage"
        return _noun(share, kind, row=row).sure("number" if inflections.is_common_noun(what.split()[-1]) else None)
    whole = f"the {what} of {ROW}"
    verb, question = "are" if is_plural(what.split()[-1]) else "is", "Who" if person else "What"
    # A date that says of nothing that it happened is no answer to "what".
    plain = not unit and kind not in ("number", "date", "month")
    look = _look(what, person=person, proper=proper, row=row, named=named) if plain else None
    former = what.split()[0] in ("former", "previous")
    if verb == "is" and (former or (look in ("person", "persons") and _is_over(what, row))):
        verb = "was"
    said = f"The {what} of {ROW} {verb} {VALUE}"
    if unit or kind == "number":
        # A number stands behind its measure: "Is the beam of X 32 metres?"
        value, measured = (f"{VALUE} {unit}", f"{whole} in {unit}") if unit else (VALUE, whole)
        made = with_be(f"What {verb} {measured}?", value, measured, verb, row=whole)
        known = sure.is_measure(what, row) or (unit and sure.is_measured(what, unit))
        return replace(made, say=f"{said} {unit}" if unit else said).sure("number" if known else None)
    named = person or proper or look in ("person", "persons") or _is_proper(what) or (named and look is not None)
    if not named:
        return replace(with_be(f"What {verb} {whole}?", VALUE, whole, verb, row=whole), say=said).sure(look)
    claim, deny = f"{verb.capitalize()} {VALUE} {whole}?", f"{VALUE} {verb} not {whole}"
    look = None if person and look not in ("person", "persons") else "named" if look == "any" else look
    question = "Who" if look in ("person", "persons") else question
    return Form(f"{question} {verb} {whole}?", claim, deny, said, whole).sure(look, leads=True)


def _look(what: str, *, person: bool, proper: bool, row: str, named: bool = False) -> str | None:
    """Say what the values of a noun are to look like for the noun to be asked for; None where nobody is sure of the noun."""
    if sure.is_role(what):
        return "person"
    if what.split()[-1] == "species" and row.split()[-1:] and row.split()[-1] in sure.Sure.load().taxa:
        return "name"  # "rex" alone is none
    if sure.is_feature(what):
        return "any"
    if proper and not person and " " in what and sure.is_qualified(what):
        return "name"  # the target planet of a mission, a planet
    if named and " " in what and sure.is_qualified(what) and sure.is_thing(what):
        return "name"  # the parent peak of a mountain, the first album of a band
    # A foreign key that is called as its table is says only that there is one.
    if sure.is_agent_of(what) and (not proper or person):
        return "persons"
    return "common" if sure.is_described(what) and not proper and what.split()[-1] not in row.split()[-1:] else None


def is_other_title(name: str) -> bool:
    """Tell whether a column has another title of a work, and no job title.

    >>> is_other_title("original title"), is_other_title("job title"), is_other_title("title")
    (True, False, False)
    """
    *first, last = name.split()
    return last == "title" and bool(first) and all(map(inflections.is_common_adjective, first))


def _is_proper(name: str) -> bool:
    """Tell whether what a column is called by is named, as a capital is, and no colour."""
    lists, last = WordLists.load(), name.split()[-1]
    named = last in (*lists.proper, *lists.areas, "subtitle", "nickname", "motto") and last != "nationality"
    named = named and name != "common name"
    return named or is_other_title(name)


def _agent(name: str, subject: Subject, *, person: bool = False) -> Form | None:
    """Who made it: "Who directed X?", where people made it by what they are called."""
    lists, last = WordLists.load(), name.split()[-1]
    if name == "operator" and not person:  # a company, or a university
        made = with_be(f"Who operates {ROW}?", f"operated by {VALUE}", f"the {name} of {ROW}")
        return made.sure("name", leads=True)
    if last in lists.companies and name not in lists.agents and not person:
        return replace(_noun(name, proper=True), ask=f"Which company is the {name} of {ROW}?").sure("name", leads=True)
    # Who directs a museum is its director; who directed a film did so once.
    if name not in lists.agents or (name in ("director", "producer") and not _is_work(subject)) or subject.person:
        return None
    participle, past = lists.agents[name]
    if not sure.is_done_to(past, subject.noun):
        return _act(name, subject)
    return replace(_passive_by(participle, past), whole=f"the {name} of {ROW}").sure("name", leads=True)


def _act(name: str, subject: Subject) -> Form | None:
    """What a role did to what is no work: "Who named the genus X?", where a column says that it was named."""
    act = sure.act_of(name, subject.done)
    verb = inflections.base(act) if act else None
    if act is None or verb is None:
        return None
    past = inflections.past(verb)
    return replace(_passive_by(act, past), whole=f"the person who {past} {ROW}").sure("name", leads=True)


def _is_work(subject: Subject) -> bool:
    """Tell whether a row is a work, which is made once."""
    return subject.noun.split()[-1] in WordLists.load().works


def _passive_by(participle: str, past: str) -> Form:
    return with_be(f"Who {past} {ROW}?", f"{participle} by {VALUE}", f"the one who {past} {ROW}", "was")


def _number(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """How many, or how high with its unit."""
    if kind != "number" or to:
        return None
    what, unit = unit_of(name)
    how = _how(what, subject)
    if not how and unit in sure.TIMES and re.search(r"(?<!dura)(?:tion|ing)$", what) and inflections.is_known(what.split()[-1]):
        return _taken(f"the {what} of {ROW}", f"{VALUE} {unit}", unit)
    if what in ("floor", "floor number", "storey") and unit is None and subject.noun.split()[-1] != "building":
        return with_be(f"On which floor is {ROW}?", f"on floor {VALUE}", f"the floor of {ROW}").sure("count")
    if how and unit:
        asked = f"the {what} of {ROW} in {unit}"
        own = sure.Sure.load()
        if what in ("duration", "length") and unit in sure.TIMES and subject.noun.split()[-1] in {*own.lasting, *own.held}:
            lasted = with_do(f"How many {unit} did {ROW} last?", f"last {VALUE} {unit}", f"lasted {VALUE} {unit}", asked, "did")
            return lasted.sure("duration")
        look = None if unit == "milliseconds" or (what == "duration" and not _is_work(subject)) else "number"
        stands = how.removeprefix("high ")  # "5,050 metres above sea level"
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


def _taken(what: str, value: str, unit: str) -> Form:
    """How long something of a row takes: "How many minutes does the preparation of X take?"."""
    claim, deny = f"Does {what} take {value}?", f"{what} does not take {value}"
    whole = f"the time in {unit} that {what} takes"
    return Form(f"How many {unit} does {what} take?", claim, deny, f"{what} takes {value}", whole, "number")


_BY_WORK = frozenset({"height", "width", "depth", "run time", "running time", "runtime"})


def _how(what: str, subject: Subject) -> str | None:
    """Say how a measure is asked for: a building is tall, a mountain high."""
    # The altitude of what stands somewhere is that of the place: an apiary on a hill is not high.
    how = WordLists.load().how.get("elevation" if what == "altitude" else what)
    if _is_work(subject) == (what in ("height", "width", "depth")) and what in _BY_WORK:
        return None  # a clock that runs for eight days is not long
    return "tall" if what == "height" and subject.noun.split()[-1] not in sure.Sure.load().high else how


def _limited(name: str) -> Form | None:
    """How many there are at most: "What is the maximum number of players of the game X?" of `MaxPlayers`."""
    first, *rest = name.split()
    if first not in WordLists.load().extremes or not rest or not is_plural(rest[-1]):
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
    claim, deny = f"Were {VALUE} {what} of {ROW} {done}?", f"{VALUE} {what} of {ROW} were not {done}"
    whole = f"the number of {what} of {ROW} {done}"
    made = Form(f"How many {what} of {ROW} were {done}?", claim, deny, f"{VALUE} {what} of {ROW} were {done}", whole)
    return made.sure("whole" if known else None)


def _by(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Who did it: "Who designed X?", "Which observatory monitors X?", "Who made the first ascent of X?"."""
    words = name.split()
    if len(words) < 2 or words[-1] != "by":
        return None
    done, who = " ".join(words[:-1]), f"Which {to}" if to else "Who"
    if present := WordLists.load().lasting.get(done):
        made = with_be(f"{who} {present} {ROW}?", f"{done} by {VALUE}", f"the {to or 'one'} that {present} {ROW}")
        return made.sure("name", leads=bool(to))
    if ends_in_participle(words[-2]):
        verb = inflections.base(words[-2])
        past = " ".join([*words[:-2], WordLists.load().past.get(words[-2]) or (inflections.past(verb) if verb else words[-2])])
        made = with_be(f"{who} {past} {ROW}?", f"{done} by {VALUE}", f"the {to or 'one'} that {past} {ROW}", "was")
        known = done in sure.Sure.load().done or inflections.is_participle(words[-2])
        known = known and words[-2] not in _TO_SOMEBODY
        known = known and sure.is_done_to(past, subject.noun)  # an act that makes a park is signed, the park is not
        return made.sure("name" if known and not subject.person else None, leads=bool(to))
    made_by = f"the {done} of {ROW}"
    claim, deny = f"Did {VALUE} make {made_by}?", f"{VALUE} did not make {made_by}"
    return Form(f"Who made {made_by}?", claim, deny, f"{VALUE} made {made_by}", f"the one who made {made_by}")


_TO_SOMEBODY = frozenset(
    {"awarded", "given", "granted", "followed", "preceded", "recommended", "used", "played", "held", "won"}
)
"""What somebody does with a thing and another, or what comes after it: nobody is asked who awarded a wine."""


def _ends(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """At which station a line begins and ends, of `from_station` and `to_station`."""
    first, *rest = name.split()
    verb = {"from": "begin", "start": "begin", "to": "end", "end": "end"}.get(first)
    if verb is None or not rest or kind != "text" or rest[0] in TIME_WORDS or subject.person:
        return None
    if first in ("start", "end") and not (to or rest[-1] in {*WordLists.load().places, *WordLists.load().areas}):
        return None
    what = " ".join(rest)
    made = with_do(
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
        return with_be(f"Where is {of}?", f"in {VALUE}", f"the place of {of}", row=of).sure("name")
    same = to is None or to == name or to.endswith(f" {name}")  # a link to amusement parks may be called "park"
    own_one = name.split()[0] in _NO_PARTS  # a home shed is no shed that a locomotive is always in
    enclosed = name.split()[-1] in sure.Sure.load().enclosing and same and not own_one and name != subject.noun
    at = lists.containers.get(name) or ("in" if enclosed and " of " not in name else None)
    if at and subject.noun.split()[-1] in sure.Sure.load().held:
        where = f"at {VALUE}"
        took = f"the {name} where {ROW} took place"
        made = with_do(f"At which {name} did {ROW} take place?", f"take place {where}", f"took place {where}", took, "did")
        return made.sure("name")
    if at is None or (name == "river" and not subject.place):
        return None
    made = with_be(f"{at.capitalize()} which {name} is {ROW}?", f"{at} {VALUE}", f"the {name} of {ROW}")
    return made.sure("name" if name != "campus" else None, leads=name in ("building", "album"))


def _does(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """A foreign key that is a verb: "Which class does X replace?" of `replaces`."""
    if " " in name or not name.endswith("s") or not is_plural(name) or not is_word(_base(name)):
        return None
    if not to:
        base = inflections.base(name)
        if kind != "text" or base is None or inflections.is_common_noun(base) or subject.person:
            return None
        made = with_do(f"What does {ROW} {base}?", f"{base} {VALUE}", f"{name} {VALUE}", f"what {ROW} {name}")
        return made.sure("any")  # what a painting depicts
    return with_do(
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
        if name in lists_of_sure.for_somebody:
            return with_be(f"Who was {ROW} {name}?", f"{name} {VALUE}", f"the one whom {ROW} was {name}", "was").sure("name")
        where = words[-1] in ("in", "at") and not to
        if where and len(words) == 2 and not subject.person:
            be = "is" if words[0] in _STATES else "was"
        verb = inflections.base(words[0])
        if where and subject.person and verb and words[0] not in _PASSIVE:  # somebody studied at a school
            did, past = f"{verb} {words[-1]} {VALUE}", inflections.past(verb)
            made = with_do(
                f"Where did {ROW} {verb}?", did, f"{past} {words[-1]} {VALUE}", f"the place where {ROW} {past}", "did"
            )
            return made.sure("name" if len(words) == 2 else None)
        what = "Who or what" if words[0] == "named" else "What"
        ask = f"Where {be} {ROW} {' '.join(words[:-1])}?" if where else f"{what} {be} {ROW} {name}?"
        known = name in lists_of_sure.with_prepositions
        look = "any" if known else "name" if where and len(words) == 2 and inflections.is_participle(words[0]) else None
        return with_be(ask, f"{name} {VALUE}", f"{target} {ROW} {be} {name}", be).sure(look)
    if words[0] == "on" and words[-1] in ("at", "in") and len(words) == 3 and inflections.is_common_noun(words[1]) and not to:
        shown = " ".join(words[:2])  # on display
        return with_be(f"Where is {ROW} {shown}?", f"{name} {VALUE}", f"the place where {ROW} is {shown}").sure("name")
    if words[0].endswith("s") and is_word(_base(words[0])) and len(words) == 2:
        base = f"{_base(words[0])} {words[1]}"
        made = with_do(f"What does {ROW} {base}?", f"{base} {VALUE}", f"{name} {VALUE}", f"{target} {ROW} {name}")
        return made.sure("name" if name in lists_of_sure.with_prepositions else None)
    if words[-1] == "from":
        of = f"the {' '.join(words[:-1])} of {ROW}"
        return with_be(f"Where is {of} from?", f"from {VALUE}", f"the place that {of} is from", row=of)
    if words[-1] == "of" and not to:
        what = name if words[0] == "part" else with_article(name)
        known = words[0] == "tributary" or name in lists_of_sure.with_prepositions
        return with_be(f"What is {ROW} {what}?", f"{what} {VALUE}", f"what {ROW} is {what}").sure("name" if known else None)
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
        return with_be(f"{where} was {ROW} born?", f"born in {VALUE}", f"{what} was born", "was").sure("place")
    return with_do(f"{where} did {ROW} die?", f"die in {VALUE}", f"died in {VALUE}", f"{what} died", "did").sure("place")


def _area(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """In which city, country or region a row is, or which one it is from."""
    *part, area = name.split()
    if area == "location" and not part and subject.noun.split()[-1] in sure.Sure.load().held:
        took = f"the place where {ROW} took place"
        made = with_do(f"Where did {ROW} take place?", f"take place in {VALUE}", f"took place in {VALUE}", took, "did")
        return replace(made, claimed=False).sure("name")
    if area == "location" and not part and not subject.person and subject.noun.split()[-1] not in sure.Sure.load().based:
        return replace(with_be(f"Where is {ROW}?", f"in {VALUE}", f"the place of {ROW}"), claimed=False).sure("name")
    if (
        name == "capital city"
        or area not in WordLists.load().areas
        or kind != "text"
        or len(part) > 1
        or not all(map(_is_part, part))
    ):
        return None
    of = f"the {part[0]} of {ROW}" if part else ROW
    happening = subject.noun.split()[-1] in sure.Sure.load().held
    if happening and not part:
        what, within = f"the {area} in which {ROW} took place", "on" if area == "continent" else "in"
        held = f"{within} {VALUE}"
        asked = f"{within.capitalize()} which {area} did {ROW} take place?"
        return with_do(asked, f"take place {held}", f"took place {held}", what, "did").sure("name")
    if not part and subject.noun.split()[-1] in sure.Sure.load().findable and not subject.place:
        within = f"in {VALUE}"  # a meteorite is from no country
        found = with_be(f"In which {area} was {ROW} found?", f"found {within}", f"the {area} where {ROW} was found", "was")
        return found.sure("name")
    stands = "name" if not part or part[0] in sure.Sure.load().standing else None
    firms = {*sure.Sure.load().based, *WordLists.load().companies}
    if not part and not subject.place and subject.noun.split()[-1] in firms:
        what = f"the {area} where {ROW} is based"
        return with_be(f"In which {area} is {ROW} based?", f"based in {VALUE}", what).sure("name")
    agent = bool(part) and part[0] != "headquarters" and part[0].endswith(("er", "or", "ist"))
    if agent or (not part and not subject.place):
        if area not in _ORIGINS or (subject.person and area == "state"):
            return None
        be = "was" if subject.past and not part else "is"
        made = with_be(f"Which {area} {be} {of} from?", f"from {VALUE}", f"the {area} that {of} {be} from", be, of)
        made = replace(made, former=subject.past and subject.person and not part)
        from_there = area in ("country", "nation", "continent") or subject.noun.split()[-1] in sure.Sure.load().origins
        return made.sure("name" if not part and from_there else None)
    within = "On" if area == "continent" else "In"
    # "The town in which X is is not in France" would say "is" twice.
    what = f"the {area} where {of} lies" if subject.place and not part else f"the {area} of {of}"
    return with_be(f"{within} which {area} is {of}?", f"in {VALUE}", what, row=of).sure(stands)


def _nationality(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """What somebody is by country: "Is X Polish?"."""
    if kind != "demonym":
        return None
    be = "was" if subject.past else "is"
    made = with_be(f"What {be} the {name} of {ROW}?", VALUE, f"the {name} of {ROW}", be)
    return replace(made, say=f"{ROW} {be} {VALUE}", former=subject.past).sure("demonym")


def _material(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Of what a row is made: "What metal is X made of?"."""
    own = sure.Sure.load()
    if kind != "text" or name not in {*own.substances, *own.stuffs} or subject.person or name != (to or name):
        return None
    if subject.noun.split()[-1] in own.remains:
        return _noun(name).sure(None)  # a skull is no stuff
    if name in own.stuffs:
        # Values say of what kind it is: cow milk, rye flour.
        said = with_be(f"What {name} is {ROW} made of?", f"made of {VALUE} {name}", f"the {name} of {ROW}")
        return said.sure("any")
    # "What main material is X made of?" would ask of a kind of material.
    mainly, what = ("mainly ", "") if name.startswith(("main ", "primary ")) else ("", f" {name}")
    made = with_be(f"What{what} is {ROW} {mainly}made of?", f"{mainly}made of {VALUE}", f"the {name} of {ROW}")
    return made.sure("any")


def _weight(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """How much a row weighs: "Does the cheese X weigh 2 kilograms?"."""
    what, unit = unit_of(name)
    if what != "weight" or kind != "number" or not unit:
        return None
    weighs = f"{VALUE} {unit}"
    made = with_do(
        f"How many {unit} does {ROW} weigh?", f"weigh {weighs}", f"weighs {weighs}", f"the weight of {ROW} in {unit}"
    )
    return made.sure("number")


def _played(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """What somebody plays: "Which instrument does X play?"."""
    if name not in ("instrument", "main instrument", "musical instrument") or kind != "text" or not subject.person:
        return None
    made = with_do(f"Which {name} does {ROW} play?", f"play the {VALUE}", f"plays the {VALUE}", f"the {name} that {ROW} plays")
    return made.sure("common")


def _same_kind(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Of which species or breed a single animal or plant is: "Is the tree X a Coast Redwood?"."""
    # A genus is of no species: it has a type species.
    several = subject.noun.split()[-1] in {*WordLists.load().groups, *sure.Sure.load().taxa}
    typical = name.split()[0] == "type"  # a genus has a type species, and is of none
    if name.split()[-1] not in ("species", "breed", "cultivar") or typical or name != (to or name) or subject.person or several:
        return None
    belongs = f"to the {name} {VALUE}"
    made = with_do(f"What {name} is {ROW}?", f"belong {belongs}", f"belongs {belongs}", f"the {name} of {ROW}")
    return made.sure("any")


def _make(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Of which make a thing is: "What make is bike 12?"."""
    if name not in ("make", "brand", "model") or name == subject.noun.split()[-1] or kind != "text" or subject.person:
        return None
    made = with_be(f"What {name} is {ROW}?", f"of the {name} {VALUE}", f"the {name} of {ROW}")
    return replace(made, say=f"The {name} of {ROW} is {VALUE}", claimed=False).sure("name")


def _language(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """In which language a work is: "In which language is the opera X?"; of what else the language is called by its name."""
    *first, last = name.split()
    if last != "language" or kind != "text" or subject.noun.split()[-1] == "language":
        return None
    if not first and subject.noun.split()[-1] in {*WordLists.load().works, *sure.Sure.load().spoken}:
        of = f"the language of {ROW}"
        return with_be(f"In which language is {ROW}?", f"in {VALUE}", of).sure("any")
    whole = f"the {name} of {ROW}"
    known = "named" if sure.is_feature(name) else None
    return Form(
        f"What is {whole}?", f"Is {VALUE} {whole}?", f"{VALUE} is not {whole}", f"The {name} of {ROW} is {VALUE}", whole
    ).sure(known)


def _currency(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """What is paid with: "Is the yen the currency of Japan?"."""
    if name.split()[-1] != "currency" or kind != "text":
        return None
    whole = f"the {name} of {ROW}"
    asked, said = f"What is {whole}?", f"The {name} of {ROW} is {VALUE}"
    return Form(asked, f"Is {VALUE} {whole}?", f"{VALUE} is not {whole}", said, whole).sure("any")


def _mouth(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """What a river flows into."""
    if name != "mouth" or kind != "text" or subject.noun.split()[-1] not in ("river", "stream", "tributary", "creek"):
        return None
    flows = f"flow into {VALUE}"
    return with_do(f"What does {ROW} flow into?", flows, f"flows into {VALUE}", f"what {ROW} flows into").sure("name")


def _occupation(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """What somebody does or did: "Was X a banker?"."""
    if name not in OCCUPATIONS or kind != "text" or not subject.person or to:
        return None
    be, whole = "was" if subject.past else "is", f"the {name} of {ROW}"
    made = with_be(f"What {be} {whole}?", VALUE, whole, be)
    return replace(made, former=subject.past).sure("common" if name in ("occupation", "profession") else "any")


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
    if len(part) == 1 and part[0] in sure.Sure.load().things:  # a find is some object itself
        return replace(made, ask=f"What {head} of {part[0]} is {ROW}?", claimed=False).sure("any")
    return replace(made, ask=f"What {head} of {' '.join(part)} does {ROW} have?")


def _group(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """To what a row belongs."""
    if name.split()[-1] not in WordLists.load().groups or kind != "text":
        return None
    made = with_do(f"Which {name} does {ROW} belong to?", f"belong to {VALUE}", f"belongs to {VALUE}", f"the {name} of {ROW}")
    return made.sure("name" if name in sure.Sure.load().groups else None, leads=not subject.person)


def _made_by(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Which row of another table made a row: "Which brewery makes the beer X?"."""
    if not to and (kind != "text" or name == "operator" or name in WordLists.load().agents or " " in name):
        return None
    link, to = to, to or name
    same = to.split()[-1].endswith(name.split()[-1])  # a vessel's yard is a shipyard
    made = sure.maker(subject.noun, to) if same and not subject.person else None
    if made is None or len(name.split()) > len(str(to).split()):
        return None
    verb, participle, be, part = made
    if subject.place and verb in _OF_WORKS:
        return _noun(name, proper=True).sure(None)  # the author of a museum is the one whom it is about
    if not sure.is_done_to(verb, "work" if part else subject.noun):
        return _act(name, subject) or _comes_from(str(to), verb)
    row = f"{part} {ROW}".strip()
    lists, last = WordLists.load(), str(to).split()[-1]
    noun = "company" if last in lists.companies else to
    somebody = last in lists.persons or (inflections.is_agent(last) and last not in lists.companies)
    called = last in lists.persons or inflections.is_agent(last) or noun != to
    if subject.by_person and be == "is":
        verb, be = inflections.past(_base(verb)), "was"  # a company goes on making it
    whole = f"the {name if to.endswith(name) else to} of {ROW}" if called else f"the {noun} that {verb} {row}"
    asked = "Who" if link is None and somebody else f"Which {noun}"
    return with_be(f"{asked} {verb} {row}?", f"{participle} by {VALUE}", whole, be, row).sure("name", leads=True)


def _comes_from(to: str, verb: str) -> Form | None:
    """Which house a row is from, whatever that did for it: a foundry casts bells, and no typeface of today."""
    if verb in _OF_WORKS or to.split()[-1] in WordLists.load().persons or inflections.is_agent(to.split()[-1]):
        return None
    made = with_be(f"Which {to} is {ROW} from?", f"from {VALUE}", f"the {to} of {ROW}")
    return made.sure("name", leads=True)


def _winner(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Which row won: "Which vessel won the race X?" of `winner_vessel` and `winning_vessel`."""
    first, *rest = name.split()
    if first not in ("winner", "winning") or not rest or kind != "text" or subject.person:
        return None
    what = " ".join(rest)
    made = with_do(f"Which {what} won {ROW}?", f"win {ROW}", f"won {ROW}", f"the {what} that won {ROW}", "did")
    claim, deny, say = f"Did {VALUE} win {ROW}?", f"{VALUE} did not win {ROW}", f"{VALUE} won {ROW}"
    return replace(made, claim=claim, deny=deny, say=say).sure("name", leads=True)


def _does_to(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """What a row does to another one: "Which river does the bridge X cross?"."""
    base = sure.does(subject.noun, to or name) if name == (to or name) and kind == "text" else None
    if base is None:
        return None
    verb, _, rest = base.partition(" ")
    third = f"{verb}es" if verb.endswith(("ss", "sh", "ch", "o")) else f"{verb[:-1]}ies" if verb.endswith("dy") else f"{verb}s"
    said = f"{third} {rest}".strip()
    made = with_do(f"Which {name} does {ROW} {base}?", f"{base} {VALUE}", f"{said} {VALUE}", f"the {name} that {ROW} {said}")
    return made.sure("name")


_RULES: tuple[Rule, ...] = (
    marked, _winner, _made_by, _does_to, age, _weight, limit, job_title, segment, workplace, ordered,
    _nationality, _occupation, _language, _currency, _mouth, _material, _played, _same_kind, _make,
    event, happened, span, _number, _by, _ends, _nearest, _within, _with_preposition, _born_or_died_at, _area, _type, _group,
    _does,
)  # fmt: skip
"""The forms, each for some columns; the first that fits is taken."""
