"""False-premise questions as items: the triples drawn and their edited objects, worded and with their proofs.

One fact gives a group of up to fourteen items: its true premise and six false ones, as a yes-no question and as a WH question.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import polars as pl

from generators.draw import mix, word
from generators.fpq.edits import NEAR, Edits
from generators.fpq.facts import Sample
from generators.fpq.guesser import COMMONER
from generators.fpq.naming import names_in_questions
from generators.fpq.wording import Phrasings
from generators.fpq.writer import Writer, reworded
from generators.graph_columns import GraphColumns
from generators.items import Value, assemble, bound, family_of, listed, mapped, proved, short_hash, stated
from kg.sets import Ints
from kg.vocab import XSD
from queries.templates import versioned

VARIANTS = ("tpq", "NSC", "NDC", "NNSC", "NNDC", "NNSR", "NNDR")
_ANSWERS = {"yes_no": ("yes", "no"), "premise": ("accept", "reject")}


@dataclass(frozen=True)
class Premises:
    """What is asked about: facts, of which of them the true premise, with which edits.

    `which` of true and edited object is the commoner one: (triples, 6), as `generators.fpq.guesser.commoner` says it; `queries`
    are those of the user's own edits, by name.
    """

    sample: Sample
    true: npt.NDArray[np.bool_]
    edits: Edits
    which: Ints
    queries: Mapping[str, str] = field(default_factory=dict)


def items_of(
    columns: GraphColumns,
    premises: Premises,
    *,
    domain: str,
    direction: str,
    source: Mapping[str, str],
    phrasings: Phrasings,
    writer: Writer | None = None,
) -> pl.DataFrame:
    """Make the items of the triples of a sample, in their order; yes-no questions before WH questions, the true premise first.

    Parameters: `domain` and `direction` (`forward` or `both`) as they were asked for; `source` as `generators.items.source_of`
    says it; `phrasings` the templates of questions; `writer` words the questions where the templates shall not.
    """
    rows = _rows(columns, premises)
    worded = _phrased(rows, phrasings)
    if writer is not None:
        worded = reworded(worded, writer)
    radius = premises.edits.chains.shape[2] - 1
    asked = _asked(_proved(worded, radius, direction, premises.queries))
    return assemble(
        asked,
        bindings=["s_iri", "p_iri", "o_iri", "x_iri"],
        strata=_strata(domain),
        source=dict(source) | ({} if writer is None else {"writer": pl.col("writer")}),
        method="fpq",
        family=mapped(asked["p_label"], family_of),
        task=pl.col("task"),
        variant=pl.col("variant"),
        question=pl.col("question"),
        answer=pl.col("answer"),
        answer_type="entity",
        given=stated(asked, {"subject": pl.col("s_label"), "object": pl.col("x_label")}, {"object": _edit().is_not_null()}),
        premise=_premise(),
        group=_groups(asked),
        proof=pl.col("proof"),
    )


def once_each(items: pl.DataFrame) -> pl.DataFrame:
    """Keep the first of all items that have one text: no text has two golds, and none stands twice."""
    return items.filter(first_of_text(items))


def first_of_text(items: pl.DataFrame) -> pl.Series:
    """Say of items, by group, variant and question, whether they are kept as the first of their text.

    An item goes with its other form, and a fact whose true premise goes, goes whole. The first stays whatever comes later, so
    that any prefix of the items stays.
    """
    # One column after the other: inside a window, "first" would mean the first of the window.
    first = items.select("group", "variant", first=pl.col("question").str.to_lowercase().is_first_distinct())
    kept = first.with_columns(kept=pl.col("first").all().over("group", "variant"))
    whole = kept.with_columns(whole=(pl.col("kept") | (pl.col("variant") != "tpq")).all().over("group"))
    return whole["kept"] & whole["whole"]


def _strata(domain: str) -> dict[str, Value]:
    return {
        "domain": domain,
        "concept": pl.col("concept_label"),
        "relation": pl.col("p_label"),
        "edit": _edit(),
        "hops": pl.col("hops").cast(pl.String),
        "popularity": pl.col("popularity"),
        "commoner": pl.col("commoner"),
    }


def _rows(columns: GraphColumns, premises: Premises) -> pl.DataFrame:
    """Return a row per fact and variant with all that an item says: `s_…` of the subject, `x_…` of the object asked about."""
    long = _long(premises)
    entities = names_in_questions(columns, pl.concat([long["s"], long["x"], long["o"]]))
    # A question calls things `…_name`, with an article `…_name_the`; the record has their plain label.
    subject = entities.rename({c: f"s_{c}" for c in entities.columns if c != "e"})
    edited = entities.rename({c: f"x_{c}" for c in entities.columns if c != "e"})
    true = entities.select("e", o_iri="iri", o_gone="gone")
    relation = columns.relations.select(p_iri="iri", p_label="label", p_names="names").with_row_index("p")
    concept = pl.DataFrame({"concept_label": columns.concept_labels}).with_row_index("concept")
    return (
        long.join(subject, left_on="s", right_on="e", how="left", maintain_order="left")
        .join(edited, left_on="x", right_on="e", how="left", maintain_order="left")
        .join(true, left_on="o", right_on="e", how="left", maintain_order="left")
        .join(relation, on="p", how="left", maintain_order="left")
        .join(concept, on="concept", how="left", maintain_order="left")
        .with_columns(past=pl.col("s_gone") | pl.col("o_gone"))
        .join(_true_objects(columns, long), on=["s", "p"], how="left", maintain_order="left")
        .join(_paths(columns, premises.edits), on=["fact", "variant"], how="left", maintain_order="left")
    )


def _long(premises: Premises) -> pl.DataFrame:
    """Return a row per fact and variant that was filled: the numbers of s, p, o and of x, the object asked about."""
    sample, edits, which = premises.sample, premises.edits, premises.which
    triples, fact = sample.triples, np.arange(len(sample.triples))
    objects = {"tpq": np.where(premises.true, triples.o, -1)} | {
        edit: edits.objects[:, k] for k, edit in enumerate(edits.names)
    }
    hops = {edit: edits.hops[:, k] for k, edit in enumerate(NEAR)}
    commoner = {"tpq": np.full(len(fact), -1)} | {edit: which[:, k] for k, edit in enumerate(edits.names)}
    drawn = {"fact": fact, "s": triples.s, "p": triples.p, "o": triples.o}
    base = pl.DataFrame({**drawn, "concept": sample.concepts, "popularity": sample.popularity})
    # Which wording a form takes depends on the fact alone, so that its questions differ in the object alone.
    base = base.with_columns(pl.Series(f"{form}_drawn", mix(triples.keys, word(form), word("wording"))) for form in _ANSWERS)
    frames = [
        base.with_columns(
            pl.Series("x", objects[variant]),
            pl.Series("hops", hops.get(variant, np.zeros(len(fact), np.int64))),
            pl.Series("commoner", commoner[variant]),
            variant=pl.lit(variant),
            order=pl.lit(turn),
        )
        for turn, variant in enumerate((*VARIANTS, *premises.queries))
    ]
    filled = pl.concat(frames).filter(pl.col("x") >= 0)
    numbers, near = pl.col("s", "p", "o", "x", "concept").cast(pl.UInt32), pl.when(pl.col("hops") > 0).then("hops")
    named = pl.col("commoner").replace_strict(dict(enumerate(COMMONER)), default=None, return_dtype=pl.String)
    return filled.with_columns(numbers, hops=near, commoner=named).sort("fact", "order")


def _true_objects(columns: GraphColumns, long: pl.DataFrame) -> pl.DataFrame:
    """Return all true objects of each (subject, relation), with their other names."""
    asked = long.select("s", "p").unique()
    row, fact = columns.stating(asked["s"], asked["p"])
    pairs = asked[row].with_columns(columns.facts["o"].gather(fact))
    own = columns.aliases.join(pairs, left_on="e", right_on="o", how="semi")
    aliases = own.group_by("e").agg(aliases=pl.col("alias").sort())
    entities = columns.entities.select("iri", label=pl.coalesce("label", "iri")).with_row_index("o")
    named = pairs.join(entities, on="o").join(aliases, left_on="o", right_on="e", how="left")
    entry = pl.struct("iri", "label", pl.col("aliases").fill_null([]))
    return named.sort("s", "p", "iri").group_by("s", "p", maintain_order=True).agg(true_objects=entry)


def _paths(columns: GraphColumns, edits: Edits) -> pl.DataFrame:
    """Return the chain behind each near edited object: `path` (facts as they run), its names, and `walk` (a proof's terms)."""
    steps = _steps(columns, edits.chains.reshape(-1, edits.chains.shape[2]))
    for column, named in (
        ("s", columns.entities),
        ("o", columns.entities),
        ("end", columns.entities),
        ("p", columns.relations),
    ):
        # Names are made of what the steps lead over, not of the whole graph.
        some = steps[column].unique()
        own = named[some].select(some.alias(column), pl.col("iri").alias(f"{column}_iri"), _name().alias(f"{column}_label"))
        steps = steps.join(own, on=column, maintain_order="left")
    number = pl.col("step").cast(pl.String)
    binds = steps.select(p=bound("p" + number, _iri("p_iri")), o=bound("o" + number, _iri("end_iri")))
    facts, names = (steps.select(f"{part}_{what}" for part in "spo") for what in ("iri", "label"))
    path, path_labels, walked = (listed(part.get_columns()) for part in (facts, names, binds))
    each = steps.select("row", path=path, path_labels=path_labels, walk=walked)
    grouped = each.group_by("row", maintain_order=True).agg("path", "path_labels", pl.col("walk").explode())
    where = {"fact": pl.col("row") // len(NEAR), "near": pl.col("row") % len(NEAR)}
    name = pl.col("near").replace_strict(dict(enumerate(NEAR)), return_dtype=pl.String)
    return grouped.with_columns(**where).select(pl.col("fact").cast(pl.Int64), "path", "path_labels", "walk", variant=name)


def _name() -> pl.Expr:
    """The label of something; where it has none, the end of its IRI."""
    return pl.coalesce("label", pl.col("iri").str.extract(r"([^/#]+)[/#]?$"), "iri")


def _steps(columns: GraphColumns, chains: Ints) -> pl.DataFrame:
    """Name the fact behind each step of some chains: row, step (from 1), end (the entity reached), and the fact s, p, o.

    Of several facts that of the first relation is taken; one that runs against the chain only where none runs along it.
    """
    row, step = np.nonzero(chains[:, 1:] >= 0)
    start, end = chains[row, step], chains[row, step + 1]
    pairs = pl.DataFrame({"row": row, "step": step + 1, "a": start, "b": end}).cast({"a": pl.UInt32, "b": pl.UInt32})
    first = _between(columns, np.unique(chains[chains >= 0])).group_by("s", "o").agg(pl.col("p").min())
    along = pairs.join(first, left_on=["a", "b"], right_on=["s", "o"], how="left")
    against = along.join(first, left_on=["b", "a"], right_on=["s", "o"], how="left", suffix="_back")
    runs = pl.col("p").is_not_null()
    return against.select(
        "row",
        "step",
        end="b",
        s=pl.when(runs).then("a").otherwise("b"),
        p=pl.coalesce("p", "p_back"),
        o=pl.when(runs).then("b").otherwise("a"),
    ).sort("row", "step")


def _between(columns: GraphColumns, some: Ints) -> pl.DataFrame:
    """Return the facts of which both ends are among some entities: of a large graph a few of them."""
    among = np.zeros(columns.n, np.bool_)
    among[some] = True
    s, o = (columns.facts[end].to_numpy() for end in ("s", "o"))
    return columns.facts.filter(pl.Series(among[s] & among[o]))


def _phrased(rows: pl.DataFrame, phrasings: Phrasings) -> pl.DataFrame:
    """Render both questions of every row; each relation has frames of its own, and some for subjects of a concept."""
    parts = []
    # Only a concept that some relation has words for of its own cuts a relation's rows in two.
    concepts = rows["concept_label"].unique().drop_nulls()
    told = concepts.filter(pl.Series([phrasings.words_kind(label) for label in concepts], dtype=pl.Boolean))
    kind = pl.when(pl.col("concept_label").is_in(told.implode())).then("concept_label")
    for part in rows.with_columns(kind=kind).partition_by("p", "kind", maintain_order=True):
        # The graph's own label comes first; the names of the Wikidata property reach wordings that the graph calls otherwise.
        frames = phrasings.for_names([part["p_label"][0], *part["p_names"][0].to_list()], part["kind"][0])
        parts.append(part.with_columns(frames.expr(form, "s_name", "x_name", f"{form}_drawn").alias(form) for form in _ANSWERS))
    return pl.concat(parts) if parts else rows.with_columns(yes_no=pl.lit(""), premise=pl.lit(""))


def _asked(rows: pl.DataFrame) -> pl.DataFrame:
    """Make two rows of each, one a task, with `question`, `answer` and, where a writer was asked, `writer`."""
    parts = []
    for turn, (task, (yes, no)) in enumerate(_ANSWERS.items()):
        answer = pl.when(pl.col("variant") == "tpq").then(pl.lit(yes)).otherwise(pl.lit(no))
        own = [pl.col(f"{task}_writer").alias("writer")] if f"{task}_writer" in rows.columns else []
        parts.append(rows.with_columns(*own, turn=turn, task=pl.lit(task), question=task, answer=pl.concat_list(answer)))
    # All yes-no questions of a fact, then all with a premise: a prefix of the file holds whole facts but for the last.
    return pl.concat(parts).sort("fact", "turn", "order")


def _edit() -> pl.Expr:
    return pl.when(pl.col("variant") != "tpq").then("variant")


def _premise() -> pl.Expr:
    return pl.struct(
        subject=pl.struct(iri="s_iri", label="s_label"),
        relation=pl.struct(iri="p_iri", label="p_label"),
        object=pl.struct(iri="x_iri", label="x_label"),
        true_objects="true_objects",
        edit=_edit(),
        hops="hops",
        path="path",
        path_labels="path_labels",
    )


# --- proofs


def _iri(column: str) -> pl.Expr:
    return pl.format("<{}>", pl.col(column))


def _proved(rows: pl.DataFrame, radius: int, direction: str, own: Mapping[str, str]) -> pl.DataFrame:
    """Add `proof`, the queries that prove each row's items: a list per row."""
    # Rows of a variant have proofs by the same queries, so that no query is chosen row by row.
    variants = rows.partition_by("variant") or [rows]
    return pl.concat(part.with_columns(proof=listed(_proofs(part, radius, direction, own))) for part in variants)


def _proofs(rows: pl.DataFrame, radius: int, direction: str, own: Mapping[str, str]) -> list[pl.Series]:
    """Return the proofs of one variant's rows, a column each; `own` are the queries of own edits by name."""
    tail = "_both" if direction == "both" else ""
    s, p, o, x = (_iri(f"{c}_iri") for c in ("s", "p", "o", "x"))
    number = pl.lit(f'"{radius}"^^<{XSD}integer>')
    true = proved(rows, versioned("fact"), {"s": s, "p": p, "o": o}, True)
    variant = "tpq" if rows.is_empty() else str(rows["variant"][0])
    if variant == "tpq":
        return [true]
    false = proved(rows, versioned("fact"), {"s": s, "p": p, "o": x}, False)
    kinds = proved(rows, versioned("true_by_type"), {"s": s, "p": p, "o": x}, False)
    general = proved(rows, versioned("general_object"), {"p": p, "o": x}, False)
    if variant in own:
        return [true, false, kinds, general, proved(rows, own[variant], {"s": s, "p": p, "o": o, "edited": x}, True)]
    kind = {
        "SC": ("same_concept", True, {"a": o, "b": x}),
        "DC": ("different_concept", True, {"a": o, "b": x}),
        "SR": ("object_of_relation", True, {"p": p, "o": x}),
        "DR": ("object_of_relation", False, {"p": p, "o": x}),
    }
    query, expect, terms = kind[variant[-2:]]
    # That somebody is near is proved by a way to it, that nobody is by a search of all ways.
    if variant in NEAR:
        walk = rows.select(pl.concat_list(bound("s", s), "walk")).to_series()
        zone = proved(rows, versioned(f"path{tail}"), walk, True)
    else:
        zone = proved(rows, versioned(f"not_neighbour{tail}"), {"s": s, "o": x, "radius": number}, True)
    return [true, false, kinds, general, proved(rows, versioned(query), terms, expect), zone]


# --- names


def _groups(rows: pl.DataFrame) -> pl.Series:
    """Return the group of each row: `fpq.Q937.P20.Q138518` for Wikidata's entities, a hash for others."""
    facts = rows.select("s_iri", "p_iri", "o_iri").unique()
    names = [_group(*fact) for fact in facts.iter_rows()]
    named = facts.with_columns(group=pl.Series(names, dtype=pl.String))
    return rows.select("s_iri", "p_iri", "o_iri").join(named, on=["s_iri", "p_iri", "o_iri"], maintain_order="left")["group"]


def _group(*iris: str) -> str:
    tails = [re.fullmatch(r"(?:entity|prop/direct)/([QP]\d+)", iri.removeprefix("http://www.wikidata.org/")) for iri in iris]
    if all(tails):
        return ".".join(["fpq", *(t[1] for t in tails if t)])
    return "fpq." + short_hash("\0".join(iris))
