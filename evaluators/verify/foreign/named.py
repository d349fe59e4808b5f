"""Short answers in another language: an accepted name, number or date, or clearly another one; and explanations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from evaluators.verify.foreign.part import WIDE, WORD, Part, is_short, may_be_same
from evaluators.verify.question import Entry
from evaluators.verify.reading.foreign import Clause, ForeignText
from evaluators.verify.reading.foreign_numbers import in_digits
from evaluators.verify.reading.lexicon import fold_text
from evaluators.verify.reading.text import Span, Text
from evaluators.verify.reading.values import Wanted, WordRange, dates_like, numbers_like
from evaluators.verify.ruling import Ruling, unscored
from kg.dates import find_dates
from kg.numbers import find_numbers
from kg.patterns import late
from queries.records.verdict import Reason

_FAR = late("[\u0370-\u1cff\u2e80-\ufffd]")
"""A letter of another script than Latin."""
_OWN_LETTERS = {"ru": "[\u0400-\u04ff]", "ar": "[\u0600-\u06ff]", "zh": "[\u3400-\u9fff]", "ja": "[\u3041-\u9fff]"}
_LIST_WORDS = 12
"""A list of names is no longer."""
_BESIDE, _REACH = 6, 30
"""Characters before a name among which an "of" is looked for, and beside an "or", a further answer."""
_FEW_WORDS = 4
"""A clause of so few words may be an answer alone."""
_SENTENCE = re.compile(r"[.!?。！？\n](?!\d)")
_OF = re.compile(r"(?<![^\W_])(?:von|van|de(?: l[aoe]s?| l)?|du|di|del|dell|della|do|da|dos|des|der|d|d'|of)\s\Z")
_OWNED = re.compile(r"\s?(?:的|の)")


_STRICTEST: tuple[Reason, ...] = ("exact", "numeric", "date", "alias")
"""Reasons of an acceptance; of several at one place the first counts."""


class Candidate(NamedTuple):
    """An accepted answer in the text: its characters, and why it is accepted."""

    span: Span
    reason: Reason


def judge(part: Part) -> Ruling:
    """Judge a short answer.

    >>> from evaluators.verify.question import Question
    >>> ask = Question("Wer schrieb den Faust?", "open", ("Johann Wolfgang von Goethe",))
    >>> judge(Part("Das ist ein Werk Goethes.", ask, "de")).outcome, judge(Part("Den schrieb Schiller.", ask, "de")).reason
    ('correct', 'wrong')
    """
    question, text = part.question, part.text
    if question.expected is None:
        doubtful = part.words is None or part.denies or part.breaks_off
        withheld = None if part.words and _claims_first(part) else part.withheld
        return withheld or (unscored("language") if doubtful and not _claims_first(part) else Ruling("incorrect", "wrong"))
    entry = Entry("", question.expected[0], question.expected[1:], question.type, question.unit, question.precision)
    found = [c for c in _candidates(part, entry) if part.counts(c.span) and not _in_passing(part, c.span)]
    upheld = [candidate for candidate in found if not text.denies(candidate.span)]
    if not found:
        another = _another(part)
        withheld = None if another and _claims_first(part) else part.withheld
        return withheld or (Ruling("incorrect", "wrong") if another else unscored("language"))
    if not upheld:
        return Ruling("incorrect", "denied", None, (found[0].span,))
    span, reason = upheld[0]
    answer = text.original[slice(*span)]
    if _offered(part, span) or _listed(part, span):
        return Ruling("incorrect", "several_answers", answer, (span,))
    spans = [candidate.span for candidate in upheld]
    other = _said_of_another(part, spans) or _overruled(part, spans)
    if not other and question.type in ("number", "date") and _counted_otherwise(part, spans):
        return unscored("language")
    return Ruling("incorrect", "wrong", None, (part.within(other),)) if other else Ruling("correct", reason, answer, (span,))


def _in_passing(part: Part, span: Span) -> bool:
    """Tell whether a name stands among other words in brackets, behind another name ("Jaroslawl (früher in Kostroma)")."""
    original = part.text.original
    opened = max(original.rfind("(", 0, span[0]), original.rfind("（", 0, span[0]))
    if opened < 0 or max(original.find(")", opened, span[0]), original.find("）", opened, span[0])) >= 0:
        return False
    clauses = [part.clause_of((opened, opened + 1)), part.clause_of((max(0, opened - 2), opened))]
    inside = [word for word in WORD.findall(original[opened : span[0]]) if word.islower()]
    return len(inside) > 1 and any(part.names_anew(clause) for clause in clauses if clause.start < part.text.folded(span)[0])


def hops(part: Part) -> tuple[bool, ...]:
    """Tell of each value that a right explanation names whether the text does, and does not deny it."""
    entries = part.question.rationale
    return tuple([any(not part.text.denies_as(found.span) for found in _candidates(part, entry)) for entry in entries])


def _candidates(part: Part, entry: Entry) -> list[Candidate]:
    """Find a value by its numbers and dates, or by its names."""
    accepted = (entry.value, *entry.aliases)
    found = [c for value in accepted for c in _values(part, value, entry)] if entry.type != "entity" else []
    if entry.type != "number":
        preferred = fold_text(entry.value)[0]
        for span in part.text.find(accepted):
            same = fold_text(part.text.original[slice(*span)])[0] == preferred
            found.append(Candidate(span, "exact" if same else "alias"))
    return sorted(set(found), key=lambda candidate: (candidate.span, _STRICTEST.index(candidate.reason)))


def _values(part: Part, value: str, entry: Entry) -> Iterator[Candidate]:
    dates = find_dates(value)
    # An alias whose month is not understood is a year to `find_dates`: it would be right for any day of it.
    coarser = {"day": ("year", "month"), "month": ("year",)}.get(entry.precision or "", ())
    if dates and dates[0].precision in coarser:
        return
    wanted = Wanted(value, entry.type, entry.unit, entry.precision, "", part.language)
    for clause in part.clauses:
        start, end = part.within(clause)
        written = part.text.original[start:end]
        digits = in_digits(written, part.language)
        piece = Text(digits)
        found: list[tuple[Reason, WordRange]] = [("numeric", place) for place in numbers_like(piece, wanted)]
        found += [("date", place) for place in dates_like(piece, wanted)]
        for reason, (first, last) in found:
            # Where numbers stand in words, the whole clause is pointed at.
            yield Candidate(_shifted(piece.span(first, last), start) if digits == written else (start, end), reason)


def values_in(part: Part, value: str, entry: Entry) -> list[Span]:
    """Return where a text has a number or a date, in its language's own form."""
    return [candidate.span for candidate in _values(part, value, entry)]


