"""What a judge is shown, and what it reported.

The prompts are one TOML file each, with a version; every text that comes from a graph, a file or a model is quoted as
`evaluators.models.quoted` does, so that it cannot get out of its quotes. Reports are read strictly, because a report that is
guessed at is no report.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from evaluators.errors import PromptError
from evaluators.models import Message
from evaluators.models.quoted import quoted
from evaluators.verify.question import Question
from kg.errors import nearest

_FOLDER = Path(__file__).parent / "prompts"
_FENCED = re.compile(r"```(?:json)?\s*(.*?)\s*```", re.DOTALL)
_FIELDS = {"reason", "verdict"}


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
    fields = tomllib.loads(data.decode())
    digest = hashlib.sha256(data).hexdigest()
    return JudgePrompt(kind, fields["version"], digest, fields["system"], fields["user"], fields["labels"])


def read_report(text: str | None, labels: Collection[str]) -> str | None:
    r"""Return the label that a judge chose; null where its report does not say so plainly.

    A report is a JSON object with `verdict` (and `reason`), alone or as the end of a text that has no other verdict in it; or
    it is a label and nothing else. Thoughts before `</think>` are left out.

    >>> labels = ["match", "mismatch"]
    >>> read_report('```json\n{"reason": "the same city", "verdict": "match"}\n```', labels), read_report("Mismatch.", labels)
    ('match', 'mismatch')
    >>> read_report('{"verdict": "match", "verdict": "mismatch"}', labels), read_report("The verdict is match.", labels)
    (None, None)
    """
    report = (text or "").rpartition("</think>")[2].strip()
    fenced = _FENCED.fullmatch(report)
    body = fenced[1] if fenced else report
    if body.rstrip(".").strip('"*` ').casefold() in labels:
        return body.rstrip(".").strip('"*` ').casefold()
    fields = _object(body)
    verdict = fields.get("verdict") if fields is not None and set(fields) <= _FIELDS else None
    return verdict if isinstance(verdict, str) and verdict in labels else None


def _object(body: str) -> dict[str, Any] | None:
    """Return the object that a text is or ends with; null where there is none, or more than one verdict."""
    if body.count('"verdict"') != 1:
        return None
    for start in (at for at, char in enumerate(body) if char == "{"):
        try:
            value = json.loads(body[start:].removesuffix("```").rstrip(), object_pairs_hook=_unrepeated)
        except (ValueError, RecursionError):
            continue
        return value if isinstance(value, dict) else None
    return None


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse an object with a key twice: JSON would let the last one win, and a report says one thing."""
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def elected(labels: Sequence[str | None]) -> str | None:
    """Return what most of a judge's votes say; `tie` where two say as often, null where half of the votes or more failed.

    >>> elected(["match", None, "match"]), elected(["match", "none"]), elected(["match", None])
    ('match', 'tie', None)
    """
    valid = Counter(label for label in labels if label is not None)
    if 2 * valid.total() <= len(labels):
        return None
    (first, often), *rest = valid.most_common(2)
    return "tie" if rest and rest[0][1] == often else first
