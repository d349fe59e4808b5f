"""What things are called in a question: by their name, and by kind and year where others bear the same name.

With it goes what the words around a name agree with: whether it speaks of several, and of what is no more.

A title stands in quotation marks: “Signs” is a film. "the 1960 film “Psycho”": who asks about one of two films of a name
says which; of a title of a word or two the world has several works, though a graph may have one. Where kind and year do not
tell two things apart, neither is asked about (`told_apart` says of whom they do). Who is by far the best known of a name goes
by it alone: Chicago is the city, "the musical “Chicago”" the musical.
"""

from __future__ import annotations

from functools import cache

import polars as pl

from generators.articles import article_columns, is_several, phrase_kind
from generators.fpq.tense import gone
from generators.graph_columns import GraphColumns, once
from kg.formats import shipped_toml
from kg.text import fold

_BY_FAR = 3
"""With so many times the facts of all its namesakes a thing is meant where its name stands alone."""

_SHORT = 2
"""A title of so many words is the title of other works as well, for all that a graph knows."""

_TITLE = pl.col("label").str.contains(r"^[^\p{Ll}“”\"]") & ~pl.col("label").str.contains(r"[“”\"]")
"""A name that may be a title: not that of a game such as chess, and without quotation marks of its own."""

_PLACE = " of {}"  # how a description of a place ends, before its name
_HEAD = r"([^ ]+)(?: of)? [“{]"


def names_in_questions(columns: GraphColumns, named: pl.Series | None = None) -> pl.DataFrame:
    """Return IRI, label and what questions call them of the entities that are named (or of all), in their order.

    Columns: e, iri, label; `name`, and with articles `name_a`, `name_the`, `name_language`, `name_generic`; `name_plural` and
    `gone`, for verbs.
    """
    every = columns.entities.select("iri", own="label", gone=gone(columns)).with_row_index("e")
    # Articles and verbs are worked out name by name: of a large graph only for those that are named.
    some = every if named is None else every.filter(pl.col("e").is_in(named.unique().implode()))
    typed = some.join(_kinds(columns, some), on="e", how="left", maintain_order="left")
    # Questions name labelled entities only, but a true object without a label is listed in the premise, by its IRI.
    label, kinds = typed["own"].fill_null(typed["iri"]).alias("label"), typed["kind"].fill_null([])
    several = pl.Series("several", [is_several(name, own) for name, own in zip(label, kinds, strict=True)], dtype=pl.Boolean)
    called = typed.select("e", "iri", "gone").hstack([*article_columns(label, kinds), several])
    lesser = _described(columns).filter(~pl.col("famous"))
    described = called.join(lesser, on="e", how="left", maintain_order="left")
    famous = _described(columns).filter("famous")
    dated = _dated(columns).join(famous, on="e", how="anti")
    described = described.join(dated, on="e", how="left", maintain_order="left")
    quoted = pl.when(pl.col("e").is_in(titled(columns).implode()) & _TITLE).then(pl.format("“{}”", "label"))
    ways = ("", "_a", "_the", "_language", "_generic")
    named_so = [pl.coalesce("dated", "described", quoted, f"label{c}").alias(f"name{c}") for c in ways]
    # Whoever is told apart by a kind is one: the city of Los Angeles.
    plural = pl.col("several") & pl.col("described").is_null() & pl.col("dated").is_null()
    return described.select("e", "iri", "label", *named_so, "gone", name_plural=plural)


def told_apart(columns: GraphColumns) -> pl.Series:
    """Return the entities that kind and year tell from all namesakes."""
    return _described(columns)["e"]


@once
def _described(columns: GraphColumns) -> pl.DataFrame:
    """Return a description of each entity that shares its label with another and is told apart by it.

    Columns: e, described, and `famous`, whether it is meant where the name stands alone.
    """
    kinds = _phrased(columns)
    plain = _plainest(kinds)
    bearers = columns.labels.filter(pl.len().over("label") > 1).join(columns.years.select("e", "year"), on="e", how="left")
    # By the head of a kind, for an animated film is a film; whoever bears the name by a second label is a namesake, too.
    heads = kinds.select("e", head=pl.col("phrase").str.extract(_HEAD)).unique()
    alike = (
        bearers.join(heads, on="e").group_by("label", "head").agg(kin=pl.len(), years=pl.col("year").drop_nulls().n_unique())
    )
    own = pl.DataFrame({"name": columns.entities["label"], "label": columns.folded_labels}).with_row_index("e")
    named = bearers.join(own, on=["e", "label"]).join(plain, on="e").with_columns(head=pl.col("phrase").str.extract(_HEAD))
    told = named.join(alike, on=["label", "head"]).filter((pl.col("kin") == 1) | (pl.col("years") == pl.col("kin")))
    name = _in_phrase(pl.col("name"))
    described = pl.when(pl.col("kin") > 1).then(_of_year(name)).otherwise(name)
    return told.join(_famous(columns, bearers), on=["e", "label"]).select("e", "famous", described=described).sort("e")


