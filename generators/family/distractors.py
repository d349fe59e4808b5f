"""False values that a query draws: what SPARQL finds for a fact, in the place of any value of the slot's column.

A family names a query for a slot (`distractors`): one that ships, such as `same_relation` or `khop`, or a file. Its parameters
are given slots of the family or values; the first variable that is left is the false value. What is drawn is proved: the query
finds it, and no row has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from generators.draw import Keys, keys_of, mix, word
from generators.family.columns import KEY, aliases, norm, term
from generators.family.rows import EntityNames, normal_forms
from generators.items import bound, listed
from kg.errors import InputError, nearest
from kg.graph import Graph
from queries.errors import TemplateError
from queries.templates import Front, Template, Term, find, names

_BATCH = 200
"""For so many facts a query is asked at once."""
_LOOKED_AT = 50
"""Of what a query finds for a fact, so many are looked at, from its place on the ring on."""
_ROW, _CANDIDATE, _DISTANCE = "\0row", "\0candidate", "\0distance"
_ROWS = pl.List(pl.List(pl.String))


@dataclass(frozen=True)
class Distractor:
    """The query of one slot: `given` are the slots that its parameters take, `constants` other values, `value` its variable."""

    slot: str
    name: str
    template: Template
    given: Mapping[str, str]
    constants: Mapping[str, Term]
    value: str

    @property
    def at_once(self) -> bool:
        """Say whether it can be asked for many facts at once: it tells which row is whose."""
        written_in = {name for name, parameter in self.template.parameters.items() if parameter.written_in}
        return set(self.given) <= set(self.template.slots) - written_in

    def row(self, terms: Sequence[str]) -> dict[str, Term | str]:
        """Return the values of all parameters, for the terms of the slots that are given."""
        return {**self.template.defaults, **self.constants, **dict(zip(self.given, terms, strict=True))}

    def proofs(self, facts: pl.DataFrame, false: str) -> pl.Series:
        """Return for each fact the proof that the query finds the term in the column `false`; null where there is none."""
        arguments = facts.select(pl.col(term(slot)).alias(name) for name, slot in self.given.items())
        shipped = self.name in names() and {*self.given, *self.constants, self.value} <= self.template.parameters.keys()
        columns: dict[str, pl.Expr] = {}
        if shipped:
            query: pl.Expr | pl.Series = pl.lit(f"{self.name}@{self.template.version}")
            columns |= {name: pl.lit(str(value)) for name, value in {**self.template.defaults, **self.constants}.items()}
            columns |= {name: pl.col(term(slot)) for name, slot in self.given.items()}
        else:
            query = pl.Series(self._texts(arguments), dtype=pl.String)
        columns[self.value] = pl.col(false)
        frame = facts.with_columns(bound(name, value).alias(f"\0{name}") for name, value in columns.items())
        bind = listed([frame[f"\0{name}"] for name in columns])
        proof = pl.struct(query=query, bind=bind, expect=pl.lit(True), rows=pl.lit(None, _ROWS))
        return facts.select(pl.when(pl.col(false).is_not_null()).then(proof).alias("proof")).to_series()

    def _texts(self, arguments: pl.DataFrame) -> list[str]:
        """Write the query out for each fact: a file cannot be found again by a name."""
        if not self.given:
            return [self.template.bind(self.row([]))]
        return [self.template.bind(self.row(terms)) for terms in arguments.iter_rows()]


class Distractors:
    """The queries that draw the false values of a family's slots."""

    def __init__(self, template: Template, graph: Graph, entity_names: EntityNames) -> None:
        """Raises InputError where a query does not fit the family, and what `find` raises where there is none."""
        self.graph, self._names = graph, entity_names
        self.by_slot = {slot: _distractor(template, slot, graph.base) for slot in template.front.distractors}

    @property
    def slots(self) -> list[str]:
        """The slots that the queries are given."""
        return list(dict.fromkeys(slot for distractor in self.by_slot.values() for slot in distractor.given.values()))

    def draw(self, slot: str, facts: pl.DataFrame, keys: Keys, truths: pl.DataFrame) -> pl.DataFrame:
        """Draw a false value for each fact: rows with the slot's columns, null where there is none.

        Parameters: `keys` are those of the facts, `truths` all names of what is true of them (`KEY, norm`).
        """
        distractor, n = self.by_slot[slot], facts.height
        own = facts.select(KEY, *(pl.col(term(given)).alias(name) for name, given in distractor.given.items()))
        own = own.with_columns(pl.Series(_ROW, np.arange(n)), pl.Series("point", mix(keys, word("distractor"), word(slot))))
        pairs = pl.concat([_nearest(found, own, distractor, slot) for found in self._found(distractor, own)])
        terms = pairs[_CANDIDATE].unique(maintain_order=True)
        called = pl.DataFrame(self._names.columns(slot, terms)).with_columns(terms.alias(_CANDIDATE)).drop_nulls(norm(slot))
        named = pairs.join(called, on=_CANDIDATE, maintain_order="left")
        good = named.join(_said_of(named, slot).join(truths, on=[KEY, "norm"], how="semi"), on=[_ROW, _CANDIDATE], how="anti")
        first = good.sort(_ROW, _DISTANCE).unique(_ROW, keep="first", maintain_order=True)
        columns = [slot, term(slot), norm(slot), aliases(slot)]
        rows = pl.DataFrame({_ROW: np.arange(n)}).join(first.select(_ROW, *columns), on=_ROW, how="left", maintain_order="left")
        return rows.select(columns)

    def _found(self, distractor: Distractor, own: pl.DataFrame) -> Iterator[pl.DataFrame]:
        """Yield what the query finds, some facts at a time: the terms of its parameters, and the candidates."""
        given = list(distractor.given)
        distinct = own.select(given).drop_nulls().unique(maintain_order=True) if given else pl.DataFrame({"": [""]})
        size = _BATCH if distractor.at_once and given else 1
        for part in distinct.iter_slices(size):
            rows = [distractor.row(terms if given else []) for terms in part.iter_rows()]
            found = self.graph.terms(distractor.template.bind(rows, base=self.graph.base))
            candidates = found.select(pl.col(distractor.value).alias(_CANDIDATE), *(given if size > 1 else []))
            if size == 1 and given:
                candidates = candidates.with_columns(pl.lit(part[name][0]).alias(name) for name in given)
            yield candidates.drop_nulls().unique()
        if distinct.is_empty():
            yield pl.DataFrame(schema=dict.fromkeys([_CANDIDATE, *given], pl.String))


