"""From a graph to simple questions on single facts: facts gathered, those that are specific drawn, items made.

An item has its answers, its strata and its certificate of being unambiguous. Where a model words properties, each wording is
asked for once, never a question by question, and held against the rule's: the subject in it, the answer not, and what kind of
answer is wanted said, the parts of a date, the unit, and every word that all wordings of the property share (table 5).

Facts are drawn evenly over domains, top and bottom quarter by popularity, and properties (sections 2.1 and 2.2). A cell is a
domain's top or bottom quarter. Cells get equal shares; what a cell does not have, the others get in equal shares. Within a cell
the properties take turns, and within a property its answers, in the order of their hash. The facts of all cells are then
interleaved, so that any prefix has the mix of the whole.

```
>>> shares(10, [2, 100, 3]).tolist()
[2, 5, 3]

```

Source: Yuan et al.: Towards a Holistic Evaluation of LLMs on Factual Knowledge Recall (FACT-BENCH, 2024), section 2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
import polars as pl

from generators.draw import keys_of, mix, word
from generators.factbench.answers import step_of, step_of_share, unit_named
from generators.factbench.entities import Sources
from generators.factbench.facts import Facts, facts_of
from generators.factbench.kinds import domain_lists, people_of_domains
from generators.factbench.tables import pagerank_of
from generators.factbench.wordings import Wording, Wordings, load_wordings
from generators.graph_columns import GraphColumns
from generators.items import assemble, mapped, proved, short_hash, source_of, stated
from generators.writer import WordingTask, Writer
from kg.errors import InputError
from kg.graph import Graph
from kg.sets import Ints
from kg.vocab import KGP, WIKIDATA
from queries.records.shards import WHOLE, Shard
from queries.templates.library import versioned


@dataclass(frozen=True)
class Options:
    """How to generate: `n` facts at most, of which `train` go to a part of their own, by what hash.

    `domains` and `wordings` are files of the user's; `popularity` (id, popularity) and `articles` (id, text) are frames;
    the popularity "pagerank" is computed of the graph's facts; `writer` words the properties instead of `wordings`, where its
    words hold; of a `shard` the items of its groups are made. One answer has at most the share `commonest` of a property.
    """

    n: int = 20_000
    seed: int = 0
    train: int = 0
    domains: str | None = None
    wordings: str | None = None
    popularity: pl.DataFrame | Literal["pagerank"] | None = None
    popularity_name: str = "file"
    articles: pl.DataFrame | None = None
    writer: Writer | None = None
    shard: Shard = WHOLE
    commonest: float = 0.2


@dataclass(frozen=True)
class Result:
    """The items, those of the part to learn from, and what there is to say about how they came to be.

    `thinned` facts are left out for having the commonest answers; `owned` and `owned_train` say of each fact drawn for the two
    whether this shard makes its item.
    """

    items: pl.DataFrame
    train: pl.DataFrame
    facts: Facts
    wanted: int
    quartered: bool
    wordings: Wordings
    wanted_train: int = 0
    thinned: int = 0
    owned: Sequence[bool] = ()
    owned_train: Sequence[bool] = ()

    @property
    def short(self) -> bool:
        """Say whether there were fewer facts than wanted."""
        return len(self.owned) + len(self.owned_train) < self.wanted


def generate(graph: Graph, options: Options = Options()) -> Result:
    """Make the questions: a pure function of graph and options.

    Raises InputError where no fact of a worded property can be asked about.

    >>> from kg import open_graph
    >>> result = generate(open_graph(), Options(n=5))
    >>> result.items["task"].unique().to_list(), result.items.height
    (['open'], 5)
    """
    wordings = load_wordings(options.wordings)
    domains, people = domain_lists(options.domains), people_of_domains(options.domains)
    columns = GraphColumns.of(graph, options.seed)
    popularity = pagerank_of(columns) if isinstance(options.popularity, str) else options.popularity
    name = options.popularity if isinstance(options.popularity, str) else options.popularity_name
    sources = Sources(wordings, domains, people, popularity, name, options.articles)
    facts = facts_of(graph, columns, sources)
    if options.writer is not None:
        wordings = reworded(wordings, facts.eligible, options.writer)
        facts = facts_of(graph, columns, replace(sources, wordings=wordings))
    eligible = facts.eligible
    if eligible.is_empty():
        raise _nothing(facts)
    eligible = with_popularity(eligible)
    some = thinned(in_quarters(eligible), options.commonest)
    train, asked = split(some, options.n, options.train, _places(some["s"], options.seed))
    source = {**source_of(graph, options.seed), "popularity": facts.popularity}
    valid = "graph" if options.articles is None else "article"
    writer = None if options.writer is None else options.writer.name
    owned = [options.shard.owned(groups_of(part["s"])) for part in (asked, train)]
    own = [part.filter(pl.Series(here, dtype=pl.Boolean)) for part, here in zip((asked, train), owned, strict=True)]
    items = [items_of(part, source, valid=valid, writer=writer) for part in own]
    quartered = bool(eligible["quartered"].any())
    left = in_quarters(eligible).height - some.height
    return Result(items[0], items[1], facts, options.n, quartered, wordings, options.train, left, *owned)


def _places(subjects: pl.Series, seed: int) -> pl.Series:
    """Return the place of each subject between 0 and 1: which part it belongs to."""
    keys = mix(keys_of(seed, subjects.to_list()), word("factbench split"))
    return pl.Series(keys.astype(np.float64) / 2**64)


def _nothing(facts: Facts) -> InputError:
    if facts.rows.is_empty():
        problem, way_out = "no property of this graph has a wording", "word your own in a TOML file: --wordings FILE"
    else:
        why = "; ".join(f"{reason}: {count}" for reason, count in list(facts.left_out().items())[:3])
        problem, way_out = (
            f"none of {facts.rows.height} facts can be asked about ({why})",
            "see `kg stats`, --domains, --wordings",
        )
    return InputError(problem, way_out=way_out)


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


_EXAMPLES = 3
"""So many facts are told of each property; no wording may hold a value of them."""
_SLOT = re.compile(r"\{[^{}]*\}")
_ASKING = frozenset(
    ("which", "what", "when", "where", "whom", "whose", "with", "from", "into", "that", "have", "been", "does", "were", "name")
)
"""Words that say nothing about the kind of answer."""
_PARTS = ("day", "month", "year")
_SLOTS = {
    "{s}": "the subject, as: the Danube, Oslo, the film “Jaws”",
    "{kind}": "what the answer is, as: city and state",
    "{unit}": "the unit, as: square kilometres",
    "{year}": "the year that the question is about",
    "{is}": "is, or was of who has died",
    "{does}": "does, or did of who has died",
}


class _Case(NamedTuple):
    """What is worded at once: a property, for the subjects of one of its wordings, and to one precision of a date."""

    property: str
    which: int
    precision: str

    def own(self, wordings: Wordings) -> Wording:
        """Return the wording of the case."""
        wording = wordings.of(self.property)
        return wording.of[self.which - 1] if self.which else wording

    def texts(self, wordings: Wordings) -> dict[str, str]:
        """Return the rule's wordings by number."""
        return {str(i): text for i, text in enumerate(self.own(wordings).questions(self.precision or None), 1)}


