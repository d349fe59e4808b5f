"""Passages near a text by their embeddings, from any server that speaks OpenAI's protocol; the paper's retriever is one (§3.1).

What was sent and came back is recorded as all answers of models are, so that the same command repeats.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from evaluators.models import Decoding, Message, ModelError, Reply, Request, check_spec
from evaluators.models.identity import request_name
from evaluators.models.openai import OpenAI
from evaluators.models.runs import Recording, Terms

_BATCH = 64
_NOTHING = Decoding()


class Embeddings(OpenAI):
    """Embeddings behind OpenAI's protocol: a request's text is a JSON list of texts, the reply's one of vectors."""

    path: ClassVar[str] = "/embeddings"

    def body(self, request: Request) -> dict[str, Any]:
        """Return the texts as the protocol wants them."""
        return {"model": self.model, "input": json.loads(request.messages[0].text)}

    def _read(self, answer: dict[str, Any]) -> Reply:
        rows = sorted(answer["data"], key=lambda row: int(row["index"]))
        vectors = [[float(number) for number in row["embedding"]] for row in rows]
        return Reply(json.dumps(vectors), "stop")


@dataclass(frozen=True)
class Embedder:
    """Texts as unit vectors."""

    model: Recording

    def vectors(self, texts: Sequence[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        """Return a row for each text, of length one.

        Raises ModelError where the server gives none, or of another number or length.
        """
        requests = [_request(texts[start : start + _BATCH]) for start in range(0, len(texts), _BATCH)]
        rows: list[list[float]] = []
        for reply in self.model.replies(requests):
            if reply.error is not None or not reply.text:
                why = reply.error.message if reply.error is not None else "nothing came"
                raise ModelError(f"{self.model.name} gives no embeddings ({why})", way_out="leave --embeddings out for BM25")
            rows += json.loads(reply.text)
        if len(rows) != len(texts) or len({len(row) for row in rows}) > 1:
            raise ModelError(f"{self.model.name} gives {len(rows)} embeddings for {len(texts)} texts, or of unlike lengths")
        made = np.array(rows, dtype=np.float64).reshape(len(rows), -1)
        made /= np.maximum(np.linalg.norm(made, axis=1, keepdims=True), 1e-12)
        return made


def open_embedder(spec: str, recording: str | None) -> Embedder:
    """Open the embeddings of `http(s)://host/v1#NAME` or `openai:NAME`.

    Raises ModelError where it is neither.
    """
    scheme, name = check_spec(spec)
    if scheme not in ("server", "openai"):
        raise ModelError(f"'{spec}' gives no embeddings", way_out="use http(s)://host/v1#NAME or openai:NAME")
    address, _, model = name.partition("#")
    opened = Embeddings(spec, model, address) if scheme == "server" else Embeddings(spec, name)
    return Embedder(Recording(opened, recording, Terms(concurrency=4)))


def _request(texts: Sequence[str]) -> Request:
    messages = (Message("user", json.dumps(list(texts), ensure_ascii=False)),)
    return Request(request_name("embeddings", messages, _NOTHING), 0, messages)
