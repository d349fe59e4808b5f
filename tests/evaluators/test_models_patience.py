"""Patience: how long a model is waited for, and how fast it is asked."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Iterator
from email.utils import formatdate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.errors import ModelError
from evaluators.models import Message, Request, open_model, replies
from evaluators.models.faults import PASSING, Fault, Patience, Throttle, retry_after
from evaluators.models.openai import OpenAI
from evaluators.models.sizes import Sizes, openai_counter
from model_server import Running
from queries.records.response import Usage


def asked(n: int) -> list[Request]:
    return [Request("item", 0, (Message("user", f"Is it number {n}?"),)) for n in range(n)]


def test_a_limit_holds_back_all_requests_for_as_long_as_it_says(server: Running) -> None:
    server.script.faults = {"number 0": ["429:0.4", "ok"]}
    assert all(reply.text for reply in replies(open_model(server.spec()), asked(20), concurrency=2))
    limited = next(request.time for request in server.script.requests if "number 0" in request.text)
    later = [request.time - limited for request in server.script.requests if request.time > limited]
    assert len(later) in (19, 20)
    # The one that was under way already is not called back.
    assert sum(after < 0.4 for after in later) <= 1


def test_requests_a_minute(server: Running) -> None:
    """600 a minute are one each tenth of a second, from the first on: no burst."""
    model = open_model(server.spec(), Patience(rpm=600))
    assert all(reply.text for reply in replies(model, asked(6), concurrency=6))
    times = [request.time for request in server.script.requests]
    # On a busy machine two may arrive together that were sent apart; in a burst all six do.
    assert times[-1] - times[0] > 0.25
    assert times[-1] - times[0] > 0.45


@contextlib.contextmanager
def own_clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[list[float], list[float]]]:
    """Let time pass only where somebody sleeps; gives the clock, which a test may put on, and the pauses so far."""
    clock, pauses = [0.0], list[float]()

    async def nap(seconds: float) -> None:
        pauses.append(seconds)
        clock[0] += seconds

    with monkeypatch.context() as patch:
        patch.setattr("evaluators.models.faults.time.monotonic", lambda: clock[0])
        patch.setattr("asyncio.sleep", nap)
        yield clock, pauses


@pytest.mark.parametrize("size", [50, 900, 4000])
def test_tokens_a_minute_hold_for_prompts_of_any_length_once_the_server_has_counted(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twice as many are used as were expected; the pace is that of what was used."""

    async def call(clock: list[float]) -> float:
        patient, used = Throttle(Patience(tpm=120_000)), 0

        async def work() -> str:
            clock[0] += 0.01
            return "done"

        while used < 16_000:
            await patient.run(work, size)
            patient.settle(size, 2 * size)
            used += 2 * size
        assert patient.tokens is not None
        await patient.tokens.wait(0)
        return used / clock[0]

    with own_clock(monkeypatch) as (clock, _):
        assert asyncio.run(call(clock)) == pytest.approx(2000, rel=0.01)


def run(patience: Patience, faults: list[Fault], monkeypatch: pytest.MonkeyPatch) -> tuple[int, list[float]]:
    """Do work that meets `faults`; return how often it was tried, and the pauses."""
    tries = iter(faults)
    count = [0]

    async def work() -> str:
        count[0] += 1
        for fault in tries:
            raise fault
        return "done"

    async def call() -> str:
        return await Throttle(patience).run(work, 10)

    with own_clock(monkeypatch) as (_, pauses), contextlib.suppress(Fault):
        asyncio.run(call())
    return count[0], [pause for pause in pauses if pause]


def test_pauses_grow_and_are_never_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    tries, pauses = run(Patience(tries=9, first=1.0, most=20.0), [Fault("server", "") for _ in range(20)], monkeypatch)
    assert tries == 9
    for n, pause in enumerate(pauses):
        assert min(20.0, 2.0**n) / 2 <= pause <= min(20.0, 2.0**n)
    assert len(set(pauses)) == len(pauses) == 8


def test_limits_do_not_count_as_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    faults = [Fault("rate_limit", "") for _ in range(12)]
    assert run(Patience(tries=2, first=0.1), faults, monkeypatch)[0] == 13
    assert run(Patience(tries=2, first=0.1), [*faults, Fault("server", "")], monkeypatch)[0] == 14
    assert run(Patience(tries=2, first=0.1), [*faults, *[Fault("server", "")] * 2], monkeypatch)[0] == 14


