"""The texts of a family: taken apart once, rendered a column at a time: questions, the options of choices, explanations.

A filled-in value is never read as a placeholder, whatever braces it holds. `{slot:a}` and `{slot:the}` are worked out once
for every distinct value (`generators.articles`).

```
>>> frame = pl.DataFrame({"title": ["Jaws", "{year}"], "year": ["1975", None]})
>>> frame.select(text=wording("{title} is {{a}} film?").expr()).to_series().to_list()
['Jaws is {a} film?', '{year} is {a} film?']
>>> pl.DataFrame({"title": ["Why?", "Oklahoma!"]}).select(wording("Who wrote “{title}”?").expr()).to_series().to_list()
['Who wrote “Why?”', 'Who wrote “Oklahoma!”?']

```
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from string import Formatter

import polars as pl

from generators.articles import Slot
from generators.family import columns
from generators.family.columns import EXPLANATION, FALSE_SLOT, FALSE_VALUE, listed, norm, others, stated
from generators.family.rows import normal_forms
from generators.family.spelling import in_place
from queries.templates import Choice, Explained, Front


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
        values = [None if isinstance(p, str) else pl.col(_column(p, instead)) for p in self.pieces]
        before = [None, *values[:-1]]
        parts = [
            _joined(piece, ahead) if isinstance(piece, str) else own
            for piece, own, ahead in zip(self.pieces, values, before, strict=True)
        ]
        text = pl.concat_str(parts)
        if isinstance(self.pieces[0], str):
            return text
        return pl.concat_str([text.str.slice(0, 1).str.to_uppercase(), text.str.slice(1)])


_ENDING = re.compile("(”?)([?!.])")


def _joined(text: str, before: pl.Expr | None) -> pl.Expr:
    """Join a text to the value before it: a sign that ends both stands once: "Who wrote “Why?”", "It is in D.C."."""
    ending = _ENDING.match(text)
    if before is None or ending is None:
        return pl.lit(text)
    once = f"{ending[1]}{text[ending.end() :]}"
    return pl.when(before.str.ends_with(ending[2])).then(pl.lit(once)).otherwise(pl.lit(text))


def wording(text: str) -> Wording:
    """Take a text of a family's front matter apart (its placeholders were checked when the file was read).

    >>> wording("Is {star:a} in it?").pieces
    ('Is ', Slot(name='star', article='a'), ' in it?')
    """
    pieces: list[str | Slot] = []
    for plain, slot, article, _ in Formatter().parse(text):
        if plain:  # a doubled brace ends a piece of the parser's, and none of ours
            joined = isinstance(pieces[-1], str) if pieces else False
            pieces = [*pieces[:-1], f"{pieces[-1]}{plain}"] if joined else [*pieces, plain]
        if slot is not None:
            pieces.append(Slot(slot, article or ""))
    return Wording(tuple(pieces))


def placeholders(front: Front) -> list[str]:
    """Return the slots that a family's questions and options mention, each once; probes speak of others."""
    texts: list[str] = []
    for text in (front.question or {}).values():
        texts += [text] if isinstance(text, str) else [text.stem, *_option_texts(text)]
    return list(dict.fromkeys(slot for text in texts for slot in wording(text).slots))


def _option_texts(choice: Choice) -> list[str]:
    """Return every text that an option may have."""
    return [t for texts in choice.options.values() for t in ([texts] if isinstance(texts, str) else texts.values())]


def with_articles(frame: pl.DataFrame, places: Iterable[Slot], instead: Mapping[str, str] | None = None) -> pl.DataFrame:
    """Add the columns that hold a value with its article."""
    filled = list[pl.Series]()
    for place in sorted(places, key=lambda p: (p.name, p.article)):
        source = (instead or {}).get(place.name, place.name)
        filled.append(in_place(frame[source], place.article).alias(_column(place, instead)))
    return frame.with_columns(filled) if filled else frame


def _column(place: Slot, instead: Mapping[str, str] | None) -> str:
    """Name the column that fills a place; `instead` names other columns for some slots."""
    source = (instead or {}).get(place.name, place.name)
    return columns.with_article(source, place.article) if place.article else source


