"""OpenAI's chat completions: the provider itself, or any server that speaks its protocol.

What is not set is not sent, since some models refuse `temperature` or `top_p`. The provider itself is told
`max_completion_tokens`, other servers `max_tokens`, the older name that all of them know. With a seed, sample n is drawn with
seed + n. `http://host/v1#NAME?completions` asks a base model, which knows no turns of a conversation: what would be said in
turns is one text that the model continues, and it stops where the next question or paragraph would begin.
"""

from __future__ import annotations

import json
import os
from typing import Any, ClassVar
from urllib.parse import parse_qsl, urlsplit

import httpx2
import openai

from evaluators.errors import ModelError
from evaluators.models.batches import Batches, OpenAIBatches
from evaluators.models.client import KEY_HEADERS, Client, count, http_client, key_in, usage_of
from evaluators.models.faults import Patience
from evaluators.models.images import load_picture
from evaluators.models.parameters import with_others
from evaluators.models.protocol import Call, Decoding, Message, Model, Reply, Request, Tool
from evaluators.models.sizes import Counter, openai_counter
from queries.records.response import Usage

_COMPLETIONS = "?completions"
_STOPS = ["\n\n", "\nQuestion:", "\nQUESTION:", "\nQ:"]
"""What a base model writes when its answer is done; the protocol takes four at most."""
_HOME = "https://api.openai.com/v1"


def open_openai(name: str, patience: Patience | None) -> Model:
    """Open `openai:NAME`.

    Raises ModelError where OPENAI_API_KEY is not in the environment.
    """
    return OpenAI(f"openai:{name}", name, None, patience)


def open_server(name: str, patience: Patience | None) -> Model:
    """Open `http(s)://host/v1#NAME`, given as a whole.

    >>> open_server("http://127.0.0.1:8080/v1#some-model", None).name
    'http://127.0.0.1:8080/v1#some-model'
    """
    address, _, model = name.partition("#")
    if model.endswith(_COMPLETIONS):
        return Completions(name, model.removesuffix(_COMPLETIONS), address, patience)
    return OpenAI(name, model, address, patience)


def key_for(endpoint: str | None) -> str | None:
    """Return the key for an address: None is the provider itself, which gets its own.

    Other servers get KGPROBE_API_KEY; without it the provider's key too, as with other programs that take an address, but
    never in clear text to another machine.
    """
    own, shared = key_in("OPENAI_API_KEY"), key_in("KGPROBE_API_KEY")
    if endpoint is None or shared:
        return own if endpoint is None else shared
    here = urlsplit(endpoint).hostname in ("127.0.0.1", "localhost", "::1")
    return own if here or endpoint.startswith("https://") else None


class OpenAI(Client):
    """A model behind OpenAI's protocol.

    Parameters: `endpoint` is None for the provider itself (or what OPENAI_BASE_URL says instead).
    Raises ModelError where the provider's key is not in the environment; other servers may need none.
    """

    package: ClassVar[Any] = openai
    path: ClassVar[str] = "/chat/completions"

    def __init__(self, name: str, model: str, endpoint: str | None = None, patience: Patience | None = None) -> None:
        key = key_for(endpoint)
        if endpoint is None and key is None:
            raise ModelError("OPENAI_API_KEY is not set", place=name, way_out="put the key into the environment")
        self._official = endpoint is None
        address = endpoint or os.environ.get("OPENAI_BASE_URL") or _HOME
        super().__init__(name, model, address.rstrip("/"), key, patience or Patience())
        self._options = {"security": {"bearer_auth": True}}

    def _open(self) -> None:
        if self._key is None or KEY_HEADERS & self.headers.keys():
            self._options["headers"] = {"Authorization": self.headers.get("authorization", openai.Omit())}
        base, _, query = self.endpoint.partition("?")
        self._sdk = openai.AsyncOpenAI(
            api_key=self._key or "none",  # the package wants one; without ours the header is left out of each request
            base_url=base,
            default_query=dict(parse_qsl(query)),
            default_headers=self.headers,
            max_retries=0,
            timeout=self._patience.timeout,
            http_client=http_client(self._patience.timeout),
        )

    def counter(self) -> Counter:
        """Return the model's own tokenizer, where it is there."""
        return openai_counter(self.model)

    def batches(self) -> Batches:
        """Return the batches of this model."""
        batches = OpenAIBatches(self)
        batches.path = self.path
        return batches

    async def _close(self) -> None:
        await self._sdk.close()

    async def _send(self, request: Request) -> tuple[int, httpx2.Headers, bytes]:
        # By the package's way for any address: its typed method spends a third of its time on sorting parameters.
        response = await self._sdk.post(self.path, cast_to=httpx2.Response, body=self.body(request), options=self._options)
        return response.status_code, response.headers, response.content

    def body(self, request: Request) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self.model, "messages": [_turn(message) for message in request.messages]}
        if request.tool is not None:
            body["tools"] = [_offered(request.tool)]
            body["tool_choice"] = "none" if request.closed else "auto"
            for called in request.called:
                results = [{"role": "tool", "tool_call_id": call, "content": text} for call, text in called.results]
                body["messages"] += [called.turn, *results]
        return body | self._parameters(request)

    def _parameters(self, request: Request) -> dict[str, Any]:
        """Return the parameters that are set, but those that the model does not take; one limit goes by two names."""
        names = ["max_completion_tokens", "max_tokens"] if self._official else ["max_tokens", "max_completion_tokens"]
        limit = next((name for name in names if name not in self.left_out), names[0])
        sampled = with_others(_sampling(request.decoding, request.sample, limit), request.decoding)
        return {name: value for name, value in sampled.items() if name not in self.left_out}

    def _read(self, answer: dict[str, Any]) -> Reply:
        choice = answer["choices"][0]
        message, finish = choice["message"], choice.get("finish_reason")
        text, refusal = _said(message.get("content")), message.get("refusal")
        # Models with structured output put a refusal into a field of its own, beside an empty content.
        if refusal and not text:
            text, finish = refusal, "refusal"
        finish = finish if isinstance(finish, str) else None
        calls = tuple(map(_call, message.get("tool_calls") or ()))
        turn = {"role": "assistant", "content": None} | {name: message[name] for name in _OF_TURN if message.get(name)}
        return Reply(
            text or "", finish, usage=self._usage(answer), logprobs=_logprobs(choice), calls=calls, turn=turn if calls else None
        )

    def _usage(self, answer: dict[str, Any]) -> Usage | None:
        cached = count(answer, "usage", "prompt_tokens_details", "cached_tokens")
        thought = count(answer, "usage", "completion_tokens_details", "reasoning_tokens")
        return usage_of(count(answer, "usage", "prompt_tokens"), count(answer, "usage", "completion_tokens"), cached, thought)


