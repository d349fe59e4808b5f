"""The command line of the report.

```
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
python -m evaluators.report --items i.jsonl.gz --responses r.jsonl.gz --verdicts v.jsonl --compare MODEL-A MODEL-B --out report/
python -m evaluators.report --items i.jsonl --responses r.jsonl --verdicts v.jsonl --claims v.claims.jsonl --out report/
python -m evaluators.report --items items.jsonl --out browser/
python -m evaluators.report --schema
```
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from evaluators.metrics import ALL, Measure, Table
from evaluators.report import RunFiles, write_report
from evaluators.report.document import Metrics
from evaluators.report.live import Live
from evaluators.report.text import NONE, clipped, count, interval, number
from evaluators.report.views import dimension
from kg.cli import Quiet, new_app, note, run
from kg.errors import InputError
from kg.graph_choice import GraphChoice, with_graph
from queries.tables import print_grid

_PRINTED = ("overview.models", "overview.outcomes", "overview.pairs", "comparison")

app = new_app("Say what the verdicts amount to.")


def _schema(wanted: bool) -> None:
    if wanted:
        print(json.dumps(Metrics.model_json_schema(by_alias=True), indent=2))
        raise typer.Exit


@app.command()
@with_graph
def report(
    items: Annotated[str, typer.Option(help="items.jsonl; `-` is stdin, gzip is understood")],
    responses: Annotated[str | None, typer.Option(help="responses.jsonl; without, the items alone are shown")] = None,
    verdicts: Annotated[str | None, typer.Option(help="verdicts.jsonl")] = None,
    out: Annotated[Path, typer.Option(help="The folder to write; a report that is there is replaced.")] = Path("report"),
    label: Annotated[str | None, typer.Option(help="What to call these files beside those of --more.")] = None,
    more: Annotated[list[str] | None, typer.Option(help="A further run: LABEL=ITEMS,RESPONSES,VERDICTS[,ENTAILED].")] = None,
    entailed: Annotated[str | None, typer.Option(help="What evaluators.entailment wrote about these files.")] = None,
    claims: Annotated[str | None, typer.Option(help="What evaluators.verify --ground wrote: claims of the answers.")] = None,
    compare: Annotated[tuple[str, str] | None, typer.Option(help="Two models (of runs: LABEL:MODEL), item by item.")] = None,
    as_published: Annotated[bool, typer.Option("--as-published", help="Count outcomes as each paper counts them.")] = False,
    live: Annotated[Path | None, typer.Option(help="Run proofs in the page: the folder of the npm package oxigraph.")] = None,
    where: GraphChoice = GraphChoice(),
    schema: Annotated[
        bool, typer.Option("--schema", is_eager=True, callback=_schema, help="Print the JSON Schema of metrics.json and stop.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Make a page of tables, drawings and every question with its proof; of items alone, before any model is asked, too.

    \b
    Example:
      kgprobe report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
    """
    _check_files(
        responses, verdicts, compare, [*(more or ()), *([entailed] if entailed else []), *([claims] if claims else [])]
    )
    runs = [
        RunFiles(label or ("main" if more else None), items, responses, verdicts, entailed, claims),
        *map(_more, more or ()),
    ]
    _check_labels(runs)
    if live is None and where.named:
        raise InputError("a graph is asked for proofs in the page alone", place="--store", way_out="add --live FOLDER")
    around = None if live is None else Live(where.open(), live)
    written = write_report(runs, out, comparing=compare, as_published=as_published, live=around)
    tables = {table.key: table for table in written}
    if not quiet:
        _print([tables[key] for key in _PRINTED if key in tables])
    note(f"written: {out / 'index.html'} (and metrics.json, metrics.csv)", quiet)


def _check_files(responses: str | None, verdicts: str | None, compare: tuple[str, str] | None, others: Sequence[str]) -> None:
    """Raise InputError where files are missing that others need."""
    if verdicts is not None and responses is None:
        raise InputError("--verdicts are about responses", way_out="add --responses responses.jsonl")
    if responses is not None and verdicts is None:
        judge = "make them with `python -m evaluators.verify`"
        raise InputError("--responses have no verdicts", way_out=f"add --verdicts verdicts.jsonl ({judge})")
    if responses is None and (compare or others):
        raise InputError("items alone have no models to compare", way_out="add --responses and --verdicts")


def _more(text: str) -> RunFiles:
    """Read LABEL=ITEMS,RESPONSES,VERDICTS[,ENTAILED].

    >>> _more("open-book=i.jsonl,r.jsonl,v.jsonl").responses
    'r.jsonl'
    """
    label, equals, files = text.partition("=")
    names = files.split(",")
    if not equals or not label or len(names) not in (3, 4) or not all(names):
        raise InputError(f"'{text}' names no run", place="--more", way_out="write LABEL=ITEMS,RESPONSES,VERDICTS[,ENTAILED]")
    return RunFiles(label, *names)


def _check_labels(runs: Sequence[RunFiles]) -> None:
    labels = [files.label for files in runs]
    again = next((label for label in labels if labels.count(label) > 1), None)
    if again is not None:
        raise InputError(
            f"two runs are called '{again}'", place="--more", way_out="give each a label of its own (--label, --more)"
        )


def _print(tables: Sequence[Table]) -> None:
    """Print the numbers that a reader wants first; all are on the page."""
    for table in tables:
        # What nobody said, such as costs, has no column.
        measures = [measure for measure in table.measures if table.frame[measure.name].is_not_null().any()]
        rows = [
            [*(clipped(dimension(row[name]), 40) for name in table.dims), *(_cell(row, measure) for measure in measures)]
            for row in table.frame.iter_rows(named=True)
            if table.key != "comparison" or row["variant"] == ALL
        ]
        print_grid(clipped(table.title, 120), table.dims, [measure.title for measure in measures], rows)


def _cell(row: dict[str, float | None], measure: Measure) -> str:
    value = row[measure.name]
    if measure.kind == "count" or value is None:
        return count(value) if value is not None else NONE
    ends = interval(row.get(f"{measure.name}_low"), row.get(f"{measure.name}_high"))
    return f"{number(value)} ({ends})" if ends else number(value)


def main() -> None:
    """Run the command line."""
    run(app, "python -m evaluators.report")


if __name__ == "__main__":
    main()
