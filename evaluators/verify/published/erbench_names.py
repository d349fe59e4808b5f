"""How ERBench's authors matched names in choices and in questions of several hops: more loosely than in single-hop answers.

```
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --as-published erbench --out verdicts.jsonl
python -c 'from evaluators.verify.published.erbench_names import loosely; print(loosely("He is with Bayern.", "FC Bayern"))'
```

The paper names "heuristics including conventional string matching" (Oh et al., 2024, section 3.3); these rules come close to
the published verdicts (`tests/evaluators/test_published_metrics.py`). What those decide beyond them, by lists of clubs,
leagues and abbreviations, is not imitated. A value is named where the text holds, without regard to case,

| value | what |
|---|---|
| any | the value itself |
| a number with decimals | its digits up to two decimals, with its sign |
| alternatives ("pop/rock") | one of them, letter by letter |
| a country | its people or another short form of its name |
| "non-" and a noun | the noun (the published verdicts accept nearly every answer there) |
| a name of several words | its words of three letters and more, in any order; of long ones the first three letters ("Munich") |

In questions of several hops (`side_by_side`) the words must stand next to each other, and a text's word must itself be long to
be known by its first letters: where a club and its city are asked for, the words of the one turn up in what is said about the
other ("Espanyol ... in Barcelona" is not "RCD Espanyol de Barcelona").
"""

from __future__ import annotations

import re

from evaluators.verify.reading.words import words
from kg.text import fold

__all__ = ["loosely", "side_by_side"]

_DECIMAL = re.compile(r"-?\d+\.\d{1,2}")
_NATIONS = words("nations")
_SHORT, _LONG = 3, 7
_FOREIGN = 6  # letters of a word that may be another language's form of a long one


def loosely(text: str, value: str) -> bool:
    """Tell whether a text names a value, by the rules above.

    >>> loosely("It was made in America.", "USA"), loosely("It is not an animation movie.", "non-animation")
    (True, True)
    >>> loosely("The latitude is 34.2728.", "34.2729"), loosely("Zhang Yimou", "Yimou Zhang"), loosely("Rock.", "pop/rock")
    (True, True, True)
    """
    folded = fold(text)
    found = _alike(text, folded, value)
    return _all_words(folded, value) if found is None else found


def side_by_side(text: str, value: str) -> bool:
    """Tell whether a text names a value, where the words of a name must stand next to each other.

    >>> side_by_side("It is Bayern Munich.", "FC Bayern München"), side_by_side("Zhang Yimou", "Yimou Zhang")
    (True, True)
    >>> side_by_side("Espanyol also plays in Barcelona.", "Espanyol de Barcelona")
    False
    """
    folded = fold(text)
    found = _alike(text, folded, value)
    return _next_to_each_other(folded, value) if found is None else found


def _alike(text: str, folded: str, value: str) -> bool | None:
    """Tell what the rules before the last say; null where it is the words that decide."""
    if fold(value).replace(" ", "") in folded.replace(" ", ""):
        return True
    number = _DECIMAL.match(value)
    if number:
        return number[0] in text
    if "/" in value:
        return any(part.strip().lower() in text.lower() for part in value.split("/"))
    return True if _denied(folded, value) or _country(folded, value) else None


def _denied(folded: str, value: str) -> bool:
    return value.lower().startswith("non-") and fold(value).removeprefix("non ") in folded


def _country(folded: str, value: str) -> bool:
    return any(re.search(rf"\b{re.escape(fold(other))}\b", folded) for other in _other_names(fold(value)))


def _other_names(name: str) -> list[str]:
    """Return what else a country is called: its people, and the countries that are called alike."""
    own = list(_NATIONS.get(name, ()))
    return own + [country for country, others in _NATIONS.items() if name in others]


def _words(folded: str) -> list[str]:
    return [word for word in folded.split() if len(word) >= _SHORT]


def _all_words(folded: str, value: str) -> bool:
    wanted = _words(fold(value))
    held, begun = folded.replace(" ", ""), {word[:_SHORT] for word in folded.split()}
    return bool(wanted) and all(word in held or (len(word) >= _LONG and word[:_SHORT] in begun) for word in wanted)


def _next_to_each_other(folded: str, value: str) -> bool:
    wanted, held = _words(fold(value)), _words(folded)
    windows = (held[start : start + len(wanted)] for start in range(len(held) - len(wanted) + 1))
    return bool(wanted) and any(all(any(_same(word, other) for other in window) for word in wanted) for window in windows)


def _same(word: str, other: str) -> bool:
    foreign = len(word) >= _LONG and len(other) >= _FOREIGN and word[:_SHORT] == other[:_SHORT]
    return word == other or foreign
