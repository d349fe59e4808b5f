"""Names with what they are of, where they do not say that themselves: "the river Lena", but "the Humber Bridge".

```
>>> [with_kind(name, "bridge") for name in ("Rialto", "Humber Bridge")], with_kind("Biology", "department")
(['the bridge Rialto', 'the Humber Bridge'], 'the Biology department')
>>> [with_kind(name, "island") for name in ("Gotland", "South Island", "Faroe Islands")]
['Gotland', 'South Island', 'the Faroe Islands']

```
"""

from __future__ import annotations

import re

from generators.articles import is_several, stands_bare, with_the
from generators.column_names import WordLists
from generators.heads import Heads, said_alone
from generators.inflections import is_agent, is_common_adjective, is_common_noun, is_known
from generators.nouns import singular

SMALL_WORDS = re.compile(
    "a|an|and|at|al|bin|by|da|de|del|den|der|des|di|do|dos|du|e|el|en|et|for|ibn|in|la|las|le|les|los|of|on|or|sur|the|to|und|upon|van|"
    "von|y|zu"
)
"""What stays in small letters within a name."""
_HEAVENLY = frozenset({"Moon", "Sun", "Space Shuttle"})
_MACHINES = frozenset({"System", "Telescope", "Orbiter", "Observatory"})
"""What ends the names of machines that are called by what they are."""


def named(name: str) -> str:
    """Put "the" before a name that needs it, by more than its last word.

    >>> named("Instituto Geológico del Sur"), named("Museu Arle")
    ('the Instituto Geológico del Sur', 'the Museu Arle')
    >>> [named(name) for name in ("Moon", "Mars", "Estate of Jim Henson", "Saxo Bank", "World Bank", "Bank of England")]
    ['the Moon', 'Mars', 'the Estate of Jim Henson', 'Saxo Bank', 'the World Bank', 'the Bank of England']
    """
    first, *rest = name.split() or [""]
    if rest and _BODY_ABROAD.match(first):
        return f"the {name}"
    if name in _HEAVENLY or (len(rest) > 1 and rest[-1] in _MACHINES) or (rest[:1] == ["of"] and first in _HELD_BY):
        return f"the {name}"
    if rest and rest[-1] == "Bank" and not any(is_known(word) for word in [first, *rest[:-1]]):
        return name  # a bank by its founder's name is called as a person is
    return with_the(name)


_BODY_ABROAD = re.compile(
    r"(?:[IÍ]n?stitut[oe]?|(?:Obs|Oss)ervato(?:ire|rio)|Museo|Museu|Musée|Centro|Centre|Servicio|Servizio|Comisi[oó]n|Direcci[oó]n|Direção|Direction|Agencia|Agence|Agenzia|Univ[eé]rsi[td](?:ad|ade|é|à))$"
)
"""How institutions are called in other languages: an institute, an observatory, a museum, a university."""
_HELD_BY = frozenset({"Estate", "Collection", "Workshop", "Studio", "Heirs", "Family"})
"""What is somebody's, and stands before their name."""


def with_kind(name: str, kind: str) -> str:
    """Say a name with what it is of, unless it says that itself: "the river Lena", "the Humber Bridge"."""
    noun = kind.split()[-1]
    if not name.strip():
        return name
    if noun == "currency":
        return f"the {re.sub('^[Tt]he ', '', name) if ' ' in name else name.lower()}"  # the euro, the Swiss franc
    for rule in (_as_it_is, _alone, _saying_its_kind, _another_house, _made_of_words, _house_in_words, _house_by_name):
        if (said := rule(name, kind, noun)) is not None:
            return said
    return _beside_kind(name, kind, noun)


def _alone(name: str, kind: str, noun: str) -> str | None:
    """Say a name that tells by its head what bears it, or a kind that goes by its names alone.

    >>> with_kind("Karakoram", "mountain range"), with_kind("King's Cross", "station")
    ('the Karakoram', "King's Cross station")
    """
    if kind == "body":
        return said_alone(name, kind) or named(name)
    if kind in ("range", "mountain range"):
        return with_the(name, ["range"])
    if noun in WordLists.load().persons and re.fullmatch(r"\w+ [IVX]+\.?", name):
        return f"the {kind} {name}"  # of kings called Ulrik II there are several
    said = said_alone(name, kind)
    return with_the(said) if said == name and noun in WordLists.load().persons else said


