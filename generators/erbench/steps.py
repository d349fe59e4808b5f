"""The values on the way to an answer, each as it is asked and said: "the artist of the album of the track “X”"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from generators.column_names import WordLists, is_participle, unit_of
from generators.erbench import ends
from generators.erbench.catalog import Catalog
from generators.erbench.columns import Attribute, Edge
from generators.erbench.events import in_the_past, while_alive
from generators.erbench.forms import form
from generators.erbench.plain import of_row
from generators.erbench.rows import begun, capitalised, filled, mentioned_again, row_phrase, value_text
from generators.erbench.sentences import ROW, VALUE, Form, Subject
from generators.erbench.sure import Sure
from generators.erbench.tables import EntityTable
from generators.erbench.traits import represented
from generators.erbench.values import are_countries
from generators.erbench.ways import Path


def form_of(catalog: Catalog, link: Edge | Attribute) -> Form:
    """How a column or foreign key is asked: found once, as every rule for a path looks at it."""
    if link not in catalog.forms:
        catalog.forms[link] = _found(catalog, link)
    return catalog.forms[link]


def _found(catalog: Catalog, link: Edge | Attribute) -> Form:
    table = catalog.tables[link.table]
    done = tuple(word for a in table.attributes for word in a.name.split() if is_participle(word) or word == "premiere")
    lived = table.past or table.death is not None
    subject = Subject(table.name, table.person, table.place, lived, done=done, again=catalog.recurs(table.iri))
    lies = {*link.name.split()} & {"depth", "location", "position"}  # what is left of it lies there
    past = table.event or took_place(table) or (table.over and not lies and not table.person)
    if isinstance(link, Attribute) and link.end:
        return ends.distance(link.end, unit_of(link.name)[1] or "")
    if link.name in _SUNG and any(catalog.names[edge.to].split()[-1] in Sure.load().staged for edge in table.edges):
        return of_row(link.name).sure(None)  # those who sing it in a musical may be roles
    if isinstance(link, Attribute):
        subject = replace(subject, one_of=link.kinds)
        if link.name.split()[-1] in WordLists.load().organisations and are_countries(catalog.pairs(link.iri)["o"]):
            return represented(link.name, subject)
        nations = link.kind == "text" and link.name.split()[-1] in ("nationality", "citizenship")
        said = form(
            "country" if nations and table.person and are_countries(catalog.pairs(link.iri)["o"]) else link.name,
            link.kind,
            subject,
            link.of,
            person=link.name.split()[-1] in WordLists.load().persons,
            one=link.agents,
            named=link.named,
        )
        return _of_the_past(said, table) if past else while_alive(said) if subject.past and table.person else said
    to = catalog.tables[link.to]
    if to.iri in catalog.countries:
        return represented(link.name, subject)
    subject = replace(subject, by_person=to.person, one_of=to.kinds)
    nations = table.person and link.name.split()[-1] in ("nationality", "citizenship") and to.name in ("country", "nation")
    name = to.name if nations else link.name
    said = ends.verb(link.name, to.name) or form(name, "text", subject, None if to.common else to.name, person=to.person)
    said = _own(said) if table.person and to.person else said
    return _of_the_past(said, table) if past else while_alive(said) if subject.past and table.person else said


def _of_the_past(said: Form, table: EntityTable) -> Form:
    """Say of rows that came to an end what they had; where others are there still, it holds of the former alone."""
    then = in_the_past(said)
    return replace(then, former=True) if table.over_by is not None and then != said else then


_SUNG = frozenset({"sung by", "performed by", "singer", "performer", "singers", "performers"})


def _own(said: Form) -> Form:
    """Say somebody's own people as theirs: "Ada Berg’s advisor", where a bridge has "the architect of the bridge X"."""

    def own(text: str) -> str:
        return re.sub(rf"\b[Tt]he ([a-z]+(?: [a-z]+)?) of {ROW}(?=\W*\Z| (?:is|was|{VALUE}))", rf"{ROW}’s \1", text)

    return replace(
        said, ask=own(said.ask), claim=own(said.claim), deny=own(said.deny), say=own(said.say), whole=own(said.whole)
    )


