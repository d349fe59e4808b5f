"""More around a passage: a paragraph about one other thing, or one sentence that tells the same of several."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from generators.autodebug.clauses import (
    OPEN_BARE,
    OPEN_THE,
    Thing,
    Told,
    made_of,
    owner_of,
    plural,
    worded,
)
from generators.autodebug.planner import LONG_NAME, Sentence, article, enlarged


@dataclass(frozen=True)
class Added:
    """What is told of another thing, and what links it to the passage.

    `link`: "own" (it is the subject), "answer" (it is what is asked for), "mentioned" (the passage tells the fact `via`, of
    which it is an object) or "further" (one that the passage does not tell). `role` has what says what it is, `told` what else
    is told; `several`, whether `via` has other objects, too.
    """

    thing: Thing
    link: str
    via: Told
    role: list[Told]
    told: list[Told]
    several: bool = False


class Enriched(NamedTuple):
    """An enriched passage, and where its supporting sentence stands now."""

    sentences: list[Sentence]
    where: str


def place_of(sentences: Sequence[Sentence]) -> str:
    """Say where the supporting sentence stands; a single sentence is first."""
    at = next(place for place, sentence in enumerate(sentences) if sentence.support)
    return "first" if at == 0 else "last" if at == len(sentences) - 1 else "middle"


def with_more(about: Thing, asked: Told, original: Sequence[Sentence], added: Added, where: str) -> Enriched | None:
    """Write an enriched passage; its supporting sentence stays as it is.

    More of the subject stands where it belongs, of another thing behind the passage. None where it has no place.
    """
    if added.link == "own":
        richer = enlarged(about, original, added.told, asked.key)
        return None if richer is None else Enriched(richer, place_of(richer))
    if about.short and about.short in added.thing.label.split():
        about = replace(about, short=None)  # "Johnny Cash, to whom Cash was married"
    return Enriched([*original, *_paragraph(about, asked, added, original[-1])], "middle" if where == "last" else where)


# A paragraph about one thing


def _paragraph(about: Thing, asked: Told, each: Added, last: Sentence) -> list[Sentence]:
    """Write of one other thing: why it is here, what it is, and some of its own facts, as of the subject of a passage."""
    named = any(told.relation == each.via.relation for told in last.told)
    told = [*each.role, *(told._replace(key=asked.key) if told.relation == asked.relation else told for told in each.told)]
    if each.link == "answer":
        each = replace(each, thing=replace(each.thing, the=OPEN_THE, label=OPEN_BARE))
        role = each.via.wording.way(about.kind).role
        name = OPEN_THE if role is None or each.several else _introduced(about, each, each.via.key, just_named=named)
        return article(each.thing, told, name, each.via.key, noun=each.thing.genus if role else None)
    same = about.noun if each.via.wording.way(about.kind).one_of else None
    return article(each.thing, told, _introduced(about, each, each.via.key, just_named=named), each.via.key, noun=same)


def _introduced(about: Thing, each: Added, key: int, *, just_named: bool) -> str:
    """Return a thing's name with why it is here: "the film’s director, A,", "Poe, who influenced her,".

    Where the sentence before named it, and nobody else in that part, "the director" is enough.
    """
    way = each.via.wording.way(about.kind)
    name = each.thing.the
    if way.role and just_named and not each.several:
        return f"the {_role(about, each, way.role)}"
    if way.back and just_named and not each.several:
        return each.thing.short or name
    if way.role:
        role, own = _role(about, each, way.role), owner_of(_named(about, key), about.person)
        if each.several and "/" not in way.role:
            return f"{name}, one of {own} {plural(way.role)},"
        return f"{name}, {own} {role}," if key % 2 else f"{own} {role}, {name},"
    if way.beside:
        return f"the {way.beside} {name[4:]}" if name.startswith("the ") else f"{way.beside} {name}"
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


def _role(about: Thing, each: Added, role: str) -> str:
    """Return what a thing is to the subject: of "son/daughter/child" the word for him, for her, or for either."""
    words = [made_of(about)[1]] if role == "creator" else role.split("/")
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
