"""Tables that join two others, many to many: what belongs to what, and what is kept of each pair.

```
>>> [preposition(noun) for noun in ("recipe", "exhibition", "playlist")], preposition("film", "actor")
(['of', 'in', 'on'], 'in')

```

A row of such a table has no name. It is asked of the rows that it joins: "Is saffron one of the ingredients of the recipe X?",
"Name one of the clocks in the exhibition Y.", "What is the rank of A in the tournament B?". The one that has the others, a work
or an event rather than a person, is the one asked about; that a pair is missing is taken for a no, as everywhere in a database.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from generators import inflections
from generators.column_names import WordLists, split, unit_of
from generators.erbench import refusals, sure
from generators.erbench.catalog import Catalog
from generators.erbench.columns import Attribute, Edge
from generators.erbench.flags import is_adjective
from generators.erbench.forms import form
from generators.erbench.grading import Grades
from generators.erbench.plain import is_over
from generators.erbench.rows import (
    alone_patterns,
    beside_patterns,
    capitalised,
    filled,
    row_phrase,
    slots_of,
    stated_row,
    value_text,
    without,
)
from generators.erbench.sentences import Subject
from generators.erbench.tables import EntityTable
from generators.nouns import plural, singular

_FEWEST, MOST, MAKERS = 2, 30, 6
"""A row that has fewer or more others is not asked about: a playlist of all tracks, a class that ten firms built."""
_TOLD_APART, _SEVERAL, _ALONE = 0.95, 1.2, 0.8
"""So many pairs stand once, and rows of both sides have so many others, in a table that joins many to many; in one that says
of each row one other alone, so many have no second."""


_SORTED = ("type", "style", "kind", "category", "technique", "method")


@dataclass(frozen=True)
class Junction:
    """A table that joins rows: the one that has the others, those, and the columns kept of each pair.

    `single`: whether nearly each of the former has one of the latter, as most films have one director.
    """

    table: EntityTable
    whole: Edge
    part: Edge
    single: bool = False


@dataclass(frozen=True)
class Family:
    """What a family of a junction is: its title, front matter, slots and patterns; the table of the rows asked about."""

    asked: EntityTable
    title: tuple[str, ...]
    front: dict[str, object]
    slots: tuple[str, ...]
    patterns: tuple[str, ...]


def junctions_of(catalog: Catalog) -> Iterator[Junction]:
    """Find the tables that join two others and say nothing by a name of their own."""
    for table in catalog.unnamed:
        named = [edge for edge in table.edges if not edge.is_verb and not catalog.tables[edge.to].key]
        if len(named) != 2 or named[0].to == named[1].to:
            continue
        joined = catalog.is_keyed_by(table, named) or _is_called_so(catalog, table, named) or _verb(table) is not None
        if not joined:
            continue  # a screening is more than a film and a venue
        whole, part = sorted(named, key=lambda edge: _place(catalog, table, edge))
        single = _has_one(catalog, whole, part)
        if single or _many_to_many(catalog, named, again=_verb(table) is not None):
            yield Junction(table, whole, part, single)


def _has_one(catalog: Catalog, whole: Edge, part: Edge) -> bool:
    """Whether pairs stand once, and nearly each row has one other."""
    pairs = catalog.pairs(whole.iri).join(catalog.pairs(part.iri), on="s").select("o", "o_right")
    alone = pairs.n_unique() >= _TOLD_APART * pairs.height
    return bool(pairs.height) and alone and float(str((pairs["o"].value_counts()["count"] == 1).mean())) >= _ALONE


def _many_to_many(catalog: Catalog, edges: Sequence[Edge], *, again: bool = False) -> bool:
    """Whether pairs stand once, or `again` as somebody does a thing in several ways, and neither side settles the other."""
    pairs = catalog.pairs(edges[0].iri).join(catalog.pairs(edges[1].iri), on="s").select("o", "o_right")
    alone = again or pairs.n_unique() >= _TOLD_APART * pairs.height
    several = [pairs.height >= _SEVERAL * pairs[side].n_unique() for side in ("o", "o_right")]
    return bool(pairs.height) and alone and all(several)


def _is_called_so(catalog: Catalog, table: EntityTable, edges: Sequence[Edge]) -> bool:
    """Whether a table is called by those that it joins, or by a word for belonging: "playlist track", "membership"."""
    words = {singular(word) for word in split(table.name)}
    nouns = {catalog.tables[edge.to].name.split()[-1] for edge in edges}
    return nouns <= words or bool(words & {*sure.Sure.load().belonging})


def _place(catalog: Catalog, table: EntityTable, edge: Edge) -> tuple[bool, int, int]:
    """Put the side first that has the other: no person, the first in the table's name, the one of fewer rows.

    What a table is called to be had ("has amenity") comes behind.
    """
    words = [singular(word) for word in split(table.name)]
    noun = catalog.tables[edge.to].name.split()[-1]
    at = words.index(noun) if noun in words else len(words)
    at = len(words) + 1 if words[:1] == ["has"] and noun in words else at
    return catalog.tables[edge.to].person, at, catalog.use[edge.iri][2]


def preposition(noun: str, part: str = "") -> str:
    """Say how the many stand to the one: the ingredients of a recipe, the clocks in an exhibition, the tracks on a playlist."""
    last = noun.split()[-1]
    if part.split()[-1:] and part.split()[-1] in sure.Sure.load().performers and last not in ("album", "playlist", "record"):
        return "in"
    lists = WordLists.load()
    if last in lists.places and {*part.split()[-1:]} & {*lists.substances}:
        return "found at"  # the rocks of a volcano
    if last in ("album", "playlist", "record", "tour", "menu", "mission", "expedition", "voyage", "flight"):
        return "on"
    return "in" if last in {*sure.Sure.load().held, "collection", "anthology", "gallery", "programme", "season"} else "of"


def families_of(catalog: Catalog, junction: Junction, domain: str, grades: Grades) -> Iterator[Family]:
    """Say what is asked of a junction: whether, which one, and what is kept of each pair."""
    whole, part = catalog.tables[junction.whole.to], catalog.tables[junction.part.to]
    title = f"{junction.table.name}: {part.name}"
    deed = _deed(junction.table, whole, part)
    plain = _is_called(junction.whole.name, whole) and _is_called(junction.part.name, part)
    # In what a country is one of the countries of a film, nothing says: who made it, or where it was shot. Nor does anybody
    # keep all animals of a park.
    plain = plain and not _says_more(junction.table, whole, part) and part.name.split()[-1] not in open_lists()
    plain = plain and whole.name.split()[-1] not in WordLists.load().areas  # nobody keeps all rivers of a country
    sayable = plain or deed is not None or not grades.chosen
    why = grades.of_table(whole) or grades.of_table(part) or (None if sayable else sure.UNSURE)
    if why or {whole.name, part.name} & {*WordLists.load().private} or whole.hidden or part.hidden:
        catalog.refused[title] = why or refusals.PERSONAL
        return
    row, beside = stated_row(catalog, whole, None)
    slot = slots_of([whole.name], [])[0]
    one = slots_of([part.name], [whole.name, *(name for name, _ in beside)])[0]
    key = [slot, *(name for name, _ in beside)]
    joined = f"?joined {junction.whole.path} ?{slot} ; {junction.part.path} ?{one} ."
    named = [joined, *_few(catalog, junction, slot), *beside_patterns(whole, beside), *alone_patterns(catalog, whole, beside)]
    named += [*grades.left_out(whole, []), *grades.rows_left_out(part, one)]
    forms = {slot: whole.said, one: part.said or ("small" if is_had(part.name) else None)}
    said = {name: {"said": how} for name, how in forms.items() if how}
    front: dict[str, object] = {"method": "erbench", "domain": domain} | ({"slots": said} if said else {})
    if deed is not None:
        yield from _deeds(catalog, junction, whole, part, front, (row, tuple(key), one, tuple(named)), deed)
        yield from _of_pairs(catalog, junction, grades, front, (row, tuple(key), one, tuple(named)))
        return
    if junction.single:
        yield from _ones(catalog, junction, whole, part, front, (row, tuple(key), one, tuple(named)))
        return
    yield from _members(catalog, junction, whole, part, front, (row, tuple(key), one, tuple(named)))
    yield from _of_pairs(catalog, junction, grades, front, (row, tuple(key), one, tuple(named)))


def open_lists() -> set[str]:
    """What of which a row has more than anybody keeps, or in more than one sense: animals, habitats, countries."""
    lists, own = WordLists.load(), sure.Sure.load()
    return {*lists.areas, *lists.generic_kinds, *own.taxa, *own.animals, *own.described}


def _is_called(name: str, table: EntityTable) -> bool:
    """Whether a foreign key is called as the rows that it leads to: "game", of board games."""
    return table.name == name or table.name.endswith(f" {name}")


def _says_more(joining: EntityTable, whole: EntityTable, part: EntityTable) -> bool:
    """Whether a table's name says more of a pair than that one has the other: a probe's visits of planets."""
    known = {singular(word) for table in (whole, part) for word in table.name.split()}
    own = {singular(word) for word in joining.name.split()} - known
    return bool(
        own - {*sure.Sure.load().belonging, "link", "map", "mapping", "relation", "join", "junction", "has", "in", "to", "of"}
    )


class Deed(NamedTuple):
    """What people did to a row, or in it: its past and its infinitive."""

    past: str
    base: str


def _deed(joining: EntityTable, whole: EntityTable, part: EntityTable) -> Deed | None:
    """Return the verb that a table is called by, where it says what people did to the rows of another: directed, acted in."""
    deed = _verb(joining) if part.person and not whole.person else None
    return deed if deed and (" " in deed.past or sure.is_done_to(deed.past, whole.name)) else None


def _verb(table: EntityTable) -> Deed | None:
    """Return the verb that a table is called by: its past, with a preposition perhaps."""
    past, *rest = table.name.split()
    base = inflections.base(past)
    if base is None or past != inflections.past(base) or inflections.is_common_noun(past):
        return None
    if len(rest) > 1 or not {*rest} <= {*WordLists.load().prepositions}:
        return None
    return Deed(" ".join((past, *rest)), " ".join((base, *rest)))


def _few(catalog: Catalog, junction: Junction, slot: str) -> list[str]:
    """Leave out rows that have one other alone, or too many for one of them to be asked for: a playlist of all tracks.

    Where nearly all have one, leave out the others.
    """
    if junction.single:
        return [
            f"{{ SELECT ?{slot} WHERE {{ ?other {junction.whole.path} ?{slot} }} GROUP BY ?{slot} HAVING(COUNT(?other) = 1) }}"
        ]
    counts = catalog.pairs(junction.whole.iri)["o"].value_counts()["count"]
    part = catalog.tables[junction.part.to]
    most = MAKERS if part.person or part.name.split()[-1] in sure.Sure.load().makers else MOST
    if counts.is_between(_FEWEST, most).all():
        return []
    grouped = f"{{ SELECT ?{slot} WHERE {{ ?other {junction.whole.path} ?{slot} }} GROUP BY ?{slot}"
    return [grouped, f"  HAVING(COUNT(?other) >= {_FEWEST} && COUNT(?other) <= {most}) }}"]


def _bare(part: EntityTable, slot: str) -> str:
    """Say one of many: what is no work stands without quotation marks, "saffron"; but “bourbon barrel”, a type of cask."""
    works = WordLists.load().works
    if part.name.split()[-1] in _SORTED:
        return f"“{{{slot}}}”"
    return f"{{{slot}}}" if part.quoted and part.name.split()[-1] not in works else value_text(part, slot)


def is_done(whole: EntityTable, part: EntityTable) -> bool:
    """Whether what people had to do with a row is over: the engineers of a bridge, the crew of a mission."""
    lists, own, noun = WordLists.load(), sure.Sure.load(), whole.name.split()[-1]
    happened = noun in {*own.once, *own.held, *own.happenings} or whole.over
    goes_on = noun in {*lists.institutions, *lists.companies, *own.based, *lists.groups} - {"class"}
    made = part.name.split()[-1] in {*lists.agents, *own.makers} or is_over(part.name, whole.name)
    act = sure.maker(whole.name, part.name)
    happened = happened or (act is not None and act[2] == "was" and not goes_on)
    return bool(happened or (part.person and (part.past or (made and not goes_on))))


def _are_adjectives(catalog: Catalog, part: EntityTable) -> bool:
    """Whether the names of what belongs to a row say how it is, and no thing: functional, object-oriented."""
    last = catalog.names_of(part)["label"].str.split(" ").list.last().str.to_lowercase()
    how = [is_adjective(word.split("-")[-1]) or word.endswith("ed") for word in last.drop_nulls()]
    return bool(2 * sum(how) > len(how))


def is_had(noun: str) -> bool:
    """Tell whether a place or a thing has these, whatever they are: "Does Smith Hall have a study room?"."""
    return noun.split()[-1] in ("amenity", "facility", "feature", "appliance", "fixture", "accessory")


def does_something(name: str) -> bool:
    """Tell whether a name says what a row does, and names nothing that it has.

    >>> [name for name in ("Allows pets", "Accepts cards", "Ports", "Study room", "Bus stop") if does_something(name)]
    ['Allows pets', 'Accepts cards']
    """
    first, *rest = name.lower().split()
    verb = inflections.base(first) if rest and first.endswith("s") else None
    return verb is not None and not inflections.is_common_noun(verb)


def _doing(catalog: Catalog, part: EntityTable) -> list[str]:
    """Return the rows whose names say what somebody does."""
    return sorted(row for row, name in catalog.names_of(part).select("e", "label").iter_rows() if does_something(name))


_UNTOLD = "!CONTAINS(LCASE(STR(?start_said)), LCASE(STR(?end_said)))"
"""A name that holds the answer ("Potato soup") is not asked about."""


def _with_names(key: tuple[str, ...], one: str, patterns: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Add the names of a row and of what belongs to it to slots and patterns."""
    named = (f"?{key[0]} rdfs:label ?start_said .", f"?{one} rdfs:label ?end_said .")
    return (*key, one, "start_said", "end_said"), (*patterns, *named)


