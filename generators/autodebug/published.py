"""Passages that others have changed, such as the authors' 999: held against the rules, and those that keep them made items.

The rules are those of section 2.1 and 3.1 of the paper: the new answer stands in the evidence, the question does not hold it,
it has five words at most, the evidence ten at least. Tags of web pages are taken out of the evidence first.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import polars as pl

from generators.autodebug.qa_files import Asked, records_of
from generators.autodebug.text_edits import sentences, support_of
from generators.items import assemble, short_hash
from kg.text import fold

_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_QUOTES = "\"'“”‘’`"
MISSING, FORM, LONG, LEAK, SHORT = (
    "the new answer does not stand in the evidence",
    "of it only a part of other words stands there",
    "the new answer is longer than 5 words",
    "the question holds the new answer",
    "the evidence is shorter than 10 words",
)


class Published(NamedTuple):
    """What was made of a file: items, how many passages it has, how many break each rule, how many break one at least."""

    items: pl.DataFrame
    passages: int
    broken: Counter[str]
    faulty: int


def faults_of(asked: Asked) -> list[str]:
    """Return the rules that a changed passage breaks.

    >>> faults_of(Asked("Who won?", "Asia", "Asian teams won all of the games that were played there last summer ."))
    ['of it only a part of other words stands there']
    """
    answer, evidence = fold(asked.answer), fold(asked.evidence)
    faults = []
    if not _stands(asked):
        faults.append(FORM if answer in evidence else MISSING)
    if len(asked.answer.split()) > 5:
        faults.append(LONG)
    if f" {answer} " in f" {fold(asked.question)} ":
        faults.append(LEAK)
    if len(asked.evidence.split()) < 10:
        faults.append(SHORT)
    return faults


def read_published(path: str) -> Published:
    """Read a file of questions, new answers and changed evidence.

    Raises SourceError naming the place where it holds none.
    """
    broken: Counter[str] = Counter()
    kept, passages = [], 0
    for question, answers, evidence in records_of(path):
        passages += 1
        text = " ".join(html.unescape(_TAG.sub("", evidence)).split())
        asked = Asked(question, (answers or [""])[0].strip(_QUOTES + " "), text)
        faults = faults_of(asked)
        broken.update(faults)
        if not faults:
            kept.append(asked)
    rows = [
        (
            asked.question,
            asked.answer,
            asked.evidence,
            sentences(asked.evidence)[support_of(asked)],
            short_hash("\0".join(asked)),
        )
        for asked in dict.fromkeys(kept)
    ]
    frame = pl.DataFrame(
        rows, schema=dict.fromkeys(("question", "answer", "context", "support", "group"), pl.String), orient="row"
    )
    items = assemble(
        frame,
        bindings=["question", "answer", "context"],
        strata={"category": "1"},
        source={"file": Path(path).name, "support": pl.col("support")},
        method="autodebug",
        family="published",
        task="context",
        variant="swap",
        question=pl.col("question"),
        answer=pl.concat_list("answer"),
        context=pl.col("context"),
        group=pl.concat_str(pl.lit("autodebug."), "group"),
    )
    return Published(items, passages, broken, passages - len(kept))


def _stands(asked: Asked) -> bool:
    return (
        bool(asked.answer) and re.search(rf"(?<!\w){re.escape(asked.answer)}(?!\w)", asked.evidence, re.IGNORECASE) is not None
    )
