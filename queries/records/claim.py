"""What an answer claims, and how that stands to a graph: one line of `claims.jsonl`."""

from __future__ import annotations

from typing import ClassVar, Literal

from queries.records.item import Named
from queries.records.record import Count, Id, Name, Record, Text

CLAIM_SCHEMA: Literal["kgprobe.claim/1"] = "kgprobe.claim/1"
Standing = Literal["stated", "contradicted", "unknown"]


class Value(Record, frozen=True):
    """An entity by its IRI and label, or (without an IRI) a value."""

    iri: Name | None
    label: Text


class Claim(Record, frozen=True, kw_only=True):
    """That a subject stands in a relation to an object, or (`denied`) that it does not, and what a graph says of it.

    `kind`: the answer to the question itself, or what explains it. `true` are the objects that the graph has (ten at most);
    `hops` how far the claim is from what the question names (null beyond two); `by` the model that read it from the text (null
    for rules); `number` counts the claims of one answer.
    """

    KEY: ClassVar[tuple[str, ...]] = ("item", "model", "sample", "number")

    schema: Literal["kgprobe.claim/1"]
    item: Id
    model: Name
    sample: Count
    number: Count
    kind: Literal["answer", "explanation"]
    subject: Named
    relation: Named
    object: Value
    denied: bool
    standing: Standing
    true: list[Value] = []
    span: tuple[Count, Count]
    hops: Count | None
    by: Text | None
