"""Where a text names options in words: their own, other forms of names, numbers and dates, what a claim is about, none, all."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import NamedTuple

from evaluators.verify.reading.names import Name, everywhere
from evaluators.verify.reading.options import NONE, Mention, Options, forms_of, key_of, meaning
from evaluators.verify.reading.text import Span, Text, phrase
from evaluators.verify.reading.values import Wanted, dates_like, numbers_like
from evaluators.verify.reading.words import EVERYDAY, NUMERALS, alternatives, stem, word_list
from kg.dates import compare_dates, find_dates
from kg.patterns import late

_SIGNED = re.compile(r"[+#*%$€£°&]")
_SIGNS = {"+": "plus", "#": "sharp", "*": "star", "&": "and", "%": "percent", "$": "dollar", "€": "euro", "£": "pound"}
_SYMBOLS = word_list("symbols")


def worded(read: Text, options: Options) -> Iterator[Mention]:
    """Yield where options are named by their own words, or as a name, a number or a date in another form."""
    for form in _forms(options):
        number, words, option = form.number, form.words, form.option
        if form.signed:
            places = [*_signed(read, option)]
        else:
            places = [at for at in read.find(words) if not _in_number(read, at)] if words else []
        if form.tail:
            places += read.find(form.tail)
        elif number in options.regular and not options.statements:
            places += _by_value(read, option, options) if form.valued else ()
        if form.name:
            named = [(m.first, m.last) for m in everywhere(read, form.name) if m.how != "partial" or form.own_surname]
            # Digits alone are a label, also where an option is called "third".
            places += [at for at in named if not all(word.isdigit() for word in read.words[slice(*at)])]
        for first, last in sorted(set(places)):
            yield Mention(*read.span(first, last), (number,), "text")
    for number, symbol in _symbols(options):
        if symbol in read.original:
            for match in re.finditer(rf"(?<![\w$]){re.escape(symbol)}(?![\w$])", read.original):
                yield Mention(*match.span(), (number,), "text")
    for at, word in enumerate(read.words) if options.acronyms else ():
        if word in options.acronyms and read.original[slice(*read.span(at, at + 1))].replace(".", "").isupper():
            yield Mention(*read.span(at, at + 1), (options.acronyms[word],), "part" if options.statements else "text")


def _signed(read: Text, option: str) -> Iterator[Span]:
    """Find a short option, or one with a sign, as it is written ("C++"), or with the sign in words ("C plus plus")."""
    short = len(phrase(option)) == 1 and len(phrase(option)[0]) < 3
    pattern = re.compile(rf"(?<![\w+#]){re.escape(option)}(?![\w+#])", 0 if short else re.IGNORECASE)
    for match in pattern.finditer(read.original):
        yield read.words_of(*match.span())
    spelled = phrase("".join(f" {_SIGNS[c]} " if c in _SIGNS else c for c in option))
    if spelled != phrase(option):
        yield from read.find(spelled)


_BEFORE_DIGITS, _AFTER_DIGITS = re.compile(r"\d[.,]\Z|[-−/]\Z"), re.compile(r"[.,]\d|/\d")


def _in_number(read: Text, at: Span) -> bool:
    """Tell whether digits belong to a longer number ("5" in "3.5" or "5,000")."""
    start, end = read.span(*at)
    original = read.original
    left = original[start : start + 1].isdigit() and _BEFORE_DIGITS.search(original[max(0, start - 2) : start])
    right = original[end - 1 : end].isdigit() and _AFTER_DIGITS.match(original[end : end + 2])
    return bool(left or right)


def _by_value(read: Text, option: str, options: Options) -> Iterator[Span]:
    """Find a number or a date in another form; a date that leaves the year out where only one option has that day."""
    wanted = Wanted(option, "number" if option.isdigit() else None)
    yield from numbers_like(read, wanted)
    yield from dates_like(read, Wanted(option))
    day = find_dates(option)
    for date in find_dates(read.original) if len(day) == 1 else ():
        if date.precision in ("yearless", "month") and compare_dates(day[0], date) == "coarser":
            others = [each for other in options.texts if other != option for each in find_dates(other)]
            if all(compare_dates(other, date) == "other" for other in others):
                yield read.words_of(date.start, date.end)


_PRONOUNS = frozenset(phrase("it he she they its his her their the this was is were are has had have in"))


class _Form(NamedTuple):
    """An option as it is looked for: by its words, or as they are written where a sign tells it from others; else null.

    A statement is looked for without its pronoun and auxiliary (`tail`), another option as a name, and as a number or a date
    where it has a digit (`valued`). `own_surname` says that no other option has the name's last word.
    """

    number: int
    option: str
    words: list[str]
    signed: bool
    tail: list[str]
    name: Name | None
    own_surname: bool
    valued: bool


@functools.lru_cache(maxsize=4096)
def _forms(options: Options) -> list[_Form]:
    """Work out once how the options of a question are looked for."""
    found = []
    for number, words in enumerate(options.phrases, 1):
        option = options.texts[number - 1]
        sign = _SIGNED.search(option) is not None
        signed = sign or (len(words) == 1 and len(words[0]) < 3 and not words[0].isdigit())
        is_regular = number in options.regular
        name = Name.of(option) if is_regular and not options.statements and not sign else None
        others = {word for n, own in enumerate(options.phrases, 1) if n != number for word in own}
        tail = _tail(words) if is_regular and options.statements else []
        valued = any(c.isdigit() for c in option)
        found.append(_Form(number, option, words, signed, tail, name, name is None or others.isdisjoint(name.surname), valued))
    return found


@functools.lru_cache(maxsize=4096)
def _symbols(options: Options) -> list[tuple[int, str]]:
    """Return the signs that stand for options ("Fe")."""
    if options.statements:
        return []
    return [(number, symbol) for number in options.regular for symbol in _SYMBOLS.get(options.texts[number - 1].lower(), ())]


def _tail(words: list[str]) -> list[str]:
    """Return a statement without its pronoun and auxiliary ("made in Japan" for "It was made in Japan.")."""
    at = next((n for n, word in enumerate(words) if word not in _PRONOUNS and word not in EVERYDAY), len(words))
    return words[at:] if at > 0 and len(words) - at > 1 else []


_NONE_SAID = late(alternatives("choice_none_said"))
_ALL_SAID = re.compile(alternatives("choice_all_said"))
_BY_CONTENT = re.compile(alternatives("choice_by_content"))
# Most texts have none of these: a search for letters alone is quick.
_NEGATIVE = re.compile(r"none|neither|nothing|no one|not (?:one|any|listed|offered|given|included|among|in|on)|no [a-z]+ |n't ")
_UNIVERSAL = re.compile(r"all |both|each|every")
_EXCEPT = re.compile(
    r"[^.;!?\n]*?\b(?:except|but (?:for|not|the|number|option|statement|\d)|apart from|other than|save for"
    r"|with the exception)\b"
)
_CONTENT_END = late(
    r"\s(?:is|are|was|were|must be|seems|would be)(?:n't| not)? (?:\w+ly |therefore |also )?(?:not )?(?:the |an? )?"
    rf"(?:{alternatives('choice_so')}|{alternatives('choice_not_so')}|{alternatives('choice_the_one')})\b"
    rf"|\s(?:{alternatives('choice_holds')}|{alternatives('choice_fails')}|cannot|can't|does not|doesn't|isn't)\b"
    r"|[.;:!?\n,)]|\s[–—-]\s"
)
_CONTENT = 160
"""So many characters say what a claim is about."""


def said_of_all(low: str, options: Options) -> Iterator[Mention]:
    """Yield "none of them" and "all three statements"."""
    if _NEGATIVE.search(low):
        for match in _NONE_SAID.finditer(low):
            yield Mention(*match.span(), (options.none or NONE,), "text")
    for match in _ALL_SAID.finditer(low) if _UNIVERSAL.search(low) else ():
        if _EXCEPT.match(low, match.end(), match.end() + _CONTENT):
            continue
        count = match["count"] or ("two" if match[0].startswith("both") else "")  # null for "everything"
        many = int(count) if count.isdigit() else NUMERALS.get(count, len(options.regular))
        if many == len(options.regular):
            yield Mention(*match.span(), options.regular, "text")


def by_content(low: str, options: Options) -> Iterator[Mention]:
    """Yield "the claim about literature": an option by what it is about."""
    for match in _BY_CONTENT.finditer(low):
        end = _CONTENT_END.search(low, match.end(), match.end() + _CONTENT)
        last = end.start() if end else min(len(low), match.end() + _CONTENT)
        number = about(low[match.end() : last], options)
        if number:
            yield Mention(match.start(), last, (number,), "label")


def about(text: str, options: Options) -> int | None:
    """Tell which option a few words are about: the only one with which they share words that no other has.

    >>> about("the date of publication", Options(("It was published in 1985.", "It was written in Spanish.")))
    1
    """
    keys = meaning(phrase(text))
    met = [len(keys & own) for own in options.own]
    best = max(met, default=0)
    return met.index(best) + 1 if best and met.count(best) == 1 else None


_SHORT_FORM = 4
"""So many letters has a name that is cut short ("Rafa")."""


def parts(read: Text, options: Options) -> Iterator[Mention]:
    """Yield words that only one option has."""
    by_key = options.by_key
    for at, word in enumerate(read.words) if by_key else ():
        number = by_key.get(key_of(word))
        if number is None or word in EVERYDAY or word in NUMERALS:
            number = _short_form(read, at, by_key) if len(word) == _SHORT_FORM else None
        if number:
            whole = not options.statements and _is_whole(read, at, options, number)
            yield Mention(*read.span(at, at + 1), (number,), "text" if whole else "part")


def _is_whole(read: Text, at: int, options: Options, number: int) -> bool:
    """Tell whether a word says all of an option: another form of its only word, or its only word that others have not."""
    words, word = options.phrases[number - 1], read.words[at]
    if len(words) == 1:
        return word in forms_of(words[0]) or stem(word) == stem(words[0])
    if not read.original[read.starts[at]].isupper():
        return False
    if len(options.own[number - 1]) > 1:  # a surname that begins a sentence
        return (word,) == Name.of(options.texts[number - 1]).surname and read.sentences[read.sentence_of(at)].first == at
    after = read.original[read.ends[at] : read.ends[at] + 2].strip()
    goes_on = after[:1].isupper() and read.words[at + 1] not in EVERYDAY  # a part of somebody else's name
    return not goes_on or key_of(read.words[at + 1]) in options.asked


def _short_form(read: Text, at: int, by_key: dict[str, int]) -> int | None:
    """Return the option one of whose words begins with a word that is written as a name."""
    word = read.words[at]
    if not read.original[read.starts[at]].isupper() or word in EVERYDAY:
        return None
    found = {number for own, number in by_key.items() if own.startswith(word)}
    return found.pop() if len(found) == 1 else None