def _shifted(span: Span, by: int) -> Span:
    return span[0] + by, span[1] + by


def _offered(part: Part, span: Span) -> bool:
    """Tell whether an answer stands beside an "or" and another one; a question that offers alternatives proves nothing."""
    words, marked = part.words, part.text.marked
    if words is None or words.either.search(fold_text(part.question.text)[0]):
        return False
    start, end = part.text.folded(span)
    clause = part.clause_of(span)
    if words.one_of.search(marked, clause.start, clause.end):
        return True
    first, last = max(0, start - 2 * _REACH), min(len(marked), end + 2 * _REACH)
    for link in words.either.finditer(marked, first, last):
        behind = link.start() >= end
        beside = (end, link.start()) if behind else (link.end(), start)
        further = (
            (link.end(), min(len(marked), link.end() + _REACH)) if behind else (max(0, link.start() - _REACH), link.start())
        )
        if (behind or link.end() <= start) and part.only_small(beside) and _alternative(part, further, of_first=behind):
            return True
    return _left_open(part, span)


def _alternative(part: Part, beside: Span, *, of_first: bool) -> bool:
    """Tell whether something else than the answer stands on the other side of an "or", in the same sentence."""
    signs = list(_SENTENCE.finditer(part.text.marked, *beside))
    if signs:
        beside = (beside[0], signs[0].start()) if of_first else (signs[-1].end(), beside[1])
    other = part.text.original[slice(*part.text.span(beside))]
    if not WORD.search(other) and not any(character.isdigit() for character in other):
        return False
    if part.question.type in ("number", "date"):
        return bool(find_numbers(in_digits(other, part.language)))
    return not ForeignText(other, part.language).find(part.question.expected or ())


def _left_open(part: Part, span: Span) -> bool:
    """Tell whether an answer is one of several that some and others name, or that may be ("vielleicht X, vielleicht Y")."""
    words, marked = part.words, part.text.marked
    assert words is not None
    start, end = part.text.folded(span)
    for divided in words.divided.finditer(marked, *part.span):
        if divided.start() - _REACH <= end and start <= divided.end() + _REACH:
            return True
    doubted = [n for n, clause in enumerate(part.clauses) if words.maybe.search(marked, clause.start, clause.end)]
    here = [n for n in doubted if part.clauses[n].start <= start < part.clauses[n].end]
    beside = [part.clauses[n] for m in doubted if m not in here for n in (m, m + 1) if n < len(part.clauses) and n not in here]
    return bool(here) and any(part.names_anew(clause) and not _names_answer(part, clause) for clause in beside)


def _names_answer(part: Part, clause: Clause) -> bool:
    return any(part.clause_of(span) == clause for span in part.text.find(part.question.expected or ()))


