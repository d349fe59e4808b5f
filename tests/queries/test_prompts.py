"""Prompts in a file of responses: each text stands there once, and every prompt can be put together again."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from queries.records import Response
from queries.records.prompts import Prompts, named, whole
from queries.records.record import decoder
from queries.records.response import Failure, Turn

parts = st.sampled_from(["", "Be brief. ", "Say 🦉. " * 9, "x" * 200, "\n", "\n\n", "Is Linz a capital city of any country? "])
turns = st.builds(Turn, st.sampled_from(["system", "user", "assistant"]), st.lists(parts, max_size=6).map("".join))
prompts = st.lists(turns, min_size=1, max_size=4)


def response(number: int, messages: Sequence[Turn], error: bool = False) -> Response:
    failure = Failure("timeout") if error else None
    text, prompt = None if error else "No.", f"sha256:{hash(tuple(messages))}"
    return Response(
        schema="kgprobe.response/1", item=f"i{number}", model="m", sample=0, text=text, error=failure, prompt=prompt,
        messages=list(messages),
    )  # fmt: skip


def read_back(lines: Sequence[str]) -> dict[str, list[Turn]]:
    """Put all prompts of a file together, as its reader would."""
    found: dict[str, list[Turn]] = {}
    paragraphs: dict[str, str] = {}
    for line in lines:
        record = decoder(Response)(line)
        if record.messages and record.prompt:
            found[record.prompt] = whole(record.messages, paragraphs)
            paragraphs |= dict(named(record.messages))
    return found


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(prompts, st.booleans()), min_size=1, max_size=12), st.integers(0, 12))
def test_every_prompt_comes_back_whole_after_a_kill_and_without_its_errors(
    sent: list[tuple[list[Turn], bool]], kill: int
) -> None:
    lines: list[str] = []
    known = Prompts()
    for number, (messages, error) in enumerate(sent):
        if number == kill:  # the next run knows what the file says, whose errors it takes out
            lines = [line for line in lines if '"error":null' in line]
            known = Prompts()
            for line in lines:
                known.enter(decoder(Response)(line))
        lean = known.shortened(response(number, messages, error))
        lines.append(lean.line())
        known.enter(lean)
    found = read_back(lines)
    asked = sent[min(kill, len(sent)) :] + [one for one in sent[:kill] if not one[1]]
    assert all(found[f"sha256:{hash(tuple(messages))}"] == messages for messages, _ in asked)


@pytest.mark.parametrize("apart", [True, False])
def test_what_prompts_share_in_any_order_is_written_once(apart: bool) -> None:
    """Eight demonstrations of a hundred, as turns of a conversation or in one text; each item sees others, in another order."""
    chance, known, size, plainly = random.Random(1), Prompts(), 0, 0
    pool = [f"Question: is city number {n} the capital of any country?\nAnswer: {'no, ' * 30}it is not." for n in range(100)]
    for number in range(500):
        texts = [*chance.sample(pool, 8), f"Question: is town {number} a capital?\nAnswer:"]
        sent = response(number, [Turn("user", text) for text in (texts if apart else ["\n\n".join(texts)])])
        lean = known.shortened(sent)
        known.enter(lean)
        size, plainly = size + len(lean.line()), plainly + len(sent.line())
    assert size < plainly / 2.5
