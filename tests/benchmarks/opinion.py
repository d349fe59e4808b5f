"""Fit the second opinion (`evaluators.verify.opinion`), and measure it on answers of writers who were left out.

```
python tests/benchmarks/opinion.py            # what it gains, each set of answers left out in turn
python tests/benchmarks/opinion.py --write    # fit it to all, and write its numbers
python tests/benchmarks/opinion.py --words    # the words that stand for themselves (words.toml)
```

The answers are the fresh ones (`tests/fixtures/evaluators/fresh`): thirty-nine sets by as many writers. What the rules of today
make of answers that they were worked on with is better than what they make of new ones, so each answer comes with its ruling at
first sight, by the rules as they were before anybody worked on its set (`sight.tsv`: half, file, line, set, outcome, reason,
option picked, deciding characters). Of the first set, beside which the rules were begun, there is no such ruling: it teaches
the regressions, not the trees. Choices are held against each of their wrong options, too, as if that were the right one, so
that an option is picked by what the text says of it. Short answers of five systems that people judged (EVOUNA, Apache-2.0;
beside a checkout, none of its text is kept) keep the second opinion from doubting what real systems plainly say.

Each set is left out in turn: the regressions and trees it is judged by have seen no answer of it, nor have the limits from
which on an outcome is sure. The trees learn from shares by regressions that have not seen the set of the answer either.
"""

from __future__ import annotations

import argparse
import functools
import io
import lzma
import math
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from agreement import SHARED, rows_of
from evaluators.verify import RULES, opinion
from evaluators.verify.judges import RULE_OF, worded
from evaluators.verify.opinion import KINDS, measures_of, overruled
from evaluators.verify.opinion.levels import levels_of
from evaluators.verify.opinion.signs import POLAR, SIDES, TABLE, TASKS, Signs, side_of, signs_of
from evaluators.verify.opinion.tokens import SHORT_WORD, TOKEN, folded
from evaluators.verify.question import Question
from evaluators.verify.reading.languages import foreign_language
from evaluators.verify.reading.reply import Reply
from evaluators.verify.ruling import Ruling
from fresh_answers import fresh_answers
from queries.records.verdict import OUTCOMES, Outcome

SIGHT = Path(__file__).parents[1] / "fixtures/evaluators/fresh/sight.tsv"
NUMBERS = Path(opinion.__file__).with_name("numbers.npz.xz")
UNSEEN = tuple(map(str, range(2, 40)))
"""Sets of which there are rulings at first sight."""
SYSTEMS = ("E1", "E2")
Floats = NDArray[np.float64]


class Case(NamedTuple):
    """An answer with its set, its true outcome and its ruling; `weight` is 0 where the trees do not learn from it."""

    set: str
    question: Question
    outcome: Outcome
    ruled: Outcome
    signs: Signs
    manner: str
    look: Callable[[], list[float]] | None
    weight: float = 1.0

    @property
    def kind(self) -> str:
        """The kind of its task."""
        return KINDS[self.question.task]

    @property
    def side(self) -> int:
        """The number of the side that the text truly takes."""
        return SIDES[self.question.task in POLAR].index(side_of(self.outcome, self.question))


def cases() -> list[Case]:
    """Return all answers with their signs: the fresh ones, choices held against their other options, and those of EVOUNA."""
    return [*_fresh(), *_evouna()]


def _fresh() -> Iterator[Case]:
    answers = [("first", answer) for answer in fresh_answers("first")]  # the second is judged, and nothing is fitted to it
    for (half, answer), line in zip(answers, SIGHT.read_text("utf-8").splitlines(), strict=True):
        where, file, number, name, outcome, reason, picked, start, end = line.split("\t")
        assert (where, file, int(number)) == (half, answer.file, answer.line), line
        spans = ((int(start), int(end)),) if start else ()
        ruling = Ruling(outcome, reason, picked or None, spans)  # type: ignore[arg-type]
        weight = float(name in UNSEEN)
        yield _case(name, answer.question, answer.text, answer.outcome, ruling, answer.manner, weight)
        if answer.question.task == "choice" and answer.question.expected and answer.outcome != "incorrect":
            yield from _beside_others(name, answer.question, answer.text, answer.outcome, ruling)


def _beside_others(name: str, question: Question, text: str, outcome: str, ruling: Ruling) -> Iterator[Case]:
    """Hold a choice against each other option: one that was right is then wrong; not knowing stays what it is."""
    for place in range(1, len(question.options) + 1):
        if (str(place),) == question.expected:
            continue
        other = question._replace(expected=(str(place),), rationale=())
        if ruling.answer is not None:
            held = ruling._replace(outcome="correct", reason="exact") if ruling.answer == str(place) else None
            ruled = held or ruling._replace(outcome="incorrect", reason="wrong")
        else:
            ruled = ruling
        yield _case(name, other, text, "incorrect" if outcome == "correct" else outcome, ruled, "", 0.0)


