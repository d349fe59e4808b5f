"""Questions from any family a user writes: a SELECT, what determines what, and the wordings (ERBench, any database).

```
python -m generators.family country-capital.rq
python -m generators.family erbench/mc_movie --relation mc_movie=films --none-share 0.2 --store ./films --out items.jsonl
```

Source: Oh, Kim, Seo, Wang, Chen, Xie, Whang: ERBench: An Entity-Relationship based Automatically Verifiable Hallucination
Benchmark for Large Language Models (2024). Everything is done a set at a time; every question carries the queries that
prove it, and `kg audit` runs them. `queries/README.md` goes from an empty file to a benchmark.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from itertools import pairwise
from typing import Annotated

import polars as pl
import typer

from generators.family.absent import absent, check_base
from generators.family.exemplars import exemplars_of, row_said
from generators.family.facts import facts_of, roles_of
from generators.family.gather import Gathered
from generators.family.items import Maker
from generators.family.material import Material
from generators.family.parts import Parts
from generators.family.passages import passages_of
from generators.family.query import Citation, renamed
from generators.family.records import Records, group_names
from generators.family.result import Result, Tally
from generators.family.rows import GROUP
from generators.family.wording import placeholders, wording
from kg import open_graph
from kg.cli import Endpoint, Quiet, Seed, Store, fail_check, new_app, note, run
from kg.errors import InputError
from kg.files import check_apart, replacing
from kg.graph import Graph
from queries.records.exemplar import Exemplar
from queries.records.passage import Passage
from queries.templates.front import Choice
from queries.templates.library import find
from queries.templates.template import Template

__all__ = ["Options", "Result", "generate", "generate_all", "renamings", "told", "told_beside", "write"]

Bar = Callable[[Sequence[Template]], Iterable[Template]]

_SLICE = 10_000
"""Of how many facts the items are made at a time."""


@dataclass(frozen=True)
class Options:
    """How to generate: `n` facts of each family at most, by what hash, and for a choice how often "None of the above" is right.

    `relations` renames tables of the families; `inline` puts the SPARQL itself into every proof; `exemplars` holds back facts
    to demonstrate answers with; `passages` adds background on the facts asked.
    """

    n: int | None = None
    seed: int = 0
    none_share: float = 0.0
    relations: dict[str, str] = field(default_factory=dict)
    inline: bool = False
    exemplars: bool = False
    passages: bool = False


def generate(graph: Graph, template: Template, options: Options = Options(), strata: Sequence[str] = ()) -> Result:
    """Make the items of a family: a pure function of graph, family and options.

    `strata` are further names that the items' strata have (null), for several families in one file.
    Raises InputError where the template asks nothing, or asks what cannot be made of rows.
    """
    if not options.exemplars:
        return _result(graph, _Family(graph, template, options), strata)
    family = _Family(graph, template, options)
    return _result(graph, family, strata, exemplars_of(next(iter(family))))


def generate_all(
    graph: Graph, templates: Sequence[Template], options: Options, strata: Sequence[str] = (), bar: Bar = iter
) -> Iterator[Result]:
    """Make the items of several families for one file, one after the other; what one of them demonstrates, none of them asks.

    `strata` are further names that all items' strata have; `bar` goes along with the families, to show how far it is.
    """
    names = [*_strata(templates), *strata]
    seen: set[tuple[str | None, str]] = set()
    for template in templates:
        _checked(renamed(template, options.relations))
        if (called := (template.front.method, template.name)) in seen:
            problem = f"there is another family '{template.name}' of this method, and items of one name must be told apart"
            raise InputError(problem, place=template.path, way_out="name each family once, or rename one (`#+ name:`)")
        seen.add(called)
    if not options.exemplars:
        yield from (generate(graph, template, options, names) for template in bar(templates))
        return
    shown = [exemplars_of(next(iter(_Family(graph, template, options)))) for template in templates]
    held = {row for some in shown for exemplar in some for row in [exemplar.source["row"]] if row}
    for template, exemplars in zip(bar(templates), shown, strict=True):
        yield _result(graph, _Family(graph, template, options), names, exemplars, held)


class _Family:
    """A family on a graph: its rows, part by part, with the facts that can be asked about."""

    def __init__(self, graph: Graph, template: Template, options: Options) -> None:
        self.template = _checked(renamed(template, options.relations))
        check_base(graph, self.template)
        self.options, self._source = options, _source(graph, options)
        self._parts = Parts(graph, self.template, options.seed)
        # What is shown, or told beside a question, is drawn among all facts.
        self._whole = options.exemplars or options.passages
        self.several = self._parts.several and not self._whole

    def __iter__(self) -> Iterator[Material]:
        front, citation = self.template.front, Citation(self.template, inline=self.options.inline)
        roles = roles_of(front, placeholders(front))
        for rows in [self._parts.whole()] if self._whole else self._parts:
            facts = facts_of(rows, roles)
            facts.frame = facts.frame.with_columns(group_names(front, facts.frame))
            yield Material(citation, rows, facts, roles.options, self._source, self.options.seed, self.options.none_share)


def _result(
    graph: Graph, family: _Family, strata: Sequence[str], shown: Sequence[Exemplar] = (), held: Collection[str] = ()
) -> Result:
    """Make the items of a family, but of the facts that are shown, and of those about rows that are held back."""
    options, unasked, told = family.options, 0, list[Passage]()
    gathered = Gathered(options.n, options.seed, family.several)
    for material in family:
        frame = material.facts.frame
        kept = pl.col(GROUP).is_in([exemplar.group for exemplar in shown]) | row_said(material).is_in(list(held))
        free = frame.filter(~kept) if shown or held else frame
        unasked += frame.height - free.height
        asked = gathered.add(material, free)
        if options.passages:
            told = passages_of(graph, replace(material, facts=replace(material.facts, frame=free)), asked)
    return Result(
        template=family.template,
        rows=gathered.rows,
        absent=[] if gathered.rows else absent(graph, family.template),
        found=gathered.found,
        facts=gathered.facts,
        left_out=gathered.left_out,
        exemplars=list(shown),
        passages=told,
        tally=Tally(unfilled={"kept for exemplars": unasked} if shown or held else {}),
        _make=_maker(gathered, _strata([family.template], strata)),
    )


def _maker(gathered: Gathered, strata: Sequence[str]) -> Callable[[Tally], Iterator[pl.DataFrame]]:
    """Draw what the facts need that depends on all rows; return what makes their items, which keeps the facts only."""
    material, drawn = gathered.some, gathered.drawn()
    records = Records(material.family.front, material.rows.kinds, material.source, strata)
    citation, options, none_share = material.citation, material.options, material.none_share

    def make(tally: Tally) -> Iterator[pl.DataFrame]:
        first = 0
        for facts in gathered.slices(_SLICE):
            maker = Maker(citation, facts, records)
            mine = drawn.slice(first, facts.height) if drawn is not None else None
            first += facts.height
            parts = [*maker.probes(), *maker.asked(mine, options, none_share)]
            yield pl.concat(parts).sort("\0fact", "\0part", "\0turn").drop("\0fact", "\0part", "\0turn")
            tally.miss(maker.left_out)

    return make


def _checked(template: Template) -> Template:
    """Refuse what cannot be asked of rows."""
    front = template.front
    if not front.is_family:
        raise InputError("asks nothing", place=template.path, way_out="add the keys of a family (queries/README.md)")
    if template.form != "select":
        raise InputError("a family is a SELECT", place=template.path, way_out="project what the questions say")
    if front.task == "context":
        raise InputError("rows make no passage, which task 'context' needs", place=template.path, way_out="take open or yes_no")
    if front.claim and front.claim.slot in front.many and (front.claim.test != "=" or front.claim.step):
        problem = f"a claim compares '{front.claim.slot}', which may have several values"
        raise InputError(problem, place=template.path, way_out="take the slot out of `many`")
    if front.claim and front.claim.slot in front.key:
        problem = f"a claim about '{front.claim.slot}', which the question states"
        raise InputError(problem, place=template.path, way_out="claim something of a slot that is not in `key`")
    if front.image and front.image in placeholders(front):
        problem = f"the text states '{front.image}', whose value is a picture"
        raise InputError(problem, place=template.path, way_out="speak of the picture instead, or drop `image`")
    _check_stated(template)
    _check_options(template)
    _check_lasting(template)
    return template


_FLEETING = frozenset({"RAND", "NOW", "UUID", "STRUUID", "BNODE"})


def _check_lasting(template: Template) -> None:
    """Refuse what gives another value each time: no proof of it would hold."""
    for token, then in pairwise(template.shape.tokens):
        if token.word in _FLEETING and then.text == "(":
            place = f"{template.path}:{token.line}"
            raise InputError(f"{token.word}() gives another value each time", place=place, way_out="take it out")


def _check_stated(template: Template) -> None:
    front = template.front
    for variant, text in (front.question or {}).items():
        stated = {front.image, *wording(text.stem if isinstance(text, Choice) else text).slots}
        if unstated := [slot for slot in front.key if slot not in stated]:
            problem = f"the question '{variant}' does not state '{unstated[0]}', a slot of the key"
            raise InputError(problem, place=template.path, way_out=f"write {{{unstated[0]}}} into it")


def _check_options(template: Template) -> None:
    choices = [text for text in (template.front.question or {}).values() if isinstance(text, Choice)]
    if any(set(c.options) != set(choices[0].options) for c in choices):
        raise InputError(
            "the variants have options of different slots", place=template.path, way_out="give all of them the same"
        )
    if stated := [slot for choice in choices for slot in choice.options if slot in template.front.key]:
        problem = f"an option says '{stated[0]}', which the question states"
        raise InputError(problem, place=template.path, way_out="make options of slots that are not in `key`")
    if choices and len(choices[0].options) < 2:
        raise InputError("a choice of one option", place=template.path, way_out="add an option for another slot")


def _source(graph: Graph, options: Options) -> dict[str, str]:
    return {
        "digest": graph.digest(),
        "graph": graph.name,
        "generator": f"kgprobe {version('kgprobe')}",
        "seed": str(options.seed),
    }


def _strata(families: Sequence[Template], more: Sequence[str] = ()) -> list[str]:
    """The names that strata have in a file of several families: each record has all of them."""
    own = [slot for family in families for slot in family.front.strata]
    distance = ["distractor"] if any(family.front.task == "choice" for family in families) else []
    return list(dict.fromkeys(["domain", "hops", *distance, *own, *more]))


# --- the command line

app = new_app("Questions from families that users write: any database becomes a benchmark (ERBench).")


@app.command()
def family(
    files: Annotated[list[str], typer.Argument(metavar="FILE.rq...", help="Families: files, or names such as erbench/movie.")],
    n: Annotated[
        int | None, typer.Option(min=1, max=2**53, help="How many facts of each family [default: all of them].")
    ] = None,
    relation: Annotated[list[str] | None, typer.Option(metavar="TABLE=NAME", help="Another name for a family's table.")] = None,
    none_share: Annotated[
        float, typer.Option(min=0, max=1, help='In what share of choices "None of the above" is right.')
    ] = 0.0,
    inline_proofs: Annotated[bool, typer.Option("--inline-proofs", help="Put the SPARQL itself into every proof.")] = False,
    exemplars: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write demonstrated answers, of facts not asked.")
    ] = None,
    passages: Annotated[str | None, typer.Option(metavar="FILE", help="Write background on the facts asked.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, max=2**53, help="Write at most so many items.")] = None,
    seed: Seed = 0,
    store: Store = None,
    endpoint: Endpoint = None,
    out: Annotated[str | None, typer.Option(help="The file to write [default: METHOD-FAMILY.jsonl]; `-` is stdout.")] = None,
    quiet: Quiet = False,
) -> None:
    """Make the questions of families, each with the queries that prove it.

    Examples:

        python -m generators.family country-capital.rq --n 20

        python -m generators.family erbench/movie erbench/mc_movie --none-share 0.2 --store ./films --out items.jsonl
    """
    families = [find(name) for name in files]
    graph = open_graph(store, endpoint)
    options = Options(n, seed, none_share, renamings(relation or []), inline_proofs, bool(exemplars), bool(passages))
    path = out or f"{families[0].front.method}-{families[0].name}.jsonl"
    beside = {"exemplars": exemplars, "passages": passages}
    check_apart({"--out": path, "--exemplars": exemplars, "--passages": passages}, [f for f in files if f.endswith(".rq")])
    written, results = write(generate_all(graph, families, options), path, limit, beside)
    if not any(result.rows for result in results):
        raise _no_rows(results[0])
    note("\n".join([summary(results, path, written, n), *(told_beside(results, beside) if written else ())]), quiet)
    if any(n is not None and result.facts < n for result in results) or not written:
        raise fail_check()


def renamings(given: Sequence[str]) -> dict[str, str]:
    """Read `--relation` options: `["movie=films"]` to `{"movie": "films"}`."""
    found = {}
    for text in given:
        old, equals, new = text.partition("=")
        if not (old and equals and new):
            raise InputError(f"'{text}' renames nothing", place="--relation", way_out="write --relation TABLE=NAME")
        found[old] = new
    return found


class _NothingMadeError(Exception):
    """There is no item: what stood in the files before stays there."""


def write(
    made: Iterable[Result], path: str, limit: int | None, beside: Mapping[str, str | None] = {}
) -> tuple[int, list[Result]]:
    """Write the items of all families into one file as they are made, `limit` at most; return how many, and the results.

    Parameters: `beside` are the files for `exemplars` and `passages`. Where there is no item no file is written.
    """
    written, results = 0, list[Result]()
    with suppress(_NothingMadeError), ExitStack() as stack:
        stream = stack.enter_context(replacing(path))
        others = {what: stack.enter_context(replacing(name)) for what, name in beside.items() if name is not None}
        for result in made:
            results.append(result)
            for part in result.slices() if written != limit else ():
                some = part if limit is None else part.head(limit - written)
                some.write_ndjson(stream)
                written += some.height
                if written == limit:
                    break
            result.forget()
        if not written:
            raise _NothingMadeError
        for what, other in others.items():
            other.writelines(f"{record.line()}\n".encode() for result in results for record in getattr(result, what))
    return written, results


def told_beside(made: Sequence[Result], beside: Mapping[str, str | None]) -> list[str]:
    """Say how many exemplars and passages were written, and where."""
    counts = {what: sum(len(getattr(result, what)) for result in made) for what in beside}
    return [f"{counts[what]} {what} in {path}" for what, path in beside.items() if path is not None]


def _no_rows(result: Result) -> InputError:
    name, place = result.template.name, result.template.path
    if not result.absent:
        return InputError(f"'{name}' finds no rows", place=place, way_out="run its SELECT and see what it asks for")
    named = ", ".join(result.absent[:3]) + (", ..." if len(result.absent) > 3 else "")
    way_out = "name the graph it was written for (--store), or what its table is called there (--relation TABLE=NAME)"
    return InputError(f"'{name}' finds no rows: the graph has no {named}", place=place, way_out=way_out)


def summary(made: Sequence[Result], path: str, written: int, n: int | None) -> str:
    """Say in a few lines what was made of what, what was left out and why, and show three questions of each family."""
    lines = [f"{written} items in {path}" if written else f"no items: {path} is not written"]
    for result in made:
        lines += told(result, n)
        lines += [f"  {task} {variant}: {text}" for (task, variant), text in [*result.tally.shown.items()][:3]]
    return "\n".join(lines)


def told(result: Result, n: int | None = None) -> list[str]:
    """Say how many items and facts a family gave, and what was left out and why."""
    wanted = f" of {n} asked for" if n is not None else ""
    head = f"{result.template.name}: {result.tally.items} items, {result.facts} facts{wanted}"
    lines = [f"{head}; {result.rows} rows, {result.found} facts can be asked about"]
    lines += [f"  the graph has no {name}" for name in result.absent]
    lines += [f"  left out, {reason}: {count} rows" for reason, count in result.left_out.items()]
    return lines + [f"  not asked, {reason}: {count}" for reason, count in result.unfilled.items()]


def main() -> None:
    """Run the command line."""
    run(app, "python -m generators.family")


if __name__ == "__main__":
    main()
