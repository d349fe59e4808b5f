"""Properties asked about in a model's words: each wording once, held against the rule's, never a question by question.

What a wording may be is the paper's rule (FACT-BENCH, section 2.1 and table 5): the subject in it, the answer not, and what
kind of answer is wanted said: the parts of a date, the unit, and every word that all wordings of the property share.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

import polars as pl

from generators.factbench.wordings import Wording, Wordings
from generators.writer import WordingTask, Writer

_EXAMPLES = 3
"""So many facts are told of each property; no wording may hold a value of them."""
_SLOT = re.compile(r"\{[^{}]*\}")
_ASKING = frozenset(
    ("which", "what", "when", "where", "whom", "whose", "with", "from", "into", "that", "have", "been", "does", "were", "name")
)
"""Words that say nothing about the kind of answer."""
_PARTS = ("day", "month", "year")
_SLOTS = {
    "{s}": "the subject, as: the Danube, Oslo, the film “Jaws”",
    "{kind}": "what the answer is, as: city and state",
    "{unit}": "the unit, as: square kilometres",
    "{year}": "the year that the question is about",
    "{is}": "is, or was of who has died",
    "{does}": "does, or did of who has died",
}


class _Case(NamedTuple):
    """What is worded at once: a property, for the subjects of one of its wordings, and to one precision of a date."""

    property: str
    which: int
    precision: str

    def own(self, wordings: Wordings) -> Wording:
        """Return the wording of the case."""
        wording = wordings.of(self.property)
        return wording.of[self.which - 1] if self.which else wording

    def texts(self, wordings: Wordings) -> dict[str, str]:
        """Return the rule's wordings by number."""
        return {str(i): text for i, text in enumerate(self.own(wordings).questions(self.precision or None), 1)}


def reworded(wordings: Wordings, facts: pl.DataFrame, writer: Writer) -> Wordings:
    """Have the properties of some facts worded by a model; what fails its checks keeps the rule's words.

    Parameters: `facts` has property, which, precision, said and value of what may be asked about.

    Raises ModelError where the model cannot be asked at all.
    """
    parts = facts.with_columns(pl.col("precision").fill_null("")).sort("property", "which", "precision", "key")
    groups = parts.group_by("property", "which", "precision", maintain_order=True)
    cases = {_Case(str(p), int(str(w)), str(each)): part.head(_EXAMPLES) for (p, w, each), part in groups}
    tasks = [_task(case, part, wordings) for case, part in cases.items()]
    properties = dict(wordings.properties)
    for case, task, worded in zip(cases, tasks, writer.word(tasks), strict=True):
        written = {name: worded.texts[name] for name in sorted(worded.written)}
        properties[case.property] = _with(properties[case.property], case, _distinct(written, task.texts))
    return Wordings(properties)


def _task(case: _Case, part: pl.DataFrame, wordings: Wordings) -> WordingTask:
    own, texts = case.own(wordings), case.texts(wordings)
    about = {"asks for": own.label, "answer": f"{own.type}, to the {case.precision}" if case.precision else own.type}
    slots = {slot: says for slot, says in _SLOTS.items() if any(slot in text for text in texts.values())}
    subjects = {"subjects": ", ".join(own.concepts[:4])} if own.concepts else {}
    examples = [{"s": said, "answer": value} for said, value in part.select("said", "value").iter_rows()]
    name = " ".join(filter(None, (case.property, str(case.which or ""), case.precision)))
    return WordingTask(name, texts, about | subjects | slots, examples, list(_kept(own, texts)))


def _kept(own: Wording, texts: Mapping[str, str]) -> Iterator[str]:
    """Name the words that say what is wanted: the parts of a date, else what all wordings share."""
    words = [set(re.findall(r"[a-z]+", _SLOT.sub(" ", text).lower())) for text in texts.values()]
    shared = set.intersection(*words)
    if own.type == "date":
        yield from (part for part in _PARTS if part in shared)
    else:
        yield from sorted(word for word in shared - _ASKING if len(word) > 3)


def _distinct(written: Mapping[str, str], rule: Mapping[str, str]) -> dict[int, str]:
    """Return the texts by place; one that says the same as another wording of the property leaves the rule's there."""
    kept: dict[int, str] = {}
    for name, text in written.items():
        others = {*kept.values(), *(rule[each] for each in rule if each != name and each not in written)}
        if text != rule[name] and text not in others:
            kept[int(name) - 1] = text
    return kept


def _with(wording: Wording, case: _Case, texts: Mapping[int, str]) -> Wording:
    """Put texts into a property's wording, or into one of its others."""
    if case.which:
        others = list(wording.of)
        others[case.which - 1] = _with(others[case.which - 1], case._replace(which=0), texts)
        return replace(wording, of=tuple(others))
    return replace(wording, written={**wording.written, case.precision: dict(texts)})
