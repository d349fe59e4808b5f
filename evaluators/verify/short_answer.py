"""The judge of short answers (`open`, `context`), by rules.

```
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --out verdicts.jsonl
```

An accepted answer is looked for by these rules, in this order; the first that finds it gives the reason.

| reason | the text has |
|---|---|
| `exact` | the preferred answer, word for word (no case, diacritics, punctuation or leading article) |
| `alias` | another accepted answer, word for word |
| `numeric` | the number, in digits or words, in any unit of its kind, rounded to three digits or more |
| `date` | the date in any order, or a stretch within it; a coarser date only where the item's precision allows it |
| `normalised` | the name in another spelling, order or length; all parts of a list in another order; all its words of meaning |
| `partial` | at least two thirds of the words of meaning of a longer answer, or, as the whole text, a part of it |

What is found does not count where it is denied ("not Mark Twain"), set aside ("rather than ...") or one of several offered
("either ... or ..."). Words that the question holds already prove nothing by themselves.
"""

from __future__ import annotations

from evaluators.verify import abstention
from evaluators.verify.accepted import Acceptance, acceptances
from evaluators.verify.offers import denied, offered
from evaluators.verify.question import Question
from evaluators.verify.reading.footnotes import without_marks
from evaluators.verify.reading.text import Text, read_text
from evaluators.verify.ruling import Ruling, unscored

__all__ = ["judge"]


def judge(text: str, question: Question) -> Ruling:
    """Judge a short answer.

    >>> city = Question("Where did Einstein die?", task="open", expected=("Princeton",))
    >>> judge("He died in Princeton.", city)
    Ruling(outcome='correct', reason='exact', answer='Princeton', spans=((11, 20),), rationale=(), contradicted=())
    >>> judge("Not Princeton, but Ulm.", city).reason, judge("I do not know.", city).outcome
    ('denied', 'abstained')
    """
    nothing = abstention.nothing_said(text, question)
    if nothing:
        return unscored(nothing)
    if question.expected is None:
        return _claim(text)
    plain = without_marks(text)
    read = read_text(plain)
    found = list(acceptances(read, question))
    kept = [a for a in found if not denied(read, a.first, a.last)]
    if not kept:
        return _not_found(text, read, found)
    best = kept[0]
    span = read.span(best.first, best.last)
    if offered(read, best.first, best.last, question):
        return Ruling("incorrect", "several_answers", plain[slice(*span)], (span,))
    return Ruling("correct", best.reason, plain[slice(*span)], (span,))


def _claim(text: str) -> Ruling:
    """Judge an answer to what nobody knows: abstaining is right, any claim is wrong."""
    found = abstention.withheld(text)
    if found:
        return found
    return Ruling("incorrect", "wrong", None)


def _not_found(text: str, read: Text, found: list[Acceptance]) -> Ruling:
    if found:
        return Ruling("incorrect", "denied", None, (read.span(found[0].first, found[0].last),))
    return abstention.withheld(text) or Ruling("incorrect", "wrong", None)
