"""The page of a report in a real browser: what a reader sees, does and prints; and that no record can make it run a script."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from browser import Browser, browser
from evaluators.report import RunFiles, write_report
from fpq_made import EDITS, fpq_item, write_lines
from queries.templates import versioned

Line = dict[str, Any]
MODELS = ("good", "poor")
NASTY = [
    "<script>window.pwned = 1</script>",
    "</script><script>window.pwned = 2</script>",
    "<img src=x onerror='window.pwned = 3'>",
    '"><svg onload="window.pwned = 4">',
    "</title></style></svg><script>window.pwned = 5</script>",
    "');window.pwned = 6;('",
    "\u2028window.pwned = 7\u2029//",
    "${window.pwned = 8}{{ 7 * 7 }}{% raw %}",
    "javascript:window.pwned = 9",
    "\u202etxt.exe\u2066\u0007\x1b[31m",
    "__proto__",
    "<!--<script>",
    "]]><a href='javascript:window.pwned = 10'>x</a>",
]


def answered(item: Line, model: str, right: bool) -> tuple[Line, Line]:
    text = f"{'Well, no' if right else 'Yes'}: that is 🦉 all I know of it."
    spans = [[at, at + len(part)] for part in ("no" if right else "Yes", "🦉 all") for at in [text.index(part)]]
    key = {"item": item["id"], "model": model, "sample": 0}
    return {"schema": "kgprobe.response/1", **key, "text": text}, {
        "schema": "kgprobe.verdict/1", **key, "outcome": "correct" if right else "incorrect",
        "reason": "exact" if right else "wrong",
        "answer": "no" if right else "yes", "rationale": [], "contradicted": [], "spans": spans,
        "judge": None,
    }  # fmt: skip


def proved(item: Line) -> Line:
    terms = {"s": "<http://example.org/s>", "p": "<http://example.org/p>", "o": f"<{item['premise']['object']['iri']}>"}
    bind = [{"name": name, "term": term} for name, term in terms.items()]
    return item | {"proof": [{"query": versioned("fact"), "bind": bind, "expect": item["variant"] == "tpq", "rows": None}]}


def written(folder: Path, lines: list[tuple[Line, Line]], items: list[Line], **more: Any) -> Path:
    """Write the records and their report; returns its page."""
    write_lines(folder / "items.jsonl", items)
    write_lines(folder / "responses.jsonl", [response for response, _ in lines])
    write_lines(folder / "verdicts.jsonl", [verdict for _, verdict in lines])
    files = RunFiles(None, *(str(folder / f"{name}.jsonl") for name in ("items", "responses", "verdicts")))
    write_report([files], folder / "report", **more)
    return folder / "report" / "index.html"


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("browser")) as started:
        yield started


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report on 140 questions: the good model is wrong on every tenth, the poor one on every second."""
    items = [
        proved(fpq_item(fact, variant, task))
        for fact in range(10)
        for variant in ("tpq", *EDITS)
        for task in ("yes_no", "premise")
    ]
    lines = [answered(item, model, n % (10, 2)[m] > 0) for n, item in enumerate(items) for m, model in enumerate(MODELS)]
    return written(tmp_path_factory.mktemp("report"), lines, items)


def test_the_first_view_has_the_numbers_and_needs_nothing_else(window: Browser, page: Path) -> None:
    window.requests()
    window.open(page)
    assert window.texts("h1") == ["2 models on 140 items"]
    cells = window.texts("#overview-outcomes tbody tr:first-child > *")
    assert cells[0] == "good"
    assert cells[1].startswith("0.900")
    asked = {url for url in window.requests() if url.startswith(("file:", "http"))}  # others are the browser's own
    assert asked == {page.resolve().as_uri()}
    assert window.complaints() == []
    assert page.stat().st_size < 2_000_000


def test_every_drawing_is_told_in_words_and_numbers(window: Browser, page: Path) -> None:
    window.open(page)
    drawings = window.script(
        "return [...document.querySelectorAll('svg.plot')]"
        ".map(s => [s.querySelector('title').textContent, s.querySelector('desc').textContent])"
    )
    assert len(drawings) >= 5
    assert all(title and told for title, told in drawings)
    assert window.script("return document.querySelectorAll('figure .numbers table').length") == len(drawings)


