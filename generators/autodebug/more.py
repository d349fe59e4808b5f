"""More around a passage, one thread a paragraph: what it mentions, what that leads to, or others who share one fact with it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from generators.articles import with_article
from generators.autodebug.clauses import (
    Clause,
    Thing,
    Told,
    clause_of,
    finished,
    kinds_of,
    listed,
    owner_of,
    together,
    worded,
)
from generators.autodebug.planner import Sentence, chapter_place, joinable, lead_of
from generators.autodebug.wording import Saying


@dataclass(frozen=True)
class Added:
    """What is told of another thing, and what links it to the passage.

    `link`: "mentioned" (the passage tells the fact `via`, of which it is an object), "further" (one that the passage does not
    tell), "others" (`via` is a fact that it has in common with the subject) or "kin" (one that the passage does not tell).
    `role` has what says what it is, `told` what else is told.
    """

    thing: Thing
    link: str
    via: Told
    role: list[Told]
    told: list[Told]


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
        more = _others(about, asked, added)
        return Enriched([rest, [*more, *support]], where) if where == "last" else Enriched([list(original), more], where)
    if where == "last" and len(rest) > 1 and rest[-1].again is not None:
        # What is held back is not told of before.
        named = {thing.number for told in rest[-1].told for thing in told.objects}
        others = [each for each in added if each.thing.number not in named]
    else:
        others = []
    added = others if len(others) > 1 else added
    again = [any(other.via.relation == each.via.relation for other in added[:nth]) for nth, each in enumerate(added)]
    more = [Sentence(text) for nth, each in enumerate(added) for text in _background(about, each, nth, again[nth])]
    if where != "last":
        return Enriched([list(original), more], where)
    back = rest[-1]
    if len(others) > 1 and back.again is not None:
        text = back.again
        if about.noun and about.noun not in {each.thing.noun for each in added} and text.startswith(f"{about.the} "):
            text = f"The {about.noun}{text.removeprefix(about.the)}"
        return Enriched([rest[:-1], more, [back._replace(text=text), *support]], where)
    return Enriched([list(original), more], "middle")


# What the passage mentions


def _background(about: Thing, each: Added, nth: int, again: bool) -> list[str]:
    """Tell of one thing that the passage mentions, or could, in a sentence or two."""
    clauses = sorted([clause_of(told, each.thing) for told in each.told], key=_order)
    if each.link == "further":
        return _further(about, each, clauses, nth)
    name = _introduced(about, each, nth, again)
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


def _introduced(about: Thing, each: Added, nth: int, again: bool) -> str:
    """Return a thing's name with what it is and why it is here: "Ulm, the city where she was born,", "its director, A,"."""
    way = each.via.wording.way(about.kind)
    kind = _kind(about, each)
    if way.role and not about.person:
        its = owner_of(called(about), False) if nth else "its"
        return f"{each.thing.the}, its {way.role}," if nth % 2 else f"{its} {way.role}, {each.thing.the},"
    assert way.back is not None
    back = _relative(worded(way.back, each.via, about, _beside(about, each.thing)), each.thing)
    if again and back.startswith("who "):
        return f"{each.thing.the}, {back.replace('who ', 'who also ', 1)},"
    link, _, rest = back.partition(" ")
    if kind is None or link not in _RELATIVES:
        return f"{each.thing.the}, {back},"
    return f"{each.thing.the}, the {kind} {'that' if link == 'which' else link} {rest},"


_RELATIVES = frozenset(("who", "whom", "whose", "where", "which", "in", "on", "to", "for", "with", "of", "by", "after", "from"))


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
    name = called(about) if nth != 1 else about.he or called(about)
    clause = clause_of(each.via, about)
    first = f"{owner_of(name, about.person)}{clause.text}" if clause.owner else f"{name} {clause.text}"
    kind = _kind(about, each)
    if any(clause.owner for clause in clauses) or (len(clauses) > 1 and not joinable(*clauses[:2])) or nth == 1:
        again = each.thing.short or _again(about, each.thing) if each.thing.noun != about.noun else each.thing.the
        first = first if kind is None else f"{first}, {with_article(kind)}"
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
    """Tell who shares one fact with the subject, and of each what is asked: "Spielberg also directed A, B and C. A was …"."""
    via = added[0].via
    others = via.wording.way(about.kind).others
    assert others is not None
    hub = via.objects[0]
    names = listed([each.thing.the for each in added])
    if added[0].link == "kin":
        before = _shared(about, via, others, added[0].thing, names)
    else:
        via = via._replace(objects=(_by_last_name(hub),))
        before = [Sentence(finished(worded(others, via, added[0].thing, names)))]
    told = [replace(each, told=[each.told[0]._replace(key=asked.key), *each.told[1:]]) for each in added]
    return [*before, *_of_each(told)]


