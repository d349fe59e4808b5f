"""Which option a text in another language picks: by number or letter, by its place, by its text, or none of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from evaluators.verify.foreign.named import values_in
from evaluators.verify.foreign.part import WORD, Part, may_be_same
from evaluators.verify.question import Entry
from evaluators.verify.reading.foreign import Clause
from evaluators.verify.reading.languages import asks_for_wrong, asks_negated
from evaluators.verify.reading.lexicon import Lexicon, fold_text
from evaluators.verify.reading.text import Span
from evaluators.verify.ruling import Ruling
from kg.dates import find_dates
from kg.patterns import late
from queries.records.verdict import Reason

_ROWS = ("abcdefgh", "абвгд", "ابجد", "甲乙丙丁", "一二三四五六")
_NUMBERS = {letter: number for row in _ROWS for number, letter in enumerate(row, 1)}
"""The letters that stand for options, and their numbers."""
_LABEL = late(
    r"[\s:：(\[（【\"'«“]*(?:(?:la|le|el|il|lo|die|der|das|de|het|a|o|as|num?mer[oa]?)\s)?(?:n[.º°o]\s?|n\s?(?=\d)|nr\.?\s?|№\s?|#)?"
    r"(?:(?P<digits>\d{1,2})(?![a-z0-9]|[.,]\d|年|世|-)|(?P<letter>[a-hабвгдابجد])(?![^\W_\u3041-\u9fff])|(?P<han>[甲乙丙丁一二三四五六])(?![\u4e00-\u9fff]))"
)
_LAST = re.compile(r"(?<![^\W_])(\d{1,2}|[b-h])[\s.)\]\"'»”:;,—–-]*\Z")
"""A label at the end of a clause with a word for an option ("a alternativa correta é a 2")."""
_BEFORE = late(r"(?<![^\W_\u3041-\u9fff])(\d|[a-h])\s?(?:选项|選項|番|号(?:选项)?)")
_ALONE = re.compile(
    r"(?<![\w°.'’])(?:\*\*|__|[(\[（【「『«\"“])\s?(?P<marked>[A-Ha-h]|[АБВГД]|[1-9])[.)]?\s?(?:\*\*|__|[)\]）】」』»\"”])(?!\w)"
    r"|(?P<circled>[①-⑨])|(?<![\w°.'’-])(?P<letter>[BCDFGH])(?![\w°'’-]|\.\s?[A-Z])"
)
"""A label that stands for itself wherever it stands: in bold, brackets or a circle, or a lone capital that is no word."""
_CLOSED = re.compile(r"\s*(?:[.)\]:：,）】]|\Z|\n|号|项|个|です|だ|の|番)")
_LEAD = re.compile(r"[\W_]*")
_NO_OPTION = re.compile(r"none|neither|nothing|unsure|i don.?t know|not ", re.IGNORECASE)
_UNSURE = re.compile(r"unsure|not sure|(?:i )?(?:don.?t|do not) know|cannot (?:tell|say)|uncertain")
"""An option that takes none, in a question in English."""
_SHORT = 3
"""Two forms of a name begin with so many letters."""
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
    if _UNSURE.match(option) or (part.words and part.words.unsure.search(option)):
        return Ruling("abstained", "unsure", None, (pick.span,))
    right = question.expected is not None and str(pick.option) in question.expected
    return Ruling("correct" if right else "incorrect", pick.reason if right else "wrong", str(pick.option), (pick.span,))


def _picked(part: Part) -> Pick | None:
    if part.words:
        named = list(_labelled(part, part.words))
        if named:
            chosen = named[0] if asks_for_wrong(part.question.text) else named[-1]
            return Pick(chosen[0], "exact", chosen[1])
        alone = list(_alone(part))
        if len({number for number, _ in alone}) == 1:
            return Pick(alone[-1][0], "exact", alone[-1][1])
    return _by_text(part) or _none_of_them(part)


def _by_text(part: Part) -> Pick | None:
    """Read a pick from the options' texts: the one that is named and not denied, or the one a text begins with."""
    options = part.question.options
    places = {
        n: part.places((option,)) or _as_value(part, option) or _in_another_form(part, n) for n, option in enumerate(options, 1)
    }
    upheld: dict[int, Span] = {}
    denied: dict[int, Span] = {}
    for number, spans in places.items():
        longer = [span for n, found in places.items() if n != number for span in found]
        outside = [(a, b) for a, b in spans if not any(c <= a and b <= d and d - c > b - a for c, d in longer)]
        standing = [span for span in outside if not part.text.denies(span)]
        if standing:
            upheld[number] = standing[0]
        elif outside:
            denied[number] = outside[0]
    if len(denied) == 1 and len(upheld) != 1 and asks_negated(part.question.text) and not asks_for_wrong(part.question.text):
        return _the_denied(denied)
    if not upheld:
        return None
    upheld = _in_first_sentence(part, upheld)
    first = min(upheld, key=lambda number: upheld[number])
    start = part.text.folded(upheld[first])[0]
    alone = not WORD.search(part.text.low, part.span[0], start) and not _joined(part, upheld[first])
    if len(upheld) > 1 and not alone:
        return Pick(None, "several_answers", upheld[first])
    return Pick(first, "exact" if alone else "normalised", upheld[first])