def test_an_item_shows_question_truth_answers_and_proof(window: Browser, page: Path) -> None:
    window.open(page, "#item=0.2")
    window.wait(lambda: window.texts("#item .question"))
    assert window.texts("#item .question") == ["Is object NSC right for subject 0?"]
    assert window.texts("#item .answer mark") == ["no", "🦉 all", "Yes", "🦉 all"]  # characters are counted, not halves of them
    assert "correct: the accepted answer, word for word. Understood as: no." in window.texts("#item .verdict")
    assert window.texts("#item pre")[0] == (
        "ASK { VALUES (?s ?o) { (<http://example.org/s> <http://example.org/0/NSC>) } ?s <http://example.org/p> ?o }"
    )
    assert "must be false" in window.texts("#item .proof")[0]


def shows(window: Browser, place: str) -> Callable[[], bool]:
    return lambda: window.script("return location.hash") == place


def test_keys_lead_through_the_items(window: Browser, page: Path) -> None:
    window.open(page, "#item=0.0")
    window.wait(lambda: window.texts("#item .question"))
    for key, number in (("j", 1), ("j", 2), ("k", 1)):
        window.press(key)
        window.wait(shows(window, f"#item=0.{number}"))
    window.press("\ue00c")  # Escape
    window.wait(lambda: window.script("return !document.getElementById('explorer').hidden"))
    window.press("/")
    assert window.script("return document.activeElement.id") == "words"


def test_items_are_found_by_words_and_by_what_they_came_to(window: Browser, page: Path) -> None:
    window.open(page, "#items")
    window.wait(lambda: window.texts("#found") == ["140 items"])
    assert len(window.texts("#list li")) == 50
    window.script(
        "const w = document.getElementById('words'); w.value = 'object nnsc SUBJECT 7'; w.dispatchEvent(new Event('input'))"
    )
    window.wait(lambda: window.texts("#found") == ["2 of 140 items"])
    assert window.texts("#list .q") == ["Is object NNSC right for subject 7?"] * 2
    window.script("const w = document.getElementById('words'); w.value = ''; w.dispatchEvent(new Event('input'))")
    choose(window, "good", "incorrect")
    window.wait(lambda: window.texts("#found") == ["14 of 140 items"])
    choose(window, "task", "premise")
    window.wait(lambda: window.texts("#list li") == ["No item fits. Take a filter away, or search for fewer words."])


def test_what_is_picked_stands_in_the_address_and_a_link_leads_back(window: Browser, page: Path) -> None:
    window.open(page, "#items=0&f%3Adomain=place&m%3Agood=1")
    window.wait(lambda: window.texts("#found") == ["7 of 140 items"])
    choose(window, "agreement", "no model is right")
    window.wait(lambda: window.script("return location.hash") == "#items=0&f%3Adomain=place&m%3Agood=1&d=none")
    window.wait(lambda: window.texts("#found") == ["7 of 140 items"])
    link = window.script("return document.querySelector('#list a').getAttribute('href')")
    assert link.startswith("#id=0/fpq.made.")
    window.open(page, link)
    window.wait(lambda: window.texts("#item .question"))
    assert window.texts("#item .id") == [link.partition("/")[2]]
    window.open(page, "#id=0/no.such.item")
    window.wait(lambda: window.texts("#found") == ["There is no item no.such.item."])


def test_items_are_picked_by_the_reason_of_a_verdict(window: Browser, page: Path) -> None:
    window.open(page, "#items=0")
    window.wait(lambda: window.texts("#found") == ["140 items"])
    told = window.script("return [...document.querySelectorAll('#facets label')].map(l => l.firstChild.textContent)")
    assert "reason" in told
    choose(window, "reason", "wrong: another answer than the accepted one")
    window.wait(
        lambda: window.texts("#found") == ["70 of 140 items"]
    )  # of any model: the poor one errs wherever the good one does
    assert window.script("return location.hash") == "#items=0&r%3A=wrong"
    window.open(page, "#items=0&r%3Agood=wrong")
    window.wait(lambda: window.texts("#found") == ["14 of 140 items"])
    window.open(page, "#items=0&r%3Agood=exact&r%3Anobody=wrong&f%3Adomain=place")
    window.wait(lambda: window.texts("#found") == ["63 of 140 items"])


