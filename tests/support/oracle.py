"""What a file of false-premise questions must satisfy, checked the slow and plain way.

One fact, one candidate, one rule at a time, over a `Plain` graph and the items as plain JSON. It is written from the
definitions: the edits (KG-FPQ §3.1, design §2), the exclusions, the records (design §5).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeVar

from kg.text import fold
from plain_graph import Fact, Plain
from plain_likes import Likes

Item = Mapping[str, Any]
T = TypeVar("T")

INTEGER = "http://www.w3.org/2001/XMLSchema#integer"
ORDER = ("NSC", "NDC", "NNSR", "NNSC", "NNDC", "NNDR")
_NEAR = ("next_door", "nearby", "neighbourly", "narrow", "fields")
_LANDS = ("next_door", "nearby")
"""Roles of relations under which only what is near the true object is named."""
TRUE_ANSWER = {"yes_no": "yes", "premise": "accept"}
FALSE_ANSWER = {"yes_no": "no", "premise": "reject"}


@dataclass(frozen=True)
class Asked:
    """What a file of items was asked to be: the options of the command."""

    concepts: Sequence[str]
    relations: Sequence[str]
    n: int = 1000
    radius: int = 5
    direction: str = "forward"
    hops: str = "balanced"
    incomplete: frozenset[tuple[str, str]] = frozenset()
    even: bool = False
    pool: int = 1


@dataclass
class _Group:
    """All items made from one fact."""

    fact: Fact
    items: list[Item] = field(default_factory=list)

    @property
    def objects(self) -> dict[str, str]:
        """Who stands in each variant."""
        return {variant: item["premise"]["object"]["iri"] for variant, item in self.edited("yes_no").items()}

    def edited(self, task: str) -> dict[str, Item]:
        return {item["variant"]: item for item in self.items if item["task"] == task}


def band(count: int) -> int:
    """Twice the binary logarithm, rounded down."""
    return (count * count).bit_length() - 1


def blocks(listed: Sequence[T], size: int) -> list[list[T]]:
    """Cut a list into runs of a size; the last one may be shorter."""
    return [list(listed[at : at + size]) for at in range(0, len(listed), size)]


def check(plain: Plain, items: Sequence[Item], asked: Asked) -> list[str]:
    """Return every complaint there is about some items, each with the item or fact it is about."""
    return list(_Check(plain, asked).complaints(items))


class _Check:
    def __init__(self, plain: Plain, asked: Asked) -> None:
        self.plain, self.asked, self.likes = plain, asked, Likes(plain)

    def complaints(self, items: Sequence[Item]) -> Iterator[str]:
        for twice in (i for i, n in Counter(item["id"] for item in items).items() if n > 1):
            yield f"{twice}: the id is given {Counter(i['id'] for i in items)[twice]} times"
        groups: dict[str, _Group] = {}
        for item in items:
            fact = _true_fact(item)
            if fact is None:
                yield f"{item['id']}: no proof of the true fact"
                continue
            group = groups.setdefault(item["group"], _Group(fact))
            group.items.append(item)
            if fact != group.fact:
                yield f"{item['id']}: another fact than its group {item['group']}"
            yield from (f"{item['id']}: {complaint}" for complaint in self._item(item, fact))
        yield from self._all_facts([g.fact for g in groups.values()])
        for name, group in groups.items():
            yield from (f"{name}: {complaint}" for complaint in self._group(group, list(groups.values())))
        if self.asked.even:
            yield from self._named_once(list(groups.values()))

    def _named_once(self, groups: list[_Group]) -> Iterator[str]:
        """Among twenty facts of a relation in a row an edit names nobody twice."""
        for p in {group.fact[1] for group in groups}:
            for block in blocks([group.objects for group in groups if group.fact[1] == p], 20):
                for edit in ORDER:
                    named = [objects[edit] for objects in block if edit in objects]
                    yield from [f"{p}: {edit} names one twice"] if len(set(named)) != len(named) else []

    # --- which facts are asked about

    def _all_facts(self, facts: list[Fact]) -> Iterator[str]:
        eligible = self.eligible()
        yield from (f"{fact}: may not be asked about" for fact in facts if fact not in eligible)
        if len(set(facts)) != len(facts):
            yield "a fact has two groups"
        if self.asked.even:
            yield from self._evenly(facts, eligible)
        elif len(facts) != min(self.asked.n, len(eligible)):
            yield f"{len(facts)} facts are asked about, of {len(eligible)} and {self.asked.n}"

    def _evenly(self, facts: list[Fact], eligible: set[Fact]) -> Iterator[str]:
        """Ten facts in a row are of ten relations, twenty of a relation have twenty objects, and none is left out."""
        sizes = Counter(p for _, p, _ in eligible)
        many = [p for p, size in sizes.items() if size * 10 * len(sizes) >= len(eligible)]
        row = min(10, max(len(many) // 2, 1))
        drawn: dict[str, list[Fact]] = defaultdict(list)
        for fact in facts:
            drawn[fact[1]].append(fact)
        last = blocks([p for _, p, _ in facts], row)
        ends = {p: blocks([o for _, _, o in own], 20) for p, own in drawn.items()}
        if any(len(set(block)) != len(block) for block in last):
            yield f"a relation stands twice among {row} facts in a row"
        if any(len(set(block)) != len(block) for own in ends.values() for block in own):
            yield "an object stands twice among twenty facts of a relation in a row"
        if len(facts) < min(self.asked.n, len(eligible)):
            spent = {p for p, own in ends.items() if len(own[-1]) < 20 or {f for f in eligible if f[1] == p} <= set(drawn[p])}
            open_ = {p for _, p, _ in eligible} - spent
            if open_ and (not last or len(last[-1]) == row):
                yield f"only {len(facts)} facts are asked about, though {sorted(open_)} have more"

    def eligible(self) -> set[Fact]:
        """The facts of the domain that give plain questions."""
        concepts, relations = set(map(fold, self.asked.concepts)), set(map(fold, self.asked.relations))
        eligible = set()
        for p in (p for p in self.plain.under if self.plain.relation_names(p) & relations):
            for s, o in self.plain.under[p]:
                if self._concepts(s) & concepts and self._is_plain(s, p, o):
                    eligible.add((s, p, o))
        return {fact for fact in eligible if not self._is_said_from_the_other_end(fact, eligible)}

    def _is_said_from_the_other_end(self, fact: Fact, eligible: set[Fact]) -> bool:
        """Whether a fact of a rarer relation says the like the other way round; of two of one relation the first in order."""
        s, p, o = fact
        said = (len(self.plain.under[p]), p, s)
        return any((len(self.plain.under[q]), q, o) < said for q in self.plain.under if (o, q, s) in eligible)

    def _concepts(self, e: str) -> set[str]:
        return {fold(label) for c in self.plain.types[e] if (label := self.plain.label(c)) is not None}

    def _is_plain(self, s: str, p: str, o: str) -> bool:
        names = [self.plain.label(e) for e in (s, o)]
        if s == o or None in names or fold(names[0] or "") == fold(names[1] or ""):
            return False
        if (s, p) in self.asked.incomplete or any(map(self.plain.is_ambiguous, (s, o))):
            return False
        if self.plain.is_nested(p, o):
            return False
        name = fold(names[0] or "")
        return not (len(name) <= 3 or name.isdigit() or self.plain.is_told_by(s, o) or self.plain.lacks_a_kind(p, o))

    # --- who may stand for the true object

    def why_not(self, fact: Fact, edit: str, x: str) -> str | None:
        """Why `x` may not be the edited object of `fact` (None where it may)."""
        s, p, o = fact
        return next((reason for reason in self._reasons(s, p, o, edit, x) if reason), None)

    def _reasons(self, s: str, p: str, o: str, edit: str, x: str) -> Iterator[str | None]:
        g, true = self.plain, self.plain.objects[s, p]
        yield self._why_not_there(s, x, near=not edit.startswith("NN"))
        yield self._why_not_kind(s, p, o, edit[-2:], x)
        yield "has no label" if g.label(x) is None else None
        yield "defames" if g.is_defaming(x) else None
        yield "is a true object" if x in true else None
        yield "is the subject or its namesake" if x == s or g.names(x) & g.names(s) else None
        yield "shares a name with a true object" if any(g.names(x) & g.names(t) for t in true) else None
        others = g.true_of_namesakes(s, p)
        yield "ends a true object's name, or ends with it" if any(g.is_tail(x, t) for t in {*true, *others}) else None
        yield "is true of a namesake of the subject" if g.is_true_of_namesake(s, p, x) else None
        yield "lies above the subject" if x in g.above(s) else None
        yield "lies above or below a true object" if any(x in g.above_and_below(t) for t in true) else None
        yield "is called by a common noun, as no other object is" if g.is_common_here(p, x) else None
        yield "is what other objects are kinds of" if g.is_general(p, x) else None
        yield f"is made true by {g.made_true_by(s, p, x)}" if g.made_true_by(s, p, x) else None
        if not edit.startswith("NN"):
            yield "stands beside a true object" if any(g.stands_beside(s, p, t, x) for t in true) else None
        if edit.endswith("C"):
            yield "belongs to nobody" if g.one_subject_each(p) and not g.holders[p, x] else None

    def _why_not_there(self, s: str, x: str, *, near: bool) -> str | None:
        hops = self.plain.distances(s, self.asked.direction).get(x)
        inside = hops is not None and 1 <= hops <= self.asked.radius
        if near:
            return None if inside else f"is no neighbour ({hops} hops)"
        if inside:
            return f"is a neighbour ({hops} hops)"
        return "is one hop away in the other direction" if s in self.plain.out[x] else None

    def _why_not_kind(self, s: str, p: str, o: str, kind: str, x: str) -> str | None:
        g = self.plain
        return {
            "SC": self._why_not_alike(s, p, o, x) if kind == "SC" else None,
            "DC": None if g.different_concept(o, x) else "is not of a different concept",
            "SR": self._why_no_fellow(s, p, o, x) if kind == "SR" else None,
            "DR": "is an object of the relation" if g.holders[p, x] else None,
        }[kind]

    def _why_not_alike(self, s: str, p: str, o: str, x: str) -> str | None:
        g = self.plain
        if not any(g.is_typical(s, p, c) for c in g.types[o] & g.types[x]):
            return "has no typical concept of the true object"
        return self._why_not_comparable(s, p, o, x)

    def _why_no_fellow(self, s: str, p: str, o: str, x: str) -> str | None:
        if not any(self.plain.same_concept(s, t) for t in self.plain.holders[p, x]):
            return "is an object of none of the subject's kind"
        return self._why_not_comparable(s, p, o, x)

    def _why_not_comparable(self, s: str, p: str, o: str, x: str) -> str | None:
        g = self.plain
        if g.trades(o) and not g.trades(o) & g.trades(x):
            return "has another trade than the true object"
        if g.regions(o) and not g.regions(o) & g.regions(x):
            return "lies on another continent than the true object"
        if self.asked.even and (why := self._why_unlikely(s, p, o, x)):
            return why
        return None if g.was_there(x, s, o) else "was there at another time"

    def _why_unlikely(self, s: str, p: str, o: str, x: str) -> str | None:
        """Why nobody would take `x` for the true object, as far as a graph of a few things tells."""
        g = self.plain
        if g.is_ambiguous(x):
            return "has a name that does not tell"
        if g.is_land(p) and g.is_over(x) != g.is_over(o):
            return "is no more, or still is, unlike the true object"
        if any(g.relation_names(p) & g.role(role) for role in _LANDS):
            # Lands may be alike by what is said of them as well: who is near enough is told in `test_fpq_plausible.py`.
            return None if g.holders[p, x] else "is no object of the relation"
        if not self.likes.allow(s, p, o, x):
            return "is nothing that subjects like this one have"
        return "was a child when the subject was made" if g.was_a_child(x, s) else None

    # --- a group

    def _group(self, group: _Group, others: list[_Group]) -> Iterator[str]:
        tasks = {task: group.edited(task) for task in TRUE_ANSWER}
        chosen = {task: {v: i["premise"]["object"]["iri"] for v, i in own.items()} for task, own in tasks.items()}
        if chosen["yes_no"] != chosen["premise"] or len(group.items) != sum(map(len, tasks.values())):
            yield "the two forms do not ask the same"
        if chosen["yes_no"].get("tpq") != group.fact[2]:
            yield "no true premise"
        if len(set(chosen["yes_no"].values())) != len(chosen["yes_no"]):
            yield "an object stands twice"
        for own in tasks.values():
            yield from _one_frame(list(own.values()))
        if self.asked.even:
            yield from self._unoffered(group, others)
            return
        yield from self._unfilled(group.fact, chosen["yes_no"])
        if self.asked.hops == "nearest":
            yield from self._nearest(group.fact, chosen["yes_no"])

    def _unoffered(self, group: _Group, others: list[_Group]) -> Iterator[str]:
        """Who stands in an edit is one of those alike, and an edit that is not made has too few of them, or all are taken."""
        for edit in ORDER:
            able = [x for x in self.plain.entities if self.why_not(group.fact, edit, x) is None]
            like = edit[-2:] in ("SC", "SR")
            sides = self._alike(group.fact, able, 6 if self._only_near(group.fact[1]) else 0) if like else [able, able]
            if edit in group.objects:
                if group.objects[edit] not in sides[0] + sides[1] or len({*sides[0], *sides[1]}) < self.asked.pool:
                    yield f"{edit} is {group.objects[edit]}, drawn from {sides}"
                continue
            over = {self.plain.is_over(x) for x in [group.fact[2], *able]}
            if edit[-2:] in ("SC", "SR") and (self._only_near(group.fact[1]) or len(over) > 1):
                continue
            taken = {*group.objects.values()}
            taken |= {other.objects.get(edit, "") for other in others if other.fact[1] == group.fact[1]}
            for side in sides if len({*sides[0], *sides[1]}) >= self.asked.pool and all(sides) else []:
                # Six of them are offered; with fewer of them taken one was free.
                if all(len(taken & set(some)) < min(6, len(some)) for some in sides):
                    yield f"{edit} is not made, though {side} could stand there"

    def _only_near(self, p: str) -> bool:
        """Whether only what is near may be named: an edit may lack one on either side then (`test_fpq_plausible.py`)."""
        plain = self.plain
        subjects = {s for (relation, _), holders in plain.holders.items() if relation == p for s in holders}
        told = any(plain.relation_names(p) & plain.role(role) for role in _NEAR)
        return told or any(plain.by_role(s, "borders") for s in subjects)

    def _alike(self, fact: Fact, able: list[str], least: int) -> list[list[str]]:
        """Those as often an object as the true one, or more often, and as rarely: the narrowest band with enough of them.

        Where only what is near is named, the bands widen till some are on both sides: `least` bands are looked at then.
        """
        _, p, o = fact
        own = band(len(self.plain.holders[p, o]))
        steps = {x: band(len(self.plain.holders[p, x])) - own for x in able if self.plain.holders[p, x]}
        for width in range(least, 7):
            above, below = [x for x in steps if 0 <= steps[x] <= width], [x for x in steps if -width <= steps[x] <= 0]
            if len({*above, *below}) >= self.asked.pool:
                return [above, below]
        return [[], []]

    def _unfilled(self, fact: Fact, chosen: Mapping[str, str]) -> Iterator[str]:
        for place, edit in enumerate(ORDER):
            if edit in chosen:
                continue
            taken = {chosen[e] for e in ORDER[:place] if e in chosen}
            left = [x for x in self.plain.entities if x not in taken and self.why_not(fact, edit, x) is None]
            if left:
                yield f"{edit} is not filled, though {left[0]} could stand there ({len(left)} in all)"

    def _nearest(self, fact: Fact, chosen: Mapping[str, str]) -> Iterator[str]:
        hops = self.plain.distances(fact[0], self.asked.direction)
        for edit in {"NSC", "NDC"} & chosen.keys():
            free = [hops[x] for x in self.plain.entities if self.why_not(fact, edit, x) is None]
            if free and min(free) != hops.get(chosen[edit]):
                yield f"{edit} is {hops.get(chosen[edit])} hops away, though there is one at {min(free)}"

    # --- an item

    def _item(self, item: Item, fact: Fact) -> Iterator[str]:
        yield from self._record(item, fact)
        s, _, o = fact
        x, edit = item["premise"]["object"]["iri"], item["premise"]["edit"]
        if fact not in self.plain.facts:
            yield f"{fact} is not true"
        if edit is None:
            yield from ["the true premise names another object"] if x != o else []
        elif edit not in ORDER:
            yield f"unknown edit {edit}"
            return
        elif why := self.why_not(fact, edit, x):
            yield f"{x} {why}"
        yield from self._chain(item, s, x)
        if _proofs(item) != self._wanted_proofs(item, fact):
            yield f"its proofs are not those of {item['variant']}"

    def _record(self, item: Item, fact: Fact) -> Iterator[str]:
        """The parts of a record that say the same."""
        premise, hops = item["premise"], item["premise"]["hops"]
        s, p, x = (premise[part]["iri"] for part in ("subject", "relation", "object"))
        answer = (TRUE_ANSWER if item["variant"] == "tpq" else FALSE_ANSWER)[item["task"]]
        wanted = {
            "edit": premise["edit"] == (None if item["variant"] == "tpq" else item["variant"]),
            "id": re.fullmatch(r"fpq\.[a-z0-9-]+\.\w+\.\w+\.[0-9a-f]{16}", item["id"]) is not None,
            "fact": (s, p) == fact[:2],
            "answer": item["answer"] == [answer],
            "labels": [premise[k]["label"] for k in ("subject", "object")] == [self.plain.label(s), self.plain.label(x)],
            "given": [(g["slot"], g["value"]) for g in item["given"]]
            == [("subject", self.plain.label(s)), ("object", self.plain.label(x))],
            "claims": [g.get("claim") for g in item["given"]] == [None, None if item["variant"] == "tpq" else True],
            "true objects": sorted(t["iri"] for t in premise["true_objects"]) == sorted(self.plain.objects[s, p]),
            "other names": all(set(t["aliases"]) == self.plain.aliases[t["iri"]] for t in premise["true_objects"]),
            "strata": item["strata"]["edit"] == premise["edit"] and item["strata"]["hops"] == (str(hops) if hops else None),
            "concept": fold(item["strata"]["concept"]) in self._concepts(s) & set(map(fold, self.asked.concepts)),
        }
        yield from (f"wrong {what}" for what, right in wanted.items() if not right)

    def _chain(self, item: Item, s: str, x: str) -> Iterator[str]:
        """The path of a near edit: a shortest chain of facts, written as they run."""
        hops, path = item["premise"]["hops"], item["premise"]["path"]
        if item["variant"] not in ("NSC", "NDC"):
            yield from ["only neighbours have hops and a path"] if hops is not None or path is not None else []
            return
        if hops != self.plain.distances(s, self.asked.direction).get(x):
            yield f"{hops} hops is not the distance"
        if hops != len(path or []):
            yield f"a path of {len(path or [])} facts for {hops} hops"
        if any(tuple(step) not in self.plain.facts for step in path or []):
            yield "a step of the path is no fact"
        stops = _stops(s, path or [], self.asked.direction)
        if stops is None or stops[-1] != x:
            yield "the path does not lead from the subject to the object"

    def _wanted_proofs(self, item: Item, fact: Fact) -> list[tuple[str, dict[str, str], bool]]:
        (s, p, o), x = fact, item["premise"]["object"]["iri"]
        edit, tail = item["premise"]["edit"], "_both" if self.asked.direction == "both" else ""
        true = ("fact", _terms(s=s, p=p, o=o), True)
        if edit is None:
            return [true]
        kinds = {
            "SC": ("same_concept", _terms(a=o, b=x), True),
            "DC": ("different_concept", _terms(a=o, b=x), True),
            "SR": ("object_of_relation", _terms(p=p, o=x), True),
            "DR": ("object_of_relation", _terms(p=p, o=x), False),
        }
        radius = {"radius": f'"{self.asked.radius}"^^<{INTEGER}>'}
        zone = (f"not_neighbour{tail}", _terms(s=s, o=x) | radius, True)
        if not edit.startswith("NN"):
            zone = (f"path{tail}", self._walk_terms(s, item["premise"]["path"] or []), True)
        kind = [("true_by_type", _terms(s=s, p=p, o=x), False), ("general_object", _terms(p=p, o=x), False)]
        return sorted([true, ("fact", _terms(s=s, p=p, o=x), False), *kind, kinds[edit[-2:]], zone], key=str)

    def _walk_terms(self, s: str, path: list[Any]) -> dict[str, str]:
        stops = _stops(s, path, self.asked.direction) or []
        steps = {f"o{i}": stop for i, stop in enumerate(stops) if i}
        return _terms(s=s, **steps, **{f"p{i}": step[1] for i, step in enumerate(path, 1)})


def _true_fact(item: Item) -> Fact | None:
    """The fact that an item's first kind of proof says is true."""
    for name, bound, expect in _proofs(item):
        if name == "fact" and expect and bound.keys() == {"s", "p", "o"}:
            return (bound["s"][1:-1], bound["p"][1:-1], bound["o"][1:-1])
    return None


