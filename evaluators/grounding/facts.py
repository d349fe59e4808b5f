"""What a graph says of a subject and a relation, as columns pulled once: objects, values, and whether they are all there.

Four views of `queries/library` are pulled, whatever the number of answers: one query for each kind of fact. Of a claim they
tell whether the graph states it, contradicts it, or does neither:

* *stated*: the fact is there, or its inverse, or a fact of a relation that implies it;
* *contradicted*: the objects of the pair are all there (`kgp:complete`; a column that a functional dependency determines; a
  relation that a domain does not list as open, or that has one object wherever it is used; and no `kgp:incomplete`), and the
  claimed one is none of them, nor above or below one of them;
* *unknown*: anything else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Literal, NamedTuple

import polars as pl

from evaluators.grounding.values import is_day, is_measured, is_number, same_value
from evaluators.grounding.wordings import PREPOSITIONS, names_of
from evaluators.verify.reading.labels import Labels
from evaluators.verify.reading.text import phrase
from evaluators.verify.reading.words import word_list
from kg.graph import Graph
from kg.text import fold
from queries.domain import containment, domain_names, find_domain

Standing = Literal["stated", "contradicted", "unknown"]

_SINGLE = 0.99
"""Of the subjects of a relation with one object wherever it is used, so many have one; and there are so many at least."""
_SINGLE_SUBJECTS = 50
_BROKEN = 0.05
"""So large a share of rows may break a dependency: names that two things share break it too."""
_SHARE = 0.5
"""Of the pairs of a relation, so many stand under another one that implies it."""
_ONE_STEP = frozenset(("member of", "parent organization", "territory overlaps", "said to be the same as", "has subsidiary"))
"""What these lead to does not contain what it is made of: a league of nations has its seat in one of its countries."""
_HUB = 500
"""A node with more neighbours is a hub: whatever is beside it is not near."""
_STATE_WORDS, _NATIONS = word_list("state_words"), word_list("nations")


class Reading(NamedTuple):
    """One way to understand a claim: subject, relation, and an object or a value."""

    subject: int
    relation: int
    object: int | None
    value: str | None


class Judged(NamedTuple):
    """How a claim stands to the graph, by which reading, and the objects or values that the graph has instead or also."""

    standing: Standing
    reading: Reading
    true: tuple[int | str, ...] = ()


class Relation(NamedTuple):
    """A relation or attribute: its IRI and its label."""

    iri: str
    label: str


class _Schema(NamedTuple):
    """The pairs whose objects are all there, and are not; the relations that are determined; those that are columns."""

    complete: Set[tuple[int, int]]
    incomplete: Set[tuple[int, int]]
    determined: Set[int]
    columns: Set[int]


class Facts:
    """The facts of a graph between entities that have names, by number."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        aside = ThreadPoolExecutor(1)
        self._values = aside.submit(self._pull, "values")  # an engine answers while names and facts are sorted
        aside.shutdown(wait=False)
        self.labels = Labels.of(graph)
        self._number = {iri: n for n, iri in enumerate(self.labels.iris)}
        self.relations: list[Relation] = []
        self._relation: dict[str, int] = {}
        self._learn_relations()
        facts = self._pull("facts").select("s", "p", "o").unique()
        self.columns = self._numbered(facts, s=self._number, p=self._relation, o=self._number).unique()
        pairs = self.columns.group_by("s", "p").agg("o")
        self.objects = {(s, p): frozenset[int](o) for s, p, o in pairs.iter_rows()}

    def _pull(self, name: str) -> pl.DataFrame:
        from queries.views import view  # here: who judges without a graph need not wait for SPARQL

        return view(self._graph, name)

    def _learn_relations(self) -> None:
        from queries.templates import find

        for name in ("relations", "attributes"):
            declared = self._graph.select(find(name).bind())  # in the order of the engine, by which like readings are chosen
            for iri, label in declared.unique("p", keep="first", maintain_order=True).select("p", "label").iter_rows():
                self._relation[iri] = len(self.relations)
                self.relations.append(Relation(iri, label or iri.rpartition("/")[2].rpartition("#")[2]))

    def prepare(self) -> None:
        """Work out what claims will need, once."""
        for name in ("object_of", "implied_by", "inverses", "_beside", "_containers", "_concept_labels", "_open"):
            getattr(self, name)  # what values have no part in: they may be on their way yet
        for name in ("values", "subject_of", "_schema", "_single", "_valued"):
            getattr(self, name)

    def number_of(self, iri: str) -> int | None:
        """Return the number of an entity; null where it has no name."""
        return self._number.get(iri)

    def by_label(self, entities: frozenset[int], name: str) -> list[int]:
        """Return entities in order: first those whose label the name is, then those that have it as another name."""
        if len(entities) < 2:
            return list(entities)
        return sorted(entities, key=lambda e: (not self.is_label(e, name), e))

    def is_label(self, entity: int, name: str) -> bool:
        """Tell whether a name, in folded words, is the label of an entity, and not another name."""
        return " ".join(phrase(self.labels.texts[entity])) == name

    def label_of(self, iri: str) -> str:
        """Return the label of an entity, and any other text as it is."""
        return self.labels.texts[self._number[iri]] if iri in self._number else iri

    @cached_property
    def aliases(self) -> pl.DataFrame:
        """The other names of everything that has some: `e`, `alias`."""
        return self._pull("aliases").select("e", "alias")

    def relation_of(self, iri: str) -> int | None:
        """Return the number of a relation or attribute; null where the graph has none such."""
        return self._relation.get(iri)

    def _numbered(self, frame: pl.DataFrame, **numbers: Mapping[str, int]) -> pl.DataFrame:
        """Put numbers for the IRIs of some columns; rows go with an IRI that has none."""
        for column, of in numbers.items():
            known = pl.DataFrame({column: [*of], "n": [*of.values()]}, schema={column: pl.String, "n": pl.Int64})
            frame = frame.join(known, on=column, maintain_order="left").with_columns(pl.col("n").alias(column)).drop("n")
        return frame

    @cached_property
    def _valued_pairs(self) -> pl.DataFrame:
        values = self._numbered(self._values.result().drop_nulls("value"), e=self._number, p=self._relation)
        return values.group_by("e", "p", maintain_order=True).agg("value")

    @cached_property
    def values(self) -> dict[tuple[int, int], tuple[str, ...]]:
        """The values of each entity and attribute."""
        return {(e, p): tuple(several) for e, p, several in self._valued_pairs.iter_rows()}

    @cached_property
    def _uses(self) -> Mapping[int, tuple[int, int]]:
        """Of each relation and attribute, how many subjects it has, and how many of them have one object."""
        objects, values = self.columns.group_by("s", "p").len(), self._valued_pairs.select("p", len=pl.col("value").list.len())
        counted = pl.concat([objects.select("p", "len"), values]).group_by("p").agg(n=pl.len(), ones=(pl.col("len") == 1).sum())
        return {p: (n, ones) for p, n, ones in counted.iter_rows()}

    @cached_property
    def _schema(self) -> _Schema:
        marks = self._graph.schema("SELECT ?s ?m ?p { VALUES ?m { kgp:incomplete kgp:complete } ?s ?m ?p }")
        pairs: dict[str, set[tuple[int, int]]] = {"incomplete": set(), "complete": set()}
        for s, mark, p in marks.select("s", "m", "p").iter_rows():
            if s in self._number and p in self._relation:
                pairs[mark.rpartition("#")[2]].add((self._number[s], self._relation[p]))
        columns = self._graph.schema("SELECT DISTINCT ?c { ?t a kgp:Table ; kgp:column ?c }")["c"].to_list()
        told = self._graph.schema("""
            SELECT ?c ?v { ?d a kgp:FunctionalDependency ; kgp:determined ?c . OPTIONAL { ?d kgp:violatedBy ?v } }""")
        dependent = {
            p
            for column, broken in told.select("c", "v").iter_rows()
            for p in self._of_columns([column])
            if float(broken or 0) <= _BROKEN * self._uses.get(p, (0, 0))[0]
        }
        keyed = self._graph.schema("SELECT DISTINCT ?c { ?k a kgp:PrimaryKey ; kgp:table ?t . ?t kgp:column ?c }")[
            "c"
        ].to_list()
        several = {p for p, (n, ones) in self._uses.items() if ones < n}
        determined = dependent | (self._of_columns(keyed) - several)
        return _Schema(pairs["complete"], pairs["incomplete"], determined, self._of_columns(columns))

    def _of_columns(self, columns: Iterable[str]) -> set[int]:
        """Return the relations and attributes that columns became: `<T#c>`, and the edge `<T#ref-c>`."""
        iris = (iri for column in columns for iri in (column, "#ref-".join(column.rsplit("#", 1))))
        return {self._relation[iri] for iri in iris if iri in self._relation}

    @cached_property
    def subject_of(self) -> list[Set[int]]:
        """The relations that may have each entity as a subject: those of its kinds, or any where it is of none."""
        every = frozenset(range(len(self.relations)))
        told = self._told_of_kind((*self.objects, *self.values))
        return [relations if kinds else every for relations, kinds in zip(told, self.labels.concepts, strict=True)]

    @cached_property
    def object_of(self) -> list[Set[int]]:
        """The relations that may have each entity as an object: those that have it, or one of its kind."""
        return self._told_of_kind(self.columns.select("o", "p").unique().iter_rows())

    def _told_of_kind(self, ends: Iterable[tuple[int, int]]) -> list[Set[int]]:
        """Return for each entity the relations that stand beside it or one of its kind in `ends` (entity, relation)."""
        kinds: list[frozenset[object]] = [of_it or frozenset((n,)) for n, of_it in enumerate(self.labels.concepts)]
        told: dict[object, set[int]] = defaultdict(set)
        for several, relation in {(kinds[entity], relation) for entity, relation in ends}:
            for kind in several:
                told[kind].add(relation)
        of = {several: frozenset[int]().union(*[told[kind] for kind in several]) for several in set(kinds)}
        return [of[several] for several in kinds]

    def valued_by(self, value: str) -> Set[int]:
        """Return the relations with values that a date or number can be held against."""
        return self._valued["-" in value[1:]]

    @cached_property
    def _valued(self) -> tuple[Set[int], Set[int]]:
        """The attributes, and those of them whose first value is no number."""
        first = {p: values[0] for (_, p), values in reversed(self.values.items())}
        return frozenset(first), frozenset(p for p, value in first.items() if is_day(value) or not is_number(value))

    @cached_property
    def _beside(self) -> Mapping[int, Set[int]]:
        beside: dict[int, set[int]] = defaultdict(set)
        for s, o in self.columns.select("s", "o").unique().iter_rows():
            beside[s].add(o)
            beside[o].add(s)
        return beside

    def near(self, entities: frozenset[int]) -> frozenset[int]:
        """Return some entities and their neighbours, either way, but those of hubs."""
        several = (self._beside.get(entity, frozenset()) for entity in entities)
        return entities.union(*[beside for beside in several if len(beside) <= _HUB])

    def beside(self, one: int, other: int) -> bool:
        """Tell whether there is a fact between two entities."""
        return other in self._beside.get(one, frozenset())

    @cached_property
    def _sizes(self) -> dict[int, int]:
        return dict(self.columns.group_by("p").len().iter_rows())

    def _alike(self, other: pl.DataFrame, kept: tuple[str, str]) -> dict[int, set[int]]:
        """Return for each relation those of whose pairs (in `other`) half or more are pairs of it too."""
        both = other.join(self.columns, left_on=list(kept), right_on=["s", "o"]).filter(pl.col("p") != pl.col("p_right"))
        found: dict[int, set[int]] = defaultdict(set)
        for q, p, n in both.group_by("p", "p_right").len().iter_rows():
            if n >= _SHARE * self._sizes[q]:
                found[p].add(q)
        return found

    @cached_property
    def implied_by(self) -> Mapping[int, Set[int]]:
        """The relations that imply each relation."""
        return self._alike(self.columns, ("s", "o"))

    @cached_property
    def inverses(self) -> Mapping[int, Set[int]]:
        """The relations that say the same of a pair turned round; a relation may be its own inverse."""
        turned = self.columns.join(self.columns, left_on=["s", "o"], right_on=["o", "s"])
        found: dict[int, set[int]] = defaultdict(set)
        for q, p, n in turned.group_by("p", "p_right").len().iter_rows():
            if n >= _SHARE * self._sizes[q]:
                found[p].add(q)
        return found

    @cached_property
    def _open(self) -> tuple[Set[int], Mapping[int, Set[str]], Set[int]]:
        """Relations that are open; those that are so for subjects of a kind; those that some domain lists and leaves closed."""
        numbers: dict[str, set[int]] = defaultdict(set)
        for number, relation in enumerate(self.relations):
            for name in names_of(relation.label):
                numbers[name].add(number)
        unlisted, listed = set[int](), set[int]()
        of_kind: dict[int, set[str]] = defaultdict(set)
        for domain in map(find_domain, domain_names()):
            unlisted |= {number for label in domain.open for number in numbers[label]}
            listed |= {number for label in domain.relations for number in numbers[label]}
            for kind, labels in domain.open_of.items():
                for number in (number for label in labels for number in numbers[label]):
                    of_kind[number].add(kind)
        return unlisted, of_kind, listed - unlisted

    @cached_property
    def _single(self) -> Set[int]:
        """The relations and attributes of which nearly every subject has one object, as the graph itself shows."""
        return {p for p, (n, ones) in self._uses.items() if n >= _SINGLE_SUBJECTS and ones >= _SINGLE * n}

    def is_closed(self, subject: int, relation: int) -> bool:
        """Tell whether the objects of a pair are all there, so that another one is false."""
        pair, schema = (subject, relation), self._schema
        if pair in schema.complete:
            return True
        if pair in schema.incomplete:
            return False
        if relation in schema.determined:
            return True
        unlisted, of_kind, listed = self._open
        if relation in unlisted or relation in schema.columns:
            return False  # a table's column is closed where a key or a dependency says so
        if relation in of_kind and any(_is_of(kind, of_kind[relation]) for kind in self._kinds(subject)):
            return False
        return relation in listed or relation in self._single

    def _kinds(self, entity: int) -> list[str]:
        return [self._concept_labels.get(kind, "") for kind in self.labels.concepts[entity]]

    @cached_property
    def _concept_labels(self) -> Mapping[str, str]:
        kinds = frozenset().union(*self.labels.concepts)
        return {kind: fold(self.labels.texts[self._number[kind]]) for kind in kinds if kind in self._number}

    @cached_property
    def _up(self) -> tuple[frozenset[int], frozenset[int]]:
        up, down = containment()
        labels = [(number, fold(relation.label)) for number, relation in enumerate(self.relations)]
        up, down = up - _ONE_STEP, down - _ONE_STEP
        return frozenset(n for n, label in labels if label in up), frozenset(n for n, label in labels if label in down)

    def above(self, entity: int, steps: int = 4) -> set[int]:
        """Return what contains an entity, over so many steps."""
        if entity not in self._above:
            seen, at = {entity}, {entity}
            for _ in range(steps):
                at = {up for node in at for up in self._containers.get(node, ())} - seen
                seen |= at
            self._above[entity] = seen
        return self._above[entity]

    @cached_property
    def _above(self) -> dict[int, set[int]]:
        return {}

    @cached_property
    def _containers(self) -> Mapping[int, Set[int]]:
        up, down = self._up
        found: dict[int, set[int]] = defaultdict(set)
        for s, p, o in self.columns.filter(pl.col("p").is_in([*up, *down])).iter_rows():
            within, whole = (s, o) if p in up else (o, s)
            found[within].add(whole)
        for entity, kinds in enumerate(self.labels.concepts):
            if kinds:
                found[entity].update(self._number[kind] for kind in kinds if kind in self._number)
        return found

    def judge(self, readings: Sequence[Reading]) -> Judged:
        """Say how a claim stands that may be understood in several ways.

        It is stated where one of them is; contradicted where each choice of what the names stand for has a reading that the
        graph denies, and none that it leaves open.
        """
        denied: dict[tuple[object, ...], Reading] = {}
        left_open = set[tuple[object, ...]]()
        for reading in readings:
            s, p, o, value = reading
            if self._states(reading):
                return Judged("stated", reading, self._true(reading))
            meant = (s, o if o is not None else value)
            if self.denies(s, p, o) if o is not None else self.denies_value(s, p, value or ""):
                denied.setdefault(meant, reading)
            elif (s, p) in self.objects or (s, p) in self.values:
                left_open.add(meant)
        sure = [meant for meant in denied if meant not in left_open]
        # What is denied in one direction ("S is the capital of O") need not be known in the other ("the capital of O is S").
        if {frozenset(_ends(r)) for r in readings} == set(map(frozenset, sure)):
            first = denied[sure[0]]
            return Judged("contradicted", first, self._true(first))
        return Judged("unknown", readings[0], self._true(readings[0]))

    def is_stated_of_all(self, readings: Sequence[Reading]) -> bool:
        """Tell whether a fact is stated of each thing that a claim may speak of: who denies it of a namesake may be right."""
        stated = {r.subject for r in readings if self._states(r)}
        return stated == {
            r.subject for r in readings if (r.subject, r.relation) in self.objects or (r.subject, r.relation) in self.values
        }

    def _states(self, reading: Reading) -> bool:
        s, p, o, value = reading
        return self.states(s, p, o) if o is not None else self.states_value(s, p, value or "")

    def _true(self, reading: Reading) -> tuple[int | str, ...]:
        pair = (reading.subject, reading.relation)
        return self.values.get(pair, ()) if reading.object is None else tuple(sorted(self.objects.get(pair, ())))

    def states(self, subject: int, relation: int, claimed: int) -> bool:
        """Tell whether the graph states a fact, its inverse, or one that implies it."""
        if claimed in self.objects.get((subject, relation), ()):
            return True
        if any(claimed in self.objects.get((subject, q), ()) for q in self.implied_by.get(relation, ())):
            return True
        return any(subject in self.objects.get((claimed, q), ()) for q in self.inverses.get(relation, ()))

    def denies(self, subject: int, relation: int, claimed: int) -> bool:
        """Tell whether the objects of a pair are all there, and the claimed one is none, nor above or below one of them."""
        true = self.objects.get((subject, relation))
        if not true or not self.is_closed(subject, relation) or self.states(subject, relation, claimed):
            return False
        above = self.above(claimed)
        return not any(o in above or claimed in self.above(o) or self._like(o, claimed) for o in true)

    def _like(self, one: int, other: int) -> bool:
        """Tell whether two entities go by names of which one has all words of the other: they may well be meant alike."""
        a, b = (set(phrase(self.labels.texts[n])) - PREPOSITIONS for n in (one, other))
        return bool(a and b) and (a <= b or b <= a or _is_short_for(a, b) or _is_short_for(b, a))

    def states_value(self, subject: int, relation: int, claimed: str) -> bool:
        """Tell whether an attribute has a value, as precisely as it is claimed."""
        return any(same_value(value, claimed) for value in self.values.get((subject, relation), ()))

    def denies_value(self, subject: int, relation: int, claimed: str) -> bool:
        """Tell whether the values of an attribute are all there, and the claimed one is none of them.

        A date or number can be none of some others, but says nothing of a text.
        """
        values = self.values.get((subject, relation), ())
        return (
            bool(values)
            and self.is_closed(subject, relation)
            and all(is_measured(value) for value in values)
            and not self.states_value(subject, relation, claimed)
        )


def _ends(reading: Reading) -> tuple[object, object]:
    return reading.subject, reading.object if reading.object is not None else reading.value


def _is_of(kind: str, heads: Set[str]) -> bool:
    return bool(kind) and (kind in heads or any(kind.endswith(f" {head}") for head in heads))


def _is_short_for(word: Set[str], name: Set[str]) -> bool:
    """Tell whether a word is a short form of a country's name: of USA and United States no word is shared."""
    telling = name - _STATE_WORDS or name & _NATIONS.keys()
    return len(word) == 1 and len(telling) == 1 and not word.isdisjoint(_NATIONS.get(min(telling), ()))
