"""Families proposed from a database's keys, written as files to be edited, and asked (ERBench without a family at hand).

```
python -m generators.erbench
python -m generators.erbench --db sqlite:///shop.sqlite --hops 3 --families ./proposed --out shop.jsonl
```

Source: Oh, Kim, Seo, Wang, Chen, Xie, Whang: ERBench: An Entity-Relationship based Automatically Verifiable Hallucination
Benchmark for Large Language Models (2024), §3. The proposed files are to be edited; `python -m generators.family` asks them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from evaluators.models.runs import Terms, beside, with_terms
from generators.column_names import in_words
from generators.erbench.catalog import Catalog
from generators.erbench.edits import check_edits
from generators.erbench.propose import Proposal, propose
from generators.erbench.reports import refusal_lines, refusals_csv, summary
from generators.erbench.reworded import reworded
from generators.family import Options, Result, generate_all, side_file_summary, write_results
from generators.family.query import read_shares
from generators.making import Making
from generators.writer import open_writer
from kg import LocalGraph
from kg.cli import Quiet, Seed, fail_check, new_app, note, progress, run
from kg.errors import InputError, nearest
from kg.files import check_apart, write_bytes
from kg.graph import Graph
from kg.graph_choice import GraphChoice, with_graph
from kg.sources.sql import load_sql
from queries.templates import Template

app = new_app("Questions from any database: families proposed from its keys and foreign keys (ERBench).")


@app.command()
@with_terms
@with_graph
def erbench(
    database: Annotated[
        str | None, typer.Argument(metavar="[DATABASE]", help="A database: a file of SQLite, or a URL.")
    ] = None,
    db: Annotated[str | None, typer.Option("--db", metavar="URL", help="The same, such as sqlite:///shop.sqlite.")] = None,
    hops: Annotated[int, typer.Option(min=1, max=5, help="How many values lie on the way to an answer, at most.")] = 3,
    n: Annotated[int, typer.Option(min=1, max=2**53, help="How many facts of each family.")] = 50,
    personal: Annotated[bool, typer.Option("--personal", help="Ask about private matters, too: contact, pay, health.")] = False,
    numbered: Annotated[bool, typer.Option("--numbered", help="Ask about rows without a name, too, by their number.")] = False,
    all_wordings: Annotated[
        bool, typer.Option("--all-wordings", help="Ask also what a person would not surely put in these words.")
    ] = False,
    negated: Annotated[
        bool, typer.Option("--negated/--no-negated", help='Deny what is claimed, too: "Is it true that X is not ...?".')
    ] = False,
    about: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help='Of what the database is, said in every question: "the Chinook shop", "at Marlow University". Without it, '
            "the database is named where a row is an invoice, a customer or the like.",
        ),
    ] = None,
    link: Annotated[
        list[str] | None,
        typer.Option(metavar="TABLE.COLUMN=TABLE", help="A foreign key that the database does not declare; may be repeated."),
    ] = None,
    declared_only: Annotated[
        bool, typer.Option("--declared-only", help="Follow declared foreign keys alone, not those that the values show.")
    ] = False,
    refusals: Annotated[str | None, typer.Option(metavar="FILE", help="Write what is not asked, and why, as CSV.")] = None,
    none_share: Annotated[
        str, typer.Option(metavar="SHARE[,SHARE...]", help='In what share of choices "None of the above" is right.')
    ] = "0",
    families: Annotated[Path | None, typer.Option(help="A new folder for the proposed .rq files.")] = None,
    check: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Ask nothing; check the texts of its families, which you edited.")
    ] = None,
    exemplars: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write demonstrated answers, of rows not asked.")
    ] = None,
    passages: Annotated[str | None, typer.Option(metavar="FILE", help="Write background on the rows asked.")] = None,
    writer: Annotated[str | None, typer.Option(help="A model that words each family, checked; else rules do.")] = None,
    tries: Annotated[int, typer.Option(min=1, help="How often the writer is asked for texts that can be used.")] = 2,
    recording: Annotated[str | None, typer.Option(help="The file of its answers [default: OUT.writer.jsonl].")] = None,
    tasks: Annotated[
        str, typer.Option(metavar="TASK[,TASK...]", help="What is asked; without `probe`, no probes go along.")
    ] = "open,yes_no,choice,probe",
    limit: Annotated[
        int | None, typer.Option(min=1, max=2**53, help="Write at most so many items, evenly of all families.")
    ] = None,
    seed: Seed = 0,
    where: Making = Making(),
    out: Annotated[str | None, typer.Option(help="The file to write [default: erbench-DATABASE.jsonl]; `-` is stdout.")] = None,
    quiet: Quiet = False,
    *,
    terms: Terms,
) -> None:
    """Propose families for a database and ask them; without --db, --store or --endpoint, for the starter graph.

    Examples:

        python -m generators.erbench --n 10

        python -m generators.erbench shop.sqlite --about "the Chinook shop" --families ./proposed --out shop.jsonl
    """
    terms.check_used(writer, "--writer")
    if recording and writer is None:
        raise InputError("there are no answers to record", place="--recording", way_out="add --writer MODEL")
    db = _url(database, db)
    domain = (graph := _graph(db, where)).name.rpartition("/")[2]
    path, side_files = where.path(out, f"erbench-{domain}.jsonl"), {"exemplars": exemplars, "passages": passages}
    check_apart({"--out": path, "--exemplars": exemplars, "--passages": passages, "--refusals": refusals}, [_file_of(db)])
    wanted = _wanted(tasks)
    called = f"the database {in_words(domain)}"
    catalog = Catalog(
        graph, personal=personal, numbered=numbered, about=about, database=called, declared_only=declared_only, links=link or ()
    )
    proposals = _of_tasks(propose(catalog, hops, domain, all_wordings=all_wordings, negated=negated), wanted)
    if check is not None:
        return _check(catalog, proposals, check, quiet)
    if refusals:
        write_bytes(Path(refusals), refusals_csv(catalog))
    if not proposals:
        raise _nothing(catalog, all_wordings)
    shares, worded, said = read_shares(none_share), dict[str, str](), list[str]()
    if writer is not None:
        author = open_writer(writer, tries, recording or beside(path, "writer"), terms, quiet=quiet)
        proposals, worded = reworded(catalog, proposals, author)
        said = author.summary()
    if families is not None:
        _write_families(families, proposals)
    options = Options(n, seed, shares, exemplars=bool(exemplars), passages=bool(passages), writers=worded)
    with where.writing(path, graph, quiet=quiet) as target:
        written, done = _ask(graph, proposals, options, target, limit, side_files, quiet)
    lines = [*summary(done, catalog, path, written), *said, *(side_file_summary(done, side_files) if written else ())]
    note("\n".join(lines), where.hushed(quiet))
    if not written:
        raise fail_check()
    return None


def _check(catalog: Catalog, proposals: Sequence[Proposal], folder: Path, quiet: bool) -> None:
    """Say what is wrong with texts that a person edited."""
    edits = check_edits(catalog, proposals, folder)
    for fault in edits.faults:
        typer.echo(fault)
    note(edits.summary, quiet)
    if edits.faults:
        raise fail_check()


_TASKS = ("open", "yes_no", "choice", "probe")


def _wanted(tasks: str) -> list[str]:
    """Read which tasks are asked."""
    wanted = [task.strip() for task in tasks.split(",") if task.strip()]
    if unknown := next((task for task in wanted if task not in _TASKS), None):
        raise InputError(f"there is no task '{unknown}'", place="--tasks", way_out=nearest(unknown, _TASKS))
    if not {*wanted} - {"probe"}:
        raise InputError("probes go with other questions", place="--tasks", way_out="name open, yes_no or choice, too")
    return wanted


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
    """Return the URL of a database that is given by itself, a file of SQLite or a URL, or with --db."""
    if database is None:
        return db
    if db is not None:
        raise InputError("two databases are given", place="--db", way_out=f"leave out --db or '{database}'")
    return database if "://" in database else f"sqlite:///{Path(database).absolute()}"


def _graph(db: str | None, where: GraphChoice) -> Graph:
    if db is None:
        return where.open()
    if where.named:
        raise InputError("a database and a store are given", place="--db", way_out="give one of them")
    return LocalGraph.in_memory(load_sql(db))


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


if __name__ == "__main__":
    main()
