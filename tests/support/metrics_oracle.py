"""The metrics of the five papers counted one answer at a time, in plain Python, after the papers' formulas."""

from __future__ import annotations

import re
import string
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from operator import itemgetter, methodcaller
from statistics import correlation, fmean
from typing import Any

from metrics_made import EDITS, Row, World

Cells = dict[tuple[str, ...], dict[str, Any]]
Found = dict[str, Cells]
Value = Callable[[Row], float | None]
FAILED = ("api_error", "tie", "judge_failed")


def rows_of(world: World) -> list[Row]:
    """Return a row for each answer, and for each item that a model left out of a task it was asked."""
    rows = [_row(world, a) for a in world.answers]
    kinds = {(a["model"], a["run"], world.items[a["item"]]["method"], world.items[a["item"]]["task"]) for a in world.answers}
    done = {(a["model"], a["run"], a["item"]) for a in world.answers}
    for model, run, method, task in kinds:
        for id, asked in world.items.items():
            own = (asked.get("parent") or {}).get("model") in (None, model)
            if (asked["method"], asked["task"]) == (method, task) and own and (model, run, id) not in done:
                rows.append(_row(world, {"item": id, "model": model, "run": run, "text": None, "verdict": None}, "unasked"))
    return rows


def _row(world: World, a: Row, state: str = "unjudged") -> Row:
    asked, told = world.items[a["item"]], a["verdict"] or {}
    strata = {"domain": "(none)"} | {k: v for k, v in (asked.get("strata") or {}).items() if v is not None}
    of_item = {k: asked.get(k) for k in ("family", "task", "variant", "group", "premise", "parent", "answer_type", "source")}
    known = {"accepted": asked["answer"], "state": told.get("outcome", state), "reason": told.get("reason")}
    return strata | of_item | a | known | {"marks": told.get("rationale", [])}


def mean(values: Iterable[float | None]) -> tuple[float | None, int]:
    """Return the mean of what is not null, and how many those are."""
    kept = [float(value) for value in values if value is not None]
    return (fmean(kept) if kept else None), len(kept)


def cells(rows: list[Row], dims: list[str], values: Mapping[str, Value]) -> Cells:
    """Return the means of the values in each cell."""
    made: Cells = {}
    for key in sorted({tuple(str(row[dim]) for dim in dims) for row in rows}):
        part = [row for row in rows if tuple(str(row[dim]) for dim in dims) == key]
        made[key] = {}
        for name, value in values.items():
            made[key][name], made[key][f"{name}_n"] = mean(value(row) for row in part)
    return made


def right(row: Row, published: bool) -> bool | None:
    """Tell whether an answer is correct, null where it does not count."""
    if row["state"] in ("correct", "incorrect", "abstained"):
        return bool(row["state"] == "correct")
    return False if published and row["state"] == "unscored" and row["reason"] not in FAILED else None


