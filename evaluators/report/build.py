"""A report is built: what was read is measured and laid out in a folder that is put in its place in one step."""

from __future__ import annotations

import errno
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from evaluators.cross_checks import current, known_answers, known_items
from evaluators.entailment import read_entailed
from evaluators.errors import JoinError
from evaluators.metrics import ITEM_COLUMNS, RESPONSE_COLUMNS, VERDICT_COLUMNS, Answers, Table, all_tables
from evaluators.report.claims import measured_claims, read_claims
from evaluators.report.comparison import MOST_COMPARED, Comparison, Side, compare, find_side, pairs, sides
from evaluators.report.document import csv_bytes, document, json_bytes
from evaluators.report.items import Facet, about_items, script
from evaluators.report.live import Live, engine, neighbourhoods
from evaluators.report.page import Content, page
from evaluators.report.proofs import Kinds
from evaluators.report.read import Run, RunFiles, read_run, stacked
from kg.errors import InputError
from queries.records import Item, Record, Response, Verdict, read_frame, records_in

_REPORT = {"index.html", "metrics.json", "metrics.csv", "data"}


class Measured(NamedTuple):
    """The tables of a report, and the comparison of two models where there is one."""

    tables: list[Table]
    comparison: Comparison | None


def measure(
    items: str | Path | pl.DataFrame,
    responses: str | Path | pl.DataFrame,
    verdicts: str | Path | pl.DataFrame,
    *,
    entailed: str | Path | pl.DataFrame | None = None,
    claims: str | Path | None = None,
    compare: tuple[str, str] | None = None,
    as_published: bool = False,
) -> dict[str, Table]:
    """Return the tables of a report by their keys, from files or frames of records.

    Parameters: frames as `queries.records.read_frame` gives them, those of several runs with a column `run` in `responses` and
    `verdicts`; `entailed` is what `evaluators.entailment` wrote;
    `claims` what `evaluators.verify --ground` wrote; `compare` names two models, as the command's option does;
    `as_published` counts outcomes as each paper does.
    Raises RecordError with file, line and field where a line is at fault; JoinError where a response's item or a verdict's
    response is not there; InputError where a model to compare is not there.

    >>> items = pl.DataFrame({"id": ["a", "b"], "task": ["open"] * 2, "group": ["a", "b"], "answer": [["Ulm"], ["Bonn"]]})
    >>> responses = pl.DataFrame({"item": ["a", "b"], "model": ["m"] * 2, "sample": [0, 0], "text": ["Ulm", "Rome"]})
    >>> verdicts = responses.select("item", "model", "sample", outcome=pl.Series(["correct", "incorrect"]))
    >>> measure(items, responses, verdicts)["overview.outcomes"].frame.select("model", "accuracy", "accuracy_n").row(0)
    ('m', 0.5, 2)
    """
    asked = items if isinstance(items, pl.DataFrame) else read_frame(items, Item, ITEM_COLUMNS)
    answered, judged = _lines(responses, Response, RESPONSE_COLUMNS), _lines(verdicts, Verdict, (*VERDICT_COLUMNS, "text"))
    names = [f"the {what}" if isinstance(one, pl.DataFrame) else str(one)
             for what, one in (("items", items), ("responses", responses), ("verdicts", verdicts))]  # fmt: skip
    known_items(answered, asked["id"], names[1], names[0])
    known_items(judged, asked["id"], names[2], names[0])
    known_answers(judged, answered, names[2], names[1])
    judged = current(judged, answered, names[2], names[1])
    lines = read_entailed(str(entailed)) if isinstance(entailed, str | Path) else entailed
    claimed = None if claims is None else measured_claims(read_claims(claims))
    answers = Answers.of(asked, answered, judged, lines, claimed)
    return {table.key: table for table in _measured(answers, compare, as_published=as_published).tables}


def _lines(records: str | Path | pl.DataFrame, model: type[Record], columns: Sequence[str]) -> pl.DataFrame:
    """Return records with the numbers of their lines (of a frame, of its rows)."""
    if isinstance(records, pl.DataFrame):
        return records if "line" in records.columns else records.with_row_index("line", 1)
    return read_frame(records, model, columns, numbered=True)


