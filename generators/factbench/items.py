"""Facts as items: one question each, with its answers, its strata and its certificate of being unambiguous."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from generators.factbench.answers import step_of, step_of_share, unit_named
from generators.items import assemble, mapped, proved, short_hash, stated
from kg.vocab import KGP, WIKIDATA
from queries.templates.library import versioned


def items_of(facts: pl.DataFrame, source: Mapping[str, str], *, valid: str, writer: str | None = None) -> pl.DataFrame:
    """Make an item of every fact, in their order.

    Parameters: `valid` says what supports the answers: "article" or "graph"; `writer` names who worded the rows
    that are `reworded`.
    """
    facts = facts.with_columns(iri=pl.format("<{}>", "s"))
    measured = pl.when(pl.col("unit").is_not_null()).then(mapped(facts["unit"].fill_null(""), _one))
    author = {} if writer is None else {"writer": pl.when("reworded").then(pl.lit(writer))}
    steps = [_step(*row) for row in facts.select("type", "value", "step").iter_rows()]
    return assemble(
        facts,
        bindings=["s", "property", "term"],
        strata={
            "domain": pl.col("domain"),
            "property": pl.col("property"),
            "answer_type": pl.col("type"),
            "popularity": pl.col("stratum"),
            "seen": "yes",
        },
        source={
            **source,
            "subject": pl.col("s"),
            "property": pl.col("property"),
            "kind": pl.col("kind"),
            "validity": valid,
            **author,
        },
        method="factbench",
        family=pl.col("property"),
        task="open",
        variant="basic",
        question=pl.col("question"),
        answer=pl.col("answers"),
        answer_type=pl.col("type"),
        unit=measured,
        precision=pl.select(pl.coalesce(facts["precision"], pl.Series(steps, dtype=pl.String))).to_series(),
        given=stated(facts, {"subject": pl.when("fuller").then("title").otherwise("subject")}),
        group=groups_of(facts["s"]),
        proof=_proofs(facts),
    )


def groups_of(subjects: pl.Series) -> pl.Series:
    """Return the group of each subject: items about one subject share it.

    >>> groups_of(pl.Series(["http://www.wikidata.org/entity/Q7259"])).to_list()
    ['factbench.Q7259']
    """
    return mapped(
        subjects, lambda iri: f"factbench.{iri.removeprefix(WIKIDATA + 'entity/') if WIKIDATA in iri else short_hash(iri)}"
    )


def _step(kind: str, value: str, step: str | None) -> str | None:
    """Return to what step an answer must be right: that of its property, which may be a share of it, or that of its digits."""
    if kind != "number":
        return None
    if step is None:
        return step_of(value)
    return step_of_share(value, step) if step.endswith("%") else step


def _one(unit: str) -> str:
    return unit_named(unit).one if unit else ""


def _proofs(facts: pl.DataFrame) -> pl.Series:
    """Prove value and name, and of a place that is named with its state the title that says so."""
    titled = pl.when("fuller").then("s")
    asked = pl.when(pl.col("full_name").is_not_null()).then(pl.col("term").str.strip_chars("<>"))
    proofs = pl.DataFrame(
        {
            "value": _only_value(facts),
            "bearer": _only_bearer(facts),
            "subject": _only_title(facts.select(s=titled, title="title")),
            "answer": _only_title(facts.select(s=asked, title="full_name")),
        }
    )
    each = proofs.with_row_index("i").unpivot(index="i", value_name="proof").drop_nulls("proof")
    return each.group_by("i", maintain_order=True).agg("proof").sort("i")["proof"]


def _only_title(named: pl.DataFrame) -> pl.Series:
    """Prove the title of the article about a place; null where there is no place."""
    terms = {"s": pl.format("<{}>", "s"), "p": pl.lit(f"<{KGP}wikipedia>")}
    named = named.with_columns(row=_one_row(named.select("s", "title")))
    proof = proved(named, versioned("true_objects"), terms, None, pl.col("row"))
    return pl.select(pl.when(named["s"].is_not_null()).then(proof)).to_series()


def _only_value(facts: pl.DataFrame) -> pl.Series:
    """Prove that subject and property have this value and no other: the SELECT does not know the answer."""
    object_ = pl.col("term")
    text = pl.when(object_.str.starts_with("<")).then(object_.str.strip_chars("<>")).otherwise("value").alias("o")
    terms = {"s": pl.col("iri"), "p": pl.format("<{}>", "p")}
    facts = facts.with_columns(row=_one_row(facts.select("s", text)))
    return proved(facts, versioned("true_objects"), terms, None, pl.col("row"))


def _only_bearer(facts: pl.DataFrame) -> pl.Series:
    """Prove that nothing else bears the subject's name."""
    facts = facts.with_columns(row=_one_row(facts.select("s")))
    return proved(facts, versioned("bearers"), {"name": pl.col("name")}, None, pl.col("row"))


def _one_row(cells: pl.DataFrame) -> pl.Series:
    """Return what a SELECT returns that has one row: a list of one list of cells for each row of the frame."""
    cells = cells.select(cell=pl.concat_list(pl.all())).with_row_index("i")
    return cells.group_by("i", maintain_order=True).agg("cell")["cell"]
