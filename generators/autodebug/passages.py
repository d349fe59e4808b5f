"""From frames of facts to passages: rows become things and facts, `planner` and `more` write them, texts go back into frames.

A frame of *told* facts has a row for each relation of a passage: `row` (which passage), `s` (the subject's number), `p`, `w`
(relation and wording), `objects` (numbers) or `year`, `k` (a number that draws the words) and `support` (whether it is asked).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, NamedTuple

import polars as pl

from generators.autodebug.clauses import (
    OPEN_A,
    OPEN_BARE,
    OPEN_SHORT,
    OPEN_THE,
    Thing,
    Told,
    finished,
    him_of,
    made,
    owner_of,
    worded,
)
from generators.autodebug.facts import Facts
from generators.autodebug.planner import Sentence, enlarged, passage
from generators.autodebug.wording import Wording

_THING = ("e", "label", "the", "a", "person", "he", "noun", "short", "kind", "genus", "gone", "demonym")


class Things:
    """The entities of a graph as things that can be named, each made once."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._columns = [facts.names[name].to_list() for name in _THING]
        self._made: dict[int, Thing] = {}

    def __getitem__(self, number: int) -> Thing:
        if number not in self._made:
            self._made[number] = Thing(*(column[number] for column in self._columns))
        return self._made[number]

    def told(self, row: dict[str, Any]) -> Told:
        """Return a fact of a row of a frame of told facts."""
        objects = tuple(self[o] for o in row["objects"] if o is not None)
        wording = self._facts.wordings[row["w"]]
        return Told(wording, row["p"], objects, row["year"], row["k"], row["support"])


def written(things: Things, told: pl.DataFrame) -> dict[int, list[Sentence]]:
    """Write the original passage of each row of a frame of told facts, where it has a beginning; the answer's place is open."""
    made = {}
    for number, rows in _grouped(told):
        facts = [things.told(row) for row in rows]
        own = next(row for row in rows if row["support"])
        sentences = passage(things[own["s"]], facts, own["where"], own["k"])
        if sentences:
            made[number] = sentences
    return made


def enriched_texts(
    things: Things, original: dict[int, list[Sentence]], told: pl.DataFrame, added: pl.DataFrame
) -> pl.DataFrame:
    """Write more around original passages: `row`, `open` (the answer's place is open), `support`, where that stands `now`.

    Parameters: `told` has the facts of the originals, `added` what is told of other things (`enrich.enriched`).
    """
    own = dict(_grouped(told))
    texts = []
    for number, rows in _grouped(added):
        first = next(row for row in own[number] if row["support"])
        about, asked = things[first["s"]], things.told(first)
        richer = with_more(about, asked, original[number], _added(things, rows))
        if richer is None:
            continue
        texts.append((number, _joined(richer.sentences), _support(original[number]), richer.where))
    return pl.DataFrame(texts, schema=_OPEN, orient="row")


def _added(things: Things, rows: list[dict[str, Any]]) -> Added:
    first = rows[0]
    told = [things.told(row) for row in rows]
    if first["link"] == "own":
        return Added("own", told)
    return Added(first["link"], told, things[first["hub"]], tuple(things[row["s"]] for row in rows))


def original_texts(made: dict[int, list[Sentence]]) -> pl.DataFrame:
    """Return original passages as texts with the answer's place open: `row`, `open`, `support`."""
    rows = [(number, _joined(sentences), _support(sentences), place_of(sentences)) for number, sentences in made.items()]
    return pl.DataFrame(rows, schema=_OPEN, orient="row")


_OPEN = {"row": pl.Int64, "open": pl.String, "support": pl.String, "now": pl.String}


def _joined(sentences: list[Sentence]) -> str:
    return " ".join([sentence.text for sentence in sentences])


def _support(sentences: list[Sentence]) -> str:
    return next(sentence.text for sentence in sentences if sentence.support)


def _grouped(frame: pl.DataFrame) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    for number, rows in groupby(frame.iter_rows(named=True), key=lambda row: row["row"]):
        yield number, list(rows)


def closed(texts: pl.DataFrame, answers: pl.DataFrame) -> pl.DataFrame:
    """Put answers into texts: `row`, `context`, `support`; `answers` has row, label, the, a, short."""
    joined = texts.join(answers, on="row", maintain_order="left")
    return joined.select(
        "row", "now", **{name: _filled(pl.col(column)) for name, column in (("context", "open"), ("support", "support"))}
    )


