"""Questions: a property's wordings, one drawn by hash for each fact and filled, and the answers that it does not say.

```
>>> in_plural("In what year was {s} founded?"), in_plural("Where does {s} have its seat?")
('In what year were {s} founded?', 'Where do {s} have their seat?')

```
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

import polars as pl

from generators.draw import keys_of
from generators.factbench.answers import unit_named
from generators.factbench.kinds import heads
from generators.factbench.wordings import Wording, Wordings
from generators.items import mapped
from kg.text import fold, fold_all

_GROUPS = frozenset(
    ("team", "club", "band", "group", "duo", "trio", "franchise", "brothers", "mountain range", "island group", "archipelago")
)
_VERBS = {"was": "were", "is": "are", "does": "do", "has": "have", "{is}": "{are}", "{does}": "{do}"}
_PAST = {"is": "was", "does": "did", "are": "were", "do": "did"}
"""What a question says of who has died, and of what is no more."""
_NO_TEXTS = pl.lit([], pl.List(pl.String))
_SLOTS = {"s": "said", "kind": "kind", "unit": "many", "year": "year"}
_CASE = ("property", "which", "precision", "unsure")
"""What decides which wordings there are to draw from."""
_LONG = 4
"""An answer of so many letters is said by a question in any case of letters; a shorter one ("US", "us") as it is written."""


def asked(rows: pl.DataFrame, wordings: Wordings, seed: int) -> pl.DataFrame:
    """Add the question of each row, `key` (its place in the draw) and `changes`; a wording is drawn by hash.

    Adds `doubt` (in what sources differ about the property of such a subject, or null), whether the subject is too
    `obscure`, `which` of its property's wordings fit the subject, and whether the words are somebody else's, too:
    `reworded`.
    """
    keys = keys_of(seed, (rows["s"] + "\0" + rows["property"]).to_list())
    rows = rows.with_columns(pl.col("unsure").fill_null(False), *_fitted(rows, wordings), key=pl.Series(keys, dtype=pl.UInt64))
    cases = rows.select(_CASE).unique()
    told = pl.DataFrame([_told(wordings, *case) for case in cases.iter_rows()], schema=_TOLD, orient="row")
    cases = pl.concat([cases, told], how="horizontal")
    rows = rows.join(cases, on=_CASE, how="left", nulls_equal=True, maintain_order="left")
    turn = ((pl.col("key") // (1 << 20)) % (1 << 30) % pl.col("texts").list.len()).cast(pl.Int64)
    rows = rows.with_columns(turn=turn, many=mapped(rows["unit"].fill_null(""), _many))
    plural = pl.col("plural") & (pl.col("said") == pl.col("plain"))  # "the band Pixies" is one
    own = pl.when(plural).then("several").otherwise("texts").list.get(pl.col("turn"))
    rows = rows.with_columns(
        question=_filled(rows.with_columns(own=own)),
        unasked=pl.col("unasked") | pl.col("kinds").list.contains(pl.col("kind")).fill_null(False),
        obscure=pl.col("obscure") & ~pl.col("known"),
        reworded=pl.col("by_model").list.contains(pl.col("turn")),
    )
    rows = rows.with_columns(question=_on_islands(pl.col("question")))
    return rows.drop("texts", "several", "kinds", "by_model", "turn", "many")


def _many(unit: str) -> str:
    return unit_named(unit).many if unit else ""


_TOLD = pl.Schema(
    {
        **dict.fromkeys(("texts", "several", "kinds"), pl.List(pl.String)),
        "by_model": pl.List(pl.Int64),
        **dict.fromkeys(("changes", "obscure"), pl.Boolean()),
        "step": pl.String(),
        "since": pl.Int64(),
    }
)
"""What a case's wording says: its texts, in the plural too, where they are by a model; what its property is not asked of."""


def _told(wordings: Wordings, name: str, which: int, precision: str | None, unsure: bool) -> tuple[object, ...]:
    wording = wordings.of(name)
    own = wording.of[which - 1] if which else wording
    may_live = unsure and own.unsure
    texts = own.unsure if may_live else own.questions(precision)
    by_model = () if may_live else tuple(own.written.get(precision or "", ()))
    return texts, tuple(map(in_plural, texts)), own.not_kind, by_model, own.changing, own.known, own.step, own.since


