"""Families proposed from a schema: every join path whose dependency holds, phrased from the names of tables and columns.

networkx walks the schema: its nodes are the tables, its edges the foreign keys. What is proposed is a `.rq` file that a person
can edit; what is not, is refused with the reason.

"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import networkx as nx
import polars as pl

from generators.column_names import WordLists, unit_of
from generators.erbench import ends, refusals
from generators.erbench.catalog import ALIKE, Catalog, EntityTable
from generators.erbench.columns import Attribute, Edge
from generators.erbench.events import in_the_past
from generators.erbench.forms import ROW, VALUE, Form, Subject, flag, form
from generators.erbench.front_matter import yaml_lines
from kg.text import fold_all
from queries.templates import Template, parse

if TYPE_CHECKING:
    Schema: TypeAlias = nx.MultiDiGraph[str]


@dataclass(frozen=True)
class Path:
    """A way from a row of a table along foreign keys to an end: the last row itself, or a column of it."""

    start: str
    edges: tuple[Edge, ...]
    end: Attribute | None

    @property
    def hops(self) -> int:
        """How many values a right explanation names."""
        return len(self.edges) + (self.end is not None)

    @property
    def title(self) -> str:
        """What to call it: the names along the way."""
        return " / ".join([*(edge.name for edge in self.edges), *([self.end.name] if self.end else [])])


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
    def template(self) -> Template:
        """The family, read from its text."""
        return parse(self.text, f"{self.name}.rq")


def paths(catalog: Catalog, hops: int) -> Iterator[Path]:
    """Yield every path of up to so many hops: no table twice, but that a table may refer to itself once."""
    schema: Schema = nx.MultiDiGraph()
    schema.add_nodes_from(catalog.tables)
    for table in catalog.tables.values():
        schema.add_edges_from((edge.table, edge.to, {"edge": edge}) for edge in table.edges)
    for start in catalog.tables:
        yield from _from(schema, catalog, start, (), hops)


def _from(schema: Schema, catalog: Catalog, start: str, edges: tuple[Edge, ...], hops: int) -> Iterator[Path]:
    here = edges[-1].to if edges else start
    if edges:
        yield Path(start, edges, None)
    if len(edges) < hops:
        yield from (Path(start, edges, attribute) for attribute in catalog.tables[here].attributes)
        for _, to, data in schema.out_edges(here, data=True):
            edge: Edge = data["edge"]
            back = to in {start, *(e.to for e in edges)} and not (to == here and not any(e.table == e.to for e in edges))
            verbs = edge.is_verb and any(e.is_verb for e in edges)
            if not back and not verbs:
                yield from _from(schema, catalog, start, (*edges, edge), hops)


def propose(catalog: Catalog, hops: int, domain: str) -> list[Proposal]:
    """Propose families for all paths, and a choice for every table that determines enough; refusals go to the catalog."""
    proposals, asked = [], dict[str, set[str]]()  # by what a row is called: a bridge and a museum are no one question's
    for path in paths(catalog, hops):
        why = _shortcut(catalog, path)
        tasks = {None: ("open", "yes_no"), refusals.GUESSED: ("yes_no",)}.get(why, ())
        if catalog.tables[path.start].event and path.end and path.end.kind in ("date", "year"):
            tasks = tasks[:1]  # a false date, of another event, would show by its year
        forms = _forms(catalog, path, domain, tasks)
        texts = [text for form in forms for text in form.questions.values()]
        called = catalog.tables[path.start].name
        seen = asked.setdefault(called, set())
        unworded = _unworded(catalog, path, texts, seen)
        if why or unworded:
            catalog.refused[f"{called}: {path.title}"] = unworded or why or ""
        if not unworded:
            seen |= refusals.open_texts(texts)
            proposals += forms
    proposals += [_choice(catalog, table, domain) for table in catalog.tables.values() if len(_stated(catalog, table)) > 1]
    return list(_with_distinct_names(proposals))


def _embeds(catalog: Catalog, path: Path) -> bool:
    """Whether a question would put a clause in its midst: "When was the department that X belongs to founded?"."""
    last = _steps(catalog, path, "{row}", ["value"] * path.hops)[-1]
    return refusals.clauses_in(last.row) > 0 and not last.form.ask.endswith(f"{ROW}?")


def _forms(catalog: Catalog, path: Path, domain: str, tasks: Sequence[str]) -> list[Proposal]:
    """Propose the forms in which the end of a path is asked."""
    if tasks and path.end is not None and path.end.kind == "flag":
        return _of_flag(catalog, path, path.end, domain)
    return [_of_path(catalog, path, task, domain) for task in tasks]


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


# --- what gives the end away


def _end(catalog: Catalog, path: Path) -> pl.DataFrame:
    """`s, o`: from the start of a path to what its end says."""
    pairs = None
    for edge in path.edges:
        step = catalog.pairs(edge.iri)
        pairs = step if pairs is None else pairs.join(step, left_on="o", right_on="s").select("s", o="o_right")
    if path.end is None:
        assert pairs is not None
        return pairs.join(catalog.labels, left_on="o", right_on="e").select("s", o="label")
    values = catalog.pairs(path.end.iri)
    return values if pairs is None else pairs.join(values, left_on="o", right_on="s").select("s", o="o_right")


def _said(catalog: Catalog, edge: Edge) -> pl.DataFrame:
    """`s, value`: what is said of each row by naming the row that it refers to."""
    return catalog.pairs(edge.iri).join(catalog.labels, left_on="o", right_on="e").select("s", value="label")


def _shortcut(catalog: Catalog, path: Path) -> str | None:
    """Say what gives the end of a path away: the name at its start, or a column of the first row that says the same."""
    end = _end(catalog, path).drop_nulls()
    end = end.with_columns(folded=fold_all(end["o"])).rename({"o": "value"})
    if end["folded"].n_unique() < 2:
        return "all rows have the same value"
    flag = path.end is not None and path.end.kind == "flag"  # a yes or a no can always be guessed
    if not flag and refusals.is_settled(end["folded"]):
        return refusals.SETTLED
    _, beside = _stated_row(catalog, catalog.tables[path.start], path.edges[0].iri if path.edges else None)
    if any(edge.to in {own.to for own in path.edges} or refusals.tells(_said(catalog, edge), end) for _, edge in beside):
        return refusals.STATED
    named = end.join(catalog.labels, left_on="s", right_on="e")
    contained = pl.DataFrame({"name": " " + fold_all(named["label"]) + " ", "value": " " + named["folded"] + " "})
    if (contained.select(pl.col("name").str.contains(pl.col("value"), literal=True).mean()).item() or 0) > ALIKE:
        return "the question would contain its answer"
    for attribute in catalog.tables[path.start].attributes if path.edges else ():
        own = catalog.pairs(attribute.iri)
        both = end.join(own.with_columns(own=fold_all(own["o"])), on="s")
        if not both.is_empty() and (both["folded"] == both["own"]).mean() >= ALIKE:  # type: ignore[operator]
            return f"'{attribute.name}' gives it away"
    if why := _repeats(catalog, path):
        return why
    return refusals.GUESSED if not flag and refusals.is_guessed(end["folded"]) else None


def _repeats(catalog: Catalog, path: Path) -> str | None:
    """Say which foreign key of the first row leads to the same rows as a longer way: a course's coordinator is of its place."""
    own = [edge for edge in catalog.tables[path.start].edges if edge != path.edges[0]] if len(path.edges) > 1 else []
    pairs = catalog.pairs(path.edges[0].iri) if own else pl.DataFrame()
    for step in path.edges[1:] if own else ():
        pairs = pairs.join(catalog.pairs(step.iri), left_on="o", right_on="s").select("s", o="o_right")
        for edge in own:
            both = pairs.join(catalog.pairs(edge.iri), on="s") if edge.to == step.to else pl.DataFrame()
            if both.height and (both["o"] == both["o_right"]).mean() >= ALIKE:  # type: ignore[operator]
                return f"'{edge.name}' leads there as well"
    return None


