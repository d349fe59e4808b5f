"""How a row is named in a question: by its name and kind, beside another row where names repeat; namesakes are left out.

```
>>> slots_of(["billing city", "都市", "row"], ["billing city"])
['billing_city_2', 'slot_2', 'row_2']

```
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import polars as pl

from generators.column_names import WordLists, unit_of
from generators.erbench.catalog import Catalog
from generators.erbench.columns import Attribute, Edge
from generators.erbench.plain import is_other_title
from generators.erbench.sentences import ROW, VALUE
from generators.erbench.sure import Sure, maker
from generators.erbench.tables import EntityTable, spoken_noun
from generators.erbench.traits import OCCUPATIONS
from generators.family.spelling import country_adjectives
from generators.heads import names_people
from generators.nouns import is_plural

_TAKEN = ("row", "claimed", "start_said", "end_said", "namesake", "namesake_said", "like", "like_when", "like_of")


def slots_of(names: Sequence[str], before: Sequence[str]) -> list[str]:
    """Make slots of names: ASCII, none twice, none that a query here uses for something else.

    >>> slots_of(["billing city", "都市", "row"], ["billing city"])
    ['billing_city_2', 'slot_2', 'row_2']
    """
    taken, slots = [*_TAKEN], []
    for at, name in enumerate([*before, *names]):
        plain = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_").lower()
        plain = plain if name.isascii() and re.match(r"[a-z]", plain) else f"slot_{at}"
        slot = plain if plain not in taken else f"{plain}_{2 + sum(t.startswith(plain + '_') for t in taken)}"
        taken.append(slot)
        slots.append(slot)
    return slots[len(before) :]


def braced(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def filled(text: str, row: str, value: str = "") -> str:
    """Put a row and a value into a text of a form; who "painted the painting “X”" painted “X”."""
    said = braced(text).replace(ROW, row).replace(VALUE, value)
    return re.sub(r"\b([a-z]{4,})(ed|s) the \1(?:ing|ure|ion)? (?=“)", r"\1\2 ", said)


def begun(text: str) -> str:
    """Write a question behind the beginning of its sentence."""
    return f"{text[0].lower()}{text[1:]}"


def capitalised(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


def value_text(table: EntityTable | None, slot: str, column: Attribute | None = None) -> str:
    """Say a value: a title is quoted, a country may need its article, people and plain values stand as they are."""
    lists, last = WordLists.load(), column.name.split()[-1] if column is not None else ""
    if column is not None and column.kind == "mark":
        return f"{braced(column.of or column.name)} {{{slot}}}"
    if column is not None and (last in _QUOTED or is_other_title(column.name)):
        return f"“{{{slot}}}”"
    if column is not None and column.kind == "number" and is_count(column.name):
        return f"{{{slot}:words}}"
    if column is not None and column.name == "job title" and column.said != "small":
        return f"“{{{slot}}}”"
    if (column is not None and column.kinds) or (table is not None and table.kinds):
        return f"{{{slot}:one}}"
    is_trade = table is not None and table.common and table.name in OCCUPATIONS
    if is_trade or (column is not None and (column.name in OCCUPATIONS or column.agents)):
        return f"{{{slot}:a}}"
    if column is not None and column.kind == "text" and column.name == "age":
        return f"{{{slot}:the period}}"  # the Late Cretaceous period, the Iron Age
    if (last or (table.name.split()[-1] if table else "")) == "currency":
        return f"{{{slot}:the currency}}"
    if (last or (table.name.split()[-1] if table else "")) == "language":
        return f"{{{slot}}}"  # it is in German; the German language is spoken of
    if table is not None and table.name in lists.rooms:
        return f"{{{slot}:the {table.name}}}"
    if column is not None and column.kind == "text" and last in lists.after_name and last == column.name and last not in _AREAS:
        return f"{{{slot}:the {last}}}"
    if column is not None and column.kind == "text" and last == "river":
        return f"{{{slot}:the river}}"
    if table is not None and table.latin:
        return f"{{{slot}}}"
    if table is not None and table.bare:
        return f"{{{slot}:the}}"
    if table is not None and table.alone and table.name not in lists.alone and not re.search(r"[{}:!]", table.name):
        return f"{{{slot}:the {table.name}}}"  # whether or not each name says what it is
    if table is not None and not table.key and table.name == "river":
        return f"{{{slot}:the river}}"
    if table is not None and not (table.quoted or table.key or table.lands) and table.name in lists.bare:
        return f"{{{slot}}}"  # Mayfair Games, a publisher
    proper = (
        column is not None
        and column.kind == "text"
        and (last not in lists.settlements or last in ("place", "birthplace", "location"))  # in the Russian Empire
        and (
            last in ("by", "for", *Sure.load().verbs) or last in (*lists.areas, *lists.groups, *lists.proper, *lists.companies)
        )
    )
    behind = table is not None and table.name.split()[-1] in lists.after_name and table.name not in _AREAS
    if table is not None and not (table.quoted or table.key or table.lands) and behind:  # in Wales, and not in the Wales region
        return f"{{{slot}:the {table.name}}}" if not re.search(r"[{}:!]", table.name) else f"{{{slot}:the}}"
    if proper or (table is not None and not table.quoted and not table.person and not table.key):
        return f"{{{slot}:the}}"
    if table is not None and table.quoted and table.name in lists.groups:
        return f"the {braced(table.name)} “{{{slot}}}”"
    return f"“{{{slot}}}”" if table is not None and table.quoted else f"{{{slot}}}"


def is_count(name: str) -> bool:
    """Tell whether a column of numbers counts things: "number of lanes", "acts"; no unit is one of those.

    >>> is_count("acts"), is_count("number of lanes"), is_count("length in metres"), is_count("atomic number")
    (True, True, False, False)
    """
    return unit_of(name)[1] is None and (name.startswith("number of ") or is_plural(name.split()[-1]))


TOLD_APART = 0.97
"""Where names tell so many rows apart, they do without what stands beside them."""
_HAPPENED_AT = ("accident", "crash", "explosion", "concert", "festival", "exhibition")
_AREAS = ("region", "province")
"""Somebody is in Wales, and not in the Wales region."""
_QUOTED = frozenset({"subtitle", "nickname", "motto", "slogan", "catchphrase"})
"""Columns of sayings, which run into the sentence where nothing marks them."""


def said_once(text: str) -> str:
    """Say once what a row is.

    >>> said_once("What type of ship was {ship:the ship}?"), said_once("What kind of play is the play “{play}”?")
    ('What type of ship was {ship:the}?', 'What kind of play is “{play}”?')
    >>> said_once("What type of bike is bike {bike}?")
    'What type of bike is bike {bike}?'
    """
    twice = re.fullmatch(r"(What \w+ of (\w+) (?:is|was)) (?:the \2 ([“{].*)|\{(\w+):the \2\}(.*))", text)
    if not twice:
        return text
    return f"{twice[1]} {twice[3]}" if twice[3] else f"{twice[1]} {{{twice[4]}:the}}{twice[5]}"


def mentioned_again(table: EntityTable) -> str:
    """Say a row once more: "it", of people their surname, and of whom nobody knows one, a hero or a god, the name again.

    >>> [mentioned_again(EntityTable("", noun, person=noun == "poet")) for noun in ("bridge", "poet", "superhero")]
    ['it', '{poet:surname}', '{superhero}']
    """
    slot = slots_of([table.name], [])[0]
    if table.person and table.name.split()[-1] not in Sure.load().numbered:  # Severus Alexander is no Mr Alexander
        return f"{{{slot}:surname}}"
    return f"{{{slot}}}" if table.person or table.name.split()[-1] in Sure.load().figures else "it"


def is_anybody(noun: str) -> bool:
    """Tell whether a noun of people says of nobody who they are.

    >>> is_anybody("designer"), is_anybody("game designer"), is_anybody("Nobel laureate")
    (True, False, True)
    """
    return noun in Sure.load().of_something or noun.split()[-1] in Sure.load().anybody


def row_phrase(table: EntityTable, slot: str) -> str:
    """Say which row a slot holds: by its name, with what it is."""
    noun = spoken_noun(table.name)
    if table.mark:
        return f"{braced(noun)} {{{slot}}}" if table.mark.figures else f"the {braced(noun)} {{{slot}}}"
    if table.key:
        return f"{braced(noun)} number {{{slot}}}"
    if table.latin or table.full or (table.said == "small" and noun in WordLists.load().substances):
        return f"{{{slot}}}"  # the density of copper
    if table.bare:
        return f"{{{slot}:the body}}"
    if table.alone:
        named = value_text(table, slot)
        short = named == f"{{{slot}:the}}" and table.name not in WordLists.load().alone and not re.search(r"[{}:!]", table.name)
        return f"{{{slot}:the {noun}}}" if short else named  # one whose name lacks the noun says it all the same
    if table.quoted:
        return f"the {braced(noun)} “{{{slot}}}”"
    if table.person and is_anybody(table.name) and not table.hidden:
        return f"{{{slot}}}"
    unknown = table.person and not names_people(noun)
    if table.hidden or table.single or unknown or re.search(r"[{}:!]", table.name):
        return f"the {braced(noun)} {{{slot}}}"
    return f"{{{slot}:the {noun}}}"


def by_name_alone(table: EntityTable, asked: Edge | Attribute, row: str, *, theirs: bool = False) -> str:
    """Say a person without what they are where that is asked (whether the engineer X was an architect), or who is `theirs`."""
    slot = slots_of([table.name], [])[0]
    told = table.person and (theirs or (not table.hidden and asked.name in OCCUPATIONS))
    return f"{{{slot}}}" if told and row == row_phrase(table, slot) else row


def stated_row(
    catalog: Catalog, table: EntityTable, asked: Edge | Attribute | None, *, dated: bool = True
) -> tuple[str, list[tuple[str, Edge | Attribute]]]:
    """Say which row is asked about: by its name and, where names repeat, by a row that it refers to.

    A work goes with its year, for others in the world may have its title, unless a time is asked for or it may not be `dated`.
    """
    start = slots_of([table.name], [])[0]
    if table.event:
        parent = table.event.parent
        slot = slots_of([parent.name], [table.name])[0]
        at = (
            "of" if table.name not in _HAPPENED_AT else "on" if catalog.names[parent.to] in Sure.load().high else "at"
        )  # an accident on a peak
        return f"the {{{start}}} {braced(table.name)} {at} {row_phrase(catalog.tables[parent.to], slot)}", [(slot, parent)]
    others = [edge for edge in table.edges if edge != asked and edge.to != table.iri and not edge.is_verb]
    if (make := next((edge for edge in others if _bears_make(catalog, table, edge)), None)) is not None:
        slot = slots_of([make.name], [table.name])[0]
        return f"the {{{slot}}} {{{start}}}", [(slot, make)]  # the Saab 900
    telling = [edge for edge in others if _tells_apart(catalog, table, edge) and _joined(table, catalog.tables[edge.to])]
    beside = max(telling, key=lambda edge: catalog.use[edge.iri][2], default=None)
    led = beside is not None and (_is_told_by_maker(catalog, table, beside) or leads_up(table, catalog.tables[beside.to]))
    if (contest := next((edge for edge in others if _is_contest(table, catalog.tables[edge.to])), None)) is not None:
        beside, led = contest, True  # France and Mexico met at more than one
    if beside is None and (kind := _species_of(table, asked)):
        slot = slots_of([kind.name], [table.name])[0]
        return f"the {{{slot}}} {{{start}}}", [(slot, kind)]
    if beside is None or (table.unique >= TOLD_APART and not led):
        if not dated or (year := _year_of(catalog, table, asked)) is None:
            return row_phrase(table, start), []
        slot = slots_of([year.name], [table.name])[0]
        if not table.quoted:
            return f"{row_phrase(table, start)} of {{{slot}}}", [(slot, year)]  # the Italian K2 expedition of 1954
        return row_phrase(table, start).replace("the ", f"the {{{slot}}} ", 1), [(slot, year)]
    slot = slots_of([beside.name], [table.name])[0]
    other = catalog.tables[beside.to]
    if other.person and not (table.quoted or table.alone or table.key):
        if (kind := _species_of(table, asked)) is None:
            return f"{{{slot}}}’s {braced(spoken_noun(table.name))} {{{start}}}", [(slot, beside)]  # Ada Berg’s pet Rex
        of_kind = slots_of([kind.name], [table.name, beside.name])[0]
        return f"{{{slot}}}’s {{{of_kind}}} {{{start}}}", [(slot, beside), (of_kind, kind)]  # Ada Berg’s rabbit Rex
    if is_said_before(table, beside, other):
        return f"the {{{slot}}} {braced(spoken_noun(table.name))} {{{start}}}", [(slot, beside)]  # the British lightship X
    joined = _joined(table, other)
    named = value_text(other, slot) if joined in ("in", "by", "at") else row_phrase(other, slot)
    return f"{row_phrase(table, start)} {joined} {named}", [(slot, beside)]


def _species_of(table: EntityTable, asked: Edge | Attribute | None) -> Attribute | None:
    """Find what animals are, whose names repeat: the rabbit Rex."""
    kinds = [a for a in table.attributes if a.name == "species" and a.kinds and a != asked]
    return kinds[0] if kinds and table.name == "animal" and table.unique < TOLD_APART else None


def _year_of(catalog: Catalog, table: EntityTable, asked: Edge | Attribute | None) -> Attribute | None:
    """Find the year in which works came out: "the 2009 film “Lebanon”"; nobody says it who asks when something was."""
    timed = isinstance(asked, Attribute) and asked.kind in ("year", "date", "month")
    work = table.quoted and table.name.split()[-1] in WordLists.load().works
    if timed or not (work or goes_by_year(table)):
        return None
    own = Sure.load()
    told = [(a, {*a.name.split()}) for a in table.attributes if a.kind == "year"]
    years = [a for a, words in told if words & {*own.came_out} and not words & {*own.not_then}]
    rows = catalog.names_of(table).height  # a row without a year would not be asked about
    return next((year for year in years if catalog.pairs(year.iri).height >= rows), None)


def goes_by_year(table: EntityTable) -> bool:
    """Whether several of a name went out, one year or another: expeditions, but no battles."""
    return table.name.split()[-1] == "expedition" and not (table.quoted or table.event or table.key)


def _bears_make(catalog: Catalog, table: EntityTable, edge: Edge | Attribute) -> bool:
    """Whether a model is called by its make before its name, which does not say it: of each the database knows the maker."""
    if isinstance(edge, Attribute):
        return False
    other = catalog.tables[edge.to]
    if table.name.split()[-1] != "model" or other.person or maker(table.name, other.name) is None:
        return False
    named = catalog.said(edge.iri).join(catalog.names_of(table), left_on="s", right_on="e")
    said = named.filter(pl.col("label").str.to_lowercase().str.starts_with(pl.col("o").str.to_lowercase()))
    return named.height >= _MADE * catalog.names_of(table).height and said.height <= _SAID * named.height


_MADE, _SAID = 0.95, 0.25
"""So many models have a maker, and so many at most say it in their names, which are left out."""


def _is_told_by_maker(catalog: Catalog, table: EntityTable, beside: Edge) -> bool:
    """Whether others have a work's title, whatever a database knows: "Pietà" by Michelangelo, a sculpture."""
    return table.quoted and catalog.tables[beside.to].person and table.name.split()[-1] in Sure.load().seen


