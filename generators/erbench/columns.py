"""What is known of a row: columns that hold values, and columns that lead to another row.

Both say their SPARQL path, so that a proposed family reads them alike.
"""

from __future__ import annotations

from dataclasses import dataclass

from generators.column_names import begins_with_participle, ends_in_preposition


@dataclass(frozen=True)
class Attribute:
    """A column that can be asked about: its IRI, how it is said, what its values are, and the form they are said in.

    `end` is the column that says from what a distance is; of `agents` a row is one itself (its diet: carnivore); those
    of one that is `named` are names, those of `kinds` names of kinds of which a row is one ("a lion"). A mark is one `of`
    rows of another table. A value that stands in a row of a table of such (`through`: the link from there) is reached by it.
    What a column of yes and no says is that a row is one of a kind, where a column `beside` it has that kind ("rodent").
    """

    iri: str
    table: str
    name: str
    kind: str = "text"
    said: str | None = None
    end: str | None = None
    agents: bool = False
    named: bool = False
    kinds: bool = False
    of: str | None = None
    through: Edge | None = None
    beside: str | None = None

    @property
    def path(self) -> str:
        """The SPARQL path to its values."""
        return f"{self.through.back}/<{self.iri}>" if self.through else f"<{self.iri}>"


@dataclass(frozen=True)
class Edge:
    """A foreign key that names one row each: its IRI, from which table to which, and how it is said.

    One that the database does not declare is a column of values, and `key` is the column of the other table that has them.
    """

    iri: str
    table: str
    to: str
    name: str
    key: str | None = None

    @property
    def path(self) -> str:
        """The SPARQL path to the row that is referred to."""
        return f"<{self.iri}>/^<{self.key}>" if self.key else f"<{self.iri}>"

    @property
    def back(self) -> str:
        """The SPARQL path from the row that is referred to."""
        return f"<{self.key}>/^<{self.iri}>" if self.key else f"^<{self.iri}>"

    @property
    def is_verb(self) -> bool:
        """Whether it is said with a verb: "reports to", "based on"."""
        return ends_in_preposition(self.name)

    @property
    def is_participle(self) -> bool:
        """Whether it begins with a participle: "based on"; "located in a country", which cannot be said of a row."""
        return begins_with_participle(self.name)