def test_the_address_says_which_theme(window: Browser, page: Path) -> None:
    window.open(page, "?theme=dark#items=0&q=fpq")
    window.wait(lambda: window.texts("#found"))
    assert window.texts("#theme") == ["Theme: dark"]
    assert window.script("return document.documentElement.dataset.theme") == "dark"
    window.click("#theme")
    window.click("#theme")
    assert window.script("return location.search + location.hash") == "?theme=light#items=0&q=fpq"
    window.script("document.querySelector('#list a').click()")
    window.wait(lambda: window.texts("#item .question"))
    assert window.script("return location.search") == "?theme=light"
    window.open(page, "?theme=<script>")
    assert window.texts("#theme") == ["Theme: automatic"]
    window.script("localStorage.clear()")


def test_an_answer_says_which_version_gave_it_and_how_it_was_drawn(window: Browser, tmp_path: Path) -> None:
    items, answers = [fpq_item(n, "NSC") for n in range(2)], []
    for item in items:
        response, verdict = answered(item, "good", True)
        response |= {
            "served": "good-2026-01-31", "decoding": {"temperature": None, "__proto__": '"<b>x</b>"', "max_tokens": "50"},
            "usage": {"input": 90, "output": 12, "cached": 64, "usd": 0.002, "reasoning": 7}, "seconds": 0.5,
        }  # fmt: skip
        answers += [(response, verdict), answered(item, "poor", False)]
    page = written(tmp_path, answers, items)
    window.open(page, "#item=0.0")
    window.wait(lambda: len(window.texts("#item .answer")) == 2)
    assert window.texts("#item .answer .used") == [
        "90 tokens in (64 of them cached), 12 out (7 of them thoughts) · $0.002 · 0.5 s",
        'version good-2026-01-31 · temperature left out: not taken · __proto__ "<b>x</b>" · max_tokens 50',
    ]


def test_an_answer_shows_the_prompt_that_was_sent(window: Browser, tmp_path: Path) -> None:
    """The second prompt shares a paragraph; the third is the second; of the fourth the file has no text."""
    items, shot = [fpq_item(n, "NSC") for n in range(4)], "🦉 Is it </pre> one? No. " * 4
    before = [{"role": "system", "text": NASTY[0]}, {"role": "user", "text": f"{shot}\n\nIs it one?"}]
    pieces = [{"same": "0" * 16}, {"same": hashlib.sha256(shot.encode()).hexdigest()[:16]}, {"text": "Is it two?"}]
    added = {"messages": [before[0], {"role": "user", "pieces": pieces, "image": "cup.png"}]}
    again: Line = {"prompt": "sha256:2"}
    more: list[Line] = [{"prompt": "sha256:1", "messages": before}, again | added, again, {"prompt": "x"}]
    lines = [answered(item, "good", True) for item in items]
    page = written(tmp_path, [(r | m, v) for (r, v), m in zip(lines, more, strict=True)], items)
    lost = "⟨a text that stands with an answer of another file⟩"
    shown = {
        0: ["system", NASTY[0], "user", f"{shot}\n\nIs it one?"],
        1: ["system", NASTY[0], "user · picture: cup.png", f"{lost}\n\n{shot}\n\nIs it two?"],
        3: [],
    }
    shown[2] = shown[1]
    said = "return [...document.querySelectorAll('#item .prompt .turn > *')].map(e => e.textContent)"
    window.requests()
    for number, turns in shown.items():
        window.open(page, f"#item=0.{number}")
        window.wait(lambda: window.texts("#item .prompt"))
        window.click("#item .prompt summary")
        window.wait(lambda: window.texts("#item .prompt .hash"))
        assert window.script(said) == turns
        assert ("no text of it" in window.texts("#item .prompt")[0]) == (number == 3)
        safe(window, page)


def test_the_marks_of_a_drawing_open_their_items(window: Browser, page: Path) -> None:
    window.open(page)
    links = window.script("return [...document.querySelectorAll('svg.plot a')].map(a => a.getAttribute('href'))")
    assert "#items=0&m%3Apoor=1" in links
    assert any(link.startswith("#items=0&f%3Amethod=fpq") and link.endswith("f%3Avariant=NSC") for link in links)
    for link in sorted(set(links)):
        window.open(page, link)
        window.wait(lambda: window.texts("#found") not in ([], [""]))
        assert not window.texts("#found")[0].startswith("0 "), link
    window.open(page)
    window.script("document.querySelector('#figure-outcomes a:has(rect.incorrect)').dispatchEvent(new MouseEvent('click'))")
    window.wait(lambda: window.texts("#found") not in ([], [""]))
    assert window.script("return location.hash").startswith("#items=0&m%3A")


