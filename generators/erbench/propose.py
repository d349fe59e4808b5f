"""Families proposed from a schema: every join path whose dependency holds, phrased from the names of tables and columns.

What is proposed is a `.rq` file that a person can edit; what is not, is refused with the reason.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from generators.column_names import WordLists, unit_of
from generators.erbench import refusals
from generators.erbench.catalog import Catalog
from generators.erbench.columns import Attribute, Edge
from generators.erbench.flags import YES, flag, one_of
from generators.erbench.grading import Grades
from generators.erbench.joined import families_of
from generators.erbench.junctions import junctions_of
from generators.erbench.lands import apart_from, is_vague, land_of, with_states
from generators.erbench.multivalued import members_of
from generators.erbench.rows import (
    alone_patterns,
    beside_patterns,
    by_name_alone,
    capitalised,
    filled,
    is_said_before,
    mentioned_again,
    of_database,
    row_variable,
    said_once,
    slots_of,
    stated_row,
    stem_of,
    value_text,
    within,
)
from generators.erbench.sentences import ROW, VALUE, Form
from generators.erbench.steps import Step, form_of, probe_of, steps_of, took_place
from generators.erbench.sure import Sure
from generators.erbench.tables import EntityTable
from generators.erbench.times import ends_it
from generators.erbench.ways import Path, paths, shortcut
from queries.templates import Template, parse


@dataclass(frozen=True)
class Proposal:
    """A proposed family: the name of its file, its front matter besides the name, and its query."""

    name: str
    front: Mapping[str, object]
    query: str

    @property
    def text(self) -> str:
        """The text of the file."""
        head = [f"#+ {line}" for key, value in {"name": self.name, **self.front}.items() for line in yaml_lines(key, value)]
        return "\n".join([*head, self.query]) + "\n"

    @property
    def questions(self) -> dict[str, str]:
        """The questions by variant, but those of a choice."""
        question = self.front["question"]
        return {v: text for v, text in question.items() if isinstance(text, str)} if isinstance(question, dict) else {}

    @property
    def statements(self) -> dict[str, str]:
        """The options of a choice by slot, which are the same in all its variants."""
        question = self.front["question"]
        choices = [c for c in question.values() if isinstance(c, dict)] if isinstance(question, dict) else []
        return dict(choices[0]["options"]) if choices else {}

    def with_texts(self, texts: Mapping[str, str]) -> Proposal:
        """Return the family with other texts: questions by variant, or the options of a choice by slot."""
        question = self.front["question"]
        if not self.statements or not isinstance(question, dict):
            return replace(self, front={**self.front, "question": dict(texts)})
        worded = {variant: {**choice, "options": dict(texts)} for variant, choice in question.items()}
        return replace(self, front={**self.front, "question": worded})

    def without_probes(self) -> Proposal:
        """Return the family without its probes."""
        return replace(self, front={key: value for key, value in self.front.items() if key != "probe"})

    @property
    def template(self) -> Template:
        """The family, read from its text."""
        return parse(self.text, f"{self.name}.rq")


def propose(catalog: Catalog, hops: int, domain: str, *, all_wordings: bool = False, negated: bool = False) -> list[Proposal]:
    """Propose families for all paths, and a choice for every table that determines enough; refusals go to the catalog.

    Families that a person would not surely word so are refused, too, unless `all_wordings`; what is claimed is denied, too,
    where `negated` ("Is it true that X is not ...?").
    """
    proposals, asked = [], dict[str, set[str]]()  # by what a row is called: a bridge and a museum are no one question's
    grades = Grades(catalog, all_wordings=all_wordings, negated=negated)
    for path in paths(catalog, hops):
        why = shortcut(catalog, path)
        tasks = {None: ("open", "yes_no"), refusals.GUESSED: ("yes_no",)}.get(why, ())
        if catalog.tables[path.start].event and path.end and path.end.kind in ("date", "year"):
            tasks = tasks[:1]  # a false date, of another event, would show by its year
        if not grades.claims(path):
            tasks = tasks[:1] if tasks[:1] == ("open",) else ()
        if grades.chosen and is_vague(catalog, path):
            tasks = tasks[1:]
        forms = _forms(catalog, path, domain, tasks, grades)
        texts = [text for form in forms for text in form.questions.values()]
        called = catalog.tables[path.start].name
        seen = asked.setdefault(called, set())
        unworded = _unworded(catalog, path, texts, seen) or (grades.of_path(path, texts) if texts else None)
        if not unworded and path.end and path.end.kind == "number":
            measure = f"{path.title.removesuffix(path.end.name)}{unit_of(path.end.name)[0]}: number"
            unworded = refusals.MEASURED if measure in seen else None
            seen.add(measure)
        if why or unworded:
            catalog.refused[f"{called}: {path.title}"] = unworded or why or ""
        if not unworded:
            seen |= refusals.open_texts(texts)
            proposals += forms
    for table in catalog.tables.values():
        stated = _stated(catalog, table, grades)
        if len(stated) >= (_FEW if all_wordings else _ENOUGH) and not grades.of_table(table):
            proposals.append(_choice(catalog, table, stated, domain, grades))
    joined = ((j.table.name, family) for j in junctions_of(catalog) for family in families_of(catalog, j, domain, grades))
    given = ((v.table.name, family) for v in catalog.value_tables for family in members_of(catalog, v, domain, grades))
    for name, family in itertools.chain(joined, given):
        if not (refused := refusals.of_wording(_texts(family.front), personal=catalog.personal)):
            made = _proposal(catalog, family.asked, family.title, family.front, family.slots, family.patterns)
            proposals.append(made)
            catalog.refused.pop(name, None)
        else:
            catalog.refused[": ".join(family.title)] = refused
    return list(_with_distinct_names(proposals))


def _texts(front: Mapping[str, object]) -> list[str]:
    question = front["question"]
    return [str(text) for text in question.values()] if isinstance(question, dict) else []


_ENOUGH, _FEW = 3, 2
"""So many statements make a choice; of two, each is one of a pair."""


def _embeds(catalog: Catalog, path: Path) -> bool:
    """Whether a question would put a clause in its midst: "When was the department that X belongs to founded?"."""
    last = steps_of(catalog, path, "{row}", ["value"] * path.hops)[-1]
    return refusals.clauses_in(last.row) > 0 and not last.form.ask.endswith(f"{ROW}?")


def _forms(catalog: Catalog, path: Path, domain: str, tasks: Sequence[str], grades: Grades) -> list[Proposal]:
    """Propose the forms in which the end of a path is asked."""
    if tasks and path.end is not None and path.end.kind == "flag":
        return _of_flag(catalog, path, path.end, domain, grades)
    # "Is the quantity of order 2387 15 kilograms?" is hard to read.
    mark = catalog.tables[path.start].mark
    beside = mark and mark.figures and f"{ROW} {VALUE}" in form_of(catalog, path.links[-1]).claim
    return [_of_path(catalog, path, task, domain, grades) for task in tasks if task == "open" or not beside]


def _unworded(catalog: Catalog, path: Path, texts: Sequence[str], seen: set[str]) -> str | None:
    """Say why the questions of a path would not be asked, as they are worded."""
    why = refusals.of_questions(texts, seen) or (refusals.EMBEDDED if _embeds(catalog, path) else None)
    return why or refusals.of_wording(texts, personal=catalog.personal)


def _with_distinct_names(proposals: Iterable[Proposal]) -> Iterator[Proposal]:
    """Number the families of one name: names of tables and columns may differ in signs alone."""
    seen: Counter[str] = Counter()
    for proposal in proposals:
        seen[proposal.name] += 1
        if seen[proposal.name] == 1:
            yield proposal
            continue
        yield replace(proposal, name=f"{proposal.name}-{seen[proposal.name]}")


def _spelled(
    catalog: Catalog,
    table: EntityTable,
    beside: Sequence[tuple[str, Edge | Attribute]],
    links: Iterable[tuple[str, Edge | Attribute]],
) -> dict[str, object]:
    """The key `slots` of the front matter: which slots are said in another form than the data's."""
    start = [(slots_of([table.name], [])[0], "year" if table.event else table.said)]
    told = [*beside, *links]
    rows = [(slot, catalog.tables[link.to].said if isinstance(link, Edge) else link.said) for slot, link in told]
    before = [slot for slot, link in beside if isinstance(link, Edge) and is_said_before(table, link, catalog.tables[link.to])]
    rows += [(slot, "adjective") for slot in before]
    said = {slot: how for slot, how in [*start, *rows] if how}
    return (
        {"slots": {slot: {"said": how} | ({"type": "date"} if how.startswith("date") else {}) for slot, how in said.items()}}
        if said
        else {}
    )


