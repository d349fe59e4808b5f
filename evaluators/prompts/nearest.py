"""How near questions are to each other, by their words (TF-IDF) or by an embedding API.

```
python -m evaluators.ask items.jsonl --model replay:a.jsonl --setting few-shot --exemplars e.jsonl --nearest tfidf --out -
python -m evaluators.ask items.jsonl --model openai:M --setting few-shot --exemplars e.jsonl --nearest openai:NAME --out a.jsonl
```

LLM-as-KB (appendix D) takes the exemplars whose questions are nearest, by the embeddings of an API; TF-IDF needs none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from evaluators.errors import PromptError

__all__ = ["Embedder", "Nearest", "Tfidf", "open_embedder"]

Floats = npt.NDArray[np.float32]

_CHUNK = 1024
"""So many questions are embedded at once."""
_REMEMBERED = 25_000_000
"""So many similarities are kept, in 100 MB."""


class Embedder(Protocol):
    """Something that turns texts into rows of numbers, one a text; texts that are near have rows with a large product."""

    def embed(self, texts: Sequence[str]) -> Any:
        """Return a matrix, dense or sparse, whose rows have length 1 (or 0 for a text that says nothing)."""
        ...


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
            from sklearn.feature_extraction.text import TfidfVectorizer  # type: ignore[import-untyped]
        except ImportError:
            problem = "--nearest tfidf needs scikit-learn"
            raise PromptError(problem, way_out="install it: pip install 'kgprobe[shots]'") from None
        self._vectors = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), sublinear_tf=True)
        self._vectors.fit(corpus)

    def embed(self, texts: Sequence[str]) -> Any:
        """Return a sparse matrix."""
        return self._vectors.transform(texts)


def open_embedder(spec: str, corpus: Sequence[str]) -> Embedder:
    """Return the embedder that `tfidf`, `openai:NAME` or `http(s)://host/v1#NAME` names.

    Raises PromptError for anything else.
    """
    from evaluators.prompts.embeddings import Api

    if spec == "tfidf":
        return Tfidf(corpus)
    if spec.startswith("openai:") and len(spec) > len("openai:"):
        return Api(spec.removeprefix("openai:"))
    address, _, name = spec.partition("#")
    if address.startswith(("http://", "https://")) and name:
        return Api(name, address)
    problem = f"--nearest '{spec}' is no embedder"
    raise PromptError(problem, way_out="use tfidf, openai:NAME or http://host/v1#NAME")


class Nearest:
    """How near each of some texts is to a question."""

    def __init__(self, embedder: Embedder, texts: Sequence[str]) -> None:
        self._embedder, self._rows = embedder, embedder.embed(texts)
        self.most = _REMEMBERED // max(len(texts), 1)
        """For so many questions there is room; the others are embedded when they are asked for."""
        self._known: dict[str, Floats] = {}

    def prepare(self, questions: Sequence[str]) -> None:
        """Embed questions many at a time, and forget those of the last time."""
        asked = list(dict.fromkeys(questions))[: self.most]
        chunks = [asked[at : at + _CHUNK] for at in range(0, len(asked), _CHUNK)]
        self._known = {question: row for chunk in chunks for question, row in zip(chunk, self._similar(chunk), strict=True)}

    def similarities(self, question: str) -> Floats:
        """Return the similarity of each text to a question, shape (texts,)."""
        found = self._known.get(question)
        return self._similar([question])[0] if found is None else found

    def _similar(self, questions: Sequence[str]) -> Floats:
        products = self._embedder.embed(questions) @ self._rows.T
        dense = products.toarray() if hasattr(products, "toarray") else products
        # Rounded, so that the order does not depend on how many were multiplied at once.
        return np.asarray(dense).round(6).astype(np.float32)
