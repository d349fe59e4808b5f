"""The judge of choices, by rules: which option a text picks.

What is picked is decided by the first of these that holds:

| the text | reason |
|---|---|
| declares its answer ("the answer is B"); the last such | `exact` |
| begins with an option's number or letter ("2.", "Option B:"), or is nothing else | `exact` |
| begins with an option's text, or is nothing else | `exact` |
| names one number or letter as an option ("I choose option 3") | `exact` |
| holds one option's text only, not denied | `normalised` |

Two picks in one place ("A and C") or the texts of several options without a pick are `several_answers`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from evaluators.verify import abstention
from evaluators.verify.denial import is_denied
from evaluators.verify.question import Question
from evaluators.verify.rationale import judge_rationale
from evaluators.verify.reading.reply import Reply
from evaluators.verify.reading.text import Span, Text, phrase, read_text
from evaluators.verify.ruling import Ruling, unscored
from queries.records.verdict import Reason


class Pick(NamedTuple):
    """The options a text picks (1-based), how, and where."""

    options: tuple[int, ...]
    reason: Reason
    span: Span


# A number or letter that stands for an option: bare capitals, small letters only in brackets or before one or a point, or every
# "a" would be an option. Another may follow ("A and C"): then two are picked.
_LABEL = (
    r"(?:[\"'“‘*_(\[{]*)(?P<first>\d{1,2}|(?-i:[A-Z])|(?<=[(\[])[a-z](?=[)\]])|[a-z](?=[).:]))(?![^\W_])(?:[\"'”’*_)\]}.:]*)"
)
_SECOND = _LABEL.replace("<first>", "<second>")
_MORE = r"(?:\s*(?:,|and|&|or|/|\+|,\s*and)\s*(?:option|choice)?s?\s*" + _SECOND + r")?"
_KIND = r"(?:(?:the\s)?(?:option|choice|answer|alternative|number|letter|no\.|statement)s?\s*[#:]?\s*)"
_DECLARED = re.compile(
    r"\b(?:answer|option|choice|pick|selection|solution)s?\b(?:\s(?:to|for|is|about|that"
    r"|which)\b[^.\n:]{0,120}?)??\s*(?:is|are|would be|should be|must be|:|=|[-–—]>?)\s*"
    rf"(?:therefore\s|thus\s|clearly\s|definitely\s)?{_KIND}?" + _LABEL + _MORE,
    re.IGNORECASE,
)
_CHOSEN = re.compile(
    rf"\b(?:i(?:'d| would)? (?:choose|pick|select|go with|say|think it is|believe it is)|my (?:pick|choice) is)\s+{_KIND}?"
    + _LABEL
    + _MORE,
    re.IGNORECASE,
)
# In a question for the wrong statement, "the correct answer is 2" may say which statement is right; it declares nothing.
_WRONG = re.compile(r"\b(?:wrong|false|inaccurate|incorrect|untrue|not (?:true|correct))\b", re.IGNORECASE)
_CORRECT = re.compile(r"\b(?:correct|true|right|accurate)\s\Z", re.IGNORECASE)
_LEADING = re.compile(rf"\A\s*(?:both\s|either\s)?{_KIND}?" + _LABEL + _MORE, re.IGNORECASE)
_NAMED = re.compile(r"\b(?:option|choice|statement|alternative)s?\s*[#:]?\s*" + _LABEL + _MORE, re.IGNORECASE)


def judge(reply: Reply, question: Question) -> Ruling:
    """Judge which option a text picks, and its explanation where the item has a rationale.

    >>> hue = Question("Which is red?", "choice", ("2",), options=("grass", "blood"))
    >>> judge(Reply.of("B) blood"), hue)[:3], judge(Reply.of("Grass or blood."), hue)[:2]
    (('correct', 'exact', '2'), ('incorrect', 'several_answers'))
    """
    text = reply.text
    nothing = abstention.nothing_said(text, question)
    if nothing:
        return unscored(nothing)
    ruling = _ruling(text, question)
    if not question.rationale:
        return ruling
    explained = judge_rationale(read_text(text), question, answered=ruling.outcome == "correct")
    return ruling._replace(
        rationale=explained.hops, contradicted=explained.contradicted, spans=(*ruling.spans, *explained.spans)
    )


def _ruling(text: str, question: Question) -> Ruling:
    picked = pick(text, question.options, question.text)
    if picked is None:
        return abstention.withheld(text) or unscored("unparsed")
    if len(picked.options) > 1:
        return Ruling("incorrect", "several_answers", None, (picked.span,))
    answer = str(picked.options[0])
    if question.expected is None or answer != question.expected[0]:
        return Ruling("incorrect", "wrong", answer, (picked.span,))
    return Ruling("correct", picked.reason, answer, (picked.span,))


def pick(text: str, options: tuple[str, ...], question: str = "") -> Pick | None:
    """Tell which options a text picks.

    Where the question asks for the wrong option, "the correct one is 2" is no pick.

    >>> pick("The answer is option 2.", ("red", "blue")).options, pick("A and B", ("red", "blue")).options
    ((2,), (1, 2))
    """
    return _declared(text, options, question) or _begun(text, options) or _named(text, options) or _by_text(text, options)


def _declared(text: str, options: tuple[str, ...], question: str) -> Pick | None:
    matches = [*_DECLARED.finditer(text), *_CHOSEN.finditer(text)]
    if _WRONG.search(question):
        matches = [match for match in matches if not _CORRECT.search(text[: match.start()])]
    picks = [p for match in sorted(matches, key=lambda m: m.start()) for p in _picked(match, options)]
    return picks[-1] if picks else None


def _picked(match: re.Match[str], options: tuple[str, ...]) -> Iterator[Pick]:
    """Yield the pick that a match holds; none where a number or letter is no option's ("The answer is 1984.")."""
    numbers = [_number(match[name], len(options)) for name in ("first", "second") if match[name]]
    if numbers and all(numbers):
        yield Pick(
            tuple(dict.fromkeys(n for n in numbers if n)), "exact", (match.start("first"), match.end(match.lastindex or 0))
        )


