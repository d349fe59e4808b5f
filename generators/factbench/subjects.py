"""How questions name what they ask about, so that a stranger can tell who is meant: "the cinematographer Lucien Ballard".

The most popular quarter of a domain goes by its name alone. Of the others people are named with their trade, works with their
year, groups and companies with what they are.

```
>>> trade_in("American comic book writer and editor", {"writer", "editor"})
'comic book writer'

```
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet

import polars as pl

from generators.factbench.kinds import Lists, fitting, kinds_of, only, organization_words, roles, thing_lists
from generators.factbench.namesakes import people_of_common_names
from generators.graph_columns import GraphColumns
from generators.items import mapped
from kg.text import fold, fold_all
from kg.vocab import PREFIXES

_KNOWN = 0.75
"""Who is more popular than this share of a domain's subjects is known by name."""
_PHRASE = re.compile(
    r"\s*(?:[,;(/]|\band\b|&|\bwho\b|\bof\b|\bfrom\b|\bin\b|\bfor\b|\bat\b|\bwith\b|\bborn\b|\bknown\b|\bbest\b)"
)
_AND = re.compile(r"\s*(?:[,;/]|\band\b|&)\s*")
_BYGONE = frozenset(("former", "late", "retired", "deceased", "professional", "famous", "noted"))
_TRADE_WORDS = 3
PEOPLE = {"person": ["human", "person"]}
_SOVEREIGN = r"\b[IVX]{1,5}\b|\bof\b|\bthe [A-Z]|^(?:Pope|Saint|Queen|King|Prince|Princess) "
_COLLECTIVE = r"(?:personnel|staff|people)$"


def trade_in(description: str, occupations: AbstractSet[str]) -> str | None:
    """Return the trade that a description names first, without the nation; null where it begins with none.

    Parameters: `occupations` are folded names of trades, or their last words.

    >>> trades = {"actor", "film producer", "producer", "player"}
    >>> trade_in("Scottish actor (born 1971)", trades), trade_in("Film producer", trades), trade_in("city in Japan", trades)
    ('actor', 'film producer', None)
    >>> trade_in("former American tennis player", trades), trade_in("Rock-and-roll player", trades)
    ('tennis player', None)
    """
    phrase = _PHRASE.split(description.strip(), maxsplit=1)[0].strip()
    if fold(phrase) in occupations:
        return phrase[:1].lower() + phrase[1:]
    words = phrase.split()
    first = next((i for i in range(len(words) - 1, -1, -1) if not words[i].replace("-", "").islower()), -1) + 1
    kept = [word for word in words[first:] if word not in _BYGONE]
    if not 0 < len(kept) <= _TRADE_WORDS or not kept[0][0].isalpha() or fold(kept[-1]) not in occupations:
        return None
    return " ".join(kept)


