"""Passages under attack: what is told, what takes the answer's place, what is added, and what never is."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from generators.articles import with_article, with_the
from generators.autodebug import Attack, Closeness, Dials, EnrichDials, Length, Options, Place, SwapDials, generate
from generators.autodebug.__main__ import app
from generators.autodebug.swap import Distance
from generators.autodebug.wording import load_wordings, plain_wording
from generators.items import write_items
from kg import Graph, open_graph
from kg.text import fold
from queries import audit_items
from stories import graph_of

Item = dict[str, Any]
FIXTURES = Path(__file__).parents[1] / "fixtures" / "generators" / "autodebug"
STORY = FIXTURES / "jaws.ttl"
KINDS = FIXTURES / "kinds.ttl"
LIVES = FIXTURES / "lives.ttl"


def made(graph: Graph, **options: Any) -> list[Item]:
    result = generate(graph, Options(**options))
    return [json.loads(line) for line in result.items.write_ndjson().splitlines()]


def groups(items: list[Item]) -> dict[str, dict[str, Item]]:
    """The items of each fact, by variant and expansion."""
    by_group: dict[str, dict[str, Item]] = defaultdict(dict)
    for item in items:
        by_group[item["group"]][" ".join(filter(None, (item["variant"], item["strata"]["expansion"])))] = item
    return by_group


@pytest.fixture(scope="module")
def starter() -> list[Item]:
    """Five hundred facts of the starter graph, or as many as there are: some are swapped, some enriched, some both."""
    return made(open_graph(), n=500)


def enriched(items: list[Item]) -> list[dict[str, Item]]:
    """The items of each fact that is enriched."""
    return [told for told in groups(items).values() if "enrich question" in told]


def swapped(items: list[Item]) -> list[dict[str, Item]]:
    """The items of each fact whose answer is swapped."""
    return [told for told in groups(items).values() if "swap" in told]


@pytest.fixture(scope="module")
def film() -> list[Item]:
    return made(graph_of(STORY.read_text("utf-8")), n=100, attack=Attack.swap)


@pytest.fixture(scope="module")
def kinds() -> list[Item]:
    graph = graph_of(KINDS.read_text("utf-8"))
    return [item for seed in range(4) for item in made(graph, n=100, attack=Attack.swap, seed=seed)]


@pytest.fixture(scope="module")
def lives() -> list[Item]:
    graph = graph_of(LIVES.read_text("utf-8"))
    return [item for seed in range(6) for item in made(graph, n=100, attack=Attack.swap, seed=seed)]


class TestLives:
    """Three painters with dates, a school founded too late, and films, one of them older than its composer."""

    def test_both_years_of_a_life_stand_behind_the_name(self, lives: list[Item]) -> None:
        said = [item["context"] for item in lives if item["given"][0]["value"] == "Ida Pohl"]
        assert said
        assert all("Ida Pohl (1879–1955)" in text for text in said)
        assert not any("in 1879" in text or "in 1955" in text for text in said)

    def test_the_year_of_a_death_alone_is_not_told(self, lives: list[Item]) -> None:
        said = [item["context"] for item in lives if item["given"][0]["value"] == "Una Hart"]
        assert said
        assert not any("1931" in text for text in said)

    def test_nobody_studied_where_nothing_was_yet(self, lives: list[Item]) -> None:
        assert any("Arno College" in item["context"] for item in lives)
        assert not any("Young College" in item["context"] for item in lives)

    def test_a_film_tells_the_year_of_its_date_and_nobody_who_was_born_later(self, lives: list[Item]) -> None:
        assert any("The Dawn is a 1961 film" in item["context"] for item in lives)
        assert not any("Ron Beck" in item["context"] for item in lives if item["given"][0]["value"] == "Full Moon")

    def test_a_life_is_told_from_its_birth_on(self, lives: list[Item]) -> None:
        for item in lives:
            if " studied at " in item["context"] and " born in " in item["context"].lower():
                assert item["context"].lower().index("born in ") < item["context"].index(" studied at ")


class TestJaws:
    """Four films, their directors and composers, and where they live."""

    def test_who_directed_it_is_asked_and_another_director_of_a_film_takes_the_place(self, film: list[Item]) -> None:
        told = next(pair for pair in groups(film).values() if pair["original"]["question"] == "Who directed Jaws?")
        assert told["original"]["answer"] == ["Steven Spielberg", "Spielberg"]
        assert told["swap"]["answer"][0] in {"Ridley Scott", "Alfred Hitchcock", "Terry Gilliam"}
        assert "Spielberg" not in told["swap"]["context"]

    def test_who_the_graph_calls_female_is_she_and_nobody_else_is(self, film: list[Item]) -> None:
        for seed in range(6):
            for item in made(graph_of(STORY.read_text("utf-8")), n=100, attack=Attack.swap, seed=seed):
                said = item["context"].split()
                about = item["given"][0]["value"]
                assert about == "Kate Capshaw" or not {"She", "Her"} & set(said)
                assert about == "Steven Spielberg" or not {"He", "His"} & set(said)

    def test_what_no_file_words_is_told_by_its_label(self, film: list[Item]) -> None:
        dishes = [item for item in film if item["strata"]["relation"] == "signature dish"]
        assert all(item["question"].startswith("What is the signature dish of ") for item in dishes)

    def test_gender_is_said_by_pronouns_alone(self, film: list[Item]) -> None:
        assert not any("male" in item["context"] for item in film)


class TestKinds:
    """Elements and species, films with long casts, a sequel and a winner of the next year."""

    def test_a_substance_has_no_article_and_a_species_has_one(self, kinds: list[Item]) -> None:
        questions = {item["question"] for item in kinds}
        assert "Who discovered radium?" in questions
        assert "To which place is the koala endemic?" in questions
        begins = {item["context"].partition(" is ")[0] for item in kinds if item["given"][0]["value"] == "koala"}
        assert all("koala" not in begin or "he koala" in begin for begin in begins)

    def test_of_a_long_cast_nobody_is_named_or_asked_about(self, kinds: list[Item]) -> None:
        members = ("Una Hart", "Max Kern", "Ida Pohl", "Cal Finch", "Mia Stone", "Ben Ford", "Eva Lind")
        assert any("Night Shark" in item["question"] for item in kinds)
        assert not any(name in item["context"] for item in kinds for name in members)

    def test_a_sequel_has_something_in_common(self, kinds: list[Item]) -> None:
        """Night Shark and Deep Water have one director; Daisy only comes next."""
        asked = {item["question"] for item in kinds if item["strata"]["relation"] == "followed by"}
        assert asked
        assert asked <= {"What came after Night Shark?", "What came after The Cliff?"}
        assert not any("Daisy" in item["context"] for item in kinds if item["given"][0]["value"] == "Deep Water")


def test_all_passages_of_a_fact_differ(starter: list[Item]) -> None:
    assert all(len({item["context"] for item in told.values()}) == len(told) for told in groups(starter).values())


def test_a_fact_has_the_attacks_that_fit_it(starter: list[Item]) -> None:
    """A country's capital is not swapped, for every reader knows it, but its passage is enriched."""
    kinds = {tuple(told) for told in groups(starter).values()}
    both = ("enrich question", "enrich evidence")
    assert kinds == {("original", "swap"), ("original", *both), ("original", "swap", *both)}
    capitals = [told for told in groups(starter).values() if told["original"]["strata"]["relation"] == "capital"]
    assert capitals
    assert not any("swap" in told for told in capitals)