def test_the_answers_are_searched_too(window: Browser, page: Path) -> None:
    window.open(page, "#items=0&q=well&in=answers")
    window.wait(lambda: window.texts("#found") == ["126 of 140 items"])  # those that somebody denied
    assert (
        window.script("return document.getElementById('in-answers').checked && document.getElementById('words').value")
        == "well"
    )


def test_what_is_shown_is_saved(window: Browser, page: Path) -> None:
    window.open(page, "#items=0&q=subject 7 NSC")
    window.wait(lambda: window.texts("#found") == ["4 of 140 items"])
    window.script(
        "window.saved = []; URL.createObjectURL = (blob) => { blob.text().then((text) => saved.push(text)); return '#'; }"
    )
    window.click("#as-csv")
    window.wait(lambda: len(window.script("return saved")) == 1)
    window.click("#as-jsonl")
    window.wait(lambda: len(window.script("return saved")) == 2)
    table, lines = window.script("return saved")
    assert len(table.splitlines()) == 1 + 4 * len(MODELS)
    assert table.splitlines()[0] == '"id","question","truth","model","sample","text","outcome","reason","understood"'
    saved = [json.loads(line) for line in lines.splitlines()]
    assert [line["question"] for line in saved] == ["Is object NSC right for subject 7?"] * 2 + [
        "Is object NNSC right for subject 7?"
    ] * 2
    assert [answer["model"] for answer in saved[0]["answers"]] == list(MODELS)


def test_answers_stand_side_by_side_and_what_differs_is_marked(window: Browser, page: Path) -> None:
    window.open(page, "#item=0.2")
    window.wait(lambda: window.texts("#item .answers .answer"))
    assert (
        window.script(
            "return new Set([...document.querySelectorAll('#item .answer')].map(a => a.getBoundingClientRect().top)).size"
        )
        == 1
    )
    window.click("#item .tools button")
    assert window.texts("#item .answer .own") == ["Well,", "no:", "Yes:"]
    window.click("#item .tools button")
    assert window.texts("#item .answer mark") == ["no", "🦉 all", "Yes", "🦉 all"]


def test_a_fact_is_drawn_with_its_labels(window: Browser, page: Path) -> None:
    window.open(page, "#item=0.2")
    window.wait(lambda: window.script("return document.querySelector('#item svg.net')"))
    drawn = window.script("return [...document.querySelectorAll('#item svg.net text')].map(t => t.textContent)")
    assert sorted(drawn) == ["object NSC", "relation", "subject 0"]
    assert "http" not in "".join(drawn)


PATH = [["subject", "made in", "country"], ["capital", "capital of", "country"], ["capital", "twinned with", "object NSC"]]
DRAWN = """
const middle = (r) => [r.x.baseVal.value + r.width.baseVal.value / 2, r.y.baseVal.value];
const told = (r) => [r.nextSibling.textContent, r.className.baseVal, ...middle(r)];
return [...document.querySelectorAll('#item svg.net rect')].map(told);
"""


@pytest.mark.parametrize("width", [360, 1000])
def test_the_way_to_an_edited_object_is_drawn_by_names(window: Browser, tmp_path: Path, width: int) -> None:
    """Three hops, the second against the run of its fact; without names in the record the ends of IRIs stand for them."""
    item = fpq_item(2, "NSC")
    true = {"iri": "http://example.org/t", "label": "the true object", "aliases": []}
    iris = [[f"http://example.org/{part}" for part in fact] for fact in PATH]
    premise = item["premise"] | {"path": iris, "hops": 3, "true_objects": [true]}
    premise["subject"] = {"iri": "http://example.org/subject", "label": "subject"}
    old = item | {"id": "old", "premise": premise}
    new = item | {"premise": premise | {"path_labels": PATH}}
    page = written(tmp_path, [answered(one, "good", True) for one in (new, old)], [new, old])
    for number, lure in ((0, "object NSC"), (1, "object NSC")):
        window.open(page, f"#item=0.{number}", width=width)
        window.wait(lambda: window.script("return document.querySelector('#item svg.net')"))
        nodes = {name: (kind, x, y) for name, kind, x, y in window.script(DRAWN)}
        assert list(nodes) == ["subject", "the true object", lure, "country", "capital"]
        assert (nodes["the true object"][0], nodes[lure][0]) == ("node true", "node false")
        # The stations stand below the subject, and the claimed object beside the last of them.
        assert nodes["subject"][1] == nodes["country"][1] == nodes["capital"][1] < nodes[lure][1]
        assert nodes["subject"][2] < nodes["country"][2] < nodes["capital"][2] == nodes[lure][2]
        assert "http" not in window.script("return document.querySelector('#item dl').textContent")
        assert window.script("return document.querySelectorAll('#item svg.net polygon').length") == 5
        assert window.script("return document.documentElement.scrollWidth") <= width