# --- the files


def _of_path(catalog: Catalog, path: Path, task: str, domain: str, grades: Grades) -> Proposal:
    """Propose a question for the end of a path: in short, or whether it is some value."""
    table = catalog.tables[path.start]
    row, beside = stated_row(catalog, table, path.links[0])
    first = path.links[0]
    row = by_name_alone(table, first, row, theirs=form_of(catalog, first).whole.startswith(f"{ROW}’s"))
    names = [edge.name for edge in path.edges] + ([path.end.name] if path.end else [])
    start = slots_of([table.name], [])[0]
    key = [start, *(slot for slot, _ in beside)]
    slots = slots_of(names, [table.name, *key[1:]])
    steps = steps_of(catalog, path, row, slots)
    land = land_of(catalog, table, path, [*key, *slots]) if task == "open" else None
    front: dict[str, object] = {"summary": capitalised(steps[-1].whole), "method": "erbench", "domain": domain, "task": task}
    front |= {"key": key, "answer": slots[-1], "rationale": slots}
    front["explain"] = [step.told for step in steps]
    front |= _asked(catalog, path, task, row, steps, slots[-1], grades)
    links = list(zip(slots, path.links, strict=True))
    front |= _spelled(catalog, table, beside, [*links, *([(land.slot, land.link)] if land else [])])
    if land:
        key = front["key"] = [*key, land.slot]
        front["question"] = {"basic": land.within(filled(steps[-1].form.ask, steps[-1].row))}
    named = [*beside_patterns(table, beside), *alone_patterns(catalog, table, beside)]
    patterns = [
        *named,
        *_path_patterns(table, path, slots),
        *([f"{row_variable(table)} {land.path} ?{land.slot} .", *with_states(catalog, land)] if land else []),
        *(apart_from(slots[-1], land, is_row=not path.end) if land else []),
        *grades.left_out(table, links, task),
        *([] if beside else grades.called_by_form(table)),
        *grades.gone(table, path.links),
    ]
    patterns += grades.given_away(path)
    shown = [*key, *slots]
    if task == "yes_no" and (near := grades.near(path, slots)):
        front["near"], patterns = {slots[-1]: near[0]}, [*patterns, *near[1]]
        shown += [near[0]] if near[1] else []
    if table.mark and path.end and not table.mark.figures:  # specimen 2011.033 was found in 2011
        front["ask"] = _apart(f"LCASE(STR(?{start}))", f"LCASE(STR(?{slots[-1]}))")
    if not table.key:
        # A name that holds the answer ("The Best of X", by X) is not asked about.
        end = slots[-1] if path.end else "end_said"
        front["ask"] = _apart("LCASE(STR(?start_said))", f"LCASE(STR(?{end}))")
        if path.end and path.end.kind == "number" and f"{ROW} {VALUE}" in steps[-1].form.claim and task == "yes_no":
            front["ask"] = f"{front['ask']} && !REGEX(STR(?start_said), '[0-9][)]?$')"  # "Is Chang'e 5 57 metres tall?"
        patterns += [f"?{start} rdfs:label ?start_said .", *([] if path.end else [f"?{slots[-1]} rdfs:label ?end_said ."])]
        shown += ["start_said", *([] if path.end else ["end_said"])]
    return _proposal(catalog, table, [table.name, path.title, task], front, shown, patterns, path.links[-1])


