"""What things are called in a question: by their name, and by kind and year where others bear the same name.

"the film “Psycho” of 1960": who asks about one of two films of a name says which. Where kind and year do not tell two things
apart, neither is asked about (`told_apart` says of whom they do).
"""

from __future__ import annotations

import polars as pl

from generators.articles import article_columns, phrase_kind
from generators.graph_columns import GraphColumns

_HEAD = r"([^ ]+)(?: of)? [“{]"


def names_in_questions(columns: GraphColumns) -> pl.DataFrame:
    """Return IRI, label and what questions call it of every entity: e, iri, label, name, name_a, name_the, name_language."""
    kinds = columns.concepts.join(_concepts(columns), on="c").sort("e", "kind").group_by("e").agg("kind")
    typed = columns.entities.select("iri").with_row_index("e").join(kinds, on="e", how="left", maintain_order="left")
    # Questions name labelled entities only, but a true object without a label is listed in the premise, by its IRI.
    label = columns.entities["label"].fill_null(columns.entities["iri"])
    named = typed.select("e", "iri").hstack(article_columns(label, typed["kind"].fill_null([])))
    described = named.join(_described(columns), on="e", how="left", maintain_order="left")
    named_so = [pl.coalesce("described", f"label{c}").alias(f"name{c}") for c in ("", "_a", "_the", "_language")]
    return described.select("e", "iri", "label", *named_so)


def told_apart(columns: GraphColumns) -> pl.Series:
    """Return the entities that kind and year tell from all namesakes."""
    return _described(columns)["e"]


def _described(columns: GraphColumns) -> pl.DataFrame:
    """Return a description of each entity that shares its label with another and is told apart by it: e, described."""
    kinds = columns.concepts.join(_concepts(columns), on="c").with_columns(phrase=_phrases(pl.col("kind"))).drop_nulls("phrase")
    # The plainest kind is the shortest: a film is called that, not a live-action animated film.
    plain = kinds.sort(pl.col("kind").str.len_chars(), "kind").group_by("e", maintain_order=True).agg(pl.col("phrase").first())
    bearers = columns.labels.filter(pl.len().over("label") > 1).join(columns.years.select("e", "year"), on="e", how="left")
    # By the head of a kind, for an animated film is a film; whoever bears the name by a second label is a namesake, too.
    heads = kinds.select("e", head=pl.col("phrase").str.extract(_HEAD)).unique()
    alike = (
        bearers.join(heads, on="e").group_by("label", "head").agg(kin=pl.len(), years=pl.col("year").drop_nulls().n_unique())
    )
    own = pl.DataFrame({"name": columns.entities["label"], "label": columns.folded_labels}).with_row_index("e")
    named = bearers.join(own, on=["e", "label"]).join(plain, on="e").with_columns(head=pl.col("phrase").str.extract(_HEAD))
    told = named.join(alike, on=["label", "head"]).filter((pl.col("kin") == 1) | (pl.col("years") == pl.col("kin")))
    parts = pl.col("phrase").str.split_exact("{}", 1)
    text = pl.concat_str(parts.struct.field("field_0"), "name", parts.struct.field("field_1"))
    year = pl.when(pl.col("kin") > 1).then(pl.format(" of {}", "year")).otherwise(pl.lit(""))
    return told.select("e", described=pl.concat_str(text, year)).sort("e")


def _concepts(columns: GraphColumns) -> pl.DataFrame:
    return pl.DataFrame({"kind": columns.concept_labels}).with_row_index("c").drop_nulls()


def _phrases(kind: pl.Expr) -> pl.Expr:
    """Say how a thing of each kind is called with its kind, `{}` standing for its name; null where nobody would."""
    return kind.map_elements(phrase_kind, return_dtype=pl.String)