def test_questions_of_several_hops_are_drawn_as_a_chain(window: Browser, tmp_path: Path) -> None:
    given = [
        {"slot": "film", "value": "Alien"},
        {"slot": "year", "value": "1979"},
        {"slot": "sequel", "value": ""},
        {"slot": "decade", "value": "1950s", "claim": True},
    ]
    hops = [{"slot": "director", "value": "Ridley Scott"}, {"slot": "birth year", "value": "1937"}]
    item = fpq_item(1, "NSC") | {"method": "erbench", "variant": "basic", "given": given, "rationale": hops, "premise": None}
    page = written(tmp_path, [answered(item, "good", True)], [item])
    window.open(page, "#item=0.0")
    window.wait(lambda: window.script("return document.querySelector('#item svg.net')"))
    assert [node[:2] for node in window.script(DRAWN)] == [
        ["Alien", "node "], ["1979", "node "], ["Ridley Scott", "node true"], ["1937", "node true"], ["1950s", "node false"],
    ]  # fmt: skip
    said = "return [...document.querySelectorAll('#item svg.net .tick')].map(t => t.textContent)"
    assert window.script(said) == ["director", "birth year", "claimed: decade"]


def test_every_table_is_sorted_and_turned(window: Browser, page: Path) -> None:
    """Whatever is made columns, no number is lost and none is made up; tables of drawings do it, too."""
    window.open(page)
    window.script("document.querySelectorAll('details').forEach((folded) => { folded.open = true; })")
    window.wait(lambda: window.script("return document.querySelectorAll('table.lively').length > 8"))
    tables = "[...document.querySelectorAll('details.table table, details.numbers table')]"
    assert window.script(
        f"return {tables}.every(t => [...t.tHead.querySelectorAll('th')].every(h => h.querySelector('.sort')))"
    )
    turned = """
    const box = arguments[0], table = box.querySelector('table'), select = box.querySelector('.pivot select');
    const numbers = () => [...table.tBodies[0].querySelectorAll('td:not(.none)')].map(c => c.textContent).sort().join('|');
    if (!select) return [];
    const before = numbers(), shapes = [];
    for (const option of [...select.options]) {
      select.value = option.value;
      select.dispatchEvent(new Event('change'));
      shapes.push([numbers() === before, table.tHead.rows[0].cells.length, table.tBodies[0].rows.length]);
    }
    return shapes;
    """
    boxes = window.driver.find_elements("css selector", "details.table, details.numbers")
    found = [window.driver.execute_script(turned, box) for box in boxes]
    assert all(same for shapes in found for same, _, _ in shapes)
    assert sum(len({tuple(shape) for shape in shapes}) > 1 for shapes in found) > 8
    window.open(page)
    columns = "return [...document.querySelectorAll('#overview-models thead th')].map(t => t.textContent)"
    assert window.script(columns)[:2] == ["model", "score"]
    pick = "const s = document.querySelector('#overview-models .pivot select'); s.value = '0';"
    window.script(f"{pick} s.dispatchEvent(new Event('change'))")
    assert window.script(columns) == ["numbers", "good", "poor"]
    assert window.script("return document.querySelector('#overview-models tbody th').textContent") == "score"


def test_the_heads_of_a_long_table_stay_in_sight(window: Browser, page: Path) -> None:
    window.open(page, width=1000, height=500)
    long = "document.querySelector('#fpq-accuracy .scroll')"
    window.script(
        f"document.querySelector('#fpq-accuracy').open = true; {long}.style.maxHeight = '120px'; {long}.scrollTop = 60"
    )
    tops = f"return [{long}, {long}.querySelector('thead th')].map(e => Math.round(e.getBoundingClientRect().top))"
    window.wait(lambda: len(set(window.script(tops))) == 1)


def test_a_table_is_sorted_by_a_click_on_its_head(window: Browser, page: Path) -> None:
    window.open(page)
    first = "return document.querySelector('#overview-outcomes tbody th').textContent"
    button = "#overview-outcomes thead th:nth-child(2) button"
    assert window.script(first) == "good"
    window.click(button)
    assert window.script(first) == "good"
    window.click(button)
    assert window.script(first) == "poor"
    assert window.script("return document.querySelector('#overview-outcomes thead th:nth-child(2)').ariaSort") == "ascending"


