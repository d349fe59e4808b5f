"""Whether a model picks its own answer again among distractors: Cons(q, r) of LLM-as-KB (Zheng et al., 2024), section 2.2.

```
python -c 'import evaluators.metrics.unseenqa; help(evaluators.metrics.unseenqa)'
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
```
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from evaluators.metrics.text import normalised
from evaluators.verify.choice import pick

__all__ = ["consistency"]

_PARENT = ("model", "run", "item", "sample")


def consistency(told: pl.DataFrame, again: pl.DataFrame) -> pl.DataFrame:
    """Return the answers that were asked for again, with `cons`, the share of their choices that pick them again.

    Parameters: `told` are the answers to open questions; `again` those to the choices made from them. A choice put to another
    model than its answer's does not count. A run without the answer takes it from the model's other runs.
    """
    put = again.filter(
        pl.col("text").is_not_null() & (pl.col("parent_model").is_null() | (pl.col("parent_model") == pl.col("model")))
    )
    asked = put.select("model", "run", "parent_item", "parent_sample", "options", "text", "picked", "question")
    found = _with_parent(asked, told)
    plain = found.with_columns(
        said=normalised(pl.col("said")),
        meant=normalised(pl.col("meant")),
        form=normalised(pl.col("text")),
        forms=pl.col("options").list.eval(normalised(pl.element())),
    )
    rows = plain.select("said", "meant", "forms", "picked", "form", "text", "options", "question").iter_rows()
    marked = plain.with_columns(pl.Series("again", [_again(*row) for row in rows], pl.Boolean))
    means = marked.group_by("model", "run", "order", maintain_order=True).agg(pl.col("again").mean().alias("cons"))
    return means.join(told.with_row_index("order").drop("model", "run"), on="order")


def _with_parent(asked: pl.DataFrame, told: pl.DataFrame) -> pl.DataFrame:
    """Put the answer beside each choice made from it: of the same run, or else of the first one."""
    answers = told.with_row_index("order").filter(pl.col("state") != "unasked")
    answers = answers.select("order", *_PARENT, pl.col("text").alias("said"), pl.col("picked").alias("meant"))
    named = asked.with_columns(pl.col("parent_sample").fill_null(0)).rename({"parent_item": "item", "parent_sample": "sample"})
    own = named.join(answers, on=_PARENT, how="left", nulls_equal=True, maintain_order="left")
    other = (
        answers.sort("run", nulls_last=False).unique(["model", "item", "sample"], keep="first", maintain_order=True).drop("run")
    )
    found = own.join(other, on=["model", "item", "sample"], how="left", suffix="_other", maintain_order="left")
    own_answer = pl.col("order").is_not_null()
    return found.with_columns(
        pl.when(own_answer).then(name).otherwise(f"{name}_other").alias(name) for name in ("said", "meant", "order")
    ).filter(pl.col("order").is_not_null())


def _again(said: str | None, meant: str | None, forms: Sequence[str], picked: str | None, *reply: Any) -> bool | None:
    """Tell whether the option that says what the answer said is picked; null where no option says it.

    >>> _again("canberra", None, ["sydney", "canberra"], None, "b", "B", ["Sydney", "Canberra"], "?")
    True
    """
    own = _option(said, meant, forms)
    if own is None:
        return None
    number = int(picked) if picked is not None and picked.isdigit() else _picked(forms, *reply)
    return number == own


def _picked(forms: Sequence[str], form: str, text: str, options: Sequence[str], question: str) -> int | None:
    """Return the number of the option that a text picks; its bare words and letters need no reading."""
    if form in forms:
        return forms.index(form) + 1
    if len(form) == 1 and "a" <= form <= "z":
        return ord(form) - ord("a") + 1
    found = pick(text, tuple(options), question)
    return found.options[0] if found is not None and len(found.options) == 1 else None


def _option(said: str | None, meant: str | None, forms: Sequence[str]) -> int | None:
    """Return the number of the option that is the answer, or what was understood of it, or else alone stands in it."""
    for words in (said, meant):
        if words and words in forms:
            return forms.index(words) + 1
    held = [number for number, form in enumerate(forms, 1) if said and form and f" {form} " in f" {said} "]
    return held[0] if len(held) == 1 else None
