"""One item of each method, shown as people read it: the question, its truth, the proof as SPARQL, and the record."""

from __future__ import annotations

import json
from pathlib import Path

from queries import Item, proof_query, read
from site_sources import DOCS, SAMPLES

METHODS = {
    "fpq": "A false premise: KG-FPQ",
    "erbench": "A question from a table: ERBench",
    "factbench": "A simple fact: FACT-BENCH",
    "unseenqa": "What nobody can know: LLMs as knowledge bases",
    "autodebug": "A passage that says something else: AutoDebug",
}


def examples(items: Path = SAMPLES / "items.jsonl") -> str:
    """Return a section for each method with the item of the samples that shows best what the method does."""
    found = read(str(items), Item)
    typical = {name: _typical([item for item in found if item.method == name]) for name in METHODS}
    return "\n\n".join(_example(title, typical[name]) for name, title in METHODS.items())


def _typical(items: list[Item]) -> Item:
    """Return the item that has most to show: one that was edited, gives options or a passage, before a plain one."""

    def shown(item: Item) -> tuple[bool, bool, bool]:
        edited = item.premise is not None and item.premise.edit in ("NSC", "NNSC", "NNSR")
        return item.task in ("choice", "context"), edited, item.variant == "swap"

    return max(items, key=shown)


def _example(title: str, item: Item) -> str:
    parts = [f"## {title}", f"> {item.question}"]
    if item.options:
        parts.append("\n".join(f"{number}. {option}" for number, option in enumerate(item.options, 1)))
    if item.context:
        parts.append("\n".join(f"> {line}" if line else ">" for line in f"*Passage.* {item.context}".split("\n")))
    parts.append(_facts(item))
    for proof in item.proof[:2]:
        expected = "" if proof.expect is None else f"\n\nIt has to be **{str(proof.expect).lower()}**."
        parts.append(f"```sparql\n{proof_query(proof).strip()}\n```{expected}")
    record = json.dumps(json.loads(item.line()), indent=2, ensure_ascii=False)
    body = "\n".join(f"    {line}" for line in f"```json\n{record}\n```".split("\n"))
    parts.append(f'??? note "The whole record"\n\n{body}')
    return "\n\n".join(parts)


def _facts(item: Item) -> str:
    answer = "nobody knows: to abstain is right" if item.answer is None else ", ".join(item.answer[:4])
    rows = [("task", f"`{item.task}`, variant `{item.variant}`"), ("right answer", answer)]
    if item.premise:
        true = ", ".join(thing.label for thing in item.premise.true_objects)
        said = (item.premise.subject, item.premise.relation, item.premise.object)
        rows += [("premise", " – ".join(thing.label for thing in said)), ("true is", true)]
    if item.rationale:
        rows.append(("an explanation names", ", ".join(f"{entry.slot}: {entry.value}" for entry in item.rationale)))
    rows.append(("proofs", f"{len(item.proof)}, of which the first follow" if len(item.proof) > 2 else str(len(item.proof))))
    return "\n".join(["| of this item | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows)])


def notebook(path: Path = DOCS / "notebook.ipynb") -> str:
    """Return the cells of the notebook as Markdown, without its first heading."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells]
    shown = [
        text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```" for cell, text in zip(cells, texts, strict=True)
    ]
    return "\n\n".join(shown[1:])
