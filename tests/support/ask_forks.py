"""A process that has read all modules and becomes one `python -m evaluators.ask` after the other, so that many can be killed.

```
echo '["items.jsonl", "--model", "replay:answers.jsonl", "--out", "responses.jsonl"]' | python tests/support/ask_forks.py
echo '["--help"]' | python tests/support/ask_forks.py
```

For each line of arguments it prints the number of the new process, and when that has ended, its exit code (a signal is
negative). OPENAI_API_KEY has to be the key of `model_server`.
"""

from __future__ import annotations

import json
import os
import signal
import sys

from evaluators.ask.__main__ import app
from evaluators.models import Message, Request, open_model, replies
from kg.cli import run
from model_server import model_server


def _warm_up() -> None:
    """Ask one question: all that is read at the first one is read here, once, instead of in each process."""
    with model_server() as running:
        replies(open_model(running.spec()), [Request("first", 0, (Message("user", "Is it?"),))])


def _become(args: list[str]) -> None:
    """Be a command from here on, which never returns."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a script starts what runs in the background with it ignored
    silent = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silent, stream)
    try:
        run(app, "python -m evaluators.ask", args)
    except SystemExit as stop:
        os._exit(stop.code if isinstance(stop.code, int) else 1)
    os._exit(70)


def main() -> None:
    """Start and bury processes until stdin ends."""
    _warm_up()
    for line in sys.stdin:
        number = os.fork()
        if not number:
            _become(json.loads(line))
        print(number, flush=True)
        _, status = os.waitpid(number, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()
