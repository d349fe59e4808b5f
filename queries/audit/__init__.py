"""Run the proofs of items against a graph."""
