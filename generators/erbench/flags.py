"""Columns of yes and no as questions: "Is X discontinued?", "Does X have an engine?"."""

from __future__ import annotations

import re

from generators import inflections
from generators.articles import with_article
from generators.column_names import WordLists, ends_in_participle
from generators.erbench import sure
from generators.erbench.sentences import ROW
from generators.nouns import is_noun, is_plural

_MOSTLY = 0.3
"""A word whose plural is met in such a share of the cases is a noun rather than an adjective: "evergreen" is none."""

_MASS = 0.02
"""A noun whose plural is met in fewer cases is of what is not counted: electricity, parking."""


YES = ("1", "y", "yes", "t", "true")
"""How a column says yes, in small letters."""


def one_of(kind: str, *, past: bool = False) -> tuple[str, str]:
    """Say a column of yes and no that is called by a kind: "Is X a rodent?".

    >>> one_of("insect"), one_of("draw", past=True)
    (('Is ‹row› an insect?', '‹row› is not an insect'), ('Was ‹row› a draw?', '‹row› was not a draw'))
    """
    what, be = with_article(kind), "was" if past else "is"
    return f"{be.capitalize()} {ROW} {what}?", f"{ROW} {be} not {what}"


def flag(name: str, *, past: bool = False) -> tuple[str, str] | None:
    """Say a column of yes and no as a question and what denies it; None where its name is no statement.

    Of what is over (`past`) it is said as it was.

    >>> [said[0] for name in ("discontinued", "has engine", "in use", "step free", "is junction") if (said := flag(name))]
    ['Is ‹row› discontinued?', 'Does ‹row› have an engine?', 'Is ‹row› in use?', 'Is ‹row› step-free?', 'Is ‹row› a junction?']
    >>> flag("dates approximate") is None
    True
    >>> flag("crewed", past=True), flag("has crew", past=True)
    (('Was ‹row› crewed?', '‹row› was not crewed'), ('Did ‹row› have a crew?', '‹row› did not have a crew'))
    """
    said = _flag(name)
    if said is None or not past:
        return said
    ask, deny = said
    for now, then in (("Is ", "Was "), ("Does ", "Did "), ("Has ", "Had ")):
        ask = f"{then}{ask.removeprefix(now)}" if ask.startswith(now) else ask
    return ask, re.sub(r" (is|does|has) not ", lambda found: f" {_THEN[found[1]]} not ", deny, count=1)


_THEN = {"is": "was", "does": "did", "has": "had"}


def _flag(name: str) -> tuple[str, str] | None:
    """Say a column of yes and no as it is now."""
    first, *rest = name.split()
    if name.removeprefix("is ") in COLOURS:
        return None  # a blue cheese is not blue, and what is red all over no column says
    if name.removeprefix("is ") in ("tolled", "toll"):
        return f"Is there a toll on {ROW}?", f"there is no toll on {ROW}"
    if name.removeprefix("is ") in _WHERE:
        return None  # a battle is not front, nor a room rear
    if "still" in (first, *rest[:1]):
        return None  # of what is famous nobody asks whether it stands
    if first in ("is", "was") and rest:
        counted = (_is_counted(rest[-1]) or rest[-1] in DESIGNATIONS) and rest[0] not in WordLists.load().prepositions
        what = with_article(" ".join(rest)) if counted else _adjective(rest)
        return f"{first.capitalize()} {ROW} {what}?", f"{ROW} {first} not {what}"
    if first == "has" and rest:
        what = " ".join(rest)
        # There is a roof, but neither an electricity nor a breakfast.
        lists = WordLists.load()
        house = rest[-1] in {*lists.places, *lists.rooms, "cafeteria"}
        what = with_article(what) if house or (not is_plural(rest[-1]) and is_noun(rest[-1], _MASS)) else what
        return f"Does {ROW} have {what}?", f"{ROW} does not have {what}"
    if rest and rest[-1] in DESIGNATIONS and first not in ("sub", "in", "on"):
        what = with_article(name)
        return f"Is {ROW} {what}?", f"{ROW} is not {what}"  # a world heritage site
    if name in _OF_WHOM:
        return None
    if len(rest) > 1 and rest[0] in {*WordLists.load().prepositions} - {"of"} and is_adjective(first):
        name = name.replace(" to public", " to the public")
        return f"Is {ROW} {name}?", f"{ROW} is not {name}"  # open to visitors
    if name in sure.Sure.load().appeared:
        return f"Has {ROW} {name}?", f"{ROW} has not {name}"  # it did so itself: retired
    if len(rest) == 1 and rest[0] in ("required", "needed") and inflections.is_common_noun(first):
        what = with_article(first)
        return f"Is {what} {rest[0]} for {ROW}?", f"{what} is not {rest[0]} for {ROW}"
    if " " not in name and name in (*sure.Sure.load().happened, *_DONE):
        return f"Has {ROW} been {name}?", f"{ROW} has not been {name}"
    if rest[-1:] in (["required"], ["needed"]):
        return None  # no breed is "working trial required"
    if len(name.split()) == 2 and is_plural(first) and not is_adjective(first):
        return None  # nobody is "dates approximate"
    if len(rest) == 1 and rest[0] not in _JOINED and inflections.is_participle(rest[0]) and not first.endswith(("ly", "well")):
        return None  # "host won": who did what, and nothing that somebody is
    if ends_in_participle(name) or _STATE.fullmatch(name) or is_adjective(name.split()[-1]):
        what = _adjective(name.split())
        return f"Is {ROW} {what}?", f"{ROW} is not {what}"
    return None


