"""Families proposed for a database from its keys and foreign keys (ERBench's method, without a family at hand)."""

from generators.erbench.catalog import Catalog
from generators.erbench.propose import Proposal, propose

__all__ = ["Catalog", "Proposal", "propose"]
