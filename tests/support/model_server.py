"""A model's server on this machine: OpenAI's chat completions and Anthropic's messages, misbehaving on demand.

```
python tests/support/model_server.py --port 8099 --script '{"moon": ["429:0", "500", "ok"], "sun": ["hang"]}'
OPENAI_API_KEY=sk-test python -m evaluators.ask items.jsonl --model http://127.0.0.1:8099/v1#stub --out responses.jsonl
```

A script says what befalls the questions that hold a piece of text: the first try meets the first fault, and so on; the last
one stays. `GET /asked` tells how often each prompt was asked and answered. Requests are checked as the providers check them:
keys, models, parameters, the form of messages, images.

Faults: `ok`, any HTTP status (`500`; with `:SECONDS` or `:date` a Retry-After), `hang`, `reset` (in mid-body), `short` (the
connection ends before the body does), `cut` (JSON that breaks off), `malformed`, `html`, `nothing` (no choice at all),
`inside` (an error under status 200), `empty`, `null`, `filter`, `refusal`, `length`, `trickle` (a few bytes at a time), `leak`
(a fault that repeats the key), `echo` (an answer that repeats the key), `quota`, `credit` (400: the account is empty),
`flagged` (403 about one input), `wait:SECONDS` (an answer that takes time), `parts` (a content of several parts), `half`
(half a character in the text), `big:MB` (a long answer), `bomb:MB` (one that is packed). `refuses` maps a parameter that the
models do not take to what they say of it; `tokens` says what a prompt and its answer count, `served` which version answers.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import binascii
import contextlib
import datetime
import email.utils
import hashlib
import json
import socket
import struct
import threading
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

KEY = "sk-test-0123456789-abcdefghijklmnop"
MODELS = ("stub", "other")
_JSON = "application/json"
OPENAI_FIELDS = {
    "model", "messages", "temperature", "top_p", "max_tokens", "max_completion_tokens", "seed", "response_format",
    "logprobs", "top_logprobs", "n", "stop", "stream", "user", "reasoning_effort", "provider", "chat_template_kwargs",
    "tools", "tool_choice",
}  # fmt: skip
ANTHROPIC_FIELDS = {
    "model", "messages", "system", "max_tokens", "temperature", "top_p", "top_k", "stop_sequences", "output_config",
    "metadata", "stream", "thinking", "tools", "tool_choice",
}  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """A request that arrived."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]
    text: str
    time: float

    @property
    def anthropic(self) -> bool:
        return self.path.endswith("/messages")

    @property
    def results(self) -> list[str]:
        """What the tool returned so far."""
        messages = self.body.get("messages", [])
        if not self.anthropic:
            return [message["content"] for message in messages if message["role"] == "tool"]
        parts = [part for message in messages if isinstance(message["content"], list) for part in message["content"]]
        return [part["content"] for part in parts if part.get("type") == "tool_result"]

    @property
    def may_call(self) -> bool:
        """Whether a tool is offered, and not forbidden in this turn."""
        choice = self.body.get("tool_choice", "auto")
        return "tools" in self.body and (choice.get("type") if isinstance(choice, dict) else choice) != "none"


@dataclass
class Script:
    """What befalls whom, and a record of it.

    A request with a JSON Schema gets the plainest value of it, unless `answer` fills it in itself (`fills`).
    """

    faults: Mapping[str, list[str]] = field(default_factory=dict)
    answer: Callable[[Asked], str] = lambda asked: plain_answer(asked.text)
    queries: Callable[[Asked], list[str]] = lambda asked: []
    key: str | None = KEY
    delay: float = 0.0
    keep: bool = True
    refuses: Mapping[str, str] = field(default_factory=dict)
    tokens: Callable[[Asked], tuple[int, int]] = lambda asked: (len(asked.text) // 4, 5)
    served: str = "stub-2026-01-31"
    models: tuple[str, ...] = MODELS
    looks: int = 2
    loses: int = 0
    says: str | None = None
    fills: bool = False
    files: list[bytes] = field(default_factory=list)
    batches: list[dict[str, Any]] = field(default_factory=list)
    requests: list[Asked] = field(default_factory=list)
    asked: Counter[str] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)

    def next(self, asked: Asked) -> str:
        """Say what befalls this request."""
        if self.keep:
            self.asked[asked.text] += 1
            self.requests.append(asked)
        for piece, faults in self.faults.items():
            if piece in asked.text:
                return faults[min(self.asked[asked.text], len(faults)) - 1]
        return "ok"