def fpq(world: World, published: bool) -> Found:
    """KG-FPQ."""
    rows = [row | {"edit": row["premise"]["edit"], "hops": row["premise"]["hops"]} for row in rows_of(world)]
    gate = [row for row in rows if row["task"] == "yes_no" and row["edit"] is None and row["state"] == "correct"]
    known = {(row["model"], row["group"]) for row in gate}
    both = [r | {"population": "all"} for r in rows] + [
        r | {"population": "known"} for r in rows if (r["model"], r["group"]) in known
    ]
    both += [row | {"domain": "*"} for row in both]
    plain = ["model", "population", "domain"]

    def of(wanted: Callable[[Row], bool]) -> Value:
        return lambda row: right(row, published) if wanted(row) else None

    def edited(edit: str) -> Value:
        return of(lambda row: row["edit"] == edit)

    def asked_as(task: str) -> Value:
        return of(lambda row: row["task"] == task and row["edit"] in EDITS)

    edits = {edit: edited(edit) for edit in EDITS} | {"own.answers": edited("answers")}
    rest = {"FPQ": of(lambda row: row["edit"] in EDITS), "TPQ": of(lambda row: row["edit"] is None)}
    forms = {"discriminative": asked_as("yes_no"), "generative": asked_as("premise")}
    by_form = cells(both, plain, forms)
    for cell in by_form.values():
        cell["change"] = cell["generative"] - cell["discriminative"]
    kind, guesses = ("NSC", "NNSC", "NNSR"), {"true object": 1.0, "neither": 0.5, "edited object": 0.0}

    def yes(row: Row) -> bool | None:
        told = right(row, published)
        return told if told is None or row["edit"] is None else row["state"] == "incorrect"

    def guess(row: Row) -> float | None:
        told = row["edit"] in kind and right(row, published) is not None
        return guesses.get(row.get("commoner", "")) if told else None

    sums = {"true": rest["TPQ"], "false": rest["FPQ"], "kind": of(lambda row: row["edit"] in kind)}
    everyone = [row for row in both if row["population"] == "all"]
    balance = cells(everyone, ["model", "domain", "task"], {"yes": yes, "guesser": guess} | sums)
    for cell in balance.values():
        true, false, same = (cell.pop(name) for name in sums)
        for name in sums:
            del cell[f"{name}_n"]
        cell["balanced"], cell["same_kind"] = (true + false) / 2, (true + same) / 2
    facts = {(r["model"], d, r["group"]) for r in rows for d in (r["domain"], "*")}
    of_fact = [{"model": m, "domain": d, "known": (m, g) in known} for m, d, g in sorted(facts)]
    hopped = [row for row in both if row["hops"] is not None]
    return {
        "fpq.accuracy": cells(both, [*plain, "task"], edits | rest),
        "fpq.hops": cells(hopped, [*plain, "task", "edit", "hops"], {"accuracy": lambda row: right(row, published)}),
        "fpq.formats": by_form,
        "fpq.balance": balance,
        "fpq.known": cells(of_fact, ["model", "domain"], {"known": lambda row: row["known"]}),
    }


def erbench(world: World, published: bool) -> Found:
    """ERBench."""
    rows = rows_of(world)
    asked = [row | _erbench_values(row, published) for row in rows if row["task"] != "probe"]
    passing = ("correct", "abstained") if published else ("correct",)
    probes: dict[tuple[str, str, str], list[bool]] = defaultdict(list)
    for row in rows:
        if row["task"] == "probe" and row["state"] != "unasked":
            probes[row["model"], row["family"], row["group"]].append(row["state"] in passing)
    known = {key for key, passed in probes.items() if all(passed)}
    sizes = Counter((model, family) for model, family, _ in known)
    models = sorted({row["model"] for row in rows})
    common = {
        (family, group)
        for _, family, group in known
        if all((model, family, group) in known for model in models if sizes[model, family] >= 10)
        and any(sizes[model, family] >= 10 for model in models)
    }
    populated = [row | {"population": "all"} for row in asked]
    for row in asked:
        family, n_common = row["family"], sum(f == row["family"] for f, _ in common)
        if not any(f == family for _, f, _ in probes):
            continue
        few = sizes[row["model"], family] < 10
        nothing = dict.fromkeys(("A", "R", "AR", "H", "M"))
        for name, inside, na in (
            ("known", (row["model"], family, row["group"]) in known, few),
            ("common", (family, row["group"]) in common, few or n_common < 10),
        ):
            if na or inside:
                populated.append(row | {"population": name} | (nothing | {"marks": []} if na else {}))
    dims = ["model", "population", "domain", "family"]
    values = {name: itemgetter(name) for name in ("A", "R", "AR", "H", "M")}
    choices = [row for row in populated if row["task"] == "choice"]
    units = [row for row in populated if row["task"] == "yes_no"]
    for key in sorted({(*(r[d] for d in dims), r["group"]) for r in choices}):
        part = [row for row in choices if (*(row[d] for d in dims), row["group"]) == key]
        units.append(part[0] | {"variant": "*"} | {name: mean(row[name] for row in part)[0] for name in values})
    probed = Counter(key[:2] for key in probes)
    shared = Counter(family for family, _ in common)
    sized: Cells = {
        (model, row["domain"], family): {
            "entities": probed[model, family], "known": sizes[model, family], "common": shared[family],
        }
        for row in asked for model, family in [(row["model"], row["family"])] if probed[model, family]
    }  # fmt: skip
    several = [row for row in populated if row["family"] == "decade"]
    return {
        "erbench.overall": cells(units, [*dims, "task", "variant"], values),
        "erbench.phrasings": cells([r for r in choices if r["population"] == "all"], [*dims, "variant"], values),
        "erbench.known": sized,
        **_hops(several, [*dims, "variant"], published),
    }


