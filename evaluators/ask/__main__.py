"""Ask a model the questions of a file of items.

```
python -m evaluators.ask items.jsonl --model replay:answers.jsonl --setting zero-shot --out responses.jsonl
python -m evaluators.ask items.jsonl --model openai:some-model --preset fpq --dry-run
```

Exit codes: 0 done, 1 done but something failed that another run may mend (or the budget ended it), 2 the input, the key or the
model is at fault.
"""

from __future__ import annotations

import inspect
from typing import Any

from evaluators.ask.asking import AskOptions, ask_items, show_prompts
from evaluators.errors import AllRefused
from kg.cli import fail_check, new_app, note, run

app = new_app("Ask a model the questions of a file of items.")


def ask(**options: Any) -> None:
    """Ask: `python -m evaluators.ask items.jsonl --model openai:some-model --preset fpq --out responses.jsonl`.

    The same command continues a run that was killed. Try it with --dry-run first.
    """
    given = AskOptions(**options)
    if given.dry_run:
        show_prompts(given)
        return
    try:
        unfinished = ask_items(given).unfinished
    except AllRefused as error:
        note(f"error: {error}")
        raise fail_check() from None
    if unfinished:
        note("the same command asks again what failed", given.quiet)
        raise fail_check()


# Typer reads a command's options from its signature: this one is the record's, so that no option is written down twice.
vars(ask)["__signature__"] = inspect.signature(AskOptions, eval_str=True)
app.command()(ask)


def main() -> None:
    """Run the command line."""
    run(app, "python -m evaluators.ask")


if __name__ == "__main__":
    main()