def _as_it_is(name: str, kind: str, noun: str) -> str | None:
    """Say a name that takes no kind: somebody's, one that ends in a common noun, a species by its Latin name.

    >>> with_kind("Amundsen's South Pole Expedition", "expedition"), with_kind("Italia flight", "expedition")
    ("Amundsen's South Pole Expedition", 'the Italia flight')
    >>> [with_kind(name, "species") for name in ("Amanita muscaria", "Canis lupus", "Komodo dragon", "Mute swan")]
    ['Amanita muscaria', 'Canis lupus', 'the Komodo dragon', 'the mute swan']
    >>> [with_kind(name, "lake") for name in ("Vättern", "Lake Como", "Lago Argentino")], with_kind("Lake Kariba", "reservoir")
    (['Lake Vättern', 'Lake Como', 'Lago Argentino'], 'Lake Kariba')
    >>> with_kind("Stockholm Marathon", "race"), with_kind("Tour de Suisse", "race")
    ('the Stockholm Marathon', 'the race Tour de Suisse')
    >>> with_kind("People's Assembly", "parliament"), with_kind("Women's World Cup", "tournament")
    ("the parliament People's Assembly", "the Women's World Cup")
    """
    if re.match(r"(?:His|Her|Our|My) \w", name):
        return name  # His Majesty's Theatre
    if (owner := _SOMEBODYS.match(name)) and not is_common_noun(singular(owner[1].lower())):
        return name
    *before, last = name.split()
    if noun in WordLists.load().generic_kinds:
        latin = len(before) == 1 and last.islower() and name[0].isupper() and before[0].isalpha()
        latin = latin and not _OF_A_LAND.search(before[0])  # Himalayan tahr
        odd = latin and (not is_known(last) or not is_known(before[0].lower())) and not _is_english(before[0], last)
        return name if odd else None
    if noun in _PEAKS and before and before[0] in _MOUNTS:
        return name
    if kind == "lake" and _small_the(name) == name:
        return with_the(name) if _LAKE.search(name) else f"Lake {name}"
    if noun == "reservoir" and re.search(r"\bLake\b", name):
        return with_the(name)
    if noun in DEEDS and _DEED.search(name) and _small_the(name) == name:
        return f"the {name}"  # the Treaty of Rome, the Outer Space Treaty
    if noun in _CONTESTS and before and last[0].isupper() and is_common_noun(last.lower()) and _small_the(name) == name:
        alone = owner is not None and singular(owner[1].lower()) == owner[1].lower()  # Grandma's Marathon, which is hers
        return name if alone else f"the {name}"
    common = bool(before) and last.islower() and is_common_noun(last) and before[-1][:1].isupper()
    common = common and not is_common_adjective(last)  # the Early modern period
    return f"the {name}" if common and _small_the(name) == name else None


_CONTESTS = frozenset(
    {"race", "regatta", "tournament", "festival", "competition", "contest", "championship", "event", "system", "network"}
)
"""What is called by what it is, if not by this very word: the Stockholm Marathon, the Kentucky Derby, the Prague Metro."""
_LAKE = re.compile(
    r"\b(?:Lakes?|Lago|Laguna|Lagoon|Loch|Lough|Lac|Llyn|Tarn|Laco|Jezero|Danau|Reservoir|Water|Sea|Pond|Mere)\b|(?:see|sjön|järvi|vatn)$"
)
DEEDS = frozenset({"treaty", "law", "act", "agreement", "convention"})
"""What is signed, and called by a name that may be its title."""
_DEED = re.compile(
    r"\b(?:Treaty|Convention|Protocol|Pact|Agreement|Accords?|Statute|Charter|Act|Covenant|Declaration|Law|Code)\b"
)
_SOMEBODYS = re.compile(r"(?:[^\W\d_]\S* )*?([^\W\d_]\S*?)(?:['’]s|(?<=s)['’]) ")
_PEAKS = frozenset({"mountain", "peak", "volcano", "summit", "hill", "eight-thousander"})
_MOUNTS = frozenset(
    {"Mount", "Mt", "Mt.", "Mont", "Monte", "Cerro", "Pico", "Piz", "Pik", "Nevado", "Volcán", "Mauna", "Gunung", "Jebel"}
)
"""What mountains begin with that are called so in whatever language."""


