"""How often a verdict changes when an answer is edited in a way that means nothing.

```
python tests/benchmarks/metamorphic.py                             # 500 answers a task, all edits of idle_edits.py
python tests/benchmarks/metamorphic.py --json metamorphic.json
python tests/benchmarks/metamorphic.py --edit JSON --task open --show 5   # the answers whose outcome one edit changes
```

The answers are real ones from the data that lies beside a checkout (as for `agreement.py`), drawn by hash: yes-no answers with
explanations and choices of ERBench, short answers of EVOUNA, answers to premises of FalseQA. No label is read but by the
question: what counts is whether the judge says the same of both texts. Explanations are counted hop by hop, apart.
The goals: at most 1% of all outcomes change, and at most 3% for any edit and task.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from agreement import SHARED, Row, erbench_question, rows_of
from evaluators.statistics import rate
from evaluators.verify import judge_text
from evaluators.verify.question import Question
from evaluators.verify.ruling import Ruling
from idle_edits import EDITS, Answer

TASKS = ("yes_no", "choice", "open", "premise")
ALL, HOPS = "all", "hops"
GOAL_ALL, GOAL_EACH = 0.01, 0.03


class Case(NamedTuple):
    """An answer before and after an edit, with both rulings."""

    edit: str
    answer: Answer
    edited: str
    before: Ruling
    after: Ruling

    @property
    def changed(self) -> bool:
        """Tell whether the outcome is another one."""
        return self.before.outcome != self.after.outcome

    @property
    def changed_hops(self) -> int:
        """Count the hops that are judged otherwise."""
        return sum(a != b for a, b in zip(self.before.rationale, self.after.rationale, strict=True))


def drawn(answers: Iterable[Answer], n: int) -> list[Answer]:
    """Draw answers by the hash of their keys, whatever their order.

    >>> few = [Answer(key, "Yes.", Question("Is it?")) for key in "abcd"]
    >>> drawn(few, 2) == drawn(few[::-1], 2), len(drawn(few, 9))
    (True, 4)
    """
    return sorted(answers, key=lambda answer: hashlib.blake2b(answer.key.encode()).digest())[:n]


def erbench_answers(*folders: str) -> Iterator[Answer]:
    """Read ERBench's recorded answers."""
    for folder in folders:
        for path in sorted((SHARED / "erbench/responses" / folder).glob("*.gz")):
            for row in rows_of(f"erbench/responses/{folder}/{path.name}"):
                if row["response"] and row["response"].strip() and not row["response_error"]:
                    yield Answer(row["id"], row["response"], erbench_question(row))


def short_answers() -> Iterator[Answer]:
    """Read EVOUNA's short answers; the rival of each is what another question accepts."""
    rows = rows_of("judging/evouna_dev.jsonl.gz")
    for n, row in enumerate(rows):
        if row["response"].strip():
            question = Question(row["question"], "open", tuple(row["gold"]))
            yield Answer(row["id"], row["response"], question, rival=rows[n * 31 % len(rows) - 1]["gold"][0])


def premise_answers() -> Iterator[Answer]:
    """Read FalseQA's answers."""
    for row in rows_of("judging/falseqa_dev.jsonl.gz"):
        if row["answer"].strip():
            yield Answer(f"{row['id']} {row['label']}", row["answer"], Question(row["question"], "premise", ("reject",)))


SETS: dict[str, Callable[[], Iterator[Answer]]] = {
    "yes_no": lambda: erbench_answers("zero_shot", "cot"),
    "choice": lambda: erbench_answers("mc"),
    "open": short_answers,
    "premise": premise_answers,
}


def compared(answers: Iterable[Answer], edits: Iterable[str] = tuple(EDITS)) -> Iterator[Case]:
    """Judge each answer, and again after each edit that can be applied to it.

    >>> [case.changed for case in compared([Answer("a", "Yes.", Question("Is it?", expected=("yes",)))], ["blanks around"])]
    [False]
    """
    names = list(edits)
    for found in answers:
        before = judge_text(found.text, found.question)
        answer = found._replace(understood=before.answer, right=before.outcome == "correct")
        for name in names:
            edited = EDITS[name](answer)
            if edited is not None:
                yield Case(name, answer, edited, before, judge_text(edited, answer.question))


