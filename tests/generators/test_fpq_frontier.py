"""With `--frontier` a graph is asked and never pulled: every item is proven in the whole of it, by the rules of the arrays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

from generators.fpq import Direction, Options, Result, generate
from generators.fpq.__main__ import app
from generators.fpq.arrays import ArrayEngine
from generators.fpq.edits import EDITS, NEAR, Masks, Triples
from generators.fpq.sampled import Sampled
from generators.graph_columns import GraphColumns
from kg import InputError, LocalGraph, RemoteGraph, cli, open_graph
from kg.remote import prologue
from kg.sets import Ints
from kg.sets import test as in_sets
from made_graph import Size, domain, load, make
from queries import audit_items
from queries.templates import find
from small_graphs import OPTIONS, PATIENTLY, Small, items_of, small_graphs
from sparql_endpoint import Reply, oxigraph, serving
from stories import graph_of

SAMPLED = Options(n=40, radius=2, frontier=True)
EVERY = 10**6
FIXTURES = Path(__file__).parents[1] / "fixtures" / "generators"
PULLING = [prologue(find(name).bind())[2] for name in ("facts", "concepts", "labels", "aliases", "edges", "superconcepts")]


@pytest.fixture(scope="module")
def graph() -> LocalGraph:
    graph = open_graph()
    assert isinstance(graph, LocalGraph)
    return graph


@pytest.fixture(scope="module")
def result(graph: LocalGraph) -> Result:
    return generate(graph, "people", SAMPLED)


class TestOnTheStarterGraph:
    def test_every_proof_holds_as_it_stands(self, graph: LocalGraph, result: Result) -> None:
        found = audit_items(graph, result.items.select("id", "proof"), literal=EVERY)
        assert found.passed
        assert found.items > 300

    def test_all_facts_are_drawn_and_every_edit_is_made(self, result: Result) -> None:
        assert not result.short
        assert (result.edits.objects >= 0).any(axis=0).all()

    def test_nobody_is_named_whom_the_rules_exclude_in_the_whole_graph(self, graph: LocalGraph, result: Result) -> None:
        columns = GraphColumns.of(graph, seed=0)
        triples, objects = in_the_whole(result, columns)
        masks = ArrayEngine(columns, triples, 2, "forward").masks(np.arange(len(triples)))
        for column, edit in enumerate(EDITS):
            rows = np.flatnonzero(objects[:, column] >= 0)
            assert excluded(masks, edit, rows, objects[rows, column]) == []

    def test_an_endpoint_gives_the_same_items_and_is_asked_for_no_whole_view(self, graph: LocalGraph, result: Result) -> None:
        heard: list[str] = []
        answer = oxigraph(graph)

        def reply(form: dict[str, list[str]], accept: str) -> Reply:
            heard.extend(form["query"])
            return answer(form, accept)

        with serving(reply) as url:
            there = generate(RemoteGraph(url), "people", SAMPLED).items
        nameless = pl.exclude("source")
        assert there.select(nameless).equals(result.items.select(nameless))
        assert len(heard) > 100
        assert [query for query in heard if query.endswith(tuple(PULLING))] == []


def in_the_whole(result: Result, columns: GraphColumns) -> tuple[Triples, Ints]:
    """The facts and their edited objects by the numbers that they have in the whole graph."""
    assert result.frontier is not None
    own, drawn = result.frontier.columns, result.sample.triples
    entity = {iri: number for number, iri in enumerate(columns.entities["iri"])}
    relation = {iri: number for number, iri in enumerate(columns.relations["iri"])}
    e = np.array([*(entity.get(iri, -1) for iri in own.entities["iri"]), -1])
    p = np.array([relation[iri] for iri in own.relations["iri"]])
    return Triples(e[drawn.s], p[drawn.p], e[drawn.o], drawn.keys), e[result.edits.objects]


def excluded(masks: Masks, edit: str, rows: Ints, objects: Ints) -> list[str]:
    """Which of the rules exclude any of some objects from an edit of some triples."""
    zone = masks.near.within if edit in NEAR else masks.outside
    rules = {"zone": zone[rows].bits(), "banned": ~masks.banned[rows].bits()}
    rules |= {"beside": ~masks.beside[rows].bits()} if edit in NEAR else {}
    rules |= {"owned": masks.owned[rows].bits()} if edit[-1] == "C" else {}
    return [name for name, allowed in rules.items() if not in_sets(allowed, np.arange(len(rows)), objects).all()]


@pytest.mark.slow
@settings(PATIENTLY, max_examples=20)
@given(small_graphs(), OPTIONS)
def test_every_proof_holds_on_any_small_graph(small: Small, options: Options) -> None:
    graph = small.graph()
    own = Options(n=options.n, seed=options.seed, radius=options.radius, hops=options.hops, pool=1, frontier=True)
    items = items_of(graph, small, own)
    if items:
        proofs = generate(graph, small.domain, replace(own, repeats=True)).items.select("id", "proof")
        assert audit_items(graph, proofs, literal=EVERY).passed


@pytest.mark.slow
def test_what_is_fetched_depends_on_the_draw_and_not_on_the_graph() -> None:
    fetched = []
    for times in (1, 3):
        size = Size(entities=4_000 * times, facts=24_000 * times, relations=20, concepts=40, values=0)
        made = make(size)
        result = generate(LocalGraph.in_memory(load(made)), domain(made), Options(n=10, radius=1, frontier=True))
        assert len(result.sample.triples) == 10
        assert result.frontier is not None
        fetched.append(result.frontier.engine.sampled.blocks.fetched)
    assert fetched[1] < 1.5 * fetched[0]


@pytest.mark.parametrize(
    "option",
    [["--direction", "both"], ["--engine", "sparql"], ["--sampling", "plain"], ["--shard", "1/2"], ["--edit", "OWN"]],
    ids=" ".join,
)
def test_what_has_to_know_the_whole_graph_is_refused_in_one_line(
    option: list[str], tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path_factory.mktemp("edit") / "own.rq"
    own.write_text("#+ name: own\n#+ summary: Any\nSELECT ?s ?p ?o ?edited { ?s ?p ?o . ?edited ?p ?o }\n")
    given_ = [str(own) if part == "OWN" else part for part in option]
    with pytest.raises(SystemExit) as stop:
        cli.run(app, "fpq", ["--domain", "art", "--frontier", "--quiet", "--out", str(own.parent / "x.jsonl"), *given_])
    told = capsys.readouterr().err
    assert stop.value.code == 2
    assert "--frontier" in told
    assert option[0] in told
    assert told.count("\n") == 1


def test_a_domain_that_matches_nothing_is_told(graph: LocalGraph) -> None:
    made = make(Size(entities=50, facts=100, relations=10, concepts=10, values=0))
    with pytest.raises(InputError, match="matches nothing"):
        generate(graph, domain(made), SAMPLED)
    with pytest.raises(InputError, match="follows facts forward"):
        generate(graph, "art", replace(SAMPLED, direction=Direction.both))


def test_what_holds_a_thing_is_fetched_though_it_alone_says_so() -> None:
    sampled = Sampled(graph_of((FIXTURES / "union.ttl").read_text("utf-8")), seed=0)
    sampled.describe(["<https://example.org/Arle>"])
    contained = GraphColumns.of(sampled.as_graph(), seed=0)
    name = [iri.rpartition("/")[2] for iri in contained.entities["iri"]]
    chains = {(name[low], name[high]) for low, high in contained.contained.select("below", "above").iter_rows()}
    assert {("Arle", "Marches"), ("Marches", "Union")} <= chains
