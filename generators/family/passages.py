"""Background passages: what else the graph says of the entities that a question names, and never what it asks for.

A fact is told in words, a column's or relation's name and its value; a column that describes (`described` in
`column_names.toml`) is told as it stands. Left out are what the question says already; a value that is a hidden one, by any of
its names, or shares its words with one; and every relation that settles a hidden slot: by the same values, by values that go
(where several facts share one) with one hidden value each, or by numbers that rise and fall with the hidden ones.

Source: ERBench, §3.5 and appendix B.7: knowledge augmentation, there with summaries from an encyclopedia.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import polars as pl

from generators.column_names import WordLists, in_words, sentence
from generators.family.columns import GROUP, aliases, others, term
from generators.family.facts import Grounding
from generators.family.query import mentioned, widened_query
from generators.family.rows import EntityNames, normal_forms
from kg import vocab
from kg.errors import InputError
from kg.graph import Graph
from kg.terms import is_iri, texts_of
from kg.text import fold_all
from queries.records.passage import PASSAGE_SCHEMA, Passage
from queries.views import view

_SENTENCES = 8
"""A passage has so many sentences at most."""
_BATCH = 2_000
_LONGEST = 300
_ADDRESS = r"(?i)^\S*(://\S*|\.(png|jpe?g|gif|svg|webp|tiff?))$"
_COLUMNS = "SELECT DISTINCT ?p ?name { ?t kgp:column ?p . ?p kgp:name ?name }"
_KEYS = "SELECT DISTINCT ?p { ?k a kgp:PrimaryKey ; kgp:on ?p }"
_AGREEING, _SHARING, _FEWEST = 0.9, 0.1, 5
"""A relation settles a slot where of the facts that share a value this share agree, if at least the second share do share one;
or where of at least the third number of facts the numbers rise or fall together."""
_FACT = "\0fact"
"""The number of a fact that may be told."""
_GROUP = pl.col(GROUP).alias("group")


def passages_of(graph: Graph, grounding: Grounding, asked: pl.DataFrame) -> list[Passage]:
    """Return a passage for each of the facts asked about that there is something to tell of."""
    about = _entities(graph, grounding)
    facts = _facts(graph, about["e"].unique().to_list())
    facts = about.join(facts, on="e", maintain_order="left")
    given = {slot: f"\0given {slot}" for slot in grounding.front.key if slot != grounding.front.image}
    key = grounding.facts.frame.select(_GROUP, *(pl.col(slot).alias(column) for slot, column in given.items()))
    facts = facts.join(key, on="group", maintain_order="left")
    withheld = [*_private(graph), *mentioned(grounding.template, graph.base)]
    facts = _in_words(graph, facts.filter(~pl.col("p").is_in(withheld)))
    # What settles an answer is learned from all facts, also where few of them are asked.
    facts = _without_hidden(grounding, facts).filter(pl.col("group").is_in(asked[GROUP].to_list()))
    facts = _with_stated_names(facts, list(given.values())).sort("group", "e", "p", "o")
    rows = facts.select("group", "e", "p", "o", "who", "what", "value", "concept").iter_rows(named=True)
    return [_passage(grounding, group, list(own)) for group, own in groupby(rows, lambda row: str(row["group"]))]


# --- which entities


def _entities(graph: Graph, grounding: Grounding) -> pl.DataFrame:
    """`group, e`: the entities that the key names, or else the rows that bear its values."""
    keys = [term(slot) for slot in grounding.front.key]
    frame = grounding.facts.frame.select(_GROUP, *keys)
    named = pl.concat([frame.select("group", e=key) for key in keys])
    named = named.filter(is_iri(pl.col("e"))).unique(maintain_order=True)
    return named if named.height else _bearers(graph, grounding, frame)


def _bearers(graph: Graph, grounding: Grounding, frame: pl.DataFrame) -> pl.DataFrame:
    """`group, e`: what the variables stand for that a family's SELECT does not project, in rows with the key's values."""
    query, names = widened_query(grounding.template, graph.base)
    try:
        rows = graph.terms(query) if names else None
    except InputError:  # what is not projected may not be projectable: in a query that counts, for one
        rows = None
    if rows is None:
        return frame.select("group", e=pl.lit(None, pl.String)).clear()
    key = grounding.front.key
    bearing = frame.join(rows.select(*names, *(pl.col(slot).alias(term(slot)) for slot in key)), on=[term(s) for s in key])
    parts = [bearing.select("group", e=name) for name in names]
    return pl.concat(parts).filter(is_iri(pl.col("e"))).unique().sort("group", "e")


# --- what is said of them


def _facts(graph: Graph, entities: Sequence[str]) -> pl.DataFrame:
    """`e, p, o` of entities (as terms), without what the graph says of everything."""
    parts = [pl.DataFrame(schema={"e": pl.String, "p": pl.String, "o": pl.String})]
    for start in range(0, len(entities), _BATCH):
        values = " ".join(sorted(entities)[start : start + _BATCH])
        parts.append(graph.terms(f"SELECT DISTINCT ?e ?p ?o {{ VALUES ?e {{ {values} }} ?e ?p ?o }}"))
    facts = pl.concat(parts).filter(~pl.col("p").is_in([f"<{p}>" for p in vocab.DESCRIBING]))
    return facts.filter(~pl.col("p").str.starts_with(f"<{vocab.PREFIXES['p']}")).sort("e", "p", "o")


def _private(graph: Graph) -> list[str]:
    """The relations that nobody tells: keys, what only a database needs, how to reach a person."""
    lists = WordLists.load()
    columns, private = graph.schema(_COLUMNS), {*lists.contact, *lists.technical}
    named = [p for p, name in columns.iter_rows() if private & set(in_words(name).split())]
    return [f"<{p}>" for p in {*named, *graph.schema(_KEYS)["p"]}]


def _in_words(graph: Graph, facts: pl.DataFrame) -> pl.DataFrame:
    """Add what each fact says: `who`, `what`, `value`, its `aliases`, `folded`, `concept`; a fact without words is left out."""
    names = EntityNames(graph)
    who, what, (value, _, _, also) = (names.columns(column, facts[column]) for column in ("e", "p", "o"))
    facts = facts.with_columns(
        who[0].alias("who"), what[0].alias("what"), value.alias("value"), also.alias("aliases"),
        _concept(graph, facts["e"]).alias("concept"), fold_all(value).alias("folded"),
    )  # fmt: skip
    facts = facts.drop_nulls(["what", "value"]).filter(~pl.col("value").str.contains(_ADDRESS))
    in_name = pl.format(" {} ", fold_all(facts["who"].fill_null(""))).str.contains(pl.format(" {} ", "folded"), literal=True)
    return facts.filter(pl.col("value").str.len_chars() <= _LONGEST, ~in_name)


def _concept(graph: Graph, entities: pl.Series) -> pl.Series:
    """The name of each entity's (first) concept."""
    classes = view(graph, "concepts").group_by("e").agg(pl.col("c").min())
    labels = view(graph, "labels").group_by("e").agg(pl.col("label").min()).rename({"e": "c"})
    concepts = classes.join(labels, on="c").select("e", "label")
    return pl.DataFrame({"e": texts_of(entities)}).join(concepts, on="e", how="left", maintain_order="left")["label"]


