"""What can go wrong in this room, in one tree.

```
kg.errors.InputError
├── ModelError            a model that cannot be asked, or its recorded answers are damaged
│   ├── AllRefused        a model that refuses one request after the other in the same words
│   └── BudgetSpent       the money ended before the requests did
├── PromptError           a setting is unknown, or has no wording for an item
└── JoinError             items, responses and verdicts do not belong together
```

SIGTERM raises Terminated, which is no fault. Faults in a line of a file are `queries.records.RecordError`. Every message is one
line: where, what, and the way out.

>>> str(JoinError("item 'x' is not among the items", place="responses.jsonl:3"))
"responses.jsonl:3: item 'x' is not among the items"
"""

from __future__ import annotations

import signal

from kg.errors import InputError

__all__ = ["AllRefused", "BudgetSpent", "JoinError", "ModelError", "PromptError"]


class ModelError(InputError):
    """A model that cannot be asked, or its recorded answers are damaged."""


class AllRefused(ModelError):  # noqa: N818 - the run did what it could
    """A model that refuses one request after the other in the same words."""

    exit_code = 1


class BudgetSpent(ModelError):  # noqa: N818 - no error of anybody
    """The money for a judge or a writer ended before its requests did; what was answered is on file."""

    exit_code = 1


class PromptError(InputError):
    """A setting is unknown, or has no wording for an item."""


class JoinError(InputError):
    """Items, responses and verdicts do not belong together."""


class Terminated(KeyboardInterrupt):
    """The system asked the process to end (SIGTERM), and what was under way had its time to finish."""

    exit_code = 128 + signal.SIGTERM
