"""How a passage may call an entity: by its name, by "he", "she" or "it", as "the city", or by a short name ("Spielberg").

The lists are `passages.toml`; what a graph does not say is not guessed: without a known gender there is no pronoun.
"""

from __future__ import annotations

import re
from functools import cache

import polars as pl

from generators.articles import article_columns, is_several, the_column
from generators.autodebug.wording import lists, load_wordings
from generators.fpq.tense import gone
from generators.graph_columns import GraphColumns, once
from generators.nouns import is_plural
from kg.text import fold_all

_GIVEN = r"(?:[A-Z][a-zà-ÿ'’]+(?:-[A-Z][a-zà-ÿ]+)*|[A-Z]\.)"
_SHORT = rf"^{_GIVEN} (?:{_GIVEN} ){{0,2}}([A-Z][a-zà-ÿ][\w’'-]*)$"
"""Two to four plain words, each with a capital: "Steven Spielberg", not "Louis XIV" or "Leonardo da Vinci"."""
_NO_NAME = r"[()\[\]]|^[0-9]+$|^(?:I|It|He|She|Her|Him|We|Us|They|Them|You)$"
"""What no passage can call its subject: what has brackets, a number ("1941", the film), a pronoun; nor most common nouns."""
_COUNTED = r"^\P{Lu}| (?:Award|Prize|Medal)(?: for |$)"
_PARTICLE = r" (?:Al|Ben|Bin|Da|De|Del|Della|Den|Der|Di|Du|El|La|Le|Mac|St\.|Ter|Van|Von) "
"""Words that belong to the name behind them: "Van Zandt"."""


def entity_names(columns: GraphColumns) -> pl.DataFrame:
    """Return a row for each entity, in their order, with what it may be called.

    `e`, `iri`, `label`, `the`, `a` (with articles), `key` (the folded label between blanks), `person`, `he` ("he", "she" or
    null), `noun` ("city" or null), `short` (a person's last name, or null), `several` (a verb speaks of it as of several),
    `callable` (a sentence can be about it).
    What it is: `kind` (one of `wording.CLASSES`), `genus` ("rock band" or null) and `genus_iri`, the concept that says
    so, else the relation `genre_p` and its object `genre_o` that do; `gone`, whether it is no more; `demonym`, who is of a
    country ("German" or null).

    >>> from kg import open_graph
    >>> names = entity_names(GraphColumns.of(open_graph(), seed=0))
    >>> names.filter(pl.col("label") == "Danube").select("the", "noun", "person", "short").row(0)
    ('the Danube', 'river', False, None)
    >>> names.filter(pl.col("label") == "Steven Spielberg").select("he", "noun", "person", "short").row(0)
    (None, None, True, 'Spielberg')
    """
    concepts = concepts_of(columns)
    joined = _labelled(columns, concepts)
    noun = pl.when(~pl.col("person")).then("noun")
    named = joined.select(
        "e", "iri", "label", "the", "a", "key", "person", "he", "several", noun=noun, short=_short(columns, joined)
    )
    named = _with_genus(columns, _with_class(columns, named))
    lower, common = pl.col("label").str.contains(r"^\p{Ll}"), lists()["common"]
    the = pl.when(lower & pl.col("noun").is_in(common["the"])).then(pl.format("the {}", "label")).otherwise("the")
    fit = ~lower | pl.col("noun").is_in([*common["bare"], *common["the"]]).fill_null(False)
    return named.with_columns(
        the=the,
        callable=~pl.col("label").str.contains(_NO_NAME) & fit,
        genus=pl.when(~pl.col("person")).then("genus"),
        gone=gone(columns),
        demonym=pl.col("label").replace_strict(_demonyms(), default=None, return_dtype=pl.String),
    )