def _members(
    catalog: Catalog,
    junction: Junction,
    whole: EntityTable,
    part: EntityTable,
    front: dict[str, object],
    said: tuple[str, tuple[str, ...], str, tuple[str, ...]],
) -> Iterator[Family]:
    """Ask whether a row is one of those that another has, and for one of them."""
    row, key, one, patterns = said
    noun = part.name.removeprefix(f"{whole.name} ")  # the amenities of a dorm, of a table `Dorm_amenity`
    members = f"the {plural(noun)} {preposition(whole.name, noun)} {row}"
    front = {"summary": f"{members[0].upper()}{members[1:]}", **front, "key": [*key], "answer": one, "many": [one]}
    front |= {"explain": [f"Among {members} are {_bare(part, one)}."]}
    front["ask"] = _UNTOLD
    slots, patterns = _with_names(key, one, patterns)
    asked = {"open": {"question": {"basic": f"Name one of {members}."}}}
    claimed = {"slot": one, "value": "claimed", "test": "="}
    be = "Was" if is_done(whole, part) else "Is"
    claim = f"{be} {_bare(part, 'claimed')} one of {members}?"
    if is_had(noun) and not whole.over:
        claim = f"Does {row} have {{claimed:some}}?"
        patterns = (*patterns, *without(f"?{one}", [f"<{row}>" for row in _doing(catalog, part)]))
    asked["yes_no"] = {"question": {"basic": claim}, "claim": claimed}
    if part.common and _are_adjectives(catalog, part):
        del asked["yes_no"]  # is "functional" one of its paradigms?
    own = sure.Sure.load()
    built = part.name.split()[-1] in {*own.makers, *own.of_something} or is_over(part.name, whole.name)
    if built and whole.name.split()[-1] not in WordLists.load().works:
        del asked["open"]  # a bridge has engineers whom nobody names; who wrote a libretto stands in it
    elif refusals.is_guessed(catalog.pairs(junction.part.iri)["o"]):
        del asked["open"]  # five paradigms are right of most languages
        catalog.refused[f"{junction.table.name}: {part.name}"] = refusals.GUESSED
    for task, questions in asked.items():
        if task == "yes_no" and (born := _century(part, one)):
            questions, slots, patterns = {**questions, "near": {one: "like"}}, (*slots, "like"), (*patterns, *born)
        yield Family(whole, (junction.table.name, part.name, task), {**front, "task": task, **questions}, slots, patterns)


