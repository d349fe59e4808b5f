"""The queries that an audit needs, as `queries.audit.audit.Queries` asks for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from queries.errors import TemplateError
from queries.templates.library import find, find_version
from queries.templates.render import proof_query
from queries.templates.template import inline

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
            slots = list(inline(proof["query"]).slots)
            return None if "*" in slots else slots
        return list(find_version(proof["query"]).front.answers) or None

    def table(self, query: str, names: Sequence[str]) -> str | None:
        """Return the SELECT whose rows a proof chooses by the values of `names`; None where it does more than choose.

        >>> LibraryQueries().table("SELECT DISTINCT ?b { { SELECT ?a ?b { ?a <a:p> ?b } } }", ["a"])
        'SELECT DISTINCT ?b ?a { { SELECT ?a ?b { ?a <a:p> ?b } } }'
        """
        if "{" in query:
            return self._of_inline(query, names)
        try:
            template = find_version(query)
        except TemplateError:
            return None
        chooses = template.front.is_family and template.form == "select" and set(names) <= set(template.slots)
        return template.bind(base=self.base) if chooses else None

    def _of_inline(self, query: str, names: Sequence[str]) -> str | None:
        """Project the names as well: right where one group in braces is all there is, so that values only join it."""
        try:
            template = inline(query)
        except TemplateError:
            return None
        shape = template.shape
        body = shape.tokens[shape.open_at + 1 : shape.close_at]
        alone = _is_one_group([token.word for token in body]) and shape.close_at == len(shape.tokens) - 1
        if shape.form != "select" or not alone or shape.nested_select or "*" in shape.slots:
            return None
        if any(token.word in ("AS", "REDUCED") for token in shape.tokens[shape.form_at : shape.head_end]):
            return None
        extra = "".join(f" ?{name}" for name in names if name not in shape.slots)
        head_end = shape.tokens[shape.head_end - 1]
        at = head_end.start + len(head_end.text)
        text = query[:at] + extra + query[at:]
        return inline(text).bind(base=self.base)


def _is_one_group(words: Sequence[str]) -> bool:
    depth, closed = 0, 0
    for word in words:
        if closed:
            return False
        depth += (word == "{") - (word == "}")
        closed += depth == 0
    return bool(closed)