def _is_english(first: str, last: str) -> bool:
    """Tell whether two words of a species are English: of an alpine snowbell the first, of a Komodo dragon the last."""
    return not _LATIN.search(last) and (is_known(first.lower()) or is_known(last))


_OF_A_LAND = re.compile(r"(?:ian|ean|yan|can|ese|ish)$")
_LATIN = re.compile(r"(?:us|a|um|is|ii|ae|ensis|oides|ens|ans)$")


def _saying_its_kind(name: str, kind: str, noun: str) -> str | None:
    """Say a name that holds what it is of: "the Humber Bridge", "Angel Falls", "Hyde Park"."""
    own, said = _small_the(name), re.findall(r"\w+", name.lower())
    if len(said) > 1 and said[-1] != noun and own == name:
        last = singular(said[-1])
        if last == noun and with_the(name, [kind]) == name:
            # Thomas Cook Airlines, but the cave Waitomo Caves, which is one.
            return name if noun in WordLists.load().bare else f"the {kind} {name}"
        if last != noun and len(last) > 3 and noun.endswith(last):
            return with_the(name)  # Angel Falls, a waterfall
    if own == name and re.search(r"^(?!.*['’]).* (?:Opera House|State Opera)$", name):
        return f"the {name}"  # the Royal Opera House
    if kind == "opera house" and re.search(r" (?:Theat(?:re|er)|Opera)$", name):
        return own if own != name or re.search("['’]s? ", name) else f"the {name}"  # the Bolshoi Theatre
    if noun not in {singular(word) for word in said}:
        return None
    if noun == "class" and own == name and re.search(r"\bClass\b", name):
        return f"the {name}"  # the BR Class 43
    if own == name and _ends_in_common(name, noun) and not re.match(r"\S+(?:['’]s|s['’]) ", name):
        return f"the {name}"  # the Royal Mint, the English Opening; but Hyde Park, Bird's Opening
    if own == name and noun in WordLists.load().articled and is_common_adjective(name.split()[0].lower()):
        return f"the {name}"  # the National Theatre Munich
    return own if own != name else with_the(name, [kind])


def _another_house(name: str, kind: str, noun: str) -> str | None:
    """Say a name that ends in another word for a house, or in what a body is: it needs no second noun.

    >>> [with_kind(name, "branch") for name in ("Main Library", "Park Street")], with_kind("ABCD", "institute")
    (['the Main Library', 'the Park Street branch'], 'ABCD')
    """
    lists, own, words = WordLists.load(), _small_the(name), name.split()
    housed = {*lists.places, *lists.institutions, *lists.buildings, *lists.self_named} - {*lists.persons, "station"}
    if noun not in housed - {*lists.areas} or own != name or _has_foreign_head(name):
        return None
    if noun in {*lists.institutions, *lists.organisations} and len(name) > 3 and name.isalpha() and name.isupper():
        return name  # letters that stand for what it is
    last = words[-1].lower()
    if len(words) < 2 or last == noun or not words[-1][0].isupper():
        return None
    if last in {*lists.institutions, *lists.buildings, *_HOUSES}:
        return with_kind(name, last)
    before = words[-2].lower()
    described = len(words) > 2 and (is_common_adjective(before) or (last != "field" and is_common_noun(before)))
    return f"the {name}" if described and last in _BODIES else None


_HOUSES = frozenset({"dairy", "creamery", "bakery", "mill", "theatre", "theater", "cinema", "caldera"})
_BODIES = frozenset(
    {"centre", "center", "team", "service", "survey", "office", "bureau", "board", "commission", "network", "unit", "field"}
)
_BRIDGES = frozenset({"causeway", "crossing", "viaduct", "aqueduct", "skyway", "footbridge", "overpass", "drawbridge"})
_VEHICLES = frozenset({"vehicle", "launcher", "rocket", "spacecraft", "telescope", "instrument"})


