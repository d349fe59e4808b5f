"""How ERBench's authors matched the hops of a question of several hops.

```
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --as-published erbench --out verdicts.jsonl
python -c 'import evaluators.verify.published.erbench_hops; help(evaluators.verify.published.erbench_hops)'
```

Oh et al. (2024), sections 3.3 and 4.2. Their program keeps the values of all hops in one line with commas between them, and
takes it apart at the commas again (`binary/error_analysis.py` of the published repository), whatever the values are:

| value | its hops |
|---|---|
| with a comma ("San Nicolás, Nuevo León") | one for each part; a verdict has one mark, right where the text holds all parts |
| a number whose aliases are numbers (the years 1900 and 1924) | one, which is right where the text holds all of them |
| any other | one, which is right where the text holds the value or an alias |

The published verdicts show the first: of 1,497 questions on clubs, cities and Olympic years, the ten whose city has a comma
have three marks for two values, and "Nuevo León has never hosted" has the third right with the second wrong; and the second:
of London's three years some are in 17 answers, and none of these is right at the third hop.

How a text names a value: `evaluators.verify.published.erbench_names.side_by_side`.
"""

from __future__ import annotations

from evaluators.verify.published.erbench_names import side_by_side
from evaluators.verify.question import Entry, Question

__all__ = ["hops_named"]


def hops_named(text: str, question: Question) -> tuple[bool, ...]:
    """Tell of each hop whether the text names it, by the rules above.

    >>> from evaluators.verify.question import Entry
    >>> hops = Entry("city", "Paris, Île-de-France"), Entry("year", "1900", ("1924",))
    >>> hops_named("Yes. Paris held them in 1900.", Question("?", "yes_no", ("yes",), rationale=hops))
    (False, False)
    """
    return tuple(_named(text, entry) for entry in question.rationale)


def _named(text: str, entry: Entry) -> bool:
    values = (entry.value, *entry.aliases)
    if all(value.isdecimal() for value in values):
        return all(side_by_side(text, value) for value in values)
    parts = [part.strip() for part in entry.value.split(",") if part.strip()]
    return any(side_by_side(text, alias) for alias in entry.aliases) or all(side_by_side(text, part) for part in parts)
