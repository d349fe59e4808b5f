"""Recorded answers, asked for like any other model."""

from __future__ import annotations

import asyncio
from pathlib import Path

from evaluators.models import Decoding, Message, Request, open_model, replies
from fpq_made import Command, fpq_item, read_lines, write_lines


def request(item: str, sample: int = 0) -> Request:
    return Request(item, sample, (Message("user", "Is it?"),), Decoding(temperature=0.0))


def test_a_recording_needs_no_key_and_no_prompt(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "answers.jsonl", [{"item": "a", "text": "Yes."}, {"item": "b", "sample": 1, "text": "No."}])
    found = replies(open_model(f"replay:{path}"), [request("b", 1), request("a"), request("a", 7), request("b"), request("c")])
    assert [reply.text for reply in found] == ["No.", "Yes.", "Yes.", None, None]
    assert [reply.error and reply.error.kind for reply in found] == [None, None, None, "not_recorded", "not_recorded"]


def test_it_may_be_asked_in_any_loop(tmp_path: Path) -> None:
    model = open_model(f"replay:{write_lines(tmp_path / 'answers.jsonl', [{'item': 'a', 'text': 'Yes.'}])}")
    assert model.name == "replay:answers"
    for _ in range(2):
        assert asyncio.run(model.ask(request("a"))).text == "Yes."
        asyncio.run(model.aclose())


def test_what_a_recording_learns_later_is_filled_in(command: Command, tmp_path: Path) -> None:
    items = write_lines(tmp_path / "items.jsonl", [fpq_item(n, "tpq") for n in range(3)])
    ids = [item["id"] for item in read_lines(items)]
    answers, out = tmp_path / "answers.jsonl", tmp_path / "responses.jsonl"
    write_lines(answers, [{"item": ids[0], "text": "Yes."}])
    done = command("ask", items, "--model", f"replay:{answers}", "--out", out)
    assert (done.code, "2 ended in an error (2 not_recorded)" in done.stderr) == (0, True)
    write_lines(answers, [{"item": ids[0], "text": "No."}, {"item": ids[2], "text": "Yes."}])
    done = command("ask", items, "--model", f"replay:{answers}", "--out", out)
    assert {line["item"]: line["text"] for line in read_lines(out)} == {ids[0]: "Yes.", ids[1]: None, ids[2]: "Yes."}
    assert len(read_lines(out)) == 3


def test_a_recording_is_never_put_into_the_cache(command: Command, tmp_path: Path) -> None:
    items = write_lines(tmp_path / "items.jsonl", [fpq_item(0, "tpq")])
    answers = write_lines(tmp_path / "answers.jsonl", [{"item": read_lines(items)[0]["id"], "text": "Yes."}])
    command("ask", items, "--model", f"replay:{answers}", "--out", "-", "--cache", tmp_path / "cache.sqlite")
    assert not (tmp_path / "cache.sqlite").exists()
