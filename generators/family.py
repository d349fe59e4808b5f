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

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Annotated

import polars as pl
import typer

from generators.family_choice import choices_of
from generators.family_claim import Claims, claims_of
from generators.family_dependencies import Facts, facts_of, roles_of
from generators.family_items import Maker, group_names
from generators.family_phrase import placeholders, wording
from generators.family_query import Citation, renamed
from generators.family_rows import Rows, norm, normal, rows_of
from generators.ring import Keys, keys_of
from kg import open_graph
from kg.cli import Endpoint, Quiet, Seed, Store, fail_check, new_app, note, run
from kg.errors import InputError
from kg.files import replacing
from kg.graph import Graph
from queries.front import Choice
from queries.library import find
from queries.template import Template

__all__ = ["Options", "Result", "generate", "renamings", "told"]


@dataclass(frozen=True)
class Options:
    """How to generate: `n` facts of each family at most, by what hash, and for a choice how often "None of the above" is right.

    `relations` renames tables of the families; `inline` puts the SPARQL itself into every proof.
    """

    n: int | None = None
    seed: int = 0
    none_share: float = 0.0
    relations: dict[str, str] = field(default_factory=dict)
    inline: bool = False


@dataclass(frozen=True)
class Result:
    """The items of one family, and what there is to say about how they came to be.

    `rows`: what its SELECT returns; `found`: facts that can be asked about; `facts`: those that were; `left_out`: rows, by
    reason; `unfilled`: facts without one of their questions, by reason.
    """

    template: Template
    items: pl.DataFrame
    rows: int
    found: int
    facts: int
    left_out: dict[str, int]
    unfilled: dict[str, int]


def generate(graph: Graph, template: Template, options: Options = Options(), strata: Sequence[str] = ()) -> Result:
    """Make the items of a family: a pure function of graph, family and options.

    `strata` are further names that the items' strata have (null), for several families in one file.
    Raises InputError where the template asks nothing, or asks what cannot be made of rows.
    """
    family = _checked(renamed(template, options.relations))
    front, citation = family.front, Citation(family, inline=options.inline)
    rows = rows_of(graph, family)
    roles = roles_of(front, placeholders(front))
    facts = facts_of(rows, roles, citation.columns)
    facts.frame, keys = _drawn(facts.frame.with_columns(group_names(front, facts.frame)), options)
    maker = Maker(citation, facts.frame, rows.kinds, _source(graph, options), _strata([family], strata))
    parts = maker.probes()
    if front.task == "choice":
        drawn = choices_of(facts, rows.frame, roles.options, _worded(family), keys, options.none_share, options.seed)
        parts += maker.choices(drawn, roles.options, options.none_share)
    elif front.task != "probe":
        parts += maker.questions(_claims(rows, facts, family, keys, options.seed))
    else:
        parts += maker.questions(None)
    items = pl.concat(parts).sort("\0fact", "\0part", "\0turn").drop("\0fact", "\0part", "\0turn")
    return Result(family, items, facts.rows, facts.found, facts.frame.height, facts.left_out, maker.left_out)


def _checked(template: Template) -> Template:
    front = template.front
    if not front.is_family:
        raise InputError("asks nothing", place=template.path, way_out="add the keys of a family (queries/README.md)")
    if template.form != "select":
        raise InputError("a family is a SELECT", place=template.path, way_out="project what the questions say")
    if front.task == "context":
        raise InputError("rows make no passage, which task 'context' needs", place=template.path, way_out="take open or yes_no")
    for variant, text in (front.question or {}).items():
        stated = {front.image, *wording(text.stem if isinstance(text, Choice) else text).slots}
        if unstated := [slot for slot in front.key if slot not in stated]:
            problem = f"the question '{variant}' does not state '{unstated[0]}', a slot of the key"
            raise InputError(problem, place=template.path, way_out=f"write {{{unstated[0]}}} into it")
    choices = [text for text in (front.question or {}).values() if isinstance(text, Choice)]
    if any(set(c.options) != set(choices[0].options) for c in choices):
        raise InputError(
            "the variants have options of different slots", place=template.path, way_out="give all of them the same"
        )
    if choices and len(choices[0].options) < 2:
        raise InputError("a choice of one option", place=template.path, way_out="add an option for another slot")
    return template


