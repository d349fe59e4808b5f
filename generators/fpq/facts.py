"""Which true triples are asked about (KG-FPQ, §3.1), and in which order they are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import polars as pl

from generators.draw import mix, word
from generators.fpq.doubts import (
    adapted,
    ambiguous,
    atypical_kinds,
    atypical_trades,
    doubtful_titles,
    miscalled,
    nested,
    of_kinds,
    one_tells,
    rare,
    repeating,
    uncapitalised,
    unreturned,
    untyped,
)
from generators.fpq.edits import Triples
from generators.fpq.evenly import even_order, popularity_of
from generators.fpq.tense import gone
from generators.graph_columns import GraphColumns, ints, marked
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

    def only(self, owned: npt.NDArray[np.bool_]) -> Sample:
        """Return the triples that are owned, in their order."""
        rows, kept = np.flatnonzero(owned), pl.Series(owned)
        return replace(
            self, triples=self.triples[rows], concepts=self.concepts.filter(kept), popularity=self.popularity.filter(kept)
        )

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
    among: pl.DataFrame | None = None,
) -> Sample:
    """Draw up to `n` triples of a domain by hash: evenly over relations, objects, concepts and subjects, else each alike.

    `incomplete` holds pairs `s`, `p` (IRIs) whose objects are known to be incomplete: they are left out. So are the relations
    that the domain marks as open, but for `open_too` and the pairs `complete`, whose objects are known to be all there. Only
    facts `among` some (`s`, `p`, `o` as IRIs) are drawn, where these are given.
    Raises InputError where the domain matches nothing in this graph.
    """
    facts = _of_domain(columns, domain, among)
    partial = _numbered(columns, incomplete)
    whole = _numbered(columns, incomplete.clear() if complete is None else complete)
    asked, left_out = _only_plain(facts, columns, domain, partial, whole, open_too)
    s, p, o = (ints(asked[c]) for c in ("s", "p", "o"))
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


def _of_domain(columns: GraphColumns, domain: Domain, among: pl.DataFrame | None) -> pl.DataFrame:
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
    facts = columns.facts if among is None else columns.facts.join(_numbered(columns, among), on=["s", "p", "o"])
    facts = facts.join(relations.select("p"), on="p").join(subjects, left_on="s", right_on="e")
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


def _numbered(columns: GraphColumns, facts: pl.DataFrame) -> pl.DataFrame:
    """Replace the IRIs of facts (s, p, o or fewer of them) by numbers, each once; those that this graph does not know go."""
    for end in facts.columns:
        named = columns.relations if end == "p" else columns.entities
        number = named.select(pl.col("iri").alias(end)).with_row_index("number")
        facts = facts.join(number, on=end).with_columns(pl.col("number").alias(end)).drop("number")
    return facts.unique()


def _only_plain(
    facts: pl.DataFrame, columns: GraphColumns, domain: Domain, incomplete: pl.DataFrame, complete: pl.DataFrame, open_too: bool
) -> tuple[pl.DataFrame, dict[str, int]]:
    """Leave out the facts that give no plain question, each for the first reason that applies."""
    # Names go by number: the frame is cut down once for each reason, and numbers are moved faster than texts.
    name = columns.folded_labels.cast(pl.Categorical(pl.Categories.random())).to_physical()
    marked = facts.with_columns(s_name=name.gather(facts["s"]), o_name=name.gather(facts["o"]))
    one_way = unreturned(columns).with_columns(one_way=True)
    marked = marked.join(one_way, on=["s", "p", "o"], how="left", maintain_order="left")
    unlisted = pl.lit(not open_too) & _open(columns, domain) & ~_stands_in(complete.rename({"s": "e"}), "s")
    unclear = ambiguous(columns)
    # A fact counts for the first reason that applies: a reader of the summary sees numbers that add up.
    reasons = {
        "its relation is open, nobody lists all of its objects (--open-relations)": unlisted,
        "its objects are known to be incomplete": _stands_in(incomplete.rename({"s": "e"}), "s"),
        "subject or object has no name": pl.col("s_name").is_null() | pl.col("o_name").is_null(),
        "subject and object are the same": pl.col("s") == pl.col("o"),
        "subject and object bear the same name": pl.col("s_name") == pl.col("o_name"),
        "another of the same concept bears the subject's name": _is_one("s", columns, unclear),
        "another of the same concept bears the object's name": _is_one("o", columns, unclear),
        "nothing states it the other way round, as it does the relation's other facts": pl.col("one_way").fill_null(False),
        **_doubts(columns, domain),
    }
    counts = {}
    for reason, applies in reasons.items():
        kept = marked.select(kept=~applies)["kept"].fill_null(False)
        counts[reason] = marked.height - int(kept.sum())
        # Most reasons apply to none of a graph's millions of facts, which are then not copied.
        marked = marked.filter(kept) if counts[reason] else marked
    turned = _turned(marked, columns)
    counts["another fact says the like from the other end"] = int(turned.sum())
    marked = marked.filter(~turned)
    return marked, {reason: count for reason, count in counts.items() if count}


def _turned(facts: pl.DataFrame, columns: GraphColumns) -> pl.Series:
    """Say of facts whether another of them, of a rarer relation, says the like from the other end: capitals."""
    size = columns.facts.group_by("p").len("size")
    named = columns.relations.select(relation="iri").with_row_index("p").join(size, on="p")
    iri = columns.entities["iri"]
    some = facts.select("s", "p", "o").join(columns.paired, on=["s", "p", "o"], how="semi").join(named, on="p")
    some = some.with_columns(said=pl.struct("size", "relation", subject=iri.gather(some["s"])).rank("ordinal"))
    other = some.group_by(s="o", o="s").agg(best=pl.col("said").min())
    turned = some.join(other, on=["s", "o"]).filter(pl.col("best") < pl.col("said")).select("s", "p", "o", turned=True)
    return facts.join(turned, on=["s", "p", "o"], how="left", maintain_order="left")["turned"].fill_null(False)


def _open(columns: GraphColumns, domain: Domain) -> pl.Expr:
    """Say of facts whether their relation is open, for all subjects or for those of their kind."""
    every = pl.col("p").is_in(_listed(columns, domain.open)["p"].implode())
    for kind, relations in domain.open_of.items():
        of_kind = _is_one("s", columns, of_kinds(columns, kind))
        every |= of_kind & pl.col("p").is_in(_listed(columns, relations)["p"].implode())
    return every


def _doubts(columns: GraphColumns, domain: Domain) -> dict[str, pl.Expr]:
    """Say of facts, by reason, whether the graph itself lets them appear doubtful (`generators.fpq.doubts`)."""
    settled = pl.col("p").is_in(_listed(columns, domain.settled)["p"].implode())
    past = pl.arange(columns.n, eager=True).filter(gone(columns)).cast(pl.UInt32)
    over = _is_one("o", columns, past) & ~_is_one("s", columns, past)
    bygone = _is_one("s", columns, past) & ~pl.col("p").is_in(columns.of_role("lives")["p"].implode())
    repeated, label = repeating(columns), columns.folded_labels
    short = label.str.contains(r"^(.{1,3}|\d+)$").fill_null(False).arg_true()
    names = pl.struct("s", "o").map_batches(
        lambda ends: pl.Series(one_tells(label, *(ends.struct.field(end).to_numpy() for end in "so"))), return_dtype=pl.Boolean
    )
    return {
        "a subject has several objects, where a question presumes one": settled & _stands_in(_several(columns), "s"),
        "its object is no more, its subject still is": settled & over,
        "its subject is no more": settled & bygone,
        "its relation is rare in the graph": pl.col("p").is_in(rare(columns).implode()),
        "its object has no kind, as most of the relation's objects do": _stands_in(untyped(columns), "o"),
        "its object lies in another of the relation, or another in it": _stands_in(nested(columns), "o"),
        "its subject or object is of a kind whose names repeat": _is_one("s", columns, repeated)
        | _is_one("o", columns, repeated),
        "its subject is of a kind that the relation's subjects hardly ever are": _stands_in(atypical_kinds(columns, "s"), "s"),
        "its object is of a kind that the relation's objects hardly ever are": _stands_in(atypical_kinds(columns), "o"),
        "its object has another trade than the relation's objects": _stands_in(atypical_trades(columns), "o"),
        "its object is not called what the relation's objects are": _stands_in(miscalled(columns), "o")
        | _stands_in(uncapitalised(columns), "o"),
        "its object wrote what the subject is based on": _stands_in(adapted(columns), "o"),
        "its subject's name is too short to tell who is meant": _is_one("s", columns, short),
        "its subject's title has no year and does not tell what is meant": _is_one("s", columns, doubtful_titles(columns)),
        "one name tells the other": names,
    }


def _several(columns: GraphColumns) -> pl.DataFrame:
    """Return the subjects that have several objects under a relation: p, e."""
    key = columns.subject_relations  # in order, so that what stands there twice stands together
    s, p = np.divmod(np.unique(key[1:][key[1:] == key[:-1]]), max(columns.relations.height, 1))
    return pl.DataFrame({"p": p, "e": s}, schema=dict.fromkeys("pe", pl.UInt32))


def _is_one(end: str, columns: GraphColumns, listed: pl.Series) -> pl.Expr:
    """Say of facts whether one of their ends is a listed entity: looked up by its number."""
    there = marked(columns.n, listed)
    return pl.col(end).map_batches(lambda ends: pl.Series(there[ends.to_numpy()]), return_dtype=pl.Boolean)


def _stands_in(listed: pl.DataFrame, end: str) -> pl.Expr:
    """Say of facts whether their relation and one of their ends stand in a list of p and `e`."""
    key = listed.select(pl.col("p").cast(pl.Int64) * 2**32 + pl.col("e"))
    return (pl.col("p").cast(pl.Int64) * 2**32 + pl.col(end)).is_in(key.to_series().implode())
