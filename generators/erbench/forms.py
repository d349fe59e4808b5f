"""How a fact is asked and said by the type of its value: who, where, when, how many; columns that are verbs as verbs.

A form has five texts about a row (`ROW`) and a value (`VALUE`), which are put in later:

```
>>> bridge = Subject("bridge", place=True)
>>> form("opened", "year", bridge).ask.replace(ROW, "the Humber Bridge")
'In which year did the Humber Bridge open?'
>>> form("designed by", "text", bridge).ask.replace(ROW, "the bridge X"), form("city", "text", bridge).claim
('Who designed the bridge X?', 'Is ‹row› in ‹value›?')
>>> form("number of lanes", "number", bridge).ask, form("main span m", "number", bridge).say
('How many lanes does ‹row› have?', 'The main span of ‹row› is ‹value› metres')

```
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from generators.articles import with_article
from generators.column_names import WordLists, unit_of
from generators.nouns import is_plural, is_word

ROW, VALUE = "‹row›", "‹value›"

_DATES = {"date": ("On which date", "on"), "month": ("In which month and year", "in"), "year": ("In which year", "in")}
_NO_PARTS = frozenset({"home", "main", "current", "ship", "bill", "mail", "local", "first", "last", "other", "second"})
_ONCE = frozenset({"born", "founded", "written", "built", "made", "named", "killed", "invented", "launched", "released"})
"""Participles of what happened once: "X was named after Y"."""
_ORIGINS = frozenset({"country", "nation", "state", "region", "province", "continent"})


@dataclass(frozen=True)
class Subject:
    """What a row is: its noun, and whether it is a person, or stands at a place."""

    noun: str
    person: bool = False
    place: bool = False


@dataclass(frozen=True)
class Form:
    """A question for a value, one whether it is some value, what denies and what says it, and the value as a noun.

    `deny` and `say` are clauses; they begin a sentence or follow "it is right that".
    """

    ask: str
    claim: str
    deny: str
    say: str
    whole: str


Rule = Callable[[str, str, Subject, str | None], Form | None]


def form(name: str, kind: str, subject: Subject, to: str | None = None, *, person: bool = False) -> Form:
    """Find how a column or foreign key is asked; `kind` is that of its values (text, number, year, month, date).

    `to` is what a foreign key leads to, and `person` says whether that is a person.
    """
    if kind == "year" and (made := _event(name, kind, subject, to)):
        return made
    kind = "number" if kind == "year" else kind
    rules: tuple[Rule, ...] = (_event, _number, _by, _with_preposition, _born_or_died_at, _area, _type, _group)
    found = next((made for rule in rules if (made := rule(name, kind, subject, to))), None)
    if found and person and found.ask.startswith("What "):
        return replace(found, ask=f"Who {found.ask.removeprefix('What ')}")
    return found or _agent(name, person=person) or _noun(name, person=person)


def flag(name: str) -> tuple[str, str] | None:
    """Say a column of yes and no as a question and what denies it; None where its name is no statement.

    >>> [said[0] for name in ("discontinued", "has engine", "in use", "wide body indicator") if (said := flag(name))]
    ['Is ‹row› discontinued?', 'Does ‹row› have an engine?', 'Is ‹row› in use?']
    """
    first, *rest = name.split()
    if first in ("is", "was") and rest:
        return f"{first.capitalize()} {ROW} {' '.join(rest)}?", f"{ROW} {first} not {' '.join(rest)}"
    if first == "has" and rest:
        what = " ".join(rest)
        what = what if is_plural(rest[-1]) else with_article(what)
        return f"Does {ROW} have {what}?", f"{ROW} does not have {what}"
    if _is_participle(name) or (first == "in" and len(rest) == 1):
        return f"Is {ROW} {name}?", f"{ROW} is not {name}"
    return None


def _be(ask: str, said: str, whole: str, be: str = "is", row: str = ROW) -> Form:
    """A form whose verb is "is" or "was": `said` is what stands behind it, with the value."""
    return Form(ask, f"{be.capitalize()} {row} {said}?", f"{row} {be} not {said}", f"{row} {be} {said}", whole)


def _do(ask: str, base: str, finite: str, whole: str, do: str = "does") -> Form:
    """A form whose verb is asked with "does" or "did": `base` and `finite` are it and what stands behind it."""
    return Form(ask, f"{do.capitalize()} {ROW} {base}?", f"{ROW} {do} not {base}", f"{ROW} {finite}", whole)


def _noun(name: str, *, person: bool = False) -> Form:
    """What is the name of the row: for all that has no verb of its own."""
    what, unit = unit_of(name)
    whole, behind = f"the {what} of {ROW}", f" {unit}" if unit else ""
    if unit:
        return replace(
            _be(f"What is {whole} in {unit}?", f"{VALUE}{behind}", f"{whole} in {unit}", row=whole), say=_said(what, unit)
        )
    verb, question = "are" if is_plural(what.split()[-1]) else "is", "Who" if person else "What"
    claim, deny = f"{verb.capitalize()} {VALUE} {whole}?", f"{VALUE} {verb} not {whole}"
    return Form(f"{question} {verb} {whole}?", claim, deny, f"The {what} of {ROW} {verb} {VALUE}", whole)


def _said(what: str, unit: str) -> str:
    return f"The {what} of {ROW} is {VALUE} {unit}"


def _agent(name: str, *, person: bool = False) -> Form | None:
    """Who made it: "Who directed X?", where people made it by what they are called."""
    agents, last = WordLists.load().agents, name.split()[-1]
    if last in WordLists.load().companies and not person:
        return replace(_noun(name), ask=f"Which company is the {name} of {ROW}?")
    if name not in agents:
        return None
    participle, past = agents[name]
    return replace(_passive_by(participle, past), whole=f"the {name} of {ROW}")


def _passive_by(participle: str, past: str) -> Form:
    return _be(f"Who {past} {ROW}?", f"{participle} by {VALUE}", f"the one who {past} {ROW}", "was")


def _event(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """When something happened: "In which year was X founded?", "On which date did X open?"."""
    if kind not in _DATES or to:
        return None
    words = [word for word in name.split() if word not in ("date", "year", "month", "day", "of", "on", "at", "in", "time")]
    core, (when, at) = " ".join(words), _DATES[kind]
    if not core:
        return _be(f"Which year is {ROW} from?", f"from {VALUE}", f"the year of {ROW}") if kind == "year" else None
    verb = WordLists.load().events.get(core) or (core if _is_participle(core) else None)
    if verb is None:
        return None
    whole, value = f"the {kind} {when.split()[0].lower()} which {ROW}", f"{at} {VALUE}"
    if not verb.startswith("to "):
        return _be(f"{when} was {ROW} {verb}?", f"{verb} {value}", f"{whole} was {verb}", "was")
    base = verb.removeprefix("to ")
    past = _past(base)
    return _do(f"{when} did {ROW} {base}?", f"{base} {value}", f"{past} {value}", f"{whole} {past}", "did")


def _past(base: str) -> str:
    """The past of what a row itself did: "opened", "first flew", "made its debut"."""
    *first, verb = base.split() if not base.startswith("make ") else [base]
    head, _, rest = verb.partition(" ")
    past = WordLists.load().past.get(head) or (f"{head}d" if head.endswith("e") else f"{head}ed")
    return " ".join([*first, past, *([rest] if rest else [])])


def _number(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """How many, or how high with its unit."""
    if kind != "number" or to:
        return None
    what, unit = unit_of(name)
    how = WordLists.load().how.get(what)
    if how and unit:
        return _be(f"How {how} is {ROW}, in {unit}?", f"{VALUE} {unit} {how}", f"the {what} of {ROW} in {unit}")
    counted = name.removeprefix("number of ")
    if unit is None and (counted != name or is_plural(name.split()[-1])) and len(counted.split()) < 3:
        ask, whole = f"How many {counted} does {ROW} have?", f"the number of {counted} of {ROW}"
        return _do(ask, f"have {VALUE} {counted}", f"has {VALUE} {counted}", whole)
    return None


def _by(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Who did it: "Who designed X?", "Who made the first ascent of X?"."""
    words = name.split()
    if len(words) < 2 or words[-1] != "by":
        return None
    done = " ".join(words[:-1])
    if _is_participle(words[-2]):
        past = WordLists.load().past.get(words[-2], words[-2])
        made = _passive_by(done, " ".join([*words[:-2], past]))
        return replace(made, whole=f"the {to} by whom {ROW} was {done}") if to else made
    made_by = f"the {done} of {ROW}"
    claim, deny = f"Did {VALUE} make {made_by}?", f"{VALUE} did not make {made_by}"
    return Form(f"Who made {made_by}?", claim, deny, f"{VALUE} made {made_by}", f"the one who made {made_by}")


