"""Where the site's pages come from, and what becomes of their links.

A page is a Markdown file of the tree: one written for the site (`.docs/pages`), a README, a page of `.github`, or the
changelog. Its links lead to files of the tree, as everywhere in it; here each becomes a link to the page that shows the file.
What is not Markdown and is linked becomes a page of its own that shows the text.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / ".docs"
PAGES = DOCS / "pages"
SAMPLES = DOCS / "samples"
_PROJECT = {
    "README.md": "index.md",
    ".github/CONTRIBUTING.md": "project/contributing.md",
    ".github/DECISIONS.md": "project/decisions.md",
    "CHANGELOG.md": "project/changelog.md",
}
_FENCE = re.compile(r"^(`{3,}|~{3,}).*?^\1[ \t]*$", re.M | re.S)
_CODE = re.compile(r"`[^`\n]*`")
_LINK = re.compile(r"(?<=\]\()([^)\s]+)(?=\))")
_ITEM = re.compile(r"(?:[-*+]|\d+[.)])\s")


class SiteError(Exception):
    """The site cannot be built; the message names the page and the way out."""


@dataclass(frozen=True)
class Page:
    """A page of the site.

    `source` is the file that it was written in and `place` where the page stands in the site, both with `/`; links in `text`
    are those of the source until `linked` has turned them.
    """

    source: str
    place: str
    text: str


def readmes() -> list[str]:
    """Return the READMEs of the rooms and their folders, and of the benchmarks."""
    rooms = ("kg", "queries", "generators", "evaluators")
    found = [path for room in rooms for path in (ROOT / room).rglob("README.md")]
    return [path.relative_to(ROOT).as_posix() for path in sorted(found)] + ["tests/benchmarks/README.md"]


def place_of(source: str) -> str:
    """Return where a file of the tree stands in the site.

    >>> place_of("generators/fpq/README.md"), place_of(".docs/pages/papers/fpq.md"), place_of("generators/lint/rules.toml")
    ('rooms/generators/fpq.md', 'papers/fpq.md', 'files/generators/lint/rules.toml.md')
    """
    if source in _PROJECT:
        return _PROJECT[source]
    for folder in (".docs/pages/", ".docs/"):
        if source.startswith(folder):
            return source.removeprefix(folder)
    if source.endswith("/README.md"):
        return f"rooms/{source.removesuffix('/README.md')}.md"
    # The site leaves out files and folders whose names begin with a dot.
    shown = "/".join(part.removeprefix(".") for part in source.split("/"))
    return f"files/{shown}" if source.endswith((".png", ".svg")) else f"files/{shown}.md"


def pages() -> list[Page]:
    """Return the pages that are files of the tree, in the words in which they stand there."""
    own = [path.relative_to(ROOT).as_posix() for path in sorted(PAGES.rglob("*.md"))]
    shown = [*own, *(source for source in _PROJECT if source != "README.md"), *readmes()]
    return [Page(source, place_of(source), (ROOT / source).read_text("utf-8")) for source in shown]


def targets(page: Page) -> Iterator[str]:
    """Yield the files of the tree that a page links to."""
    for link in _LINK.findall(_FENCE.sub("", page.text)):
        if not re.match(r"[a-z]+:|#", link):
            yield posixpath.normpath(posixpath.join(posixpath.dirname(page.source), link.partition("#")[0]))


def linked(page: Page) -> Page:
    """Return a page whose links lead to places of the site; `site:PLACE` is what only the site has."""

    def turned(match: re.Match[str]) -> str:
        target, mark, anchor = match[1].partition("#")
        if target.startswith("site:"):
            return posixpath.relpath(target.removeprefix("site:"), posixpath.dirname(page.place) or ".") + mark + anchor
        if not target or re.match(r"[a-z]+:", target):
            return match[1]
        file = posixpath.normpath(posixpath.join(posixpath.dirname(page.source), target))
        return posixpath.relpath(place_of(file), posixpath.dirname(page.place) or ".") + mark + anchor

    return Page(page.source, page.place, outside_fences(page.text, lambda text: _LINK.sub(turned, text)))


def shown_file(source: str) -> Page:
    """Return a page that shows the text of a file."""
    path = ROOT / source
    language = {".py": "python", ".toml": "toml", ".rq": "sparql", ".cff": "yaml"}.get(path.suffix, "text")
    return Page(source, place_of(source), f"# {source}\n\n````{language}\n{path.read_text('utf-8').rstrip()}\n````\n")


def section(source: str, anchor: str) -> str:
    """Return what stands under a heading of a file of the tree, without the heading, down to the next one of its level.

    Raises SiteError: if no heading has that anchor.
    """
    lines = (ROOT / source).read_text("utf-8").split("\n")
    heads = [(number, *head) for number, head in _headings(lines)]
    for at, (number, level, slug) in enumerate(heads):
        if slug == anchor:
            ends = (line for line, other, _ in heads[at + 1 :] if other <= level)
            return "\n".join(lines[number + 1 : next(ends, len(lines))]).strip()
    raise SiteError(f"{source} has no heading #{anchor}; it has {', '.join('#' + slug for *_, slug in heads)}")


def _headings(lines: list[str]) -> Iterator[tuple[int, tuple[int, str]]]:
    fenced = False
    for number, line in enumerate(lines):
        fenced ^= line.startswith("```")
        if not fenced and (head := re.match(r"(#+) (.*)", line)):
            yield number, (len(head[1]), slug_of(head[2]))


def slug_of(heading: str) -> str:
    """Return the anchor of a heading.

    >>> slug_of("What an edited object *never* is: `open_world.py`")
    'what-an-edited-object-never-is-open_worldpy'
    """
    return re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())


def outside_fences(text: str, change: Callable[[str], str]) -> str:
    """Apply `change` to what stands outside fenced code."""
    parts, at = [], 0
    for fence in _FENCE.finditer(text):
        parts += [change(text[at : fence.start()]), fence[0]]
        at = fence.end()
    return "".join([*parts, change(text[at:])])


def with_room_for_lists(text: str) -> str:
    """Set a blank line before a list that follows a line of text, which GitHub does not need and the site's Markdown does.

    >>> with_room_for_lists("Three:\\n- one\\n  and more\\n- two")
    'Three:\\n\\n- one\\n  and more\\n- two'
    """

    def spaced(part: str) -> str:
        lines: list[str] = []
        listed = False
        for line in part.split("\n"):
            item = bool(_ITEM.match(line))
            if item and not listed and lines and lines[-1].strip():
                lines.append("")
            listed = item or (listed and (not line.strip() or line.startswith(" ") or bool(lines[-1].strip())))
            lines.append(line)
        return "\n".join(lines)

    return outside_fences(text, spaced)


def escaped(text: str) -> str:
    """Return text of a docstring whose angle brackets are no tags, outside code.

    >>> escaped("a <b> in `<c>`")
    'a &lt;b> in `<c>`'
    """
    parts, at = [], 0
    for code in _CODE.finditer(text):
        parts += [text[at : code.start()].replace("<", "&lt;"), code[0]]
        at = code.end()
    return "".join([*parts, text[at:].replace("<", "&lt;")])