def plain_answer(prompt: str) -> str:
    """The same answer to the same prompt, whoever asks."""
    number = hashlib.sha256(prompt.encode()).digest()[0]
    return f"{'Yes' if number % 2 else 'No'}, because of {number}."


class Wire(asyncio.Protocol):
    """One connection: HTTP/1.1 with Content-Length, one request after the other."""

    def __init__(self, script: Script, open_wires: set[Wire]) -> None:
        self.script, self.buffer, self.open_wires = script, b"", open_wires
        self.batches = BatchDesk(script, self)
        self.tasks: set[asyncio.Task[None]] = set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.open_wires.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.open_wires.discard(self)
        for task in self.tasks:
            task.cancel()

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while True:
            head, found, rest = self.buffer.partition(b"\r\n\r\n")
            if not found:
                return
            line, *lines = head.decode("latin-1").split("\r\n")
            headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
            length = int(headers.get("content-length", 0))
            if len(rest) < length:
                return
            self.buffer = rest[length:]
            self.serve(line.split(" ")[1], headers, rest[:length])

    def serve(self, path: str, headers: dict[str, str], body: bytes) -> None:
        path, _, query = path.partition("?")
        headers["query"] = query
        if path == "/asked":
            said = {"asked": self.script.asked, "answered": self.script.answered}
            return self.send(200, json.dumps(said))
        if path.endswith("/models"):
            return self.send(200, json.dumps({"object": "list", "data": [{"id": m, "object": "model"} for m in MODELS]}))
        if self.batches.takes(path):
            answer = self.batches.serve(path, headers, body)
            return self.send(*answer) if answer else self.transport.abort()
        if not path.endswith(("/completions", "/messages")):
            return self.fail(Asked(path, headers, {}, "", 0), 404, "no such page")
        try:
            found = json.loads(body)
        except ValueError:
            return self.fail(Asked(path, headers, {}, "", 0), 400, "the body is not JSON")
        asked = Asked(path, headers, found, prompt_of(found), time.monotonic())
        return self.befall(asked, self.script.next(asked))

    def befall(self, asked: Asked, fault: str) -> None:
        wrong = self.refused(asked)
        if wrong:
            return self.fail(asked, *wrong)
        name, _, detail = fault.partition(":")
        if name.isdigit():
            return self.fail(asked, int(name), "it was too much for us", detail)
        if name in ("hang",):
            return None
        if name in ("reset", "trickle", "wait") or self.script.delay:
            task = asyncio.get_running_loop().create_task(self.slowly(asked, name, float(detail or self.script.delay)))
            self.tasks.add(task)
            return task.add_done_callback(self.tasks.discard)
        return self.at_once(asked, name, detail)

    def send_much(self, asked: Asked, megabytes: int, *, packed: bool) -> None:
        """Send an answer of so many megabytes."""
        before, after = json.dumps(self.reply(asked, "mark")).encode().split(b"[mark]")
        pieces = [before, *[b"very " * 209715] * megabytes, after]
        if packed:
            packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
            pieces = [*[packer.compress(piece) for piece in pieces], packer.flush()]
        self.script.answered[asked.text] += 1
        extra = "content-encoding: gzip\r\n" if packed else ""
        self.transport.write(head(200, sum(map(len, pieces)), _JSON, extra).encode() + b"".join(pieces))

    def at_once(self, asked: Asked, name: str, detail: str = "") -> None:
        body = json.dumps(self.reply(asked, name))
        if name == "quota":
            return self.fail(asked, 429, "You exceeded your current quota", code="insufficient_quota")
        if name == "credit":
            return self.fail(asked, 400, "Your credit balance is too low to access the API. Please purchase credits.")
        if name == "flagged":
            return self.fail(asked, 403, "The model requires moderation and your input was flagged for violence")
        if name == "leak":
            return self.fail(asked, 500, f"cannot serve {key_of(asked)} with {asked.headers}")
        if name == "inside":
            body = json.dumps({"error": {"message": "the model broke down", "code": 502}})
        if name == "nothing":
            body = json.dumps(self.reply(asked, name) | {"choices": [], "content": []})
        if name in ("cut", "short"):
            whole, body = len(body), body[: len(body) // 2]
            self.send(200, body, length=whole if name == "short" else None)
            return self.transport.close() if name == "short" else None
        if name == "malformed":
            body = '{"choices": [{"message": oops}]}'
        if name == "half":
            body = body.replace('"No', '"\\ud83d No').replace('"Yes', '"\\ud83d Yes')
        if name in ("big", "bomb"):
            return self.send_much(asked, int(detail), packed=name == "bomb")
        if name == "html":
            return self.send(200, "<html><body>The gateway is closed.</body></html>", kind="text/html")
        if self.script.keep:
            self.script.answered[asked.text] += 1
        return self.send(200, body)

    async def slowly(self, asked: Asked, name: str, seconds: float) -> None:
        body = json.dumps(self.reply(asked, name)).encode()
        if name == "trickle":
            self.transport.write(head(200, len(body)).encode())
            for place in range(0, len(body), 40):
                self.transport.write(body[place : place + 40])
                await asyncio.sleep(0.005)
            self.script.answered[asked.text] += 1
        elif name == "reset":
            self.transport.write(head(200, len(body)).encode() + body[:20])
            await asyncio.sleep(0.02)
            sock = self.transport.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.transport.abort()
        else:
            await asyncio.sleep(seconds)
            self.at_once(asked, name)

    def refused(self, asked: Asked) -> tuple[int, str] | None:
        """Say what a provider would find wrong with a request."""
        if self.script.key and key_of(asked) != self.script.key:
            return 401, f"Incorrect API key provided: {key_of(asked)}."
        if asked.body.get("model") not in self.script.models:
            return 404, f"The model `{asked.body.get('model')}` does not exist or you do not have access to it."
        for name, words in self.script.refuses.items():
            if name in asked.body:
                return 400, words
        problem = anthropic_problem(asked) if asked.anthropic else openai_problem(asked)
        return (400, problem) if problem else None

    def fail(self, asked: Asked, status: int, message: str, retry: str = "", code: str | None = None) -> None:
        kinds = {401: "authentication_error", 403: "permission_error", 404: "not_found_error", 429: "rate_limit_error",
                 400: "invalid_request_error", 529: "overloaded_error"}  # fmt: skip
        error: dict[str, Any] = {"type": kinds.get(status, "api_error"), "message": message}
        body = {"type": "error", "error": error} if asked.anthropic else {"error": error | {"param": None, "code": code}}
        when = email.utils.formatdate(time.time() + 1, usegmt=True) if retry == "date" else retry
        self.send(status, json.dumps(body), extra=f"retry-after: {when}\r\n" if when else "")

    def send(self, status: int, body: str, *, length: int | None = None, kind: str = _JSON, extra: str = "") -> None:
        data = body.encode()
        self.transport.write(head(status, len(data) if length is None else length, kind, extra).encode() + data)

    def reply(self, asked: Asked, name: str) -> dict[str, Any]:
        text: str | None = self.script.answer(asked) if name not in ("empty", "null", "refusal", "filter") else ""
        text = key_of(asked) if name == "echo" else "[mark]" if name == "mark" else text
        if schema_of(asked) and not self.script.fills:
            text = json.dumps(instance(schema_of(asked)))
        whole = anthropic_reply(asked, text or "", name) if asked.anthropic else openai_reply(asked, text, name)
        queries = self.script.queries(asked) if asked.may_call else []
        if queries:
            whole = anthropic_calls(whole, queries) if asked.anthropic else openai_calls(whole, queries)
        return whole | {"model": self.script.served, "usage": usage_of(asked, *self.script.tokens(asked))}


@dataclass
class BatchDesk:
    """Batches in both protocols. They are done when they were looked at as often as the script says.

    Where it `says` something, that is the answer to whatever is asked about batches.
    """

    script: Script
    wire: Wire

    def takes(self, path: str) -> bool:
        return "/batches" in path or "/files" in path

    def serve(self, path: str, headers: Mapping[str, str], body: bytes) -> tuple[int, str] | None:
        """Answer; None breaks the connection off."""
        key = headers.get("x-api-key") or headers.get("authorization", "")[len("Bearer ") :]
        if self.script.key and key != self.script.key:
            return 401, json.dumps({"error": {"message": "Incorrect API key provided"}})
        if self.script.says is not None:
            return 200, self.script.says
        anthropic, name = "/messages/batches" in path, path.rpartition("batches")[2].strip("/")
        if "/files" in path:
            return 200, self._file(path, body)
        if body:
            return self._create(anthropic, json.loads(body))
        kept = self.script.batches
        if not name:
            page = [self._shown(one) for one in reversed(kept) if one["anthropic"] == anthropic]
            return 200, json.dumps({"data": page, "has_more": False})
        batch = next(one for one in kept if one["id"] == name.split("/")[0])
        batch["looks"] += 1
        return 200, self._results(batch) if name.endswith("/results") else json.dumps(self._shown(batch))

    def _file(self, path: str, body: bytes) -> str:
        if body:
            lines = body.split(b"application/jsonl\r\n\r\n")[1].split(b"\r\n--")[0]
            self.script.files.append(lines)
            return json.dumps({"id": f"file-{len(self.script.files) - 1}", "object": "file", "purpose": "batch"})
        return self._results(next(one for one in self.script.batches if one["id"] == path.split("/")[-2].removeprefix("out-")))

    def _create(self, anthropic: bool, body: dict[str, Any]) -> tuple[int, str] | None:
        requests = body.get("requests") or [
            json.loads(line) for line in self.script.files[int(body["input_file_id"].removeprefix("file-"))].splitlines()
        ]
        batch = {
            "id": f"batch_{len(self.script.batches)}", "anthropic": anthropic, "requests": requests, "looks": 0,
            "metadata": body.get("metadata"), "time": time.time(),
        }  # fmt: skip
        self.script.batches.append(batch)
        for request in requests:
            self.script.asked[prompt_of(request.get("params") or request["body"])] += 1
        if self.script.loses and len(self.script.batches) <= self.script.loses:
            return None  # it was taken, and nobody is told
        return 200, json.dumps(self._shown(batch))

    def _shown(self, batch: Mapping[str, Any]) -> dict[str, Any]:
        done, count = batch["looks"] >= self.script.looks, len(batch["requests"])
        if batch["anthropic"]:
            created = datetime.datetime.fromtimestamp(batch["time"], datetime.UTC).isoformat()
            counts = {
                "processing": 0 if done else count,
                "succeeded": count if done else 0,
                "errored": 0,
                "canceled": 0,
                "expired": 0,
            }
            return {"id": batch["id"], "type": "message_batch", "created_at": created, "request_counts": counts,
                    "processing_status": "ended" if done else "in_progress"}  # fmt: skip
        output = f"out-{batch['id']}" if done else None
        return {"id": batch["id"], "object": "batch", "created_at": int(batch["time"]), "metadata": batch["metadata"],
                "status": "completed" if done else "in_progress", "output_file_id": output, "error_file_id": None}  # fmt: skip

    def _results(self, batch: Mapping[str, Any]) -> str:
        """Results come in any order."""
        return "".join(json.dumps(self._result(batch, request)) + "\n" for request in reversed(batch["requests"]))

    def _result(self, batch: Mapping[str, Any], request: Mapping[str, Any]) -> dict[str, Any]:
        found = request.get("params") or request["body"]
        asked = Asked(
            "/v1/messages" if batch["anthropic"] else "/v1/chat/completions",
            {"anthropic-version": ""},
            found,
            prompt_of(found),
            0,
        )
        problem = next((words for name, words in self.script.refuses.items() if name in found), None)
        custom = {"custom_id": request["custom_id"]}
        if batch["anthropic"] and problem:
            error = {"type": "error", "error": {"type": "invalid_request_error", "message": problem}}
            return custom | {"result": {"type": "errored", "error": error}}
        if any(piece in asked.text for piece in self.script.faults):
            expired = {"type": "expired"}
            missing = {"response": None, "error": {"code": "batch_expired", "message": "This request could not be executed"}}
            return custom | ({"result": expired} if batch["anthropic"] else missing)
        body = {"error": {"message": problem, "param": None, "code": None}} if problem else self.wire.reply(asked, "ok")
        if batch["anthropic"]:
            return custom | {"result": {"type": "succeeded", "message": body}}
        return custom | {"response": {"status_code": 400 if problem else 200, "request_id": "r", "body": body}, "error": None}


def head(status: int, length: int, kind: str = _JSON, extra: str = "") -> str:
    return f"HTTP/1.1 {status} Said\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n{extra}\r\n"


def key_of(asked: Asked) -> str:
    return asked.headers.get("x-api-key") or asked.headers.get("authorization", "")[len("Bearer ") :]


def prompt_of(body: dict[str, Any]) -> str:
    """The words of the last user's message."""
    if "prompt" in body:  # a base model's
        return str(body["prompt"])
    said = [m.get("content") for m in body.get("messages", []) if isinstance(m, dict) and m.get("role") == "user"]
    words = ["".join(part.get("text", "") for part in c) if isinstance(c, list) else str(c) for c in said]
    return next(filter(None, reversed(words)), "")  # results of a tool are no words


def schema_of(asked: Asked) -> dict[str, Any]:
    given = (asked.body.get("output_config") or {}).get("format") or asked.body.get("response_format") or {}
    found: dict[str, Any] = given.get("schema") or given.get("json_schema", {}).get("schema") or {}
    return found


def instance(schema: Mapping[str, Any]) -> Any:
    """The plainest value of a JSON Schema."""
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("type") == "object":
        return {name: instance(inner) for name, inner in schema.get("properties", {}).items()}
    return {"string": "word", "integer": 1, "number": 1.5, "boolean": True, "array": []}.get(schema.get("type", ""))


def openai_problem(asked: Asked) -> str | None:
    body = asked.body
    base = not asked.path.endswith("/chat/completions")
    unknown = set(body) - (OPENAI_FIELDS - {"messages"} | {"prompt"} if base else OPENAI_FIELDS)
    if unknown:
        return f"Unrecognized request argument supplied: {', '.join(sorted(unknown))}"
    for message in body.get("messages", []):
        if message.get("role") not in ("system", "developer", "user", "assistant", "tool"):
            return f"Invalid value: '{message.get('role')}'"
        for part in message["content"] if isinstance(message["content"], list) else []:
            if part["type"] == "image_url" and not image_problem(part["image_url"]["url"]):
                return "Invalid image data"
    called = [call["id"] for message in body.get("messages", []) for call in message.get("tool_calls") or []]
    answered = [message["tool_call_id"] for message in body.get("messages", []) if message["role"] == "tool"]
    if called != answered:
        return "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."
    return range_problem(body)


def image_problem(url: str) -> bool:
    if url.startswith("data:"):
        kind, _, data = url[5:].partition(";base64,")
        return kind in ("image/png", "image/jpeg", "image/gif", "image/webp") and is_base64(data)
    return url.startswith(("http://", "https://"))


def is_base64(text: str) -> bool:
    try:
        return bool(base64.b64decode(text, validate=True))
    except binascii.Error:
        return False


def range_problem(body: Mapping[str, Any]) -> str | None:
    if not 0 <= (body.get("temperature") or 0) <= 2:
        return "Invalid 'temperature': decimal above maximum value"
    return None


def anthropic_problem(asked: Asked) -> str | None:
    body = asked.body
    unknown = set(body) - ANTHROPIC_FIELDS
    if unknown:
        return f"{sorted(unknown)[0]}: Extra inputs are not permitted"
    if "anthropic-version" not in asked.headers:
        return "anthropic-version: header is required"
    if not isinstance(body.get("max_tokens"), int):
        return "max_tokens: Field required"
    for number, message in enumerate(body["messages"]):
        if message.get("role") not in ("user", "assistant"):
            return f'messages.{number}: Unexpected role "{message.get("role")}"'
        for part in message["content"] if isinstance(message["content"], list) else []:
            if part["type"] == "image" and part["source"]["type"] == "base64" and not is_base64(part["source"]["data"]):
                return f"messages.{number}.content.0.image.source.base64: invalid base64 data"
    parts = [p for message in body["messages"] if isinstance(message["content"], list) for p in message["content"]]
    if [p["id"] for p in parts if p["type"] == "tool_use"] != [p["tool_use_id"] for p in parts if p["type"] == "tool_result"]:
        return "`tool_use` ids were found without `tool_result` blocks immediately after"
    return range_problem(body)


def openai_reply(asked: Asked, text: str | None, name: str) -> dict[str, Any]:
    finish = {"filter": "content_filter", "length": "length"}.get(name, "stop")
    message: dict[str, Any] = {"role": "assistant", "content": None if name in ("null", "refusal") else text, "refusal": None}
    if name == "refusal":
        message["refusal"] = "I cannot help with that."
    choice: dict[str, Any] = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish}
    if asked.body.get("logprobs"):
        choice["logprobs"] = {"content": [{"token": "x", "logprob": -0.5, "bytes": [120], "top_logprobs": []}], "refusal": None}
    if name == "parts":
        message["content"] = [{"type": "thinking", "thinking": "Let me see."}, {"type": "text", "text": text}]
    if "prompt" in asked.body:
        base = {"index": 0, "text": f" {text}\n", "logprobs": None, "finish_reason": finish}
        return {"id": "cmpl-1", "object": "text_completion", "created": 1750000000, "choices": [base]}  # fmt: skip
    return {"id": "chatcmpl-1", "object": "chat.completion", "created": 1750000000, "choices": [choice]}  # fmt: skip


