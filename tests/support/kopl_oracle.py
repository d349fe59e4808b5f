"""KoPL's functions counted one by one over the JSON of a knowledge base, and programs that use all of them.

Nothing of the project takes part: what is compared with it has to be written a second time.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

Json = dict[str, Any]
Value = tuple[str, Any, str]
"""Kind (string, quantity, time), what it is, and its unit; a time is a tuple of its year, or of year, month and day."""


def value_of(value: Json) -> Value:
    if value["type"] == "string":
        return ("string", value["value"], "")
    if value["type"] == "quantity":
        unit = value.get("unit", "1")
        return ("quantity", float(value["value"]), "" if unit == "1" else unit)
    return ("time", time_of(str(value["value"])), "")


def time_of(text: str) -> tuple[int, ...]:
    return (int(text),) if text.lstrip("-").isdigit() else tuple(int(part) for part in text.replace("/", "-").split("-"))


def read(text: str, kind: str) -> Value:
    if kind == "Str":
        return ("string", text, "")
    if kind == "Num":
        number, _, unit = text.partition(" ")
        return ("quantity", float(number), "" if unit == "1" else unit)
    return ("time", time_of(text), "")


def stands(value: Value, op: str, target: Value) -> bool:
    """Say whether a value stands in a relation to a target."""
    if value[0] != target[0] or value[2] != target[2]:
        return False
    one, other = value[1], target[1]
    if value[0] == "time":
        if op in "!=":  # a day lies in its year, a year in no day
            return bool((one[: len(other)] == other) == (op == "="))
        if 1 in (len(one), len(other)):
            one, other = one[0], other[0]
    return bool({"=": one == other, "!=": one != other, "<": one < other, ">": one > other}[op])


def any_reading(value: Value, text: str) -> bool:
    for kind in ("Str", "Num", "Date"):
        try:
            if stands(value, "=", read(text, kind)):
                return True
        except ValueError:
            continue
    return False


class Knowledge:
    """A knowledge base as lists of facts; `run` answers a program, step by step.

    `tied` says whether the last Select… of a run chose among equals, where KoPL's answer is whichever stands first in the file.
    """

    tied = False

    def __init__(self, kb: Json) -> None:
        things = {**kb["concepts"], **kb["entities"]}
        self.names = {id: thing["name"] for id, thing in things.items()}
        self.facts: list[tuple[str, str, str, dict[str, list[Value]]]] = []
        self.attributes: list[tuple[str, str, Value, dict[str, list[Value]]]] = []
        for id, entity in kb["entities"].items():
            for fact in entity["relations"]:
                ends = (id, fact["object"]) if fact["direction"] == "forward" else (fact["object"], id)
                self.facts.append((ends[0], fact["relation"], ends[1], _qualifiers(fact)))
            for fact in entity["attributes"]:
                self.attributes.append((id, fact["key"], value_of(fact["value"]), _qualifiers(fact)))
        self.members = self._members(kb)

    def _members(self, kb: Json) -> dict[str, set[str]]:
        """Every concept with all that is one of it: by the lists, and by facts of instance and subclass."""
        above = {id: set(concept["subclassOf"]) for id, concept in kb["concepts"].items()}
        types = {id: set(entity["instanceOf"]) for id, entity in kb["entities"].items()}
        for s, relation, o, _ in self.facts:
            if relation in ("instance of", "subclass of"):
                (types if relation == "instance of" else above).setdefault(s, set()).add(o)
        members: dict[str, set[str]] = {}
        for id in self.names:
            waiting = [*types.get(id, ()), *above.get(id, ())]
            seen: set[str] = set()
            while waiting:
                if (concept := waiting.pop()) not in seen:
                    seen.add(concept)
                    waiting += above.get(concept, ())
            for concept in seen:
                members.setdefault(concept, set()).add(id)
        return members

    def run(self, program: list[Json]) -> list[Any]:
        """Return the sorted answers of a program."""
        memory: list[Any] = []
        self.tied = False
        for step in program:
            memory.append(self.step(step["function"], [memory[n] for n in step["dependencies"]], step["inputs"]))
        last = memory[-1]
        return sorted({value for value, _ in last} if program[-1]["function"] in ENTITY_STEPS else set(last))

    def step(self, name: str, of: list[Any], inputs: list[str]) -> list[Any]:
        """Entities are (id, fact) pairs, values and answers are lists."""
        ids = [{id for id, _ in pairs} if name not in VERIFY else set() for pairs in of]
        if name in ("FindAll", "Find"):
            return [(id, None) for id, label in self.names.items() if not inputs or label == inputs[0]]
        if name == "FilterConcept":
            within = set().union(*(self.members.get(id, set()) for id, label in self.names.items() if label == inputs[0]))
            return [(id, None) for id in ids[0] & within]
        if name == "Relate":
            ways = {"forward": (0, 2), "backward": (2, 0)}[inputs[1]]
            return [(f[ways[1]], f) for f in self.facts if f[1] == inputs[0] and f[ways[0]] in ids[0]]
        if name in ("And", "Or"):
            return [(id, None) for id in (ids[0] & ids[1] if name == "And" else ids[0] | ids[1])]
        if name == "QueryName":
            return [self.names[id] for id in ids[0]]
        if name == "Count":
            return [len(ids[0])]
        if name == "QueryRelation":
            return [f[1] for f in self.facts if f[0] in ids[0] and f[2] in ids[1]]
        if name == "QueryRelationQualifier":
            facts = [f for f in self.facts if f[0] in ids[0] and f[2] in ids[1] and f[1] == inputs[0]]
            return [v for f in facts for v in f[3].get(inputs[1], [])]
        if name.startswith("QFilter"):
            key, text, op = [*inputs, "="][:3]
            target = read(text, name[7:])
            return [(id, f) for id, f in of[0] if any(stands(v, op, target) for v in f[3].get(key, []))]
        if name in VERIFY:
            text, op = [*inputs, "="][:2]
            held = [stands(v, op, read(text, name[6:])) for v in of[0]]
            return ["no" if not any(held) else "yes" if all(held) else "not sure"]
        return self.attribute_step(name, set().union(*ids), inputs)

    def attribute_step(self, name: str, ids: set[str], inputs: list[str]) -> list[Any]:
        facts = [f for f in self.attributes if f[0] in ids and f[1] == inputs[0]]
        if name.startswith("Filter"):
            _, text, op = [*inputs, "="][:3]
            return [(f[0], f) for f in facts if stands(f[2], op, read(text, name[6:]))]
        if name == "QueryAttr":
            return [f[2] for f in facts]
        if name == "QueryAttrUnderCondition":
            return [f[2] for f in facts if any(any_reading(v, inputs[2]) for v in f[3].get(inputs[1], []))]
        if name == "QueryAttrQualifier":
            return [v for f in facts if any_reading(f[2], inputs[1]) for v in f[3].get(inputs[2], [])]
        return self.select(name, {f[:3] for f in facts if f[2][0] == "quantity"}, inputs[1])

    def select(self, name: str, candidates: set[tuple[str, str, Value]], which: str) -> list[str]:
        units = [value[2] for _, _, value in candidates]
        if not units:
            return []
        unit = min(units, key=lambda unit: (-units.count(unit), unit))
        numbers = [value[1] for _, _, value in candidates if value[2] == unit]
        best = min(numbers) if which in ("less", "smallest") else max(numbers)
        found = sorted({self.names[id] for id, _, value in candidates if value[1:] == (best, unit)})
        self.tied = Counter(Counter(units).values())[units.count(unit)] > 1 or (name == "SelectBetween" and len(found) > 1)
        return found[:1] if name == "SelectBetween" else found


VERIFY = ("VerifyStr", "VerifyNum", "VerifyYear", "VerifyDate")
FILTERS = ("FilterStr", "FilterNum", "FilterYear", "FilterDate")
QFILTERS = ("QFilterStr", "QFilterNum", "QFilterYear", "QFilterDate")
ENTITY_STEPS = ("FindAll", "Find", "FilterConcept", "Relate", "And", "Or", *FILTERS, *QFILTERS)
ANSWERS = (
    "QueryName", "Count", "QueryAttr", "QueryAttrUnderCondition", "QueryAttrQualifier", "QueryRelation",
    "QueryRelationQualifier", "SelectBetween", "SelectAmong", *VERIFY,
)  # fmt: skip


def _qualifiers(fact: Json) -> dict[str, list[Value]]:
    return {key: [value_of(v) for v in values] for key, values in fact["qualifiers"].items()}


# --- programs -----------------------------------------------------------------------------------------------------------


class Programs:
    """Programs drawn from a seed: what they name stands in the knowledge base, so that most have an answer."""

    def __init__(self, knowledge: Knowledge, seed: int) -> None:
        self.k, self.random, self.steps = knowledge, random.Random(seed), list[Json]()
        self.labels = sorted({f[1] for f in knowledge.facts})
        self.concepts = sorted({knowledge.names[id] for id in knowledge.members})
        self.values = [(f[0], f[1], f[2], f[3]) for f in knowledge.attributes]
        pairs = [(q, v) for f in [*knowledge.attributes, *knowledge.facts] for q, vs in f[3].items() for v in vs]
        self.qualifiers = pairs
        self.qualified = [f for f in knowledge.facts if f[3]]
        self.qualified_values = [f for f in knowledge.attributes if f[3]]
        self.answers = [
            a for a in ANSWERS if self.qualified_values or a not in ("QueryAttrUnderCondition", "QueryAttrQualifier")
        ]
        kinds = {kind_of(f[2]) for f in self.values}
        self.answers = [a for a in self.answers if a not in VERIFY or a[6:] in kinds]

    def draw(self, number: int) -> list[Json]:
        """Return program `number`; its last function goes round all that answer."""
        self.steps = []
        getattr(self, f"_{_snake(self.answers[number % len(self.answers)])}")(self.answers[number % len(self.answers)])
        return self.steps

    def add(self, function: str, dependencies: list[int], *inputs: str) -> int:
        self.steps.append({"function": function, "dependencies": dependencies, "inputs": list(inputs)})
        return len(self.steps) - 1

    def entities(self, depth: int = 2) -> int:
        """A set of entities, of up to so many operations."""
        way = self.random.choice(["Find", "FindAll", "Relate", "Relate", "And", "Or", "Filter", "QFilter", "QFilter"])
        if depth == 0 or way == "Find":
            return self.find(self.random.choice(list(self.k.names)))
        if way == "FindAll":
            return self.add("FilterConcept", [self.add("FindAll", [])], self.random.choice(self.concepts))
        if way in ("And", "Or"):
            return self.add(way, [self.entities(depth - 1), self.entities(depth - 1)])
        if way == "Filter":
            return self.filter()
        if way == "QFilter":
            return self.qfilter()
        s, relation, o, _ = self.random.choice(self.k.facts)
        at, direction = self.random.choice([(s, "forward"), (o, "backward")])
        return self.add("Relate", [self.find(at)], relation, direction)

    def find(self, id: str) -> int:
        return self.add("Find", [], self.k.names[id])

    def filter(self) -> int:
        _, key, value, _ = self.random.choice(self.values)
        return self.compare("Filter", self.add("FindAll", []), key, value)

    def compare(self, prefix: str, of: int, key: str | None, value: Value) -> int:
        kind = kind_of(value)
        inputs = [*([key] if key else []), spelled(value)]
        if kind != "Str":
            inputs.append(self.random.choice(["=", "!=", "<", ">"]))
        return self.add(f"{prefix}{kind}", [of], *inputs)

    def qfilter(self) -> int:
        fact: Any = self.random.choice([*self.qualified, *self.qualified_values])
        if isinstance(fact[2], str):
            at, direction = self.random.choice([(fact[0], "forward"), (fact[2], "backward")])
            of = self.add("Relate", [self.find(at)], fact[1], direction)
        else:
            of = self.compare("Filter", self.add("FindAll", []), fact[1], fact[2])
        key = self.random.choice(sorted(fact[3]))
        return self.compare("QFilter", of, key, self.random.choice(fact[3][key]))

    def _query_name(self, name: str) -> None:
        self.add(name, [self.entities()])

    _count = _query_name

    def _select_among(self, name: str) -> None:
        key = self.random.choice([f[1] for f in self.values if f[2][0] == "quantity"])
        self.add(name, [self.add("FindAll", [])], key, self.random.choice(["smallest", "largest"]))

    def _select_between(self, name: str) -> None:
        facts = [f for f in self.values if f[2][0] == "quantity"]
        first, second = self.random.choice(facts), self.random.choice(facts)
        self.add(name, [self.find(first[0]), self.find(second[0])], first[1], self.random.choice(["less", "greater"]))

    def _query_attr(self, name: str) -> None:
        id, key, _, _ = self.random.choice(self.values)
        self.add(name, [self.find(id)], key)

    def _query_attr_under_condition(self, name: str) -> None:
        id, key, _, qualifiers = self.random.choice(self.qualified_values)
        asked = self.random.choice(sorted(qualifiers))
        self.add(name, [self.find(id)], key, asked, spelled(self.random.choice(qualifiers[asked])))

    def _query_attr_qualifier(self, name: str) -> None:
        id, key, value, qualifiers = self.random.choice(self.qualified_values)
        self.add(name, [self.find(id)], key, spelled(value), self.random.choice(sorted(qualifiers)))

    def _query_relation(self, name: str) -> None:
        s, _, o, _ = self.random.choice(self.k.facts)
        self.add(name, [self.find(s), self.find(o)])

    def _query_relation_qualifier(self, name: str) -> None:
        s, relation, o, qualifiers = self.random.choice(self.qualified)
        self.add(name, [self.find(s), self.find(o)], relation, self.random.choice(sorted(qualifiers)))

    def _verify(self, name: str) -> None:
        facts = [f for f in self.values if kind_of(f[2]) == name[6:]]
        id, key, value, _ = self.random.choice(facts)
        other = self.random.choice(facts)[2]
        target = value if self.random.random() < 0.5 else other
        self.compare("Verify", self.add("QueryAttr", [self.find(id)], key), None, target)

    _verify_str = _verify_num = _verify_year = _verify_date = _verify


def kind_of(value: Value) -> str:
    return {"string": "Str", "quantity": "Num"}.get(value[0]) or ("Year" if len(value[1]) == 1 else "Date")


def spelled(value: Value) -> str:
    if value[0] == "quantity":
        return f"{value[1]:g} {value[2]}".strip() if value[1] != int(value[1]) else f"{int(value[1])} {value[2]}".strip()
    if value[0] == "time":
        return "-".join(str(part).rjust(2, "0") for part in value[1])
    return str(value[1])


def _snake(name: str) -> str:
    return "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")
