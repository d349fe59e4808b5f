"""How far the judges agree with people, on data that lies beside a checkout.

```
python tests/benchmarks/agreement.py
python tests/benchmarks/agreement.py --json agreement.json
```

Each data set is turned into questions as items state them and judged by `evaluators.verify`, nothing else. The rules have no
parameters that are fitted, so that leaving a model or a domain out changes no rule; what is shown for each one left out is
the agreement on it, and on all the others.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from evaluators.verify import judge_text
from evaluators.verify.abstention import refuses
from evaluators.verify.published import PUBLISHED
from evaluators.verify.question import Entry, Given, Question
from evaluators.verify.ruling import Ruling
from kg.dates import find_dates
from kg.numbers import find_numbers

Row = dict[str, Any]
SHARED = Path(os.environ.get("KGPROBE_SHARED", Path(__file__).resolve().parents[3] / "shared")) / "data"


class Pair(NamedTuple):
    """What the judge says and what people say."""

    ours: bool
    people: bool


def rows_of(name: str) -> list[Row]:
    """Read a file of the shared data."""
    with gzip.open(SHARED / name, "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def agreement(pairs: Iterable[Pair]) -> Row:
    """Return the share of agreement, Cohen's kappa, and the share of people's no that is accepted.

    >>> agreement([Pair(True, True), Pair(False, False)])
    {'n': 2, 'agreement': 1.0, 'kappa': 1.0, 'accepted_wrong': 0.0}
    """
    found = list(pairs)
    n = len(found)
    same = sum(ours == people for ours, people in found) / n
    ours, people = sum(p.ours for p in found) / n, sum(p.people for p in found) / n
    chance = ours * people + (1 - ours) * (1 - people)
    wrong = [p.ours for p in found if not p.people]
    return {
        "n": n,
        "agreement": round(same, 4),
        "kappa": round((same - chance) / (1 - chance), 3) if chance < 1 else None,
        "accepted_wrong": round(sum(wrong) / len(wrong), 4) if wrong else None,
    }


def erbench_question(row: Row) -> Question:
    """State a row of ERBench as an item does: what the question gives, and what a right explanation names."""
    inferred, asked = row["inferred"], row["question"]
    stem = asked.split("\n")[0]
    given = [Given(k, v) for k, v in row["entity"].items() if k != "row" and v and v not in inferred and v in stem]
    if row["domain"] == "soccer":
        given.append(Given("season", "2019"))
    many = [value.split(";") for value in inferred]
    return Question(
        asked,
        "choice" if row.get("options") else "yes_no",
        (row["gold_answer"],),
        options=tuple(row.get("options") or ()),
        given=tuple(given),
        rationale=tuple(Entry(f"inferred{n}", values[0], tuple(values[1:])) for n, values in enumerate(many)),
    )


def by(rows: list[Row], pairs: list[Pair], key: str) -> Row:
    """Return for each value of a field the agreement on it and, with it left out, on the rest."""
    return {
        value: {
            "on_it": agreement(p for row, p in zip(rows, pairs, strict=True) if row[key] == value),
            "on_the_rest": agreement(p for row, p in zip(rows, pairs, strict=True) if row[key] != value),
        }
        for value in sorted({row[key] for row in rows})
    }


def human_labelled() -> Row:
    """Explanations that people judged, with the authors' matching beside, alone and with a right answer."""
    rows = rows_of("erbench/human_labelled_dev.jsonl.gz")
    people = [bool(row["human_rationale_correct"]) for row in rows]
    sayings: dict[str, list[bool]] = {
        "kgprobe": [all(judge_text(row["response"], erbench_question(row)).rationale) for row in rows],
        "authors": [bool(row["ref_rationale_correct"]) for row in rows],
        "authors_and_right": [bool(row["ref_rationale_correct"] and row["ref_answer_correct"]) for row in rows],
    }
    result: Row = {}
    for name, ours in sayings.items():
        pairs = [Pair(a, b) for a, b in zip(ours, people, strict=True)]
        result[name] = {"all": agreement(pairs), "model": by(rows, pairs, "model"), "domain": by(rows, pairs, "domain")}
    return result


