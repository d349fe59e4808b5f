"""A user's questions with evidence: which are read, which edits are safe, what is woven in; and which facts are seeds."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from generators.autodebug.__main__ import app
from generators.autodebug.qa_files import Asked, read_questions
from generators.autodebug.text_edits import Edit, Known, Other, safe_edit, sentences
from generators.autodebug.text_enrich import Page, Retriever, near_pages, woven
from kg.errors import SourceError

MRQA = Path(__file__).parents[1] / "fixtures" / "generators" / "autodebug" / "mrqa.jsonl"
HALL = Asked("when was the hall finished", "1871", "The hall was finished in 1871 . It burned down in 1873 .")
CITY = Known(frozenset({"the city of light"}), frozenset({"france", "seine"}), (Other("Rome"), Other("Hague")))
SHE = Known(frozenset(), frozenset(), (Other("Tom Poe", "he"), Other("Amy Ray", "she")), "she", True)


def run(*words: str) -> Any:
    return CliRunner().invoke(app, [*words])


class TestReading:
    """Three forms, the paper's filters, and one line for each fault."""

    def test_the_filters_count_what_they_leave_out(self) -> None:
        kept, left_out = read_questions(str(MRQA), 0)
        assert [asked.answer for asked in kept][:3] == ["1871", "France", "John Lennon"]
        assert kept[0].evidence.startswith("The old town hall")
        assert left_out == {
            "it stands there already": 1,
            "the answer stands in other words only": 1,
            "the evidence is shorter than 10 words": 1,
            "the evidence holds markup": 1,
            "it has several answers that differ": 1,
            "the answer does not stand in the evidence": 1,
            "the answer is longer than 5 words": 1,
        }

    def test_squad_plain_and_gz_are_read_alike(self, tmp_path: Path) -> None:
        question, evidence = "when was it built", "It was built in 1871 by people who lived in the town ."
        asked = {"question": question, "id": "1", "answers": [{"text": "1871", "answer_start": 16}]}
        forms = {
            "squad.json": json.dumps({"data": [{"title": "t", "paragraphs": [{"context": evidence, "qas": [asked]}]}]}),
            "plain.jsonl": json.dumps({"question": question, "answer": "1871", "evidence": evidence}) + "\n",
            "list.json": json.dumps([{"question": question, "answers": ["1871", "in 1871"], "passage": evidence}]),
        }
        for name, text in forms.items():
            path = tmp_path / f"{name}.gz"
            path.write_bytes(gzip.compress(text.encode()))
            [asked_one], _ = read_questions(str(path), 0)
            assert asked_one.evidence == evidence
            assert "1871" in asked_one.answer

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ('{"question": "a"}', "the evidence is missing"),
            ('{"context": "b", "question": 5}', "the field 'question' is missing"),
            ('{"context": "b", "question": "c"}', "the field 'answer' is missing"),
            ('{"context": "b", "question": "c", "answer": {"x": 1}}', "an answer is no text"),
            ('{"context": "b", "qas": 3}', "the field 'qas' is no list"),
            ("{", "not JSON"),
            ("", "there is no question"),
            ("[1]", "no object with questions"),
        ],
    )
    def test_a_fault_names_the_place(self, text: str, says: str, tmp_path: Path) -> None:
        path = tmp_path / "bad.jsonl"
        path.write_text(text)
        with pytest.raises(SourceError, match=says):
            read_questions(str(path), 0)

    @pytest.mark.parametrize(
        ("data", "says"),
        [
            (b"\x00\x01\xff", "not UTF-8"),
            (b"\x1f\x8bbroken", "damaged gzip"),
            (b"[" * 100_000, "nested too deeply"),
            (b'{"a": ' + b"1" * 5000 + b"}", "a number is too long"),
            (b'{"question": "a", "answer": "b", "evidence": "\\ud800"}', "half of a sign"),
        ],
    )
    def test_what_no_editor_writes_is_one_line_and_leaves_no_file(self, data: bytes, says: str, tmp_path: Path) -> None:
        path, out = tmp_path / ("bad.gz" if says == "damaged gzip" else "bad.json"), tmp_path / "out.jsonl"
        path.write_bytes(data)
        done = run("--source", str(path), "--n", "3", "--out", str(out))
        assert isinstance(done.exception, SourceError)
        assert says in str(done.exception)
        assert not out.exists()

    def test_a_passage_file_is_read_as_strictly(self, tmp_path: Path) -> None:
        path = tmp_path / "pages.jsonl"
        for text, says in {"": "there is no passage", "{}": "the field 'text' is missing", "[": "not JSON"}.items():
            path.write_text(text)
            done = run("--source", str(MRQA), "--passages", str(path), "--n", "3", "--out", str(tmp_path / "out.jsonl"))
            assert says in str(done.exception)
            assert str(path) in str(done.exception)

    def test_a_sign_that_ends_lines_elsewhere_may_stand_in_a_text(self, tmp_path: Path) -> None:
        path = tmp_path / "asked.jsonl"
        evidence = "It was built in 1871 by people\u2028who lived in the town ."
        line = json.dumps({"question": "when", "answer": "1871", "evidence": evidence}, ensure_ascii=False)
        path.write_text(f"{line}\n{line.replace('when', 'in which year')}\n", "utf-8")
        assert len(read_questions(str(path), 0)[0]) == 2

    def test_a_dial_that_has_no_effect_is_refused(self, tmp_path: Path) -> None:
        for words in (["--source", str(MRQA), "--place", "last"], ["--passages", str(MRQA)], ["--embeddings", "openai:x"]):
            done = run(*words, "--n", "3", "--out", str(tmp_path / "out.jsonl"))
            assert "has no effect" in str(done.exception)
        assert list(tmp_path.iterdir()) == []


