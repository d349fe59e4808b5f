"""Background passages: what else the graph says of the entities that a question names, and never what it asks for.

A fact is told in words, a column's or relation's name and its value; a column that describes (`described` in
`erbench_words.toml`) is told as it stands. Left out: what the question asks for or says already, a value that shares its words
with a hidden one, and every relation whose values settle a hidden one (`generators.family.passages_hidden`).

```
python -m generators.family erbench/mc_movie --passages passages.jsonl --out items.jsonl --store ./films
python -m queries.records check passages.jsonl
```

Source: ERBench, §3.5 and appendix B.7: knowledge augmentation, there with summaries from an encyclopedia.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import polars as pl

from generators.erbench.catalog import said, verb, words
from generators.family.material import Material
from generators.family.passages_hidden import Hidden
from generators.family.query import widened
from generators.family.rows import GROUP, Names, term
from kg import vocab
from kg.errors import InputError
from kg.graph import Graph
from kg.terms import is_iri, texts_of
from kg.text import fold_all
from queries.records.passage import PASSAGE_SCHEMA, Passage
from queries.templates.library import find

__all__ = ["passages_of"]

SENTENCES = 8
"""A passage has so many sentences at most."""

_BATCH = 2_000
_LONGEST = 300
_ADDRESS = r"(?i)^\S*(://\S*|\.(png|jpe?g|gif|svg|webp|tiff?))$"
_CORE = [vocab.RDF_TYPE, vocab.RDFS_LABEL, vocab.SKOS_ALT, vocab.SUBCLASS, f"{vocab.KGP}popularity"]
_COLUMNS = "SELECT DISTINCT ?p ?name { ?t kgp:column ?p . ?p kgp:name ?name }"
_KEYS = "SELECT DISTINCT ?p { ?k a kgp:PrimaryKey ; kgp:on ?p }"


def passages_of(graph: Graph, material: Material, asked: pl.DataFrame) -> list[Passage]:
    """Return a passage for each of the facts asked about that there is something to tell of."""
    about = _entities(graph, material)
    facts = _facts(graph, about["e"].unique().to_list())
    told = about.join(facts, on="e", maintain_order="left")
    given = {slot: f"\0given {slot}" for slot in _named(material)}
    stated = material.facts.frame.select(pl.col(GROUP).alias("group"), *(pl.col(s).alias(c) for s, c in given.items()))
    told = told.join(stated, on="group", maintain_order="left")
    told = _spoken(graph, told.filter(~pl.col("p").is_in(_private(graph))))
    told = Hidden(material).spared(told).filter(pl.col("group").is_in(asked[GROUP].to_list()))
    told = _known(told, list(given.values())).sort("group", "e", "p", "o")
    rows = told.select("group", "e", "p", "o", "who", "what", "value", "concept").iter_rows(named=True)
    return [_passage(material, group, list(facts)) for group, facts in groupby(rows, lambda row: str(row["group"]))]


def _named(material: Material) -> list[str]:
    front = material.family.front
    return [slot for slot in front.key if slot != front.image]


# --- which entities


def _entities(graph: Graph, material: Material) -> pl.DataFrame:
    """`group, e`: the entities that the key names, or else the rows that bear its values."""
    keys = [term(slot) for slot in material.family.front.key]
    frame = material.facts.frame.select(pl.col(GROUP).alias("group"), *keys)
    parts = [frame.select("group", e=key) for key in keys]
    found = pl.concat(parts).filter(is_iri(pl.col("e"))).unique(maintain_order=True)
    return found if found.height else _bearers(graph, material, frame)


def _bearers(graph: Graph, material: Material, frame: pl.DataFrame) -> pl.DataFrame:
    query, names = widened(material.family, graph.base)
    try:
        rows = graph.terms(query) if names else None
    except InputError:  # what is not projected may not be projectable: in a query that counts, for one
        rows = None
    if rows is None:
        return frame.select("group", e=pl.lit(None, pl.String)).clear()
    key = material.family.front.key
    found = frame.join(rows.select(*names, *(pl.col(slot).alias(term(slot)) for slot in key)), on=[term(s) for s in key])
    parts = [found.select("group", e=name) for name in names]
    return pl.concat(parts).filter(is_iri(pl.col("e"))).unique().sort("group", "e")


# --- what is said of them


def _facts(graph: Graph, entities: Sequence[str]) -> pl.DataFrame:
    """`e, p, o` of entities (as terms), without what the graph says of everything."""
    parts = [pl.DataFrame(schema={"e": pl.String, "p": pl.String, "o": pl.String})]
    for start in range(0, len(entities), _BATCH):
        values = " ".join(sorted(entities)[start : start + _BATCH])
        parts.append(graph.terms(f"SELECT DISTINCT ?e ?p ?o {{ VALUES ?e {{ {values} }} ?e ?p ?o }}"))
    found = pl.concat(parts).filter(~pl.col("p").is_in([f"<{p}>" for p in _CORE]))
    return found.filter(~pl.col("p").str.starts_with(f"<{vocab.PREFIXES['p']}")).sort("e", "p", "o")


def _private(graph: Graph) -> list[str]:
    """The relations that nobody tells: keys, what only a database needs, how to reach a person."""
    columns = graph.schema(_COLUMNS)
    unsaid = {*words().contact, *words().technical}
    named = [p for p, name in columns.iter_rows() if unsaid & set(said(name).split())]
    return [f"<{p}>" for p in {*named, *graph.schema(_KEYS)["p"]}]


def _spoken(graph: Graph, told: pl.DataFrame) -> pl.DataFrame:
    """Add what each fact says: `who`, `what`, `value` and its other names; a fact without words is left out."""
    names = Names(graph)
    labelled = {column: names.columns(column, told[column], False) for column in ("e", "p", "o")}
    values = labelled["o"]
    told = told.with_columns(
        labelled["e"][0].alias("who"), labelled["p"][0].alias("what"), values[0].alias("value"), values[3].alias("aliases")
    )
    told = told.with_columns(_concept(graph, told["e"]).alias("concept"), fold_all(told["value"]).alias("folded"))
    told = told.drop_nulls(["what", "value"]).filter(~pl.col("value").str.contains(_ADDRESS))
    own = pl.format(" {} ", fold_all(told["who"].fill_null(""))).str.contains(pl.format(" {} ", "folded"), literal=True)
    return told.filter(pl.col("value").str.len_chars() <= _LONGEST, ~own)


def _concept(graph: Graph, entities: pl.Series) -> pl.Series:
    """The name of each entity's (first) concept."""
    classes = graph.select(find("concepts").bind()).group_by("e").agg(pl.col("c").min())
    labels = graph.select(find("labels").bind()).group_by("e").agg(pl.col("label").min()).rename({"e": "c"})
    known = classes.join(labels, on="c").select("e", "label")
    return pl.DataFrame({"e": texts_of(entities)}).join(known, on="e", how="left", maintain_order="left")["label"]


