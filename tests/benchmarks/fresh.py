"""How often the judges are right on fresh answers in the manner of today's models, by task.

```
python tests/benchmarks/fresh.py                       # both halves of tests/fixtures/evaluators/fresh
python tests/benchmarks/fresh.py --half first --show   # what is judged wrongly, too
python tests/benchmarks/fresh.py --json fresh.json
python tests/benchmarks/fresh.py --write    # how right each task is (right.tsv), what reports correct scores by (measured.toml)
```

A half may have no answers: the second has none between two rounds of rules, for what was judged once joins the first.
Each text is judged by `evaluators.verify` and compared with its true outcome. A false accept is a text that is not correct and
is called correct; hops are the entries of rationales that are marked as they should be.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from evaluators.statistics.intervals import rate
from evaluators.verify import judge_text
from evaluators.verify.ruling import Ruling
from fresh_answers import FOLDER, FreshAnswer, Half, fresh_answers

HALVES: tuple[Half, ...] = ("first", "second")
MEASURED = Path(__file__).parents[2] / "evaluators/metrics/measured.toml"
RIGHT = FOLDER / "right.tsv"
HEADING = (
    "# Fresh answers by task: right ones accepted and rejected, wrong ones likewise (tests/benchmarks/fresh.py --write).\n"
)


class Judged(NamedTuple):
    """An answer and the ruling on it."""

    answer: FreshAnswer
    ruling: Ruling

    @property
    def right(self) -> bool:
        """Whether the outcome is the true one."""
        return self.ruling.outcome == self.answer.outcome

    @property
    def accepted_wrongly(self) -> bool:
        """Whether it is called correct and is not."""
        return self.ruling.outcome == "correct" and not self.right


def judged(half: Half) -> list[Judged]:
    """Judge the answers of a half."""
    return [Judged(answer, judge_text(answer.text, answer.question)) for answer in fresh_answers(half)]


def figures(cases: Iterable[Judged]) -> dict[str, Any]:
    """Return how many there are, the share that is right with its interval, false accepts, high confidence and hops."""
    cases = list(cases)
    right = rate(sum(case.right for case in cases), len(cases))
    wrong = [case for case in cases if case.answer.outcome != "correct"]
    sure = [case for case in cases if case.ruling.confidence == "high"]
    hops = [a == b for case in cases for a, b in zip(case.answer.rationale, case.ruling.rationale, strict=False)]
    return {
        "n": len(cases),
        "right": round(right.value, 4),
        "interval": [round(right.low, 4), round(right.high, 4)],
        "false_accepts": round(sum(case.accepted_wrongly for case in wrong) / max(1, len(wrong)), 4),
        "high": round(len(sure) / max(1, len(cases)), 4),
        "right_of_high": round(sum(case.right for case in sure) / max(1, len(sure)), 4),
        "hops": round(sum(hops) / len(hops), 4) if hops else None,
    }


def by_task(cases: list[Judged]) -> dict[str, dict[str, Any]]:
    """Return the figures of each task, of other languages, of each manner and of all."""
    groups: dict[str, list[Judged]] = {}
    for case in cases:
        foreign = case.answer.file == "languages"
        for name in ("other languages",) if foreign else (case.answer.question.task, case.answer.manner):
            groups.setdefault(name, []).append(case)
    return {name: figures(groups[name]) for name in sorted(groups)} | {"all": figures(cases)}


def confusions(cases: list[Judged]) -> dict[str, list[int]]:
    """Count for each task, in English, right answers accepted and rejected, wrong ones accepted and rejected."""
    counts: dict[str, list[int]] = {}
    for case in cases:
        if case.answer.file != "languages" and case.ruling.outcome != "unscored":
            right, accepted = case.answer.outcome == "correct", case.ruling.outcome == "correct"
            counts.setdefault(case.answer.question.task, [0, 0, 0, 0])[2 * (not right) + (not accepted)] += 1
    return dict(sorted(counts.items()))


def stated(results: dict[str, dict[str, dict[str, Any]]]) -> list[str]:
    """Return lines of a half, a task or manner, and the share that is right.

    >>> stated({"first": {"all": {"right": 0.97}}})
    ['first all\\t0.9700']
    """
    return sorted(f"{half} {name}\t{found['right']:.4f}" for half, tasks in results.items() for name, found in tasks.items())


def table(results: dict[str, dict[str, Any]]) -> str:
    """Write figures as a table in Markdown."""
    lines = [
        "| | n | right | 95% interval | false accepts | hops | high confidence | right of these |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, found in results.items():
        low, high = found["interval"]
        hops = "" if found["hops"] is None else f"{found['hops']:.1%}"
        lines.append(
            f"| {name} | {found['n']} | {found['right']:.1%} | {low:.1%}–{high:.1%} | {found['false_accepts']:.1%} | {hops} "
            f"| {found['high']:.0%} | {found['right_of_high']:.1%} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Print the tables; write them as JSON where asked."""
    parser = argparse.ArgumentParser(description="How often the judges are right on fresh answers.")
    parser.add_argument("--half", choices=HALVES, action="append", help="a half (both)")
    parser.add_argument("--show", action="store_true", help="print what is judged wrongly")
    parser.add_argument("--json", type=Path, help="a file to write")
    parser.add_argument("--write", action="store_true", help=f"write {RIGHT.name}, and {MEASURED.name} by the second half")
    asked = parser.parse_args()
    results = {}
    for half in asked.half or HALVES:
        cases = judged(half)
        if not cases:
            print(f"\nThe {half} half has no answers.")
            continue
        results[half] = by_task(cases)
        print(f"\n{half} half\n\n{table(results[half])}")
        for case in cases if asked.show else ():
            if not case.right:
                answer, ruling = case
                print(f"\n{answer.file}:{answer.line} {answer.outcome}, judged {ruling.outcome}: {ruling.reason}")
                print(f"  {answer.question.text} {answer.question.options or answer.question.expected}\n  {answer.text}")
        if asked.write and half == "second":
            lines = "".join(f"{task} = {counts}\n" for task, counts in confusions(cases).items())
            MEASURED.write_text(f"{HEADING}{lines}")
    if asked.write:
        RIGHT.write_text("".join(f"{line}\n" for line in stated(results)))
    if asked.json:
        asked.json.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