def short_answers() -> Row:
    """Short answers of five systems that people judged, by system and by reason."""
    rows = rows_of("judging/evouna_dev.jsonl.gz")
    rulings = [judge_text(row["response"], Question(row["question"], "open", tuple(row["gold"]))) for row in rows]
    pairs = [Pair(r.outcome == "correct", bool(row["correct"])) for row, r in zip(rows, rulings, strict=True)]
    left: dict[str, Counter[str]] = defaultdict(Counter)
    for row, ruling in zip(rows, rulings, strict=True):
        left[f"{ruling.outcome}: {ruling.reason}"]["right" if row["correct"] else "wrong"] += 1
    sets = [row | {"set": row["id"].split("-")[0]} for row in rows]
    return {
        "all": agreement(pairs),
        "model": by(rows, pairs, "model"),
        "set": by(sets, pairs, "set"),
        "reasons": {name: dict(counts) for name, counts in sorted(left.items())},
        "missed": dict(Counter(kind_of(row["gold"]) for row, p in zip(rows, pairs, strict=True) if p.people and not p.ours)),
    }


def kind_of(accepted: list[str]) -> str:
    """Tell what the accepted answers of a question are: a date, a number, words in small letters, a name.

    >>> kind_of(["May 1848"]), kind_of(["to shorten the route"]), kind_of(["Ada Moss"])
    ('date', 'description', 'name')
    """
    if any(find_dates(answer) for answer in accepted):
        return "date"
    if any(find_numbers(answer) for answer in accepted):
        return "number"
    return "name" if any(answer[:1].isupper() for answer in accepted) else "description"


def premises() -> Row:
    """Rebuttals of false premises and ordinary answers, told apart by the text alone."""
    rows = rows_of("judging/falseqa_dev.jsonl.gz")
    rulings = [judge_text(row["answer"], Question(row["question"], "premise", ("reject",))) for row in rows]
    pairs = [Pair(r.answer == "reject", row["label"] == 1) for row, r in zip(rows, rulings, strict=True)]
    return {"all": agreement(pairs), "question": by([r | {"word": _first(r["question"])} for r in rows], pairs, "word")}


def _first(question: str) -> str:
    word = question.split()[0].lower() if question.split() else ""
    return word if word in {"why", "how", "what", "which", "when", "where", "who", "list", "name", "if"} else "other"


def refusals() -> Row:
    """Completions that refuse, wholly or partly, and those that do not."""
    rows = rows_of("judging/refusals_dev.jsonl.gz")
    pairs = [Pair(refuses(row["response"]) is not None, not row["label"].startswith("1")) for row in rows]
    return {"all": agreement(pairs), "model": by(rows, pairs, "model")}


def published() -> Row:
    """ERBench's own rules on its single-hop yes-no files: how far A, R, AR and H are from the published ones."""
    reference = {
        entry["file"]: entry["ref_metrics_all"] for entry in json.loads((SHARED / "erbench/reference_metrics.json").read_text())
    }
    result: Row = {}
    for path in sorted((SHARED / "erbench/responses").glob("*/*__binary_*.jsonl.gz")):
        name = f"{path.parent.name}/{path.name.removesuffix('.gz')}"
        rows = rows_of(f"erbench/responses/{path.parent.name}/{path.name}")
        rulings = [PUBLISHED["erbench"](row["response"], erbench_question(row)) for row in rows]
        ours = erbench_metrics(rulings)
        result[name] = {key: round(value - reference[name][key], 4) for key, value in ours.items()}
    return result


def hops() -> Row:
    """Hops of ERBench's questions of several hops: ours beside the published rule, and beside the published marks."""
    beside: dict[str, tuple[list[Row], list[Pair]]] = {"the published rule": ([], []), "the published marks": ([], [])}
    for path in sorted((SHARED / "erbench/responses").glob("*/*__multihop_*.jsonl.gz")):
        for row in rows_of(f"erbench/responses/{path.parent.name}/{path.name}"):
            question = hops_question(row)
            ours = judge_text(row["response"], question).rationale
            rule, marks = PUBLISHED["erbench"](row["response"], question).rationale, row["ref_rationale_hops"]
            for name, theirs in zip(beside, (rule, marks), strict=True):
                if len(theirs) == len(ours):  # a city with a comma has a mark for each of its parts
                    rows, pairs = beside[name]
                    pairs += [Pair(a, b) for a, b in zip(ours, theirs, strict=True)]
                    rows += [row | {"set": f"{path.parent.name}/{row['task']}"}] * len(ours)
    return {
        name: {"all": agreement(pairs), "domain": by(rows, pairs, "domain"), "set": by(rows, pairs, "set")}
        for name, (rows, pairs) in beside.items()
    }


