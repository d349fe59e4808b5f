"""Verbs that agree with a name in number, and with a fact in tense: is, are, was, were.

A question writes `{is:subject}` or `{does:object}`; `{is:both}` speaks of two, `{is}` of one thing that no name stands for.
What is past is a matter of the fact alone, so that the questions of its edits share their tense.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

FORMS = {
    "is": ("is", "are", "was", "were"),
    "does": ("does", "do", "did", "did"),
    "was": ("was", "were", "was", "were"),
}
"""Each verb: of one thing, of several; and both in the past."""

OF = ("", "subject", "object", "both")
"""With what a verb may agree."""


@dataclass(frozen=True)
class Verb:
    """A place in a text for a form of a verb, and what it agrees with: subject, object, both, or one thing ("")."""

    word: str
    of: str = ""

    def expr(self, names: dict[str, str]) -> pl.Expr:
        """Choose the form for every row: by the column `past`, and `NAME_plural` of what it agrees with.

        >>> rows = pl.DataFrame({"s_plural": [False, True], "past": [True, False]})
        >>> rows.select(said=Verb("is", "subject").expr({"subject": "s"}))["said"].to_list()
        ['was', 'are']
        """
        one, several, was, were = map(pl.lit, FORMS[self.word])
        plural = pl.lit(self.of == "both") if self.of in ("", "both") else pl.col(f"{names[self.of]}_plural")
        past = pl.col("past")
        return pl.when(past & plural).then(were).when(past).then(was).when(plural).then(several).otherwise(one)

    @property
    def plain(self) -> str:
        """The form for one thing (or two) that is there still.

        >>> Verb("does", "both").plain
        'do'
        """
        return FORMS[self.word][self.of == "both"]
