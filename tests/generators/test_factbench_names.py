"""Graphs that know one name of each thing, and facts that were true once: what others call it, and what is left out."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from generators.factbench import Options, Result, generate
from generators.factbench.kinds import people_of_domains
from generators.factbench.wordings import load_wordings
from kg.errors import InputError
from stories import graph_of

FIXTURE = Path(__file__).parents[1] / "fixtures" / "generators" / "factbench" / "names.ttl"


@pytest.fixture(scope="module")
def result() -> Result:
    return generate(graph_of(FIXTURE.read_text("utf-8")), Options(n=100))


def _answers(result: Result, subject: str, property_: str) -> list[str]:
    rows = result.facts.eligible.filter(pl.col("subject") == subject, pl.col("property") == property_)
    return rows["answers"].to_list()[0] if rows.height else []


def test_a_country_without_other_names_has_its_everyday_ones(result: Result) -> None:
    assert {"United States of America", "United States", "America", "USA", "US"} == set(_answers(result, "Oak College", "P17"))


def test_a_network_without_other_names_goes_by_its_letters_or_its_brand(result: Result) -> None:
    assert _answers(result, "Long Snow", "P449") == ["Norland Broadcasting Company", "NBC", "Norland"]


def test_a_capital_that_was_is_not_asked_for(result: Result) -> None:
    assert not _answers(result, "Nigeria", "P36")
    assert _answers(result, "Norway", "P36") == ["Oslo"]
    assert result.facts.left_out()["the starter graph knows another capital"] == 1


def test_a_day_on_which_sources_differ_is_asked_as_a_year(result: Result) -> None:
    assert _answers(result, "Oak College", "P571") == ["1901"]


def test_a_common_noun_without_other_names_is_no_answer(result: Result) -> None:
    assert result.facts.left_out()["no other name of an answer that is a common noun"] == 1


def test_what_the_subjects_name_says_but_for_its_kind_is_not_asked(result: Result) -> None:
    assert not _answers(result, "Oswick", "P131")
    assert result.facts.left_out()["the question says the answer"] == 1


def test_an_area_is_asked_as_roughly_as_sources_agree(result: Result) -> None:
    item = result.items.filter(pl.col("family") == "P2046").row(0, named=True)
    assert item["question"].startswith(("About", "Roughly"))
    assert item["precision"] == "50000"


def test_a_precision_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('[P571]\nlabel = "inception"\ntype = "date"\nto = "yaer"\ndid = "was {s} made"\n')
    with pytest.raises(InputError, match="P571: 'to' is 'yaer'"):
        load_wordings(str(path))


def test_people_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "domains.toml"
    path.write_text('[music]\nconcepts = ["band"]\npeople = ["musician"]\n')
    with pytest.raises(InputError, match="'people' of 'music' is no text"):
        people_of_domains(str(path))
