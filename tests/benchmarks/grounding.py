"""Whether a graph that judges beside the rules judges rightly, on answers whose truth is known.

```
python tests/benchmarks/grounding.py --wikidata ../shared/data/wikidata-core
python tests/benchmarks/grounding.py --wikidata ../shared/data/wikidata-core --json grounding.json
```

*Moved facts*: 3% of the facts are moved out of the graph that the items are made from, and back for judging. Answers that
name a moved fact are right by the graph and wrong by the item: each should be `correct: stated`. Answers that name
something else should stay wrong.

*Scripted explanations*: facts that are so, that are not (the objects of the pair are all there, and another one is said),
and that nobody can tell (the objects of the pair are not all there), said in sentences of `styles.toml`, which was written
beside no wording. Precision and recall are those of *contradicted*; the time is that of `verify` with and without
`--ground` on the same answers.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from evaluators.grounding.wordings import names_of
from kg import Graph, open_graph
from kg.text import fold
from queries.domain import domain_names, find_domain
from queries.templates import find

Row = dict[str, Any]
STYLES = Path(__file__).parents[1] / "fixtures" / "evaluators" / "grounding" / "styles.toml"
FILES = {"entities": "entities.tsv", "types": "types.tsv", "properties": "properties.tsv", "incomplete": "hidden_objects.tsv"}


def hashed(*parts: str) -> int:
    """Return a number that is drawn by a hash of some texts.

    >>> hashed("a") == hashed("a")
    True
    """
    return int.from_bytes(hashlib.sha256("\0".join(parts).encode()).digest()[:8], "big")


def command(*words: str | Path) -> str:
    """Run a command of ours; its notes are returned."""
    done = subprocess.run([sys.executable, "-m", *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    return done.stderr


def load(source: Path, triples: Path, store: Path) -> None:
    """Load Wikidata's files into a store, with these triples."""
    files = [word for option, name in FILES.items() for word in (f"--{option}", source / name)]
    command("kg", "load", "wikidata", "--triples", triples, *files, "--store", store, "--quiet")


def write(path: Path, rows: Iterable[Row]) -> Path:
    """Write JSON Lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def read(path: Path) -> list[Row]:
    """Read JSON Lines."""
    return [json.loads(line) for line in path.open(encoding="utf-8")]


def response(item: str, model: str, text: str, sample: int = 0) -> Row:
    """Return an answer as a record."""
    return {"schema": "kgprobe.response/1", "item": item, "model": model, "sample": sample, "text": text}


def moved_facts(source: Path, folder: Path, whole: Path) -> Row:
    """Make items from a graph without 3% of its facts, and judge answers that name these by the whole one."""
    with (source / "triples.tsv").open(encoding="utf-8") as stream:
        head, *lines = stream.readlines()
    kept = [line for line in lines if hashed("moved", *line.split("\t")[1:]) % 100 >= 3]
    moved: dict[tuple[str, str], list[str]] = defaultdict(list)
    for _, s, p, o in csv.reader(set(lines) - set(kept), delimiter="\t"):
        moved[s, p].append(o)
    (folder / "kept.tsv").write_text(head + "".join(kept))
    load(source, folder / "kept.tsv", folder / "without")
    made = [*_factbench(folder), *_plain_items(open_graph(folder / "without"), moved)]
    labels = dict(open_graph(whole).select("SELECT ?e ?label { ?e rdfs:label ?label }").select("e", "label").rows())
    items, answers = [], []
    for item in made:
        s, p = (bound["term"].strip("<>").rpartition("/")[2] for bound in item["proof"][0]["bind"][:2])
        listed = set(map(fold, item["answer"]))
        names = [labels.get(f"http://www.wikidata.org/entity/{o}") for o in moved.get((s, p), ())]
        new = [name for name in names if name and fold(name) not in listed]
        if new:
            items.append(item)
            subject = item["given"][0]["value"]
            for n, text in enumerate((f"{new[0]}.", f"The answer is {new[0]}.", f"{subject}: {new[0]}", "Atlantis.")):
                answers.append(response(item["id"], "moved" if n < 3 else "other", text, n))
    write(folder / "stale.jsonl", items)
    write(folder / "answers.jsonl", answers)
    options: list[str | Path] = ["--items", folder / "stale.jsonl", "--responses", folder / "answers.jsonl", "--store", whole]
    command("evaluators.verify", *options, "--ground", "--out", folder / "grounded.jsonl")
    command("evaluators.verify", *options, "--out", folder / "plain.jsonl")
    outcomes = {
        name: Counter(f"{v['model']}: {v['outcome']} {v['reason']}" for v in read(folder / f"{name}.jsonl"))
        for name in ("plain", "grounded")
    }
    return {"items": len(items), **{name: dict(counts) for name, counts in outcomes.items()}}


def _factbench(folder: Path) -> list[Row]:
    """Make FACT-BENCH's questions of the graph without the facts."""
    made = folder / "open.jsonl"
    command("generators.factbench", "--store", folder / "without", "--n", "20000", "--out", made, "--quiet")
    return read(made)


