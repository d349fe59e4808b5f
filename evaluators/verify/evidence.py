"""Whether what a model looked up answers the question: right by query or by luck, wrong by query or by reading.

    right by query     correct, and a query returned what the item asks for, or what proves it
    right by luck      correct, and none did: the model knew it, or guessed
    wrong by query     incorrect, and none did
    wrong by reading   incorrect, though one did

A query counts only where it is about what the question names: it names that itself, by IRI, name or value, or by an IRI that
such a query returned; or the row has it that holds the answer. Else a list of everything would be evidence of anything. It
answers where one of its rows has the answer (the accepted one, the right option, the last value of the rationale, a true
object) or all of a row of the item's proofs; where an ASK about the answer is true, or one about all that a proof binds has the
truth that is proved.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from kg.errors import InputError
from kg.terms import text_of
from kg.text import fold
from kg.vocab import PREFIXES
from queries.records import Item, records_in
from queries.records.response import Lookup, Trace

if TYPE_CHECKING:
    from queries.templates.lexer import Token

Standing = Literal["right_query", "right_luck", "wrong_query", "wrong_reading"]
STANDINGS: tuple[Standing, ...] = get_args(Standing)

_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"]+")
_DAY = re.compile(r"(-?\d{4,})(-\d\d)?(-\d\d)?(?:T.*|Z|[+-]\d\d:\d\d)?")
_CLOSED = ("yes_no", "choice", "premise", "probe")


def standing(outcome: str, evidence: bool | None) -> Standing | None:
    """Return which of the four an answer is; null where nothing was looked up, or the answer is neither right nor wrong.

    >>> standing("correct", False), standing("incorrect", True), standing("abstained", True)
    ('right_luck', 'wrong_reading', None)
    """
    if evidence is None or outcome not in ("correct", "incorrect"):
        return None
    if outcome == "correct":
        return "right_query" if evidence else "right_luck"
    return "wrong_reading" if evidence else "wrong_query"


class Truth(NamedTuple):
    """What a proof says by a truth: all that it binds, and what it is."""

    terms: frozenset[str]
    expect: bool


class Gold(NamedTuple):
    """What would answer an item, and what its question names; values as `keys_of` writes them."""

    answers: frozenset[str]
    rows: tuple[frozenset[str], ...]
    truths: tuple[Truth, ...]
    named: frozenset[str]

    @classmethod
    def of(cls, item: Item) -> Gold:
        """Collect it from the fields and proofs of an item."""
        proofs = [({_key(_text(bound.term)) for bound in proof.bind}, proof) for proof in item.proof]
        rows = [frozenset(map(_key, filter(None, row))) for _, proof in proofs for row in proof.rows or ()]
        truths = [Truth(frozenset(terms), proof.expect) for terms, proof in proofs if proof.expect is not None and terms]
        named = {key for terms, _ in proofs for key in terms} | {_key(given.value) for given in item.given}
        answers = frozenset(map(_key, _answers(item)))
        if item.premise is not None:
            subject, relation = item.premise.subject, item.premise.relation
            truths = [truth for truth in truths if subject.iri in truth.terms and relation.iri in truth.terms]
            # A query that names the relation alone is about all of its facts.
            named = {subject.iri, _key(subject.label)}
        return cls(answers, tuple(row for row in rows if row), tuple(truths), frozenset(named - answers))

    @property
    def known(self) -> bool:
        """Whether anything says what would answer the item."""
        return bool(self.answers or self.rows or self.truths)


def _answers(item: Item) -> Iterator[str]:
    """Yield what a query may return that answers an item."""
    if item.task not in _CLOSED:
        yield from item.answer or ()
    if item.task == "choice" and item.answer and item.options:
        yield item.options[int(item.answer[0]) - 1]
    if item.rationale:  # the last hop is what is asked for
        yield item.rationale[-1].value
        yield from item.rationale[-1].aliases
    for true in item.premise.true_objects if item.premise is not None else ():
        yield from (true.iri, true.label, *true.aliases)


class Evidence:
    """Tells of the answers to a file of items whether what was looked up answers them; the file is read for the first trace."""

    def __init__(self, items: str) -> None:
        self._items = items

    @cached_property
    def _gold(self) -> Mapping[str, Gold]:
        return {item.id: Gold.of(item) for _, item in records_in(self._items, Item)}

    def __call__(self, item: str, trace: Trace | None) -> bool | None:
        """Return whether a query of a trace answers an item; null without a trace, or where nothing says what would."""
        if trace is None:
            return None
        gold = self._gold[item]
        return found(gold, trace.lookups, trace.base or "") if gold.known else None


def found(gold: Gold, lookups: Sequence[Lookup], base: str = "") -> bool:
    """Tell whether a query about what the question names returned what answers it."""
    known = set(gold.named)
    for lookup in lookups:
        if lookup.error is not None:
            continue
        named = _named(lookup.query, base)
        about = any(_meets(key, known) for key in named - gold.answers)
        rows = [frozenset(key for term in row if term for key in keys_of(term)) for row in lookup.rows]
        if any((about or row & gold.named) and _answered(gold, row) for row in rows):
            return True
        if about and lookup.truth is not None and _asked(gold, named, lookup.truth):
            return True
        if about:
            known |= {_text(term) for row in lookup.rows for term in row if term.startswith("<")}
    return False


def _answered(gold: Gold, row: frozenset[str]) -> bool:
    return bool(row & gold.answers) or any(proved <= row for proved in gold.rows)


def _asked(gold: Gold, named: frozenset[str], truth: bool) -> bool:
    proved = any(t.terms <= named and t.expect == truth for t in gold.truths)
    return proved or (truth and bool(named & gold.answers))


def _meets(key: str, known: set[str]) -> bool:
    """Tell whether a query's IRI or text is one that is known, or a word or more of a name that is."""
    return key in known or (not _IRI.fullmatch(key) and len(key) > 2 and any(f" {key} " in f" {name} " for name in known))


