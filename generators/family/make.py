"""Questions from any family a user writes: a SELECT, what determines what, and the wordings (ERBench, any database).

The facts are gathered part by part, in the order in which they are written. Of one part everything stays in memory; of several
they lie in files, and what stays is what the drawing of false statements and claims needs of all rows. Every question carries
the queries that prove it, and `kg audit` runs them.

Source: Oh, Kim, Seo, Wang, Chen, Xie, Whang: ERBench: An Entity-Relationship based Automatically Verifiable Hallucination
Benchmark for Large Language Models (2024).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl

from generators.draw import Keys, keys_of
from generators.family.columns import DRAW, GROUP, KEY, ROW_KEY, aliases, norm, term
from generators.family.distractors import Distractors
from generators.family.draws import Claims, FalseStatements, draw_for, drawn_slots
from generators.family.exemplars import entity_of, exemplars_of
from generators.family.facts import Facts, Grounding, Roles, facts_of, roles_of
from generators.family.items import NONE_SHARE, ItemMaker
from generators.family.passages import passages_of
from generators.family.proofs import Citation
from generators.family.query import absent_names, check_base, renamed, rows_query
from generators.family.results import ItemCounts, Result, Slice
from generators.family.rows import EntityNames, RowParts, Rows, group_names, row_keys
from generators.family.wording import placeholders, wording
from generators.items import source_of
from kg.errors import InputError
from kg.files import Folder, aside
from kg.graph import Graph
from queries.records.exemplar import Exemplar
from queries.records.passage import Passage
from queries.records.shards import WHOLE, Shard
from queries.templates import Choice, Template

Bar = Callable[[Sequence[Template]], Iterable[Template]]

_SLICE = 5_000
"""Of how many facts the items are made at a time."""


@dataclass(frozen=True)
class Options:
    """How to generate: `n` facts of each family at most, by what hash, and for a choice how often "None of the above" is right.

    Several shares make the items of a choice once for each, told apart by the stratum `none_share`; all of them end in "None of
    the above". `relations` renames tables of the families; `inline` puts the SPARQL itself into every proof; `exemplars` holds
    back facts to demonstrate answers with; `passages` adds background on the facts asked; `writers` names by family who worded
    it, where that was a model; `open_book` gives each short question its row among others as a passage (task `context`); of a
    `shard` the items of its groups are made.
    """

    n: int | None = None
    seed: int = 0
    none_share: float | tuple[float, ...] = 0.0
    relations: dict[str, str] = field(default_factory=dict)
    inline: bool = False
    exemplars: bool = False
    passages: bool = False
    writers: dict[str, str] = field(default_factory=dict)
    open_book: bool = False
    shard: Shard = WHOLE

    @property
    def shares(self) -> tuple[float, ...]:
        """The shares of "None of the above", one after the other."""
        return self.none_share if isinstance(self.none_share, tuple) else (self.none_share,)


def generate(graph: Graph, template: Template, options: Options = Options(), strata: Sequence[str] = ()) -> Result:
    """Make the items of a family: a pure function of graph, family and options.

    `strata` are further names that the items' strata have (null), for several families in one file.
    Raises InputError where the template asks nothing, or asks what cannot be made of rows.

    >>> from kg import open_graph
    >>> from queries import parse
    >>> capitals = parse('''
    ... #+ name: capital
    ... #+ summary: The capital of a country
    ... #+ method: mine
    ... #+ domain: geography
    ... #+ task: open
    ... #+ key: [country]
    ... #+ answer: capital
    ... #+ question: {basic: "What is the capital of {country:the}?"}
    ... SELECT ?country ?capital { ?country <country#ref-capital> ?capital }
    ... '''.lstrip())
    >>> generate(open_graph(), capitals, Options(n=1)).items.select("question", "answer").row(0)
    ('What is the capital of Italy?', ['Rome'])
    """
    family = _Family(graph, template, options, _RowsBefore(graph))
    return _result(family, strata, exemplars_of(next(iter(family))) if options.exemplars else ())


def generate_all(
    graph: Graph, templates: Sequence[Template], options: Options, strata: Sequence[str] = (), bar: Bar = iter
) -> Iterator[Result]:
    """Make the items of several families for one file, one after the other; what one of them demonstrates, none of them asks.

    `strata` are further names that all items' strata have; `bar` goes along with the families, to show how far it is.
    """
    names = [*_strata_names(templates, sweep=len(options.shares) > 1), *strata]
    seen: set[tuple[str | None, str]] = set()
    for template in templates:
        _checked(renamed(template, options.relations))
        if (called := (template.front.method, template.name)) in seen:
            problem = f"there is another family '{template.name}' of this method, and items of one name must be told apart"
            raise InputError(problem, place=template.path, way_out="name each family once, or rename one (`#+ name:`)")
        seen.add(called)
    before = _RowsBefore(graph)
    # All families show before the first one asks: what is held back depends on them all.
    shown, held_back = [list[Exemplar]() for _ in templates], set[str]()
    for at, template in enumerate(templates if options.exemplars else ()):
        shown[at] = exemplars_of(next(iter(_Family(graph, template, options, before))), held_back)
        held_back |= {entity for exemplar in shown[at] if (entity := exemplar.source["row"])}
    for template, exemplars in zip(bar(templates), shown, strict=True):
        yield _result(_Family(graph, template, options, before), names, exemplars, held_back)


class _RowsBefore:
    """The rows and facts of the family before, for one that asks the same SELECT in another form."""

    def __init__(self, graph: Graph) -> None:
        self.names = EntityNames(graph)
        self._asked: tuple[object, ...] = ()
        self._parts: RowParts | None = None
        self._facts: list[tuple[Roles, Facts]] = []

    def parts(self, graph: Graph, template: Template, seed: int) -> RowParts:
        """Return the rows of a family. Those of a large query are dealt out by the family's own hash, and never shared."""
        asked = (
            rows_query(template, graph.base),
            template.slots,
            template.front.key,
            template.front.image,
            template.front.slots,
            seed,
        )
        if self._parts is None or self._parts.several or asked != self._asked:
            self._asked, self._parts, self._facts = asked, RowParts(graph, template, seed, self.names), []
        return self._parts

    def facts(self, parts: RowParts, rows: Rows, roles: Roles) -> Facts:
        """Return the facts of rows, which are all rows where there is one part."""
        if parts.several or parts is not self._parts:
            return facts_of(rows, roles)
        known = next((facts for known, facts in self._facts if known == roles), None)
        if known is None:
            self._facts.append((roles, known := facts_of(rows, roles)))
        return replace(known, left_out=dict(known.left_out))


