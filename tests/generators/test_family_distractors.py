"""SPARQL draws the false values of a family: what the query finds and no row has, with proofs that the audit runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generators import erbench
from generators.family import Options, generate
from generators.items import write_items
from kg import InputError, LocalGraph, open_graph
from kg.patch import Patch, patched, read_triples
from queries import find, load, parse
from queries.audit import audit_items
from queries.records import Item, read
from queries.templates import Template

FOLDER = Path(__file__).parents[1] / "fixtures" / "families" / "distractors"
PLACES = FOLDER / "capital.rq"
BASE = "https://w3id.org/kgprobe/starter/"
NEIGHBOURS = """SELECT ?country ?city {
  ?a <country#ref-shares_border_with> ?b ; rdfs:label ?country . ?b <country#ref-capital>/rdfs:label ?city
}"""


@pytest.fixture(scope="module")
def graph() -> LocalGraph:
    return open_graph()  # type: ignore[return-value]


def with_query(said: str, task: str = "yes_no", true_share: str = "0") -> Template:
    """Read the family of capitals with another query, task or share."""
    text = PLACES.read_text("utf-8").replace("{query: neighbours.rq, with: {country: country}}", said)
    text = text.replace("task: yes_no", f"task: {task}").replace("true_share: 0.5", f"true_share: {true_share}")
    return parse(text, str(PLACES))


def items_of(graph: LocalGraph, template: Template, path: Path, n: int | None = None) -> list[Item]:
    write_items(str(path), generate(graph, template, Options(n=n)).items)
    return read(path, Item)


def false_cities(items: list[Item]) -> dict[str, str]:
    """The city that each question claims of its country, where that is false."""
    given = [{given.slot: given.value for given in item.given} for item in items if item.answer in (["no"], ["reject"])]
    return {said["country"]: said["city"] for said in given}


def test_false_values_are_those_that_the_users_query_finds_and_no_row_has(graph: LocalGraph, tmp_path: Path) -> None:
    items = items_of(graph, load(PLACES), tmp_path / "items.jsonl")
    near = set(graph.select(NEIGHBOURS).select("country", "city").iter_rows())
    false = false_cities(items)
    assert len(false) > 20
    assert set(false.items()) <= near
    assert {item.answer[0] for item in items if item.answer} == {"yes", "no"}
    assert audit_items(graph, tmp_path / "items.jsonl", literal=0).passed


def test_the_audit_proves_what_the_query_found(graph: LocalGraph, tmp_path: Path) -> None:
    """Without the border that made a false value likely, the item fails by that query alone."""
    items = items_of(graph, load(PLACES), tmp_path / "items.jsonl")
    item = next(item for item in items if item.answer == ["no"])
    country = item.proof[0].bind[0].term
    borders = graph.terms(f"SELECT ?p ?o {{ VALUES ?p {{ <country#ref-shares_border_with> }} {country} ?p ?o }}")
    wrong = "".join(f"{country} {p} {o} .\n" for p, o in borders.iter_rows())
    found = audit_items(patched(graph, Patch(wrong=read_triples(wrong.encode()))), tmp_path / "items.jsonl", literal=0)
    [failure] = [failure for failure in found.failures if failure.item == item.id]
    assert (failure.reason, list(failure.bind)) == ("expected true, found false", ["city"])
    assert "ref-shares_border_with" in failure.query


def test_a_premise_is_false_by_a_query(graph: LocalGraph, tmp_path: Path) -> None:
    template = with_query("{query: neighbours.rq, with: {country: country}}", task="premise")
    items = items_of(graph, template, tmp_path / "items.jsonl")
    assert {tuple(item.answer or ()) for item in items} == {("reject",)}
    assert [proof.expect for proof in items[0].proof] == [None, False, True]
    assert len(generate(graph, template).items) < generate(graph, template).askable  # whose neighbours have no capital


@pytest.mark.parametrize(
    ("said", "cited"),
    [
        ('{query: same_relation, with: {p: "<country#ref-capital>", a: capital}}', "same_relation@"),
        ('{query: khop, with: {s: country, radius: "1"}}', "SELECT ?o"),
    ],
)
def test_queries_that_ship_draw_too(said: str, cited: str, graph: LocalGraph, tmp_path: Path) -> None:
    items = items_of(graph, with_query(said), path := tmp_path / "items.jsonl", n=8)
    assert len(false_cities(items)) == 8
    assert all(cited in item.proof[-1].query for item in items)
    assert audit_items(graph, path, literal=0).passed


def test_a_choice_has_the_false_value_of_its_query(graph: LocalGraph, tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "queries/templates/skeletons/choice.rq").read_text("utf-8")
    spec = "#+ distractors:\n#+   capital: {query: neighbours.rq, with: {country: country}}\n#+ none:"
    template = parse("#+ name: told\n" + text.replace("#+ none:", spec), str(PLACES))
    items = items_of(graph, template, path := tmp_path / "items.jsonl")
    drawn = [item for item in items if "ref-shares_border_with" in item.proof[-1].query]
    assert drawn
    assert len(drawn) < len(items)  # the other slots are drawn from their columns
    assert audit_items(graph, path, literal=0).passed
    assert generate(graph, template, Options(n=3)).items.equals(generate(graph, template).items.head(9))


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("{query: khopp, with: {s: country}}", "there is no template 'khopp'; did you mean 'khop'"),
        ("{query: no.rq, with: {s: country}}", "no.rq: no such file"),
        ("{query: khop, with: {x: country}}", "distractors.capital: 'khop' has no parameter 'x'; known: radius, s"),
        ("{query: khop}", "distractors.capital: 'khop' needs its parameter 's'; write `with: {s: SLOT}`, or a value"),
        ("{query: fact, with: {s: country}}", "distractors.capital: 'fact' is no SELECT"),
        (
            "{query: khop, with: {s: country, radius: far}}",
            "distractors.capital: 'far' is not a whole number such as 3, and no slot",
        ),
    ],
)
def test_a_query_that_does_not_fit_is_told_in_one_line(said: str, problem: str, graph: LocalGraph) -> None:
    with pytest.raises(InputError) as caught:
        generate(graph, with_query(said))
    assert problem in str(caught.value)


def test_a_slot_of_which_nothing_false_is_said_has_no_distractors(graph: LocalGraph) -> None:
    text = PLACES.read_text("utf-8").replace("#+   capital: {query", "#+   country: {query")
    with pytest.raises(InputError, match="nothing false is said of 'country'"):
        generate(graph, parse(text, str(PLACES)))
    with pytest.raises(InputError, match=r"capital\.rq:10: distractors slot 'city' is not projected"):
        parse(text.replace("#+   country: {query", "#+   city: {query"), str(PLACES))


def test_the_example_of_the_readme_is_a_premise_that_a_query_proves_false(graph: LocalGraph, tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "queries" / "README.md").read_text("utf-8").partition("### False values by a query")[2]
    query, moved = re.findall(r"```sparql\n(.*?)```", page, re.S)[:2]
    (tmp_path / "neighbour_capital.rq").write_text(query)
    (tmp_path / "moved.rq").write_text(moved)
    items = items_of(graph, load(tmp_path / "moved.rq"), path := tmp_path / "items.jsonl", n=20)
    assert {item.question.partition(" has ")[0] for item in items} == {"Since when"}
    assert audit_items(graph, path, literal=0).passed


@pytest.mark.slow
def test_joins_over_two_foreign_keys_are_those_of_the_library(graph: LocalGraph) -> None:
    """What ERBench proposes over two hops, against `fk_join`: the same rows."""
    chain = re.compile(r"\?(\w+) (<\S+#ref-\S+>) \?(\w+) \.\s+\?\3 (<\S+#ref-\S+>) \?(\w+) \.")
    held = 0
    for proposal in erbench.propose(erbench.Catalog(graph), hops=2, domain="starter"):
        if "?died ." in proposal.query:
            continue  # what was somebody's is asked of the dead alone
        if (steps := chain.search(proposal.template.text)) and {steps[1], steps[5]} <= set(proposal.template.slots):
            first, second = (f"<{BASE}{steps[number][1:]}" for number in (2, 4))
            joined = graph.terms(find("fk_join").bind({"first": first, "second": second})).select("from", "middle", "to")
            said = proposal.template.text  # rows that their names would give away are left out by FILTER NOT IN
            left_out = [any(end.replace(BASE, "") in said for end in row[:2]) for row in joined.iter_rows()]
            expected = {(row[0], row[2]) for row, left in zip(joined.iter_rows(), left_out, strict=True) if not left}
            asked = graph.terms(proposal.template.bind(base=graph.base)).select(steps[1], steps[5]).unique()
            assert set(asked.iter_rows()) == expected
            held += 1
    assert held > 3
