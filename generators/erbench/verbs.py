"""Columns that are verbs: what a row does to another, what it is made from."""

from __future__ import annotations

from dataclasses import replace

from generators import inflections
from generators.articles import with_article
from generators.column_names import WordLists, ends_in_participle
from generators.erbench import sure
from generators.erbench.sentences import ROW, VALUE, Form, Subject, with_be, with_do
from generators.nouns import is_plural, is_word

_ONCE = frozenset(
    {
        "crowned",
        "killed",
        "educated",
        "raised",
        "trained",
        "baptised",
        "executed",
        "born",
        "founded",
        "written",
        "built",
        "made",
        "named",
        "invented",
        "launched",
        "released",
    }
)
"""Participles of what happened once: "X was named after Y"."""


_PASSIVE = frozenset({"born", "buried", "raised", "educated", "trained", "based", "employed", "baptised", "killed", "crowned"})
"""What is done to a person; what other participles say, they did themselves."""


_STATES = frozenset(
    {
        "based", "located", "situated", "headquartered", "kept", "stored", "held", "displayed", "found", "used", "spoken",
        "moored", "housed", "preserved", "exhibited", "shown", "stationed", "anchored", "stabled", "registered", "grown",
        "buried",
    }
)  # fmt: skip
"""Where something is, and not where something happened to it."""


def does_it(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """A foreign key that is a verb: "Which class does X replace?" of `replaces`."""
    if " " in name or not name.endswith("s") or not is_plural(name) or not is_word(infinitive(name)):
        return None
    if not to:
        known = name in sure.Sure.load().verbs
        base = infinitive(name) if known else inflections.base(name)
        if kind != "text" or base is None or subject.person or (inflections.is_common_noun(base) and not known):
            return None
        made = with_do(f"What does {ROW} {base}?", f"{base} {VALUE}", f"{name} {VALUE}", f"what {ROW} {name}")
        # What a painting depicts, a bridge carries; of rivers and roads only custom knows which has its article.
        return replace(made, claimed=False).sure("any")
    return with_do(
        f"Which {to} does {ROW} {infinitive(name)}?",
        f"{infinitive(name)} {VALUE}",
        f"{name} {VALUE}",
        f"the {to} that {ROW} {name}",
    )


def with_preposition(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """A verb with its preposition: "What is X made from?", "What does X flow into?", "Where is X based?"."""
    words, lists, lists_of_sure = name.split(), WordLists.load(), sure.Sure.load()
    if len(words) < 2 or words[-1] not in lists.prepositions:
        return None
    target = f"the {to} that" if to else "what"
    if ends_in_participle(words[0]):
        be = "was" if words[0] in _ONCE and name != "made from" else "is"
        if name in lists_of_sure.for_somebody:
            return with_be(f"Who was {ROW} {name}?", f"{name} {VALUE}", f"the one whom {ROW} was {name}", "was").sure("name")
        where = words[-1] in ("in", "at") and not to
        if where and len(words) == 2 and not subject.person:
            be = "is" if words[0] in _STATES else "was"
        verb = inflections.base(words[0])
        if where and subject.person and verb and words[0] not in _PASSIVE:  # somebody studied at a school
            did, past = f"{verb} {words[-1]} {VALUE}", inflections.past(verb)
            made = with_do(
                f"Where did {ROW} {verb}?", did, f"{past} {words[-1]} {VALUE}", f"the place where {ROW} {past}", "did"
            )
            return made.sure("name" if len(words) == 2 else None)
        what = "Who or what" if words[0] == "named" else "What"
        ask = f"Where {be} {ROW} {' '.join(words[:-1])}?" if where else f"{what} {be} {ROW} {name}?"
        known = name in lists_of_sure.with_prepositions
        settled = where and len(words) == 2 and inflections.is_participle(words[0])
        look = "name" if name == "named after" or (settled and not known) else "any" if known else None
        return with_be(ask, f"{name} {VALUE}", f"{target} {ROW} {be} {name}", be).sure(look)
    if words[0] == "on" and words[-1] in ("at", "in") and len(words) == 3 and inflections.is_common_noun(words[1]) and not to:
        shown = " ".join(words[:2])  # on display
        return with_be(f"Where is {ROW} {shown}?", f"{name} {VALUE}", f"the place where {ROW} is {shown}").sure("name")
    if words[0].endswith("s") and is_word(infinitive(words[0])) and len(words) == 2:
        base = f"{infinitive(words[0])} {words[1]}"
        made = with_do(f"What does {ROW} {base}?", f"{base} {VALUE}", f"{name} {VALUE}", f"{target} {ROW} {name}")
        return made.sure("name" if name in lists_of_sure.with_prepositions else None)
    if words[-1] == "from":
        of = f"the {' '.join(words[:-1])} of {ROW}"
        return with_be(f"Where is {of} from?", f"from {VALUE}", f"the place that {of} is from", row=of)
    if words[-1] == "of" and not to:
        what = name if words[0] == "part" else with_article(name)
        known = words[0] == "tributary" or name in lists_of_sure.with_prepositions
        return with_be(f"What is {ROW} {what}?", f"{what} {VALUE}", f"what {ROW} is {what}").sure("name" if known else None)
    return None


def infinitive(verb: str) -> str:
    """The infinitive of a verb in the third person: "flows", "carries", "passes"."""
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if verb.endswith(("sses", "shes", "ches", "goes", "xes")) else verb[:-1]


def does_to(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """What a row does to another one: "Which river does the bridge X cross?"."""
    own = name == (to or name) or (to or "").endswith(f" {name}")
    base = sure.does(subject.noun, to or name) if own and kind == "text" else None
    if base is None:
        return None
    verb, _, rest = base.partition(" ")
    if verb == "be":
        what = "mountain range" if name == "range" else name
        ask = f"{rest.capitalize()} which {what} is {ROW}?"
        return with_be(ask, f"{rest} {VALUE}", f"the {what} that {ROW} is {rest}").sure("name")
    third = f"{verb}es" if verb.endswith(("ss", "sh", "ch", "o")) else f"{verb[:-1]}ies" if verb.endswith("dy") else f"{verb}s"
    said = f"{third} {rest}".strip()
    made = with_do(f"Which {name} does {ROW} {base}?", f"{base} {VALUE}", f"{said} {VALUE}", f"the {name} that {ROW} {said}")
    return made.sure("name")


_FROM, _TO = frozenset({"origin", "departure", "source", "starting"}), frozenset({"destination", "arrival", "end"})


def journey(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Where a flight or a train departs, and where it goes: "From which airport does the flight X depart?"."""
    end, *stop = name.split()
    if len(stop) != 1 or kind != "text" or subject.noun.split()[-1] not in ("flight", "train", "ferry", "bus"):
        return None
    if stop[0] not in ("airport", "station", "city", "port", "stop") or end not in _FROM | _TO:
        return None
    way, base, third = ("From", "depart from", "departs from") if end in _FROM else ("To", "go to", "goes to")
    ask = f"{way} which {stop[0]} does {ROW} {base.split()[0]}?"
    return with_do(ask, f"{base} {VALUE}", f"{third} {VALUE}", f"the {name} of {ROW}").sure("name")