def _century(part: EntityTable, one: str) -> tuple[str, ...]:
    """Bind the century in which people were born: nobody takes one of 1937 for the librettist of an opera of 1890."""
    born = [a for a in part.attributes if part.person and {"birth", "born"} & {*a.name.split()}]
    born = [a for a in born if a.kind in ("year", "date") or a.name.split()[-1] == "date"]
    return (
        *(f"OPTIONAL {{ ?{one} {birth.path} ?like_when }}" for birth in born[:1]),
        *("BIND(SUBSTR(STR(?like_when), 1, 2) AS ?like)" for _ in born[:1]),
    )


def _ones(
    catalog: Catalog,
    junction: Junction,
    whole: EntityTable,
    part: EntityTable,
    front: dict[str, object],
    said: tuple[str, tuple[str, ...], str, tuple[str, ...]],
) -> Iterator[Family]:
    """Ask for the one that a row has: "Who directed the film X?"."""
    row, key, one, patterns = said
    asked = form(part.name, "text", Subject(whole.name, whole.person, whole.place), part.name, person=part.person)
    if asked.look is None:
        catalog.refused[f"{junction.table.name}: {part.name}"] = sure.UNSURE
        return
    front = {"summary": filled(asked.whole, f"a {whole.name}"), **front, "key": [*key], "answer": one, "rationale": [one]}
    front |= {"explain": [f"{capitalised(filled(asked.say, row, value_text(part, one)))}."]}
    front["ask"] = _UNTOLD
    slots, patterns = _with_names(key, one, patterns)
    claim = {"claim": {"slot": one, "value": "claimed", "test": "="}}
    questions: dict[str, dict[str, object]] = {
        "open": {"question": {"basic": filled(asked.ask, row)}},
        "yes_no": {"question": {"basic": filled(asked.claim, row, value_text(part, "claimed"))}, **claim},
    }
    for task, question in questions.items():
        yield Family(whole, (junction.table.name, part.name, task), {**front, "task": task, **question}, slots, patterns)


