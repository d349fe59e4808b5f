"""What a row has, said with "of": the form of every column that has no verb of its own."""

from __future__ import annotations

from dataclasses import replace

from generators import inflections
from generators.column_names import WordLists, unit_of
from generators.erbench import sure
from generators.erbench.sentences import ROW, VALUE, Form, with_be
from generators.heads import tells_trade
from generators.nouns import is_plural


def is_over(role: str, row: str) -> bool:
    """Tell whether who is this of a row did it once: the chief designer of an aircraft, and not of a company."""
    lists, last, noun = WordLists.load(), role.split()[-1], row.split()[-1:]
    goes_on = {*lists.institutions, *lists.companies, *sure.Sure.load().based, *lists.groups}
    if role.split()[0] in ("first", "former", "original", "founding", "previous"):
        return True
    if {*noun} & {*lists.works} and not sure.is_role(role):
        return True  # the sitter of a portrait; but the narrator of a novel
    if last in ("teacher", "tutor", "mentor") or role == "doctoral advisor":
        return True
    if last in _OF_VOYAGES and {*noun} & _VOYAGING:
        return True
    return last in _MADE_IT and not {*noun} & goes_on


_MADE_IT = frozenset(
    {
        "restorer", "engraver", "printer", "carver", "translator", "designer", "engineer", "architect", "builder",
        "author", "composer", "inventor", "sculptor", "painter", "maker",
    }
)  # fmt: skip


_OF_VOYAGES = frozenset({"captain", "commander", "master", "pilot", "skipper"})
_VOYAGING = frozenset(
    {"ship", "vessel", "boat", "wreck", "shipwreck", "mission", "expedition", "voyage", "flight", "yacht", "submarine"}
)
"""Who led what is known for a voyage that is over."""


def of_row(
    name: str,
    kind: str = "text",
    *,
    person: bool = False,
    proper: bool = False,
    named: bool = False,
    row: str = "",
    past: bool = False,
) -> Form:
    """What is the name of the row: for all that has no verb of its own; `named`: its values are names.

    `past`: rows lived once, and what was theirs is said as it was.
    """
    what, unit = unit_of(name)
    if unit == "per cent" and not sure.is_measure(what, row):
        share = what if what.endswith(("percentage", "share", "rate")) else f"{what} percentage"
        return of_row(share, kind, row=row).sure("number" if inflections.is_common_noun(what.split()[-1]) else None)
    whole = f"the {what} of {ROW}"
    verb, question = "are" if is_plural(what.split()[-1]) else "is", "Who" if person else "What"
    # A date that says of nothing that it happened is no answer to "what".
    plain = not unit and kind not in ("number", "date", "month")
    look = _look(what, person=person, proper=proper, row=row, named=named) if plain else None
    former = what.split()[0] in ("former", "previous")
    roles = look in ("person", "persons")
    if verb == "is" and (former or past or (roles and is_over(what, row))):
        verb = "was"
    said = f"The {what} of {ROW} {verb} {VALUE}"
    if unit or kind == "number":
        # A number stands behind its measure: "Is the beam of X 32 metres?"
        value, measured = (f"{VALUE} {unit}", f"{whole} in {unit}") if unit else (VALUE, whole)
        asked = f"{whole}, in {unit}" if unit in sure.TIMES else measured  # of no cheese "in days"
        made = with_be(f"What {verb} {asked}?", value, measured, verb, row=whole)
        said_so = unit is not None or sure.is_unitless(what) or what.endswith("capacity")
        known = (sure.is_measure(what, row) and said_so) or (unit is not None and sure.is_measured(what, unit))
        known = known and (what != "temperature" or {*row.split()[-1:]} <= _WARM)
        return replace(made, say=f"{said} {unit}" if unit else said).sure("number" if known else None)
    named = person or proper or look in ("person", "persons") or is_proper(what) or (named and look is not None)
    if not named:
        plain_form = with_be(f"What {verb} {whole}?", VALUE, whole, verb, row=whole)
        return replace(plain_form, say=said, former=past).sure(look)
    claim, deny = f"{verb.capitalize()} {VALUE} {whole}?", f"{VALUE} {verb} not {whole}"
    look = None if person and look not in ("person", "persons") else "named" if look == "any" else look
    question = "Who" if look in ("person", "persons") else question
    told = what not in ("full name", "real name", "birth name")  # a false one is another's, as anybody hears
    made = Form(f"{question} {verb} {whole}?", claim, deny, said, whole)
    return replace(made, former=past, claimed=told).sure(look, leads=True)