def _with_preposition(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """A verb with its preposition: "What is X made from?", "What does X flow into?", "Where is X based?"."""
    words, lists = name.split(), WordLists.load()
    if len(words) < 2 or words[-1] not in lists.prepositions:
        return None
    target = f"the {to} that" if to else "what"
    if _is_participle(words[0]):
        be = "was" if words[0] in _ONCE and name != "made from" else "is"
        where = words[-1] in ("in", "at") and not to
        ask = f"Where {be} {ROW} {' '.join(words[:-1])}?" if where else f"What {be} {ROW} {name}?"
        return _be(ask, f"{name} {VALUE}", f"{target} {ROW} {be} {name}", be)
    if words[0].endswith("s") and is_word(_base(words[0])) and len(words) == 2:
        base = f"{_base(words[0])} {words[1]}"
        return _do(f"What does {ROW} {base}?", f"{base} {VALUE}", f"{name} {VALUE}", f"{target} {ROW} {name}")
    if words[-1] == "of" and not to:
        what = name if words[0] == "part" else with_article(name)
        return _be(f"What is {ROW} {what}?", f"{what} {VALUE}", f"what {ROW} is {what}")
    return None


def _base(verb: str) -> str:
    """The infinitive of a verb in the third person: "flows", "carries", "passes"."""
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if verb.endswith(("sses", "shes", "ches", "goes", "xes")) else verb[:-1]


def _born_or_died_at(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """Where somebody was born or died."""
    plain = name.replace("birthplace", "birth place").replace("deathplace", "death place").replace("place of ", "")
    words = [word for word in plain.split() if word not in ("place", "of", "location")]
    event = next((word for word in words if word in ("birth", "death", "born", "died")), None)
    area = [word for word in words if word != event]
    if event is None or (area and area != [a for a in area if a in WordLists.load().areas]):
        return None
    where, what = f"In which {area[0]}" if area else "Where", f"the {area[0] if area else 'place'} in which {ROW}"
    if event in ("birth", "born"):
        return _be(f"{where} was {ROW} born?", f"born in {VALUE}", f"{what} was born", "was")
    return _do(f"{where} did {ROW} die?", f"die in {VALUE}", f"died in {VALUE}", f"{what} died", "did")


def _area(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """In which city, country or region a row is, or which one it is from."""
    *part, area = name.split()
    if area == "location" and not part and subject.place:
        return _be(f"Where is {ROW}?", f"in {VALUE}", f"the place of {ROW}")
    if area not in WordLists.load().areas or kind != "text" or len(part) > 1 or not all(map(_is_part, part)):
        return None
    of = f"the {part[0]} of {ROW}" if part else ROW
    agent = bool(part) and part[0] != "headquarters" and part[0].endswith(("er", "or", "ist"))
    if agent or (not part and not subject.place):
        if area not in _ORIGINS or (subject.person and area == "state"):
            return None
        return _be(f"Which {area} is {of} from?", f"from {VALUE}", f"the {area} that {of} is from", row=of)
    within = "On" if area == "continent" else "In"
    # "The town in which X is is not in France" would say "is" twice.
    what = f"the {area} where {of} lies" if subject.place and not part else f"the {area} of {of}"
    return _be(f"{within} which {area} is {of}?", f"in {VALUE}", what, row=of)


def _is_part(word: str) -> bool:
    """Tell whether a word before "city" or "country" is a part of the row that stands there: its mouth, its headquarters."""
    verb = word.endswith(("ing", "ed", "est"))
    return is_word(word) and not verb and word not in _NO_PARTS and word not in WordLists.load().areas


def _type(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """What type of bridge it is, what type of engine it has."""
    *part, head = name.split()
    if head not in ("type", "kind", "category"):
        return None
    own, made = subject.noun.split()[-1], _noun(name)
    if not part or part == [own]:
        return replace(made, ask=f"What {'kind' if head == 'category' else head} of {own} is {ROW}?")
    return replace(made, ask=f"What {head} of {' '.join(part)} does {ROW} have?")


def _group(name: str, kind: str, subject: Subject, to: str | None) -> Form | None:
    """To what a row belongs."""
    if name.split()[-1] not in WordLists.load().groups or kind != "text":
        return None
    whole = f"the {name} that {ROW} belongs to"
    return _do(f"Which {name} does {ROW} belong to?", f"belong to {VALUE}", f"belongs to {VALUE}", whole)


def _is_participle(word: str) -> bool:
    last = word.split()[-1]
    return last in WordLists.load().participles or (
        last.endswith("ed") and len(last) > 4 and last not in ("speed", "breed", "creed")
    )
