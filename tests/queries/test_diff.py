"""Two graphs are compared: facts that came and went, and what becomes of items, told by their proofs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kg import cli
from kg.__main__ import app
from queries.templates import versioned

BASE = "https://w3id.org/kgprobe/starter/"
CAPITAL = f"<{BASE}country#ref-capital>"
CAPITALS = f"SELECT ?capital {{ {{ {{ ?country {CAPITAL} ?capital }} }} }}"


def named(country: str, city: str) -> str:
    return f"<country/id={country}> <country#ref-capital> <city/id={city}> .\n"


def item(id: str, query: str, expect: bool | None, rows: list[list[str]] | None = None, **bind: str) -> dict[str, Any]:
    terms = [{"name": name, "term": term} for name, term in bind.items()]
    return {"id": id, "question": f"{id}?", "proof": [{"query": query, "bind": terms, "expect": expect, "rows": rows}]}


@pytest.fixture
def compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    monkeypatch.chdir(tmp_path)

    def run(*args: str, **files: str) -> tuple[int, list[str], str]:
        for name, text in files.items():
            Path(f"{name}.ttl").write_text(text)
        with pytest.raises(SystemExit) as ended:
            cli.run(app, "kg", ["diff", *args])
        printed = capsys.readouterr()
        return int(ended.value.code or 0), printed.out.splitlines(), printed.err

    return run


def test_items_change_vanish_and_appear_with_the_facts_they_rest_on(compared: Any) -> None:
    """Austria has another capital, Jamaica none, and Atlantis is new."""
    austria, jamaica, norway = (f"<{BASE}country/id={name}>" for name in ("austria", "jamaica", "norway"))
    city = "{}city/id={}".format
    items = [
        item("changes", CAPITALS, None, [[city(BASE, "vienna")]], country=austria),
        item("vanishes", CAPITALS, None, [[city(BASE, "kingston")]], country=jamaica),
        item("stays", CAPITALS, None, [[city(BASE, "oslo")]], country=norway),
        item("false", versioned("fact"), True, s=jamaica, p=CAPITAL, o=f"<{city(BASE, 'kingston')}>"),
        item("never", versioned("fact"), True, s=jamaica, p=CAPITAL, o=f"<{city(BASE, 'oslo')}>"),
    ]
    Path("items.jsonl").write_text("".join(json.dumps(one) + "\n" for one in items))
    wrong, fixes = (
        named("austria", "vienna") + named("jamaica", "kingston"),
        named("austria", "oslo") + named("atlantis", "oslo"),
    )
    patch = ("--with", "fixes.ttl", "--without", "wrong.ttl")
    code, said, _ = compared(*patch, "--items", "items.jsonl", "--out", "facts.nt", wrong=wrong, fixes=fixes)
    assert code == 0
    assert said[:3] == ["2 facts gone, 2 added", "  - Austria – capital – Vienna", "  - Jamaica – capital – Kingston"]
    assert said[4:] == [
        "  + Austria – capital – Oslo",
        "1 items did not hold before either",
        "1 items change, 2 vanish",
        "  changes: changes?",
        "    expected city/id=vienna, found city/id=oslo",
        "  false: false?",
        "    expected true, found false",
        "  vanishes: vanishes?",
        "    expected city/id=kingston, found nothing",
        "3 facts of the kind that the items ask about appear",
        "  + <country/id=atlantis> – capital – Oslo",
        "  + Austria – capital – Oslo",
        "  + country <country/id=atlantis>",
    ]
    assert Path("facts.nt").read_text().splitlines()[0] == f"- <{BASE}country/id=austria> {CAPITAL} <{city(BASE, 'vienna')}> ."


def test_a_comparison_with_nothing_is_refused(compared: Any) -> None:
    assert compared() == (
        2,
        [],
        "error: NEW: there is nothing to compare with; name another store, or a patch (--with, --without)\n",
    )
    assert "no: no store here" in compared("no", "nor")[2]