def anthropic_reply(asked: Asked, text: str, name: str) -> dict[str, Any]:
    stop = {"filter": "refusal", "refusal": "refusal", "length": "max_tokens"}.get(name, "end_turn")
    return {"id": "msg_1", "type": "message", "role": "assistant", "stop_sequence": None, "stop_reason": stop,
            "content": [{"type": "text", "text": text}] if text else []}  # fmt: skip


def openai_calls(whole: dict[str, Any], queries: list[str]) -> dict[str, Any]:
    """The same reply with calls of the tool `query` in the place of a text."""
    calls = [
        {"id": f"call_{n}", "type": "function", "function": {"name": "query", "arguments": json.dumps({"sparql": query})}}
        for n, query in enumerate(queries)
    ]
    message = {"role": "assistant", "content": None, "tool_calls": calls, "reasoning_content": "Let me look."}
    return whole | {"choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": "tool_calls"}]}


def anthropic_calls(whole: dict[str, Any], queries: list[str]) -> dict[str, Any]:
    thought = {"type": "thinking", "thinking": "Let me look.", "signature": "s"}
    uses = [
        {"type": "tool_use", "id": f"toolu_{n}", "name": "query", "input": {"sparql": query}} for n, query in enumerate(queries)
    ]
    return whole | {"content": [thought, *uses], "stop_reason": "tool_use"}


