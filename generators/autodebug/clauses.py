"""Clauses: what is said of a subject, with its names, tense and number put in, and several of them in one sentence.

The answer's place is kept open by one of three marks, so that a swapped passage is the original with another name in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from generators.articles import with_article
from generators.autodebug.wording import Piece, Saying, Wording, lists

OPEN_THE, OPEN_A, OPEN_BARE, OPEN_SHORT = "\ue000", "\ue001", "\ue002", "\ue003"
"""Where the answer stands: with its article, with "a", without any; by a short name."""
_OPEN = {
    "object": OPEN_THE,
    "object_a": OPEN_A,
    "object_bare": OPEN_BARE,
    "object_field": OPEN_BARE,
    "object_kind": OPEN_A,
    "object_plural": OPEN_BARE,
}
_UNCOUNTED = frozenset(
    ("comedy", "comedy-drama", "drama", "melodrama", "parody", "romance", "satire", "tragedy", "tragicomedy")
)
_TRADES = 2
"""How many professions of one person are told."""
_LONGEST = 120
"""Letters of the names of a list that is told whole."""
_LONG_AWARDS = 90
"""Letters of the names of several awards that are told together."""
_BE = ("was", "is", "were", "has", "had")
_AWARDS = ("Award", "Prize", "Medal")
_FIELD = ("industry", "sector", "business")


@dataclass(frozen=True, slots=True)
class Thing:
    """What sentences are about, or name: see `entities.entity_names`."""

    number: int
    label: str
    the: str
    a: str
    person: bool
    he: str | None
    noun: str | None
    short: str | None
    kind: str
    genus: str | None
    gone: bool
    demonym: str | None


class Told(NamedTuple):
    """A fact that a passage tells: a relation, and its objects or its year; `key` draws its words."""

    wording: Wording
    relation: int
    objects: tuple[Thing, ...]
    year: str | None
    key: int
    asked: bool = False


class Clause(NamedTuple):
    """What is said of a subject, without it: its text, the words before the object, and whom and what it names."""

    text: str
    stem: str
    owner: bool
    told: Told

    @property
    def year(self) -> bool:
        """Whether it says a year."""
        return self.told.year is not None

    @property
    def several(self) -> bool:
        """Whether it lists."""
        return " and " in self.text


def listed(texts: Sequence[str]) -> str:
    """Join the texts of a list.

    >>> listed(["A"]), listed(["A", "B", "C"])
    ('A', 'A, B and C')
    """
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


def owner_of(name: str, person: bool) -> str:
    """Return the possessive of a name.

    >>> owner_of("Dickens", True), owner_of("the series", False), owner_of("it", False)
    ('Dickens’s', 'the series’', 'its')
    """
    own = {"he": "his", "she": "her", "it": "its"}.get(name)
    return own or name + ("’" if name.endswith("s") and not person else "’s")


def him_of(name: str) -> str:
    """Return how a name or pronoun stands behind a verb.

    >>> him_of("she"), him_of("Ann")
    ('her', 'Ann')
    """
    return {"he": "him", "she": "her"}.get(name, name)


def clause_of(told: Told, about: Thing, unlike: str | None = None, before: str = "") -> Clause:
    """Say a fact of a thing, by one of its wordings that does not begin with what is the thing's, where there is one.

    Parameters: `unlike` is the verb of what was said before, and `before` what was said before that; other words
    are taken where there are some.
    """
    way = told.wording.way(about.kind)
    if way.lead == "kind" and about.person:
        return Clause(*_kind_clause(told, about), False, told)
    fit = [said for said in way.say if not (told.asked and any(piece.kind == "object_kind" for piece in said.pieces))]
    plain = [said for said in fit if not said.owner] or fit
    turned = [plain[(told.key + nth) % len(plain)] for nth in range(len(plain))]
    said = turned[0]
    if len(turned) > 1:
        fresh = (one for one in turned if unlike is None or not worded(one, told, about).startswith(f"{unlike} "))
        said = next((one for one in fresh if stem_of(one, told, about).removeprefix("was ") not in before), said)
    return Clause(worded(said, told, about), stem_of(said, told, about), said.owner, told)


def _kind_clause(told: Told, about: Thing) -> tuple[str, str]:
    """Say what somebody's profession was: "was a painter", but of an answer "worked as a painter"."""
    if told.asked:
        return f"worked as {OPEN_A}", "worked as "
    verb = "was" if about.gone else "is"
    return f"{verb} {with_article(listed(merged(kinds_of(told))))}", f"{verb} "


