"""The bodies of answers: in parts, long, with half a character, packed beyond all bounds; each is read and paid for once."""

from __future__ import annotations

import pytest

from evaluators.models import Message, Reply, Request, open_model, replies
from evaluators.models.faults import Patience
from model_server import Running

HASTY = Patience(tries=3, first=0.01, longest=1.0, timeout=60.0)


def ask(server: Running, fault: str, spec: str | None = None) -> Reply:
    """Ask one question that meets a fault."""
    server.script.faults = {"Is it": [fault]}
    return replies(open_model(spec or server.spec(), HASTY), [Request("i", 0, (Message("user", "Is it so?"),))])[0]


def times(server: Running) -> int:
    return server.script.asked.total()


def test_a_content_in_parts_is_the_text_among_them(server: Running) -> None:
    reply = ask(server, "parts")
    assert (reply.text or "").startswith(("Yes,", "No,"))
    assert "Let me see" not in (reply.text or "")
    assert times(server) == 1


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_half_a_character_is_a_sign_and_no_reason_to_pay_again(protocol: str, server: Running) -> None:
    reply = ask(server, "half", "anthropic:stub" if protocol == "anthropic" else None)
    assert reply.error is None
    assert (reply.text or "").startswith("\ufffd ")
    assert times(server) == 1


def test_an_answer_of_fifty_megabytes_is_read_once(server: Running) -> None:
    reply = ask(server, "big:50")
    assert len(reply.text or "") == 50 * 5 * 209715
    assert times(server) == 1


@pytest.mark.parametrize(("fault", "text"), [("bomb:2", 2 * 5 * 209715), ("bomb:300", 0), ("big:120", 0)])
def test_what_is_packed_is_unpacked_to_a_limit(fault: str, text: int, server: Running) -> None:
    reply = ask(server, fault)
    assert len(reply.text or "") == text
    if not text:
        assert reply.error is not None
        assert (reply.error.kind, reply.error.message) == ("oversize", "an answer of more than 100 MB")
    assert times(server) == 1


def test_an_answer_that_was_counted_and_cannot_be_read_is_paid_once(server: Running) -> None:
    reply = ask(server, "nothing")
    assert reply.error is not None
    assert reply.error.kind == "malformed"
    assert reply.usage is not None
    assert reply.usage.output == 5
    assert times(server) == 1