def _fitted(rows: pl.DataFrame, wordings: Wordings) -> list[pl.Series]:
    """Return which wording fits each subject, whether its property is not asked of it, and in what sources differ."""
    each = [(name, tuple(concepts or ())) for name, concepts in rows.select("property", "concepts").iter_rows()]
    # Thousands of subjects share a few lists of concepts.
    found = {case: _fit(wordings.of(case[0]), case[1]) for case in dict.fromkeys(each)}
    columns = {"which": pl.Int64, "unasked": pl.Boolean, "doubt": pl.String}
    return [pl.Series(name, [found[case][i] for case in each], dtype) for i, (name, dtype) in enumerate(columns.items())]


def _fit(wording: Wording, concepts: tuple[str, ...]) -> tuple[int, bool, str | None]:
    ends = _ends(concepts)
    which = next((i for i, other in enumerate(wording.of, 1) if not ends.isdisjoint(_folded(other.concepts))), 0)
    unasked = not ends.isdisjoint(_folded(wording.not_of)) or (wording.only_of and not which)
    differ = not wording.doubtful_of or not ends.isdisjoint(_folded(wording.doubtful_of))
    return which, unasked, wording.doubtful if differ else None


@lru_cache(maxsize=4096)
def _folded(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(fold, words))


def _on_islands(question: pl.Expr) -> pl.Expr:
    """Put "on" for "in" where an island is asked for: "On which island was Ann Curry born?" """
    on = question.str.replace(r"^In (which|what) ", "On $1 ").str.replace(r" in\?$", " on?")
    return pl.when(pl.col("kind") == "island").then(on).otherwise(question)


@lru_cache(maxsize=65536)
def _ends(concepts: tuple[str, ...]) -> frozenset[str]:
    return frozenset(end for concept in concepts for end in heads(concept))


def several_people(concepts: pl.Series) -> pl.Series:
    """Tell of each entity whether it is a team or a group, which is spoken of in the plural where its name is one."""
    return pl.Series([not _GROUPS.isdisjoint(_ends(tuple(each or ()))) for each in concepts.to_list()], dtype=pl.Boolean)


def in_plural(text: str) -> str:
    """Put a wording into the plural.

    >>> in_plural("Where are the headquarters of {s}?"), in_plural("What is the league in which {s} competes?")
    ('Where are the headquarters of {s}?', 'What is the league in which {s} compete?')
    """
    text = re.sub(r"(\b(?:was|is|does|has)|\{is\}|\{does\})(?= \{s\})", lambda match: _VERBS[match[1]], text)
    text = re.sub(r"(?<=\{s\} )([a-z]+s)\b", lambda match: _plural_verb(match[1]), text)
    return re.sub(r"(?<=\{s\} )(.*?)\bits\b", r"\1their", text)


def _plural_verb(verb: str) -> str:
    return _VERBS.get(verb) or re.sub(r"(?<=s|h)es$|s$", "", verb)


def _filled(rows: pl.DataFrame) -> pl.Series:
    """Put names into each row's wording `own`; what stands in a name is never read as a slot."""
    columns = {"": pl.lit(""), **{slot: pl.col(name) for slot, name in _SLOTS.items()}}
    columns |= {now: pl.when("gone").then(pl.lit(was)).otherwise(pl.lit(now)) for now, was in _PAST.items()}
    parted = [(text, *_pieces(text)) for text in rows["own"].unique().drop_nulls()]
    most = max(map(len, parted), default=2)
    parted = [(*each, *[""] * (most - len(each))) for each in parted]
    pieces = pl.DataFrame(parted, ["own", *map(str, range(1, most))], orient="row", schema_overrides={"own": pl.String})
    rows = rows.join(pieces, on="own", how="left", maintain_order="left")
    filled = [
        pl.coalesce(pl.when(pl.col(at) == slot).then(value) for slot, value in columns.items()) if number % 2 else pl.col(at)
        for number, at in enumerate(pieces.columns[1:])
    ]
    return rows.select(pl.concat_str(filled)).to_series()


def _pieces(text: str) -> list[str]:
    """Part a wording into texts and, between them, slots.

    >>> _pieces("How tall is {s}, in {unit}?")
    ['How tall is ', 's', ', in ', 'unit', '?']
    """
    pieces: list[str] = []
    for part in text.split("{"):
        slot, closed, rest = part.partition("}")
        pieces += [slot, rest] if closed else [part]
    return pieces


def _says(words: pl.Expr) -> pl.Expr:
    """Tell of each row whether its subject holds some words."""
    return pl.col("holder").str.contains(pl.format(" {} ", words), literal=True)