def _overruled(part: Part, upheld: list[Span]) -> Clause | None:
    """Return a later clause that says how it really is, or is now, with another name or number than the answer.

    | the answer stands in | the later clause has |
    |---|---|
    | any clause | a word for "really", and little else, or what is asked |
    | a clause of what was so | a word for "now", and what is asked |
    """
    words, marked = part.words, part.text.marked
    if words is None or not upheld:
        return None
    holding = [part.clause_of(span) for span in upheld]
    last = max(clause.start for clause in holding)
    past = all(words.formerly.search(marked, clause.start, clause.end) for clause in holding)
    for clause in part.clauses:
        if clause.start <= last or clause.denied or not _gives_another(part, clause):
            continue
        says = part.says_what_is_asked(clause) or len(WORD.findall(marked, clause.start, clause.end)) <= _FEW_WORDS
        if words.really.search(marked, clause.start, clause.end) and says:
            return clause
        if past and words.now.search(marked, clause.start, clause.end) and (says or part.question.type in ("date", "number")):
            return clause
    return None


def _counted_otherwise(part: Part, upheld: list[Span]) -> bool:
    """Tell whether a clause that is set against that of a number counts otherwise ("neuf ..., mais il y en a dix")"""
    holding = [part.clause_of(span) for span in upheld]
    last = max(clause.start for clause in holding)
    later = [clause for clause in part.clauses if clause.start > last and clause.sentence == holding[-1].sentence]
    return any(part.contrasts(clause) and not clause.denied and _gives_another(part, clause) for clause in later)


def _gives_another(part: Part, clause: Clause) -> bool:
    """Tell whether a clause without the answer has something of its kind."""
    if part.question.type in ("date", "number"):
        return part.gives_a_value(clause)
    return part.names_anew(clause)


def _listed(part: Part, span: Span) -> bool:
    """Tell whether a text is a list of names, of which the answer is one."""
    words, original = part.words, part.text.original
    if words is None or WIDE.search(original) or part.question.type in ("date", "number"):
        return False
    tokens = WORD.findall(original)
    rest = original[: span[0]] + " " + original[span[1] :]
    if _joined(part, span):
        return True
    joined = words.both.search(fold_text(rest)[0]) or "," in rest
    small = [token for token in tokens if not token[0].isupper() and not words.both.fullmatch(fold_text(token)[0])]
    return bool(joined) and not small and len(tokens) <= _LIST_WORDS and len(WORD.findall(rest)) > 1


def _joined(part: Part, span: Span) -> bool:
    """Tell whether an "and" with another name follows, and both are what the sentence says, or of what it says something.

    "Picasso e Dalí pintaram juntos", "de Picasso e Dalí." In German every noun could be that name.
    """
    words, marked, text = part.words, part.text.marked, part.text
    if words is None or part.question.type != "entity" or part.language in ("de", "ar"):
        return False
    start, end = text.folded(span)
    link = words.both.match(marked, end + (marked[end : end + 1] == " "))
    if link is None:
        return False
    rest = text.original[text.span((link.start(), link.end()))[1] :][:_REACH]
    name = re.match(r"\s+((?:[^\W\d_]\w*[ -]?)+)", rest)
    names = [word for word in (name[1].split() if name else []) if word[0].isupper()]
    if (
        not names
        or fold_text(names[0])[0] in part.given_words
        or ForeignText(rest, part.language).find(part.question.expected or ())
    ):
        return False
    leads = not WORD.search(marked, part.clause_of(span).start, start)
    ends = re.match(r"\s+" + r"\s".join(map(re.escape, names)) + r"\s*(?:[.,;!?]|\Z)", rest) is not None
    return leads or ends


def _said_of_another(part: Part, upheld: list[Span]) -> Clause | None:
    """Return a clause that says what is asked with another name, where no clause with the answer does.

    It must stand apart ("La tomba è a Ravenna, ma morì a Venezia"), or own the answer ("Max Brod, ami de Kafka").
    """
    words = part.words
    if words is None or part.question.type in ("date", "number"):
        return None
    answer = part.clauses[0]
    if all(_owned(part, span) for span in upheld) and len(WORD.findall(part.text.low[answer.start : answer.end])) <= _FEW_WORDS:
        held = part.clause_of(upheld[0])
        apart = held.start > answer.start and held.sentence == answer.sentence and not answer.denied
        if apart and not part.says_what_is_asked(held) and part.names_anew(answer):
            return answer  # "Salvador Dalí, amigo de Picasso"
    if (aside := _in_apposition(part, upheld)) is not None:
        return aside
    holding = [part.clause_of(span) for span in upheld]
    saying = [clause for clause in part.clauses if part.says_what_is_asked(clause) and not clause.denied]
    colons = [clause.end for clause in saying if part.text.low[clause.start : clause.end].rstrip().endswith((":", "—", "–"))]
    if any(
        clause.start == held.start or clause.end == held.end or held.start in colons for clause in saying for held in holding
    ):
        return None
    owned = all(_owned(part, span) for span in upheld)
    for clause in saying:
        if not (part.names_a_place(clause) if part.asks_place else part.names_anew(clause)):
            continue
        apart = all(part.begins_anew(max(clause, held)) for held in holding)
        if owned or apart:
            return clause
    return None