def _made_of_words(name: str, kind: str, noun: str) -> str | None:
    """Say a machine that is called by what it is: the Space Shuttle, but the launch vehicle Atlas V.

    >>> with_kind("Space Shuttle", "launch vehicle"), with_kind("Hubble Space Telescope", "spacecraft")
    ('the Space Shuttle', 'the Hubble Space Telescope')
    >>> with_kind("Ariane 5", "launch vehicle"), with_kind("Proton", "launch vehicle")
    ('the launch vehicle Ariane 5', 'the launch vehicle Proton')
    """
    *before, last = name.split()
    plain = bool(before) and name[0].isupper() and is_common_noun(last.lower()) and is_common_noun(before[-1].lower())
    plain = plain or (bool(before) and name[0].isupper() and is_common_noun(last))  # the Voskhod rocket
    return f"the {name}" if noun in _VEHICLES and plain and _small_the(name) == name else None


def _house_in_words(name: str, kind: str, noun: str) -> str | None:
    """Say a name that tells by its words, in whatever language, what it is of: "the Royal Opera House", "the Burgtheater"."""
    lists, own = WordLists.load(), _small_the(name)
    if is_several(name) and with_the(name) != name:
        return f"{with_the(name)} {kind}"  # the Graian Alps mountain range, which is one
    if noun == "bridge" and own == name and name.split()[-1].lower() in _BRIDGES:
        return f"the {name}"  # the Lake Pontchartrain Causeway
    if noun in lists.rooms and own == name and _ends_in_common(name, noun):
        return f"the {name}"  # the Blue Cabinet, a room
    if (foreign := _FOREIGN.get(noun)) and foreign.search(name):
        return own if own != name else f"the {name}"  # the Reichsbrücke, the Rio Grande
    apart = {*lists.persons, *lists.bare, "site", "landmark", "park", "formation"}
    if own == name and noun in {*lists.buildings, *lists.self_named, *lists.institutions} - apart and _describes(name):
        return f"the {name}"  # the Royal Opera House, the Blue Note
    if noun in lists.self_named and _has_foreign_head(name) and " " in name:
        return f"the {name}"  # the Salle Pleyel
    return None


def _house_by_name(name: str, kind: str, noun: str) -> str | None:
    """Say the name of a house, firm or institution: "Wigmore Hall", "Mayfair Games", "the Prado museum".

    >>> with_kind("Wood Buffalo", "park"), with_kind("Kruger", "national park"), with_kind("Kennywood Gardens", "fun park")
    ('Wood Buffalo Park', 'Kruger National Park', 'Kennywood Gardens')
    """
    if kind in ("park", "national park", "state park", "nature reserve"):
        return f"{name} {kind.title()}"  # one of nature is called by where it lies, or what lives there
    lists, own, said = WordLists.load(), _small_the(name), {*re.findall(r"\w+", name.lower())}
    if noun in lists.organisations and own == name and _is_in_words(name):
        return f"the {name}"
    instituted = is_agent(noun) and bool(said & {*lists.organisations, *lists.institutions})
    if noun in lists.buildings and own == name and "for" in name.split()[1:] and not _has_foreign_head(name):
        return f"the {name}"  # the State Collection for Zoology
    if noun == "airport" and not said & _AIRFIELDS:
        return None  # Dallas/Fort Worth is first of all a place
    if (noun in lists.self_named or instituted) and (noun == "ground" or _says_itself(name, noun)):
        called = is_agent(noun) and not {*name.lower().split()} & {
            *lists.organisations,
            *lists.institutions,
            "department",
            "station",
        }
        by_name = own != name or called or noun in lists.persons or _is_called(name, noun)
        named = own if by_name else with_the(name, [kind])
        head = _has_foreign_head(name)
        if noun in lists.buildings and named != name == own == with_the(name) and not (head or _OF.search(name)):
            return f"the {name} {kind}"  # the Yasnaya Polyana museum
        return f"the {named}" if named == name and (head or name.endswith((" Stadium", " Arena"))) else named
    if noun == "lighthouse" and re.match(r"(?:L[aeo]s?|El|Los|Il|Die|Der|Das|De|Het) ", name):
        return f"{name} {kind}"  # La Jument lighthouse
    if noun in lists.buildings and re.match(r"(?:L[aeo]s?|El|Los|Il|Het) [A-Z]\S* \S", name):
        return name  # Le Grand Rex, a cinema
    if noun in lists.buildings and own != name:
        return f"{own} {kind}"  # the Needles lighthouse
    if noun in lists.buildings and own == name and not _has_foreign_head(name):
        return f"the {name} {kind}"  # the Prado museum
    if noun in lists.organisations and len(name.split()) > 2 and with_the(name, [kind]) != name:
        return with_the(name, [kind])  # an Indian Space Research Organisation says itself what it is
    return None


