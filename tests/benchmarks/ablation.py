"""Which rules of `evaluators.verify` earn their place: each is silenced in turn, and what becomes wrong or right is counted.

```
python tests/benchmarks/ablation.py                          # every function that can answer "nothing", in one table
python tests/benchmarks/ablation.py --only premises.place    # those of one module
python tests/benchmarks/ablation.py --modules                # whole modules: all that others call of one
python tests/benchmarks/ablation.py --json ablation.json --processes 2
```

A rule is a function that can say nothing: that returns null, false, an empty list, or the text it was given. While all
answers are judged it is noted which functions said something of which. Each function is then made to say nothing always, and
the answers of which it had said something are judged again: *gains* are verdicts that are right only with the rule, *harms*
those that are right only without it. Both are counted for the rules alone and with the second opinion, since what the
opinion mends anyway is no gain; and it is said by how many writers the answers are that gain, since a rule that helps one
writer alone is made for his answers.

The answers are the first half of the fresh ones (nineteen writers) and, where they lie beside a checkout, the public sets of
`agreement.py`: short answers, premises, refusals, explanations and hops. The second half is never read.
"""

from __future__ import annotations

import argparse
import ast
import functools
import importlib
import inspect
import json
import multiprocessing
import pkgutil
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any, NamedTuple

import evaluators.verify
from agreement import SHARED, erbench_question, hops_question, rows_of
from evaluators.verify import JUDGES, RULES, judge_text
from evaluators.verify.abstention import refuses
from evaluators.verify.question import Question
from evaluators.verify.ruling import Ruling
from fresh_answers import fresh_answers

SIGHT = Path(__file__).parents[1] / "fixtures/evaluators/fresh/sight.tsv"
LEFT_OUT = (
    "opinion",
    "published",
    "stream",
    "explain",
    "tally",
    "evidence",
    "labels",
    "__main__",
    "words",
    "ruling",
    "question",
)
"""What is no rule: the opinion, a paper's rules, files and commands, how lists are read."""
MOST = 1200
"""So many of the answers on which a rule says something are judged again; of more, one in so many."""


class Case(NamedTuple):
    """An answer, its question, who wrote it, and what tells whether a ruling on it is right."""

    writer: str
    text: str
    question: Question
    right: Callable[[Ruling], bool]


class Rule(NamedTuple):
    """A function that can say nothing: its name, module and what it returns then (or that it returns its first argument)."""

    name: str
    function: Any
    nothing: str


class Effect(NamedTuple):
    """What a rule does: on how many answers it speaks, and whose answers it gains and harms, alone and weighed."""

    spoke: int
    share: float
    gains: dict[str, Counter[str]]
    harms: dict[str, Counter[str]]
    changed: int = 0

    def told(self, judged: str) -> tuple[int, int, int]:
        """Return gains, harms, and how many writers' answers gain; `judged` is "rules" or "weighed"."""
        gains, harms = self.gains[judged], self.harms[judged]
        return gains.total(), harms.total(), sum(gains[writer] > harms[writer] for writer in gains)


def cases() -> list[Case]:
    """Return all answers whose truth is known."""
    return [*_fresh(), *(_public() if SHARED.exists() else ())]


def _fresh() -> Iterator[Case]:
    for answer, line in zip(fresh_answers("first"), SIGHT.read_text("utf-8").splitlines(), strict=True):
        writer = line.split("\t")[3]
        yield Case(writer, answer.text, answer.question, functools.partial(_is_outcome, answer.outcome))
        if answer.rationale:
            yield Case(f"{writer} hops", answer.text, answer.question, functools.partial(_are_hops, answer.rationale))