def _deeds(
    catalog: Catalog,
    junction: Junction,
    whole: EntityTable,
    part: EntityTable,
    front: dict[str, object],
    said: tuple[str, tuple[str, ...], str, tuple[str, ...]],
    deed: Deed,
) -> Iterator[Family]:
    """Ask who did something to a row, where one did, and whether somebody did: "Did A act in the film X?"."""
    row, key, one, patterns = said
    body = value_text(part, one)
    front = {"summary": f"Who {deed.past} a {whole.name}", **front, "key": [*key], "answer": one}
    front |= {"explain": [f"{capitalised(body)} {deed.past} {row}."], "ask": _UNTOLD}
    slots, patterns = _with_names(key, one, patterns)
    claim = {"slot": one, "value": "claimed", "test": "="}
    claimed: dict[str, object] = {
        "question": {"basic": f"Did {value_text(part, 'claimed')} {deed.base} {row}?"},
        "claim": claim,
    }
    asked: dict[str, dict[str, object]] = {"yes_no": claimed}
    if junction.single:
        front["rationale"] = [one]
        asked["open"] = {"question": {"basic": f"Who {deed.past} {row}?"}}
    else:
        front["many"] = [one]
        born = _century(part, one)
        asked["yes_no"] = {**claimed, "near": {one: "like"}} if born else claimed
        slots, patterns = (*slots, *(["like"] if born else [])), (*patterns, *born)
    for task, questions in asked.items():
        yield Family(whole, (junction.table.name, part.name, task), {**front, "task": task, **questions}, slots, patterns)


