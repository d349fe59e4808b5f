"""Where a text turns round the yes or no that it begins with, or will not say it: the other one is meant.

| the text | says |
|---|---|
| "I can't say yes to that.", "I won't answer no." | the other one |
| "Yes, both won, but the other way round." | no |
| "Yes, if by Haydn you mean Mozart." | no |
| "I don't know how anybody could believe that he did." | no; that somebody could doubt it: yes |
| "No, no doubt about it: she did.", "Yes, I get this one a lot! ..." | what follows |
"""

from __future__ import annotations

import re

from evaluators.verify.question import Question
from evaluators.verify.reading.cued import HoldingPattern, WaitingPattern, cues
from evaluators.verify.reading.text import Span, Text, phrase, read_text

_SIDES = ("yes", "no")
_REFUSED = WaitingPattern(
    r"\bi (?:can(?:not|'t| not)|could(?:n't| not)|won't|will not|would(?:n't| not)) (?:(?:honestly|simply|possibly|ever) )?"
    r"(?:say|answer|reply|go with|give (?:you )?)(?: with)?(?: an?)? ?[\"']?"
    rf"(?P<side>{'|'.join(_SIDES)})\b"
    r"(?! or\b| nor\b|/|[^.!?\n]{0,20}\b(?:for sure|with (?:any )?(?:certainty|confidence)|without|until|unless)\b)",
    _SIDES,
)
_ROUND = HoldingPattern(
    r"\b(?:the )?(?:other|wrong) way (?:a)?round\b|\bthe (?:exact |very )?reverse (?:is|was|holds|order)\b"
    r"|\bin the wrong order\b|\bvice versa\b"
    r"|\bin (?:the )?reverse(?:d)? order\b",
    [" way ", " reverse", " wrong order", "vice versa"],
)
_NOT_ROUND = re.compile(r"(?:\bnot|n't|\bnever|\bnor|\bthan|\bor|\bif)\b[^.!?;,\n]{0,30}\Z", re.IGNORECASE)
_MEANT = re.compile(
    r"\A\W*yes\b\W{0,5}(?:(?:but|only|though|well|sure),? ){0,2}if (?:by|with) [\"'“]?(?P<one>[^\"'”.,;]{2,40}?)[\"'”]? "
    r"(?:you|we|one) (?:mean|meant|understand)s? [\"'“]?(?P<other>[^\"'”.,;]{2,40})",
    re.IGNORECASE,
)
_DOUBTING = ("doubt", "deny", "dispute", "question")
_THINKING = ("believe", "think", "claim", "say", "suppose", "maintain", *_DOUBTING)
_INCREDULOUS = WaitingPattern(
    r"\bi (?:(?:really|honestly|just) )?(?:do not|don't|can't|cannot|fail to) "
    r"(?:know|see|understand|imagine|fathom) "
    r"(?:how|why|who) (?:(?:anyone|anybody|somebody|someone|people|one|you) )?(?:could|can|would|should|still|ever)"
    r"(?: (?:still|ever|possibly|seriously|really))* "
    rf"(?P<verb>{'|'.join(_THINKING)})\b",
    _THINKING,
)
_NO_DOUBT = re.compile(
    r"\A\W*(?:(?:no|yes)\b\W{1,3}){1,4}(?=no (?:doubt|question|two ways|mistake)\b)"
    r"no (?:\w+ ){0,4}?[^.:;!?\n,]{0,30}[.:;!,]\s*",
    re.IGNORECASE,
)
_REMARK = re.compile(
    r"\A\W*yes\b\W{1,3}(?:i (?:get|hear|am asked|'m asked|have heard)|i(?:'m|'ve)(?: often)? (?:been )?(?:asked|heard)"
    r"|people (?:often )?ask(?: me)?|many (?:people )?ask(?: me)?)(?: [\w']+){0,4}? "
    r"(?:a lot|often|all the time|every day|before|many times|quite a bit)\s*[.!:;]\s*",
    re.IGNORECASE,
)
_CUES = cues(
    [
        "round", "around", "reverse", "reversed", "order", "versa", "mean", "meant", "doubt", "get", "ask", "asked", "hear",
        "heard",
    ]
)  # fmt: skip


def may_be_overturned(text: Text) -> bool:
    """Tell whether a text that begins with yes or no has a word with which it may be turned round; most have none.

    >>> may_be_overturned(Text("Yes, she did.")), may_be_overturned(Text("Yes, the other way round."))
    (False, True)
    """
    return text.words[1:2] == text.words[:1] or not _CUES.isdisjoint(text.cues)


def overturned(text: str, question: Question) -> tuple[str, Span] | None:
    """Return the yes or no that a text means by turning the other one round, and its characters; null where it turns none.

    >>> overturned("Yes, both did, but the other way round.", Question("Did Ada win before Bo?"))
    ('no', (19, 38))
    >>> overturned("I can't say yes to that.", Question("Did Ada win before Bo?"))
    ('no', (0, 15))
    >>> overturned("Yes, and not the other way round.", Question("Did Ada win before Bo?"))
    """
    held = read_text(text).cues
    refused = _REFUSED.search(text, held)
    if refused:
        return ("no" if refused["side"].lower() == "yes" else "yes"), refused.span()
    incredulous = _INCREDULOUS.search(text, held)
    if incredulous:
        return ("yes" if incredulous["verb"].lower() in _DOUBTING else "no"), incredulous.span()
    if not text.lstrip(" *_\"'").lower().startswith("yes"):
        return None
    meant = _MEANT.match(text)
    if (
        meant
        and set(phrase(meant["one"])) <= set(phrase(question.text))
        and not set(phrase(meant["other"])) <= set(phrase(question.text))
    ):
        return "no", meant.span()
    return _turned_round(text)


def _turned_round(text: str) -> tuple[str, Span] | None:
    """Return the words that turn a first yes round, not denied."""
    for match in _ROUND.finditer(text):
        if not _NOT_ROUND.search(text, max(0, match.start() - 40), match.start()):
            return "no", match.span()
    return None


def idle_opening(text: str) -> int:
    """Return where a text begins whose yes or no at first answers nothing: "no doubt", or a remark on being asked.

    >>> idle_opening("No, no doubt about it: she did."), idle_opening("Yes, I get that a lot! He is."), idle_opening("No.")
    (23, 23, 0)
    """
    words = read_text(text).words[:3]
    may_be = len(words) == len(("yes", "i", "get")) and words[0] in _SIDES
    idle = _NO_DOUBT.match(text) or _REMARK.match(text) if may_be else None
    return idle.end() if idle and idle.end() < len(text) else 0