def _known(told: pl.DataFrame, key: Sequence[str]) -> pl.DataFrame:
    """Keep an entity's name only where the question says it."""
    name = fold_all(told["who"])
    said = pl.any_horizontal([pl.lit(False), *(fold_all(told[slot]) == name for slot in key)])
    return told.with_columns(pl.when(said.fill_null(False)).then("who").alias("who"))


def _passage(material: Material, group: str, facts: Sequence[dict[str, Any]]) -> Passage:
    """Tell the descriptions first, then each relation with all its values."""
    described = [fact for fact in facts if fact["what"].lower() in words().described]
    parts = [[fact] for fact in described]
    parts += [list(same) for _, same in groupby((f for f in facts if f not in described), lambda f: (f["e"], f["p"]))]
    parts = parts[:SENTENCES]
    source = {
        **material.source,
        "method": material.family.front.method,
        "family": material.family.front.name,
        "facts": json.dumps([[f["e"], f["p"], f["o"]] for part in parts for f in part], ensure_ascii=False),
    }
    text = " ".join(dict.fromkeys(_sentence(part, part[0] in described) for part in parts))
    return Passage(schema=PASSAGE_SCHEMA, group=group, text=text, source=source)


def _sentence(facts: Sequence[dict[str, Any]], described: bool) -> str:
    first = facts[0]
    if described:
        text: str = first["value"]
        return text if text.endswith((".", "!", "?")) else f"{text}."
    who = first["who"] or f"the {said(first['concept'] or 'one')} in question"
    sentence = verb(said(first["what"]), who, _listed(list(dict.fromkeys(fact["value"] for fact in facts))))
    return sentence[0].upper() + sentence[1:]


def _listed(values: list[str]) -> str:
    return values[0] if len(values) == 1 else f"{', '.join(values[:-1])} and {values[-1]}"
