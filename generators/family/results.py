"""What comes of families: items, made some facts at a time, records beside them, what there is to say, and the files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import polars as pl

from generators.items import item_lines
from kg.files import replacing
from queries.records.exemplar import Exemplar
from queries.records.item import Item
from queries.records.line_checks import LineChecks
from queries.records.passage import Passage
from queries.records.record import Record
from queries.records.shards import WHOLE, Shard
from queries.templates import Template


@dataclass
class Result:
    """The items of one family, and what there is to say about how they came to be.

    `rows`: how many its SELECT returns; `absent`: where there are none, the names in it that the graph does not have;
    `askable`: facts that can be asked about; `facts`: those that are; `left_out`: rows, by reason; `exemplars` and `passages`:
    records, where asked for. Items are made a slice of facts at a time, so that any number of them needs the same memory;
    `counts` grows as they are made.
    """

    template: Template
    rows: int
    absent: list[str]
    askable: int
    facts: int
    left_out: dict[str, int]
    exemplars: list[Exemplar]
    passages: list[Passage]
    counts: ItemCounts
    _make: Callable[[ItemCounts], Iterator[Slice]] | None
    shard: Shard = WHOLE

    def slices(self) -> Iterator[pl.DataFrame]:
        """Make the items, some facts at a time, in order. They can be made once: ValueError where they were made before."""
        return (part.items for part in self.parts())

    def parts(self) -> Iterator[Slice]:
        """Make the items as `slices` does, with how many each fact has."""
        if self._make is None:
            raise ValueError(f"the items of '{self.template.name}' were made before: keep what slices() gives")
        make, self._make = self._make, None
        for part in make(self.counts):
            self.counts.add(part.items)
            yield part

    def forget(self) -> None:
        """Make no more items, and let go of what they are made of."""
        self._make = None

    @cached_property
    def items(self) -> pl.DataFrame:
        """All items at once."""
        return pl.concat(self.slices())

    @property
    def unfilled(self) -> dict[str, int]:
        """Facts without one of their questions, by reason, among those that were made items of."""
        return self.counts.unfilled

    def summary(self, n: int | None = None) -> list[str]:
        """Say in lines how many items and facts the family gave, of `n` asked for, and what was left out and why."""
        wanted = f" of {n} asked for" if n is not None else ""
        head = f"{self.template.name}: {self.counts.items} items, {self.facts} facts{wanted}"
        lines = [f"{head}; {self.rows} rows, {self.askable} facts can be asked about"]
        lines += [f"  the graph has no {name}" for name in self.absent]
        lines += [f"  left out, {reason}: {count} rows" for reason, count in self.left_out.items()]
        return lines + [f"  not asked, {reason}: {count}" for reason, count in self.unfilled.items()]


class Slice(NamedTuple):
    """Items of some facts, and how many each fact has, null where it is another shard's."""

    items: pl.DataFrame
    sizes: Sequence[int | None] = ()


@dataclass
class ItemCounts:
    """How many items were made, of which task and hops, a question of each task and variant, and what was not asked."""

    items: int = 0
    hops: Counter[tuple[str, str]] = field(default_factory=Counter)
    questions: dict[tuple[str, str], str] = field(default_factory=dict)
    unfilled: dict[str, int] = field(default_factory=dict)

    def add(self, items: pl.DataFrame) -> None:
        """Count some items."""
        self.items += items.height
        hops = pl.col("strata").struct.field("hops").fill_null("-").alias("hops")
        kinds = items.group_by("task", "variant", hops, maintain_order=True).agg(n=pl.len(), first=pl.col("question").first())
        for task, variant, number, n, question in kinds.iter_rows():
            self.hops[task, number] += n
            self.questions.setdefault((task, variant), question)

    def add_unfilled(self, left_out: Mapping[str, int]) -> None:
        """Count facts that were not asked, by reason."""
        for reason, n in left_out.items():
            self.unfilled[reason] = self.unfilled.get(reason, 0) + n


_SIDE_RECORDS: dict[str, type[Record]] = {"exemplars": Exemplar, "passages": Passage}
"""What the files beside the items hold."""


class _NoItemsError(Exception):
    """There is no item: what stood in the files before stays there."""


def write_results(
    results: Iterable[Result],
    path: str,
    limit: int | None = None,
    side_files: Mapping[str, str | None] = {},
    *,
    families: int | None = None,
) -> tuple[int, list[Result]]:
    """Write the items of all families into one file as they are made, `limit` at most; return how many, and the results.

    Parameters: `side_files` are the paths for `exemplars` and `passages`; `families` is how many results there are, where the
    limit is to be drawn evenly of them (what one lacks goes to those behind it). Where there is no item no file is written.
    Every line is checked as `python -m queries.records check` does. Raises RecordError where one is no record, or repeats
    another one.
    """
    written, done, checks = 0, list[Result](), LineChecks(Item, path)
    # Leaving `replacing` with an error leaves each file as it was.
    with suppress(_NoItemsError), ExitStack() as stack:
        stream = stack.enter_context(replacing(path))
        others = {what: stack.enter_context(replacing(name)) for what, name in side_files.items() if name is not None}
        for at, result in enumerate(results):
            done.append(result)
            end = _end(limit, written, families, at)
            for items, sizes in result.parts() if written != end else ():
                part = items if end is None else items.head(end - written)
                stream.write(result.shard.in_place(checks.checked(item_lines(part)), sizes))
                written += part.height
                if written == end:
                    break
            result.forget()
        if not written and not _are_elsewhere(done):
            raise _NoItemsError
        for what, other in others.items():
            own = LineChecks(_SIDE_RECORDS[what], side_files[what] or what)
            other.writelines(own.checked(f"{record.line()}\n".encode()) for result in done for record in getattr(result, what))
    return written, done


def _are_elsewhere(results: Sequence[Result]) -> bool:
    """Say whether another shard may have items where this one has none."""
    return any(not result.shard.whole and result.facts for result in results)


def _end(limit: int | None, written: int, families: int | None, at: int) -> int | None:
    """Say up to which number of items a family goes: to the limit, or to its even part of what is left.

    >>> _end(None, 5, 2, 0), _end(10, 0, None, 0), _end(10, 0, 4, 0), _end(10, 3, 4, 1)
    (None, 10, 3, 6)
    """
    if limit is None or families is None:
        return limit
    left = max(families - at, 1)
    return written + -(-(limit - written) // left)


def side_file_summary(results: Sequence[Result], side_files: Mapping[str, str | None]) -> list[str]:
    """Say in lines how many exemplars and passages were written, and where."""
    counts = {what: sum(len(getattr(result, what)) for result in results) for what in side_files}
    lines = []
    for what, path in side_files.items():
        if path is not None:
            lines.append(f"{counts[what]} {what} in {path}" + (_rows_shown(results) if what == "exemplars" else ""))
            lines += _untold(results) if what == "passages" else []
    return lines


def _rows_shown(results: Sequence[Result]) -> str:
    """Say of how many rows the exemplars are: those are not asked about."""
    rows = {exemplar.source["row"] for result in results for exemplar in result.exemplars}
    return f", of {len(rows)} rows, which are not asked about (a quarter of a family's rows at most)" if rows else ""


def _untold(results: Sequence[Result]) -> list[str]:
    """Say which families have no passages, and why."""
    without = [result.template.name for result in results if result.facts and not result.passages]
    named = ", ".join(without[:4]) + (f", … ({len(without)} in all)" if len(without) > 4 else "")
    return [f"  no passages, all that the graph says of the rows is asked, or settles what is: {named}"] if without else []
