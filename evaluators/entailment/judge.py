"""Entailment by a judge model, with a prompt that has a version.

The texts come from files and models: each stands between lines with a mark that it cannot hold (`evaluators.models.quoted`).
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Sequence
from importlib import resources

from evaluators.models import Decoding, Message, Request
from evaluators.models.quoted import quoted
from evaluators.models.runs import Recording

_DECODING = Decoding(temperature=0.0, max_tokens=256)
_YES_OR_NO = re.compile(r"\W*(yes|no)\b", re.IGNORECASE)


class Judge:
    """A model that is asked about each pair; what it does not answer with yes or no has no score.

    Parameters: a model with its recording.
    """

    def __init__(self, model: Recording) -> None:
        raw = (resources.files("evaluators.entailment") / "prompts" / "entails.toml").read_bytes()
        self._prompt = tomllib.loads(raw.decode())
        self.method = f"judge:{model.name}#entails/{self._prompt['version']}@{hashlib.sha256(raw).hexdigest()[:12]}"
        self._model = model

    def scores(self, premises: Sequence[str], hypotheses: Sequence[str]) -> list[float | None]:
        """Return 1 where the judge says yes, 0 where it says no, None where it says neither or could not be asked.

        Raises ModelError for what must stop at once: a broken key, an unknown model.
        """
        pairs = list(zip(premises, hypotheses, strict=True))
        requests = [Request(pair_id(*pair), 0, self._messages(*pair), _DECODING) for pair in pairs]
        return [_score(reply.text) for reply in self._model.replies(requests)]

    def _messages(self, premise: str, hypothesis: str) -> tuple[Message, ...]:
        texts = quoted({"premise": premise, "hypothesis": hypothesis})
        return Message("system", self._prompt["system"].strip()), Message(
            "user", self._prompt["user"].format_map(texts).strip()
        )


def pair_id(premise: str, hypothesis: str) -> str:
    """Name a pair by its content, as `replay:` files and caches find it again.

    >>> pair_id("a b", "a")
    'entails.1417fe1c3cb3eb77'
    """
    return "entails." + hashlib.sha256(json.dumps([premise, hypothesis]).encode()).hexdigest()[:16]


def _score(text: str | None) -> float | None:
    """Read a judge's report: its first word counts.

    >>> _score("Yes."), _score("**No**"), _score("Nothing of it"), _score(None)
    (1.0, 0.0, None, None)
    """
    word = _YES_OR_NO.match(text or "")
    return None if word is None else float(word[1].lower() == "yes")
