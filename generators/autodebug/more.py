"""More around a passage, one topic a paragraph: what it mentions, what has a fact in common with it, others of its kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from generators.autodebug.clauses import (
    Clause,
    Thing,
    Told,
    clause_of,
    finished,
    is_counted,
    listed,
    owner_of,
    plural,
    together,
    worded,
)
from generators.autodebug.planner import Sentence, chapter_place, introduced, joinable


@dataclass(frozen=True)
class Added:
    """What is told of another thing, and what links it to the passage.

    `link`: "mentioned" (the passage tells the fact `via`, of which it is an object), "beside" (`via` is a fact that it has in
    common with the subject), "kin" (one that the passage does not tell), "beyond" (one that it has in common with `beside`,
    which the passage mentions) or "alike".
    """

    thing: Thing
    link: str
    via: Told | None
    beside: Thing | None
    told: list[Told]


def with_more(
    about: Thing, asked: Told, original: Sequence[Sentence], added: Sequence[Added], where: str
) -> list[list[Sentence]]:
    """Return the paragraphs of an enriched passage; the supporting sentence stays as it is, and last where it was last."""
    links = {each.link for each in added}
    compares = links <= {"alike", "beside", "kin"} and all(each.told[0].relation == asked.relation for each in added)
    more = _compared(about, asked, added) if compares else [Sentence(_sentence(about, each)) for each in added]
    support = [sentence for sentence in original if sentence.support]
    if where != "last":
        return [list(original), more]
    rest = [sentence for sentence in original if not sentence.support]
    return [rest, [*more, *support]] if compares else [rest, more, support]


def _sentence(about: Thing, each: Added) -> str:
    """Tell of one thing, with what links it to the passage."""
    clauses = [clause_of(told, each.thing) for told in each.told]
    clauses.sort(key=_order)
    name = each.thing.the if each.link == "mentioned" else introduced(each.thing)
    aside = _aside(about, each)
    if each.link == "beyond" and each.beside is not None and each.via is not None:
        shared = clause_of(each.via, each.thing)
        relative = _relative(each.thing, clauses)
        parts = _OWNED.fullmatch(shared.text)
        if shared.owner and parts is not None:
            return finished(f"as in {each.beside.the}, the {parts[1]} of {name}, {relative}, {parts[2]} {parts[3]}")
        return finished(f"like {each.beside.the}, {name}, {relative}, {shared.text}")
    if clauses[0].owner:
        told = _owned(each.thing, name, clauses, aside)
        return finished(told)
    return finished(f"{name}{aside} {_several(each.thing, clauses)}")


def _order(clause: Clause) -> tuple[bool, bool, int, int]:
    """Tell first what somebody is, then a life in its order, last what begins with "its"."""
    wording = clause.told.wording
    return clause.owner, wording.way("person").lead != "kind", chapter_place(wording.chapter), wording.place


def _owned(thing: Thing, name: str, clauses: Sequence[Clause], aside: str) -> str:
    """Tell what is a thing's: "Peru’s capital is Lima", "the capital of Peru, where the film was made, is Lima"."""
    parts = _OWNED.fullmatch(clauses[0].text)
    if not aside or parts is None:
        return f"{owner_of(name, thing.person)}{clauses[0].text}"
    return f"the {parts[1]} of {name}{aside} {parts[2]} {parts[3]}"


_OWNED = re.compile(r" (.+?) (is|was|are|were|included) (.+)")


def _several(thing: Thing, clauses: Sequence[Clause]) -> str:
    clauses = sorted(clauses, key=_order)
    own = owner_of(thing.he or thing.the, True) if thing.person else "its"
    if len(clauses) == 2 and not joinable(clauses[0], clauses[1]):
        return f"{clauses[0].text} and also {clauses[1].text}" if clauses[0].stem != clauses[1].stem else clauses[0].text
    return together(clauses, own)


def _aside(about: Thing, each: Added) -> str:
    """Return what links a thing to the passage, between commas."""
    if each.via is None:
        return ""
    if each.link == "mentioned":
        back = each.via.wording.way(about.kind).back
        return "" if back is None else f", {worded(back, each.via, about, called(about))},"
    way = each.via.wording.way(each.thing.kind)
    clause = clause_of(each.via, each.thing)
    who = "who" if each.thing.person else "which"
    if each.link == "kin":
        return (
            f", whose{clause.text} too,"
            if clause.owner
            else f", {who} like {called(about) if about.person else about.the} {clause.text},"
        )
    if way.lead == "kind" and not clause_of(each.via, each.thing).owner:
        return f", also {clause_of(each.via, each.thing).text.partition(' ')[2]},"
    if way.after is not None and way.after.pieces[0].text.partition(" ")[0] not in ("that", "whose"):
        return f", also {worded(way.after, each.via, each.thing)},"
    return f", whose{clause.text} too," if clause.owner else f", {who} {also(clause.text)},"


def called(about: Thing) -> str:
    """Return how a later paragraph calls the subject."""
    if about.person:
        return about.short or about.he or about.the
    return f"the {about.noun}" if about.noun else about.the