def write_report(
    files: Sequence[RunFiles],
    out: Path,
    *,
    comparing: tuple[str, str] | None = None,
    as_published: bool = False,
    live: Live | None = None,
) -> list[Table]:
    """Write the folder of a report: `index.html`, `metrics.json`, `metrics.csv`, and `data/` with the items.

    Parameters: `files` are those of each run; `comparing` names two models; `as_published` counts outcomes as each
    paper counts them; `live` says where proofs that run in the page come from.
    Returns: the tables.
    Raises what `measure` raises; InputError where `out` cannot be replaced. Then nothing is written.
    """
    with replacing_folder(out) as folder:
        (folder / "data").mkdir()
        runs = [read_run(of_run, number, folder / "data") for number, of_run in enumerate(files)]
        tables, comparison = _measured(_joined(runs), comparing, as_published=as_published)
        metrics = document([run.inputs for run in runs], tables, as_published=as_published)
        _close(folder / "data", runs, live=live is not None)
        if live is not None:
            _bring_to_life(folder / "data", files, runs, live)
        places = _positions(runs, comparison)
        told = _notices(runs, tables), _questions(runs, tables)
        content = Content(metrics, tables, comparison, places, *told, live is not None)
        (folder / "index.html").write_bytes(page(content))
        (folder / "metrics.json").write_bytes(json_bytes(metrics))
        (folder / "metrics.csv").write_bytes(csv_bytes(metrics))
    return tables


def _measured(answers: Answers, comparing: tuple[str, str] | None, *, as_published: bool) -> Measured:
    known = sides(answers.counted.filter(pl.col("state") != "unasked"))
    tables = all_tables(answers, as_published=as_published)
    between = pairs(answers.counted, _leading(known, tables))
    if between is not None:
        tables.insert(1 if tables and tables[0].key == "overview.outcomes" else 0, between)
    # Two models are compared unasked, unless they have no item in common, which is a fault only where the user asks for it.
    if comparing is None and (len(known) != 2 or between is None):
        return Measured(tables, None)
    a, b = (find_side(name, known) for name in comparing) if comparing else known
    comparison = compare(answers.counted, a, b)
    return Measured([*tables, comparison.table], comparison)


def _leading(known: Sequence[Side], tables: Sequence[Table]) -> list[Side]:
    """Return as many models as are compared with one another: of too many those with the highest scores."""
    if len(known) <= MOST_COMPARED:
        return list(known)
    scores = next((table.frame for table in tables if table.key == "overview.models"), None)
    rows = [] if scores is None else scores.sort("score", descending=True, nulls_last=True).iter_rows(named=True)
    ranks = {(row["model"], row.get("run")): rank for rank, row in enumerate(rows)}
    order = {side: ranks.get((side.model, side.run), ranks.get((side.model, None), len(known))) for side in known}
    return sorted(sorted(known, key=order.__getitem__)[:MOST_COMPARED], key=known.index)


def _joined(runs: Sequence[Run]) -> Answers:
    items = stacked([run.items for run in runs])
    _same_questions(items, runs)
    labels = [pl.lit(run.label, pl.String).alias("run") for run in runs]
    responses = pl.concat([run.responses.with_columns(label) for run, label in zip(runs, labels, strict=True)])
    verdicts = pl.concat([run.verdicts.with_columns(label) for run, label in zip(runs, labels, strict=True)])
    entailed = [run.entailed for run in runs if run.entailed is not None]
    claims = [run.claims for run in runs if run.claims is not None]
    return Answers.of(
        items, responses, verdicts, pl.concat(entailed) if entailed else None, pl.concat(claims) if claims else None
    )


def _same_questions(items: pl.DataFrame, runs: Sequence[Run]) -> None:
    """Raise JoinError where two runs mean different questions by one id."""
    for run in runs if len(runs) > 1 else ():
        both = run.items.select("id", "question").join(items.select("id", other="question"), on="id")
        unlike = both.filter(pl.col("question") != pl.col("other"))
        if unlike.height:
            problem = f"item '{unlike['id'][0]}' asks something else than the item of that id before"
            raise JoinError(
                problem, place=f"--more {run.label}", way_out="give runs of the same items, or items with ids of their own"
            )


def _bring_to_life(folder: Path, files: Sequence[RunFiles], runs: Sequence[Run], live: Live) -> None:
    """Write what proofs run with in the page."""
    for name, text in engine(live.package):
        (folder / f"{name}.js").write_bytes(text)
    for number, (of_run, run) in enumerate(zip(files, runs, strict=True)):
        if of_run.items == "-":
            raise InputError("stdin cannot be read twice", place="--live", way_out="give the items as a file")
        assert run.shards is not None
        items = (item for _, item in records_in(of_run.items, Item, checked=False))
        for place, some in enumerate(neighbourhoods(items, live.graph, run.shards.size)):
            (folder / f"near-{number}-{place}.js").write_bytes(script(f"near-{number}-{place}", some))


def _close(folder: Path, runs: Sequence[Run], *, live: bool) -> None:
    """Write the scripts that are about all items."""
    sets: list[dict[str, Any]] = []
    kinds: Kinds = {}
    for run in runs:
        if run.shards is not None:
            states, reasons = _states(run, runs)
            closed = run.shards.close(states, reasons, run.items["id"].to_list(), run.answers.ways, run.prompts)
            sets.append(closed | {"label": run.label or "(no label)", "live": live})
            kinds |= run.shards.kinds
    (folder / "about.js").write_bytes(about_items(sets))
    (folder / "proofs.js").write_bytes(script("proofs", sorted(kinds.items())))


