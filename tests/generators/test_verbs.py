"""Questions agree: in number with a name, in tense with the fact."""

from __future__ import annotations

import polars as pl
import pytest

from generators.fpq.naming import names_in_questions
from generators.fpq.tense import gone
from generators.fpq.wording import parse_frame
from generators.graph_columns import GraphColumns
from kg.errors import InputError
from stories import graph_of

TURTLE = """
@prefix : <http://e.org/> . @prefix kgp: <https://w3id.org/kgprobe#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:range a kgp:Relation ; rdfs:label "mountain range" . :death a kgp:Relation ; rdfs:label "place of death" .
:friend a kgp:Relation ; rdfs:label "friend" . :born a kgp:Attribute ; rdfs:label "date of birth" .
:state rdfs:label "state" . :past rdfs:label "historical country" .
:Eiger :range :Alps ; rdfs:label "Eiger" . :Alps rdfs:label "Alps" .
:Ada :death :London ; :friend :Eve ; rdfs:label "Ada" . :Eve rdfs:label "Eve" ; :born "1990-01-02" ; :friend :Old .
:Old rdfs:label "Old" ; :born "1815" ; :friend :Eve . :London rdfs:label "London" ; :friend :Prussia .
:Prussia a :past , :state ; rdfs:label "Prussia" ; :friend :Norway . :Norway a :state ; rdfs:label "Norway" ; :friend :Ada .
"""


def named() -> dict[str, dict[str, object]]:
    names = names_in_questions(GraphColumns.of(graph_of(TURTLE), 0))
    return {row["label"]: row for row in names.iter_rows(named=True)}


def test_who_has_died_or_ended_is_no_more_and_nobody_else() -> None:
    columns = GraphColumns.of(graph_of(TURTLE), 0)
    assert set(columns.entities["label"].filter(gone(columns)).drop_nulls()) == {"Ada", "Old", "Prussia"}


def test_what_the_graph_has_no_kind_of_is_told_by_the_relation_whose_object_it_is() -> None:
    # By its name alone Alps takes "the" too; that a range of mountains is several is no matter of the relation.
    assert (named()["Alps"]["name_the"], named()["Alps"]["name_plural"]) == ("the Alps", True)
    assert (named()["Eiger"]["name_the"], named()["Eiger"]["name_plural"]) == ("Eiger", False)


@pytest.mark.parametrize(
    ("verb", "forms"),
    [
        ("{is:subject}", ["Is", "Are", "Was", "Were"]), ("{does:subject}", ["Does", "Do", "Did", "Did"]),
        ("{is:both}", ["Are", "Are", "Were", "Were"]), ("{is}", ["Is", "Is", "Was", "Was"]),
        ("{does:object}", ["Does", "Does", "Did", "Did"]),
    ],
)  # fmt: skip
def test_a_verb_agrees_with_its_name_and_with_the_fact(verb: str, forms: list[str]) -> None:
    rows = [(name, several, past) for past in (False, True) for name, several in (("Rhine", False), ("Alps", True))]
    data = {"s": [r[0] for r in rows], "s_plural": [r[1] for r in rows], "past": [r[2] for r in rows]}
    frame = parse_frame(f"{verb} {{subject}} or {{object}}?").expr("s", "o").alias("question")
    asked = pl.DataFrame(data | {"o": ["Oslo"] * 4, "o_plural": [False] * 4}).select(frame)["question"].to_list()
    assert asked == [f"{form} {row[0]} or Oslo?" for form, row in zip(forms, rows, strict=True)]


@pytest.mark.parametrize("slot", ["{is:}", "{is:subjects}", "{were:subject}", "{does:it}"])
def test_a_verb_that_is_misspelled_is_named(slot: str) -> None:
    with pytest.raises(InputError, match="unknown slot"):
        parse_frame(f"{slot} {{subject}} or {{object}}?")
