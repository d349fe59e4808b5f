"""From a user's questions with evidence to items: originals, answers swapped where that is safe, and enriched evidence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from generators.autodebug.entities import entity_names
from generators.autodebug.options import Attack
from generators.autodebug.qa_files import Asked, read_questions
from generators.autodebug.text_edits import Known, Other, safe_edit
from generators.autodebug.text_enrich import Page, Retriever, read_pages, support_text, woven
from generators.draw import keys_of
from generators.graph_columns import GraphColumns
from generators.items import assemble, short_hash, source_of
from kg.graph import Graph
from kg.text import fold

_NAME = re.compile(r"[^\W\d_][\w .,’'&-]+")
_OTHERS = 12
"""How many names that are most like a name are tried in its place."""
_MADE = {"question": pl.String, "answer": pl.String, "context": pl.String, "support": pl.String, "variant": pl.String,
         "expansion": pl.String, "group": pl.String, "original": pl.String}  # fmt: skip


def text_items(
    path: str,
    graph: Graph,
    n: int,
    seed: int,
    attack: Attack,
    passages: str | None = None,
    pivot: str | None = None,
    seeds: dict[str, str] | None = None,
) -> tuple[pl.DataFrame, int, int, dict[str, int]]:
    """Make the items of a file's questions; return them, how many were attacked, how many there are, and what was left out.

    Parameters: `graph` knows names and their kinds; `passages` is a file to retrieve from, by default the other evidence of the
    file itself.
    """
    questions, left_out = read_questions(path, seed)
    total = len(questions) + left_out.total()
    order = sorted(questions, key=lambda asked: short_hash(f"{seed}\0{asked.question}\0{asked.evidence}"))
    if seeds is not None:
        order = [asked for asked in order if seeds.get(group_of(asked)) in ("correct/correct", "correct/wrong")]
    rows: dict[Asked, list[tuple[str | None, ...]]] = {asked: [_row(asked, "original")] for asked in order}
    if attack is not Attack.enrich:
        _swap(rows, graph, seed, left_out)
    if attack is not Attack.swap:
        _enrich(rows, read_pages(passages) if passages else [Page(a.evidence, a.evidence) for a in order], seed, left_out)
    kept = [asked for asked in rows if len(rows[asked]) > 1][:n]
    frame = pl.DataFrame([row for asked in kept for row in _allowed(asked, rows[asked], seeds)], schema=_MADE, orient="row")
    source = {**source_of(graph, seed), "file": Path(path).name, **({} if pivot is None else {"pivot": pivot})}
    items = assemble(
        frame,
        bindings=["question", "context", "answer", "expansion"],
        strata={"expansion": pl.col("expansion")},
        source={**source, "support": pl.col("support"), "original": pl.col("original")},
        method="autodebug",
        family="text",
        task="context",
        variant=pl.col("variant"),
        question=pl.col("question"),
        answer=pl.concat_list("answer"),
        context=pl.col("context"),
        group=pl.col("group"),
    )
    return items, len(kept), total, dict(left_out)


def group_of(asked: Asked) -> str:
    """Return the group of a question's items."""
    return "autodebug." + short_hash("\0".join(asked))


def _allowed(asked: Asked, rows: list[tuple[str | None, ...]], seeds: dict[str, str] | None) -> list[tuple[str | None, ...]]:
    known = seeds is not None and seeds.get(group_of(asked)) == "correct/correct"
    return [row for row in rows if not (known and row[4] == "enrich")]


def _row(
    asked: Asked, variant: str, *, answer: str = "", context: str = "", support: str = "", expansion: str | None = None
) -> tuple[str | None, ...]:
    told = (context or asked.evidence, support or support_text(asked))
    return (asked.question, answer or asked.answer, *told, variant, expansion, group_of(asked), asked.answer)


def _swap(rows: dict[Asked, list[tuple[str | None, ...]]], graph: Graph, seed: int, left_out: Counter[str]) -> None:
    # "$10" is no name, though a channel may be called 10; and "metal" is not the music called Metal.
    names = [asked.answer for asked in rows if _NAME.fullmatch(asked.answer) and asked.answer in asked.evidence]
    known = known_names(graph, seed, names)
    for asked in rows:
        is_name = _NAME.fullmatch(asked.answer) and asked.answer in asked.evidence
        edit = safe_edit(asked, known.get(fold(asked.answer)) if is_name else None, seed)
        if isinstance(edit, str):
            left_out[f"not swapped, {edit}"] += 1
        else:
            rows[asked].append(_row(asked, "swap", answer=edit.answer, context=edit.evidence, support=edit.support))