def _erbench_values(row: Row, published: bool) -> Row:
    correct = right(row, published)
    if correct is None:
        return dict.fromkeys(("A", "R", "AR", "H", "M"))
    missing = row["state"] == "abstained" or (published and row["state"] == "unscored" and row["task"] == "yes_no")
    named = fmean(row["marks"]) if published and row["marks"] else float(all(row["marks"]))
    explained = named if row["marks"] else None
    both = None if explained is None else correct * explained
    return {"A": correct, "R": explained, "AR": both, "H": 1 - correct - missing, "M": missing}


def _hops(rows: list[Row], dims: list[str], published: bool) -> Found:
    by_hop: Cells = {}
    told = [row for row in rows if row["marks"]]
    for hop in (1, 2, 3):
        deep = [row | {"hop": hop} for row in told if len(row["marks"]) >= hop]
        by_hop |= cells(deep, [*dims, "hop"], _hop_values(hop, published))
    whole = cells(rows, dims, {"A": lambda row: row["A"], "H": lambda row: row["H"]})
    for key, cell in whole.items():
        of_hop = [by_hop[*key, str(hop)] for hop in (1, 2, 3) if (*key, str(hop)) in by_hop]
        part = [row for row in told if tuple(str(row[dim]) for dim in dims) == key and row["A"] is not None]
        cell["R_ext"] = mean(fmean(row["marks"]) for row in part)[0] if published else mean(c["R_hop"] for c in of_hop)[0]
        cell |= {f"AR_ext_{hop}": c["AR_hop"] for hop, c in enumerate(of_hop, 1)}
    return {"erbench.hops": by_hop, "erbench.multihop": whole}


def _hop_values(hop: int, published: bool) -> dict[str, Value]:
    def explained(row: Row) -> float | None:
        return None if row["A"] is None else float(row["marks"][hop - 1])

    def right_and_explained(row: Row) -> float | None:
        return None if row["A"] is None or (published and len(row["marks"]) != 3) else float(row["A"] and row["marks"][hop - 1])

    return {"R_hop": explained, "AR_hop": right_and_explained}


def plain(text: str) -> str:
    """Bring a text to SQuAD's form, step by step as its evaluation program does."""
    text = "".join(c for c in text.lower() if c not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())


def f1(text: str, accepted: str) -> float:
    """Return the F1 of words."""
    said, wanted = plain(text).split(), plain(accepted).split()
    common = sum((Counter(said) & Counter(wanted)).values())
    if not common:
        return 0.0
    precision, recall = common / len(said), common / len(wanted)
    return 2 * precision * recall / (precision + recall)


def text_values(row: Row, published: bool) -> Row:
    """Return EM, F1, Contains of a text and whether it is correct, null where it does not count."""
    made: Row = {"correct": right(row, published), "EM": None, "F1": None, "contains": None}
    if row["text"] is None or (row["state"] == "unscored" and not published):
        return made
    said, accepted = plain(row["text"]), [plain(answer) for answer in row["accepted"]]
    within = [answer in said for answer in accepted] if published else [f" {answer} " in f" {said} " for answer in accepted]
    best = max(f1(row["text"], answer) for answer in row["accepted"])
    return made | {"EM": said in accepted, "F1": best, "contains": any(within)}


TEXT = {name: itemgetter(name) for name in ("EM", "F1", "contains", "correct")}


def factbench(world: World, published: bool) -> Found:
    """FACT-BENCH."""
    rows = [row | text_values(row, published) for row in rows_of(world)]
    cuts = ("domain", "property", "answer_type", "popularity")
    return {"factbench.overall": cells(rows, ["model"], TEXT)} | {
        f"factbench.{cut}": cells(rows, ["model", cut], TEXT) for cut in cuts
    }