def _public() -> Iterator[Case]:
    for row in rows_of("judging/evouna_dev.jsonl.gz"):
        question = Question(row["question"], "open", tuple(row["gold"]))
        yield Case("EVOUNA", row["response"], question, functools.partial(_is_accepted, bool(row["correct"])))
    for row in rows_of("judging/falseqa_dev.jsonl.gz"):
        question = Question(row["question"], "premise", ("reject",))
        yield Case("FalseQA", row["answer"], question, functools.partial(_is_rejected, row["label"] == 1))
    for row in rows_of("erbench/human_labelled_dev.jsonl.gz"):
        right = functools.partial(_is_explained, bool(row["human_rationale_correct"]))
        yield Case("ERBench", row["response"], erbench_question(row), right)
    for row in rows_of("judging/refusals_dev.jsonl.gz"):
        right = functools.partial(_is_refused, row["response"], not row["label"].startswith("1"))
        yield Case("refusals", row["response"], Question("", "open", ("",)), right)
    for path in sorted((SHARED / "erbench/responses").glob("*/*__multihop_*.jsonl.gz")):
        for row in rows_of(f"erbench/responses/{path.parent.name}/{path.name}")[::10]:
            right = functools.partial(_are_hops, tuple(row["ref_rationale_hops"]))
            yield Case("hops", row["response"], hops_question(row), right)


def _is_outcome(outcome: str, ruling: Ruling) -> bool:
    return ruling.outcome == outcome


def _are_hops(marks: tuple[bool, ...], ruling: Ruling) -> bool:
    return ruling.rationale == marks


def _is_accepted(accepted: bool, ruling: Ruling) -> bool:
    return (ruling.outcome == "correct") == accepted


def _is_rejected(rejected: bool, ruling: Ruling) -> bool:
    return (ruling.answer == "reject") == rejected


def _is_explained(explained: bool, ruling: Ruling) -> bool:
    return all(ruling.rationale) == explained


def _is_refused(text: str, refused: bool, ruling: Ruling) -> bool:
    return (refuses(text) is not None) == refused


def modules() -> list[ModuleType]:
    """Return the modules of rules, by name."""
    found = pkgutil.walk_packages(evaluators.verify.__path__, "evaluators.verify.")
    names = [each.name for each in found if not set(each.name.split(".")[2:]) & set(LEFT_OUT)]
    return [importlib.import_module(name) for name in sorted(names)]


def functions(module: ModuleType) -> Iterator[tuple[str, FunctionType]]:
    """Yield the functions of a module and the methods of its classes, out of any cache they stand in."""
    for name, value in vars(module).items():
        function = inspect.unwrap(value) if callable(value) else value
        if isinstance(function, FunctionType) and function.__module__ == module.__name__:
            yield name, function
        elif isinstance(value, type) and value.__module__ == module.__name__:
            for method, member in vars(value).items():
                inner = getattr(member, "fget", None) or getattr(member, "func", None) or getattr(member, "__func__", member)
                if isinstance(inner, FunctionType) and inner.__module__ == module.__name__ and not method.startswith("__"):
                    yield f"{name}.{method}", inner


