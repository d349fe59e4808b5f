"""Which facts a family can ask about: the key must determine the answer, on what is said, row by row.

What breaks the dependency is left out, and counted by reason. NULL equals nothing, so a row without a value where one is
needed is left out as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from generators.family.columns import ASKED, KEY, PROVED, aliases, norm, others, term
from generators.family.distractors import Distractors
from generators.family.proofs import Citation
from generators.family.rows import Rows, normal_forms
from kg.terms import texts_of
from queries.templates import Choice, Front, Template


@dataclass(frozen=True)
class Roles:
    """What a family does with its slots.

    `key`: stated; `needed`: must have one value each; `many`: may have several; `optional`: those of them that may have
    none (the question is whether there is one); `options`: what a choice states.
    """

    key: list[str]
    needed: list[str]
    many: list[str]
    optional: list[str]
    options: list[str]


def roles_of(front: Front, placeholders: Sequence[str]) -> Roles:
    """Work out the roles of a family's slots; `placeholders` are those its texts mention."""
    options = list(dict.fromkeys(s for c in (front.question or {}).values() if isinstance(c, Choice) for s in c.options))
    hidden = front.rationale if front.rationale is not None else front.answers
    claimed = [front.claim.slot] if front.claim else []
    stated = [slot for slot in placeholders if not front.claim or slot != front.claim.value]
    truth = [front.holds] if front.holds else []
    picture = [front.image] if front.image else []
    wanted = dict.fromkeys([*hidden, *front.answers, *options, *claimed, *truth, *stated, *picture])
    many = [slot for slot in wanted if slot in front.many]
    optional = [slot for slot in many if front.holds and slot not in stated]
    key = list(front.key)
    needed = [slot for slot in wanted if slot not in key and slot not in many]
    return Roles(key, needed, [slot for slot in many if slot not in key], optional, options)


@dataclass
class Facts:
    """One row per fact: what is said by the key, with one value for each slot that has one.

    `frame` has the columns of the rows (a slot of several values has the first one, and the others among its other
    names) and `KEY`. `values` has every name of every value of a key: `KEY, slot, norm`. `left_out` counts rows, by reason.
    """

    frame: pl.DataFrame
    values: pl.DataFrame
    left_out: dict[str, int] = field(default_factory=dict)


def facts_of(rows: Rows, roles: Roles) -> Facts:
    """Keep the rows whose key determines what is needed, one row a fact."""
    complete, left_out = _with_values(rows.frame, roles)
    keyed = _keyed(complete, roles.key)
    dependent = _dependent(keyed, roles, left_out)
    unasked = dependent.group_by(KEY).agg(pl.col(ASKED).any()).filter(~pl.col(ASKED))
    if unasked.height:
        left_out["not among those to be asked (`ask`)"] = dependent.join(unasked, on=KEY, how="semi").height
    asked = dependent.join(unasked, on=KEY, how="anti", maintain_order="left")
    # Of the values take all rows: what an incomplete row says of a key is as true of it.
    values = _values(_keyed(rows.frame.drop_nulls([norm(slot) for slot in roles.key]), roles.key, keyed), roles)
    return Facts(_one_row_each(asked, roles), values, left_out)


def _with_values(frame: pl.DataFrame, roles: Roles) -> tuple[pl.DataFrame, dict[str, int]]:
    """Leave out the rows that lack a value where one is needed."""
    left_out = {}
    for slot in [*roles.key, *roles.needed, *(s for s in roles.many if s not in roles.optional)]:
        complete = frame.filter(pl.col(slot).is_not_null())
        if frame.height - complete.height:
            left_out[f"{slot} has no value"] = frame.height - complete.height
        frame = complete
    return frame, left_out


def _keyed(frame: pl.DataFrame, key: Sequence[str], like: pl.DataFrame | None = None) -> pl.DataFrame:
    """Number what is said by the key: in order of appearance, or as `like` numbers it (others go)."""
    norms = [norm(slot) for slot in key]
    numbers = (
        frame.select(norms).unique(maintain_order=True).with_row_index(KEY)
        if like is None
        else like.select(KEY, *norms).unique()
    )
    return frame.join(numbers, on=norms, maintain_order="left")


