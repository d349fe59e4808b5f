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

from generators.__main__ import GENERATORS
from kg import cli
from kg.__main__ import app as graph
from kg.plugins import Group

_VERBS = {
    "ask": "evaluators.ask.__main__",
    "verify": "evaluators.verify.__main__",
    "vote": "evaluators.vote",
    "entailment": "evaluators.entailment.__main__",
    "why": "evaluators.why.__main__",
    "report": "evaluators.report.__main__",
    "local": "evaluators.local",
    "export": "evaluators.export.__main__",
    "import": "evaluators.import_log",
    "queries": "queries.__main__",
    "domains": "generators.fpq.domains",
    "records": "queries.records.__main__",
    "statistics": "evaluators.statistics.__main__",
    "merge": "generators.merge",
    "shards": "generators.shards",
}
"""Verbs and groups of verbs that no package adds, by the modules that hold them as `app`."""

_GROUPS = {
    "queries": "SPARQL templates: list, show, check, run, render.",
    "domains": "Domains of false premises: list, new, check.",
    "records": "The files' formats: schema, check.",
    "statistics": "Intervals, sample sizes, a verifier's errors, position bias.",
}
"""What the groups say of themselves here."""


@dataclass(frozen=True)
class _Own(cli.Plugins):
    """The verbs of the table: other packages add none, so there is no group of entry points for them."""

    group: Group = "verbs"

    def names(self) -> list[str]:
        return list(_VERBS)

    def command(self, name: str) -> Any:
        command = typer.main.get_command(import_module(_VERBS[name]).app)
        command.name = name
        command.help = _GROUPS.get(name, command.help)
        return command


# Verbs are imported when they are called, so that making questions does not wait for the code of judging them; the graph's
# own weigh nothing beside what every verb needs.
app = cli.new_app(
    "Make, ask, judge and audit verifiable benchmarks from knowledge graphs.",
    top=True,
    plugins=[cli.Plugins("verbs"), GENERATORS, _Own()],
)
app.registered_commands += graph.registered_commands
app.registered_groups += graph.registered_groups


def main() -> None:
    """Run the command line."""
    cli.run(app, "kgprobe")


if __name__ == "__main__":
    main()