def _with_stated_names(facts: pl.DataFrame, key: Sequence[str]) -> pl.DataFrame:
    """Keep an entity's name only where the question says it."""
    name = fold_all(facts["who"])
    stated = pl.any_horizontal([pl.lit(False), *(fold_all(facts[slot]) == name for slot in key)])
    return facts.with_columns(pl.when(stated.fill_null(False)).then("who").alias("who"))


# --- what may not be said


def _without_hidden(grounding: Grounding, facts: pl.DataFrame) -> pl.DataFrame:
    """Keep the facts (`group, p, value, aliases, folded`) that give no hidden value away, and do not repeat the key."""
    front = grounding.front
    claimed = [front.claim.slot] if front.claim else []
    slots = dict.fromkeys([*(front.rationale or []), *front.answers, *claimed, *grounding.options])
    hidden = [slot for slot in slots if slot not in front.key]
    settling = [p for (p,), part in facts.group_by("p") if _settles_some(grounding.facts.frame, part, hidden)]
    facts = facts.filter(~pl.col("p").is_in(settling)).with_row_index(_FACT)
    sharing = _sharing_words(grounding.facts.frame, facts, front.key, hidden)
    return facts.join(sharing, on=_FACT, how="anti", maintain_order="left")


def _settles_some(frame: pl.DataFrame, told: pl.DataFrame, hidden: Sequence[str]) -> bool:
    """Say whether a relation, all of whose facts are `told`, settles some hidden slot of the family's facts."""
    single = told.filter(pl.len().over("group") == 1)
    for slot in hidden:
        both = single.select("group", value="folded", number="value").join(
            frame.select(_GROUP, hidden=normal_forms(frame[slot]), other=slot), on="group"
        )
        if settles(both.drop_nulls()):
            return True
    return False


