"""What do commands cost as they are typed, beside the best other programs that do some of the same work?

```
python tests/benchmarks/peers.py WIKIDATA-FOLDER --domain art --python PYTHON
```

Each program is a process of its own, start and reading of its files included; the store, and the same facts as Parquet, are
there before. What a peer leaves out its row says. PYTHON has igraph, scipy, duckdb and inspect_ai; what it lacks is left out.

- **audit**: `kgprobe audit --literal 0` of what `fpq` made, beside a program that asks each distinct proof with pyoxigraph, for
  as long as `--seconds`, carried on to all of them.
- **five hops**: `kgprobe fpq`, which besides draws facts, chooses six edits of each and writes questions with proofs, beside
  programs that only find what the subjects of as many facts reach in five hops: igraph and scipy. Both must find as many pairs.
- **a join**: `kgprobe query` beside DuckDB on Parquet; both must count the same.
- **scoring**: `kgprobe verify` of "Yes." and "No." to the yes-no items, every third of them wrong, beside inspect_ai's `match`,
  which compares the first word and reads nothing else; both must find as many right.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

from commands import _KGPROBE, _PARTS, Row, compiled, measured
from queries.records.response import Response

_ASKS = """
import json, sys, time
import pyoxigraph as ox
from queries.templates import proof_query
store, seen, queries = ox.Store.read_only(sys.argv[1]), set(), []
for line in open(sys.argv[2], encoding="utf-8"):
    for proof in json.loads(line)["proof"]:
        key = json.dumps(proof, sort_keys=True)
        if key not in seen:
            seen.add(key)
            queries.append(proof)
order = sorted(range(len(queries)), key=lambda n: n * 2654435761 % 2**32)
begin, asked = time.monotonic(), 0
for n in order:
    proof = queries[n]
    text = proof_query({"rows": None, **proof}, base=None)
    assert bool(store.query(text, use_default_graph_as_union=True)) == proof["expect"], text
    asked += 1
    if time.monotonic() - begin > float(sys.argv[3]):
        break
print(json.dumps([asked, len(queries), time.monotonic() - begin]))
"""
_IGRAPH = """
import sys, numpy as np, igraph as ig
edges, subjects = np.load(sys.argv[1]), np.load(sys.argv[2])
graph = ig.Graph(n=int(edges.max()) + 1, edges=edges, directed=True)
print(sum(len(found) - 1 for found in graph.neighborhood(subjects.tolist(), order=5, mode="out")))
"""
_SCIPY = """
import sys, numpy as np
from scipy.sparse import csr_array, eye_array
edges, subjects = np.load(sys.argv[1]), np.load(sys.argv[2])
n = int(edges.max()) + 1
step = csr_array((np.ones(len(edges), bool), (edges[:, 0], edges[:, 1])), shape=(n, n))
total = 0
for first in range(0, len(subjects), 500):
    some = subjects[first : first + 500]
    reached = front = csr_array((np.ones(len(some), bool), (np.arange(len(some)), some)), shape=(len(some), n))
    for _ in range(5):
        reached = (reached + reached @ step).astype(bool)
    total += reached.nnz - len(some)
print(total)
"""
_JOIN = (
    "SELECT (COUNT(*) AS ?n) {{ SELECT DISTINCT ?a ?b ?c {{ ?a wdt:{0} ?b . ?b wdt:{1} ?c . ?a a ?kind . ?c a ?kind }} }}",
    "select count(*) from (select distinct f.s, g.s, g.o from facts f join facts g on f.o = g.s join types t on t.e = f.s "
    "join types u on u.e = g.o and u.c = t.c where f.p = '{0}' and g.p = '{1}')",
)
_DUCKDB = """
import sys, duckdb
for name in ("facts", "types"):
    duckdb.sql(f"create view {name} as select * from '{sys.argv[1]}/{name}.parquet'")
print(duckdb.sql(sys.argv[2]).fetchall()[0][0])
"""

_MATCH = """
import asyncio, json, sys
from inspect_ai.model import ModelName, ModelOutput
from inspect_ai.scorer import Target, match
from inspect_ai.solver import TaskState
score, model = match(location="begin"), ModelName("mockllm/model")
async def main():
    right = 0
    for line, said in zip(open(sys.argv[1], encoding="utf-8"), open(sys.argv[2], encoding="utf-8"), strict=True):
        item, output = json.loads(line), ModelOutput.from_content("mockllm/model", json.loads(said)["text"])
        state = TaskState(model=model, sample_id=item["id"], epoch=1, input=item["question"], messages=[], output=output)
        right += (await score(state, Target(item["answer"]))).value == "C"
    print(right)
