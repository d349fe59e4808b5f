"""The judge of yes-no questions and of probes, by rules.

What a text says is decided by the first of these that holds:

| the text | understood as |
|---|---|
| is blank | empty |
| declares its answer ("the answer is no") or takes one back ("Wait, no."), under no condition ("if ...") | the last such |
| begins with unsure, or names it beside an answer ("Yes/Unsure") | unsure |
| begins with yes and no, or answers so in two sentences ("Yes and no", "Yes. No.") | unparsed |
| begins with yes or no, or with another word for it (correct, nope, false) | that one |
| holds only yes, or only no, wherever it stands | that one |
| holds both | unparsed |
| says that it does not know ("I cannot determine", "no information") | unsure |
| declines ("I can't help with that") | refused |
| is anything else | unparsed |

"No" before a noun ("no film", "no doubt") and "No. 5" are no answers, nor is a form to fill in ("Yes or No:"), nor
what stands before `</think>`. Explanations are not judged here: `rationale` stays empty.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import polars as pl

from queries.verdict import Reason

__all__ = ["Reading", "judge", "read"]


class Reading(NamedTuple):
    """What a text says: yes or no (`exact`, `normalised`), or why it says neither; and the characters that say so."""

    answer: str | None
    reason: Reason
    spans: tuple[tuple[int, int], ...] = ()


# After "no" these words begin a clause; another word in lower case makes it a determiner ("no film").
_CLAUSE = "i|it|he|she|they|we|you|there|this|that|these|those|the|a|an|his|her|its|their|as|because|since|but|sorry"
_YES = r"(?<!\bnot )\byes\b"
_NO = rf"\bno\b(?=[\W_]*$|[*_\"')\]}}<]|\s*[,;:!?—–]|\s+-|\s*\n|\.(?!\s*\d)|\s+(?:{_CLAUSE})\b)"
_LEADING_NO = r"\bno\b(?=\s+(?-i:[A-Z])|\.)"
_OPENING = r"\A[\W_]*(?:(?:well|oh|so|hm+)\b\W*)?(?:(?:the |my |short |final )*answer\b(?: is)?\W*)?"
_UNSURE = r"(?:i(?:'m| am) )?(?:unsure|uncertain|not (?:\w+ )?(?:sure|certain))\b"
_STATED = r"(?:(?:that|this|it)(?: is|'s) )?"
_SAME_YES = rf"{_STATED}(?:correct|true|right)|yeah|yep|yup|indeed|affirmative"
_SAME_NO = rf"{_STATED}(?:not (?:correct|true|right)|incorrect|false|untrue|wrong)|nope|nah|negative"


def _rule(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_FORM = _rule(r"\b(?:yes ?(?:/|or) ?no|no ?(?:/|or) ?yes)\b(?: answer\b)?")
_THOUGHT = re.compile(r"\A.*</think>", re.DOTALL)
_WORD = _rule(rf"(?P<yes>{_YES})|(?P<no>{_NO})")
_LEADING = _rule(rf"{_OPENING}(?:(?P<yes>{_YES})|(?P<no>{_NO}|{_LEADING_NO}))")
_LEADING_SAME = _rule(rf"{_OPENING}(?:(?P<yes>{_SAME_YES})|(?P<no>{_SAME_NO}))(?=\s*(?:[.,;:!*—–-]|\Z))")
_LEADING_UNSURE = _rule(rf"{_OPENING}(?:(?:yes|no) ?(?:/|,? or) ?)?(?P<unsure>{_UNSURE})(?!,? but\b)")
_LEADING_BOTH = _rule(rf"{_OPENING}(?P<both>(?:yes[ ,]+and no|no[ ,]+and yes)\b)")
_DECLARED = _rule(
    r"\b(?:answer(?: to [^.\n]{1,200}?)? (?:is|would be|should be|must be|remains)|answer\W{0,3}[:=]"
    rf"|(?:wait|correction|actually|rather)[,:;.]?)[\W_]+(?:(?P<yes>{_YES})|(?P<no>{_NO}|{_LEADING_NO}))"
)
_CONDITION = _rule(r"\bif\b[^.!?\n]*\Z")
_SENTENCE = _rule(rf"(?:\A|[.!?:\n])[\W_]*(?:(?P<yes>{_YES})|(?P<no>{_NO}))(?=[*_]*[.,;!]|[\W_]*\Z)")
_UNKNOWN = _rule(
    rf"\b{_UNSURE}|\bnot (?:aware of|familiar with)\b|\bwithout knowing\b|\bplease (?:provide|specify|clarify)\b"
    r"|\b(?:don't|do not|didn't|did not) (?:\w+ )?(?:know|recall|remember)\b"
    r"|\b(?:don't|do not) (?:\w+ )?have (?:\w+ ){0,3}?(?:information|access|data|knowledge)\b"
    r"|\b(?:cannot|can't|can not|could not|couldn't|unable to|impossible to|hard to|difficult to|no way to) (?:\w+ ){0,2}?"
    r"(?:determine|confirm|verify|say|tell|know|find|recall|access|be (?:sure|certain))\b"
    r"|\b(?:no|not enough|insufficient|more|without any|lack of) (?:\w+ )?"
    r"(?:information|context|data|knowledge|idea|record|records|details)\b"
)
_REFUSED = _rule(
    r"\b(?:cannot|can't|can not|won't|will not|unable to|not able to|not going to) (?:\w+ ){0,2}?"
    r"(?:help|assist|comply|answer|respond|provide|discuss|engage|share|fulfil)"
    r"|\b(?:decline|refuse) to\b"
)


def read(text: str) -> Reading:
    """Tell what a text says.

    >>> read("No, he died in Princeton.")
    Reading(answer='no', reason='exact', spans=((0, 2),))
    >>> read("No doubt about it: yes!").answer
    'yes'
    >>> read("I don't know.").reason
    'unsure'
    """
    # Blanks keep the length, so that spans stay true.
    plain = text.replace("’", "'")
    plain = _FORM.sub(lambda form: " " * len(form[0]), _THOUGHT.sub(lambda thought: " " * len(thought[0]), plain))
    if not plain.strip():
        return Reading(None, "empty")
    return _declared(plain) or _leading(plain) or _anywhere(plain) or _neither(plain)


def _declared(text: str) -> Reading | None:
    found = reversed(list(_DECLARED.finditer(text)))
    return next((_answer(match, "exact") for match in found if not _conditional(text, match.start())), None)


def _conditional(text: str, end: int) -> bool:
    """Tell whether an "if" stands before `end` in the same sentence (within 300 characters, or long texts take long)."""
    return _CONDITION.search(text, max(0, end - 300), end) is not None


def _leading(text: str) -> Reading | None:
    unsure, both = _LEADING_UNSURE.match(text), _LEADING_BOTH.match(text)
    if unsure:
        return Reading(None, "unsure", (unsure.span("unsure"),))
    if both:
        return Reading(None, "unparsed", (both.span("both"),))
    leading, same = _LEADING.match(text), _LEADING_SAME.match(text)
    if leading:
        return _one_side([leading, *_SENTENCE.finditer(text, leading.end())])
    return _answer(same, "normalised") if same else None


def _anywhere(text: str) -> Reading | None:
    found = list(_WORD.finditer(text))
    return _one_side(found) if found else None


def _one_side(found: list[re.Match[str]]) -> Reading:
    """Read several answers in one text: they agree, or nothing is understood."""
    sides = {match.lastgroup for match in found}
    if len(sides) == 1:
        return _answer(found[0], "exact")
    return Reading(None, "unparsed", tuple(match.span(match.lastgroup or 0) for match in found))


def _answer(match: re.Match[str], reason: Reason) -> Reading:
    side = match.lastgroup
    return Reading(side, reason, (match.span(side or 0),))


def _neither(text: str) -> Reading:
    unknown, refused = _UNKNOWN.search(text), _REFUSED.search(text)
    if unknown:
        return Reading(None, "unsure", (unknown.span(),))
    return Reading(None, "refused", (refused.span(),)) if refused else Reading(None, "unparsed")


_READING = pl.Struct({"answer": pl.String, "reason": pl.String, "spans": pl.List(pl.List(pl.Int64))})


def judge(answers: pl.DataFrame) -> pl.DataFrame:
    """Add the columns of a verdict to a frame of answers (see `evaluators.verify`).

    Each text that occurs is read once. Where nobody knows (`expected` is null), an answer is wrong whatever it says.
    """
    texts = answers.filter(~pl.col("failed"))["text"].unique().drop_nulls()
    readings = pl.DataFrame(
        {"text": texts, "read": pl.Series([read(text)._asdict() for text in texts], dtype=_READING)},
        schema={"text": pl.String, "read": _READING},
    ).unnest("read")
    found = answers.join(readings, on="text", how="left", maintain_order="left")
    right = (pl.col("answer") == pl.col("expected").list.first()).fill_null(False)
    outcome = (
        pl.when(pl.col("failed")).then(pl.lit("unscored"))
        .when(right).then(pl.lit("correct"))
        .when(pl.col("answer").is_not_null()).then(pl.lit("incorrect"))
        .when(pl.col("reason") == "unsure").then(pl.lit("abstained"))
        .otherwise(pl.lit("unscored"))
    )  # fmt: skip
    reason = (
        pl.when(pl.col("failed")).then(pl.lit("api_error"))
        .when(outcome == "incorrect").then(pl.lit("wrong"))
        .otherwise(pl.col("reason"))
    )  # fmt: skip
    empty = pl.lit([], pl.List(pl.String))
    return found.with_columns(
        outcome=outcome,
        reason=reason,
        answer=pl.when(~pl.col("failed")).then(pl.col("answer")),
        spans=pl.when(~pl.col("failed")).then(pl.col("spans")).fill_null([]),
        rationale=pl.lit([], pl.List(pl.Boolean)),
        contradicted=empty,
        judge=pl.lit(None, pl.String),
    )
