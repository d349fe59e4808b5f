"""Whom somebody might take for the true object, worked out one subject and one rule at a time.

Written from the README of `generators/fpq`; it shares nothing with `generators.fpq.plausible` but the lists of `alike.toml`.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

from plain_graph import Plain

ROLES = {"trades": None, "nations": "national", "sports": "athletic", "sexes": "sexed", "origins": None}


class Likes:
    """Finds what subjects like a fact's own have under its relation."""

    def __init__(self, plain: Plain) -> None:
        self.plain = plain
        self.groups = cache(self._groups)
        self.bound = cache(self._bound)
        self.held = cache(self._held)

    def plays(self, p: str, role: str) -> bool:
        """A relation is listed under a role."""
        return bool(self.plain.relation_names(p) & self.plain.role(role))

    def objects(self, e: str, role: str) -> set[str]:
        return {o for p in self.plain.under if self.plays(p, role) for o in self.plain.objects[e, p]}

    # --- who is like whom

    def _groups(self, s: str, p: str, role: str) -> tuple[frozenset[str], frozenset[str]]:
        """The groups among which a subject looks for its like, and all that it is in."""
        if role == "places":
            return self._places(s, p)
        only = ROLES[role]
        apart = self.plays(p, role) or (only and not self.plays(p, only)) or (role == "trades" and self.plays(p, "idle"))
        own = frozenset(set() if apart else self.objects(s, role))
        return own, own

    def _places(self, s: str, p: str) -> tuple[frozenset[str], frozenset[str]]:
        if self.plays(p, "regions"):
            return frozenset(), frozenset()
        country = set() if self.plays(p, "within") else self.objects(s, "within") - {s}
        lands = country if self.plays(p, "parts") or self.plays(p, "within") else country | self.objects(s, "parts")
        near = {f"near {x}" for x in self._neighbours(s)}
        far = set() if self.plays(p, "neighbourly") else {f"on {x}" for x in self._regions(s)}
        return frozenset(lands or near | far), frozenset(lands | near | far)

    def _neighbours(self, s: str) -> set[str]:
        own = self.objects(s, "borders")
        if own:
            return own | {s}
        countries = {c for c in self.objects(s, "within") - {s} if self.objects(c, "borders")}
        return {x for c in countries for x in self.objects(c, "borders") | {c}}

    def _regions(self, s: str) -> set[str]:
        own = self.objects(s, "regions")
        if own:
            return own if len(own) == 1 else set()
        lent = [self.objects(c, "regions") for c in self.objects(s, "within") - {s}]
        return set().union(*(regions for regions in lent if len(regions) == 1))

    # --- what they have

    def _bound(self, p: str, role: str) -> bool:
        subjects = {s for s, _ in self.plain.under[p]}
        known = sum(bool(self.groups(s, p, role)[0]) for s in subjects)
        return len(subjects) >= 15 and known > 0 and 5 * known >= len(subjects)

    def _held(self, p: str, role: str) -> Counter[tuple[str, str]]:
        """How many subjects of each group have each object."""
        return Counter((group, o) for s, o in self.plain.under[p] for group in self.groups(s, p, role)[1])

    def allow(self, s: str, p: str, o: str, x: str) -> bool:
        """Subjects like `s` have `x` in every role that binds and groups it; where none does, `o` is known to lie somewhere."""
        bound = [role for role in (*ROLES, "places") if self.bound(p, role)]
        grouped = [(role, groups) for role in bound if (groups := self.groups(s, p, role)[0])]
        if bound and not grouped:
            return not self.plays(p, "neighbourly") and self._is_placed(o)
        return all(any((group, x) in self.held(p, role) for group in groups) for role, groups in grouped)

    def _is_placed(self, o: str) -> bool:
        return bool(self.objects(o, "regions")) or any(self.objects(c, "regions") for c in self.objects(o, "within"))
