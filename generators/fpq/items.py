"""False-premise questions as records: the columns that were chosen become items with their proofs.

One fact gives a group of up to fourteen items: its true premise and six false ones, as a yes-no question and as a WH question.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from generators.fpq.edits import EDITS, NEAR
from generators.fpq.paths import steps
from generators.fpq.wording import article_columns, load_phrasings
from generators.fpq.writer import Writer
from generators.fpq.writer_rows import written
from generators.graph_columns import World
from kg.sets import Ints
from kg.text import fold
from kg.vocab import XSD
from queries.records.item import ITEM_SCHEMA
from queries.templates.library import versioned

__all__ = ["Chosen", "items"]

VARIANTS = ("tpq", "NSC", "NDC", "NNSC", "NNDC", "NNSR", "NNDR")
_ANSWERS = {"yes_no": ("yes", "no"), "premise": ("accept", "reject")}
_ROWS = pl.lit(None, pl.List(pl.List(pl.String)))


@dataclass(frozen=True)
class Chosen:
    """True triples with their edited objects, as numbers: `s`, `p`, `o`, `concept` (of the subject), `objects` (triples, 6; -1
    where an edit was not filled), `hops` (triples, 2) and `nodes`, the chains behind the near ones, (2 · triples, radius + 1).
    """

    s: Ints
    p: Ints
    o: Ints
    concept: pl.Series
    objects: Ints
    hops: Ints
    nodes: Ints


def items(
    world: World,
    chosen: Chosen,
    domain: str,
    radius: int,
    direction: str,
    source: dict[str, str],
    writer: Writer | None = None,
) -> pl.DataFrame:
    """Make the items, in the order of the triples; yes-no questions before WH questions, the true premise first."""
    rows = _rows(world, chosen)
    worded = _phrased(world, rows)
    if writer is not None:
        worded = written(worded, writer)
    phrased = _proved(worded, radius, direction)
    tasks = [_of_task(phrased, task, domain, source) for task in _ANSWERS]
    return pl.concat(tasks).sort("fact", "turn", "order").drop("fact", "turn", "order")


def _rows(world: World, chosen: Chosen) -> pl.DataFrame:
    """One row per fact and variant, with everything a record says about it."""
    long = _long(chosen)
    people = _entities(world)
    subject = people.rename({c: f"s_{c}" for c in people.columns if c != "e"})
    edited = people.rename({c: f"x_{c}" for c in people.columns if c != "e"})
    true = people.select("e", o_iri="iri")
    relation = world.relations.select(p_iri="iri", p_label="label", p_names="names").with_row_index("p")
    concept = pl.DataFrame({"concept_label": world.concept_labels}).with_row_index("concept")
    return (
        long.join(subject, left_on="s", right_on="e", how="left", maintain_order="left")
        .join(edited, left_on="x", right_on="e", how="left", maintain_order="left")
        .join(true, left_on="o", right_on="e", how="left", maintain_order="left")
        .join(relation, on="p", how="left", maintain_order="left")
        .join(concept, on="concept", how="left", maintain_order="left")
        .join(_true_objects(world, long, people), on=["s", "p"], how="left", maintain_order="left")
        .join(_paths(world, chosen), on=["fact", "variant"], how="left", maintain_order="left")
    )


def _long(chosen: Chosen) -> pl.DataFrame:
    fact = np.arange(len(chosen.s))
    wide = {"tpq": chosen.o} | {e: chosen.objects[:, k] for k, e in enumerate(EDITS)}
    hops = {e: chosen.hops[:, k] for k, e in enumerate(NEAR)}
    base = pl.DataFrame({"fact": fact, "s": chosen.s, "p": chosen.p, "o": chosen.o, "concept": chosen.concept})
    frames = [
        base.with_columns(
            pl.Series("x", wide[variant]),
            variant=pl.lit(variant),
            order=pl.lit(turn),
            hops=hops.get(variant, np.zeros(len(fact))),
        )
        for turn, variant in enumerate(VARIANTS)
    ]
    filled = pl.concat([f.with_columns(pl.col("hops").cast(pl.Int64)) for f in frames]).filter(pl.col("x") >= 0)
    numbers, near = pl.col("s", "p", "o", "x", "concept").cast(pl.UInt32), pl.when(pl.col("hops") > 0).then("hops")
    return filled.with_columns(numbers, hops=near).sort("fact", "order")


def _entities(world: World) -> pl.DataFrame:
    """IRI, label and label with its article of every entity: e, iri, label, label_a, label_the."""
    concepts = world.concepts.join(pl.DataFrame({"label": world.concept_labels}).with_row_index("c"), on="c").drop_nulls()
    kinds = concepts.sort("e", "label").group_by("e").agg("label")
    listed = world.nodes.select("iri").with_row_index("e").join(kinds, on="e", how="left", maintain_order="left")
    shown = world.nodes["label"].fill_null(world.nodes["iri"])
    return listed.select("e", "iri").hstack(article_columns(shown, listed["label"].fill_null([])))


def _true_objects(world: World, long: pl.DataFrame, people: pl.DataFrame) -> pl.DataFrame:
    """All true objects of each (subject, relation), with their other names."""
    pairs = long.select("s", "p").unique().join(world.facts, on=["s", "p"])
    aliases = world.aliases.group_by("e").agg(aliases=pl.col("alias").sort())
    named = pairs.join(people.select("e", "iri", "label"), left_on="o", right_on="e").join(
        aliases, left_on="o", right_on="e", how="left"
    )
    entry = pl.struct("iri", "label", pl.col("aliases").fill_null([]))
    return named.sort("s", "p", "iri").group_by("s", "p", maintain_order=True).agg(true_objects=entry)


def _paths(world: World, chosen: Chosen) -> pl.DataFrame:
    """The chain behind each near edited object: `path` (facts as they run) and `walk` (the terms a proof binds)."""
    found = steps(world, chosen.nodes)
    iri = world.nodes.select("iri").with_row_index("e")
    for column in ("s", "o", "end"):
        found = found.join(iri.rename({"iri": f"{column}_iri"}), left_on=column, right_on="e", maintain_order="left")
    found = found.join(world.relations.select(p_iri="iri").with_row_index("p"), on="p", maintain_order="left")
    number = pl.col("step").cast(pl.String)
    binds = found.select(p=_bind("p" + number, _iri("p_iri")), o=_bind("o" + number, _iri("end_iri")))
    facts, walked = (_listed(part.get_columns()) for part in (found.select("s_iri", "p_iri", "o_iri"), binds))
    each = found.select("row", path=facts, walk=walked)
    grouped = each.group_by("row", maintain_order=True).agg("path", pl.col("walk").explode())
    where = {"fact": pl.col("row") // len(NEAR), "near": pl.col("row") % len(NEAR)}
    name = pl.col("near").replace_strict(dict(enumerate(NEAR)), return_dtype=pl.String)
    return grouped.with_columns(**where).select(pl.col("fact").cast(pl.Int64), "path", "walk", variant=name)


def _phrased(world: World, rows: pl.DataFrame) -> pl.DataFrame:
    """Render both questions of every row; each relation has frames of its own."""
    phrasings = load_phrasings()
    parts = []
    for part in rows.partition_by("p", maintain_order=True):
        names = [part["p_label"][0], *part["p_names"][0].to_list()]
        frames = phrasings.for_relation(next((n for n in names if n in phrasings), names[0]))
        questions = {"yes_no": frames.yes_no, "premise": frames.premise}
        parts.append(part.with_columns(**{k: f.expr("s_label", "x_label") for k, f in questions.items()}))
    return pl.concat(parts) if parts else rows.with_columns(yes_no=pl.lit(""), premise=pl.lit(""))


def _of_task(rows: pl.DataFrame, task: str, domain: str, source: dict[str, str]) -> pl.DataFrame:
    true = pl.col("variant") == "tpq"
    yes, no = _ANSWERS[task]
    family = _families(rows["p_label"])
    ids = _ids(family, task, rows)
    null = pl.lit(None, pl.String)
    return rows.with_columns(family=family, id=ids).select(
        "fact",
        "order",
        pl.lit(list(_ANSWERS).index(task)).alias("turn"),
        schema=pl.lit(ITEM_SCHEMA),
        id="id",
        method=pl.lit("fpq"),
        family="family",
        task=pl.lit(task),
        variant="variant",
        question=task,
        options=pl.lit(None, pl.List(pl.String)),
        answer=pl.concat_list(pl.when(true).then(pl.lit(yes)).otherwise(pl.lit(no))),
        answer_type=pl.lit("entity"),
        unit=null,
        precision=null,
        given=pl.concat_list(_slot("subject", "s_label"), _slot("object", "x_label")),
        rationale=pl.lit([], pl.List(_RATIONALE)),
        premise=_premise(),
        context=null,
        image=null,
        group=_groups(rows),
        parent=pl.lit(None, _PARENT),
        strata=pl.struct(
            domain=pl.lit(domain),
            concept="concept_label",
            relation="p_label",
            edit=_edit(),
            hops=pl.col("hops").cast(pl.String),
        ),
        proof="proof",
        source=pl.struct(*(pl.lit(v).alias(k) for k, v in source.items()), *_writers(rows, task)),
    )


def _writers(rows: pl.DataFrame, task: str) -> list[pl.Expr]:
    """Who wrote the question, where a writer was asked; null where it is the template's."""
    return [pl.col(f"{task}_writer").alias("writer")] if f"{task}_writer" in rows.columns else []


