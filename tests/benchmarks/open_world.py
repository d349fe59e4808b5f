"""How many false premises are true after all? Withhold some facts, make questions from the rest, and look.

```
python tests/benchmarks/open_world.py ../shared/data/wikidata-core
python tests/benchmarks/open_world.py ../shared/data/wikidata-core --n 2000 --share 0.03 --seeds 3 --json open-world.json
```

The folder holds triples.tsv, entities.tsv, types.tsv and properties.tsv. A fact is withheld if the hash of seed and line says
so; an edited object counts as true if the withheld facts state it of the same subject and relation.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
from collections import Counter
from pathlib import Path

import polars as pl

from generators.fpq import Options, generate
from kg import LocalGraph
from kg.sources.wikidata import WikidataFiles, load_wikidata
from queries.domain import domain_names, find_domain

EDITS = ("NSC", "NDC", "NNSC", "NNDC", "NNSR", "NNDR")


def main() -> None:
    """Measure, print a table, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="triples.tsv, entities.tsv, types.tsv, properties.tsv")
    parser.add_argument("--share", type=float, default=0.03, help="the share of facts withheld (0.03)")
    parser.add_argument("--n", type=int, default=5000, help="facts asked about per domain (5000)")
    parser.add_argument("--seeds", type=int, default=1, help="how many times, each with facts withheld anew (1)")
    parser.add_argument("--json", type=Path, help="write the numbers here too")
    parser.add_argument("--show", type=int, default=0, help="show so many of those that are true")
    options = parser.parse_args()
    made: Counter[tuple[str, str]] = Counter()
    true: Counter[tuple[str, str]] = Counter()
    for seed in range(options.seeds):
        _measure(options, seed, made, true)
    rows = _table(made, true)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


def _measure(options: argparse.Namespace, seed: int, made: Counter[tuple[str, str]], true: Counter[tuple[str, str]]) -> None:
    graph, withheld = _split(options.folder, options.share, seed)
    for domain in domain_names():
        items = generate(graph, find_domain(domain), Options(n=options.n, seed=seed)).items
        false = items.filter((pl.col("task") == "yes_no") & (pl.col("variant") != "tpq"))
        premise = false.select("variant", "question", **_terms())
        hits = premise.join(withheld, on=["s", "p", "o"], how="semi")
        made.update({(domain, e): n for e, n in premise.group_by("variant").len().iter_rows()})
        true.update({(domain, e): n for e, n in hits.group_by("variant").len().iter_rows()})
        for row in hits.head(options.show).iter_rows(named=True):
            print(f"  {row['variant']:>4}  {row['question']}")


def _terms() -> dict[str, pl.Expr]:
    parts = {"s": "subject", "p": "relation", "o": "object"}
    return {k: pl.col("premise").struct.field(v).struct.field("iri").str.extract(r"([^/]+)$") for k, v in parts.items()}


def _split(folder: Path, share: float, seed: int) -> tuple[LocalGraph, pl.DataFrame]:
    """Load all but a share of the facts; return the graph, and the facts withheld: s, p, o."""
    lines = (folder / "triples.tsv").read_text().splitlines(keepends=True)
    limit = int(share * 2**32)
    out = [int.from_bytes(hashlib.sha256(f"{seed}:{line}".encode()).digest()[:4], "big") < limit for line in lines]
    with tempfile.TemporaryDirectory() as name:
        kept = Path(name) / "triples.tsv"
        kept.write_text(lines[0] + "".join(line for line, gone in zip(lines[1:], out[1:], strict=True) if not gone))
        files = WikidataFiles(kept, folder / "entities.tsv", folder / "types.tsv", folder / "properties.tsv")
        graph = LocalGraph.in_memory(load_wikidata(files))
    facts = [line.rstrip("\n").split("\t")[1:4] for line, gone in zip(lines[1:], out[1:], strict=True) if gone]
    return graph, pl.DataFrame(facts, schema=["s", "p", "o"], orient="row")


def _table(made: Counter[tuple[str, str]], true: Counter[tuple[str, str]]) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    print("| edit | " + " | ".join(domain_names()) + " | all |")
    print("|---|" + "---|" * (len(domain_names()) + 1))
    for edit in (*EDITS, "all"):
        cells = []
        for domain in (*domain_names(), "all"):
            keys = [k for k in made if domain in (k[0], "all") and edit in (k[1], "all")]
            m, t = sum(made[k] for k in keys), sum(true[k] for k in keys)
            rows.append({"edit": edit, "domain": domain, "made": m, "true": t, "share": t / m if m else None})
            cells.append(f"{t} of {m} ({t / m:.3%})" if m else "-")
        print(f"| {edit} | " + " | ".join(cells) + " |")
    return rows


if __name__ == "__main__":
    main()
