"""Which true triples are asked about (KG-FPQ, §3.1), and in which order they are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from generators.draw import mix, word
from generators.fpq.edits import Triples
from generators.fpq.evenly import even_order, popularity_of
from generators.fpq.naming import told_apart
from generators.graph_columns import GraphColumns
from kg.errors import InputError
from kg.text import fold_all
from queries.domain import Domain

_OFTEN = "its relation or its object is asked about often enough"


@dataclass(frozen=True)
class Sample:
    """Triples to ask about, in the order drawn.

    `triples`: their numbers; `concepts`: the subject's concept that belongs to the domain, by number; `facts`: how many facts
    the domain has; `left_out`: why some of them are not asked about, with counts; `popularity`: how well known each subject is.
    """

    triples: Triples
    concepts: pl.Series
    popularity: pl.Series
    facts: int
    left_out: dict[str, int]

    @property
    def eligible(self) -> int:
        """How many facts could have been drawn."""
        return self.facts - sum(self.left_out.values())


def draw_facts(
    columns: GraphColumns,
    domain: Domain,
    incomplete: pl.DataFrame,
    n: int,
    *,
    complete: pl.DataFrame | None = None,
    even: bool = True,
    open_too: bool = False,
) -> Sample:
    """Draw up to `n` triples of a domain by hash: evenly over relations, objects, concepts and subjects, else each alike.

    `incomplete` holds pairs `s`, `p` (IRIs) whose objects are known to be incomplete: they are left out. So are the relations
    that the domain marks as open, but for `open_too` and the pairs `complete`, whose objects are known to be all there.
    Raises InputError where the domain matches nothing in this graph.
    """
    facts = _of_domain(columns, domain)
    unlisted = _listed(columns, () if open_too else domain.open)
    marks = [_numbered_pairs(columns, pairs) for pairs in (incomplete, incomplete.clear() if complete is None else complete)]
    asked, left_out = _only_plain(facts, columns, unlisted["p"], *marks)
    s, p, o = (asked[c].cast(pl.Int64).to_numpy() for c in ("s", "p", "o"))
    keys = mix(columns.keys[s], columns.relation_keys[p], columns.keys[o])
    asked = asked.with_columns(popularity=popularity_of(asked["s"], columns.facts))
    if even:
        order = even_order(asked, keys, columns.relation_keys, n)
        if len(order) < min(n, asked.height):
            left_out |= {_OFTEN: asked.height - len(order)}
    else:
        # Another mixture than those that edits start from: which facts are drawn says nothing about what stands in them.
        order = np.argsort(mix(keys, word("drawn")), kind="stable")[:n]
    return Sample(Triples(s, p, o, keys)[order], asked["concept"][order], asked["popularity"][order], facts.height, left_out)


def _of_domain(columns: GraphColumns, domain: Domain) -> pl.DataFrame:
    """Return the facts of a domain: s, p, o, and `concept`, the first one of the domain's list that the subject has."""
    relations = _listed(columns, domain.relations)
    concepts = _concepts_of(columns, domain)
    if relations.is_empty() or concepts.is_empty():
        kind, key = ("relation", "relations") if relations.is_empty() else ("concept", "concepts")
        raise InputError(
            f"domain '{domain.name}' matches nothing: this graph has no {kind} of its list",
            place=domain.path,
            way_out=f"see the graph's own with `kg stats`, and name them under `{key}` in a domain file: --domain FILE.toml",
        )
    subjects = columns.concepts.join(concepts, on="c").sort("rank").group_by("e", maintain_order=True).agg(pl.col("c").first())
    facts = columns.facts.join(relations.select("p"), on="p").join(subjects, left_on="s", right_on="e")
    if facts.is_empty():
        raise InputError(
            f"domain '{domain.name}' matches nothing: no subject of its concepts has a fact of its relations",
            place=domain.path,
            way_out="see the graph's own with `kg stats`, and write a domain file: --domain FILE.toml",
        )
    return facts.rename({"c": "concept"}).sort("s", "p", "o")


def _listed(columns: GraphColumns, names: Sequence[str]) -> pl.DataFrame:
    """Return the graph's relations that go by one of some names, with their number `p`."""
    listed = pl.col("names").list.set_intersection(pl.lit(pl.Series([[*names]], dtype=pl.List(pl.String)))).list.len() > 0
    return columns.relations.with_row_index("p").filter(listed)


def _concepts_of(columns: GraphColumns, domain: Domain) -> pl.DataFrame:
    """Return the graph's concepts that a domain lists: c and their rank in the list."""
    listed = pl.DataFrame({"name": domain.concepts}).with_row_index("rank")
    own = pl.DataFrame({"name": fold_all(columns.concept_labels)}).with_row_index("c")
    return own.join(listed, on="name")


def _numbered_pairs(columns: GraphColumns, marked: pl.DataFrame) -> pl.DataFrame:
    """Replace the IRIs of subjects and relations by numbers; pairs that this graph does not know go."""
    node = columns.entities.select(s_iri="iri").with_row_index("s")
    relation = columns.relations.select(p_iri="iri").with_row_index("p")
    named = marked.rename({"s": "s_iri", "p": "p_iri"})
    return named.join(node, on="s_iri").join(relation, on="p_iri").select("s", "p").unique()


def _only_plain(
    facts: pl.DataFrame, columns: GraphColumns, unlisted: pl.Series, incomplete: pl.DataFrame, complete: pl.DataFrame
) -> tuple[pl.DataFrame, dict[str, int]]:
    """Leave out the facts that give no plain question, each for the first reason that applies."""
    label, ambiguous = columns.folded_labels, _ambiguous(columns)
    known = incomplete.with_columns(incomplete=True).join(
        complete.with_columns(complete=True), on=["s", "p"], how="full", coalesce=True
    )
    marked = facts.join(known, on=["s", "p"], how="left", maintain_order="left").with_columns(
        s_label=label.gather(facts["s"]), o_label=label.gather(facts["o"])
    )
    unlisted_here = pl.col("p").is_in(unlisted.implode()) & pl.col("complete").is_null()
    # A fact counts for the first reason that applies: a reader of the summary sees numbers that add up.
    reasons = {
        "its relation is open, nobody lists all of its objects (--open-relations)": unlisted_here,
        "its objects are known to be incomplete": pl.col("incomplete").fill_null(False),
        "subject or object has no name": pl.col("s_label").is_null() | pl.col("o_label").is_null(),
        "subject and object are the same": pl.col("s") == pl.col("o"),
        "subject and object bear the same name": pl.col("s_label") == pl.col("o_label"),
        "another of the same concept bears the subject's name": pl.col("s").is_in(ambiguous.implode()),
        "another of the same concept bears the object's name": pl.col("o").is_in(ambiguous.implode()),
    }
    counts = {}
    for reason, applies in reasons.items():
        left = marked.filter(~applies)
        counts[reason] = marked.height - left.height
        marked = left
    return marked, {reason: count for reason, count in counts.items() if count}


def _ambiguous(columns: GraphColumns) -> pl.Series:
    """Return the entities whose label another entity of the same concept bears, unless kind and year tell them apart."""
    named = columns.concepts.join(columns.labels, on="e")
    several = named.group_by("c", "label").agg(pl.col("e").unique()).filter(pl.col("e").list.len() > 1)
    every = several["e"].explode().unique()
    return every.filter(~every.is_in(told_apart(columns).implode()))
