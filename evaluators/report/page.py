"""The page: everything that was measured, laid out as one file that needs no other but the items' scripts.

Templates escape whatever they are given; the one script and the one style sheet are named by their hashes in the page's content
security policy, so that nothing else can run or load.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from typing import Any, NamedTuple
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from evaluators.metrics import Table
from evaluators.report.comparison import Comparison, Side
from evaluators.report.figures import PAPERS, Figure, figures, figures_of_overview, parts_figure
from evaluators.report.first import first
from evaluators.report.text import NONE, clipped, count, interval, number, signed, visible
from evaluators.report.views import View, anchor, view


class Content(NamedTuple):
    """What the page is made of.

    `positions` says where an item of a run stands (set, number), `questions` where those of clusters do, and what they ask;
    `live` lets compiled code run, which proofs in the page need.
    """

    document: Mapping[str, Any]
    tables: Sequence[Table]
    comparison: Comparison | None
    positions: Mapping[tuple[str | None, str], tuple[int, int]]
    notices: Sequence[str]
    questions: Mapping[str, tuple[int, str]]
    live: bool = False


class Paper(NamedTuple):
    """A section of tables with one source."""

    anchor: str
    short: str
    title: str
    lead: str
    figures: list[Figure]
    tables: list[View]


_ON_FIRST = ("overview.models", "overview.strata", "overview.guessers", "overview.failures", "overview.habits")
"""The tables that the first page shows in a form of its own."""


def page(content: Content) -> bytes:
    """Return the page."""
    overview = [table for table in content.tables if table.key.startswith("overview.")]
    views, papers = [view(table) for table in overview if table.key not in _ON_FIRST], list(_papers(content.tables))
    comparisons = [_comparison(content, content.comparison)] if content.comparison else []
    sections = [Paper("overview", "", "Overview", "", [], [view(table) for table in overview])]
    if comparisons:
        sections.append(Paper("comparison", "", "Model against model", "", [], [one["table"] for one in comparisons]))
    # Ours, and named by their hashes: they alone go into the page as they are.
    style, script = Markup(_read("page.css")), Markup(_read("page.js"))
    text = _environment().get_template("page.html").render(
        first=first(content.tables, content.questions),
        headline=_headline(content), lead=_lead(content), facts=_head_numbers(content), notices=content.notices,
        overview_figures=list(figures_of_overview(overview)), overview_tables=views, papers=papers,
        all_papers=[*sections, *papers], comparisons=comparisons, document=content.document,
        version=content.document["versions"]["kgprobe"], dash=NONE,
        live=content.live, style=style, script=script, style_hash=_hash(style), script_hash=_hash(script),
    )  # fmt: skip
    return text.encode()


def _environment() -> Environment:
    loader = PackageLoader("evaluators.report", "assets")
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.finalize = _visible
    environment.filters["count"] = count
    return environment


def _visible(value: object) -> object:
    """Return what is put into the page: in texts, characters that cannot be seen are written by their numbers."""
    return value if isinstance(value, Markup) else visible(value) if isinstance(value, str) else value


def _read(name: str) -> str:
    return (resources.files("evaluators.report") / "assets" / name).read_text("utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _headline(content: Content) -> str:
    models = sorted({model for inputs in content.document["inputs"] for model in inputs["models"]})
    items = sum(inputs["items"]["count"] for inputs in content.document["inputs"])
    asked = f"{count(items)} {'item' if items == 1 else 'items'}"
    if not models:
        return asked
    who = clipped(models[0], 60) if len(models) == 1 else f"{len(models)} models"
    return f"{who} on {asked}"


def _lead(content: Content) -> str:
    if not any(inputs["models"] for inputs in content.document["inputs"]):
        return "No model was asked yet: this is what would be asked, with its truth and its proofs."
    published = " Outcomes are counted as each paper counts them." if content.document["as_published"] else ""
    return f"Every number stands with its 95% interval and the number of answers behind it.{published}"


class HeadNumber(NamedTuple):
    """A number at the head of the page."""

    name: str
    value: str


def _head_numbers(content: Content) -> list[HeadNumber]:
    inputs = content.document["inputs"]
    models = {model for one in inputs for model in one["models"]}
    numbers = [
        ("items", sum(one["items"]["count"] for one in inputs)),
        ("models", len(models)),
        ("answers", sum(one["responses"]["count"] for one in inputs if one["responses"])),
        ("verdicts", sum(one["verdicts"]["count"] for one in inputs if one["verdicts"])),
    ]
    return [HeadNumber(name, count(value)) for name, value in [*numbers, *([("runs", len(inputs))] if len(inputs) > 1 else [])]]


def _papers(tables: Sequence[Table]) -> Iterable[Paper]:
    keys = list(dict.fromkeys(table.key.split(".")[0] for table in tables))
    known = [key for key in PAPERS if key in keys]
    for key in [*known, *(key for key in keys if key not in PAPERS and key not in ("overview", "comparison"))]:
        words = PAPERS.get(key, {"short": key, "title": key, "lead": ""})
        of_paper = [view(table) for table in tables if table.key.split(".")[0] == key]
        yield Paper(anchor("paper", key), **words, figures=figures(tables, key), tables=of_paper)


def _comparison(content: Content, comparison: Comparison) -> dict[str, Any]:
    whole = comparison.whole
    return {
        "a": clipped(comparison.a.name, 60), "b": clipped(comparison.b.name, 60), "in_words": _in_words(comparison),
        "both": whole.both, "neither": whole.neither, "only_a": whole.result.only_a, "only_b": whole.result.only_b,
        "table": view(comparison.table), "figure": parts_figure(comparison.table),
        "onlys": [_only(content, comparison, first=first) for first in (True, False)],
    }  # fmt: skip


def _in_words(comparison: Comparison) -> str:
    """Say the result in words."""
    result = comparison.whole.result
    a, b = clipped(comparison.a.name, 60), clipped(comparison.b.name, 60)
    ends = interval(result.low, result.high)
    by = f"{signed(result.difference)}{f' (95% interval {ends})' if ends else ''}"
    sure = "no clear difference" if result.p >= 0.05 else f"{a if result.difference > 0 else b} is better"
    chance = f"p {'< 0.001' if result.p < 0.001 else '= ' + number(result.p)}, {result.test}"
    only_a, only_b = comparison.alone
    left = (
        f" Left out: {count(only_a)} items that only {a} was scored on, {count(only_b)} that only {b} was."
        if only_a or only_b
        else ""
    )
    return f"On {count(result.n)} items {a} minus {b} is {by}: {sure} ({chance}).{left}"


def _only(content: Content, comparison: Comparison, *, first: bool) -> tuple[str, int, list[dict[str, str]], str]:
    """Return a model, how many items it alone got right, the first of them, and the address of them all."""
    result = comparison.whole.result
    if first:
        side, other, rows, total = comparison.a, comparison.b, comparison.only_a, result.only_a
    else:
        side, other, rows, total = comparison.b, comparison.a, comparison.only_b, result.only_b
    items = [_link(content, side, row) for row in rows.iter_rows(named=True)]
    run = next((place[0] for (label, _), place in content.positions.items() if label == side.run), 0)
    # The page's filter: this model correct (state 0), the other scored and not (`x`); of another run it is named by both.
    address = f"#items={run}&{quote(f'm:{side.model}', safe='')}=0"
    beside = other.model if side.run == other.run else other.name
    address += f"&{quote(f'm:{beside}', safe='')}=x"
    return clipped(side.name, 60), total, items, address


def _link(content: Content, side: Side, row: Mapping[str, Any]) -> dict[str, str]:
    run, position = content.positions[side.run, row["item"]]
    about = f"{visible(row['task'])} · {visible(row['variant'])}"
    return {"link": f"#item={run}.{position}", "question": clipped(row["question"], 160), "about": about}
