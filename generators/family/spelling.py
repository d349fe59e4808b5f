"""Values as a question says them: "Carlsen, Magnus" as Magnus Carlsen, "peter tosh" as Peter Tosh, "2001-01-05" in words.

A family asks for it (`slots: {player: {said: name}}`); the value as the data spell it stays among the accepted answers.

```
>>> [as_said(text, "name") for text in ("Carlsen, Magnus", "louis xiv", "stratford-upon-avon", "van gogh, vincent")]
['Magnus Carlsen', 'Louis XIV', 'Stratford-upon-Avon', 'Vincent van Gogh']
>>> as_said("washington, d.c.", "capitals"), as_said("BANK OF THE UK & SONS", "capitals")
('Washington, D.C.', 'Bank of the UK & Sons')
>>> [as_said(text, "date") for text in ("2001-01-05", "January, 2001", "1969-07", "2009-01-01 00:00:00", "about 1900")]
['5 January 2001', 'January 2001', 'July 1969', '1 January 2009', 'about 1900']
>>> as_said("Sky Blue & White", "small"), as_said("HDPE", "small"), as_said("SUEZ CANAL", "capitals")
('sky blue & white', 'HDPE', 'Suez Canal')
>>> [as_said(text, "date") for text in ("Mar 5, 1936", "5th March 1936", "5-Mar-1936")]
['5 March 1936', '5 March 1936', '5 March 1936']
>>> as_said("01/23/1923", "date, month first"), as_said("23.1.1923", "date, day first")
('23 January 1923', '23 January 1923')
>>> [as_said(text, "year") for text in ("1991-06-15", "1991", "about 1900")]
['1991', '1991', 'about 1900']
>>> [as_said(text, "number") for text in ("3978000.0", "2.50", "1999")]
['3,978,000', '2.50', '1999']
>>> [with_kind(name, "bridge") for name in ("Rialto", "Humber Bridge")], with_kind("Biology", "department")
(['the bridge Rialto', 'the Humber Bridge'], 'the Biology department')
>>> [with_kind(name, "island") for name in ("Gotland", "South Island", "Faroe Islands")]
['Gotland', 'South Island', 'the Faroe Islands']

```
"""

from __future__ import annotations

import calendar
import re
from functools import cache, lru_cache

import polars as pl

from generators.articles import is_several, stands_bare, with_article, with_common_article, with_the
from generators.column_names import WordLists
from generators.heads import Heads, said_alone
from generators.inflections import is_agent, is_common_adjective, is_common_noun, is_known
from generators.nouns import is_word, singular
from kg.formats import shipped_toml

_INVERTED = re.compile(r"([^,;()\d]+), ([^,;()\d]+)")
_DAY = re.compile(r"(\d{4})-(\d\d)(?:-(\d\d))?(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?")
_MONTH = re.compile(r"([A-Z][a-z]+), (\d{4})")
_YEAR = re.compile(r"\d{4}(?!\d)")
WRITTEN_DATE = re.compile(
    r"(\d{1,2})(?:st|nd|rd|th)?[ -]([A-Z][a-z]{2,8})\.?,?[ -](\d{4})|([A-Z][a-z]{2,8})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})"
)
"""A date in words, whose day or month stands first: "5 March 1936", "Mar 5, 1936"."""
_LONG = re.compile(r"-?\d{5,}")
_WHOLE = re.compile(r"(?<=\d)\.0+\Z")
_ROMAN = re.compile(r"(?=[ivx]{2})x{0,3}(?:ix|iv|v?i{0,3})")
_LETTERS = re.compile(r"(?:[a-z]\.)+")
_SYLLABLES = re.compile(
    r"(?=.{3})(?:[^aeiouy]{0,2}[aeiouy]{1,2})+(?:[^aeiouy]|ss|ll|ff|tt|ck|n[dtkgs]|s[thk]|[tc]h|r[tdknms]|l[tdkf]|mp|ft|wn|ts)?"
)
"""Three letters or more that can be pronounced: "KIEL" and "FOSS" are words in capitals, "BMW" is none."""
_SHORTENED = frozenset(
    {"co", "bros", "ltd", "inc", "st", "mt", "dr", "mr", "mrs", "jr", "sr", "capt", "sgt", "prof", "rev", "hon"}
)
"""What is cut short, and no letters said one by one: "& Co"."""
_SMALL = re.compile(
    "a|an|and|at|al|bin|by|da|de|del|den|der|des|di|do|dos|du|e|el|en|et|for|ibn|in|la|las|le|les|los|of|on|or|sur|the|to|und|upon|van|"
    "von|y|zu"
)
"""What stays in small letters within a name."""


