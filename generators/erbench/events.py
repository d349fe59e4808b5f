"""Rows without a name that a person names all the same: "the 1991 eruption of Pinatubo", what happened to a thing in a year.

```
>>> from generators.erbench.forms import form
>>> from generators.erbench.sentences import Subject
>>> in_the_past(form("fatalities", "number", Subject("eruption"))).claim
'Did ‹row› have ‹value› fatalities?'

```

A table has such rows where it refers to named ones, has a date or a year, and both together hardly ever name two rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import polars as pl

from generators import inflections
from generators.column_names import WordLists
from generators.erbench.columns import Attribute, Edge
from generators.erbench.sentences import ROW, VALUE, Form

TOLD_APART, MOST_DATED = 0.95, 0.9
"""Rows are named so where thing and year name one row in so many cases, and so many rows have both."""


@dataclass(frozen=True)
class Event:
    """What names the rows of a table: a foreign key, and the column of their date or year."""

    parent: Edge
    when: Attribute


def event_of(
    noun: str, edges: Sequence[Edge], attributes: Sequence[Attribute], rows: int, pairs: Callable[[str], pl.DataFrame]
) -> Event | None:
    """Find what names the rows of a table; None where nothing does, or where they are nobody else's business."""
    if {noun, noun.split()[-1]} & {*WordLists.load().private}:
        return None
    known = [a for a in attributes if a.kind in ("date", "year") and pairs(a.iri)["o"].str.contains(r"^\d{4}(-|$)").all()]
    dated = sorted(known, key=_begins_last)
    for when in dated[:1]:
        year = pairs(when.iri).with_columns(year=pl.col("o").str.slice(0, 4)).select("s", "year")
        for parent in sorted(edges, key=lambda edge: (-pairs(edge.iri)["o"].n_unique(), edge.iri)):
            both = pairs(parent.iri).join(year, on="s")
            single = both.select((pl.len() == 1).over("o", "year")).to_series()
            if not parent.is_verb and both.height >= MOST_DATED * rows and (single.mean() or 0) >= TOLD_APART:  # type: ignore[operator]
                return Event(parent, when)
    return None


def in_the_past(said: Form) -> Form:
    """Say what an event has as what it had.

    >>> from generators.erbench.forms import form
    >>> from generators.erbench.sentences import Subject
    >>> in_the_past(form("number of deaths", "number", Subject("eruption"))).ask
    'How many deaths did ‹row› have?'
    """
    had = [
        (f"does {ROW} have ", f"did {ROW} have "),
        (f"does {ROW} have?", f"did {ROW} have?"),
        (f"Does {ROW} ", f"Did {ROW} "),
    ]
    had += [(f"{ROW} does not have ", f"{ROW} did not have "), (f"{ROW} has ", f"{ROW} had ")]
    texts = [said.ask, said.claim, said.deny, said.say]
    for now, then in had:
        texts = [text.replace(now, then) for text in texts]
    ask, claim, deny, say = texts
    ask = re.sub(r"^(Who|What(?: [\w ]+?)?|(?:(?:In|On|At|From) w|W)hich [\w ]+?|How \w+) is (?!.* is )", r"\1 was ", ask)
    deny, say = (re.sub(rf"({ROW}|^[^{ROW[0]}]+|^{VALUE}) is ", r"\1 was ", text) for text in (deny, say))
    return replace(said, ask=ask, claim=re.sub("^Is ", "Was ", claim), deny=deny, say=say)


def while_alive(said: Form) -> Form:
    """Say what somebody did, and what was theirs, while they lived: "Which team did X play for?", "What was X's rank?".

    >>> from generators.erbench.forms import form
    >>> from generators.erbench.sentences import Subject
    >>> lived = while_alive(form("club", "text", Subject("footballer", person=True, past=True), "club"))
    >>> lived.ask, lived.claim, lived.say
    ('Which club did ‹row› play for?', 'Did ‹row› play for ‹value›?', '‹row› played for ‹value›')
    """
    does = re.match(rf"Does {ROW} (\w+)", said.claim)
    if not does:
        past = in_the_past(said) if said.claim.startswith("Is ") else said
        return past if past == said or said.former else replace(past, former=True)
    finite = re.compile(rf"{ROW} {does[1]}\w*")
    did = f"{ROW} {inflections.past(does[1])}"
    ask, claim, deny = (
        text.replace(f"does {ROW}", f"did {ROW}").replace(f"Does {ROW}", f"Did {ROW}").replace(f"{ROW} does", f"{ROW} did")
        for text in (said.ask, said.claim, said.deny)
    )
    say, whole = finite.sub(did, said.say), finite.sub(did, said.whole)
    return replace(said, ask=ask, claim=claim, deny=deny, say=say, whole=whole, former=True)


def _begins_last(column: Attribute) -> tuple[bool, bool, str]:
    """Put the column first that says when something began, and those last that say when it ended."""
    words = {*column.name.split()}
    return (
        bool(words & {"end", "ended", "finish", "finished", "until", "to"}),
        not words & {"start", "started", "began"},
        column.name,
    )
