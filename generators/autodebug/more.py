"""More around a passage: a paragraph about one other thing, or one sentence that tells the same of several."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from generators.autodebug.clauses import (
    Thing,
    Told,
    clause_of,
    ending_clause,
    finished,
    owner_of,
    plural,
    worded,
)
from generators.autodebug.planner import LONG_NAME, Sentence, article


@dataclass(frozen=True)
class Added:
    """What is told of another thing, and what links it to the passage.

    `link`: "mentioned" (the passage tells the fact `via`, of which it is an object), "further" (one that the passage does not
    tell), "others" (`via` is a fact that it has in common with the subject) or "kin" (one that the passage does not tell).
    `role` has what says what it is, `told` what else is told; `several`, whether `via` has other objects, too. `listed`: it is
    one of several of each of which the same is told; else a paragraph is about it alone.
    """

    thing: Thing
    link: str
    via: Told
    role: list[Told]
    told: list[Told]
    several: bool = False
    listed: bool = False


class Enriched(NamedTuple):
    """The paragraphs of an enriched passage, and where its supporting sentence stands now."""

    paragraphs: list[list[Sentence]]
    where: str


def with_more(about: Thing, asked: Told, original: Sequence[Sentence], added: Sequence[Added], where: str) -> Enriched:
    """Write an enriched passage; its supporting sentence stays as it is, and last where it was last, if that reads well.

    What is told of a thing that the passage mentions stands before it where the passage has enough left to come back to the
    subject; else the passage stays as it is, and more follows.
    """
    if any(about.short and about.short in each.thing.label.split() for each in added):
        about = replace(about, short=None)  # "Johnny Cash, to whom Cash was married"
    more = _parallel(about, asked, added) if added[0].listed else _paragraph(about, asked, added[0])
    if where != "last":
        return Enriched([list(original), more], where)
    support = [sentence for sentence in original if sentence.support]
    rest = [sentence for sentence in original if not sentence.support]
    back = rest[-1]
    if added[0].link in ("others", "kin") or len(rest) < 2 or back.again is None or _rivals(about, added, (back, *support)):
        return Enriched([list(original), more], "middle")
    text = back.again
    twice = support[0].text.startswith(f"The {about.noun} ")
    if about.noun and not twice and text.startswith(f"{about.the} "):
        text = f"The {about.noun}{text.removeprefix(about.the)}"
    return Enriched([rest[:-1], more, [back._replace(text=text), *support]], where)


def _rivals(about: Thing, added: Sequence[Added], held: Sequence[Sentence]) -> bool:
    """Tell whether what is added would be taken for the subject, or is named first in what is held back."""
    named = {thing.number for sentence in held for told in sentence.told for thing in told.objects}
    alike = any(each.thing.noun == about.noun or (each.thing.person and about.person) for each in added)
    return alike or any(each.thing.number in named for each in added)


# A paragraph about one thing


def _paragraph(about: Thing, asked: Told, each: Added) -> list[Sentence]:
    """Write of one other thing: why it is here, what it is, and some of its own facts, as of the subject of a passage."""
    told = [*each.role, *(told._replace(key=asked.key) if told.relation == asked.relation else told for told in each.told)]
    if each.link in ("mentioned", "further"):
        same = about.noun if each.via.wording.way(about.kind).one_of else None
        return article(each.thing, told, _introduced(about, each, each.via.key), each.via.key, noun=same)
    others = each.via.wording.way(about.kind).others
    assert others is not None
    hub = each.via.objects[0]
    said = [] if each.link == "others" else [Sentence(finished(_own_fact(about, each.via)))]
    via = each.via._replace(objects=(_by_last_name(hub),)) if each.link == "others" or hub.short else each.via
    # Every `others` ends with those others.
    before = worded(others, via, each.thing, "")
    before = before[:1].upper() + before[1:]
    return [*said, *article(each.thing, told, each.thing.the, each.via.key, before)]


def _own_fact(about: Thing, via: Told) -> str:
    """Tell a fact of the subject that the passage leaves out."""
    clause, name = ending_clause(via, about), called(about)
    return f"{owner_of(name, about.person)}{clause.text}" if clause.owner else f"{name} {clause.text}"


# Several things in parallel


def _parallel(about: Thing, asked: Told, added: Sequence[Added]) -> list[Sentence]:
    """Tell the same of several: "Its other neighbours include Peru, which uses the sol, and Chile, which uses the peso"."""
    names = in_turn([_with_fact(each.thing, each.told[0]._replace(key=asked.key)) for each in added])
    via, link = added[0].via, added[0].link
    one_of, owner = via.wording.way(about.kind).one_of, owner_of(called(about), about.person)
    if link == "further":
        own = f"{owner} other {one_of} include" if via.key % 2 else f"among {owner} other {one_of} are"
        return [Sentence(finished(f"{own} {names}"))]
    others = via.wording.way(about.kind).others
    assert others is not None
    text = worded(others, via._replace(objects=(_by_last_name(via.objects[0]),)), added[0].thing, names, several=True)
    said = [_own_fact(about, via)] if link == "kin" else []
    return [Sentence(finished(each)) for each in (*said, text)]


def _introduced(about: Thing, each: Added, key: int) -> str:
    """Return a thing's name with why it is here: "the film’s director, A,", "Poe, who influenced her,"."""
    way = each.via.wording.way(about.kind)
    name = each.thing.the
    if way.role:
        role, own = _role(each, way.role), owner_of(_named(about, key), about.person)
        if each.several and "/" not in way.role:
            return f"{name}, one of {own} {plural(way.role)},"
        return f"{name}, {own} {role}," if key % 2 else f"{own} {role}, {name},"
    if way.one_of:
        return f"{name}, one of {owner_of(_named(about, key), about.person)} {way.one_of},"
    assert way.back is not None
    back = _relative(worded(way.back, each.via, about, _beside(about, each.thing)), each.thing)
    return f"{name}, {back},"