def trades_of(columns: GraphColumns, descriptions: pl.DataFrame, occupations: Lists, people: Mapping[str, str]) -> pl.DataFrame:
    """Return what each person is by trade: e, trade, guessed; as the description says it, else by role and occupations.

    Next counts the role in which most facts name a person ("director"), then what most of the occupations share ("actor"), then
    what people of the domain are called to which two thirds of them belong: a chemist who was minister once is a scientist.

    Parameters: `descriptions` has e and description; `occupations` are those of each domain, `people` what their bearers are.
    """
    named = columns.relations.with_row_index("p").filter(
        (pl.col("iri") == f"{PREFIXES['wdt']}P106") | pl.col("names").list.contains("occupation")
    )
    labels = columns.entities.select(trade="label").with_row_index("o")
    pairs = columns.facts.join(named.select("p"), on="p", how="semi").select(e="s", o="o").unique()
    played = _roles(columns)
    pairs = (
        pairs.join(labels.filter(~pl.col("trade").str.contains(_COLLECTIVE)), on="o")
        .drop_nulls("trade")
        .with_columns(n=pl.len().over("o"))
    )
    lists = list(occupations)
    own = fitting(only(columns.entities["label"], pairs["o"]), occupations).select(
        o="n", list=pl.col("order").replace_strict(dict(enumerate(lists)))
    )
    pairs = pairs.join(own, on="o", how="left")
    pairs = pairs.with_columns(listed=pl.col("list").count().over("e"))
    pairs = pairs.with_columns(alike=pl.when(pl.col("list").is_not_null()).then(pl.len().over("e", "list")).otherwise(0))
    ranked = pairs.sort(["e", "alike", "n", "trade"], descending=[False, True, True, False])
    common = ranked.unique("e", keep="first", maintain_order=True)
    whole = {fold(trade) for trade in pairs["trade"].unique()}
    known = whole | {trade.rpartition(" ")[2] for trade in whole}
    known |= {re.sub("tor$", "tress", trade) for trade in known}
    # A graph knows some occupations of a person, and none says that he is known by it: what they share is surer.
    sure = _shared(pairs)
    most = common.filter(pl.col("alike") * 3 >= pl.col("listed") * 2)
    broad = most.select("e", broad=pl.col("list").replace_strict(people, default=None, return_dtype=pl.String))
    every = pl.concat([part.select("e") for part in (sure, broad, played, descriptions)]).unique(maintain_order=True)
    every = every.join(pl.concat([pairs.select("e"), played.select("e")]).unique(), on="e", how="semi", maintain_order="left")
    told = every
    for part in (sure, broad, played, descriptions):
        told = told.join(part, on="e", how="left", maintain_order="left")
    told = told.with_columns(first=mapped(told["description"].fill_null(""), lambda text: _first_trade(text, known) or ""))
    told = told.with_columns(pl.col("first").replace("", None), head=mapped(told["first"], _head_of))
    # Who is a rapper and an actor is surely neither where the graph knows of the acting alone.
    own = pairs.select("e", mapped(pairs["trade"], _head_of)).group_by("e").agg(own="trade")
    told = told.join(own, on="e", how="left", maintain_order="left")
    told = told.with_columns(said=pl.when(pl.col("own").is_null() | pl.col("own").list.contains(pl.col("head"))).then("first"))
    trade = pl.coalesce("said", "first", "role", "sure", "broad")
    return told.select("e", trade=trade, guessed=pl.col("said").is_null()).drop_nulls("trade")


def _first_trade(description: str, occupations: AbstractSet[str]) -> str | None:
    """Return the trade that a description names first.

    >>> _first_trade("activist, musician and poet", {"musician", "poet"})
    'musician'
    """
    return next((trade for part in _AND.split(description) if (trade := trade_in(part, occupations))), None)


def _head_of(trade: str) -> str:
    return re.sub("tress$", "tor", fold(trade).rpartition(" ")[2])


def _shared(pairs: pl.DataFrame) -> pl.DataFrame:
    """Return the word in which most of each person's occupations end, two at least: e, sure ("actor" of film and stage actors).

    It is itself an occupation, and a commoner one than those that end in it.
    """
    counts = dict(pairs.select("trade", "n").unique().iter_rows())
    heads = {trade: head for trade in counts if counts.get(head := trade.rpartition(" ")[2], 0) >= counts[trade]}
    each = pairs.select("e", "n", sure=pl.col("trade").replace_strict(heads, default=None, return_dtype=pl.String))
    each = (
        each.with_columns(all=pl.len().over("e")).drop_nulls("sure").group_by("e", "sure").agg(pl.len(), pl.col("all").first())
    )
    most = each.filter(pl.col("len") > 1, pl.col("len") * 2 >= pl.col("all"))
    return most.unique("e", keep="none").select("e", "sure")


def _roles(columns: GraphColumns) -> pl.DataFrame:
    """Return whom facts name, or say to do something, in one role more than in any other, twice at least: e, role."""
    ids = columns.relations.select(id=pl.col("iri").str.strip_prefix(PREFIXES["wdt"])).with_row_index("p")
    named = [
        columns.facts.join(ids.with_columns(role=pl.col("id").replace_strict(trades, default=None)), on="p").select(
            "role", e=end
        )
        for end, trades in zip(("o", "s"), roles(), strict=True)
    ]
    counts = pl.concat(named).drop_nulls("role").join(kinds_of(columns, PEOPLE), on="e", how="semi").group_by("e", "role").len()
    most = counts.filter(pl.col("len") == pl.col("len").max().over("e"), pl.col("len") > 1)
    return most.unique("e", keep="none").select("e", "role")