def _drawn(frame: pl.DataFrame, options: Options) -> tuple[pl.DataFrame, Keys]:
    """Draw facts by the hash of their group."""
    keys = pl.Series("\0hash", keys_of(options.seed, frame["group"].to_list()))
    drawn = frame.with_columns(keys).sort("\0hash", "group").head(frame.height if options.n is None else options.n)
    return drawn.drop("\0hash"), drawn["\0hash"].to_numpy()


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


def _worded(family: Template) -> dict[str, list[str]]:
    """The normal forms of the values that an option has a text for, where it has one for each."""
    found: dict[str, list[str]] = {}
    for choice in (family.front.question or {}).values():
        for slot, said in choice.options.items() if isinstance(choice, Choice) else ():
            if not isinstance(said, str):
                own = normal(pl.Series(list(said), dtype=pl.String)).to_list()
                found[slot] = [value for value in found.get(slot, own) if value in own]
    return found


def _claims(rows: Rows, facts: Facts, family: Template, keys: Keys, seed: int) -> Claims | None:
    claim = family.front.claim
    if claim is None:
        return None
    named = pl.concat_str([norm(slot) for slot in [*family.front.key, claim.slot]], separator="\0", ignore_nulls=True)
    pool = rows.frame.select(said=claim.slot, norm=norm(claim.slot), named=named).drop_nulls()
    pool = pool.with_columns(key=pl.Series(keys_of(seed, pool["named"].to_list()), dtype=pl.UInt64))
    return claims_of(claim, facts.frame[claim.slot], facts.frame[norm(claim.slot)], pool, keys)


# --- the command line

app = new_app("Questions from families that users write: any database becomes a benchmark (ERBench).")


@app.command()
def family(
    files: Annotated[list[str], typer.Argument(metavar="FILE.rq...", help="Families: files, or names such as erbench/movie.")],
    n: Annotated[int | None, typer.Option(min=1, help="How many facts of each family [default: all of them].")] = None,
    relation: Annotated[list[str] | None, typer.Option(metavar="TABLE=NAME", help="Another name for a family's table.")] = None,
    none_share: Annotated[
        float, typer.Option(min=0, max=1, help='In what share of choices "None of the above" is right.')
    ] = 0.0,
    inline_proofs: Annotated[bool, typer.Option("--inline-proofs", help="Put the SPARQL itself into every proof.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Write at most so many items.")] = None,
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
    options = Options(n, seed, none_share, renamings(relation or []), inline_proofs)
    strata = _strata(families)
    made = [generate(graph, family, options, strata) for family in families]
    path = out or f"{families[0].front.method}-{families[0].name}.jsonl"
    written = _write(made, path, limit)
    note(summary(made, path, written, n), quiet)
    if any(n is not None and result.facts < n for result in made) or not written:
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


def _write(made: Sequence[Result], path: str, limit: int | None) -> int:
    written = 0
    with replacing(path) as stream:
        for result in made:
            part = result.items if limit is None else result.items.head(limit - written)
            part.write_ndjson(stream)
            written += part.height
    return written


def summary(made: Sequence[Result], path: str, written: int, n: int | None) -> str:
    """Say in a few lines what was made of what, what was left out and why, and show three questions of each family."""
    lines = [f"{written} items in {path}"]
    for result in made:
        lines += told(result, n)
        shown = result.items.unique(["task", "variant"], keep="first", maintain_order=True).head(3)
        lines += [
            f"  {task} {variant}: {text}" for task, variant, text in shown.select("task", "variant", "question").iter_rows()
        ]
    return "\n".join(lines)


def told(result: Result, n: int | None = None) -> list[str]:
    """Say how many items and facts a family gave, and what was left out and why."""
    wanted = f" of {n} asked for" if n is not None else ""
    head = f"{result.template.name}: {result.items.height} items, {result.facts} facts{wanted}"
    lines = [f"{head}; {result.rows} rows, {result.found} facts can be asked about"]
    lines += [f"  left out, {reason}: {count} rows" for reason, count in result.left_out.items()]
    return lines + [f"  not asked, {reason}: {count}" for reason, count in result.unfilled.items()]


def main() -> None:
    """Run the command line."""
    run(app, "python -m generators.family")


if __name__ == "__main__":
    main()
