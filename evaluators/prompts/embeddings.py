"""Embeddings of questions from an API that speaks OpenAI's protocol.

```
python -m evaluators.ask items.jsonl --model openai:M --setting few-shot --exemplars e.jsonl --nearest openai:NAME --out a.jsonl
python -m evaluators.ask items.jsonl --model replay:a.jsonl --setting few-shot --exemplars e.jsonl \
    --nearest http://localhost:8080/v1#NAME --out -
```

The key comes from the environment (OPENAI_API_KEY); a server of one's own may need none. Embeddings are paid for apart
from answers: `--budget` does not count them.
"""

from __future__ import annotations

from collections.abc import Sequence

import httpx2
import numpy as np
import numpy.typing as npt
import openai

from evaluators.errors import ModelError
from evaluators.models.faults import redacted
from evaluators.models.openai import key_for

__all__ = ["Api"]

_BATCH = 256
"""So many texts go into one request."""
_SECONDS = 60.0


class Api:
    """An embedding model behind an API; nothing is asked before the first text.

    Parameters: `name` is the model, `address` its server (default: OpenAI's).
    Raises ModelError where OpenAI is to be asked and there is no key.
    """

    def __init__(self, name: str, address: str | None = None) -> None:
        self._name, self._address = name, address
        self._key = key_for(address)
        if self._key is None and address is None:
            problem = "OPENAI_API_KEY is not set"
            raise ModelError(problem, place=f"--nearest openai:{name}", way_out="put it into the environment, or use tfidf")

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float64]:
        """Return one row of length 1 for each text.

        Raises ModelError where the server does not answer with as many rows of numbers.
        """
        try:
            with openai.OpenAI(
                api_key=self._key or "none",
                base_url=self._address,
                max_retries=4,
                # No redirects, which would carry the key elsewhere.
                http_client=httpx2.Client(timeout=_SECONDS, follow_redirects=False),
            ) as client:
                found = [self._rows(client, texts[at : at + _BATCH]) for at in range(0, len(texts), _BATCH)]
            rows: npt.NDArray[np.float64] = np.concatenate(found)
        except (openai.OpenAIError, ValueError, TypeError, AttributeError) as error:
            problem = f"no embeddings ({redacted(str(error), self._key)})"
            way_out = "check the name and the server, or use tfidf"
            raise ModelError(problem, place=f"--nearest {self._name}", way_out=way_out) from None
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
        return rows

    def _rows(self, client: openai.OpenAI, texts: Sequence[str]) -> npt.NDArray[np.float64]:
        # Numbers are understood by all servers; "base64", the package's own choice, is not.
        reply = client.embeddings.create(
            model=self._name,
            input=list(texts),
            encoding_format="float",
            extra_headers={} if self._key else {"Authorization": openai.Omit()},
        )
        rows = sorted(reply.data, key=lambda row: row.index)
        if len(rows) != len(texts):
            raise ValueError(f"{len(rows)} rows for {len(texts)} texts")
        return np.array([row.embedding for row in rows], dtype=np.float64)