EVERY = 3
"""One in so many answers of EVOUNA is looked at."""
SHARE = 0.3
"""So much counts one of them."""


def _evouna() -> Iterator[Case]:
    for number, row in enumerate(rows_of("judging/evouna_dev.jsonl.gz") if SHARED.exists() else ()):
        if number % EVERY == 0:
            question = Question(row["question"], "open", tuple(row["gold"]))
            name = SYSTEMS[row["model"] in ("fid", "gpt35", "gpt4")]
            yield _case(name, question, row["response"], "correct" if row["correct"] else "incorrect", None, "", SHARE)


def _case(name: str, question: Question, text: str, outcome: Any, ruling: Ruling | None, manner: str, weight: float) -> Case:
    reply = Reply.of(text).behind(question.text)
    ruling = ruling or RULES[question.task](text, question)
    words, weighed = worded(reply, question, ruling._replace(spans=tuple(reply.here(ruling.spans[:1]))))
    foreign = foreign_language(reply.text, question.text) is not None
    signs = signs_of(words, question, weighed, foreign=foreign)
    look = None if foreign else functools.partial(levels_of, words.text, question, RULE_OF[question.task])
    return Case(name, question, outcome, ruling.outcome, signs, manner, look, weight)


ITEMS, WRITERS = 6, 3
"""A word stands for itself that answers to so many questions have, by so many writers."""


def words() -> list[str]:
    """Return the words and signs of many answers in English, but for numbers and words of the question and its answers."""
    items, writers = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for answer, line in zip(fresh_answers("first"), SIGHT.read_text("utf-8").splitlines(), strict=True):
        question = answer.question
        told = " ".join([question.text, *question.options, *(question.expected or ())])
        asked = {folded(word) for word in SHORT_WORD.findall(told)}
        text = Reply.of(answer.text).text if answer.file != "languages" else ""
        for sign in TOKEN.findall(text):
            if not sign[0].isdigit() and (word := folded(sign)) not in asked:
                items[word].add(question.text)
                writers[word].add(line.split("\t")[3])
    return sorted(word for word in items if len(items[word]) >= ITEMS and len(writers[word]) >= WRITERS)


STRENGTH = {"text": 0.3, "ruled": 0.2}
"""How strongly the weights of marks may differ from 0 (the inverse of scikit-learn's penalty)."""


class Fitted(NamedTuple):
    """A regression over marks."""

    weights: Floats
    bias: Floats

    def shares(self, rows: sparse.csr_matrix) -> Floats:
        """Return how likely each side is."""
        scores = rows @ self.weights + self.bias
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def matrix(of: Sequence[Case], *, ruled: bool) -> sparse.csr_matrix:
    """Return the marks of cases as rows; those of what was ruled stand behind the others."""
    rows = [np.concatenate([c.signs.marks, c.signs.ruled + np.uint32(TABLE)]) if ruled else c.signs.marks for c in of]
    ends = np.cumsum([0, *map(len, rows)])
    return sparse.csr_matrix((np.ones(ends[-1]), np.concatenate(rows).astype(np.int64), ends), (len(rows), TABLE * (1 + ruled)))


def regression(rows: sparse.csr_matrix, sides: NDArray[np.int64], weight: Floats, strength: float, least: float) -> Fitted:
    """Fit a regression: one weight for each mark and side."""
    model = LogisticRegression(C=strength, max_iter=200, tol=1e-3).fit(rows, sides, sample_weight=weight)
    weights, bias = np.zeros((rows.shape[1], 4)), np.full(4, -20.0)
    weights[:, model.classes_], bias[model.classes_] = model.coef_.T, model.intercept_
    levels, scale = coarse(weights, least)
    return Fitted(levels * scale, bias)


LEVELS, LEAST = 7, {"text": 1.1, "ruled": 0.85}
"""Weights are told apart by so many levels to either side, and are nothing where they are less than so much of one: what is
measured is what is stored. With .7 of a level for both the numbers take a third more room and judge new answers no better
(of 600 89.5% right for 89.5, 6.0% false accepts for 6.3, 19% sure for 21; each set left out in turn 87.1% right for 86.6, of
EVOUNA 92.6 for 92.9). Fifteen levels take twice that room."""


