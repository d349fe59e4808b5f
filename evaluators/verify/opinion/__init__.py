"""A second opinion on what the rules ruled: learned from answers of several writers, it may overrule, and says how sure it is.

Rules that were mended beside one writer's answers hardly help on another's. What holds for all is how often a ruling of a kind
is right on an answer with such signs: that can be counted, and is. The opinion looks at the text (`tokens`,
`signs`) and at the ruling, and asks no model; the same text gets the same verdict. What the rules find at once needs none.

Two steps. A logistic regression over the marks, one for each kind of task, with and without what was ruled, says which side a
text takes. Where that makes the ruling doubtful, a closer look tells more (`levels`). Boosted trees over the shares, the
measures and the levels say which outcome is true. Both are sums of numbers in
`numbers.npz.xz`, which `tests/benchmarks/opinion.py` writes; its docstring names the answers that they were fitted to.

```
python tests/benchmarks/opinion.py        # what it gains, each set of answers left out in turn
```
"""

from __future__ import annotations

import functools
import io
import lzma
import re
from collections.abc import Callable, Iterator
from importlib import resources
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluators.verify.opinion.levels import UNTOLD, Rule, levels_of
from evaluators.verify.opinion.signs import AFFIRMING, POLAR, SIDES, TABLE, TASKS, TELLING, Signs, side_of, signs_of
from evaluators.verify.opinion.tokens import names_right, right_option
from evaluators.verify.question import Question
from evaluators.verify.reading.reply import Reply
from evaluators.verify.reading.text import phrase
from evaluators.verify.reading.words import verb_stems
from evaluators.verify.ruling import Ruling
from queries.records.verdict import OUTCOMES, Confidence, Outcome, Reason

__all__ = ["overruled", "second_opinion"]

_LEAD = {"short": 0.5}
_LEAD_OF_OTHERS = 0.2
"""By so much an outcome must be likelier than that of the rules to overrule it; of short answers by more."""
_LEAD_OF_ACCEPTED = 0.0
"""The same where the rules call an answer correct: a doubt is enough, but for short answers."""
_LEAD_OF_PICKED: dict[Outcome, float] = {"correct": 0.2, "incorrect": 0.4}
_ACCEPTED_OF_PICKED = 0.7
"""The same where the rules found which option is picked: by less, edits that mean nothing changed what stands."""
_ACCEPTED = {"short": 0.8, "premise": 0.85}
_ACCEPTED_OF_OTHERS = 0.6
"""So likely must it be that an answer is correct before it is called so against the rules: to accept a wrong answer is worse
than to miss a right one."""
_REASONS: dict[Outcome, Reason] = {"correct": "weighed", "incorrect": "weighed", "abstained": "unsure", "unscored": "unparsed"}


def second_opinion(reply: Reply, question: Question, ruling: Ruling, *, foreign: bool, rule: Rule | None = None) -> Ruling:
    """Return a ruling with its confidence, overruled where another outcome is much likelier.

    A premise without a record is not weighed (nothing was learned of such), and what is no answer is never made one. What the
    rules understood of a text in another language stands: the words that were learned are English.

    Parameters: `rule` rules on the last sentence of an answer that is looked at closer; without it none is.

    >>> question, ruling = Question("Who painted Guernica?", "open", ("Picasso",)), Ruling("correct", "exact", None, ((0, 7),))
    >>> second_opinion(Reply.of("Picasso."), question, ruling, foreign=False).outcome
    'correct'
    """
    if not _is_weighed(question):
        return ruling._replace(confidence="low")
    stands = (
        _is_no_answer(reply, question, ruling)
        or _is_plain(reply, question, ruling)
        or _denies_value(reply, question, ruling)
        or (foreign and ruling.outcome != "unscored")
        or _begins_with_pick(reply, question, ruling)
    )
    look = None if stands or foreign or rule is None else functools.partial(levels_of, reply.text, question, rule)
    likely = likelihoods(signs_of(reply, question, ruling, foreign=foreign), question, ruling.outcome, look)
    kind = KINDS[question.task]
    outcome = ruling.outcome if stands else overruled(kind, ruling.outcome, likely)
    if (
        (outcome == "unscored" and ruling.outcome in ("correct", "incorrect"))
        or (outcome == "correct" and ruling.outcome == "unscored" and not names_right(question, reply.text))
        or (
            outcome == "abstained"
            and kind in ("short", "polar")
            and ruling.outcome == "incorrect"
            and not _OWNING.search(reply.text)
        )
        or (
            outcome == "abstained"
            and ruling.outcome == "correct"
            and len(reply.read.words) <= _A_FEW
            and _DENYING.isdisjoint(reply.read.words)
        )
    ):
        outcome = ruling.outcome
    sure: Confidence = "high" if likely[outcome] >= weights().sure[question.task] else "low"
    if outcome == ruling.outcome:
        return ruling._replace(confidence=sure)
    answer = _understood(outcome, question)
    return ruling._replace(outcome=outcome, reason=_REASONS[outcome], answer=answer, confidence=sure)