def test_a_limit_is_waited_for_no_longer_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    tries, pauses = run(Patience(first=1.0, longest=30.0), [Fault("rate_limit", "")] * 99, monkeypatch)
    assert 5 <= tries <= 9
    assert 30 <= sum(pauses) < 62


def test_retry_after_is_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    _, pauses = run(Patience(first=1.0), [Fault("rate_limit", "", after=17.0)], monkeypatch)
    assert 17.0 <= sum(pauses) < 18.0
    with pytest.raises(ModelError, match="asks to wait 3600 seconds"):
        run(Patience(), [Fault("rate_limit", "", after=3600.0)], monkeypatch)


@pytest.mark.parametrize("kind", ["bad_request", "image", "not_recorded"])
def test_what_does_not_pass_is_tried_once(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert kind not in PASSING
    assert run(Patience(), [Fault(kind, "")] * 3, monkeypatch) == (1, [])


@settings(deadline=None)
@given(st.integers(0, 10**7))
def test_a_date_says_the_same_as_the_seconds_until_then(seconds: int) -> None:
    now = 1_790_000_000.0
    assert retry_after({"retry-after": str(seconds)}) == seconds
    assert retry_after({"retry-after": formatdate(now + seconds, usegmt=True)}, now=now) == seconds
    assert retry_after({"retry-after-ms": str(seconds), "retry-after": "9"}) == pytest.approx(seconds / 1000)


@settings(deadline=None)
@given(st.text())
def test_any_header_is_read_as_seconds_or_as_nothing(text: str) -> None:
    found = retry_after({"retry-after": text})
    assert found is None or 0 <= found <= 1e9 or found == pytest.approx(found)


def test_a_slow_answer_has_its_time_but_no_more(server: Running) -> None:
    server.script.faults = {"number 0": ["wait:0.3"], "number 1": ["wait:5"]}
    replies(open_model(server.spec()), asked(5)[4:])
    began = time.monotonic()
    slow, late = replies(open_model(server.spec(), Patience(tries=1, timeout=1.5)), asked(2))
    assert slow.text
    assert slow.seconds is not None
    assert slow.seconds >= 0.3
    assert late.error is not None
    assert (late.error.kind, late.error.message) == ("timeout", "no whole answer within 1.5 seconds")
    assert time.monotonic() - began < 5


def test_tokens_are_counted_by_the_tokenizer_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tokenizer with a token for each word; of a text of any length only the beginning is read."""
    tiktoken = pytest.importorskip("tiktoken")
    ranks = {bytes([number]): number for number in range(256)} | {b"word": 256}
    words = tiktoken.Encoding(
        "words", pat_str=r"word|[^w]+", mergeable_ranks=ranks | {b"wo": 257, b"rd": 258}, special_tokens={}
    )
    monkeypatch.setattr(tiktoken, "encoding_for_model", {"gpt-known": words}.__getitem__)
    counter = openai_counter("gpt-known")
    assert (counter("wordword"), counter(""), openai_counter("vendor/gpt-known")("word")) == (2, 0, 1)
    assert counter("word" * 200_000) == pytest.approx(200_000)
    assert counter("half \ud83d of a sign") > 0
    assert openai_counter("unknown")("x" * 40) == 10
    model = OpenAI("m", "gpt-known", "http://127.0.0.1:9/v1", Patience(tpm=1000))
    assert model.counter()("word") == 1


def test_a_tokenizer_without_its_file_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    tiktoken = pytest.importorskip("tiktoken")

    def offline(model: str) -> None:
        raise ConnectionError("no network")

    monkeypatch.setattr(tiktoken, "encoding_for_model", offline)
    assert openai_counter("gpt-known")("x" * 40) == 10


def test_what_the_server_counts_corrects_any_tokenizer() -> None:
    sizes = Sizes(lambda text: float(len(text)))
    request = Request("a", 0, (Message("user", "x" * 50),))
    for _ in range(3):
        size = sizes.of(request)
        assert sizes.learn(size, Usage(input=75, output=5)) == 80
    assert sizes.of(request) == (75.0, 5.0, 50.0)