def _added(told: dict[str, Item], expansion: str) -> set[tuple[str, str, str]]:
    """The facts that an enriched passage adds."""
    return _told(told[f"enrich {expansion}"]) - _told(told["original"])


def test_what_is_added_is_of_the_subject_or_what_somebody_named_did_besides(starter: list[Item]) -> None:
    """No life of a director is told beside a film: at most what else that director made."""
    seen = set()
    for told in enriched(starter):
        subject, relation, answer = (each["term"] for each in told["original"]["proof"][0]["bind"])
        named = {(p, o) for s, p, o in _told(told["original"]) if s == subject}
        for expansion in ("question", "evidence"):
            added = [fact for fact in _added(told, expansion) if len(fact) == 3]
            also = {(p, o) for s, p, o in added if s != subject}
            assert also <= named
            assert len(also) < 2
            if also:
                assert all(s != subject for s, _, _ in added)
                # Of the answer the evidence-focused one tells only where nobody else has done more.
                works = {s for s, _, _ in added}
                question = {fact[0] for fact in _added(told, "question")}
                assert also != {(relation, answer)} or expansion == "question" or not works & question
            seen.add((expansion, bool(also)))
        assert told["enrich question"]["context"] != told["enrich evidence"]["context"]
    assert len(seen) == 4


