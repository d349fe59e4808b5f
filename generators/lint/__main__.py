"""The command `lint`: which questions of a file nobody would ask, and why.

```
python -m generators.lint items.jsonl
python -m generators.lint items.jsonl --show 5 --at-least 0.95
python -m generators.lint --rules
```
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from generators.lint.linting import FILE_RULES, Report, lint_file
from generators.lint.rules import RULES
from kg.cli import fail_check, new_app, run
from kg.errors import InputError, SourceError
from kg.files import replacing
from kg.output import table_text
from kg.text import harmless

app = new_app("A linter for questions: what is wrong with each, by rules that a reader can check.")


@app.command()
def lint(
    items: Annotated[str | None, typer.Argument(metavar="ITEMS.JSONL", help="Items; `.gz` and `-` are understood.")] = None,
    show: Annotated[int, typer.Option(min=0, help="How many examples of each rule to show.")] = 1,
    at_least: Annotated[float | None, typer.Option(min=0, max=1, help="Exit with 1 where a smaller share is clean.")] = None,
    out: Annotated[str | None, typer.Option(help="A file for all findings (TSV): line, id, rule, what, question.")] = None,
    rules: Annotated[bool, typer.Option("--rules", help="List the rules.")] = False,
) -> None:
    """Say which questions of a file break which rules, and what share is clean.

    \b
    Example:
      python -m generators.fpq --domain art --n 20 && kg lint fpq-art.jsonl --show 5
    """
    terminal = sys.stdout.isatty()
    if rules:
        rows = [[rule.name, rule.says] for rule in (*RULES, *FILE_RULES)]
        typer.echo(table_text(["rule", "what it tells"], rows, terminal=terminal), nl=False)
        return
    if items is None:
        raise InputError(
            "no file is named", place="ITEMS.JSONL", way_out="name a file of items, or `-`; `--rules` lists the rules"
        )
    report = lint_file(items)
    if not report.items:
        raise SourceError("holds no item", place=items, way_out="name a file that a generator wrote")
    if out is not None:
        _write(report, out)
    if report.findings:
        typer.echo(table_text(["rule", "items", "share", "what is wrong"], _rows(report, show), terminal=terminal), nl=False)
    rules_known, sound = len(RULES) + len(FILE_RULES), report.items - report.faulty
    held = f"{sound:,} of {report.items:,} items break no rule of {rules_known} ({report.clean:.1%})"
    typer.echo(f"{held}; what rules do not know, only a reader finds")
    if at_least is not None and report.clean < at_least:
        raise fail_check()


def _rows(report: Report, show: int) -> list[list[str]]:
    rows = []
    for rule, found in report.by_rule().items():
        lines = len({finding.line for finding in found})
        rows.append([rule.name, f"{lines:,}", f"{lines / report.items:.1%}", rule.says])
        rows += [["", "", "", f"  {f.line}: {f.question}{f'  [{f.what}]' if f.what else ''}"] for f in found[:show]]
    return rows


def _write(report: Report, path: str) -> None:
    with replacing(path) as stream:
        for finding in sorted(report.findings, key=lambda each: (each.line, each.rule.name)):
            cells = (str(finding.line), finding.item, finding.rule.name, finding.what, finding.question)
            stream.write(("\t".join(harmless(cell).replace("\t", " ") for cell in cells) + "\n").encode())


def main() -> None:
    """Run the command line."""
    run(app, "python -m generators.lint")


if __name__ == "__main__":
    main()