def test_the_matrix_shows_another_stratum_and_turns(window: Browser, page: Path) -> None:
    window.open(page)
    shown = "return [...document.querySelectorAll('.matrix')].filter(m => m.offsetHeight > 0).map(m => m.id)"
    assert window.script(shown) == ["matrix-kind-of-question"]
    window.script(
        "const s = document.getElementById('stratum'); s.value = 'matrix-domain'; s.dispatchEvent(new Event('change'))"
    )
    assert window.script(shown) == ["matrix-domain"]
    heads = "return [...document.querySelectorAll('#matrix-domain thead th')].map(t => t.textContent)"
    assert window.script(heads) == ["all", "art", "place"]
    window.click("#turn")
    assert window.script(heads)[:2] == ["good", "poor"]
    window.click("#matrix-domain tbody tr:nth-child(2) td a")
    window.wait(lambda: window.texts("#found") == ["70 of 140 items"])


@pytest.mark.parametrize("width", [360, 390, 1000, 1600])
def test_the_numbers_come_first_and_short(window: Browser, page: Path, width: int) -> None:
    window.open(page, width=width)
    assert window.script("return document.getElementById('about').getBoundingClientRect().top + scrollY") < 5000
    assert window.script("return document.documentElement.scrollWidth") <= width
    whole = (
        "return [...document.querySelectorAll('.heat th, #overview-models th')].every(t => t.scrollWidth <= t.clientWidth + 1)"
    )
    assert window.script(whole)


def test_two_runs_show_what_flipped_with_both_sides(window: Browser, tmp_path: Path) -> None:
    """Of eight items the second run lost one and won two: each flip is found, and shows both answers."""
    items, runs = [proved(fpq_item(fact, "NSC")) for fact in range(8)], []
    for label, wrong in (("zero-shot", {1, 2}), ("few-shot", {5})):
        folder = tmp_path / label
        folder.mkdir()
        # The runs list the items in orders of their own.
        lines = [answered(item, "m", n not in wrong) for n, item in enumerate(items)]
        order = items if label == "zero-shot" else items[::-1]
        files = [write_lines(folder / f"{name}.jsonl", records) for name, records in zip(
            ("items", "responses", "verdicts"), (order, *zip(*lines, strict=True)), strict=True)]  # fmt: skip
        runs.append(RunFiles(label, *map(str, files)))
    write_report(runs, tmp_path / "report", comparing=("few-shot:m", "zero-shot:m"))
    page = tmp_path / "report" / "index.html"
    window.open(page, "#items=1&m%3Am=0&m%3Azero-shot%3Am=x")
    window.wait(lambda: window.texts("#found") == ["2 of 8 items"])
    assert window.texts("#list .q") == ["Is object NSC right for subject 2?", "Is object NSC right for subject 1?"]
    window.click("#list a")
    window.wait(lambda: window.texts("#item .answer"))
    shown = [text.splitlines()[:2] for text in window.texts("#item .answer")]
    assert shown == [["m", "few-shot"], ["m", "zero-shot"]]
    assert [text.split(":")[0] for text in window.texts("#item .answer .verdict")] == ["correct", "incorrect"]


AXE = Path(os.environ.get("KGPROBE_AXE", "node_modules/axe-core/axe.min.js"))
FAULTS = """
const done = arguments[0], show = (v) => [v.impact, v.id, v.nodes[0].html];
axe.run(document, { resultTypes: ["violations"] })
  .then((found) => done(found.violations.map(show)), (error) => done([String(error)]));
"""


@pytest.mark.skipif(not AXE.exists(), reason="needs axe-core (npm install axe-core; KGPROBE_AXE names its axe.min.js)")
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("address", ["", "#items", "#item=0.2"])
def test_axe_finds_no_fault(window: Browser, page: Path, address: str, dark: bool) -> None:
    window.media(dark=dark)
    window.open(page, address, width=1000)
    if address:
        window.wait(lambda: window.texts("#list li, #item .proof"))
    else:
        window.script("document.querySelectorAll('details').forEach((folded) => { folded.open = true; })")
    window.command("Runtime.evaluate", expression=AXE.read_text())
    window.driver.set_script_timeout(120)
    assert window.driver.execute_async_script(FAULTS) == []
    window.media()
    window.complaints()