def coarse(weights: Floats, least: float) -> tuple[Floats, float]:
    """Return weights as whole numbers, and what one of these is worth.

    >>> coarse(np.array([[1.5, -0.05, 0.31]]), 0.7)[0].tolist()
    [[7.0, 0.0, 1.0]]
    """
    scale = float(np.abs(weights).max()) / LEVELS or 1.0
    return np.where(np.abs(weights) < least * scale, 0.0, np.round(weights / scale)), scale


class Shares:
    """The shares of sides for all cases of a kind, by regressions that have not seen the sets that are left out."""

    def __init__(self, of: Sequence[Case]) -> None:
        self.of = of
        self.sets = np.array([case.set for case in of])
        self.sides = np.array([case.side for case in of])
        self.weight = np.array([SHARE if case.set in SYSTEMS else 1.0 for case in of])
        self._known: dict[tuple[str, str], Any] = {}
        self.rows = {name: matrix(of, ruled=name == "ruled") for name in STRENGTH}

    def fitted(self, name: str, without: str | None = None) -> Fitted:
        """Return a regression over all sets but one."""
        used = self.sets != without
        return regression(self.rows[name][used], self.sides[used], self.weight[used], STRENGTH[name], LEAST[name])

    def measures(self, case: int) -> Any:
        """Return what the trees look at, of a case whose own set is left out of the regressions."""
        of = self.of[case]
        text, both = (self._shares(name, of.set)[case] for name in STRENGTH)
        return measures_of(of.signs, of.question, (text, both), of.ruled, of.look)

    def _shares(self, name: str, without: str) -> Any:
        key = name, without
        if key not in self._known:
            self._known[key] = self.fitted(name, without).shares(self.rows[name]).astype(np.float32)
        return self._known[key]


MIX = {"ordinary": 0.6, "hard": 0.25, "adversarial": 0.15}
"""So many of the answers of models are of each manner. Some writers were asked for hard ones alone: the trees, and the limits
from which on an outcome is sure, count each answer as if the manners stood like this."""


def as_mixed(manners: Sequence[str]) -> Floats:
    """Return how much each answer counts, for its manner; those of systems have none, and count as they are.

    >>> as_mixed(["ordinary", "hard", "adversarial", "hard", ""]).round(3).tolist()
    [2.4, 0.5, 0.6, 0.5, 1.0]
    """
    known = [manner for manner in manners if manner in MIX]
    counted = {manner: MIX[manner] * len(known) / known.count(manner) for manner in set(known)}
    return np.array([counted.get(manner, 1.0) for manner in manners])


TREES: dict[str, Any] = {
    "n_estimators": 100, "max_depth": 3, "learning_rate": 0.1, "subsample": 0.6, "max_features": 0.4, "min_samples_leaf": 15,
    "random_state": 0,
}  # fmt: skip


def grown(measures: Floats, outcomes: NDArray[np.int64], weight: Floats) -> GradientBoostingClassifier:
    """Grow trees that tell which outcome is true; what their leaves hold is rounded as it is stored."""
    model = GradientBoostingClassifier(**TREES).fit(measures, outcomes, sample_weight=weight)
    for tree in model.estimators_.flat:
        leaves = tree.tree_.value
        leaves[:] = np.round(leaves * model.learning_rate * STEPS) / STEPS / model.learning_rate
    return model


STEPS = 128
"""So many steps to one are told apart in leaves: in float16 as they are they take twice the room."""


class Opinion(NamedTuple):
    """A case and how likely each outcome is, by what had not seen its set."""

    case: Case
    shares: Floats


class Table(NamedTuple):
    """The cases that the trees learn from, and the shares of sides that all have; `kinds` holds all cases by kind."""

    kinds: dict[str, Shares]
    cases: list[Case]
    measures: Floats
    outcomes: NDArray[np.int64]
    weight: Floats

    @staticmethod
    def of(of: Sequence[Case]) -> Table:
        """Measure all cases that count, each by regressions that have not seen its set."""
        kinds = {kind: Shares([case for case in of if case.kind == kind]) for kind in dict.fromkeys(KINDS.values())}
        places = [(shares, n) for shares in kinds.values() for n, case in enumerate(shares.of) if case.weight]
        found = [shares.of[n] for shares, n in places]
        weight = np.array([case.weight for case in found]) * as_mixed([case.manner for case in found])
        measures = np.array([shares.measures(n) for shares, n in places])
        return Table(kinds, found, measures, np.array([OUTCOMES.index(case.outcome) for case in found]), weight)

    def grown(self, used: NDArray[np.bool_]) -> GradientBoostingClassifier:
        """Grow trees over some of the cases."""
        return grown(self.measures[used], self.outcomes[used], self.weight[used])


