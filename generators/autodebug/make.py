"""From a graph to question-evidence-answer triples whose evidence changes: facts drawn, passages written, attacked, made items.

Source: Yu, Cheng, Liu, Roth, Gao: Automatic Hallucination Assessment for Aligned Large Language Models via Transferable
Adversarial Attacks (AutoDebug, 2023), §2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

import polars as pl

from generators.autodebug.clauses import OPEN_A, OPEN_BARE, OPEN_SHORT, OPEN_THE
from generators.autodebug.compose import Dials, Originals, originals
from generators.autodebug.enrich import EXPANSIONS, EnrichDials, enriched
from generators.autodebug.facts import Facts, facts_of
from generators.autodebug.passages import Things, closed, enriched_texts, original_texts, questions, written
from generators.autodebug.planner import Sentence, is_fluent
from generators.autodebug.swap import SwapDials, swapped
from generators.graph_columns import once
from generators.items import assemble, listed, proved, short_hash, source_of
from kg.graph import Graph
from kg.text import fold_all
from kg.vocab import PREFIXES
from queries.templates import versioned


class Attack(StrEnum):
    """What is done to the evidence; with `both` a fact has what fits it, one of the two at least."""

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


class _Written(NamedTuple):
    """Passages with the answer's place open, and the facts that they tell, with the levels of the dials."""

    texts: pl.DataFrame
    told: pl.DataFrame

    def of(self, t: pl.Series) -> _Written:
        """Return those of some facts."""
        fit = pl.col("row").is_in(t.unique().implode())
        return _Written(self.texts.filter(fit), self.told.filter(fit))


class _Original(NamedTuple):
    """Original passages: their things, sentences by fact and texts, what they tell, and what they leave out."""

    things: Things
    made: dict[int, list[Sentence]]
    texts: pl.DataFrame
    told: pl.DataFrame
    left: pl.DataFrame

    def all_told(self, more: pl.DataFrame | None = None) -> pl.DataFrame:
        """Return all that passages tell: what these do, and what is added."""
        if more is None:
            return self.told.with_columns(added=_NO_LEVEL, closeness=_NO_LEVEL)
        levels = more.select("row", "added", "closeness").unique("row")
        own = self.told.join(levels, on="row", maintain_order="left")
        columns = ["row", "s", "p", "objects", "support", "length", "where", "added", "closeness"]
        return pl.concat([own.select(columns), more.select("row", "s", "p", "objects", "support")], how="diagonal")


@dataclass(frozen=True)
class _Attempt:
    """What became of some facts: rows and what is told in the passages of those that could be attacked, and why not the others.

    `last` is the last fact that was looked at.
    """

    rows: pl.DataFrame
    sentences: pl.DataFrame
    left_out: dict[str, int]
    last: int


def generate(graph: Graph, options: Options = Options()) -> Result:
    """Make original and changed passages of a graph's facts: a pure function of graph and options.

    Raises InputError where there is nothing to ask about.

    >>> from kg import open_graph
    >>> result = generate(open_graph(), Options(n=20))
    >>> sorted(set(result.items["variant"]))
    ['enrich', 'original', 'swap']
    """
    facts = facts_of(graph, options.seed)
    asked = facts.asked if options.seeds is None else _of_seeds(facts, options.seeds)
    attempts = list(_attempts(facts, asked, options))
    kept = pl.concat(attempt.rows["t"].unique().sort() for attempt in attempts).head(options.n)
    rows = pl.concat(attempt.rows for attempt in attempts).filter(pl.col("t").is_in(kept.implode())).sort("t", "order")
    sentences = pl.concat(attempt.sentences for attempt in attempts)
    sentences = sentences.filter(pl.col("n").is_in(rows["n"].implode()))
    left_out: Counter[str] = Counter()
    for attempt in attempts:
        left_out.update(attempt.left_out)
    pivot = {} if options.pivot is None else {"pivot": options.pivot}
    items = items_of(facts, rows, sentences, {**source_of(graph, options.seed), **pivot})
    # Of what a pivot reads, all is attacked that can be.
    wanted = options.n if options.seeds is None else max(len(kept), 1)
    return Result(items, len(kept), wanted, facts.facts, facts.left_out | dict(left_out))


def _of_seeds(facts: Facts, seeds: Mapping[str, str]) -> pl.DataFrame:
    """Return the facts that the pivot reads rightly from their passages, with their `category`."""
    grouped = facts.asked.with_columns(category=asked_groups(facts).replace_strict(seeds, default=None, return_dtype=pl.String))
    return grouped.filter(pl.col("category").is_in(["correct/correct", "correct/wrong"]))