COLOURS = frozenset({"red", "blue", "green", "white", "black", "yellow", "brown", "orange", "pink", "purple", "grey", "gray"})
DESIGNATIONS = frozenset(
    {"site", "landmark", "monument", "park", "reserve", "sanctuary", "port", "harbour", "capital", "city", "museum"}
    | {"prize", "champion", "winner"}
)
"""What a place, an award or somebody is declared to be: a world heritage site, a top prize."""
_DONE = ("salvaged", "stolen", "looted", "sold", "moved", "relocated", "replaced", "banned", "filmed", "adapted", "damaged")
"""What was done once, and is no state of a thing."""

_WHERE = frozenset(
    {"front", "rear", "back", "top", "bottom", "left", "right", "upper", "lower", "inner", "outer", "middle", "main", "deep"}
)
"""Where something lies, said before a noun alone."""

_OF_WHOM = frozenset(
    {"shared", "unknown", "known", "verified", "checked", "included", "selected", "given", "counted", "correct"}
)
"""What says nothing without another: with whom a prize is shared, to whom something is unknown."""

_JOINED = (
    *(
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
        "powered",
        "listed",
        "made",
        "built",
    ),
    *(
        "certified",
        "cooled",
        "driven",
        "operated",
        "grown",
        "bred",
        "propelled",
        "guided",
        "shaped",
        "fired",
        "lit",
        "sponsored",
    ),
)
"""What a noun is joined to: "family-owned", "steam-powered"."""
_STATE = re.compile("in (bloom|captivity|flower|orbit|print|production|ruins|service|use)|on (display|loan|sale|tour)")
"""States; other bare nouns say where a thing is kept: "in archive"."""


def _adjective(words: list[str]) -> str:
    """Join an adjective to what it is about: "step-free"."""
    joined = len(words) == 2 and words[1] in _JOINED
    return ("-" if joined else " ").join(words)


def is_adjective(word: str) -> bool:
    """Tell whether a word says how something is."""
    endings = ("able", "ible", "ous", "less", "ful", "free", "proof", "friendly")
    if word in WordLists.load().adjectives or (len(word) > 4 and word.endswith(endings)):
        return True
    return inflections.is_common_adjective(word) and not ends_in_participle(word) and not is_noun(word, _MOSTLY)


def applies(word: str, row: str) -> bool:
    """Tell whether an adjective may be said of rows of a kind: what lives is extinct, and no country.

    >>> applies("extinct", "volcano"), applies("extinct", "country"), applies("landlocked", "country"), applies("steep", "path")
    (True, False, True, True)
    """
    lists, own, last = WordLists.load(), sure.Sure.load(), row.split()[-1]
    kinds = {*lists.generic_kinds, *own.taxa, *own.animals, "breed", "cultivar", "variety"}
    if word in _OF_LIFE:
        return last in kinds or (word == "extinct" and last in ("volcano", "language", "dialect"))
    if word in _BEFORE_NOUNS:
        return False
    if word in _OF_GOODS:
        return last not in {*lists.places, *lists.institutions, *lists.companies, *own.based, *lists.areas}
    if not is_adjective(word):
        return True
    if last in {*lists.areas} - {"island"}:
        return word in _OF_LANDS
    return word in _OF_PEOPLE or not (last in lists.persons or inflections.is_agent(last))


_OF_LIFE = frozenset(
    {"extinct", "endangered", "venomous", "poisonous", "nocturnal", "migratory", "evergreen", "deciduous", "edible", "hardy"}
)
_BEFORE_NOUNS = frozenset(
    {"undersea", "former", "main", "major", "minor", "principal", "solar", "nuclear", "maritime", "overhead"}
)
"""Adjectives that stand before a noun alone: a tunnel is no "undersea"."""
_OF_GOODS = frozenset({"organic", "vegan", "vegetarian", "kosher", "halal", "alcoholic"})
_OF_LANDS = frozenset({"landlocked", "sovereign", "independent", "coastal", "neutral", "insular", "bilingual", "mountainous"})
_OF_PEOPLE = frozenset({"blind", "deaf", "dead", "alive", "left-handed", "professional", "royal", "illiterate", "famous"})
"""Adjectives that say something of what lives, of food, of countries, of people alone; of those no other is said for sure."""


def _is_counted(word: str) -> bool:
    """Tell whether a word is a noun of which there are several: "junction", and neither "active" nor "extinct"."""
    return not is_adjective(word) and not ends_in_participle(word) and is_noun(word)