def left_out(table: Table) -> list[Opinion]:
    """Return an opinion on each answer by what was fitted without its set."""
    opinions = []
    sets = np.array([case.set for case in table.cases])
    for name in dict.fromkeys(sets.tolist()):
        model, asked = table.grown(sets != name), np.flatnonzero(sets == name)
        shares = np.zeros((len(asked), len(OUTCOMES)))
        shares[:, model.classes_] = model.predict_proba(table.measures[asked])
        opinions += [Opinion(table.cases[n], row) for n, row in zip(asked, shares, strict=True)]
    return opinions


PRECISION, LOWEST = 0.993, 0.96
"""So often at least an outcome must be right that is sure, and so often by the lower end of the interval (Wilson 1927, 95%).
A limit is picked where it just holds, so on other answers a little less is right: 99.05% where 99.3 are asked for."""
_Z = 1.96
FEWEST = 50


def stands(weighed: Opinion) -> Outcome:
    """Return the outcome that stands of a case."""
    return overruled(weighed.case.kind, weighed.case.ruled, dict(zip(OUTCOMES, weighed.shares.tolist(), strict=True)))


def share_of(weighed: Opinion, outcome: Outcome) -> float:
    """Return how likely an outcome is."""
    return float(weighed.shares[OUTCOMES.index(outcome)])


def is_right(case: Case, outcome: str) -> bool:
    """Tell whether an outcome is the true one; people told of EVOUNA's answers only whether they are correct."""
    if case.set in SYSTEMS:
        return (outcome == "correct") == (case.outcome == "correct")
    return outcome == case.outcome


def limits_of(opinions: Sequence[Opinion]) -> dict[str, float]:
    """Return for each task from which share on an outcome is right often enough, on fresh answers.

    There are two limits: one for yes-no questions and probes, one for all others. A task alone has too few answers: limits
    of each were 98.2% right on sets that they were not picked on, where 99 were asked for.
    """
    found: dict[bool, list[tuple[float, bool, float]]] = {True: [], False: []}
    fresh = [weighed for weighed in opinions if weighed.case.set not in SYSTEMS]
    for weighed, weight in zip(fresh, as_mixed([weighed.case.manner for weighed in fresh]).tolist(), strict=True):
        outcome = stands(weighed)
        found[weighed.case.kind == "polar"].append((share_of(weighed, outcome), is_right(weighed.case, outcome), weight))
    limits = {polar: _limit(sorted(shares, reverse=True)) for polar, shares in found.items()}
    return {task: limits[KINDS[task] == "polar"] for task in TASKS}


def limits_beside(opinions: Sequence[Opinion]) -> dict[str, dict[str, float]]:
    """Return for each set the limits that are picked on all others."""
    sets = dict.fromkeys(o.case.set for o in opinions)
    return {name: limits_of([o for o in opinions if o.case.set != name]) for name in sets}


def _limit(of: list[tuple[float, bool, float]]) -> float:
    """Return the lowest share such that what is at least as likely is right often enough, each answer counted by its weight.

    >>> _limit([(0.99, True, 1.0)] * 100 + [(0.9, False, 1.0)])
    0.99
    """
    right, total, best = 0.0, 0.0, 1.0
    for n, (share, is_so, weight) in enumerate(of, 1):
        right, total = right + is_so * weight, total + weight
        if n >= FEWEST and right >= PRECISION * total and _lower(right, total) >= LOWEST:
            best = share
    return best


def _lower(right: float, n: float) -> float:
    """Return the lower end of the interval of a share (Wilson 1927).

    >>> round(_lower(50, 50), 3), round(_lower(1990, 2000), 3)
    (0.929, 0.991)
    """
    share, z = right / n, _Z * _Z / n
    return (share + z / 2 - _Z * math.sqrt((share * (1 - share) + z / 4) / n)) / (1 + z)


MANNERS = ("ordinary", "hard", "adversarial")
HEADING = (
    "| left out | n | rules alone | with the second opinion | accepted wrongly, rules alone | with it | high confidence "
    "| right of these |\n|---|---|---|---|---|---|---|---|"
)


