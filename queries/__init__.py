"""SPARQL: templates that are bound and never pasted together, and the records that questions are kept in.

```
python -m queries list
python -m queries check my-family.rq
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.exports import imported_late

if TYPE_CHECKING:
    from queries.audit import Audit, Failure, audit_items
    from queries.errors import LexerError, ProgramError, RecordError, TemplateError
    from queries.records import Exemplar, Item, Passage, RecordView, Response, Verdict, read, read_frame, write, write_frame
    from queries.records.item import Binding, Proof
    from queries.templates import Template, find, find_version, inline, load, names, parse, proof_query, versioned

__all__ = [
    "Audit", "Binding", "Exemplar", "Failure", "Item", "LexerError", "Passage", "ProgramError", "Proof", "RecordError",
    "RecordView", "Response", "Template", "TemplateError", "Verdict", "audit_items", "find", "find_version", "inline", "load",
    "names", "parse", "proof_query", "read", "read_frame", "versioned", "write", "write_frame",
]  # fmt: skip

__getattr__ = imported_late(
    "queries",
    {
        "queries.audit": ("Audit", "Failure", "audit_items"),
        "queries.errors": ("LexerError", "ProgramError", "RecordError", "TemplateError"),
        "queries.records": (
            "Exemplar", "Item", "Passage", "RecordView", "Response", "Verdict", "read", "read_frame", "write", "write_frame",
        ),
        "queries.records.item": ("Binding", "Proof"),
        "queries.templates": (
            "Template", "find", "find_version", "inline", "load", "names", "parse", "proof_query", "versioned",
        ),
    },
)  # fmt: skip
