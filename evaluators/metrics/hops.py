"""Rationales hop by hop, after ERBench (Oh et al., 2024), section 4.2; the formulas are in `evaluators.metrics.erbench`.

```
python -c 'import evaluators.metrics.erbench; help(evaluators.metrics.erbench)'
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
```
"""

from __future__ import annotations

import polars as pl

from evaluators.metrics.rates import rates
from evaluators.metrics.table import Measure, Table

__all__ = ["hop_tables"]

_SOURCE = "ERBench (Oh et al., 2024), section 4.2"
_A, _H = Measure("A", "A", "rate"), Measure("H", "H", "rate", "1 - A - M; lower is better")
_R = Measure("R_ext", "R-ext", "number", "the mean of the hops")
_OF_HOP = (
    Measure("R_hop", "R-ext", "rate", "rationales that are right at this hop"),
    Measure("AR_hop", "AR-ext", "rate", "correct answers whose rationale is right at this hop"),
)


def hop_tables(counted: pl.DataFrame, dims: list[str], note: str, *, as_published: bool = False) -> list[Table]:
    """Return the table in the shape of table 4, and the one by hop; none where no question has several hops.

    Parameters: `counted` has the columns `A` and `H` (numbers or null) and `marks`.
    """
    deepest = counted.group_by("family").agg(pl.col("marks").list.len().max().alias("deepest")).filter(pl.col("deepest") > 1)
    several = counted.join(deepest, on="family", maintain_order="left").filter(pl.col("task") == "yes_no")
    if not several.height:
        return []
    cells = [*dims, "variant"]
    by_hop = _by_hop(several, cells, as_published)
    share = pl.when(pl.col("A").is_not_null()).then(pl.col("marks").cast(pl.List(pl.Float64)).list.mean())
    whole = rates(several, cells, {"A": pl.col("A"), "H": pl.col("H"), "R_ext": share})
    if not as_published:
        means = by_hop.group_by(cells).agg(pl.col("R_hop").mean().alias("R_ext"))
        whole = whole.select(*cells, *_A.columns, *_H.columns).join(means, on=cells, how="left", maintain_order="left")
    whole, extended = _beside(whole, by_hop, cells)
    about = "Questions of several hops", f"{_SOURCE}, table 4", note
    shaped = Table.of(
        "erbench.multihop", about, (_A, _R, *extended, _H), whole.drop("R_ext_n", "R_ext_low", "R_ext_high", strict=False)
    )
    return [shaped, Table.of("erbench.hops", ("Rationales by hop", _SOURCE, note), _OF_HOP, by_hop)]


def _by_hop(several: pl.DataFrame, cells: list[str], as_published: bool) -> pl.DataFrame:
    depth = pl.col("marks").list.len()
    counts = (depth == pl.col("deepest")) if as_published else (depth > 0)
    told = several.filter(depth > 0).with_columns(hop=pl.int_ranges(1, depth + 1), full=counts).explode("marks", "hop")
    explained = pl.when(pl.col("A").is_not_null()).then("marks")
    both = pl.when(pl.col("A").is_not_null() & pl.col("full")).then((pl.col("A") == 1) & pl.col("marks"))
    return rates(told.with_columns(pl.col("hop").cast(pl.String)), [*cells, "hop"], {"R_hop": explained, "AR_hop": both})


def _beside(whole: pl.DataFrame, by_hop: pl.DataFrame, cells: list[str]) -> tuple[pl.DataFrame, list[Measure]]:
    """Put AR-ext of each hop beside the rest, as table 4 does."""
    measures = []
    for hop in sorted(by_hop["hop"].unique(), key=int):
        measure = Measure(f"AR_ext_{hop}", f"AR-ext {hop}", "rate", f"correct answers whose rationale is right at hop {hop}")
        names = dict(zip(_OF_HOP[1].columns, measure.columns, strict=True))
        one = by_hop.filter(pl.col("hop") == hop).select(*cells, *names).rename(names)
        whole = whole.join(one, on=cells, how="left", maintain_order="left")
        measures.append(measure)
    return whole, measures
