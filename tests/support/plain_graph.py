"""A graph as a reader of N-Triples sees it: sets and dicts, one question at a time.

The plain half of the check in `oracle`; it shares nothing with the engines, with their bits and their hops.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from importlib import resources
from typing import TypeVar

from rdflib import BNode, Literal, URIRef
from rdflib.plugins.parsers.ntriples import DummySink, W3CNTriplesParser

from kg.text import fold
from kg.vocab import property_labels

Fact = tuple[str, str, str]
K = TypeVar("K")
V = TypeVar("V")

KGP = "https://w3id.org/kgprobe#"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
ALIAS = "http://www.w3.org/2004/02/skos/core#altLabel"
SUBCLASS = "http://www.w3.org/2000/01/rdf-schema#subClassOf"


class _Sink(DummySink):
    """Keeps what rdflib's parser reads, as plain text; literals apart from IRIs."""

    def __init__(self) -> None:
        self.links: set[Fact] = set()
        self.texts: set[Fact] = set()

    def triple(self, s: URIRef | BNode, p: URIRef, o: URIRef | BNode | Literal) -> None:
        (self.texts if isinstance(o, Literal) else self.links).add((str(s), str(p), str(o)))


class Plain:
    """A graph as a reader of N-Triples sees it."""

    def __init__(self, n_triples: bytes) -> None:
        sink = _Sink()
        W3CNTriplesParser(sink).parsestring(n_triples.decode())
        self.relations = {s for s, p, o in sink.links if p == RDF_TYPE and o == f"{KGP}Relation"}
        self.facts = {fact for fact in sink.links if fact[1] in self.relations}
        attributes = {s for s, p, o in sink.links if p == RDF_TYPE and o == f"{KGP}Attribute"}
        self.values = _grouped((s, (p, o)) for s, p, o in sink.texts if p in attributes)
        self.labels = _grouped((s, o) for s, p, o in sink.texts if p == LABEL)
        self.aliases = _grouped((s, o) for s, p, o in sink.texts if p == ALIAS)
        roles = {f"{KGP}Relation", f"{KGP}Attribute"}
        self.types = _grouped((s, o) for s, p, o in sink.links if p == RDF_TYPE and o not in roles)
        self.supers = _grouped((s, o) for s, p, o in sink.links if p == SUBCLASS)
        self.objects = _grouped(((s, p), o) for s, p, o in self.facts)
        self.holders = _grouped(((p, o), s) for s, p, o in self.facts)
        self.under = _grouped((p, (s, o)) for s, p, o in self.facts)
        self.between = _grouped(((s, o), p) for s, p, o in self.facts)
        self.out = _grouped((s, o) for s, _, o in self.facts)
        self.into = _grouped((o, s) for s, _, o in self.facts)
        self.entities = sorted({e for s, _, o in self.facts for e in (s, o)})
        self._names: dict[str, set[str]] = {}
        self._relation_names: dict[str, set[str]] = {}
        self._named_true: dict[tuple[str, str], tuple[set[str], set[str]]] = {}
        self._distances: dict[tuple[str, str], dict[str, int]] = {}
        self._contained: dict[str, set[str]] = {}
        self._general: dict[str, set[str]] = {}
        self._implied: dict[tuple[str, str, bool], bool] = {}

    # --- names

    def label(self, e: str) -> str | None:
        """The label that questions use: the first in order where there are several."""
        return min(self.labels[e], default=None)

    def names(self, e: str) -> set[str]:
        return _once(self._names, e, lambda: {fold(text) for text in self.labels[e] | self.aliases[e]})

    def relation_names(self, p: str) -> set[str]:
        return _once(self._relation_names, p, lambda: self._folded_names(p))

    def _folded_names(self, p: str) -> set[str]:
        own = self.label(p) or re.split(r"[/#]", p)[-1]
        return {fold(name) for name in (own, *property_labels(p))}

    @cached_property
    def named(self) -> Mapping[str, set[str]]:
        """Who bears a name, as label or alias, of all that have facts."""
        return _grouped((name, e) for e in {s for s, _ in self.objects} for name in self.names(e))

    @cached_property
    def bearers(self) -> Mapping[tuple[str, str], set[str]]:
        """Who bears a label among those of a concept."""
        return _grouped(((c, fold(text)), e) for e, types in self.types.items() for c in types for text in self.labels[e])

    def is_ambiguous(self, e: str) -> bool:
        """Another entity of the same concept bears its label."""
        name = fold(self.label(e) or "")
        return any(self.bearers.get((c, name), set()) - {e} for c in self.types[e])

    def is_true_of_namesake(self, s: str, p: str, x: str) -> bool:
        """Somebody who shares a name with `s` has `x`, or a thing of a name of it, as an object of `p`."""
        things, names = _once(self._named_true, (s, p), lambda: self._true_of_namesakes(s, p))
        return x in things or bool(names & self.names(x))

    def true_of_namesakes(self, s: str, p: str) -> set[str]:
        return _once(self._named_true, (s, p), lambda: self._true_of_namesakes(s, p))[0]

    def is_tail(self, a: str, b: str) -> bool:
        """A label of one of two things ends with all words of a label of the other: "liver cancer", "cancer"."""
        pairs = ((f" {fold(x)}", f" {fold(y)}") for x in self.labels[a] for y in self.labels[b])
        return any(x != y and (x.endswith(y) or y.endswith(x)) for x, y in pairs)

    def _true_of_namesakes(self, s: str, p: str) -> tuple[set[str], set[str]]:
        namesakes = {e for name in self.names(s) for e in self.named[name]} - {s}
        things = {t for e in namesakes for t in self.objects[e, p]}
        return things, {name for t in things for name in self.names(t)}

    def is_told_by(self, s: str, o: str) -> bool:
        """All words of one label, or words with the same first five letters, stand in the other."""
        one, other = (fold(self.label(e) or "").split() for e in (s, o))
        return any(self._stand_in([w for w in few if w != "the"], many) for few, many in ((one, other), (other, one)))

    @staticmethod
    def _stand_in(few: list[str], many: list[str]) -> bool:
        alike = [any(w == m or (len(w) > 4 and len(m) > 4 and w[:5] == m[:5]) for m in many) for w in few]
        return bool(few) and all(alike)

    # --- concepts

    def lacks_a_kind(self, p: str, o: str) -> bool:
        """It has no concept, though half of the relation's objects or more have one."""
        typed = [bool(self.types[t]) for t in {t for _, t in self.under[p]}]
        return not self.types[o] and 2 * sum(typed) >= len(typed)

    def is_nested(self, p: str, o: str) -> bool:
        """It holds another object of a relation that means the narrower one, or lies in one where the wider is meant."""
        names, objects = self.relation_names(p), {t for _, t in self.under[p]}
        if names & self._lists["whole"]:
            within = [q for q in self.under if self.relation_names(q) & self._lists["within"]]
            if any((self.objects[o, q] - {o}) & objects for q in within):
                return True
        if not names & self._lists["narrow"]:
            return False
        above = objects
        for _ in range(4):
            above = set().union(*(self.contained[0][e] - {e} for e in above))
            if o in above:
                return True
        return False

    def above_concepts(self, e: str) -> set[str]:
        """The concepts of an entity and all above them."""
        return self.types[e] | _reached(self.types[e], self.supers)

    def same_concept(self, a: str, b: str) -> bool:
        return bool(self.types[a] & self.types[b])

    def different_concept(self, a: str, b: str) -> bool:
        if not self.types[a] or not self.types[b] or self.same_concept(a, b):
            return False
        return not (self.above_concepts(a) & self.types[b]) and not (self.above_concepts(b) & self.types[a])

    def is_defaming(self, e: str) -> bool:
        """It, a concept of it, or one above is of the list of what nobody is said to belong to by a made-up premise."""
        return any((label := self.label(c)) is not None and fold(label) in self._defaming for c in {e, *self.above_concepts(e)})

    @cached_property
    def _defaming(self) -> set[str]:
        text = (resources.files("queries") / "domains" / "defaming.toml").read_text("utf-8")
        return set(map(fold, tomllib.loads(text)["kinds"]))

    # --- distances

    def distances(self, s: str, direction: str) -> dict[str, int]:
        """Breadth first from `s`, along the facts or whichever way they run; `s` itself has 0."""
        return _once(self._distances, (s, direction), lambda: self._walk(s, direction))

    def _walk(self, s: str, direction: str) -> dict[str, int]:
        hops, front = {s: 0}, [s]
        while front:
            ahead = {y for x in front for y in self.out[x] | (self.into[x] if direction == "both" else set())}
            fresh = ahead - hops.keys()
            hops |= dict.fromkeys(fresh, hops[front[0]] + 1)
            front = sorted(fresh)
        return hops

    # --- trades and times

    @cached_property
    def _lists(self) -> dict[str, set[str]]:
        text = (resources.files("queries") / "domains" / "alike.toml").read_text("utf-8")
        return {role: set(map(fold, names)) for role, names in tomllib.loads(text).items() if isinstance(names, list)}

    def role(self, name: str) -> set[str]:
        """The folded labels that play a role in `alike.toml`."""
        return self._lists[name]

    def trades(self, e: str) -> set[tuple[str, str]]:
        """What somebody does, by relation: occupations, fields of work."""
        return {(p, t) for p in self._trades for t in self.objects[e, p]}

    @cached_property
    def _trades(self) -> list[str]:
        return [p for p in self.under if self.relation_names(p) & self._lists["trades"]]

    def regions(self, e: str) -> set[str]:
        """The continents of a thing, and of the countries it lies in."""
        return {r for x in {e} | self.by_role(e, "within") for r in self.by_role(x, "regions")}

    def by_role(self, e: str, role: str) -> set[str]:
        """The objects of a thing under the relations of a role."""
        return {t for p in self.under if self.relation_names(p) & self._lists[role] for t in self.objects[e, p]}

    def span(self, e: str, *, as_subject: bool = False) -> tuple[float, float] | None:
        """First and last year; None where nothing is known of them. A subject that was made is of that one year."""
        said: dict[str, list[int]] = {role: [] for role in self._lists}
        for attribute, text in self.values[e]:
            for role, names in self._lists.items():
                if self.relation_names(attribute) & names and (year := re.match(r"\s*\+?(-?\d{1,4})(?!\d)", text)):
                    said[role].append(int(year[1]))
        span = self._span(said, as_subject)
        return span if span and span[0] <= span[1] else None

    @staticmethod
    def _span(said: dict[str, list[int]], as_subject: bool) -> tuple[float, float] | None:
        born, died = min(said["births"], default=None), max(said["deaths"], default=None)
        if born is not None or died is not None:
            return (died or 0) - 110 if born is None else born, (born or 0) + 110 if died is None else died
        begins, points, ends = said["begins"], said["points"], said["ends"]
        if not (begins or points or ends):
            return None
        first = min(begins or points, default=float("-inf"))
        made = as_subject and points and not begins and not ends
        return first, first if made else max(ends, default=float("inf"))

    def was_there(self, x: str, s: str, o: str) -> bool:
        """`x` was there when the subject was, if the true object was; else when the true object was."""
        always = (float("-inf"), float("inf"))
        own, true, who = self.span(s, as_subject=True), self.span(o) or always, self.span(x) or always
        # Whether a span is in order is asked of the thing as it stands, before its time as a subject is cut.
        window = own if own and self.span(s) and own[0] <= true[1] and true[0] <= own[1] else true
        return who[0] <= window[1] and window[0] <= who[1]

    def is_land(self, p: str) -> bool:
        """Its objects are countries and their parts."""
        return bool(self.relation_names(p) & self._lists["lands"])

    def is_over(self, e: str) -> bool:
        """It ended before the last thing began."""
        span = self.span(e)
        return span is not None and span[1] <= self._latest

    @cached_property
    def _latest(self) -> float:
        known = {e for fact in self.facts for e in (fact[0], fact[2])} | {e for e, own in self.types.items() if own}
        begins = [span[0] for e in known if (span := self.span(e)) and span[0] > float("-inf")]
        return max(begins, default=float("-inf"))

    def was_a_child(self, x: str, s: str) -> bool:
        """Somebody was not yet fifteen in the year in which a thing was made."""
        own, made = self.span(s), self.span(s, as_subject=True)
        if own is None or made is None or own == made or made[0] != made[1] or not self._is_life(x):
            return False
        return (self.span(x) or (0, 0))[0] > made[0] - 15

    def _is_life(self, e: str) -> bool:
        roles = self._lists["births"] | self._lists["deaths"]
        return any(self.relation_names(a) & roles for a, _ in self.values[e]) and self.span(e) is not None

    # --- what else makes a fact true

    @cached_property
    def contained(self) -> tuple[Mapping[str, set[str]], Mapping[str, set[str]]]:
        """What lies directly above, and directly below, a thing: by place, part and subclass."""
        text = (resources.files("queries") / "domains" / "containment.toml").read_text("utf-8")
        lists = {key: set(map(fold, tomllib.loads(text)[key])) for key in ("up", "down")}
        up = [(s, o) for above in (self.supers, self.types) for s, objects in above.items() for o in objects]
        for p, pairs in self.under.items():
            if self.relation_names(p) & lists["up"]:
                up += [pair for pair in pairs if not self._lies_nowhere(pair[0], p)]
            elif self.relation_names(p) & lists["down"]:
                up += [(o, s) for s, o in pairs]
        return _grouped(up), _grouped((high, low) for low, high in up)

    def _lies_nowhere(self, e: str, p: str) -> bool:
        """What holds lands and has several countries, or members, lies in none of its countries."""
        if not self.relation_names(p) & self._lists["within"] or e not in self._land_holders:
            return False
        leagues = (q for q in self.under if self.relation_names(q) & self._lists["leagues"])
        return len(self.objects[e, p]) > 1 or any(self.holders[q, e] for q in leagues)

    @cached_property
    def _land_holders(self) -> set[str]:
        text = (resources.files("queries") / "domains" / "containment.toml").read_text("utf-8")
        up = set(map(fold, tomllib.loads(text)["up"]))
        lands = {o for p in self.under if self.relation_names(p) & self._lists["within"] for _, o in self.under[p]}
        return {o for p in self.under if self.relation_names(p) & up for s, o in self.under[p] if s in lands}

    def above_and_below(self, e: str) -> set[str]:
        return _once(self._contained, e, lambda: set().union(*(_reached({e}, steps) for steps in self.contained)))

    def above(self, e: str) -> set[str]:
        """What a thing lies in or is a part or kind of."""
        return _reached({e}, self.contained[0])

    @cached_property
    def kinds(self) -> Mapping[str, set[str]]:
        """What each thing is directly a kind of, by type and subclass, as a statement of the schema or as a fact."""
        pairs = [(s, o) for above in (self.supers, self.types) for s, objects in above.items() for o in objects]
        stated = [pair for name in ("P31", "P279") for pair in self.under[f"http://www.wikidata.org/prop/direct/{name}"]]
        return _grouped([*pairs, *stated])

    def is_common_here(self, p: str, x: str) -> bool:
        """It is called by a common noun, as fewer than a tenth of the relation's objects are."""
        objects = {o for _, o in self.under[p]}
        return self._is_common(x) and 10 * sum(map(self._is_common, objects)) < max(len(objects), 1)

    def _is_common(self, e: str) -> bool:
        return unicodedata.category((self.label(e) or "X")[:1] or "X") == "Ll"

    def is_general(self, p: str, x: str) -> bool:
        """Another object of the relation is a kind of it, over any number of steps."""
        return x in _once(self._general, p, lambda: self._general_objects(p))

    def _general_objects(self, p: str) -> set[str]:
        return {x for k in {o for _, o in self.under[p]} for x in _reached({k}, self.kinds) - {k}}

    def implies(self, q: str, p: str, *, turned: bool) -> bool:
        """At least 3 pairs, and 1% of those under `q`, stand under `p` too (the other way round if `turned`)."""
        return _once(self._implied, (q, p, turned), lambda: self._implies(q, p, turned))

    def _implies(self, q: str, p: str, turned: bool) -> bool:
        both = sum(((o, s) if turned else (s, o)) in self.under[p] for s, o in self.under[q])
        return both >= 3 and both * 100 >= len(self.under[q])

    def made_true_by(self, s: str, p: str, x: str) -> list[str]:
        """Relations whose fact about the pair makes `p` likely too: implication, symmetry, inverse."""
        along = [q for q in self.between[s, x] if q != p and self.implies(q, p, turned=False)]
        return along + [q for q in self.between[x, s] if self.implies(q, p, turned=True)]

    def stands_beside(self, s: str, p: str, t: str, x: str) -> bool:
        """`x` is an object beside `t` under `p` for two or more subjects of a concept of `s`, of any where it has none."""
        both = self.holders[p, t] & self.holders[p, x]
        return any(sum(c in self.types[e] for e in both) >= 2 for c in self.types[s]) if self.types[s] else len(both) >= 2

    def is_typical(self, s: str, p: str, c: str) -> bool:
        """A fifth of the objects are of a type, or ten and a twentieth of those that subjects of a concept of `s` have."""
        objects = {o for _, o in self.under[p]}
        if 5 * sum(c in self.types[o] for o in objects) >= len(objects):
            return True
        of_like = ({o for e, o in self.under[p] if k in self.types[e]} for k in self.types[s])
        return any((typed := sum(c in self.types[o] for o in own)) >= 10 and 20 * typed >= len(own) for own in of_like)

    def one_subject_each(self, p: str) -> bool:
        """About one subject per object: at most 1.5."""
        return len(self.under[p]) <= 1.5 * len({o for _, o in self.under[p]})


class _Empty(dict[K, set[V]]):
    """A dict of sets that answers with an empty set, without keeping it."""

    def __missing__(self, key: K) -> set[V]:
        return set()


def _once(known: dict[K, V], key: K, work: Callable[[], V]) -> V:
    if key not in known:
        known[key] = work()
    return known[key]


def _grouped(pairs: Iterable[tuple[K, V]]) -> _Empty[K, V]:
    values: defaultdict[K, set[V]] = defaultdict(set)
    for key, value in pairs:
        values[key].add(value)
    return _Empty(values)


def _reached(start: Iterable[str], steps: Mapping[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    front = list(start)
    while front:
        fresh = steps[front.pop()] - reached
        reached |= fresh
        front += fresh
    return reached
