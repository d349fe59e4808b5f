"""Which module imports which, read from the source: imports at the top, in functions, and for types alone all count."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import networkx as nx

ROOMS = ("kg", "queries", "evaluators", "generators")
"""From the ground up: a room imports from those before it alone."""


def module_graph(root: Path) -> nx.DiGraph[str]:
    """Return the imports between the modules of the rooms below `root`, as edges from who imports to what is imported."""
    files = {_name(root, path): path for room in ROOMS for path in sorted((root / room).rglob("*.py"))}
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(files)
    for module, path in files.items():
        graph.add_edges_from((module, target) for target in _imported(path, files) if target != module)
    return graph


def folder_graph(modules: nx.DiGraph[str]) -> nx.DiGraph[str]:
    """Return the imports between folders.

    Command lines (`__main__`) and the faces of rooms stand above all folders, the face of a folder above the folders in it.
    """
    graph: nx.DiGraph[str] = nx.DiGraph()
    for module, target in modules.edges:
        if module.endswith("__main__") or module in ROOMS:
            continue
        inside = target.startswith(f"{module}.")
        if folder(module) != folder(target) and not inside:
            graph.add_edge(folder(module), folder(target))
    return graph


def folder(module: str) -> str:
    """Return the folder a module belongs to; one that lies in a room itself stands for itself.

    >>> folder("evaluators.verify.reading.text"), folder("kg.graph"), folder("kg.sources.sql")
    ('evaluators.verify.reading', 'kg.graph', 'kg.sources')
    """
    parts = module.split(".")
    return ".".join(parts[:-1]) if len(parts) > 2 else module


def circles(graph: nx.DiGraph[str]) -> list[list[str]]:
    """Return the groups of nodes that import one another, in alphabetical order."""
    return sorted(sorted(group) for group in nx.strongly_connected_components(graph) if len(group) > 1)


def _name(root: Path, path: Path) -> str:
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(path: Path, files: Mapping[str, Path]) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in files)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield from [inner] if inner in files else [node.module] if node.module in files else []
