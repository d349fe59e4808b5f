"""Why a fact is not asked about: the first reason that applies, so that a reader of the summary sees numbers that add up."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from generators.factbench.entities import Entities, bracketed
from generators.factbench.evidence import (
    elsewhere,
    of_another_country,
    of_another_year,
    other_capital,
    outlived,
    outside,
    uncredited,
)
from generators.factbench.kinds import kinds_of
from generators.factbench.names import is_odd, is_shouted
from generators.factbench.namesakes import is_short_title, towns
from generators.factbench.places import said_by_a_place
from generators.factbench.subjects import PEOPLE
from generators.factbench.tables import unsupported
from generators.factbench.wordings import Wordings
from generators.single import often_several
from kg.text import fold_all

_OF_MANY_PLACES = r" (?:County|Parish|Township|District)$"
_LIFETIME = 100
_PEERAGE = r", \d"
_NOBODY = (
    "unknown",
    "anonymous",
    "none",
    "no value",
    "unknown value",
    "independent",
    "independent politician",
    "various",
    "various artists",
    "other",
    "nan",
    "n a",
    "tba",
)
_UNSUPPORTED = "answer is not in the subject's article"


class Reasons:
    """What speaks against facts of worded properties; `articles` are those of subjects, if any."""

    def __init__(self, entities: Entities, wordings: Wordings, articles: pl.DataFrame | None) -> None:
        self.entities, self.columns, self.wordings, self.articles = entities, entities.columns, wordings, articles

    def uncounted(self, marked: pl.DataFrame, shares: pl.DataFrame) -> pl.Series:
        """Return the first reason why a fact has no one value; null where there is none."""
        reasons: dict[str, pl.Expr | pl.Series] = {
            "subject or object without a name": pl.col("subject").is_null() | pl.col("value").is_null(),
            "not an entity, a date or a number, as its property asks for": ~pl.col("fits"),
            "several values of the property": pl.col("n") > 1,
            "not all values are known": pl.col("incomplete").fill_null(False),
            "of a property that often has several values": often_several(marked, shares, self.wordings.world),
        }
        return _first(marked, reasons)

    def unfit(self, marked: pl.DataFrame) -> pl.Series:
        """Return the first reason why a fact can be no question, however it is worded; null where there is none."""
        wordings = self.wordings.properties
        kinds = [name for name, wording in wordings.items() if wording.kind]
        units = [name for name, wording in wordings.items() if wording.unit]
        dated = [name for name, wording in wordings.items() if wording.dated]
        holding = [name for name, wording in wordings.items() if wording.holds()]
        text = fold_all(marked["value"])
        reasons: dict[str, pl.Expr | pl.Series] = {
            "subject's name is written oddly": self._oddly_written(marked),
            "the starter graph knows another capital": other_capital(marked),
            "nothing else in the graph says the same": ~pl.col("agrees"),
            "the answer lies outside the subject": outside(marked, self.columns, self.wordings),
            "the subject's description names another place": elsewhere(
                marked, self.columns, self.entities.descriptions, self.wordings
            ),
            "the subject's description speaks of another country": of_another_country(
                marked, self.columns, self.entities.descriptions
            ),
            "the answer came to its end before the subject": outlived(
                marked, self.columns, self.entities.of_gone_countries, holding
            ),
            "may lie in a country within the answer": pl.col("vague"),
            "subject's title or label carries brackets": bracketed("subject") | bracketed("title"),
            "answer carries brackets": bracketed("value") & (pl.col("type") == "entity"),
            "no year tells whether the answer lasted": pl.col("property").is_in(dated)
            & ~pl.col("e").is_in(self.columns.years["e"].implode()),
            "the subject's description does not say that it is the answer's": uncredited(
                marked, self.entities.descriptions, [name for name, wording in wordings.items() if wording.credited]
            ),
            "the subject's description says another year": of_another_year(marked, self.entities.descriptions),
            "no other name of an answer that is a common noun": self._unnamed(),
            "answer names nobody": text.is_in(_NOBODY),
            "subject's name is borne by another": pl.col("bearers") != 1,
            "no title of an article tells which place of that name is meant": self._nameless(marked),
            "nothing tells in which state the answer lies": pl.col("stateless").fill_null(False),
            "a number without its unit": pl.col("property").is_in(units) & pl.col("unit").is_null(),
            "no word says what kind of answer is wanted": pl.col("property").is_in(kinds) & pl.col("kind").is_null(),
        }
        return _first(marked, reasons)

    def unasked(self, marked: pl.DataFrame, every: pl.DataFrame) -> pl.Series:
        """Return the first reason why a fact is not asked about for the sake of its question; null where there is none.

        Parameters: `every` has all facts of worded properties, asked about or not.
        """
        doubt = {f"sources differ: {text}": pl.col("doubt") == text for text in sorted(marked["doubt"].drop_nulls().unique())}
        reasons: dict[str, pl.Expr | pl.Series] = {name: differs.fill_null(False) for name, differs in doubt.items()}
        reasons |= {
            "of a subject that the property is not asked of": pl.col("unasked")
            | ~self._of_domain(marked)
            | self._lacking(marked, every)
            | pl.col("said").str.contains("^an? "),  # one of a kind
            "died before the time of which it is asked": self._too_early(marked),
            "a name that many bear, and no trade tells which": pl.col("common") & (pl.col("said") == pl.col("plain")),
            "a short title, and no year tells which": is_short_title(marked),
            "changes with time, and no year is said": pl.col("changes") & pl.col("year").is_null(),
            "may change, as its subject has no end": self._unended(marked, every),
            "the answer is a kind of which another answer is": self._general(marked, every),
            "subject is of no domain": pl.col("domain").is_null(),
            "asked about what is well known only": pl.col("obscure"),
            "the question says the answer": (pl.col("answers").list.len() == 0) | said_by_a_place(marked, self.columns),
        }
        if self.articles is not None:
            reasons[_UNSUPPORTED] = unsupported(marked, self.articles, self.columns.entities)
        return _first(marked, reasons)

    def _unnamed(self) -> pl.Expr:
        """Tell of each fact whether its answer is a common noun ("association football") in a graph without other names."""
        alone = pl.lit(self.columns.aliases.is_empty())
        return alone & (pl.col("type") == "entity") & pl.col("value").str.contains(r"^\p{Ll}").fill_null(False)

    def _nameless(self, marked: pl.DataFrame) -> pl.Series:
        """Tell of each fact whether its subject's name is one that places elsewhere bear, and no title tells it apart."""
        ends = pl.col("subject").str.contains(_OF_MANY_PLACES).fill_null(False)
        town = marked["e"].is_in(towns(self.columns)["e"].implode()) & ~marked["known"]
        untitled = pl.lit(self.entities.titles.is_empty()) & (pl.col("domain") == "geography").fill_null(False)
        return marked.select((ends | town) & untitled).to_series()

    def _oddly_written(self, marked: pl.DataFrame) -> pl.Series:
        """Tell of each fact whether its subject's name is written as no name is: "Tyler posey", "GREEN BAY PACKERS"."""
        person = marked["e"].is_in(kinds_of(self.columns, PEOPLE)["e"].implode()).fill_null(False)
        names = marked["subject"].fill_null("")
        odd, shouted = (names.is_in([name for name in names.unique() if test(name)]) for test in (is_odd, is_shouted))
        # "Where did Ida Inn, 2nd Baroness Inn die?" nobody says.
        titled = marked.select(pl.col("plain").str.contains(_PEERAGE).fill_null(False)).to_series()
        return (person & (odd | titled)) | (shouted & marked.select(pl.col("work").is_null()).to_series())

    def _too_early(self, marked: pl.DataFrame) -> pl.Series:
        """Tell of each fact whether its subject ended, or began a lifetime, before the year since which it is asked about."""
        spans = self.columns.years.select("e", "begin", "end")
        lives = marked.select("e", "since").join(spans, on="e", how="left", maintain_order="left")
        ended = (pl.col("end") < pl.col("since")).fill_null(False)
        return lives.select(ended | (pl.col("begin") < pl.col("since") - _LIFETIME).fill_null(False)).to_series()

    def _unended(self, rows: pl.DataFrame, every: pl.DataFrame) -> pl.Series:
        """Tell of each fact whether its property is settled by an end that its subject has not."""
        settled = {name: wording.ended for name, wording in self.wordings.properties.items() if wording.ended}
        ends = every.select("s", end="property").filter(pl.col("end").is_in(list(settled.values()))).unique()
        ends = ends.with_columns(ended=True)
        asked = rows.select("s", end=pl.col("property").replace_strict(settled, default=None, return_dtype=pl.String))
        found = asked.join(ends, on=["s", "end"], how="left", maintain_order="left")
        return found.select(pl.col("end").is_not_null() & pl.col("ended").is_null()).to_series()

    def _of_domain(self, rows: pl.DataFrame) -> pl.Series:
        """Tell of each fact whether its property is asked of subjects of its domain."""
        lists = {name: wording.domains for name, wording in self.wordings.properties.items() if wording.domains}
        pairs = [f"{name}\0{domain}" for name, domains in lists.items() for domain in domains]
        fits = (rows["property"] + "\0" + rows["domain"].fill_null("")).is_in(pairs)
        return fits | ~rows["property"].is_in(list(lists))

    def _lacking(self, rows: pl.DataFrame, every: pl.DataFrame) -> pl.Series:
        """Tell of each fact whether its subject has none of the properties that its own needs."""
        needs = {name: wording.needs for name, wording in self.wordings.properties.items() if wording.needs}
        pairs = pl.DataFrame([(name, each) for name, many in needs.items() for each in many],
                             schema={"property": pl.String, "needed": pl.String}, orient="row")  # fmt: skip
        there = every.select("s", needed="property").join(pairs, on="needed").select("s", "property").unique()
        found = rows.select("s", "property").join(
            there.with_columns(there=True), on=["s", "property"], how="left", maintain_order="left"
        )
        return found.select(pl.col("property").is_in(list(needs)) & pl.col("there").is_null()).to_series()

    def _general(self, rows: pl.DataFrame, every: pl.DataFrame) -> pl.Series:
        """Tell of each fact whether another answer of its property is a kind of its answer ("cancer", beside "lung cancer")."""
        kinds = self.columns.kinds.select("below", "above")
        two = kinds.join(kinds, left_on="above", right_on="below").select("below", above="above_right")
        chains = pl.concat([kinds, two]).filter(pl.col("below") != pl.col("above")).unique()
        answers = every.select("property", "o").drop_nulls().unique()
        pairs = answers.join(chains, left_on="o", right_on="below").select("property", o="above").unique()
        marked = rows.select("property", "o").join(
            pairs.with_columns(general=True), on=["property", "o"], how="left", maintain_order="left"
        )
        return marked["general"].fill_null(False)


def _first(marked: pl.DataFrame, reasons: Mapping[str, pl.Expr | pl.Series]) -> pl.Series:
    """Return the first reason that applies to each row, what is not known among them; null where there is none."""
    marked = marked.with_columns(value.alias(name) for name, value in reasons.items())
    each = (pl.when(pl.col(name).fill_null(True)).then(pl.lit(name)) for name in reasons)
    return marked.select(pl.coalesce(each)).to_series()
