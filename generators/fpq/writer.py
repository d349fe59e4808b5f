"""A model that words questions: fluent ones, from true triples, each checked before it is used.

Source: Zhu et al.: KG-FPQ (2025), §3.2 and appendix A: a model words the question of the true triple, and the edited
object then takes the object's place, so that all questions of a group share their words. Here every text is checked
(`writer_checks`); one that fails is asked for again with the reason, and after the last try the template is used.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import polars as pl

from evaluators.models import Decoding, Message, Request
from evaluators.models.identity import request_name
from evaluators.models.quoted import quoted, visible
from evaluators.models.runs import Recording, Terms
from generators.fpq.writer_checks import Flaw, QuestionParts, TrueFact, check, prompts
from kg.cli import note

TASKS = ("yes_no", "premise")
_PARTS = pl.Schema({"fact": pl.Int64, "task": pl.String, "before": pl.String, "article": pl.String, "after": pl.String})
_DECODING = Decoding(max_tokens=1000)
"""Tokens for a question, and for the thoughts of a model that thinks before it; else as the model's maker has it."""


@dataclass
class _Draft:
    """A question that is wanted: the conversation about it so far, and its parts once one could be used."""

    number: int
    task: str
    fact: TrueFact
    messages: tuple[Message, ...]
    item: str
    parts: QuestionParts | None = None


@dataclass
class Writer:
    """A model asked for questions, up to `tries` times each.

    `tally` counts the questions by what became of them (`first`, `later`, `template`), `flaws` the texts that were no use.
    """

    model: Recording
    tries: int = 3
    quiet: bool = True
    tally: Counter[str] = field(default_factory=Counter)
    flaws: Counter[str] = field(default_factory=Counter)

    @property
    def name(self) -> str:
        """How the items name the writer: the model, and its prompt with version and hash."""
        return f"{self.model.name} writer/{prompts()['version']}@{_digest()[:12]}"

    def questions(self, facts: Sequence[tuple[int, TrueFact]]) -> pl.DataFrame:
        """Have questions written on numbered facts; return fact, task and parts of each question that can be used.

        Raises ModelError where the model cannot be asked at all.
        """
        drafts = [_draft(number, task, fact) for number, fact in facts for task in TASKS]
        note(f"{self.model.name} words {len(drafts)} questions: {self.tries} requests each at most", self.quiet)
        for turn in range(self.tries):
            self._turn([draft for draft in drafts if draft.parts is None], turn)
        self.tally["template"] += sum(draft.parts is None for draft in drafts)
        rows = [(draft.number, draft.task, *draft.parts) for draft in drafts if draft.parts is not None]
        return pl.DataFrame(rows, schema=_PARTS, orient="row")

    def _turn(self, drafts: Sequence[_Draft], turn: int) -> None:
        """Ask for every draft once and check what comes; a text that fails stays in the conversation, with the reason."""
        if not drafts:
            return
        # Named by its first messages and the turn, so that a recording finds it again however the conversation went on.
        requests = [Request(draft.item, turn, draft.messages, _DECODING) for draft in drafts]
        answers = self.model.replies(requests)
        for draft, reply in zip(drafts, answers, strict=True):
            parts = check(reply.text, draft.fact, draft.task) if reply.error is None else Flaw("no answer came")
            if isinstance(parts, QuestionParts):
                draft.parts = parts
                self.tally["later" if turn else "first"] += 1
                continue
            self.flaws[parts.kind] += 1
            # Of nothing there is nothing to mend: the same request goes out again, as another sample.
            if reply.error is None and (reply.text or "").strip():
                draft.messages = (*draft.messages, *_again(str(reply.text), parts))

    def summary(self) -> list[str]:
        """Say what became of the questions, in lines."""
        first, later, template = (self.tally[what] for what in ("first", "later", "template"))
        total = first + later + template
        head = f"{self.name}: {first + later} of {total} questions{self.model.cost}, {later} of them not at once"
        lines = [f"{head}; the template's: {template}"]
        return lines + [f"  not used, {why}: {count}" for why, count in self.flaws.most_common()]