def _proofs(item: Item) -> list[tuple[str, dict[str, str], bool]]:
    """Query (without its version), bindings and expectation of each proof."""
    proofs = []
    for proof in item["proof"]:
        name = re.fullmatch(r"(\w+)@[0-9a-f]{8,64}", proof["query"])
        bound = {b["name"]: b["term"] for b in proof["bind"]}
        once = len(bound) == len(proof["bind"]) and proof["rows"] is None
        proofs.append((name[1] if name and once else "?", bound, proof["expect"]))
    return proofs if len(proofs) == 1 else sorted(proofs, key=str)


def _terms(**iris: str) -> dict[str, str]:
    return {name: f"<{iri}>" for name, iri in iris.items()}


def _stops(s: str, path: Sequence[Sequence[str]], direction: str) -> list[str] | None:
    """The entities that a path passes, from the subject; None where it breaks off."""
    stops = [s]
    for a, _, b in path:
        if stops[-1] == a:
            stops.append(b)
        elif direction == "both" and stops[-1] == b:
            stops.append(a)
        else:
            return None
    return stops if all(a != b for a, b in pairwise(stops)) else None


def _one_frame(items: list[Item]) -> Iterator[str]:
    """The questions of a form differ only in the object: what stands before and after it is the same."""
    frames = [_frames(item["question"].casefold(), item["premise"]["object"]["label"].casefold()) for item in items]
    if frames and not set.intersection(*frames):
        yield f"questions differ in more than the object: {[item['question'] for item in items]}"


def _of_one(text: str) -> str:
    """Put verbs in the singular."""
    return re.sub(r"\b(are|were|do)\b", lambda said: {"are": "is", "were": "was", "do": "does"}[said[0]], text)


def _frames(question: str, label: str) -> set[tuple[str, str]]:
    """What may stand before and after a label in a question, without its article, or its kind and year.

    A verb that agrees with the object is taken for one of a single thing.
    """
    frames = set()
    # A title that asks itself ends the question.
    question += "?" if label.endswith("?") and question.endswith((label, f"{label}”")) else ""
    for at in (i for i in range(len(question)) if question.startswith(label, i)):
        before, after = map(_of_one, (question[:at], question[at + len(label) :]))
        frames |= {(re.sub(rf"\b{article}\s$", "", before), after) for article in ("the", "an?", "(?!)")}
        # The English language; the 1960 film “Psycho”; “Signs”.
        described = re.sub(r"\bthe (-?\d+ )?(\w+ (of )?“?)?$", "", before), re.sub(r"^”?( language\b)?", "", after)
        frames.add(described)
        frames.add((before.removesuffix("“"), after.removeprefix("”")))
    return frames