def kind(row: Row, published: bool) -> str | None:
    """Return what LLM-as-KB calls an answer."""
    nothing = ["empty", "echo", "repetition", *(["refused"] if published else [])]
    if row["state"] == "abstained" or row["reason"] in nothing:
        return "uninformative"
    if row["state"] == "incorrect" or (published and row["reason"] in ("unparsed", "unclear")):
        return "wrong"
    return "correct" if row["state"] == "correct" else None


def unseenqa(world: World, published: bool) -> Found:
    """LLM-as-KB."""
    rows = [row | {"kind": kind(row, published)} for row in rows_of(world)]
    again: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for row in rows:
        if row["parent"] and row["model"] == row["parent"]["model"] and row["text"] is not None:
            again[row["model"], row["parent"]["item"]].append(row["again"])
    told = [row for row in rows if row["task"] == "open"]
    found = {
        model: _knowledge([row for row in told if row["model"] == model], again) for model in sorted({r["model"] for r in told})
    }
    unseen = [row for row in told if row["accepted"] is None]
    forms = {"unsure": ("unsure", "refused"), "none": ("empty", "echo"), "repetition": ("repetition",)}
    pairs = "NCR UR,NCCR IUR,C_correct C_wrong,NCR C_correct,NCR C_wrong,UR C_correct,UR C_wrong"
    correlated: Cells = {}
    for a, b in (pair.split() for pair in pairs.split(",")):
        both = [(cell[a], cell[b]) for cell in found.values() if cell[a] is not None and cell[b] is not None]
        if len(both) >= 3:
            correlated[(f"{a} and {b}",)] = {"r": correlation(*zip(*both, strict=True)), "models": len(both)}
    measures = {
        "factuality": "CR WR NCR UR", "consistency": "C_correct C_wrong_seen C_wrong_unseen C_wrong",
        "reliability": "CCR CWR NCCR IUR",
    }  # fmt: skip
    return {
        **{
            f"unseenqa.{table}": {(model,): {name: cell[name] for name in names.split()} for model, cell in found.items()}
            for table, names in measures.items()
        },
        "unseenqa.correlations": correlated,
        "unseenqa.answer_type": cells(
            unseen, ["model", "answer_type"], {"UR": lambda r: None if r["kind"] is None else r["kind"] == "uninformative"}
        ),
        "unseenqa.uninformative": cells(
            unseen, ["model"], {name: _told_as(reasons) for name, reasons in forms.items()},
        ),
    }  # fmt: skip


def _told_as(reasons: tuple[str, ...]) -> Value:
    return lambda row: row["reason"] in reasons if row["kind"] == "uninformative" else None


def _knowledge(rows: list[Row], again: dict[tuple[str, str], list[bool]]) -> Row:
    seen = [row for row in rows if row["accepted"] is not None and row["kind"]]
    unseen = [row for row in rows if row["accepted"] is None and row["kind"]]

    def share(part: list[Row], name: str) -> float:
        return fmean(row["kind"] == name for row in part)

    def cons(part: list[Row], name: str) -> float | None:
        asked = [again[row["model"], row["item"]] for row in part if row["kind"] == name]
        return mean(fmean(picks) for picks in asked if picks)[0]

    cr, wr, ur = share(seen, "correct"), share(seen, "wrong"), share(unseen, "uninformative")
    c, ws, wu = cons(seen, "correct"), cons(seen, "wrong"), cons(unseen, "wrong")
    claims = share(unseen, "wrong")
    assert c is not None
    # What was wrong but never asked for again is not measured, and neither is what follows from it.
    cwr = 0.0 if wr == 0 else None if ws is None else wr * ws
    half = None if ws is None or wu is None else (ws + wu) / 2
    c_wrong = wu if wr == 0 else ws if claims == 0 else half
    iur = 1.0 if claims == 0 else None if wu is None else 1 - (1 - ur) * wu
    nccr = None if cwr is None else cr * c - cwr
    return {
        "CR": cr, "WR": wr, "NCR": cr - wr, "UR": ur, "C_correct": c, "C_wrong_seen": ws, "C_wrong_unseen": wu,
        "C_wrong": c_wrong, "CCR": cr * c, "CWR": cwr, "NCCR": nccr, "IUR": iur,
    }  # fmt: skip


