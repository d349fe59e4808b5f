"""More in a passage: of its subject, or what somebody whom it has named did besides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from generators.autodebug.clauses import OPEN_BARE, OPEN_SHORT, Thing, Told, finished, worded
from generators.autodebug.planner import Sentence, enlarged


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
