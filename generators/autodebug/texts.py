"""From a user's questions with evidence to items: originals, answers swapped where that is safe, and enriched evidence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from generators.autodebug.author import Author
from generators.autodebug.author_checks import Refusal
from generators.autodebug.entities import entity_names
from generators.autodebug.make import Attack, Options, Result, generate
from generators.autodebug.qa_files import Asked, read_questions
from generators.autodebug.text_edits import Known, Other, safe_edit
from generators.autodebug.text_enrich import PAGES, Page, Retriever, near_pages, read_pages, support_text, whole_pages, woven
from generators.draw import keys_of
from generators.graph_columns import GraphColumns
from generators.items import assemble, short_hash, source_of
from kg.graph import Graph
from kg.text import fold

if TYPE_CHECKING:
    from generators.autodebug.embeddings import Embedder

_NAME = re.compile(r"[^\W\d_][\w .,’'&-]+")
_OTHERS = 12
"""How many names that are most like a name are tried in its place."""
_CHUNK = 20
"""Of how many questions an author works on more at a time than are wanted: twice as many, as some come to nothing."""
_FIELDS = ("question", "answer", "context", "support", "variant", "expansion", "group", "original", "writer")
_READ = ("correct/correct", "correct/wrong")


@dataclass(frozen=True)
class Texts:
    """Questions with evidence, why others were left out, what the items say of their source, and passages to retrieve from."""

    questions: list[Asked]
    left_out: Counter[str]
    source: dict[str, str]
    pages: list[Page]


@dataclass(frozen=True)
class TextOptions:
    """How to make items of texts; see `make.Options`. Without an `author` rules edit and weave; `best` retrieves passages."""

    n: int = 1000
    seed: int = 0
    attack: Attack = Attack.both
    seeds: Mapping[str, str] | None = None
    pivot: str | None = None
    author: Author | None = None
    embedder: Embedder | None = None


class _Row(NamedTuple):
    """A passage of a question."""

    answer: str
    context: str
    support: str
    variant: str
    expansion: str | None = None
    writer: str | None = None


_Rows = dict[Asked, list[_Row]]


def texts_of_file(path: str, seed: int, passages: str | None = None) -> Texts:
    """Read questions with evidence from a file; its own evidence is retrieved from, unless another file is given.

    Raises SourceError naming the place of what is no such question or passage.
    """
    questions, left_out = read_questions(path, seed)
    pages = read_pages(passages) if passages else [Page(asked.evidence, asked.evidence) for asked in questions]
    return Texts(questions, left_out, {"file": Path(path).name}, pages)


def texts_of_graph(graph: Graph, options: Options, passages: str | None = None) -> Texts:
    """Take the original passages that a graph gives as questions with evidence; those of other things are retrieved from."""
    wider = replace(options, n=max(4 * options.n, 200), attack=Attack.swap, seeds=None)
    items = generate(graph, wider).items.filter(pl.col("variant") == "original")
    rows = items.select(
        "question", pl.col("answer").list.first(), "context", pl.col("given").list.first().struct.field("value")
    )
    questions = [Asked(question, answer, context) for question, answer, context, _ in rows.iter_rows()]
    pages = read_pages(passages) if passages else [Page(about, context) for _, _, context, about in rows.iter_rows()]
    return Texts(questions, Counter(), {}, pages)


def text_items(texts: Texts, graph: Graph, options: TextOptions) -> Result:
    """Make the items of questions with evidence.

    Parameters: `graph` knows names and their kinds.
    Raises ModelError where an author is to be asked and cannot be.
    """
    left_out = Counter(texts.left_out)
    order = sorted(texts.questions, key=lambda asked: short_hash(f"{options.seed}\0{asked.question}\0{asked.evidence}"))
    order = list(dict.fromkeys(order))
    if options.seeds is not None:
        order = [asked for asked in order if options.seeds.get(group_of(asked)) in _READ]
    attacks = _attacks(texts, graph, options)
    kept: _Rows = {}
    size = len(order) if options.author is None else max(options.n, min(2 * options.n, _CHUNK))
    for start in range(0, len(order), size or 1):
        rows = {
            asked: [_Row(asked.answer, asked.evidence, support_text(asked), "original")]
            for asked in order[start : start + size]
        }
        for attack in attacks:
            attack(rows, left_out)
        kept |= {asked: made for asked, made in rows.items() if len(made) > 1}
        if len(kept) >= options.n:
            break
    kept = {asked: kept[asked] for asked in list(kept)[: options.n]}
    wanted = options.n if options.seeds is None else min(options.n, len(order))
    items = _items(kept, {**source_of(graph, options.seed), **texts.source}, options)
    return Result(items, len(kept), wanted, len(texts.questions) + texts.left_out.total(), dict(left_out))


_Attacker = Callable[[_Rows, Counter[str]], None]


def _attacks(texts: Texts, graph: Graph, options: TextOptions) -> list[_Attacker]:
    """Return what is done to the evidence, in turn."""
    chosen: list[_Attacker] = []
    if options.attack is not Attack.enrich:
        by_rule = partial(_swap, graph=graph, seed=options.seed)
        chosen.append(by_rule if options.author is None else partial(_swap_by_model, author=options.author))
    if options.attack is not Attack.swap:
        found = Retriever(texts.pages, options.embedder)
        chosen.append(partial(_enrich, retriever=found, options=options))
    return chosen


def group_of(asked: Asked) -> str:
    """Return the group of a question's items."""
    return "autodebug." + short_hash("\0".join(asked))


