"""Worlds of the five papers' shapes, in which scripted models answer by chance with a fixed seed."""

from __future__ import annotations

import random
from typing import Any

from metrics_made import EDITS, Row, World, answer, by_chance, item, text_of, verdict

MODELS = ["alpha", "beta", "gamma", "delta"]


def erbench_world(seed: int = 1) -> World:
    """Films with yes-no questions, choices in three phrasings and probes; decades in two or three hops.

    delta knows too few films; gamma was not asked about the last decade.
    """
    chance = random.Random(seed)
    items: dict[str, Row] = {}
    for n in range(15):
        film = {"family": "film", "group": f"film.{n}", "strata": {"domain": "movie"}, "rationale": _entries(1)}
        for variant in ("basic", "negated"):
            items |= _one(f"film.{variant}.{n}", "yes_no", variant=variant, answer=["yes"], **film)
        items |= _one(f"film.probe.{n}", "probe", variant="whole", answer=["yes"], **(film | {"rationale": []}))
    for n in range(13):
        facts = {"family": "film-facts", "group": f"facts.{n}", "strata": {"domain": "movie"}}
        for variant in ("first", "second", "third"):
            more = {"options": ["a", "b", "None of the above"], "answer": ["3" if n == 0 else "1"]}
            items |= _one(f"facts.{variant}.{n}", "choice", variant=variant, rationale=_entries(int(n > 0)), **more, **facts)
        for probe in ("one", "two"):
            items |= _one(f"facts.{probe}.{n}", "probe", variant=probe, answer=["yes"], **facts)
    for n in range(12):
        decade = {"family": "decade", "group": f"decade.{n}", "rationale": _entries(2 + n % 2)}
        items |= _one(f"decade.{n}", "yes_no", variant="basic", answer=["no"], **decade)
    answers = []
    for model in MODELS:
        for id, asked in items.items():
            if (model, id) == ("gamma", "decade.11"):
                continue
            few = {"alpha": (30, 1, 1, 1), "beta": (20, 2, 1, 1), "gamma": (30, 1, 2, 0), "delta": (1, 3, 1, 1)}[model]
            told = by_chance(chance, hops=len(asked["rationale"]), weights=few if asked["task"] == "probe" else (5, 3, 1, 1))
            answers.append(answer(id, model, text_of(told), told))
    return World(items, answers)


def _one(id: str, task: str, **more: Any) -> dict[str, Row]:
    given = {"rationale": []} | more
    return {id: item(id, "erbench", task, given.pop("group"), **given)}


def _entries(n: int) -> list[Row]:
    return [{"slot": f"s{hop}", "value": f"value {hop}"} for hop in range(n)]


def fpq_world(seed: int = 2) -> World:
    """Twelve facts with a true premise and six edits, each as two questions; beta was not asked all of them."""
    chance, items = random.Random(seed), {}
    named = {"iri": "x", "label": "x"}
    for n in range(12):
        for variant in ("tpq", *EDITS, "answers"):  # an own edit that is called as a column of the tables
            edit = None if variant == "tpq" else variant
            hops = n % 4 + 1 if variant in ("NSC", "NDC") else None
            premise = {"subject": named, "relation": named, "object": named, "edit": edit, "hops": hops, "path": None}
            for task, (yes, no) in {"yes_no": ("yes", "no"), "premise": ("accept", "reject")}.items():
                id = f"fpq.{task}.{variant}.{n}"
                strata = {"domain": "art" if n < 7 else "place"}
                if edit:
                    strata["commoner"] = ("true object", "neither", "edited object", "true object")[n % 4]
                more = {"variant": variant, "answer": [no if edit else yes], "premise": premise, "strata": strata}
                items[id] = item(id, "fpq", task, f"fpq.{n}", **more)
    answers = []
    for model in MODELS[:2]:
        for id in items:
            if model == "beta" and id.endswith(".3"):
                continue
            told = by_chance(chance)
            answers.append(answer(id, model, text_of(told), None if chance.random() < 0.05 else told))
    return World(items, answers)


