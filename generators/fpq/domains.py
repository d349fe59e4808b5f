"""The commands `domains`: list the shipped domains, write one for a graph, check one against it.

```
kgprobe domains list
kgprobe domains new chemistry.toml --concept "chemical element" --store ./wd
kgprobe domains check chemistry.toml --store ./wd
```
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from generators.fpq.wording import Phrasings, phrasings_of
from generators.graph_columns import GraphColumns
from kg.cli import fail_check, new_app, run
from kg.errors import InputError, nearest
from kg.files import replacing
from kg.graph_choice import GraphChoice, with_graph
from kg.output import table_text
from kg.text import fold, fold_all, harmless
from queries.domain import Domain, domain_names, find_domain

app = new_app("Domains: which concepts and relations false premises are about.")


@app.command("list")
def list_() -> None:
    """List the shipped domains.

    Example: kgprobe domains list
    """
    found = [find_domain(name) for name in domain_names()]
    rows = [[d.name, str(len(d.concepts)), str(len(d.relations)), d.summary] for d in found]
    typer.echo(table_text(["name", "concepts", "relations", "summary"], rows, terminal=sys.stdout.isatty()), nl=False)


@app.command()
@with_graph
def check(
    file: Annotated[str, typer.Argument(metavar="FILE.toml", help="A domain file, or the name of a shipped domain.")],
    where: GraphChoice = GraphChoice(),
) -> None:
    """Check a domain against a graph: what it names that the graph has not, how many facts the rest has, and its wordings.

    Each question of its own wordings is shown once, about a fact of the graph.

    \b
    Example:
      kgprobe domains new films.toml --concept film && kgprobe domains check films.toml
    """
    domain = find_domain(file)
    phrasings_of(domain)  # what is wrong in the file is said before a graph is read
    counted = Counted.of(GraphColumns.of(where.open(), 0))
    unmatched = [*counted.unmatched("concept", domain), *counted.unmatched("relation", domain)]
    for line in unmatched:
        typer.echo(harmless(line))
    facts, phrasings = counted.facts_of(domain), phrasings_of(domain)
    rows = [[name, f"{count:,}", phrasings.origin(counted.names_of(name))] for name, count in facts.iter_rows()]
    if rows:
        typer.echo(table_text(["relation", "facts", "wording"], rows, terminal=sys.stdout.isatty()), nl=False)
    for line in counted.examples(domain, phrasings):
        typer.echo(harmless(line))
    typer.echo(f"{facts['facts'].sum():,} facts of {len(rows)} relations; {len(unmatched)} names match nothing")
    if unmatched or not rows:
        raise fail_check()


@app.command()
@with_graph
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The file to write; the domain is named like it.")],
    concept: Annotated[list[str], typer.Option(help="What its subjects are; several times for several.")],
    at_least: Annotated[int, typer.Option(min=1, help="Leave out relations of fewer facts.")] = 10,
    where: GraphChoice = GraphChoice(),
) -> None:
    """Write a domain file for a graph: the relations of what is of these concepts, the commonest first.

    \b
    Example:
      kgprobe domains new films.toml --concept film
      python -m generators.fpq --domain films.toml --n 20
    """
    if file.suffix != ".toml":
        raise InputError("is no .toml file", place=str(file), way_out="name it NAME.toml")
    if file.exists():
        raise InputError("stands already", place=str(file), way_out="name another file, or move it away")
    counted = Counted.of(GraphColumns.of(where.open(), 0))
    known = set(counted.concepts["name"])
    for name in concept:
        if fold(name) not in known:
            raise InputError(f"no concept '{name}' in this graph", place="--concept", way_out=nearest(fold(name), known))
    facts = counted.facts_of(Domain(file.stem, tuple(map(fold, concept)), tuple(counted.relations["name"])))
    facts = facts.filter(pl.col("facts") >= at_least)
    if facts.is_empty():
        raise InputError(f"no relation has {at_least} facts", place="--at-least", way_out="lower it, or name more concepts")
    with replacing(str(file)) as stream:
        stream.write(_domain_text(file.stem, concept, facts).encode())
    typer.echo(f"{file}: {facts.height} relations, {facts['facts'].sum():,} facts; strike out what nobody asks about")


def _domain_text(name: str, concepts: list[str], facts: pl.DataFrame) -> str:
    """Write a domain as TOML, each relation with its number of facts."""
    kinds = "".join(f"    {_quoted(concept)},\n" for concept in concepts)
    relations = "".join(f"    {_quoted(label)},  # {count:,} facts\n" for label, count in facts.iter_rows())
    about = ", ".join(concepts)
    return (
        f"name = {_quoted(name)}\nsummary = {_quoted(f'Facts about: {about}')}\n"
        f"concepts = [\n{kinds}]\nrelations = [\n{relations}]\n{_EXAMPLE.format(_quoted(facts['label'][0]))}"
    )


_EXAMPLE = """
# Words of your own: for a relation of the list some questions of each form, of which every fact draws one. {{subject}} and
# {{object}} are filled in, {{subject:the}} and {{object:a}} with an article. A question with a premise takes the fact for
# granted and asks for something else. `kgprobe domains check` shows them filled in.
#
# [wording.{0}]
# yes_no = ["Is {{object:the}} the … of {{subject:the}}?", "Does {{subject:the}} … {{object:the}}?"]
# premise = ["When did {{object:the}} … {{subject:the}}?"]
"""


def _quoted(text: str) -> str:
    """Write a text as a basic string of TOML."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(f"\\u{ord(c):04x}" if ord(c) < 32 or ord(c) == 127 else c for c in escaped) + '"'


