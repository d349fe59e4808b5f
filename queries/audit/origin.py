"""Which graph items were made from, where that is not the one they are held against."""

from __future__ import annotations

from collections.abc import Collection

from kg.graph import Graph
from kg.text import harmless
from kg.vocab import DATA_GRAPH, KGP

_NAMED = 3


def other_graphs(made_from: Collection[tuple[str, str]], graph: Graph) -> str | None:
    """Say in one line where items come from that were not made from this graph; null where all of them were.

    Parameters: `made_from` has the name and the digest of each graph that items say they were made from.

    >>> from kg import open_graph
    >>> other_graphs([("kgp:graph/kopl", "sha256:0")], open_graph())
    'made from kopl, this is starter'
    """
    here = graph.digest()
    others = sorted((name, digest) for name, digest in made_from if digest != here)
    if not others:
        return None
    # Names of loads tell graphs apart, mostly; digests do always.
    alike = any(name == graph.name for name, _ in others)
    named = ", ".join(_called(name, digest, alike) for name, digest in others[:_NAMED])
    some = "" if len(others) == len(made_from) else "some of them "
    return harmless(f"{some}made from {named}, this is {_called(graph.name, here, alike)}")


def _called(name: str, digest: str, alike: bool) -> str:
    called = name.replace(DATA_GRAPH.replace(KGP, "kgp:"), "").replace(" ", " + ")
    return f"{called} ({digest[:19]})" if alike else called