# --- words


_TAKEN = ("row", "claimed", "start_said", "end_said", "namesake", "namesake_said")


def _slots(names: Sequence[str], before: Sequence[str]) -> list[str]:
    """Make slots of names: ASCII, none twice, none that a query here uses for something else.

    >>> _slots(["billing city", "都市", "row"], ["billing city"])
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


def _braced(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _filled(text: str, row: str, value: str = "") -> str:
    """Put a row and a value into a text of a form."""
    return _braced(text).replace(ROW, row).replace(VALUE, value)


def _value(table: EntityTable | None, slot: str, column: Attribute | None = None) -> str:
    """Say a value: a title is quoted, a country may need its article, people and plain values stand as they are."""
    lists, last = WordLists.load(), column.name.split()[-1] if column is not None else ""
    proper = (
        column is not None
        and column.kind == "text"
        and last not in lists.settlements
        and (last == "by" or last in (*lists.areas, *lists.groups, *lists.proper, *lists.companies))
    )
    if proper or (table is not None and not table.quoted and not table.person and not table.key):
        return f"{{{slot}:the}}"
    return f"“{{{slot}}}”" if table is not None and table.quoted else f"{{{slot}}}"


def _row_phrase(table: EntityTable, slot: str) -> str:
    if table.key:
        return f"{_braced(table.name)} number {{{slot}}}"
    if table.alone:
        return _value(table, slot)
    if table.quoted:
        return f"the {_braced(table.name)} “{{{slot}}}”"
    if table.person or re.search(r"[{}:!]", table.name):
        return f"the {_braced(table.name)} {{{slot}}}"
    return f"{{{slot}:the {table.name}}}"


def _form(catalog: Catalog, link: Edge | Attribute) -> Form:
    """How a column or foreign key is asked."""
    table = catalog.tables[link.table]
    subject = Subject(table.name, table.person, table.place)
    if isinstance(link, Attribute) and link.end:
        return ends.distance(link.end, unit_of(link.name)[1] or "")
    if isinstance(link, Attribute):
        said = form(link.name, link.kind, subject, person=link.name.split()[-1] in WordLists.load().persons)
        return in_the_past(said) if table.event else said
    to = catalog.tables[link.to]
    return ends.verb(link.name, to.name) or form(link.name, "text", subject, to.name, person=to.person)


def _stated_row(catalog: Catalog, table: EntityTable, avoid: str | None) -> tuple[str, list[tuple[str, Edge]]]:
    """Say which row is asked about: by its name and, where names repeat, by a row that it refers to."""
    start = _slots([table.name], [])[0]
    if table.event:
        parent = table.event.parent
        slot = _slots([parent.name], [table.name])[0]
        return f"the {{{start}}} {_braced(table.name)} of {_row_phrase(catalog.tables[parent.to], slot)}", [(slot, parent)]
    others = [edge for edge in table.edges if edge.iri != avoid and edge.to != table.iri and not edge.is_verb]
    telling = [edge for edge in others if _tells_apart(catalog, edge)]
    beside = max(telling, key=lambda edge: catalog.use[edge.iri][2], default=None)
    if table.unique >= 0.97 or beside is None:
        return _row_phrase(table, start), []
    slot = _slots([beside.name], [table.name])[0]
    other = catalog.tables[beside.to]
    joined = "by" if other.person and table.quoted else "of"
    return f"{_row_phrase(table, start)} {joined} {_row_phrase(other, slot)}", [(slot, beside)]


def _tells_apart(catalog: Catalog, edge: Edge) -> bool:
    """Whether rows that share a name hardly share what this leads to: an album tells tracks apart, a genre does not."""
    _, subjects, objects, _ = catalog.use[edge.iri]
    return objects >= 0.05 * subjects


@dataclass(frozen=True)
class _Step:
    """One value on the way: its form, the row it is of (from the start of the path, and by itself), and how it is shown."""

    form: Form
    row: str
    here: str
    value: str
    of_person: bool = False

    @property
    def whole(self) -> str:
        """The value as a noun, from the start of the path."""
        return _filled(self.form.whole, self.row)

    @property
    def told(self) -> str:
        """The sentence that says it."""
        return f"{_capitalised(_filled(self.form.say, self.here, self.value))}."


def _steps(catalog: Catalog, path: Path, row: str, slots: Sequence[str]) -> list[_Step]:
    """Say every value of a path: "the artist of the album of the track “X”", and "the artist of the album “Y”"."""
    steps, whole, here, person = list[_Step](), row, row, catalog.tables[path.start].person
    for edge, slot in zip(path.edges, slots, strict=False):
        table = catalog.tables[edge.to]
        steps.append(_Step(_form(catalog, edge), whole, here, _value(table, slot), person))
        whole, here = steps[-1].whole, _row_phrase(table, slot)
    if path.end:
        steps.append(_Step(_form(catalog, path.end), whole, here, _value(None, slots[-1], path.end), person))
    return steps


def _spelled(
    catalog: Catalog, table: EntityTable, beside: Sequence[tuple[str, Edge]], links: Iterable[tuple[str, Edge | Attribute]]
) -> dict[str, object]:
    """The key `slots` of the front matter: which slots are said in another form than the data's."""
    start = [(_slots([table.name], [])[0], "year" if table.event else table.said)]
    rows = [(slot, catalog.tables[edge.to].said) for slot, edge in beside]
    ends = [(slot, catalog.tables[link.to].said if isinstance(link, Edge) else link.said) for slot, link in links]
    said = {slot: how for slot, how in [*start, *rows, *ends] if how}
    return (
        {"slots": {slot: {"said": how} | ({"type": "date"} if how.startswith("date") else {}) for slot, how in said.items()}}
        if said
        else {}
    )


