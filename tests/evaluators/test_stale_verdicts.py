"""A verdict is on the text that was judged: after another answer came in its place, nothing is counted."""

from __future__ import annotations

from pathlib import Path

from fpq_made import Command, fpq_item, read_lines, write_lines


def test_a_report_refuses_verdicts_on_other_texts(command: Command, tmp_path: Path) -> None:
    items = write_lines(tmp_path / "items.jsonl", [fpq_item(n, "tpq") for n in range(3)])
    answers = write_lines(tmp_path / "answers.jsonl", [{"item": line["id"], "text": "Yes."} for line in read_lines(items)])
    responses, verdicts, report = tmp_path / "responses.jsonl", tmp_path / "verdicts.jsonl", tmp_path / "report"
    assert command("ask", items, "--model", f"replay:{answers}", "--out", responses).code == 0
    assert command("verify", "--items", items, "--responses", responses, "--out", verdicts).code == 0
    files = ["--items", items, "--responses", responses, "--verdicts", verdicts, "--out", report]
    lines = read_lines(responses)
    write_lines(responses, [lines[0], lines[1] | {"text": "No."}, lines[2]])
    done = command("report", *files)
    assert (done.code, len(done.stderr.splitlines())) == (2, 1)
    assert f"{verdicts}:2: the answer of replay:answers to item '{lines[1]['item']}' (sample 0)" in done.stderr
    assert "judge these responses again" in done.stderr
    assert not report.exists()
    write_lines(verdicts, [{name: value for name, value in line.items() if name != "text"} for line in read_lines(verdicts)])
    assert command("report", *files).code == 0  # files of before the hash was kept