def test_it_is_what_the_sentence_before_is_about(starter: list[Item]) -> None:
    """ "Vietnam's highest point is Fansipan. Its capital …" would speak of Fansipan's."""
    for item in starter:
        sentences = re.split(r"(?<=[a-z]\.)\s+(?=[A-Z])", item["context"])
        for before, after in pairwise(sentences):
            owned = re.match(r"\w+(?: \w+)?[’']s? (?:capital|official|highest|cast|sets)", before)
            assert not (owned and re.match(r"Its? ", after)), item["context"]


def test_the_extractive_reader_is_always_right_and_memory_never_on_swaps(starter: list[Item]) -> None:
    for item in starter:
        assert item["source"]["support"] in item["context"]
        assert fold(item["answer"][0]) in fold(item["source"]["support"])
        if item["variant"] == "swap":
            assert f" {fold(item['source']['original'])} " not in f" {fold(item['context'])} "
            assert fold(item["source"]["original"]) not in map(fold, item["answer"])


def test_no_word_changes_outside_the_answer(starter: list[Item]) -> None:
    for pair in swapped(starter):
        old, new = pair["original"], pair["swap"]
        forms = [
            [form(item["answer"][0]) for form in (with_the, with_article, str)] + [f"the {item['answer'][0]}"]
            for item in (old, new)
        ]
        before, after = old["context"].split(old["source"]["support"]), new["context"].split(new["source"]["support"])
        assert before == after
        cut = [
            {re.sub(rf"(?<!\w){re.escape(form)}(?!\w)", "◻", item["source"]["support"]).rstrip(".") for form in some}
            for item, some in zip((old, new), forms, strict=True)
        ]
        assert cut[0] & cut[1], (old["source"]["support"], new["source"]["support"])


def test_what_is_added_leaves_the_supporting_sentence_and_the_question(starter: list[Item]) -> None:
    for told in enriched(starter):
        assert len({item["question"] for item in told.values()}) == 1
        for expansion in ("question", "evidence"):
            richer = told[f"enrich {expansion}"]
            assert richer["source"]["support"] == told["original"]["source"]["support"]
            assert richer["answer"] == told["original"]["answer"]
            assert richer["source"]["support"] in richer["context"]
            assert len(richer["proof"]) > len(told["original"]["proof"])
            assert len(richer["context"]) > len(told["original"]["context"])


def test_the_question_does_not_hold_an_answer(starter: list[Item]) -> None:
    assert not any(f" {fold(item['answer'][0])} " in f" {fold(item['question'])} " for item in starter)


def test_names_and_words_are_not_said_again_and_again(starter: list[Item]) -> None:
    for item in starter:
        assert not re.search(r"\bborn in [^.]*\bborn in\b|\bdied in [^.]*\bdied in\b", item["context"])
        assert not re.search(r"(?:Award|Prize|language)[^.]* is (?:located )?in ", item["context"]), item["context"]


def test_every_sentence_is_proved(starter: list[Item], tmp_path: Path) -> None:
    path = str(tmp_path / "items.jsonl")
    write_items(path, generate(open_graph(), Options(n=60)).items)
    assert audit_items(open_graph(), path).passed


def test_the_same_seed_gives_the_same_bytes_and_a_prefix_stays(starter: list[Item]) -> None:
    forty = made(open_graph(), n=40)
    assert len(groups(forty)) == 40
    assert forty == starter[: len(forty)]
    assert made(open_graph(), n=40, seed=1) != forty


def test_dials_are_fixed_or_drawn(starter: list[Item]) -> None:
    assert {item["strata"]["place"] for item in starter} == {"first", "middle", "last"}
    fixed = Dials(length=Length.short, place=Place.first)
    for item in made(open_graph(), n=30, attack=Attack.swap, dials=fixed, swap=SwapDials(distance=Distance.far)):
        assert item["context"].startswith(item["source"]["support"])
        assert item["strata"]["distance"] in (None, "far")


def _told(item: Item) -> set[tuple[str, str, str]]:
    """The facts that a passage tells, as its proofs have them; the first is the supporting one."""
    told = {(*(each["term"] for each in proof["bind"]),) for proof in item["proof"] if proof["expect"] is True}
    return {fact for fact in told if len(fact) < 3 or not fact[1].endswith("#type>")}