class _Family:
    """A family on a graph: its rows, part by part, with the facts that can be asked about."""

    def __init__(self, graph: Graph, template: Template, options: Options, before: _RowsBefore) -> None:
        self.graph = graph
        self.template = _checked(renamed(template, options.relations))
        check_base(graph, self.template)
        writer = options.writers.get(template.name)
        self.options, self._source = options, source_of(graph, options.seed) | ({"writer": writer} if writer else {})
        self._before, self._parts = before, before.parts(graph, self.template, options.seed)
        front = self.template.front
        self._distractors = Distractors(self.template, graph, before.names) if front.distractors else None
        # Exemplars are drawn among all facts, and what settles an answer is learned from all of them.
        self._as_one = options.exemplars or options.passages
        self.several = self._parts.several and not self._as_one

    def __iter__(self) -> Iterator[Grounding]:
        front, citation = self.template.front, Citation(self.template, inline=self.options.inline)
        roles = roles_of(front, placeholders(front))
        for rows in [self._parts.whole()] if self._as_one else self._parts:
            facts = self._before.facts(self._parts, rows, roles)
            facts.frame = facts.frame.with_columns(group_names(front, facts.frame))
            seed, shares = self.options.seed, self.options.shares
            yield Grounding(citation, rows, facts, roles.options, self._source, seed, max(shares), self._distractors)


def _result(family: _Family, strata: Sequence[str], shown: Sequence[Exemplar] = (), held_back: Collection[str] = ()) -> Result:
    """Make the items of a family, but of the facts that are shown, and of those about entities that are held back."""
    options, unasked, passages = family.options, 0, list[Passage]()
    names = _strata_names([family.template], strata, sweep=len(options.shares) > 1)
    asked_facts = AskedFacts(options.n, options.seed, family.several)
    for grounding in family:
        facts = grounding.facts.frame
        kept = pl.col(GROUP).is_in([exemplar.group for exemplar in shown]) | entity_of(grounding).is_in(list(held_back))
        free = facts.filter(~kept) if shown or held_back else facts
        unasked += facts.height - free.height
        asked = asked_facts.add(grounding, free)
        if options.passages:
            passages = passages_of(family.graph, replace(grounding, facts=replace(grounding.facts, frame=free)), asked)
    return Result(
        template=family.template,
        rows=asked_facts.rows,
        absent=[] if asked_facts.rows else absent_names(family.graph, family.template),
        askable=asked_facts.askable,
        facts=asked_facts.height,
        left_out=asked_facts.left_out,
        exemplars=list(shown),
        passages=passages,
        counts=ItemCounts(unfilled={"kept for exemplars": unasked} if shown or held_back else {}),
        shard=options.shard,
        _make=_item_slices(asked_facts, names, options),
    )