def report(opinions: Sequence[Opinion]) -> None:
    """Print how often the rules and what stands are right, how often what is not correct is accepted, and what is sure."""
    limits = limits_beside(opinions)
    groups: dict[str, list[Opinion]] = defaultdict(list)
    for weighed in opinions:
        case = weighed.case
        names = ("EVOUNA",) if case.set in SYSTEMS else ("all", case.question.task, f"set {case.set}", case.manner)
        for name in names:
            groups[name].append(weighed)
    print(HEADING)
    for name in (*TASKS, *MANNERS, *(f"set {number}" for number in UNSEEN), "EVOUNA", "all"):
        of = groups.get(name, [])
        if not of:
            continue  # EVOUNA lies beside a checkout only
        wrong = [o for o in of if o.case.outcome != "correct"]
        sure = [o for o in of if share_of(o, stands(o)) >= limits[o.case.set][o.case.question.task]]
        shares = (
            sum(is_right(o.case, o.case.ruled) for o in of) / len(of), sum(is_right(o.case, stands(o)) for o in of) / len(of),
            sum(o.case.ruled == "correct" for o in wrong) / len(wrong), sum(stands(o) == "correct" for o in wrong) / len(wrong),
            len(sure) / len(of), sum(is_right(o.case, stands(o)) for o in sure) / max(1, len(sure)),
        )  # fmt: skip
        print(f"| {name} | {len(of)} | {' | '.join(f'{100 * share:.1f}' for share in shares)} |")


def numbers(table: Table, sure: Mapping[str, float]) -> dict[str, Any]:
    """Fit everything to all cases."""
    stored: dict[str, Any] = {"sure": np.array([sure[task] for task in TASKS], np.float32)}
    for name in STRENGTH:
        fitted = [table.kinds[kind].fitted(name) for kind in dict.fromkeys(KINDS.values())]
        levels = [coarse(each.weights, 0.5) for each in fitted]  # they are whole levels already
        stored[f"{name}_weights"] = np.array([level for level, _ in levels], np.int8)
        stored[f"{name}_scale"] = np.array([scale for _, scale in levels], np.float32)
        stored[f"{name}_bias"] = np.array([each.bias for each in fitted], np.float32)
    return stored | _trees(table.grown(np.ones(len(table.cases), bool)))


def _trees(model: GradientBoostingClassifier) -> dict[str, Any]:
    """Write trees as arrays, all of the same depth: one that asks less asks questions that nothing passes."""
    trees = [(column, tree.tree_) for row in model.estimators_ for column, tree in enumerate(row)]
    questions = 2**model.max_depth - 1
    measure, limit = np.zeros((len(trees), questions), np.int16), np.full((len(trees), questions), np.inf, np.float32)
    leaves = np.zeros((len(trees), questions + 1), np.float32)
    for number, (_, tree) in enumerate(trees):
        standing = {0: 0}  # the node of the tree that stands at each place of the arrays
        for place in range(questions):
            node = standing[place]
            below = node, node
            if tree.children_left[node] >= 0:
                measure[number, place], limit[number, place] = tree.feature[node], tree.threshold[node]
                below = tree.children_left[node], tree.children_right[node]
            standing[2 * place + 1], standing[2 * place + 2] = below
        ends = [standing[questions + leaf] for leaf in range(questions + 1)]
        leaves[number] = model.learning_rate * tree.value[ends, 0, 0]
    prior = np.log(np.maximum(model.init_.class_prior_, 1e-9))
    return {
        "trees_base": prior.astype(np.float32),
        "trees_outcome": np.array([model.classes_[column] for column, _ in trees], np.int8),
        "trees_measure": measure, "trees_limit": limit.astype(np.float16), "trees_leaves": leaves.astype(np.float16),
    }  # fmt: skip


def store(arrays: Mapping[str, Any], path: Path = NUMBERS) -> None:
    """Write arrays as numpy reads them, packed as one: a tenth less than each by itself."""
    with io.BytesIO() as whole:
        with zipfile.ZipFile(whole, "w") as file:
            for name, array in arrays.items():
                written = io.BytesIO()
                np.lib.format.write_array(written, np.asanyarray(array))
                file.writestr(zipfile.ZipInfo(f"{name}.npy"), written.getvalue())  # of no date: the same bytes again
        path.write_bytes(lzma.compress(whole.getvalue(), check=lzma.CHECK_CRC32, filters=_PACKING))


_PACKING = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0}]


def main() -> None:
    """Print what is gained; write the numbers where asked."""
    parser = argparse.ArgumentParser(description="Fit the second opinion, and measure it on writers who were left out.")
    parser.add_argument("--write", action="store_true", help=f"fit it to all answers, and write {NUMBERS.name}")
    parser.add_argument("--words", action="store_true", help="print the words that many answers have, and stop")
    asked = parser.parse_args()
    if asked.words:
        print("\n".join(words()))
        return
    table = Table.of(cases())
    opinions = left_out(table)
    if asked.write:
        store(numbers(table, limits_of(opinions)))
    report(opinions)


if __name__ == "__main__":
    main()