class TestSwaps:
    """An edit by rule is safe, or it is refused."""

    def test_a_year_stays_among_the_years_around_it(self) -> None:
        for seed in range(20):
            edit = safe_edit(HALL, None, seed)
            assert isinstance(edit, Edit)
            assert int(edit.answer) < 1873
            assert edit.evidence == HALL.evidence.replace("1871", edit.answer)
            assert edit.support == f"The hall was finished in {edit.answer} ."

    def test_the_article_before_the_answer_follows_it(self) -> None:
        asked = Asked("what is it", "violin", "What he had found up there was a violin and nothing else at all .")
        edit = safe_edit(asked, Known(frozenset(), frozenset(), (Other("oboe"),)), 0)
        assert isinstance(edit, Edit)
        assert edit.evidence == "What he had found up there was an oboe and nothing else at all ."

    @pytest.mark.parametrize(
        ("evidence", "says"),
        [
            ("The fair was held in Paris , the City of Light .", "another of its names stands there"),
            ("The fair was held in Paris , and Parisian bakers came .", "a form of it stays"),
            ("The fair was held in Paris on the banks of the Seine .", "the graph links it to something else there"),
            ("The fair was held in the Paris Museum of Glass .", "a longer name holds it"),
            ("The fair was held in New Paris , and many came .", "a longer name holds it"),
        ],
    )
    def test_what_would_be_left_askew_is_refused(self, evidence: str, says: str) -> None:
        assert safe_edit(Asked("where was the fair held", "Paris", evidence), CITY, 0) == says

    def test_possessives_and_every_mention_are_exchanged(self) -> None:
        asked = Asked("where was the fair held", "Paris", "Paris held the fair , and Paris's mayor opened it .")
        edit = safe_edit(asked, CITY, 0)
        assert isinstance(edit, Edit)
        assert edit.evidence == "Rome held the fair , and Rome's mayor opened it ."

    def test_pronouns_ask_for_the_same_gender(self) -> None:
        asked = Asked("who wrote it", "Ann Lee", "It was written by Ann Lee in spring , and she sold it .")
        edit = safe_edit(asked, SHE, 0)
        assert isinstance(edit, Edit)
        assert edit.answer == "Amy Ray"
        unknown = Known(frozenset(), frozenset(), SHE.others, None, True)
        assert safe_edit(asked, unknown, 0) == "pronouns, and no gender known"

    def test_a_short_name_elsewhere_is_refused(self) -> None:
        asked = Asked("who wrote it", "Ann Leeds", "It was written by Ann Leeds . Leeds sold it at once .")
        assert safe_edit(asked, SHE, 0) == "a part of it stands alone"

    def test_a_question_that_names_the_answer_and_an_unknown_kind_are_refused(self) -> None:
        assert safe_edit(Asked("where in Paris is it", "Paris", "It is in Paris ."), CITY, 0) == "the question holds the answer"
        assert safe_edit(Asked("who", "Ada Lovegood", "It was Ada Lovegood ."), None, 0) == "its kind is not known"


class TestEnriching:
    """Sentences of passages near it come in; the evidence stays word for word."""

    PAGES = tuple(
        Page(str(number), text)
        for number, text in enumerate(
            [
                "The mill in Ulm was finished by Swabian masons . It ground corn .",
                "He finished the hall in Bern .",
                "A barn in Graz burned for a whole week .",
                "The church of Trier was finished in 1871 by other masons .",
                "Fires in Basel were put out by the guilds .",
                "no names here , but the hall was burned down",
            ]
        )
    )

    def test_what_leans_on_nothing_or_holds_the_answer_stays_out(self) -> None:
        pages = near_pages(HALL, self.PAGES)
        assert len(pages) == 3
        text = woven(HALL, pages, 0, "evidence")
        assert not any(word in text for word in ("Bern", "Trier", "no names"))
        assert [part for part in sentences(text) if part in sentences(HALL.evidence)] == sentences(HALL.evidence)
        assert HALL.evidence in text

    def test_what_has_nothing_to_do_with_a_query_is_not_near_it(self) -> None:
        near = Retriever([Page("a", "Ulm has a hall ."), Page("b", "Goats climb rocks .")]).best(["a hall", "rocks", "snow"])
        assert [[page.page for page in pages] for pages in near] == [["a"], ["b"], []]

    def test_too_few_pages_give_nothing(self) -> None:
        assert len(near_pages(HALL, self.PAGES[:2])) < 3