def hops_question(row: Row) -> Question:
    """State a row of several hops as the items of `erbench/movie_director` and `erbench/soccer_olympic` do."""
    entity, year = row["entity"], Entry("", "", (), "number", None, "year")
    rationale: list[Entry]
    if row["domain"] == "movie_director":
        born = entity["director_birth_year"]
        given = [Given("title", entity["title"]), Given("year", entity["year"]), Given("decade", f"{born[:3]}0", claim=True)]
        rationale = [
            Entry("director", entity["director"], type="entity"),
            year._replace(slot="director_birth_year", value=born),
        ]
    else:
        first, *others = entity["olympic_years"].split(";")
        given = [Given("player", entity["player"])]
        rationale = [Entry("club", entity["club"], type="entity"), Entry("city", entity["city"], type="entity")]
        rationale += [year._replace(slot="olympic_years", value=first, aliases=tuple(others))] if first else []
    return Question(row["question"], "yes_no", (row["gold_answer"],), given=tuple(given), rationale=tuple(rationale))


def erbench_metrics(rulings: list[Ruling]) -> dict[str, float]:
    """Return A, R, AR and H of rulings (see `evaluators.verify.published`)."""
    n = len(rulings)
    correct = [ruling.outcome == "correct" for ruling in rulings]
    named = [all(ruling.rationale) for ruling in rulings]
    abstained = sum(ruling.outcome == "abstained" for ruling in rulings)
    return {
        "A": sum(correct) / n,
        "R": sum(named) / n,
        "AR": sum(a and b for a, b in zip(correct, named, strict=True)) / n,
        "H": 1 - (sum(correct) + abstained) / n,
    }


SETS: dict[str, Callable[[], Row]] = {
    "human_labelled_dev": human_labelled,
    "evouna_dev": short_answers,
    "falseqa_dev": premises,
    "refusals_dev": refusals,
    "hops": hops,
    "as_published": published,
}


def _line(name: str, found: Row, rest: Row | None = None) -> str:
    more = f" | {rest['agreement']:.4f} {rest['kappa'] or 0:.3f}" if rest else ""
    wrong = "-" if found["accepted_wrong"] is None else f"{found['accepted_wrong']:.4f}"
    return f"  {name:<28} {found['n']:>5} {found['agreement']:.4f} {found['kappa'] or 0:.3f} {wrong}{more}"


def _show(name: str, result: Row) -> None:
    print(f"\n{name}: n, agreement, kappa, wrong ones accepted | agreement and kappa with it left out")
    judges = result if "all" not in result else {"": result}
    for judge, found in judges.items():
        if judge:
            print(f" {judge}")
        print(_line("all", found["all"]))
        for key in ("model", "domain", "set", "question"):
            for value, cut in found.get(key, {}).items():
                print(_line(f"{key} {value}", cut["on_it"], cut["on_the_rest"]))
        for kind, count in found.get("missed", {}).items():
            print(f"  let pass by people only: {kind} {count}")
        for reason, counts in found.get("reasons", {}).items():
            print(f"  {reason:<28} people: right {counts.get('right', 0)}, wrong {counts.get('wrong', 0)}")


def main() -> None:
    """Print the tables; write them as JSON where asked."""
    parser = argparse.ArgumentParser(description="How far the judges agree with people.")
    parser.add_argument("--json", type=Path, help="a file to write")
    parser.add_argument("--only", choices=SETS, help="one data set")
    asked = parser.parse_args()
    if not SHARED.exists():
        sys.exit(f"error: {SHARED} is not there; set KGPROBE_SHARED to the folder that holds data/")
    results = {name: make() for name, make in SETS.items() if asked.only in (None, name)}
    for name, result in results.items():
        if name == "as_published":
            print("\nas_published: difference from the published A, R, AR, H")
            for file, apart in result.items():
                print(f"  {file:<48} {' '.join(f'{key} {value:+.4f}' for key, value in apart.items())}")
        else:
            _show(name, result)
    if asked.json:
        asked.json.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