@functools.cache
def _called_at_import() -> frozenset[str]:
    """Return the names of functions that make tables while modules are imported: to silence them then is too late."""
    inside: dict[str, set[str]] = defaultdict(set)
    called: set[str] = set()
    for module in modules():
        for part in ast.parse(inspect.getsource(module)).body:
            names = {n.func.id for n in ast.walk(part) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
            if isinstance(part, ast.FunctionDef):
                inside[part.name] |= names
            elif not isinstance(part, ast.ClassDef):
                called |= names
    while more := set[str]().union(*(inside[name] for name in called if name in inside)) - called:
        called |= more
    return frozenset(called)


def rules(module: ModuleType) -> Iterator[Rule]:
    """Yield the functions of a module that can say nothing."""
    for name, function in functions(module):
        nothing = None if name in _called_at_import() else _nothing(function)
        if nothing and not function.__code__.co_freevars and not function.__code__.co_flags & inspect.CO_GENERATOR:
            yield Rule(f"{module.__name__.removeprefix('evaluators.verify.')}.{name}", function, nothing)


def _nothing(function: FunctionType) -> str | None:
    """Tell what a function says that says nothing, by the type it returns.

    >>> def told(text: "str") -> "Span | None": ...
    >>> _nothing(told)
    'None'
    """
    returned = str(function.__annotations__.get("return", "")).strip("'")
    first = next((kind for name, kind in function.__annotations__.items() if name != "return"), None)
    if returned.endswith("| None"):
        return "None"
    if returned == "bool":
        return "False"
    if returned.startswith(("tuple[", "list[", "set[", "frozenset[", "dict[", "Counter[")) and (
        not returned.startswith("tuple[") or returned.endswith(", ...]")
    ):
        return {"t": "()", "l": "[]", "s": "set()", "f": "frozenset()", "d": "{}", "C": "{}"}[returned[0]]
    if returned and str(first) == returned and not function.__qualname__.count("."):
        return "given"
    return None


_SILENT: dict[str, Any] = {
    "None": lambda *_, **__: None,
    "False": lambda *_, **__: False,
    "True": lambda *_, **__: True,
    "()": lambda *_, **__: (),
    "[]": lambda *_, **__: [],
    "set()": lambda *_, **__: set(),
    "frozenset()": lambda *_, **__: frozenset(),
    "{}": lambda *_, **__: {},
    "given": lambda *given, **named: given[0] if given else next(iter(named.values())),
}


class Silenced:
    """A time in which some functions say nothing, whoever calls them by whatever name."""

    def __init__(self, of: Iterable[Rule]) -> None:
        self.of = [*of]
        self._codes: list[CodeType] = []

    def __enter__(self) -> None:
        self._codes = [rule.function.__code__ for rule in self.of]
        for rule in self.of:
            rule.function.__code__ = _SILENT[rule.nothing].__code__
        forget()

    def __exit__(self, *_: object) -> None:
        for rule, code in zip(self.of, self._codes, strict=True):
            rule.function.__code__ = code
        forget()


_LISTS = ("weights", "frequent_words", "_lists", "word_list", "all_cues", "stem", "fold")


@functools.cache
def _caches() -> list[Any]:
    """Return what remembers readings of texts, and what is made of word lists; the lists themselves may stay."""
    packages = [sys.modules[name] for name in [*sys.modules] if name.startswith(("evaluators.verify", "kg."))]
    found = {id(value): value for module in packages for value in vars(module).values() if hasattr(value, "cache_clear")}
    return [cache for cache in found.values() if cache.__name__ not in _LISTS]


def forget() -> None:
    """Empty all caches of readings."""
    for cache in _caches():
        cache.cache_clear()


def spoken(of: list[Case], watched: list[Rule]) -> dict[str, list[int]]:
    """Judge all answers and return for each rule the numbers of those of which it said something."""
    by_code = {rule.function.__code__: n for n, rule in enumerate(watched)}
    silent: list[Any] = [
        {"None": None, "False": False, "()": (), "[]": [], "{}": {}}.get(rule.nothing, ...) for rule in watched
    ]
    found: dict[str, list[int]] = {rule.name: [] for rule in watched}
    heard: set[int] = set()

    def note(frame: FrameType, event: str, said: Any) -> None:
        if event != "return" or (n := by_code.get(frame.f_code)) is None or n in heard:
            return
        nothing = next(iter(frame.f_locals.values()), None) if watched[n].nothing == "given" else silent[n]
        if said is not None and said != nothing and (nothing is not ... or said):
            heard.add(n)

    readings = [cache for cache in _caches() if cache.cache_parameters()["maxsize"] is not None]
    for number, case in enumerate(of):
        for cache in readings:
            cache.cache_clear()
        heard.clear()
        sys.setprofile(note)
        try:
            case.right(judge_text(case.text, case.question))
        finally:
            sys.setprofile(None)
        for n in heard:
            found[watched[n].name].append(number)
    return found


Verdicts = list[tuple[bool, bool]]


def verdicts(of: Iterable[Case]) -> Verdicts:
    """Return whether each answer is judged rightly by the rules alone and with the second opinion; a rule that fails is not."""
    return [(_right(case, RULES), _right(case, JUDGES)) for case in of]


def _right(case: Case, judges: Any) -> bool:
    try:
        return case.right(judge_text(case.text, case.question, judges))
    except Exception:  # what a rule says is taken for granted by another
        return False


_STATE: dict[str, Any] = {}


def effect(named: str, silenced: list[Rule], spoke: list[int]) -> tuple[str, Effect]:
    """Silence rules and judge again the answers of which they had said something."""
    of, before = _STATE["cases"], _STATE["before"]
    step = -(-len(spoke) // MOST) or 1
    numbers = spoke[::step]
    gains: dict[str, Counter[str]] = {"rules": Counter(), "weighed": Counter()}
    harms: dict[str, Counter[str]] = {"rules": Counter(), "weighed": Counter()}
    with Silenced(silenced):
        after = verdicts(of[n] for n in numbers)
    for n, now in zip(numbers, after, strict=True):
        for judged, was, is_now in zip(("rules", "weighed"), before[n], now, strict=True):
            if was != is_now:
                (gains if was else harms)[judged][of[n].writer] += 1
    return named, Effect(len(spoke), 1 / step, gains, harms)


def effects(of: list[Case], groups: dict[str, list[Rule]], processes: int) -> dict[str, Effect]:
    """Return what each group of rules does."""
    watched = [rule for group in groups.values() for rule in group]
    _STATE["cases"], _STATE["watched"] = of, watched
    cuts = [range(n, len(of), processes) for n in range(processes)]
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        told: dict[str, list[int]] = defaultdict(list)
        for numbers, part in zip(cuts, pool.map(_spoken, cuts), strict=True):
            for name, heard in part.items():
                told[name] += [numbers[n] for n in heard]
    _STATE["before"] = verdicts(of)
    work = [(name, group, sorted({n for rule in group for n in told[rule.name]})) for name, group in groups.items()]
    _STATE["work"] = work
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        return dict(pool.imap_unordered(_effect, range(len(work))))


def _spoken(numbers: range) -> dict[str, list[int]]:
    return spoken([_STATE["cases"][n] for n in numbers], _STATE["watched"])


def _effect(number: int) -> tuple[str, Effect]:
    return effect(*_STATE["work"][number])


def groups_of(only: str | None, *, whole: bool) -> dict[str, list[Rule]]:
    """Return the rules one by one, or by module what other modules call of it."""
    wanted = [module for module in modules() if only is None or module.__name__.endswith(only)]
    if not whole:
        return {rule.name: [rule] for module in wanted for rule in rules(module)}
    return {module.__name__.removeprefix("evaluators.verify."): [*_called(module)] for module in wanted}


def _called(module: ModuleType) -> Iterator[Rule]:
    others = [other for other in modules() if other is not module]
    for rule in rules(module):
        name = rule.name.rpartition(".")[2]
        if any(inspect.unwrap(value) is rule.function for other in others if callable(value := vars(other).get(name))):
            yield rule


HEADING = (
    "| rule | lines | speaks | gains, rules alone | harms | writers | gains, weighed | harms | writers |\n"
    "|---|---|---|---|---|---|---|---|---|"
)


def table(found: dict[str, Effect], groups: dict[str, list[Rule]]) -> str:
    """Write what rules do as a table in Markdown; where only some answers were judged again, the counts are of these."""
    rows = [HEADING]
    for name in sorted(found):
        told = found[name]
        alone, weighed = told.told("rules"), told.told("weighed")
        size = sum(len(inspect.getsource(rule.function).splitlines()) for rule in groups[name])
        rows.append(f"| {name} | {size} | {told.spoke} | {' | '.join(map(str, alone))} | {' | '.join(map(str, weighed))} |")
    return "\n".join(rows)


def main() -> None:
    """Print the table; write it as JSON where asked."""
    parser = argparse.ArgumentParser(description="Which rules of the judges earn their place.")
    parser.add_argument("--only", help="a module, as it is called below evaluators.verify")
    parser.add_argument("--modules", action="store_true", help="silence whole modules")
    parser.add_argument("--every", type=int, default=1, help="one in so many answers (1)")
    parser.add_argument("--processes", type=int, default=2, help="how many at once (2)")
    parser.add_argument("--json", type=Path, help="a file to write")
    asked = parser.parse_args()
    groups = groups_of(asked.only, whole=asked.modules)
    found = effects(cases()[:: asked.every], groups, asked.processes)
    print(table(found, groups))
    if asked.json:
        asked.json.write_text(json.dumps({name: told._asdict() for name, told in found.items()}, indent=1) + "\n")


if __name__ == "__main__":
    main()