def keys_of(term: str) -> Iterator[str]:
    """Yield what a term is met by: an IRI itself, a text without case and accents, a number as such, a date also by its year.

    >>> list(keys_of('"2004-03-14"^^<http://www.w3.org/2001/XMLSchema#date>'))
    ['2004 03 14', '2004 03', '2004']
    >>> list(keys_of('"Dvořák"@cs')), list(keys_of('"8,848.0"'))
    (['dvorak'], ['8848'])
    """
    text = _text(term)
    day = _DAY.fullmatch(text)
    if day is None or term.startswith("<"):
        yield _key(text)
        return
    year, month, date = day.groups()
    if date:
        yield _key(f"{year}{month}{date}")
    if month:
        yield _key(f"{year}{month}")
    yield _key(year)


def _text(term: str) -> str:
    return term[1:-1] if term.startswith("<") else text_of(term)


def _key(text: str) -> str:
    if _IRI.fullmatch(text):
        return text
    try:
        number = Decimal(text.replace(",", ""))
        return f"{number.normalize():f}" if number.is_finite() else fold(text)
    except InvalidOperation:
        return fold(text)


def _named(query: str, base: str) -> frozenset[str]:
    """Return the IRIs, texts and numbers that a query names; relative IRIs are resolved against a base."""
    from queries.templates.lexer import tokens  # here: who judges answers without traces need not wait for it

    try:
        read = [token for token in tokens(query) if token.kind != "comment"]
    except InputError:
        return frozenset()
    prefixes = dict(PREFIXES)
    for word, *after in zip(read, read[1:], read[2:], strict=False):
        if word.word == "BASE":
            base = after[0].text[1:-1]
        elif word.word == "PREFIX":
            prefixes[after[0].name] = after[1].text[1:-1]
    return frozenset(key for token in read for key in _keys_in(token, prefixes, base))


def _keys_in(token: Token, prefixes: Mapping[str, str], base: str) -> Iterator[str]:
    if token.kind == "iri":
        iri = token.text[1:-1]
        yield iri if _IRI.fullmatch(iri) else base + iri
    elif token.kind == "pname":
        yield prefixes.get(token.name, "") + re.sub(r"\\(.)", r"\1", token.text.partition(":")[2])
    elif token.kind in ("string", "number"):
        quotes = 3 if token.text[:3] in ('"""', "'''") else 1
        text = token.text[quotes:-quotes] if token.kind == "string" else token.text
        yield _key(re.sub(r"\\(.)", r"\1", text))
