"""Says who? What a graph says to the proofs of an item, in plain sentences, each with its SPARQL and its rows.

The command is `kgprobe why` (`evaluators.why`), which tells of answers and verdicts as well.
"""

from queries.why.explain import Ground, grounds_of, names_of

__all__ = ["Ground", "grounds_of", "names_of"]
