"""A user's own edits: a `.rq` file says who may take a true object's place, and the rules of the six hold for it too.

```sparql
#+ name: neighbour
#+ summary: Where a neighbouring country has this
SELECT ?s ?p ?o ?edited WHERE { ?s ?p ?o . ?s wdt:P47 ?next . ?next ?p ?edited }
```

The query is asked once for a batch of true triples, which stand for ?s ?p ?o. Of those it finds, the ones that may not be
false objects are refused, each for a reason that is counted; one of the others is taken by hash.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from generators.draw import mix, word
from generators.fpq.edits import ALL_REFUSED, EDITS, FILLED, NOBODY_FOUND, TOO_OFTEN, Edits, Masks, Triples, remove
from generators.fpq.evenly import OBJECTS
from generators.fpq.offers import first_free, places
from generators.graph_columns import GraphColumns
from kg.errors import InputError
from kg.graph import Graph
from kg.sets import Bits, Ints, Sets, first_set, scatter, test
from queries.templates import Template, inline, load

SLOTS = ("s", "p", "o", "edited")
"""What an own edit selects: the fact, and who may stand for its object."""

_OFFERS = 12
"""So many objects are offered to an own edit of a fact."""

_NAME = re.compile(r"[a-z][a-z0-9_-]*")

REFUSALS = (
    "it is not named, or is no entity of the graph",
    "it is the subject or a true object, or bears the name of one",
    "it is above or below a true object, or general, or another fact makes it true",
    "it stands beside a true object for other subjects",
    "it is nobody's yet, and one subject has one as a rule",
)
"""Why somebody whom a query finds may not stand for a true object; the first that applies counts."""


@dataclass(frozen=True)
class OwnEdit:
    """An edit by a query: its name, what it is about, and the SELECT that finds candidates, without its front matter."""

    name: str
    summary: str
    query: str
    path: str = ""
    template: Template = field(repr=False, compare=False, kw_only=True)


def open_edit(path: str | Path) -> OwnEdit:
    """Read an own edit from a `.rq` file.

    Raises InputError naming the file where it is no SELECT of ?s ?p ?o ?edited that triples can be put into.
    """
    read = load(path)
    write_it = "write SELECT ?s ?p ?o ?edited WHERE { ?s ?p ?o . … }"
    if not _NAME.fullmatch(read.name) or read.name == "tpq":
        problem = f"an own edit cannot be called '{read.name}'"
        raise InputError(problem, place=read.path, way_out="take small letters, digits, '-' and '_', a letter first")
    if read.form != "select" or set(read.slots) != set(SLOTS):
        raise InputError("an edit is a SELECT of ?s ?p ?o ?edited", place=read.path, way_out=write_it)
    if read.front.is_family or read.parameters:
        raise InputError("an edit has a name and a summary only", place=read.path, way_out="take the other keys out")
    shape = read.shape
    cut = next((t for t in shape.tokens[shape.close_at :] if t.word in ("LIMIT", "OFFSET")), None)
    if cut is not None:
        place = f"{read.path}:{cut.line}"
        raise InputError(f"{cut.word} would cut a batch off", place=place, way_out="leave it out: each fact gets one object")
    computed = next((name for name in SLOTS if name in shape.computed or not shape.reaches(name)), None)
    if computed is not None:
        problem = f"?{computed} stands in no pattern of the query's own group"
        raise InputError(problem, place=read.path, way_out=f"{write_it}; AS and sub-selects keep what they make to themselves")
    query = read.text[shape.tokens[0].start : shape.tokens[-1].end]
    inline(query, SLOTS, read.path)  # the proof binds all four
    return OwnEdit(read.name, read.summary, query, read.path, template=inline(query, SLOTS[:3], read.path))


def open_edits(paths: Sequence[str | Path]) -> tuple[OwnEdit, ...]:
    """Read some own edits. Raises InputError where two have one name, and what `open_edit` raises."""
    edits: dict[str, OwnEdit] = {}
    for edit in map(open_edit, paths):
        if edit.name in edits:
            problem = f"'{edit.name}' is the name of {edits[edit.name].path} too"
            raise InputError(problem, place=edit.path, way_out="give each edit a name of its own")
        edits[edit.name] = edit
    return tuple(edits.values())


class OwnOffers:
    """What is offered to the own edits of some triples, a batch at a time.

    `objects`: (triples, own edits, offers), `reasons`: (triples, own edits), as edits have them; `refused`: how many of those
    that a query finds may not be named, by edit and reason.
    """

    def __init__(self, graph: Graph, columns: GraphColumns, own: Sequence[OwnEdit], triples: int) -> None:
        self.graph, self.columns, self.own = graph, columns, own
        self.objects = np.full((triples, len(own), _OFFERS), -1)
        self.reasons = np.full((triples, len(own)), NOBODY_FOUND, np.uint8)
        self.refused: dict[str, Counter[str]] = {edit.name: Counter() for edit in own}

    @cached_property
    def _number(self) -> pl.DataFrame:
        """The terms of all entities, and their numbers: edited, x."""
        return self.columns.entities.select(edited=pl.format("<{}>", "iri")).with_row_index("x")

    def take(self, rows: Ints, triples: Triples, masks: Masks) -> None:
        """Ask each edit's query about a batch: `rows` of the sample, their triples, and the sets that the engine found."""
        for column, edit in enumerate(self.own if len(rows) else ()):
            row, node = self._candidates(edit, triples)
            why = _refusals(self.columns, triples, masks, row, node)
            free = why < 0
            counts = np.bincount(why[~free], minlength=len(REFUSALS)).tolist()
            self.refused[edit.name].update(dict(zip(REFUSALS, counts, strict=True)))
            self.reasons[rows[row], column] = ALL_REFUSED
            self.reasons[rows[row[free]], column] = FILLED
            left = scatter(len(rows), self.columns.n, row[free], node[free])
            at = np.searchsorted(self.columns.keys, mix(triples.keys, word(edit.name))) % max(self.columns.n, 1)
            self.objects[rows, column] = _ring_order(left, at.astype(np.int64))

    def _candidates(self, edit: OwnEdit, triples: Triples) -> tuple[Ints, Ints]:
        """Return whom an edit's query finds: the place of the triple, and the entity, -1 for what is none; each pair once."""
        iris, relations = self._number["edited"], self.columns.relations.select(pl.format("<{}>", "iri")).to_series()
        facts = pl.DataFrame({"s": iris.gather(triples.s), "p": relations.gather(triples.p), "o": iris.gather(triples.o)})
        answers = self.graph.terms(edit.template.bind(facts.iter_rows(named=True), base=self.graph.base))
        # A fact stands in a sample once, so its terms say which row it is.
        found = answers.select(SLOTS).drop_nulls().unique().join(facts.with_row_index("row"), on=SLOTS[:3])
        numbered = found.join(self._number, on="edited", how="left").sort("row", "x", "edited")
        return numbered["row"].cast(pl.Int64).to_numpy(), numbered["x"].cast(pl.Int64).fill_null(-1).to_numpy()


