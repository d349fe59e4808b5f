"""Lands of which the graph does not say what they border on: what else is said of them tells which are alike."""

from __future__ import annotations

import re
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.fpq.arrays import ArrayEngine
from generators.fpq.edits import Triples
from generators.fpq.plausible import Plausible
from generators.fpq.resemblance import Resemblance
from generators.graph_columns import GraphColumns
from kg.sets import Bits, members
from stories import graph_of

PREFIXES = """
@prefix : <http://e.org/> . @prefix kgp: <https://w3id.org/kgprobe#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:in a kgp:Relation ; rdfs:label "country" . :speaks a kgp:Relation ; rdfs:label "language used" .
:joined a kgp:Relation ; rdfs:label "member of" . :by a kgp:Relation ; rdfs:label "shares border with" .
:on a kgp:Relation ; rdfs:label "located in or next to body of water" . :part a kgp:Relation ; rdfs:label "part of" .
"""

IBERIA = """
    :spain :speaks :catalan, :spanish ; :joined :union . :andorra :speaks :catalan ; :joined :council .
    :portugal :speaks :portuguese ; :joined :union . :japan :speaks :japanese . :peru :speaks :spanish .
    :seville :in :spain . :porto :in :portugal . :osaka :in :japan . :lima :in :peru . :ordino :in :andorra ."""


class Story:
    """A graph, and what its engine finds about one of its facts, by the last part of an IRI."""

    def __init__(self, facts: str) -> None:
        things = sorted({*re.findall(r" :([a-z0-9]+)", " " + facts)} - {"a", "in", "speaks", "joined", "by", "on", "part"})
        labels = " ".join(f':{thing} rdfs:label "{thing.title()}" .' for thing in things)
        self.columns = GraphColumns.of(graph_of(f"{PREFIXES}{facts} {labels}"), 0)
        self.names = self.columns.entities["iri"].str.extract(r"([a-z0-9]+)$").to_list()

    def triple(self, s: str, p: str, o: str) -> Triples:
        relation = self.columns.relations["label"].to_list().index(p)
        subject, object = (np.array([self.names.index(name)]) for name in (s, o))
        return Triples(subject, np.array([relation]), object, np.zeros(1, np.uint64))

    def named(self, table: Bits) -> set[str]:
        return {self.names[e] for e in members(table)[1].tolist() if e < len(self.names)}

    def masks(self, s: str, p: str, o: str):  # type: ignore[no-untyped-def]
        return ArrayEngine(self.columns, self.triple(s, p, o), 1, "forward").masks(np.array([0]))


