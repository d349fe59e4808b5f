"""Which language an answer is in, and what holds of the judges of other languages whatever the text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.verify import foreign, judge_text
from evaluators.verify.reading.foreign_numbers import in_digits
from evaluators.verify.reading.languages import foreign_language, language_of
from evaluators.verify.reading.lexicon import LANGUAGES, OTHER, lexicon
from evaluators.verify.reading.reply import Reply
from verify_cases import cases, question

TABLE = [case for case in cases() if case.table == "languages"]
FRAGMENTS = sorted({piece for case in TABLE for piece in case.text.split()})


@pytest.mark.parametrize(
    "text",
    [
        "Yes.", "No.", "Paris", "No, he never did.", "George W. Bush", "Charles de Gaulle Airport", "La Dolce Vita", "Das Boot",
        "It was directed by Guillermo del Toro.", "The film is El laberinto del fauno.", "Les Fleurs du mal was by Baudelaire.",
        "C plus plus", "n/a", "299 792.458 km/s", "a non-partisan body", "Notre Dame de Paris", "Sōseki (夏目漱石) did.",
        "The Garden of Earthly Delights by Jheronimus van Aken", "$c = 2.99 \\times 10^8$", "Ludwig van Beethoven",
        "Ibn Rushd (ابن رشد)", "Sōseki Natsume (夏目漱石)",
    ],
)  # fmt: skip
def test_names_make_no_english_answer_foreign(text: str) -> None:
    assert foreign_language(text, "Who was it, and where?") is None


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Je ne sais pas.", "fr"), ("C'est Balzac.", "fr"), ("No lo sé.", "es"), ("Não sei.", "pt"), ("Non lo so.", "it"),
        ("Weiß ich nicht.", "de"), ("Ik weet het niet.", "nl"), ("Не знаю.", "ru"), ("لا أعرف", "ar"), ("不知道", "zh"),
        ("わかりません", "ja"), ("Nein!", "de"), ("Oui.", "fr"), ("Sì", "it"), ("Não.", "pt"), ("Не знам.", "ru"),
        ("Nie wiem, kto to był.", OTHER), ("Jeg ved det ikke, men det er Bohr.", OTHER), ("모르겠습니다.", OTHER),
        ("Δεν ξέρω.", OTHER), ("נולד בחיפה", OTHER), ("Він народився у Києві", OTHER), ("او در تهران به دنیا آمد و گفت", OTHER),
    ],
)  # fmt: skip
def test_short_answers_tell_their_language(text: str, language: str) -> None:
    assert language_of(text, "Who was it?") == language


def test_a_question_decides_where_an_answer_leaves_it_open() -> None:
    assert language_of("Nein", "Is het waar?") in ("de", "nl")
    assert language_of("Salzburg", "Wo wurde er geboren?") == "de"
    assert language_of("森鷗外", "誰が書きましたか？") == "ja"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_its_cases_and_lists(language: str) -> None:
    assert sum(language_of(case.text, case.item["question"]) == language for case in TABLE) >= 8
    assert lexicon(language).relations.keys() == lexicon("de").relations.keys()


def test_what_is_in_no_known_language_is_never_wrong() -> None:
    strange = [case for case in TABLE if language_of(case.text, case.item["question"]) == OTHER]
    assert strange
    assert {judge_text(case.text, question(case.item)).outcome for case in strange} <= {"correct", "unscored"}


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=6), max_size=14), st.sampled_from([*LANGUAGES, OTHER]), st.data())
def test_any_text_gets_a_ruling_that_points_into_it(pieces: list[str], language: str, data: st.DataObject) -> None:
    reply = Reply.of(" ".join(pieces))
    case = data.draw(st.sampled_from(TABLE))
    ruling = foreign.judge(reply, question(case.item), language)
    assert all(0 <= start < end <= len(reply.text) for start, end in ruling.spans)


@pytest.mark.parametrize(
    "piece",
    [
        "nicht, ",
        "non solo ",
        "不是，",
        "カフカ",
        "не Кафка или ",
        "Antwort: ",
        "لا أو ",
        "l'",
        "né ",
        "oder, Kafka, ",
        "dreiund",
        "mille ",
    ],
)
def test_long_texts_are_judged_in_time_that_grows_with_them(piece: str) -> None:
    def seconds(letters: int) -> float:
        text = piece * (letters // len(piece))
        start = time.process_time()
        for case in TABLE[:120:20]:
            foreign.judge(Reply.of(text), question(case.item), foreign_language(text) or "de")
        return time.process_time() - start

    assert seconds(60_000) < 12 * max(0.02, seconds(15_000))


@pytest.mark.parametrize(
    ("text", "language", "digits"),
    [
        ("siebenundachtzig", "de", "87"), ("neunzehnhundertneunundachtzig", "de", "1989"), ("ein Haus", "de", "ein Haus"),
        ("drieëntwintig", "nl", "23"), ("soixante et onze", "fr", "71"), ("quatre-vingt-dix-sept", "fr", "97"),
        ("mil novecientos ochenta y cuatro", "es", "1984"), ("trezentos mil", "pt", "300000"), ("trentotto", "it", "38"),
        ("пять тысяч двести", "ru", "5200"), ("سبعة وعشرون", "ar", "27"), ("三百二十米", "zh", "320米"), ("一个", "zh", "一个"),
        ("drei oder vier", "de", "3 oder 4"), ("14 millones", "es", "14 millones"),
    ],
)  # fmt: skip
def test_numbers_in_words_are_written_in_digits(text: str, language: str, digits: str) -> None:
    assert in_digits(text, language) == digits
