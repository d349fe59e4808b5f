"""From a graph to question-evidence-answer triples whose evidence changes: facts drawn, passages written, attacked, made items.

Source: Yu, Cheng, Liu, Roth, Gao: Automatic Hallucination Assessment for Aligned Large Language Models via Transferable
Adversarial Attacks (AutoDebug, 2023), §2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import polars as pl

from generators.autodebug.compose import Dials, originals
from generators.autodebug.enrich import EXPANSIONS, EnrichDials, enriched
from generators.autodebug.facts import Facts, facts_of
from generators.autodebug.items import asked_groups, items_of
from generators.autodebug.passages import passages, questions, told_sentences, with_forms
from generators.autodebug.swap import SwapDials, swapped
from generators.items import source_of
from kg.graph import Graph
from kg.text import fold_all


class Attack(StrEnum):
    """What is done to the evidence."""

    swap = "swap"
    enrich = "enrich"
    both = "both"


@dataclass(frozen=True)
class Options:
    """How to generate: `n` facts at most, by what hash, with which attack, and which levels are fixed.

    `seeds` has the category of each group that may be attacked (`seeds.read_seeds`), `pivot` the model that it holds for.
    """

    n: int = 1000
    seed: int = 0
    attack: Attack = Attack.both
    dials: Dials = field(default_factory=Dials)
    swap: SwapDials = field(default_factory=SwapDials)
    enrich: EnrichDials = field(default_factory=EnrichDials)
    seeds: Mapping[str, str] | None = None
    pivot: str | None = None


@dataclass(frozen=True)
class Result:
    """The items, and how they came to be: `facts` attacked of those `wanted`, `known` in all, `left_out` by reason."""

    items: pl.DataFrame
    facts: int
    wanted: int
    known: int
    left_out: dict[str, int] = field(default_factory=dict)

    @property
    def short(self) -> bool:
        """Say whether there were fewer facts than wanted."""
        return self.facts < self.wanted


_NO_LEVEL = pl.lit(None, pl.String)


@dataclass(frozen=True)
class _Attempt:
    """What became of some facts: rows and sentences of the passages of those that could be attacked, and why not the others."""

    rows: pl.DataFrame
    sentences: pl.DataFrame
    left_out: dict[str, int]


def generate(graph: Graph, options: Options = Options()) -> Result:
    """Make original and changed passages of a graph's facts: a pure function of graph and options.

    Raises InputError where there is nothing to ask about.

    >>> from kg import open_graph
    >>> result = generate(open_graph(), Options(n=3))
    >>> result.items["variant"].to_list()[:4]
    ['original', 'swap', 'enrich', 'enrich']
    """
    facts = facts_of(graph, options.seed)
    asked = facts.asked if options.seeds is None else _of_seeds(facts, options.seeds)
    # Half of all facts can be attacked in most graphs: so many are tried first, and all where few can.
    for size in (2 * options.n + 50, 6 * options.n + 50, asked.height):
        attempt = _attempt(facts, asked.head(size), options)
        if attempt.rows["t"].n_unique() >= options.n or size >= asked.height:
            break
    kept = attempt.rows["t"].unique().sort().head(options.n)
    rows = attempt.rows.filter(pl.col("t").is_in(kept.implode())).sort("t", "order")
    sentences = attempt.sentences.filter(pl.col("n").is_in(rows["n"].implode()))
    if options.seeds is not None:
        # Whoever knows the answer needs no passage: to enrich it would show nothing.
        read = asked.filter(pl.col("category") == "correct/wrong")["t"]
        rows = rows.filter((pl.col("variant") != "enrich") | pl.col("t").is_in(read.implode()))
    pivot = {} if options.pivot is None else {"pivot": options.pivot}
    items = items_of(facts, rows, sentences, {**source_of(graph, options.seed), **pivot})
    wanted = options.n if options.seeds is None else min(options.n, asked.height)
    return Result(items, len(kept), wanted, facts.facts, facts.left_out | attempt.left_out)


def _of_seeds(facts: Facts, seeds: Mapping[str, str]) -> pl.DataFrame:
    """Return the facts that the pivot reads rightly from their passages, with their `category`."""
    grouped = facts.asked.with_columns(category=asked_groups(facts).replace_strict(seeds, default=None, return_dtype=pl.String))
    return grouped.filter(pl.col("category").is_in(["correct/correct", "correct/wrong"]))


def _attempt(facts: Facts, asked: pl.DataFrame, options: Options) -> _Attempt:
    """Write the passages of some facts; a fact is kept where all that was asked for can be made of it."""
    left_out: dict[str, int] = {}
    original = _formed(facts, originals(facts, asked, options.dials).with_columns(added=_NO_LEVEL, closeness=_NO_LEVEL))
    written: dict[tuple[str, str | None], pl.DataFrame] = {("original", None): original}
    contexts = passages(original).select(t="row", key=" " + fold_all(passages(original)["context"]) + " ")
    kept, left_out["of its subject too little else is known"] = _narrowed(asked, contexts["t"])
    levels = pl.DataFrame(schema={"t": pl.Int64, "x": pl.Int64, "distance": pl.String, "answer_popularity": pl.String})
    if options.attack is not Attack.enrich:
        levels = swapped(facts, kept, contexts, options.swap)
        kept, left_out["no other answer of the kind is safe"] = _narrowed(kept, levels["t"])
        written["swap", None] = _replaced(facts, original, levels)
    if options.attack is not Attack.swap:
        for expansion in EXPANSIONS:
            more = _formed(facts, enriched(facts, kept, original, expansion, options.enrich))
            kept, left_out[f"too little can be added, {expansion}-focused"] = _narrowed(kept, more["row"])
            written["enrich", expansion] = more
    rows, sentences = _rows(facts, kept, written, levels)
    return _Attempt(rows, sentences, {reason: count for reason, count in left_out.items() if count})


def _formed(facts: Facts, sentences: pl.DataFrame) -> pl.DataFrame:
    return told_sentences(with_forms(sentences, facts.names, facts.wordings), facts.wordings)


def _narrowed(asked: pl.DataFrame, t: pl.Series) -> tuple[pl.DataFrame, int]:
    """Keep the facts that stand in `t`, and count the others."""
    kept = asked.filter(pl.col("t").is_in(t.unique().implode()))
    return kept, asked.height - kept.height


def _replaced(facts: Facts, original: pl.DataFrame, levels: pl.DataFrame) -> pl.DataFrame:
    """Put the new answers into the supporting sentences; every other sentence stays as it is."""
    new = facts.names.select(x=pl.col("e").cast(pl.Int64), x_label="label", x_the="the", x_a="a")
    new = levels.select(row="t", x="x").join(new, on="x", how="left", maintain_order="left")
    joined = original.join(new, on="row", maintain_order="left")
    changed = joined.with_columns(
        pl.when("support").then(f"x_{c}").otherwise(f"o_{c}").alias(f"o_{c}") for c in ("label", "the", "a")
    ).drop("sentence", "x", "x_label", "x_the", "x_a")
    return told_sentences(changed, facts.wordings)


def _rows(
    facts: Facts, kept: pl.DataFrame, written: dict[tuple[str, str | None], pl.DataFrame], levels: pl.DataFrame
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return a row for each passage of the facts that are kept, and all their sentences, by the passage's number `n`."""
    the = facts.names.select(s=pl.col("e").cast(pl.Int64), the="the", label="label")
    asked = kept.select("t", "s", "p", "o", "w").join(the, on="s", how="left", maintain_order="left")
    asked = asked.with_columns(question=questions(asked, facts.wordings)).drop("the", "label")
    rows, sentences = [], []
    for order, ((variant, expansion), told) in enumerate(written.items()):
        told = told.join(asked.select(row="t"), on="row", maintain_order="left")
        drawn = told.group_by("row", maintain_order=True).agg(
            pl.col("length", "where", "added", "closeness").drop_nulls().first()
        )
        made = asked.join(passages(told).join(drawn, on="row"), left_on="t", right_on="row", maintain_order="left")
        number = len(written) * pl.col("t") + order
        named = made.with_columns(
            n=number, order=pl.lit(order), variant=pl.lit(variant), expansion=pl.lit(expansion, pl.String)
        ).join(levels, on="t", how="left", maintain_order="left")
        is_swap = variant == "swap"
        rows.append(
            named.with_columns(
                x=pl.col("x") if is_swap else pl.col("o"),
                **{c: pl.col(c) if is_swap else pl.lit(None, pl.String) for c in ("distance", "answer_popularity")},
            )
        )
        sentences.append(told.with_columns(n=len(written) * pl.col("row") + order).select("n", "s", "p", "objects", "support"))
    return pl.concat(rows), pl.concat(sentences)
