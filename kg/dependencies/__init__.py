"""Functional dependencies, keys and undeclared foreign keys of the tables in a graph."""

from __future__ import annotations

from kg.dependencies.find import Dependencies, Dependency, Inclusion, Key, Reference, Violation, find_dependencies

__all__ = ["Dependencies", "Dependency", "Inclusion", "Key", "Reference", "Violation", "find_dependencies"]
