"""Passages as items, each with the proofs of all that it tells, and that a swapped answer is false."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from generators.autodebug.facts import Facts
from generators.items import assemble, listed, proved, short_hash
from kg.vocab import PREFIXES
from queries.templates import versioned

VARIANTS = ("original", "swap", "enrich")


def items_of(facts: Facts, rows: pl.DataFrame, sentences: pl.DataFrame, source: Mapping[str, str]) -> pl.DataFrame:
    """Make an item of each passage.

    Parameters: `rows` has a row a passage: n (its number), t, s, p, o, x (the answer it gives), variant, expansion, question,
    context, support and the levels of the dials; `sentences` has the sentences of all passages by their number `n`.
    """
    named = _named(facts, rows).with_columns(proof=_proofs(facts, rows, sentences))
    asked = named.with_columns(relation=pl.Series([w.relation for w in facts.wordings]).gather(named["w"]))
    levels = ("expansion", "distance", "answer_popularity", "added", "closeness", "length", "where")
    return assemble(
        asked,
        bindings=["s_iri", "p_iri", "o_iri", "x_iri", "expansion"],
        strata={"relation": pl.col("relation"), **{name.replace("where", "place"): pl.col(name) for name in levels}},
        source={**source, "support": pl.col("support"), "original": pl.col("o_label")},
        method="autodebug",
        family="graph",
        task="context",
        variant=pl.col("variant"),
        question=pl.col("question"),
        answer=pl.col("answer"),
        answer_type="entity",
        given=listed(
            [asked.select(pl.struct(slot=pl.lit("subject"), value="s_label", claim=pl.lit(None, pl.Boolean))).to_series()]
        ),
        context=pl.col("context"),
        group=_groups(asked),
        proof=pl.col("proof"),
    )


def _named(facts: Facts, rows: pl.DataFrame) -> pl.DataFrame:
    """Add IRIs, labels and the accepted answers."""
    entity = facts.names.select(pl.col("e").cast(pl.Int64), "iri", "label")
    for column in ("s", "o", "x"):
        named = {"e": column, "iri": f"{column}_iri", "label": f"{column}_label"}
        rows = rows.join(entity.rename(named), on=column, how="left", maintain_order="left")
    aliases = (
        facts.columns.aliases.select(x=pl.col("e").cast(pl.Int64), alias="alias").group_by("x").agg(pl.col("alias").sort())
    )
    rows = rows.join(aliases, on="x", how="left", maintain_order="left")
    rows = rows.join(facts.relations.select("p", p_iri="iri"), on="p", how="left", maintain_order="left")
    answer = pl.concat_list(pl.concat_list("x_label"), pl.col("alias").fill_null([])).list.unique(maintain_order=True)
    return rows.with_columns(answer=answer)


def _proofs(facts: Facts, rows: pl.DataFrame, sentences: pl.DataFrame) -> pl.Series:
    """Return the proofs of each passage: the fact, what a swap rests on, then every other sentence."""
    entity = facts.names.select(pl.col("e").cast(pl.Int64), term=pl.format("<{}>", "iri"))
    relation = facts.relations.select("p", p_term=pl.format("<{}>", "iri"))
    asked = rows.select("n", "s", "p", "o", "x", "variant")
    swap = asked.filter(pl.col("variant") == "swap")
    told = sentences.filter(~pl.col("support")).explode("objects")
    told = told.select("n", "s", "p", x="objects")
    # Of an attribute that a sentence tells there is one year.
    years = facts.told.drop_nulls("o_term").select("s", "p", year_term="o_term").unique(["s", "p"], keep="none")
    parts = [
        ("fact", True, asked.select("n", "s", "p", x="o"), ("s", "p", "o")),
        ("fact", False, swap.select("n", "s", "p", "x"), ("s", "p", "o")),
        ("same_concept", True, swap.select("n", s="o", p="p", x="x"), ("a", "", "b")),
        ("object_of_relation", True, swap.select("n", "s", "p", "x"), ("", "p", "o")),
        ("fact", True, told, ("s", "p", "o")),
    ]
    proofs = []
    for query, expect, part, names in parts:
        terms = part.join(entity.rename({"e": "s", "term": "s_term"}), on="s", how="left", maintain_order="left")
        terms = terms.join(entity.rename({"e": "x", "term": "x_term"}), on="x", how="left", maintain_order="left")
        terms = terms.join(relation, on="p", how="left", maintain_order="left")
        terms = terms.join(years, on=["s", "p"], how="left", maintain_order="left")
        terms = terms.with_columns(x_term=pl.when(pl.col("x").is_null()).then("year_term").otherwise("x_term"))
        terms = terms.filter(pl.col("x_term").is_not_null())
        bind = {name: pl.col(c) for name, c in zip(names, ("s_term", "p_term", "x_term"), strict=True) if name}
        proofs.append(terms.select("n", proof=proved(terms, versioned(query), bind, expect)))
    every = pl.concat([*proofs, _typed(facts, asked, sentences)]).group_by("n", maintain_order=True).agg("proof")
    return rows.select("n").join(every, on="n", how="left", maintain_order="left")["proof"]


def _typed(facts: Facts, asked: pl.DataFrame, sentences: pl.DataFrame) -> pl.DataFrame:
    """Return the proofs of each passage that what it tells of is what it calls it: by a concept, else by a genre."""
    things = facts.names.filter(~pl.col("person")).drop_nulls("genus")
    things = things.select(
        "genre_p",
        "genre_o",
        s=pl.col("e").cast(pl.Int64),
        s_term=pl.format("<{}>", "iri"),
        type_term=pl.format("<{}>", "genus_iri"),
    )
    relation = facts.relations.select(genre_p="p", genre_term=pl.format("<{}>", "iri"))
    entity = facts.names.select(genre_o=pl.col("e").cast(pl.Int64), o_term=pl.format("<{}>", "iri"))
    things = things.join(relation, on="genre_p", how="left", maintain_order="left")
    things = things.join(entity, on="genre_o", how="left", maintain_order="left")
    things = things.select(
        "s", "s_term", x_term=pl.coalesce("type_term", "o_term"),
        p_term=pl.when(pl.col("type_term").is_null()).then("genre_term").otherwise(pl.lit(f"<{PREFIXES['rdf']}type>")),
    )  # fmt: skip
    told = pl.concat([asked.select("n", "s"), sentences.select("n", "s")]).unique(maintain_order=True)
    terms = told.join(things, on="s", maintain_order="left")
    bind = {name: pl.col(column) for name, column in (("s", "s_term"), ("p", "p_term"), ("o", "x_term"))}
    return terms.select("n", proof=proved(terms, versioned("fact"), bind, True))


def group_of(*iris: str) -> str:
    """Return the group of a fact, of the IRIs of its subject, relation and object.

    >>> group_of("a", "b", "c")
    'autodebug.8badde10c760e9b7'
    """
    return "autodebug." + short_hash("\0".join(iris))


def asked_groups(facts: Facts) -> pl.Series:
    """Return the group of each fact that is asked about."""
    iris = facts.names["iri"]
    columns = (iris.gather(facts.asked["s"]), facts.relations["iri"].gather(facts.asked["p"]), iris.gather(facts.asked["o"]))
    return pl.Series([group_of(*fact) for fact in zip(*columns, strict=True)], dtype=pl.String)


def _groups(rows: pl.DataFrame) -> pl.Series:
    """Return the group of each row, one for each fact."""
    facts = rows.select("s_iri", "p_iri", "o_iri").unique()
    named = facts.with_columns(group=pl.Series([group_of(*fact) for fact in facts.iter_rows()], dtype=pl.String))
    return rows.select("s_iri", "p_iri", "o_iri").join(named, on=["s_iri", "p_iri", "o_iri"], maintain_order="left")["group"]
