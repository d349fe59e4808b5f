"""Seen questions: what a model may have read the answer to, from files of a user's or from the graph; and the templates of
unseen questions on real people, so that the wording alone does not say "unsure".

From the graph the questions are those of `generators.factbench`, which are specific and proven. Some are held back for
exemplars; what these are about is asked nowhere else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from generators import factbench
from generators.draw import keys_of, mix, word
from generators.items import assemble, short_hashes, source_of
from generators.unseenqa.asking import BATCH, Helper
from generators.unseenqa.make import METHOD, STRATA
from generators.unseenqa.qa_files import QA, Kept, changing_properties, read_qa, type_of
from generators.unseenqa.templates import Template
from kg.errors import InputError, QueryError, StoreError
from kg.graph import Graph, check_declared
from kg.text import fold
from kg.vocab import PREFIXES, property_labels

HELD_BACK, REAL = 200, 80
"""So many seen questions are held back for exemplars, and so many on real people are asked and held back (appendix D)."""
_ALL = 1_000_000
_WIDE = ("country", "continent", "region", "state", "U.S. state", "province", "prefecture", "county", "island")
_OF_THE_DEAD = ("P570", "P20", "P509", "P119")
_OLDEST = 70
"""Who would have been older may have died before, though the graph does not know it."""
_TOKENS = 5
_TRADE = r"\bthe (?:[\p{Ll}-]+ )+$"
"""What stands before a name that needs its trade beside it: "the film director "."""


@dataclass(frozen=True)
class Seen:
    """The seen questions, those held back for exemplars, how many were wanted, and why some are left out.

    `real` counts those on real people among the items, `spare_real` among those held back.
    """

    items: pl.DataFrame
    spare: pl.DataFrame
    wanted: int
    real: int
    spare_real: int
    left_out: Counter[str]

    @property
    def short(self) -> bool:
        """Say whether there are fewer than wanted, those on real people aside."""
        return self.items.height - self.real < self.wanted


def seen_questions(
    graph: Graph, templates: dict[str, Template], n: int, files: Sequence[str], seed: int, judge: Helper | None = None
) -> Seen:
    """Make up to `n` seen questions from files, or from the graph where there are none, and those on real people.

    Parameters: `judge` is a model that says which questions of the files may be asked, besides the rules.

    Raises InputError where a file holds no question, or without files the graph declares no relation; ModelError where the
    judge cannot be asked at all.
    """
    if not files:
        check_declared(graph)
    facts, dead = _facts(graph, seed)
    people, spare_people = _halves(_of_people(facts, templates, dead), seed)
    left_out: Counter[str] = Counter()
    if files:
        kept = [read_qa(path) for path in files]
        for each in kept:
            left_out.update(each.left_out)
        items, spare = _from_files(kept, n, source_of(graph, seed), seed, judge, left_out)
    else:
        items, spare = _from_graph(facts, people, spare_people, n, seed, left_out)
    return Seen(
        pl.concat([part for part in (people, items) if part.height] or [items], how="diagonal_relaxed"),
        pl.concat([part for part in (spare_people, spare) if part.height] or [spare], how="diagonal_relaxed"),
        n,
        people.height,
        spare_people.height,
        left_out,
    )


# --- from the graph


def _facts(graph: Graph, seed: int) -> tuple[pl.DataFrame, pl.Series]:
    """Return all simple questions that the graph yields, none where no property of it is worded, and who has died."""
    try:
        made = factbench.generate(graph, factbench.Options(n=_ALL, seed=seed))
    except (QueryError, StoreError):  # the graph cannot be asked: that says nothing of what it holds
        raise
    except InputError:
        return pl.DataFrame(), pl.Series([], dtype=pl.String)
    return made.items, made.facts.rows.filter(pl.col("property").is_in(_OF_THE_DEAD))["s"].unique()


def _from_graph(
    facts: pl.DataFrame, people: pl.DataFrame, spare_people: pl.DataFrame, n: int, seed: int, left_out: Counter[str]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Draw questions evenly over properties; the subjects of exemplars are asked about nowhere else."""
    if facts.is_empty():
        return facts, facts
    asked = _counted(facts, {
        "its answer changes with time": pl.col("family").is_in(_changing(facts["family"])),
        f"its answer has more than {_TOKENS} tokens": pl.col("answer").list.first().str.count_matches(r"\S+") > _TOKENS,
    }, left_out)  # fmt: skip
    taken = _groups(people, spare_people)
    asked = asked.filter(~pl.col("group").is_in(taken)).pipe(_reworded, pl.col("family"), pl.col("question"))
    place = pl.Series("place", mix(keys_of(seed, asked["group"].to_list()), word("seen")).astype(np.float64) / 2**64)
    share = HELD_BACK / max(n + HELD_BACK, 1)
    held = asked.with_columns(place).filter(pl.col("place") < share).drop("place")
    rest = asked.with_columns(place).filter(pl.col("place") >= share).drop("place")
    return _even(rest, n, seed), _even(held, HELD_BACK, seed)