def _plain_items(graph: Graph, moved: Mapping[tuple[str, str], list[str]]) -> list[Row]:
    """Ask for the objects of each pair that lost one and has others left, as a user's own items may."""
    query = """SELECT DISTINCT ?s ?p ?label ?sl ?ol {
        ?p a kgp:Relation ; rdfs:label ?label . ?s ?p ?o ; rdfs:label ?sl . ?o rdfs:label ?ol }"""
    left = graph.select(query).with_columns(pl.col("s", "p").str.split("/").list.last().name.suffix("_id"))
    lost = pl.DataFrame([*moved], schema=["s_id", "p_id"], orient="row")
    found = left.join(lost, on=["s_id", "p_id"]).group_by("s", "p", "label", "sl", maintain_order=True).agg("ol")
    version = find("true_objects").version
    return [
        {"schema": "kgprobe.item/1", "id": f"plain.{n}", "method": "mine", "family": "plain", "task": "open",
         "variant": "basic",
         "question": f"Name a {label} of {subject}.", "answer": names, "answer_type": "entity", "group": f"plain.{n}",
         "given": [{"slot": "subject", "value": subject}],
         "proof": [{"query": f"true_objects@{version}", "expect": None, "rows": [],
                    "bind": [{"name": "s", "term": f"<{s}>"}, {"name": "p", "term": f"<{p}>"}]}]}
        for n, (s, p, label, subject, names) in enumerate(found.sort("s", "p").iter_rows())
    ]  # fmt: skip


class Fact(NamedTuple):
    """A fact as it is said: names, label, whether it is so, is not, or cannot be told, and what was said."""

    subject: str
    label: str
    object: str
    truth: str
    text: str
    styled: bool


