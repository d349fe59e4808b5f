"""What strangers threw out when they read false premises: each rule that answers to it, on a graph of a few things."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest

from generators.fpq import Options, draw_facts, generate
from generators.fpq.doubts import adapted, doubtful_titles, miscalled, unreturned
from generators.fpq.edits import Triples
from generators.fpq.plausible import Plausible
from generators.graph_columns import GraphColumns
from kg import open_graph
from kg.sets import test as in_set
from queries.domain import Domain
from stories import graph_of

PREFIXES = """
@prefix : <http://e.org/> . @prefix kgp: <https://w3id.org/kgprobe#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:film rdfs:label "film" . :human rdfs:label "human" . :land rdfs:label "country" . :town rdfs:label "city" .
"""
NOBODY = pl.DataFrame(schema={"s": pl.String, "p": pl.String})


def relations(**labels: str) -> str:
    return "".join(f':{name} a kgp:Relation ; rdfs:label "{label}" .\n' for name, label in labels.items())


def columns_of(turtle: str) -> GraphColumns:
    return GraphColumns.of(graph_of(PREFIXES + turtle), 0)


def labels_of(columns: GraphColumns, numbers: pl.Series) -> set[str]:
    return set(columns.entities["label"].gather(numbers).drop_nulls())


def found(turtle: str, s: str, p: str, o: str, rule: str = "close") -> set[str]:
    """Whom a rule finds for a fact, by the last part of their IRIs."""
    columns = columns_of(turtle)
    names = columns.entities["iri"].str.extract(r"(\w+)$").to_list()
    relation = np.array([columns.relations["label"].to_list().index(p)])
    triple = Triples(np.array([names.index(s)]), relation, np.array([names.index(o)]), np.zeros(1, np.uint64))
    table = getattr(Plausible(columns, triple), rule)(triple)
    return {name for x, name in enumerate(names) if in_set(table, np.array([0]), np.array([x]))[0]}


class TestFactsThatTheGraphContradictsOrRepeats:
    def test_a_border_that_only_one_side_knows(self) -> None:
        row = " ".join(f":a{k} :by :a{k + 1} . :a{k + 1} :by :a{k} ." for k in range(15))
        columns = columns_of(relations(by="shares border with") + row + ":a0 :by :a9 . :a3 :by :a12 .")
        iris = columns.entities["iri"].str.extract(r"(\w+)$")
        told = {(iris[s], iris[o]) for s, _, o in unreturned(columns).iter_rows()}
        assert told == {("a0", "a9"), ("a3", "a12")}

    def test_nothing_is_expected_back_where_half_is_not(self) -> None:
        row = " ".join(f":a{k} :by :a{k + 1} ." + f" :a{k + 1} :by :a{k} ." * (k % 2) for k in range(30))
        assert unreturned(columns_of(relations(by="influenced by") + row)).is_empty()

    def test_of_two_facts_that_say_the_like_from_either_end_one_is_asked(self) -> None:
        """Peru has a capital and two neighbours: nobody asks where Lima lies, nor twice about one border."""
        facts = """
            :peru a :land ; rdfs:label "Peru" ; :seat :lima ; :by :chile . :chile a :land ; rdfs:label "Chile" ; :by :peru .
            :lima a :town ; rdfs:label "Lima" ; :of :peru ; :inside :peru .
            :cusco a :town ; rdfs:label "Cusco" ; :inside :peru ."""
        named = relations(seat="capital", of="capital of", inside="country", by="shares border with")
        columns = columns_of(named + facts)
        domain = Domain("places", ("country", "city"), ("capital", "capital of", "country", "shares border with"))
        triples = draw_facts(columns, domain, NOBODY, 9, even=False).triples
        label = columns.entities["label"]
        asked = [(label[s], label[o]) for s, o in zip(triples.s.tolist(), triples.o.tolist(), strict=True)]
        assert sorted(map(sorted, asked)) == [["Chile", "Peru"], ["Cusco", "Peru"], ["Lima", "Peru"]]


class TestNamesThatDoNotTell:
    @pytest.mark.parametrize(
        ("title", "more", "doubtful"),
        [
            ("Monster", "", True),
            ("The Present", "", True),
            ("Robin Hood", ':other rdfs:label "Robin Hood" ; :cast :p1 .', True),
            ("The Wild Garden", "", False),
            ("Zardoz", "", False),
            ("Monster", ':year a kgp:Attribute ; rdfs:label "publication date" . :it :year "1999" .', False),
            ("Monster", "".join(f":it :cast :q{k} . " for k in range(9)), False),
        ],
    )
    def test_a_title_that_other_things_bear(self, title: str, more: str, doubtful: bool) -> None:
        """A common noun or somebody's name says too little of a film, unless it goes with a year or is well known."""
        films = " ".join(f':f{k} a :film ; rdfs:label "The Film of Tale {k}" ; :cast :p{k}, :q{k} .' for k in range(8))
        one = f':it a :film ; rdfs:label "{title}" ; :cast :p1 .'
        columns = columns_of(relations(cast="cast member") + films + one + more)
        assert (title in labels_of(columns, doubtful_titles(columns))) is doubtful

    def test_a_bracket_is_part_of_no_award(self) -> None:
        columns = columns_of(relations(won="award received") + ':a :won :b . :b rdfs:label "Jury Prize (Cannes)" .')
        assert labels_of(columns, miscalled(columns)["e"]) == {"Jury Prize (Cannes)"}

    def test_a_relation_of_a_few_facts_does_not_end_the_draw(self) -> None:
        """Of four relations one has a single fact: two in a row are of two relations, and nearly all facts are drawn."""
        kinds = {"one": 1, "two": 40, "three": 40, "four": 40}
        facts = " ".join(
            f':s{p}{k} a :film ; rdfs:label "Subject {p} {k} here" ; :{p} :o{p}{k} . :o{p}{k} rdfs:label "Object {p} {k}" .'
            for p, many in kinds.items()
            for k in range(many)
        )
        columns = columns_of(relations(**{p: f"relation {p}" for p in kinds}) + facts)
        domain = Domain("made", ("film",), tuple(f"relation {p}" for p in kinds))
        drawn = Counter(draw_facts(columns, domain, NOBODY, 200).triples.p.tolist())
        assert sorted(drawn.values()) == [1, 40, 40, 40]


