"""Ask a model the questions of a file of items.

```
python -m evaluators.ask items.jsonl --model replay:answers.jsonl --setting zero-shot --out responses.jsonl
python -m evaluators.ask items.jsonl --model openai:some-model --preset fpq --dry-run
python -m evaluators.ask items.jsonl --model openai:some-model --tools sparql --store ./wd --out responses.jsonl
```

Exit codes: 0 done, 1 done but something failed that another run may mend (or the budget ended it), 2 the input, the key or the
model is at fault.
"""

from __future__ import annotations

import inspect
from dataclasses import replace
from typing import Annotated, Any, get_args

from evaluators.ask.asking import AskOptions, ask_models, show_prompts
from evaluators.models.runs.terms import ended_by_signal, options_of
from kg.cli import fail_check, new_app, note, run
from kg.graph_choice import with_graph

app = new_app("Ask a model the questions of a file of items.")


def ask(model: list[str], alias: list[str], **options: Any) -> None:
    """Put items to a model, and write its answers down as they come.

    \b
    Example:
      kgprobe ask items.jsonl --model openai:some-model --preset fpq --out responses.jsonl

    The same command continues a run that was killed. Try it with --dry-run first.
    """
    given = AskOptions(**options)
    if given.dry_run:
        for number, name in enumerate(model or [""]):
            show_prompts(replace(given, model=name, alias=alias[number] if number < len(alias) else ""))
        return
    with ended_by_signal():
        unfinished = [tally.unfinished for tally in ask_models(given, model or [""], alias)]
    if any(unfinished):
        note("the same command asks again what failed", given.quiet)
        raise fail_check()


def _signature() -> inspect.Signature:
    """Return the options of the command: those of the record, so that none is written down twice; some may be repeated."""
    whole = {option.name: option for option in options_of(AskOptions)}
    whole |= {name: _repeated(whole[name]) for name in ("model", "alias")}
    return inspect.Signature(list(whole.values()))


def _repeated(parameter: inspect.Parameter) -> inspect.Parameter:
    option = get_args(parameter.annotation)[1]
    return parameter.replace(annotation=Annotated[list[str], option], default=[])


# Typer reads a command's options from its signature.
vars(ask)["__signature__"] = _signature()
app.command()(with_graph(ask))


def main() -> None:
    """Run the command line."""
    run(app, "python -m evaluators.ask")


if __name__ == "__main__":
    main()