def _probe(heard: str, row: str, steps: Sequence[_Step]) -> str:
    """Ask in one text for the entity and for each value on the way (ERBench, appendix B.1, binary questions)."""
    links = ["If so,", *["And"] * len(steps)]
    asked = [_filled(_again(step, row), step.row, step.value) for step in steps]
    return " ".join(
        [f"Have you heard of {heard}?", *(f"{link} {_begun(text)}" for link, text in zip(links, asked, strict=False))]
    )


def _again(step: _Step, row: str) -> str:
    """Whether a value is so, with "it" and "its" for the row that was just asked for, where that is a thing."""
    if step.row != row:
        return step.form.claim
    if step.of_person:
        return re.sub(rf"\bthe ([^{ROW[0]}]+?) of {ROW}", r"their \1", step.form.claim)
    owned = re.sub(rf"\bthe ([^{ROW[0]}]+?) of {ROW}", r"its \1", step.form.claim)
    return owned.replace(ROW, "it")


def _begun(text: str) -> str:
    """Write a question behind the beginning of its sentence."""
    return f"{text[0].lower()}{text[1:]}"


# --- the files


def _of_path(catalog: Catalog, path: Path, task: str, domain: str) -> Proposal:
    """Propose a question for the end of a path: in short, or whether it is some value."""
    table = catalog.tables[path.start]
    row, beside = _stated_row(catalog, table, path.edges[0].iri if path.edges else None)
    names = [edge.name for edge in path.edges] + ([path.end.name] if path.end else [])
    start = _slots([table.name], [])[0]
    key = [start, *(slot for slot, _ in beside)]
    slots = _slots(names, [table.name, *key[1:]])
    steps = _steps(catalog, path, row, slots)
    front: dict[str, object] = {"summary": _capitalised(steps[-1].whole), "method": "erbench", "domain": domain, "task": task}
    front |= {"key": key, "answer": slots[-1], "rationale": slots}
    front["explain"] = [step.told for step in steps]
    front |= _asked(catalog, path, task, row, steps, slots[-1])
    front |= _spelled(catalog, table, beside, zip(slots, [*path.edges, *([path.end] if path.end else [])], strict=True))
    named = [*_beside_patterns(table, beside), *_alone_patterns(catalog, table, beside)]
    patterns = [*named, *_path_patterns(table, path, slots)]
    shown = [*key, *slots]
    if not table.key:
        # A name that holds the answer ("The Best of X", by X) is not asked about.
        end = slots[-1] if path.end else "end_said"
        front["ask"] = _apart("LCASE(STR(?start_said))", f"LCASE(STR(?{end}))")
        patterns += [f"?{start} rdfs:label ?start_said .", *([] if path.end else [f"?{slots[-1]} rdfs:label ?end_said ."])]
        shown += ["start_said", *([] if path.end else ["end_said"])]
    return _proposal(catalog, table, [table.name, path.title, task], front, shown, patterns)