def open_writer(spec: str, tries: int, recording: str | None, terms: Terms = Terms(), *, quiet: bool) -> Writer:
    """Open the model that `spec` names as a writer whose answers are kept in the file `recording`.

    Raises ModelError where there is no such model, InputError where a term is at fault.
    """
    return Writer(Recording.open(spec, recording, terms, quiet=quiet), tries, quiet=quiet)


def _draft(number: int, task: str, fact: TrueFact) -> _Draft:
    messages = tuple(_messages(fact, task))
    return _Draft(number, task, fact, messages, request_name(f"writer.{task}", messages, _DECODING))


def _messages(fact: TrueFact, task: str) -> Iterator[Message]:
    words = prompts()
    yield Message("system", words["system"].format_map({"form": words[task]["form"]}).strip())
    for example in words[task]["examples"]:
        yield Message("user", _triple(*example["triple"]))
        yield Message("assistant", example["question"])
    yield Message("user", _triple(fact.subject, fact.relation, fact.object))


def _triple(*parts: str) -> str:
    return quoted({"triple": json.dumps(parts, ensure_ascii=False)})["triple"]


def _again(text: str, flaw: Flaw) -> tuple[Message, Message]:
    correction = prompts()["again"].format_map({"fault": flaw.why})
    return Message("assistant", visible(text)), Message("user", correction)


def _digest() -> str:
    return hashlib.sha256(json.dumps(prompts(), sort_keys=True).encode()).hexdigest()


# --- questions for all rows: asked of the true triples, filled in for every edit


def reworded(rows: pl.DataFrame, writer: Writer) -> pl.DataFrame:
    """Put a writer's words in place of the templates' where they can be used.

    Parameters: `rows` has a row for each fact and variant, with the questions of the templates (`yes_no`, `premise`) and the
    names to fill in.
    Returns the rows with `yes_no_writer` and `premise_writer` besides: the writer's name, null where the template stays.
    """
    questions = writer.questions(_facts(rows))
    for task in TASKS:
        rows = _filled(rows, questions.filter(pl.col("task") == task).drop("task"), task, writer.name)
    return rows


def _facts(rows: pl.DataFrame) -> list[tuple[int, TrueFact]]:
    """Return the true triples, numbered, each with the names that may not occur in its questions."""
    edited = rows.filter(pl.col("variant") != "tpq").group_by("fact").agg(edited=pl.col("x_label"))
    true = rows.filter(pl.col("variant") == "tpq").join(edited, on="fact", how="left", maintain_order="left")
    columns = ("fact", "s_name", "p_label", "x_name", "x_name_language", "true_objects", "edited")
    return [_fact(*row) for row in true.select(columns).iter_rows()]


def _fact(
    number: int, subject: str, relation: str, name: str, the: str, true: list[dict[str, object]], edited: list[str] | None
) -> tuple[int, TrueFact]:
    others = {str(entry["label"]) for entry in true}.union(*(_texts(entry["aliases"]) for entry in true), edited or [])
    return number, TrueFact(subject, relation, name, the, frozenset(others))


def _texts(aliases: object) -> list[str]:
    return [str(alias) for alias in aliases] if isinstance(aliases, list) else []


def _filled(rows: pl.DataFrame, questions: pl.DataFrame, task: str, name: str) -> pl.DataFrame:
    """Put each row's object into the question written on its fact; where there is none, the template's stays."""
    joined = rows.join(questions, on="fact", how="left", maintain_order="left")
    article = pl.col("article")
    shown = pl.when(article == "a").then("x_name_a").when(article == "the").then("x_name_language").otherwise("x_name")
    question = pl.concat_str("before", shown, "after")
    used = pl.col("before").is_not_null()
    return joined.with_columns(
        pl.when(used).then(question).otherwise(task).alias(task),
        pl.when(used).then(pl.lit(name)).alias(f"{task}_writer"),
    ).drop("before", "article", "after")
