"""Models that can be asked: each is a client behind one small protocol, found by the scheme of its name.

```
python -m evaluators.ask items.jsonl --model replay:answers.jsonl --out responses.jsonl
python -m evaluators.ask items.jsonl --model http://127.0.0.1:8080/v1#some-model --out responses.jsonl --dry-run
```
"""

from __future__ import annotations

from evaluators.errors import ModelError
from evaluators.models.opening import check_spec, open_model, replies
from evaluators.models.protocol import Decoding, Message, Model, Reply, Request

__all__ = ["Decoding", "Message", "Model", "ModelError", "Reply", "Request", "check_spec", "open_model", "replies"]