def _by_last_name(hub: Thing) -> Thing:
    return replace(hub, the=hub.short, label=hub.short) if hub.short else hub


def _shared(about: Thing, via: Told, others: Saying, thing: Thing, names: str) -> list[Sentence]:
    """Tell a fact that the passage leaves out, and who shares it: "It was directed by Ann Lee, who also directed A and B"."""
    clause, hub = clause_of(via, about), via.objects[0]
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


def _of_each(added: Sequence[Added]) -> list[Sentence]:
    """Tell of each what is asked of the subject: in a row where that is all, else in a sentence each."""
    names = _short_names(added)
    clauses = [[clause_of(told, each.thing) for told in each.told] for each in added]
    if all(len(each) == 1 for each in clauses):
        return [Sentence(finished(in_a_row(names, [each[0] for each in clauses], [each.thing.person for each in added])))]
    texts = [
        _alone(each.thing, name, said, nth) for nth, (each, name, said) in enumerate(zip(added, names, clauses, strict=True))
    ]
    return [Sentence(finished(text)) for text in texts]


def _short_names(added: Sequence[Added]) -> list[str]:
    """Return how those who were just named are called: by their last names, where all have one and no two share it."""
    short = [each.thing.short or each.thing.the for each in added]
    all_short = all(each.thing.short or not each.thing.person for each in added)
    return short if all_short and len(set(short)) == len(short) else [each.thing.the for each in added]


def _alone(thing: Thing, name: str, clauses: Sequence[Clause], nth: int) -> str:
    """Tell of one of them; every second with what else is known of it in passing."""
    first, *rest = clauses
    if not rest:
        return f"{owner_of(name, thing.person)}{first.text}" if first.owner else f"{name} {first.text}"
    if not first.owner and not rest[0].owner and (nth % 2 or not joinable(first, rest[0])):
        return f"{name}, {'who' if thing.person else 'which'} {rest[0].text}, {first.text}"
    if first.owner and not rest[0].owner:
        return f"{name} {rest[0].text}, and {_its(thing)}{first.text}"
    if first.owner:
        return f"{owner_of(name, thing.person)}{first.text}"
    return f"{name} {together([first, *rest], _its(thing))}"


def _its(thing: Thing) -> str:
    return owner_of(thing.he or thing.the, True) if thing.person else "its"


def in_a_row(names: Sequence[str], clauses: Sequence[Clause], people: Sequence[bool]) -> str:
    """Say one thing of several: "A was directed by B, C by D and E by F"."""
    called = [owner_of(name, person) if clause.owner else f"{name} "
              for name, clause, person in zip(names, clauses, people, strict=True)]  # fmt: skip
    stem = clauses[0].stem
    short = stem.split()[-1] if stem.split() else ""
    told = [f"{name}{clause.text}" for name, clause in zip(called, clauses, strict=True)]
    if stem.endswith(" is ") and all(clause.owner and clause.stem == stem for clause in clauses):
        rest = [f"{name} is {clause.text[len(stem) :]}" for name, clause in zip(called[1:], clauses[1:], strict=True)]
        return listed([told[0], *rest])
    gap = short in _LINKS and (short != "of" or len(stem.split()) == 2)
    if gap and all(clause.stem == stem for clause in clauses):
        rest = [
            f"{name.rstrip()} {short} {clause.text[len(stem) :]}" for name, clause in zip(called[1:], clauses[1:], strict=True)
        ]
        if any(clause.several for clause in clauses):
            return f"{', '.join([told[0], *rest[:-1]])}, and {rest[-1]}"
        return listed([told[0], *rest])
    return f"{', '.join(told[:-1])}, and {told[-1]}"


_LINKS = frozenset(("by", "in", "at", "of", "on", "for", "from", "to", "as", "with", "under", "after", "into"))