def _labelled(columns: GraphColumns, concepts: pl.DataFrame) -> pl.DataFrame:
    """Return each entity with its names and articles, whether it is a person, he or she, and its noun."""
    kinds = concepts.group_by("e").agg(concepts="concept")
    typed = columns.entities.select("iri").with_row_index("e").join(kinds, on="e", how="left", maintain_order="left")
    label = columns.entities["label"]
    the = the_column(label.fill_null(columns.entities["iri"]), typed["concepts"].fill_null([]))
    # A name has no "a", but for a prize that many get.
    common = typed.select("e", "concepts", label=label).filter(pl.col("label").str.contains(_COUNTED))
    ways = article_columns(common["label"], common["concepts"].fill_null([]))
    a = typed.select("e").join(common.select("e", a=ways["label_a"]), on="e", how="left", maintain_order="left")["a"]
    plural = typed.select("e", "concepts", label=label).filter(pl.col("label").str.ends_with("s"))
    several = [e for e, kinds, text in plural.iter_rows() if is_several(text, kinds or ())]
    named = typed.select("e", "iri", several=pl.col("e").is_in(several))
    named = named.with_columns(label=label, the=the, a=a.fill_null(the)).select("e", "iri", "label", "the", "a", "several")
    named = named.with_columns(key=" " + pl.Series(fold_all(named["label"])) + " ")
    marks = _people(columns, concepts).join(_nouns(concepts), on="e", how="full", coalesce=True)
    return named.join(marks, on="e", how="left", maintain_order="left").with_columns(pl.col("person").fill_null(False))


def _short(columns: GraphColumns, named: pl.DataFrame) -> pl.Expr:
    """Return the last name of a person, where that is known to stand last."""
    people = lists()["people"]
    family_first = named["e"].is_in(_objects(columns, "citizenship", people["family_first"]).implode())
    western = named["e"].is_in(_citizens(columns, list(lists()["demonyms"].values())).implode())
    called = named["e"].is_in(_called_by_the_last(columns, named).implode())
    parts = (pl.col("words").list.first(), pl.col("words").list.last())
    known = western | called | _shared(named, parts[0]) | _shared(named, parts[1])
    short = pl.when(pl.col("person") & pl.lit(~family_first & known)).then(pl.col("label").str.extract(_SHORT))
    return pl.when(~pl.col("label").str.contains(_PARTICLE)).then(short)


def _with_class(columns: GraphColumns, named: pl.DataFrame) -> pl.DataFrame:
    """Add the `kind` of each thing: by its noun, else by its facts."""
    classes = {noun: kind for kind, nouns in lists()["classes"].items() for noun in nouns}
    kind = pl.when("person").then(pl.lit("person")).otherwise(pl.col("noun").replace_strict(classes, default=None))
    named = named.with_columns(kind=kind)
    named = named.join(_kinds(columns, named), on="e", how="left", maintain_order="left")
    return named.with_columns(pl.coalesce("kind", "like", pl.lit("other")).alias("kind")).drop("like")


def _with_genus(columns: GraphColumns, named: pl.DataFrame) -> pl.DataFrame:
    """Add what each thing is, in words: its `genus` by a concept, else by a genre; its noun agrees with that."""
    named = named.join(_genera(columns), on="e", how="left", maintain_order="left")
    # "A record label … The company" would be two things.
    head = pl.col("genus").str.split(" ").list.last().replace_strict(lists()["nouns"], default=None, return_dtype=pl.String)
    named = named.with_columns(noun=pl.when(pl.col("noun").is_not_null()).then(pl.coalesce(head, "noun")))
    named = named.join(_by_genre(columns), on="e", how="left", maintain_order="left")
    unknown = ~pl.col("person") & pl.col("genus").is_null() & pl.col("like_noun").is_not_null()
    return named.with_columns(
        noun=pl.when(unknown).then("like_noun").otherwise("noun"), kind=pl.when(unknown).then(pl.lit("work")).otherwise("kind"),
        genus=pl.when(unknown).then("like_noun").otherwise("genus"),
        the=pl.when(unknown).then("label").otherwise("the"),  # the film "This Means War" is no war
    ).drop("like_noun")  # fmt: skip


def _demonyms() -> dict[str, str]:
    return {country: demonym for demonym, countries in lists()["demonyms"].items() for country in countries}


