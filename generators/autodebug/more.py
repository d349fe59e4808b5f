"""More around a passage, one thread a paragraph: what it mentions, what that leads to, or others who share one fact with it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from generators.autodebug.clauses import (
    Clause,
    Thing,
    Told,
    clause_of,
    ending_clause,
    finished,
    kinds_of,
    listed,
    owner_of,
    plural,
    together,
    worded,
)
from generators.autodebug.planner import Sentence, chapter_place, joinable, joined_behind, lead_of
from generators.autodebug.wording import Saying


@dataclass(frozen=True)
class Added:
    """What is told of another thing, and what links it to the passage.

    `link`: "mentioned" (the passage tells the fact `via`, of which it is an object), "further" (one that the passage does not
    tell), "others" (`via` is a fact that it has in common with the subject) or "kin" (one that the passage does not tell).
    `role` has what says what it is, `told` what else is told; `several`, whether `via` has other objects, too.
    """

    thing: Thing
    link: str
    via: Told
    role: list[Told]
    told: list[Told]
    several: bool = False


class Enriched(NamedTuple):
    """The paragraphs of an enriched passage, and where its supporting sentence stands now."""

    paragraphs: list[list[Sentence]]
    where: str


def with_more(about: Thing, asked: Told, original: Sequence[Sentence], added: Sequence[Added], where: str) -> Enriched:
    """Write an enriched passage; its supporting sentence stays as it is, and last where it was last, if that reads well.

    Others of whom the same is told lead to it. What is told of other things is told before it where the passage has enough
    left to come back to the subject; else the passage stays as it is, and more follows.
    """
    support = [sentence for sentence in original if sentence.support]
    rest = [sentence for sentence in original if not sentence.support]
    if added[0].link in ("others", "kin"):
        now = "middle" if where == "last" else where
        return Enriched([list(original), _others(about, asked, added)], now)
    rival = any(each.thing.noun == about.noun or (each.thing.person and about.person) for each in added)
    if where == "last" and len(rest) > 1 and rest[-1].again is not None and not rival:
        # What is held back is not told of before.
        named = {thing.number for said in (rest[-1], *support) for told in said.told for thing in told.objects}
        others = [each for each in added if each.thing.number not in named]
    else:
        others = []
    added = others if len(others) > 1 else added
    # What is asked is said of others in the same words.
    added = [
        replace(each, told=[told._replace(key=asked.key) if told.relation == asked.relation else told for told in each.told])
        for each in added
    ]
    several = [each for each in added if each.via.wording.way(about.kind).one_of and each.link == "mentioned"]
    alone = [each for each in added if len(several) < 2 or each not in several]
    more = [Sentence(text) for nth, each in enumerate(alone) for text in _background(about, each, nth)]
    more += [Sentence(_of_many(about, several))] if len(several) > 1 else []
    if where != "last":
        return Enriched([list(original), more], where)
    back = rest[-1]
    if len(others) > 1 and back.again is not None:
        text = back.again
        twice = support[0].text.startswith(f"The {about.noun} ")
        if about.noun and not twice and text.startswith(f"{about.the} "):
            text = f"The {about.noun}{text.removeprefix(about.the)}"
        return Enriched([rest[:-1], more, [back._replace(text=text), *support]], where)
    return Enriched([list(original), more], "middle")


# What the passage mentions


def _of_many(about: Thing, added: Sequence[Added]) -> str:
    """Tell of several of a kind in one sentence: "Its neighbours include Peru, which uses the sol, and Chile, …"."""
    one_of = added[0].via.wording.way(about.kind).one_of
    owner, names = owner_of(called(about), about.person), in_turn([_with_facts(each) for each in added])
    return finished(f"{owner} {one_of} include {names}" if added[0].via.key % 2 else f"among {owner} {one_of} are {names}")


def _background(about: Thing, each: Added, nth: int) -> list[str]:
    """Tell of one thing that the passage mentions, or could, in a sentence or two."""
    clauses = sorted([clause_of(told, each.thing) for told in each.told], key=_order)
    if each.link == "further":
        return _further(about, each, clauses, nth)
    name = _introduced(about, each, nth)
    if len(clauses) > 1 and (nth % 2 or not joinable(*clauses[:2])):
        return [_told(each.thing, name, clauses[:1]), _told(each.thing, _again(about, each.thing), clauses[1:])]
    return [_told(each.thing, name, clauses)]


def _told(thing: Thing, name: str, clauses: Sequence[Clause]) -> str:
    """Tell of a thing that is called so: "Peru, where the film was made, borders Chile", "The capital of Peru is Lima"."""
    own = owner_of(thing.he or thing.the, True) if thing.person else "its"
    if not clauses[0].owner:
        return finished(f"{name} {together(clauses, own)}")
    parts = _OWNED.fullmatch(clauses[0].text)
    if parts is None or name in ("it", "he", "she"):
        return finished(f"{owner_of(name, thing.person)}{together(clauses, own)}")
    return finished(f"the {parts[1]} of {name} {parts[2]} {parts[3]}")


_OWNED = re.compile(r" (.+?) (is|was|are|were|included) (.+)")


def _order(clause: Clause) -> tuple[bool, int, int]:
    """Tell a life in its order, last what begins with "its"."""
    wording = clause.told.wording
    return clause.owner, chapter_place(wording.chapter), wording.place


def _introduced(about: Thing, each: Added, nth: int) -> str:
    """Return a thing's name with what it is and why it is here: "Ulm, the city where she was born,", "its director, A,"."""
    way = each.via.wording.way(about.kind)
    kind = _kind(about, each)
    if way.role:
        role, own = _role(each, way.role), _own(about, nth)
        if each.several and "/" not in way.role:
            return f"{each.thing.the}, one of {own} {plural(way.role)},"
        return f"{each.thing.the}, {own} {role}," if nth % 2 else f"{own} {role}, {each.thing.the},"
    if way.one_of:
        return f"{each.thing.the}, one of {owner_of(called(about), about.person)} {way.one_of},"
    assert way.back is not None
    back = _relative(worded(way.back, each.via, about, _beside(about, each.thing)), each.thing)
    link, _, rest = back.partition(" ")
    if kind is None or link not in _RELATIVES:
        return f"{each.thing.the}, {back},"
    return f"{each.thing.the}, the {kind} {'that' if link == 'which' else link} {rest},"