def reworded(wordings: Wordings, facts: pl.DataFrame, writer: Writer) -> Wordings:
    """Have the properties of some facts worded by a model; what fails its checks keeps the rule's words.

    Parameters: `facts` has property, which, precision, said and value of what may be asked about.

    Raises ModelError where the model cannot be asked at all.
    """
    parts = facts.with_columns(pl.col("precision").fill_null("")).sort("property", "which", "precision", "key")
    groups = parts.group_by("property", "which", "precision", maintain_order=True)
    cases = {_Case(str(p), int(str(w)), str(each)): part.head(_EXAMPLES) for (p, w, each), part in groups}
    tasks = [_task(case, part, wordings) for case, part in cases.items()]
    properties = dict(wordings.properties)
    for case, task, worded in zip(cases, tasks, writer.word(tasks), strict=True):
        written = {name: worded.texts[name] for name in sorted(worded.written)}
        properties[case.property] = _with(properties[case.property], case, _distinct(written, task.texts))
    return Wordings(properties)


def _task(case: _Case, part: pl.DataFrame, wordings: Wordings) -> WordingTask:
    own, texts = case.own(wordings), case.texts(wordings)
    about = {"asks for": own.label, "answer": f"{own.type}, to the {case.precision}" if case.precision else own.type}
    slots = {slot: says for slot, says in _SLOTS.items() if any(slot in text for text in texts.values())}
    subjects = {"subjects": ", ".join(own.concepts[:4])} if own.concepts else {}
    examples = [{"s": said, "answer": value} for said, value in part.select("said", "value").iter_rows()]
    name = " ".join(filter(None, (case.property, str(case.which or ""), case.precision)))
    return WordingTask(name, texts, about | subjects | slots, examples, list(_kept(own, texts)))