# --- the options of a choice


def statements(frame: pl.DataFrame, choice: Choice, options: Sequence[str]) -> tuple[pl.DataFrame, list[pl.Expr]]:
    """Return the frame with what the texts of a choice need, and an expression for what each option says.

    The frame says which slot was drawn (`FALSE_SLOT`) and what is said of it instead (`FALSE_VALUE`).
    """
    places = {place for text in _option_texts(choice) for place in wording(text).articles}
    frame = with_articles(frame, places)
    texts = []
    for i, slot in enumerate(options):
        column = stated(slot)
        value = pl.when(pl.col(FALSE_SLOT) == i).then(pl.col(FALSE_VALUE)).otherwise(pl.col(slot))
        frame = frame.with_columns(value.alias(column))
        frame = with_articles(frame, {place for place in places if place.name == slot}, {slot: column})
        frame = frame.with_columns(normal_forms(frame[column]).alias(norm(column)))
        texts.append(_statement(choice.options[slot], slot, column))
    return frame, texts


def _statement(texts: str | Mapping[str, str], slot: str, column: str) -> pl.Expr:
    """Say what an option states; null where it has a text for each value, and none for this one."""
    if isinstance(texts, str):
        return wording(texts).expr({slot: column})
    statement = pl.lit(None, pl.String)
    for value, text in texts.items():
        is_value = pl.col(norm(column)) == normal_forms(pl.Series([value]))[0]
        statement = pl.when(is_value).then(wording(text).expr({slot: column})).otherwise(statement)
    return statement


def option_order(n: int, drawn: int, position: int) -> list[int]:
    """Return the statements in order: the one that was drawn in its position, the others as the family lists them.

    Where all are true, the first one takes the position, so that the order tells nothing.

    >>> option_order(3, 0, 2)
    [1, 2, 0]
    """
    others = [i for i in range(n) if i != drawn]
    return [*others[:position], drawn, *others[position:]]


# --- explanations


def with_explanations(frame: pl.DataFrame, front: Front) -> pl.DataFrame:
    """Add what explains each fact (`EXPLANATION`): the sentences of `explain`, or one for each slot of the rationale.

    A sentence that lacks a value is left out; a slot of several values is listed with all of them.
    """
    instead = {slot: listed(slot) for slot in front.many if slot in frame.columns}
    frame = frame.with_columns(_all_values(slot).alias(column) for slot, column in instead.items())
    sentences = []
    for sentence in front.explain or _sentences(front):
        some = wording(sentence if isinstance(sentence, str) else sentence.some)
        none = None if isinstance(sentence, str) else wording(sentence.none)
        frame = with_articles(frame, {*some.articles, *(none.articles if none else ())}, instead)
        sentences.append(pl.coalesce(some.expr(instead), none.expr(instead)) if none else some.expr(instead))
    return frame.with_columns(pl.concat_str(sentences, separator=" ", ignore_nulls=True).alias(EXPLANATION))


def rationale_slots(front: Front) -> list[str]:
    """The slots that a right explanation names."""
    if front.rationale is not None:
        return list(front.rationale)
    return list(front.answers) or ([front.claim.slot] if front.claim else [])


def _sentences(front: Front) -> list[str | Explained]:
    """What explains a family that says nothing itself: "The city is Rome."."""
    sentences: list[str | Explained] = []
    for slot in rationale_slots(front):
        name, plural = slot.replace("_", " "), slot in front.many
        some = f"{name.capitalize()}: {{{slot}}}." if plural else f"The {name} is {{{slot}}}."
        sentences.append(Explained(some=some, none=f"There is no {name}.") if plural else some)
    return sentences


def _all_values(slot: str) -> pl.Expr:
    """Write several values as people do: "1908, 1948 and 2012"."""
    further = pl.col(others(slot)).fill_null([])
    most = pl.concat_list(slot).list.concat(further.list.head(further.list.len().cast(pl.Int64) - 1)).list.join(", ")
    return pl.when(further.list.len() == 0).then(pl.col(slot)).otherwise(most + " and " + further.list.last())