def took_place(table: EntityTable) -> bool:
    """Whether rows happened once: an expedition of 1924, and no festival of which we only know when it first took place."""
    again = {"first", "founded", "established", "since", "last"}
    dated = [a for a in table.attributes if a.kind in ("date", "year", "month") and not {*a.name.split()} & again]
    own = Sure.load()
    noun = table.name.split()[-1]
    return noun in _ENDED or (noun in {*own.happenings, *own.once} and bool(dated))


_ENDED = (
    "battle",
    "siege",
    "war",
    "expedition",
    "voyage",
    "massacre",
    "raid",
    "uprising",
    "rebellion",
    "revolution",
    "invasion",
)
"""What has nobody who leads it today, whether or not a column says when it was."""


@dataclass(frozen=True)
class Step:
    """One value on the way: its form, the row it is of (from the start of the path, and by itself), and how it is shown.

    `person`: how the path's first row is said once more where it is a person, of whom nobody says "it": by the surname.
    """

    form: Form
    row: str
    here: str
    value: str
    person: str | None = None

    @property
    def whole(self) -> str:
        """The value as a noun, from the start of the path."""
        return filled(self.form.whole, self.row)

    @property
    def told(self) -> str:
        """The sentence that says it."""
        return f"{capitalised(filled(self.form.say, self.here, self.value))}."


def steps_of(catalog: Catalog, path: Path, row: str, slots: Sequence[str]) -> list[Step]:
    """Say every value of a path: "the artist of the album of the track “X”", and "the artist of the album “Y”"."""
    start = catalog.tables[path.start]
    steps, whole, here = list[Step](), row, row
    again = mentioned_again(start)
    person = again if again != "it" else None
    for edge, slot in zip(path.edges, slots, strict=False):
        table = catalog.tables[edge.to]
        steps.append(Step(form_of(catalog, edge), whole, here, value_text(table, slot), person))
        whole, here = steps[-1].whole, row_phrase(table, slot)
    if path.end:
        steps.append(Step(form_of(catalog, path.end), whole, here, value_text(None, slots[-1], path.end), person))
    return steps


def probe_of(heard: str, steps: Sequence[Step]) -> str:
    """Ask in one text for the entity and for each value on the way (ERBench, appendix B.1, binary questions)."""
    links = ["If so,", *["And"] * len(steps)]
    before = [None, *steps]
    asked = [
        filled(_again(step, last), (last or step).person or "it", step.value) for step, last in zip(steps, before, strict=False)
    ]
    return " ".join(
        [f"Have you heard of {heard}?", *(f"{link} {begun(text)}" for link, text in zip(links, asked, strict=False))]
    )


def _again(step: Step, last: Step | None) -> str:
    """Whether a value is so, of the row that was just asked for: no name is said twice, nor "it" of a person.

    >>> from generators.erbench.forms import form
    >>> mission, vehicle = Subject("mission"), Subject("launch vehicle")
    >>> last = Step(form("launch vehicle", "text", mission, "launch vehicle"), "the mission X", "", "Y")
    >>> _again(last, None), _again(Step(form("first flight", "year", vehicle), "", "", "1957"), last)
    ('Was ‹row› launched by ‹value›?', 'Did that launch vehicle first fly in ‹value›?')
    """
    claim = step.form.claim
    if last is not None:
        return claim.replace(ROW, _that(last))
    return claim if step.person else re.sub(rf"\bthe ([^{ROW[0]}]+?) of {ROW}", r"its \1", claim)


def _that(step: Step) -> str:
    """Say a value that was just asked for: "that launch vehicle", or by what it is to the row."""
    noun = re.fullmatch(rf"the (?!one )([^{ROW[0]}]+?) (?:of {ROW}|(?:that|who) .*)", step.form.whole)
    noun = noun or re.fullmatch(f"{ROW}’s (.+)", step.form.whole)
    return f"that {noun[1]}" if noun else step.form.whole
