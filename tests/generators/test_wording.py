"""Questions in English: templates, and names that look like templates."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from generators.articles import article_columns
from generators.fpq.label_forms import FORMS
from generators.fpq.wording import Frame, Phrasing, Phrasings, load_phrasings, parse_frame
from kg.errors import InputError

awkward_names = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Co"]), min_size=1, max_size=40)
label_columns = st.lists(awkward_names, min_size=1, max_size=8)


def shipped() -> Iterator[Phrasing]:
    """Every phrasing that comes with the project, once, and those of labels of each form."""
    phrasings = load_phrasings()
    yield from {p.relation: p for p in phrasings.by_relation.values()}.values()
    yield from phrasings.by_kind.values()
    labels = (
        "head coach",
        "has mascot",
        "founded at",
        "situated in",
        "worked at",
        "flows into",
        "terminus of",
        "award received",
    )
    yield from map(phrasings.for_relation, labels)


def rendered(frame: Frame, subjects: list[str], objects: list[str]) -> list[str]:
    """Render questions the way a generator does: a column at a time."""
    columns: dict[str, pl.Series] = {}
    for side, labels in (("s", subjects), ("o", objects)):
        worked_out = article_columns(pl.Series(labels, dtype=pl.String))
        columns |= {side + name.removeprefix("label"): worked_out[name] for name in worked_out.columns}
        columns[f"{side}_plural"] = pl.Series([False] * len(labels))
    columns["past"] = pl.Series([False] * len(subjects))
    return pl.DataFrame(columns).select(frame.expr("s", "o").alias("question"))["question"].to_list()


def asked_once(text: str) -> str:
    """A title that asks itself ends the question."""
    return text[:-1] if text.endswith(("??", "?”?")) else text


def write(folder: Path, text: str) -> Path:
    """A folder of phrasings with one theme and the shipped fallback."""
    (folder / "theme.toml").write_text(text, encoding="utf-8")
    frames = 'yes_no = "Is {object} {relation} {subject}?"\npremise = "Why is {object} {relation} {subject}?"\n'
    lists = 'prepositions = ["of"]\nverbs = ["has"]\nstates = []\nparticles = []\nintransitive = []\n'
    fallback = lists + "".join(f"[{form}]\n{frames}" for form in FORMS)
    (folder / "fallback.toml").write_text(fallback, encoding="utf-8")
    return folder


def theme(yes_no: str = "Is {object} in {subject}?", premise: str = "Where is {object} in {subject}?") -> str:
    return f'[capital]\nrelation = "capital"\nyes_no = "{yes_no}"\npremise = "{premise}"\n'


class TestAFactBecomesAQuestion:
    def test_a_true_and_an_edited_object_give_questions_that_differ_in_the_object_alone(self) -> None:
        frame = load_phrasings().for_relation("place of death").premise[1]
        assert rendered(frame, ["Albert Einstein"] * 3, ["Princeton", "Soviet Union", "jazz"]) == [
            "Where exactly in Princeton did Albert Einstein die?",
            "Where exactly in the Soviet Union did Albert Einstein die?",
            "Where exactly in jazz did Albert Einstein die?",
        ]

    def test_a_column_says_the_same_as_one_question_at_a_time(self) -> None:
        for phrasing in shipped():
            for frame in (*phrasing.yes_no, *phrasing.premise):
                assert rendered(frame, ["the Bay"], ["British Empire"]) == [frame.fill("the Bay", "British Empire")]

    def test_a_question_begins_with_a_capital_even_if_a_name_begins_it(self) -> None:
        frame = parse_frame("{object} is what {subject} does?")
        assert rendered(frame, ["Ada"], ["éclair baking"]) == ["Éclair baking is what Ada does?"]

    def test_a_title_keeps_its_article_and_its_capital_inside_the_question(self) -> None:
        frame = load_phrasings().for_relation("cast member").yes_no[2]
        assert rendered(frame, ["The Matrix"], ["The Beatles"]) == ["Does the cast of The Matrix include The Beatles?"]

    def test_a_title_that_asks_itself_ends_the_question(self) -> None:
        frame = parse_frame("Did {object} edit {subject}?")
        assert (
            rendered(frame, ["“Who's Afraid?”"], ["Ann"])
            == ["Did Ann edit “Who's Afraid?”"]
            == [frame.fill("“Who's Afraid?”", "Ann")]
        )

    def test_the_spelling_of_a_relation_does_not_matter(self) -> None:
        phrasings = load_phrasings()
        for label in ("languages spoken, written, or signed", "Languages Spoken, Written or Signed"):
            assert phrasings.for_relation(label).relation == "languages spoken, written or signed"

    def test_an_unnamed_fact_gives_no_question(self) -> None:
        columns = {"s": ["Oslo"], "o": [None], "o_the": [None]}
        frame = parse_frame("Is {subject} in {object:the}?")
        data = pl.DataFrame(columns, schema_overrides={"o": pl.String, "o_the": pl.String})
        assert data.select(frame.expr("s", "o")).item() is None


class TestWordsThatAPersonWouldUse:
    @pytest.mark.parametrize(
        ("relation", "official"),
        [("country of citizenship", "hold the citizenship"), ("award received", "earn"), ("award received", "first receive")],
    )
    def test_nothing_official_is_asked(self, relation: str, official: str) -> None:
        phrasings = load_phrasings()
        words = [*phrasings.by_kind.values(), phrasings.for_relation(relation)]
        frames = [frame for each in words if each.relation == relation for frame in (*each.yes_no, *each.premise)]
        questions = [question for frame in frames for question in rendered(frame, ["Ada"], ["Norland"])]
        assert len(questions) > 5
        assert not [question for question in questions if official in question]


class TestARelationThatNobodyWorded:
    @pytest.mark.parametrize("label", ["capital of", "founded by", "located in time zone", "has part", "replaces all of"])
    def test_a_label_that_wants_an_object_is_quoted_before_it(self, label: str) -> None:
        assert load_phrasings().fallback.is_verb_like(label)

    @pytest.mark.parametrize("label", ["capital", "place of birth", "head coach", "symptoms", "uses", "red", ""])
    def test_a_label_that_names_the_object_is_put_behind_it(self, label: str) -> None:
        assert not load_phrasings().fallback.is_verb_like(label)

    def test_both_read_as_sentences(self) -> None:
        phrasings = load_phrasings()
        assert phrasings.for_relation("terminus of").yes_no[0].fill("Oslo", "North Sea") == (
            "Is Oslo a terminus of the North Sea?"
        )
        assert phrasings.for_relation("head coach").premise[0].fill("Juventus", "Carlo Ancelotti") == (
            "Why is Carlo Ancelotti the head coach of Juventus?"
        )

    @pytest.mark.parametrize(
        ("label", "question"),
        [
            ("discovered at", "Was Sedna discovered at Palomar?"),
            ("worked at", "Did Sedna work at Palomar?"),
            ("ran for", "Did Sedna run for Palomar?"),
            ("sang in", "Did Sedna sing in Palomar?"),
            ("situated in", "Is Sedna situated in Palomar?"),
            ("flows into", "Does Sedna flow into Palomar?"),
            ("lies on", "Does Sedna lie on Palomar?"),
            ("grew up in", "Did Sedna grow up in Palomar?"),
            ("visited or flew past", "Did Sedna visit or fly past Palomar?"),
            ("eats", "Does Sedna eat Palomar?"),
            ("member of", "Is Sedna a member of Palomar?"),
            ("taught by", "Was Sedna taught by Palomar?"),
            ("has parent", "Does Sedna have Palomar as a parent?"),
            ("launch vehicle", "Is Palomar the launch vehicle of Sedna?"),
            ("discoverer or inventor", "Is Palomar the discoverer or inventor of Sedna?"),
            ("award received", "Is Palomar the “award received” of Sedna?"),
            ("symptoms", "Is Palomar one of the symptoms of Sedna?"),
            ("Entdecker", "Is Palomar the “Entdecker” of Sedna?"),
            ("spans", "Does Sedna span Palomar?"),
            ("wrote", "Did Sedna write Palomar?"),
            ("found in", "Is Sedna found in Palomar?"),
            ("is author of", "Is Sedna an author of Palomar?"),
            ("is the author of", "Is Sedna the author of Palomar?"),
            ("rival of", "Is Sedna a rival of Palomar?"),
            ("isPartOf", "Is Sedna part of Palomar?"),
            ("isKnownFor", "Is Sedna known for Palomar?"),
            ("wroteMusicFor", "Did Sedna write music for Palomar?"),
            ("hasWonPrize", "Did Sedna win the prize Palomar?"),
            ("shares code with", "Does Sedna share a code with Palomar?"),
            ("belongs to the family", "Does Sedna belong to the family Palomar?"),
            ("played by", "Was Sedna played by Palomar?"),
            ("parent_taxon", "Is Palomar the parent taxon of Sedna?"),
            ("replaces all of", "Is Sedna in the relation “replaces all of” to Palomar?"),
        ],
    )
    def test_the_form_of_its_label_is_the_form_of_the_question(self, label: str, question: str) -> None:
        assert load_phrasings().fallback.for_relation(label).yes_no[0].fill("Sedna", "Palomar") == question

    @pytest.mark.parametrize("label", ["hasCapital", "is capital of", "wasBornIn", "birthPlace", "has_child"])
    def test_the_label_of_a_schema_reaches_the_words_of_the_relation(self, label: str) -> None:
        assert label in load_phrasings()

    def test_what_is_no_more_was(self) -> None:
        frame = load_phrasings().fallback.for_relation("situated in").yes_no[0]
        row = {"s": ["Carthage"], "s_the": ["Carthage"], "o": ["Africa"], "o_the": ["Africa"], "s_plural": [False]}
        assert (
            pl.DataFrame(row | {"past": [True]}).select(q=frame.expr("s", "o"))["q"].item()
            == "Was Carthage situated in Africa?"
        )

    def test_a_relation_that_looks_like_a_slot_stays_text(self) -> None:
        asked = load_phrasings().for_relation("{object} or so").yes_no[0].fill("Oslo", "Norway")
        assert asked == "Is Norway the “{object} or so” of Oslo?"


class TestAwkwardNames:
    @settings(deadline=None)
    @given(label_columns, awkward_names)
    @example(["{object:the}", "}{", "שלום", "👩‍🚀", 'say "no"\n\ttwice\\'], "{subject}")
    @example(["?"], "0")
    def test_any_name_survives_unchanged(self, subjects: list[str], edited: str) -> None:
        frame = parse_frame("Was {object} ever known to {subject}?")
        assert rendered(frame, subjects, [edited] * len(subjects)) == [
            asked_once(f"Was {edited} ever known to {subject}?") for subject in subjects
        ]

    @settings(deadline=None)
    @given(st.sampled_from(list(shipped())), awkward_names, awkward_names, awkward_names)
    def test_questions_of_one_fact_differ_only_in_the_object(
        self, phrasing: Phrasing, subject: str, true: str, edited: str
    ) -> None:
        for frame in (*phrasing.yes_no, *phrasing.premise):
            asked, instead, blank = rendered(frame, [subject] * 3, [true, edited, "\ue000"])
            before, after = blank.split("\ue000")
            before = before.removesuffix("a ")
            for text, name in ((asked, true), (instead, edited)):
                assert text in {asked_once(f"{before}{article}{name}{after}") for article in ("", "the ", "a ", "an ")}


class TestAPhrasingFileWithAFault:
    @pytest.mark.parametrize(
        ("template", "complaint"),
        [
            ("Is {object} in {subjct}?", "unknown slot {subjct}; did you mean 'subject'?"),
            ("Is {object:a:b} in {subject}?", "unknown slot {object:a:b}"),
            ("Is {object:} in {subject}?", "unknown slot {object:}"),
            ("Is {relation} {object} in {subject}?", "unknown slot {relation}"),
            ("Is it in {subject}?", "{object} is missing"),
            ("Is {object} in it?", "{subject} is missing"),
            ("Is {object in {subject}?", "a brace without its partner"),
            ("Is {object} in {subject}", "a question ends in '?'"),
            ("", "{subject} is missing"),
        ],
    )
    def test_a_bad_template_is_named_with_its_file_and_key(self, tmp_path: Path, template: str, complaint: str) -> None:
        for form in ("yes_no", "premise"):
            folder = write(tmp_path, theme(**{form: template}))
            with pytest.raises(InputError) as fault:
                load_phrasings(folder)
            assert str(fault.value).startswith("queries/phrasing/theme.toml [capital] " + form)
            assert complaint in str(fault.value)

    @pytest.mark.parametrize(
        ("text", "complaint"),
        [
            (theme() + 'othr = ["x"]', "[capital]: unknown key 'othr'; did you mean 'other'?"),
            ('[capital]\nrelation = "capital"\nyes_no = "Is {object} {subject}?"', "[capital]: the key 'premise' is missing"),
            ("capital = 3", "[capital]: a table is expected here"),
            ('[capital]\nrelation = 3\nyes_no = "x"\npremise = "y"', "[capital]: 'relation' is no text"),
            (theme() + 'other = "x"', "[capital]: 'other' is no list of texts"),
            (theme() + 'other = ["CAPITAL"]', "[capital]: the relation 'capital' is worded twice"),
            (theme() + theme().replace("[capital]", "[seat]"), "[seat]: the relation 'capital' is worded twice"),
            (theme() + 'subject = "county"', "[capital]: 'subject' is no list of texts"),
            (theme() + 'subject = ["county", "county"]', "[capital]: the relation 'capital' is worded twice"),
            ("[capital", "cannot be read as TOML"),
        ],
    )
    def test_a_bad_entry_is_named(self, tmp_path: Path, text: str, complaint: str) -> None:
        with pytest.raises(InputError) as fault:
            load_phrasings(write(tmp_path, text))
        assert complaint in str(fault.value)
        assert "theme.toml" in str(fault.value)

    def test_some_subjects_have_words_of_their_own(self, tmp_path: Path) -> None:
        counties = theme("Is {object} the seat of {subject}?").replace("[capital]", "[seat]") + 'subject = ["county"]\n'
        mine = load_phrasings(write(tmp_path, theme() + 'other = ["has capital"]\n' + counties))
        asked = {
            kind: mine.for_names(["has capital"], kind).yes_no[0].fill("Lake", "Painesville")
            for kind in ("county of Ohio", "state")
        }
        assert asked == {"county of Ohio": "Is Painesville the seat of Lake?", "state": "Is Painesville in Lake?"}

    def test_a_good_folder_of_ones_own_is_read(self, tmp_path: Path) -> None:
        mine: Phrasings = load_phrasings(write(tmp_path, theme()))
        assert mine.for_relation("Capital").yes_no[0].fill("Norway", "Oslo") == "Is Oslo in Norway?"
        assert mine.for_relation("sister of").yes_no[0].fill("Ada", "Eve") == "Is Eve a sister of Ada?"