def _is_weighed(question: Question) -> bool:
    """Tell whether something was learned of such questions: of premises with a record, and of answers that take a side."""
    if question.task == "premise" and question.premise is None:
        return False
    return question.task not in POLAR or question.expected is None or question.expected[0] in AFFIRMING


def _is_no_answer(reply: Reply, question: Question, ruling: Ruling) -> bool:
    """Tell whether a ruling stands whatever its signs: on a text that is no answer, or a word, or says both yes and no."""
    if ruling.outcome != "unscored":
        return False
    if ruling.reason not in ("unparsed", "language") or len(reply.read.words) < _FEWEST:
        return True
    return question.task in ("yes_no", "probe") and {"yes", "no"}.issubset(reply.read.words)


def _is_plain(reply: Reply, question: Question, ruling: Ruling) -> bool:
    """Tell whether a yes or no begins a few words that neither deny nor turn: "Yes, I have", not "Yes, I have no idea"."""
    words = reply.read.words
    if question.task not in ("yes_no", "probe") or not 0 < len(words) <= _A_FEW or not ruling.spans:
        return False
    begins = words[0] in ("yes", "no", "true", "false") and ruling.spans[0][0] <= reply.text.lower().find(words[0])
    return ruling.outcome in ("correct", "incorrect") and begins and TELLING.isdisjoint(words[1:])


def _denies_value(reply: Reply, question: Question, ruling: Ruling) -> bool:
    """Tell whether the rules found a name or number of the question denied: "He did not die in London"."""
    if question.task not in ("yes_no", "probe") or ruling.answer != "no" or not ruling.spans:
        return False
    said = reply.text[slice(*ruling.spans[0])]
    negation = _NEGATION.search(said)
    names, asked = _VALUE.findall(question.text, 1), set(verb_stems(phrase(question.text)))
    value = negation and next((name for name in _VALUE.finditer(said, negation.end()) if name[0] in names), None)
    if negation is None or value is None:
        return False
    return asked.issuperset(verb_stems(phrase(said[negation.end() : value.start()])))  # not "You will not find Oslo in it"


_NEGATION, _VALUE = re.compile(r"\b(?:not|never)\b|n['’]t\b"), re.compile(r"\b[A-Z0-9]\w+")


def _begins_with_pick(reply: Reply, question: Question, ruling: Ruling) -> bool:
    """Tell whether an answer begins with the option that the rules found picked, in its own words: "Option 2: It is folk"."""
    if question.task != "choice" or ruling.outcome not in ("correct", "incorrect") or not (ruling.answer or "").isdigit():
        return False
    picked = question.options[int(ruling.answer or 1) - 1].casefold().strip(" .")
    begins = reply.declared[0] if reply.declared is not None else 0
    begun = reply.text[begins : begins + len(picked) + _LABELLED].casefold()
    return len(picked.split()) > 1 and picked in begun and _LABEL.match(begun[: begun.find(picked)]) is not None