def usage_of(asked: Asked, sent: int, produced: int) -> dict[str, Any]:
    """Half of what is sent was in a cache, and two tokens of an answer were thought."""
    if asked.anthropic:
        return {"input_tokens": sent - sent // 2, "cache_creation_input_tokens": 0, "cache_read_input_tokens": sent // 2,
                "output_tokens": produced, "output_tokens_details": {"thinking_tokens": 2}}  # fmt: skip
    return {"prompt_tokens": sent, "completion_tokens": produced, "total_tokens": sent + produced,
            "prompt_tokens_details": {"cached_tokens": sent // 2},
            "completion_tokens_details": {"reasoning_tokens": 2}}  # fmt: skip


async def listen(script: Script, port: int = 0) -> tuple[asyncio.Server, set[Wire]]:
    """Open a server on loopback; port 0 takes a free one."""
    wires: set[Wire] = set()
    return await asyncio.get_running_loop().create_server(lambda: Wire(script, wires), "127.0.0.1", port), wires


def port_of(server: asyncio.Server) -> int:
    return int(server.sockets[0].getsockname()[1])


@dataclass(frozen=True)
class Running:
    """A server that runs in a thread of this process."""

    script: Script
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def spec(self, model: str = "stub") -> str:
        """How `--model` names it."""
        return f"{self.url}/v1#{model}"


@contextlib.contextmanager
def model_server(script: Script | None = None) -> Iterator[Running]:
    """Run a server in a thread while the block runs."""
    script, ready, loop = script or Script(), threading.Event(), asyncio.new_event_loop()
    ports: list[int] = []
    stop = asyncio.Event()

    async def work() -> None:
        server, wires = await listen(script)
        ports.append(port_of(server))
        ready.set()
        await stop.wait()
        server.close()
        for wire in list(wires):
            wire.transport.abort()
        await asyncio.sleep(0)
        await server.wait_closed()

    thread = threading.Thread(target=lambda: loop.run_until_complete(work()), daemon=True)
    thread.start()
    ready.wait(10)
    try:
        yield Running(script, ports[0])
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)
        loop.close()


async def _forever(script: Script, port: int) -> None:
    server, _ = await listen(script, port)
    print(port_of(server), flush=True)
    await server.serve_forever()


def main() -> None:
    """Serve until the process is ended; the port is printed."""
    parser = argparse.ArgumentParser(description="A model's server that misbehaves on demand.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--script", type=json.loads, default={})
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--no-record", action="store_true", help="do not remember what was asked (for measuring)")
    given = parser.parse_args()
    script = Script(given.script, delay=given.delay, keep=not given.no_record)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_forever(script, given.port))


if __name__ == "__main__":
    main()
