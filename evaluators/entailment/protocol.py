"""What every way of telling entailment offers.

```
python -m evaluators.entailment --items items.jsonl --responses responses.jsonl --lexical --out entailed.jsonl
python -c 'from evaluators.entailment import Lexical; print(Lexical().scores(["Who? Jane Austen"], ["Who? Austen"]))'
```
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

__all__ = ["Entailment"]


class Entailment(Protocol):
    """Something that tells whether one text entails another."""

    @property
    def method(self) -> str:
        """What the records call it: kind and name, and the version of what decides."""
        ...

    def scores(self, premises: Sequence[str], hypotheses: Sequence[str]) -> list[float | None]:
        """Return how probable it is that each premise entails its hypothesis; None where nothing was said."""
        ...
