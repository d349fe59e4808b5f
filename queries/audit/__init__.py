"""The audit: the proofs of items run against a graph, and what no longer holds.

```
kg audit fpq-art.jsonl
kg audit people.jsonl.gz --store ./wd --literal 100
```
"""

from queries.audit.audit import Audit, Failure, audit_items, proof_batches, read_proofs

__all__ = ["Audit", "Failure", "audit_items", "proof_batches", "read_proofs"]