def _shared(each: pl.DataFrame, generic: Collection[str]) -> pl.Series:
    """Tell of each answer whether the name of its subject gives it away, or a word that both names have."""
    known = pl.Series([*generic, ""], dtype=pl.String).implode()
    first = pl.col("answers") == pl.col("value")
    rows = each.select("holder", "label", first=first, city=fold_all(each["answers"].str.extract(r"^(.+), ")))
    rows = rows.with_columns(whole=fold_all(pl.select(pl.when(each.select(first).to_series()).then(each["value"])).to_series()))
    named = rows.with_row_index("i").filter(pl.col("whole") != "")
    both = pl.col("whole").str.split(" ").list.set_intersection(pl.col("holder").str.split(" "))
    common = named.select("i", word=both).explode("word").filter(~pl.col("word").is_in(known))["i"]
    whole = pl.format(" {} ", "whole").str.contains(pl.format(" {} ", "label"), literal=True)
    city = pl.col("holder").str.contains(pl.format(" {} ", "city"), literal=True)
    said = (pl.col("first") & (whole | pl.int_range(pl.len(), dtype=pl.UInt32).is_in(common.implode()))) | city.fill_null(False)
    return rows.select(said).to_series().fill_null(False)


def without_question(rows: pl.DataFrame, generic: Collection[str] = ()) -> pl.Series:
    """Return the accepted answers that the question does not say; none where it says the first or the subject holds any.

    A subject holds an answer also where it has it all but the word for the kind that is asked for ("Which county is Oswego
    in?" "Oswego County"), and what a common noun ends in ("Spain national football team": "association football"). Of a
    date that is asked to the day or month, the year alone gives half of it away; of a city and state the city does, of the
    capital of Delhi "New Delhi", of a school's university any word of its name but that for what it is.

    Parameters: `generic` are the folded words for what things are ("university"); of people (`personal`: the answer is one)
    a shared surname tells nothing.
    """
    rows = rows.with_columns(at=pl.int_range(pl.len(), dtype=pl.UInt32), asking=" " + fold_all(rows["question"]) + " ")
    kept = pl.concat([_of_values(rows), _of_entities(rows, generic)])
    kept = rows.select("at").join(kept, on="at", how="left", maintain_order="left")
    return kept.select(pl.col("answers").fill_null(_NO_TEXTS)).to_series()


def _of_values(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the answers of dates and numbers, none where the question says the value or the year: at, answers."""
    values = rows.filter(pl.col("type") != "entity")
    year = pl.when(pl.col("type") == "date").then(pl.col("value").str.extract(r"^-?0*(\d+)")).otherwise("value")
    said = pl.col("asking").str.contains(pl.format(" {} ", year), literal=True).fill_null(False)
    return values.select("at", answers=pl.when(~said).then("answers"))


def _of_entities(rows: pl.DataFrame, generic: Collection[str]) -> pl.DataFrame:
    """Return the names of entities that the question does not say, none where it gives the answer away: at, answers."""
    named = rows.filter(pl.col("type") == "entity")
    named = named.with_columns(holder=" " + fold_all(named["said"]) + " ", label=fold_all(named["subject"]))
    columns = ("at", "answers", "value", "said", "kind", "personal", "asking", "holder", "label", "subject")
    each = named.select(columns).explode("answers").drop_nulls("answers")
    each = each.with_columns(folded=fold_all(each["answers"]))
    words = pl.format(" {} ", "folded")
    said = pl.col("asking").str.contains(words, literal=True)
    long = (pl.col("folded").str.len_chars() >= _LONG) | pl.col("said").str.contains(pl.col("answers"), literal=True)
    told = long & pl.col("holder").str.contains(words, literal=True)
    without_kind = pl.col("folded").str.strip_suffix(pl.concat_str(pl.lit(" "), pl.col("kind").str.to_lowercase()))
    head = pl.col("answers").str.extract(r" ([a-z]{4,})$")
    told = told | ((without_kind != pl.col("folded")) & _says(without_kind) | _says(head)).fill_null(False)
    told = told | (~pl.col("personal") & _shared(each, generic))
    each = each.with_columns(out=said | told, told=told)
    kept = each.group_by("at").agg(
        given=pl.col("out").first() | pl.col("told").any(), answers=pl.col("answers").filter(~pl.col("out"))
    )
    return kept.select("at", answers=pl.when(~pl.col("given")).then("answers"))
