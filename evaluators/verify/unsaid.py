"""What a text says that it would be wrong to say: the opposite is what it holds.

| the text | holds |
|---|---|
| "It would be untrue to say that he did not write it." | that he did |
| "I would be lying if I said that he wrote it." | that he did not |
| "I cannot claim never to have heard of her." | that it has heard of her |
"""

from __future__ import annotations

import re
from typing import NamedTuple

from evaluators.verify.reading.cued import WaitingPattern
from evaluators.verify.reading.text import Span, read_text

_TELLING = ("tell", "telling", "told")
_STATING = (
    "say", "saying", "said", "claim", "claiming", "claimed", "state", "stating", "pretend", "pretending", "pretended",
    "maintain", "maintained", "deny", "denying", "denied", "assert", "asserted",
)  # fmt: skip
_SAYING = rf"(?:(?:{'|'.join(_TELLING)})(?: you)?|(?:{'|'.join(_STATING)}))\b"
_WRONG = (
    r"(?:\w+ ){0,2}(?:untrue|false|wrong|incorrect|inaccurate|dishonest|misleading|a lie|lying|nonsense|a mistake|mistaken"
    r"|an error)"
)
_LEAD = WaitingPattern(
    rf"\b(?:it|i|one|you|that)(?:'d| would)(?: have)? be(?:en)? {_WRONG} (?:if (?:i|one|you|we) (?:were to )?|to |in )"
    rf"(?P<verb>{_SAYING})(?: that)?\s+"
    r"|\b(?:i|one|you|nobody|no one)(?: could| can| would)?(?: ?n[o']t|'t|not)? (?P<verb2>claim|pretend|say) "
    r"(?=(?:never|not) to\b)",
    (*_TELLING, *_STATING),
)
_CANNOT = re.compile(r"(?:n't|not|nobody|no one)\b", re.IGNORECASE)
_NEGATIVE = re.compile(r"\b(?:not|never|nothing|no|none|unknown|unfamiliar|new)\b|n't\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?;\n]|,\s|\Z")


class Unsaid(NamedTuple):
    """What would be wrong to say: its characters, whether it denies something, and where the words begin that call it wrong."""

    span: Span
    negative: bool
    start: int


def unsaid(text: str) -> Unsaid | None:
    """Return what a text says that it would be wrong to say; null where it says so of nothing.

    >>> found = unsaid("It would be quite untrue to say that he did not write it.")
    >>> found.negative, unsaid("He did not write it.")
    (True, None)
    >>> unsaid("I cannot claim never to have heard of her.").negative
    True
    """
    lead = _LEAD.search(text, read_text(text).cues)
    if lead is None or (lead["verb2"] and not _CANNOT.search(lead[0])):
        return None
    end = _SENTENCE_END.search(text, lead.end())
    span = lead.end(), end.start() if end else len(text)
    negative = _NEGATIVE.search(text, *span) is not None
    return Unsaid(span, negative != (lead["verb"] or "").lower().startswith("den"), lead.start())
