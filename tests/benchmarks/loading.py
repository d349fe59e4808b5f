"""What memory does each loader need, and how does that grow with its file?

```
python tests/benchmarks/loading.py                          # 200,000 and 800,000 facts: many minutes, 3 GB of disk
python tests/benchmarks/loading.py --only ttl --only kopl --facts 50000 200000 --things 10000
```

The same made facts (twenty relations, an attribute, a hundred kinds) are written in each format and loaded by `kg load` in a
process of its own, the store and its index included. The things are as many at each size (`--things`), so that what grows with
names does not grow here; with `--things 0` there are a tenth as many as facts. Printed are seconds of all processors, megabytes
of the file, the most that the process held, and how many times as much that is as at the size before: of all, and of what is
beyond the program alone (`kg --version`).
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

_WD, _WDT = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"
_RDF, _RDFS = "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://www.w3.org/2000/01/rdf-schema#"
_XSD = "http://www.w3.org/2001/XMLSchema#"
_RELATIONS, _KINDS, _FIRST = 20, 100, 10_000_000


class Facts(NamedTuple):
    """So many facts between so many things; things and relations are numbers."""

    number: int
    things: int

    def of(self, thing: int) -> Iterator[tuple[int, int]]:
        """Yield the relations and objects of a thing, none of them twice."""
        for n in range(self.number // self.things):
            yield n % _RELATIONS, (thing * 31 + n * 7919) % self.things

    def rows(self) -> Iterator[tuple[int, int, int]]:
        """Yield all facts: thing, relation, object."""
        for thing in range(self.things):
            for relation, other in self.of(thing):
                yield thing, relation, other


def _name(thing: int) -> str:
    return f"Thing Number {thing}"


def _q(number: int) -> str:
    return f"Q{number + 1}"


def _p(relation: int) -> str:
    return f"P{relation + 700_000}"


def _kind(thing: int) -> int:
    return _FIRST + thing % _KINDS


def _nt(facts: Facts) -> Iterator[str]:
    for k in range(_FIRST, _FIRST + _KINDS):
        yield f'<{_WD}{_q(k)}> <{_RDFS}label> "kind {k - _FIRST}"@en .\n'
    for r in range(_RELATIONS):
        yield f'<{_WDT}{_p(r)}> <{_RDFS}label> "relation {r}"@en .\n'
    for s in range(facts.things):
        yield f'<{_WD}{_q(s)}> <{_RDFS}label> "{_name(s)}"@en .\n<{_WD}{_q(s)}> <{_RDF}type> <{_WD}{_q(_kind(s))}> .\n'
        yield f'<{_WD}{_q(s)}> <{_WDT}P1082> "{s}"^^<{_XSD}integer> .\n'
        for p, o in facts.of(s):
            yield f"<{_WD}{_q(s)}> <{_WDT}{_p(p)}> <{_WD}{_q(o)}> .\n"


def _ttl(facts: Facts) -> Iterator[str]:
    yield f"@prefix wd: <{_WD}> .\n@prefix wdt: <{_WDT}> .\n@prefix rdfs: <{_RDFS}> .\n"
    for k in range(_FIRST, _FIRST + _KINDS):
        yield f'wd:{_q(k)} rdfs:label "kind {k - _FIRST}"@en .\n'
    for r in range(_RELATIONS):
        yield f'wdt:{_p(r)} rdfs:label "relation {r}"@en .\n'
    for s in range(facts.things):
        yield f'wd:{_q(s)} a wd:{_q(_kind(s))} ; rdfs:label "{_name(s)}"@en ; wdt:P1082 {s}'
        yield from (f" ;\n  wdt:{_p(p)} wd:{_q(o)}" for p, o in facts.of(s))
        yield " .\n"


def _rdf(facts: Facts) -> Iterator[str]:
    yield f'<rdf:RDF xmlns:rdf="{_RDF}" xmlns:rdfs="{_RDFS}" xmlns:wdt="{_WDT}">\n'
    named = [(f"{_WD}{_q(k)}", f"kind {k - _FIRST}") for k in range(_FIRST, _FIRST + _KINDS)]
    named += [(f"{_WDT}{_p(r)}", f"relation {r}") for r in range(_RELATIONS)]
    for iri, name in named:
        yield f'<rdf:Description rdf:about="{iri}"><rdfs:label xml:lang="en">{name}</rdfs:label></rdf:Description>\n'
    for s in range(facts.things):
        yield f'<rdf:Description rdf:about="{_WD}{_q(s)}"><rdfs:label xml:lang="en">{_name(s)}</rdfs:label>\n'
        yield f'<rdf:type rdf:resource="{_WD}{_q(_kind(s))}"/>'
        yield f'<wdt:P1082 rdf:datatype="{_XSD}integer">{s}</wdt:P1082>\n'
        yield from (f'<wdt:{_p(p)} rdf:resource="{_WD}{_q(o)}"/>\n' for p, o in facts.of(s))
        yield "</rdf:Description>\n"
    yield "</rdf:RDF>\n"


def _jsonld(facts: Facts) -> Iterator[str]:
    context = {"wd": _WD, "wdt": _WDT, "label": {"@id": f"{_RDFS}label", "@language": "en"}}
    yield f'{{"@context": {json.dumps(context)}, "@graph": [\n'
    for k in range(_FIRST, _FIRST + _KINDS):
        yield json.dumps({"@id": f"wd:{_q(k)}", "label": f"kind {k - _FIRST}"}) + ",\n"
    for s in range(facts.things):
        said: dict[str, object] = {f"wdt:{_p(r)}": list[object]() for r in range(_RELATIONS)}
        for p, o in facts.of(s):
            said[f"wdt:{_p(p)}"].append({"@id": f"wd:{_q(o)}"})  # type: ignore[attr-defined]
        node = {"@id": f"wd:{_q(s)}", "@type": f"wd:{_q(_kind(s))}", "label": _name(s), "wdt:P1082": s}
        yield json.dumps(node | said) + ",\n"
    yield ",\n".join(json.dumps({"@id": f"wdt:{_p(r)}", "label": f"relation {r}"}) for r in range(_RELATIONS)) + "\n]}\n"


def _entities(facts: Facts) -> Iterator[str]:
    def line(name: str, label: str, claims: dict[str, list[object]]) -> str:
        return json.dumps({"id": name, "labels": {"en": {"value": label}}, "claims": claims}) + "\n"

    yield from (line(_q(k), f"kind {k - _FIRST}", {}) for k in range(_FIRST, _FIRST + _KINDS))
    yield from (line(_p(r), f"relation {r}", {}) for r in range(_RELATIONS))
    for s in range(facts.things):
        claims: dict[str, list[object]] = {"P31": [_claim("P31", _kind(s))]}
        for p, o in facts.of(s):
            claims.setdefault(_p(p), []).append(_claim(_p(p), o))
        yield line(_q(s), _name(s), claims)


def _claim(predicate: str, other: int) -> object:
    value = {"type": "wikibase-entityid", "value": {"id": _q(other)}}
    return {"mainsnak": {"snaktype": "value", "property": predicate, "datavalue": value}, "rank": "normal"}


def _kopl(facts: Facts) -> Iterator[str]:
    concepts = {_q(k): {"name": f"kind {k - _FIRST}", "subclassOf": []} for k in range(_FIRST, _FIRST + _KINDS)}
    yield f'{{"concepts": {json.dumps(concepts)}, "entities": {{\n'
    for s in range(facts.things):
        related = [
            {"relation": f"relation {p}", "direction": "forward", "object": _q(o), "qualifiers": {}} for p, o in facts.of(s)
        ]
        value = {"key": "population", "value": {"type": "quantity", "value": s, "unit": "1"}, "qualifiers": {}}
        said = {"name": _name(s), "instanceOf": [_q(_kind(s))], "attributes": [value], "relations": related}
        yield f"{json.dumps(_q(s))}: {json.dumps(said)}{',' if s + 1 < facts.things else ''}\n"
    yield "}}\n"


def _text(lines: Callable[[Facts], Iterator[str]], name: str, *words: str) -> Callable[[Facts, Path], list[str]]:
    def write(facts: Facts, folder: Path) -> list[str]:
        with (folder / name).open("w", encoding="utf-8") as out:
            out.writelines(lines(facts))
        return [*words, name]

    return write


def _tsv(facts: Facts, folder: Path) -> list[str]:
    things, kinds = range(facts.things), range(_FIRST, _FIRST + _KINDS)
    triples = ([n, _q(s), _p(p), _q(o)] for n, (s, p, o) in enumerate(facts.rows()))
    names = [*((_q(s), _name(s), "") for s in things), *((_q(k), f"kind {k - _FIRST}", "") for k in kinds)]
    _csv(folder / "triples.tsv", ["n", "subject", "property", "object"], triples)
    _csv(folder / "entities.tsv", ["id", "label", "aliases"], iter(names))
    typed = ((_q(s), _q(_kind(s)), f"kind {_kind(s) - _FIRST}") for s in things)
    _csv(folder / "types.tsv", ["id", "type", "type_label"], typed)
    _csv(folder / "properties.tsv", ["id", "label"], ((_p(r), f"relation {r}") for r in range(_RELATIONS)))
    kinds_of_file = ("triples", "entities", "types", "properties")
    return ["wikidata", *(word for kind in kinds_of_file for word in (f"--{kind}", f"{kind}.tsv"))]


_SCHEMA = """base = "https://example.org/"
[tables.thing]
file = "thing.csv"
key = "id"
label = "name"
types = { id = "integer", size = "integer" }
[tables.fact]
file = "fact.csv"
key = "id"
fk = { thing = "thing", other = "thing" }
types = { id = "integer" }
"""


def _tables(facts: Facts, folder: Path) -> list[str]:
    (folder / "SCHEMA.toml").write_text(_SCHEMA)
    _csv(folder / "thing.csv", ["id", "name", "size"], ((s, _name(s), s) for s in range(facts.things)), ",")
    rows = ([n, s, f"relation {p}", o] for n, (s, p, o) in enumerate(facts.rows()))
    _csv(folder / "fact.csv", ["id", "thing", "relation", "other"], rows, ",")
    return ["tables", "SCHEMA.toml"]


def _csv(path: Path, header: list[str], rows: Iterator[object], separator: str = "\t") -> None:
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, delimiter=separator, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)  # type: ignore[arg-type]


def _sql(*words: str) -> Callable[[Facts, Path], list[str]]:
    def write(facts: Facts, folder: Path) -> list[str]:
        with sqlite3.connect(folder / "facts.db") as database:
            database.executescript(
                "CREATE TABLE thing (id INTEGER PRIMARY KEY, name TEXT, size INTEGER);"
                "CREATE TABLE fact (id INTEGER PRIMARY KEY, thing INTEGER REFERENCES thing (id), relation TEXT,"
                " other INTEGER REFERENCES thing (id));"
            )
            database.executemany("INSERT INTO thing VALUES (?, ?, ?)", ((s, _name(s), s) for s in range(facts.things)))
            rows = ((n, s, f"relation {p}", o) for n, (s, p, o) in enumerate(facts.rows()))
            database.executemany("INSERT INTO fact VALUES (?, ?, ?, ?)", rows)
        database.close()
        return ["sql", "sqlite:///facts.db", *words]

    return write


LOADERS: dict[str, Callable[[Facts, Path], list[str]]] = {
    "nt": _text(_nt, "facts.nt", "rdf"),
    "ttl": _text(_ttl, "facts.ttl", "rdf"),
    "rdf": _text(_rdf, "facts.rdf", "rdf"),
    "jsonld": _text(_jsonld, "facts.jsonld", "rdf"),
    "entities": _text(_entities, "facts.json", "entities"),
    "wikidata": _tsv,
    "kopl": _text(_kopl, "kb.json", "kopl"),
    "tables": _tables,
    "sql": _sql(),
    "sql --mapping direct": _sql("--mapping", "direct"),
}
"""By loader: a function that writes facts into a folder and returns the words behind `kg load`."""


class Run(NamedTuple):
    """Seconds of all processors, and megabytes at most."""

    seconds: float
    megabytes: float


def run(folder: Path, *words: str) -> Run:
    """Run `kg` in a process of its own. Raises SystemExit, with what it said, where it fails."""
    with tempfile.TemporaryFile() as said:
        command = [sys.executable, "-c", "from kg.__main__ import main; main()", *words]
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            sys.exit(f"kg {' '.join(words)}: {said.read().decode()}")
    return Run(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def main() -> None:
    """Print a row for each loader and size."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--facts", type=int, nargs="+", default=[200_000, 800_000])
    parser.add_argument("--things", type=int, default=20_000)
    parser.add_argument("--only", action="append", choices=LOADERS)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kgprobe-loading-") as work:
        bare = run(Path(work), "--version").megabytes
        print(
            f"program alone: {bare:,.0f} MB\n\n| loader | facts | file, MB | seconds | MB at most | growth | beyond program |"
        )
        print("|---|---|---|---|---|---|---|")
        for loader in given.only or LOADERS:
            before: float | None = None
            for number in given.facts:
                with tempfile.TemporaryDirectory(dir=work) as made:
                    folder = Path(made)
                    words = LOADERS[loader](Facts(number, given.things or number // 10), folder)
                    size = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
                    seconds, held = run(folder, "load", *words, "--store", "store", "--quiet")
                grown = "| |" if before is None else f"| {held / before:.2f} | {(held - bare) / (before - bare):.2f} |"
                print(f"| {loader} | {number:,} | {size:,.0f} | {seconds:.1f} | {held:,.0f} {grown}", flush=True)
                before = held


if __name__ == "__main__":
    main()
