"""The audit: the proofs of items run against a graph, and what no longer holds.

```
kg audit fpq-art.jsonl
kg audit people.jsonl.gz --store ./wd --literal 100
```
"""

from queries.audit.audit import Audit, Failure, audit_items
from queries.audit.origin import other_graphs
from queries.audit.proofs import Proofs, proof_batches
from queries.audit.results import AuditResult, write_results

__all__ = [
    "Audit", "AuditResult", "Failure", "Proofs", "audit_items", "other_graphs", "proof_batches", "write_results",
]  # fmt: skip