def _changing(families: pl.Series) -> list[str]:
    """Return the properties whose objects change with time."""
    listed = changing_properties()
    names = {family: {fold(family), *map(fold, property_labels(f"{PREFIXES['wdt']}{family}"))} for family in families.unique()}
    return [family for family, own in names.items() if own & listed]


def _counted(rows: pl.DataFrame, reasons: dict[str, pl.Expr], left_out: Counter[str]) -> pl.DataFrame:
    for reason, applies in reasons.items():
        left = rows.filter(~applies)
        left_out[reason] += rows.height - left.height
        rows = left
    return rows


def _groups(*parts: pl.DataFrame) -> list[str]:
    return [group for part in parts if part.height for group in part["group"].to_list()]


def _even(items: pl.DataFrame, n: int, seed: int) -> pl.DataFrame:
    """Take `n` items, one of each family in turn, and of each family its answers in turn, in the order of a ring."""
    if items.is_empty():
        return items
    keys = pl.Series("\0key", mix(keys_of(seed, items["id"].to_list()), word("even")))
    answer = pl.col("answer").list.first()
    ranked = items.with_columns(keys).sort("\0key").with_columns(again=pl.int_range(pl.len()).over("family", answer))
    ranked = ranked.sort("again", "\0key").with_columns(turn=pl.int_range(pl.len()).over("family"))
    return ranked.sort("turn", "\0key").head(n).sort("\0key").drop("\0key", "again", "turn")


def _reworded(items: pl.DataFrame, family: pl.Expr, question: pl.Expr) -> pl.DataFrame:
    """Make items of this method of simple questions; the hash of the fact stays."""
    named = items.with_columns(method=pl.lit(METHOD), variant=pl.lit("seen"), family=family, question=question)
    return named.with_columns(id=pl.format(f"{METHOD}.{{}}.open.seen.{{}}", "family", pl.col("id").str.tail(16)))


# --- real people


def _of_people(facts: pl.DataFrame, templates: dict[str, Template], dead: pl.Series) -> pl.DataFrame:
    """Word facts on real people by the templates of unseen questions.

    Parameters: `dead` are the IRIs of those who are known to have died.
    """
    parts = []
    for name, template in templates.items():
        if template.filler != "people" or template.property is None or facts.is_empty():
            continue
        own = facts.filter(pl.col("family") == template.property)
        if template.precision == "day":
            # A graph often knows the month alone, in which the day lies that somebody says.
            own = own.filter(pl.col("precision").is_in(["day", "month"]))
        if template.precision == "year":
            own = _by_year(own)
        if template.precision == "age":
            own = _by_age(own, template.question, dead)
        if template.answer_type == "location":
            own = _by_place(own)
        subject = pl.col("given").list.first().struct.field("value")
        before, _, after = template.question.partition("{filler}")
        # Who needs a trade beside the name is not told by the name, and the template has no place for a trade.
        ahead = pl.col("question").str.split_exact(subject, 1).struct.field("field_0")
        needy = ahead.str.contains(_TRADE) & ~ahead.str.ends_with(" of ")  # "the mother of " is no trade
        worded = own.filter(pl.col("given").list.len() == 1, ~needy)
        worded = _reworded(worded, pl.lit(name), pl.concat_str(pl.lit(before), subject, pl.lit(after)))
        strata = pl.col("strata").struct.with_fields(answer_type=pl.lit(template.answer_type))
        parts.append(worded.with_columns(strata=strata))
    return pl.concat(parts) if parts else facts.head(0)


def _by_year(facts: pl.DataFrame) -> pl.DataFrame:
    """Ask for the year of a date."""
    year = pl.col("answer").list.last().str.extract(r"^(\d{4})(?:-|$)")
    dated = facts.with_columns(year=year).filter(pl.col("year").is_not_null())
    return dated.with_columns(answer=pl.concat_list("year"), precision=pl.lit("year")).drop("year")


