"""Where rows are, come from, begin and end; where people were born."""

from __future__ import annotations

import re
from dataclasses import replace

from generators import inflections
from generators.column_names import WordLists
from generators.erbench import sure
from generators.erbench.plain import of_row
from generators.erbench.sentences import ROW, VALUE, Form, Subject, with_be, with_do
from generators.erbench.times import TIME_WORDS, past, verb_of
from generators.nouns import is_word

NO_PARTS = frozenset({"home", "main", "current", "ship", "bill", "mail", "local", "first", "last", "other", "second"})


ORIGINS = frozenset({"country", "nation", "state", "region", "province", "continent"})


def ends_at(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
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


def nearest(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
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


def within_place(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """In which building, on which campus a row is; where its headquarters are."""
    lists = WordLists.load()
    if kind != "text" or subject.person:
        return None
    if name == "range" and not to and subject.noun.split()[-1] in {*sure.Sure.load().high, "volcano", "glacier"}:
        name = "mountain range"
    if name in ("headquarters", "seat", "main office", "head office") and not to:
        of = f"the {name} of {ROW}"
        if subject.noun.split()[-1] in {*sure.Sure.load().based, *lists.companies, *sure.Sure.load().umbrellas}:
            based = with_be(f"Where is {ROW} based?", f"based in {VALUE}", f"the place where {ROW} is based")
            return based.sure("name")
        return with_be(f"Where is {of}?", f"in {VALUE}", f"the place of {of}", row=of).sure("name")
    same = to is None or to == name or to.endswith(f" {name}")  # a link to amusement parks may be called "park"
    own_one = name.split()[0] in NO_PARTS  # a home shed is no shed that a locomotive is always in
    # A hardiness zone is no place, and no line is in its depot.
    zoned = (" " in name and name.split()[-1] in ("zone", "section")) or subject.noun.split()[-1] in lists.ways
    enclosed = name.split()[-1] in sure.Sure.load().enclosing and not zoned and same and not own_one and name != subject.noun
    at = lists.containers.get(name) or ("in" if enclosed and " of " not in name else None)
    happening = subject.noun.split()[-1] in sure.Sure.load().held
    at = at or ("at" if happening and name in {*lists.places} - {*lists.areas, "place"} else None)
    if at and subject.noun.split()[-1] in {*sure.Sure.load().once} & _MOVING:
        return of_row(name).sure(None)  # a mountain that people went to
    if at and happening:
        where = f"at {VALUE}"
        do, held = _TAKES if subject.again else _TOOK
        took = f"the {name} where {ROW} {held} place"
        made = with_do(f"At which {name} {do} {ROW} take place?", f"take place {where}", f"{held} place {where}", took, do)
        return replace(made, claimed=to is not None).sure("name")  # whether "at Kursaal" or "at the Kursaal" no text says
    if at is None or (name == "river" and not subject.place):
        return None
    if name.split()[-1] in _HOLD_OBJECTS and subject.place and subject.noun.split()[-1] not in {*lists.rooms, *_ON_SHOW}:
        return of_row(name).sure(None)  # it cares for a volcano, and does not hold it
    if name == "observatory" and subject.noun.split()[-1] in _IN_THE_SKY:
        whole = f"the observatory where {ROW} was discovered"
        return with_be(f"At which observatory was {ROW} discovered?", f"discovered at {VALUE}", whole, "was").sure("name")
    if subject.noun.split()[-1] in _STAGED:
        if not {"premiere", "premiered"} & {*subject.done}:
            return of_row(name).sure(None)  # when it was there, nothing says
        what, asked = f"the {name} where {ROW} premiered", f"At which {name} did {ROW} premiere?"
        return with_do(asked, f"premiere at {VALUE}", f"premiered at {VALUE}", what, "did").sure("name")
    made = with_be(f"{at.capitalize()} which {name} is {ROW}?", f"{at} {VALUE}", f"the {name} of {ROW}")
    return made.sure("name" if name != "campus" else None, leads=name in ("building", "album"))


_MOVING = frozenset({"expedition", "voyage", "mission", "flight", "campaign"})
_HOLD_OBJECTS = frozenset({"observatory", "museum", "library", "archive", "gallery", "collection"})
_ON_SHOW = frozenset({"telescope", "statue", "fountain", "monument", "garden"})
"""Places that a house stands around which holds objects, and no others."""
_STAGED = frozenset(
    {"opera", "operetta", "play", "ballet", "musical", "symphony", "concerto", "oratorio", "tragedy", "comedy", "work"}
)
_IN_THE_SKY = frozenset({"asteroid", "comet", "planet", "moon", "star", "supernova", "galaxy", "nebula", "exoplanet", "pulsar"})


def born_or_died_at(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
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


def done_at(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Where something was done to a row, or the row did it: "Where was the ship X built?" of `build_place`."""
    told = re.fullmatch(r"(?:place|site|location) of (?P<of>.+)|(?P<first>.+?) (?P<where>\w+)", name)
    if told is None or kind != "text":
        return None
    act, where = told["of"] or told["first"], told["where"] or "place"
    area = where in WordLists.load().areas
    if not (area or where in ("place", "site", "location", "spot")) or (to and not area):
        return None
    verb = verb_of(act) or (inflections.past(act) if inflections.base(act) == act else None)
    own, plain = sure.Sure.load(), (verb or "").removeprefix("to ")
    if verb is None or not ({plain} & {*own.happened, *own.did} or plain in _OF_LIVES):
        return None
    known = sure.has_happened(verb, subject.noun, person=subject.person, place=subject.place)
    asked, what = (f"In which {where}", where) if area else ("Where", "place")
    if plain == verb:
        made = with_be(f"{asked} was {ROW} {verb}?", f"{verb} in {VALUE}", f"the {what} where {ROW} was {verb}", "was")
    else:
        did = past(plain)
        made = with_do(
            f"{asked} did {ROW} {plain}?", f"{plain} in {VALUE}", f"{did} in {VALUE}", f"the {what} where {ROW} {did}", "did"
        )
    return made.sure("place" if known else None)


_OF_LIVES = ("buried", "executed", "crowned", "ordained", "elected")


def premiered_at(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Where a work was first seen: "At which theatre did the opera X premiere?"."""
    first, *rest = name.split()
    lists = WordLists.load()
    if (
        first not in ("premiere", "premiered")
        or len(rest) != 1
        or kind != "text"
        or subject.noun.split()[-1] not in lists.works
    ):
        return None
    area = rest[0] in {*lists.areas, *lists.settlements}
    if not area and rest[0] not in lists.places:
        return None
    at = "in" if area else "at"
    what = f"the {rest[0]} {at} which {ROW} premiered"
    asked = f"{at.capitalize()} which {rest[0]} did {ROW} premiere?"
    return with_do(asked, f"premiere {at} {VALUE}", f"premiered {at} {VALUE}", what, "did").sure("name")


_TAKES, _TOOK = ("does", "takes"), ("did", "took")


def area_of(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """In which city, country or region a row is, or which one it is from."""
    *part, area = name.split()
    noun, own = subject.noun.split()[-1], sure.Sure.load()
    if area in ("location", "country") and not part and (said := _of_location(name, subject)) is not None:
        return said
    if (
        name == "capital city"
        or area not in WordLists.load().areas
        or kind != "text"
        or len(part) > 1
        or not all(map(is_part, part))
    ):
        return None
    if area == "region" and not part and noun in ("country", "nation", "state"):
        return of_row(name).sure(None)  # Morocco is in Africa, though a list may have it among the Arab States
    if area == "nation" and noun in {*own.held, *own.once}:
        return of_row(name).sure(None)  # whose it was, and not where
    of = f"the {part[0]} of {ROW}" if part else ROW
    area = "country" if area == "nation" else area  # nobody asks in which nation something is
    firms = {*own.based, *WordLists.load().companies}
    if part in (["seat"], ["headquarters"]) and not subject.place and noun in firms:
        part, of = [], ROW  # a firm is based where its seat is
    area = "town or city" if area == "city" and not to else area  # whatever a column says, not each is one
    if not part and noun in own.held:
        return _took_place(area, subject)
    if not part and noun in own.findable and not subject.place:
        return of_row(name).sure(None) if noun in _MADE_SOMEWHERE else _found(area)
    if not part and noun in own.seen and not subject.place:
        return of_row(name).sure(None)  # where a sculpture stands, or its sculptor was from, no "country" says
    if area in ORIGINS:
        firms -= {*own.origins}  # a party that is no more is from a country, and based nowhere
    if not part and not subject.place and noun in firms:
        what = f"the {area} where {ROW} is based"
        return with_be(f"In which {area} is {ROW} based?", f"based in {VALUE}", what).sure("name")
    agent = bool(part) and part[0] != "headquarters" and part[0].endswith(("er", "or", "ist"))
    if agent or (not part and not subject.place):
        return _from(area, of, subject, agent=agent, part=bool(part))
    within = "On" if area in _ON else "In"
    # "The town in which X is is not in France" would say "is" twice.
    what = f"the {area} where {of} lies" if subject.place and not part else f"the {area} of {of}"
    stands = "name" if not part or part[0] in own.standing else None
    at = "on" if area == "island" else "in"
    return with_be(f"{within} which {area} is {of}?", f"{at} {VALUE}", what, row=of).sure(stands)


def _of_location(name: str, subject: Subject) -> Form | None:
    """Say what a column that is called location, or country, tells of what happened, of languages, of what stands somewhere."""
    noun, own = subject.noun.split()[-1], sure.Sure.load()
    if name == "location" and noun in own.held:
        took = f"the place where {ROW} took place"
        made = with_do(f"Where did {ROW} take place?", f"take place in {VALUE}", f"took place in {VALUE}", took, "did")
        return replace(made, claimed=False).sure("name")
    if noun in {"language", "treaty", "war", "law"}:
        return of_row(name).sure(None)  # where a language is spoken, or a treaty was signed, no "location" says
    if name == "location" and not subject.person and noun not in own.based:
        return replace(with_be(f"Where is {ROW}?", f"in {VALUE}", f"the place of {ROW}"), claimed=False).sure("name")
    return None


def _took_place(area: str, subject: Subject) -> Form:
    """Say in which area something happened, or happens again and again."""
    within, (do, took) = "on" if area == "continent" else "in", _TAKES if subject.again else _TOOK
    held, what = f"{within} {VALUE}", f"the {area} in which {ROW} {took} place"
    asked = f"{within.capitalize()} which {area} {do} {ROW} take place?"
    return with_do(asked, f"take place {held}", f"{took} place {held}", what, do).sure("name")


def _found(area: str) -> Form:
    """Say in which area something was found: a meteorite is from no country."""
    found = with_be(f"In which {area} was {ROW} found?", f"found in {VALUE}", f"the {area} where {ROW} was found", "was")
    return found.sure("name")


def _from(area: str, of: str, subject: Subject, *, agent: bool, part: bool) -> Form | None:
    """Say which area somebody or something is from; `part` where that is somebody of the row (`agent`), or of it something."""
    if area not in ORIGINS or (subject.person and area == "state"):
        return None
    be = "was" if subject.past and not part else "is"
    made = with_be(f"Which {area} {be} {of} from?", f"from {VALUE}", f"the {area} that {of} {be} from", be, of)
    made = replace(made, former=subject.past and subject.person and not part)
    things = {*sure.Sure.load().origins, *WordLists.load().works}
    from_there = subject.person or agent or sure.is_animal(subject.noun) or subject.noun.split()[-1] in things
    return made.sure("name" if not part and from_there else None)


_MADE_SOMEWHERE = frozenset({"coin", "item", "object", "manuscript", "tablet", "artefact", "artifact", "inscription", "scroll"})
"""What was made in one country, and may be found in another."""
_ON = ("continent", "island")


def mouth(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """What a river flows into."""
    if name != "mouth" or kind != "text" or subject.noun.split()[-1] not in ("river", "stream", "tributary", "creek"):
        return None
    flows = f"flow into {VALUE}"
    return with_do(f"What does {ROW} flow into?", flows, f"flows into {VALUE}", f"what {ROW} flows into").sure("name")


def is_part(word: str) -> bool:
    """Tell whether a word before "city" or "country" is a part of the row that stands there: its mouth, its headquarters."""
    verb = word.endswith(("ing", "ed", "est"))
    return is_word(word) and not verb and word not in NO_PARTS and word not in WordLists.load().areas
