"""Families proposed from a database's keys, written as files to be edited, and asked (ERBench without a family at hand).

```
python -m generators.erbench
python -m generators.erbench --db sqlite:///shop.sqlite --hops 3 --families ./proposed --out shop.jsonl
```

Source: Oh, Kim, Seo, Wang, Chen, Xie, Whang: ERBench: An Entity-Relationship based Automatically Verifiable Hallucination
Benchmark for Large Language Models (2024), §3. The proposed files are to be edited; `python -m generators.family` asks them.
A model words each family once, from what it asks, the schema's own names, and a few values; what the checks of
`generators.writer` refuse keeps the rule's wording.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from evaluators.models.runs import Terms, with_terms
from generators.column_names import WordLists
from generators.erbench.catalog import Catalog
from generators.erbench.csv_folder import as_database, is_csv
from generators.erbench.names import database_called
from generators.erbench.options import Asked, Folders, Scope, Wordings, with_options
from generators.erbench.propose import Proposal, propose
from generators.erbench.rownames import naming_columns
from generators.family import Options, Result, generate_all, side_file_summary, write_results
from generators.family.rows import EntityNames, RowParts
from generators.making import MakingParts
from generators.writer import WordingTask, Writer
from generators.writer.checks import check_own, check_text
from kg import LocalGraph
from kg.cli import Quiet, fail_check, new_app, note, progress, run
from kg.errors import InputError
from kg.files import check_apart, write_bytes
from kg.graph import Graph
from kg.graph_choice import GraphChoice, with_graph
from queries.templates import Template, parse

app = new_app("Questions from any database: families proposed from its keys and foreign keys (ERBench).")


@app.command()
@with_terms
@with_graph
@with_options
def erbench(
    database: Annotated[
        str | None, typer.Argument(metavar="[DATABASE]", help="A database: a file of SQLite, a URL, or a folder of CSV files.")
    ] = None,
    db: Annotated[
        str | None, typer.Option("--db", metavar="DATABASE", help="The same: shop.sqlite, sqlite:///shop.sqlite.")
    ] = None,
    where: MakingParts = MakingParts(),
    out: Annotated[str | None, typer.Option(help="The file to write [default: erbench-DATABASE.jsonl]; `-` is stdout.")] = None,
    quiet: Quiet = False,
    *,
    scope: Scope,
    asked: Asked,
    wordings: Wordings,
    folders: Folders,
    terms: Terms,
) -> None:
    """Propose families for a database and ask them; without --db, --store or --endpoint, for the starter graph.

    Examples:

        python -m generators.erbench --n 10

        python -m generators.erbench shop.sqlite --about "the Chinook shop" --families ./proposed --out shop.jsonl
    """
    wordings.check(terms)
    shard = where.part(limit=asked.limit, writer=wordings.writer, open_book=asked.open_book)
    db = _url(database, db)
    domain = (graph := _graph(db, where)).name.rpartition("/")[2]
    path = where.path(out, f"erbench-{domain}.jsonl")
    _check_files(path, asked, folders, db)
    wanted = asked.wanted
    catalog = scope.catalog(graph, database_called(domain))
    found = propose(catalog, scope.hops, domain, all_wordings=scope.all_wordings, negated=scope.negated)
    proposals = _of_tasks(found, wanted)
    if folders.check is not None:
        return _check(catalog, proposals, folders.check, quiet)
    if folders.refusals:
        write_bytes(Path(folders.refusals), refusals_csv(catalog))
    if not proposals:
        raise _nothing(catalog, scope.all_wordings)
    author = wordings.open(path, terms, quiet=quiet)
    proposals, worded = reworded(catalog, proposals, author) if author else (proposals, {})
    if folders.families is not None:
        _write_families(folders.families, proposals)
    with where.writing(path, graph, quiet=quiet) as target:
        written, done = _ask(graph, proposals, asked.options(worded, shard), target, asked.limit, asked.side_files, quiet)
    told = side_file_summary(done, asked.side_files) if written else ()
    lines = [*summary(done, catalog, path, written), *(author.summary() if author else ()), *told]
    note("\n".join(lines), where.hushed(quiet))
    if not written and shard.whole:
        raise fail_check()
    return None


def _check_files(path: str, asked: Asked, folders: Folders, db: str | None) -> None:
    """Refuse to write two things into one file, or into the database."""
    files = {"--out": path, "--exemplars": asked.exemplars, "--passages": asked.passages, "--refusals": folders.refusals}
    check_apart(files, [_file_of(db)])


def _check(catalog: Catalog, proposals: Sequence[Proposal], folder: Path, quiet: bool) -> None:
    """Say what is wrong with texts that a person edited."""
    edits = check_edits(catalog, proposals, folder)
    for fault in edits.faults:
        typer.echo(fault)
    note(edits.summary, quiet)
    if edits.faults:
        raise fail_check()


def _of_tasks(proposals: Sequence[Proposal], wanted: Sequence[str]) -> list[Proposal]:
    """Keep the families of some tasks, with or without their probes."""
    kept = [proposal for proposal in proposals if proposal.front["task"] in wanted]
    return kept if "probe" in wanted else [proposal.without_probes() for proposal in kept]


def _nothing(catalog: Catalog, all_wordings: bool) -> InputError:
    """Say that nothing can be asked, and why."""
    why = "; ".join(line.strip() for line in refusal_lines(catalog)) or "there are no tables"
    more = "" if all_wordings else ", or ask with --all-wordings"
    way_out = f"see what tables need (generators/erbench/README.md){more}"
    return InputError(f"nothing can be asked ({why})", place=catalog.graph.name, way_out=way_out)


def _ask(
    graph: Graph,
    proposals: Sequence[Proposal],
    options: Options,
    path: str,
    limit: int | None,
    side_files: Mapping[str, str | None],
    quiet: bool,
) -> tuple[int, list[Result]]:
    """Ask families and write their items; return how many, and the results."""
    with progress("asking families", len(proposals), quiet) as bar:

        def shown(templates: Sequence[Template]) -> Iterator[Template]:
            for template in templates:
                yield template
                bar.advance(bar.task_ids[0])

        templates = [proposal.template for proposal in proposals]
        # All families of a database have the same strata, whether some of them are choices or not.
        results = generate_all(graph, templates, options, ["distractor"], shown)
        return write_results(results, path, limit, side_files, families=len(templates))


def _file_of(db: str | None) -> str | None:
    """Return the file of a database that is one."""
    return db.removeprefix("sqlite:///") if db is not None else None


def _url(database: str | None, db: str | None) -> str | None:
    """Return the URL of a database, a file of SQLite or a URL, that is given by itself or with --db."""
    if database is not None and db is not None:
        raise InputError("two databases are given", place="--db", way_out=f"leave out --db or '{database}'")
    given = db if database is None else database
    return given if given is None or "://" in given else f"sqlite:///{Path(given).absolute()}"


def _graph(db: str | None, where: GraphChoice) -> Graph:
    if db is None:
        return where.open()
    if where.named:
        raise InputError("a database and a store are given", place="--db", way_out="give one of them")
    path = Path(db.removeprefix("sqlite:///"))
    if "://" not in db.removeprefix("sqlite:///") and is_csv(path):
        with as_database(path) as url:
            return _loaded(url)
    return _loaded(db)


def _loaded(url: str) -> Graph:
    """Load a database; once more where a table's rows have names in a column that nothing but its own name tells."""
    from kg.sources.sql import load_sql  # here: a store needs no sqlalchemy

    graph = LocalGraph.in_memory(load_sql(url))
    labels = naming_columns(graph)
    return LocalGraph.in_memory(load_sql(url, labels=labels)) if labels else graph