def leads_up(table: EntityTable, other: EntityTable) -> bool:
    """Whether rows are ways up a mountain, which many have under one name: the Hörnli Ridge route on the Matterhorn."""
    up = table.name.split()[-1] in ("route", "face", "ridge", "trail", "climb")
    return up and other.name.split()[-1] in {*Sure.load().high, "volcano"} and not table.quoted


def _is_contest(table: EntityTable, other: EntityTable) -> bool:
    """Whether rows are matches of a contest: those who play one meet again."""
    return table.name.split()[-1] in ("match", "fixture") and other.name.split()[-1] in {*Sure.load().held, "tournament"}


def _joined(table: EntityTable, other: EntityTable) -> str | None:
    """Say how a row is told by another: a work by somebody, a bridge in a city, a course of a department; else not at all."""
    lists, noun, last = WordLists.load(), table.name.split()[-1], other.name.split()[-1]
    if leads_up(table, other):
        return "on"
    if _is_contest(table, other):
        return "at"
    if other.person:
        return "by" if table.quoted else "of"
    if last in lists.areas:
        return "in" if table.place else "of"
    if last in ("album", "playlist"):
        return "on"
    return "of" if noun in lists.works or last in {*lists.groups, *lists.institutions, *lists.works} else None


def is_said_before(table: EntityTable, link: Edge | Attribute, other: EntityTable) -> bool:
    """Whether the country that tells a row is said by an adjective: a thing or somebody is from it, a place is in it."""
    plain = not (table.place or table.quoted or table.alone or table.bare or table.key)
    return isinstance(link, Edge) and plain and other.name in ("country", "nation")


