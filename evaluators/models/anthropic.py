"""Anthropic's messages.

The protocol wants a limit of tokens: 1024 where none is set. It has no seed and no log-probabilities, so these are not sent.
What is not set is not sent either: newer models refuse `temperature` and `top_p`, or both together.
"""

from __future__ import annotations

import json
import os
from typing import Any, ClassVar

import anthropic
import httpx2

from evaluators.errors import ModelError
from evaluators.models.batches import AnthropicBatches, Batches
from evaluators.models.client import Client, count, http_client, key_in, usage_of
from evaluators.models.faults import Patience
from evaluators.models.images import load_picture
from evaluators.models.parameters import with_others
from evaluators.models.protocol import Call, Called, Decoding, Message, Model, Reply, Request, Tool
from queries.records.response import Usage

_HOME = "https://api.anthropic.com"
_MAX_TOKENS = 1024


def open_anthropic(name: str, patience: Patience | None) -> Model:
    """Open `anthropic:NAME`.

    Raises ModelError where ANTHROPIC_API_KEY is not in the environment.
    """
    return Anthropic(f"anthropic:{name}", name, patience)


class Anthropic(Client):
    """A model of Anthropic (at the address that ANTHROPIC_BASE_URL says, if it says one).

    Raises ModelError where ANTHROPIC_API_KEY is not in the environment.
    """

    package: ClassVar[Any] = anthropic

    def __init__(self, name: str, model: str, patience: Patience | None = None) -> None:
        key = key_in("ANTHROPIC_API_KEY")
        if key is None:
            raise ModelError("ANTHROPIC_API_KEY is not set", place=name, way_out="put the key into the environment")
        address = os.environ.get("ANTHROPIC_BASE_URL") or _HOME
        super().__init__(name, model, address.rstrip("/"), key, patience or Patience())

    def _open(self) -> None:
        self._sdk = anthropic.AsyncAnthropic(
            api_key=self._key,
            base_url=self.endpoint,
            default_headers=self.headers,
            max_retries=0,
            timeout=self._patience.timeout,
            http_client=http_client(self._patience.timeout),
        )

    def batches(self) -> Batches:
        """Return the batches of this model."""
        return AnthropicBatches(self)

    async def _close(self) -> None:
        await self._sdk.close()

    async def _send(self, request: Request) -> tuple[int, httpx2.Headers, bytes]:
        # By the package's way for any address: its method no longer names temperature, which older models still take.
        response = await self._sdk.post("/v1/messages", cast_to=httpx2.Response, body=self.body(request))
        return response.status_code, response.headers, response.content

    def body(self, request: Request) -> dict[str, Any]:
        system = [m.text for m in request.messages if m.role == "system"]
        body: dict[str, Any] = {"model": self.model}
        body["messages"] = [_turn(message) for message in request.messages if message.role != "system"]
        if system:
            body["system"] = "\n\n".join(system)
        if request.tool is not None:
            body["tools"] = [_offered(request.tool)]
            body["tool_choice"] = {"type": "none" if request.closed else "auto"}
            body["messages"] += [turn for called in request.called for turn in _called(called)]
        return body | self._parameters(request)

    def _parameters(self, request: Request) -> dict[str, Any]:
        """Return the parameters that are set, but those that the model does not take."""
        sampled = with_others(_sampling(request.decoding), request.decoding)
        return {name: value for name, value in sampled.items() if name not in self.left_out or name == "max_tokens"}

    def _read(self, answer: dict[str, Any]) -> Reply:
        blocks = [block["text"] for block in answer["content"] if block.get("type") == "text"]
        if not blocks and not isinstance(answer.get("stop_reason"), str):
            raise ValueError("no content and no stop_reason")
        calls = tuple([
            Call(block["id"], block["name"], json.dumps(block["input"]))
            for block in answer["content"] if block.get("type") == "tool_use"
        ])  # fmt: skip
        # Thoughts go back as they came, with their signatures.
        turn = {"role": "assistant", "content": answer["content"]} if calls else None
        return Reply("".join(blocks), answer.get("stop_reason"), usage=self._usage(answer), calls=calls, turn=turn)

    def _usage(self, answer: dict[str, Any]) -> Usage | None:
        return _usage(answer)


def _offered(tool: Tool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "input_schema": tool.schema}


def _called(called: Called) -> list[dict[str, Any]]:
    results = [{"type": "tool_result", "tool_use_id": call, "content": text} for call, text in called.results]
    return [called.turn, {"role": "user", "content": results}]


def _turn(message: Message) -> dict[str, Any]:
    if message.image is None:
        return {"role": message.role, "content": message.text}
    picture = load_picture(message.image)
    source = {"type": "base64", "media_type": picture.media_type, "data": picture.data}
    block = {"type": "image", "source": {"type": "url", "url": picture.url} if picture.url else source}
    return {"role": message.role, "content": [block, {"type": "text", "text": message.text}]}


def _sampling(decoding: Decoding) -> dict[str, Any]:
    parameters: dict[str, Any] = {"max_tokens": decoding.max_tokens or _MAX_TOKENS}
    parameters |= {"temperature": decoding.temperature, "top_p": decoding.top_p, "stop_sequences": list(decoding.stop) or None}
    if decoding.schema is not None:
        parameters["output_config"] = {"format": {"type": "json_schema", "schema": json.loads(decoding.schema)}}
    return {name: value for name, value in parameters.items() if value is not None}


def _usage(answer: dict[str, Any]) -> Usage | None:
    """Count all input, as OpenAI's protocol does: `input_tokens` leaves out what was read from a cache or written into it."""
    read, written = count(answer, "usage", "cache_read_input_tokens"), count(answer, "usage", "cache_creation_input_tokens")
    uncached = count(answer, "usage", "input_tokens")
    total = None if uncached is None else uncached + (read or 0) + (written or 0)
    thought = count(answer, "usage", "output_tokens_details", "thinking_tokens")
    return usage_of(total, count(answer, "usage", "output_tokens"), read, thought)
