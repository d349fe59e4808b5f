"""Every reader of what a user gives, each with sound files that it reads: what is damaged to see what a reader says."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from evaluators.import_log import lm_eval_responses
from evaluators.models.prices import read_prices
from evaluators.models.replay import open_replay
from evaluators.prompts.setting import load_setting
from evaluators.report.build import write_report
from evaluators.report.read import RunFiles
from evaluators.verify.question import read_questions as judged_questions
from evaluators.verify.stream import verdicts
from generators.autodebug.qa_files import read_questions
from generators.factbench.kinds import domain_lists
from generators.factbench.wordings import load_wordings
from generators.unseenqa.qa_files import read_qa
from generators.unseenqa.templates import load_templates
from kg import LocalGraph, open_graph
from kg.errors import InputError
from kg.local import build_store
from kg.output import answer
from kg.patch import read_patch
from kg.sorted_runs import Scratch
from kg.sources.entities import load_entities
from kg.sources.kopl import load_kopl
from kg.sources.rdf import load_rdf, names_of_properties
from kg.sources.sql import load_sql
from kg.sources.tables import load_tables
from kg.sources.wikidata import WikidataFiles, load_wikidata
from mutations import damaged
from queries.audit import audit_items
from queries.domain import find_domain
from queries.records import RECORDS, Item, read, read_frame
from queries.templates import load as load_template
from queries.templates.render import proofs_text

FIXTURES = Path(__file__).parents[1] / "fixtures"
_HOSTILE = FIXTURES / "hostile"
_KG = FIXTURES / "kg"


class Reader(NamedTuple):
    """A reader: the sound files it is given, by their names, and how it is called with the folder they lie in."""

    files: dict[str, bytes]
    read: Callable[[Path], object]


class Case(NamedTuple):
    """Files in a folder, and the reader that they are given to."""

    reader: str
    folder: Path

    def run(self) -> None:
        """Give the files to the reader. Raises what the reader raises."""
        READERS[self.reader].read(self.folder)


def _of(*paths: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in paths}


def _database(script: Path) -> bytes:
    with contextlib.closing(sqlite3.connect(":memory:")) as made:
        made.executescript(script.read_text("utf-8"))
        return made.serialize()


def _stored(folder: Path, load: Callable[[Scratch], object]) -> None:
    """Load as the command does: nothing is there after a fault."""
    store = folder / "store"
    with Scratch(store) as scratch:
        build_store(store, load(scratch))  # type: ignore[arg-type]


def _wikidata(folder: Path) -> None:
    kinds = ("triples", "entities", "types", "properties", "qualifiers", "incomplete", "attributes")
    load_wikidata(WikidataFiles(*(folder / f"{kind}.tsv" for kind in kinds)))


def _audit(folder: Path) -> None:
    audit_items(_graph(), str(folder / "items.jsonl"))


def _rendered(folder: Path) -> None:
    for item in read(folder / "items.jsonl", Item):
        for _ in proofs_text(item, file=str(folder / "items.jsonl")):
            pass


def _report(folder: Path) -> None:
    items, responses, verdicts = (str(folder / f"{name}.jsonl") for name in ("items", "responses", "verdicts"))
    write_report([RunFiles(None, items=items, responses=responses, verdicts=verdicts)], folder / "report")


def _judged(folder: Path) -> None:
    items = str(folder / "items.jsonl")
    judged_questions(items)
    for _ in verdicts(items, str(folder / "responses.jsonl")):
        pass


def _records(name: str, file: str) -> Callable[[Path], object]:
    def run(folder: Path) -> None:
        read(folder / file, RECORDS[name])
        read_frame(folder / file, RECORDS[name])

    return run


def _queried(folder: Path) -> None:
    text = (folder / "query.rq").read_bytes().decode("utf-8", "replace")
    answer(_graph(), text, None, str(folder / "rows.txt"))


_GRAPHS: list[LocalGraph] = []


def _graph() -> LocalGraph:
    if not _GRAPHS:
        graph = open_graph()
        assert isinstance(graph, LocalGraph)
        _GRAPHS.append(graph)
    return _GRAPHS[0]


def _replayed(folder: Path) -> object:
    return open_replay(str(folder / "responses.jsonl"), None)


_SETTINGS = FIXTURES / "evaluators" / "settings"
_ANSWERED = _of(*(_HOSTILE / f"{name}.jsonl" for name in ("items", "responses", "verdicts")))

READERS: dict[str, Reader] = {
    "kg load wikidata": Reader(_of(*(_KG / "wikidata").iterdir()), _wikidata),
    "kg load entities": Reader(_of(_KG / "entities" / "dump.json"), lambda f: load_entities([f / "dump.json"])),
    "kg load kopl": Reader(_of(_KG / "kopl" / "kb.json"), lambda f: load_kopl(f / "kb.json")),
    "kg load tables": Reader(_of(*(_KG / "films").iterdir()), lambda f: _stored(f, lambda _: load_tables(f / "SCHEMA.toml"))),
    "kg load rdf": Reader(_of(*(_KG / "rdf").iterdir()), lambda f: load_rdf(sorted(f.iterdir()))),
    "kg load rdf --properties": Reader(_of(_HOSTILE / "properties.tsv"), lambda f: names_of_properties(f / "properties.tsv")),
    "kg load sql": Reader(
        {"shop.sqlite": _database(_KG / "sql" / "both.sql")}, lambda f: load_sql(f"sqlite:///{f / 'shop.sqlite'}")
    ),
    "kg load sql --mapping direct": Reader(
        {"shop.sqlite": _database(_KG / "sql" / "direct.sql")},
        lambda f: load_sql(f"sqlite:///{f / 'shop.sqlite'}", mapping="direct"),
    ),
    "kg load patch": Reader(_of(_HOSTILE / "patch.ttl"), lambda f: read_patch([f / "patch.ttl"], [], "http://e.org/")),
    "kg query": Reader(_of(_HOSTILE / "query.rq"), _queried),
    "kg audit": Reader({"items.jsonl": _ANSWERED["items.jsonl"]}, _audit),
    "queries render": Reader({"items.jsonl": _ANSWERED["items.jsonl"]}, _rendered),
    "queries check": Reader(_of(_HOSTILE / "template.rq"), lambda f: load_template(f / "template.rq")),
    "queries check FAMILY": Reader(_of(_HOSTILE / "family.rq"), lambda f: load_template(f / "family.rq")),
    "records items": Reader({"items.jsonl": _ANSWERED["items.jsonl"]}, _records("item", "items.jsonl")),
    "records responses": Reader({"responses.jsonl": _ANSWERED["responses.jsonl"]}, _records("response", "responses.jsonl")),
    "records verdicts": Reader({"verdicts.jsonl": _ANSWERED["verdicts.jsonl"]}, _records("verdict", "verdicts.jsonl")),
    "records exemplars": Reader(_of(_SETTINGS / "exemplars.jsonl"), _records("exemplar", "exemplars.jsonl")),
    "records passages": Reader(_of(_SETTINGS / "passages.jsonl"), _records("passage", "passages.jsonl")),
    "verify": Reader({name: _ANSWERED[name] for name in ("items.jsonl", "responses.jsonl")}, _judged),
    "report": Reader(_ANSWERED, _report),
    "replay": Reader({"responses.jsonl": _ANSWERED["responses.jsonl"]}, _replayed),
    "fpq --domain": Reader(_of(_HOSTILE / "domain.toml"), lambda f: find_domain(str(f / "domain.toml"))),
    "factbench --domains": Reader(_of(_HOSTILE / "domains.toml"), lambda f: domain_lists(str(f / "domains.toml"))),
    "factbench --wordings": Reader(_of(_HOSTILE / "wordings.toml"), lambda f: load_wordings(str(f / "wordings.toml"))),
    "unseenqa --templates": Reader(_of(_HOSTILE / "templates.toml"), lambda f: load_templates(str(f / "templates.toml"))),
    "unseenqa seen": Reader(
        _of(*(FIXTURES / "generators" / "unseenqa" / name for name in ("nq.jsonl", "popqa.tsv", "triviaqa.json"))),
        lambda f: [read_qa(str(f / name)) for name in ("nq.jsonl", "popqa.tsv", "triviaqa.json")],
    ),
    "autodebug questions": Reader(
        _of(FIXTURES / "generators" / "autodebug" / "mrqa.jsonl"), lambda f: read_questions(str(f / "mrqa.jsonl"), 0)
    ),
    "ask --prices": Reader(_of(_HOSTILE / "prices.toml"), lambda f: read_prices(str(f / "prices.toml"))),
    "ask --setting": Reader(
        _of(_HOSTILE / "setting.toml"), lambda f: load_setting.__wrapped__(str(f / "setting.toml"))
    ),
    "import lm-eval": Reader(
        {"samples.jsonl": b'{"doc": {"id": "a"}, "doc_id": 0, "resps": [["Yes."]]}\n'},
        lambda f: [*lm_eval_responses(f / "samples.jsonl", "m")],
    ),
}  # fmt: skip


def sound(reader: str, folder: Path) -> Case:
    """Write the sound files of a reader into a folder."""
    for name, text in READERS[reader].files.items():
        (folder / name).write_bytes(text)
    return Case(reader, folder)


def cases(reader: str, numbers: Sequence[int], folder: Path) -> Iterator[Case]:
    """Write the files of each case into a folder of its own, one of them damaged, and yield it.

    A case is named by its number: it has the same bytes whenever it is made.
    """
    files = READERS[reader].files
    names = sorted(files)
    for number in numbers:
        place = folder / f"{number}"
        place.mkdir(parents=True)
        case = sound(reader, place)
        broken = names[number % len(names)]
        (place / broken).write_bytes(damaged(files[broken], f"{reader} {number}"))
        yield case


def violation(case: Case) -> str | None:
    """Run a case; return what is wrong with how its reader took it, None where it read the files or refused one in one line."""
    before = {path.name for path in case.folder.iterdir()}
    try:
        case.run()
    except InputError as error:
        return _fault_of(str(error), before, case)
    except (Exception, pl.exceptions.PanicException) as error:
        return f"{type(error).__name__}: {error}"[:300]
    return None


def _fault_of(message: str, before: set[str], case: Case) -> str | None:
    """Say what is wrong with a refusal: it has to name a file (a query has none), and to leave nothing behind."""
    if case.reader != "kg query" and not any(name in message for name in READERS[case.reader].files):
        return f"names no file: {message}"
    left = sorted({path.name for path in case.folder.iterdir()} - before)
    return f"leaves {', '.join(left)} behind" if left else None
