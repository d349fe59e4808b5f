"""How ERBench's authors matched the values of choices and of multi-hop questions: more loosely than single-hop answers.

```
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --as-published erbench --out verdicts.jsonl
python -c 'from evaluators.verify.published_names import loosely; print(loosely("He is with Bayern.", "FC Bayern"))'
```

The paper names "heuristics including conventional string matching" (Oh et al., 2024, section 3.3); these rules come close to
the published verdicts (`tests/evaluators/test_published_metrics.py`). What those decide beyond them, by lists of clubs and
leagues, is not imitated. A value is named where the text holds, without regard to case,

| value | what |
|---|---|
| any | the value itself |
| a number with decimals | its digits up to two decimals, with its sign |
| alternatives ("pop/rock") | one of them, letter by letter |
| a country | its people or another short form of its name |
| "non-" and a noun | the noun (the published verdicts accept nearly every answer there) |
| a name of several words | its words of three letters and more, in any order; of long ones the first three letters ("Munich") |
"""

from __future__ import annotations

import re

from evaluators.verify._words import words
from kg.text import fold

__all__ = ["loosely"]

_DECIMAL = re.compile(r"-?\d+\.\d{1,2}")
_NATIONS = words("nations")
_SHORT, _LONG = 3, 7


def loosely(text: str, value: str) -> bool:
    """Tell whether a text names a value, by the rules above.

    >>> loosely("It was made in America.", "USA"), loosely("It is not an animation movie.", "non-animation")
    (True, True)
    >>> loosely("The latitude is 34.2728.", "34.2729"), loosely("Zhang Yimou", "Yimou Zhang"), loosely("Rock.", "pop/rock")
    (True, True, True)
    """
    folded = fold(text)
    if fold(value).replace(" ", "") in folded.replace(" ", ""):
        return True
    number = _DECIMAL.match(value)
    if number:
        return number[0] in text
    if "/" in value:
        return any(part.strip().lower() in text.lower() for part in value.split("/"))
    return _denied(folded, value) or _country(folded, value) or _all_words(folded, value)


def _denied(folded: str, value: str) -> bool:
    return value.lower().startswith("non-") and fold(value).removeprefix("non ") in folded


def _country(folded: str, value: str) -> bool:
    return any(re.search(rf"\b{re.escape(fold(other))}\b", folded) for other in _other_names(fold(value)))


def _other_names(name: str) -> list[str]:
    """Return what else a country is called: its people, and the countries that are called alike."""
    own = list(_NATIONS.get(name, ()))
    return own + [country for country, others in _NATIONS.items() if name in others]


def _all_words(folded: str, value: str) -> bool:
    wanted = [word for word in fold(value).split() if len(word) >= _SHORT]
    held, begun = folded.replace(" ", ""), {word[:_SHORT] for word in folded.split()}
    return bool(wanted) and all(word in held or (len(word) >= _LONG and word[:_SHORT] in begun) for word in wanted)
