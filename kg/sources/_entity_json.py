"""Entities as Wikidata's dumps write them: one JSON object a line, what each says as plain rows.

A dump is an array with an entity on each line, or lines without one; a page of `Special:EntityData` holds its entities under
`entities`. Source: the JSON data model of Wikibase (https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

_ID = re.compile(r"[QP][1-9][0-9]*")
_UNIT = re.compile(r"https?://www\.wikidata\.org/entity/(Q[0-9]+)")
_TIME = re.compile(r"([+-])0*([0-9]{1,16})-([0-9]{2})-([0-9]{2})T")
_AMOUNT = re.compile(r"\+?(-?[0-9]+(?:\.[0-9]+)?)")
_JULIAN = "Q1985786"
_YEAR, _MONTH, _DAY = 9, 10, 11


class _Text(msgspec.Struct):
    value: str


class _Snak(msgspec.Struct):
    snaktype: str
    property: str
    datavalue: dict[str, Any] | None = None


class _Statement(msgspec.Struct):
    mainsnak: _Snak
    rank: str = "normal"
    qualifiers: dict[str, list[_Snak]] | list[Any] = []


class _Link(msgspec.Struct):
    title: str


class Entity(msgspec.Struct):
    """An item or a property, or the redirect of one; PHP writes an empty object as an empty list."""

    id: str = ""
    labels: dict[str, _Text] | list[Any] = []
    descriptions: dict[str, _Text] | list[Any] = []
    aliases: dict[str, list[_Text]] | list[Any] = []
    claims: dict[str, list[_Statement]] | list[Any] = []
    sitelinks: dict[str, _Link] | list[Any] = []
    entities: dict[str, Entity] = {}
    entity: str | None = None
    redirect: str | None = None

    def label(self, languages: list[str]) -> tuple[str, str | None]:
        """Return the label in the first language that has one, and that language; `mul` is Wikidata's label for all of them."""
        labels = self.labels if isinstance(self.labels, dict) else {}
        named = ((language, labels[language].value) for language in languages if language in labels)
        return next(named, (languages[0], labels["mul"].value if "mul" in labels else None))

    def names(self, languages: list[str]) -> Iterator[tuple[str, str]]:
        """Yield language and text of all names in the languages."""
        for language in languages:
            if isinstance(self.labels, dict) and language in self.labels:
                yield language, self.labels[language].value
            if isinstance(self.aliases, dict):
                for alias in self.aliases.get(language, ()):
                    yield language, alias.value

    def description(self, languages: list[str]) -> str | None:
        """Return what tells the entity from others of its name."""
        texts = self.descriptions if isinstance(self.descriptions, dict) else {}
        return next((texts[language].value for language in languages if language in texts), None)

    def article(self, languages: list[str]) -> str | None:
        """Return the title of its article in Wikipedia."""
        links = self.sitelinks if isinstance(self.sitelinks, dict) else {}
        wikis = (f"{language.replace('-', '_')}wiki" for language in languages)
        return next((links[wiki].title for wiki in wikis if wiki in links), None)


class Value(NamedTuple):
    """What a statement or qualifier says: `kind` is item, date, year, quantity or string; `unit` the id of an item, or none."""

    kind: str
    text: str
    unit: str | None = None


class Claim(NamedTuple):
    """A statement of the best rank, with its qualifiers."""

    property: str
    value: Value
    qualifiers: tuple[tuple[str, Value], ...]


class Claims(NamedTuple):
    """What an entity states.

    `unknown`: properties of which there are objects that are not told (some value, or another rank than the best);
    `none`: properties that have no value; `left_out`: values of kinds that nothing is asked about, or too vague ones.
    """

    best: list[Claim]
    unknown: list[str]
    none: list[str]
    left_out: int


def is_id(text: str) -> bool:
    """Say whether a text is the id of an item or a property.

    >>> is_id("Q42"), is_id("L7")
    (True, False)
    """
    return _ID.fullmatch(text) is not None


_decode = msgspec.json.Decoder(Entity).decode


def entities_of(line: bytes) -> Iterator[Entity]:
    """Yield the entities of a line of a dump; none for the brackets around all of them.

    Raises msgspec.DecodeError or ValueError for what is no entity.

    >>> [entity.id for entity in entities_of(b'{"id": "Q2", "labels": {"en": {"value": "Earth"}}},')]
    ['Q2']
    """
    text = line.strip().removesuffix(b",")
    if text in (b"", b"[", b"]"):
        return
    entity = _decode(text)
    if entity.entities:
        yield from entity.entities.values()
    elif not entity.id and entity.redirect is None:
        raise ValueError("has no 'id'")
    else:
        yield entity