def kinds_of(told: Told) -> list[str]:
    """Return what somebody is by profession; who is an actor needs not be called a film actor, too."""
    plainly = lists()["people"]["plainly"]
    labels = list(dict.fromkeys(plainly.get(thing.label, thing.label) for thing in told.objects))
    # "An actor and film producer", where "film actor" came first.
    labels = list(dict.fromkeys(next((one for one in labels if label.endswith(f" {one}")), label) for label in labels))
    return [label for label in labels if not any(label.endswith(f" {other}") for other in labels)][:_TRADES]


def worded(said: Saying, told: Told, about: Thing, name: str = "") -> str:
    """Put names, tense and number into a text; `name` is what the subject is called in it, where it stands there."""
    return "".join([_said(piece, told, about, name) for piece in said.pieces])


def stem_of(said: Saying, told: Told, about: Thing) -> str:
    """Return the words before the object, of a text that ends with it; else all of it."""
    pieces = said.pieces[:-1] if said.pieces[-1].kind.startswith("object") else said.pieces
    return "".join([_said(piece, told, about, "") for piece in pieces])


def _said(piece: Piece, told: Told, about: Thing, name: str) -> str:
    kind = piece.kind
    if kind == "text":
        return piece.text
    if kind == "number":
        return piece.forms[len(told.objects) > 1][0 if about.gone else 1]
    if kind == "gender":
        return piece.forms[0][{"he": 0, "she": 1}.get(about.he or "", 2)]
    if kind == "subject":
        return name
    if kind == "owner":
        return owner_of(name, about.person)
    if kind == "him":
        return him_of(name)
    if kind == "made":
        return made(about.noun)
    if kind == "made_by":
        return "by" if about.noun in lists()["made"] else "created by"
    if told.asked:
        return _OPEN[kind]
    if told.year is not None:
        return told.year
    objects = told.objects if sum(len(thing.label) for thing in told.objects) < _LONGEST else told.objects[:2]
    if told.wording.chapter == "honours" and (
        _award(objects) is None or sum(len(thing.label) for thing in objects) > _LONG_AWARDS
    ):
        objects = objects[:1]
    return awards(objects, kind) if kind in ("object", "object_a") and len(objects) > 1 else _objects(kind, objects)


def made(noun: str | None) -> str:
    """Return how a work of a noun came to be.

    >>> made("painting"), made("series")
    ('painted', 'created')
    """
    return str(lists()["made"].get(noun, "created"))


def _objects(kind: str, objects: Sequence[Thing]) -> str:
    # "A film based on literature" is no kind of film that anybody would name beside others.
    objects = [thing for thing in objects if " based " not in thing.label] or objects if kind == "object_kind" else objects
    if kind == "object_kind" and len(objects) > 1:
        one = merged([thing.label for thing in objects])  # "a drama and crime film"
        if len(one) == 1 and one[0].rpartition(" ")[2] in _kinds():
            return with_article(one[0])
    return listed([_object(kind, thing) for thing in objects])


def awards(objects: Sequence[Thing], kind: str = "object") -> str:
    """List objects; of several awards of one name that is said once: "the Academy Awards for Best Actor and Best Film"."""
    head = _award(objects)
    if head is None:
        return _objects(kind, objects)
    return f"{head}s for {listed([thing.the.partition(' for ')[2] for thing in objects])}"


def _award(objects: Sequence[Thing]) -> str | None:
    """Return the name that several awards share, "the Academy Award" of those for Best Actor and Best Film."""
    parts = [thing.the.partition(" for ") for thing in objects]
    heads = {head for head, _, _ in parts}
    alike = len(objects) > 1 and len(heads) == 1 and all(what for _, _, what in parts)
    return parts[0][0] if alike and parts[0][0].rpartition(" ")[2] in _AWARDS else None


def _object(kind: str, thing: Thing) -> str:
    if kind == "object":
        return thing.the
    if kind == "object_a":
        return thing.a
    if kind == "object_kind":
        counted = bool({thing.label.partition(" ")[0], thing.label.rpartition(" ")[2]} & _kinds())
        return with_article(thing.label) if counted else f"a work of {thing.label}"
    if kind == "object_plural":  # "known for musicals and science fiction"
        return plural(thing.label) if thing.label.rpartition(" ")[2].lower() in _kinds() - _UNCOUNTED else thing.label
    # "Active in the film industry", but "active in mining".
    if kind == "object_field" and thing.label[:1].islower() and thing.label.rpartition(" ")[2] in _FIELD:
        return f"the {thing.label}"
    return thing.label


