"""The command line of entailment, and the judge model, whose prompt has a version.

```
python -m evaluators.entailment --items items.jsonl --responses responses.jsonl --lexical --out entailed.jsonl
python -m evaluators.entailment --items i.jsonl --responses r.jsonl --nli cross-encoder/nli-deberta-v3-base --out entailed.jsonl
```
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Sequence
from importlib import resources
from typing import Annotated

import polars as pl
import typer

from evaluators.cross_checks import known_items
from evaluators.entailment.answers import Entailed, Entailment, entailed_answers
from evaluators.entailment.lexical import Lexical
from evaluators.models import Decoding, Message, Request
from evaluators.models.quoted import quoted
from evaluators.models.runs import Recording, Terms, beside, with_terms
from kg.cli import Quiet, new_app, note, progress, run
from kg.errors import InputError
from kg.files import check_apart
from queries.records import read_frame, write_frame
from queries.records.item import Item
from queries.records.response import Response

app = new_app("Tell which answers entail an accepted one.")


@app.command()
@with_terms
def entailment(
    items: Annotated[str, typer.Option(help="items.jsonl")],
    responses: Annotated[str, typer.Option(help="responses.jsonl")],
    out: Annotated[str, typer.Option(help="The file to write; `-` is stdout, `.gz` is compressed.")],
    nli: Annotated[str | None, typer.Option(help="A cross-encoder: its name on the hub, or its folder.")] = None,
    judge: Annotated[str | None, typer.Option(help="A model to ask, such as anthropic:NAME or replay:FILE.")] = None,
    lexical: Annotated[bool, typer.Option("--lexical", help="Compare words, where there is no model.")] = False,
    judgements: Annotated[str | None, typer.Option(help="The file of what it said [default: OUT.judge.jsonl].")] = None,
    threshold: Annotated[float, typer.Option(min=0, max=1, help="From which score on an answer counts.")] = 0.5,
    quiet: Quiet = False,
    *,
    terms: Terms,
) -> None:
    """Tell whether an answer, put after its question, entails an accepted answer.

    \b
    Example:
      kgprobe entailment --items items.jsonl --responses responses.jsonl --lexical --out entailed.jsonl
    """
    if (nli is not None) + (judge is not None) + lexical != 1:
        raise InputError("how to tell entailment is not clear", way_out="give one of --nli NAME, --judge MODEL and --lexical")
    terms.check_used(judge, "--judge")
    said = (judgements or beside(out, "judge")) if judge is not None else None
    check_apart({"--out": out, "--judgements": said}, [items, responses])
    model = Recording.open(judge, said, terms, quiet=quiet) if judge is not None else None
    asked = read_frame(items, Item, ["id", "task", "question", "answer"])
    given = read_frame(responses, Response, ["item", "model", "sample", "text"], numbered=True)
    known_items(given, asked["id"], responses, items)
    with progress("pairs", None, quiet or model is not None) as bar:
        way = _way(nli, model, lambda done: bar.advance(bar.task_ids[0], done))
        entailed = entailed_answers(asked, given.drop("line"), way, threshold)
    write_frame(out, entailed, Entailed)
    note(_summary(entailed, given.height), quiet)


def _way(nli: str | None, model: Recording | None, advance: Callable[[int], None]) -> Entailment:
    """Open what was asked for; only then are its libraries imported."""
    if nli is not None:
        from evaluators.entailment.nli import CrossEncoder

        return CrossEncoder(nli, advance=advance)
    if model is not None:
        return Judge(model)
    return Lexical()


def _summary(answers: pl.DataFrame, given: int) -> str:
    """Say how many answers entail an accepted one, and what is not among them."""
    entailed = int(answers["entailed"].sum() or 0)
    unsaid = answers["entailed"].null_count()
    parts = [f"{entailed} of {answers.height - unsaid} answers entail an accepted one"]
    if unsaid:
        parts.append(f"of {unsaid} the judge did not say")
    if answers.height < given:
        parts.append(f"left out: {given - answers.height} without a text, or to items without an accepted answer in words")
    return "; ".join(parts)


def main() -> None:
    """Run the command line."""
    run(app, "python -m evaluators.entailment")


_DECODING = Decoding(temperature=0.0, max_tokens=256)
_YES_OR_NO = re.compile(r"\W*(yes|no)\b", re.IGNORECASE)


class Judge:
    """A model that is asked about each pair; what it does not answer with yes or no has no score.

    Parameters: a model with its recording.
    """

    def __init__(self, model: Recording) -> None:
        raw = (resources.files("evaluators.entailment") / "prompts" / "entails.toml").read_bytes()
        self._prompt = tomllib.loads(raw.decode())
        self.method = f"judge:{model.name}#entails/{self._prompt['version']}@{hashlib.sha256(raw).hexdigest()[:12]}"
        self._model = model

    def scores(self, premises: Sequence[str], hypotheses: Sequence[str]) -> list[float | None]:
        """Return 1 where the judge says yes, 0 where it says no, None where it says neither or could not be asked.

        Raises ModelError for what must stop at once: a broken key, an unknown model.
        """
        pairs = list(zip(premises, hypotheses, strict=True))
        requests = [Request(pair_id(*pair), 0, self._messages(*pair), _DECODING) for pair in pairs]
        return [_score(reply.text) for reply in self._model.replies(requests)]

    def _messages(self, premise: str, hypothesis: str) -> tuple[Message, ...]:
        texts = quoted({"premise": premise, "hypothesis": hypothesis})
        return Message("system", self._prompt["system"].strip()), Message(
            "user", self._prompt["user"].format_map(texts).strip()
        )


def pair_id(premise: str, hypothesis: str) -> str:
    """Name a pair by its content, as `replay:` files and caches find it again.

    >>> pair_id("a b", "a")
    'entails.1417fe1c3cb3eb77'
    """
    return "entails." + hashlib.sha256(json.dumps([premise, hypothesis]).encode()).hexdigest()[:16]


def _score(text: str | None) -> float | None:
    """Read a judge's report: its first word counts.

    >>> _score("Yes."), _score("**No**"), _score("Nothing of it"), _score(None)
    (1.0, 0.0, None, None)
    """
    word = _YES_OR_NO.match(text or "")
    return None if word is None else float(word[1].lower() == "yes")


if __name__ == "__main__":
    main()
