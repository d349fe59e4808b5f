"""What keeps a model from answering: a closed list of kinds, and what each of them means for the run.

```
python -m evaluators.ask items.jsonl --model openai:some-model --out responses.jsonl
grep -o '"kind":"[a-z_]*"' responses.jsonl | sort | uniq -c
```

| `error.kind` | what happened | in the run | next run |
|---|---|---|---|
| `rate_limit` | 429 or 529: too many requests, or an overloaded service | waits as long as it is told to | asks again |
| `server` | 5xx, 409, or an error inside an answer of status 200 | tries again | asks again |
| `connection` | no connection, or one that broke off | tries again | asks again |
| `timeout` | 408, or no whole answer in time | tries again | asks again |
| `malformed` | an answer that is not what the protocol promises: HTML, broken JSON, no choice | tries again | asks again |
| `bad_request` | 400 and its like: the server does not take this request | goes on with the next | leaves it |
| `image` | the item's picture cannot be read | goes on with the next | asks again |
| `not_recorded` | a recording has no answer to it | goes on with the next | asks again |

What no other request could escape ends the run: a broken key (401), no permission (403), no money (402, an exhausted quota), an
unknown model or address (404, 3xx).
"""

from __future__ import annotations

import re

from kg.errors import one_line
from queries.records.response import Failure

__all__ = ["AGAIN", "KINDS", "PASSING", "Fault", "kind_of_status", "redacted", "stops", "without_key"]

_SECRET = 16
"""From this length on a key is one that somebody was given, not a word to fill a variable with."""

KINDS = ("rate_limit", "server", "connection", "timeout", "malformed", "bad_request", "image", "not_recorded")
"""Every `error.kind` that a response of ours can have."""

PASSING = frozenset({"rate_limit", "server", "connection", "timeout", "malformed"})
"""What may be over in a moment: the same request is sent again."""

AGAIN = PASSING | {"image", "not_recorded"}
"""What the next run asks again."""

_STOPS = {
    401: "the key is not accepted",
    402: "the account has to be paid first",
    403: "the key has no permission for this",
    404: "the model or the address is unknown",
}
_KNOWN = {408: "timeout", 409: "server", 425: "server", 429: "rate_limit", 529: "rate_limit"}


class Fault(Exception):  # noqa: N818 - not every fault is an error of the program
    """One try that failed.

    Parameters: `kind` is one of KINDS, `after` the seconds that the server asks to wait.
    """

    def __init__(self, kind: str, message: str, *, status: int | None = None, after: float | None = None) -> None:
        self.kind, self.message, self.status, self.after = kind, message, status, after
        super().__init__(message)

    def failure(self) -> Failure:
        """Return what the record says of it."""
        return Failure(kind=self.kind, status=self.status, message=self.message)


def stops(status: int) -> str | None:
    """Say why a status ends the run, or None where it does not.

    >>> stops(401), stops(500)
    ('the key is not accepted', None)
    """
    return "the server sends elsewhere" if 300 <= status < 400 else _STOPS.get(status)


def kind_of_status(status: int) -> str:
    """Return the kind of fault that an HTTP status means.

    >>> [kind_of_status(status) for status in (400, 429, 503, 529)]
    ['bad_request', 'rate_limit', 'server', 'rate_limit']
    """
    return _KNOWN.get(status, "server" if status >= 500 else "bad_request")


def redacted(text: str, key: str | None, limit: int = 300) -> str:
    """Put a server's words on one line, without the key.

    >>> redacted("no such key: sk-123-abc", "sk-123-abc")
    'no such key: [key]'
    """
    return one_line(without_key(text, key), limit)


def without_key(text: str, key: str | None, *, answer: bool = False) -> str:
    """Take a key out of what a server says.

    Servers of one's own are given any word for a key ("none", "x"): what is so short is taken out of messages where it stands
    by itself, and of an `answer` not at all, which it would damage.

    >>> without_key("None of them.", "None", answer=True), without_key("bad key 'x', unexpected", "x")
    ('None of them.', "bad key '[key]', unexpected")
    """
    if not key or key not in text:
        return text
    if len(key) >= _SECRET or key.startswith("sk-"):
        return text.replace(key, "[key]")
    return text if answer else re.sub(rf"(?<!\w){re.escape(key)}(?!\w)", "[key]", text)
