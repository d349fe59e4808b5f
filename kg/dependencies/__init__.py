"""Functional dependencies, keys and inclusions of the tables in a graph."""