def _beside_kind(name: str, kind: str, noun: str) -> str:
    """Say a name beside what it is of: "the river Lena", "the Biology department", "the port of Kiel"."""
    lists = WordLists.load()
    if noun in lists.generic_kinds:  # one stands for all: the Mute Swan, the mute swan
        first, *rest = name.split()
        small = (
            first.istitle()
            and all(map(str.islower, rest))
            and is_known(first.lower())
            and (rest or is_common_noun(first.lower()))
        )
        name = f"{name[0].lower()}{name[1:]}" if small else name
        return name if name.lower().startswith("the ") else f"the {name}"
    if noun in lists.after_name:
        kind = noun if noun == "family" else kind  # of birds, which are spoken of
        if noun in ("period", "era", "epoch") and re.search(r"(?i)\b(?:age|period|era|epoch|century)$", name):
            return f"the {name}"  # the Iron Age
        if noun in ("award", "prize", "medal") and re.search(
            r"\b(?:Award|Prize|Medal|Cup|Trophy|Prix|Preis|Premio|Prijs)\b", name
        ):
            return f"the {re.sub('^[Tt]he ', '', name)}"  # the Nobel Peace Prize
        return f"the {re.sub('^[Tt]he ', '', name)} {kind}"
    if noun in ("port", "harbour", "harbor"):
        return f"the {kind} of {name}"
    if noun == "expedition":
        return f"{_small_the(name) if name.startswith('The ') else f'the {name}'} {kind}"  # the Terra Nova expedition
    if kind in ("station", "railway station", "metro station"):
        return f"{name} {kind}"
    if noun in lists.areas:
        return f"the {kind} of {name if noun in lists.settlements else with_the(name)}"
    return f"the {kind} {name}"


def _small_the(name: str) -> str:
    """Write the article that a name begins with in small letters."""
    return re.sub("^The ", "the ", name)


def _has_foreign_head(name: str) -> bool:
    """Tell whether a name begins with what it is of, in another language: "Stade de France", "INGV Osservatorio Etneo"."""
    first, *rest = name.lower().split()
    heads = Heads.load().abroad
    return first in heads or (name.split()[0].isupper() and rest[:1] != [] and rest[0] in heads)


def _is_in_words(name: str) -> bool:
    """Tell whether a name is made of common words, and no saying: the Southern Common Market.

    >>> [_is_in_words(name) for name in ("Southern Common Market", "Doctors Without Borders", "Market Hall")]
    [True, False, False]
    """
    words = name.split()
    plain = len(words) > 2 and words[0][0].isupper() and words[-1][0].isupper() and is_common_noun(words[-1].lower())
    return plain and all(is_known(word.lower()) for word in words) and _SAYING.isdisjoint(name.lower().split())


