"""Questions: a property's wordings, one drawn by hash for each fact and filled, and the answers that it does not say.

```
>>> in_plural("In what year was {s} founded?"), in_plural("Where does {s} have its seat?")
('In what year were {s} founded?', 'Where do {s} have their seat?')

```
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
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
_UNWORDED = {
    "which": pl.lit(0, pl.Int64),
    "since": pl.lit(None, pl.Int64),
    **{name: pl.lit(False) for name in ("reworded", "changes", "unasked", "obscure")},
}
_LONG = 4
"""An answer of so many letters is said by a question in any case of letters; a shorter one ("US", "us") as it is written."""


def asked(rows: pl.DataFrame, wordings: Wordings, seed: int) -> pl.DataFrame:
    """Add the question of each row, `key` (its place in the draw) and `changes`; a wording is drawn by hash.

    Adds `doubt` (in what sources differ about the property of such a subject, or null), whether the subject is too
    `obscure`, `which` of its property's wordings fit the subject, and whether the words are somebody else's, too:
    `reworded`.
    """
    keys = keys_of(seed, (rows["s"] + "\0" + rows["property"]).to_list())
    rows = rows.with_columns(key=pl.Series(keys, dtype=pl.UInt64)).with_row_index("row")
    rows = rows.with_columns(turn=(pl.col("key") // (1 << 20)) % (1 << 30), many=mapped(rows["unit"].fill_null(""), _many))
    parts = [_worded(part, wordings.of(str(name))) for (name,), part in rows.group_by("property", maintain_order=True)]
    if not parts:
        return rows.with_columns(question=pl.lit(""), doubt=pl.lit(None, pl.String), **_UNWORDED).drop("turn", "many", "row")
    worded = pl.concat(parts).sort("row").drop("turn", "many", "row")
    return worded.with_columns(question=_on_islands(pl.col("question")))


def _many(unit: str) -> str:
    return unit_named(unit).many if unit else ""


def _worded(rows: pl.DataFrame, wording: Wording) -> pl.DataFrame:
    """Word the questions of one property's facts."""
    known = _fitted(rows["concepts"].to_list(), wording)
    past = [pl.when("gone").then(pl.lit(was)).otherwise(pl.lit(now)).alias(now) for now, was in _PAST.items()]
    rows = rows.with_columns(*past, *known).with_columns(pl.col("unasked") | (wording.only_of & (pl.col("which") == 0)))
    rows = rows.with_columns(unsure=pl.col("unsure").fill_null(False) if "unsure" in rows.columns else pl.lit(False))
    parts = []
    for (variant, precision, unsure), part in rows.group_by("which", "precision", "unsure", maintain_order=True):
        own = wording if variant == 0 else wording.of[int(str(variant)) - 1]
        may_live = bool(unsure and own.unsure)
        texts = own.unsure if may_live else own.questions(str(precision) if precision else None)
        parts.append(_drawn(part, own, texts, () if may_live else list(own.written.get(str(precision or ""), ()))))
    return pl.concat(parts)


def _fitted(concepts: Iterable[list[str] | None], wording: Wording) -> list[pl.Series]:
    """Return which wording fits each subject, whether its property is not asked of it, and in what sources differ."""
    bans = frozenset(map(fold, wording.not_of))
    each = [tuple(names or ()) for names in concepts]
    # Thousands of subjects share a few lists of concepts.
    found = {
        names: (
            _which(names, wording),
            not bans.isdisjoint(_ends(names)),
            wording.doubtful if _is_doubtful(names, wording) else None,
        )
        for names in dict.fromkeys(each)
    }
    columns = {"which": pl.Int64, "unasked": pl.Boolean, "doubt": pl.String}
    return [pl.Series(name, [found[names][i] for names in each], dtype) for i, (name, dtype) in enumerate(columns.items())]


def _drawn(part: pl.DataFrame, own: Wording, texts: Sequence[str], by_model: Collection[int]) -> pl.DataFrame:
    """Fill one of some wordings, drawn by hash, for each row; those at the places `by_model` are a model's."""
    turn = part["turn"] % len(texts)
    plural = pl.col("plural") & (pl.col("said") == pl.col("plain"))  # "the band Pixies" is one
    drawn = [_filled(text) for text in texts]
    if part["plural"].any():
        drawn = [pl.when(plural).then(_filled(in_plural(text))).otherwise(one) for text, one in zip(texts, drawn, strict=True)]
    question = pl.coalesce(pl.when(turn == i).then(text) for i, text in enumerate(drawn))
    return part.with_columns(
        question=question,
        changes=pl.lit(own.changing),
        unasked=pl.col("unasked") | pl.col("kind").is_in(own.not_kind).fill_null(False),
        obscure=own.known & ~part["known"],
        step=pl.lit(own.step, pl.String),
        since=pl.lit(own.since, pl.Int64),
        reworded=turn.is_in(list(by_model)),
    )


def _on_islands(question: pl.Expr) -> pl.Expr:
    """Put "on" for "in" where an island is asked for: "On which island was Ann Curry born?" """
    on = question.str.replace(r"^In (which|what) ", "On $1 ").str.replace(r" in\?$", " on?")
    return pl.when(pl.col("kind") == "island").then(on).otherwise(question)


def _is_doubtful(concepts: tuple[str, ...], wording: Wording) -> bool:
    """Tell whether sources differ about the property of a subject of these concepts."""
    if wording.doubtful is None or not wording.doubtful_of:
        return wording.doubtful is not None
    return not _ends(concepts).isdisjoint(map(fold, wording.doubtful_of))


@lru_cache(maxsize=65536)
def _ends(concepts: tuple[str, ...]) -> frozenset[str]:
    return frozenset(end for concept in concepts for end in heads(concept))


def _which(concepts: tuple[str, ...], wording: Wording) -> int:
    """Return which wording fits a subject of these concepts: 0 is the property's own."""
    ends = _ends(concepts) if wording.of else frozenset()
    return next((i for i, other in enumerate(wording.of, 1) if not ends.isdisjoint(map(fold, other.concepts))), 0)


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


def _filled(text: str) -> pl.Expr:
    """Put names into a wording; what stands in a name is never read as a slot."""
    columns = {"s": "said", "kind": "kind", "unit": "many", "year": "year", **{verb: verb for verb in _PAST}}
    pieces: list[pl.Expr] = []
    for number, piece in enumerate(_pieces(text)):
        pieces.append(pl.col(columns[piece]) if number % 2 else pl.lit(piece))
    return pl.concat_str(pieces)


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
    known = frozenset(generic)
    first = pl.col("answers") == pl.col("value")
    rows = each.select("holder", "label", first=first, city=fold_all(each["answers"].str.extract(r"^(.+), ")))
    rows = rows.with_columns(whole=fold_all(pl.select(pl.when(each.select(first).to_series()).then(each["value"])).to_series()))
    words = rows.select("whole", pl.when(pl.col("whole").is_not_null()).then("holder")).iter_rows()
    common = [
        not known.issuperset({*whole.split()} & {*holder.split()}) if whole and holder else False for whole, holder in words
    ]
    whole = pl.format(" {} ", "whole").str.contains(pl.format(" {} ", "label"), literal=True)
    city = pl.col("holder").str.contains(pl.format(" {} ", "city"), literal=True)
    said = (pl.col("first") & (whole | pl.Series(common, dtype=pl.Boolean))) | city.fill_null(False)
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
