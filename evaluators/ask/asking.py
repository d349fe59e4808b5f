"""Ask the items of a file: the options of a run, what they open, and the run itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Annotated

import typer

from evaluators.ask.gate import KnownRule, gated
from evaluators.ask.plan import Plan, specimens, survey
from evaluators.ask.presets import Preset, preset
from evaluators.ask.requests import Prompts, Requests, gate_columns, parse_only
from evaluators.ask.run import Tally, ask_all
from evaluators.models import Decoding, Model, check_spec, open_model
from evaluators.models.cache import Cache, default_cache
from evaluators.models.faults import Patience
from evaluators.models.prices import Price, find_price, read_prices
from evaluators.prompts import Prompter, open_setting
from kg.cli import Quiet, note, progress
from kg.errors import InputError
from kg.files import check_apart, read_bytes
from queries.records import Source, read_frame, readable
from queries.records.verdict import Verdict

_MODEL = "`anthropic:NAME`, `openai:NAME`, `http://host/v1#NAME`, or recorded answers: `replay:FILE`"
_REPLAY = "replay:"
_CACHE = "the file or folder of answers given before (default: kgprobe/answers.sqlite in the user's cache folder)"


@dataclass(frozen=True, slots=True)
class AskOptions:
    """How the items of a file are asked; each field is an option of `python -m evaluators.ask`, with its help."""

    items: Annotated[str, typer.Argument(metavar="ITEMS", help="items.jsonl; `-` is stdin, gzip is understood")]
    model: Annotated[str, typer.Option(help=_MODEL)] = ""
    out: Annotated[str, typer.Option(help="the file to append to, or to continue; `-` is stdout")] = ""
    setting: Annotated[str, typer.Option(help="how questions are put (default: the preset's, or zero-shot)")] = ""
    preset: Annotated[str, typer.Option(help="ask as a paper did: erbench, fpq, fact-bench, llm-as-kb, autodebug")] = ""
    exemplars: Annotated[str | None, typer.Option(help="exemplars.jsonl, for settings that show some")] = None
    passages: Annotated[str | None, typer.Option(help="passages.jsonl, for settings that show some")] = None
    shots: Annotated[int | None, typer.Option(help="how many exemplars an item sees")] = None
    nearest: Annotated[str | None, typer.Option(help="choose exemplars by nearness: tfidf, or an embedding model")] = None
    gate: Annotated[str, typer.Option(help="verdicts of a first round: ask only groups that passed it")] = ""
    known_rule: Annotated[KnownRule, typer.Option(help="published: a probe answered with 'unsure' passes, too")] = "strict"
    only: Annotated[list[str] | None, typer.Option(help="stratum=value, task=..., variant=...; may be repeated")] = None
    limit: Annotated[int | None, typer.Option(min=1, help="ask the first so many items only")] = None
    samples: Annotated[int | None, typer.Option(min=1, help="times each item is asked (default: the preset's, or 1)")] = None
    temperature: Annotated[float | None, typer.Option(min=0.0, help="not sent where not set")] = None
    top_p: Annotated[float | None, typer.Option(min=0.0, max=1.0, help="not sent where not set")] = None
    max_tokens: Annotated[int | None, typer.Option(min=1, help="the longest an answer may be")] = None
    schema: Annotated[str, typer.Option(help="a file with a JSON Schema that answers must follow")] = ""
    seed: Annotated[int | None, typer.Option(help="chooses exemplars, and is sent to models that take one")] = None
    concurrency: Annotated[int, typer.Option(min=1, max=1000, help="requests under way at the same time")] = 8
    rpm: Annotated[float | None, typer.Option(min=0.01, help="requests a minute")] = None
    tpm: Annotated[float | None, typer.Option(min=1, help="tokens a minute (estimated)")] = None
    timeout: Annotated[float, typer.Option(min=0.01, help="seconds that a whole answer may take")] = 300.0
    tries: Annotated[int, typer.Option(min=1, help="how often a request that meets faults is tried")] = 5
    cache: Annotated[str, typer.Option(help=_CACHE)] = ""
    no_cache: Annotated[bool, typer.Option("--no-cache", help="keep no answers but those in --out")] = False
    refresh: Annotated[bool, typer.Option("--refresh", help="ask anew what the cache holds")] = False
    retry_errors: Annotated[bool, typer.Option("--retry-errors", help="ask again what was refused for good, too")] = False
    prices: Annotated[str, typer.Option(help="a table of prices that goes before evaluators/models/prices.toml")] = ""
    budget: Annotated[float | None, typer.Option(min=0.0, help="US dollars that the answers in --out may cost")] = None
    dry_run: Annotated[bool, typer.Option("--dry-run", help="print the prompts and what they may cost; ask nothing")] = False
    quiet: Quiet = False

    @property
    def patience(self) -> Patience:
        """How long the model is tried."""
        return Patience(tries=self.tries, timeout=self.timeout, rpm=self.rpm, tpm=self.tpm)


def ask_items(options: AskOptions, model: Model | None = None) -> Tally:
    """Ask what `options.out` does not hold yet, and append each answer to it; the count of answers and failures comes back.

    Parameters: `model` is asked instead of the one that `options.model` names; its answers are cached only where
    `options.cache` names a file, since nothing says that a model of that name answers in the same way tomorrow.
    Raises InputError where an option, a file, the key or the model is at fault; what was answered is kept.

    >>> import pathlib, tempfile
    >>> item = '{"schema": "kgprobe.item/1", "id": "a", "method": "m", "family": "f", "task": "yes_no", "variant": "basic"'
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, "items.jsonl").write_text(item + ', "question": "Is it?", "group": "g"}')
    ...     _ = pathlib.Path(folder, "answers.jsonl").write_text('{"item": "a", "text": "Yes."}')
    ...     options = AskOptions(f"{folder}/items.jsonl", f"replay:{folder}/answers.jsonl", f"{folder}/out.jsonl", quiet=True)
    ...     ask_items(options).summary()
    '1 answers'
    """
    for name, value in (("--model", model or options.model), ("--out", options.out)):
        if not value:
            raise InputError(f"{name} is missing", way_out="say who is asked and where answers go, or look with --dry-run")
    name = model.name if model else options.model
    if model is None:
        check_spec(name)
    with _planned(options, name) as (requests, price), _cache(options, model) or nullcontext() as cache:
        return _run(model or open_model(name, options.patience), requests, options, cache, price)


def show_prompts(options: AskOptions) -> None:
    """Print the prompt of the first item of each task and variant, and what the run may cost; ask nothing.

    Raises InputError as `ask_items` does.
    """
    if options.model:
        check_spec(options.model)
    with _planned(options, options.model) as (requests, price):
        for page in specimens(requests):
            print(page)
        note(survey(requests).summary(options.model or "no model", price), options.quiet)


def _cache(options: AskOptions, model: Model | None) -> Cache | None:
    # A recording in a cache would be a second copy of itself.
    if options.no_cache or options.model.startswith(_REPLAY) or (model and not options.cache):
        return None
    return Cache(options.cache or default_cache(), refresh=options.refresh)


@contextmanager
def _planned(options: AskOptions, model: str) -> Iterator[tuple[Requests, Price | None]]:
    """Open what the options name: the requests that they make, and the model's price.

    Everything that can be wrong with the input is found here or by the survey, before the first request is paid for.
    """
    recording = options.model.removeprefix(_REPLAY) if options.model.startswith(_REPLAY) else None
    check_apart({"--out": options.out or None}, [options.items, recording])
    paper = preset(options.preset) if options.preset else None
    decoding = _decoding(options, paper)
    prompts = Prompts(_prompters(options, paper), decoding, f"preset '{options.preset}'")
    price = find_price(read_prices(options.prices or None), model)
    if options.budget is not None and price is None and not model.startswith(_REPLAY):
        problem = f"the price of '{model}' is not known"
        raise InputError(problem, place="--budget", way_out="write it into a file for --prices")
    with readable(options.items) as source:
        through = _through(source, options, model) if options.gate else None
        samples = options.samples or (paper.samples if paper else 1)
        requests = Requests(source, prompts, samples, parse_only(options.only or []), options.limit, through)
        requests.prepare()
        yield requests, price


def _decoding(options: AskOptions, paper: Preset | None) -> Decoding:
    """Return the preset's decoding with what the user set over it."""
    own = Decoding(options.temperature, options.top_p, options.max_tokens, options.seed, _schema(options.schema))
    changes = {name: value for name, value in asdict(own).items() if value is not None and value is not False}
    return replace(paper.decoding if paper else Decoding(), **changes)