def _in_apposition(part: Part, upheld: list[Span]) -> Clause | None:
    """Return the clause that ends in a name, whose the answer only is ("van Ferdinand Bol, leerling van ...")."""
    if WIDE.search(part.text.original):
        return None
    clauses, low = part.clauses, part.text.low
    for span in upheld:
        held = part.clause_of(span)
        at = next((n for n, clause in enumerate(clauses) if clause.start == held.start), 0)
        before = clauses[max(0, at - 1)]
        close = (
            at > 0
            and low[before.start : before.end].rstrip().endswith((",", "–", "-", "("))
            and before.sentence == held.sentence
        )
        if not close or before.denied or not _owned(part, span) or part.says_what_is_asked(held):
            return None
        if len(WORD.findall(low, held.start, part.text.folded(span)[0])) > _FEW_WORDS:
            return None
        words = WORD.findall(part.text.original[slice(*part.within(before))])
        known = part.given_words | (part.words.function if part.words else frozenset())
        if not words or not words[-1][0].isupper() or fold_text(words[-1])[0] in known:
            return None
    return before


def _owned(part: Part, span: Span) -> bool:
    """Tell whether a name stands there only as whose something is ("ami de Kafka", "卡夫卡的朋友")."""
    start, end = part.text.folded(span)
    if part.language == "ru":  # any other case than the accepted names have
        words = {word for name in part.question.expected or () for word in WORD.findall(fold_text(name)[0])}
        before = WORD.findall(part.text.low[max(0, start - _REACH) : start])
        governed = not before or (part.words is not None and before[-1] in part.words.function)
        return not governed and words.isdisjoint(WORD.findall(part.text.low[start:end]))
    if part.language == "de" and part.text.low[end - 1 : end] == "s":  # "Schüler Rembrandts"
        names = {fold_text(name)[0] for name in part.question.expected or ()}
        return part.text.low[start:end] not in names and part.text.low[start : end - 1] in names
    return bool(_OF.search(part.text.low, max(0, start - _BESIDE), start) or _OWNED.match(part.text.low, end))


def _claims_first(part: Part) -> bool:
    """Tell whether a text begins with a name or value, and says only later that it does not know something."""
    withheld, first = part.withheld, part.clauses[0]
    if withheld is None or not withheld.spans:
        return False
    hedge = part.clause_of(withheld.spans[0])
    if hedge.sentence == first.sentence:
        return _set_against(part, hedge)
    opening = [clause for clause in part.clauses if clause.sentence == first.sentence]
    return not any(clause.denied for clause in opening) and any(map(part.names_anew, opening))


def _set_against(part: Part, hedge: Clause) -> bool:
    """Tell whether a name is set against a hedge: "c'était Weimar, mais je n'en suis pas sûr", "not sure, but Weimar"."""
    at = part.clauses.index(hedge) if hedge in part.clauses else -1
    for n in (at - 1, at + 1):
        if at >= 0 and 0 <= n < len(part.clauses) and part.clauses[n].sentence == hedge.sentence:
            later = part.clauses[max(n, at)]
            if part.contrasts(later) and not part.clauses[n].denied and part.names_anew(part.clauses[n]):
                return True
    return False


def _is_number(value: str) -> bool:
    """Tell whether an accepted answer is a number and nothing else, whatever its item calls it.

    >>> _is_number("41 000"), _is_number("41,000 visitors")
    (True, False)
    """
    return not any(character.isalpha() for character in value) and len(find_numbers(value)) == 1


def _another(part: Part) -> bool:
    """Tell whether a text without an accepted answer gives another of the asked kind."""
    question, original = part.question, part.text.original
    if question.type in ("number", "date") or (question.type is None and all(map(_is_number, question.expected or ("",)))):
        digits = in_digits(original, part.language)
        return bool(find_numbers(digits) or find_dates(digits))
    accepted = [name for name in question.expected or () if re.search(_OWN_LETTERS.get(part.language, "[A-Za-z]"), name)]
    if part.words is None or not accepted:
        return False
    if _FAR.search(original):
        return not part.denies or is_short(original)
    new = part.new_names(part.within_counted)
    alike = any(may_be_same(name, word) for name in new for answer in accepted for word in WORD.findall(answer))
    return part.native or (bool(new) and not alike) or (not new and is_short(part.within_counted))
