"""Of which country a region is asked for: what is one differs from land to land, and Copenhagen is on Zealand, too."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from generators.erbench.catalog import Catalog
from generators.erbench.columns import Attribute, Edge
from generators.erbench.rows import slots_of, value_text, without
from generators.erbench.sure import Sure
from generators.erbench.tables import EntityTable
from generators.erbench.ways import Path


@dataclass(frozen=True)
class Land:
    """The country whose regions a question asks for: its slot, the path to it from a row, and how it is said."""

    slot: str
    path: str
    link: Edge | Attribute
    said: str

    def within(self, question: str) -> str:
        """Ask for a region of the country: "In which region of Italy is Pisa?"."""
        return question.replace("hich region ", f"hich region of {self.said} ", 1)


def with_states(catalog: Catalog, land: Land) -> list[str]:
    """Write a filter against countries whose parts are called otherwise: Ohio is a state."""
    named, states = catalog.pairs(land.link.iri).select("o"), Sure.load().states
    is_row = isinstance(land.link, Edge)
    named = named.join(catalog.labels, left_on="o", right_on="e") if is_row else named.with_columns(label="o")
    found = named.filter(pl.col("label").str.to_lowercase().is_in(states))["o"].unique().sort()
    return without(f"?{land.slot}" if is_row else f"STR(?{land.slot})", [f"<{o}>" if is_row else json.dumps(o) for o in found])


def apart_from(slot: str, land: Land, *, is_row: bool) -> list[str]:
    """Leave out regions that are called as their country is: Halloumi is from Cyprus, of Cyprus."""
    one, other = (
        (f"?{slot}_said" if is_row else f"?{slot}"),
        f"?{land.slot}" if isinstance(land.link, Attribute) else "?land_said",
    )
    said = [f"?{slot} rdfs:label ?{slot}_said ."] if is_row else []
    said += [f"?{land.slot} rdfs:label ?land_said ."] if isinstance(land.link, Edge) else []
    return [*said, f"FILTER(LCASE(STR({one})) != LCASE(STR({other})))"]


def land_of(catalog: Catalog, table: EntityTable, path: Path, before: Sequence[str]) -> Land | None:
    """Find the country of which a region is asked for, which the row or its region knows; None where neither does."""
    if path.hops != 1 or path.links[0].name != "region":
        return None
    region = catalog.tables.get(path.edges[0].to) if path.edges else None
    for of, begin in ((table, ""), (region, f"{path.links[0].path}/")):
        links: list[Edge | Attribute] = [*of.edges, *of.attributes] if of else []
        link = next((link for link in links if link.name in ("country", "nation")), None)
        if link is not None and not (of is table and _hold_lands(catalog, path.links[0], link)):
            slot = slots_of([link.name], before)[0]
            said = value_text(catalog.tables[link.to], slot) if isinstance(link, Edge) else value_text(None, slot, link)
            return Land(slot, f"{begin}{link.path}", link, said)
    return None


def _hold_lands(catalog: Catalog, region: Edge | Attribute, country: Edge | Attribute) -> bool:
    """Whether regions hold countries, and are no parts of one: as a rule several countries stand beside one."""
    both = catalog.pairs(region.iri).join(catalog.pairs(country.iri).select("s", land="o"), on="s")
    lands = both.group_by("o").agg(lands=pl.col("land").n_unique())["lands"]
    return float(str(lands.mean() or 0.0)) >= _SEVERAL_LANDS


_SEVERAL_LANDS = 1.5


def is_vague(catalog: Catalog, path: Path) -> bool:
    """Whether a question asks for a region, and nothing says of what."""
    return path.links[-1].name == "region" and land_of(catalog, catalog.tables[path.start], path, ["row"]) is None
