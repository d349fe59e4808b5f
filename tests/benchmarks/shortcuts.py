"""Can false premises be told from true ones without knowing the subjects? By domain and edit, on any graphs.

```
python tests/benchmarks/shortcuts.py starter ../shared/data/wikidata-core ../shared/data/kopl
python tests/benchmarks/shortcuts.py starter --sampling plain --n 1000 --json shortcuts.json
python tests/benchmarks/shortcuts.py starter --direction both --radius 2
```

A graph is `starter`, a folder with triples.tsv, entities.tsv, types.tsv and properties.tsv, or one with kb.json.gz.
`NSC, NNSC, NNSR`: the share of pairs of a true and an edited object in which the commoner one is the true one, coins for ties.
`largest share`: of an object in the items of its relation, true and edited, where the relation has twenty facts or more.
`effective`: the exponential of the entropy of the relations' shares. `made`: of all edits that could be.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from generators.fpq import EDITS, Direction, Options, Result, Sampling, generate
from kg import LocalGraph, open_graph
from kg.graph import Graph
from kg.sources.kopl import load_kopl
from kg.sources.wikidata import WikidataFiles, load_wikidata
from queries.domain import domain_names

ASKED = ("NSC", "NNSC", "NNSR")


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("graphs", nargs="+")
    parser.add_argument("--n", type=int, default=1000, help="facts a domain (1000)")
    parser.add_argument("--sampling", choices=list(Sampling), default=Sampling.even, type=Sampling)
    parser.add_argument("--direction", choices=list(Direction), default=Direction.forward, type=Direction)
    parser.add_argument("--radius", type=int, default=5, help="hops to a near object (5)")
    parser.add_argument("--json", metavar="FILE")
    given = parser.parse_args()
    print("| graph | domain | facts | NSC | NNSC | NNSR | edits made | largest share | effective relations |")
    print("|---|---|---|---|---|---|---|---|---|")
    rows = []
    for name in given.graphs:
        graph = opened(name)
        for domain in domain_names():
            options = Options(n=given.n, sampling=given.sampling, direction=given.direction, radius=given.radius)
            row = measured(generate(graph, domain, options))
            rows.append({"graph": Path(name).name, "domain": domain} | row)
            print(line(rows[-1]), flush=True)
    if given.json is not None:
        Path(given.json).write_text(json.dumps(rows, indent=2) + "\n")


def opened(name: str) -> Graph:
    """Open the starter graph, or load that of a folder."""
    folder = Path(name)
    if name == "starter":
        return open_graph()
    if (folder / "kb.json.gz").exists():
        return LocalGraph.in_memory(load_kopl(folder / "kb.json.gz"))
    paths = [folder / f"{part}.tsv" for part in ("triples", "entities", "types", "properties", "qualifiers", "hidden_objects")]
    found = [path if path.exists() else None for path in paths]
    return LocalGraph.in_memory(load_wikidata(WikidataFiles(folder / "triples.tsv", folder / "entities.tsv", *found[2:])))


def measured(result: Result) -> dict[str, Any]:
    """Return what a table says of a result."""
    guessed = {edit: (pairs, right) for edit, pairs, right in result.guesses.iter_rows()}
    yes_no = result.items.filter(pl.col("task") == "yes_no")
    named = yes_no.select(
        "group",
        p=pl.col("premise").struct.field("relation").struct.field("iri"),
        o=pl.col("premise").struct.field("object").struct.field("iri"),
    )
    facts = named.group_by("p").agg(facts=pl.col("group").n_unique(), items=pl.len())
    share = facts["facts"].to_numpy() / facts["facts"].sum()
    often = named.group_by("p", "o").len().join(facts.filter(pl.col("facts") >= 20), on="p")
    return {
        "facts": len(result.sample.triples),
        **{edit: guessed[edit][1] for edit in ASKED},
        "pairs": {edit: guessed[edit][0] for edit in ASKED},
        "made": float((result.edits.objects >= 0).sum() / max(len(result.sample.triples) * len(EDITS), 1)),
        "largest share": often.select((pl.col("len") / pl.col("items")).max()).item(),
        "effective": float(np.exp(-(share * np.log(share)).sum())),
        "relations": facts.height,
    }


def line(row: dict[str, Any]) -> str:
    """Return a row of the table."""
    guessed = " | ".join("-" if row[edit] is None else f"{row[edit]:.0%} of {row['pairs'][edit]}" for edit in ASKED)
    largest = "-" if row["largest share"] is None else f"{row['largest share']:.1%}"
    return (
        f"| {row['graph']} | {row['domain']} | {row['facts']} | {guessed} | {row['made']:.0%} | {largest} | "
        f"{row['effective']:.1f} of {row['relations']} |"
    )


if __name__ == "__main__":
    main()
