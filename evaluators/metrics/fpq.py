"""Accuracy on true- and false-premise questions, after KG-FPQ (Zhu et al., 2024), sections 4.3 and 5, appendix C.

    accuracy of an edit                = correct / answers, over the questions of that edit (tables 2 and 10)
    accuracy by hops (NSC and NDC)     = correct / answers, over the questions of that distance (appendix C.1)
    accuracy overall (`FPQ`)           = (correct NSC + ... + correct NNDR) / all answers to false premises (appendix C.2)
    accuracy on true premises (`TPQ`)  = correct / answers, over the questions with a true premise (table 12)
    accuracy of a user's own edit      = the same; it stands beside the paper's, and is no part of `FPQ`
    discriminative against generative  = FPQ of the yes-no questions, FPQ of the WH questions (section 5.2, figure 8)
    yes-share                          = answers that take the premise for true / answers
    balanced accuracy                  = (TPQ + FPQ) / 2: who says the same to everything gets a half
    same kind                          = (TPQ + accuracy on NSC, NNSC and NNSR) / 2
    guesser by frequency               = pairs in which the true object is the commoner object of the relation, and half of
                                         those in which both are as common, over pairs of NSC, NNSC and NNSR

The paper asks the false premises of a fact only where the yes-no question with its true premise was answered "yes" (section
4.3): the population `known` has these numbers over those facts, `all` over all facts. With several samples a fact is known
when more than half of them are right.

| outcome | counted as | as published |
|---|---|---|
| correct | an answer, correct | the same |
| incorrect | an answer, not correct | the same |
| abstained | an answer, not correct; shown beside | the same |
| unscored, whatever the reason | left out, shown beside | an answer, not correct |
| unscored: api_error, tie, judge_failed | left out, shown beside | left out |
| no verdict, no response | left out, shown beside | left out |
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from evaluators.metrics.answers import COUNTS, Answers, counts, known_groups, named, populations, right, who
from evaluators.metrics.table import ALL, Measure, Table, with_totals
from queries.records.item import EDITS

_SOURCE = "KG-FPQ (Zhu et al., 2024), "
_NOTE = (
    "Abstentions count as not correct. Population known: facts whose true premise was recognised as a yes-no question; "
    "all: every fact. Unscored answers are left out."
)
_PUBLISHED = "Whatever is no correct answer counts as wrong, but for errors of the service. " + _NOTE.rpartition(" Unscored")[0]
_FPQ = Measure("FPQ", "FPQ", "rate", "accuracy on all false premises")
_TPQ = Measure("TPQ", "TPQ", "rate", "accuracy on true premises")


def fpq_tables(answers: Answers, *, as_published: bool = False) -> list[Table]:
    """Return the tables of KG-FPQ: accuracy by edit, by hops, by form of the question, what is known; none without premises."""
    premises = named(answers.counted.filter("presumes"), "domain").select(_READ, right(as_published).alias("right"))
    if not premises.height:
        return []
    known = known_groups(premises, _TRUE & (pl.col("task") == "yes_no"), pl.col("state") == "correct")
    counted = populations(premises, known)
    note, dims = _PUBLISHED if as_published else _NOTE, [*who(answers.counted), "population", "domain"]
    tables = [make(counted, dims, note) for make in (_by_edit, _by_hops, _by_form)]
    tables += [_known(premises, known, dims), _balance(premises, dims, note)]
    return [table for table in tables if table.frame.height]


_TRUE = pl.col("edit").is_null()
_PAPER = pl.col("edit").is_in(EDITS)
"""Whether a premise is false by an edit of the paper's."""
_READ = pl.col("model", "run", "item", "group", "domain", "task", "edit", "hops", "commoner", "state")
_SAME_KIND = pl.col("edit").is_in(["NSC", "NNSC", "NNSR"])
_GUESSED = {"true object": 1.0, "neither": 0.5, "edited object": 0.0}


def _by_edit(counted: pl.DataFrame, dims: list[str], note: str) -> Table:
    own = sorted(set(counted["edit"].drop_nulls()) - set(EDITS))
    values: dict[str, pl.Expr] = {_column(edit): pl.when(pl.col("edit") == edit).then("right") for edit in (*EDITS, *own)}
    values |= {"FPQ": pl.when(_PAPER).then("right"), "TPQ": pl.when(_TRUE).then("right")}
    cells = with_totals(counted, [*dims, "task"], values)
    totals = pl.concat([counted.with_columns(domain=pl.lit(ALL)), counted]).group_by(*dims, "task").agg(counts())
    about = "Accuracy by edit", f"{_SOURCE}tables 2, 10 and 12; overall: appendix C.2", note
    frame = cells.join(totals, on=[*dims, "task"], how="left", maintain_order="left")
    return Table.of("fpq.accuracy", about, (*_of_edits(EDITS), _FPQ, _TPQ, *_of_edits(own), *COUNTS), frame)