_WARM = frozenset(
    {
        "star",
        "planet",
        "moon",
        "exoplanet",
        "lake",
        "sea",
        "ocean",
        "river",
        "spring",
        "geyser",
        "cave",
        "city",
        "town",
        "country",
    }
    | {"region", "desert", "island", "glacier", "lagoon", "bay", "well", "pool", "crater"}
)
"""What has a temperature of its own; in a house it is that of a day."""
_OF_TWO_SIDES = frozenset({"battle", "war", "siege", "match", "game", "duel", "derby", "campaign"})
"""What has a commander, a captain or a coach on each side."""


def _look(what: str, *, person: bool, proper: bool, row: str, named: bool = False) -> str | None:
    """Say what the values of a noun are to look like for the noun to be asked for; None where nobody is sure of the noun."""
    lists = WordLists.load()
    if what.split()[-1] in ("role", "occupation", "profession") and any(map(tells_trade, row.split()[-1:])):
        return None  # what a table's keeper sorts people by
    if what in ("predecessor", "successor") and row.split()[-1:] and row.split()[-1] in lists.persons:
        return "person"
    linked = person and proper
    if sure.is_role(what, linked=linked):
        return None if {*row.split()[-1:]} & _OF_TWO_SIDES else "person"
    if what.split()[-1] == "species" and row.split()[-1:] and row.split()[-1] in sure.Sure.load().taxa:
        return "name"  # "rex" alone is none
    if what.split()[-1] == "setting" and not {*row.split()[-1:]} & {*WordLists.load().works, *sure.Sure.load().spoken}:
        return None  # a novel has one, and no volcano
    if what.split()[-1] == "nickname" and {*row.split()[-1:]} & {"country", "nation"}:
        return None  # of its team
    if sure.is_feature(what):
        return "any"
    if what.split()[0] == "parent" and what.split()[-1] in sure.Sure.load().umbrellas and not sure.is_feature(what):
        return None  # of a moon, nobody calls its planet so
    if proper and not person and " " in what and sure.is_qualified(what):
        return "name"  # the target planet of a mission, a planet
    if named and " " in what and sure.is_qualified(what) and sure.is_thing(what):
        return "name"  # the parent peak of a mountain, the first album of a band
    # A foreign key that is called as its table is says only that there is one.
    if (
        what.split()[-1] in sure.Sure.load().performers
        and row.split()[-1:]
        and row.split()[-1] in ("role", "part", "character")
    ):
        return None  # whoever was cast: one of many
    if sure.is_agent_of(what, linked=linked) and (not proper or person):
        return "persons"
    return "common" if sure.is_described(what) and not proper and what.split()[-1] not in row.split()[-1:] else None


def is_other_title(name: str) -> bool:
    """Tell whether a column has another title of a work, and no job title.

    >>> is_other_title("original title"), is_other_title("job title"), is_other_title("title")
    (True, False, False)
    """
    *first, last = name.split()
    return last == "title" and bool(first) and all(map(inflections.is_common_adjective, first))


def is_proper(name: str) -> bool:
    """Tell whether what a column is called by is named, as a capital is, and no colour."""
    lists, last = WordLists.load(), name.split()[-1]
    named = last in (*lists.proper, *lists.areas, "subtitle", "nickname", "motto") and last != "nationality"
    named = named and name != "common name"
    return named or is_other_title(name)