def _kept(own: Wording, texts: Mapping[str, str]) -> Iterator[str]:
    """Name the words that say what is wanted: the parts of a date, else what all wordings share."""
    words = [set(re.findall(r"[a-z]+", _SLOT.sub(" ", text).lower())) for text in texts.values()]
    shared = set.intersection(*words)
    if own.type == "date":
        yield from (part for part in _PARTS if part in shared)
    else:
        yield from sorted(word for word in shared - _ASKING if len(word) > 3)


def _distinct(written: Mapping[str, str], rule: Mapping[str, str]) -> dict[int, str]:
    """Return the texts by place; one that says the same as another wording of the property leaves the rule's there."""
    kept: dict[int, str] = {}
    for name, text in written.items():
        others = {*kept.values(), *(rule[each] for each in rule if each != name and each not in written)}
        if text != rule[name] and text not in others:
            kept[int(name) - 1] = text
    return kept


def _with(wording: Wording, case: _Case, texts: Mapping[int, str]) -> Wording:
    """Put texts into a property's wording, or into one of its others."""
    if case.which:
        others = list(wording.of)
        others[case.which - 1] = _with(others[case.which - 1], case._replace(which=0), texts)
        return replace(wording, of=tuple(others))
    return replace(wording, written={**wording.written, case.precision: dict(texts)})


_QUARTER = 0.25

_EVEN = 1.5
"""Of a property with few answers one may have so many times its even share."""

_ONE = 0.75
"""So much of a property with two answers may have one of them; a property with one answer asks little."""


def with_popularity(facts: pl.DataFrame) -> pl.DataFrame:
    """Add `stratum`: top or bottom for the most and the least popular quarter of each domain's facts, else null.

    The quarters are of what has a known popularity. Where all of that is equally popular, or there is none, there are no
    quarters, and `quartered` is false.
    """
    value = pl.col("popularity")
    known = facts.sort("domain", "popularity", "key", nulls_last=True)
    rank = (pl.int_range(pl.len()).over("domain") + 0.5) / value.count().over("domain")
    ranked = known.with_columns(bottom=rank <= _QUARTER, top=(rank > 1 - _QUARTER) & (rank < 1))
    low, high = value.filter("bottom").max().over("domain"), value.filter("top").min().over("domain")
    ranked = ranked.with_columns(quartered=(low < high).fill_null(False))
    # A popularity that reaches into both quarters tells nothing; who has it is in neither.
    stratum = pl.when("quartered").then(pl.when("top").then(pl.lit("top")).when("bottom").then(pl.lit("bottom")))
    return ranked.with_columns(stratum=stratum).drop("top", "bottom").sort("key")


def in_quarters(facts: pl.DataFrame) -> pl.DataFrame:
    """Keep what is in a quarter, or of a domain that has none."""
    return facts.filter(pl.col("stratum").is_not_null() | ~pl.col("quartered"))


def thinned(facts: pl.DataFrame, commonest: float) -> pl.DataFrame:
    """Leave out what has the commonest answers of its property, so that who always gives one answer is seldom right.

    Afterwards an answer has at most the share `commonest` of the facts of its property; or half again its even share, where the
    property has few answers; or two facts, where that is less. Which stay is drawn by hash, the domains' quarters in turn.

    Parameters: `facts` as for `draw`. Returns the facts that stay, in their order.

    >>> facts = pl.DataFrame({"domain": "sports", "property": "P641", "stratum": "top", "key": range(8),
    ...     "value": ["football"] * 6 + ["tennis", "golf"]})
    >>> thinned(facts, 0.2)["value"].to_list()
    ['football', 'football', 'tennis', 'golf']
    """
    counts = facts.group_by("property", "value").len().group_by("property").agg("len")
    most = counts.with_columns(most=pl.col("len").map_elements(lambda some: _most(some, commonest), pl.Int64)).drop("len")
    turn = pl.int_range(pl.len()).over("domain", "stratum", "property", "value")
    again = pl.int_range(pl.len()).over("property", "value")
    ranked = facts.with_row_index("row").sort("key").with_columns(turn=turn).sort("turn", "key").with_columns(again=again)
    kept = ranked.join(most, on="property").filter(pl.col("again") < pl.col("most"))
    return kept.sort("row").select(facts.columns)


