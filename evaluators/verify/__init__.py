"""Judge answers by rules: join items and responses, and say why for each.

```
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --out verdicts.jsonl
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --explain ITEM
```

One module for each task, with a function from a text and a question to a ruling: `yes_no` (and probes), `choice`,
`short_answer`, `premise`; explanations are judged by `rationale`, texts without an answer by `abstention`. Nothing
here calls a model, draws by lot or learns: the same text gets the same verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import polars as pl

from evaluators.cross_checks import known_items
from evaluators.verify import choice, premise, short_answer, yes_no
from evaluators.verify.published import PUBLISHED
from evaluators.verify.question import Question, question_of
from evaluators.verify.reading.text import PlainText
from evaluators.verify.ruling import Ruling, unscored
from queries.records import frame_schema, read_frame, read_jsonl
from queries.records.item import Item
from queries.records.response import Response
from queries.records.verdict import Verdict

__all__ = ["JUDGES", "PUBLISHED", "Judge", "judge_answers", "judge_text", "judges_of", "read_answers"]

Judge = Callable[[str, Question], Ruling]

JUDGES: dict[str, Judge] = {
    "yes_no": yes_no.judge,
    "probe": yes_no.judge,
    "choice": choice.judge,
    "open": short_answer.judge,
    "context": short_answer.judge,
    "premise": premise.judge,
}
"""The judge of each task."""


def judges_of(published: str | None) -> Mapping[str, Judge]:
    """Return the judges by task: ours, or those of a paper (for yes-no questions and choices; probes are judged as ever)."""
    if published is None:
        return JUDGES
    return {"probe": JUDGES["probe"]} | dict.fromkeys(("yes_no", "choice"), PUBLISHED[published])


def judge_text(text: str | None, question: Question, judges: Mapping[str, Judge] = JUDGES) -> Ruling:
    """Judge one answer; no text means that an error came instead.

    >>> judge_text("Yes.", Question("Is it?", expected=("yes",))).outcome, judge_text(None, Question("Is it?")).reason
    ('correct', 'api_error')
    """
    if text is None:
        return unscored("api_error")._replace(rationale=(False,) * len(question.rationale))
    plain = PlainText.of(text)
    ruling = judges[question.task](plain.text, question)
    missing = len(question.rationale) - len(ruling.rationale)
    if not missing and not plain.left_out:
        return ruling
    spans = tuple(plain.span(span) for span in ruling.spans) if plain.left_out else ruling.spans
    return ruling._replace(spans=spans, rationale=(*ruling.rationale, *[False] * missing))


def read_answers(items: str, responses: str) -> pl.DataFrame:
    """Read responses with the questions of their items, in the order of the responses.

    Columns: `item, model, sample, text` (null after an error), `task`, and `question`, what the judge reads of the item.
    Raises JoinError, with file and line, where a response is to an item that is not there.
    """
    questions = {item.id: question_of(item) for item in read_jsonl(items, Item)}
    answers = read_frame(responses, Response, ["item", "model", "sample", "text", "error"], numbered=True)
    known_items(answers, pl.Series(list(questions)), responses, items)
    asked = [questions[item] for item in answers["item"]]
    return answers.select(
        "item",
        "model",
        "sample",
        pl.when(pl.col("error").is_null()).then(pl.col("text")).alias("text"),
        pl.Series("task", [question.task for question in asked], pl.String),
        pl.Series("question", asked, pl.Object),
    )


def judge_answers(answers: pl.DataFrame) -> pl.DataFrame:
    """Judge answers as `read_answers` gives them; returns the columns of a verdict (without `schema`), in the same order."""
    pairs = zip(answers["text"].to_list(), answers["question"].to_list(), strict=True)
    rulings = [judge_text(text, question) for text, question in pairs]
    schema = {name: dtype for name, dtype in frame_schema(Verdict).items() if name != "schema"}
    columns = {name: [getattr(ruling, name) for ruling in rulings] for name in Ruling._fields}
    made = {name: pl.Series(name, _plain(values), schema[name]) for name, values in columns.items()}
    return answers.select("item", "model", "sample").with_columns(**made, judge=pl.lit(None, pl.String)).select(list(schema))


def _plain(values: list[object]) -> list[object]:
    """Turn tuples into lists, which polars takes for lists."""
    return [[list(part) if isinstance(part, tuple) else part for part in v] if isinstance(v, tuple) else v for v in values]
