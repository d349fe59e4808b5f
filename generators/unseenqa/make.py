"""Unseen questions: twenty templates on events to come and on people who do not exist, 150 fillers each.

Source: Zheng et al.: How Reliable are LLMs as Knowledge Bases? (2024), section 3.2 and table 1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import count, islice

import numpy as np
import polars as pl
from pyoxigraph import Literal

from generators.draw import keys_of, mix, word
from generators.items import Value, assemble, listed, proved, short_hashes, source_of, stated
from generators.unseenqa.occasions import Occasion, named_occasion, occasion
from generators.unseenqa.templates import Filler, Fillers, Template, load_fillers, load_templates
from kg.errors import InputError, nearest
from kg.graph import Graph
from kg.text import fold, fold_all
from queries.templates import find, versioned

METHOD = "unseenqa"
STRATA: dict[str, Value | None] = dict.fromkeys(("domain", "property", "answer_type", "popularity", "seen"))
"""What the report slices short answers by."""
_TEMPLATES = 20
_SPARE = 2 * _TEMPLATES
"""So many fillers more than a template asks about: each template's exemplars take two of them (appendix D: 40)."""


@dataclass(frozen=True)
class Options:
    """How to generate: `fillers` of each template, by what hash, as of which day, with events other than the next ones.

    `events` says by template which edition or year it asks about; `templates` is a file of templates.
    """

    as_of: date
    seed: int = 0
    fillers: int = 150
    events: Mapping[str, str] = field(default_factory=dict)
    templates: str | None = None


@dataclass(frozen=True)
class Result:
    """The items, those held back for exemplars, when each template's event takes place, and what there is to say.

    `known_names` counts the names that were passed over because something in the graph bears them; `short` the templates
    that have fewer fillers than asked for, each with how many. `aliases` tells whether the graph has any.
    """

    items: pl.DataFrame
    spare: pl.DataFrame
    occasions: dict[str, Occasion]
    known_names: int
    short: dict[str, int]
    aliases: bool


def generate(graph: Graph, options: Options) -> Result:
    """Make the unseen questions: a pure function of graph and options.

    Raises InputError where an event has come to pass, or there is no such template.

    >>> from kg import open_graph
    >>> result = generate(open_graph(), Options(date(2024, 4, 13)))
    >>> result.items.height, result.occasions["gold-medals"].name
    (3000, 'XXXIV')
    """
    templates = load_templates(options.templates)
    occasions = occasions_of(templates, options)
    labels, aliases = (graph.select(find(view).bind()) for view in ("labels", "aliases"))
    fillers = load_fillers()
    people = NamesUnborne(fillers, options.seed, _folded(labels["label"], aliases["alias"]))
    drawn: dict[Filler, list[str]] = {
        "countries": by_hash(fillers.countries, options.seed, "countries"),
        "medal_events": by_hash(fillers.medal_events, options.seed, "medal_events"),
        "people": people.take(options.fillers + _SPARE),
    }
    turns = enumerate(templates.items())
    rows = pl.concat([_rows(turn, name, each, drawn[each.filler], occasions.get(name)) for turn, (name, each) in turns])
    # The first filler of every template, then the second of each: any prefix has the same mix.
    ordered = rows.sort("place", "turn", maintain_order=True)
    # Two of each template, on others each time.
    held_back = (pl.col("place").cast(pl.Int64) - options.fillers).floordiv(2)
    source = source_of(graph, options.seed) | {"as_of": str(options.as_of)}
    counts = rows.group_by("family", maintain_order=True).len()
    return Result(
        items=_items(ordered.filter(pl.col("place") < options.fillers), source),
        spare=_items(ordered.filter(held_back == pl.col("turn") % _TEMPLATES), source),
        occasions=occasions,
        known_names=people.known,
        short={name: n for name, n in counts.iter_rows() if n < options.fillers},
        aliases=aliases.height > 0,
    )


def occasions_of(templates: Mapping[str, Template], options: Options) -> dict[str, Occasion]:
    """Return the edition or the year of each template that has an event.

    Raises InputError where `events` names no such template, or an event that has come to pass.
    """
    dated = {name: template.event for name, template in templates.items() if template.event is not None}
    for name in options.events:
        if name not in dated:
            problem = f"'{name}' is no template on an event to come"
            raise InputError(problem, place="--event", way_out=nearest(name, dated))
    return {
        name: named_occasion(kind, options.events[name], options.as_of, f"--event {name}")
        if name in options.events
        else occasion(kind, templates[name].lead, options.as_of)
        for name, kind in dated.items()
    }


def names_of(graph: Graph) -> frozenset[str]:
    """Return every name that something in a graph bears, label or alias, folded."""
    labels, aliases = (graph.select(find(view).bind()) for view in ("labels", "aliases"))
    return _folded(labels["label"], aliases["alias"])