def _attempts(facts: Facts, asked: pl.DataFrame, options: Options) -> Iterator[_Attempt]:
    """Write passages of one portion of the facts after the other, until there are enough, or no more facts."""
    begin, made, size = 0, 0, max(_PORTION, 20 * options.n)  # one fact in eight to twenty can be attacked
    while made < options.n and begin < asked.height:
        attempt = _attempt(facts, asked.slice(begin, size), options, options.n - made)
        yield attempt
        made += attempt.rows["t"].n_unique()
        begin = 1 + asked["t"].index_of(attempt.last)  # type: ignore[operator]
        size = max(_PORTION, int(1.2 * (options.n - made) * begin / max(made, begin // 20, 1)))


_PORTION = 20_000
"""So many facts at least are looked at together: each portion takes as long as thousands of facts, whatever its size."""


def _attempt(facts: Facts, asked: pl.DataFrame, options: Options, most: int) -> _Attempt:
    """Write the passages of some facts; a fact is kept that an attack fits, of the first `most`."""
    left_out: Counter[str] = Counter()
    told, left = originals(facts, asked, options.dials)
    kept, left_out["of its subject too little else is known"] = _narrowed(asked, told["row"])
    things = _things(facts)
    made = written(things, told)
    texts = original_texts(made)
    kept, left_out["its passage cannot begin with what its subject is"] = _narrowed(kept, texts["row"])
    if options.dials.place is not None:
        kept, left_out["its answer cannot stand in that place"] = _narrowed(
            kept, texts.filter(pl.col("now") == str(options.dials.place))["row"]
        )
    kept, left_out["its passage would name the subject again and again"] = _narrowed(kept, _fluent(made))
    kept, left_out["its passage would say the answer twice"] = _narrowed(kept, _unsaid(facts, kept, texts))
    last = asked["t"][-1]
    if kept.height > 3 * most + _SPARE:  # no more are attacked than may be needed
        kept = kept.head(3 * most + _SPARE)
        last = kept["t"][-1]
    original = _Original(things, made, texts, told, left)
    variants: dict[tuple[str, str | None], _Written] = {}
    levels = pl.DataFrame(schema={"t": pl.Int64, "x": pl.Int64, "distance": pl.String, "answer_popularity": pl.String})
    if options.attack is not Attack.enrich:
        levels = _swapped(facts, kept, texts, options, left_out)
        variants["swap", None] = _Written(texts, original.all_told()).of(levels["t"])
    if options.attack is not Attack.swap:
        # Whoever knows the answer needs no passage: to enrich it would show nothing.
        read = kept if options.seeds is None else kept.filter(pl.col("category") == "correct/wrong")
        variants |= _enriched(facts, read, original, options, left_out)
    attacked = pl.concat([each.texts["row"] for each in variants.values()])
    kept, _ = _narrowed(kept, attacked)
    kept = kept.head(most)
    variants = {("original", None): _Written(texts, original.all_told()), **variants}
    rows, sentences = _rows(facts, kept, {name: each.of(kept["t"]) for name, each in variants.items()}, levels)
    return _Attempt(rows, sentences, {reason: count for reason, count in left_out.items() if count}, last)


def _swapped(facts: Facts, kept: pl.DataFrame, texts: pl.DataFrame, options: Options, left_out: Counter[str]) -> pl.DataFrame:
    """Choose new answers (`swap.swapped`), and count the facts that have none."""
    fit, left_out["not swapped, every reader knows it of such a subject"] = _narrowed(kept, _arguable(facts, kept))
    levels = swapped(facts, fit, _keys(texts), options.swap)
    _, left_out["not swapped, no other answer of the kind is likely"] = _narrowed(fit, levels["t"])
    return levels


def _arguable(facts: Facts, asked: pl.DataFrame) -> pl.Series:
    """Return the facts that not every reader knows: of a country everybody knows the capital."""
    known = [(w, noun) for w, wording in enumerate(facts.wordings) for noun in wording.known_of]
    barred = pl.DataFrame(known, schema={"w": pl.Int64, "noun": pl.String}, orient="row")
    nouns = facts.names.select("noun", s=pl.col("e").cast(pl.Int64))
    return asked.join(nouns, on="s", how="left", maintain_order="left").join(barred, on=["w", "noun"], how="anti")["t"]


def _enriched(
    facts: Facts, kept: pl.DataFrame, original: _Original, options: Options, left_out: Counter[str]
) -> dict[tuple[str, str | None], _Written]:
    """Write both enriched passages of the facts that have enough besides, and count the others."""
    added = enriched(facts, kept, Originals(original.told, original.left), options.enrich)
    made: dict[tuple[str, str | None], _Written] = {}
    before = original.texts
    for expansion in EXPANSIONS:
        more = added[expansion].join(kept.select(row="t"), on="row", how="semi", maintain_order="left")
        richer = enriched_texts(original.things, original.made, original.told, more)
        few, twice, same = (f"not enriched, {why}" for why in _NOT_ENRICHED)
        kept, count = _narrowed(kept, richer["row"])
        left_out[few.format(expansion)] += count
        kept, count = _narrowed(kept, _unsaid(facts, kept, richer))
        left_out[twice] += count
        kept, count = _narrowed(kept, _other(kept, richer, before))
        left_out[same] += count
        made["enrich", expansion] = _Written(richer, original.all_told(more))
        before = pl.concat([before, richer])
    return {name: each.of(kept["t"]) for name, each in made.items()}


_NOT_ENRICHED = (
    "too little can be added, {}-focused",
    "its passage would say the answer twice",
    "both expansions would tell the same",
)


def _fluent(made: Mapping[int, list[Sentence]]) -> pl.Series:
    """Return the facts whose passage does not begin sentence after sentence with a name, for want of "he" and "she"."""
    rows = [number for number, sentences in made.items() if is_fluent([sentence.text for sentence in sentences])]
    return pl.Series(rows, dtype=pl.Int64)


_things = once(Things)
_SPARE = 20
"""Facts more than thrice as many as wanted that are attacked, as most fit no attack: a second portion takes longer."""


def _keys(texts: pl.DataFrame) -> pl.DataFrame:
    """Return the folded text of each passage without its answer, between blanks: t, key."""
    without = texts["open"].str.replace_all(f"[{OPEN_THE}{OPEN_A}{OPEN_BARE}{OPEN_SHORT}]", " ")
    return pl.DataFrame({"t": texts["row"], "key": " " + fold_all(without) + " "})


def _unsaid(facts: Facts, asked: pl.DataFrame, texts: pl.DataFrame) -> pl.Series:
    """Return the facts whose passage names the answer nowhere but in its place: "German" is a name of the language, too."""
    names = facts.columns.names.select(o=pl.col("e").cast(pl.Int64), name=" " + pl.col("name") + " ")
    keyed = asked.select("t", "o").join(_keys(texts), on="t", maintain_order="left")
    said = keyed.join(names, on="o").filter(pl.col("key").str.contains(pl.col("name"), literal=True))
    return keyed.join(said.select("t"), on="t", how="anti", maintain_order="left")["t"]


def _other(asked: pl.DataFrame, texts: pl.DataFrame, before: pl.DataFrame) -> pl.Series:
    """Return the facts whose passage is none that was written of them before: of a spouse both expansions may tell the same."""
    again = texts.select(t="row", open="open").join(before.select(t="row", open="open"), on=["t", "open"], how="semi")
    return asked.join(again, on="t", how="anti", maintain_order="left")["t"]


def _narrowed(asked: pl.DataFrame, t: pl.Series) -> tuple[pl.DataFrame, int]:
    """Keep the facts that stand in `t`, and count the others."""
    kept = asked.filter(pl.col("t").is_in(t.unique().implode()))
    return kept, asked.height - kept.height


def _answers(facts: Facts, numbers: pl.DataFrame) -> pl.DataFrame:
    """Return the forms of the answer of each passage: row, label, the, a, short; `numbers` has t and x."""
    forms = facts.names.select("label", "the", "a", short=pl.coalesce("short", "label"), x=pl.col("e").cast(pl.Int64))
    return numbers.select("x", row="t").join(forms, on="x", how="left", maintain_order="left").drop("x")


def _rows(
    facts: Facts, kept: pl.DataFrame, made: dict[tuple[str, str | None], _Written], levels: pl.DataFrame
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return a row for each passage of the facts that are kept, and all that they tell, by the passage's number `n`."""
    the = facts.names.select("the", "person", "noun", s=pl.col("e").cast(pl.Int64))
    asked = kept.select("t", "s", "p", "o", "w").join(the, on="s", how="left", maintain_order="left")
    asked = asked.with_columns(question=questions(asked, facts.wordings)).drop("the", "person", "noun")
    rows, sentences = [], []
    for order, ((variant, expansion), (texts, told)) in enumerate(made.items()):
        is_swap = variant == "swap"
        drawn = told.group_by("row", maintain_order=True).agg(
            pl.col("length", "where", "added", "closeness").drop_nulls().first()
        )
        own = asked.join(texts.select(t="row"), on="t", how="semi", maintain_order="left")
        own = own.join(levels, on="t", how="left", maintain_order="left").with_columns(
            x=pl.col("x") if is_swap else pl.col("o"),
            **{c: pl.col(c) if is_swap else _NO_LEVEL for c in ("distance", "answer_popularity")},
        )
        filled = closed(texts, _answers(facts, own)).join(drawn, on="row", maintain_order="left")
        filled = filled.with_columns(where=pl.coalesce("now", "where")).drop("now")
        own = own.join(filled, left_on="t", right_on="row", maintain_order="left")
        number = len(made) * pl.col("t") + order
        rows.append(
            own.with_columns(n=number, order=pl.lit(order), variant=pl.lit(variant), expansion=pl.lit(expansion, pl.String))
        )
        sentences.append(told.with_columns(n=len(made) * pl.col("row") + order).select("n", "s", "p", "objects", "support"))
    return pl.concat(rows), pl.concat(sentences)


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