def _item_slices(asked: AskedFacts, strata: Sequence[str], options: Options) -> Callable[[ItemCounts], Iterator[Slice]]:
    """Draw what the facts need that depends on all rows; return what makes their items, which keeps the facts only."""
    choice = asked.grounding.front.task == "choice"
    drawn, shard = asked.drawn(options.shares if choice else options.shares[:1]), options.shard

    def make(counts: ItemCounts) -> Iterator[Slice]:
        first = 0
        for facts in asked.slices(_SLICE):
            owned = pl.Series(shard.owned(facts[GROUP].to_list()), dtype=pl.Boolean)
            at = owned.arg_true().cast(pl.Int64).to_numpy() + first
            for turn, (share, own) in enumerate(drawn):
                grounding = replace(asked.grounding, none_share=share)
                maker = ItemMaker(grounding, strata, probes=not turn, open_book=options.open_book)
                items = maker.items(facts.filter(owned), own.at(at) if own is not None else None)
                yield Slice(items, _sizes(maker, owned))
                counts.add_unfilled(maker.left_out)
            first += facts.height

    return make


def _sizes(maker: ItemMaker, owned: pl.Series) -> list[int | None]:
    """Return how many items each fact has, null for those of another shard."""
    sizes = iter(maker.sizes)
    return [next(sizes) if own else None for own in owned]


def _strata_names(families: Sequence[Template], more: Sequence[str] = (), *, sweep: bool = False) -> list[str]:
    """The names that strata have in a file of several families: each record has all of them."""
    own = [slot for family in families for slot in family.front.strata]
    distance = ["distractor"] if any(family.front.task == "choice" for family in families) else []
    distance += [NONE_SHARE] if sweep and distance else []
    return list(dict.fromkeys(["domain", "hops", *distance, *own, *more]))


# --- what cannot be asked


def _checked(template: Template) -> Template:
    """Refuse what cannot be asked of rows."""
    front = template.front
    if not front.is_family:
        raise InputError("asks nothing", place=template.path, way_out="add the keys of a family (queries/README.md)")
    if template.form != "select":
        raise InputError("a family is a SELECT", place=template.path, way_out="project what the questions say")
    if front.task == "context":
        raise InputError("rows make no passage, which task 'context' needs", place=template.path, way_out="take open or yes_no")
    if front.claim and front.claim.slot in front.many and (front.claim.test != "=" or front.claim.step):
        problem = f"a claim compares '{front.claim.slot}', which may have several values"
        raise InputError(problem, place=template.path, way_out="take the slot out of `many`")
    if front.claim and front.claim.slot in front.key:
        problem = f"a claim about '{front.claim.slot}', which the question states"
        raise InputError(problem, place=template.path, way_out="claim something of a slot that is not in `key`")
    if front.image and front.image in placeholders(front):
        problem = f"the text states '{front.image}', whose value is a picture"
        raise InputError(problem, place=template.path, way_out="speak of the picture instead, or drop `image`")
    _check_stated(template)
    _check_options(template)
    _check_lasting(template)
    return template


_FLEETING = frozenset({"RAND", "NOW", "UUID", "STRUUID", "BNODE"})


def _check_lasting(template: Template) -> None:
    """Refuse what gives another value each time: no proof of it would hold."""
    for token, then in pairwise(template.shape.tokens):
        if token.word in _FLEETING and then.text == "(":
            place = f"{template.path}:{token.line}"
            raise InputError(f"{token.word}() gives another value each time", place=place, way_out="take it out")


def _check_stated(template: Template) -> None:
    front = template.front
    for variant, text in (front.question or {}).items():
        stated = {front.image, *wording(text.stem if isinstance(text, Choice) else text).slots}
        if unstated := [slot for slot in front.key if slot not in stated]:
            problem = f"the question '{variant}' does not state '{unstated[0]}', a slot of the key"
            raise InputError(problem, place=template.path, way_out=f"write {{{unstated[0]}}} into it")


def _check_options(template: Template) -> None:
    choices = [text for text in (template.front.question or {}).values() if isinstance(text, Choice)]
    if any(set(c.options) != set(choices[0].options) for c in choices):
        raise InputError(
            "the variants have options of different slots", place=template.path, way_out="give all of them the same"
        )
    if stated := [slot for choice in choices for slot in choice.options if slot in template.front.key]:
        problem = f"an option says '{stated[0]}', which the question states"
        raise InputError(problem, place=template.path, way_out="make options of slots that are not in `key`")
    if choices and len(choices[0].options) < 2:
        raise InputError("a choice of one option", place=template.path, way_out="add an option for another slot")