def described(
    entities: pl.DataFrame, columns: GraphColumns, descriptions: pl.DataFrame, occupations: Lists, people: Mapping[str, str]
) -> pl.DataFrame:
    """Return entities with `said`, as a question names them, `plain`, without what is added, `added`, `known` and `common`.

    Parameters: `entities` has e, subject, named (with its article, or as a work in quotation marks), work, domain,
    concepts, popularity. `added` is null where nothing is; `common`: whether many bear the name.
    """
    things = kinds_of(columns, thing_lists()).rename({"kind": "thing"})
    years = columns.years.drop_nulls("year").select("e", when=pl.col("year").cast(pl.String))
    rows = entities
    for part in (trades_of(columns, descriptions, occupations, people), things, years):
        rows = rows.join(part, on="e", how="left", maintain_order="left")
    top = (pl.col("popularity").rank("average").over("domain") / pl.col("popularity").count().over("domain")).fill_null(
        0
    ) > _KNOWN
    words = pl.col("subject").str.split(" ").list.len()
    rows = rows.with_columns(top=top, words=words, last=fold_all(rows["subject"].str.extract(r"(\S+)$")))
    kinds = {fold(label.rpartition(" ")[2]) for label in columns.concept_labels.drop_nulls()}
    kinds |= {fold(word) for word in organization_words()["trade"]}
    bare = (rows["words"] <= 2) & ~rows["last"].is_in(list(kinds)) & ~rows["subject"].str.starts_with("The ")
    # "Louis XIV of France": such a name says already who is meant, and a trade beside it sounds odd.
    sovereign = pl.col("subject").str.contains(_SOVEREIGN).fill_null(False)
    human = rows["trade"].is_not_null() | rows["e"].is_in(kinds_of(columns, PEOPLE)["e"].implode())
    rows = rows.with_columns(common=people_of_common_names(rows["subject"], human))
    # A trade that nothing says outright sounds odd as often as not, and stands where the name alone tells too little.
    needed = (pl.col("words") == 1) | pl.col("common")
    trade = pl.when((needed | ~pl.col("top") & ~pl.col("guessed")) & ~sovereign).then("trade")
    little = ~pl.col("top") | (pl.col("words") == 1)
    label = (pl.col("thing") == "record label") & ~rows["last"].is_in(list(kinds))
    thing = pl.when((little & bare | label) & pl.col("trade").is_null()).then("thing")
    added = pl.when(pl.col("work").is_null()).then(pl.coalesce(trade, thing))
    rows = rows.with_columns(added=added)
    dated = pl.when(pl.col("when").str.contains(r"^\d{4}$")).then(pl.format("the {} {} “{}”", "when", "work", "subject"))
    with_trade = pl.format("the {} {}", "added", pl.col("named").str.replace("^the ", ""))
    rows = rows.with_columns(said=pl.coalesce(dated, with_trade, "named"), plain="named")
    # Who has a trade is a person, whether or not the graph says so.
    person = pl.when(pl.col("trade").is_not_null() & pl.col("concepts").is_null()).then(pl.lit(["person"]))
    rows = rows.with_columns(concepts=pl.coalesce("concepts", person))
    return rows.rename({"top": "known"}).drop("trade", "guessed", "thing", "when", "words", "last", "named")


def without_what_tells(rows: pl.DataFrame) -> pl.DataFrame:
    """Name subjects plainly where what is added says a word of the answer, or where a date is asked for."""
    named = rows.select("added", "answers", "type").with_row_index("row").filter(pl.col("type") == "entity").drop_nulls("added")
    each = named.explode("answers").drop_nulls("answers")
    words = pl.DataFrame({"row": each["row"], "word": fold_all(each["answers"]).str.split(" "), "own": fold_all(each["added"])})
    own = words.with_columns(pl.col("own").str.split(" "))
    told = own.filter(pl.col("word").list.set_intersection("own").list.len() > 0)["row"].unique()
    tells = pl.int_range(pl.len(), dtype=pl.UInt32).is_in(told.implode())
    dated = (pl.col("type") == "date") & pl.col("work").is_not_null()
    return rows.with_columns(said=pl.when(tells | dated).then("plain").otherwise("said"))
