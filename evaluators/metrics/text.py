"""Exact match, F1 and Contains of texts, as SQuAD compares them (Rajpurkar et al., 2016, and its evaluation program).

```
python -c 'from evaluators.metrics.text import score; print(score("the 9 may 1906", ["may 9 1906"]))'
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
```

Text and accepted answers are brought to lower case, without ASCII punctuation, without the articles a, an and the, with single
blanks; then, the best accepted answer counting,

    EM       = 1 where both are the same
    F1       = 2 P R / (P + R), P and R the shares of the text's and of the answer's words that they have in common
    Contains = 1 where the answer's words stand in the text one after the other; as published: its characters do

A text of which nothing would be left ("The The", "?") keeps its articles or its punctuation, so that it equals itself only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import polars as pl

__all__ = ["Score", "normalised", "score", "text_scores"]

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
    told, said = [answer for answer in accepted if answer], set(words)
    best = max((_f1(words, said, answer.split()) for answer in told), default=0.0)
    return Score(False, best, any(f" {answer} " in padded for answer in told), any(answer in text for answer in told))


def _f1(words: list[str], said: set[str], accepted: list[str]) -> float:
    shared = sum(min(words.count(word), accepted.count(word)) for word in said.intersection(accepted))
    return 2 * shared / (len(words) + len(accepted))


def text_scores(answers: pl.DataFrame) -> pl.DataFrame:
    """Return the answers with the columns of `Score` (null where there is no text or nothing is accepted).

    Parameters: `answers` has the columns `text` and `accepted`.
    """
    rows = [one for start in range(0, answers.height, _AT_ONCE) for one in _scores(answers.slice(start, _AT_ONCE))]
    schema = {"EM": pl.Boolean, "F1": pl.Float64, "contains": pl.Boolean, "within": pl.Boolean}
    return answers.hstack(pl.DataFrame(rows, schema, orient="row"))


def _scores(answers: pl.DataFrame) -> Iterator[Score | tuple[None, ...]]:
    texts = answers.select(normalised(pl.col("text")))["text"]
    accepted = answers.select(pl.col("accepted").list.eval(normalised(pl.element())))["accepted"]
    for text, answer in zip(texts.to_list(), accepted.to_list(), strict=True):
        yield score(text, answer) if text is not None and answer else (None,) * len(Score._fields)