def _tells_apart(catalog: Catalog, table: EntityTable, edge: Edge) -> bool:
    """Whether rows that share a name hardly share what this leads to: an album tells tracks apart, a genre does not."""
    _, subjects, objects, _ = catalog.use[edge.iri]
    if objects < 0.05 * subjects or is_said_before(table, edge, catalog.tables[edge.to]):
        return objects >= 0.05 * subjects  # of ships that share names, others of the world do as well
    rows = catalog.names_of(table)
    apart = rows.join(catalog.pairs(edge.iri), left_on="e", right_on="s", how="left").select("label", "o").n_unique()
    if leads_up(table, catalog.tables[edge.to]):
        return True
    return apart > rows["label"].n_unique() or _is_told_by_maker(catalog, table, edge)


def without(what: str, values: Sequence[str]) -> list[str]:
    """Write a filter against some values, a few to a line."""
    lines = [", ".join(values[at : at + 3]) for at in range(0, len(values), 3)]
    return (
        [f"FILTER({what} NOT IN (", *(f"  {line}{',' if line != lines[-1] else ''}" for line in lines), "))"] if lines else []
    )


def row_variable(table: EntityTable) -> str:
    """The variable of the row asked about: what names it, or another one where a column does."""
    return "?row" if table.key else f"?{slots_of([table.name], [])[0]}"


