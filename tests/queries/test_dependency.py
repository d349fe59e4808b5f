"""On which triples a family's dependency rests: the patterns between its key and its answer, and what narrows them down."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg import cli
from queries.__main__ import app
from queries.bundle.dependency import Role, dependency_of
from queries.templates import load, names
from queries.templates.library import find

HEIRS = Path(__file__).parents[1] / "fixtures/queries/dependency/heirs.rq"


def patterns_of(role: Role) -> list[str]:
    return [pattern.text for pattern in dependency_of(load(HEIRS)).others if pattern.role == role]


def test_the_patterns_between_key_and_answer_carry_the_dependency() -> None:
    dependency = dependency_of(load(HEIRS))
    assert (dependency.key, dependency.answer, dependency.apart) == (["painter", "country"], ["town"], [])
    assert sorted(pattern.text for pattern in dependency.over) == [
        "?land rdfs:label ?country .",
        "?p <person#citizen> ?land .",
        "?p <person#heir>/<person#spouse> _:1 .",
        "?p <person#subject_of> ?land .",
        "?p rdfs:label ?name .",
        "?place rdfs:label ?town .",
        "_:1 <person#born> ?place .",
    ]


def test_what_narrows_a_family_down_is_told_by_what_is_asked_of_it() -> None:
    assert sorted(patterns_of("required")) == ["?p <person#painted> ?work .", "?p rdf:type <painter> ."]
    assert patterns_of("optional") == ["?p <person#style> ?style ."]
    assert sorted(patterns_of("absent")) == [
        '?other <person#disowned> "true"^^<http://www.w3.org/2001/XMLSchema#boolean> .',
        "?p <person#heir> ?other .",
        "?place rdf:type <village> .",
    ]


def test_a_key_that_nothing_joins_with_the_answer_is_told(tmp_path: Path) -> None:
    apart = HEIRS.read_text("utf-8").replace("?land rdfs:label ?country", "?realm rdfs:label ?country")
    (tmp_path / "apart.rq").write_text(apart)
    dependency = dependency_of(load(tmp_path / "apart.rq"))
    assert dependency.apart == ["country"]
    assert str(dependency).endswith("\n  no pattern leads from country to the answer")


def test_every_family_that_ships_has_a_way_from_each_slot_of_its_key() -> None:
    families = [template for template in map(find, names()) if template.front.is_family]
    assert len(families) > 10
    assert [family.name for family in families if dependency_of(family).apart] == []


def test_check_explains_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    for args in ([str(HEIRS)], ["--explain", str(HEIRS)]):
        with pytest.raises(SystemExit) as ended:
            cli.run(app, "python -m queries", ["check", *args])
        assert not ended.value.code
    plain, explained = capsys.readouterr().out.split(" is sound\n")[1:]
    assert plain == f"{HEIRS}: {load(HEIRS).name}@{load(HEIRS).version}"
    assert explained.startswith("  town: determined by painter, country, over\n    ")
    assert "\n  there may be\n    ?p <person#style> ?style .\n" in explained
