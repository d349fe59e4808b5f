"""What is asked of rows that have several values in a table of their own: "Is fishing one of the hobbies of X?".

Where a row has one value alone, the column is asked about like any other ("Who wrote the book X?").
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from generators.column_names import WordLists
from generators.erbench import refusals, sure
from generators.erbench.belonging import MAKERS, MOST, Family, does_something, is_done, is_had, open_lists, preposition
from generators.erbench.catalog import Catalog
from generators.erbench.grading import Grades
from generators.erbench.rows import alone_patterns, beside_patterns, slots_of, stated_row, value_text, without
from generators.erbench.tables import EntityTable
from generators.erbench.value_tables import ValueTable
from generators.nouns import plural

_FEWEST_ROWS = 5
"""Of so many rows at least that have several values something is asked."""


def members_of(catalog: Catalog, given: ValueTable, domain: str, grades: Grades) -> Iterator[Family]:
    """Ask of rows that have several values whether something is one of them, and for one."""
    whole, value = catalog.tables[given.whole.to], given.value
    title = f"{whole.name}: {value.name}"
    part = EntityTable(given.table.iri, value.name, person=_is_person(value.name))
    most = MAKERS if part.person else MOST
    counts = given.pairs["s"].value_counts()["count"]
    left = grades.values_left_out(value, "any")
    few = int(counts.is_between(2, most).sum()) < _FEWEST_ROWS
    private = refusals.PERSONAL if whole.hidden or part.name in WordLists.load().private else None
    unsure = _why_not(part, few=few, odd=left is None) if grades.chosen else None
    if why := grades.of_table(whole) or private or unsure:
        if value not in whole.attributes:
            catalog.refused[title] = why
        return
    row, beside = stated_row(catalog, whole, None)
    slot = slots_of([whole.name], [])[0]
    one = slots_of([value.name], [whole.name, *(name for name, _ in beside)])[0]
    key = [slot, *(name for name, _ in beside)]
    patterns = [
        f"?joined {given.whole.path} ?{slot} ; <{value.iri}> ?{one} .",
        f"{{ SELECT ?{slot} WHERE {{ ?other {given.whole.path} ?{slot} }} GROUP BY ?{slot}",
        f"  HAVING(COUNT(?other) >= 2 && COUNT(?other) <= {most}) }}",
        *beside_patterns(whole, beside),
        *alone_patterns(catalog, whole, beside),
        *grades.left_out(whole, []),
        *(line.replace("?value", f"?{one}") for line in left or []),
    ]
    then = whole.past or (whole.death is not None)
    if whole.death is not None:
        patterns.append(f"?{slot} {whole.death.path} ?died .")  # of whom it is said what was theirs
    small = "small" if is_had(value.name) else None
    said = {name: {"said": how} for name, how in ((slot, whole.said), (one, value.said or small)) if how}
    members = f"the {plural(value.name)} {preposition(whole.name, value.name)} {row}"
    front: dict[str, object] = {"summary": f"{members[0].upper()}{members[1:]}", "method": "erbench", "domain": domain}
    front |= {"slots": said} if said else {}
    front |= {"key": key, "answer": one, "many": [one]}
    front |= {"explain": [f"Among {members} {'were' if then else 'are'} {value_text(None, one, value)}."]}
    front["ask"] = f"!CONTAINS(LCASE(STR(?start_said)), LCASE(STR(?{one})))"
    patterns.append(f"?{slot} rdfs:label ?start_said .")
    be = "Was" if then or is_done(whole, part) else "Is"
    claimed = {"slot": one, "value": "claimed", "test": "="}
    claim = f"{be} {value_text(None, 'claimed', value)} one of {members}?"
    if is_had(value.name) and be == "Is":
        claim = f"Does {row} have {{claimed:some}}?"
        doing = [text for text in given.pairs["o"].unique().sort() if does_something(text)]
        patterns += without(f"STR(?{one})", [json.dumps(text) for text in doing])
    texts: dict[str, dict[str, object]] = {
        "open": {"question": {"basic": f"Name one of {members}."}},
        "yes_no": {"question": {"basic": claim}, "claim": claimed},
    }
    if refusals.is_guessed(given.pairs["o"]):
        del texts["open"]
        catalog.refused[title] = refusals.GUESSED
    for task, asked in texts.items():
        names = (whole.name, plural(value.name), task)
        yield Family(whole, names, {**front, "task": task, **asked}, (*key, one, "start_said"), tuple(patterns))


def _is_person(noun: str) -> bool:
    """Whether values are people by what they are called."""
    lists, last = WordLists.load(), noun.split()[-1]
    return last in lists.persons or last in sure.Sure.load().makers or last in lists.agents


def _why_not(part: EntityTable, *, few: bool, odd: bool) -> str | None:
    """Say why nobody is sure to ask whether something is one of the values of a row."""
    if few:
        return sure.UNSURE_FEW
    if part.name.split()[-1] in open_lists() or not sure.is_noun_of_rows(part.name):
        return sure.UNSURE
    return sure.UNSURE_VALUES if odd else None
