"""Which other answer a text puts before the accepted one: it opens with it, is about it, has it in bold or outside brackets.

| the text | answers |
|---|---|
| "Ulm; he left Bern as a child." | what it opens with, alone before a sign |
| "Lyon. It is smaller than Paris." | its first sentence |
| "It followed on 5 May. (2 May was the day of the meeting.)" | what stands outside a remark in brackets |
| "It is **Lyon**, south of Paris." | what is bold |

Equal values and chains of places ("Norfolk, Virginia") are one answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from evaluators.verify.reading.text import Text
from evaluators.verify.reading.values import whole_value
from evaluators.verify.reading.words import ARTICLES, EVERYDAY
from evaluators.verify.support import Support

WordRange = tuple[int, int]


def headline(text: Text, standing: Sequence[WordRange], others: Sequence[WordRange]) -> WordRange | None:
    """Return the rival that a text begins with, as a whole sentence."""
    if len(text.sentences) < 2:
        return None
    first = text.sentences[0]
    if not text.original[first.start : first.end].rstrip().endswith((".", "!")):
        return None  # a heading
    inside = [other for other in others if other[1] <= first.last]
    if len(inside) != 1 or any(place[0] < first.last for place in standing):
        return None
    covered = {n for other in inside for n in range(*other)}
    rest = [word for n, word in enumerate(text.words[: first.last]) if n not in covered]
    return inside[0] if set(rest) <= EVERYDAY else None


_ALONE_BEFORE = re.compile(r"[\"'”’)*]*\s*(?:;|[–—(]|,\s+(?=(?:\w+ ){0,2}?(?!and\b|or\b)[a-z]))\s*")


def outside(
    text: Text, support: Support | None, standing: Sequence[WordRange], others: Sequence[WordRange]
) -> WordRange | None:
    """Return the rival of which more is said, where the accepted answer only stands in a remark of its own in brackets."""
    if support is None or not all(_in_remark(text, place) for place in standing):
        return None
    best = max(map(support.of, standing))
    return next((o for o in others if o in support.answers and not _in_remark(text, o) and support.of(o) > best), None)


def _in_remark(text: Text, place: WordRange) -> bool:
    """Tell whether a place stands in a sentence in brackets."""
    before = text.original[: text.starts[place[0]]]
    opened = before.rfind("(")
    return opened > before.rfind(")") and before[:opened].rstrip()[-1:] in (".", "!", "?", ";")


def opening(
    text: Text, support: Support, kind: str, standing: Sequence[WordRange], others: Sequence[WordRange]
) -> WordRange | None:
    """Return the rival that a text answers with before it goes on to something else ("Ulm; he left Bern as a child.")."""
    if "\n" in text.original or min(standing)[0] == 0 or any(map(support.does, standing)):
        return None
    for other in (whole_value(text, other) if kind != "name" else other for other in others):
        lead = text.words[: other[0]]
        if other[0] > _LEADING or other[1] >= len(text.words) or not all(word in EVERYDAY or word in ARTICLES for word in lead):
            continue
        behind = _ALONE_BEFORE.match(text.original, text.ends[other[1] - 1])
        place = next((place for place in standing if place[0] >= other[1]), None)
        if behind is None or place is None or any(place[0] < other[0] for place in standing):
            continue
        between = text.original[behind.end() : text.starts[place[0]]]
        if len(between.split()) >= _APART and not _SAME.search(between) and not equates(text, other, place):
            return other if kind != "name" or not chained(text, other, place) else None
    return None


_LEADING, _APART = 4, 2
_SAME = re.compile(
    r"\b(?:i\.e|that is|that's|known as|called|named|also|aka|a\.k\.a|or|equals|exactly|precise\w*|namely"
    r"|in other words|rounded|full name"
    r"|answer|so|actually|but|no|wait|rather|capital|city|town|country|short for|formerly|now|which is"
    r"|correspond\w*|equivalent|converted|comes? to|makes|sorry|hm+)\b|=|≈",
    re.IGNORECASE,
)
"""Words that lead from one form of an answer to another, or from a guess to an answer."""


def head(text: Text, standing: Sequence[WordRange], others: Sequence[WordRange]) -> WordRange | None:
    """Return the rival that a text is about, where the accepted answer only stands in its clause ("Ann, whom Bo met.")."""
    first = next((other for other in others if other[0] == 0), None)
    if first is None or first[1] >= len(text.words) or text.words[first[1]] not in _RELATIVE:
        return None
    between = [text.original[text.ends[first[1]] : text.starts[place[0]]] for place in standing]
    return first if all(gap and not set(gap) & set(",.;:!?") for gap in between) else None


_RELATIVE = frozenset({"who", "whom", "whose", "which", "where"})


def emphasised(standing: Sequence[WordRange], others: Sequence[WordRange], bold: Sequence[WordRange]) -> WordRange | None:
    """Return the rival that is set in bold, where the accepted answer is not."""
    if not bold or len(bold) > _MOST_BOLD or any(_meet(place, part) for place in standing for part in bold):
        return None
    return next((other for other in others for part in bold if _meet(other, part)), None)


_MOST_BOLD = 2
"""Where more is bold, it marks what is worth a look, not the answer."""


def _meet(one: WordRange, other: WordRange) -> bool:
    return one[0] < other[1] and other[0] < one[1]


_EQUAL = re.compile(
    r"(?: ?[^\W\d_]{1,12}[.,]?)? ?[,;]? ?"
    r"(?:\(?(?:i\.e\.|=|≈|equals|(?:that|which) is|equal to|or|in other words)|\() ?(?:about |roughly |= ?|~)?"
)


def equates(text: Text, one: WordRange, other: WordRange) -> bool:
    """Tell whether two values are the same in two units ("800 g, i.e. 0.8 kg")."""
    first, second = sorted((one, other))
    start, end = text.ends[first[1] - 1], text.starts[second[0]]
    return end - start < _FAR and _EQUAL.fullmatch(text.original, start, end) is not None


_CHAIN = re.compile(r"(?:[\s,(\"“]|\b(?:in|of|near|at|the|from|by|or|a|an)\b|[A-Z][\w'’.-]*)*\Z")


def chained(text: Text, one: WordRange, other: WordRange) -> bool:
    """Tell whether one name leads to the other by places within places, or as its other name ("Norfolk, Virginia")."""
    first, second = sorted((one, other))
    between = text.original[text.span(*first)[1] : text.span(*second)[0]]
    return len(between) < _FAR and _CHAIN.match(between) is not None


_FAR = 60
