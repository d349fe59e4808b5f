"""The command `unseenqa`: questions that nobody can answer yet, seen ones beside them, and answers asked for again.

```
python -m generators.unseenqa --out unseenqa.jsonl
python -m generators.unseenqa --as-of 2024-04-13 --seed 1 --out paper.jsonl
```

Demonstrations for the prompts with shots are made, too: seen questions with their answers, unseen ones with "unsure" (Zheng et
al.: How Reliable are LLMs as Knowledge Bases? 2024, appendix D); which go before a question is decided when it is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from typing import Annotated, Any, NamedTuple

import numpy as np
import polars as pl
import typer

from evaluators.models.runs import Terms, beside, with_terms
from generators.draw import keys_of
from generators.items import write_items
from generators.lint import lint_file
from generators.making import Making
from generators.unseenqa.asking import Helper, open_helper
from generators.unseenqa.consistency import Again, consistency
from generators.unseenqa.make import Options, Result, generate
from generators.unseenqa.pools import SHOWN, UNSURE
from generators.unseenqa.seen import Seen, seen_questions
from generators.unseenqa.templates import load_templates
from generators.unseenqa.values import find_value, near
from kg.cli import Quiet, Seed, fail_check, new_app, note, run
from kg.errors import InputError
from kg.files import check_apart
from kg.graph_choice import GraphChoice, with_graph
from kg.text import fold
from queries.records import write
from queries.records.exemplar import EXEMPLAR_SCHEMA, Exemplar

app = new_app("Questions that nobody can answer yet, and each answer asked for again (UnseenQA, LLM-as-KB).")

_Tries = Annotated[int, typer.Option(min=1, help="How often the model is asked for what can be used.")]
_Recording = Annotated[
    str | None, typer.Option(help="The file of its answers [default: OUT.judge.jsonl or OUT.distractors.jsonl].")
]


@app.callback(invoke_without_command=True)
@with_terms
@with_graph
def unseenqa(
    context: typer.Context,
    as_of: Annotated[str | None, typer.Option(help="The day after which events lie, as 2024-04-13 [default: today].")] = None,
    event: Annotated[
        list[str] | None, typer.Option(help="TEMPLATE=EDITION or TEMPLATE=YEAR, such as gold-medals=XXXV; may be repeated.")
    ] = None,
    seen: Annotated[
        list[str] | None,
        typer.Option(
            metavar="N|FILE", help="Seen questions besides: how many [default: 3000], files of them (else from the graph)."
        ),
    ] = None,
    judge: Annotated[str | None, typer.Option(help="A model that says which questions of the files may be asked, too.")] = None,
    tries: _Tries = 2,
    recording: _Recording = None,
    exemplars: Annotated[str | None, typer.Option(help="Write demonstrations for prompts with shots, too.")] = None,
    fillers: Annotated[int, typer.Option(min=1, max=2**31, help="How many questions each template gives.")] = 150,
    templates: Annotated[str | None, typer.Option(help="A file of templates (.toml), instead of the twenty.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, max=2**53, help="Write at most so many items.")] = None,
    seed: Seed = 0,
    where: Making = Making(),
    out: Annotated[str | None, typer.Option(help="The file to write [default: unseenqa.jsonl]; `-` is stdout.")] = None,
    quiet: Quiet = False,
    *,
    terms: Terms,
) -> None:
    """Make 3,000 questions that nobody can answer: on events to come, and on people who do not exist; with --seen, others too.

    \b
    Examples:
      python -m generators.unseenqa
      python -m generators.unseenqa --as-of 2024-04-13 --out paper.jsonl
      python -m generators.unseenqa --seen 300 --exemplars exemplars.jsonl --out both.jsonl
      python -m generators.unseenqa --seen nq.jsonl --seen popqa.tsv --seen 2000
      python -m generators.unseenqa --seen nq.jsonl --judge openai:MODEL
      python -m generators.unseenqa --event gold-medals=XXXVI --event leader=2050
    """
    if context.invoked_subcommand is not None:
        return
    terms.check_used(judge, "--judge")
    out = where.path(out, "unseenqa.jsonl")
    check_apart({"--out": out, "--exemplars": exemplars}, [templates, *(seen or []), recording])
    wanted, seen_files = _seen(seen or [])
    if judge is not None and not seen_files:
        raise InputError(
            "has no effect without a file of questions", place="--judge", way_out="give --seen FILE, or leave it out"
        )
    helper = None if judge is None else open_helper(judge, tries, recording or beside(out, "judge"), terms, quiet=quiet)
    options = Options(_day(as_of), seed, fillers, dict(map(_event, event or [])), templates)
    graph = where.open()
    result = generate(graph, options)
    asked = None
    if seen or exemplars:
        asked = seen_questions(graph, load_templates(templates), wanted, seen_files, seed, helper)
    items = mixed(result.items, asked.items) if seen and asked is not None else result.items
    with where.writing(out, graph, quiet=quiet) as target:
        count = write_items(target, items if limit is None else items.head(limit))
    note(summary(result, options, out, count), where.hushed(quiet))
    if seen and asked is not None:
        note("\n".join([seen_summary(asked), *_help(helper)]), quiet)
    if exemplars is not None and asked is not None:
        shown = exemplars_of(asked.spare, result.spare, seed)
        write(exemplars, shown)
        note(f"{len(shown)} exemplars in {exemplars}: {_tally(shown)}", quiet)
    if out != "-":
        note(f"{lint_file(out).clean:.1%} of them are clean to the linter", quiet)
    if result.short or (seen and asked is not None and asked.short):
        raise fail_check()


def _seen(given: list[str]) -> tuple[int, list[str]]:
    """Tell how many seen questions are wanted from which files; no number means as many as in the paper."""
    numbers = [int(text) for text in given if text.isascii() and text.isdigit()]
    if len(numbers) > 1 or 0 in numbers:
        raise InputError("names no one number of questions", place="--seen", way_out="write --seen N once, N at least 1")
    return (numbers or [_SEEN])[0], [text for text in given if not (text.isascii() and text.isdigit())]


_SEEN = 3000


def _help(helper: Helper | None) -> list[str]:
    return [] if helper is None else helper.summary()


def mixed(*parts: pl.DataFrame) -> pl.DataFrame:
    """Shuffle parts into each other without changing their order: any prefix has the same mix of them."""
    placed = [
        part.with_columns((pl.int_range(pl.len()) + 0.5).truediv(pl.len()).alias("\0place")) for part in parts if part.height
    ]
    return pl.concat(placed, how="diagonal_relaxed").sort("\0place", maintain_order=True).drop("\0place")


def seen_summary(seen: Seen) -> str:
    """Say in a few lines how many seen questions there are, why not more, and show three of them."""
    lines = [
        f"seen: {seen.items.height - seen.real} of {seen.wanted} asked for, and {seen.real} on real people by the templates"
    ]
    lines += [f"  left out, {reason}: {n}" for reason, n in seen.left_out.most_common() if n]
    lines += [f"  {question}" for question in seen.items["question"].tail(3)] if seen.items.height else []
    return "\n".join(lines)


def _tally(shown: list[Exemplar]) -> str:
    counts = Counter(f"{each.task}, {each.variant}" for each in shown)
    return "; ".join(f"{what}: {n}" for what, n in counts.items())


@app.command("consistency")
@with_terms
@with_graph
def consistency_command(
    responses: Annotated[str, typer.Argument(metavar="RESPONSES", help="A file of responses to open questions.")],
    items: Annotated[str, typer.Option(help="The file of their items.")],
    verdicts: Annotated[str | None, typer.Option(help="Verdicts on them; without, the rules judge who abstained.")] = None,
    distractors: Annotated[
        str | None, typer.Option(help="A model that proposes 20 for each answer; else the graph does.")
    ] = None,
    tries: _Tries = 2,
    recording: _Recording = None,
    limit: Annotated[int | None, typer.Option(min=1, max=2**53, help="Write at most so many items.")] = None,
    seed: Seed = 0,
    where: GraphChoice = GraphChoice(),
    out: Annotated[str, typer.Option(help="The file to write; `-` is stdout.")] = "unseenqa-consistency.jsonl",
    quiet: Quiet = False,
    *,
    terms: Terms,
) -> None:
    """Ask for each answer again: twenty choices among it, three distractors and "unsure".

    \b
    Examples:
      python -m generators.unseenqa consistency responses.jsonl --items unseenqa.jsonl
      python -m generators.unseenqa consistency responses.jsonl --items both.jsonl --store ./wd --out again.jsonl
      python -m generators.unseenqa consistency responses.jsonl --items both.jsonl --distractors openai:MODEL
    """
    terms.check_used(distractors, "--distractors")
    check_apart({"--out": out}, [responses, items, verdicts, recording])
    helper = (
        None
        if distractors is None
        else open_helper(distractors, tries, recording or beside(out, "distractors"), terms, quiet=quiet)
    )
    again = consistency(where.open(), responses, items, seed=seed, verdicts=verdicts, helper=helper)
    count = write_items(out, again.items if limit is None else again.items.head(limit))
    note("\n".join([again_summary(again, out, count), *_help(helper)]), quiet)
    if out != "-" and count:
        note(f"{lint_file(out).clean:.1%} of them are clean to the linter", quiet)


def again_summary(again: Again, path: str, written: int) -> str:
    """Say in a few lines which answers are asked for again and why not the rest, and show one choice."""
    origins = ", ".join(f"{_ORIGINS.get(origin, origin)}: {n}" for origin, n in again.origins.most_common())
    lines = [f"{written} choices in {path}: {again.answers} answers asked for again"]
    lines += [f"distractors: {origins}"] if origins else []
    lines += [f"  left out, {reason}: {n}" for reason, n in again.left_out.most_common()]
    for question, options in again.items.select("question", "options").head(1).iter_rows():
        lines.append(f"  {question} " + " / ".join(options))
    return "\n".join(lines)


_ORIGINS = {
    "values": "dates and numbers near the answer",
    "graph": "names from the graph",
    "answers": "answers to other questions of the family",
    "model": "a model's",
}


def _day(text: str | None) -> date:
    if text is None:
        return datetime.now(UTC).date()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError(f"'{text}' is no day", place="--as-of", way_out="write it as 2024-04-13") from None


def _event(text: str) -> tuple[str, str]:
    template, _, name = text.partition("=")
    if not name:
        raise InputError(f"'{text}' names no edition", place="--event", way_out="write TEMPLATE=EDITION: gold-medals=XXXV")
    return template, name


def summary(result: Result, options: Options, path: str, written: int) -> str:
    """Say in a few lines what was made and why not the rest, and show three questions."""
    lines = [f"{written} items in {path}; unseen: {result.items.height}, whose answers nobody knows as of {options.as_of}"]
    lines += [f"  {name}: {at.name}, which begins on {at.begins}" for name, at in result.occasions.items()]
    if result.known_names:
        lines.append(f"names left out, something in the graph bears them: {result.known_names}")
    if not result.aliases:
        lines.append("the graph has no aliases: who bears a name only as a second one is not known to it")
    lines += [f"  {name}: only {n} fillers of {options.fillers}" for name, n in result.short.items()]
    lines += [f"  {question}" for question in result.items["question"].head(3)]
    return "\n".join(lines)


def main() -> None:
    """Run the command line."""
    run(app, "python -m generators.unseenqa")


class _Question(NamedTuple):
    question: str
    answers: tuple[str, ...]
    type: str
    group: str
    source: dict[str, str | None]


def exemplars_of(seen: pl.DataFrame, unseen: pl.DataFrame, seed: int) -> list[Exemplar]:
    """Return the exemplars of items that are held back: short answers, then choices.

    >>> exemplars_of(pl.DataFrame(), pl.DataFrame(), 0)
    []
    """
    questions = [*_questions(seen), *_questions(unseen)]
    answers: dict[str, list[str]] = {}
    for each in questions:
        if each.answers:
            answers.setdefault(each.type, []).append(each.answers[0])
    choices = [choice for each in questions if (choice := _choice(each, answers.get(each.type, []), seed)) is not None]
    return [*map(_open, questions), *choices]


def _questions(items: pl.DataFrame) -> Iterable[_Question]:
    for item in items.iter_rows(named=True):
        strata: dict[str, Any] = item["strata"]
        kind = strata.get("answer_type") or item["answer_type"]
        kind = {"time": "date", "entity": item["family"]}.get(kind, kind)
        source: dict[str, str | None] = {
            "family": item["family"],
            "property": strata.get("property") or item["family"],
            "seen": strata["seen"],
        }
        yield _Question(item["question"], tuple(item["answer"] or ()), kind, item["group"], source)


def _open(question: _Question) -> Exemplar:
    text = question.answers[0] if question.answers else UNSURE
    return Exemplar(
        schema=EXEMPLAR_SCHEMA,
        task="open",
        variant=_variant(question),
        question=question.question,
        text=text,
        group=question.group,
        source=question.source,
    )


def _variant(question: _Question) -> str:
    return "seen" if question.answers else "unseen"


def _choice(question: _Question, peers: Sequence[str], seed: int) -> Exemplar | None:
    """Make a choice of a question: its answer among three others, or four that nobody can tell right; and "unsure"."""
    key = int(keys_of(seed, [question.question])[0])
    wanted = SHOWN if question.answers else SHOWN + 1
    others = _others(question, peers, key)[:wanted]
    if len(others) < wanted:
        return None
    right = question.answers[0] if question.answers else UNSURE
    options = [*dict.fromkeys((right, UNSURE)), *others]
    order = np.argsort(keys_of(key, [str(place) for place in range(len(options))]), kind="stable")
    shown = [options[place] for place in order]
    return Exemplar(
        schema=EXEMPLAR_SCHEMA,
        task="choice",
        variant=_variant(question),
        question=question.question,
        options=shown,
        text=str(shown.index(right) + 1),
        group=question.group,
        source=question.source,
    )


def _others(question: _Question, peers: Sequence[str], key: int) -> list[str]:
    """Return what else might be answered: values near the answer, or answers to other questions of the kind."""
    at = key % max(len(peers), 1)
    turned = [*peers[at:], *peers[:at]]
    model = question.answers[0] if question.answers else _plausible(question)
    value = find_value(model, question.type)
    close = near(value, key, SHOWN + 1) if value is not None else []
    found = [model.replace(value.text, text, 1) for text in close] if value is not None else turned
    accepted = {fold(answer) for answer in question.answers}
    distinct = {fold(other): other for other in found if fold(other) and fold(other) not in accepted}
    return list(distinct.values())


def _plausible(question: _Question) -> str:
    """Return a number or a date that might be answered where nobody knows; nothing where a name is asked for."""
    if question.type == "date":
        return "1974" if "year" in question.question else "12 May 1974"
    return "4" if question.type == "number" else ""


if __name__ == "__main__":
    main()