def is_counted(kind: str, noun: str) -> bool:
    """Tell whether a genre is what a work of a noun is called: "a crime film", but "a work of science fiction".

    >>> is_counted("crime film", "film"), is_counted("science fiction", "film"), is_counted("crime film", "series")
    (True, False, False)
    """
    head = kind.rpartition(" ")[2]
    return head in lists()["described"]["genres"] or (head in _kinds() and head == noun)


def plural(noun: str) -> str:
    """Return the plural of a noun.

    >>> plural("city"), plural("action film"), plural("series")
    ('cities', 'action films', 'series')
    """
    if noun.endswith("s"):
        return noun
    return noun[:-1] + "ies" if noun.endswith("y") and noun[-2] not in "aeiou" else noun + "s"


def merged(kinds: Sequence[str]) -> list[str]:
    """Say once what all kinds but the last would repeat.

    >>> merged(["film actor", "stage actor"]), merged(["film actor", "singer"])
    (['film and stage actor'], ['film actor', 'singer'])
    """
    heads = {kind.rpartition(" ")[2] for kind in kinds}
    if len(kinds) < 2 or len(heads) > 1 or not all(" " in kind for kind in kinds):
        return list(kinds)
    head = heads.pop()
    return [f"{listed([kind.removesuffix(f' {head}') for kind in kinds])} {head}"]


@cache
def _kinds() -> frozenset[str]:
    """Return the words for works of a kind: one of them is "a comedy", one of science fiction none."""
    return frozenset((*lists()["classes"]["work"], *lists()["described"]["genres"]))


def together(clauses: Sequence[Clause], own: str = "its") -> str:
    """Put what is said of one subject into one text: what both say is said once.

    What begins with what is the subject's stands last, after `own`.
    """
    plain = [clause for clause in clauses if not clause.owner and " and " not in clause.text]
    apart = all(clause.stem != before.stem and not same_deed(before, clause) for before, clause in pairwise(clauses))
    verbs = {clause.text.partition(" ")[0] for clause in clauses}
    if len(clauses) == len(plain) == len(verbs) == 3 and apart:
        return listed([clause.text for clause in clauses])
    text = clauses[0].text
    for before, clause in pairwise(clauses):
        if clause.owner:
            text += f", and {own}{clause.text}"
        elif clause.stem == before.stem and clause.stem != clause.text:
            link = " " + clause.stem.split()[-1] + " " if clause.year or before.year else " and "
            text += link + clause.text[len(clause.stem) :]
        elif same_deed(before, clause):
            text += " " + _verb(clause.text)[1]
        else:
            text += f", and {shortened(before, clause)}" if " and " in text else f" and {shortened(before, clause)}"
    return text


def same_deed(before: Clause, clause: Clause) -> bool:
    """Tell whether two clauses say the same verb with another preposition: "died in Rome" and "died of cholera"."""
    one, other = before.stem.split(), clause.stem.split()
    return len(one) == len(other) == 2 and one[0] == other[0] and one[0] not in _BE and one[1] != other[1]


def shortened(before: Clause, clause: Clause) -> str:
    """Leave out a verb that the clause before has too: "was born in Ulm and educated at …", not "was a citizen … and born"."""
    first, rest = _verb(before.text)
    verb, own = _verb(clause.text)
    if first == verb == "has" and not (before.several or clause.several) and before.stem.endswith(" "):
        return own  # "has music by A and costumes by B"
    alike = first == verb and verb in _BE and _is_noun(rest) == _is_noun(own)
    near = before.told.wording.chapter == clause.told.wording.chapter
    alike = alike and (near or _is_noun(rest) in ("noun", "verb"))
    return own if alike and not before.owner else clause.text


def _verb(text: str) -> tuple[str, str]:
    verb, _, rest = text.partition(" ")
    return verb, rest


def _is_noun(text: str) -> str:
    word = text.partition(" ")[0]
    return "noun" if word in ("a", "an", "the") else "verb" if word.endswith(("ed", "n", "wn")) else word


def finished(text: str) -> str:
    """Make a text a sentence: a capital, and one full stop.

    >>> finished("it belongs to Acme, Inc.")
    'It belongs to Acme, Inc.'
    """
    text = text if re.search(r"[.!?]$", text) else text + "."
    return text[:1].upper() + text[1:]
