"""Records in and out: lines of JSON that are questions, demonstrations, passages, answers, verdicts and claims.

```
python -m queries.records schema item
python -m queries.records check items.jsonl responses.jsonl verdicts.jsonl
```

Each record is a struct that describes its lines; whoever needs a few fields declares a `RecordView` of them.

>>> print(find_faults(Verdict, '{"schema": "kgprobe.verdict/2"}')[0].error("verdicts.jsonl:1"))
verdicts.jsonl:1: field 'schema' is "kgprobe.verdict/2"; this version reads 'kgprobe.verdict/1'
"""

from __future__ import annotations

from queries.errors import RecordError
from queries.records.claim import Claim
from queries.records.exemplar import Exemplar
from queries.records.faults import LineFault
from queries.records.io import (
    Block,
    Line,
    Source,
    blocks,
    decode,
    lines,
    read,
    read_frame,
    readable,
    records_in,
    write,
    write_frame,
)
from queries.records.item import Item
from queries.records.passage import Passage
from queries.records.record import Record, RecordView, find_faults, version_of
from queries.records.response import Response
from queries.records.schema import frame_schema, json_schema
from queries.records.verdict import Verdict

__all__ = [
    "RECORDS",
    "Block",
    "Claim",
    "Exemplar",
    "Item",
    "Line",
    "LineFault",
    "Passage",
    "Record",
    "RecordError",
    "RecordView",
    "Response",
    "Source",
    "Verdict",
    "blocks",
    "decode",
    "find_faults",
    "frame_schema",
    "json_schema",
    "lines",
    "read",
    "read_frame",
    "readable",
    "records_in",
    "version_of",
    "write",
    "write_frame",
]  # fmt: skip

RECORDS: dict[str, type[Record]] = {
    "item": Item,
    "exemplar": Exemplar,
    "passage": Passage,
    "response": Response,
    "verdict": Verdict,
    "claim": Claim,
}
"""The name of each record and its struct."""
