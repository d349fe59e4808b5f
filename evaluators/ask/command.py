"""Ask a model the questions of a file of items.

```
python -m evaluators.ask items.jsonl --model replay:answers.jsonl --setting zero-shot --out responses.jsonl
python -m evaluators.ask items.jsonl --model openai:some-model --preset fpq --dry-run
```

Responses are appended and flushed one by one. The same command continues a run that was killed: what the file holds is
not asked again, except for failures that may pass. Exit codes: 0 done, 1 done but something failed that another run may
mend (or the budget ended it), 2 the input, the key or the model is at fault.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict, replace
from functools import partial
from typing import Annotated

import typer

from evaluators.ask.dry_run import specimens
from evaluators.ask.gate import KnownRule, gated
from evaluators.ask.plan import Plan, survey
from evaluators.ask.presets import Preset
from evaluators.ask.presets import preset as named_preset
from evaluators.ask.requests import Prompts, Wanted, gate_columns, parse_only
from evaluators.ask.run import Tally, ask_all
from evaluators.lines import Source, readable
from evaluators.models import Decoding, Model, check_spec, open_model
from evaluators.models.cache import Cache, default_cache
from evaluators.models.patience import Patience
from evaluators.models.prices import Price, find_price, read_prices
from evaluators.prompts import Prompter, open_setting
from kg.cli import Quiet, fail_check, new_app, note, progress, run
from kg.errors import InputError
from kg.files import check_apart, read_bytes
from queries.records import read_frame
from queries.records.verdict import Verdict

__all__ = ["main"]

app = new_app("Ask a model the questions of a file of items.")

_MODEL = "`anthropic:NAME`, `openai:NAME`, `http://host/v1#NAME`, or recorded answers: `replay:FILE`"
_CACHE = "the file or folder of answers given before (default: kgprobe/answers.sqlite in the user's cache folder)"


@app.command()
def ask(
    items: Annotated[str, typer.Argument(metavar="ITEMS", help="items.jsonl; `-` is stdin, gzip is understood")],
    model: Annotated[str, typer.Option(help=_MODEL)] = "",
    out: Annotated[str, typer.Option(help="the file to append to, or to continue; `-` is stdout")] = "",
    setting: Annotated[str, typer.Option(help="how questions are put (default: the preset's, or zero-shot)")] = "",
    preset: Annotated[str, typer.Option(help="ask as a paper did: erbench, fpq, fact-bench, llm-as-kb, autodebug")] = "",
    exemplars: Annotated[str | None, typer.Option(help="exemplars.jsonl, for settings that show some")] = None,
    passages: Annotated[str | None, typer.Option(help="passages.jsonl, for settings that show some")] = None,
    shots: Annotated[int | None, typer.Option(help="how many exemplars an item sees")] = None,
    nearest: Annotated[str | None, typer.Option(help="choose exemplars by nearness: tfidf, or an embedding model")] = None,
    gate: Annotated[str, typer.Option(help="verdicts of a first round: ask only groups that passed it")] = "",
    known_rule: Annotated[KnownRule, typer.Option(help="published: a probe answered with 'unsure' passes, too")] = "strict",
    only: Annotated[list[str], typer.Option(help="stratum=value, task=..., variant=...; may be repeated")] = [],  # noqa: B006
    limit: Annotated[int | None, typer.Option(min=1, help="ask the first so many items only")] = None,
    samples: Annotated[int | None, typer.Option(min=1, help="times each item is asked (default: the preset's, or 1)")] = None,
    temperature: Annotated[float | None, typer.Option(min=0.0, help="not sent where not set")] = None,
    top_p: Annotated[float | None, typer.Option(min=0.0, max=1.0, help="not sent where not set")] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="the longest an answer may be")] = None,
    schema: Annotated[str, typer.Option(help="a file with a JSON Schema that answers must follow")] = "",
    seed: Annotated[int | None, typer.Option(help="chooses exemplars, and is sent to models that take one")] = None,
    concurrency: Annotated[int, typer.Option(min=1, max=1000, help="requests under way at the same time")] = 8,
    rpm: Annotated[float | None, typer.Option(min=0.01, help="requests a minute")] = None,
    tpm: Annotated[float | None, typer.Option(min=1, help="tokens a minute (estimated)")] = None,
    timeout: Annotated[float, typer.Option(min=0.01, help="seconds that a whole answer may take")] = 300.0,
    tries: Annotated[int, typer.Option(min=1, help="how often a request that meets faults is tried")] = 5,
    cache: Annotated[str, typer.Option(help=_CACHE)] = "",
    no_cache: Annotated[bool, typer.Option("--no-cache", help="keep no answers but those in --out")] = False,
    refresh: Annotated[bool, typer.Option("--refresh", help="ask anew what the cache holds")] = False,
    prices: Annotated[str, typer.Option(help="a table of prices that goes before evaluators/prices.toml")] = "",
    budget: Annotated[float | None, typer.Option(min=0.0, help="US dollars that the answers in --out may cost")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="print the prompts and what they may cost; ask nothing")] = False,
    quiet: Quiet = False,
) -> None:
    """Ask: `python -m evaluators.ask items.jsonl --model openai:some-model --preset fpq --out responses.jsonl`.

    The same command continues a run that was killed. Try it with --dry-run first.
    """
    scheme = _scheme(model, out, dry_run)
    check_apart({"--out": out or None}, [items, model.removeprefix("replay:") if scheme == "replay" else None])
    taken = Decoding(temperature, top_p, max_tokens, seed, _schema(schema))
    told = named_preset(preset) if preset else None
    put = partial(open_setting, exemplars=exemplars, passages=passages, shots=shots, nearest=nearest, seed=seed or 0)
    prompts = Prompts(_prompters(setting, told, put), _over(taken, told), f"preset '{preset}'")
    price = find_price(read_prices(prices or None), model)
    if budget is not None and price is None and scheme != "replay":
        raise InputError(f"the price of '{model}' is not known", place="--budget", way_out="write it into a file for --prices")
    with readable(items) as source:
        let = _through(source, gate, known_rule, model, quiet) if gate else None
        often = samples or (told.samples if told else 1)
        wanted = Wanted(source, prompts, often, parse_only(only), limit, let)
        wanted.prepare()
        if dry_run:
            return _show(wanted, model or "no model", price, quiet)
        patience = Patience(tries=tries, timeout=timeout, rpm=rpm, tpm=tpm)
        kept = None if no_cache or scheme == "replay" else Cache(cache or default_cache(), refresh=refresh)
        with kept or nullcontext():
            asking = partial(ask_all, concurrency=concurrency, cache=kept, price=price, budget=budget)
            tally = _run(open_model(model, patience), wanted, out, asking, price, quiet)
    if tally.unfinished:
        note("the same command asks again what failed", quiet)
        raise fail_check()
    return None


def _scheme(model: str, out: str, dry_run: bool) -> str:
    if not dry_run and not (model and out):
        missing = "--out" if model else "--model"
        raise InputError(f"{missing} is missing", way_out="say who is asked and where answers go, or look with --dry-run")
    return check_spec(model)[0] if model else ""


def _schema(path: str) -> str | None:
    if not path:
        return None
    try:
        return json.dumps(json.loads(read_bytes(path)), sort_keys=True)
    except ValueError as error:
        raise InputError(f"not JSON ({error})", place=path, way_out="name a file with a JSON Schema") from None


def _prompters(setting: str, told: Preset | None, put: Callable[[str], Prompter]) -> dict[str, Prompter]:
    """Return the prompter of each task; a setting that is named goes before the preset's."""
    if setting or told is None:
        return {"": put(setting or "zero-shot")}
    opened = {name: put(name) for name in set(told.settings.values())}
    return {task: opened[name] for task, name in told.settings.items()}