def autodebug(world: World, published: bool) -> Found:
    """AutoDebug."""
    rows = [row | text_values(row, published) for row in rows_of(world)]
    names = ("EM", "F1", "entail", "correct")
    units = []
    for row in rows:
        entail = row["entailed"] if published or row["state"] != "unscored" else None
        method, _, exemplars = row["run"].partition("/")
        made = {"method": method, "exemplars": exemplars or "(none)", "pivot": row["source"]["pivot"], "entail": entail}
        category = {"swap": "1", "enrich": "2"}[row["variant"]]
        units.append(row | made | {"category": category, "expansion": row.get("expansion") or "(none)"})
    pairs: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for row in units:
        if row["expansion"] != "(none)" and any(row[name] is not None for name in names):
            pairs[row["model"], row["run"], row["pivot"], row["group"]].append(row)
    merged = [
        pair[0] | {"expansion": "merged"} | {n: None if None in (p := [r[n] for r in pair]) else min(p) for n in names}
        for pair in pairs.values()
        if len(pair) == 2
    ]
    dims, values = ["model", "method", "exemplars"], {name: itemgetter(name) for name in names}
    whole = [row for row in units if row["category"] == "1"] + merged
    labelled = [row | {"attack": "self" if row["pivot"] == row["model"] else "cross"} for row in whole]
    return {
        "autodebug.results": cells([*units, *merged], [*dims, "pivot", "category", "expansion"], values),
        "autodebug.attacks": cells(labelled, [*dims, "category", "attack", "pivot"], values),
        "autodebug.exemplars": _change(whole, names),
    }


def _change(whole: list[Row], names: tuple[str, ...]) -> Cells:
    def key(row: Row) -> tuple[str, ...]:
        return (row["model"], row["method"], row["pivot"], row["category"], row["group"])

    original = {key(row): row for row in whole if row["exemplars"] == "original"}
    both = [(row, original[key(row)]) for row in whole if row["exemplars"] == "swap" and key(row) in original]
    made: Cells = {}
    for cell in sorted({key(row)[:4] for row, _ in both}):
        part = [(row, old) for row, old in both if key(row)[:4] == cell]
        made[*cell, "swap"] = {
            n: mean(float(r[n]) - float(o[n]) if r[n] is not None and o[n] is not None else None for r, o in part)[0]
            for n in names
        }
    return made


def across(world: World, method: str) -> Found:
    """All right, and contradictions."""
    rows = [
        r
        for r in rows_of(world)
        if r["state"] in ("correct", "incorrect", "abstained") and r["task"] != "probe" and not r["parent"]
    ]
    facts: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        facts[row["model"], row["group"]].append(row)
    right_facts = [
        {"model": m, "all_right": all(r["state"] == "correct" for r in f)} for (m, _), f in facts.items() if len(f) > 1
    ]
    pairs = []
    for (model, _), found in facts.items():
        sure = [row for row in found if row["state"] != "abstained"]
        for one in (row for row in sure if row["task"] == "yes_no"):
            for other in sure:
                made = _contradicts(one, other)
                pairs += [{"model": model} | made] if made else []
    names = ("negated", "choice", "accepted")
    told = cells(pairs, ["model"], {name: methodcaller("get", name) for name in names})
    by_fact = cells(right_facts, ["model"], {"all_right": lambda row: row["all_right"]})
    made = {"across.facts": by_fact, "across.contradictions": told}
    return {table: {(*key, method): cell for key, cell in found.items()} for table, found in made.items() if found}


def _contradicts(one: Row, other: Row) -> Row | None:
    differs = (one["state"] == "correct") != (other["state"] == "correct")
    if one["premise"]:
        same = other["task"] == "premise" and one["variant"] == other["variant"] != "tpq" and one["state"] == "correct"
        return {"accepted": other["state"] == "incorrect"} if same else None
    if one["variant"] == "basic" and other["task"] == "choice":
        return {"choice": differs}
    pair = (one["variant"], other["variant"], other["task"]) == ("basic", "negated", "yes_no")
    return {"negated": differs} if pair else None