class TestAuthorsAndTheirAge:
    def test_who_wrote_the_book_is_not_taken_for_who_wrote_the_script(self) -> None:
        graph = relations(script="screenwriter", wrote="after a work by")
        columns = columns_of(graph + ':it :wrote :ann ; :script :bob . :ann rdfs:label "Ann" . :bob rdfs:label "Bob" .')
        told = adapted(columns)
        assert labels_of(columns, told["e"]) == {"Ann"}
        assert columns.relations["label"].gather(told["p"]).to_list() == ["screenwriter"]

    def test_the_dead_stand_for_the_dead_where_no_year_is_known(self) -> None:
        graph = (
            relations(cast="cast member", dead="place of death")
            + ":it :cast :ann . :tale :cast :bob, :cid . :ann :dead :rome . :bob :dead :rome ."
        )
        assert found(graph, "it", "cast member", "ann") & {"bob", "cid"} == {"bob"}

    def test_a_work_is_as_old_as_who_made_it(self) -> None:
        """All who made the eight old films are dead; of each new film's cast one died young."""
        films = " ".join(f":{age}{k} :cast :{age}{k}x, :{age}{k}y, :{age}{k}z ." for age in ("old", "new") for k in range(8))
        dead = " ".join(f":old{k}{one} :dead :rome ." for k in range(8) for one in "xyz")
        young = " ".join(f":new{k}x :dead :rome ." for k in range(8))
        plain = relations(cast="cast member", dead="place of death") + films + dead
        likely = found(plain + young, "old1", "cast member", "old1x", "of")
        assert {"old2x", "old7z"} <= likely
        assert not {"new2x", "new3y"} & likely

    def test_a_maker_is_one_of_works_like_it(self) -> None:
        """Who makes quizzes made none of the fifteen space operas."""
        works = " ".join(f":w{k} :kind :space ; :by :m{k} ." for k in range(15))
        graph = relations(by="creator", kind="genre") + works + ":quiz :kind :game ; :by :host ."
        likely = found(graph, "w1", "creator", "m1", "of")
        assert "m2" in likely
        assert "host" not in likely


class TestPlacesAndPrizes:
    def test_nobody_takes_another_city_for_the_capital_of_a_state(self) -> None:
        named = relations(seat="capital", inside="country", by="shares border with")
        lands = (
            ":peru :seat :lima ; :by :chile . :chile :seat :arica ; :by :peru . :lima :inside :peru . :arica :inside :chile ."
        )
        states = ":goa :seat :panaji ; :by :kerala . :kerala :seat :kochi ; :by :goa . :goa :inside :india ."
        assert found(named + lands + states, "peru", "capital", "lima") == set()
        assert found(named + lands + states, "lima", "country", "peru") == set()
        assert "kochi" in found(named + lands + states, "goa", "capital", "panaji")

    def test_what_lay_beside_a_land_that_is_no_more_is_not_near(self) -> None:
        named = relations(born="place of birth", inside="country", by="shares border with")
        facts = """
            :over rdfs:label "historical country" . :union a :over ; :by :usa . :usa :by :union, :canada . :canada :by :usa .
            :ann :born :boston . :bob :born :kiev . :cid :born :toronto . :dan :born :salem .
            :boston :inside :usa . :salem :inside :usa . :kiev :inside :union . :toronto :inside :canada ."""
        assert found(named + facts, "ann", "place of birth", "boston") == {"boston", "salem", "toronto"}

    def test_whose_sex_is_unknown_gets_no_prize_for_one_sex(self) -> None:
        named = relations(won="award received", sex="sex or gender", does="occupation")
        men = " ".join(f":m{k} :does :acting ; :sex :male ; :won :actor, :film ." for k in range(8))
        women = " ".join(f":w{k} :does :acting ; :sex :female ; :won :actress, :film ." for k in range(8))
        facts = f"{men}{women} :pink :does :acting ; :won :song ."
        facts += ':actor rdfs:label "Actor Award" . :actress rdfs:label "Actress Award" .'
        facts += ':film rdfs:label "Film Award" . :song rdfs:label "Song Award" .'
        likely = found(named + facts, "pink", "award received", "song", "of")
        assert likely & {"actor", "actress", "film"} == {"film"}


def test_who_never_had_it_is_sooner_a_person_for_a_person_than_a_town() -> None:
    """Of the starter graph: NNDR names a thing of the true object's kind where there is one."""
    items = generate(open_graph(), "people", Options(n=60, pool=1)).items.filter(variant="NNDR", family="place-of-birth")
    columns = GraphColumns.of(open_graph(), 0)
    towns = columns.concepts.join(pl.DataFrame({"kind": columns.concept_labels}).with_row_index("c"), on="c")
    kinds = towns.with_columns(iri=columns.entities["iri"].gather(towns["e"])).group_by("iri").agg("kind")
    of = {iri: set(kind) for iri, kind in kinds.iter_rows()}
    fits = [bool(of[p["object"]["iri"]] & of[p["true_objects"][0]["iri"]]) for p in items["premise"]]
    assert len(fits) > 10
    assert np.mean(fits) > 0.9