def _enrich(rows: dict[Asked, list[tuple[str | None, ...]]], pages: list[Page], seed: int, left_out: Counter[str]) -> None:
    retriever, asked_all = Retriever(pages), list(rows)
    found = {
        "question": retriever.best([asked.question for asked in asked_all]),
        "evidence": retriever.best([asked.evidence for asked in asked_all]),
    }
    for number, asked in enumerate(asked_all):
        both = {name: woven(asked, retrieved[number], seed, name) for name, retrieved in found.items()}
        if any(text is None or support_text(asked) not in text for text in both.values()):
            left_out["not enriched, too few passages near it can be told"] += 1
            continue
        rows[asked] += [_row(asked, "enrich", context=text or "", expansion=name) for name, text in both.items()]


def known_names(graph: Graph, seed: int, answers: Sequence[str]) -> dict[str, Known]:
    """Return what a graph knows of some names, by folded name.

    A name of two entities is not known, nor is a single word that is only another name of something ("Bacon").

    >>> from kg import open_graph
    >>> known_names(open_graph(), 0, ["Danube"])["danube"].others[0].name != "Danube"
    True
    """
    columns = GraphColumns.of(graph, seed)
    names = entity_names(columns)
    wanted = pl.DataFrame({"name": sorted({fold(answer) for answer in answers})}, schema={"name": pl.String})
    bearers = columns.names.join(wanted, on="name").unique(["e", "name"])
    labelled = columns.labels.select("e", name="label").with_columns(label=pl.lit(True))
    single = bearers.filter(pl.len().over("name") == 1).join(labelled, on=["e", "name"], how="left")
    single = single.filter(pl.col("label").fill_null(False) | pl.col("name").str.contains(" ")).sort("name")
    label, he, person = (names[c].to_list() for c in ("label", "he", "person"))
    own = columns.names.group_by("e").agg("name")
    every = dict(zip(own["e"].to_list(), own["name"].to_list(), strict=True))
    linked, rivals = _linked(columns, single["e"]), _rivals(columns, single)
    return {
        name: Known(
            frozenset(every.get(e, [])) - {name},
            frozenset(fold(label[other]) for other in linked.get(e, []) if label[other]),
            tuple(Other(label[other], he[other]) for other in rivals.get(e, [])),
            he[e],
            person[e],
        )
        for e, name in single.select("e", "name").iter_rows()
    }


def _linked(columns: GraphColumns, entities: pl.Series) -> dict[int, list[int]]:
    facts = columns.facts.select(e="s", x="o")
    both = (
        pl.concat([facts, facts.select(e="x", x="e").select("e", "x")]).filter(pl.col("e").is_in(entities.implode())).unique()
    )
    return dict(both.unique().sort("e", "x").group_by("e").agg("x").iter_rows())


def _rivals(columns: GraphColumns, single: pl.DataFrame) -> dict[int, list[int]]:
    """Return who is most like each name: of a concept that it has, and with most facts and concepts in common; by hash then."""
    mine = single.select("e").unique()
    kinds = columns.concepts.select("e", p=pl.lit(-1, pl.Int64), o=pl.col("c").cast(pl.Int64))
    told = pl.concat([columns.facts.select(e="s", p=pl.col("p").cast(pl.Int64), o=pl.col("o").cast(pl.Int64)), kinds])
    same = told.join(mine, on="e").join(told.rename({"e": "x"}), on=["p", "o"]).filter(pl.col("x") != pl.col("e"))
    alike = same.group_by("e", "x").agg(shared=pl.len(), kin=(pl.col("p") == -1).any()).filter("kin")
    named = columns.entities.with_row_index("x").filter(~pl.col("label").str.contains(r"^\p{Ll}|[()\[\]]"))["x"]
    alike = alike.filter(pl.col("x").is_in(named.implode()))
    iris = columns.entities["iri"]
    texts = pl.DataFrame({"a": iris.gather(alike["e"]), "b": iris.gather(alike["x"])}).select(pl.col("a") + " " + pl.col("b"))
    drawn = alike.with_columns(turn=pl.Series(keys_of(columns.seed, texts.to_series().to_list()), dtype=pl.UInt64))
    best = drawn.sort(["e", "shared", "turn"], descending=[False, True, False])
    nearest = best.group_by("e", maintain_order=True).agg(pl.col("x", "turn").head(_OTHERS)).explode("x", "turn")
    return dict(nearest.sort("e", "turn").group_by("e", maintain_order=True).agg("x").iter_rows())