_PARENT = pl.Struct({"item": pl.String, "model": pl.String, "sample": pl.Int64})
_RATIONALE = pl.Struct(
    {
        "slot": pl.String,
        "value": pl.String,
        "aliases": pl.List(pl.String),
        "type": pl.String,
        "unit": pl.String,
        "precision": pl.String,
    }
)


def _edit() -> pl.Expr:
    return pl.when(pl.col("variant") != "tpq").then("variant")


def _slot(name: str, column: str) -> pl.Expr:
    return pl.struct(slot=pl.lit(name), value=pl.col(column))


def _premise() -> pl.Expr:
    return pl.struct(
        subject=pl.struct(iri="s_iri", label="s_label"),
        relation=pl.struct(iri="p_iri", label="p_label"),
        object=pl.struct(iri="x_iri", label="x_label"),
        true_objects="true_objects",
        edit=_edit(),
        hops="hops",
        path="path",
    )


# --- proofs


def _iri(column: str) -> pl.Expr:
    return pl.format("<{}>", pl.col(column))


def _bind(name: str | pl.Expr, term: pl.Expr) -> pl.Expr:
    return pl.struct(name=pl.lit(name) if isinstance(name, str) else name, term=term)


def _listed(columns: Sequence[pl.Series]) -> pl.Series:
    """Make a list per row of the values of some columns, as pl.concat_list does, which takes forty times as long on structs."""
    rows = len(columns[0])
    turns = np.arange(len(columns) * rows).reshape(len(columns), rows).T.ravel()
    return pl.concat(columns).gather(turns).reshape((rows, len(columns))).arr.to_list()


