"""Run the proofs of items against a graph; the room's face offers `audit_items`.

Nothing is imported here: the graph's command line imports `queries.audit.command` to list its verbs, whichever of them runs.
"""