def claims_of(entity: Entity) -> Claims:
    """Return what an entity states at the best rank: preferred, or else normal; never what is deprecated."""
    claims = Claims([], [], [], 0)
    left_out = 0
    for statements in entity.claims.values() if isinstance(entity.claims, dict) else ():
        standing = [one for one in statements if one.rank != "deprecated"]
        best = [one for one in standing if one.rank == "preferred"] or standing
        for one in best:
            snak = one.mainsnak
            if snak.snaktype == "novalue":
                claims.none.append(snak.property)
            elif snak.snaktype != "value":
                claims.unknown.append(snak.property)
            elif (value := _value(snak)) is not None:
                claims.best.append(Claim(snak.property, value, tuple(_qualifiers(one))))
            else:
                left_out += 1
        if len(best) < len(standing):
            claims.unknown.append(standing[0].mainsnak.property)
    return claims._replace(left_out=left_out)


def _qualifiers(statement: _Statement) -> Iterator[tuple[str, Value]]:
    groups = statement.qualifiers.values() if isinstance(statement.qualifiers, dict) else ()
    for snak in (snak for group in groups for snak in group):
        if snak.snaktype == "value" and (value := _value(snak)) is not None:
            yield snak.property, value


def _value(snak: _Snak) -> Value | None:
    data = snak.datavalue or {}
    kind, value = data.get("type"), data.get("value")
    if kind == "string" and isinstance(value, str):
        return Value("string", value)
    if not isinstance(value, dict):
        return None
    match kind:
        case "wikibase-entityid":
            name = value.get("id") or f"Q{value.get('numeric-id')}"  # old dumps have numbers only
            return Value("item", name) if isinstance(name, str) and is_id(name) and name[0] == "Q" else None
        case "time":
            return _date(value)
        case "quantity":
            amount = _AMOUNT.fullmatch(str(value.get("amount")))
            unit = _UNIT.fullmatch(str(value.get("unit")))
            return Value("quantity", amount[1], unit[1] if unit else None) if amount else None
        case "monolingualtext" if isinstance(value.get("text"), str):
            return Value("string", value["text"])
    return None


def _date(value: dict[str, Any]) -> Value | None:
    """Return a date as precisely as it is known; of vaguer ones than a year there is none.

    A day of the Julian calendar becomes that of the Gregorian, as in Wikidata's RDF.

    >>> julian = "http://www.wikidata.org/entity/Q1985786"
    >>> _date({"time": "+1642-12-25T00:00:00Z", "precision": 11, "calendarmodel": julian})
    Value(kind='date', text='1643-01-04', unit=None)
    >>> _date({"time": "-0044-00-00T00:00:00Z", "precision": 9})
    Value(kind='year', text='-44', unit=None)
    """
    match, precision = _TIME.match(str(value.get("time"))), value.get("precision")
    if match is None or not isinstance(precision, int) or precision < _YEAR:
        return None
    year, month, day = int(match[2]) * (-1 if match[1] == "-" else 1), int(match[3]), int(match[4])
    if precision >= _DAY and month and day and str(value.get("calendarmodel", "")).endswith(_JULIAN):
        year, month, day = _gregorian(year, month, day)
    sign = "-" if year < 0 else ""
    if precision == _YEAR or not month:
        return Value("year", str(year))
    if precision == _MONTH or not day:
        return Value("date", f"{sign}{abs(year):04}-{month:02}")
    return Value("date", f"{sign}{abs(year):04}-{month:02}-{day:02}")


def _gregorian(year: int, month: int, day: int) -> tuple[int, int, int]:
    """Return the Gregorian date of a Julian one, by way of the day's number as calendars count it."""
    counted = year + 1 if year < 0 else year  # there is no year 0: before 1 comes -1
    shift = (14 - month) // 12
    y, m = counted + 4800 - shift, month + 12 * shift - 3
    number = day + (153 * m + 2) // 5 + 365 * y + y // 4 - 32083
    a = number + 32044
    b = (4 * a + 3) // 146097
    c = a - 146097 * b // 4
    d = (4 * c + 3) // 1461
    e = c - 1461 * d // 4
    m = (5 * e + 2) // 153
    made = 100 * b + d - 4800 + m // 10
    return (made if made > 0 else made - 1), m + 3 - 12 * (m // 10), e - (153 * m + 2) // 5 + 1