def _items(kept: _Rows, source: Mapping[str, str], options: TextOptions) -> pl.DataFrame:
    rows = [
        (asked.question, *row[:5], group_of(asked), asked.answer, row.writer)
        for asked, made in kept.items()
        for row in _allowed(asked, made, options.seeds)
    ]
    frame = pl.DataFrame(rows, schema=dict.fromkeys(_FIELDS, pl.String), orient="row")
    pivot = {} if options.pivot is None else {"pivot": options.pivot}
    written = {} if options.author is None else {"writer": pl.col("writer")}
    return assemble(
        frame,
        bindings=["question", "context", "answer", "expansion"],
        strata={"expansion": pl.col("expansion")},
        source={**source, **pivot, "support": pl.col("support"), "original": pl.col("original"), **written},
        method="autodebug",
        family="text",
        task="context",
        variant=pl.col("variant"),
        question=pl.col("question"),
        answer=pl.concat_list("answer"),
        context=pl.col("context"),
        group=pl.col("group"),
    )


def _allowed(asked: Asked, rows: list[_Row], seeds: Mapping[str, str] | None) -> list[_Row]:
    known = seeds is not None and seeds.get(group_of(asked)) == "correct/correct"
    return [row for row in rows if not (known and row.variant == "enrich")]


def _swap(rows: _Rows, left_out: Counter[str], graph: Graph, seed: int) -> None:
    # "$10" is no name, though a channel may be called 10; and "metal" is not the music called Metal.
    names = [asked.answer for asked in rows if _NAME.fullmatch(asked.answer) and asked.answer in asked.evidence]
    known = known_names(graph, seed, names)
    for asked in rows:
        is_name = _NAME.fullmatch(asked.answer) and asked.answer in asked.evidence
        edit = safe_edit(asked, known.get(fold(asked.answer)) if is_name else None, seed)
        if isinstance(edit, str):
            left_out[f"not swapped, {edit}"] += 1
        else:
            rows[asked].append(_Row(edit.answer, edit.evidence, edit.support, "swap"))


def _swap_by_model(rows: _Rows, left_out: Counter[str], author: Author) -> None:
    for asked, edit in zip(rows, author.swaps(list(rows)), strict=True):
        if isinstance(edit, Refusal):
            left_out[f"not swapped, {edit}"] += 1
        else:
            rows[asked].append(_Row(edit.answer, edit.evidence, edit.support, "swap", writer=author.name))


def _enrich(rows: _Rows, left_out: Counter[str], retriever: Retriever, options: TextOptions) -> None:
    """Add both expansions of each question, or neither."""
    queries = {"question": [asked.question for asked in rows], "evidence": [asked.evidence for asked in rows]}
    found = {name: retriever.best(texts) for name, texts in queries.items()}
    usable = near_pages if options.author is None else whole_pages
    near = {name: [usable(*pair) for pair in zip(rows, lists, strict=True)] for name, lists in found.items()}
    least = 1 if options.author is None else PAGES
    few = [any(len(pages[number]) < least for pages in near.values()) for number in range(len(rows))]
    enough = [asked for asked, short in zip(rows, few, strict=True) if not short]
    left_out["not enriched, too few passages near it can be told"] += len(rows) - len(enough)
    chosen = {name: [pages for pages, short in zip(lists, few, strict=True) if not short] for name, lists in near.items()}
    made = _woven(enough, chosen, options) if options.author is None else _merged(enough, chosen, options.author)
    for asked, both in zip(enough, made, strict=True):
        refused = next((row for row in both if isinstance(row, Refusal)), None)
        if refused is None:
            rows[asked] += [row for row in both if isinstance(row, _Row)]
        else:
            left_out[f"not enriched, {refused}"] += 1
    left_out += Counter()


def _woven(asked: list[Asked], chosen: dict[str, list[list[Page]]], options: TextOptions) -> list[list[_Row | Refusal]]:
    """Weave sentences of passages in by rule."""
    return [
        [
            _Row(one.answer, woven(one, pages[number], options.seed, name), support_text(one), "enrich", name)
            for name, pages in chosen.items()
        ]
        for number, one in enumerate(asked)
    ]


def _merged(asked: list[Asked], chosen: dict[str, list[list[Page]]], author: Author) -> list[list[_Row | Refusal]]:
    """Have passages condensed and merged with the supporting sentence by a model."""
    supports = author.supports(asked)
    made: list[list[_Row | Refusal]] = [[] for _ in asked]
    for name, pages in chosen.items():
        texts = author.merges(list(zip(asked, supports, pages, strict=True)))
        for rows, one, support, text in zip(made, asked, supports, texts, strict=True):
            rows.append(text if isinstance(text, Refusal) else _Row(one.answer, text, support, "enrich", name, author.name))
    return made


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
