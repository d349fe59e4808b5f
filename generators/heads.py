"""Names that say themselves what bears them, and stand in a question without a noun: "the Royal Albert Bridge".

What says it is a head: the last word in English and German, the first in Romance names. The lists are `heads.toml`.

```
>>> said_alone("Forth Bridge", "viaduct"), said_alone("Lima Locomotive Works", "builder")
('the Forth Bridge', 'the Lima Locomotive Works')
>>> said_alone("Refuge du Lac Blanc", "hut"), said_alone("Berliner Hütte", "hut"), said_alone("Kehlsteinhaus", "hut")
('the Refuge du Lac Blanc', 'the Berliner Hütte', 'the Kehlsteinhaus')
>>> said_alone("Windsor Castle", "museum"), said_alone("Waterloo", "station")
('Windsor Castle', None)
>>> said_alone("Charles River", "waterway"), said_alone("Canal du Midi", "waterway"), said_alone("Lot", "waterway")
('the Charles River', 'the Canal du Midi', None)
>>> said_alone("Denali", "mountain"), said_alone("Weißhorn", "mountain"), said_alone("Bergen", "city")
('Denali', 'the Weißhorn', 'Bergen')

```
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from generators.articles import with_the
from generators.column_names import WordLists
from generators.inflections import is_agent, is_common_noun
from generators.nouns import plural, singular
from kg.formats import shipped_toml


@dataclass(frozen=True)
class Heads:
    """The lists of `heads.toml`."""

    articled: frozenset[str]
    long: frozenset[str]
    plain: frozenset[str]
    firms: frozenset[str]
    abroad: frozenset[str]
    firms_abroad: frozenset[str]
    plain_abroad: frozenset[str]
    joined: frozenset[str]
    joined_plain: frozenset[str]
    tops: frozenset[str]
    tops_joined: frozenset[str]
    tops_last: frozenset[str]
    named_bare: frozenset[str]
    bearers: frozenset[str]
    not_given: frozenset[str]

    @staticmethod
    @cache
    def load() -> Heads:
        """Read the lists once."""
        return Heads(**{key: frozenset(words) for key, words in shipped_toml("generators", "heads.toml").items()})


def said_alone(name: str, kind: str) -> str | None:
    """Say a name that needs no noun beside it, with its article; None where it needs one, or where another rule knows.

    >>> [said_alone(name, "builder") for name in ("Ruston & Hornsby", "Vulcan Iron Works", "Swindon Works", "Alstom")]
    ['Ruston & Hornsby', 'the Vulcan Iron Works', 'Swindon Works', None]
    >>> said_alone("Jan van Eyck", "engraver"), said_alone("Rembrandt", "engraver"), said_alone("Tower Bridge", "novel")
    ('Jan van Eyck', None, None)
    """
    noun = kind.split()[-1]
    if names_people(noun):
        return name if is_full_name(name) else None
    if noun in Heads.load().named_bare:
        return _bare_kind(name, noun)
    if noun == "station":
        return _station(name)
    if noun in WATERS:
        return _water(name)
    if noun in CONTESTS and re.match(r"(?:1[89]|20)\d\d ", name):
        return f"the {name}"  # the 2009 Australian Grand Prix
    if noun in _NAMED_FOR_PLACES:
        return _of_place(name, noun)
    if " " in kind and " " in name and name.split()[-1].lower() == plural(kind.split()[0]):
        return name  # Austin Organs, an organ builder
    return _by_head(name, noun) if _bears_heads(noun) else None


CONTESTS = frozenset({"race", "tournament", "championship", "contest", "regatta", "marathon", "rally", "prix", "cup", "final"})
"""What is held again under its name, one year after another, for somebody to win."""
_NAMED_FOR_PLACES = frozenset({"battle", "siege", "treaty"})


def _of_place(name: str, noun: str) -> str | None:
    """Say what is called by where it was: the Battle of Leipzig; None where a name says more than a place.

    >>> [_of_place(name, "battle") for name in ("Leipzig", "The Raab", "Fair Oaks", "Battle of Laon", "Operation Torch", "DMZ")]
    ['the Battle of Leipzig', 'the Battle of the Raab', 'the Battle of Fair Oaks', None, None, None]
    """
    place = re.sub(r"^The ", "the ", name)
    words = re.findall(r"[^\W\d_]+", place)
    told = {*words} & {"of", "at", "and"} or {word.lower() for word in words} & {noun, *_SAYS_WHAT}
    if told or not words or any(word.isupper() and len(word) > 1 for word in words):
        return None
    return f"the {noun.capitalize()} of {place}"


_SAYS_WHAT = frozenset(
    {"war", "wars", "battle", "siege", "treaty", "operation", "campaign", "offensive", "raid", "landing", "landings", "revolt"}
    | {"uprising", "rising", "rebellion", "revolution", "massacre", "pact", "agreement", "accord", "accords", "convention"}
    | {"peace", "act", "charter", "truce", "armistice", "alliance", "blitz", "armada", "ambush", "fight", "affair", "mutiny"}
    | {"capture", "fall", "sack", "action", "skirmish", "engagement", "crossing", "charge", "stand", "crusade", "expedition"}
    | {"protocol", "blockade"}
)
"""What names of events say besides where they were."""


def has_needless_noun(text: str) -> bool:
    """Tell whether a text says of a house or a way what it is, before a name that says so itself.

    >>> has_needless_noun("How long is the viaduct Old Weir Bridge?"), has_needless_noun("Where is the hut Refuge du Lac?")
    (True, True)
    >>> has_needless_noun("How long is the Old Weir Bridge?"), has_needless_noun("Where is the ship Tower Bridge?")
    (False, False)
    """
    lists = WordLists.load()
    built = {*lists.places, *lists.buildings, "viaduct", "aqueduct", "hut", "mint"} - {*lists.areas, "site", "place"}
    found = _NOUN_AND_NAME.findall(text)
    return any(noun in built and said_alone(name.rstrip(".'’-"), noun) is not None for noun, name in found)


_NAME = r"[^\W\d_a-z][\w’'.-]*"
_NOUN_AND_NAME = re.compile(rf"\bthe (?:[a-z]+ )?([a-z]+) ({_NAME}(?: (?:(?:d[eiu]s?|della?|of|the) )?{_NAME})*)")


def goes_bare(noun: str) -> bool:
    """Tell whether things of a kind go by their names alone: mountains, towns, islands."""
    return noun in Heads.load().named_bare


def names_people(noun: str) -> bool:
    """Tell whether a noun is one of people alone: a builder may be a firm.

    >>> [noun for noun in ("climber", "geologist", "painter", "builder", "museum") if names_people(noun)]
    ['climber', 'geologist', 'painter']
    """
    return noun in WordLists.load().persons or bool(
        re.search(r"(?:ographer|ologist|onaut|[a-z]{3}ist|climber|alpinist|mountaineer|engraver|driver|surveyor)$", noun)
    )


def tells_trade(noun: str) -> bool:
    """Tell whether a noun says what somebody does, or that it is of people: of a climber nobody asks the occupation.

    >>> tells_trade("climber"), tells_trade("builder"), tells_trade("museum")
    (True, True, False)
    """
    return is_agent(noun) or names_people(noun)


def is_of_several(name: str, noun: str) -> bool:
    """Tell whether a name is of several of what a row is one of: a verb would speak of them as of one.

    >>> [is_of_several(*both) for both in (("Spiral Tunnels", "tunnel"), ("Derby Works", "works"), ("Ott Tunnel", "tunnel"))]
    [True, False, False]
    """
    last, more = name.split()[-1].lower() if name.split() else "", plural(noun)
    return more != noun and last == more and noun not in WordLists.load().bare


def is_full_name(name: str) -> bool:
    """Tell whether a name of a person has a given name and another; a number is none.

    >>> [name for name in ("Ada Berg", "Jan van Eyck", "Kimon", "Ulrik II") if is_full_name(name)]
    ['Ada Berg', 'Jan van Eyck']
    """
    words = [word for word in name.split() if not re.fullmatch(r"[IVX]+\.?", word)]  # Ulrik II
    return len(words) > 1 and all(word[0].isupper() for word in (words[0], words[-1]))


def _bare_kind(name: str, noun: str) -> str | None:
    """Say a mountain or a town, which go by their names alone; some Alpine and Romance ones have an article."""
    heads, words = Heads.load(), name.split()
    if words[0] == "The":
        return f"the {name[4:]}"
    first = re.split(r"['’]", words[0].lower())[0]
    if noun in _HIGH and (
        first in heads.tops or _is_joined(words[-1], heads.tops_joined) or words[-1].lower() in heads.tops_last
    ):
        return f"the {name}"
    if noun == "island" and (words[0] == "Isle" or name.endswith(("Islands", "Isles", "Skerries"))):
        return f"the {name}"
    plain = all(is_common_noun(singular(word.lower())) for word in words)
    return None if plain and words[-1].lower() not in {*_HIGH, "hill", noun} else name  # the mountain Needle, Broad Peak


def _station(name: str) -> str | None:
    """Say a station that is called so in whatever language: the Gare de Lyon, Leipzig Hauptbahnhof."""
    if _STATIONS.search(name):
        return name
    return f"the {name}" if re.match(r"(?:Gare|Estaci[óo]n|Estação|Stazione) ", name) else None


_STATIONS = re.compile(r"(?i)(?:hauptbahnhof|\bhbf|bahnhof|centraal|stasjon|station|terminus)$")


_HIGH = frozenset({"mountain", "peak", "summit", "eight-thousander", "fourteener", "munro"})


def _is_joined(word: str, ends: frozenset[str]) -> bool:
    """Whether a word ends in one of some nouns, behind another: Hörnlihütte."""
    small = word.lower()
    return any(small.endswith(end) and len(small) > len(end) + 1 for end in ends)


def _bears_heads(noun: str) -> bool:
    """Whether things of a kind are named by such heads: houses, ways, firms; a ship or a rose may be called anything."""
    lists, own = WordLists.load(), Heads.load()
    known = {*lists.places, *lists.buildings, *lists.articled, *lists.institutions, *lists.companies, *lists.organisations}
    apart = {*lists.areas, *lists.settlements, "wreck", "shipwreck", "site", "place", "formation"}
    return noun in own.bearers or noun in known - apart


def _by_head(name: str, noun: str) -> str | None:
    """Say a name by its head, where it is another word than the noun: what ends in the noun itself, others know to say."""
    heads, words = Heads.load(), name.split()
    if len(words) == 1:
        return f"the {name}" if _is_joined(name, heads.joined) else name if _is_joined(name, frozenset({noun})) else None
    if not name[0].isupper() or words[0] in ("The", "One"):
        return None
    first, last = re.split(r"['’]", words[0].lower())[0], words[-1].lower().strip(".,)")
    if words[0] in _ROYAL and last == noun and len(words) > 2:
        return f"the {name}"  # the Royal Botanic Garden
    if singular(last) == noun or last == noun or words[-2:] == ["Opera", "House"] or re.match(r"\S+(?:['’]s|s['’]) ", name):
        return None
    if _is_joined(words[0], heads.joined):
        return f"the {name}"  # the Alpengarten auf der Platte
    if {first, *re.findall(r"\w+", name.lower())[:3]} & heads.abroad or _HEADED.match(name):
        return f"the {name}"  # the Real Casa de la Moneda, the Tower of Hercules
    if first in heads.firms_abroad:
        return f"the {name}" if re.match(r"\S+ (?:d[eiou]s?|della?|van|von|der) ", name, re.IGNORECASE) else name
    if first in heads.plain_abroad:
        return name
    if not words[-1][0].isupper() and not _is_joined(words[-1], heads.joined):
        return None
    return _by_last(name, words, last)


def _by_last(name: str, words: list[str], last: str) -> str | None:
    """Say a name by its last word."""
    heads = Heads.load()
    joined = words[-2] in ("&", "and")
    if last in heads.firms or words[-1] in _MARKS or (joined and last == "company") or ("&" in words and "of" not in words):
        common = not joined and last == "co" and is_common_noun(singular(words[-2].lower()))
        return f"the {name}" if common else name  # the Cornish Cheese Co.
    if last in heads.articled or (last in heads.long and len(words) > 2) or _is_joined(words[-1], heads.joined):
        return f"the {name}"
    if last in heads.joined:
        return f"the {name}"  # the Berliner Hütte
    if last not in {*heads.plain, *heads.long} and not _is_joined(words[-1], heads.joined_plain):
        return None
    return f"the {name}" if words[0] in _ROYAL and len(words) > 2 else name  # the Royal Albert Hall


def _water(name: str) -> str | None:
    """Say a river, a strait or a bay by its name: the River Tees, the Rhine, Tampa Bay.

    >>> [_water(name) for name in ("River Tees", "Gulf of Corinth", "Lake Como", "Tampa Bay", "Menai Strait", "Truyère")]
    ['the River Tees', 'the Gulf of Corinth', 'Lake Como', 'Tampa Bay', 'the Menai Strait', None]
    """
    if _STILL_WATERS.search(name):
        return name
    named = with_the(name)
    return named if named != name else f"the {name}" if _RIVERS.search(name) else None


def stands_still(name: str) -> bool:
    """Tell whether a name is one of waters that do not flow: a bay, a strait, a gulf.

    >>> [name for name in ("Tampa Bay", "Menai Strait", "Gulf of Riga", "River Dee", "Rhine") if stands_still(name)]
    ['Tampa Bay', 'Menai Strait', 'Gulf of Riga']
    """
    return bool(
        _STILL_WATERS.search(name) or re.search(r"^(?:Gulf|Firth|Straits?|Bay|Sea) |\b(?:Straits?|Sea|Channel|Inlet)$", name)
    )


WATERS = frozenset({"waterway", "watercourse", "stream"})
_RIVERS = re.compile(
    r"(?i)\S (?:river|canal|creek|brook|burn|bayou|kanal|canale|inlet|estuary)$|^(?:river|r[ií]o|canal|rivière|gulf|firth) \S"
)
_STILL_WATERS = re.compile(r"^(?:Lake|Loch|Lough|Lago|Lac) \S|\S (?:Bay|Lake|Harbou?r|Sound|Fjord)$")
_ROYAL = frozenset({"Royal", "Imperial", "National", "Metropolitan"})
_HEADED = re.compile(
    r"(?:Tower|Bridge|Museum|Company|Corporation|Society|Institute|Church|Bank|Library|Port|Abbey|Theatre) (?:of|for) "
)
_MARKS = frozenset(
    {"AG", "SA", "S.A.", "AB", "BV", "B.V.", "NV", "Oy", "KG", "GmbH", "SpA", "S.p.A.", "PLC", "LLC", "A/S", "AS", "SE"}
)
