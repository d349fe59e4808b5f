"""The queries that an audit needs, as `kg.audit.Queries` asks for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from queries.library import find, find_version
from queries.render import proof_query

__all__ = ["LibraryQueries"]


class LibraryQueries:
    """Finds proofs and views in the shipped library; `base` is what relative IRIs are relative to."""

    def __init__(self, base: str | None = None) -> None:
        self.base = base

    def proof(self, proof: Mapping[str, Any]) -> str:
        """Return a proof as complete SPARQL. Raises TemplateError where its query or version is not known."""
        return proof_query(proof, base=self.base)

    def view(self, name: str) -> str:
        """Return a view as SPARQL; of a reference with a version, the text of just that version.

        >>> LibraryQueries().view("edges").startswith("PREFIX kgp:")
        True
        """
        template = find_version(name) if "@" in name else find(name)
        return template.text if template.parameters else template.bind(base=self.base)

    def columns(self, proof: Mapping[str, Any]) -> list[str] | None:
        """Return the variables that a SELECT proof's `rows` hold: a family's answer slots, or all (None)."""
        if "{" in proof["query"]:
            return None
        return list(find_version(proof["query"]).front.answers) or None