def _nearest(found: pl.DataFrame, own: pl.DataFrame, distractor: Distractor, slot: str) -> pl.DataFrame:
    """Return the candidates that come first after each fact's point on the ring: row, key, candidate and distance."""
    places = mix(keys_of(0, found[_CANDIDATE].to_list()), word(slot))
    placed = found.with_columns(pl.Series("place", places))
    given = list(distractor.given)
    pairs = own.join(placed, on=given) if given else own.join(placed, how="cross")
    distance = pairs["place"].to_numpy() - pairs["point"].to_numpy()  # round the ring
    ranked = pairs.select(_ROW, KEY, _CANDIDATE, pl.Series(_DISTANCE, distance)).sort(_ROW, _DISTANCE, _CANDIDATE)
    return ranked.group_by(_ROW, maintain_order=True).head(_LOOKED_AT).select(_ROW, KEY, _CANDIDATE, _DISTANCE)


def _said_of(named: pl.DataFrame, slot: str) -> pl.DataFrame:
    """Return every name of each candidate in its normal form."""
    first = named.select(_ROW, KEY, _CANDIDATE, norm=norm(slot))
    more = named.select(_ROW, KEY, _CANDIDATE, norm=aliases(slot)).explode("norm", empty_as_null=True).drop_nulls()
    return pl.concat([first, more.with_columns(normal_forms(more["norm"]).alias("norm"))])


# --- what a family says of a slot


def _distractor(family: Template, slot: str, base: str | None) -> Distractor:
    said = family.front.distractors[slot]
    place = f"{family.path}: distractors.{slot}"
    template = _template(said.query, family.path)
    if template.form != "select":
        raise InputError(f"'{said.query}' is no SELECT", place=place, way_out="take a query that finds false values")
    if slot not in said_falsely(family.front):
        way_out = "give distractors for a slot of the options, or of a claim with the test '='"
        raise InputError(f"nothing false is said of '{slot}'", place=place, way_out=way_out)
    given = {name: value for name, value in said.given.items() if value in family.slots}
    if unknown := next((name for name in said.given if name not in template.parameters), None):
        problem = f"'{said.query}' has no parameter '{unknown}'"
        raise InputError(problem, place=place, way_out=nearest(unknown, template.parameters))
    try:
        constants = {name: template.read_value(name, text, base=base) for name, text in said.given.items() if name not in given}
    except TemplateError as error:
        raise TemplateError(f"{error.problem}, and no slot", place=place, way_out=error.way_out) from error
    missing = (
        name
        for name, parameter in template.parameters.items()
        if not parameter.optional and name not in said.given and name not in template.defaults
    )
    if name := next(missing, None):
        problem = f"'{said.query}' needs its parameter '{name}'"
        raise InputError(problem, place=place, way_out=f"write `with: {{{name}: SLOT}}`, or a value")
    left = [variable for variable in template.slots if variable not in said.given]
    if not left:
        raise InputError(f"'{said.query}' finds nothing", place=place, way_out="leave a variable of its SELECT open")
    return Distractor(slot, said.query, template, given, constants, left[0])


def said_falsely(front: Front) -> list[str]:
    """Return the slots of which a family says something false: those of its options, or that of its claim."""
    if front.task == "choice":
        texts = (front.question or {}).values()
        return list(dict.fromkeys(slot for text in texts if not isinstance(text, str) for slot in text.options))
    claim = front.claim
    return [claim.slot] if claim and claim.test == "=" and claim.step is None else []


def _template(query: str, path: str) -> Template:
    """Find a query that ships, or a file, beside the family's own."""
    beside = Path(path).parent / query
    return find(str(beside)) if query.endswith(".rq") and beside.is_file() else find(query)
