"""Entailment by a cross-encoder for natural language inference, such as the one AutoDebug used.

A cross-encoder reads premise and hypothesis together and gives each of its labels a probability: Reimers & Gurevych (2019),
Sentence-BERT; AutoDebug, section 3.1, footnote 6.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from kg.errors import InputError

PUBLISHED = "cross-encoder/nli-deberta-v3-base"
"""The model of AutoDebug's paper."""

_LONGEST = 512  # tokens of both texts, where the model does not say


class CrossEncoder:
    """A model of a hub, or of a folder, that has a label `entailment`; it runs on the processor.

    Too long a text is cut at its end, the longer of the two first.

    Parameters: `name` on the hub, or a folder; `batch` pairs at a time; `advance` is called with how many are done.
    Raises InputError where the extra is not installed, the model cannot be read, or it has no label `entailment`.
    """

    def __init__(self, name: str, *, batch: int = 32, advance: Callable[[int], None] = lambda done: None) -> None:
        self._torch, transformers = _libraries()
        self.method = f"nli:{Path(name).name if Path(name).is_dir() else name}"
        self._batch, self._advance = batch, advance
        self._tokens, self._model = _load(transformers, name)
        self._label = _entailment(self._model.config.id2label, name)
        self._longest = min(int(self._tokens.model_max_length), _positions(self._model.config))
        self._model.eval()

    def scores(self, premises: Sequence[str], hypotheses: Sequence[str]) -> list[float | None]:
        """Return the probability of the label `entailment` for each pair."""
        scores: list[float | None] = [None] * len(premises)
        for places in _batches([len(p) + len(h) for p, h in zip(premises, hypotheses, strict=True)], self._batch):
            texts = [premises[i] for i in places], [hypotheses[i] for i in places]
            for place, score in zip(places, self._probabilities(*texts), strict=True):
                scores[place] = score
            self._advance(len(places))
        return scores

    def _probabilities(self, premises: list[str], hypotheses: list[str]) -> list[float]:
        encoded = self._tokens(
            premises, hypotheses, padding=True, truncation="longest_first", max_length=self._longest, return_tensors="pt"
        )
        with self._torch.inference_mode():
            probabilities = self._model(**encoded).logits.softmax(dim=-1)
        return [min(max(float(p), 0.0), 1.0) for p in probabilities[:, self._label].tolist()]


def _libraries() -> tuple[Any, Any]:
    try:
        torch, transformers = importlib.import_module("torch"), importlib.import_module("transformers")
    except ImportError as error:
        problem = f"a cross-encoder needs {error.name or 'transformers'}, which is not installed"
        raise InputError(problem, way_out="pip install 'kgprobe[nli]', or use --lexical or --judge") from error
    transformers.utils.logging.disable_progress_bar()
    return torch, transformers


def _load(transformers: Any, name: str) -> tuple[Any, Any]:
    if Path(name).exists() and not (Path(name) / "config.json").is_file():
        raise InputError("is no model: it has no config.json", place=name, way_out="name the folder that save_pretrained wrote")
    try:
        tokens = transformers.AutoTokenizer.from_pretrained(name)
        return tokens, transformers.AutoModelForSequenceClassification.from_pretrained(name)
    except (OSError, ValueError, KeyError, RuntimeError, ImportError) as error:
        first = next(iter(str(error).splitlines()), type(error).__name__)
        raise InputError(f"cannot be read as a model ({first})", place=name, way_out=f"use one such as {PUBLISHED}") from error


def _entailment(labels: dict[int, str], name: str) -> int:
    r"""Return the number of the label that says entailment; models do not agree on the order.

    >>> _entailment({0: "contradiction", 1: "entailment", 2: "neutral"}, "model")
    1
    """
    for number, label in labels.items():
        if re.fullmatch(r"entail(s|ment|ed)?", label.strip().lower()):
            return int(number)
    raise InputError(
        f"has no label 'entailment', only {', '.join(labels.values())}", place=name, way_out=f"use one such as {PUBLISHED}"
    )


def _positions(config: Any) -> int:
    """Return how many tokens a model can read, at most what such models were trained on."""
    return max(min(int(getattr(config, "max_position_embeddings", 0)) or _LONGEST, _LONGEST), 8)


def _batches(lengths: list[int], size: int) -> Iterator[list[int]]:
    """Yield places by length: what is padded to the longest of its batch wastes least.

    >>> list(_batches([3, 1, 2], 2))
    [[1, 2], [0]]
    """
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    return (order[start : start + size] for start in range(0, len(order), size))