def _of_flag(catalog: Catalog, path: Path, column: Attribute, domain: str) -> list[Proposal]:
    """Propose whether something holds of a row itself: "Is X discontinued?"."""
    table, said = catalog.tables[path.start], flag(column.name)
    if path.edges or said is None:
        catalog.refused[f"{table.name}: {path.title}"] = "yes and no are no answers to what its name says"
        return []
    row, beside = _stated_row(catalog, table, None)
    start = _slots([table.name], [])[0]
    key = [start, *(slot for slot, _ in beside)]
    held, told = _slots([f"so {column.name}", f"told {column.name}"], [table.name, *key[1:]])
    front: dict[str, object] = {"summary": _filled(said[0], f"a {table.name}"), "method": "erbench", "domain": domain}
    front |= {"task": "yes_no", "key": key, "holds": held} | _spelled(catalog, table, beside, [])
    front["question"] = {"basic": _filled(said[0], row), "negated": f"Is it right that {_filled(said[1], row)}?"}
    named = [*_beside_patterns(table, beside), *_alone_patterns(catalog, table, beside)]
    patterns = [*named, f"{_row_variable(table)} <{column.iri}> ?{told} ."]
    patterns.append(f'BIND(LCASE(STR(?{told})) IN ("1", "y", "yes", "t", "true") AS ?{held})')
    return [_proposal(catalog, table, [table.name, column.name], front, [*key, held], patterns)]