_RELATIVES = frozenset(("who", "whom", "whose", "where", "which", "in", "on", "to", "for", "with", "of", "by", "after", "from"))


def _role(each: Added, role: str) -> str:
    """Return what a thing is to the subject: of "son/daughter/child" the word for him, for her, or for either."""
    words = role.split("/")
    return words[{"he": 0, "she": 1}.get(each.thing.he or "", 2)] if len(words) > 1 else role


def _own(about: Thing, nth: int) -> str:
    """Return whose something is: "the film's" first, then "its"; a place was named between them, so "its" would be that's."""
    if nth == 0 or about.kind == "place":
        return owner_of(called(about), about.person)
    return owner_of(about.he or called(about), True) if about.person else "its"


def _kind(about: Thing, each: Added) -> str | None:
    """Return what a thing is, in a word or two, where its name does not say so: "American actor", "city"."""
    thing = each.thing
    lead = lead_of(thing, [_main(told) if thing.person else told for told in each.role if told.year is None])
    if lead.noun is None or not thing.sure:
        return None
    before = lead.before if len(lead.before) == 1 and " and " not in lead.before[0] else []
    if lead.noun in (about.genus, "award"):
        return None
    words = set(re.findall(r"\w+", thing.label.lower()))
    if words & set(lead.noun.split()):
        return None
    # "The film actor who appears in the film" would say a word twice.
    trade = each.via.wording.way(about.kind).trade
    noun = trade or (lead.noun.removeprefix(f"{about.noun} ") if " and " not in lead.noun else lead.noun)
    return " ".join([*before, noun])


def _main(told: Told) -> Told:
    """Return what somebody is by profession with the first one alone."""
    first = kinds_of(told)[0] if told.objects else None
    return told._replace(objects=tuple(thing for thing in told.objects if thing.label == first)) if _is_kind(told) else told


def _is_kind(told: Told) -> bool:
    return told.wording.way("person").lead == "kind"


def _beside(about: Thing, thing: Thing) -> str:
    """Return how the subject is called beside a thing: "the country" only where that is none."""
    return about.the if about.noun and about.noun == thing.noun else called(about)


def _again(about: Thing, thing: Thing) -> str:
    """Return how the next sentence calls a thing that was just named."""
    if thing.person:
        return thing.he or thing.short or thing.the
    if thing.noun and thing.noun == about.noun:
        return thing.the
    return f"the {thing.noun}" if thing.noun else "it" if thing.kind != "other" else thing.the


def _relative(back: str, thing: Thing) -> str:
    """Return a relative clause with the pronoun of a person or a thing: "with whom the film deals"."""
    link, _, rest = back.partition(" ")
    if link in ("who", "which"):
        return f"{'who' if thing.person else 'which'} {rest}"
    old, new = ("which ", "whom ") if thing.person else ("whom ", "which ")
    return f"{link} {new}{rest.removeprefix(old)}" if link in _RELATIVES and rest.startswith(old) else back