def also(text: str) -> str:
    """Put "also" into a clause.

    >>> also("was born in Ulm"), also("received the prize")
    ('was also born in Ulm', 'also received the prize')
    """
    verb, _, rest = text.partition(" ")
    return f"{verb} also {rest}" if verb in ("was", "is", "were", "are", "has", "had") else f"also {text}"


def of_several(text: str) -> str:
    """Say of several what a clause says of one.

    >>> of_several("was born in Ulm"), of_several("plays the piano"), of_several("won the prize")
    ('were born in Ulm', 'play the piano', 'won the prize')
    """
    verb, _, rest = text.partition(" ")
    return f"{_PLURAL.get(verb, verb.removesuffix('s'))} {rest}"


_PLURAL = {"was": "were", "is": "are", "has": "have"}


def _relative(thing: Thing, clauses: Sequence[Clause]) -> str:
    """Return clauses as what stands behind a name: "who was born in Ulm", "whose capital is Graz"."""
    if clauses[0].owner:
        return f"whose{clauses[0].text}"
    return f"{'who' if thing.person else 'which'} {_several(thing, [each for each in clauses if not each.owner])}"


def _compared(about: Thing, asked: Told, added: Sequence[Added]) -> list[Sentence]:
    """Tell of others the fact that is asked about, in the words of the passage: "Among other films, A was directed by B, …"."""
    added = [replace(each, told=[each.told[0]._replace(key=asked.key), *each.told[1:]]) for each in added]
    opening = _opening(about, added)
    if opening is None:
        return [Sentence(finished(_comparison(about, each))) for each in added]
    alone = [replace(each, via=None) for each in added]
    if any(len(each.told) > 1 for each in alone):
        told = [_comparison(about, each) for each in alone]
        return [Sentence(finished(each)) for each in (f"{opening} {told[0]}", *told[1:])]
    clauses = [clause_of(each.told[0], each.thing) for each in alone]
    return [Sentence(finished(f"{opening} {_in_a_row(alone, clauses)}"))]


def _in_a_row(added: Sequence[Added], clauses: Sequence[Clause]) -> str:
    """Say one thing of several: "A was directed by B, C by D and E by F"."""
    names = [owner_of(each.thing.the, each.thing.person) if clause.owner else f"{each.thing.the} "
             for each, clause in zip(added, clauses, strict=True)]  # fmt: skip
    stem = clauses[0].stem
    short = stem.split()[-1] if stem.split() else ""
    told = [f"{name}{clause.text}" for name, clause in zip(names, clauses, strict=True)]
    plain = stem.split()[0] in ("was", "is") if len(stem.split()) == 3 else len(stem.split()) == 2
    if plain and short in _LINKS and all(clause.stem == stem and not clause.several for clause in clauses):
        rest = [f"{name}{short} {clause.text[len(stem) :]}" for name, clause in zip(names[1:], clauses[1:], strict=True)]
        return listed([told[0], *rest])
    return f"{', '.join(told[:-1])}, and {told[-1]}"


_LINKS = frozenset(("by", "in", "at", "of", "on", "for", "from", "to", "as", "with", "under", "after", "into"))


def _opening(about: Thing, added: Sequence[Added]) -> str | None:
    """Say what all have in common: "among other films starring …,"; None where it is not one thing."""
    vias = {None if each.via is None else (each.via.relation, each.via.objects) for each in added}
    if len(vias) > 1 or len({each.link for each in added}) > 1:
        return None
    nouns = {each.thing.noun for each in added}
    several = plural(about.noun) if about.noun and nouns == {about.noun} else None
    first = added[0]
    if first.via is None:
        return f"among other {several}," if several else "for comparison,"
    way, clause = first.via.wording.way(first.thing.kind), clause_of(first.via, first.thing)
    if clause.owner or len({clause_of(first.via._replace(key=0), each.thing).text for each in added}) > 1:
        return None
    if way.lead == "kind":
        kind = first.via.objects[0].label
        return f"among other {plural(kind)}," if first.thing.person or (several and is_counted(kind)) else None
    like = f", like {called(about) if about.person else about.the}," if first.link == "kin" else ""
    if about.person:
        return f"among others who{like} {of_several(clause.text)},"
    if several is None:
        return None
    if way.after is None or like:
        return None
    that, blank, rest = worded(way.after, first.via, first.thing).partition(" ")
    return f"among other {several} {that}{blank}{of_several(rest) if that == 'that' else rest},"


def _comparison(about: Thing, each: Added) -> str:
    """Tell of one other thing what is asked of the subject, and before that what else is told of it."""
    first, *others = [clause_of(told, each.thing) for told in each.told]
    name = each.thing.the if each.thing.noun == about.noun else introduced(each.thing)
    aside = _aside(about, each)
    if others and not aside and others[0].stem != first.stem:
        aside, others = f", {_relative(each.thing, others)},", []
    if first.owner:
        return _owned(each.thing, name, [first], aside)
    return f"{name}{aside} {_several(each.thing, [first, *others])}"