def _proved(rows: pl.DataFrame, radius: int, direction: str) -> pl.DataFrame:
    """Add `proof`, the queries that prove each row's items: a list per row."""
    variants = rows.partition_by("variant") or [rows]
    return pl.concat(part.with_columns(proof=_listed(_proofs(part, radius, direction))) for part in variants)


def _proofs(rows: pl.DataFrame, radius: int, direction: str) -> list[pl.Series]:
    """The proofs of one variant's rows, a column each."""
    tail = "_both" if direction == "both" else ""
    s, p, o, x = (_iri(f"{c}_iri") for c in ("s", "p", "o", "x"))
    number = pl.lit(f'"{radius}"^^<{XSD}integer>')
    true = _proof(rows, "fact", True, s=s, p=p, o=o)
    variant = "tpq" if rows.is_empty() else str(rows["variant"][0])
    if variant == "tpq":
        return [true]
    kind = {
        "SC": ("same_concept", True, {"a": o, "b": x}),
        "DC": ("different_concept", True, {"a": o, "b": x}),
        "SR": ("object_of_relation", True, {"p": p, "o": x}),
        "DR": ("object_of_relation", False, {"p": p, "o": x}),
    }
    query, expect, terms = kind[variant[-2:]]
    false = _proof(rows, "fact", False, s=s, p=p, o=x)
    if variant in NEAR:
        zone = _cited(rows, f"path{tail}", True, rows.select(pl.concat_list(_bind("s", s), "walk")).to_series())
    else:
        zone = _proof(rows, f"not_neighbour{tail}", True, s=s, o=x, radius=number)
    return [true, false, _proof(rows, query, expect, **terms), zone]


