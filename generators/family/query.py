"""The queries of a family: the SELECT that is run once, a relation renamed, and what a proof cites.

A family that ships is cited as `erbench/movie@1a2b3c4d`; a user's own file, or a renamed one, cannot be found again by a
name, so its proofs carry the SPARQL itself.

```
python -m generators.family erbench/movie --relation movie=films --store ./films
python -m queries render items.jsonl
```
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from kg.errors import InputError, nearest
from kg.sources._direct import iri_safe
from queries.templates.library import find, names
from queries.templates.shape import read_shape
from queries.templates.template import Template, parse

__all__ = ["ASKED", "Citation", "renamed", "whole", "widened"]

ASKED = "kgprobe_asked"
"""The column of `whole` that says whether a row is asked about."""


def renamed(template: Template, relations: Mapping[str, str]) -> Template:
    """Put other tables in the places of a family's: `{"movie": "films"}`; only relative IRIs are names of tables.

    Raises InputError where the family has no such table.

    >>> text = "#+ name: a\\n#+ summary: b\\nSELECT ?t { ?f <film#title> ?t ; a <film> }"
    >>> renamed(parse(text), {"film": "my film"}).text.splitlines()[-1]
    'SELECT ?t { ?f <my%20film#title> ?t ; a <my%20film> }'
    """
    if not relations:
        return template
    tokens = [token for token in template.shape.tokens if token.kind == "iri" and ":" not in token.text]
    text, found = template.text, {_table(token.text) for token in tokens}
    for token in sorted(tokens, key=lambda t: t.start, reverse=True):
        table = _table(token.text)
        new = next((iri_safe(new) for old, new in relations.items() if iri_safe(old) == table), table)
        text = text[: token.start] + f"<{new}{token.text[1 + len(table) :]}" + text[token.start + len(token.text) :]
    for old in relations:
        if iri_safe(old) not in found:
            raise InputError(f"the family has no relation '{old}'", place=template.path, way_out=nearest(old, found))
    return parse(text, template.path)


def _table(iri: str) -> str:
    return iri[1:-1].partition("#")[0].partition("/")[0]


def whole(template: Template, base: str | None) -> str:
    """Return the query for all rows of a family, each with whether it is asked (`ask`)."""
    asked = template.front.ask or "true"
    slots = " ".join(f"?{slot}" for slot in template.slots)
    prologue, core = _parted(template)
    head = (f"BASE <{base}>\n" if base else "") + prologue
    # A filter that fails on a row leaves it out, as FILTER itself does.
    return f"{head}SELECT {slots} (COALESCE(IF(({asked}), true, false), false) AS ?{ASKED}) WHERE {{ {{ {core} }} }}"


def widened(template: Template, base: str | None) -> tuple[str, list[str]]:
    """Return the query that projects every variable of a family's SELECT, and those that it does not project itself.

    >>> widened(parse("#+ name: a\\n#+ summary: b\\nSELECT ?t { ?f <film#title> ?t }"), None)
    ('SELECT ?t ?f { ?f <film#title> ?t }', ['f'])
    """
    text = template.bind()
    shape = read_shape(text, template.path)
    row = shape.tokens
    inner = dict.fromkeys(token.name for token in row[shape.open_at : shape.close_at] if token.kind == "variable")
    names = [name for name in inner if name not in shape.slots and name not in shape.computed]
    last = row[shape.head_end - 1]
    at = last.start + len(last.text)
    head = f"BASE <{base}>\n" if base else ""
    return head + text[:at] + "".join(f" ?{name}" for name in names) + text[at:], names


def _parted(template: Template) -> tuple[str, str]:
    """Return the prologue, and the SELECT with the defaults of its parameters, comments left out."""
    text = template.bind()
    shape = read_shape(text, template.path)
    row, form_at = shape.tokens, shape.form_at
    own = " ".join(token.text for token in row[:form_at])
    gaps = [before.start + len(before.text) < after.start for before, after in pairwise(row[form_at:])]
    spaced = [token.text + " " * gap for token, gap in zip(row[form_at:], [*gaps, False], strict=True)]
    return own + "\n" if own else "", "".join(spaced)


def _body(template: Template) -> tuple[str, str] | None:
    """Return the prologue and the outermost group of a SELECT that only projects; null where it does more.

    A value that is bound outside such a group finds its rows by index; outside a sub-select it waits until all rows are there.
    """
    prologue, core = _parted(template)
    shape = read_shape(prologue + core, template.path)
    more = shape.where_at != shape.head_end or shape.close_at + 1 < len(shape.tokens)
    if shape.computed or shape.nested_select or more:
        return None
    first, last = shape.tokens[shape.open_at], shape.tokens[shape.close_at]
    return prologue, (prologue + core)[first.start + 1 : last.start].strip()


class Citation:
    """What the proofs of a family cite: its name and version, or the SPARQL itself.

    `inline` asks for the SPARQL even of a family that ships.
    """

    def __init__(self, template: Template, *, inline: bool = False) -> None:
        self.template, self.inline = template, inline

    @cached_property
    def shipped(self) -> str | None:
        """The name under which this very file ships, if it does."""
        same = (name for name in names() if "/" in name and find(name).version == self.template.version)
        return None if self.inline else next(same, None)

    @property
    def columns(self) -> Sequence[str]:
        """The slots that a proof's rows hold: the answer's, or all."""
        return self.template.front.answers or self.template.slots

    def query(self, bound: Iterable[str], condition: str | None = None) -> str:
        """Return what a proof that binds these slots cites; under a condition (SPARQL) it is the SPARQL itself."""
        if self.shipped and condition is None:
            return f"{self.shipped}@{self.template.version}"
        prologue, core = _body(self.template) or _parted(self.template)
        # Nothing unbound may pass for the value that is bound to it.
        known = " && ".join([f"BOUND(?{slot})" for slot in bound] + ([f"({condition})"] if condition else []))
        slots = " ".join(f"?{slot}" for slot in self.columns)
        return f"{prologue}SELECT DISTINCT {slots} WHERE {{ {{ {{ {core} }} FILTER({known}) }} }}"