def _schema(path: str) -> str | None:
    if not path:
        return None
    try:
        return json.dumps(json.loads(read_bytes(path)), sort_keys=True)
    except ValueError as error:
        raise InputError(f"not JSON ({error})", place=path, way_out="name a file with a JSON Schema") from None


def _prompters(options: AskOptions, paper: Preset | None) -> dict[str, Prompter]:
    """Return the prompter of each task; a setting that is named goes before the preset's."""
    opener = partial(
        open_setting, exemplars=options.exemplars, passages=options.passages, shots=options.shots, nearest=options.nearest,
        seed=options.seed or 0,
    )  # fmt: skip
    if options.setting or paper is None:
        return {"": opener(options.setting or "zero-shot")}
    prompters = {name: opener(name) for name in set(paper.settings.values())}
    return {task: prompters[name] for task, name in paper.settings.items()}


def _through(source: Source, options: AskOptions, model: str) -> frozenset[str]:
    """Return the ids of the items that the gate lets through."""
    models = set(read_frame(options.gate, Verdict, ["model"])["model"].to_list())
    # A first round may be judged under another name than the model has now: then the file must hold one model only.
    passed = gated(gate_columns(source), options.gate, options.known_rule, model if model in models else None)
    note(passed.summary(), options.quiet)
    return frozenset(passed.items["id"].to_list())


def _run(client: Model, requests: Requests, options: AskOptions, cache: Cache | None, price: Price | None) -> Tally:
    with progress(client.name, None, options.quiet) as bar:

        def show_plan(plan: Plan) -> None:
            bar.update(bar.task_ids[0], total=plan.left + plan.already)
            if not client.name.startswith(_REPLAY):
                note(plan.summary(client.name, price), options.quiet)

        try:
            tally = ask_all(
                client, requests, options.out, lambda: bar.advance(bar.task_ids[0]), on_plan=show_plan,
                concurrency=options.concurrency, cache=cache, price=price, budget=options.budget,
                retry_errors=options.retry_errors,
            )  # fmt: skip
        except KeyboardInterrupt:
            note(f"{client.name}: interrupted; the same command goes on where this one ended", options.quiet)
            raise
    note(f"{client.name}: {tally.summary()} to {options.out}", options.quiet)
    return tally