@once
def _dated(columns: GraphColumns) -> pl.DataFrame:
    """Return works with a short title by year, kind and title ("the 1963 film “Signs”"): e, dated; where one year is known."""
    own = pl.DataFrame({"name": columns.entities["label"]}).with_row_index("e").drop_nulls()
    short = own.filter(pl.col("name").str.count_matches(r"\S+") <= _SHORT)
    works = _plainest(_phrased(columns)).filter(pl.col("phrase").str.contains("“"))
    made = columns.years.filter("made").select("e", "year").drop_nulls()
    named = short.join(works, on="e").join(made, on="e")
    return named.select("e", dated=_of_year(_in_phrase(pl.col("name"))))


def _of_year(described: pl.Expr) -> pl.Expr:
    """Say of which year a thing is: the 1960 film “Psycho”."""
    return pl.format("the {} {}", "year", described.str.strip_prefix("the "))


def _in_phrase(name: pl.Expr) -> pl.Expr:
    """Put a name into its phrase: the film “{}”."""
    parts = pl.col("phrase").str.split_exact("{}", 1)
    return pl.concat_str(parts.struct.field("field_0"), name, parts.struct.field("field_1"))


@once
def _phrased(columns: GraphColumns) -> pl.DataFrame:
    """Return what things are called by with their kinds: e, c, kind, phrase."""
    phrases = _concepts(columns).with_columns(phrase=_phrases(pl.col("kind"))).drop_nulls("phrase")
    kinds = columns.concepts.join(phrases, on="c")
    # Where a place may stand, nobody takes it for a film: it goes by its name.
    return kinds.filter(~pl.col("phrase").str.ends_with(_PLACE))


def _plainest(kinds: pl.DataFrame) -> pl.DataFrame:
    """Return the plainest phrase of each thing, the shortest: a film is called that, not a live-action animated film."""
    return kinds.sort(pl.col("kind").str.len_chars(), "kind").group_by("e", maintain_order=True).agg(pl.col("phrase").first())


def titled(columns: GraphColumns) -> pl.Series:
    """Return the works: what would be called by kind and title."""
    works = _concepts(columns).filter(_phrases(pl.col("kind")).str.contains("“"))
    return columns.concepts.join(works, on="c", how="semi")["e"].unique()


def namesake_places(columns: GraphColumns) -> pl.Series:
    """Return the places whose name another place bears, but for who is by far the best known: Luxembourg is the country."""
    phrases = _concepts(columns).with_columns(phrase=_phrases(pl.col("kind"))).drop_nulls("phrase")
    places = columns.concepts.join(phrases.filter(pl.col("phrase").str.ends_with(_PLACE)), on="c").select("e").unique()
    bearers = columns.labels.join(places, on="e").filter(pl.len().over("label") > 1)
    return _famous(columns, bearers).filter(~pl.col("famous"))["e"].unique()


def _famous(columns: GraphColumns, bearers: pl.DataFrame) -> pl.DataFrame:
    """Say of each bearer of a label that others bear whether it has by far the most facts of them: e, label, famous."""
    each = bearers.select("e", "label").unique()
    counted = each.with_columns(facts=columns.degrees.gather(each["e"]))
    others = pl.col("facts").sum().over("label") - pl.col("facts")
    return counted.select("e", "label", famous=pl.col("facts") >= _BY_FAR * others.clip(lower_bound=1))


def _kinds(columns: GraphColumns, some: pl.DataFrame) -> pl.DataFrame:
    """Return the labels of some entities' concepts; where one has none, what the relations say whose object it is: e, kind."""
    stated = columns.concepts.join(some, on="e", how="semi").join(_concepts(columns), on="c").select("e", "kind")
    said = pl.DataFrame(_ranges(), schema=["name", "kind"], orient="row")
    relations = (
        columns.relations.select("names").with_row_index("p").explode("names").join(said, left_on="names", right_on="name")
    )
    facts = columns.facts.join(some, left_on="o", right_on="e", how="semi")
    objects = facts.join(relations, on="p").select(e="o", kind="kind").join(stated, on="e", how="anti")
    return pl.concat([stated, objects]).unique().sort("e", "kind").group_by("e", maintain_order=True).agg("kind")


@cache
def _ranges() -> list[tuple[str, str]]:
    """Read which relations have objects of which kind, by their folded labels."""
    return [
        (fold(relation), kind)
        for kind, relations in shipped_toml("queries", "phrasing", "ranges.toml").items()
        for relation in relations
    ]


def _concepts(columns: GraphColumns) -> pl.DataFrame:
    return pl.DataFrame({"kind": columns.concept_labels}).with_row_index("c").drop_nulls()


def _phrases(kind: pl.Expr) -> pl.Expr:
    """Say how a thing of each kind is called with its kind, `{}` standing for its name; null where nobody would."""
    return kind.map_elements(phrase_kind, return_dtype=pl.String)
