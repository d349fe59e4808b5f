"""Which exemplars an item sees: the same ones every time, as even as can be, and never its own fact."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.errors import ModelError, PromptError
from evaluators.prompts import open_setting
from evaluators.prompts.exemplars import ExemplarRule, Exemplars, kind_of, withholds
from evaluators.prompts.nearest import EmbeddingApi, Nearest, Tfidf, open_embedder
from queries.records import read
from queries.records.exemplar import Exemplar
from queries.records.item import Item

HERE = Path(__file__).parents[1] / "fixtures/evaluators/settings"
PATH = str(HERE / "exemplars.jsonl")
EXEMPLARS = read(PATH, Exemplar)
ITEMS = {item.id: msgspec.to_builtins(item) for item in read(HERE / "items.jsonl", Item)}


def demo(question: str, text: str, task: str = "open", **more: Any) -> Exemplar:
    return msgspec.convert({"schema": "kgprobe.exemplar/1", "task": task, "question": question, "text": text, **more}, Exemplar)


def asked(number: int, task: str = "yes_no", **more: Any) -> dict[str, Any]:
    return {"id": f"item.{number}", "task": task, "question": f"Is it {number}?", "group": f"group.{number}", **more}


def shown(exemplars: list[Exemplar], item: dict[str, Any], rule: ExemplarRule, **more: Any) -> list[Exemplar]:
    return list(Exemplars(exemplars, {item["task"]: rule}, path="e.jsonl", **more).of(item))


YES_NO = [
    demo(f"Question {n}?", "Yes, so it is." if n % 3 else "No, never.", "yes_no", variant=("basic", "negated")[n % 2])
    for n in range(60)
]


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10**6), st.integers(0, 5), st.integers(1, 9), st.randoms())
def test_the_order_of_the_file_does_not_matter_and_yes_is_as_frequent_as_no(
    number: int, seed: int, count: int, random: Any
) -> None:
    mixed = list(YES_NO)
    random.shuffle(mixed)
    seen = shown(YES_NO, asked(number), ExemplarRule(count), seed=seed)
    assert seen == shown(mixed, asked(number), ExemplarRule(count), seed=seed)
    assert len({exemplar.question for exemplar in seen}) == count
    kinds = Counter(map(kind_of, seen))
    assert abs(kinds["yes"] - kinds["no"]) <= 1
    for kind in kinds:
        variants = Counter(exemplar.variant for exemplar in seen if kind_of(exemplar) == kind)
        assert abs(variants["basic"] - variants["negated"]) <= 1


def test_a_seed_and_an_item_change_what_is_shown() -> None:
    first = shown(YES_NO, asked(1), ExemplarRule(4))
    assert first == shown(YES_NO, asked(1), ExemplarRule(4))
    assert first != shown(YES_NO, asked(1), ExemplarRule(4), seed=1)
    assert first != shown(YES_NO, asked(2), ExemplarRule(4))


def test_a_new_exemplar_changes_few_items() -> None:
    new = [*YES_NO, demo("Another?", "Yes.", "yes_no", variant="basic")]
    before, after = (Exemplars(e, {"yes_no": ExemplarRule(2)}, path="e.jsonl") for e in (YES_NO, new))
    changed = sum(before.of(asked(n)) != after.of(asked(n)) for n in range(400))
    assert 0 < changed < 80


def test_all_exemplars_are_used_about_equally() -> None:
    exemplars = Exemplars(YES_NO, {"yes_no": ExemplarRule(4)}, path="e.jsonl")
    seen = Counter(exemplar.question for n in range(2000) for exemplar in exemplars.of(asked(n)))
    assert len(seen) == 60


@pytest.mark.parametrize("nearest", [None, "tfidf"])
def test_no_item_sees_an_exemplar_of_its_own_group_or_with_its_own_question(nearest: str | None) -> None:
    own = [
        demo("Who made it?", "Ada Lovelace", group="group.1"),
        demo("is it  1?", "Grace Hopper"),
        demo("Who else?", "Alan Turing"),
    ]
    embedder = open_embedder(nearest, [e.question for e in own]) if nearest else None
    assert [e.text for e in shown(own, asked(1, "open"), ExemplarRule(1), embedder=embedder)] == ["Alan Turing"]
    with pytest.raises(PromptError) as few:
        shown(own, asked(1, "open"), ExemplarRule(2), embedder=embedder)
    assert str(few.value) == (
        "e.jsonl: has 1 exemplars of task open with an answer to show item item.1, not 2; "
        "add some (an item never sees those of its own group), or ask for fewer with --shots"
    )


def test_a_choice_shows_each_place_of_the_right_option() -> None:
    options = ["one", "two", "three"]
    choices = [
        demo(f"Which {n}?", f"Option {n % 3 + 1}: {options[n % 3]}\nBecause.", "choice", options=options) for n in range(12)
    ]
    for n in range(20):
        seen = shown(choices, asked(n, "choice"), ExemplarRule(3))
        assert sorted(map(kind_of, seen)) == ["1", "2", "3"]


def test_an_answer_that_cannot_be_read_comes_last() -> None:
    some = [*YES_NO[:6], demo("Is it odd?", "Purple.", "yes_no"), demo("Is it even?", "Green.", "yes_no")]
    for n in range(20):
        assert all(map(kind_of, shown(some, asked(n), ExemplarRule(6))))
    assert len(shown(some, asked(99), ExemplarRule(8))) == 8


def test_demonstrations_of_the_items_own_family_go_first() -> None:
    mixed = [
        demo(f"Is {n} so?", ("Yes.", "No.")[n % 2], "yes_no", source={"family": ("movie", "book", "music")[n % 3]})
        for n in range(36)
    ]
    for n in range(20):
        seen = shown(mixed, asked(n, family="book"), ExemplarRule(8))
        assert {exemplar.source["family"] for exemplar in seen} == {"book"}
        assert Counter(map(kind_of, seen)) == {"yes": 4, "no": 4}
    more = Counter(exemplar.source["family"] for exemplar in shown(mixed, asked(1, family="book"), ExemplarRule(16)))
    assert more["book"] == 12


def test_short_answers_show_dates_numbers_and_names() -> None:
    for n in range(20):
        seen = shown([e for e in EXEMPLARS if e.task == "open"], asked(n, "open"), ExemplarRule(6))
        assert Counter(map(kind_of, seen)) == {"date": 2, "number": 2, "entity": 2}


@pytest.mark.parametrize(("count", "unsure"), [(None, 2), (4, 2), (2, 1), (6, 3), (5, 2), (1, 0)])
def test_half_of_the_shots_are_unsure(count: int | None, unsure: int) -> None:
    prompter = open_setting("few-shot-unsure", exemplars=PATH, shots=count)
    text = prompter.messages(ITEMS["born.open"])[0].text
    answers = [line.removeprefix("ANSWER: ") for line in text.splitlines() if line.startswith("ANSWER: ")]
    assert len(answers) == (count or 4)
    assert answers.count("unsure") == unsure


def test_no_other_setting_shows_the_unsure_ones() -> None:
    text = open_setting("few-shot", exemplars=PATH, shots=6).messages(ITEMS["jaws.context"] | {"task": "open"})[0].text
    assert "unsure" not in text


def test_too_few_unsure_ones_are_told() -> None:
    known = [demo(f"Question {n}?", f"Name {n}") for n in range(4)]
    with pytest.raises(
        PromptError, match=r"has 0 exemplars of task open that say they are unsure to show item item\.1, not 2;"
    ):
        shown(known, asked(1, "open"), ExemplarRule(4, unanswerable=2))


@pytest.mark.parametrize(
    ("task", "text", "options", "unsure"),
    [
        ("open", "unsure", None, True),
        ("open", "I do not know.", None, True),
        ("open", "Uncertainty in a Small Town", None, False),
        ("yes_no", "Unsure, since nothing is said about it.", None, True),
        ("yes_no", "No, I am sure.", None, False),
        ("choice", "Option 3: unsure", ["a", "b", "unsure"], True),
        ("choice", "2", ["a", "b", "unsure"], False),
    ],
)
def test_what_counts_as_showing_how_not_to_know(task: str, text: str, options: list[str] | None, unsure: bool) -> None:
    assert withholds(demo("What?", text, task, options=options)) is unsure


def truth(path: str = PATH) -> dict[str, str]:
    return {exemplar.question: exemplar.text for exemplar in read(path, Exemplar)}


def test_counterfactual_shots_show_another_answer_of_the_same_property() -> None:
    properties = {e.question: e.source.get("property") for e in EXEMPLARS}
    answers = {(e.source.get("property"), e.text) for e in EXEMPLARS}
    rule = {"open": ExemplarRule(6, counterfactual=True)}
    for n in range(30):
        for exemplar in Exemplars(EXEMPLARS, rule, path=PATH).of(asked(n, "open")):
            assert exemplar.text != truth()[exemplar.question]
            assert (properties[exemplar.question], exemplar.text) in answers


def test_a_counterfactual_answer_never_gives_the_items_own_away() -> None:
    for seed in range(30):
        seen = Exemplars(EXEMPLARS, {"open": ExemplarRule(4, counterfactual=True)}, path=PATH, seed=seed).of(ITEMS["born.open"])
        assert "December 9, 1906" not in {exemplar.text for exemplar in seen}


def test_without_a_property_answers_of_one_type_are_exchanged_and_equal_ones_are_not() -> None:
    same = [demo("Where was Ada born?", "London"), demo("Where was Alan born?", "LONDON"), demo("When?", "1815")]
    with pytest.raises(PromptError, match="has 0 exemplars of task open with an answer and another of their property"):
        shown(same, asked(1, "open"), ExemplarRule(1, counterfactual=True))
    other = [*same, demo("Where was Niels born?", "Copenhagen")]
    seen = shown(other, asked(1, "open"), ExemplarRule(3, counterfactual=True))
    assert {e.question: e.text for e in seen}["Where was Ada born?"] == "Copenhagen"


NEAR = [
    demo("Who directed Alien?", "Ridley Scott"),
    demo("Who directed Jaws?", "Steven Spielberg"),
    demo("On what date was Ada born?", "December 10, 1815"),
    demo("How many floors has the tower?", "77"),
]


def test_nearest_shots_are_those_whose_questions_share_words() -> None:
    embedder = Tfidf([e.question for e in NEAR])
    seen = shown(NEAR, asked(1, "open", question="Who directed Vertigo?"), ExemplarRule(2), embedder=embedder)
    assert {e.text for e in seen} == {"Ridley Scott", "Steven Spielberg"}
    seen = shown(NEAR, asked(1, "open", question="On what date was Alan born?"), ExemplarRule(1), embedder=embedder)
    assert seen[0].text == "December 10, 1815"


def test_preparing_many_items_changes_nothing_but_the_time() -> None:
    items = [asked(n, "open", question=f"Who directed film {n} on what date?") for n in range(50)]
    alone, together = (open_setting("few-shot", exemplars=PATH, shots=3, nearest="tfidf") for _ in range(2))
    together.prepare(items)
    assert [alone.messages(item) for item in items] == [together.messages(item) for item in items]


def test_yes_and_no_stay_balanced_where_the_nearest_are_shown() -> None:
    near = [demo(f"Is the film {n} good?", "Yes.", "yes_no") for n in range(5)] + [demo("Rain?", "No.", "yes_no")] * 1
    seen = shown(near, asked(1, question="Is the film good?"), ExemplarRule(2), embedder=Tfidf([e.question for e in near]))
    assert sorted(e.text for e in seen) == ["No.", "Yes."]


class Letters(BaseHTTPRequestHandler):
    """An embedding server: how often each letter stands in a text."""

    asked: ClassVar[list[dict[str, Any]]] = []
    keys: ClassVar[list[str | None]] = []
    fault: ClassVar[str] = ""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        Letters.asked.append({"path": self.path, **body})
        Letters.keys.append(self.headers["Authorization"])
        rows = [[float(text.lower().count(letter)) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in body["input"]]
        data = [{"object": "embedding", "index": n, "embedding": row} for n, row in reversed(list(enumerate(rows)))]
        reply = {"object": "list", "model": "letters", "data": data[1:] if Letters.fault == "few" else data}
        status = 401 if Letters.fault == "key" else 200
        wrong = {"error": {"message": f"Incorrect key: {self.headers['Authorization']}"}}
        text = json.dumps(wrong if status == 401 else reply).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-1")
    Letters.asked, Letters.keys, Letters.fault = [], [], ""
    with ThreadingHTTPServer(("127.0.0.1", 0), Letters) as running:
        thread = Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}/v1"
        running.shutdown()
        thread.join()


def test_an_embedding_api_chooses_the_nearest(server: str) -> None:
    rows = np.asarray(EmbeddingApi("letters", server).embed(["aab", "zz"]))
    assert rows.shape == (2, 26)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1)
    assert rows[0, 0] > rows[0, 1] > 0
    prompter = open_setting("few-shot", exemplars=PATH, shots=1, nearest=f"{server}#letters")
    items = [asked(1, "open", question="On what date was Adda Lovelace born?"), asked(2, "open", question="Who founded Wiki?")]
    prompter.prepare(items)
    before = len(Letters.asked)
    assert "Ada Lovelace" in prompter.messages(items[0])[0].text
    assert "Larry Sanger" in prompter.messages(items[1])[0].text
    assert len(Letters.asked) == before
    assert {(one["path"], one["model"], one["encoding_format"]) for one in Letters.asked} == {
        ("/v1/embeddings", "letters", "float")
    }
    assert set(Letters.keys) == {"Bearer sk-secret-1"}


def test_a_server_of_ones_own_needs_no_key(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    assert EmbeddingApi("letters", server).embed(["a"]).shape == (1, 26)
    assert Letters.keys == [None]
    with pytest.raises(ModelError, match="--nearest openai:large: OPENAI_API_KEY is not set"):
        open_embedder("openai:large", [])


@pytest.mark.parametrize(("fault", "told"), [("key", "Incorrect key"), ("few", "1 rows for 2 texts")])
def test_a_fault_of_the_server_is_one_line_without_the_key(server: str, fault: str, told: str) -> None:
    Letters.fault = fault
    with pytest.raises(ModelError) as error:
        EmbeddingApi("letters", server).embed(["a", "b"])
    assert told in str(error.value)
    assert not any(part in str(error.value) for part in ("sk-secret", "\n"))


def test_many_texts_go_in_several_requests_and_come_back_in_order(server: str) -> None:
    rows = EmbeddingApi("letters", server).embed(["ab"[n % 2] for n in range(600)])
    assert [int(row[1]) for row in rows] == [n % 2 for n in range(600)]
    assert [len(one["input"]) for one in Letters.asked] == [256, 256, 88]


def test_an_embedder_is_asked_for_each_question_once_when_prepared() -> None:
    class Counting:
        calls = 0

        def embed(self, texts: Any) -> Any:
            self.calls += 1
            return np.ones((len(texts), 1))

    counting = Counting()
    near = Nearest(counting, ["a", "b"])
    near.prepare(["x", "y", "x"])
    assert (near.similarities("x").tolist(), counting.calls) == ([1, 1], 2)
    assert (near.similarities("z").tolist(), counting.calls) == ([1, 1], 3)
