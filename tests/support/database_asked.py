"""What is asked of a database, for tests that read it as a person would."""

from __future__ import annotations

from family_made import audited
from generators.erbench import Catalog, propose
from generators.erbench.rownames import naming_columns
from generators.family import Options, generate
from kg import LocalGraph
from kg.sources.sql import load_sql
from queries.templates import parse


class Asked:
    """What is asked of a database: the questions with their answers, the options of choices, and what is refused."""

    def __init__(self, url: str, about: str | None = None) -> None:
        graph = LocalGraph.in_memory(load_sql(url))
        if labels := naming_columns(graph):
            graph = LocalGraph.in_memory(load_sql(url, labels=labels))
        self.catalog, self.questions, self.options = (
            Catalog(graph, database="the test", about=about),
            dict[str, list[str]](),
            list[list[str]](),
        )
        self.repeated = 0
        for proposal in propose(self.catalog, 2, "tests"):
            result = generate(graph, parse(proposal.text, proposal.name), Options())
            assert audited(graph, result, literal=1).passed
            asked = result.items.filter(result.items["task"] != "probe")
            self.repeated += asked.height - asked["question"].n_unique()
            self.questions |= dict(asked.select("question", "answer").iter_rows())
            self.options += [options for options in asked["options"].to_list() if options]

    def any(self, text: str) -> bool:
        return any(text in question for question in self.questions)