asyncio.run(main())
"""


class Peers:
    """The work on one folder, each piece beside its peers."""

    def __init__(self, files: Path, work: Path, python: str) -> None:
        self.files, self.work, self.python = files, work, python
        self.store, self.items = work / "store", work / "items.jsonl"
        named = [str(part) for name in _PARTS if (path := files / f"{name}.tsv").is_file() for part in (f"--{name}", path)]
        measured("load", [*_KGPROBE, "load", "wikidata", *named, "--store", self.store, "--quiet"])

    def has(self, package: str) -> bool:
        """Say whether the peers' Python has a package; what installs it is told where it has not."""
        there = subprocess.run([self.python, "-c", f"import {package}"], capture_output=True, check=False).returncode == 0
        if not there:
            print(f"left out: `{self.python} -m pip install {package}` first", file=sys.stderr)
        return there

    def said(self, program: str, *given: object) -> str:
        """Return what a peer prints."""
        return subprocess.check_output([self.python, "-c", program, *map(str, given)], text=True).strip()

    def audit(self, domain: str, n: int, seconds: float) -> Iterator[Row]:
        """`fpq` is run here, as the others need its items."""
        made: list[str | Path] = [*_KGPROBE, "fpq", "--domain", domain, "--n", str(n), "--store", self.store]
        self.fpq = measured(f"fpq --n {n}", [*made, "--out", self.items, "--quiet"])
        yield measured("audit", [*_KGPROBE, "audit", self.items, "--store", self.store, "--literal", "0", "--quiet"])
        given = [sys.executable, "-c", _ASKS, str(self.store), str(self.items), str(seconds)]
        asked_of, all_of, took = json.loads(subprocess.check_output(given, text=True))
        whole = took * all_of / asked_of
        yield Row(f"  pyoxigraph, ASK by ASK ({asked_of:,} of {all_of:,} proofs asked, the time carried on)", whole, whole, 0)

    def hops(self) -> Iterator[Row]:
        """`fpq`, and programs that find the neighbours of the subjects of its facts."""
        yield self.fpq
        facts = pl.read_csv(self.files / "triples.tsv", separator="\t", infer_schema=False, quote_char=None)
        names = pl.concat([facts["subject"], facts["object"].alias("subject")]).unique().sort()
        numbers = {name: n for n, name in enumerate(names)}
        edges = facts.select(pl.col("subject", "object").replace_strict(numbers, return_dtype=pl.Int64)).unique().to_numpy()
        asked = pl.read_ndjson(self.items, schema={"premise": pl.Struct({"subject": pl.Struct({"iri": pl.String})})})
        ids = asked["premise"].struct["subject"].struct["iri"].str.extract(r"([^/]+?)>?$").unique().sort()
        np.save(self.work / "edges.npy", edges)
        np.save(self.work / "subjects.npy", np.array([numbers[name] for name in ids if name in numbers]))
        found = {}
        for package, program in (("igraph", _IGRAPH), ("scipy", _SCIPY)):
            if self.has(package):
                given: list[str | Path] = [self.python, "-c", program, self.work / "edges.npy", self.work / "subjects.npy"]
                found[package] = self.said(program, *given[3:])
                yield measured(f"  {package}: five hops of {ids.len():,} subjects and nothing else", given)
        assert len({*found.values()}) < 2, found

    def join(self) -> Iterator[Row]:
        """A join of two facts and two types."""
        facts = pl.read_csv(self.files / "triples.tsv", separator="\t", infer_schema=False, quote_char=None)
        facts.select(s="subject", p="property", o="object").write_parquet(self.work / "facts.parquet")
        types = pl.read_csv(self.files / "types.tsv", separator="\t", infer_schema=False, quote_char=None)
        kinds = [types.select(e="id", c="type"), facts.filter(pl.col("property") == "P31").select(e="subject", c="object")]
        pl.concat(kinds).unique().write_parquet(self.work / "types.parquet")
        chains = facts.join(facts, left_on=["object", "property"], right_on=["subject", "property"])["property"]
        most = chains.value_counts(sort=True)["property"][0]
        asked = [text.format(most, most) for text in _JOIN]
        query: list[str | Path] = [*_KGPROBE, "query", asked[0], "--store", self.store]
        yield measured("query", query)
        if self.has("duckdb"):
            theirs = self.said(_DUCKDB, self.work, asked[1])
            ours = subprocess.check_output([*map(str, query)], text=True)
            assert theirs in ours, (theirs, ours)
            yield measured(f"  DuckDB on Parquet ({int(theirs):,} rows)", [self.python, "-c", _DUCKDB, self.work, asked[1]])

    def scoring(self) -> Iterator[Row]:
        """Verdicts on the shortest of answers."""
        asked, said, verdicts = (self.work / f"{name}.jsonl" for name in ("asked", "said", "verdicts"))
        lines = [line for line in self.items.read_text("utf-8").splitlines(keepends=True) if '"task":"yes_no"' in line]
        asked.write_text("".join(lines), "utf-8")
        with said.open("w", encoding="utf-8") as out:
            for number, line in enumerate(lines):
                item = json.loads(line)
                is_yes = (item["answer"][0].lower() == "yes") == (number % 3 != 0)
                text = "Yes." if is_yes else "No."
                answer = Response(schema="kgprobe.response/1", item=item["id"], model="made:by-rule", sample=0, text=text)
                out.write(answer.line() + "\n")
        verify: list[str | Path] = [*_KGPROBE, "verify", "--items", asked, "--responses", said, "--out", verdicts, "--quiet"]
        yield measured(f"verify of {len(lines):,} answers", verify)
        if self.has("inspect_ai"):
            theirs = self.said(_MATCH, asked, said)
            ours = verdicts.read_text("utf-8").count('"outcome":"correct"')
            assert int(theirs) == ours, (theirs, ours)
            yield measured(
                "  inspect_ai's match, of their first words alone", [self.python, "-c", _MATCH, str(asked), str(said)]
            )


def main() -> None:
    """Run the benchmark."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path, help="tab-separated files as `kg load wikidata` reads them")
    options.add_argument("--domain", default="art")
    options.add_argument("--n", type=int, default=5000)
    options.add_argument("--seconds", type=float, default=60, help="how long proofs are asked one by one")
    options.add_argument("--python", default=sys.executable, help="a Python that has igraph, scipy, duckdb and inspect_ai")
    given = options.parse_args()
    compiled()
    with tempfile.TemporaryDirectory() as work:
        peers = Peers(given.folder, Path(work), given.python)
        print("| program | processor, seconds | on the wall |\n|---|---|---|")
        for piece in (peers.audit(given.domain, given.n, given.seconds), peers.hops(), peers.join(), peers.scoring()):
            for row in piece:
                print(f"| {row.what} | {row.seconds:.2f} | {row.wall:.2f} |", flush=True)


if __name__ == "__main__":
    main()