class Counted:
    """A graph's concepts and relations by folded name, and its facts."""

    def __init__(self, concepts: pl.DataFrame, relations: pl.DataFrame, facts: pl.DataFrame, labels: pl.Series) -> None:
        """Take `name` and `c`; `name`, `label`, `p`; `fact`, s, p, o, once for each concept `c` of its subject; labels."""
        self.concepts, self.relations, self.facts, self.labels = concepts, relations, facts, labels

    @classmethod
    def of(cls, columns: GraphColumns) -> Counted:
        """Count what a graph has.

        >>> from kg import open_graph
        >>> counted = Counted.of(GraphColumns.of(open_graph(), 0))
        >>> counted.facts_of(find_domain("art")).columns
        ['label', 'facts']
        """
        concepts = pl.DataFrame({"name": fold_all(columns.concept_labels)}).with_row_index("c").drop_nulls()
        relations = columns.relations.with_row_index("p").explode("names").rename({"names": "name"}).drop_nulls("name")
        facts = columns.facts.with_row_index("fact").join(columns.concepts.rename({"e": "s"}), on="s")
        return cls(concepts, relations.select("name", "label", "p"), facts, columns.entities["label"])

    def unmatched(self, what: str, domain: Domain) -> list[str]:
        """Say which concepts or relations of a domain the graph does not have."""
        known = self.concepts["name"] if what == "concept" else self.relations["name"]
        listed = domain.concepts if what == "concept" else domain.relations
        names = set(known)
        return [f"no {what} '{name}' in this graph; {nearest(name, names)}" for name in listed if name not in names]

    def facts_of(self, domain: Domain) -> pl.DataFrame:
        """Return the label of each relation of a domain that has facts, and how many, the commonest first."""
        # A subject of two concepts has its facts once.
        counts = self._told(domain).group_by("p", "label").agg(facts=pl.col("fact").n_unique())
        return counts.drop_nulls("label").sort(["facts", "label"], descending=[True, False]).select("label", "facts")

    def names_of(self, label: str) -> list[str]:
        """Return the names that a relation goes by, its label first."""
        numbers = self.relations.filter(pl.col("label") == label)["p"]
        return [label, *self.relations.filter(pl.col("p").is_in(numbers.implode()))["name"]]

    def examples(self, domain: Domain, phrasings: Phrasings) -> list[str]:
        """Fill each of a domain's own questions with the first fact whose subject and object have names."""
        told = self._told(domain)
        named = told.with_columns(pl.Series(c, self.labels.gather(told[c])) for c in ("s", "o")).drop_nulls(["s", "o"])
        first = named.sort("label", "s", "o").unique("label", keep="first", maintain_order=True)
        return [
            f"  {label}: {frame.fill(subject, object)}"
            for label, subject, object in first.select("label", "s", "o").iter_rows()
            if (own := phrasings.for_names(self.names_of(label))) in phrasings.own.values()
            for frame in (*own.yes_no, *own.premise)
        ]

    def _told(self, domain: Domain) -> pl.DataFrame:
        """Return the facts of a domain, once for each concept of the subject: fact, s, p, o, label."""
        kinds = self.concepts.filter(pl.col("name").is_in(list(domain.concepts)))["c"]
        relations = self.relations.filter(pl.col("name").is_in(list(domain.relations))).unique("p", maintain_order=True)
        return self.facts.filter(pl.col("c").is_in(kinds.implode())).join(relations, on="p")


def main() -> None:
    """Run the command line."""
    run(app, "python -m generators.fpq.domains")


if __name__ == "__main__":
    main()