_SAYING = frozenset({"the", "for", "with", "without", "against", "and", "to"})
"""Words of names that are whole sayings: Save the Children, Doctors Without Borders."""
_AIRFIELDS = frozenset(
    {"airport", "airfield", "airpark", "aerodrome", "airstrip", "field", "base", "heliport", "international"}
)
_OF = re.compile(r"\b(?:de|di|do|da|du|des|del|della|der|van|of)\b")
_HOUSE = re.compile(
    r"(?i)\w(?:theater|haus|halle|oper|philharmonie|museum|museet|palast|bühne|schauspiel)\b|^(?:theater|oper|haus|neues?|altes?|deutsches?)\b"
)
"""How houses for many are called in German: the Burgtheater, the Gewandhaus, the Theater an der Wien."""
_FOREIGN = {
    **dict.fromkeys(
        ("theatre", "theater", "venue", "museum", "gallery", "hall", "opera house", "house", "building", "stadium"), _HOUSE
    ),
    "bridge": re.compile(r"(?i)brücke\b|\bpont[ei]?\b|\bpuente\b|\bmost\b|\bhíd\b|brug\b|\bsteg\b|\bviaduc"),
    "river": re.compile(r"\bR[ií]o\b|\bRivière\b|\bFluss\b|\bWadi\b"),
}
"""What a name says of itself in another language."""


def _is_called(name: str, noun: str) -> bool:
    """Tell whether a club or company is called by a name that is no description: Mayfair Games, but the Ford Motor Company."""
    lists, last = WordLists.load(), name.split()[-1].lower()
    return noun in lists.bare and last not in {*lists.organisations, "group", "corporation", "bank"}


_COMPASS = ("north", "south", "east", "west")


def _describes(name: str) -> bool:
    """Tell whether a name says by an adjective which one of some kind it is: "Royal Opera House", but not "Central Park".

    >>> [name for name in ("Royal Opera House", "White House", "Central Park", "Wigmore Hall") if _describes(name)]
    ['Royal Opera House', 'White House']
    """
    first, *_, last = [*name.split(), ""] if " " not in name else name.split()
    common = is_common_noun(last.lower()) and is_common_adjective(first.lower()) and first[:1].isupper()
    common = common and last.lower() not in _COMPASS  # Fair Isle South
    return bool(last) and common and last not in stands_bare() - {"House", "Hall"}


def _ends_in_common(name: str, noun: str) -> bool:
    """Tell whether a name of several words ends in what it is, and that is no place: those stand alone, as "Hyde Park" does."""
    lists, words = WordLists.load(), name.split()
    bare = {*lists.places, *lists.institutions, *lists.areas, *lists.settlements, *lists.persons} - {*lists.articled}
    common = words[-1].lower() == noun or (noun in lists.rooms and _is_common(words[-1].lower()))
    return len(words) > 1 and common and noun not in bare and words[0][0].isupper()


def _is_common(word: str) -> bool:
    return word in WordLists.load().rooms or is_common_noun(word)


def _says_itself(name: str, noun: str) -> bool:
    """Tell whether a name stands without what it is of: people's of several words, and those that tell what bears them.

    Nobody knows of "North American" alone that it made aircraft; "Sud Aviation" says so.

    >>> _says_itself("Werner Stengel", "engineer"), _says_itself("North American", "manufacturer")
    (True, False)
    >>> _says_itself("Sud Aviation", "manufacturer"), _says_itself("Alton Towers", "park"), _says_itself("Porto", "club")
    (True, True, False)
    """
    words = [word for word in name.split() if not SMALL_WORDS.fullmatch(word)]
    apart = len(words) > 1 and all(word[0].isupper() or not word[0].isalpha() for word in words)
    return apart and (noun in WordLists.load().persons or (is_agent(noun) and noun not in _MAKERS) or any(map(_tells, words)))


_MAKERS = frozenset({"manufacturer", "maker", "publisher", "developer", "supplier", "operator", "retailer", "distributor"})


def _tells(word: str) -> bool:
    """Tell whether a word of a name is one of what the bearer is or has: "Aviation", "Towers", "Ltd"."""
    small = singular(re.sub(r"\W", "", word).lower())
    noun = (
        len(small) > 3 and small not in _COMPASS and is_common_noun(small) and not re.search("(?:[cis]an|ean|ese|ish)$", small)
    )
    return noun or small in WordLists.load().institutions or word in _FIRMS


_FIRMS = frozenset({"&", "Co", "Co.", "Bros", "Bros.", "Sons", "FC", "F.C.", "SC", "AC", "AG", "SA", "S.A.", "AB", "BV"})