def _number(label: str, count: int) -> int | None:
    """Turn a number or a letter into an option's number; null where there is no such option."""
    number = int(label) if label.isdigit() else ord(label.lower()) - ord("a") + 1
    return number if 1 <= number <= count else None


def _begun(text: str, options: tuple[str, ...]) -> Pick | None:
    """Read a pick at the very beginning: an option's text, or its number or letter, unless that is the word "A" or "I"."""
    read = Text(text)
    for number, option in _longest_first(options):
        words = phrase(option)
        if words and read.words[: len(words)] == words and not _goes_on(read, len(words), options):
            return Pick((number,), "exact", read.span(0, len(words)))
    match = _LEADING.match(text)
    if match is None or _is_article(text, match):
        return None
    return next(_picked(match, options), None)


def _longest_first(options: tuple[str, ...]) -> list[tuple[int, str]]:
    """Return options with their numbers, long ones first: "red wine" is not to be taken for "red"."""
    return sorted(enumerate(options, 1), key=lambda pair: -len(pair[1]))


def _goes_on(read: Text, at: int, options: tuple[str, ...]) -> bool:
    """Tell whether another option follows in the same sentence."""
    rest = f" {' '.join(read.words[at : read.sentences[0].last])} "
    leading = " ".join(read.words[:at])
    return any(
        f" {' '.join(phrase(option))} " in rest for option in options if phrase(option) and " ".join(phrase(option)) != leading
    )


def _is_article(text: str, match: re.Match[str]) -> bool:
    """Tell whether a leading "A" or "I" only begins a sentence ("A film of 1977")."""
    label, after = match["first"], text[match.end("first") :]
    return (
        label in ("A", "I", "a", "i") and bool(re.match(r"\s+[a-z]|['’]", after)) and not re.match(r"\s+(?:and|or|is)\b", after)
    )


def _named(text: str, options: tuple[str, ...]) -> Pick | None:
    """Read a pick from options named by number or letter ("option 3"), if it is one and the same wherever one is named."""
    picks = {p.options: p for match in _NAMED.finditer(text) for p in _picked(match, options)}
    return next(iter(picks.values())) if len(picks) == 1 else None


def _by_text(text: str, options: tuple[str, ...]) -> Pick | None:
    """Read a pick from the options' texts: the one that is named and not denied, none of them within another."""
    read = Text(text)
    named: dict[int, tuple[int, int]] = {}
    for number, option in _longest_first(options):
        places = [at for at in read.find(phrase(option)) if not any(a <= at[0] and at[1] <= b for a, b in named.values())]
        upheld = [at for at in places if not is_denied(read, *at)]
        if upheld:
            named[number] = upheld[0]
    if not named:
        return None
    numbers = tuple(sorted(named))
    return Pick(numbers, "normalised" if len(numbers) == 1 else "several_answers", read.span(*named[numbers[0]]))