class Completions(OpenAI):
    """A base model behind the older protocol: it continues a text.

    Pictures, a JSON Schema and log-probabilities belong to chats, and are not sent.
    """

    path: ClassVar[str] = "/completions"

    def body(self, request: Request) -> dict[str, Any]:
        if any(message.image is not None for message in request.messages):
            raise ModelError(
                "a base model sees no pictures", place=self.name, way_out="ask a chat model: leave ?completions out"
            )
        if request.tool is not None:
            raise ModelError("a base model calls no tools", place=self.name, way_out="ask a chat model: leave ?completions out")
        prompt = "\n\n".join(message.text for message in request.messages)
        return {"model": self.model, "prompt": prompt} | self._parameters(request)

    def _parameters(self, request: Request) -> dict[str, Any]:
        chat = ("response_format", "logprobs")
        sampled = {"stop": _STOPS} | super()._parameters(request)
        return {name: value for name, value in sampled.items() if name not in (*chat, *self.left_out)}

    def _read(self, answer: dict[str, Any]) -> Reply:
        choice = answer["choices"][0]
        text, finish = choice["text"], choice.get("finish_reason")
        if not isinstance(text, str):
            raise TypeError("text is no text")
        return Reply(text.strip(), finish if isinstance(finish, str) else None, usage=self._usage(answer))


def _said(content: Any) -> str | None:
    """Return the text of a content: a text, or a list of parts, of which thoughts and pictures are left out.

    >>> _said([{"type": "thinking", "thinking": []}, {"type": "text", "text": "Yes."}, " Or no."])
    'Yes. Or no.'
    """
    if not isinstance(content, list):
        if not isinstance(content, str | None):
            raise TypeError("content is no text")
        return content
    parts = [
        part if isinstance(part, str) else part.get("text") if part.get("type", "text") == "text" else "" for part in content
    ]
    return "".join(parts)


_OF_TURN = ("content", "tool_calls", "reasoning_content", "reasoning_details")
"""What of a turn that calls a tool goes back with the results: servers that show thoughts want these, too."""


def _offered(tool: Tool) -> dict[str, Any]:
    return {"type": "function", "function": {"name": tool.name, "description": tool.description, "parameters": tool.schema}}


def _call(call: dict[str, Any]) -> Call:
    """Read a call; some servers write the arguments as an object and not as its text."""
    function, arguments = call["function"], call["function"]["arguments"]
    return Call(str(call["id"]), str(function["name"]), arguments if isinstance(arguments, str) else json.dumps(arguments))


def _turn(message: Message) -> dict[str, Any]:
    if message.image is None:
        return {"role": message.role, "content": message.text}
    picture = {"type": "image_url", "image_url": {"url": load_picture(message.image).as_url}}
    return {"role": message.role, "content": [picture, {"type": "text", "text": message.text}]}


def _sampling(decoding: Decoding, sample: int, limit: str) -> dict[str, Any]:
    """Return the parameters that are set.

    >>> _sampling(Decoding(temperature=0.6, seed=1), 2, "max_tokens")
    {'temperature': 0.6, 'seed': 3}
    """
    parameters: dict[str, Any] = {"temperature": decoding.temperature, "top_p": decoding.top_p, limit: decoding.max_tokens}
    # Samples with one seed would all be the same answer.
    parameters["seed"] = None if decoding.seed is None else decoding.seed + sample
    parameters["logprobs"] = decoding.logprobs or None
    parameters["stop"] = list(decoding.stop) or None
    if decoding.schema is not None:
        schema = {"name": "answer", "schema": json.loads(decoding.schema), "strict": True}
        parameters["response_format"] = {"type": "json_schema", "json_schema": schema}
    return {name: value for name, value in parameters.items() if value is not None}


def _logprobs(choice: dict[str, Any]) -> tuple[tuple[str, float], ...] | None:
    logprobs = choice.get("logprobs")
    if not isinstance(logprobs, dict) or not isinstance(logprobs.get("content"), list):
        return None
    return tuple((str(token["token"]), float(token["logprob"])) for token in logprobs["content"])
