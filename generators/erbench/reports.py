"""What a run says at its end: the items by task, the links that were found, and what is not asked, with the reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import polars as pl

from generators.erbench.catalog import Catalog
from generators.family import Result


def summary(results: Sequence[Result], catalog: Catalog, path: str, written: int) -> list[str]:
    """Say what was proposed and made, what was refused and why, and show some questions."""
    some = written or not all(result.shard.whole for result in results)
    lines = [f"{written} items in {path}, of {len(results)} families" if some else f"no items: {path} is not written"]
    counted: Counter[tuple[str, str]] = Counter()
    for result in results:
        counted += result.counts.hops
    lines += [f"  {task}, hops {hops}: {count}" for (task, hops), count in sorted(counted.items())]
    if catalog.found:
        lines.append(f"  {len(catalog.found)} links found by their values: {', '.join(catalog.found)} (--declared-only: none)")
    lines += list(refusal_lines(catalog))
    for result in sorted(results, key=lambda r: -(r.template.front.hops or len(r.template.front.rationale or [])))[:3]:
        lines += [f"  {text}" for text in [*result.counts.questions.values()][:1]]
    return lines


def refusal_lines(catalog: Catalog) -> Iterator[str]:
    """Say what is not asked, by reason, with a few examples."""
    refused = catalog.refused
    for why in sorted(set(refused.values())):
        what = sorted(catalog.columns.get(name, name) for name, reason in refused.items() if reason == why)
        more = f", … ({len(what)} in all: --refusals FILE)" if len(what) > 4 else ""
        yield f"  refused, {why}: {', '.join(what[:4])}{more}"


def refusals_csv(catalog: Catalog) -> bytes:
    """Return all that is not asked: table and column of the database, or else the way; how it would be said; and why."""
    rows = [(catalog.columns.get(name, ""), name, why) for name, why in sorted(catalog.refused.items())]
    return pl.DataFrame(rows, schema=["column", "said", "why"], orient="row").write_csv().encode()