def choose(window: Browser, label: str, value: str) -> None:
    window.script(
        "const label = [...document.querySelectorAll('#facets label')]"
        f".find(l => l.firstChild.textContent === {json.dumps(label)});"
        f"const select = label.querySelector('select');"
        f"select.value = [...select.options].find(o => o.textContent === {json.dumps(value)}).value;"
        "select.dispatchEvent(new Event('change'))"
    )


def test_a_comparison_leads_to_its_items(window: Browser, page: Path) -> None:
    """The good model is right where the poor one is wrong on 56 items; both are wrong on 14."""
    window.open(page, "#comparison")
    assert window.texts("#comparison .square td.num") == ["70", "56", "0", "14"]
    window.click("#comparison .onlys > div:first-child p a")
    window.wait(lambda: window.texts("#found") == ["56 of 140 items"])
    window.open(page, "#comparison")
    window.click("#comparison .onlys li a")
    window.wait(lambda: window.texts("#item .question") == ["Is object NSC right for subject 0?"])


@pytest.mark.parametrize("address", ["", "#paper-fpq", "#comparison", "#about", "#items", "#item=0.2"])
def test_a_phone_shows_it_without_scrolling_sideways(window: Browser, page: Path, address: str) -> None:
    window.open(page, address, width=390, height=844)
    if "item" in address:
        window.wait(lambda: window.texts("#list li, #item .proof"))
    assert window.script("return document.documentElement.scrollWidth") == 390


def test_dark_and_light(window: Browser, page: Path) -> None:
    def ground() -> str:
        return str(window.script("return getComputedStyle(document.body).backgroundColor"))

    window.media(dark=True)
    window.open(page)
    dark = ground()
    window.click("#theme")
    light = ground()
    window.media(dark=False)
    assert sum(map(int, re.findall(r"\d+", dark))) < 150 < 700 < sum(map(int, re.findall(r"\d+", light)))
    window.click("#theme")
    assert ground() == dark
    window.script("localStorage.clear()")