def _of_flag(catalog: Catalog, path: Path, column: Attribute, domain: str, grades: Grades) -> list[Proposal]:
    """Propose whether something holds of a row itself: "Is X discontinued?"."""
    table = catalog.tables[path.start]
    past = bool(table.event) or took_place(table)
    # What is held is over, whatever a column of yes and no calls it: a match was a draw.
    held_once = table.name.split()[-1] in Sure.load().held
    said = one_of(column.name, past=past or held_once) if column.beside else flag(column.name, past=past)
    if path.edges or said is None or table.name.endswith(" type"):
        catalog.refused[f"{table.name}: {path.title}"] = "yes and no are no answers to what its name says"
        return []
    row, beside = stated_row(catalog, table, None)
    start = slots_of([table.name], [])[0]
    key = [start, *(slot for slot, _ in beside)]
    held, told = slots_of([f"so {column.name}", f"told {column.name}"], [table.name, *key[1:]])
    front: dict[str, object] = {"summary": filled(said[0], f"a {table.name}"), "method": "erbench", "domain": domain}
    front |= {"task": "yes_no", "key": key, "holds": held} | _spelled(catalog, table, beside, [])
    front["question"] = _both_ways(filled(said[0], row), filled(said[1], row), grades)
    named = [*beside_patterns(table, beside), *alone_patterns(catalog, table, beside)]
    patterns = [*named, f"{row_variable(table)} <{column.iri}> ?{told} .", *grades.left_out(table, [])]
    yes = ", ".join(json.dumps(word) for word in YES)
    patterns.append(f"BIND(LCASE(STR(?{told})) IN ({yes}) AS ?{held})")
    if column.beside:  # what is a "rodent, not censused" is one, whatever the column says
        patterns.append(f"{row_variable(table)} <{column.beside}> ?kind_said .")
        patterns.append(f"FILTER(CONTAINS(LCASE(STR(?kind_said)), {json.dumps(column.name)}) = ?{held})")
    if column.beside and not table.key:  # a "Rodent sp." says so itself
        patterns.append(f"?{start} rdfs:label ?start_said .")
        patterns.append(f"FILTER(!CONTAINS(LCASE(STR(?start_said)), {json.dumps(column.name)}))")
    return [_proposal(catalog, table, [table.name, column.name], front, [*key, held], patterns)]


