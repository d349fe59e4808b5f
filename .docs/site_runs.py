"""The commands of the tutorials, run as a reader types them: what they print is to stand below them.

Every block that begins with ```sh runs, those of a page one after another in a folder of its own, where the samples lie that
the page links to. What is fenced otherwise is not run.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from site_sources import ROOT, SAMPLES, Page, SiteError, targets

SHOWN = 24
"""Lines of a command's output that a page shows."""
_BLOCK = re.compile(r"^```sh\n(.*?)^```\n", re.M | re.S)


def with_output(tutorials: list[Page], folder: Path) -> dict[str, str]:
    """Run the commands of pages, each page in the folder of its name; return their texts with what was printed, by place.

    Raises SiteError: naming the page, the line and what was printed, if a command fails.
    """
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        texts = pool.map(lambda page: _ran(page, folder / Path(page.place).stem), tutorials)
        return {page.place: text for page, text in zip(tutorials, texts, strict=True)}


def _ran(page: Page, folder: Path) -> str:
    folder.mkdir(parents=True)
    for target in targets(page):
        if (ROOT / target).parent == SAMPLES:
            shutil.copy(ROOT / target, folder)
    parts, at = [], 0
    for block in _BLOCK.finditer(page.text):
        printed = _printed(block[1], folder, f"{page.source}:{page.text.count(chr(10), 0, block.start()) + 1}")
        parts += [page.text[at : block.end()], _shown(printed)]
        at = block.end()
    return "".join([*parts, page.text[at:]])


def _printed(script: str, folder: Path, place: str) -> str:
    """Run a script; return what it prints, both streams in their order."""
    tools = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "100", "NO_COLOR": "1"}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder,
        env={**os.environ, **tools},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SiteError(
            f"{place}: the commands end with {done.returncode}: {' / '.join(done.stdout.strip().splitlines()[-3:])}"
        )
    return done.stdout


def _shown(printed: str) -> str:
    lines = [line.rstrip() for line in printed.strip("\n").splitlines()]
    if not lines:
        return ""
    more = [f"… {len(lines) - SHOWN} more lines"] if len(lines) > SHOWN else []
    return "\n".join(["\n````{.text .out}", *lines[:SHOWN], *more, "````\n"])
