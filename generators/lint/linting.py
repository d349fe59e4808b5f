"""A file of items against all rules: those of one item, and those that only all items together can break.

| over a file | broken by |
|---|---|
| `two-golds` | items of one text whose accepted answers differ |
| `repeated` | items of one text and one answer, after the first |
| `few-answers` | families whose five commonest answers cover more than 80 in 100 items |
| `one-object` | false premises beyond the 5 in 100 of a relation that one object may have |

Items made from an answer (`parent`) are of one text by design, and are left out of these.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from generators.lint.rules import FIELD_RULES, Rule, text_faults, value_faults, wording_faults, wording_of
from kg.text import fold
from queries.records import records_in
from queries.records.item import Item

TWO_GOLDS = Rule("two-golds", "has the text of another item and another answer")
REPEATED = Rule("repeated", "has the text and the answer of another item")
FEW_ANSWERS = Rule("few-answers", "belongs to a family in which five answers cover most items")
ONE_OBJECT = Rule("one-object", "names an object that too many false premises of its relation name")
FILE_RULES = [TWO_GOLDS, REPEATED, FEW_ANSWERS, ONE_OBJECT]
_COMMONEST, _MOST, _ENOUGH = 5, 0.8, 25
"""So many answers cover at most so much of a family, where it has so many items."""
_OBJECT_SHARE, _FALSE_ENOUGH = 0.05, 40
"""So much of a relation's false premises has one object at most, where it has so many of them."""


class Finding(NamedTuple):
    """A rule that an item breaks: its line, its id, the rule, the question, and what of it is at fault ("" for all of it)."""

    line: int
    item: str
    rule: Rule
    question: str
    what: str = ""


@dataclass
class Report:
    """What was found in how many items."""

    items: int = 0
    findings: list[Finding] = field(default_factory=list)

    @property
    def faulty(self) -> int:
        """How many items break a rule."""
        return len({finding.line for finding in self.findings})

    @property
    def clean(self) -> float:
        """The share of items that break none; 1 where there are none."""
        return 1.0 if not self.items else 1 - self.faulty / self.items

    def by_rule(self) -> dict[Rule, list[Finding]]:
        """Return the findings by rule, the commonest first."""
        found: dict[Rule, list[Finding]] = defaultdict(list)
        for finding in self.findings:
            found[finding.rule].append(finding)
        return dict(sorted(found.items(), key=lambda entry: (-len(entry[1]), entry[0].name)))


def lint_file(path: str) -> Report:
    """Lint a file of items (`-` is stdin, `.gz` is read too).

    Raises RecordError with file, line and field where a line is no item, SourceError where the file cannot be read.
    """
    return lint_items((line.number, item) for line, item in records_in(path, Item))


def lint_items(items: Iterable[tuple[int, Item]]) -> Report:
    """Lint items, each with the number of its line.

    >>> item = Item(schema="kgprobe.item/1", id="a", method="m", family="f", task="open", variant="v",
    ...     question="What is the founded of Oslo?", answer=["1040"], group="g")
    >>> report = lint_items([(1, item)])
    >>> report.clean, [finding.rule.name for finding in report.findings]
    (0.0, ['participle'])
    """
    report, whole = Report(), _Whole()
    for number, item in items:
        report.items += 1
        report.findings += [Finding(number, item.id, rule, item.question, what) for rule, what in _faults(item)]
        if item.parent is None:
            whole.add(number, item)
    report.findings += whole.findings()
    return report


def _faults(item: Item) -> Iterator[tuple[Rule, str]]:
    wording = wording_of(item)
    for rule in wording_faults(wording):
        yield rule, ""
    for rule in text_faults(item):
        yield rule, ""
    yield from value_faults(item)
    for rule, broken in FIELD_RULES.items():
        if broken(item):
            yield rule, ""


class _Seen(NamedTuple):
    line: int
    item: str
    question: str
    text: int
    answer: int
    family: tuple[str, str]
    said: str | None
    edited: tuple[str, str] | None


class _Whole:
    """What the rules over a file need of each item, in a few hundred bytes."""

    def __init__(self) -> None:
        self._seen: list[_Seen] = []

    def add(self, line: int, item: Item) -> None:
        """Remember an item."""
        text = hash((item.task, fold(item.question), tuple(item.options or ()), item.context, item.image))
        answer = hash(None if item.answer is None else tuple(item.answer))
        said = None
        if item.answer and item.task in ("open", "context"):
            said = item.answer[0]
        elif item.answer and item.task == "choice" and item.options:
            said = item.options[int(item.answer[0]) - 1]
        premise = item.premise
        edited = (premise.relation.iri, premise.object.iri) if premise is not None and premise.edit is not None else None
        self._seen.append(_Seen(line, item.id, item.question, text, answer, (item.method, item.family), said, edited))

    def findings(self) -> Iterator[Finding]:
        """Yield what is found in all of them."""
        yield from self._same_texts()
        yield from self._few_answers()
        yield from self._one_object()

    def _same_texts(self) -> Iterator[Finding]:
        golds: dict[int, set[int]] = defaultdict(set)
        for seen in self._seen:
            golds[seen.text].add(seen.answer)
        met: set[int] = set()
        for seen in self._seen:
            if len(golds[seen.text]) > 1:
                yield self._finding(seen, TWO_GOLDS)
            elif seen.text in met:
                yield self._finding(seen, REPEATED)
            met.add(seen.text)

    def _few_answers(self) -> Iterator[Finding]:
        said: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for seen in self._seen:
            if seen.said is not None:
                said[seen.family][seen.said] += 1
        narrow = {
            family
            for family, counts in said.items()
            if counts.total() >= _ENOUGH and sum(n for _, n in counts.most_common(_COMMONEST)) > _MOST * counts.total()
        }
        for seen in self._seen:
            if seen.said is not None and seen.family in narrow:
                yield self._finding(seen, FEW_ANSWERS)

    def _one_object(self) -> Iterator[Finding]:
        totals = Counter(seen.edited[0] for seen in self._seen if seen.edited)
        used: Counter[tuple[str, str]] = Counter()
        for seen in self._seen:
            if seen.edited and totals[seen.edited[0]] >= _FALSE_ENOUGH:
                used[seen.edited] += 1
                if used[seen.edited] > max(1, _OBJECT_SHARE * totals[seen.edited[0]]):
                    yield self._finding(seen, ONE_OBJECT)

    @staticmethod
    def _finding(seen: _Seen, rule: Rule) -> Finding:
        return Finding(seen.line, seen.item, rule, seen.question)