_LABELLED = 20
_LABEL = re.compile(
    r"\W*(?:(?:the )?(?:correct |right )?(?:option|answer|statement|choice)\W*(?:is|no\.?)?\W*)?(?:\w{1,6}\b\W*)?\Z"
)
"""What stands before an option that a text begins with, and how many characters that are."""
_OWNING = re.compile(
    r"\b(?:(?:un)?(?:know|sure|certain|clear|aware|able|familiar)|(?:know|determin|mention|guess|escap|confirm|verif|answer|stat|t[eo]l[ld])"
    r"\w*|knew|unknown|uncertain|recall|remember|f[io]u?nd|information|idea|memory|data|heard|confident|blank|ma[dk]e|see)\b",
    re.IGNORECASE,
)
"""Without one of these nobody owns that something is not known: "I did not use any tools" does not."""
_DENYING = frozenset(
    [
        "not",
        "no",
        "never",
        "nor",
        "neither",
        "none",
        "nothing",
        "nobody",
        "unsure",
        "unknown",
        "unfamiliar",
        "unaware",
        "unable",
        "cannot",
        "without",
        "blank",
        "if",
        "dont",
        "cant",
        "couldnt",
        "didnt",
        "havent",
        "hasnt",
        "isnt",
        "wont",
        "doesnt",
    ]
)
"""Without one of these nobody says in a few words that something is not known."""
_A_FEW = 8
"""So many words at most has an answer that is plain."""
_FEWEST = 2
"""So many words at least has a text that says something which no rule reads."""


def overruled(kind: str, ruled: Outcome, likely: dict[Outcome, float]) -> Outcome:
    """Return the outcome that stands: the ruled one, or one that is much likelier.

    >>> overruled("polar", "unscored", {"correct": 0.8, "incorrect": 0.1, "abstained": 0.0, "unscored": 0.1})
    'correct'
    >>> overruled("polar", "unscored", {"correct": 0.5, "incorrect": 0.3, "abstained": 0.0, "unscored": 0.2})
    'unscored'
    """
    best = max(likely, key=likely.__getitem__)
    lead = _LEAD.get(kind, _LEAD_OF_ACCEPTED if ruled == "correct" else _LEAD_OF_OTHERS)
    accepted = _ACCEPTED.get(kind, _ACCEPTED_OF_OTHERS)
    if kind == "choice" and ruled in _LEAD_OF_PICKED:
        lead, accepted = _LEAD_OF_PICKED[ruled], _ACCEPTED_OF_PICKED
    if likely[best] <= likely[ruled] + lead:
        return ruled
    return ruled if best == "correct" and likely[best] < accepted else best


def _understood(outcome: Outcome, question: Question) -> str | None:
    """Return what an answer is understood to say, where an outcome tells that."""
    if question.task == "choice":
        right = right_option(question)
        return str(right + 1) if outcome == "correct" and right >= 0 else None
    side = side_of(outcome, question)
    if question.task not in POLAR or side not in ("yes", "no"):
        return None
    return side if question.task != "premise" else {"yes": "accept", "no": "reject"}[side]


Numbers = NDArray[np.float32]
KINDS = {"yes_no": "polar", "probe": "polar", "premise": "premise", "choice": "choice", "open": "short", "context": "short"}
"""The kind of each task: tasks of a kind share their marks' weights."""


class Regression(NamedTuple):
    """A weight for each mark and side, and one for each side alone: by the text and, beside it, by what was ruled as well."""

    marks: Numbers
    ruled: Numbers
    bias: Numbers

    def shares(self, signs: Signs) -> Numbers:
        """Return how likely each side is, by the text alone and by both: a row each."""
        total = self.bias + np.add.reduce(self.marks.take(signs.marks, axis=0), axis=0)  # quicker than `sum`, in the same order
        total = total.reshape(2, -1)
        total[1] += np.add.reduce(self.ruled.take(signs.ruled, axis=0), axis=0)
        return _softmax(total)


class Trees(NamedTuple):
    """Boosted trees: for each an outcome, its questions ("is this measure more than so much?") and the numbers of its leaves.

    The questions of a tree stand level by level, the two below question n at 2n + 1 and 2n + 2, where 2n + 2 is asked of
    measures that are more.
    """

    base: Numbers
    outcome: NDArray[np.intp]
    measure: NDArray[np.intp]
    limit: Numbers
    leaves: Numbers

    def shares(self, measures: Numbers) -> Numbers:
        """Return how likely each outcome is."""
        trees, questions = self.measure.shape
        over = (measures.take(self.measure) > self.limit).ravel()  # indices of one row take half the time of pairs
        first = np.arange(0, trees * questions, questions)
        at = over.take(first) + 1
        while at[0] < questions:
            at = 2 * at + 1 + over.take(first + at)
        leaves = self.leaves.ravel().take(first + np.arange(-questions, trees - questions) + at)
        return _softmax(self.base + np.bincount(self.outcome, leaves, len(self.base)))