def beside_patterns(table: EntityTable, beside: Sequence[tuple[str, Edge | Attribute]]) -> list[str]:
    """The patterns of the rows that are named because names repeat."""
    return [f"{row_variable(table)} {edge.path} ?{slot} ." for slot, edge in beside]


def alone_patterns(catalog: Catalog, table: EntityTable, beside: Sequence[tuple[str, Edge | Attribute]]) -> list[str]:
    """The patterns that leave out a row of which another has the name, and what is named beside it, with or without a value."""
    row = row_variable(table)
    if table.event:
        (slot, parent), when = beside[0], slots_of([table.name], [])[0]
        year = f"SUBSTR(STR(?namesake_said), 1, 4) = SUBSTR(STR(?{when}), 1, 4)"
        same = f"?namesake {parent.path} ?{slot} ; <{table.key}> ?namesake_said ."
        return ["FILTER NOT EXISTS {", f"  {same}", f"  FILTER(?namesake != {row} && {year})", "}"]
    apart = [line for slot, edge in beside if _bears_make(catalog, table, edge) for line in _unsaid_make(row, slot)]
    apart += [line for slot, edge in beside if isinstance(edge, Edge) for line in _unsaid_land(catalog, table, slot, edge)]
    if table.key or table.unique == 1 or not _has_namesakes(catalog, table, beside):
        return apart
    # Groups find all namesakes at once, where NOT EXISTS would search for each row and MINUS compare each with each.
    said = " ".join(["?namesake_said", *(f"?{slot}" for slot, _ in beside)])
    told = [
        f"?namesake a <{table.iri}> ; rdfs:label ?namesake_said .",
        *(f"?namesake {edge.path} ?{slot} ." for slot, edge in beside),
    ]
    alone = [f"{{ SELECT {said} WHERE {{", *(f"    {line}" for line in told)]
    alone.append(f"  }} GROUP BY {said} HAVING(COUNT(DISTINCT ?namesake) = 1) }}")
    return [*apart, *alone, f"{row} rdfs:label ?namesake_said ."]


