"""Build the site of the documentation: `python .docs/site_build.py FOLDER`.

The pages are those written for the site, the READMEs, and a reference of what the program says of itself. Every command in a
```sh block of a tutorial runs, and what it prints is shown below it; the reports that a tutorial makes are the samples. A
command that fails, a link that leads nowhere and any other warning end the build with exit code 2, and nothing is written. No
network is needed.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

import site_examples
import site_reference
from site_runs import with_output
from site_sources import (
    DOCS,
    ROOT,
    Page,
    SiteError,
    linked,
    pages,
    place_of,
    readmes,
    section,
    shown_file,
    targets,
    with_room_for_lists,
)

REPORTS = "runs/read-a-report"
"""Where the tutorial on reports leaves the two that the site shows, in `answers` and `items`."""
_MARKER = re.compile(r"^<!-- site: (\w+)(?: (\S+))? -->$", re.M)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Build the site of the documentation.")
    parser.add_argument("folder", type=Path, help="a folder outside the source tree; a site that is there is replaced")
    folder = parser.parse_args().folder.resolve()
    try:
        print(f"{build(folder)} pages in {folder}")
    except SiteError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)


def build(out: Path) -> int:
    """Build the site into a folder; return how many pages it has.

    Raises SiteError: if the folder lies in the tree or holds something else, or a command or a link fails.
    """
    _check(out)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        sources = pages()
        files = sorted({target for page in sources for target in targets(page)} - {page.source for page in sources})
        texts = [*_finished(sources, work / "runs"), *(shown_file(file) for file in files if _as_page(file))]
        texts += [*site_reference.command_pages(), *site_reference.library_pages()]
        for page in texts:
            _write(work / "docs" / page.place, with_room_for_lists(page.text))
        for file in (*(file for file in files if not _as_page(file)), ".docs/site.css"):
            _write(work / "docs" / place_of(file), (ROOT / file).read_bytes())
        for report in ("answers", "items"):
            shutil.copytree(work / REPORTS / report, work / "docs" / "reports" / report)
        config = yaml.safe_load((DOCS / "mkdocs.yml").read_text("utf-8"))
        config["nav"] = [_with_generated(entry, texts) for entry in config["nav"]]
        _write(work / "mkdocs.yml", yaml.safe_dump(config, sort_keys=False))
        _zensical(work)
        _put(work / "site", out)
    return len(texts)


def _check(out: Path) -> None:
    if out.is_relative_to(ROOT):
        raise SiteError(f"{out} lies in the source tree; name a folder outside it")
    if out.exists() and not (out.is_dir() and ((out / "sitemap.xml").exists() or not any(out.iterdir()))):
        raise SiteError(f"{out} holds something that is no site; name another folder, or empty it")


def _finished(sources: list[Page], runs: Path) -> list[Page]:
    """Return the pages of the tree as the site has them: commands run, links turned, what is marked put in."""
    for page in sources:
        for target in targets(page):
            if not (ROOT / target).is_file():
                raise SiteError(f"{page.source} links to {target}, which is no file")
    ran = with_output([page for page in sources if page.place.startswith("tutorials/")], runs)
    return [_filled(Page(page.source, page.place, ran.get(page.place, page.text))) for page in sources]


def _filled(page: Page) -> Page:
    """Turn a page's own links and put in what its markers name, whose links are turned from where they stand."""
    parts, at = [], 0
    for marker in _MARKER.finditer(page.text):
        parts += [_turned(page, page.text[at : marker.start()]), _marked(page, marker[1], marker[2])]
        at = marker.end()
    return Page(page.source, page.place, "".join([*parts, _turned(page, page.text[at:])]))


def _turned(page: Page, text: str) -> str:
    return linked(Page(page.source, page.place, text)).text


def _marked(page: Page, name: str, of: str | None) -> str:
    if name == "section" and of:
        source, _, anchor = of.partition("#")
        return linked(Page(source, page.place, section(source, anchor))).text
    made: dict[str, Callable[[], str]] = {
        "commands": site_reference.command_table,
        "formats": site_reference.formats,
        "library": site_reference.library_table,
        "examples": site_examples.examples,
        "notebook": site_examples.notebook,
        "rooms": lambda: _room_list(page),
    }
    if name not in made:
        raise SiteError(f"{page.source}: there is no {name} to put in; there are section FILE#HEADING, {', '.join(made)}")
    return made[name]()


def _room_list(page: Page) -> str:
    """Return the list of the READMEs, each with its first heading."""
    lines = []
    for source in readmes():
        head = (ROOT / source).read_text("utf-8").split("\n")[0].removeprefix("# ")
        lines.append(f"| {source.removesuffix('/README.md')} | [{head}]({source}) |")
    return linked(Page("README.md", page.place, "\n".join(["| folder | |", "|---|---|", *lines]))).text


def _as_page(file: str) -> bool:
    """Whether a linked file is shown as a page; samples and pictures are files of the site."""
    return not file.startswith(".docs/") and not file.endswith(".png")


def _with_generated(entry: dict[str, Any], texts: list[Page]) -> dict[str, Any]:
    """Put the pages below a folder's page into the order, where that page is a list of one: commands, library, rooms."""
    ((name, below),) = entry.items() if isinstance(entry, dict) else [(None, entry)]
    if name is None or isinstance(below, str):
        return entry
    if len(below) == 1 and isinstance(below[0], str):
        folder = "rooms/" if below[0].endswith("rooms.md") else below[0].removesuffix(".md") + "/"
        places = sorted((page.place.removesuffix(".md"), page.place) for page in texts if page.place.startswith(folder))
        return {name: [below[0], *({title.removeprefix(folder): place} for title, place in places)]}
    return {name: [_with_generated(part, texts) for part in below]}


def _write(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def _zensical(work: Path) -> None:
    """Run zensical, for which every warning is an error; show what it says if it fails."""
    done = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", "mkdocs.yml"],
        cwd=work,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode or "warning" in (done.stdout + done.stderr).lower():
        said = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr).partition("Traceback")[0]
        raise SiteError(f"zensical (pip install 'kgprobe[docs]') says:\n{said.strip() or done.stderr}")


def _put(site: Path, out: Path) -> None:
    """Put a finished site in its place, in one step where the folder was there."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}-") as aside:
        shutil.move(site, Path(aside) / "new")
        if out.exists():
            out.rename(Path(aside) / "old")
        (Path(aside) / "new").rename(out)


if __name__ == "__main__":
    main()