@once
def concepts_of(columns: GraphColumns) -> pl.DataFrame:
    """Return what each entity is: e, concept; by the labels of its concepts, and by the relations that it is an object of.

    What somebody received is an award, even where the graph names no concept of it.
    """
    concepts = columns.concepts.join(pl.DataFrame({"concept": columns.concept_labels}).with_row_index("c"), on="c")
    wordings = [load_wordings().of(label, *names) for label, names in columns.relations.select("label", "names").iter_rows()]
    roles = pl.DataFrame(
        {"concept": [None if wording is None else wording.object for wording in wordings]}, schema={"concept": pl.String}
    )
    roles = roles.with_row_index("p").drop_nulls()
    objects = columns.facts.select(e="o", p="p").join(roles, on="p").select("e", "concept")
    return pl.concat([concepts.select("e", "concept"), objects]).drop_nulls().unique().sort("e", "concept")


def _shared(names: pl.DataFrame, part: pl.Expr) -> pl.Series:
    """Say of whose name a part is that of another person too: "Steven" in "Steven Spielberg"; in "Black Thought" none is."""
    parts = names.select(words=pl.when("person").then(pl.col("label").str.split(" "))).select(part=part).to_series()
    known = parts.drop_nulls()
    return parts.is_in(known.filter(known.is_duplicated()).unique().implode()).fill_null(value=False)


def _called_by_the_last(columns: GraphColumns, names: pl.DataFrame) -> pl.Series:
    """Return those who have the last word of their name as another name ("Spielberg")."""
    last = names.select("e", alias=pl.col("label").str.split(" ").list.last())
    return columns.aliases.select(pl.col("e").cast(pl.UInt32), "alias").join(last, on=["e", "alias"])["e"]


def _people(columns: GraphColumns, concepts: pl.DataFrame) -> pl.DataFrame:
    """Return who is a person, with "he" or "she" where the graph says so: e, person, he."""
    words = lists()["people"]
    known = concepts.filter(fold_all(concepts["concept"]).is_in(words["concepts"])).select("e").unique()
    he, she = (_objects(columns, "gender", words[name]) for name in ("he", "she"))
    only = pl.col("e")
    is_he, is_she = only.is_in(he.implode()), only.is_in(she.implode())
    pronoun = pl.when(is_he & ~is_she).then(pl.lit("he")).when(is_she & ~is_he).then(pl.lit("she"))
    return known.with_columns(person=pl.lit(True), he=pronoun)


def _citizens(columns: GraphColumns, countries: list[list[str]]) -> pl.Series:
    """Return the citizens of some countries."""
    return _objects(columns, "citizenship", fold_all(pl.Series([name for names in countries for name in names])).to_list())


def _objects(columns: GraphColumns, relation: str, values: list[str]) -> pl.Series:
    """Return the entities of which a relation of `passages.toml` has one of some values."""
    names = lists()["people"][relation]
    relations = columns.relations.with_row_index("p").filter(pl.col("names").list.set_intersection(names).list.len() > 0)
    objects = columns.labels.filter(pl.col("label").is_in(values))["e"]
    facts = columns.facts.filter(pl.col("p").is_in(relations["p"].implode()) & pl.col("o").is_in(objects.implode()))
    return facts["s"].unique()


def _kinds(columns: GraphColumns, named: pl.DataFrame) -> pl.DataFrame:
    """Return of what class a thing is that no concept names: what has a director is a work. e, like."""
    known = columns.facts.select(e="s", p="p").unique().join(named.select("e", "kind"), on="e")
    shares = known.drop_nulls().group_by("p", "kind").len().with_columns(share=pl.col("len") / pl.col("len").sum().over("p"))
    sure = shares.filter((pl.col("share") > _SURE) & (pl.col("len") > 1 / (1 - _SURE)))
    unnamed = known.join(named.filter(pl.col("noun").is_null()).select("e"), on="e", how="semi")
    like = unnamed.filter(pl.col("kind").is_null()).join(sure.select("p", "share", like="kind"), on="p")
    # Nobody is taken for a person who is not said to be one.
    return like.filter(pl.col("like") != "person").sort("e", "share", "like").group_by("e").agg(pl.col("like").last())