def _write_families(folder: Path, proposals: list[Proposal]) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        full = any(folder.iterdir())
    except OSError as error:
        problem = f"cannot be a folder ({error.strerror})"
        raise InputError(problem, place=str(folder), way_out="name a new folder") from error
    if full:
        raise InputError("holds something already", place=str(folder), way_out="name a new folder")
    for proposal in proposals:
        write_bytes(folder / f"{proposal.name}.rq", proposal.text.encode())


def main() -> None:
    """Run the command line."""
    run(app, "python -m generators.erbench")


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
    """Say what is not asked, by reason, that of most first, with a few examples."""
    refused = catalog.refused
    for why, _ in sorted(Counter(refused.values()).items(), key=lambda reason: (-reason[1], reason[0])):
        what = sorted(catalog.columns.get(name, name) for name, reason in refused.items() if reason == why)
        more = f", … ({len(what)} in all: --refusals FILE)" if len(what) > 4 else ""
        yield f"  refused, {why}: {', '.join(what[:4])}{more}"


def refusals_csv(catalog: Catalog) -> bytes:
    """Return all that is not asked: table and column of the database, or else the way; how it would be said; and why."""
    rows = [(catalog.columns.get(name, ""), name, why) for name, why in sorted(catalog.refused.items())]
    return pl.DataFrame(rows, schema=["column", "said", "why"], orient="row").write_csv().encode()


