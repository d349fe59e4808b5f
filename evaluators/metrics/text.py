"""Exact match, F1 and Contains of texts, as SQuAD compares them (Rajpurkar et al., 2016, and its evaluation program).

Text and accepted answers are brought to lower case, without ASCII punctuation, without the articles a, an and the, with single
blanks; then, the best accepted answer counting,

    EM       = 1 where both are the same
    F1       = 2 P R / (P + R), P and R the shares of the text's and of the answer's words that they have in common
    Contains = 1 where the answer's words stand in the text one after the other; as published: its characters do

A text of which nothing would be left ("The The", "?") keeps its articles or its punctuation, so that it equals itself only.
FACT-BENCH and AutoDebug count texts in this way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import polars as pl

from evaluators.metrics.answers import right
from evaluators.metrics.table import Measure

EM = Measure("EM", "EM", "rate", "the text is an accepted answer, after normalisation")
F1 = Measure("F1", "F1", "rate", "words in common with the best accepted answer")
CONTAINS = Measure("contains", "Contains", "rate", "an accepted answer stands in the text")
CORRECT = Measure("correct", "correct", "rate", "correct by the verdicts")

_AT_ONCE = 20_000
"""Rows that are taken out of their columns together."""


class Score(NamedTuple):
    """What a text scores against the accepted answers; `within` is Contains as published."""

    EM: bool
    F1: float
    contains: bool
    within: bool


def normalised(text: pl.Expr) -> pl.Expr:
    """Bring texts to the form that is compared.

    >>> pl.DataFrame({"t": ["The  Beatles!", "An A.", "?"]}).select(normalised(pl.col("t")))["t"].to_list()
    ['beatles', 'an a', '?']
    """
    # In the order of SQuAD's program: case, punctuation, articles, blanks.
    lower = text.str.to_lowercase()
    plain = lower.str.replace_all(r"[!-/:-@\[-`{-~]", "")
    forms = [plain.str.replace_all(r"\b(a|an|the)\b", " "), plain, lower]
    single = [form.str.replace_all(r"\s+", " ").str.strip_chars() for form in forms]
    return pl.when(single[0] != "").then(single[0]).when(single[1] != "").then(single[1]).otherwise(single[2])


def score(text: str, accepted: Sequence[str]) -> Score:
    """Score a normalised text against normalised answers.

    >>> score("blue whale", ["whale", "fish"])
    Score(EM=False, F1=0.666..., contains=True, within=True)
    """
    if text in accepted:
        return Score(True, 1.0, True, True)
    words, padded = text.split(), f" {text} "
    answers = [answer for answer in accepted if answer]  # an empty one would stand in every text
    best = max((_f1(words, answer.split()) for answer in answers), default=0.0)
    return Score(False, best, any(f" {answer} " in padded for answer in answers), any(answer in text for answer in answers))


def _f1(words: list[str], accepted: list[str]) -> float:
    # 2 P R / (P + R) with P = shared / len(words) and R = shared / len(accepted)
    shared = sum(min(words.count(word), accepted.count(word)) for word in set(words).intersection(accepted))
    return 2 * shared / (len(words) + len(accepted))


def text_scores(answers: pl.DataFrame) -> pl.DataFrame:
    """Return the answers with the columns of `Score` (null where there is no text or nothing is accepted).

    Parameters: `answers` has the columns `text` and `accepted`.
    """
    rows = [row for start in range(0, answers.height, _AT_ONCE) for row in _scores(answers.slice(start, _AT_ONCE))]
    schema = {"EM": pl.Boolean, "F1": pl.Float64, "contains": pl.Boolean, "within": pl.Boolean}
    return answers.hstack(pl.DataFrame(rows, schema, orient="row"))


def _scores(answers: pl.DataFrame) -> Iterator[Score | tuple[None, ...]]:
    texts = answers.select(normalised(pl.col("text")))["text"]
    accepted = answers.select(pl.col("accepted").list.eval(normalised(pl.element())))["accepted"]
    for text, answer in zip(texts.to_list(), accepted.to_list(), strict=True):
        yield score(text, answer) if text is not None and answer else (None,) * len(Score._fields)


def text_values(as_published: bool) -> dict[str, pl.Expr]:
    """Return the measures of texts, over answers as `text_scores` gives them, null where a text does not count.

    >>> sorted(text_values(False))
    ['EM', 'F1', 'contains', 'correct']
    """
    counted = pl.lit(True) if as_published else pl.col("state") != "unscored"
    texts = {"EM": "EM", "F1": "F1", "contains": "within" if as_published else "contains"}
    values: dict[str, pl.Expr] = {name: pl.when(counted).then(column) for name, column in texts.items()}
    return values | {"correct": right(as_published)}
