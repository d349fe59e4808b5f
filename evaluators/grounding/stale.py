"""What a graph says today of the facts that items ask for: other answers that are right, and premises that hold after all.

A proof of an item names its fact: a subject and a relation (`fact`, `true_objects`), or the values with which a family's
SELECT finds its row. All of them are looked up in the columns of the graph, or in one run of each SELECT. An item is *stale*
where the graph states an answer that it does not list.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import polars as pl

from evaluators.grounding.facts import Facts
from evaluators.verify.question import Object, Question
from kg.errors import QueryError
from kg.graph import Graph
from kg.terms import texts_of
from kg.text import fold
from queries.audit.rows import answer_columns, table_query
from queries.records import Item, records_in


class Asked(NamedTuple):
    """The fact that an item asks for, by number; `object` is the one in question, null where objects are asked for."""

    subject: int
    relation: int
    object: int | None = None


class Outdated(NamedTuple):
    """What a graph says against an item: further names of right answers, or that the false premise holds."""

    names: tuple[str, ...] = ()
    holds: bool = False


_TURNED = {"yes": "no", "no": "yes", "accept": "reject", "reject": "accept"}


@dataclass(frozen=True)
class Lookup:
    """The fact each item asks for, the items that are stale, and name and digest of the graphs that items were made from."""

    asked: Mapping[str, Asked]
    stale: Mapping[str, Outdated]
    made_from: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    def of(cls, graph: Graph, facts: Facts, path: str) -> Lookup:
        """Look up the facts of a file of items.

        Raises RecordError with file, line and field.
        """
        asked: dict[str, Asked] = {}
        stale: dict[str, Outdated] = {}
        rows: list[_RowProof] = []
        aliases = _aliases(facts)
        made_from = set[tuple[str, str]]()
        for _, item in records_in(path, Item):
            fact = _asked(item, facts)
            if item.source and "digest" in item.source:
                made_from.add((str(item.source.get("graph")), str(item.source.get("digest"))))
            if fact is None:
                rows += _row_proofs(item)
                continue
            asked[item.id] = fact
            outdated = _outdated(item, fact, facts, aliases)
            if outdated is not None:
                stale[item.id] = outdated
        return cls(asked, stale | _more_rows(graph, facts, rows), frozenset(made_from))

    def corrected(self, item: str, question: Question) -> Question | None:
        """Return the question with what the graph says of it; null where the item is not stale."""
        outdated = self.stale.get(item)
        if outdated is None:
            return None
        expected = question.expected or ()
        if not outdated.holds:
            return question._replace(expected=(*expected, *outdated.names))
        premise = question.premise
        if premise is not None:
            premise = premise._replace(true_objects=(*premise.true_objects, Object(premise.object)))
        return question._replace(expected=tuple(_TURNED.get(answer, answer) for answer in expected), premise=premise)


def _aliases(facts: Facts) -> Mapping[int, list[str]]:
    aliases: dict[int, list[str]] = defaultdict(list)
    for iri, alias in facts.aliases.iter_rows():
        number = facts.number_of(iri)
        if number is not None:
            aliases[number].append(alias)
    return aliases


def _asked(item: Item, facts: Facts) -> Asked | None:
    """Return the fact that an item asks for, by its premise or the first of its proofs that names one."""
    if item.premise is not None:
        s, o = facts.number_of(item.premise.subject.iri), facts.number_of(item.premise.object.iri)
        p = facts.relation_of(item.premise.relation.iri)
        return Asked(s, p, o) if s is not None and p is not None and o is not None else None
    for proof in item.proof:
        terms = {bound.name: bound.term.strip("<>") for bound in proof.bind}
        if proof.query.partition("@")[0] in ("fact", "true_objects") and {"s", "p"} <= terms.keys():
            s, p = facts.number_of(terms["s"]), facts.relation_of(terms["p"])
            return Asked(s, p) if s is not None and p is not None else None
    return None


def _outdated(item: Item, fact: Asked, facts: Facts, aliases: Mapping[int, list[str]]) -> Outdated | None:
    if fact.object is not None:
        edited = item.premise is not None and item.premise.edit is not None
        return Outdated(holds=True) if edited and facts.states(fact.subject, fact.relation, fact.object) else None
    if item.task not in ("open", "context") or item.answer is None:
        return None
    listed = set(map(fold, item.answer))
    names: list[str] = []
    for o in sorted(facts.objects.get((fact.subject, fact.relation), ())):
        own = [facts.labels.texts[o], *aliases.get(o, ())]
        if fold(own[0]) not in listed:  # another name of it may be listed as that of something else
            names += own
    names += [value for value in facts.values.get((fact.subject, fact.relation), ()) if fold(value) not in listed]
    return Outdated(tuple(dict.fromkeys(names))) if names else None


class _RowProof(NamedTuple):
    """A proof that finds rows by values: of an item with a short answer, and the names that it lists."""

    item: str
    listed: frozenset[str]
    query: str
    names: tuple[str, ...]
    terms: tuple[str, ...]


def _row_proofs(item: Item) -> Iterable[_RowProof]:
    if item.task not in ("open", "context") or not item.answer:
        return
    listed = frozenset(map(fold, item.answer))
    for proof in item.proof:
        if proof.rows is not None and proof.bind:
            yield _RowProof(item.id, listed, proof.query, *zip(*[(b.name, b.term) for b in proof.bind], strict=True))


def _more_rows(graph: Graph, facts: Facts, proofs: list[_RowProof]) -> dict[str, Outdated]:
    """Return what the rows of families name that items do not list: each SELECT is run once."""
    groups: dict[tuple[str, tuple[str, ...]], list[_RowProof]] = defaultdict(list)
    for proof in proofs:
        groups[proof.query, proof.names].append(proof)
    stale: dict[str, Outdated] = {}
    for (query, names), several in groups.items():
        select = table_query(query, names, graph.base)
        if select is None:
            continue
        try:
            table = graph.terms(select)
        except QueryError:
            continue  # the graph has none of this
        bound = pl.DataFrame([proof.terms for proof in several], schema=list(names), orient="row")
        bound = bound.with_columns(n=pl.Series(range(len(several))))
        answers = [column for column in answer_columns(query) or table.columns if column not in names]
        for n, *cells in table.join(bound, on=list(names)).select("n", *answers).iter_rows():
            proof = several[n]
            texts = [facts.label_of(text) for text in texts_of(pl.Series(cells, dtype=pl.String)).to_list() if text]
            new = [text for text in texts if fold(text) not in proof.listed]
            if new and proof.listed.isdisjoint(map(fold, texts)):
                before = stale.get(proof.item, Outdated()).names
                stale[proof.item] = Outdated(tuple(dict.fromkeys([*before, *new])))
    return stale