def _asked(catalog: Catalog, path: Path, task: str, row: str, steps: Sequence[_Step], answer: str) -> dict[str, object]:
    """The keys of the front matter that say what is asked of the end of a path."""
    last = steps[-1]
    if task == "open":
        return {"question": {"basic": _filled(last.form.ask, last.row)}}
    claimed = _value(None if path.end else catalog.tables[path.edges[-1].to], "claimed", path.end)
    front: dict[str, object] = {"claim": {"slot": answer, "value": "claimed", "test": "="}}
    denied = _filled(last.form.deny, last.row, claimed)
    front["question"] = {"basic": _filled(last.form.claim, last.row, claimed), "negated": f"Is it right that {denied}?"}
    if not catalog.tables[path.start].key:  # nobody has heard of a number
        heard = _of_database(catalog, catalog.tables[path.start], row)
        front["probe"] = {"whole": _probe(heard, row, steps)}
    return front


def _path_patterns(table: EntityTable, path: Path, slots: Sequence[str]) -> list[str]:
    """The patterns that lead from the row asked about to the end of a path."""
    rows = [_row_variable(table), *(f"?{slot}" for slot in slots)]
    links: list[Edge | Attribute] = [*path.edges, *([path.end] if path.end else [])]
    return [f"{rows[i]} {link.path} {rows[i + 1]} ." for i, link in enumerate(links)]