def _most(counts: Sequence[int], commonest: float) -> int:
    """Return how many facts an answer may have, given how many each answer of its property has."""
    sizes = np.array(counts)
    share = max(commonest, min(_EVEN / len(sizes), _ONE))
    least, most = 2, max(2, int(sizes.max()))
    while least < most:
        middle = (least + most + 1) // 2
        within = middle <= share * np.minimum(sizes, middle).sum()
        least, most = (middle, most) if within else (least, middle - 1)
    return least


def draw(facts: pl.DataFrame, n: int) -> pl.DataFrame:
    """Draw up to `n` facts, in an order of which any prefix has the mix of the whole.

    Parameters: `facts` has domain, property, value, stratum, quartered and key.
    """
    asked = in_quarters(facts)
    if asked.is_empty():
        return asked
    # Of facts with one answer the second comes after the first of all others: who always says "United States" gains little.
    asked = asked.sort("key").with_columns(again=pl.int_range(pl.len()).over("domain", "stratum", "property", "value"))
    asked = asked.sort("again", "key").with_columns(turn=pl.int_range(pl.len()).over("domain", "stratum", "property"))
    asked = asked.sort("turn", "key").with_columns(place=pl.int_range(pl.len()).over("domain", "stratum"))
    quotas = _quotas(asked, n)
    drawn = asked.join(quotas, on=["domain", "stratum"], nulls_equal=True).filter(pl.col("place") < pl.col("quota"))
    # Within a cell in the order of the hash: the turns above would put rare properties first.
    drawn = drawn.sort("key").with_columns(at=(pl.int_range(pl.len()).over("domain", "stratum") + 0.5) / pl.col("quota"))
    return drawn.sort("at", "domain", "stratum").drop("again", "turn", "place", "quota", "at")


def _quotas(asked: pl.DataFrame, n: int) -> pl.DataFrame:
    """Share `n` among the domains, and each domain's share between its two quarters."""
    cells = asked.group_by("domain", "stratum").len().sort("domain", "stratum")
    domains = cells.group_by("domain", maintain_order=True).agg(pl.col("len").sum())
    domains = domains.with_columns(share=pl.Series(shares(n, domains["len"].to_list())))
    parts = []
    for (name,), part in cells.group_by("domain", maintain_order=True):
        share = int(domains.filter(pl.col("domain") == name)["share"].item())
        parts.append(part.with_columns(quota=pl.Series(shares(share, part["len"].to_list()))))
    return pl.concat(parts).select("domain", "stratum", "quota")


def shares(n: int, sizes: Sequence[int]) -> Ints:
    """Share `n` evenly among cells of some sizes; what a cell does not have the others get.

    >>> shares(7, [10, 10]).tolist(), shares(100, [3, 4]).tolist()
    ([4, 3], [3, 4])
    """
    size = np.array(sizes, np.int64)
    given = np.zeros(len(size), np.int64)
    while (left := min(n, int(size.sum())) - int(given.sum())) > 0:
        open_ = np.flatnonzero(given < size)
        each, rest = divmod(left, len(open_))
        wanted = np.full(len(open_), each)
        wanted[:rest] += 1
        given[open_] = np.minimum(size[open_], given[open_] + wanted)
    return given


def split(facts: pl.DataFrame, n: int, train: int, part_of: pl.Series) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Draw `n` facts in two parts that share no subject: `train` to learn from, the others to be evaluated on.

    Parameters: `part_of` is the place of each fact's subject between 0 and 1, by hash. With fewer facts than `n` both parts are
    short in proportion.
    """
    if not train:
        return facts.clear(), draw(facts, n)
    share = train / n
    learned, asked = facts.filter(part_of < share), facts.filter(part_of >= share)
    return draw(learned, train), draw(asked, n - train)
