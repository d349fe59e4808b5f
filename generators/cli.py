"""The console script `kgprobe`: every verb of the project under one name.

```
kgprobe fpq --domain art --n 20
kgprobe audit fpq-art.jsonl
```
"""

from __future__ import annotations

from evaluators.ask.__main__ import app as ask
from evaluators.entailment.__main__ import app as entailment
from evaluators.local import app as local
from evaluators.report.__main__ import app as report
from evaluators.statistics.__main__ import app as statistics
from evaluators.verify.__main__ import app as verify
from evaluators.vote import app as vote
from generators.erbench.make import app as erbench
from generators.family.make import app as family
from generators.fpq.__main__ import app as fpq
from kg import cli
from kg.__main__ import app as graph
from queries.__main__ import app as templates
from queries.records.__main__ import app as records

__all__ = ["app", "main"]

app = cli.new_app("Make, ask, judge and audit verifiable benchmarks from knowledge graphs.", plugins=[cli.Plugins("verbs")])
app.registered_commands += graph.registered_commands
app.registered_groups += graph.registered_groups
app.add_typer(templates, name="queries", help="SPARQL templates: list, show, check, run, render.")
app.add_typer(records, name="records", help="The files' formats: schema, check.")
app.add_typer(statistics, name="statistics", help="Intervals, sample sizes, a verifier's errors, position bias.")
SINGLE = {
    "fpq": fpq, "family": family, "erbench": erbench, "ask": ask, "verify": verify, "vote": vote, "entailment": entailment,
    "report": report, "local": local,
}  # fmt: skip
for name, single in SINGLE.items():
    command = single.registered_commands[0]
    app.command(name)(command.callback)  # type: ignore[type-var]


def main() -> None:
    """Run the command line."""
    cli.run(app, "kgprobe")


if __name__ == "__main__":
    main()
