"""A proof of an item, written out as SPARQL that stands on its own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import to_builtins

from queries.errors import TemplateError
from queries.records.item import Item, Proof
from queries.templates.library import find_version
from queries.templates.template import Template, inline


def proof_query(proof: Proof | Mapping[str, Any], *, base: str | None = None) -> str:
    """Return the SPARQL of one proof of an item.

    Parameters: `proof`, a record or a mapping with its fields, has `query` (`name@version`, or SPARQL itself), `bind` and
    `expect`; where `expect` is a boolean the result is an ASK, else the SELECT. `base` is what relative IRIs are relative to.
    Raises TemplateError where the template is unknown or of another version, or a term does not fit it.

    >>> proof_query({"query": "SELECT ?o { wd:Q1 ?p ?o }", "bind": [], "expect": True})
    'PREFIX wd: <http://www.wikidata.org/entity/>\\nASK { { SELECT ?o { wd:Q1 ?p ?o } } }'
    """
    fields = to_builtins(proof) if isinstance(proof, Proof) else proof
    row: dict[str, str] = {}
    for entry in fields["bind"] or []:
        if entry["name"] in row:
            problem = f"'{entry['name']}' is bound twice"
            raise TemplateError(problem, place=fields["query"], way_out="bind each name once in a proof")
        row[entry["name"]] = entry["term"]
    template = _template(fields["query"], list(row))
    return template.bind(row, base=base) if fields["expect"] is None else template.as_ask(row, base=base)


def _template(query: str, names: Sequence[str]) -> Template:
    # Every query has a group in braces; no name of a template has.
    return inline(query, names) if "{" in query else find_version(query)


def proofs_text(item: Item, *, base: str | None = None, file: str | None = None) -> Iterator[str]:
    """Yield each proof of an item as SPARQL, under a comment that names the item and what the query returns.

    Parameters: `file` is where the item stands, for errors. Raises TemplateError where a proof is at fault.
    """
    for number, proof in enumerate(item.proof, 1):
        try:
            query = proof_query(proof, base=base)
        except TemplateError as error:
            at = (f"{file}: " if file else "") + f"{item.id}, proof {number}"
            place = at + (f": {error.place}" if error.place else "")
            raise TemplateError(error.problem, place=place, way_out=error.way_out) from error
        yield f"# {item.id}, proof {number} of {len(item.proof)}: {_expected(proof.expect, proof.rows)}\n{query}\n"


def _expected(expect: bool | None, rows: list[list[str]] | None) -> str:
    if expect is not None:
        return f"expected {str(expect).lower()}"
    return "expected rows " + json.dumps(rows, ensure_ascii=True)
