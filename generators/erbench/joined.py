"""What is asked of a table that joins two others: whether a row has another, which one, and what is kept of each pair.

"Is saffron one of the ingredients of the recipe X?", "Name one of the clocks in the exhibition Y.", "Who directed the film X?",
"What is the rank of A in the tournament B?". That a pair is missing is taken for a no, as everywhere in a database.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from generators.column_names import WordLists, unit_of
from generators.erbench import refusals, sure
from generators.erbench.belonging import (
    FEWEST,
    MAKERS,
    MOST,
    Family,
    does_something,
    is_done,
    is_had,
    one_of_many,
    open_lists,
    preposition,
)
from generators.erbench.catalog import Catalog
from generators.erbench.columns import Attribute
from generators.erbench.flags import is_adjective
from generators.erbench.forms import form
from generators.erbench.grading import Grades
from generators.erbench.junctions import Deed, Junction, deed_of, is_called, says_more
from generators.erbench.plain import is_over
from generators.erbench.rows import (
    alone_patterns,
    beside_patterns,
    capitalised,
    filled,
    row_phrase,
    said_once,
    slots_of,
    stated_row,
    value_text,
    without,
)
from generators.erbench.sentences import Subject
from generators.erbench.tables import EntityTable
from generators.nouns import plural


@dataclass(frozen=True)
class Joined:
    """A junction as its families say it: the row that has the others, in words and by its key; the slot of one that it has.

    `front` and `patterns` are what all its families share.
    """

    catalog: Catalog
    junction: Junction
    row: str
    key: tuple[str, ...]
    one: str
    patterns: tuple[str, ...]
    front: dict[str, object] = field(default_factory=dict)

    @property
    def whole(self) -> EntityTable:
        """The table of the rows that have others."""
        return self.catalog.tables[self.junction.whole.to]

    @property
    def part(self) -> EntityTable:
        """The table of the others."""
        return self.catalog.tables[self.junction.part.to]

    def refuse(self, why: str, name: str = "") -> None:
        """Keep why nothing is asked, of what belongs to a row or of a column of the pair."""
        self.catalog.refused[f"{self.junction.table.name}: {name or self.part.name}"] = why

    def family(self, task: str, front: Mapping[str, object], patterns: tuple[str, ...] = ()) -> Family:
        """Make a family that asks about a row and one that it has; a name that holds the answer ("Potato soup") is left out."""
        named = (f"?{self.key[0]} rdfs:label ?start_said .", f"?{self.one} rdfs:label ?end_said .")
        untold = {"ask": "!CONTAINS(LCASE(STR(?start_said)), LCASE(STR(?end_said)))"}
        summary = {"summary": front["summary"]}  # stands first in a file
        whole_front = {**summary, **self.front, "key": [*self.key], "answer": self.one, **untold, **front, "task": task}
        slots = (*self.key, self.one, "start_said", "end_said", *(["like"] if "near" in front else []))
        title = (self.junction.table.name, self.part.name, task)
        return Family(self.whole, title, whole_front, slots, (*self.patterns, *named, *patterns))

    def claim(self, text: str) -> dict[str, object]:
        """Ask for yes or no, of another than the true one in half of the cases."""
        return {"question": {"basic": text}, "claim": {"slot": self.one, "value": "claimed", "test": "="}}


def families_of(catalog: Catalog, junction: Junction, domain: str, grades: Grades) -> Iterator[Family]:
    """Say what is asked of a junction: whether, which one, and what is kept of each pair."""
    deed = deed_of(junction.table, catalog.tables[junction.whole.to], catalog.tables[junction.part.to])
    joined = _joined(catalog, junction, domain, grades)
    if why := _why_not(joined, grades, sayable=deed is not None or not grades.chosen or _is_plain(joined)):
        joined.refuse(why)
        return
    if deed is not None:
        yield from _deeds(joined, deed)
    elif junction.single:
        yield from _ones(joined)
        return
    else:
        yield from _members(joined)
    yield from _of_pairs(joined, grades)


def _joined(catalog: Catalog, junction: Junction, domain: str, grades: Grades) -> Joined:
    """Say a junction's rows."""
    whole, part = catalog.tables[junction.whole.to], catalog.tables[junction.part.to]
    row, beside = stated_row(catalog, whole, None)
    slot = slots_of([whole.name], [])[0]
    one = slots_of([part.name], [whole.name, *(name for name, _ in beside)])[0]
    patterns = [f"?joined {junction.whole.path} ?{slot} ; {junction.part.path} ?{one} .", *_few(catalog, junction, slot)]
    patterns += [*beside_patterns(whole, beside), *alone_patterns(catalog, whole, beside)]
    patterns += [*grades.left_out(whole, []), *grades.rows_left_out(part, one)]
    forms = {slot: whole.said, one: part.said or ("small" if is_had(part.name) else None)}
    said = {name: {"said": how} for name, how in forms.items() if how}
    front: dict[str, object] = {"method": "erbench", "domain": domain} | ({"slots": said} if said else {})
    return Joined(catalog, junction, row, (slot, *(name for name, _ in beside)), one, tuple(patterns), front)


