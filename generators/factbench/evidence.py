"""What a graph itself shows of its facts: whether other facts say the same.

What is said of a country must agree with where a subject comes from, where that is known, and a capital with the starter
graph's. How many values a property has is told by `generators.single`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import polars as pl

from generators.factbench.countries import countries
from generators.factbench.kinds import kind_lists, kinds_of
from generators.factbench.wordings import Wordings
from generators.graph_columns import GraphColumns
from kg.text import fold, fold_all
from kg.vocab import PREFIXES

_UP = 4
"""So many steps lead from a place to what it lies in."""
_IN_A_PLACE = r"\b(?:in|at|near) (?:the )?(\p{Lu}.*)$"
_OF_A_PLACE = r" (?:of|at|in) (\p{Lu}.*)$"
_BY = r"\bby (.+)$"
_YEAR = r"^(\d{4})\b"
_COUNTRIES = ("P17", "P27", "P495")
_PROPER = r"\p{Lu}\p{L}+"
_SAYINGS, _SURE = 5, 0.9
"""A word speaks of a country that so many subjects are of whose descriptions have it, and so large a share of all of them."""


def agreement(rows: pl.DataFrame, columns: GraphColumns, past: pl.Series, wordings: Wordings) -> pl.Series:
    """Tell of each fact whether what agrees with its property (`agrees`) leads to its answer; true where nothing need agree.

    A place speaks for the country that it lies in today; one without any, or in several, speaks for none. No place of the
    properties `against` it (a residence) may lie in another country.

    Parameters: `rows` has s, property, term; `past` says of each entity whether it is no more.
    """
    told = [name for name, wording in wordings.properties.items() if wording.agrees or wording.against]
    of_told = rows["property"].is_in(told)
    agrees = pl.repeat(True, rows.height, dtype=pl.Boolean, eager=True)
    if not of_told.any():
        return agrees
    asked = rows.select("s", "property", "term").filter(of_told)
    countries = _countries(rows, columns, past)
    same = _supported(asked, rows, countries, wordings) & ~_contradicted(asked, columns, countries, wordings)
    return agrees.scatter(of_told.arg_true(), same)


def _supported(asked: pl.DataFrame, rows: pl.DataFrame, countries: pl.DataFrame, wordings: Wordings) -> pl.Series:
    """Tell of each fact asked about whether what agrees with its property leads to its answer alone."""
    needs = [(name, each) for name, wording in wordings.properties.items() for each in wording.agrees]
    pairs = pl.DataFrame(needs, schema={"property": pl.String, "other": pl.String}, orient="row")
    rows = rows.filter(pl.col("property").is_in(pairs["other"].unique().implode()))
    where = rows.select("s", other="property", place="term").unique().join(pairs, on="other")
    said = where.join(countries, on="place").group_by("s", "property").agg(said=pl.col("country").unique())
    found = asked.join(said, on=["s", "property"], how="left", maintain_order="left")
    same = (pl.col("said").list.len() == 1) & (pl.col("said").list.first() == pl.col("term"))
    free = ~pl.col("property").is_in(pairs["property"].unique().implode())
    return found.select(free | same.fill_null(False)).to_series()


def _contradicted(asked: pl.DataFrame, columns: GraphColumns, countries: pl.DataFrame, wordings: Wordings) -> pl.Series:
    """Tell of each fact whether a place of a property against its own lies in another country than its answer."""
    needs = [(name, each) for name, wording in wordings.properties.items() for each in wording.against]
    pairs = pl.DataFrame(needs, schema={"property": pl.String, "other": pl.String}, orient="row")
    entities = columns.entities.select(iri="iri").with_row_index("e")
    where = _facts_of(columns, pairs["other"]).join(entities, left_on="s", right_on="e")
    where = where.join(entities.select(o="e", place=pl.format("<{}>", "iri")), on="o")
    where = where.join(countries, on="place").join(pairs, left_on="id", right_on="other")
    said = where.group_by(s="iri", property="property").agg(elsewhere=pl.col("country").unique())
    found = asked.join(said, on=["s", "property"], how="left", maintain_order="left")
    others = pl.col("elsewhere").list.set_difference(pl.concat_list("term")).list.len() > 0
    return found.select(others.fill_null(False)).to_series()


def _facts_of(columns: GraphColumns, ids: Iterable[str]) -> pl.DataFrame:
    """Return the facts of properties by their P-ids: s, o, id."""
    direct = PREFIXES["wdt"]
    relations = columns.relations.select(id=pl.col("iri").str.strip_prefix(direct)).with_row_index("p")
    return columns.facts.join(relations.filter(pl.col("id").is_in(sorted(set(ids)))), on="p").select("s", "o", "id")


def _around(columns: GraphColumns, terms: pl.Series) -> pl.DataFrame:
    """Return each place (a term) and what it lies in, in a few steps: term, x (numbers), itself among them."""
    up = _facts_of(columns, ("P131", "P17")).select(x="s", above="o").unique()
    entities = columns.entities.select(term=pl.format("<{}>", "iri")).with_row_index("x")
    reach = [entities.join(pl.DataFrame({"term": terms.unique()}), on="term", how="semi").select("term", "x")]
    for _ in range(_UP):
        reach.append(reach[-1].join(up, on="x").select("term", x="above").unique())
    return pl.concat(reach).unique()


def outside(rows: pl.DataFrame, columns: GraphColumns, wordings: Wordings) -> pl.Series:
    """Tell of each fact whether its answer, which ought to lie within the subject, lies elsewhere: Vienna, of Lower Austria.

    Parameters: `rows` has s, property, term.
    """
    inner = [name for name, wording in wordings.properties.items() if wording.within]
    asked = rows.select("s", "property", "term", i=pl.int_range(pl.len())).filter(pl.col("property").is_in(inner))
    numbers = columns.entities.select(s="iri").with_row_index("subject")
    around = _around(columns, asked["term"])
    asked = asked.join(numbers, on="s")
    # A place speaks against a county where it lies in another county; of what it lies in a graph often says the state alone.
    own = columns.concepts.rename({"e": "subject"}).join(asked.select("subject").unique(), on="subject", how="semi")
    places = columns.concepts.rename({"e": "x"}).join(around.select("x").unique(), on="x", how="semi")
    alike = own.join(places, on="c").select("subject", "x").unique()
    rivals = asked.join(around, on="term").filter(pl.col("x") != pl.col("subject")).join(alike, on=["subject", "x"], how="semi")
    within = asked.join(around, left_on=["term", "subject"], right_on=["term", "x"], how="semi")["i"]
    there = rivals.filter(~pl.col("i").is_in(within.implode()))["i"]
    return pl.int_range(rows.height, eager=True).is_in(there.implode())


def elsewhere(rows: pl.DataFrame, columns: GraphColumns, descriptions: pl.DataFrame, wordings: Wordings) -> pl.Series:
    """Tell of each fact whether the subject's description, or its name, holds a place that has nothing to do with its answer.

    "University in Washington, D.C." speaks against a county in Virginia, "University of Adelaide" against Singapore. The
    answer, or a place that it lies in, must be named.

    Parameters: `rows` has s, property, term, answers; `descriptions` has e and description.
    """
    said = [name for name, wording in wordings.properties.items() if wording.described]
    asked = rows.select("s", "property", "term", "answers", i=pl.int_range(pl.len())).filter(pl.col("property").is_in(said))
    texts = descriptions.with_columns(columns.entities["iri"].gather(descriptions["e"]).alias("s"))
    texts = texts.select("s", place=pl.col("description").str.extract(_IN_A_PLACE), own=pl.lit(False)).drop_nulls()
    asked = asked.join(pl.concat([texts, _in_own_name(columns)]), on="s")
    asked = asked.with_columns(place=pl.format(" {} ", fold_all(asked["place"])))
    # Of an answer that lies nowhere nothing tells whether the place that is named has to do with it.
    placed = _facts_of(columns, ["P131"]).select(x="s").unique()
    iris = columns.entities.select(term=pl.format("<{}>", "iri")).with_row_index("x").join(placed, on="x", how="semi")
    asked = asked.filter(pl.col("own") | pl.col("term").is_in(iris["term"].implode()))
    names = _around(columns, asked["term"]).join(columns.names.rename({"e": "x"}), on="x").select("term", "name")
    each = pl.concat(
        [asked.select("i", "place", "term").join(names, on="term").select("i", "place", "name"),
         asked.select("i", "place", name="answers").explode("name")]
    ).drop_nulls()  # fmt: skip
    each = each.with_columns(name=pl.format(" {} ", fold_all(each["name"])))
    named = each.filter(_holds("place", "name") | _holds("name", "place"))["i"].unique()
    return pl.int_range(rows.height, eager=True).is_in(asked.filter(~pl.col("i").is_in(named.implode()))["i"].implode())


def of_another_country(rows: pl.DataFrame, columns: GraphColumns, descriptions: pl.DataFrame) -> pl.Series:
    """Tell of each fact whether its answer is a country, and the subject's description speaks of another.

    Which word speaks of which country, the graph's own descriptions tell: nearly all that are "American" are of the United
    States, and "in Lagos" is said of what is in Nigeria.

    Parameters: `rows` has s, property, term; `descriptions` has e and description.
    """
    words = descriptions.select("e", word=pl.col("description").str.extract_all(_PROPER)).explode("word").drop_nulls().unique()
    known = _facts_of(columns, _COUNTRIES).select(e="s", country="o").unique().unique("e", keep="none")
    counts = words.join(known, on="e").group_by("word", "country").len()
    shares = counts.with_columns(share=pl.col("len") / pl.col("len").sum().over("word"))
    sure = shares.filter(pl.col("len") >= _SAYINGS, pl.col("share") >= _SURE).select("word", "country")
    entities = columns.entities.select(iri="iri").with_row_index("e")
    said = (
        words.join(sure, on="word")
        .join(entities, on="e")
        .join(entities.select(country="e", said=pl.format("<{}>", "iri")), on="country")
    )
    asked = rows.select("property", "term", s="s", i=pl.int_range(pl.len())).filter(pl.col("property").is_in(_COUNTRIES))
    others = asked.join(said.select(s="iri", said="said"), on="s").filter(pl.col("said") != pl.col("term"))["i"]
    return pl.int_range(rows.height, eager=True).is_in(others.unique().implode())


def uncredited(rows: pl.DataFrame, descriptions: pl.DataFrame, properties: Sequence[str]) -> pl.Series:
    """Tell of each fact of some properties whether the subject's description does not say that it is by the answer alone.

    Of a film by two a graph often has one. A graph without descriptions says nothing of anything.

    Parameters: `rows` has e, property, answers; `descriptions` has e and description.
    """
    credited = rows["property"].is_in(list(properties))
    if descriptions.is_empty() or not credited.any():
        return pl.repeat(False, rows.height, dtype=pl.Boolean, eager=True)
    said = rows.filter(credited).select("e", "answers").join(descriptions, on="e", how="left", maintain_order="left")
    by = fold_all(said["description"].str.extract(_BY)).to_list()
    alone = [who is not None and who in {fold(name) for name in names or ()}
             for who, names in zip(by, said["answers"].to_list(), strict=True)]  # fmt: skip
    return credited.scatter(credited.arg_true(), [not each for each in alone])


def of_another_year(rows: pl.DataFrame, descriptions: pl.DataFrame) -> pl.Series:
    """Tell of each fact whether its answer is a date, and the subject's description begins with another year.

    Parameters: `rows` has e, type, value; `descriptions` has e and description.
    """
    said = rows.select("e", "type", "value").join(descriptions, on="e", how="left", maintain_order="left")
    year, own = pl.col("description").str.extract(_YEAR), pl.col("value").str.extract(_YEAR)
    return said.select(((pl.col("type") == "date") & (year != own)).fill_null(False)).to_series()


def _in_own_name(columns: GraphColumns) -> pl.DataFrame:
    """Return what is called after a city, which lies there whatever else is said ("University of Adelaide"): s, place, own."""
    cities = kinds_of(columns, {"city": kind_lists()[0]["place"]["city"]})
    names = columns.entities.select(place="label").with_row_index("e").join(cities, on="e").select("place").unique()
    own = columns.entities.select(s="iri", place=pl.col("label").str.extract(_OF_A_PLACE))
    return own.join(names, on="place", how="semi").with_columns(own=pl.lit(True))


def _holds(whole: str, part: str) -> pl.Expr:
    return pl.col(whole).str.contains(pl.col(part), literal=True)


def outlived(rows: pl.DataFrame, columns: GraphColumns, past: pl.Series, holding: Sequence[str]) -> pl.Series:
    """Tell of each fact of some properties whether its answer is no more, and was not there to the subject's end.

    Who belonged to a party that was dissolved may belong to another since.

    Parameters: `rows` has s, property, term; `past` says of each entity whether it is no more.
    """
    spans = columns.years.select("e", "end")
    ends = columns.entities.select(iri="iri", gone=past).with_row_index("e").join(spans, on="e", how="left")
    asked = rows.select("property", iri="s", other=pl.col("term").str.strip_chars("<>"))
    asked = asked.join(ends.select("iri", mine="end"), on="iri", how="left", maintain_order="left")
    asked = asked.join(ends.select(other="iri", gone="gone", theirs="end"), on="other", how="left", maintain_order="left")
    to_the_end = (pl.col("mine") <= pl.col("theirs")).fill_null(False)
    over = pl.col("property").is_in(list(holding)) & pl.col("gone").fill_null(False)
    return asked.select(over & ~to_the_end).to_series()


def other_capital(rows: pl.DataFrame) -> pl.Series:
    """Tell of each fact whether the starter graph knows another capital of the country: one that was, or that has most people.

    Parameters: `rows` has property, subject (its label) and answers.
    """
    # One without any has several, or none on which all agree.
    capitals = {name: country.capital for country in countries() for name in map(fold, country.names)}
    other = rows["property"] == "P36"
    told = []
    for subject, answers in rows.filter(other).select("subject", "answers").iter_rows():
        capital = capitals.get(fold(subject or ""))
        told.append(capital is not None and not set(map(fold, capital)) & set(map(fold, answers or ())))
    return other.scatter(other.arg_true(), told)


def _countries(rows: pl.DataFrame, columns: GraphColumns, past: pl.Series) -> pl.DataFrame:
    """Return the one country of today of each place: place, country (terms); a country is its own."""
    gone = columns.entities.select(country=pl.format("<{}>", "iri")).filter(past)
    known = kinds_of(columns, {"country": kind_lists()[0]["place"]["country"]})
    iris = columns.entities.select(place=pl.format("<{}>", "iri")).with_row_index("e")
    said = rows.filter(pl.col("property") == "P17").select(place=pl.format("<{}>", "s"), country="term").unique()
    own = known.join(iris, on="e").select("place", country="place").join(said, on="place", how="anti")
    today = pl.concat([said, own]).join(gone, on="country", how="anti")
    return today.group_by("place").agg("country").filter(pl.col("country").list.len() == 1).explode("country")
