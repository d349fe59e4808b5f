"""From a million rows to a hundred thousand items: time and memory by size, and a join of three hops against polars.

```
python tests/benchmarks/rows.py                          # 100,000, 300,000 and 1,000,000 rows: many minutes, 8 GB of disk
python tests/benchmarks/rows.py --rows 2000 4000 --items 500 --json -
```

A seeded SQLite database of films, people, cities and countries is loaded into a folder (`kg load sql`), asked about over three
foreign keys (`generators.family`, which checks the dependency on all rows), and audited. Each command runs in a process of its
own; what is told is its time (of all processors) and its largest memory. The join projects two names over the three hops, its
patterns written from the small end; beside it, the edge tables are pulled by SELECTs and joined in polars, in memory and in the
folder.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl

from kg import LocalGraph
from kg.sources.sql import load_sql

BASE = "https://example.org/films/"
SCHEMA = """
CREATE TABLE country (id INTEGER PRIMARY KEY, name TEXT UNIQUE, continent TEXT);
CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT, country INTEGER REFERENCES country (id));
CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, born TEXT, city INTEGER REFERENCES city (id));
CREATE TABLE film (id INTEGER PRIMARY KEY, title TEXT, year INTEGER, minutes INTEGER, director INTEGER REFERENCES person (id));
"""
FAMILY = """#+ name: birthplace
#+ summary: The country of the city where the director of a film was born
#+ method: family
#+ domain: film
#+ task: yes_no
#+ key: [title, year]
#+ answer: country
#+ rationale: [director, city, country]
#+ question:
#+   basic: "Is there a film “{title}” of {year} whose director was born in a city of some country?"
SELECT ?title ?year ?director ?city ?country WHERE {
  ?c <country#name> ?country . ?t <city#ref-country> ?c ; <city#name> ?city .
  ?p <person#ref-city> ?t ; <person#name> ?director . ?f <film#ref-director> ?p ; <film#title> ?title ; <film#year> ?year
}
"""
JOIN = f"""BASE <{BASE}>
SELECT ?title ?country WHERE {{
  ?c <country#name> ?country . ?t <city#ref-country> ?c . ?p <person#ref-city> ?t .
  ?f <film#ref-director> ?p ; <film#title> ?title
}}"""
EDGES = ("country#name", "city#ref-country", "person#ref-city", "film#ref-director", "film#title")
_SYLLABLES = ("ba", "ko", "ri", "tan", "mel", "os", "wen", "dar", "lu", "pi", "sha", "gor", "vin", "eth", "ul", "na")


def make(path: Path, rows: int) -> None:
    """Write a database of about so many rows, a third of them people."""
    rng = random.Random(rows)
    cities, people = max(rows // 100, 10), rows // 3
    with sqlite3.connect(path) as database:
        database.executescript(SCHEMA)
        countries = ((n, f"{_name(rng, 3)} {n}", rng.choice(["Asia", "Europe", "Africa", "America"])) for n in range(150))
        database.executemany("INSERT INTO country VALUES (?, ?, ?)", countries)
        _insert(database, "city", cities, lambda n: (n, f"{_name(rng, 3)} {_name(rng, 2)}", rng.randrange(150)))
        _insert(database, "person", people, lambda n: (n, f"{_name(rng, 3)} {_name(rng, 4)}", _day(rng), rng.randrange(cities)))
        _insert(database, "film", rows - cities - people - 150, lambda n: _film(rng, n, people))
    database.close()


def _insert(database: sqlite3.Connection, table: str, n: int, row: Callable[[int], tuple[Any, ...]]) -> None:
    places = ", ".join("?" * len(row(0)))
    database.executemany(f"INSERT INTO {table} VALUES ({places})", (row(k) for k in range(n)))


def _film(rng: random.Random, n: int, people: int) -> tuple[Any, ...]:
    title = f"The {_name(rng, 3)} of {_name(rng, 3)} {_name(rng, 2)}"
    return n, title, rng.randrange(1930, 2024), rng.randrange(60, 200), rng.randrange(people)


def _name(rng: random.Random, syllables: int) -> str:
    return "".join(rng.choices(_SYLLABLES, k=syllables)).capitalize()


def _day(rng: random.Random) -> str:
    return f"{rng.randrange(1880, 2000)}-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}"


_MEASURED = """
import json, resource, subprocess, sys
code = subprocess.run(sys.argv[1:], check=False).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([code, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]))
"""


def command(folder: Path, *words: str) -> dict[str, float]:
    """Run a command of ours in a process of its own: seconds of all processors, and megabytes at most."""
    line = [sys.executable, "-c", _MEASURED, sys.executable, "-m", *words, "--quiet"]
    said = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=True).stdout.splitlines()[-1]
    code, seconds, megabytes = json.loads(said)
    if code:
        raise SystemExit(f"{' '.join(words)}: exit {code}")
    return {"seconds": round(seconds, 1), "megabytes": round(megabytes)}


def commands(folder: Path, rows: int, items: int) -> dict[str, dict[str, float]]:
    """From the database to audited items."""
    make(folder / "films.db", rows)
    (folder / "birthplace.rq").write_text(FAMILY)
    facts = str(min(items, rows // 2))
    asked = ["generators.family", "birthplace.rq", "--n", facts, "--store", "store", "--out", "items.jsonl"]
    return {
        "load": command(folder, "kg", "load", "sql", "sqlite:///films.db", "--base", BASE, "--store", "store"),
        "items": command(folder, *asked),
        "audit": command(folder, "kg", "audit", "items.jsonl", "--store", "store"),
    }


def joins(folder: Path) -> dict[str, float]:
    """The join by SPARQL, in memory and in the folder, in times of pulling the edge tables and joining in polars."""
    memory, disk = (
        LocalGraph.in_memory(load_sql(f"sqlite:///{folder / 'films.db'}", base=BASE)),
        LocalGraph.open(folder / "store"),
    )
    found = {}
    for name, graph in (("in memory", memory), ("in the folder", disk)):
        by_sparql, by_polars = (min(_timed(way, graph) for _ in range(3)) for way in (_sparql, _polars))
        found[f"{name}: SPARQL, seconds"], found[f"{name}: polars, seconds"] = round(by_sparql, 2), round(by_polars, 2)
    found["in memory, SPARQL : polars"] = round(found["in memory: SPARQL, seconds"] / found["in memory: polars, seconds"], 2)
    # The goal for the folder is against the edges of the graph in memory, too: that is what one would do instead.
    found["in the folder, SPARQL : polars in memory"] = round(
        found["in the folder: SPARQL, seconds"] / found["in memory: polars, seconds"], 2
    )
    assert _sparql(memory).sort("title", "country").equals(_polars(memory).sort("title", "country"))
    return found


def _timed(way: Callable[[LocalGraph], pl.DataFrame], graph: LocalGraph) -> float:
    gc.collect()
    start = time.process_time()
    way(graph)
    return time.process_time() - start


def _sparql(graph: LocalGraph) -> pl.DataFrame:
    return graph.select(JOIN)


def _polars(graph: LocalGraph) -> pl.DataFrame:
    country, of_city, of_person, of_film, title = (graph.select(f"SELECT ?a ?b {{ ?a <{BASE}{edge}> ?b }}") for edge in EDGES)
    films = of_film.join(of_person, left_on="b", right_on="a").join(of_city, left_on="b_right", right_on="a", suffix="_city")
    named = films.join(country, left_on="b_city", right_on="a", suffix="_country").join(title, on="a", suffix="_title")
    return named.select(title="b_title", country="b_country")


def measured(sizes: list[int], items: int) -> Iterator[dict[str, Any]]:
    """Go through the sizes."""
    for rows in sizes:
        with tempfile.TemporaryDirectory() as name:
            yield {"rows": rows, "items": items, "commands": commands(Path(name), rows, items), "joins": joins(Path(name))}


def main() -> None:
    """Print a table of all sizes."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument(
        "--rows", type=int, nargs="+", default=[100_000, 300_000, 1_000_000], help="rows of all tables together"
    )
    parser.add_argument("--items", type=int, default=100_000, help="how many items are written (100,000)")
    parser.add_argument("--json", metavar="FILE", help="write the numbers there; `-` is stdout")
    given = parser.parse_args()
    found = []
    for size in measured(given.rows, given.items):
        found.append(size)
        told = ", ".join(f"{name} {used['seconds']} s {used['megabytes']} MB" for name, used in size["commands"].items())
        print(f"{size['rows']:,} rows: {told}; {size['joins']}", file=sys.stderr)
    text = json.dumps({"processors": os.cpu_count(), "sizes": found}, indent=2)
    if given.json and given.json != "-":
        Path(given.json).write_text(text + "\n")
    else:
        print(text)


if __name__ == "__main__":
    main()