def _in_another_form(part: Part, number: int) -> list[Span]:
    """Find an option of one word by a word with a capital that may be that name, and no other option's ("Plutón", "Pluto")."""
    options = part.question.options
    option = options[number - 1]
    if not WORD.fullmatch(option) or not option[0].isupper():
        return []
    others = [word for n, other in enumerate(options, 1) if n != number for word in WORD.findall(other)]
    begin = fold_text(option)[0][:_SHORT]
    named = (m for m in WORD.finditer(part.text.original) if m[0][0].isupper() and fold_text(m[0])[0].startswith(begin))
    found = [m.span() for m in named if may_be_same(m[0], option) and not any(may_be_same(m[0], other) for other in others)]
    return [span for span in found if part.counts(span)]


def _as_value(part: Part, option: str) -> list[Span]:
    """Find an option that is a number or a date, in the language's own form ("1er janvier 2002")."""
    kind: Literal["date", "number"] | None = "date" if find_dates(option) else "number" if option.strip().isdigit() else None
    spans = values_in(part, option, Entry("", option, type=kind)) if kind else ()
    return [span for span in spans if part.counts(span)]


def _the_denied(denied: dict[int, Span]) -> Pick:
    """Return the option of which a text denies what a question denies ("Through which does it not flow?")."""
    number, span = next(iter(denied.items()))
    return Pick(number, "normalised", span)


def _in_first_sentence(part: Part, upheld: dict[int, Span]) -> dict[int, Span]:
    """Leave the options of the first sentence of what a text declares, if it names any."""
    if not part.span[0]:
        return upheld
    ends = [c.end for c in part.clauses if c.sentence == part.clauses[0].sentence]
    first = {n: span for n, span in upheld.items() if part.text.folded(span)[0] < ends[-1]}
    return first or upheld


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
    for clause in _picking(part, words):
        named = [match.end() for match in words.option.finditer(low, clause.start, clause.end)]
        for label in _labels(part, clause, named):
            number = int(label[0]) if label[0].isdigit() else _NUMBERS[label[0]]
            if 1 <= number <= many:
                yield number, part.text.span(label[1])
        short = len(WORD.findall(low[clause.start : clause.end])) <= _FEW_WORDS
        wrong = asks_for_wrong(part.question.text) and _calls_wrong(part, words, clause)
        yield from _placed(part, words, clause, anywhere=bool(named) or wrong or short)


def _picking(part: Part, words: Lexicon) -> list[Clause]:
    """Return the clauses that may pick: those that deny nothing, or call wrong or deny what is asked for as such."""
    if not asks_for_wrong(part.question.text):
        return [clause for clause in part.clauses if not clause.denied]
    called = [clause for clause in part.clauses if _calls_wrong(part, words, clause)]
    return called + [
        clause for clause in part.clauses if clause not in called and not words.true.search(part.text.low, *clause[:2])
    ]


def _calls_wrong(part: Part, words: Lexicon, clause: Clause) -> bool:
    """Tell whether a clause calls something wrong, or denies it without a word for the answer."""
    low = part.text.low
    if words.wrong.search(low, clause.start, clause.end):
        return True
    return clause.denied and not words.declared.search(low, clause.start, clause.end)


def _labels(part: Part, clause: Clause, named: list[int]) -> Iterator[tuple[str, Span]]:
    """Yield a clause's labels: behind a word for an option or a verb, where the text begins, before a word, at the end."""
    low = part.text.low
    lead = _LEAD.match(low, part.span[0])
    leads = [lead.end()] if lead and clause is part.clauses[0] else []
    counted = any(option.strip().isdigit() for option in part.question.options)
    verbs = (
        [] if counted or part.words is None else [m.end() for m in part.words.copula.finditer(part.text.marked, *clause[:2])]
    )
    for at in (*named, *leads, *verbs):
        label = _LABEL.match(low, at)
        if label and (at in named or label.end() == part.span[1] or _CLOSED.match(low, label.end()) or _judged(part, label)):
            group = next(group for group in ("digits", "letter", "han") if label[group])
            yield label[group], label.span(group)
    last = _LAST.search(low, clause.start, clause.end) if named else None
    for label in (*_BEFORE.finditer(low, clause.start, clause.end), *([last] if last and named[-1] < last.start() else [])):
        yield label[1], label.span(1)


def _judged(part: Part, label: re.Match[str]) -> bool:
    """Tell whether a number is said to be or not to be something ("la 3 no es verdad")."""
    words, marked = part.words, part.text.marked
    assert words is not None
    at = label.end() + (marked[label.end() : label.end() + 1] == " ")
    return label["digits"] is not None and any(list_.match(marked, at) for list_ in (words.copula, words.negation))


def _alone(part: Part) -> Iterator[tuple[int, Span]]:
    """Yield the labels that need no word for an option beside them ("fico com a **B**")."""
    words = part.words
    assert words is not None
    negated = asks_negated(part.question.text) and not asks_for_wrong(part.question.text)
    for clause in part.clauses if negated else _picking(part, words):
        for label in _ALONE.finditer(part.text.original, *part.within(clause)):
            group = next(group for group in ("marked", "circled", "letter") if label[group])
            name = fold_text(label[group])[0]
            number = int(name) if name.isdigit() else _NUMBERS[name]
            if 1 <= number <= len(part.question.options):
                yield number, label.span(group)


def _placed(part: Part, words: Lexicon, clause: Clause, *, anywhere: bool) -> Iterator[tuple[int, Span]]:
    """Yield options named by their place ("l'ultima", "die zweite Option"): anywhere, or where a clause ends."""
    many = len(part.question.options)
    for number, pattern in (*enumerate(words.ordinals, 1), (many, words.last)):
        match = pattern.search(part.text.low, clause.start, clause.end)
        if match and number <= many and (anywhere or not WORD.search(part.text.low, match.end(), clause.end)):
            yield number, part.text.span(match.span())
