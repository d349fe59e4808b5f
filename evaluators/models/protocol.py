"""What passes between a run and a model: messages, how an answer is drawn, a request, and the reply to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from queries.records.response import Failure, Response, Trace, Usage


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation; `image` is a file's path, a data: URL or an http(s) URL.

    >>> Message("user", "What is on the picture?", image="cup.png").image
    'cup.png'
    """

    role: Literal["system", "user", "assistant"]
    text: str
    image: str | None = None


@dataclass(frozen=True, slots=True)
class Decoding:
    """How an answer is drawn; what is None is not sent, so that the server's own default holds.

    `schema` is a JSON Schema as text: the answer must be JSON of that shape. `stop` are texts that end an answer. `others` are
    parameters of the server's own, each a name (dots lead into objects) and its value as JSON.

    >>> Decoding(temperature=0.0, max_tokens=100).top_p is None
    True
    """

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    schema: str | None = None
    logprobs: bool = False
    stop: tuple[str, ...] = ()
    others: tuple[tuple[str, str], ...] = ()

    def stated(self) -> dict[str, Any]:
        """Return what is set, by name.

        >>> Decoding(temperature=0.0, stop=("END",)).stated()
        {'temperature': 0.0, 'stop': ('END',)}
        """
        fields = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in fields.items() if value is not None and value is not False and value != ()}


@dataclass(frozen=True, slots=True)
class Tool:
    """A function with one text as its argument that a model may call in `rounds` turns at most before it answers.

    `longest` is how many characters the result of a call has at most.
    """

    name: str
    description: str
    argument: str
    meaning: str
    rounds: int = 8
    longest: int = 4000

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the argument, as both providers want it."""
        argument = {"type": "string", "description": self.meaning}
        return {"type": "object", "properties": {self.argument: argument}, "required": [self.argument]}


@dataclass(frozen=True, slots=True)
class Call:
    """A call that a model makes of a tool: the provider's id of it, the tool's name, and the arguments (JSON as text)."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Called:
    """One round of calls: the model's turn in the words of its provider's protocol, and the result of each call by its id."""

    turn: Any
    results: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Request:
    """What a model is asked: the messages, and which sample of which item they are for.

    `tool` may be called before the answer; `called` are the calls so far.
    """

    item: str
    sample: int
    messages: tuple[Message, ...]
    decoding: Decoding = Decoding()
    tool: Tool | None = None
    called: tuple[Called, ...] = ()

    @property
    def closed(self) -> bool:
        """Whether the tool may not be called any more."""
        return self.tool is not None and len(self.called) >= self.tool.rounds


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: a text, or the failure that came instead.

    `logprobs` are pairs of token and log-probability where they were asked for and the server has them; `served` is the model
    version that the server names; `decoding` are the parameters that were sent, as JSON, and null those that were wanted and
    left out. `calls` are of a tool, `turn` is the turn that makes them; `trace` is what they came to, once there is an answer.
    """

    text: str | None = None
    finish: str | None = None
    error: Failure | None = None
    usage: Usage | None = None
    seconds: float | None = None
    time: str | None = None
    logprobs: tuple[tuple[str, float], ...] | None = None
    served: str | None = None
    decoding: Mapping[str, str | None] | None = None
    calls: tuple[Call, ...] = ()
    turn: Any = None
    trace: Trace | None = None


def reply_of(response: Response) -> Reply:
    """Return the reply that a response records."""
    pairs = None if response.logprobs is None else tuple((token.token, token.logprob) for token in response.logprobs)
    return Reply(
        response.text, response.finish, response.error, response.usage, response.seconds, response.time, pairs, response.served,
        response.decoding or None, trace=response.trace,
    )  # fmt: skip


class Model(Protocol):
    """Something that answers, and fails by replying so.

    It raises ModelError only for what no other request can escape: a broken key, an unknown model.
    """

    @property
    def name(self) -> str:
        """What the records call the model."""
        ...

    async def ask(self, request: Request) -> Reply:
        """Answer one request."""
        ...

    async def aclose(self) -> None:
        """Close what is open; the model is not asked again."""
        ...
