"""Who made a row, who did something to it, and who won it."""

from __future__ import annotations

from dataclasses import replace

from generators import inflections
from generators.column_names import WordLists, ends_in_participle
from generators.erbench import sure
from generators.erbench.plain import of_row
from generators.erbench.sentences import ROW, VALUE, Form, Subject, with_be, with_do
from generators.erbench.verbs import infinitive

OF_WORKS = frozenset({"wrote", "composed", "painted", "sculpted", "engraved", "published", "directed", "translated"})
"""What is done to works alone, and to no place."""


def agent(name: str, subject: Subject, *, person: bool = False) -> Form | None:
    """Who made it: "Who directed X?", where people made it by what they are called."""
    lists, last = WordLists.load(), name.split()[-1]
    if name == "operator" and not person:  # a company, or a university
        made = with_be(f"Who operates {ROW}?", f"operated by {VALUE}", f"the {name} of {ROW}")
        return made.sure("name", leads=True)
    if last in lists.companies and name not in lists.agents and not person:
        return replace(of_row(name, proper=True), ask=f"Who is the {name} of {ROW}?").sure("name", leads=True)
    # Who directs a museum is its director; who directed a film did so once.
    if name not in lists.agents or (name in ("director", "performer", "producer") and not is_work(subject)) or subject.person:
        return None
    participle, past = lists.agents[name]
    if own := sure.Sure.load().makers.get(f"{subject.noun.split()[-1]} {name}"):
        past, participle, *_ = own  # the founder of a bell has cast it
    if not sure.is_done_to(past, subject.noun):
        return act_done(name, subject)
    return replace(passive_by(participle, past), whole=f"the {name} of {ROW}").sure("name", leads=True)


def act_done(name: str, subject: Subject) -> Form | None:
    """What a role did to what is no work: "Who named the genus X?", where a column says that it was named."""
    act = sure.act_of(name, subject.done)
    verb = inflections.base(act) if act else None
    if act is None or verb is None or is_work(subject):  # the author of a book wrote it, whoever published it
        return None
    past = inflections.past(verb)
    return replace(passive_by(act, past), whole=f"the person who {past} {ROW}").sure("name", leads=True)


def is_work(subject: Subject) -> bool:
    """Tell whether a row is a work, which is made once."""
    return subject.noun.split()[-1] in WordLists.load().works


def passive_by(participle: str, past: str) -> Form:
    return with_be(f"Who {past} {ROW}?", f"{participle} by {VALUE}", f"the one who {past} {ROW}", "was")