def _by_age(facts: pl.DataFrame, question: str, dead: pl.Series) -> pl.DataFrame:
    """Ask how old somebody turned in the year that the question names, of whom nothing says that he did not live to see it."""
    year = re.search(r"\b\d{4}\b", question)
    if year is None:
        return facts.head(0)
    born = pl.col("answer").list.last().str.extract(r"^(\d{4})(?:-|$)").cast(pl.Int64)
    young = facts.with_columns(age=int(year[0]) - born).filter(pl.col("age").is_between(1, _OLDEST))
    alive = young.filter(~pl.col("source").struct.field("subject").is_in(dead.implode()))
    ages = alive.with_columns(answer=pl.concat_list(pl.col("age").cast(pl.String), pl.format("{} years", "age")))
    return ages.with_columns(answer_type=pl.lit("number"), precision=pl.lit("1")).drop("age")


def _by_place(facts: pl.DataFrame) -> pl.DataFrame:
    """Leave out answers wider than a place ("where" is no country); who is not asked for the state may leave it away."""
    kind, first = pl.col("source").struct.field("kind"), pl.col("answer").list.first()
    own = facts.filter(~kind.is_in(_WIDE).fill_null(False))
    city = pl.when(kind.str.contains(" and ", literal=True)).then(pl.concat_list(first.str.replace(r", [^,]+$", "")))
    return own.with_columns(answer=pl.col("answer").list.concat(city.fill_null(pl.lit([], pl.List(pl.String)))))


def _halves(people: pl.DataFrame, seed: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Divide people between the items and the exemplars; take up to 80 questions of each, evenly over the templates."""
    if people.is_empty():
        return people, people
    odd = pl.Series((mix(keys_of(seed, people["group"].to_list()), word("real")) & np.uint64(1)).astype(np.bool_))
    return _even(people.filter(odd), REAL, seed), _even(people.filter(~odd), REAL, seed)


# --- from files


def _from_files(
    kept: Sequence[Kept], n: int, source: dict[str, str], seed: int, judge: Helper | None, left_out: Counter[str]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Draw as many questions of each file; those that come after are held back."""
    parts = [_drawn(each.rows, seed) for each in kept]
    if judge is not None:
        parts = [_passed(judge, rows, n + HELD_BACK, left_out) for rows in parts]
        source = source | {"judge": judge.name}
    held = [rows[: min(HELD_BACK // len(parts), len(rows) // 10)] for rows in parts]
    rest = [rows[len(some) :] for rows, some in zip(parts, held, strict=True)]
    asked: dict[str, QA] = {}
    for turn in range(max(map(len, rest), default=0)):
        for rows in rest:
            if turn < len(rows) and len(asked) < n:
                asked.setdefault(fold(rows[turn].question), rows[turn])
    spare = {fold(row.question): row for rows in held for row in rows if fold(row.question) not in asked}
    return _of_rows([*asked.values()], source), _of_rows([*spare.values()], source)


def _drawn(rows: Sequence[QA], seed: int) -> list[QA]:
    keys = keys_of(seed, [row.question for row in rows])
    return [rows[i] for i in np.argsort(keys, kind="stable")]


def _passed(judge: Helper, rows: Sequence[QA], wanted: int, left_out: Counter[str]) -> list[QA]:
    """Return the first questions that the judge lets pass, until there are as many as are wanted: no more are paid for."""
    passed: list[QA] = []
    at = 0
    while at < len(rows) and len(passed) < wanted:
        part = rows[at : at + max(BATCH, wanted - len(passed))]
        for row, reason in zip(part, judge.judged(part), strict=True):
            if reason is None:
                passed.append(row)
            else:
                left_out[reason] += 1
        at += len(part)
    return passed[:wanted]


_COLUMNS: dict[str, pl.DataType] = {
    "question": pl.String(), "answer": pl.List(pl.String), "type": pl.String(), "source": pl.String(), "subject": pl.String(),
    "relation": pl.String(),
}  # fmt: skip


def _of_rows(rows: Sequence[QA], source: dict[str, str]) -> pl.DataFrame:
    frame = pl.DataFrame(
        {
            "question": [row.question for row in rows],
            "answer": [row.answers for row in rows],
            "type": [type_of(row.answers[0]) for row in rows],
            "source": [row.source for row in rows],
            "subject": [row.subject for row in rows],
            "relation": [row.relation for row in rows],
        },
        schema=_COLUMNS,
    )
    return assemble(
        frame,
        bindings=["question"],
        strata=STRATA | {"seen": "yes", "answer_type": pl.col("type")},
        source={**source, "subject": pl.col("subject"), "relation": pl.col("relation")},
        method=METHOD,
        family=pl.col("source"),
        task="open",
        variant="seen",
        question=pl.col("question"),
        answer=pl.col("answer"),
        answer_type=pl.col("type"),
        group=pl.format("unseenqa.{}", short_hashes(frame["question"])),
    )
