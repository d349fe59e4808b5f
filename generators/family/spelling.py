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

```
"""

from __future__ import annotations

import calendar
import re
from functools import cache, lru_cache

import polars as pl

from generators.articles import with_article, with_common_article
from generators.column_names import WordLists
from generators.family.kinds import SMALL_WORDS, named, with_kind
from generators.heads import Heads
from generators.inflections import is_common_adjective, is_common_noun, is_known
from generators.nouns import is_noun, is_plural, is_word
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
    if how == "initials last":
        return _initials_first(text)
    if how == "adjective":
        return country_adjectives().get(text.lower(), text)
    if how == "slug":
        return _capitals(re.sub(r"[-_]+", " ", text))
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

    `{slot:words}` writes a small number in words, `{slot:one}` puts "a" before the name of a kind as well, `{slot:some}` before
    what is one thing alone, `{slot:surname}` says somebody who was named before.

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
    if article == "some":
        return with_some(value)
    if article == "surname":
        return surname(value)
    _, _, kind = article.partition(" ")
    value = _OF_YEAR.sub(r" of \1", value) if article.startswith("the") else value
    if kind:
        return with_kind(value, kind)
    return named(value) if article == "the" else with_common_article(value)


def with_some(value: str) -> str:
    """Say what something has: one thing with its article, several, and what is not counted, without.

    >>> [with_some(text) for text in ("Study room", "TV lounge", "Pub in the basement", "Ethernet ports", "4 walls")]
    ['a Study room', 'a TV lounge', 'a Pub in the basement', 'Ethernet ports', 'four walls']
    >>> [with_some(text) for text in ("Air conditioning", "Heat", "Free parking", "Bath tub", "A garden")]
    ['Air conditioning', 'Heat', 'Free parking', 'a Bath tub', 'A garden']
    """
    if counted := re.match(r"(\d+) (?=\D)", value):
        return f"{in_words(counted[1])}{value[counted.end() - 1 :]}"
    head = re.split(r" (?:in|on|of|for|with|to|at|by|from|near|per) |[(,;/]", value)[0].split()[-1:]
    word = head[0].lower() if head else ""
    uncounted = word in _NOT_COUNTED or word.endswith("ing") or not is_noun(word, _SELDOM)
    return value if value[:1].isdigit() or is_plural(word) or uncounted else with_article(value)


_NOT_COUNTED = frozenset(
    {"heat", "water", "gas", "electricity", "breakfast", "cable", "television", "laundry", "storage", "air"}
)
"""What a house has, and nobody counts."""
_SELDOM = 0.005


_OF_YEAR = re.compile(r" \(([12]\d{3})\)$")
"""What tells two of one name apart: the Tay Bridge of 1887."""
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def in_words(number: str) -> str:
    """Write a small whole number in words, as a count of things is written: "three acts", but "128 pages".

    >>> in_words("3"), in_words("12.0"), in_words("128"), in_words("0")
    ('three', 'twelve', '128', '0')
    """
    whole = _WHOLE.sub("", number)
    return _NUMBERS[int(whole) - 1] if whole.isdecimal() and 1 <= int(whole) <= len(_NUMBERS) else number


def surname(name: str) -> str:
    """Say a person by the last name alone, where that is sure to be one; else by the whole name.

    >>> [surname(name) for name in ("Ada Berg", "James B. Eads", "W. H. Auden", "Ada Maria Berg", "Jan van Eyck")]
    ['Berg', 'Eads', 'Auden', 'Ada Maria Berg', 'Jan van Eyck']
    >>> [surname(name) for name in ("Mao Zedong", "Park Ji-sung", "Ulrik II", "Saint Olaf", "Kimon")]
    ['Mao Zedong', 'Park Ji-sung', 'Ulrik II', 'Saint Olaf', 'Kimon']
    """
    first, *between, last = name.split() if " " in name.strip() else ("", name)
    told = last[:1].isupper() and len(last) > 2 and last != last.upper() and not re.search(r"[^\w'’-]|-[^\W\dA-Z]|\d", last)
    plain = first[:1].isupper() and all(re.fullmatch(r"[^\W\d_]\.", word) for word in between)
    return last if told and plain and first.lower() not in Heads.load().not_given else name


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


_INITIALS = rf"{_CAPITALS}\.?(?:[ -]?{_CAPITALS}\.?){{0,3}}"
_INITIALS_LAST = re.compile(rf"([^\W\d_]+(?:['’ -][^\W\d_]{{2,}})*) ({_INITIALS})( [JS]r\.?)?")
"""A surname before initials, with or without stops: "Garfield J A", "van der Berg J.", "King M L Jr"."""


def initials_last(text: str) -> str | None:
    """Return the letters of the initials that may stand behind a surname; None where none do, as of Louis XIV.

    >>> [initials_last(text) for text in ("Garfield J A", "Smith JA", "Louis XIV", "Ada Berg", "Berg A", "A B")]
    ['JA', 'JA', None, None, 'A', None]
    """
    found = _INITIALS_LAST.fullmatch(text)
    if found is None or len(found[1]) < 2 or (len(found[2]) > 1 and _ROMAN.fullmatch(found[2].lower())):
        return None
    return "".join(letter for letter in found[2] if letter.isalpha())


def _initials_first(text: str) -> str:
    """Turn a name whose initials stand last.

    >>> [_initials_first(name) for name in ("Tyler J A", "Smith JA", "VAN BUREN M.", "Sartre J-P", "King M L Jr", "Ada Berg")]
    ['J. A. Tyler', 'J. A. Smith', 'M. van Buren', 'J.-P. Sartre', 'M. L. King Jr', 'Ada Berg']
    """
    found = _INITIALS_LAST.fullmatch(text)
    if found is None or initials_last(text) is None:
        return text
    given = re.sub(rf"[ .]*(-?)({_CAPITALS})\.?", lambda each: f"{each[1] or ' '}{each[2]}.", found[2]).strip()
    loud = len(found[1]) > 2 and found[1].isupper()
    *first, last = (_capitals(found[1].lower()) if loud else found[1]).split(" ")
    before = [_particle_of_name(word) if loud else word for word in first]
    return " ".join([given, *before, f"{last}{found[3] or ''}"])


def _upright(text: str) -> str:
    if born := _BORN_LATER.fullmatch(text):
        return f"{_upright(born[1])} {born[2]}"
    inverted = _INVERTED.fullmatch(text)
    if inverted is None:
        return text
    loud = len(inverted[1]) > 2 and inverted[1].isupper() and not inverted[2].isupper()  # "ATTLEE, Clement"
    return f"{inverted[2]} {_capitals(inverted[1].lower()) if loud else inverted[1]}"


_BORN_LATER = re.compile(r"([^,]+, [^,]+), ((?:[JS]r\.?)|I{2,3}|IV)")
"""Whose father bears the name as well: "Duke, Charles M., Jr."."""


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
    return word.lower() if SMALL_WORDS.fullmatch(word.lower()) else word


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
    >>> _small("Indian Clubs"), _small("FRENCH HORN")
    ('Indian clubs', 'French horn')
    """
    if not all(is_word(word) for word in re.findall(r"[^\W\d_]+", text)):
        return text
    begin, joined, _ = text.split(" ")[0].partition("-")
    if joined and not is_common_noun(begin.lower()) and not is_common_adjective(begin.lower()):
        return text  # Yorkshire-fog
    first, *rest = text.split(" ") if text != text.upper() else [text.lower()]
    made_of = begin.lower().endswith("ic") and is_common_noun(begin.lower()[:-2])  # Basaltic andesite
    proper = bool(rest) and not made_of and (not is_known(begin) or re.search("(?:ian|ean|ese)$", first) is not None)
    if text != text.upper() and all(word == word.lower() for word in rest):
        return " ".join([first if proper else first.lower(), *rest])
    *before, last = text.lower().split(" ")  # a shoe polish is not from Poland
    return " ".join([*(_adjectives().get(word, word) for word in before), last])


@cache
def _adjectives() -> dict[str, str]:
    """What is said of what comes from a country, with its capital, by the word in small letters."""
    return {adjective.lower(): adjective for adjective in country_adjectives().values()}


def _is_short(word: str) -> bool:
    """Tell letters said one by one from a word in capitals: "NASA", "II", "D.C."; "AND" and "LINE" are words."""
    small = word.lower()
    if small.strip(".") in _SHORTENED:
        return False
    if small in WordLists.load().acronyms or _ROMAN.fullmatch(small) or not any(map(str.isalpha, word)):
        return True
    return len(word) < 5 and not is_word(word) and not SMALL_WORDS.fullmatch(small) and not _SYLLABLES.fullmatch(small)


def _capital(word: str, *, inner: bool) -> str:
    if word != word.lower():
        return word
    if inner and SMALL_WORDS.fullmatch(word):
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
