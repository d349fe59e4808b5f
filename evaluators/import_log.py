"""Answers that another harness collected, as responses: `verify` and `report` go on from there.

```
python -m evaluators.import_log inspect logs/2026-11-23_items.eval --items items.jsonl --out responses.jsonl
python -m evaluators.import_log lm-eval samples_kgprobe_items.jsonl --model my-model --items items.jsonl --out responses.jsonl
```

A log names items by their ids, as the files of `kgprobe export` do.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from evaluators.verify.question import read_questions
from kg.cli import Quiet, new_app, note, run
from kg.errors import InputError, SourceError, one_line
from kg.files import read_bytes, write_bytes
from queries.records import Response
from queries.records.response import RESPONSE_SCHEMA, Failure, Usage

app = new_app("Turn another harness's log into responses.")


class Harness(StrEnum):
    """Whose log it is."""

    inspect = "inspect"
    lm_eval = "lm-eval"


@app.command("import")
def import_log(
    harness: Annotated[Harness, typer.Argument(help="Whose log it is.")],
    log: Annotated[Path, typer.Argument(metavar="LOG", help="Inspect: .eval or .json; lm-eval: samples_….jsonl.")],
    items: Annotated[str, typer.Option("--items", help="The items that were asked.")],
    out: Annotated[str, typer.Option("--out", help="responses.jsonl, or - for stdout.")],
    model: Annotated[str | None, typer.Option(help="What to call the model (lm-eval's files do not say).")] = None,
    quiet: Quiet = False,
) -> None:
    """Turn the answers of another harness's log into responses; answers to other items are left out and counted.

    \b
    Example:
      kgprobe import lm-eval samples_kgprobe_items.jsonl --model my-model --items items.jsonl --out responses.jsonl
    """
    known = read_questions(items)
    read = inspect_responses(log, model) if harness is Harness.inspect else lm_eval_responses(log, model)
    responses = {(r.item, r.model, r.sample): r for r in read}
    ours = [r for r in responses.values() if r.item in known]
    if not ours:
        raise SourceError(f"answers no item of {items}", place=str(log), way_out="name the items that were exported")
    write_bytes(out, "".join(response.line() + "\n" for response in ours).encode())
    left = len(responses) - len(ours)
    note(f"{len(ours):,} answers in {out}" + (f"; {left:,} to other items left out" if left else ""), quiet)


def inspect_responses(log: Path, model: str | None = None) -> Iterator[Response]:
    """Yield the answers of a log of Inspect. Raises SourceError where it is none, InputError without the package."""
    try:
        from inspect_ai.log import read_eval_log
    except ImportError:
        problem = "reading Inspect's logs needs the package inspect_ai"
        raise InputError(problem, way_out="pip install 'kgprobe[inspect]'") from None
    if not log.is_file():
        raise SourceError("no such file", place=str(log), way_out="name a log of Inspect")
    try:
        read = read_eval_log(str(log))
    except Exception as error:  # whatever a damaged archive or another JSON raises in there
        raise SourceError(f"is no log of Inspect ({one_line(str(error), 200)})", place=str(log), way_out="name one") from error
    for sample in read.samples or ():
        used = sample.output.usage
        usage = Usage(input=used.input_tokens, output=used.output_tokens) if used else None
        failed = Failure(kind="api_error", message=one_line(sample.error.message, 300)) if sample.error else None
        text = None if failed else sample.output.completion
        stop = sample.output.choices[0].stop_reason if sample.output.choices else None
        yield Response(
            schema=RESPONSE_SCHEMA, item=str(sample.id), model=model or read.eval.model, sample=sample.epoch - 1, text=text,
            finish={"max_tokens": "length"}.get(stop or "", stop), error=failed, usage=usage,
            served=sample.output.model or None,
        )  # fmt: skip


def lm_eval_responses(log: Path, model: str | None) -> Iterator[Response]:
    """Yield the answers of a file that `lm_eval --log_samples` wrote. Raises SourceError with file and line."""
    if not model:
        raise InputError("the model has no name", place="--model", way_out="say what to call it")
    for number, line in enumerate(read_bytes(log).decode("utf-8", "replace").splitlines(), 1):
        try:
            row: dict[str, Any] = json.loads(line)
            item, texts = str(row["doc"]["id"]), row.get("filtered_resps") or row["resps"]
            flat = [text for part in texts for text in (part if isinstance(part, list) else [part])]
        except (ValueError, KeyError, TypeError, IndexError, RecursionError):
            problem = "is no sample of the LM Evaluation Harness (a 'doc' with an 'id', and 'resps')"
            raise SourceError(problem, place=f"{log}:{number}", way_out="run lm_eval with --log_samples") from None
        for sample, text in enumerate(flat):
            yield Response(schema=RESPONSE_SCHEMA, item=item, model=model, sample=sample, text=str(text))


def main() -> None:
    """Run the command line."""
    run(app, "evaluators.import_log")


if __name__ == "__main__":
    main()
