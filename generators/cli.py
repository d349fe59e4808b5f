"""The console script `kgprobe`: every verb of the project under one name, and the generators that other packages offer.

```
kgprobe fpq --domain art --n 20
kgprobe audit fpq-art.jsonl
```
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import typer

from evaluators.statistics.__main__ import app as statistics
from generators.__main__ import GENERATORS
from generators.fpq.domains import app as domains
from kg import cli
from kg.__main__ import app as graph
from kg.plugins import Group
from queries.__main__ import app as templates
from queries.records.__main__ import app as records

_EVALUATORS = {
    "ask": "evaluators.ask.__main__",
    "verify": "evaluators.verify.__main__",
    "vote": "evaluators.vote",
    "entailment": "evaluators.entailment.__main__",
    "why": "evaluators.why.__main__",
    "report": "evaluators.report.__main__",
    "local": "evaluators.local",
    "export": "evaluators.export.__main__",
    "import": "evaluators.import_log",
}


@dataclass(frozen=True)
class _Evaluators(cli.Plugins):
    """The evaluators' verbs, by the modules that hold them as `app`: other packages add none, so there is no group of them."""

    group: Group = "verbs"

    def names(self) -> list[str]:
        return list(_EVALUATORS)

    def command(self, name: str) -> Any:
        command = typer.main.get_command(import_module(_EVALUATORS[name]).app)
        command.name = name
        return command


# Verbs are imported when they are called, so that making questions does not wait for the code of judging them. The graph's
# own and the groups of commands weigh nothing beside what every verb needs.
app = cli.new_app(
    "Make, ask, judge and audit verifiable benchmarks from knowledge graphs.",
    top=True,
    plugins=[cli.Plugins("verbs"), GENERATORS, _Evaluators()],
)
app.registered_commands += graph.registered_commands
app.registered_groups += graph.registered_groups
app.add_typer(templates, name="queries", help="SPARQL templates: list, show, check, run, render.")
app.add_typer(domains, name="domains", help="Domains of false premises: list, new, check.")
app.add_typer(records, name="records", help="The files' formats: schema, check.")
app.add_typer(statistics, name="statistics", help="Intervals, sample sizes, a verifier's errors, position bias.")


def main() -> None:
    """Run the command line."""
    cli.run(app, "kgprobe")


if __name__ == "__main__":
    main()
