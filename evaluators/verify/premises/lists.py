"""The word lists that the judge of premises uses (`reading/words/premise.toml`)."""

from __future__ import annotations

import re

from evaluators.verify.reading.words import any_pattern, word_list


def listed(name: str) -> frozenset[str]:
    """Return a list of words.

    >>> "until" in listed("standing")
    True
    """
    return frozenset(word_list("premise_words")[name])


def pattern(name: str) -> re.Pattern[str]:
    """Return one pattern for a list of regular expressions; case does not matter.

    >>> pattern("instead").search("It was in fact Strauss.") is not None
    True
    """
    return any_pattern(f"premise_{name}")