def _unsaid_make(row: str, slot: str) -> list[str]:
    """Leave out a model whose name begins with its make: nobody says "the Mini Mini Hatch"."""
    begins = "STRSTARTS(LCASE(STR(?model_said)), LCASE(STR(?make_said)))"
    return [f"{row} rdfs:label ?model_said . ?{slot} rdfs:label ?make_said .", f"FILTER(!{begins})"]


def _unsaid_land(catalog: Catalog, table: EntityTable, slot: str, edge: Edge) -> list[str]:
    """Leave out countries of which nobody knows what is said of what comes from them."""
    other = catalog.tables[edge.to]
    if not is_said_before(table, edge, other):
        return []
    rows = catalog.names_of(other).filter(~pl.col("label").str.to_lowercase().is_in([*country_adjectives()]))
    return [f"FILTER(?{slot} NOT IN ({', '.join(f'<{row}>' for row in rows['e'].sort())}))"] if rows.height else []


def _has_namesakes(catalog: Catalog, table: EntityTable, beside: Sequence[tuple[str, Edge | Attribute]]) -> bool:
    """Whether two rows have one name, and one row beside it: a filter against them takes a search for each row."""
    rows = catalog.names_of(table)
    for slot, edge in beside:
        rows = rows.join(catalog.pairs(edge.iri).rename({"s": "e", "o": slot}), on="e")
    return bool(rows.drop("e").is_duplicated().any())


