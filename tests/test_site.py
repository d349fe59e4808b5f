"""The documentation's site: every command and format is in it, its tutorials run, its links lead somewhere."""

from __future__ import annotations

import doctest
import importlib
import json
import re
import subprocess
import sys
import tomllib
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote

import pytest
import yaml

import site_build
import site_reference
import site_runs
from generators.cli import app
from kg import open_graph
from kg_command import command_paths
from queries import audit_items
from queries.records import RECORDS, Item, Response, json_schema, read
from site_sources import PAGES, ROOT, SAMPLES, Page, SiteError, linked, pages, section, with_room_for_lists


def places(nav: object) -> set[str]:
    """Return the pages that an order of pages names."""
    if isinstance(nav, str):
        return {nav}
    parts = nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else []
    return set().union(*(places(part) for part in parts))


# What it is made of


@pytest.mark.parametrize("name", ["site_build", "site_examples", "site_reference", "site_runs", "site_sources"])
def test_the_examples_of_the_builder_run(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_every_command_has_a_place_in_the_reference() -> None:
    import typer

    said = "\n".join(page.text for page in site_reference.command_pages())
    table = site_reference.command_table()
    for words in command_paths(typer.main.get_command(app)):
        assert f"`kgprobe {' '.join(words)}`" in table
        assert re.search(rf"^#+ kgprobe {' '.join(words)}$", said, re.M)


def test_the_page_of_a_command_has_its_options_and_examples() -> None:
    (page,) = (page for page in site_reference.command_pages() if page.place.endswith("/fpq.md"))
    # Versions of Typer write the type of a number each in their way.
    assert re.search(r"<code>--radius (&lt;)?int", page.text.lower())
    assert "```text\npython -m generators.fpq --domain art\n" in page.text


def test_every_field_of_every_record_has_a_meaning() -> None:
    meanings = tomllib.loads(site_reference.FIELDS.read_text("utf-8"))
    assert {name: set(json_schema(record)["properties"]) for name, record in RECORDS.items()} == {
        name: set(fields) for name, fields in meanings.items()
    }


def test_a_field_without_a_meaning_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    meanings = tmp_path / "fields.toml"
    meanings.write_text(site_reference.FIELDS.read_text("utf-8").replace("\nunit = ", "\nunits = ", 1), "utf-8")
    monkeypatch.setattr(site_reference, "FIELDS", meanings)
    with pytest.raises(
        SiteError, match=r"^fields\.toml does not say what the field 'unit' of Item means; write a line for it$"
    ):
        site_reference.formats()


def test_the_library_shows_what_the_rooms_offer() -> None:
    (page,) = (page for page in site_reference.library_pages() if page.place.endswith("/kg.md"))
    assert "### kg.open_graph\n" in page.text
    assert "```pycon\n>>> open_graph().ask(" in page.text


def test_every_page_that_is_written_stands_in_the_order() -> None:
    config = yaml.safe_load((ROOT / ".docs" / "mkdocs.yml").read_text("utf-8"))
    written = {path.relative_to(PAGES).as_posix() for path in PAGES.rglob("*.md")}
    assert written <= places(config["nav"])


def test_the_proofs_of_the_samples_hold() -> None:
    """If not, the starter graph has changed: make the samples again, as `.docs/pages/examples.md` tells, and ask them again."""
    assert audit_items(open_graph(), str(SAMPLES / "items.jsonl")).passed


def test_the_answers_of_the_samples_are_answers_to_their_items() -> None:
    items = {item.id for item in read(str(SAMPLES / "items.jsonl"), Item)}
    responses = read(str(SAMPLES / "responses.jsonl"), Response)
    recorded = [json.loads(line) for line in (SAMPLES / "answers.jsonl").read_text("utf-8").splitlines()]
    assert {response.item for response in responses} == items == {answer["item"] for answer in recorded}
    assert {(answer["item"], answer["text"]) for answer in recorded} <= {(r.item, r.text) for r in responses}


@pytest.mark.slow
def test_the_notebook_runs_from_top_to_bottom(tmp_path: Path) -> None:
    """Its cells one after another, as Jupyter runs them but for the display of a cell's last line."""
    cells = json.loads((ROOT / ".docs" / "notebook.ipynb").read_text("utf-8"))["cells"]
    assert not any(cell.get("outputs") for cell in cells), "clear the outputs before you save it"
    script = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "20 answers" in done.stdout


# What becomes of a page


def test_a_link_to_a_file_leads_to_the_page_that_shows_it() -> None:
    text = "[a](../kg/README.md#tables) [b](lint/rules.toml) [c](#here) [d](https://example.org)\n\n```\n[a](../kg/README.md)\n```\n"
    page = linked(Page("generators/README.md", "rooms/generators.md", text))
    assert page.text == (
        "[a](kg.md#tables) [b](../files/generators/lint/rules.toml.md) [c](#here) [d](https://example.org)\n\n"
        "```\n[a](../kg/README.md)\n```\n"
    )


def test_code_in_a_longer_fence_ends_where_that_ends() -> None:
    text = "````\n```\n- no list\n````\ntext\n- a list\n"
    assert with_room_for_lists(text) == "````\n```\n- no list\n````\ntext\n\n- a list\n"


def test_a_section_ends_at_the_next_heading_of_its_level() -> None:
    part = section("queries/README.md", "proofs-and-the-audit")
    assert "### Bundles" in part
    assert "## Where things are" not in part


def test_what_pages_take_from_elsewhere_is_there() -> None:
    taken = [mark for page in pages() for mark in re.findall(r"^<!-- site: section ([^#]+)#(\S+) -->$", page.text, re.M)]
    assert len(taken) > 10
    assert all(section(source, anchor) for source, anchor in taken)


def test_a_section_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(SiteError, match=r"kg/README.md has no heading #tabels; it has .*#tables"):
        section("kg/README.md", "tabels")


def test_what_a_command_prints_stands_below_it(tmp_path: Path) -> None:
    text = "# T\n\n```sh\necho one; echo two >&2\n```\n\n```\nnot run\n```\n"
    ran = site_runs.with_output([Page(".docs/pages/t.md", "t.md", text)], tmp_path / "runs")
    assert ran["t.md"] == "# T\n\n```sh\necho one; echo two >&2\n```\n\n````{.text .out}\none\ntwo\n````\n\n```\nnot run\n```\n"


def test_a_command_that_fails_is_named_with_its_page_and_line(tmp_path: Path) -> None:
    page = Page(".docs/pages/t.md", "t.md", "# T\n\n```sh\necho no such thing; exit 3\n```\n")
    with pytest.raises(SiteError, match=r"^\.docs/pages/t\.md:3: the commands end with 3: no such thing$"):
        site_runs.with_output([page], tmp_path / "runs")


# The command


def built(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the command that builds the site."""
    command = [sys.executable, str(ROOT / ".docs" / "site_build.py"), str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_folder_in_the_tree_or_with_something_else_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    for folder, words in ((ROOT / "site", "name a folder outside it"), (tmp_path, "holds something that is no site")):
        with pytest.raises(SiteError, match=words):
            site_build.build(folder)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.txt"]


def test_a_wrong_folder_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    done = built(tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"error: {tmp_path} holds something that is no site; name another folder, or empty it\n"


# The site


class Links(HTMLParser):
    """The links of a page, what it loads, and its anchors."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(page.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value for name, value in attrs if value is not None}
        self.anchors |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        elif tag == "link" and found.get("rel") != "canonical" and "href" in found:
            self.loaded.append(found["href"])
        elif "src" in found:
            self.loaded.append(found["src"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built by its command, without a warning and with every command of the tutorials run."""
    if find_spec("zensical") is None:
        pytest.skip("needs zensical (pip install 'kgprobe[docs]'), which is not installed")
    folder = tmp_path_factory.mktemp("docs") / "site"
    done = built(folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow
def test_every_page_is_built_and_every_link_leads_somewhere(site: Path) -> None:
    assert all((site / page.place).with_suffix(".html").is_file() for page in pages())
    found = {page: Links(page) for page in sorted(site.rglob("*.html")) if "reports" not in page.relative_to(site).parts}
    for page, links in found.items():
        for link in [*links.links, *links.loaded]:
            path, _, anchor = unquote(link).partition("#")
            if re.match(r"[a-z]+:", path) or page.name == "404.html":
                continue
            target = (page.parent / path).resolve() if path else page
            assert target.exists(), f"{page.relative_to(site)} links to {link}"
            if anchor and target in found and not anchor.startswith("__"):
                assert anchor in found[target].anchors, f"{page.relative_to(site)} links to {link}"


@pytest.mark.slow
def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    for page in sorted(site.rglob("*.html")):
        assert not [link for link in Links(page).loaded if re.match(r"(https?:)?//", link)], page


@pytest.mark.slow
def test_the_tutorials_show_what_their_commands_print(site: Path) -> None:
    assert "all proofs hold" in (site / "tutorials" / "false-premises.html").read_text("utf-8")


@pytest.mark.slow
def test_an_example_of_each_method_is_shown_with_its_proof(site: Path) -> None:
    page = (site / "examples.html").read_text("utf-8")
    assert all(word in page for word in ("KG-FPQ", "ERBench", "FACT-BENCH", "LLMs as knowledge bases", "AutoDebug", "ASK"))


@pytest.mark.slow
def test_the_two_sample_reports_are_whole(site: Path) -> None:
    answers = json.loads((site / "reports" / "answers" / "metrics.json").read_text("utf-8"))
    assert answers
    assert (site / "reports" / "items" / "index.html").is_file()