@dataclass
class AskedFacts:
    """Facts drawn by the hash of their group, `wanted` at most; the parts come in the order of the hash.

    `several` tells that more than one part is to come. Of all parts, `rows` counts the rows, `askable` the facts that can be
    asked about, `height` those that are, and `left_out` rows, by reason.
    """

    wanted: int | None
    seed: int
    several: bool
    rows: int = 0
    askable: int = 0
    height: int = 0
    left_out: dict[str, int] = field(default_factory=dict)
    _grounding: Grounding | None = None
    _folder: Folder | None = None
    _facts: list[pl.DataFrame | Path] = field(default_factory=list)
    _keys: list[Keys] = field(default_factory=list)
    _pool: list[pl.DataFrame] = field(default_factory=list)
    _drawn_for: list[pl.DataFrame] = field(default_factory=list)
    _values: list[pl.DataFrame] = field(default_factory=list)

    def add(self, grounding: Grounding, free: pl.DataFrame) -> pl.DataFrame:
        """Draw among the facts of the next part (`free`, those that may be asked); return the drawn ones with their proofs."""
        first, self._grounding = self.rows, self._grounding or _without_data(grounding)
        self.rows += grounding.rows.frame.height
        self.askable += grounding.facts.frame.height
        for reason, n in grounding.facts.left_out.items():
            self.left_out[reason] = self.left_out.get(reason, 0) + n
        asked, keys = self._draw(free)
        self.height += asked.height
        self._keep_for_drawing(grounding, asked, keys, first)
        proved = grounding.with_proved_rows(asked)
        self._facts.append(self._filed(proved) if self.several else proved)
        return proved

    def _draw(self, free: pl.DataFrame) -> tuple[pl.DataFrame, Keys]:
        """Draw facts by the hash of their group."""
        left = free.height if self.wanted is None else self.wanted - self.height
        free = free if left else free.clear()
        hashes = pl.Series(DRAW, keys_of(self.seed, free[GROUP].to_list()))
        asked = free.with_columns(hashes).sort(DRAW, GROUP).head(left)
        return asked.drop(DRAW), asked[DRAW].to_numpy()

    def _keep_for_drawing(self, grounding: Grounding, asked: pl.DataFrame, keys: Keys, first: int) -> None:
        """Keep what the drawing of false statements and claims needs; `first` rows came before."""
        slots = drawn_slots(grounding)
        if not slots:
            return
        self._keys.append(keys)
        rows, values = grounding.rows.frame, grounding.facts.values
        if not self.several:
            self._pool, self._drawn_for, self._values = [rows], [asked], [values]
            return
        columns = [column for slot in slots for column in (slot, term(slot), norm(slot), aliases(slot))]
        # The hash of a row is of all its columns: it is taken while they are there.
        self._pool.append(rows.select(columns).with_columns(pl.Series(ROW_KEY, row_keys(rows, self.seed))))
        number = (pl.col(KEY).cast(pl.UInt64) + first).alias(KEY)  # every part numbers its keys from 0 on
        own = values.filter(pl.col("slot").is_in(slots)).join(asked.select(KEY), on=KEY, how="semi")
        self._drawn_for.append(asked.select(KEY, *columns).with_columns(number))
        self._values.append(own.with_columns(number))

    def _filed(self, facts: pl.DataFrame) -> Path:
        self._folder = self._folder or Folder()
        path = self._folder.path / f"{len(self._facts)}.arrow"
        with aside():
            facts.write_ipc(path)
        return path

    @property
    def grounding(self) -> Grounding:
        """The family's grounding without any rows or facts."""
        assert self._grounding is not None, "a query has one part at least"
        return self._grounding

    def drawn(self, shares: Sequence[float]) -> list[tuple[float, FalseStatements | Claims | None]]:
        """Draw what all facts need that depends on all rows, and let go of the rows; None where they need nothing.

        It is drawn for each share of "None of the above", which comes with it.
        """
        if not self._pool:
            return [(share, None) for share in shares]
        facts = Facts(pl.concat(self._drawn_for), pl.concat(self._values))
        rows = replace(self.grounding.rows, frame=pl.concat(self._pool))
        self._pool, self._drawn_for, self._values = [], [], []
        grounding, keys = replace(self.grounding, rows=rows, facts=facts), np.concatenate(self._keys)
        return [(share, draw_for(replace(grounding, none_share=share), keys)) for share in shares]

    def slices(self, size: int) -> Iterator[pl.DataFrame]:
        """Yield the facts in order, so many at a time; one slice at least."""
        for part in self._facts:
            facts = _read(part)
            for first in range(0, facts.height, size):
                yield facts[first : first + size]
        if not self.height:
            yield _read(self._facts[-1])


def _read(part: pl.DataFrame | Path) -> pl.DataFrame:
    return pl.read_ipc(part) if isinstance(part, Path) else part


def _without_data(grounding: Grounding) -> Grounding:
    """Let go of the rows and facts."""
    rows, facts = grounding.rows, grounding.facts
    empty = replace(facts, frame=facts.frame.clear(), values=facts.values.clear())
    return replace(grounding, rows=replace(rows, frame=rows.frame.clear()), facts=empty)