def _is_plain(joined: Joined) -> bool:
    """Whether a table says no more than that a row has others, of which somebody keeps all."""
    junction, whole, part = joined.junction, joined.whole, joined.part
    named = is_called(junction.whole.name, whole) and is_called(junction.part.name, part)
    # In what a country is one of the countries of a film, nothing says: who made it, or where it was shot. Nor does anybody
    # keep all animals of a park, or all rivers of a country.
    kept = part.name.split()[-1] not in open_lists() and whole.name.split()[-1] not in WordLists.load().areas
    return named and kept and not says_more(junction.table, whole, part)


def _why_not(joined: Joined, grades: Grades, *, sayable: bool) -> str | None:
    """Say why nothing is asked of a junction."""
    whole, part = joined.whole, joined.part
    if why := grades.of_table(whole) or grades.of_table(part, had=True) or (None if sayable else sure.UNSURE):
        return why
    lists, own = WordLists.load(), sure.Sure.load()
    told = whole.name.split()[-1] in lists.works and part.name.split()[-1] in {*own.makers, *own.performers}
    hidden = part.hidden and not told  # who wrote a book is told by the book, whatever is kept of its author
    private = {whole.name, part.name} & {*lists.private} or whole.hidden or hidden
    return refusals.PERSONAL if private else None


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
    if counts.is_between(FEWEST, most).all():
        return []
    grouped = f"{{ SELECT ?{slot} WHERE {{ ?other {junction.whole.path} ?{slot} }} GROUP BY ?{slot}"
    return [grouped, f"  HAVING(COUNT(?other) >= {FEWEST} && COUNT(?other) <= {most}) }}"]


def _are_adjectives(catalog: Catalog, part: EntityTable) -> bool:
    """Whether the names of what belongs to a row say how it is, and no thing: functional, object-oriented."""
    last = catalog.names_of(part)["label"].str.split(" ").list.last().str.to_lowercase()
    how = [is_adjective(word.split("-")[-1]) or word.endswith("ed") for word in last.drop_nulls()]
    return bool(2 * sum(how) > len(how))


def _doing(catalog: Catalog, part: EntityTable) -> list[str]:
    """Return the rows whose names say what somebody does."""
    return sorted(row for row, name in catalog.names_of(part).select("e", "label").iter_rows() if does_something(name))


def _members(joined: Joined) -> Iterator[Family]:
    """Ask whether a row is one of those that another has, and for one of them."""
    catalog, whole, part, one = joined.catalog, joined.whole, joined.part, joined.one
    noun = part.name.removeprefix(f"{whole.name} ")  # the amenities of a dorm, of a table `Dorm_amenity`
    members = f"the {plural(noun)} {preposition(whole.name, noun)} {joined.row}"
    front: dict[str, object] = {"summary": f"{members[0].upper()}{members[1:]}", "many": [one]}
    front["explain"] = [f"Among {members} are {one_of_many(part, one)}."]
    had = is_had(noun) and not whole.over
    left = without(f"?{one}", [f"<{row}>" for row in _doing(catalog, part)]) if had else ()
    if _is_named(joined):
        yield joined.family("open", {**front, "question": {"basic": f"Name one of {members}."}}, tuple(left))
    if part.common and _are_adjectives(catalog, part):
        return  # is "functional" one of its paradigms?
    be = "Was" if is_done(whole, part) else "Is"
    asked = f"Does {joined.row} have {{claimed:some}}?" if had else f"{be} {one_of_many(part, 'claimed')} one of {members}?"
    yield _claimed(joined, front, asked, tuple(left))


def _claimed(joined: Joined, front: Mapping[str, object], text: str, patterns: tuple[str, ...] = ()) -> Family:
    """Ask whether a row has another, of people one of the same century: none of 1937 for the librettist of an opera of 1890."""
    born = _century(joined.part, joined.one)
    near = {"near": {joined.one: "like"}} if born else {}
    return joined.family("yes_no", {**front, **joined.claim(text), **near}, (*patterns, *born))