def done_by(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Who did it: "Who designed X?", "Which observatory monitors X?", "Who made the first ascent of X?"."""
    words = name.split()
    if len(words) < 2 or words[-1] != "by":
        return None
    done, who = " ".join(words[:-1]), f"Which {to}" if to else "What" if words[-2] in _BY_ITS_LIKE else "Who"
    if present := WordLists.load().lasting.get(done):
        made = with_be(f"{who} {present} {ROW}?", f"{done} by {VALUE}", f"the {to or 'one'} that {present} {ROW}")
        return made.sure("name", leads=bool(to))
    if ends_in_participle(words[-2]):
        verb = inflections.base(words[-2])
        past = " ".join([*words[:-2], WordLists.load().past.get(words[-2]) or (inflections.past(verb) if verb else words[-2])])
        made = with_be(f"{who} {past} {ROW}?", f"{done} by {VALUE}", f"the {to or 'one'} that {past} {ROW}", "was")
        known = done in sure.Sure.load().done or inflections.is_participle(words[-2])
        known = known and words[-2] not in _TO_SOMEBODY
        known = known and sure.is_done_to(past, subject.noun)  # an act that makes a park is signed, the park is not
        return made.sure("name" if known and not subject.person else None, leads=bool(to))
    made_by = f"the {done} of {ROW}"
    claim, deny = f"Did {VALUE} make {made_by}?", f"{VALUE} did not make {made_by}"
    made = Form(f"Who made {made_by}?", claim, deny, f"{VALUE} made {made_by}", f"the one who made {made_by}")
    return made.sure("name" if words[-2] in _FEATS else None)


_BY_ITS_LIKE = frozenset({"replaced", "succeeded", "superseded"})
"""What another thing of its kind does to a thing, and no person."""
_TO_SOMEBODY = frozenset(
    {"influenced", "awarded", "given", "granted", "followed", "preceded", "recommended", "used", "played", "held", "won"}
)
"""What somebody does with a thing and another, or what comes after it: nobody is asked who awarded a wine."""


_FEATS = frozenset({"ascent", "descent", "crossing", "recording", "translation", "sighting", "flight", "landing"})
"""What somebody is first to make."""


def made_by(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Which row of another table made a row: "Which brewery makes the beer X?"."""
    if not to and (kind != "text" or name == "operator" or name in WordLists.load().agents or " " in name):
        return None
    if (act := act_done(name, subject)) is not None:
        return act
    if name in _DESCRIBERS and subject.noun.split()[-1] in {*WordLists.load().generic_kinds, *sure.Sure.load().taxa}:
        whole = f"the person who first described {ROW}"
        return replace(passive_by("first described", "first described"), whole=whole).sure("name", leads=True)
    to = to or name
    same = to.split()[-1].endswith(name.split()[-1])  # a vessel's yard is a shipyard
    itself = subject.noun == to  # a firm that another owns is not made by it
    made = sure.maker(subject.noun, to) if same and not (subject.person or itself) else None
    if made is None or len(name.split()) > len(str(to).split()):
        return None
    verb, participle, be, part = made
    if subject.place and verb in OF_WORKS:
        return of_row(name, proper=True).sure(None)  # the author of a museum is the one whom it is about
    if not sure.is_done_to(verb, "work" if part else subject.noun):
        return _comes_from(str(to), verb)
    row = f"{part} {ROW}".strip()
    lists, last = WordLists.load(), str(to).split()[-1]
    noun = "company" if last in lists.companies else to
    somebody = last in lists.persons or (inflections.is_agent(last) and last not in lists.companies)
    called = last in lists.persons or inflections.is_agent(last) or noun != to
    if inflections.base(verb) in to.split():  # a launch vehicle that launched something
        name, called = to, True
    if subject.by_person and be == "is":
        verb, be = inflections.past(infinitive(verb)), "was"  # a company goes on making it
    whole = f"the {name if to.endswith(name) else to} of {ROW}" if called else f"the {noun} that {verb} {row}"
    if called and somebody and last not in sure.Sure.load().makers and last not in _SAID_OF_WORKS:
        whole = f"the {to} who {verb} {row}"  # nobody is the philosopher of a work
    # A design bureau or a craftsman is a maker, and no company.
    asked = "Who" if last in lists.companies or somebody else f"Which {noun}"
    by = "" if participle.endswith(" at") else " by"  # a ship is built at a yard
    return with_be(f"{asked} {verb} {row}?", f"{participle}{by} {VALUE}", whole, be, row).sure("name", leads=True)


_SAID_OF_WORKS = ("artist", "director", "band")
_DESCRIBERS = ("author", "authority", "describer")
"""Who described a species has not written it."""


def _comes_from(to: str, verb: str) -> Form | None:
    """Which house a row is from, whatever that did for it: a foundry casts bells, and no typeface of today."""
    if verb in OF_WORKS or to.split()[-1] in WordLists.load().persons or inflections.is_agent(to.split()[-1]):
        return None
    made = with_be(f"Which {to} is {ROW} from?", f"from {VALUE}", f"the {to} of {ROW}")
    return made.sure("name", leads=True)


def neighbour(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Which row of the same table came before or after: "Who directly preceded the pope X?"."""
    order = next((verb for words, verb in _ORDER.items() if name.split()[0] in words), None)
    if order is None or to != subject.noun or name.split()[1:] not in ([], [subject.noun.split()[-1]]):
        return None
    who, past = "Who" if subject.person else f"Which {to}", f"directly {inflections.past(order)}"
    claim, deny = f"Did {VALUE} directly {order} {ROW}?", f"{VALUE} did not directly {order} {ROW}"
    made = Form(f"{who} {past} {ROW}?", claim, deny, f"{VALUE} {past} {ROW}", f"the {to} that {past} {ROW}")
    return made.sure("name", leads=True)


_ORDER = {
    ("previous", "preceding"): "precede",
    ("next", "succeeding", "following"): "succeed",
}
"""What a row that refers to another of its table says of it, and what that one did."""


def winner(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Which row won: "Which vessel won the race X?" of `winner_vessel` and `winning_vessel`."""
    first, *rest = name.split()
    if first not in ("winner", "winning") or not rest or kind != "text" or subject.person:
        return None
    what = " ".join(rest)
    made = with_do(f"Which {what} won {ROW}?", f"win {ROW}", f"won {ROW}", f"the {what} that won {ROW}", "did")
    claim, deny, say = f"Did {VALUE} win {ROW}?", f"{VALUE} did not win {ROW}", f"{VALUE} won {ROW}"
    return replace(made, claim=claim, deny=deny, say=say).sure("name", leads=True)
