"""What the clients send, in both protocols, and what they read."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from evaluators.errors import ModelError
from evaluators.models import Decoding, Message, Reply, Request, open_model, replies
from evaluators.models.openai import key_for
from model_server import Asked, Running

PIXEL = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
ITEM = "fpq.made.yes_no.tpq.00"


def say(spec: str, *messages: Message, decoding: Decoding = Decoding(), sample: int = 0) -> Reply:
    return replies(open_model(spec), [Request(ITEM, sample, messages, decoding)])[0]


def sent(server: Running) -> dict[str, Any]:
    return server.script.requests[-1].body


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "cup.jpeg"  # the name is wrong: the bytes tell that it is a PNG
    path.write_bytes(PIXEL)
    return path


def test_nothing_is_sent_that_was_not_set(server: Running) -> None:
    assert say(server.spec(), Message("user", "Is it?")).text
    assert sent(server) == {"model": "stub", "messages": [{"role": "user", "content": "Is it?"}]}
    assert say("anthropic:stub", Message("user", "Is it?")).text
    assert sent(server) == {"model": "stub", "messages": [{"role": "user", "content": "Is it?"}], "max_tokens": 1024}


TALK = (Message("system", "Be brief."), Message("user", "Is it?"), Message("assistant", "Yes."), Message("user", "And that?"))
TURNS = [{"role": m.role, "content": m.text} for m in TALK]


def test_a_conversation_with_a_system_prompt(server: Running) -> None:
    say(server.spec(), *TALK)
    assert sent(server)["messages"] == TURNS
    say("anthropic:stub", *TALK)
    assert (sent(server)["system"], sent(server)["messages"]) == ("Be brief.", TURNS[1:])


def test_a_base_model_continues_one_text_and_stops_before_the_next_question(server: Running) -> None:
    reply = say(
        f"{server.spec()}?completions", *TALK[:1], Message("user", "Question: Is it?\nAnswer:"), decoding=Decoding(max_tokens=9)
    )
    body = sent(server)
    assert server.script.requests[-1].path.endswith("/v1/completions")
    assert body["prompt"] == "Be brief.\n\nQuestion: Is it?\nAnswer:"
    assert "\nQuestion:" in body["stop"]
    assert (body["model"], body["max_tokens"]) == ("stub", 9)
    assert "messages" not in body
    assert reply.text == (reply.text or "").strip() != ""


def test_a_base_model_is_shown_no_picture(server: Running, picture: Path) -> None:
    with pytest.raises(ModelError, match="sees no pictures"):
        say(f"{server.spec()}?completions", Message("user", "What is it?", image=str(picture)))


def test_decoding(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = Decoding(temperature=0.6, top_p=0.9, max_tokens=100, seed=7)
    say(server.spec(), Message("user", "Is it?"), decoding=drawn, sample=2)
    assert {k: v for k, v in sent(server).items() if k not in ("model", "messages")} == {
        "temperature": 0.6, "top_p": 0.9, "max_tokens": 100, "seed": 9,
    }  # fmt: skip
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
    say("openai:stub", Message("user", "Is it?"), decoding=drawn)
    assert (sent(server)["max_completion_tokens"], sent(server)["seed"], "max_tokens" in sent(server)) == (100, 7, False)
    say("anthropic:stub", Message("user", "Is it?"), decoding=drawn)
    assert {k: v for k, v in sent(server).items() if k not in ("model", "messages")} == {
        "temperature": 0.6, "top_p": 0.9, "max_tokens": 100,
    }  # fmt: skip


def test_a_temperature_of_zero_is_sent(server: Running) -> None:
    for spec in (server.spec(), "anthropic:stub"):
        say(spec, Message("user", "Is it?"), decoding=Decoding(temperature=0.0))
        assert sent(server)["temperature"] == 0.0


SCHEMA = {
    "type": "object",
    "properties": {"answer": {"enum": ["yes", "no"]}},
    "required": ["answer"],
    "additionalProperties": False,
}


def test_an_answer_of_a_given_shape(server: Running) -> None:
    for spec in (server.spec(), "anthropic:stub"):
        reply = say(spec, Message("user", "Is it?"), decoding=Decoding(schema=json.dumps(SCHEMA)))
        assert json.loads(reply.text or "") == {"answer": "yes"}


def test_log_probabilities_where_the_server_has_them(server: Running) -> None:
    drawn = Decoding(logprobs=True)
    assert say(server.spec(), Message("user", "Is it?"), decoding=drawn).logprobs == (("x", -0.5),)
    assert say("anthropic:stub", Message("user", "Is it?"), decoding=drawn).logprobs is None


def test_pictures(server: Running, picture: Path) -> None:
    data = base64.b64encode(PIXEL).decode()
    for source in (str(picture), f"data:image/png;base64,{data}"):
        say(server.spec(), Message("user", "What is it?", image=source))
        part = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}
        assert sent(server)["messages"][0]["content"] == [part, {"type": "text", "text": "What is it?"}]
        say("anthropic:stub", Message("user", "What is it?", image=source))
        block = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}
        assert sent(server)["messages"][0]["content"] == [block, {"type": "text", "text": "What is it?"}]


def test_pictures_that_the_server_fetches(server: Running) -> None:
    url = "https://example.org/cup.png"
    say(server.spec(), Message("user", "What is it?", image=url))
    assert sent(server)["messages"][0]["content"][0] == {"type": "image_url", "image_url": {"url": url}}
    say("anthropic:stub", Message("user", "What is it?", image=url))
    assert sent(server)["messages"][0]["content"][0] == {"type": "image", "source": {"type": "url", "url": url}}


@pytest.mark.parametrize("name", ["absent.png", "notes.png", "data:image/png;base64,?", "data:text/plain,hello", "."])
def test_a_picture_that_is_none_is_that_items_own_fault(name: str, server: Running, tmp_path: Path) -> None:
    (tmp_path / "notes.png").write_text("no picture at all")
    source = name if name.startswith("data:") else str(tmp_path / name)
    for spec in (server.spec(), "anthropic:stub"):
        reply = say(spec, Message("user", "What is it?", image=source))
        assert reply.error is not None
        assert reply.error.kind == "image"
    assert not server.script.requests


def test_tokens_are_counted_alike(server: Running) -> None:
    """Anthropic counts what came from its cache apart, OpenAI within the input; the records do as OpenAI does."""
    prompt = "Is this question forty characters long?!"
    one, other = say(server.spec(), Message("user", prompt)), say("anthropic:stub", Message("user", prompt))
    assert one.usage == other.usage
    assert one.usage is not None
    assert (one.usage.input, one.usage.cached, one.usage.output) == (10, 5, 5)


def test_a_server_that_needs_no_key(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    server.script.key = None
    assert say(server.spec(), Message("user", "Is it?")).text
    assert "authorization" not in server.script.requests[0].headers


def test_a_model_may_be_asked_again_and_again(server: Running) -> None:
    """Writers and judges call `replies` many times with one model: each time opens and closes its own connections."""
    model = open_model(server.spec())
    found = [replies(model, [Request(ITEM, n, (Message("user", f"Is it {n}?"),)) for n in range(5)]) for _ in range(3)]
    assert found[0][0].text
    assert [[reply.text for reply in some] for some in found] == [[reply.text for reply in found[0]]] * 3


def test_replies_stand_in_the_order_of_the_requests(server: Running) -> None:
    def late(asked: Asked) -> str:
        return asked.text

    server.script.answer = late
    server.script.faults = {"number 0": ["wait:0.2"], "number 3": ["500", "ok"]}
    asked = [Request(ITEM, 0, (Message("user", f"Is it number {n}?"),)) for n in range(12)]
    assert [reply.text for reply in replies(open_model(server.spec()), asked)] == [r.messages[0].text for r in asked]


def test_replies_inside_a_running_loop(server: Running) -> None:
    """As in a notebook, whose cells run in a loop of its own."""
    import asyncio

    async def cell() -> Reply:
        return say(server.spec(), Message("user", "Is it?"))

    assert asyncio.run(cell()).text


@pytest.mark.parametrize(
    ("address", "variables", "sent"),
    [
        (None, {"OPENAI_API_KEY": "own"}, "own"),
        (None, {"OPENAI_API_KEY": "own", "KGPROBE_API_KEY": "other"}, "own"),
        ("http://far.example/v1", {"OPENAI_API_KEY": "own"}, None),
        ("http://far.example/v1", {"OPENAI_API_KEY": "own", "KGPROBE_API_KEY": "other"}, "other"),
        ("https://far.example/v1", {"OPENAI_API_KEY": "own"}, "own"),
        ("http://127.0.0.1:8135/v1", {"OPENAI_API_KEY": "own"}, "own"),
        ("http://127.0.0.1.far.example/v1", {"OPENAI_API_KEY": "own"}, None),
    ],
)
def test_the_providers_key_goes_to_no_stranger_in_clear_text(
    monkeypatch: pytest.MonkeyPatch, address: str | None, variables: dict[str, str], sent: str | None
) -> None:
    for name in ("OPENAI_API_KEY", "KGPROBE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    for name, key in variables.items():
        monkeypatch.setenv(name, key)
    assert key_for(address) == sent