def _named(about: Thing, key: int) -> str:
    """Return the subject's name, or how a later paragraph calls it, by hash; no name whose possessive is odd."""
    plain = _PLAIN.fullmatch(about.the) is not None and not about.the.endswith("s")
    return about.the if plain and not about.person and key // 2 % 2 else called(about)


_PLAIN = re.compile(rf"\w+(?: \w+){{,{LONG_NAME - 1}}}")
_RELATIVES = frozenset(("who", "whom", "whose", "where", "which", "in", "on", "to", "for", "with", "of", "by", "after", "from"))


def _role(each: Added, role: str) -> str:
    """Return what a thing is to the subject: of "son/daughter/child" the word for him, for her, or for either."""
    words = role.split("/")
    return words[{"he": 0, "she": 1}.get(each.thing.he or "", 2)] if len(words) > 1 else role


def _beside(about: Thing, thing: Thing) -> str:
    """Return how the subject is called beside a thing: "the country" only where that is none."""
    return about.the if about.noun and about.noun == thing.noun else called(about)


def _relative(back: str, thing: Thing) -> str:
    """Return a relative clause with the pronoun of a person or a thing: "with whom the film deals"."""
    link, _, rest = back.partition(" ")
    if link in ("who", "which"):
        return f"{'who' if thing.person else 'which'} {rest}"
    old, new = ("which ", "whom ") if thing.person else ("whom ", "which ")
    return f"{link} {new}{rest.removeprefix(old)}" if link in _RELATIVES and rest.startswith(old) else back


def called(about: Thing) -> str:
    """Return how a later paragraph calls the subject."""
    if about.person:
        return about.short or about.the
    return f"the {about.noun}" if about.noun else about.the


def _by_last_name(hub: Thing) -> Thing:
    return replace(hub, the=hub.short, label=hub.short) if hub.short else hub


def _with_fact(thing: Thing, told: Told) -> str:
    """Name a thing with what is told of it: "Peru, whose capital is Lima", "Jaws, written by Ann Lee"."""
    after, clause = _after(told, thing), clause_of(told, thing)
    if after is not None:
        return f"{thing.the}, {after}"
    return f"{thing.the}, {'whose' if clause.owner else 'who ' if thing.person else 'which '}{clause.text}"


def _after(told: Told, thing: Thing) -> str | None:
    """Say a fact behind a name and a comma, as after a noun: "directed by Ann Lee"; None where that would be a clause."""
    way = told.wording.way(thing.kind)
    text = worded(way.after, told, thing) if way.after is not None and way.lead is None else None
    return None if text is None or text.startswith(("that ", "whose ")) else text


def in_turn(names: Sequence[str]) -> str:
    """List names each of which has something behind it.

    >>> in_turn(["A, set in Ulm", "B, set in Rome"])
    'A, set in Ulm, and B, set in Rome'
    >>> in_turn(["A, by C and D", "B, by E", "F, by G"])
    'A, by C and D; B, by E; and F, by G'
    """
    mark = "; " if len(names) > 2 else ", "
    return f"{mark.join(names[:-1])}{mark}and {names[-1]}"