def _asked(
    catalog: Catalog, path: Path, task: str, row: str, steps: Sequence[Step], answer: str, grades: Grades
) -> dict[str, object]:
    """The keys of the front matter that say what is asked of the end of a path."""
    last = steps[-1]
    if task == "open":
        return {"question": {"basic": said_once(filled(last.form.ask, last.row))}}
    claimed = value_text(None if path.end else catalog.tables[path.edges[-1].to], "claimed", path.end)
    front: dict[str, object] = {"claim": {"slot": answer, "value": "claimed", "test": "="}}
    front["question"] = _both_ways(
        filled(last.form.claim, last.row, claimed), filled(last.form.deny, last.row, claimed), grades
    )
    if _may_be_known(catalog, catalog.tables[path.start], grades):
        heard = of_database(catalog, catalog.tables[path.start], row)
        front["probe"] = {"whole": probe_of(heard, steps)}
    return front


def _may_be_known(catalog: Catalog, table: EntityTable, grades: Grades) -> bool:
    """Whether it is worth asking if somebody has heard of a row: of no number, no customer, and of every country."""
    by_all = table.name in {*WordLists.load().alone} - {"person"}
    return not table.key and not (grades.chosen and (by_all or catalog.is_kept_inside(table)))


def _both_ways(claim: str, denial: str, grades: Grades) -> dict[str, str]:
    """Ask whether something is so and, where denials are wanted, whether it is not."""
    return {"basic": claim} | ({"negated": f"Is it true that {denial}?"} if grades.negated else {})


def _path_patterns(table: EntityTable, path: Path, slots: Sequence[str]) -> list[str]:
    """The patterns that lead from the row asked about to the end of a path."""
    rows = [row_variable(table), *(f"?{slot}" for slot in slots)]
    return [f"{rows[i]} {link.path} {rows[i + 1]} ." for i, link in enumerate(path.links)]


def _apart(name: str, value: str) -> str:
    """Write that a name does not hold a value, nor the last of its words, as the Abdoun Bridge does "Wadi Abdoun".

    One or two letters stand in many names by chance, and count as a word only.
    """
    padded = f"CONCAT(' ', REPLACE({name}, \"['’]s? \", ' '), ' ')"
    last = f"REPLACE(REPLACE({value}, ',.*$', ''), '^.* ', '')"  # of "Amundsen, Roald" the first
    whole = f"CONTAINS({name}, {value}) && (STRLEN({value}) > 2 || CONTAINS({padded}, CONCAT(' ', {value}, ' ')))"
    return f"!({whole} || STRLEN({last}) > 3 && CONTAINS({padded}, CONCAT(' ', {last}, ' ')))"


def _stated(catalog: Catalog, table: EntityTable, grades: Grades) -> list[_Statement]:
    """What a choice states of a row, at most four things."""
    _, beside = stated_row(catalog, table, None, dated=False)
    taken = {edge.iri for _, edge in beside}
    links: list[Edge | Attribute] = [e for e in table.edges if not e.is_verb and e.iri not in taken]
    told = ("flag", "date", "year") if table.event else ("flag",)
    links = [*links, *(a for a in table.attributes if a.kind not in told and a.iri not in taken)]
    refused = {name for name, why in catalog.refused.items() if why != refusals.GUESSED}
    links = [link for link in links if f"{table.name}: {link.name}" not in refused and grades.is_claimed(link)]
    links = [link for link in links if grades.of_link(link) is None]
    apart = _apart_in_time(links)
    links = _apart_in_place(apart if len(apart) > 2 or not table.person else links)
    links = [*{_without_time(link.name): link for link in reversed(links)}.values()][::-1][:4]
    slots = slots_of([link.name for link in links], [table.name, *(slot for slot, _ in beside)])
    return [
        _Statement(
            link,
            slot,
            form_of(catalog, link),
            value_text(catalog.tables[link.to], slot) if isinstance(link, Edge) else value_text(None, slot, link),
        )
        for slot, link in zip(slots, links, strict=True)
    ]