def _over(taken: Decoding, told: Preset | None) -> Decoding:
    """Return the preset's decoding with what the user set over it."""
    given = {name: value for name, value in asdict(taken).items() if value is not None and value is not False}
    return replace(told.decoding if told else Decoding(), **given)


def _through(source: Source, verdicts: str, rule: KnownRule, model: str, quiet: bool) -> frozenset[str]:
    models = set(read_frame(verdicts, Verdict, ["model"])["model"].to_list())
    let = gated(gate_columns(source), verdicts, rule, model if model in models else None)
    note(let.summary(), quiet)
    return frozenset(let.items["id"].to_list())


def _show(wanted: Wanted, model: str, price: Price | None, quiet: bool) -> None:
    for page in specimens(wanted):
        print(page)
    note(survey(wanted).told(model, price), quiet)


def _run(client: Model, wanted: Wanted, out: str, asking: Callable[..., Tally], price: Price | None, quiet: bool) -> Tally:
    with progress(client.name, None, quiet) as bar:

        def planned(plan: Plan) -> None:
            bar.update(bar.task_ids[0], total=plan.left + plan.kept)
            if not client.name.startswith("replay:"):
                note(plan.told(client.name, price), quiet)

        def told() -> None:
            bar.advance(bar.task_ids[0])

        try:
            tally = asking(client, wanted, out, told, planned=planned)
        except KeyboardInterrupt:
            note(f"{client.name}: interrupted; the same command goes on where this one ended", quiet)
            raise
    note(f"{client.name}: {tally.told()} to {out}", quiet)
    return tally


def main() -> None:
    """Run the command line."""
    run(app, "python -m evaluators.ask")


if __name__ == "__main__":
    main()
