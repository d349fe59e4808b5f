"""The command `factbench`: simple questions on single facts (FACT-BENCH), each with a certificate that it has one answer.

```
python -m generators.factbench --n 200
python -m generators.factbench --store ./wd --train 5000 --train-out train.jsonl --out eval.jsonl
```
"""

from __future__ import annotations

from typing import Annotated

import polars as pl
import typer

from evaluators.models.runs import Terms, beside, with_terms
from generators.factbench.commands import COMMANDS
from generators.factbench.make import Options, Result, generate
from generators.factbench.tables import read_articles, read_popularity
from generators.items import each_once, write_items
from generators.lint import lint_file
from generators.making import MakingParts
from generators.writer import open_writer
from kg.cli import Quiet, Seed, fail_check, new_app, note, run
from kg.errors import InputError
from kg.files import check_apart
from kg.graph_choice import with_graph
from kg.output import table_text

app = new_app("Simple questions on single facts, valid, diverse and specific (FACT-BENCH).")
for _name, _command in COMMANDS.items():
    app.command(_name)(_command)


@app.callback(invoke_without_command=True)
@with_terms
@with_graph
def factbench(
    context: typer.Context,
    n: Annotated[int, typer.Option(min=1, max=2**53, help="How many facts to ask about, a question each.")] = 20_000,
    train: Annotated[int, typer.Option(min=0, help="How many of them go to a part to learn from, of other subjects.")] = 0,
    train_out: Annotated[str | None, typer.Option(help="The file of that part [default: factbench-train.jsonl].")] = None,
    eval_: Annotated[int | None, typer.Option("--eval", min=1, help="How many are left to evaluate on: n is both.")] = None,
    articles: Annotated[str | None, typer.Option(help="JSON Lines, id and text: ask only what an article says.")] = None,
    popularity: Annotated[
        str | None, typer.Option(help="CSV, TSV or JSON Lines: id and a number, such as page views; or pagerank.")
    ] = None,
    domains: Annotated[str | None, typer.Option(help="Other domains: a TOML file as domains.toml is.")] = None,
    wordings: Annotated[str | None, typer.Option(help="Wordings of other properties: a TOML file as wordings.toml is.")] = None,
    commonest: Annotated[
        float, typer.Option(min=0, max=1, help="Share of a property's questions that one answer has; 1: as the graph has them.")
    ] = 0.2,
    properties: Annotated[bool, typer.Option("--properties", help="Print the table of all properties, too.")] = False,
    short: Annotated[bool, typer.Option("--short", help="Print, as Markdown, which properties are short, and why.")] = False,
    writer: Annotated[str | None, typer.Option(help="A model that words each property, checked; else rules do.")] = None,
    tries: Annotated[int, typer.Option(min=1, help="How often the writer is asked for texts that can be used.")] = 2,
    recording: Annotated[str | None, typer.Option(help="The file of its answers [default: OUT.writer.jsonl].")] = None,
    limit: Annotated[int | None, typer.Option(min=1, max=2**53, help="Write at most so many items.")] = None,
    seed: Seed = 0,
    where: MakingParts = MakingParts(),
    out: Annotated[str | None, typer.Option(help="The file to write [default: factbench.jsonl]; `-` is stdout.")] = None,
    quiet: Quiet = False,
    *,
    terms: Terms,
) -> None:
    """Make simple questions on single facts, each with a certificate that it has one answer.

    \b
    Examples:
      python -m generators.factbench --n 200
      python -m generators.factbench --n 100 --train 20 --train-out train.jsonl --out eval.jsonl
      python -m generators.factbench --n 200 --writer openai:MODEL --out worded.jsonl
    """
    if context.invoked_subcommand is not None:
        return
    terms.check_used(writer, "--writer")
    shard = where.part(limit=limit, writer=writer)
    out = where.path(out, "factbench.jsonl")
    if eval_ is not None:
        n = train + eval_
    if train >= n:
        raise InputError(
            f"leaves nothing of {n} facts to evaluate on", place=f"--train {train}", way_out="raise --n, or give --eval"
        )
    path = (train_out or "factbench-train.jsonl") if train else None
    computed = popularity == "pagerank"
    check_apart({"--out": out, "--train-out": path}, [articles, None if computed else popularity, domains, wordings, recording])
    author = None if writer is None else open_writer(writer, tries, recording or beside(out, "writer"), terms, quiet=quiet)
    options = Options(
        n,
        seed,
        train,
        domains,
        wordings,
        "pagerank" if computed else None if popularity is None else read_popularity(popularity),
        popularity or "graph",
        None if articles is None else read_articles(articles),
        author,
        shard,
        commonest,
    )
    result = generate(graph := where.open(), options)
    with where.writing(out, graph, quiet=quiet) as target:
        items = result.items if limit is None else result.items.head(limit)
        written = write_items(target, items, shard=shard, counts=each_once(result.owned))
    lines = [f"{written} items in {out}"]
    if path is not None:
        lines[0] += (
            f", {write_items(path, result.train, shard=shard, counts=each_once(result.owned_train))} in {path} to learn from"
        )
    lines += [] if author is None else author.summary()
    note("\n".join([*lines, *summary(result)]), where.hushed(quiet))
    if out != "-" and not quiet:
        note(f"{lint_file(out).clean:.1%} of them are clean to the linter", quiet)
    if properties:
        note(property_table(result), quiet)
    if short:
        note(shortfall(result), quiet)
    if result.short:
        raise fail_check()