class TestCommand:
    """The main command with a file, and the seeds."""

    def test_a_file_gives_items_and_counts(self, tmp_path: Path) -> None:
        out = tmp_path / "items.jsonl"
        done = run("--source", str(MRQA), "--n", "5", "--passages", str(MRQA.with_name("pages.jsonl")), "--out", str(out))
        assert done.exit_code == 0, done.output
        assert "clean to the linter; the questions are the file's own, with beginning (" in done.stderr
        items = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
        assert {item["variant"] for item in items} == {"original", "swap", "enrich"}
        for item in items:
            assert item["source"]["support"] in item["context"]
            assert item["answer"][0] in item["source"]["support"]
        for reason in ("a part of it stands alone", "a form of it stays", "a longer name holds it", "its kind is not known"):
            assert f"not swapped, {reason}: " in done.stderr

    def test_seeds_are_what_the_pivot_reads_rightly(self, tmp_path: Path) -> None:
        items = tmp_path / "items.jsonl"
        assert run("--n", "40", "--out", str(items)).exit_code == 0
        originals = [item for item in map(json.loads, items.read_text("utf-8").splitlines()) if item["variant"] == "original"]
        # Read rightly: all but every fourth; known: every other one; the seventh is only entailed.
        right = {"open": [n % 4 != 3 and n != 6 for n in range(40)], "closed": [n % 2 == 0 for n in range(40)]}
        for setting, flags in right.items():
            lines = [json.dumps(verdict(item["id"], flag)) for item, flag in zip(originals, flags, strict=True)]
            (tmp_path / f"{setting}.jsonl").write_text("\n".join(lines) + "\n")
        entailed = {"schema": "kgprobe.entailment/1", "item": originals[6]["id"], "model": "m:pivot", "sample": 0}
        (tmp_path / "entailed.jsonl").write_text(
            json.dumps({**entailed, "score": 0.9, "entailed": True, "method": "lexical"}) + "\n"
        )
        files = [f"--{name}" if part == 0 else str(tmp_path / f"{name}.jsonl") for name in right for part in (0, 1)]
        words = ["seeds", "--items", str(items), *files, "--out", str(tmp_path / "seeds.jsonl")]
        done = run(*words, "--entailed", str(tmp_path / "entailed.jsonl"))
        assert done.exit_code == 0, done.output
        assert "correct/correct: 20" in done.stderr
        assert "correct/wrong: 10" in done.stderr
        assert "wrong/wrong: 10" in done.stderr
        assert "wrong/correct: 1" in run(*words).stderr
        out = tmp_path / "attacks.jsonl"
        run(*words, "--entailed", str(tmp_path / "entailed.jsonl"))
        assert run("--n", "40", "--seeds", str(tmp_path / "seeds.jsonl"), "--out", str(out)).exit_code == 0
        made = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
        assert {item["source"]["pivot"] for item in made} == {"m:pivot"}
        by_variant = {name: {item["group"] for item in made if item["variant"] == name} for name in ("swap", "enrich")}
        groups = [item["group"] for item in originals]
        before = [json.loads(line) for line in items.read_text("utf-8").splitlines()]
        could = {name: {item["group"] for item in before if item["variant"] == name} for name in ("swap", "enrich")}
        assert by_variant["swap"] == {groups[n] for n in range(40) if n % 4 != 3} & could["swap"] != set()
        assert by_variant["enrich"] == {groups[n] for n in range(1, 40, 4)} & could["enrich"] != set()

    def test_verdicts_of_other_items_are_no_seeds(self, tmp_path: Path) -> None:
        items = tmp_path / "items.jsonl"
        run("--n", "2", "--out", str(items))
        other = tmp_path / "other.jsonl"
        other.write_text(json.dumps(verdict("an.other", True)) + "\n")
        done = run("seeds", "--items", str(items), "--open", str(other), "--closed", str(other))
        assert "no original passage was judged both with and without its passage" in str(done.exception)


def verdict(item: str, right: bool) -> dict[str, Any]:
    said = {"outcome": "correct", "reason": "exact"} if right else {"outcome": "incorrect", "reason": "wrong"}
    rest: dict[str, Any] = {"answer": "x", "rationale": [], "contradicted": [], "spans": [], "judge": None}
    return {"schema": "kgprobe.verdict/1", "item": item, "model": "m:pivot", "sample": 0, **said, **rest}