def _is_named(joined: Joined) -> bool:
    """Whether one of those that a row has can be asked for: nobody names the engineers of a bridge."""
    part, own = joined.part, sure.Sure.load()
    built = part.name.split()[-1] in {*own.makers, *own.of_something} or is_over(part.name, joined.whole.name)
    if built and joined.whole.name.split()[-1] not in WordLists.load().works:
        return False  # but who wrote a libretto stands in it
    if part.name.split()[-1] in own.performers:
        return False  # nor does anybody keep the whole cast of a film
    if refusals.is_guessed(joined.catalog.pairs(joined.junction.part.iri)["o"]):
        joined.refuse(refusals.GUESSED)  # five paradigms are right of most languages
        return False
    return True


def _century(part: EntityTable, one: str) -> tuple[str, ...]:
    """Bind the century in which people were born."""
    born = [a for a in part.attributes if part.person and {"birth", "born"} & {*a.name.split()}]
    born = [a for a in born if a.kind in ("year", "date") or a.name.split()[-1] == "date"]
    return (
        *(f"OPTIONAL {{ ?{one} {birth.path} ?like_when }}" for birth in born[:1]),
        *("BIND(SUBSTR(STR(?like_when), 1, 2) AS ?like)" for _ in born[:1]),
    )


def _ones(joined: Joined) -> Iterator[Family]:
    """Ask for the one that a row has: "Who directed the film X?"."""
    row, whole, part = joined.row, joined.whole, joined.part
    asked = form(part.name, "text", Subject(whole.name, whole.person, whole.place), part.name, person=part.person)
    if asked.look is None:
        joined.refuse(sure.UNSURE)
        return
    front: dict[str, object] = {"summary": filled(asked.whole, f"a {whole.name}"), "rationale": [joined.one]}
    front["explain"] = [f"{capitalised(filled(asked.say, row, value_text(part, joined.one)))}."]
    yield joined.family("open", {**front, "question": {"basic": said_once(filled(asked.ask, row))}})
    yield joined.family("yes_no", {**front, **joined.claim(filled(asked.claim, row, value_text(part, "claimed")))})


def _deeds(joined: Joined, deed: Deed) -> Iterator[Family]:
    """Ask who did something to a row, where one did, and whether somebody did: "Did A act in the film X?"."""
    row, one = joined.row, joined.one
    front: dict[str, object] = {"summary": f"Who {deed.past} a {joined.whole.name}"}
    front["explain"] = [f"{capitalised(value_text(joined.part, one))} {deed.past} {row}."]
    asked = f"Did {value_text(joined.part, 'claimed')} {deed.base} {row}?"
    if joined.junction.single:
        front["rationale"] = [one]
        yield joined.family("yes_no", {**front, **joined.claim(asked)})
        yield joined.family("open", {**front, "question": {"basic": f"Who {deed.past} {row}?"}})
    else:
        yield _claimed(joined, {**front, "many": [one]}, asked)


def _of_pairs(joined: Joined, grades: Grades) -> Iterator[Family]:
    """Ask what is kept of each pair: the rank of a player in a tournament."""
    whole, part, one = joined.whole, joined.part, joined.one
    pair = row_phrase(part, one) if part.person else one_of_many(part, one)
    at = preposition(whole.name).replace("of", "in")
    for column in joined.junction.table.attributes:
        contest = whole.name.split()[-1] in sure.Sure.load().held
        asked = _asked(column, pair, f"{at} {joined.row}", part, contest=contest)
        left = grades.values_left_out(column, asked[2]) if asked else None
        if asked is None or left is None or refusals.is_guessed(joined.catalog.pairs(column.iri)["o"]):
            why = sure.UNSURE if asked is None else sure.UNSURE_VALUES if left is None else refusals.GUESSED
            joined.refuse(why, column.name)
            continue
        question, told, _ = asked
        value = slots_of([column.name], [*joined.key, one])[0]
        own: dict[str, object] = {"summary": question.rstrip("?"), **joined.front, "task": "open"}
        own |= {"key": [*joined.key, one], "answer": value}
        if column.said:
            spelled = joined.front.get("slots")
            own["slots"] = {**(spelled if isinstance(spelled, dict) else {}), value: {"said": column.said}}
        own |= {"question": {"basic": question}, "explain": [told.replace("‹value›", f"{{{value}}}")]}
        lines = (f"?joined <{column.iri}> ?{value} .", *(line.replace("?value", f"?{value}") for line in left))
        title = (joined.junction.table.name, column.name)
        yield Family(whole, title, own, (*joined.key, one, value), (*joined.patterns, *lines))


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