def _dependent(frame: pl.DataFrame, roles: Roles, left_out: dict[str, int]) -> pl.DataFrame:
    """Leave out the rows whose key has several values of one slot."""
    for slot in roles.needed:
        several = frame.group_by(KEY).agg(n=pl.col(norm(slot)).n_unique()).filter(pl.col("n") > 1)
        if several.height:
            dependent = frame.join(several, on=KEY, how="anti", maintain_order="left")
            verb = "does" if len(roles.key) == 1 else "do"
            left_out[f"{', '.join(roles.key)} {verb} not determine {slot}"] = frame.height - dependent.height
            frame = dependent
    return frame


def _values(keyed: pl.DataFrame, roles: Roles) -> pl.DataFrame:
    """Every name of every value that a key has: `KEY, slot, norm`."""
    empty = pl.DataFrame(schema={KEY: pl.UInt32, "slot": pl.String, "norm": pl.String})
    parts = [empty]
    for slot in dict.fromkeys([*(roles.options or roles.needed), *roles.many]):
        first = keyed.select(KEY, slot=pl.lit(slot), norm=norm(slot))
        further = keyed.select(KEY, slot=pl.lit(slot), norm=aliases(slot)).explode("norm", empty_as_null=True).drop_nulls()
        parts += [first, further.with_columns(normal_forms(further["norm"]).alias("norm"))]
    return pl.concat(parts).drop_nulls().unique()


def _one_row_each(frame: pl.DataFrame, roles: Roles) -> pl.DataFrame:
    """One row a key; a slot of several values keeps the first as its value and the others as other names."""
    facts = frame.group_by(KEY, maintain_order=True).first()
    for slot in roles.many:
        listed = frame.drop_nulls(slot).unique([KEY, slot], maintain_order=True)
        # Numbers stand in the order of their values, before all other texts.
        listed = listed.sort(KEY, pl.col(slot).cast(pl.Float64, strict=False), slot, nulls_last=True)
        values = listed.group_by(KEY, maintain_order=True).agg(
            pl.col(slot, term(slot), norm(slot)).first(),
            pl.col(slot).slice(1).alias(others(slot)),
            pl.col(aliases(slot)).explode(empty_as_null=True).drop_nulls(),
        )
        every = pl.col(others(slot)).list.concat(aliases(slot)).list.unique(maintain_order=True)
        values = values.with_columns(every.alias(aliases(slot)))
        own = [others(slot), slot, term(slot), norm(slot), aliases(slot)]
        facts = facts.drop(own[1:]).join(values.select(KEY, *own), on=KEY, how="left").sort(KEY)
    return facts


def with_proved_rows(facts: pl.DataFrame, rows: pl.DataFrame, key: Sequence[str], columns: Sequence[str]) -> pl.DataFrame:
    """Add to facts (`PROVED`) what the query returns for the terms of their keys: a set of rows of plain texts.

    `rows` are all rows, `columns` the slots that a proof's rows hold. Lists take memory: it is done for facts that are asked.
    """
    terms = [term(slot) for slot in key]
    own = rows.join(facts.select(terms), on=terms, how="semi", maintain_order="left")
    plain = pl.DataFrame([texts_of(own[term(slot)]).fill_null("").alias(str(i)) for i, slot in enumerate(columns)])
    listed = own.select(terms).with_columns(row=plain.select(pl.concat_list(pl.all())).to_series())
    proved = listed.unique(maintain_order=True).group_by(terms, maintain_order=True).agg(pl.col("row").alias(PROVED))
    return facts.join(proved, on=terms, how="left", maintain_order="left")


@dataclass(frozen=True)
class Grounding:
    """A family on a graph: the `facts` that can be asked about, out of all `rows`.

    `options` are the slots that a choice states; `source` stands in every record; `none_share` is how often "None of the above"
    is right; `distractors` are the queries that draw false values.
    """

    citation: Citation
    rows: Rows
    facts: Facts
    options: Sequence[str]
    source: Mapping[str, str]
    seed: int = 0
    none_share: float = 0.0
    distractors: Distractors | None = None

    @property
    def template(self) -> Template:
        """The family itself."""
        return self.citation.template

    @property
    def front(self) -> Front:
        """The family's front matter."""
        return self.citation.template.front

    def with_proved_rows(self, facts: pl.DataFrame) -> pl.DataFrame:
        """Add to facts what the family's SELECT returns for them."""
        return with_proved_rows(facts, self.rows.frame, self.front.key, self.citation.columns)

    def kind(self, slot: str) -> str | None:
        """The type of a slot: what the family says, or else what the data shows."""
        declared = self.front.slots.get(slot)
        return (declared.type if declared else None) or self.rows.kinds.get(slot)