class TestWhatResemblesALand:
    def test_is_told_by_what_both_speak_and_are_members_of(self) -> None:
        story = Story(IBERIA)
        everybody = np.full((1, -(-story.columns.n // 64)), ~np.uint64(0))
        near = story.named(Resemblance(story.columns).nearest(story.triple("seville", "country", "spain"), everybody))
        assert near == {"portugal", "andorra", "peru"}

    def test_is_an_object_of_the_relation_and_among_those_that_one_looks_at(self) -> None:
        story = Story(IBERIA)
        nobody = np.zeros((1, -(-story.columns.n // 64)), np.uint64)
        assert story.named(Resemblance(story.columns).nearest(story.triple("seville", "country", "spain"), nobody)) == set()

    def test_is_said_to_hold_a_town_where_no_borders_are_known(self) -> None:
        typed = " ".join(f":{land} a :land ." for land in ("spain", "portugal", "japan", "peru", "andorra"))
        story = Story(IBERIA + typed)
        triple = story.triple("seville", "country", "spain")
        masks = Plausible(story.columns, triple).narrow(story.masks("seville", "country", "spain"), triple)
        assert masks.close is not None
        assert story.named(masks.same.bits() & masks.close.bits()) == {"portugal", "andorra", "peru"}
        assert "japan" in story.named(masks.same.bits())  # for whether there is enough to draw from all of the kind count

    def test_is_not_asked_where_borders_are_known(self) -> None:
        kinds = " ".join(f":{land} a :land ." for land in ("spain", "portugal", "japan", "peru", "andorra"))
        story = Story(f"{IBERIA}{kinds} :spain :by :andorra . :andorra :by :spain .")
        triple = story.triple("seville", "country", "spain")
        masks = Plausible(story.columns, triple).narrow(story.masks("seville", "country", "spain"), triple)
        assert masks.close is not None
        assert "peru" not in story.named(masks.same.bits() & masks.close.bits())

    @given(st.sets(st.tuples(st.integers(0, 6), st.integers(0, 1), st.integers(0, 6)), min_size=1, max_size=30))
    def test_agrees_with_a_sum_done_by_hand(self, facts: set[tuple[int, int, int]]) -> None:
        facts = {(s, p, o) for s, p, o in facts if s != o} | {(0, 0, 1)}
        text = " ".join(f":e{s} {(':in', ':speaks')[p]} :e{o} ." for s, p, o in sorted(facts))
        story = Story(text)
        everybody = np.full((1, -(-story.columns.n // 64)), ~np.uint64(0))
        found = story.named(Resemblance(story.columns).nearest(story.triple("e0", "country", "e1"), everybody))
        near = alike_by_hand(facts, 1)
        assert found == {*sorted(near, key=lambda e: (-near[e], story.names.index(e)))[:4]}


def alike_by_hand(facts: set[tuple[int, int, int]], true: int) -> dict[str, float]:
    """Adamic and Adar's weights, each relation's divided by the root of how much it says, and the cosine of two such lists."""
    ends = {o for _, p, o in facts if p == 0}
    said = {e: {(p, 0, o) for s, p, o in facts if s == e} | {(p, 1, s) for s, p, o in facts if o == e} for e in ends}

    def weights(e: int) -> dict[tuple[int, int, int], float]:
        things = {what: sum(what in own for own in said.values()) for what in said[e]}
        way = {what: sum(what[:2] == other[:2] for other in said[e]) for what in said[e]}
        return {what: 1 / log(n) / sqrt(way[what]) for what, n in things.items() if n > 1}

    own, near = weights(true), dict[str, float]()
    for e in ends - {true}:
        other = weights(e)
        dot = sum(own[what] * other[what] for what in own.keys() & other.keys())
        length = sqrt(sum(v * v for v in own.values())) * sqrt(sum(v * v for v in other.values()))
        near |= {f"e{e}": round(dot / length, 6)} if dot and dot / length >= 0.05 else {}
    return near


class TestWhatLiesInALand:
    def contained(self, facts: str) -> set[tuple[str, str]]:
        story = Story(facts)
        return {(story.names[low], story.names[high]) for low, high in story.columns.contained.iter_rows()}

    def test_is_what_has_one(self) -> None:
        found = self.contained(":bonn :in :germany . :rhine :in :germany, :france .")
        assert found == {("bonn", "germany"), ("rhine", "germany"), ("rhine", "france")}

    def test_is_what_was_part_of_several_in_turn(self) -> None:
        """Else who was born in Leipzig could be asked whether it was in Germany, for no."""
        story = Story(":leipzig :in :saxony, :germany . :tom :by :leipzig . :bonn :in :germany . :bill :by :bonn .")
        assert "germany" in story.named(story.masks("tom", "shares border with", "leipzig").banned.bits())

    def test_is_no_league_of_lands_that_has_its_seat_there(self) -> None:
        found = self.contained(":league :in :france . :peru :joined :league . :lyon :in :france . :lima :in :peru .")
        assert found == {("peru", "league"), ("lyon", "france"), ("lima", "peru")}

    def test_is_a_band_that_has_members(self) -> None:
        found = self.contained(":elo :in :britain . :jeff :joined :elo . :leeds :in :britain .")
        assert ("elo", "britain") in found

    def test_so_a_land_is_not_above_another_over_a_sea_that_both_have(self) -> None:
        """Else no town of the one could be said to lie in the other."""
        story = Story(":sea :in :norway, :germany . :britain :part :sea . :leeds :in :britain . :bonn :in :germany .")
        banned = story.named(story.masks("leeds", "country", "britain").banned.bits())
        assert "germany" not in banned


class TestWhatStandsBesideATrueObject:
    RIVERS = """
        :rhine a :river ; :in :germany, :france . :saar a :river ; :in :germany, :france .
        :bonn a :town ; :in :germany ; :by :metz . :metz a :town ; :in :france .
        :ill a :river ; :in :france ; :by :metz . :lech :in :germany ; :by :metz ."""

    @pytest.mark.parametrize(("subject", "land", "other", "beside"), [
        ("bonn", "germany", "france", False), ("ill", "france", "germany", True), ("lech", "germany", "france", True),
    ])  # fmt: skip
    def test_is_told_by_things_of_the_subjects_kind(self, subject: str, land: str, other: str, *, beside: bool) -> None:
        """Rivers lie in two countries and towns in one; of what has no kind all tell."""
        story = Story(self.RIVERS)
        assert (other in story.named(story.masks(subject, "country", land).beside.bits())) is beside


def test_a_kind_is_typical_of_what_things_of_the_subjects_kind_have() -> None:
    """Sixty towns border on towns, and twelve counties on counties: no sixth of all objects, and all of those of counties."""
    towns = " ".join(f":t{k} a :town ; :by :t{(k + 1) % 60} ." for k in range(60))
    counties = " ".join(f":c{k} a :county ; :by :c{(k + 1) % 12} ." for k in range(12))
    story = Story(f"{towns} {counties}")
    same = story.named(story.masks("c0", "shares border with", "c1").same.bits())
    assert same == {f"c{k}" for k in range(12)}
