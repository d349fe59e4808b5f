"""How near questions are to each other, by their words (TF-IDF) or by the embeddings of an API.

LLM-as-KB (appendix D) takes the exemplars whose questions are nearest, by the embeddings of an API; TF-IDF needs none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from evaluators.errors import ModelError, PromptError
from evaluators.models.faults import redacted

if TYPE_CHECKING:
    import openai

Floats = npt.NDArray[np.float32]

_CHUNK = 1024
"""So many questions are embedded at once."""
_REMEMBERED = 25_000_000
"""So many similarities are kept, in 100 MB."""
_BATCH = 256
"""So many texts go into one request to an API."""
_SECONDS = 60.0


class Embedder(Protocol):
    """Something that turns texts into rows of numbers, one a text; texts that are near have rows with a large product."""

    def embed(self, texts: Sequence[str]) -> Any:
        """Return a matrix, dense or sparse, whose rows have length 1 (or 0 for a text that says nothing)."""
        ...


def open_embedder(spec: str, corpus: Sequence[str]) -> Embedder:
    """Return the embedder that `tfidf`, `openai:NAME` or `http(s)://host/v1#NAME` names.

    Raises PromptError for anything else.

    >>> open_embedder("words", [])
    Traceback (most recent call last):
    evaluators.errors.PromptError: --nearest 'words' is no embedder; use tfidf, openai:NAME or http://host/v1#NAME
    """
    if spec == "tfidf":
        return Tfidf(corpus)
    if spec.startswith("openai:") and len(spec) > len("openai:"):
        return EmbeddingApi(spec.removeprefix("openai:"))
    address, _, name = spec.partition("#")
    if address.startswith(("http://", "https://")) and name:
        return EmbeddingApi(name, address)
    problem = f"--nearest '{spec}' is no embedder"
    raise PromptError(problem, way_out="use tfidf, openai:NAME or http://host/v1#NAME")


class Tfidf:
    """The words of a text, in pieces of two to four letters, weighed by how rare they are in `corpus`.

    Pieces instead of words, so that inflected forms and scripts without blanks are near as well.
    Raises PromptError where scikit-learn is not installed.

    >>> rows = Tfidf(["Who wrote Dracula?", "Where is Oslo?"]).embed(["Who wrote Emma?"])
    >>> rows.shape[0]
    1
    """

    def __init__(self, corpus: Sequence[str]) -> None:
        try:
            from sklearn.feature_extraction.text import TfidfVectorizer
        except ImportError:
            problem = "--nearest tfidf needs scikit-learn"
            raise PromptError(problem, way_out="install it: pip install 'kgprobe[shots]'") from None
        self._vectors = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), sublinear_tf=True)
        self._vectors.fit(corpus)

    def embed(self, texts: Sequence[str]) -> Any:
        """Return a sparse matrix."""
        return self._vectors.transform(texts)


class EmbeddingApi:
    """An embedding model behind an API that speaks OpenAI's protocol; nothing is asked before the first text.

    The key comes from the environment (OPENAI_API_KEY); a server of one's own may need none. Embeddings are paid for apart
    from answers: `--budget` does not count them.

    Parameters: `name` is the model, `address` its server (default: OpenAI's).
    Raises ModelError where OpenAI is to be asked and there is no key.
    """

    def __init__(self, name: str, address: str | None = None) -> None:
        from evaluators.models.openai import key_for  # here: the package takes most of a second to import

        self._name, self._address = name, address
        self._key = key_for(address)
        if self._key is None and address is None:
            problem = "OPENAI_API_KEY is not set"
            raise ModelError(problem, place=f"--nearest openai:{name}", way_out="put it into the environment, or use tfidf")

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float64]:
        """Return one row of length 1 for each text.

        Raises ModelError where the server does not answer with as many rows of numbers.
        """
        import httpx2
        import openai

        headers = {} if self._key else {"Authorization": openai.Omit()}
        try:
            with openai.OpenAI(
                api_key=self._key or "none",
                base_url=self._address,
                max_retries=4,
                # No redirects, which would carry the key elsewhere.
                http_client=httpx2.Client(timeout=_SECONDS, follow_redirects=False),
            ) as client:
                batches = [self._rows(client, texts[at : at + _BATCH], headers) for at in range(0, len(texts), _BATCH)]
            rows: npt.NDArray[np.float64] = np.concatenate(batches)
        except (openai.OpenAIError, ValueError, TypeError, AttributeError) as error:
            problem = f"no embeddings ({redacted(str(error), self._key)})"
            way_out = "check the name and the server, or use tfidf"
            raise ModelError(problem, place=f"--nearest {self._name}", way_out=way_out) from None
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)  # a row of zeros stays one
        return rows

    def _rows(self, client: openai.OpenAI, texts: Sequence[str], headers: Any) -> npt.NDArray[np.float64]:
        # Numbers are understood by all servers; "base64", the package's own choice, is not.
        reply = client.embeddings.create(model=self._name, input=list(texts), encoding_format="float", extra_headers=headers)
        rows = sorted(reply.data, key=lambda row: row.index)
        if len(rows) != len(texts):
            raise ValueError(f"{len(rows)} rows for {len(texts)} texts")
        return np.array([row.embedding for row in rows], dtype=np.float64)


class Nearest:
    """How near each of some texts is to a question."""

    def __init__(self, embedder: Embedder, texts: Sequence[str]) -> None:
        self._embedder, self._rows = embedder, embedder.embed(texts)
        self.most = _REMEMBERED // max(len(texts), 1)
        """For so many questions there is room; the others are embedded when they are asked for."""
        self._remembered: dict[str, Floats] = {}

    def prepare(self, questions: Sequence[str]) -> None:
        """Embed questions many at a time, and forget those of the last time."""
        distinct = list(dict.fromkeys(questions))[: self.most]
        chunks = [distinct[at : at + _CHUNK] for at in range(0, len(distinct), _CHUNK)]
        self._remembered = {
            question: row for chunk in chunks for question, row in zip(chunk, self._similar(chunk), strict=True)
        }

    def similarities(self, question: str) -> Floats:
        """Return the similarity of each text to a question, shape (texts,)."""
        row = self._remembered.get(question)
        return self._similar([question])[0] if row is None else row

    def _similar(self, questions: Sequence[str]) -> Floats:
        products = self._embedder.embed(questions) @ self._rows.T
        dense = products.toarray() if hasattr(products, "toarray") else products
        # Rounded, so that the order does not depend on how many were multiplied at once.
        return np.asarray(dense).round(6).astype(np.float32)