def within(catalog: Catalog, table: EntityTable, question: object, asked: Edge | Attribute | None = None) -> object:
    """Say of what the database is, where that is not known: "In the Chinook shop, who is the customer of ...?"."""
    setting = catalog.opening(table, asked)
    if setting is None:
        return question
    if isinstance(question, dict):
        # A choice says it of its row, not in front: its stem need not be a question.
        return {key: text if isinstance(text, dict) else within(catalog, table, text, asked) for key, text in question.items()}
    return f"{capitalised(braced(setting))}, {begun(str(question))}"


def of_database(catalog: Catalog, table: EntityTable, row: str) -> str:
    """Say a row and, where that is not known, of what database it is."""
    setting = catalog.setting(table)
    return f"{row} {braced(setting)}" if setting else row


def stem_of(catalog: Catalog, table: EntityTable, stem: str, row: str) -> str:
    """Ask which statement about a row is wrong; a database is named in front, what it is of (`--about`) behind the row."""
    opening = catalog.opening(table)
    if catalog.about and opening == catalog.setting(table):
        opening = None
    elif catalog.about and opening is None:
        return stem.replace("{row}", row)
    if opening is None:
        return stem.replace("{row}", of_database(catalog, table, row))
    return f"{capitalised(braced(opening))}, {begun(stem.replace('{row}', row))}"