def _of_edits(edits: Sequence[str]) -> list[Measure]:
    return [Measure(_column(edit), edit, "rate", f"accuracy on false premises with the edit {edit}") for edit in edits]


def _column(edit: str) -> str:
    """Name the column of an edit; a user's own may be called as another column is."""
    return edit if edit in EDITS else f"own.{edit}"


def _by_hops(counted: pl.DataFrame, dims: list[str], note: str) -> Table:
    hopped = counted.filter(pl.col("hops").is_not_null()).with_columns(pl.col("hops").cast(pl.String))
    cells = with_totals(hopped, [*dims, "task", "edit", "hops"], {"accuracy": pl.col("right")})
    about = "Accuracy by hops between subject and edited object", f"{_SOURCE}appendix C.1, figures 11 and 12", note
    return Table.of("fpq.hops", about, [Measure("accuracy", "accuracy", "rate")], _numbered(cells, "hops"))


def _numbered(cells: pl.DataFrame, column: str) -> pl.DataFrame:
    """Sort the last dimension as numbers: 10 after 9."""
    dims = [name for name, dtype in cells.schema.items() if dtype == pl.String and name != column]
    return cells.sort(*dims, pl.col(column).cast(pl.Int64))


def _by_form(counted: pl.DataFrame, dims: list[str], note: str) -> Table:
    false = counted.filter(_PAPER)
    # Section 5.2: a yes-no question discriminates, a WH question generates.
    forms = {"yes_no": "discriminative", "premise": "generative"}
    values = {name: pl.when(pl.col("task") == task).then("right") for task, name in forms.items()}
    cells = with_totals(false, dims, values).with_columns((pl.col("generative") - pl.col("discriminative")).alias("change"))
    measures = [
        Measure("discriminative", "discriminative", "rate", "yes-no questions, all edits"),
        Measure("generative", "generative", "rate", "WH questions, all edits"),
        Measure("change", "generative - discriminative", "number"),
    ]
    # A row with one form only has nothing to compare.
    both = cells.filter((pl.col("discriminative_n") > 0) & (pl.col("generative_n") > 0))
    return Table.of("fpq.formats", ("The two forms of a question", f"{_SOURCE}section 5.2, figure 8", note), measures, both)


def _balance(premises: pl.DataFrame, dims: list[str], note: str) -> Table:
    """Return how often each model takes a premise for true, and how well it does beside somebody who knows no subject."""
    says_yes = pl.when(_TRUE).then("right").otherwise((pl.col("state") == "incorrect") & ~pl.col("right"))
    guessed = pl.col("commoner").replace_strict(_GUESSED, default=None, return_dtype=pl.Float64)
    values = {
        "yes": pl.when(pl.col("right").is_not_null()).then(says_yes),
        "true": pl.when(_TRUE).then("right"),
        "false": pl.when(_PAPER).then("right"),
        "kind": pl.when(_SAME_KIND).then("right"),
        "guesser": pl.when(_SAME_KIND & pl.col("right").is_not_null()).then(guessed),
    }
    own = [*(dim for dim in dims if dim != "population"), "task"]
    cells = with_totals(premises, own, values).with_columns(
        balanced=(pl.col("true") + pl.col("false")) / 2, same_kind=(pl.col("true") + pl.col("kind")) / 2
    )
    measures = [
        Measure("yes", "yes-share", "rate", "answers that take the premise for true"),
        Measure("balanced", "balanced accuracy", "number", "(TPQ + FPQ) / 2; one answer to everything gets 50%"),
        Measure("same_kind", "same kind", "number", "the same with NSC, NNSC and NNSR alone"),
        Measure("guesser", "guesser by frequency", "rate", "what picking the commoner object of each pair gets on these edits"),
    ]
    about = "Yes-saying, and a guesser by frequency", "not in the paper", f"{note} All facts, known or not."
    return Table.of("fpq.balance", about, measures, cells.select(*own, *(c for m in measures for c in m.columns)))


def _known(premises: pl.DataFrame, known: pl.DataFrame, dims: list[str]) -> Table:
    """Return how many facts there are and how many each model knows."""
    # A fact has a true premise and up to six edits: it counts once.
    facts = premises.select("model", "run", "domain", "group").unique(maintain_order=True)
    marked = facts.join(known.with_columns(known=pl.lit(True)), on=["model", "run", "group"], how="left", nulls_equal=True)
    own = [dim for dim in dims if dim != "population"]
    cells = with_totals(marked, own, {"known": pl.col("known").fill_null(False)})
    about = "Facts whose true premise is recognised", f"{_SOURCE}section 4.3", "More than half of the samples answer yes."
    return Table.of("fpq.known", about, [Measure("known", "known", "rate")], cells)