def _of_pairs(
    catalog: Catalog,
    junction: Junction,
    grades: Grades,
    front: dict[str, object],
    said: tuple[str, tuple[str, ...], str, tuple[str, ...]],
) -> Iterator[Family]:
    """Ask what is kept of each pair: the rank of a player in a tournament."""
    row, key, one, patterns = said
    whole, part = catalog.tables[junction.whole.to], catalog.tables[junction.part.to]
    pair = row_phrase(part, one) if part.person else _bare(part, one)
    at = preposition(whole.name).replace("of", "in")
    for column in junction.table.attributes:
        asked = _asked(column, pair, f"{at} {row}", part, contest=whole.name.split()[-1] in sure.Sure.load().held)
        if asked is None:
            catalog.refused[f"{junction.table.name}: {column.name}"] = sure.UNSURE
            continue
        if refusals.is_guessed(catalog.pairs(column.iri)["o"]):
            catalog.refused[f"{junction.table.name}: {column.name}"] = refusals.GUESSED
            continue
        question, told, look = asked
        left = grades.values_left_out(column, look)
        if left is None:
            catalog.refused[f"{junction.table.name}: {column.name}"] = sure.UNSURE_VALUES
            continue
        value = slots_of([column.name], [*key, one])[0]
        own: dict[str, object] = {"summary": question.rstrip("?"), **front, "task": "open", "key": [*key, one], "answer": value}
        if column.said:
            spelled = front.get("slots")
            own["slots"] = {**(spelled if isinstance(spelled, dict) else {}), value: {"said": column.said}}
        own |= {"question": {"basic": question}, "explain": [told.replace("‹value›", f"{{{value}}}")]}
        lines = (*patterns, f"?joined <{column.iri}> ?{value} .", *(line.replace("?value", f"?{value}") for line in left))
        yield Family(whole, (junction.table.name, column.name), own, (*key, one, value), lines)


