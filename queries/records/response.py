"""What a model answered to an item: one line of `responses.jsonl`."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

from queries.records.record import Amount, Count, Id, Name, Open, Record, Text, check_time

RESPONSE_SCHEMA: Literal["kgprobe.response/1"] = "kgprobe.response/1"


_LATER = ("served", "decoding", "messages", "logprobs", "trace")


class Failure(Record, frozen=True):
    """Why there is no answer."""

    kind: Name
    status: int | None = None
    message: Text = ""

    def __post_init__(self) -> None:
        # A column of whole numbers has 64 bits.
        if self.status is not None and not -(2**63) <= self.status < 2**63:
            raise ValueError("status", "not a number of 64 bits")


class Usage(Record, frozen=True):
    """Tokens in, out and read from a cache, and their price in US dollars; null where nobody says.

    `reasoning` counts those of `output` that were thought and not said.
    """

    input: Count | None = None
    output: Count | None = None
    cached: Count | None = None
    usd: Amount | None = None
    reasoning: Count | None = None


class Piece(Record, frozen=True, omit_defaults=True):
    """Paragraphs of a prompt, or the name of one that stands in an earlier prompt of the file: 16 digits of its sha256."""

    text: Text | None = None
    same: Text | None = None

    def __post_init__(self) -> None:
        if (self.text is None) == (self.same is None):
            raise ValueError("a piece has either 'text' or 'same'")


class Turn(Record, frozen=True, omit_defaults=True):
    """One turn of a prompt; `image` is a path or an address, and the sha256 of a picture that the item itself holds.

    Where earlier prompts of the file have some of its text, `pieces` stand for `text`, with an empty line between any two.
    """

    role: Literal["system", "user", "assistant"]
    text: Text | None = None
    image: Text | None = None
    pieces: list[Piece] | None = None

    def __post_init__(self) -> None:
        if (self.text is None) == (self.pieces is None):
            raise ValueError("a turn has either 'text' or 'pieces'")


class Token(Record, frozen=True):
    """A token of an answer and the natural logarithm of its probability."""

    token: Text
    logprob: float


class Lookup(Record, frozen=True, kw_only=True, omit_defaults=True):
    """A query that a model ran before it answered, and what came of it: `rows` of terms, a `truth` (ASK), or an `error`.

    Terms stand as N-Triples writes them, an empty text where a variable is unbound; `more` says that there were more rows than
    were returned; `seconds` is how long it took.
    """

    query: Text
    columns: list[Text] = []
    rows: list[list[Text]] = []
    more: bool = False
    truth: bool | None = None
    error: Text | None = None
    seconds: Amount | None = None


class Trace(Record, frozen=True, omit_defaults=True):
    """What a model looked up before it answered, in the order in which it did.

    `graph` is the digest of the store that was asked, or the address of an endpoint; `base` what relative IRIs were resolved
    against.
    """

    graph: Text
    lookups: list[Lookup]
    base: Text | None = None


class Response(Record, frozen=True, kw_only=True):
    """An answer, or the `error` that came instead of one (only then `text` may be null).

    `served` is the model version that the server names. `decoding` has the parameters that were sent, as JSON; null is one that
    was wanted and left out because the model does not take it. `messages` is the prompt itself, in the first line of a file
    that has its `prompt` (see `queries.records.prompts`). `logprobs` are there where they were asked for, `trace` where the
    model was given a graph to query.
    """

    KEY: ClassVar[tuple[str, ...]] = ("item", "model", "sample")

    schema: Literal["kgprobe.response/1"]
    item: Id
    model: Name
    sample: Count
    text: Text | None = None
    finish: Text | None = None
    error: Failure | None = None
    usage: Usage | None = None
    seconds: Amount | None = None
    prompt: Text | None = None
    time: Text | None = None
    served: Text | None = None
    decoding: Open = {}
    messages: list[Turn] | None = None
    logprobs: list[Token] | None = None
    trace: Trace | None = None

    def __post_init__(self) -> None:
        if self.text is None and self.error is None:
            raise ValueError("'text' is null or missing though there is no 'error'")
        if self.time is not None:
            check_time(self.time)

    def line(self) -> str:
        """Return the record as one line of JSON; fields that came later are left out where they say nothing."""
        fields = msgspec.structs.asdict(self)
        lean = {name: value for name, value in fields.items() if name not in _LATER or value}
        if self.usage is not None and self.usage.reasoning is None:
            usage = msgspec.structs.asdict(self.usage)
            usage.pop("reasoning")
            lean["usage"] = usage
        return msgspec.json.encode(lean).decode()
