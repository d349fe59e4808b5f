"""Ask the items of a file: the options of a run, what they open, and the run itself."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from evaluators.ask.gate import KnownRule, gated
from evaluators.ask.presets import Preset, preset
from evaluators.ask.requests import Prompts, Requests, gate_columns, parse_only, specimens
from evaluators.models import Decoding, Model, Request, check_spec
from evaluators.models.agent import Agent, sparql_tool
from evaluators.models.cache import Cache, default_cache
from evaluators.models.opening import Named
from evaluators.models.prices import Price
from evaluators.models.runs.batch import choose_way
from evaluators.models.runs.display import ask_shown
from evaluators.models.runs.plan import survey
from evaluators.models.runs.run import Round, Tally
from evaluators.models.runs.terms import REPLAY, Terms
from evaluators.prompts import Prompter, open_setting
from kg.cli import Quiet, note
from kg.errors import InputError
from kg.files import check_apart, read_bytes
from kg.formats import parse_json
from kg.graph_choice import GraphChoice
from queries.records import Source, read_frame, readable
from queries.records.verdict import Verdict
from queries.sandbox import Limits, Sandbox

_MODEL = "`anthropic:NAME`, `openai:NAME`, `http://host/v1#NAME`, or recorded answers: `replay:FILE`"
_TEMPERATURE = "not sent where not set; `none` sends none though the preset has one"
_OUT = "the file to append to, or to continue; `-` is stdout, `{model}` stands for the name of each model"
_CACHE = "the file or folder of answers given before (default: kgprobe/answers.sqlite in the user's cache folder)"


def _number_or_none(text: str) -> float:
    """Read a number, or `none`, which is no number to Python either."""
    try:
        value = math.nan if text == "none" else float(text)
    except ValueError:
        raise typer.BadParameter(f"'{text}' is neither a number nor `none`") from None
    if value < 0 or math.isinf(value) or (math.isnan(value) and text != "none"):
        raise typer.BadParameter(f"'{text}' is no number from 0 on")
    return value


_NUMBER = typer.Option(parser=_number_or_none, metavar="NUMBER|none", help=_TEMPERATURE)


@dataclass(frozen=True, slots=True)
class AskOptions(Terms):
    """How the items of a file are asked; each field is an option of `python -m evaluators.ask`, with its help.

    `temperature` and `top_p` that are no number (`math.nan`) take back what the preset sets.
    """

    items: Annotated[str, typer.Argument(metavar="ITEMS", help="items.jsonl; `-` is stdin, gzip is understood")]
    model: Annotated[str, typer.Option(help=_MODEL)] = ""
    out: Annotated[str, typer.Option(help=_OUT)] = ""
    alias: Annotated[str, typer.Option("--as", help="what the records call the model; may be repeated, one for each")] = ""
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
    temperature: Annotated[float | None, _NUMBER] = None
    top_p: Annotated[float | None, _NUMBER] = None
    max_tokens: Annotated[int | None, typer.Option(min=1, help="the longest an answer may be")] = None
    schema: Annotated[str, typer.Option(help="a file with a JSON Schema that answers must follow")] = ""
    seed: Annotated[int | None, typer.Option(help="chooses exemplars, and is sent to models that take one")] = None
    stop: Annotated[list[str] | None, typer.Option(help="a text that ends an answer; may be repeated")] = None
    system: Annotated[str, typer.Option(help="a system prompt that goes first; @FILE reads it from a file")] = ""
    logprobs: Annotated[bool, typer.Option("--logprobs", help="ask for the probabilities of tokens, and record them")] = False
    tries: Annotated[int, typer.Option(min=1, help="how often a request that meets faults is tried")] = 5
    cache: Annotated[str, typer.Option(help=_CACHE)] = ""
    no_cache: Annotated[bool, typer.Option("--no-cache", help="keep no answers but those in --out")] = False
    refresh: Annotated[bool, typer.Option("--refresh", help="ask anew what the cache holds")] = False
    retry_errors: Annotated[bool, typer.Option("--retry-errors", help="ask again what was refused for good, too")] = False
    dry_run: Annotated[bool, typer.Option("--dry-run", help="print the prompts and what they may cost; ask nothing")] = False
    tools: Annotated[Literal["sparql"] | None, typer.Option(help="let the model query a graph before it answers")] = None
    tool_rounds: Annotated[int, typer.Option(min=1, max=100, help="with --tools: turns in which it may query")] = 8
    tool_seconds: Annotated[float, typer.Option(min=0.01, help="with --tools: how long a query may run")] = 10.0
    tool_rows: Annotated[int, typer.Option(min=1, max=10_000, help="with --tools: rows that a query returns at most")] = 50
    where: GraphChoice = field(default_factory=GraphChoice)
    quiet: Quiet = False

    @property
    def limits(self) -> Limits:
        """The limits of a model's queries."""
        return Limits(self.tool_seconds, self.tool_rows)

    def check_tools(self) -> None:
        """Raise InputError where options of tools are given without any, or with what has none."""
        for name in ("tool_rounds", "tool_seconds", "tool_rows", "where"):
            if self.tools is None and getattr(self, name) != getattr(_PLAIN, name):
                option = "--store and --endpoint" if name == "where" else f"--{name.replace('_', '-')}"
                raise InputError("is for a model with tools", place=option, way_out="add --tools sparql")
        if self.tools is not None and self.batch:
            raise InputError("a batch holds no conversations", place="--batch", way_out="leave it out, or --tools")


_PLAIN = AskOptions(items="")


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
    return _ask([options], model)[0]


