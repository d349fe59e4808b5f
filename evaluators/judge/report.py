"""What a judge reported: read strictly, because a report that is guessed at is no report.

```
python -c 'from evaluators.judge.report import *; print(read_report("{\\"verdict\\": \\"match\\"}", ["match", "none"]))'
python -c 'from evaluators.judge.report import *; print(read_report("It does not match.", ["match", "none"]))'
```
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

__all__ = ["elected", "read_report"]

_FENCED = re.compile(r"```(?:json)?\s*(.*?)\s*```", re.DOTALL)
_FIELDS = {"reason", "verdict"}


def read_report(text: str | None, labels: Collection[str]) -> str | None:
    r"""Return the label that a judge chose; null where its report does not say so plainly.

    A report is a JSON object with `verdict` (and `reason`), alone or as the end of a text that has no other verdict in it; or
    it is a label and nothing else. Thoughts before `</think>` are left out.

    >>> labels = ["match", "mismatch"]
    >>> read_report('```json\n{"reason": "the same city", "verdict": "match"}\n```', labels), read_report("Mismatch.", labels)
    ('match', 'mismatch')
    >>> read_report('{"verdict": "match", "verdict": "mismatch"}', labels), read_report("The verdict is match.", labels)
    (None, None)
    """
    said = (text or "").rpartition("</think>")[2].strip()
    fenced = _FENCED.fullmatch(said)
    body = fenced[1] if fenced else said
    if body.rstrip(".").strip('"*` ').casefold() in labels:
        return body.rstrip(".").strip('"*` ').casefold()
    found = _object(body)
    verdict = found.get("verdict") if found is not None and set(found) <= _FIELDS else None
    return verdict if isinstance(verdict, str) and verdict in labels else None


def _object(body: str) -> dict[str, Any] | None:
    """Return the object that a text is or ends with; null where there is none, or more than one verdict."""
    if body.count('"verdict"') != 1:
        return None
    for start in (at for at, char in enumerate(body) if char == "{"):
        try:
            found = json.loads(body[start:].removesuffix("```").rstrip(), object_pairs_hook=_unrepeated)
        except (ValueError, RecursionError):
            continue
        return found if isinstance(found, dict) else None
    return None


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def elected(labels: Sequence[str | None]) -> str | None:
    """Return what most of a judge's votes say; `tie` where two say as often, null where half of the votes or more failed.

    >>> elected(["match", None, "match"]), elected(["match", "none"]), elected(["match", None])
    ('match', 'tie', None)
    """
    valid = Counter(label for label in labels if label is not None)
    if 2 * valid.total() <= len(labels):
        return None
    (first, often), *rest = valid.most_common(2)
    return "tie" if rest and rest[0][1] == often else first