def _apart_in_time(links: Sequence[Edge | Attribute]) -> list[Edge | Attribute]:
    """Leave out when something ended where it says when that began: a dog that died years before it was born is no riddle."""
    ended = [link for link in links if ends_it(link.name) or {"death", "died"} & {*link.name.split()}]
    dated = [link for link in links if isinstance(link, Attribute) and link.kind in ("year", "date") and link not in ended]
    return [link for link in links if not (dated and link in ended)]


def _without_time(name: str) -> str:
    """Say what a year and a date of one event have in common, of which one gives the other away: `opened on`, `opened year`.

    >>> _without_time("opened on"), _without_time("year opened"), _without_time("year")
    ('opened', 'opened', 'year')
    """
    return " ".join(word for word in name.split() if word not in ("year", "date", "day", "on", "in")) or name


def _apart_in_place(links: Sequence[Edge | Attribute]) -> list[Edge | Attribute]:
    """Leave out all places but the first: a city and its country vouch for each other, and the third statement is false."""
    places = [link for link in links if link.name.split()[-1] in {*WordLists.load().areas, "in", "at", "headquarters"}]
    return [link for link in links if link not in places[1:]]


@dataclass(frozen=True)
class _Statement:
    """What an option says of a row: the column or foreign key, slot, form, and how the value is shown."""

    link: Edge | Attribute
    slot: str
    form: Form
    value: str

    def option(self, table: EntityTable) -> str:
        """The text of the option: "It opened in 1973.", "Its capital is Rome.", of Jane Doe "Doe was born in 1813."."""
        who = mentioned_again(table)
        whose = "its" if who == "it" else f"{ROW}’s"
        said = re.sub(f"^(?:[Tt]he |(?=construction ))(.+?) of {ROW}", f"{whose} \\1", self.form.say).replace(f"{ROW}’s", whose)
        return f"{capitalised(filled(said, who, self.value))}."


_STEMS = (
    "Which statement about {row} is false?",
    "One of these statements is not true of {row}. Which one?",
    "Which of these statements about {row} is wrong?",
)
"""How a choice is asked."""


def _phrasing(stems: Sequence[str], table: EntityTable) -> str:
    """Take one phrasing for all rows of a table: the same statements asked in three are one question three times."""
    return stems[int(hashlib.sha256(table.name.encode()).hexdigest(), 16) % len(stems)]


def _choice(catalog: Catalog, table: EntityTable, stated: Sequence[_Statement], domain: str, grades: Grades) -> Proposal:
    """Propose a choice among statements about a row."""
    row, beside = stated_row(catalog, table, None, dated=False)
    options = {statement.slot: statement.option(table) for statement in stated}
    heard = of_database(catalog, table, row)
    stem = stem_of(catalog, table, _phrasing(_STEMS, table), row)
    question = {"basic": {"stem": stem, "options": options}}
    key = [slots_of([table.name], [])[0], *(slot for slot, _ in beside)]
    slots = [statement.slot for statement in stated]
    front: dict[str, object] = {"summary": f"What is true of a {table.name}", "method": "erbench", "domain": domain}
    front |= {"task": "choice", "key": key, "answer": slots, "question": question}
    links = [(statement.slot, statement.link) for statement in stated]
    front |= _spelled(catalog, table, beside, links)
    if _may_be_known(catalog, table, grades):
        in_figures = catalog.names_of(table)["label"].str.contains(r"\d\)?$").any()  # "Is Ariane 5 52 metres tall?"
        # A probe for the entity and one for each value, apart (ERBench, appendix B.1, choices).
        known = {
            statement.slot: within(catalog, table, filled(statement.form.claim, row, statement.value))
            for statement in stated
            if not (in_figures and f"{ROW} {VALUE}" in statement.form.claim)
        }
        front["probe"] = {"entity": f"Have you heard of {heard}?", **known}
    patterns = [f"{row_variable(table)} {statement.link.path} ?{statement.slot} ." for statement in stated]
    near, alike = dict[str, str](), list[str]()
    for n, (slot, link) in enumerate(links):
        path = Path(table.iri, (link,), None) if isinstance(link, Edge) else Path(table.iri, (), link)
        if found := grades.near(path, [slot], f"like_{n}"):
            near[slot], patterns = found[0], [*patterns, *found[1]]
            alike += [found[0]] if found[1] else []
        elif grades.chosen:
            near[slot] = "never"
    front |= {"near": near} if {*near.values()} - {"never"} else {}
    patterns += [
        line
        for statement in stated
        for line in grades.given_away(
            Path(table.iri, (statement.link,), None)
            if isinstance(statement.link, Edge)
            else Path(table.iri, (), statement.link)
        )
    ]
    patterns += [*grades.gone(table, [statement.link for statement in stated]), *grades.without_surnames(table)]
    return _proposal(
        catalog,
        table,
        [table.name, "facts"],
        front,
        [*key, *slots, *alike],
        [*beside_patterns(table, beside), *alone_patterns(catalog, table, beside), *patterns, *grades.left_out(table, links)],
    )