def summary(result: Result) -> list[str]:
    """Say what was asked for, what was made, why not the rest, and show three questions."""
    items, facts = pl.concat([result.items, result.train], how="vertical_relaxed"), result.facts
    strata = items["strata"].struct.unnest()
    lines = [f"{items.height} facts of {result.wanted} asked for; of {facts.rows.height} facts of worded properties "
             f"{facts.eligible.height} can be asked about"]  # fmt: skip
    lines += _short(result)
    if result.thinned:
        lines.append(f"  left out, its answer is that of many others of the property (--commonest): {result.thinned}")
    lines += [f"  left out, {reason}: {count}" for reason, count in facts.left_out().items()]
    lines.append(
        f"{strata['property'].n_unique()} properties, {strata['domain'].n_unique()} domains: {_counts(strata, 'domain')}"
    )
    lines.append(f"answers: {_counts(strata, 'answer_type')}")
    if result.quartered:
        lines.append(f"popularity ({facts.popularity}): {_counts(strata, 'popularity')}")
    else:
        lines.append(f"popularity ({facts.popularity}): all are equally popular: there is no top and no bottom")
    if not facts.aliases:
        lines.append("the graph has no aliases: a name is accepted as its label has it, and in the forms that follow from it")
    shown = items.unique("answer_type", keep="first", maintain_order=True)
    return lines + [f"  {question}  {answer[0]}" for question, answer in shown.select("question", "answer").iter_rows()]


def _short(result: Result) -> list[str]:
    """Say where fewer facts than wanted lie, and what each part has of them."""
    if not result.short:
        return []
    asked, learned = result.items.height, result.train.height
    lines = [f"  the top and bottom quarters of their domains hold {asked + learned}"] if result.quartered else []
    if result.wanted_train:
        parts = (
            f"{learned} of {result.wanted_train} to learn from, {asked} of {result.wanted - result.wanted_train} to evaluate on"
        )
        lines.append(f"  both parts are short in proportion: {parts}")
    return lines


def _counts(strata: pl.DataFrame, name: str) -> str:
    counts = strata.group_by(name).len().sort(["len", name], descending=[True, False])
    return ", ".join(f"{value or 'neither'} {count}" for value, count in counts.iter_rows())


def shortfall(result: Result) -> str:
    """Return, as a table in Markdown, the properties that are asked about, with how often, and by reason those that are not."""
    table = _properties(result).sort(pl.col("property").str.slice(1).cast(pl.Int64, strict=False), "property")
    asked = table.filter(pl.col("items") > 0).sort("items", descending=True, maintain_order=True)
    cells = ", ".join(f"{name} {items:,}" for name, items in asked.select("property", "items").iter_rows())
    lines = ["| properties | | |", "|---|---|---|", f"| {asked.height} | asked about, so many times | {cells} |"]
    shares = dict(result.facts.properties().select("property", "one").iter_rows())
    rest = table.filter(pl.col("items") == 0).group_by("why", maintain_order=True).agg("property")
    for why, names in sorted(rest.iter_rows(), key=lambda row: -len(row[1])):
        said = [f"{name} {shares[name]:.0%}" if why in _OF_MANY else name for name in names]
        lines.append(f"| {len(names)} | {_OF_MANY.get(why, why) or 'in no quarter of a domain'} | {', '.join(said)} |")
    return "\n".join(lines)


def property_table(result: Result) -> str:
    """Return a line for each worded property: its facts, how many can be asked about, how many are, and why not more."""
    table = _properties(result).sort(["items", "askable", "property"], descending=[True, True, False])
    return table_text(table.columns, ([str(cell) for cell in row] for row in table.iter_rows()), terminal=False).rstrip()


def _properties(result: Result) -> pl.DataFrame:
    """Return property, label, type, facts, one (the share of subjects with one value), askable, items and why of each."""
    asked = pl.concat([result.items, result.train], how="vertical_relaxed").group_by(property="family").agg(items=pl.len())
    names = pl.DataFrame([(w.property, w.label, w.type) for w in result.wordings.properties.values()],
                         schema=["property", "label", "type"], orient="row")  # fmt: skip
    table = names.join(result.facts.properties(), on="property", how="left").join(asked, on="property", how="left")
    table = table.with_columns(pl.col("facts", "askable", "items").fill_null(0))
    why = pl.when(pl.col("facts") == 0).then(pl.lit("no facts")).otherwise(pl.col("reason").fill_null(""))
    one = pl.format("{}%", (100 * pl.col("one")).round().cast(pl.Int64))
    return table.with_columns(why=why, one=one.fill_null("")).select(*_COLUMNS)


_COLUMNS = ("property", "label", "type", "facts", "one", "askable", "items", "why")
_SHARE = "; that share of its subjects has one, and no more are known of"
_OF_MANY = {why: why + _SHARE for why in ("several values of the property", "of a property that often has several values")}


def main() -> None:
    """Run the command line."""
    run(app, "python -m generators.factbench")


if __name__ == "__main__":
    main()
