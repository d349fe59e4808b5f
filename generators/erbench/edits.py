"""Families as a person edited them, held against what the rules propose: the checks of a writer's texts, for a person's.

A text that was changed is checked as a model's is (`generators.writer`): placeholders as they were, one question, no number or
name of its own, no denial more or fewer, no rule of the linter broken. One of which the rules propose nothing is checked alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from generators.erbench.catalog import Catalog
from generators.erbench.propose import Proposal
from generators.erbench.reworded import task_of
from generators.family.rows import EntityNames
from generators.writer.checks import check_own, check_text
from kg.errors import InputError
from queries.templates import Template, parse


@dataclass(frozen=True)
class Edits:
    """How many families and changed texts there are, and a line on each that cannot be used."""

    families: int
    changed: int
    faults: list[str]

    @property
    def summary(self) -> str:
        """Say it in a line."""
        return f"{self.families} families, {self.changed} texts of your own, {len(self.faults)} of them with a fault"


def check_edits(catalog: Catalog, proposals: Sequence[Proposal], folder: Path) -> Edits:
    """Check the texts of a folder's families against the proposals of the same names.

    Raises InputError where the folder holds no family, TemplateError where a file is none.
    """
    files = sorted(folder.glob("*.rq")) if folder.is_dir() else []
    if not files:
        raise InputError("holds no families", place=str(folder), way_out="name the folder that --families wrote")
    named, names = {proposal.name: proposal for proposal in proposals}, EntityNames(catalog.graph)
    families = [(file, parse(_read(file), str(file))) for file in files]
    found = [each for file, family in families for each in _of_family(catalog, named, names, file, family)]
    return Edits(len(families), len(found), [line for line in found if line])


def _of_family(catalog: Catalog, named: dict[str, Proposal], names: EntityNames, file: Path, family: Template) -> Iterator[str]:
    """Yield for each changed text of a family what is wrong with it, or nothing."""
    proposal = named.get(family.name)
    ruled = (proposal.questions or proposal.statements) if proposal else {}
    for variant, text in _texts_of(family):
        if text == ruled.get(variant):
            continue
        known = proposal is not None and variant in ruled
        flaw = check_text(text, task_of(catalog, proposal, names), variant) if proposal and known else check_own(text)
        yield f"{file.name}: {variant}: {flaw.why}" if flaw else ""


def _texts_of(family: Template) -> Iterator[tuple[str, str]]:
    """Yield the questions of a family by variant, and the statements of a choice by slot."""
    for variant, text in (family.front.question or {}).items():
        if isinstance(text, str):
            yield variant, text
        else:
            yield from ((slot, option) for slot, option in text.options.items() if isinstance(option, str))


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("cannot be read as text", place=str(file), way_out="write it in UTF-8") from error