def said_column(values: pl.Series, how: str) -> pl.Series:
    """Say every value of a column; each distinct one is worked out once."""
    distinct = values.drop_nulls().unique()
    said = pl.Series([as_said(text, how) for text in distinct], dtype=pl.String)
    return values.replace_strict(distinct, said, default=None, return_dtype=pl.String) if distinct.len() else values


def as_said(text: str, how: str) -> str:
    """Say a value as a name turned upright or with capitals, a date, its year or a number; in another form it stays."""
    if how.startswith("date"):
        return _date_in_figures(text, how) or _date(text)
    if how == "year":
        return text[:4] if _YEAR.match(text) else text
    if how == "number":
        whole = _WHOLE.sub("", text)
        return f"{int(whole):,}" if _LONG.fullmatch(whole) else whole
    if how == "small":
        return _small(text)
    if how == "surname first":
        return _given_first(text)
    if how == "adjective":
        return country_adjectives().get(text.lower(), text)
    if how == "article last":
        return _article_first(text)
    return _capitals(_upright(text) if how == "name" else text)


@cache
def country_adjectives() -> dict[str, str]:
    """Return what is said of what comes from a country, by the country's name in small letters.

    >>> country_adjectives()["denmark"], country_adjectives()["united states"]
    ('Danish', 'American')
    """
    said = shipped_toml("generators.autodebug", "passages.toml")["demonyms"]
    return {name.lower(): adjective for adjective, names in said.items() for name in names}


def in_place(values: pl.Series, article: str) -> pl.Series:
    """Say values as a placeholder asks for them: `{slot:a}`, `{slot:the}`, `{slot:the river}`.

    `{slot:words}` writes a small number in words, `{slot:one}` puts "a" before the name of a kind as well.

    >>> in_place(pl.Series(["opera", None]), "a").to_list(), in_place(pl.Series(["Rhine"]), "the").to_list()
    (['an opera', None], ['the Rhine'])
    >>> in_place(pl.Series(["2", "40"]), "words").to_list()
    ['two', '40']
    >>> in_place(pl.Series(["Border Collie", "Affenpinscher"]), "one").to_list()
    ['a Border Collie', 'an Affenpinscher']
    """
    said = [None if value is None else _in_place(value, article) for value in values.to_list()]
    return pl.Series(values.name, said, dtype=pl.String)


@lru_cache(maxsize=65536)
def _in_place(value: str, article: str) -> str:
    if article == "words":
        return in_words(value)
    if article == "one":
        return with_article(value)  # a Border Collie
    _, _, kind = article.partition(" ")
    value = _OF_YEAR.sub(r" of \1", value) if article.startswith("the") else value
    if kind:
        return with_kind(value, kind)
    return _the(value) if article == "the" else with_common_article(value)


_OF_YEAR = re.compile(r" \(([12]\d{3})\)$")
"""What tells two of one name apart: the Tay Bridge of 1887."""
_HEAVENLY = frozenset({"Moon", "Sun", "Space Shuttle"})
_MACHINES = frozenset({"System", "Telescope", "Orbiter", "Observatory"})
"""What ends the names of machines that are called by what they are."""


