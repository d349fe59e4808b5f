"""A small made-up benchmark for the tests of the evaluators, and its files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

EDITS = ["NSC", "NDC", "NNSC", "NNDC", "NNSR", "NNDR"]


class Done(NamedTuple):
    """How a command ended."""

    code: object
    stdout: str
    stderr: str


Command = Callable[..., Done]


def write_lines(path: Path, lines: Iterable[dict[str, Any] | str]) -> Path:
    """Write JSON Lines as another program would."""
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return path


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Read JSON Lines as another program would."""
    return [json.loads(line) for line in path.read_text().split("\n") if line]


def fpq_item(fact: int, variant: str, task: str = "yes_no") -> dict[str, Any]:
    """A question on one of ten facts (five of art, five of places): its true premise or one of the six edits.

    NSC stands 1 to 5 hops away (fact modulo 5), NDC one hop more, and one at the end of the row.
    """
    true = variant == "tpq"
    named = {"iri": f"http://example.org/{fact}/{variant}", "label": f"object {variant}"}
    hops = {"NSC": fact % 5 + 1, "NDC": (fact + 1) % 5 + 1}.get(variant)
    answers = {"yes_no": ("yes", "no"), "premise": ("accept", "reject")}[task]
    return {
        "schema": "kgprobe.item/1",
        "id": f"fpq.made.{task}.{variant}.{fact:016x}",
        "method": "fpq",
        "family": "made",
        "task": task,
        "variant": variant,
        "question": f"Is {named['label']} right for subject {fact}?",
        "answer": [answers[0] if true else answers[1]],
        "given": [{"slot": "subject", "value": f"subject {fact}"}, {"slot": "object", "value": named["label"]}],
        "premise": {
            "subject": {"iri": f"http://example.org/{fact}", "label": f"subject {fact}"},
            "relation": {"iri": "http://example.org/r", "label": "relation"},
            "object": named,
            "true_objects": [],
            "edit": None if true else variant,
            "hops": hops,
            "path": None,
        },
        "group": f"fpq.{fact}",
        "strata": {"domain": "art" if fact < 5 else "place", "edit": None if true else variant},
    }