def scripted(graph: Graph, n: int) -> list[Fact]:
    """Draw facts and say them."""
    styles = tomllib.loads(STYLES.read_text("utf-8"))
    names = {row["e"]: row["label"] for row in graph.select("SELECT ?e ?label { ?e rdfs:label ?label }").to_dicts()}
    often = Counter(fold(name) for name in names.values())
    facts = (
        graph.select("SELECT ?s ?p ?label ?o { ?p a kgp:Relation ; rdfs:label ?label . ?s ?p ?o }").unique().sort("s", "p", "o")
    )
    hidden = set(graph.schema("SELECT ?s ?p { ?s kgp:incomplete ?p }").select("s", "p").rows())
    domains = [find_domain(name) for name in domain_names()]
    listed = {label for domain in domains for label in domain.relations}
    unlisted = {label for domain in domains for label in domain.open}
    of_kinds = [(kind, labels) for domain in domains for kind, labels in domain.open_of.items()]
    typed = graph.select("SELECT DISTINCT ?e ?l { ?e rdf:type ?c . ?c rdfs:label ?l }").rows()
    kinds = {kind: {e for e, concept in typed if fold(concept).endswith(kind)} for kind, _ in of_kinds}
    beside: dict[str, set[str]] = defaultdict(set)
    objects: dict[tuple[str, str], set[str]] = defaultdict(set)
    of_relation: dict[str, list[str]] = defaultdict(list)
    for s, p, _, o in facts.iter_rows():
        beside[s].add(o)
        beside[o].add(s)
        objects[s, p].add(o)
        of_relation[p].append(o)
    said: list[Fact] = []
    rows = sorted(
        (row for row in facts.iter_rows() if row[2] in styles["relations"]),
        key=lambda row: hashed("row", row[0], row[1], row[3]),
    )
    per_relation: Counter[str] = Counter()
    most = max(60, n // 25)
    for s, p, label, o in rows:
        if len(said) >= n:
            break
        if s not in names or o not in names or per_relation[label] >= most or not _plain(names[s], often):
            continue
        per_relation[label] += 1
        turn = hashed("turn", s, p, o) % 3
        truth, claimed = "stated", o
        if turn:
            pool = of_relation[p]
            start = hashed("false", s, p, o)
            others = (pool[(start + k) % len(pool)] for k in range(60))
            true = objects[s, p]
            fit = (x for x in others if x in names and _plain(names[x], often) and _apart(x, s, true, beside, names))
            claimed = next(fit, "")
            own = names_of(label)
            left_open = not own.isdisjoint(unlisted) or any(own & set(of) for kind, of in of_kinds if s in kinds[kind])
            if (s, p) in hidden or left_open:
                truth = "unknown" if label not in _BOTH_WAYS else ""
            else:
                truth = "contradicted" if own & listed else ""
        elif not _plain(names[o], often):
            continue
        if claimed and truth:
            text, styled = _said(styles, label, names[s], names[claimed], hashed("style", s, p, o))
            said.append(Fact(names[s], label, names[claimed], truth, text, styled))
    return said


_BOTH_WAYS = ("capital", "capital of", "shares border with")
"""Relations that the graph has both ways: where one pair cannot tell, the other may."""


def _plain(name: str, often: Counter[str]) -> bool:
    """Tell whether a name is that of one thing, and of some length."""
    return often[fold(name)] == 1 and len(name) > 3 and name[0].isalnum()


def _apart(claimed: str, subject: str, true: set[str], beside: Mapping[str, set[str]], names: Mapping[str, str]) -> bool:
    """Tell whether what is claimed has nothing to do with the subject, nor with any true object, and is called otherwise."""
    words = set(fold(names[claimed]).split())
    if claimed in true or claimed in beside[subject] or claimed == subject:
        return False
    for o in true:
        own = set(fold(names.get(o, "")).split())
        if o in beside[claimed] or not beside[o].isdisjoint([]) or own <= words or words <= own:
            return False
    return True


def _said(styles: Row, label: str, s: str, o: str, draw: int) -> tuple[str, bool]:
    """Say a fact: two times in three in the relation's own words."""
    own = styles["relations"][label]
    styled = draw % 3 > 0
    general = [*styles["general"]["sentences"], *styles["general"]["lists"]]
    usable = (
        own
        if styled
        or label.endswith((" by", " of"))
        or label in ("founded by", "shares border with", "nominated for", "educated at")
        else general
    )
    text = usable[draw // 3 % len(usable)]
    return text.format(s=s, o=o, label=label, Label=label[0].upper() + label[1:]), usable is own


def explanations(graph: Graph, store: Path, folder: Path, n: int) -> Row:
    """Judge scripted explanations, and hold how their claims stand against what is known of them."""
    said = scripted(graph, n)
    items = [
        {"schema": "kgprobe.item/1", "id": f"said.{k}", "method": "scripted", "family": "said", "task": "yes_no",
         "variant": "basic",
         "question": f"Is it so, about {fact.subject}?", "answer": ["yes"], "group": f"said.{k}",
         "given": [{"slot": "subject", "value": fact.subject}]}
        for k, fact in enumerate(said)
    ]  # fmt: skip
    write(folder / "said.jsonl", items)
    write(folder / "says.jsonl", (response(f"said.{k}", "m", f"Yes. {fact.text}") for k, fact in enumerate(said)))
    options: list[str | Path] = ["--items", folder / "said.jsonl", "--responses", folder / "says.jsonl", "--quiet"]
    command("evaluators.verify", *options, "--store", store, "--ground", "--out", folder / "said-verdicts.jsonl")
    claims: dict[str, list[Row]] = defaultdict(list)
    for claim in read(folder / "said-verdicts.claims.jsonl"):
        claims[claim["item"]].append(claim)
    matrix: Counter[tuple[str, str]] = Counter()
    by_relation: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    odd: list[Row] = []
    for k, fact in enumerate(said):
        own = [c for c in claims[f"said.{k}"] if {c["subject"]["label"], c["object"]["label"]} == {fact.subject, fact.object}]
        standing = own[0]["standing"] if own else "nothing read"
        matrix[fact.truth, standing] += 1
        by_relation[fact.label][fact.truth, standing] += 1
        if standing != fact.truth:
            odd.append({**fact._asdict(), "standing": standing, "true": own[0]["true"] if own else None})
    write(folder / "odd.jsonl", odd)
    called = sum(v for (_, standing), v in matrix.items() if standing == "contradicted")
    false = sum(v for (truth, _), v in matrix.items() if truth == "contradicted")
    right = matrix["contradicted", "contradicted"]
    return {
        "explanations": len(said),
        "matrix": {f"{truth} -> {standing}": v for (truth, standing), v in sorted(matrix.items())},
        "precision": right / called if called else None,
        "recall": right / false if false else None,
        "by_relation": {
            label: {f"{t} -> {s}": v for (t, s), v in sorted(counts.items())} for label, counts in by_relation.items()
        },
    }


def speed(folder: Path, store: Path, answers: int) -> Iterator[tuple[str, float]]:
    """Yield what `verify` judges a second, without and with the graph: two sizes tell the start apart."""
    items, said = read(folder / "said.jsonl"), read(folder / "says.jsonl")
    for kind in ("plain", "ground"):
        took = []
        for n in (answers // 4, answers):
            write(folder / "some.jsonl", ({**items[k % len(items)], "id": f"i{k}"} for k in range(n)))
            write(folder / "saying.jsonl", ({**said[k % len(said)], "item": f"i{k}"} for k in range(n)))
            options: list[str | Path] = [
                "--items",
                folder / "some.jsonl",
                "--responses",
                folder / "saying.jsonl",
                "--store",
                store,
                "--quiet",
            ]
            start = time.perf_counter()
            command("evaluators.verify", *options, *(["--ground"] if kind == "ground" else []), "--out", folder / "timed.jsonl")
            took.append(time.perf_counter() - start)
        yield f"answers a second, {kind}", (answers - answers // 4) / (took[1] - took[0])


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--wikidata", type=Path, required=True, help="a folder of Wikidata's files")
    parser.add_argument("--store", type=Path, help="the same, loaded already")
    parser.add_argument("--explanations", type=int, default=5000, help="how many (5,000)")
    parser.add_argument("--answers", type=int, default=20_000, help="how many are timed (20,000; 0: none)")
    parser.add_argument("--only", choices=("moved", "explanations"), help="a part alone")
    parser.add_argument("--keep", type=Path, help="a folder for the files that are made")
    parser.add_argument("--json", metavar="FILE", help="write the numbers there too")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = given.keep or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        store = given.store or folder / "whole"
        if given.store is None:
            load(given.wikidata, given.wikidata / "triples.tsv", store)
        found: Row = {}
        if given.only != "moved":
            found["explanations"] = explanations(open_graph(store), store, folder, given.explanations)
            found |= dict(speed(folder, store, given.answers)) if given.answers else {}
        if given.only != "explanations":
            found["moved"] = moved_facts(given.wikidata, folder, store)
    print(json.dumps(found, indent=2))
    if given.json:
        Path(given.json).write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