def _apart(name: str, value: str) -> str:
    """Write that a name does not hold a value; one or two letters stand in many names by chance, and count as a word only."""
    word = f"CONTAINS(CONCAT(' ', {name}, ' '), CONCAT(' ', {value}, ' '))"
    return f"!(CONTAINS({name}, {value}) && (STRLEN({value}) > 2 || {word}))"


def _capitalised(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


def _row_variable(table: EntityTable) -> str:
    """The variable of the row asked about: what names it, or another one where a column does."""
    return "?row" if table.key else f"?{_slots([table.name], [])[0]}"


def _alone_patterns(catalog: Catalog, table: EntityTable, beside: Sequence[tuple[str, Edge]]) -> list[str]:
    """The patterns that leave out a row of which another has the name, and what is named beside it, with or without a value."""
    row = _row_variable(table)
    if table.event:
        (slot, parent), when = beside[0], _slots([table.name], [])[0]
        year = f"SUBSTR(STR(?namesake_said), 1, 4) = SUBSTR(STR(?{when}), 1, 4)"
        same = f"?namesake {parent.path} ?{slot} ; <{table.key}> ?namesake_said ."
        return ["FILTER NOT EXISTS {", f"  {same}", f"  FILTER(?namesake != {row} && {year})", "}"]
    if table.key or table.unique == 1 or not _has_namesakes(catalog, table, beside):
        return []
    # Groups find all namesakes at once, where NOT EXISTS would search for each row and MINUS compare each with each.
    said = " ".join(["?namesake_said", *(f"?{slot}" for slot, _ in beside)])
    told = [
        f"?namesake a <{table.iri}> ; rdfs:label ?namesake_said .",
        *(f"?namesake {edge.path} ?{slot} ." for slot, edge in beside),
    ]
    alone = [f"{{ SELECT {said} WHERE {{", *(f"    {line}" for line in told)]
    alone.append(f"  }} GROUP BY {said} HAVING(COUNT(DISTINCT ?namesake) = 1) }}")
    return [*alone, f"{row} rdfs:label ?namesake_said ."]


def _has_namesakes(catalog: Catalog, table: EntityTable, beside: Sequence[tuple[str, Edge]]) -> bool:
    """Whether two rows have one name, and one row beside it: a filter against them takes a search for each row."""
    rows = catalog.names_of(table)
    for slot, edge in beside:
        rows = rows.join(catalog.pairs(edge.iri).rename({"s": "e", "o": slot}), on="e")
    return bool(rows.drop("e").is_duplicated().any())


def _beside_patterns(table: EntityTable, beside: Sequence[tuple[str, Edge]]) -> list[str]:
    """The patterns of the rows that are named because names repeat."""
    return [f"{_row_variable(table)} {edge.path} ?{slot} ." for slot, edge in beside]


def _stated(catalog: Catalog, table: EntityTable) -> list[_Statement]:
    """What a choice states of a row, at most four things."""
    _, beside = _stated_row(catalog, table, None)
    taken = {edge.iri for _, edge in beside}
    links: list[Edge | Attribute] = [e for e in table.edges if not e.is_verb and e.iri not in taken]
    told = ("flag", "date", "year") if table.event else ("flag",)
    links = [*links, *(a for a in table.attributes if a.kind not in told)]
    refused = {name for name, why in catalog.refused.items() if why != refusals.GUESSED}
    links = [link for link in links if f"{table.name}: {link.name}" not in refused][:4]
    slots = _slots([link.name for link in links], [table.name, *(slot for slot, _ in beside)])
    return [
        _Statement(
            link,
            slot,
            _form(catalog, link),
            _value(catalog.tables[link.to], slot) if isinstance(link, Edge) else _value(None, slot, link),
        )
        for slot, link in zip(slots, links, strict=True)
    ]


@dataclass(frozen=True)
class _Statement:
    """What an option says of a row: the column or foreign key, slot, form, and how the value is shown."""

    link: Edge | Attribute
    slot: str
    form: Form
    value: str

    def option(self, noun: str) -> str:
        """The text of the option: "The bridge opened in 1973.", "The capital is Rome."."""
        said = self.form.say.replace(f" of {ROW}", "") if self.form.say.startswith("The ") else self.form.say
        return f"{_capitalised(_filled(said, f'the {_braced(noun)}', self.value))}."


_STEMS = {
    "first": "Which statement about {row} is false?",
    "second": "One of these statements is not true of {row}. Which one?",
    "third": "Which of these statements about {row} is wrong?",
}
"""The phrasings of a choice."""


def _choice(catalog: Catalog, table: EntityTable, domain: str) -> Proposal:
    """Propose a choice among statements about a row."""
    row, beside = _stated_row(catalog, table, None)
    stated = _stated(catalog, table)
    options = {statement.slot: statement.option(table.name) for statement in stated}
    heard = _of_database(catalog, table, row)
    question = {variant: {"stem": stem.replace("{row}", heard), "options": options} for variant, stem in _STEMS.items()}
    key = [_slots([table.name], [])[0], *(slot for slot, _ in beside)]
    slots = [statement.slot for statement in stated]
    front: dict[str, object] = {"summary": f"What is true of a {table.name}", "method": "erbench", "domain": domain}
    front |= {"task": "choice", "key": key, "answer": slots, "question": question}
    front |= _spelled(catalog, table, beside, [(statement.slot, statement.link) for statement in stated])
    if not table.key:
        # A probe for the entity and one for each value, apart (ERBench, appendix B.1, choices).
        known = {
            statement.slot: _within(catalog, table, _filled(statement.form.claim, row, statement.value)) for statement in stated
        }
        front["probe"] = {"entity": f"Have you heard of {heard}?", **known}
    patterns = [f"{_row_variable(table)} {statement.link.path} ?{statement.slot} ." for statement in stated]
    return _proposal(
        catalog,
        table,
        [table.name, "facts"],
        front,
        [*key, *slots],
        [*_beside_patterns(table, beside), *_alone_patterns(catalog, table, beside), *patterns],
    )


def _proposal(
    catalog: Catalog,
    table: EntityTable,
    title: Sequence[str],
    front: dict[str, object],
    slots: Sequence[str],
    body: Sequence[str],
) -> Proposal:
    """Write a family as a file; IRIs are relative to the base of the tables."""
    front |= {"question": _within(catalog, table, front["question"])}
    base = catalog.graph.base or ""
    named = [f"?row <{table.key}> ?{_slots([table.name], [])[0]} ."] if table.key else []
    lines = [f"  {line}" for line in [f"{_row_variable(table)} a <{table.iri}> .", *named, *body]]
    query = [
        "SELECT " + " ".join(f"?{slot}" for slot in slots) + " WHERE {",
        *(line.replace(f"<{base}", "<") for line in lines),
        "}",
    ]
    return Proposal(_file_name(title), front, "\n".join(query))


def _within(catalog: Catalog, table: EntityTable, question: object) -> object:
    """Say of what the database is, where that is not known: "In the Chinook shop, who is the customer of ...?"."""
    setting = catalog.setting(table)
    if setting is None:
        return question
    if isinstance(question, dict):
        # A choice says it of its row, not in front: its stem need not be a question.
        return {key: text if isinstance(text, dict) else _within(catalog, table, text) for key, text in question.items()}
    return f"{_capitalised(_braced(setting))}, {_begun(str(question))}"


def _of_database(catalog: Catalog, table: EntityTable, row: str) -> str:
    """Say a row and, where that is not known, of what database it is."""
    setting = catalog.setting(table)
    return f"{row} {_braced(setting)}" if setting else row


def _file_name(title: Sequence[str]) -> str:
    text = "-".join(title)
    plain = re.sub(r"[^A-Za-z0-9_]+", "-", text).strip("-")
    return plain if text.isascii() and plain else f"family-{hashlib.sha256(text.encode()).hexdigest()[:8]}"