_EXAMPLES = 3
"""So many rows are shown of each family."""


def reworded(catalog: Catalog, proposals: Sequence[Proposal], writer: Writer) -> tuple[list[Proposal], dict[str, str]]:
    """Have families worded; return them, and by the name of each that has a text of the writer's, the writer's name.

    Raises ModelError where the model cannot be asked at all.
    """
    names = EntityNames(catalog.graph)
    tasks = [task_of(catalog, proposal, names) for proposal in proposals]
    worded = {task.name: said for task, said in zip(tasks, writer.word(tasks), strict=True)}
    texts = {name: said.texts for name, said in worded.items()}
    return [p.with_texts(texts[p.name]) for p in proposals], {name: writer.name for name, w in worded.items() if w.written}


def task_of(catalog: Catalog, proposal: Proposal, names: EntityNames) -> WordingTask:
    """Return what is to be worded of a family, which a text of somebody else's is held against."""
    about = {"asks for": str(proposal.front["summary"]), "query": proposal.query}
    examples = list(_examples(catalog, proposal.template, names))
    return WordingTask(proposal.name, proposal.questions or proposal.statements, about, examples, list(_kept(catalog)))


def _examples(catalog: Catalog, template: Template, names: EntityNames) -> Iterator[dict[str, str]]:
    """Show what the first rows say, in the order of their values."""
    frame = next(iter(RowParts(catalog.graph, template, 0, names))).frame
    slots = [slot for slot in (*template.front.key, *template.front.answers) if slot in frame.columns]
    for row in frame.select(slots).drop_nulls().head(_EXAMPLES).iter_rows(named=True):
        yield {slot: str(value) for slot, value in row.items()}


def _kept(catalog: Catalog) -> Iterator[str]:
    """Name what stays in a text that has it: of what the database is, and units."""
    for setting in (catalog.about, catalog.database):
        if setting:
            braced = setting.replace("{", "{{").replace("}", "}}")
            first, _, rest = braced.partition(" ")
            yield rest if rest and first.lower() in WordLists.load().prepositions else braced
    yield from dict.fromkeys(WordLists.load().units.values())


@dataclass(frozen=True)
class Edits:
    """How many families and changed texts there are, and a line on each that cannot be used."""

    families: int
    changed: int
    faults: list[str]

    @property
    def summary(self) -> str:
        """Say it in a line."""
        return f"{self.families} families, {self.changed} texts of your own, {len(self.faults)} of them with a fault"


def check_edits(catalog: Catalog, proposals: Sequence[Proposal], folder: Path) -> Edits:
    """Check the texts of a folder's families against the proposals of the same names.

    Raises InputError where the folder holds no family, TemplateError where a file is none.
    """
    files = sorted(folder.glob("*.rq")) if folder.is_dir() else []
    if not files:
        raise InputError("holds no families", place=str(folder), way_out="name the folder that --families wrote")
    named, names = {proposal.name: proposal for proposal in proposals}, EntityNames(catalog.graph)
    families = [(file, parse(_read(file), str(file))) for file in files]
    found = [each for file, family in families for each in _of_family(catalog, named, names, file, family)]
    return Edits(len(families), len(found), [line for line in found if line])


def _of_family(catalog: Catalog, named: dict[str, Proposal], names: EntityNames, file: Path, family: Template) -> Iterator[str]:
    """Yield for each changed text of a family what is wrong with it, or nothing."""
    proposal = named.get(family.name)
    ruled = (proposal.questions or proposal.statements) if proposal else {}
    for variant, text in _texts_of(family):
        if text == ruled.get(variant):
            continue
        known = proposal is not None and variant in ruled
        flaw = check_text(text, task_of(catalog, proposal, names), variant) if proposal and known else check_own(text)
        yield f"{file.name}: {variant}: {flaw.why}" if flaw else ""


def _texts_of(family: Template) -> Iterator[tuple[str, str]]:
    """Yield the questions of a family by variant, and the statements of a choice by slot."""
    for variant, text in (family.front.question or {}).items():
        if isinstance(text, str):
            yield variant, text
        else:
            yield from ((slot, option) for slot, option in text.options.items() if isinstance(option, str))


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("cannot be read as text", place=str(file), way_out="write it in UTF-8") from error


if __name__ == "__main__":
    main()