def _filled(text: pl.Expr) -> pl.Expr:
    """Put the answer into its place; where it begins a sentence it has a capital, and "Jr." brings its own full stop."""
    for mark, column in ((OPEN_THE, "the"), (OPEN_A, "a"), (OPEN_BARE, "label"), (OPEN_SHORT, "short")):
        form = pl.col(column)
        text = text.str.replace_all(mark + ".", form.str.strip_suffix(".") + ".", literal=True)
        begin = form.str.head(1).str.to_uppercase() + form.str.slice(1)
        text = text.str.replace_all(f". {mark}", pl.lit(". ") + begin, literal=True)
        text = text.str.replace_all(mark, form, literal=True)
    return text


def questions(rows: pl.DataFrame, wordings: list[Wording]) -> pl.Series:
    """Write the question of each row: the subject's name is `the`, its `noun` tells how it was made, its wording is `w`."""
    asked = [
        "".join(
            [
                made(noun) if piece.kind == "made" else _in_question(piece.kind, piece.text, the, person)
                for piece in wordings[w].question
            ]
        )
        for w, the, person, noun in rows.select("w", "the", "person", "noun").iter_rows()
    ]
    # A title may end with a question mark of its own.
    return pl.Series([text[:1].upper() + text[1:].replace("??", "?") for text in asked], dtype=pl.String)


def _in_question(kind: str, text: str, the: str, person: bool) -> str:
    if kind == "text":
        return text
    return owner_of(the, person) if kind == "owner" else him_of(the) if kind == "him" else the


@dataclass(frozen=True)
class Added:
    """What is added: more facts of the subject (`told`), or the `works` of which `hub` is what `via` says.

    `link`: "own" (of the subject), "answer" (the hub is what is asked for) or "named" (the passage names the hub).
    """

    link: str
    told: list[Told]
    hub: Thing | None = None
    works: tuple[Thing, ...] = ()


class Enriched(NamedTuple):
    """An enriched passage, and where its supporting sentence stands now."""

    sentences: list[Sentence]
    where: str


def place_of(sentences: Sequence[Sentence]) -> str:
    """Say where the supporting sentence stands; a single sentence is first."""
    at = next(place for place, sentence in enumerate(sentences) if sentence.support)
    return "first" if at == 0 else "last" if at == len(sentences) - 1 else "middle"


def with_more(about: Thing, asked: Told, original: Sequence[Sentence], added: Added) -> Enriched | None:
    """Write an enriched passage; its supporting sentence stays as it is.

    More of the subject stands where it belongs, what somebody did besides behind the passage. None where it has no place.
    """
    if added.link == "own":
        richer = enlarged(about, original, added.told, asked.key)
        return None if richer is None else Enriched(richer, place_of(richer))
    if not _fresh(original, added):
        return None
    richer = [*original, _also(about, original, added)]
    return Enriched(richer, place_of(richer))


def _fresh(passage: Sequence[Sentence], added: Added) -> bool:
    """Tell whether who did more has a short name, and stands first or last: nobody else has come between."""
    assert added.hub is not None
    if added.hub.short is None and " " in added.hub.label:
        return False  # a whole name said twice is stiff
    named = [any(added.hub.number in [thing.number for thing in told.objects] for told in each.told) for each in passage]
    return named[0] or named[-1]


def _also(about: Thing, passage: Sequence[Sentence], added: Added) -> Sentence:
    """Say what somebody did besides: "Scott also directed A and B"; who shares a short name with another has the whole one."""
    told, hub = added.told[0], added.hub
    assert hub is not None
    way = told.wording.way(about.kind)
    assert way.also is not None
    people = {
        thing.label: thing.short for sentence in passage for each in sentence.told for thing in each.objects if thing.person
    }
    alone = [*people.values()].count(hub.short) < 2
    name = hub.short if alone and hub.short else hub.label
    if added.link == "answer":
        name = OPEN_SHORT if alone else OPEN_BARE
    deed = worded(way.also, replace_objects(told, added.works), about)
    return Sentence(finished(f"{name} {deed}"), told=tuple(added.told))


def replace_objects(told: Told, works: tuple[Thing, ...]) -> Told:
    """Return a fact with other objects, each called by its name alone."""
    return told._replace(objects=tuple(replace(work, the=work.label) for work in works), year=None, asked=False)
