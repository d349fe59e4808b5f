"""Proposed families in a model's words: each worded once, from what it asks, the schema's own names, and a few values.

What the checks of `generators.writer` refuse keeps the rule's wording. Of a choice the statements are worded, which all its
variants share; the question above them stays the rule's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generators.column_names import WordLists
from generators.erbench.catalog import Catalog
from generators.erbench.propose import Proposal
from generators.family.rows import EntityNames, RowParts
from generators.writer import WordingTask, Writer
from queries.templates import Template

_EXAMPLES = 3
"""So many rows are shown of each family."""


def reworded(catalog: Catalog, proposals: Sequence[Proposal], writer: Writer) -> tuple[list[Proposal], dict[str, str]]:
    """Have families worded; return them, and by the name of each that has a text of the writer's, the writer's name.

    Raises ModelError where the model cannot be asked at all.
    """
    names = EntityNames(catalog.graph)
    tasks = [task_of(catalog, proposal, names) for proposal in proposals]
    worded = {task.name: said for task, said in zip(tasks, writer.word(tasks), strict=True)}
    texts = {name: said.texts for name, said in worded.items()}
    return [p.with_texts(texts[p.name]) for p in proposals], {name: writer.name for name, w in worded.items() if w.written}


def task_of(catalog: Catalog, proposal: Proposal, names: EntityNames) -> WordingTask:
    """Return what is to be worded of a family, which a text of somebody else's is held against."""
    about = {"asks for": str(proposal.front["summary"]), "query": proposal.query}
    examples = list(_examples(catalog, proposal.template, names))
    return WordingTask(proposal.name, proposal.questions or proposal.statements, about, examples, list(_kept(catalog)))


def _examples(catalog: Catalog, template: Template, names: EntityNames) -> Iterator[dict[str, str]]:
    """Show what the first rows say, in the order of their values."""
    frame = next(iter(RowParts(catalog.graph, template, 0, names))).frame
    slots = [slot for slot in (*template.front.key, *template.front.answers) if slot in frame.columns]
    for row in frame.select(slots).drop_nulls().head(_EXAMPLES).iter_rows(named=True):
        yield {slot: str(value) for slot, value in row.items()}


def _kept(catalog: Catalog) -> Iterator[str]:
    """Name what stays in a text that has it: of what the database is, and units."""
    for setting in (catalog.about, catalog.database):
        if setting:
            braced = setting.replace("{", "{{").replace("}", "}}")
            first, _, rest = braced.partition(" ")
            yield rest if rest and first.lower() in WordLists.load().prepositions else braced
    yield from dict.fromkeys(WordLists.load().units.values())
