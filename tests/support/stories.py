"""Hand-drawn graphs in Turtle, told in parts: a base, and then one change after the other under a title line.

A title reads `### NSC lily: why` or `### no: why`: what is expected, then the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
import rdflib

from kg import LocalGraph
from kg.build import Load

FOLDER = Path(__file__).parents[1] / "fixtures" / "fpq"


class Story(NamedTuple):
    """A base with one change, and what is expected of it."""

    expected: str
    turtle: str

    @property
    def graph(self) -> LocalGraph:
        return graph_of(self.turtle)


def graph_of(turtle: str) -> LocalGraph:
    """Make a graph of a text in Turtle."""
    lines = rdflib.Graph().parse(data=turtle, format="turtle").serialize(format="nt", encoding="utf-8")
    return LocalGraph.in_memory(Load("story", lines, b"", b"", {}))


def parts(name: str) -> Sequence[object]:
    """Read the parts of a fixture as parameters of a test, each called by its title."""
    base, *changes = (FOLDER / name).read_text("utf-8").split("\n### ")
    stories = []
    for part in changes:
        title, _, change = part.partition("\n")
        stories.append(pytest.param(Story(title.partition(":")[0], f"{base}\n{change}"), id=title))
    return stories
