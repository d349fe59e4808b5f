"""Of which kind a row is: type, species, make, material, language, group; what somebody is by country and by work."""

from __future__ import annotations

from dataclasses import replace

from generators.column_names import WordLists
from generators.erbench import sure
from generators.erbench.plain import of_row
from generators.erbench.sentences import ROW, VALUE, Form, Subject, with_be, with_do
from generators.heads import tells_trade

OCCUPATIONS = frozenset({"occupation", "profession", "position", "playing position", "job title", "job"})
"""What somebody is: "Is X a goalkeeper?"."""


def nationality(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """What somebody is by country: "Is X Polish?"; of what else nobody asks it, nor where values are neither."""
    if name.split()[-1] not in ("nationality", "citizenship") or kind not in ("demonym", "text"):
        return None
    if kind != "demonym" or not subject.person:
        return of_row(name).sure(None)
    be = "was" if subject.past else "is"
    made = with_be(f"What {name.split()[-1]} {be} {ROW}?", VALUE, f"the {name} of {ROW}", be)
    return replace(made, say=f"{ROW} {be} {VALUE}", former=subject.past).sure("demonym")


def called_before(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """What a row was called before: "Was the Kino formerly called the Odeon?"."""
    when = {"former": "formerly", "previous": "formerly", "old": "formerly", "original": "originally"}.get(name.split()[0])
    if when is None or name.split()[1:] != ["name"] or kind != "text" or to:
        return None
    return with_be(f"What was {ROW} {when} called?", f"{when} called {VALUE}", f"the {name} of {ROW}", "was").sure("any")


def material(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Of what a row is made: "What metal is X made of?"."""
    own = sure.Sure.load()
    if kind != "text" or name not in {*own.substances, *own.stuffs} or subject.person or name != (to or name):
        return None
    if subject.noun.split()[-1] in own.remains:
        return of_row(name).sure(None)  # a skull is no stuff
    if name in own.stuffs:
        # Values say of what kind it is: cow milk, rye flour.
        said = with_be(f"What kind of {name} is {ROW} made from?", f"made from {VALUE} {name}", f"the {name} of {ROW}")
        return said.sure("any")
    # "What main material is X made of?" would ask of a kind of material.
    mainly, what = ("mainly ", "") if name.startswith(("main ", "primary ")) else ("", f" {name}")
    made = with_be(f"What{what} is {ROW} {mainly}made of?", f"{mainly}made of {VALUE}", f"the {name} of {ROW}")
    return made.sure("any")


def fuelled(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """What a machine runs on: "What fuel does the locomotive X use?"."""
    if name not in ("fuel", "propellant", "power source", "fuel type") or kind != "text" or subject.person:
        return None
    what = name.removesuffix(" type")
    made = with_do(
        f"What {what} does {ROW} use?", f"use {VALUE} as its {what}", f"uses {VALUE} as its {what}", f"the {what} of {ROW}"
    )
    return made.sure("any")


def colour(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Of which colour a row is: "What colour is the car X?"; whether it is red all over, no column says."""
    if name not in ("colour", "color") or kind != "text" or subject.person or to:
        return None
    be, whole = "was" if subject.past else "is", f"the {name} of {ROW}"
    made = with_be(f"What {name} {be} {ROW}?", VALUE, whole, be, row=whole)
    return replace(made, say=f"{ROW} {be} {VALUE}").sure("any")


def set_in(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Where a story takes place: "Where is the novel X set?"."""
    if (
        name not in ("setting", "narrative location")
        or kind != "text"
        or subject.noun.split()[-1] not in WordLists.load().works
    ):
        return None
    made = with_be(f"Where is {ROW} set?", f"set in {VALUE}", f"the setting of {ROW}")
    return replace(made, claimed=False).sure("place")


def war(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """In which war a battle took place."""
    own = sure.Sure.load()
    happened = subject.noun.split()[-1] in {*own.once, *own.held, *own.happenings} - {"war"}
    if name != "war" or kind != "text" or not happened:
        return None
    at = f"take place in {VALUE}"
    whole = f"the war in which {ROW} took place"
    return with_do(f"In which war did {ROW} take place?", at, f"took place in {VALUE}", whole, "did").sure("name")


def sex(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Of which sex somebody, or an animal, is: "Is X male?"."""
    if name not in ("sex", "gender") or kind != "text" or to:
        return None
    be = "was" if subject.past else "is"
    return with_be(f"What {be} the {name} of {ROW}?", VALUE, f"the {name} of {ROW}", be).sure("common")


def played(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """What somebody plays: "Which instrument does X play?"."""
    if name not in ("instrument", "main instrument", "musical instrument") or kind != "text" or not subject.person:
        return None
    mainly, what = ("mainly ", name.removeprefix("main ")) if name.startswith("main ") else ("", name)
    do, plays = ("did", "played") if subject.past else ("does", "plays")
    base, said = f"{mainly}play the {VALUE}", f"{mainly}{plays} the {VALUE}"
    made = with_do(f"Which {what} {do} {ROW} {mainly}play?", base, said, f"the {what} that {ROW} {mainly}{plays}", do)
    return replace(made, former=subject.past).sure("common")


def field_of(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """In which field somebody works or worked."""
    if name not in ("field", "discipline", "research area", "field of study", "speciality", "specialty") or not subject.person:
        return None
    do, worked = ("did", "worked") if subject.past else ("does", "works")
    at, whole = f"work in {VALUE}", f"the {name} of {ROW}"
    made = with_do(f"In which {name} {do} {ROW} work?", at, f"{worked} in {VALUE}", whole, do)
    return replace(made, former=subject.past).sure("any") if kind == "text" else None


def prize(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """What a work or somebody won: "Which literary prize did the novel X win?"."""
    own = subject.noun.split()[-1]
    won = subject.person or own in {*WordLists.load().works, *sure.Sure.load().seen}
    if name.split()[-1] not in ("prize", "award", "medal") or len(name.split()) > 2 or not won or kind != "text":
        return None
    whole = f"the {name} that {ROW} won"
    return with_do(f"Which {name} did {ROW} win?", f"win {VALUE}", f"won {VALUE}", whole, "did").sure("name" if to else None)


def degree(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Where somebody got a doctorate: "At which university did X earn a doctorate?"."""
    first, _, house = name.partition(" ")
    if first not in _DOCTORATES or house not in _HOUSES or not subject.person or kind != "text":
        return None
    at, said = f"earn a doctorate at {VALUE}", f"earned a doctorate at {VALUE}"
    whole = f"the {house} where {ROW} earned a doctorate"
    return with_do(f"At which {house} did {ROW} earn a doctorate?", at, said, whole, "did").sure("name", leads=True)


_DOCTORATES = ("doctorate", "doctoral", "phd")
_HOUSES = ("university", "school", "college", "institution")


def same_kind(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Of which species or breed a single animal or plant is: "Is the tree X a Coast Redwood?"."""
    # A genus is of no species: it has a type species.
    several = subject.noun.split()[-1] in {*WordLists.load().groups, *sure.Sure.load().taxa}
    typical = name.split()[0] == "type"  # a genus has a type species, and is of none
    if name.split()[-1] not in KINDS_SAID or typical or name != (to or name) or subject.person or several:
        return None
    if subject.one_of:
        return _one_of_kind(name, subject)
    belongs = f"to the {name} {VALUE}"
    made = with_do(f"What {name} is {ROW}?", f"belong {belongs}", f"belongs {belongs}", f"the {name} of {ROW}")
    return made.sure("any")


KINDS_SAID = ("species", "breed", "cultivar", "variety")
"""Of which a single animal or plant is one."""


def _one_of_kind(name: str, subject: Subject) -> Form:
    """Say of a single animal or plant that it is one of its kind: "Was the dog Rin Tin Tin a German Shepherd Dog?"."""
    be = "was" if subject.past else "is"
    made = with_be(f"What {name} {be} {ROW}?", VALUE, f"the {name} of {ROW}", be)
    return replace(made, former=subject.past).sure("any")


def make(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Of which make a thing is: "What make is bike 12?"."""
    if name not in ("make", "brand", "model") or name == subject.noun.split()[-1] or kind != "text" or subject.person:
        return None
    made = with_be(f"What {name} is {ROW}?", f"of the {name} {VALUE}", f"the {name} of {ROW}")
    return replace(made, say=f"The {name} of {ROW} is {VALUE}", claimed=False).sure("name")


def language(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """In which language a work is: "In which language is the opera X?"; of what else the language is called by its name."""
    *first, last = name.split()
    if last != "language" or kind != "text" or subject.noun.split()[-1] == "language":
        return None
    if first == ["writing"] and subject.person:
        do, wrote = ("did", "wrote") if subject.past else ("does", "writes")
        whole = f"the language in which {ROW} {wrote}"
        made = with_do(f"In which language {do} {ROW} write?", f"write in {VALUE}", f"{wrote} in {VALUE}", whole, do)
        return replace(made, former=subject.past).sure("any")
    if not first and subject.noun.split()[-1] in {*WordLists.load().works, *sure.Sure.load().spoken}:
        of = f"the language of {ROW}"
        return with_be(f"In which language is {ROW}?", f"in {VALUE}", of).sure("any")
    whole = f"the {name} of {ROW}"
    several = subject.noun.split()[-1] in WordLists.load().areas  # a country may have more than one
    known = "named" if sure.is_feature(name) and not several else None
    return Form(
        f"What is {whole}?", f"Is {VALUE} {whole}?", f"{VALUE} is not {whole}", f"The {name} of {ROW} is {VALUE}", whole
    ).sure(known)


def currency(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """What is paid with: "Is the yen the currency of Japan?"."""
    if name.split()[-1] != "currency" or kind != "text":
        return None
    whole = f"the {name} of {ROW}"
    asked, said = f"What is {whole}?", f"The {name} of {ROW} is {VALUE}"
    return Form(asked, f"Is {VALUE} {whole}?", f"{VALUE} is not {whole}", said, whole).sure("any")


_PLAYING = frozenset({"player", "footballer", "cricketer", "athlete", "goalkeeper", "quarterback"})


def sport(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """In which sport somebody competes or competed."""
    if name not in ("sport", "discipline", "main sport") or kind != "text" or not subject.person or name != (to or name):
        return None
    do, said = ("did", "competed") if subject.past else ("does", "competes")
    made = with_do(
        f"In which {name} {do} {ROW} compete?", f"compete in {VALUE}", f"{said} in {VALUE}", f"the {name} of {ROW}", do
    )
    return replace(made, former=subject.past).sure("any")


def occupation(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """What somebody does or did: "Was X a banker?"."""
    if name not in OCCUPATIONS or kind != "text" or not subject.person or to:
        return None
    own, last = sure.Sure.load(), subject.noun.split()[-1]
    told = {*own.of_something, *own.producing, "person", "man", "woman", "member", "employee", "worker"}
    if name in ("occupation", "profession", "job") and tells_trade(last) and last not in {*told, *own.anybody}:
        return of_row(name).sure(None)  # a climber climbs, whatever else he did
    be, whole = "was" if subject.past else "is", f"the {name} of {ROW}"
    made = with_be(f"What {be} {ROW}’s {name}?", VALUE, whole, be)
    if name in ("position", "playing position") and subject.noun.split()[-1] in _PLAYING:
        made = replace(made, ask=f"What position {'did' if subject.past else 'does'} {ROW} play?")
    return replace(made, former=subject.past).sure("common" if name in ("occupation", "profession") else "any")


def type_of(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """What type of bridge it is, what type of engine it has."""
    *part, head = name.split()
    if head not in ("type", "kind", "category"):
        return None
    own, made = subject.noun.split()[-1], of_row(name)
    if head == "category" and not subject.person and own in sure.Sure.load().stocked:
        made = with_be(f"Which {name} is {ROW} in?", f"in the {VALUE} {name}", f"the {name} of {ROW}")
        return made.sure("any")
    if not part or part == [own]:
        kind_word = "kind" if head == "category" else head
        asked = replace(made, ask=f"What {kind_word} of {own} is {ROW}?", claimed=False)
        return asked.sure("any" if not subject.person else None)
    if part[-1].endswith(("al", "ous", "ive")):  # an adjective: "the spectral type of the star"
        return made
    if len(part) == 1 and part[0] in sure.Sure.load().things:  # a find is some object itself
        return replace(made, ask=f"What {head} of {part[0]} is {ROW}?", claimed=False).sure("any")
    return replace(made, ask=f"What {head} of {' '.join(part)} does {ROW} have?")


def represented(name: str, subject: Subject) -> Form:
    """For which country somebody competes: a federation that is called by its country."""
    if not subject.person:
        return of_row(name).sure(None)  # a tournament belongs to none, and a club plays for its town
    do, said = ("did", "represented") if subject.past else ("does", "represents")
    whole = f"the country that {ROW} {said}"
    made = with_do(f"Which country {do} {ROW} represent?", f"represent {VALUE}", f"{said} {VALUE}", whole, do)
    return replace(made, former=subject.past and subject.person).sure("name")


def group(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """To what a row belongs."""
    royal = subject.person and name in ("house", "royal house")
    if (name.split()[-1] not in WordLists.load().groups and not royal) or kind != "text":
        return None
    do, said = ("did", f"belonged to {VALUE}") if subject.past else ("does", f"belongs to {VALUE}")
    made = with_do(f"Which {name} {do} {ROW} belong to?", f"belong to {VALUE}", said, f"the {name} of {ROW}", do)
    known = royal or name in sure.Sure.load().groups
    return replace(made, former=subject.past and subject.person).sure("name" if known else None, leads=not subject.person)
