"""The prompts of the judges: one TOML file each, with a version, and material that cannot get out of its quotes.

```
python -c 'from evaluators.judge.prompt import *; print(load("short").cited)'
python -c 'from evaluators.judge.prompt import *; print(kinds())'
```

Every text that comes from a graph, a file or a model is quoted as `evaluators.models.quoted` does.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from evaluators.errors import PromptError
from evaluators.models import Message
from evaluators.models.quoted import quoted
from evaluators.verify.question import Question
from kg.errors import nearest

__all__ = ["JudgePrompt", "kinds", "load"]

_FOLDER = Path(__file__).parent / "prompts"


@dataclass(frozen=True)
class JudgePrompt:
    """What a judge is told, and between which labels it chooses."""

    kind: str
    version: str
    digest: str
    system: str
    user: str
    labels: Mapping[str, str]

    @property
    def cited(self) -> str:
        """How a verdict names this prompt: kind, version and a hash of its file.

        >>> load("premise").cited.partition("@")[0]
        'premise/1'
        """
        return f"{self.kind}/{self.version}@{self.digest[:12]}"

    @property
    def schema(self) -> str:
        """The JSON Schema of a report, as text."""
        verdict = {"type": "string", "enum": list(self.labels)}
        properties = {"reason": {"type": "string"}, "verdict": verdict}
        whole = {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
        return json.dumps(whole, sort_keys=False)

    def messages(self, text: str, question: Question) -> tuple[Message, ...]:
        """Put an answer to a question before the judge.

        >>> answer = load("short").messages("Ulm.", Question("Where was Einstein born?", "open", ("Ulm",)))[1].text
        >>> "\\nUlm.\\n[close " in answer
        True
        """
        parts = quoted(_material(text, question))
        labels = "\n".join(f"- {name}: {meaning}" for name, meaning in self.labels.items())
        system = self.system.format_map({"labels": labels})
        names = ", ".join(json.dumps(name) for name in self.labels)
        return Message("system", system.strip()), Message("user", self.user.format_map({**parts, "names": names}).strip())


def _material(text: str, question: Question) -> dict[str, str]:
    premise = question.premise
    if premise is None:
        return {"question": question.text, "answer": text, "premise": "", "known": _lines(question.expected or ())}
    fact = json.dumps([premise.subject, premise.relation, premise.object], ensure_ascii=False)
    known = [label for true in premise.true_objects for label in (true.label, *true.aliases)]
    return {"question": question.text, "answer": text, "premise": fact, "known": _lines(known)}


def _lines(texts: tuple[str, ...] | list[str]) -> str:
    return "\n".join(json.dumps(text, ensure_ascii=False) for text in texts)


def kinds() -> list[str]:
    """Return the names of the prompts.

    >>> kinds()
    ['premise', 'short']
    """
    return sorted(path.stem for path in _FOLDER.glob("*.toml"))


@cache
def load(kind: str) -> JudgePrompt:
    """Read a prompt.

    Raises PromptError where there is no such prompt.
    """
    if kind not in kinds():
        raise PromptError(f"'{kind}' is no kind of judge", way_out=nearest(kind, kinds()))
    data = (_FOLDER / f"{kind}.toml").read_bytes()
    read = tomllib.loads(data.decode())
    digest = hashlib.sha256(data).hexdigest()
    return JudgePrompt(kind, read["version"], digest, read["system"], read["user"], read["labels"])