def settle_own(edits: Edits, offers: OwnOffers, relations: Ints, *, even: bool) -> Edits:
    """Add the own edits to those of the paper: of what is offered, the first that no other edit of the fact names.

    Parameters: `relations` are those of the triples; `even` names nobody twice in twenty facts of a relation.
    """
    count = len(offers.own)
    if not count:
        return edits
    objects = np.concatenate([edits.objects, np.full((len(relations), count), -1)], axis=1)
    reasons = np.concatenate([edits.reasons, offers.reasons], axis=1)
    place = places(relations)
    _, block = np.unique(relations * (len(relations) + 1) + place // OBJECTS, return_inverse=True)
    named = np.full((int(block.max(initial=-1)) + 1, count, OBJECTS), -1)
    for turn in range(OBJECTS):
        rows = np.flatnonzero(place % OBJECTS == turn)
        for column in range(count):
            taken = [objects[rows], named[block[rows], column]] if even else [objects[rows]]
            chosen, _ = first_free(offers.objects[rows, column], *taken)
            objects[rows, len(EDITS) + column] = named[block[rows], column, turn] = chosen
            spent = rows[(chosen < 0) & (offers.objects[rows, column, 0] >= 0)]
            reasons[spent, len(EDITS) + column] = TOO_OFTEN
    names = (*edits.names, *(edit.name for edit in offers.own))
    return Edits(objects, edits.hops, edits.chains, reasons, names)


def _ring_order(left: Bits, start: Ints) -> Ints:
    """Return the first members of each set from a place on, the nearest first, -1 where there are no more: (sets, offers)."""
    out = np.full((len(left), _OFFERS), -1)
    for offer in range(_OFFERS):
        rows = np.flatnonzero(left.any(axis=1))
        if not len(rows):
            break
        chosen = np.full(len(left), -1)
        chosen[rows] = first_set(left[rows], start[rows])
        out[:, offer] = chosen
        remove(left, chosen)
    return out


def _refusals(columns: GraphColumns, triples: Triples, masks: Masks, row: Ints, node: Ints) -> Ints:
    """Return for each candidate why it is refused, by number of REFUSALS, -1 where it is not."""
    why = np.full(len(row), -1)
    named = columns.candidates.to_numpy()
    unknown = node < 0
    x = np.maximum(node, 0)

    def holds(sets: Sets) -> npt.NDArray[np.bool_]:
        return test(sets.table, sets.row[row], x)

    applies = (unknown | ~named[x], _is_or_shares_name(columns, triples, row, x), holds(masks.banned), holds(masks.beside))
    for code, applied in reversed(list(enumerate((*applies, ~holds(masks.owned))))):
        why[applied] = code
    return why


def _is_or_shares_name(columns: GraphColumns, triples: Triples, row: Ints, node: Ints) -> npt.NDArray[np.bool_]:
    """Say of each candidate whether it is the subject or a true object of its triple, or shares a name with one of these."""
    asked = pl.DataFrame({"row": np.arange(len(triples)), "s": triples.s, "p": triples.p}).cast(
        {"s": pl.UInt32, "p": pl.UInt32}
    )
    known = pl.concat([asked.select("row", e="s"), asked.join(columns.facts, on=["s", "p"]).select("row", e="o")])
    candidates = pl.DataFrame({"row": row, "e": node}).cast({"e": pl.UInt32}).with_row_index("at")
    same = candidates.join(known, on=["row", "e"])
    bearers = known.join(columns.names, on="e").select("row", "name")
    namesakes = candidates.join(columns.names, on="e").join(bearers, on=["row", "name"])
    out = np.zeros(len(row), np.bool_)
    out[pl.concat([same["at"], namesakes["at"]]).to_numpy()] = True
    return out
