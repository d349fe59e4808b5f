"""The method against a count one by one: certificates, quarters, even domains and properties, prefixes, what bad input says."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

from evaluators.metrics.text import text_scores
from generators.factbench import Options, generate, load_wordings
from generators.factbench.__main__ import app
from generators.factbench.make import draw, shares, thinned, with_popularity
from generators.factbench.tables import pagerank_of
from generators.graph_columns import GraphColumns
from kg import LocalGraph, open_graph
from kg.errors import InputError
from kg.text import fold
from shared import shared
from stories import graph_of

Item = dict[str, Any]
FOLDER = Path(__file__).parents[1] / "fixtures" / "generators" / "factbench"


def _items(frame: pl.DataFrame) -> list[Item]:
    return [json.loads(line) for line in frame.write_ndjson().splitlines()]


@pytest.fixture(scope="module")
def starter() -> list[Item]:
    return _items(generate(open_graph(), Options(n=400)).items)


def test_every_certificate_agrees_with_a_count_one_by_one(starter: list[Item]) -> None:
    rows = open_graph().select("SELECT ?s ?p ?o { ?s ?p ?o }").rows()
    values, bearers = defaultdict(set), defaultdict(set)
    for s, p, o in rows:
        values[s, p].add(o)
        if p.endswith(("rdf-schema#label", "core#altLabel")):
            bearers[fold(o or "")].add(s)
    for item in starter:
        own, names = item["proof"]
        terms = {each["name"]: each["term"].strip("<>") for each in own["bind"]}
        assert own["rows"] == [[terms["s"], next(iter(values[terms["s"], terms["p"]]))]]
        assert len(values[terms["s"], terms["p"]]) == 1
        # A column's class bears the name of the column; nothing that is asked about may bear the subject's.
        assert bearers[fold(item["given"][0]["value"])] == {terms["s"]} == {names["rows"][0][0]}
        assert f" {fold(item['answer'][0])} " not in f" {fold(item['question'])} "


def test_the_top_quarter_is_more_popular_than_the_bottom_quarter(starter: list[Item]) -> None:
    popular = dict(open_graph().select("SELECT ?e ?n { ?e kgp:popularity ?n }").rows())
    ranks: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for item in starter:
        strata = item["strata"]
        ranks[strata["domain"]][strata["popularity"]].append(int(popular.get(item["source"]["subject"], -1)))
    assert all(set(halves) == {"top", "bottom"} for halves in ranks.values())
    assert all(min(halves["top"]) >= max(halves["bottom"]) for halves in ranks.values())


def _facts(n: int, domains: int, properties: int) -> pl.DataFrame:
    """Facts whose popularity is their number, spread over domains and properties."""
    rows = pl.DataFrame({"n": range(n)}).with_columns(
        domain="d" + (pl.col("n") % domains).cast(pl.String),
        property="p" + (pl.col("n") // domains % properties).cast(pl.String),
        value="v" + (pl.col("n") % 7).cast(pl.String),
        popularity=pl.col("n").cast(pl.Float64),
    )
    return rows.with_columns(key=rows["n"].hash(seed=1))


def test_domains_quarters_and_properties_get_equal_shares() -> None:
    drawn = draw(with_popularity(_facts(8000, 20, 5)), 1000)
    assert set(Counter(drawn.select("domain", "stratum").rows()).values()) == {25}
    assert set(Counter(drawn["property"]).values()) == {200}


def test_any_prefix_has_the_mix_of_the_whole() -> None:
    drawn = draw(with_popularity(_facts(8000, 20, 5)), 1000)
    for size in (40, 200, 520):
        counts = Counter(drawn.head(size).select("domain", "stratum").rows()).values()
        assert max(counts) - min(counts) <= 1


def test_what_a_domain_lacks_the_others_get() -> None:
    assert shares(100, [5, 1000, 1000]).tolist() == [5, 48, 47]
    assert shares(3000, [5, 1000, 1000]).tolist() == [5, 1000, 1000]


@pytest.mark.parametrize("counts", [(14, 1), (12,), (31, 31, 16, 8, 6, 5), (163, 24, 17, *[3] * 21), (5,) * 20, (1,) * 9])
@pytest.mark.parametrize("commonest", [0.0, 0.2, 0.5, 1.0])
def test_no_answer_has_more_than_its_share_and_no_more_is_left_out_than_must_be(
    counts: tuple[int, ...], commonest: float
) -> None:
    facts = pl.DataFrame([{"value": str(v)} for v, n in enumerate(counts) for _ in range(n)]).with_row_index("key")
    kept = thinned(facts.with_columns(domain=pl.lit("d"), property=pl.lit("p"), stratum=pl.lit("top")), commonest)
    share = max(commonest, min(1.5 / len(counts), 0.75))

    def allowed(most: int) -> bool:
        return most <= 2 or most <= share * sum(min(n, most) for n in counts)

    most = max(m for m in range(1, max(counts) + 1) if allowed(m))
    assert Counter(kept["value"].to_list()) == {str(v): min(n, most) for v, n in enumerate(counts)}
    assert kept["key"].is_sorted()


def test_the_quarters_of_the_domains_lose_alike() -> None:
    facts = with_popularity(_facts(8000, 20, 5).with_columns(value=pl.lit("v")))
    kept = thinned(facts.filter(pl.col("stratum").is_not_null()).with_columns(property=pl.lit("p")), 0.75)
    assert kept.height == 2
    many = thinned(facts.filter(pl.col("stratum").is_not_null()).with_columns(value=pl.col("n") % 4), 0.0)
    per_quarter = Counter(many.select("domain", "stratum").rows()).values()
    assert max(per_quarter) - min(per_quarter) <= 1


def test_where_all_are_equally_popular_there_are_no_quarters() -> None:
    facts = with_popularity(_facts(100, 2, 2).with_columns(popularity=pl.lit(3.0)))
    assert not facts["quartered"].any()
    assert draw(facts, 50).height == 50


def test_who_is_in_no_file_of_popularity_is_in_no_quarter() -> None:
    views = pl.when(pl.col("n") % 10 < 2).then(pl.col("n").cast(pl.Float64))
    ranked = with_popularity(_facts(1000, 1, 2).with_columns(popularity=views))
    levels = dict(ranked.group_by("stratum").agg("popularity").iter_rows())
    assert [len(levels[name]) for name in ("top", "bottom", None)] == [50, 50, 900]
    assert min(levels["top"]) > max(levels["bottom"])


def test_one_who_says_month_day_year_has_exact_match_and_a_bare_number_is_not_contained() -> None:
    items = _items(_without_quarters(graph_of((FOLDER / "story.ttl").read_text("utf-8"))))
    born = next(item for item in items if item["family"] == "P569" and item["precision"] == "day")
    tall = next(item for item in items if item["family"] == "P2048")
    rows = [("December 10, 1815", born["answer"]), ("165", tall["answer"]), ("It is 165 m tall.", tall["answer"])]
    scored = text_scores(pl.DataFrame(rows, schema=["text", "accepted"], orient="row"))
    assert scored["EM"].to_list() == [True, False, False]
    assert scored["contains"].to_list() == [True, False, True]


def _without_quarters(graph: LocalGraph, **options: Any) -> pl.DataFrame:
    given = graph.select("SELECT DISTINCT ?id { ?id a ?c }").with_columns(popularity=pl.lit(1.0))
    return generate(graph, Options(n=100, popularity=given, **options)).items


def test_pagerank_tells_the_well_known_by_what_links_to_them() -> None:
    result = generate(open_graph(), Options(n=40, popularity="pagerank"))
    rank = dict(pagerank_of(GraphColumns.of(open_graph(), seed=0)).iter_rows())
    levels: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for item in result.items.iter_rows(named=True):
        assert item["source"]["popularity"] == "pagerank"
        levels[item["strata"]["domain"]][item["strata"]["popularity"]].append(rank[item["source"]["subject"]])
    both = [level for level in levels.values() if level["top"] and level["bottom"]]
    assert both
    assert all(min(level["top"]) > max(level["bottom"]) for level in both)


def test_with_articles_only_what_they_say_is_asked() -> None:
    graph = graph_of((FOLDER / "story.ttl").read_text("utf-8"))
    texts = {"id": ["Q7259", "Bo Berg"], "text": ["Ada was born in London on 10 December 1815.", "Bo was born in July 1903."]}
    items = _items(_without_quarters(graph, articles=pl.DataFrame(texts)))
    asked = {(item["given"][0]["value"], item["family"]) for item in items}
    assert asked == {("Ada Lovelace", "P19"), ("Ada Lovelace", "P569"), ("Bo Berg", "P569")}
    assert {item["source"]["validity"] for item in items} == {"article"}


def test_all_134_properties_of_the_paper_have_three_wordings_that_say_what_is_wanted() -> None:
    wordings = load_wordings().properties
    types = Counter(wording.type for wording in wordings.values())
    assert types["date"] == 22
    assert types["number"] >= 22
    assert types["entity"] >= 90
    for wording in wordings.values():
        for each in (wording, *wording.of):
            for precision in ("day", "month", "year") if each.type == "date" else (None,):
                questions = each.questions(precision)
                assert len(set(questions)) >= 3
                assert all(question.endswith(("?", ".")) for question in questions)
                assert not each.unit or all("{unit}" in question for question in questions)
                assert precision is None or all(precision in question or "date" in question for question in questions)


@pytest.mark.parametrize(
    ("option", "text", "says"),
    [
        ("--popularity", "id,views\nQ1,many\n", "'many' is no number"),
        ("--popularity", "id,size\nQ1,3\n", "column 'popularity' is missing"),
        ("--popularity", "id,views\n", "says of nothing how popular it is"),
        ("--popularity", "id,views\nQ0,3\n", "names nothing in the graph"),
        ("--articles", '{"id": "Q1"}\n', "column 'text' is missing"),
        ("--domains", "[film\n", "is not TOML"),
        ("--domains", "[film]\noccupations = ['actor']\n", "no domain has concepts"),
        ("--domains", "film = 5\n", "'film' is no table of lists of texts"),
        ("--domains", "[film]\nconcepts = [1895]\n", "'film' is no table of lists of texts"),
        ("--wordings", "[P1]\ntype = 'date'\ndid = 'was {t} born'\n", "does not name the subject"),
        ("--wordings", "[P1]\ntype = 'entity'\nask = ['Who made {s}?']\n", "P1: 1 wordings"),
        ("--wordings", "[P1]\ntype = 'person'\nask = []\n", "type 'person' is none of entity, date, number"),
        ("--wordings", "[P1]\ntype = 'entity'\naks = []\n", "no key 'aks' is known"),
    ],
)
def test_bad_files_are_refused_in_one_line(tmp_path: Path, option: str, text: str, says: str) -> None:
    endings = {"--popularity": "csv", "--articles": "jsonl", "--domains": "toml", "--wordings": "toml"}
    file = tmp_path / f"given.{endings[option]}"
    file.write_text(text, "utf-8")
    result = CliRunner().invoke(app, ["--n", "5", option, str(file), "--out", str(tmp_path / "out.jsonl"), "--quiet"])
    assert isinstance(result.exception, InputError)
    assert says in str(result.exception)
    assert not (tmp_path / "out.jsonl").exists()


def test_articles_in_another_encoding_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "articles.jsonl"
    file.write_bytes('{"id": "Q1", "text": "Zürich"}\n'.encode("latin-1"))
    result = CliRunner().invoke(app, ["--n", "5", "--articles", str(file), "--out", str(tmp_path / "out.jsonl")])
    assert isinstance(result.exception, InputError)
    assert "articles.jsonl:1" in str(result.exception)


def test_a_graph_of_unworded_properties_says_so() -> None:
    turtle = """
        @prefix e: <http://example.org/> . @prefix kgp: <https://w3id.org/kgprobe#> .
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        e:likes a kgp:Relation ; rdfs:label "likes"@en . e:a e:likes e:b ; rdfs:label "A"@en . e:b rdfs:label "B"@en .
    """
    with pytest.raises(InputError, match="no property of this graph has a wording"):
        generate(graph_of(turtle), Options(n=5))


def test_a_users_own_property_is_asked_about(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    asks = '["Whom does {s} like?", "Which person does {s} like?", "Who is liked by {s}?"]'
    file.write_text(f'[liking]\nlabel = "likes"\ntype = "entity"\nask = {asks}\n')
    turtle = """
        @prefix e: <http://example.org/> . @prefix kgp: <https://w3id.org/kgprobe#> .
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        e:person rdfs:label "person"@en . e:likes a kgp:Relation ; rdfs:label "likes"@en .
        e:a a e:person ; e:likes e:b ; rdfs:label "Anna"@en . e:b a e:person ; rdfs:label "Bo"@en .
    """
    items = _items(generate(graph_of(turtle), Options(n=5, wordings=str(file))).items)
    assert [(item["family"], item["answer"]) for item in items] == [("liking", ["Bo"])]


@pytest.mark.slow
def test_the_real_graph_gives_the_papers_shape() -> None:
    folder = shared("data/wikidata-core")
    from kg.sources.wikidata import WikidataFiles, load_wikidata

    kinds = ("triples", "entities", "types", "properties", "qualifiers")
    files = WikidataFiles(
        **{kind: folder / f"{kind}.tsv" for kind in kinds},
        incomplete=folder / "hidden_objects.tsv",
        attributes=folder.parent / "wikidata-attributes" / "attributes.tsv",
    )
    result = generate(LocalGraph.in_memory(load_wikidata(files)), Options(n=2000, train=500))
    strata = pl.concat([result.items, result.train])["strata"].struct.unnest()
    assert (result.items.height, result.train.height) == (1500, 500)
    assert strata["domain"].n_unique() == 20
    assert strata["property"].n_unique() >= 27
    assert strata["answer_type"].n_unique() == 3
    halves = Counter(strata["popularity"])
    assert abs(halves["top"] - halves["bottom"]) < 60
