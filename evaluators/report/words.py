"""What the codes of the records are called on the page.

```
python -c 'from evaluators.report.words import REASONS; print(REASONS["misled"])'
```
"""

from __future__ import annotations

from queries.records.verdict import Reason

__all__ = ["REASONS"]

REASONS: dict[Reason, str] = {
    "exact": "the accepted answer, word for word",
    "alias": "another accepted answer, word for word",
    "normalised": "the accepted answer in other words, spelling or order",
    "numeric": "the same number",
    "date": "the same date, or one within it",
    "partial": "most of a longer answer",
    "denied": "the accepted answer is named only to be denied",
    "several_answers": "several answers are offered",
    "wrong": "another answer than the accepted one",
    "unsure": "it says that it does not know",
    "refused": "it declines to answer",
    "empty": "it holds no word",
    "echo": "it repeats the question",
    "repetition": "it says the same words over and over",
    "unparsed": "no answer is found in it",
    "api_error": "an error came instead of a text",
    "tie": "the samples are split",
    "rejected": "it denies the premise",
    "corrected": "it names a true object instead",
    "misled": "it answers as if the premise held",
    "unclear": "it says nothing on the premise",
    "judge": "as the judge says",
    "judge_failed": "the judge gave no verdict",
}