def _genera(columns: GraphColumns) -> pl.DataFrame:
    """Return what each entity is, in words that stand behind "is a", and the concept that says so: e, genus, genus_iri.

    The first of the concepts that are listed as they are, else the noun of one, else a concept that is a plain common noun.
    """
    nouns, described = lists()["nouns"], lists()["described"]
    whole = fold_all(columns.concept_labels)
    label = whole.to_list()
    rank: list[int | None] = []
    genus: list[str | None] = []
    places = {name: place for place, name in enumerate(described["concepts"])}
    order = {noun: place for place, noun in enumerate(nouns)}
    for name, written in zip(label, columns.concept_labels.to_list(), strict=True):
        head = _HEAD.split(name or "")[0].rpartition(" ")[2]
        if name in places:
            rank.append(places[name])
            genus.append(described["plainly"].get(name, name))
        elif name in nouns or head in nouns:
            rank.append(1000 + order[name if name in nouns else head])
            genus.append(nouns[name if name in nouns else head])
        else:
            plain = name is not None and _PLAIN_GENUS.fullmatch(written) is not None and not _plural(head)
            rank.append(5000 + len(written.split()) if plain else None)
            genus.append(written if plain else None)
    known = pl.DataFrame({"genus_iri": columns.concept_iris, "genus": genus, "rank": rank}, schema_overrides=_GENUS)
    known = known.with_row_index("c").drop_nulls("rank")
    rows = columns.concepts.join(known, on="c").sort("e", "rank", "c")
    return rows.group_by("e", maintain_order=True).agg(pl.col("genus", "genus_iri").first())


def _by_genre(columns: GraphColumns) -> pl.DataFrame:
    """Return what a thing is by its genre, where that says so: what is a "drama film" is a film.

    e, like_noun, and the fact that says so: genre_p, genre_o.
    """
    kinds = [
        p
        for p, (label, names) in enumerate(columns.relations.select("label", "names").iter_rows())
        if (wording := load_wordings().written(label, *names)) is not None and wording.way("work").lead == "kind"
    ]
    works = lists()["classes"]["work"]
    genres = columns.facts.filter(pl.col("p").is_in(kinds)).select(e="s", genre_p="p", o="o")
    names = columns.labels.select(o="e", noun=pl.col("label").str.extract(r"^\S+ (\S+)$"))
    named = genres.join(names.filter(pl.col("noun").is_in(works)), on="o")
    # A thing of two such nouns ("drama film", "crime novel") is nobody knows which.
    one = (
        named.sort("e", "genre_p", "o")
        .group_by("e")
        .agg(
            pl.col("genre_p").first(),
            like_noun=pl.col("noun").first(),
            genre_o=pl.col("o").first(),
            several=pl.col("noun").n_unique(),
        )
    )
    return one.filter(pl.col("several") == 1).select("e", "like_noun", pl.col("genre_p", "genre_o").cast(pl.Int64))


_plural = cache(is_plural)
_SURE = 0.9
"""Where so many of a relation's subjects are of one class, the others are taken for it."""
_HEAD = re.compile(r" (?:of|in|for) ")
_PLAIN_GENUS = re.compile(r"[a-z]{3,}(?: [a-z]{3,}){0,2}")
_GENUS = {"genus": pl.String, "rank": pl.Int64}


def _nouns(concepts: pl.DataFrame) -> pl.DataFrame:
    """Return what each entity may be called after its concepts: the first of the list that one of them is."""
    nouns = lists()["nouns"]
    rank = pl.DataFrame({"word": list(nouns), "noun": list(nouns.values())}).with_row_index("rank")
    folded = concepts.with_columns(whole=fold_all(concepts["concept"]))
    head = pl.col("whole").str.split(" of ").list.first().str.split(" in ").list.first().str.split(" ").list.last()
    worded = pl.concat([folded.select("e", word="whole"), folded.select("e", word=head)]).join(rank, on="word")
    return worded.sort("rank").group_by("e", maintain_order=True).agg(pl.col("noun").first())