def _proposal(
    catalog: Catalog,
    table: EntityTable,
    title: Sequence[str],
    front: dict[str, object],
    slots: Sequence[str],
    body: Sequence[str],
    asked: Edge | Attribute | None = None,
) -> Proposal:
    """Write a family as a file; IRIs are relative to the base of the tables."""
    front |= {"question": within(catalog, table, front["question"], asked)}
    base = catalog.graph.base or ""
    named = [f"?row <{table.key}> ?{slots_of([table.name], [])[0]} ."] if table.key else []
    lines = [f"  {line}" for line in [f"{row_variable(table)} a <{table.iri}> .", *named, *body]]
    query = [
        "SELECT " + " ".join(f"?{slot}" for slot in slots) + " WHERE {",
        *(line.replace(f"<{base}", "<") for line in lines),
        "}",
    ]
    return Proposal(_file_name(title), front, "\n".join(query))


def _file_name(title: Sequence[str]) -> str:
    text = "-".join(title)
    plain = re.sub(r"[^A-Za-z0-9_]+", "-", text).strip("-")
    return plain if text.isascii() and plain else f"family-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


_WIDTH = 118
"""How long a line of a proposed file is, at most, but for a word that is longer."""


def yaml_lines(key: str, value: object) -> list[str]:
    """Write a key of the front matter as lines that a person can read and edit.

    >>> yaml_lines("key", ["track"]), yaml_lines("question", {"basic": "Who sang {track}?"})
    (['key: [track]'], ['question:', '  basic: "Who sang {track}?"'])
    """
    flat = _flow(value)
    if flat is not None and len(key) + len(flat) + 2 <= _WIDTH:
        return [f"{key}: {flat}"]
    if isinstance(value, dict):
        return [f"{key}:", *(f"  {line}" for name, entry in value.items() for line in yaml_lines(name, entry))]
    if isinstance(value, list):
        return [f"{key}:", *(line for entry in value for line in _entry(json.dumps(entry, ensure_ascii=False)))]
    return [f"{key}:", *(f"  {line}" for line in _folded(json.dumps(value, ensure_ascii=False)))]


_PLAIN = re.compile(r"(?!(?:y|n|yes|no|on|off|true|false|null)$)[A-Za-z_][A-Za-z0-9_-]*", re.IGNORECASE)


def _flow(value: object) -> str | None:
    """Write a text, or a few names, on one line; None for what is better read on several."""
    if isinstance(value, str):
        return value if _PLAIN.fullmatch(value) else json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return f"[{', '.join(value)}]" if all(_PLAIN.fullmatch(entry) for entry in value) else None
    if (
        isinstance(value, dict)
        and value
        and all(isinstance(entry, str) and _PLAIN.fullmatch(entry) for entry in value.values())
    ):
        return "{" + ", ".join(f"{key}: {entry}" for key, entry in value.items()) + "}"
    return None


def _entry(text: str) -> list[str]:
    first, *rest = _folded(text)
    return [f"  - {first}", *(f"    {line}" for line in rest)]


def _folded(text: str) -> list[str]:
    """Break a quoted text at single blanks, which YAML joins again by one."""
    lines, line = list[str](), ""
    for word in re.split(r"(?<=[^\s']) (?=[^\s'])", text):
        if line and len(line) + len(word) + 1 > _WIDTH:
            lines, line = [*lines, line], word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line]