def test_what_is_added_is_as_near_as_its_stratum_says(starter: list[Item]) -> None:
    """Near is what somebody whom the passage names did besides; far is what it leaves out of its subject."""
    levels = set()
    for told in enriched(starter):
        subject = told["original"]["proof"][0]["bind"][0]["term"]
        for expansion in ("question", "evidence"):
            near = told[f"enrich {expansion}"]["strata"]["closeness"] == "near"
            assert any(fact[0] != subject for fact in _added(told, expansion) if len(fact) == 3) == near
            levels.add((expansion, near))
        assert told["original"]["strata"]["closeness"] is None
    assert len(levels) == 4


@pytest.mark.parametrize("closeness", list(Closeness))
def test_closeness_is_fixed(closeness: Closeness) -> None:
    items = made(open_graph(), n=40, attack=Attack.enrich, enrich=EnrichDials(closeness=closeness))
    assert {item["strata"]["closeness"] for item in items if item["variant"] == "enrich"} == {closeness}


def test_a_life_is_told_from_birth_to_death(lives: list[Item]) -> None:
    """But for the supporting sentence, whose place is a dial of its own."""
    told = 0
    for item in lives:
        rest = item["context"].replace(item["source"]["support"], "")
        birth, death = (rest.find(verb) for verb in (" born in ", " died in "))
        if item["variant"] == "original" and birth >= 0 and death >= 0:
            told += 1
            assert birth < death, item["context"]
    assert told


@pytest.mark.parametrize("relation", ["narrative location", "main subject", "producer"])
def test_what_a_graph_often_has_in_part_is_not_told(relation: str) -> None:
    assert load_wordings().of(relation) is None


def test_no_list_of_neighbours_reads_as_if_it_were_whole(starter: list[Item]) -> None:
    said = [item["context"] for item in starter if "borders" in item["context"]]
    assert said
    assert not any(re.search(r"\bborders [A-Z][^.,]* and [A-Z]", text) for text in said)


def test_a_relation_that_is_no_singular_noun_is_not_worded() -> None:
    for label in ("indigenous to", "applies to jurisdiction", "has effect", "member counts", "replaced by", "X-ray (code)"):
        assert plain_wording(label) is None
    assert load_wordings().of("head of state") is None


def test_the_command_says_what_was_left_out_and_why(tmp_path: Path) -> None:
    out = tmp_path / "few.jsonl"
    done = CliRunner().invoke(app, ["--n", "5000", "--attack", "swap", "--out", str(out)])
    assert done.exit_code == 1
    assert "left out, of its subject too little else is known" in done.stderr
    assert len(out.read_text("utf-8").splitlines()) % 2 == 0


def test_a_passage_about_another_thing_keeps_the_original_before_it(starter: list[Item]) -> None:
    """More of the subject stands among the rest; the first sentence and the supporting one stay where they are said."""
    kept = 0
    for told in enriched(starter):
        original, support = told["original"]["context"], told["original"]["source"]["support"]
        for expansion in ("question", "evidence"):
            item = told[f"enrich {expansion}"]
            assert item["context"].count(support) == 1
            assert len(item["context"]) > len(original)
            if item["strata"]["closeness"] == "near":
                assert item["context"].startswith(original)
                kept += 1
    assert kept


def test_a_new_answer_stands_nowhere_else_in_the_passage(starter: list[Item]) -> None:
    for item in starter:
        if item["variant"] == "swap":
            rest = item["context"].replace(item["source"]["support"], " ")
            assert f" {fold(item['answer'][0])} " not in f" {fold(rest)} ", item["context"]


def test_the_place_is_where_the_supporting_sentence_stands(starter: list[Item]) -> None:
    for item in starter:
        said, support = item["context"], item["source"]["support"]
        stands = "first" if said.startswith(support) else "last" if said.endswith(support) else "middle"
        assert item["strata"]["place"] == stands, said


@pytest.mark.parametrize("place", list(Place))
def test_the_place_is_fixed(place: Place) -> None:
    items = made(open_graph(), n=40, attack=Attack.swap, dials=Dials(place=place))
    assert {item["strata"]["place"] for item in items} == {place}