def ask_models(options: AskOptions, models: Sequence[str], aliases: Sequence[str] = ()) -> list[Tally]:
    """Ask several models at the same time, as `ask_items` asks one; without `aliases` each goes by its own name.

    Raises InputError where two models have one name, or the aliases are not as many as the models.
    """
    if aliases and len(aliases) != len(models):
        problem = f"{len(aliases)} names for {len(models)} models"
        raise InputError(problem, place="--as", way_out="name each model once, in their order, or none")
    named = [
        replace(options, model=model, alias=alias) for model, alias in zip(models, aliases or [""] * len(models), strict=True)
    ]
    return _ask(named)


def _ask(several: Sequence[AskOptions], model: Model | None = None) -> list[Tally]:
    several[0].check_tools()
    for name, value in (("--model", model or all(options.model for options in several)), ("--out", several[0].out)):
        if not value:
            raise InputError(f"{name} is missing", way_out="say who is asked and where answers go, or look with --dry-run")
    for options in several if model is None else ():
        check_spec(options.model)
    with ExitStack() as stack:
        source = stack.enter_context(readable(several[0].items))
        rounds = [_round(options, source, model, stack) for options in several]
        names = [asked.model.name for asked in rounds]
        for name in names:
            if names.count(name) > 1:
                problem = f"two models are called '{name}'"
                raise InputError(problem, place="--model", way_out="tell them apart: --as NAME for each, in their order")
        return ask_shown(rounds, retry_errors=several[0].retry_errors, quiet=several[0].quiet)


def show_prompts(options: AskOptions) -> None:
    """Print the prompt of the first item of each task and variant, and what the run may cost; ask nothing.

    Raises InputError as `ask_items` does.
    """
    options.check_tools()
    if options.model:
        check_spec(options.model)
    with readable(options.items) as source:
        requests, price = _planned(options, source, options.model, options.alias or options.model)
        for page in specimens(requests):
            print(page)
        note(survey(requests).summary(options.alias or options.model or "no model", price), options.quiet)


def planned_requests(options: AskOptions) -> list[Request]:
    """Return the requests that the options make, without asking anybody: what other programs are to send.

    Raises InputError as `ask_items` does.
    """
    with readable(options.items) as source:
        requests, _ = _planned(options, source, "", "")
        return [*requests]


def _cache(options: AskOptions, model: Model | None) -> Cache | None:
    # A recording in a cache would be a second copy of itself.
    if options.no_cache or options.model.startswith(REPLAY) or (model and not options.cache):
        return None
    return Cache(options.cache or default_cache(), refresh=options.refresh)


def _round(options: AskOptions, source: Source, model: Model | None, stack: ExitStack) -> Round:
    """Open what the options name.

    Everything that can be wrong with the input is found here or by the survey, before the first request is paid for.
    """
    spec = model.name if model else options.model
    name = options.alias or (spec if not spec.startswith(REPLAY) else "")
    requests, price = _planned(options, source, spec, name or spec)
    client = model or options.open(options.model, options.alias, options.tries)
    client = Named(client, options.alias) if model and options.alias else client
    if options.tools is not None:
        client = Agent.over(client, stack.enter_context(Sandbox(options.where, options.limits)))
    cache = _cache(options, model)
    out = options.out.replace("{model}", re.sub(r"[^\w.-]+", "-", client.name).strip("-"))
    asked = Round(
        client, requests, out, concurrency=options.concurrency, price=price, budget=options.budget,
        cache=stack.enter_context(cache) if cache else None, recorded=spec.startswith(REPLAY), items=source,
    )  # fmt: skip
    choose_way(asked, options, limited=options.max_tokens is not None, quiet=options.quiet)
    return asked


def _planned(options: AskOptions, source: Source, spec: str, name: str) -> tuple[Requests, Price | None]:
    """Return the requests that the options make, and the price of the model."""
    recording = options.model.removeprefix(REPLAY) if options.model.startswith(REPLAY) else None
    check_apart({"--out": options.out or None}, [options.items, recording])
    paper = preset(options.preset) if options.preset else None
    decoding = _decoding(options, paper)
    tool = sparql_tool(options.limits, options.tool_rounds) if options.tools is not None else None
    prompts = Prompts(_prompters(options, paper), decoding, f"preset '{options.preset}'", _text(options.system), tool)
    price = options.price(spec)
    through = _through(source, options, name) if options.gate else None
    samples = options.samples or (paper.samples if paper else 1)
    requests = Requests(source, prompts, samples, parse_only(options.only or []), options.limit, through)
    requests.prepare()
    return requests, price


def _text(given: str) -> str:
    """Return a text, or what the file holds that `@` names."""
    if not given.startswith("@"):
        return given
    try:
        return Path(given[1:]).read_text(encoding="utf-8").strip()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise InputError(f"cannot be read ({reason})", place=given[1:], way_out="name a text file") from None


def _decoding(options: AskOptions, paper: Preset | None) -> Decoding:
    """Return the preset's decoding with what the user set over it."""
    own = Decoding(
        options.temperature, options.top_p, options.max_tokens, options.seed, _schema(options.schema), options.logprobs,
        tuple(options.stop or ()), options.parameters,
    )  # fmt: skip
    # What is no number takes back the preset's.
    changes: dict[str, Any] = {name: None if value != value else value for name, value in own.stated().items()}
    return replace(paper.decoding if paper else Decoding(), **changes)


def _schema(path: str) -> str | None:
    if not path:
        return None
    return json.dumps(parse_json(read_bytes(path), path, way_out="name a file with a JSON Schema"), sort_keys=True)


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