class Weights(NamedTuple):
    """All numbers: regressions by kind of task, trees, and by task, from which share on an outcome is sure."""

    regressions: dict[str, Regression]
    trees: Trees
    sure: dict[str, float]


def _softmax(scores: NDArray[np.floating]) -> Numbers:
    shares = np.exp(scores - np.maximum.reduce(scores, axis=-1, keepdims=True))
    return np.asarray(shares / np.add.reduce(shares, axis=-1, keepdims=True), np.float32)


@functools.cache
def weights() -> Weights:
    """Read the numbers."""
    packed = (resources.files("evaluators.verify.opinion") / "numbers.npz.xz").read_bytes()
    with np.load(io.BytesIO(lzma.decompress(packed))) as stored:
        tables = (_regressions(stored, name) for name in ("text", "ruled"))
        both = {
            kind: Regression(np.hstack([a, b[:TABLE]]), b[TABLE:], np.hstack([of_a, of_b]))
            for kind, (a, of_a), (b, of_b) in zip(dict.fromkeys(KINDS.values()), *tables, strict=True)
        }
        trees = Trees(*(_wide(stored[f"trees_{field}"]) for field in Trees._fields))
        return Weights(both, trees, dict(zip(TASKS, stored["sure"].tolist(), strict=True)))


def _wide(numbers: NDArray[Any]) -> NDArray[Any]:
    """Return numbers, which are packed in fewer bits, as they are reckoned with."""
    return numbers.astype(np.float32 if numbers.dtype.kind == "f" else np.intp)


def _regressions(stored: np.lib.npyio.NpzFile, name: str) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield weights and biases, kind by kind."""
    for levels, scale, bias in zip(*(stored[f"{name}_{part}"] for part in ("weights", "scale", "bias")), strict=True):
        yield levels.astype(np.float32) * scale, bias.astype(np.float32)


def measures_of(
    signs: Signs, question: Question, shares: tuple[Numbers, Numbers], ruled: Outcome, look: Callable[[], list[float]] | None
) -> Numbers:
    """Return what the trees look at: the measures, both regressions' shares of each outcome, and the levels of a closer look.

    Parameters: `shares` of sides by the text alone and by both; `look` is asked where `ruled` is doubtful.
    """
    text, both = (_of_outcomes(of, question) for of in shares)
    doubtful = look is not None and both[OUTCOMES.index(ruled)] < DOUBTFUL
    return np.array([*signs.measures, *text, *both, *(look() if look and doubtful else UNTOLD)], np.float32)


DOUBTFUL = 0.8
"""A ruling with a smaller share is looked at closer: one of six fresh answers, one of fourteen ordinary ones, with more than
half of all errors. Looking at every answer gains no more."""


def _of_outcomes(shares: Numbers, question: Question) -> list[float]:
    sided = question.task in POLAR
    by_side = dict(zip(SIDES[sided], shares.tolist(), strict=True))
    if sided and question.expected is None:  # whatever side it takes is wrong
        return [0.0, by_side["yes"] + by_side["no"], by_side["abstained"], by_side["unscored"]]
    return [by_side[side_of(outcome, question)] for outcome in OUTCOMES]


def likelihoods(
    signs: Signs, question: Question, ruled: Outcome = "unscored", look: Callable[[], list[float]] | None = None
) -> dict[Outcome, float]:
    """Return how likely each outcome is, by the signs of an answer and, where `ruled` is doubtful, by a closer look."""
    fitted, kind = weights(), KINDS[question.task]
    text, both = fitted.regressions[kind].shares(signs)
    shares = fitted.trees.shares(measures_of(signs, question, (text, both), ruled, look))
    return dict(zip(OUTCOMES, shares.tolist(), strict=True))