TEXTS = ["Paris", "the  PARIS!", "City of Light", "It is Paris, I think.", "Parisian things", "a light city", "London",
         "unsure", "", "city city of", "light"]  # fmt: skip


def text_world(seed: int = 3) -> World:
    """Short answers in every form that counts differently."""
    chance, items, answers = random.Random(seed), {}, []
    for n in range(60):
        strata = {"domain": f"d{n % 3}", "property": f"P{n % 5}", "popularity": "top" if n % 2 else "bottom"}
        more = {"answer": ["Paris", "City of Light"], "answer_type": ["entity", "date"][n % 2], "strata": strata}
        items[f"open.{n}"] = item(f"open.{n}", "factbench", "open", f"g{n // 2}", **more)
        for model in MODELS[:3]:
            told = by_chance(chance)
            answers.append(answer(f"open.{n}", model, text_of(told, chance.choice(TEXTS)), told))
    return World(items, answers)


def knowledge_world(seed: int = 4) -> World:
    """Seen and unseen questions; most answers are asked for again, in three to five choices each."""
    chance, items, answers = random.Random(seed), {}, []
    for n in range(40):
        seen = n < 22
        id, strata = f"kb.{n}", {"seen": "yes" if seen else "no"} if n % 2 else {}
        more = {"answer": ["right"] if seen else None, "answer_type": ["date", "number"][n % 2], "strata": strata}
        items[id] = item(id, "unseenqa", "open", f"g{n}", **more)
        for model in MODELS:
            weights = (5, 4, 2, 2) if seen else (0, 4, 3, 2)
            told = by_chance(chance, weights=(9, 0, 2, 1) if model == "delta" and seen else weights)
            said = "Right." if told["outcome"] == "correct" else f"Guess {n}"
            answers.append(answer(id, model, text_of(told, said), told))
            if told["outcome"] in ("correct", "incorrect") and chance.random() < 0.8:
                _choices(chance, items, answers, (id, model, said.strip(".").lower()))
    return World(items, answers)


def _choices(chance: random.Random, items: dict[str, Row], answers: list[Row], made: tuple[str, str, str]) -> None:
    parent, model, said = made
    for n in range(chance.randint(3, 5)):
        options = ["that", "other", "third", "unsure"]
        options.insert(own := chance.randrange(4), said.title())
        id = f"again.{parent}.{model}.{n}"
        more = {"options": options, "parent": {"item": parent, "model": model, "sample": 0}}
        items[id] = item(id, "unseenqa", "choice", f"g{parent}", **more)
        pick = own if chance.random() < 0.6 else chance.randrange(5)
        form = chance.choice(["{letter}", "{number}", "{letter}. {text}", "The answer is {number}.", "{text}"])
        text = form.format(letter="ABCDE"[pick], number=pick + 1, text=options[pick])
        said_so = verdict("incorrect", "wrong", str(pick + 1)) if chance.random() < 0.3 else None
        answers.append(answer(id, model, text, said_so, again=pick == own))
        answers.append(answer(id, "stranger", "A", None, again=None))


def attack_world(seed: int = 5) -> World:
    """Swapped and enriched passages made with two pivots, asked in four runs; whether a text entails is in `entailed`."""
    chance, items, answers = random.Random(seed), {}, []
    for pivot in MODELS[:2]:
        for n in range(14):
            made = [("swap", None), ("enrich", "question"), *([("enrich", "evidence")] if n % 7 else [])]
            for variant, expansion in made:
                id = f"{pivot}.{variant}.{expansion}.{n}"
                more = {"answer": ["Paris", "City of Light"], "context": "A passage.", "source": {"pivot": pivot}}
                strata = {"expansion": expansion, "category": {"swap": "1"}.get(variant)}
                items[id] = item(id, "autodebug", "context", f"q{n}", variant=variant, strata=strata, **more)
    for run in ("closed-book", "open-book/original", "open-book/swap", "faithful/original"):
        for model in MODELS[:3]:
            for id in items:
                told = by_chance(chance)
                text = text_of(told, chance.choice(TEXTS))
                entailed = chance.random() < 0.5 if text is not None else None
                answers.append(answer(id, model, text, told, run=run, entailed=entailed))
    return World(items, answers)
