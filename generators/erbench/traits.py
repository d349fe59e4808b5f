"""Of which kind a row is: type, species, make, material, language, group; what somebody is by country and by work."""

from __future__ import annotations

from dataclasses import replace

from generators.column_names import WordLists
from generators.erbench import sure
from generators.erbench.plain import of_row
from generators.erbench.sentences import ROW, VALUE, Form, Subject, with_be, with_do

OCCUPATIONS = frozenset({"occupation", "profession", "position", "playing position", "job title", "job"})
"""What somebody is: "Is X a goalkeeper?"."""


def nationality(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """What somebody is by country: "Is X Polish?"."""
    if kind != "demonym":
        return None
    be = "was" if subject.past else "is"
    made = with_be(f"What {be} the {name} of {ROW}?", VALUE, f"the {name} of {ROW}", be)
    return replace(made, say=f"{ROW} {be} {VALUE}", former=subject.past).sure("demonym")


def material(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Of what a row is made: "What metal is X made of?"."""
    own = sure.Sure.load()
    if kind != "text" or name not in {*own.substances, *own.stuffs} or subject.person or name != (to or name):
        return None
    if subject.noun.split()[-1] in own.remains:
        return of_row(name).sure(None)  # a skull is no stuff
    if name in own.stuffs:
        # Values say of what kind it is: cow milk, rye flour.
        said = with_be(f"What {name} is {ROW} made of?", f"made of {VALUE} {name}", f"the {name} of {ROW}")
        return said.sure("any")
    # "What main material is X made of?" would ask of a kind of material.
    mainly, what = ("mainly ", "") if name.startswith(("main ", "primary ")) else ("", f" {name}")
    made = with_be(f"What{what} is {ROW} {mainly}made of?", f"{mainly}made of {VALUE}", f"the {name} of {ROW}")
    return made.sure("any")


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
    made = with_do(f"Which {name} does {ROW} play?", f"play the {VALUE}", f"plays the {VALUE}", f"the {name} that {ROW} plays")
    return made.sure("common")


def same_kind(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Of which species or breed a single animal or plant is: "Is the tree X a Coast Redwood?"."""
    # A genus is of no species: it has a type species.
    several = subject.noun.split()[-1] in {*WordLists.load().groups, *sure.Sure.load().taxa}
    typical = name.split()[0] == "type"  # a genus has a type species, and is of none
    if name.split()[-1] not in ("species", "breed", "cultivar") or typical or name != (to or name) or subject.person or several:
        return None
    belongs = f"to the {name} {VALUE}"
    made = with_do(f"What {name} is {ROW}?", f"belong {belongs}", f"belongs {belongs}", f"the {name} of {ROW}")
    return made.sure("any")


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
    if not first and subject.noun.split()[-1] in {*WordLists.load().works, *sure.Sure.load().spoken}:
        of = f"the language of {ROW}"
        return with_be(f"In which language is {ROW}?", f"in {VALUE}", of).sure("any")
    whole = f"the {name} of {ROW}"
    known = "named" if sure.is_feature(name) else None
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


def occupation(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """What somebody does or did: "Was X a banker?"."""
    if name not in OCCUPATIONS or kind != "text" or not subject.person or to:
        return None
    be, whole = "was" if subject.past else "is", f"the {name} of {ROW}"
    made = with_be(f"What {be} {whole}?", VALUE, whole, be)
    return replace(made, former=subject.past).sure("common" if name in ("occupation", "profession") else "any")


def type_of(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """What type of bridge it is, what type of engine it has."""
    *part, head = name.split()
    if head not in ("type", "kind", "category"):
        return None
    own, made = subject.noun.split()[-1], of_row(name)
    if not part or part == [own]:
        kind_word = "kind" if head == "category" else head
        asked = replace(made, ask=f"What {kind_word} of {own} is {ROW}?", claimed=False)
        return asked.sure("any" if not subject.person else None)
    if part[-1].endswith(("al", "ous", "ive")):  # an adjective: "the spectral type of the star"
        return made
    if len(part) == 1 and part[0] in sure.Sure.load().things:  # a find is some object itself
        return replace(made, ask=f"What {head} of {part[0]} is {ROW}?", claimed=False).sure("any")
    return replace(made, ask=f"What {head} of {' '.join(part)} does {ROW} have?")


def group(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """To what a row belongs."""
    if name.split()[-1] not in WordLists.load().groups or kind != "text":
        return None
    made = with_do(f"Which {name} does {ROW} belong to?", f"belong to {VALUE}", f"belongs to {VALUE}", f"the {name} of {ROW}")
    return made.sure("name" if name in sure.Sure.load().groups else None, leads=not subject.person)
