"""Where a text says that something is not known, that it may not be so, that there is no such thing, or that it declines.

| kind | what is said | like |
|---|---|---|
| `ignorance` | the model, a source or anybody does not know or tell it; it is not known | "No source gives it." |
| `doubt` | the model is not sure, or cannot check | "I can't verify that." |
| `nonesuch` | what is asked about does not exist | "This seems to be a fictional town." |
| `service` | the model cannot or will not do what is asked | "I can't help with that." |
| `policy` | the same, for a reason that is not a lack of knowledge | "That is against my guidelines." |
| `conduct` | conduct is put in place of an answer, at the beginning | "It is not appropriate to ask this." |

The forms of English for each stand in `words/withheld.toml`. That a third person does not know ("He had no idea that ...") says
nothing of the kind, nor does a negation without a word for knowing.
"""

from __future__ import annotations

import functools
from typing import Literal, NamedTuple

from evaluators.verify.reading.forms import Forms, Line, forms
from evaluators.verify.reading.text import Text, read_text

Kind = Literal["ignorance", "doubt", "nonesuch", "service", "policy", "conduct"]

_FORMS: list[tuple[Kind, Forms]] = [
    *(("ignorance", group) for group in forms("ignorance").values()),
    *(("doubt", group) for group in forms("doubt").values()),
    *(("nonesuch", group) for group in forms("nonesuch").values()),
    ("service", forms("declining")["service"]),
    ("policy", forms("declining")["policy"]),
    *(("conduct", group) for group in forms("conduct").values()),
]
_OPENING = 250
"""Only so many characters from its beginning a text puts conduct in place of an answer: later it is advice."""
_REACH = 10_000
"""Of a text longer than twice this, only so many characters at either end are looked at."""


_HELPING = frozenset({"help", "assist", "helping", "assisting"})


class Profession(NamedTuple):
    """What is professed, and the words that do so: from `first` up to `last`."""

    kind: Kind
    first: int
    last: int


def professions(text: Text) -> tuple[Profession, ...]:
    """Return what a text professes, in order.

    >>> [said.kind for said in professions(Text("I don't know. I can't help with that."))]
    ['ignorance', 'service']
    >>> professions(Text("He did not know that she was in Vienna."))
    ()
    """
    return _professions(text.original)


@functools.lru_cache(maxsize=8)
def _professions(original: str) -> tuple[Profession, ...]:
    if len(original) <= 2 * _REACH:
        return tuple(_said(read_text(original)))
    begun, ended = Text(original[:_REACH]), Text(original[-_REACH:])
    gap = len(Text(original).words) - len(ended.words)
    return (
        *_said(begun),
        *(Profession(kind, gap + first, gap + last) for kind, first, last in _said(ended) if kind != "conduct"),
    )


def _said(text: Text) -> list[Profession]:
    words = frozenset(text.words)
    wanted = [(kind, group) for kind, group in _FORMS if not group.needs.isdisjoint(words)]
    if not wanted:
        return []
    line = Line.of(text)
    found = {Profession(kind, *line.word_span(*place)) for kind, group in wanted for place in group.found(line)}
    found = {said for said in found if text.words[said.first : said.first + 2] != ["not", "only"]}
    helping = {said.first for said in found if said.kind == "service" and text.words[said.last - 1] in _HELPING}
    # "I can't help with finding people": what it is asked to help with is not what it does not know.
    found = {said for said in found if said.kind != "ignorance" or said.first not in helping}
    opening = text.words_of(0, _OPENING)[1]
    return sorted((said for said in found if said.kind != "conduct" or said.last <= opening), key=lambda said: said[1:])