def _folded(*names: pl.Series) -> frozenset[str]:
    return frozenset(fold_all(pl.concat(names)).drop_nulls().unique())


def _rows(turn: int, name: str, template: Template, fillers: list[str], at: Occasion | None) -> pl.DataFrame:
    """Return the fillers of one template with their questions; `place` is the filler's, `turn` the template's."""
    when = at.name if at is not None else ""
    year = None if at is None else at.year
    questions = [template.filled(filler, when, year) for filler in fillers]
    rows = pl.DataFrame({"filler": fillers, "question": questions}, schema={"filler": pl.String, "question": pl.String})
    return rows.with_row_index("place").with_columns(
        turn=pl.lit(turn),
        family=pl.lit(name),
        occasion=pl.lit(when),
        begins=pl.lit(str(at.begins) if at is not None else None, pl.String),
        type=pl.lit(template.type),
        answer_type=pl.lit(template.answer_type),
        of_people=pl.lit(template.filler == "people"),
    )


def _items(rows: pl.DataFrame, source: Mapping[str, str]) -> pl.DataFrame:
    """Make the items of the rows, in their order; those on people carry the proof that nobody bears the name."""
    parts = rows.with_row_index("row").partition_by("of_people", maintain_order=True)
    made = [_part(part, source).with_columns(part["row"]) for part in parts]
    return pl.concat(made).sort("row").drop("row")


def _part(rows: pl.DataFrame, source: Mapping[str, str]) -> pl.DataFrame:
    slots = {"subject": pl.col("filler")}
    proof: dict[str, pl.Series] = {}
    if rows["of_people"].any():
        proof["proof"] = listed([_unborne(rows, language) for language in (None, *_languages(source))])
    else:
        slots["occasion"] = pl.col("occasion")
    return assemble(
        rows,
        bindings=["filler", "occasion"],
        strata=STRATA | {"seen": "no", "answer_type": pl.col("answer_type")},
        source={**source, "begins": pl.col("begins"), "subject": pl.lit(None, pl.String)},
        method=METHOD,
        family=pl.col("family"),
        task="open",
        variant="unseen",
        question=pl.col("question"),
        answer_type=pl.col("type"),
        given=stated(rows, slots),
        group=pl.format("unseenqa.{}", short_hashes(rows["filler"])),
        **proof,
    )


def _languages(source: Mapping[str, str]) -> dict[str, None]:
    """Return the tags that names have: English ones, and those of the languages that the graph's names are in."""
    return dict.fromkeys(["en", *filter(None, source.get("languages", "").split(","))])


def _unborne(rows: pl.DataFrame, language: str | None) -> pl.Series:
    """Prove that nothing has the name as its label or alias, in a language or in none."""
    terms = pl.Series([str(Literal(name, language=language)) for name in rows["filler"]], dtype=pl.String)
    nobody = pl.lit([], pl.List(pl.List(pl.String)))
    return proved(rows, versioned("bearers"), {"name": pl.lit(terms)}, None, nobody)


def by_hash(names: Sequence[str], seed: int, what: str) -> list[str]:
    """Return names in the order of a ring under a seed.

    >>> sorted(by_hash(["a", "b"], 0, "letters"))
    ['a', 'b']
    """
    order = np.argsort(mix(keys_of(seed, names), word(what)), kind="stable")
    return [names[i] for i in order]


class NamesUnborne:
    """Draws names; `known` counts those that were passed over because the graph has them.

    >>> from generators.unseenqa.templates import load_fillers
    >>> names = NamesUnborne(load_fillers(), seed=0, borne=set())
    >>> len(names.take(150)), names.known
    (150, 0)
    """

    def __init__(self, fillers: Fillers, seed: int, borne: Collection[str]) -> None:
        parts = (fillers.first, fillers.middle, fillers.last)
        self._parts = [by_hash(names, seed, f"name {i}") for i, names in enumerate(parts)]
        self._borne, self.known = borne, 0

    def take(self, n: int) -> list[str]:
        """Return the first `n` names; every part comes about equally often."""
        self.known = 0
        return list(islice(filter(self._is_unborne, self._names()), n))

    def _names(self) -> Iterator[str]:
        # Each part walks its own ring; with every round they move against each other, so that no name comes twice.
        rounds = len(self._parts[0])
        for k in count():
            yield " ".join(part[(k + i * (k // rounds)) % len(part)] for i, part in enumerate(self._parts))

    def _is_unborne(self, name: str) -> bool:
        first, middle, last = name.split(" ", 2)
        borne = any(fold(each) in self._borne for each in (name, f"{first} {last}", f"{first} {middle}"))
        self.known += borne
        return not borne