def settles(both: pl.DataFrame) -> bool:
    """Say whether values settle hidden ones (`value, hidden`, and as texts that may be numbers, `number, other`).

    >>> settles(pl.DataFrame({"value": ["us", "us", "fr"], "hidden": ["usa", "usa", "france"], "number": "", "other": ""}))
    True
    """
    if both.is_empty() or both["hidden"].n_unique() < 2:
        return False
    if (both["value"] == both["hidden"]).mean() > 1 - _AGREEING:  # type: ignore[operator]
        return True
    groups = both.group_by("value").agg(n=pl.len(), different=pl.col("hidden").n_unique()).filter(pl.col("n") > 1)
    several = int(groups["n"].sum())
    agree = int(groups.filter(pl.col("different") == 1)["n"].sum())
    return (several >= _SHARING * both.height and agree >= _AGREEING * several > 0) or _rise_together(both)


def _rise_together(both: pl.DataFrame) -> bool:
    """Say whether the ranks of numbers agree wholly, or are wholly reversed: the same quantity in another unit."""
    numbers = both.select(pl.col("number", "other").cast(pl.Float64, strict=False)).drop_nulls()
    if numbers.height < max(_FEWEST, both.height * _AGREEING) or min(numbers[c].n_unique() for c in numbers.columns) < _FEWEST:
        return False
    ranks = numbers.select(pl.all().rank("dense"))
    return bool(abs(ranks.select(pl.corr("number", "other")).item()) > 1 - 1e-9)


def _sharing_words(frame: pl.DataFrame, facts: pl.DataFrame, key: Sequence[str], hidden: Sequence[str]) -> pl.DataFrame:
    """The numbers of the facts whose value is given, or is a hidden one, or shares its words with one."""
    given = pl.concat([frame.select(_GROUP, name=fold_all(frame[slot])) for slot in key])
    names = pl.concat([given.clear(), *(_names_of(frame, slot) for slot in hidden)]).drop_nulls().unique()
    further = facts.select(_FACT, "group", value="aliases").explode("value", empty_as_null=True).drop_nulls()
    further = further.with_columns(fold_all(further["value"]).alias("value"))
    values = pl.concat([facts.select(_FACT, "group", value="folded"), further])
    same = values.join(given, left_on=["group", "value"], right_on=["group", "name"], how="semi")
    padded = values.join(names, on="group").with_columns(pl.format(" {} ", pl.col(c)).alias(c) for c in ("value", "name"))
    within = pl.col("value").str.contains(pl.col("name"), literal=True)
    around = pl.col("name").str.contains(pl.col("value"), literal=True)
    return pl.concat([same.select(_FACT), padded.filter(within | around).select(_FACT)]).unique()


def _names_of(frame: pl.DataFrame, slot: str) -> pl.DataFrame:
    """All names of all values of a slot, folded: `group, name`."""
    lists = [column for column in (aliases(slot), others(slot)) if column in frame.columns]
    parts = [frame.select(_GROUP, name=slot)]
    parts += [frame.select(_GROUP, name=column).explode("name", empty_as_null=True) for column in lists]
    names = pl.concat(parts).drop_nulls()
    return names.with_columns(fold_all(names["name"]).alias("name"))


# --- texts


def _passage(grounding: Grounding, group: str, facts: Sequence[dict[str, Any]]) -> Passage:
    """Tell the descriptions first, then each relation with all its values."""
    described = [fact for fact in facts if fact["what"].lower() in WordLists.load().described]
    parts = [[fact] for fact in described]
    parts += [list(same) for _, same in groupby((f for f in facts if f not in described), lambda f: (f["e"], f["p"]))]
    parts = parts[:_SENTENCES]
    source = {
        **grounding.source,
        "method": grounding.front.method,
        "family": grounding.front.name,
        "facts": json.dumps([[f["e"], f["p"], f["o"]] for part in parts for f in part], ensure_ascii=False),
    }
    text = " ".join(dict.fromkeys(_sentence(part, part[0] in described) for part in parts))
    return Passage(schema=PASSAGE_SCHEMA, group=group, text=text, source=source)


def _sentence(facts: Sequence[dict[str, Any]], described: bool) -> str:
    """Tell a description as it stands, or a relation of one entity with all its values."""
    first = facts[0]
    if described:
        text: str = first["value"]
        return text if text.endswith((".", "!", "?")) else f"{text}."
    who = first["who"] or f"the {in_words(first['concept'] or 'one')} in question"
    told = sentence(in_words(first["what"]), who, _listed(list(dict.fromkeys(fact["value"] for fact in facts))))
    return told[0].upper() + told[1:]


def _listed(values: list[str]) -> str:
    return values[0] if len(values) == 1 else f"{', '.join(values[:-1])} and {values[-1]}"
