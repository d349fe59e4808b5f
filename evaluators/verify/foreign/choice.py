"""Which option a text in another language picks: by number or letter, by its place, by its text, or none of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from evaluators.verify.foreign.part import WORD, Part
from evaluators.verify.reading.foreign import Clause
from evaluators.verify.reading.languages import Lexicon, asks_for_wrong, fold_text
from evaluators.verify.reading.text import Span
from evaluators.verify.ruling import Ruling
from queries.records.verdict import Reason

_ROWS = ("abcdefgh", "абвгд", "ابجد", "甲乙丙丁", "一二三四五六")
_NUMBERS = {letter: number for row in _ROWS for number, letter in enumerate(row, 1)}
"""The letters that stand for options, and their numbers."""
_LABEL = re.compile(
    r"[\s:：(\[（【\"'«“]*(?:(?:la|le|el|il|lo|die|der|das|de|het|a|o|as|num?mer[oa]?)\s)?(?:n[.º°o]?\s?|nr\.?\s?|№\s?|#)?"
    r"(?:(?P<digits>\d{1,2})(?![a-z0-9]|[.,]\d|年|世|-)|(?P<letter>[a-hабвгдابجد])(?![^\W_])|(?P<han>[甲乙丙丁一二三四五六])(?![\u4e00-\u9fff]))"
)
_LAST = re.compile(r"(?<![^\W_])(\d{1,2}|[b-h])[\s.)\]\"'»”]*\Z")
"""A label at the end of a clause with a word for an option ("a alternativa correta é a 2")."""
_BEFORE = re.compile(r"(?<![^\W_\u3041-\u9fff])(\d|[a-h])\s?(?:选项|選項|番|号(?:选项)?)")
_CLOSED = re.compile(r"\s*(?:[.)\]:：,）】]|\Z|\n|号|项|个|です|だ)")
_LEAD = re.compile(r"[\W_]*")
_NO_OPTION = re.compile(r"none|neither|nothing|unsure|i don.?t know|not ", re.IGNORECASE)
_FEW_WORDS = 4
"""A clause of so few words that holds an ordinal names an option by its place."""


class Pick(NamedTuple):
    """The option that is picked (null for several), how, and where."""

    option: int | None
    reason: Reason
    span: Span


def judge(part: Part) -> Ruling:
    """Judge which option is picked.

    >>> from evaluators.verify.question import Question
    >>> ask = Question("Quale?", "choice", ("2",), options=("Roma", "Torino", "Bari"))
    >>> judge(Part("La seconda opzione.", ask, "it"))[:3], judge(Part("Non è Roma: è Torino.", ask, "it"))[:3]
    (('correct', 'exact', '2'), ('correct', 'normalised', '2'))
    """
    question, pick = part.question, _picked(part)
    if pick is None:
        return part.not_understood()
    if pick.option is None:
        return Ruling("incorrect", "several_answers", None, (pick.span,))
    option = fold_text(question.options[pick.option - 1])[0]
    if part.words and part.words.unsure.search(option):
        return Ruling("abstained", "unsure", None, (pick.span,))
    right = question.expected is not None and str(pick.option) in question.expected
    return Ruling("correct" if right else "incorrect", pick.reason if right else "wrong", str(pick.option), (pick.span,))


def _picked(part: Part) -> Pick | None:
    labelled = list(_labelled(part, part.words)) if part.words else []
    if labelled:
        number, span = labelled[-1]
        return Pick(number, "exact", span)
    return _by_text(part) or _none_of_them(part)


def _by_text(part: Part) -> Pick | None:
    """Read a pick from the options' texts: the one that is named and not denied, or the one a text begins with."""
    options = part.question.options
    places = {n: part.places((option,)) for n, option in enumerate(options, 1)}
    upheld: dict[int, Span] = {}
    for number, spans in places.items():
        longer = [span for n, found in places.items() if n != number for span in found]
        outside = [(a, b) for a, b in spans if not any(c <= a and b <= d and d - c > b - a for c, d in longer)]
        standing = [span for span in outside if not part.text.denies(span)]
        if standing:
            upheld[number] = standing[0]
    if not upheld:
        return None
    first = min(upheld, key=lambda number: upheld[number])
    start = part.text.folded(upheld[first])[0]
    alone = not WORD.search(part.text.low, part.span[0], start) and not _joined(part, upheld[first])
    if len(upheld) > 1 and not alone:
        return Pick(None, "several_answers", upheld[first])
    return Pick(first, "exact" if alone else "normalised", upheld[first])


def _joined(part: Part, span: Span) -> bool:
    """Tell whether an "or" or "and" follows."""
    words, marked = part.words, part.text.marked
    if words is None:
        return False
    at = _LEAD.match(marked, part.text.folded(span)[1])
    place = at.end() if at else 0
    return bool(words.either.match(marked, place) or words.both.match(marked, place))


def _none_of_them(part: Part) -> Pick | None:
    """Read "none of these" as the option that says so."""
    words = part.words
    said = part.found(words.none) if words else None
    if words is None or said is None:
        return None
    options = [fold_text(option)[0] for option in part.question.options]
    none = [n for n, option in enumerate(options, 1) if _NO_OPTION.match(option) or words.none.search(option)]
    return Pick(none[0], "normalised", said) if none else None


def _labelled(part: Part, words: Lexicon) -> Iterator[tuple[int, Span]]:
    """Yield options named by number, letter or place, in the order of the text."""
    low, many = part.text.low, len(part.question.options)
    wanted_wrong = asks_for_wrong(part.question.text)
    for clause in part.clauses:
        called_wrong = words.wrong.search(low, clause.start, clause.end) is not None
        if clause.denied and not (wanted_wrong and called_wrong):
            continue
        named = [match.end() for match in words.option.finditer(low, clause.start, clause.end)]
        for label in _labels(part, clause, named):
            number = int(label[0]) if label[0].isdigit() else _NUMBERS[label[0]]
            if 1 <= number <= many:
                yield number, part.text.span(label[1])
        short = len(WORD.findall(low[clause.start : clause.end])) <= _FEW_WORDS
        yield from _placed(part, words, clause, anywhere=bool(named) or (wanted_wrong and called_wrong) or short)


def _labels(part: Part, clause: Clause, named: list[int]) -> Iterator[tuple[str, Span]]:
    """Yield the labels of a clause: behind a word for an option, where the text begins, before such a word, at the end."""
    low = part.text.low
    lead = _LEAD.match(low, part.span[0])
    leads = [lead.end()] if lead and clause is part.clauses[0] else []
    for at in (*named, *leads):
        label = _LABEL.match(low, at)
        if label and (at in named or _CLOSED.match(low, label.end())):
            group = next(group for group in ("digits", "letter", "han") if label[group])
            yield label[group], label.span(group)
    last = _LAST.search(low, clause.start, clause.end) if named else None
    for label in (*_BEFORE.finditer(low, clause.start, clause.end), *([last] if last and named[-1] < last.start() else [])):
        yield label[1], label.span(1)


def _placed(part: Part, words: Lexicon, clause: Clause, *, anywhere: bool) -> Iterator[tuple[int, Span]]:
    """Yield options named by their place ("l'ultima", "die zweite Option"): anywhere, or where a clause ends."""
    many = len(part.question.options)
    for number, pattern in (*enumerate(words.ordinals, 1), (many, words.last)):
        match = pattern.search(part.text.low, clause.start, clause.end)
        if match and number <= many and (anywhere or not WORD.search(part.text.low, match.end(), clause.end)):
            yield number, part.text.span(match.span())