def test_paper_gets_all_tables_on_white_and_no_controls(window: Browser, page: Path) -> None:
    window.media("print", dark=True)
    window.open(page)
    window.script("dispatchEvent(new Event('beforeprint'))")
    assert window.script("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert window.script("return [...document.querySelectorAll('#theme, .top, #items')].every(e => e.offsetHeight === 0)")
    assert window.script("return [...document.querySelectorAll('details.table table')].every(t => t.offsetHeight > 0)")
    window.media()
    pdf = base64.b64decode(window.command("Page.printToPDF")["data"])
    assert pdf.startswith(b"%PDF")


def test_a_folder_that_was_torn_apart_says_so(window: Browser, page: Path, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_bytes(page.read_bytes())
    window.open(tmp_path / "index.html", "#items")
    told = "data/about.js is missing; the page must stand beside its folder data/"
    window.wait(lambda: window.texts("#found") == [told])
    window.complaints()


def hostile(number: int, text: str) -> Line:
    """An item that says the same bad thing wherever an item can say something."""
    named = {"iri": f"urn:{number}", "label": text}
    proof = {"query": f"ASK {{ ?s ?p {json.dumps(text)} }}" if number % 2 else text, "bind": [{"name": "s", "term": text}]}
    return fpq_item(0, "NSC") | {
        "id": f"hostile.{number}", "method": text, "family": text, "variant": text, "question": text, "context": text,
        "image": text, "answer": [text], "task": "open", "group": text, "given": [{"slot": text, "value": text}],
        "rationale": [{"slot": text, "value": text, "aliases": [text]}], "strata": {"domain": text, text: text},
        "source": {"generator": text, "digest": text, text: text},
        "parent": {"item": "a", "model": text} if number % 2 else None,
        "premise": {"subject": named, "relation": named, "object": named, "true_objects": [named | {"aliases": [text]}],
                    "edit": "NSC", "hops": 1, "path": [[text, text, text]]},
        "proof": [proof | {"expect": None, "rows": [[text]]}],
    }  # fmt: skip


@pytest.mark.slow
def test_no_record_can_run_a_script(window: Browser, tmp_path: Path) -> None:
    items = [hostile(number, text) for number, text in enumerate(NASTY)]
    lines = []
    for model in (NASTY[1], NASTY[3] + NASTY[9]):
        for item, text in zip(items, NASTY, strict=True):
            response, verdict = answered(item, model, item["id"] > "hostile.3")
            verdict |= {"answer": text, "contradicted": [text], "rationale": [True], "judge": text, "spans": [[0, 5], [3, 999]]}
            lines.append((response | {"text": text, "finish": text}, verdict))
    page = written(tmp_path, lines, items)
    window.requests()
    window.open(page)
    safe(window, page)
    window.open(page, "#items")
    window.wait(lambda: len(window.texts("#list .q")) == len(NASTY))
    safe(window, page)
    for number, text in enumerate(NASTY):
        window.open(page, f"#item=0.{number}")
        window.wait(lambda: window.texts("#item .question"))
        shown = window.script("return document.querySelector('#item .question').textContent")
        assert shown == re.sub("[\u2028\u2029\u202e\u2066\u0007\x1b]", lambda found: f"U+{ord(found[0]):04X}", text)
        safe(window, page)


def safe(window: Browser, page: Path) -> None:
    """Nothing ran, nothing was refused (what is text is never tried), nothing was fetched from elsewhere."""
    assert window.script("return window.pwned === undefined && ({}).pwned === undefined")
    assert window.complaints() == []
    home = page.resolve().parent.as_uri()
    assert all(url.startswith((home, "data:,", "about:blank")) for url in window.requests())
    assert window.script("return document.querySelectorAll('script, img, iframe, object, embed').length") == 1
    everywhere = "return [...document.querySelectorAll('a')].map(a => new URL(a.href.baseVal ?? a.href, location).protocol)"
    assert set(window.script(everywhere)) == {"file:"}


def test_a_script_that_gets_into_the_page_all_the_same_does_not_run(window: Browser, page: Path, tmp_path: Path) -> None:
    """The second wall: the content security policy."""
    text = page.read_text().replace("<main>", "<main><script>window.pwned = 1</script><img src=x onerror='window.pwned = 2'>")
    (tmp_path / "index.html").write_text(text)
    window.open(tmp_path / "index.html")
    assert window.script("return window.pwned === undefined")
    assert any("Content Security Policy" in told for told in window.complaints())


def test_the_script_never_makes_elements_of_text(page: Path) -> None:
    assert not re.search("innerHTML|outerHTML|insertAdjacentHTML|document.write|eval|new Function", page.read_text())


def traced(item: Line) -> tuple[Line, Line]:
    """An answer whose model looked something up, and its verdict."""
    response, verdict = answered(item, "good", right=True)
    query = "SELECT ?name ?born {\n  <person/1> rdfs:label ?name\n}"
    found = {"query": query, "columns": ["name", "born"], "rows": [['"<b>Ada</b>"', ""]] * 23, "more": True, "seconds": 0.02}
    trace = {
        "graph": "sha256:5f", "base": "http://example.org/",
        "lookups": [found, {"query": "ASK { ?s ?p ?o }", "truth": False}, {"query": "SELECT", "error": "expected {"}],
    }  # fmt: skip
    return response | {"trace": trace}, verdict | {"evidence": True}


def test_what_a_model_looked_up_is_a_click_away(window: Browser, tmp_path: Path) -> None:
    items = [fpq_item(fact, "NSC", "yes_no") for fact in range(2)]
    page = written(tmp_path, [traced(items[0]), answered(items[1], "good", right=True)], items)
    window.open(page, "#item=0.0")
    window.wait(lambda: window.texts("#item .question"))
    assert window.texts("#item .lookups summary") == ["3 queries to the graph before it answered: right by query"]
    assert window.texts("#item .lookup pre") == ["", "", ""]  # folded
    window.click("#item .lookups summary")
    first, *others = window.texts("#item .lookup pre")
    assert first == "SELECT ?name ?born {\n  <person/1> rdfs:label ?name\n}"
    assert others == ["ASK { ?s ?p ?o }", "SELECT"]
    assert window.texts("#item .lookup th") == ["?name", "?born"]
    assert window.texts("#item .lookup tbody td:first-child") == ["<b>Ada</b>"] * 20
    told = window.texts("#item .lookup p")
    assert told == ["query 1 · 0.02 s", "and at least 3 more rows", "query 2", "→ false", "query 3", "failed: expected {"]
    assert window.complaints() == []
    window.open(page, "#item=0.1")
    window.wait(lambda: window.texts("#item .question"))
    assert window.texts("#item .lookups") == []