def _further(about: Thing, each: Added, clauses: Sequence[Clause], nth: int) -> list[str]:
    """Tell a fact that the passage leaves out, and of what it names: "It was edited by Ann Lee, who studied at …"."""
    if nth % 2 and each.via.wording.way(about.kind).role:
        return [_told(each.thing, _introduced(about, each, nth), clauses)]
    name = called(about)
    clause = ending_clause(each.via, about)
    first = f"{owner_of(name, about.person)}{clause.text}" if clause.owner else f"{name} {clause.text}"
    if any(clause.owner for clause in clauses) or (len(clauses) > 1 and not joinable(*clauses[:2])):
        again = each.thing.short or _again(about, each.thing) if each.thing.noun != about.noun else each.thing.the
        return [finished(first), _told(each.thing, again, clauses)]
    who = "who" if each.thing.person else "which"
    return [finished(f"{first}, {who} {together(clauses, _its(each.thing))}")]


def called(about: Thing) -> str:
    """Return how a later paragraph calls the subject."""
    if about.person:
        return about.short or about.he or about.the
    return f"the {about.noun}" if about.noun else about.the


# Others of whom the same could be asked


def _others(about: Thing, asked: Told, added: Sequence[Added]) -> list[Sentence]:
    """Tell who shares a fact with the subject, and of each what is asked: "Lee also directed A, set in Ulm, and B, …"."""
    via = added[0].via
    others = via.wording.way(about.kind).others
    assert others is not None
    hub = via.objects[0]
    names = in_turn([_with_facts(each) for each in added])
    if added[0].link == "kin":
        return _shared(about, via, others, added[0].thing, names)
    via = via._replace(objects=(_by_last_name(hub),))
    return [Sentence(finished(worded(others, via, added[0].thing, names)))]


def _by_last_name(hub: Thing) -> Thing:
    return replace(hub, the=hub.short, label=hub.short) if hub.short else hub


def _shared(about: Thing, via: Told, others: Saying, thing: Thing, names: str) -> list[Sentence]:
    """Tell a fact that the passage leaves out, and who shares it: "It was directed by Ann Lee, who also directed A and B"."""
    clause, hub = ending_clause(via, about), via.objects[0]
    name = called(about)
    text = f"{owner_of(name, about.person)}{clause.text}" if clause.owner else f"{name} {clause.text}"
    if others.pieces[0].kind == "object" and others.pieces[1].kind == "text" and clause.text.endswith(hub.the):
        rest = Saying(others.pieces[1:])
        return [Sentence(finished(f"{text}, {'who' if hub.person else 'which'}{worded(rest, via, thing, names)}"))]
    again = f"the {hub.noun}" if hub.noun and hub.noun != about.noun else None
    hub = replace(hub, the=again, label=again) if again else _by_last_name(hub)
    return [
        Sentence(finished(text)),
        Sentence(finished(worded(others, via._replace(objects=(hub,)), thing, names))),
    ]


def _with_facts(each: Added) -> str:
    """Name a thing with what is told of it: "Peru, whose capital is Lima", "Jaws, set in Ulm and written by Ann Lee"."""
    thing = each.thing
    afters = [_after(told, thing) for told in each.told]
    behind = [text for text in afters if text is not None]
    if len(behind) == len(each.told):
        return f"{thing.the}, {' '.join(joined_behind(behind))}"
    clauses = sorted((clause_of(told, thing) for told in each.told), key=lambda clause: clause.owner)
    if len(clauses) == 1 and clauses[0].owner:
        return f"{thing.the}, whose{clauses[0].text}"
    who = "who" if thing.person else "which"
    owned = [parts for clause in clauses if clause.owner and (parts := _OWNED.fullmatch(clause.text))]
    has = "" if not owned else listed([f"{parts[3]} as {_its(thing)} {parts[1]}" for parts in owned])
    said = [clause for clause in clauses if not clause.owner]
    if not said:
        return f"{thing.the}, {who} has {has}"
    return f"{thing.the}, {who} {together(said)}" + (f" and has {has}" if has else "")


def _after(told: Told, thing: Thing) -> str | None:
    """Say a fact behind a name and a comma, as after a noun: "directed by Ann Lee"; None where that would be a clause."""
    way = told.wording.way(thing.kind)
    text = worded(way.after, told, thing) if way.after is not None and way.lead is None else None
    return None if text is None or text.startswith(("that ", "whose ")) else text


def _its(thing: Thing) -> str:
    return owner_of(thing.he or thing.the, True) if thing.person else "its"


def in_turn(names: Sequence[str]) -> str:
    """List names each of which has something behind it.

    >>> in_turn(["A, set in Ulm", "B, set in Rome"])
    'A, set in Ulm, and B, set in Rome'
    >>> in_turn(["A, by C and D", "B, by E", "F, by G"])
    'A, by C and D; B, by E; and F, by G'
    """
    mark = "; " if len(names) > 2 else ", "
    return f"{mark.join(names[:-1])}{mark}and {names[-1]}"
