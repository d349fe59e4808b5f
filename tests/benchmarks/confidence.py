"""Which rulings are of high confidence: how often each decider is right on answers whose truth is known.

```
python tests/benchmarks/confidence.py            # the table
python tests/benchmarks/confidence.py --write    # and the list in evaluators/verify/reading/words/sure.toml
```

A decider is the task, outcome, reason and manner of a ruling (`evaluators.verify.confidence`). It is sure where it is right
at least 99 times in 100 on the first half of the fresh answers; where it was seen there fewer than twenty times, those of
the same task and reason must be, in all manners together. `fresh.py` says how right the sure ones are on the second half, which
had no part in it.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import fresh
from evaluators.verify.confidence import decider_of
from evaluators.verify.reading.reply import Reply

SURE = Path(__file__).parents[2] / "evaluators/verify/reading/words/sure.toml"
SHARE, SEEN = 0.99, 20
HEADING = "# What decides rulings of high confidence: task, outcome, reason and manner (tests/benchmarks/confidence.py).\n"


def marks() -> dict[str, list[bool]]:
    """Return for each decider whether it was right, answer by answer."""
    of_decider: dict[str, list[bool]] = defaultdict(list)
    for case in fresh.judged("first"):
        of_decider[decider_of(Reply.of(case.answer.text), case.answer.question, case.ruling)].append(case.right)
    return of_decider


def sure(of_decider: dict[str, list[bool]]) -> list[str]:
    """Return the deciders that are right often enough.

    >>> sure({"open.correct.exact.brief": [True] * 30, "open.incorrect.wrong.plain": [True] * 19 + [False]})
    ['open.correct.exact.brief']
    >>> sure({"open.correct.alias.brief": [True] * 12, "open.correct.alias.plain": [True] * 9})
    ['open.correct.alias.brief', 'open.correct.alias.plain']
    """
    together: dict[str, list[bool]] = defaultdict(list)
    for decider, right in of_decider.items():
        together[decider.rpartition(".")[0]] += right
    chosen = []
    for decider, right in sorted(of_decider.items()):
        seen = right if len(right) >= SEEN else together[decider.rpartition(".")[0]]
        if len(seen) >= SEEN and sum(seen) >= SHARE * len(seen) and sum(right) >= SHARE * len(right):
            chosen.append(decider)
    return chosen


def main() -> None:
    """Print the deciders, the sure ones with a star; write the list where asked."""
    parser = argparse.ArgumentParser(description="Which rulings are of high confidence.")
    parser.add_argument("--write", action="store_true", help=f"write {SURE.name}")
    asked = parser.parse_args()
    of_decider = marks()
    chosen = sure(of_decider)
    for decider, right in sorted(of_decider.items()):
        print(f"{'*' if decider in chosen else ' '} {decider:<44} {len(right):>4} {sum(right) / len(right):.3f}")
    if asked.write:
        listed = "".join(f'    "{decider}",\n' for decider in chosen)
        SURE.write_text(f"{HEADING}sure = [\n{listed}]\n")


if __name__ == "__main__":
    main()