def shares(cases: Iterable[Case]) -> dict[str, dict[str, Row]]:
    """Count by edit and task, and in all: how many outcomes were compared, how many changed, the share with its interval."""
    counts: dict[tuple[str, str], list[int]] = {}

    def count(edit: str, column: str, hits: int, n: int) -> None:
        cell = counts.setdefault((edit, column), [0, 0])
        cell[0] += hits
        cell[1] += n

    for case in cases:
        for edit in (case.edit, ALL):
            count(edit, case.answer.question.task, case.changed, 1)
            count(edit, ALL, case.changed, 1)
            if case.before.rationale:
                count(edit, HOPS, case.changed_hops, len(case.before.rationale))
    result: dict[str, dict[str, Row]] = {}
    for (edit, column), (hits, n) in counts.items():
        found = rate(hits, n)
        result.setdefault(edit, {})[column] = {
            "n": n, "changed": hits, "share": round(found.value, 5), "low": round(found.low, 5), "high": round(found.high, 5),
        }  # fmt: skip
    return result


def missed(found: dict[str, dict[str, Row]]) -> list[str]:
    """Name the pairs of edit and task that miss the goal for each.

    >>> missed({"JSON": {"open": {"share": 0.2}, "choice": {"share": 0.03}, "all": {"share": 0.1}}})
    ['JSON, open']
    """
    return [
        f"{edit}, {task}"
        for edit, cells in found.items()
        for task, cell in cells.items()
        if edit != ALL and task in TASKS and cell["share"] > GOAL_EACH
    ]


def table(found: dict[str, dict[str, Row]]) -> str:
    """Write the shares in percent with their intervals, all edits together last.

    >>> print(table({"all": {"open": {"n": 10, "changed": 1, "share": 0.1, "low": 0.018, "high": 0.404}}}))
    | edit | yes_no | choice | open | premise | all | hops | changed of |
    |---|---|---|---|---|---|---|---|
    | all |  |  | 10.0 (1.8–40.4) |  |  |  |  |
    """
    columns = (*TASKS, ALL, HOPS)
    rows = [f"| {' | '.join(('edit', *columns, 'changed of'))} |", "|" + "---|" * (len(columns) + 2)]
    for edit in (*(name for name in EDITS if name in found), *([ALL] if ALL in found else [])):
        cells = [_cell(found[edit].get(column)) for column in columns]
        whole = found[edit].get(ALL)
        rows.append(f"| {' | '.join((edit, *cells, '{changed}/{n}'.format(**whole) if whole else ''))} |")
    return "\n".join(rows)


def _cell(cell: Row | None) -> str:
    return f"{100 * cell['share']:.1f} ({100 * cell['low']:.1f}–{100 * cell['high']:.1f})" if cell else ""


def shown(case: Case) -> str:
    """Write a case in full: question, what is accepted, both texts with their outcomes."""
    question = case.answer.question
    said = [f"{ruling.outcome} {ruling.reason} {ruling.answer!r}" for ruling in (case.before, case.after)]
    return (
        f"--- {case.edit}, {question.task}, {case.answer.key}: {said[0]} -> {said[1]}\n"
        f"Q: {question.text}\naccepted: {question.expected}\n{case.answer.text!r}\n{case.edited!r}"
    )


def show(cases: Iterable[Case], n: int) -> Iterator[Case]:
    """Pass cases on, and print up to `n` of each edit and task whose outcome changes."""
    printed: dict[tuple[str, str], int] = {}
    for case in cases:
        key = case.edit, case.answer.question.task
        if case.changed and printed.get(key, 0) < n:
            printed[key] = printed.get(key, 0) + 1
            print(shown(case))
        yield case


def main() -> None:
    """Print the table; write it as JSON where asked."""
    parser = argparse.ArgumentParser(description="How often a verdict changes when an edit means nothing.")
    parser.add_argument("--json", type=Path, help="a file to write")
    parser.add_argument("--n", type=int, default=500, help="answers a task")
    parser.add_argument("--show", type=int, default=0, help="print so many changed cases of each edit and task")
    parser.add_argument("--edit", choices=EDITS, action="append", help="one edit; may be repeated")
    parser.add_argument("--task", choices=TASKS, action="append", help="one task; may be repeated")
    asked = parser.parse_args()
    if not SHARED.exists():
        sys.exit(f"error: {SHARED} is not there; set KGPROBE_SHARED to the folder that holds data/")
    answers = [answer for task in asked.task or TASKS for answer in drawn(SETS[task](), asked.n)]
    found = shares(show(compared(answers, asked.edit or tuple(EDITS)), asked.show))
    print(f"{len(answers)} answers. Outcomes that change, in percent, with 95% intervals; hops: those of explanations.\n")
    print(table(found))
    over = missed(found)
    whole = found[ALL][ALL]["share"] if found else 0.0
    print(f"\nIn all {whole:.2%} (goal: at most {GOAL_ALL:.0%}). Over {GOAL_EACH:.0%}: {len(over)} of edits and tasks.")
    if asked.json:
        result = {"answers": len(answers), "shares": found, "over": over}
        asked.json.write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
