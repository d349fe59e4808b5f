"""The texts of a family: taken apart once, rendered a column at a time.

A filled-in value is never read as a placeholder, whatever braces it holds. `{slot:a}` and `{slot:the}` are worked out once
for every distinct value (`generators.articles`).

```
>>> frame = pl.DataFrame({"title": ["Jaws", "{year}"], "year": ["1975", None]})
>>> frame.select(text=wording("{title} is {{a}} film?").expr()).to_series().to_list()
['Jaws is {a} film?', '{year} is {a} film?']

```
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from string import Formatter

import polars as pl

from generators.articles import Slot, article_columns
from generators.family.rows import others
from queries.templates.front import Choice, Explained, Front

__all__ = ["Wording", "explained", "option_texts", "placeholders", "with_articles", "wording"]

_SPARE = "\0article "


@dataclass(frozen=True)
class Wording:
    """A text in pieces: plain text, and places for the values of slots."""

    pieces: tuple[str | Slot, ...]

    @cached_property
    def slots(self) -> list[str]:
        """The slots it names, each once, in order."""
        return list(dict.fromkeys(p.name for p in self.pieces if isinstance(p, Slot)))

    @property
    def articles(self) -> set[Slot]:
        """The places that ask for an article."""
        return {p for p in self.pieces if isinstance(p, Slot) and p.article}

    def expr(self, instead: Mapping[str, str] | None = None) -> pl.Expr:
        """Render the text for every row of a frame; null where a value is missing.

        `instead` names other columns for some slots. A text that begins with a value begins with a capital.
        """
        columns = instead or {}
        parts = [pl.lit(p) if isinstance(p, str) else pl.col(_column(p, columns)) for p in self.pieces]
        text = pl.concat_str(parts)
        if isinstance(self.pieces[0], str):
            return text
        return pl.concat_str([text.str.slice(0, 1).str.to_uppercase(), text.str.slice(1)])


def wording(text: str) -> Wording:
    """Take a text of a family's front matter apart (its placeholders were checked when the file was read).

    >>> wording("Is {star:a} in it?").pieces
    ('Is ', Slot(name='star', article='a'), ' in it?')
    """
    pieces: list[str | Slot] = []
    for plain, slot, article, _ in Formatter().parse(text):
        if plain:
            joined = isinstance(pieces[-1], str) if pieces else False
            pieces = [*pieces[:-1], f"{pieces[-1]}{plain}"] if joined else [*pieces, plain]
        if slot is not None:
            pieces.append(Slot(slot, article or ""))
    return Wording(tuple(pieces))


def placeholders(front: Front) -> list[str]:
    """Return the slots that a family's questions and options mention, each once; probes speak of others."""
    texts: list[str] = []
    for text in (front.question or {}).values():
        texts += [text] if isinstance(text, str) else [text.stem, *option_texts(text)]
    return list(dict.fromkeys(slot for text in texts for slot in wording(text).slots))


def option_texts(choice: Choice) -> list[str]:
    """Return every text that an option may have."""
    return [t for said in choice.options.values() for t in ([said] if isinstance(said, str) else said.values())]


def explained(frame: pl.DataFrame, front: Front) -> pl.DataFrame:
    """Add what explains each fact (`\\0explained`): the sentences of `explain`, or one for each slot of the rationale.

    A sentence that lacks a value is left out; a slot of several values is listed with all of them.
    """
    listed = {slot: f"\0listed {slot}" for slot in front.many if slot in frame.columns}
    frame = frame.with_columns(_listed(slot).alias(column) for slot, column in listed.items())
    said = []
    for sentence in front.explain or _sentences(front):
        some = wording(sentence if isinstance(sentence, str) else sentence.some)
        none = None if isinstance(sentence, str) else wording(sentence.none)
        frame = with_articles(frame, {*some.articles, *(none.articles if none else ())}, listed)
        said.append(pl.coalesce(some.expr(listed), none.expr(listed)) if none else some.expr(listed))
    return frame.with_columns(pl.concat_str(said, separator=" ", ignore_nulls=True).alias("\0explained"))


def _sentences(front: Front) -> list[str | Explained]:
    """What explains a family that says nothing itself: "The city is Rome."."""
    hidden = front.rationale if front.rationale is not None else front.answers or ([front.claim.slot] if front.claim else [])
    found: list[str | Explained] = []
    for slot in hidden:
        name, plural = slot.replace("_", " "), slot in front.many
        some = f"{name.capitalize()}: {{{slot}}}." if plural else f"The {name} is {{{slot}}}."
        found.append(Explained(some=some, none=f"There is no {name}.") if plural else some)
    return found


def _listed(slot: str) -> pl.Expr:
    """Write several values as people do: "1908, 1948 and 2012"."""
    rest = pl.col(others(slot)).fill_null([])
    most = pl.concat_list(slot).list.concat(rest.list.head(rest.list.len().cast(pl.Int64) - 1)).list.join(", ")
    return pl.when(rest.list.len() == 0).then(pl.col(slot)).otherwise(most + " and " + rest.list.last())


def with_articles(frame: pl.DataFrame, places: Iterable[Slot], columns: Mapping[str, str] | None = None) -> pl.DataFrame:
    """Add the columns that hold a value with its article."""
    for place in sorted(places, key=lambda p: (p.name, p.article)):
        source = (columns or {}).get(place.name, place.name)
        made = article_columns(frame[source])[f"label_{place.article}"]
        frame = frame.with_columns(made.alias(_column(place, columns or {})))
    return frame


def _column(place: Slot, columns: Mapping[str, str]) -> str:
    source = columns.get(place.name, place.name)
    return f"{source}{_SPARE}{place.article}" if place.article else source