def _asked(column: Attribute, pair: str, place: str, part: EntityTable, *, contest: bool) -> tuple[str, str, str] | None:
    """Ask for a column of a pair: the question, what says it, and what its values look like; None where nobody is sure."""
    name, unit = unit_of(column.name)
    if column.kind == "number":
        units = WordLists.load().units.values()
        if column.name in units and not part.person:
            return f"How many {column.name} of {pair} are {place}?", f"‹value› {column.name} of {pair} are {place}.", "number"
        if name in ("points", "goals", "runs", "votes") and unit is None and part.person:
            return f"How many {name} did {pair} get {place}?", f"{pair} got ‹value› {name} {place}.", "number"
        ranked = name in ("rank", "score", "place", "position") and place.startswith("in ") and contest
        measured = sure.is_measured(name, unit) if unit else ranked
        what = f"the {name} of {pair} {place}" + (f" in {unit}" if unit else "")
        return (f"What is {what}?", f"{what[0].upper()}{what[1:]} is ‹value›.", "number") if measured else None
    if column.kind == "text" and part.person and name in ("role", "character"):
        told = f"{pair[0].upper()}{pair[1:]} played ‹value› {place}." if pair[0] != "{" else f"{pair} played ‹value› {place}."
        return f"Which {name} did {pair} play {place}?", told, "any"
    if column.kind == "text" and name in ("role", "character", "part", "instrument", "position", "voice"):
        what = f"the {name} of {pair} {place}"
        return f"What is {what}?", f"{what[0].upper()}{what[1:]} is ‹value›.", "any"
    return None
