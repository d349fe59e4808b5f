"""The parts of a report that have rules of their own: proofs with gaps, drawings, names, and the texts of scripts."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import msgspec
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.metrics import Measure, Table
from evaluators.report.figures import DRAWINGS, PAPERS
from evaluators.report.items import REASONS, script
from evaluators.report.proofs import filled, proofs_of
from evaluators.report.svg import Pair, Point, Series, Share, dots, lines, scatter, stacks
from evaluators.report.text import number, visible
from evaluators.report.views import view
from fpq_made import fpq_item
from queries.records.item import Item
from queries.records.verdict import REASONS as ALL_REASONS
from queries.templates import names, proof_query, versioned

XSD = "http://www.w3.org/2001/XMLSchema#"


def item(*proofs: dict[str, Any]) -> Item:
    return msgspec.convert(fpq_item(0, "tpq") | {"proof": list(proofs)}, Item)


def proof(query: str, *, expect: bool | None = True, **terms: str) -> dict[str, Any]:
    bind = [{"name": name, "term": term} for name, term in terms.items()]
    return {"query": query, "bind": bind, "expect": expect, "rows": None}


TERMS = [
    ["<urn:a>", "<urn:b>", "<http://example.org/x?y=%20#z>"],
    ['"a text"', '"with \\"quotes\\" and \\n lines"', '""'],
    ['"Ulm"@de', '"Ulm"@de'],
    [f'"7"^^<{XSD}integer>', f'"-12"^^<{XSD}integer>'],
    [f'"1.50"^^<{XSD}decimal>', f'"2"^^<{XSD}decimal>'],
    [f'"1977-05-25"^^<{XSD}date>', f'"2001-01-01"^^<{XSD}date>'],
]


@pytest.mark.parametrize("terms", TERMS, ids=lambda terms: terms[0])
@pytest.mark.parametrize("expect", [True, None])
def test_a_proof_with_gaps_says_what_rendering_says(terms: list[str], expect: bool | None) -> None:
    query = "SELECT ?s { ?s <urn:p> ?o . ?s <urn:q> ?o }"
    same_as_rendered([proof(query, expect=expect, o=term) for term in terms])


@pytest.mark.parametrize("name", ["fact", "path", "same_concept", "object_of_relation", "not_neighbour", "khop"])
def test_the_shipped_queries_have_their_gaps_where_the_terms_go(name: str) -> None:
    from queries.templates import find

    assert name in names()
    radius = f'"5"^^<{XSD}integer>'
    needed = {key for key, parameter in find(name).parameters.items() if not parameter.optional}
    made = [{key: radius if key == "radius" else f"<urn:{key}:{n}>" for key in sorted(needed)} for n in range(3)]
    same_as_rendered([proof(versioned(name), expect=None if find(name).form == "select" else True, **terms) for terms in made])


def same_as_rendered(proofs: list[dict[str, Any]]) -> None:
    shown, kinds = proofs_of([item(one) for one in proofs])
    assert len(kinds) == 1
    for (((query, terms), *_),), one in zip(shown, proofs, strict=True):
        assert filled(kinds[query], terms) == proof_query(one)


def test_a_term_that_is_none_is_told_instead_of_shown() -> None:
    query = "SELECT ?s { ?s <urn:p> ?o }"
    shown, kinds = proofs_of([item(proof(query, o="<urn:a> } DROP ALL #"))] * 2)
    assert kinds == {}
    assert all(of_item[0][0].startswith("# cannot be shown: ") for of_item in shown)


def test_queries_of_another_version_are_told() -> None:
    shown, _ = proofs_of([item(proof("fact@00000000", s="<urn:s>"))])
    assert "fact@00000000: 'fact' is here in version" in shown[0][0][0]


@given(st.recursive(st.text() | st.none() | st.booleans(), lambda inner: st.lists(inner, max_size=3), max_leaves=8))
def test_a_script_holds_any_data_and_cannot_be_ended(data: object) -> None:
    text = script("name", data).decode()
    assert not re.search("[<>&\u2028\u2029]", text)
    assert text.count("\n") == 1
    assert json.loads(f"[{text.removeprefix('kgprobe(').removesuffix(');' + chr(10))}]") == ["name", data]


HOSTILE = "</title><script>alert(1)</script>\u202e\"' onload='x"


def drawn() -> list[str]:
    series = [
        Series(HOSTILE, [Point(HOSTILE, 0.5, 0.4, 0.6, 9, f"#{HOSTILE}"), Point("none", None)]),
        Series("b", [Point("none", 1.0)]),
    ]
    pair = Pair(HOSTILE, Point("", 0.2, 0.1, 0.3), Point("", 0.9))
    return [
        str(dots(HOSTILE, HOSTILE, series)),
        str(lines(HOSTILE, HOSTILE, series)),
        str(scatter(HOSTILE, HOSTILE, [(HOSTILE, [pair])], x_title=HOSTILE, y_title="y")),
        str(stacks(HOSTILE, HOSTILE, [(HOSTILE, [Share("correct", HOSTILE, 3, f"#{HOSTILE}"), Share("incorrect", "i", 0)])])),
    ]


@pytest.mark.parametrize("number", range(4), ids=["dots", "lines", "scatter", "stacks"])
def test_drawings_are_sound_and_hold_hostile_names(number: int) -> None:
    root = ET.fromstring(drawn()[number])
    assert {element.tag for element in root.iter()} <= {
        "a",
        "svg",
        "title",
        "desc",
        "text",
        "line",
        "polyline",
        "polygon",
        "circle",
        "rect",
    }
    assert root[0].text == visible(HOSTILE)
    assert not [name for element in root.iter() for name in element.attrib if name.startswith("on")]


def test_a_dot_stands_where_its_number_is() -> None:
    series = [Series("m", [Point("a", 0.0), Point("b", 0.5), Point("c", 1.0)])]
    xs = [float(x) for x in re.findall(r'<circle cx="([\d.]+)"', str(dots("T", "D", series)))]
    assert xs[1] - xs[0] == pytest.approx(xs[2] - xs[1], abs=0.2)
    assert xs[2] == pytest.approx(406, abs=0.2)


def test_without_a_number_nothing_is_drawn_and_that_is_said() -> None:
    series = [Series("m", [Point("a", None)])]
    for draw in (dots, lines):
        assert "There is no number to draw." in draw("T", "D", series)


@pytest.mark.slow
def test_the_benchmark_of_sizes_runs() -> None:
    """Nothing is timed here: that it measures what it says, on a few items."""
    script = Path(__file__).parents[1] / "benchmarks" / "report_size.py"
    command = [sys.executable, str(script), "--items", "300", "--models", "2"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert told[0] == "300 items, 2 models"
    assert [line[:18].strip() for line in told[1:]][:4] == ["seconds", "processor seconds", "memory", "page"]


def test_every_reason_has_its_words() -> None:
    assert set(REASONS) == set(ALL_REASONS)


def test_every_drawing_belongs_to_a_paper() -> None:
    assert {drawing.key.split(".")[0] for drawing in DRAWINGS} == set(PAPERS)


def test_a_table_is_laid_out_as_papers_do() -> None:
    """What never changes stands above; the last dimension of a single number becomes columns; a repeated name is marked."""
    rows = [
        ("m", "all", edit, hops, n / 10) for n, (edit, hops) in enumerate((e, h) for e in ("NSC", "NDC") for h in ("1", "2"))
    ]
    columns = ["model", "population", "edit", "hops", "x"]
    frame = pl.DataFrame(rows, schema=columns, orient="row").with_columns(x_n=pl.lit(9), x_low=pl.lit(0.1), x_high=pl.lit(0.2))
    shown = view(Table.of("t.x", ("T", "source", "note"), [Measure("x", "x", "rate")], frame))
    assert shown.fixed == [("model", "m"), ("population", "all")]
    assert (shown.heads, [column.name for column in shown.columns]) == (["edit"], ["hops 1", "hops 2"])
    assert [[cell.value for cell in line.cells] for line in shown.rows] == [["0.000", "0.100"], ["0.200", "0.300"]]
    assert shown.rows[0].cells[1].under == "0.100–0.200 · 9"


def test_a_long_table_is_cut_and_says_so() -> None:
    frame = pl.DataFrame({"model": [f"m{n}" for n in range(400)], "n": list(range(400))})
    shown = view(Table.of("t.x", ("T", "source", "note"), [Measure("n", "n", "count")], frame))
    assert len(shown.rows) + shown.left_out == 400
    assert shown.left_out > 0


@given(st.floats(0.01, 1))
def test_two_digits_of_a_share_agree_with_three(share: float) -> None:
    """Both are rounded from the share itself, not one from the other: half a digit apart at most."""
    two, three = float(number(share, 2)), float(number(share))
    assert abs(two - share) <= 0.005 + 1e-9
    assert abs(three - share) <= 0.0005 + 1e-9
    assert abs(two - three) <= 0.005 + 1e-9
