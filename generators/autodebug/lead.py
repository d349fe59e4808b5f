"""How a passage begins: what its subject is, where it is from, its year, and what stands behind that.

"a 1999 American crime film directed by Ann Lee", "a country in Asia", "a German painter".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from generators.articles import with_article
from generators.autodebug.clauses import Thing, Told, is_counted, kinds_of, listed, merged


@dataclass
class Lead:
    """What the first sentence says the thing is: words before the noun, the noun, words behind it."""

    before: list[str] = field(default_factory=list)
    noun: str | None = None
    after: list[str] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    genus: str | None = None
    named: bool = False
    """Whether the name has the noun: "Yale University is a university"."""

    @property
    def telling(self) -> bool:
        """Whether it says more than the noun."""
        return self.noun is not None and bool(self.before or self.noun != self.genus or (self.after and not self.named))

    def text(self) -> str:
        """Return it with its article."""
        assert self.noun is not None
        # "An American American football player" says a word twice.
        before = [word for word in self.before if not self.noun.startswith(f"{word} ")]
        return with_article(" ".join([*before, self.noun, *joined_behind(self.after)]))


def lead_of(about: Thing, told: Sequence[Told]) -> Lead:
    """Choose what the first sentence says a thing is: its kind, where it is from, its year."""
    genus = None if about.person else about.genus
    if genus is not None and " " in genus and genus in about.label.lower():  # the national football team of England is a "team"
        genus = about.noun
    lead = Lead(noun=genus, genus=genus, named=genus is not None and genus.split()[-1] in about.label.lower().split())
    roles = [(each.wording.way(about.kind).lead, each) for each in told]
    for role, each in roles:
        if role == "kind":
            _add_kind(lead, about, each)
    if lead.noun is None:
        return lead
    for role, each in roles:
        if role == "year" and each.year:
            lead.before.insert(0, each.year)
            lead.told.append(each)
        elif role == "origin":
            adjectives = list(dict.fromkeys(thing.demonym for thing in each.objects))
            # Of several countries that paid for a film none is what anybody would call it.
            if len(adjectives) <= (2 if about.person else 1) and all(adjectives):
                lead.before.append(" and ".join(filter(None, adjectives)))
                lead.told.append(each)
    return lead


def _add_kind(lead: Lead, about: Thing, told: Told) -> None:
    if about.person:
        lead.noun = listed(merged(kinds_of(told)))
        lead.told.append(told)
        return
    # "A crime film", or "a comedy-drama"; what is neither, as "a work of science fiction", is left unsaid.
    kinds = [thing.label.removesuffix(f" {lead.noun}") for thing in told.objects if thing.label.endswith(f" {lead.noun}")]
    # A series is no "comedy film", whatever the graph says.
    counted = [thing.label for thing in told.objects if thing.label[:1].islower() and is_counted(thing.label, lead.noun or "")]
    if kinds and lead.noun:
        lead.noun = f"{kinds[0]} {lead.noun}"
    elif counted:
        plain = about.noun == "series" and counted[0].endswith(_OF_SERIES)
        lead.noun = f"{counted[0]} series" if plain else counted[0]
    lead.told.append(told)


_OF_SERIES = ("comedy", "drama", "thriller", "western", "satire")
"""Genres of which a series is called a series: "a legal drama series"."""


def joined_behind(texts: Sequence[str]) -> list[str]:
    """Join what stands behind a noun: "directed by A and starring B", "by A, set in Rome", "in Germany, on the Rhine".

    >>> " ".join(joined_behind(["directed by A", "starring B"])), " ".join(joined_behind(["by A", "set in Rome"]))
    ('directed by A and starring B', 'by A, set in Rome')
    """
    if len(texts) < 2:
        return list(texts)
    first, second = sorted(texts, key=lambda text: text.startswith("with "))
    verbs = all(text.partition(" ")[0].endswith(("ed", "ing", "set", "shot", "written", "born")) for text in texts)
    link = " and " if verbs else " "
    if " and " in first or second.startswith("with ") or (first.startswith("by ") and link == " "):
        link = f",{link}"
    return [f"{first}{link}{second}"]


def dated(about: Thing, told: Sequence[Told]) -> tuple[list[Told], str]:
    """Return the years of a life that are told, and how they stand behind the name: " (1879–1955)"; of one alone nothing."""
    years = {each.wording.topic: each for each in told if each.year is not None and not each.asked}
    life = [years[topic] for topic in ("birth", "death") if topic in years]
    if not about.person or len(life) < 2:
        return [], ""
    return life, f" ({life[0].year}–{life[1].year})"