class TestPublished:
    """Passages of others, held against the rules."""

    def test_each_rule_is_counted_and_what_keeps_them_becomes_an_item(self, tmp_path: Path) -> None:
        filler = "and nothing else was told of it by anybody who had been there ."
        rows = [
            ("Who won?", "Peru", f'The cup went to <a href="http://x.org/a">Peru</a> , {filler}'),
            ("Who won?", "Asia", f"The cup went to Asian teams , {filler}"),
            ("Who won?", "Chad", f"The cup went to Mali , {filler}"),
            ("Who won, Peru or Chile?", "“Peru”", f"The cup went to Peru , {filler}"),
            ("What won?", "a team of six young men", f"It was a team of six young men , {filler}"),
        ]
        source = tmp_path / "changed.json"
        source.write_text(json.dumps([{"question": q, "answer": a, "evidence": e} for q, a, e in rows]))
        out = tmp_path / "items.jsonl"
        done = run("published", str(source), "--out", str(out))
        assert done.exit_code == 0, done.output
        [item] = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
        assert item["context"] == f"The cup went to Peru , {filler}"
        for rule in ("does not stand in the evidence", "a part of other words", "longer than 5 words", "holds the new answer"):
            assert f"{rule}" in done.stderr
        assert "of 5 passages 4 break a rule" in done.stderr


@pytest.fixture(scope="module")
def ten(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Items on ten passages."""
    out = tmp_path_factory.mktemp("ten") / "items.jsonl"
    assert run("--n", "10", "--out", str(out)).exit_code == 0
    return out


class TestSheet:
    """People say what they read; a check that is wrong spoils the sheet."""

    def filled(self, items: Path, sheet: Path, check: str) -> None:
        supports = {item["context"]: True for item in map(json.loads, items.read_text("utf-8").splitlines())}
        lines = list(csv.DictReader(io.StringIO(sheet.read_text("utf-8"))))
        assert sum(line["passage"] not in supports for line in lines) == 2
        with sheet.open("w", encoding="utf-8", newline="") as stream:
            table = csv.DictWriter(stream, list(lines[0]))
            table.writeheader()
            for line in lines:
                yes = "yes" if line["passage"] in supports else check
                table.writerow(line | {"readable": "yes", "supports": yes})

    def test_a_careful_reader_is_believed(self, ten: Path, tmp_path: Path) -> None:
        sheet = tmp_path / "sheet.csv"
        words = ["sheet", "--items", str(ten), "--n", "20"]
        assert run(*words, "--out", str(sheet)).exit_code == 0
        self.filled(ten, sheet, "no")
        done = run(*words, "--read", str(sheet))
        assert done.exit_code == 0
        assert "checks: 2 of 2 right" in done.stdout
        assert "swap, supports: " in done.stdout

    def test_a_careless_one_is_not(self, ten: Path, tmp_path: Path) -> None:
        sheet = tmp_path / "sheet.csv"
        words = ["sheet", "--items", str(ten), "--n", "20"]
        run(*words, "--out", str(sheet))
        self.filled(ten, sheet, "yes")
        done = run(*words, "--read", str(sheet))
        assert done.exit_code == 1
        assert "the sheet is not accepted" in done.stdout

    def test_a_sheet_that_is_no_text_is_one_line(self, ten: Path, tmp_path: Path) -> None:
        sheet = tmp_path / "sheet.csv"
        sheet.write_bytes(b"row,readable\n\xff")
        assert "not UTF-8" in str(run("sheet", "--items", str(ten), "--read", str(sheet)).exception)

    def test_what_is_neither_yes_nor_no_is_named(self, ten: Path, tmp_path: Path) -> None:
        sheet = tmp_path / "sheet.csv"
        words = ["sheet", "--items", str(ten), "--n", "20"]
        run(*words, "--out", str(sheet))
        assert "neither yes nor no" in str(run(*words, "--read", str(sheet)).exception)


def test_exemplars_of_all_kinds_tell_the_same_facts(tmp_path: Path) -> None:
    items = tmp_path / "items.jsonl"
    run("--n", "120", "--out", str(items))
    told = {}
    for kind in ("original", "swap", "enrich"):
        out = tmp_path / f"{kind}.jsonl"
        assert run("exemplars", "--items", str(items), "--kind", kind, "--out", str(out)).exit_code == 0
        told[kind] = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    chosen = [[shot["group"] for shot in shots] for shots in told.values()]
    assert chosen[0] == chosen[1] == chosen[2]
    assert all(shot["text"] in shot["context"] for shots in told.values() for shot in shots)
    assert len({shot["group"] for shot in told["enrich"]}) == 5
