"""The page: everything that was measured, laid out as one file that needs no other but the items' scripts.

```
python -m evaluators.report --items items.jsonl --responses responses.jsonl --verdicts verdicts.jsonl --out report/
```

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

from evaluators.metrics import ALL, Table
from evaluators.report.compare import Comparison
from evaluators.report.figures import PAPERS, Figure, figures, numbers_of
from evaluators.report.svg import SHAPES, Point, Series, dots, stacks, swatch, tag
from evaluators.report.text import NONE, clipped, count, interval, number, signed, visible
from evaluators.report.views import View, anchor, dimension, view

__all__ = ["Content", "page"]

_STACKED = ("correct", "incorrect", "abstained", "unscored", "unjudged", "unasked")
_TITLES = {"unjudged": "no verdict", "unasked": "not asked"}
_KINDS = {"unjudged": "missing", "unasked": "missing"}
_BARS = 16  # models whose outcomes are drawn


class Content(NamedTuple):
    """What the page is made of; `positions` says where an item of a run stands (set, number)."""

    document: Mapping[str, Any]
    tables: Sequence[Table]
    comparison: Comparison | None
    positions: Mapping[tuple[str | None, str], tuple[int, int]]
    notices: Sequence[str]


class Paper(NamedTuple):
    """A section of tables with one source."""

    anchor: str
    short: str
    title: str
    lead: str
    figures: list[Figure]
    tables: list[View]


def page(content: Content) -> bytes:
    """Write the page."""
    overview = [table for table in content.tables if table.key.startswith("overview.")]
    papers = list(_papers(content.tables))
    views = [view(table) for table in overview]
    more = [Paper("overview", "", "Overview", "", [], views)]
    comparisons = [_comparison(content)] if content.comparison else []
    more += (
        [Paper("comparison", "", "Model against model", "", [], [one["table"] for one in comparisons])] if comparisons else []
    )
    style, script = Markup(_read("page.css")), Markup(_read("page.js"))
    text = _environment().get_template("page.html").render(
        headline=_headline(content), lead=_lead(content), facts=_facts(content), notices=content.notices,
        overview_figures=list(_overview_figures(overview)), overview_tables=views, papers=papers, all_papers=[*more, *papers],
        comparisons=comparisons, document=content.document, version=content.document["versions"]["kgprobe"], dash=NONE,
        style=style, script=script, style_hash=_hash(style), script_hash=_hash(script),
    )  # fmt: skip
    return text.encode()


def _environment() -> Environment:
    loader = PackageLoader("evaluators.report", "page")
    made = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made.finalize = _finalized
    made.filters["count"] = count
    return made


def _finalized(value: object) -> object:
    """Whatever is put into the page as text has no characters that cannot be seen."""
    return value if isinstance(value, Markup) else visible(value) if isinstance(value, str) else value


def _read(name: str) -> str:
    return (resources.files("evaluators.report") / "page" / name).read_text("utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _headline(content: Content) -> str:
    models = sorted({model for inputs in content.document["inputs"] for model in inputs["models"]})
    items = sum(inputs["items"]["count"] for inputs in content.document["inputs"])
    who = clipped(models[0], 60) if len(models) == 1 else f"{len(models)} models"
    return f"{who} on {count(items)} {'item' if items == 1 else 'items'}"


def _lead(content: Content) -> str:
    told = "Every number stands with its 95% interval and the number of answers behind it."
    published = " Outcomes are counted as each paper counts them." if content.document["as_published"] else ""
    return told + published


class Fact(NamedTuple):
    """A number at the head of the page."""

    name: str
    value: str


def _facts(content: Content) -> list[Fact]:
    inputs = content.document["inputs"]
    models = {model for one in inputs for model in one["models"]}
    numbers = [
        ("items", sum(one["items"]["count"] for one in inputs)),
        ("models", len(models)),
        ("answers", sum(one["responses"]["count"] for one in inputs)),
        ("verdicts", sum(one["verdicts"]["count"] for one in inputs)),
    ]
    return [Fact(name, count(value)) for name, value in [*numbers, *([("runs", len(inputs))] if len(inputs) > 1 else [])]]


def _papers(tables: Sequence[Table]) -> Iterable[Paper]:
    keys = list(dict.fromkeys(table.key.split(".")[0] for table in tables))
    known = [key for key in PAPERS if key in keys]
    for key in [*known, *(key for key in keys if key not in PAPERS and key not in ("overview", "comparison"))]:
        said = PAPERS.get(key, {"short": key, "title": key, "lead": ""})
        mine = [table for table in tables if table.key.split(".")[0] == key]
        yield Paper(anchor("paper", key), **said, figures=figures(tables, key), tables=[view(table) for table in mine])


def _overview_figures(overview: Sequence[Table]) -> Iterable[Figure]:
    by_key = {table.key: table for table in overview}
    if "overview.outcomes" not in by_key:
        return
    totals = list(by_key["overview.outcomes"].frame.iter_rows(named=True))
    yield _outcomes(totals)
    if "overview.pairs" in by_key and by_key["overview.pairs"].frame.height > 1:
        yield _differences(list(by_key["overview.pairs"].frame.iter_rows(named=True)))
    yield _accuracies(totals, list(by_key["overview.tasks"].frame.iter_rows(named=True)) if "overview.tasks" in by_key else [])


def _name(row: Mapping[str, Any]) -> str:
    return " · ".join(dimension(row[part]) for part in ("model", "run") if row.get(part) is not None)


def _outcomes(rows: Sequence[Mapping[str, Any]]) -> Figure:
    rows = rows[:_BARS]
    there = [state for state in _STACKED if any(row[state] for row in rows)]
    bars = [(_name(row), [(_KINDS.get(s, s), _TITLES.get(s, s), row[s]) for s in there]) for row in rows]
    legend = [(_square(_KINDS.get(s, s)), _TITLES.get(s, s)) for s in there]
    note = "All answers of each model. What is unscored is no part of the accuracy."
    cells = [[_name(row), *(count(row[state]) for state in there)] for row in rows]
    svg = stacks("What the answers came to", note, bars)
    return Figure(
        "figure-outcomes", "What the answers came to", note, svg, legend, ["", *(_TITLES.get(s, s) for s in there)], cells
    )


def _square(kind: str) -> Markup:
    box = tag("rect", x=1, y=1, width=12, height=12, rx=2, class_=f"swatch-{kind}")
    return tag("svg", box, viewBox="0 0 14 14", width=14, height=14, aria_hidden="true", class_="swatch")


def _accuracies(totals: Sequence[Mapping[str, Any]], tasks: Sequence[Mapping[str, Any]]) -> Figure:
    names = [_name(row) for row in totals][:SHAPES]
    several = len({_task(row, tasks) for row in tasks}) > 1
    rows = [(_name(row), "all", row) for row in totals] + [(_name(row), _task(row, tasks), row) for row in tasks if several]
    series = [Series(name, [_accuracy(row, at) for who, at, row in rows if who == name]) for name in names]
    note = "Share of right answers among those scored, with its 95% interval."
    heads, cells = numbers_of(series)
    legend = [(swatch(index), clipped(name, 60)) for index, name in enumerate(names)]
    return Figure(
        "figure-accuracy", "Accuracy", note, dots("Accuracy", note, series, axis_title="accuracy"), legend, heads, cells
    )


def _task(row: Mapping[str, Any], tasks: Sequence[Mapping[str, Any]]) -> str:
    """Name a row by its task, and by its method where there are several."""
    several = len({row["method"] for row in tasks}) > 1
    return dimension(row["task"]) if not several else f"{dimension(row['method'])} {dimension(row['task'])}"


def _accuracy(row: Mapping[str, Any], at: str) -> Point:
    return Point(at, row["accuracy"], row["accuracy_low"], row["accuracy_high"], row["accuracy_n"])


def _point(row: Mapping[str, Any], at: str) -> Point:
    return Point(at, row["difference"], row["difference_low"], row["difference_high"], row["difference_n"])


def _differences(rows: Sequence[Mapping[str, Any]]) -> Figure:
    rows = rows[:_BARS]
    series = [
        Series("difference", [_point(row, f"{clipped(row['first'], 28)} − {clipped(row['second'], 28)}") for row in rows])
    ]
    note = "Accuracy of the first minus accuracy of the second, on the same items. An interval that leaves out 0 is no chance."
    svg = dots("Model against model", note, series, axis_title="difference")
    heads, cells = numbers_of(series)
    return Figure("figure-pairs", "Model against model", note, svg, [], heads, cells)


def _comparison(content: Content) -> dict[str, Any]:
    found = content.comparison
    assert found is not None
    whole = found.whole.result
    return {
        "a": clipped(found.a.name, 60), "b": clipped(found.b.name, 60), "told": _told(found), "both": found.whole.both,
        "neither": found.whole.neither, "only_a": whole.only_a, "only_b": whole.only_b, "table": view(found.table),
        "figure": _by_part(found.table), "onlys": [_only(content, found, side) for side in (0, 1)],
    }  # fmt: skip


def _told(found: Comparison) -> str:
    """Say the result in words."""
    result = found.whole.result
    a, b = clipped(found.a.name, 60), clipped(found.b.name, 60)
    ends = interval(result.low, result.high, 3)
    by = f"{signed(result.difference)}{f' (95% interval {ends})' if ends else ''}"
    sure = "no clear difference" if result.p >= 0.05 else f"{a if result.difference > 0 else b} is better"
    chance = f"p {'< 0.001' if result.p < 0.001 else '= ' + number(result.p)}, {result.test}"
    left = (
        f" Left out: {count(found.alone[0])} items that only {a} was scored on, {count(found.alone[1])} that only {b} was."
        if any(found.alone)
        else ""
    )
    return f"On {count(result.n)} items {a} minus {b} is {by}: {sure} ({chance}).{left}"


def _by_part(table: Table) -> Figure | None:
    rows = [row for row in table.frame.iter_rows(named=True) if row["task"] != ALL]
    if len(rows) < 2:
        return None
    rows = rows[:24]
    named = [
        (row, dimension(row["task"]) if row["variant"] == ALL else f"{dimension(row['task'])} {dimension(row['variant'])}")
        for row in rows
    ]
    series = [Series("difference", [_point(row, name) for row, name in named])]
    note = "Right of 0 the first is better, left of it the second."
    heads, cells = numbers_of(series)
    return Figure(
        "figure-comparison",
        "Difference by task and variant",
        note,
        dots("Difference by task and variant", note, series, axis_title="difference"),
        [],
        heads,
        cells,
    )


def _only(content: Content, found: Comparison, side: int) -> tuple[str, int, list[dict[str, str]], str]:
    """Return which model, how many items only it got right, the first of them, and the address of them all."""
    mine, other = (found.a, found.b) if side == 0 else (found.b, found.a)
    picked = found.only_a if side == 0 else found.only_b
    total = found.whole.result.only_a if side == 0 else found.whole.result.only_b
    items = [_picked(content, mine.run, row) for row in picked.iter_rows(named=True)]
    number_ = next((at[0] for key, at in content.positions.items() if key[0] == mine.run), 0)
    link = f"#items={number_}&{quote(mine.model, safe='')}=0"
    return clipped(mine.name, 60), total, items, link + (f"&{quote(other.model, safe='')}=x" if mine.run == other.run else "")


def _picked(content: Content, run: str | None, row: Mapping[str, Any]) -> dict[str, str]:
    number_, position = content.positions[run, row["item"]]
    about = f"{visible(row['task'])} · {visible(row['variant'])}"
    return {"link": f"#item={number_}.{position}", "question": clipped(row["question"], 160), "about": about}