def _the(name: str) -> str:
    """Put "the" before a name that needs it, by more than its last word.

    >>> _the("Instituto Geológico del Sur"), _the("Museu Arle")
    ('the Instituto Geológico del Sur', 'the Museu Arle')
    >>> [_the(name) for name in ("Moon", "Mars", "Estate of Jim Henson", "Saxo Bank", "World Bank", "Bank of England")]
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


_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def in_words(number: str) -> str:
    """Write a small whole number in words, as a count of things is written: "three acts", but "128 pages".

    >>> in_words("3"), in_words("12.0"), in_words("128"), in_words("0")
    ('three', 'twelve', '128', '0')
    """
    whole = _WHOLE.sub("", number)
    return _NUMBERS[int(whole) - 1] if whole.isdecimal() and 1 <= int(whole) <= len(_NUMBERS) else number


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
        return said_alone(name, kind) or _the(name)
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
    words = [word for word in name.split() if not _SMALL.fullmatch(word)]
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


_CAPITALS = r"[^\W\d_a-zß-öø-ÿ]"
_SURNAME_FIRST = re.compile(
    rf"({_CAPITALS}(?:{_CAPITALS}|['’-])+(?: {_CAPITALS}(?:{_CAPITALS}|['’-])+)*) ({_CAPITALS}[^\W\d_A-ZÀ-Þ].*)"
)
"""A surname in capitals before a given name: "VAN DER BERG Johan"."""


def is_inverted(text: str) -> bool:
    """Tell whether a name has its last part first: "Carlsen, Magnus"."""
    return _INVERTED.fullmatch(text) is not None


def is_surname_first(text: str) -> bool:
    """Tell whether a name may have the surname first, in capitals: "MARTÍN Antonio", but also "FC Porto"."""
    return _SURNAME_FIRST.fullmatch(text) is not None


def _upright(text: str) -> str:
    inverted = _INVERTED.fullmatch(text)
    if inverted is None:
        return text
    loud = len(inverted[1]) > 2 and inverted[1].isupper() and not inverted[2].isupper()  # "ATTLEE, Clement"
    return f"{inverted[2]} {_capitals(inverted[1].lower()) if loud else inverted[1]}"


def is_article_last(text: str) -> bool:
    """Tell whether a title has its article last, as catalogues file it: "Hobbit, The"."""
    return _ARTICLE_LAST.fullmatch(text) is not None


_ARTICLE_LAST = re.compile(r"(.*\S), (The|An?)((?: \([^()]*\))?)")


def _article_first(text: str) -> str:
    """Turn a title whose article stands last.

    >>> _article_first("Hobbit, The"), _article_first("Kid, The (1921)"), _article_first("Vitamin A")
    ('The Hobbit', 'The Kid (1921)', 'Vitamin A')
    """
    found = _ARTICLE_LAST.fullmatch(text)
    return f"{found[2]} {found[1]}{found[3]}" if found else text


def _given_first(text: str) -> str:
    """Turn a name whose surname stands first, in capitals.

    >>> [_given_first(name) for name in ("VAN DER BERG Johan", "O'GRADY Stuart", "SAN MARTÍN Ana Eva", "Magnus Carlsen")]
    ['Johan van der Berg', "Stuart O'Grady", 'Ana Eva San Martín', 'Magnus Carlsen']
    """
    found = _SURNAME_FIRST.fullmatch(text)
    if found is None:
        return text
    *first, last = _capitals(found[1]).split(" ")
    return f"{found[2]} {' '.join([*(_particle_of_name(word) for word in first), last])}"


def _particle_of_name(word: str) -> str:
    """Write what stands before a surname in small letters behind a given name: Johan van der Berg."""
    return word.lower() if _SMALL.fullmatch(word.lower()) else word


def _capitals(text: str) -> str:
    """Write a name that is all in small letters, or all in capitals, with capitals where they belong."""
    if text == text.upper() and text != text.lower():
        text = "".join(part if _is_short(part) else part.lower() for part in re.split(r"([\s\-/]+)", text))
    elif text != text.lower() or text == text.upper():
        return text
    words = re.split(r"([\s\-/]+)", text)
    last = len(words) - 1
    return "".join(_capital(word, inner=0 < i < last) for i, word in enumerate(words))


def _small(text: str) -> str:
    """Write common words in small letters: a "Sky Blue" is no name; of what a name begins, that stays.

    >>> [_small(text) for text in ("Sky Blue", "White-tailed deer", "Siberian tiger", "Humboldt penguin", "IRON ORE")]
    ['sky blue', 'white-tailed deer', 'Siberian tiger', 'Humboldt penguin', 'iron ore']
    """
    if not all(is_word(word) for word in re.findall(r"[^\W\d_]+", text)):
        return text
    begin, joined, _ = text.split(" ")[0].partition("-")
    if joined and not is_common_noun(begin.lower()) and not is_common_adjective(begin.lower()):
        return text  # Yorkshire-fog
    first, *rest = text.split(" ") if text != text.upper() else [text.lower()]
    made_of = begin.lower().endswith("ic") and is_common_noun(begin.lower()[:-2])  # Basaltic andesite
    proper = bool(rest) and not made_of and (not is_known(begin) or re.search("(?:ian|ean|ese)$", first) is not None)
    return " ".join([first if proper else first.lower(), *rest]) if all(word == word.lower() for word in rest) else text.lower()


def _is_short(word: str) -> bool:
    """Tell letters said one by one from a word in capitals: "NASA", "II", "D.C."; "AND" and "LINE" are words."""
    small = word.lower()
    if small.strip(".") in _SHORTENED:
        return False
    if small in WordLists.load().acronyms or _ROMAN.fullmatch(small) or not any(map(str.isalpha, word)):
        return True
    return len(word) < 5 and not is_word(word) and not _SMALL.fullmatch(small) and not _SYLLABLES.fullmatch(small)


def _capital(word: str, *, inner: bool) -> str:
    if word != word.lower():
        return word
    if inner and _SMALL.fullmatch(word):
        return word
    if inner and re.match("[dl]['’]\\w", word):
        return f"{word[:2]}{word[2:].capitalize()}"  # "Chantiers de l'Atlantique"
    if _ROMAN.fullmatch(word) or _LETTERS.fullmatch(word) or word in WordLists.load().acronyms:
        return word.upper()
    word = re.sub(r"^(o|d|l|mc)(['’]?)(\w{3,})", _particle, word)
    at = next((i for i, letter in enumerate(word) if letter.isalnum()), 0)
    first = word[at : at + 1]
    # A letter whose capital is another's as well, as "ı" has that of "i", stays as it is.
    return f"{word[:at]}{first.upper() if first.upper().lower() == first else first}{word[at + 1 :]}"


def _particle(found: re.Match[str]) -> str:
    """Write what follows "O'" or "Mc" with a capital."""
    first, sign, rest = found.groups()
    return f"{first}{sign}{rest.capitalize()}" if sign or first == "mc" else found[0]


FIGURES = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?: 0?0:00(?::00)?)?")
"""A date in figures whose year comes last: whether day or month is first, the other dates of its column tell."""


def order_of(dates: pl.Series) -> str | None:
    """Tell whether the dates of a column begin with the month or the day; None where nobody can tell.

    >>> order_of(pl.Series(["01/23/1923", "02/03/1930"])), order_of(pl.Series(["3.2.1930"])), order_of(pl.Series(["3/2/1930"]))
    ('date, month first', 'date, day first', None)
    """
    found = [figures for text in dates.drop_nulls() if (figures := FIGURES.fullmatch(text))]
    if any("." in figures[0] for figures in found) or any(int(figures[1]) > 12 for figures in found):
        return None if any(int(figures[2]) > 12 for figures in found) else "date, day first"
    return "date, month first" if any(int(figures[2]) > 12 for figures in found) else None


def _date_in_figures(text: str, how: str) -> str | None:
    figures = FIGURES.fullmatch(text)
    if figures is None:
        return None
    day, month = (figures[2], figures[1]) if how.endswith("month first") else (figures[1], figures[2])
    return f"{int(day)} {calendar.month_name[int(month)]} {figures[3]}" if 1 <= int(month) <= 12 else None


def _date(text: str) -> str:
    if (day := _DAY.fullmatch(text)) and 1 <= int(day[2]) <= 12:
        words = f"{calendar.month_name[int(day[2])]} {int(day[1])}"
        return f"{int(day[3])} {words}" if day[3] else words
    if written := WRITTEN_DATE.fullmatch(text):
        day_of, name, year = (written[1], written[2], written[3]) if written[1] else (written[5], written[4], written[6])
        full = next((month for month in calendar.month_name[1:] if month.startswith(name[:3])), name)
        return f"{int(day_of)} {full} {year}"
    return f"{month[1]} {month[2]}" if (month := _MONTH.fullmatch(text)) else text
