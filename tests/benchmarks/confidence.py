"""Which rulings are of high confidence: how often each decider is right on answers whose truth is known.

```
python tests/benchmarks/confidence.py            # the table
python tests/benchmarks/confidence.py --write    # and the list in evaluators/verify/reading/words/sure.toml
```

A decider is the task, outcome, reason and manner of a ruling (`evaluators.verify.confidence`). It is sure where it is right
at least 99 times in 100 on the first half of the fresh answers; where it was seen there fewer than twenty times, those of
the same task and reason must be, in all manners together. Rules are kinder to answers that they were worked on with: so a
decider must also have been right often enough at first sight, where it was seen then (`fresh/sight.tsv`: what the rules of the
time made of 1,629 answers before anybody worked on them). `fresh.py` says how right the sure ones are on the second half,
which had no part in it.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import fresh
from evaluators.verify.confidence import decider_of
from evaluators.verify.reading.reply import Reply

SURE = Path(__file__).parents[2] / "evaluators/verify/reading/words/sure.toml"
SIGHT = Path(__file__).parents[1] / "fixtures/evaluators/fresh/sight.tsv"
SHARE, SEEN = 0.99, 20
SHARE_AT_SIGHT, SEEN_AT_SIGHT = 0.975, 10
"""What was right so often at first sight, of at least so many, may be sure; what was seen less often counts with its reason."""
HEADING = "# What decides rulings of high confidence: task, outcome, reason and manner (tests/benchmarks/confidence.py).\n"


def marks() -> dict[str, list[bool]]:
    """Return for each decider whether it was right, answer by answer."""
    of_decider: dict[str, list[bool]] = defaultdict(list)
    for case in fresh.judged("first"):
        of_decider[decider_of(Reply.of(case.answer.text), case.answer.question, case.ruling)].append(case.right)
    return of_decider


def at_sight(path: Path = SIGHT) -> dict[str, tuple[int, int]]:
    """Return for each decider, and for each task and reason, how often it was right at first sight, and how often seen."""
    counts: dict[str, tuple[int, int]] = {}
    for line in path.read_text("utf-8").splitlines():
        decider, right, seen = line.split("\t")
        for name in (decider, decider.rpartition(".")[0]):
            before = counts.get(name, (0, 0))
            counts[name] = before[0] + int(right), before[1] + int(seen)
    return counts


def _held(decider: str, sight: dict[str, tuple[int, int]]) -> bool:
    """Tell whether a decider was right often enough at first sight, itself or, where it was hardly seen, with its reason."""
    right, seen = sight.get(decider, (0, 0))
    if seen < SEEN_AT_SIGHT:
        right, seen = sight.get(decider.rpartition(".")[0], (0, 0))
    return right >= SHARE_AT_SIGHT * seen


def sure(of_decider: dict[str, list[bool]], sight: dict[str, tuple[int, int]] | None = None) -> list[str]:
    """Return the deciders that are right often enough, also at first sight.

    >>> sure({"open.correct.exact.brief": [True] * 30, "open.incorrect.wrong.plain": [True] * 19 + [False]})
    ['open.correct.exact.brief']
    >>> sure({"open.correct.alias.brief": [True] * 12, "open.correct.alias.plain": [True] * 9})
    ['open.correct.alias.brief', 'open.correct.alias.plain']
    >>> sure({"open.correct.exact.brief": [True] * 30}, {"open.correct.exact.brief": (25, 28)})
    []
    """
    together: dict[str, list[bool]] = defaultdict(list)
    for decider, right in of_decider.items():
        together[decider.rpartition(".")[0]] += right
    chosen = []
    for decider, right in sorted(of_decider.items()):
        seen = right if len(right) >= SEEN else together[decider.rpartition(".")[0]]
        if not _held(decider, sight or {}):
            continue
        if len(seen) >= SEEN and sum(seen) >= SHARE * len(seen) and sum(right) >= SHARE * len(right):
            chosen.append(decider)
    return chosen


def main() -> None:
    """Print the deciders, the sure ones with a star; write the list where asked."""
    parser = argparse.ArgumentParser(description="Which rulings are of high confidence.")
    parser.add_argument("--write", action="store_true", help=f"write {SURE.name}")
    asked = parser.parse_args()
    of_decider = marks()
    chosen = sure(of_decider, at_sight())
    for decider, right in sorted(of_decider.items()):
        print(f"{'*' if decider in chosen else ' '} {decider:<44} {len(right):>4} {sum(right) / len(right):.3f}")
    if asked.write:
        listed = "".join(f'    "{decider}",\n' for decider in chosen)
        SURE.write_text(f"{HEADING}sure = [\n{listed}]\n")


if __name__ == "__main__":
    main()
