"""The audit: the proofs of items run against a graph, and what no longer holds.

```
kg audit fpq-art.jsonl
kg audit people.jsonl.gz --store ./wd --literal 100
```
"""

from queries.audit.audit import Audit, Failure, audit_items
from queries.audit.proofs import Proofs, proof_batches

__all__ = ["Audit", "Failure", "Proofs", "audit_items", "proof_batches"]