def _proof(rows: pl.DataFrame, query: str, expect: bool, **terms: pl.Expr) -> pl.Series:
    """One proof per row, by a query of the library that is to answer yes or no."""
    binds = rows.select(_bind(name, term).alias(name) for name, term in terms.items())
    return _cited(rows, query, expect, _listed(binds.get_columns()))


def _cited(rows: pl.DataFrame, query: str, expect: bool, bind: pl.Series) -> pl.Series:
    proof = pl.struct(query=pl.lit(versioned(query)), bind=bind, expect=pl.lit(expect), rows=_ROWS)
    return rows.select(proof=proof).to_series()


# --- names


def _families(labels: pl.Series) -> pl.Series:
    distinct = labels.unique()
    return labels.replace_strict(distinct, [_slug(x) for x in distinct], return_dtype=pl.String)


def _slug(label: str) -> str:
    """Make a family's name of a relation's label: what is not ASCII after folding becomes a hash."""
    words = re.sub(r"[^a-z0-9]+", "-", fold(label)).strip("-")
    return words if words and fold(label).isascii() else hashlib.sha256(label.encode()).hexdigest()[:8]


def _ids(family: pl.Series, task: str, rows: pl.DataFrame) -> pl.Series:
    """`method.family.task.variant.HASH`, HASH over everything that makes the item."""
    parts = rows.select(
        said=pl.concat_str(pl.Series(family), pl.lit(task), "variant", "s_iri", "p_iri", "o_iri", "x_iri", separator="\0")
    )["said"]
    hashes = pl.Series([hashlib.sha256(text.encode()).hexdigest()[:16] for text in parts.to_list()], dtype=pl.String)
    return "fpq." + family + f".{task}." + rows["variant"] + "." + hashes


def _groups(rows: pl.DataFrame) -> pl.Series:
    """`fpq.Q937.P20.Q138518` for Wikidata's entities, a hash for others."""
    facts = rows.select("s_iri", "p_iri", "o_iri").unique()
    names = [_group(*fact) for fact in facts.iter_rows()]
    named = facts.with_columns(group=pl.Series(names, dtype=pl.String))
    return rows.select("s_iri", "p_iri", "o_iri").join(named, on=["s_iri", "p_iri", "o_iri"], maintain_order="left")["group"]


def _group(*iris: str) -> str:
    tails = [re.fullmatch(r"(?:entity|prop/direct)/([QP]\d+)", iri.removeprefix("http://www.wikidata.org/")) for iri in iris]
    if all(tails):
        return ".".join(["fpq", *(t[1] for t in tails if t)])
    return "fpq." + hashlib.sha256("\0".join(iris).encode()).hexdigest()[:16]
