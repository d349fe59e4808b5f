"""What belongs together: responses to items, verdicts to responses.

Frames have a column `line`, so that what belongs nowhere is told by file and line.

>>> import polars as pl
>>> responses = pl.DataFrame({"item": ["a", "b"], "line": [1, 2]})
>>> known_items(responses, pl.Series(["a"]), "responses.jsonl", "items.jsonl")
Traceback (most recent call last):
evaluators.errors.JoinError: responses.jsonl:2: item 'b' is not in items.jsonl; name the items that were asked
"""

from __future__ import annotations

import polars as pl

from evaluators.errors import JoinError
from queries.records.verdict import text_hash


def known_items(records: pl.DataFrame, ids: pl.Series, place: str, items: str) -> None:
    """Raise JoinError where a record names an item that is not among `ids`.

    Parameters: `records` has the columns `item` and `line` and comes from the file `place`; `ids` from `items`.
    """
    unknown = records.filter(~pl.col("item").is_in(ids.implode())).sort("line")
    if unknown.height:
        row = unknown.row(0, named=True)
        more = f" (and {unknown.height - 1} more such lines)" if unknown.height > 1 else ""
        problem = f"item '{row['item']}' is not in {items}{more}"
        raise JoinError(problem, place=f"{place}:{row['line']}", way_out="name the items that were asked")


def known_answers(verdicts: pl.DataFrame, answers: pl.DataFrame, place: str, responses: str) -> None:
    """Raise JoinError where a verdict is on an answer that is not there; a vote needs any answer to its item.

    Parameters: both have the columns `item, model, sample, line`; `place` and `responses` are their files.
    """
    sampled = verdicts.filter(pl.col("sample").is_not_null()).join(answers, on=["item", "model", "sample"], how="anti")
    voted = verdicts.filter(pl.col("sample").is_null()).join(answers, on=["item", "model"], how="anti")
    unknown = pl.concat([sampled, voted]).sort("line")
    if unknown.height:
        row = unknown.row(0, named=True)
        which = "a vote" if row["sample"] is None else f"sample {row['sample']}"
        problem = f"{which} of {row['model']} on item '{row['item']}' has no answer in {responses}"
        raise JoinError(problem, place=f"{place}:{row['line']}", way_out="judge these responses again")


def current(verdicts: pl.DataFrame, answers: pl.DataFrame, place: str, responses: str) -> pl.DataFrame:
    """Return the verdicts without their hash of the text that was judged, once each is found to be that of its answer's text.

    Parameters: as `known_answers` takes them; without a column `text` on either side nothing can be told.
    Raises JoinError where an answer is another one than the one that was judged.

    >>> judged = pl.DataFrame({"item": ["a"], "model": ["m"], "sample": [0], "line": [4], "text": [text_hash("Yes.")]})
    >>> current(judged, judged.with_columns(text=pl.lit("No.")), "verdicts.jsonl", "responses.jsonl")
    Traceback (most recent call last):
    evaluators.errors.JoinError: verdicts.jsonl:4: the answer of m to item 'a' (sample 0) ... judge these responses again
    """
    if "text" not in verdicts.columns:
        return verdicts
    if "text" in answers.columns:
        hashed = verdicts.filter(pl.col("text").is_not_null()).select("item", "model", "sample", "line", judged="text")
        both = hashed.join(answers.select("item", "model", "sample", "text"), on=["item", "model", "sample"]).sort("line")
        for item, model, sample, line, judged, text in both.iter_rows():
            if text_hash(text) != judged:
                problem = (
                    f"the answer of {model} to item '{item}' (sample {sample}) is not the text in {responses} that was judged"
                )
                raise JoinError(problem, place=f"{place}:{line}", way_out="judge these responses again")
    return verdicts.drop("text")