def _states(run: Run, runs: Sequence[Run]) -> tuple[dict[str, list[int]], dict[str, Facet]]:
    """Return what the answers to a run's items came to, and why: of its own models, and of other runs', by LABEL:MODEL."""
    ids = run.items["id"]
    states, reasons = run.answers.states(ids), run.answers.reasons(ids)
    for other in runs:
        if other is not run:
            states |= {f"{other.label}:{model}": own for model, own in other.answers.states(ids).items()}
            reasons |= {f"{other.label}:{model}": own for model, own in other.answers.reasons(ids).items()}
    return states, reasons


def _positions(runs: Sequence[Run], comparison: Comparison | None) -> dict[tuple[str | None, str], tuple[int, int]]:
    """Return where the items stand that the page links to: their set, and their number in it."""
    if comparison is None:
        return {}
    linked = {*comparison.only_a["item"], *comparison.only_b["item"]}
    return {
        (run.label, item): (number, position)
        for number, run in enumerate(runs)
        for position, item in enumerate(run.items["id"])
        if item in linked
    }


def _questions(runs: Sequence[Run], tables: Sequence[Table]) -> dict[str, tuple[int, str]]:
    """Return in which set the items stand that clusters of errors name, and what they ask."""
    named: set[str] = set()
    for table in tables:
        if table.key == "overview.failures":
            named = {
                row[name] for row in table.frame.iter_rows(named=True) for name in table.dims if name.startswith("example")
            }
    return {
        item: (number, question)
        for number, run in reversed(list(enumerate(runs)))
        for item, question in run.items.filter(pl.col("id").is_in(list(named))).select("id", "question").rows()
    }


def _notices(runs: Sequence[Run], tables: Sequence[Table]) -> list[str]:
    """Return what a reader should know before the numbers."""
    unjudged = sum(table.frame["unjudged"].sum() for table in tables if table.key == "overview.outcomes")
    notices = [f"{unjudged:,} {'answer has' if unjudged == 1 else 'answers have'} no verdict."] if unjudged else []
    for run in runs:
        of = f" of {run.label}" if run.label else ""
        asked = run.responses["item"].n_unique()
        if run.answers.models and asked < run.items.height:
            notices.append(f"{run.items.height - asked:,} of {run.items.height:,} items{of} were asked of no model.")
    return notices


@contextmanager
def replacing_folder(out: Path) -> Iterator[Path]:
    """Give a folder to write into that takes the place of `out` when the block ends well; nothing is left otherwise.

    Raises InputError where `out` is there and is no report, holds other files as well, or cannot be written.
    """
    # Links are followed once, here: the folder that a link names is replaced, not the link.
    target = Path(os.path.abspath(out.resolve()))  # noqa: PTH100
    _refuse(target, str(out))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    except OSError as error:
        problem = f"cannot be a folder ({error.strerror})"
        raise InputError(problem, place=str(out), way_out="name another") from error
    try:
        yield aside
        _open_to_readers(aside)
        _swap(aside, target, str(out))
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        problem = f"cannot be written ({error.strerror})"
        raise InputError(problem, place=str(out), way_out="choose a place with room") from error
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _refuse(target: Path, place: str) -> None:
    if not target.exists():
        return
    if not target.is_dir():
        raise InputError("cannot be a folder (a file stands there)", place=place, way_out="name another")
    names = {path.name for path in target.iterdir()}
    if names and not _is_report(target):
        raise InputError(
            "is a folder with something else in it", place=place, way_out="name a new folder, or one with a report"
        )
    others = sorted(names - _REPORT)
    if others:
        way_out = "move it away, or name a new folder"
        raise InputError(f"holds '{others[0]}', which is no part of a report", place=place, way_out=way_out)


def _is_report(folder: Path) -> bool:
    try:
        metrics: Mapping[str, object] | object = json.loads((folder / "metrics.json").read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(metrics, dict) and str(metrics.get("schema")).startswith("kgprobe.metrics/")


def _open_to_readers(folder: Path) -> None:
    """Give the folder the permissions that a new one has (mkdtemp's are private)."""
    umask = os.umask(0)  # the only way to read it is to set it
    os.umask(umask)
    folder.chmod(0o777 & ~umask)


def _swap(aside: Path, target: Path, place: str) -> None:
    try:
        if not target.exists():
            aside.rename(target)
            return
        # A folder cannot be replaced in one call: the old one steps aside, and comes back if the new one cannot take its place.
        old = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
        target.replace(old)
        try:
            aside.rename(target)
        except OSError:
            old.rename(target)
            raise
        shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        raise InputError(f"cannot be replaced ({error.strerror})", place=place, way_out="name another folder") from error
