"""Entailment by words alone, for want of a model: what it is, and what it cannot see.

It asks how many of the answer's words the output has, whatever it says about them: it sees no denial, no other name for the
same thing and no order. Names are brought to their normal form (`kg.text.fold`); function words do not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from evaluators.verify.reading.words import EVERYDAY
from kg.text import fold

_WITHOUT_NUMBER = 0.49
"""The most that a premise without the hypothesis's number gets: just less than what counts as entailed."""


class Lexical:
    """The share of the hypothesis's words that the premise has, less than half where a number is missing.

    Words with which both begin (the question) count for neither. In the place of an entailment model; no paper's method.
    """

    method = "lexical/1"

    def scores(self, premises: Sequence[str], hypotheses: Sequence[str]) -> list[float | None]:
        """Return the share for each pair.

        >>> question = "When was Emma published?"
        >>> hypothesis = f"{question} December 1815"
        >>> Lexical().scores([f"{question} In 1815, by John Murray.", f"{question} In 1816."], [hypothesis, hypothesis])
        [0.5, 0.0]
        """
        return [_share(fold(premise).split(), fold(hypothesis).split()) for premise, hypothesis in zip(
            premises, hypotheses, strict=True)]  # fmt: skip


def _share(premise: list[str], hypothesis: list[str]) -> float:
    """Return the share of words found; a hypothesis of nothing new is entailed.

    >>> _share("who wrote emma jane austen".split(), "who wrote emma austen".split())
    1.0
    """
    question = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(premise, hypothesis, strict=False)))
    answer, output = hypothesis[question:], set(premise[question:])
    wanted = [word for word in answer if word not in EVERYDAY] or answer
    if not wanted:
        return 1.0
    missing = [word for word in wanted if word not in output]
    share = 1 - len(missing) / len(wanted)
    return min(share, _WITHOUT_NUMBER) if any(char.isdigit() for word in missing for char in word) else share
