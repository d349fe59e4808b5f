"""The keys of a family that name slots, checked against what its query projects."""

from __future__ import annotations

from collections.abc import Iterator
from string import Formatter
from typing import NamedTuple

from kg.errors import nearest
from queries.errors import TemplateError
from queries.templates.front import Choice, Front, Lines
from queries.templates.lexer import tokens
from queries.templates.shape import Shape, check_syntax

__all__ = ["check_slots"]

_ARTICLES = ("", "a", "the")


class Mention(NamedTuple):
    """A slot that some key names, and what to call the place in an error."""

    slot: str
    what: str
    at: tuple[str | int, ...]


class Wording(NamedTuple):
    """A text with placeholders, and whether it is asked before the answer is known."""

    text: str
    at: tuple[str | int, ...]
    asks: bool


def check_slots(front: Front, shape: Shape, path: str, lines: Lines) -> None:
    """Check that all slots a template's front matter names are projected, and that no question gives its answer away.

    Raises TemplateError with file and line, the offending name and the nearest valid one.
    """
    claimed = {front.claim.value} if front.claim else set()
    for mention in [*_named(front), *_placeholders(front, path, lines), *_asked(front, path, lines)]:
        allowed = {*shape.slots, *(claimed if mention.what == "placeholder" else ())}
        if mention.slot not in allowed:
            place = f"{path}:{lines.of(*mention.at)}"
            problem = f"{mention.what} '{mention.slot}' is not projected by the query"
            raise TemplateError(problem, place=place, way_out=nearest(mention.slot, allowed))
    _check_hidden(front, path, lines)


def _named(front: Front) -> Iterator[Mention]:
    listed = {"key": front.key, "many": front.many, "rationale": front.rationale or [], "strata": front.strata}
    for key, slots in listed.items():
        yield from (Mention(slot, f"{key} slot", (key, i)) for i, slot in enumerate(slots))
    for i, slot in enumerate(front.answers):
        yield Mention(slot, "answer slot", ("answer", i))
    for key in ("holds", "image"):
        if slot := getattr(front, key):
            yield Mention(slot, f"{key} slot", (key,))
    if front.claim:
        yield Mention(front.claim.slot, "claim slot", ("claim", "slot"))
    yield from (Mention(slot, "slot", ("slots", slot)) for slot in front.slots)
    for variant, text in (front.question or {}).items():
        if isinstance(text, Choice):
            yield from (Mention(slot, "option slot", ("question", variant, "options", slot)) for slot in text.options)


def _wordings(front: Front) -> Iterator[Wording]:
    for variant, text in (front.question or {}).items():
        if isinstance(text, str):
            yield Wording(text, ("question", variant), True)
            continue
        yield Wording(text.stem, ("question", variant, "stem"), True)
        for slot, option in text.options.items():
            at = ("question", variant, "options", slot)
            yield from (Wording(t, at, False) for t in ([option] if isinstance(option, str) else option.values()))
    for variant, text in (front.probe or {}).items():
        yield Wording(text, ("probe", variant), False)
    for i, said in enumerate(front.explain or []):
        texts = [said] if isinstance(said, str) else [said.some, said.none]
        yield from (Wording(text, ("explain", i), False) for text in texts)


def _placeholders(front: Front, path: str, lines: Lines) -> Iterator[Mention]:
    for wording in _wordings(front):
        place = f"{path}:{lines.of(*wording.at)}"
        yield from (Mention(slot, "placeholder", wording.at) for slot in _slots_of(wording.text, place))


def _slots_of(text: str, place: str) -> list[str]:
    """Return the slots of a wording's placeholders: `{slot}`, `{slot:a}`, `{slot:the}`; `{{` is a brace."""
    found = []
    try:
        for _, slot, article, conversion in Formatter().parse(text):
            if slot is not None:
                if not slot.isidentifier() or conversion or article not in _ARTICLES:
                    shown = slot + (f"!{conversion}" if conversion else "") + (f":{article}" if article else "")
                    way_out = "write {slot}, {slot:a} or {slot:the}"
                    raise TemplateError(f"placeholder '{{{shown}}}' is not understood", place=place, way_out=way_out)
                found.append(slot)
    except ValueError as error:
        way_out = "close each placeholder; a brace itself is written {{ or }}"
        raise TemplateError(f"the braces of '{text}' do not match", place=place, way_out=way_out) from error
    return found


def _asked(front: Front, path: str, lines: Lines) -> Iterator[Mention]:
    """Check that `ask` is one SPARQL expression, and return its variables."""
    if front.ask is None:
        return
    place = f"{path}:{lines.of('ask')}"
    row, depth = tokens(front.ask, place), 0
    for token in row:
        depth += (token.word in ("(", "{")) - (token.word in (")", "}"))
        if depth < 0 or token.kind == "comment":
            problem = f"`ask` breaks off at '{token.text}'"
            raise TemplateError(problem, place=place, way_out="write one SPARQL expression")
        if token.kind == "variable":
            yield Mention(token.name, "variable of `ask`", ("ask",))
    try:
        check_syntax(f"ASK {{ FILTER({front.ask}) }}", place)
    except TemplateError as error:
        way_out = "write what stands in FILTER(…)"
        raise TemplateError("`ask` is not a SPARQL expression", place=place, way_out=way_out) from error


def _check_hidden(front: Front, path: str, lines: Lines) -> None:
    """A question may not state what a right explanation has to name, unless as a claim."""
    hidden = {*(front.rationale if front.rationale is not None else front.answers)} - set(front.key)
    hidden -= {front.claim.slot, front.claim.value} if front.claim else set()
    for wording in _wordings(front):
        place = f"{path}:{lines.of(*wording.at)}"
        given_away = [slot for slot in _slots_of(wording.text, place) if slot in hidden and wording.asks]
        if given_away:
            problem = f"the question states '{given_away[0]}', which the answer has to name"
            raise TemplateError(problem, place=place, way_out="leave it out of the question or of the rationale")
